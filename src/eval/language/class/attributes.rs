//! Attributes of the program's classes and of their instances: methods bound, properties asked.

use crate::language::class::descriptor::{Descriptor, Role};
use crate::language::class::mro::{lookup, order};
use crate::library::table::given;
use crate::values::containers::{find, put};
use crate::{Class, Instance, Machine, Tried, Value};
use std::rc::Rc;
use vjp_tensor::Kind;
use vjp_text::Symbol;

impl Machine {
    /// A class's attribute as the class gives it.
    pub(crate) fn class_attribute(
        &mut self,
        class: &Rc<Class>,
        name: Symbol,
    ) -> Tried<Option<Value>> {
        match name.as_str() {
            "__name__" => return Ok(Some(Value::from(class.name.as_str()))),
            "__qualname__" => return Ok(Some(Value::from(&*class.qualified))),
            "__module__" => return Ok(Some(class.module())),
            "__mro__" => {
                let mut all = order(class);
                all.push(Value::Type(given().python.object));
                return Ok(Some(Value::tuple(all)));
            }
            "__bases__" | "__base__" => {
                let mut bases = class.bases.clone();
                if bases.is_empty() {
                    bases.push(Value::Type(given().python.object));
                }
                return Ok(Some(match name.as_str() {
                    "__base__" => bases[0].clone(),
                    _ => Value::tuple(bases),
                }));
            }
            "__dict__" => return Ok(Some(self.as_dict(&class.attributes)?)),
            "__class__" => {
                return Ok(Some((given().python.class_of)(&Value::Class(class.clone()))));
            }
            _ => {}
        }
        let this = Value::Class(Rc::clone(class));
        let Some(found) = lookup(&order(class), name) else {
            return match &class.meta {
                Some(meta) => match self.bound_attribute(&this, &meta.clone(), name)? {
                    Some(found) => Ok(Some(found)),
                    None => self.by_getattr(&this, name),
                },
                None => Ok(None),
            };
        };
        Ok(Some(found).map(|v| match &v {
            Value::Object(o) => match o.as_any().downcast_ref::<Descriptor>() {
                Some(d) if d.role == Role::Static => d.function.clone(),
                Some(d) if d.role == Role::Class => bind(&d.function, &this),
                _ => v.clone(),
            },
            Value::Builtin(b) if b.signature.starts_with("(cls") => bind(&v, &this),
            _ => v,
        }))
    }

    pub(crate) fn instance_attribute(
        &mut self,
        owner: &Value,
        instance: &Rc<Instance>,
        name: Symbol,
    ) -> Tried<Option<Value>> {
        let class = instance.class();
        let in_class = lookup(&order(&class), name);
        let property = match &in_class {
            Some(Value::Object(o)) => {
                o.as_any().downcast_ref::<Descriptor>().is_some_and(|d| d.role == Role::Property)
            }
            Some(v @ Value::Instance(_)) => self.special(v, "__set__").is_some(),
            _ => false,
        };
        if !property && let Some(v) = find(&instance.attributes, name) {
            return Ok(Some(v));
        }
        match name.as_str() {
            "__dict__" => {
                return Ok(Some(self.as_dict(&instance.attributes)?));
            }
            "__class__" => return Ok(Some(Value::Class(class))),
            _ => {}
        }
        if let Some(v) = self.bound_attribute(owner, &class, name)? {
            return Ok(Some(v));
        }
        self.by_getattr(owner, name)
    }

    pub(crate) fn by_getattr(&mut self, owner: &Value, name: Symbol) -> Tried<Option<Value>> {
        let Some(method) = self.special(owner, "__getattr__") else {
            return Ok(None);
        };
        let site = self.here();
        self.call_with(&method, vec![Value::from(name.as_str())], &site).map(Some)
    }

    /// An attribute of the class as its instance gives it: methods bound, properties asked.
    pub(crate) fn bound_attribute(
        &mut self,
        owner: &Value,
        class: &Rc<Class>,
        name: Symbol,
    ) -> Tried<Option<Value>> {
        let Some(v) = lookup(&order(class), name) else {
            return Ok(None);
        };
        self.bound(v, owner, class).map(Some)
    }

    pub(crate) fn bound(&mut self, v: Value, owner: &Value, class: &Rc<Class>) -> Tried<Value> {
        Ok(match &v {
            Value::Function(_) => bind(&v, owner),
            Value::Builtin(b) if b.signature.starts_with("(cls") => {
                bind(&v, &Value::Class(Rc::clone(class)))
            }
            Value::Builtin(b) if b.module != "builtins" => bind(&v, owner),
            Value::Object(o) => match o.as_any().downcast_ref::<Descriptor>() {
                // A function in a mode of its own: `@torch.no_grad()`.
                None if o.type_name() == "function" => bind(&v, owner),
                None => v,
                Some(d) => match d.role {
                    Role::Static => d.function.clone(),
                    Role::Class => bind(&d.function, &Value::Class(Rc::clone(class))),
                    Role::Property => {
                        let site = self.here();
                        self.call_with(&d.function.clone(), vec![owner.clone()], &site)?
                    }
                },
            },
            Value::Instance(_) => match self.special(&v, "__get__") {
                Some(get) => {
                    let site = self.here();
                    let of = vec![owner.clone(), Value::Class(Rc::clone(class))];
                    self.call_with(&get, of, &site)?
                }
                None => v,
            },
            _ => v,
        })
    }

    /// What `del instance.name` calls, where that is a property.
    pub(crate) fn deleter(&self, instance: &Rc<Instance>, name: Symbol) -> Option<Value> {
        match lookup(&order(&instance.class()), name)? {
            Value::Object(o) => o.as_any().downcast_ref::<Descriptor>()?.deleter.clone(),
            _ => None,
        }
    }

    pub(crate) fn set_instance_attribute(
        &mut self,
        owner: &Value,
        instance: &Rc<Instance>,
        name: Symbol,
        value: Value,
    ) -> Tried<()> {
        if let Some(method) = self.special(owner, "__setattr__") {
            let site = self.here();
            let text = Value::from(name.as_str());
            self.call_with(&method, vec![text, value], &site)?;
            return Ok(());
        }
        self.set_plain_attribute(owner, instance, name, value)
    }

    /// `object.__setattr__`: by a property, or in the instance.
    pub fn set_plain_attribute(
        &mut self,
        owner: &Value,
        instance: &Rc<Instance>,
        name: Symbol,
        value: Value,
    ) -> Tried<()> {
        let in_class = lookup(&order(&instance.class()), name);
        if let Some(v @ Value::Instance(_)) = &in_class
            && let Some(method) = self.special(v, "__set__")
        {
            let site = self.here();
            self.call_with(&method, vec![owner.clone(), value], &site)?;
            return Ok(());
        }
        if let Some(Value::Object(o)) = in_class
            && let Some(d) = o.as_any().downcast_ref::<Descriptor>()
            && d.role == Role::Property
        {
            let setter = d.setter.borrow().clone();
            let Some(setter) = setter else {
                crate::raise!(
                    Kind::Attribute,
                    "property '{name}' of '{}' object has no setter",
                    instance.class().name
                );
            };
            let site = self.here();
            self.call_with(&setter, vec![owner.clone(), value], &site)?;
            return Ok(());
        }
        if name.as_str() == "__class__" {
            let Value::Class(new) = value else {
                let given = crate::name_of(&value);
                crate::raise!(Kind::Type, "__class__ must be set to a class, not '{given}' object");
            };
            instance.class.replace(new);
            return Ok(());
        }
        if slots(&instance.class()).is_some_and(|slots| !slots.contains(&name)) {
            let class = instance.class().name;
            crate::raise!(Kind::Attribute, "'{class}' object has no attribute '{name}'");
        }
        put(&instance.attributes, name, value);
        Ok(())
    }
}

/// The only attributes that an instance may have: None where a class of its order has no `__slots__`.
fn slots(class: &Rc<Class>) -> Option<Vec<Symbol>> {
    let word = Symbol::new("__slots__");
    find(&class.attributes, word)?;
    let mut all = Vec::new();
    for class in order(class) {
        let Value::Class(class) = class else { continue };
        match find(&class.attributes, word)? {
            Value::List(names) => {
                all.extend(names.items.borrow().iter().filter_map(Value::as_str).map(Symbol::new));
            }
            Value::Tuple(names) => {
                all.extend(names.items.iter().filter_map(Value::as_str).map(Symbol::new));
            }
            name => all.extend(name.as_str().map(Symbol::new)),
        }
    }
    (!all.contains(&Symbol::new("__dict__"))).then_some(all)
}

fn bind(function: &Value, this: &Value) -> Value {
    match function {
        Value::Builtin(b) => Value::Method(Rc::new((this.clone(), b))),
        other => Value::BoundFunction(Rc::new((other.clone(), this.clone()))),
    }
}
