//! Sums over dimensions, and which elements make one result.

use super::fixed::{Fixed, reshaping};
use super::moves::permuted;
use crate::{Array, LinearMap};
use std::borrow::Cow;
use vjp_tensor::exact_integers::longs;
use vjp_tensor::kernels::blocks::Stored;
use vjp_tensor::{Dtype, Element, ElementMap, Layout, Outcome, Tensor, budget, shape};

/// Which dimensions go, and what shape is left.
#[derive(Clone, Debug)]
pub struct Axes {
    /// Of the input.
    pub from: Vec<usize>,
    pub dims: Vec<usize>,
    /// None was named: PyTorch's other overload.
    pub all: bool,
    pub keepdim: bool,
}

/// Shorter pieces of memory are sooner put beside each other all at once.
const LONG: usize = 16;

/// Numbers by the result that they make.
pub struct Rows<'a> {
    data: Held<'a>,
    n: usize,
    /// Where each piece starts, and how long all are. None: rows lie one after the other.
    runs: Option<(Vec<usize>, usize)>,
}

enum Held<'a> {
    Double(Cow<'a, [f64]>),
    Single(Cow<'a, [f32]>),
}

impl Rows<'_> {
    /// The elements of result `k`.
    pub fn get<T: Stored>(&self, k: usize) -> Cow<'_, [T]> {
        match &self.data {
            Held::Double(all) => self.row(all, k),
            Held::Single(all) => self.row(all, k),
        }
    }

    fn row<'r, S: Stored, T: Stored>(&self, all: &'r [S], k: usize) -> Cow<'r, [T]> {
        let own = k * self.n..(k + 1) * self.n;
        let Some((starts, run)) = &self.runs else {
            let own = &all[own];
            return match T::many(S::input(own)) {
                Some(own) => Cow::Borrowed(own),
                None => Cow::Owned(own.iter().map(|v| T::of(v.wide())).collect()),
            };
        };
        let starts = &starts[own.start / run..own.end / run];
        let mut row = Vec::with_capacity(self.n);
        for at in starts {
            row.extend(all[*at..at + run].iter().map(|v| T::of(v.wide())));
        }
        Cow::Owned(row)
    }
}

impl Axes {
    /// # Errors
    /// Dimensions out of range.
    pub fn new(from: &[usize], dims: Option<&[i64]>, keepdim: bool) -> Outcome<Axes> {
        Ok(Axes {
            from: from.to_vec(),
            dims: shape::axes(dims.unwrap_or(&[]), from.len())?,
            all: dims.is_none(),
            keepdim,
        })
    }

    /// The input's shape with ones for the dimensions that go.
    pub fn ones(&self) -> Vec<usize> {
        shape::reduced(&self.from, &self.dims, true)
    }

    pub fn to(&self) -> Vec<usize> {
        shape::reduced(&self.from, &self.dims, self.keepdim)
    }

    /// As the arguments of a call in PyTorch.
    pub fn code(&self) -> String {
        let dims: Vec<String> = self.dims.iter().map(usize::to_string).collect();
        match (self.all, dims.as_slice(), self.keepdim) {
            (true, ..) => String::new(),
            (_, [one], false) => format!(", dim={one}"),
            (_, [one], true) => format!(", dim={one}, keepdim=True"),
            (_, _, keeps) => {
                let keeps = if keeps { ", keepdim=True" } else { "" };
                format!(", dim=({}){keeps}", dims.join(", "))
            }
        }
    }

    /// How many elements make one result.
    pub fn count(&self) -> usize {
        self.dims.iter().map(|d| self.from[*d]).product()
    }

    /// The input's elements, those of one result beside each other.
    pub fn groups(&self) -> Vec<usize> {
        let kept = (0..self.from.len()).filter(|d| !self.dims.contains(d));
        let mut dims = self.dims.clone();
        dims.sort_unstable();
        let order: Vec<usize> = kept.chain(dims).collect();
        permuted(&Layout::whole(&self.from), &order).positions()
    }

    /// The order of [`Axes::groups`] by runs of elements that lie together: where each starts, and how long all
    /// are. None: it is the order in which the elements lie.
    fn runs(&self) -> Option<(Vec<usize>, usize)> {
        let mut order: Vec<usize> = (0..self.from.len()).collect();
        order.sort_by_key(|d| self.dims.contains(d));
        let moved = order.iter().filter(|d| self.from[**d] != 1);
        if moved.is_sorted() {
            return None;
        }
        let mut run = 1;
        let mut end = self.from.len();
        while let Some(last) = order.pop_if(|d| *d + 1 == end) {
            (end, run) = (last, run * self.from[last]);
        }
        Some((permuted(&Layout::whole(&self.from), &order).positions(), run))
    }

    /// Whether the elements of one result lie beside each other.
    pub fn is_in_order(&self) -> bool {
        self.runs().is_none()
    }

    /// `data` with the elements of one result beside each other.
    pub fn by_result<'a, T: Element>(&self, data: &'a [T]) -> Outcome<Cow<'a, [T]>> {
        let Some((starts, run)) = self.runs() else { return Ok(Cow::Borrowed(data)) };
        let mut out = budget::vec(data.len())?;
        match run {
            1 => out.extend(starts.iter().map(|at| data[*at])),
            _ => starts.iter().for_each(|at| out.extend_from_slice(&data[*at..at + run])),
        }
        budget::tick()?;
        Ok(Cow::Owned(out))
    }

    /// The rows of a tensor: the elements of each result.
    pub fn by_row<'a>(&self, x: &'a Tensor) -> Outcome<Rows<'a>> {
        let n = self.count().max(1);
        let runs = self.runs().filter(|(_, run)| *run >= LONG);
        let data = match (x.single(), &runs) {
            (Some(all), Some(_)) => Held::Single(all.into()),
            (Some(all), None) => Held::Single(self.by_result(all)?),
            (None, Some(_)) => Held::Double(x.data().into()),
            (None, None) => Held::Double(self.by_result(x.data())?),
        };
        Ok(Rows { data, n, runs })
    }

    /// Where the elements of results lie in `out`, those of one result beside each other, piece by piece. None:
    /// in short pieces.
    pub fn places<'a, T>(&self, out: &'a mut [T]) -> Option<Vec<&'a mut [T]>> {
        let (starts, run) = self.runs().filter(|(_, run)| *run >= LONG)?;
        let mut pieces: Vec<Option<&mut [T]>> = out.chunks_mut(run).map(Some).collect();
        starts.iter().map(|at| pieces.get_mut(at / run)?.take()).collect()
    }

    /// What [`Axes::by_result`] has put beside each other in its own place again.
    pub fn put_back<T: Element>(&self, sorted: Vec<T>) -> Outcome<Vec<T>> {
        let Some((starts, run)) = self.runs() else { return Ok(sorted) };
        let mut out = budget::listed(sorted.len(), |_| T::default())?;
        for (at, part) in starts.iter().zip(sorted.chunks(run.max(1))) {
            out[*at..at + run].copy_from_slice(part);
        }
        budget::tick()?;
        Ok(out)
    }

    /// The sum as a map: of the inputs, or of something of their shape.
    pub fn collapse<A>(&self) -> LinearMap<A> {
        let ones = if self.all && !self.keepdim { Vec::new() } else { self.ones() };
        let sum = LinearMap::Collapse { from: self.from.clone(), to: ones.clone() };
        let to = self.to();
        if ones == to { sum } else { LinearMap::Then(vec![sum, reshaping(&ones, &to)]) }
    }

    /// A result spread over the elements that made it.
    pub fn spread<A: Array>(&self, y: &A) -> A {
        let ones = self.ones();
        y.gather(&ElementMap::reshape(&self.to(), &ones)).expand(&self.from)
    }

    /// `y = f(one group)` for every result.
    pub fn fold(&self, x: &Tensor, dtype: Dtype, f: impl Fn(&[f64]) -> f64) -> Outcome<Tensor> {
        Ok(Tensor::typed(&self.to(), self.each(x.data(), f)?, dtype))
    }

    /// [`Axes::fold`] of whole numbers, the results wrapped around.
    pub fn fold_whole(
        &self,
        x: &Tensor,
        dtype: Dtype,
        f: impl Fn(&[i64]) -> i64,
    ) -> Outcome<Tensor> {
        Ok(Tensor::from_whole(&self.to(), self.each(&longs(x), f)?, dtype))
    }

    fn each<T: Element>(&self, data: &[T], f: impl Fn(&[T]) -> T) -> Outcome<Vec<T>> {
        let results = shape::count(&self.to())?;
        let (sorted, n) = (self.by_result(data)?, self.count());
        // What `f` makes on the way is as long as a row.
        budget::reserve(n.saturating_mul(size_of::<T>()))?;
        let mut out = budget::vec(results)?;
        for k in 0..results {
            out.push(f(&sorted[k * n..(k + 1) * n]));
            budget::tick()?;
        }
        Ok(out)
    }
}

/// `y = Σ x`, as an operation.
pub fn summing(from: &[usize], dims: Option<&[usize]>, keepdim: bool) -> Fixed {
    let axes = Axes {
        from: from.to_vec(),
        dims: dims.map_or_else(|| (0..from.len()).collect(), <[usize]>::to_vec),
        all: dims.is_none(),
        keepdim,
    };
    sum_of(&axes)
}

pub fn sum_of(axes: &Axes) -> Fixed {
    let grad_fn = if axes.all { "SumBackward0" } else { "SumBackward1" };
    Fixed::new("sum", grad_fn, axes.collapse())
}
