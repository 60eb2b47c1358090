//! Evaluation along a chain of small changes.
//!
//! The values of all sub-terms are kept by their number. After [`Arena::replace_at`] only the terms on the path to the
//! root are new, so only they are evaluated. When the arena is rolled back, numbers are given out again: the values beyond
//! its end must be forgotten first, which [`Incremental::rollback`] does.
//!
//! ```
//! use smelt_eval::{Model, Value, incremental::Incremental};
//! let mut script = smelt_smtlib::parse(b"(assert (< 1 (+ 2 3)))(check-sat)").unwrap();
//! let root = script.queries()[0].assertions[0];
//! let arena = &mut script.arena;
//! let mut values = Incremental::new(Model::new());
//! assert_eq!(values.eval(arena, root), Ok(Value::TRUE));
//! let mark = arena.mark();
//! let nine = arena.mk_int(9u32);
//! let changed = arena.replace_at(root, &[0], nine).unwrap();
//! assert_eq!(values.eval(arena, changed), Ok(Value::FALSE));
//! values.rollback(arena, mark);
//! ```

use crate::eval::Evaluator;
use crate::model::Model;
use crate::outcome::{Limits, Outcome};
use crate::value::Value;
use smelt_smtlib::arena::Mark;
use smelt_smtlib::{Arena, Fun, Term};

/// The values of the terms of one arena (and of overlays on it, as long as it is one at a time) under one model.
pub struct Incremental {
    model: Model,
    evaluator: Evaluator,
}

impl Incremental {
    /// Nothing is known yet.
    pub fn new(model: Model) -> Incremental {
        Incremental::with_limits(model, Limits::default())
    }

    /// Nothing is known yet; with bounds.
    pub fn with_limits(model: Model, limits: Limits) -> Incremental {
        Incremental { model, evaluator: Evaluator::new(limits) }
    }

    /// The value of a term.
    #[inline]
    pub fn eval(&mut self, arena: &Arena, t: Term) -> Outcome {
        self.evaluator.eval(arena, &self.model, t)
    }

    /// The value of a Boolean term, if it is determined.
    #[inline]
    pub fn holds(&mut self, arena: &Arena, t: Term) -> Option<bool> {
        match self.eval(arena, t) {
            Ok(Value::Bool(b)) => Some(b),
            _ => None,
        }
    }

    /// Rolls the arena back, and forgets what was known about terms that are no more.
    pub fn rollback(&mut self, arena: &mut Arena, mark: Mark) {
        arena.rollback(mark);
        self.evaluator.truncate(arena);
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Gives a new symbol a value. Nothing that is known depends on it.
    pub fn extend(&mut self, f: Fun, value: Value) {
        self.model.set_value(f, value);
    }

    /// Takes a symbol out of the model that was put in by [`Incremental::extend`], after the terms that use it have been
    /// rolled back.
    pub fn withdraw(&mut self, f: Fun) {
        self.model.unset(f);
    }

    /// Goes on with another model: nothing is known about it.
    pub fn set_model(&mut self, model: Model) {
        self.model = model;
        self.evaluator.clear();
    }

    /// The evaluator, for traces.
    pub fn evaluator(&mut self) -> (&mut Evaluator, &Model) {
        (&mut self.evaluator, &self.model)
    }
}
