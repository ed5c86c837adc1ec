//! The forms of what is written in Rust: functions, modules, classes.

use crate::{Args, Machine, Tried, Value};
use vjp_tensor::Kind;

/// A function written in Rust. Where several share `run`, `args.callee` says which was called.
pub struct Builtin {
    pub name: &'static str,
    /// Where it lives: `builtins`, `math`, `torch`, `torch.nn.functional`; `Tensor` for methods.
    pub module: &'static str,
    /// As help shows it, without the name: `(iterable, /, start=0)`.
    pub signature: &'static str,
    /// One line.
    pub help: &'static str,
    /// The same in JAX, as an exported program says it: `jnp.array({data}, dtype={dtype})`. Empty: by
    /// its name; `-`: JAX has none.
    pub jax: &'static str,
    pub run: fn(&mut Machine, Args) -> Tried<Value>,
}

/// A module: its contents are made once per thread.
pub struct Module {
    /// Dotted: `torch.nn.functional`.
    pub name: &'static str,
    pub help: &'static str,
    pub contents: fn() -> Vec<(&'static str, Value)>,
}

/// A class written in Rust.
pub struct Type {
    pub name: &'static str,
    /// `builtins`, `torch`, `torch.nn.modules.module` …: what its repr says before the name.
    pub module: &'static str,
    pub help: &'static str,
    /// `isinstance(value, type)`.
    pub includes: fn(&Value) -> bool,
    /// `type(…)`.
    pub construct: fn(&mut Machine, &'static Type, Args) -> Tried<Value>,
    /// Attributes of the class, which instances of deriving classes inherit: `nn.Module.parameters`.
    pub attribute: fn(&str) -> Option<Value>,
    /// For classes of exceptions.
    pub exception: Option<Kind>,
    /// The class it derives from, where that is not `object`.
    pub base: Option<&'static Type>,
}

impl Type {
    /// Whether this is `other` or derives from it.
    pub fn is_a(&'static self, other: &Type) -> bool {
        std::iter::successors(Some(self), |t| t.base).any(|t| std::ptr::eq(t, other))
            || other.name == "object"
    }
}
