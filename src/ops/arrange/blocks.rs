//! Several arrays made one: blocks along a diagonal, products of sets, common shapes.

use super::join::{cat, stack};
use super::layout;
use crate::arrange::rotate_and_unfold::{at_least, gathered};
use crate::{Bound, Forms, Out};
use vjp_maths::composite::Group;
use vjp_maths::{Saves, Variable};
use vjp_tensor::shape::ints;
use vjp_tensor::{ElementMap, Outcome, budget, complain, shape};

fn block_diag(b: &mut Bound) -> Outcome<Out> {
    if let Some((k, x)) = b.tensors(0).iter().enumerate().find(|(_, x)| x.rank() > 2) {
        complain!(
            "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {k} has {} dimensions",
            x.rank()
        );
    }
    let given: Vec<Option<Variable>> = b.tensors(0).into_iter().map(Some).collect();
    let mut group = Group::new("block_diag", "BlockDiagBackward0", 0, &given)?;
    group.keeps = Saves::Nothing;
    let parts = group.inputs.iter().flatten();
    let parts: Vec<Variable> = parts.map(|x| at_least(x, 2)).collect::<Outcome<_>>()?;
    let width: usize = parts.iter().map(|x| x.shape()[1]).sum();
    let mut rows = Vec::new();
    let mut before = 0;
    for x in &parts {
        let own = x.shape();
        let to = [own[0], width];
        let index = (0..shape::count(&to)?).map(|k| {
            let (i, j) = (k / width, k % width);
            match j.checked_sub(before) {
                Some(j) if j < own[1] => i * own[1] + j,
                _ => ElementMap::NONE,
            }
        });
        let index = budget::collected(index)?;
        rows.push(gathered(x, &to, index, "block_diag", "BlockDiagBackward0")?);
        before += own[1];
    }
    let y = cat(&rows, 0)?;
    Ok(Out::One(group.output(&y)?))
}

fn cartesian(b: &mut Bound) -> Outcome<Out> {
    let parts = b.tensors(0);
    if let Some(part) = parts.iter().find(|p| p.rank() != 1) {
        complain!(
            "Expect a 1D vector, but got shape {}",
            vjp_tensor::torch_messages::sizes(&part.shape())
        );
    }
    if parts.len() == 1 {
        return Ok(Out::One(parts[0].clone()));
    }
    super::join::one_type(&parts)?;
    let sizes: Vec<usize> = parts.iter().map(Variable::numel).collect();
    let total = shape::count(&sizes)?;
    let steps = shape::strides(&sizes);
    let columns = parts.iter().enumerate().map(|(d, x)| {
        let index = budget::listed(total, |k| k / steps[d] % sizes[d])?;
        gathered(x, &[total], index, "view", "UnsafeViewBackward0")
    });
    let columns: Vec<Variable> = columns.collect::<Outcome<_>>()?;
    Ok(Out::One(stack(&columns, 1)?))
}

fn combinations(b: &mut Bound) -> Outcome<Out> {
    let (x, r, again) = (b.tensor(0)?, b.int_or(1, 2), b.bool_or(2, false));
    if x.rank() != 1 {
        complain!(
            "Expect a 1D vector, but got shape {}",
            vjp_tensor::torch_messages::sizes(&x.shape())
        );
    }
    if r < 0 {
        complain!("Expect a non-negative number, but got {r}");
    }
    let (n, r) = (x.numel(), r as usize);
    let (mut rows, mut count) = (Vec::new(), 1);
    // Of no elements there are no more than none.
    for width in 0..if again { r } else { r.min(n + 1) } {
        let mut next = Vec::new();
        for row in (0..count).map(|k| &rows[k * width..(k + 1) * width]) {
            let start = row.last().map_or(0, |l| if again { *l } else { l + 1 });
            for k in start..n {
                next.extend_from_slice(row);
                next.push(k);
                budget::tick()?;
            }
        }
        count = next.len() / (width + 1);
        rows = next;
    }
    Ok(Out::One(gathered(&x, &[count, r], rows, "index", "IndexBackward0")?))
}

fn broadcast_tensors(b: &mut Bound) -> Outcome<Out> {
    let parts = b.tensors(0);
    let shapes: Vec<Vec<usize>> = parts.iter().map(Variable::shape).collect();
    let to = ints(&shape::broadcast_all(shapes.iter().map(Vec::as_slice))?);
    let all = parts
        .iter()
        .map(|x| if ints(&x.shape()) == to { Ok(x.clone()) } else { layout::expand(x, &to) });
    Ok(Out::Many(all.collect::<Outcome<_>>()?))
}

pub static ENTRIES: &[crate::Entry] = entries! {
    "dstack" Forms::TORCH, "(Tensors tensors)", "joined along the third dimension; vᵀJ splits v among the inputs", "torch.dstack([tensor([1]), tensor([2])])", ["stack", "hstack"] jax "jnp.dstack({tensors})"
        => |b| {
            let parts = b.tensors(0).iter().map(|x| at_least(x, 3)).collect::<Outcome<Vec<_>>>()?;
            Ok(Out::One(cat(&parts, 2)?))
        };
    "column_stack" Forms::TORCH.and(Forms::NP), "(Tensors tensors)", "vectors as columns, side by side; vᵀJ splits v among the inputs", "torch.column_stack([tensor([1, 2]), tensor([3, 4])])", ["hstack", "stack"] jax "jnp.column_stack({tensors})"
        => |b| {
            let column = |x: &Variable| match x.rank() {
                0 | 1 => layout::reshape(x, &[x.numel() as i64, 1]),
                _ => Ok(x.clone()),
            };
            let parts = b.tensors(0).iter().map(column).collect::<Outcome<Vec<_>>>()?;
            Ok(Out::One(cat(&parts, 1)?))
        };
    "block_diag" Forms::TORCH, "(Tensors *tensors)", "matrices along the diagonal; vᵀJ is v's block for each matrix", "torch.block_diag(torch.eye(2), torch.ones(1, 1))", ["diag"] jax "jax.scipy.linalg.block_diag(*{tensors})"
        => block_diag;
    "cartesian_prod" Forms::TORCH, "(Tensors *tensors)", "all pairs of elements; vᵀJ adds v over the pairs with an element", "torch.cartesian_prod(tensor([1., 2.]), tensor([3., 4.]))", ["meshgrid", "combinations"] jax "cartesian_prod(*{tensors})"
        => cartesian;
    "combinations" Forms::TORCH, "(Tensor input, int r=2, bool with_replacement=False)", "all combinations of r elements", "torch.combinations(tensor([1, 2, 3]))", ["cartesian_prod"] jax "-"
        => combinations;
    "broadcast_tensors" Forms::TORCH, "(Tensors *tensors)", "all expanded to their common shape; vᵀJ adds the copies of an input", "torch.broadcast_tensors(tensor([1]), tensor([1, 2]))", ["expand"] jax "jnp.broadcast_arrays(*{tensors})"
        => broadcast_tensors;
};
