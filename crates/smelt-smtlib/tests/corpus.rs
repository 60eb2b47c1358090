//! Real files: the embedded seeds always, a larger corpus when it is there.

use std::io::Write;
use std::path::{Path, PathBuf};

use smelt_smtlib::op::Op;
use smelt_smtlib::totalise::Partial;
use smelt_smtlib::{
    LogicChoice, PrintOptions, alpha_equal, parse, print, smallest_logic, totalise,
};

fn scripts(dir: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(d) = dirs.pop() {
        for e in std::fs::read_dir(&d).into_iter().flatten().flatten() {
            let p = e.path();
            if p.is_dir() {
                dirs.push(p);
            } else if p.extension().is_some_and(|e| e == "smt2") {
                out.push(p);
            }
        }
    }
    out.sort();
    out
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// `SMELT_CORPUS`, or a folder beside the checkout.
fn external(sub: &str) -> Option<Vec<PathBuf>> {
    let dir = match std::env::var_os("SMELT_CORPUS") {
        Some(d) => PathBuf::from(d),
        None => workspace().join("../shared/corpus"),
    }
    .join(sub);
    let files = scripts(&dir);
    (!files.is_empty()).then_some(files)
}

/// Says so past the test harness, which keeps what a passing test prints to itself.
fn skipped(test: &str) {
    let line = format!("{test}: skipped, there is no external corpus (set SMELT_CORPUS)\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

/// Parses, prints and parses again: `Err` is a rejection of the original.
fn round_trip(file: &Path) -> Result<(), String> {
    let text = std::fs::read(file).unwrap();
    let name = file.display();
    let script = parse(&text).map_err(|e| e.render(&text, &name.to_string()))?;
    for logic in [LogicChoice::Keep, LogicChoice::Smallest] {
        let smallest = logic == LogicChoice::Smallest;
        let printed = print(&script, &PrintOptions { logic, ..PrintOptions::default() });
        let again = parse(printed.as_bytes())
            .unwrap_or_else(|e| panic!("{name}: {}", e.render(printed.as_bytes(), "printed")));
        if smallest {
            assert_eq!(smallest_logic(&script), smallest_logic(&again), "{name}");
        } else {
            alpha_equal(&script, &again).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        assert_eq!(
            printed,
            print(
                &script,
                &PrintOptions {
                    logic: if smallest { LogicChoice::Smallest } else { LogicChoice::Keep },
                    ..PrintOptions::default()
                }
            )
        );
    }
    Ok(())
}

/// A totalised script is one that reads back, and leaves nothing open but choices of elements.
fn totalised(file: &Path) {
    let Ok(script) = parse(&std::fs::read(file).unwrap()) else { return };
    let Ok(t) = totalise(&script) else { return };
    let name = file.display();
    let printed = print(&t.script, &PrintOptions::default());
    let again = parse(printed.as_bytes())
        .unwrap_or_else(|e| panic!("{name}: {}", e.render(printed.as_bytes(), "totalised")));
    alpha_equal(&t.script, &again).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(t.script.queries().len(), script.queries().len(), "{name}");
    for o in totalise(&again).unwrap_or_else(|e| panic!("{name}: {e}")).open {
        let chooses = [Op::SetChoose, Op::BagChoose, Op::ArrayExt, Op::FpToIeeeBv];
        assert!(matches!(o.of, Partial::Op(op, _) if chooses.contains(&op)), "{name}: {o:?}");
    }
}

fn check(files: &[PathBuf], at_least: f64) {
    files.iter().for_each(|f| totalised(f));
    let rejected: Vec<String> = files.iter().filter_map(|f| round_trip(f).err()).collect();
    let accepted = (files.len() - rejected.len()) as f64 / files.len() as f64;
    assert!(
        accepted >= at_least,
        "{} of {} files rejected:\n{}",
        rejected.len(),
        files.len(),
        rejected.join("\n")
    );
}

#[test]
fn embedded_seeds() {
    let files = scripts(&workspace().join("corpus"));
    assert!(files.len() >= 150, "{} seeds", files.len());
    check(&files, 1.0);
}

#[test]
fn external_seeds() {
    match external("seeds") {
        Some(files) => check(&files, 0.995),
        None => skipped("external_seeds"),
    }
}

/// Raw regression files of solvers, some of them wrong on purpose: what matters is that none panics and that what is
/// accepted survives the round trip.
#[test]
fn external_regressions() {
    match external("regress-sample") {
        Some(files) => check(&files, 0.92),
        None => skipped("external_regressions"),
    }
}
