//! Elements in another shape, order or type, or copied.

use super::fixed::{Fixed, reshaping};
use crate::{LinearMap, Variable, apply};
use std::rc::Rc;
use vjp_tensor::{Dtype, ElementMap, Layout, Outcome};

/// `y = x` in another shape.
pub fn reshaped(from: &[usize], to: &[usize], name: &'static str, grad_fn: &'static str) -> Fixed {
    Fixed::new(name, grad_fn, reshaping(from, to))
}

/// `y = x`, in memory of its own.
pub fn cloned(shape: &[usize]) -> Fixed {
    Fixed::new("clone", "CloneBackward0", reshaping(shape, shape))
}

/// `y = x` with another element type.
pub fn converted(shape: &[usize], dtype: Dtype) -> Fixed {
    Fixed::new("to", "ToCopyBackward0", reshaping(shape, shape)).of_dtype(dtype)
}

/// `y = x`, repeated along new or single dimensions.
pub fn expanded(from: &[usize], to: &[usize]) -> Fixed {
    let map = LinearMap::Expand { from: from.to_vec(), to: to.to_vec() };
    Fixed::new("expand", "ExpandBackward0", map)
}

/// A layout with its dimensions in another order.
pub fn permuted(of: &Layout, dims: &[usize]) -> Layout {
    Layout {
        shape: dims.iter().map(|d| of.shape[*d]).collect(),
        strides: dims.iter().map(|d| of.strides[*d]).collect(),
        offset: of.offset,
    }
}

/// ElementMap that exchange the last two dimensions.
pub fn swap_wires(shape: &[usize]) -> ElementMap {
    let mut dims: Vec<usize> = (0..shape.len()).collect();
    dims.swap(shape.len() - 2, shape.len() - 1);
    let whole = Layout::whole(shape);
    permuted(&whole, &dims).element_map(&whole)
}

/// `x.clone()`.
pub fn clone(x: &Variable) -> Outcome<Variable> {
    apply(Rc::new(cloned(&x.shape())), std::slice::from_ref(x))
}
