//! Python's `sum`, `max`, `sorted` … of what was computed from short leaves: there they mean what
//! mathematics means, and take `dim` as PyTorch's do. Of everything else they are Python's, and under
//! strict always.

use std::rc::Rc;
use vjp_binder::catalogue;
use vjp_binder::catalogue::Form;
use vjp_eval::leaf::indexing::numbers;
use vjp_eval::values::tensor_operators;
use vjp_eval::values::value::Tracked;
use vjp_eval::{Args, Builtin, Machine, Tried, Value, leaf};
use vjp_maths::Variable;
use vjp_maths::autodiff::ancestors::leaves_of;
use vjp_ops::{Arg, Forms, Out, Scalar};
use vjp_tensor::shape::DEEPEST;
use vjp_text::Symbol;

type Made = Tried<Value>;
type Perhaps = Tried<Option<Value>>;

/// The operation that is meant along a dimension.
const ALONG: [(&str, &str); 6] = [
    ("sum", "sum"),
    ("max", "amax"),
    ("min", "amin"),
    ("any", "any"),
    ("all", "all"),
    ("sorted", "sort"),
];

/// Keywords that Python's do not take.
const TORCH: [&str; 5] = ["dim", "axis", "keepdim", "keepdims", "descending"];

/// Whether a builtin takes PyTorch's keywords outside strict.
pub fn takes_more(builtin: &Builtin) -> bool {
    builtin.module == "builtins" && ALONG.iter().any(|(n, _)| *n == builtin.name)
}

/// What the call means of a leaf.
pub fn meant(m: &mut Machine, args: &Args) -> Perhaps {
    let name = args.name();
    let named = |n: &str| args.named.iter().find(|(k, _)| k.as_str() == n).map(|(_, v)| v.clone());
    let along = ALONG.iter().find(|(n, _)| *n == name).map(|(_, operation)| *operation);
    if let Some(operation) = along.filter(|_| TORCH.iter().any(|k| named(k).is_some())) {
        return called(m, operation, args.clone()).map(Some);
    }
    let given = args.positional.as_slice();
    match (name, given, args.named.as_slice()) {
        ("sorted", [one], []) => in_order(one, false),
        ("sorted", [one], [(n, reverse)]) if n.as_str() == "reverse" => {
            let reverse = m.truth(reverse)?;
            in_order(one, reverse)
        }
        ("round", [Value::Number(n), digits @ ..], []) => {
            let plain = std::iter::once(n.number()).chain(digits.iter().cloned()).collect();
            let number = python(m, "round", plain)?;
            let decimals =
                Arg::Scalar(Scalar::Int(digits.first().and_then(Value::as_int).unwrap_or(0)));
            let of =
                tensor_operators::call("round", vec![Arg::Tensor(n.variable.clone()), decimals])?;
            Ok(same_number(number, of))
        }
        ("round", [one, ..], _) if !one.is_number() && rank(one).is_some() => {
            let digits = given.get(1).cloned().or_else(|| named("ndigits"));
            let mut round = Args::new(vec![one.clone()], args.site.clone());
            round.named.extend(digits.map(|d| (Symbol::new("decimals"), d)));
            called(m, "round", round).map(Some)
        }
        ("any" | "all", [one], []) => truth(m, name, one),
        // Python cannot begin with a number here.
        ("sum", [one, _], []) if is_short(one) && rank(one) > Some(1) && !of_vectors(one) => {
            called(m, "sum", args.clone()).map(Some)
        }
        ("sum" | "max" | "min", [one], []) => over_all(m, name, one),
        ("max" | "min", [_, _, ..], []) => of_several(m, name, given),
        _ => Ok(None),
    }
}

/// `sum(x)`, `max(x)`, `min(x)`.
fn over_all(m: &mut Machine, name: &'static str, value: &Value) -> Perhaps {
    let rank = rank(value);
    let adds = name == "sum";
    match value {
        Value::Number(_) => Ok(Some(value.clone())),
        // A vector's sum is Python's too.
        Value::List(_) | Value::Tuple(_)
            if if adds { rank > Some(1) && !of_vectors(value) } else { is_short(value) } =>
        {
            let items: Vec<Value> = numbers(value).iter().map(Value::plain).collect();
            let picks = items.iter().any(|v| matches!(v, Value::Tensor(_)));
            // Of a vector Python picks one of the elements as it is; of a matrix it picks a row.
            if picks && !adds && rank == Some(1) {
                return Ok(None);
            }
            let of = tensor_operators::call(name, vec![Arg::Tensor(leaf::stacked(value)?)])?;
            if picks {
                return Ok(Some(Value::Tensor(of)));
            }
            let number = python(m, name, vec![Value::list(items)])?;
            Ok(same_number(number, of))
        }
        // Python cannot compare rows.
        Value::Tensor(t)
            if is_short(value) || (!adds && t.rank() > 1 && t.numel() > t.shape()[0]) =>
        {
            Ok(Some(Value::Tensor(tensor_operators::call(name, vec![Arg::Tensor(t.clone())])?)))
        }
        _ => Ok(None),
    }
}

/// Whether it lists vectors that are there by themselves: Python adds those element by element.
fn of_vectors(value: &Value) -> bool {
    let items = match value {
        Value::List(l) if leaf::is_in_leaf(l) => return false,
        Value::List(l) => l.items.borrow().to_vec(),
        Value::Tuple(t) => t.items.clone(),
        _ => return false,
    };
    items.iter().any(|v| match v {
        Value::Tensor(_) | Value::Array(_) => true,
        Value::List(l) => leaf::is_in_leaf(l),
        _ => false,
    })
}

/// Python's number as the path in the graph that a 0-d tensor of this value is.
fn same_number(number: Value, of: Variable) -> Option<Value> {
    let same = of.value().item() == number.as_float();
    same.then(|| match of.requires_grad() {
        true => Value::Number(Rc::new(Tracked::new(number, of))),
        false => number,
    })
}

/// `max(a, b, …)`: of numbers a number, else element by element.
fn of_several(m: &mut Machine, name: &'static str, given: &[Value]) -> Perhaps {
    if !given.iter().any(is_short) || given.iter().any(|v| rank(v).is_none()) {
        return Ok(None);
    }
    let operation = if name == "max" { "maximum" } else { "minimum" };
    let mut best = leaf::stacked(&given[0])?;
    for next in &given[1..] {
        let pair = vec![Arg::Tensor(best), Arg::Tensor(leaf::stacked(next)?)];
        best = tensor_operators::call(operation, pair)?;
    }
    match given.iter().all(Value::is_number) {
        true => {
            let plain = given.iter().map(Value::plain).collect();
            Ok(same_number(python(m, name, plain)?, best))
        }
        false => Ok(Some(Value::Tensor(best))),
    }
}

/// `any(x)`, `all(x)`: of every element.
fn truth(m: &mut Machine, name: &'static str, value: &Value) -> Perhaps {
    let rank = rank(value);
    let all = match value {
        // A comparison of scalars is one truth.
        Value::Number(_) | Value::Bool(_) => value.clone(),
        Value::List(_) | Value::Tuple(_) if rank > Some(1) && is_short(value) => {
            return python(m, name, vec![Value::list(numbers(value))]).map(Some);
        }
        Value::Tensor(t) if rank != Some(1) => {
            Value::Tensor(tensor_operators::call(name, vec![Arg::Tensor(t.clone())])?)
        }
        _ => return Ok(None),
    };
    Ok(Some(Value::Bool(m.truth(&all)?)))
}

/// `sorted(x)`: along the last dimension.
fn in_order(value: &Value, reverse: bool) -> Perhaps {
    if !is_short(value) {
        return Ok(None);
    }
    let x = leaf::stacked(value)?;
    if x.rank() == 0 {
        return Ok(Some(Value::list(vec![value.clone()])));
    }
    let scalar = |b: bool| Arg::Scalar(Scalar::Bool(b));
    let last = Arg::Scalar(Scalar::Int(-1));
    let sorted = tensor_operators::call_any(
        "sort",
        vec![Arg::Tensor(x), last, scalar(reverse), scalar(true)],
    )?;
    let Out::Named(_, parts) = sorted else {
        return Ok(None);
    };
    let [(_, values), (_, places)] = parts.as_slice() else {
        return Ok(None);
    };
    if let Value::Tensor(_) = value {
        return Ok(Some(Value::Tensor(values.clone())));
    }
    let (own, places, shape) = (numbers(value), places.value(), values.shape());
    // A sequence of tensors: Python compares them.
    if own.len() != values.numel() {
        return Ok(None);
    }
    let row = shape.last().copied().unwrap_or(1).max(1);
    let number = |at: usize| own[at / row * row + places.data()[at] as usize].plain();
    Ok(Some(leaf::listed(values, &number)?))
}

/// Python's own function of such a name.
fn python(m: &mut Machine, name: &'static str, given: Vec<Value>) -> Made {
    let builtin = vjp_python::function(name);
    let mut args = Args::new(given, m.here());
    args.callee = Some(builtin);
    (builtin.run)(m, args)
}

/// PyTorch's function, which takes `dim`; of `sort` the values.
fn called(m: &mut Machine, name: &'static str, mut args: Args) -> Made {
    let Some(entry) = catalogue::entry(name, Forms::TORCH) else {
        return Ok(Value::None);
    };
    for (n, _) in args.named.iter_mut().filter(|(n, _)| n.as_str() == "reverse") {
        *n = Symbol::new("descending");
    }
    let function = Value::Builtin(catalogue::builtin(name, entry, Form::Function, "torch"));
    match m.call(&function, args)? {
        Value::Tuple(parts) => Ok(parts.items.first().cloned().unwrap_or(Value::None)),
        one => Ok(one),
    }
}

/// How many dimensions a tensor, a number or a list of numbers has.
fn rank(value: &Value) -> Option<usize> {
    let mut value = value.clone();
    // A list may hold itself.
    for outer in 0..=DEEPEST {
        let first = match &value {
            Value::Tensor(t) => return Some(outer + t.rank()),
            Value::List(l) => l.items.borrow().first().cloned(),
            Value::Tuple(t) => t.items.first().cloned(),
            other => return other.is_number().then_some(outer),
        };
        value = first?;
    }
    None
}

/// Whether it was computed from short leaves alone.
fn is_short(value: &Value) -> bool {
    let remembers = match value {
        Value::Number(_) | Value::Tensor(_) => true,
        Value::List(_) | Value::Tuple(_) => leaf::memory(std::slice::from_ref(value)).is_some(),
        _ => false,
    };
    let short = |v: Variable| v.requires_grad() && leaves_of(&v).iter().all(Variable::is_implicit);
    remembers && rank(value).is_some() && leaf::stacked(value).is_ok_and(short)
}
