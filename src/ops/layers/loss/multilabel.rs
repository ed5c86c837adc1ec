//! Losses and layers of several labels and several inputs.

use crate::loss::Reduction;
use vjp_maths::autodiff::variable::Variable;
use vjp_maths::table;
use vjp_ops::arguments::{Bound, Out};
use vjp_ops::arrange::layout;
pub use vjp_ops::arrange::rotate_and_unfold::gathered;
use vjp_ops::compose::{one, one_of, unary};
use vjp_ops::entries;
use vjp_ops::entry::Forms;
use vjp_ops::recorded::grouped;
use vjp_ops::recorded::number;
use vjp_ops::reduce::{mean, sum};
use vjp_tensor::budget;
use vjp_tensor::complain;
use vjp_tensor::complaint::{Kind, Outcome};
use vjp_tensor::shape;
use vjp_tensor::shape::ints;
use vjp_tensor::tensor::Dtype;
use vjp_tensor::torch_messages::sizes;
use vjp_tensor::wires::Wires;

/// −mean over classes of t log σ(x) + (1 − t) log σ(−x)
fn multilabel_soft_margin(b: &mut Bound) -> Outcome<Out> {
    let (x, t) = (b.tensor(0)?, b.tensor(1)?);
    if x.rank() == 0 {
        complain!(Kind::Index, "Dimension specified as -1 but tensor has no dimensions");
    }
    let is = table::mul(&t, &unary("logsigmoid", &x)?)?;
    let other = table::sub(&number(1.0), &t)?;
    let is_not = table::mul(&other, &unary("logsigmoid", &table::neg(&x)?)?)?;
    let mut y = table::neg(&table::add(&is, &is_not)?)?;
    if b.has(2) {
        y = table::mul(&y, &b.tensor(2)?)?;
    }
    let last = x.rank() as i64 - 1;
    let classes = x.shape().last().copied().unwrap_or(1) as f64;
    let y = sum(&y, Some(&[last]), false)?;
    let y = table::div(&y, &number(classes))?;
    Ok(Out::One(Reduction::read(b, 3)?.of(&y)?))
}

/// Σ max(0, 1 − (xₜ − xⱼ)) / C over the labels t, up to the first −1, and all that are none.
fn multilabel_margin(b: &mut Bound) -> Outcome<Out> {
    let group = grouped(b, "multilabel_margin_loss", "MultilabelMarginLossBackward0", 1, &[0])?;
    let (x, t) = (b.tensor(0)?, b.tensor(1)?.value());
    let own = x.shape();
    if own.is_empty() || own.len() > 2 || own != t.shape() {
        complain!(
            Kind::Runtime,
            "inconsistent target size: {} for input of size: {}",
            sizes(t.shape()),
            sizes(&own)
        );
    }
    if t.dtype() != Dtype::Int64 {
        complain!(Kind::Runtime, "expected scalar type Long but found {}", t.dtype().scalar_type());
    }
    let classes = own[own.len() - 1];
    let rows = x.numel() / classes.max(1);
    let (mut labels, mut others) = (Vec::new(), Vec::new());
    let mut widest = 0;
    for r in 0..rows {
        budget::tick()?;
        let row = &t.data()[r * classes..(r + 1) * classes];
        let named: Vec<usize> =
            row.iter().take_while(|v| **v >= 0.0).map(|v| *v as usize).collect();
        if named.iter().any(|v| *v >= classes) {
            complain!(Kind::Runtime, "argument #3 target is out of range");
        }
        let rest: Vec<usize> = (0..classes).filter(|k| !named.contains(k)).collect();
        let pairs = named.iter().flat_map(|p| rest.iter().map(|q| (*p, *q)));
        let pairs: Vec<(usize, usize)> = budget::collected(pairs)?;
        widest = widest.max(pairs.len());
        labels.push(budget::listed(pairs.len(), |k| r * classes + pairs[k].0)?);
        others.push(budget::listed(pairs.len(), |k| r * classes + pairs[k].1)?);
    }
    let pick = |of: &[Vec<usize>]| {
        let index = of
            .iter()
            .flat_map(|row| (0..widest).map(|k| row.get(k).copied().unwrap_or(Wires::NONE)));
        gathered(&x, &[rows, widest], budget::collected(index)?, "gather", "GatherBackward0")
    };
    // Where there is no pair, a margin below 0.
    let least =
        labels.iter().flat_map(|row| (0..widest).map(|k| if k < row.len() { 1.0 } else { -1.0 }));
    let least = budget::collected(least)?;
    let least = vjp_tensor::tensor::Tensor::typed(&[rows, widest], least, x.dtype());
    let gap = table::sub(&pick(&labels)?, &pick(&others)?)?;
    let gap = super::margins::known(table::sub(&Variable::constant(least), &gap)?)?;
    let hinge = one("clamp_min", vec![(&gap).into(), 0.0.into()])?;
    let y = table::div(&sum(&hinge, Some(&[1]), false)?, &number(classes as f64))?;
    let y = if own.len() == 1 { layout::squeeze(&y, Some(&[0]))? } else { y };
    let y = Reduction::read(b, 2)?.of(&y)?;
    Ok(Out::One(group.output(&y)?))
}

/// `yₒ = Σ aᵢ Wₒᵢⱼ cⱼ + bₒ`
fn bilinear(b: &mut Bound) -> Outcome<Out> {
    let (x, z, w) = (b.tensor(0)?, b.tensor(1)?, b.tensor(2)?);
    let (p, q, own) = (x.shape(), z.shape(), w.shape());
    if p.len() != q.len() {
        complain!(
            Kind::Runtime,
            "bilinear(): input dimensions do not match: got {} and {}",
            p.len(),
            q.len()
        );
    }
    for d in 0..p.len().max(1) - 1 {
        if p[d] != q[d] {
            complain!(
                Kind::Runtime,
                "bilinear(): input batch dimensions do not match at dim {d}: got {} and {}",
                p[d],
                q[d]
            );
        }
    }
    for (name, of, d) in [("input1", &p, 1), ("input2", &q, 2)] {
        let wanted = shape::size(&own, d)?;
        let got = shape::size(of, -1)?;
        if got != wanted {
            complain!(
                Kind::Runtime,
                "bilinear(): {name} size does not match weight size: got {got} but expected {wanted}"
            );
        }
    }
    if b.has(3) {
        let bias = b.tensor(3)?.shape();
        if let Some(n) = bias.first().filter(|n| **n != own[0]) {
            complain!(
                Kind::Runtime,
                "bilinear(): bias size does not match weight size: got {n} but expected {}",
                own[0]
            );
        }
    }
    let flat = |v: &Variable, n: usize| layout::reshape(v, &[-1, n as i64]);
    let (rows, columns) = (flat(&x, own[1])?, flat(&z, own[2])?);
    let n = rows.shape()[0] as i64;
    // Each row of a with every matrix, then with its row of c.
    let left = layout::reshape(&rows, &[1, n, own[1] as i64])?;
    let y = vjp_ops::product::matmul::matmul(&left, &w)?;
    let y = sum(&table::mul(&y, &columns)?, Some(&[2]), false)?;
    let mut to = ints(&p[..p.len() - 1]);
    to.push(own[0] as i64);
    let y = layout::view_as(&layout::contiguous(&layout::t(&y)?)?, &to)?;
    if b.has(3) {
        return Ok(Out::One(table::add(&y, &b.tensor(3)?)?));
    }
    Ok(Out::One(y))
}

/// `x / (k + α · mean of x² over neighbouring channels)ᵝ`
fn local_response_norm(b: &mut Bound) -> Outcome<Out> {
    let (x, size) = (b.tensor(0)?, b.int_or(1, 1));
    let (alpha, beta, k) = (b.float_or(2, 1e-4), b.float_or(3, 0.75), b.float_or(4, 1.0));
    let own = x.shape();
    if own.len() < 3 {
        complain!(
            Kind::Value,
            "Expected 3D or higher dimensionality                          input (got {} dimensions)",
            own.len()
        );
    }
    let square = table::mul(&x, &x)?;
    let (c, inner) = (own[1], own[2..].iter().product::<usize>());
    let mut total: Option<Variable> = None;
    for by in -(size / 2)..=(size - 1) / 2 {
        let index = (0..x.numel()).map(|p| {
            let channel = (p / inner % c) as i64 + by;
            if channel < 0 || channel >= c as i64 {
                return Wires::NONE;
            }
            (p as i64 + by * inner as i64) as usize
        });
        let part =
            gathered(&square, &own, budget::collected(index)?, "pad", "ConstantPadNdBackward0")?;
        total = Some(match total {
            Some(t) => table::add(&t, &part)?,
            None => part,
        });
    }
    let near = table::div(&total.unwrap_or(square), &number(size.max(1) as f64))?;
    let near = table::add(&table::mul(&near, &number(alpha))?, &number(k))?;
    Ok(Out::One(table::div(&x, &table::pow(&near, &number(beta))?)?))
}

/// The rows of a table that each bag names, brought together.
fn embedding_bag(b: &mut Bound) -> Outcome<Out> {
    let group = grouped(b, "embedding_bag", "EmbeddingBagBackward0", 0, &[1, 7])?;
    let (input, weight) = (b.tensor(0)?, b.tensor(1)?);
    if weight.rank() != 2 {
        complain!(
            Kind::Value,
            "weight has to be a 2D Tensor, but got Tensor of dimension {}",
            weight.rank()
        );
    }
    let n = weight.shape()[0] as f64;
    let check = || -> Outcome<()> {
        crate::normalise_and_embed::check_rows(&input, "embedding_bag")?;
        match input.value().data().iter().find(|i| !(0.0..n).contains(*i)) {
            Some(i) => complain!(
                Kind::Runtime,
                "embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be {i}"
            ),
            None => Ok(()),
        }
    };
    if !matches!(b.str_or(6, "mean"), "sum" | "mean" | "max") {
        complain!(Kind::Value, "mode has to be one of sum, mean or max");
    }
    let mut bags = Vec::new();
    match (input.rank(), b.has(2)) {
        (2, false) => {
            check()?;
            let rows = one_of(
                crate::normalise_and_embed::ENTRIES,
                "embedding",
                vec![(&input).into(), (&weight).into()],
            )?;
            bags = vjp_ops::arrange::join::unbind(&rows, 0)?;
        }
        (1, true) => {
            let starts = b.tensor(2)?.value();
            let n = input.numel();
            if starts.rank() != 1 {
                complain!(Kind::Value, "offsets has to be a 1D Tensor");
            }
            if let Some(first) = starts.data().first().filter(|s| **s != 0.0) {
                complain!(
                    Kind::Runtime,
                    "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, got {first}"
                );
            }
            if let Some(last) = starts.data().last().filter(|s| **s > n as f64) {
                complain!(
                    Kind::Runtime,
                    "offsets[-1] can not be greater than input's length {n} but got offsets[-1] of {last}"
                );
            }
            check()?;
            let rows = one_of(
                crate::normalise_and_embed::ENTRIES,
                "embedding",
                vec![(&input).into(), (&weight).into()],
            )?;
            for (k, start) in starts.data().iter().enumerate() {
                let stop = starts.data().get(k + 1).map_or(n, |s| *s as usize);
                let (start, stop) = (*start as usize, stop.min(n));
                if start > stop {
                    complain!(Kind::Runtime, "embedding_bag: offsets must be non-decreasing");
                }
                bags.push(vjp_ops::index::slice(&rows, 0, (start, stop - start, 1))?);
            }
        }
        (1, false) => complain!(Kind::Value, "offsets has to be a 1D Tensor but got None"),
        (2, true) => complain!(
            Kind::Value,
            "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length sequences. However, found offsets of type <class 'torch.Tensor'>"
        ),
        (n, _) => complain!(
            Kind::Value,
            "input has to be 1D or 2D Tensor, but got Tensor of dimension {n}"
        ),
    }
    let together = |bag: &Variable| match b.str_or(6, "mean") {
        _ if bag.numel() == 0 => sum(bag, Some(&[0]), false),
        "sum" => sum(bag, Some(&[0]), false),
        "mean" => mean(bag, Some(&[0]), false),
        _ => one("max", vec![bag.into(), 0i64.into()]),
    };
    let bags: Vec<Variable> = bags.iter().map(together).collect::<Outcome<_>>()?;
    let y = vjp_ops::arrange::join::stack(&bags, 0)?;
    Ok(Out::One(group.output(&y)?))
}

/// The distances between all pairs of rows.
fn pdist(b: &mut Bound) -> Outcome<Out> {
    let group = grouped(b, "pdist", "PdistBackward0", 1, &[0])?;
    let (x, p) = (b.tensor(0)?, b.float_or(1, 2.0));
    let own = x.shape();
    let [n, width] = own[..] else {
        complain!(Kind::Runtime, "pdist only supports 2D tensors, got: {}D", own.len());
    };
    if p < 0.0 {
        complain!(Kind::Runtime, "pdist only supports non-negative p values");
    }
    let pairs = budget::collected((0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))))?;
    let rows = |which: &dyn Fn(&(usize, usize)) -> usize| {
        let place = |k: usize| which(&pairs[k / width]) * width + k % width;
        let index = budget::listed(pairs.len().saturating_mul(width), place)?;
        gathered(&x, &[pairs.len(), width], index, "index_select", "IndexSelectBackward0")
    };
    let gap = table::sub(&rows(&|p| p.0)?, &rows(&|p| p.1)?)?;
    let y = vjp_ops::reduce::statistics::norm(&gap, p, Some(&[1]), false)?;
    Ok(Out::One(group.output(&y)?))
}

const F: Forms = Forms::F;
const BOTH: Forms = F.and(Forms::TORCH);
const BAG: &str = "(Tensor input, Tensor weight, Tensor offsets=None, float max_norm=None, float norm_type=2, bool scale_grad_by_freq=False, str mode='mean', bool sparse=False)";

pub static ENTRIES: &[vjp_ops::entry::Entry] = entries! {
    "multilabel_soft_margin_loss" F, "(Tensor input, Tensor target, Tensor weight=None, *, str reduction='mean')", "−mean of t log σ(x) + (1 − t) log σ(−x); ∂/∂x = (σ(x) − t)/C", "F.multilabel_soft_margin_loss(tensor([[0.5, -1.]]), tensor([[1., 0.]]))", ["binary_cross_entropy_with_logits"] jax "-"
        => multilabel_soft_margin;
    "multilabel_margin_loss" F, "(Tensor input, Tensor target, *, str reduction='mean')", "Σ max(0, 1 − (xₜ − xⱼ)) / C over labels t and others j; each pair above 0 adds −1/C at xₜ and 1/C at xⱼ to the derivative", "F.multilabel_margin_loss(tensor([[0.5, -1.]]), tensor([[0, -1]]))", ["multi_margin_loss"] jax "-"
        => multilabel_margin;
    "bilinear" BOTH, "(Tensor input1, Tensor input2, Tensor weight, Tensor bias=None)", "yₒ = Σ aᵢ Wₒᵢⱼ cⱼ + bₒ; ∂yₒ/∂a = Wₒ c, ∂yₒ/∂c = Wₒᵀ a, ∂yₒ/∂Wₒ = a cᵀ", "F.bilinear(tensor([[1., 2.]]), tensor([[3., 4.]]), torch.ones(1, 2, 2))", ["linear", "einsum"] jax "bilinear({*})"
        => bilinear;
    "local_response_norm" F, "(Tensor input, int size, float alpha=0.0001, float beta=0.75, float k=1.0)", "x / (k + α · mean of x² over neighbouring channels)ᵝ", "F.local_response_norm(torch.ones(1, 3, 2), 2)", ["group_norm"] jax "local_response_norm({*})"
        => local_response_norm;
    "embedding_bag" F, BAG, "rows of a table, combined bag by bag; vᵀJ adds v to each row of its bag, divided by their number for mean", "F.embedding_bag(tensor([[0, 1]]), torch.eye(2))", ["embedding"] jax "embedding_bag({*})"
        => embedding_bag;
    "pdist" BOTH, "(Tensor input, float p=2)", "the distances between all pairs of rows; ∂dᵢⱼ/∂xᵢ = (xᵢ − xⱼ)/dᵢⱼ", "F.pdist(tensor([[0., 0.], [3., 4.]]))", ["cdist"] jax "-"
        => pdist;
};
