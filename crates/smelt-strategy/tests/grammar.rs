//! Enumeration of grammars against lists that are made apart, without counting: recursively, as the definition of the order says.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use dashu_int::UBig;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use smelt_case::OpSet;
use smelt_strategy::grammar::{
    Cost, Enumerator, Grammar, Recipe, Symbol, SymbolKind, Symmetry, from_table, lint, shipped,
};

/// Most words that are listed of a grammar: 200,000 if SMELT_GRAMMAR is set.
fn most() -> usize {
    if std::env::var_os("SMELT_GRAMMAR").is_some() { 200_000 } else { 20_000 }
}

/// All words of a rule or of a sequence of symbols by size, as lists.
struct Lists<'g> {
    grammar: &'g Grammar,
    cost: Cost,
    rules: HashMap<(usize, usize), Rc<Vec<String>>>,
    /// By place and number of the symbols, and size.
    sequences: HashMap<(usize, usize, usize), Rc<Vec<String>>>,
}

impl<'g> Lists<'g> {
    fn new(grammar: &'g Grammar, cost: Cost) -> Self {
        Self { grammar, cost, rules: HashMap::new(), sequences: HashMap::new() }
    }

    fn cost(&self, rule: usize, symbols: &[Symbol]) -> usize {
        let names: Vec<&str> = symbols
            .iter()
            .filter_map(|s| match s.kind {
                SymbolKind::Rule(r) => Some(self.grammar.rules[r].name.as_str()),
                SymbolKind::Literal(_) => None,
            })
            .collect();
        let has_paren_rule = self.grammar.rules.iter().any(|r| r.name == "ParOpen");
        let opens =
            symbols.iter().any(|s| matches!(&s.kind, SymbolKind::Literal(t) if t.starts_with('(')));
        let own = self.grammar.rules[rule].name.as_str();
        usize::from(match self.cost {
            Cost::Thesis => !names.is_empty(),
            Cost::Published if names.contains(&own) || names.contains(&"ParOpen") => true,
            Cost::Published => !has_paren_rule && opens && !names.is_empty(),
        })
    }

    fn rule(&mut self, rule: usize, size: usize) -> Rc<Vec<String>> {
        if let Some(known) = self.rules.get(&(rule, size)) {
            return known.clone();
        }
        let grammar = self.grammar;
        let mut all = Vec::new();
        for a in &grammar.rules[rule].alternatives {
            if let Some(rest) = size.checked_sub(self.cost(rule, &a.symbols)) {
                all.extend(self.sequence(&a.symbols, rest).iter().cloned());
            }
        }
        let all = Rc::new(all);
        self.rules.insert((rule, size), all.clone());
        all
    }

    /// The first symbols and the last one as a pair: sizes of the first upwards, its words, those of the last.
    fn sequence(&mut self, symbols: &[Symbol], size: usize) -> Rc<Vec<String>> {
        let key = (symbols.as_ptr() as usize, symbols.len(), size);
        if let Some(known) = self.sequences.get(&key) {
            return known.clone();
        }
        let Some((last, first)) = symbols.split_last() else { return Rc::default() };
        let mut all = Vec::new();
        for of_first in 0..=size {
            if matches!(last.kind, SymbolKind::Literal(_)) && of_first < size {
                continue;
            }
            // What has no beginning needs no end, which may be long.
            let firsts = match first.is_empty() {
                true => Rc::new(vec![String::new(); usize::from(of_first == 0)]),
                false => self.sequence(first, of_first),
            };
            if firsts.is_empty() {
                continue;
            }
            let lasts = match &last.kind {
                SymbolKind::Literal(t) => Rc::new(vec![t.clone()]),
                SymbolKind::Rule(r) => self.rule(*r, size - of_first),
            };
            let blank = if first.is_empty() { "" } else { " " };
            for a in firsts.iter() {
                all.extend(lasts.iter().map(|b| format!("{a}{blank}{b}")));
            }
        }
        let all = Rc::new(all);
        self.sequences.insert(key, all.clone());
        all
    }
}

/// The words of a grammar against the lists, up to the largest size with so many.
fn check_words(name: &str, text: &str, cost: Cost, most: usize, unambiguous: bool) {
    let grammar = Grammar::read(text)
        .unwrap_or_else(|e| panic!("{name}: {}", e.render(text.as_bytes(), name)));
    let mut words = Enumerator::new(&grammar, cost).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut lists = Lists::new(&grammar, cost);
    let mut expected = Vec::new();
    for size in 0.. {
        words.reach_size(size);
        if *words.below() > UBig::from(most) || words.is_whole() {
            break;
        }
        let list = lists.rule(grammar.start, size as usize);
        assert_eq!(*words.count(size), UBig::from(list.len()), "{name} {cost:?} size {size}");
        assert_eq!(
            *words.first_of(size),
            UBig::from(expected.len()),
            "{name} {cost:?} size {size}"
        );
        expected.extend(list.iter().map(|w| (size, w.clone())));
    }
    assert!(expected.len() > 20, "{name} {cost:?}: {} words", expected.len());
    let mut walk = words.words_from(&UBig::ZERO);
    for (i, (size, expect)) in expected.iter().enumerate() {
        let word = walk.next().unwrap_or_else(|| panic!("{name} {cost:?}: no word {i}"));
        assert_eq!((word.text(), word.size()), (expect.as_str(), *size), "{name} {cost:?} {i}");
        assert_eq!(walk.index(), UBig::from(i));
    }
    if unambiguous {
        let set: HashSet<&String> = expected.iter().map(|(_, w)| w).collect();
        assert_eq!(set.len(), expected.len(), "{name}: words with two derivations");
    }
    for i in (0..expected.len()).step_by(expected.len() / 50 + 1) {
        assert_eq!(words.nth(&UBig::from(i)).expect("reached").text(), expected[i].1);
        let place = words.index_of(&expected[i].1).expect("a word");
        assert!(
            !unambiguous || (place.index == UBig::from(i) && !place.is_ambiguous),
            "{name} {i}: {place:?}"
        );
        assert_eq!(place.size, expected[i].0);
    }
}

#[test]
fn shipped_grammars_against_lists() {
    for (name, text) in shipped::ALL {
        for cost in [Cost::Thesis, Cost::Published] {
            check_words(name, text, cost, most(), true);
        }
    }
}

/// Grammars with corners: sizes without words, words of size 0 in sequences, parts that are all recursive, few words, one word.
#[test]
fn odd_grammars_against_lists() {
    for text in [
        "grammar A; start : x x x | '(' start ')' ; x : 'a' | 'b' | y ; y : '(c' x | 'd' ;",
        "grammar B; a : 'x' | a a 'y' | b ; b : '(z' a 'w' a a ; start : a b ;",
        "grammar C; start : p q ; p : 'l' | 'm' | 'n' | '(' p ')' ; q : p | p ';' q ;",
        "grammar D; ParOpen : '(' ; ParClose : ')' ; t : ParOpen t t ParClose | v ; v : 'a' | 'b' ; start : t EOF ;",
    ] {
        for cost in [Cost::Thesis, Cost::Published] {
            check_words(&text[..10], text, cost, 2_000, false);
        }
    }
}

#[test]
fn few_words() {
    let text =
        "grammar F; start : 'a' v v | 'b' ; v : '0' | '1' | w ; w : 'w' v2 ; v2 : '2' | '3' ;";
    for cost in [Cost::Thesis, Cost::Published] {
        let grammar = Grammar::read(text).unwrap();
        let mut words = Enumerator::new(&grammar, cost).unwrap();
        assert!(words.reach(&UBig::from(16u8)) && !words.reach(&UBig::from(17u8)));
        let mut walk = words.words_from(&UBig::from(15u8));
        assert!(walk.next().is_some() && walk.next().is_some() && walk.next().is_none());
        assert!(words.nth(&UBig::from(17u8)).is_none() && words.is_whole());
    }
}

/// A random number with so many decimal digits.
fn digits(random: &mut ChaCha8Rng, n: usize) -> UBig {
    let text: String =
        (0..n).map(|i| char::from(b'0' + random.random_range(u8::from(i == 0)..10))).collect();
    text.parse().unwrap()
}

/// Far beyond what can be listed: from a place to a word and back, and from one word to the next ones.
#[test]
fn far_away() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let (names, far): (&[&str], &[usize]) = match std::env::var_os("SMELT_GRAMMAR") {
        Some(_) => (
            &["five-core", "five-ints", "five-strings", "strings", "bvfp", "incremental"],
            &[3, 20, 275, 1000, 1700],
        ),
        None => (&["five-core", "strings", "incremental"], &[3, 20, 120]),
    };
    for name in names {
        for cost in [Cost::Thesis, Cost::Published] {
            let grammar = Grammar::read(shipped::text(name).unwrap()).unwrap();
            let mut words = Enumerator::new(&grammar, cost).unwrap();
            for &n in far {
                let index = digits(&mut random, n);
                assert!(words.reach(&(&index + 1_000u32)));
                let word = words.nth(&index).unwrap();
                let place = words.index_of(word.text()).unwrap();
                assert_eq!(
                    (place.index, place.size),
                    (index.clone(), word.size()),
                    "{name} {cost:?}"
                );
                let mut walk = words.words_from(&index);
                for k in 0..1_000u32 {
                    let next = walk.next().unwrap().text().to_owned();
                    if k % 37 == 0 {
                        assert_eq!(
                            next,
                            words.nth(&(&index + k)).unwrap().text(),
                            "{name} {cost:?} + {k}"
                        );
                    }
                }
            }
        }
    }
}

/// Every word of smelt's own grammars is a script: the first ones, and samples of larger sizes.
#[test]
fn words_are_scripts() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let many = if std::env::var_os("SMELT_GRAMMAR").is_some() { 20_000u32 } else { 300 };
    for (name, text) in shipped::ALL {
        let grammar = Grammar::read(text).unwrap();
        let mut words = Enumerator::new(&grammar, Cost::Thesis).unwrap();
        words.reach_size(40);
        words.reach(&UBig::from(2 * many));
        let check = |word: &str| {
            let read = smelt_smtlib::parse(word.as_bytes());
            read.unwrap_or_else(|e| panic!("{name}: {}", e.render(word.as_bytes(), name)));
        };
        let mut walk = words.words_from(&UBig::ZERO);
        for _ in 0..many {
            check(walk.next().unwrap().text());
        }
        for size in (5..40u32).flat_map(|s| [s; 8]) {
            if let Some(index) = words.sample(size, &mut random) {
                check(words.nth(&index).unwrap().text());
            }
        }
    }
}

/// What is wrong with a grammar, where, and in one sentence.
#[test]
fn broken_grammars() {
    let check = |text: &str, place: (usize, usize), message: &str| {
        let cost = |g: Grammar| Enumerator::new(&g, Cost::Published).map(|_| ());
        let error = Grammar::read(text).and_then(cost).expect_err(text);
        assert_eq!(error.line_column(text.as_bytes()), place, "{text}: {error}");
        assert!(error.message.contains(message), "{text}: {error}");
        assert!(error.render(text.as_bytes(), "x.g").contains('^'), "{text}");
    };
    check("", (1, 1), "ends too early");
    check("grammar A;", (1, 11), "the grammar is empty");
    check("grammar A;\nx : 'a' ;", (1, 1), "no rule `start`");
    check("grammar A;\nstart : y ;", (2, 9), "there is no rule y");
    check("grammar A;\nstart : 'a' | x ;\nx : 'b' x ;", (3, 1), "the rule x has no word");
    check(
        "grammar A;\nx : y | 'a' ; y : x ; start : x ;",
        (2, 1),
        "derives itself, so that a word has no end of derivations: x -> y -> x",
    );
    check(
        "grammar A;\nx : 'a' | y 'b' ; y : x 'c' ; start : x ;",
        (2, 1),
        "at no cost, so that a size has no end of words: x -> y -> x",
    );
    check("grammar A;\nstart : 'a ;", (2, 9), "no end on its line");
    check("grammar A;\nstart : '' ;", (2, 9), "there is no empty word");
    check("grammar A;\nstart : 'a' | ;", (2, 15), "there is no empty word");
    check("grammar A;\nstart : \"a\" ;", (2, 9), "'\"' cannot stand here");
    check("grammar A;\nstart : 'a'* ;", (2, 12), "none of BNF");
    check("grammar A;\nstart : 'a'\nx : 'b' ;", (3, 3), "the rule start does not end before this");
    check("grammar A;\nstart : 'a' ; start : 'b' ;", (2, 15), "defined twice");
    check("grammar A; /* ", (1, 12), "the comment has no end");
}

/// The published grammars, where they are at hand: they load as they are, their words are those of the lists, and what is odd about them is said.
#[test]
fn published_grammars() {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/et/grammars");
    if !folder.is_dir() {
        return;
    }
    for (name, odd) in [
        ("Core", &[][..]),
        ("Ints", &[]),
        ("Reals", &["no word uses the rule op_mod"]),
        ("RealInts", &["b is declared, and no word"]),
        ("Bitvectors", &[]),
        ("Arrays", &[]),
        ("FP", &[]),
        ("Strings", &["words have two derivations", "str_to_int"]),
    ] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.g4"))).unwrap();
        for cost in [Cost::Thesis, Cost::Published] {
            check_words(name, &text, cost, 400, false);
        }
        let grammar = Grammar::read(&text).unwrap();
        let mut words = Enumerator::new(&grammar, Cost::Published).unwrap();
        let warnings = lint(&grammar, &mut words, 2_000);
        let all: Vec<&str> = warnings.iter().map(|w| w.message.as_str()).collect();
        for odd in odd {
            assert!(all.iter().any(|w| w.contains(odd)), "{name} {odd}: {all:#?}");
        }
        assert!(!odd.is_empty() || all.is_empty(), "{name}: {all:#?}");
    }
}

/// The thesis' example of a size, and where the two cost models differ.
#[test]
fn sizes_of_the_thesis() {
    let text = "grammar Core; ParOpen : '(' ; ParClose : ')' ; va : 'a' ; vb : 'b' ; ty : 'Bool' ; dc : 'declare-const' ;
        da : ParOpen dc va ty ParClose ; db : ParOpen dc vb ty ParClose ; c : 'true' | 'false' ; not : 'not' ; ite : 'ite' ;
        t : c | va | vb | ParOpen not t ParClose | ParOpen ite t t t ParClose ;
        cs : 'check-sat' ; check : ParOpen cs ParClose ; as : 'assert' ; assert : ParOpen as t ParClose ;
        start : da db assert check EOF ;";
    let word = |t: &str| {
        format!("( declare-const a Bool ) ( declare-const b Bool ) ( assert {t} ) ( check-sat )")
    };
    for (cost, constant, ite, not) in [(Cost::Thesis, 6, 9, 8), (Cost::Published, 4, 5, 6)] {
        let mut words = Enumerator::new(&Grammar::read(text).unwrap(), cost).unwrap();
        let mut size = |t: &str| words.index_of(&word(t)).unwrap().size;
        assert_eq!(size("false"), constant);
        assert_eq!((size("( ite a b a )"), size("( not ( not a ) )")), (ite, not), "{cost:?}");
        assert!(words.index_of(&word("( nor a b )")).is_none());
    }
}

/// What is passed over as a renaming or an exchange of an earlier word says the same as a word that is kept.
#[test]
fn nothing_is_lost_by_symmetry() {
    let text = shipped::text("ints").unwrap();
    let grammar = Grammar::read(text).unwrap();
    let mut words = Enumerator::new(&grammar, Cost::Thesis).unwrap();
    words.reach_size(3);
    for commutativity in [false, true] {
        let mut symmetry = Symmetry::new(&words, commutativity);
        assert_eq!(symmetry.variables(), [["a", "b"]]);
        let mut walk = words.words_from(&UBig::ZERO);
        let (mut kept, mut all, mut known) = (0u32, 0u32, HashSet::new());
        while let Some(word) = walk.next() {
            all += 1;
            let normal = normal(word.text(), commutativity);
            if symmetry.is_first(&words, word) {
                kept += 1;
                known.insert(normal);
            } else {
                assert!(known.contains(&normal), "{} is lost", word.text());
            }
        }
        // About half of the words, and about a quarter.
        let share = f64::from(kept) / f64::from(all);
        assert!(share < if commutativity { 0.45 } else { 0.6 }, "{kept} of {all}");
    }
}

/// One text for all words that say the same up to renaming and, if asked for, exchange: the least of all renamings with sorted arguments.
fn normal(word: &str, commutativity: bool) -> String {
    let swap = |t: &str| match t {
        "a" => "b".to_owned(),
        "b" => "a".to_owned(),
        t => t.to_owned(),
    };
    let (_, body) = word.split_once("(assert ").unwrap();
    let renamed: Vec<String> = body.split(' ').map(swap).collect();
    [body.to_owned(), renamed.join(" ")]
        .map(|w| sorted(&w, commutativity))
        .into_iter()
        .min()
        .unwrap()
}

fn sorted(word: &str, commutativity: bool) -> String {
    let mut stack: Vec<Vec<String>> = vec![Vec::new()];
    for token in word.split(' ').filter(|t| *t != "(check-sat)") {
        if let Some(op) = token.strip_prefix('(') {
            stack.push(vec![op.to_owned()]);
        } else if token == ")" && stack.len() > 1 {
            let mut node = stack.pop().unwrap();
            let commutes =
                ["and", "or", "xor", "=", "distinct", "+", "*"].contains(&node[0].as_str());
            if commutativity && commutes {
                node[1..].sort();
            }
            stack.last_mut().unwrap().push(format!("({})", node.join(" ")));
        } else if token != ")" {
            stack.last_mut().unwrap().push(token.to_owned());
        }
    }
    stack[0].join(" ")
}

/// Grammars of the operator table: each word is a script, no word comes twice, and constants and sorts of the user's are taken.
#[test]
fn grammars_of_the_operator_table() {
    for theory in [
        "core",
        "ints",
        "reals",
        "realints",
        "bitvec",
        "float",
        "strings",
        "arrays",
        "seq",
        "sets",
        "bags",
        "fields",
        "transcendentals",
    ] {
        let text = from_table(&Recipe::of_theory(theory).unwrap(), &OpSet::all()).unwrap();
        let grammar = Grammar::read(&text)
            .unwrap_or_else(|e| panic!("{}", e.render(text.as_bytes(), theory)));
        let mut words = Enumerator::new(&grammar, Cost::Thesis).unwrap();
        let warnings = lint(&grammar, &mut words, 1_500);
        let shown: Vec<String> =
            warnings.iter().map(|w| w.render_warning(text.as_bytes(), theory)).collect();
        assert!(shown.is_empty(), "{}", shown.join("\n"));
    }
    assert!(Recipe::of_theory("poetry").unwrap_err().contains("there are core, ints"));
    let wrong = Recipe { constants: vec!["\"x\"".into()], ..Recipe::of_theory("ints").unwrap() };
    assert!(from_table(&wrong, &OpSet::all()).unwrap_err().contains("not among the sorts"));
}
