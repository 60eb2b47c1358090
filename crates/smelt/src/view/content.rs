//! What is in a script.

use std::collections::BTreeMap;
use std::io::{Result, Write};

use smelt_smtlib::{Head, Script, print_sort, smallest_logic};

/// Logic, size, sorts and operators of a script whose text has so many bytes.
pub fn show(script: &Script, bytes: usize, out: &mut impl Write) -> Result<()> {
    let a = &script.arena;
    let roots = script.roots();
    let dag = a.dag(&roots);
    let mut ops: BTreeMap<&str, u64> = BTreeMap::new();
    let mut sorts: BTreeMap<String, u64> = BTreeMap::new();
    for &t in &dag {
        let name = match a.head(t) {
            Head::Op(op, _) => op.info().name,
            Head::Bind(b, _) => b.name(),
            Head::Match(_) => "match",
            _ => "",
        };
        if !name.is_empty() {
            *ops.entry(name).or_default() += 1;
        }
        *sorts.entry(print_sort(a, a.sort(t))).or_default() += 1;
    }
    let tree = roots.iter().fold(0u64, |n, &t| n.saturating_add(a.tree_size(t)));
    let depth = roots.iter().map(|&t| a.depth(t)).max().unwrap_or(0);
    let list = |m: Vec<(String, u64)>| {
        m.iter().map(|(k, n)| format!("{k} {n}")).collect::<Vec<_>>().join(", ")
    };
    let declared = script.logic().unwrap_or("none");
    writeln!(out, "  logic    {declared} declared, {} smallest", smallest_logic(script))?;
    writeln!(
        out,
        "  size     {bytes} bytes, {} commands, {} checks, {} terms, {tree} as a tree, depth {depth}",
        script.commands.len(),
        script.queries().len(),
        dag.len(),
    )?;
    writeln!(out, "  sorts    {}", list(sorts.into_iter().collect()))?;
    let ops = ops.into_iter().map(|(k, n)| (k.to_owned(), n)).collect();
    writeln!(out, "  operators {}", list(ops))?;
    Ok(())
}
