//! Average pooling: sums under a sliding window, divided by the number of their terms.

use crate::parts::Parts;
use std::rc::Rc;
use vjp_maths::primitives::fixed::{Plain, element_map, lift};
use vjp_maths::{Array, LinearMap, Point, Rule, Saves, Symbols, TorchNode, Variable, apply};
use vjp_ops::reduce::extreme::Groups;
use vjp_tensor::{
    Dtype, Element, ElementMap, Outcome, Tensor, budget, torch_messages, with_floats,
};

/// Each output the sum of its part of the input, divided by its divisors.
#[derive(Debug)]
struct Averages {
    grad_fn: &'static str,
    /// As PyTorch code, `{}` for the input.
    told: Option<String>,
    parts: Parts,
    /// Of each output of a plane, those of its dimensions one after the other.
    divisors: Vec<[i64; 3]>,
    from: Vec<usize>,
    to: Vec<usize>,
}

impl Averages {
    /// `sum` divided by the divisors of output `k` of a plane.
    fn shared(&self, k: usize, sum: f64, step: impl Fn(f64) -> f64) -> f64 {
        self.divisors[k].iter().fold(sum, |sum, by| step(sum / *by as f64))
    }

    /// One multiple of sums for each distinct divisor.
    fn map(&self) -> Outcome<Plain> {
        let (total, widest) = (self.parts.outputs(), self.parts.widest());
        let wide = [total, widest];
        let of = |divisor: i64| {
            let mut index = budget::listed(total * widest, |_| ElementMap::NONE)?;
            self.parts.each_group(&mut |k, elements| {
                if self.divisors[k % self.divisors.len()].iter().product::<i64>() == divisor {
                    index[k * widest..][..elements.len()].copy_from_slice(elements);
                }
            });
            Ok(LinearMap::Then(vec![
                LinearMap::Gather(element_map(&self.from, &wide, index)),
                LinearMap::Collapse { from: wide.to_vec(), to: vec![total, 1] },
                LinearMap::Scale { by: 1.0 / divisor as f64, shape: vec![total, 1] },
                vjp_maths::primitives::fixed::reshaping(&[total, 1], &self.to),
            ]))
        };
        let all = distinct(&self.divisors).into_iter().map(of);
        let mut all: Vec<Plain> = all.collect::<Outcome<_>>()?;
        Ok(match all.len() {
            0 => LinearMap::Zero { from: self.from.clone(), to: self.to.clone() },
            1 => all.remove(0),
            _ => LinearMap::Plus(all),
        })
    }
}

/// What a step of the kernel rounds to.
fn step_of(dtype: Dtype) -> impl Fn(f64) -> f64 + Copy {
    move |v| if dtype.is_short() { f64::from(v as f32) } else { v }
}

fn distinct(divisors: &[[i64; 3]]) -> Vec<i64> {
    let mut distinct: Vec<i64> = divisors.iter().map(|all| all.iter().product()).collect();
    distinct.sort_unstable();
    distinct.dedup();
    distinct
}

impl Rule for Averages {
    fn code(&self, inputs: &[String]) -> Option<String> {
        Some(self.told.as_ref()?.replace("{}", &inputs[0]))
    }

    fn name(&self) -> &'static str {
        "avg_pool"
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let (area, step) = (self.parts.area(), step_of(inputs[0].dtype()));
        let mut out = budget::listed(self.parts.outputs(), |_| 0.0)?;
        let boxes = self.parts.boxes()?;
        with_floats!(inputs[0], data => self.parts.by_plane(&mut out, |plane, out| {
            let own = &data[plane * area..(plane + 1) * area];
            for (k, (out, elements)) in out.iter_mut().zip(boxes.iter()).enumerate() {
                let sum = elements.iter().fold(0.0, |sum, p| step(sum + own[*p].wide()));
                *out = self.shared(k, sum, step);
            }
        }))?;
        Ok(Tensor::typed(&self.to, out, inputs[0].dtype()))
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        Some(lift::<Symbols>(&self.map().ok()?).apply(inputs[0]))
    }

    /// Added to zeros: no -0 is left.
    fn pull(&self, at: &Point<Tensor>, _: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
        let (each, shape, dtype) = (self.parts.each(), at.values[0].shape(), v.dtype());
        let step = step_of(dtype);
        let pulled = budget::listed(shape.iter().product(), |_| 0.0).and_then(|mut pulled| {
            let boxes = self.parts.boxes()?;
            with_floats!(v, v => self.parts.by_plane(&mut pulled, |plane, slots| {
                let v = &v[plane * each..(plane + 1) * each];
                for (k, elements) in boxes.iter().enumerate() {
                    let share = self.shared(k, v[k].wide(), step);
                    elements.iter().for_each(|p| slots[*p] = step(slots[*p] + share));
                }
            }))?;
            Ok(Tensor::typed(shape, pulled, dtype))
        });
        Some(pulled)
    }

    fn linear<A: Array>(&self, _: &Point<A>, _: usize) -> LinearMap<A> {
        // There is room, see `averages`: else somebody wishes to stop, and nothing that is found then counts.
        let nothing = || LinearMap::Zero { from: self.from.clone(), to: self.to.clone() };
        lift(&self.map().unwrap_or_else(|_| nothing()))
    }
}

impl TorchNode for Averages {
    fn grad_fn(&self) -> &'static str {
        self.grad_fn
    }

    fn saves(&self) -> Saves {
        Saves::Inputs(1)
    }
}

/// Each output the sum of its part of the input, divided by its divisors.
pub(crate) fn averages(
    x: &Variable,
    parts: Parts,
    divisors: Vec<[i64; 3]>,
    to: &[usize],
    grad_fn: &'static str,
    told: Option<String>,
) -> Outcome<Variable> {
    if matches!(x.dtype(), Dtype::Bool) {
        return Err(torch_messages::no_kernel("avg_pool2d", Dtype::Bool));
    }
    parts.check(distinct(&divisors).len())?;
    let op = Averages { grad_fn, told, parts, divisors, from: x.shape(), to: to.to_vec() };
    apply(Rc::new(op), std::slice::from_ref(x))
}
