//! What the forward of a Function of the program saved: when its backward asks for it, it must still be what it was.

use super::edge::{Edge, modified};
use super::node::{Node, Unpack, WeakNode};
use super::rule::Operation;
use super::torch_node::Behind;
use super::variable::{Variable, apply};
use crate::saved::kept::packed;
use crate::saved::packing;
use std::rc::Rc;
use vjp_tensor::{Outcome, Tensor};

pub struct SavedTensor {
    kept: Kept,
    /// How often it had been written.
    version: u32,
}

enum Kept {
    Itself(Variable, Edge),
    Output(Output),
    /// Through hooks of the program.
    Packed(Unpack),
}

/// An output of the Function: its memory and its place in the graph, which would hold itself if this held it.
struct Output {
    memory: Variable,
    node: WeakNode,
    place: usize,
    grad_fn: &'static str,
    /// One of several: how it comes out of all of them together.
    whole: Option<(Rc<dyn Operation>, WeakNode, Tensor)>,
}

impl SavedTensor {
    /// `v` as it is now; `outputs`: what the Function gave.
    pub fn of(v: &Variable, outputs: &[Variable]) -> Outcome<SavedTensor> {
        if let Some(pack) = packing::hooks().last() {
            return Ok(SavedTensor { kept: Kept::Packed(packed(pack, v)?), version: v.version() });
        }
        let kept = match v.node().filter(|_| outputs.iter().any(|y| y.same(v))) {
            Some(node) => Kept::Output(Output::of(v, &node)),
            None => {
                let mut edge = Edge::of(v);
                edge.watch(v);
                Kept::Itself(v.clone(), edge)
            }
        };
        Ok(SavedTensor { kept, version: v.version() })
    }

    /// The tensor, with its history.
    pub fn unpacked(&self) -> Outcome<Variable> {
        match &self.kept {
            Kept::Packed(unpack) => unpack(),
            Kept::Itself(v, edge) => {
                v.check_history()?;
                edge.check(false)?;
                Ok(v.clone())
            }
            Kept::Output(output) => {
                let (now, then) = (output.memory.version(), self.version);
                if now != then {
                    let name = Some((output.grad_fn, output.place));
                    return Err(modified(&output.memory.value(), name, now, then));
                }
                let v = output.memory.same_memory();
                v.0.cell.borrow_mut().node = output.node()?;
                Ok(v.number_of_several(output.place))
            }
        }
    }
}

impl Output {
    fn of(v: &Variable, node: &Node) -> Output {
        let of_several = |edge: &Edge| {
            let whole = edge.node()?.downgrade();
            Some((node.shared_operation(), whole, edge.value.clone()))
        };
        let several =
            node.inputs().first().filter(|_| matches!(node.operation().behind(), Behind::Before));
        Output {
            memory: v.same_memory(),
            node: node.downgrade(),
            place: v.output(),
            grad_fn: node.grad_fn(),
            whole: several.and_then(of_several),
        }
    }

    fn node(&self) -> Outcome<Option<Node>> {
        if let Some(node) = self.node.upgrade() {
            return Ok(Some(node));
        }
        let again = self.whole.as_ref().and_then(|(operation, node, value)| {
            let whole = Variable::saved(node.upgrade()?, value.clone());
            Some(apply(operation.clone(), &[whole]))
        });
        Ok(again.transpose()?.and_then(|v| v.node()))
    }
}

impl Variable {
    /// Another variable of the same memory, without a history.
    fn same_memory(&self) -> Variable {
        Variable::make(self.0.cell.borrow_mut().same_memory())
    }

    /// What forward of a Function computed is from now on the output number `place` of `node`.
    pub fn becomes_output(&self, node: Option<Node>, place: usize) {
        if let Some(n) = node.as_ref().filter(|n| n.saved().1) {
            n.bind_output(self.0.cell.borrow_mut().writes());
        }
        let view = self.base().is_some();
        let mut c = self.0.cell.borrow_mut();
        let count = c.count();
        c.node = node;
        c.requires_grad = false;
        if view {
            c.made = vjp_tensor::torch_messages::Made::ByFunction;
        }
        if view || place > 0 || c.extra().is_some() {
            let extra = c.extra_mut();
            extra.seen = count;
            extra.output = place as u32;
            extra.cut = None;
        }
    }
}
