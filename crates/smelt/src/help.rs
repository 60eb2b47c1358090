//! What `--help` says beside the arguments: commands by what people want to do, and examples of each.

use clap::{Command, CommandFactory};

use crate::Cli;

/// A command and examples of it.
type Row = (&'static str, &'static [&'static str]);

/// What people want to do, with the commands for it.
const GROUPS: &[(&str, &[Row])] = &[
    (
        "Find bugs",
        &[
            (
                "fuzz",
                &[
                    "smelt fuzz --time 10m",
                    "smelt fuzz seeds/ --solver z3@4.8.7 --solver cvc5 --strategy fusion",
                    "smelt fuzz --base z3@4.12.2 --new ./build/z3 --findings 1",
                ],
            ),
            (
                "janus",
                &[
                    "smelt janus --solver z3@4.8.12 --solver z3@latest --time 10m",
                    "smelt janus seeds/ --solver cvc5 --out unknowns",
                ],
            ),
            (
                "check",
                &[
                    "smelt check file.smt2 --solver z3 --solver cvc5",
                    "smelt check benchmarks/ --stats",
                    "smelt check file.smt2.gz --print --smallest-logic",
                ],
            ),
        ],
    ),
    (
        "Work on a finding",
        &[
            (
                "replay",
                &[
                    "smelt replay smelt-campaign/findings/*",
                    "smelt replay smelt-campaign/findings/x --solver z3@latest",
                ],
            ),
            (
                "reduce",
                &[
                    "smelt reduce --storm bug.smt2 --solver ./z3 --reference cvc5",
                    "smelt reduce --storm bug.smt2 --solver ./z3 --model model.txt --limit 10",
                ],
            ),
            (
                "eval",
                &[
                    "smelt eval file.smt2 --model model.txt --trace",
                    "smelt eval file.smt2 --model model.txt --term '(+ x 1)'",
                ],
            ),
        ],
    ),
    (
        "See what smelt does",
        &[
            (
                "mutate",
                &[
                    "smelt mutate --list",
                    "smelt mutate file.smt2 --strategy typefuzz -n 3",
                    "smelt mutate file.smt2 --strategy storm --param mode=incremental --out mutants",
                ],
            ),
            (
                "rules",
                &[
                    "smelt rules list",
                    "smelt rules show and-to-part",
                    "smelt rules verify --rules my.rules --solver z3 --solver cvc5",
                ],
            ),
        ],
    ),
    (
        "Set up",
        &[
            (
                "solvers",
                &[
                    "smelt solvers list --available z3",
                    "smelt solvers install z3@4.8.7 cvc5",
                    "smelt solvers doctor",
                ],
            ),
            (
                "completions",
                &["smelt completions bash > ~/.local/share/bash-completion/completions/smelt"],
            ),
            ("man", &["smelt man | man -l -", "smelt man --out ~/.local/share/man/man1"]),
        ],
    ),
];

const TEMPLATE: &str = "{about-with-newline}\n{usage-heading} {usage}{after-help}\n\nOptions:\n{options}\n\n\
    `smelt COMMAND --help` says more, with examples.\n";

/// The command line with all of its help.
pub fn command() -> Command {
    let mut command = Cli::command().help_template(TEMPLATE);
    let mut list = String::new();
    for (wish, commands) in GROUPS {
        list += &format!("\n{wish}:\n");
        for (name, examples) in *commands {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            list += &format!("  {name:<12} {about}\n");
            let examples = format!("Examples:\n  {}", examples.join("\n  "));
            command = command.mut_subcommand(name, |c| c.after_help(examples));
        }
    }
    command.after_help(list.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let mut listed: Vec<&str> =
            GROUPS.iter().flat_map(|(_, all)| all.iter()).map(|(name, _)| *name).collect();
        let command = Cli::command();
        let mut all: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        listed.sort_unstable();
        all.sort_unstable();
        assert_eq!(listed, all);
    }

    #[test]
    fn examples_are_commands() {
        command().debug_assert();
        for example in GROUPS.iter().flat_map(|(_, all)| all.iter()).flat_map(|(_, e)| e.iter()) {
            // What the shell does with the rest of a line is not smelt's.
            let own = example.split([' ']).take_while(|w| !matches!(*w, ">" | "|"));
            let words = own.collect::<Vec<_>>().join(" ").replace("'(+ x 1)'", "(+x1)");
            let said = command().try_get_matches_from(words.split(' '));
            assert!(said.is_ok(), "{example}: {}", said.unwrap_err());
        }
    }
}
