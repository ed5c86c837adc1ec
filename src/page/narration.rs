//! Narration of a session as HTML: paragraphs, what is indented as it stands, and code between backticks.

use vjp_report::terminal::html::escaped;

/// A line of narration without its sign.
fn said(line: &str) -> &str {
    let text = line.strip_prefix('#').unwrap_or(line);
    text.strip_prefix(' ').unwrap_or(text).trim_end()
}

/// A first line that stands alone is the title.
pub fn title(lines: &[String]) -> Option<String> {
    let mut all = lines.iter().map(|line| said(line));
    let first = all.next().filter(|line| !line.is_empty())?;
    let alone = all.next().is_none_or(str::is_empty);
    (alone && !first.ends_with(':')).then(|| first.to_owned())
}

/// What a file's name says, in words: `19-graph-of-attention.vjp`.
pub fn named(file: &str) -> String {
    let stem = file.trim_end_matches(".vjp");
    let unnumbered = stem.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix('-');
    let words = unnumbered.unwrap_or(stem).replace(['-', '_'], " ");
    let mut signs = words.chars();
    signs.next().map_or(String::new(), |first| first.to_uppercase().chain(signs).collect())
}

/// The paragraphs; `titled`: the first line is told elsewhere.
pub fn html(lines: &[String], titled: bool) -> String {
    let lines: Vec<&str> = lines.iter().skip(usize::from(titled)).map(|l| said(l)).collect();
    let mut out = String::new();
    for paragraph in lines.split(|line| line.is_empty()).filter(|p| !p.is_empty()) {
        out += &match paragraph.iter().any(|line| line.starts_with("  ")) {
            true => format!("<pre class=\"aside\">{}</pre>\n", escaped(&paragraph.join("\n"))),
            false => format!("<p>{}</p>\n", coded(&paragraph.join(" "))),
        };
    }
    out
}

/// `` `code` `` as code.
fn coded(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    let whole = pieces.len() % 2 == 1;
    let mut out = String::new();
    for (k, piece) in pieces.iter().enumerate() {
        match (k % 2 == 1, whole) {
            (true, true) => out += &format!("<code>{}</code>", escaped(piece)),
            (true, false) => out += &format!("`{}", escaped(piece)),
            (false, _) if k > 0 && !whole => out += &format!("`{}", escaped(piece)),
            (false, _) => out += &escaped(piece),
        }
    }
    out
}
