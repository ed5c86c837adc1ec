//! `torch.nn`: its classes are classes like a program's, their methods functions of the library.

pub mod containers;
pub mod init;
pub mod layers;
pub mod module;
pub mod parameter;
pub(crate) mod parts;
pub mod state;
pub mod table;
pub mod utils;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::OnceLock;
use vjp_eval::language::class::order;
use vjp_eval::library::{Builtin, Module, module as module_named};
use vjp_eval::values::containers::{find, put};
use vjp_eval::{Args, Class, Instance, Machine, Tried, Value, raise};
use vjp_maths::Variable;
use vjp_tensor::{Complaint, Kind};
use vjp_text::Symbol;

pub fn contents() -> Vec<(&'static str, Value)> {
    let mut all = vec![
        ("Module", Value::Class(module::class())),
        ("Parameter", Value::Type(&parameter::PARAMETER)),
    ];
    all.extend(table::classes());
    all.extend(layers::classes());
    all.extend(containers::classes());
    all
}

/// A class with these methods, each by the part of its name behind the last dot.
pub fn class(
    name: &'static str,
    module: &'static str,
    base: Option<Rc<Class>>,
    methods: impl IntoIterator<Item = &'static Builtin>,
) -> Rc<Class> {
    let mut attributes = vec![(Symbol::new("__module__"), Value::from(module))];
    attributes.extend(methods.into_iter().map(|b| {
        let short = b.name.rsplit('.').next().unwrap_or(b.name);
        (Symbol::new(short), Value::Builtin(b))
    }));
    Rc::new(Class {
        name: Symbol::new(name),
        qualified: Rc::from(name),
        meta: None,
        order: RefCell::new(base.as_ref().map(order).unwrap_or_default()),
        bases: base.into_iter().map(Value::Class).collect(),
        attributes: RefCell::new(attributes),
    })
}

/// The object of a method: its first argument.
///
/// # Errors
/// Called without one.
pub fn this(args: &Args) -> Tried<Rc<Instance>> {
    match args.positional.first() {
        Some(Value::Instance(i)) => Ok(Rc::clone(i)),
        _ => raise!(Kind::Type, "{}() missing 1 required positional argument: 'self'", args.name()),
    }
}

/// An attribute that the object itself has.
pub fn own(this: &Instance, name: &str) -> Option<Value> {
    find(&this.attributes, Symbol::new(name))
}

pub fn set(this: &Instance, name: &str, value: Value) {
    put(&this.attributes, Symbol::new(name), value);
}

/// Whether a value is a module.
pub fn is_module(value: &Value) -> bool {
    as_module(value).is_some()
}

/// Parameters and buffers of a module, by name.
pub fn members(value: &Value) -> Option<Vec<(String, Variable)>> {
    as_module(value).map(|m| module::all_members(&m, "", module::Members::Both, true))
}

/// The instance that a module is.
pub fn as_module(value: &Value) -> Option<Rc<Instance>> {
    let Value::Instance(i) = value else {
        return None;
    };
    let module = module::class();
    order(&i.class())
        .iter()
        .any(|c| matches!(c, Value::Class(c) if Rc::ptr_eq(c, &module)))
        .then(|| Rc::clone(i))
}

/// A function of `torch.nn.functional` or of `torch`.
pub fn functional(name: &'static str) -> Tried<&'static Builtin> {
    static HOMES: OnceLock<[Option<&'static Module>; 2]> = OnceLock::new();
    let homes = HOMES.get_or_init(|| ["torch.nn.functional", "torch"].map(module_named));
    match homes.iter().flatten().find_map(|home| home.get(Symbol::new(name))) {
        Some(Value::Builtin(function)) => Ok(function),
        _ => Err(Complaint::absent(format_args!("F.{name}")).into()),
    }
}

/// Calls such a function.
pub fn call_functional(machine: &mut Machine, name: &'static str, mut args: Args) -> Tried<Value> {
    let function = functional(name)?;
    args.callee = Some(function);
    (function.run)(machine, args)
}
