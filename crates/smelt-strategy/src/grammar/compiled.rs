//! A grammar as tables: texts and rules in turn, sequences of rules shared.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use smelt_case::Cost;
use smelt_smtlib::Result;

use super::check::reachable;
use super::cost;
use super::syntax::{Alternative, Grammar, SymbolKind};

/// A grammar without rules that have one word only: their texts stand where they are used.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    /// By rule: its productions.
    pub rules: Vec<Range<usize>>,
    /// Where words begin.
    pub start: usize,
    /// The productions of all rules.
    pub productions: Vec<Production>,
    /// Sequences of rules: each is a shorter one and a rule behind it. The first is empty.
    pub sequences: Vec<Sequence>,
    /// Texts of all productions.
    pub texts: String,
    /// The rule of the grammar that a rule here is.
    pub names: Vec<usize>,
}

/// An alternative.
#[derive(Clone, Debug)]
pub(super) struct Production {
    /// What it adds to the size of a word, with that of the texts in it.
    pub cost: u32,
    /// The rules that it uses.
    pub children: SmallVec<[u32; 4]>,
    /// The texts before, between and behind them, with the blanks.
    pub pieces: SmallVec<[Range<u32>; 4]>,
    /// The sequence of its rules, and of each beginning of it, the longest first.
    pub sequences: SmallVec<[u32; 4]>,
    /// Which alternative of which rule of the grammar it is.
    pub origin: (usize, usize),
}

/// A sequence of rules.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
    /// The sequence without its last rule.
    pub prefix: u32,
    /// Its last rule.
    pub last: u32,
}

impl Compiled {
    /// The tables of a grammar; an error if the sizes of this cost model cannot be enumerated.
    pub fn new(grammar: &Grammar, model: Cost) -> Result<Self> {
        cost::check(model, grammar)?;
        let constants = constants(grammar, model);
        let reached = reachable(grammar);
        let names: Vec<usize> = (0..grammar.rules.len())
            .filter(|&r| reached[r] && (r == grammar.start || constants[r].is_none()))
            .collect();
        let place: FxHashMap<usize, u32> = (0..).zip(&names).map(|(i, &r)| (r, i)).collect();
        let mut made = Self {
            rules: Vec::new(),
            start: place[&grammar.start] as usize,
            productions: Vec::new(),
            sequences: vec![Sequence { prefix: 0, last: 0 }],
            texts: String::new(),
            names: names.clone(),
        };
        let mut known: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for &r in &names {
            let begin = made.productions.len();
            for (i, alternative) in grammar.rules[r].alternatives.iter().enumerate() {
                let own = cost::of(model, grammar, r, alternative);
                let mut production = made.production(alternative, own, &constants, &place);
                production.origin = (r, i);
                made.share(&mut production, &mut known);
                made.productions.push(production);
            }
            made.rules.push(begin..made.productions.len());
        }
        Ok(made)
    }

    fn production(
        &mut self,
        alternative: &Alternative,
        mut cost: u32,
        constants: &[Option<(String, u32)>],
        place: &FxHashMap<usize, u32>,
    ) -> Production {
        let mut pieces: SmallVec<[String; 4]> = SmallVec::new();
        let mut children = SmallVec::new();
        let mut text = String::new();
        let last = alternative.symbols.len() - 1;
        for (i, symbol) in alternative.symbols.iter().enumerate() {
            match &symbol.kind {
                SymbolKind::Literal(t) => text.push_str(t),
                SymbolKind::Rule(r) => match (&constants[*r], place.get(r)) {
                    (Some((t, more)), _) => {
                        text.push_str(t);
                        cost += more;
                    }
                    (None, Some(&child)) => {
                        pieces.push(std::mem::take(&mut text));
                        children.push(child);
                    }
                    (None, None) => unreachable!("what a reachable rule uses is reachable"),
                },
            }
            if i < last {
                text.push(' ');
            }
        }
        pieces.push(text);
        let pieces = pieces.iter().map(|p| self.text(p)).collect();
        Production { cost, children, pieces, sequences: SmallVec::new(), origin: (0, 0) }
    }

    fn text(&mut self, piece: &str) -> Range<u32> {
        let begin = self.texts.len() as u32;
        self.texts.push_str(piece);
        begin..self.texts.len() as u32
    }

    fn share(&mut self, production: &mut Production, known: &mut FxHashMap<(u32, u32), u32>) {
        let mut prefix = 0;
        let mut all: SmallVec<[u32; 4]> = SmallVec::new();
        for &last in &production.children {
            prefix = *known.entry((prefix, last)).or_insert_with(|| {
                self.sequences.push(Sequence { prefix, last });
                self.sequences.len() as u32 - 1
            });
            all.push(prefix);
        }
        all.reverse();
        all.push(0);
        production.sequences = all;
    }

    /// A text of a production.
    pub fn piece(&self, production: &Production, i: usize) -> &str {
        let Range { start, end } = production.pieces[i];
        &self.texts[start as usize..end as usize]
    }
}

/// By rule: its word and the size of it, if it has no other.
fn constants(grammar: &Grammar, model: Cost) -> Vec<Option<(String, u32)>> {
    let mut known: Vec<Option<(String, u32)>> = vec![None; grammar.rules.len()];
    loop {
        let mut is_more = false;
        for (r, rule) in grammar.rules.iter().enumerate() {
            let [only] = &rule.alternatives[..] else { continue };
            if known[r].is_some() {
                continue;
            }
            let mut size = cost::of(model, grammar, r, only);
            let parts = only.symbols.iter().map(|s| match &s.kind {
                SymbolKind::Literal(t) => Some(t.clone()),
                SymbolKind::Rule(r) => known[*r].as_ref().map(|(t, s)| {
                    size += s;
                    t.clone()
                }),
            });
            if let Some(parts) = parts.collect::<Option<Vec<_>>>() {
                known[r] = Some((parts.join(" "), size));
                is_more = true;
            }
        }
        if !is_more {
            return known;
        }
    }
}
