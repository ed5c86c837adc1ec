//! Values of elementwise operations over long arrays, computed when somebody asks for them.

use super::program::Program;
use crate::autodiff::edge::Edge;
use crate::{Elementwise, Operation};
use smallvec::SmallVec;
use std::any::Any;
use std::rc::Rc;
use vjp_tensor::kernels::blocks::{self, Slots};
use vjp_tensor::kernels::operand::OPERANDS;
use vjp_tensor::storage::late::{LATE_FROM, Late, Recipe};
use vjp_tensor::{Dtype, Outcome, Tensor, with_numbers};

/// A longer chain is computed as far as it goes: what is asked for on its way is computed again.
const LONGEST: usize = 48;

/// One operation of a run, of operands that have the length and type of its value, or are one number.
pub(crate) struct Step {
    pub operation: Rc<dyn Operation>,
    pub inputs: SmallVec<[Tensor; OPERANDS]>,
    count: usize,
    pub(super) dtype: Dtype,
    /// At least as many steps lead here.
    length: usize,
    /// Where the numbers lie that all steps begin with, where that is one array.
    source: Option<usize>,
}

/// The value of an operation, where it can be late. Unless a graph `keeps` the operands anyway, that is where it
/// keeps no more memory than its value would.
#[inline]
pub(crate) fn value(
    operation: &Rc<dyn Operation>,
    inputs: &[Edge],
    keeps: impl FnOnce() -> bool,
) -> Option<Tensor> {
    if inputs.iter().all(|e| e.value.numel() < LATE_FROM) {
        return None;
    }
    let p = operation.elementwise()?;
    let inputs: SmallVec<[Tensor; OPERANDS]> =
        inputs.iter().take(p.row().fun.operands).map(|e| e.value.clone()).collect();
    let (shape, dtype) = fits(p, &inputs.iter().collect::<SmallVec<[&Tensor; OPERANDS]>>())?;
    let (shape, count) = (shape.to_vec(), shape.iter().product());
    let mut sources = inputs.iter().filter(|t| t.rank() > 0).map(source);
    let first = sources.next().flatten();
    let source = first.filter(|_| sources.all(|s| s == first));
    if source.is_none() && !keeps() {
        return None;
    }
    let steps = |t: &Tensor| Some(step_of(t.as_late()?)?.length);
    let mut length = 1 + inputs.iter().filter_map(steps).sum::<usize>();
    if length > LONGEST {
        inputs.iter().filter_map(Tensor::as_late).for_each(|late| {
            late.made();
        });
        length = 1;
    }
    let operation = operation.clone();
    Some(Tensor::late(&shape, dtype, Step { operation, inputs, count, dtype, length, source }))
}

/// Where an array's numbers lie, or those that it is computed from.
fn source(t: &Tensor) -> Option<usize> {
    match t.as_late() {
        Some(late) => step_of(late)?.source,
        None => Some(with_numbers!(t, all => all.as_ptr() as usize)),
    }
}

/// Shape and type of a row's value, where a loop over tiles reads all operands as they are: arrays of both, or
/// numbers.
pub(super) fn fits<'a>(p: &dyn Elementwise, inputs: &[&'a Tensor]) -> Option<(&'a [usize], Dtype)> {
    let row = p.row();
    let first = inputs.iter().find(|t| t.rank() > 0)?;
    let dtype = row.result.dtype(inputs);
    let shape = first.shape();
    let fits = |t: &&Tensor| match dtype {
        Dtype::Float64 if t.rank() == 0 => t.as_scalar().is_some(),
        _ if t.rank() == 0 => t.is_weak() && t.as_scalar().is_some(),
        _ => t.dtype() == dtype && t.shape() == shape,
    };
    let plain = dtype.is_tiled() && row.library.is_none() && inputs.len() == row.fun.operands;
    (plain && first.numel() >= LATE_FROM && inputs.iter().all(fits)).then_some((shape, dtype))
}

/// The step that computes it.
fn step_of(late: &Late) -> Option<Rc<Step>> {
    let recipe: Rc<dyn Any> = late.recipe()?;
    recipe.downcast().ok()
}

impl Recipe for Step {
    fn make(&self, whole: bool) -> Outcome<Tensor> {
        let mut program = Program::new(self.dtype);
        program.step(None, self);
        let ready = program.ready(self.count);
        if !whole {
            program.lates.iter().flatten().for_each(|late| late.pass());
            let write = |at: usize, out: Slots| ready.last(at, out);
            return blocks::tensor(&[self.count], self.count, self.dtype, &write);
        }
        let work = |at: usize, out: Vec<Slots>| {
            let tiles = ready.run(at, out[0].len());
            out.into_iter().zip(&tiles).for_each(|(out, tile)| out.copy(tile.input()));
        };
        let size = (self.count, program.lates.len());
        let mut made = blocks::tensors(&[self.count], size, self.dtype, &work)?;
        let own = made.pop();
        for (late, made) in program.lates.iter().flatten().zip(made) {
            late.fill(made);
        }
        Ok(own.unwrap_or_else(|| Tensor::scalar(f64::NAN)))
    }

    fn size(&self) -> (usize, Dtype) {
        (self.count, self.dtype)
    }
}
