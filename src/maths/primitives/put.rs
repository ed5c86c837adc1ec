//! Part of an array replaced, or added to: assignment through an index, scatter, masked_fill.

use crate::autodiff::torch_node::Behind;
use crate::primitives::fixed::element_map;
use crate::{Array, LinearMap, Point, Rule, Saves, Symbols, TorchNode};
use vjp_tensor::exact_integers::longs;
use vjp_tensor::kernels::strided as kernels;
use vjp_tensor::{Dtype, ElementMap, Outcome, Tensor};

/// The first input with the second, broadcast to the part, written into it.
#[derive(Debug)]
pub struct Put {
    pub name: &'static str,
    pub grad_fn: &'static str,
    pub saves: Saves,
    /// Which elements are replaced, one for each element of the part; the last one wins.
    pub part: ElementMap,
    /// Added instead of replaced.
    pub accumulate: bool,
    /// PyTorch has no derivative of it.
    pub underived: bool,
    /// What is written was computed of the part itself, in place.
    pub in_place: bool,
}

impl Put {
    pub fn new(name: &'static str, grad_fn: &'static str, part: ElementMap) -> Put {
        Put {
            name,
            grad_fn,
            saves: Saves::Nothing,
            part,
            accumulate: false,
            underived: false,
            in_place: false,
        }
    }

    /// It keeps its index or mask for backward.
    #[must_use]
    pub fn saving(mut self) -> Put {
        self.saves = Saves::Aside;
        self
    }

    #[must_use]
    pub fn adding(mut self) -> Put {
        self.accumulate = true;
        self
    }

    /// For each element of the base, the element of the part that is written there.
    fn sources(&self) -> Vec<usize> {
        let mut out = vec![ElementMap::NONE; self.part.from.iter().product()];
        for (k, at) in self.part.index.iter().enumerate() {
            if let Some(slot) = out.get_mut(*at) {
                *slot = k;
            }
        }
        out
    }
}

impl Rule for Put {
    fn name(&self) -> &'static str {
        self.name
    }

    fn broadcasts(&self) -> bool {
        true
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let mut out = inputs[0].clone().with_weak(false);
        let dtype = out.dtype();
        // A number is rounded to the type that it is written into, not to its own.
        let number = inputs[1].is_weak() && !dtype.is_whole();
        let one = if number { inputs[1].to_dtype(dtype) } else { inputs[1].clone() };
        let part = kernels::expand(&one, &self.part.to)?;
        if dtype.is_whole() {
            let part = part.to_dtype(Dtype::Int64);
            let mut all = longs(&out).into_owned();
            for (at, v) in self.part.index.iter().zip(&*longs(&part)) {
                if let Some(slot) = all.get_mut(*at) {
                    *slot = if self.accumulate { slot.wrapping_add(*v) } else { *v };
                }
            }
            return Ok(Tensor::from_whole(out.shape(), all, dtype));
        }
        let values = part.data();
        if let Some(slots) = out.single_mut() {
            for (at, v) in self.part.index.iter().zip(values) {
                if let Some(slot) = slots.get_mut(*at) {
                    *slot = if self.accumulate { f64::from(*slot) + *v } else { *v } as f32;
                }
            }
            return Ok(out);
        }
        let slots = out.data_mut();
        for (at, v) in self.part.index.iter().zip(values) {
            if let Some(slot) = slots.get_mut(*at) {
                *slot = dtype.cast(if self.accumulate { *slot + *v } else { *v });
            }
        }
        Ok(out)
    }

    fn composed<A: Array>(&self, inputs: &[&A]) -> Option<A> {
        let added = || inputs[0].add(&inputs[1].expand(&self.part.to).scatter(&self.part));
        self.accumulate.then(added)
    }

    fn written(&self) -> Option<&ElementMap> {
        Some(&self.part)
    }

    fn code(&self, inputs: &[String]) -> Option<String> {
        let shape = |s: &[usize]| match s {
            [] => "()".to_owned(),
            s => s.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
        };
        let at: Vec<String> = self.part.index.iter().map(usize::to_string).collect();
        Some(format!(
            "{}.reshape(-1).index_put((torch.tensor([{}]),), {}.expand({}).reshape(-1)).reshape({})",
            inputs[0],
            at.join(", "),
            inputs[1],
            shape(&self.part.to),
            shape(&self.part.from)
        ))
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        let part = inputs[1].expand(&self.part.to);
        if self.accumulate {
            return Some(inputs[0].add(&part.scatter(&self.part)));
        }
        let mut data = inputs[0].data.to_vec();
        for (at, v) in self.part.index.iter().zip(part.data.iter()) {
            if let Some(slot) = data.get_mut(*at) {
                *slot = v.clone();
            }
        }
        Some(Symbols { shape: inputs[0].shape.clone(), data: data.into() })
    }

    fn linear<A: Array>(&self, at: &Point<A>, wrt: usize) -> LinearMap<A> {
        let (base, part) = (&self.part.from, &self.part.to);
        let shape = at.values[wrt].shape();
        if wrt == 0 {
            if self.accumulate {
                return LinearMap::Scale { by: 1.0, shape: base.clone() };
            }
            let written = self.sources();
            if written.iter().all(|w| *w != ElementMap::NONE) {
                return LinearMap::Zero { from: base.clone(), to: base.clone() };
            }
            let keep = written.into_iter().enumerate();
            let keep = keep
                .map(|(k, w)| if w == ElementMap::NONE { k } else { ElementMap::NONE })
                .collect();
            return LinearMap::Gather(element_map(base, base, keep));
        }
        let written = self.sources();
        let once =
            written.iter().filter(|w| **w != ElementMap::NONE).count() == self.part.index.len();
        // What was written twice has the gradient of its place twice in PyTorch.
        // What was computed of the place itself has it once.
        // A formula says where it goes, v[1], and not where each element comes from.
        let place = if self.accumulate || !(once || self.in_place) || A::WHOLE && once {
            LinearMap::Scatter(self.part.clone())
        } else {
            LinearMap::Gather(element_map(part, base, written))
        };
        if shape == part {
            place
        } else {
            let spread = LinearMap::Expand { from: shape.to_vec(), to: part.clone() };
            LinearMap::Then(vec![spread, place])
        }
    }
}

impl TorchNode for Put {
    fn grad_fn(&self) -> &'static str {
        self.grad_fn
    }

    fn saves(&self) -> Saves {
        self.saves
    }

    fn underived(&self) -> u8 {
        if self.underived { u8::MAX } else { 0 }
    }

    fn behind(&self) -> Behind {
        if self.in_place { Behind::Written } else { Behind::Inputs }
    }
}
