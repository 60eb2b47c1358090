//! The rules of the user's data folder, and the record of proofs there: given to strategies, and added to when a seed has a sort at
//! which a rule is not proved yet.
//!
//! A strategy reads no file and asks no solver. It says which instances a seed could use ([`Strategy::unproved`]); here they are
//! looked up, proved and kept, and what is proved goes to the strategy as its parameter `proofs`, with no more than
//! the seed needs: so a recipe says all that its mutant rests on.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, anyhow};
use smelt_solver::{Cancel, Home, Solver, write_atomically};
use smelt_strategy::Strategy;
use smelt_strategy::rules::compile::Unproved;
use smelt_strategy::rules::file::RuleFile;
use smelt_strategy::rules::instances::MOST_BITS;
use smelt_strategy::rules::record::{self, Entry, Record, Refutation};
use smelt_strategy::rules::sample::{Counterexample, sample};

use crate::provers::{Provers, Said};

/// Random values that an instance is tried on before solvers are asked.
const ROUNDS: u64 = 200;
/// Solvers whose `unsat` is enough.
const ENOUGH: usize = 2;

/// The folder of the user's rules.
pub fn folder() -> Option<PathBuf> {
    Home::of_user().map(|h| h.root().join("rules"))
}

/// The record of smelt's own rules.
pub fn embedded() -> Result<Record> {
    Record::read(record::EMBEDDED).map_err(|e| anyhow!(e))
}

/// The record of the data folder. It can be found again by asking solvers: if it is damaged, it is put aside.
pub fn read_kept(file: &Path) -> Result<Record> {
    match std::fs::read(file) {
        Ok(bytes) if parse(&bytes).is_err() => {}
        _ => return read(file),
    }
    let aside = file.with_extension("bad");
    std::fs::rename(file, &aside).with_context(|| format!("cannot rename {}", file.display()))?;
    remark(format!("{} is damaged; it is now {}", file.display(), aside.display()));
    Ok(Record::default())
}

/// Remarks on files of the user's, which are not errors.
static REMARKS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The remarks since the last call, for people.
pub fn take_remarks() -> Vec<String> {
    std::mem::take(&mut REMARKS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Leaves a remark for people.
pub(crate) fn remark(text: String) {
    REMARKS.lock().unwrap_or_else(PoisonError::into_inner).push(text);
}

fn parse(bytes: &[u8]) -> Result<Record, String> {
    Record::read(std::str::from_utf8(bytes).map_err(|e| e.to_string())?)
}

/// The record in a file; an empty one if there is none.
pub fn read(file: &Path) -> Result<Record> {
    if !file.is_file() {
        return Ok(Record::default());
    }
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    parse(&bytes).map_err(|e| anyhow!("{}: {e}", file.display()))
}

/// Changes the record in a file as it is now: another smelt may have added to it since it was read (by `read`).
pub fn change(
    file: &Path,
    read: impl FnOnce(&Path) -> Result<Record>,
    edit: impl FnOnce(&mut Record),
) -> Result<()> {
    let say = || format!("cannot write {}", file.display());
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).with_context(say)?;
    }
    let lock = std::fs::File::create(file.with_extension("lock")).with_context(say)?;
    lock.lock().with_context(say)?;
    let mut record = read(file)?;
    edit(&mut record);
    write_atomically(file, record.to_string().as_bytes()).with_context(say)
}

/// A file, or the rule files of a folder.
pub fn rule_files(path: &Path) -> Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let entries =
        std::fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut out: Vec<PathBuf> = entries.map(|e| Ok(e?.path())).collect::<Result<_>>()?;
    out.retain(|p| p.extension().is_some_and(|e| e == "rules"));
    out.sort();
    Ok(out)
}

/// What came of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// A solver proved the instance.
    Proved,
    /// No solver proved the instance, and none refuted it.
    Open,
    /// The instance is false.
    Refuted,
    /// The sort does not fit it: an index is out of range, or a width too large.
    Unwritable,
}

impl Settled {
    /// What is counted in statistics, in words.
    pub fn word(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Open => "not proved, so not used",
            Self::Refuted => "refuted, so not used",
            Self::Unwritable => "cannot be written at this sort",
        }
    }
}

/// The user's rules and record, with the instances that seeds have asked for.
#[derive(Default)]
pub struct Proofs {
    /// Where the record is kept.
    file: PathBuf,
    /// The text of the user's rules.
    rules: String,
    /// The names of smelt's own.
    own: HashSet<Box<str>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    record: Record,
    wanted: Vec<Unproved>,
    numbers: HashMap<[String; 3], usize>,
    /// Position in `wanted` before which all instances are settled, or known to the record.
    next: usize,
}

impl Proofs {
    /// What is in the data folder. Rules that cannot be read, or have the name of one of smelt's own, are an error.
    pub fn of_user() -> Result<Self> {
        let Some(folder) = folder() else { return Ok(Self::default()) };
        Self::of(&folder)
    }

    fn of(folder: &Path) -> Result<Self> {
        let mut rules = String::new();
        let mut all = smelt_strategy::rules::embedded().map_err(|e| anyhow!(e))?;
        let own = all.all().map(|r| r.name().into()).collect();
        for file in if folder.is_dir() { rule_files(folder)? } else { Vec::new() } {
            let text = std::fs::read_to_string(&file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            if text.lines().any(|l| l.trim_start().starts_with("#begin")) {
                // Fusion functions as others write them are for `--param fusion.functions=FILE`.
                continue;
            }
            let wrong = |e: String| anyhow!("{}: {e}", file.display());
            all.add(RuleFile::read(&text).map_err(wrong)?).map_err(wrong)?;
            rules.push_str(&text);
            rules.push('\n');
        }
        let mut file = folder.join("PROOFS");
        let record = read_kept(&file).unwrap_or_else(|e| {
            // What cannot be read now is not to be written either.
            remark(format!("{e:#}; it is not used"));
            file = PathBuf::new();
            Record::default()
        });
        let state = State { record, ..State::default() };
        Ok(Self { file, rules, own, state: Mutex::new(state) })
    }

    /// Without the record, which grows by itself.
    #[must_use]
    pub fn without_record(self) -> Self {
        self.state().record = Record::default();
        self
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives a strategy the user's rules, unless it was given others.
    pub fn give_rules(&self, strategy: &dyn Strategy, parameters: &mut Vec<String>) {
        let takes = strategy.file_parameters().contains(&"rules");
        let given = parameters.iter().any(|p| p.starts_with("rules="));
        if takes && !given && !self.rules.is_empty() {
            parameters.push(format!("rules={}", self.rules));
        }
    }

    /// Notes what a seed could use. The numbers stand for the instances.
    pub fn want(&self, instances: Vec<Unproved>) -> Vec<usize> {
        let mut state = self.state();
        let mut numbers = Vec::with_capacity(instances.len());
        for u in instances {
            let key = [u.claim.name.to_string(), u.hash.clone(), u.label.clone()];
            let next = state.wanted.len();
            let number = *state.numbers.entry(key).or_insert(next);
            if number == next {
                state.wanted.push(u);
            }
            numbers.push(number);
        }
        numbers
    }

    /// Gives a strategy what is proved of these instances, and which of its rules are refuted.
    pub fn give_proofs(
        &self,
        strategy: &dyn Strategy,
        wanted: &[usize],
        parameters: &mut Vec<String>,
    ) {
        if !strategy.file_parameters().contains(&"proofs") {
            return;
        }
        let state = self.state();
        let instances = wanted.iter().filter_map(|&n| state.wanted.get(n));
        let keys = instances.map(|u| (&*u.claim.name, u.hash.as_str(), u.label.as_str()));
        let mut known = state.record.about(keys);
        // A rule that is false somewhere is not used where a model would do instead of a proof, either.
        let given = parameters.iter().rfind(|p| p.starts_with("rules="));
        known.merge(state.record.refutations(|name| {
            // `/over1` and the like are not in the text.
            let written = name.split('/').next().unwrap_or(name);
            self.own.contains(name) || given.is_some_and(|text| text.contains(written))
        }));
        if known.entries.is_empty() {
            return;
        }
        match parameters.iter_mut().rfind(|p| p.starts_with("proofs=")) {
            Some(given) => given.push_str(&format!("\n{known}")),
            None => parameters.push(format!("proofs={known}")),
        }
    }

    /// The next instance that nobody was asked about.
    pub fn next(&self) -> Option<Unproved> {
        let mut state = self.state();
        loop {
            let u = state.wanted.get(state.next)?.clone();
            state.next += 1;
            if !state.record.knows(&u.claim.name, &u.hash, &u.label) {
                return Some(u);
            }
        }
    }

    /// Tries an instance, asks solvers about it, and keeps what they say. `None` if they were interrupted.
    pub fn settle(
        &self,
        u: &Unproved,
        provers: &mut Provers,
        cancel: Option<&Cancel>,
    ) -> Result<Option<Settled>> {
        if u.coverage.bits() > MOST_BITS {
            // Values alone would fill the memory.
            return Ok(Some(Settled::Open));
        }
        let tried = sample(&u.claim, &u.coverage, ROUNDS, 1);
        if tried.unreadable.is_some() {
            return Ok(Some(Settled::Unwritable));
        }
        let mut entry =
            Entry { hash: u.hash.as_str().into(), held: tried.held, ..Entry::default() };
        provers.begin_rule();
        let said = match tried.refuted {
            Some(c) => Err(by_evaluator(c)),
            None => provers.settle(&u.claim, &u.instances(), ENOUGH, &mut entry),
        };
        let settled = match said {
            Ok(Said::Proved) => Settled::Proved,
            Ok(_) if cancel.is_some_and(Cancel::is_cancelled) => return Ok(None),
            Ok(Said::TooHard) => Settled::Open,
            // Solvers that cannot do it are no reason not to ask others, another time.
            Ok(Said::Disputed | Said::Nothing) => return Ok(Some(Settled::Open)),
            Err(refutation) => {
                entry.refuted = Some(refutation);
                Settled::Refuted
            }
        };
        let mut news = Record::default();
        news.entries.insert(u.claim.name.clone(), entry);
        self.keep(news)?;
        Ok(Some(settled))
    }

    /// Adds to the record, in memory and in the file: another smelt may have added to that.
    fn keep(&self, news: Record) -> Result<()> {
        self.state().record.update(news.clone());
        if self.file.as_os_str().is_empty() {
            return Ok(());
        }
        change(&self.file, read_kept, |record| record.update(news))
    }
}

/// A rule that random values make false.
pub(crate) fn by_evaluator(c: Counterexample) -> Refutation {
    Refutation { label: c.label.into(), by: "evaluator".into(), values: c.values.into() }
}

/// Who proves, of the newest solvers at hand: one of each family.
pub fn one_of_each_family(at_hand: Vec<Solver>) -> Vec<Solver> {
    let mut out: Vec<Solver> = Vec::new();
    for solver in at_hand {
        // cvc5 follows cvc4; of Boolector and Bitwuzla, only the latter was tried.
        let worth = |s: &Solver| (s.profile().tested, s.profile().name.clone());
        match out.iter_mut().find(|o| o.profile().family == solver.profile().family) {
            Some(o) if worth(o) < worth(&solver) => *o = solver,
            Some(_) => {}
            None => out.push(solver),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use smelt_case::{Basis, Known, Seed, Status};
    use smelt_strategy::by_name;

    /// A seed of one bit-vector width, and what janus could use on it.
    fn wanted(width: u32, status: Status, parameters: &[String]) -> Vec<Unproved> {
        let text = format!(
            "(declare-const a (_ BitVec {width}))(declare-const b (_ BitVec {width}))(assert (bvult a b))(check-sat)"
        );
        let script = smelt_smtlib::parse(text.as_bytes()).unwrap();
        let known = Known { status, basis: Basis::Annotated, model: None };
        let seed = Seed::new("seed".into(), "hash".into(), script, vec![known]);
        by_name("janus").unwrap().unproved(&seed, parameters)
    }

    #[test]
    fn what_is_recorded_is_given_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("smelt-proofs-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let rule = "(implies mine :for ((w Width)) :vars ((x (_ BitVec w)) (y (_ BitVec w))) :strong (bvult x y) :weak (distinct x y))";
        std::fs::write(folder.join("mine.rules"), rule).unwrap();
        let janus = by_name("janus").unwrap();
        let proofs = Proofs::of(&folder).unwrap();
        let mut parameters = Vec::new();
        proofs.give_rules(janus, &mut parameters);
        assert_eq!(parameters, [format!("rules={rule}\n")]);
        proofs.give_rules(by_name("opfuzz").unwrap(), &mut parameters);
        assert_eq!(parameters.len(), 1);
        // Nothing is needed where all is proved, or nothing is known.
        assert!(wanted(8, Status::Unsat, &[]).is_empty());
        assert!(wanted(17, Status::Unknown, &parameters).is_empty());
        let all = wanted(17, Status::Unsat, &parameters);
        assert!(all.len() > 50 && all.iter().all(|u| u.label.contains("17")));
        assert_eq!(&*all[0].claim.name, "mine");
        let numbers = proofs.want(all.clone());
        assert_eq!(proofs.want(all), numbers);
        let mut given = parameters.clone();
        proofs.give_proofs(janus, &numbers, &mut given);
        assert_eq!(given, parameters);
        // Nobody is there to prove it: then it is not called too hard either.
        let mine = proofs.next().unwrap();
        let mut nobody = Provers::new(&[], std::time::Duration::from_secs(1), None);
        assert_eq!(proofs.settle(&mine, &mut nobody, None).unwrap(), Some(Settled::Open));
        assert!(!folder.join("PROOFS").exists());
        // Another smelt proves it.
        let text = format!("(rule mine {} (held 5) (proved (w=17 w=18) (z3-1)))", mine.hash);
        Proofs::of(&folder).unwrap().keep(Record::read(&text).unwrap()).unwrap();
        let again = Proofs::of(&folder).unwrap();
        let numbers = again.want(wanted(17, Status::Unsat, &parameters));
        assert_ne!(&*again.next().unwrap().claim.name, "mine");
        again.give_proofs(janus, &numbers, &mut given);
        let proof = given.last().unwrap();
        assert!(
            proof.ends_with(&format!(
                "(rule mine {} (held 5)\n  (proved (w=17) (z3-1)))\n",
                mine.hash
            )),
            "{proof}"
        );
        // The rule is changed: the proof of its old text is none, and the new one takes its place.
        let old = Proofs::of(&folder).unwrap();
        let text = "(rule mine 123 (held 5) (proved (w=17) (z3-2)))";
        old.keep(Record::read(text).unwrap()).unwrap();
        for record in [&old.state().record, &Proofs::of(&folder).unwrap().state().record] {
            assert!(record.knows("mine", "123", "w=17"));
            assert!(!record.knows("mine", &mine.hash, "w=17"));
        }
        // Refutations of rules that are used are given with every seed; those of others are not.
        let refuted = format!(
            "(rule mine {} (held 5) (refuted w=2 evaluator \"\"))(rule gone 1 (held 5) (refuted any evaluator \"\"))",
            mine.hash
        );
        let refuting = Proofs::of(&folder).unwrap();
        refuting.state().record.update(Record::read(&refuted).unwrap());
        let mut told = parameters.clone();
        refuting.give_proofs(janus, &[], &mut told);
        let told = told.last().unwrap();
        assert!(told.contains("(refuted w=2 ") && !told.contains("gone"), "{told}");
        // Sorts that are too large cost nothing, and a rule need not fit every sort.
        let mut check = |width: u32, rule: &str, settled: Settled| {
            let asked = wanted(width, Status::Unsat, &[format!("rules={rule}")]);
            let mine = asked.iter().find(|u| &*u.claim.name == "mine").unwrap();
            assert_eq!(proofs.settle(mine, &mut nobody, None).unwrap(), Some(settled), "{width}");
        };
        let begun = std::time::Instant::now();
        check(16_777_216, rule, Settled::Open);
        check(MOST_BITS + 1, &rule.replace("distinct", "bvult"), Settled::Open);
        assert!(begun.elapsed().as_secs() < 60);
        let two = "(implies mine :for ((w Width)) :vars ((x (_ BitVec w))) :strong (= ((_ extract w-1 20) x) x) :weak true)";
        check(17, two, Settled::Unwritable);
        check(MOST_BITS, &rule.replace("distinct x y", "bvult y x"), Settled::Refuted);
        // A frozen schedule does not look at it.
        let frozen = Proofs::of(&folder).unwrap().without_record();
        let numbers = frozen.want(wanted(17, Status::Unsat, &parameters));
        let mut none = parameters.clone();
        frozen.give_proofs(janus, &numbers, &mut none);
        assert_eq!(none, parameters);
        // With that, it is no longer wanted.
        assert!(wanted(17, Status::Unsat, &given).iter().all(|u| &*u.claim.name != "mine"));
        std::fs::write(folder.join("bad.rules"), rule.replace("mine", "bv-double-not")).unwrap();
        let error = Proofs::of(&folder).err().unwrap().to_string();
        assert!(error.ends_with("bad.rules: two rules have the name `bv-double-not`"), "{error}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
