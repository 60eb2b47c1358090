//! Runs a script by named solvers, cold and warm: `cargo run --example run -- SCRIPT SOLVER…`

use smelt_solver::{
    Home, Launcher, Policy, Registry, Requests, Script, Session, Setup, SolverSpec,
};

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(code) = smelt_solver::helper_main() {
        std::process::exit(code);
    }
    let mut args = std::env::args().skip(1);
    let file = args.next().ok_or("no script")?;
    let script = Script::new(&std::fs::read_to_string(file)?);
    let registry = Registry::open(Home::of_user().ok_or("no home")?, Launcher::current()?)?;
    for name in args {
        let solver = registry.resolve(&SolverSpec::parse(&name)?)?;
        let setup = Setup { models: true, ..Setup::default() };
        let requests = Requests { model: true, core: false };
        println!("== {name} {:?} {}", solver.version().map(ToString::to_string), solver.hash());
        let cold = solver.run_cold(&script, &setup, requests, None)?;
        println!("cold {cold:#?}");
        let mut session = Session::new(&solver, setup, Policy::default());
        for _ in 0..2 {
            println!("warm {:#?}", session.run(&script, requests)?);
        }
    }
    Ok(())
}
