//! One of two arrays, element by element, as a condition says.

use super::fixed::element_map;
use crate::table::{WHERE, kernel};
use crate::{Array, Edge, LinearMap, Point, Rule, Saves, Symbols, TorchNode, Variable, apply};
use std::rc::Rc;
use vjp_tensor::kernels::strided as kernels;
use vjp_tensor::tensor::promote;
use vjp_tensor::{ElementMap, Outcome, Tensor, shape};

/// `a` where `c` holds, else `b`. The branch not taken has a path of slope 0.
#[derive(Debug)]
pub struct Where;

impl Rule for Where {
    fn name(&self) -> &'static str {
        "where"
    }

    fn broadcasts(&self) -> bool {
        true
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let dtype = promote(&inputs[1..]);
        if inputs.iter().any(|t| t.long().is_some()) {
            let chosen = |t: &Tensor, c: bool| {
                kernels::zip_whole(inputs[0], t, dtype, |k, v| if (k != 0) == c { v } else { 0 })
            };
            let (a, b) = (chosen(inputs[1], true)?, chosen(inputs[2], false)?);
            return kernels::zip_whole(&a, &b, dtype, |a, b| a | b);
        }
        kernel::map(inputs, dtype, false, &|cpu, x, out| (WHERE.tile)(cpu, dtype, x, out))
    }

    fn symbols(&self, inputs: &[&Symbols], values: &[&Tensor], value: &Tensor) -> Option<Symbols> {
        let to = value.shape();
        let chosen = kernels::expand(values[0], to).ok()?;
        let (a, b) = (inputs[1].expand(to), inputs[2].expand(to));
        let data = chosen.data().iter().zip(a.data.iter().zip(b.data.iter()));
        Some(Symbols {
            shape: to.to_vec(),
            data: data.map(|(c, (a, b))| if *c != 0.0 { a.clone() } else { b.clone() }).collect(),
        })
    }

    fn composed<A: Array>(&self, inputs: &[&A]) -> Option<A> {
        Some(A::call(&WHERE, inputs))
    }

    fn linear<A: Array>(&self, at: &Point<A>, wrt: usize) -> LinearMap<A> {
        let from = at.values[wrt].shape().to_vec();
        let to = at.value.shape().to_vec();
        let Ok(condition) = kernels::expand(at.values[0], &to) else {
            return LinearMap::Zero { from, to };
        };
        if wrt == 0 {
            return LinearMap::Zero { from, to };
        }
        let taken = |c: f64| (c != 0.0) == (wrt == 1);
        let strides = shape::broadcast_strides(&from, &to);
        let source = vjp_tensor::Layout { shape: to.clone(), strides: strides.to_vec(), offset: 0 }
            .positions();
        let (mut index, mut unchosen) = (Vec::with_capacity(source.len()), Vec::new());
        for (k, (p, c)) in source.iter().zip(condition.data()).enumerate() {
            if taken(*c) {
                index.push(k);
            } else {
                index.push(ElementMap::NONE);
                unchosen.push((k, *p));
            }
        }
        let mut chosen = LinearMap::Gather(element_map(&to, &to, index));
        if from != to {
            let spread = LinearMap::Expand { from: from.clone(), to: to.clone() };
            chosen = LinearMap::Then(vec![spread, chosen]);
        }
        if unchosen.is_empty() {
            return chosen;
        }
        let pairs = unchosen.into();
        LinearMap::Plus(vec![chosen, LinearMap::Unchosen { pairs, from, to }])
    }
}

impl TorchNode for Where {
    fn grad_fn(&self) -> &'static str {
        "WhereBackward0"
    }

    fn second(&self, _: usize) -> Option<&'static str> {
        Some("WhereBackward0")
    }

    fn saves(&self) -> Saves {
        Saves::Inputs(1)
    }

    fn arguments(&self, _: &[Edge]) -> Vec<Option<usize>> {
        vec![Some(1), Some(2)]
    }
}

/// `torch.where(c, a, b)`.
///
/// # Errors
/// Shapes that do not match.
pub fn select_where(c: &Variable, a: &Variable, b: &Variable) -> Outcome<Variable> {
    // PyTorch compares the sizes of the condition and the first branch first.
    shape::broadcast_all([&*c.shape(), &*a.shape(), &*b.shape()])?;
    apply(Rc::new(Where), &[c.detach(), a.clone(), b.clone()])
}
