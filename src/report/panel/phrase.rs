//! The phrase for v: the scalar whose gradient `y.backward(v)` computes.

use crate::matrix::element_names::{Names, callable};
use crate::{Line, Role, Style};
use vjp_eval::Backward;
use vjp_text::digits::Digits;

/// At most so many terms are written out.
const TERMS: usize = 4;

/// The scalar whose gradient vᵀJ is.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// Every weight is 1.
    Sum,
    /// Every weight is 1/n.
    Mean,
    /// Every weight is this.
    Multiple(f64),
    /// Every weight is 0.
    Nothing,
    /// Positions and weights of the rows that weigh something.
    Mixture(Vec<(usize, f64)>),
}

/// What a v of y's shape mixes.
pub fn scalar(v: &[f64]) -> Scalar {
    let n = v.len();
    let first = v.first().copied().unwrap_or(0.0);
    let uniform = n > 1 && v.iter().all(|&w| w == first);
    if v.iter().all(|&w| w == 0.0) {
        Scalar::Nothing
    } else if uniform && first == 1.0 {
        Scalar::Sum
    } else if uniform && close(first * n as f64, 1.0) {
        Scalar::Mean
    } else if uniform && n > TERMS {
        Scalar::Multiple(first)
    } else {
        let terms = v.iter().copied().enumerate();
        Scalar::Mixture(terms.filter(|&(_, w)| w != 0.0).collect())
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12
}

/// `the gradient of y₁ + 10y₂`; None where y is a scalar or a gradient disagrees.
pub fn phrase(backward: &Backward, style: &Style) -> Option<Line> {
    if backward.value.shape().is_empty()
        || backward.repeated
        || backward.v.numel() == 0
        || backward.leaves.iter().any(|leaf| !leaf.agrees)
    {
        return None;
    }
    let mut line = Line::of(Role::Plain, "the gradient of ");
    let output = callable(&backward.output);
    match scalar(backward.v.data()) {
        Scalar::Nothing => {
            line.plain("0: every weight is 0");
        }
        Scalar::Sum => {
            line.push(Role::User, output).plain(".sum()");
        }
        Scalar::Mean => {
            line.push(Role::User, output).plain(".mean()");
        }
        Scalar::Multiple(weight) => {
            line.plain(format!(
                "{}*",
                Digits::typed(std::iter::once(weight), style.digits).text(weight)
            ));
            line.push(Role::User, output).plain(".sum()");
        }
        Scalar::Mixture(terms) => {
            let head = line.clone();
            mixture(&mut line, &terms, TERMS, backward, style);
            if line.width() > style.frame() * 3 / 4 {
                line = head;
                mixture(&mut line, &terms, TERMS - 1, backward, style);
            }
        }
    }
    Some(line)
}

/// `y₁ + 10y₂`: weights and rows, the middle left out where there are many.
fn mixture(
    line: &mut Line,
    terms: &[(usize, f64)],
    most: usize,
    backward: &Backward,
    style: &Style,
) {
    let base = if backward.named { backward.output.as_str() } else { "row" };
    let names = Names::new(base, backward.value.shape(), style.ascii);
    // `10y₂` as at school; a longer name stands apart from its weight.
    let times = match (style.ascii, base.chars().count()) {
        (true, _) => "*",
        (false, 0 | 1) => "",
        (false, _) => " ",
    };
    let digits = Digits::typed(terms.iter().map(|t| t.1), style.digits);
    let cut = terms.len() > most;
    for (k, &(row, weight)) in terms.iter().enumerate() {
        if cut && k >= 2 && k + 1 < terms.len() {
            if k == 2 {
                line.plain(" + …");
            }
            continue;
        }
        line.plain(match (k, weight < 0.0) {
            (0, false) => "",
            (0, true) => "−",
            (_, false) => " + ",
            (_, true) => " − ",
        });
        let size = weight.abs();
        if size != 1.0 {
            let times = if size.is_finite() || style.ascii { times } else { "·" };
            line.plain(format!("{}{times}", digits.text(size)));
        }
        line.push(Role::User, names.full(row));
    }
    if matches!(terms, [(_, weight)] if *weight == 1.0) && backward.v.numel() > 1 {
        line.plain(" alone");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_weights_amount_to() {
        assert_eq!(scalar(&[1.0, 1.0]), Scalar::Sum);
        assert_eq!(scalar(&[0.5, 0.5]), Scalar::Mean);
        assert_eq!(scalar(&[1.0 / 3.0; 3]), Scalar::Mean);
        assert_eq!(scalar(&[0.0, 0.0]), Scalar::Nothing);
        assert_eq!(scalar(&[2.0; 1000]), Scalar::Multiple(2.0));
        assert_eq!(scalar(&[0.0, 3.0]), Scalar::Mixture(vec![(1, 3.0)]));
        assert_eq!(scalar(&[1.0]), Scalar::Mixture(vec![(0, 1.0)]));
    }
}
