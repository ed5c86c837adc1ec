//! Linear maps between batches of matrices, of which the derivatives of decompositions are made.

use vjp_maths::primitives::fixed::element_map;
use vjp_maths::primitives::moves::swap_wires;
use vjp_maths::{Array, LinearMap, Variable};
use vjp_tensor::matrix::Matrix;
use vjp_tensor::{ElementMap, Fact, Kind, Outcome, Tensor, budget, complain, shape};

/// Rows and columns of the last two dimensions.
pub fn sizes(own: &[usize]) -> (usize, usize) {
    match own {
        [.., m, n] => (*m, *n),
        _ => (1, 1),
    }
}

/// The dimensions before the last two.
pub fn batch(own: &[usize]) -> &[usize] {
    &own[..own.len().saturating_sub(2)]
}

/// The same batch of matrices of another size.
pub fn resized(own: &[usize], m: usize, n: usize) -> Vec<usize> {
    [batch(own), &[m, n]].concat()
}

/// At least a matrix.
pub fn matrices(x: &Variable, name: &str) -> Outcome<()> {
    if x.rank() < 2 {
        complain!(Kind::Runtime, Fact::NoMatrix; "{name}: The input tensor A must have at least 2 dimensions.");
    }
    Ok(())
}

/// Floating point only.
pub fn floats(x: &Variable, name: &str) -> Outcome<()> {
    if !x.dtype().is_float() {
        complain!(
            Kind::NotImplemented,
            "{name}: Expected a floating point or complex tensor as input. Got {}",
            x.dtype().scalar_type()
        );
    }
    Ok(())
}

/// Floats of 32 or 64 bits only.
pub fn no_short(x: &Variable, name: &str) -> Outcome<()> {
    if x.dtype().is_half() {
        let dtype = x.dtype().scalar_type();
        complain!(Kind::NotImplemented, "{name}: Low precision dtypes not supported. Got {dtype}");
    }
    Ok(())
}

/// Each matrix of a batch, with its place; there is room for it and for what it becomes.
pub fn each(x: &Tensor) -> Outcome<impl Iterator<Item = (usize, Matrix)>> {
    let (m, n) = sizes(x.shape());
    let count: usize = batch(x.shape()).iter().product();
    if count > 0 {
        budget::reserve((m * n).saturating_mul(2 * size_of::<f64>()))?;
    }
    Ok((0..count).map(move |k| (k, Matrix::new(m, n, &x.data()[k * m * n..(k + 1) * m * n]))))
}

/// `(Batch element 1): ` in a complaint about one of several.
pub fn element(x: &Tensor, k: usize) -> String {
    if x.rank() > 2 { format!("(Batch element {k}): ") } else { String::new() }
}

/// `X ↦ by X`.
pub fn left<A: Array>(by: A, from: &[usize]) -> LinearMap<A> {
    let to = resized(from, sizes(&by.shape()).0, sizes(from).1);
    LinearMap::Left { by, from: from.to_vec(), to }
}

/// `X ↦ X by`.
pub fn right<A: Array>(by: A, from: &[usize]) -> LinearMap<A> {
    let to = resized(from, sizes(from).0, sizes(&by.shape()).1);
    LinearMap::Right { by, from: from.to_vec(), to }
}

/// `X ↦ Xᵀ`.
pub fn swapped<A>(from: &[usize]) -> LinearMap<A> {
    LinearMap::Gather(swap_wires(from))
}

/// `X ↦ c X`.
pub fn scaled<A>(by: f64, own: &[usize]) -> LinearMap<A> {
    LinearMap::Scale { by, shape: own.to_vec() }
}

/// Elements that `keep(i, j)` keeps, the others being no input's.
pub fn kept<A>(own: &[usize], keep: impl Fn(usize, usize) -> bool) -> LinearMap<A> {
    placed(own, sizes(own), |i, j| keep(i, j).then_some((i, j)))
}

/// A batch of matrices of another size, whose element (i, j) is the one that `at(i, j)` names.
pub fn placed<A>(
    own: &[usize],
    to: (usize, usize),
    at: impl Fn(usize, usize) -> Option<(usize, usize)>,
) -> LinearMap<A> {
    LinearMap::Gather(places(own, to, at))
}

/// The element map of [`placed`].
pub fn places(
    own: &[usize],
    (p, q): (usize, usize),
    at: impl Fn(usize, usize) -> Option<(usize, usize)>,
) -> ElementMap {
    let (m, n) = sizes(own);
    let count: usize = batch(own).iter().product();
    let mut index = Vec::with_capacity(count * p * q);
    for b in 0..count {
        for i in 0..p {
            for j in 0..q {
                index.push(at(i, j).map_or(ElementMap::NONE, |(r, c)| (b * m + r) * n + c));
            }
        }
    }
    element_map(own, &resized(own, p, q), index)
}

/// The diagonal as vectors.
pub fn diagonal<A>(own: &[usize]) -> LinearMap<A> {
    let (m, n) = sizes(own);
    let least = m.min(n);
    let as_column = places(own, (least, 1), |i, _| Some((i, i)));
    let to = [batch(own), &[least]].concat();
    LinearMap::Gather(ElementMap { to, ..as_column })
}

/// The identity matrix in every place of a batch.
pub fn identity<A: Array>(like: &A, own: &[usize]) -> A {
    let ones = like.full(own, 1.0);
    ones.gather(&places(own, sizes(own), |i, j| (i == j).then_some((i, j))))
}

/// `X ↦ X − Xᵀ`.
pub fn skew<A>(own: &[usize]) -> LinearMap<A> {
    LinearMap::Plus(vec![scaled(1.0, own), LinearMap::Then(vec![swapped(own), scaled(-1.0, own)])])
}

/// Element by element.
pub fn weighted<A>(by: A, own: &[usize]) -> LinearMap<A> {
    LinearMap::Diagonal { by, shape: own.to_vec() }
}

/// One map after the other, from shape to shape: each is told what it is applied to.
pub struct Chain<A> {
    maps: Vec<LinearMap<A>>,
    at: Vec<usize>,
}

impl<A: Array> Chain<A> {
    pub fn from(own: &[usize]) -> Chain<A> {
        Chain { maps: Vec::new(), at: own.to_vec() }
    }

    #[must_use]
    pub fn then(mut self, map: impl FnOnce(&[usize]) -> LinearMap<A>) -> Chain<A> {
        let map = map(&self.at);
        self.at = map.to().to_vec();
        self.maps.push(map);
        self
    }

    #[must_use]
    pub fn left(self, by: A) -> Chain<A> {
        self.then(|own| left(by, own))
    }

    #[must_use]
    pub fn right(self, by: A) -> Chain<A> {
        self.then(|own| right(by, own))
    }

    pub fn done(self) -> LinearMap<A> {
        LinearMap::Then(self.maps)
    }
}

/// Room for a batch of results.
pub fn room(to: &[usize]) -> Outcome<Vec<f64>> {
    budget::vec(shape::count(to)?)
}
