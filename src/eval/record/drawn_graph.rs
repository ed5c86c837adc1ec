//! A graph to be drawn: what `:graph` answers. Values, names and slopes; nothing is laid out, rounded or
//! padded here. Every output (text, SVG, DOT, Mermaid, JSON) is made from this.

use vjp_tensor::Tensor;

/// The graph of one result, at several degrees of folding.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// Name or text of the result.
    pub output: String,
    /// Gradients are those of its last backward; else none has run.
    pub swept: bool,
    /// A value with a hook that changed the gradient.
    pub hooked: Option<String>,
    /// The finest first, each with fewer nodes than the one before; at least one.
    pub levels: Vec<Level>,
}

/// The graph with some of its nodes folded.
#[derive(Clone, Debug, Default)]
pub struct Level {
    /// Each after those that lead to it; the result is the last, unless it is a leaf.
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// The nodes in the order in which backward has their whole gradient: the result first.
    pub sweep: Vec<usize>,
}

/// A value, or several in one box.
#[derive(Clone, Debug)]
pub struct Node {
    /// `e`, or the text `a*b` of a value without a name; of a fold, what it is.
    pub name: String,
    /// What computed it, as written; of a module its class. Empty where the name says it.
    pub text: String,
    pub kind: Kind,
    /// Numbers of the operations in it, from 1, as `:explain` and `:step` count them.
    pub steps: Vec<usize>,
    /// It is what backward starts from.
    pub result: bool,
    /// Of a fold, what leaves it.
    pub value: Tensor,
    pub arrived: Arrived,
    /// Leaves inside a folded module, with what arrived.
    pub parameters: Vec<(String, Arrived)>,
    pub marks: Vec<Mark>,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Leaf,
    /// No gradient is wanted there.
    Constant,
    Step,
    /// The call of a module, of so many operations.
    Module(usize),
    /// So many turns of a loop, of so many operations.
    Loop(usize, usize),
    /// So many operations.
    Steps(usize),
}

/// The gradient at a node.
#[derive(Clone, Debug)]
pub enum Arrived {
    /// No backward has run.
    NotYet,
    /// No path without a cut leads from the result to it.
    Nothing,
    Gradient(Tensor),
}

/// What a person should see at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It was written in place.
    InPlace,
    /// Its slope is another one from the left than from the right.
    Kink,
}

/// From a value to one that was computed from it.
#[derive(Clone, Debug)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// The local slope as a factor of what comes back, `×2x`, `×Wᵀ`, `Σ`; empty where that is 1.
    pub slope: String,
    /// The slope as a number, between two scalars that are not folded.
    pub factor: Option<f64>,
    /// What cuts it, as written: `.detach()`.
    pub cut: Option<String>,
}

impl Level {
    /// The edges that end at a node, in the order of the operation's inputs.
    pub fn inputs(&self, node: usize) -> impl Iterator<Item = (usize, &Edge)> {
        self.edges.iter().enumerate().filter(move |(_, e)| e.to == node)
    }

    /// The edges that begin at a node.
    pub fn uses(&self, node: usize) -> impl Iterator<Item = (usize, &Edge)> {
        self.edges.iter().enumerate().filter(move |(_, e)| e.from == node)
    }

    /// Fills [`Level::sweep`]: steps from the last to the first, and a leaf where the last of its uses
    /// has been passed.
    pub fn order(&mut self) {
        let mut waits: Vec<usize> = vec![0; self.nodes.len()];
        for edge in self.edges.iter().filter(|e| e.cut.is_none()) {
            waits[edge.from] += 1;
        }
        let mut inputs: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for edge in self.edges.iter().filter(|e| e.cut.is_none()) {
            inputs[edge.to].push(edge.from);
        }
        let ends = |n: &Node| matches!(n.kind, Kind::Leaf | Kind::Constant);
        self.sweep.clear();
        for at in (0..self.nodes.len()).rev() {
            let node = &self.nodes[at];
            if (ends(node) && !node.result) || matches!(node.arrived, Arrived::Nothing) {
                continue;
            }
            self.sweep.push(at);
            for &from in &inputs[at] {
                waits[from] -= 1;
                if waits[from] == 0 && self.nodes[from].kind == Kind::Leaf {
                    self.sweep.push(from);
                }
            }
        }
    }
}
