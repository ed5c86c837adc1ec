//! `y.grad_fn(v)`: one node, called by the program.

use super::cotangent::Flow;
use super::grad_mode::{is_grad_enabled, with_grad};
use super::node::Node;
use super::reverse::{SweepOptions, sweep};
use super::torch_node::Behind;
use super::variable::Variable;
use vjp_tensor::{Outcome, Tensor, torch_messages};

/// Whether it may be called: the backward of a program's Function may not.
pub fn is_callable(node: &Node) -> bool {
    !node.operation().has_own_backward()
        && matches!(node.operation().behind(), Behind::Inputs | Behind::Entries(_))
}

/// What it makes of the gradient of its output: one for each of `next_functions`, None where none flows.
///
/// # Errors
/// A gradient of another shape, values that are freed or written, the budget.
pub fn passed(node: &Node, v: &Variable) -> Outcome<Vec<Option<Variable>>> {
    if node.freed() && node.keeps() {
        return Err(torch_messages::freed());
    }
    let y = Variable::saved(node.clone(), node.value().clone());
    let entries: Option<Vec<Option<Variable>>> = match node.operation().behind() {
        Behind::Entries(all) => {
            let entry = |n: &Node| Variable::saved(n.clone(), n.value().clone());
            Some(all.iter().map(|n| n.as_ref().map(entry)).collect())
        }
        _ if node.operation().has_own_backward() => {
            Some(node.inputs().iter().map(|e| e.tracked().then(|| e.variable())).collect())
        }
        _ => None,
    };
    if let Some(entries) = entries {
        let inputs: Vec<Variable> = entries.iter().flatten().cloned().collect();
        let options = SweepOptions {
            retain_graph: true,
            create_graph: is_grad_enabled(),
            inputs: Some(&inputs),
            ..SweepOptions::default()
        };
        let mut found = sweep(&[(y, v.clone())], options)?.inputs.into_iter();
        return Ok(entries
            .iter()
            .map(|n| n.as_ref().and_then(|_| found.next().flatten()))
            .collect());
    }
    if !v.is_shaped_as(&y) {
        return Err(torch_messages::gradient_shape(0, &v.shape(), &y.shape()));
    }
    node.check_saved()?;
    Ok(match is_grad_enabled() {
        true => pulled::<Variable>(node, v),
        false => with_grad(false, || pulled::<Tensor>(node, v)),
    })
}

fn pulled<C: Flow>(node: &Node, v: &Variable) -> Vec<Option<Variable>> {
    let given = C::of(v);
    let one = |k: usize| {
        let edge = node.inputs().get(k)?;
        let passed = edge.tracked().then(|| given.pull(node, k).cast(edge.value.dtype()))?;
        Some(passed.into_variable())
    };
    let places = node.operation().arguments(node.inputs());
    places.into_iter().map(|k| k.and_then(one)).collect()
}
