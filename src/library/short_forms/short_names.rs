//! The short names: `tensor`, `sin`, `jacobian` … (not strict).

use crate::short_forms;
use std::cell::RefCell;
use std::rc::Rc;
use vjp_binder::catalogue::{Form, builtin, entry};
use vjp_catalogue::catalogue;
use vjp_eval::library::Table;
use vjp_eval::{Builtin, Value};
use vjp_ops::Forms;
use vjp_text::Symbol;
use vjp_torch::{absent, constructors, contexts, functions, random};
use vjp_transforms::autograd::functional;

thread_local! {
    static TABLE: RefCell<Option<Rc<Table>>> = const { RefCell::new(None) };
}

/// A short name's value.
pub fn get(name: Symbol) -> Option<Value> {
    let table = TABLE.with_borrow(Clone::clone).unwrap_or_else(|| {
        let table: Rc<Table> =
            Rc::new(all().into_iter().rev().map(|(n, v)| (Symbol::new(n), v)).collect());
        TABLE.set(Some(Rc::clone(&table)));
        table
    });
    table.get(&name).cloned().or_else(|| {
        if NOT_BARE.contains(&name.as_str())
            || absent::BUILTINS.iter().any(|b| b.name == name.as_str())
        {
            return None;
        }
        let modules = HOMES.iter().filter_map(|m| vjp_eval::library::module(m));
        modules.filter_map(|m| m.get(name)).find(|v| is_function(v) && is_word(name.as_str()))
    })
}

/// Whose functions are there without a prefix.
const HOMES: [&str; 2] = ["torch", "torch.nn.functional"];

/// Functions of torch that need it in front: save and load are commands at the prompt, the others are gone from PyTorch.
const NOT_BARE: [&str; 6] = ["eig", "load", "lstsq", "matrix_rank", "save", "symeig"];

fn is_function(value: &Value) -> bool {
    matches!(value, Value::Builtin(_) | Value::Function(_))
}

/// A single letter is the reader's own.
fn is_word(name: &str) -> bool {
    name.len() > 1 && !name.starts_with('_')
}

/// All of them; where two tables have a name, the first holds.
pub fn all() -> Vec<(&'static str, Value)> {
    let tables: [&'static [Builtin]; 6] = [
        short_forms::BUILTINS,
        constructors::BUILTINS,
        contexts::BUILTINS,
        functional::FUNCTIONAL,
        random::BUILTINS,
        functions::BUILTINS,
    ];
    let mut all: Vec<_> = tables.iter().flat_map(|t| vjp_eval::library::values(t)).collect();
    for e in catalogue() {
        let homes = [
            (Forms::TORCH, HOMES[0]),
            (Forms::F, HOMES[1]),
            (Forms::LINALG, "torch.linalg"),
            (Forms::SPECIAL, "torch.special"),
        ];
        let home = homes.iter().find(|(form, _)| e.forms.has(*form)).map_or(HOMES[0], |h| h.1);
        let bare = [Forms::TORCH, Forms::F, Forms::SHORT].iter().any(|f| e.forms.has(*f));
        let names = std::iter::once(e.name).chain(e.aliases.iter().copied());
        let names = names.filter(|n| bare && is_word(n));
        all.extend(names.map(|n| (n, Value::Builtin(builtin(n, e, Form::Function, home)))));
    }
    // As mathematics writes the natural logarithm.
    let log = entry("log", Forms::TORCH);
    all.extend(log.map(|e| ("ln", Value::Builtin(builtin("log", e, Form::Function, HOMES[0])))));
    all.extend(vjp_python::math::CONSTANTS);
    // Outside strict NumPy's constructor needs no import: J by hand stands beside J.
    let array = Symbol::new("array");
    all.extend(vjp_eval::library::module("numpy").and_then(|np| Some(("array", np.get(array)?))));
    all
}
