//! How results lie in memory: PyTorch's `preserve_format`. What is computed element by element from transposed
//! tensors lies as they do, and so does the gradient of a transposed leaf.

use crate::Variable;
use smallvec::SmallVec;
use std::rc::Rc;
use vjp_tensor::Layout;

/// The layout of a new tensor of a shape that is computed from operands that lie so, where it is not row-major.
fn result(shape: &[usize], operands: &[Layout]) -> Option<Layout> {
    if operands.iter().all(Layout::is_contiguous) {
        return None;
    }
    let first = operands.first()?;
    let same = |l: &Layout| l.shape == shape && l.strides == first.strides && l.is_dense();
    if operands.iter().all(same) {
        let layout = Layout { offset: 0, ..first.clone() };
        return (!layout.is_contiguous()).then_some(layout);
    }
    let layout = dense(shape, inner_first(shape, operands).into_iter());
    (!layout.is_contiguous()).then_some(layout)
}

/// Without gaps, with its dimensions in this order in memory, the innermost first.
fn dense(shape: &[usize], dims: impl Iterator<Item = usize>) -> Layout {
    let mut layout = Layout::whole(shape);
    let mut step = 1;
    for k in dims {
        layout.strides[k] = step;
        step *= shape[k];
    }
    layout
}

/// The dimensions in the order in which PyTorch's loops go through them, the innermost first
/// (`TensorIteratorBase::reorder_dimensions`).
fn inner_first(shape: &[usize], operands: &[Layout]) -> SmallVec<[usize; 6]> {
    let stride = |l: &Layout, k: usize| {
        let own = (k + l.shape.len()).checked_sub(shape.len());
        own.filter(|own| l.shape[*own] == shape[k]).map_or(0, |own| l.strides[own])
    };
    // Whether `a` goes further out than `b`; None: nothing says.
    let outer = |a: usize, b: usize| {
        for l in operands {
            let (at, bt) = (stride(l, a), stride(l, b));
            if at == 0 || bt == 0 {
                continue;
            }
            if at != bt {
                return Some(at > bt);
            }
            if shape[a] > shape[b] {
                return Some(true);
            }
        }
        None
    };
    let mut order: SmallVec<[usize; 6]> = (0..shape.len()).rev().collect();
    for i in 1..order.len() {
        let mut at = i;
        for before in (0..i).rev() {
            match outer(order[before], order[at]) {
                Some(true) => {
                    order.swap(before, at);
                    at = before;
                }
                Some(false) => break,
                None => {}
            }
        }
    }
    order
}

/// [`result`] of these, as their variables lie.
fn together<'a>(
    shape: &[usize],
    operands: impl Iterator<Item = &'a Variable> + Clone,
) -> Option<Layout> {
    if !operands.clone().any(Variable::is_part) {
        return None;
    }
    let layouts: SmallVec<[Layout; 3]> = operands.map(Variable::layout).collect();
    result(shape, &layouts)
}

impl Variable {
    /// Whether it may lie otherwise than row-major.
    pub(crate) fn is_part(&self) -> bool {
        self.0.cell.borrow().layout().is_some()
    }

    /// A new tensor, lying in memory as what is computed from these element by element.
    #[must_use]
    pub fn lying_as<'a, I>(self, operands: I) -> Variable
    where
        I: IntoIterator<Item = &'a Variable, IntoIter: Clone>,
    {
        match together(&self.shape(), operands.into_iter()) {
            Some(layout) => self.laid(layout),
            None => self,
        }
    }

    /// A new tensor with its dimensions in this order in memory, the outermost first.
    #[must_use]
    pub fn in_order(self, dims: &[usize]) -> Variable {
        let shape = self.shape();
        self.laid(dense(&shape, dims.iter().rev().copied()))
    }

    fn laid(self, layout: Layout) -> Variable {
        let value = self.value();
        if let Some(memory) = layout.inverse().map(|memory| memory.gather(&value)) {
            let mut c = self.0.cell.borrow_mut();
            c.replace(memory);
            let changes = c.store().changes();
            let extra = c.extra_mut();
            extra.layout = Some(Rc::new(layout));
            extra.gathered = Some((changes, value));
        }
        self
    }

    /// A new tensor whose numbers come in the order of memory, and which lies as another one.
    #[must_use]
    pub fn filled_as(self, other: &Variable) -> Variable {
        if let Some(layout) = together(&self.shape(), std::iter::once(other)) {
            self.0.cell.borrow_mut().extra_mut().layout = Some(Rc::new(layout));
        }
        self
    }
}
