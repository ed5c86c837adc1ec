//! `nn.Module`: a class whose instances find the parameters and modules among their attributes.

use crate::functions::typename;
use crate::nn::{as_module, class as make_class, is_module, own, parts, set, state, this};
use std::cell::OnceCell;
use std::collections::HashSet;
use std::rc::Rc;
use vjp_binder::Given;
use vjp_eval::display::python::repr;
use vjp_eval::library::builtins;
use vjp_eval::values::containers::put;
use vjp_eval::values::iterate::Items;
use vjp_eval::{Args, Class, Instance, Machine, Tried, Value, leaf, name_of, raise};
use vjp_maths::Variable;
use vjp_maths::autodiff::node;
use vjp_tensor::{Kind, Outcome, budget};
use vjp_text::Symbol;

builtins! {
    static METHODS in "torch.nn.Module";
    "__init__" "(self)" init, "Initialises the module; call it before assigning parameters and modules.";
    "__call__" "(self, *input)" call, "Calls forward with the inputs.";
    "__setattr__" "(self, name, value)" set_attribute, "Sets an attribute; registers parameters and modules.";
    "__delattr__" "(self, name)" delete, "Deletes an attribute, also what is registered.";
    "__repr__" "(self)" show, "Returns the repr: the class and its parts.";
    "extra_repr" "(self)" |_, _| Ok(Value::from("")), "Returns extra text for the repr.";
    "_get_name" "(self)" |_, a| Ok(Value::from(this(&a)?.class().name.as_str())), "Returns the class name.";
    "forward" "(self, *input)" no_forward, "Computes the output; your class defines it.";
    "add_module" "(self, name, module)" add_part, "Registers a module under a name.";
    "register_module" "(self, name, module)" add_part, "Registers a module under a name.";
    "register_parameter" "(self, name, param)" add_part, "Registers a parameter under a name.";
    "parameters" "(self, bool recurse=True)" |m, a| members(m, a, Members::Parameters, false), "Iterates over all parameters.";
    "named_parameters" "(self, prefix='', bool recurse=True, bool remove_duplicate=True)" |m, a| members(m, a, Members::Parameters, true), "Iterates over all parameters with their names.";
    "buffers" "(self, bool recurse=True)" |m, a| members(m, a, Members::Buffers, false), "Iterates over all buffers.";
    "named_buffers" "(self, prefix='', bool recurse=True, bool remove_duplicate=True)" |m, a| members(m, a, Members::Buffers, true), "Iterates over all buffers with their names.";
    "children" "(self)" |_, a| parts(&a, false), "Iterates over the direct submodules.";
    "named_children" "(self)" |_, a| parts(&a, true), "Iterates over the direct submodules with their names.";
    "modules" "(self, bool remove_duplicate=True)" |_, a| modules(a, false), "Iterates over the module and all its submodules.";
    "named_modules" "(self, memo=None, prefix='', bool remove_duplicate=True)" |_, a| modules(a, true), "Iterates over the module and all its submodules with their names.";
}

/// The class itself, made once per thread.
pub fn class() -> Rc<Class> {
    thread_local! {
        static CLASS: OnceCell<Rc<Class>> = const { OnceCell::new() };
    }
    CLASS.with(|c| {
        let methods = METHODS.iter().chain(parts::METHODS).chain(state::METHODS);
        Rc::clone(c.get_or_init(|| {
            let made = make_class("Module", "torch.nn.modules.module", None, methods);
            made.attributes.borrow_mut().extend(parts::properties());
            made.attributes.borrow_mut().push((Symbol::new("_version"), Value::Int(1)));
            made
        }))
    })
}

/// What `Module.__init__` does.
pub fn begin(_: &mut Machine, this: &Instance) -> Tried<()> {
    if own(this, "training").is_none() {
        set(this, "training", Value::Bool(true));
    }
    Ok(())
}

fn init(machine: &mut Machine, args: Args) -> Tried<Value> {
    let this = this(&args)?;
    let name = this.class().name;
    if args.positional.len() > 1 {
        raise!(
            Kind::Type,
            "{name}.__init__() takes 1 positional argument but {} were given",
            args.positional.len()
        );
    }
    if let Some((word, _)) = args.named.first() {
        raise!(Kind::Type, "{name}.__init__() got an unexpected keyword argument '{word}'");
    }
    begin(machine, &this)?;
    Ok(Value::None)
}

fn call(machine: &mut Machine, mut args: Args) -> Tried<Value> {
    let module = this(&args)?;
    let hooked = parts::is_hooked(&module);
    let this = Value::Instance(Rc::clone(&module));
    let before = node::mark();
    machine.enter_call()?;
    let result = if hooked {
        parts::call_hooked(machine, args)
    } else {
        args.positional.remove(0);
        machine.get_attr(&this, Symbol::new("forward")).and_then(|forward| {
            if !machine.strict() && is_page(&forward) {
                args.positional.iter_mut().try_for_each(vector)?;
            }
            machine.call(&forward, args)
        })
    };
    machine.leave_call();
    if let Ok(output) = &result
        && let Some(node) = leaf::existing(output).and_then(|v| v.node())
        && node.id() >= before
    {
        let module: Rc<dyn std::any::Any> = module;
        node.made_by(Rc::downgrade(&module));
    }
    result
}

/// Whether a function is a page's, which asks what it is given for what tensors have.
fn is_page(forward: &Value) -> bool {
    match forward {
        Value::Function(f) => f.source.is_own(),
        Value::BoundFunction(b) => is_page(&b.0),
        _ => false,
    }
}

/// A list of numbers as the tensor that it means; in a tuple, as the state of an LSTM, each.
fn vector(value: &mut Value) -> Outcome<()> {
    match value {
        Value::List(l) if l.numeric.get() => *value = Value::Tensor(leaf::stacked(value)?),
        Value::Tuple(t) => {
            let mut items = t.items.clone();
            items.iter_mut().try_for_each(vector)?;
            *value = Value::tuple(items);
        }
        _ => {}
    }
    Ok(())
}

fn no_forward(_: &mut Machine, args: Args) -> Tried<Value> {
    let this = this(&args)?;
    raise!(
        Kind::NotImplemented,
        "Module [{}] is missing the required \"forward\" function",
        this.class().name
    )
}

fn set_attribute(machine: &mut Machine, args: Args) -> Tried<Value> {
    let this = this(&args)?;
    let (Some(name), Some(value)) = (args.positional.get(1), args.positional.get(2)) else {
        raise!(Kind::Type, "__setattr__ expected 2 arguments");
    };
    let Some(name) = name.as_str() else {
        raise!(Kind::Type, "attribute name must be string");
    };
    if name == "__class__" {
        let (owner, name) = (Value::Instance(Rc::clone(&this)), Symbol::new(name));
        machine.set_plain_attribute(&owner, &this, name, value.clone())?;
        return Ok(Value::None);
    }
    assign(&this, name, value.clone())?;
    Ok(Value::None)
}

/// `module.name = value`.
///
/// # Errors
/// Before `Module.__init__` ran; something else in the place of a parameter or module.
pub fn assign(this: &Instance, name: &str, value: Value) -> Tried<()> {
    let begun = own(this, "training").is_some();
    let is_parameter = |v: &Value| matches!(v, Value::Tensor(t) if t.is_parameter());
    match own(this, name) {
        _ if !begun && is_parameter(&value) => {
            raise!(Kind::Attribute, "cannot assign parameters before Module.__init__() call")
        }
        _ if !begun && is_module(&value) => {
            raise!(Kind::Attribute, "cannot assign module before Module.__init__() call")
        }
        Some(old)
            if (is_parameter(&old) || parts::is_named(this, parts::UNSET, name))
                && !value.is_none()
                && !is_parameter(&value) =>
        {
            raise!(
                Kind::Type,
                "cannot assign '{}' as parameter '{name}' (torch.nn.Parameter or None expected)",
                typename(&value)
            )
        }
        Some(old) if is_module(&old) && !value.is_none() && !is_module(&value) => raise!(
            Kind::Type,
            "cannot assign '{}' as child module '{name}' (torch.nn.Module or None expected)",
            typename(&value)
        ),
        Some(_)
            if parts::is_named(this, parts::BUFFERS, name)
                && !matches!(value, Value::Tensor(_) | Value::None)
                && !is_module(&value) =>
        {
            raise!(
                Kind::Type,
                "cannot assign '{}' as buffer '{name}' (torch.nn.Buffer, torch.Tensor or None expected)",
                typename(&value)
            )
        }
        _ => {}
    }
    let (name, kinds) = (Symbol::new(name), |v: &Value| (is_parameter(v), is_module(v)));
    // A part takes its place in the order when it becomes one: what else had the name does not keep it.
    let mut gone = Vec::new();
    if kinds(&value) != (false, false) {
        let empty = [parts::EMPTY, parts::UNSET]
            .iter()
            .any(|kind| parts::is_named(this, kind, name.as_str()));
        let mut all = this.attributes.borrow_mut();
        gone.extend(all.extract_if(.., |(n, old)| {
            *n == name && kinds(old) != kinds(&value) && !(empty && old.is_none())
        }));
    }
    drop(gone);
    if kinds(&value) != (false, false) {
        parts::mark(this, parts::BUFFERS, name.as_str(), false);
    }
    let was = own(this, name.as_str()).is_some_and(|old| is_parameter(&old));
    if was || is_parameter(&value) {
        parts::mark(this, parts::UNSET, name.as_str(), value.is_none());
    }
    // A module that becomes None keeps its place.
    let was = own(this, name.as_str()).is_some_and(|old| is_module(&old));
    if was || is_module(&value) {
        parts::mark(this, parts::EMPTY, name.as_str(), value.is_none());
    }
    put(&this.attributes, name, value);
    Ok(())
}

fn delete(machine: &mut Machine, args: Args) -> Tried<Value> {
    let this = this(&args)?;
    let name = args.positional.get(1).and_then(Value::as_str).unwrap_or_default();
    machine.del_own_attr(&Value::Instance(Rc::clone(&this)), Symbol::new(name))?;
    for kind in [parts::BUFFERS, parts::PASSING, parts::EMPTY, parts::UNSET] {
        parts::mark(&this, kind, name, false);
    }
    Ok(Value::None)
}

fn add_part(_: &mut Machine, args: Args) -> Tried<Value> {
    let args_of = args.name();
    let given = Given::of(args)?;
    let module = this_of(&given)?;
    let what = if args_of == "register_parameter" { "parameter" } else { "module" };
    let part = given.raw(2).unwrap_or(Value::None);
    let part_is = match what {
        "parameter" => matches!(&part, Value::Tensor(t) if t.is_parameter()),
        _ => is_module(&part),
    };
    if what == "module" && !part_is && !part.is_none() {
        raise!(Kind::Type, "{} is not a Module subclass", name_of(&part));
    }
    let Some(name) = given.value("name").and_then(|v| v.as_str().map(str::to_owned)) else {
        raise!(
            Kind::Type,
            "{what} name should be a string. Got {}",
            name_of(&given.raw(1).unwrap_or(Value::None))
        );
    };
    let kind = if what == "module" { parts::EMPTY } else { parts::UNSET };
    let known = match own(&module, &name) {
        Some(Value::Tensor(t)) => what == "parameter" && t.is_parameter(),
        Some(other) => {
            what == "module" && is_module(&other) || parts::is_named(&module, kind, &name)
        }
        None => false,
    };
    parts::check_name(what, &module, &name, known)?;
    if !part_is && !part.is_none() {
        let kind = match &part {
            Value::Tensor(t) => t.dtype().class_name(),
            other => name_of(other),
        };
        raise!(
            Kind::Type,
            "cannot assign '{kind}' object to parameter '{name}' (torch.nn.Parameter or None required)"
        );
    }
    let empty = part.is_none();
    assign(&module, &name, part)?;
    if empty {
        parts::mark(&module, kind, &name, true);
    }
    Ok(Value::None)
}

/// The module whose method was called.
pub fn this_of(given: &Given) -> Tried<Rc<Instance>> {
    match given.raw(0) {
        Some(Value::Instance(i)) => Ok(i),
        _ => raise!(Kind::Type, "{}() needs a module", given.name),
    }
}

/// A method that a class in the language has in the place of the one in this table.
pub fn written(machine: &mut Machine, this: &Rc<Instance>, name: &str) -> Tried<Option<Value>> {
    let found = machine.find_attr(&Value::Instance(Rc::clone(this)), Symbol::new(name))?;
    Ok(found.filter(|method| matches!(method, Value::BoundFunction(_))))
}

/// The modules in a module, by name.
pub fn children(this: &Instance) -> Vec<(String, Rc<Instance>)> {
    places(this).into_iter().filter_map(|(n, v)| Some((n, as_module(&v)?))).collect()
}

/// What stands in the places of modules: modules and None.
pub fn places(this: &Instance) -> Vec<(String, Value)> {
    let empty = parts::names(this, parts::EMPTY);
    let is_place = |n: &str, v: &Value| is_module(v) || v.is_none() && empty.iter().any(|e| e == n);
    let attributes = this.attributes.borrow();
    let all = attributes.iter().filter(|(n, v)| is_place(n.as_str(), v));
    all.map(|(n, v)| (n.to_string(), v.clone())).collect()
}

fn joined(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") }
}

/// A module and all modules in it, outer before inner.
pub struct Tree {
    prefix: String,
    /// Each with its name in an earlier one.
    all: Vec<(usize, String, Rc<Instance>)>,
}

impl Tree {
    /// Each module once; `places`: once for each place where it stands.
    pub fn of(this: &Rc<Instance>, prefix: &str, places: bool) -> Tree {
        let mut tree = Tree { prefix: prefix.to_owned(), all: Vec::new() };
        let mut seen = HashSet::new();
        let mut waiting = vec![Some((0, String::new(), Rc::clone(this)))];
        // Modules whose inner ones are being visited: one inside itself would never end.
        let mut open = Vec::new();
        while let Some(next) = waiting.pop().filter(|_| !budget::stopping()) {
            let Some((outer, name, module)) = next else {
                if let (true, Some(left)) = (places, open.pop()) {
                    seen.remove(&left);
                }
                continue;
            };
            if !seen.insert(Rc::as_ptr(&module)) {
                continue;
            }
            open.push(Rc::as_ptr(&module));
            waiting.push(None);
            let own = tree.all.len();
            let inner = children(&module).into_iter().rev();
            waiting.extend(inner.map(|(n, m)| Some((own, n, m))));
            tree.all.push((outer, name, module));
        }
        tree
    }

    pub fn modules(&self) -> impl Iterator<Item = &Rc<Instance>> {
        self.all.iter().map(|(_, _, module)| module)
    }

    /// The dotted name of the module that was found as number `at`.
    pub fn path(&self, mut at: usize) -> String {
        let mut names = Vec::new();
        while at > 0 {
            let (outer, name, _) = &self.all[at];
            names.push(name.as_str());
            at = *outer;
        }
        if !self.prefix.is_empty() {
            names.push(&self.prefix);
        }
        names.reverse();
        names.join(".")
    }

    /// Tensors of the modules.
    pub fn members(&self, which: Members) -> Vec<(String, Variable)> {
        self.kept(which, |_, _| true)
    }

    /// Those of them that somebody wants, told the module and the name in it.
    pub fn kept(
        &self,
        which: Members,
        wanted: impl Fn(&Instance, &str) -> bool,
    ) -> Vec<(String, Variable)> {
        let mut all = Vec::new();
        for (at, module) in budget::unless_stopped(self.modules()).enumerate() {
            let own = own_members(module, which);
            let own = own.into_iter().filter(|(name, _)| wanted(module, name));
            let mut path = None;
            all.extend(
                own.map(|(name, t)| (joined(path.get_or_insert_with(|| self.path(at)), &name), t)),
            );
        }
        all
    }
}

/// Which tensors of a module.
#[derive(Clone, Copy, PartialEq)]
pub enum Members {
    Parameters,
    Buffers,
    Both,
}

/// Tensors of a module alone, by name, in the order of `state_dict`.
pub fn own_members(this: &Instance, which: Members) -> Vec<(String, Variable)> {
    let buffers = parts::names(this, parts::BUFFERS);
    let attributes = this.attributes.borrow();
    let tensors = |wanted: &dyn Fn(&str, &Variable) -> bool| -> Vec<(String, Variable)> {
        attributes
            .iter()
            .filter_map(|(n, v)| match v {
                Value::Tensor(t) if wanted(n.as_str(), t) => Some((n.to_string(), t.clone())),
                _ => None,
            })
            .collect()
    };
    let mut all = Vec::new();
    if which != Members::Buffers {
        all.extend(tensors(&|_, t| t.is_parameter()));
    }
    if which != Members::Parameters {
        all.extend(tensors(&|n, _| buffers.iter().any(|b| b == n)));
    }
    all
}

/// Tensors of a module and of the modules in it, each once.
pub fn all_members(
    this: &Rc<Instance>,
    prefix: &str,
    which: Members,
    inner: bool,
) -> Vec<(String, Variable)> {
    let mut all = placed_members(this, prefix, which, (inner, false));
    let mut seen = HashSet::new();
    all.retain(|(_, t)| seen.insert(t.id()));
    all
}

/// Tensors of a module and, if `inner`, of the modules in it; `places`: of each place where one stands.
fn placed_members(
    this: &Rc<Instance>,
    prefix: &str,
    which: Members,
    (inner, places): (bool, bool),
) -> Vec<(String, Variable)> {
    match inner {
        true => Tree::of(this, prefix, places).members(which),
        false => {
            let own = own_members(this, which).into_iter();
            own.map(|(name, t)| (joined(prefix, &name), t)).collect()
        }
    }
}

fn listed(items: Vec<(String, Value)>, named: bool, title: &'static str) -> Value {
    let items = items
        .into_iter()
        .map(|(n, v)| match named {
            true => Value::tuple(vec![Value::from(n), v]),
            false => v,
        })
        .collect();
    Value::iterator(Items::of_method(items, title))
}

fn members(_: &mut Machine, args: Args, which: Members, named: bool) -> Tried<Value> {
    let given = Given::of(args)?;
    let prefix = given.value("prefix");
    let prefix = prefix.as_ref().and_then(Value::as_str).unwrap_or_default();
    let inner = given.bool("recurse")?;
    let this = this_of(&given)?;
    let found = match named && !given.bool("remove_duplicate")? {
        true => placed_members(&this, prefix, which, (inner, true)),
        false => all_members(&this, prefix, which, inner),
    };
    let items = found.into_iter().map(|(n, t)| (n, Value::Tensor(t)));
    let title = match (which, named) {
        (Members::Buffers, false) => "Module.buffers",
        (Members::Buffers, true) => "Module.named_buffers",
        (_, false) => "Module.parameters",
        (_, true) => "Module.named_parameters",
    };
    Ok(listed(items.collect(), named, title))
}

fn parts(args: &Args, named: bool) -> Tried<Value> {
    let mut seen = HashSet::new();
    let mut found = children(&*this(args)?);
    found.retain(|(_, m)| seen.insert(Rc::as_ptr(m)));
    let items = found.into_iter().map(|(n, m)| (n, Value::Instance(m)));
    let title = if named { "Module.named_children" } else { "Module.children" };
    Ok(listed(items.collect(), named, title))
}

fn modules(args: Args, named: bool) -> Tried<Value> {
    let given = Given::of(args)?;
    let prefix = given.value("prefix");
    let prefix = prefix.as_ref().and_then(Value::as_str).unwrap_or_default();
    let tree = Tree::of(&this_of(&given)?, prefix, !given.bool("remove_duplicate")?);
    let found = budget::unless_stopped(tree.modules()).enumerate();
    let items = found.map(|(at, m)| {
        let path = if named { tree.path(at) } else { String::new() };
        (path, Value::Instance(Rc::clone(m)))
    });
    let title = if named { "Module.named_modules" } else { "Module.modules" };
    Ok(listed(items.collect(), named, title))
}

fn show(machine: &mut Machine, args: Args) -> Tried<Value> {
    let this = this(&args)?;
    let object = Value::Instance(Rc::clone(&this));
    machine.enter_call()?;
    let lines = lines(machine, &object, &this);
    machine.leave_call();
    let (extra, inner) = lines?;
    let method = machine.get_attr(&object, Symbol::new("_get_name"))?;
    let site = machine.here();
    let name = machine.call_with(&method, Vec::new(), &site)?;
    let name = name.as_str().unwrap_or_default();
    Ok(Value::from(match (extra.as_slice(), inner.is_empty()) {
        (few @ ([] | [_]), true) => format!("{name}({})", few.concat()),
        _ => {
            let all: Vec<String> = extra.into_iter().chain(inner).collect();
            format!("{name}(\n  {}\n)", all.join("\n  "))
        }
    }))
}

/// What `extra_repr` says, and the parts.
fn lines(
    machine: &mut Machine,
    object: &Value,
    this: &Instance,
) -> Tried<(Vec<String>, Vec<String>)> {
    let method = machine.get_attr(object, Symbol::new("extra_repr"))?;
    let site = machine.here();
    let extra = machine.call_with(&method, Vec::new(), &site)?;
    let extra = extra.as_str().unwrap_or_default().lines();
    let extra = extra.filter(|l| !l.is_empty()).map(str::to_owned).collect();
    let mut inner = Vec::new();
    for (name, module) in places(this) {
        let text = repr(machine, &module)?;
        inner.push(format!("({name}): {}", text.replace('\n', "\n  ")));
    }
    Ok((extra, inner))
}
