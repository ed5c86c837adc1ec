//! The backward sweep over a [`Graph`], without hooks: what each step receives and hands on.

use super::{From, Graph};
use std::collections::HashMap;
use vjp_maths::{Array, LinearMap, Variable};
use vjp_tensor::{Outcome, Tensor, budget};

/// One step of the sweep.
pub(crate) struct Passed {
    pub step: usize,
    /// Cotangents that arrived, which are added.
    pub received: Vec<Tensor>,
    pub given: Vec<Given>,
}

/// What one input of a step is handed.
pub(crate) struct Given {
    /// Which input of the operation.
    pub input: usize,
    pub to: From,
    pub cotangent: Tensor,
    /// None: it comes from a backward that the program wrote itself.
    pub map: Option<LinearMap<Tensor>>,
}

impl Graph {
    /// Where the sweep starts.
    pub fn start(&self) -> From {
        match self.steps.len() {
            0 => From::Leaf(0),
            n => From::Step(n - 1),
        }
    }

    /// Hands `v` down; gives what arrived at each leaf.
    pub fn sweep(
        &self,
        v: &Tensor,
        each: &mut dyn FnMut(Passed),
    ) -> Outcome<HashMap<From, Vec<Tensor>>> {
        let mut arrived: HashMap<From, Vec<Tensor>> = HashMap::new();
        arrived.insert(self.start(), vec![v.clone()]);
        for k in (0..self.steps.len()).rev() {
            budget::tick()?;
            let Some(received) = arrived.remove(&From::Step(k)) else {
                continue;
            };
            let cotangent = added(&received);
            let node = &self.steps[k];
            let own = node.operation().backward(&|| Some(Variable::constant(cotangent.clone())));
            let own = own.transpose()?;
            let mut given = Vec::new();
            for (input, edge) in node.inputs().iter().enumerate() {
                let Some(to) = self.source(edge) else {
                    continue;
                };
                let (part, map) = match &own {
                    Some(written) => match written.get(input).and_then(Option::as_ref) {
                        Some(g) => (g.value(), None),
                        None => continue,
                    },
                    None => {
                        let map = self.local(k, input);
                        (map.pull(&cotangent), Some(map))
                    }
                };
                arrived.entry(to).or_default().push(part.clone());
                given.push(Given { input, to, cotangent: part, map });
            }
            each(Passed { step: k, received, given });
        }
        Ok(arrived)
    }
}

pub(crate) fn added(parts: &[Tensor]) -> Tensor {
    let mut all = parts.iter();
    let first = all.next().cloned().unwrap_or_else(|| Tensor::scalar(0.0));
    all.fold(first, |sum, part| sum.add(part))
}
