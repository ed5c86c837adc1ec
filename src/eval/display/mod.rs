//! How values print: tensors as PyTorch 2.15 prints them, arrays as NumPy 2 does.

pub mod notebook;
pub mod numpy;
pub mod python;
pub mod quote;
#[cfg(test)]
mod tests;
pub mod torch;

use vjp_text::number;

/// `1.5000e+03` as C writes it: an exponent of a sign and at least two digits.
pub(crate) fn scientific(value: f64, precision: usize) -> String {
    number::scientific(value, precision, false)
}

/// Rust's `1.5e3` with C's exponent, `1.5e+03`.
pub(crate) fn c_exponent(text: &str) -> String {
    match text.split_once('e') {
        Some((mantissa, exponent)) => {
            let (sign, digits) = match exponent.strip_prefix('-') {
                Some(digits) => ('-', digits),
                None => ('+', exponent),
            };
            format!("{mantissa}e{sign}{digits:0>2}")
        }
        None => text.to_owned(),
    }
}

/// nan and infinities as both libraries spell them.
pub(crate) fn non_finite(value: f64) -> Option<&'static str> {
    if value.is_nan() {
        Some("nan")
    } else if value.is_infinite() {
        Some(if value > 0.0 { "inf" } else { "-inf" })
    } else {
        None
    }
}

/// The elements that a summary shows: `edge` from both ends of every dimension that is longer
/// than twice that, row-major.
pub(crate) fn edges(shape: &[usize], data: &[f64], edge: usize) -> Vec<f64> {
    let mut positions = vec![0usize];
    for &length in shape {
        let shown: Vec<usize> = shown(length, edge).collect();
        positions =
            positions.iter().flat_map(|&p| shown.iter().map(move |&i| p * length + i)).collect();
    }
    positions.iter().filter_map(|&p| data.get(p).copied()).collect()
}

/// Indices of a dimension that a summary shows.
fn shown(length: usize, edge: usize) -> impl Iterator<Item = usize> {
    let cut = length > edge.saturating_mul(2);
    (0..length).filter(move |&i| !cut || i < edge || i >= length - edge)
}

/// An item of a dimension: an index, or the dots that stand for what is left out.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Item {
    Index(usize),
    Dots,
}

/// What is shown of a dimension of `length`, with dots where `summary` leaves something out.
pub(crate) fn items(length: usize, edge: usize, summary: bool) -> Vec<Item> {
    if !summary || length <= edge.saturating_mul(2) {
        return (0..length).map(Item::Index).collect();
    }
    let tail = (length - edge)..length;
    (0..edge).map(Item::Index).chain([Item::Dots]).chain(tail.map(Item::Index)).collect()
}
