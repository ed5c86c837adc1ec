//! Folding a graph: which of its values share a box. Modules fold first; where there are still too many
//! boxes, loops, then the middles of chains, then modules of modules, then the middle of all.
//!
//! A box holds whatever lies between two of its values, so that what is drawn has no circle.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// A chain is folded but for so many values at each end.
const ENDS: usize = 2;

/// What a value is for folding. Values stand in an order in which each comes after those it depends on.
#[derive(Default)]
pub(super) struct Item {
    /// A leaf or a constant.
    pub source: bool,
    /// A leaf.
    pub leaf: bool,
    /// The path of the module whose output it is; of a leaf, where it stands.
    pub module: Option<String>,
    /// A part of what the module computes, that it alone uses: `W.T`.
    pub helper: bool,
    /// The loops around it, by number.
    pub loops: Vec<usize>,
}

/// What a box is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Single,
    Module(String),
    Loop(usize),
    Steps,
}

#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// In order.
    pub items: Vec<usize>,
    pub label: Label,
}

/// Items in boxes.
pub(super) struct Folding<'a> {
    items: &'a [Item],
    links: &'a [(usize, usize)],
    result: usize,
    /// Items of the module that was opened: they stay as they are.
    open: Vec<bool>,
    /// Which box each item is in.
    pub of: Vec<usize>,
    /// Each after those it depends on.
    pub units: Vec<Unit>,
}

impl<'a> Folding<'a> {
    pub fn new(items: &'a [Item], links: &'a [(usize, usize)], result: usize) -> Folding<'a> {
        let units = (0..items.len()).map(|k| Unit { items: vec![k], label: Label::Single });
        let of = (0..items.len()).collect();
        let open = vec![false; items.len()];
        Folding { items, links, result, open, of, units: units.collect() }
    }

    /// Each call of a module is one box, with what only it uses; but for those at or below `open`.
    pub fn modules(&mut self, open: Option<&str>) {
        let mut uses: Vec<Vec<usize>> = vec![Vec::new(); self.items.len()];
        let mut inputs: Vec<Vec<usize>> = vec![Vec::new(); self.items.len()];
        for &(from, to) in self.links {
            uses[from].push(to);
            inputs[to].push(from);
        }
        let below = |path: &str| open.is_some_and(|open| path == open || is_below(path, open));
        for (k, item) in self.items.iter().enumerate() {
            if item.module.as_deref().is_some_and(below) {
                self.open[k] = true;
                for &input in inputs[k].iter().filter(|i| self.items[**i].helper) {
                    self.open[input] = true;
                }
            }
        }
        let only = |item: usize, by: usize| uses[item].iter().all(|u| *u == by);
        let mut groups = Vec::new();
        for (k, item) in self.items.iter().enumerate().filter(|(_, i)| !i.source) {
            let Some(path) = item.module.clone().filter(|_| !item.helper) else {
                continue;
            };
            if self.open[k] {
                continue;
            }
            let own = |x: usize| self.items[x].leaf && only(x, k);
            let mut group = vec![k];
            for &input in &inputs[k] {
                let x = &self.items[input];
                let inside = x.module.as_deref() == Some(path.as_str());
                if own(input) && inside {
                    group.push(input);
                } else if x.helper && only(input, k) {
                    let parts = &inputs[input];
                    let whole = |p: &usize| self.items[*p].leaf && only(*p, input);
                    if parts.iter().all(whole) {
                        group.extend(parts);
                        group.push(input);
                    }
                }
            }
            groups.push((group, Label::Module(path)));
        }
        self.join(groups);
    }

    /// Boxes of disjoint groups, none of which has anything between its members.
    fn join(&mut self, groups: Vec<(Vec<usize>, Label)>) {
        let mut units: Vec<Option<Unit>> = self.units.drain(..).map(Some).collect();
        for (group, label) in groups {
            let mut items: Vec<usize> = Vec::new();
            for unit in group {
                items.extend(units[unit].take().into_iter().flat_map(|u| u.items));
            }
            items.sort_unstable();
            if !items.is_empty() {
                units.push(Some(Unit { items, label }));
            }
        }
        self.units = units.into_iter().flatten().collect();
        self.arrange();
    }

    /// Puts boxes in order: each after those it depends on, else as its last value stands.
    fn arrange(&mut self) {
        let index = |units: &[Unit]| {
            let mut of = vec![0; self.items.len()];
            for (u, unit) in units.iter().enumerate() {
                unit.items.iter().for_each(|i| of[*i] = u);
            }
            of
        };
        let of = index(&self.units);
        let mut waits = vec![0usize; self.units.len()];
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); self.units.len()];
        for &(from, to) in self.links {
            if of[from] != of[to] {
                waits[of[to]] += 1;
                next[of[from]].push(of[to]);
            }
        }
        let last = |u: usize| Reverse((self.units[u].items.last().copied().unwrap_or(0), u));
        let ready = (0..self.units.len()).filter(|u| waits[*u] == 0);
        let mut heap: BinaryHeap<_> = ready.map(last).collect();
        let mut order = Vec::with_capacity(self.units.len());
        while let Some(Reverse((_, u))) = heap.pop() {
            order.push(u);
            for &n in &next[u] {
                waits[n] -= 1;
                if waits[n] == 0 {
                    heap.push(last(n));
                }
            }
        }
        self.units = order.iter().map(|u| self.units[*u].clone()).collect();
        self.of = index(&self.units);
    }

    /// The links between boxes, each pair once.
    fn between(&self) -> Vec<(usize, usize)> {
        let pairs = self.links.iter().map(|(a, b)| (self.of[*a], self.of[*b]));
        let mut pairs: Vec<_> = pairs.filter(|(a, b)| a != b).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Folds some boxes, and whatever lies between two of them, into one; the result stays visible.
    fn merge(&mut self, mut inside: Vec<bool>, label: Label) -> bool {
        inside[self.of[self.result]] = false;
        let links = self.between();
        let n = self.units.len();
        let (mut after, mut before) = (inside.clone(), inside.clone());
        // Links are sorted by their start, and boxes stand in order.
        for &(a, b) in &links {
            after[b] |= after[a];
        }
        for &(a, b) in links.iter().rev() {
            before[a] |= before[b];
        }
        let group: Vec<usize> = (0..n).filter(|u| after[*u] && before[*u]).collect();
        let keeps = |u: &usize| self.is_open(*u) || *u == self.of[self.result];
        if group.len() < 2 || group.iter().any(keeps) {
            return false;
        }
        self.join(vec![(group, label)]);
        true
    }

    /// Turns of the innermost loops first, where a value is computed several times.
    fn a_loop(&mut self, loops: &mut Vec<usize>) -> bool {
        while !loops.is_empty() {
            let which = loops.remove(0);
            let within = |u: &Unit| {
                let steps = u.items.iter().filter(|i| !self.items[**i].source);
                let mut steps = steps.peekable();
                steps.peek().is_some() && steps.all(|i| self.items[*i].loops.contains(&which))
            };
            let inside: Vec<bool> = self.units.iter().map(within).collect();
            if self.around_open(&inside, &Label::Loop(which)) {
                return true;
            }
        }
        false
    }

    fn is_open(&self, unit: usize) -> bool {
        self.units[unit].items.iter().any(|i| self.open[*i])
    }

    /// Folds some boxes: where a module among them is open, those before it and those after it.
    fn around_open(&mut self, inside: &[bool], label: &Label) -> bool {
        let open: Vec<usize> = (0..self.units.len()).filter(|u| self.is_open(*u)).collect();
        let (Some(&first), Some(&last)) = (open.first(), open.last()) else {
            return self.merge(inside.to_vec(), label.clone());
        };
        let part = |keep: &dyn Fn(usize) -> bool| -> Vec<bool> {
            inside.iter().enumerate().map(|(u, inside)| *inside && keep(u)).collect()
        };
        // The later part first: what stands before it keeps its place.
        let later = self.merge(part(&|u| u > last), label.clone());
        let mut earlier = part(&|u| u < first);
        earlier.truncate(self.units.len());
        self.merge(earlier, label.clone()) || later
    }

    /// The middles of all chains.
    fn chains(&mut self) -> bool {
        let links = self.between();
        let n = self.units.len();
        let plain = |u: usize| {
            let ends = self.units[u].items.iter().any(|i| self.items[*i].source);
            !ends || self.units[u].items.len() > 1
        };
        let (mut before, mut after) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for &(a, b) in &links {
            after[a].push(b);
            before[b].push(a);
        }
        let single = |u: usize| plain(u) && before[u].len() == 1 && after[u].len() == 1;
        let mut groups = Vec::new();
        for u in (0..n).filter(|u| single(*u) && !single(before[*u][0])) {
            let mut chain = vec![u];
            while let Some(&next) = chain.last().and_then(|u| after[*u].first())
                && single(next)
            {
                chain.push(next);
            }
            if chain.len() > 2 * ENDS + 1 && !chain.iter().any(|u| self.is_open(*u)) {
                groups.push((chain[ENDS..chain.len() - ENDS].to_vec(), Label::Steps));
            }
        }
        let found = !groups.is_empty();
        self.join(groups);
        found
    }

    /// A module that holds several boxes: the deepest first.
    fn a_module(&mut self, open: Option<&str>) -> bool {
        let mut often: HashMap<String, usize> = HashMap::new();
        for unit in &self.units {
            let mut path = match &unit.label {
                Label::Module(path) => parent(path),
                _ => None,
            };
            while let Some(at) = path {
                *often.entry(at.to_string()).or_default() += 1;
                path = parent(at);
            }
        }
        let opened = |path: &str| open.is_some_and(|o| o == path || is_below(o, path));
        let several = often.into_iter().filter(|(path, n)| *n > 1 && !opened(path));
        let mut several: Vec<String> = several.map(|(path, _)| path).collect();
        several.sort_by_key(|path| (Reverse(path.matches(['.', '[']).count()), path.clone()));
        for path in several {
            let within = |unit: &Unit| match &unit.label {
                Label::Module(own) => is_below(own, &path),
                _ => false,
            };
            let inside: Vec<bool> = self.units.iter().map(within).collect();
            if self.merge(inside, Label::Module(path)) {
                return true;
            }
        }
        false
    }

    /// All but so many boxes at the beginning and at the end; `sources`: also the leaves and constants
    /// among them that are used outside.
    pub fn middle(&mut self, first: usize, last: usize, sources: bool) -> bool {
        let n = self.units.len();
        let within = |u: usize| u >= first && u + last < n;
        let mut used = vec![false; n];
        for (from, to) in self.between() {
            used[from] |= !within(to);
        }
        let source = |u: usize| self.units[u].items.iter().all(|i| self.items[*i].source);
        let keeps = |u: usize| !sources && used[u] && source(u);
        let inside: Vec<bool> = (0..n).map(|u| within(u) && !keeps(u)).collect();
        self.around_open(&inside, &Label::Steps)
    }

    /// Folds until there are at most so many boxes; `loops`: those not tried yet, the innermost first.
    pub fn down_to(&mut self, limit: usize, loops: &mut Vec<usize>, open: Option<&str>) {
        while self.units.len() > limit {
            if self.a_loop(loops) || self.chains() || self.a_module(open) {
                continue;
            }
            let last = (limit.saturating_sub(1)).div_ceil(2).max(1);
            let first = limit.saturating_sub(1 + last);
            self.middle(first, last, false);
            if self.units.len() > limit + last {
                self.middle(first, last, true);
            }
            return;
        }
    }
}

/// Whether a path leads into what another leads to: `net.fc1` lies below `net`.
fn is_below(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.starts_with(['.', '[']))
}

/// `net` of `net.fc1` and of `net[0]`.
pub(super) fn parent(path: &str) -> Option<&str> {
    path.rfind(['.', '[']).map(|at| &path[..at])
}
