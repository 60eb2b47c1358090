//! Which part of the work is done here.

use smelt_campaign::sequence::Part;

/// A part of all: `I/N`, from 1.
pub fn part(text: &str) -> Result<Part, String> {
    let number = |text: &str| text.parse::<u64>().ok();
    let parts = text.split_once('/').and_then(|(i, n)| Some((number(i)?, number(n)?)));
    match parts {
        Some((i, n)) if (1..=n).contains(&i) => Ok(Part { own: i - 1, of: n }),
        _ => Err("I/N is needed with 1 <= I <= N, such as 2/8".into()),
    }
}
