//! The Jacobian as composing local derivatives gives it: kept in its cheapest form, with entries
//! that no path reaches left out, so that 0·∞ cannot make NaN of them.

use super::symbol::Expr;
use std::rc::Rc;

/// rows × columns, kept in its cheapest form.
#[derive(Clone, Debug)]
pub struct Jacobian<E> {
    pub rows: usize,
    pub columns: usize,
    pub form: Form<E>,
}

#[derive(Clone, Debug)]
pub enum Form<E> {
    /// No path at all.
    Zero,
    /// A multiple of the identity.
    Scaled(f64),
    /// Square; every entry off the diagonal is absent.
    Diagonal(Rc<[E]>),
    Rows(Rows<E>),
    /// Row-major; no entry is absent or unchosen.
    Dense(Rc<[E]>),
}

/// Compressed rows: row i has the columns `pattern.columns[starts[i]..starts[i + 1]]`, ascending.
#[derive(Clone, Debug)]
pub struct Rows<E> {
    /// Shared by all Jacobians of the same structure.
    pub pattern: Rc<Pattern>,
    /// None: unchosen.
    pub values: Rc<[Option<E>]>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    pub starts: Vec<usize>,
    pub columns: Vec<usize>,
}

impl Pattern {
    pub fn row(&self, i: usize) -> std::ops::Range<usize> {
        self.starts[i]..self.starts[i + 1]
    }
}

/// One entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry<E> {
    /// No path leads from the input to the output, whatever the values: drawn `·`.
    Absent,
    /// A path exists but was not chosen by value: drawn `0`, left out of products.
    Unchosen,
    Value(E),
}

/// What an entry may be: a number or a formula.
pub trait Element: Clone + std::fmt::Debug {
    fn of(c: f64) -> Self;
    fn add(&self, other: &Self) -> Self;
    fn mul(&self, other: &Self) -> Self;
    fn scale(&self, by: f64) -> Self;
    fn is(&self, c: f64) -> bool;
    /// Row-major m × k times k × n, where this kind of element has a fast way.
    fn matmul(m: usize, k: usize, n: usize, a: &[Self], b: &[Self]) -> Vec<Self> {
        let mut out = vec![Self::of(0.0); m * n];
        for i in 0..m {
            for l in 0..k {
                for j in 0..n {
                    let term = a[i * k + l].mul(&b[l * n + j]);
                    out[i * n + j] = out[i * n + j].add(&term);
                }
            }
        }
        out
    }
}

impl Element for f64 {
    fn of(c: f64) -> f64 {
        c
    }
    fn add(&self, other: &f64) -> f64 {
        self + other
    }
    fn mul(&self, other: &f64) -> f64 {
        self * other
    }
    fn scale(&self, by: f64) -> f64 {
        // A slope of exactly 1 or −1 leaves the entry as it is; 0·∞ does not occur otherwise.
        self * by
    }
    fn is(&self, c: f64) -> bool {
        *self == c
    }
    fn matmul(m: usize, k: usize, n: usize, a: &[f64], b: &[f64]) -> Vec<f64> {
        use ndarray::{ArrayView2, ArrayViewMut2, linalg::general_mat_mul};
        let mut out = vec![0.0; m * n];
        if m * k * n > 0 {
            let a = ArrayView2::from_shape((m, k), a).expect("m × k entries");
            let b = ArrayView2::from_shape((k, n), b).expect("k × n entries");
            let mut c = ArrayViewMut2::from_shape((m, n), &mut out).expect("m × n entries");
            general_mat_mul(1.0, &a, &b, 0.0, &mut c);
        }
        out
    }
}

impl Element for Expr {
    fn of(c: f64) -> Expr {
        Expr::constant(c)
    }
    fn add(&self, other: &Expr) -> Expr {
        self.plus(other)
    }
    fn mul(&self, other: &Expr) -> Expr {
        self.by(other)
    }
    fn scale(&self, by: f64) -> Expr {
        self.times(by)
    }
    fn is(&self, c: f64) -> bool {
        self.is_const(c)
    }
}

impl<E: Element> Jacobian<E> {
    pub fn zero(rows: usize, columns: usize) -> Jacobian<E> {
        Jacobian {
            rows,
            columns,
            form: Form::Zero,
        }
    }

    pub fn identity(n: usize) -> Jacobian<E> {
        Jacobian {
            rows: n,
            columns: n,
            form: Form::Scaled(1.0),
        }
    }

    /// From all entries, row-major, none of them absent.
    pub fn dense(rows: usize, columns: usize, data: Vec<E>) -> Jacobian<E> {
        Jacobian {
            rows,
            columns,
            form: Form::Dense(data.into()),
        }
    }

    /// From every entry, row-major.
    pub fn from_entries(rows: usize, columns: usize, entries: Vec<Entry<E>>) -> Jacobian<E> {
        let mut pattern = Pattern {
            starts: vec![0],
            columns: Vec::new(),
        };
        let mut values = Vec::new();
        for (at, entry) in entries.into_iter().enumerate() {
            match entry {
                Entry::Absent => {}
                Entry::Unchosen => values.push(None),
                Entry::Value(e) => values.push(Some(e)),
            }
            if values.len() > pattern.columns.len() {
                pattern.columns.push(at % columns);
            }
            if (at + 1) % columns == 0 {
                pattern.starts.push(values.len());
            }
        }
        pattern.starts.resize(rows + 1, values.len());
        let form = Form::Rows(Rows {
            pattern: Rc::new(pattern),
            values: values.into(),
        });
        let j = Jacobian {
            rows,
            columns,
            form,
        };
        j.cheapest()
    }

    /// The entry in row i and column j.
    pub fn get(&self, i: usize, j: usize) -> Entry<E> {
        match &self.form {
            Form::Scaled(c) if i == j => Entry::Value(E::of(*c)),
            Form::Diagonal(d) if i == j => Entry::Value(d[i].clone()),
            Form::Zero | Form::Scaled(_) | Form::Diagonal(_) => Entry::Absent,
            Form::Dense(data) => Entry::Value(data[i * self.columns + j].clone()),
            Form::Rows(rows) => {
                let range = rows.pattern.row(i);
                match rows.pattern.columns[range.clone()].binary_search(&j) {
                    Err(_) => Entry::Absent,
                    Ok(at) => match &rows.values[range.start + at] {
                        None => Entry::Unchosen,
                        Some(e) => Entry::Value(e.clone()),
                    },
                }
            }
        }
    }

    /// All entries, row-major.
    pub fn entries(&self) -> impl Iterator<Item = Entry<E>> + '_ {
        (0..self.rows).flat_map(move |i| (0..self.columns).map(move |j| self.get(i, j)))
    }

    /// Whether nothing is off the diagonal (and the matrix is square and not zero).
    pub fn is_diagonal(&self) -> bool {
        matches!(self.form, Form::Scaled(_) | Form::Diagonal(_))
    }

    /// The entries with a path, by rows: (row, column, entry).
    pub fn present(&self) -> impl Iterator<Item = (usize, usize, Entry<E>)> + '_ {
        (0..self.rows).flat_map(move |i| {
            let columns = match &self.form {
                Form::Zero => 0..0,
                Form::Scaled(_) | Form::Diagonal(_) => i..i + 1,
                Form::Dense(_) => 0..self.columns,
                Form::Rows(rows) => rows.pattern.row(i),
            };
            columns.map(move |k| {
                let j = match &self.form {
                    Form::Rows(rows) => rows.pattern.columns[k],
                    _ => k,
                };
                (i, j, self.get(i, j))
            })
        })
    }

    /// Entries that are kept: with a path, chosen or not.
    pub fn stored(&self) -> usize {
        match &self.form {
            Form::Zero => 0,
            Form::Scaled(_) => self.rows,
            Form::Diagonal(d) => d.len(),
            Form::Rows(rows) => rows.values.len(),
            Form::Dense(data) => data.len(),
        }
    }

    /// Whether a path leads from column j to row i.
    pub fn reaches(&self, i: usize, j: usize) -> bool {
        !matches!(self.get(i, j), Entry::Absent)
    }

    /// Every value through `f`, the structure kept.
    pub fn map<F: Element>(&self, f: impl Fn(&E) -> F) -> Jacobian<F> {
        let form = match &self.form {
            Form::Zero => Form::Zero,
            Form::Scaled(c) => Form::Scaled(*c),
            Form::Diagonal(d) => Form::Diagonal(d.iter().map(f).collect()),
            Form::Dense(d) => Form::Dense(d.iter().map(f).collect()),
            Form::Rows(rows) => Form::Rows(Rows {
                pattern: rows.pattern.clone(),
                values: rows.values.iter().map(|v| v.as_ref().map(&f)).collect(),
            }),
        };
        Jacobian {
            rows: self.rows,
            columns: self.columns,
            form,
        }
    }

    /// What kind of matrix it is, in words: `diagonal`, `sparse, 12 of 400 entries`.
    pub fn structure(&self) -> String {
        if self.rows * self.columns == 1 && self.stored() == 1 {
            return "dense".to_owned();
        }
        match &self.form {
            Form::Zero => "zero".to_owned(),
            Form::Scaled(1.0) => "identity".to_owned(),
            Form::Scaled(_) | Form::Diagonal(_) => "diagonal".to_owned(),
            Form::Dense(_) => "dense".to_owned(),
            Form::Rows(rows) if rows.values.len() == self.rows * self.columns => "dense".to_owned(),
            Form::Rows(rows) => self.sparse_structure(rows),
        }
    }

    fn sparse_structure(&self, rows: &Rows<E>) -> String {
        let each = |i: usize| rows.pattern.columns[rows.pattern.row(i)].iter().copied();
        let ones = rows
            .values
            .iter()
            .all(|v| v.as_ref().is_some_and(|e| e.is(1.0)));
        if self.rows == self.columns && ones && (0..self.rows).all(|i| each(i).len() == 1) {
            let mut hit = vec![false; self.columns];
            rows.pattern.columns.iter().for_each(|j| hit[*j] = true);
            if hit.iter().all(|h| *h) {
                return "permutation".to_owned();
            }
        }
        let (mut below, mut above) = (0, 0);
        for i in 0..self.rows {
            for j in each(i) {
                below = below.max(i.saturating_sub(j));
                above = above.max(j.saturating_sub(i));
            }
        }
        if self.rows >= 4
            && self.columns >= 4
            && (below + above + 1) * 2 < self.rows.min(self.columns)
        {
            return "banded".to_owned();
        }
        if self.rows == self.columns && self.rows > 1 {
            if above == 0 {
                return "lower triangular".to_owned();
            }
            if below == 0 {
                return "upper triangular".to_owned();
            }
        }
        format!(
            "sparse, {} of {} entries",
            rows.values.len(),
            self.rows * self.columns
        )
    }

    /// The form without loss that takes the least: a full pattern is dense, a diagonal one diagonal.
    pub(super) fn cheapest(mut self) -> Jacobian<E> {
        let Form::Rows(rows) = &self.form else {
            return self;
        };
        if rows.values.is_empty() {
            self.form = Form::Zero;
        } else if rows.values.iter().any(Option::is_none) {
        } else if self.rows == self.columns
            && rows.values.len() == self.rows
            && rows
                .pattern
                .columns
                .iter()
                .enumerate()
                .all(|(i, j)| i == *j)
            && rows.pattern.starts.iter().enumerate().all(|(i, s)| i == *s)
        {
            self.form = Form::Diagonal(rows.values.iter().flatten().cloned().collect());
        } else if rows.values.len() == self.rows * self.columns {
            self.form = Form::Dense(rows.values.iter().flatten().cloned().collect());
        }
        self
    }
}

impl Jacobian<f64> {
    /// vᵀJ: the rows, weighed and added.
    pub fn left_multiply(&self, v: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.columns];
        self.weigh(v, |j, x| out[j] += x);
        out
    }

    /// Σᵢ |vᵢJᵢⱼ|: the size against which rounding errors of vᵀJ are judged.
    pub fn left_magnitude(&self, v: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.columns];
        self.weigh(v, |j, x| out[j] += x.abs());
        out
    }

    fn weigh(&self, v: &[f64], mut add: impl FnMut(usize, f64)) {
        match &self.form {
            Form::Zero => {}
            Form::Scaled(c) => v.iter().enumerate().for_each(|(j, v)| add(j, v * c)),
            Form::Diagonal(d) => v
                .iter()
                .zip(d.iter())
                .enumerate()
                .for_each(|(j, (v, d))| add(j, v * d)),
            Form::Dense(data) if self.columns > 0 => {
                for (v, row) in v.iter().zip(data.chunks_exact(self.columns)) {
                    row.iter().enumerate().for_each(|(j, x)| add(j, v * x));
                }
            }
            Form::Dense(_) => {}
            Form::Rows(rows) => {
                for (i, v) in v.iter().enumerate().take(self.rows) {
                    for at in rows.pattern.row(i) {
                        if let Some(x) = rows.values[at] {
                            add(rows.pattern.columns[at], v * x);
                        }
                    }
                }
            }
        }
    }
}
