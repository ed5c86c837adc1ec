//! `torch.optim`: optimisers with their groups of parameters. A group is a dict of options, as in
//! PyTorch; programs and schedules change it.

use super::bind::Given;
use super::builtins;
use super::nn_state::forget;
use super::optim_group::tensors;
pub use super::optim_group::{number, option, set_option};
use super::optim_step::{Memory, Method, step};
use super::signature::{Usual, signature};
use super::types::name_of;
use super::{Builtin, torch};
use crate::eval::call::Args;
use crate::eval::display::python::repr;
use crate::eval::machine::Machine;
use crate::eval::raise::{At, Halt};
use crate::eval::value::{Dict, Object, Value};
use crate::maths::complaint::Kind;
use crate::maths::grad_mode::with_grad;
use crate::maths::variable::Variable;
use crate::raise;
use crate::text::names::Symbol;
use std::any::Any;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

macro_rules! optimisers {
    ($($name:literal $method:ident $signature:literal $help:literal;)*) => {
        static ALL: &[(Builtin, Method)] = &[$((Builtin {
            name: $name,
            module: "torch.optim",
            signature: $signature,
            help: $help,
            run: construct,
        }, Method::$method)),*];
    };
}

optimisers! {
    "SGD" Sgd "(params, lr=0.001, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False, foreach=None, differentiable=False, fused=None)"
        "Gradient descent, with momentum if wanted.";
    "Adam" Adam "(params, lr=0.001, betas=None, eps=1e-08, weight_decay=0, amsgrad=False, *, foreach=None, maximize=False, capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False)"
        "Steps scaled by running means of gradients and of their squares.";
    "AdamW" Adam "(params, lr=0.001, betas=None, eps=1e-08, weight_decay=0.01, amsgrad=False, *, foreach=None, maximize=False, capturable=False, differentiable=False, fused=None, decoupled_weight_decay=True)"
        "Adam with a weight decay that the means do not see.";
    "RMSprop" RmsProp "(params, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0, momentum=0, centered=False, capturable=False, foreach=None, maximize=False, differentiable=False)"
        "Steps scaled by the running mean of squared gradients.";
    "Adagrad" Adagrad "(params, lr=0.01, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, foreach=None, *, maximize=False, differentiable=False, fused=None)"
        "Steps scaled by the sum of squared gradients.";
}

/// Options that must not be negative, with PyTorch's words for them.
const NOT_NEGATIVE: &[(&str, &str)] = &[
    ("lr", "learning rate"),
    ("lr_decay", "lr_decay value"),
    ("momentum", "momentum value"),
    ("eps", "epsilon value"),
    ("alpha", "alpha value"),
    ("weight_decay", "weight_decay value"),
    (
        "initial_accumulator_value",
        "initial_accumulator_value value",
    ),
];

pub fn contents() -> Vec<(&'static str, Value)> {
    let mut all = vec![("lr_scheduler", Value::Module(&torch::LR_SCHEDULER))];
    all.extend(ALL.iter().map(|(b, _)| (b.name, Value::Builtin(b))));
    all
}

/// An optimiser.
pub struct Optimizer {
    name: &'static str,
    method: Method,
    /// `param_groups`: a list of dicts.
    groups: Value,
    /// What is remembered of a parameter, by its identity.
    memory: Rc<RefCell<HashMap<usize, Memory>>>,
}

fn construct(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    let found = |(b, _): &&(Builtin, Method)| args.callee.is_some_and(|c| std::ptr::eq(c, b));
    let Some((builtin, method)) = ALL.iter().find(found) else {
        raise!(Kind::Runtime, "{}() is no optimiser", args.name());
    };
    let span = args.site.span;
    let given = Given::read(args, builtin.signature, false).at(span)?;
    let mut usual = Vec::new();
    for (place, p) in signature(builtin.signature)
        .params
        .iter()
        .enumerate()
        .skip(1)
    {
        let value = match given.raw(place) {
            Some(value) => value.plain(),
            None if p.name == "betas" => Value::tuple(vec![Value::Float(0.9), Value::Float(0.999)]),
            None => default(&p.usual),
        };
        usual.push((p.name, value));
    }
    check(machine, &usual)?;
    let optimizer = Optimizer {
        name: builtin.name,
        method: *method,
        groups: Value::list(Vec::new()),
        memory: Rc::default(),
    };
    let params = given.raw(0).unwrap_or(Value::None);
    for group in groups(machine, &params)? {
        optimizer.add(machine, group, &usual)?;
    }
    Ok(Value::Object(Rc::new(optimizer)))
}

fn default(usual: &Usual) -> Value {
    match usual {
        Usual::Bool(b) => Value::Bool(*b),
        Usual::Int(i) => Value::Int(*i),
        Usual::Float(f) => Value::Float(*f),
        _ => Value::None,
    }
}

fn check(machine: &mut Machine, options: &[(&'static str, Value)]) -> Result<(), Halt> {
    let of = |name: &str| options.iter().find(|(n, _)| *n == name).map(|(_, v)| v);
    for (name, words) in NOT_NEGATIVE {
        if let Some(value) = of(name)
            && super::values::as_number(value).is_some_and(|v| v < 0.0)
        {
            raise!(Kind::Value, "Invalid {words}: {}", repr(machine, value)?);
        }
    }
    if let Some(Value::Tuple(betas)) = of("betas") {
        for (i, beta) in betas.items.iter().enumerate() {
            if !beta.as_float().is_some_and(|b| (0.0..1.0).contains(&b)) {
                let text = repr(machine, beta)?;
                raise!(Kind::Value, "Invalid beta parameter at index {i}: {text}");
            }
        }
    }
    let number = |name: &str| of(name).and_then(Value::as_float).unwrap_or(0.0);
    if matches!(of("nesterov"), Some(Value::Bool(true)))
        && (number("momentum") <= 0.0 || number("dampening") != 0.0)
    {
        raise!(
            Kind::Value,
            "Nesterov momentum requires a momentum and zero dampening"
        );
    }
    Ok(())
}

/// The groups that are asked for: dicts as they are, else one of everything.
fn groups(machine: &mut Machine, params: &Value) -> Result<Vec<Value>, Halt> {
    if let Value::Tensor(t) = params {
        raise!(
            Kind::Type,
            "params argument given to the optimizer should be an iterable of Tensors or dicts, but got {}",
            t.dtype().type_name()
        );
    }
    let items = machine.collect(params)?;
    match items.first() {
        None => raise!(Kind::Value, "optimizer got an empty parameter list"),
        Some(Value::Dict(_)) => Ok(items),
        Some(_) => {
            let group = Dict::default();
            set_option(&group, "params", Value::list(items))?;
            Ok(vec![Value::Dict(Rc::new(group))])
        }
    }
}

/// The parameters of a group.
fn params(machine: &mut Machine, value: &Value) -> Result<Vec<Value>, Halt> {
    let items = match value {
        Value::Tensor(_) => vec![value.clone()],
        other => machine.collect(other)?,
    };
    let mut all = Vec::with_capacity(items.len());
    for item in &items {
        // `named_parameters()` gives names too.
        let item = match item {
            Value::Tuple(t) if t.items.len() == 2 => &t.items[1],
            other => other,
        };
        let Some(t) = crate::eval::leaf::existing(item) else {
            raise!(
                Kind::Type,
                "optimizer can only optimize Tensors, but one of the params is {}",
                name_of(item)
            );
        };
        if !t.is_leaf() {
            raise!(Kind::Value, "can't optimize a non-leaf Tensor");
        }
        all.push(Value::Tensor(t));
    }
    Ok(all)
}

impl Optimizer {
    /// The groups as they are now.
    pub fn groups(&self) -> Vec<Rc<Dict>> {
        let Value::List(list) = &self.groups else {
            return Vec::new();
        };
        let items = list.items.borrow();
        items
            .iter()
            .filter_map(|g| match g {
                Value::Dict(d) => Some(Rc::clone(d)),
                _ => None,
            })
            .collect()
    }

    fn add(
        &self,
        machine: &mut Machine,
        given: Value,
        usual: &[(&'static str, Value)],
    ) -> Result<(), Halt> {
        let Value::Dict(given) = given else {
            raise!(
                Kind::Type,
                "param_group must be a dict, but got {}",
                name_of(&given)
            );
        };
        let group = Dict::default();
        let listed = params(machine, &option(&given, "params").unwrap_or(Value::None))?;
        let mut seen: HashSet<usize> = self.params().iter().map(Variable::id).collect();
        for p in &listed {
            if !seen.insert(p.address()) {
                raise!(
                    Kind::Value,
                    "some parameters appear in more than one parameter group"
                );
            }
        }
        set_option(&group, "params", Value::list(listed))?;
        for (name, value) in usual {
            set_option(&group, name, option(&given, name).unwrap_or(value.clone()))?;
        }
        if let Value::List(list) = &self.groups {
            list.items.borrow_mut().push(Value::Dict(Rc::new(group)));
        }
        Ok(())
    }

    fn params(&self) -> Vec<Variable> {
        self.groups().iter().flat_map(|g| tensors(g)).collect()
    }
}

builtins! {
    static METHODS in "Optimizer";
    "step" "(self, closure=None)" take_step, "Changes the parameters by their gradients.";
    "zero_grad" "(self, bool set_to_none=True)" zero_grad, "Forgets the gradients.";
    "add_param_group" "(self, param_group)" add_group, "Adds parameters with options of their own.";
}

/// The arguments of a method with its object.
fn of_optimizer(args: Args) -> Result<(Rc<dyn Object>, Given), Halt> {
    let span = args.site.span;
    let signature = args.callee.map_or("()", |b| b.signature);
    let given = Given::read(args, signature, false).at(span)?;
    match given.raw(0) {
        Some(Value::Object(o)) if o.as_any().is::<Optimizer>() => Ok((o, given)),
        _ => raise!(Kind::Type, "{}() needs an optimizer", given.name),
    }
}

fn take_step(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    let (object, given) = of_optimizer(args)?;
    let loss = match given.value("closure") {
        Some(closure) => with_grad(true, || {
            machine.call_with(&closure, Vec::new(), &given.site)
        })?,
        None => Value::None,
    };
    if let Some(optimizer) = object.as_any().downcast_ref::<Optimizer>() {
        for group in optimizer.groups() {
            for p in tensors(&group) {
                let mut memory = optimizer.memory.borrow_mut();
                let memory = memory.entry(p.id()).or_default();
                step(optimizer.method, &group, &p, memory).at(given.site.span)?;
            }
        }
    }
    Ok(loss)
}

fn zero_grad(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let (object, given) = of_optimizer(args)?;
    let to_none = given.bool("set_to_none")?;
    if let Some(optimizer) = object.as_any().downcast_ref::<Optimizer>() {
        for p in optimizer.params() {
            forget(&p, to_none).at(given.site.span)?;
        }
    }
    Ok(Value::None)
}

fn add_group(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    let (object, given) = of_optimizer(args)?;
    if let Some(optimizer) = object.as_any().downcast_ref::<Optimizer>() {
        let mut usual = Vec::new();
        if let Some((builtin, _)) = ALL.iter().find(|(b, _)| b.name == optimizer.name)
            && let Some(first) = optimizer.groups().first()
        {
            for p in signature(builtin.signature).params.iter().skip(1) {
                usual.push((p.name, option(first, p.name).unwrap_or(Value::None)));
            }
        }
        optimizer.add(machine, given.raw(1).unwrap_or(Value::None), &usual)?;
    }
    Ok(Value::None)
}

impl Object for Optimizer {
    fn type_name(&self) -> String {
        self.name.to_owned()
    }

    fn get(&self, this: &Value, name: Symbol, _: &mut Machine) -> Result<Option<Value>, Halt> {
        if let Some(method) = METHODS.iter().find(|b| b.name == name.as_str()) {
            return Ok(Some(super::methods::bound(this, method)));
        }
        Ok((name.as_str() == "param_groups").then(|| self.groups.clone()))
    }

    fn repr(&self, machine: &mut Machine) -> Result<String, Halt> {
        let mut text = format!("{} (", self.name);
        for (i, group) in self.groups().iter().enumerate() {
            text.push_str(&format!("\nParameter Group {i}\n"));
            let mut options: Vec<(String, Value)> = group
                .entries
                .borrow()
                .iter()
                .map(|(_, n, v)| (n.as_str().unwrap_or_default().to_owned(), v.clone()))
                .filter(|(n, _)| n != "params")
                .collect();
            options.sort_by(|a, b| a.0.cmp(&b.0));
            for (name, value) in options {
                let shown = crate::eval::display::python::str(machine, &value)?;
                text.push_str(&format!("    {name}: {shown}\n"));
            }
        }
        text.push(')');
        Ok(text)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn snapshot(&self) -> Option<Box<dyn Fn()>> {
        let (memory, kept) = (Rc::clone(&self.memory), self.memory.borrow().clone());
        Some(Box::new(move || {
            memory.replace(kept.clone());
        }))
    }

    fn children(&self) -> Vec<Value> {
        vec![self.groups.clone()]
    }
}
