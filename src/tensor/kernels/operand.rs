//! Operands of loops over tiles: one number for all elements, or one for each, read where they lie.

use super::blocks::{Slot, Slots, written};
use super::{TILE, single};
use crate::Tensor;
use crate::storage::numbers::Numbers;
use smallvec::SmallVec;

/// The most operands that a loop has.
pub const OPERANDS: usize = 3;

/// An operand of a loop: one number for all elements, or one for each.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    One(f64),
    Many(&'a [f64]),
    Short(&'a [f32]),
}

impl<'a> Input<'a> {
    /// Element `i`.
    #[inline(always)]
    pub fn at(self, i: usize) -> f64 {
        match self {
            Input::One(c) => c,
            Input::Many(all) => all[i],
            Input::Short(all) => f64::from(all[i]),
        }
    }

    /// The elements from `at` on, `n` of them.
    #[must_use]
    pub fn part(self, at: usize, n: usize) -> Input<'a> {
        match self {
            Input::One(_) => self,
            Input::Many(all) => Input::Many(&all[at..at + n]),
            Input::Short(all) => Input::Short(&all[at..at + n]),
        }
    }
}

/// An operand as its tensor has it.
#[derive(Clone, Copy)]
pub enum Operand<'a> {
    One(f64),
    Many(Numbers<'a>),
}

impl<'a> Operand<'a> {
    /// The elements from `at` on, `n` of them, as they lie.
    #[inline]
    pub fn lying(self, at: usize, n: usize) -> Input<'a> {
        match self {
            Operand::One(c) => Input::One(c),
            Operand::Many(Numbers::Double(all)) => Input::Many(&all[at..at + n]),
            Operand::Many(Numbers::Single(all)) => Input::Short(&all[at..at + n]),
            // See `floats`.
            Operand::Many(Numbers::Long(_)) => Input::One(f64::NAN),
        }
    }

    /// [`Operand::lying`], as doubles, or where `short` as float32; `room` is for what lies in the other type.
    #[inline]
    pub fn part<'r>(self, at: usize, n: usize, short: bool, room: &'r mut Room) -> Input<'r>
    where
        'a: 'r,
    {
        match self.lying(at, n) {
            Input::Short(all) if !short => Input::Many(room.widened(all)),
            Input::Many(all) if short => Input::Short(room.shortened(all)),
            own => own,
        }
    }
}

/// The numbers of a tensor, none of them int64.
pub fn floats(t: &Tensor) -> Numbers<'_> {
    match t.numbers() {
        Numbers::Long(_) => Numbers::Double(t.data()),
        all => all,
    }
}

/// The operands of a loop over a tile.
pub type Inputs<'a> = SmallVec<[Input<'a>; OPERANDS]>;

/// The operands of a loop over a result of this shape, where each has that shape or is one number.
/// None: rows or columns are repeated.
pub fn operands<'a>(
    tensors: &[&'a Tensor],
    shape: &[usize],
) -> Option<SmallVec<[Operand<'a>; OPERANDS]>> {
    let operand = |t: &&'a Tensor| match floats(t) {
        all if t.shape() == shape => Some(Operand::Many(all)),
        _ if t.rank() <= shape.len() => t.item().map(Operand::One),
        _ => None,
    };
    tensors.iter().map(operand).collect()
}

/// The same part of each, in the type of the `out` that is computed of them.
#[inline]
pub fn parts<'r>(x: &[Operand<'r>], at: usize, out: &Slots, rooms: &'r mut [Room]) -> Inputs<'r> {
    let (n, short) = (out.len(), out.is_short());
    x.iter().zip(rooms).map(|(x, room)| x.part(at, n, short, room)).collect()
}

/// A tile of numbers that lie in the other type.
pub struct Room([Slot; TILE]);

impl Room {
    #[inline]
    pub const fn new() -> Room {
        Room([const { Slot::uninit() }; TILE])
    }

    /// At most [`TILE`] numbers.
    #[inline]
    pub fn widened(&mut self, from: &[f32]) -> &[f64] {
        let tile = &mut self.0[..from.len()];
        single::longer(from, tile);
        // SAFETY: as many are written.
        unsafe { written(tile) }
    }

    /// At most [`TILE`] numbers.
    #[inline]
    pub fn shortened(&mut self, from: &[f64]) -> &[f32] {
        let room = self.0[..from.len()].as_mut_ptr().cast();
        // SAFETY: a float32 needs no more room than a double, and as many are written.
        unsafe {
            single::shorter(from, std::slice::from_raw_parts_mut(room, from.len()));
            std::slice::from_raw_parts(room.cast(), from.len())
        }
    }
}

impl Default for Room {
    fn default() -> Room {
        Room::new()
    }
}
