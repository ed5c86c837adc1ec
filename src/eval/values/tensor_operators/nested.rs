//! Numbers in nested lists, as `torch.tensor` and `np.array` read them.

use crate::Value;
use crate::values::class_names::name_of as type_name;
use crate::values::containers::find;
use crate::values::number;
use vjp_maths::Variable;
use vjp_maths::autodiff::grad_mode::is_grad_enabled;
use vjp_tensor::exact_integers::is_exact;
use vjp_tensor::storage::numbers::Stored;
use vjp_tensor::{
    Complaint, Dtype, Kind, Outcome, Scalar, Tensor, budget, complain, torch_messages, with_numbers,
};
use vjp_text::Symbol;

/// Which library reads, for its words and its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    Torch,
    Numpy,
}

/// More dimensions than any tensor has: a list that holds itself ends here.
pub const DEEPEST: usize = 64;

/// The tensor of numbers, nested lists and tuples of them, tensors, arrays. The memory of how
/// they were computed is lost, as in PyTorch.
///
/// # Errors
/// Ragged lists; elements that are not numbers.
pub fn tensor_of(value: &Value, reader: Reader) -> Outcome<Tensor> {
    let float = match reader {
        Reader::Torch => vjp_tensor::tensor::default_dtype(),
        Reader::Numpy => Dtype::Float64,
    };
    read_with(value, reader, float, None)
}

/// The same in full precision, for whoever names the type `wanted` that it is rounded to then.
pub fn unrounded(value: &Value, reader: Reader, wanted: Dtype) -> Outcome<Tensor> {
    read_with(value, reader, Dtype::Float64, Some(wanted))
}

fn read_with(
    value: &Value,
    reader: Reader,
    float: Dtype,
    wanted: Option<Dtype>,
) -> Outcome<Tensor> {
    crate::leaf::taken(value);
    let shape = shape_of(value, reader)?;
    let count = vjp_tensor::shape::count(&shape)?;
    let data = budget::vec(count)?;
    let mut read = Read { reader, float, data, whole: Vec::new(), dtype: None, long: false };
    read.store(value, &shape, 0)?;
    let dtype = read.dtype.unwrap_or(float);
    let into = wanted.unwrap_or(dtype);
    // NumPy would make an array of Python's ints, unless floats are asked for.
    let held = match (reader, wanted) {
        (Reader::Numpy, None) => false,
        _ => into.is_float() || into == Dtype::Bool,
    };
    if read.long && !held {
        return Err(match reader {
            Reader::Torch => torch_messages::long_unpacked(),
            Reader::Numpy => too_long_for_numpy(),
        });
    }
    Ok(match read.whole.is_empty() || dtype.is_float() {
        true => Tensor::typed(&shape, read.data, dtype),
        false => Tensor::from_whole(&shape, read.whole, dtype),
    })
}

/// The list in an instance of a class that derives from it, and in a deque.
pub fn sequence(value: &Value) -> Value {
    match value {
        Value::Instance(i) if i.class().name.as_str() == "deque" => {
            find(&i.attributes, Symbol::new("_items")).unwrap_or_else(|| value.clone())
        }
        Value::Instance(i) if i.class().name.as_str() == "TypedStorage" => {
            find(&i.attributes, Symbol::new("_all")).unwrap_or_else(|| value.clone())
        }
        other => other.base(),
    }
}

/// How many elements a sequence has, and the first; None for what is a single number.
fn measured(value: &Value) -> Option<(usize, Option<Value>)> {
    match value {
        Value::List(list) => {
            let items = list.items.borrow();
            Some((items.len(), items.first().cloned()))
        }
        Value::Tuple(tuple) => Some((tuple.items.len(), tuple.items.first().cloned())),
        Value::Range(range) => {
            let first = (!range.is_empty()).then(|| range.at(0).into());
            Some((range.len(), first))
        }
        _ => None,
    }
}

fn shape_of(value: &Value, reader: Reader) -> Outcome<Vec<usize>> {
    let mut shape = Vec::new();
    let mut value = value.clone();
    loop {
        value = sequence(&value);
        let inner = match &value {
            Value::Tensor(t) | Value::Array(t) => {
                let own = t.shape();
                if reader == Reader::Torch
                    && !shape.is_empty()
                    && t.numel() != 1
                    && matches!(value, Value::Tensor(_))
                {
                    complain!(
                        Kind::Value,
                        "only one element tensors can be converted to Python scalars"
                    );
                }
                if !(reader == Reader::Torch
                    && !shape.is_empty()
                    && matches!(value, Value::Tensor(_)))
                {
                    shape.extend(own);
                }
                return Ok(shape);
            }
            other => match measured(other) {
                Some(found) => found,
                None => return Ok(shape),
            },
        };
        shape.push(inner.0);
        if shape.len() > DEEPEST {
            return Err(match reader {
                Reader::Torch => Complaint::new(
                    Kind::Value,
                    format!("too many dimensions '{}'", type_name(&value)),
                ),
                Reader::Numpy => too_deep(),
            });
        }
        match inner.1 {
            Some(first) => value = first,
            None => return Ok(shape),
        }
    }
}

struct Read {
    reader: Reader,
    /// What a Python float becomes.
    float: Dtype,
    data: Vec<f64>,
    /// The same as integers, from where no double is equal to one.
    whole: Vec<i64>,
    dtype: Option<Dtype>,
    /// An int beyond 64 bits is among them.
    long: bool,
}

impl Read {
    fn take(&mut self, number: Scalar, dtype: Dtype) {
        let own = match number {
            Scalar::Int(i) => i,
            other => other.value() as i64,
        };
        if !self.whole.is_empty() || matches!(number, Scalar::Int(i) if !is_exact(i)) {
            if self.whole.is_empty() {
                self.whole.extend(self.data.iter().map(|v| *v as i64));
            }
            self.whole.push(own);
        }
        self.data.push(number.value());
        self.dtype = Some(match (self.dtype, self.reader) {
            (None, _) => dtype,
            (Some(before), Reader::Torch) => before.join(dtype),
            (Some(before), Reader::Numpy) => before.join_numpy(dtype),
        });
    }

    /// Depth is bounded by the shape, which is bounded.
    fn store(&mut self, value: &Value, shape: &[usize], dim: usize) -> Outcome<()> {
        let value = &sequence(value);
        match value {
            Value::Tensor(t) | Value::Array(t) => {
                if self.reader == Reader::Numpy && matches!(value, Value::Tensor(_)) {
                    check_detached(t)?;
                }
                let tensor = t.value();
                let fits =
                    tensor.shape() == &shape[dim..] || (dim == shape.len() && tensor.numel() == 1);
                if !fits {
                    return Err(self.ragged(tensor.shape().first().copied(), shape, dim));
                }
                budget::tick()?;
                let dtype = tensor.dtype();
                with_numbers!(tensor, all => all.iter().for_each(|v| self.take(v.scalar(dtype), dtype)));
                return Ok(());
            }
            Value::List(_) | Value::Tuple(_) | Value::Range(_) => {}
            _ => {
                let number = match value.plain() {
                    Value::Int(i) => Scalar::Int(i),
                    other => Scalar::Float(match other.as_float() {
                        None if other.whole().is_some() => number::float(&other)?,
                        Some(number) => number,
                        None => return Err(self.no_number(value, dim)),
                    }),
                };
                if dim < shape.len() {
                    return Err(self.ragged(None, shape, dim));
                }
                let dtype = match value.plain() {
                    Value::Bool(_) => Dtype::Bool,
                    Value::Int(_) => Dtype::Int64,
                    Value::Long(_) => {
                        self.long = true;
                        Dtype::Int64
                    }
                    Value::NpScalar(_, dtype) => dtype,
                    _ => self.float,
                };
                self.take(number, dtype);
                return Ok(());
            }
        }
        let count = measured(value).map_or(0, |(count, _)| count);
        let Some(&expected) = shape.get(dim) else {
            return Err(match self.reader {
                Reader::Torch => Complaint::new(
                    Kind::Type,
                    format!("must be real number, not {}", type_name(value)),
                ),
                Reader::Numpy => self.ragged(None, shape, dim),
            });
        };
        if count != expected {
            return Err(self.ragged(Some(count), shape, dim));
        }
        let mut element = |item: &Value| {
            budget::tick()?;
            self.store(item, shape, dim + 1)
        };
        match value {
            Value::List(list) => list.items.borrow().iter().try_for_each(element),
            Value::Tuple(tuple) => tuple.items.iter().try_for_each(element),
            Value::Range(range) => (0..count).try_for_each(|k| element(&range.at(k as i64).into())),
            _ => Ok(()),
        }
    }

    fn no_number(&self, value: &Value, dim: usize) -> Box<Complaint> {
        let name = type_name(value);
        match (self.reader, value) {
            (Reader::Torch, Value::Str(_)) if dim > 0 && self.data.is_empty() => {
                Complaint::new(Kind::Value, format!("too many dimensions '{name}'"))
            }
            (Reader::Torch, Value::Str(_)) => {
                Complaint::new(Kind::Type, format!("new(): invalid data type '{name}'"))
            }
            (Reader::Torch, _) => {
                Complaint::new(Kind::Runtime, format!("Could not infer dtype of {name}"))
            }
            (Reader::Numpy, _) => {
                Complaint::new(Kind::Type, format!("arrays hold numbers, not {name}"))
            }
        }
    }

    fn ragged(&self, got: Option<usize>, shape: &[usize], dim: usize) -> Box<Complaint> {
        match (self.reader, got, shape.get(dim)) {
            (Reader::Torch, Some(got), Some(wanted)) => Complaint::new(
                Kind::Value,
                format!("expected sequence of length {wanted} at dim {dim} (got {got})"),
            ),
            (Reader::Torch, ..) => Complaint::new(Kind::Type, "not a sequence"),
            (Reader::Numpy, ..) => Complaint::new(
                Kind::Value,
                format!(
                    "setting an array element with a sequence. The requested array has an inhomogeneous shape after {dim} dimensions. The detected shape was {} + inhomogeneous part.",
                    crate::display::torch::tuple(&shape[..dim])
                ),
            ),
        }
    }
}

/// What NumPy says of sequences in each other without end.
pub fn too_deep() -> Box<Complaint> {
    let message = format!(
        "setting an array element with a sequence. The requested array would exceed the maximum number of dimension of {DEEPEST}."
    );
    Complaint::new(Kind::Value, message)
}

/// Whether NumPy may have the numbers of a tensor.
pub fn check_detached(t: &Variable) -> Outcome<()> {
    if is_grad_enabled() && t.requires_grad() && t.shows() {
        complain!(
            "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
        );
    }
    Ok(())
}

/// NumPy's sentence on an int beyond 64 bits.
pub fn too_long_for_numpy() -> Box<Complaint> {
    Complaint::new(Kind::Overflow, "Python int too large to convert to C long")
}
