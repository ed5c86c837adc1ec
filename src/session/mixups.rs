//! Mistakes that need no Jacobian: another number, another order, another sign.

use super::case::{Case, Guess, Subject, guess};

pub fn sign(case: &Case<'_>) -> Vec<Guess> {
    let flipped = case.right.iter().map(|x| -x).collect();
    vec![guess(flipped, "correct except for the sign")]
}

pub fn reversed(case: &Case<'_>) -> Vec<Guess> {
    let flipped = case.right.iter().rev().copied().collect();
    vec![guess(flipped, "correct, but in reverse order")]
}

pub fn zero(case: &Case<'_>) -> Vec<Guess> {
    let moves = case.rows.iter().flatten().any(|slope| *slope != 0.0);
    let Some((backward, leaf)) = case.gradient().filter(|_| moves) else {
        return Vec::new();
    };
    let says =
        format!("the gradient of a constant; {} does depend on {}", backward.output, leaf.name);
    vec![guess(vec![0.0; case.right.len()], says)]
}

/// Something else that has a name.
pub fn other_value(case: &Case<'_>) -> Vec<Guess> {
    let values = case.evidence.values.iter();
    values.map(|(name, numbers)| guess(numbers.clone(), format!("the value of {name}"))).collect()
}

/// Everything so many times too large or too small.
pub fn factor(case: &Case<'_>) -> Vec<Guess> {
    let scaled = |c: f64| case.right.iter().map(|x| x * c).collect::<Vec<f64>>();
    let whole = [2.0, 3.0, 4.0, 5.0, 10.0, 100.0, 1000.0];
    whole
        .iter()
        .flat_map(|c| {
            [
                guess(scaled(*c), format!("{c} times the correct answer")),
                guess(scaled(1.0 / c), format!("1/{c} of the correct answer")),
            ]
        })
        .collect()
}

pub fn gradient_for_value(case: &Case<'_>) -> Vec<Guess> {
    let (Subject::Value, Some((backward, at))) = (case.subject, case.backward) else {
        return Vec::new();
    };
    let leaf = &backward.leaves[at];
    vec![
        guess(
            leaf.grad.data().to_vec(),
            format!("{}.grad; the question asks for the value", leaf.name),
        ),
        guess(leaf.value.data().to_vec(), format!("the value of {}", leaf.name)),
    ]
}
