//! Selections as they are written: rows by the name of a list, one element of each row, conditions.

use super::super::selection::{Along, Picks, is_diagonal, picks};
use super::super::{Matrix, Node};
use super::{Board, Hold, Lists, Text, atom};
use crate::symbol::formula::Style;
use vjp_tensor::ElementMap;

/// So many places are listed.
pub const FEW: usize = 8;

/// The list of 0 and 1 that says which elements are selected, in their order.
pub fn mask_of<'l>(w: &ElementMap, lists: &'l Lists) -> Option<&'l str> {
    let n: usize = w.from.iter().product();
    let same = |list: &[usize]| {
        let at = list.iter().enumerate().filter(|(_, c)| **c == 1).map(|(k, _)| k);
        list.len() == n && list.iter().all(|c| *c < 2) && at.eq(w.index.iter().copied())
    };
    lists.iter().find(|(_, list)| same(list)).map(|(name, _)| name.as_str())
}

/// What a choice of elements is called that has no name.
const SELECTION: &str = "the elements that are chosen";

/// So many rows or columns of 0.
fn zeros(n: usize) -> String {
    if n == 1 { "0".to_owned() } else { format!("zeros({n})") }
}

/// Whether the places can be listed.
fn few(w: &ElementMap) -> bool {
    w.index.len() <= FEW && !w.index.contains(&ElementMap::NONE)
}

impl Board<'_> {
    /// A list of whole numbers: its name, or itself.
    fn list(&self, list: &[usize]) -> String {
        if let Some((name, _)) = self.lists.iter().find(|(_, known)| known == list) {
            return self.name(name);
        }
        let shown: Vec<String> = list.iter().take(FEW).map(usize::to_string).collect();
        let more = if list.len() > FEW { self.pick(", …", ", ...", r", \dots") } else { "" };
        format!("[{}{more}]", shown.join(", "))
    }

    pub(super) fn picked(&self, x: &Matrix, w: &ElementMap) -> Text {
        let text = |need: Hold| self.exact(x).at_least(need);
        if self.diagonal(w) {
            return self.function("diag", &[text(Hold::Words)]);
        }
        match picks(w) {
            Picks::Order(order) => {
                let order: Vec<String> = order.iter().map(usize::to_string).collect();
                self.function("permute", &[vec![text(Hold::Words)], order].concat())
            }
            Picks::Along(all) => atom(format!("{}[{}]", text(Hold::Atom), self.along(&all))),
            Picks::Rows(rows) => atom(format!("{}[{}]", text(Hold::Atom), self.list(&rows))),
            Picks::Each(list) => {
                let colon = self.pick("i, ", "i, ", "i, ");
                atom(format!("{}[{colon}{}]", text(Hold::Atom), self.list(&list)))
            }
            Picks::Mask(mask) => self.masked(x, &mask, &w.from),
            Picks::Elements => match few(w) {
                true => self.function("pick", &[text(Hold::Words), self.places(w)]),
                false => self.untold(SELECTION),
            },
        }
    }

    /// Where a condition holds: `c ⊙ x`, elsewhere `(1 − c) ⊙ x`.
    fn masked(&self, x: &Matrix, mask: &[bool], to: &[usize]) -> Text {
        let holds = |list: &[usize], turn: bool| {
            list.len() == mask.len()
                && list.iter().zip(mask).all(|(c, m)| (*c == 1) == (*m != turn))
        };
        let named = |turn: bool| self.lists.iter().find(|(_, list)| holds(list, turn));
        let mask = match (named(false), named(true)) {
            (Some((name, _)), _) => self.name(name),
            (None, Some((name, _))) => format!("(1 {} {})", self.minus(), self.name(name)),
            (None, None) => return self.triangle(x, mask, to),
        };
        if x.as_number() == Some(1.0) {
            return atom(mask);
        }
        let dot = self.pick(" ⊙ ", " * ", r" \odot ");
        Text(format!("{mask}{dot}{}", self.of(x).at_least(Hold::Chain)), Hold::Times)
    }

    /// What is kept below or above a diagonal.
    fn triangle(&self, x: &Matrix, mask: &[bool], to: &[usize]) -> Text {
        let [.., m, n] = *to else { return self.untold(SELECTION) };
        let (rows, columns) = (m as i64, n as i64);
        let keeps = |lower: bool, k: i64| {
            let holds = |p: usize| {
                let (i, j) = ((p / n % m) as i64, (p % n) as i64);
                if lower { j - i <= k } else { j - i >= k }
            };
            mask.iter().enumerate().all(|(p, kept)| *kept == holds(p))
        };
        let eye = |(p, kept): (usize, &bool)| *kept == (p / n % m == p % n);
        if mask.iter().enumerate().all(eye) {
            let dot = self.pick(" ⊙ ", " * ", r" \odot ");
            if x.as_number() == Some(1.0) {
                return atom("I");
            }
            return Text(format!("I{dot}{}", self.exact(x).at_least(Hold::Chain)), Hold::Times);
        }
        let all = [(true, "tril"), (false, "triu")].into_iter();
        let mut all =
            all.flat_map(|(lower, name)| (-rows..=columns).map(move |k| (lower, name, k)));
        let Some((_, name, k)) = all.find(|(lower, _, k)| keeps(*lower, *k)) else {
            return self.untold(SELECTION);
        };
        let diagonal = (k != 0).then(|| k.to_string());
        self.function(
            name,
            &[Some(self.exact(x).0), diagonal].into_iter().flatten().collect::<Vec<_>>(),
        )
    }

    /// Parts placed one beside the other: `[a | 0 | b]`, and below each other `[a ; b]`.
    pub(super) fn blocks(&self, terms: &[(f64, Matrix)]) -> Option<Text> {
        let mut parts = Vec::new();
        for (c, t) in terms {
            let Node::Scatter(x, w) = t.node() else { return None };
            let Picks::Along(all) = picks(w) else { return None };
            let mut cut = all.iter().enumerate().filter(|(_, along)| **along != Along::All);
            let (Some((axis, along)), None) = (cut.next(), cut.next()) else { return None };
            let (from, to) = match along {
                Along::One(at) => (*at, at + 1),
                Along::Range(from, to, 1) => (*from, *to),
                _ => return None,
            };
            parts.push((axis, from, to, Matrix::sum(vec![(*c, x.clone())])));
        }
        parts.sort_by_key(|(_, from, ..)| *from);
        let whole = terms.first()?.1.dims();
        let axis = parts.first()?.0;
        let follow = |w: &[(usize, usize, usize, Matrix)]| w[0].0 == w[1].0 && w[0].2 <= w[1].1;
        let fills = parts.windows(2).all(follow);
        let sign = match axis {
            _ if parts.len() < 2 || !fills => return None,
            _ if axis + 1 == whole.len() => self.pick(" | ", " | ", r" \mid "),
            0 => " ; ",
            _ => return None,
        };
        // Nothing is placed in between.
        let (mut each, mut end) = (Vec::new(), 0);
        for (_, from, to, x) in &parts {
            each.extend((*from > end).then(|| zeros(from - end)));
            each.push(self.of(x).0);
            end = *to;
        }
        each.extend((end < whole[axis]).then(|| zeros(whole[axis] - end)));
        Some(atom(match self.style {
            Style::Latex => format!(r"\left[ {} \right]", each.join(sign)),
            _ => format!("[{}]", each.join(sign)),
        }))
    }

    /// The places of a selection, counted from 0.
    pub(super) fn places(&self, w: &ElementMap) -> String {
        if let Some(name) = mask_of(w, self.lists) {
            return self.name(name);
        }
        match picks(w) {
            Picks::Along(all) => {
                return match all.as_slice() {
                    [Along::Some(list)] => self.list(list),
                    _ => format!("[{}]", self.along(&all)),
                };
            }
            Picks::Rows(rows) => return self.list(&rows),
            _ => {}
        }
        let place = |at: &usize| {
            let mut rest = *at;
            let sizes = w.from.iter().rev();
            let mut each: Vec<String> = sizes
                .map(|n| {
                    let own = rest % n.max(&1);
                    rest /= n.max(&1);
                    own.to_string()
                })
                .collect();
            each.reverse();
            if each.len() == 1 { each.concat() } else { format!("({})", each.join(", ")) }
        };
        let more = if w.index.len() > FEW { self.pick(", …", ", ...", r", \dots") } else { "" };
        let shown: Vec<String> = w.index.iter().take(FEW).map(place).collect();
        format!("[{}{more}]", shown.join(", "))
    }

    fn along(&self, all: &[Along]) -> String {
        // `x[2]`, and not `x[2:3]`.
        if let [Along::Range(from, to, 1)] = all
            && from + 1 == *to
        {
            return from.to_string();
        }
        let mut parts: Vec<String> = all
            .iter()
            .map(|along| match along {
                Along::All => ":".to_owned(),
                Along::One(i) => i.to_string(),
                Along::Range(a, b, 1) => format!("{a}:{b}"),
                Along::Range(a, b, step) => format!("{a}:{b}:{step}"),
                Along::Some(list) => self.list(list),
            })
            .collect();
        while parts.len() > 1 && parts.last().is_some_and(|p| p == ":") {
            parts.pop();
        }
        parts.join(", ")
    }

    pub(super) fn placed(&self, x: &Matrix, w: &ElementMap) -> Text {
        if self.diagonal(w) {
            return match x.as_number() {
                Some(1.0) => atom("I"),
                _ => self.function("diag", &[self.of(x).0]),
            };
        }
        let picked = picks(w);
        if let (Picks::Each(list), Some(c)) = (&picked, x.as_number()) {
            let hot = self.function("onehot", &[self.list(list)]);
            return if c == 1.0 {
                hot
            } else {
                Text(format!("{} {}", self.size(c).0, hot.0), Hold::Times)
            };
        }
        let text = self.exact(x);
        match picked {
            Picks::Rows(rows) => {
                let hot = self.function("onehot", &[self.list(&rows)]);
                Text(
                    format!("{} {}", self.top(hot.0, "T"), text.at_least(Hold::Chain)),
                    Hold::Chain,
                )
            }
            Picks::Along(all) => {
                let at = format!("[{}] of {}", self.along(&all), self.size_of(&w.from));
                self.function("place", &[text.0, at])
            }
            Picks::Each(list) => {
                let hot = self.function("onehot", &[self.list(&list)]).0;
                let dot = self.pick(" ⊙ ", " * ", r" \odot ");
                Text(format!("{}{dot}{hot}", text.at_least(Hold::Chain)), Hold::Times)
            }
            Picks::Mask(mask) => self.masked(x, &mask, &w.from),
            Picks::Order(_) | Picks::Elements if few(w) => {
                let at = format!("{} of {}", self.places(w), self.size_of(&w.from));
                self.function("place", &[text.0, at])
            }
            Picks::Order(_) | Picks::Elements => self.untold(SELECTION),
        }
    }

    /// The diagonal, and not what a list of the program picks.
    pub(super) fn diagonal(&self, w: &ElementMap) -> bool {
        let counts = |list: &[usize]| list.iter().enumerate().all(|(k, i)| k == *i);
        let listed = |list: &[usize]| list.len() == w.index.len() && counts(list);
        is_diagonal(w) && !self.lists.iter().any(|(_, list)| listed(list))
    }
}
