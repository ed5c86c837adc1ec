//! Arguments of a call as an operation of the catalogue takes them.

use crate::readers::{as_dtype, as_int, as_ints, as_number, tensor_like};
use crate::signature::{Accepts, Usual};
use crate::{Given, overloads, signature};
use vjp_eval::{Args, At, Machine, Tried, Value, leaf};
use vjp_maths::Variable;
use vjp_ops::{Arg, Bound, Entry, Scalar};
use vjp_tensor::{Dtype, Fact, Kind, Outcome, Tensor, budget, complain};

/// Binds the arguments of a call to an entry.
pub fn bind(
    machine: &mut Machine,
    entry: &'static Entry,
    args: Args,
    method: bool,
) -> Tried<Bound> {
    let lines: Vec<&'static str> =
        entry.signature.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    let span = args.site.span;
    let listed = overloads::of(overloads::said(&args), method);
    let kept = (listed.is_some() || lines.len() > 1).then(|| args.clone());
    let strict = machine.strict() && overloads::speaks_for(&args, method);
    if let (Some(listed), true) = (listed, strict)
        && !overloads::accepted(&args, listed, method)
        && let Some(complaint) = overloads::none_fits(&args, Some(listed), method)
    {
        return Err(complaint).at(span);
    }
    if strict
        && let [line] = lines.as_slice()
        && let Some(complaint) = overloads::one_by_one(&args, line)
    {
        return Err(complaint).at(span);
    }
    let mut error = None;
    let mut waiting = Some(args);
    // A tensor is a tensor where another overload takes one, though it could be read as a number.
    let takes = |line: &&'static str, place: usize| {
        signature(line).params.get(place).map(|param| param.accepts)
    };
    let tensors: Vec<usize> = match &kept {
        Some(args) if lines.len() > 1 => {
            let tensors = args.positional.iter().enumerate();
            tensors.filter(|(_, v)| matches!(v, Value::Tensor(_))).map(|(place, _)| place).collect()
        }
        _ => Vec::new(),
    };
    let is_number = |line: &&'static str| {
        tensors.iter().any(|place| {
            takes(line, *place) == Some(Accepts::Int)
                && lines.iter().any(|other| takes(other, *place) == Some(Accepts::Tensor))
        })
    };
    for (overload, line) in lines.iter().enumerate().filter(|(_, line)| !is_number(line)) {
        let Some(own) = waiting.take().or_else(|| kept.clone()) else {
            break;
        };
        let read = Given::open(own, line, method).at(span);
        if let Ok(given) = &read {
            given.unpacked().at(span)?;
        }
        match read.and_then(|mut given| convert(machine, entry.name, &mut given)) {
            Ok(mut bound) => {
                bound.overload = overload;
                return Ok(bound);
            }
            // Of a list that does not unpack, PyTorch speaks itself.
            Err(halt) if halt.raised().fact == Fact::NotUnpacked => return Err(halt),
            Err(halt) => {
                error.get_or_insert(halt);
            }
        }
    }
    if let Some(args) = kept
        && let Some(complaint) = overloads::none_fits(&args, listed, method)
    {
        return Err(complaint).at(span);
    }
    match error {
        Some(halt) => Err(halt),
        None => Ok(Bound::new(entry.name, Vec::new())),
    }
}

fn convert(machine: &mut Machine, name: &'static str, given: &mut Given) -> Tried<Bound> {
    let mut args = Vec::with_capacity(given.params().len());
    for place in 0..given.params().len() {
        if given.lacks(place) {
            return Err(given.missing(place)).at(given.site.span);
        }
        args.push(argument(machine, given, place)?);
    }
    given.done().at(given.site.span)?;
    Ok(Bound::new(name, args))
}

fn argument(machine: &mut Machine, given: &Given, place: usize) -> Tried<Arg> {
    let Some(value) = given.raw(place) else {
        return Ok(Arg::Missing);
    };
    let accepts = given.params()[place].accepts;
    let read = match (&value, accepts) {
        (Value::None, _) if *given.usual(place) == Usual::None => Some(Arg::None),
        (Value::None, _) => None,
        (_, Accepts::Tensor) => {
            tensor_like(machine, &value).at(given.span(place))?.map(Arg::Tensor)
        }
        (Value::Number(n), Accepts::TensorOrNumber) => Some(Arg::Tensor(n.variable.clone())),
        (_, Accepts::TensorOrNumber) if value.as_float().is_some() => {
            scalar(&value).map(Arg::Scalar)
        }
        (_, Accepts::TensorOrNumber) => {
            tensor_like(machine, &value).at(given.span(place))?.map(Arg::Tensor)
        }
        (_, Accepts::Tensors) => tensors(machine, &value).at(given.span(place))?.map(Arg::Tensors),
        (Value::Tensor(t) | Value::Array(t), Accepts::Number) if t.numel() == 1 => {
            Some(Arg::Tensor(t.clone()))
        }
        (_, Accepts::Number | Accepts::Float) => {
            as_number(&value).and_then(|_| scalar(&value)).map(Arg::Scalar)
        }
        (_, Accepts::Int) => as_int(&value).map(|i| Arg::Scalar(Scalar::Int(i))),
        (_, Accepts::Bool) => match value.plain() {
            Value::Bool(b) => Some(Arg::Scalar(Scalar::Bool(b))),
            _ => None,
        },
        (_, Accepts::Text) => value.as_str().map(|s| Arg::Str(s.to_owned())),
        (v, Accepts::Size)
            if machine.strict()
                && given.strict
                && place != usize::from(given.receiver)
                && as_int(v).is_some() =>
        {
            None
        }
        (_, Accepts::Ints | Accepts::Size) => match as_int(&value) {
            Some(one) => Some(Arg::Scalar(Scalar::Int(one))),
            None => as_ints(&value).map(Arg::Ints),
        },
        (_, Accepts::Dtype) => as_dtype(&value).map(Arg::Dtype),
        // A list of numbers is a vector where a tensor may stand.
        (Value::List(_), Accepts::Anything)
            if given.params()[place].name == "input" && machine.is_vector(&value) =>
        {
            Some(Arg::Tensor(leaf::stacked(&value).at(given.span(place))?))
        }
        (Value::Str(_), Accepts::Anything) if given.params()[place].name == "dim" => None,
        (_, Accepts::Anything) => anything(machine, &value).at(given.span(place))?,
    };
    read.ok_or_else(|| given.mismatch(place, &value))
}

/// An argument whose type the signature leaves open.
fn anything(machine: &mut Machine, value: &Value) -> Tried<Option<Arg>> {
    if let Some(s) = value.as_str() {
        return Ok(Some(Arg::Str(s.to_owned())));
    }
    if let Some(d) = as_dtype(value) {
        return Ok(Some(Arg::Dtype(d)));
    }
    // A tensor of one element has its history too.
    if let Value::Tensor(t) = value {
        return Ok(Some(Arg::Tensor(t.clone())));
    }
    if let Some(s) = scalar(value) {
        return Ok(Some(Arg::Scalar(s)));
    }
    if let Some(ints) = as_ints(value) {
        return Ok(Some(Arg::Ints(ints)));
    }
    if let Some(lists) = int_lists(value) {
        return Ok(Some(Arg::Tensors(lists)));
    }
    if let Value::Tuple(all) = value
        && let Some(numbers) = numbers(&all.items)
    {
        return Ok(Some(numbers));
    }
    Ok(match tensors(machine, value)? {
        Some(list) if !matches!(value, Value::Tensor(_)) => Some(Arg::Tensors(list)),
        _ => match (tensor_like(machine, value)?, value) {
            (Some(one), _) => Some(Arg::Tensor(one)),
            (None, Value::List(list)) => numbers(&list.items.borrow()),
            _ => None,
        },
    })
}

/// Numbers, as tensors of no dimensions.
fn numbers(items: &[Value]) -> Option<Arg> {
    let numbers = items.iter().map(Value::as_float).collect::<Option<Vec<f64>>>()?;
    let each = numbers.into_iter().map(|x| Variable::constant(Tensor::scalar(x)));
    Some(Arg::Tensors(each.collect()))
}

/// Several lists of ints, as tensordot takes its dimensions.
fn int_lists(value: &Value) -> Option<Vec<Variable>> {
    let read = |item: &Value| {
        let ints: Vec<f64> = as_ints(item)?.iter().map(|i| *i as f64).collect();
        let list = Tensor::new(&[ints.len()], ints).with_dtype(Dtype::Int64);
        matches!(item, Value::List(_) | Value::Tuple(_)).then(|| Variable::constant(list))
    };
    match value {
        Value::List(list) => list.items.borrow().iter().map(read).collect(),
        Value::Tuple(tuple) => tuple.items.iter().map(read).collect(),
        _ => None,
    }
}

fn scalar(value: &Value) -> Option<Scalar> {
    leaf::taken(value);
    Some(match value.plain() {
        Value::Bool(b) => Scalar::Bool(b),
        Value::Int(i) => Scalar::Int(i),
        Value::Float(f) => Scalar::Float(f),
        long @ Value::Long(_) => Scalar::Float(long.as_float()?),
        Value::NpScalar(v, d) if d.is_float() => Scalar::Float(v),
        Value::NpScalar(v, Dtype::Bool) => Scalar::Bool(v != 0.0),
        Value::NpScalar(v, _) => Scalar::Int(v as i64),
        Value::Tensor(t) | Value::Array(t) => {
            let v = t.value().item()?;
            if t.dtype().is_float() { Scalar::Float(v) } else { Scalar::Int(v as i64) }
        }
        _ => return None,
    })
}

/// A list or tuple of tensors.
fn tensors(machine: &mut Machine, value: &Value) -> Tried<Option<Vec<Variable>>> {
    let items = match value {
        Value::List(list) => leaf::elements(list)?,
        Value::Tuple(tuple) => budget::copied(&tuple.items)?,
        // The rows of a matrix, where a list of vectors was meant.
        Value::Tensor(_) | Value::Array(_) => return Ok(None),
        _ => return Ok(None),
    };
    let mut all = Vec::with_capacity(items.len());
    for item in &items {
        match tensor_like(machine, item)? {
            Some(t) => all.push(t),
            None => return Ok(None),
        }
    }
    Ok(Some(all))
}

/// The call with an equation in front, as the catalogue states the operation.
pub fn as_equation(mut args: Args) -> Tried<Args> {
    let span = args.site.span;
    if matches!(args.positional.first(), Some(Value::Str(_)) | None) {
        return Ok(args);
    }
    let (mut inputs, mut operands) = (Vec::new(), Vec::new());
    let mut rest = std::mem::take(&mut args.positional).into_iter();
    let mut output = None;
    while let Some(first) = rest.next() {
        match rest.next() {
            Some(list) => {
                inputs.push(letters(&list).at(span)?);
                operands.push(first);
            }
            None => output = Some(letters(&first).at(span)?),
        }
    }
    let mut equation = inputs.join(",");
    if let Some(output) = output {
        equation.push_str("->");
        equation.push_str(&output);
    }
    args.positional = vec![Value::str(&equation)];
    args.positional.extend(operands);
    Ok(args)
}

/// The letters that stand for numbers of dimensions: 0 is A, 26 is a.
fn letters(list: &Value) -> Outcome<String> {
    let items = match list {
        Value::List(list) => list.items.borrow().to_vec(),
        Value::Tuple(tuple) => tuple.items.clone(),
        _ => complain!(
            Kind::Value,
            "einsum(): expected subscripts to be a list of integers and ellipsis"
        ),
    };
    let letter = |item: &Value| match (item, item.as_int()) {
        (Value::Ellipsis, _) => Ok("...".to_owned()),
        (_, Some(n @ 0..26)) => Ok(char::from(b'A' + n as u8).to_string()),
        (_, Some(n @ 26..52)) => Ok(char::from(b'a' + (n - 26) as u8).to_string()),
        _ => complain!(
            Kind::Value,
            "einsum(): subscript in subscript list is not within the valid range [0, 52)"
        ),
    };
    items.iter().map(letter).collect()
}
