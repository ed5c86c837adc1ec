//! What a name can stand for.

use super::library::{Builtin, Module};
use super::machine::Machine;
use super::raise::Halt;
use crate::maths::tensor::Dtype;
use crate::maths::variable::Variable;
use crate::syntax::ast;
use crate::text::names::Symbol;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

#[derive(Clone)]
pub enum Value {
    None,
    Ellipsis,
    /// `NotImplemented`.
    NotImplemented,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// A Python number that remembers how it was computed (never under strict).
    Number(Rc<Tracked>),
    Str(Rc<str>),
    List(Rc<List>),
    Tuple(Rc<Tuple>),
    Dict(Rc<Dict>),
    Set(Rc<Set>),
    Range(Rc<Range>),
    Slice(Rc<[Value; 3]>),
    Tensor(Variable),
    /// A NumPy array: the same store, another set of habits.
    Array(Variable),
    /// A NumPy scalar such as `np.float64(2.0)`.
    NpScalar(f64, Dtype),
    Dtype(Dtype),
    Function(Rc<Function>),
    Builtin(&'static Builtin),
    /// A function of the library bound to its first argument.
    Method(Rc<(Value, &'static Builtin)>),
    /// A Python function bound to its first argument.
    BoundFunction(Rc<(Value, Value)>),
    Module(&'static Module),
    Class(Rc<Class>),
    Instance(Rc<Instance>),
    Exception(Rc<Exception>),
    Iterator(Rc<RefCell<Box<dyn Iteration>>>),
    /// Whatever else the library provides (no_grad, a hook's handle, a graph node, an optimiser …).
    Object(Rc<dyn Object>),
}

/// A number with a place in the graph.
pub struct Tracked {
    /// `Int`, `Float` or `Bool`.
    pub number: Value,
    pub variable: Variable,
}

/// A list. Written in brackets with numbers in it, it is numeric: arithmetic sees a tensor.
pub struct List {
    pub items: RefCell<Vec<Value>>,
    /// The leaf or the stacked tensor this list stands for; cleared when the list changes.
    pub tensor: RefCell<Option<Variable>>,
    /// A display whose elements are numbers or 0-d tensors, maybe nested.
    pub numeric: Cell<bool>,
}

/// A tuple, `torch.Size` or a named tuple such as `torch.return_types.max`.
pub struct Tuple {
    pub items: Vec<Value>,
    pub kind: TupleKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TupleKind {
    Plain,
    Size,
    /// Type name and field names.
    Named(&'static str, &'static [&'static str]),
}

/// Keys in the order they were first inserted.
#[derive(Default)]
pub struct Dict {
    pub entries: RefCell<super::dict::Table>,
}

#[derive(Default)]
pub struct Set {
    pub entries: RefCell<super::dict::Table>,
    pub frozen: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    pub start: i64,
    pub stop: i64,
    pub step: i64,
}

/// A `def`, `lambda` or `f(x) = …` with what it closes over.
pub struct Function {
    pub code: Rc<ast::Function>,
    pub defaults: Vec<Option<Value>>,
    pub scope: super::env::Scope,
    /// `outer.<locals>.inner`.
    pub qualified: Rc<str>,
    pub attributes: RefCell<Vec<(Symbol, Value)>>,
    pub source: crate::text::source::Source,
}

pub struct Class {
    pub name: Symbol,
    pub bases: Vec<Value>,
    pub attributes: RefCell<Vec<(Symbol, Value)>>,
}

pub struct Instance {
    pub class: Rc<Class>,
    pub attributes: RefCell<Vec<(Symbol, Value)>>,
}

/// A raised or constructed exception.
pub struct Exception {
    /// A class of Python's tree, or a program's own.
    pub class: Value,
    pub kind: crate::maths::complaint::Kind,
    pub args: Vec<Value>,
    /// What a place-less complaint brought along.
    pub hint: Option<String>,
}

/// An iterator: `next` gives None at its end.
pub trait Iteration {
    fn next(&mut self, machine: &mut Machine) -> Result<Option<Value>, Halt>;
    /// Python's name of the type: `zip`, `generator`.
    fn type_name(&self) -> &'static str;
}

/// A library object with attributes of its own.
pub trait Object {
    fn type_name(&self) -> String;
    fn get(&self, this: &Value, name: Symbol, machine: &mut Machine) -> Result<Option<Value>, Halt>;
    fn set(&self, _name: Symbol, _value: Value, _machine: &mut Machine) -> Result<bool, Halt> {
        Ok(false)
    }
    fn call(&self, _this: &Value, _args: super::call::Args, _machine: &mut Machine) -> Option<Result<Value, Halt>> {
        None
    }
    /// `with` support: `__enter__`.
    fn enter(&self, _machine: &mut Machine) -> Option<Result<Value, Halt>> {
        None
    }
    fn exit(&self, _machine: &mut Machine) -> Result<(), Halt> {
        Ok(())
    }
    fn repr(&self, machine: &mut Machine) -> Result<String, Halt>;
    fn as_any(&self) -> &dyn std::any::Any;
    /// What `:undo` and a failed statement must put back: a closure that restores this moment.
    fn snapshot(&self) -> Option<Box<dyn Fn()>> {
        None
    }
}
