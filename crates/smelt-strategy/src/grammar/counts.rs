//! How many words of each size a rule has, and a sequence of rules: exact numbers, computed once.

use dashu_int::UBig;

use super::compiled::Compiled;

/// Numbers of words up to a size.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    /// By rule and size.
    pub rules: Vec<Column>,
    /// By sequence of rules and the sum of their sizes.
    pub sequences: Vec<Column>,
    /// By size: the number of words of the grammar that are smaller.
    pub below: Vec<UBig>,
    /// The rules in an order in which each comes behind those whose words of a size it needs for its own words of that size.
    order: Vec<usize>,
}

/// Numbers by size.
#[derive(Clone, Debug, Default)]
pub(super) struct Column {
    numbers: Vec<UBig>,
    /// Which are not 0: a byte each, for walking over them.
    some: Vec<bool>,
}

impl Column {
    /// The number at a size; 0 where nothing was computed.
    pub fn at(&self, size: usize) -> &UBig {
        const ZERO: &UBig = &UBig::ZERO;
        self.numbers.get(size).unwrap_or(ZERO)
    }

    /// Whether there is a word of this size.
    #[inline]
    pub fn has(&self, size: usize) -> bool {
        self.some.get(size).copied().unwrap_or(false)
    }

    fn push(&mut self, n: UBig) {
        self.some.push(!n.is_zero());
        self.numbers.push(n);
    }

    fn len(&self) -> usize {
        self.numbers.len()
    }
}

impl Counts {
    /// No size yet.
    pub fn new(grammar: &Compiled) -> Self {
        Self {
            rules: vec![Column::default(); grammar.rules.len()],
            sequences: vec![Column::default(); grammar.sequences.len()],
            below: vec![UBig::ZERO],
            order: order(grammar),
        }
    }

    /// How many sizes are known.
    pub fn sizes(&self) -> usize {
        self.below.len() - 1
    }

    /// Computes one size more.
    pub fn grow(&mut self, grammar: &Compiled) {
        let size = self.sizes();
        for i in 0..self.order.len() {
            let rule = self.order[i];
            let mut sum = UBig::ZERO;
            for p in &grammar.productions[grammar.rules[rule].clone()] {
                if let Some(rest) = size.checked_sub(p.cost as usize) {
                    self.sequence(grammar, p.sequences[0] as usize, rest);
                    sum += self.sequences[p.sequences[0] as usize].at(rest);
                }
            }
            self.rules[rule].push(sum);
        }
        for s in 0..grammar.sequences.len() {
            self.sequence(grammar, s, size);
        }
        let all = &self.below[size] + self.rules[grammar.start].at(size);
        self.below.push(all);
    }

    /// Computes the number of a sequence at a size. A rule whose number at this size is not known yet is not needed for it: those
    /// before it have no words of size 0.
    fn sequence(&mut self, grammar: &Compiled, s: usize, size: usize) {
        if self.sequences[s].len() > size {
            return;
        }
        if s == 0 {
            return self.sequences[0].push(UBig::from(u8::from(size == 0)));
        }
        let (prefix, last) =
            (grammar.sequences[s].prefix as usize, grammar.sequences[s].last as usize);
        let mut sum = UBig::ZERO;
        for u in 0..=size {
            if !self.rules[last].has(size - u) {
                continue;
            }
            self.sequence(grammar, prefix, u);
            if self.sequences[prefix].has(u) {
                sum += self.sequences[prefix].at(u) * self.rules[last].at(size - u);
            }
        }
        self.sequences[s].push(sum);
    }
}

/// The rules, each behind those that it needs for words of one size.
fn order(grammar: &Compiled) -> Vec<usize> {
    let least = least(grammar);
    let needs = |r: usize| -> Vec<usize> {
        let mut to = Vec::new();
        for p in &grammar.productions[grammar.rules[r].clone()] {
            let sum: u32 = p.children.iter().map(|&c| least[c as usize]).sum::<u32>() + p.cost;
            to.extend(p.children.iter().map(|&c| c as usize).filter(|&c| sum == least[c]));
        }
        to
    };
    let (mut order, mut done) = (Vec::new(), vec![false; grammar.rules.len()]);
    for root in 0..grammar.rules.len() {
        let mut open = vec![(root, false)];
        while let Some((r, is_ready)) = open.pop() {
            if is_ready && !done[r] {
                done[r] = true;
                order.push(r);
            } else if !done[r] {
                open.push((r, true));
                open.extend(needs(r).into_iter().filter(|&c| !done[c]).map(|c| (c, false)));
            }
        }
    }
    order
}

/// The size of the smallest word of each rule.
pub(super) fn least(grammar: &Compiled) -> Vec<u32> {
    let mut least = vec![u32::MAX; grammar.rules.len()];
    loop {
        let before = least.clone();
        for (r, productions) in grammar.rules.iter().enumerate() {
            for p in &grammar.productions[productions.clone()] {
                let parts = p.children.iter().map(|&c| before[c as usize]);
                least[r] = least[r].min(parts.fold(p.cost, u32::saturating_add));
            }
        }
        if least == before {
            return least;
        }
    }
}
