//! Where a gradient is cut off: `detach`, `.data`, and values that a step or `no_grad` leaves.

use super::Variable;
use super::gradient::Cut;
use crate::observe::value_reads;
use std::rc::Rc;
use vjp_tensor::storage::Store;
use vjp_tensor::{Tensor, source_place};

impl Variable {
    /// The same memory without a history: `x.detach()`.
    pub fn detach(&self) -> Variable {
        let cut = match self.requires_grad() {
            true => Some(self.cut_here()),
            false => self.cut(),
        };
        let mut content = self.0.cell.borrow_mut().same_memory();
        if cut.is_some() {
            content.extra_mut().cut = cut;
        }
        Variable::make(content)
    }

    pub(crate) fn cut_here(&self) -> Rc<Cut> {
        value_reads::taken(self);
        Rc::new(Cut { from: self.downgrade(), place: source_place::now(), stepped: false })
    }

    /// Its numbers are those of `from`, whose gradient ends there.
    pub fn cut_from(&self, from: &Variable) {
        let cut = from.cut_here();
        self.0.cell.borrow_mut().extra_mut().cut = Some(cut);
    }

    /// A constant that was computed from `from` by what has no slope, or records none.
    #[must_use]
    pub fn stepped_from(self, from: &Variable) -> Variable {
        let cut = match from.requires_grad() {
            true => Some(Rc::new(Cut {
                from: from.downgrade(),
                place: source_place::now(),
                stepped: true,
            })),
            false => from.cut(),
        };
        if cut.is_some() {
            self.0.cell.borrow_mut().extra_mut().cut = cut;
        }
        self
    }

    /// Whether it depends on a leaf, though perhaps no gradient flows.
    pub fn depends(&self) -> bool {
        self.requires_grad() || self.cut().is_some()
    }

    /// Where the gradient that might have gone through here was cut off.
    pub fn cut(&self) -> Option<Rc<Cut>> {
        self.0.cell.borrow().extra()?.cut.clone()
    }

    /// `x.data`: as [`Variable::detach`], but writes through it go unnoticed by versions.
    pub fn data(&self) -> Variable {
        let v = self.detach();
        let uncounted = Store::new(Tensor::scalar(0.0));
        let mut c = v.0.cell.borrow_mut();
        let layout = c.layout().cloned();
        uncounted.moves(v.id(), c.store(), layout);
        c.extra_mut().writes = Some(uncounted);
        drop(c);
        v
    }

    /// A copy of the value in memory of its own, without a history.
    #[must_use]
    pub fn detach_copy(&self) -> Variable {
        Variable::constant(self.value())
    }
}
