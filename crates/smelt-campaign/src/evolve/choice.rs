//! Which release may be taken in the place of the one in use.

use smelt_triage::Class;

use super::data::{Beside, Choice, Evolution};
use super::pace::{self, CHANCE, pace};
use super::sum::Material;
use super::words::{chance, queries};

/// A release is worse if it takes so many times as long in all, and that is not by chance.
const SLOWER: f64 = 1.1;

/// Compares the releases of the solver in use with the one in use, and chooses the newest that is not worse.
pub(super) fn choose(material: &Material<'_>, found: &Evolution, current: usize) -> Choice {
    let solver = &found.releases[current].solver;
    let others =
        (0..found.releases.len()).filter(|&r| r != current && found.releases[r].solver == *solver);
    let rows: Vec<Beside> = others.map(|r| beside(material, r, current)).collect();
    let taken = rows.iter().rev().find(|b| b.release > current && b.worse.is_empty());
    let sentence = sentence(material, found, current, &rows, taken);
    Choice { current, taken: taken.map(|b| b.release), sentence, rows }
}

fn beside(material: &Material<'_>, release: usize, current: usize) -> Beside {
    let items = &material.evolve.items.all;
    let all: Vec<usize> = (0..items.len()).collect();
    let pair = (release, current);
    let names = |wanted: &dyn Fn(usize) -> bool| -> Vec<String> {
        all.iter().filter(|&&i| wanted(i)).map(|&i| items[i].name.clone()).collect()
    };
    // The worst class comes first in the order of classes.
    let worst = |i: usize, r: usize| material.point(i, r)?.faults.iter().map(|f| f.class).min();
    let is_worse = |new: Class, old: Option<Class>| old.is_none_or(|old| new < old);
    let wrong = names(&|i| worst(i, release).is_some_and(|new| is_worse(new, worst(i, current))));
    let missing =
        |i: usize| material.point(i, current).is_some() && material.point(i, release).is_none();
    let missing = all.iter().filter(|&&i| missing(i)).count();
    // What one run suggests counts here, too, if no more were made: better one that stays than one that goes too far.
    let lost = names(&|i| pace::seems_lost(&material.points[i], pair));
    let slower = names(&|i| material.slower.contains_key(&(i, pair)));
    let always = |i: usize| material.point(i, release).is_some_and(|p| p.always && p.solves());
    let never = |i: usize| material.point(i, current).is_some_and(|p| p.never);
    let gained = all.iter().filter(|&&i| always(i) && never(i)).count();
    let pace = pace(material.points, &all, pair);
    let mut worse = Vec::new();
    if missing > 0 {
        worse.push(format!("it could not be run on {}", queries(missing)));
    }
    if !wrong.is_empty() {
        worse.push(format!("it is wrong on {}", queries(wrong.len())));
    }
    let disputed = |i: usize, r: usize| material.point(i, r).is_some_and(|p| p.disputed);
    let open = all.iter().filter(|&&i| disputed(i, release) && !disputed(i, current)).count();
    if open > 0 {
        worse.push(format!("others contradict it on {}", queries(open)));
    }
    if !lost.is_empty() {
        worse.push(format!("it does not decide {}", queries(lost.len())));
    }
    if pace.factor >= SLOWER && pace.p <= CHANCE {
        worse.push(format!("it takes {:.2}× as long ({})", pace.factor, chance(pace.p)));
    } else if pace.factor >= SLOWER && 2 * slower.len() as u64 >= pace.both.max(1) {
        // Of few queries no test as a whole can tell, but repeated runs of each can.
        worse.push(format!("it is slower on {} of {}", queries(slower.len()), pace.both));
    }
    Beside {
        release,
        wrong,
        lost,
        gained: gained as u64,
        slower,
        both: pace.both,
        factor: pace.factor,
        p: pace.p,
        worse,
    }
}

fn sentence(
    material: &Material<'_>,
    found: &Evolution,
    current: usize,
    rows: &[Beside],
    taken: Option<&Beside>,
) -> String {
    let label = |r: usize| found.releases[r].label.as_str();
    let all = queries(material.evolve.items.all.len());
    let newer = rows.iter().filter(|b| b.release > current).count();
    match taken {
        _ if newer == 0 => format!("No release newer than {} was asked.", label(current)),
        Some(b) => format!(
            "{} is the newest release that is not worse than {} on these {all}: it is wrong nowhere else, decides all that {} decides{}, \
             and takes {:.2}× the CPU time for what both decide{}.",
            label(b.release),
            label(current),
            label(current),
            if b.gained > 0 { format!(" and {} more", b.gained) } else { String::new() },
            b.factor,
            match b.slower.len() {
                0 => String::new(),
                n => format!(" (slower, confirmed by repeated runs: {})", queries(n)),
            }
        ),
        None => {
            let newest = rows.iter().rev().find(|b| b.release > current);
            let why = newest.map(|b| format!(" ({}: {})", label(b.release), b.worse.join(", ")));
            format!(
                "None of the {newer} newer releases is as good as {} on these {all}{}: stay with it.",
                label(current),
                why.unwrap_or_default()
            )
        }
    }
}
