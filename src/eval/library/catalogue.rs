//! The operations of `maths::ops` as functions, methods and attributes of programs: arguments are
//! bound from the entry's signature, results become values.

use super::Builtin;
use super::bind::{Given, as_dtype, as_int, as_ints, as_number, number, tensor_like};
use super::signature::{Accepts, Usual};
use crate::eval::call::Args;
use crate::eval::machine::Machine;
use crate::eval::raise::{At, Halt};
use crate::eval::value::{Tracked, Tuple, TupleKind, Value};
use crate::maths::complaint::{Kind, Outcome};
use crate::maths::grad_mode::with_grad;
use crate::maths::ops::{Arg, Bound, Entry, Forms, Out, Scalar, catalogue};
use crate::maths::tensor::Dtype;
use crate::maths::variable::Variable;
use crate::raise;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// How an entry is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    Function,
    Method,
    InPlace,
    Numpy,
    /// A method of an array.
    ArrayMethod,
}

thread_local! {
    /// Builtins made from entries, by address.
    static MADE: RefCell<HashMap<usize, (&'static Entry, Form)>> = RefCell::default();
    static KNOWN: RefCell<HashMap<(&'static str, Form, u16), &'static Builtin>> = RefCell::default();
    static INDEX: RefCell<HashMap<(&'static str, u16), &'static Entry>> = RefCell::default();
}

/// The entry that has `name` in one of these forms.
pub fn entry(name: &str, form: Forms) -> Option<&'static Entry> {
    INDEX.with_borrow_mut(|index| {
        if index.is_empty() {
            for e in catalogue() {
                for n in std::iter::once(e.name).chain(e.aliases.iter().copied()) {
                    for bit in (0..16).map(|k| 1 << k).filter(|bit| e.forms.0 & bit != 0) {
                        index.entry((n, bit)).or_insert(e);
                    }
                }
            }
        }
    });
    INDEX.with_borrow(|index| {
        // Keys live longer than `name`; a shorter borrow of the map accepts it.
        let index: &HashMap<(&str, u16), &'static Entry> = index;
        index.get(&(name, form.0)).copied()
    })
}

/// The function that an entry becomes, made once per thread.
pub fn builtin(
    name: &'static str,
    entry: &'static Entry,
    form: Form,
    module: &'static str,
) -> &'static Builtin {
    let key = (name, form, entry.forms.0);
    if let Some(known) = KNOWN.with_borrow(|k| k.get(&key).copied()) {
        return known;
    }
    let made: &'static Builtin = Box::leak(Box::new(Builtin {
        name,
        module,
        signature: entry.signature,
        help: entry.formula,
        run,
    }));
    MADE.with_borrow_mut(|m| m.insert(std::ptr::from_ref(made) as usize, (entry, form)));
    KNOWN.with_borrow_mut(|k| k.insert(key, made));
    made
}

/// Every name of a form, as a module's contents.
pub fn contents(forms: Forms, form: Form, module: &'static str) -> Vec<(&'static str, Value)> {
    catalogue()
        .filter(|e| e.forms.has(forms))
        .flat_map(|e| {
            std::iter::once(e.name)
                .chain(e.aliases.iter().copied())
                .map(move |n| (n, e))
        })
        .map(|(n, e)| (n, Value::Builtin(builtin(n, e, form, module))))
        .collect()
}

fn run(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    let key = args.callee.map_or(0, |b| std::ptr::from_ref(b) as usize);
    let Some((entry, form)) = MADE.with_borrow(|m| m.get(&key).copied()) else {
        raise!(
            Kind::Runtime,
            "{}() was called without its entry",
            args.name()
        );
    };
    match form {
        Form::Numpy => run_numpy(machine, entry, args, false),
        Form::ArrayMethod => run_numpy(machine, entry, args, true),
        Form::InPlace => run_in_place(machine, entry, args),
        Form::Function | Form::Method => {
            let name = args.name();
            let span = args.site.span;
            let mut bound = bind(machine, entry, args, form == Form::Method)?;
            bound.name = name;
            let out = (entry.call)(&mut bound).at(span)?;
            Ok(result(machine, out))
        }
    }
}

fn run_in_place(machine: &mut Machine, entry: &'static Entry, args: Args) -> Result<Value, Halt> {
    let span = args.site.span;
    let Some(Value::Tensor(this) | Value::Array(this)) = args.positional.first().cloned() else {
        raise!(Kind::Type, "{}() needs a tensor", args.name());
    };
    let receiver = args.positional[0].clone();
    this.check_writable().at(span)?;
    let mut bound = bind(machine, entry, args, true)?;
    match (entry.call)(&mut bound).at(span)? {
        Out::One(new) if new.same(&this) => {}
        Out::One(new) => this.update(&new).at(span)?,
        _ => raise!(Kind::Runtime, "{}_() has no in-place form", entry.name),
    }
    Ok(receiver)
}

/// NumPy: arrays, numbers and lists in, arrays and NumPy scalars out, no graph.
fn run_numpy(
    machine: &mut Machine,
    entry: &'static Entry,
    mut args: Args,
    method: bool,
) -> Result<Value, Halt> {
    let span = args.site.span;
    for value in args.positional.iter_mut() {
        as_array(value).at(span)?;
    }
    with_grad(false, || {
        let mut bound = bind(machine, entry, args, method)?;
        let out = (entry.call)(&mut bound).at(span)?;
        Ok(numpy_result(out))
    })
}

/// What NumPy's functions make of an argument: arrays of tensors (whose history must not matter),
/// numbers and numeric lists.
pub fn as_array(value: &mut Value) -> Outcome<()> {
    use super::nested::{Reader, numpy_of_tracked, tensor_of};
    use crate::maths::tensor::Tensor;
    let tensor = match value {
        Value::Tensor(t) if t.requires_grad() && t.shows() => return Err(numpy_of_tracked()),
        Value::Tensor(t) | Value::Array(t) => {
            *value = Value::Tensor(t.detach());
            return Ok(());
        }
        Value::Number(_) | Value::NpScalar(..) | Value::Float(_) => match value.plain() {
            Value::NpScalar(v, d) => Tensor::scalar(v).with_dtype(d),
            plain => match number(&plain) {
                Some(n) => n.value(),
                None => return Ok(()),
            },
        },
        Value::List(list)
            if list.items.borrow().iter().all(|v| {
                v.as_float().is_some() || matches!(v, Value::List(_) | Value::Tuple(_))
            }) =>
        {
            match tensor_of(value, Reader::Numpy) {
                Ok(t) => t,
                Err(_) => return Ok(()),
            }
        }
        Value::List(list) => {
            let mut items = list.items.borrow().clone();
            for item in &mut items {
                as_array(item)?;
            }
            *value = Value::list(items);
            return Ok(());
        }
        _ => return Ok(()),
    };
    *value = Value::Tensor(Variable::constant(tensor));
    Ok(())
}

/// Binds the arguments of a call to an entry.
///
/// # Errors
/// PyTorch's TypeErrors.
pub fn bind(
    machine: &mut Machine,
    entry: &'static Entry,
    args: Args,
    method: bool,
) -> Result<Bound, Halt> {
    let lines: Vec<&'static str> = entry
        .signature
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .collect();
    let span = args.site.span;
    if let [line] = lines.as_slice() {
        let given = Given::read(args, line, method).at(span)?;
        return convert(machine, entry.name, &given);
    }
    let got = super::overloads::got(&args, method);
    let name = args.name();
    for (overload, line) in lines.iter().enumerate() {
        let copy = Args {
            positional: args.positional.clone(),
            named: args.named.clone(),
            site: args.site.clone(),
            callee: args.callee,
        };
        let Ok(given) = Given::read(copy, line, method) else {
            continue;
        };
        if let Ok(mut bound) = convert(machine, entry.name, &given) {
            bound.overload = overload;
            return Ok(bound);
        }
    }
    Err(super::overloads::none_fits(name, &got, &lines, method)).at(span)
}

fn convert(machine: &mut Machine, name: &'static str, given: &Given) -> Result<Bound, Halt> {
    let mut args = Vec::with_capacity(given.params().len());
    for place in 0..given.params().len() {
        args.push(argument(machine, given, place)?);
    }
    Ok(Bound::new(name, args))
}

fn argument(machine: &mut Machine, given: &Given, place: usize) -> Result<Arg, Halt> {
    let Some(value) = given.raw(place) else {
        return Ok(Arg::Missing);
    };
    let accepts = given.params()[place].accepts;
    let read = match (&value, accepts) {
        (Value::None, _) if *given.usual(place) == Usual::None => Some(Arg::None),
        (Value::None, _) => None,
        (_, Accepts::Tensor) => tensor_like(machine, &value)
            .at(given.span(place))?
            .map(Arg::Tensor),
        (Value::Number(n), Accepts::TensorOrNumber) => Some(Arg::Tensor(n.variable.clone())),
        (_, Accepts::TensorOrNumber) if value.as_float().is_some() => {
            scalar(&value).map(Arg::Scalar)
        }
        (_, Accepts::TensorOrNumber) => tensor_like(machine, &value)
            .at(given.span(place))?
            .map(Arg::Tensor),
        (_, Accepts::Tensors) => tensors(machine, &value)
            .at(given.span(place))?
            .map(Arg::Tensors),
        (Value::Tensor(t) | Value::Array(t), Accepts::Number) if t.numel() == 1 => {
            Some(Arg::Tensor(t.clone()))
        }
        (_, Accepts::Number | Accepts::Float) => as_number(&value)
            .and_then(|_| scalar(&value))
            .map(Arg::Scalar),
        (_, Accepts::Int) => as_int(&value).map(|i| Arg::Scalar(Scalar::Int(i))),
        (_, Accepts::Bool) => match value.plain() {
            Value::Bool(b) => Some(Arg::Scalar(Scalar::Bool(b))),
            _ => None,
        },
        (_, Accepts::Text) => value.as_str().map(|s| Arg::Str(s.to_owned())),
        (_, Accepts::Ints) => match as_int(&value) {
            Some(one) => Some(Arg::Scalar(Scalar::Int(one))),
            None => as_ints(&value).map(Arg::Ints),
        },
        (_, Accepts::Dtype) => as_dtype(&value).map(Arg::Dtype),
        (_, Accepts::Anything) => anything(machine, &value).at(given.span(place))?,
    };
    read.ok_or_else(|| given.mismatch(place, &value))
}

/// An argument whose type the signature leaves open.
fn anything(machine: &mut Machine, value: &Value) -> Result<Option<Arg>, Halt> {
    if let Some(s) = value.as_str() {
        return Ok(Some(Arg::Str(s.to_owned())));
    }
    if let Some(d) = as_dtype(value) {
        return Ok(Some(Arg::Dtype(d)));
    }
    if let Some(s) = scalar(value) {
        return Ok(Some(Arg::Scalar(s)));
    }
    if let Some(ints) = as_ints(value) {
        return Ok(Some(Arg::Ints(ints)));
    }
    Ok(match tensors(machine, value)? {
        Some(list) if !matches!(value, Value::Tensor(_)) => Some(Arg::Tensors(list)),
        _ => tensor_like(machine, value)?.map(Arg::Tensor),
    })
}

fn scalar(value: &Value) -> Option<Scalar> {
    Some(match value.plain() {
        Value::Bool(b) => Scalar::Bool(b),
        Value::Int(i) => Scalar::Int(i),
        Value::Float(f) => Scalar::Float(f),
        Value::NpScalar(v, d) if d.is_float() => Scalar::Float(v),
        Value::NpScalar(v, Dtype::Bool) => Scalar::Bool(v != 0.0),
        Value::NpScalar(v, _) => Scalar::Int(v as i64),
        Value::Tensor(t) | Value::Array(t) => {
            let v = t.value().item()?;
            if t.dtype().is_float() {
                Scalar::Float(v)
            } else {
                Scalar::Int(v as i64)
            }
        }
        _ => return None,
    })
}

/// A list or tuple of tensors.
fn tensors(machine: &mut Machine, value: &Value) -> Result<Option<Vec<Variable>>, Halt> {
    let items = match value {
        Value::List(list) => list.items.borrow().clone(),
        Value::Tuple(tuple) => tuple.items.clone(),
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

/// What an operation gave, as a value.
pub fn result(machine: &Machine, out: Out) -> Value {
    match out {
        Out::One(v) => one(machine, v),
        Out::Many(all) => Value::tuple(all.into_iter().map(Value::Tensor).collect()),
        Out::Named(name, parts) => named(
            name,
            parts
                .into_iter()
                .map(|(n, v)| (n, Value::Tensor(v)))
                .collect(),
        ),
        Out::Bool(b) => Value::Bool(b),
        Out::Int(i) => Value::Int(i),
    }
}

/// A tensor; what was computed from Python numbers alone stays a number.
pub fn one(machine: &Machine, v: Variable) -> Value {
    if machine.strict() || !v.is_number() {
        return Value::Tensor(v);
    }
    number_value(v)
}

/// The Python number that a 0-d variable stands for, with its memory if it has one.
pub fn number_value(v: Variable) -> Value {
    let number = plain_number(v.value().item().unwrap_or(f64::NAN), v.dtype());
    if v.requires_grad() {
        Value::Number(Rc::new(Tracked {
            number,
            variable: v,
        }))
    } else {
        number
    }
}

/// `tensor.item()`.
pub fn plain_number(value: f64, dtype: Dtype) -> Value {
    match dtype {
        Dtype::Bool => Value::Bool(value != 0.0),
        Dtype::Uint8 | Dtype::Int32 | Dtype::Int64 => Value::Int(value as i64),
        Dtype::Float32 | Dtype::Float64 => Value::Float(value),
    }
}

fn numpy_result(out: Out) -> Value {
    match out {
        Out::One(v) => array_or_scalar(v),
        Out::Many(all) => Value::list(all.into_iter().map(array_or_scalar).collect()),
        // `a.max(axis)` of NumPy gives the values alone.
        Out::Named(name, mut parts) if parts.len() == 2 && parts[1].0 == "indices" => {
            let _ = name;
            array_or_scalar(parts.swap_remove(0).1)
        }
        Out::Named(name, parts) => named(
            name,
            parts
                .into_iter()
                .map(|(n, v)| (n, array_or_scalar(v)))
                .collect(),
        ),
        Out::Bool(b) => Value::Bool(b),
        Out::Int(i) => Value::NpScalar(i as f64, Dtype::Int64),
    }
}

/// NumPy's result: a scalar where there are no dimensions left.
pub fn array_or_scalar(v: Variable) -> Value {
    match (v.rank(), v.value().item()) {
        (0, Some(number)) => Value::NpScalar(number, v.dtype()),
        _ => Value::Array(v.detach()),
    }
}

/// A named tuple such as `torch.return_types.max`.
fn named(name: &'static str, parts: Vec<(&'static str, Value)>) -> Value {
    type Class = (&'static str, &'static [&'static str]);
    thread_local! {
        static KNOWN: RefCell<HashMap<&'static str, Class>> = RefCell::default();
    }
    let (full, fields) = KNOWN.with_borrow_mut(|known| {
        *known.entry(name).or_insert_with(|| {
            let fields: Vec<&'static str> = parts.iter().map(|(n, _)| *n).collect();
            let full = if name.contains('.') {
                name.to_owned()
            } else {
                format!("torch.return_types.{name}")
            };
            (
                Box::leak(full.into_boxed_str()),
                Box::leak(fields.into_boxed_slice()),
            )
        })
    });
    Value::Tuple(Rc::new(Tuple {
        items: parts.into_iter().map(|(_, v)| v).collect(),
        kind: TupleKind::Named(full, fields),
    }))
}
