//! From a word back to its derivation: Earley's algorithm on texts, so that any grammar will do.

use rustc_hash::{FxHashMap, FxHashSet};

use super::compiled::Compiled;
use super::derivation::{Derivation, Tables};

/// A rule from a place of the text to another one.
type Found = (u32, u32, u32);

/// A production, how many of its parts are there, and where it begins.
type Item = (u32, u32, u32);

/// A node of a derivation that was found: the production and the ends of its parts.
struct Way {
    production: u32,
    ends: Vec<u32>,
}

/// A derivation of a word as productions in preorder, with whether there is another one.
pub(super) struct Parsed {
    productions: Vec<u32>,
    /// Whether the word has several derivations.
    pub is_ambiguous: bool,
}

impl Parsed {
    /// The derivation with these productions in preorder; whether its word has another one is not known.
    pub fn of(productions: Vec<u32>) -> Self {
        Self { productions, is_ambiguous: false }
    }

    /// The derivation with all of its sizes, and the text.
    pub fn derivation(&self, tables: Tables<'_>) -> Derivation {
        let productions = &tables.grammar.productions;
        // Sizes from the end: a node's parts are behind it.
        let mut sizes = vec![0; self.productions.len()];
        let mut stack: Vec<u32> = Vec::new();
        for (i, &p) in self.productions.iter().enumerate().rev() {
            let p = &productions[p as usize];
            let parts = (0..p.children.len()).map(|_| stack.pop().unwrap_or_default());
            sizes[i] = p.cost + parts.sum::<u32>();
            stack.push(sizes[i]);
        }
        // Where the parts of each node begin among the nodes: behind the parts before them.
        let ends = self.ends(tables.grammar);
        let (mut at, mut made) = (0, Derivation::default());
        made.begin(tables, sizes[0], &mut |_, _, out| {
            let production = self.productions[at];
            let mut part = at + 1;
            for _ in &productions[production as usize].children {
                out.push(sizes[part]);
                part = ends[part];
            }
            at += 1;
            production
        });
        made
    }

    /// By node: the first node behind its parts.
    fn ends(&self, grammar: &Compiled) -> Vec<usize> {
        let mut ends = vec![0; self.productions.len()];
        for i in (0..self.productions.len()).rev() {
            let mut end = i + 1;
            for _ in &grammar.productions[self.productions[i] as usize].children {
                end = ends[end];
            }
            ends[i] = end;
        }
        ends
    }
}

/// A derivation of a word; none if it is not of the grammar.
pub(super) fn parse(grammar: &Compiled, word: &str) -> Option<Parsed> {
    let chart = Chart::new(grammar, word);
    let whole = (grammar.start as u32, 0, word.len() as u32);
    if !chart.found.contains(&whole) {
        return None;
    }
    let (mut productions, mut is_ambiguous) = (Vec::new(), false);
    let mut open = vec![whole];
    while let Some(found) = open.pop() {
        let ways = chart.ways(found);
        is_ambiguous |= ways.len() > 1;
        let way = ways.first()?;
        productions.push(way.production);
        let p = &grammar.productions[way.production as usize];
        let mut begin = found.1;
        let mut parts = Vec::new();
        for (i, (&child, &end)) in p.children.iter().zip(&way.ends).enumerate() {
            begin += p.pieces[i].len() as u32;
            parts.push((child, begin, end));
            begin = end;
        }
        open.extend(parts.into_iter().rev());
    }
    Some(Parsed { productions, is_ambiguous })
}

/// Everything that was recognised in a word.
struct Chart<'a> {
    grammar: &'a Compiled,
    word: &'a [u8],
    found: FxHashSet<Found>,
    /// By rule and beginning: the ends.
    ends: FxHashMap<(u32, u32), Vec<u32>>,
}

impl<'a> Chart<'a> {
    fn new(grammar: &'a Compiled, word: &'a str) -> Self {
        let word = word.as_bytes();
        let mut own =
            Self { grammar, word, found: FxHashSet::default(), ends: FxHashMap::default() };
        // Who waits for a rule at a place.
        let mut waiting: FxHashMap<(u32, u32), Vec<Item>> = FxHashMap::default();
        let mut seen: FxHashSet<(Item, u32)> = FxHashSet::default();
        // What is to be looked at, by place: words grow to the right, so a place is done when the ones before it are.
        let mut agenda: Vec<Vec<Item>> = vec![Vec::new(); word.len() + 1];
        own.predict(grammar.start as u32, 0, &mut agenda, &mut seen);
        for at in 0..=word.len() {
            let here = at as u32;
            while let Some(item) = agenda[at].pop() {
                let (number, parts, begin) = item;
                let p = &grammar.productions[number as usize];
                if let Some(&child) = p.children.get(parts as usize) {
                    let waits = waiting.entry((child, here)).or_default();
                    let is_first = waits.is_empty();
                    waits.push(item);
                    if is_first {
                        own.predict(child, here, &mut agenda, &mut seen);
                    }
                    // What was found before somebody waited for it.
                    for end in own.ends.get(&(child, here)).cloned().unwrap_or_default() {
                        own.step(item, end, &mut agenda, &mut seen);
                    }
                    continue;
                }
                let rule = own.rule_of(number);
                if own.found.insert((rule, begin, here)) {
                    own.ends.entry((rule, begin)).or_default().push(here);
                    for item in waiting.get(&(rule, begin)).cloned().unwrap_or_default() {
                        own.step(item, here, &mut agenda, &mut seen);
                    }
                }
            }
        }
        own
    }

    fn rule_of(&self, production: u32) -> u32 {
        let is_in = |r: &std::ops::Range<usize>| r.contains(&(production as usize));
        self.grammar.rules.iter().position(is_in).unwrap_or_default() as u32
    }

    fn predict(
        &self,
        rule: u32,
        at: u32,
        agenda: &mut [Vec<Item>],
        seen: &mut FxHashSet<(Item, u32)>,
    ) {
        for number in self.grammar.rules[rule as usize].clone() {
            self.read((number as u32, 0, at), at, agenda, seen);
        }
    }

    /// A part of an item ends here.
    fn step(
        &self,
        (number, parts, begin): Item,
        end: u32,
        agenda: &mut [Vec<Item>],
        seen: &mut FxHashSet<(Item, u32)>,
    ) {
        self.read((number, parts + 1, begin), end, agenda, seen);
    }

    /// Reads the text behind the parts of an item that are there.
    fn read(
        &self,
        item: Item,
        at: u32,
        agenda: &mut [Vec<Item>],
        seen: &mut FxHashSet<(Item, u32)>,
    ) {
        let p = &self.grammar.productions[item.0 as usize];
        let piece = self.grammar.piece(p, item.1 as usize).as_bytes();
        if self.word[at as usize..].starts_with(piece) {
            let end = at + piece.len() as u32;
            if seen.insert((item, end)) {
                agenda[end as usize].push(item);
            }
        }
    }

    /// The ways in which a rule gives a stretch of the text; two are enough to know that there are several.
    fn ways(&self, (rule, begin, end): Found) -> Vec<Way> {
        let mut ways = Vec::new();
        for number in self.grammar.rules[rule as usize].clone() {
            self.ways_of(number as u32, begin, end, &mut Vec::new(), &mut ways);
            if ways.len() > 1 {
                break;
            }
        }
        ways
    }

    /// Ways of one production whose first parts end at `ends`; as deep as it has parts.
    fn ways_of(&self, number: u32, at: u32, end: u32, ends: &mut Vec<u32>, ways: &mut Vec<Way>) {
        let p = &self.grammar.productions[number as usize];
        let piece = self.grammar.piece(p, ends.len()).as_bytes();
        if ways.len() > 1 || !self.word[at as usize..end as usize].starts_with(piece) {
            return;
        }
        let at = at + piece.len() as u32;
        let Some(&child) = p.children.get(ends.len()) else {
            if at == end {
                ways.push(Way { production: number, ends: ends.clone() });
            }
            return;
        };
        let stops = self.ends.get(&(child, at)).map_or(&[][..], Vec::as_slice);
        for &stop in stops.iter().filter(|&&stop| stop <= end) {
            ends.push(stop);
            self.ways_of(number, stop, end, ends, ways);
            ends.pop();
        }
    }
}
