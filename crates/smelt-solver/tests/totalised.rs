//! Totalised scripts in the hands of real solvers.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use smelt_smtlib::{LogicChoice, PrintOptions, parse, print, totalise};
use smelt_solver::{Answer, Limits, Requests, Script, Setup, Solver, Status, testing};

const SOLVERS: [&str; 4] = ["z3@latest", "cvc5@latest", "yices@latest", "bitwuzla@latest"];

/// What a solver says to each check of a script, in its own words and with the smallest logic.
fn answers(solver: &Solver, script: &smelt_smtlib::Script, cpu: u64) -> Vec<Answer> {
    let naming = solver.profile().naming_of(solver.version());
    let logic = LogicChoice::Smallest;
    let options = PrintOptions { naming, logic, strip_status: true, ..PrintOptions::default() };
    let text = Script::new(&print(script, &options));
    let setup = Setup { limits: Limits::cpu(Duration::from_secs(cpu)), ..Setup::default() };
    let outcome = solver.run_cold(&text, &setup, Requests::default(), None).unwrap();
    outcome.checks.into_iter().map(|c| c.answer).collect()
}

/// Whether a solver did not take a script.
fn refusal(answers: &[Answer]) -> Option<&str> {
    answers.iter().find_map(|a| match a {
        Answer::Rejected { error: text, .. }
        | Answer::Unsupported(text)
        | Answer::Unreadable(text) => Some(text.as_str()),
        _ => None,
    })
}

/// Scripts whose original answer may depend on conventions, with the answer of the totalised script and the solvers that take it.
#[test]
fn answers_that_no_convention_decides() {
    use Status::{Sat, Unsat};
    let u = "(declare-sort U 0)(declare-const a U)(declare-datatype D ((nil) (c (s U))))";
    let x = "(fp.neg ((_ to_fp 8 24) RNE 0.3))";
    let cases: Vec<(String, Status, &str)> = vec![
        // One quotient in all places: f(1) is 1.
        ("(assert (= (/ 1.0 0.0) 1.0))(assert (distinct (/ (/ 1.0 0.0) 0.0) 1.0))".into(), Unsat, "zcy"),
        ("(declare-const x Real)(assert (= (/ x 0.0) 3.0))".into(), Sat, "zcy"),
        ("(declare-const x Real)(declare-const y Real)(assert (and (= y 0.0) (= (/ x y) 3.0) (= (/ (+ x 1.0) y) 4.0)))".into(), Sat, "zc"),
        ("(declare-const x Int)(declare-const y Int)(assert (and (= x y) (distinct (div x 0) (div y 0))))".into(), Unsat, "zcy"),
        ("(declare-const x Int)(assert (= (mod x 0) (- 7)))".into(), Sat, "zcy"),
        // Operators of dialects: their solvers say otherwise to the original.
        ("(declare-const x Int)(assert (distinct (rem x 0) (mod x 0)))".into(), Sat, "zcy"),
        ("(assert (distinct (^ 0 0) 1))".into(), Sat, "z"),
        // One of the zeros, and nothing else.
        ("(assert (= (fp.min (_ +zero 8 24) (_ -zero 8 24)) ((_ to_fp 8 24) RNE 1.0)))".into(), Unsat, "zcb"),
        ("(assert (= (fp.min (_ +zero 8 24) (_ -zero 8 24)) (_ +zero 8 24)))".into(), Sat, "zcb"),
        ("(assert (= (fp.min (_ +zero 8 24) (_ -zero 8 24)) (_ -zero 8 24)))".into(), Sat, "zcb"),
        // −0.3 is in range in RNE, not in RTN.
        (format!("(assert (= ((_ fp.to_ubv 8) RNE {x}) #x07))"), Unsat, "zcb"),
        (format!("(assert (= ((_ fp.to_ubv 8) RTN {x}) #x07))"), Sat, "zcb"),
        (format!("(assert (distinct ((_ fp.to_ubv 8) RTN {x}) ((_ fp.to_ubv 8) RTN {x})))"), Unsat, "zcb"),
        ("(assert (= (fp.to_real (_ +oo 8 24)) 3.0))".into(), Sat, "zc"),
        // A universe of one element, and a selector at the other constructor.
        (format!("{u}(assert (forall ((x U)) (= x a)))(assert (distinct (s nil) a))"), Unsat, "zc"),
        (format!("{u}(assert (distinct (s nil) a))"), Sat, "zc"),
        ("(declare-const q (Seq Int))(assert (and (= (seq.len q) 1) (distinct (seq.nth q 1) (seq.nth q 2))))".into(), Sat, "zc"),
        ("(declare-const u (Set Int))(assert (and (set.member 1 u) (= (set.choose u) 2) (not (set.member 2 u))))".into(), Unsat, "c"),
        ("(declare-const u (Set Int))(assert (and (set.member 1 u) (set.member 2 u) (= (set.choose u) 2)))".into(), Sat, "c"),
        ("(assert (= (set.choose (as set.empty (Set Int))) 5))".into(), Sat, "c"),
    ];
    for (script, expect, takers) in cases {
        let script = parse(format!("{script}(check-sat)").as_bytes()).unwrap();
        let total = totalise(&script).unwrap().script;
        for name in SOLVERS {
            let got = answers(&testing::solver(name), &total, 10);
            let text = print(&total, &PrintOptions::default());
            let verdict = got.first().and_then(Answer::decided);
            let takes = takers.contains(&name[..1]);
            assert!(
                verdict == Some(expect) || verdict.is_none() && !takes,
                "{name}: {got:?}\n{text}"
            );
        }
    }
}

fn scripts(dir: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(d) = dirs.pop() {
        for e in std::fs::read_dir(&d).into_iter().flatten().flatten() {
            let p = e.path();
            if p.is_dir() {
                dirs.push(p);
            } else if p.extension().is_some_and(|e| e == "smt2") {
                out.push(p);
            }
        }
    }
    out.sort();
    out
}

/// What happened over all files.
#[derive(Default)]
struct Figures {
    lines: BTreeMap<String, u32>,
    details: String,
}

impl Figures {
    fn count(&mut self, what: &str) {
        *self.lines.entry(what.to_owned()).or_default() += 1;
    }

    fn note(&mut self, what: &str, detail: &str) {
        self.count(what);
        let _ = writeln!(self.details, "  {what}: {detail}");
    }
}

/// Seconds of CPU for one script of a corpus.
const CPU: u64 = 2;

/// Why a solver that reads a script does not read the totalised one: its logic has no free functions together with all the rest;
/// cvc5 has no words for the tester of a constructor whose name another datatype has too.
const EXPLAINED: [&str; 2] = ["logic", "overloaded constant"];

/// Files of `SMELT_CORPUS` with partial operators: every solver reads the totalised script where it reads the original, and a model
/// of the original is one of the totalised script. Prints figures, and what differs: by its conventions a solver may rightly say
/// `unsat` to the original alone.
#[test]
fn corpus() {
    let Some(corpus) = std::env::var_os("SMELT_CORPUS").map(PathBuf::from) else {
        let line = "corpus: skipped, there is no external corpus (set SMELT_CORPUS)\n";
        std::io::stderr().write_all(line.as_bytes()).unwrap();
        return;
    };
    let files = std::env::var("SMELT_TOTALISE").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    let mut figures = Figures::default();
    let mut with_open: BTreeMap<
        PathBuf,
        Vec<(PathBuf, smelt_smtlib::Script, smelt_smtlib::Totalised)>,
    > = BTreeMap::new();
    for file in scripts(&corpus) {
        let text = std::fs::read(&file).unwrap();
        let Ok(script) = parse(&text) else { continue };
        figures.count("read");
        match totalise(&script) {
            Err(e) => figures.note("refused by smelt", &format!("{e} ({})", file.display())),
            Ok(t) if t.open.is_empty() => figures.count("nothing open"),
            Ok(t) => {
                figures.count("totalised");
                let folder = file.parent().unwrap_or(&corpus).to_owned();
                with_open.entry(folder).or_default().push((file, script, t));
            }
        }
    }
    // From each folder in turn, so that all logics are there.
    let mut chosen = Vec::new();
    for round in 0.. {
        let before = chosen.len();
        for list in with_open.values() {
            chosen.extend(list.get(round));
        }
        if chosen.len() == before || chosen.len() >= files {
            break;
        }
    }
    chosen.truncate(files);
    for name in SOLVERS {
        let solver = testing::solver(name);
        for (file, script, t) in &chosen {
            let one = answers(&solver, script, CPU);
            let other = answers(&solver, &t.script, CPU);
            let place = file.strip_prefix(&corpus).unwrap_or(file).display();
            match (refusal(&one), refusal(&other)) {
                (Some(_), Some(_)) => figures.count(&format!("{name} refuses both")),
                (Some(_), None) => figures.count(&format!("{name} refuses the original only")),
                (None, Some(e)) => {
                    assert!(EXPLAINED.iter().any(|x| e.contains(x)), "{name}: {place}: {e}");
                    let logic = smelt_smtlib::smallest_logic(&t.script);
                    let what = format!("{name} refuses the totalised only");
                    figures.note(&what, &format!("{place}: {logic}: {}", e.trim()));
                }
                (None, None) if one.len() != other.len() => {
                    figures.note(
                        &format!("{name} other checks"),
                        &format!("{place}: {one:?} {other:?}"),
                    );
                }
                (None, None) => {
                    for (a, b) in one.iter().zip(&other) {
                        let what = match (a.decided(), b.decided()) {
                            (Some(x), Some(y)) if x == y => "agrees",
                            (Some(_), Some(_)) => "differs",
                            (Some(_), None) => "decides the original only",
                            (None, Some(_)) => "decides the totalised only",
                            (None, None) => "decides neither",
                        };
                        let lost = (Some(Status::Sat), Some(Status::Unsat));
                        assert_ne!((a.decided(), b.decided()), lost, "{name}: {place}");
                        let what = format!("{name} {what}");
                        if what.ends_with("differs") || matches!(b, Answer::Crash(_)) {
                            figures.note(&what, &format!("{place}: {} and {}", a.kind(), b.kind()));
                        } else {
                            figures.count(&what);
                        }
                    }
                }
            }
        }
    }
    let mut report = format!("{} files\n", chosen.len());
    for (what, n) in &figures.lines {
        let _ = writeln!(report, "{n:6} {what}");
    }
    report.push_str(&figures.details);
    std::io::stderr().write_all(report.as_bytes()).unwrap();
}
