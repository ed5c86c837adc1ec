//! Modules that hold modules or parameters under the names 0, 1, …: Sequential, ModuleList,
//! ParameterList; and ModuleDict.

use crate::functions::typename;
use crate::nn::module::{assign, places};
use crate::nn::parts::{self, EMPTY};
use crate::nn::{class, is_module, module, own, this};
use std::rc::Rc;
use vjp_eval::display::python::repr;
use vjp_eval::display::torch::dtype_name;
use vjp_eval::library::builtins;
use vjp_eval::values::dict::Key;
use vjp_eval::values::iterate::Items;
use vjp_eval::{Args, Builtin, Dict, Halt, Instance, Machine, Tried, Value, name_of, raise};
use vjp_maths::Variable;
use vjp_tensor::{Kind, budget};
use vjp_text::Symbol;

builtins! { static ANY in "torch.nn";
    "__len__" "(self)" |_, a| Ok(Value::Int(elements(&*this(&a)?).len() as i64)), "Returns the number of modules.";
    "__iter__" "(self)" |_, a| Ok(Value::iterator(Items::new(values(&*this(&a)?), "generator"))), "Iterates over the modules.";
    "__getitem__" "(self, index)" item, "Returns the module at an index.";
    "__setitem__" "(self, index, value)" set_item, "Replaces the module at an index.";
    "append" "(self, module)" |_, a| {
        let this = this(&a)?;
        if let Some(value) = a.positional.get(1) {
            push(&this, value.clone())?;
        }
        Ok(Value::Instance(this))
    }, "Appends a module.";
    "extend" "(self, modules)" extend, "Appends several modules.";
    "__iadd__" "(self, modules)" extend, "Appends several modules.";
    "insert" "(self, index, module)" |_, a| {
        let (this, index) = (this(&a)?, a.positional.get(1).cloned().unwrap_or(Value::None));
        let count = elements(&this).len() as i64;
        let at = index.as_int().unwrap_or(count);
        if !(-count..=count).contains(&at) {
            raise!(Kind::Index, "Index out of range: {at}");
        }
        let at = if at < 0 { at + count } else { at };
        // By names, as PyTorch moves them: one that is no number is an error.
        for i in (at + 1..=count).rev() {
            let before = (i - 1).to_string();
            let Some(module) = own(&this, &before) else { return Err(no_such(&before)) };
            assign(&this, &i.to_string(), module)?;
        }
        let module = a.positional.get(2).cloned().unwrap_or(Value::None);
        assign(&this, &at.to_string(), module)?;
        Ok(Value::Instance(this))
    }, "Inserts a module before an index.";
    "__delitem__" "(self, index)" |m, a| {
        let (this, index) = (this(&a)?, a.positional.get(1).cloned().unwrap_or(Value::None));
        remove(m, &this, &index)?;
        Ok(Value::None)
    }, "Removes the module at an index.";
    "pop" "(self, index)" |m, a| {
        let (this, index) = (this(&a)?, a.positional.get(1).cloned().unwrap_or(Value::Int(-1)));
        let (_, module) = place(&this, &index)?;
        remove(m, &this, &index)?;
        Ok(module)
    }, "Removes the module at an index and returns it.";
}

builtins! { static SEQUENTIAL in "torch.nn";
    "Sequential.__init__" "(self, *args)" sequential, "Calls modules in sequence.";
    "Sequential.forward" "(self, input)" |m, a| {
        let site = a.site.clone();
        let this = this(&a)?;
        let mut x = crate::nn::layers::input(a)?;
        for module in values(&this) {
            x = m.call_with(&module, vec![x], &site)?;
        }
        Ok(x)
    }, "Passes the output of each module to the next.";
    "Sequential.__add__" "(self, other)" |m, a| {
        let (this, other) = (this(&a)?, a.positional.get(1).cloned().unwrap_or(Value::None));
        match &other {
            Value::Instance(other) if is_a(other, "Sequential") => {
                joined(m, &this, [values(&this), values(other)].concat())
            }
            other => raise!(
                Kind::Type,
                "add operator supports only objects of Sequential class, but <class '{}'> is given.",
                typename(other)
            ),
        }
    }, "Returns the modules of both in sequence.";
    "Sequential.__mul__" "(self, count)" repeated, "Returns the modules repeated in sequence.";
    "Sequential.__rmul__" "(self, count)" repeated, "Returns the modules repeated in sequence.";
}

builtins! { static MODULE_LIST in "torch.nn";
    "ModuleList.__init__" "(self, modules=None)" filled, "A list of modules.";
    "ModuleList.__add__" "(self, other)" |m, a| {
        let this = this(&a)?;
        let both = joined(m, &this, values(&this))?;
        if let Value::Instance(made) = &both {
            push_all(m, made, a.positional.get(1).unwrap_or(&Value::None))?;
        }
        Ok(both)
    }, "Returns the modules of both.";
    "ModuleList.__repr__" "(self)" list_repr, "Returns the repr; repeated modules appear once, with a count.";
}

builtins! { static PARAMETER_LIST in "torch.nn";
    "ParameterList.__init__" "(self, values=None)" filled, "A list of parameters.";
    "ParameterList.extra_repr" "(self)" parameters_repr, "Returns the repr, with the size of each parameter.";
}

builtins! { static MODULE_DICT in "torch.nn";
    "ModuleDict.__init__" "(self, modules=None)" dict, "A dict of modules.";
    "ModuleDict.__len__" "(self)" |_, a| Ok(Value::Int(places(&*this(&a)?).len() as i64)), "Returns the number of modules.";
    "ModuleDict.__getitem__" "(self, key)" |_, a| {
        let (this, key) = (this(&a)?, text(a.positional.get(1)));
        match own(&this, &key) {
            Some(module) => Ok(module),
            None => Err(no_such(&key)),
        }
    }, "Returns the module with a name.";
    "ModuleDict.__setitem__" "(self, key, module)" |_, a| {
        let value = a.positional.get(2).cloned().unwrap_or(Value::None);
        assign(&*this(&a)?, &text(a.positional.get(1)), value)?;
        Ok(Value::None)
    }, "Registers a module under a name.";
    "ModuleDict.__delitem__" "(self, key)" |_, a| {
        taken(&*this(&a)?, &text(a.positional.get(1)))?;
        Ok(Value::None)
    }, "Removes the module with a name.";
    "ModuleDict.pop" "(self, key)" |_, a| taken(&*this(&a)?, &text(a.positional.get(1))), "Removes the module with a name and returns it.";
    "ModuleDict.clear" "(self)" |_, a| {
        refill(&*this(&a)?, Vec::new())?;
        Ok(Value::None)
    }, "Removes all modules.";
    "ModuleDict.update" "(self, modules)" |m, a| {
        let more = a.positional.get(1).cloned().unwrap_or(Value::None);
        updated(m, &*this(&a)?, &more)?;
        Ok(Value::None)
    }, "Registers the modules of a dict or of (name, module) pairs.";
    "ModuleDict.__contains__" "(self, key)" |_, a| Ok(Value::Bool(own(&*this(&a)?, &text(a.positional.get(1))).is_some())), "Returns whether a module has that name.";
    "ModuleDict.__iter__" "(self)" |_, a| names(&a), "Returns the names.";
    "ModuleDict.keys" "(self)" |m, a| view(m, &a, "keys"), "Returns the names.";
    "ModuleDict.values" "(self)" |m, a| view(m, &a, "values"), "Returns the modules.";
    "ModuleDict.items" "(self)" |m, a| view(m, &a, "items"), "Returns (name, module) pairs.";
}

pub fn classes() -> Vec<(&'static str, Value)> {
    let listed = |own: &'static [Builtin]| ANY.iter().chain(own).collect::<Vec<_>>();
    [
        ("Sequential", listed(SEQUENTIAL)),
        ("ModuleList", listed(MODULE_LIST)),
        ("ParameterList", listed(PARAMETER_LIST)),
        ("ModuleDict", MODULE_DICT.iter().collect()),
    ]
    .into_iter()
    .map(|(name, methods)| {
        let base = Some(module::class());
        let made = class(name, "torch.nn.modules.container", base, methods);
        (name, Value::Class(made))
    })
    .collect()
}

/// What it holds, by name: modules, or the parameters of a list of those.
fn elements(this: &Instance) -> Vec<(String, Value)> {
    let places = places(this);
    // A module in sequence may have parameters and buffers of its own, too; those have names.
    let held = |(name, v): &&(Symbol, Value)| {
        let number = || name.as_str().bytes().all(|b| b.is_ascii_digit());
        matches!(v, Value::Tensor(_)) && number() || places.iter().any(|(n, _)| n == name.as_str())
    };
    let attributes = this.attributes.borrow();
    attributes.iter().filter(held).map(|(n, v)| (n.to_string(), v.clone())).collect()
}

fn values(this: &Instance) -> Vec<Value> {
    elements(this).into_iter().map(|(_, v)| v).collect()
}

fn text(value: Option<&Value>) -> String {
    value.and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn push(this: &Instance, value: Value) -> Tried<()> {
    let name = elements(this).len().to_string();
    match value {
        // A ParameterList makes parameters of tensors.
        Value::Tensor(t) if is_a(this, "ParameterList") => {
            let value = match t.is_parameter() {
                true => t,
                false => Variable::parameter(t.value(), t.dtype().is_float()),
            };
            assign(this, &name, Value::Tensor(value))
        }
        value if is_module(&value) => assign(this, &name, value),
        Value::None => {
            assign(this, &name, Value::None)?;
            parts::mark(this, EMPTY, &name, true);
            Ok(())
        }
        other => raise!(Kind::Type, "{} is not a Module subclass", typename(&other)),
    }
}

fn is_a(this: &Instance, name: &str) -> bool {
    let class = this.class();
    let named = |c: &Value| matches!(c, Value::Class(c) if c.name.as_str() == name);
    class.name.as_str() == name || class.order.borrow().iter().any(named)
}

fn extend(machine: &mut Machine, args: Args) -> Tried<Value> {
    let this = this(&args)?;
    push_all(machine, &this, args.positional.get(1).unwrap_or(&Value::None))?;
    Ok(Value::Instance(this))
}

fn push_all(machine: &mut Machine, this: &Rc<Instance>, more: &Value) -> Tried<()> {
    if machine.iterate(more).is_err() {
        let (class, given) = (this.class().name, name_of(more));
        raise!(Kind::Type, "{class}.extend should be called with an iterable, but got {given}");
    }
    machine.collect(more)?.into_iter().try_for_each(|v| push(this, v))
}

/// These instead of what it holds, numbered from 0.
fn refill(this: &Instance, modules: Vec<Value>) -> Tried<()> {
    let held: Vec<String> = elements(this).into_iter().map(|(name, _)| name).collect();
    this.attributes.borrow_mut().retain(|(name, _)| !held.iter().any(|h| h == name.as_str()));
    modules.into_iter().try_for_each(|module| push(this, module))
}

/// Without the modules at an index or a slice.
fn remove(m: &mut Machine, this: &Instance, index: &Value) -> Tried<()> {
    if !matches!(index, Value::Slice(_)) {
        place(this, index)?;
    }
    let list = Value::list(values(this));
    m.del_item(&list, index)?;
    refill(this, m.collect(&list)?)
}

fn no_such(key: &str) -> Halt {
    vjp_eval::language::exception::halt(Kind::Key, vec![Value::from(key)])
}

/// The module with a name, which it then no longer holds.
fn taken(this: &Instance, key: &str) -> Tried<Value> {
    let Some(module) = own(this, key) else { return Err(no_such(key)) };
    this.attributes.borrow_mut().retain(|(name, _)| name.as_str() != key);
    Ok(module)
}

fn sequential(machine: &mut Machine, args: Args) -> Tried<Value> {
    let this = this(&args)?;
    unexpected(&this, &args, &[])?;
    module::begin(machine, &this)?;
    if let [_, ordered @ Value::Instance(_)] = args.positional.as_slice()
        && let Value::Dict(dict) = ordered.base()
    {
        named_modules(&this, &dict)?;
        return Ok(Value::None);
    }
    for value in &args.positional[1..] {
        push(&this, value.clone())?;
    }
    Ok(Value::None)
}

fn filled(machine: &mut Machine, args: Args) -> Tried<Value> {
    let this = this(&args)?;
    module::begin(machine, &this)?;
    let given = args.positional.get(1).or(args.named.first().map(|(_, v)| v));
    match given {
        Some(given) if !given.is_none() => push_all(machine, &this, given)?,
        _ => {}
    }
    Ok(Value::None)
}

fn dict(machine: &mut Machine, args: Args) -> Tried<Value> {
    let this = this(&args)?;
    unexpected(&this, &args, &["modules"])?;
    module::begin(machine, &this)?;
    let given = args.positional.get(1).or(args.named.first().map(|(_, v)| v));
    if let Some(modules) = given.filter(|v| !v.is_none()) {
        updated(machine, &this, modules)?;
    }
    Ok(Value::None)
}

/// Takes in the modules of a dict, of another ModuleDict or of pairs.
fn updated(machine: &mut Machine, this: &Instance, more: &Value) -> Tried<()> {
    if let Value::Dict(dict) = more.base() {
        return named_modules(this, &dict);
    }
    if let Value::Instance(other) = more
        && is_a(other, "ModuleDict")
    {
        let mut all = places(other).into_iter();
        return all.try_for_each(|(name, module)| named(this, &Value::from(name), &module));
    }
    let Ok(pairs) = machine.collect(more) else {
        raise!(
            Kind::Type,
            "ModuleDict.update should be called with an iterable of key/value pairs, but got {}",
            name_of(more)
        );
    };
    for (k, pair) in pairs.iter().enumerate() {
        let Ok(parts) = machine.collect(pair) else {
            let kind = name_of(pair);
            raise!(
                Kind::Type,
                "ModuleDict update sequence element #{k} should be Iterable; is{kind}"
            );
        };
        let [key, module] = parts.as_slice() else {
            let length = parts.len();
            raise!(
                Kind::Value,
                "ModuleDict update sequence element #{k} has length {length}; 2 is required"
            );
        };
        named(this, key, module)?;
    }
    Ok(())
}

fn named(this: &Instance, key: &Value, module: &Value) -> Tried<()> {
    if !is_module(module) && !module.is_none() {
        raise!(Kind::Type, "{} is not a Module subclass", typename(module));
    }
    let Some(name) = key.as_str() else {
        raise!(Kind::Type, "module name should be a string. Got {}", typename(key));
    };
    let known =
        own(this, name).is_some_and(|v| is_module(&v)) || parts::is_named(this, EMPTY, name);
    parts::check_name("module", this, name, known)?;
    assign(this, name, module.clone())?;
    parts::mark(this, EMPTY, name, module.is_none());
    Ok(())
}

/// A keyword that is none of these.
fn unexpected(this: &Instance, args: &Args, known: &[&str]) -> Tried<()> {
    if let Some((word, _)) = args.named.iter().find(|(n, _)| !known.contains(&n.as_str())) {
        let name = this.class().name;
        raise!(Kind::Type, "{name}.__init__() got an unexpected keyword argument '{word}'");
    }
    Ok(())
}

/// The modules of a dict under its keys.
fn named_modules(this: &Instance, dict: &Dict) -> Tried<()> {
    dict.entries.borrow().iter().try_for_each(|(_, key, value)| named(this, key, value))
}

fn names(args: &Args) -> Tried<Value> {
    let parts = places(&*this(args)?).into_iter();
    let items = parts.map(|(name, _)| Value::from(name)).collect();
    Ok(Value::iterator(Items::new(items, "dict_keyiterator")))
}

/// `keys()`, `values()`, `items()`: those of a dict of the modules.
fn view(machine: &mut Machine, args: &Args, method: &str) -> Tried<Value> {
    let dict = Dict::default();
    for (name, module) in places(&*this(args)?) {
        let name = Value::from(name);
        dict.written()?.insert(Key::of(&name)?, name, module);
    }
    let method = machine.get_attr(&Value::dict(dict), Symbol::new(method))?;
    machine.call_with(&method, Vec::new(), &args.site)
}

/// The place that an index represents.
fn place(this: &Instance, index: &Value) -> Tried<(String, Value)> {
    let mut all = elements(this);
    let Some(i) = index.as_int() else {
        raise!(Kind::Type, "'{}' object cannot be interpreted as an integer", name_of(index));
    };
    let count = all.len() as i64;
    if !(-count..count).contains(&i) {
        raise!(Kind::Index, "index {i} is out of range");
    }
    Ok(all.swap_remove(i.rem_euclid(count.max(1)) as usize))
}

fn item(machine: &mut Machine, args: Args) -> Tried<Value> {
    let this = this(&args)?;
    let index = args.positional.get(1).cloned().unwrap_or(Value::None);
    if !matches!(index, Value::Slice(_)) {
        return Ok(place(&this, &index)?.1);
    }
    // A slice is a container of the same class; modules in sequence keep their names.
    if !is_a(&this, "Sequential") {
        let part = machine.get_item(&Value::list(values(&this)), &index)?;
        let part = machine.collect(&part)?;
        return joined(machine, &this, part);
    }
    let all = elements(&this);
    let places = (0..all.len()).map(|k| Value::Int(k as i64)).collect();
    let places = machine.get_item(&Value::list(places), &index)?;
    let made = Instance::shared(&this.class(), Vec::new());
    module::begin(machine, &made)?;
    for k in machine.collect(&places)?.iter().filter_map(Value::as_int) {
        let (name, module) = &all[k as usize];
        assign(&made, name, module.clone())?;
    }
    Ok(Value::Instance(made))
}

/// A container of the same class with these modules.
fn joined(machine: &mut Machine, this: &Instance, modules: Vec<Value>) -> Tried<Value> {
    let made = Instance::shared(&this.class(), Vec::new());
    module::begin(machine, &made)?;
    modules.into_iter().try_for_each(|module| push(&made, module))?;
    Ok(Value::Instance(made))
}

/// `seq * 2`.
fn repeated(machine: &mut Machine, args: Args) -> Tried<Value> {
    let this = this(&args)?;
    let given = args.positional.get(1).cloned().unwrap_or(Value::None);
    let class = typename(&Value::Instance(this.clone()));
    match given.as_int() {
        Some(count) if count > 0 => {
            let all = budget::filled(count as usize, values(&this))?;
            joined(machine, &this, all.concat())
        }
        Some(count) => {
            raise!(Kind::Value, "Non-positive multiplication factor {count} for <class '{class}'>")
        }
        None => raise!(
            Kind::Type,
            "unsupported operand type(s) for *: <class '{class}'> and <class '{}'>",
            typename(&given)
        ),
    }
}

fn set_item(_: &mut Machine, args: Args) -> Tried<Value> {
    let this = this(&args)?;
    let (name, _) = place(&this, args.positional.get(1).unwrap_or(&Value::None))?;
    let value = args.positional.get(2).cloned().unwrap_or(Value::None);
    assign(&this, &name, value)?;
    Ok(Value::None)
}

/// `(0-1): 2 x Linear(…)` for equal neighbours.
fn list_repr(machine: &mut Machine, args: Args) -> Tried<Value> {
    let this = this(&args)?;
    let mut runs: Vec<(usize, usize, String)> = Vec::new();
    for (i, value) in values(&this).iter().enumerate() {
        let text = repr(machine, value)?;
        match runs.last_mut() {
            Some((_, last, same)) if *same == text => *last = i,
            _ => runs.push((i, i, text)),
        }
    }
    let name = this.class().name;
    if runs.is_empty() {
        return Ok(Value::from(format!("{name}()")));
    }
    let lines: Vec<String> = runs
        .iter()
        .map(|(first, last, text)| {
            let line = match first == last {
                true => format!("({first}): {text}"),
                false => format!("({first}-{last}): {} x {text}", last - first + 1),
            };
            line.replace('\n', "\n  ")
        })
        .collect();
    Ok(Value::from(format!("{name}(\n  {}\n)", lines.join("\n  "))))
}

fn parameters_repr(_: &mut Machine, args: Args) -> Tried<Value> {
    let lines: Vec<String> = elements(&*this(&args)?)
        .into_iter()
        .filter_map(|(name, value)| match value {
            Value::Tensor(t) => {
                let sizes: Vec<String> = t.shape().iter().map(usize::to_string).collect();
                Some(format!(
                    "  ({name}): Parameter containing: [torch.{} of size {}]",
                    dtype_name(t.dtype()),
                    sizes.join("x")
                ))
            }
            _ => None,
        })
        .collect();
    Ok(Value::from(lines.join("\n")))
}
