//! Elements and slices placed, or added, where an index says: scatter, index_add, index_copy, index_fill.

use super::select::along;
use crate::{Bound, Forms, Out, index, refusals};
use std::rc::Rc;
use vjp_maths::autodiff::torch_node::UNDERIVED;
use vjp_maths::primitives::fixed::element_map;
use vjp_maths::primitives::put::Put;
use vjp_maths::{Variable, apply};
use vjp_tensor::exact_integers::Exact;
use vjp_tensor::kernels::strided as kernels;
use vjp_tensor::{ElementMap, Kind, Outcome, Tensor, budget, complain, shape};

/// Only as much of a source as the index has; a number as it is.
pub(crate) fn as_much(src: &Variable, wanted: &[usize]) -> Outcome<Variable> {
    if src.rank() == 0 || src.shape() == wanted {
        return Ok(src.clone());
    }
    let all = |n: &usize| index::Index::Slice { start: None, stop: Some(*n as i64), step: None };
    let parts: Vec<index::Index> = wanted.iter().map(all).collect();
    index::get(src, &parts)
}

fn scatter(b: &mut Bound, add: bool) -> Outcome<Out> {
    let (x, i, src) = (b.tensor(0)?, b.tensor(2)?.value(), b.tensor(3)?);
    let (own, dim) = (x.shape(), b.int_or(1, 0));
    if matches!(b.arg(3), crate::Arg::Tensor(_)) && src.dtype() != x.dtype() {
        complain!("scatter(): Expected self.dtype to be equal to src.dtype");
    }
    let to = src.shape();
    let source = matches!(b.arg(3), crate::Arg::Tensor(_)).then_some(to.as_slice());
    refusals::scattered(&own, shape::axis(dim, own.len())?, &i, source)?;
    let mut w = along(&own, dim, &i, "scatter")?;
    let src = as_much(&src, i.shape())?;
    if !add && b.has(4) {
        return scatter_by(&x, &i, &src, w, b.str_or(4, ""), source.is_some());
    }
    w.to = i.shape().to_vec();
    let number = src.rank() == 0;
    let op = match (add, number) {
        (true, _) => Put::new("scatter_add", "ScatterAddBackward0", w).adding(),
        (false, false) => Put::new("scatter", "ScatterBackward0", w),
        (false, true) => Put::new("scatter", "ScatterBackward1", w),
    };
    Ok(Out::One(apply(Rc::new(op.saving()), &[x, src])?.keeping("index", &i)))
}

/// `reduce='add'` and `'multiply'`: PyTorch has no derivative of them.
fn scatter_by(
    x: &Variable,
    i: &Tensor,
    src: &Variable,
    w: ElementMap,
    by: &str,
    by_tensor: bool,
) -> Outcome<Out> {
    let multiply = match by {
        "add" => false,
        "multiply" => true,
        _ if by_tensor => {
            complain!("reduce argument must be either add or multiply for this overload")
        }
        _ => complain!("reduce argument must be either add or multiply."),
    };
    if by_tensor {
        vjp_tensor::warnings::warn_once(
            "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a future PyTorch release. Use torch.scatter_reduce instead for more reduction options.",
        );
    }
    let mut out = x.value();
    let src = kernels::expand(&src.value(), i.shape())?;
    let (dtype, exact) = (out.dtype(), Exact::new(out.dtype()));
    let slots = out.data_mut();
    for (at, v) in w.index.iter().zip(src.data()) {
        let (a, b) = (slots[*at], *v);
        slots[*at] = match (dtype.is_whole(), multiply) {
            (true, true) => exact.take((a as i64).wrapping_mul(b as i64)),
            (true, false) => exact.take((a as i64).wrapping_add(b as i64)),
            (false, true) => a * b,
            (false, false) => a + b,
        };
    }
    exact.done(Ok(()))?;
    let shape = x.shape();
    let every = element_map(&shape, &shape, (0..x.numel()).collect());
    let op = Put { underived: true, ..Put::new("scatter", UNDERIVED, every) };
    Ok(Out::One(apply(Rc::new(op), &[x.clone(), Variable::constant(out)])?))
}

/// Elements named by slices along a dimension: index_add, index_fill, index_copy.
pub(crate) fn slices(name: &str, own: &[usize], dim: i64, i: &Tensor) -> Outcome<ElementMap> {
    let at = shape::axis(dim, own.len())?;
    let mut to = own.to_vec();
    if let Some(slot) = to.get_mut(at) {
        *slot = i.numel();
    }
    let n = own.get(at).copied().unwrap_or(1);
    let inner: usize = own.iter().skip(at + 1).product();
    let outer: usize = own.iter().take(at).product();
    let mut out = budget::vec(outer * inner * i.numel())?;
    for o in 0..outer {
        for v in i.data() {
            budget::tick()?;
            let (v, m) = (*v as i64, n as i64);
            match name {
                "index_fill" | "index_copy" if v >= -m && v < m => {}
                "index_copy" => complain!(
                    Kind::Index,
                    "index_copy_(): index {v} is out of bounds for dimension {at} with size {m}"
                ),
                "index_fill" => complain!(
                    Kind::Index,
                    "index {v} is out of bounds for dimension {at} with size {m}"
                ),
                _ if v >= 0 && v < m => {}
                _ => complain!(Kind::Index, "index out of range in self"),
            }
            let row = (if v < 0 { v + m } else { v }) as usize;
            out.extend((0..inner).map(|k| (o * n + row) * inner + k));
        }
    }
    Ok(element_map(own, &to, out))
}

fn index_put(b: &mut Bound, name: &'static str, grad_fn: &'static str, add: bool) -> Outcome<Out> {
    let (x, i, mut v) = (b.tensor(0)?, b.tensor(2)?.value(), b.tensor(3)?);
    if add && b.has(4) {
        v = crate::product::addmm::scaled(v, b.scalar(4))?;
    }
    let grad_fn = match b.arg(3) {
        crate::Arg::Tensor(_) if name == "index_fill" => "IndexFillBackward1",
        _ => grad_fn,
    };
    let (own, dim) = (x.shape(), b.int_or(1, 0));
    let (at, to) = (shape::axis(dim, own.len())?, v.shape());
    // What fills is one number.
    let source = (name != "index_fill").then_some(to.as_slice());
    if source.is_none() {
        refusals::number(name, &to)?;
    }
    refusals::slices(name, (&own, x.dtype(), v.dtype()), at, &i, source)?;
    let w = slices(name, &own, dim, &i)?;
    let mut op = Put::new(name, grad_fn, w).saving();
    if add {
        op = op.adding();
    }
    Ok(Out::One(apply(Rc::new(op), &[x, v])?.keeping("index", &i)))
}

const BOTH: Forms = Forms::TORCH.and(Forms::METHOD).and(Forms::INPLACE);

pub static ENTRIES: &[crate::Entry] = entries! {
    "scatter" BOTH, "(Tensor input, int dim, Tensor index, Tensor|Scalar src, *, str reduce=None)\n(Tensor input, int dim, Tensor index, Scalar value, *, str reduce=None)", "elements written at indices along a dimension", "torch.zeros(3).scatter(0, tensor([2, 0]), tensor([1., 2.]))", ["gather", "scatter_add"] jax "scatter({*})"
        => |b| scatter(b, false);
    "scatter_add" BOTH, "(Tensor input, int dim, Tensor index, Tensor src)", "elements added at indices along a dimension", "torch.zeros(3).scatter_add(0, tensor([2, 2]), tensor([1., 2.]))", ["scatter", "index_add"] jax "scatter_add({*})"
        => |b| scatter(b, true);
    "index_add" BOTH, "(Tensor input, int dim, Tensor index, Tensor source, *, Scalar alpha=1)", "slices added at indices", "torch.zeros(3).index_add(0, tensor([0, 0]), tensor([1., 2.]))", ["scatter_add"] jax "index_add({*})"
        => |b| index_put(b, "index_add", "IndexAddBackward0", true);
    "index_copy" BOTH, "(Tensor input, int dim, Tensor index, Tensor source)", "slices replaced at indices", "torch.zeros(3).index_copy(0, tensor([0]), tensor([1.]))", ["index_add"] jax "index_copy({*})"
        => |b| index_put(b, "index_copy", "IndexCopyBackward0", false);
    "index_fill" BOTH, "(Tensor input, int dim, Tensor index, Tensor|Scalar value)", "slices filled at indices", "torch.zeros(3).index_fill(0, tensor([0]), 1.)", ["masked_fill"] jax "index_fill({*})"
        => |b| index_put(b, "index_fill", "IndexFillBackward0", false);
};
