//! Line numbers in front of the lines, and fences of Markdown around them, as listings have them.

/// Words that go on with a number: `1 if x else 2` is a program.
const GOES_ON: &[&str] = &["if", "else", "and", "or", "in", "is", "not", "for"];

/// The text without the numbers of its lines, where every line has one and they count up by one.
pub fn without_numbers(text: &str) -> Option<String> {
    let mut expected = None;
    let (mut lines, mut sure) = (0, false);
    for line in text.lines().filter(|l| !l.trim().is_empty()) {
        let (number, code) = parts(line)?;
        if expected.is_some_and(|e| e != number) {
            return None;
        }
        expected = Some(number + 1);
        lines += 1;
        let code = code.trim_start();
        let first = code.chars().next();
        if !first.is_none_or(|c| c.is_alphabetic() || "_@#\"'})]".contains(c)) {
            return None;
        }
        let word: &str = code.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
        sure |= !word.is_empty() && !GOES_ON.contains(&word);
    }
    (lines > 1 && sure).then(|| {
        let bare = |l: &'_ str| parts(l).map_or(String::new(), |(_, code)| code.to_owned());
        text.split_inclusive('\n')
            .map(|l| match l.trim_end_matches(['\n', '\r']) {
                line if line.len() < l.len() => bare(line) + "\n",
                line => bare(line),
            })
            .collect()
    })
}

/// The number in front of a line, and what follows it behind a sign or a space.
fn parts(line: &str) -> Option<(u32, &str)> {
    let line = line.trim_start_matches([' ', '\t']);
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = line[..digits].parse().ok()?;
    let code = line[digits..].trim_start_matches([':', '.', '|', ')']);
    (code.is_empty() || code.starts_with([' ', '\t'])).then_some((number, code))
}

/// The text between its first and its last fence (three backquotes), where it begins with one.
pub fn without_fences(text: &str) -> Option<String> {
    if !text.trim_start().starts_with("```") {
        return None;
    }
    let fence = |l: &&str| !l.trim_start().starts_with("```");
    Some(text.split_inclusive('\n').filter(fence).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listings_lose_their_numbers_and_programs_keep_theirs() {
        let listing = " 9 for i in x:\n10     print(i)\n11\n12 y = 2\n";
        let wanted = " for i in x:\n     print(i)\n\n y = 2\n";
        assert_eq!(without_numbers(listing).as_deref(), Some(wanted));
        assert!(without_numbers("1: import torch\n2: x = 1\n").is_some());
        for text in ["1\n2\n3\n", "1 + 2\n2 + 3\n", "1 if x else 2\n2 or 3\n", "x = 1\n", "1 x\n"] {
            assert_eq!(without_numbers(text), None, "{text}");
        }
        assert_eq!(without_fences("```python\nx = 1\n```\n").as_deref(), Some("x = 1\n"));
    }
}
