//! Functions that an exported program brings along, when it uses them: a page of Python for each
//! format, taken apart at its top-level definitions.

/// A page of functions, as a file of Python.
pub struct Page(pub &'static str);

impl Page {
    /// Each definition's name and text.
    fn definitions(&self) -> Vec<(&'static str, &'static str)> {
        let mut all = Vec::new();
        let mut rest = self.0;
        while let Some(at) = rest.find("\n\n\n") {
            rest = &rest[at + 3..];
            let text = &rest[..rest.find("\n\n\n").unwrap_or(rest.len())];
            let head = text.lines().find(|l| l.starts_with("def "));
            let name = head.and_then(|l| l[4..].split('(').next());
            all.extend(name.map(|n| (n, text.trim_end())));
        }
        all
    }

    /// Whether the page defines a name.
    pub fn has(&self, name: &str) -> bool {
        self.all().any(|n| n == name)
    }

    /// The names that it defines.
    pub fn all(&self) -> impl Iterator<Item = &'static str> {
        self.definitions().into_iter().map(|(name, _)| name)
    }

    /// The texts of those named and of what they use, in the order of the page. A name that the
    /// program binds itself gets a `_` behind it.
    pub fn needed(&self, named: &[String], bound: &dyn Fn(&str) -> bool) -> String {
        let all = self.definitions();
        let mut wanted: Vec<usize> = Vec::new();
        let mut waiting: Vec<&str> = named.iter().map(String::as_str).collect();
        while let Some(name) = waiting.pop() {
            if let Some(at) = all.iter().position(|(n, _)| *n == name)
                && !wanted.contains(&at)
            {
                wanted.push(at);
                let code: String = all[at].1.split("\"\"\"").step_by(2).collect();
                waiting.extend(all.iter().map(|(n, _)| *n).filter(|n| names(&code, n)));
            }
        }
        wanted.sort_unstable();
        let mut out = String::new();
        for at in wanted {
            let text = all
                .iter()
                .filter(|(n, _)| bound(n))
                .fold(all[at].1.to_owned(), |t, (n, _)| replaced(&t, n, &format!("{n}_")));
            out += &format!("\n\n{text}\n");
        }
        out
    }
}

/// Where a word stands in a text by itself: not as a part of another, nor behind a dot.
fn places<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let before = text[..*at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(|c| part(c) || c == '.') && !after.is_some_and(part)
    })
}

/// Whether a word stands in a text by itself.
pub fn names(text: &str, word: &str) -> bool {
    places(text, word).next().is_some()
}

/// Whether a word of the text begins so: `np.` in `np.exp(1)`.
pub fn starts(text: &str, begin: &str) -> bool {
    text.match_indices(begin).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.')
    })
}

/// The text with another word in the place of one.
pub fn replaced(text: &str, word: &str, other: &str) -> String {
    let (mut out, mut from) = (String::new(), 0);
    for at in places(text, word) {
        out += &text[from..at];
        out += other;
        from = at + word.len();
    }
    out + &text[from..]
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: Page =
        Page("# Two functions.\n\n\ndef f(x):\n    return g(x)\n\n\ndef g(x):\n    return x\n");

    #[test]
    fn what_is_used_comes_along_in_order() {
        let needed = |name: &str| PAGE.needed(&[name.to_owned()], &|n| n == "g");
        let g = "\n\ndef g_(x):\n    return x\n";
        assert_eq!(needed("f"), format!("\n\ndef f(x):\n    return g_(x)\n{g}"));
        assert_eq!(needed("g"), g);
    }
}
