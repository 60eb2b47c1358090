//! Parameters of strategies: `name=value`.

use std::str::FromStr;

use crate::{Parameter, Refusal};

/// Parameters, with the names that are known.
pub struct Parameters<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Parameters<'a> {
    /// Reads parameters; one that is not known, or has no value, is refused.
    pub fn read(list: &'a [String], known: &[Parameter]) -> Result<Self, Refusal> {
        let mut out = Vec::new();
        for p in list {
            let Some((name, value)) = p.split_once('=') else {
                return Err(format!("the parameter `{p}` is not of the form name=value").into());
            };
            if known.iter().all(|(n, _)| *n != name) {
                let known: Vec<&str> = known.iter().map(|(n, _)| *n).collect();
                return Err(
                    format!("unknown parameter `{name}` (known: {})", known.join(", ")).into()
                );
            }
            out.push((name, value));
        }
        Ok(Self(out))
    }

    /// All that have a name, for somebody who needs to look at a few only.
    pub fn any(list: &'a [String]) -> Self {
        Self(list.iter().filter_map(|p| p.split_once('=')).collect())
    }

    /// The value of a parameter as text.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.0.iter().rev().find(|(n, _)| *n == name).map(|(_, v)| *v)
    }

    /// The value of a parameter, or what it is if it is not given.
    pub fn get<T: FromStr>(&self, name: &str, default: T) -> Result<T, Refusal> {
        match self.text(name) {
            None => Ok(default),
            Some(v) => v.parse().map_err(|_| format!("`{name}={v}` cannot be read").into()),
        }
    }

    /// A number of things that are made at once: not more than so many.
    pub fn count(&self, name: &str, default: usize, most: usize) -> Result<usize, Refusal> {
        match self.get(name, default)? {
            n if n <= most => Ok(n),
            n => Err(format!("`{name}={n}`: at most {most}").into()),
        }
    }

    /// A switch: `on` or `off`.
    pub fn switch(&self, name: &str, default: bool) -> Result<bool, Refusal> {
        match self.text(name) {
            None => Ok(default),
            Some("on") => Ok(true),
            Some("off") => Ok(false),
            Some(v) => Err(format!("`{name}={v}`: on or off is expected").into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading() {
        let list = ["nc=5".to_owned(), "x=off".to_owned(), "nc=7".to_owned()];
        let p = Parameters::read(&list, &[("nc", ""), ("x", ""), ("y", "")]).unwrap();
        assert_eq!(p.get("nc", 1u32), Ok(7));
        assert_eq!(p.get("y", 1u32), Ok(1));
        assert_eq!(p.switch("x", true), Ok(false));
        assert_eq!(p.count("nc", 1, 7), Ok(7));
        assert_eq!(p.count("nc", 1, 6).unwrap_err(), "`nc=7`: at most 6");
        assert!(p.get::<u32>("x", 1).is_err() && p.switch("nc", true).is_err());
        assert!(Parameters::read(&list, &[("nc", "")]).is_err());
        assert!(Parameters::read(&["nc".to_owned()], &[("nc", "")]).is_err());
    }
}
