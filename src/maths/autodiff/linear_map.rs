//! The derivative of one operation at one point, as a linear map with structure.
//!
//! A rule builds such a map; reverse mode applies its transpose to a cotangent, forward mode
//! applies it to a tangent, and the Jacobian reads its entries. Coefficients are whatever the
//! arrays are: numbers, symbols or recorded variables.

use super::algebra::Algebra;
use super::rule::Operation;
use std::rc::Rc;
use vjp_tensor::shape::{self, Shape};
use vjp_tensor::{ElementMap, budget};

/// Whole arrays as coefficients: [`vjp_tensor::Tensor`], an array of symbols, or a variable
/// that records what is done to it.
pub trait Array: Algebra {
    /// Whether formulas are of whole arrays, so that an inverse says more than its elements do.
    const WHOLE: bool = false;
    fn shape(&self) -> Shape;
    /// All elements `value`.
    fn full(&self, shape: &[usize], value: f64) -> Self;
    /// Broadcast to a larger shape.
    fn expand(&self, to: &[usize]) -> Self;
    /// Sum down to a shape that broadcasts to this one: the transpose of [`Array::expand`].
    fn collapse(&self, to: &[usize]) -> Self;
    /// `out[k] = self[elements.index[k]]`, zero where the index is [`ElementMap::NONE`].
    fn gather(&self, elements: &ElementMap) -> Self;
    /// `out[elements.index[k]] += self[k]`: the transpose of [`Array::gather`].
    fn scatter(&self, elements: &ElementMap) -> Self;
    /// Batched matrix product of two arrays of equal rank ≥ 2 and equal batch dimensions.
    fn matmul(&self, other: &Self) -> Self;
    /// The last two dimensions exchanged.
    fn swap(&self) -> Self;
    /// `selfᵀ @ other`.
    fn swap_matmul(&self, other: &Self) -> Self {
        self.swap().matmul(other)
    }
    /// `self @ otherᵀ`.
    fn matmul_swap(&self, other: &Self) -> Self {
        self.matmul(&other.swap())
    }
    /// Elementwise product with broadcasting.
    fn mul(&self, other: &Self) -> Self;
    fn add(&self, other: &Self) -> Self;
    fn scale(&self, by: f64) -> Self;
    /// An operation carried out on arrays, its result being of shape `to`: for coefficients that
    /// are themselves the result of an operation, as the vectors of a decomposition are.
    fn run(op: Rc<dyn Operation>, inputs: &[&Self], to: &[usize]) -> Self;
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
    Gather(ElementMap),
    Scatter(ElementMap),
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

impl<C> LinearMap<C> {
    /// Shape of what the map is applied to.
    pub fn from(&self) -> &[usize] {
        match self {
            LinearMap::Scale { shape, .. } | LinearMap::Diagonal { shape, .. } => shape,
            LinearMap::Gather(w) => &w.from,
            LinearMap::Scatter(w) => &w.to,
            LinearMap::Zero { from, .. }
            | LinearMap::Expand { from, .. }
            | LinearMap::Collapse { from, .. }
            | LinearMap::Left { from, .. }
            | LinearMap::Right { from, .. }
            | LinearMap::Dense { from, .. }
            | LinearMap::Unchosen { from, .. } => from,
            LinearMap::Then(maps) => maps.first().map_or(&[], LinearMap::from),
            LinearMap::Plus(maps) => maps.first().map_or(&[], LinearMap::from),
        }
    }

    /// Shape of what comes out.
    pub fn to(&self) -> &[usize] {
        match self {
            LinearMap::Scale { shape, .. } | LinearMap::Diagonal { shape, .. } => shape,
            LinearMap::Gather(w) => &w.to,
            LinearMap::Scatter(w) => &w.from,
            LinearMap::Zero { to, .. }
            | LinearMap::Expand { to, .. }
            | LinearMap::Collapse { to, .. }
            | LinearMap::Left { to, .. }
            | LinearMap::Right { to, .. }
            | LinearMap::Dense { to, .. }
            | LinearMap::Unchosen { to, .. } => to,
            LinearMap::Then(maps) => maps.last().map_or(&[], LinearMap::to),
            LinearMap::Plus(maps) => maps.first().map_or(&[], LinearMap::to),
        }
    }

    /// Whether a part of it was left out because a value chose another.
    pub fn chose(&self) -> bool {
        match self {
            LinearMap::Unchosen { .. } => true,
            LinearMap::Then(maps) | LinearMap::Plus(maps) => maps.iter().any(LinearMap::chose),
            _ => false,
        }
    }

    /// The map in words, broadcasting aside; None of one that has several parts.
    pub fn describe(&self) -> Option<&'static str> {
        Some(match self {
            LinearMap::Zero { .. } | LinearMap::Unchosen { .. } => "all 0",
            LinearMap::Scale { by, .. } if *by == 1.0 => "each output is its input",
            LinearMap::Scale { .. } | LinearMap::Diagonal { .. } => "diagonal",
            LinearMap::Expand { .. } => "each input is copied",
            LinearMap::Collapse { .. } => "inputs are added up",
            LinearMap::Gather(_) => "each output is one of the inputs",
            LinearMap::Scatter(_) => "each input goes to one output",
            LinearMap::Left { .. } => "a matrix times the input",
            LinearMap::Right { .. } => "the input times a matrix",
            LinearMap::Dense { .. } => "dense",
            LinearMap::Then(maps) => match maps.as_slice() {
                [one] | [LinearMap::Expand { .. }, one] => return one.describe(),
                _ => return None,
            },
            LinearMap::Plus(_) => return None,
        })
    }
}

impl<C: Array> LinearMap<C> {
    /// J·u, for a tangent `u` of shape [`LinearMap::from`].
    pub fn apply(&self, u: &C) -> C {
        match self {
            LinearMap::Zero { to, .. } | LinearMap::Unchosen { to, .. } => u.full(to, 0.0),
            LinearMap::Scale { by, .. } if *by == 1.0 => u.clone(),
            LinearMap::Scale { by, .. } => u.scale(*by),
            LinearMap::Diagonal { by, .. } => u.mul(by),
            LinearMap::Expand { to, .. } => u.expand(to),
            LinearMap::Collapse { to, .. } => u.collapse(to),
            LinearMap::Gather(elements) => u.gather(elements),
            LinearMap::Scatter(elements) => u.scatter(elements),
            LinearMap::Left { by, .. } => by.matmul(u),
            LinearMap::Right { by, .. } => u.matmul(by),
            LinearMap::Dense { by, from, to } => {
                let column = u.gather(&ElementMap::reshape(from, &[size(from), 1]));
                by.matmul(&column).gather(&ElementMap::reshape(&[size(to), 1], to))
            }
            LinearMap::Then(maps) => maps.iter().fold(u.clone(), |u, map| map.apply(&u)),
            LinearMap::Plus(maps) => added(maps, |map| map.apply(u)).unwrap_or_else(|| u.clone()),
        }
    }

    /// vᵀJ: the transposed map applied to `v`, coefficients being read where they lie.
    pub fn pull(&self, v: &C) -> C {
        match self {
            LinearMap::Left { by, .. } => by.swap_matmul(v),
            LinearMap::Right { by, .. } => v.matmul_swap(by),
            LinearMap::Diagonal { .. } | LinearMap::Scale { .. } => self.apply(v),
            LinearMap::Expand { from, .. } => v.collapse(from),
            LinearMap::Collapse { from, .. } => v.expand(from),
            LinearMap::Gather(elements) => v.scatter(elements),
            LinearMap::Scatter(elements) => v.gather(elements),
            LinearMap::Then(maps) => match maps.split_last() {
                Some((last, rest)) => rest.iter().rev().fold(last.pull(v), |v, map| map.pull(&v)),
                None => v.clone(),
            },
            LinearMap::Plus(maps) => added(maps, |map| map.pull(v)).unwrap_or_else(|| v.clone()),
            _ => self.transpose().apply(v),
        }
    }

    /// The transposed map: applied to a cotangent it is vᵀJ.
    pub fn transpose(&self) -> LinearMap<C> {
        let reversed = |from: &Shape, to: &Shape| (to.clone(), from.clone());
        match self {
            LinearMap::Zero { from, to } => {
                let (from, to) = reversed(from, to);
                LinearMap::Zero { from, to }
            }
            LinearMap::Scale { .. } | LinearMap::Diagonal { .. } => self.clone(),
            LinearMap::Expand { from, to } => {
                let (from, to) = reversed(from, to);
                LinearMap::Collapse { from, to }
            }
            LinearMap::Collapse { from, to } => {
                let (from, to) = reversed(from, to);
                LinearMap::Expand { from, to }
            }
            LinearMap::Gather(elements) => LinearMap::Scatter(elements.clone()),
            LinearMap::Scatter(elements) => LinearMap::Gather(elements.clone()),
            LinearMap::Left { by, from, to } => {
                let (from, to) = reversed(from, to);
                let by = by.swap();
                LinearMap::Left { by, from, to }
            }
            LinearMap::Right { by, from, to } => {
                let (from, to) = reversed(from, to);
                let by = by.swap();
                LinearMap::Right { by, from, to }
            }
            LinearMap::Dense { by, from, to } => {
                let (from, to) = reversed(from, to);
                let by = by.swap();
                LinearMap::Dense { by, from, to }
            }
            LinearMap::Unchosen { pairs, from, to } => {
                let (from, to) = reversed(from, to);
                let pairs = pairs.iter().map(|&(out, inp)| (inp, out)).collect();
                LinearMap::Unchosen { pairs, from, to }
            }
            LinearMap::Then(maps) => {
                LinearMap::Then(maps.iter().rev().map(LinearMap::transpose).collect())
            }
            LinearMap::Plus(maps) => {
                LinearMap::Plus(maps.iter().map(LinearMap::transpose).collect())
            }
        }
    }
}

/// The sum of what the parts give; what was not chosen adds nothing, so that -0 stays -0.
fn added<C: Array>(maps: &[LinearMap<C>], give: impl Fn(&LinearMap<C>) -> C) -> Option<C> {
    let chosen = |map: &&LinearMap<C>| !matches!(map, LinearMap::Unchosen { .. });
    let sum = maps.iter().filter(chosen).map(&give).reduce(|a, b| a.add(&b));
    sum.or_else(|| maps.first().map(give))
}

fn size(shape: &[usize]) -> usize {
    shape.iter().product()
}

/// Where each element of a broadcast array is read from: places in an array of shape `from`.
#[derive(Clone, Debug)]
pub enum Spread {
    Same,
    One,
    Table(Vec<usize>),
}

impl Spread {
    /// Place in the smaller array of element `k` of the larger one.
    #[inline]
    pub fn at(&self, k: usize) -> usize {
        match self {
            Spread::Same => k,
            Spread::One => 0,
            Spread::Table(index) => index[k],
        }
    }
}

/// How an array of shape `from` is repeated to shape `to`.
pub fn spread(from: &[usize], to: &[usize]) -> Spread {
    if from == to {
        return Spread::Same;
    }
    if size(from) == 1 {
        return Spread::One;
    }
    let strides = shape::broadcast_strides(from, to);
    let mut index = Vec::with_capacity(size(to));
    let mut at = vec![0; to.len()];
    let mut place = 0;
    for _ in 0..size(to) {
        if budget::stopping() {
            index.resize(size(to), 0);
            break;
        }
        index.push(place);
        for d in (0..to.len()).rev() {
            at[d] += 1;
            place += strides[d];
            if at[d] < to[d] {
                break;
            }
            place -= strides[d] * to[d];
            at[d] = 0;
        }
    }
    Spread::Table(index)
}
