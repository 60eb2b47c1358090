//! Operators of a user's own solver, declared in a TOML file.
//!
//! ```toml
//! [[operator]]
//! name = "my.clamp"
//! args = ["Int", "Int", "Int"]
//! result = "Int"
//!
//! [[operator]]            # a sort variable, and indices: (_ my.nth 3)
//! name = "my.nth"
//! indices = 1
//! params = ["X"]
//! args = ["(Seq X)"]
//! result = "X"
//! ```

use dashu_int::UBig;
use serde::Deserialize;

use crate::arena::{Arena, Fun, FunDecl, FunKind};
use crate::parser::sort_in;

/// A set of further operators.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserOps {
    /// The operators.
    #[serde(default, rename = "operator")]
    pub operators: Vec<UserOp>,
}

/// One operator.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserOp {
    /// Name.
    pub name: String,
    /// How many numeral indices it takes.
    #[serde(default)]
    pub indices: usize,
    /// Sort variables that occur in the sorts.
    #[serde(default)]
    pub params: Vec<String>,
    /// Argument sorts, in SMT-LIB syntax.
    #[serde(default)]
    pub args: Vec<String>,
    /// Result sort, in SMT-LIB syntax.
    pub result: String,
}

impl UserOps {
    /// Reads the TOML text; every sort must be readable.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        let ops: Self = toml::from_str(text).map_err(|e| e.to_string())?;
        let mut scratch = Arena::new();
        for op in &ops.operators {
            for s in op.args.iter().chain([&op.result]) {
                sort_in(&mut scratch, s, &op.params)
                    .map_err(|e| format!("operator `{}`, sort `{s}`: {e}", op.name))?;
            }
        }
        Ok(ops)
    }

    /// The function symbol of an operator in an arena.
    pub(crate) fn instantiate(
        &self,
        arena: &mut Arena,
        name: &str,
        indices: &[UBig],
    ) -> Option<Fun> {
        let op = self.operators.iter().find(|o| o.name == name && o.indices == indices.len())?;
        let mut sort = |s: &String| sort_in(arena, s, &op.params).ok();
        let args = op.args.iter().map(&mut sort).collect::<Option<Vec<_>>>()?;
        let ret = sort(&op.result)?;
        let params = op.params.iter().map(|p| arena.sym(p)).collect();
        let name = arena.sym(&indexed_name(name, indices));
        let kind = FunKind::External;
        Some(arena.declare_fun(FunDecl { name, params, args: args.into(), ret, kind, def: None }))
    }
}

/// `f`, or `(_ f 1 2)` as it is printed.
pub(crate) fn indexed_name(name: &str, indices: &[UBig]) -> String {
    if indices.is_empty() {
        return name.to_owned();
    }
    let list: Vec<String> = indices.iter().map(ToString::to_string).collect();
    format!("(_ {name} {})", list.join(" "))
}
