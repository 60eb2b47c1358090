//! The queries: a user's files by their logics, or words of grammars.

use anyhow::{Context, Result, anyhow, bail};
use dashu_int::UBig;
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

/// Words of a grammar, evenly spread over its smallest ones.
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

    /// Adds words of a grammar. Every size is there by its share of the smallest words.
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
        let count = words.count.min(among);
        if count == 0 {
            bail!("grammar {} has no words", words.name);
        }
        let stem = std::path::Path::new(words.name).file_stem();
        let name = stem.map_or_else(|| words.name.into(), |s| s.to_string_lossy().into_owned());
        let group = self.group(&name, true);
        for i in 0..u128::from(count) {
            let place = (2 * i + 1) * u128::from(among) / (2 * u128::from(count));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_evenly_spread() {
        let text = "grammar G; b : 'a' | 'b' | 'c' | 'd'; start : '(check' b ')' EOF;";
        let names = |count, among| {
            let words = Words { name: "x/G.g4", text, cost: Cost::Thesis, count, among };
            let mut items = Items::default();
            items.add_words(&words).unwrap();
            assert_eq!(items.groups, [("G".to_owned(), true)]);
            items.all.iter().map(|i| i.name.clone()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(2, 4), "G-1 G-3");
        assert_eq!(names(2, 1_000_000), "G-1 G-3");
        assert_eq!(names(9, 4), "G-0 G-1 G-2 G-3");
        assert_eq!(names(1, 2), "G-1");
    }
}
