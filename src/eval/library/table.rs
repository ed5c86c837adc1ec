//! What the language is given by the rooms above it: tensors and their library. They fill it in at start.

use super::forms::{Builtin, Module, Type};
use crate::record::event::MatrixEvent;
use crate::values::value::Set;
use crate::{Args, Machine, Tried, Value};
use std::rc::Rc;
use std::sync::OnceLock;
use vjp_maths::Variable;
use vjp_syntax::ast::{BinaryOp, UnaryOp};
use vjp_tensor::Outcome;
use vjp_text::Symbol;

type Made = Tried<Value>;
type Perhaps = Tried<Option<Value>>;
type Quick = Outcome<Value>;
type Members = Vec<(String, Variable)>;

/// One file: the module that its names belong to, and its text.
pub struct Page {
    pub module: &'static str,
    pub text: &'static str,
}

/// Python's own functions, classes and modules.
pub struct Python {
    pub contents: fn() -> Vec<(&'static str, Value)>,
    pub modules: fn() -> Vec<&'static Module>,
    /// Pages of its modules in the language itself.
    pub pages: &'static [Page],
    /// A method of one of its classes, and the names of all of a class.
    pub method: fn(&str, &Value) -> Option<Value>,
    pub method_names: fn(&str) -> Vec<&'static str>,
    /// Whether a builtin and a class take the keywords of a call.
    pub check: fn(&Args) -> Outcome<()>,
    pub check_class: fn(&Type, &Args) -> Outcome<()>,
    pub class_of: fn(&Value) -> Value,
    pub object: &'static Type,
    pub object_new: &'static Builtin,
    pub object_init: &'static Builtin,
    pub exception_init: &'static Builtin,
    /// `getter`, `setter` or `deleter` of a property.
    pub property_part: fn(&str) -> Option<&'static Builtin>,
    pub size_numel: &'static Builtin,
    /// `a | b` of classes.
    pub either: fn(&Value, &Value) -> Option<Value>,
    /// Set algebra of sets, of parts of dicts, and the set that either is.
    pub combine: fn(BinaryOp, &Rc<Set>, &Rc<Set>) -> Option<Value>,
    pub combine_views: fn(&mut Machine, BinaryOp, &Value, &Value) -> Perhaps,
    pub view_set: fn(&mut Machine, &Value) -> Option<Rc<Set>>,
}

/// A library of tensors, over Python's.
pub struct Library {
    pub python: &'static Python,
    pub modules: fn() -> Vec<&'static Module>,
    /// Pages of its modules in the language itself.
    pub pages: &'static [Page],
    /// The short form of a name, where not strict, and all of them.
    pub short_name: fn(Symbol) -> Option<Value>,
    pub short_names: fn() -> Vec<(&'static str, Value)>,
    /// What it says of a name that its module had once.
    pub removed: fn(&str) -> Option<String>,
    /// The class of a value.
    pub type_of: fn(&Value) -> Option<&'static Type>,
    /// Attributes of tensors, arrays, types of elements and functions.
    pub attribute: fn(&mut Machine, &Value, Symbol) -> Perhaps,
    pub set_attribute: fn(&mut Machine, &Value, Symbol, Value) -> Tried<bool>,
    /// `del t.name`; false where there is no such attribute.
    pub delete_attribute: fn(&mut Machine, &Value, Symbol) -> Tried<bool>,
    pub attributes: fn() -> Vec<&'static str>,
    /// A method of tensors, and one of a plain number that is an operation of mathematics.
    pub method: fn(Symbol) -> Option<&'static Builtin>,
    pub number_method: fn(&Value, Symbol) -> Option<Value>,
    /// `x[key]` and `x[key] = value` of tensors and arrays.
    pub item: fn(&mut Machine, &Value, &Value) -> Made,
    pub set_item: fn(&mut Machine, &Value, &Value, Value) -> Tried<()>,
    /// Whether PyTorch takes a call.
    pub check: fn(&'static Builtin, &Args, bool) -> Outcome<()>,
    /// A call without keywords of an operation of the catalogue; None where it is none.
    pub quick_call: fn(&Machine, &'static Builtin, bool, &[Value]) -> Option<Quick>,
    /// A call that may write into `out=`.
    pub call: fn(&mut Machine, &'static Builtin, Args) -> Made,
    /// What a builtin of Python's means of leaves, and whether it takes keywords of PyTorch's there.
    pub of_leaves: fn(&mut Machine, &Args) -> Perhaps,
    pub takes_more: fn(&Builtin) -> bool,
    /// Nothing may branch on what stands for several tensors at once.
    pub branch: fn(&Variable) -> Outcome<()>,
    /// Parameters and buffers of a module, by name.
    pub members: fn(&Value) -> Option<Members>,
    pub matrix: Matrices,
}

/// Jacobians that know their structure.
pub struct Matrices {
    pub knows: fn(&Value) -> bool,
    pub rows: fn(&Value) -> Option<usize>,
    pub binary: fn(&mut Machine, BinaryOp, &Value, &Value) -> Made,
    pub unary: fn(&mut Machine, UnaryOp, &Value) -> Made,
    /// As a tensor.
    pub opened: fn(&Value) -> Outcome<Value>,
    /// How it is drawn; the flag: also one whose entries an echo would show.
    pub drawn: fn(&Machine, &Value, bool) -> Option<MatrixEvent>,
}

static GIVEN: OnceLock<&'static Library> = OnceLock::new();

/// Called before a machine starts; there is one library.
pub fn give(library: &'static Library) {
    GIVEN.get_or_init(|| library);
}

/// The library.
#[inline]
pub fn given() -> &'static Library {
    GIVEN.get().expect("a machine has started")
}

/// Whether a value is a Jacobian that knows its structure.
#[inline]
pub fn is_matrix(value: &Value) -> bool {
    matches!(value, Value::Object(_)) && (given().matrix.knows)(value)
}
