//! Indexing tensors and arrays: `x[0]`, `x[:, 1:]`, `x[mask]`, `x[[0, 2]] = v`.

use num_traits::Signed;
use vjp_binder::readers::as_int;
use vjp_eval::values::number;
use vjp_eval::values::tensor_operators::from_array;
use vjp_eval::values::tensor_operators::nested::{Reader, check_detached, tensor_of};
use vjp_eval::values::tensor_operators::numpy_messages::of_index;
use vjp_eval::{Halt, Machine, Tried, Value, name_of, tp_name};
use vjp_maths::Variable;
use vjp_maths::autodiff::grad_mode::with_grad;
use vjp_ops::index::Index;
use vjp_ops::{batched, index};
use vjp_tensor::warnings::warn;
use vjp_tensor::{Complaint, Dtype, Fact, Kind, Outcome, Tensor, budget, torch_messages};

/// `this[key]` of a `Tensor` or `Array`.
pub fn get(machine: &mut Machine, this: &Value, key: &Value) -> Tried<Value> {
    if typed_code_index(key) {
        machine.indexed = true;
    }
    match this {
        Value::Tensor(t) => {
            for item in items(key) {
                if let Value::Tensor(t) = item {
                    batched::mask(t)?;
                }
            }
            let (parts, free) = (parts(t, key, Reader::Torch)?, chosen(t, key));
            Ok(Value::Tensor(match free.is_empty() {
                true => index::get(t, &parts)?,
                false => index::get_chosen(t, &parts, &free)?,
            }))
        }
        Value::Array(a) => {
            let parts = parts(a, key, Reader::Numpy)?;
            let part = with_grad(false, || index::get(a, &parts))
                .map_err(|c| of_index(numpy_words(c, a, key), None))?;
            let ints = parts.iter().all(|p| matches!(p, Index::Int(_)));
            match ints && parts.len() == a.rank() {
                true => Ok(from_array(part)),
                false => Ok(Value::Array(part)),
            }
        }
        other => {
            Err(Halt::new(Kind::Type, format!("'{}' object is not subscriptable", tp_name(other))))
        }
    }
}

/// `this[key] = value`.
pub fn set(machine: &mut Machine, this: &Value, key: &Value, value: Value) -> Tried<()> {
    if typed_code_index(key) {
        machine.indexed = true;
    }
    match this {
        Value::Tensor(t) => {
            let value = assigned(machine, t, &value, Reader::Torch)?;
            writes(t, key, &value)?;
            Ok(index::set(t, &parts(t, key, Reader::Torch)?, &value)?)
        }
        Value::Array(a) => {
            let value = assigned(machine, a, &value, Reader::Numpy)?;
            let parts = parts(a, key, Reader::Numpy)?;
            // NumPy reads all of it before it writes, as numbers of the array's type.
            let value = match value.shares_memory(a) || value.dtype() != a.dtype() {
                true => Variable::constant(value.value().to_dtype(a.dtype())),
                false => value,
            };
            Ok(with_grad(false, || index::set(a, &parts, &value))
                .map_err(|c| of_index(numpy_words(c, a, key), Some(&value)))?)
        }
        other => Err(Halt::new(
            Kind::Type,
            format!("'{}' object does not support item assignment", tp_name(other)),
        )),
    }
}

/// Refuses to write samples of a batch into what is none.
fn writes(t: &Variable, key: &Value, value: &Variable) -> Outcome<()> {
    let chosen = items(key).iter().filter_map(|k| match k {
        Value::Tensor(t) => Some(t),
        _ => None,
    });
    let list = items(key).iter().any(|k| matches!(k, Value::List(_)));
    let name = match chosen.clone().next() {
        None if !list => "copy",
        Some(i) if value.is_number() && i.dtype() != Dtype::Bool => "index_fill",
        _ => "index_put",
    };
    batched::write(name, t, chosen.chain([value]))
}

fn items(key: &Value) -> &[Value] {
    match key {
        Value::Tuple(tuple) => &tuple.items,
        one => std::slice::from_ref(one),
    }
}

/// Whether the person counts from 0 here, which a panel then explains.
fn typed_code_index(key: &Value) -> bool {
    match key {
        Value::Int(_) => true,
        Value::Tuple(t) => t.items.iter().any(|v| matches!(v, Value::Int(_))),
        _ => false,
    }
}

/// The dimensions along which values that depend on a leaf choose: `x[argmax(x)]`, `x[x > 0]`.
fn chosen(t: &Variable, key: &Value) -> Vec<usize> {
    let items = items(key);
    let taken = |item: &Value| match item {
        Value::None | Value::Bool(_) | Value::Ellipsis => 0,
        Value::Tensor(i) if i.dtype() == Dtype::Bool => i.rank(),
        _ => 1,
    };
    let given: usize = items.iter().map(taken).sum();
    let (mut dim, mut free) = (0, Vec::new());
    for item in items {
        let count = match item {
            Value::Ellipsis => t.rank().saturating_sub(given),
            other => taken(other),
        };
        if matches!(item, Value::Tensor(i) if t.requires_grad() && i.cut().is_some()) {
            free.extend(dim..dim + count);
        }
        dim += count;
    }
    free
}

/// What stands between the brackets.
fn parts(t: &Variable, key: &Value, reader: Reader) -> Outcome<Vec<Index>> {
    let strange = |v: &Value| matches!(v, Value::Str(_) | Value::Float(_) | Value::Dict(_));
    if reader == Reader::Torch && t.rank() == 0 && strange(key) {
        return Err(torch_messages::too_many_indices(0));
    }
    match key {
        Value::Tuple(tuple) => {
            let mut all = budget::each(tuple.items.len(), |k| part(&tuple.items[k], reader))?;
            // NumPy counts a whole number among the arrays of indices.
            let arrays = |part: &Index| matches!(part, Index::Tensor(t) if t.rank() > 0);
            if reader == Reader::Numpy && all.iter().any(arrays) {
                for part in &mut all {
                    if let Index::Int(i) = part {
                        let one = Tensor::new(&[1], vec![*i as f64]).with_dtype(Dtype::Int64);
                        *part = Index::Tensor(one);
                    }
                }
            }
            // `x[(slice(None),)]` is `x[:, ...]`: a slice of all makes no view of its own there.
            if matches!(all.as_slice(), [Index::Slice { .. }]) {
                all.push(Index::Ellipsis);
            }
            Ok(all)
        }
        Value::List(items)
            if reader == Reader::Torch && stands_for_tuple(&items.items.borrow()) =>
        {
            warn(
                "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch 2.9; use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, x[torch.tensor(seq)], which will result either in an error or a different result",
            );
            parts(t, &Value::tuple(items.items.borrow().to_vec()), reader)
        }
        other => Ok(vec![part(other, reader)?]),
    }
}

/// A short list that holds more than numbers, PyTorch takes for a tuple.
fn stands_for_tuple(items: &[Value]) -> bool {
    let more = |v: &Value| {
        matches!(
            v,
            Value::None
                | Value::Ellipsis
                | Value::Slice(_)
                | Value::Tensor(_)
                | Value::List(_)
                | Value::Tuple(_)
        )
    };
    items.len() < 32 && items.iter().any(more)
}

fn part(item: &Value, reader: Reader) -> Outcome<Index> {
    Ok(match item {
        Value::None => Index::None,
        Value::Ellipsis => Index::Ellipsis,
        Value::Bool(flag) => Index::Bool(*flag),
        Value::Slice(bounds) => slice(bounds, reader)?,
        Value::Tensor(i) | Value::Array(i) => {
            if i.dtype() == Dtype::Uint8 && reader == Reader::Torch {
                warn(
                    "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.",
                );
            }
            if matches!(i.dtype(), Dtype::Int8 | Dtype::Int16) && reader == Reader::Torch {
                return Err(Complaint::new(
                    Kind::Index,
                    "tensors used as indices must be long, int, byte or bool tensors",
                ));
            }
            // NumPy's masks are of bools alone.
            let byte = reader == Reader::Numpy && i.dtype() == Dtype::Uint8;
            Index::Tensor(if byte { i.value().to_dtype(Dtype::Int64) } else { i.value() })
        }
        Value::List(_) | Value::Range(_) | Value::Tuple(_) => {
            let read = tensor_of(item, Reader::Torch)?;
            let whole = reader == Reader::Torch && read.dtype().is_float();
            Index::Tensor(if whole || read.numel() == 0 {
                read.to_dtype(Dtype::Int64)
            } else {
                read
            })
        }
        Value::Str(_) if reader == Reader::Torch => {
            return Err(Complaint::new(Kind::Type, "new(): invalid data type 'str'"));
        }
        other => match other.as_int() {
            Some(i) => Index::Int(i),
            None if other.whole().is_some() && reader == Reader::Torch => {
                return Err(torch_messages::long_unpacked());
            }
            None => return Err(no_index(other, reader)),
        },
    })
}

fn no_index(value: &Value, reader: Reader) -> Box<Complaint> {
    Complaint::new(
        Kind::Index,
        match reader {
            Reader::Torch => format!(
                "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got {})",
                name_of(value)
            ),
            Reader::Numpy => "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices".to_owned(),
        },
    )
}

fn slice(bounds: &[Value; 3], reader: Reader) -> Outcome<Index> {
    let bound = |v: &Value| match v {
        Value::None => Ok(None),
        Value::Long(n) => Ok(Some(if n.is_negative() { i64::MIN } else { i64::MAX })),
        other => as_int(other).map(Some).ok_or_else(|| {
            Complaint::new(
                Kind::Type,
                "slice indices must be integers or None or have an __index__ method",
            )
        }),
    };
    let (start, stop, step) = (bound(&bounds[0])?, bound(&bounds[1])?, bound(&bounds[2])?);
    if step == Some(0) {
        return Err(Complaint::new(Kind::Value, "slice step cannot be zero"));
    }
    let Some(step) = step.filter(|s| *s < 0 && reader == Reader::Numpy) else {
        return Ok(Index::Slice { start, stop, step });
    };
    Ok(Index::Backward { start, stop, step: step.unsigned_abs() as usize })
}

/// The tensor that is written.
fn assigned(machine: &mut Machine, t: &Variable, value: &Value, reader: Reader) -> Tried<Variable> {
    match value {
        Value::Array(_) if reader == Reader::Torch && machine.strict() => {
            return Err(Halt::new(
                Kind::Type,
                format!("can't assign a numpy.ndarray to a {}", t.dtype().type_name()),
            ));
        }
        Value::Tensor(v) if reader == Reader::Numpy && machine.strict() => {
            // One number is read as a number.
            if v.rank() > 0 {
                check_detached(v)?;
            }
            return Ok(v.clone());
        }
        Value::Tensor(v) | Value::Array(v) => return Ok(v.clone()),
        Value::Number(n) => return Ok(n.variable.clone()),
        Value::Long(_) if reader == Reader::Torch => {
            return Err(torch_messages::long_unpacked().into());
        }
        Value::Long(_) if !t.dtype().is_float() => {
            return Err(vjp_eval::values::tensor_operators::nested::too_long_for_numpy().into());
        }
        Value::Long(_) => {
            number::float(value)?;
        }
        _ => {}
    }
    if let Some(v) = value.as_float() {
        let number = match (reader, value.plain()) {
            (Reader::Numpy, Value::Int(i)) if t.dtype() == Dtype::Int64 => {
                Tensor::from_whole(&[], vec![i], Dtype::Int64)
            }
            (Reader::Numpy, _) => Tensor::number(t.dtype().cast(v), t.dtype()),
            (Reader::Torch, _) => crate::constructors::filling(value, v, t.dtype())?,
        };
        return Ok(Variable::constant(number.with_weak(true)));
    }
    if reader == Reader::Numpy {
        return Ok(Variable::constant(tensor_of(value, Reader::Numpy)?));
    }
    match vjp_binder::readers::tensor_like(machine, value)? {
        Some(v) => Ok(v),
        None => Err(Halt::new(
            Kind::Type,
            format!("can't assign a {} to a {}", name_of(value), t.dtype().type_name()),
        )),
    }
}

/// How many dimensions an index takes: a mask all of its own.
fn dimensions(key: &Value) -> usize {
    match key {
        Value::None | Value::Ellipsis => 0,
        Value::Array(a) if a.dtype() == Dtype::Bool => a.rank(),
        _ => 1,
    }
}

/// NumPy's sentences for PyTorch's.
fn numpy_words(complaint: Box<Complaint>, a: &Variable, key: &Value) -> Box<Complaint> {
    let message = match complaint.fact {
        Fact::OutOfBounds { index, axis, size } => {
            format!("index {index} is out of bounds for axis {axis} with size {size}")
        }
        Fact::TooManyIndices => format!(
            "too many indices for array: array is {}-dimensional, but {} were indexed",
            a.rank(),
            match key {
                Value::Tuple(t) => t.items.iter().map(dimensions).sum(),
                _ => 1,
            }
        ),
        _ => return complaint,
    };
    Complaint::new(complaint.kind, message)
}
