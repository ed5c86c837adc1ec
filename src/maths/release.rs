//! Graphs that nobody holds are taken apart in a loop: chains of a million operations must not
//! recurse.

use super::edge::{Edge, Origin};
use super::node::{Inner, Node};
use smallvec::SmallVec;
use std::rc::Rc;

impl Drop for Inner {
    fn drop(&mut self) {
        if !self.inputs.iter().any(|e| e.node().is_some()) {
            return;
        }
        let mut pending: SmallVec<[Node; 4]> = SmallVec::new();
        release(&mut self.inputs, &mut pending);
        while let Some(mut node) = pending.pop() {
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
