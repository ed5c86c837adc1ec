//! `torch.autograd.Function`: operations whose forward and backward code a program writes.

use crate::autograd::function_context::Context;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use vjp_eval::language::machine::call_back::{self, lend};
use vjp_eval::{Args, At, Builtin, Machine, Object, Site, Tried, Value, name_of, raise};
use vjp_jacobian::custom_function::Written;
use vjp_maths::autodiff::grad_mode::{is_grad_enabled, is_transforming, with_grad};
use vjp_maths::autodiff::reverse::fitted;
use vjp_maths::composite::part;
use vjp_maths::observe::order;
use vjp_maths::primitives::fixed::element_map;
use vjp_maths::{Fixed, Saves, Variable, apply};
use vjp_ops::arrange::{join, layout};
use vjp_ops::batched;
use vjp_syntax::ast::ParamKind;
use vjp_tensor::{
    Complaint, Dtype, Kind, Outcome, Tensor, random, shape, source_place, torch_messages,
};
use vjp_text::Symbol;
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
    Builtin {
        name: "__init__",
        module: "torch.autograd.Function",
        signature: "(self, *args)",
        help: "Makes an object of the class, which is of no use: call apply on the class.",
        jax: "",
        run: |_, _| Ok(Value::None),
    },
    Builtin {
        name: "__call__",
        module: "torch.autograd.Function",
        signature: "(self, *args)",
        help: "Raises an error: call apply on the class.",
        jax: "",
        run: called,
    },
];

fn called(_: &mut Machine, args: Args) -> Tried<Value> {
    let class = args.positional.first().map_or_else(String::new, name_of);
    let text = "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd function with static forward method. (Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)";
    let apply = format!("call apply on the class: {class}.apply(…)");
    Err(Complaint::new(Kind::Runtime, text).hint(apply).into())
}

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
    fn forward(&self, machine: &mut Machine, ctx: &Rc<Context>, args: Vec<Value>) -> Tried<Value> {
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
        let outputs = Outputs::of(&result?, &ctx)?;
        packed(&outputs.flowing().collect::<Vec<_>>())
    }
}

/// What forward returned.
struct Outputs {
    /// Each with its tensor, where it is one, and whether gradients flow to it.
    all: Vec<(Value, Option<Variable>, bool)>,
}

impl Outputs {
    fn of(value: &Value, ctx: &Context) -> Outcome<Outputs> {
        let items = match value {
            Value::Tuple(t) => t.items.as_slice(),
            one => std::slice::from_ref(one),
        };
        let constant = ctx.constant()?;
        let output = |item: &Value| {
            let Value::Tensor(t) = item else { return (item.clone(), None, false) };
            let flows = t.dtype().is_float() && !constant.iter().any(|c| c.same(t));
            (item.clone(), Some(t.clone()), flows)
        };
        Ok(Outputs { all: items.iter().map(output).collect() })
    }

    /// Those that gradients flow to.
    fn flowing(&self) -> impl Iterator<Item = Variable> {
        self.all.iter().filter(|(_, _, flows)| *flows).filter_map(|(_, t, _)| t.clone())
    }

    /// With the tensors that are given out in place of those that forward returned.
    fn given_out(
        self,
        like: &Value,
        mut give: impl FnMut(Variable, bool) -> Outcome<Variable>,
    ) -> Outcome<Value> {
        let value = |(value, tensor, flows): (Value, Option<Variable>, bool)| {
            tensor.map_or(Ok(value), |t| give(t, flows).map(Value::Tensor))
        };
        let mut values = self.all.into_iter().map(value).collect::<Outcome<Vec<Value>>>()?;
        Ok(match like {
            Value::Tuple(_) => Value::tuple(values),
            _ => values.pop().unwrap_or(Value::None),
        })
    }
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

/// The arguments of forward, those given by keyword in their places; `whole`: with its defaults too.
fn arguments(forward: &Value, args: &mut Args, whole: bool) -> Tried<Vec<Value>> {
    let mut all = std::mem::take(&mut args.positional);
    let named = std::mem::take(&mut args.named);
    let Value::Function(function) = forward else { return Ok(all) };
    if named.is_empty() && !whole {
        return Ok(all);
    }
    let places = function.code.params.list.iter().zip(&function.defaults);
    let places = places
        .skip(usize::from(!whole))
        .filter(|(p, _)| matches!(p.kind, ParamKind::PositionalOnly | ParamKind::Normal));
    let places: Vec<_> = places.collect();
    let known = |word: Symbol| places.iter().position(|(p, _)| p.name.symbol == word);
    let begins = if whole { "" } else { "forward() " };
    for (word, _) in &named {
        match known(*word) {
            None => raise!(Kind::Type, "{begins}got an unexpected keyword argument '{word}'"),
            Some(at) if at < all.len() => raise!(
                Kind::Type,
                "{}multiple values for argument '{word}'",
                if whole { "" } else { "forward() got " }
            ),
            Some(_) => {}
        }
    }
    let last = named.iter().filter_map(|(word, _)| known(*word)).max();
    let end = if whole { places.len() } else { last.map_or(0, |at| at + 1) };
    for (at, &(param, usual)) in places.iter().enumerate().take(end).skip(all.len()) {
        let word = param.name.symbol;
        let given = named.iter().find(|(n, _)| *n == word).map(|(_, v)| v.clone());
        match given.or_else(|| usual.clone().filter(|_| whole)) {
            Some(value) => all.push(value),
            None if whole => raise!(Kind::Type, "missing a required argument: '{word}'"),
            None => {
                raise!(Kind::Type, "forward() missing required argument: '{word}' (position {at})")
            }
        }
    }
    Ok(all)
}

fn applied(machine: &mut Machine, mut args: Args) -> Tried<Value> {
    let span = args.site.span;
    let class = args.positional.remove(0);
    let Value::Class(c) = &class else {
        raise!("apply() needs a class derived from torch.autograd.Function");
    };
    let name = kept(format!("{}Backward", c.name));
    let forward = machine.get_attr(&class, Symbol::new("forward"))?;
    let whole = machine.find_attr(&class, Symbol::new("setup_context"))?.is_some();
    if machine.strict() && is_transforming() {
        transformable(machine, (&class, c.name), whole, &args)?;
    }
    let mut positional = arguments(&forward, &mut args, whole)?;
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
    // What comes of it stands where it is called, not where forward ended.
    let place = source_place::now();
    let given = with_grad(false, || call.forward(machine, &ctx, call.args.clone()))?;
    source_place::set(place);
    let outputs = Outputs::of(&given, &ctx).at(span)?;
    let dirty = dirty(&ctx, &outputs, &tensors).at(span)?;
    let is_input = |t: &Variable| tensors.iter().any(|x| x.same(t));
    let constant = |t: Variable| -> Outcome<Variable> {
        let (input, written) = (is_input(&t), dirty.iter().any(|d| d.same(&t)));
        if !t.requires_grad() {
            return Ok(match input && !written {
                true => Variable::given_by_function(&t, None),
                false => t,
            });
        }
        if input {
            return Ok(t.detach());
        }
        if t.base().is_none() {
            t.detach_in_place()?;
        }
        Ok(t)
    };
    let raw: Vec<Variable> = match recorded {
        true => outputs.flowing().collect(),
        false => Vec::new(),
    };
    let to_save = if recorded { ctx.to_save().at(span)? } else { Vec::new() };
    if raw.is_empty() {
        return outputs.given_out(&given, |t, _| constant(t)).at(span);
    }
    let packs = with_grad(false, || packed(&raw)).at(span)?;
    let shapes: Vec<Vec<usize>> = raw.iter().map(Variable::shape).collect();
    let parts = Rc::new(Parts::of(&outputs));
    order::watch();
    let mut op = operation(&call, &ctx, (&tensors, &to_save, &raw), packs.value(), &parts);
    // Under strict the lack of one is an error once tangents come.
    if machine.strict() || machine.find_attr(&class, Symbol::new("jvp"))?.is_some() {
        let (call, ctx) = (call.clone(), Rc::clone(&ctx));
        op.jvp = Some(Rc::new(move |tangents| jvp(&call, &ctx, tangents, &parts)));
    }
    let packs = apply(Rc::new(op), &tensors).at(span)?;
    let node = packs.node();
    let mut made = match shapes.len() {
        1 => vec![packs],
        _ => unpacked(&packs, &shapes, name).at(span)?,
    };
    for (k, (raw, made)) in raw.iter().zip(made.iter_mut()).enumerate() {
        if dirty.iter().any(|d| d.same(raw)) && is_input(raw) {
            // What forward wrote in place goes on from here itself.
            raw.update(made).at(span)?;
            *made = raw.clone();
        } else if is_input(raw) {
            *made = Variable::given_by_function(raw, made.node());
        } else {
            raw.becomes_output(made.node(), k);
            *made = raw.clone();
        }
    }
    lend(machine, || ctx.save(&to_save, &made, node)).at(span)?;
    let mut made = made.into_iter();
    let give = |t: Variable, flows: bool| match flows.then(|| made.next()).flatten() {
        Some(made) => Ok(made),
        None => constant(t),
    };
    outputs.given_out(&given, give).at(span)
}

/// Refuses what PyTorch does not transform: a Function whose forward has ctx, or, of samples of a
/// batch, one that says nothing of batches.
fn transformable(
    machine: &mut Machine,
    (class, name): (&Value, Symbol),
    whole: bool,
    args: &Args,
) -> Tried<()> {
    if !whole {
        raise!(
            "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it must override the setup_context staticmethod. For more details, please see https://pytorch.org/docs/main/notes/extending.func.html"
        );
    }
    let is_sample = |v: &Value| matches!(v, Value::Tensor(t) if batched::is_batched(t));
    if args.positional.iter().any(is_sample) {
        let generates = machine.find_attr(class, Symbol::new("generate_vmap_rule"))?;
        let generates = generates.map(|g| machine.truth(&g)).transpose()?.unwrap_or(false);
        if !generates && machine.find_attr(class, Symbol::new("vmap"))?.is_none() {
            raise!(
                "You tried to vmap over {name}, but it does not have vmap support. Please override and implement the vmap staticmethod or set generate_vmap_rule=True. For more details, please see https://pytorch.org/docs/main/notes/extending.func.html"
            );
        }
    }
    Ok(())
}

/// The inputs that forward says it wrote in place.
fn dirty(ctx: &Context, outputs: &Outputs, inputs: &[Variable]) -> Outcome<Vec<Variable>> {
    let dirty = ctx.dirty()?;
    let returned =
        |d: &Variable| outputs.all.iter().any(|(_, t, _)| t.as_ref().is_some_and(|t| t.same(d)));
    if !dirty.iter().all(returned) {
        vjp_tensor::complain!(
            "Some elements marked as dirty during the forward method were not returned as output. The inputs that are modified inplace must all be outputs of the Function."
        );
    }
    for d in &dirty {
        if !inputs.iter().any(|x| x.same(d)) {
            vjp_tensor::warnings::warn(
                "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been mutated should be passed to ctx.mark_dirty().",
            );
        } else if is_grad_enabled() && d.is_leaf() && d.requires_grad() && d.base().is_none() {
            vjp_tensor::complain!(
                "a leaf Variable that requires grad has been used in an in-place operation."
            );
        }
    }
    Ok(dirty)
}

/// What backward must know of the outputs, all in order: whether gradients flow to each, and of tensors the
/// shape and type.
struct Parts(Vec<Part>);

/// Whether a gradient flows there, and the shape and type of a tensor.
type Part = (bool, Option<(Vec<usize>, Dtype)>);

impl Parts {
    fn of(outputs: &Outputs) -> Parts {
        let part = |(_, t, flows): &(Value, Option<Variable>, bool)| {
            (*flows, t.as_ref().map(|t| (t.shape(), t.dtype())))
        };
        Parts(outputs.all.iter().map(part).collect())
    }
}

/// The operation that is recorded, of tensors that were given, are saved, and came out.
fn operation(
    call: &Call,
    ctx: &Rc<Context>,
    (tensors, saved, outputs): (&[Variable], &[Option<Variable>], &[Variable]),
    value: Tensor,
    parts: &Rc<Parts>,
) -> Written {
    let is_saved = |t: &Variable| saved.iter().flatten().any(|s| s.same(t));
    let mask =
        (0u8..8).zip(tensors).filter(|(_, t)| is_saved(t)).fold(0, |mask, (k, _)| mask | 1 << k);
    let output = matches!(outputs, [one] if is_saved(one));
    let (again, back) = (call.clone(), call.clone());
    let (ctx_of_backward, parts) = (Rc::clone(ctx), Rc::clone(parts));
    Written {
        grad_fn: call.name,
        forward: Rc::new(move |inputs| again.again(inputs)),
        backward: Rc::new(move |g| backward(&back, &ctx_of_backward, g, &parts)),
        jvp: None,
        context: Rc::new(Value::Object(Rc::clone(ctx) as Rc<dyn Object>)),
        inputs: tensors.iter().map(Variable::value).collect(),
        value,
        saves: match (mask, output) {
            (0, false) if saved.is_empty() => Saves::Nothing,
            (0, false) => Saves::Aside,
            (mask, false) => Saves::Inputs(mask),
            (mask, true) => Saves::InputsAndOutput(mask),
        },
        method: Cell::new(None),
    }
}

/// Runs the program's jvp.
fn jvp(
    call: &Call,
    ctx: &Rc<Context>,
    tangents: &[Option<&Tensor>],
    parts: &Parts,
) -> Outcome<Tensor> {
    let mut tangents = tangents.iter();
    let mut given = Vec::with_capacity(call.args.len());
    for arg in &call.args {
        let Value::Tensor(input) = arg else {
            given.push(Value::None);
            continue;
        };
        given.push(match tangents.next().copied().flatten() {
            Some(u) => Value::Tensor(Variable::constant(u.clone())),
            None if ctx.materialize.get() => {
                let zeros = Tensor::filled(&input.shape(), 0.0, input.dtype())?;
                Value::Tensor(Variable::constant(zeros))
            }
            None => Value::None,
        });
    }
    let returned = call_back::borrowed(|machine| {
        let Some(function) = machine.find_attr(&call.class, Symbol::new("jvp"))? else {
            raise!(
                Kind::NotImplemented,
                "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
            );
        };
        let all = std::iter::once(Value::Object(Rc::clone(ctx) as Rc<dyn Object>)).chain(given);
        let all = all.collect();
        let run = || machine.call_with(&function, all, &call.site);
        ctx.during_jvp(|| with_grad(false, run))
    })?;
    let items = match &returned {
        Value::Tuple(t) => t.items.as_slice(),
        one => std::slice::from_ref(one),
    };
    let mut moved = Vec::with_capacity(items.len());
    for (k, (flows, part)) in parts.0.iter().enumerate() {
        let (true, Some((own, dtype))) = (flows, part) else { continue };
        moved.push(match items.get(k) {
            Some(Value::Tensor(u)) if u.shape() == *own => u.value(),
            Some(Value::Tensor(u)) => {
                return Err(torch_messages::tangent_shape(own, &u.shape()));
            }
            _ => Tensor::filled(own, 0.0, *dtype)?,
        });
    }
    let moved: Vec<Variable> = moved.into_iter().map(Variable::constant).collect();
    Ok(packed(&moved)?.value())
}

/// Runs the program's backward.
fn backward(
    call: &Call,
    ctx: &Rc<Context>,
    gradient: Option<&Variable>,
    parts: &Parts,
) -> Outcome<Vec<Option<Variable>>> {
    let flowing = parts.0.iter().filter(|(flows, _)| *flows);
    let shapes: Vec<Vec<usize>> =
        flowing.filter_map(|(_, part)| Some(part.as_ref()?.0.clone())).collect();
    let flowing = match (gradient, shapes.len()) {
        (None, _) => Vec::new(),
        (Some(gradient), 1) => vec![gradient.clone()],
        (Some(gradient), _) => unpacked(gradient, &shapes, "SplitBackward0")?,
    };
    let mut flowing = flowing.into_iter();
    let mut gradients = Vec::with_capacity(parts.0.len());
    for (flows, part) in &parts.0 {
        let arrived = if *flows { flowing.next() } else { None };
        let nothing = |g: &Variable| g.value().data().iter().all(|v| *v == 0.0);
        gradients.push(match (arrived, part) {
            // Of several outputs the unused ones got zeros.
            (Some(g), _) if ctx.materialize.get() || shapes.len() == 1 || !nothing(&g) => {
                Value::Tensor(g)
            }
            (None, Some((own, dtype))) if ctx.materialize.get() => {
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
            Value::Tensor(g) => Some(fitted(call.name, k, &g, &input.shape())?),
            other => {
                return Err(Complaint::new(
                    Kind::Runtime,
                    format!("expected Variable or None (got {})", name_of(&other)),
                ));
            }
        });
    }
    Ok(all)
}
