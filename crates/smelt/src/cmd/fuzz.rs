//! `smelt fuzz`: the main job.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use smelt_campaign::campaign::{self, Campaign, Config};
use smelt_campaign::log::Log;
use smelt_campaign::panel::Panel;
use smelt_campaign::proofs::{Proofs, provers};
use smelt_campaign::seedbank::Slot;
use smelt_campaign::stats::bump;
use smelt_campaign::store::Store;
use smelt_campaign::worker::Worker;
use smelt_campaign::{folder, source};
use smelt_solver::{Home, Launcher, OptionClass, Registry, Solver, SolverSpec, Source};
use smelt_strategy::{STRATEGIES, Strategy, by_name};
use smelt_triage::Slowness;
use smelt_triage::{Finding, KnownBugs};
use smelt_trial::Target;
use smelt_trial::resolve::{is_harmless, newest_at_hand, newest_of_each};

use crate::args::{self, Budget, Jobs, Json, Limit, Out, Quiet};
use crate::exit::Exit;
use crate::view::progress::Progress;
use crate::voice::resolving;

/// Test solvers with mutants of seeds, and keep the findings that are confirmed: the main job.
///
/// Runs until it is stopped or its budget is used up, and leaves a folder of confirmed findings. Exit codes: 0 nothing new found, 10
/// findings, 2 an error, 4 a finding could not be written.
#[derive(clap::Args)]
#[command(mut_arg("limit", |a| a.default_value("2")))]
#[command(mut_arg("out", |a| a.default_value("smelt-campaign")))]
pub struct Args {
    /// Seeds: scripts (also .gz, .xz, .zst) or folders of them; without any, the seeds inside smelt.
    seeds: Vec<PathBuf>,
    /// A solver to test; may be given several times. `z3`, `z3@4.8.7`, `cvc5:--strings-exp`, a path with arguments,
    /// `name=command`, `"a;b"`. Without any: the newest of each kind on PATH or installed; if there is none, the newest z3
    /// and cvc5 are installed.
    #[arg(long, value_name = "SOLVER")]
    solver: Vec<String>,
    /// Compare two builds: report only what --new does worse than this one.
    #[arg(long, value_name = "SOLVER", requires = "new", conflicts_with = "solver")]
    base: Option<String>,
    /// The build to be accused; see --base.
    #[arg(long, value_name = "SOLVER", requires = "base")]
    new: Option<String>,
    // Its help names the strategies.
    #[arg(long, value_name = "NAME", help = strategy_help())]
    strategy: Vec<String>,
    /// A parameter of a strategy, as `opfuzz.wild=true`; `smelt mutate --list` shows them all.
    #[arg(long, value_name = "STRATEGY.NAME=VALUE")]
    param: Vec<String>,
    #[command(flatten)]
    budget: Budget,
    #[command(flatten)]
    random: args::Seed,
    /// Freeze the schedule, and limit solvers by their resource counters instead of time: the same tests and answers again.
    #[arg(long)]
    deterministic: bool,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    out: Out,
    /// Continue the last run in the folder. A budget that is given replaces the old one; --jobs, --known, --performance and
    /// --incompleteness change the run from now on.
    #[arg(long, conflicts_with_all = ["seeds", "solver", "base", "new", "strategy", "param", "seed", "deterministic", "options", "limit"])]
    resume: bool,
    /// Options of solvers to vary: none, common, regular or expert. Half of all chains get none.
    #[arg(long, default_value = "common")]
    options: String,
    #[command(flatten)]
    limit: Limit,
    /// Also report what takes a minute where a peer or an older release needs a second.
    #[arg(long)]
    performance: bool,
    /// Also report `unknown` where an older release of the same solver decides, or where the solver itself decides the step before
    /// (strategy janus). Always on with --base and --new.
    #[arg(long)]
    incompleteness: bool,
    /// A list of known bugs that need not be reported (TOML).
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Write a line for every script that a solver is given: strategy, seed, chain, step, solver, digest of the script, answers.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    quiet: Quiet,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let folder = args.out.out.clone().context("--out has a default")?;
    std::fs::create_dir_all(folder.join("findings"))
        .with_context(|| format!("cannot make the campaign's folder {}", folder.display()))?;
    check_entries(&folder)?;
    let _lock = lock(&folder)?;
    let store = Store::open(&folder)?;
    let kept = folder::read_all(&folder.join("findings"))?;
    let earlier = kept.findings;
    store.rebuild(&earlier)?;
    if !args.json.json {
        for (folder, why) in &kept.unreadable {
            say(&format!("smelt: {} is left as it is: {why}", folder.display()));
        }
    }
    let home = Home::of_user().context("no data folder: set SMELT_HOME")?;
    let registry = Registry::open(home, Launcher::current()?)?;
    let (mut config, resumed) = if args.resume {
        let last = store.last_run()?.context("there is no run to resume in this folder")?;
        let mut config: Config =
            serde_json::from_str(&last.1).context("the run to resume is of another smelt")?;
        // A new budget may be given; without one, the rest of the old one is used.
        // It counts from now on, and nothing of the old one rules beside it.
        let so_far = store.counts(last.0)?;
        let sum = |kind: &str, name: &str| -> u64 {
            let rows = so_far.iter().filter(|r| r.0 == kind && (name.is_empty() || r.1 == name));
            rows.map(|r| r.2 as u64).sum()
        };
        if args.budget.is_given() {
            config.time = args.budget.time.map(|t| last.2 + t);
            config.tests = args.budget.tests.map(|n| sum("total", "tests").saturating_add(n));
            config.findings = args.budget.findings.map(|n| sum("finding", "").saturating_add(n));
        }
        config.jobs = args.jobs.given().unwrap_or(config.jobs);
        config.performance |= args.performance;
        config.incompleteness |= args.incompleteness;
        config.known = known_file(&args)?.or(config.known);
        check_origin(&registry, &config)?;
        (config, Some((last.0, last.2)))
    } else {
        let config = configure(&args)?;
        claim(registry.home(), &config.token)?;
        (config, None)
    };
    let (origins, left_out) = source::origins(&config.seeds)?;
    let slots: Vec<Slot> = origins.into_iter().map(Slot::new).collect();
    if slots.is_empty() {
        bail!("none of the scripts that were given can be read");
    }
    let solvers = find_solvers(&registry, &mut config)?;
    let class: OptionClass =
        config.options.parse().map_err(|e: String| anyhow!("--options: {e}"))?;
    let progress = |text: &str| {
        if !args.json.json && !args.quiet.quiet {
            say(text);
        }
    };
    let mut targets = Vec::new();
    for (solver, spec) in solvers {
        let mut target = examine(&registry, solver, class, &progress)?;
        target.spec = spec;
        targets.push(target);
    }
    distinguish(&mut targets);
    if config.compare && targets.len() != 2 {
        bail!("--base and --new take one solver each");
    }
    let names: Vec<&str> = targets.iter().map(|t| t.label.as_str()).collect();
    progress(&format!("solvers: {}", names.join(", ")));
    let at_hand = newest_at_hand(&registry);
    let arbiters = find_arbiters(&registry, &at_hand, &targets, &progress);
    let mut proofs = Proofs::of_user()?;
    if config.deterministic {
        // What is proved on demand is a matter of time, and of earlier campaigns.
        proofs = proofs.without_record();
    }
    let strategies = find_strategies(&config, &proofs)?;
    let provers = if config.deterministic { Vec::new() } else { provers(at_hand) };
    let known = match &config.known {
        None => KnownBugs::default(),
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            KnownBugs::from_toml(&text, registry.profiles())
                .map_err(|e| anyhow!("{}: {e}", path.display()))?
        }
    };
    let slowness = Slowness {
        time: config.performance,
        unknown: config.incompleteness || config.compare,
        older: older(&config, &targets),
    };
    let config_text = serde_json::to_string(&config)?;
    let (run, before) = match resumed {
        Some((run, elapsed)) => {
            store.change_run(run, &config_text)?;
            (run, elapsed)
        }
        None => (store.begin_run(&config_text)?, 0.0),
    };
    let rows = store.counts(run)?;
    let next = store.next_chain(run)?;
    let signatures: HashSet<String> =
        earlier.iter().map(|f| campaign::bug_key(&f.solver, &f.signature)).collect();
    let strategy_names: Vec<&'static str> = strategies.iter().map(|(s, _)| s.name()).collect();
    progress(&format!(
        "{} seeds; strategies: {}; campaign seed {}; folder {}",
        slots.len(),
        strategy_names.join(", "),
        config.seed,
        folder.display()
    ));
    let mut campaign = Campaign::new(
        config,
        folder.clone(),
        targets,
        arbiters,
        slots,
        strategies,
        known,
        slowness,
        store,
        run,
        signatures,
    )?;
    campaign.proofs = proofs;
    campaign.log = args.log.as_deref().map(Log::create).transpose()?;
    campaign.next.store(next, Ordering::Relaxed);
    campaign.stats().restore(&rows, &strategy_names);
    for l in left_out {
        bump(&mut campaign.stats().skipped, l.kind.word().to_owned());
        let _ = campaign.store.skip(run, &l.path.display().to_string(), &l.why);
        if !args.json.json {
            say(&format!("smelt: {} is left out: {}", l.path.display(), l.why));
        }
    }
    let before = Duration::from_secs_f64(before);
    let view = Progress::new(args.json.json, args.quiet.quiet, campaign.stats().tests);
    fuzz(&campaign, before, &earlier, view, &provers)
}

/// CPU time for one question to one solver about a rule.
const PROOF_LIMIT: Duration = Duration::from_secs(1);

/// Proves what seeds ask for, beside the tests, until the campaign ends.
fn prove(c: &Campaign, solvers: &[Solver]) {
    let mut panel = Panel::new(solvers, PROOF_LIMIT, Some(&c.cancel));
    while !c.stopped() {
        let Some(wanted) = c.proofs.next() else {
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        let settled = c.proofs.settle(&wanted, &mut panel, Some(&c.cancel));
        match settled {
            Ok(Some(settled)) => bump(&mut c.stats().proofs, settled.word().to_owned()),
            Ok(None) => return,
            // It is known to this campaign, if not to the next.
            Err(e) => c.say(format!("smelt: {e:#}; proofs of rules are not kept")),
        }
    }
}

/// The workers, the clock, and the end.
fn fuzz(
    c: &Campaign,
    before: Duration,
    earlier: &[Finding],
    mut progress: Progress,
    provers: &[Solver],
) -> Result<Exit> {
    {
        let (stop, all) = (c.cancel.clone(), c.cancel_all.clone());
        // The first Ctrl-C ends the tests, the second what is being confirmed.
        ctrlc::set_handler(move || {
            if stop.is_cancelled() {
                all.cancel();
            }
            stop.cancel();
        })
        .context("cannot catch Ctrl-C")?;
    }
    let begun = Instant::now();
    let mut failure = None;
    let mut complained = false;
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..c.config.jobs)
            .map(|n| {
                scope.spawn(move || {
                    let result = Worker::new(c, n).run();
                    if result.is_err() {
                        c.end();
                    }
                    result
                })
            })
            .collect();
        if !provers.is_empty() {
            scope.spawn(|| prove(c, provers));
        }
        let mut flushed = Instant::now();
        let mut ended: Option<Instant> = None;
        while !workers.iter().all(|w| w.is_finished()) {
            std::thread::sleep(Duration::from_millis(100));
            let elapsed = before + begun.elapsed();
            progress.update(c, elapsed.max(Duration::from_millis(1)));
            if flushed.elapsed() >= Duration::from_secs(1) {
                flushed = Instant::now();
                let unwritten = c.write_pending().len();
                if let Err(e) = c.flush(elapsed.as_secs_f64(), false)
                    && !complained
                {
                    complained = true;
                    progress.say(&format!(
                        "smelt: cannot write statistics ({e:#}); tests go on, {unwritten} findings wait in memory"
                    ));
                }
            }
            let late = c.config.time.is_some_and(|t| elapsed.as_secs_f64() >= t);
            if late || c.is_spent() || c.cancel.is_cancelled() {
                c.end();
            }
            if c.stopped() {
                // What is being confirmed gets a little more time.
                let since = *ended.get_or_insert_with(Instant::now);
                if since.elapsed() > Duration::from_secs(30) {
                    c.cancel_all.cancel();
                }
            }
        }
        for w in workers {
            match w.join() {
                Ok(Ok(())) => {}
                Ok(Err(e)) => failure = Some(e),
                Err(_) => failure = Some("a worker failed; this is a defect of smelt".to_owned()),
            }
        }
    });
    let elapsed = before + begun.elapsed();
    let unwritten = c.write_pending();
    let flushed = c.flush(elapsed.as_secs_f64(), true);
    let old: HashSet<&str> = earlier.iter().map(|f| f.id.as_str()).collect();
    let all = folder::read_all(&c.folder.join("findings")).unwrap_or_default().findings;
    let new: Vec<Finding> = all.into_iter().filter(|f| !old.contains(f.id.as_str())).collect();
    for (f, bug) in &unwritten {
        progress.say(&format!("; {} could not be written: {}\n{bug}", f.id, f.evidence));
    }
    let logged = c.log.as_ref().map_or(Ok(()), Log::flush);
    let shown = progress.finish(c, elapsed, &new);
    if !unwritten.is_empty() {
        return Ok(Exit::Unwritten);
    }
    shown.context("cannot write to standard output")?;
    if let Some(e) = failure.or_else(|| c.failure()) {
        bail!("{e}");
    }
    flushed.context("the statistics of the last second are lost")?;
    logged?;
    Ok(if new.is_empty() { Exit::Fine } else { Exit::Found })
}

fn configure(args: &Args) -> Result<Config> {
    let (solvers, compare) = match (&args.base, &args.new) {
        (Some(base), Some(new)) => (vec![base.clone(), new.clone()], true),
        _ => (args.solver.clone(), false),
    };
    let seeds = args
        .seeds
        .iter()
        .map(|p| p.canonicalize().with_context(|| format!("cannot read {}", p.display())))
        .collect::<Result<_>>()?;
    Ok(Config {
        seeds,
        solvers,
        compare,
        strategies: args.strategy.clone(),
        parameters: with_texts(&args.param)?,
        time: args.budget.time,
        tests: args.budget.tests,
        findings: args.budget.findings,
        seed: args.random.or_any(),
        deterministic: args.deterministic,
        jobs: args.jobs.or_cores(),
        options: args.options.clone(),
        limit: args.limit.seconds(),
        performance: args.performance,
        incompleteness: args.incompleteness,
        known: known_file(args)?,
        token: format!("{:032x}", rand::random::<u128>()),
    })
}

/// Notes that a campaign was begun by this user.
fn claim(home: &Home, token: &str) -> Result<()> {
    let folder = home.campaigns();
    let file = folder.join(token);
    std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(&file, ""))
        .with_context(|| format!("cannot write {}", file.display()))
}

/// Refuses to go on with a campaign of somebody else's that names commands, releases that are not here, or files: they would be
/// run, fetched and read.
fn check_origin(registry: &Registry, config: &Config) -> Result<()> {
    let plain = !config.token.is_empty() && config.token.bytes().all(|b| b.is_ascii_hexdigit());
    if plain && registry.home().campaigns().join(&config.token).is_file() {
        return Ok(());
    }
    let harmless = || {
        for name in &config.solvers {
            for spec in SolverSpec::parse_list(name)? {
                is_harmless(registry, &spec)?;
                is_here(registry, &spec)?;
            }
        }
        match config.seeds.iter().chain(&config.known).next() {
            Some(path) => bail!("it names files of this machine: {}", path.display()),
            None => Ok(()),
        }
    };
    harmless().context(
        "this campaign was not begun here, or by an older smelt; begin it anew with --solver",
    )
}

/// Refuses a release that would have to be fetched.
fn is_here(registry: &Registry, spec: &SolverSpec) -> Result<()> {
    if let Source::Release(name, version) = &spec.source
        && version == "latest"
    {
        bail!("it asks for the latest {name}, whichever that is");
    }
    registry.resolve(spec)?;
    Ok(())
}

/// Parameters as they are kept: with the texts of files in the place of their names. Who does not have a parameter says so later.
fn with_texts(parameters: &[String]) -> Result<Vec<String>> {
    let text = |p: &String| match p.split_once('.') {
        Some((name, value)) => match by_name(name) {
            Some(s) => Ok(format!("{name}.{}", args::params::with_file(s, value)?)),
            None => Ok(p.clone()),
        },
        None => Ok(p.clone()),
    };
    parameters.iter().map(text).collect()
}

fn strategy_help() -> String {
    let names: Vec<&str> = STRATEGIES.iter().map(|s| s.name()).collect();
    format!("A strategy to use; may be given several times. Without any, all: {}", names.join(", "))
}

/// The list of known bugs, by a path that means the same from any folder.
fn known_file(args: &Args) -> Result<Option<PathBuf>> {
    let full =
        |p: &PathBuf| p.canonicalize().with_context(|| format!("cannot read {}", p.display()));
    args.known.as_ref().map(full).transpose()
}

/// Solvers are known by their labels: equal ones are numbered.
fn distinguish(targets: &mut [Target]) {
    for i in 1..targets.len() {
        let same = targets[..i].iter().filter(|t| t.name == targets[i].name).count();
        if same > 0 {
            targets[i].label = format!("{} #{}", targets[i].name, same + 1);
        }
    }
}

/// Refuses a campaign's folder with a link, a pipe or a device in it. It may come from anybody, and what smelt writes there must
/// not go elsewhere.
fn check_entries(folder: &Path) -> Result<()> {
    let say = || format!("cannot read {}", folder.display());
    for entry in std::fs::read_dir(folder).with_context(say)? {
        let entry = entry.with_context(say)?;
        let kind = entry.file_type().with_context(say)?;
        if !kind.is_file() && !kind.is_dir() {
            bail!("{} is no file or folder of the campaign's own", entry.path().display());
        }
    }
    Ok(())
}

/// One campaign per folder at a time. A child that a killed smelt was about to start may hold the lock for a moment.
fn lock(folder: &Path) -> Result<std::fs::File> {
    let path = folder.join("lock");
    // It is never written to, so what is in it stays.
    let file = std::fs::OpenOptions::new().write(true).create(true).truncate(false).open(&path);
    let file = file.with_context(|| format!("cannot write {}", path.display()))?;
    let end = Instant::now() + Duration::from_secs(3);
    while file.try_lock().is_err() {
        if Instant::now() > end {
            bail!("another smelt is at work in {}", folder.display());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(file)
}

/// The solvers to test, each with how to name it from any folder; that is how the run names those that were given, too.
fn find_solvers(registry: &Registry, config: &mut Config) -> Result<Vec<(Solver, String)>> {
    if config.solvers.is_empty() {
        let all = newest_of_each(resolving(registry, |r| r.at_hand_or_installed())?);
        if all.is_empty() {
            bail!("there is no solver, and none could be installed");
        }
        return Ok(all
            .into_iter()
            .map(|s| (s.label().to_owned(), s))
            .map(|(l, s)| (s, l))
            .collect());
    }
    let mut out = Vec::new();
    for name in &mut config.solvers {
        let mut pinned = Vec::new();
        for spec in SolverSpec::parse_list(name)? {
            let (solver, spec) = resolving(registry, |r| r.pinned(spec))?;
            pinned.push(spec.written(solver.program()));
        }
        // Those of one list are numbered together, so they stay together, and have the numbers that they will have on resuming.
        *name = pinned.join(";");
        for spec in SolverSpec::parse_list(name)? {
            let solver = registry.resolve(&spec)?;
            let written = spec.written(solver.program());
            out.push((solver, written));
        }
    }
    Ok(out)
}

fn examine(
    registry: &Registry,
    solver: Solver,
    class: OptionClass,
    progress: &dyn Fn(&str),
) -> Result<Target> {
    if smelt_solver::Capabilities::load(registry.home(), &solver).is_none() {
        progress(&format!("{}: finding out which operators it takes (once)", solver.label()));
    }
    let label = solver.label().to_owned();
    let start = Target::answers(&solver).map_err(|why| anyhow!("{label} cannot be run: {why}"))?;
    let target = Target::new(registry.home(), solver, class, None)
        .with_context(|| format!("{label} cannot be run"))?;
    if target.half_probed {
        progress(&format!(
            "{label}: it answers too late to be asked for every operator; the rest is taken for supported, and asked for next time"
        ));
    }
    Ok(target.starting_in(start))
}

/// Other solvers at hand, the newest of each family that is not under test in that very release.
fn find_arbiters(
    registry: &Registry,
    at_hand: &[Solver],
    targets: &[Target],
    progress: &dyn Fn(&str),
) -> Vec<Target> {
    at_hand
        .iter()
        .filter(|s| targets.iter().all(|t| t.solver.hash() != s.hash()))
        .filter_map(|s| examine(registry, s.clone(), OptionClass::None, progress).ok())
        .collect()
}

fn find_strategies(
    config: &Config,
    proofs: &Proofs,
) -> Result<Vec<(&'static dyn Strategy, Vec<String>)>> {
    let mut chosen: Vec<(&'static dyn Strategy, Vec<String>)> = Vec::new();
    if config.strategies.is_empty() {
        chosen.extend(STRATEGIES.iter().map(|s| (*s, Vec::new())));
    }
    for name in config.strategies.iter().flat_map(|n| n.split(',')) {
        let Some(s) = by_name(name) else {
            let all: Vec<&str> = STRATEGIES.iter().map(|s| s.name()).collect();
            bail!("{name:?} is no strategy; there are {}", all.join(", "));
        };
        chosen.push((s, Vec::new()));
    }
    for p in &config.parameters {
        let (strategy, value) =
            p.split_once('.').with_context(|| format!("--param {p}: write STRATEGY.NAME=VALUE"))?;
        let Some((_, list)) = chosen.iter_mut().find(|(s, _)| s.name() == strategy) else {
            bail!("--param {p}: {strategy} is not among the strategies of this run");
        };
        list.push(value.to_owned());
    }
    for (s, list) in &chosen {
        args::params::check(*s, list)?;
    }
    chosen.iter_mut().for_each(|(s, list)| proofs.give_rules(*s, list));
    Ok(chosen)
}

/// Which target is an older release of which.
fn older(config: &Config, targets: &[Target]) -> Vec<(String, String)> {
    if config.compare {
        return vec![(targets[0].label.clone(), targets[1].label.clone())];
    }
    let mut out = Vec::new();
    for a in targets {
        for b in targets {
            let same = a.solver.profile().name == b.solver.profile().name;
            if same && a.solver.version() < b.solver.version() {
                out.push((a.label.clone(), b.label.clone()));
            }
        }
    }
    out
}

fn say(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stdout(), "{}", crate::printable::printable(text));
}
