//! Products of vectors and arrays that are composed of others: cross, vdot, vecdot, tensordot,
//! chains of matrices.

use super::addmm::{scaled, types_of_three};
use crate::arrange::layout;
use crate::compose::grouped;
use crate::product::matmul::Matmul;
use crate::reduce::sum;
use crate::{Arg, Bound, Forms, Out};
use vjp_maths::composite::Group;
use vjp_maths::{Variable, table};
use vjp_tensor::{Outcome, budget, complain, shape, torch_messages};

/// The vector product along a dimension.
fn cross(b: &mut Bound, old: bool) -> Outcome<Out> {
    let group = grouped(b, "cross", "LinalgCrossBackward0", 0b11, &[0, 1])?;
    let (x, y) = (b.tensor(0)?, b.tensor(1)?);
    let (p, q) = (x.shape(), y.shape());
    if p.len() != q.len() {
        complain!("linalg.cross: inputs must have the same number of dimensions.");
    }
    // Without a dimension the old form takes the first of size 3.
    let given = match b.int(2) {
        Some(dim) => dim,
        None if old => {
            vjp_tensor::warnings::warn_once(
                "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the dim explicitly or simply use torch.linalg.cross.\nThe default value of dim will change to agree with that of linalg.cross in a future release.",
            );
            match p.iter().position(|n| *n == 3) {
                Some(dim) => dim as i64,
                None => complain!("no dimension of size 3 in input"),
            }
        }
        None => -1,
    };
    if p.is_empty() {
        return Err(torch_messages::no_dimensions(given));
    }
    let dim = shape::axis(given, p.len())?;
    if p.get(dim) != Some(&3) || q.get(dim) != Some(&3) {
        complain!(
            "linalg.cross: inputs dimension {given} must have length 3. Got {} and {}",
            p.get(dim).copied().unwrap_or(1),
            q.get(dim).copied().unwrap_or(1)
        );
    }
    let to = shape::broadcast(&p, &q)?;
    let sizes = vjp_tensor::shape::ints(&to);
    let turned = |v: &Variable, by: i64| -> Outcome<Variable> {
        let v = if v.shape() == to { v.clone() } else { layout::expand(v, &sizes)? };
        crate::arrange::flip_and_repeat::roll(&v, &[-by], &[dim as i64])
    };
    let plus = table::mul(&turned(&x, 1)?, &turned(&y, 2)?)?;
    let minus = table::mul(&turned(&x, 2)?, &turned(&y, 1)?)?;
    let z = table::sub(&plus, &minus)?;
    Ok(Out::One(group.output(&z)?))
}

fn vdot(x: &Variable, y: &Variable) -> Outcome<Variable> {
    let group = Group::new("vdot", "VdotBackward0", 0b11, &[Some(x.clone()), Some(y.clone())])?;
    let (x, y) = (group.inputs[0].as_ref().unwrap_or(x), group.inputs[1].as_ref().unwrap_or(y));
    group.output(&crate::product::matmul::dot(x, y)?)
}

fn vecdot(b: &mut Bound) -> Outcome<Out> {
    let (x, y, dim) = (b.tensor(0)?, b.tensor(1)?, b.int_or(2, -1));
    if x.rank() == 1 && y.rank() == 1 {
        shape::axis(dim, 1)?;
        return Ok(Out::One(vdot(&x, &y)?));
    }
    Ok(Out::One(sum(&table::mul(&x, &y)?, Some(&[dim]), false)?))
}

/// `torch.tensordot(a, b, dims)`: a number of dimensions, or two lists of them.
///
/// # Errors
/// Dimensions that do not match.
pub fn tensordot(x: &Variable, y: &Variable, left: &[i64], right: &[i64]) -> Outcome<Variable> {
    let (p, q) = (x.shape(), y.shape());
    if left.len() != right.len() {
        complain!("both dimension lists should have same length");
    }
    let (mut x, mut y) = (x.clone(), y.clone());
    let (mut over, mut under) = (Vec::new(), Vec::new());
    for (a, b) in left.iter().zip(right) {
        let (i, j) = (shape::axis(*a, p.len())?, shape::axis(*b, q.len())?);
        // A side of length 1 represents all of the other, which is summed.
        if q[j] == 1 {
            x = sum(&x, Some(&[*a]), true)?;
        } else if p[i] == 1 {
            y = sum(&y, Some(&[*b]), true)?;
        } else if p[i] != q[j] {
            complain!(
                "contracted dimensions need to match, but first has size {} in dim {a} and second has size {} in dim {b}",
                p[i],
                q[j]
            );
        }
        over.push(i);
        under.push(j);
    }
    let (p, q) = (x.shape(), y.shape());
    let kept = |own: &[usize], gone: &[usize]| -> Vec<usize> {
        (0..own.len()).filter(|d| !gone.contains(d)).collect()
    };
    let (rows, columns) = (kept(&p, &over), kept(&q, &under));
    let size =
        |own: &[usize], dims: &[usize]| dims.iter().map(|d| own[*d]).product::<usize>() as i64;
    let flat = |v: &Variable, order: Vec<usize>, to: [i64; 2]| -> Outcome<Variable> {
        let dims: Vec<i64> = order.iter().map(|d| *d as i64).collect();
        layout::reshape(&layout::permute(v, &dims)?, &to)
    };
    let (m, k, n) = (size(&p, &rows), size(&p, &over), size(&q, &columns));
    let a = flat(&x, [rows.as_slice(), &over].concat(), [m, k])?;
    let b = flat(&y, [under.as_slice(), &columns].concat(), [k, n])?;
    let to: Vec<usize> = rows.iter().map(|d| p[*d]).chain(columns.iter().map(|d| q[*d])).collect();
    layout::view_as(&crate::product::matmul::mm(&a, &b)?, &vjp_tensor::shape::ints(&to))
}

fn tensordot_called(b: &mut Bound) -> Outcome<Out> {
    let (x, y) = (b.tensor(0)?, b.tensor(1)?);
    let (left, right) = match b.arg(2) {
        Arg::Tensors(lists) if lists.len() == 2 => {
            let read =
                |v: &Variable| -> Vec<i64> { v.value().data().iter().map(|d| *d as i64).collect() };
            (read(&lists[0]), read(&lists[1]))
        }
        // Two numbers stand for two lists of one.
        Arg::Ints(dims) if dims.len() == 2 => (vec![dims[0]], vec![dims[1]]),
        _ => {
            let n = b.int_or(2, 2);
            if n < 0 {
                complain!("tensordot expects dims >= 0, but got dims={n}");
            }
            if n as usize > x.rank().min(y.rank()) {
                complain!("tensordot expects dims < ndim_a or ndim_b, but got dims={n}");
            }
            ((-n..0).collect(), (0..n).collect())
        }
    };
    Ok(Out::One(tensordot(&x, &y, &left, &right)?))
}

/// `torch.inner(a, b)`: sums over the last dimension of both.
fn inner(b: &mut Bound) -> Outcome<Out> {
    let (x, y) = (b.tensor(0)?, b.tensor(1)?);
    let (p, q) = (x.shape(), y.shape());
    if p.is_empty() || q.is_empty() {
        return Ok(Out::One(table::mul(&x, &y)?));
    }
    if p.last() != q.last() {
        complain!(
            "inner() the last dimension must match on both input tensors but got shapes {} and {}",
            vjp_tensor::torch_messages::sizes(&p),
            vjp_tensor::torch_messages::sizes(&q)
        );
    }
    Ok(Out::One(tensordot(&x, &y, &[-1], &[-1])?))
}

/// A chain of products in the cheapest order; vectors at the ends are rows and columns.
fn multi_dot(parts: &[Variable]) -> Outcome<Variable> {
    if parts.len() < 2 {
        complain!("multi_dot(): expected at least 2 tensors but got {}", parts.len());
    }
    let last = parts.len() - 1;
    let mut all = parts.to_vec();
    for (k, part) in parts.iter().enumerate() {
        match (k, part.rank()) {
            (_, 2) => {}
            (0, 1) => all[k] = layout::unsqueeze(part, 0)?,
            (k, 1) if k == last => all[k] = layout::unsqueeze(part, 1)?,
            (k, rank) => {
                let wanted = if k == 0 || k == last { "1D or 2D" } else { "2D" };
                let which = match k {
                    0 => "the first tensor".to_owned(),
                    k if k == last => "the last tensor".to_owned(),
                    k => format!("tensor {k}"),
                };
                complain!("multi_dot(): {which} must be {wanted} but got {rank}D");
            }
        }
    }
    for k in 0..last {
        let (p, q) = (all[k].shape(), all[k + 1].shape());
        if p[1] != q[0] {
            complain!(
                "multi_dot(): tensors {k} and {} with shapes {} and {} cannot be multiplied",
                k + 1,
                vjp_tensor::torch_messages::sizes(&parts[k].shape()),
                vjp_tensor::torch_messages::sizes(&parts[k + 1].shape())
            );
        }
    }
    let sizes: Vec<usize> =
        std::iter::once(all[0].shape()[0]).chain(all.iter().map(|v| v.shape()[1])).collect();
    let order = cheapest(&sizes);
    let product = multiplied(&all, &order, 0, last)?;
    let mut to = Vec::new();
    if parts[0].rank() == 2 {
        to.push(sizes[0]);
    }
    if parts[last].rank() == 2 {
        to.push(sizes[last + 1]);
    }
    layout::view_as(&product, &vjp_tensor::shape::ints(&to))
}

/// Where to cut the product of matrices i … j, by the number of multiplications.
fn cheapest(sizes: &[usize]) -> Vec<Vec<usize>> {
    let n = sizes.len() - 1;
    let mut cost = vec![vec![0.0f64; n]; n];
    let mut cut = vec![vec![0; n]; n];
    for length in 1..n {
        for i in 0..n - length {
            let j = i + length;
            cost[i][j] = f64::INFINITY;
            for k in budget::unless_stopped(i..j) {
                let own = (sizes[i] * sizes[k + 1]) as f64 * sizes[j + 1] as f64;
                let all = cost[i][k] + cost[k + 1][j] + own;
                if all < cost[i][j] {
                    (cost[i][j], cut[i][j]) = (all, k);
                }
            }
        }
    }
    cut
}

/// The product of matrices i … j; deep only as the order cuts, which halves or takes one off, so a
/// list of the open products represents the stack.
fn multiplied(all: &[Variable], cut: &[Vec<usize>], i: usize, j: usize) -> Outcome<Variable> {
    enum Step {
        Open(usize, usize),
        Multiply,
    }
    let (mut steps, mut done) = (vec![Step::Open(i, j)], Vec::new());
    while let Some(step) = steps.pop() {
        match step {
            Step::Open(i, j) if i == j => done.push(all[i].clone()),
            Step::Open(i, j) => {
                let k = cut[i][j];
                steps.extend([Step::Multiply, Step::Open(k + 1, j), Step::Open(i, k)]);
            }
            Step::Multiply => {
                let (right, left) = (done.pop(), done.pop());
                if let (Some(left), Some(right)) = (left, right) {
                    done.push(crate::product::matmul::mm(&left, &right)?);
                }
            }
        }
    }
    done.pop().map_or_else(|| Ok(all[i].clone()), Ok)
}

/// `β C + α Σₖ Aₖ Bₖ`.
fn addbmm(b: &mut Bound) -> Outcome<Out> {
    let group = grouped(b, "addbmm", "AddbmmBackward0", 0b110, &[0, 1, 2])?;
    let (c, x, y) = (b.tensor(0)?, b.tensor(1)?, b.tensor(2)?);
    let (p, q) = (x.shape(), y.shape());
    let to = [shape::size(&p, 1)? as i64, shape::size(&q, 2)? as i64];
    crate::arrange::layout::expand(&c, &to)?;
    for (name, s) in [("batch1", &p), ("batch2", &q)] {
        if s.len() != 3 {
            complain!("{name} must be a 3D tensor");
        }
    }
    if p[0] != q[0] {
        complain!("batch1 and batch2 must have same number of batches, got {} and {}", p[0], q[0]);
    }
    if p[2] != q[1] {
        complain!("Incompatible matrix sizes for bmm ({}x{} and {}x{})", p[1], p[2], q[1], q[2]);
    }
    types_of_three(&c, &x, &y, &Matmul::of(2))?;
    crate::product::matmul::has_kernel(&x, &y, Matmul::of(2).sum_kernel())?;
    let product = sum(&crate::product::matmul::bmm(&x, &y)?, Some(&[0]), false)?;
    let product = scaled(crate::arrange::layout::to_dtype(&product, x.dtype())?, b.scalar(4))?;
    let y = match b.scalar(3) {
        Some(s) if s.value() == 0.0 => product,
        beta => table::add(&scaled(c, beta)?, &product)?,
    };
    Ok(Out::One(group.output(&y)?))
}

const TORCH: Forms = Forms::TORCH;
const METHOD: Forms = Forms::METHOD;
const LINALG: Forms = Forms::LINALG;
const SHORT: Forms = Forms::SHORT;

pub static ENTRIES: &[crate::Entry] = entries! {
    "cross" LINALG.and(Forms::NP), "(Tensor input, Tensor other, *, int dim=-1)", "the vector product; vᵀJ is b × v for a, v × a for b", "torch.linalg.cross(tensor([1., 0., 0.]), tensor([0., 1., 0.]))", ["dot", "outer"] jax "jnp.cross({input}, {other}, axis={dim})"
        => |b| cross(b, false);
    "cross" TORCH.and(METHOD), "(Tensor input, Tensor other, int dim=None)", "the vector product; vᵀJ is b × v for a, v × a for b", "torch.cross(tensor([1., 0., 0.]), tensor([0., 1., 0.]), dim=0)", ["dot", "outer"] jax "jnp.cross({input}, {other}, axis={dim})"
        => |b| cross(b, true);
    "vdot" TORCH.and(METHOD).and(Forms::NP), "(Tensor input, Tensor other)", "y = Σ aᵢbᵢ; ∂y/∂a = b, ∂y/∂b = a", "torch.vdot(tensor([1., 2.]), tensor([3., 4.]))", ["dot"] jax "jnp.vdot({input}, {other})"
        => |b| Ok(Out::One(vdot(&b.tensor(0)?, &b.tensor(1)?)?));
    "vecdot" LINALG, "(Tensor x, Tensor y, *, int dim=-1)", "Σ aᵢbᵢ along a dimension; ∂y/∂a = b, ∂y/∂b = a", "torch.linalg.vecdot(tensor([1., 2.]), tensor([3., 4.]))", ["dot"] jax "jnp.linalg.vecdot({x}, {y}, axis={dim})"
        => vecdot;
    "inner" TORCH.and(METHOD).and(SHORT).and(Forms::NP), "(Tensor input, Tensor other)", "y = Σ aᵢbᵢ over the last dimensions; ∂y/∂a = b, ∂y/∂b = a", "inner([1, 2], [3, 4])", ["dot", "matmul"]
        => inner;
    "tensordot" TORCH.and(Forms::NP), "(Tensor a, Tensor b, dims=2)", "products summed over dimensions of both; vᵀJ with respect to one is the product of v with the other", "torch.tensordot(tensor([1, 2]), tensor([3, 4]), dims=1)", ["einsum"] jax "jnp.tensordot({a}, {b}, axes={dims})"
        => tensordot_called;
    "multi_dot" LINALG, "(Tensors tensors)", "the product of several matrices, in the cheapest order; vᵀJ with respect to one is Lᵀ V Rᵀ, L and R the products before and after it", "torch.linalg.multi_dot([torch.eye(2), torch.eye(2)])", ["matmul"] jax "jnp.linalg.multi_dot({tensors})"
        => |b| {
            let parts = b.tensors(0);
            Ok(Out::One(multi_dot(&parts)?))
        };
    "chain_matmul" TORCH, "(Tensors *matrices)", "the product of several matrices; vᵀJ with respect to one is Lᵀ V Rᵀ, L and R the products before and after it", "torch.chain_matmul(torch.eye(2), torch.eye(2))", ["multi_dot"] jax "chain_matmul({matrices})"
        => |b| {
            let parts = b.tensors(0);
            vjp_tensor::warnings::warn_once("torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use torch.linalg.multi_dot instead, which accepts a list of two or more tensors rather than multiple parameters.");
            if let Some(other) = parts.iter().find(|p| p.rank() != 2) {
                complain!("Tensor dimension is {}, expected 2 instead.", other.rank());
            }
            match parts.as_slice() {
                [one] => Ok(Out::One(one.clone())),
                _ => Ok(Out::One(multi_dot(&parts)?)),
            }
        };
    "addbmm" TORCH.and(METHOD).and(Forms::INPLACE), "(Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)", "Y = C + Σₖ Aₖ Bₖ; vᵀJ is V for C, V Bₖᵀ for Aₖ, Aₖᵀ V for Bₖ", "torch.addbmm(torch.zeros(1, 1), torch.ones(1, 1, 2), torch.ones(1, 2, 1))", ["bmm", "baddbmm"] jax "{input} + ({batch1} @ {batch2}).sum(0) or {beta!} * {input} + {alpha!} * ({batch1} @ {batch2}).sum(0)"
        => addbmm;
};
