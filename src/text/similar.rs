//! Did you mean …?

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
    // A third of the letters may differ, and one of the shortest words.
    let limit = 2 * (length / 3).max(1);
    candidates
        .into_iter()
        .filter(|c| c.len() <= 4 * LONGEST && *c != word)
        .map(|c| (distance(word, c), c))
        .filter(|(d, c)| *d <= limit && *d < 2 * length.min(c.chars().count()))
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
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
            ("frobnicate", None),
            ("q", None),
        ];
        for (word, expected) in cases {
            assert_eq!(closest(word, names), expected, "{word}");
        }
    }
}
