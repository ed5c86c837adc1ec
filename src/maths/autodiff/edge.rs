//! What a node was computed from: where each input came from, and its value as it was then.

use super::grad_mode::detects_anomalies;
use super::node::Node;
use super::variable::{Cut, Variable};
use smallvec::SmallVec;
use std::rc::Rc;
use vjp_tensor::storage::Store;
use vjp_tensor::{Layout, Outcome, Place, Tensor, torch_messages};

/// Where an input came from.
#[derive(Clone)]
pub enum Origin {
    /// Perhaps cut off from something with a gradient.
    Constant(Option<Rc<Cut>>),
    Leaf(Variable),
    Node(Node),
    /// A view without a history of something with a gradient: its own would be found nowhere.
    LostView(Variable),
}

impl Origin {
    /// Whether a gradient arrives somewhere along it.
    pub(crate) fn arrives(&self) -> bool {
        matches!(self, Origin::Leaf(_) | Origin::Node(_))
    }

    /// Whether it depends on an explicit leaf or on a list leaf.
    pub(crate) fn shows(&self) -> bool {
        match self {
            Origin::Constant(_) => false,
            Origin::Leaf(v) | Origin::LostView(v) => v.shows(),
            Origin::Node(n) => n.shows(),
        }
    }
}

/// An input of a node, as it was when the operation ran.
#[derive(Clone)]
pub struct Edge {
    pub origin: Origin,
    pub value: Tensor,
    /// Its memory, where backward needs the value.
    pub(crate) memory: Option<Rc<Store>>,
    at: u32,
    view: bool,
    /// Whose value it is, where there is memory.
    id: usize,
    /// How it lies there, where it is a part.
    layout: Option<Rc<Layout>>,
}

impl Edge {
    #[inline]
    pub fn of(v: &Variable) -> Edge {
        let (value, origin) = v.seen();
        Edge::new(value, origin)
    }

    #[inline(always)]
    pub(crate) fn new(value: Tensor, origin: Origin) -> Edge {
        Edge { origin, value, memory: None, at: 0, view: false, id: 0, layout: None }
    }

    /// Of a Python number.
    #[inline]
    pub(crate) fn number(value: Tensor) -> Edge {
        Edge::new(value, Origin::Constant(None))
    }

    /// See [`Origin::shows`].
    pub(crate) fn shows(&self) -> bool {
        self.origin.shows()
    }

    /// Notes how often `v`, the input, was written so far: backward needs its value. A Python number is
    /// never written.
    pub(crate) fn watch(&mut self, v: &Variable) {
        if !self.value.is_weak() {
            let (memory, view) = v.memory();
            self.layout = v.part();
            self.at = memory.count();
            self.memory = Some(memory);
            self.view = view;
            self.id = v.id();
        }
    }

    /// Of a constant that was cut off from something with a gradient.
    pub fn cut(&self) -> Option<Rc<Cut>> {
        match &self.origin {
            Origin::Constant(cut) => cut.clone(),
            Origin::Leaf(v) | Origin::LostView(v) => v.cut(),
            Origin::Node(_) => None,
        }
    }

    /// The tensor that it is, where that came from nothing with a gradient and backward needs its value.
    pub fn constant(&self) -> Option<usize> {
        let constant = matches!(self.origin, Origin::Constant(None)) && self.memory.is_some();
        constant.then_some(self.id)
    }

    /// Whether it depends on a leaf, though perhaps no gradient flows.
    #[inline]
    pub(crate) fn depends(&self) -> bool {
        !matches!(self.origin, Origin::Constant(None))
    }

    /// Whether a gradient flows along it.
    pub fn tracked(&self) -> bool {
        !matches!(self.origin, Origin::Constant(_))
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

    /// Whether it is a Python number.
    pub fn is_number(&self) -> bool {
        self.value.is_weak() && !self.tracked()
    }

    /// A variable that represents this input: the leaf itself, or the saved value with its history.
    pub fn variable(&self) -> Variable {
        match &self.origin {
            Origin::Leaf(v) | Origin::LostView(v) => v.clone(),
            Origin::Constant(_) => Variable::constant(self.value.clone()),
            Origin::Node(n) => Variable::saved(n.clone(), self.value.clone()),
        }
    }

    /// Whether somebody wrote to its memory through `.data`, or assigned `.data`.
    pub(crate) fn is_silent(&self) -> bool {
        self.memory.as_ref().is_some_and(|m| m.is_silent() || m.has_moved())
    }

    /// With the value that the input holds now, where somebody wrote through `.data` or assigned it.
    pub(crate) fn refresh(&mut self) {
        let Some(m) = self.memory.as_ref().filter(|m| m.count() == self.at) else {
            return;
        };
        let now = match (m.moved(self.id), &self.layout) {
            (Some(now), _) => Some(now).filter(|now| now.shape() == self.value.shape()),
            (None, _) if !m.is_silent() => None,
            (None, Some(layout)) => Some(m.with(|whole| layout.gather(whole))),
            (None, None) => standing(m, &self.value),
        };
        if let Some(now) = now {
            self.value = now.to_dtype(self.value.dtype());
        }
    }

    /// Where its memory was written since, and how often by now and by then.
    pub(crate) fn overwritten(&self) -> Option<(Place, u32, u32)> {
        let memory = self.memory.as_ref()?;
        let now = memory.count();
        (now != self.at).then(|| (memory.written_at(), now, self.at))
    }

    pub(crate) fn check(&self, copied: bool) -> Outcome<()> {
        let Some(memory) = &self.memory else {
            return Ok(());
        };
        if self.node().is_some() && memory.is_detached(self.id) {
            return Err(torch_messages::saved_detached());
        }
        let now = memory.count();
        if copied || now == self.at {
            return Ok(());
        }
        let detached = |cut: &Option<Rc<Cut>>| cut.as_ref().is_some_and(|cut| !cut.stepped);
        let name = match (memory.by(), &self.origin, self.view) {
            // Who wrote there is another tensor's node.
            (_, Origin::Constant(cut), _) if detached(cut) => None,
            // A view whose base was written has another node since then.
            (Some(_), _, true) | (None, Origin::Node(_), true) => Some(("AsStridedBackward0", 0)),
            (Some(by), _, false) => Some((by, 0)),
            (None, Origin::Node(n), _) => Some((n.grad_fn(), n.operation().place())),
            (None, _, _) => None,
        };
        Err(modified(&self.value, name, now, self.at))
    }
}

/// What stands in the memory of a value that is all of it.
pub(crate) fn standing(memory: &Store, value: &Tensor) -> Option<Tensor> {
    let now = memory.tensor();
    (now.numel() == value.numel()).then(|| now.reshaped(value.shape()))
}

/// What PyTorch says of a value that backward needs and that was written since; `name`: its node, and which output
/// of that it is.
pub(crate) fn modified(
    value: &Tensor,
    name: Option<(&str, usize)>,
    now: u32,
    then: u32,
) -> Box<vjp_tensor::Complaint> {
    let short = name.map(|(n, output)| match n {
        // Written in C++, not generated: it keeps its namespace.
        "CopySlices" | "CopyBackwards" => (format!("torch::autograd::{n}"), output),
        _ => match n.split_once("Backward") {
            Some((stem, number)) => (format!("{stem}{}", number.trim_end_matches('0')), output),
            None => (n.to_owned(), output),
        },
    });
    let kind = value.dtype().class_name();
    torch_messages::modified_in_place(&kind, value.shape(), short, (now, then), detects_anomalies())
}

/// The values of inputs, together.
#[inline]
pub fn with_values<T>(inputs: &[Edge], ask: impl FnOnce(&[&Tensor]) -> T) -> T {
    match inputs {
        [a] => ask(&[&a.value]),
        [a, b] => ask(&[&a.value, &b.value]),
        _ => {
            let values: SmallVec<[&Tensor; 4]> = inputs.iter().map(|e| &e.value).collect();
            ask(&values)
        }
    }
}
