//! `cargo xtask agree`: random ground terms, evaluated by every judge, compared as values.

mod explain;
mod known;
mod table;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use smelt_smtlib::op::Dialect;
use smelt_smtlib::{
    Arena, Head, Op, ParseOptions, Script, Sort, SortKind, Term, parse_terms, print_sort,
    print_term,
};

use crate::generate::{Case, Generator, PRELUDE, Target};
use crate::judge::{Answer, Judge, JudgeName, Mode, install};
use crate::partial::is_open;
use crate::smelt::{NoValue, smelt_value};
use crate::value::{Value, value_of};
pub use table::{Row, Verdict};

/// What to run.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// How many terms.
    #[arg(long, default_value_t = 20_000)]
    pub terms: u64,
    /// The seed of the generator.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Only this operator (its name; or the part in brackets of an overloaded one). May be repeated.
    #[arg(long)]
    pub op: Vec<String>,
    /// Only operators of this theory (as `BitVec`, `Float`, `Strings`). May be repeated.
    #[arg(long)]
    pub theory: Vec<String>,
    /// Leaves out operators of solvers' dialects.
    #[arg(long)]
    pub standard: bool,
    /// Percentage of terms that are also asked by a full check instead of the simplifier.
    #[arg(long, default_value_t = 0)]
    pub solve: u32,
    /// Judges to leave out.
    #[arg(long)]
    pub without: Vec<String>,
    /// Prints why terms were rejected or left open, and by whom.
    #[arg(long)]
    pub reasons: bool,
    /// Number of the first term.
    #[arg(long, default_value_t = 0)]
    pub from: u64,
}

/// What smelt says at a point that the standard leaves open.
const PARTIAL: &str = "partial";

/// What one judge says of one term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// A definite value.
    Value(Value),
    /// No definite value (and what was said).
    Open(String),
    /// Not accepted.
    Rejected(String),
    /// Died, or was too slow.
    Failed(String),
    /// Not asked.
    NotAsked,
}

impl Opinion {
    /// The value, if it is definite.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Self::Value(v) => Some(v),
            _ => None,
        }
    }
}

/// A disagreement, in its smallest form.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The number of the generated term.
    pub number: u64,
    /// For which target it was made.
    pub target: Target,
    /// The operator at which the answers part.
    pub culprit: String,
    /// The smallest term.
    pub term: String,
    /// What each says of the smallest term.
    pub says: Vec<(&'static str, String)>,
    /// The bug of a solver that explains it, if it is a known one.
    pub known: Option<&'static str>,
}

impl Disagreement {
    /// In one line: a long run tells of it when it happens.
    fn line(&self) -> String {
        let says: Vec<String> =
            self.says.iter().map(|(who, what)| format!("{who}: {what}")).collect();
        let why = self.known.map(|k| format!(" ({k})")).unwrap_or_default();
        let says = says.join("; ");
        format!("term {}, {}: {} -- {says}{why}", self.number, self.culprit, self.term)
    }
}

/// The result of a run.
#[derive(Default)]
pub struct Report {
    /// Counts per target.
    pub rows: BTreeMap<String, Row>,
    /// All disagreements that are not known partialities.
    pub disagreements: Vec<Disagreement>,
    /// Deaths and unsat answers: the judge, what happened, the term.
    pub faults: Vec<(&'static str, String, String)>,
    /// Reasons of rejections and open answers, with an example: (target, judge, reason).
    pub reasons: BTreeMap<(String, &'static str, String), (u64, String)>,
}

/// Which targets the options select.
pub fn select(options: &Options) -> Result<Vec<Target>> {
    let fits = |t: &Target| {
        let name = t.name();
        let by_name = options.op.is_empty()
            || options.op.iter().any(|o| {
                name == *o
                    || name.starts_with(&format!("{o} ["))
                    || name.ends_with(&format!("[{o}]"))
            });
        let theory = format!("{:?}", t.theory());
        let by_theory = options.theory.is_empty()
            || options.theory.iter().any(|o| o.eq_ignore_ascii_case(&theory));
        by_name && by_theory && (!options.standard || t.dialect() == Dialect::Standard)
    };
    let targets: Vec<Target> = Target::all().into_iter().filter(fits).collect();
    if targets.is_empty() {
        bail!("no operator of the table fits --op and --theory");
    }
    Ok(targets)
}

/// Runs and prints. Fails if there is a disagreement that no known bug explains.
pub fn run(options: &Options) -> Result<()> {
    let report = collect(options)?;
    report.print(options.reasons);
    let folder = install::target_dir().join("agree");
    report.write(&folder)?;
    let unexplained = report.unexplained();
    if unexplained > 0 {
        bail!("{unexplained} unexplained disagreements (scripts in {})", folder.display());
    }
    Ok(())
}

/// Runs.
pub fn collect(options: &Options) -> Result<Report> {
    let targets = select(options)?;
    let mut judges = install::judges()?;
    judges.retain(|j| !options.without.iter().any(|w| w == j.name()));
    let mut court = Court {
        judges,
        knows: Vec::new(),
        luck: BTreeMap::new(),
        own_time: Duration::ZERO,
        solve_all: options.solve > 0,
    };
    court.probe()?;
    let mut generator = Generator::new(options.seed, targets)?;
    let mark = generator.script.arena.mark();
    let mut report = Report::default();
    const BATCH: u64 = 1500;
    let end = options.from + options.terms;
    let mut at = options.from;
    while at < end {
        let numbers = at..end.min(at + BATCH);
        at = numbers.end;
        let cases: Vec<(u64, Case)> =
            numbers.filter_map(|k| generator.case(k).map(|c| (k, c))).collect();
        court.batch(&mut generator.script, &cases, options, &mut report)?;
        generator.script.arena.rollback(mark);
        if at.is_multiple_of(BATCH * 20) {
            let (all, unexplained) = (report.disagreements.len(), report.unexplained());
            eprintln!("{at} terms, {all} disagreements, {unexplained} unexplained");
        }
    }
    if options.reasons {
        for ((j, target, solving), (good, bad)) in &court.luck {
            if *bad > 0 {
                let how = if *solving { "solving" } else { "simplifying" };
                let name = court.judges[*j].name();
                eprintln!("{name} {how} {}: {good} answers, {} failures", target.name(), bad / 3);
            }
        }
    }
    for j in &court.judges {
        let (starts, time) = j.effort;
        eprintln!("{}: {starts} processes, {:.1} s of waiting", j.name(), time.as_secs_f64());
    }
    eprintln!("smelt: {:.1} s", court.own_time.as_secs_f64());
    Ok(report)
}

/// All judges together.
pub(crate) struct Court {
    judges: Vec<Judge>,
    /// Per judge: operators that it accepted at least once.
    knows: Vec<Vec<Op>>,
    /// Per judge, target and way of asking: how often it gave a value, and how often it failed or left it open.
    luck: BTreeMap<(usize, Target, bool), (u64, u64)>,
    /// Whether solving is wanted for its own sake.
    solve_all: bool,
    /// What smelt took.
    own_time: Duration,
}

/// A judge that fails so often on a target, and hardly ever answers, is not asked about it any more.
const PATIENCE: u64 = 12;
/// Solving is slow: so many values per judge and target suffice.
const SOLVED: u64 = 100;

impl Court {
    /// Finds out which operators each judge knows, by a few plain terms for each.
    fn probe(&mut self) -> Result<()> {
        let targets = Target::all();
        let n = targets.len() as u64;
        let mut g = Generator::new(0, targets)?;
        self.knows = vec![Vec::new(); self.judges.len()];
        let mut known = self.knows.clone();
        for round in 0..6 {
            let cases: Vec<Case> = (round * n..(round + 1) * n).filter_map(|k| g.case(k)).collect();
            let terms: Vec<Term> = cases.iter().map(|c| c.term).collect();
            let targets: Vec<Target> = cases.iter().map(|c| c.target).collect();
            let said = self.ask(&mut g.script, &terms, &targets, Mode::Simplify, &|_, _| true)?;
            for (known, said) in known.iter_mut().zip(said) {
                for (case, o) in cases.iter().zip(said) {
                    if let (Target::Op(op), Opinion::Value(_) | Opinion::Open(_)) = (case.target, o)
                    {
                        known.push(op);
                    }
                }
            }
        }
        for list in &mut known {
            list.sort_unstable();
            list.dedup();
        }
        self.knows = known;
        Ok(())
    }

    /// Whether a judge knows all operators of a term (everything, before the probe).
    fn knows(&self, j: usize, script: &Script, t: Term) -> bool {
        let known = &self.knows[j];
        let a = &script.arena;
        if self.judges[j].kind == JudgeName::Bitwuzla && !within_bitwuzla(script, t) {
            return false;
        }
        known.is_empty()
            || a.dag(&[t]).iter().all(|&s| match a.head(s) {
                Head::Op(op, _) => known.binary_search(&op).is_ok(),
                _ => true,
            })
    }

    fn worth_asking(&self, j: usize, target: Target, mode: Mode) -> bool {
        let luck = self.luck.get(&(j, target, mode == Mode::Solve));
        luck.is_none_or(|&(good, bad)| {
            let promising = bad < PATIENCE || good > bad * 2;
            promising && (mode == Mode::Simplify || self.solve_all || good < SOLVED)
        })
    }

    /// What each judge says of each term; the targets, if given, say for what each term was made. Asked is only
    /// what is wanted (judge, term).
    fn ask(
        &mut self,
        script: &mut Script,
        terms: &[Term],
        targets: &[Target],
        mode: Mode,
        wanted: &dyn Fn(usize, usize) -> bool,
    ) -> Result<Vec<Vec<Opinion>>> {
        let texts: Vec<(String, String)> = terms
            .iter()
            .map(|&t| {
                let a = &script.arena;
                (print_term(a, t), print_sort(a, a.sort(t)))
            })
            .collect();
        let chosen: Vec<Vec<usize>> = (0..self.judges.len())
            .map(|j| {
                (0..terms.len())
                    .filter(|&i| wanted(j, i))
                    .filter(|&i| self.knows(j, script, terms[i]))
                    .filter(|&i| targets.get(i).is_none_or(|&t| self.worth_asking(j, t, mode)))
                    .collect()
            })
            .collect();
        let answers: Vec<Result<Vec<Answer>>> = std::thread::scope(|scope| {
            let running: Vec<_> = self
                .judges
                .iter_mut()
                .zip(&chosen)
                .map(|(judge, chosen)| {
                    let texts = &texts;
                    scope.spawn(move || {
                        let list: Vec<(&str, &str)> =
                            chosen.iter().map(|&i| (&*texts[i].0, &*texts[i].1)).collect();
                        judge.ask(&list, mode)
                    })
                })
                .collect();
            running
                .into_iter()
                .map(|h| h.join().unwrap_or_else(|_| bail!("a judge's thread ended by a panic")))
                .collect()
        });
        let mut out = Vec::new();
        for (j, (chosen, answers)) in chosen.iter().zip(answers).enumerate() {
            let mut said = vec![Opinion::NotAsked; terms.len()];
            for (&i, answer) in chosen.iter().zip(answers?) {
                said[i] = opinion(script, terms[i], answer);
                let Some(&target) = targets.get(i) else { continue };
                let luck = self.luck.entry((j, target, mode == Mode::Solve)).or_default();
                match said[i] {
                    Opinion::Value(_) => luck.0 += 1,
                    Opinion::Open(_) if mode == Mode::Solve => luck.1 += 3,
                    Opinion::Failed(_) => luck.1 += 3,
                    _ => {}
                }
            }
            out.push(said);
        }
        Ok(out)
    }

    /// Asks by the simplifier, and by a full check where that leaves a term open.
    pub(crate) fn opinions(
        &mut self,
        script: &mut Script,
        terms: &[Term],
        targets: &[Target],
    ) -> Result<Vec<Vec<Opinion>>> {
        let mut said = self.ask(script, terms, targets, Mode::Simplify, &|_, _| true)?;
        let open: Vec<usize> = (0..terms.len())
            .filter(|&i| said.iter().any(|s| matches!(s[i], Opinion::Open(_))))
            // Solving is for what has a value: quantifiers, and on which side of a number another one is.
            .filter(|&i| script.arena.sort(terms[i]) == Sort::BOOL)
            .filter(|&i| smelt_value(script, terms[i]) != Err(NoValue::Partial))
            .collect();
        if !open.is_empty() {
            let again: Vec<Term> = open.iter().map(|&i| terms[i]).collect();
            let for_what: Vec<Target> =
                open.iter().filter_map(|&i| targets.get(i).copied()).collect();
            let is_open = |j: usize, i: usize| matches!(said[j][open[i]], Opinion::Open(_));
            let more = self.ask(script, &again, &for_what, Mode::Solve, &is_open)?;
            for (first, second) in said.iter_mut().zip(more) {
                for (&i, o) in open.iter().zip(second) {
                    let better = matches!(o, Opinion::Value(_) | Opinion::Failed(_));
                    if matches!(first[i], Opinion::Open(_)) && better {
                        first[i] = o;
                    }
                }
            }
        }
        Ok(said)
    }

    fn names(&self) -> Vec<&'static str> {
        self.judges.iter().map(Judge::name).collect()
    }

    fn batch(
        &mut self,
        script: &mut Script,
        cases: &[(u64, Case)],
        options: &Options,
        report: &mut Report,
    ) -> Result<()> {
        let terms: Vec<Term> = cases.iter().map(|(_, c)| c.term).collect();
        let targets: Vec<Target> = cases.iter().map(|(_, c)| c.target).collect();
        let mut said = self.opinions(script, &terms, &targets)?;
        let mut names = self.names();
        if options.solve > 0 {
            // A solver's own ways must agree as well: simplifying, and solving.
            let some: Vec<usize> = (0..terms.len())
                .filter(|&i| cases[i].0 * 37 % 100 < u64::from(options.solve))
                .filter(|&i| solvable(script, terms[i]))
                .collect();
            let list: Vec<Term> = some.iter().map(|&i| terms[i]).collect();
            let for_what: Vec<Target> = some.iter().map(|&i| targets[i]).collect();
            for (j, second) in self
                .ask(script, &list, &for_what, Mode::Solve, &|_, _| true)?
                .into_iter()
                .enumerate()
            {
                let mut row = vec![Opinion::NotAsked; terms.len()];
                for (&i, o) in some.iter().zip(second) {
                    row[i] = o;
                }
                said.push(row);
                names.push(
                    ["z3 solving", "cvc5 solving", "bitwuzla solving"]
                        [self.judges[j].kind as usize],
                );
            }
        }
        let start = Instant::now();
        let own = terms.iter().map(|&t| smelt_opinion(script, t)).collect();
        self.own_time += start.elapsed();
        said.push(own);
        names.push("smelt");

        let mut parted = Vec::new();
        for (i, (number, case)) in cases.iter().enumerate() {
            let row: Vec<&Opinion> = said.iter().map(|s| &s[i]).collect();
            let a = &script.arena;
            let text = || {
                let mut t = print_term(a, case.term);
                if t.len() > 3000 {
                    t = format!("term {number}");
                }
                t
            };
            for (name, o) in names.iter().zip(&row) {
                if let Opinion::Failed(why) = o {
                    eprintln!("{name} failed on {}: {}", case.target.name(), first_line(why));
                    report.faults.push((name, why.clone(), text()));
                }
                if options.reasons
                    && let Opinion::Rejected(why) | Opinion::Open(why) = o
                {
                    let short: String = why.chars().take(90).collect();
                    let key = (case.target.name(), *name, short);
                    report.reasons.entry(key).or_insert_with(|| (0, text())).0 += 1;
                }
            }
            let values: Vec<&Value> = row.iter().filter_map(|o| o.value()).collect();
            let verdict = match values.split_first() {
                None | Some((_, [])) if is_partial(&mut script.arena, case.term) => {
                    Verdict::Partial
                }
                None => Verdict::None,
                Some((_, [])) => Verdict::Single,
                Some((first, rest)) if rest.iter().all(|v| v == first) => Verdict::Agreed,
                _ => {
                    parted.push(i);
                    continue;
                }
            };
            let entry = report.rows.entry(case.target.name()).or_default();
            entry.count(case.target, verdict, &names, &row);
        }
        for i in parted {
            let (number, case) = cases[i];
            let row: Vec<&Opinion> = said.iter().map(|s| &s[i]).collect();
            let why = explain::explain(self, script, number, case, &row, &names)?;
            let verdict = match &why {
                None => Verdict::Partial,
                Some(d) if d.known.is_some() => Verdict::Known,
                Some(_) => Verdict::Disagreed,
            };
            let entry = report.rows.entry(case.target.name()).or_default();
            entry.count(case.target, verdict, &names, &row);
            if let Some(d) = &why {
                eprintln!("{}", d.line());
            }
            report.disagreements.extend(why);
        }
        Ok(())
    }
}

fn first_line(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    line.get(..120).unwrap_or(line)
}

/// What smelt says.
pub(crate) fn smelt_opinion(script: &mut Script, t: Term) -> Opinion {
    match smelt_value(script, t) {
        Ok(text) => opinion(script, t, Answer::Text(text)),
        Err(NoValue::Partial) => Opinion::Open(PARTIAL.into()),
        Err(NoValue::Because(why)) => Opinion::Open(why),
    }
}

/// Whether some application to plain values has no result by the standard.
fn is_partial(a: &mut Arena, t: Term) -> bool {
    a.dag(&[t]).into_iter().any(|s| {
        let args = a.args(s).to_vec();
        let values: Vec<Option<Value>> = args.iter().map(|&x| value_of(a, x)).collect();
        is_open(a, s, &values)
    })
}

/// Whether a constant of the term's sort can be declared everywhere.
fn solvable(script: &Script, t: Term) -> bool {
    !matches!(script.arena.kind(t), SortKind::RegLan | SortKind::Fun(..))
}

/// Bitwuzla knows Bool, bit-vectors, floats of the standard formats, and arrays and quantifiers over them.
fn within_bitwuzla(script: &Script, t: Term) -> bool {
    fn simple(script: &Script, s: Sort) -> bool {
        match *script.arena.sort_kind(s) {
            SortKind::Bool | SortKind::RoundingMode | SortKind::BitVec(_) => true,
            SortKind::Float(e, m) => [(5, 11), (8, 24), (11, 53), (15, 113)].contains(&(e, m)),
            SortKind::Array(i, e) => simple(script, i) && simple(script, e),
            _ => false,
        }
    }
    let a = &script.arena;
    a.dag(&[t]).iter().all(|&s| {
        // The argument of a conversion from a real literal is the one Real that it reads.
        simple(script, a.sort(s))
    })
}

/// Reads an answer as a value.
fn opinion(script: &mut Script, term: Term, answer: Answer) -> Opinion {
    match answer {
        Answer::Text(text) => {
            let sort = script.arena.sort(term);
            match read_value(script, &text, sort) {
                Some(v) => Opinion::Value(v),
                None => Opinion::Open(text),
            }
        }
        Answer::Unknown => Opinion::Open("unknown".into()),
        Answer::Unsat => Opinion::Failed("unsat".into()),
        Answer::Rejected(why) => Opinion::Rejected(why),
        Answer::Died(why) => Opinion::Failed(why),
        Answer::TimedOut => Opinion::Failed("timeout".into()),
    }
}

/// Reads the text of a value of a sort.
pub(crate) fn read_value(script: &mut Script, text: &str, sort: Sort) -> Option<Value> {
    let options = ParseOptions { model_values: true, ..ParseOptions::default() };
    let terms = parse_terms(script, text.as_bytes(), &options).ok()?;
    let [t] = *terms else { return None };
    let t = match (script.arena.sort(t), sort) {
        (have, want) if have == want => t,
        // cvc5 writes the real 2 as `2.0` but `(/ 1 3)` in integers.
        (Sort::INT, Sort::REAL) => script.arena.to_real(t),
        _ => return None,
    };
    value_of(&mut script.arena, t)
}

impl Report {
    /// How many disagreements are not those of a known bug.
    pub fn unexplained(&self) -> usize {
        self.disagreements.iter().filter(|d| d.known.is_none()).count()
    }

    /// Writes the disagreements and faults as scripts.
    pub fn write(&self, folder: &Path) -> Result<()> {
        std::fs::create_dir_all(folder)?;
        for d in &self.disagreements {
            let mut text =
                format!("; {} (term {}, made for {})\n", d.culprit, d.number, d.target.name());
            for (name, value) in &d.says {
                text.push_str(&format!("; {name}: {}\n", value.replace('\n', " ")));
            }
            text.push_str(PRELUDE);
            text.push_str(&format!("(simplify {})\n", d.term));
            std::fs::write(folder.join(format!("{}.smt2", d.number)), text)?;
        }
        let faults: String = self
            .faults
            .iter()
            .map(|(n, w, t)| format!("; {n}: {}\n{t}\n", w.replace('\n', " ")))
            .collect();
        std::fs::write(folder.join("faults.txt"), faults)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small run over the standard operators; the large one is `cargo xtask agree --terms 1000000`.
    #[test]
    fn solvers_agree() {
        let options = Options {
            terms: 2500,
            seed: 1,
            op: vec![],
            theory: vec![],
            standard: true,
            solve: 0,
            without: vec![],
            reasons: false,
            from: 0,
        };
        let report = collect(&options).unwrap();
        for d in &report.disagreements {
            println!("{}: {} {:?}", d.culprit, d.term, d.says);
        }
        assert_eq!(report.unexplained(), 0);
        let agreed: u64 = report.rows.values().map(Row::agreed).sum();
        let terms: u64 = report.rows.values().map(Row::terms).sum();
        assert!(agreed * 100 > terms * 85, "agreed on {agreed} of {terms}");
    }
}
