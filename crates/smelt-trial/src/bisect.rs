//! Where in a row of releases (or of anything that is in order) a fault begins or ends.

use smelt_triage::Says;

/// The first place where the fault shows, if it shows at the last place that can tell and everywhere behind the one that is sought; `None`
/// if it does not show at the end. Places that cannot tell are passed over, to the next one that can.
pub fn first<T, E>(
    all: &[T],
    mut says: impl FnMut(&T) -> Result<Says, E>,
) -> Result<Option<usize>, E> {
    search(all.len(), |i| says(&all[i]))
}

/// The last place where the fault shows, if it shows at the first place that can tell and everywhere before the one that is sought; `None`
/// if it does not show at the beginning.
pub fn last<T, E>(
    all: &[T],
    mut says: impl FnMut(&T) -> Result<Says, E>,
) -> Result<Option<usize>, E> {
    let n = all.len();
    Ok(search(n, |i| says(&all[n - 1 - i]))?.map(|i| n - 1 - i))
}

/// The first of `0..n` that holds, where all behind one that holds do so, too.
fn search<E>(n: usize, mut says: impl FnMut(usize) -> Result<Says, E>) -> Result<Option<usize>, E> {
    // Whether it holds at the nearest place in a range that can tell, and which one that is; from the end of the range on.
    let mut near = |from: usize, to: usize| -> Result<Option<(usize, bool)>, E> {
        for i in (from..to).rev() {
            match says(i)? {
                Says::Holds => return Ok(Some((i, true))),
                Says::DoesNot => return Ok(Some((i, false))),
                Says::Open | Says::Other(_) => {}
            }
        }
        Ok(None)
    };
    let Some((mut best, true)) = near(0, n)? else { return Ok(None) };
    let mut low = 0;
    // What is sought is in `low..=best`, and `best` holds.
    while low < best {
        let middle = low + (best - low) / 2;
        match near(low, middle + 1)? {
            Some((at, true)) => best = at,
            Some((_, false)) => low = middle + 1,
            // Nobody at or before the middle can tell.
            None => low = middle + 1,
        }
    }
    Ok(Some(best))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places by letters: it holds, it does not, or it is open.
    #[test]
    fn where_it_begins_and_ends() {
        for (row, begins, ends) in [
            ("", None, None),
            ("n", None, None),
            ("h", Some(0), Some(0)),
            ("nnnhhhhh", Some(3), None),
            ("nnnnnnnh", Some(7), None),
            ("hhhhhnnn", None, Some(4)),
            ("hhhhhhhh", Some(0), Some(7)),
            ("?n??h?h?", Some(4), None),
            ("h?h??n?", None, Some(2)),
            ("????", None, None),
            ("??h??", Some(2), Some(2)),
            ("nn?????hh", Some(7), None),
        ] {
            let row: Vec<char> = row.chars().collect();
            let asked = std::cell::RefCell::new(Vec::new());
            let says = |c: &char| -> Result<Says, ()> {
                asked.borrow_mut().push(*c);
                Ok(match c {
                    'h' => Says::Holds,
                    'n' => Says::DoesNot,
                    _ => Says::Open,
                })
            };
            assert_eq!(first(&row, says), Ok(begins), "{row:?}");
            // Without open places, few are asked.
            let most = row.len().checked_ilog2().map_or(0, |n| n as usize + 2);
            assert!(row.contains(&'?') || asked.borrow().len() <= most, "{row:?}");
            assert_eq!(last(&row, says), Ok(ends), "{row:?}");
        }
    }
}
