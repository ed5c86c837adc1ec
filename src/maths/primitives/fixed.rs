//! Operations that are linear whatever the numbers are: each input's map says everything, the
//! value, the formula and the derivative.

use crate::autodiff::record::record;
use crate::second_order::names::second_name;
use crate::{Array, LinearMap, Point, Rule, Saves, Symbols, TorchNode, Variable};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::convert::Infallible;
use std::rc::Rc;
use vjp_tensor::budget::{self, refused};
use vjp_tensor::exact_integers::longs;
use vjp_tensor::kernels::blocks::{self, PARALLEL_FROM};
use vjp_tensor::kernels::strided::CHUNK;
use vjp_tensor::storage::element::is_single;
use vjp_tensor::storage::numbers::shortened;
use vjp_tensor::{Dtype, Element, ElementMap, Layout, Outcome, Tensor, shape};

/// A map of structure and plain numbers only.
pub type Plain = LinearMap<Infallible>;

/// `y = Σ mapₖ(xₖ)`, the maps made of structure and plain numbers only.
#[derive(Debug)]
pub struct Fixed {
    pub name: &'static str,
    pub grad_fn: &'static str,
    pub saves: Saves,
    pub maps: SmallVec<[Plain; 1]>,
    /// Of the result, where it is not the input's.
    pub dtype: Option<Dtype>,
    /// PyTorch adds to zeros where others put what comes, backward (or forward, in a scatter): no -0
    /// is left.
    pub adds: bool,
    /// See [`TorchNode::underived`].
    pub underived: u8,
    /// PyTorch's backward does nothing, not even under a name.
    pub passes: bool,
}

impl Fixed {
    pub fn new(name: &'static str, grad_fn: &'static str, map: Plain) -> Fixed {
        Fixed::sum(name, grad_fn, SmallVec::from_iter([map]))
    }

    /// One map for each input.
    pub fn sum(name: &'static str, grad_fn: &'static str, maps: SmallVec<[Plain; 1]>) -> Fixed {
        Fixed {
            name,
            grad_fn,
            saves: Saves::Nothing,
            maps,
            dtype: None,
            adds: false,
            underived: 0,
            passes: false,
        }
    }

    pub fn gather(name: &'static str, grad_fn: &'static str, elements: ElementMap) -> Fixed {
        Fixed::new(name, grad_fn, LinearMap::Gather(elements))
    }

    /// It keeps an index or a mask for backward.
    #[must_use]
    pub fn saving(mut self) -> Fixed {
        self.saves = Saves::Aside;
        self
    }

    /// See [`Fixed::adds`].
    #[must_use]
    pub fn adding(mut self) -> Fixed {
        self.adds = true;
        self
    }

    #[must_use]
    pub fn of_dtype(mut self, dtype: Dtype) -> Fixed {
        self.dtype = Some(dtype);
        self
    }
}

/// A map without coefficients, for any kind of coefficient.
pub fn lift<A>(map: &Plain) -> LinearMap<A> {
    match map {
        LinearMap::Zero { from, to } => LinearMap::Zero { from: from.clone(), to: to.clone() },
        LinearMap::Scale { by, shape } => LinearMap::Scale { by: *by, shape: shape.clone() },
        LinearMap::Expand { from, to } => LinearMap::Expand { from: from.clone(), to: to.clone() },
        LinearMap::Collapse { from, to } => {
            LinearMap::Collapse { from: from.clone(), to: to.clone() }
        }
        LinearMap::Gather(w) => LinearMap::Gather(w.clone()),
        LinearMap::Scatter(w) => LinearMap::Scatter(w.clone()),
        LinearMap::Unchosen { pairs, from, to } => {
            LinearMap::Unchosen { pairs: pairs.clone(), from: from.clone(), to: to.clone() }
        }
        LinearMap::Then(maps) => LinearMap::Then(maps.iter().map(lift).collect()),
        LinearMap::Plus(maps) => LinearMap::Plus(maps.iter().map(lift).collect()),
        LinearMap::Diagonal { by, .. }
        | LinearMap::Left { by, .. }
        | LinearMap::Right { by, .. }
        | LinearMap::Dense { by, .. } => match *by {},
    }
}

/// [`LinearMap::apply`] of a map that need not be made for it.
fn applied(map: &Plain, x: &Tensor) -> Tensor {
    match map {
        LinearMap::Expand { to, .. } => x.expand(to),
        // A sum of one number is 0 + that: no -0.
        LinearMap::Collapse { to, .. } if x.shape() == to => {
            let mut x = x.clone();
            x.unsign();
            x
        }
        LinearMap::Collapse { to, .. } => x.collapse(to),
        LinearMap::Gather(elements) => x.gather(elements),
        LinearMap::Scatter(elements) => x.scatter(elements),
        LinearMap::Then(maps) => maps.iter().fold(x.clone(), |x, map| applied(map, &x)),
        other => lift(other).apply(x),
    }
}

/// [`LinearMap::pull`], likewise.
fn pulled(map: &Plain, v: &Tensor) -> Tensor {
    match map {
        LinearMap::Expand { from, .. } => v.collapse(from),
        LinearMap::Collapse { from, .. } => v.expand(from),
        LinearMap::Gather(elements) => v.scatter(elements),
        LinearMap::Scatter(elements) => v.gather(elements),
        LinearMap::Then(maps) => maps.iter().rev().fold(v.clone(), |v, map| pulled(map, &v)),
        other => lift(other).pull(v),
    }
}

/// The same elements in another shape.
pub fn reshaping<A>(from: &[usize], to: &[usize]) -> LinearMap<A> {
    if from == to {
        LinearMap::Scale { by: 1.0, shape: to.to_vec() }
    } else {
        LinearMap::Gather(ElementMap::reshape(from, to))
    }
}

/// ElementMap from a closure: which input element output element `k` is.
pub fn element_map(from: &[usize], to: &[usize], index: Vec<usize>) -> ElementMap {
    ElementMap { from: from.to_vec(), to: to.to_vec(), index: index.into() }
}

impl Fixed {
    fn scatters(&self) -> bool {
        self.adds && matches!(self.maps[0], LinearMap::Scatter(_))
    }

    /// The value where each input has places of its own: put there, not added, so that -0 stays -0.
    fn placed(&self, inputs: &[&Tensor]) -> Option<Outcome<Tensor>> {
        let elements = self.maps.iter().map(|map| match map {
            LinearMap::Scatter(w) => Some(w),
            _ => None,
        });
        let elements: Vec<&ElementMap> = elements.collect::<Option<_>>()?;
        if elements.len() < 2 || inputs.len() != elements.len() {
            return None;
        }
        let shape = &elements[0].from;
        let dtype = match self.dtype {
            Some(dtype) => dtype,
            None => inputs.iter().map(|x| x.dtype()).reduce(Dtype::join)?,
        };
        Some(placed(&elements, inputs, shape, dtype))
    }
}

/// Long inputs that lie beside each other along one dimension and fill the result. None: they do not.
fn beside<T: Element>(
    elements: &[&ElementMap],
    inputs: &[Cow<[T]>],
    shape: &[usize],
) -> Outcome<Option<Vec<T>>> {
    /// So many are copied at once.
    const PIECE: usize = 1 << 16;
    let count = shape::count(shape)?;
    let layouts: Option<Vec<&Layout>> = elements.iter().map(|e| e.index.layout()).collect();
    let Some(layouts) = layouts.filter(|_| count >= PARALLEL_FROM) else { return Ok(None) };
    let apart = |l: &&Layout| l.shape.iter().zip(shape).position(|(own, all)| own != all);
    let Some(at) = layouts.iter().filter_map(apart).min() else { return Ok(None) };
    let widths: Vec<usize> = layouts.iter().map(|l| l.shape[at..].iter().product()).collect();
    let strides = shape::strides(shape);
    let mut start = 0;
    for (l, width) in layouts.iter().zip(&widths) {
        let whole = l.shape[..at] == shape[..at] && l.shape[at + 1..] == shape[at + 1..];
        if !whole || l.offset != start || *l.strides != *strides {
            return Ok(None);
        }
        start += width;
    }
    if start != shape[at..].iter().product() {
        return Ok(None);
    }
    let mut whole = budget::vec(count)?;
    let mut rest = &mut whole.spare_capacity_mut()[..count];
    let mut pieces = Vec::new();
    for row in 0..count / start {
        for (x, width) in inputs.iter().zip(&widths) {
            let own;
            (own, rest) = rest.split_at_mut(*width);
            let from = &x[row * width..(row + 1) * width];
            pieces.extend(own.chunks_mut(PIECE).zip(from.chunks(PIECE)));
        }
    }
    blocks::each(pieces.into_iter(), true, |(to, from)| {
        to.iter_mut().zip(from).for_each(|(slot, v)| {
            slot.write(*v);
        });
    })?;
    // SAFETY: the widths add up to a row, and `each` has copied every piece.
    unsafe { whole.set_len(count) };
    Ok(Some(whole))
}

fn placed(
    elements: &[&ElementMap],
    inputs: &[&Tensor],
    shape: &[usize],
    dtype: Dtype,
) -> Outcome<Tensor> {
    fn all<T: Element>(
        elements: &[&ElementMap],
        inputs: &[Cow<[T]>],
        shape: &[usize],
    ) -> Outcome<Vec<T>> {
        if let Some(whole) = beside(elements, inputs, shape)? {
            return Ok(whole);
        }
        let mut whole = budget::filled(shape::count(shape)?, T::default())?;
        for (elements, x) in elements.iter().zip(inputs) {
            if let Some(layout) = elements.index.layout() {
                layout.put(x, &mut whole)?;
                continue;
            }
            for (places, values) in elements.index.chunks(CHUNK).zip(x.chunks(CHUNK)) {
                budget::tick()?;
                for (place, value) in places.iter().zip(values) {
                    whole[*place] = *value;
                }
            }
        }
        Ok(whole)
    }
    if inputs.iter().any(|x| x.long().is_some()) && !dtype.is_float() {
        let inputs: Vec<Cow<[i64]>> = inputs.iter().map(|x| longs(x)).collect();
        return Ok(Tensor::from_whole(shape, all(elements, &inputs, shape)?, dtype));
    }
    if is_single(dtype, shape::count(shape)?) {
        let inputs: Outcome<Vec<Cow<[f32]>>> = inputs.iter().map(|x| shortened(x)).collect();
        return Ok(Tensor::from_single(shape, all(elements, &inputs?, shape)?));
    }
    let inputs: Vec<Cow<[f64]>> = inputs.iter().map(|x| x.data().into()).collect();
    Ok(Tensor::typed(shape, all(elements, &inputs, shape)?, dtype))
}

impl Rule for Fixed {
    fn name(&self) -> &'static str {
        self.name
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let nothing = |map: &Plain| matches!(map, LinearMap::Zero { .. });
        let all = self.maps.iter().all(nothing);
        let some = self.maps.iter().zip(inputs).filter(|(map, _)| all || !nothing(map));
        let mut parts = some.map(|(map, x)| {
            let x = match self.dtype {
                Some(d) => x.to_dtype(d),
                None => (*x).clone(),
            };
            applied(map, &x).with_dtype(x.dtype())
        });
        if let Some(whole) = self.placed(inputs) {
            return whole;
        }
        let first = parts.next().unwrap_or(Tensor::scalar(0.0));
        let mut out = parts.fold(first, |a, b| {
            let dtype = a.dtype().join(b.dtype());
            a.add(&b).with_dtype(dtype)
        });
        refused()?;
        if self.scatters() {
            out.unsign();
        }
        Ok(out)
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        self.composed(inputs)
    }

    fn composed<A: Array>(&self, inputs: &[&A]) -> Option<A> {
        let parts = self.maps.iter().zip(inputs).map(|(map, x)| lift::<A>(map).apply(x));
        parts.reduce(|a, b| a.add(&b))
    }

    fn linear<A: Array>(&self, _: &Point<A>, wrt: usize) -> LinearMap<A> {
        lift(&self.maps[wrt])
    }

    fn places(&self, wrt: usize) -> Option<&ElementMap> {
        match &self.maps[wrt] {
            LinearMap::Gather(elements) if !self.adds => Some(elements),
            _ => None,
        }
    }

    fn pull(&self, _: &Point<Tensor>, wrt: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
        let mut passed = pulled(&self.maps[wrt], v);
        if self.adds && !self.scatters() {
            passed.unsign();
        }
        Some(Ok(passed))
    }
}

impl TorchNode for Fixed {
    fn grad_fn(&self) -> &'static str {
        self.grad_fn
    }

    fn saves(&self) -> Saves {
        self.saves
    }

    fn underived(&self) -> u8 {
        self.underived
    }

    fn second(&self, wrt: usize) -> Option<&'static str> {
        second_name(self.grad_fn, wrt).filter(|_| !self.passes)
    }

    fn remembers(&self) -> bool {
        self.saves == Saves::Inputs(1)
    }
}

/// A result of `x` that PyTorch records under a name of its node but has no derivative of.
pub fn underived(
    x: &Variable,
    value: Tensor,
    name: &'static str,
    grad_fn: &'static str,
) -> Variable {
    let map = LinearMap::Zero { from: x.shape(), to: value.shape().to_vec() };
    let op = Fixed { underived: 1, ..Fixed::new(name, grad_fn, map) };
    let node = record(Rc::new(op), std::slice::from_ref(x), &value);
    Variable::fresh(value, node)
}
