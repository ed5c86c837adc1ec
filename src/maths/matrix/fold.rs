//! Formulas put in order: multiples before sums, like terms and common factors collected, transposes
//! pushed into products, broadcasts left to the operation that needs them.

use super::array::broadcast;
use super::selection::{Picks, copies, inverse, is_diagonal, is_swap, picks, turned};
use super::{Matrix, Node};
use crate::{Algebra, Form, Fun, table};
use std::collections::HashMap;
use vjp_tensor::{ElementMap, Tensor};

/// `xᵉ`, element by element.
pub(super) fn raised(x: &Tensor, e: f64) -> Tensor {
    match e {
        1.0 => x.clone(),
        2.0 => Tensor::call(&table::SQUARE, &[x]),
        0.5 => Tensor::call(&table::SQRT, &[x]),
        -1.0 => Tensor::call(&table::RECIPROCAL, &[x]),
        _ => Tensor::call(&table::POW, &[x, &x.lift(e)]),
    }
}

/// Whether a sum has this term.
fn has_term(sum: &Matrix, term: &Matrix) -> bool {
    matches!(sum.node(), Node::Sum(terms) if terms.iter().any(|(_, t)| t == term))
}

impl Matrix {
    /// Broadcast to this shape.
    pub fn fit(&self, to: &[usize]) -> Matrix {
        match self.node() {
            _ if self.dims() == to => self.clone(),
            Node::Number(c) => Matrix::number(*c, to),
            Node::Expand(x) => x.fit(to),
            Node::Sum(terms) if terms.len() == 1 => terms[0].1.fit(to).multiple(terms[0].0),
            _ => Matrix::build(Node::Expand(self.clone()), to),
        }
    }

    /// Without a broadcast that the operation around it does anyway.
    fn narrow(&self) -> Matrix {
        match self.node() {
            Node::Expand(x) => x.clone(),
            Node::Number(c) => Matrix::number(*c, &[]),
            _ => self.clone(),
        }
    }

    /// As a number times the rest.
    pub fn parted(&self) -> (f64, Matrix) {
        match self.node() {
            Node::Number(c) => (*c, Matrix::number(1.0, self.dims())),
            Node::Sum(terms) if terms.len() == 1 => terms[0].clone(),
            _ => (1.0, self.clone()),
        }
    }

    pub fn multiple(&self, c: f64) -> Matrix {
        match self.node() {
            _ if c == 1.0 => self.clone(),
            _ if c == 0.0 => Matrix::number(0.0, self.dims()),
            Node::Number(d) => Matrix::number(c * d, self.dims()),
            Node::Sum(terms) if terms.len() == 1 => terms[0].1.multiple(c * terms[0].0),
            Node::Sum(terms) if c == -1.0 => {
                let turned = terms.iter().map(|(d, t)| (-d, t.clone())).collect();
                Matrix::build(Node::Sum(turned), self.dims())
            }
            _ => Matrix::build(Node::Sum(vec![(c, self.clone())]), self.dims()),
        }
    }

    pub fn sum(given: Vec<(f64, Matrix)>) -> Matrix {
        let to = broadcast(given.iter().map(|(_, t)| t));
        let alone = |m: Matrix| single(m, &to);
        let mut terms: Vec<(f64, Matrix)> = Vec::new();
        let mut add = |c: f64, t: Matrix| {
            let (d, t) = t.narrow().parted();
            let (c, t) = (c * d, alone(t.narrow()));
            match terms.iter_mut().find(|(_, known)| *known == t) {
                Some(known) => known.0 = crate::symbol::simplify::added(known.0, c),
                None => terms.push((c, t)),
            }
        };
        for (c, t) in given {
            let (d, inner) = t.narrow().parted();
            match inner.node() {
                Node::Sum(parts) if (c * d).abs() == 1.0 => {
                    parts.iter().for_each(|(e, part)| add(c * d * e, part.clone()));
                }
                _ => add(c * d, inner),
            }
        }
        terms.retain(|(c, _)| *c != 0.0);
        match terms.as_slice() {
            [] => return Matrix::number(0.0, &to),
            [(c, t)] => return t.multiple(*c).fit(&to),
            _ => {}
        }
        if let Some(done) = collected(&terms) {
            return done.fit(&to);
        }
        let size = terms[0].0.abs();
        let own = broadcast(terms.iter().map(|(_, t)| t));
        if size != 1.0 && terms.iter().all(|(c, _)| (c.abs() - size).abs() <= 1e-15 * size) {
            let alike = terms.iter().map(|(c, t)| (c.signum(), t.clone())).collect();
            return Matrix::build(Node::Sum(alike), &own).multiple(size).fit(&to);
        }
        Matrix::build(Node::Sum(terms), &own).fit(&to)
    }

    pub fn power(&self, e: f64) -> Matrix {
        match self.as_number() {
            Some(c) => Matrix::number(c.powf(e), self.dims()),
            None if e == 0.0 => Matrix::number(1.0, self.dims()),
            None if e == 1.0 => self.clone(),
            None => Matrix::times(vec![(self.clone(), e)]),
        }
    }

    pub fn times(given: Vec<(Matrix, f64)>) -> Matrix {
        let to = broadcast(given.iter().map(|(t, _)| t));
        let alone = |m: Matrix| single(m, &to);
        let mut c = 1.0;
        let mut factors: Vec<(Matrix, f64)> = Vec::new();
        let mut add = |t: Matrix, e: f64| match factors.iter_mut().find(|(known, _)| *known == t) {
            Some(known) => known.1 += e,
            None => factors.push((t, e)),
        };
        for (t, e) in given {
            let (d, t) = t.narrow().parted();
            let whole = e == e.trunc();
            if d == 0.0 && e > 0.0 {
                return Matrix::number(0.0, &to);
            }
            let t = alone(t.narrow());
            if !(whole || d > 0.0) {
                add(t.multiple(d), e);
                continue;
            }
            c *= raised(&Tensor::scalar(d), e).data()[0];
            match t.node() {
                Node::Number(d) => c *= raised(&Tensor::scalar(*d), e).data()[0],
                Node::Times(parts) if whole => {
                    parts.iter().for_each(|(part, f)| add(part.clone(), e * f));
                }
                _ => add(t, e),
            }
        }
        factors.retain(|(_, e)| *e != 0.0);
        // y (1 − y), as people write it.
        for later in 1..factors.len() {
            let term = factors[later].0.clone();
            if let Some(sum) = factors[..later].iter().position(|(t, _)| has_term(t, &term)) {
                factors[sum..=later].rotate_right(1);
            }
        }
        match factors.as_slice() {
            [] => Matrix::number(c, &to),
            [(t, 1.0)] => t.multiple(c).fit(&to),
            _ => {
                if let Some(done) = outer(&factors) {
                    return done.multiple(c).fit(&to);
                }
                let own = broadcast(factors.iter().map(|(t, _)| t));
                Matrix::build(Node::Times(factors), &own).multiple(c).fit(&to)
            }
        }
    }

    /// A function of the table that is not arithmetic.
    pub(super) fn called(fun: &'static Fun, args: &[&Matrix]) -> Matrix {
        let known: Option<Vec<f64>> = args.iter().map(|a| a.as_number()).collect();
        let to = broadcast(args.iter().copied());
        if let Some(known) = known {
            return Matrix::number((fun.value)(&known), &to);
        }
        let args: Vec<Matrix> = args.iter().map(|a| a.narrow()).collect();
        let own = broadcast(args.iter());
        let made =
            match (fun.form, args.as_slice()) {
                (Form::Exp, [x]) if is_call(x, "log") => x.node().parts()[0].clone(),
                (Form::Where, [_, a, b]) if a == b => a.clone(),
                (Form::Where, [c, a, b]) if c.as_number().is_some() => {
                    if c.as_number() == Some(0.0) { b.clone() } else { a.clone() }
                }
                // What is agreed at one point, and what keeps a logarithm or a divisor from it.
                (Form::Where, [c, a, b]) if is_call(c, "equal") && a.as_number().is_some() => {
                    b.clone()
                }
                (Form::Where, [c, a, b]) if guards(c, a, b) => a.clone(),
                (Form::Step, [x]) if x.parted().0 > 0.0 && x.parted().0 != 1.0 => {
                    Matrix::called(fun, &[&x.parted().1])
                }
                (Form::Equal, [a, b]) if a == b => Matrix::number(1.0, &own),
                _ => Matrix::build(Node::Call(fun, args), &own),
            };
        made.fit(&to)
    }

    pub fn product(given: Vec<Matrix>) -> Matrix {
        if let Some(done) = batched(&given).or_else(|| flattened(&given)) {
            return done;
        }
        let mut c = 1.0;
        let mut chain: Vec<Matrix> = Vec::new();
        let mut single: Vec<(Matrix, f64)> = Vec::new();
        let to = product_shape(&given);
        let many = given.len() > 1;
        let unit = given.iter().find(|m| is_unit(m)).cloned();
        for part in given {
            let (d, part) = part.parted();
            c *= d;
            match part.node() {
                _ if part.dims() == [1, 1] => single.push((part, 1.0)),
                Node::Expand(x) if x.numel() == 1 => {
                    single.push((x.reshaped(&[]), 1.0));
                    chain.push(Matrix::number(1.0, part.dims()));
                }
                _ if is_unit(&part) && many => {}
                Node::Product(parts) => chain.extend(parts.iter().cloned()),
                // A number for each row or for all leaves the chain.
                Node::Times(factors) if factors.iter().any(|(t, _)| t.numel() == 1) => {
                    let (few, rest): (Vec<_>, Vec<_>) =
                        factors.iter().cloned().partition(|(t, _)| t.numel() == 1);
                    single.extend(few.iter().map(|(t, e)| (t.reshaped(&[]), *e)));
                    chain.push(Matrix::times(rest).fit(part.dims()));
                }
                _ => chain.push(part),
            }
        }
        if chain.is_empty() {
            chain.extend(unit.or_else(|| Some(Matrix::number(1.0, &to))));
        }
        let made = match ones(&chain) {
            Some(made) => made,
            None if chain.len() == 1 => chain.remove(0),
            None => Matrix::build(Node::Product(chain), &to),
        };
        single.insert(0, (made, 1.0));
        Matrix::times(single).multiple(c).fit(&to)
    }

    pub fn transposed(&self) -> Matrix {
        let rank = self.dims().len();
        if rank < 2 {
            return self.clone();
        }
        let mut to = self.dims().to_vec();
        to.swap(rank - 2, rank - 1);
        match self.node() {
            Node::Number(c) => Matrix::number(*c, &to),
            Node::Swap(x) => x.clone(),
            Node::Scatter(_, w) if is_diagonal(w) => self.clone(),
            Node::Sum(terms) if terms.iter().all(|(_, t)| t.dims() == self.dims()) => {
                Matrix::sum(terms.iter().map(|(c, t)| (*c, t.transposed())).collect())
            }
            Node::Product(parts) => {
                Matrix::product(parts.iter().rev().map(Matrix::transposed).collect())
            }
            Node::Times(factors)
                if factors.iter().all(|(t, _)| t.dims() == self.dims() || t.numel() == 1) =>
            {
                let turned = factors.iter().map(|(t, e)| match t.numel() {
                    1 => (t.clone(), *e),
                    _ => (t.transposed(), *e),
                });
                Matrix::times(turned.collect()).fit(&to)
            }
            Node::Expand(x) if x.dims().len() == rank => x.transposed().fit(&to),
            Node::Expand(x) if x.dims().len() == 1 && rank == 2 => {
                x.reshaped(&[x.numel(), 1]).fit(&to)
            }
            Node::Expand(x) if x.numel() == 1 => x.fit(&to),
            _ if is_unit(self) => self.clone(),
            Node::Run(op, args) if op.name() == "inverse" && args[0].transposed() == args[0] => {
                self.clone()
            }
            _ if to[rank - 2..].contains(&1) => self.reshaped(&to),
            _ => Matrix::build(Node::Swap(self.clone()), &to),
        }
    }

    pub fn reshaped(&self, to: &[usize]) -> Matrix {
        if self.dims() == to {
            return self.clone();
        }
        match self.node() {
            Node::Number(c) => Matrix::number(*c, to),
            Node::Reshape(x) => x.reshaped(to),
            Node::Sum(terms) if terms.len() == 1 => terms[0].1.reshaped(to).multiple(terms[0].0),
            Node::Expand(x) if x.numel() == 1 => x.reshaped(&[]).fit(to),
            Node::Expand(x) if stripped(self.dims()) == stripped(to) => {
                let gone = self.dims().len() - stripped(self.dims()).len();
                let gone = (x.dims().len() + gone).saturating_sub(self.dims().len());
                x.reshaped(&x.dims()[gone..]).fit(to)
            }
            // A column as a row, or a row as a column.
            Node::Product(_)
                if to.contains(&1) && self.dims().contains(&1) && turns(self.dims(), to) =>
            {
                self.transposed()
            }
            // A row before a matrix is the transposed matrix before a column.
            Node::Product(_) if to.len() == 1 && self.dims() == [1, to[0]] && to[0] != 1 => {
                self.transposed().reshaped(to)
            }
            Node::Times(factors) if factors.iter().any(|(t, _)| t.numel() == 1) => {
                let same = |t: &Matrix| t.dims() == self.dims() || t.numel() == 1;
                if !factors.iter().all(|(t, _)| same(t)) {
                    return Matrix::build(Node::Reshape(self.clone()), to);
                }
                let turned = factors.iter().map(|(t, e)| match t.numel() {
                    1 => (t.reshaped(&[]), *e),
                    _ => (t.reshaped(to), *e),
                });
                Matrix::times(turned.collect()).fit(to)
            }
            Node::Collapse(x) if self.numel() == 1 && to.is_empty() => x.summed(&[]),
            _ => Matrix::build(Node::Reshape(self.clone()), to),
        }
    }

    /// Summed down to a shape.
    pub(super) fn summed(&self, to: &[usize]) -> Matrix {
        if self.dims() == to {
            return self.clone();
        }
        let own: usize = to.iter().product();
        let count = self.numel() as f64 / own.max(1) as f64;
        let fits = |x: &Matrix| {
            vjp_tensor::shape::broadcast_all([x.dims(), to]).is_ok_and(|shape| shape == to)
        };
        match self.node() {
            Node::Number(c) => Matrix::number(c * count, to),
            Node::Expand(x) if fits(x) => x.fit(to).multiple(count),
            Node::Sum(terms) if terms.len() == 1 => terms[0].1.summed(to).multiple(terms[0].0),
            Node::Collapse(x) => x.summed(to),
            Node::Reshape(x) if own == 1 => x.summed(&[]).reshaped(to),
            // What is the same for all that is added leaves the sum.
            Node::Times(factors) if factors.iter().any(|(t, _)| fits(t)) => {
                let (few, rest): (Vec<_>, Vec<_>) =
                    factors.iter().cloned().partition(|(t, _)| fits(t));
                let rest = match rest.is_empty() {
                    true => Matrix::number(count, to),
                    false => Matrix::times(rest).fit(self.dims()).summed(to),
                };
                Matrix::times(few.into_iter().chain([(rest, 1.0)]).collect()).fit(to)
            }
            Node::Times(factors) if let Some(done) = contracted(factors, self.dims(), to) => done,
            _ => uniform(Matrix::build(Node::Collapse(self.clone()), to)),
        }
    }

    /// Elements picked.
    pub(super) fn picked(&self, w: &ElementMap) -> Matrix {
        let (c, inner) = self.parted();
        match inner.node() {
            _ if w.is_identity() => return self.reshaped(&w.to),
            Node::Number(_) if !w.index.contains(&ElementMap::NONE) => {
                return Matrix::number(c, &w.to);
            }
            _ if is_swap(w) => return self.transposed(),
            _ if let Some(matrix) = turned(w) => {
                return self.reshaped(&matrix).transposed().reshaped(&w.to);
            }
            // Placed, with nothing beside it.
            _ if w.index.contains(&ElementMap::NONE)
                && let Some(back) = inverse(w) =>
            {
                return self.placed(&back);
            }
            Node::Gather(x, other) if ordered(other) && ordered(w) => {
                let index: Vec<usize> = w.index.iter().map(|p| other.index[*p]).collect();
                let both =
                    ElementMap { from: other.from.clone(), to: w.to.clone(), index: index.into() };
                return x.picked(&both).multiple(c);
            }
            _ if let Some(between) = copies(w) => return self.reshaped(&between).fit(&w.to),
            // Picked back from where it was placed.
            Node::Scatter(x, other) if other == w && distinct(w) => return x.multiple(c),
            // Beside what was written, or just that.
            Node::Run(op, args) if let Some(part) = op.written() => {
                if !w.index.iter().any(|k| part.index.contains(k)) {
                    return args[0].picked(w).multiple(c);
                }
                if part == w && distinct(w) {
                    return args[1].fit(&w.to).multiple(c);
                }
            }
            _ => {}
        }
        uniform(Matrix::build(Node::Gather(inner, w.clone()), &w.to)).multiple(c)
    }

    /// Elements placed, those that meet being added.
    pub(super) fn placed(&self, w: &ElementMap) -> Matrix {
        if let Some(back) = inverse(w) {
            return self.picked(&back);
        }
        if let Some(between) = copies(w) {
            return self.summed(&between).reshaped(&w.from);
        }
        // All to one place.
        if w.from.iter().all(|n| *n == 1) && !w.index.contains(&ElementMap::NONE) {
            return self.summed(&[]).reshaped(&w.from);
        }
        let (c, inner) = self.parted();
        uniform(Matrix::build(Node::Scatter(inner, w.clone()), &w.from)).multiple(c)
    }
}

/// Without sizes of 1 before the others.
pub(super) fn stripped(shape: &[usize]) -> &[usize] {
    let first = shape.iter().position(|d| *d != 1).unwrap_or(shape.len());
    &shape[first..]
}

/// Whether it only exchanges dimensions.
fn ordered(w: &ElementMap) -> bool {
    matches!(picks(w), Picks::Order(_))
}

/// Whether a matrix of one shape is the transpose of one of the other.
fn turns(from: &[usize], to: &[usize]) -> bool {
    matches!((from, to), ([a, b], [c, d]) if (a, b) == (d, c))
}

fn distinct(w: &ElementMap) -> bool {
    let mut seen = std::collections::HashSet::new();
    w.index.iter().all(|k| *k != ElementMap::NONE && seen.insert(*k))
}

/// The identity matrix.
pub(super) fn is_unit(m: &Matrix) -> bool {
    match (m.node(), m.dims()) {
        (Node::Scatter(x, w), [a, b]) => x.as_number() == Some(1.0) && a == b && is_diagonal(w),
        _ => false,
    }
}

/// Columns times rows, as the matrix product they are; other factors stay.
fn outer(factors: &[(Matrix, f64)]) -> Option<Matrix> {
    let own = broadcast(factors.iter().map(|(t, _)| t));
    let [m, n] = own[..] else { return None };
    if m == 1 || n == 1 {
        return None;
    }
    let is_column = |t: &Matrix| t.dims() == [m, 1];
    let is_row = |t: &Matrix| t.dims() == [n] || t.dims() == [1, n];
    let part = |own: &dyn Fn(&Matrix) -> bool| -> Vec<(Matrix, f64)> {
        factors.iter().filter(|(t, _)| own(t)).cloned().collect()
    };
    let (columns, rows) = (part(&is_column), part(&is_row));
    if columns.is_empty() || rows.is_empty() || columns.iter().chain(&rows).any(|(_, e)| *e < 0.0) {
        return None;
    }
    let row = Matrix::times(rows.iter().map(|(t, e)| (t.reshaped(&[n]), *e)).collect());
    let product = Matrix::product(vec![Matrix::times(columns), row.reshaped(&[1, n])]);
    let rest = part(&|t| !is_column(t) && !is_row(t));
    Some(Matrix::times(rest.into_iter().chain([(product, 1.0)]).collect()))
}

/// A sum over rows or columns of what has a factor for each of them: a product with these.
fn contracted(factors: &[(Matrix, f64)], from: &[usize], to: &[usize]) -> Option<Matrix> {
    let [m, n] = *from else { return None };
    let by_columns = to == [m, 1] && n > 1;
    let by_rows = (to == [n] || to == [1, n]) && m > 1;
    let weighs = |t: &Matrix| match by_columns {
        true => t.dims() == [n] || t.dims() == [1, n],
        false => by_rows && t.dims() == [m, 1],
    };
    let (weights, rest): (Vec<_>, Vec<_>) = factors.iter().cloned().partition(|(t, _)| weighs(t));
    if weights.is_empty() || rest.is_empty() {
        return None;
    }
    let rest = Matrix::times(rest).fit(from);
    Some(match by_columns {
        true => {
            let column = Matrix::times(weights).reshaped(&[n, 1]);
            Matrix::product(vec![rest, column])
        }
        false => {
            let row = Matrix::times(weights).reshaped(&[1, m]);
            Matrix::product(vec![row, rest]).reshaped(to)
        }
    })
}

/// A single number without dimensions, beside what has some.
fn single(m: Matrix, to: &[usize]) -> Matrix {
    match m.numel() == 1 && m.dims() != to {
        true => m.reshaped(&[]),
        false => m,
    }
}

/// What holds no name and is the same everywhere, as a number.
fn uniform(m: Matrix) -> Matrix {
    if m.has_names() {
        return m;
    }
    let Some(value) = m.evaluate(&HashMap::new()) else { return m };
    match value.data().first() {
        Some(c) if value.data().iter().all(|d| d == c) => Matrix::number(*c, m.dims()),
        _ => m,
    }
}

/// `t > ε ? t : ε` of an ε that is tiny or far away.
fn guards(c: &Matrix, a: &Matrix, b: &Matrix) -> bool {
    let Node::Call(fun, args) = c.node() else { return false };
    let (Node::Sum(terms), Some(least)) = (args[0].node(), b.as_number()) else { return false };
    let number = |(d, t): &(f64, Matrix)| t.as_number().map(|n| d * n);
    let known: Vec<f64> = terms.iter().filter_map(number).collect();
    let far = least.abs() >= 100.0 || least.abs() <= 1e-6;
    matches!(fun.name, "step" | "pass") && known == [-least] && far && {
        let rest = terms.iter().filter(|t| number(t).is_none()).cloned().collect();
        Matrix::sum(rest).fit(a.dims()) == *a
    }
}

/// The product of two matrices of one shape, laid out as a row and a column.
fn flattened(chain: &[Matrix]) -> Option<Matrix> {
    let [a, b] = chain else { return None };
    let (Node::Reshape(x), Node::Reshape(y)) = (a.node(), b.node()) else { return None };
    let large = x.dims().iter().filter(|d| **d != 1).count() > 1 && x.dims() == y.dims();
    let both = || Matrix::times(vec![(x.clone(), 1.0), (y.clone(), 1.0)]).fit(x.dims());
    (large && product_shape(chain) == [1, 1]).then(|| both().summed(&[]).reshaped(&[1, 1]))
}

/// Products of batches: of one matrix each it is that product, of rows and columns sums of products.
fn batched(chain: &[Matrix]) -> Option<Matrix> {
    let rank = chain.first()?.dims().len();
    let lead = rank.checked_sub(2).filter(|lead| *lead > 0)?;
    if chain.iter().any(|m| m.dims().len() != rank) {
        return None;
    }
    let to = product_shape(chain);
    if to[..lead].iter().all(|d| *d == 1) {
        let flat = chain.iter().map(|m| m.reshaped(&m.dims()[lead..]));
        return Some(Matrix::product(flat.collect()).reshaped(&to));
    }
    let [a, b] = chain else { return None };
    if a.dims().last() == Some(&1) {
        return Some(Matrix::times(vec![(a.clone(), 1.0), (b.clone(), 1.0)]).fit(&to));
    }
    if to[lead..] != [1, 1] || a.dims()[..lead] != b.dims()[..lead] {
        return None;
    }
    let each = &a.dims()[rank - 1..];
    let (own, sums) = ([&to[..lead], each].concat(), [&to[..lead], &[1]].concat());
    let both = Matrix::times(vec![(a.reshaped(&own), 1.0), (b.reshaped(&own), 1.0)]);
    Some(both.fit(&own).summed(&sums).reshaped(&to))
}

fn is_call(m: &Matrix, name: &str) -> bool {
    matches!(m.node(), Node::Call(fun, _) if fun.name == name)
}

fn product_shape(chain: &[Matrix]) -> Vec<usize> {
    let mut to = chain.first().map(|m| m.dims().to_vec()).unwrap_or_default();
    if let (Some(slot), Some(last)) = (to.last_mut(), chain.last().and_then(|m| m.dims().last())) {
        *slot = *last;
    }
    to
}

/// A chain that begins or ends with copies of one row or column: it is that of the row or column, spread.
fn ones(chain: &[Matrix]) -> Option<Matrix> {
    let to = product_shape(chain);
    let [rows, columns] = to[..] else { return None };
    let (first, last) = (chain.first()?, chain.last()?);
    if chain.len() < 2 {
        return None;
    }
    let inner = first.dims()[1];
    match first.node() {
        Node::Number(1.0) if rows > 1 || inner > 1 => {
            let rest = Matrix::product(chain[1..].to_vec());
            return Some(rest.summed(&[1, columns]).fit(&to));
        }
        Node::Expand(x) if x.dims() == [1, inner] || x.dims() == [inner] && inner != 1 => {
            let row = x.reshaped(&[1, inner]);
            let rest = [&[row], &chain[1..]].concat();
            return Some(Matrix::product(rest).fit(&to));
        }
        _ => {}
    }
    let inner = last.dims()[0];
    match last.node() {
        Node::Number(1.0) if columns > 1 || inner > 1 => {
            let rest = Matrix::product(chain[..chain.len() - 1].to_vec());
            Some(rest.summed(&[rows, 1]).fit(&to))
        }
        Node::Expand(x) if x.dims() == [inner, 1] => {
            let rest = [&chain[..chain.len() - 1], std::slice::from_ref(x)].concat();
            Some(Matrix::product(rest).fit(&to))
        }
        _ => None,
    }
}

/// A sum whose terms have a factor in common, with that taken out.
fn collected(terms: &[(f64, Matrix)]) -> Option<Matrix> {
    let all: Vec<&Node> = terms.iter().map(|(_, t)| t.node()).collect();
    // Reshaped alike: the sum is.
    if let Some(Node::Reshape(first)) = all.first()
        && all.iter().all(|n| matches!(n, Node::Reshape(x) if x.dims() == first.dims()))
        && terms.iter().all(|(_, t)| t.dims() == terms[0].1.dims())
    {
        let inner = terms.iter().map(|(c, t)| (*c, t.node().parts()[0].clone()));
        return Some(Matrix::sum(inner.collect()).reshaped(terms[0].1.dims()));
    }
    let chain = |t: &Matrix| match t.node() {
        Node::Product(parts) => Some(parts.clone()),
        _ => None,
    };
    if let Some(chains) = terms.iter().map(|(_, t)| chain(t)).collect::<Option<Vec<_>>>() {
        let rests = |cut: &dyn Fn(&[Matrix]) -> Vec<Matrix>| {
            let rest = terms.iter().zip(&chains);
            Matrix::sum(rest.map(|((c, _), all)| (*c, Matrix::product(cut(all)))).collect())
        };
        let (last, first) = (chains[0].last()?, chains[0].first()?);
        let alike = |a: &Matrix, b: &Matrix| a.dims() == b.dims();
        if chains.iter().all(|c| c.last() == Some(last))
            && chains.iter().all(|c| alike(&c[0], &chains[0][0]))
        {
            let rest = rests(&|all| all[..all.len() - 1].to_vec());
            return Some(Matrix::product(vec![rest, last.clone()]));
        }
        let ends = |c: &Vec<Matrix>| c.last().is_some_and(|m| alike(m, last));
        if chains.iter().all(|c| c.first() == Some(first)) && chains.iter().all(ends) {
            let rest = rests(&|all| all[1..].to_vec());
            return Some(Matrix::product(vec![first.clone(), rest]));
        }
    }
    let factors = |t: &Matrix| match t.node() {
        Node::Times(factors) => factors.clone(),
        _ => vec![(t.clone(), 1.0)],
    };
    let each: Vec<Vec<(Matrix, f64)>> = terms.iter().map(|(_, t)| factors(t)).collect();
    let common = |f: &&(Matrix, f64)| each.iter().all(|fs| fs.contains(f));
    let shared: Vec<(Matrix, f64)> = each[0].iter().filter(common).cloned().collect();
    if shared.is_empty() {
        return None;
    }
    let rest = terms.iter().zip(&each).map(|((c, t), fs)| {
        let left: Vec<_> = fs.iter().filter(|f| !shared.contains(f)).cloned().collect();
        match left.is_empty() {
            true => (*c, Matrix::number(1.0, &[])),
            false => (*c, Matrix::times(left).fit(broadcastable(t))),
        }
    });
    let rest = Matrix::sum(rest.collect());
    let mut all = shared;
    all.push((rest, 1.0));
    Some(Matrix::times(all))
}

/// The shape that a term gives the sum; its factors alone may be smaller.
fn broadcastable(t: &Matrix) -> &[usize] {
    t.dims()
}
