//! What an operation keeps for backward that is neither input nor output: an index, a mask, a number.

use vjp_tensor::Tensor;

#[derive(Clone, Debug)]
pub enum Attribute {
    Nothing,
    Tensor(Tensor),
    /// Several, of an index of several parts.
    Tensors(Vec<Tensor>),
    Float(f64),
    Int(i64),
    /// A dimension, as PyTorch keeps it: without a sign.
    Whole(i64),
    Flag(bool),
    Sizes(Vec<i64>),
}

/// By the names under which PyTorch keeps them.
pub type Attributes = Vec<(&'static str, Attribute)>;
