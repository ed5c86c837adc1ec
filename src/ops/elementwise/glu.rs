//! `glu`: one half of a tensor, gated by the sigmoid of the other.

use vjp_maths::table::SIGMOID;
use vjp_maths::{Array, Formula, LinearMap, Point, Rule, Saves, Symbols, TorchNode};
use vjp_tensor::{ElementMap, Outcome, Tensor};

/// `a·σ(b)`, where `a` and `b` are the halves of the input along `dim`.
#[derive(Debug)]
pub(super) struct Glu {
    pub dim: usize,
}

impl Glu {
    /// The elements of one half.
    fn half(&self, from: &[usize], second: bool) -> ElementMap {
        let inner: usize = from[self.dim + 1..].iter().product();
        let block = from[self.dim] * inner;
        let outer: usize = from[..self.dim].iter().product();
        let start = if second { block / 2 } else { 0 };
        let mut to = from.to_vec();
        to[self.dim] /= 2;
        let index = (0..outer).flat_map(|o| {
            let first = o * block + start;
            first..first + block / 2
        });
        ElementMap { from: from.to_vec(), to, index: index.collect::<Vec<_>>().into() }
    }

    fn gate<A: Array>(&self, x: &A, shape: &[usize]) -> (A, A) {
        let second = x.gather(&self.half(shape, true));
        (x.gather(&self.half(shape, false)), A::call(&SIGMOID, &[&second]))
    }
}

impl Rule for Glu {
    fn code(&self, inputs: &[String]) -> Option<String> {
        Some(format!("torch.nn.functional.glu({}, dim={})", inputs[0], self.dim))
    }

    fn name(&self) -> &'static str {
        "glu"
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let (a, gate) = self.gate(inputs[0], inputs[0].shape());
        (vjp_maths::table::MUL.tensor)(&[&a, &gate])
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        let (a, gate) = self.gate(inputs[0], &inputs[0].shape);
        Some(a.mul(&gate))
    }

    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        let from = at.values[0].shape();
        let shape = at.value.shape().to_vec();
        let (a, gate) = self.gate(at.inputs[0], from);
        let open = Formula::In(gate.clone());
        let slope = Formula::In(a) * &open * (1.0 - &open);
        let path = |by: A, second: bool| {
            LinearMap::Then(vec![
                LinearMap::Gather(self.half(from, second)),
                LinearMap::Diagonal { by, shape: shape.clone() },
            ])
        };
        let mut paths = vec![path(gate, false)];
        if let Formula::In(slope) = slope {
            paths.push(path(slope, true));
        }
        LinearMap::Plus(paths)
    }

    /// Half beside half, as PyTorch writes them: nothing is added, so that a zero keeps its sign.
    fn pull(&self, at: &Point<Tensor>, _: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
        let from = at.values[0].shape();
        let (a, gate) = self.gate(at.values[0], from);
        let first = v.mul(&gate);
        let Formula::In(slope) = Formula::In(a) * (1.0 - Formula::In(gate)) else { return None };
        let second = first.mul(&slope);
        let mut out = v.full(from, 0.0);
        for (part, half) in [(first, false), (second, true)] {
            let places = self.half(from, half).index;
            let slots = out.data_mut();
            places.iter().zip(part.data()).for_each(|(place, v)| slots[*place] = *v);
        }
        Some(Ok(out))
    }
}

impl TorchNode for Glu {
    fn grad_fn(&self) -> &'static str {
        "GluBackward0"
    }

    fn saves(&self) -> Saves {
        Saves::Inputs(0b1)
    }
}
