//! A script as the solver side sees it: text plus the few facts that decide how it may be run.

use crate::sexpr::{self, ItemKind};

/// A script ready to be sent: cleaned text, cut after each check.
///
/// Removed from what is sent: `(set-info :status …)` (a wrong one makes cvc4 and older cvc5 abort and z3 print an error),
/// `(echo …)` (its output could pass for an answer) and everything from `(exit)` on (a warm session must live).
#[derive(Debug, Clone)]
pub struct Script {
    text: String,
    /// End of each check command in `text`.
    check_ends: Vec<usize>,
    logic: Option<String>,
    set_logic: Option<(usize, usize)>,
    sets_options: bool,
    mild_options: bool,
    resets: bool,
    incremental: bool,
    balanced: bool,
}

impl Script {
    /// Scans a script. Never fails: a text that is no SMT-LIB is sent as it is, and the solver will say so.
    pub fn new(source: &str) -> Script {
        // A byte-order mark is not part of the script.
        let source = source.strip_prefix('\u{feff}').unwrap_or(source);
        let mut script = Script {
            text: String::with_capacity(source.len()),
            check_ends: Vec::new(),
            logic: None,
            set_logic: None,
            sets_options: false,
            mild_options: false,
            resets: false,
            incremental: false,
            balanced: true,
        };
        let mut copied = 0;
        for item in sexpr::items(source) {
            if item.kind != ItemKind::List {
                script.balanced = false;
            }
            match item.head() {
                "exit" => {
                    script.text.push_str(&source[copied..item.start]);
                    copied = source.len();
                    break;
                }
                "echo" => {
                    script.text.push_str(&source[copied..item.start]);
                    copied = item.end();
                }
                "set-info" if item.word(1) == ":status" => {
                    script.text.push_str(&source[copied..item.start]);
                    copied = item.end();
                }
                head => {
                    script.text.push_str(&source[copied..item.end()]);
                    copied = item.end();
                    let end = script.text.len();
                    match head {
                        "check-sat" | "check-sat-assuming" | "check-sat-using" => {
                            script.check_ends.push(end);
                            script.incremental |=
                                script.check_ends.len() > 1 || head == "check-sat-assuming";
                        }
                        "push" | "pop" => script.incremental = true,
                        "set-logic" => {
                            script.logic.get_or_insert_with(|| item.word(1).to_owned());
                            script.set_logic.get_or_insert((end - item.text.len(), end));
                        }
                        // What a session has anyway, or what is so from the start.
                        "set-option"
                            if matches!(
                                (item.word(1), item.word(2)),
                                (":produce-models", "true") | (":print-success", "false")
                            ) =>
                        {
                            script.mild_options = true;
                        }
                        "set-option" => script.sets_options = true,
                        "reset" | "reset-assertions" => script.resets = true,
                        _ => {}
                    }
                }
            }
        }
        script.text.push_str(&source[copied..]);
        // Hosts that read line by line take such a line for a command, also inside of a string or a quoted symbol.
        let looks_like_ours = |l: &str| l.trim() == "(reset)" || l.trim().starts_with("(echo ");
        script.resets |= script.text.lines().any(looks_like_ours);
        script
    }

    /// The text that is sent.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Number of checks.
    pub fn checks(&self) -> usize {
        self.check_ends.len()
    }

    /// The logic it sets, if any.
    pub fn logic(&self) -> Option<&str> {
        self.logic.as_deref()
    }

    /// Whether it sets options itself. z3 keeps some of them over `(reset)`, so such a script runs cold.
    pub fn sets_options(&self) -> bool {
        self.sets_options
    }

    /// Whether it sets options that are harmless after a reset: `:produce-models true` and `:print-success false`. (Behind a
    /// `push` they would be refused.)
    pub(crate) fn mild_options(&self) -> bool {
        self.mild_options
    }

    /// Whether it may have resets.
    pub(crate) fn resets(&self) -> bool {
        self.resets
    }

    /// Whether it needs incremental solving: several checks, assumptions, push or pop.
    pub fn incremental(&self) -> bool {
        self.incremental
    }

    /// Whether something is declared or defined in a scope that may end.
    pub fn declares_behind_push(&self) -> bool {
        let text = self.text();
        let push = text.find("(push");
        let last = ["(declare-", "(define-", ":named"].iter().filter_map(|w| text.rfind(w)).max();
        matches!((push, last), (Some(push), Some(last)) if last > push)
    }

    /// Whether a warm session may run it and stay what it was: no options of its own, no reset, balanced text.
    pub fn fits_warm(&self) -> bool {
        self.balanced && !self.sets_options && !self.resets
    }

    /// The pieces of the text, each ending behind a check, and the rest behind the last check.
    pub fn segments(&self) -> (Vec<&str>, &str) {
        let mut start = 0;
        let mut segments = Vec::with_capacity(self.check_ends.len());
        for &end in &self.check_ends {
            segments.push(&self.text[start..end]);
            start = end;
        }
        (segments, &self.text[start..])
    }

    /// The script without its `set-logic`, for the push/pop mode, where the logic belongs to the session.
    pub fn without_logic(&self) -> Script {
        let mut copy = self.clone();
        if let Some((start, end)) = copy.set_logic.take() {
            copy.text.replace_range(start..end, "");
            for check in &mut copy.check_ends {
                if *check > start {
                    *check -= end - start;
                }
            }
        }
        copy
    }

    /// The script with every plain `(check-sat)` replaced by `(check-sat-using TACTIC)`.
    pub fn with_tactic(&self, tactic: &str) -> Script {
        let mut text = String::with_capacity(self.text.len() + 32);
        let mut copied = 0;
        for item in sexpr::items(&self.text) {
            if item.kind == ItemKind::List && item.head() == "check-sat" {
                text.push_str(&self.text[copied..item.start]);
                text.push_str("(check-sat-using ");
                text.push_str(tactic);
                text.push(')');
                copied = item.end();
            }
        }
        text.push_str(&self.text[copied..]);
        Script::new(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_and_cleaning() {
        let s = Script::new(
            "(set-info :status sat)(set-logic QF_BV)(echo \"sat\")\n(check-sat)(set-info :source |x|)\n(check-sat-assuming (a))(get-model)(exit)(foo",
        );
        assert_eq!(
            s.text(),
            "(set-logic QF_BV)\n(check-sat)(set-info :source |x|)\n(check-sat-assuming (a))(get-model)"
        );
        assert_eq!((s.checks(), s.logic(), s.fits_warm()), (2, Some("QF_BV"), true));
        let (segments, rest) = s.segments();
        assert_eq!(segments[0], "(set-logic QF_BV)\n(check-sat)");
        assert_eq!(segments[1], "(set-info :source |x|)\n(check-sat-assuming (a))");
        assert_eq!(rest, "(get-model)");
        let bare = s.without_logic();
        assert_eq!(bare.segments().0[0], "\n(check-sat)");
        assert_eq!(bare.segments().1, "(get-model)");
    }

    #[test]
    fn a_byte_order_mark_is_not_sent() {
        let s = Script::new("\u{feff}(check-sat)");
        assert_eq!((s.text(), s.fits_warm()), ("(check-sat)", true));
    }

    #[test]
    fn declarations_in_scopes() {
        let check = |text: &str, expect| {
            assert_eq!(Script::new(text).declares_behind_push(), expect, "{text}");
        };
        check("(declare-const x Int)(push 1)(assert (= x 1))(check-sat)(pop 1)", false);
        check("(push 1)(declare-const x Int)(assert (= x 1))(check-sat)(pop 1)", true);
        check("(push 1)(assert (! true :named n))(check-sat)(pop 1)", true);
        check("(declare-const x Int)(assert (= x 1))(check-sat)", false);
    }

    #[test]
    fn what_must_run_cold() {
        let warm = |t: &str| Script::new(t).fits_warm();
        assert!(warm("(check-sat)"));
        assert!(warm("(set-option :produce-models true)(check-sat)"));
        assert!(warm("(set-option :print-success false)(check-sat)"));
        assert!(!warm("(set-option :produce-models false)(check-sat)"));
        assert!(!warm("(set-option :produce-models true)(set-option :rlimit 9)(check-sat)"));
        assert!(!warm("(reset)(check-sat)"));
        assert!(!warm("(declare-const |a\n(reset)\nb| Int)(check-sat)"));
        assert!(!warm("(assert (= s \"\n(echo \"\"x\"\")\n\"))(check-sat)"));
        assert!(!warm("(assert true"));
        assert!(!warm("(check-sat))"));
        assert!(!warm("(assert (= x \"open))"));
    }

    #[test]
    fn tactics() {
        let s = Script::new("(assert p)(check-sat)(check-sat-assuming (p))")
            .with_tactic("(then simplify smt)");
        assert_eq!(
            s.text(),
            "(assert p)(check-sat-using (then simplify smt))(check-sat-assuming (p))"
        );
        assert_eq!(s.checks(), 2);
    }
}
