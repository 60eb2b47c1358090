//! Commands.

use std::fmt::Write;

use super::{LogicChoice, Printer, write_sort, write_symbol};
use crate::arena::{Fun, FunDecl, FunKind, Sym, Term, VarList};
use crate::logic::smallest_logic;
use crate::script::{Command, Script, header};
use crate::sort::{Sort, SortDecl, SortDeclKind};

impl Printer<'_> {
    pub(super) fn script(&mut self, script: &Script) {
        let logic = match &self.options.logic {
            LogicChoice::Keep | LogicChoice::Absent => None,
            LogicChoice::Smallest => Some(smallest_logic(script)),
            LogicChoice::Given(l) => Some(l.as_str()),
        };
        let begun = self.begin(&script.commands, logic);
        for c in &script.commands[begun..] {
            if !self.leaves_out(c, logic.is_some()) {
                self.command(c);
                self.out.push('\n');
            }
        }
    }

    /// The header of a script, options before the logic as the standard demands; says how many of its commands are in it.
    pub(super) fn begin(&mut self, commands: &[Command], logic: Option<&str>) -> usize {
        let begun = header(commands);
        let is_logic = |c: &&Command| matches!(c, Command::SetLogic(_));
        for c in commands[..begun].iter().filter(|c| !is_logic(c)) {
            self.header_line(c);
        }
        if let Some(l) = logic {
            self.out.push_str("(set-logic ");
            write_symbol(l, &mut self.out);
            self.out.push_str(")\n");
        } else if let Some(own) = commands[..begun].iter().rfind(is_logic) {
            self.header_line(own);
        }
        self.name_on_use = true;
        begun
    }

    fn header_line(&mut self, c: &Command) {
        if !self.leaves_out(c, false) {
            self.command(c);
            self.out.push('\n');
        }
    }

    /// Whether a command is not printed.
    pub(super) fn leaves_out(&self, c: &Command, own_logic: bool) -> bool {
        match c {
            Command::SetLogic(_) => own_logic || self.options.logic == LogicChoice::Absent,
            Command::SetInfo(k, _) => self.options.strip_status && &**k == ":status",
            _ => false,
        }
    }

    fn attribute(&mut self, command: &str, k: &str, v: &str) {
        let space = if v.is_empty() { "" } else { " " };
        let _ = write!(self.out, "({command} {k}{space}{v})");
    }

    fn with_term(&mut self, command: &str, t: Term, rest: &str) {
        let _ = write!(self.out, "({command} ");
        self.term(t);
        if !rest.is_empty() {
            self.out.push(' ');
            self.out.push_str(rest);
        }
        self.out.push(')');
    }

    fn with_terms(&mut self, command: &str, ts: &[Term]) {
        let _ = write!(self.out, "({command} (");
        for (i, &t) in ts.iter().enumerate() {
            if i > 0 {
                self.out.push(' ');
            }
            self.term(t);
        }
        self.out.push_str("))");
    }

    pub(super) fn symbol(&mut self, s: Sym) {
        write_symbol(self.a.name(s), &mut self.out);
    }

    pub(super) fn sort(&mut self, s: Sort) {
        write_sort(self.a, s, &mut self.out);
    }

    pub(super) fn command(&mut self, c: &Command) {
        match c {
            Command::SetLogic(s) => {
                self.out.push_str("(set-logic ");
                self.symbol(*s);
                self.out.push(')');
            }
            Command::SetInfo(k, v) => self.attribute("set-info", k, v),
            Command::SetOption(k, v) => {
                if &**k == ":global-declarations" {
                    self.global_declarations = &**v == "true";
                }
                self.attribute("set-option", k, v);
            }
            Command::DeclareSort(d) => {
                let info = self.a.sort_decl(*d);
                self.out.push_str("(declare-sort ");
                self.symbol(info.name);
                let _ = write!(self.out, " {})", info.params.len());
            }
            Command::DefineSort(name, params, body) => {
                self.out.push_str("(define-sort ");
                self.symbol(*name);
                self.out.push_str(" (");
                self.symbols(params);
                self.out.push_str(") ");
                self.sort(*body);
                self.out.push(')');
            }
            Command::DeclareFun(f) => {
                let d = self.a.fun(*f);
                let (n, ret) = self.a.written(*f);
                self.out.push_str("(declare-fun ");
                self.symbol(d.name);
                self.out.push_str(" (");
                for (i, &s) in d.args[..n].iter().enumerate() {
                    if i > 0 {
                        self.out.push(' ');
                    }
                    self.sort(s);
                }
                self.out.push_str(") ");
                self.sort(ret);
                self.out.push(')');
            }
            Command::DeclareDatatypes(ds) => self.datatypes(ds),
            Command::DefineFun(f) => self.define_fun(*f),
            Command::DefineFunsRec(fs) => self.define_funs_rec(fs),
            Command::Assert(t) => self.with_term("assert", *t, ""),
            Command::AssertSoft(t, rest) => self.with_term("assert-soft", *t, rest),
            Command::Minimize(t, rest) => self.with_term("minimize", *t, rest),
            Command::Maximize(t, rest) => self.with_term("maximize", *t, rest),
            Command::CheckSat => self.out.push_str("(check-sat)"),
            Command::CheckSatAssuming(ts) => self.with_terms("check-sat-assuming", ts),
            Command::CheckSatUsing(tactic) => {
                let _ = write!(self.out, "(check-sat-using {tactic})");
            }
            Command::Push(n) => {
                let levels = self.named_levels.len() + *n as usize;
                self.named_levels.resize(levels, self.named_list.len());
                let _ = write!(self.out, "(push {n})");
            }
            Command::Pop(n) => {
                let level = self.named_levels.len().saturating_sub(*n as usize);
                if let Some(&names) = self.named_levels.get(level)
                    && !self.global_declarations
                {
                    self.forget_names(names);
                }
                self.named_levels.truncate(level);
                let _ = write!(self.out, "(pop {n})");
            }
            Command::Reset => {
                self.forget_names(0);
                self.named_levels.clear();
                self.global_declarations = false;
                self.out.push_str("(reset)");
            }
            Command::ResetAssertions => {
                self.forget_names(0);
                self.named_levels.clear();
                self.out.push_str("(reset-assertions)");
            }
            Command::GetValue(ts) => self.with_terms("get-value", ts),
            Command::Exit => self.out.push_str("(exit)"),
            Command::Other(text) => self.out.push_str(text),
        }
    }

    fn symbols(&mut self, list: &[Sym]) {
        for (i, &p) in list.iter().enumerate() {
            if i > 0 {
                self.out.push(' ');
            }
            self.symbol(p);
        }
    }

    fn datatypes(&mut self, ds: &[SortDecl]) {
        let co = ds.first().is_some_and(|&d| {
            matches!(self.a.sort_decl(d).kind, SortDeclKind::Datatype { co: true, .. })
        });
        self.out.push_str(if co { "(declare-codatatypes (" } else { "(declare-datatypes (" });
        for (i, &d) in ds.iter().enumerate() {
            if i > 0 {
                self.out.push(' ');
            }
            self.out.push('(');
            let info = self.a.sort_decl(d);
            self.symbol(info.name);
            let _ = write!(self.out, " {})", info.params.len());
        }
        self.out.push_str(") (");
        for (i, &d) in ds.iter().enumerate() {
            if i > 0 {
                self.out.push(' ');
            }
            let info = self.a.sort_decl(d);
            if !info.params.is_empty() {
                self.out.push_str("(par (");
                self.symbols(&info.params);
                self.out.push_str(") ");
            }
            self.out.push('(');
            if let SortDeclKind::Datatype { constructors, .. } = &info.kind {
                for (j, &c) in constructors.iter().enumerate() {
                    if j > 0 {
                        self.out.push(' ');
                    }
                    self.constructor(c);
                }
            }
            self.out.push(')');
            if !info.params.is_empty() {
                self.out.push(')');
            }
        }
        self.out.push_str("))");
    }

    fn constructor(&mut self, c: Fun) {
        let d = self.a.fun(c);
        self.out.push('(');
        self.symbol(d.name);
        // Selectors are declared right after their constructor, in order.
        for (i, &s) in d.args.iter().enumerate() {
            self.out.push_str(" (");
            let selector = Fun(c.0 + 1 + i as u32);
            self.symbol(self.a.fun(selector).name);
            self.out.push(' ');
            self.sort(s);
            self.out.push(')');
        }
        self.out.push(')');
    }

    fn define_fun(&mut self, f: Fun) {
        let d = self.a.fun(f);
        let Some((params, body)) = d.def else { return };
        let recursive = d.kind == FunKind::Recursive;
        self.out.push_str(if recursive { "(define-fun-rec " } else { "(define-fun " });
        self.signature(d, params);
        self.out.push(' ');
        self.scoped_term(params, body);
        self.leave_vars(params);
        self.out.push(')');
    }

    /// `f ((x S)) R`; the parameters stay in scope.
    fn signature(&mut self, d: &FunDecl, params: VarList) {
        self.symbol(d.name);
        self.out.push_str(" (");
        self.enter_vars(params);
        self.out.push_str(") ");
        self.sort(d.ret);
    }

    fn define_funs_rec(&mut self, fs: &[Fun]) {
        self.out.push_str("(define-funs-rec (");
        let defs: Vec<_> = fs.iter().filter_map(|&f| Some((f, self.a.fun(f).def?))).collect();
        let mut names = Vec::new();
        for (i, &(f, (params, _))) in defs.iter().enumerate() {
            self.out.push_str(if i > 0 { " (" } else { "(" });
            self.signature(self.a.fun(f), params);
            self.out.push(')');
            names.push(self.take_names(params));
        }
        self.out.push_str(") (");
        for (i, (&(_, (params, body)), names)) in defs.iter().zip(names).enumerate() {
            if i > 0 {
                self.out.push(' ');
            }
            for (&v, name) in self.a.vars(params).iter().zip(names) {
                self.bind_name(v, name);
            }
            self.scoped_term(params, body);
            self.leave_vars(params);
        }
        self.out.push_str("))");
    }

    fn take_names(&mut self, l: VarList) -> Vec<String> {
        let mut names = Vec::new();
        for &v in self.a.vars(l) {
            if let Some(n) = self.var_names.remove(&v) {
                self.renamed -= usize::from(self.is_renamed(v, &n));
                self.in_scope.remove(&n);
                names.push(n);
            }
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use crate::{LogicChoice, PrintOptions, Reprinter, comment, parse, print};

    /// The standard wants options before the logic, wherever the script has them.
    #[test]
    fn options_stand_before_the_logic() {
        let check = |text: &str, logic: LogicChoice, expect: &str| {
            let script = parse(text.as_bytes()).unwrap();
            let options = PrintOptions { logic, ..PrintOptions::default() };
            assert_eq!(print(&script, &options).replace('\n', ""), expect);
            assert_eq!(Reprinter::new(options).print(&script).replace('\n', ""), expect);
        };
        let (m, s) = ("(set-option :produce-models true)", "(set-info :source |a|)");
        let rest = "(declare-fun p () Bool)(assert p)(check-sat)";
        for text in [format!("{m}(set-logic ALL){s}{rest}"), format!("(set-logic ALL){m}{s}{rest}")]
        {
            check(&text, LogicChoice::Keep, &format!("{m}(set-logic ALL){s}{rest}"));
            check(&text, LogicChoice::Smallest, &format!("{m}(set-logic QF_UF){s}{rest}"));
            check(&text, LogicChoice::Absent, &format!("{m}{s}{rest}"));
        }
        check(
            &format!("{s}{m}{rest}"),
            LogicChoice::Smallest,
            &format!("{s}{m}(set-logic QF_UF){rest}"),
        );
        check(&format!("{s}{rest}"), LogicChoice::Smallest, &format!("(set-logic QF_UF){s}{rest}"));
    }

    #[test]
    fn a_comment_is_one_line() {
        assert_eq!(comment("a\nb\r\u{1b}[2J ü"), "a\\nb\\r\\u{1b}[2J ü");
    }
}
