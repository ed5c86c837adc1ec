//! Forward mode: J·u, from the leaves up to the output, each node adding the images of its inputs'
//! tangents under its local maps.

use super::node::{Node, Origin};
use super::reverse::ancestors;
use super::rule::Point;
use super::variable::Variable;
use crate::Array;
use std::collections::HashMap;
use vjp_tensor::budget::refused;
use vjp_tensor::{Outcome, Tensor};

/// The tangent of `y` when each of these variables moves by its tangent; None where y depends on none.
pub fn push(y: &Variable, moves: &[(Variable, Tensor)]) -> Outcome<Option<Tensor>> {
    let leaves: HashMap<usize, &Tensor> = moves.iter().map(|(x, u)| (x.id(), u)).collect();
    let Some(last) = y.node() else {
        return Ok(leaves.get(&y.id()).map(|u| (*u).clone()));
    };
    let computed = moves.iter().filter_map(|(x, u)| Some((x.node()?.id(), u.clone())));
    let mut tangents: HashMap<u64, Tensor> = computed.collect();
    for node in ancestors([last.clone()]).into_iter().map(Node::refreshed) {
        if tangents.contains_key(&node.id()) {
            continue;
        }
        let values: Vec<&Tensor> = node.inputs().iter().map(|e| &e.value).collect();
        let at =
            Point { inputs: &values, output: node.value(), values: &values, value: node.value() };
        let moved = node.inputs().iter().map(|edge| match &edge.origin {
            Origin::Constant(_) | Origin::LostView(_) => None,
            Origin::Leaf(v) => leaves.get(&v.id()).copied(),
            Origin::Node(n) => tangents.get(&n.id()),
        });
        let moved: Vec<Option<&Tensor>> = moved.collect();
        let own = node.operation().own_jvp().filter(|_| moved.iter().any(Option::is_some));
        let mut sum = own.map(|jvp| jvp(&moved)).transpose()?;
        for (k, u) in moved.iter().enumerate().filter(|_| own.is_none()) {
            let Some(u) = u else { continue };
            node.check_derived(k)?;
            let operation = node.operation();
            let kernel = operation.elementwise().is_some_and(|p| p.row().library.is_some());
            // Of one operand, J is diagonal and its own transpose.
            let image = match kernel.then(|| operation.pull(&at, k, u)).flatten() {
                Some(image) => image?,
                None => operation.linear_tensor(&at, k).apply(u),
            };
            sum = Some(match sum {
                None => image,
                Some(before) => before.add(&image),
            });
        }
        refused()?;
        tangents.extend(sum.map(|s| (node.id(), s)));
    }
    Ok(tangents.remove(&last.id()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::table::mul;

    fn product(a: &Variable, b: &Variable) -> Variable {
        mul(a, b).unwrap()
    }

    #[test]
    fn both_factors_move() {
        let x = Variable::leaf(Tensor::new(&[2], vec![3.0, 4.0]));
        let y = product(&product(&x, &x), &x);
        let u = Tensor::new(&[2], vec![1.0, -1.0]);
        let moved = push(&y, &[(x, u)]).unwrap().unwrap();
        assert_eq!(moved.data(), [27.0, -48.0]);
    }

    #[test]
    fn a_constant_stands_still() {
        let x = Variable::leaf(Tensor::scalar(1.0));
        let c = Variable::constant(Tensor::scalar(2.0));
        assert!(push(&product(&c, &c), &[(x, Tensor::scalar(1.0))]).unwrap().is_none());
    }
}
