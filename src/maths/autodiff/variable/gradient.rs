//! What a variable keeps besides its value: its gradient, hooks, where a gradient was cut off, and a
//! moment of all this for undo.

use super::content::Content;
use crate::Variable;
use crate::autodiff::node::{Hook, Rare};
use crate::autodiff::variable::WeakVariable;
use crate::observe::order;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use vjp_tensor::storage::Writes;
use vjp_tensor::{Outcome, Place, Tensor, complain, torch_messages};

/// Sees a leaf when its gradient has been added to.
pub type AfterHook = Rc<dyn Fn(&Variable) -> Outcome<()>>;

thread_local! {
    static NEXT_HOOK: Cell<u64> = const { Cell::new(0) };
    static TIED: RefCell<Vec<WeakVariable>> = RefCell::default();
}

/// Remembers a tensor whose gradient has a history, as after `backward(create_graph=True)`: it leads back to it.
fn tie(of: &Variable) {
    TIED.with_borrow_mut(|tied| {
        if tied.len() == tied.capacity() {
            tied.retain(|v| v.upgrade().is_some());
        }
        tied.push(of.downgrade());
    });
}

/// Whether there may be such a tensor.
pub(crate) fn any_tied() -> bool {
    TIED.with_borrow(|tied| !tied.is_empty())
}

/// The tensors whose gradient has a history.
pub(crate) fn tied() -> Vec<Variable> {
    TIED.with_borrow_mut(|tied| {
        tied.retain(|v| v.upgrade().is_some_and(|v| v.grad().is_some()));
        tied.iter().filter_map(WeakVariable::upgrade).collect()
    })
}

/// Where a gradient ends that might have gone on: `h.detach()`, or a value computed under `no_grad`.
#[derive(Clone)]
pub struct Cut {
    /// What the values came from.
    pub from: WeakVariable,
    pub place: Place,
    /// No gradient could have gone on: the values came by a comparison, a position, a rounding to
    /// whole numbers.
    pub stepped: bool,
}

/// A moment of a variable, for undo.
#[derive(Clone)]
pub struct State {
    content: Content,
    data: Tensor,
    writes: Writes,
    /// Of the node that computed it.
    rare: Option<Box<Rare>>,
}

impl Variable {
    pub fn grad(&self) -> Option<Variable> {
        self.0.cell.borrow().extra()?.grad.clone()
    }

    /// `x.grad = g`.
    ///
    /// # Errors
    /// A gradient of another shape or type.
    pub fn set_grad(&self, grad: Option<Variable>) -> Outcome<()> {
        if let Some(g) = &grad
            && !g.is_shaped_as(self)
        {
            return Err(torch_messages::gradient_assigned(&g.shape(), &self.shape()));
        }
        if grad.as_ref().is_some_and(|g| g.node().is_some()) {
            tie(self);
        }
        let mut c = self.0.cell.borrow_mut();
        if grad.is_some() || c.extra().is_some() {
            c.extra_mut().grad = grad;
        }
        Ok(())
    }

    /// `y.retain_grad()`: a no-op on leaves.
    pub fn retain_grad(&self) -> Outcome<()> {
        match self.node() {
            Some(n) => {
                self.0.cell.borrow_mut().retains = true;
                n.retain(Some(self.downgrade()));
            }
            None if !self.requires_grad() => return Err(torch_messages::cannot_retain()),
            None => {}
        }
        Ok(())
    }

    pub fn retains_grad(&self) -> bool {
        self.0.cell.borrow().retains
    }

    /// Calls `hook` with the gradient of this tensor; the number is for [`Variable::remove_hook`].
    pub fn add_hook(&self, hook: Hook) -> Outcome<u64> {
        order::watch();
        let id = NEXT_HOOK.with(|n| n.replace(n.get() + 1));
        match self.node() {
            Some(n) => n.add_hook(id, hook),
            None if !self.requires_grad() => return Err(torch_messages::cannot_hook()),
            None => self.0.cell.borrow_mut().extra_mut().hooks.push((id, hook)),
        }
        Ok(id)
    }

    pub fn remove_hook(&self, id: u64) {
        if let Some(n) = self.node() {
            n.remove_hook(id);
        }
        let mut c = self.0.cell.borrow_mut();
        let extra = c.extra_mut();
        extra.hooks.retain(|(h, _)| *h != id);
        extra.after.retain(|(h, _)| *h != id);
    }

    /// Calls `hook` with this leaf whenever its gradient has been added to.
    pub fn add_after_hook(&self, hook: AfterHook) -> Outcome<u64> {
        order::watch();
        if self.node().is_some() {
            complain!("post accumulate grad hooks cannot be registered on non-leaf tensors");
        }
        if !self.requires_grad() {
            return Err(torch_messages::cannot_hook());
        }
        let id = NEXT_HOOK.with(|n| n.replace(n.get() + 1));
        let mut c = self.0.cell.borrow_mut();
        c.extra_mut().after.push((id, hook));
        Ok(id)
    }

    /// Tells the hooks that the gradient has been added to.
    pub(crate) fn accumulated(&self) -> Outcome<()> {
        let hooks: Vec<AfterHook> = {
            let c = self.0.cell.borrow();
            let after = c.extra().map_or(&[][..], |e| &e.after);
            after.iter().map(|(_, h)| h.clone()).collect()
        };
        for hook in hooks {
            hook(self)?;
        }
        Ok(())
    }

    /// Hooks of a leaf; those of computed tensors are their node's.
    pub fn hooks(&self) -> Vec<Hook> {
        let c = self.0.cell.borrow();
        let hooks = c.extra().map_or(&[][..], |e| &e.hooks);
        hooks.iter().map(|(_, h)| h.clone()).collect()
    }

    /// Everything mutable in it, for undo.
    pub fn state(&self) -> State {
        let content = self.0.cell.borrow().clone();
        let rare = content.node.as_ref().and_then(|node| node.rare());
        State { data: content.whole(), writes: content.written(), content, rare }
    }

    /// Whether a program finds it as it was at that moment.
    pub fn is_at(&self, state: &State) -> bool {
        let now = self.0.cell.borrow();
        now.count() == state.writes.count
            && now.is_like(&state.content)
            && now
                .node
                .as_ref()
                .and_then(|node| node.rare())
                .unwrap_or_default()
                .is_like(state.rare.as_deref().unwrap_or(&Rare::default()))
            && now.whole().is_identical(&state.data)
    }

    pub fn restore(&self, state: State) {
        if let Some(node) = &state.content.node {
            node.set_rare(state.rare);
        }
        let mut c = self.0.cell.borrow_mut();
        c.restore(self.id(), state.content, state.data, state.writes);
    }
}
