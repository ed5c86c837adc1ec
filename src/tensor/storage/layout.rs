//! How a view lies in memory: strides, an offset, and what follows from them.

use crate::element_map::Index;
use crate::storage::walk;
use crate::{Element, ElementMap, Outcome, budget};
use smallvec::SmallVec;

/// How a view lies in its store: element `i` is at `offset + Σ iₖ·strideₖ`. NumPy's views may go backwards: a
/// negative stride is held in two's complement, and places are computed modulo 2⁶⁴.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    pub shape: Vec<usize>,
    pub strides: Vec<usize>,
    pub offset: usize,
}

impl Layout {
    /// Row-major from the start.
    pub fn whole(shape: &[usize]) -> Layout {
        Layout { shape: shape.to_vec(), strides: walk::strides(shape).to_vec(), offset: 0 }
    }

    pub fn numel(&self) -> usize {
        self.shape.iter().product()
    }

    /// Row-major without gaps.
    pub fn is_contiguous(&self) -> bool {
        let mut expected = 1;
        for (d, s) in self.shape.iter().zip(&self.strides).rev() {
            if *d == 0 {
                return true;
            }
            if *d != 1 && *s != expected {
                return false;
            }
            expected *= d;
        }
        true
    }

    /// Where each element lies, row-major.
    pub fn positions(&self) -> Vec<usize> {
        self.walked(|at| at)
    }

    /// What `f` makes of the place of each element, row-major. Where somebody wishes to stop, as many of
    /// whatever: the wish stays until the statement ends, and nothing that it found then counts.
    fn walked<T: Clone + Default>(&self, f: impl Fn(usize) -> T) -> Vec<T> {
        const BLOCK: usize = 1 << 10;
        let numel = self.numel();
        if !budget::claims(numel.saturating_mul(size_of::<T>())) {
            return vec![T::default(); numel];
        }
        let mut out = Vec::with_capacity(numel);
        let (last, stride) = match (self.shape.last(), self.strides.last()) {
            (Some(d), Some(s)) => (*d, *s),
            _ => return vec![f(self.offset)],
        };
        let walked = walk::rows(&self.shape, [&self.strides], |[o]| {
            for start in (0..last).step_by(BLOCK) {
                budget::tick()?;
                let block = start..last.min(start + BLOCK);
                let from = self.offset.wrapping_add(o);
                out.extend(block.map(|k| f(from.wrapping_add(k.wrapping_mul(stride)))));
            }
            Ok(())
        });
        match walked {
            Ok(()) => out,
            Err(_) => {
                drop(out);
                vec![T::default(); numel]
            }
        }
    }

    /// Whether a dimension goes backwards.
    pub fn goes_back(&self) -> bool {
        self.strides.iter().any(|s| *s > isize::MAX as usize)
    }

    /// Begins `count` elements further along a dimension.
    pub fn advance(&mut self, dim: usize, count: usize) {
        self.offset = self.offset.wrapping_add(count.wrapping_mul(self.strides[dim]));
    }

    /// The farthest place of any element; None where there are none, or farther than can be counted.
    pub fn farthest(&self) -> Option<usize> {
        let steps = self.shape.iter().zip(&self.strides);
        steps
            .into_iter()
            .try_fold(self.offset, |at, (d, s)| at.checked_add(d.checked_sub(1)?.checked_mul(*s)?))
    }

    /// The numbers that this layout shows, row-major.
    pub fn read<T: Element>(&self, all: &[T]) -> Vec<T> {
        let read = || self.turned(all).unwrap_or_else(|| self.walked(|at| all[at]));
        self.by_rows(all).unwrap_or_else(read)
    }

    /// [`Layout::gather`] where rows lie together.
    fn by_rows<T: Element>(&self, all: &[T]) -> Option<Vec<T>> {
        let (width, 1) = (*self.shape.last()?, *self.strides.last()?) else { return None };
        let mut out = budget::vec(self.numel()).map_err(budget::refuse).ok()?;
        let read = walk::rows(&self.shape, [&self.strides], |[o]| {
            out.extend_from_slice(&all[self.offset.wrapping_add(o)..][..width]);
            budget::tick()
        });
        read.ok().map(|()| out)
    }

    /// [`Layout::gather`] where the last dimension does not lie together but another one does: square by
    /// square, so that both sides stay in the cache.
    fn turned<T: Element>(&self, all: &[T]) -> Option<Vec<T>> {
        const SIDE: usize = 8;
        let last = self.shape.len().checked_sub(1)?;
        let down = (0..last).find(|k| self.strides[*k] == 1 && self.shape[*k] >= SIDE)?;
        if self.shape[last] < SIDE || self.numel() == 0 {
            return None;
        }
        let mut out = budget::filled(self.numel(), T::default()).map_err(budget::refuse).ok()?;
        let own = walk::strides(&self.shape);
        let (rows, width, far, step) =
            (self.shape[down], self.shape[last], self.strides[last], own[down]);
        let mut outer = self.shape.clone();
        outer[down] = 1;
        let turned = walk::rows(&outer, [&self.strides, &own], |[from, to]| {
            let from = self.offset.wrapping_add(from);
            for top in (0..rows).step_by(SIDE) {
                budget::tick()?;
                for left in (0..width).step_by(SIDE) {
                    if top + SIDE <= rows && left + SIDE <= width {
                        let line = |k: usize| {
                            let across = (left + k).wrapping_mul(far);
                            &all[from.wrapping_add(top).wrapping_add(across)..][..SIDE]
                        };
                        let square: [&[T]; SIDE] = std::array::from_fn(line);
                        for row in 0..SIDE {
                            let line = &mut out[to + (top + row) * step + left..][..SIDE];
                            line.iter_mut().zip(square).for_each(|(slot, s)| *slot = s[row]);
                        }
                        continue;
                    }
                    for row in top..rows.min(top + SIDE) {
                        let to = to + row * step;
                        let line = &mut out[to + left..to + width.min(left + SIDE)];
                        for (k, slot) in line.iter_mut().enumerate() {
                            let across = (left + k).wrapping_mul(far);
                            *slot = all[from.wrapping_add(row).wrapping_add(across)];
                        }
                    }
                }
            }
            Ok(())
        });
        // After a wish to stop, which stays until the statement ends, the list is read as all others are.
        turned.ok().map(|()| out)
    }

    /// Puts `values` where this layout shows, each place once.
    pub fn put<T: Element>(&self, values: &[T], into: &mut [T]) -> Outcome<()> {
        let (Some(width), Some(step)) = (self.shape.last(), self.strides.last()) else {
            into[self.offset] = values[0];
            return Ok(());
        };
        let mut rows = values.chunks_exact((*width).max(1));
        walk::rows(&self.shape, [&self.strides], |[at]| {
            let from = self.offset.wrapping_add(at);
            let row = rows.next().unwrap_or(&[]);
            // A single element may have any stride, 0 too.
            if *step == 1 || *width == 1 {
                into[from..from + width].copy_from_slice(row);
            } else if self.goes_back() {
                let place = |k: usize| from.wrapping_add(k.wrapping_mul(*step));
                row.iter().enumerate().for_each(|(k, v)| into[place(k)] = *v);
            } else {
                into[from..].iter_mut().step_by(*step).zip(row).for_each(|(slot, v)| *slot = *v);
            }
            budget::tick()
        })
    }

    /// Dimensions with more than one element, the longest steps first, where no two elements share a place
    /// and each step is longer than all shorter ones together.
    fn nested(&self) -> Option<SmallVec<[usize; 4]>> {
        if self.goes_back() {
            return None;
        }
        let mut order: SmallVec<[usize; 4]> =
            (0..self.shape.len()).filter(|k| self.shape[*k] != 1).collect();
        order.sort_by_key(|k| std::cmp::Reverse(self.strides[*k]));
        let mut reach = 0;
        for k in order.iter().rev() {
            if self.strides[*k] <= reach {
                return None;
            }
            reach += self.shape[*k].checked_sub(1)? * self.strides[*k];
        }
        Some(order)
    }

    /// Whether each element lies after the one before it, counted row-major.
    pub fn is_ascending(&self) -> bool {
        if self.goes_back() {
            return false;
        }
        let mut reach = 0;
        let mut steps = self.shape.iter().zip(&self.strides).rev().filter(|(d, _)| **d != 1);
        self.numel() == 0
            || steps.all(|(d, s)| {
                let after = *s > reach;
                reach += (d - 1) * s;
                after
            })
    }

    /// Whether no two elements share a place.
    pub fn is_apart(&self) -> bool {
        let forwards = |s: &usize| (*s as isize).unsigned_abs();
        let strides = self.strides.iter().map(forwards).collect();
        let ahead = Layout { shape: self.shape.clone(), strides, offset: 0 };
        self.numel() == 0 || ahead.nested().is_some()
    }

    /// The layout of the same elements that leads back from these places, where it fills memory from its
    /// start without gaps.
    pub fn inverse(&self) -> Option<Layout> {
        if self.offset != 0 || !self.is_dense() {
            return None;
        }
        let order = self.nested()?;
        let own = walk::strides(&self.shape);
        Some(Layout {
            shape: order.iter().map(|k| self.shape[*k]).collect(),
            strides: order.iter().map(|k| own[*k]).collect(),
            offset: 0,
        })
    }

    /// This layout among the elements of `base`, counted row-major. None: no strides say it.
    fn within(&self, base: &Layout) -> Option<Layout> {
        if base.is_contiguous() && base.offset == 0 {
            return Some(self.clone());
        }
        let order = base.nested().filter(|_| !self.goes_back())?;
        let own = walk::strides(&base.shape);
        // The place of one element, or a step, as steps along the base's dimensions.
        let split = |mut rest: usize| {
            let counts = order.iter().map(|k| {
                let count = rest / base.strides[*k];
                rest -= count * base.strides[*k];
                count
            });
            let counts: SmallVec<[usize; 4]> = counts.collect();
            (rest == 0).then_some(counts)
        };
        let place = |counts: &[usize]| -> usize {
            counts.iter().zip(&order).map(|(count, k)| count * own[*k]).sum()
        };
        let first = split(self.offset.checked_sub(base.offset)?)?;
        let mut farthest = first.clone();
        let mut strides = Vec::with_capacity(self.shape.len());
        for (size, step) in self.shape.iter().zip(&self.strides) {
            let counts = split(*step)?;
            for (far, count) in farthest.iter_mut().zip(&counts) {
                *far += size.saturating_sub(1) * count;
            }
            strides.push(place(&counts));
        }
        // No step carries over into another dimension.
        let inside = farthest.iter().zip(&order).all(|(far, k)| *far < base.shape[*k]);
        inside.then(|| Layout { shape: self.shape.clone(), strides, offset: place(&first) })
    }

    /// The same memory in another shape, where strides allow it (PyTorch's `computeStride`).
    pub fn viewed(&self, to: &[usize]) -> Option<Layout> {
        if self.numel() == 0 || self.is_contiguous() {
            return Some(Layout { offset: self.offset, ..Layout::whole(to) });
        }
        let mut strides = vec![0; to.len()];
        let mut at = to.len();
        let mut base = *self.strides.last()?;
        let (mut own, mut new) = (1, 1);
        for k in (0..self.shape.len()).rev() {
            own *= self.shape[k];
            let breaks = k == 0 || {
                self.shape[k - 1] != 1 && self.strides[k - 1] != base.wrapping_mul(own)
            };
            if breaks {
                while at > 0 && (new < own || to[at - 1] == 1) {
                    strides[at - 1] = base.wrapping_mul(new);
                    new *= to[at - 1];
                    at -= 1;
                }
                if new != own {
                    return None;
                }
                if k > 0 {
                    base = self.strides[k - 1];
                    (own, new) = (1, 1);
                }
            }
        }
        (at == 0).then_some(Layout { shape: to.to_vec(), strides, offset: self.offset })
    }

    /// Which element of `base` each element of this layout is.
    pub fn element_map(&self, base: &Layout) -> ElementMap {
        let index = self.within(base).map(Index::strided).unwrap_or_else(|| {
            let place: std::collections::HashMap<usize, usize> =
                base.positions().into_iter().enumerate().map(|(k, p)| (p, k)).collect();
            let known = |p| place.get(p).copied().unwrap_or(ElementMap::NONE);
            Index::from(self.positions().iter().map(known).collect::<Vec<_>>())
        });
        ElementMap { from: base.shape.clone(), to: self.shape.clone(), index }
    }
}

/// How two layouts of one memory lie.
#[derive(PartialEq)]
pub enum Overlap {
    No,
    Part,
    Same,
    /// Found by looking at every element alone, and PyTorch does not.
    Unknown,
}

impl Layout {
    /// Whether it fills a stretch of memory, each place once, in whatever order.
    pub fn is_dense(&self) -> bool {
        let steps = self.shape.iter().zip(&self.strides).filter(|(d, _)| **d != 1);
        let mut steps: Vec<_> = steps.collect();
        steps.sort_by_key(|(_, s)| **s);
        let mut expected = 1;
        self.numel() == 0
            || steps.into_iter().all(|(d, s)| {
                let fits = *s == expected;
                expected *= d;
                fits
            })
    }

    /// Whether a dimension repeats one element.
    pub fn repeats(&self) -> bool {
        let steps = self.shape.iter().zip(&self.strides);
        self.numel() > 0 && steps.into_iter().any(|(d, s)| *s == 0 && *d > 1)
    }

    pub fn overlap(&self, other: &Layout) -> Overlap {
        let (from, end) = (self.offset, self.offset + self.numel());
        let (start, to) = (other.offset, other.offset + other.numel());
        match (self.is_dense(), other.is_dense()) {
            _ if self.numel() == 0 || other.numel() == 0 => Overlap::No,
            (true, true) if from == start && end == to => {
                if self.strides == other.strides {
                    Overlap::Same
                } else {
                    Overlap::Part
                }
            }
            (true, true) if from < to && start < end => Overlap::Part,
            (true, true) => Overlap::No,
            _ => Overlap::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    #[test]
    fn a_transposed_matrix_cannot_be_viewed_flat() {
        let m = Layout { shape: vec![3, 2], strides: vec![1, 3], offset: 0 };
        assert_eq!(m.positions(), [0, 3, 1, 4, 2, 5]);
        assert!(m.viewed(&[6]).is_none());
        assert_eq!(m.viewed(&[3, 1, 2]).unwrap().strides, [1, 6, 3]);
        assert!(!m.is_contiguous());
    }
}
