//! The usual mistakes about a gradient, in one table: each computes, from a backward of the session,
//! the numbers that a person who makes the mistake would write.

use super::arithmetic;
use super::why::Why;
use crate::marking::question::{Case, Guess, Subject, guess, number};
use vjp_tutor::forgotten_steps::{Forgotten, Operand, Slip};

/// A mistake: its name, and the answers it leads to.
pub struct Mistake {
    pub name: &'static str,
    /// It may explain some entries of an answer alone; else only an answer that is it from end to end counts.
    pub entries: bool,
    pub guesses: fn(&Case<'_>) -> Vec<Guess>,
}

fn list(numbers: &[f64]) -> String {
    let texts: Vec<String> = numbers.iter().take(4).map(|x| number(*x)).collect();
    let more = if numbers.len() > 4 { ", …" } else { "" };
    match numbers {
        [one] => number(*one),
        _ => format!("[{}{more}]", texts.join(", ")),
    }
}

const fn mistake(name: &'static str, guesses: fn(&Case<'_>) -> Vec<Guess>) -> Mistake {
    Mistake { name, entries: false, guesses }
}

const fn each(name: &'static str, guesses: fn(&Case<'_>) -> Vec<Guess>) -> Mistake {
    Mistake { name, entries: true, guesses }
}

/// Each mistake: what is simply another value first, then those that explain most.
pub const MISTAKES: &[Mistake] = &[
    mistake("value", itself),
    each("accumulation-forgotten", accumulation_forgotten),
    each("before", before),
    mistake("ones-for-v", ones_for_v),
    mistake("j-times-v", j_times_v),
    mistake("row-sums", row_sums),
    mistake("one-row", one_row),
    mistake("v-reversed", v_reversed),
    mistake("v-twice", v_twice),
    mistake("accumulated", accumulated),
    each("path-forgotten", |case| forgotten(case, |f| f == Forgotten::Path)),
    each("slope-forgotten", |case| forgotten(case, |f| f == Forgotten::Slope)),
    mistake("stopped", |case| forgotten(case, |f| f == Forgotten::Before)),
    each("one-hot-forgotten", |case| forgotten(case, |f| f == Forgotten::OneHot)),
    each("product-rule", |case| forgotten(case, |f| f == Forgotten::BothSlopes)),
    each("sum-for-mean", |case| forgotten(case, |f| matches!(f, Forgotten::Division(_)))),
    each("path-forgotten", |case| forgotten(case, |f| matches!(f, Forgotten::OtherPaths(_)))),
    mistake("mean-for-sum", mean_for_sum),
    each("sign", sign),
    mistake("other-leaf", other_leaf),
    mistake("value", value),
    mistake("value", v_itself),
    mistake("gradient-for-value", gradient_for_value),
    mistake("kink", kink),
    mistake("transposed", transposed),
    each("sign-of-path", |case| forgotten(case, |f| f == Forgotten::Sign)),
    mistake("reversed", reversed),
    mistake("zero", zero),
    mistake("other-value", other_value),
    mistake("factor", factor),
];

fn accumulation_forgotten(case: &Case<'_>) -> Vec<Guess> {
    let (Subject::Grad, Some((_, leaf))) = (case.subject, case.gradient()) else {
        return Vec::new();
    };
    let Some(before) = &leaf.grad_before else {
        return Vec::new();
    };
    let name = case.name();
    let says = |held: &str| {
        format!(
            "the gradient of this backward alone; {name} already held {held}, and gradients accumulate"
        )
    };
    let why = Why::new(says(&list(before.data())), says("one"));
    vec![guess(leaf.contribution.data().to_vec(), why)]
}

fn accumulated(case: &Case<'_>) -> Vec<Guess> {
    let (Subject::Grad, Some((_, leaf))) = (case.subject, case.gradient()) else {
        return Vec::new();
    };
    if leaf.grad_before.is_some() {
        return Vec::new();
    }
    let older = case.evidence.backwards.iter().skip(case.age + 1);
    let older = older.flat_map(|b| &b.leaves).filter(|l| l.name == leaf.name);
    let says = format!(
        "the earlier gradient plus this one, but {} was None before this backward",
        case.name()
    );
    older
        .take(1)
        .map(|old| {
            let sum = old.grad.data().iter().zip(leaf.grad.data());
            guess(sum.map(|(a, b)| a + b).collect(), says.clone())
        })
        .collect()
}

fn before(case: &Case<'_>) -> Vec<Guess> {
    let held = case.gradient().and_then(|(_, l)| l.grad_before.as_ref());
    let says = || format!("the value of {} before this backward", case.name());
    held.map(|g| guess(g.data().to_vec(), says())).into_iter().collect()
}

fn ones_for_v(case: &Case<'_>) -> Vec<Guess> {
    let ones = vec![1.0; case.v.len()];
    if case.gradient().is_none() || case.v == ones {
        return Vec::new();
    }
    let why = match case.v.len() {
        1 => Why::new(
            format!("the gradient for v = 1; here v is {}", list(&case.v)),
            "the gradient without v",
        ),
        _ => Why::new(
            format!("the unweighted sum of the rows, v = {}", list(&ones)),
            "the unweighted sum of the rows",
        ),
    };
    case.sweeps(vec![guess(case.weighed(&ones), why)])
}

fn j_times_v(case: &Case<'_>) -> Vec<Guess> {
    if case.gradient().is_none() || case.rows.len() < 2 {
        return Vec::new();
    }
    let along = |row: &Vec<f64>| row.iter().zip(&case.v).map(|(a, b)| a * b).sum();
    let product: Vec<f64> = case.rows.iter().map(along).collect();
    let says = "J·v. For vᵀJ, multiply each row by its weight, then add down the columns";
    case.sweeps(vec![guess(product, says)])
}

/// Slips of one step of the sweep, computed from the graph.
fn forgotten(case: &Case<'_>, wanted: fn(Forgotten) -> bool) -> Vec<Guess> {
    let (Some((backward, at)), Some(_), 0) = (case.backward, case.gradient(), case.age) else {
        return Vec::new();
    };
    let slips = case.evidence.slips.iter();
    let slips = slips.filter(|s| s.leaf == at && wanted(s.forgotten));
    let guesses = slips.map(|slip| {
        let step = (case.evidence.text)(slip.place).unwrap_or_else(|| name_of(slip.operation));
        let says: Why = match slip.forgotten {
            Forgotten::Slope => {
                let slope = slope(case, slip, &step);
                format!("what you get without {slope}; multiply every slope along the path").into()
            }
            Forgotten::Before => format!(
                "the gradient that arrives at {step}; the slope of {step} with respect to {} is missing",
                case.leaf_name(at)
            ).into(),
            Forgotten::Path => format!(
                "what you get when one path from {} to {} is left out; the contributions of all paths add",
                case.leaf_name(at),
                backward.output
            ).into(),
            Forgotten::Sign => format!(
                "correct except for the sign of one path from {} to {}",
                case.leaf_name(at),
                backward.output
            ).into(),
            Forgotten::BothSlopes => match slip.operation {
                "DivBackward0" => format!("what you get when the slopes of numerator and denominator of {step} are divided; the quotient rule is (f′g − fg′)/g²"),
                _ => format!("what you get when the slopes of both factors of {step} are multiplied; the product rule is f′g + fg′"),
            }
            .into(),
            Forgotten::OneHot => format!(
                "the softmax part of {step} alone; in softmax − one-hot, the one-hot part is missing"
            )
            .into(),
            Forgotten::OtherPaths(n) => {
                let (leaf, output) = (case.leaf_name(at), &backward.output);
                let says = |n: &str| {
                    format!("the contribution of one path alone; {n} paths lead from {leaf} to {output}, and their contributions add")
                };
                Why::new(says(&n.to_string()), says("several"))
            }
            Forgotten::Division(n) => Why::new(
                format!("what you get without the division; {step} divides by {n}"),
                format!("what you get without the division; {step} divides"),
            ),
            Forgotten::Sum(n) => Why::new(
                format!("what you get when dividing by {n}; {step} does not divide"),
                format!("what you get when dividing; {step} does not divide"),
            ),
        };
        guess(slip.numbers.clone(), says)
    });
    let guesses = guesses.collect();
    case.sweeps(guesses)
}

/// `PowBackward0` as `pow`.
fn name_of(operation: &str) -> String {
    operation.split("Backward").next().unwrap_or(operation).to_lowercase()
}

/// What is missing where the slope of a step was taken as 1, in words: of a product the other factor.
fn slope(case: &Case<'_>, slip: &Slip, step: &str) -> String {
    let operand = match &slip.operand {
        Operand::Leaf(name) => Some(name.clone()),
        Operand::Computed(place) => (case.evidence.text)(*place),
    };
    let product = |sign: &str| {
        let (left, right) = arithmetic::operands(step, sign)?;
        let is_operand =
            |side: &str| operand.as_deref().is_some_and(|text| unwrapped(side) == unwrapped(text));
        match (is_operand(left), is_operand(right)) {
            (true, _) => Some((right.to_owned(), true)),
            (_, true) => Some((left.to_owned(), false)),
            _ => None,
        }
    };
    match slip.operation.split("Backward").next().unwrap_or("") {
        "Mul" | "Mm" | "Mv" | "Dot" => {
            let sign = if slip.operation.starts_with("Mul") { "*" } else { "@" };
            match product(sign) {
                Some((factor, _)) => format!("the factor {factor} of {step}"),
                None => format!("the other factor of {step}"),
            }
        }
        "Div" => match product("/") {
            Some((divisor, true)) => format!("the division by {divisor} in {step}"),
            _ => format!("the slope of the division {step}"),
        },
        _ if matches!(slip.operand, Operand::Leaf(_)) => format!("the slope of {step}"),
        _ => format!("the outer slope of {step}"),
    }
}

/// Without brackets around all of it.
fn unwrapped(text: &str) -> &str {
    let text = text.trim();
    let inside = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inside.filter(|inside| !inside.contains(['(', ')'])).unwrap_or(text)
}

fn mean_for_sum(case: &Case<'_>) -> Vec<Guess> {
    let mut all = forgotten(case, |f| matches!(f, Forgotten::Sum(_)));
    let Some((backward, _)) = case.gradient().filter(|_| case.v.len() > 1) else {
        return all;
    };
    let even = vec![1.0 / case.v.len() as f64; case.v.len()];
    let says = format!(
        "the gradient of {}.mean(); v = {} does not divide by {}",
        backward.output,
        list(&case.v),
        case.v.len()
    );
    let hint = format!("the gradient of {}.mean(); look at v", backward.output);
    if case.v != even {
        all.extend(case.sweeps(vec![guess(case.weighed(&even), Why::new(says, hint))]));
    }
    all
}

fn row_sums(case: &Case<'_>) -> Vec<Guess> {
    if case.gradient().is_none() || case.rows.len() < 2 {
        return Vec::new();
    }
    let sums = case.rows.iter().map(|row| row.iter().sum()).collect();
    let says = "the sums across the rows of J; for vᵀJ, weight each row and add down the columns";
    case.sweeps(vec![guess(sums, says)])
}

fn one_row(case: &Case<'_>) -> Vec<Guess> {
    if case.gradient().is_none() || case.rows.len() < 2 {
        return Vec::new();
    }
    let rows = case.rows.iter().zip(&case.v).enumerate();
    let guesses = rows.flat_map(|(i, (row, v))| {
        let times = row.iter().map(|x| v * x).collect();
        let number = i + 1;
        let of = |says: &str| {
            let row = |row: &str| format!("{row} of J{says}");
            Why::new(row(&format!("row {number}")), row("one row"))
        };
        let bare = (*v != 1.0).then(|| guess(row.clone(), of(", without its weight")));
        let rest = of(" times its weight; the other rows are missing");
        bare.into_iter().chain([guess(times, rest)])
    });
    let guesses = guesses.collect();
    case.sweeps(guesses)
}

fn v_reversed(case: &Case<'_>) -> Vec<Guess> {
    let other: Vec<f64> = case.v.iter().rev().copied().collect();
    if case.gradient().is_none() || other == case.v {
        return Vec::new();
    }
    let says = format!("the rows weighted in reverse order, v = {}", list(&other));
    let why = Why::new(says, "the rows weighted in reverse order");
    case.sweeps(vec![guess(case.weighed(&other), why)])
}

fn v_twice(case: &Case<'_>) -> Vec<Guess> {
    let squares: Vec<f64> = case.v.iter().map(|v| v * v).collect();
    if case.gradient().is_none() || squares == case.v {
        return Vec::new();
    }
    let says = match case.v.len() {
        1 => "the slope multiplied by v twice",
        _ => "the rows multiplied by v twice",
    };
    case.sweeps(vec![guess(case.weighed(&squares), says)])
}

fn other_leaf(case: &Case<'_>) -> Vec<Guess> {
    let Some((backward, leaf)) = case.gradient() else {
        return Vec::new();
    };
    // What a later backward reached has another gradient by now.
    let later = |name: &String| {
        let mut newer = case.evidence.backwards.iter().take(case.age);
        newer.any(|b| b.leaves.iter().any(|l| l.name == *name))
    };
    let others = backward.leaves.iter().filter(|l| l.name != leaf.name && !later(&l.name));
    others
        .map(|l| {
            let says = format!("{}.grad, the gradient for another leaf", l.name);
            guess(l.grad.data().to_vec(), says)
        })
        .collect()
}

fn value(case: &Case<'_>) -> Vec<Guess> {
    let Some((backward, leaf)) = case.gradient() else {
        return Vec::new();
    };
    let (y, x) = (&backward.output, &leaf.name);
    let mut later = case.evidence.backwards[..case.age].iter();
    let value = match later.any(|b| b.output == *y) {
        true => format!("the value that {y} had in an earlier question"),
        false => format!("the value of {y}"),
    };
    vec![
        guess(
            backward.value.data().to_vec(),
            format!("{value}; the gradient is how fast {y} changes with {x}"),
        ),
        guess(leaf.value.data().to_vec(), format!("{x} itself, not its gradient")),
    ]
}

/// Several numbers that are a value, as one number may be by chance.
fn itself(case: &Case<'_>) -> Vec<Guess> {
    match case.right.len() {
        0 | 1 => Vec::new(),
        _ => value(case).into_iter().chain(v_itself(case)).collect(),
    }
}

fn v_itself(case: &Case<'_>) -> Vec<Guess> {
    let asked = case.gradient().is_some();
    asked.then(|| guess(case.v.clone(), "v itself; the gradient is vᵀJ")).into_iter().collect()
}

/// At a kink, the slope of the other side.
fn kink(case: &Case<'_>) -> Vec<Guess> {
    let (Some((backward, at)), Some(_)) = (case.backward, case.gradient()) else {
        return Vec::new();
    };
    let mut other = case.rows.clone();
    let mut says = None;
    if !backward.corners.iter().all(|c| c.whole && c.element.is_some()) {
        return Vec::new();
    }
    for corner in &backward.corners {
        let slope = match corner.taken == corner.left {
            true => corner.right,
            false => corner.left,
        };
        for (_, i, j) in corner.entries.iter().filter(|(leaf, _, _)| *leaf == at) {
            if let Some(entry) = other.get_mut(*i).and_then(|row| row.get_mut(*j)) {
                *entry = slope;
                says = Some(Why::new(
                    format!(
                        "the result with slope {slope} from the other side of the kink; at {} {} takes {}",
                        corner.at, corner.op, corner.taken
                    ),
                    format!(
                        "the result with the slope of {} from the other side of the kink",
                        corner.op
                    ),
                ));
            }
        }
    }
    let Some(says) = says else { return Vec::new() };
    let mut sum = vec![0.0; case.right.len()];
    for (row, v) in other.iter().zip(&case.v) {
        sum.iter_mut().zip(row).for_each(|(s, x)| *s += v * x);
    }
    case.sweeps(vec![guess(sum, says)])
}

/// What may be wrong with the numbers alone, whatever they are of.
pub struct OfAny {
    pub name: &'static str,
    /// Behind `8 and 34 are`.
    pub says: &'static str,
    pub hint: &'static str,
    /// The numbers of a right answer of this shape with the mistake; None where it makes no difference.
    pub wrong: fn(&[f64], &[usize]) -> Option<Vec<f64>>,
}

pub const TRANSPOSED: OfAny = OfAny {
    name: "transposed",
    says: "the transpose of the correct answer",
    hint: "not all in their places: look at rows and columns",
    wrong: transpose,
};

pub const OF_ANY: &[OfAny] = &[
    TRANSPOSED,
    OfAny {
        name: "sign",
        says: "correct except for the sign",
        hint: LOOK_AT_SIGNS,
        wrong: |numbers, _| Some(numbers.iter().map(|x| -x).collect()),
    },
];

/// The hint where a sign is wrong.
pub const LOOK_AT_SIGNS: &str = "not right yet: look at the signs";

/// Of a factor that is too much or missing.
pub const FACTOR: &str = "off by a constant factor";

/// A matrix, or each of several, with its rows as columns.
fn transpose(numbers: &[f64], shape: &[usize]) -> Option<Vec<f64>> {
    let [.., m, n] = *shape else { return None };
    let turned = |one: &[f64]| (0..m * n).map(|k| one[k % m * n + k / m]).collect::<Vec<f64>>();
    let fits = m > 1 && n > 1 && numbers.len().is_multiple_of(m * n);
    fits.then(|| numbers.chunks(m * n).flat_map(turned).collect())
}

/// The guesses of [`OF_ANY`] about a right answer.
pub fn of_any(right: &[f64], shape: &[usize]) -> Vec<Guess> {
    let each = |one: &OfAny| Some(guess((one.wrong)(right, shape)?, Why::new(one.says, one.hint)));
    OF_ANY.iter().filter_map(each).collect()
}

fn transposed(case: &Case<'_>) -> Vec<Guess> {
    if let (Subject::Row(i), Some(_)) = (case.subject, case.backward) {
        let column = case.rows.iter().filter_map(|row| row.get(i)).copied();
        let says = format!("column {} of J, not the row", i + 1);
        return vec![guess(column.collect(), Why::new(says, "a column of J, not the row"))];
    }
    let name = case.name();
    let says = match (case.subject, case.backward) {
        (Subject::Jacobian, _) => {
            "J transposed; its rows belong to the outputs, its columns to the inputs".to_owned()
        }
        (Subject::Grad, Some((_, at))) => format!(
            "{name} transposed; each entry belongs to the entry of {} in its place",
            case.leaf_name(at)
        ),
        _ => TRANSPOSED.says.to_owned(),
    };
    let numbers = transpose(&case.right, &case.shape);
    let says = Why::new(says, TRANSPOSED.hint);
    numbers.map(|numbers| guess(numbers, says)).into_iter().collect()
}

fn sign(case: &Case<'_>) -> Vec<Guess> {
    of_any(&case.right, &[])
}

fn reversed(case: &Case<'_>) -> Vec<Guess> {
    let flipped = case.right.iter().rev().copied().collect();
    let hint = "not all in their places: look at the order";
    vec![guess(flipped, Why::new("the right numbers in reverse order", hint))]
}

fn zero(case: &Case<'_>) -> Vec<Guess> {
    let moves = case.rows.iter().flatten().any(|slope| *slope != 0.0);
    let Some((backward, leaf)) = case.gradient().filter(|_| moves) else {
        return Vec::new();
    };
    let says =
        format!("the gradient of a constant; {} does depend on {}", backward.output, leaf.name);
    vec![guess(vec![0.0; case.right.len()], says)]
}

/// Something else that has a name.
fn other_value(case: &Case<'_>) -> Vec<Guess> {
    let values = case.evidence.values.iter();
    values.map(|(name, numbers)| guess(numbers.clone(), format!("the value of {name}"))).collect()
}

/// Everything so many times too large or too small.
fn factor(case: &Case<'_>) -> Vec<Guess> {
    // A number is always so many times 1.
    if case.right.iter().all(|x| *x == 1.0) {
        return Vec::new();
    }
    let scaled = |c: f64| case.right.iter().map(|x| x * c).collect::<Vec<f64>>();
    let whole = [2.0, 3.0, 4.0, 5.0, 10.0, 100.0, 1000.0];
    whole
        .iter()
        .flat_map(|c| {
            [
                guess(scaled(*c), Why::new(format!("{c} times the correct answer"), FACTOR)),
                guess(scaled(1.0 / c), Why::new(format!("1/{c} of the correct answer"), FACTOR)),
            ]
        })
        .collect()
}

fn gradient_for_value(case: &Case<'_>) -> Vec<Guess> {
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
