//! Which element of one array each element of another is: index, slice, reshape, permute, flip …

use super::budget;
use super::shape::Shape;
use std::rc::Rc;

/// Which input element each output element is. Covers index, slice, reshape, permute, flip …
#[derive(Clone, Debug, PartialEq)]
pub struct ElementMap {
    pub from: Shape,
    pub to: Shape,
    /// One per output element, row-major; [`ElementMap::NONE`] for an element that is no input's.
    pub index: Rc<Vec<usize>>,
}

impl ElementMap {
    pub const NONE: usize = usize::MAX;

    /// The same elements in another shape of equal size; without an index, and refused, where there is
    /// no memory for one.
    pub fn reshape(from: &[usize], to: &[usize]) -> ElementMap {
        let index = budget::listed(from.iter().product(), |k| k).unwrap_or_else(|complaint| {
            budget::refuse(complaint);
            Vec::new()
        });
        ElementMap { from: from.to_vec(), to: to.to_vec(), index: Rc::new(index) }
    }

    /// Which input element output element `k` is; [`ElementMap::NONE`] also where the index was refused.
    pub fn source(&self, k: usize) -> usize {
        self.index.get(k).copied().unwrap_or(ElementMap::NONE)
    }
}
