//! `Class(…)`: instances of the program's classes.

use crate::language::class::descriptor::Descriptor;
use crate::language::class::mro::{lookup, order};
use crate::language::class::{is_instance, meta, tensor_class};
use crate::library::forms::Type;
use crate::values::class_names;
use crate::values::containers::put;
use crate::values::value::Exception;
use crate::{Args, Class, Instance, Machine, Tried, Value};
use std::cell::RefCell;
use std::rc::Rc;
use vjp_tensor::Kind;
use vjp_text::Symbol;

/// The class of Python's own whose values its instances are: `class Stack(list)`.
fn base_of(class: &Rc<Class>) -> Option<&'static Type> {
    class.order.borrow().iter().find_map(|c| match c {
        Value::Type(t) if t.module == "builtins" => matches!(
            t.name,
            "list" | "dict" | "set" | "frozenset" | "tuple" | "str" | "int" | "float"
        )
        .then_some(*t),
        _ => None,
    })
}

impl Machine {
    /// `object.__new__(class, …)`: an instance that no `__init__` has seen.
    pub fn blank(&mut self, class: &Rc<Class>, args: Args) -> Tried<Value> {
        let instance = Instance::shared(class, Vec::new());
        if let Some(base) = base_of(class) {
            let fills = matches!(base.name, "list" | "dict" | "set");
            let args = match fills {
                true => Args::new(Vec::new(), args.site),
                false => args,
            };
            let value = (base.construct)(self, base, args)?;
            put(&instance.attributes, Instance::base_name(), value);
        }
        Ok(Value::Instance(instance))
    }

    /// `Class(…)`, by its metaclass where that has a `__call__`.
    pub(crate) fn instantiate(&mut self, class: &Rc<Class>, args: Args) -> Tried<Value> {
        if class.meta.is_some()
            && let Some(call) = self.special(&Value::Class(Rc::clone(class)), "__call__")
        {
            return self.call(&call, args);
        }
        self.make_instance(class, args)
    }

    /// An instance, by `__new__` and `__init__`.
    pub(crate) fn make_instance(&mut self, class: &Rc<Class>, args: Args) -> Tried<Value> {
        if meta::is_meta(class) {
            return self.class_by(class, args);
        }
        let exception = class.order.borrow().iter().find_map(|c| match c {
            Value::Type(t) => t.exception,
            _ => None,
        });
        let tensors = tensor_class::base(class);
        let made = match exception {
            Some(kind) => Value::Exception(Rc::new(Exception {
                own: Some(Rc::clone(class)),
                kind,
                args: RefCell::new(args.positional.clone()),
                hint: None,
                attributes: RefCell::default(),
            })),
            None => match self.own_new(class) {
                Some(new) => {
                    let mut given = again(&args);
                    given.positional.insert(0, Value::Class(Rc::clone(class)));
                    let made = self.call(&new, given)?;
                    match &made {
                        Value::Instance(_) | Value::Tensor(_)
                            if is_instance(&made, &Value::Class(Rc::clone(class))) => {}
                        _ => return Ok(made),
                    }
                    made
                }
                None if let Some(base) = tensors => {
                    // What `__init__` takes beside the data is its own.
                    let args = match tensor_class::own(class, "__init__") {
                        Some(_) => Args::new(
                            args.positional.iter().take(1).cloned().collect(),
                            args.site.clone(),
                        ),
                        None => again(&args),
                    };
                    self.blank_tensor(class, base, args)?
                }
                None if base_of(class).is_some() => self.blank(class, again(&args))?,
                None => self.blank(class, Args::new(Vec::new(), args.site.clone()))?,
            },
        };
        match self.special(&made, "__init__") {
            Some(init) => {
                let result = self.call(&init, args)?;
                if !result.is_none() {
                    crate::raise!(
                        Kind::Type,
                        "__init__() should return None, not '{}'",
                        class_names::name_of(&result)
                    );
                }
            }
            None if exception.is_none()
                && tensors.is_none()
                && self.own_new(class).is_none()
                && !(args.positional.is_empty() && args.named.is_empty()) =>
            {
                crate::raise!(Kind::Type, "{}() takes no arguments", class.name)
            }
            None => {}
        }
        Ok(made)
    }

    /// A `__new__` of the program.
    fn own_new(&self, class: &Rc<Class>) -> Option<Value> {
        match lookup(&order(class), Symbol::new("__new__"))? {
            f @ Value::Function(_) => Some(f),
            Value::Object(o) => Some(o.as_any().downcast_ref::<Descriptor>()?.function.clone()),
            _ => None,
        }
    }
}

/// The same arguments again.
fn again(args: &Args) -> Args {
    let mut copy = Args::new(args.positional.clone(), args.site.clone());
    copy.named.clone_from(&args.named);
    copy
}
