//! What `@property`, `@staticmethod`, `@classmethod` and `super()` make.

use crate::language::class::mro::{lookup, order};
use crate::language::class::{meta, tensor_class};
use crate::library::table::given;
use crate::{Args, Class, Machine, Object, Tried, Value};
use std::cell::RefCell;
use std::rc::Rc;
use vjp_text::Symbol;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Role {
    Property,
    Static,
    Class,
}

/// What `@property`, `@staticmethod` and `@classmethod` make.
pub struct Descriptor {
    pub role: Role,
    pub function: Value,
    pub setter: RefCell<Option<Value>>,
    pub deleter: Option<Value>,
}

impl Object for Descriptor {
    fn type_name(&self) -> String {
        match self.role {
            Role::Property => "property",
            Role::Static => "staticmethod",
            Role::Class => "classmethod",
        }
        .into()
    }

    fn get(&self, this: &Value, name: Symbol, _: &mut Machine) -> Tried<Option<Value>> {
        Ok(match (self.role, name.as_str()) {
            (Role::Property, "fget") => Some(self.function.clone()),
            (Role::Property, part @ ("getter" | "setter" | "deleter")) => {
                (given().python.property_part)(part).and_then(|b| b.bind(this.clone()))
            }
            (_, "__func__") => Some(self.function.clone()),
            _ => None,
        })
    }

    fn call(&self, _: &Value, args: Args, machine: &mut Machine) -> Option<Tried<Value>> {
        (self.role == Role::Static).then(|| machine.call(&self.function, args))
    }

    fn callable(&self) -> bool {
        self.role == Role::Static
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        Ok(format!("<{} object>", self.type_name()))
    }
}

fn is_a(class: &Rc<Class>, other: &Rc<Class>) -> bool {
    order(class).iter().any(|c| matches!(c, Value::Class(c) if Rc::ptr_eq(c, other)))
}

/// What `super()` gives.
pub(crate) struct Super {
    pub class: Rc<Class>,
    pub this: Value,
}

impl Object for Super {
    fn type_name(&self) -> String {
        "super".into()
    }

    fn get(&self, _: &Value, name: Symbol, machine: &mut Machine) -> Tried<Option<Value>> {
        let own = match &self.this {
            Value::Instance(i) => i.class(),
            // In a method of a metaclass, the class is the instance.
            Value::Class(c) => match &c.meta {
                Some(meta) if is_a(meta, &self.class) => Rc::clone(meta),
                _ => Rc::clone(c),
            },
            Value::Exception(e) => match &e.own {
                Some(c) => Rc::clone(c),
                None => return Ok(None),
            },
            Value::Tensor(_) => match tensor_class::class_of(&self.this) {
                Some(c) => c,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        let all = order(&own);
        let from = all
            .iter()
            .position(|c| matches!(c, Value::Class(c) if Rc::ptr_eq(c, &self.class)))
            .map_or(0, |i| i + 1);
        // `super().__new__(cls)` is told its class.
        if name.as_str() == "__new__" {
            return Ok(Some(match lookup(&all[from..], name) {
                Some(v @ Value::Function(_)) => v,
                Some(Value::Object(o)) if o.as_any().is::<Descriptor>() => {
                    let found = o.as_any().downcast_ref::<Descriptor>();
                    found.map_or(Value::None, |d| d.function.clone())
                }
                Some(v @ Value::Builtin(b)) if b.module == "Tensor" => v,
                _ => Value::Builtin(given().python.object_new),
            }));
        }
        match lookup(&all[from..], name) {
            Some(v) => machine.bound(v, &self.this, &own).map(Some),
            // `object.__init__` and an exception's take what they are given.
            None if name.as_str() == "__init__" => Ok(match &self.this {
                Value::Exception(_) => given().python.exception_init.bind(self.this.clone()),
                _ => given().python.object_init.bind(self.this.clone()),
            }),
            None if name.as_str() == "__init_subclass__" => {
                Ok(meta::METHODS[3].bind(self.this.clone()))
            }
            None if matches!(self.this, Value::Tensor(_)) => machine.inherited(&self.this, name),
            None => Ok(None),
        }
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        Ok(format!("<super: <class '{}'>>", self.class.name))
    }
}
