//! A solver that misbehaves on demand, for tests.
//!
//! It answers `sat` to every `(check-sat)`, echoes and resets, reading the file given as its last argument or standard input.
//! `(set-info :fault NAME)` makes the next check misbehave. Commands stand on lines of their own. `--buffers` keeps all output back until
//! the input ends, `--dies-at-end` ends every process by SIGSEGV.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|a| a == "--linger") {
        std::thread::sleep(Duration::from_secs(3600));
    }
    if args.first().is_some_and(|a| a == "--campaign") {
        return campaign(&args[1..]);
    }
    if args.first().is_some_and(|a| a == "--install") {
        return install(&args[1..]);
    }
    if args.iter().any(|a| a == "--slow-start") {
        use nix::time::{ClockId, clock_gettime};
        let used = || clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("clock");
        while Duration::from(used()) < Duration::from_millis(500) {}
    }
    let file = args.iter().find(|a| !a.starts_with('-'));
    let input: Box<dyn Read> = match file {
        Some(path) => Box::new(std::fs::File::open(path).expect("script")),
        None => Box::new(std::io::stdin()),
    };
    let buffers = args.iter().any(|a| a == "--buffers");
    let mut out: Box<dyn Write> =
        if buffers { Box::new(Kept(Vec::new())) } else { Box::new(std::io::stdout()) };
    let mut fault = String::new();
    let mut scripts = 0;
    for line in BufReader::new(input).lines() {
        let line = line.expect("line");
        let line = line.trim();
        if let Some(name) = line.strip_prefix("(set-info :fault ") {
            fault = name.trim_end_matches(')').to_owned();
        } else if line == "(reset)" {
            scripts += 1;
            if fault == "reset-dies" {
                std::process::exit(9);
            }
            fault.clear();
        } else if line == "(get-model)" && fault == "model-dies" {
            die(nix::sys::signal::Signal::SIGSEGV);
        } else if line == "(get-unsat-core)" && fault == "core-exits" {
            std::process::exit(1);
        } else if line == "(get-unsat-core)" {
            die(nix::sys::signal::Signal::SIGSEGV);
        } else if line == "(get-model)" && fault.starts_with("core-") {
            say(&mut out, "(error \"no model\")\n");
        } else if line == "(get-model)" {
            say(&mut out, "((define-fun x () Int 1))\n");
        } else if line.starts_with("(get-info") {
            say(&mut out, "(:reason-unknown \"made up\")\n");
        } else if line == "(count)" {
            say(&mut out, &format!("({scripts})\n"));
        } else if let Some(text) = line.strip_prefix("(echo \"") {
            say(&mut out, &format!("{}\n", text.trim_end_matches("\")")));
        } else if line.starts_with("(check-sat") {
            misbehave(&fault, &mut out);
        }
    }
    drop(out);
    if args.iter().any(|a| a == "--dies-at-end") {
        die(nix::sys::signal::Signal::SIGSEGV);
    }
}

/// Output that is kept back until its end.
struct Kept(Vec<u8>);

impl Write for Kept {
    fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
        self.0.write(text)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let _ = std::io::stdout().write_all(&self.0);
    }
}

/// Ends the process by a signal.
fn die(signal: nix::sys::signal::Signal) {
    // Rust's own handler swallows the first SIGSEGV.
    loop {
        let _ = nix::sys::signal::raise(signal);
    }
}

fn say(out: &mut impl Write, text: &str) {
    // A reader that is gone is the test's business.
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}

fn misbehave(fault: &str, out: &mut impl Write) {
    match fault {
        "hang" => std::thread::sleep(Duration::from_secs(3600)),
        "spin" => {
            let mut x = 1u64;
            loop {
                x = std::hint::black_box(x.wrapping_mul(3));
            }
        }
        "bomb" => {
            let mut hoard: Vec<Vec<u8>> = Vec::new();
            loop {
                hoard.push(vec![1u8; 16 << 20]);
            }
        }
        "segv" => {
            say(out, "sa");
            die(nix::sys::signal::Signal::SIGSEGV);
        }
        "abort" => {
            say(
                &mut std::io::stderr(),
                "fake: src/fake.cpp:12: void f(): Assertion `x > 0' failed.\n",
            );
            die(nix::sys::signal::Signal::SIGABRT);
        }
        "unchecked" | "unchecked-loud" => match Vec::<u8>::new().try_reserve_exact(2 << 30) {
            Ok(()) if fault == "unchecked" => say(out, "sat\n"),
            Ok(()) => {
                say(&mut std::io::stderr(), "fake: x.cpp:1: int f(): Assertion `0 == 1' failed.\n");
                die(nix::sys::signal::Signal::SIGABRT);
            }
            Err(_) => die(nix::sys::signal::Signal::SIGSEGV),
        },
        "segv-after" => {
            say(out, "unsat\n");
            die(nix::sys::signal::Signal::SIGSEGV);
        }
        "words" => {
            let words = "warning: internal errors are possible. Fatal failure is not.\n";
            say(&mut std::io::stderr(), words);
            say(out, "sat\n");
        }
        "folder" => {
            let here = std::env::current_dir().unwrap_or_default();
            let count = std::fs::read_dir(&here).map_or(99, |entries| entries.count());
            let _ = std::fs::write("left-behind", "x");
            say(&mut std::io::stderr(), &format!("{} has {count}\n", here.display()));
            say(out, "sat\n");
        }
        "alarm" => die(nix::sys::signal::Signal::SIGALRM),
        "virtual-alarm" => die(nix::sys::signal::Signal::SIGVTALRM),
        "quit" => die(nix::sys::signal::Signal::SIGQUIT),
        "user-1" => die(nix::sys::signal::Signal::SIGUSR1),
        "user-2" => die(nix::sys::signal::Signal::SIGUSR2),
        "terminated" => die(nix::sys::signal::Signal::SIGTERM),
        "garbage" => {
            let _ = out.write_all(b"\xff\xfe\x00\x80sat\x00\n\xc3(\n");
            let _ = out.flush();
        }
        "flood" => {
            let block = vec![b'x'; 1 << 20];
            for _ in 0..1024 {
                if out.write_all(&block).is_err() {
                    std::process::exit(1);
                }
            }
        }
        "slow" => {
            for byte in b"unsat\n" {
                let _ = out.write_all(&[*byte]);
                let _ = out.flush();
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        "exit" => std::process::exit(0),
        "exit3" => std::process::exit(3),
        "core-dies" | "core-exits" => say(out, "unsat\n"),
        "linger" => {
            spawn_linger(false);
            spawn_linger(true);
            say(out, "sat\n");
            std::process::exit(0);
        }
        "linger-hang" => {
            spawn_linger(true);
            std::thread::sleep(Duration::from_secs(3600));
        }
        "close" => {
            say(out, "sat\n");
            let _ = nix::unistd::close(1);
            std::thread::sleep(Duration::from_secs(3600));
        }
        "error" => say(out, "(error \"line 1: unknown constant foo\")\nsat\n"),
        "oom" => say(out, "(error \"out of memory\")\n"),
        "grow" => {
            std::mem::forget(vec![1u8; 2 << 20]);
            say(out, "sat\n");
        }
        "unknown" => say(out, "unknown\n"),
        "stderr-flood" => {
            let block = vec![b'e'; 1 << 20];
            for _ in 0..64 {
                let _ = std::io::stderr().write_all(&block);
            }
            say(out, "sat\n");
        }
        _ => say(out, "sat\n"),
    }
}

/// A child that outlives its parent and, if asked, leaves the process group and session.
fn spawn_linger(leave: bool) {
    let program = std::env::current_exe().expect("own path");
    let mut command = if leave {
        let mut command = Command::new("setsid");
        command.arg(program);
        command
    } else {
        Command::new(program)
    };
    let _ = command.arg("--linger").stdin(Stdio::null()).spawn();
}

/// Plays smelt: runs scripts by this same program until it is killed. Arguments: launcher, profile file, fault, `warm` or
/// `cold`. Says what came of it.
fn campaign(args: &[String]) {
    use smelt_solver::{
        Launcher, Limits, Policy, Profile, Requests, Script, Session, Setup, Solver,
    };
    let profile =
        Profile::from_toml(&std::fs::read_to_string(&args[1]).expect("profile")).expect("profile");
    let program = std::env::current_exe().expect("own path");
    let solver =
        Solver::from_parts("fake", profile.into(), program, Vec::new(), Launcher::at(&args[0]));
    let script = Script::new(&format!("(set-info :fault {})\n(check-sat)\n", args[2]));
    let limits = Limits { cpu: None, wall: Duration::from_secs(600), ..Limits::default() };
    let setup = Setup { limits, ..Setup::default() };
    if args[3] == "cancelled" {
        // At every moment between the order and the start.
        for i in 0..100 {
            let cancel = smelt_solver::Cancel::new().expect("cancel");
            let waker = cancel.clone();
            let late = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_micros(i * 40));
                waker.cancel();
            });
            let _ = solver.run_cold(&script, &setup, Requests::default(), Some(&cancel));
            late.join().expect("thread");
        }
        return;
    }
    let result = if args[3] == "warm" {
        Session::new(&solver, setup, Policy::default()).run(&script, Requests::default())
    } else {
        solver.run_cold(&script, &setup, Requests::default(), None)
    };
    say(
        &mut std::io::stdout(),
        &format!("{:?}\n", result.map(|o| o.checks).map_err(|e| e.to_string())),
    );
}

/// Plays `smelt solvers install`, to be killed while it works. Arguments: launcher, name, version, data folder.
fn install(args: &[String]) {
    use smelt_solver::{Home, Launcher, Profiles, releases};
    let profiles = Profiles::embedded();
    let profile = profiles.get(&args[1]).expect("profile");
    let _ = releases::install(
        &Home::at(&args[3]),
        profile,
        &args[2],
        &Launcher::at(&args[0]),
        None,
        |_| {},
    );
}
