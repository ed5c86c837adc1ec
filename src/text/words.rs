//! Small words: counts and lists.

/// `1 element`, `2 elements`; words that end in -y, -x, -s, -ch, -sh take their own plural.
pub fn count(n: usize, noun: &str) -> String {
    match n {
        1 => format!("1 {noun}"),
        _ => format!("{n} {}", plural(noun)),
    }
}

/// The plural of an English noun.
pub fn plural(noun: &str) -> String {
    match noun {
        "matrix" => return "matrices".into(),
        "axis" => return "axes".into(),
        "leaf" => return "leaves".into(),
        "index" => return "indices".into(),
        _ => {}
    }
    if let Some(stem) = noun.strip_suffix('y')
        && !stem.ends_with(['a', 'e', 'i', 'o', 'u'])
    {
        return format!("{stem}ies");
    }
    if ["s", "x", "ch", "sh"].iter().any(|end| noun.ends_with(end)) {
        return format!("{noun}es");
    }
    format!("{noun}s")
}

/// `a`, `a or b`, `a, b or c`.
pub fn list<T: AsRef<str>>(items: &[T], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().into(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(T::as_ref).collect();
            format!("{} {word} {}", first.join(", "), last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_take_the_plural() {
        let cases = [
            (1, "element", "1 element"),
            (2, "entry", "2 entries"),
            (0, "leaf", "0 leaves"),
            (3, "key", "3 keys"),
        ];
        for (n, noun, expected) in cases {
            assert_eq!(count(n, noun), expected);
        }
    }

    #[test]
    fn lists_read_as_english() {
        assert_eq!(list(&["a"], "or"), "a");
        assert_eq!(list(&["a", "b", "c"], "or"), "a, b or c");
    }
}
