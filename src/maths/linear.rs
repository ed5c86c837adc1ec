//! The derivative of one operation at one point, as a linear map with structure.
//!
//! A rule builds such a map; reverse mode applies its transpose to a cotangent, forward mode
//! applies it to a tangent, and the Jacobian reads its entries. Coefficients are whatever the
//! arrays are: numbers, symbols or recorded variables.

use super::algebra::Algebra;
use std::rc::Rc;

pub type Shape = Vec<usize>;

/// Whole arrays as coefficients: [`super::tensor::Tensor`], an array of symbols, or a variable
/// that records what is done to it.
pub trait Array: Algebra {
    fn shape(&self) -> Shape;
    /// All elements `value`.
    fn full(&self, shape: &[usize], value: f64) -> Self;
    /// Broadcast to a larger shape.
    fn expand(&self, to: &[usize]) -> Self;
    /// Sum down to a shape that broadcasts to this one: the transpose of [`Array::expand`].
    fn collapse(&self, to: &[usize]) -> Self;
    /// `out[k] = self[wires.index[k]]`, zero where the index is [`Wires::NONE`].
    fn gather(&self, wires: &Wires) -> Self;
    /// `out[wires.index[k]] += self[k]`: the transpose of [`Array::gather`].
    fn scatter(&self, wires: &Wires) -> Self;
    /// Batched matrix product of two arrays of equal rank ≥ 2 and equal batch dimensions.
    fn matmul(&self, other: &Self) -> Self;
    /// The last two dimensions exchanged.
    fn swap(&self) -> Self;
    /// Elementwise product with broadcasting.
    fn mul(&self, other: &Self) -> Self;
    fn add(&self, other: &Self) -> Self;
    fn scale(&self, by: f64) -> Self;
}

/// Which input element each output element is. Covers index, slice, reshape, permute, flip …
#[derive(Clone, Debug, PartialEq)]
pub struct Wires {
    pub from: Shape,
    pub to: Shape,
    /// One per output element, row-major; [`Wires::NONE`] for an element that is no input's.
    pub index: Rc<[usize]>,
}

impl Wires {
    pub const NONE: usize = usize::MAX;
}

/// A linear map between arrays of two shapes.
#[derive(Clone, Debug)]
pub enum LinearMap<C> {
    Zero {
        from: Shape,
        to: Shape,
    },
    /// A multiple of the identity.
    Scale {
        by: f64,
        shape: Shape,
    },
    /// Each output from its own input, weighted. `by` broadcasts to `shape`.
    Diagonal {
        by: C,
        shape: Shape,
    },
    /// Broadcasting: each input to every output it is copied to.
    Expand {
        from: Shape,
        to: Shape,
    },
    /// Summing: the transpose of `Expand`.
    Collapse {
        from: Shape,
        to: Shape,
    },
    Gather(Wires),
    Scatter(Wires),
    /// `X ↦ by @ X`, batched.
    Left {
        by: C,
        from: Shape,
        to: Shape,
    },
    /// `X ↦ X @ by`, batched.
    Right {
        by: C,
        from: Shape,
        to: Shape,
    },
    /// `x ↦ by @ x` on flattened arrays: `by` is size(to) × size(from). For maps without more structure.
    Dense {
        by: C,
        from: Shape,
        to: Shape,
    },
    /// Paths that exist but were not chosen by value (`where`, `max`): (output, input) pairs.
    /// Applied, it is zero; among the entries of a Jacobian they are shown as `0`, never multiplied.
    Unchosen {
        pairs: Rc<[(usize, usize)]>,
        from: Shape,
        to: Shape,
    },
    /// First the first, then the second …
    Then(Vec<LinearMap<C>>),
    Plus(Vec<LinearMap<C>>),
}
