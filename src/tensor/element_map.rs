//! Which element of one array each element of another is: index, slice, reshape, permute, flip …

use super::storage::layout::Layout;
use super::storage::walk::Shape;
use std::cell::OnceCell;
use std::ops::Deref;
use std::rc::Rc;

/// Which input element each output element is. Covers index, slice, reshape, permute, flip …
#[derive(Clone, Debug, PartialEq)]
pub struct ElementMap {
    pub from: Shape,
    pub to: Shape,
    /// One per output element, row-major; [`ElementMap::NONE`] for an element that is no input's.
    pub index: Index,
}

/// A list of places; of a view, its strides, listed only when somebody reads the list.
#[derive(Clone, Debug)]
pub struct Index(Rc<Places>);

#[derive(Debug)]
struct Places {
    layout: Option<Layout>,
    listed: OnceCell<Vec<usize>>,
}

impl Index {
    pub fn strided(layout: Layout) -> Index {
        Index(Rc::new(Places { layout: Some(layout), listed: OnceCell::new() }))
    }

    pub fn layout(&self) -> Option<&Layout> {
        self.0.layout.as_ref()
    }

    /// How many, without listing them.
    pub fn count(&self) -> usize {
        self.layout().map_or_else(|| self.len(), Layout::numel)
    }

    /// Whether each place comes after the one before it.
    pub fn is_ascending(&self) -> bool {
        match self.layout() {
            Some(layout) => layout.is_ascending(),
            None => {
                self.is_sorted_by(|a, b| a < b)
                    && self.last().is_none_or(|last| *last < ElementMap::NONE)
            }
        }
    }

    /// Whether these are all of `n` places in their order.
    pub fn is_all(&self, n: usize) -> bool {
        match self.layout() {
            Some(layout) => layout.numel() == n && layout.offset == 0 && layout.is_contiguous(),
            None => self.len() == n && self.iter().enumerate().all(|(k, i)| k == *i),
        }
    }
}

impl From<Vec<usize>> for Index {
    fn from(listed: Vec<usize>) -> Index {
        Index(Rc::new(Places { layout: None, listed: OnceCell::from(listed) }))
    }
}

impl Deref for Index {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        let positions = || self.0.layout.as_ref().map_or_else(Vec::new, Layout::positions);
        self.0.listed.get_or_init(positions)
    }
}

impl std::hash::Hash for Index {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl PartialEq for Index {
    fn eq(&self, other: &Index) -> bool {
        let same = self.layout().is_some() && self.layout() == other.layout();
        same || **self == **other
    }
}

impl ElementMap {
    pub const NONE: usize = usize::MAX;

    /// Whether each element is the one at the same place, counted row-major.
    pub fn is_identity(&self) -> bool {
        self.index.is_all(self.from.iter().product())
    }

    /// The same elements in another shape of equal size.
    pub fn reshape(from: &[usize], to: &[usize]) -> ElementMap {
        let index = Index::strided(Layout::whole(to));
        ElementMap { from: from.to_vec(), to: to.to_vec(), index }
    }

    /// Which input element output element `k` is; [`ElementMap::NONE`] also where the index was refused.
    pub fn source(&self, k: usize) -> usize {
        self.index.get(k).copied().unwrap_or(ElementMap::NONE)
    }
}
