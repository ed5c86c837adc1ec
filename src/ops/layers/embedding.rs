//! Embeddings: rows of a table selected by index, and bags of them.

use std::rc::Rc;
use vjp_maths::{Fixed, Variable, apply, table};
use vjp_ops::compose::{grouped, named, number, one, one_of};
use vjp_ops::reduce::{mean, sum};
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::element_map::Index;
use vjp_tensor::{Complaint, Dtype, ElementMap, Kind, Outcome, Tensor, budget, complain, shape};

/// Rows of a table have whole numbers.
pub(crate) fn check_rows(input: &Variable, name: &str) -> Outcome<()> {
    let dtype = input.dtype();
    if !matches!(dtype, Dtype::Int64 | Dtype::Int32) {
        complain!(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got {} instead (while checking arguments for {name})",
            match dtype {
                Dtype::Bool => "CPUBoolType".to_owned(),
                dtype => dtype.type_name(),
            }
        );
    }
    Ok(())
}

/// The rows of `weight` that `input` names; those of `padding_idx` get no gradient.
fn embedding(b: &mut Bound, by_python: bool) -> Outcome<Out> {
    let (input, weight) = (b.tensor(0)?, b.tensor(1)?);
    if by_python && b.has(3) {
        let hint = "nn.Embedding takes max_norm";
        return Err(Complaint::absent("max_norm of F.embedding").hint(hint));
    }
    let by_frequency = if by_python { b.bool_or(5, false) } else { b.bool_or(3, false) };
    if by_frequency {
        each_once(&input, &weight, "embedding")?;
    }
    let own = weight.shape();
    let skipped = b.int(2).filter(|p| by_python || *p >= 0);
    if let Some(p) = skipped.filter(|_| by_python) {
        let rows = shape::size(&own, 0)? as i64;
        if p >= rows || p < -rows {
            complain!(Kind::Assertion, "Padding_idx must be within num_embeddings");
        }
    }
    if weight.requires_grad() {
        shape::size(&own, 0)?;
    }
    let [rows, width] = own[..] else {
        complain!("'weight' must be 2-D");
    };
    check_rows(&input, "embedding")?;
    if rows == 0 && input.numel() > 0 {
        complain!("index_select(): self indexing axis dim should be positive");
    }
    let skipped = skipped.map(|p| if p < 0 { p + rows as i64 } else { p });
    let mut to = input.shape();
    to.push(width);
    let count = shape::numel(&to)?;
    let mut taken = budget::vec(input.numel())?;
    let mut fixed = budget::vec(if skipped.is_some() { count } else { 0 })?;
    for i in input.value().data() {
        budget::tick()?;
        let i = *i as i64;
        if i < 0 || i as usize >= rows {
            complain!(Kind::Index, "index out of range in self");
        }
        let (at, skip) = (i as usize * width, skipped == Some(i));
        taken.push(if skip { ElementMap::NONE } else { at });
        if skipped.is_some() {
            let value = weight.value();
            fixed.extend((at..at + width).map(|at| if skip { value.data()[at] } else { 0.0 }));
        }
    }
    let rows = ElementMap { from: own, to: to.clone(), index: Index::rows(taken, width) };
    let pick = Fixed::gather("embedding", "EmbeddingBackward0", rows).adding();
    let y = apply(Rc::new(pick.saving()), std::slice::from_ref(&weight))?;
    let y = y.keeping("indices", &input.value());
    if skipped.is_none() || fixed.iter().all(|v| *v == 0.0) {
        return Ok(Out::One(y));
    }
    let rest = Variable::constant(Tensor::typed(&to, fixed, weight.dtype()));
    let y = named(&table::add(&y, &rest)?, "embedding", "EmbeddingBackward0")?;
    Ok(Out::One(y))
}

/// Of rows that are named once `scale_grad_by_freq` divides the gradient by 1.
fn each_once(rows: &Variable, weight: &Variable, name: &str) -> Outcome<()> {
    let mut all: Vec<f64> = budget::copied(rows.value().data())?;
    all.sort_by(f64::total_cmp);
    match weight.requires_grad() && all.windows(2).any(|two| two[0] == two[1]) {
        true => {
            Err(Complaint::absent(format!("scale_grad_by_freq of {name} for a repeated index")))
        }
        false => Ok(()),
    }
}

/// The rows of a table that each bag names, brought together.
fn embedding_bag(b: &mut Bound) -> Outcome<Out> {
    let group = grouped(b, "embedding_bag", "EmbeddingBagBackward0", 0, &[1, 8])?;
    let (input, weight) = (b.tensor(0)?, b.tensor(1)?);
    if b.bool_or(5, false) {
        each_once(&input, &weight, "embedding_bag")?;
    }
    if weight.rank() != 2 {
        complain!(
            Kind::Value,
            "weight has to be a 2D Tensor, but got Tensor of dimension {}",
            weight.rank()
        );
    }
    let n = weight.shape()[0] as f64;
    let check = || -> Outcome<()> {
        crate::embedding::check_rows(&input, "embedding_bag")?;
        match input.value().data().iter().find(|i| !(0.0..n).contains(*i)) {
            Some(i) => complain!(
                "embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be {i}"
            ),
            None => Ok(()),
        }
    };
    if !matches!(b.str_or(6, "mean"), "sum" | "mean" | "max") {
        complain!(Kind::Value, "mode has to be one of sum, mean or max");
    }
    // The first place of each bag, and the place behind its last.
    let spans: Vec<(usize, usize)> = match (input.rank(), b.has(2)) {
        (2, false) => {
            let [bags, length] = input.shape()[..] else { complain!(Kind::Value, "no bags") };
            (0..bags).map(|k| (k * length, (k + 1) * length)).collect()
        }
        (1, true) => {
            let starts = b.tensor(2)?.value();
            let n = input.numel();
            if starts.rank() != 1 {
                complain!(Kind::Value, "offsets has to be a 1D Tensor");
            }
            if let Some(first) = starts.data().first().filter(|s| **s != 0.0) {
                complain!(
                    "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, got {first}"
                );
            }
            if let Some(last) = starts.data().last().filter(|s| **s > n as f64) {
                complain!(
                    "offsets[-1] can not be greater than input's length {n} but got offsets[-1] of {last}"
                );
            }
            let ends = starts.data().iter().skip(1).map(|s| *s as usize);
            let last = (!b.bool_or(9, false)).then_some(n);
            let spans = starts.data().iter().map(|s| *s as usize).zip(ends.chain(last));
            spans.map(|(start, stop)| (start, stop.min(n))).collect()
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
    };
    check()?;
    if spans.iter().any(|(start, stop)| start > stop) {
        complain!("embedding_bag: offsets must be non-decreasing");
    }
    let flat = vjp_ops::arrange::layout::reshape(&input, &[-1])?;
    let mut rows =
        one_of(crate::embedding::ENTRIES, "embedding", vec![(&flat).into(), (&weight).into()])?;
    if b.has(8) {
        let weights = b.tensor(8)?;
        if weights.shape() != input.shape() {
            complain!(
                Kind::Value,
                "embedding_bag: If per_sample_weights ({:?}) is not None, then it must have the same shape as the input ({:?})",
                weights.shape(),
                input.shape()
            );
        }
        if b.str_or(6, "mean") != "sum" {
            complain!(
                Kind::NotImplemented,
                "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' (got mode='{}'). Please open a feature request on GitHub.",
                b.str_or(6, "mean")
            );
        }
        let column = vjp_ops::arrange::layout::reshape(&weights, &[-1, 1])?;
        rows = table::mul(&rows, &column)?;
    }
    let padding = b.int(10).map(|p| if p < 0 { p as f64 + n } else { p as f64 });
    let ids = input.value();
    let bag = |(start, stop): (usize, usize)| -> Outcome<Variable> {
        let bag = vjp_ops::index::slice(&rows, 0, (start, stop - start, 1))?;
        let own = &ids.data()[start..stop];
        if !own.iter().any(|i| Some(*i) == padding) {
            return Ok(bag);
        }
        let kept = (0..own.len()).filter(|k| Some(own[*k]) != padding).map(|k| k as f64);
        let kept: Vec<f64> = kept.collect();
        let kept = Tensor::new(&[kept.len()], kept).with_dtype(Dtype::Int64);
        one("index_select", vec![(&bag).into(), 0i64.into(), (&Variable::constant(kept)).into()])
    };
    let bags: Vec<Variable> = spans.into_iter().map(bag).collect::<Outcome<_>>()?;
    let together = |bag: &Variable| match b.str_or(6, "mean") {
        _ if bag.numel() == 0 => sum(bag, Some(&[0]), false),
        "sum" => sum(bag, Some(&[0]), false),
        // PyTorch's kernel rounds the sum of 16-bit floats.
        "mean" if bag.dtype().is_half() => {
            let n = number(bag.shape()[0] as f64);
            vjp_maths::table::div(&sum(bag, Some(&[0]), false)?, &n)
        }
        "mean" => mean(bag, Some(&[0]), false),
        _ => one("max", vec![bag.into(), 0i64.into()]),
    };
    let bags: Vec<Variable> = bags.iter().map(together).collect::<Outcome<_>>()?;
    let y = vjp_ops::arrange::join::stack(&bags, 0)?;
    Ok(Out::One(group.output(&y)?))
}

const F: Forms = Forms::F;
const BAG: &str = "(Tensor input, Tensor weight, Tensor offsets=None, float max_norm=None, float norm_type=2, bool scale_grad_by_freq=False, str mode='mean', bool sparse=False, Tensor per_sample_weights=None, bool include_last_offset=False, int padding_idx=None)";

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "embedding" F, "(Tensor input, Tensor weight, int padding_idx=None, float max_norm=None, float norm_type=2.0, bool scale_grad_by_freq=False, bool sparse=False)", "rows of a table, selected by index", "F.embedding(tensor([1, 0]), torch.eye(2))", ["one_hot", "index_select"] jax "{weight}[{input}]"
        => |b| embedding(b, true);
    "embedding" Forms::TORCH, "(Tensor weight, Tensor indices, int padding_idx=-1)", "rows of a table, selected by index", "torch.embedding(torch.eye(2), tensor([1, 0]))", ["index_select"] jax "{weight}[{input}]"
        => |b| {
            b.args.swap(0, 1);
            embedding(b, false)
        };
    "embedding_bag" F, BAG, "rows of a table, combined bag by bag; vᵀJ adds v to each row of its bag, divided by their number for mean", "F.embedding_bag(tensor([[0, 1]]), torch.eye(2))", ["embedding"] jax "embedding_bag({*})"
        => embedding_bag;
};
