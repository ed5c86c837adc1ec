//! What Python calls a tensor: an identity with a value that may be written, a place in the graph,
//! flags and a gradient. Cheap to clone; a clone is the same tensor.

pub(crate) mod content;
mod detach;
pub mod gradient;
mod leaf;
pub mod memory;

use super::node::{Node, Origin};
use crate::autodiff::variable::content::Content;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use vjp_tensor::storage::Store;
use vjp_tensor::{Dtype, Layout, Outcome, Place, Tensor, torch_messages};

pub use super::record::apply;
pub use crate::autodiff::variable::gradient::{Cut, State};
pub use crate::inplace::view::view;

#[derive(Clone)]
pub struct Variable(pub(crate) Rc<Inner>);

/// A variable that is not kept alive.
#[derive(Clone)]
pub struct WeakVariable(Weak<Inner>);

impl WeakVariable {
    pub fn upgrade(&self) -> Option<Variable> {
        self.0.upgrade().map(Variable)
    }
}

pub(crate) struct Inner {
    id: usize,
    pub(crate) cell: RefCell<Content>,
}

thread_local! {
    static NEXT: Cell<usize> = const { Cell::new(0) };
    static CLASSES: Cell<bool> = const { Cell::new(false) };
}

impl Variable {
    #[inline(always)]
    pub(crate) fn make(content: Content) -> Variable {
        let id = NEXT.with(|n| n.replace(n.get() + 1));
        Variable(Rc::new(Inner { id, cell: RefCell::new(content) }))
    }

    #[inline(always)]
    pub(crate) fn fresh(value: Tensor, node: Option<Node>) -> Variable {
        let mut content = Content::new(value, node);
        if let Some(n) = &content.node
            && n.saved().1
        {
            let n = n.clone();
            n.bind_output(content.writes());
        }
        Variable::make(content)
    }

    /// What an operation gave whose output backward does not need.
    #[inline(always)]
    pub(crate) fn computed(value: Tensor, node: Node) -> Variable {
        Variable::make(Content::new(value, Some(node)))
    }

    /// A tensor that does not require a gradient.
    pub fn constant(value: Tensor) -> Variable {
        Variable::fresh(value, None)
    }

    /// A saved input with its history, as a second sweep records upon it.
    pub fn saved(node: Node, value: Tensor) -> Variable {
        let v = Variable::constant(value);
        v.0.cell.borrow_mut().node = Some(node);
        v
    }

    /// The id of the next variable made.
    pub fn mark() -> usize {
        NEXT.with(Cell::get)
    }

    /// Grows with every variable made.
    pub fn id(&self) -> usize {
        self.0.id
    }

    /// Identity.
    pub fn same(&self, other: &Variable) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    pub fn downgrade(&self) -> WeakVariable {
        WeakVariable(Rc::downgrade(&self.0))
    }

    /// The present value. A view is gathered again after a write to what it shows.
    #[inline]
    pub fn value(&self) -> Tensor {
        let c = self.0.cell.borrow();
        if c.layout().is_none() {
            return c.whole();
        }
        drop(c);
        self.gathered()
    }

    fn gathered(&self) -> Tensor {
        let mut c = self.0.cell.borrow_mut();
        let changes = c.store().changes();
        let whole = c.whole();
        let extra = c.extra_mut();
        match (&extra.gathered, &extra.layout) {
            (Some((then, value)), _) if *then == changes => value.clone(),
            (_, Some(layout)) => {
                let value = layout.gather(&whole);
                // Cut short, it is not what the memory holds.
                if !vjp_tensor::budget::stopping() {
                    extra.gathered = Some((changes, value.clone()));
                }
                value
            }
            _ => whole,
        }
    }

    pub fn shape(&self) -> Vec<usize> {
        self.0.cell.borrow().with_shape(<[usize]>::to_vec)
    }

    /// Whether the two have one shape.
    /// Whether its node computed so many numbers: `y.data = …` may have put others there.
    pub fn fits_its_node(&self, index: usize) -> Outcome<()> {
        match self.node() {
            Some(node) if node.value().numel() != self.numel() => {
                Err(torch_messages::invalid_gradient(index, &self.shape(), node.value().shape()))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn is_shaped_as(&self, other: &Variable) -> bool {
        let (own, other) = (self.0.cell.borrow(), other.0.cell.borrow());
        own.with_shape(|a| other.with_shape(|b| a == b))
    }

    pub fn rank(&self) -> usize {
        self.0.cell.borrow().with_shape(<[usize]>::len)
    }

    pub fn numel(&self) -> usize {
        let c = self.0.cell.borrow();
        match c.layout() {
            Some(l) => l.numel(),
            None => c.with(Tensor::numel),
        }
    }

    /// Equal numbers in other signs: no write, but the value itself.
    pub fn revalue(&self, value: Tensor) {
        self.0.cell.borrow_mut().write(value);
    }

    pub fn dtype(&self) -> Dtype {
        self.0.cell.borrow().with(Tensor::dtype)
    }

    /// How it lies in memory.
    pub fn layout(&self) -> Layout {
        let c = self.0.cell.borrow();
        match c.layout() {
            Some(l) => (**l).clone(),
            None => c.with(|t| Layout::whole(t.shape())),
        }
    }

    /// Whether gradients flow to it: a leaf that wants one, or computed from such.
    pub fn requires_grad(&self) -> bool {
        let c = self.0.cell.borrow();
        match c.base() {
            None => c.requires_grad || c.node.is_some(),
            Some(base) => c.requires_grad || c.node.is_some() || base.requires_grad(),
        }
    }

    pub fn is_leaf(&self) -> bool {
        self.node().is_none()
    }

    /// A learnable part of a network, as `nn.Parameter` makes it.
    pub fn is_parameter(&self) -> bool {
        self.0.cell.borrow().parameter
    }

    /// A parameter whose shape is not known before it is given data.
    pub fn is_uninitialized(&self) -> bool {
        self.0.cell.borrow().uninitialized
    }

    /// Marks it as one, until it is given data.
    pub fn mark_uninitialized(&self) {
        self.0.cell.borrow_mut().uninitialized = true;
    }

    /// [`Variable::leaf`] or, without `requires_grad`, a constant; marked as a parameter.
    pub fn parameter(value: Tensor, requires_grad: bool) -> Variable {
        let v = if requires_grad { Variable::leaf(value) } else { Variable::constant(value) };
        v.0.cell.borrow_mut().parameter = true;
        v
    }

    /// A leaf that a bare number or list became.
    pub fn is_implicit(&self) -> bool {
        self.0.cell.borrow().implicit
    }

    /// Whether `requires_grad` and `grad_fn` speak of it: it is, or depends on, an explicit leaf or
    /// a list leaf. Number leaves and dual tensors alone never show.
    pub fn shows(&self) -> bool {
        if let Some(n) = self.node() {
            return n.shows();
        }
        let c = self.0.cell.borrow();
        match c.base() {
            Some(base) if !c.requires_grad => base.requires_grad() && base.shows(),
            _ => c.requires_grad && !c.dual && !(c.implicit && c.with(Tensor::is_weak)),
        }
    }

    /// Whether it represents a Python number, weak in type promotion.
    pub fn is_number(&self) -> bool {
        let c = self.0.cell.borrow();
        c.layout().is_none() && c.with(Tensor::is_weak)
    }

    /// Marked as standing for a Python number.
    #[must_use]
    pub fn as_number(self) -> Variable {
        {
            let mut c = self.0.cell.borrow_mut();
            let t = c.whole();
            if c.layout().is_none() && t.rank() == 0 {
                c.replace(t.with_weak(true));
            }
        }
        self
    }

    /// The name a leaf was first bound to.
    pub fn name(&self) -> Option<Rc<str>> {
        self.0.cell.borrow().extra()?.name.clone()
    }

    pub fn set_name(&self, name: Option<Rc<str>>) {
        self.0.cell.borrow_mut().extra_mut().name = name;
    }

    /// Its value and where it comes from, as an input of what is computed from it.
    #[inline]
    pub(crate) fn seen(&self) -> (Tensor, Origin) {
        let c = self.0.cell.borrow();
        let origin = match &c.node {
            _ if c.base().is_some() => None,
            Some(n) => Some(Origin::Node(n.clone())),
            None if c.requires_grad && !c.inference => Some(Origin::Leaf(self.clone())),
            None => Some(Origin::Constant(c.extra().and_then(|e| e.cut.clone()))),
        };
        match origin {
            Some(origin) if c.layout().is_none() => (c.whole(), origin),
            _ => {
                drop(c);
                (self.value(), self.origin())
            }
        }
    }

    /// Its number and where it comes from, where it is one double without dimensions, no view and no
    /// Python number.
    #[inline(always)]
    pub(crate) fn as_number_seen(&self) -> Option<(f64, Origin)> {
        let c = self.0.cell.borrow();
        if c.is_view() {
            return None;
        }
        let value = c.with(Tensor::as_double)?;
        let origin = match &c.node {
            Some(n) => Origin::Node(n.clone()),
            None if c.requires_grad && !c.inference => Origin::Leaf(self.clone()),
            None => Origin::Constant(c.extra().and_then(|e| e.cut.clone())),
        };
        Some((value, origin))
    }

    /// Where it comes from.
    pub(crate) fn origin(&self) -> Origin {
        match self.node() {
            Some(n) => Origin::Node(n),
            None if self.0.cell.borrow().requires_grad => Origin::Leaf(self.clone()),
            None if self.requires_grad() => Origin::LostView(self.clone()),
            None => Origin::Constant(self.cut()),
        }
    }

    /// Whether a gradient arrives somewhere from here.
    pub fn is_reached(&self) -> bool {
        self.origin().arrives()
    }

    /// `x._version`.
    pub fn version(&self) -> u32 {
        self.0.cell.borrow().count()
    }

    /// Whether its numbers were written through `.data`, which nothing counts.
    pub fn is_written_silently(&self) -> bool {
        self.0.cell.borrow().is_silent()
    }

    /// Where its numbers were written last, if ever since they were made.
    pub fn written_at(&self) -> Option<Place> {
        let writes = self.0.cell.borrow().written();
        // A write through `.data` is not counted.
        (writes.count > 0 || writes.place != Place::default()).then_some(writes.place)
    }

    /// Counts a write: to PyTorch a copy into fresh memory is one.
    pub fn note_write(&self) {
        self.0.cell.borrow_mut().writes().bump(None);
    }

    /// How often its memory was written, noticed or not, and `.data` given other memory.
    pub fn writes(&self) -> u32 {
        let mut c = self.0.cell.borrow_mut();
        let (counter, own) = (c.writes().clone(), c.store().clone());
        let more = if Rc::ptr_eq(&counter, &own) { 0 } else { own.changes() };
        counter.changes().wrapping_add(more)
    }

    /// Other numbers in its memory, behind the graph.
    pub(crate) fn hold(&self, value: &Tensor) {
        let mut c = self.0.cell.borrow_mut();
        if c.base().is_none() && c.with(Tensor::numel) == value.numel() {
            match c.layout().map(|l| l.positions()) {
                None => c.store().put(0..value.numel(), value),
                Some(places) => c.store().put(places.into_iter(), value),
            }
        }
    }

    /// What counts writes to its memory, and whether it is a view.
    pub(crate) fn memory(&self) -> (Rc<Store>, bool) {
        let mut c = self.0.cell.borrow_mut();
        (c.writes().clone(), c.base().is_some())
    }

    /// How it lies in its memory, where it is a part of it.
    pub(crate) fn part(&self) -> Option<Rc<vjp_tensor::Layout>> {
        self.0.cell.borrow().layout().cloned()
    }

    /// Whether there is a tensor of a class of the program.
    #[inline(always)]
    pub fn have_classes() -> bool {
        CLASSES.get()
    }

    pub fn class(&self) -> Option<Rc<dyn std::any::Any>> {
        self.0.cell.borrow().extra()?.class.clone()
    }

    pub fn set_class(&self, class: Rc<dyn std::any::Any>) {
        CLASSES.set(true);
        self.0.cell.borrow_mut().extra_mut().class = Some(class);
    }

    /// What it is a view of.
    pub fn base(&self) -> Option<Variable> {
        self.0.cell.borrow().base().cloned()
    }
}

impl std::fmt::Debug for Variable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Variable #{} {:?}", self.0.id, self.node())
    }
}
