//! The short names: `tensor`, `sin`, `jacobian` … (not strict).

use super::catalogue::{Form, contents};
use super::{Builtin, Table};
use super::{constructors, contexts, functional, prompt, random, torch_functions};
use crate::eval::value::Value;
use crate::maths::ops::Forms;
use crate::text::names::Symbol;
use std::cell::RefCell;
use std::rc::Rc;

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
    table.get(&name).cloned()
}

/// All of them; where two tables have a name, the first holds.
pub fn all() -> Vec<(&'static str, Value)> {
    let tables: [&'static [Builtin]; 6] = [
        prompt::BUILTINS,
        constructors::BUILTINS,
        contexts::BUILTINS,
        functional::FUNCTIONAL,
        random::BUILTINS,
        torch_functions::BUILTINS,
    ];
    let mut all: Vec<_> = tables.iter().flat_map(|t| super::torch::values(t)).collect();
    all.extend(contents(Forms::SHORT, Form::Function, "torch"));
    all.extend([
        ("pi", Value::Float(std::f64::consts::PI)),
        ("e", Value::Float(std::f64::consts::E)),
        ("inf", Value::Float(f64::INFINITY)),
        ("nan", Value::Float(f64::NAN)),
    ]);
    // Outside strict NumPy's constructor needs no import: J by hand stands beside J.
    let array = Symbol::new("array");
    all.extend(super::module("numpy").and_then(|np| Some(("array", np.get(array)?))));
    all
}
