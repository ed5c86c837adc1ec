//! A tensor's value: numbers, a shape and the type they are said to have. Values never change;
//! what changes is which value a variable holds.

use ndarray::{ArrayD, IxDyn};
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

/// Numbers in row-major order with a shape. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Tensor {
    repr: Repr,
    dtype: Dtype,
}

#[derive(Clone, Debug)]
enum Repr {
    Scalar(f64),
    Array(Arc<ArrayD<f64>>),
}

impl Tensor {
    pub fn scalar(value: f64) -> Tensor {
        Tensor {
            repr: Repr::Scalar(value),
            dtype: Dtype::Float64,
        }
    }

    /// From row-major data; `data.len()` is the product of `shape`.
    pub fn new(shape: &[usize], data: Vec<f64>) -> Tensor {
        match (shape, data.as_slice()) {
            ([], [value]) => Tensor::scalar(*value),
            _ => Tensor::from_array(
                ArrayD::from_shape_vec(IxDyn(shape), data).expect("data has the size of its shape"),
            ),
        }
    }

    /// From an array, made contiguous (row-major).
    pub fn from_array(array: ArrayD<f64>) -> Tensor {
        if array.ndim() == 0 {
            return Tensor::scalar(array.iter().next().copied().unwrap_or(0.0));
        }
        let array = if array.is_standard_layout() {
            array
        } else {
            array.as_standard_layout().into_owned()
        };
        Tensor {
            repr: Repr::Array(Arc::new(array)),
            dtype: Dtype::Float64,
        }
    }

    /// The same numbers under another name of type; the numbers must already be legal for it.
    pub fn with_dtype(mut self, dtype: Dtype) -> Tensor {
        self.dtype = dtype;
        self
    }

    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    pub fn shape(&self) -> &[usize] {
        match &self.repr {
            Repr::Scalar(_) => &[],
            Repr::Array(a) => a.shape(),
        }
    }

    pub fn numel(&self) -> usize {
        self.shape().iter().product()
    }

    /// The elements, row-major.
    pub fn data(&self) -> &[f64] {
        match &self.repr {
            Repr::Scalar(v) => std::slice::from_ref(v),
            Repr::Array(a) => a.as_slice().expect("tensors are row-major"),
        }
    }
}
