//! `torch.autograd.graph.saved_tensors_hooks`: what nodes keep for backward goes through functions of the
//! program. Operations only note their nodes; [`super::kept::pack`] calls the functions afterwards.

use crate::autodiff::node::Unpack;
use crate::{Node, Variable};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use vjp_tensor::Outcome;

/// Takes what a node keeps and gives what brings it back.
pub type Pack = Rc<dyn Fn(&Variable) -> Outcome<Unpack>>;

thread_local! {
    static HOOKS: RefCell<Vec<Pack>> = const { RefCell::new(Vec::new()) };
    static ACTIVE: Cell<bool> = const { Cell::new(false) };
    /// Why no hooks may be set.
    static DISABLED: RefCell<Option<Rc<str>>> = const { RefCell::new(None) };
    /// Nodes that have not packed yet, and with what.
    static WAITING: RefCell<Vec<(Node, Pack)>> = const { RefCell::new(Vec::new()) };
}

/// Whether nodes pack what they keep.
#[inline]
pub fn is_active() -> bool {
    ACTIVE.with(Cell::get)
}

/// Sets the hooks that are called from now on, innermost last, and gives those before.
pub fn set(hooks: Vec<Pack>) -> Vec<Pack> {
    ACTIVE.set(!hooks.is_empty());
    if hooks.is_empty() {
        WAITING.take();
    }
    HOOKS.replace(hooks)
}

/// The hooks that are called.
pub fn hooks() -> Vec<Pack> {
    HOOKS.with_borrow(Clone::clone)
}

/// Why no hooks may be set; gives what it was before.
pub fn disable(why: Option<Rc<str>>) -> Option<Rc<str>> {
    DISABLED.replace(why)
}

/// Why none may be set.
pub fn disabled() -> Option<Rc<str>> {
    DISABLED.with_borrow(Clone::clone)
}

/// A node was made, or takes the place of the one of its number.
pub(crate) fn note(node: &Node) {
    let Some(pack) = HOOKS.with_borrow(|hooks| hooks.last().cloned()) else { return };
    WAITING.with_borrow_mut(|waiting| match waiting.iter_mut().rev().find(|(n, _)| n.same(node)) {
        Some((n, _)) => *n = node.clone(),
        None => waiting.push((node.clone(), pack)),
    });
}

/// Whether a node waits to pack.
#[inline]
pub fn waits() -> bool {
    is_active() && WAITING.with_borrow(|waiting| !waiting.is_empty())
}

/// The nodes that wait.
pub(crate) fn waiting() -> Vec<(Node, Pack)> {
    WAITING.take()
}
