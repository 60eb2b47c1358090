//! `smelt replay`: does a finding still hold?

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Error, Result, anyhow, bail};
use smelt_campaign::folder;
use smelt_campaign::seedbank;
use smelt_case::{OpSet, Seed};
use smelt_smtlib::{LogicChoice, Op, PrintOptions, Script, parse, print};
use smelt_solver::Mode;
use smelt_solver::{
    Answer, Cancel, Crash, Home, Launcher, Limit, Outcome, Registry, ResolveError, SolverSpec,
};
use smelt_strategy::{Input, by_name};
use smelt_triage::{Class, Finding, ModelVerdict, Observation, is_fault};
use smelt_trial::Target;
use smelt_trial::core::{CoreVerdict, judge_core};
use smelt_trial::resolve::newest_at_hand;
use smelt_trial::resolve::{foreign_option, is_harmless};

use crate::printable::Printable;
use crate::voice::resolving;

/// Exit code when a finding still holds.
const HOLDS: u8 = 10;
/// Exit code when none was seen to hold, and of one at least nothing was learnt.
const OPEN: u8 = 3;

/// Re-run findings.
#[derive(clap::Args)]
pub struct Args {
    /// Folders of findings.
    #[arg(required = true)]
    findings: Vec<PathBuf>,
    /// Run on this solver instead of the accused one; may be given several times. What a finding names is run only if it is a
    /// known solver by name or name@version that is here; a path or a command must be given with this option.
    #[arg(long, value_name = "SOLVER")]
    solver: Vec<String>,
    /// Install the release that a finding names, if it is not here.
    #[arg(long)]
    install: bool,
    /// Send scripts as they are, with commands and options that may write and read files. For findings of your own.
    #[arg(long)]
    trust_scripts: bool,
    /// CPU seconds per run. Slowness takes a minute, whatever is said here.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    limit: u64,
}

/// What a run says of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    Holds,
    DoesNot,
    /// The run could not tell: a limit ended it, the solver refused the script, gave up, or failed in another way.
    Open,
}

impl Says {
    /// The verdict for people, with what was seen.
    fn sentence(self, what: &str) -> String {
        match self {
            Self::Holds => format!("still holds: {what}"),
            Self::DoesNot => format!("does not hold: {what}"),
            Self::Open => format!("open: nothing learnt ({what})"),
        }
    }
}

impl From<bool> for Says {
    fn from(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::DoesNot }
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode> {
    let home = Home::of_user().context("no data folder: set SMELT_HOME")?;
    let registry = Registry::open(home, Launcher::current()?)?.trusting_scripts(args.trust_scripts);
    let mut out = Printable(std::io::stdout().lock());
    let (mut holds, mut open, mut failed) = (false, false, 0);
    for path in &args.findings {
        // One that cannot be run does not keep the others from it.
        match replay(&registry, path, &args, &mut out) {
            Ok(said) => {
                holds |= said.contains(&Says::Holds);
                open |= said.contains(&Says::Open);
            }
            Err(e) => {
                failed += 1;
                writeln!(out, "{}: cannot be replayed: {e:#}", path.display())?;
            }
        }
    }
    if failed > 0 {
        bail!("{failed} of {} findings could not be replayed", args.findings.len());
    }
    Ok(ExitCode::from(match (holds, open) {
        (true, _) => HOLDS,
        (false, true) => OPEN,
        (false, false) => 0,
    }))
}

/// Replays one finding: what each of the solvers says of it.
fn replay(
    registry: &Registry,
    path: &Path,
    args: &Args,
    out: &mut impl Write,
) -> Result<Vec<Says>> {
    let finding = folder::read(path)?;
    writeln!(out, "{}: {}", finding.id, finding.class)?;
    match rebuild(path, &finding) {
        Ok(true) => writeln!(out, "  the recipe gives the same mutant")?,
        Ok(false) => writeln!(
            out,
            "  the recipe gives another mutant (it was made by smelt {}); the kept script is used",
            finding.recipe.smelt
        )?,
        Err(e) => {
            writeln!(out, "  the recipe cannot be followed ({e:#}); the kept script is used")?
        }
    }
    let mut all = Vec::new();
    for target in solvers(registry, &finding, args)? {
        let mode = mode(&finding, &target)?;
        let (says, what) = rerun(registry, path, &finding, &target, &mode, args.limit)?;
        all.push(says);
        let other = args.solver.is_empty() && target.solver.hash() != finding.binary;
        let note = if other { " (another binary than the accused one)" } else { "" };
        writeln!(out, "  {}{note}: {}", target.label, says.sentence(&what))?;
    }
    Ok(all)
}

/// The solvers that the user names, else the accused one. A finding may come from anybody: of what it names, only a solver that
/// smelt knows by name is run, with options that smelt itself would give it.
fn solvers(registry: &Registry, f: &Finding, args: &Args) -> Result<Vec<Target>> {
    if !args.solver.is_empty() {
        return resolving(registry, |r| r.targets(&args.solver));
    }
    let spec = SolverSpec::parse(&f.spec)?;
    is_harmless(registry, &spec)?;
    let solver = if args.install {
        resolving(registry, |r| r.one(&spec))?
    } else {
        registry.resolve(&spec).map_err(|e| match e {
            ResolveError::NotInstalled { .. } => anyhow!("{e}, or give --install"),
            e => e.into(),
        })?
    };
    Ok(vec![Target::ready(solver).map_err(Error::msg)?])
}

/// How the accused was run. Options and tactics must be such that smelt itself gives them to this solver, or be given by the user.
fn mode(f: &Finding, target: &Target) -> Result<Mode> {
    let (profile, typed) = (target.solver.profile(), target.solver.args());
    let options: Vec<String> = f.options.iter().filter(|o| !typed.contains(o)).cloned().collect();
    if let Some(option) = options.iter().find(|o| !profile.gives_option(o)) {
        bail!("{}", foreign_option(option, profile));
    }
    if let Some(tactic) = f.tactic.as_ref().filter(|t| !profile.tactics.contains(t)) {
        bail!("the tactic {tactic:?} is none that smelt gives to {}", profile.name);
    }
    Ok(Mode {
        models: f.models,
        tactic: f.tactic.clone(),
        options,
        self_check: f.self_check,
        cores: f.cores,
        push_pop: f.push_pop,
        ..Mode::plain()
    })
}

/// Follows the recipe; whether it gives the script that was kept.
fn rebuild(path: &Path, f: &Finding) -> Result<bool> {
    let r = &f.recipe;
    let mut used: Vec<Seed> = Vec::new();
    for (i, s) in r.seeds.iter().enumerate() {
        let file = if i == 0 { "seed.smt2".to_owned() } else { format!("seed-{}.smt2", i + 1) };
        let text = folder::read_file(path, &file)?;
        let script = seedbank::understand(&text).map_err(|e| anyhow!("{file}: {e}"))?;
        let facts = f.seeds.get(i).map_or(&[][..], Vec::as_slice);
        let seed = seedbank::make(s.name.clone(), &text, script, facts);
        if seed.hash != s.hash {
            bail!("{file} is not the seed that was used");
        }
        used.push(seed);
    }
    let Some((seed, partners)) = used.split_first() else { bail!("it names no seed") };
    let kept = read(path, "original.smt2")?;
    let options = PrintOptions {
        logic: LogicChoice::Smallest,
        strip_status: true,
        ..PrintOptions::default()
    };
    if r.strategy == "seed" {
        return Ok(print(&seed.workspace(), &options) == kept);
    }
    let strategy =
        by_name(&r.strategy).with_context(|| format!("there is no strategy {}", r.strategy))?;
    // A file that says otherwise is damaged, and would be followed for ever.
    let most = strategy.chain_length();
    if r.step >= most {
        bail!("step {} of a chain of {most}", r.step);
    }
    let ops: OpSet =
        Op::all().filter(|op| !r.without.iter().any(|w| *w == format!("{op:?}"))).collect();
    let partners: Vec<&Seed> = partners.iter().collect();
    let input = Input { seed, partners: &partners, ops: &ops, parameters: &r.parameters };
    let refused = |e: smelt_strategy::Refusal| anyhow!("{} refuses: {e}", r.strategy);
    let mut random = r.stream();
    let mut chain = strategy.start(&input, &mut random).map_err(refused)?;
    for _ in 0..r.step {
        chain.step(&mut random).map_err(refused)?;
    }
    let last = chain.step(&mut random).map_err(refused)?;
    Ok(print(last.script, &options) == kept)
}

/// Runs the script of a finding in a fresh process: whether it holds, and what was seen.
fn rerun(
    registry: &Registry,
    path: &Path,
    f: &Finding,
    target: &Target,
    mode: &Mode,
    limit: u64,
) -> Result<(Says, String)> {
    let cancel = Cancel::new()?;
    let cpu = Duration::from_secs(if slow(f.class) { limit.max(60) } else { limit });
    let text = read(path, "bug.smt2")?;
    if let Some(why) = target.caveat_on_text(&text) {
        return Ok((Says::Open, format!("no verdict: {why}")));
    }
    if f.session_dependent {
        let sent = smelt_solver::Script::new(&text);
        // The script itself is the end of the transcript.
        let mut script = script(path, "original.smt2")?;
        has_check(f, "original.smt2", &script)?;
        if f.class == Class::Crash {
            let outcome = target.run_cold(&sent, mode, cpu * 10, &cancel)?;
            let found = target.crash(&outcome);
            return Ok(match (found, outcome.answer()) {
                (Some(c), _) => named_crash(f, &c),
                (None, Some(a)) if outcome.crash.is_none() && !matches!(a, Answer::Crash(_)) => {
                    (crashed(a), a.to_string())
                }
                (None, Some(a)) => (Says::Open, a.to_string()),
                (None, None) => (Says::Open, "it gave no answer".to_owned()),
            });
        }
        let n = script.queries().len();
        let outcome = target.run_transcript(&text, n, mode, cpu * 10, &cancel)?;
        return Ok(outcome.map_or_else(
            || (Says::Open, "it did not come as far as the script".to_owned()),
            |outcome| observed(f, target, &mut script, &outcome),
        ));
    }
    let mut script = script(path, "bug.smt2")?;
    has_check(f, "bug.smt2", &script)?;
    let sent = target.print(&script, mode);
    let mut outcome = target.run_cold(&sent, mode, cpu, &cancel)?;
    match f.class {
        Class::Crash => {
            let setup = mode.setup(smelt_solver::Limits::cpu(cpu));
            target.solver.name_frames(&sent, &setup, &mut outcome, Some(&cancel))?;
            let queries = script.queries();
            let last = target.observe(&mut script, &queries, &outcome).pop();
            Ok(crash(f, &outcome, last.as_ref()))
        }
        Class::ImplicationIncompleteness => {
            let (says, what) = observed(f, target, &mut script, &outcome);
            let before = self::script(path, "before.smt2")?;
            let outcome = target.run_cold(&target.print(&before, mode), mode, cpu, &cancel)?;
            let answer = outcome.answer();
            let what = match answer {
                Some(a) => format!("{what}; before the step {a}"),
                None => format!("{what}; before the step it gave no answer"),
            };
            Ok((implied(says, answer), what))
        }
        Class::SelfContradiction => {
            let flat = self::script(path, "flat.smt2")?;
            let alone = target.run_cold(&target.print(&flat, mode), mode, cpu, &cancel)?;
            Ok(contradiction(f, &outcome, &alone))
        }
        Class::InvalidCore => {
            let (says, what) = observed(f, target, &mut script, &outcome);
            let core =
                outcome.checks.get(f.check.saturating_sub(1)).and_then(|c| c.core.as_deref());
            match core {
                Some(core) if says == Says::Open => {
                    core_holds(registry, &script, core, target, cpu)
                }
                None if says == Says::Open && outcome.answer() == Some(&Answer::Unsat) => {
                    Ok((says, format!("{what}, and no core was given")))
                }
                _ => Ok((says, what)),
            }
        }
        Class::InvalidModel | Class::FalseAlarm => {
            let mut o = at_check(f, target, &mut script, &outcome);
            if let Some(o) = &mut o {
                let patience = (cpu, &cancel);
                target.look_unchecked(&script, f.check - 1, o, mode, patience)?;
            }
            Ok(tell(f, o.as_ref(), &outcome))
        }
        _ => Ok(observed(f, target, &mut script, &outcome)),
    }
}

/// Whether a core has a model: the solver itself is asked, and those at hand.
fn core_holds(
    registry: &Registry,
    script: &Script,
    core: &str,
    target: &Target,
    cpu: Duration,
) -> Result<(Says, String)> {
    let others: Vec<Target> = newest_at_hand(registry)
        .into_iter()
        .filter(|s| s.hash() != target.solver.hash())
        .map(Target::unprobed)
        .collect();
    let all = std::iter::once(target).chain(&others);
    let words: Vec<&str> = core.split_whitespace().collect();
    let core = words.join(" ");
    Ok(match judge_core(script, &core, all, cpu, &Cancel::new()?)? {
        CoreVerdict::Refuted(by) => {
            (Says::Holds, format!("unsat, {by} has a model of its core {core}"))
        }
        CoreVerdict::Stands => (Says::DoesNot, format!("unsat, and so is its core {core}")),
        CoreVerdict::Open => (Says::Open, format!("unsat, and nobody decides its core {core}")),
    })
}

/// The text of a file of a finding; whatever else is there under its name is not waited for.
fn read(path: &Path, file: &str) -> Result<String> {
    let text = folder::read_file(path, file)?;
    String::from_utf8(text).map_err(|_| anyhow!("{file} is not UTF-8"))
}

/// A script of a finding, without what only people need.
fn script(path: &Path, file: &str) -> Result<Script> {
    let text = read(path, file)?;
    let mut script = parse(text.as_bytes()).map_err(|e| anyhow!("{file}: {}", e.message))?;
    script.commands.retain(|c| !matches!(c, smelt_smtlib::Command::Other(_)));
    Ok(script)
}

/// Refuses a finding about a check that its script does not have.
fn has_check(f: &Finding, file: &str, script: &Script) -> Result<()> {
    let n = script.queries().len();
    if !(1..=n).contains(&f.check) {
        bail!("it is about check {}, and {file} has {n}", f.check);
    }
    Ok(())
}

/// Whether an answer is the one that the finding is about.
fn observed(
    f: &Finding,
    target: &Target,
    script: &mut Script,
    outcome: &Outcome,
) -> (Says, String) {
    tell(f, at_check(f, target, script, outcome).as_ref(), outcome)
}

/// What was seen of the check that the finding is about.
fn at_check(
    f: &Finding,
    target: &Target,
    script: &mut Script,
    outcome: &Outcome,
) -> Option<Observation> {
    let queries = script.queries();
    target.observe(script, &queries, outcome).into_iter().nth(f.check.saturating_sub(1))
}

/// What that says of the finding.
fn tell(f: &Finding, seen: Option<&Observation>, outcome: &Outcome) -> (Says, String) {
    let Some(o) = seen else {
        // What ended an earlier check leaves this one open.
        let what = match outcome.answer() {
            Some(a) => format!("it came as far as check {}: {a}", outcome.checks.len()),
            None => "it gave no answer".to_owned(),
        };
        return (Says::Open, what);
    };
    let what = match (&o.model, &o.answer) {
        (Some(m), a) => format!("{a}, model {m}"),
        (None, Answer::Sat) if f.class == Class::InvalidModel => "sat, without a model".to_owned(),
        (None, a) => a.to_string(),
    };
    (holds(f.class, o), what)
}

/// What the answer alone says. What is neither the fault nor its contrary leaves the question open.
fn holds(class: Class, o: &Observation) -> Says {
    let complains = o.complains_of(class);
    let model = o.model.as_ref().or(o.unchecked.as_ref());
    match class {
        Class::RefutationSoundness => match &o.answer {
            Answer::Unsat => Says::Holds,
            Answer::Sat | Answer::DeltaSat => Says::DoesNot,
            _ => Says::Open,
        },
        Class::SolutionSoundness => match &o.answer {
            Answer::Sat => Says::from(o.model != Some(ModelVerdict::True)),
            Answer::Unsat => Says::DoesNot,
            _ => Says::Open,
        },
        Class::InvalidModel => match (&o.answer, model) {
            (_, Some(ModelVerdict::False(_))) => Says::Holds,
            (_, Some(ModelVerdict::True)) | (Answer::Unsat, _) => Says::DoesNot,
            // Its own checker does not know either what a division by zero is.
            (_, Some(ModelVerdict::Unspecified(_))) => Says::Open,
            _ if complains => Says::Holds,
            _ => Says::Open,
        },
        // The check alone decides.
        Class::SelfContradiction => match o.answer.decided() {
            Some(_) => Says::Holds,
            None => Says::Open,
        },
        // Of an `unsat`, the core decides.
        Class::InvalidCore => match &o.answer {
            _ if complains => Says::Holds,
            Answer::Sat => Says::DoesNot,
            _ => Says::Open,
        },
        Class::FalseAlarm => match (&o.answer, model) {
            (_, Some(ModelVerdict::True)) if complains => Says::Holds,
            (_, Some(ModelVerdict::False(_))) if complains => Says::DoesNot,
            _ if complains => Says::Open,
            (Answer::Sat | Answer::Unsat, _) => Says::DoesNot,
            _ => Says::Open,
        },
        Class::InvalidProof => match &o.answer {
            _ if complains => Says::Holds,
            Answer::Sat | Answer::Unsat => Says::DoesNot,
            _ => Says::Open,
        },
        Class::Crash => crashed(&o.answer),
        Class::IncompletenessRegression | Class::ImplicationIncompleteness => match &o.answer {
            Answer::Unknown(_) => Says::Holds,
            Answer::Sat | Answer::Unsat => Says::DoesNot,
            _ => Says::Open,
        },
        Class::Performance | Class::PerformanceRegression => match &o.answer {
            // A busy machine is not the solver's fault.
            Answer::Timeout(limit) if *limit != Limit::Wall => Says::Holds,
            Answer::Sat | Answer::Unsat => Says::DoesNot,
            _ => Says::Open,
        },
    }
}

/// What an answer says of a crash: one that was given, be it `unknown`, shows that there is none.
fn crashed(answer: &Answer) -> Says {
    match answer {
        Answer::Crash(_) => Says::Holds,
        Answer::Sat | Answer::Unsat | Answer::Unknown(_) | Answer::DeltaSat => Says::DoesNot,
        _ => Says::Open,
    }
}

/// What is left of an answer that is lost in a step, by the answer before the step: who does not know then either has lost
/// nothing, and of who says nothing then nothing is learnt.
fn implied(says: Says, before: Option<&Answer>) -> Says {
    match before {
        Some(Answer::Sat | Answer::Unsat) => says,
        Some(Answer::Unknown(_)) => Says::DoesNot,
        _ if says == Says::Holds => Says::Open,
        _ => says,
    }
}

/// What a minute of waiting is needed for.
fn slow(class: Class) -> bool {
    matches!(class, Class::Performance | Class::PerformanceRegression)
}

/// Whether the answers to a check in its script and alone exclude each other.
fn contradiction(f: &Finding, outcome: &Outcome, alone: &Outcome) -> (Says, String) {
    let own = outcome.checks.get(f.check.saturating_sub(1)).map(|c| &c.answer);
    let flat = alone.checks.first().map(|c| &c.answer);
    let word = |a: Option<&Answer>| a.map_or("no answer".to_owned(), ToString::to_string);
    let what = format!("{}; the check alone {}", word(own), word(flat));
    let says = match (own.and_then(Answer::decided), flat.and_then(Answer::decided)) {
        (Some(a), Some(b)) => Says::from(a != b),
        _ => Says::Open,
    };
    (says, what)
}

/// Whether it crashes; `judged` is what was seen last: a crash behind an error is none.
fn crash(f: &Finding, outcome: &Outcome, judged: Option<&Observation>) -> (Says, String) {
    let answer = judged.map(|o| &o.answer).or(outcome.answer());
    if let Some(a @ Answer::Rejected { .. }) = answer {
        return (Says::Open, a.to_string());
    }
    let crash = match (&outcome.crash, answer) {
        (Some(c), _) | (None, Some(Answer::Crash(c))) => Some(c),
        _ => None,
    };
    match (crash, judged, answer) {
        // Who cannot be run, or is ended by somebody else, has not crashed.
        (Some(c), ..) if is_fault(c) => (Says::Open, c.to_string()),
        (Some(c), Some(o), _) if o.crash().is_none() => {
            (Says::Open, format!("{}, and {c} behind an error", o.answer))
        }
        (Some(c), ..) => named_crash(f, c),
        (None, _, Some(a)) => (crashed(a), a.to_string()),
        (None, _, None) => (Says::Open, "it gave no answer".to_owned()),
    }
}

/// A crash, which may be another one.
fn named_crash(f: &Finding, crash: &Crash) -> (Says, String) {
    let same = f.signature.ends_with(&crash.signature());
    (Says::Holds, if same { crash.to_string() } else { format!("another crash: {crash}") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_solver::{Checked, CrashKind};
    use smelt_triage::Complaint;

    /// What each answer says of each class, one letter per class: it holds, it does not, or it is open.
    #[test]
    fn what_answers_say() {
        let classes = [
            Class::RefutationSoundness,
            Class::SolutionSoundness,
            Class::InvalidModel,
            Class::InvalidCore,
            Class::FalseAlarm,
            Class::InvalidProof,
            Class::Crash,
            Class::IncompletenessRegression,
            Class::ImplicationIncompleteness,
            Class::PerformanceRegression,
            Class::Performance,
        ];
        let crash = || Answer::Crash(Crash { kind: CrashKind::FatalExit(3) });
        let rejected =
            || Answer::Rejected { error: "e".into(), answer: Some(smelt_solver::Verdict::Sat) };
        let no = || Some(ModelVerdict::False(1));
        let maybe = || Some(ModelVerdict::Undetermined("why".into()));
        let open = || Some(ModelVerdict::Unspecified("why".into()));
        let yes = || Some(ModelVerdict::True);
        let check = |answer, model, complaint, expect: &str| {
            let mut o = Observation::new("s", "f", answer, model);
            o.complaint = complaint;
            let said: String = classes
                .iter()
                .map(|c| match holds(*c, &o) {
                    Says::Holds => 'h',
                    Says::DoesNot => 'n',
                    Says::Open => '?',
                })
                .collect();
            assert_eq!(said, expect, "{} {:?} {:?}", o.answer, o.model, o.complaint);
        };
        let about = |about| Some(Complaint { about, text: "it is wrong".to_owned() });
        check(Answer::Sat, yes(), None, "nnnnnnnnnnn");
        check(Answer::Sat, no(), None, "nhhnnnnnnnn");
        check(Answer::Sat, maybe(), None, "nh?nnnnnnnn");
        check(Answer::Sat, None, None, "nh?nnnnnnnn");
        check(Answer::Sat, yes(), about(Checked::Model), "nnnnhnnnnnn");
        check(Answer::Sat, None, about(Checked::Model), "nhhn?nnnnnn");
        check(Answer::Sat, open(), about(Checked::Model), "nh?n?nnnnnn");
        check(Answer::Sat, None, about(Checked::Proof), "nh?nnhnnnnn");
        check(Answer::Unsat, None, about(Checked::Core), "hnnhnnnnnnn");
        check(Answer::Unsat, None, None, "hnn?nnnnnnn");
        check(Answer::Unknown(None), None, None, "??????nhh??");
        check(Answer::DeltaSat, None, None, "n?????n????");
        check(Answer::Timeout(Limit::Cpu), None, None, "?????????hh");
        check(Answer::Timeout(Limit::Wall), None, None, "???????????");
        check(Answer::OutOfMemory, None, None, "???????????");
        check(Answer::Unsupported("it".into()), None, None, "???????????");
        check(rejected(), None, None, "???????????");
        check(rejected(), None, about(Checked::Model), "??h????????");
        check(rejected(), None, about(Checked::Core), "???h???????");
        check(rejected(), None, about(Checked::Proof), "?????h?????");
        check(Answer::Unreadable("x".into()), None, None, "???????????");
        check(crash(), None, None, "??????h????");
    }

    #[test]
    fn what_the_step_before_says() {
        let unknown = Answer::Unknown(None);
        for (says, before, expect) in [
            (Says::Holds, Some(&Answer::Sat), Says::Holds),
            (Says::DoesNot, Some(&Answer::Unsat), Says::DoesNot),
            (Says::Open, Some(&Answer::Unsat), Says::Open),
            (Says::Holds, Some(&unknown), Says::DoesNot),
            (Says::Holds, Some(&Answer::OutOfMemory), Says::Open),
            (Says::DoesNot, Some(&Answer::OutOfMemory), Says::DoesNot),
            (Says::Holds, None, Says::Open),
        ] {
            assert_eq!(implied(says, before), expect, "{says:?} {before:?}");
        }
    }
}
