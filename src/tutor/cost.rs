//! `:cost`: how many multiplications J takes by rows, a reverse sweep each, and by columns, a forward
//! sweep each. Both apply every local Jacobian once, so one sweep costs the same either way.

use std::time::Duration;
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::record::network::Cost;
use vjp_eval::{Latest, Machine, Tried};
use vjp_maths::autodiff::cotangent::at_values;
use vjp_maths::autodiff::forward::push;
use vjp_maths::autodiff::reverse::{SweepOptions, ancestors, sweep};
use vjp_maths::{LinearMap, Origin, Variable};
use vjp_tensor::clock::Instant;
use vjp_tensor::{Outcome, Tensor, budget};

/// The J of the last backward by rows and by columns.
pub fn cost(m: &mut Machine, latest: &Latest) -> Tried<Cost> {
    let sweep = lend(m, || multiplications(&latest.y))?;
    let columns = latest.leaves.iter().map(Variable::numel).sum();
    Ok(Cost { rows: latest.y.numel(), columns, sweep })
}

/// Of applying each local Jacobian on the way from the leaves to y once.
fn multiplications(y: &Variable) -> Outcome<usize> {
    let mut count = 0;
    for node in ancestors(y.node()) {
        budget::tick()?;
        for (k, edge) in node.inputs().iter().enumerate() {
            if let Origin::Leaf(_) | Origin::Node(_) = &edge.origin {
                count += at_values(&node, |at| of_map(&node.operation().linear_tensor(at, k)));
            }
        }
    }
    Ok(count)
}

/// Of one application of a map.
fn of_map(map: &LinearMap<Tensor>) -> usize {
    let size = |shape: &[usize]| shape.iter().product::<usize>();
    match map {
        LinearMap::Scale { by, .. } if by.abs() == 1.0 => 0,
        LinearMap::Scale { shape, .. } | LinearMap::Diagonal { shape, .. } => size(shape),
        LinearMap::Left { by, to, .. } => size(to) * by.shape().last().copied().unwrap_or(1),
        LinearMap::Right { by, to, .. } => {
            let rank = by.shape().len();
            size(to) * rank.checked_sub(2).map_or(1, |at| by.shape()[at])
        }
        LinearMap::Dense { from, to, .. } => size(from) * size(to),
        LinearMap::Then(maps) | LinearMap::Plus(maps) => maps.iter().map(of_map).sum(),
        LinearMap::Zero { .. }
        | LinearMap::Expand { .. }
        | LinearMap::Collapse { .. }
        | LinearMap::Gather(_)
        | LinearMap::Scatter(_)
        | LinearMap::Unchosen { .. } => 0,
    }
}

/// How long a reverse sweep takes here, and a forward one: the fastest of a few.
pub fn measured(m: &mut Machine, latest: &Latest) -> Tried<(Duration, Duration)> {
    let ones = |x: &Variable| Tensor::new(&x.shape(), vec![1.0; x.numel()]);
    let options = SweepOptions {
        retain_graph: true,
        unasked: true,
        inputs: Some(&latest.leaves),
        ..SweepOptions::default()
    };
    let root = Variable::constant(ones(&latest.y));
    let moves: Vec<(Variable, Tensor)> =
        latest.leaves.iter().map(|x| (x.clone(), ones(x))).collect();
    lend(m, || {
        let backwards = fastest(|| sweep(&[(latest.y.clone(), root.clone())], options).map(drop))?;
        let forwards = fastest(|| push(&latest.y, &moves).map(drop))?;
        Ok((backwards, forwards))
    })
}

fn fastest(mut run: impl FnMut() -> Outcome<()>) -> Outcome<Duration> {
    const RUNS: usize = 5;
    let mut best = Duration::MAX;
    for _ in 0..RUNS {
        let begun = Instant::now();
        run()?;
        best = best.min(begun.elapsed());
    }
    Ok(best)
}
