//! How leaves are made: tensors that require a gradient, and bare numbers and lists.

use super::Variable;
use crate::observe::leaf_births;
use std::cell::Cell;
use std::rc::Rc;
use vjp_tensor::{Outcome, Tensor, torch_messages};

thread_local! {
    static NEWEST_LEAF: Cell<usize> = const { Cell::new(0) };
}

impl Variable {
    /// A tensor with `requires_grad=True`.
    pub fn leaf(value: Tensor) -> Variable {
        let v = Variable::fresh(value, None);
        v.0.cell.borrow_mut().requires_grad = true;
        NEWEST_LEAF.set(v.id());
        v.born();
        v
    }

    /// A leaf may be watched, and have another value than its own.
    #[inline]
    fn born(&self) {
        if leaf_births::are_watched()
            && let Some(value) = leaf_births::born(self)
        {
            let mut c = self.0.cell.borrow_mut();
            let weak = c.with(Tensor::is_weak);
            c.replace(value.with_weak(weak));
        }
    }

    /// It became a leaf just now.
    pub(super) fn is_newest_leaf(&self) {
        NEWEST_LEAF.with(|n| n.set(n.get().max(self.id())));
        self.born();
    }

    /// The leaf that a bare number or list becomes.
    pub fn implicit(value: Tensor, name: Rc<str>) -> Variable {
        let v = Variable::leaf(value);
        {
            let mut c = v.0.cell.borrow_mut();
            c.implicit = true;
            c.extra_mut().name = Some(name);
        }
        v
    }

    /// The leaf behind a dual tensor of forward mode.
    pub fn dual(value: Tensor) -> Variable {
        let v = Variable::leaf(value);
        v.0.cell.borrow_mut().dual = true;
        v
    }

    /// The id of the newest leaf, or a later one.
    pub fn newest_leaf() -> usize {
        NEWEST_LEAF.with(Cell::get)
    }

    /// `x.requires_grad_(flag)`.
    ///
    /// # Errors
    /// Not a leaf, or not of floating point.
    pub fn set_requires_grad(&self, flag: bool) -> Outcome<()> {
        if self.node().is_some() {
            return if flag { Ok(()) } else { Err(torch_messages::flag_of_non_leaf()) };
        }
        if flag && self.is_inference() && !crate::autodiff::grad_mode::is_inferring() {
            return Err(torch_messages::inference_requires_grad());
        }
        if flag && !self.dtype().is_float() {
            return Err(torch_messages::only_floats_require_grad());
        }
        if flag {
            NEWEST_LEAF.with(|n| n.set(n.get().max(self.id())));
        }
        let mut c = self.0.cell.borrow_mut();
        let born = flag && !c.requires_grad;
        c.requires_grad = flag;
        if flag {
            c.implicit = false;
        }
        drop(c);
        if born {
            self.born();
        }
        Ok(())
    }
}
