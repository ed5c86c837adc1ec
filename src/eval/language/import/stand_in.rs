//! What stands for a module that is not provided, and for everything in it: its use is the error.

use crate::language::class::descriptor::{Descriptor, Role};
use crate::language::class::mro::{lookup, order};
use crate::library::builtins;
use crate::{Args, Class, Machine, Object, Tried, Value};
use std::cell::RefCell;
use std::rc::Rc;
use vjp_tensor::Complaint;
use vjp_text::Symbol;

/// `pandas`, or `pandas.DataFrame` of it.
pub struct StandIn {
    name: String,
    complaint: Rc<Complaint>,
}

impl StandIn {
    pub(super) fn value(name: String, complaint: Box<Complaint>) -> Value {
        Value::Object(Rc::new(StandIn { name, complaint: Rc::from(complaint) }))
    }

    fn halt<T>(&self) -> Tried<T> {
        Err(Box::new(Complaint::clone(&self.complaint)).into())
    }

    /// A class to derive from: no instance of it can be made.
    fn class(&self, this: &Value) -> Value {
        let name = Symbol::new(self.name.rsplit('.').next().unwrap_or(&self.name));
        let refuse = Descriptor {
            role: Role::Static,
            function: Value::Builtin(&NEW[0]),
            setter: RefCell::default(),
            deleter: None,
        };
        Value::Class(Rc::new(Class {
            name,
            qualified: name.as_str().into(),
            bases: Vec::new(),
            meta: None,
            order: RefCell::default(),
            attributes: RefCell::new(vec![
                (Symbol::new("__new__"), Value::Object(Rc::new(refuse))),
                (Symbol::new(MARK), this.clone()),
            ]),
        }))
    }
}

/// Where a class keeps the stand-in that it derives from.
const MARK: &str = "__stand_in_base__";

builtins! {
    static NEW in "object";
    "__new__" "(cls, /, …)" no_instance, "Raises: a base of the class is not provided.";
}

fn no_instance(_: &mut Machine, args: Args) -> Tried<Value> {
    let base = match args.positional.first() {
        Some(Value::Class(class)) => lookup(&order(class), Symbol::new(MARK)),
        _ => None,
    };
    match base.as_ref().and_then(of) {
        Some(stand_in) => stand_in.halt(),
        None => Ok(Value::None),
    }
}

/// The stand-in that a value is.
fn of(value: &Value) -> Option<&StandIn> {
    match value {
        Value::Object(o) => o.as_any().downcast_ref(),
        _ => None,
    }
}

/// What is wrong with an operation on such values, where one is a stand-in.
pub(crate) fn blamed(values: &[&Value]) -> Option<Box<Complaint>> {
    let stand_in = values.iter().find_map(|v| of(v))?;
    Some(Box::new(Complaint::clone(&stand_in.complaint)))
}

/// Whether a value stands for what is not provided.
pub fn is(value: &Value) -> bool {
    of(value).is_some()
}

/// The class that stands for it among the bases of a class.
pub(crate) fn as_base(value: &Value) -> Option<Value> {
    of(value).map(|s| s.class(value))
}

impl Object for StandIn {
    fn type_name(&self) -> String {
        format!("{} (not provided)", self.name)
    }

    fn get(&self, _: &Value, name: Symbol, _: &mut Machine) -> Tried<Option<Value>> {
        Ok(match name.as_str() {
            "__name__" => Some(Value::from(self.name.as_str())),
            "__version__" => return self.halt(),
            special if special.starts_with("__") => None,
            text => Some(Value::Object(Rc::new(StandIn {
                name: format!("{}.{text}", self.name),
                complaint: Rc::clone(&self.complaint),
            }))),
        })
    }

    fn set(&self, _: Symbol, _: Value, _: &mut Machine) -> Tried<bool> {
        self.halt()
    }

    fn call(&self, _: &Value, _: Args, _: &mut Machine) -> Option<Tried<Value>> {
        Some(self.halt())
    }

    fn callable(&self) -> bool {
        true
    }

    fn item(&self, _: &Value, _: &mut Machine) -> Option<Tried<Value>> {
        Some(self.halt())
    }

    fn set_item(&self, _: &Value, _: Value, _: &mut Machine) -> Option<Tried<()>> {
        Some(self.halt())
    }

    fn elements(&self, _: &mut Machine) -> Option<Tried<Vec<Value>>> {
        Some(self.halt())
    }

    fn enter(&self, _: &mut Machine) -> Option<Tried<Value>> {
        Some(self.halt())
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        self.halt()
    }
}
