//! What `--help` says beside the arguments: commands by what people want to do, and examples of each.

use clap::{Command, CommandFactory};

use crate::Cli;

/// What people want to do, with examples of the commands for it.
const WISHES: &[(&str, &[&str])] = &[
    (
        "Find bugs",
        &[
            "smelt fuzz --time 10m",
            "smelt fuzz seeds/ --solver z3@4.8.7 --solver cvc5 --strategy fusion",
            "smelt fuzz --base z3@4.12.2 --new ./build/z3 --findings 1",
            "smelt fuzz --time 8h --page",
            "smelt fuzz --seed 7 --shard 2/8 --time 1h --out part-2",
            "smelt merge whole part-1 part-2 part-3",
            "smelt hub seeds/ --solver z3@4.13.0 --solver cvc5@latest --time 8h",
            "smelt hub --listen 0.0.0.0:4222 --tls-cert hub.crt --tls-key hub.key --solver z3@latest",
            "smelt hub --resume --out smelt-campaign",
            "smelt work nats://127.0.0.1:4222/0123456789abcdef --install",
            "smelt work tls://hub.example.org:4222/0123456789abcdef --token worker.token --ca hub.crt",
            "smelt janus --solver z3@4.8.12 --solver z3@latest --time 10m",
            "smelt janus seeds/ --solver cvc5 --out unknowns",
            "smelt enumerate ints -n 20000 --solver z3 --solver cvc5",
            "smelt enumerate --theory strings --print-grammar",
            "smelt enumerate five-core --from 1e275 -n 5 --print",
            "smelt evolve queries/ --solver z3@4.8.7..latest --current z3@4.12.2",
            "smelt evolve --grammar ints --grammar strings -n 2000 --solver z3@4.8.5..latest --solver cvc5@1.0.9..latest",
            "smelt perf --target z3 --ref cvc5 --ref bitwuzla --theory fp",
            "smelt perf --target z3:smt.string_solver=z3str3 --ref z3 --theory strings --method thompson",
            "smelt perf --target z3@latest --ref z3@4.12.2 --theory ints --limit 2 --confirm 5 --bisect --reduce",
            "smelt perf --objective bugs --target z3@4.8.7 --ref cvc5 --theory strings --limit 0.25",
            "smelt perf --show thompson-3-17",
            "smelt lab plans/storm-diver.toml --seeds seeds/ --out comparison",
            "smelt lab my-plan.toml --trust --jobs 2 --time 8h",
            "smelt check file.smt2 --solver z3 --solver cvc5",
            "smelt check benchmarks/ --stats",
            "smelt check file.smt2.gz --print --smallest-logic",
        ],
    ),
    (
        "Work on a finding",
        &[
            "smelt replay smelt-campaign/findings/*",
            "smelt replay smelt-campaign/findings/x --solver z3@latest",
            "smelt bisect smelt-campaign/findings/x",
            "smelt bisect bug.smt2 --solver z3@4.8.7",
            "smelt bisect bug.smt2 --solver ./z3-new --builds nightly/ --wrong unsat",
            "smelt bisect --step smelt-campaign/findings/x --solver ./build/z3",
            "smelt report",
            "smelt report all --out drafts --html campaign.html",
            "smelt report --html site/ --against yesterday",
            "smelt report --mark crash-z3-0123abcd=https://example.org/1",
            "smelt recheck --judge smelt-campaign",
            "smelt recheck --judge smelt-campaign/findings/x --json",
            "smelt recheck --solver ./build/z3 smelt-campaign --junit bugs.xml",
            "smelt reduce bug.smt2 --solver ./z3 --reference cvc5",
            "smelt reduce my-campaign/findings/refutation-soundness-z3-1a2b3c4d",
            "smelt reduce bug.smt2 -- ./interesting.sh",
            "smelt eval file.smt2 --model model.txt --trace",
            "smelt eval file.smt2 --model model.txt --term '(+ x 1)'",
        ],
    ),
    (
        "See what smelt does",
        &[
            "smelt mutate --list",
            "smelt mutate file.smt2 --strategy typefuzz -n 3",
            "smelt mutate file.smt2 --strategy storm --param mode=incremental --out mutants",
            "smelt rules list",
            "smelt rules show and-to-part",
            "smelt rules verify --rules my.rules --solver z3 --solver cvc5",
        ],
    ),
    (
        "Set up",
        &[
            "smelt solvers list",
            "smelt solvers list --available z3",
            "smelt solvers install z3@4.8.7 cvc5",
            "smelt solvers doctor",
            "smelt solvers remove z3@4.8.7",
            "smelt completions bash > ~/.local/share/bash-completion/completions/smelt",
            "smelt man | man -l -",
            "smelt man --out ~/.local/share/man/man1",
        ],
    ),
];

const TEMPLATE: &str = "{about-with-newline}\n{usage-heading} {usage}{after-help}\n\nOptions:\n{options}\n\n\
    `smelt COMMAND --help` says more, with examples.\n";

/// The command of an example.
fn name(example: &str) -> &str {
    example.split(' ').nth(1).unwrap_or_default()
}

/// A command with its examples, and what stands below it with those that are its own: their word at this place is its name.
fn with_examples(mut command: Command, examples: &[&str], place: usize) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    for name in names {
        let is_own = |e: &&&str| e.split(' ').nth(place) == Some(&*name);
        let own: Vec<&str> = examples.iter().filter(is_own).copied().collect();
        if !own.is_empty() {
            command = command.mut_subcommand(name, |c| with_examples(c, &own, place + 1));
        }
    }
    command.after_help(format!("Examples:\n  {}", examples.join("\n  ")))
}

/// The command line with all of its help.
pub fn command() -> Command {
    let mut command = Cli::command().help_template(TEMPLATE);
    let mut list = String::new();
    for (wish, examples) in WISHES {
        list += &format!("\n{wish}:\n");
        for examples in examples.chunk_by(|a, b| name(a) == name(b)) {
            let name = name(examples[0]);
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            list += &format!("  {name:<12} {about}\n");
            command = command.mut_subcommand(name, |c| with_examples(c, examples, 2));
        }
    }
    command.after_help(list.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_examples_in_one_place() {
        let all =
            WISHES.iter().flat_map(|(_, examples)| examples.chunk_by(|a, b| name(a) == name(b)));
        let mut listed: Vec<&str> = all.map(|examples| name(examples[0])).collect();
        let command = Cli::command();
        let mut all: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        listed.sort_unstable();
        all.sort_unstable();
        assert_eq!(listed, all);
    }

    #[test]
    fn examples_are_commands() {
        command().debug_assert();
        for example in WISHES.iter().flat_map(|(_, examples)| *examples) {
            // What the shell does with the rest of a line is not smelt's.
            let own = example.split([' ']).take_while(|w| !matches!(*w, ">" | "|"));
            let words = own.collect::<Vec<_>>().join(" ").replace("'(+ x 1)'", "(+x1)");
            let said = command().try_get_matches_from(words.split(' '));
            assert!(said.is_ok(), "{example}: {}", said.unwrap_err());
        }
    }

    /// Whoever runs a solver can say within which walls.
    #[test]
    fn who_takes_a_solver_takes_a_sandbox() {
        fn check(command: &Command, path: &str, seen: &mut Vec<String>) {
            let has = |id: &str| command.get_arguments().any(|a| a.get_long() == Some(id));
            if has("solver") || has("new") {
                assert!(has("sandbox"), "{path} has --solver and no --sandbox");
                assert!(has("memory"), "{path} has --solver and no --memory");
                seen.push(path.to_owned());
            }
            for sub in command.get_subcommands() {
                check(sub, &format!("{path} {}", sub.get_name()), seen);
            }
        }
        let mut seen = Vec::new();
        check(&Cli::command(), "smelt", &mut seen);
        assert!(seen.len() >= 9, "{seen:?}");
    }
}
