//! Signatures in the format of YinYang's `typefuzz_config.txt`, which is that of SMT-LIB's theory declarations.
//!
//! ```text
//! (div Int Int Int :left-assoc)      argument sorts, then the result
//! (par (A) (ite Bool A A A))         with sort parameters
//! (bvadd (_ BitVec 8) (_ BitVec 8) (_ BitVec 8))
//! (par (A) (id A A))                 the expression itself: always there
//! ```

use smelt_smtlib::{Arena, Op, Sort, SortKind};

use super::pool::Pool;
use super::producers::Producer;
use crate::Refusal;

/// A word or a list of the file.
#[derive(Debug, PartialEq, Eq)]
enum Item {
    Word(String),
    List(Vec<Item>),
}

/// A sort as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Shape {
    Param(usize),
    Plain(Sort),
    BitVec(u32),
    Float(u32, u32),
    /// A sort constructor of the standard with its arguments.
    Over(Over, Vec<Shape>),
    /// A sort that a script declares.
    Declared(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    Array,
    Seq,
    Set,
    Bag,
}

#[derive(Debug)]
struct Signature {
    ops: Vec<Op>,
    params: usize,
    args: Vec<Shape>,
    ret: Shape,
    /// Whether the last two arguments may be followed by more of their sort.
    more: bool,
}

/// The signatures of a file.
#[derive(Debug)]
pub(super) struct Signatures(Vec<Signature>);

impl Signatures {
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let mut out = Vec::new();
        for (line, item) in items(text)? {
            let place = |e: String| format!("signatures, line {line}: {e}");
            if let Some(s) = signature(&item).map_err(place)? {
                out.push(s);
            }
        }
        Ok(Self(out))
    }

    /// Keeps only some operators.
    pub fn keep(&mut self, wanted: impl Fn(Op) -> bool) {
        for s in &mut self.0 {
            s.ops.retain(|&op| wanted(op));
        }
        self.0.retain(|s| !s.ops.is_empty());
    }

    /// The uses of signatures that give a sort. Parameters that the result leaves open range over the sorts of the script.
    pub fn producers(&self, a: &mut Arena, pool: &Pool, sort: Sort, out: &mut Vec<Producer>) {
        for s in &self.0 {
            let mut params = vec![None; s.params];
            if !matches(a, &s.ret, sort, &mut params) {
                continue;
            }
            let open: Vec<usize> = (0..s.params).filter(|&i| params[i].is_none()).collect();
            let choices: &[Sort] = if open.is_empty() { &[Sort::BOOL] } else { &pool.sorts };
            for &choice in choices {
                for &i in &open {
                    params[i] = Some(choice);
                }
                let args: Option<Vec<Sort>> = s.args.iter().map(|p| made(a, p, &params)).collect();
                if let Some(mut args) = args {
                    out.push(Producer::Given(s.ops.clone().into(), args.clone().into()));
                    if let (true, Some(&last)) = (s.more, args.last()) {
                        args.push(last);
                        out.push(Producer::Given(s.ops.clone().into(), args.into()));
                    }
                }
            }
        }
    }
}

/// Matches a written sort against a real one.
fn matches(a: &mut Arena, shape: &Shape, sort: Sort, params: &mut [Option<Sort>]) -> bool {
    match shape {
        Shape::Param(i) => match params[*i] {
            Some(bound) => bound == sort,
            None => {
                params[*i] = Some(sort);
                true
            }
        },
        Shape::Over(over, parts) => {
            let inner: Vec<Sort> = match (over, a.sort_kind(sort)) {
                (Over::Array, SortKind::Array(i, e)) => vec![*i, *e],
                (Over::Seq, SortKind::Seq(e))
                | (Over::Set, SortKind::Set(e))
                | (Over::Bag, SortKind::Bag(e)) => vec![*e],
                _ => return false,
            };
            parts.iter().zip(inner).all(|(p, s)| matches(a, p, s, params))
        }
        _ => made(a, shape, params) == Some(sort),
    }
}

/// The sort that is written, if its parameters are known and its name is declared.
fn made(a: &mut Arena, shape: &Shape, params: &[Option<Sort>]) -> Option<Sort> {
    Some(match shape {
        Shape::Param(i) => params[*i]?,
        Shape::Plain(s) => *s,
        Shape::BitVec(w) => a.bv_sort(*w),
        Shape::Float(e, m) => a.mk_sort(SortKind::Float(*e, *m)),
        Shape::Over(over, parts) => {
            let parts = parts.iter().map(|p| made(a, p, params)).collect::<Option<Vec<_>>>()?;
            a.mk_sort(match over {
                Over::Array => SortKind::Array(parts[0], parts[1]),
                Over::Seq => SortKind::Seq(parts[0]),
                Over::Set => SortKind::Set(parts[0]),
                Over::Bag => SortKind::Bag(parts[0]),
            })
        }
        Shape::Declared(name) => (0..a.sort_count()).filter_map(|i| a.sort_at(i)).find(|&s| {
            matches!(a.sort_kind(s), SortKind::Named(d, args)
                if args.is_empty() && a.name(a.sort_decl(*d).name) == name)
        })?,
    })
}

fn signature(item: &Item) -> Result<Option<Signature>, String> {
    let Item::List(all) = item else { return Err("a signature in parentheses is needed".into()) };
    let (params, body) = match all.as_slice() {
        [Item::Word(par), Item::List(params), Item::List(body)] if par == "par" => {
            let names: Option<Vec<&str>> = params
                .iter()
                .map(|p| match p {
                    Item::Word(w) => Some(w.as_str()),
                    Item::List(_) => None,
                })
                .collect();
            (names.ok_or("sort parameters are names")?, body.as_slice())
        }
        body => (Vec::new(), body),
    };
    let [Item::Word(name), rest @ ..] = body else {
        return Err("a signature begins with the name of an operator".into());
    };
    let mut shapes = Vec::new();
    let mut more = false;
    for item in rest {
        match item {
            Item::Word(w) if w.starts_with(':') => match w.as_str() {
                ":left-assoc" | ":right-assoc" | ":chainable" | ":pairwise" => more = true,
                _ => return Err(format!("unknown attribute `{w}`")),
            },
            item => shapes.push(shape(item, &params)?),
        }
    }
    let ret = shapes.pop().ok_or_else(|| format!("`{name}` has no result sort"))?;
    if name == "id" {
        return Ok(None);
    }
    let ops = Op::by_name(name).to_vec();
    if ops.is_empty() {
        return Err(format!("unknown operator `{name}`"));
    }
    Ok(Some(Signature { ops, params: params.len(), args: shapes, ret, more }))
}

fn shape(item: &Item, params: &[&str]) -> Result<Shape, String> {
    match item {
        Item::Word(w) => Ok(match w.as_str() {
            w if params.contains(&w) => {
                Shape::Param(params.iter().position(|p| *p == w).unwrap_or(0))
            }
            "Bool" => Shape::Plain(Sort::BOOL),
            "Int" => Shape::Plain(Sort::INT),
            "Real" => Shape::Plain(Sort::REAL),
            "String" => Shape::Plain(Sort::STRING),
            "RegLan" => Shape::Plain(Sort::REGLAN),
            "RoundingMode" => Shape::Plain(Sort::RM),
            "Float16" => Shape::Float(5, 11),
            "Float32" => Shape::Float(8, 24),
            "Float64" => Shape::Float(11, 53),
            "Float128" => Shape::Float(15, 113),
            w => Shape::Declared(w.to_owned()),
        }),
        Item::List(all) => {
            let words: Vec<&str> =
                all.iter().map(|i| if let Item::Word(w) = i { w.as_str() } else { "" }).collect();
            let number = |w: &str| w.parse::<u32>().ok().filter(|n| (1..=65536).contains(n));
            match words.as_slice() {
                ["_", "BitVec", w] => number(w).map(Shape::BitVec),
                ["_", "FloatingPoint", e, m] => match (number(e), number(m)) {
                    (Some(e @ 2..=64), Some(m @ 2..=1024)) => Some(Shape::Float(e, m)),
                    _ => None,
                },
                [name, parts @ ..] => {
                    let over = match (*name, parts.len()) {
                        ("Array", 2) => Some(Over::Array),
                        ("Seq", 1) => Some(Over::Seq),
                        ("Set", 1) => Some(Over::Set),
                        ("Bag", 1) => Some(Over::Bag),
                        _ => None,
                    };
                    match over {
                        Some(over) => {
                            let parts: Result<Vec<_>, String> =
                                all[1..].iter().map(|p| shape(p, params)).collect();
                            Some(Shape::Over(over, parts?))
                        }
                        None => None,
                    }
                }
                [] => None,
            }
            .ok_or_else(|| "this sort is not understood".into())
        }
    }
}

/// Splits a text into its top-level items, each with its line.
fn items(text: &str) -> Result<Vec<(usize, Item)>, Refusal> {
    /// Signatures are flat; this bounds the work on anything else.
    const DEPTH: usize = 16;
    let mut out = Vec::new();
    let mut stack: Vec<(usize, Vec<Item>)> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line_no = i + 1;
        let line = line.split(';').next().unwrap_or("");
        let spaced = line.replace('(', " ( ").replace(')', " ) ");
        for word in spaced.split_whitespace() {
            let done = match word {
                "(" if stack.len() >= DEPTH => {
                    return Err(format!("signatures, line {line_no}: nested too deeply").into());
                }
                "(" => {
                    stack.push((line_no, Vec::new()));
                    continue;
                }
                ")" => match stack.pop() {
                    Some((start, list)) => (start, Item::List(list)),
                    None => {
                        return Err(format!("signatures, line {line_no}: `)` without `(`").into());
                    }
                },
                word => (line_no, Item::Word(word.to_owned())),
            };
            match stack.last_mut() {
                Some((_, list)) => list.push(done.1),
                None => out.push(done),
            }
        }
    }
    match stack.first() {
        Some((line, _)) => Err(format!("signatures, line {line}: `(` without `)`").into()),
        None => Ok(out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format() {
        let text = "; comment\n(par (A) (id A A))\n(not Bool Bool) ; negation\n(+ Int Int Int :left-assoc)\n\
            (par (X Y) (select (Array X Y) X Y))\n(bvadd (_ BitVec 8) (_ BitVec 8) (_ BitVec 8))\n(re.none RegLan)";
        let s = Signatures::parse(text).unwrap();
        assert_eq!(s.0.len(), 5);
        assert!(s.0[1].more && !s.0[0].more);
        assert_eq!(s.0[2].args.len(), 2);
        let script =
            smelt_smtlib::parse(b"(declare-const a (Array Int Bool))(assert (select a 1))")
                .unwrap();
        let mut arena = script.arena.clone();
        let visible = crate::visible::Visible::new(&script);
        let mut pool = Pool::default();
        pool.add(&arena, &visible, &script.roots());
        let mut count = |sort| {
            let mut out = Vec::new();
            s.producers(&mut arena, &pool, sort, &mut out);
            out.len()
        };
        // `not`; `select` from arrays by Int, by Bool and by arrays.
        assert_eq!(count(Sort::BOOL), 1 + 3);
        // `+` with two and with three arguments; the same selects.
        assert_eq!(count(Sort::INT), 2 + 3);
    }

    #[test]
    fn errors() {
        let error = |text: &str| Signatures::parse(text).unwrap_err();
        assert_eq!(error("\n(foo Int Int)"), "signatures, line 2: unknown operator `foo`");
        assert_eq!(error("(+ Int"), "signatures, line 1: `(` without `)`");
        assert_eq!(error(")"), "signatures, line 1: `)` without `(`");
        assert_eq!(error("(+ Int Int :assoc)"), "signatures, line 1: unknown attribute `:assoc`");
        assert_eq!(error("(+ (_ BitVec 0))"), "signatures, line 1: this sort is not understood");
        assert_eq!(error("+"), "signatures, line 1: a signature in parentheses is needed");
    }
}
