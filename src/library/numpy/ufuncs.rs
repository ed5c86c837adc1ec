//! Methods of NumPy's functions of two arrays: `np.add.reduce`, `np.maximum.accumulate`; the page `numpy/ufuncs` has
//! them.

use std::rc::Rc;
use vjp_eval::library::prelude;
use vjp_eval::{Builtin, Value};
use vjp_text::Symbol;

/// By NumPy's names.
const OF_TWO: &[&str] = &[
    "add",
    "arctan2",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "divide",
    "equal",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "greater",
    "greater_equal",
    "hypot",
    "less",
    "less_equal",
    "logaddexp",
    "logical_and",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mod",
    "multiply",
    "not_equal",
    "power",
    "remainder",
    "subtract",
    "true_divide",
];

/// The page has each as `_ufunc_reduce`.
const METHODS: [&str; 5] = ["accumulate", "at", "outer", "reduce", "reduceat"];

/// A method of such a function, with the function bound to it.
pub fn method(f: &'static Builtin, name: &str) -> Option<Value> {
    let known = f.module == "numpy" && OF_TWO.contains(&f.name) && METHODS.contains(&name);
    let page = || Symbol::new(&format!("_ufunc_{name}"));
    let function = known.then(|| prelude::get("numpy", page()))??;
    Some(Value::BoundFunction(Rc::new((function, Value::Builtin(f)))))
}
