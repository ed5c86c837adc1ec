//! Python's `math`.
use super::Module;

/// The module.
pub static MATH: Module = Module {
    name: "math",
    help: "Python's functions of numbers",
    contents: Vec::new,
};
