//! A piece of an array as coefficient of derivatives: a row's partial, evaluated over tiles, is a few
//! vector loops over numbers that stay near the processor.

use crate::autodiff::algebra::{Algebra, Fun};
use std::rc::Rc;
use vjp_tensor::kernels::Cpu;
use vjp_tensor::kernels::blocks::Slot;

/// An operand of a loop: one number for all elements, or one for each.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    One(f64),
    Many(&'a [f64]),
}

impl<'a> Input<'a> {
    /// Element `i`.
    #[inline(always)]
    pub fn at(self, i: usize) -> f64 {
        match self {
            Input::One(c) => c,
            Input::Many(all) => all[i],
        }
    }

    /// The elements from `at` on, `n` of them.
    #[must_use]
    pub fn part(self, at: usize, n: usize) -> Input<'a> {
        match self {
            Input::One(_) => self,
            Input::Many(all) => Input::Many(&all[at..at + n]),
        }
    }
}

/// At most [`vjp_tensor::kernels::TILE`] numbers, or one in place of as many.
#[derive(Clone, Debug)]
pub struct Tile<'a> {
    cpu: Cpu,
    len: usize,
    data: Data<'a>,
}

#[derive(Clone, Debug)]
enum Data<'a> {
    Read(Input<'a>),
    Made(Rc<Vec<f64>>),
}

impl<'a> Tile<'a> {
    pub fn new(cpu: Cpu, len: usize, input: Input<'a>) -> Tile<'a> {
        Tile { cpu, len, data: Data::Read(input) }
    }

    pub fn input(&self) -> Input<'_> {
        match &self.data {
            Data::Read(input) => *input,
            Data::Made(all) => Input::Many(all),
        }
    }
}

impl<'a> Algebra for Tile<'a> {
    fn lift(&self, c: f64) -> Tile<'a> {
        Tile::new(self.cpu, self.len, Input::One(c))
    }

    fn call(fun: &'static Fun, args: &[&Tile<'a>]) -> Tile<'a> {
        let (cpu, len) = args.first().map_or((Cpu::Plain, 0), |t| (t.cpu, t.len));
        let inputs: smallvec::SmallVec<[Input; 4]> = args.iter().map(|t| t.input()).collect();
        let numbers: Option<smallvec::SmallVec<[f64; 4]>> = inputs
            .iter()
            .map(|i| match i {
                Input::One(c) => Some(*c),
                Input::Many(_) => None,
            })
            .collect();
        if let Some(numbers) = numbers {
            return Tile::new(cpu, len, Input::One((fun.value)(&numbers)));
        }
        let mut out = Vec::with_capacity(len);
        let slots: &mut [Slot] = &mut out.spare_capacity_mut()[..len];
        (fun.tile)(cpu, &inputs, slots);
        // SAFETY: a function of the table writes all elements.
        unsafe { out.set_len(len) };
        Tile { cpu, len, data: Data::Made(Rc::new(out)) }
    }
}
