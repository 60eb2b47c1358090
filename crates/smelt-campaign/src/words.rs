//! Which words of a grammar are meant: from what is asked for to places in the order, divided into blocks.

use anyhow::{Context, Result, anyhow, bail};
use dashu_int::UBig;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use smelt_case::Cost;
use smelt_strategy::grammar::{Derivation, Enumerator, Grammar, Symmetry};

use crate::seeds::Source;

/// Words of one position.
const BLOCK: u64 = 32;

/// Places beyond 10 to this power are not looked for: their tables would not fit into memory.
const DIGITS: usize = 4000;

/// Which words of a grammar are tested, and how; kept in the journal for `--resume`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Enumeration {
    /// The grammar's name, for people.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What its sizes are.
    pub cost: Cost,
    /// The first place, in decimal digits.
    pub from: String,
    /// How many places; without it, as many as there are. If there are bursts, places of each of them.
    pub count: Option<u64>,
    /// Words of this size only; `from` counts from the first of them.
    pub size: Option<u32>,
    /// Random words of the size instead of all in order: the seed of randomness.
    pub sample: Option<u64>,
    /// The first place is multiplied by ten until the word there has so many bytes.
    #[serde(default)]
    pub min_bytes: Option<usize>,
    /// The words come in bursts, each of which begins far behind the one before.
    #[serde(default)]
    pub bursts: Option<Bursts>,
    /// The part of all blocks that is tested here, from 0, and how many parts there are.
    pub shard: (u64, u64),
    /// Words are passed over that say the same as an earlier one with other names for the variables.
    pub canonical: bool,
    /// Words are passed over, too, that say the same as an earlier one with exchanged arguments.
    pub commutative: bool,
    /// What scripts say of their logic.
    #[serde(default)]
    pub header: Header,
    /// Solvers, by their numbers, that get options of their pools, other ones for each block.
    #[serde(default)]
    pub varied: Vec<usize>,
    /// Scripts are kept apart by push and pop: the incremental code of solvers is tested, and much faster.
    #[serde(default)]
    pub push_pop: bool,
    /// Answers of earlier runs are not used: every solver is asked.
    #[serde(default)]
    pub ask_again: bool,
}

/// Words far away from each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bursts {
    /// How many.
    pub number: u32,
    /// The first place of one, divided by the first place of the one before, in decimal digits.
    pub factor: String,
}

/// What scripts say of their logic.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Header {
    /// Each is in the smallest logic that holds it.
    #[default]
    Smallest,
    /// All scripts are in this logic.
    Given(String),
    /// Words are sent letter by letter, without a logic.
    Verbatim,
}

impl Enumeration {
    /// The words of a grammar and their numbers; an error shows the place in its text.
    pub fn enumerator(&self) -> Result<(Grammar, Enumerator)> {
        let shown = |e: smelt_smtlib::Error| {
            anyhow!("{}", e.render(self.text.as_bytes(), &self.name).trim_end())
        };
        let grammar = Grammar::read(&self.text).map_err(shown)?;
        let words = Enumerator::new(&grammar, self.cost).map_err(shown)?;
        Ok((grammar, words))
    }
}

/// The words that an [`Enumeration`] names, ready to be walked over.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// All words, counted as far as they are needed.
    pub words: Enumerator,
    /// What was asked for.
    pub asked: Enumeration,
    /// The first place of each burst; of one, if there are no bursts.
    pub starts: Vec<UBig>,
    /// How many places each burst has.
    pub each: u64,
    symmetry: Option<Symmetry>,
}

impl Chosen {
    /// Reads the grammar and counts its words; an error says what is wrong with it, or that it has no such words.
    pub fn new(asked: &Enumeration) -> Result<Self> {
        let (_, mut words) = asked.enumerator()?;
        let first = first(asked, &mut words)?;
        let starts = starts(asked, first)?;
        let each = each(asked, &mut words, &starts)?;
        let wants = asked.canonical || asked.commutative;
        let symmetry = wants.then(|| Symmetry::new(&words, asked.commutative));
        let chosen = Self { words, asked: asked.clone(), starts, each, symmetry };
        if wants && !chosen.is_closed() {
            bail!(
                "--canonical and --commutative pass over words of which an earlier one says the same: they need every word of a size from its first \
                 one on, and go with --size or with --from 0"
            );
        }
        Ok(chosen)
    }

    /// Whether of each word also those words are chosen that say the same and come before it: they have its size.
    fn is_closed(&self) -> bool {
        let first = &self.starts[0];
        let size = self.words.size_at(first);
        let begins = size.is_some_and(|size| self.words.first_of(size) == first);
        begins && self.asked.sample.is_none() && self.starts.len() == 1
    }

    /// How many places there are, in all shards.
    pub fn count(&self) -> u64 {
        self.each.saturating_mul(self.starts.len() as u64)
    }

    /// How many places this shard has.
    pub fn own_count(&self) -> u64 {
        let (own, shards) = self.asked.shard;
        let blocks = self.blocks();
        let last = self.each - (blocks - 1) * BLOCK;
        let ends = (1..=self.starts.len() as u64).map(|burst| burst * blocks - 1);
        let short = ends.filter(|block| block % shards == own).count() as u64;
        self.positions() * BLOCK - short * (BLOCK - last)
    }

    /// How many blocks each burst has.
    fn blocks(&self) -> u64 {
        self.each.div_ceil(BLOCK)
    }

    /// How many positions this shard has.
    pub fn positions(&self) -> u64 {
        let (own, shards) = self.asked.shard;
        let blocks = self.blocks() * self.starts.len() as u64;
        blocks.saturating_sub(own).div_ceil(shards)
    }

    /// Calls `each` with the words of a position and their places, and `passed` for each that is passed over, until `each` says that it is enough.
    pub fn each<E>(
        &self,
        seq: u64,
        passed: &mut dyn FnMut(),
        each: &mut dyn FnMut(&UBig, &Derivation) -> Result<bool, E>,
    ) -> Result<(), E> {
        let (own, shards) = self.asked.shard;
        let block = seq * shards + own;
        let Some(start) = self.starts.get((block / self.blocks()) as usize) else { return Ok(()) };
        let first = block % self.blocks() * BLOCK;
        let number = BLOCK.min(self.each.saturating_sub(first));
        let mut symmetry = self.symmetry.clone();
        let begin = start + first;
        let mut walk = self.words.words_from(&begin);
        let mut drawn = Derivation::default();
        for i in 0..number {
            let (index, word) = match (self.asked.sample, self.asked.size) {
                (Some(seed), Some(size)) => {
                    let mut random = ChaCha8Rng::seed_from_u64(seed);
                    random.set_stream(first + i);
                    let Some(index) = self.words.sample(size, &mut random) else { return Ok(()) };
                    self.words.select(&index, &mut drawn);
                    (index, &drawn)
                }
                _ => {
                    let Some(word) = walk.next() else { return Ok(()) };
                    (&begin + i, word)
                }
            };
            if symmetry.as_mut().is_some_and(|s| !s.is_first(&self.words, word)) {
                passed();
            } else if !each(&index, word)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The words as scripts that are not parsed yet, each named by its place.
    pub fn sources(&self) -> Vec<Source> {
        let mut all = Vec::new();
        for seq in 0..self.positions() {
            let each = &mut |index: &UBig, word: &Derivation| {
                let name = format!("{}#{}", self.asked.name, shortened(index));
                all.push(Source { name, text: word.text().as_bytes().to_vec() });
                Ok::<bool, std::convert::Infallible>(true)
            };
            let Ok(()) = self.each(seq, &mut || {}, each);
        }
        all
    }

    /// What the words are, for people: "the 20000 smallest formulas of the grammar ints (all up to size 3, 5116 of 35721 of size 4)".
    pub fn described(&self) -> String {
        let (n, asked, words) = (self.count(), &self.asked, &self.words);
        let grammar = &asked.name;
        let first = &self.starts[0];
        let mut all = if let (Some(size), Some(_)) = (asked.size, asked.sample) {
            let of = shortened(words.count(size));
            format!("{n} random formulas of the {of} of size {size} of the grammar {grammar}")
        } else if let Some(size) = asked.size {
            match *words.count(size) == UBig::from(n) {
                true => format!("all {n} formulas of size {size} of the grammar {grammar}"),
                false => {
                    let (of, from) =
                        (shortened(words.count(size)), shortened(&(first - words.first_of(size))));
                    format!(
                        "{n} formulas of the {of} of size {size} of the grammar {grammar}, from number {from} of them on"
                    )
                }
            }
        } else if self.starts.len() > 1 {
            let factor = asked.bursts.as_ref().map_or(UBig::ONE, |b| number(&b.factor));
            format!(
                "{} times {} formulas of the grammar {grammar}, from number {} on, each time {} times as far",
                self.starts.len(),
                self.each,
                shortened(first),
                shortened(&factor)
            )
        } else if first.is_zero() {
            format!("the {n} smallest formulas of the grammar {grammar} ({})", self.sizes())
        } else {
            format!("{n} formulas of the grammar {grammar} from number {} on", shortened(first))
        };
        if asked.push_pop {
            all += ", by push and pop";
        }
        if let (i, parts @ 2..) = asked.shard {
            all = format!("part {} of {parts} ({} formulas) of {all}", i + 1, self.own_count());
        }
        all
    }

    /// Which sizes are there as a whole, if the words begin with the first one, and how much of the last one.
    fn sizes(&self) -> String {
        let end = UBig::from(self.count());
        let sizes = 0..self.words.sizes();
        let whole = sizes.clone().rfind(|&s| {
            !self.words.count(s).is_zero() && self.words.first_of(s) + self.words.count(s) <= end
        });
        let whole_text = match whole {
            _ if self.words.is_whole() && *self.words.below() == end => {
                "there are no others".into()
            }
            Some(size) => format!("all up to size {size}"),
            None => "no size as a whole".into(),
        };
        let part = sizes.clone().find(|&s| {
            *self.words.first_of(s) < end && self.words.first_of(s) + self.words.count(s) > end
        });
        let Some(size) = part else { return whole_text };
        let here = &end - self.words.first_of(size);
        format!("{whole_text}, {here} of {} of size {size}", shortened(self.words.count(size)))
    }
}

/// The first place.
fn first(asked: &Enumeration, words: &mut Enumerator) -> Result<UBig> {
    let file = &asked.name;
    let mut first = place(&asked.from)?;
    if let Some(size) = asked.size {
        words.reach_size(size);
        let of_size = words.count(size).clone();
        if of_size <= first {
            bail!(
                "grammar {file} has {of_size} words of size {size}, and none from number {first} of them on"
            );
        }
        return Ok(first + words.first_of(size));
    }
    let none = |words: &Enumerator, at: &UBig| {
        let at = shortened(at);
        anyhow!("grammar {file} has {} words, and none at number {at}", words.below())
    };
    if !words.reach(&first) {
        return Err(none(words, &first));
    }
    let Some(bytes) = asked.min_bytes else { return Ok(first) };
    while words.nth(&first).is_none_or(|w| w.text().len() < bytes) {
        first = if first.is_zero() { UBig::from(10u8) } else { first * 10u8 };
        place(&first.to_string()).with_context(|| format!("no word of {bytes} bytes was found"))?;
        if !words.reach(&first) {
            return Err(none(words, &first).context(format!("no word of {bytes} bytes was found")));
        }
    }
    Ok(first)
}

/// A place that can be looked for.
fn place(digits: &str) -> Result<UBig> {
    if digits.len() > DIGITS {
        bail!("smelt looks for places up to 10^{DIGITS}");
    }
    digits.parse().ok().context("--from is no whole number")
}

fn number(digits: &str) -> UBig {
    digits.parse().unwrap_or(UBig::ONE)
}

/// The first place of each burst.
fn starts(asked: &Enumeration, first: UBig) -> Result<Vec<UBig>> {
    let Some(bursts) = &asked.bursts else { return Ok(vec![first]) };
    let factor = number(&bursts.factor);
    if first.is_zero() || factor < UBig::from(2u8) {
        bail!("--stride-mul multiplies the place: it needs a --from that is not 0, and 2 at least");
    }
    let mut starts = vec![first];
    while starts.len() < bursts.number as usize {
        let next = &starts[starts.len() - 1] * &factor;
        place(&next.to_string())?;
        starts.push(next);
    }
    Ok(starts)
}

/// How many words each burst has. The enumerator is made to reach the last of them.
fn each(asked: &Enumeration, words: &mut Enumerator, starts: &[UBig]) -> Result<u64> {
    let too_many = "there are more words than can be tested: -n takes some of them";
    let wanted = UBig::from(asked.count.unwrap_or(u64::MAX));
    let first = &starts[0];
    let number = if asked.sample.is_some() {
        wanted
    } else if let Some(size) = asked.size {
        wanted.min(words.first_of(size) + words.count(size) - first)
    } else {
        if asked.count.is_none() && !words.is_whole() {
            let file = &asked.name;
            bail!(
                "a number of words (-n) or a size (--size) is needed: grammar {file} may have no end of them"
            );
        }
        let last = &starts[starts.len() - 1];
        match words.reach(&(last + &wanted)) {
            true => wanted,
            false if words.below() > last => words.below() - last,
            false => bail!(
                "grammar {} has {} words, and none at number {}",
                asked.name,
                words.below(),
                shortened(last)
            ),
        }
    };
    u64::try_from(&number)
        .ok()
        .filter(|n| n.checked_mul(starts.len() as u64).is_some())
        .context(too_many)
}

/// A number, a long one as its first digits and its power of ten.
pub fn shortened(number: &UBig) -> String {
    let digits = number.to_string();
    let zeros = digits.len() - digits.trim_end_matches('0').len();
    match digits.len() {
        0..=20 => digits,
        n if zeros + 6 >= n => format!("{}e{zeros}", &digits[..n - zeros]),
        n => format!("{}…e{}", &digits[..6], n - 6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn core() -> Enumeration {
        Enumeration {
            name: "core".into(),
            text: smelt_strategy::grammar::shipped::text("core").unwrap().into(),
            from: "0".into(),
            count: Some(500),
            shard: (0, 1),
            ..Enumeration::default()
        }
    }

    fn places(asked: &Enumeration) -> Vec<String> {
        let chosen = Chosen::new(asked).unwrap();
        let mut all = Vec::new();
        for seq in 0..chosen.positions() {
            let each = &mut |i: &UBig, _: &Derivation| {
                all.push(i.to_string());
                Ok::<bool, ()>(true)
            };
            chosen.each(seq, &mut || {}, each).unwrap();
        }
        assert!(all.len() as u64 <= chosen.own_count(), "{asked:?}");
        if !(asked.canonical || asked.commutative) {
            assert_eq!(all.len() as u64, chosen.own_count(), "{asked:?}");
        }
        all
    }

    /// Whatever is asked for, the parts have each place once.
    #[test]
    fn parts_are_the_whole() {
        let bursts = |number| Some(Bursts { number, factor: "1000".into() });
        for (asked, count) in [
            (core(), 500),
            (Enumeration { size: Some(2), count: None, ..core() }, 164),
            (Enumeration { size: Some(3), sample: Some(1), count: Some(70), ..core() }, 70),
            (Enumeration { from: "40".into(), count: Some(33), bursts: bursts(4), ..core() }, 132),
        ] {
            let all = places(&asked);
            assert_eq!(all.len(), count);
            for shards in 1..6 {
                let part = |i| places(&Enumeration { shard: (i, shards), ..asked.clone() });
                let mut parts: Vec<String> = (0..shards).flat_map(part).collect();
                let mut whole = all.clone();
                parts.sort();
                whole.sort();
                assert_eq!(parts, whole, "{shards}");
            }
        }
    }

    #[test]
    fn far_and_large() {
        let five = smelt_strategy::grammar::shipped::text("five-core").unwrap();
        let bursts = Some(Bursts { number: 3, factor: "10000000000".into() });
        let asked = Enumeration { text: five.into(), count: Some(2), bursts, ..core() };
        let asked = Enumeration { min_bytes: Some(1000), ..asked };
        let chosen = Chosen::new(&asked).unwrap();
        let words: Vec<usize> =
            chosen.starts.iter().map(|s| chosen.words.nth(s).unwrap().text().len()).collect();
        assert!(words.iter().all(|n| *n >= 1000), "{words:?}");
        assert_eq!(chosen.starts[1], &chosen.starts[0] * UBig::from(10_000_000_000u64));
        let told = chosen.described();
        assert!(
            told.starts_with("3 times 2 formulas of the grammar core, from number 1e"),
            "{told}"
        );
    }

    /// What is passed over has an earlier word that is chosen, too; else it is refused.
    #[test]
    fn symmetry_needs_whole_sizes() {
        let check = |asked: Enumeration, is_taken: bool| {
            let asked = Enumeration { canonical: true, ..asked };
            assert_eq!(Chosen::new(&asked).is_ok(), is_taken, "{asked:?}");
        };
        check(core(), true);
        check(Enumeration { size: Some(2), count: None, ..core() }, true);
        check(Enumeration { from: "4".into(), ..core() }, true);
        check(Enumeration { from: "5".into(), ..core() }, false);
        check(Enumeration { size: Some(2), from: "3".into(), count: None, ..core() }, false);
        check(Enumeration { size: Some(3), sample: Some(1), count: Some(70), ..core() }, false);
    }

    #[test]
    fn in_words() {
        let check = |asked: Enumeration, expect: &str| {
            assert_eq!(Chosen::new(&asked).unwrap().described(), expect);
        };
        check(
            core(),
            "the 500 smallest formulas of the grammar core (all up to size 2, 332 of 15908 of size 3)",
        );
        check(
            Enumeration { count: Some(168), shard: (1, 3), ..core() },
            "part 2 of 3 (64 formulas) of the 168 smallest formulas of the grammar core (all up to size 2)",
        );
        check(
            Enumeration { size: Some(2), count: None, ..core() },
            "all 164 formulas of size 2 of the grammar core",
        );
        check(
            Enumeration { size: Some(2), count: Some(5), sample: Some(0), ..core() },
            "5 random formulas of the 164 of size 2 of the grammar core",
        );
        check(
            Enumeration { from: format!("1{}", "0".repeat(30)), count: Some(3), ..core() },
            "3 formulas of the grammar core from number 1e30 on",
        );
        let few = "grammar F; start : 'a' | 'b' ;".to_owned();
        check(
            Enumeration { text: few, ..core() },
            "the 2 smallest formulas of the grammar core (there are no others)",
        );
    }
}
