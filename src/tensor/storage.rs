//! Memory that several variables may share: a tensor, its views, what was detached from it.

use super::budget;
use super::shape;
use super::tensor::Tensor;
use crate::element_map::ElementMap;
use crate::source_place::{self, Place};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The numbers behind a variable and all its views, how often they were written, and what wrote last.
#[derive(Debug)]
pub struct Store {
    data: RefCell<Tensor>,
    changes: Cell<u32>,
    count: Cell<u32>,
    by: Cell<Option<&'static str>>,
    place: Cell<Place>,
    silent: Cell<bool>,
    moved: RefCell<Vec<Moved>>,
    /// Ids of the variables that lost their history here.
    detached: RefCell<Vec<usize>>,
    /// Where it lies, once a program has asked.
    address: Cell<Option<u64>>,
}

/// A variable whose writes are counted here and whose numbers lie elsewhere: after `x.data = …`, and of
/// what `x.data` gives.
#[derive(Debug)]
struct Moved {
    id: usize,
    /// None: the numbers are here, in another layout.
    to: Option<Rc<Store>>,
    layout: Option<Rc<Layout>>,
}

thread_local! {
    /// Whether any memory was written through `.data` so far.
    static SILENTLY: Cell<bool> = const { Cell::new(false) };
    /// Where the next memory lies that a program asks about.
    static ADDRESS: Cell<u64> = const { Cell::new(1 << 28) };
}

/// Whether a program wrote anything through `.data`.
#[inline]
pub fn written_silently() -> bool {
    SILENTLY.with(Cell::get)
}

impl Store {
    pub fn new(data: Tensor) -> Rc<Store> {
        Rc::new(Store {
            data: RefCell::new(data),
            changes: Cell::new(0),
            count: Cell::new(0),
            by: Cell::new(None),
            place: Cell::default(),
            silent: Cell::new(false),
            moved: RefCell::default(),
            detached: RefCell::default(),
            address: Cell::new(None),
        })
    }

    /// An address as programs see it: the same from run to run, and no other memory's.
    pub fn address(&self) -> u64 {
        if let Some(address) = self.address.get() {
            return address;
        }
        let size = self.with(|t| t.numel() * t.dtype().size()) as u64;
        let address = ADDRESS.with(|next| next.replace(next.get() + size / 64 * 64 + 128));
        self.address.set(Some(address));
        address
    }

    /// `y.detach_()` of the variable with this id.
    pub fn detach(&self, id: usize) {
        self.detached.borrow_mut().push(id);
    }

    /// The variable with this id has its history again.
    pub fn attach(&self, id: usize) {
        self.detached.borrow_mut().retain(|d| *d != id);
    }

    pub fn is_detached(&self, id: usize) -> bool {
        self.detached.borrow().contains(&id)
    }

    pub fn tensor(&self) -> Tensor {
        self.data.borrow().clone()
    }

    /// Looks at the numbers without taking them.
    pub fn with<T>(&self, look: impl FnOnce(&Tensor) -> T) -> T {
        look(&self.data.borrow())
    }

    /// Grows with every write: what was gathered before is stale.
    pub fn changes(&self) -> u32 {
        self.changes.get()
    }

    pub fn replace(&self, data: Tensor) {
        *self.data.borrow_mut() = data;
        self.changes.set(self.changes.get().wrapping_add(1));
    }

    /// Writes `values` (of the store's type already) at `positions`.
    pub fn put(&self, positions: impl Iterator<Item = usize>, values: &[f64]) {
        let mut data = self.data.borrow_mut();
        let slots = data.data_mut();
        for (at, v) in positions.zip(values) {
            slots[at] = *v;
        }
        self.changes.set(self.changes.get().wrapping_add(1));
    }

    /// `x._version`: how often a program wrote here.
    pub fn count(&self) -> u32 {
        self.count.get()
    }

    pub fn set_count(&self, count: u32) {
        self.count.set(count);
    }

    /// One more write; `by` is the node that the written variable has now, None where not recorded.
    pub fn bump(&self, by: Option<&'static str>) {
        self.count.set(self.count.get() + 1);
        self.place.set(source_place::now());
        if by.is_some() {
            self.by.set(by);
        }
    }

    /// Written without being counted: what backward saved is what stands here now.
    pub fn note_silent(&self) {
        self.silent.set(true);
        SILENTLY.with(|s| s.set(true));
    }

    pub fn is_silent(&self) -> bool {
        self.silent.get()
    }

    /// The numbers of the variable with this id lie in `to` from now on, its writes are counted here.
    pub fn moves(self: &Rc<Store>, id: usize, to: &Rc<Store>, layout: Option<Rc<Layout>>) {
        SILENTLY.with(|s| s.set(true));
        let to = (!Rc::ptr_eq(self, to)).then(|| to.clone());
        let mut moved = self.moved.borrow_mut();
        moved.retain(|m| m.id != id);
        moved.push(Moved { id, to, layout });
    }

    /// The numbers of the variable with this id lie here again.
    pub fn stays(&self, id: usize) {
        self.moved.borrow_mut().retain(|m| m.id != id);
    }

    pub fn has_moved(&self) -> bool {
        !self.moved.borrow().is_empty()
    }

    /// What a variable holds whose numbers lie elsewhere.
    pub fn moved(&self, id: usize) -> Option<Tensor> {
        let moved = self.moved.borrow();
        let m = moved.iter().find(|m| m.id == id)?;
        let read = |whole: &Tensor| match &m.layout {
            Some(layout) => layout.gather(whole),
            None => whole.clone(),
        };
        Some(m.to.as_deref().unwrap_or(self).with(read))
    }

    /// Where it was written last.
    pub fn written_at(&self) -> Place {
        self.place.get()
    }

    pub fn by(&self) -> Option<&'static str> {
        self.by.get()
    }
}

/// How a view lies in its store: element `i` is at `offset + Σ iₖ·strideₖ`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    pub shape: Vec<usize>,
    pub strides: Vec<usize>,
    pub offset: usize,
}

impl Layout {
    /// Row-major from the start.
    pub fn whole(shape: &[usize]) -> Layout {
        Layout { shape: shape.to_vec(), strides: shape::strides(shape).to_vec(), offset: 0 }
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
        let walked = shape::rows(&self.shape, [&self.strides], |[o]| {
            for start in (0..last).step_by(BLOCK) {
                budget::tick()?;
                let block = start..last.min(start + BLOCK);
                out.extend(block.map(|k| f(self.offset + o + k * stride)));
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

    /// The farthest place of any element; None where there are none, or farther than can be counted.
    pub fn farthest(&self) -> Option<usize> {
        let steps = self.shape.iter().zip(&self.strides);
        steps
            .into_iter()
            .try_fold(self.offset, |at, (d, s)| at.checked_add(d.checked_sub(1)?.checked_mul(*s)?))
    }

    /// The elements of `data` (the whole store) that this layout shows.
    pub fn gather(&self, data: &Tensor) -> Tensor {
        if self.is_contiguous() && self.offset == 0 && self.numel() == data.numel() {
            return data.reshaped(&self.shape);
        }
        let all = data.data();
        let out = self.walked(|at| all[at]);
        Tensor::new(&self.shape, out).with_dtype(data.dtype())
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
            let breaks = k == 0 || { self.shape[k - 1] != 1 && self.strides[k - 1] != own * base };
            if breaks {
                while at > 0 && (new < own || to[at - 1] == 1) {
                    strides[at - 1] = new * base;
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
        let mut index = self.positions();
        if !(base.is_contiguous() && base.offset == 0) {
            let place: std::collections::HashMap<usize, usize> =
                base.positions().into_iter().enumerate().map(|(k, p)| (p, k)).collect();
            for p in &mut index {
                *p = place.get(p).copied().unwrap_or(ElementMap::NONE);
            }
        }
        ElementMap { from: base.shape.clone(), to: self.shape.clone(), index: Rc::new(index) }
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
