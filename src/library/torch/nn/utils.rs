//! `torch.nn.utils`: gradients kept within bounds.

use vjp_binder::Given;
use vjp_eval::library::builtins;
use vjp_eval::{Args, At, Machine, Tried, Value, leaf, raise};
use vjp_maths::Variable;
use vjp_maths::autodiff::grad_mode::with_grad;
use vjp_tensor::tensor::default_dtype;
use vjp_tensor::{Kind, Outcome, Tensor};

builtins! {
    pub static BUILTINS in "torch.nn.utils";
    "clip_grad_norm_" "(parameters, max_norm, norm_type=2.0, bool error_if_nonfinite=False, foreach=None)" clip_norm, "Scales the gradients down to a total norm; returns the norm before.";
    "clip_grad_value_" "(parameters, clip_value, foreach=None)" clip_value, "Clamps every gradient element to [−clip_value, clip_value].";
}

/// The gradients that there are.
fn gradients(machine: &mut Machine, given: &Given) -> Tried<Vec<Variable>> {
    let items = match given.raw(0) {
        Some(one) if leaf::existing(&one).is_some() => vec![one],
        Some(many) => machine.collect(&many)?,
        None => Vec::new(),
    };
    Ok(items.iter().filter_map(|v| leaf::existing(v)?.grad()).collect())
}

fn bound(given: &Given, name: &str) -> Tried<f64> {
    match given.float(name)? {
        Some(bound) => Ok(bound),
        None => {
            raise!(Kind::Type, "{}() missing 1 required positional argument: '{name}'", given.name)
        }
    }
}

/// p-norm of numbers; p = ∞ is the greatest.
fn norm(values: impl Iterator<Item = f64>, p: f64) -> f64 {
    if p.is_infinite() {
        values.fold(0.0, |top: f64, v| if v.is_nan() { v } else { top.max(v.abs()) })
    } else if p == 2.0 {
        (values.map(|v| v * v).sum::<f64>() + 0.0).sqrt()
    } else {
        values.map(|v| v.abs().powf(p)).sum::<f64>().powf(1.0 / p)
    }
}

fn map(g: &Variable, f: impl Fn(f64) -> f64) -> Outcome<()> {
    let value = g.value();
    let data = value.data().iter().map(|v| g.dtype().cast(f(*v))).collect();
    let new = Tensor::typed(value.shape(), data, g.dtype());
    with_grad(false, || g.update(&Variable::constant(new)))
}

fn clip_norm(machine: &mut Machine, args: Args) -> Tried<Value> {
    let given = Given::of(args)?;
    let most = bound(&given, "max_norm")?;
    let p = match given.value("norm_type") {
        Some(Value::Str(s)) if &*s == "inf" => f64::INFINITY,
        _ => given.float("norm_type")?.unwrap_or(2.0),
    };
    let gradients = gradients(machine, &given)?;
    let dtype = gradients.first().map_or_else(default_dtype, Variable::dtype);
    // The norm of the norms, each of the gradients' type.
    let norms: Vec<f64> =
        gradients.iter().map(|g| dtype.cast(norm(g.value().data().iter().copied(), p))).collect();
    let total = dtype.cast(norm(norms.into_iter(), p));
    if given.bool("error_if_nonfinite")? && !total.is_finite() {
        raise!(
            "The total norm of order {} for gradients from `parameters` is non-finite, so it cannot be clipped. To disable this error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`",
            vjp_eval::display::numpy::python_float(p, vjp_tensor::Dtype::Float64)
        );
    }
    let scale = dtype.cast((most / (total + 1e-6)).min(1.0));
    for g in &gradients {
        map(g, |v| v * scale).at(given.site.span)?;
    }
    Ok(Value::Tensor(Variable::constant(Tensor::typed(&[], vec![total], dtype))))
}

fn clip_value(machine: &mut Machine, args: Args) -> Tried<Value> {
    let given = Given::of(args)?;
    let most = bound(&given, "clip_value")?;
    for g in gradients(machine, &given)? {
        map(&g, |v| {
            if v > most {
                most
            } else if v < -most {
                -most
            } else {
                v
            }
        })
        .at(given.site.span)?;
    }
    Ok(Value::None)
}
