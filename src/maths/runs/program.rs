//! What a tile of late numbers is computed from, in order.

use super::late::Step;
use crate::autodiff::algebra::Tile;
use crate::{Elementwise, Operation};
use smallvec::SmallVec;
use std::any::Any;
use std::rc::Rc;
use vjp_tensor::kernels::Cpu;
use vjp_tensor::kernels::blocks::Slots;
use vjp_tensor::kernels::operand::{Input, OPERANDS};
use vjp_tensor::storage::late::{Late, Same};
use vjp_tensor::storage::numbers::Numbers;
use vjp_tensor::{Dtype, Tensor};

/// Where a step finds an operand.
#[derive(Clone, Copy)]
pub enum Arg {
    One(f64),
    Source(usize),
    Step(usize),
}

type Args = SmallVec<[Arg; OPERANDS]>;

/// Steps over the numbers of some arrays of one length and type, each after those that it reads.
pub struct Program {
    dtype: Dtype,
    sources: Vec<Tensor>,
    steps: Vec<(Rc<dyn Operation>, Args)>,
    /// What each step computes.
    pub(super) lates: Vec<Option<Rc<Late>>>,
}

impl Program {
    pub fn new(dtype: Dtype) -> Program {
        Program { dtype, sources: Vec::new(), steps: Vec::new(), lates: Vec::new() }
    }

    /// Where a tile finds the numbers of `t`: an array of the program's length and type, or one number.
    pub fn find(&mut self, t: &Tensor) -> Arg {
        match t.as_late() {
            Some(late) => self.find_late(late).unwrap_or_else(|| self.read(t)),
            None => t.item().map_or_else(|| self.read(t), Arg::One),
        }
    }

    /// None: it is not of a kind or type that a tile computes.
    fn find_late(&mut self, late: &Rc<Late>) -> Option<Arg> {
        let same = |l: &Option<Rc<Late>>| l.as_ref().is_some_and(|l| Rc::ptr_eq(l, late));
        if let Some(k) = self.lates.iter().position(same) {
            return Some(Arg::Step(k));
        }
        let recipe: Rc<dyn Any> = late.recipe()?;
        if let Some(same) = recipe.downcast_ref::<Same>() {
            return Some(Arg::One(same.value));
        }
        // A cast from float32 has another name for the numbers, not another way to compute them.
        let step = recipe.downcast_ref::<Step>().filter(|step| step.dtype == self.dtype)?;
        Some(Arg::Step(self.step(Some(late.clone()), step)))
    }

    /// The place of a step, behind those of what it reads; `late`: what it computes.
    pub(super) fn step(&mut self, late: Option<Rc<Late>>, step: &Step) -> usize {
        let args = step.inputs.iter().map(|x| self.find(x)).collect();
        self.lates.push(late);
        self.steps.push((step.operation.clone(), args));
        self.steps.len() - 1
    }

    fn read(&mut self, t: &Tensor) -> Arg {
        let known = self.sources.iter().position(|s| s.shares_numbers(t));
        Arg::Source(known.unwrap_or_else(|| {
            self.sources.push(lying(t, self.dtype));
            self.sources.len() - 1
        }))
    }

    /// What loops on all cores can read, over `n` elements.
    pub fn ready(&self, n: usize) -> Ready<'_> {
        Ready {
            cpu: Cpu::over(n),
            dtype: self.dtype,
            sources: self.sources.iter().map(|t| read(t, self.dtype)).collect(),
            steps: self
                .steps
                .iter()
                .filter_map(|(op, args)| Some((op.elementwise()?, args.clone())))
                .collect(),
        }
    }
}

/// The same numbers, where those of float32 lie as doubles in an array of their own type.
fn lying(t: &Tensor, dtype: Dtype) -> Tensor {
    match (t.numbers(), dtype) {
        (Numbers::Double(all), Dtype::Float32) => Tensor::typed(t.shape(), all.to_vec(), dtype),
        _ => t.clone(),
    }
}

/// The numbers in the type that loops compute in: a cast from float32 leaves them where they lie.
fn read(t: &Tensor, dtype: Dtype) -> Numbers<'_> {
    match dtype {
        Dtype::Float32 => t.numbers(),
        _ => Numbers::Double(t.data()),
    }
}

pub struct Ready<'a> {
    pub cpu: Cpu,
    pub dtype: Dtype,
    sources: Vec<Numbers<'a>>,
    steps: Vec<(&'a dyn Elementwise, Args)>,
}

impl Ready<'_> {
    /// The tiles of all steps, of `len` elements from `at` on.
    pub fn run(&self, at: usize, len: usize) -> Vec<Tile<'_>> {
        self.first(self.steps.len(), at, len)
    }

    /// The same of the first so many steps.
    fn first(&self, count: usize, at: usize, len: usize) -> Vec<Tile<'_>> {
        let mut tiles: Vec<Tile> = Vec::with_capacity(count);
        for step in &self.steps[..count] {
            let (cpu, dtype) = (self.cpu, self.dtype);
            tiles.push(Tile::made(cpu, dtype, len, |out| self.write(step, &tiles, at, out)));
        }
        tiles
    }

    /// A tile of the last step alone.
    pub(super) fn last(&self, at: usize, out: Slots) {
        if let Some((last, before)) = self.steps.split_last() {
            self.write(last, &self.first(before.len(), at, out.len()), at, out);
        }
    }

    fn write(&self, (p, args): &(&dyn Elementwise, Args), steps: &[Tile], at: usize, out: Slots) {
        let len = out.len();
        let x: SmallVec<[Tile; OPERANDS]> =
            args.iter().map(|arg| self.tile(*arg, steps, at, len)).collect();
        let x: SmallVec<[Input; OPERANDS]> = x.iter().map(Tile::input).collect();
        p.tile(self.cpu, self.dtype, &x, out);
    }

    /// An operand's numbers.
    pub fn tile<'t>(&'t self, arg: Arg, steps: &[Tile<'t>], at: usize, len: usize) -> Tile<'t> {
        let new = |input| Tile::new(self.cpu, self.dtype, len, input);
        match arg {
            Arg::One(c) => new(Input::One(c)),
            Arg::Step(k) => steps[k].clone(),
            Arg::Source(k) => new(match self.sources[k] {
                Numbers::Double(all) => Input::Many(&all[at..at + len]),
                Numbers::Single(all) => Input::Short(&all[at..at + len]),
                Numbers::Long(_) => Input::One(f64::NAN),
            }),
        }
    }
}
