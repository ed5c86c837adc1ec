//! What tensors with hooks hold, and leaves whose gradient has a history, for whoever looks for values that
//! only hold each other.

use crate::autodiff::edge::Origin;
use crate::autodiff::node::Hook;
use crate::autodiff::variable::{WeakVariable, gradient};
use crate::{Node, Variable};
use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::{Rc, Weak};

/// A tensor or a node of the graph.
pub enum Part {
    Variable(Variable),
    Node(Node),
}

/// What it holds: another, or what a hook of its own calls.
pub enum Child {
    Part(Part),
    Called(Rc<dyn Any>),
}

/// The tensor of a hook, and what the hook calls.
type Hooked = (WeakVariable, Weak<dyn Any>);

thread_local! {
    static HOOKS: RefCell<HashMap<u64, Hooked>> = RefCell::default();
}

/// Remembers what hook `id` of a tensor calls; the hook alone keeps it.
pub fn hook(id: u64, of: &Variable, calls: &Rc<dyn Any>) {
    HOOKS.with_borrow_mut(|hooks| {
        if hooks.len() == hooks.capacity() {
            hooks.retain(|_, (_, calls)| calls.strong_count() > 0);
        }
        hooks.insert(id, (of.downgrade(), Rc::downgrade(calls)));
    });
}

/// Whether a tensor may hold itself.
pub fn any() -> bool {
    HOOKS.with_borrow(|hooks| !hooks.is_empty()) || gradient::any_tied()
}

/// The tensors with hooks, and those whose gradient has a history.
pub fn hooked(each: &mut dyn FnMut(Part)) {
    HOOKS.with_borrow_mut(|hooks| {
        hooks.retain(|_, (_, calls)| calls.strong_count() > 0);
        hooks.values().filter_map(|(of, _)| of.upgrade()).map(Part::Variable).for_each(&mut *each);
    });
    gradient::tied().into_iter().map(Part::Variable).for_each(each);
}

impl Part {
    /// Where it lies, and how often it is referred to.
    pub fn shared(&self) -> (usize, usize) {
        match self {
            Part::Variable(v) => (Rc::as_ptr(&v.0) as usize, Rc::strong_count(&v.0)),
            Part::Node(n) => n.shared(),
        }
    }

    /// What it holds.
    pub fn children(&self, each: &mut dyn FnMut(Child)) {
        let mut parts = |part| each(Child::Part(part));
        match self {
            Part::Variable(v) => {
                let Ok(content) = v.0.cell.try_borrow() else {
                    return;
                };
                content.node.iter().cloned().map(Part::Node).for_each(&mut parts);
                let Some(extra) = content.extra() else {
                    return;
                };
                let others = [&extra.base, &extra.grad].into_iter().flatten();
                others.cloned().map(Part::Variable).for_each(parts);
                extra.hooks.iter().for_each(|(id, hook)| called(*id, hook, each));
                extra.after.iter().for_each(|(id, hook)| called(*id, hook, each));
            }
            Part::Node(n) => {
                for edge in &n.0.inputs {
                    match &edge.origin {
                        Origin::Constant(_) => {}
                        Origin::Leaf(v) | Origin::LostView(v) => parts(Part::Variable(v.clone())),
                        Origin::Node(n) => parts(Part::Node(n.clone())),
                    }
                }
                n.each_hook(&mut |id, hook: &Hook| called(id, hook, each));
            }
        }
    }

    /// Without its hooks and its gradient.
    pub fn open(&self) {
        match self {
            Part::Variable(v) => {
                let taken = v.0.cell.try_borrow_mut().ok().and_then(|mut content| {
                    content.extra()?;
                    let extra = content.extra_mut();
                    let hooks = std::mem::take(&mut extra.hooks);
                    Some((hooks, std::mem::take(&mut extra.after), extra.grad.take()))
                });
                drop(taken);
            }
            Part::Node(n) => n.unhook(),
        }
    }
}

fn called<T: ?Sized>(id: u64, hook: &Rc<T>, each: &mut dyn FnMut(Child)) {
    if Rc::strong_count(hook) == 1
        && let Some(held) = HOOKS.with_borrow(|hooks| hooks.get(&id)?.1.upgrade())
    {
        each(Child::Called(held));
    }
}
