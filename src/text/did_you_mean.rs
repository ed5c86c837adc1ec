//! Did you mean …?

use crate::foreign_spellings::{self, Means};

/// Edit distance: insertions, deletions, replacements and swaps of neighbours, letters alike
/// in upper and lower case costing half. Counted in halves.
pub fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0usize; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = 2 * i;
    }
    rows[0] = (0..=b.len()).map(|j| 2 * j).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let cost = match (a[i - 1], b[j - 1]) {
                (x, y) if x == y => 0,
                (x, y) if x.to_lowercase().eq(y.to_lowercase()) => 1,
                _ => 2,
            };
            let mut best =
                (rows[i - 1][j] + 2).min(rows[i][j - 1] + 2).min(rows[i - 1][j - 1] + cost);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 2);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

/// The candidate that `word` was perhaps meant to be; the first of equally near ones.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 60;
    let length = word.chars().count();
    if length == 0 || length > LONGEST {
        return None;
    }
    candidates
        .into_iter()
        .filter(|c| c.len() <= 4 * LONGEST && *c != word && same_words(word, c))
        .map(|c| (slips(word, c), c))
        .filter(|(d, c)| *d <= allowed(length.min(c.chars().count())))
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
}

/// Whether each of the words that `_` joins may be meant: `ldl_factor` is another than `lu_factor`.
fn same_words(word: &str, meant: &str) -> bool {
    let (a, b): (Vec<&str>, Vec<&str>) = (word.split('_').collect(), meant.split('_').collect());
    let near = |(a, b): (&&str, &&str)| {
        distance(a, b) <= allowed(a.chars().count().min(b.chars().count())).max(2)
    };
    a.len() != b.len() || a.len() == 1 || a.iter().zip(&b).all(near)
}

/// How many halves of a slip a word of so many letters may hold: short words are near to too many
/// others.
fn allowed(length: usize) -> usize {
    match length {
        0..=1 => 1,
        2..=7 => 2,
        8..=11 => 4,
        _ => 6,
    }
}

/// The distance, with what a finger seldom does counted once more: another first letter, another
/// letter in a word of four, a letter more or less in one of three.
fn slips(word: &str, meant: &str) -> usize {
    let first = |text: &str| text.chars().next().map(|c| c.to_lowercase().to_string());
    let letters = |text: &str| {
        let mut all: Vec<char> = text.to_lowercase().chars().collect();
        all.sort_unstable();
        all
    };
    if word.to_lowercase() == meant.to_lowercase() {
        return 1;
    }
    let (a, b) = (word.chars().count(), meant.chars().count());
    let short = a.max(b) <= if a == b { 4 } else { 3 };
    let swapped = letters(word) == letters(meant);
    match swapped {
        // The likeliest of all.
        true => distance(word, meant) - 1,
        false => distance(word, meant) + usize::from(short || first(word) != first(meant)),
    }
}

/// How a hint begins that asks for a name.
pub const ASKS: &str = "did you mean ";

/// The hint that asks for a name.
pub fn asks(near: &str) -> String {
    format!("{ASKS}{near}?")
}

/// The known name that a word means by habit or is near to.
pub fn near(word: &str, known: Vec<&'static str>) -> Option<&'static str> {
    match foreign_spellings::name(word) {
        Some(Means::Name(meant)) if known.contains(&meant) => Some(meant),
        _ => closest(word, known),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_slip_of_the_finger() {
        let names = ["backward", "sigmoid", "sin", "sum", "mean", "relu"];
        let cases = [
            ("bakward", Some("backward")),
            ("sigmiod", Some("sigmoid")),
            ("Sum", Some("sum")),
            ("SIN", Some("sin")),
            ("smu", Some("sum")),
            ("men", Some("mean")),
            ("summ", Some("sum")),
            ("frobnicate", None),
            ("q", None),
            // Another word, not a slip.
            ("sun", None),
            ("cin", None),
            ("median", None),
            ("belu", None),
        ];
        for (word, expected) in cases {
            assert_eq!(closest(word, names), expected, "{word}");
        }
    }
}
