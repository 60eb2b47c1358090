//! Hosts that run releases whose package has no program.
//!
//! The Python hosts are scripts copied into the release's folder. cvc5 from 1.2 on is run by smelt itself, in a process of
//! its own (`smelt __cvc5-host FOLDER [OPTION…] [FILE]`), over the C interface of the package's libraries.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW, Symbol};

use crate::home::write_atomically;
use crate::profile::PackageHost;

/// Name of the host script in a release's folder.
pub(super) const HOST_FILE: &str = "smelt_host.py";

/// The embedded host script of a package that needs one.
pub fn host_script(by: PackageHost) -> Option<&'static str> {
    match by {
        PackageHost::Cvc5Python => Some(concat!(
            include_str!("../../hosts/cvc5_host.py"),
            include_str!("../../hosts/session.py")
        )),
        PackageHost::BitwuzlaPython => Some(concat!(
            include_str!("../../hosts/bitwuzla_host.py"),
            include_str!("../../hosts/session.py")
        )),
        PackageHost::Binary | PackageHost::Cvc5Library => None,
    }
}

/// The host script in a release's folder: that of this smelt, whichever one installed the release.
pub(super) fn host_file(folder: &Path, by: PackageHost) -> PathBuf {
    /// Threads of one process would write to one temporary file.
    static WRITING: Mutex<()> = Mutex::new(());
    let path = folder.join(HOST_FILE);
    let _one = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(script) = host_script(by)
        && std::fs::read(&path).is_ok_and(|old| old != script.as_bytes())
    {
        // A folder that cannot be written to keeps the script that it has.
        let _ = write_atomically(&path, script.as_bytes());
    }
    path
}

/// A library of the cvc5 package by the start of its name.
pub(super) fn cvc5_library(folder: &Path, start: &str) -> Result<PathBuf, String> {
    let libs = folder.join("cvc5.libs");
    let entries = std::fs::read_dir(&libs).map_err(|e| format!("{}: {e}", libs.display()))?;
    let found = entries.flatten().map(|e| e.path()).find(|p| {
        p.file_name()
            .and_then(|n| n.to_str())
            .is_some_and(|n| n.starts_with(start) && n.contains(".so"))
    });
    found.ok_or_else(|| format!("{}: no {start}*.so", libs.display()))
}

/// The extension module of a package.
pub(super) fn python_module(folder: &Path, by: PackageHost) -> Result<PathBuf, String> {
    if by == PackageHost::Cvc5Python {
        return cvc5_library(folder, "libcvc5-");
    }
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let found =
        entries.flatten().map(|e| e.path()).find(|p| p.extension().is_some_and(|e| e == "so"));
    found.ok_or_else(|| format!("{}: no module", folder.display()))
}

type Ptr = *mut c_void;

/// The functions of cvc5's C interface that a script runner needs.
struct Api {
    tm_new: Symbol<unsafe extern "C" fn() -> Ptr>,
    tm_delete: Symbol<unsafe extern "C" fn(Ptr)>,
    new: Symbol<unsafe extern "C" fn(Ptr) -> Ptr>,
    delete: Symbol<unsafe extern "C" fn(Ptr)>,
    set_option: Symbol<unsafe extern "C" fn(Ptr, *const c_char, *const c_char)>,
    option_names: Symbol<unsafe extern "C" fn(Ptr, *mut usize) -> *const *const c_char>,
    /// From 1.3 on errors are kept for the caller; before, the library prints them and exits.
    has_error: Option<Symbol<unsafe extern "C" fn() -> bool>>,
    error_message: Option<Symbol<unsafe extern "C" fn() -> *const c_char>>,
    sm_new: Symbol<unsafe extern "C" fn(Ptr) -> Ptr>,
    sm_delete: Symbol<unsafe extern "C" fn(Ptr)>,
    parser_new: Symbol<unsafe extern "C" fn(Ptr, Ptr) -> Ptr>,
    parser_delete: Symbol<unsafe extern "C" fn(Ptr)>,
    set_input: Symbol<unsafe extern "C" fn(Ptr, c_int, *const c_char, *const c_char)>,
    next_command: Symbol<unsafe extern "C" fn(Ptr, *mut *const c_char) -> Ptr>,
    command_name: Symbol<unsafe extern "C" fn(Ptr) -> *const c_char>,
    invoke: Symbol<unsafe extern "C" fn(Ptr, Ptr, Ptr) -> *const c_char>,
    _libraries: [Library; 2],
}

impl Api {
    #[allow(unsafe_code)]
    fn load(folder: &Path) -> Result<Api, String> {
        let open = |start: &str| -> Result<Library, String> {
            let path = cvc5_library(folder, start)?;
            // SAFETY: loading runs the initialisers of cvc5's own libraries, which are what this process is for.
            unsafe { Library::open(Some(&path), RTLD_NOW | RTLD_GLOBAL) }
                .map_err(|e| format!("{}: {e}", path.display()))
        };
        let base = open("libcvc5-")?;
        let parser = open("libcvc5parser-")?;
        // SAFETY: names and types are those of cvc5's public headers (cvc5/c/cvc5.h and cvc5_parser.h), unchanged since 1.2;
        // the libraries stay loaded as long as the symbols, in the same value.
        unsafe {
            macro_rules! get {
                ($library:ident, $name:literal) => {
                    $library.get($name).map_err(|e| e.to_string())?
                };
            }
            Ok(Api {
                tm_new: get!(base, b"cvc5_term_manager_new\0"),
                tm_delete: get!(base, b"cvc5_term_manager_delete\0"),
                new: get!(base, b"cvc5_new\0"),
                delete: get!(base, b"cvc5_delete\0"),
                set_option: get!(base, b"cvc5_set_option\0"),
                option_names: get!(base, b"cvc5_get_option_names\0"),
                has_error: base.get(b"cvc5_has_error\0").ok(),
                error_message: base.get(b"cvc5_get_error_message\0").ok(),
                sm_new: get!(parser, b"cvc5_symbol_manager_new\0"),
                sm_delete: get!(parser, b"cvc5_symbol_manager_delete\0"),
                parser_new: get!(parser, b"cvc5_parser_new\0"),
                parser_delete: get!(parser, b"cvc5_parser_delete\0"),
                set_input: get!(parser, b"cvc5_parser_set_str_input\0"),
                next_command: get!(parser, b"cvc5_parser_next_command\0"),
                command_name: get!(parser, b"cvc5_cmd_get_name\0"),
                invoke: get!(parser, b"cvc5_cmd_invoke\0"),
                _libraries: [base, parser],
            })
        }
    }
}

/// A solver with its symbols; `(reset)` makes a new one.
struct State<'a> {
    api: &'a Api,
    tm: Ptr,
    solver: Ptr,
    symbols: Ptr,
    /// A parse error was met: the rest up to the next reset is not read, as the cvc5 program would have ended.
    dead: bool,
}

impl<'a> State<'a> {
    #[allow(unsafe_code)]
    fn new(api: &'a Api, options: &[(CString, CString)]) -> Result<State<'a>, String> {
        // SAFETY: the order of creation is that of cvc5's own examples; every pointer is used with the manager it came from
        // and deleted once, in Drop.
        let state = unsafe {
            let tm = (api.tm_new)();
            let solver = (api.new)(tm);
            let symbols = (api.sm_new)(tm);
            State { api, tm, solver, symbols, dead: false }
        };
        for (name, value) in options {
            state.set_option(name, value)?;
        }
        Ok(state)
    }

    #[allow(unsafe_code)]
    fn set_option(&self, name: &CStr, value: &CStr) -> Result<(), String> {
        let refuse = |why: &str| Err(refusal(&format!("{}: {why}", name.to_string_lossy())));
        // SAFETY: solver is live; name and value are terminated strings; the message is copied before the next call.
        unsafe {
            if let (Some(has_error), Some(message)) = (&self.api.has_error, &self.api.error_message)
            {
                (self.api.set_option)(self.solver, name.as_ptr(), value.as_ptr());
                if has_error() {
                    return refuse(&text(message()));
                }
            } else {
                let mut count = 0usize;
                let names = (self.api.option_names)(self.solver, &raw mut count);
                if !(0..count).any(|i| CStr::from_ptr(*names.add(i)) == name) {
                    return refuse("Unrecognized option");
                }
                (self.api.set_option)(self.solver, name.as_ptr(), value.as_ptr());
            }
        }
        Ok(())
    }

    /// Runs text. False when it says `(exit)`.
    #[allow(unsafe_code)]
    fn run(&mut self, source: &str) -> std::io::Result<bool> {
        if self.dead || source.trim().is_empty() {
            return Ok(true);
        }
        let source = CString::new(source.replace('\0', " ")).unwrap_or_default();
        let mut stdout = std::io::stdout().lock();
        let mut go_on = true;
        // SAFETY: solver and symbols are live and of one manager; the parser is deleted before they are; strings that the
        // library returns are copied before the next call that may change them.
        unsafe {
            let parser = (self.api.parser_new)(self.solver, self.symbols);
            (self.api.set_input)(parser, 0, source.as_ptr(), c"stdin".as_ptr());
            loop {
                let mut error: *const c_char = std::ptr::null();
                let command = (self.api.next_command)(parser, &raw mut error);
                if command.is_null() {
                    if !error.is_null() {
                        self.dead = true;
                        writeln!(
                            stdout,
                            "(error \"Parse Error: {}\")",
                            text(error).replace('"', "\"\"")
                        )?;
                    }
                    break;
                }
                if text((self.api.command_name)(command)) == "exit" {
                    go_on = false;
                    break;
                }
                let said = (self.api.invoke)(command, self.solver, self.symbols);
                if !said.is_null() {
                    let said = CStr::from_ptr(said).to_bytes();
                    if !said.is_empty() {
                        stdout.write_all(said)?;
                        stdout.flush()?;
                    }
                }
            }
            (self.api.parser_delete)(parser);
        }
        stdout.flush()?;
        Ok(go_on)
    }
}

impl Drop for State<'_> {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        // SAFETY: created in `new`, deleted nowhere else, in reverse order.
        unsafe {
            (self.api.sm_delete)(self.symbols);
            (self.api.delete)(self.solver);
            (self.api.tm_delete)(self.tm);
        }
    }
}

/// What is said of an argument that is not taken, in cvc5's own words.
fn refusal(why: &str) -> String {
    format!("Error in option parsing: {why}")
}

/// Copies a string of the library's.
#[allow(unsafe_code)]
unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: the caller passes a terminated string of the library's that is live now.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

/// `--name=value`, `--name`, `--no-name` as cvc5's interface takes them.
fn read_option(argument: &str) -> (CString, CString) {
    let bare = argument.trim_start_matches('-');
    let (name, value) = match bare.split_once('=') {
        Some((name, value)) => (name, value),
        None => bare.strip_prefix("no-").map_or((bare, "true"), |name| (name, "false")),
    };
    (CString::new(name).unwrap_or_default(), CString::new(value).unwrap_or_default())
}

/// Runs the host: arguments are folder, options and perhaps a file. Returns the exit code.
pub fn cvc5_host_main(args: &[String]) -> i32 {
    let run = || -> Result<i32, String> {
        let (folder, rest) = args.split_first().ok_or("the package's folder is missing")?;
        let api = Api::load(Path::new(folder))?;
        let (options, files): (Vec<&String>, Vec<&String>) =
            rest.iter().partition(|a| a.starts_with('-'));
        let options: Vec<(CString, CString)> =
            options.iter().filter(|a| !a.starts_with("--lang")).map(|a| read_option(a)).collect();
        let mut state = State::new(&api, &options)?;
        // There is one file, or none in a session: another word is an argument that cvc5 does not know.
        if let [unknown, _, ..] = &files[..] {
            return Err(refusal(&format!("unknown argument {unknown}")));
        }
        if let Some(file) = files.first() {
            let source = std::fs::read(file).map_err(|e| refusal(&format!("{file}: {e}")))?;
            state.run(&String::from_utf8_lossy(&source)).map_err(|e| e.to_string())?;
            let code = i32::from(state.dead);
            // The process ends here: taking the solver apart first would only cost time.
            std::mem::forget(state);
            return Ok(code);
        }
        serve(&api, &options, state).map(|()| 0)
    };
    match run() {
        Ok(code) => code,
        Err(e) => {
            // Standard error is this program's only way to say what is wrong, as it is cvc5's.
            let _ = writeln!(std::io::stderr(), "(error \"{e}\")");
            1
        }
    }
}

/// A session on standard input. A line that is just `(reset)` makes a fresh solver; what came before an `(echo …)` line is
/// run before the echo is answered.
fn serve<'a>(
    api: &'a Api,
    options: &[(CString, CString)],
    mut state: State<'a>,
) -> Result<(), String> {
    let mut chunk = String::new();
    let mut line = Vec::new();
    let mut stdin = std::io::stdin().lock();
    let io = |e: std::io::Error| e.to_string();
    loop {
        line.clear();
        if stdin.read_until(b'\n', &mut line).map_err(io)? == 0 {
            state.run(&chunk).map_err(io)?;
            return Ok(());
        }
        let read = String::from_utf8_lossy(&line);
        let bare = read.trim();
        if bare == "(reset)" {
            // Run first: a fault belongs to the script that causes it.
            state.run(&chunk).map_err(io)?;
            chunk.clear();
            drop(state);
            state = State::new(api, options)?;
        } else if let Some(marker) =
            bare.strip_prefix("(echo \"").and_then(|r| r.strip_suffix("\")"))
        {
            let go_on = state.run(&chunk).map_err(io)?;
            chunk.clear();
            let mut stdout = std::io::stdout().lock();
            writeln!(stdout, "{marker}").and_then(|()| stdout.flush()).map_err(io)?;
            if !go_on {
                return Ok(());
            }
        } else {
            chunk.push_str(&read);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_as_the_interface_takes_them() {
        let check = |argument: &str, name: &str, value: &str| {
            let (n, v) = read_option(argument);
            assert_eq!((n.to_str(), v.to_str()), (Ok(name), Ok(value)), "{argument}");
        };
        check("--produce-models", "produce-models", "true");
        check("--no-incremental", "incremental", "false");
        check("--rlimit-per=10", "rlimit-per", "10");
        check("--nl-ext=none", "nl-ext", "none");
    }
}
