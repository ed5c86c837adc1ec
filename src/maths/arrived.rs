//! What a sweep has brought to each leaf so far.

use super::flow::Flow;
use super::ids::IdMap;
use super::variable::Variable;

/// Up to so many leaves are found faster by looking at each.
const FEW: usize = 8;

/// Leaves with what arrived at them.
pub(super) struct Arrived<C> {
    list: Vec<(Variable, Option<C>)>,
    /// Places in the list by the leaves' ids, once there are more than a few.
    places: IdMap<usize>,
}

impl<C: Flow> Arrived<C> {
    pub fn new() -> Arrived<C> {
        Arrived { list: Vec::new(), places: IdMap::default() }
    }

    /// Adds `c` to what has arrived at a leaf.
    pub fn arrive(&mut self, leaf: &Variable, c: C) {
        let place = match self.list.len() <= FEW {
            true => self.list.iter().position(|(v, _)| v.same(leaf)),
            false => self.places.get(&(leaf.id() as u64)).copied(),
        };
        if let Some(k) = place {
            let sum = &mut self.list[k].1;
            *sum = Some(match sum.take() {
                Some(before) => before.plus(&c),
                None => c,
            });
            return;
        }
        self.list.push((leaf.clone(), Some(c)));
        let n = self.list.len();
        if n == FEW + 1 {
            let all = self.list.iter().enumerate();
            self.places = all.map(|(k, (v, _))| (v.id() as u64, k)).collect();
        } else if n > FEW {
            self.places.insert(leaf.id() as u64, n - 1);
        }
    }

    /// All of them, in order of creation.
    pub fn take(&mut self) -> Vec<(Variable, C)> {
        self.places.clear();
        let list = std::mem::take(&mut self.list).into_iter();
        let mut all: Vec<(Variable, C)> = list.filter_map(|(v, c)| Some((v, c?))).collect();
        all.sort_by_key(|(v, _)| v.id());
        all
    }
}
