//! The rules that smelt comes with: each holds on random values, and the record of proofs is about these very rules.

use smelt_strategy::rules::claim::Claim;
use smelt_strategy::rules::embedded;
use smelt_strategy::rules::file::RuleFile;
use smelt_strategy::rules::instances::{self, Coverage};
use smelt_strategy::rules::record::{self, Entry, Record, State};
use smelt_strategy::rules::sample::sample;

/// Rules whose stronger side is never true: no value says anything about them.
const NEVER: [&str; 1] = ["re-from-none"];

#[test]
fn no_rule_is_refuted() {
    let all = embedded().unwrap();
    let mut undecided = Vec::new();
    for rule in all.all() {
        let claim = rule.claim();
        let s = sample(&claim, &Coverage::small(), 300, 7);
        assert_eq!(s.unreadable, None, "{}", rule.name());
        if let Some(c) = &s.refuted {
            panic!("{} is false ({}): {}", rule.name(), c.label, c.values);
        }
        if s.held == 0 {
            undecided.push(rule.name().to_owned());
        }
    }
    assert_eq!(undecided, NEVER, "never seen to hold");
}

/// Rules with instances that nobody has proved yet.
const OPEN: [&str; 3] = ["bv-equal-times-odd", "bv-multiply-odd", "fp-at-most-rounded"];

/// What is wrong with the proofs of a rule, if anything is.
fn gap(claim: &Claim, entry: &Entry) -> Option<String> {
    let state = entry.state(claim);
    match state {
        State::Proved if !claim.is_schema() => {}
        State::Schema if claim.is_schema() && claim.proof.is_some() => {}
        State::Bounded if claim.can_be_bounded() && claim.proof.is_some() => {}
        _ => return Some(state.to_string()),
    }
    let all = instances::all(claim, &Coverage::default());
    let mut open: Vec<&str> = all.iter().map(|i| &*i.label).filter(|l| !entry.proves(l)).collect();
    open.dedup();
    (!open.is_empty()).then(|| open.join(" "))
}

/// A rule that is changed has to be proved again.
#[test]
fn the_record_is_about_these_rules() {
    let all = embedded().unwrap();
    let record = Record::read(record::EMBEDDED).unwrap();
    let mut names = Vec::new();
    for rule in all.all() {
        let claim = rule.claim();
        names.push(rule.name().to_owned());
        let Some(entry) = record.entries.get(rule.name()) else {
            panic!(
                "{} is not in rules/PROOFS: run `smelt rules verify --rules rules --record rules/PROOFS`",
                rule.name()
            );
        };
        assert_eq!(
            *entry.hash,
            *claim.hash(),
            "{} was changed after its proof: run `smelt rules verify --rules rules --record rules/PROOFS`",
            rule.name()
        );
        let enough = entry.held >= 10_000 || NEVER.contains(&rule.name());
        assert!(enough, "{} was tried on {} values only", rule.name(), entry.held);
        let gap = gap(&claim, entry);
        // All that is open is in the record as such, and something is proved.
        let known = OPEN.contains(&rule.name()) && gap.as_ref() == Some(&entry.open.join(" "));
        assert!(gap.is_none() || known, "{} is open at {gap:?}", rule.name());
    }
    for name in record.entries.keys() {
        assert!(names.iter().any(|n| **n == **name), "{name} is proved, but there is no such rule");
    }
}

/// A record with a gap is seen.
#[test]
fn gaps() {
    let rule = "(implies a :for ((n (Numeral 1 2))) :vars ((s String)) :strong (= s \"\") :weak (<= (str.len s) n))";
    let proof = format!("{} :proof \"Clear.\")", rule.strip_suffix(')').unwrap());
    let check = |rule: &str, entry: &str, expect: Option<&str>| {
        let claim = RuleFile::read(rule).unwrap().all().next().unwrap().claim();
        let record = Record::read(&format!("(rule a 1 (held 10000) {entry})")).unwrap();
        assert_eq!(gap(&claim, &record.entries["a"]).as_deref(), expect, "{entry}");
    };
    check(rule, "(proved (n=1 n=2) (z3-1))", None);
    check(rule, "(proved (n=1) (z3-1)) (open (n=2))", Some("n=2"));
    check(rule, "(proved (n=1) (z3-1))", Some("n=2"));
    check(rule, "(open (n=1 n=2))", Some("open"));
    check(rule, "", Some("open"));
    check(rule, "(proved (n=1 n=2) (z3-1)) (refuted n=1 z3-1 \"\")", Some("refuted"));
    check(rule, "(bounded 3 (n=1 n=2) (z3-1))", Some("bounded"));
    check(&proof, "(bounded 3 (n=1 n=2) (z3-1))", None);
    let language = "(implies a :vars ((r RegLan)) :sort RegLan :strong r :weak (re.+ r))";
    check(language, "(proved (any) (z3-1))", Some("schema"));
}

/// Proofs of schemas and bounded proofs permit nothing without a written proof; other texts and widths neither.
#[test]
fn permission() {
    let file = RuleFile::read(
        "(implies a :for ((w Width)) :vars ((x (_ BitVec w)) (y (_ BitVec w))) :strong (bvult x y) :weak (bvule x y))\n\
         (implies b :vars ((r RegLan)) :sort RegLan :strong r :weak (re.+ r))\n\
         (implies c :vars ((r RegLan)) :sort RegLan :strong r :weak (re.+ r) :proof \"One repetition.\")",
    )
    .unwrap();
    let claims: Vec<_> = file.all().map(|r| r.claim()).collect();
    let hash: Vec<String> = claims.iter().map(|c| c.hash()).collect();
    assert_eq!(hash[1], hash[2]);
    let text = format!(
        "(rule a {} (held 1) (proved (w=8) (z3-1)))(rule b {} (held 1) (proved (any) (z3-1)))(rule c {} (held 1) (proved (any) (z3-1)))",
        hash[0], hash[1], hash[2]
    );
    let record = Record::read(&text).unwrap();
    let permits = |i: usize, label: &str| record.permits(&claims[i], &hash[i], label);
    assert!(permits(0, "w=8") && !permits(0, "w=9"));
    assert!(!permits(1, "any") && permits(2, "any"));
    assert!(!record.permits(&claims[0], "other", "w=8"));
    let labels = |i: usize| -> Vec<String> {
        let coverage = Coverage { widths: vec![8, 9], formats: vec![], ..Coverage::default() };
        instances::all(&claims[i], &coverage).into_iter().map(|x| x.label).collect()
    };
    assert_eq!(labels(0), ["w=8", "w=9"]);
}
