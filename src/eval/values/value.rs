//! What a name can stand for.

use crate::language::env::Scope;
use crate::library::forms::{Builtin, Module, Type};
use crate::values::long_text;
use crate::{Halt, Machine, Tried};
use num_bigint::BigInt;
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;
use vjp_maths::Variable;
use vjp_tensor::{Dtype, Scalar, budget};
use vjp_text::Symbol;

pub use super::containers::{
    Class, Dict, Exception, Function, Instance, List, Range, Set, Tracked, Tuple, TupleKind,
};

#[derive(Clone)]
pub enum Value {
    None,
    Ellipsis,
    /// `NotImplemented`.
    NotImplemented,
    Bool(bool),
    Int(i64),
    /// An int beyond 64 bits.
    Long(Rc<BigInt>),
    Float(f64),
    /// A Python number that remembers how it was computed (never under strict).
    Number(Rc<Tracked>),
    Str(Rc<str>),
    List(Rc<List>),
    Tuple(Rc<Tuple>),
    Dict(Rc<Dict>),
    Set(Rc<Set>),
    Range(Rc<Range>),
    /// Start, stop, step.
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
    /// A class of Python's or the library's: `int`, `RuntimeError`, `torch.Tensor`.
    Type(&'static Type),
    /// A class the program defined.
    Class(Rc<Class>),
    Instance(Rc<Instance>),
    Exception(Rc<Exception>),
    Iterator(Rc<RefCell<Box<dyn Iteration>>>),
    /// Whatever else the library provides (no_grad, a hook's handle, a graph node, an optimiser …).
    Object(Rc<dyn Object>),
}

/// An iterator: `next` gives None at its end.
pub trait Iteration {
    /// The next element.
    fn next(&mut self, machine: &mut Machine) -> Tried<Option<Value>>;
    /// Python's name of the type: `zip`, `generator`.
    fn type_name(&self) -> &'static str;
    /// One that goes on from the same place, and in `reached` the values it holds.
    fn copied(&self, reached: &mut Vec<Value>) -> Box<dyn Iteration>;
    /// Where code of the program's, left half-way, keeps its names.
    fn scope(&self) -> Scope {
        None
    }
    /// The qualified name of a generator's function, for its repr.
    fn title(&self) -> Option<Rc<str>> {
        None
    }
    /// `generator.send(value)`.
    fn send(&mut self, _machine: &mut Machine, _value: Value) -> Tried<Option<Value>> {
        let message = format!("'{}' object has no attribute 'send'", self.type_name());
        Err(Halt::new(vjp_tensor::Kind::Attribute, message))
    }
    /// `generator.throw(error)`.
    fn throw(&mut self, _machine: &mut Machine, halt: Halt) -> Tried<Option<Value>> {
        Err(halt)
    }
    /// What a generator returned, after its end.
    fn result(&mut self) -> Value {
        Value::None
    }
}

/// A library object with attributes of its own.
pub trait Object: std::any::Any {
    fn type_name(&self) -> String;
    /// Attribute `name`; None where there is none.
    fn get(&self, _this: &Value, _name: Symbol, _machine: &mut Machine) -> Tried<Option<Value>> {
        Ok(None)
    }
    /// Sets an attribute; false where there is none to set.
    ///
    /// # Errors
    /// A value that does not fit.
    fn set(&self, _name: Symbol, _value: Value, _machine: &mut Machine) -> Tried<bool> {
        Ok(false)
    }
    /// The names that `dir` lists.
    fn names(&self) -> Vec<&'static str> {
        Vec::new()
    }
    /// `del object.name`; false where there is none to take away.
    fn delete(&self, _name: Symbol) -> bool {
        false
    }
    /// `object(…)`; None where it cannot be called.
    fn call(
        &self,
        _this: &Value,
        _args: crate::Args,
        _machine: &mut Machine,
    ) -> Option<Tried<Value>> {
        None
    }
    /// `object == other`; None where only the object itself is equal to it.
    fn equals(&self, _other: &Value) -> Option<bool> {
        None
    }
    /// What tells it from others, where the program may hold the same one twice: else where it lies.
    fn identity(&self) -> Option<usize> {
        None
    }
    /// Whether `callable(object)`.
    fn callable(&self) -> bool {
        false
    }
    /// `object[key]`; None where it has no elements.
    fn item(&self, _key: &Value, _machine: &mut Machine) -> Option<Tried<Value>> {
        None
    }
    /// `object[key] = value`; None where that is not possible.
    fn set_item(&self, _key: &Value, _value: Value, _machine: &mut Machine) -> Option<Tried<()>> {
        None
    }
    /// `for … in object`, and `len` of it: its elements, where it has some.
    fn elements(&self, _machine: &mut Machine) -> Option<Tried<Vec<Value>>> {
        None
    }
    /// Whether `reversed` takes its elements.
    fn reversible(&self) -> bool {
        false
    }
    /// `with` support: `__enter__`.
    fn enter(&self, _machine: &mut Machine) -> Option<Tried<Value>> {
        None
    }
    /// `__exit__`.
    fn exit(&self, _machine: &mut Machine) -> Tried<()> {
        Ok(())
    }
    /// `repr(object)`.
    fn repr(&self, machine: &mut Machine) -> Tried<String>;
    /// `str(object)`, where it differs.
    fn str(&self, machine: &mut Machine) -> Tried<String> {
        self.repr(machine)
    }
    /// What `:undo` and a failed statement must put back: a closure that restores this moment.
    fn snapshot(&self) -> Option<Box<dyn Fn()>> {
        None
    }
    /// Values it holds that may change, each as often as it holds it.
    fn children(&self) -> Vec<Value> {
        Vec::new()
    }
}

impl dyn Object {
    /// To be asked for its own type.
    pub fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

impl Value {
    pub fn str(text: impl AsRef<str>) -> Value {
        let text = text.as_ref();
        match budget::claims(text.len()) {
            true => Value::Str(long_text::shared(text)),
            false => Value::Str(Rc::from("")),
        }
    }

    /// A list as Python builds one (not numeric).
    pub fn list(items: Vec<Value>) -> Value {
        Value::List(List::shared(items))
    }

    pub fn dict(made: Dict) -> Value {
        Value::Dict(crate::values::collector::shared(made))
    }

    pub fn tuple(items: Vec<Value>) -> Value {
        Value::Tuple(Rc::new(Tuple { items, kind: TupleKind::Plain }))
    }

    /// `torch.Size([…])`.
    pub fn size(shape: &[usize]) -> Value {
        Value::Tuple(Rc::new(Tuple {
            items: shape.iter().map(|&n| Value::Int(n as i64)).collect(),
            kind: TupleKind::Size,
        }))
    }

    pub fn iterator(iteration: impl Iteration + 'static) -> Value {
        Value::Iterator(Rc::new(RefCell::new(Box::new(iteration))))
    }

    /// The list, dict, text … that an instance of a class deriving from Python's own holds; anything
    /// else is itself.
    pub fn base(&self) -> Value {
        match self {
            Value::Instance(i) => i.base().unwrap_or_else(|| self.clone()),
            other => other.clone(),
        }
    }

    /// Without the memory of how it was computed: `Number` gives its Python number.
    pub fn plain(&self) -> Value {
        match self {
            Value::Number(n) => n.number(),
            other => other.clone(),
        }
    }

    /// The integer of 64 bits that this is, bools and tracked numbers included; floats are none.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(i) => Some(*i),
            Value::Bool(b) => Some(i64::from(*b)),
            Value::Number(n) => n.number().as_int(),
            Value::Instance(i) => i.base()?.as_int(),
            Value::NpScalar(v, d) if *d != Dtype::Bool && !d.is_float() => Some(*v as i64),
            _ => None,
        }
    }

    /// The integer that this is, of any size.
    pub fn whole(&self) -> Option<Cow<'_, BigInt>> {
        match self {
            Value::Long(n) => Some(Cow::Borrowed(n)),
            Value::Number(n) => Some(Cow::Owned(n.number().whole()?.into_owned())),
            Value::Instance(i) => Some(Cow::Owned(i.base()?.whole()?.into_owned())),
            other => other.as_int().map(|i| Cow::Owned(i.into())),
        }
    }

    /// The number that this is: int, float, bool, tracked, NumPy scalar; None of an int beyond the
    /// floats.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Value::Int(i) => Some(*i as f64),
            Value::Long(n) => num_traits::ToPrimitive::to_f64(&**n).filter(|x| x.is_finite()),
            Value::Float(f) => Some(*f),
            Value::Bool(b) => Some(f64::from(*b)),
            Value::Number(n) => n.number().as_float(),
            Value::Instance(i) => i.base()?.as_float(),
            Value::NpScalar(v, _) => Some(*v),
            _ => None,
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(s) => Some(s),
            _ => None,
        }
    }

    /// Whether dropping it may drop more.
    pub fn is_shared(&self) -> bool {
        !matches!(
            self,
            Value::None
                | Value::Bool(_)
                | Value::Int(_)
                | Value::Long(_)
                | Value::Float(_)
                | Value::Str(_)
        )
    }

    /// Whether dropping it may drop values within values.
    pub fn is_nested(&self) -> bool {
        self.is_shared()
            && !matches!(
                self,
                Value::Tensor(_) | Value::Array(_) | Value::Range(_) | Value::Builtin(_)
            )
    }

    pub fn is_none(&self) -> bool {
        matches!(self, Value::None)
    }

    /// Whether it is of a kind that may be called; an instance and an object may still refuse.
    pub fn may_be_called(&self) -> bool {
        matches!(
            self,
            Value::Function(_)
                | Value::Builtin(_)
                | Value::Method(_)
                | Value::BoundFunction(_)
                | Value::Type(_)
                | Value::Class(_)
                | Value::Instance(_)
                | Value::Object(_)
        )
    }

    /// An int, float or bool, tracked or not.
    pub fn is_number(&self) -> bool {
        self.is_int() || matches!(self, Value::Float(_) | Value::Bool(_) | Value::Number(_))
    }

    /// An int of any size, which remembers nothing; no bool.
    pub fn is_int(&self) -> bool {
        matches!(self, Value::Int(_) | Value::Long(_))
    }

    /// Python's `is`.
    pub fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::None, Value::None)
            | (Value::Ellipsis, Value::Ellipsis)
            | (Value::NotImplemented, Value::NotImplemented) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            // Small integers are one object each in CPython; larger ones are not worth telling apart.
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Long(a), Value::Long(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Number(a), Value::Number(b)) => {
                Rc::ptr_eq(a, b) || a.number().same(&b.number())
            }
            (Value::Number(a), b) | (b, Value::Number(a)) => a.number().same(b),
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::List(a), Value::List(b)) => Rc::ptr_eq(a, b),
            (Value::Tuple(a), Value::Tuple(b)) => {
                Rc::ptr_eq(a, b) || (a.items.is_empty() && b.items.is_empty())
            }
            (Value::Dict(a), Value::Dict(b)) => Rc::ptr_eq(a, b),
            (Value::Set(a), Value::Set(b)) => Rc::ptr_eq(a, b),
            (Value::Range(a), Value::Range(b)) => Rc::ptr_eq(a, b),
            (Value::Slice(a), Value::Slice(b)) => Rc::ptr_eq(a, b),
            (Value::Tensor(a), Value::Tensor(b)) | (Value::Array(a), Value::Array(b)) => a.same(b),
            // A number without an address: equal ones are taken for one.
            (Value::NpScalar(a, s), Value::NpScalar(b, t)) => a.to_bits() == b.to_bits() && s == t,
            (Value::Dtype(a), Value::Dtype(b)) => a == b,
            (Value::Function(a), Value::Function(b)) => Rc::ptr_eq(a, b),
            (Value::Method(a), Value::Method(b)) => Rc::ptr_eq(a, b),
            (Value::BoundFunction(a), Value::BoundFunction(b)) => Rc::ptr_eq(a, b),
            (Value::Builtin(a), Value::Builtin(b)) => std::ptr::eq(*a, *b),
            (Value::Module(a), Value::Module(b)) => std::ptr::eq(*a, *b),
            (Value::Type(a), Value::Type(b)) => std::ptr::eq(*a, *b),
            (Value::Class(a), Value::Class(b)) => Rc::ptr_eq(a, b),
            (Value::Instance(a), Value::Instance(b)) => Rc::ptr_eq(a, b),
            (Value::Exception(a), Value::Exception(b)) => Rc::ptr_eq(a, b),
            (Value::Iterator(a), Value::Iterator(b)) => Rc::ptr_eq(a, b),
            (Value::Object(a), Value::Object(b)) => {
                Rc::ptr_eq(a, b) || a.identity().is_some_and(|id| b.identity() == Some(id))
            }
            _ => false,
        }
    }

    /// `id(value)`: the address of what is shared.
    pub fn address(&self) -> usize {
        fn of<T: ?Sized>(rc: &Rc<T>) -> usize {
            Rc::as_ptr(rc).cast::<()>() as usize
        }
        match self {
            Value::Long(v) => of(v),
            Value::Number(v) => of(v),
            Value::Str(v) => of(v),
            Value::List(v) => of(v),
            Value::Tuple(v) => of(v),
            Value::Dict(v) => of(v),
            Value::Set(v) => of(v),
            Value::Range(v) => of(v),
            Value::Slice(v) => of(v),
            Value::Tensor(v) | Value::Array(v) => v.id(),
            Value::Function(v) => of(v),
            Value::Method(v) => of(v),
            Value::BoundFunction(v) => of(v),
            Value::Builtin(v) => std::ptr::from_ref(*v) as usize,
            Value::Module(v) => std::ptr::from_ref(*v) as usize,
            Value::Type(v) => std::ptr::from_ref(*v) as usize,
            Value::Class(v) => of(v),
            Value::Instance(v) => of(v),
            Value::Exception(v) => of(v),
            Value::Iterator(v) => of(v),
            Value::Object(v) => v.identity().unwrap_or_else(|| of(v)),
            Value::Int(i) => (*i as usize).wrapping_mul(32).wrapping_add(0x7f00_0000),
            _ => vjp_tensor::ids::ADDRESSES,
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::str(text)
    }
}
impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::str(text)
    }
}
impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Bool(b)
    }
}
impl From<Scalar> for Value {
    fn from(v: Scalar) -> Value {
        match v {
            Scalar::Bool(b) => Value::Bool(b),
            Scalar::Int(i) => Value::Int(i),
            Scalar::Float(f) => Value::Float(f),
        }
    }
}

impl From<i64> for Value {
    fn from(i: i64) -> Value {
        Value::Int(i)
    }
}
impl From<i128> for Value {
    fn from(i: i128) -> Value {
        i64::try_from(i).map_or_else(|_| BigInt::from(i).into(), Value::Int)
    }
}
impl From<f64> for Value {
    fn from(f: f64) -> Value {
        Value::Float(f)
    }
}
impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Value {
        Value::list(items)
    }
}
