//! Where numbers lie: addresses, and other tensors of the same memory or of a copy of it.

use super::Variable;
use crate::observe::leaf_births;
use std::collections::HashMap;
use std::rc::Rc;

/// Memory that was copied, by where the original lies.
pub type Copied = HashMap<usize, Variable>;

impl Variable {
    /// `x.data_ptr()`: where its first element lies; 0 where it has none.
    pub fn address(&self) -> u64 {
        let offset = self.layout().offset * self.dtype().size();
        match self.numel() {
            0 => 0,
            _ => self.memory_address() + offset as u64,
        }
    }

    /// Where its memory begins; 0 where that is empty.
    pub fn memory_address(&self) -> u64 {
        match self.memory_size() {
            0 => 0,
            _ => self.0.cell.borrow_mut().store().address(),
        }
    }

    /// The bytes of its memory, of which it may show a part.
    pub fn memory_size(&self) -> usize {
        self.0.cell.borrow().with(|whole| whole.numel() * whole.dtype().size())
    }

    /// `nn.Parameter(x)`: a leaf of the same memory.
    #[must_use]
    pub fn as_parameter(&self, requires_grad: bool) -> Variable {
        // A leaf that may be given another value has numbers of its own.
        if self.is_number() || leaf_births::are_watched() {
            return Variable::parameter(self.value(), requires_grad);
        }
        let mut content = self.0.cell.borrow_mut().same_memory();
        content.parameter = true;
        let v = Variable::make(content);
        if let Some(class) = self.class() {
            v.set_class(class);
        }
        if requires_grad {
            v.0.cell.borrow_mut().requires_grad = true;
            v.is_newest_leaf();
        }
        v
    }

    /// `copy.copy(x)`: a leaf of the same memory, whose writes are counted apart.
    #[must_use]
    pub fn aliased(&self) -> Variable {
        let v = self.data();
        {
            let mut c = v.0.cell.borrow_mut();
            c.writes().bump(None);
            c.parameter = self.is_parameter();
        }
        if self.requires_grad() {
            v.0.cell.borrow_mut().requires_grad = true;
            v.is_newest_leaf();
        }
        v
    }

    /// `copy.deepcopy(x)` of a leaf, without its gradient: it lies in its memory's copy as it lies in its memory.
    #[must_use]
    pub fn copied(&self, memory: &mut Copied) -> Variable {
        if self.is_parameter() {
            let copy = Variable::parameter(self.value(), self.requires_grad());
            copy.0.cell.borrow_mut().uninitialized = self.is_uninitialized();
            return copy;
        }
        let flag = self.requires_grad();
        let mut own = self.0.cell.borrow_mut();
        let layout = own.layout().cloned();
        let whole = own.whole();
        let whole = memory.entry(Rc::as_ptr(own.store()) as usize).or_insert_with(|| {
            let copy = Variable::constant(whole);
            copy.note_write();
            copy
        });
        let mut content = whole.0.cell.borrow_mut().same_memory();
        if layout.is_some() {
            let extra = content.extra_mut();
            extra.layout = layout;
            extra.gathered = None;
        }
        content.requires_grad = flag;
        let v = Variable::make(content);
        if flag {
            v.is_newest_leaf();
        }
        v
    }
}
