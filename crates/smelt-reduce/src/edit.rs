//! Edits of a script: terms replaced wherever they stand, commands left out or replaced, new constants. Edits of one pass can be
//! made together.

use rustc_hash::{FxHashMap, FxHashSet};
use smelt_smtlib::arena::Attr;
use smelt_smtlib::{Arena, Command, Fun, Head, Op, Script, Term, VarList};

use crate::original::Symbol;
use crate::subject::Subject;
use crate::used::Used;
use crate::witness::{Definition, Witness};

/// A change of a script that keeps it well-sorted.
#[derive(Clone, Default)]
pub struct Edit {
    /// Commands that are left out, by position.
    pub(crate) drop: Vec<usize>,
    /// Commands in the place of another one.
    pub(crate) put: Vec<(usize, Vec<Command>)>,
    /// Terms that are replaced wherever they stand. The new one has the sort of the old one, and no free variables that the old one has not.
    pub(crate) replace: Vec<(Term, Term)>,
    /// Arguments that are left out of operators of any number of them, by their positions.
    pub(crate) arguments: Vec<(Term, usize)>,
    /// New constants, with what the witness says of them.
    pub(crate) declare: Vec<(Fun, Option<Definition>)>,
    /// Other names of symbols.
    pub(crate) rename: Vec<(Symbol, String)>,
    /// Words of the witness that are others, because those of the script are.
    pub(crate) reword: Vec<(String, String)>,
    /// All of it is another script: such an edit goes with no other.
    pub(crate) whole: Option<Box<Subject>>,
}

impl Edit {
    pub(crate) fn drop(commands: impl IntoIterator<Item = usize>) -> Self {
        Self { drop: commands.into_iter().collect(), ..Self::default() }
    }

    pub(crate) fn put(at: usize, commands: Vec<Command>) -> Self {
        Self { put: vec![(at, commands)], ..Self::default() }
    }

    pub(crate) fn replace(old: Term, new: Term) -> Self {
        Self { replace: vec![(old, new)], ..Self::default() }
    }

    pub(crate) fn argument(of: Term, at: usize) -> Self {
        Self { arguments: vec![(of, at)], ..Self::default() }
    }

    pub(crate) fn whole(subject: Subject) -> Self {
        Self { whole: Some(Box::new(subject)), ..Self::default() }
    }
}

/// Makes edits of a script.
pub(crate) fn edited(base: &Subject, edits: &[&Edit]) -> Option<Subject> {
    if let [one] = edits
        && let Some(whole) = &one.whole
    {
        return Some((**whole).clone());
    }
    if edits.iter().any(|e| e.whole.is_some()) {
        return None;
    }
    let old = &base.script;
    let mut arena = old.arena.clone();
    let mut map: FxHashMap<Term, Term> = FxHashMap::default();
    for (from, to) in edits.iter().flat_map(|e| &e.replace) {
        map.entry(*from).or_insert(*to);
    }
    let dropped: FxHashSet<usize> = edits.iter().flat_map(|e| e.drop.iter().copied()).collect();
    let put: FxHashMap<usize, &Vec<Command>> =
        edits.iter().flat_map(|e| e.put.iter().map(|(i, c)| (*i, c))).collect();
    let declared: Vec<&(Fun, Option<Definition>)> = edits.iter().flat_map(|e| &e.declare).collect();
    let mut fewer: FxHashMap<Term, Vec<usize>> = FxHashMap::default();
    for (t, i) in edits.iter().flat_map(|e| &e.arguments) {
        fewer.entry(*t).or_default().push(*i);
    }
    let mut rebuild = Rebuild { map, fewer, done: FxHashMap::default() };
    let mut commands = Vec::with_capacity(old.commands.len());
    // New constants stand before the first command that can use one.
    let uses = |c: &Command| {
        !matches!(c, Command::SetLogic(_) | Command::SetInfo(..) | Command::SetOption(..))
            && !c.declares()
    };
    let first = old.commands.iter().position(uses).unwrap_or(old.commands.len());
    let first = old
        .commands
        .iter()
        .position(|c| matches!(c, Command::DefineFun(_) | Command::DefineFunsRec(_)))
        .map_or(first, |i| i.min(first));
    let sought = base
        .check
        .and_then(|k| old.commands.iter().enumerate().filter(|(_, c)| c.is_check()).nth(k))
        .map(|(i, _)| i);
    let mut check = None;
    for (i, c) in old.commands.iter().enumerate() {
        if i == first {
            commands.extend(declared.iter().map(|(f, _)| Command::DeclareFun(*f)));
        }
        if sought == Some(i) {
            check = Some(commands.iter().filter(|c| Command::is_check(c)).count());
        }
        match put.get(&i) {
            _ if dropped.contains(&i) => {}
            Some(new) => commands.extend(new.iter().map(|c| rebuild.command(&mut arena, c))),
            None => {
                let new = rebuild.command(&mut arena, c);
                commands.push(new);
            }
        }
    }
    if base.check.is_some() && (check.is_none() || sought.is_some_and(|i| dropped.contains(&i))) {
        return None;
    }
    let mut script = Script { arena, commands };
    prune(old, &mut script);
    let mut witness = base.witness.clone();
    if let Some(witness) = &mut witness {
        declared.iter().flat_map(|(_, d)| d).for_each(|d| witness.add(d.clone()));
    }
    let check = check.or(base.check);
    let words: Vec<&(String, String)> = edits.iter().flat_map(|e| &e.reword).collect();
    if !words.is_empty() {
        witness = witness.map(|w| w.reworded(&words));
    }
    let names: Vec<&(Symbol, String)> = edits.iter().flat_map(|e| &e.rename).collect();
    if !names.is_empty() {
        witness = renamed(&mut script, check.unwrap_or(0), witness, &names)?;
    }
    Some(Subject::made(script, check, witness, base.style.clone()))
}

/// Gives symbols other names, in the script and in its witness, which comes back; `None` if that cannot be written.
fn renamed(
    script: &mut Script,
    check: usize,
    witness: Option<Witness>,
    names: &[&(Symbol, String)],
) -> Option<Option<Witness>> {
    let model = match &witness {
        None => None,
        Some(witness) => Some(witness.model(script, check)?),
    };
    let a = &mut script.arena;
    for (symbol, name) in names {
        let name = a.sym(name);
        match *symbol {
            Symbol::Fun(f) => a.rename_fun(f, name),
            Symbol::Var(v) => a.rename_var(v, name),
            Symbol::Sort(d) => a.rename_sort(d, name),
        }
    }
    match model {
        None => Some(None),
        Some(model) => Witness::of(script, &model).map(Some),
    }
}

/// Leaves out declarations that the old script used and the new one does not, and scopes with nothing in them.
pub(crate) fn prune(old: &Script, new: &mut Script) {
    let (before, after) = (Used::of(old), Used::of(new));
    new.commands.retain(|c| !c.declares() || after.needs(c) || !before.needs(c));
}

/// Rebuilds terms in which others are replaced.
pub(crate) struct Rebuild {
    map: FxHashMap<Term, Term>,
    /// Arguments that are left out, by their positions.
    fewer: FxHashMap<Term, Vec<usize>>,
    done: FxHashMap<Term, Term>,
}

impl Rebuild {
    /// A command with its terms rebuilt; definitions are changed in the arena.
    pub fn command(&mut self, a: &mut Arena, c: &Command) -> Command {
        match c {
            Command::Assert(t) => Command::Assert(self.term(a, *t)),
            Command::AssertSoft(t, text) => Command::AssertSoft(self.term(a, *t), text.clone()),
            Command::Minimize(t, text) => Command::Minimize(self.term(a, *t), text.clone()),
            Command::Maximize(t, text) => Command::Maximize(self.term(a, *t), text.clone()),
            Command::CheckSatAssuming(ts) => {
                Command::CheckSatAssuming(ts.iter().map(|&t| self.term(a, t)).collect())
            }
            Command::GetValue(ts) => {
                Command::GetValue(ts.iter().map(|&t| self.term(a, t)).collect())
            }
            Command::DefineFun(f) => {
                self.definition(a, *f);
                c.clone()
            }
            Command::DefineFunsRec(fs) => {
                fs.iter().for_each(|&f| self.definition(a, f));
                c.clone()
            }
            _ => c.clone(),
        }
    }

    fn definition(&mut self, a: &mut Arena, f: Fun) {
        let Some((params, body)) = a.fun(f).def else { return };
        let new = self.term(a, body);
        if new != body {
            a.set_definition(f, params, new);
        }
    }

    /// A term in which others are replaced; replacements are looked at again if they are smaller than what they replace.
    pub fn term(&mut self, a: &mut Arena, root: Term) -> Term {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.done.contains_key(&t) {
                stack.pop();
                continue;
            }
            if let Some(&to) = self.map.get(&t) {
                let smaller = (a.tree_size(to), to) < (a.tree_size(t), t);
                match self.done.get(&to) {
                    Some(&new) if smaller => {
                        self.done.insert(t, new);
                        stack.pop();
                    }
                    None if smaller => stack.push(to),
                    _ => {
                        self.done.insert(t, to);
                        stack.pop();
                    }
                }
                continue;
            }
            let waiting = stack.len();
            stack.extend(a.args(t).iter().copied().filter(|x| !self.done.contains_key(x)));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let args: Vec<Term> = a.args(t).iter().map(|x| self.done[x]).collect();
            let same = args == a.args(t);
            let mut new = if same { t } else { a.with_args(t, &args) };
            if let Some(positions) = self.fewer.get(&t) {
                new = without(a, new, positions).unwrap_or(new);
            }
            if let (false, Head::Annot(attrs)) = (same, a.head(t)) {
                // A name means what it is written on.
                let named: Vec<Fun> = a
                    .attr_list(attrs)
                    .iter()
                    .filter_map(|x| if let Attr::Named(f) = x { Some(*f) } else { None })
                    .collect();
                named.into_iter().for_each(|f| a.set_definition(f, VarList::EMPTY, args[0]));
            }
            self.done.insert(t, new);
        }
        self.done[&root]
    }
}

/// An operator applied to fewer arguments, without those at some positions; `None` if it needs them.
pub(crate) fn without(a: &mut Arena, t: Term, positions: &[usize]) -> Option<Term> {
    let Head::Op(op, idx) = a.head(t) else { return None };
    let all = a.args(t).iter().enumerate();
    let left: Vec<Term> = all.filter(|(i, _)| !positions.contains(i)).map(|(_, &x)| x).collect();
    let indices = a.indices(idx).to_vec();
    let new = match left[..] {
        [] if matches!(op, Op::And | Op::Or) => a.mk_bool(op == Op::And),
        [] => return None,
        [one] if a.sort(one) == a.sort(t) => one,
        _ => a.app(op, &indices, &left).ok()?,
    };
    (a.sort(new) == a.sort(t)).then_some(new)
}
