//! A script of a stranger's as it may be kept and passed on, in the folder of a finding: without commands that smelt sends to no
//! solver. Whoever runs a solver on a kept file by hand has none of smelt's walls.

use std::borrow::Cow;

use crate::admit::{Fit, fit, fits_all};
use crate::profile::Profiles;
use crate::sexpr::{self, ItemKind};

/// The text without commands that are on no solver's list, see [`crate::admit`]. `None` if solvers could read other commands in it
/// than smelt does, so that leaving out is not enough: the script is to be written anew then.
pub fn harmless<'t>(profiles: &Profiles, text: &'t [u8]) -> Option<Cow<'t, [u8]>> {
    let source = std::str::from_utf8(text).ok()?;
    let mut cuts = Vec::new();
    let mut at = 0;
    for item in sexpr::items(source) {
        if item.kind != ItemKind::List {
            return None;
        }
        cuts.extend(is_odd(&source[at..item.start]).then_some(at..item.start));
        at = item.end();
        let stays = match item.head() {
            // It ends the script, or is for people; smelt reads both itself.
            "exit" | "set-info" => fits_all(&item) && !is_odd(item.text),
            _ => {
                let fits: Vec<Fit> = profiles.iter().map(|p| fit(p, &item)).collect();
                let sent = fits.contains(&Fit::Sent);
                if sent && is_odd(item.text) || !sent && !fits.contains(&Fit::LeftOut) {
                    return None;
                }
                sent
            }
        };
        cuts.extend((!stays).then_some(item.start..at));
    }
    cuts.extend(is_odd(&source[at..]).then_some(at..source.len()));
    if cuts.is_empty() {
        return Some(Cow::Borrowed(text));
    }
    let mut kept = String::with_capacity(source.len());
    let mut from = 0;
    for cut in cuts {
        kept.push_str(&source[from..cut.start]);
        // What stood on both sides stays apart.
        kept.push('\n');
        from = cut.end;
    }
    kept.push_str(&source[from..]);
    Some(Cow::Owned(kept.into_bytes()))
}

/// Whether there are control characters at which some solvers end a line, and with it a comment, and others do not.
fn is_odd(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().any(|(i, b)| match b {
        b'\n' | b'\t' => false,
        b'\r' => bytes.get(i + 1) != Some(&b'\n'),
        b => b.is_ascii_control(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is kept of a script; `-` if it is to be written anew.
    fn check(text: &str, expect: &str) {
        let profiles = Profiles::embedded();
        let kept = harmless(&profiles, text.as_bytes());
        let shown = kept.map_or("-".to_owned(), |k| String::from_utf8(k.into_owned()).unwrap());
        assert_eq!(shown, expect, "{text}");
    }

    #[test]
    fn what_is_harmless_stays_as_it_is() {
        for text in [
            "",
            "; a comment, with an umlaut: ü\n(set-info :status sat)\r\n(set-logic QF_UF)\n(check-sat) ; and one behind\n(exit)\n",
            "(set-option :smt.mbqi false)(set-option :strings-exp true)(check-sat-using smt)",
            "(assert (= s \"a \"\"b\"\" | ; \\u{41}\"))",
            "(declare-codatatype T ((c (f T))))(maximize x)",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn what_no_solver_is_sent_is_cut() {
        check("(set-option :regular-output-channel \"F\")(check-sat)", "\n(check-sat)");
        check(
            "(check-sat)\n(include \"F\")\n; c\n(check-sat)",
            "(check-sat)\n\n\n; c\n(check-sat)",
        );
        check("(set-option :tactic.default_tactic \"(using-params sat :drat.file F)\")", "\n");
        check("(echo \"sat\")(get-info :name)(simplify x)", "\n\n\n");
        // By the standard one command with strings in it; cvc5 loses the first quote, and sees three.
        check("(set-info :a\" b)(set-option :out \"F\")(set-info :c\" d)", "\n");
        check("; a\r(include \"F\")\n(check-sat)", "\n\n\n(check-sat)");
    }

    #[test]
    fn what_solvers_read_otherwise_is_written_anew() {
        check("(assert (= |a\\| |b|))", "-");
        check("(assert #| |# true)", "-");
        check("(assert true ; c\r(include \"F\")\n)", "-");
        check("(check-sat-using (using-params sat :drat.file F))", "-");
        check("(|set-option| :out \"F\")", "-");
        check("(assert true", "-");
    }
}
