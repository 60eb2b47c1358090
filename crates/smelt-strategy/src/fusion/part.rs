//! The formulas that are fused, in one arena, under one model.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;
use smelt_case::{Known, Seed, Status};
use smelt_eval::Model;
use smelt_smtlib::import::Importer;
use smelt_smtlib::{Arena, Command, Fun, FunKind, Head, Script, Term};

use super::transfer::merge;
use crate::Refusal;
use crate::assignment::random_model;
use crate::companions::Companions;
use crate::constant::Constants;
use crate::frame::{Frame, no_recursion};

/// A formula of which is known whether it is satisfiable.
pub struct Part {
    pub declarations: Vec<Command>,
    pub assertions: Vec<Term>,
    /// Never unknown.
    pub status: Status,
    /// Constants that occur, by number.
    pub constants: Vec<Fun>,
}

/// Whether fusion can use what is known about a check: a model, or that there is none.
pub fn usable(known: &Known) -> bool {
    match known.status {
        Status::Sat => known.model.is_some(),
        Status::Unsat => true,
        Status::Unknown => false,
    }
}

/// A check of the seed that fusion can use.
fn choose_check(seed: &Seed, random: &mut ChaCha8Rng) -> Result<usize, Refusal> {
    let fit: Vec<usize> = (0..seed.checks.len()).filter(|&i| usable(&seed.checks[i])).collect();
    if fit.is_empty() {
        let sat = seed.checks.iter().any(|k| k.status == Status::Sat);
        return Err(
            if sat { "a sat seed has no model" } else { "no check has a known status" }.into()
        );
    }
    Ok(fit[random.random_range(0..fit.len())])
}

/// The first seed: it gives the arena, begins the model, and its other checks stay.
pub fn first(
    seed: &Seed,
    random: &mut ChaCha8Rng,
) -> Result<(Script, Part, Model, Companions), Refusal> {
    let check = choose_check(seed, random)?;
    let mut script = seed.workspace();
    let status = seed.checks[check].status;
    whole(&script, status)?;
    let frame = Frame::of(&mut script, true)?;
    let mut model = match &seed.checks[check].model {
        Some(m) if status.is_sat() => Model::clone(m),
        _ => any_model(&mut script, &frame, random),
    };
    model.complete(&script.arena, frame.symbols.iter().copied());
    let companions = Companions::of(seed, &script, &frame, check);
    let part = part(&script.arena, frame, check, status)?;
    Ok((script, part, model, companions))
}

/// Another seed: its symbols are renamed apart, its terms and model are brought in.
pub fn further(
    seed: &Seed,
    number: usize,
    dst: &mut Script,
    model: &mut Model,
    random: &mut ChaCha8Rng,
) -> Result<Part, Refusal> {
    let check = choose_check(seed, random)?;
    let mut script = seed.workspace();
    let status = seed.checks[check].status;
    whole(&script, status)?;
    let mut frame = Frame::of(&mut script, true)?;
    let mut own = match &seed.checks[check].model {
        Some(m) if status.is_sat() => Model::clone(m),
        _ => any_model(&mut script, &frame, random),
    };
    own.complete(&script.arena, frame.symbols.iter().copied());
    let mut importer = Importer::new().rename(&suffix(&dst.arena, &script, number));
    let src = &script.arena;
    let a = &mut dst.arena;
    let mut declarations = Vec::new();
    for c in &frame.declarations {
        declarations.push(match c {
            Command::DeclareSort(d) => Command::DeclareSort(importer.sort_decl(src, a, *d)),
            Command::DeclareDatatypes(ds) => {
                let ds = ds.iter().map(|&d| importer.sort_decl(src, a, d)).collect();
                Command::DeclareDatatypes(ds)
            }
            Command::DeclareFun(f) => Command::DeclareFun(importer.fun(src, a, *f)),
            Command::DefineFun(f) => Command::DefineFun(importer.fun(src, a, *f)),
            Command::DefineFunsRec(fs) => {
                let fs = fs.iter().map(|&f| importer.fun(src, a, f)).collect();
                Command::DefineFunsRec(fs)
            }
            // Uses of defined sorts are already replaced by their meaning.
            _ => continue,
        });
    }
    frame.checks[check] = frame.checks[check].iter().map(|&t| importer.term(src, a, t)).collect();
    merge(&mut importer, src, a, &frame.symbols, &own, model);
    frame.declarations = declarations;
    part(&dst.arena, frame, check, status)
}

/// Whether the assertions say all that the script says. A recursive definition may be contradictory itself, which
/// neither a witness nor the other seed can stand; and an unsat script may be so because of a command that is not understood.
pub(crate) fn whole(script: &Script, status: Status) -> Result<(), Refusal> {
    no_recursion(script)?;
    let harmless = |text: &str| {
        let head = text.trim_start_matches(|c: char| c == '(' || c.is_whitespace());
        ["get-", "echo", "eval", "simplify", "labels", "help"].iter().any(|w| head.starts_with(w))
    };
    let odd = |c: &Command| matches!(c, Command::Other(text) if !harmless(text));
    match status == Status::Unsat && script.commands.iter().any(odd) {
        true => Err("an unsat script has a command that is not understood".into()),
        false => Ok(()),
    }
}

/// For an unsat formula any values will do: they matter where it is only one side of a disjunction.
fn any_model(script: &mut Script, frame: &Frame, random: &mut ChaCha8Rng) -> Model {
    let mut constants = Constants::of(&script.arena, &frame.assertions());
    random_model(&mut script.arena, &frame.symbols, &mut constants, random)
}

fn part(a: &Arena, mut frame: Frame, check: usize, status: Status) -> Result<Part, Refusal> {
    let assertions = std::mem::take(&mut frame.checks[check]);
    if assertions.is_empty() {
        return Err("the check asserts nothing".into());
    }
    let constants = constants_of(a, &assertions);
    Ok(Part { declarations: frame.declarations, assertions, status, constants })
}

/// The declared constants that occur in some terms.
pub fn constants_of(a: &Arena, terms: &[Term]) -> Vec<Fun> {
    let mut out: Vec<Fun> = a
        .dag(terms)
        .into_iter()
        .filter_map(|t| match a.head(t) {
            Head::Fun(f) if a.fun(f).kind == FunKind::Free && a.fun(f).args.is_empty() => Some(f),
            _ => None,
        })
        .collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// A suffix that makes every name of a symbol or sort of `src` one that `dst` does not know.
fn suffix(dst: &Arena, src: &Script, number: usize) -> String {
    let a = &src.arena;
    let funs = (0..a.fun_count()).filter_map(|i| a.fun_at(i)).map(|f| a.fun(f).name);
    let sorts = src.commands.iter().flat_map(|c| match c {
        Command::DeclareSort(d) => std::slice::from_ref(d),
        Command::DeclareDatatypes(ds) => ds,
        _ => &[],
    });
    let names: FxHashSet<&str> =
        funs.chain(sorts.map(|&d| a.sort_decl(d).name)).map(|n| a.name(n)).collect();
    let mut n = number;
    loop {
        let suffix = format!("!{n}");
        if !names.iter().any(|name| dst.find_sym(&format!("{name}{suffix}")).is_some()) {
            return suffix;
        }
        n += 1;
    }
}
