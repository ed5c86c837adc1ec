//! `torch.autograd.grad` and `torch.autograd.functional`.

pub mod function_class;
pub mod function_context;
pub mod functional;
pub mod functional_jacobians;
pub mod gradcheck;

use crate::func::transforms::ones;
use vjp_backward::gradient_argument::{self, names_several};
use vjp_binder::Given;
use vjp_binder::readers::tensor_like;
use vjp_eval::language::exception::raise::NoPath;
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::{Args, At, Builtin, Halt, Machine, Site, Tried, Value, name_of, raise};
use vjp_maths::Variable;
use vjp_maths::autodiff::grad_mode::with_grad;
use vjp_maths::autodiff::reverse::{SweepOptions, sweep};
use vjp_ops::arrange::join::{stack_as, unbind};
use vjp_tensor::{Kind, Tensor, torch_messages};
use vjp_text::words::count;
use vjp_torch::grad_fn::at_edge;

pub static GRAD: Builtin = Builtin {
    name: "grad",
    module: "torch.autograd",
    signature: "(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, allow_unused=None, is_grads_batched=False, materialize_grads=False)",
    help: "Computes vᵀJ of outputs with respect to inputs; leaves every .grad unchanged.",
    jax: "",
    run: grad,
};

const ONLY_INPUTS: &str = "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for other parts of the graph, please use torch.autograd.backward.";

/// A tensor or a sequence of tensors; true: it was a sequence. Where `vectors`, a numeric list is one
/// tensor, whatever it holds.
pub fn several(
    machine: &mut Machine,
    value: &Value,
    vectors: bool,
) -> Tried<(Vec<Variable>, bool)> {
    match value {
        Value::Tensor(t) => return Ok((vec![t.clone()], false)),
        Value::Number(n) => return Ok((vec![n.variable.clone()], false)),
        Value::Instance(_) if let Some(t) = at_edge(machine, value)? => {
            return Ok((vec![t], false));
        }
        Value::List(list)
            if list.numeric.get() && !machine.strict() && (vectors || !names_several(value)) =>
        {
            let t = vjp_eval::leaf::stacked(value)?;
            return Ok((vec![t], false));
        }
        _ => {}
    }
    let mut all = Vec::new();
    for item in machine.collect(value)? {
        if let Some(t) = at_edge(machine, &item)? {
            all.push(t);
            continue;
        }
        let nested = machine.strict() && matches!(item, Value::List(_) | Value::Tuple(_));
        match tensor_like(machine, &item)?.filter(|_| !nested) {
            Some(t) => all.push(t),
            None if machine.strict() => {
                raise!("all inputs have to be Tensors or GradientEdges, but got {}", name_of(&item))
            }
            None => raise!(
                Kind::Type,
                "expected a tensor or a sequence of tensors, got {}",
                name_of(&item)
            ),
        }
    }
    Ok((all, true))
}

/// vᵀJ for given graphs: `torch.autograd.grad`, and `grad(y, x)` at the prompt.
pub fn grad(machine: &mut Machine, args: Args) -> Tried<Value> {
    Ok(Value::tuple(gradients(machine, args, false)?.0))
}

/// The gradients, and whether inputs were a sequence. Where `vectors`, a list of numbers as output is one
/// tensor: `y = [x[0]*x[1], sin(x[0])]; grad(y, x, v)`.
pub fn gradients(machine: &mut Machine, args: Args, vectors: bool) -> Tried<(Vec<Value>, bool)> {
    let span = args.site.span;
    let g = Given::read(args, GRAD.signature, false).at(span)?;
    let span = g.site.span;
    let (ys, _) = several(machine, &g.raw(0).unwrap_or(Value::None), vectors).at(g.site.arg(0))?;
    let (xs, many) = several(machine, &g.raw(1).unwrap_or(Value::None), false).at(g.site.arg(1))?;
    let create = match g.value("create_graph") {
        Some(flag) => vjp_backward::flag(machine, &flag)?,
        None => false,
    };
    let retain = match g.value("retain_graph") {
        Some(flag) => vjp_backward::flag(machine, &flag)?,
        None => create,
    };
    if let Some(false) = g.value("only_inputs").map(|flag| machine.truth(&flag)).transpose()? {
        vjp_tensor::warnings::warn(ONLY_INPUTS);
    }
    let materialize = match g.value("materialize_grads") {
        Some(flag) => machine.truth(&flag)?,
        None => false,
    };
    let unused = match g.value("allow_unused") {
        Some(flag) => machine.truth(&flag)?,
        None => materialize,
    };
    let weights = match g.value("grad_outputs") {
        None => vec![None; ys.len()],
        Some(given) => weights(machine, &given, ys.len())?,
    };
    if xs.is_empty() {
        return Err(torch_messages::no_inputs("grad").into());
    }
    let batched = match g.value("is_grads_batched") {
        Some(flag) => machine.truth(&flag)?,
        None => false,
    };
    let allow_unused = g.value("allow_unused").map(|f| machine.truth(&f));
    if materialize && matches!(allow_unused.transpose()?, Some(false)) {
        raise!(
            Kind::Value,
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        );
    }
    let retain = retain || vjp_ops::batched::goes_on();
    let call = Call { ys: &ys, xs: &xs, create, retain, site: &g.site };
    let found =
        if batched { call.batched(machine, &weights)? } else { call.once(machine, &weights)? };
    let mut all = Vec::with_capacity(xs.len());
    for (k, (x, g)) in xs.iter().zip(found).enumerate() {
        all.push(match g {
            Some(g) => Value::Tensor(g),
            None if materialize => {
                let zeros = Tensor::filled(&x.shape(), 0.0, x.dtype()).at(span)?;
                let made = if create { Variable::leaf } else { Variable::constant };
                Value::Tensor(made(zeros))
            }
            None if unused => Value::None,
            None => raise!(
                "The differentiated Tensor at index {k} appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior."
            ),
        });
    }
    Ok((all, many))
}

/// The gradients of so many outputs; those beyond are not looked at.
fn weights(machine: &mut Machine, given: &Value, outputs: usize) -> Tried<Vec<Option<Variable>>> {
    if !machine.strict() {
        let list = matches!(given, Value::List(_) | Value::Tuple(_));
        let vector = matches!(given, Value::List(l) if l.numeric.get()) && outputs == 1;
        if (vector || !list && !matches!(given, Value::Str(_)))
            && let Some(v) = tensor_like(machine, given)?
        {
            return Ok(vec![Some(v)]);
        }
    }
    let mut all = Vec::new();
    for item in gradient_argument::each(machine, given)?.into_iter().take(outputs) {
        all.push(match item {
            None => None,
            Some(Value::Tensor(v)) => Some(v),
            Some(other) => match tensor_like(machine, &other)?.filter(|_| !machine.strict()) {
                Some(v) => Some(v),
                None => raise!(
                    Kind::Type,
                    "gradients can be either Tensors or None, but got {}",
                    name_of(&other)
                ),
            },
        });
    }
    Ok(all)
}

/// One call of `torch.autograd.grad`, its arguments read.
struct Call<'a> {
    ys: &'a [Variable],
    xs: &'a [Variable],
    create: bool,
    retain: bool,
    site: &'a Site,
}

impl Call<'_> {
    /// vᵀJ for one v of each output; None where no path leads.
    fn once(
        &self,
        machine: &mut Machine,
        weights: &[Option<Variable>],
    ) -> Tried<Vec<Option<Variable>>> {
        let span = self.site.span;
        let mut roots = Vec::with_capacity(self.ys.len());
        for (k, (y, v)) in self.ys.iter().zip(weights).enumerate() {
            let v = match v {
                Some(v) if v.shape() != y.shape() => {
                    return Err(gradient_argument::not_shaped(weights, k, y)).at(span);
                }
                Some(v) => v.clone(),
                None if y.numel() != 1 && y.requires_grad() => {
                    let written = |k: usize, otherwise: &'static str| {
                        let text =
                            self.site.args.get(k).map_or("", |at| self.site.text(*at).trim());
                        if text.is_empty() { otherwise.to_owned() } else { text.to_owned() }
                    };
                    let (of, x) = (written(0, "y"), written(1, "x"));
                    let simple = of.chars().all(|c| c.is_alphanumeric() || "_.[]()".contains(c));
                    let sum = if simple { format!("{of}.sum()") } else { format!("({of}).sum()") };
                    let how = match machine.strict() {
                        true => "grad_outputs gives each a weight".to_owned(),
                        false => format!(
                            "jacobian({of}, {x}) has a row for each, grad({of}, {x}, v) weighs the rows by v, grad({sum}, {x}) adds them"
                        ),
                    };
                    let hint = format!("{of} has {}: {how}", count(y.numel(), "element"));
                    return Err(torch_messages::not_scalar_output().hint(hint)).at(span);
                }
                None => ones(y, self.site)?,
            };
            roots.push((y.clone(), v));
        }
        if weights.len() < self.ys.len() {
            let (ys, vs) = (self.ys.len(), weights.len());
            raise!("got {ys} tensors and {vs} gradients");
        }
        if let Some(k) = self.ys.iter().position(|y| !y.is_reached()) {
            let mut halt = Halt::from(torch_messages::no_grad_fn(k)).place(span);
            if let [y] = self.ys {
                halt.told().no_path = Some(NoPath::of(self.site.arg(0), y));
            }
            return Err(halt);
        }
        if self.xs.iter().any(|x| !x.requires_grad()) {
            raise!("One of the differentiated Tensors does not require grad");
        }
        let options = SweepOptions {
            create_graph: self.create,
            retain_graph: self.retain || !machine.strict(),
            inputs: Some(self.xs),
            strict_free: machine.strict(),
            ..SweepOptions::default()
        };
        let found = lend(machine, || sweep(&roots, options)).at(span)?.inputs;
        if self.create {
            return Ok(found);
        }
        // Its numbers depend on the inputs, though no path says so.
        let from = |g: Variable| self.ys.iter().fold(g, |g, y| g.stepped_from(y));
        Ok(found.into_iter().map(|g| g.map(from)).collect())
    }

    /// `is_grads_batched=True`: a sweep for each slice of the weights, stacked.
    fn batched(
        &self,
        machine: &mut Machine,
        weights: &[Option<Variable>],
    ) -> Tried<Vec<Option<Variable>>> {
        let span = self.site.span;
        let mut slices: Vec<Vec<Option<Variable>>> = Vec::new();
        for (k, (y, v)) in self.ys.iter().zip(weights).enumerate() {
            let Some(v) = v else {
                if y.numel() != 1 {
                    return Err(torch_messages::not_scalar_output()).at(span);
                }
                raise!(
                    Kind::Value,
                    "vmap(vjp, in_dims=0, ...)(<inputs>): Got in_dim=0 for some input, but that input is a Tensor of dimensionality 0 so expected in_dim to satisfy 0 <= in_dim < 0."
                );
            };
            let (have, want) = (v.shape(), y.shape());
            if have.is_empty() {
                raise!(
                    Kind::Index,
                    "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"
                );
            }
            if have[1..] != want {
                raise!(
                    "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension. The sizes of the remaining dimensions are expected to match the shape of corresponding output, but a mismatch was detected: grad_output[{k}] has a shape of {} and output[{k}] has a shape of {}. If you only want some tensors in `grad_output` to be considered batched, consider using vmap.",
                    torch_messages::torch_size(have.get(2..).unwrap_or(&[])),
                    torch_messages::torch_size(&want)
                );
            }
            for (b, part) in
                with_grad(self.create, || unbind(v, 0)).at(span)?.into_iter().enumerate()
            {
                if slices.len() <= b {
                    slices.push(vec![None; weights.len()]);
                }
                slices[b][k] = Some(part);
            }
        }
        let mut rows: Vec<Vec<Variable>> = vec![Vec::new(); self.xs.len()];
        let count = slices.len();
        for (b, slice) in slices.iter().enumerate() {
            let call = Call { retain: self.retain || b + 1 < count, ..*self };
            for (rows, g) in rows.iter_mut().zip(call.once(machine, slice)?) {
                rows.extend(g);
            }
        }
        let mut all = Vec::with_capacity(rows.len());
        for rows in rows {
            all.push(match rows.is_empty() {
                true => None,
                false => {
                    let together = || {
                        let grad_fn = crate::func::vmap::batched_name(&rows, 0);
                        stack_as(&rows, 0, grad_fn)
                    };
                    Some(with_grad(self.create, together).at(span)?)
                }
            });
        }
        Ok(all)
    }
}
