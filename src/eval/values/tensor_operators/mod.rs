//! Operators on tensors and arrays: the catalogue's operations under their signs, also `x += y` in place.

pub mod beside_arrays;
pub mod nested;
pub mod numpy_errors;
pub mod numpy_messages;

use crate::values::number;
use crate::values::value::List;
use crate::{Machine, Tried, Value, leaf};
use nested::Reader;
use num_traits::ToPrimitive;
use std::cell::Cell;
use vjp_maths::autodiff::grad_mode;
use vjp_maths::observe::value_reads;
use vjp_maths::{Variable, table};
use vjp_ops::{Arg, Bound, Entry, Out, Scalar};
use vjp_syntax::ast::{BinaryOp, CompareOp, UnaryOp};
use vjp_tensor::matrix::as_numpy;
use vjp_tensor::{Complaint, Dtype, Kind, Outcome, Tensor, budget, mixed_dtypes, torch_messages};

thread_local! {
    /// The catalogue's entry of each operator, looked up once.
    static ENTRIES: [Cell<Option<&'static Entry>>; OPERATORS] = const { [const { Cell::new(None) }; OPERATORS] };
}

const OPERATORS: usize = BinaryOp::ShiftRight as usize + 1;

/// `a op b` by the catalogue.
fn operate(op: BinaryOp, a: Arg, b: Arg) -> Outcome<Variable> {
    if [&a, &b].iter().any(|x| matches!(x, Arg::Tensor(t) if t.is_uninitialized())) {
        return Err(vjp_tensor::torch_messages::uninitialized_in(name(op)));
    }
    let entry = ENTRIES.with(|entries| {
        let slot = &entries[op as usize];
        if slot.get().is_none() {
            slot.set(vjp_ops::operation(name(op)));
        }
        slot.get()
    });
    match entry {
        Some(entry) => one(entry.name, carried_out(entry, vec![a, b])?),
        None => call(name(op), vec![a, b]),
    }
}

/// The catalogue's name of an operator.
pub(crate) fn name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        BinaryOp::Div => "div",
        BinaryOp::FloorDiv => "floor_divide",
        BinaryOp::Mod => "remainder",
        BinaryOp::MatMul => "matmul",
        BinaryOp::Pow => "pow",
        BinaryOp::BitAnd => "bitwise_and",
        BinaryOp::BitOr => "bitwise_or",
        BinaryOp::BitXor => "bitwise_xor",
        BinaryOp::ShiftLeft => "bitwise_left_shift",
        BinaryOp::ShiftRight => "bitwise_right_shift",
    }
}

fn comparison(op: CompareOp) -> Option<&'static str> {
    Some(match op {
        CompareOp::Eq => "eq",
        CompareOp::Ne => "ne",
        CompareOp::Lt => "lt",
        CompareOp::Le => "le",
        CompareOp::Gt => "gt",
        CompareOp::Ge => "ge",
        _ => return None,
    })
}

/// A tensor, an array or a NumPy scalar.
pub(crate) fn is_array(v: &Value) -> bool {
    matches!(v, Value::Tensor(_) | Value::Array(_) | Value::NpScalar(..))
}

/// Whether arithmetic with a tensor or a vector makes sense of a value.
pub(crate) fn takes(m: &Machine, v: &Value) -> bool {
    is_array(v) || v.is_number() || m.is_vector(v)
}

/// Calls an operation of the catalogue that gives one tensor.
///
/// # Errors
/// What the operation says; NotImplementedError where there is none of that name.
pub fn call(name: &'static str, args: Vec<Arg>) -> Outcome<Variable> {
    one(name, call_any(name, args)?)
}

fn one(name: &'static str, out: Out) -> Outcome<Variable> {
    match out {
        Out::One(v) => Ok(v),
        Out::Many(list) if list.len() == 1 => Ok(list[0].clone()),
        Out::Bool(b) => Ok(Variable::constant(Tensor::number(f64::from(u8::from(b)), Dtype::Bool))),
        Out::Int(i) => Ok(Variable::constant(Tensor::number(i as f64, Dtype::Int64))),
        Out::Many(_) | Out::Named(..) => {
            Err(Complaint::new(Kind::Type, format!("{name} gives several tensors")))
        }
    }
}

/// [`call`] with any kind of result.
pub fn call_any(name: &'static str, args: Vec<Arg>) -> Outcome<Out> {
    let Some(entry) = vjp_ops::operation(name) else {
        return Err(Complaint::absent(name));
    };
    carried_out(entry, args)
}

fn carried_out(entry: &'static Entry, args: Vec<Arg>) -> Outcome<Out> {
    entry.carry_out(&mut Bound::new(entry.name, args))
}

/// `a op b` of two variables.
pub(crate) fn compute(op: BinaryOp, a: &Variable, b: &Variable) -> Outcome<Variable> {
    operate(op, Arg::Tensor(a.clone()), Arg::Tensor(b.clone()))
}

pub(crate) fn negate(v: &Variable) -> Outcome<Variable> {
    table::neg(v)
}

/// An operand for the catalogue.
fn operand(v: &Value, other: Option<Dtype>) -> Tried<Arg> {
    let numbers_only = other.is_some_and(|d| !d.is_float());
    Ok(match v {
        // Whole numbers beside whole numbers give whole numbers, which have no slope.
        Value::Number(n)
            if !grad_mode::is_grad_enabled() || (numbers_only && n.number().is_int()) =>
        {
            value_reads::taken(&n.variable);
            scalar(&n.number(), other)?
        }
        Value::Number(n) => Arg::Tensor(n.variable.clone()),
        Value::Int(_) | Value::Long(_) | Value::Float(_) | Value::Bool(_) => scalar(v, other)?,
        Value::NpScalar(x, d) => Arg::Scalar(match d {
            Dtype::Bool => Scalar::Bool(*x != 0.0),
            d if d.is_float() => Scalar::Float(*x),
            _ => Scalar::Int(*x as i64),
        }),
        Value::Tensor(t) | Value::Array(t) => Arg::Tensor(t.clone()),
        other => Arg::Tensor(leaf::stacked(other)?),
    })
}

/// A Python number; PyTorch takes ints of 64 bits, with a sign or without.
fn scalar(v: &Value, beside: Option<Dtype>) -> Outcome<Arg> {
    Ok(Arg::Scalar(match v {
        Value::Bool(b) => Scalar::Bool(*b),
        Value::Int(i) => Scalar::Int(*i),
        Value::Long(n) => match (n.to_u64(), beside) {
            (_, None) => Scalar::Float(number::float(v)?),
            (Some(u), Some(d)) if d.is_float() => Scalar::Float(u as f64),
            (Some(u), _) => Scalar::Int(u as i64),
            (None, _) => return Err(torch_messages::long_converted()),
        },
        other => Scalar::Float(number::float(other)?),
    }))
}

fn dtype_of(v: &Value) -> Option<Dtype> {
    match v {
        Value::Tensor(t) | Value::Array(t) => Some(t.dtype()),
        _ => None,
    }
}

/// `a op b` where one of them is a tensor, an array or a vector; None where Python would say that
/// the operands do not go together.
pub(crate) fn binary(m: &mut Machine, op: BinaryOp, a: &Value, b: &Value) -> Tried<Option<Value>> {
    if !matches!((a, b), (Value::Tensor(_), _) | (_, Value::Tensor(_)))
        && (is_array(a) || is_array(b))
    {
        let found = numpy(op, a, b)?;
        if let Some(found) = &found {
            numpy_errors::of_operator(m.library.numpy_raises, op, [a, b], found)?;
        }
        return Ok(found);
    }
    if m.options.strict && beside_arrays::are_mixed(a, b) {
        return beside_arrays::binary(op, a, b);
    }
    if !takes(m, a) || !takes(m, b) {
        return Ok(None);
    }
    if op == BinaryOp::MatMul && (a.is_number() || b.is_number()) {
        return Ok(None);
    }
    let x = operand(a, dtype_of(b))?;
    let y = operand(b, dtype_of(a))?;
    // PyTorch's own ways for a number on the left.
    let left_number = a.is_number() || matches!(a, Value::NpScalar(..));
    let v = match op {
        BinaryOp::Sub if left_number && vjp_ops::operation("rsub").is_some() => {
            call("rsub", vec![y, x])?
        }
        BinaryOp::Div if left_number && dtype_of(b).is_none_or(Dtype::is_float) => {
            let inverse = call("reciprocal", vec![y])?;
            call("mul", vec![Arg::Tensor(inverse), x])?
        }
        _ => operate(op, x, y)?,
    };
    Ok(Some(Value::Tensor(v)))
}

/// NumPy's operators: arrays with arrays, numbers and lists.
fn numpy(op: BinaryOp, a: &Value, b: &Value) -> Tried<Option<Value>> {
    let (Some(x), Some(y)) = (array_operand(a, Some(b))?, array_operand(b, Some(a))?) else {
        return Ok(None);
    };
    if op == BinaryOp::Pow
        && !x.dtype().is_float()
        && !y.dtype().is_float()
        && y.value().data().iter().any(|v| *v < 0.0)
    {
        crate::raise!(Kind::Value, "Integers to negative integer powers are not allowed.");
    }
    let bits = name(op).strip_prefix("bitwise_");
    if let Some(bits) = bits.filter(|_| x.dtype().is_float() || y.dtype().is_float()) {
        let ufunc = match bits {
            "left_shift" | "right_shift" => bits.to_owned(),
            _ => format!("bitwise_{bits}"),
        };
        crate::raise!(
            Kind::Type,
            "ufunc '{ufunc}' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''"
        );
    }
    if op == BinaryOp::MatMul {
        numpy_messages::check_product(&x, &y)?;
    }
    let mixed = mixed_dtypes::allow(true);
    let v = as_numpy(|| grad_mode::with_grad(false, || compute(op, &x, &y)));
    mixed_dtypes::allow(mixed);
    mixed_dtypes::take_happened();
    let product = op == BinaryOp::MatMul;
    let v = v.map_err(|c| numpy_messages::shapes_differ(c, product, &x, &y))?;
    Ok(Some(from_array(v)))
}

/// An array result: NumPy gives scalars where no dimension is left.
pub fn from_array(v: Variable) -> Value {
    match (v.rank(), v.value().long()) {
        (0, Some(all)) => Value::Int(all[0]),
        (0, None) => Value::NpScalar(v.value().item().unwrap_or(0.0), v.dtype()),
        _ => Value::Array(v),
    }
}

/// An operand as NumPy takes it; numbers stay weak, lists become arrays. `beside`: what it is computed
/// with, which must hold an int.
fn array_operand(v: &Value, beside: Option<&Value>) -> Tried<Option<Variable>> {
    Ok(Some(match v {
        Value::Array(t) | Value::Tensor(t) => t.clone(),
        Value::NpScalar(x, d) => Variable::constant(Tensor::scalar(*x).to_dtype(*d)),
        Value::Number(n) => return array_operand(&n.number(), beside),
        Value::Bool(_) => constant(v, Dtype::Bool)?,
        Value::Int(i) => {
            Variable::constant(Tensor::from_whole(&[], vec![*i], Dtype::Int64).with_weak(true))
        }
        Value::Long(_) if beside.is_some_and(holds_ints) => {
            return Err(nested::too_long_for_numpy().into());
        }
        Value::Long(_) | Value::Float(_) => constant(v, Dtype::Float64)?,
        Value::List(_) | Value::Tuple(_) => match nested::tensor_of(v, Reader::Numpy) {
            Ok(t) => Variable::constant(t),
            Err(refused) if refused.kind == Kind::Type => return Ok(None),
            Err(other) => return Err(other.into()),
        },
        _ => return Ok(None),
    }))
}

/// Whether NumPy's value has integers or bools.
fn holds_ints(v: &Value) -> bool {
    match v {
        Value::NpScalar(_, d) => !d.is_float(),
        other => dtype_of(other).is_some_and(|d| !d.is_float()),
    }
}

fn constant(v: &Value, dtype: Dtype) -> Outcome<Variable> {
    Ok(Variable::constant(Tensor::number(number::float(v)?, dtype)))
}

/// `-x`, `+x`, `~x`.
pub(crate) fn unary(op: UnaryOp, v: &Value) -> Tried<Value> {
    let name = match op {
        UnaryOp::Minus => "neg",
        UnaryOp::Plus => return Ok(v.clone()),
        UnaryOp::Invert => "bitwise_not",
    };
    Ok(match v {
        Value::Tensor(t) if op == UnaryOp::Minus => Value::Tensor(table::neg(t)?),
        Value::Array(_) | Value::NpScalar(..) => {
            let Some(x) = array_operand(v, None)? else {
                return Ok(v.clone());
            };
            from_array(as_numpy(|| call(name, vec![Arg::Tensor(x)]))?)
        }
        other => {
            let x = leaf::stacked(other)?;
            if op == UnaryOp::Invert && x.dtype().is_float() {
                crate::raise!(
                    Kind::Type,
                    "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
                );
            }
            Value::Tensor(call(name, vec![Arg::Tensor(x)])?)
        }
    })
}

/// `a < b` of tensors and arrays, elementwise; None where they do not compare.
pub(crate) fn compare(
    m: &mut Machine,
    op: CompareOp,
    a: &Value,
    b: &Value,
) -> Tried<Option<Value>> {
    let Some(name) = comparison(op) else {
        return Ok(None);
    };
    if m.options.strict
        && beside_arrays::are_mixed(a, b)
        && let Some(found) = beside_arrays::compare(op)
    {
        return Ok(found);
    }
    let tensors = matches!((a, b), (Value::Tensor(_), _) | (_, Value::Tensor(_)));
    if tensors || !(is_array(a) || is_array(b)) {
        if !takes(m, a) || !takes(m, b) {
            return Ok(None);
        }
        let (x, y) = (operand(a, dtype_of(b))?, operand(b, dtype_of(a))?);
        // The catalogue compares a tensor with whatever; a number on the left becomes one.
        return Ok(Some(Value::Tensor(call(name, vec![tensor(x), y])?)));
    }
    let (x, y) = match (array_operand(a, None)?, array_operand(b, None)?) {
        (Some(x), Some(y)) => (x, y),
        // No number equals what is none.
        (Some(x), None) | (None, Some(x)) if matches!(op, CompareOp::Eq | CompareOp::Ne) => {
            let differs = f64::from(u8::from(op == CompareOp::Ne));
            let all = Tensor::filled(&x.shape(), differs, Dtype::Bool)?;
            return Ok(Some(from_array(Variable::constant(all))));
        }
        _ => return Ok(None),
    };
    let v = as_numpy(|| call(name, vec![Arg::Tensor(x.clone()), Arg::Tensor(y.clone())]));
    let v = v.map_err(|c| numpy_messages::shapes_differ(c, false, &x, &y))?;
    Ok(Some(from_array(v)))
}

fn tensor(arg: Arg) -> Arg {
    match arg {
        Arg::Scalar(s) => Arg::Tensor(Variable::constant(s.tensor())),
        other => other,
    }
}

/// Elements of a list as values again: what an in-place update of a list leaf writes back.
pub(crate) fn unstack(tensor: &Tensor, whole: bool) -> Value {
    fn part(shape: &[usize], data: &[f64], whole: bool) -> Value {
        match shape.split_first() {
            None => match data.first() {
                Some(v) if whole => Value::Int(*v as i64),
                Some(v) => Value::Float(*v),
                None => Value::None,
            },
            Some((&n, rest)) => {
                let size: usize = rest.iter().product();
                let parts = (0..n).map(|i| part(rest, &data[i * size..(i + 1) * size], whole));
                let list = List::shared(budget::unless_stopped(parts).collect());
                list.numeric.set(true);
                Value::List(list)
            }
        }
    }
    part(tensor.shape(), tensor.data(), whole)
}

impl Machine {
    /// `x += y` on a tensor or an array: written in place; None where Python falls back to `x = x + y`.
    pub(crate) fn in_place(
        &mut self,
        op: BinaryOp,
        old: &Value,
        operand: &Value,
    ) -> Tried<Option<Value>> {
        let (Value::Tensor(x) | Value::Array(x)) = old else {
            return Ok(None);
        };
        if Variable::have_classes()
            && let Some(made) = self.tensor_class_in_place(op, old, operand)?
        {
            return Ok(Some(made));
        }
        let mixed = self.options.strict && beside_arrays::are_mixed(old, operand);
        if op == BinaryOp::MatMul || mixed {
            return Ok(None);
        }
        let with = matches!(operand, Value::Tensor(v) if v.requires_grad());
        x.check_writable(with)?;
        if matches!(old, Value::Tensor(_)) {
            let beside = if let Value::Tensor(v) = operand { Some(v) } else { None };
            vjp_ops::batched::write(name(op), x, beside.iter().copied())?;
            vjp_maths::inplace::overlap::check(name(op), x, beside.as_slice())?;
        }
        let result = match self.binary(op, old, operand)? {
            Value::Tensor(r) | Value::Array(r) => r,
            Value::NpScalar(r, d) => Variable::constant(Tensor::scalar(r).to_dtype(d)),
            _ => return Ok(None),
        };
        if matches!(old, Value::Array(_)) && !result.dtype().can_cast(x.dtype()) {
            let refused = numpy_messages::cannot_cast(name(op), result.dtype(), x.dtype());
            return Err(refused.into());
        }
        x.update(&result)?;
        Ok(Some(old.clone()))
    }
}
