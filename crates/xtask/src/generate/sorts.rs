//! Which sorts and indices the generator chooses where a signature leaves them open.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_smtlib::invert::{Choose, Need, Number};
use smelt_smtlib::{Arena, Op, Sort, SortKind};

use super::numbers::{FORMATS, WIDTHS};

/// How widely sorts are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Sorts that z3 and cvc5 share.
    Shared,
    /// Sorts that z3 and cvc5 share, and those of cvc5 alone: sets, bags, tuples, nullables, fields.
    Cvc5,
}

/// Chooses at random.
pub struct Chooser<'a> {
    /// The stream.
    pub rng: &'a mut ChaCha8Rng,
    /// Instances of the datatypes of the prelude.
    pub datatypes: &'a [Sort],
    /// How widely.
    pub range: Range,
    /// How deeply sorts may be nested.
    pub depth: u32,
    /// The widest bit-vector.
    pub max_width: u32,
}

impl Chooser<'_> {
    fn width(&mut self, low: u32, high: u32) -> u32 {
        let high = high.min(self.max_width.max(low));
        if self.rng.random_bool(0.7) {
            let fitting: Vec<u32> =
                WIDTHS.into_iter().filter(|w| (low..=high).contains(w)).collect();
            if !fitting.is_empty() {
                return fitting[self.rng.random_range(0..fitting.len())];
            }
        }
        self.rng.random_range(low..=high)
    }

    fn element(&mut self, a: &mut Arena) -> Sort {
        let depth = self.depth;
        self.depth = depth.saturating_sub(1);
        let s = self.any(a);
        self.depth = depth;
        s
    }

    fn float(&mut self, a: &mut Arena) -> Sort {
        let (e, m) = if self.rng.random_bool(0.93) {
            FORMATS[self.rng.random_range(0..FORMATS.len())]
        } else {
            (self.rng.random_range(2..10), self.rng.random_range(2..30))
        };
        a.mk_sort(SortKind::Float(e, m))
    }

    fn any(&mut self, a: &mut Arena) -> Sort {
        let nested = self.depth > 0 && self.rng.random_bool(0.25);
        if !nested {
            return match self.rng.random_range(0..16) {
                0 | 1 => Sort::BOOL,
                2..5 => Sort::INT,
                5 | 6 => Sort::REAL,
                7 | 8 => Sort::STRING,
                9 => Sort::RM,
                10 => self.float(a),
                11 if self.range == Range::Cvc5 => self.field(a),
                11 | 12 => self.datatypes[self.rng.random_range(0..self.datatypes.len())],
                _ => {
                    let w = self.width(1, self.max_width);
                    a.bv_sort(w)
                }
            };
        }
        let kinds = if self.range == Range::Cvc5 { 8 } else { 4 };
        let kind = match self.rng.random_range(0..kinds) {
            0 | 1 => {
                let (i, e) = (self.element(a), self.element(a));
                SortKind::Array(i, e)
            }
            2 | 3 => SortKind::Seq(self.element(a)),
            4 => SortKind::Set(self.element(a)),
            5 => SortKind::Bag(self.element(a)),
            6 => SortKind::Nullable(self.element(a)),
            _ => {
                let n = self.rng.random_range(1..3);
                SortKind::Tuple((0..n).map(|_| self.element(a)).collect())
            }
        };
        a.mk_sort(kind)
    }

    fn field(&mut self, a: &mut Arena) -> Sort {
        let order = [2u64, 3, 5, 7, 17, 101, (1 << 31) - 1, (1 << 61) - 1];
        let p = order[self.rng.random_range(0..order.len())];
        a.mk_sort(SortKind::FiniteField(p.into()))
    }
}

impl Choose for Chooser<'_> {
    fn sort(&mut self, a: &mut Arena, need: Need) -> Option<Sort> {
        Some(match need {
            Need::Any => self.any(a),
            Need::Number if self.rng.random_bool(0.5) => Sort::INT,
            Need::Number => Sort::REAL,
            Need::BitVec(low, high) => {
                let w = self.width(low, high);
                a.bv_sort(w)
            }
            Need::Float => self.float(a),
            Need::Field => self.field(a),
            Need::Datatype => self.datatypes[self.rng.random_range(0..self.datatypes.len())],
        })
    }

    fn number(&mut self, op: Op, what: Number, low: u32, high: u32) -> u32 {
        let rng = &mut *self.rng;
        let top =
            match (what, op) {
                (Number::Pick, _) => high,
                // Two arguments mostly, sometimes more.
                (Number::Count, _) if rng.random_bool(0.7) => low,
                (Number::Count, _) => high,
                (Number::Free(0), Op::Divisible) => {
                    let k = rng.random_range(0..32);
                    let near = (1u32 << k).saturating_add(rng.random_range(0..3));
                    return near.saturating_sub(1).clamp(low, high);
                }
                (Number::Free(_), Op::RePow | Op::ReLoop | Op::ReLoopFrom) => {
                    if rng.random_bool(0.95) { 5 } else { 30 }
                }
                (Number::Free(_), Op::Iand) => return self.width(1, self.max_width),
                (Number::Free(_), Op::RotateLeft | Op::RotateRight) => 2 * self.max_width,
                (Number::Free(_), _) => 5,
                (Number::Index, Op::Repeat) => 5,
                (Number::Index, _) => {
                    // The ends of the interval matter most.
                    match rng.random_range(0..8) {
                        0 => return low,
                        1 if high <= low.saturating_add(80) => return high,
                        _ => low.saturating_add(70),
                    }
                }
            };
        self.rng.random_range(low..=top.clamp(low, high))
    }
}
