//! `torch.autograd.Function`: operations whose forward and backward code a program writes.

use crate::autograd::function_context::{Context, Saved};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use vjp_eval::language::call::{Args, Site};
use vjp_eval::language::exception::raise::{At, Halt};
use vjp_eval::language::machine::Machine;
use vjp_eval::language::machine::call_back;
use vjp_eval::library::Builtin;
use vjp_eval::raise;
use vjp_eval::values::class_names::name_of;
use vjp_eval::values::value::{Object, Value};
use vjp_jacobian::custom_function::Written;
use vjp_maths::autodiff::grad_mode::{is_grad_enabled, with_grad};
use vjp_maths::autodiff::linear_map::Array;
use vjp_maths::autodiff::rule::Saves;
use vjp_maths::autodiff::variable::{Variable, apply};
use vjp_maths::composite::part;
use vjp_maths::observe::order;
use vjp_maths::primitives::fixed::{Fixed, element_map};
use vjp_ops::arrange::{join, layout};
use vjp_tensor::complaint::{Complaint, Kind, Outcome};
use vjp_tensor::tensor::{Dtype, Tensor};
use vjp_tensor::{random, shape};
use vjp_text::names::Symbol;
use vjp_torch::nn::class;

static METHODS: &[Builtin] = &[
    Builtin {
        name: "apply",
        module: "torch.autograd.Function",
        signature: "(cls, *args)",
        help: "Runs forward and records backward for the graph.",
        jax: "",
        run: applied,
    },
    Builtin {
        name: "forward",
        module: "torch.autograd.Function",
        signature: "(*args)",
        help: "Computes the value; your class defines it.",
        jax: "",
        run: |_, _| {
            raise!(
                Kind::NotImplemented,
                "You must implement the forward function for custom autograd.Function."
            )
        },
    },
    Builtin {
        name: "backward",
        module: "torch.autograd.Function",
        signature: "(*args)",
        help: "Computes the gradients of the inputs; your class defines it.",
        jax: "",
        run: |_, _| {
            raise!(
                Kind::NotImplemented,
                "You must implement either the backward or vjp method for your custom autograd.Function to use it with backward mode AD."
            )
        },
    },
];

/// The class, made once per thread.
pub fn value() -> Value {
    thread_local! {
        static CLASS: OnceCell<Value> = const { OnceCell::new() };
    }
    let made = || Value::Class(class("Function", "torch.autograd.function", None, METHODS));
    CLASS.with(|c| c.get_or_init(made).clone())
}

/// A name as long as the thread lives.
fn kept(name: String) -> &'static str {
    thread_local! {
        static NAMES: RefCell<HashMap<String, &'static str>> = RefCell::default();
    }
    NAMES.with_borrow_mut(|names| {
        *names.entry(name).or_insert_with_key(|n| Box::leak(n.clone().into_boxed_str()))
    })
}

/// One call of `apply`: its code and arguments.
#[derive(Clone)]
struct Call {
    class: Value,
    name: &'static str,
    args: Vec<Value>,
    site: Site,
}

impl Call {
    /// Runs forward, in the old style with ctx or in the new one with `setup_context`.
    fn forward(
        &self,
        machine: &mut Machine,
        ctx: &Rc<Context>,
        args: Vec<Value>,
    ) -> Result<Value, Halt> {
        let ctx = Value::Object(Rc::clone(ctx) as Rc<dyn Object>);
        let forward = machine.get_attr(&self.class, Symbol::new("forward"))?;
        let Some(setup) = machine.find_attr(&self.class, Symbol::new("setup_context"))? else {
            let all = std::iter::once(ctx).chain(args).collect();
            return machine.call_with(&forward, all, &self.site);
        };
        let output = machine.call_with(&forward, args.clone(), &self.site)?;
        let all = vec![ctx, Value::tuple(args), output.clone()];
        machine.call_with(&setup, all, &self.site)?;
        Ok(output)
    }

    /// The arguments with other tensors in place of theirs.
    fn with(&self, tensors: &[Variable]) -> Vec<Value> {
        let mut next = tensors.iter();
        let replaced = |v: &Value| match v {
            Value::Tensor(t) => Value::Tensor(next.next().unwrap_or(t).clone()),
            other => other.clone(),
        };
        self.args.iter().map(replaced).collect()
    }

    /// Forward again for its derivative: nothing is printed, and no random number is used up.
    fn again(&self, tensors: &[Variable]) -> Outcome<Variable> {
        let ctx = Context::new(self.name, vec![true; self.args.len()]);
        let args = self.with(tensors);
        let numbers = random::state();
        let result = call_back::borrowed(|machine| {
            machine.silently(|machine| self.forward(machine, &ctx, args))
        });
        random::restore(numbers);
        let (raw, flows) = outputs(&result?, &ctx)?;
        packed(&flowing(raw, &flows))
    }
}

/// The tensors that forward returned, and whether gradients flow to each.
fn outputs(value: &Value, ctx: &Context) -> Outcome<(Vec<Variable>, Vec<bool>)> {
    let items = match value {
        Value::Tuple(t) => t.items.as_slice(),
        one => std::slice::from_ref(one),
    };
    let constant = ctx.constant.borrow();
    let (mut all, mut flows) = (Vec::new(), Vec::new());
    for item in items {
        let Value::Tensor(t) = item else {
            return Err(Complaint::new(
                Kind::Type,
                format!("forward of a Function must return tensors, not {}", name_of(item)),
            ));
        };
        all.push(t.clone());
        flows.push(t.dtype().is_float() && !constant.iter().any(|c| c.same(item)));
    }
    Ok((all, flows))
}

/// Those that gradients flow to.
fn flowing(all: Vec<Variable>, flows: &[bool]) -> Vec<Variable> {
    let kept = all.into_iter().zip(flows).filter(|(_, f)| **f);
    kept.map(|(v, _)| v).collect()
}

/// Several outputs as one vector; one output as it is.
fn packed(outputs: &[Variable]) -> Outcome<Variable> {
    if let [one] = outputs {
        return Ok(one.clone());
    }
    let flat: Outcome<Vec<Variable>> = outputs.iter().map(|y| layout::reshape(y, &[-1])).collect();
    join::cat(&flat?, 0)
}

/// The outputs out of the vector they were packed in.
fn unpacked(
    whole: &Variable,
    shapes: &[Vec<usize>],
    grad_fn: &'static str,
) -> Outcome<Vec<Variable>> {
    let mut from = 0;
    let mut parts = Vec::with_capacity(shapes.len());
    for (k, own) in shapes.iter().enumerate() {
        let count = shape::count(own)?;
        let places = element_map(&whole.shape(), own, (from..from + count).collect());
        parts.push(part(whole, Fixed::gather("output", grad_fn, places), k)?);
        from += count;
    }
    Ok(parts)
}

fn applied(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    let span = args.site.span;
    let mut positional = args.positional;
    let class = positional.remove(0);
    let Value::Class(c) = &class else {
        raise!(Kind::Runtime, "apply() needs a class derived from torch.autograd.Function");
    };
    let name = kept(format!("{}Backward", c.name));
    // Outside strict, numbers and lists with a place in the graph stand for their tensors.
    for value in positional.iter_mut() {
        if let Value::List(_) | Value::Number(_) = value
            && let Some(t) = vjp_eval::leaf::existing(value)
        {
            *value = Value::Tensor(t);
        }
    }
    let tensors: Vec<Variable> = positional
        .iter()
        .filter_map(|v| match v {
            Value::Tensor(t) => Some(t.clone()),
            _ => None,
        })
        .collect();
    let wants = |v: &Value| matches!(v, Value::Tensor(t) if t.requires_grad());
    let ctx = Context::new(name, positional.iter().map(wants).collect());
    let call = Call { class: class.clone(), name, args: positional, site: args.site };
    let recorded = is_grad_enabled() && tensors.iter().any(Variable::requires_grad);
    let given = with_grad(false, || call.forward(machine, &ctx, call.args.clone()))?;
    if !recorded {
        return Ok(given);
    }
    let (all, flows) = outputs(&given, &ctx).at(span)?;
    let raw = flowing(all.clone(), &flows);
    if raw.is_empty() {
        return Ok(given);
    }
    let shapes: Vec<Vec<usize>> = raw.iter().map(Variable::shape).collect();
    let whole = with_grad(false, || packed(&raw)).at(span)?;
    let parts = Parts {
        flows: flows.clone(),
        shapes: all.iter().map(Variable::shape).collect(),
        dtypes: all.iter().map(Variable::dtype).collect(),
    };
    order::watch();
    let op = operation(&call, &ctx, &tensors, whole.value(), parts);
    let whole = apply(Rc::new(op), &tensors).at(span)?;
    let mut made = match shapes.len() {
        1 => vec![whole],
        _ => unpacked(&whole, &shapes, name).at(span)?,
    };
    let dirty = ctx.dirty.borrow().clone();
    for (raw, made) in raw.iter().zip(made.iter_mut()) {
        if dirty.iter().any(|d| d.same(&Value::Tensor(raw.clone()))) {
            // What forward wrote in place goes on from here itself.
            raw.update(made).at(span)?;
            *made = raw.clone();
        } else if raw.base().is_some() || tensors.iter().any(|t| t.same(raw)) {
            *made = Variable::given_by_function(raw, made.node());
        }
    }
    ctx.outputs_made(&raw, &made);
    let mut made = made.into_iter();
    let values = all.into_iter().zip(&flows).map(|(own, flows)| {
        let value = if *flows { made.next() } else { None };
        Value::Tensor(value.unwrap_or(own))
    });
    let mut values = values.collect::<Vec<_>>().into_iter();
    Ok(match given {
        Value::Tuple(_) => Value::tuple(values.collect()),
        _ => values.next().unwrap_or(Value::None),
    })
}

/// What backward must know of the outputs, all in order.
struct Parts {
    flows: Vec<bool>,
    shapes: Vec<Vec<usize>>,
    dtypes: Vec<Dtype>,
}

/// The operation that is recorded.
fn operation(
    call: &Call,
    ctx: &Rc<Context>,
    tensors: &[Variable],
    value: Tensor,
    parts: Parts,
) -> Written {
    let saved = ctx.saved.borrow();
    let is_saved = |t: &Variable| {
        let same = |s: &Saved| matches!(s, Saved::Value(Value::Tensor(k)) if k.same(t));
        saved.iter().any(same)
    };
    let mask =
        (0u8..8).zip(tensors).filter(|(_, t)| is_saved(t)).fold(0, |mask, (k, _)| mask | 1 << k);
    let (again, back) = (call.clone(), call.clone());
    let ctx_of_backward = Rc::clone(ctx);
    Written {
        grad_fn: call.name,
        forward: Rc::new(move |inputs| again.again(inputs)),
        backward: Rc::new(move |g| backward(&back, &ctx_of_backward, g, &parts)),
        inputs: tensors.iter().map(Variable::value).collect(),
        value,
        saves: match (mask, saved.is_empty()) {
            (0, true) => Saves::Nothing,
            (0, false) => Saves::Aside,
            (mask, _) => Saves::Inputs(mask),
        },
        method: Cell::new(None),
    }
}

/// Runs the program's backward.
fn backward(
    call: &Call,
    ctx: &Rc<Context>,
    gradient: Option<&Variable>,
    parts: &Parts,
) -> Outcome<Vec<Option<Variable>>> {
    let shapes: Vec<Vec<usize>> = parts
        .shapes
        .iter()
        .zip(&parts.flows)
        .filter(|(_, f)| **f)
        .map(|(s, _)| s.clone())
        .collect();
    let flowing = match (gradient, shapes.len()) {
        (None, _) => Vec::new(),
        (Some(gradient), 1) => vec![gradient.clone()],
        (Some(gradient), _) => unpacked(gradient, &shapes, "SplitBackward0")?,
    };
    let mut flowing = flowing.into_iter();
    let mut gradients = Vec::with_capacity(parts.flows.len());
    for ((flows, own), dtype) in parts.flows.iter().zip(&parts.shapes).zip(&parts.dtypes) {
        let arrived = if *flows { flowing.next() } else { None };
        let nothing = |g: &Variable| g.value().data().iter().all(|v| *v == 0.0);
        gradients.push(match arrived {
            // Of several outputs the unused ones got zeros.
            Some(g) if ctx.materialize.get() || parts.flows.len() == 1 || !nothing(&g) => {
                Value::Tensor(g)
            }
            None if ctx.materialize.get() => {
                Value::Tensor(Variable::constant(Tensor::filled(own, 0.0, *dtype)?))
            }
            _ => Value::None,
        });
    }
    let returned = call_back::borrowed(|machine| {
        let function = machine.get_attr(&call.class, Symbol::new("backward"))?;
        let ctx = Value::Object(Rc::clone(ctx) as Rc<dyn Object>);
        let all = std::iter::once(ctx).chain(gradients);
        machine.call_with(&function, all.collect(), &call.site)
    })?;
    let mut items = match &returned {
        Value::Tuple(t) => t.items.clone(),
        one => vec![one.clone()],
    };
    let complaint = |text: String| Err(Complaint::new(Kind::Runtime, text));
    // More than enough, if the rest is None.
    while items.len() > call.args.len() && items.last().is_some_and(Value::is_none) {
        items.pop();
    }
    if items.len() != call.args.len() {
        return complaint(format!(
            "function {} returned an incorrect number of gradients (expected {}, got {})",
            call.name,
            call.args.len(),
            items.len()
        ));
    }
    let mut all = Vec::new();
    for (k, (arg, item)) in call.args.iter().zip(items).enumerate() {
        let Value::Tensor(input) = arg else { continue };
        all.push(match item {
            Value::None => None,
            Value::Tensor(g) if g.shape() == input.shape() => Some(g),
            Value::Tensor(g) => {
                let (own, got) = (input.shape(), g.shape());
                if shape::broadcast(&own, &got).ok().as_ref() != Some(&got) {
                    return complaint(format!(
                        "Function {} returned an invalid gradient at index {k} - got {got:?} but expected shape compatible with {own:?}",
                        call.name
                    ));
                }
                Some(g.collapse(&own))
            }
            other => {
                return Err(Complaint::new(
                    Kind::Type,
                    format!(
                        "expected Variable or None (got {})",
                        name_of(&other)
                    ),
                ));
            }
        });
    }
    Ok(all)
}
