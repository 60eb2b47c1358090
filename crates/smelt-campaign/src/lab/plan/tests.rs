//! Plans that can be run, and what is said of those that cannot.

use super::*;
use smelt_solver::testing;

const PLAN: &str = r#"
budget = 5
repetitions = 2
[[target]]
solvers = ["z3@4.8.7", "cvc5@1.4.2"]
[[technique]]
strategies = ["opfuzz"]
parameters = ["opfuzz.wild=true"]
[[technique]]
agent = "thompson"
theory = "fp"
[[technique]]
name = "peer"
peer = "sh -c 'a b' {bugs} {seeds}"
"#;

fn read(text: &str) -> Result<LabPlan> {
    LabPlan::of_text(text, Path::new("/"), &[])
}

#[test]
fn a_plan() {
    let plan = read(PLAN).unwrap();
    assert_eq!(
        (plan.baseline.as_str(), plan.budget, plan.options.as_str()),
        ("opfuzz", 5.0, "none")
    );
    assert_eq!(plan.targets[0].name, "z3@4.8.7+cvc5@1.4.2");
    let names: Vec<&str> = plan.techniques.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names, ["opfuzz", "thompson", "peer"]);
    let How::Peer(argv) = &plan.techniques[2].how else { panic!("{plan:?}") };
    assert_eq!(argv[..], ["sh", "-c", "a b", "{bugs}", "{seeds}"]);
    // What goes on where an earlier run has stopped may be longer, and nothing else.
    let longer = LabPlan { budget: 50.0, repetitions: 5, title: "other".into(), ..plan.clone() };
    assert!(longer.goes_on_with(&plan));
    assert!(!LabPlan { seed: 7, ..plan.clone() }.goes_on_with(&plan));
}

#[test]
fn bad_plans_are_one_sentence() {
    for (from, to, expect) in [
        ("budget = 5", "budget = 0", "budget = 0: a number of CPU seconds above 0 is needed"),
        ("budget = 5", "budget = -1", "above 0 is needed"),
        ("budget = 5", "budget = nan", "above 0 is needed"),
        ("budget = 5", "", "missing field `budget`"),
        ("repetitions = 2", "repetitions = 0", "repetitions = 0: each technique needs one"),
        ("repetitions = 2", "repetitions = 2\nlimit = 0", "limit = 0"),
        (
            "repetitions = 2",
            "repetitions = 2\nseeds = [\"no-such-seeds\"]",
            "no-such-seeds does not exist",
        ),
        ("repetitions = 2", "repetitions = 2\noptions = \"wild\"", "options: "),
        (
            "repetitions = 2",
            "repetitions = 2\nbaseline = \"other\"",
            "\"other\" is none of the techniques",
        ),
        ("repetitions = 2", "repetitions = 2\nbudgets = 3", "unknown field `budgets`"),
        ("[\"opfuzz\"]", "[\"psychic\"]", "\"psychic\" is no strategy; there are opfuzz"),
        ("opfuzz.wild=true", "opfuzz.wild=maybe", "`wild=maybe` cannot be read"),
        ("opfuzz.wild=true", "storm.wild=true", "STRATEGY.NAME=VALUE of one of its strategies"),
        ("\"thompson\"", "\"psychic\"", "\"psychic\" is no method"),
        ("theory = \"fp\"", "", "an agent has a theory"),
        ("z3@4.8.7\"", "z3@\"", "the version after @ is missing"),
        ("[\"z3@4.8.7\", \"cvc5@1.4.2\"]", "[]", "a name of letters"),
        ("name = \"peer\"", "name = \"../peer\"", "a name of letters, digits"),
        ("name = \"peer\"", "name = \"opfuzz\"", "there are two of technique opfuzz"),
        ("\"sh -c", "\"no-such-program -c", "there is no program no-such-program here"),
        (" {bugs}", "", "{bugs} is lacking"),
        ("'a b'", "'a b", "a quote is not closed"),
        (
            "name = \"peer\"",
            "name = \"peer\"\nstrategies = [\"opfuzz\"]",
            "either strategies, an agent or a peer",
        ),
    ] {
        let text = PLAN.replacen(from, to, 1);
        assert_ne!(text, PLAN, "{from}");
        let said = read(&text).map(drop).unwrap_err();
        let said = format!("{said:#}");
        assert!(said.contains(expect), "{to}: {said}");
    }
    let said = read("budget = 1\nrepetitions = 1\n").unwrap_err().to_string();
    assert!(said.contains("has a [[target]] and a [[technique]] at least"), "{said}");
}

/// A stranger's plan runs no program and reads no path.
#[test]
fn strangers() {
    let registry = testing::registry();
    let check = |text: &str, expect: &str| {
        let plan = read(text).unwrap();
        let said = plan.is_harmless(&plan.seeds, &registry).map_err(|e| format!("{e:#}"));
        match (said, expect) {
            (Ok(()), "") => {}
            (Err(said), expect) if !expect.is_empty() => assert!(said.contains(expect), "{said}"),
            (said, _) => panic!("{said:?} for {expect:?}"),
        }
    };
    let own = PLAN.split("[[technique]]\nname = \"peer\"").next().unwrap();
    check(PLAN, "its technique peer runs a program: sh -c a b");
    check(own, "");
    check(
        &own.replace("z3@4.8.7", "./z3 -x").replace("[[target]]", "[[target]]\nname = \"t\""),
        "it names a command",
    );
    check(
        &own.replace("seed", "").replace("repetitions = 2", "repetitions = 2\nseeds = [\"etc\"]"),
        "it names the path /etc",
    );
}

/// The plans that come with smelt can be run; those with peers, where these are installed.
#[test]
fn shipped_plans() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plans");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        // Whether a program is there is a matter of the machine.
        let text = text
            .replace("peer = \"opfuzz", "peer = \"sh")
            .replace("peer = \"typefuzz", "peer = \"sh");
        let plan = read(&text).unwrap_or_else(|e| panic!("{}: {e:#}", path.display()));
        assert!(plan.repetitions >= 5 && plan.budget >= 300.0, "{}", path.display());
        count += 1;
    }
    assert_eq!(count, 4);
}
