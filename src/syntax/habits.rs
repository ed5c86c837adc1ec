//! Habits from other languages and from paper that a whole line shows: arrows, `where`, matrices with
//! semicolons, a power behind a function's name.

use vjp_text::source::Span;

/// What to write instead of a statement.
pub(super) fn of_statement(text: &str) -> Option<String> {
    function(text).or_else(|| given_after(text))
}

/// `f = (x) => x^2`, `f = x -> x^2`, `f <- function(x) x^2`.
fn function(line: &str) -> Option<String> {
    let (left, body) = match line.split_once("=>").or_else(|| line.split_once("->")) {
        Some((left, body)) => (left.trim().to_owned(), body.trim()),
        None => {
            let (name, rest) = line.split_once("<-").or_else(|| line.split_once('='))?;
            let (params, body) = rest.trim().strip_prefix("function")?.split_once(')')?;
            (format!("{} = {params})", name.trim()), body.trim())
        }
    };
    let (name, params) = match left.rsplit_once('=') {
        Some((name, params)) => (Some(name.trim()), params.trim()),
        None => (None, left.as_str()),
    };
    let inner = params.strip_prefix('(').and_then(|p| p.strip_suffix(')')).unwrap_or(params).trim();
    if body.is_empty() || !inner.split(',').all(|p| is_name(p.trim())) {
        return None;
    }
    match name {
        Some(name) if is_name(name) => {
            Some(format!("write a function as  {name}({inner}) = {body}"))
        }
        Some(_) => None,
        // `n => 2` is meant as a comparison.
        None if line.contains("=>") && inner == params => None,
        None => Some(format!("write a function as  lambda {inner}: {body}")),
    }
}

/// `y = x^2 where x = 3`.
fn given_after(line: &str) -> Option<String> {
    let (of, values) = line.split_once(" where ")?;
    let first = values.split(',').next()?;
    let (name, value) = first.split_once('=')?;
    let whole = is_name(name.trim()) && !value.trim().is_empty() && values == first;
    whole.then(|| format!("give {} its value first: {}; {}", name.trim(), first.trim(), of.trim()))
}

/// `[1, 2; 3, 4]`, `[1 2; 3 4]`, `[1 2 3]`.
pub(super) fn matrix(text: &str, fault: Span) -> Option<String> {
    let at = fault.start as usize;
    let open = text.get(..at)?.rfind('[')?;
    let close = open + text[open..].find(']')?;
    let inside = &text[open + 1..close];
    if at > close || inside.contains('\n') {
        return None;
    }
    let row = |row: &str| -> Option<String> {
        let apart = |c: char| c == ',' || c.is_whitespace();
        let all: Vec<&str> = row.split(apart).filter(|x| !x.is_empty()).collect();
        let plain = |x: &&str| is_name(x) || x.parse::<f64>().is_ok();
        (!all.is_empty() && all.iter().all(plain)).then(|| format!("[{}]", all.join(", ")))
    };
    let rows: Option<Vec<String>> = inside.split(';').map(row).collect();
    match rows?.as_slice() {
        [one] => Some(format!("separate elements with commas: {one}")),
        several => Some(format!("write a matrix as a list of its rows: [{}]", several.join(", "))),
    }
}

/// What is meant by a power between a function's name and its argument: `sin^2 x`, `sin^-1(x)`.
pub fn power_of(function: &str, power: &str, argument: &str) -> String {
    const INVERTED: [&str; 6] = ["sin", "cos", "tan", "sinh", "cosh", "tanh"];
    match power == "-1" && INVERTED.contains(&function) {
        true => format!(
            "write a{function}({argument}) for the inverse function, 1/{function}({argument}) for the quotient"
        ),
        false => format!("write the power after the call: {function}({argument})^{power}"),
    }
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
}
