//! What flows downwards in a sweep, and how it passes one node.

use super::node::{Node, with_values};
use super::rule::Point;
use super::variable::Variable;
use crate::{Array, LinearMap};
use smallvec::SmallVec;
use std::ops::AddAssign;
use vjp_tensor::budget::refuse;
use vjp_tensor::kernels::{TILE, blocks, strided};
use vjp_tensor::{Dtype, Element, ElementMap, Outcome, Tensor, with_floats, with_floats_mut};

/// Asks a question about the point at which a node was computed.
pub fn at_values<T>(node: &Node, ask: impl FnOnce(&Point<Tensor>) -> T) -> T {
    with_values(node.inputs(), |values| {
        ask(&Point { inputs: values, output: node.value(), values, value: node.value() })
    })
}

/// What comes along an edge.
pub(crate) enum Coming<C> {
    All(C),
    /// Of some elements, in their order; that of the others is 0.
    Some(C, ElementMap),
    /// Of some elements, to which nothing else comes.
    Piece(C, ElementMap),
}

/// What has arrived at one place.
pub(crate) struct Sum<C> {
    pub all: C,
    /// Whether it is known that no element is -0.
    unsigned: bool,
}

impl<C: Flow> Sum<C> {
    pub fn of(coming: Coming<C>) -> Sum<C> {
        let all = match coming {
            Coming::All(c) => c,
            Coming::Some(c, places) | Coming::Piece(c, places) => c.scatter(&places),
        };
        Sum { all, unsigned: false }
    }

    pub fn plus(self, coming: Coming<C>) -> Sum<C> {
        match coming {
            Coming::All(c) => Sum { all: self.all.plus(&c), ..self },
            Coming::Some(c, places) => self.all.plus_some(self.unsigned, &c, &places),
            Coming::Piece(c, places) => Sum { all: self.all.with(&c, &places), unsigned: false },
        }
    }
}

/// What flows downwards: numbers, or variables that record what is done to them.
pub(crate) trait Flow: Array {
    fn of(v: &Variable) -> Self;
    fn into_variable(self) -> Variable;
    /// This cotangent sent through a node to one of its inputs.
    fn pull(&self, node: &Node, wrt: usize) -> Self;
    fn cast(self, dtype: Dtype) -> Self;
    /// The number that this is, where it is a double without dimensions and nothing is recorded.
    fn number(&self) -> Option<f64> {
        None
    }
    /// The numbers that this is, where nothing is recorded.
    fn tensor(&self) -> Option<&Tensor> {
        None
    }
    /// The number as what flows.
    fn of_number(number: f64) -> Self;
    /// The sum of what arrived and what arrives, in the memory of the first where that is free.
    fn plus(self, more: &Self) -> Self {
        self.add(more)
    }
    /// [`Flow::plus`] of a cotangent that is `more` at `places` and 0 elsewhere; `unsigned`: see [`Sum`].
    fn plus_some(self, _unsigned: bool, more: &Self, places: &ElementMap) -> Sum<Self>
    where
        Self: Sized,
    {
        Sum { all: self.plus(&more.scatter(places)), unsigned: false }
    }
    /// Its elements at `places`, so far 0, replaced by `more`.
    fn with(self, more: &Self, places: &ElementMap) -> Self {
        self.plus(&more.scatter(places))
    }
    /// The elements of input `wrt` that alone this cotangent, sent through a node, comes to, each as it is.
    fn places<'a>(&self, _node: &'a Node, _wrt: usize) -> Option<&'a ElementMap> {
        None
    }
    /// 0 for -0, where that makes a difference to what is printed; and whether there is a NaN.
    fn unsigned_zeros(self) -> (Self, bool);
    /// This cotangent where `mask` is not 0, else 0.
    fn where_open(&self, mask: Tensor) -> Self;
    /// [`Flow::pull`] through a node that chooses between the cotangent and 0, as PyTorch has it:
    /// what is blocked is 0, never -0, and also where ∞ is blocked.
    fn choose(&self, node: &Node, wrt: usize) -> Self {
        let passed = self.pull(node, wrt);
        // A zero that comes keeps its sign where it passes.
        if self.has_zero()
            && let Some(mask) = open(node, wrt).filter(|m| passed.is_shaped(m.shape()))
        {
            return passed.closed(&mask);
        }
        let (passed, unknown) = passed.unsigned_zeros();
        match unknown.then(|| open(node, wrt)).flatten() {
            Some(mask) => self.where_open(mask).pull(node, wrt).unsigned_zeros().0,
            None => passed,
        }
    }
    /// Whether it has a -0.
    fn has_zero(&self) -> bool;
    fn is_shaped(&self, shape: &[usize]) -> bool;
    /// 0 where `mask` is, in place.
    fn closed(self, mask: &Tensor) -> Self;
}

/// What was passed by elements of the same shape as the output, 0 where the node blocks.
pub(crate) fn blocked(
    mut passed: Tensor,
    at: &Point<Tensor>,
    blocks: impl Fn(&[f64], f64) -> bool,
    v: &Tensor,
) -> Tensor {
    let to = at.value.shape();
    let Ok(x) = at
        .values
        .iter()
        .map(|x| strided::expand(x, to))
        .collect::<Outcome<SmallVec<[Tensor; 3]>>>()
    else {
        return passed;
    };
    if passed.shape() != to || v.shape() != to {
        return passed;
    }
    let (x, v): (SmallVec<[&[f64]; 3]>, _) = (x.iter().map(Tensor::data).collect(), v.data());
    with_floats_mut!(passed, passed => for (k, slot) in passed.iter_mut().enumerate() {
        let own: SmallVec<[f64; 3]> = x.iter().map(|x| x[k]).collect();
        if blocks(&own, v[k]) {
            *slot = 0.0;
        }
    });
    passed
}

/// Where an elementwise node passes anything on: its slopes, one for each output.
fn open(node: &Node, wrt: usize) -> Option<Tensor> {
    let map = at_values(node, |at| node.operation().linear_tensor(at, wrt));
    let last = match map {
        LinearMap::Then(mut maps) => maps.pop()?,
        map => map,
    };
    match last {
        LinearMap::Diagonal { by, shape } => strided::expand(&by, &shape).ok(),
        _ => None,
    }
}

impl Flow for Tensor {
    fn of(v: &Variable) -> Tensor {
        v.value()
    }

    fn into_variable(self) -> Variable {
        Variable::constant(self.with_weak(false))
    }

    fn pull(&self, node: &Node, wrt: usize) -> Tensor {
        at_values(node, |at| {
            let operation = node.operation();
            let passed = match operation.pull(at, wrt, self) {
                Some(Ok(passed)) => passed,
                Some(Err(complaint)) => {
                    refuse(complaint);
                    self.clone()
                }
                None => operation.linear_tensor(at, wrt).pull(self),
            };
            match operation.blocks() {
                Some(blocks) => blocked(passed, at, |x, v| blocks(wrt, x, v), self),
                None => passed,
            }
        })
    }

    fn cast(self, dtype: Dtype) -> Tensor {
        if self.dtype() == dtype {
            return self.with_weak(false);
        }
        self.to_dtype(dtype)
    }

    fn number(&self) -> Option<f64> {
        self.as_double()
    }

    fn of_number(number: f64) -> Tensor {
        Tensor::scalar(number)
    }

    fn tensor(&self) -> Option<&Tensor> {
        Some(self)
    }

    fn plus(mut self, more: &Tensor) -> Tensor {
        if self.shape() != more.shape() || self.dtype() != more.dtype() || self.rank() == 0 {
            return self.add(more);
        }
        let dtype = self.dtype();
        if let Some(more) = more.single()
            && let Some(data) = self.single_own()
        {
            add(data, more);
            return self;
        }
        let Some(data) = self.data_own().filter(|_| dtype.is_tiled()) else {
            return self.add(more);
        };
        add(data, more.data());
        dtype.cast_all(data);
        self
    }

    fn plus_some(mut self, unsigned: bool, more: &Tensor, places: &ElementMap) -> Sum<Tensor> {
        let dtype = self.dtype();
        let fits = self.shape() == places.from && more.dtype() == dtype && dtype.is_tiled();
        if fits
            && let Some(more) = more.single()
            && let Some(data) = self.single_own()
        {
            let signed = add_some(data, (more, places), unsigned);
            return Sum { all: self, unsigned: !signed };
        }
        let Some(data) = self.data_own().filter(|_| fits) else {
            return Sum { all: self.plus(&more.scatter(places)), unsigned: false };
        };
        let signed = add_some(data, (more.data(), places), unsigned);
        // What was not added to is rounded already.
        dtype.cast_all(data);
        Sum { all: self, unsigned: !signed }
    }

    fn with(mut self, more: &Tensor, places: &ElementMap) -> Tensor {
        let fits = self.shape() == places.from && more.dtype() == self.dtype();
        if fits
            && let Some(more) = more.single()
            && let Some(data) = self.single_own()
        {
            put(data, more, places);
        } else if let Some(data) = self.data_own().filter(|_| fits) {
            put(data, more.data(), places);
        } else {
            return self.plus(&more.scatter(places));
        }
        self
    }

    fn places<'a>(&self, node: &'a Node, wrt: usize) -> Option<&'a ElementMap> {
        let (edge, operation) = (&node.inputs()[wrt], node.operation());
        let places = operation.places(wrt)?;
        // A loop over all elements for some of them costs more than it, but where these are few.
        let some = places.index.count() <= edge.value.numel() / 2 && edge.value.numel() > TILE;
        let alike = self.dtype() == edge.value.dtype() && self.numel() == places.index.count();
        // Each once: in their order, which is soon seen.
        let (piece, once) = (operation.is_piece(), || places.index.is_ascending());
        (alike && operation.blocks().is_none() && (piece || some && once())).then_some(places)
    }

    fn unsigned_zeros(mut self) -> (Tensor, bool) {
        let mut unknown = false;
        with_floats_mut!(self, all => all.iter_mut().for_each(|v| {
            *v += 0.0;
            unknown |= v.is_nan();
        }));
        (self, unknown)
    }

    fn has_zero(&self) -> bool {
        // Block by block: a loop that looks at each alone is no loop of vectors.
        fn any<T: Element>(all: &[T]) -> bool {
            all.chunks(TILE)
                .any(|all| all.iter().fold(false, |any, v| any | is_negative_zero(v.wide())))
        }
        with_floats!(self, all => any(all))
    }

    fn is_shaped(&self, shape: &[usize]) -> bool {
        self.shape() == shape
    }

    fn closed(mut self, mask: &Tensor) -> Tensor {
        close(&mut self, mask);
        self
    }

    fn where_open(&self, mask: Tensor) -> Tensor {
        let mut open = self.clone();
        close(&mut open, &mask);
        open
    }
}

/// `more` added, block by block. Float32 is rounded by its own sum as by that of doubles.
fn add<T: Element + AddAssign>(data: &mut [T], more: &[T]) {
    if data.len() <= TILE {
        data.iter_mut().zip(more).for_each(|(slot, v)| *slot += *v);
        return;
    }
    let added = blocks::change(data, &|at, tile: &mut [T]| {
        tile.iter_mut().zip(&more[at..]).for_each(|(slot, v)| *slot += *v);
    });
    if let Err(stop) = added {
        refuse(stop);
    }
}

/// `more` added at `places`; whether a sum is -0. Unless `unsigned`, the other zeros lose their signs.
fn add_some<T: Element + AddAssign>(
    data: &mut [T],
    (more, places): (&[T], &ElementMap),
    unsigned: bool,
) -> bool {
    let layout = places.index.layout();
    let mut sums: Vec<T> = match layout {
        Some(layout) => layout.read(data),
        None => places.index.iter().map(|at| data[*at]).collect(),
    };
    sums.iter_mut().zip(more).for_each(|(sum, v)| *sum += *v);
    if !unsigned {
        data.iter_mut().for_each(|v| *v += T::default());
    }
    put(data, &sums, places);
    sums.iter().any(|sum| is_negative_zero(sum.wide()))
}

fn put<T: Element>(data: &mut [T], more: &[T], places: &ElementMap) {
    match places.index.layout() {
        // A wish to stop is asked for again where the sweep goes on.
        Some(layout) => drop(layout.put(more, data)),
        None => places.index.iter().zip(more).for_each(|(at, v)| data[*at] = *v),
    }
}

/// 0 where `mask` is.
fn close(t: &mut Tensor, mask: &Tensor) {
    with_floats!(mask, mask => with_floats_mut!(t, all => {
        all.iter_mut().zip(mask).filter(|(_, m)| **m == 0.0).for_each(|(v, _)| *v = 0.0);
    }));
}

fn is_negative_zero(v: f64) -> bool {
    v.to_bits() == (-0.0f64).to_bits()
}

/// The type of a cotangent: whole numbers have none.
pub(crate) fn float(dtype: Dtype) -> Dtype {
    if dtype.is_float() { dtype } else { Dtype::Float64 }
}
