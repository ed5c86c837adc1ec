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

/// A list of places; of a view, its strides, and of rows where they start, listed only when somebody reads the
/// list.
#[derive(Clone, Debug)]
pub struct Index(Rc<Places>);

#[derive(Debug)]
struct Places {
    short: Option<Short>,
    listed: OnceCell<Vec<usize>>,
}

#[derive(Debug)]
enum Short {
    Strided(Layout),
    Rows { starts: Vec<usize>, width: usize },
}

/// The places of a row.
fn row(start: usize, width: usize) -> impl Iterator<Item = usize> {
    (0..width).map(move |k| if start == ElementMap::NONE { start } else { start + k })
}

impl Index {
    pub fn strided(layout: Layout) -> Index {
        Index(Rc::new(Places { short: Some(Short::Strided(layout)), listed: OnceCell::new() }))
    }

    /// `width` places from each start on, none from [`ElementMap::NONE`].
    pub fn rows(starts: Vec<usize>, width: usize) -> Index {
        if width == 1 {
            return starts.into();
        }
        let short = Some(Short::Rows { starts, width });
        Index(Rc::new(Places { short, listed: OnceCell::new() }))
    }

    pub fn layout(&self) -> Option<&Layout> {
        match &self.0.short {
            Some(Short::Strided(layout)) => Some(layout),
            _ => None,
        }
    }

    /// See [`Index::rows`].
    pub fn starts(&self) -> Option<(&[usize], usize)> {
        match &self.0.short {
            Some(Short::Rows { starts, width }) => Some((starts, *width)),
            _ => None,
        }
    }

    /// How many, without listing them.
    pub fn count(&self) -> usize {
        match &self.0.short {
            Some(Short::Strided(layout)) => layout.numel(),
            Some(Short::Rows { starts, width }) => starts.len() * width,
            None => self.len(),
        }
    }

    /// Whether each place comes after the one before it.
    pub fn is_ascending(&self) -> bool {
        match &self.0.short {
            Some(Short::Strided(layout)) => layout.is_ascending(),
            Some(Short::Rows { starts, width }) => {
                starts.is_sorted_by(|a, b| a < b && b - a >= *width)
                    && starts.last().is_none_or(|last| *last < ElementMap::NONE)
            }
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
            None => self.count() == n && self.iter().enumerate().all(|(k, i)| k == *i),
        }
    }
}

impl From<Vec<usize>> for Index {
    fn from(listed: Vec<usize>) -> Index {
        Index(Rc::new(Places { short: None, listed: OnceCell::from(listed) }))
    }
}

impl Deref for Index {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        let positions = || match &self.0.short {
            Some(Short::Strided(layout)) => layout.positions(),
            Some(Short::Rows { starts, width }) => {
                starts.iter().flat_map(|start| row(*start, *width)).collect()
            }
            None => Vec::new(),
        };
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
