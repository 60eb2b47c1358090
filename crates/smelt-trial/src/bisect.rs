//! Where in a row of releases (or of anything that is in order) a fault shows, and where not. A history need not be monotone: what was
//! fixed and came back has several spans.

use std::collections::VecDeque;

use smelt_triage::Says;

/// Places that are asked before anything is narrowed down, evenly spread over the row: a fault that was fixed and came back shows there.
const SPREAD: usize = 5;

/// Places on one side of all that show the fault, none of which can tell: after so many, the others there are held to be like them.
const MUTE: usize = 8;

/// What is known of each place of a row; `None` where nobody asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// What each place says.
    pub said: Vec<Option<Says>>,
}

/// Consecutive places where a fault shows, as far as they were asked and can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The last place before it where the fault does not show; none if it shows from the first place that can tell.
    pub good: Option<usize>,
    /// The first place where it shows.
    pub first: usize,
    /// The last place where it shows.
    pub last: usize,
    /// The first place behind it where it does not show; none if it shows to the last place that can tell.
    pub fixed: Option<usize>,
}

impl History {
    /// Asks as few of `n` places as needed to know where the fault begins and ends: those in `first`, both ends, a few between, and then
    /// what lies halfway between two neighbours that differ. Places that cannot tell are passed over. `ask` is given several places, but
    /// no more than `width`, where more than one is worth asking.
    pub fn search<E>(
        n: usize,
        first: impl IntoIterator<Item = usize>,
        width: usize,
        mut ask: impl FnMut(&[usize]) -> Result<Vec<Says>, E>,
    ) -> Result<Self, E> {
        let mut history = Self { said: vec![None; n] };
        let mut told = |history: &mut Self, places: &[usize]| -> Result<(), E> {
            for (&i, says) in places.iter().zip(ask(places)?) {
                history.said[i] = Some(says);
            }
            Ok(())
        };
        let spread = (0..SPREAD).map(|i| i * n.saturating_sub(1) / (SPREAD - 1));
        let mut begin: Vec<usize> = Vec::new();
        for i in first.into_iter().chain(spread).filter(|&i| i < n) {
            if !begin.contains(&i) {
                begin.push(i);
            }
        }
        for places in begin.chunks(width.max(1)) {
            told(&mut history, places)?;
        }
        loop {
            let places = history.worth_asking(width.max(1));
            if places.is_empty() {
                return Ok(history);
            }
            told(&mut history, &places)?;
        }
    }

    /// The place to ask next, and up to `width` in all with those that would be next if it tells this or that.
    fn worth_asking(&self, width: usize) -> Vec<usize> {
        let mut places = Vec::new();
        let mut futures = VecDeque::from([self.clone()]);
        // Different futures may lead to the same places again and again.
        for _ in 0..4 * width {
            let Some(now) = futures.pop_front() else { break };
            let Some(i) = now.next() else { continue };
            if !places.contains(&i) {
                places.push(i);
            }
            if places.len() == width {
                break;
            }
            for says in [Says::DoesNot, Says::Holds] {
                let mut then = now.clone();
                then.said[i] = Some(says);
                futures.push_back(then);
            }
        }
        places
    }

    /// How many places were asked.
    pub fn asked(&self) -> usize {
        self.said.iter().flatten().count()
    }

    /// Places that can tell, with whether the fault shows there.
    fn telling(&self) -> impl DoubleEndedIterator<Item = (usize, bool)> {
        self.said.iter().enumerate().filter_map(|(i, says)| match says {
            Some(Says::Holds) => Some((i, true)),
            Some(Says::DoesNot) => Some((i, false)),
            Some(Says::Open | Says::Other(_)) | None => None,
        })
    }

    /// The place to ask next; `None` if all is known that there is to know.
    fn next(&self) -> Option<usize> {
        let telling: Vec<(usize, bool)> = self.telling().collect();
        if telling.iter().all(|(_, shows)| !shows) {
            return self.in_widest_gap(0, self.said.len());
        }
        let differ = telling.windows(2).filter(|w| w[0].1 != w[1].1);
        let between = differ.filter_map(|w| self.halfway(w[0].0 + 1, w[1].0)).next();
        // What shows at the first place that can tell may be older than that, and what shows at the last one may last longer.
        let begins = || {
            let (at, shows) = telling[0];
            let from = (0..at).rev().find(|&i| self.said[i].is_some()).map_or(0, |i| i + 1);
            self.halfway(from, at).or_else(|| self.beyond(0, at)).filter(|_| shows)
        };
        let ends = || {
            let (at, shows) = telling[telling.len() - 1];
            let to = (at + 1..self.said.len()).find(|&i| self.said[i].is_some());
            let near = self.halfway(at + 1, to.unwrap_or(self.said.len()));
            near.or_else(|| self.beyond(at + 1, self.said.len())).filter(|_| shows)
        };
        between.or_else(begins).or_else(ends)
    }

    /// The place of a range that nobody asked and that is nearest to its middle.
    fn halfway(&self, from: usize, to: usize) -> Option<usize> {
        let middle = from + to.saturating_sub(from) / 2;
        (from..to).filter(|&i| self.said[i].is_none()).min_by_key(|i| i.abs_diff(middle))
    }

    /// A place of a range at an end of the row, none of which could tell so far: a release that can may stand behind one that cannot.
    fn beyond(&self, from: usize, to: usize) -> Option<usize> {
        let mute = self.said[from..to].iter().flatten().count();
        self.in_widest_gap(from, to).filter(|_| mute < MUTE)
    }

    /// The middle of the longest run of places in a range that nobody asked.
    fn in_widest_gap(&self, first: usize, end: usize) -> Option<usize> {
        let mut widest: Option<(usize, usize)> = None;
        let mut from = first;
        for to in first..=end {
            if to == end || self.said[to].is_some() {
                if to > from && widest.is_none_or(|(a, b)| to - from > b - a) {
                    widest = Some((from, to));
                }
                from = to + 1;
            }
        }
        widest.map(|(from, to)| from + (to - from) / 2)
    }

    /// Where the fault shows, from the first span to the last.
    pub fn spans(&self) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        let mut good = None;
        let mut is_open = false;
        for (i, shows) in self.telling() {
            match (shows, spans.last_mut().filter(|_| is_open)) {
                (true, Some(span)) => span.last = i,
                (true, None) => spans.push(Span { good, first: i, last: i, fixed: None }),
                (false, Some(span)) => span.fixed = Some(i),
                (false, None) => {}
            }
            is_open = shows;
            good = if shows { good } else { Some(i) };
        }
        spans
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places by letters: it shows (h), it does not (n), it is open (?).
    fn says(letter: char) -> Says {
        match letter {
            'h' => Says::Holds,
            'n' => Says::DoesNot,
            _ => Says::Open,
        }
    }

    fn searched(row: &str, first: &[usize]) -> History {
        side_by_side(row, first, 1).0
    }

    /// What is known in the end, and how many times somebody was asked.
    fn side_by_side(row: &str, first: &[usize], width: usize) -> (History, usize) {
        let row: Vec<char> = row.chars().collect();
        let (mut asked, mut times) = (vec![false; row.len()], 0);
        let ask = |places: &[usize]| -> Result<Vec<Says>, ()> {
            assert!((1..=width).contains(&places.len()), "{places:?}");
            times += 1;
            for &i in places {
                assert!(!std::mem::replace(&mut asked[i], true), "{i} is asked twice");
            }
            Ok(places.iter().map(|&i| says(row[i])).collect())
        };
        let history = History::search(row.len(), first.iter().copied(), width, ask).unwrap();
        (history, times)
    }

    fn spans(row: &str) -> Vec<String> {
        let at = |i: Option<usize>| i.map_or("-".to_owned(), |i| i.to_string());
        let text = |s: &Span| format!("{} {}..{} {}", at(s.good), s.first, s.last, at(s.fixed));
        searched(row, &[]).spans().iter().map(text).collect()
    }

    #[test]
    fn where_it_shows() {
        for (row, expect) in [
            ("", &[][..]),
            ("n", &[]),
            ("h", &["- 0..0 -"]),
            ("nnnhhhhh", &["2 3..7 -"]),
            ("nnnnnnnh", &["6 7..7 -"]),
            ("hhhhhnnn", &["- 0..4 5"]),
            ("hhhhhhhh", &["- 0..7 -"]),
            ("nnnnnnnn", &[]),
            ("nnnnhhnnnnnn", &["3 4..5 6"]),
            // A release that can tell stands behind one that cannot.
            ("?n??h?h?", &["1 4..6 -"]),
            ("h?h??n?", &["- 0..2 5"]),
            ("n?h????????h?", &["0 2..11 -"]),
            ("????", &[]),
            ("??h??", &["- 2..2 -"]),
            ("nn?????hh", &["1 7..8 -"]),
            // Fixed, and back again.
            ("nnhhhhnnnnhhhhnn", &["1 2..5 6", "9 10..13 14"]),
            // Where one place in a row shows it, it is found.
            ("nnnnnnnnnnnnnnnnnnnnnnnnnnhnnnn", &["25 26..26 27"]),
        ] {
            assert_eq!(spans(row), expect, "{row}");
        }
    }

    /// Several places at a time lead to the same end, sooner.
    #[test]
    fn side_by_side_is_sooner() {
        for (begin, end) in [(20, 40), (0, 64), (33, 34), (63, 64), (0, 1), (64, 64)] {
            let row: String =
                (0..64).map(|i| if (begin..end).contains(&i) { 'h' } else { 'n' }).collect();
            let (one, times) = side_by_side(&row, &[begin.min(63)], 1);
            for width in [2, 3, 8, 1024] {
                let (many, sooner) = side_by_side(&row, &[begin.min(63)], width);
                assert_eq!(many.spans(), one.spans(), "{row} {width}");
                assert!(sooner < times, "{row} {width}: {sooner} of {times}");
            }
        }
        for row in ["", "n", "????", "?n??h?h?", "n?h????????h?", "nnhhhhnnnnhhhhnn"] {
            let spans = searched(row, &[]).spans();
            assert_eq!(side_by_side(row, &[], 4).0.spans(), spans, "{row}");
        }
    }

    #[test]
    fn few_are_asked() {
        let row: String = (0..64).map(|i| if (20..40).contains(&i) { 'h' } else { 'n' }).collect();
        let history = searched(&row, &[30]);
        assert!(history.asked() <= SPREAD + 1 + 2 * 4, "{}", history.asked());
        let all = searched(&row, &(0..64).collect::<Vec<_>>());
        assert_eq!((all.asked(), all.spans()), (64, history.spans()));
        // Old releases that refuse the script are not asked one by one.
        let row: String = (0..64).map(|i| if i < 50 { '?' } else { 'h' }).collect();
        let history = searched(&row, &[60]);
        assert!(history.asked() <= SPREAD + MUTE, "{}", history.asked());
    }
}
