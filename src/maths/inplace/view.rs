//! Views: tensors that show memory of another, how each was made, and what its history is after a write.

use crate::autodiff::grad_mode::{is_grad_enabled, is_inferring, with_grad};
use crate::autodiff::record::record;
use crate::primitives::moves::{cloned, reshaped};
use crate::{Fixed, Node, Operation, Variable, apply};
use std::rc::Rc;
use vjp_tensor::torch_messages::{self, Made};
use vjp_tensor::{Layout, Outcome, budget, shape};

/// A view: `op` on `base`, sharing its memory as `layout` says (of the whole store).
pub fn view(op: Rc<dyn Operation>, base: &Variable, layout: Layout) -> Outcome<Variable> {
    view_of(op, base, base, layout)
}

/// [`view`], of which `op` was carried out on `source`, the same numbers.
pub(crate) fn view_of(
    op: Rc<dyn Operation>,
    source: &Variable,
    base: &Variable,
    layout: Layout,
) -> Outcome<Variable> {
    vjp_tensor::shape::count(&layout.shape)?;
    if is_grad_enabled() {
        base.check_history()?;
    }
    let v = base.viewed(layout, None);
    let node = record(op, std::slice::from_ref(source), &v.value());
    let unrecorded = node.is_none();
    v.0.cell.borrow_mut().node = node;
    Ok(if unrecorded && is_grad_enabled() { v.stepped_from(base) } else { v })
}

/// The node of a view after its base was written.
fn rebased(view: &Variable, base: &Variable) -> Option<Node> {
    if !base.requires_grad() {
        return None;
    }
    let elements = view.layout().element_map(&base.layout());
    // Asked for its history, a view answers also while nothing is recorded.
    with_grad(true, || {
        record(
            Rc::new(Fixed::gather("as_strided", "AsStridedBackward0", elements)),
            std::slice::from_ref(base),
            &view.value(),
        )
    })
}

impl Variable {
    /// What computed it. A view that was written since hangs on its base's new history.
    pub fn node(&self) -> Option<Node> {
        let (base, count) = {
            let c = self.0.cell.borrow();
            match c.extra() {
                Some(e) if e.base.is_some() && c.count() != e.seen && c.made == Made::Usual => {
                    (e.base.clone(), c.count())
                }
                _ => return c.node.clone(),
            }
        };
        let node = rebased(self, &base?);
        let mut c = self.0.cell.borrow_mut();
        c.extra_mut().seen = count;
        c.node = node;
        c.node.clone()
    }

    /// A view of this memory that no gradient flows through.
    pub(crate) fn view_untracked(&self, layout: Layout) -> Variable {
        self.viewed(layout, None)
    }

    /// A view of this memory, recorded as `op`.
    pub(crate) fn viewed(&self, layout: Layout, node: Option<Node>) -> Variable {
        let base = self.base().unwrap_or_else(|| self.clone());
        let made = match (is_inferring(), is_grad_enabled()) {
            (true, _) => Made::Inferring,
            (_, false) => Made::WithoutGrad,
            _ => self.0.cell.borrow().made,
        };
        let cut = (!is_grad_enabled() && base.requires_grad()).then(|| self.cut_here());
        let mut content = self.0.cell.borrow_mut().same_memory();
        content.node = node;
        content.made = made;
        let seen = content.count();
        let normal = !content.inference;
        let extra = content.extra_mut();
        extra.seen = seen;
        extra.layout = Some(Rc::new(layout));
        extra.gathered = None;
        extra.base = normal.then_some(base);
        extra.cut = cut;
        Variable::make(content)
    }

    /// This view is number `k` of those that an operation gave.
    #[must_use]
    pub(crate) fn one_of_several(self, k: usize) -> Variable {
        if is_grad_enabled() {
            self.0.cell.borrow_mut().made = Made::OneOfSeveral;
        }
        self.number_of_several(k)
    }

    /// This is number `k` of several outputs.
    #[must_use]
    pub(crate) fn number_of_several(self, k: usize) -> Variable {
        if k > 0 {
            self.0.cell.borrow_mut().extra_mut().output = k as u32;
        }
        self
    }

    /// What a Function of the program gave: a view of `raw`, which its forward returned.
    pub fn given_by_function(raw: &Variable, node: Option<Node>) -> Variable {
        let v = raw.viewed(raw.layout(), node);
        v.0.cell.borrow_mut().made = Made::ByFunction;
        v
    }

    /// Whether it was made in `torch.inference_mode()`.
    pub fn is_inference(&self) -> bool {
        self.0.cell.borrow().inference
    }

    /// PyTorch asks when the write is done.
    pub(crate) fn check_counted(&self) -> Outcome<()> {
        // `x.data` counts its writes apart.
        let counts_apart = self.0.cell.borrow().extra().is_some_and(|e| e.writes.is_some());
        match self.is_inference() && !counts_apart && !is_inferring() {
            true => Err(torch_messages::inference_written()),
            false => Ok(()),
        }
    }

    /// Which output of its node it is.
    pub fn output(&self) -> usize {
        self.0.cell.borrow().extra().map_or(0, |e| e.output as usize)
    }

    /// Whether its memory was written since it was made as a view whose history cannot follow that.
    fn is_astray(&self) -> bool {
        let c = self.0.cell.borrow();
        let Some(base) = c.base() else { return false };
        let seen = c.extra().map_or(0, |e| e.seen);
        c.made != Made::Usual && c.count() != seen && (c.node.is_some() || base.requires_grad())
    }

    /// Whether its history is known.
    ///
    /// # Errors
    /// PyTorch's: it is a view made where nothing was recorded, or one of several, and its memory was
    /// written since.
    pub fn check_history(&self) -> Outcome<()> {
        match self.is_astray() {
            true => Err(self.view_written("its base or another view of its base has been")),
            false => Ok(()),
        }
    }

    /// What PyTorch says of a write to a view that was not made as usual.
    fn view_written(&self, what: &str) -> Box<vjp_tensor::Complaint> {
        let c = self.0.cell.borrow();
        let node = c.node.as_ref().map(Node::grad_fn);
        torch_messages::view_written(c.made, node, c.extra().map_or(0, |e| e.output), what)
    }

    /// Whether it may be written in place now, with what requires a gradient or not.
    ///
    /// # Errors
    /// PyTorch's sentences on leaves, their views, and views that were not made as usual.
    pub fn check_writable(&self, requires_grad: bool) -> Outcome<()> {
        if !is_grad_enabled() || !(requires_grad || self.requires_grad()) {
            return Ok(());
        }
        if let Some(base) = self.base() {
            let shows = requires_grad || self.requires_grad() || base.shows();
            if shows && self.0.cell.borrow().made != Made::Usual {
                return Err(self.view_written("is being"));
            }
            // `torch.arange(6.).reshape(2, 3).requires_grad_()` is a leaf and a view of one.
            if self.requires_grad() && base.is_leaf() {
                return Err(torch_messages::leaf_view_written());
            }
        } else if self.is_leaf() && self.requires_grad() {
            return Err(torch_messages::leaf_written());
        }
        Ok(())
    }
}

/// A view of part of `x`'s memory, recorded under a name.
pub fn strided(
    x: &Variable,
    layout: Layout,
    name: &'static str,
    grad_fn: &'static str,
) -> Outcome<Variable> {
    budget::tick()?;
    shape::numel(&layout.shape)?;
    if !x.requires_grad() {
        return Ok(x.view_untracked(layout));
    }
    let elements = layout.element_map(&x.layout());
    view(Rc::new(Fixed::gather(name, grad_fn, elements)), x, layout)
}

/// [`strided`], of all elements of `x` in another shape.
pub fn in_shape(
    x: &Variable,
    to: Vec<usize>,
    strides: Vec<usize>,
    name: &'static str,
    grad_fn: &'static str,
) -> Outcome<Variable> {
    shape::numel(&to)?;
    let op = reshaped(&x.shape(), &to, name, grad_fn);
    let layout = Layout { shape: to, strides, offset: x.layout().offset };
    view(Rc::new(op), x, layout)
}

/// `x.reshape(shape)`: a view where memory allows it, else a copy.
///
/// # Errors
/// A shape of another size.
pub fn reshape(x: &Variable, wanted: &[i64]) -> Outcome<Variable> {
    let to = shape::infer(wanted, x.numel())?;
    if let Some(l) = x.layout().viewed(&to) {
        let grad_fn = if x.is_contiguous() { "ViewBackward0" } else { "ReshapeAliasBackward0" };
        return in_shape(x, to, l.strides, "reshape", grad_fn);
    }
    let from = x.shape();
    let copy = apply(Rc::new(cloned(&from)), std::slice::from_ref(x))?;
    let op = reshaped(&from, &to, "reshape", "UnsafeViewBackward0");
    apply(Rc::new(op), &[copy])
}
