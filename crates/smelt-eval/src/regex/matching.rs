//! What is asked of regular expressions: membership, matches inside strings, emptiness.

use super::{ALL, NONE, Re, RegexStore};
use crate::int::Int;
use crate::limit::{Budget, Limit};
use crate::string::{MAX_CHAR, Str};
use rustc_hash::FxHashSet;

impl RegexStore {
    /// `(str.in_re s r)`.
    pub fn contains(&mut self, re: Re, text: &Str, budget: &mut Budget) -> Result<bool, Limit> {
        let mut state = re;
        for c in text.iter() {
            // These two lead to themselves.
            if state == NONE || state == ALL {
                break;
            }
            budget.spend(1)?;
            state = self.derive(state, c, budget)?.re;
        }
        Ok(self.nullable(state))
    }

    /// The end of the shortest match that begins at `from` and has at least `least` characters.
    fn shortest(
        &mut self,
        re: Re,
        text: &[u32],
        from: usize,
        least: usize,
        budget: &mut Budget,
    ) -> Result<Option<usize>, Limit> {
        let (mut state, mut end) = (re, from);
        loop {
            if self.nullable(state) && end - from >= least {
                return Ok(Some(end));
            }
            if end == text.len() || state == NONE {
                return Ok(None);
            }
            budget.spend(1)?;
            state = self.derive(state, text[end], budget)?.re;
            end += 1;
        }
    }

    /// The leftmost match at or after `from` of at least `least` characters, the shortest of those that begin there.
    fn leftmost(
        &mut self,
        re: Re,
        text: &[u32],
        from: usize,
        least: usize,
        budget: &mut Budget,
    ) -> Result<Option<(usize, usize)>, Limit> {
        for start in from..=text.len() {
            if let Some(end) = self.shortest(re, text, start, least, budget)? {
                return Ok(Some((start, end)));
            }
        }
        Ok(None)
    }

    /// cvc5's `(str.indexof_re s r i)`: where the first match at or after `i` begins; −1 if there is none or `i` is not
    /// in `0 ..= |s|`.
    pub fn index_of_re(
        &mut self,
        text: &Str,
        re: Re,
        i: &Int,
        budget: &mut Budget,
    ) -> Result<Int, Limit> {
        let Some(from) = i.to_usize().filter(|&i| i <= text.len()) else { return Ok(Int::NEG_ONE) };
        let found = self.leftmost(re, &text.to_code_points(), from, 0, budget)?;
        Ok(found.map_or(Int::NEG_ONE, |(start, _)| Int::from(start)))
    }

    /// `(str.replace_re s r t)`: the shortest leftmost match, if any, replaced by `t`. If `r` holds the empty string
    /// this puts `t` in front.
    pub fn replace_re(
        &mut self,
        text: &Str,
        re: Re,
        by: &Str,
        budget: &mut Budget,
    ) -> Result<Str, Limit> {
        match self.leftmost(re, &text.to_code_points(), 0, 0, budget)? {
            None => Ok(text.clone()),
            Some((start, end)) => {
                Str::concat_all(&[text.slice(0, start), by.clone(), text.slice(end, text.len())])
            }
        }
    }

    /// `(str.replace_re_all s r t)`: from left to right, each shortest match that is not empty.
    pub fn replace_re_all(
        &mut self,
        text: &Str,
        re: Re,
        by: &Str,
        budget: &mut Budget,
    ) -> Result<Str, Limit> {
        let points = text.to_code_points();
        let (mut parts, mut done) = (Vec::new(), 0);
        while let Some((start, end)) = self.leftmost(re, &points, done, 1, budget)? {
            budget.spend(1 + by.len())?;
            parts.push(text.slice(done, start));
            parts.push(by.clone());
            done = end;
        }
        parts.push(text.slice(done, text.len()));
        Str::concat_all(&parts)
    }

    /// Is the language empty? Searches the states reachable by derivatives.
    pub fn is_empty(&mut self, re: Re, budget: &mut Budget) -> Result<bool, Limit> {
        let mut seen = FxHashSet::default();
        let mut open = vec![re];
        while let Some(state) = open.pop() {
            if self.nullable(state) {
                return Ok(false);
            }
            if state == NONE || !seen.insert(state) {
                continue;
            }
            let mut c = 0;
            while c <= MAX_CHAR {
                budget.spend(1)?;
                let next = self.derive(state, c, budget)?;
                open.push(next.re);
                c = next.high + 1;
            }
        }
        Ok(true)
    }

    /// Do two expressions denote the same language, as `=` on `RegLan` asks?
    pub fn equivalent(&mut self, a: Re, b: Re, budget: &mut Budget) -> Result<bool, Limit> {
        if a == b {
            return Ok(true);
        }
        let (only_a, only_b) = (self.diff(a, b), self.diff(b, a));
        let differ = self.union(&[only_a, only_b]);
        self.is_empty(differ, budget)
    }
}
