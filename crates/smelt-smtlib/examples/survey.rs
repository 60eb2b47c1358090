//! Parses files and reports what is rejected; round-trips what is accepted.
#![allow(clippy::print_stdout)]
use std::collections::BTreeMap;
fn main() {
    let mut ok = 0;
    let mut total = 0;
    let mut rt = 0;
    let mut why: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in std::env::args().skip(1) {
        let src = std::fs::read(&file).unwrap();
        total += 1;
        match smelt_smtlib::parse(&src) {
            Err(e) => {
                let (l, c) = e.line_column(&src);
                why.entry(e.message).or_default().push(format!("{file}:{l}:{c}"));
            }
            Ok(s) => {
                ok += 1;
                let text = smelt_smtlib::print(&s, &Default::default());
                match smelt_smtlib::parse(text.as_bytes()) {
                    Err(e) => println!("REPRINT {file}: {}", e.render(text.as_bytes(), "printed")),
                    Ok(s2) => match smelt_smtlib::alpha_equal(&s, &s2) {
                        Ok(()) => rt += 1,
                        Err(e) => println!("DIFFERENT {file}: {e}"),
                    },
                }
            }
        }
    }
    let mut list: Vec<_> = why.into_iter().collect();
    list.sort_by_key(|(_, v)| std::cmp::Reverse(v.len()));
    for (m, v) in list {
        println!("{} {m}: {}", v.len(), v[0]);
    }
    println!("{ok} of {total} accepted, {rt} stable");
}
