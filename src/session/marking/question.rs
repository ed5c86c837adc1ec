//! A question about a gradient, with what its backward computed.

use super::diagnosis::Evidence;
use super::why::Why;
use vjp_eval::{Backward, LeafReport};
use vjp_jacobian::Jacobian;

/// An answer, and what it would be right for, in words that follow `8 and 34 are`.
pub struct Guess {
    pub numbers: Vec<f64>,
    pub says: Why,
}

/// What a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// `x.grad`
    Grad,
    /// vᵀJ, where x.grad held something before.
    Product,
    Jacobian,
    /// A row of J.
    Row(usize),
    /// y itself.
    Value,
    Unknown,
}

/// A larger J is not an exercise.
const ENTRIES: usize = 4096;

impl Subject {
    /// What a backward computes for a leaf.
    pub fn of(backward: &Backward, leaf: usize) -> Vec<Subject> {
        let report = &backward.leaves[leaf];
        let (rows, columns) = (backward.v.numel(), report.value.numel());
        let mut all = vec![Subject::Grad];
        if report.grad_before.is_some() {
            all.push(Subject::Product);
        }
        if rows * columns <= ENTRIES {
            all.push(Subject::Jacobian);
            all.extend((0..rows).filter(|_| rows > 1).map(Subject::Row));
        }
        all.push(Subject::Value);
        all
    }
}

/// A question about one leaf of one backward, with the right answer.
pub struct Case<'a> {
    pub evidence: &'a Evidence<'a>,
    /// How many backwards came after.
    pub age: usize,
    /// The backward, and which of its leaves.
    pub backward: Option<(&'a Backward, usize)>,
    pub subject: Subject,
    pub right: Vec<f64>,
    pub v: Vec<f64>,
    /// J, a row for each weight; empty where it is too large.
    pub rows: Vec<Vec<f64>>,
    /// Of what is asked for.
    pub shape: Vec<usize>,
}

impl<'a> Case<'a> {
    pub fn new(evidence: &'a Evidence<'a>, age: usize, leaf: usize, subject: Subject) -> Case<'a> {
        let backward: &Backward = &evidence.backwards[age];
        let report = &backward.leaves[leaf];
        let v = backward.v.data().to_vec();
        let rows = rows(&report.jacobian, v.len());
        let right = match subject {
            Subject::Grad => report.grad.data().to_vec(),
            Subject::Product => report.vjp.data().to_vec(),
            Subject::Jacobian => rows.concat(),
            Subject::Row(i) => rows.get(i).cloned().unwrap_or_default(),
            Subject::Value => backward.value.data().to_vec(),
            Subject::Unknown => Vec::new(),
        };
        let shape = match subject {
            Subject::Grad | Subject::Product => report.value.shape().to_vec(),
            Subject::Jacobian => vec![rows.len(), report.value.numel()],
            Subject::Value => backward.value.shape().to_vec(),
            Subject::Row(_) | Subject::Unknown => Vec::new(),
        };
        Case { evidence, age, backward: Some((backward, leaf)), subject, right, v, rows, shape }
    }

    /// Numbers about which nothing is known but their shape.
    pub fn unknown(evidence: &'a Evidence<'a>, right: Vec<f64>, shape: Vec<usize>) -> Case<'a> {
        Case {
            evidence,
            age: usize::MAX,
            backward: None,
            subject: Subject::Unknown,
            right,
            v: Vec::new(),
            rows: Vec::new(),
            shape,
        }
    }

    /// How the program calls what is asked for.
    pub fn name(&self) -> String {
        match (self.backward, self.subject) {
            (Some((_, leaf)), Subject::Grad) => format!("{}.grad", self.leaf_name(leaf)),
            (Some((backward, _)), Subject::Value) => backward.output.clone(),
            (Some(_), Subject::Product) => "vᵀJ".into(),
            (Some(_), Subject::Jacobian) => "jacobian".into(),
            _ => "it".into(),
        }
    }

    pub fn leaf_name(&self, leaf: usize) -> &str {
        self.backward.map_or("x", |(b, _)| &b.leaves[leaf].name)
    }

    /// How the program calls one entry of what is asked for: `x.grad[1]`.
    pub fn entry(&self, at: usize) -> String {
        let shape = match (self.backward, self.subject) {
            (Some((backward, leaf)), Subject::Grad) => Some(backward.leaves[leaf].value.shape()),
            (Some((backward, _)), Subject::Value) => Some(backward.value.shape()),
            _ => None,
        };
        match shape {
            Some([]) => self.name(),
            Some(shape) => {
                let mut rest = at;
                let mut place: Vec<String> = Vec::new();
                for size in shape.iter().rev() {
                    place.insert(0, (rest % size.max(&1)).to_string());
                    rest /= size.max(&1);
                }
                format!("{}[{}]", self.name(), place.join(", "))
            }
            None => format!("number {}", at + 1),
        }
    }

    /// The row of J that an entry of the gradient lacks, where it is right but for exactly one.
    pub fn without_row(&self, at: usize, fits: &dyn Fn(f64) -> bool) -> Option<Why> {
        self.gradient().filter(|_| self.rows.len() > 1)?;
        let share = |i: usize| Some(self.v[i] * self.rows[i].get(at)?);
        let lacks = |i: &usize| {
            share(*i).is_some_and(|s| s != 0.0 && s.is_finite() && fits(self.right[at] - s))
        };
        let row = (0..self.rows.len()).find(lacks)?;
        let (v, slope) = (number(self.v[row]), number(self.rows[row][at]));
        let factor = |text: String| if text.starts_with('-') { format!("({text})") } else { text };
        let says = format!("row {} of J, {v} × {}", row + 1, factor(slope));
        Some(Why::new(says, "one row of J"))
    }

    /// What a gradient is asked about: its report, else None.
    pub fn gradient(&self) -> Option<(&'a Backward, &'a LeafReport)> {
        let (backward, leaf) = self.backward?;
        let asked = matches!(self.subject, Subject::Grad | Subject::Product);
        asked.then(|| (backward, &backward.leaves[leaf]))
    }

    /// Answers for this sweep alone, with what x.grad held before, and without it.
    pub fn sweeps(&self, guesses: Vec<Guess>) -> Vec<Guess> {
        let before = match (self.subject, self.gradient()) {
            (Subject::Grad, Some((_, leaf))) => leaf.grad_before.as_ref(),
            _ => None,
        };
        let held = before.filter(|held| held.data().iter().any(|x| *x != 0.0));
        let Some(before) = held else { return guesses };
        let mut all = Vec::with_capacity(2 * guesses.len());
        for Guess { numbers, says } in guesses {
            let sum = before.data().iter().zip(&numbers).map(|(b, n)| b + n);
            let name = self.name();
            let on_top = says.map(|says| format!("the gradient already in {name} plus {says}"));
            all.push(guess(sum.collect(), on_top));
            let missing = format!("; the gradient already in {name} is missing");
            all.push(guess(numbers, says.map(|says| says.to_owned() + &missing)));
        }
        all
    }

    /// vᵀJ with other weights.
    pub fn weighed(&self, weights: &[f64]) -> Vec<f64> {
        let columns = self.rows.first().map_or(0, Vec::len);
        let mut sum = vec![0.0; columns];
        for (row, w) in self.rows.iter().zip(weights) {
            for (s, x) in sum.iter_mut().zip(row) {
                // An absent entry stays absent, also under an infinite weight.
                if *x != 0.0 {
                    *s += w * x;
                }
            }
        }
        sum
    }
}

/// J by rows, one for each weight.
fn rows(jacobian: &Jacobian<f64>, weights: usize) -> Vec<Vec<f64>> {
    if weights * jacobian.columns > ENTRIES || jacobian.rows == 0 {
        return Vec::new();
    }
    let entry = |i: usize, j: usize| jacobian.number(i, j);
    (0..weights)
        .map(|i| {
            let row = i.min(jacobian.rows - 1);
            (0..jacobian.columns).map(|j| entry(row, j)).collect()
        })
        .collect()
}

/// A number in a sentence: all its digits, unless they are many.
pub fn number(x: f64) -> String {
    let text = vjp_text::number::repr(x);
    let text = text.strip_suffix(".0").unwrap_or(&text);
    match text.chars().filter(char::is_ascii_digit).count() {
        0..=8 => text.to_owned(),
        _ => vjp_text::digits::lone(x, Some(4)),
    }
}

pub fn guess(numbers: Vec<f64>, says: impl Into<Why>) -> Guess {
    Guess { numbers, says: says.into() }
}
