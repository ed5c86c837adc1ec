//! A tensor's value: numbers, a shape and the type they are said to have. Values never change;
//! what changes is which value a variable holds.

use super::budget;
use super::complaint::Outcome;
use super::shape;
use ndarray::{ArrayD, ArrayViewD, IxDyn};
use smallvec::SmallVec;
use std::cell::Cell;
use std::sync::Arc;

/// Element type. All arithmetic is f64; float32 results are rounded, integers stay integral.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dtype {
    Bool,
    Uint8,
    Int32,
    Int64,
    Float32,
    Float64,
}

thread_local! {
    static DEFAULT: Cell<Dtype> = const { Cell::new(Dtype::Float64) };
}

/// What a bare float becomes: `torch.get_default_dtype()`.
pub fn default_dtype() -> Dtype {
    DEFAULT.with(Cell::get)
}

/// `torch.set_default_dtype`, `--dtype`.
pub fn set_default_dtype(dtype: Dtype) {
    DEFAULT.with(|d| d.set(dtype));
}

impl Dtype {
    pub fn is_float(self) -> bool {
        matches!(self, Dtype::Float32 | Dtype::Float64)
    }

    /// `torch.float64`'s last part.
    pub fn name(self) -> &'static str {
        match self {
            Dtype::Bool => "bool",
            Dtype::Uint8 => "uint8",
            Dtype::Int32 => "int32",
            Dtype::Int64 => "int64",
            Dtype::Float32 => "float32",
            Dtype::Float64 => "float64",
        }
    }

    /// As error messages say it: `Long`, `Double`.
    pub fn scalar_type(self) -> &'static str {
        match self {
            Dtype::Bool => "Bool",
            Dtype::Uint8 => "Byte",
            Dtype::Int32 => "Int",
            Dtype::Int64 => "Long",
            Dtype::Float32 => "Float",
            Dtype::Float64 => "Double",
        }
    }

    /// As C spells it: `double`, `long int`.
    pub fn c_name(self) -> &'static str {
        match self {
            Dtype::Bool => "bool",
            Dtype::Uint8 => "unsigned char",
            Dtype::Int32 => "int",
            Dtype::Int64 => "long int",
            Dtype::Float32 => "float",
            Dtype::Float64 => "double",
        }
    }

    /// `torch.DoubleTensor`, as `type()` says it.
    pub fn type_name(self) -> String {
        format!("torch.{}Tensor", self.scalar_type())
    }

    /// The nearest legal value of this type.
    pub fn cast(self, v: f64) -> f64 {
        match self {
            Dtype::Bool => f64::from(u8::from(v != 0.0)),
            Dtype::Uint8 => f64::from(v.trunc() as i64 as u8),
            // What no whole number stands for becomes the least one, and −0 is 0.
            Dtype::Int32 if !v.is_finite() => f64::from(i32::MIN),
            Dtype::Int32 => f64::from(v.trunc() as i64 as i32),
            Dtype::Int64 if !v.is_finite() => i64::MIN as f64,
            Dtype::Int64 => v.trunc() + 0.0,
            Dtype::Float32 => f64::from(v as f32),
            Dtype::Float64 => v,
        }
    }

    fn category(self) -> u8 {
        match self {
            Dtype::Bool => 0,
            Dtype::Uint8 | Dtype::Int32 | Dtype::Int64 => 1,
            _ => 2,
        }
    }

    /// Whether a result of this type may be written into a tensor of type `to`.
    pub fn can_cast(self, to: Dtype) -> bool {
        self.category() <= to.category()
    }

    /// The type that holds both (`torch.promote_types`).
    pub fn join(self, other: Dtype) -> Dtype {
        self.max(other)
    }
}

/// Numbers in row-major order with a shape. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Tensor {
    repr: Repr,
    dtype: Dtype,
    weak: bool,
}

#[derive(Clone, Debug)]
enum Repr {
    Scalar(f64),
    Array {
        data: Arc<Vec<f64>>,
        shape: SmallVec<[usize; 3]>,
    },
}

impl Tensor {
    pub fn scalar(value: f64) -> Tensor {
        Tensor {
            repr: Repr::Scalar(value),
            dtype: Dtype::Float64,
            weak: false,
        }
    }

    /// A Python number: its type gives way to that of real tensors (PyTorch's wrapped number).
    pub fn number(value: f64, dtype: Dtype) -> Tensor {
        Tensor {
            repr: Repr::Scalar(value),
            dtype,
            weak: true,
        }
    }

    /// From row-major data; `data.len()` is the product of `shape`.
    pub fn new(shape: &[usize], data: Vec<f64>) -> Tensor {
        debug_assert_eq!(data.len(), shape.iter().product::<usize>());
        let repr = match (shape, data.as_slice()) {
            ([], [value]) => Repr::Scalar(*value),
            _ => Repr::Array {
                data: Arc::new(data),
                shape: SmallVec::from_slice(shape),
            },
        };
        Tensor {
            repr,
            dtype: Dtype::Float64,
            weak: false,
        }
    }

    /// Like [`Tensor::new`], the numbers made legal for `dtype`.
    pub fn typed(shape: &[usize], mut data: Vec<f64>, dtype: Dtype) -> Tensor {
        if dtype != Dtype::Float64 {
            for v in &mut data {
                *v = dtype.cast(*v);
            }
        }
        Tensor::new(shape, data).with_dtype(dtype)
    }

    /// All elements `value`.
    ///
    /// # Errors
    /// Too large for the budget.
    pub fn filled(shape: &[usize], value: f64, dtype: Dtype) -> Outcome<Tensor> {
        let count = shape::count(shape)?;
        Ok(Tensor::new(shape, vec![dtype.cast(value); count]).with_dtype(dtype))
    }

    /// From an array, made contiguous (row-major).
    pub fn from_array(array: ArrayD<f64>) -> Tensor {
        let shape: SmallVec<[usize; 3]> = array.shape().into();
        let data = if array.is_standard_layout() {
            let (data, offset) = array.into_raw_vec_and_offset();
            match offset {
                Some(o) if o > 0 => data[o..o + shape.iter().product::<usize>()].to_vec(),
                _ => data,
            }
        } else {
            array.iter().copied().collect()
        };
        Tensor::new(&shape, data)
    }

    /// The same numbers under another name of type; the numbers must already be legal for it.
    pub fn with_dtype(mut self, dtype: Dtype) -> Tensor {
        self.dtype = dtype;
        self
    }

    /// Marked as a Python number, or as a real tensor.
    pub fn with_weak(mut self, weak: bool) -> Tensor {
        self.weak = weak;
        self
    }

    /// Whether this came from a Python number.
    pub fn is_weak(&self) -> bool {
        self.weak
    }

    /// Converted: rounded, truncated or compared with 0.
    pub fn to_dtype(&self, dtype: Dtype) -> Tensor {
        if dtype == self.dtype {
            return self.clone().with_weak(false);
        }
        let exact = self.dtype < dtype && !(self.dtype.category() == 1 && dtype == Dtype::Float32);
        if exact {
            return self.clone().with_dtype(dtype).with_weak(false);
        }
        let data = self.data().iter().map(|v| dtype.cast(*v)).collect();
        Tensor::new(self.shape(), data).with_dtype(dtype)
    }

    /// The same numbers in another shape of the same size, without copying.
    pub fn reshaped(&self, shape: &[usize]) -> Tensor {
        debug_assert_eq!(self.numel(), shape.iter().product::<usize>());
        let repr = match (&self.repr, shape) {
            (Repr::Scalar(v), []) => Repr::Scalar(*v),
            (Repr::Scalar(v), _) => Repr::Array {
                data: Arc::new(vec![*v]),
                shape: SmallVec::from_slice(shape),
            },
            (Repr::Array { data, .. }, []) => Repr::Scalar(data[0]),
            (Repr::Array { data, .. }, _) => Repr::Array {
                data: data.clone(),
                shape: SmallVec::from_slice(shape),
            },
        };
        Tensor {
            repr,
            dtype: self.dtype,
            weak: self.weak && shape.is_empty(),
        }
    }

    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    pub fn shape(&self) -> &[usize] {
        match &self.repr {
            Repr::Scalar(_) => &[],
            Repr::Array { shape, .. } => shape,
        }
    }

    pub fn rank(&self) -> usize {
        self.shape().len()
    }

    pub fn numel(&self) -> usize {
        self.data().len()
    }

    /// The elements, row-major.
    pub fn data(&self) -> &[f64] {
        match &self.repr {
            Repr::Scalar(v) => std::slice::from_ref(v),
            Repr::Array { data, .. } => data,
        }
    }

    /// The elements for writing: copied first where another tensor shares them.
    pub fn data_mut(&mut self) -> &mut [f64] {
        match &mut self.repr {
            Repr::Scalar(v) => std::slice::from_mut(v),
            Repr::Array { data, .. } => Arc::make_mut(data).as_mut_slice(),
        }
    }

    /// The elements for writing, where no other tensor shares them.
    pub fn data_own(&mut self) -> Option<&mut [f64]> {
        match &mut self.repr {
            Repr::Scalar(v) => Some(std::slice::from_mut(v)),
            Repr::Array { data, .. } => Arc::get_mut(data).map(Vec::as_mut_slice),
        }
    }

    /// The elements, taken out.
    pub fn into_data(self) -> Vec<f64> {
        match self.repr {
            Repr::Scalar(v) => vec![v],
            Repr::Array { data, .. } => Arc::unwrap_or_clone(data),
        }
    }

    pub fn view(&self) -> ArrayViewD<'_, f64> {
        ArrayViewD::from_shape(IxDyn(self.shape()), self.data())
            .expect("data has the size of its shape")
    }

    /// The one element of a tensor that has one.
    pub fn item(&self) -> Option<f64> {
        match self.data() {
            [v] => Some(*v),
            _ => None,
        }
    }

    /// Each element through `f`, the results made legal for `dtype`.
    ///
    /// # Errors
    /// Too large for the budget, or a wish to stop.
    pub fn map(&self, dtype: Dtype, f: impl Fn(f64) -> f64) -> Outcome<Tensor> {
        if let Repr::Scalar(v) = self.repr {
            return Ok(Tensor::scalar(dtype.cast(f(v))).with_dtype(dtype));
        }
        let mut out = super::tensor_kernels::buffer(self.numel())?;
        for chunk in self.data().chunks(super::tensor_kernels::CHUNK) {
            out.extend(chunk.iter().map(|v| f(*v)));
            budget::tick()?;
        }
        Ok(Tensor::typed(self.shape(), out, dtype))
    }
}

/// The type of a result, as PyTorch promotes: tensors with dimensions first, then 0-d tensors,
/// then Python numbers; a lower rank counts only by its category.
pub fn promote(inputs: &[&Tensor]) -> Dtype {
    let mut ranks: [Option<Dtype>; 3] = [None; 3];
    for t in inputs {
        let (rank, dtype) = match (t.weak, t.rank()) {
            (true, _) if t.dtype.is_float() => (2, default_dtype()),
            (true, _) => (2, t.dtype),
            (false, 0) => (1, t.dtype),
            (false, _) => (0, t.dtype),
        };
        ranks[rank] = Some(ranks[rank].map_or(dtype, |d| d.join(dtype)));
    }
    let combine = |higher: Option<Dtype>, lower: Option<Dtype>| match (higher, lower) {
        (Some(h), Some(l)) if l.category() > h.category() => Some(h.join(l)),
        (Some(h), _) => Some(h),
        (None, l) => l,
    };
    combine(ranks[0], combine(ranks[1], ranks[2])).unwrap_or(Dtype::Float64)
}

/// [`promote`], integers becoming the default float: for division and functions such as sin.
pub fn promote_float(inputs: &[&Tensor]) -> Dtype {
    let dtype = promote(inputs);
    if dtype.is_float() {
        dtype
    } else {
        default_dtype()
    }
}
