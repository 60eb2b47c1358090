//! A smaller script on which a solver is still slower than another one.

use std::time::Duration;

use smelt_smtlib::parse;
use smelt_solver::RunError;
use smelt_trial::Target;
use smelt_trial::shrink::{Effort, Generic, Test, generic};

use super::confirm::{Terms, confirm, is_slower, times};
use super::data::Smaller;

/// Seeds with which a candidate is run: each must show it.
const SEEDS: u32 = 2;

/// How long a script is made smaller.
const TIME: Duration = Duration::from_secs(180);

/// Whether one solver is slower than the other on a text.
struct StillSlower<'a> {
    pair: [&'a Target; 2],
    terms: Terms<'a>,
}

impl Test for StillSlower<'_> {
    fn holds(&self, text: &str) -> Result<bool, RunError> {
        let Ok(script) = parse(text.as_bytes()) else {
            return Ok(false);
        };
        if script.queries().is_empty() {
            return Ok(false);
        }
        let [slow, fast] = times(self.pair, &script, SEEDS, self.terms)?;
        let answers = slow.without.is_none() && fast.without.is_none() && fast.timeouts == 0;
        let mut both = slow.seconds.iter().zip(&fast.seconds);
        Ok(answers && both.all(|(slow, fast)| is_slower(*slow, *fast)))
    }
}

/// Makes a script smaller; nothing if what is left is not confirmed with all seeds.
pub fn smaller(
    pair: [&Target; 2],
    text: &str,
    file: &str,
    terms: Terms<'_>,
) -> Result<Option<Smaller>, RunError> {
    let effort = Effort { time: Some(TIME), ..Effort::new(terms.limit, terms.cancel) };
    let test = StillSlower { pair, terms };
    let made = match generic(text, &test, &effort, &mut |_| {}) {
        Ok(made) => made.text,
        Err(Generic::Run(e)) => return Err(e),
        Err(Generic::DoesNotHold | Generic::HoldsOfNothing) => return Ok(None),
    };
    let Ok(script) = parse(made.as_bytes()) else { return Ok(None) };
    let slow = confirm(pair, &script, file, terms)?;
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len().max(1) as f64;
    let means = (mean(&slow.seconds), mean(&slow.than));
    Ok(slow.confirmed.then(|| Smaller { file: file.to_owned(), script: made, means }))
}
