//! Images read at the points of a grid, and the grids of affine maps.

use std::rc::Rc;
use vjp_maths::{Fixed, LinearMap, Variable, apply, table};
use vjp_ops::arrange::layout;
use vjp_ops::arrange::rotate_and_unfold::gathered;
use vjp_ops::compose::{grouped, number};
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::shape::ints;
use vjp_tensor::torch_messages::{no_dimensions, other_type, sizes, torch_size};
use vjp_tensor::{ElementMap, Kind, Outcome, Tensor, budget, complain, shape, torch_messages};

/// What stands beyond the edge.
#[derive(Clone, Copy, PartialEq)]
enum Beyond {
    Zeros,
    Border,
    Reflection { corners: bool },
}

impl Beyond {
    /// Where coordinate `c` of `n` elements is read instead, and the slope of that.
    fn inside(self, c: f64, n: usize) -> (f64, f64) {
        let clipped = |c: f64, slope: f64| {
            let last = n as f64 - 1.0;
            if c <= 0.0 {
                (0.0, 0.0)
            } else if c >= last {
                (last, 0.0)
            } else {
                (c, slope)
            }
        };
        match self {
            Beyond::Zeros => (c, 1.0),
            Beyond::Border => clipped(c, 1.0),
            Beyond::Reflection { corners } => {
                // Mirrors stand at the first and last centre, or at the edges half an element outside.
                let (low, span) = if corners { (0.0, n as f64 - 1.0) } else { (-0.5, n as f64) };
                if span == 0.0 {
                    return (0.0, 0.0);
                }
                let away = c - low;
                let (extra, flips) = (away.abs() % span, (away.abs() / span).floor());
                let sign = if away < 0.0 { -1.0 } else { 1.0 };
                match flips % 2.0 == 0.0 {
                    true => clipped(extra + low, sign),
                    false => clipped(span - extra + low, -sign),
                }
            }
        }
    }
}

/// An input and the shape that is read from it, with what stands beyond its edge.
struct Sampler {
    x: Variable,
    own: Vec<usize>,
    to: Vec<usize>,
    beyond: Beyond,
}

impl Sampler {
    /// Points of one example.
    fn area(&self) -> usize {
        self.to[2..].iter().product()
    }

    /// The elements at whole coordinates, given for each dimension and each point of each example; 0 outside.
    fn at(&self, places: &[Vec<f64>]) -> Outcome<Variable> {
        let (area, channels) = (self.area().max(1), self.own[1]);
        let space: usize = self.own[2..].iter().product();
        let index = budget::listed(shape::count(&self.to)?, |k| {
            let (point, channel, example) =
                (k % area, k / area % channels.max(1), k / area / channels.max(1));
            let mut at = 0;
            for (d, n) in self.own[2..].iter().enumerate() {
                let c = places[d][example * area + point];
                if !(0.0..*n as f64).contains(&c) {
                    return ElementMap::NONE;
                }
                at = at * n + c as usize;
            }
            (example * channels + channel) * space + at
        })?;
        gathered(&self.x, &self.to, index, "grid_sample", "GridSampler2DBackward0")
    }

    /// [`Sampler::at`] times a weight for each point.
    fn weighted(&self, places: &[Vec<f64>], weight: &Variable) -> Outcome<Variable> {
        table::mul(&self.at(places)?, &layout::unsqueeze(weight, 1)?)
    }

    /// Each coordinate read inside.
    fn kept(&self, c: &Variable, n: usize) -> Outcome<Variable> {
        if self.beyond == Beyond::Zeros {
            return Ok(c.clone());
        }
        let value = c.value();
        let read = |v: f64| self.beyond.inside(v, n);
        let slope = value.map(c.dtype(), |v| read(v).1)?;
        let shift = value.map(c.dtype(), |v| read(v).0 - read(v).1 * v)?;
        table::add(&table::mul(c, &Variable::constant(slope))?, &Variable::constant(shift))
    }

    /// The mean of the neighbours, by their distance.
    fn linear(&self, places: &[Variable]) -> Outcome<Variable> {
        let d = places.len();
        let floors: Vec<Tensor> =
            places.iter().map(|c| c.value().map(c.dtype(), f64::floor)).collect::<Outcome<_>>()?;
        let mut sides = Vec::with_capacity(d);
        for (c, low) in places.iter().zip(&floors) {
            let past = table::sub(c, &Variable::constant(low.clone()))?;
            sides.push([table::sub(&number(1.0), &past)?, past]);
        }
        let mut all: Option<Variable> = None;
        for corner in 0..1usize << d {
            let up = |k: usize| corner >> (d - 1 - k) & 1;
            let at: Vec<Vec<f64>> = (0..d)
                .map(|k| floors[k].data().iter().map(|v| v + up(k) as f64).collect())
                .collect();
            // The last dimension first, as PyTorch multiplies them.
            let mut weight = sides[d - 1][up(d - 1)].clone();
            for k in (0..d - 1).rev() {
                weight = table::mul(&weight, &sides[k][up(k)])?;
            }
            let part = self.weighted(&at, &weight)?;
            all = Some(match all {
                Some(sum) => table::add(&sum, &part)?,
                None => part,
            });
        }
        Ok(all.unwrap_or_else(|| self.x.clone()))
    }

    /// Cubic along each dimension; `places` are those along the dimensions so far.
    fn cubic(&self, taps: &[Vec<Tap>], places: &[Vec<f64>]) -> Outcome<Variable> {
        let Some((first, rest)) = taps.split_first() else {
            return self.at(places);
        };
        let n = self.own[2 + places.len()];
        let mut parts = Vec::with_capacity(4);
        for (along, weight) in first {
            let inside = along.iter().map(|v| self.beyond.inside(*v, n).0).collect();
            let line = self.cubic(rest, &[places, &[inside]].concat())?;
            parts.push(table::mul(&line, &layout::unsqueeze(weight, 1)?)?);
        }
        total(parts)
    }
}

/// Places along a dimension, one for each point, and their weights.
type Tap = (Vec<f64>, Variable);

fn total(parts: Vec<Variable>) -> Outcome<Variable> {
    let mut parts = parts.into_iter();
    let first = parts.next().unwrap_or_else(|| number(0.0));
    parts.try_fold(first, |sum, part| table::add(&sum, &part))
}

/// The four places around each coordinate along a dimension, and their weights.
fn cubes(c: &Variable) -> Outcome<Vec<Tap>> {
    const A: f64 = -0.75;
    let low = c.value().map(c.dtype(), f64::floor)?;
    let past = table::sub(c, &Variable::constant(low.clone()))?;
    let ahead = table::sub(&number(1.0), &past)?;
    let times = |x: &Variable, by: &Variable| table::mul(x, by);
    let near = |t: &Variable| -> Outcome<Variable> {
        let y = table::sub(&table::mul(t, &number(A + 2.0))?, &number(A + 3.0))?;
        table::add(&times(&times(&y, t)?, t)?, &number(1.0))
    };
    let far = |t: &Variable| -> Outcome<Variable> {
        let t = table::add(t, &number(1.0))?;
        let y = table::sub(&table::mul(&t, &number(A))?, &number(5.0 * A))?;
        let y = table::add(&times(&y, &t)?, &number(8.0 * A))?;
        table::sub(&times(&y, &t)?, &number(4.0 * A))
    };
    let weights = [far(&past)?, near(&past)?, near(&ahead)?, far(&ahead)?];
    let places = |by: f64| low.data().iter().map(|v| v + by).collect();
    Ok(weights.into_iter().enumerate().map(|(k, w)| (places(k as f64 - 1.0), w)).collect())
}

/// Whether corners are aligned; PyTorch warns where that is not said.
fn aligned(b: &Bound, k: usize) -> bool {
    if !b.has(k) {
        vjp_tensor::warnings::warn(
            "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify align_corners=True if the old behavior is desired. See the documentation of grid_sample for details.",
        );
    }
    b.bool_or(k, false)
}

fn grid_sample(b: &mut Bound) -> Outcome<Out> {
    let (mode, padding) = (b.str_or(2, "bilinear").to_owned(), b.str_or(3, "zeros").to_owned());
    if !["bilinear", "nearest", "bicubic"].contains(&mode.as_str()) {
        complain!(
            Kind::Value,
            "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'"
        );
    }
    if !["zeros", "border", "reflection"].contains(&padding.as_str()) {
        complain!(
            Kind::Value,
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: '{padding}'"
        );
    }
    let corners = aligned(b, 4);
    let (own, points) = (b.tensor(0)?.shape(), b.tensor(1)?.shape());
    check_grid(b, &own, &points)?;
    let d = own.len() - 2;
    let grad_fn = if d == 2 { "GridSampler2DBackward0" } else { "GridSampler3DBackward0" };
    let group = grouped(b, "grid_sample", grad_fn, 0b11, &[0, 1])?;
    let (x, grid) = (b.tensor(0)?, b.tensor(1)?);
    let beyond = match padding.as_str() {
        "zeros" => Beyond::Zeros,
        "border" => Beyond::Border,
        _ => Beyond::Reflection { corners },
    };
    let to = [&own[..2], &points[1..=d]].concat();
    let sampler = Sampler { x, own, to, beyond };
    let mut places = Vec::with_capacity(d);
    for (k, n) in sampler.own[2..].iter().enumerate() {
        // The last coordinate is that of the first dimension.
        let c = vjp_ops::index::select(&grid, d + 1, (d - 1 - k) as i64, d + 1)?;
        let c = table::add(&c, &number(1.0))?;
        let c = match corners {
            true => table::mul(&c, &number((*n as f64 - 1.0) / 2.0))?,
            false => table::sub(&table::mul(&c, &number(*n as f64 / 2.0))?, &number(0.5))?,
        };
        places.push(if mode == "bicubic" { c } else { sampler.kept(&c, *n)? });
    }
    let y = match mode.as_str() {
        "bilinear" => sampler.linear(&places)?,
        "bicubic" => sampler.cubic(&places.iter().map(cubes).collect::<Outcome<Vec<_>>>()?, &[])?,
        _ => {
            let near =
                |c: &Variable| c.value().data().iter().map(|v| v.round_ties_even()).collect();
            let y = sampler.at(&places.iter().map(near).collect::<Vec<_>>())?;
            let zero = LinearMap::Zero { from: grid.shape(), to: sampler.to.clone() };
            let still = Fixed::new("grid_sample", grad_fn, zero);
            table::add(&y, &apply(Rc::new(still), std::slice::from_ref(&grid))?)?
        }
    };
    Ok(Out::One(group.output(&y)?))
}

/// # Errors
/// Inputs and grids that do not go together, in the order in which PyTorch finds it.
fn check_grid(b: &Bound, own: &[usize], points: &[usize]) -> Outcome<()> {
    if own.is_empty() || points.is_empty() {
        return Err(no_dimensions(0));
    }
    if own.first() != points.first() {
        complain!(
            "grid_sampler(): expected grid and input to have same batch size, but got input with sizes {} and grid with sizes {}",
            sizes(own),
            sizes(points)
        );
    }
    let d = own.len() as i64 - 2;
    if points.last().map(|n| *n as i64) != Some(d) {
        complain!(
            "grid_sampler(): expected grid to have size {d} in last dimension, but got grid with sizes {}",
            sizes(points)
        );
    }
    if let Some(k) = (2..own.len()).find(|k| own[*k] == 0) {
        complain!(
            "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes {} with dimension {k} being empty",
            sizes(own)
        );
    }
    if !matches!(d, 2 | 3) || own.len() != points.len() {
        complain!(
            "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got input with sizes {} and grid with sizes {}",
            sizes(own),
            sizes(points)
        );
    }
    let (x, grid) = (b.tensor(0)?.dtype(), b.tensor(1)?.dtype());
    torch_messages::floats_only(&format!("grid_sampler_{d}d_cpu_kernel_impl"), x)?;
    if x != grid {
        return Err(other_type(x, grid));
    }
    Ok(())
}

/// Numbers of Python in a tuple.
fn tuple(all: &[i64]) -> String {
    let all: Vec<String> = all.iter().map(i64::to_string).collect();
    format!("({}{})", all.join(", "), if all.len() == 1 { "," } else { "" })
}

fn affine_grid(b: &mut Bound) -> Outcome<Out> {
    let (theta, size) = (b.tensor(0)?, b.ints(1).unwrap_or_default());
    if !theta.dtype().is_float() {
        complain!(
            Kind::Value,
            "Expected theta to have floating point type, but got torch.{}",
            theta.dtype().name()
        );
    }
    let own = theta.shape();
    let d = size.len().saturating_sub(2);
    if !matches!(d, 2 | 3) {
        complain!(
            Kind::NotImplemented,
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size {}.",
            tuple(&size)
        );
    }
    if own.len() != 3 || own[1..] != [d, d + 1] {
        complain!(
            Kind::Value,
            "Expected a batch of {d}D affine matrices of shape Nx{d}x{} for size {}. Got {}.",
            d + 1,
            tuple(&size),
            torch_size(&own)
        );
    }
    let corners = aligned(b, 2);
    if size.iter().any(|n| *n <= 0) {
        complain!(Kind::Value, "Expected non-zero, positive output size. Got {}", tuple(&size));
    }
    let space: Vec<usize> = size[2..].iter().map(|n| *n as usize).collect();
    let (area, examples) = (shape::count(&space)?, size[0] as usize);
    let strides = shape::strides(&space);
    // (x, y, …, 1) of each point.
    let points = budget::listed(shape::count(&[examples, area, d + 1])?, |k| {
        let (at, which) = (k / (d + 1) % area, k % (d + 1));
        if which == d {
            return 1.0;
        }
        let dim = d - 1 - which;
        let (n, at) = (space[dim] as f64, (at / strides[dim] % space[dim]) as f64);
        match (n == 1.0, corners) {
            (true, _) => 0.0,
            (_, true) => 2.0 * at / (n - 1.0) - 1.0,
            _ => (2.0 * at / (n - 1.0) - 1.0) * (n - 1.0) / n,
        }
    })?;
    let points =
        Tensor::typed(&[examples, area, d + 1], points, theta.dtype()).to_dtype(theta.dtype());
    let group = grouped(b, "affine_grid", "AffineGridGeneratorBackward0", 0, &[0])?;
    let turned = layout::transpose(&b.tensor(0)?, 1, 2)?;
    let grid = vjp_ops::product::matmul::bmm(&Variable::constant(points), &turned)?;
    let to = [&[examples], space.as_slice(), &[d]].concat();
    Ok(Out::One(group.output(&layout::view_as(&grid, &ints(&to))?)?))
}

/// Of volumes and images, the maxima of a pool put back to where they came from, among zeros.
fn max_unpool(b: &mut Bound, d: usize) -> Outcome<Out> {
    let all = |k: usize| b.ints(k).filter(|v| !v.is_empty());
    let spread = |given: Vec<i64>| if given.len() == 1 { vec![given[0]; d] } else { given };
    let kernel = spread(all(2).unwrap_or(vec![1]));
    let stride = all(3).map_or_else(|| kernel.clone(), spread);
    let padding = spread(all(4).unwrap_or(vec![0]));
    let (x, places) = (b.tensor(0)?, b.tensor(1)?);
    let own = x.shape();
    if let Some(given) = [&kernel, &stride, &padding].into_iter().find(|v| v.len() != d) {
        let sides = ["one (length)", "two (height, width)", "three (depth, height, width)"];
        let (count, names) = sides[d - 1].split_once(' ').unwrap_or_default();
        complain!(
            "There should be exactly {count} elements {names} in output_size, but got {} elements.",
            given.len()
        );
    }
    if own.len() < d {
        complain!(Kind::Index, "tuple index out of range");
    }
    let usual =
        |k: usize| (own[own.len() - d + k] as i64 - 1) * stride[k] + kernel[k] - 2 * padding[k];
    let usual: Vec<i64> = (0..d).map(usual).collect();
    let wanted = match b.ints(5) {
        Some(given) => {
            let given = if given.len() == d + 2 { given[2..].to_vec() } else { given };
            if given.len() != d {
                complain!(
                    Kind::Value,
                    "output_size should be a sequence containing {d} or {} elements, but it has a length of '{}'",
                    d + 2,
                    given.len()
                );
            }
            for k in 0..d {
                let (least, most) = (usual[k] - stride[k], usual[k] + stride[k]);
                if given[k] <= least || given[k] >= most {
                    complain!(
                        Kind::Value,
                        "invalid output_size \"{}\" (dim {k} must be between {least} and {most})",
                        tuple(&given)
                    );
                }
            }
            given
        }
        None => usual,
    };
    if places.dtype() != vjp_tensor::Dtype::Int64 {
        complain!(
            "elements in indices should be type int64 but got: {}",
            places.dtype().scalar_type()
        );
    }
    let most = d.max(2) + 2 - usize::from(d == 1);
    if own.len() != most && own.len() + 1 != most {
        let what = if d == 3 { "4d or 5d" } else { "3d or 4d" };
        complain!(
            "Input to max_unpooling{}d should be a {what} Tensor, but got a tensor with {} dimensions.",
            d.max(2),
            own.len() + usize::from(d == 1)
        );
    }
    if places.shape() != own {
        // One dimension is two, the second of size 1.
        let lifted = |own: &[usize]| [own, if d == 1 { &[1] } else { &[] }].concat();
        complain!(
            "Expected shape of indices to be same as that of the input tensor ({}) but got indices tensor with shape: {}",
            sizes(&lifted(&own)),
            sizes(&lifted(&places.shape()))
        );
    }
    let room: usize = wanted.iter().map(|n| (*n).max(0) as usize).product();
    let area: usize = own[own.len() - d..].iter().product();
    let mut index = Vec::with_capacity(places.numel());
    for (k, at) in places.value().data().iter().enumerate() {
        if *at < 0.0 || *at >= room as f64 {
            let by: Vec<String> = wanted.iter().map(i64::to_string).collect();
            complain!(
                "Found an invalid max index: {at} (output volumes are of size {}{})",
                by.join("x"),
                if d == 1 { "x1" } else { "" }
            );
        }
        index.push(k / area.max(1) * room + *at as usize);
    }
    let to: Vec<usize> =
        own[..own.len() - d].iter().copied().chain(wanted.iter().map(|n| *n as usize)).collect();
    let grad_fn = if d == 3 { "MaxUnpool3DBackward0" } else { "MaxUnpool2DBackward0" };
    let part = ElementMap { from: to.clone(), to: own, index: index.into() };
    let put = vjp_maths::primitives::put::Put::new("max_unpool", grad_fn, part).saving();
    let empty = Variable::constant(Tensor::filled(&to, 0.0, x.dtype())?);
    let y = apply(Rc::new(put), &[empty, x])?;
    if d > 1 {
        return Ok(Out::One(y));
    }
    // In PyTorch one dimension is two, the second of size 1.
    Ok(Out::One(layout::squeezed(&layout::unsqueeze(&y, -1)?, Some(&[-1]), "SqueezeBackward1")?))
}

const F: Forms = Forms::F;
const UNPOOL: &str = "(Tensor input, Tensor indices, int[] kernel_size, int[] stride=None, int[] padding=0, int[] output_size=None)";

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "grid_sample" F, "(Tensor input, Tensor grid, str mode='bilinear', str padding_mode='zeros', bool align_corners=None)", "the input at the points (x, y) of a grid from −1 to 1, between elements y = Σ wᵢxᵢ over the neighbours; ∂y/∂xᵢ = wᵢ", "F.grid_sample(tensor([[[[1., 2.], [3., 4.]]]]), tensor([[[[0.2, 0.1]]]]), align_corners=True)"
        & "a = [[1., 2.5], [3., 4.7]]; b = [[0.3, 0.1], [-0.35, 0.55]]; F.grid_sample(a.reshape(1, 1, 2, 2), b.reshape(1, 2, 1, 2), align_corners=False)"
        & "a = [[1., 2.5, 0.4], [3., 4.7, 2.2], [0.3, 1.1, 2.9]]; b = [[0.3, 0.1], [-1.35, 0.55]]; F.grid_sample(a.reshape(1, 1, 3, 3), b.reshape(1, 2, 1, 2), padding_mode='reflection', align_corners=False)"
        & "a = [[1., 2.5, 0.4], [3., 4.7, 2.2], [0.3, 1.1, 2.9]]; b = [[0.3, 0.1], [-0.35, 0.55]]; F.grid_sample(a.reshape(1, 1, 3, 3), b.reshape(1, 2, 1, 2), 'bicubic', 'border', True)", ["affine_grid", "interpolate"] jax "-"
        => grid_sample;
    "affine_grid" F, "(Tensor theta, ints size, bool align_corners=None)", "y = θ(p, 1) for each point p of an image, from −1 to 1 along each dimension; ∂yᵢ/∂θᵢ = (p, 1)", "F.affine_grid(tensor([[[1., 0., 0.], [0., 1., 0.]]]), (1, 1, 2, 2), align_corners=True)", ["grid_sample"] jax "-"
        => affine_grid;
    "max_unpool1d" F, UNPOOL, "the maxima of a pool where they came from, 0 elsewhere; vᵀJ gathers v there", "F.max_unpool1d(tensor([[3., 4.]]), tensor([[1, 3]]), 2)", ["max_pool1d"] jax "-"
        => |b| max_unpool(b, 1);
    "max_unpool2d" F, UNPOOL, "the maxima of a pool where they came from, 0 elsewhere; vᵀJ gathers v there", "F.max_unpool2d(tensor([[[4.]]]), tensor([[[3]]]), 2)", ["max_pool2d"] jax "-"
        => |b| max_unpool(b, 2);
    "max_unpool3d" F, UNPOOL, "the maxima of a pool where they came from, 0 elsewhere; vᵀJ gathers v there", "F.max_unpool3d(tensor([[[[4.]]]]), tensor([[[[7]]]]), 2)", ["max_pool3d"] jax "-"
        => |b| max_unpool(b, 3);
};
