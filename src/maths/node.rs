//! The graph: one node per recorded operation. Parents have smaller ids than their children, so a
//! sweep is a loop downwards; dropping a long chain is a loop as well.

use super::complaint::Outcome;
use super::place::{self, Place};
use super::rule::{Operation, Saves};
use super::store::Version;
use super::tensor::Tensor;
use super::torch_says;
use super::variable::{Cut, Variable, WeakVariable};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A recorded operation with its inputs and its output's value.
#[derive(Clone)]
pub struct Node(Rc<Inner>);

struct Inner {
    id: u64,
    place: Place,
    operation: Rc<dyn Operation>,
    inputs: SmallVec<[Edge; 2]>,
    value: Tensor,
    shows: bool,
    /// Memory of the output, while something may still write to it.
    output: RefCell<Option<(Rc<Version>, u32)>>,
    /// Inputs saved as copies: an in-place operation keeps the former value of its own input.
    copied: Cell<u8>,
    freed: Cell<bool>,
    hooks: RefCell<Vec<(u64, Hook)>>,
    retained: RefCell<Option<WeakVariable>>,
}

/// Sees a gradient on its way and may replace it.
pub type Hook = Rc<dyn Fn(&Variable) -> Outcome<Option<Variable>>>;

/// Where an input came from.
#[derive(Clone)]
pub enum Origin {
    Constant,
    Leaf(Variable),
    Node(Node),
}

/// An input of a node, as it was when the operation ran.
#[derive(Clone)]
pub struct Edge {
    pub origin: Origin,
    pub value: Tensor,
    /// Of a constant that was cut off from something with a gradient.
    pub cut: Option<Rc<Cut>>,
    version: Rc<Version>,
    at: u32,
    view: bool,
}

impl Edge {
    pub fn of(v: &Variable, value: Tensor) -> Edge {
        let (version, view) = v.memory();
        Edge {
            origin: match v.node() {
                Some(n) => Origin::Node(n),
                None if v.requires_grad() => Origin::Leaf(v.clone()),
                None => Origin::Constant,
            },
            value,
            cut: v.cut(),
            at: version.count(),
            version,
            view,
        }
    }

    /// Whether a gradient flows along it.
    pub fn tracked(&self) -> bool {
        !matches!(self.origin, Origin::Constant)
    }

    pub fn node(&self) -> Option<&Node> {
        match &self.origin {
            Origin::Node(n) => Some(n),
            _ => None,
        }
    }

    pub fn leaf(&self) -> Option<&Variable> {
        match &self.origin {
            Origin::Leaf(v) => Some(v),
            _ => None,
        }
    }

    /// A variable that stands for this input: the leaf itself, or the saved value with its history.
    pub fn variable(&self) -> Variable {
        match &self.origin {
            Origin::Leaf(v) => v.clone(),
            Origin::Constant => Variable::constant(self.value.clone()),
            Origin::Node(n) => Variable::saved(n.clone(), self.value.clone()),
        }
    }

    fn check(&self, copied: bool) -> Outcome<()> {
        let now = self.version.count();
        if copied || now == self.at {
            return Ok(());
        }
        let name = match (self.version.by(), &self.origin, self.view) {
            (Some(_), _, true) => Some("AsStridedBackward0"),
            (Some(by), _, false) => Some(by),
            (None, Origin::Node(n), _) => Some(n.grad_fn()),
            (None, _, _) => None,
        };
        Err(modified(&self.value, name, now, self.at))
    }
}

fn modified(
    value: &Tensor,
    name: Option<&str>,
    now: u32,
    then: u32,
) -> Box<super::complaint::Complaint> {
    let short = name.map(|n| match n {
        // Written in C++, not generated: it keeps its namespace.
        "CopySlices" | "CopyBackwards" => format!("torch::autograd::{n}"),
        _ => {
            let stem = n.trim_end_matches(|c: char| c.is_ascii_digit());
            stem.strip_suffix("Backward").unwrap_or(stem).to_owned()
        }
    });
    torch_says::modified_in_place(
        &value.dtype().type_name(),
        value.shape(),
        short.as_deref(),
        now,
        then,
    )
}

thread_local! {
    static NEXT: Cell<u64> = const { Cell::new(0) };
}

/// The id of the next node: those made from now on have no smaller one.
pub fn mark() -> u64 {
    NEXT.with(Cell::get)
}

impl Node {
    pub(super) fn new(
        operation: Rc<dyn Operation>,
        inputs: SmallVec<[Edge; 2]>,
        value: Tensor,
        shows: bool,
    ) -> Node {
        let id = NEXT.with(|n| n.replace(n.get() + 1));
        Node(Rc::new(Inner {
            id,
            place: place::now(),
            operation,
            inputs,
            value,
            shows,
            output: RefCell::new(None),
            copied: Cell::new(0),
            freed: Cell::new(false),
            hooks: RefCell::new(Vec::new()),
            retained: RefCell::new(None),
        }))
    }

    /// Where the program asked for it.
    pub fn place(&self) -> Place {
        self.0.place
    }

    /// Larger than the ids of all its inputs' nodes.
    pub fn id(&self) -> u64 {
        self.0.id
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
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// A sweep that keeps nothing has passed here.
    pub fn freed(&self) -> bool {
        self.0.freed.get()
    }

    pub fn set_freed(&self, freed: bool) {
        self.0.freed.set(freed);
    }

    /// What this node keeps for backward: which inputs, and whether the output.
    pub fn saved(&self) -> (u8, bool) {
        let tracked = (0..self.0.inputs.len().min(8))
            .filter(|k| self.0.inputs[*k].tracked())
            .fold(0u8, |mask, k| mask | 1 << k);
        match self.0.operation.saves_for(tracked) {
            Saves::Nothing => (0, false),
            Saves::Inputs(mask) => (mask, false),
            Saves::Output => (0, true),
            Saves::InputsAndOutput(mask) => (mask, true),
            Saves::Aside => (0, false),
        }
    }

    /// Whether it keeps anything at all for backward.
    pub fn keeps(&self) -> bool {
        self.saved() != (0, false) || self.0.operation.saves() == Saves::Aside
    }

    /// Whether what was saved is still what it was.
    ///
    /// # Errors
    /// PyTorch's "modified by an inplace operation".
    pub fn check_saved(&self) -> Outcome<()> {
        let (mask, output) = self.saved();
        for (k, edge) in self.0.inputs.iter().enumerate().take(8) {
            if mask & (1 << k) != 0 {
                edge.check(self.0.copied.get() & (1 << k) != 0)?;
            }
        }
        if output && let Some((version, at)) = &*self.0.output.borrow() {
            let now = version.count();
            if now != *at {
                return Err(modified(&self.0.value, Some(self.grad_fn()), now, *at));
            }
        }
        Ok(())
    }

    /// The output lives in memory of this version from now on.
    pub(super) fn bind_output(&self, version: &Rc<Version>) {
        *self.0.output.borrow_mut() = Some((version.clone(), version.count()));
    }

    /// Input 0 was overwritten by this very operation, which therefore kept a copy.
    pub(super) fn copy_first(&self, version: &Rc<Version>) {
        if let Some(e) = self.0.inputs.first()
            && Rc::ptr_eq(&e.version, version)
        {
            self.0.copied.set(self.0.copied.get() | 1);
        }
    }

    pub fn add_hook(&self, id: u64, hook: Hook) {
        self.0.hooks.borrow_mut().push((id, hook));
    }

    pub fn remove_hook(&self, id: u64) {
        self.0.hooks.borrow_mut().retain(|(h, _)| *h != id);
    }

    pub fn hooks(&self) -> Vec<Hook> {
        self.0
            .hooks
            .borrow()
            .iter()
            .map(|(_, h)| h.clone())
            .collect()
    }

    pub(super) fn retain(&self, v: Option<WeakVariable>) {
        *self.0.retained.borrow_mut() = v;
    }

    /// The variable that asked to keep its gradient, while it lives.
    pub fn retained(&self) -> Option<Variable> {
        self.0
            .retained
            .borrow()
            .as_ref()
            .and_then(WeakVariable::upgrade)
    }

    pub(super) fn take_retained(&self) -> Option<WeakVariable> {
        self.0.retained.borrow_mut().take()
    }
}

impl Drop for Inner {
    /// A loop: chains of a million operations must not recurse.
    fn drop(&mut self) {
        let mut pending: Vec<Node> = Vec::new();
        let take = |inputs: &mut SmallVec<[Edge; 2]>, pending: &mut Vec<Node>| {
            for edge in inputs.drain(..) {
                if let Origin::Node(n) = edge.origin {
                    pending.push(n);
                }
            }
        };
        take(&mut self.inputs, &mut pending);
        while let Some(Node(rc)) = pending.pop() {
            if let Some(mut inner) = Rc::into_inner(rc) {
                take(&mut inner.inputs, &mut pending);
            }
        }
    }
}

impl std::fmt::Debug for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<{} #{}>", self.grad_fn(), self.0.id)
    }
}
