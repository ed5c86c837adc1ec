//! `torch.autograd.gradcheck` and `gradgradcheck`: backward against central differences with one step,
//! as PyTorch compares them and in its words. (`gradcheck(y, x)` at the prompt and `:check` control
//! the step.)

use crate::func::products::tangent;
use crate::func::transforms::{pullback, recorded};
use crate::func::tree;
use crate::func::tree::flatten;
use std::rc::Rc;
use vjp_binder::Given;
use vjp_eval::display::python::repr;
use vjp_eval::library::builtins;
use vjp_eval::values::value::List;
use vjp_eval::{Args, At, Halt, Machine, Site, Tried, Value, leaf, name_of, raise};
use vjp_maths::Variable;
use vjp_maths::autodiff::grad_mode::with_grad;
use vjp_maths::autodiff::reverse::{SweepOptions, sweep};
use vjp_tensor::{Kind, Tensor, torch_messages};
use vjp_text::digits::lone;
use vjp_torch::random::draws_single;
use vjp_torch::random_fill::{normal_numbers, uniform_numbers};

builtins! {
    /// Of `torch.autograd`.
    pub static BUILTINS in "torch.autograd";
    "gradcheck" "(func, inputs, *, eps=1e-06, atol=1e-05, rtol=0.001, bool raise_exception=True, nondet_tol=0.0, check_undefined_grad=True, check_grad_dtypes=False, check_batched_grad=False, check_batched_forward_grad=False, check_forward_ad=False, check_backward_ad=True, fast_mode=False, masked=None)" check, "Compares backward with central differences; returns True if they agree.";
    "gradgradcheck" "(func, inputs, grad_outputs=None, *, eps=1e-06, atol=1e-05, rtol=0.001, gen_non_contig_grad_outputs=False, bool raise_exception=True, nondet_tol=0.0, check_undefined_grad=True, check_grad_dtypes=False, check_batched_grad=False, check_fwd_over_rev=False, check_rev_over_rev=True, fast_mode=False, masked=False)" check_twice, "Compares second derivatives with central differences.";
}

/// What is checked: a function of the program, or its gradients as a function of inputs and cotangents.
enum Checked<'a> {
    Function(&'a Value),
    Gradients { function: &'a Value, inputs: usize },
}

impl Checked<'_> {
    /// The tensors it gives.
    fn call(&self, machine: &mut Machine, inputs: &[Value], site: &Site) -> Tried<Vec<Variable>> {
        match self {
            Checked::Function(f) => outputs(machine, f, inputs, site),
            Checked::Gradients { function, inputs: n } => {
                let (own, cotangents) = inputs.split_at(*n);
                let ys = outputs(machine, function, own, site)?;
                let xs: Vec<Variable> = tracked(own);
                let vs = cotangents.iter().filter_map(|v| match v {
                    Value::Tensor(t) => Some(t.clone()),
                    _ => None,
                });
                let roots: Vec<_> =
                    ys.into_iter().filter(Variable::requires_grad).zip(vs).collect();
                let options = SweepOptions {
                    create_graph: true,
                    retain_graph: true,
                    inputs: Some(&xs),
                    ..SweepOptions::default()
                };
                let found = vjp_eval::language::machine::call_back::lend(machine, || {
                    sweep(&roots, options)
                })?;
                Ok(found.inputs.into_iter().flatten().collect())
            }
        }
    }
}

fn outputs(
    machine: &mut Machine,
    function: &Value,
    inputs: &[Value],
    site: &Site,
) -> Tried<Vec<Variable>> {
    let call = Args::new(inputs.to_vec(), site.clone());
    let result = recorded(machine, function, call)?;
    let (leaves, _) = flatten(machine, &result)?;
    let mut all = Vec::with_capacity(leaves.len());
    for leaf in &leaves {
        match tree::tensor(machine, leaf) {
            Ok(t) => all.push(t),
            Err(_) if machine.strict() => {
                let class = name_of(leaf);
                raise!(Kind::Attribute, "'{class}' object has no attribute 'requires_grad'");
            }
            Err(_) => {}
        }
    }
    Ok(all)
}

fn tracked(inputs: &[Value]) -> Vec<Variable> {
    let tensors = inputs.iter().filter_map(|v| match v {
        Value::Tensor(t) if t.requires_grad() => Some(t.clone()),
        _ => None,
    });
    tensors.collect()
}

/// How it is compared.
struct Tolerance {
    eps: f64,
    atol: f64,
    rtol: f64,
    /// Which modes are compared.
    forward: bool,
    backward: bool,
}

fn asked(g: &Given, forward: &str, backward: &str) -> Tried<Tolerance> {
    Ok(Tolerance {
        eps: g.float("eps")?.unwrap_or(1e-6),
        atol: g.float("atol")?.unwrap_or(1e-5),
        rtol: g.float("rtol")?.unwrap_or(1e-3),
        forward: g.bool(forward)?,
        backward: g.bool(backward)?,
    })
}

/// One tensor or a sequence of values; outside strict a list or number that is a leaf is its tensor.
fn inputs_of(machine: &mut Machine, value: &Value) -> Tried<Vec<Value>> {
    let all = match value {
        Value::Tuple(t) => t.items.clone(),
        Value::List(l) if machine.strict() || !is_vector(l) => l.items.borrow().to_vec(),
        one if machine.strict() => vec![one.clone()],
        one => vec![Value::Tensor(tree::tensor(machine, one)?)],
    };
    if machine.strict() {
        return Ok(all);
    }
    let is_leaf = |v: &Value| match v {
        Value::List(l) => is_vector(l),
        other => matches!(other, Value::Number(_)),
    };
    let tensor = |v: Value| match is_leaf(&v) {
        true => Ok(Value::Tensor(leaf::stacked(&v)?)),
        false => Ok(v),
    };
    all.into_iter().map(tensor).collect()
}

/// Whether a list of numbers is meant as one vector: lists that are leaves of their own stand in no vector.
fn is_vector(list: &Rc<List>) -> bool {
    list.numeric.get()
        && !list
            .items
            .borrow()
            .iter()
            .any(|v| leaf::existing(v).is_some_and(|t| t.is_leaf() && t.requires_grad()))
}

fn check(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let raw = |k: usize| g.raw(k).unwrap_or(Value::None);
    let inputs = inputs_of(machine, &raw(1))?;
    let function = raw(0);
    let checked = Checked::Function(&function);
    let how = asked(&g, "check_forward_ad", "check_backward_ad")?;
    let found = compare(machine, &checked, &inputs, &how, &g.site);
    draw_for_batches(machine, &checked, &inputs, &g)?;
    verdict(found, g.bool("raise_exception")?)
}

fn check_twice(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let raw = |k: usize| g.raw(k).unwrap_or(Value::None);
    let function = raw(0);
    let mut inputs = inputs_of(machine, &raw(1))?;
    let own = inputs.len();
    match g.value("grad_outputs") {
        Some(given) => inputs.extend(inputs_of(machine, &given)?),
        None => {
            // PyTorch draws them, and what a program draws later follows these.
            for y in outputs(machine, &function, &inputs, &g.site)? {
                if y.requires_grad() {
                    let single = draws_single(machine, y.dtype());
                    // Of one that is not contiguous every other number is left out.
                    let apart = y.numel() > 1 && g.bool("gen_non_contig_grad_outputs")?;
                    let each = 1 + usize::from(apart);
                    let drawn = uniform_numbers(each * y.numel(), single, -1.0, 1.0);
                    let drawn = drawn.at(g.site.span)?.into_iter();
                    let data = drawn.skip(each - 1).step_by(each).collect();
                    let v = Tensor::new(&y.shape(), data).with_dtype(y.dtype());
                    inputs.push(Value::Tensor(Variable::leaf(v)));
                }
            }
        }
    }
    let checked = Checked::Gradients { function: &function, inputs: own };
    let how = asked(&g, "check_fwd_over_rev", "check_rev_over_rev")?;
    let found = compare(machine, &checked, &inputs, &how, &g.site);
    draw_for_batches(machine, &checked, &inputs, &g)?;
    verdict(found, g.bool("raise_exception")?)
}

/// Draws what PyTorch draws to try batches of cotangents and of tangents.
fn draw_for_batches(
    machine: &mut Machine,
    checked: &Checked,
    inputs: &[Value],
    g: &Given,
) -> Tried<()> {
    let mut like = Vec::new();
    if g.bool("check_batched_forward_grad")? {
        like.extend(tracked(inputs));
    }
    if g.bool("check_batched_grad")? {
        like.extend(checked.call(machine, inputs, &g.site)?);
    }
    for t in like {
        for _ in 0..2 {
            normal_numbers(&t, draws_single(machine, t.dtype()), 0.0, 1.0)?;
        }
    }
    Ok(())
}

/// With `raise_exception=False` a difference is False.
fn verdict(found: Tried<()>, raises: bool) -> Tried<Value> {
    match found {
        Ok(()) => Ok(Value::Bool(true)),
        Err(halt) if !raises && halt.kind() == Kind::Gradcheck => Ok(Value::Bool(false)),
        Err(halt) => Err(halt),
    }
}

fn compare(
    machine: &mut Machine,
    checked: &Checked,
    inputs: &[Value],
    how: &Tolerance,
    site: &Site,
) -> Tried<()> {
    let xs = tracked(inputs);
    if xs.is_empty() {
        raise!(
            Kind::Value,
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
        );
    }
    for (k, v) in inputs.iter().enumerate() {
        let Value::Tensor(x) = v else { continue };
        let layout = x.layout();
        let repeats =
            layout.strides.iter().zip(&layout.shape).any(|(step, n)| *step == 0 && *n > 1);
        if x.requires_grad() && repeats {
            raise!(
                "The {k}th input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping to be able to compute the numerical gradients correctly. You should call .contiguous on the input before passing it to gradcheck."
            );
        }
    }
    let ys = checked.call(machine, inputs, site)?;
    let none = !ys.iter().any(Variable::requires_grad);
    for (input, x) in xs.iter().enumerate() {
        let numerical = differences(machine, checked, inputs, x, &ys, how.eps, site)?;
        for (output, (y, numerical)) in ys.iter().zip(&numerical).enumerate() {
            if !y.requires_grad() {
                // What has no gradient is looked at only where nothing has; whole numbers never.
                if none && y.dtype().is_float() && numerical.data().iter().any(|d| *d != 0.0) {
                    raise!(Kind::Gradcheck, "Numerical gradient for function expected to be zero");
                }
                continue;
            }
            let mut modes: Vec<(Mode, Tensor)> = Vec::new();
            if how.backward {
                modes.push((Mode::Reverse, backward(machine, y, x)?));
            }
            if how.forward {
                modes.push((Mode::Forward, forward(machine, y, x)?));
            }
            for (mode, analytical) in &modes {
                agree(machine, (output, y), (input, x), (*mode, analytical), numerical, how)?;
            }
        }
    }
    Ok(())
}

/// By what a derivative was computed.
#[derive(Clone, Copy)]
enum Mode {
    Reverse,
    Forward,
}

/// Compares what one mode says with the differences.
fn agree(
    machine: &mut Machine,
    (output, y): (usize, &Variable),
    (input, x): (usize, &Variable),
    (mode, analytical): (Mode, &Tensor),
    numerical: &Tensor,
    how: &Tolerance,
) -> Tried<()> {
    let off = |(a, n): (&f64, &f64)| (a - n).abs() > how.atol + how.rtol * n.abs();
    let near = |(a, n): (&f64, &f64)| a == n || !(off((a, n)) || (a - n).is_nan());
    if analytical.data().iter().zip(numerical.data()).all(near) {
        return Ok(());
    }
    let shown = |machine: &mut Machine, t: &Tensor| {
        repr(machine, &Value::Tensor(Variable::constant(t.clone())))
    };
    let (what, by) = match mode {
        Mode::Reverse => ("Jacobian mismatch", "backward"),
        Mode::Forward => ("Jacobian computed with forward mode mismatch", "forward mode"),
    };
    let mut halt = Halt::new(
        Kind::Gradcheck,
        format!(
            "{what} for output {output} with respect to input {input},\nnumerical:{}\nanalytical:{}\n",
            shown(machine, numerical)?,
            shown(machine, analytical)?
        ),
    );
    halt.told().label = worst(y, x, analytical, numerical, by);
    Err(halt)
}

/// The entry that is furthest off, in words.
fn worst(
    y: &Variable,
    x: &Variable,
    analytical: &Tensor,
    numerical: &Tensor,
    by: &str,
) -> Option<String> {
    let pairs = analytical.data().iter().zip(numerical.data());
    let (at, (a, n)) = pairs
        .enumerate()
        .max_by(|(_, (a, n)), (_, (b, m))| (*a - *n).abs().total_cmp(&(*b - *m).abs()))?;
    let rows = y.numel().max(1);
    let place = |what: &str, shape: &[usize], at: usize| {
        let name =
            vjp_maths::symbol::Leaf { shared: false, name: what.to_owned(), shape: shape.to_vec() };
        vjp_maths::symbol::names::variable(&name, at, vjp_maths::symbol::formula::Style::Code)
    };
    // As many digits as tell them apart.
    let told = (4..=17).map(|digits| [a, n].map(|x| lone(*x, Some(digits))));
    let [a, n] = told.clone().find(|[a, n]| a != n).or_else(|| told.clone().next_back())?;
    Some(format!(
        "largest disagreement: the derivative of {1} by {0} is {n} by differences and {a} by {by}",
        place("input", &x.shape(), at / rows),
        place("output", &y.shape(), at % rows),
    ))
}

/// Jᵀ of each output by differences: a row for each element of x.
fn differences(
    machine: &mut Machine,
    checked: &Checked,
    inputs: &[Value],
    x: &Variable,
    ys: &[Variable],
    eps: f64,
    site: &Site,
) -> Tried<Vec<Tensor>> {
    let (original, count) = (x.value(), ys.len());
    let mut rows: Vec<Vec<f64>> = vec![Vec::new(); count];
    let mut widths = vec![0; count];
    for j in 0..original.numel() {
        let at = |machine: &mut Machine, by: f64| -> Tried<Vec<Variable>> {
            let mut moved = original.clone();
            moved.data_mut()[j] += by;
            let moved = moved.to_dtype(original.dtype());
            let inputs: Vec<Value> = inputs
                .iter()
                .map(|v| match v {
                    Value::Tensor(t) if t.same(x) => Value::Tensor(Variable::leaf(moved.clone())),
                    other => other.clone(),
                })
                .collect();
            checked.call(machine, &inputs, site)
        };
        let (below, above) = (at(machine, -eps)?, at(machine, eps)?);
        for (k, (a, b)) in above.iter().zip(&below).enumerate().take(count) {
            let (a, b) = (a.value(), b.value());
            if a.shape() != ys[k].value().shape() || b.shape() != a.shape() {
                raise!(
                    Kind::Gradcheck,
                    "output {k} has another shape each time the function is called"
                );
            }
            widths[k] = a.numel();
            let slopes = a.data().iter().zip(b.data());
            rows[k].extend(slopes.map(|(a, b)| (a - b) / (2.0 * eps)));
        }
    }
    let n = original.numel();
    let tensors = rows.into_iter().zip(widths);
    Ok(tensors
        .map(|(data, width)| Tensor::new(&[n, width], data).with_dtype(original.dtype()))
        .collect())
}

/// Jᵀ by tangents: a row for each element of x.
fn forward(machine: &mut Machine, y: &Variable, x: &Variable) -> Tried<Tensor> {
    let (rows, columns) = (x.numel(), y.numel());
    let mut data = Vec::with_capacity(rows * columns);
    for i in 0..rows {
        let mut unit = vec![0.0; rows];
        unit[i] = 1.0;
        let u = Variable::constant(Tensor::new(&x.shape(), unit).with_dtype(x.dtype()));
        let (x, u) = (std::slice::from_ref(x), std::slice::from_ref(&u));
        data.extend_from_slice(tangent(machine, y, x, u)?.value().data());
    }
    Ok(Tensor::new(&[rows, columns], data).with_dtype(x.dtype()))
}

/// Jᵀ by sweeps: a column for each element of y.
fn backward(machine: &mut Machine, y: &Variable, x: &Variable) -> Tried<Tensor> {
    let (rows, columns) = (x.numel(), y.numel());
    let mut data = vec![0.0; rows * columns];
    for i in 0..columns {
        let mut unit = vec![0.0; columns];
        unit[i] = 1.0;
        let v = Variable::constant(Tensor::new(&y.shape(), unit).with_dtype(y.dtype()));
        let found = with_grad(false, || pullback(machine, y, &v, std::slice::from_ref(x), false))?;
        let found = found[0].value();
        // The program gave x another shape since y was computed.
        if found.numel() != rows {
            return Err(torch_messages::gradient_assigned(found.shape(), &x.shape()).into());
        }
        for (j, g) in found.data().iter().enumerate() {
            data[j * columns + i] = *g;
        }
    }
    Ok(Tensor::new(&[rows, columns], data).with_dtype(x.dtype()))
}

/// The module `torch.autograd.gradcheck`.
pub fn contents() -> Vec<(&'static str, Value)> {
    let mut all = vjp_eval::library::values(BUILTINS);
    let error = vjp_eval::language::exception::classes::exception_class(Kind::Gradcheck);
    all.push(("GradcheckError", error));
    all
}
