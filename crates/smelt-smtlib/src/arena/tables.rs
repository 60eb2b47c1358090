//! Names, sorts, declarations and literals of an arena.

use super::{
    Arena, Attr, Attrs, BUILTIN, Case, Cases, Fun, FunDecl, Idx, Lit, SortInfo, Sym, Term, Var,
    VarDecl, VarList,
};
use crate::literal::Literal;
use crate::op::Op;
use crate::sort::{MAX_SORT_DEPTH, MAX_SORT_SIZE, Sort, SortDecl, SortDeclInfo, SortKind};

impl Arena {
    // ---- names

    /// Interns a name.
    #[inline]
    pub fn sym(&mut self, text: &str) -> Sym {
        Sym(self.names.intern(text.as_bytes(), 0, text.len()))
    }

    /// Interns the name `source[start..end]`, which the lexer has checked.
    #[inline]
    pub(crate) fn sym_at(&mut self, source: &[u8], start: usize, end: usize) -> Sym {
        Sym(self.names.intern(source, start, end))
    }

    /// The text of a name.
    pub fn name(&self, s: Sym) -> &str {
        std::str::from_utf8(self.names.bytes(s.0)).unwrap_or("")
    }

    /// The name, if it occurs at all.
    pub fn find_sym(&self, text: &str) -> Option<Sym> {
        self.names.find(text.as_bytes(), 0, text.len()).map(Sym)
    }

    /// The name `source[start..end]`, if it occurs at all.
    pub(crate) fn find_sym_at(&self, source: &[u8], start: usize, end: usize) -> Option<Sym> {
        self.names.find(source, start, end).map(Sym)
    }

    /// The built-in operators of that name.
    #[inline]
    pub fn ops_named(&self, s: Sym) -> &'static [Op] {
        BUILTIN.get(s.index()).copied().unwrap_or_default()
    }

    /// How many names there are.
    pub fn sym_count(&self) -> usize {
        self.names.len()
    }

    // ---- sorts

    /// Interns a sort.
    ///
    /// `(-> A (-> B C))` and `(-> A B C)` are two sorts, which may stand for each other: z3 tells them apart.
    pub fn mk_sort(&mut self, kind: SortKind) -> Sort {
        let (id, new) = self.sorts.intern_new(kind);
        if new {
            let kind = self.sorts.get(id);
            let mut info =
                SortInfo { depth: 1, size: 1, has_params: matches!(kind, SortKind::Param(_)) };
            kind.for_each_child(|c| {
                let i = self.sort_info.get(c.index());
                info.depth = info.depth.max(i.depth + 1);
                info.size = info.size.saturating_add(i.size);
                info.has_params |= i.has_params;
            });
            self.sort_info.push(info);
        }
        Sort(id)
    }

    /// What a sort is.
    #[inline]
    pub fn sort_kind(&self, s: Sort) -> &SortKind {
        self.sorts.get(s.0)
    }

    /// Whether a sort parameter occurs in it.
    pub fn sort_has_params(&self, s: Sort) -> bool {
        self.sort_info.get(s.index()).has_params
    }

    /// Whether a sort is nested too deeply, or is too large, to be worked with.
    pub fn sort_too_deep(&self, s: Sort) -> bool {
        let i = self.sort_info.get(s.index());
        i.depth > MAX_SORT_DEPTH || i.size > MAX_SORT_SIZE
    }

    /// `(_ BitVec width)`
    pub fn bv_sort(&mut self, width: u32) -> Sort {
        self.mk_sort(SortKind::BitVec(width))
    }

    /// How many sorts there are.
    pub fn sort_count(&self) -> usize {
        self.sorts.len()
    }

    /// The sort of this number (see [`Sort::index`]).
    pub fn sort_at(&self, index: usize) -> Option<Sort> {
        (index < self.sorts.len()).then_some(Sort(index as u32))
    }

    /// Declares a sort symbol.
    pub fn declare_sort(&mut self, info: SortDeclInfo) -> SortDecl {
        SortDecl(self.sort_decls.push(info) as u32)
    }

    /// A declared sort symbol.
    pub fn sort_decl(&self, d: SortDecl) -> &SortDeclInfo {
        self.sort_decls.get(d.0 as usize)
    }

    /// A sort symbol of this layer, for completing its declaration.
    pub fn sort_decl_mut(&mut self, d: SortDecl) -> Option<&mut SortDeclInfo> {
        self.sort_decls.get_mut(d.0 as usize)
    }

    /// Changes the name of a sort symbol of this layer.
    pub fn rename_sort(&mut self, d: SortDecl, name: Sym) {
        if let Some(info) = self.sort_decls.get_mut(d.0 as usize) {
            info.name = name;
        }
    }

    /// All sort symbols.
    pub(crate) fn sort_decls_all(&self) -> impl Iterator<Item = SortDecl> + use<> {
        (0..self.sort_decls.len() as u32).map(SortDecl)
    }

    /// How many sort symbols there are.
    pub fn sort_decl_count(&self) -> usize {
        self.sort_decls.len()
    }

    // ---- functions and variables

    /// Adds a function symbol.
    pub fn declare_fun(&mut self, decl: FunDecl) -> Fun {
        Fun(self.funs.push(decl) as u32)
    }

    /// A function symbol.
    #[inline]
    pub fn fun(&self, f: Fun) -> &FunDecl {
        self.funs.get(f.0 as usize)
    }

    /// The function symbol of this number (see [`Fun::index`]).
    pub fn fun_at(&self, index: usize) -> Option<Fun> {
        (index < self.funs.len()).then_some(Fun(index as u32))
    }

    /// Changes the name of a function symbol of this layer.
    pub fn rename_fun(&mut self, f: Fun, name: Sym) {
        if let Some(d) = self.funs.get_mut(f.0 as usize) {
            d.name = name;
        }
    }

    /// Gives a function symbol its body. A symbol of a frozen layer is redefined in this layer only; a rollback does not
    /// undo that.
    pub fn set_definition(&mut self, f: Fun, params: VarList, body: Term) {
        if self.funs.get_mut(f.0 as usize).is_none() {
            self.funs.detach();
        }
        if let Some(d) = self.funs.get_mut(f.0 as usize) {
            d.def = Some((params, body));
        }
    }

    /// How the declaration was written: how many of the arguments stood in its list, and the sort behind that, which is
    /// the result or a function sort with the other arguments.
    pub fn written(&self, f: Fun) -> (usize, Sort) {
        let d = self.fun(f);
        self.currying.of(f).unwrap_or((d.args.len(), d.ret))
    }

    /// Notes how a declaration was written.
    pub(crate) fn set_written(&mut self, f: Fun, args: usize, ret: Sort) {
        self.currying.note(f, args, ret);
    }

    /// Whether a function may be any term, as z3 reads `((f x) y)`; else only a symbol, and `@` applies other terms.
    pub fn juxtaposes(&self) -> bool {
        self.currying.juxtaposes
    }

    /// Notes that the source applies terms as z3 reads it.
    pub(crate) fn set_juxtaposes(&mut self) {
        self.currying.juxtaposes = true;
    }

    /// How many function symbols there are.
    pub fn fun_count(&self) -> usize {
        self.funs.len()
    }

    /// Makes a new bound variable.
    pub fn new_var(&mut self, name: Sym, sort: Sort) -> Var {
        Var(self.vars.push(VarDecl { name, sort }) as u32)
    }

    /// A bound variable.
    #[inline]
    pub fn var(&self, v: Var) -> VarDecl {
        *self.vars.get(v.0 as usize)
    }

    /// Changes the name of a bound variable of this layer.
    pub fn rename_var(&mut self, v: Var, name: Sym) {
        if let Some(d) = self.vars.get_mut(v.0 as usize) {
            d.name = name;
        }
    }

    /// All bound variables.
    pub(crate) fn vars_all(&self) -> impl Iterator<Item = Var> + use<> {
        (0..self.vars.len() as u32).map(Var)
    }

    /// How many bound variables there are.
    pub fn var_count(&self) -> usize {
        self.vars.len()
    }

    /// Interns a list of variables.
    pub fn var_list(&mut self, vars: &[Var]) -> VarList {
        VarList(self.var_lists.intern_with(vars, || vars.into()))
    }

    /// The variables of a list.
    #[inline]
    pub fn vars(&self, l: VarList) -> &[Var] {
        self.var_lists.get(l.0)
    }

    /// Interns a list of indices.
    pub fn idx(&mut self, indices: &[u32]) -> Idx {
        if indices.is_empty() {
            return Idx::NONE;
        }
        Idx(self.indices.intern_with(indices, || indices.into()))
    }

    /// The indices of a list.
    #[inline]
    pub fn indices(&self, i: Idx) -> &[u32] {
        self.indices.get(i.0)
    }

    /// Interns a list of annotations.
    pub fn attrs(&mut self, list: Vec<Attr>) -> Attrs {
        Attrs(self.attrs.intern(list.into()))
    }

    /// The annotations of a list.
    pub fn attr_list(&self, a: Attrs) -> &[Attr] {
        self.attrs.get(a.0)
    }

    /// Interns the cases of a `match`.
    pub fn cases(&mut self, list: Vec<Case>) -> Cases {
        Cases(self.cases.intern(list.into()))
    }

    /// The cases of a `match`.
    pub fn case_list(&self, c: Cases) -> &[Case] {
        self.cases.get(c.0)
    }

    /// Interns a literal without making a term of it (for indices that may be large).
    pub fn literal(&mut self, l: Literal) -> Lit {
        Lit(self.literals.intern(l))
    }

    /// A literal.
    #[inline]
    pub fn lit(&self, l: Lit) -> &Literal {
        self.literals.get(l.0)
    }

    /// The literal of this number, as kept in the index of `divisible`.
    pub fn lit_at(&self, index: u32) -> &Literal {
        self.literals.get(index)
    }
}
