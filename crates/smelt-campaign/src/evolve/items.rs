//! The queries: a user's files by their logics, or words of grammars.

use std::collections::BTreeSet;
use std::ops::Range;

use anyhow::{Context, Result, anyhow, bail};
use dashu_int::UBig;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use smelt_case::{Cost, digest};
use smelt_smtlib::{ParseOptions, parse_with, smallest_logic};
use smelt_strategy::grammar::{Enumerator, Grammar};

use crate::reader;
use crate::seed_files::SeedFile;

/// One query.
pub struct Item {
    /// The path, or the grammar with the word's place.
    pub name: String,
    /// Which group it is counted in.
    pub group: usize,
    /// Its text.
    pub text: Vec<u8>,
    /// Digest of the text.
    pub hash: String,
}

/// All queries, in groups.
#[derive(Default)]
pub struct Items {
    /// The names of the groups, each with whether it is a grammar.
    pub groups: Vec<(String, bool)>,
    /// The queries.
    pub all: Vec<Item>,
    /// Files that cannot be read, each with why.
    pub unread: Vec<String>,
}

/// Words of a grammar from among its smallest ones.
pub struct Words<'a> {
    /// The grammar's name.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
    /// What its sizes are.
    pub cost: Cost,
    /// How many words.
    pub count: u64,
    /// … of so many smallest ones.
    pub among: u64,
    /// Random words of each size, `count` of each, instead of words from anywhere among them.
    pub each_size: bool,
}

/// The group of texts that smelt cannot read.
const UNREAD: &str = "(not read by smelt)";

impl Items {
    /// Adds a user's queries, by the logic that they declare, or the smallest that holds them.
    pub fn add_files(&mut self, files: &[SeedFile], options: &ParseOptions) {
        for file in files {
            let name = file.name();
            let text = match file.read(reader::MOST) {
                Ok(text) => text,
                Err(e) => {
                    self.unread.push(format!("cannot read {name}: {e:#}"));
                    continue;
                }
            };
            let logic = match parse_with(&text, options) {
                Ok(s) => s.logic().map_or_else(|| smallest_logic(&s).to_owned(), str::to_owned),
                Err(_) => UNREAD.to_owned(),
            };
            let group = self.group(&logic, false);
            self.add(name, group, text);
        }
    }

    /// Adds words of a grammar.
    pub fn add_words(&mut self, words: &Words<'_>) -> Result<()> {
        let shown = |e: smelt_smtlib::Error| {
            anyhow!("{}", e.render(words.text.as_bytes(), words.name).trim_end())
        };
        let grammar = Grammar::read(words.text).map_err(shown)?;
        let mut all = Enumerator::new(&grammar, words.cost).map_err(shown)?;
        let wanted = UBig::from(words.among);
        let among = match all.reach(&wanted) {
            true => wanted,
            false => all.below().clone(),
        };
        let among = u64::try_from(&among).context("there are too many words")?;
        let places = match words.each_size {
            true => of_each_size(words.count, among, &all),
            false => drawn(words.count, 0..among, 0).into_iter().collect(),
        };
        if places.is_empty() {
            bail!("grammar {} has no words", words.name);
        }
        let stem = std::path::Path::new(words.name).file_stem();
        let name = stem.map_or_else(|| words.name.into(), |s| s.to_string_lossy().into_owned());
        let group = self.group(&name, true);
        for place in places {
            let word = all.nth(&UBig::from(place)).context("a word has no place")?;
            self.add(format!("{name}-{place}"), group, word.text().as_bytes().to_vec());
        }
        Ok(())
    }

    /// Whether a query is a word of a grammar.
    pub fn is_word(&self, item: &Item) -> bool {
        self.groups[item.group].1
    }

    fn group(&mut self, name: &str, of_grammar: bool) -> usize {
        let wanted = (name.to_owned(), of_grammar);
        match self.groups.iter().position(|g| *g == wanted) {
            Some(at) => at,
            None => {
                self.groups.push(wanted);
                self.groups.len() - 1
            }
        }
    }

    fn add(&mut self, name: String, group: usize, text: Vec<u8>) {
        let hash = digest(&text);
        self.all.push(Item { name, group, text, hash });
    }
}

/// Random places of a range without putting back, all if there are no more; of more places, fewer are a part. (Places at equal distances would
/// not do: operators come back at distances of their own, so that such words are all alike.)
fn drawn(count: u64, range: Range<u64>, seed: u64) -> BTreeSet<u64> {
    if range.end - range.start <= count {
        return range.collect();
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn = BTreeSet::new();
    while (drawn.len() as u64) < count {
        drawn.insert(random.random_range(range.clone()));
    }
    drawn
}

/// So many of the smallest words of each size, drawn without putting back; all, if there are no more. Of more words, fewer are a part.
fn of_each_size(count: u64, among: u64, words: &Enumerator) -> Vec<u64> {
    let mut places = Vec::new();
    for size in 0..words.sizes() {
        let begin = u64::try_from(words.first_of(size)).unwrap_or(among).min(among);
        let end = words.first_of(size) + words.count(size);
        let end = u64::try_from(&end).unwrap_or(among).min(among);
        places.extend(drawn(count, begin..end, u64::from(size)));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_from_anywhere() {
        let text = "grammar G; b : 'a' | 'b' | 'c' | 'd'; start : '(check' b ')' EOF;";
        let names = |count, among| {
            let (name, cost) = ("x/G.g4", Cost::Thesis);
            let words = Words { name, text, cost, count, among, each_size: false };
            let mut items = Items::default();
            items.add_words(&words).unwrap();
            assert_eq!(items.groups, [("G".to_owned(), true)]);
            items.all.iter().map(|i| i.name.clone()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(9, 4), "G-0 G-1 G-2 G-3");
        assert_eq!(names(4, 1_000_000), "G-0 G-1 G-2 G-3");
        assert_eq!(names(2, 2), "G-0 G-1");
        assert_eq!(names(1, 4).len(), 3);

        let (few, many) = (drawn(300, 0..1_000_000, 0), drawn(3000, 0..1_000_000, 0));
        assert!((few.len(), many.len()) == (300, 3000) && few.is_subset(&many));
        // Whatever the period of what comes back, a share of it is there.
        for period in [7, 1000, 1_000_000 / 300] {
            let half = many.iter().filter(|place| *place % period < period / 2).count() as f64;
            let share = (period / 2) as f64 / period as f64;
            assert!((half / 3000.0 - share).abs() < 0.05, "{period}: {half} of 3000");
        }
    }

    /// Small sizes are there as a whole, of larger ones so many; those of a smaller sample are in a larger one.
    #[test]
    fn words_of_each_size() {
        let text = "grammar G; b : 'a' | 'b' | '(and' b b ')'; start : '(assert' b ')' EOF;";
        let grammar = Grammar::read(text).unwrap();
        let mut words = Enumerator::new(&grammar, Cost::Thesis).unwrap();
        words.reach(&UBig::from(1000u32));
        let sizes = |places: &[u64]| {
            let mut all = std::collections::BTreeMap::new();
            for place in places {
                *all.entry(words.size_at(&UBig::from(*place)).unwrap()).or_insert(0) += 1;
            }
            all.into_values().collect::<Vec<_>>()
        };
        let (few, many) = (of_each_size(10, 200, &words), of_each_size(30, 200, &words));
        assert_eq!((sizes(&few), sizes(&many)), (vec![2, 4, 10, 10, 10], vec![2, 4, 16, 30, 30]));
        assert!(few.iter().all(|place| many.contains(place) && *place < 200));
    }
}
