//! What else belongs to a module: buffers, hooks, and what stands at a path in it.

use crate::nn::module::{self, this_of};
use crate::nn::{as_module, is_module, own, set, this};
use crate::register_hook;
use std::cell::RefCell;
use std::rc::Rc;
use vjp_binder::Given;
use vjp_eval::language::class::descriptor::{Descriptor, Role};
use vjp_eval::language::class::{lookup, order};
use vjp_eval::language::exception;
use vjp_eval::library::{builtins, prelude};
use vjp_eval::values::dict::Key;
use vjp_eval::{Args, Builtin, Dict, Instance, Machine, Tried, Value, name_of, raise};
use vjp_tensor::Kind;
use vjp_text::Symbol;

/// Attribute with the names of buffers; no program can write this name.
pub const BUFFERS: &str = " buffers";

/// Attribute with the names of buffers that a saved state leaves out.
pub const PASSING: &str = " passing";

/// Attribute with the names of modules that are None.
pub const EMPTY: &str = " empty";

/// Attribute with the names of parameters that are None.
pub const UNSET: &str = " unset";

/// Attribute with the hooks, a dict by kind.
const HOOKS: &str = " hooks";

/// Whether a module's attribute of a name is what is asked for.
type IsKind = fn(&Instance, &str, &Value) -> bool;

builtins! {
    pub static METHODS in "torch.nn.Module";
    "state_dict" "(self, *args, destination=None, prefix='', keep_vars=False)" registered, "Returns the parameters and buffers by name.";
    "load_state_dict" "(self, state_dict, strict=True, assign=False)" registered, "Loads parameters and buffers from a state dict.";
    "_save_to_state_dict" "(self, destination, prefix, keep_vars)" registered, "Adds what the module itself saves to a state dict.";
    "_load_from_state_dict" "(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)" registered, "Loads what the module itself has in a state dict.";
    "register_state_dict_pre_hook" "(self, hook)" registered, "Registers a function to call before state_dict.";
    "register_state_dict_post_hook" "(self, hook)" registered, "Registers a function to call with what state_dict made.";
    "_register_state_dict_hook" "(self, hook)" registered, "Registers a function that may change what state_dict made.";
    "register_load_state_dict_pre_hook" "(self, hook)" registered, "Registers a function to call before a state is loaded.";
    "_register_load_state_dict_pre_hook" "(self, hook, with_module=False)" registered, "Registers a function to call before a state is loaded.";
    "register_load_state_dict_post_hook" "(self, hook)" registered, "Registers a function to call after a state is loaded.";
    "compile" "(self, *args, **kwargs)" registered, "Does nothing: vjp compiles nothing.";
    "share_memory" "(self)" registered, "Returns itself: there is one process.";
    "type" "(self, dst_type)" registered, "Converts all parameters and buffers to a type.";
    "set_submodule" "(self, target, module, strict=False)" registered, "Puts a module at a path.";
    "_places" "(self)" |_, a| {
        let dict = Dict::default();
        for (name, v) in module::places(&*this(&a)?) {
            let name = Value::from(name);
            dict.written()?.insert(Key::of(&name)?, name, v);
        }
        Ok(Value::dict(dict))
    }, "The modules by name, also those that are None.";
    "_own" "(self, kind)" own_of_kind, "What is registered as one kind, by name, also what is None.";
    "_hooks_of" "(self, kind)" hooks_of, "Returns the hooks of one kind.";
    "register_forward_hook" "(self, hook, *, prepend=False, with_kwargs=False, always_call=False)" register, "Registers a function to call after forward with its input and output.";
    "register_forward_pre_hook" "(self, hook, *, prepend=False, with_kwargs=False)" register, "Registers a function to call before forward with its input.";
    "register_backward_hook" "(self, hook)" register, "Registers a function to call with the gradients of the last operation's inputs and outputs.";
    "register_full_backward_hook" "(self, hook, prepend=False)" register, "Registers a function to call with the gradients of inputs and outputs.";
    "register_full_backward_pre_hook" "(self, hook, prepend=False)" register, "Registers a function to call with the gradients of the outputs.";
    "get_submodule" "(self, target)" |m, a| found_at(m, a, |_, _, v| is_module(v), "an nn.Module"), "Returns the submodule at a path.";
    "get_parameter" "(self, target)" |m, a| found_at(m, a, |_, _, v| matches!(v, Value::Tensor(t) if t.is_parameter()), "an nn.Parameter"), "Returns the parameter at a path.";
    "get_buffer" "(self, target)" |m, a| found_at(m, a, |m, key, _| is_named(m, BUFFERS, key), "a buffer"), "Returns the buffer at a path.";
    "register_buffer" "(self, name, tensor, persistent=True)" add_buffer, "Registers a tensor that is not a parameter.";
}

builtins! {
    /// What a module has registered, as dicts.
    static REGISTERED in "torch.nn.Module";
    "_modules" "(self)" registered, "The direct submodules by name.";
    "_parameters" "(self)" registered, "The module's own parameters by name.";
    "_buffers" "(self)" registered, "The module's own buffers by name.";
    "_forward_hooks" "(self)" registered, "The functions to call after forward, by number.";
    "_forward_pre_hooks" "(self)" registered, "The functions to call before forward, by number.";
    "_backward_hooks" "(self)" registered, "The functions to call with gradients, by number.";
    "_backward_pre_hooks" "(self)" registered, "The functions to call with the gradients of outputs, by number.";
}

/// `parameters`, `buffers`, or the `saved` of both.
fn own_of_kind(_: &mut Machine, args: Args) -> Tried<Value> {
    let this = this(&args)?;
    let kind = args.positional.get(1).and_then(Value::as_str).unwrap_or_default();
    let [buffers, passing, unset] = [BUFFERS, PASSING, UNSET].map(|kind| names(&this, kind));
    let has = |all: &[String], n: &Symbol| all.iter().any(|k| *k == n.as_str());
    let attributes = this.attributes.borrow();
    let parameters = attributes.iter().filter(|(n, v)| match v {
        _ if kind == "buffers" => false,
        Value::Tensor(t) => t.is_parameter(),
        v => v.is_none() && has(&unset, n),
    });
    let kept = attributes.iter().filter(|(n, _)| match kind {
        "parameters" => false,
        "buffers" => has(&buffers, n),
        _ => has(&buffers, n) && !has(&passing, n),
    });
    let dict = Dict::default();
    for (name, value) in parameters.chain(kept) {
        let name = Value::from(name.as_str());
        dict.written()?.insert(Key::of(&name)?, name, value.clone());
    }
    Ok(Value::dict(dict))
}

fn registered(machine: &mut Machine, args: Args) -> Tried<Value> {
    prelude::call(machine, "torch.nn._states", args)
}

/// Attributes of the class that are properties.
pub fn properties() -> impl Iterator<Item = (Symbol, Value)> {
    REGISTERED.iter().map(|b| {
        let property = Descriptor {
            role: Role::Property,
            function: Value::Builtin(b),
            setter: RefCell::default(),
            deleter: None,
        };
        (Symbol::new(b.name), Value::Object(Rc::new(property)))
    })
}

/// Whether anything was ever hooked to a module.
pub fn is_hooked(module: &Instance) -> bool {
    own(module, HOOKS).is_some() || register_hook::everywhere()
}

/// Calls a module, the first argument, with its hooks.
pub fn call_hooked(machine: &mut Machine, mut args: Args) -> Tried<Value> {
    args.callee = Some(&HOOKED);
    prelude::call(machine, "torch.nn._hooks", args)
}

/// Stands for the function of the prelude that calls a module with its hooks.
static HOOKED: Builtin = Builtin {
    name: "_hooked",
    module: "torch.nn.Module",
    signature: "(self, *input)",
    help: "Calls forward and runs the hooks.",
    jax: "",
    run: call_hooked,
};

fn register(machine: &mut Machine, args: Args) -> Tried<Value> {
    prelude::call(machine, "torch.nn._hooks", args)
}

/// The hooks of a kind, a dict by number.
fn hooks_of(_: &mut Machine, args: Args) -> Tried<Value> {
    let this = this(&args)?;
    let all = match own(&this, HOOKS) {
        Some(Value::Dict(all)) => all,
        _ => {
            let all = Rc::<Dict>::default();
            set(&this, HOOKS, Value::Dict(Rc::clone(&all)));
            all
        }
    };
    let kind = args.positional.get(1).cloned().unwrap_or(Value::None);
    let key = Key::of(&kind)?;
    if let Some(known) = all.entries.borrow().get(&key) {
        return Ok(known.clone());
    }
    let hooks = Value::Dict(Rc::default());
    all.written()?.insert(key, kind, hooks.clone());
    Ok(hooks)
}

/// What a dotted path of modules leads to: the parts of it but the last are modules.
fn found_at(machine: &mut Machine, args: Args, is: IsKind, kind: &str) -> Tried<Value> {
    let given = Given::of(args)?;
    let mut at = Value::Instance(this_of(&given)?);
    let target = given.raw(1).unwrap_or(Value::None);
    let mut parts = target.as_str().unwrap_or_default().split('.').filter(|p| !p.is_empty());
    while let Some(part) = parts.next() {
        let module = as_module(&at);
        let Some(found) = machine.find_attr(&at, Symbol::new(part))? else {
            let class = name_of(&at);
            raise!(Kind::Attribute, "{class} has no attribute `{part}`");
        };
        let last = parts.clone().next().is_none();
        if !last && !is_module(&found) {
            raise!(Kind::Attribute, "`{part}` is not an nn.Module");
        }
        if last && !module.is_some_and(|m| is(&m, part, &found)) {
            raise!(Kind::Attribute, "`{part}` is not {kind}");
        }
        at = found;
    }
    Ok(at)
}

fn add_buffer(_: &mut Machine, args: Args) -> Tried<Value> {
    let given = Given::of(args)?;
    let module = this_of(&given)?;
    let key = given.raw(1).unwrap_or(Value::None);
    let Some(text) = key.as_str() else {
        raise!(Kind::Type, "buffer name should be a string. Got {}", name_of(&key));
    };
    let tensor = given.raw(2).unwrap_or(Value::None);
    if own(&module, "training").is_none() {
        raise!(Kind::Attribute, "cannot assign buffer before Module.__init__() call");
    }
    check_name("buffer", &module, text, is_named(&module, BUFFERS, text))?;
    if !matches!(tensor, Value::Tensor(_) | Value::None) {
        raise!(
            Kind::Type,
            "cannot assign '{}' object to buffer '{text}' (torch Tensor or None required)",
            name_of(&tensor)
        );
    }
    put_buffer(&module, text, tensor);
    let passing = matches!(given.value("persistent"), Some(Value::Bool(false)));
    mark(&module, PASSING, text, passing);
    Ok(Value::None)
}

/// Registers a buffer of a name that is free.
pub fn put_buffer(module: &Instance, key: &str, tensor: Value) {
    mark(module, BUFFERS, key, true);
    set(module, key, tensor);
}

/// Names under which nothing can be registered.
pub fn check_name(what: &str, this: &Instance, name: &str, known: bool) -> Tried<()> {
    let text = match name {
        "" => format!("{what} name can't be empty string \"\""),
        _ if name.contains('.') && what == "module" => {
            format!("{what} name can't contain \".\", got: {name}")
        }
        _ if name.contains('.') => format!("{what} name can't contain \".\""),
        _ if !known && taken(this, name) => format!("attribute '{name}' already exists"),
        _ => return Ok(()),
    };
    Err(exception::halt(Kind::Key, vec![Value::from(text)]))
}

/// Whether a class of the module, or the module itself, has something else of that name.
fn taken(this: &Instance, name: &str) -> bool {
    let in_class = lookup(&order(&this.class()), Symbol::new(name)).is_some();
    in_class || own(this, name).is_some()
}

/// The names of one kind.
pub fn names(this: &Instance, kind: &str) -> Vec<String> {
    texts(own(this, kind))
}

/// Whether a name is of a kind.
pub fn is_named(this: &Instance, kind: &str, name: &str) -> bool {
    names(this, kind).iter().any(|n| n == name)
}

/// Says whether a name is of a kind.
pub fn mark(this: &Instance, kind: &str, name: &str, whether: bool) {
    let mut names = names(this, kind);
    if names.iter().any(|n| n == name) != whether {
        names.retain(|n| n != name);
        names.extend(whether.then(|| name.to_owned()));
        set(this, kind, Value::tuple(names.into_iter().map(Value::from).collect()));
    }
}

/// Registers a parameter, or that there is none.
pub fn put_parameter(this: &Instance, key: &str, value: Value) {
    mark(this, UNSET, key, value.is_none());
    set(this, key, value);
}

fn texts(value: Option<Value>) -> Vec<String> {
    match value {
        Some(Value::Tuple(t)) => {
            t.items.iter().filter_map(|v| v.as_str().map(str::to_owned)).collect()
        }
        _ => Vec::new(),
    }
}
