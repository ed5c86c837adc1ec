//! Attributes and methods of NumPy arrays and scalars.

use crate::dtype::{ArrayType, wanted, width};
use std::rc::Rc;
use vjp_binder::catalogue::Form;
use vjp_binder::numpy_call::{array_or_scalar, in_order};
use vjp_binder::readers::as_ints;
use vjp_binder::results::bound;
use vjp_binder::{Given, catalogue};
use vjp_eval::library::builtins;
use vjp_eval::values::tensor_operators::numpy_messages::words;
use vjp_eval::{Args, At, Machine, Tried, Value, raise};
use vjp_maths::Variable;
use vjp_maths::autodiff::grad_mode::with_grad;
use vjp_ops::{Arg, Bound, Forms, Out};
use vjp_tensor::{Kind, Tensor, with_numbers};
use vjp_text::Symbol;
use vjp_torch::tensor_methods::nested_list;

builtins! {
    /// Methods that differ from those of tensors.
    pub static BUILTINS in "ndarray";
    "item" "(a, args=None)" item, "Returns the element of a one-element array as a Python number.";
    "tolist" "(a)" tolist, "Converts to nested lists of Python numbers.";
    "copy" "(a, order=None)" copy, "Returns a copy with separate memory.";
    "astype" "(a, dtype, copy=True)" |m, a| crate::create::ordered(m, a, astype), "Converts to another type.";
    "transpose" "(a, int[] axes=None)" transpose, "Reverses the axes, or puts them in the given order.";
    "round" "(a, int decimals=0)" crate::functions::round, "Rounds to the given number of decimals.";
    "repeat" "(a, repeats, axis=None)" crate::functions::repeat, "Repeats each element.";
    "dot" "(a, b, out=None)" crate::functions::dot, "Multiplies vectors or matrices.";
    "cumsum" "(a, axis=None, dtype=None, out=None)" |m, a| crate::functions::cumulative(m, a, "cumsum"), "Cumulative sums.";
    "cumprod" "(a, axis=None, dtype=None, out=None)" |m, a| crate::functions::cumulative(m, a, "cumprod"), "Cumulative products.";
    "fill" "(a, value)" fill, "Sets every element to one number.";
    "view" "(a, dtype=None, type=None)" view, "The same memory as another array, its bytes read as another type.";
    "flatten" "(a, order=None)" flatten, "Copies all elements into one dimension.";
    "sort" "(a, axis=-1, kind=None, order=None, stable=None)" crate::sort::sort_here, "Sorts the elements in place.";
    "partition" "(a, kth, axis=-1, kind=None, order=None)" crate::sort::sort_here, "Puts the k-th element where a sort puts it.";
    "resize" "(a, *new_shape, refcheck=True)" resize, "Gives the array another size in place, with zeros at the end.";
}

/// Methods that arrays have and that do as those of tensors; outside strict all others work too.
const SHARED: &[&str] = &[
    "all", "any", "argmax", "argmin", "argsort", "clip", "cumprod", "cumsum", "diagonal", "max",
    "mean", "min", "prod", "ravel", "reshape", "squeeze", "sum", "trace", "T", "mT",
];

/// Methods that functions of the library's pages carry out.
const PAGED: &[&str] = &[
    "choose",
    "conj",
    "conjugate",
    "nonzero",
    "argpartition",
    "ptp",
    "put",
    "searchsorted",
    "swapaxes",
    "take",
    "std",
    "var",
];

/// An attribute of an array or a NumPy scalar.
pub fn attribute(machine: &mut Machine, this: &Value, name: &str) -> Tried<Option<Value>> {
    let array = match this {
        Value::Array(a) => a.clone(),
        Value::NpScalar(v, dtype) => Variable::constant(Tensor::scalar(*v).with_dtype(*dtype)),
        _ => return Ok(None),
    };
    let shape = array.shape();
    let ints =
        |items: &[usize]| Value::tuple(items.iter().map(|n| Value::Int(*n as i64)).collect());
    Ok(Some(match name {
        "shape" => ints(&shape),
        "ndim" => Value::Int(shape.len() as i64),
        "size" => Value::Int(array.numel() as i64),
        "itemsize" => Value::Int(width(array.dtype())),
        "nbytes" => Value::Int(width(array.dtype()) * array.numel() as i64),
        "dtype" => ArrayType::value(array.dtype()),
        "real" => this.clone(),
        "imag" | "flat" | "T" | "copy" | "squeeze" if matches!(this, Value::NpScalar(..)) => {
            let page = vjp_eval::library::prelude::get("numpy", Symbol::new("_of_number"));
            let name = Value::str(Symbol::new(name).as_str());
            let site = machine.here();
            let page = page.unwrap_or(Value::None);
            return machine.call_with(&page, vec![this.clone(), name], &site).map(Some);
        }
        "imag" => Value::Array(Variable::constant(Tensor::filled(&shape, 0.0, array.dtype())?)),
        "base" => array.base().map_or(Value::None, Value::Array),
        // Bytes from one element to the next, by dimension.
        "strides" => {
            let steps = array.layout().strides;
            let bytes = |s: &usize| Value::Int(width(array.dtype()).saturating_mul(*s as i64));
            Value::tuple(steps.iter().map(bytes).collect())
        }
        "is_integer" | "as_integer_ratio" | "hex" | "bit_length"
            if matches!(this, Value::NpScalar(..)) =>
        {
            let number = array.value().item_scalar().map_or(Value::None, Value::from);
            return Ok(vjp_python::method(name, &number));
        }
        "flags" => {
            let turned: Vec<i64> = (0..shape.len() as i64).rev().collect();
            let turned = vjp_ops::arrange::layout::permute(&array, &turned)?;
            let flags = [
                array.layout().is_contiguous(),
                turned.layout().is_contiguous(),
                array.base().is_none(),
            ];
            let class = vjp_eval::library::prelude::get("numpy", Symbol::new("_Flags"));
            let site = machine.here();
            let flags = flags.into_iter().map(Value::Bool).collect();
            return machine.call_with(&class.unwrap_or(Value::None), flags, &site).map(Some);
        }
        "flat" if array.layout().is_contiguous() => {
            catalogued(&array, "flatten", Forms::METHOD)?.unwrap_or(Value::None)
        }
        "flat" => {
            let class = vjp_eval::library::prelude::get("numpy", Symbol::new("_Flat"));
            let site = machine.here();
            let class = class.unwrap_or(Value::None);
            return machine.call_with(&class, vec![this.clone()], &site).map(Some);
        }
        _ => {
            if let Some(own) = BUILTINS.iter().find(|b| b.name == name) {
                return Ok(Some(bound(&Value::Array(array), own)));
            }
            if let Some(value) = catalogued(&array, name, Forms::ATTRIBUTE)? {
                return Ok(Some(value));
            }
            if PAGED.contains(&name) {
                let function = vjp_eval::library::prelude::get("numpy", Symbol::new(name));
                return Ok(
                    function.map(|f| Value::BoundFunction(Rc::new((f, Value::Array(array)))))
                );
            }
            if machine.strict() && !SHARED.contains(&name) {
                return Ok(None);
            }
            let Some(entry) = catalogue::entry(name, Forms::METHOD) else {
                return Ok(None);
            };
            let kept = Symbol::new(name).as_str();
            let method = catalogue::builtin(kept, entry, Form::ArrayMethod, "ndarray");
            bound(&Value::Array(array), method)
        }
    }))
}

/// An operation of one argument.
fn catalogued(array: &Variable, name: &str, form: Forms) -> Tried<Option<Value>> {
    let Some(entry) = catalogue::entry(name, form) else {
        return Ok(None);
    };
    let mut args = Bound::new(entry.name, vec![Arg::Tensor(array.clone())]);
    match with_grad(false, || entry.call.run(&mut args))? {
        // `.T` shares the memory, so no scalar is made of it.
        Out::One(v) => Ok(Some(Value::Array(v))),
        _ => Ok(None),
    }
}

/// `a.name = value`.
///
/// # Errors
/// A shape of another size.
pub fn set_attribute(this: &Value, name: &str, value: &Value) -> Tried<bool> {
    match (this, name) {
        (Value::Array(a), "shape") => {
            let wanted = as_ints(value).unwrap_or_default();
            let new = vjp_ops::arrange::layout::reshape(a, &wanted);
            a.set_data(&new.map_err(|refused| words(refused, "reshape", &[a]))?);
        }
        (Value::Array(a), "flat") => {
            let given = crate::create::read(value)?.value();
            let all = given.data().iter().copied().cycle().take(a.numel());
            let all = Tensor::new(&a.shape(), vjp_tensor::budget::unless_stopped(all).collect());
            a.copy(&Variable::constant(all.with_dtype(given.dtype())))?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn taken(args: Args) -> Tried<(Variable, Given)> {
    let g = Given::of_method(args)?;
    match g.raw(0) {
        Some(Value::Array(a) | Value::Tensor(a)) => Ok((a, g)),
        _ => raise!("{}() was called without its entry", g.name),
    }
}

fn item(machine: &mut Machine, args: Args) -> Tried<Value> {
    if args.positional.len() > 1 {
        let page = vjp_eval::library::prelude::get("numpy", Symbol::new("_item"));
        return machine.call(&page.unwrap_or(Value::None), args);
    }
    let (a, _) = taken(args)?;
    match a.value().item_scalar() {
        Some(v) if a.numel() == 1 => Ok(v.into()),
        _ => raise!(Kind::Value, "can only convert an array of size 1 to a Python scalar"),
    }
}

fn tolist(_: &mut Machine, args: Args) -> Tried<Value> {
    let (a, _) = taken(args)?;
    let value = a.value();
    Ok(with_numbers!(value, data => nested_list(value.shape(), data, value.dtype()))?)
}

fn copy(_: &mut Machine, args: Args) -> Tried<Value> {
    let (a, g) = taken(args)?;
    Ok(Value::Array(match g.raw(1) {
        Some(order) if order.as_str() == Some("F") => crate::create::by_columns(&a)?,
        _ => Variable::constant(a.value()),
    }))
}

fn astype(machine: &mut Machine, args: Args) -> Tried<Value> {
    if args.positional.get(1).is_some_and(crate::words::is_type) {
        return Ok(crate::words::array(machine, &args)?.unwrap_or(Value::None));
    }
    let (a, g) = taken(args)?;
    let target = g.raw(1).unwrap_or(Value::None);
    let dtype = wanted(&target)?;
    Ok(array_or_scalar(Variable::constant(a.value().to_dtype(dtype))))
}

fn transpose(_: &mut Machine, args: Args) -> Tried<Value> {
    let (a, g) = taken(args)?;
    let rank = a.rank() as i64;
    let axes = g.ints("axes")?.unwrap_or_else(|| (0..rank).rev().collect());
    let new = vjp_ops::arrange::layout::permute(&a, &axes).at(g.site.span)?;
    Ok(Value::Array(new))
}

fn fill(_: &mut Machine, args: Args) -> Tried<Value> {
    let (a, g) = taken(args)?;
    let number = g.float("value")?.unwrap_or(0.0);
    let tensor = Tensor::filled(&a.shape(), number, a.dtype()).at(g.site.span)?;
    a.copy(&Variable::constant(tensor)).at(g.site.span)?;
    Ok(Value::None)
}

fn view(_: &mut Machine, args: Args) -> Tried<Value> {
    let (a, g) = taken(args)?;
    let Some(dtype) = g.value("dtype") else {
        let axes: Vec<i64> = (0..a.rank() as i64).collect();
        return Ok(Value::Array(vjp_ops::arrange::layout::permute(&a, &axes)?));
    };
    let dtype = wanted(&dtype)?;
    let (old, new) = (width(a.dtype()), width(dtype));
    let row = old * a.shape().last().map_or(1, |n| *n as i64);
    if new > old && row % new != 0 {
        raise!(
            Kind::Value,
            "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis of the array."
        );
    }
    let Some(entry) = catalogue::entry("view", Forms::METHOD) else { return Ok(Value::None) };
    let mut bound = Bound::new(entry.name, vec![Arg::Tensor(a), Arg::Dtype(dtype)]);
    bound.overload = 1;
    match with_grad(false, || entry.call.run(&mut bound)).at(g.site.span)? {
        Out::One(v) => Ok(Value::Array(v)),
        _ => Ok(Value::None),
    }
}

/// `a.resize(2, 3)`.
fn resize(_: &mut Machine, mut args: Args) -> Tried<Value> {
    args.take("refcheck");
    let shape = Value::tuple(args.positional.split_off(1.min(args.positional.len())));
    let Some(Value::Array(a)) = args.positional.first() else { return Ok(Value::None) };
    let shape = crate::create::sizes(&shape)?;
    let (old, count) = (a.value(), vjp_tensor::shape::count(&shape).at(args.site.span)?);
    let data = old.data();
    let data = vjp_tensor::budget::listed(count, |i| data.get(i).copied().unwrap_or(0.0))?;
    a.set_data(&Variable::constant(Tensor::new(&shape, data).with_dtype(old.dtype())));
    Ok(Value::None)
}

fn flatten(_: &mut Machine, args: Args) -> Tried<Value> {
    let (a, g) = taken(args)?;
    let a = match g.raw(1) {
        Some(order) => in_order(&a, order.as_str().unwrap_or("C")).at(g.site.span)?,
        None => a,
    };
    let value = a.value();
    Ok(Value::Array(Variable::constant(value.reshaped(&[value.numel()]))))
}
