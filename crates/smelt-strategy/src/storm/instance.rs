//! Instances: scripts made of the fragments of one pool.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use smelt_case::Expectation;
use smelt_smtlib::{Arena, Command, Fun, Op, Term};

use super::Settings;
use super::pool::Pool;
use crate::Refusal;

/// What an instance consists of.
pub(super) struct Parts {
    pub commands: Vec<Command>,
    pub expect: Vec<Expectation>,
    pub what: String,
    /// Constants for assumptions that are used.
    pub guards: Vec<Fun>,
}

/// An instance that is being made.
pub(super) struct Instance<'a> {
    a: &'a mut Arena,
    pool: &'a mut Pool,
    settings: &'a Settings,
    guards: &'a [(Fun, bool)],
    /// Open scopes: whether each holds a false pick.
    scopes: Vec<bool>,
    parts: Parts,
    assertions: usize,
}

impl<'a> Instance<'a> {
    pub fn new(
        a: &'a mut Arena,
        pool: &'a mut Pool,
        settings: &'a Settings,
        guards: &'a [(Fun, bool)],
    ) -> Self {
        let parts = Parts {
            commands: Vec::new(),
            expect: Vec::new(),
            what: String::new(),
            guards: Vec::new(),
        };
        Self { a, pool, settings, guards, scopes: Vec::new(), parts, assertions: 0 }
    }

    /// One to Amax assertions and a check.
    pub fn plain(&mut self, random: &mut ChaCha8Rng) -> Result<(), Refusal> {
        for _ in 0..random.random_range(1..=self.settings.amax) {
            let t = self.pick(true, random)?;
            self.assert(t);
        }
        self.check(random);
        self.parts.what = format!("{} assertions, each true under the witness", self.assertions);
        Ok(())
    }

    /// One to Amax assertions over several scopes, with several checks.
    pub fn incremental(&mut self, random: &mut ChaCha8Rng) -> Result<(), Refusal> {
        let wanted = random.random_range(1..=self.settings.amax);
        let (mut deepest, mut left) = (0, 0);
        while self.assertions < wanted {
            match random.random_range(0..20) {
                0..3 if self.scopes.len() < 6 => {
                    self.parts.commands.push(Command::Push(1));
                    self.scopes.push(false);
                    deepest = deepest.max(self.scopes.len());
                }
                3..5 if !self.scopes.is_empty() => self.pop(1),
                5..7 => self.check(random),
                7 => self.assume(random)?,
                8 if !self.scopes.is_empty() => {
                    let t = self.pick(false, random)?;
                    self.assert(t);
                    if let Some(scope) = self.scopes.last_mut() {
                        *scope = true;
                    }
                    left += 1;
                    // Something has to be learnt in the scope before it is left.
                    self.check(random);
                }
                _ => {
                    let t = self.pick(true, random)?;
                    self.assert(t);
                }
            }
        }
        if let Some(first) = self.scopes.iter().position(|&s| s) {
            self.pop(self.scopes.len() - first);
        }
        self.check(random);
        self.parts.what = format!(
            "{} assertions over {deepest} scopes, {left} of them false and left again; the rest true under the witness",
            self.assertions
        );
        Ok(())
    }

    pub fn finish(self) -> Parts {
        self.parts
    }

    fn pick(&mut self, value: bool, random: &mut ChaCha8Rng) -> Result<Term, Refusal> {
        let fragment = self.pool.pick(random);
        self.pool
            .as_value(self.a, fragment, value)
            .ok_or_else(|| "a built formula has another value than its parts say".into())
    }

    fn assert(&mut self, t: Term) {
        self.parts.commands.push(Command::Assert(t));
        self.assertions += 1;
    }

    fn pop(&mut self, n: usize) {
        self.parts.commands.push(Command::Pop(n as u32));
        self.scopes.truncate(self.scopes.len() - n);
    }

    fn check(&mut self, random: &mut ChaCha8Rng) {
        let tactics = &self.settings.tactics;
        self.parts.commands.push(match tactics.len() {
            0 => Command::CheckSat,
            n => Command::CheckSatUsing(tactics[random.random_range(0..n)].clone()),
        });
        self.expect();
    }

    /// What the check that was just added must answer.
    fn expect(&mut self) {
        let open = self.scopes.contains(&true);
        let witness = || Expectation::Sat(Some(self.pool.model.clone()));
        let e = if open { Expectation::Open } else { witness() };
        self.parts.expect.push(e);
    }

    /// Gives fragments a name (a Boolean constant with the fragment's value) and assumes the names, as literals.
    fn assume(&mut self, random: &mut ChaCha8Rng) -> Result<(), Refusal> {
        let mut literals = Vec::new();
        let count = random.random_range(1..=self.guards.len());
        for &(f, value) in &self.guards[..count] {
            let guard = self.a.mk_fun(f);
            let named = self.pick(value, random)?;
            let link = self.a.app(Op::Eq, &[], &[guard, named]);
            let literal = if value { Ok(guard) } else { self.a.app(Op::Not, &[], &[guard]) };
            let (Ok(link), Ok(literal)) = (link, literal) else {
                return Err("an assumption cannot be written".into());
            };
            let holds = |t, pool: &mut Pool, a: &Arena| pool.values.holds(a, t) == Some(true);
            if !holds(link, self.pool, self.a) || !holds(literal, self.pool, self.a) {
                return Err("a built formula has another value than its parts say".into());
            }
            self.assert(link);
            literals.push(literal);
            if !self.parts.guards.contains(&f) {
                self.parts.guards.push(f);
            }
        }
        self.parts.commands.push(Command::CheckSatAssuming(literals.into()));
        self.expect();
        Ok(())
    }
}
