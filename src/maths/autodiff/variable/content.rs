//! What a variable holds. The few words that every intermediate value needs are here; the rest is made
//! when it is first wanted.

use super::gradient::{AfterHook, Cut};
use crate::autodiff::grad_mode::is_inferring;
use crate::autodiff::node::Hook;
use crate::{Node, Variable};
use std::rc::Rc;
use vjp_tensor::storage::{Store, Writes};
use vjp_tensor::torch_messages::Made;
use vjp_tensor::{Layout, Tensor};

/// Everything about a variable that may change.
#[derive(Clone)]
pub(crate) struct Content {
    data: Data,
    pub node: Option<Node>,
    extra: Option<Box<Extra>>,
    /// Of a leaf; what was computed is tracked through its node.
    pub requires_grad: bool,
    pub implicit: bool,
    /// A dual tensor: programs see its tangent, not that it is a leaf.
    pub dual: bool,
    /// A learnable part of a network.
    pub parameter: bool,
    /// A parameter whose shape is not known yet.
    pub uninitialized: bool,
    pub retains: bool,
    /// Made in `torch.inference_mode()`.
    pub inference: bool,
    /// How a view was made.
    pub made: Made,
}

/// Numbers that nobody else looks at yet, never written so far; or memory that may be shared.
#[derive(Clone)]
enum Data {
    Own(Tensor),
    Shared(Rc<Store>),
}

/// What most variables do not have.
#[derive(Clone, Default)]
pub(crate) struct Extra {
    /// How this lies in the store; None: all of it, in its own shape.
    pub layout: Option<Rc<Layout>>,
    /// A view's value, gathered when the store had seen so many changes.
    pub gathered: Option<(u32, Tensor)>,
    /// Whose writes count, where not those to the store: of `x.data`.
    pub writes: Option<Rc<Store>>,
    /// What this is a view of, and the version its node speaks of.
    pub base: Option<Variable>,
    pub seen: u32,
    /// Which of several outputs this is.
    pub output: u32,
    pub name: Option<Rc<str>>,
    pub grad: Option<Variable>,
    pub hooks: Vec<(u64, Hook)>,
    /// Called with the leaf when its gradient has been added to.
    pub after: Vec<(u64, AfterHook)>,
    pub cut: Option<Rc<Cut>>,
    /// Of the program, where that derives from `torch.Tensor`.
    pub class: Option<Rc<dyn std::any::Any>>,
}

impl Content {
    #[inline]
    pub fn new(value: Tensor, node: Option<Node>) -> Content {
        Content {
            data: Data::Own(value),
            node,
            extra: None,
            requires_grad: false,
            implicit: false,
            dual: false,
            parameter: false,
            uninitialized: false,
            retains: false,
            inference: is_inferring(),
            made: Made::Usual,
        }
    }

    /// The same memory, without history, name or gradient.
    pub fn same_memory(&mut self) -> Content {
        let mut out = Content {
            data: Data::Shared(self.store().clone()),
            inference: self.inference,
            ..Content::new(Tensor::scalar(0.0), None)
        };
        if let Some(own) = &self.extra {
            out.extra = Some(Box::new(Extra {
                layout: own.layout.clone(),
                gathered: own.gathered.clone(),
                writes: own.writes.clone(),
                seen: own.seen,
                ..Extra::default()
            }));
        }
        out
    }

    #[inline]
    pub fn extra(&self) -> Option<&Extra> {
        self.extra.as_deref()
    }

    pub fn extra_mut(&mut self) -> &mut Extra {
        self.extra.get_or_insert_default()
    }

    /// The memory, from now on one that may be shared.
    pub fn store(&mut self) -> &Rc<Store> {
        if let Data::Own(value) = &self.data {
            self.data = Data::Shared(Store::new(value.clone()));
        }
        match &self.data {
            Data::Shared(store) => store,
            Data::Own(_) => unreachable!("made above"),
        }
    }

    pub fn set_store(&mut self, store: Rc<Store>) {
        self.data = Data::Shared(store);
    }

    /// All that the memory holds.
    #[inline]
    pub fn whole(&self) -> Tensor {
        match &self.data {
            Data::Own(value) => value.clone(),
            Data::Shared(store) => store.tensor(),
        }
    }

    /// Looks at all that the memory holds.
    #[inline]
    pub fn with<T>(&self, look: impl FnOnce(&Tensor) -> T) -> T {
        match &self.data {
            Data::Own(value) => look(value),
            Data::Shared(store) => store.with(look),
        }
    }

    /// Writes all of the memory.
    pub fn replace(&mut self, value: Tensor) {
        match &mut self.data {
            Data::Own(own) => *own = value,
            Data::Shared(store) => store.replace(value),
        }
    }

    /// Writes all that it shows of the memory.
    pub fn write(&mut self, value: Tensor) {
        match self.layout().cloned() {
            None => self.replace(value),
            Some(l) => self.store().put(l.positions().into_iter(), &value),
        }
    }

    /// Looks at its shape.
    pub fn with_shape<T>(&self, look: impl FnOnce(&[usize]) -> T) -> T {
        match self.layout() {
            Some(l) => look(&l.shape),
            None => self.with(|t| look(t.shape())),
        }
    }

    pub fn layout(&self) -> Option<&Rc<Layout>> {
        self.extra.as_ref()?.layout.as_ref()
    }

    #[inline(always)]
    pub fn is_view(&self) -> bool {
        let extra = self.extra.as_ref();
        extra.is_some_and(|e| e.layout.is_some() || e.base.is_some())
    }

    pub fn base(&self) -> Option<&Variable> {
        self.extra.as_ref()?.base.as_ref()
    }

    /// What counts writes: the store, but for `x.data`.
    pub fn writes(&mut self) -> &Rc<Store> {
        if self.extra.as_ref().is_some_and(|e| e.writes.is_some()) {
            let own = self.extra.as_ref().and_then(|e| e.writes.as_ref());
            return own.expect("seen above");
        }
        self.store()
    }

    /// How often it was written; 0 for what nobody else looks at.
    pub fn count(&self) -> u32 {
        self.written().count
    }

    /// Whether somebody wrote through `.data`.
    pub fn is_silent(&self) -> bool {
        matches!(&self.data, Data::Shared(store) if store.is_silent())
    }

    pub fn written(&self) -> Writes {
        let counter = self.extra.as_ref().and_then(|e| e.writes.as_ref());
        match (counter, &self.data) {
            (Some(counter), _) => counter.writes(),
            (None, Data::Shared(store)) => store.writes(),
            (None, Data::Own(_)) => Writes::default(),
        }
    }

    /// Whether all but the numbers is the same.
    pub fn is_like(&self, other: &Content) -> bool {
        let flags =
            |c: &Content| (c.requires_grad, c.implicit, c.parameter, c.uninitialized, c.retains);
        let node = |c: &Content| c.node.as_ref().map(Node::id);
        let extra = |c: &Content| {
            c.extra().map(|e| {
                let hooks = e.hooks.iter().map(|(id, _)| *id);
                let after = e.after.iter().map(|(id, _)| *id);
                (e.grad.as_ref().map(Variable::id), hooks.chain(after).collect::<Vec<u64>>())
            })
        };
        let (now, then) = (extra(self).unwrap_or_default(), extra(other).unwrap_or_default());
        flags(self) == flags(other) && node(self) == node(other) && now == then
    }

    /// The content as it was at an earlier moment, when the memory held `data` and had been written
    /// as `writes` says.
    pub fn restore(&mut self, id: usize, before: Content, data: Tensor, writes: Writes) {
        let store = match &before.data {
            Data::Shared(store) => Some(store.clone()),
            // Somebody may look at that memory since then.
            Data::Own(_) => match (self.extra().and_then(|e| e.writes.as_ref()), &self.data) {
                (Some(store), _) | (None, Data::Shared(store)) => Some(store.clone()),
                (None, Data::Own(_)) => None,
            },
        };
        if let Some(counter) = self.extra().and_then(|e| e.writes.as_ref()) {
            counter.stays(id);
        }
        *self = before;
        match store {
            None => self.data = Data::Own(data),
            Some(store) => {
                if self.node.is_some() {
                    store.attach(id);
                }
                store.replace(data);
                let layout = self.layout().cloned();
                if let Some(counter) = self.extra.as_ref().and_then(|e| e.writes.as_ref()) {
                    counter.moves(id, &store, layout);
                }
                self.data = Data::Shared(store);
                self.writes().set_writes(writes);
            }
        }
    }
}
