//! Formulas as a person writes them: what all terms share stands before a bracket,
//! `2w(wh − t)(1 − h²)`, not `(2w²h − 2wt)(1 − h²)`.

use crate::symbol::Node;
use crate::{Expr, Form, table};

/// Sums of more terms are left as they are.
const TERMS: usize = 24;

/// A number is taken for a fraction of this denominator.
const FRACTION: f64 = 24.0;

/// Denominators that are tried for a common fraction.
const DENOMINATORS: i64 = 120;

/// A multiple of a product of powers; `e^(a + b)` counts as `e^a` times `e^b`.
#[derive(Clone)]
struct Term {
    times: f64,
    powers: Vec<(Expr, f64)>,
}

impl Expr {
    /// The same with common factors taken out of its sums.
    pub fn factored(&self) -> Expr {
        self.taken_apart().joined()
    }

    fn taken_apart(&self) -> Expr {
        match self.node() {
            Node::Sum(terms) if (2..=TERMS).contains(&terms.len()) => {
                let each = terms.iter().map(|(c, t)| t.factored().times(*c));
                let parts: Vec<Term> = each.map(|t| Term::of(&t)).collect();
                let (outer, inner) = taken_out(&parts);
                if let Some(whole) = one_fraction(&outer, &inner) {
                    return whole;
                }
                let rest = Expr::sum(inner.iter().map(Term::expr));
                match outer.is_one() {
                    true => grouped(&parts).unwrap_or_else(|| self.clone()),
                    false => outer.expr().by(&grouped(&inner).unwrap_or(rest)),
                }
            }
            Node::Sum(terms) => match terms.as_slice() {
                [(c, t)] => t.factored().times(*c),
                _ => self.clone(),
            },
            Node::Product(factors) => factors
                .iter()
                .fold(Expr::constant(1.0), |all, (base, e)| all.by(&base.factored().power(*e))),
            _ => self.clone(),
        }
    }
}

impl Expr {
    /// `e^(a + b)` for `403.4…e^(a + b − 6)`: a number that an exponent's constant takes back.
    fn joined(&self) -> Expr {
        let (c, product) = match self.node() {
            Node::Sum(terms) => match terms.as_slice() {
                [(c, t)] => (*c, t.clone()),
                _ => return self.clone(),
            },
            _ => (1.0, self.clone()),
        };
        let factors = match product.node() {
            Node::Product(factors) => factors.clone(),
            _ => vec![(product.clone(), 1.0)],
        };
        for (k, (base, e)) in factors.iter().enumerate() {
            let Node::Call(fun, args) = base.node() else { continue };
            let constant = addends(&args[0]).into_iter().find_map(|(c, t)| Some(c * t.as_const()?));
            let Some(by) = constant.filter(|_| fun.form == Form::Exp) else { continue };
            let times = c * (by * e).exp();
            let near = (times * FRACTION).round() / FRACTION;
            if near == 0.0 || (times - near).abs() > 1e-9 * near.abs() {
                continue;
            }
            let exponent = args[0].plus(&Expr::constant(-by)).times(*e);
            let others = factors.iter().enumerate().filter(|(j, _)| *j != k);
            let rest = others.fold(Expr::constant(1.0), |all, (_, (b, e))| all.by(&b.power(*e)));
            return rest.by(&Expr::call(&table::EXP, &[&exponent])).times(near);
        }
        self.clone()
    }
}

impl Term {
    fn of(e: &Expr) -> Term {
        let (times, product) = match e.node() {
            Node::Const(c) => return Term { times: *c, powers: Vec::new() },
            Node::Sum(terms) => match terms.as_slice() {
                [(c, t)] => (*c, t.clone()),
                _ => (1.0, e.clone()),
            },
            _ => (1.0, e.clone()),
        };
        let factors = match product.node() {
            Node::Product(factors) => factors.clone(),
            _ => vec![(product, 1.0)],
        };
        let mut term = Term { times, powers: Vec::new() };
        for (base, e) in factors {
            match base.node() {
                Node::Call(fun, args) if matches!(fun.form, Form::Exp) => {
                    for (c, t) in addends(&args[0]) {
                        term.raise(Expr::call(&table::EXP, &[&t]), c * e);
                    }
                }
                _ => term.raise(base, e),
            }
        }
        term
    }

    fn raise(&mut self, base: Expr, e: f64) {
        match self.powers.iter_mut().find(|(b, _)| *b == base) {
            Some((_, known)) => *known += e,
            None => self.powers.push((base, e)),
        }
    }

    fn power(&self, base: &Expr) -> f64 {
        self.powers.iter().find(|(b, _)| b == base).map_or(0.0, |(_, e)| *e)
    }

    fn expr(&self) -> Expr {
        let powers = self.powers.iter().filter(|(_, e)| *e != 0.0);
        let product = powers.fold(Expr::constant(1.0), |all, (b, e)| all.by(&b.power(*e)));
        product.times(self.times)
    }

    fn is_one(&self) -> bool {
        self.times == 1.0 && self.powers.is_empty()
    }
}

/// The addends of an exponent; a constant is one of them.
fn addends(e: &Expr) -> Vec<(f64, Expr)> {
    match e.node() {
        Node::Sum(terms) => terms.clone(),
        _ => vec![(1.0, e.clone())],
    }
}

/// What all terms share, and what is left of each.
fn taken_out(terms: &[Term]) -> (Term, Vec<Term>) {
    let mut outer = Term { times: 1.0, powers: Vec::new() };
    let Some((first, others)) = terms.split_first() else {
        return (outer, Vec::new());
    };
    for (base, e) in &first.powers {
        let all = || others.iter().map(|t| t.power(base)).chain([*e]);
        // The power nearest to zero, where all are on its side.
        let least = all().min_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(0.0);
        if least != 0.0 && all().all(|x| x * least > 0.0) {
            outer.powers.push((base.clone(), least));
        }
    }
    let times = shared(terms);
    outer.times = times.as_ref().map_or(1.0, |(common, _)| *common);
    let left = terms.iter().enumerate().map(|(k, term)| {
        let powers = term.powers.iter().map(|(b, e)| (b.clone(), e - outer.power(b)));
        let times = times.as_ref().map_or(term.times, |(_, left)| left[k] as f64);
        Term { times, powers: powers.filter(|(_, e)| *e != 0.0).collect() }
    });
    let left = left.collect();
    (outer, left)
}

/// The quotient rule: `(1 − x/(x + 1))/(x + 1)` is `1/(x + 1)²`. A sum in a fraction whose terms are fractions
/// with the same below the line becomes one fraction, where that is no longer.
fn one_fraction(outer: &Term, inner: &[Term]) -> Option<Expr> {
    let below = |base: &Expr| inner.iter().map(|t| -t.power(base)).fold(0.0, f64::max);
    let (base, _) = outer.powers.iter().find(|(base, e)| *e < 0.0 && below(base) > 0.0)?;
    let common = base.power(below(base));
    let sum = Expr::sum(inner.iter().map(|t| t.expr().by(&common)));
    let short = |e: &Expr| e.size() < sum.size();
    let above = sum.multiplied_out().filter(short).unwrap_or_else(|| sum.clone());
    let whole = outer.expr().by(&common.power(-1.0)).by(&above.factored());
    let before = outer.expr().by(&Expr::sum(inner.iter().map(Term::expr)));
    (!whole.is_unknown() && letters(&whole) <= letters(&before)).then_some(whole)
}

/// The greatest number that all coefficients are whole multiples of, and the multiples: a fraction, or one of
/// the coefficients.
fn shared(terms: &[Term]) -> Option<(f64, Vec<i64>)> {
    let close = |x: f64| (x - x.round()).abs() <= 4.0 * f64::EPSILON * x.abs() && x.abs() < 1e9;
    let fits = |q: f64| terms.iter().all(|t| close(t.times * q));
    let least = terms.iter().map(|t| t.times.abs()).fold(f64::INFINITY, f64::min);
    let fraction = (1..=DENOMINATORS).find(|q| fits(*q as f64));
    let q = fraction.map_or(1.0 / least, |q| q as f64);
    if !fits(q) {
        return None;
    }
    let whole: Vec<i64> = terms.iter().map(|t| (t.times * q).round() as i64).collect();
    let mut common = whole.iter().fold(0, |d, n| divisor(d, *n));
    if common == 0 {
        return None;
    }
    if whole.iter().all(|n| *n < 0) {
        common = -common;
    }
    let left: Vec<i64> = whole.iter().map(|n| n / common).collect();
    // Only where it saves a number: ½(1/√x + 2y) is not simpler than 1/(2√x) + y.
    let numbers = terms.iter().filter(|t| t.times.abs() != 1.0).count();
    if left.iter().filter(|n| n.abs() != 1).count() + 1 > numbers {
        return None;
    }
    let common = common as f64;
    Some((if fraction.is_some() { common / q } else { common * least }, left))
}

fn divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { divisor(b, a % b) }
}

/// A sum in which a function is a factor of several terms: `w(1 − tanh(w)²) + tanh(w)`.
fn grouped(terms: &[Term]) -> Option<Expr> {
    let whole = || Expr::sum(terms.iter().map(Term::expr));
    let bases = terms.iter().flat_map(|t| t.powers.iter().map(|(b, _)| b));
    let mut seen: Vec<&Expr> = Vec::new();
    for base in bases {
        if !seen.contains(&base) {
            seen.push(base);
        }
    }
    let mut best: Option<Expr> = None;
    for base in seen {
        // A polynomial stays as it is: 3x² + 12x beside x(1 − tanh(x)²).
        let called = |t: &Term| t.powers.iter().any(|(b, _)| is_function(b));
        let joins = |t: &Term| t.power(base) > 0.0 && (called(t) || t.powers.len() == 1);
        let joins = |t: &Term| joins(t) && (called(t) || t.power(base) == 1.0);
        let (with, without): (Vec<Term>, Vec<Term>) = terms.iter().cloned().partition(joins);
        if with.len() < 2 || without.is_empty() || !with.iter().any(called) {
            continue;
        }
        let (outer, inner) = taken_out(&with);
        let product = outer.expr().by(&Expr::sum(inner.iter().map(Term::expr)));
        let rest = grouped(&without).unwrap_or_else(|| Expr::sum(without.iter().map(Term::expr)));
        let found = together(&product, &rest);
        let least = best.as_ref().map_or_else(|| letters(&whole()), letters);
        if found.as_ref().is_some_and(|f| letters(f) < least) {
            best = found;
        }
    }
    best
}

/// How many letters are read in it.
fn letters(e: &Expr) -> usize {
    match e.node() {
        Node::Var(..) => 1,
        Node::Sum(terms) => terms.iter().map(|(_, t)| letters(t)).sum(),
        Node::Product(factors) => factors.iter().map(|(b, _)| letters(b)).sum(),
        Node::Call(_, args) => args.iter().map(letters).sum(),
        Node::Const(_) | Node::Unknown => 0,
    }
}

fn is_function(e: &Expr) -> bool {
    matches!(e.node(), Node::Call(..))
}

/// A sum that is not multiplied out.
fn together(a: &Expr, b: &Expr) -> Option<Expr> {
    let sum = Expr::sum([a.clone(), b.clone()]);
    (!sum.is_unknown()).then_some(sum)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::Symbols;
    use crate::symbol::formula::{Style, write};
    use crate::table::{EXP, TANH};

    fn leaf(name: &str) -> Expr {
        Symbols::leaf(name, &[]).data[0].clone()
    }

    fn text(e: &Expr) -> String {
        write(&e.factored(), Style::Pretty).unwrap()
    }

    fn one() -> Expr {
        Expr::constant(1.0)
    }

    #[test]
    fn what_all_terms_share_stands_before_the_bracket() {
        let (w, h, t) = (leaf("w"), leaf("h"), leaf("t"));
        let sum = w.by(&w).by(&h).times(2.0).plus(&w.by(&t).times(-2.0));
        assert_eq!(text(&sum), "2w·(hw − t)");
        assert_eq!(text(&sum.by(&one().plus(&h.by(&h).times(-1.0)))), "2w·(1 − h²)(hw − t)");
        let thirds = w.times(4.0 / 3.0).plus(&h.times(-2.0 / 3.0)).plus(&t.times(-2.0 / 3.0));
        assert_eq!(text(&thirds), "2(2w − h − t)/3");
        assert_eq!(text(&w.times(-2.0).plus(&h.times(-6.0))), "−2(3h + w)");
    }

    #[test]
    fn a_function_is_collected_and_a_polynomial_is_not() {
        let x = leaf("x");
        let t = Expr::call(&TANH, &[&x]);
        let slope = x.plus(&x.by(&t.power(2.0)).times(-1.0)).plus(&t);
        assert_eq!(text(&slope), "x·(1 − tanh(x)²) + tanh(x)");
        let polynomial = x.power(2.0).times(3.0).plus(&x.times(12.0)).plus(&Expr::constant(11.0));
        assert_eq!(text(&polynomial), "3x² + 12x + 11");
    }

    #[test]
    fn softmax_is_one_fraction() {
        let (a, b) = (leaf("a"), leaf("b"));
        let [e, f] = [&a, &b].map(|x| Expr::call(&EXP, &[x]));
        let sum = e.plus(&f);
        let p = e.by(&sum.power(-1.0));
        let slope = p.plus(&p.by(&p).times(-1.0));
        assert_eq!(text(&slope), "e^(a + b)/(e^a + e^b)²");
    }

    #[test]
    fn a_shift_of_all_exponents_cancels() {
        let [e, f] = ["a", "b"].map(|x| Expr::call(&EXP, &[&leaf(x).plus(&Expr::constant(-3.0))]));
        let sum = e.plus(&f);
        let slope = e.by(&f).by(&sum.power(-2.0)).times(-1.0);
        assert_eq!(text(&slope), "−e^(a + b)/(e^a + e^b)²");
    }

    #[test]
    fn the_value_stays() {
        let (a, b) = (leaf("a"), leaf("b"));
        let t = Expr::call(&TANH, &[&a]);
        let e = Expr::call(&EXP, &[&a.plus(&b)]);
        let sums = [
            a.by(&t).times(0.3).plus(&t.by(&t).by(&a).times(0.6)).plus(&b),
            e.plus(&e.by(&e).times(-1.0)).plus(&e.by(&a)),
            a.power(-1.0).plus(&a.power(-2.0).by(&b)).plus(&a.power(-2.0).times(5.0)),
        ];
        let value = |leaf: &crate::symbol::Leaf, _: usize| match leaf.name.as_str() {
            "a" => 0.7,
            _ => -1.3,
        };
        for sum in sums {
            let (before, after) = (sum.evaluate(&value), sum.factored().evaluate(&value));
            assert!((before - after).abs() < 1e-12, "{} is not {}", text(&sum), before);
        }
    }
}
