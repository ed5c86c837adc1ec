//! How expressions are added, multiplied and raised: the rules of school algebra.

use crate::symbol::Node;
use crate::{Expr, Form, Fun, table};
use vjp_tensor::kernels::power::power;

/// Sums of more terms are not multiplied out to see whether they become shorter.
const EXPAND: usize = 6;

impl Expr {
    pub fn is_const(&self, c: f64) -> bool {
        self.as_const() == Some(c)
    }

    /// A function of the table: folded for constants, put into normal form where it is algebra.
    pub fn call(fun: &'static Fun, args: &[&Expr]) -> Expr {
        if args.iter().any(|a| a.is_unknown()) {
            return Expr::unknown();
        }
        if let Some(known) = args.iter().map(|a| a.as_const()).collect::<Option<Vec<_>>>() {
            return Expr::constant((fun.value)(&known));
        }
        match (fun.form, args) {
            (Form::Add, [a, b]) => a.plus(b),
            (Form::Sub, [a, b]) => a.plus(&b.times(-1.0)),
            (Form::ReversedSub, [a, b]) => b.plus(&a.times(-1.0)),
            (Form::Mul, [a, b]) => a.by(b),
            (Form::Div, [a, b]) => a.by(&b.power(-1.0)),
            (Form::Truncated, [a, b]) => Expr::call(&table::TRUNC, &[&a.by(&b.power(-1.0))]),
            (Form::Neg, [a]) => a.times(-1.0),
            (Form::Power(e), [a]) => a.power(e),
            (Form::Pow, [a, b]) => match b.as_const() {
                Some(e) => a.power(e),
                None => Expr::plain(fun, args),
            },
            (Form::Equal, [a, b]) if a == b => Expr::constant(1.0),
            // Which branch stands is known when the condition is, or when both are the same.
            (Form::Where, [c, a, b]) => match c.as_const() {
                Some(0.0) => (*b).clone(),
                Some(_) => (*a).clone(),
                None => {
                    let (a, b) = (a.assuming(c, true), b.assuming(c, false));
                    if a == b { a } else { Expr::plain(fun, &[c, &a, &b]) }
                }
            },
            _ => Expr::plain(fun, args),
        }
    }

    /// This where a condition is known: a branch inside a branch of the same condition stands or falls with it.
    fn assuming(&self, condition: &Expr, holds: bool) -> Expr {
        /// Longer formulas are left as they are.
        const LONGEST: u32 = 64;
        if self.size() > LONGEST {
            return self.clone();
        }
        let known = |e: &Expr| e.assuming(condition, holds);
        match self.node() {
            Node::Call(fun, args) if fun.form == Form::Where && args[0] == *condition => {
                known(&args[if holds { 1 } else { 2 }])
            }
            Node::Call(fun, args) => {
                let args: Vec<Expr> = args.iter().map(known).collect();
                Expr::call(fun, &args.iter().collect::<Vec<_>>())
            }
            Node::Sum(terms) => Expr::sum(terms.iter().map(|(c, t)| known(t).times(*c))),
            Node::Product(factors) => {
                let powers = factors.iter().map(|(base, e)| known(base).power(*e));
                powers.fold(Expr::constant(1.0), |all, factor| all.by(&factor))
            }
            Node::Const(_) | Node::Var(..) | Node::Unknown => self.clone(),
        }
    }

    fn plain(fun: &'static Fun, args: &[&Expr]) -> Expr {
        Expr::build(Node::Call(fun, args.iter().map(|a| (*a).clone()).collect()))
    }

    /// As multiples of terms; a multiple of a sum is multiplied out.
    fn terms(&self) -> Vec<(f64, Expr)> {
        match self.node() {
            Node::Const(0.0) => Vec::new(),
            Node::Const(c) => vec![(*c, Expr::constant(1.0))],
            Node::Sum(terms) => match terms.as_slice() {
                [(c, inner)] if matches!(inner.node(), Node::Sum(_)) => {
                    inner.terms().into_iter().map(|(d, t)| (c * d, t)).collect()
                }
                _ => terms.clone(),
            },
            _ => vec![(1.0, self.clone())],
        }
    }

    fn from_terms(mut terms: Vec<(f64, Expr)>) -> Expr {
        terms.sort_by(|a, b| a.1.order(&b.1));
        let mut out: Vec<(f64, Expr)> = Vec::with_capacity(terms.len());
        for (c, t) in terms {
            match out.last_mut() {
                Some(last) if last.1 == t => last.0 = added(last.0, c),
                _ => out.push((c, t)),
            }
        }
        out.retain(|(c, _)| *c != 0.0);
        match out.as_slice() {
            [] => Expr::constant(0.0),
            [(c, t)] => match t.as_const() {
                Some(d) => Expr::constant(c * d),
                None if *c == 1.0 => t.clone(),
                None => Expr::build(Node::Sum(out)),
            },
            _ => Expr::build(Node::Sum(out)),
        }
    }

    pub fn plus(&self, other: &Expr) -> Expr {
        if self.is_unknown() || other.is_unknown() {
            return Expr::unknown();
        }
        let mut terms = self.terms();
        terms.extend(other.terms());
        let collected = Expr::from_terms(terms);
        let expanded = collected.multiplied_out();
        match expanded {
            Some(e) if e.size() < collected.size() => e,
            _ => collected,
        }
    }

    /// The sum of many, collected once.
    pub fn sum(parts: impl IntoIterator<Item = Expr>) -> Expr {
        let mut terms = Vec::new();
        for part in parts {
            if part.is_unknown() {
                return part;
            }
            terms.extend(part.terms());
        }
        Expr::from_terms(terms)
    }

    /// A sum whose products of sums are multiplied out, where that is little work.
    pub(super) fn multiplied_out(&self) -> Option<Expr> {
        let Node::Sum(terms) = self.node() else {
            return None;
        };
        let product_of_sums = |e: &Expr| match e.node() {
            Node::Product(fs) => fs.iter().any(|(b, e)| open(b, *e)),
            _ => false,
        };
        if terms.len() > EXPAND || !terms.iter().any(|(_, t)| product_of_sums(t)) {
            return None;
        }
        let mut out = Vec::new();
        for (c, t) in terms {
            match t.node() {
                Node::Product(factors) if product_of_sums(t) => {
                    let mut parts = vec![(*c, Expr::constant(1.0))];
                    for (base, e) in factors {
                        if open(base, *e) {
                            for _ in 0..*e as usize {
                                parts = distribute(&parts, &base.terms())?;
                            }
                        } else {
                            parts = distribute(&parts, &[(1.0, base.power(*e))])?;
                        }
                    }
                    out.extend(parts);
                }
                _ => out.push((*c, t.clone())),
            }
        }
        Some(Expr::from_terms(out))
    }

    pub fn times(&self, c: f64) -> Expr {
        match self.node() {
            Node::Unknown => self.clone(),
            Node::Const(d) => Expr::constant(c * d),
            _ if c == 0.0 => Expr::constant(0.0),
            _ if c == 1.0 => self.clone(),
            // 2(x + 1) stays a product; -(x - y) is y - x, and 0.5(2x + 2) is x + 1.
            Node::Sum(terms) if terms.len() > 1 => {
                let whole = |c: f64| c == c.trunc();
                if c == -1.0 || (!whole(c) && terms.iter().all(|(d, _)| whole(c * d))) {
                    Expr::from_terms(terms.iter().map(|(d, t)| (c * d, t.clone())).collect())
                } else {
                    Expr::build(Node::Sum(vec![(c, self.clone())]))
                }
            }
            Node::Sum(terms) => match terms.as_slice() {
                [(d, t)] if matches!(t.node(), Node::Sum(_)) => t.times(c * d),
                _ => Expr::from_terms(terms.iter().map(|(d, t)| (c * d, t.clone())).collect()),
            },
            _ => Expr::build(Node::Sum(vec![(c, self.clone())])),
        }
    }

    /// As a number times powers.
    fn factors(&self) -> (f64, Vec<(Expr, f64)>) {
        match self.node() {
            Node::Const(c) => (*c, Vec::new()),
            Node::Product(factors) => (1.0, factors.clone()),
            Node::Sum(terms) => match terms.as_slice() {
                [(c, t)] => (*c, t.factors().1),
                _ => (1.0, vec![(self.clone(), 1.0)]),
            },
            _ => (1.0, vec![(self.clone(), 1.0)]),
        }
    }

    fn from_factors(mut c: f64, mut factors: Vec<(Expr, f64)>) -> Expr {
        while let Some((first, second)) = alike(&factors) {
            let ((a, e), (b, f)) = (factors.remove(second), factors.remove(first));
            let ((base, x), (_, z)) = (powered(&a), powered(&b));
            let joined = Expr::call(&table::POW, &[&base, &x.times(e).plus(&z.times(f))]).factors();
            c *= joined.0;
            factors.extend(joined.1);
        }
        factors.sort_by(|a, b| a.0.order(&b.0));
        let mut out: Vec<(Expr, f64)> = Vec::with_capacity(factors.len());
        let mut exponent: Option<Expr> = None;
        for (base, e) in factors {
            // e^a · e^b = e^(a + b)
            if let Node::Call(fun, args) = base.node()
                && matches!(fun.form, Form::Exp)
            {
                let add = args[0].times(e);
                exponent = Some(exponent.map_or(add.clone(), |sum| sum.plus(&add)));
                continue;
            }
            match out.last_mut() {
                Some(last) if last.0 == base => last.1 += e,
                _ => out.push((base, e)),
            }
        }
        out.retain(|(_, e)| *e != 0.0);
        if let Some(exponent) = exponent {
            let exp = Expr::call(&table::EXP, &[&exponent]);
            if !exp.is_const(1.0) {
                let at = out.partition_point(|(b, _)| b.order(&exp).is_lt());
                out.insert(at, (exp, 1.0));
            }
        }
        match out.as_slice() {
            [] => Expr::constant(c),
            [(base, 1.0)] => base.times(c),
            _ => Expr::build(Node::Product(out)).times(c),
        }
    }

    pub fn by(&self, other: &Expr) -> Expr {
        match (self.as_const(), other.as_const()) {
            _ if self.is_unknown() || other.is_unknown() => Expr::unknown(),
            (Some(c), _) => other.times(c),
            (_, Some(c)) => self.times(c),
            _ => {
                let ((c, mut factors), (d, more)) = (self.factors(), other.factors());
                factors.extend(more);
                Expr::from_factors(c * d, factors)
            }
        }
    }

    pub fn power(&self, e: f64) -> Expr {
        let whole = e == e.trunc();
        match self.node() {
            Node::Unknown => self.clone(),
            Node::Const(c) => Expr::constant(power(*c, e)),
            _ if e == 0.0 => Expr::constant(1.0),
            _ if e == 1.0 => self.clone(),
            Node::Product(factors) if whole => {
                Expr::from_factors(1.0, factors.iter().map(|(b, f)| (b.clone(), f * e)).collect())
            }
            Node::Sum(terms) => match terms.as_slice() {
                [(c, t)] if whole || *c > 0.0 => t.power(e).times(power(*c, e)),
                _ => Expr::build(Node::Product(vec![(self.clone(), e)])),
            },
            Node::Call(fun, _) if matches!(fun.form, Form::Exp) => {
                Expr::from_factors(1.0, vec![(self.clone(), e)])
            }
            _ => Expr::build(Node::Product(vec![(self.clone(), e)])),
        }
    }
}

/// Base and exponent.
fn powered(e: &Expr) -> (Expr, Expr) {
    match e.node() {
        Node::Call(fun, args) if fun.form == Form::Pow => (args[0].clone(), args[1].clone()),
        _ => (e.clone(), Expr::constant(1.0)),
    }
}

/// Two factors of one base, of which one is to a power with letters: x · x^(x − 1) = x^x.
fn alike(factors: &[(Expr, f64)]) -> Option<(usize, usize)> {
    let bases: Vec<Option<Expr>> = factors.iter().map(|(e, _)| Some(powered(e).0)).collect();
    let is_power = |k: usize| bases[k].as_ref() != Some(&factors[k].0);
    let power = (0..factors.len()).find(|k| {
        is_power(*k) && bases.iter().enumerate().any(|(j, base)| j != *k && *base == bases[*k])
    })?;
    let other = (0..factors.len()).find(|j| *j != power && bases[*j] == bases[power])?;
    Some((power.min(other), power.max(other)))
}

/// The sum of two coefficients: ⅔ and −⅔ add up to 0, however each was rounded on its way.
pub(crate) fn added(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if sum.abs() <= 4.0 * f64::EPSILON * a.abs() { 0.0 } else { sum }
}

/// Whether a power of a sum may be multiplied out.
fn open(base: &Expr, e: f64) -> bool {
    match base.node() {
        Node::Sum(terms) => (e == 1.0 || e == 2.0) && terms.len() <= EXPAND,
        _ => false,
    }
}

fn distribute(a: &[(f64, Expr)], b: &[(f64, Expr)]) -> Option<Vec<(f64, Expr)>> {
    if a.len() * b.len() > EXPAND * EXPAND {
        return None;
    }
    Some(
        a.iter()
            .flat_map(|(c, s)| b.iter().map(move |(d, t)| (c * d, s.by(t))))
            .flat_map(|(c, e)| e.terms().into_iter().map(move |(d, t)| (c * d, t)))
            .collect(),
    )
}
