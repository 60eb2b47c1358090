//! Tasks of the project that need solvers: see `cargo xtask --help`.
//!
//! The full comparison of the evaluator with z3, cvc5 and bitwuzla is `cargo xtask agree --terms 1000000`. It prints a
//! table per operator and per theory, fails on any disagreement, and leaves in `target/agree` a script per
//! disagreement, `faults.txt` with what made a solver die or hang, and the transcripts that lead to it.

// The task runner is a command line of its own.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod agree;
mod background;
mod bandit;
mod bisect;
mod clusters;
mod ddsmt;
mod generate;
mod hub_soak;
mod judge;
mod models;
mod nolie;
mod partial;
mod peer;
mod published;
mod reference;
mod rejections;
mod reprint;
mod smelt;
mod soak;
mod throughput;
mod value;
mod verdicts;

use clap::Parser;

/// Tasks that check smelt against real solvers.
#[derive(Parser)]
#[command(name = "cargo xtask")]
enum Task {
    /// Evaluates random ground terms with every judge and compares the values.
    Agree(agree::Options),
    /// Compares the agents of `smelt perf` on a solver with planted slow constructs.
    Bandit(bandit::Options),
    /// Runs a campaign with and without reduction beside the tests, in turns, and compares how many tests it makes.
    Background(background::Options),
    /// Bisects known bugs over releases and compares with what is recorded of them.
    Bisect(bisect::Options),
    /// Puts known bugs together by their fingerprints and compares with the issues that they are from.
    Clusters(clusters::Options),
    /// Reduces known bugs by smelt and by ddSMT, and compares size, calls and time.
    Ddsmt(ddsmt::Options),
    /// Prints generated terms.
    Terms(agree::Options),
    /// Collects the models of solvers on the satisfiable files of a corpus.
    Models(models::Options),
    /// Checks the expectations of a strategy's mutants again, by evaluation, brute force and solvers.
    Nolie(nolie::Options),
    /// Fuzzes the same seeds with the same solvers by smelt and by yinyang, and compares the cost of a test.
    Peer(peer::Options),
    /// Compares the published results of ET with those of releases on a sample of the same formulas.
    Published(published::Options),
    /// Repeats the campaign that is recorded in the repository, and says where scripts or answers differ.
    Reference(reference::Options),
    /// Sends mutants to solvers and counts what they refuse, by reason.
    Rejections(rejections::Options),
    /// Asks solvers whether scripts mean the same after smelt has printed them.
    Reprint(reprint::Options),
    /// Kills a campaign again and again and sees that nothing is lost.
    Soak(soak::Options),
    /// Counts formulas per CPU second of `smelt enumerate` and of one process for each formula.
    Throughput(throughput::Options),
    /// Kills a hub, its server and its workers again and again, and sees that nothing is lost.
    HubSoak(hub_soak::Options),
    /// Evaluates the assertions of scripts under the models that solvers printed for them.
    Verdicts(verdicts::Options),
}

fn main() -> anyhow::Result<()> {
    match Task::parse() {
        Task::Agree(options) => agree::run(&options),
        Task::Bandit(options) => bandit::run(&options),
        Task::Background(options) => background::run(&options),
        Task::Bisect(options) => bisect::run(&options),
        Task::Clusters(options) => clusters::run(&options),
        Task::Ddsmt(options) => ddsmt::run(&options),
        Task::Reference(options) => reference::run(&options),
        Task::Terms(options) => {
            let mut g = generate::Generator::new(options.seed, agree::select(&options)?)?;
            for k in options.from..options.from + options.terms {
                if let Some(c) = g.case(k) {
                    let text = smelt_smtlib::print_term(&g.script.arena, c.term);
                    println!("{}\t{text}", c.target.name());
                }
            }
            Ok(())
        }
        Task::Nolie(options) => nolie::run(&options),
        Task::Models(options) => models::run(&options),
        Task::Verdicts(options) => verdicts::run(&options),
        Task::Peer(options) => peer::run(&options),
        Task::Published(options) => published::run(&options),
        Task::Reprint(options) => reprint::run(&options),
        Task::Rejections(options) => rejections::run(&options),
        Task::Soak(options) => soak::run(&options),
        Task::HubSoak(options) => hub_soak::run(&options),
        Task::Throughput(options) => throughput::run(&options),
    }
}
