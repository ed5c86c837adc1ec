//! The graph: one node per recorded operation. Parents have smaller ids than their children, so a
//! sweep is a loop downwards, and so is dropping a chain of a million operations.

pub use super::edge::{Edge, Origin, with_values};
use super::edge::{modified, standing};
use super::rule::Operation;
use super::torch_node::Saves;
use super::variable::{Variable, WeakVariable};
use crate::observe::sweeps;
use crate::saved::attribute::{Attribute, Attributes};
use crate::second_order::names::partial_name;
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use vjp_tensor::budget::remains;
use vjp_tensor::storage::Store;
use vjp_tensor::{Outcome, Place, Tensor, source_place};

/// A recorded operation with its inputs and its output's value.
#[derive(Clone)]
pub struct Node(pub(crate) Rc<Inner>);

#[derive(Clone)]
pub(crate) struct Inner {
    id: u64,
    place: Place,
    operation: Rc<dyn Operation>,
    pub(crate) inputs: SmallVec<[Edge; 2]>,
    value: Tensor,
    /// Memory of the output, where backward needs it while something may still write to it, and how
    /// often it had been written.
    output: RefCell<Option<Rc<Store>>>,
    output_at: Cell<u32>,
    /// Where a sweep under way keeps what arrived here.
    slot: Cell<u32>,
    saves: (u8, bool),
    shows: bool,
    /// Inputs saved as copies: an in-place operation keeps the former value of its own input.
    copied: Cell<u8>,
    /// The number of the sweep that passed here and kept nothing; 0: none has.
    freed: Cell<u32>,
    rare: RefCell<Option<Box<Rare>>>,
}

/// What most nodes do not have.
#[derive(Clone, Default)]
pub(crate) struct Rare {
    hooks: Vec<(u64, Hook)>,
    retained: Option<WeakVariable>,
    packed: Vec<Packed>,
    /// What it keeps that is neither input nor output.
    attributes: Attributes,
    /// The module whose output it is, while that lives.
    module: Option<std::rc::Weak<dyn std::any::Any>>,
}

impl Rare {
    /// Whether sweeps do the same here.
    pub fn is_like(&self, other: &Rare) -> bool {
        let ids = |r: &Rare| r.hooks.iter().map(|(id, _)| *id).collect::<Vec<u64>>();
        ids(self) == ids(other)
            && self.retained.is_some() == other.retained.is_some()
            && self.packed.len() == other.packed.len()
    }
}

/// What a node had saved, and was written since.
#[derive(Clone, Copy, Debug)]
pub struct Overwritten {
    /// Which input; None: the output.
    pub input: Option<usize>,
    /// Where it was written last.
    pub written: Place,
    /// How often it was written by now, and by then.
    pub now: u32,
    pub then: u32,
}

/// Sees a gradient, None where none came, and may replace it.
pub type Hook = Rc<dyn Fn(Option<&Variable>) -> Outcome<Option<Variable>>>;

/// Brings back what a function of the program packed.
pub type Unpack = Rc<dyn Fn() -> Outcome<Variable>>;

/// Where a node has what it keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    Input(usize),
    Output,
    /// In what the operation itself keeps.
    Aside,
}

/// What a node packed: under which name, where it stood, and what brings it back.
pub(crate) type Packed = (&'static str, At, Unpack);

/// What was brought back, in the shape and type of what was packed.
fn fitted(back: &Variable, packed: &Tensor) -> Outcome<Tensor> {
    let back = back.value().to_dtype(packed.dtype());
    if back.shape() == packed.shape() {
        return Ok(back);
    }
    vjp_tensor::shape::broadcast(packed.shape(), back.shape())?;
    vjp_tensor::kernels::strided::expand(&back, packed.shape())
}

thread_local! {
    static NEXT: Cell<u64> = const { Cell::new(0) };
}

/// The id of the next node: those made from now on have no smaller one.
pub fn mark() -> u64 {
    NEXT.with(Cell::get)
}

/// Which inputs a node with these keeps for backward, and whether the output.
pub(crate) fn saved(operation: &dyn Operation, inputs: &[Edge]) -> (u8, bool) {
    let tracked = (0..inputs.len().min(8))
        .filter(|k| inputs[*k].tracked())
        .fold(0u8, |mask, k| mask | 1 << k);
    saved_of(operation, tracked)
}

/// [`saved`], knowing which inputs want a gradient.
#[inline]
pub(crate) fn saved_of(operation: &dyn Operation, tracked: u8) -> (u8, bool) {
    match operation.saves_for(tracked) {
        Saves::Nothing | Saves::Aside => (0, false),
        Saves::Inputs(mask) => (mask, false),
        Saves::Output => (0, true),
        Saves::InputsAndOutput(mask) => (mask, true),
    }
}

/// What may change in a node.
pub struct Flags {
    output: (Option<Rc<Store>>, u32),
    copied: u8,
    freed: u32,
    rare: Option<Box<Rare>>,
}

/// A node that may be gone.
#[derive(Clone)]
pub struct WeakNode(std::rc::Weak<Inner>);

impl WeakNode {
    pub fn upgrade(&self) -> Option<Node> {
        self.0.upgrade().map(Node)
    }
}

impl Node {
    pub fn downgrade(&self) -> WeakNode {
        WeakNode(Rc::downgrade(&self.0))
    }

    /// Its hooks, and whose gradient it keeps.
    pub(crate) fn rare(&self) -> Option<Box<Rare>> {
        self.0.rare.borrow().clone()
    }

    pub(crate) fn set_rare(&self, rare: Option<Box<Rare>>) {
        self.0.rare.replace(rare);
    }

    /// What may change.
    pub fn flags(&self) -> Flags {
        Flags {
            output: (self.0.output.borrow().clone(), self.0.output_at.get()),
            copied: self.0.copied.get(),
            freed: self.0.freed.get(),
            rare: self.rare(),
        }
    }

    /// Puts back what [`Node::flags`] gave.
    pub fn set_flags(&self, flags: Flags) {
        let (output, at) = flags.output;
        self.0.output.replace(output);
        self.0.output_at.set(at);
        self.0.copied.set(flags.copied);
        self.0.freed.set(flags.freed);
        self.set_rare(flags.rare);
    }

    /// `saves`: see [`saved`].
    #[inline(always)]
    pub(crate) fn new(
        operation: Rc<dyn Operation>,
        inputs: SmallVec<[Edge; 2]>,
        saves: (u8, bool),
        value: Tensor,
    ) -> Node {
        let shows = inputs.iter().any(Edge::shows);
        Node::build(operation, inputs, saves, value, shows)
    }

    /// [`Node::new`], where whether it shows is known. Inlined, it is written where it stays.
    #[inline(always)]
    pub(crate) fn build(
        operation: Rc<dyn Operation>,
        inputs: SmallVec<[Edge; 2]>,
        saves: (u8, bool),
        value: Tensor,
        shows: bool,
    ) -> Node {
        let id = NEXT.with(|n| n.replace(n.get() + 1));
        Node(Rc::new(Inner {
            id,
            place: source_place::now(),
            operation,
            inputs,
            value,
            output: RefCell::new(None),
            output_at: Cell::new(0),
            slot: Cell::new(u32::MAX),
            saves,
            shows,
            copied: Cell::new(0),
            freed: Cell::new(0),
            rare: RefCell::new(None),
        }))
    }

    /// The same with the saved values that stand in memory now, which `.data` may have changed.
    #[must_use]
    pub fn refreshed(self) -> Node {
        if !vjp_tensor::storage::written_silently() {
            return self;
        }
        let output = self.0.output.borrow().clone();
        let silent = output.filter(|m| m.is_silent() && m.count() == self.0.output_at.get());
        if silent.is_none() && !self.0.inputs.iter().any(Edge::is_silent) {
            return self;
        }
        let value = silent.and_then(|m| standing(&m, &self.0.value));
        let mut now = (*self.0).clone();
        now.inputs.iter_mut().for_each(Edge::refresh);
        now.value = value.unwrap_or_else(|| self.0.value.clone());
        Node(Rc::new(now))
    }

    /// It keeps this too.
    fn state(&self, name: &'static str, attribute: Attribute) {
        self.0.rare.borrow_mut().get_or_insert_default().attributes.push((name, attribute));
    }

    /// What it keeps that is neither input nor output.
    pub(crate) fn stated(&self, name: &str) -> Option<Attribute> {
        let rare = self.0.rare.borrow();
        let found = rare.as_ref()?.attributes.iter().find(|(own, _)| *own == name);
        Some(found?.1.clone())
    }

    /// It keeps this as hooks of the program packed it.
    pub fn pack(&self, name: &'static str, at: At, unpack: Unpack) {
        self.0.rare.borrow_mut().get_or_insert_default().packed.push((name, at, unpack));
    }

    /// What hooks of the program packed.
    pub fn packed(&self) -> Vec<Packed> {
        self.0.rare.borrow().as_ref().map(|r| r.packed.clone()).unwrap_or_default()
    }

    /// The same with what was packed brought back; None: nothing was.
    pub(crate) fn unpacked(&self) -> Outcome<Option<Node>> {
        let packed = self.packed();
        if packed.is_empty() {
            return Ok(None);
        }
        let mut now = (*self.0).clone();
        for (_, at, unpack) in packed {
            let back = unpack()?;
            match at {
                At::Input(k) => {
                    if let Some(edge) = now.inputs.get_mut(k) {
                        edge.value = fitted(&back, &edge.value)?;
                    }
                }
                At::Output => now.value = fitted(&back, &now.value)?,
                At::Aside => {}
            }
        }
        Ok(Some(Node(Rc::new(now))))
    }

    /// The same of another operation; `keeps_result`: it saved nothing but its output.
    #[must_use]
    pub(crate) fn with_operation(self, operation: Rc<dyn Operation>, keeps_result: bool) -> Node {
        let mut other = (*self.0).clone();
        other.operation = operation;
        if keeps_result {
            other.saves = (0, true);
        }
        Node(Rc::new(other))
    }

    /// Where the program asked for it.
    pub fn place(&self) -> Place {
        self.0.place
    }

    /// Larger than the ids of all its inputs' nodes.
    pub fn id(&self) -> u64 {
        self.0.id
    }

    pub fn shared_operation(&self) -> Rc<dyn Operation> {
        self.0.operation.clone()
    }

    pub fn operation(&self) -> &dyn Operation {
        &*self.0.operation
    }

    pub fn inputs(&self) -> &[Edge] {
        &self.0.inputs
    }

    /// The output's value, as it was computed.
    pub fn value(&self) -> &Tensor {
        &self.0.value
    }

    /// `MulBackward0`.
    pub fn grad_fn(&self) -> &'static str {
        self.0.operation.grad_fn()
    }

    /// Whether it depends on an explicit leaf or on a list leaf.
    pub fn shows(&self) -> bool {
        self.0.shows
    }

    pub fn same(&self, other: &Node) -> bool {
        self.0.id == other.0.id
    }

    /// A sweep that keeps nothing has passed here.
    pub fn freed(&self) -> bool {
        sweeps::counts(self.0.freed.get())
    }

    /// It was freed, and not by the latest sweep.
    pub fn freed_earlier(&self) -> bool {
        self.freed() && sweeps::is_earlier(self.0.freed.get())
    }

    /// Freed by the sweep of this number, greater than 1.
    pub(crate) fn set_freed_by(&self, sweep: u32) {
        self.0.freed.set(sweep);
    }

    /// Where a sweep under way keeps what arrived here: a hint, which may be out of date.
    pub fn slot(&self) -> u32 {
        self.0.slot.get()
    }

    pub fn set_slot(&self, slot: u32) {
        self.0.slot.set(slot);
    }

    /// What this node keeps for backward: which inputs, and whether the output.
    pub fn saved(&self) -> (u8, bool) {
        self.0.saves
    }

    pub fn keeps(&self) -> bool {
        self.saved() != (0, false) || self.0.operation.saves() == Saves::Aside
    }

    /// Whether what was saved is still what it was.
    pub fn check_saved(&self) -> Outcome<()> {
        let (mask, output) = self.saved();
        for (k, edge) in self.0.inputs.iter().enumerate().take(8) {
            if mask & (1 << k) != 0 {
                edge.check(self.0.copied.get() & (1 << k) != 0)?;
            }
        }
        if output && let Some(memory) = &*self.0.output.borrow() {
            let (now, at) = (memory.count(), self.0.output_at.get());
            if now != at {
                return Err(modified(
                    &self.0.value,
                    Some((self.grad_fn(), self.operation().place())),
                    now,
                    at,
                ));
            }
        }
        Ok(())
    }

    /// What this node had saved and was written since.
    pub fn overwritten(&self) -> Option<Overwritten> {
        let (mask, output) = self.saved();
        let copied = self.0.copied.get();
        for (k, edge) in self.0.inputs.iter().enumerate().take(8) {
            if mask & !copied & (1 << k) != 0
                && let Some((written, now, then)) = edge.overwritten()
            {
                let input = Some(k);
                return Some(Overwritten { input, written, now, then });
            }
        }
        let memory = self.0.output.borrow().clone().filter(|_| output)?;
        let (now, then) = (memory.count(), self.0.output_at.get());
        let written = memory.written_at();
        (now != then).then_some(Overwritten { input: None, written, now, then })
    }

    /// The output lives in this memory from now on.
    pub(crate) fn bind_output(&self, memory: &Rc<Store>) {
        self.0.output_at.set(memory.count());
        *self.0.output.borrow_mut() = Some(memory.clone());
    }

    /// Whether it has a derivative with respect to input `wrt`.
    pub fn check_derived(&self, wrt: usize) -> Outcome<()> {
        let operation = self.operation();
        if operation.underived().checked_shr(wrt as u32).unwrap_or(0) & 1 == 0 {
            return Ok(());
        }
        Err(match operation.underived() == u8::MAX {
            true => vjp_tensor::torch_messages::no_derivative(operation.name()),
            false => vjp_tensor::torch_messages::no_partial(partial_name(operation.name())),
        })
    }

    /// Input 0 was overwritten by this very operation, which therefore kept a copy: this node and
    /// those from `since` on, of which it is made.
    pub(crate) fn copy_first_since(&self, memory: &Rc<Store>, since: u64) {
        let mut pending = vec![self.clone()];
        while let Some(n) = pending.pop() {
            n.copy_first(memory);
            let parts = n.inputs().iter().filter_map(Edge::node);
            pending.extend(parts.filter(|n| n.id() >= since).cloned());
        }
    }

    /// For this node alone.
    fn copy_first(&self, memory: &Rc<Store>) {
        let first = self.0.inputs.first().and_then(|e| e.memory.as_ref());
        if first.is_some_and(|m| Rc::ptr_eq(m, memory)) {
            self.0.copied.set(self.0.copied.get() | 1);
        }
    }

    pub fn add_hook(&self, id: u64, hook: Hook) {
        let mut rare = self.0.rare.borrow_mut();
        rare.get_or_insert_default().hooks.push((id, hook));
    }

    pub fn remove_hook(&self, id: u64) {
        if let Some(rare) = &mut *self.0.rare.borrow_mut() {
            rare.hooks.retain(|(h, _)| *h != id);
        }
    }

    pub fn hooks(&self) -> Vec<Hook> {
        let rare = self.0.rare.borrow();
        let hooks = rare.as_ref().map_or(&[][..], |r| &r.hooks);
        hooks.iter().map(|(_, h)| h.clone()).collect()
    }

    /// Where it lies, and how often it is referred to.
    pub(crate) fn shared(&self) -> (usize, usize) {
        (Rc::as_ptr(&self.0) as usize, Rc::strong_count(&self.0))
    }

    pub(crate) fn each_hook(&self, each: &mut dyn FnMut(u64, &Hook)) {
        let rare = self.0.rare.borrow();
        rare.iter().flat_map(|r| &r.hooks).for_each(|(id, hook)| each(*id, hook));
    }

    pub(crate) fn unhook(&self) {
        let rare = self.0.rare.take();
        drop(rare);
    }

    pub(crate) fn retain(&self, v: Option<WeakVariable>) {
        self.0.rare.borrow_mut().get_or_insert_default().retained = v;
    }

    /// The variable that asked to keep its gradient, while it lives.
    pub fn retained(&self) -> Option<Variable> {
        self.0.rare.borrow().as_ref()?.retained.as_ref()?.upgrade()
    }

    pub(crate) fn take_retained(&self) -> Option<WeakVariable> {
        self.0.rare.borrow_mut().as_mut()?.retained.take()
    }

    /// Whether a hook or a wish to keep the gradient hangs on it.
    pub(crate) fn is_watched(&self) -> bool {
        let rare = self.0.rare.borrow();
        rare.as_ref()
            .is_some_and(|r| !r.hooks.is_empty() || r.retained.is_some() || !r.packed.is_empty())
    }

    /// Says which module's output it is; the innermost one, which is the first to say so, stays.
    pub fn made_by(&self, module: std::rc::Weak<dyn std::any::Any>) {
        let mut rare = self.0.rare.borrow_mut();
        rare.get_or_insert_default().module.get_or_insert(module);
    }

    /// The module whose output it is.
    pub fn module(&self) -> Option<Rc<dyn std::any::Any>> {
        self.0.rare.borrow().as_ref()?.module.as_ref()?.upgrade()
    }
}

impl Variable {
    /// Its node keeps this for backward, which is neither input nor output.
    pub fn keeps(&self, name: &'static str, attribute: Attribute) {
        if let Some(node) = self.node() {
            node.state(name, attribute);
        }
    }

    /// [`Variable::keeps`] of an index or a mask.
    #[must_use]
    pub fn keeping(self, name: &'static str, kept: &Tensor) -> Variable {
        self.keeps(name, Attribute::Tensor(kept.clone()));
        self
    }
}

impl std::fmt::Debug for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<{} #{}>", self.grad_fn(), self.0.id)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if !self.inputs.iter().any(|e| e.node().is_some()) {
            return;
        }
        let mut pending: SmallVec<[Node; 4]> = SmallVec::new();
        release(&mut self.inputs, &mut pending);
        while let Some(mut node) = pending.pop() {
            if remains::waits() {
                // Each is dropped from its own place on.
                pending.push(node);
                return remains::keep(pending);
            }
            if let Some(inner) = Rc::get_mut(&mut node.0) {
                release(&mut inner.inputs, &mut pending);
            }
        }
    }
}

/// Lets go of the nodes that inputs came from; those that nothing else holds are left to be taken apart.
#[inline]
fn release(inputs: &mut [Edge], pending: &mut SmallVec<[Node; 4]>) {
    for edge in inputs {
        if let Origin::Node(n) = std::mem::replace(&mut edge.origin, Origin::Constant(None))
            && Rc::strong_count(&n.0) == 1
        {
            pending.push(n);
        }
    }
}
