//! Python's numbers, as operations take them.

use crate::tensor::default_dtype;
use crate::{Dtype, Tensor};

/// A Python number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    Bool(bool),
    Int(i64),
    Float(f64),
}

impl Scalar {
    pub fn value(self) -> f64 {
        match self {
            Scalar::Bool(b) => f64::from(u8::from(b)),
            Scalar::Int(i) => i as f64,
            Scalar::Float(f) => f,
        }
    }

    /// A 0-d tensor that gives way in type promotion.
    pub fn tensor(self) -> Tensor {
        match self {
            Scalar::Bool(_) => Tensor::number(self.value(), Dtype::Bool),
            Scalar::Int(i) => Tensor::integer(i),
            Scalar::Float(f) => Tensor::number(f, default_dtype()),
        }
    }
}
