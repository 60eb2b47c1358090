//! The launcher and library host alone, for tests of crates that have no `smelt` program at hand.

fn main() {
    match smelt_solver::helper_main() {
        Some(code) => std::process::exit(code),
        None => std::process::exit(2),
    }
}
