//! The digits rule: how numbers of one block are written, so that "0" is always a statement.

use super::number::{repr, shortest};

/// Significant digits of the largest entry, unless `:set digits N` says otherwise.
const SIGNIFICANT: i32 = 4;

/// From here on every nonzero entry of a block is written with an exponent.
const LARGE: f64 = 1e6;

/// From here on a number with too few digits in its block's form gets decimals of its own; a smaller one an
/// exponent.
const SHORT: f64 = 1e-3;

/// The form shared by the numbers of one block (J, vᵀJ and gradient of a leaf; an echo; v).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Digits {
    /// This many decimals; at least so many significant digits, else an exponent.
    Decimals { decimals: usize, least: usize },
    /// `1.235e+08`, with this many decimals.
    Exponent(usize),
    /// All digits.
    Whole,
}

impl Digits {
    /// The form for a block of numbers; `set`: significant digits asked for by `:set digits`.
    pub fn of(numbers: impl Iterator<Item = f64> + Clone, set: Option<u8>) -> Digits {
        let significant = set.map_or(SIGNIFICANT, |n| i32::from(n.max(1)));
        let finite = numbers.filter(|x| x.is_finite());
        let largest = finite.clone().fold(0.0, |m: f64, x| m.max(x.abs()));
        if largest >= LARGE {
            return Digits::Exponent(significant as usize - 1);
        }
        let least = significant.min(2) as usize;
        if finite.clone().all(|x| x.fract() == 0.0) {
            return Digits::Decimals { decimals: 0, least };
        }
        let most =
            (significant - 1 - largest.log10().floor() as i32).clamp(0, significant) as usize;
        let decimals = (0..most).find(|&d| finite.clone().all(|x| exact(x, d))).unwrap_or(most);
        Digits::Decimals { decimals, least }
    }

    /// As [`Digits::of`], for numbers that were typed: all their digits where the rule would lose some.
    /// Numbers of so many digits that they were computed have the rule's.
    pub fn typed(numbers: impl Iterator<Item = f64> + Clone, set: Option<u8>) -> Digits {
        let rule = Digits::of(numbers.clone(), set);
        let finite = numbers.filter(|x| x.is_finite());
        let kept = finite.clone().all(|x| rule.text(x).parse() == Ok(x));
        let ends = |x: f64| shortest(x).1.len() <= f64::DIGITS as usize;
        if set.is_none() && !kept && finite.clone().all(ends) { Digits::Whole } else { rule }
    }

    /// One number. An exact zero is a bare `0`; nothing else ever looks like zero.
    pub fn text(self, x: f64) -> String {
        if x.is_nan() {
            return "nan".to_string();
        }
        if x.is_infinite() {
            return if x > 0.0 { "inf" } else { "-inf" }.to_string();
        }
        if x == 0.0 {
            return "0".to_string();
        }
        match self {
            Digits::Exponent(decimals) => exponent(x, decimals),
            Digits::Whole => {
                let text = repr(x);
                text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
            }
            Digits::Decimals { decimals, least } => {
                let text = format!("{x:.decimals$}");
                match significant(&text) < least && !exact(x, decimals) {
                    true if x.abs() >= SHORT => finer(x, least),
                    true => exponent(x, least - 1),
                    false => text,
                }
            }
        }
    }
}

/// A term behind another: its sign, and what is added or subtracted.
pub fn added(term: &str) -> (&'static str, &str) {
    match term.strip_prefix('-') {
        Some(size) => (" − ", size),
        None => (" + ", term),
    }
}

/// `12 − 1.6 + 3`
pub fn sum(terms: &[String]) -> String {
    let Some((first, rest)) = terms.split_first() else {
        return "0".to_owned();
    };
    rest.iter().map(|t| added(t)).fold(first.clone(), |all, (sign, size)| all + sign + size)
}

/// The digit that a raised sign is: 2 of `²`.
pub fn raised(sign: char) -> Option<u32> {
    "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().zip(0..).find_map(|(c, digit)| (c == sign).then_some(digit))
}

/// The digit that a lowered sign is: 1 of `₁`.
pub fn lowered(sign: char) -> Option<u32> {
    "₀₁₂₃₄₅₆₇₈₉".chars().zip(0..).find_map(|(c, digit)| (c == sign).then_some(digit))
}

/// A number behind a `×`.
pub fn factor(number: String) -> String {
    if number.starts_with('-') { format!("({number})") } else { number }
}

/// Whether so many decimals lose nothing of the number as it is usually written.
fn exact(x: f64, decimals: usize) -> bool {
    format!("{x:.decimals$}").parse() == Ok(x)
}

/// With as many decimals as so many significant digits need, fewer if nothing is lost: `0.5`, `3.2`.
fn finer(x: f64, significant: usize) -> String {
    let most = (significant as i32 - 1 - x.abs().log10().floor() as i32).max(0) as usize;
    let decimals = (0..most).find(|&d| exact(x, d)).unwrap_or(most);
    format!("{x:.decimals$}")
}

/// How many significant digits a text without exponent shows.
fn significant(text: &str) -> usize {
    text.chars().filter(char::is_ascii_digit).skip_while(|&c| c == '0').count()
}

/// `3.0e-06`: Python's form, with a sign and at least two digits in the exponent.
fn exponent(x: f64, decimals: usize) -> String {
    let text = format!("{x:.decimals$e}");
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, power) = match power.strip_prefix('-') {
        Some(power) => ('-', power),
        None => ('+', power),
    };
    format!("{mantissa}e{sign}{power:0>2}")
}

/// A lone number by the rule: weights in phrases and sums.
pub fn lone(x: f64, set: Option<u8>) -> String {
    Digits::of(std::iter::once(x), set).text(x)
}

/// A count with separators: `999,000`.
pub fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(numbers: &[f64]) -> Vec<String> {
        let digits = Digits::of(numbers.iter().copied(), None);
        numbers.iter().map(|&x| digits.text(x)).collect()
    }

    #[test]
    fn integers_have_no_decimals() {
        assert_eq!(block(&[6.0, 0.0, -0.0, 120.0]), ["6", "0", "0", "120"]);
        assert_eq!(block(&[999_999.0, 1.0]), ["999999", "1"]);
    }

    #[test]
    fn four_significant_digits_of_the_largest() {
        assert_eq!(block(&[3.5941, -0.48811]), ["3.594", "-0.488"]);
        assert_eq!(block(&[0.02961, -0.2076]), ["0.0296", "-0.2076"]);
        assert_eq!(block(&[1234.5678, 20.25]), ["1235", "20"]);
        assert_eq!(block(&[123.45678, 20.25]), ["123.5", "20.2"]);
    }

    #[test]
    fn fewer_when_all_stay_exact() {
        assert_eq!(block(&[0.25, 0.0, 0.5]), ["0.25", "0", "0.50"]);
        assert_eq!(block(&[0.5, 1000.0]), ["0.5", "1000"]);
        assert_eq!(block(&[0.1, 12.0]), ["0.1", "12.0"]);
    }

    #[test]
    fn nothing_but_zero_looks_like_zero() {
        assert_eq!(block(&[3.0, 3e-6, 0.012]), ["3.000", "3.0e-06", "0.012"]);
        assert_eq!(block(&[-1e-9, 1.5]), ["-1.0e-09", "1.500"]);
        assert_eq!(block(&[12345.6, 3.2]), ["12346", "3.2"]);
        assert_eq!(block(&[12345.6, 3.0]), ["12346", "3"]);
        assert_eq!(block(&[1234.0, 1.0 / 3.0, 1.0 + 1e-9]), ["1234", "0.33", "1.0"]);
        assert_eq!(block(&[1234.0, 0.00125, 0.00012]), ["1234", "0.0013", "1.2e-04"]);
    }

    #[test]
    fn from_a_million_on_exponents() {
        assert_eq!(block(&[123_456_789.0, 0.0, 2.0]), ["1.235e+08", "0", "2.000e+00"]);
    }

    #[test]
    fn not_numbers() {
        assert_eq!(
            block(&[f64::NAN, f64::INFINITY, 0.25, f64::NEG_INFINITY]),
            ["nan", "inf", "0.25", "-inf"]
        );
    }

    #[test]
    fn digits_as_set() {
        let digits = Digits::of([2.34567, 0.5].into_iter(), Some(6));
        assert_eq!(digits.text(2.34567), "2.34567");
        let digits = Digits::of([2.34567891, 0.5].into_iter(), Some(2));
        assert_eq!(digits.text(2.34567891), "2.3");
    }

    #[test]
    fn what_was_typed_stays() {
        let typed = |numbers: &[f64]| {
            let digits = Digits::typed(numbers.iter().copied(), None);
            numbers.iter().map(|&x| digits.text(x)).collect::<Vec<_>>()
        };
        assert_eq!(typed(&[1234.5, 2.25, -3.0]), ["1234.5", "2.25", "-3"]);
        assert_eq!(typed(&[0.001, 1.0]), ["0.001", "1.000"]);
        assert_eq!(typed(&[0.25, 0.5]), ["0.25", "0.50"]);
        assert_eq!(typed(&[1.0 / 3.0, 1.0]), ["0.333", "1.000"]);
    }

    #[test]
    fn counts_are_grouped() {
        assert_eq!(grouped(999_000), "999,000");
        assert_eq!(grouped(1_000_000), "1,000,000");
        assert_eq!(grouped(12), "12");
    }
}
