//! Graphs that nobody holds any more are taken apart in a loop: chains of a million operations must not
//! recurse.

use super::edge::{Edge, Origin};
use super::node::{Inner, Node};
use smallvec::SmallVec;
use std::rc::Rc;

impl Drop for Inner {
    fn drop(&mut self) {
        if self.inputs.is_empty() {
            return;
        }
        let mut pending: SmallVec<[Node; 2]> = SmallVec::new();
        release(&mut self.inputs, &mut pending);
        while let Some(mut node) = pending.pop() {
            if let Some(inner) = Rc::get_mut(&mut node.0) {
                release(&mut inner.inputs, &mut pending);
            }
        }
    }
}

/// Lets go of a node's inputs; those nodes that nothing else holds are left to be taken apart.
fn release(inputs: &mut SmallVec<[Edge; 2]>, pending: &mut SmallVec<[Node; 2]>) {
    for edge in inputs.drain(..) {
        if let Origin::Node(n) = edge.origin
            && Rc::strong_count(&n.0) == 1
        {
            pending.push(n);
        }
    }
}
