//! Short forms at the prompt that work on graphs: `jacobian(y, x)`, `grad(y, x)`, `zero_grad()` …
//! With a function as first argument they are `torch.autograd.functional`'s.

pub mod short_names;
pub(crate) mod sums_of_leaves;

use vjp_backward::agreement;
use vjp_backward::finite_differences::{gainsaid, jumps};
use vjp_backward::gradient_argument::names_several;
use vjp_binder::readers::tensor_like;
use vjp_eval::language::machine::call_back::{borrowed, lend};
use vjp_eval::library::builtins;
use vjp_eval::{Args, At, Halt, Machine, Note, Tried, Value, name_of, raise};
use vjp_jacobian::Jacobian;
use vjp_jacobian::central_differences::{Difference, central, compare, replay};
use vjp_maths::Variable;
use vjp_maths::autodiff::ancestors;
use vjp_maths::observe::value_reads;
use vjp_maths::symbol::formula::Style;
use vjp_maths::symbol::{Leaf, names};
use vjp_tensor::{Kind, Tensor, torch_messages};
use vjp_transforms::autograd::functional::{FUNCTIONAL, Traced, packed, pushed, trace};
pub use vjp_transforms::autograd::functional_jacobians::of_traced;
use vjp_transforms::autograd::{gradients, several};
use vjp_transforms::func::transforms::{
    Level, Transform, Watching, jacobians, ones, pullback, transform,
};
use vjp_transforms::jacobian::named::derivative;

builtins! {
    pub static BUILTINS in "vjp";
    "jacobian" "(y, x)" |m, a| matrix(m, a, "jacobian"), "J = ∂y/∂x, with shape y.shape + x.shape; y may be a function: jacobian(f, x).\ntry   x = [1, 2]; y = 3*x^2; jacobian(y, x)";
    "hessian" "(y, x)" |m, a| matrix(m, a, "hessian"), "The Hessian (second derivatives) of a scalar y, or of a function: hessian(f, x).\ntry   x = [1, 2]; y = sum(x^3); hessian(y, x)";
    "grad" "(y, x, grad_outputs=None, retain_graph=None, bool create_graph=False, allow_unused=None)" grad, "The gradient of y with respect to x, or vᵀJ with v as third argument; x.grad is unchanged.\ngrad(f, x) is the gradient of f at x, and grad(f) is a function of x.\ntry   f(x) = x^3; grad(f, 2)";
    "vjp" "(y, x, v)" vjp, "vᵀJ: the weighted sum of the rows of J.\ntry   x = [1, 2]; y = 3*x^2; vjp(y, x, [1, 10])";
    "jvp" "(y, x, u)" jvp, "J·u: the change of y when x changes by u.\ntry   x = [1, 2]; y = 3*x^2; jvp(y, x, [1, 0])";
    "gradcheck" "(y, x)" gradcheck, "Compares backward with central differences; returns True if they agree.\ntry   x = [1, 2]; y = 3*x^2; gradcheck(y, x)";
    "zero_grad" "()" zero_grad, "Clears the .grad of every leaf.\ntry   x = 2; y = x^2; y.backward(); zero_grad()";
}

/// Whether the call is meant for `torch.autograd.functional`.
fn of_function(args: &Args) -> bool {
    args.positional.first().is_some_and(|f| {
        matches!(
            f,
            Value::Function(_)
                | Value::Builtin(_)
                | Value::BoundFunction(_)
                | Value::Method(_)
                | Value::Object(_)
        )
    })
}

fn functional(machine: &mut Machine, name: &str, mut args: Args) -> Tried<Value> {
    let Some(builtin) = FUNCTIONAL.iter().find(|b| b.name == name) else {
        raise!("{}() was called without its entry", name);
    };
    args.callee = Some(builtin);
    (builtin.run)(machine, args)
}

/// A call without its y or its x.
fn lacks(machine: &Machine, args: &Args, what: &str) -> Halt {
    let name = args.name();
    let given = args.site.args.first().map_or("y", |a| args.site.text(*a));
    // A leaf that stands alone is what one differentiates with respect to.
    let value = args.positional.first().and_then(vjp_eval::leaf::existing);
    let leaves = value.as_ref().map(ancestors::leaves_of).unwrap_or_default();
    let named = |(_, v): &(String, Value)| {
        let own = vjp_eval::leaf::existing(v);
        own.is_some_and(|own| leaves.iter().any(|leaf| leaf.id() == own.id()))
    };
    let leaf = machine.names().into_iter().find(named).map_or("x".to_owned(), |(name, _)| name);
    let alone = value.is_some_and(|v| v.is_leaf() && v.requires_grad());
    let (y, x) = if alone { ("y", given) } else { (given, leaf.as_str()) };
    Halt::new(Kind::Type, format!("{name}() missing 1 required positional argument: '{what}'"))
        .helped(format!("add the leaf to differentiate with respect to:  {name}({y}, {x})"))
        .place(args.site.span)
}

/// Numbers where the leaf stands: `vjp(y, [1, 10])` forgot x.
fn names_leaf(args: &Args) -> Tried<()> {
    let Some(at) = args.site.args.get(1).copied() else {
        return Ok(());
    };
    let (text, y) = (args.site.text(at).trim(), args.site.text(args.site.arg(0)).trim());
    let name = args.name();
    if !text.starts_with(|c: char| c == '[' || c == '-' || c.is_ascii_digit())
        || y.is_empty()
        || y.starts_with('[')
    {
        return Ok(());
    }
    let with_v = if matches!(name, "vjp" | "jvp") { format!(", {text}") } else { String::new() };
    Err(Halt::new(Kind::Type, format!("{name}(): x must be a leaf that {y} depends on"))
        .helped(format!("name the leaf:  {name}({y}, x{with_v})"))
        .place(at))
}

/// y and x of a call.
fn pair(machine: &mut Machine, args: &Args) -> Tried<(Variable, Variable)> {
    value_reads::lost();
    names_leaf(args)?;
    let mut both = Vec::with_capacity(2);
    for (k, what) in ["y", "x"].iter().enumerate() {
        let named = args.named.iter().find(|(n, _)| n.as_str() == *what).map(|(_, v)| v.clone());
        let Some(value) = args.positional.get(k).cloned().or(named) else {
            return Err(lacks(machine, args, what));
        };
        match tensor_like(machine, &value).at(args.site.arg(k))? {
            Some(t) => both.push(t),
            None => {
                return Err(Halt::new(
                    Kind::Type,
                    format!(
                        "{}(): {what} must be a tensor or a number, not {}",
                        args.name(),
                        name_of(&value)
                    ),
                )
                .place(args.site.arg(k)));
            }
        }
    }
    let x = both.pop().unwrap_or_else(|| Variable::constant(vjp_tensor::Tensor::scalar(0.0)));
    let y = both.pop().unwrap_or_else(|| x.clone());
    Ok((y, x))
}

fn matrix(machine: &mut Machine, args: Args, name: &'static str) -> Tried<Value> {
    let (y, x) = match of_function(&args) {
        true if args.positional.len() == 1
            && !args.named.iter().any(|(n, _)| n.as_str() == "inputs") =>
        {
            return made(machine, if name == "hessian" { name } else { "jacrev" }, args);
        }
        // Options, several inputs: torch.autograd.functional's.
        true if args.positional.len() != 2 || !args.named.is_empty() => {
            return functional(machine, name, args);
        }
        true if matches!(args.positional[1], Value::Tuple(_)) => {
            return functional(machine, name, args);
        }
        true => {
            let (function, x) = (&args.positional[0], &args.positional[1]);
            let traced = vjp_transforms::autograd::functional::trace(
                machine,
                name,
                function,
                x,
                Watching::Itself,
                &args.site,
            )?;
            match (traced.outputs.as_slice(), traced.inputs.as_slice()) {
                ([y], [x]) if !traced.several_inputs && !traced.several_outputs => {
                    (y.clone(), x.clone())
                }
                _ => return of_traced(machine, name, &traced, &args.site),
            }
        }
        false if args.positional.get(1).is_some_and(names_several) => {
            return by_each(machine, &args, name);
        }
        false => pair(machine, &args)?,
    };
    let inputs = std::slice::from_ref(&x);
    let (of, order) = if name == "hessian" {
        if y.numel() != 1 {
            return Err(Halt::new(
                Kind::Runtime,
                format!(
                    "hessian needs a scalar, but {} has {} elements",
                    args.site.args.first().map_or("y", |at| args.site.text(*at).trim()),
                    y.numel()
                ),
            )
            .place(args.site.arg(0)));
        }
        let v = ones(&y, &args.site)?;
        (pullback(machine, &y, &v, inputs, true)?.remove(0), 2)
    } else {
        (y, 1)
    };
    derivative(machine, &args.site, &of, &x, order)
}

/// `jacobian(y, (a, b))`: a matrix for each input; `hessian(y, (a, b))`: for each pair.
fn by_each(machine: &mut Machine, args: &Args, name: &'static str) -> Tried<Value> {
    let (outputs, _) = several(machine, &args.positional[0], true).at(args.site.arg(0))?;
    let (inputs, _) = several(machine, &args.positional[1], false).at(args.site.arg(1))?;
    let (level, several_outputs) = (Level::begin(), false);
    let graph = Traced { inputs, several_inputs: true, outputs, several_outputs, level };
    of_traced(machine, name, &graph, &args.site)
}

/// The function that `torch.func` makes of one: `grad(f)`, `jacobian(f)`, `hessian(f)`.
fn made(machine: &mut Machine, name: &'static str, mut args: Args) -> Tried<Value> {
    let Some(builtin) = vjp_transforms::func::BUILTINS.iter().find(|b| b.name == name) else {
        raise!(Kind::Type, "{name}() missing 1 required positional argument: 'x'")
    };
    let all = args.named.iter().all(|(n, _)| n.as_str() != "argnums");
    args.callee = Some(builtin);
    let made = (builtin.run)(machine, args)?;
    Ok(match all && !machine.strict() {
        true => transform(Transform { name, run: by_first, parts: vec![made] }),
        false => made,
    })
}

/// A function made by `grad(f)`, which is the derivative by the first of several arguments.
fn by_first(machine: &mut Machine, parts: &[Value], args: Args) -> Tried<Value> {
    if args.positional.len() > 1
        && let Value::Object(made) = &parts[0]
        && let Some(Transform { name, .. }) = made.as_any().downcast_ref()
    {
        let places: Vec<String> = (0..args.positional.len()).map(|k| k.to_string()).collect();
        let all = if places.len() == 2 { "both" } else { "all" };
        let places = places.join(", ");
        machine.note(
            "by the first argument",
            Note::plain(format!(
                "{name}(f) differentiates by the first argument; {name}(f, argnums=({places})) by {all}"
            )),
        );
    }
    machine.call(&parts[0], args)
}

/// `grad(f, x)`, `grad(f, x, v)`: what y = f(x) would give.
fn grad_of_function(machine: &mut Machine, mut args: Args) -> Tried<Value> {
    let (func, x) = (&args.positional[0], &args.positional[1]);
    let traced = vjp_transforms::autograd::functional::trace(
        machine,
        "grad",
        func,
        x,
        Watching::Itself,
        &args.site,
    )?;
    let values = |all: Vec<Variable>, several: bool| {
        vjp_transforms::autograd::functional::packed(
            all.into_iter().map(Value::Tensor).collect(),
            several,
        )
    };
    let outputs = values(traced.outputs, traced.several_outputs);
    let inputs = values(traced.inputs, traced.several_inputs);
    args.positional.splice(0..2, [outputs, inputs]);
    let (all, _) = gradients(machine, args, true)?;
    Ok(vjp_transforms::autograd::functional::packed(all, traced.several_inputs))
}

fn grad(machine: &mut Machine, args: Args) -> Tried<Value> {
    if of_function(&args) {
        return match args.positional.len() {
            1 => made(machine, "grad", args),
            _ => grad_of_function(machine, args),
        };
    }
    if args.positional.len() == 1 && args.named.iter().all(|(n, _)| n.as_str() != "inputs") {
        return Err(lacks(machine, &args, "x"));
    }
    let typed = args.site.args.get(1).map_or("", |at| args.site.text(*at).trim());
    if typed.starts_with(|c: char| c.is_ascii_digit()) {
        names_leaf(&args)?;
    }
    let (mut all, many) = gradients(machine, args, true)?;
    Ok(if all.len() == 1 && !many { all.remove(0) } else { Value::tuple(all) })
}

fn weight(machine: &mut Machine, args: &Args, like: &Variable, name: &str) -> Tried<Variable> {
    let given =
        args.positional.get(2).cloned().or_else(|| {
            args.named.iter().find(|(n, _)| n.as_str() == name).map(|(_, v)| v.clone())
        });
    let v = match given {
        Some(value) => match tensor_like(machine, &value)? {
            Some(v) => v,
            None => raise!(
                Kind::Type,
                "{}(): {name} must be a tensor, not {}",
                args.name(),
                name_of(&value)
            ),
        },
        None => ones(like, &args.site)?,
    };
    let (want, got) = (like.shape(), v.shape());
    if want != got {
        return Err(Halt::new(
            Kind::Runtime,
            format!(
                "{name} has invalid size: should be {} but got {}.",
                torch_messages::torch_size(&want),
                torch_messages::torch_size(&got)
            ),
        )
        .place(args.site.arg(2)));
    }
    Ok(v)
}

fn vjp(machine: &mut Machine, args: Args) -> Tried<Value> {
    if of_function(&args) {
        return functional(machine, "vjp", args);
    }
    if let Some((y, xs)) = several_inputs(machine, &args)? {
        let v = weight(machine, &args, &y, "v")?;
        let products = pullback(machine, &y, &v, &xs, false)?;
        return Ok(Value::tuple(products.into_iter().map(Value::Tensor).collect()));
    }
    let (y, x) = pair(machine, &args)?;
    let v = weight(machine, &args, &y, "v")?;
    Ok(Value::Tensor(pullback(machine, &y, &v, &[x], false)?.remove(0)))
}

/// y and the inputs of a call that names several: `vjp(y, (a, b), v)`.
fn several_inputs(machine: &mut Machine, args: &Args) -> Tried<Option<(Variable, Vec<Variable>)>> {
    let [y, inputs, ..] = args.positional.as_slice() else {
        return Ok(None);
    };
    if !names_several(inputs) {
        return Ok(None);
    }
    let y = tensor_like(machine, y).at(args.site.arg(0))?;
    let (xs, _) = several(machine, inputs, false).at(args.site.arg(1))?;
    Ok(y.map(|y| (y, xs)))
}

fn jvp(machine: &mut Machine, args: Args) -> Tried<Value> {
    if of_function(&args) {
        return functional(machine, "jvp", args);
    }
    if let (Some((y, xs)), Some(us)) = (several_inputs(machine, &args)?, args.positional.get(2)) {
        let (us, _) = several(machine, us, false).at(args.site.arg(2))?;
        return match xs.iter().map(Variable::shape).eq(us.iter().map(Variable::shape)) {
            true => Ok(Value::Tensor(pushed(machine, &y, &xs, &us)?.detach())),
            false => {
                raise!("jvp(): u needs one tensor of the same shape for each input")
            }
        };
    }
    let (y, x) = pair(machine, &args)?;
    let u = weight(machine, &args, &x, "u")?;
    let out = pushed(machine, &y, &[x], &[u])?;
    Ok(Value::Tensor(out.detach()))
}

/// The first entry of which one side is no number: such do not agree with anything.
fn unknown(rows: &Jacobian<f64>, slopes: &[f64]) -> Option<Difference> {
    let at = |at: usize| (at / rows.columns, at % rows.columns);
    let entry = |(row, column)| rows.number(row, column);
    let k = (0..slopes.len()).find(|&k| !entry(at(k)).is_finite() || slopes[k].is_nan())?;
    let ((row, column), difference) = (at(k), slopes[k]);
    Some(Difference { row, column, rule: entry(at(k)), difference, off: f64::INFINITY })
}

fn gradcheck(machine: &mut Machine, args: Args) -> Tried<Value> {
    let called = |machine: &mut Machine, inputs: &Value| {
        let (site, how) = (&args.site, Watching::Itself);
        trace(machine, "gradcheck", &args.positional[0], inputs, how, site)
    };
    let (y, x, beside) = if of_function(&args) {
        let inputs = args.positional.get(1).cloned().unwrap_or(Value::None);
        let traced = called(machine, &inputs)?;
        match (traced.outputs.first(), traced.inputs.as_slice()) {
            (Some(y), [x, beside @ ..]) => {
                let beside = beside.iter().map(|x| Value::Tensor(x.detach())).collect();
                (y.clone(), x.clone(), Some((beside, traced.several_inputs)))
            }
            _ => raise!(Kind::Type, "gradcheck() needs a function of tensors"),
        }
    } else {
        if let Some(y) = args.positional.first() {
            machine.asks(y)?;
        }
        let (y, x) = pair(machine, &args)?;
        // Refuses an x that has another shape since y was computed.
        replay(&y, &x, &x.value()).at(args.site.span)?;
        (y, x, None::<(Vec<Value>, bool)>)
    };
    // The function is called again, for its graph may lack a path.
    let mut again = |at: &Tensor| match &beside {
        None => replay(&y, &x, at),
        Some((beside, several)) => borrowed(|machine| {
            let moved = Value::Tensor(Variable::constant(at.clone()));
            let inputs = std::iter::once(moved).chain(beside.iter().cloned()).collect();
            let found = called(machine, &packed(inputs, *several))?;
            match found.outputs.first().map(Variable::value) {
                Some(now) if now.shape() != y.shape() => raise!(
                    Kind::Value,
                    "output 0 has another shape each time the function is called"
                ),
                Some(y) => Ok(y),
                None => raise!(Kind::Type, "gradcheck() needs a function of tensors"),
            }
        }),
    };
    let tolerance = agreement::of_differences(&y, std::slice::from_ref(&x));
    // Backward as it runs, row by row: that is what is checked, and not the rules alone.
    let rows = jacobians(machine, &y, std::slice::from_ref(&x), false)?.remove(0);
    let rows = Jacobian::dense(y.numel(), x.numel(), rows.value().data().to_vec());
    let found = lend(machine, || {
        let (slopes, errors) = central(&mut again, &x.value())?;
        let found = compare(&rows, &slopes, &errors, tolerance);
        Ok(unknown(&rows, &slopes).or(found.worst.filter(|_| !found.agrees)))
    })
    .at(args.site.span)?;
    let mut worst = found;
    if worst.is_none() && !of_function(&args) {
        worst = gainsaid(machine, &args.site.source, (&y, &x), &rows, tolerance);
    }
    if let Some(worst) = worst {
        let element = |k: usize, otherwise: &str, shape: Vec<usize>, position: usize| {
            let text = args.site.text(args.site.arg(k)).trim();
            let named =
                !of_function(&args) && text.chars().all(|c| c.is_alphanumeric() || c == '_');
            let name = if named && !text.is_empty() { text } else { otherwise };
            let leaf = Leaf { name: name.to_owned(), shape, shared: false };
            names::variable(&leaf, position, Style::Pretty)
        };
        let (row, column) = (
            element(0, "output", y.shape(), worst.row),
            element(1, "input", x.shape(), worst.column),
        );
        let (k, at) = (worst.column, x.value());
        let jumped = lend(machine, || Ok(jumps(&mut again, &at, k, &y.value())[worst.row]));
        if jumped.at(args.site.span)? {
            let at = at.data()[k];
            raise!("gradcheck: {row} jumps at {column} = {at}, so it has no slope there");
        }
        let difference: f64 =
            format!("{:.7e}", worst.difference).parse().unwrap_or(worst.difference);
        let difference = difference.to_string().to_lowercase();
        raise!(
            "gradcheck: backward gives ∂{row}/∂{column} = {}, central differences give {difference}",
            worst.rule
        );
    }
    Ok(Value::Bool(true))
}

fn zero_grad(machine: &mut Machine, args: Args) -> Tried<Value> {
    args.no_names().at(args.site.span)?;
    let mut waiting: Vec<Value> = machine.names().into_iter().map(|(_, v)| v).collect();
    let mut seen = std::collections::HashSet::new();
    while let Some(value) = waiting.pop() {
        if let Some(v) = vjp_eval::leaf::existing(&value) {
            v.set_grad(None)?;
        }
        if !seen.insert(value.address()) {
            continue;
        }
        match &value {
            Value::List(l) => waiting.extend(l.items.borrow().iter().cloned()),
            Value::Tuple(t) => waiting.extend(t.items.iter().cloned()),
            Value::Dict(d) => waiting.extend(d.entries.borrow().iter().map(|(_, _, v)| v.clone())),
            Value::Instance(i) => {
                waiting.extend(i.attributes.borrow().iter().map(|(_, v)| v.clone()))
            }
            _ => {}
        }
    }
    Ok(Value::None)
}
