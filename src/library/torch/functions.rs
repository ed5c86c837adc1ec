//! Functions of `torch` that are not differentiable operations: comparisons, options, random numbers.

use crate::grad_fn::at_edge;
use crate::tensor_methods::{is_not, itself};
use vjp_backward::gradient_argument;
use vjp_binder::Given;
use vjp_binder::readers::tensor_like;
use vjp_eval::language::class::order;
use vjp_eval::library::builtins;
use vjp_eval::{Args, At, Class, Machine, Tried, Value, name_of, raise, tp_name};
use vjp_tensor::kernels::strided::expand;
use vjp_tensor::tensor::{default_dtype, set_default_dtype};
use vjp_tensor::{Complaint, Kind, Outcome, Tensor};

builtins! { pub static BUILTINS in "torch";
    "is_tensor" "(obj)" is_tensor, "Returns whether a value is a tensor.";
    "typename" "(obj)" |_, a| Ok(Value::from(a.positional.first().map(typename).unwrap_or_default())), "Returns the name of a value's type, with its module.";
    "numel" "(Tensor input)" numel, "Returns the number of elements.";
    "is_floating_point" "(Tensor input)" is_floating_point, "Returns whether the type is floating point.";
    "is_complex" "(Tensor input)" is_not, "Returns False: all numbers are real.";
    "is_conj" "(Tensor input)" is_not, "Returns False: all numbers are real.";
    "is_neg" "(Tensor input)" is_not, "Returns False: no tensor waits to be negated.";
    "conj" "(Tensor input)" itself, "Returns the tensor: all numbers are real.";
    "resolve_conj" "(Tensor input)" itself, "Returns the tensor: all numbers are real.";
    "resolve_neg" "(Tensor input)" itself, "Returns the tensor: no tensor waits to be negated.";
    "is_inference" "(Tensor input)" crate::tensor_methods::is_inference, "Returns whether the tensor was created in inference mode.";
    "set_printoptions" "(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None)" set_printoptions, "Sets how tensors print.";
    "set_default_dtype" "(dtype d)" set_default, "Sets the default type of tensors made from floats.";
    "get_default_dtype" "()" |_, _| Ok(Value::Dtype(default_dtype())), "Returns the default type of tensors made from floats.";
    "broadcast_shapes" "(*shapes)" broadcast_shapes, "Returns the shape that several shapes broadcast to.";
    "result_type" "(a, b)" result_type, "Returns the type of a + b.";
}

builtins! { pub static AUTOGRAD in "torch.autograd";
    "backward" "(tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None)" backward, "Runs backward from several tensors.";
    "set_detect_anomaly" "(bool mode, check_nan=True)" crate::contexts::anomaly, "Makes backward stop where a gradient becomes NaN.";
    "detect_anomaly" "(check_nan=True)" crate::contexts::anomaly, "Makes backward stop where a gradient becomes NaN.";
}

/// What `torch.typename` calls a value: functions and classes by their own name, with its module.
pub fn typename(value: &Value) -> String {
    let (module, name) = match value {
        Value::Tensor(t) => return t.dtype().type_name().to_owned(),
        Value::Function(f) => ("__main__", f.qualified.to_string()),
        Value::Builtin(b) if b.module == "torch" => {
            (b.module, format!("_VariableFunctionsClass.{}", b.name))
        }
        Value::Builtin(b) => (b.module, b.name.to_owned()),
        Value::Class(c) => return of_class(c),
        Value::Type(t) => (t.module, t.name.to_owned()),
        Value::Instance(i) => return of_class(&i.class()),
        other => return tp_name(other),
    };
    match module {
        "builtins" => name,
        _ => format!("{module}.{name}"),
    }
}

fn of_class(class: &Class) -> String {
    format!("{}.{}", class.module().as_str().unwrap_or_default(), class.qualified)
}

/// Whether |a - b| ≤ atol + rtol·|b| everywhere.
///
/// # Errors
/// Shapes that do not broadcast.
pub fn close(a: &Tensor, b: &Tensor, rtol: f64, atol: f64, equal_nan: bool) -> Outcome<bool> {
    let shape = vjp_tensor::shape::broadcast(a.shape(), b.shape())?;
    let (a, b) = (expand(a, &shape)?, expand(b, &shape)?);
    Ok(a.data().iter().zip(b.data()).all(|(x, y)| {
        x == y
            || (x - y).abs() <= atol + rtol * y.abs() && y.is_finite()
            || (equal_nan && x.is_nan() && y.is_nan())
    }))
}

fn is_tensor(_: &mut Machine, args: Args) -> Tried<Value> {
    let derived =
        |c: &Value| matches!(c, Value::Type(t) if t.module == "torch" && t.name == "Tensor");
    Ok(Value::Bool(match args.positional.first() {
        Some(Value::Tensor(_)) => true,
        Some(Value::Instance(i)) => order(&i.class()).iter().any(derived),
        _ => false,
    }))
}

fn numel(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    Ok(Value::Int(g.the_tensor(machine, "input")?.numel() as i64))
}

fn is_floating_point(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    Ok(Value::Bool(g.the_tensor(machine, "input")?.dtype().is_float()))
}

/// Digits after the point with which a tensor is printed.
const MOST_DIGITS: usize = 1_000_000;

fn set_printoptions(machine: &mut Machine, args: Args) -> Tried<Value> {
    use vjp_eval::display::torch::PrintOptions;
    let g = Given::of(args)?;
    let mut options = machine.library.torch_print.clone();
    if let Some(profile) = g.text("profile")? {
        let usual = PrintOptions::default();
        let short = profile == "short";
        options.precision = if short { 2 } else { usual.precision };
        options.edgeitems = if short { 2 } else { usual.edgeitems };
        options.threshold = if profile == "full" { f64::INFINITY } else { usual.threshold };
        options.linewidth = usual.linewidth;
    }
    let size = |name: &str| g.value(name).and_then(|v| v.as_int()).map(|n| n.max(0) as usize);
    options.precision = size("precision").unwrap_or(options.precision);
    if options.precision > MOST_DIGITS {
        let hint = format!("at most {MOST_DIGITS} digits");
        return Err(Complaint::new(Kind::Value, "precision too big").hint(hint).into());
    }
    options.edgeitems = size("edgeitems").unwrap_or(options.edgeitems);
    options.linewidth = size("linewidth").unwrap_or(options.linewidth);
    options.threshold = g.float("threshold")?.unwrap_or(options.threshold);
    // As PyTorch: not given, it is decided by the numbers again.
    options.sci_mode = match g.value("sci_mode") {
        Some(flag) => Some(machine.truth(&flag)?),
        None => None,
    };
    machine.library.torch_print = options;
    Ok(Value::None)
}

fn set_default(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    match g.dtype("d")? {
        Some(dtype) if dtype.is_float() => {
            set_default_dtype(dtype);
            machine.library.default_dtype = dtype;
            machine.library.chosen_dtype = true;
            machine.library.torch_print.default_dtype = dtype;
            Ok(Value::None)
        }
        _ => raise!(Kind::Type, "only floating-point types are supported as the default type"),
    }
}

fn broadcast_shapes(machine: &mut Machine, args: Args) -> Tried<Value> {
    let mut shape: Vec<usize> = Vec::new();
    for (at, value) in args.positional.iter().enumerate() {
        let Some(sizes) = vjp_binder::readers::as_ints(value) else {
            raise!(
                "Input shapes should be of type ints, a tuple of ints, or a list of ints, got {}",
                vjp_eval::display::python::repr(machine, value)?
            );
        };
        let one: Vec<usize> = sizes.iter().map(|n| (*n).max(0) as usize).collect();
        let pairs = one.iter().rev().zip(shape.iter().rev()).enumerate();
        if let Some((k, (length, _))) = { pairs }.find(|(_, (a, b))| a != b && **a != 1 && **b != 1)
        {
            raise!(
                "Attempting to broadcast a dimension of length {length} at -{}! Mismatching argument at index {at} had {}; but expected shape should be broadcastable to {shape:?}",
                k + 1,
                vjp_eval::display::python::repr(machine, value)?
            );
        }
        shape = vjp_tensor::shape::broadcast(&shape, &one).at(args.site.span)?;
    }
    Ok(Value::size(&shape))
}

fn result_type(machine: &mut Machine, args: Args) -> Tried<Value> {
    args.count(2, 2)?;
    let mut tensors = Vec::new();
    for value in &args.positional {
        match (tensor_like(machine, value)?, vjp_binder::readers::number(value)) {
            (Some(t), _) | (None, Some(t)) => tensors.push(t.value()),
            _ => raise!(Kind::Type, "result_type() takes tensors and numbers"),
        }
    }
    let all: Vec<&Tensor> = tensors.iter().collect();
    Ok(Value::Dtype(vjp_tensor::tensor::promote(&all)))
}

/// `torch.autograd.backward(tensors, grad_tensors)`.
/// The gradients given for outputs: in PyTorch's order of errors.
fn gradients(machine: &mut Machine, given: &Value, ys: &[Value]) -> Tried<Vec<Value>> {
    let mut vs = Vec::new();
    for (k, (y, v)) in ys.iter().zip(gradient_argument::each(machine, given)?).enumerate() {
        vs.push(match v {
            None => None,
            Some(Value::Tensor(v)) => Some(v),
            Some(other) => raise!(
                Kind::Type,
                "gradients can be either Tensors or None, but got {}",
                name_of(&other)
            ),
        });
        // Of a single output its own backward tells more.
        let Value::Tensor(y) = y else { continue };
        let fits = match &vs[k] {
            Some(v) => v.shape() == y.shape(),
            None => y.numel() == 1 || !y.requires_grad(),
        };
        if ys.len() > 1 && !fits {
            return Err(gradient_argument::not_shaped(&vs, k, y).into());
        }
    }
    Ok(vs.into_iter().map(|v| v.map_or(Value::None, Value::Tensor)).collect())
}

fn backward(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let as_list = |machine: &mut Machine, value: Value| match value {
        Value::List(_) | Value::Tuple(_) => machine.collect(&value),
        other => Ok(vec![other]),
    };
    let first = g.raw(0).unwrap_or(Value::None);
    let mut tensors = match at_edge(machine, &first)? {
        Some(_) => vec![first],
        None => as_list(machine, first)?,
    };
    for t in &mut tensors {
        if let Some(own) = at_edge(machine, t)? {
            *t = Value::Tensor(own);
        }
    }
    let weights = match g.value("grad_tensors") {
        Some(list) if machine.strict() => gradients(machine, &list, &tensors).at(g.site.span)?,
        // The weights of a single output, as its own backward takes them.
        Some(list) if tensors.len() == 1 && machine.is_vector(&list) => vec![list],
        Some(list) => as_list(machine, list)?,
        None => Vec::new(),
    };
    if g.value("grad_tensors").is_some() && weights.len() < tensors.len() {
        let (ys, vs) = (tensors.len(), weights.len());
        raise!("got {ys} tensors and {vs} gradients");
    }
    let retain = match g.value("retain_graph") {
        Some(flag) => Some(vjp_backward::flag(machine, &flag)?),
        None => None,
    };
    let inputs = match g.value("inputs") {
        Some(list) => {
            let mut all = Vec::new();
            for item in as_list(machine, list)? {
                all.extend(tensor_like(machine, &item)?);
            }
            if all.is_empty() {
                return Err(vjp_tensor::torch_messages::no_inputs("backward").into());
            }
            Some(all)
        }
        None => None,
    };
    let weight = |k: usize| weights.get(k).cloned().filter(|v| !v.is_none());
    let create_graph = match g.value("create_graph") {
        Some(flag) => vjp_backward::flag(machine, &flag)?,
        None => false,
    };
    let only = gradient_argument::item(&g.site, g.site.arg(0), 0, 1);
    let request = vjp_backward::Request {
        output: only.filter(|_| tensors.len() == 1).unwrap_or(g.site.arg(0)),
        roots: tensors.into_iter().enumerate().map(|(k, y)| (y, weight(k))).collect(),
        retain,
        create_graph,
        inputs,
        weights: g.value("grad_tensors").map(|_| g.site.arg(1)),
    };
    vjp_backward::run(machine, request, &g.site)?;
    Ok(Value::None)
}
