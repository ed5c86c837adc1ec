//! Lines of a page of help: folded where they are too long, indented, beside each other.

use vjp_report::terminal::style::WIDTH;

/// Columns of a screen.
const COLUMNS: usize = 80;

/// Text folded at blanks to a screen, later lines indented.
pub fn folded(text: &str, indent: usize) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split_inclusive(' ') {
        let width = word.trim_end().chars().count();
        if column + width > COLUMNS {
            lines = lines.trim_end().to_owned() + "\n" + &" ".repeat(indent);
            column = indent;
        }
        lines += word;
        column += word.chars().count();
    }
    lines
}

/// A text too long for a line, folded after separators; `indent` goes before each further line.
pub fn folded_after(text: &str, separator: &str, indent: &str) -> String {
    let mut lines = vec![String::new()];
    for part in text.split_inclusive(separator) {
        let line = lines.last_mut().expect("never empty");
        let wide = line.chars().count() + part.trim_end().chars().count() + 4 > WIDTH;
        match wide && !line.is_empty() {
            true => lines.push(format!("{indent}{part}")),
            false => line.push_str(part),
        }
    }
    let ends = |l: &String| l.trim_end().trim_end_matches(';').to_owned();
    lines.iter().map(ends).collect::<Vec<_>>().join("\n")
}

pub fn indented(lines: &str) -> String {
    let lines = lines.lines().filter(|l| !l.is_empty());
    lines.map(|l| folded(&format!("    {l}\n"), 8)).collect()
}

/// A line of code that is too long as several: a statement a line, folded inside its brackets.
pub fn example(code: &str) -> String {
    let fits = code.chars().count() <= EXAMPLE;
    let lines = code.split("; ").map(|line| folded_after(line, ", ", "    "));
    if fits { code.to_owned() } else { lines.collect::<Vec<_>>().join("\n") }
}

/// Columns of an example behind its `try`.
const EXAMPLE: usize = WIDTH - 10;

/// Two texts on a line, or one below the other where a line is too short.
pub fn beside(left: &str, right: &str) -> String {
    let last = left.lines().last().unwrap_or_default();
    let (a, b) = (last.chars().count(), right.chars().count());
    match a + 2 + b <= WIDTH {
        true => format!(
            "{left}{:gap$}{right}\n",
            "",
            gap = (WIDTH - a - b).min(28usize.saturating_sub(a).max(2))
        ),
        false => format!("{left}\n{}", indented(&folded_after(right, ", ", "    "))),
    }
}
