use super::*;

/// A fingerprint of a few words: class, operators, a letter per release (x shows, . gone, ? open).
fn print(class: Class, operators: &str, releases: &str) -> Fingerprint {
    let mark = |c: char| match c {
        'x' => Mark::Shows,
        '.' => Mark::Gone,
        _ => Mark::Open,
    };
    let names = (5..).map(|n| format!("4.8.{n}"));
    Fingerprint {
        solver: "z3".into(),
        class,
        crash: None,
        operators: operators.split_whitespace().map(str::to_owned).collect(),
        releases: names.zip(releases.chars().map(mark)).collect(),
        own: None,
        options: BTreeMap::new(),
    }
}

const UNSAT: Class = Class::RefutationSoundness;

#[track_caller]
fn check(a: &Fingerprint, b: &Fingerprint, expect: &str) {
    let said = match a.compare(b) {
        Likeness::Same(why) => format!("same: {why}"),
        Likeness::Different(why) => format!("different: {why}"),
    };
    assert_eq!(said, expect);
}

#[test]
fn pairs() {
    let plain = print(UNSAT, "str.len str.replace", ".xxx..");
    let same = "same: same fingerprint 4.8.6–4.8.8 and operators";
    check(&plain, &plain, &format!("{same} ="));
    check(&plain, &print(UNSAT, "str.at str.len str.replace", ".x?x??"), &format!("{same} ⊆"));
    // It came back: another bug.
    let back = print(UNSAT, "str.len str.replace", ".xxx.x");
    check(&plain, &back, "different: 4.8.10 shows only one of them");
    assert_eq!(back.spans(), "4.8.6–4.8.8, 4.8.10");
    check(&plain, &print(UNSAT, "str.len", "x....."), "different: 4.8.5 shows only one of them");
    check(&plain, &print(UNSAT, "str.len", "?????x"), "different: 4.8.10 shows only one of them");
    check(&plain, &print(UNSAT, "str.len", "????.."), "different: no release shows both");
    check(&plain, &print(UNSAT, "str.len bvmul", ".xxx.."), "different: only one has str.replace");
    check(
        &plain,
        &print(Class::InvalidModel, "str.len", ".xxx.."),
        "different: refutation-soundness and invalid-model differ",
    );
    let model = print(Class::InvalidModel, "fp.add", "xxx");
    check(
        &model,
        &print(Class::SolutionSoundness, "fp.add fp.rem", "xxx"),
        "same: same fingerprint 4.8.5–4.8.7 and operators ⊆",
    );
    let other = Fingerprint { solver: "cvc5".into(), ..plain.clone() };
    check(&plain, &other, "different: z3 and cvc5 are two solvers");
}

/// Which releases are asked differs from fault to fault: one between two that agree is like them.
#[test]
fn releases_between() {
    let of = |marks: &[(&str, Mark)]| Fingerprint {
        releases: marks.iter().map(|(name, mark)| ((*name).to_owned(), *mark)).collect(),
        ..print(UNSAT, "str.len", "")
    };
    let (x, o) = (Mark::Shows, Mark::Gone);
    let long = of(&[("4.8.5", x), ("4.8.10", x), ("4.12.2", o), ("5.4.0", o)]);
    let same = "same: same fingerprint 4.8.5–4.8.10 and operators =";
    check(&long, &of(&[("4.8.7", x), ("4.12.2", o)]), same);
    check(&long, &of(&[("4.8.9", o), ("5.4.0", o)]), "different: 4.8.10 shows only one of them");
    check(&long, &of(&[("4.13.0", x)]), "different: 4.13.0 shows only one of them");
    // It may have been mended there already.
    check(&long, &of(&[("4.11.0", x)]), "different: no release shows both");
}

/// What an old release does behind one that is right is another bug's, or this one before it was mended and broken again.
#[test]
fn around_where_it_was_found() {
    let found_in = |own: &str, releases: &str| Fingerprint {
        own: Some(own.to_owned()),
        ..print(UNSAT, "str.len", releases)
    };
    let new = found_in("4.8.8", "...xx.");
    check(&new, &found_in("4.8.8", "x..xx."), "same: same fingerprint 4.8.8–4.8.9 and operators =");
    check(&new, &found_in("4.8.5", "x..xx."), "different: no release shows both");
    check(&new, &found_in("4.8.8", "x.xxx."), "different: 4.8.7 shows only one of them");
}

#[test]
fn operators_of_a_kind() {
    let same = "same: same fingerprint 4.8.5–4.8.6 and operators";
    let a = print(UNSAT, "* < not", "xx");
    check(&a, &print(UNSAT, "* >= and or", "xx"), &format!("{same} ="));
    check(&a, &print(UNSAT, "* <= div forall", "xx"), &format!("{same} ⊆"));
    check(&a, &print(UNSAT, "/ <=", "xx"), "different: only one has *");
    // One is made of the other.
    check(
        &print(UNSAT, "str.replace_re str.to_re", "xx"),
        &print(UNSAT, "str.replace_re_all str.to_re", "xx"),
        &format!("{same} ="),
    );
    check(
        &print(UNSAT, "fp.to_sbv bvuge", "xx"),
        &print(UNSAT, "extract fp.to_sbv sign_extend", "xx"),
        &format!("{same} ="),
    );
    check(
        &print(UNSAT, "bvnot extract", "xx"),
        &print(UNSAT, "bvor", "xx"),
        "different: only one has bvor",
    );
    // Sums and bounds are everywhere.
    check(&a, &print(UNSAT, "* + - >=", "xx"), &format!("{same} ="));
    check(&print(UNSAT, "+ <", "xx"), &print(UNSAT, "- >", "xx"), "different: only one has +");
    // A rounding mode tells no more than a number does.
    check(
        &print(UNSAT, "RNE RTZ fp.lt to_fp", "xx"),
        &print(UNSAT, "+oo RNA fp.geq to_fp", "xx"),
        &format!("{same} ="),
    );
    // Nothing else is there to tell them apart.
    check(&print(UNSAT, "=", "xx"), &print(UNSAT, "xor", "xx"), "different: only one has =");
}

#[test]
fn options_tell() {
    let with = |operators: &str, cures: &[&str]| Fingerprint {
        options: cures.iter().map(|o| ((*o).to_owned(), Mark::Gone)).collect(),
        ..print(UNSAT, operators, ".xx.")
    };
    let a = with("+ * div", &["smt.arith.solver=2"]);
    check(
        &a,
        &with("* abs", &["smt.arith.solver=2"]),
        "same: same fingerprint 4.8.6–4.8.7, gone with smt.arith.solver=2 and * in both",
    );
    check(&a, &with("+ abs", &["rewriter.flat=false"]), "different: only one has abs");
    check(&a, &with("bvadd", &["smt.arith.solver=2"]), "different: only one has bvadd");
}

#[test]
fn crashes_by_their_place() {
    let at = |crash: &str, operators: &str| Fingerprint {
        crash: Some(crash.to_owned()),
        ..print(Class::Crash, operators, "xx")
    };
    let a = at("assertion smt/theory_seq.cpp:120: m_ok", "str.len");
    check(
        &a,
        &at("assertion smt/theory_seq.cpp:98: m_ok", "str.at"),
        "same: both end at assertion smt/theory_seq.cpp:: m_ok",
    );
    check(
        &a,
        &at("SIGSEGV: f < g", "str.len"),
        "different: one ends at assertion smt/theory_seq.cpp:: m_ok, the other at SIGSEGV: f < g",
    );
    let bare = "same: same fingerprint 4.8.5–4.8.6 and operators =";
    check(&at("SIGSEGV", "str.at"), &at("SIGSEGV", "str.at"), bare);
    check(&at("SIGSEGV", "str.at"), &at("SIGSEGV", "bvadd"), "different: only one has str.at");
}

#[test]
fn together() {
    let all = [
        print(UNSAT, "str.at str.len str.replace", ".xxx.."),
        print(UNSAT, "bvmul", ".xxx.."),
        print(UNSAT, "str.len", ".xxx.."),
        print(UNSAT, "str.len", "....xx"),
        print(UNSAT, "bvadd bvmul bvshl", "?x??.."),
    ];
    let found: Vec<Vec<usize>> = clusters(&all).iter().map(|c| c.members().collect()).collect();
    assert_eq!(found, [vec![1, 4], vec![2, 0], vec![3]]);
}
