//! Metaclasses: classes that derive from `type`, whose instances are classes.

use crate::language::class::mro::{lookup, order};
use crate::library::builtins;
use crate::{Args, Class, Dict, Machine, Tried, Value};
use std::rc::Rc;
use vjp_tensor::Kind;
use vjp_text::Symbol;

builtins! {
    /// What `super()` gives in a metaclass.
    pub static METHODS in "type";
    "__call__" "(*args, **kwargs)" made, "Makes an instance of the class.";
    "__instancecheck__" "(instance, /)" |_, a| checked(&a, super::is_instance), "Returns whether the value is an instance of the class.";
    "__subclasscheck__" "(subclass, /)" |_, a| checked(&a, super::is_subclass), "Returns whether a class derives from the class.";
    "__init_subclass__" "(**options)" |_, a| no_options(&a), "Does nothing.";
}

fn checked(args: &Args, holds: fn(&Value, &Value) -> bool) -> Tried<Value> {
    args.count_beyond(1, 1, 1)?;
    Ok(Value::Bool(holds(&args.positional[1], &args.positional[0])))
}

/// What a class statement says besides its bases is for an `__init_subclass__` of the program.
pub(crate) fn no_options(args: &Args) -> Tried<Value> {
    if let (false, Some(Value::Class(class))) = (args.named.is_empty(), args.positional.first()) {
        let name = &class.qualified;
        crate::raise!(Kind::Type, "{name}.__init_subclass__() takes no keyword arguments");
    }
    Ok(Value::None)
}

fn made(machine: &mut Machine, mut args: Args) -> Tried<Value> {
    args.count_beyond(0, 1, usize::MAX)?;
    match args.positional.remove(0) {
        Value::Class(class) => machine.make_instance(&class, args),
        other => machine.call(&other, args),
    }
}

/// Whether the class is a metaclass.
pub fn is_meta(class: &Rc<Class>) -> bool {
    let order = class.order.borrow();
    order.iter().any(|c| matches!(c, Value::Type(t) if t.name == "type"))
}

/// What a class that derives from these is an instance of, if not of `type`.
pub fn inherited(bases: &[Value]) -> Option<Rc<Class>> {
    bases.iter().find_map(|b| match b {
        Value::Class(c) => c.meta.clone(),
        _ => None,
    })
}

impl Machine {
    /// `meta(name, bases, contents)`: by its `__new__` and `__init__`.
    pub fn class_by(&mut self, meta: &Rc<Class>, mut args: Args) -> Tried<Value> {
        let all = order(meta);
        let of_program = |name: &str| {
            let found = lookup(&all, Symbol::new(name));
            found.filter(|v| matches!(v, Value::Function(_) | Value::Object(_)))
        };
        let mut again = Args::new(args.positional.clone(), args.site.clone());
        again.named.clone_from(&args.named);
        again.positional.insert(0, Value::Class(Rc::clone(meta)));
        let made = match of_program("__new__") {
            Some(new) => self.call(&super::unwrapped(&new), again)?,
            None => self.class_of_meta(again)?,
        };
        if let (Some(init), Value::Class(_)) = (of_program("__init__"), &made) {
            args.positional.insert(0, made.clone());
            self.call(&init, args)?;
        }
        Ok(made)
    }

    /// `type.__new__(meta, name, bases, contents)`.
    ///
    /// # Errors
    /// Arguments that are not these.
    pub fn class_of_meta(&mut self, args: Args) -> Tried<Value> {
        let [Value::Class(meta), Value::Str(name), Value::Tuple(bases), contents] =
            args.positional.as_slice()
        else {
            crate::raise!(Kind::Type, "type.__new__() takes exactly 3 arguments");
        };
        let Value::Dict(contents) = contents.base() else {
            crate::raise!(Kind::Type, "type.__new__() argument 3 must be dict");
        };
        let contents = contents.entries.borrow().copied()?;
        let contents = contents.iter();
        let attributes =
            contents.filter_map(|(_, n, v)| Some((Symbol::new(n.as_str()?), v.clone())));
        let kept = attributes.collect();
        let name = Symbol::new(name);
        self.class_of_parts(name, bases.items.clone(), kept, Some(Rc::clone(meta)), args.named)
    }

    /// A class statement's contents, as a metaclass is given them.
    pub(crate) fn contents(
        &mut self,
        qualified: &str,
        attributes: Vec<(Symbol, Value)>,
    ) -> Tried<Value> {
        let made = Dict::default();
        let home = ("__module__", Value::from("__main__"));
        let said = [home, ("__qualname__", Value::from(qualified))];
        let said = said.into_iter().map(|(n, v)| (Symbol::new(n), v));
        for (name, value) in said.chain(attributes) {
            let name = Value::from(name.as_str());
            let key = self.key(&name)?;
            made.written()?.insert(key, name, value);
        }
        Ok(Value::dict(made))
    }
}
