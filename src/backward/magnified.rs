//! Where a rounding error grows: a difference of nearly equal numbers, or a sum that swallows a small one, in front of
//! a large slope, as in `(1 - cos(x))/x^2` near 0. J and the sweep use the same rounded numbers, so they agree.

use vjp_eval::Machine;
use vjp_eval::record::event::Cause;
use vjp_maths::autodiff::reverse::pull;
use vjp_maths::{Node, Origin, Variable};
use vjp_tensor::ids::IdMap;
use vjp_tensor::{Dtype, Tensor};

/// Larger graphs are not asked.
const NODES: usize = 64;
const ELEMENTS: usize = 16;

/// So much of vᵀy, or of 1, an error has to reach.
const SHARE: f64 = 1e-3;

fn is_sum(node: &Node) -> bool {
    matches!(node.operation().name(), "add" | "sub" | "rsub")
}

/// The bound of a sum's rounding error: its own, and those of operands that were computed. The difference of
/// numbers as they were given is taken for exact.
fn error(node: &Node) -> f64 {
    let double = node.value().dtype() == Dtype::Float64;
    let epsilon = if double { f64::EPSILON } else { f32::EPSILON.into() };
    let largest = |t: &Tensor| t.data().iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let computed: Vec<f64> = node
        .inputs()
        .iter()
        .filter(|e| matches!(e.origin, Origin::Node(_)))
        .map(|e| largest(&e.value))
        .collect();
    let exact = computed.is_empty() && node.operation().name() != "add";
    let own = if exact { 0.0 } else { largest(node.value()) };
    epsilon / 2.0 * computed.into_iter().fold(own, f64::max)
}

/// The sum whose rounding error may be the largest in vᵀy.
pub fn magnified(
    m: &Machine,
    y: &Variable,
    v: &Tensor,
    nodes: &[Node],
    output: &str,
) -> Option<Cause> {
    let small = |node: &Node| node.value().numel() <= ELEMENTS;
    if nodes.len() > NODES || !nodes.iter().all(small) || !nodes.iter().any(is_sum) {
        return None;
    }
    let mut cotangents: IdMap<Tensor> = IdMap::default();
    cotangents.insert(y.node()?.id(), v.clone());
    let mut found: Option<(f64, &Node)> = None;
    for node in nodes.iter().rev() {
        let Some(cotangent) = cotangents.remove(&node.id()) else { continue };
        if is_sum(node) {
            let reach = error(node) * cotangent.data().iter().map(|x| x.abs()).sum::<f64>();
            if reach.is_finite() && found.is_none_or(|(most, _)| reach > most) {
                found = Some((reach, node));
            }
        }
        for (k, edge) in node.inputs().iter().enumerate() {
            let Origin::Node(below) = &edge.origin else { continue };
            let passed = pull(node, k, &cotangent).ok()?;
            let sum = match cotangents.remove(&below.id()) {
                Some(known) => {
                    let all = known.data().iter().zip(passed.data()).map(|(a, b)| a + b);
                    Tensor::new(passed.shape(), all.collect())
                }
                None => passed,
            };
            cotangents.insert(below.id(), sum);
        }
    }
    let (reach, node) = found?;
    let of: f64 = y.value().data().iter().zip(v.data()).map(|(y, v)| (y * v).abs()).sum();
    let place = node.place();
    let code = m.source_of(place.source)?.slice_balanced(place.span).trim().to_owned();
    let told = reach > SHARE * of.max(1.0) && !code.is_empty() && !code.contains('\n');
    let weighted = *v.data() != [1.0];
    told.then(|| Cause::Magnified { code, output: output.to_owned(), weighted, error: reach })
}
