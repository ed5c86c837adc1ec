//! Names for parts that formulas share: `2s(s − t)(1 − s)` where `s = σ(w₁x₁ + w₂x₂ + b)`.

use crate::Expr;
use crate::symbol::simplify::added;
use crate::symbol::{Leaf, Node};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Names that parts may get, in turn.
const NAMES: [&str; 24] = [
    "s", "t", "u", "r", "q", "p", "h", "a", "c", "d", "g", "k", "m", "z", "α", "β", "γ", "δ", "η",
    "κ", "λ", "μ", "ρ", "φ",
];

/// Parts of so few nodes are quicker read than looked up.
const SMALLEST: u32 = 4;

/// Formulas of more nodes than this together are left as they are.
const LARGEST: u32 = 50_000;

/// A part with the name that represents it.
#[derive(Clone, Debug)]
pub struct Named {
    pub name: Expr,
    pub part: Expr,
}

/// [`name_parts`] before and after common factors are taken out of the formulas.
pub fn share(
    entries: &mut [Expr],
    fits: &dyn Fn(&Expr) -> bool,
    taken: &dyn Fn(&str) -> bool,
) -> Vec<Named> {
    let mut named = name_parts(entries, &|e| fits(&e.factored()), taken);
    let all = entries.iter().chain(named.iter().map(|n| &n.part));
    let mut all: Vec<Expr> = all.map(Expr::factored).collect();
    let used: Vec<String> = named.iter().filter_map(|n| n.name.letter()).collect();
    let more = name_parts(&mut all, fits, &|name| taken(name) || used.iter().any(|u| u == name));
    let parts = all.split_off(entries.len());
    entries.clone_from_slice(&all);
    named.iter_mut().zip(parts).for_each(|(n, part)| n.part = part);
    named.extend(more);
    named
}

/// Names what occurs again and again in `entries`, one part after the other, while `fits` says of some
/// entry that it is too long. `taken` says which names mean something already.
fn name_parts(
    entries: &mut [Expr],
    fits: &dyn Fn(&Expr) -> bool,
    taken: &dyn Fn(&str) -> bool,
) -> Vec<Named> {
    let mut named: Vec<Named> = Vec::new();
    let mut names = NAMES.iter().filter(|n| !taken(n));
    loop {
        let size: u32 = entries.iter().fold(0, |n, e| n.saturating_add(e.size()));
        let all = entries.iter().chain(named.iter().map(|n| &n.part));
        if size > LARGEST || all.clone().all(fits) {
            break;
        }
        let Some(part) = worthiest(all) else { break };
        let Some(name) = names.next() else { break };
        let leaf = Rc::new(Leaf { shared: true, name: (*name).to_owned(), shape: Vec::new() });
        let name = Expr::var(&leaf, 0);
        for e in entries.iter_mut() {
            *e = replaced(e, &part, &name);
        }
        for n in &mut named {
            n.part = replaced(&n.part, &part, &name);
        }
        named.push(Named { name, part });
    }
    named
}

impl Expr {
    /// The name of a lone variable.
    fn letter(&self) -> Option<String> {
        match self.node() {
            Node::Var(leaf, _) => Some(leaf.name.clone()),
            _ => None,
        }
    }

    /// Adds the names of all leaves in it.
    pub fn letters(&self, names: &mut HashSet<String>) {
        match self.node() {
            Node::Var(leaf, _) => {
                names.insert(leaf.name.clone());
            }
            Node::Sum(terms) => terms.iter().for_each(|(_, t)| t.letters(names)),
            Node::Product(factors) => factors.iter().for_each(|(b, _)| b.letters(names)),
            Node::Call(_, args) => args.iter().for_each(|a| a.letters(names)),
            Node::Const(_) | Node::Unknown => {}
        }
    }
}

/// The part whose name saves most.
fn worthiest<'a>(entries: impl Iterator<Item = &'a Expr>) -> Option<Expr> {
    let mut counts: HashMap<Expr, u32> = HashMap::new();
    for e in entries {
        count(e, &mut counts, true);
    }
    let gain = |e: &Expr, n: u32| u64::from(n - 1) * u64::from(e.size() - 1);
    counts
        .into_iter()
        .filter(|(e, n)| *n > 1 && e.size() >= SMALLEST)
        .max_by(|(a, n), (b, m)| gain(a, *n).cmp(&gain(b, *m)).then_with(|| b.order(a)))
        .map(|(e, _)| e)
}

/// Counts functions and sums inside an expression, each place where one stands; depth is bounded by the
/// expression's. An entry itself is no part.
fn count(e: &Expr, counts: &mut HashMap<Expr, u32>, whole: bool) {
    let part = match e.node() {
        Node::Call(_, args) => !args.is_empty(),
        // `1 − s²` is read as it stands.
        Node::Sum(terms) => terms.iter().filter(|(_, t)| t.as_const().is_none()).count() > 1,
        _ => false,
    };
    if part && !whole {
        *counts.entry(e.clone()).or_default() += 1;
    }
    match e.node() {
        Node::Sum(terms) => terms.iter().for_each(|(_, t)| count(t, counts, false)),
        Node::Product(factors) => factors.iter().for_each(|(b, _)| count(b, counts, false)),
        Node::Call(_, args) => args.iter().for_each(|a| count(a, counts, false)),
        Node::Const(_) | Node::Var(..) | Node::Unknown => {}
    }
}

/// The expression with `name` wherever `part` stood.
fn replaced(e: &Expr, part: &Expr, name: &Expr) -> Expr {
    if e == part {
        return name.clone();
    }
    if e.size() <= part.size() {
        return e.clone();
    }
    match e.node() {
        Node::Const(_) | Node::Var(..) | Node::Unknown => e.clone(),
        Node::Sum(terms) => {
            let (taken, rest) = match part.node() {
                Node::Sum(inner) => taken_out(terms, inner),
                _ => (0.0, terms.clone()),
            };
            let rest = rest.iter().map(|(c, t)| replaced(t, part, name).times(*c));
            Expr::sum(rest.chain([name.times(taken)]))
        }
        Node::Product(factors) => factors.iter().fold(Expr::constant(1.0), |product, (b, x)| {
            product.by(&replaced(b, part, name).power(*x))
        }),
        Node::Call(fun, args) => {
            let args: Vec<Expr> = args.iter().map(|a| replaced(a, part, name)).collect();
            let args: Vec<&Expr> = args.iter().collect();
            Expr::call(fun, &args)
        }
    }
}

/// How often a sum of at least two terms is contained in another, and what is left: no more terms
/// than before.
fn taken_out(terms: &[(f64, Expr)], inner: &[(f64, Expr)]) -> (f64, Vec<(f64, Expr)>) {
    let whole = || (0.0, terms.to_vec());
    let own = |t: &Expr| terms.iter().find(|(_, u)| u == t).map(|(c, _)| *c);
    let ratios: Option<Vec<f64>> = inner.iter().map(|(c, t)| Some(own(t)? / c)).collect();
    let Some(ratios) = ratios.filter(|r| (2..=64).contains(&r.len())) else {
        return whole();
    };
    // The multiple that leaves the fewest terms.
    let often = |r: &f64| ratios.iter().filter(|q| *q == r).count();
    let times = ratios.iter().copied().max_by_key(often).unwrap_or(0.0);
    let left = terms.iter().map(|(c, t)| {
        let within = inner.iter().find(|(_, u)| u == t).map_or(0.0, |(c, _)| *c);
        (added(*c, -times * within), t.clone())
    });
    let left: Vec<(f64, Expr)> = left.filter(|(c, _)| *c != 0.0).collect();
    // Only where it makes the sum shorter.
    match left.len() + 1 < terms.len() {
        true => (times, left),
        false => whole(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::Symbols;
    use crate::symbol::formula::{Style, write};
    use crate::table::{SIGMOID, TANH};

    fn leaf(name: &str) -> Expr {
        Symbols::leaf(name, &[]).data[0].clone()
    }

    fn text(e: &Expr) -> String {
        write(e, Style::Pretty).unwrap()
    }

    #[test]
    fn what_recurs_is_named_once() {
        let (w, x, b) = (leaf("w"), leaf("x"), leaf("b"));
        let s = Expr::call(&SIGMOID, &[&w.by(&x).plus(&b)]);
        let slope = s.by(&Expr::constant(1.0).plus(&s.times(-1.0)));
        let mut entries = [slope.by(&x), slope.by(&w)];
        let named = share(&mut entries, &|e| e.size() < 8, &|_| false);
        assert_eq!(named.len(), 1);
        assert_eq!((text(&named[0].name), text(&named[0].part)), ("s".into(), "σ(wx + b)".into()));
        assert_eq!(entries.map(|e| text(&e)), ["xs·(1 − s)", "ws·(1 − s)"]);
    }

    #[test]
    fn a_sum_within_a_longer_one_is_found() {
        let (a, b, c) = (leaf("w"), leaf("x"), leaf("b"));
        let inner = a.by(&b).plus(&c).plus(&Expr::constant(-1.0));
        let other = a.by(&c).plus(&c.times(1.0)).plus(&b);
        let mut entries = [inner.by(&a), inner.by(&b), inner.plus(&other), inner.times(2.0)];
        let named = share(&mut entries, &|_| false, &|_| false);
        assert_eq!(text(&named[0].part), "wx + b − 1");
        assert_eq!(entries.map(|e| text(&e)), ["ws", "xs", "bw + b + x + s", "2s"]);
    }

    #[test]
    fn a_name_that_is_in_use_is_left_alone() {
        let t = Expr::call(&TANH, &[&leaf("s").plus(&leaf("x"))]);
        let mut entries = [t.by(&t.plus(&leaf("s"))), t.by(&leaf("x"))];
        let named = share(&mut entries, &|_| false, &|name| name == "s");
        assert_eq!(text(&named[0].name), "t");
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        let t = Expr::call(&TANH, &[&leaf("x")]);
        let mut entries = [t.by(&t.plus(&leaf("x")))];
        assert!(share(&mut entries, &|_| true, &|_| false).is_empty());
    }
}
