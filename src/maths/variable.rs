//! What Python calls a tensor: an identity with a value that may be written, a place in the graph,
//! flags and a gradient. Cheap to clone; a clone is the same tensor.

use super::complaint::Outcome;
use super::grad_mode::is_grad_enabled;
use super::node::{Edge, Hook, Node};
use super::place::{self, Place};
use super::rule::Operation;
use super::store::{Layout, Store, Version};
use super::tensor::{Dtype, Tensor};
use super::torch_says;
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

#[derive(Clone)]
pub struct Variable(pub(super) Rc<Inner>);

/// A variable that is not kept alive.
#[derive(Clone)]
pub struct WeakVariable(Weak<Inner>);

impl WeakVariable {
    pub fn upgrade(&self) -> Option<Variable> {
        self.0.upgrade().map(Variable)
    }
}

pub(super) struct Inner {
    id: usize,
    pub(super) cell: RefCell<Content>,
}

/// Everything about a variable that may change.
#[derive(Clone)]
pub(super) struct Content {
    pub store: Rc<Store>,
    pub version: Rc<Version>,
    /// How this lies in the store; None: all of it, in its own shape.
    pub layout: Option<Rc<Layout>>,
    /// A view's value, gathered when the store had seen so many changes.
    pub gathered: Option<(u32, Tensor)>,
    /// What this is a view of, and the version its node speaks of.
    pub base: Option<Variable>,
    pub seen: u32,
    /// A view made while nothing was recorded.
    pub unrecorded: bool,
    pub node: Option<Node>,
    /// Of a leaf; what was computed is tracked through its node.
    pub requires_grad: bool,
    pub implicit: bool,
    pub name: Option<Rc<str>>,
    pub grad: Option<Variable>,
    pub retains: bool,
    pub hooks: Vec<(u64, Hook)>,
    pub cut: Option<Rc<Cut>>,
}

/// Where a gradient ends that might have gone on: `h.detach()`, or a value computed under `no_grad`.
#[derive(Clone)]
pub struct Cut {
    /// What the values came from.
    pub from: WeakVariable,
    pub place: Place,
}

/// A moment of a variable, for undo.
#[derive(Clone)]
pub struct State {
    content: Content,
    data: Tensor,
    count: u32,
    freed: bool,
}

thread_local! {
    static NEXT: Cell<usize> = const { Cell::new(0) };
    static NEXT_HOOK: Cell<u64> = const { Cell::new(0) };
}

impl Variable {
    fn make(content: Content) -> Variable {
        let id = NEXT.with(|n| n.replace(n.get() + 1));
        Variable(Rc::new(Inner {
            id,
            cell: RefCell::new(content),
        }))
    }

    fn fresh(value: Tensor, node: Option<Node>) -> Variable {
        let version: Rc<Version> = Rc::default();
        if let Some(n) = &node
            && n.saved().1
        {
            n.bind_output(&version);
        }
        Variable::make(Content {
            store: Store::new(value),
            version,
            layout: None,
            gathered: None,
            base: None,
            seen: 0,
            unrecorded: false,
            node,
            requires_grad: false,
            implicit: false,
            name: None,
            grad: None,
            retains: false,
            hooks: Vec::new(),
            cut: None,
        })
    }

    /// A tensor that asks for no gradient.
    pub fn constant(value: Tensor) -> Variable {
        Variable::fresh(value, None)
    }

    /// A tensor with `requires_grad=True`.
    pub fn leaf(value: Tensor) -> Variable {
        let v = Variable::fresh(value, None);
        v.0.cell.borrow_mut().requires_grad = true;
        v
    }

    /// The leaf that a bare number or list becomes.
    pub fn implicit(value: Tensor, name: Rc<str>) -> Variable {
        let v = Variable::leaf(value);
        {
            let mut c = v.0.cell.borrow_mut();
            c.implicit = true;
            c.name = Some(name);
        }
        v
    }

    /// A saved input with its history, as a second sweep records upon it.
    pub(super) fn saved(node: Node, value: Tensor) -> Variable {
        let v = Variable::constant(value);
        v.0.cell.borrow_mut().node = Some(node);
        v
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
    pub fn value(&self) -> Tensor {
        let mut c = self.0.cell.borrow_mut();
        let Some(layout) = c.layout.clone() else {
            return c.store.tensor();
        };
        let changes = c.store.changes();
        if let Some((then, value)) = &c.gathered
            && *then == changes
        {
            return value.clone();
        }
        let value = layout.gather(&c.store.tensor());
        c.gathered = Some((changes, value.clone()));
        value
    }

    pub fn shape(&self) -> Vec<usize> {
        let c = self.0.cell.borrow();
        match &c.layout {
            Some(l) => l.shape.clone(),
            None => c.store.tensor().shape().to_vec(),
        }
    }

    pub fn rank(&self) -> usize {
        self.shape().len()
    }

    pub fn numel(&self) -> usize {
        self.shape().iter().product()
    }

    pub fn dtype(&self) -> Dtype {
        self.0.cell.borrow().store.tensor().dtype()
    }

    /// How it lies in memory.
    pub fn layout(&self) -> Layout {
        let c = self.0.cell.borrow();
        match &c.layout {
            Some(l) => (**l).clone(),
            None => Layout::whole(c.store.tensor().shape()),
        }
    }

    /// Whether gradients flow to it: a leaf that wants one, or computed from such.
    pub fn requires_grad(&self) -> bool {
        self.0.cell.borrow().requires_grad || self.node().is_some()
    }

    /// `x.requires_grad_(flag)`.
    ///
    /// # Errors
    /// Not a leaf, or not of floating point.
    pub fn set_requires_grad(&self, flag: bool) -> Outcome<()> {
        if self.node().is_some() {
            return if flag {
                Ok(())
            } else {
                Err(torch_says::flag_of_non_leaf())
            };
        }
        if flag && !self.dtype().is_float() {
            return Err(torch_says::only_floats_require_grad());
        }
        let mut c = self.0.cell.borrow_mut();
        c.requires_grad = flag;
        if flag {
            c.implicit = false;
        }
        Ok(())
    }

    pub fn is_leaf(&self) -> bool {
        self.node().is_none()
    }

    /// A leaf that a bare number or list became.
    pub fn is_implicit(&self) -> bool {
        self.0.cell.borrow().implicit
    }

    /// Whether `requires_grad` and `grad_fn` speak of it: it is, or depends on, an explicit leaf or
    /// a list leaf. Number leaves alone never show.
    pub fn shows(&self) -> bool {
        if let Some(n) = self.node() {
            return n.shows();
        }
        let c = self.0.cell.borrow();
        c.requires_grad && !(c.implicit && c.store.tensor().is_weak())
    }

    /// Whether it stands for a Python number, weak in type promotion.
    pub fn is_number(&self) -> bool {
        let c = self.0.cell.borrow();
        c.layout.is_none() && c.store.tensor().is_weak()
    }

    /// Marked as standing for a Python number.
    #[must_use]
    pub fn as_number(self) -> Variable {
        {
            let c = self.0.cell.borrow();
            let t = c.store.tensor();
            if c.layout.is_none() && t.rank() == 0 {
                c.store.replace(t.with_weak(true));
            }
        }
        self
    }

    /// The name a leaf was first bound to.
    pub fn name(&self) -> Option<Rc<str>> {
        self.0.cell.borrow().name.clone()
    }

    pub fn set_name(&self, name: Option<Rc<str>>) {
        self.0.cell.borrow_mut().name = name;
    }

    /// What computed it. A view that was written since hangs on its base's new history.
    pub fn node(&self) -> Option<Node> {
        let (base, count) = {
            let c = self.0.cell.borrow();
            match &c.base {
                Some(b) if c.version.count() != c.seen => (b.clone(), c.version.count()),
                _ => return c.node.clone(),
            }
        };
        let node = super::inplace::rebased(self, &base);
        let mut c = self.0.cell.borrow_mut();
        c.seen = count;
        c.node = node;
        c.node.clone()
    }

    pub fn grad(&self) -> Option<Variable> {
        self.0.cell.borrow().grad.clone()
    }

    /// `x.grad = g`.
    ///
    /// # Errors
    /// A gradient of another shape or type.
    pub fn set_grad(&self, grad: Option<Variable>) -> Outcome<()> {
        if let Some(g) = &grad {
            let (v, x) = (g.shape(), self.shape());
            if v != x {
                return Err(torch_says::gradient_assigned(&v, &x));
            }
        }
        self.0.cell.borrow_mut().grad = grad;
        Ok(())
    }

    /// `y.retain_grad()`: a no-op on leaves.
    ///
    /// # Errors
    /// Nothing flows to it.
    pub fn retain_grad(&self) -> Outcome<()> {
        match self.node() {
            Some(n) => {
                self.0.cell.borrow_mut().retains = true;
                n.retain(Some(self.downgrade()));
            }
            None if !self.requires_grad() => return Err(torch_says::cannot_retain()),
            None => {}
        }
        Ok(())
    }

    pub fn retains_grad(&self) -> bool {
        self.0.cell.borrow().retains
    }

    /// Calls `hook` with the gradient of this tensor; the number is for [`Variable::remove_hook`].
    ///
    /// # Errors
    /// Nothing flows to it.
    pub fn add_hook(&self, hook: Hook) -> Outcome<u64> {
        let id = NEXT_HOOK.with(|n| n.replace(n.get() + 1));
        match self.node() {
            Some(n) => n.add_hook(id, hook),
            None if !self.requires_grad() => return Err(torch_says::cannot_hook()),
            None => self.0.cell.borrow_mut().hooks.push((id, hook)),
        }
        Ok(id)
    }

    pub fn remove_hook(&self, id: u64) {
        if let Some(n) = self.node() {
            n.remove_hook(id);
        }
        self.0.cell.borrow_mut().hooks.retain(|(h, _)| *h != id);
    }

    /// Hooks of a leaf; those of computed tensors are their node's.
    pub fn hooks(&self) -> Vec<Hook> {
        let c = self.0.cell.borrow();
        c.hooks.iter().map(|(_, h)| h.clone()).collect()
    }

    /// The same memory without a history: `x.detach()`.
    pub fn detach(&self) -> Variable {
        let cut = self.requires_grad().then(|| self.cut_here());
        let c = self.0.cell.borrow();
        Variable::make(Content {
            node: None,
            base: None,
            requires_grad: false,
            implicit: false,
            name: None,
            grad: None,
            retains: false,
            hooks: Vec::new(),
            unrecorded: false,
            cut,
            ..c.clone()
        })
    }

    fn cut_here(&self) -> Rc<Cut> {
        Rc::new(Cut {
            from: self.downgrade(),
            place: place::now(),
        })
    }

    /// Where the gradient that might have gone through here was cut off.
    pub fn cut(&self) -> Option<Rc<Cut>> {
        self.0.cell.borrow().cut.clone()
    }

    /// `x.data`: as [`Variable::detach`], but writes through it go unnoticed by versions.
    pub fn data(&self) -> Variable {
        let v = self.detach();
        v.0.cell.borrow_mut().version = Rc::default();
        v
    }

    /// A copy of the value in memory of its own, without a history.
    #[must_use]
    pub fn detach_copy(&self) -> Variable {
        Variable::constant(self.value())
    }

    /// `x._version`.
    pub fn version(&self) -> u32 {
        self.0.cell.borrow().version.count()
    }

    /// What counts writes to its memory, and whether it is a view.
    pub(super) fn memory(&self) -> (Rc<Version>, bool) {
        let c = self.0.cell.borrow();
        (c.version.clone(), c.base.is_some())
    }

    /// What it is a view of.
    pub fn base(&self) -> Option<Variable> {
        self.0.cell.borrow().base.clone()
    }

    /// Everything mutable in it, for undo.
    pub fn state(&self) -> State {
        let content = self.0.cell.borrow().clone();
        State {
            data: content.store.tensor(),
            count: content.version.count(),
            freed: content.node.as_ref().is_some_and(Node::freed),
            content,
        }
    }

    pub fn restore(&self, state: State) {
        state.content.store.replace(state.data);
        state.content.version.set(state.count);
        if let Some(n) = &state.content.node {
            n.set_freed(state.freed);
        }
        *self.0.cell.borrow_mut() = state.content;
    }

    /// A view of this memory that no gradient flows through.
    pub(super) fn view_untracked(&self, layout: Layout) -> Variable {
        self.viewed(layout, None)
    }

    /// A view of this memory, recorded as `op`.
    pub(super) fn viewed(&self, layout: Layout, node: Option<Node>) -> Variable {
        let base = self.base().unwrap_or_else(|| self.clone());
        let (store, version) = {
            let c = self.0.cell.borrow();
            (c.store.clone(), c.version.clone())
        };
        let v = Variable::fresh(Tensor::scalar(0.0), None);
        {
            let mut c = v.0.cell.borrow_mut();
            c.seen = version.count();
            c.store = store;
            c.version = version;
            c.layout = Some(Rc::new(layout));
            c.base = Some(base);
            c.unrecorded = !is_grad_enabled();
            c.node = node;
        }
        v
    }
}

/// Runs an operation, and records it where a gradient may be wanted.
///
/// # Errors
/// What the operation says of its inputs.
pub fn apply(op: Rc<dyn Operation>, inputs: &[Variable]) -> Outcome<Variable> {
    let values: SmallVec<[Tensor; 2]> = inputs.iter().map(Variable::value).collect();
    let refs: SmallVec<[&Tensor; 2]> = values.iter().collect();
    let weak = !values.is_empty() && values.iter().all(Tensor::is_weak);
    let value = op.value(&refs)?;
    let value = if weak && value.rank() == 0 {
        value.with_weak(true)
    } else {
        value
    };
    let node = record(op, inputs, &value);
    let result = Variable::fresh(value, node);
    if !is_grad_enabled()
        && let Some(from) = inputs.iter().find(|v| v.requires_grad())
    {
        result.0.cell.borrow_mut().cut = Some(from.cut_here());
    }
    Ok(result)
}

/// A node for an operation already carried out; None where nothing is recorded.
pub(super) fn record(op: Rc<dyn Operation>, inputs: &[Variable], value: &Tensor) -> Option<Node> {
    let before = Before::of(inputs)?;
    before.node(op, value)
}

/// The inputs of an operation as they are before it runs: it may write to one of them.
pub(super) struct Before {
    edges: SmallVec<[Edge; 2]>,
    shows: bool,
}

impl Before {
    /// None where nothing would be recorded.
    pub fn of(inputs: &[Variable]) -> Option<Before> {
        if !is_grad_enabled() || !inputs.iter().any(Variable::requires_grad) {
            return None;
        }
        Some(Before {
            shows: inputs.iter().any(Variable::shows),
            edges: inputs.iter().map(|v| Edge::of(v, v.value())).collect(),
        })
    }

    /// The node of the operation, now that its value is known.
    pub fn node(self, op: Rc<dyn Operation>, value: &Tensor) -> Option<Node> {
        value
            .dtype()
            .is_float()
            .then(|| Node::new(op, self.edges, value.clone(), self.shows))
    }
}

/// A view: `op` on `base`, sharing its memory as `layout` says (of the whole store).
///
/// # Errors
/// Too large for the budget.
pub fn view(op: Rc<dyn Operation>, base: &Variable, layout: Layout) -> Outcome<Variable> {
    super::shape::count(&layout.shape)?;
    let v = base.viewed(layout, None);
    let node = record(op, std::slice::from_ref(base), &v.value());
    v.0.cell.borrow_mut().node = node;
    Ok(v)
}

impl std::fmt::Debug for Variable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Variable #{} {:?}", self.0.id, self.node())
    }
}
