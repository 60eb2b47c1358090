//! The search: which edits of which passes are tried, in which order and how many at a time.
//!
//! The edits of a pass are tried together, then in halves, quarters … down to single ones, as delta debugging does; what a
//! chunk achieved stays while the others are tried. Several chunks may be asked about at a time: if more than one of them fails,
//! all of them together are tried next, because independent edits mostly go together.

use std::collections::HashSet;
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

/// What can be made smaller.
pub trait Reducible: Clone {
    /// One change.
    type Edit;
    /// The text that is judged and whose length counts.
    fn text(&self) -> &str;
    /// What counts before the length: words that are to go, for example.
    fn burden(&self) -> usize {
        0
    }
    /// What it becomes by some edits that were made for it; `None` if they do not go together.
    fn edited(&self, edits: &[&Self::Edit]) -> Option<Self>;
    /// Takes over what was learnt when an edited version of it was found to fail (a witness), so that the next edits of it start there.
    fn learn(&mut self, from: &Self);
}

/// How the edits of a pass are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// All of them, then halves, and so on: most of them go together.
    Chunks,
    /// One at a time: they are alternatives of each other, or each changes the whole.
    Each,
}

/// Proposes edits.
pub struct Pass<C: Reducible> {
    /// A short name for progress and tables.
    pub name: &'static str,
    /// How its edits are tried.
    pub way: Way,
    /// The edits, the most hopeful first. It may add terms to what it is given; the edits are for that.
    pub edits: fn(&mut C) -> Vec<C::Edit>,
}

/// Says which candidates fail.
pub trait Judge<C> {
    /// How many candidates are worth asking about at a time.
    fn width(&self) -> usize;
    /// Asks about some candidates: those that fail are given back, each in its place, perhaps with more known of them.
    fn judge(&mut self, candidates: Vec<C>) -> Vec<Option<C>>;
    /// Whether to stop.
    fn is_over(&mut self) -> bool;
    /// A smaller one was found by a pass.
    fn smaller(&mut self, best: &C, pass: &'static str);
}

/// How large something is: its burden, its length; among equally long ones, the sum of its digits, so that 0 is smaller than 7.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Weight {
    burden: usize,
    bytes: usize,
    digits: u64,
}

fn weight(of: &impl Reducible) -> Weight {
    let digits = of.text().bytes().filter(u8::is_ascii_digit).map(|b| u64::from(b - b'0')).sum();
    Weight { burden: of.burden(), bytes: of.text().len(), digits }
}

/// Rounds through all passes after which it is given up that they end.
const ROUNDS: usize = 60;

/// A reduction under way.
pub struct Search<'j, C: Reducible> {
    best: C,
    weight: Weight,
    judge: &'j mut dyn Judge<C>,
    /// Texts that are known not to fail.
    refused: HashSet<u128>,
}

impl<'j, C: Reducible> Search<'j, C> {
    /// A search from something that fails.
    pub fn new(start: C, judge: &'j mut dyn Judge<C>) -> Self {
        let weight = weight(&start);
        Self { best: start, weight, judge, refused: HashSet::new() }
    }

    /// The smallest so far.
    pub fn best(&self) -> &C {
        &self.best
    }

    /// Runs passes until none of them finds anything smaller; then tries whether something larger leads to something smaller.
    #[must_use]
    pub fn run(mut self, passes: &[Pass<C>], enlarging: &[Pass<C>]) -> C {
        self.rounds(passes);
        for pass in enlarging {
            self.detour(pass, passes);
        }
        self.best
    }

    fn rounds(&mut self, passes: &[Pass<C>]) {
        for round in 0..ROUNDS {
            let before = self.weight;
            for pass in passes {
                for _ in 0..ROUNDS {
                    if self.judge.is_over() {
                        return;
                    }
                    let bytes = self.weight.bytes;
                    match pass.way {
                        Way::Chunks => self.chunks(pass, round),
                        Way::Each => self.each(pass),
                    }
                    // What took off a tenth can often take off more; what took off less has its turn in the next round.
                    if self.weight.bytes * 10 > bytes * 9 {
                        break;
                    }
                }
            }
            if self.weight == before {
                return;
            }
        }
    }

    /// Tries the edits of a pass together, in halves, quarters and so on. What goes together has mostly gone in the first round: later ones begin
    /// with smaller chunks.
    fn chunks(&mut self, pass: &Pass<C>, round: usize) {
        let mut base = self.best.clone();
        let edits = (pass.edits)(&mut base);
        let mut made: Vec<usize> = Vec::new();
        let mut left: Vec<usize> = (0..edits.len()).collect();
        let mut size = if round == 0 { left.len() } else { left.len().div_ceil(8) };
        while size > 0 {
            let mut chunks: VecDeque<Vec<usize>> =
                left.chunks(size).map(<[usize]>::to_vec).collect();
            while !chunks.is_empty() {
                if self.judge.is_over() {
                    return;
                }
                let taken = self.try_some(&mut base, &edits, &made, &mut chunks, pass.name);
                made.extend(taken.into_iter().flatten());
            }
            left.retain(|i| !made.contains(i));
            size = (size / 2).min(left.len());
        }
    }

    /// Tries the edits of a pass one at a time. After one that fails they are made anew, and it goes on at the same place: those before it
    /// have just been tried.
    fn each(&mut self, pass: &Pass<C>) {
        let mut from = 0;
        loop {
            let mut base = self.best.clone();
            let edits = (pass.edits)(&mut base);
            let mut chunks: VecDeque<Vec<usize>> = (from..edits.len()).map(|i| vec![i]).collect();
            let taken = loop {
                if chunks.is_empty() || self.judge.is_over() {
                    return;
                }
                let taken = self.try_some(&mut base, &edits, &[], &mut chunks, pass.name);
                if let Some(taken) = taken {
                    break taken;
                }
            };
            from = taken.into_iter().min().unwrap_or(0);
        }
    }

    /// Asks about the next chunks; gives the edits that are made by it.
    fn try_some(
        &mut self,
        base: &mut C,
        edits: &[C::Edit],
        made: &[usize],
        chunks: &mut VecDeque<Vec<usize>>,
        name: &'static str,
    ) -> Option<Vec<usize>> {
        let width = self.judge.width().max(1);
        let mut asked: Vec<Vec<usize>> = Vec::new();
        let mut candidates = Vec::new();
        while candidates.len() < width
            && let Some(chunk) = chunks.pop_front()
        {
            if let Some(c) = self.candidate(base, edits, made, &chunk) {
                candidates.push(c);
                asked.push(chunk);
            }
        }
        if candidates.is_empty() {
            return None;
        }
        let mut failing =
            self.ask(candidates).into_iter().enumerate().filter_map(|(i, c)| Some((i, c?)));
        let (first, c) = failing.next()?;
        let others: Vec<usize> = failing.map(|(i, _)| i).collect();
        self.accept(base, c, name);
        let mut taken = asked[first].clone();
        if !others.is_empty() {
            let union: Vec<usize> = others.iter().flat_map(|&i| asked[i].iter().copied()).collect();
            let now: Vec<usize> = made.iter().chain(&taken).copied().collect();
            let together = self.candidate(base, edits, &now, &union);
            match together.and_then(|c| self.ask(vec![c]).pop().flatten()) {
                Some(c) => {
                    self.accept(base, c, name);
                    taken.extend(union);
                }
                None => others.iter().rev().for_each(|&i| chunks.push_front(asked[i].clone())),
            }
        }
        Some(taken)
    }

    /// What some more edits make, if that is smaller and has not been asked about.
    fn candidate(&self, base: &C, edits: &[C::Edit], made: &[usize], more: &[usize]) -> Option<C> {
        let all: Vec<&C::Edit> = made.iter().chain(more).map(|&i| &edits[i]).collect();
        let c = base.edited(&all)?;
        (weight(&c) < self.weight && !self.refused.contains(&key(c.text()))).then_some(c)
    }

    fn ask(&mut self, candidates: Vec<C>) -> Vec<Option<C>> {
        let keys: Vec<u128> = candidates.iter().map(|c| key(c.text())).collect();
        let answers = self.judge.judge(candidates);
        for (key, answer) in keys.into_iter().zip(&answers) {
            if answer.is_none() {
                self.refused.insert(key);
            }
        }
        answers
    }

    fn accept(&mut self, base: &mut C, c: C, name: &'static str) {
        base.learn(&c);
        self.weight = weight(&c);
        self.judge.smaller(&c, name);
        self.best = c;
    }

    /// Tries each edit of an enlarging pass, reduced on its own: if that ends below the best, it is the best.
    fn detour(&mut self, pass: &Pass<C>, passes: &[Pass<C>]) {
        const MOST: usize = 4;
        let mut base = self.best.clone();
        let edits = (pass.edits)(&mut base);
        for edit in edits.iter().take(MOST) {
            if self.judge.is_over() {
                return;
            }
            let Some(c) = base.edited(&[edit]).filter(|c| !self.refused.contains(&key(c.text())))
            else {
                continue;
            };
            let Some(c) = self.ask(vec![c]).pop().flatten() else { continue };
            let (best, weight_before) = (self.best.clone(), self.weight);
            self.weight = weight(&c);
            self.best = c;
            self.rounds(passes);
            if self.weight < weight_before {
                // The edits were made for what it was before.
                return self.detour(pass, passes);
            }
            (self.best, self.weight) = (best, weight_before);
        }
    }
}

/// A text as it is remembered.
fn key(text: &str) -> u128 {
    let half = |salt: u8| {
        let mut h = DefaultHasher::new();
        salt.hash(&mut h);
        text.hash(&mut h);
        h.finish()
    };
    u128::from(half(0)) << 64 | u128::from(half(1))
}
