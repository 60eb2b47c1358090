//! How a solver is installed from the package registry.

use serde::Deserialize;

/// A package in the registry.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// Its name there.
    pub name: String,
    /// How it is run, by release; the first range that holds counts. A release in no range cannot run scripts.
    pub run: Vec<PackageRun>,
}

/// How releases of a package are run.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackageRun {
    /// Releases.
    pub versions: String,
    /// By which means.
    pub by: PackageHost,
    /// Path of the program inside the package, for `binary`.
    pub program: Option<String>,
}

/// By which means a package runs scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PackageHost {
    /// It holds a program.
    Binary,
    /// cvc5's Python module with `InputParser`, run by an embedded Python host.
    Cvc5Python,
    /// cvc5's shared libraries with the C interface, run by smelt itself in a process of its own.
    Cvc5Library,
    /// Bitwuzla's Python module with a parser, run by an embedded Python host.
    BitwuzlaPython,
}
