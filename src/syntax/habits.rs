//! Habits from other languages and from paper that a whole line shows: arrows, `where`, matrices with
//! semicolons, a power behind a function's name.

use super::Mend;
use vjp_text::Span;

/// What to write instead of a statement that begins at `first`.
pub(super) fn of_statement(text: &str, first: usize) -> Option<Mend> {
    let (says, code) = function(text).or_else(|| given_after(text))?;
    Some(Mend::new(Span::new(first, first + text.trim_end().len()), code, says))
}

/// What to write instead of a line that begins at `first`: a loop of another language.
pub(super) fn of_line(line: &str, first: usize) -> Option<Mend> {
    let text = line.trim_start();
    let first = first + line.len() - text.len();
    let whole = Span::new(first, first + text.trim_end().len());
    if let Some((code, says)) = conditional(text) {
        return Some(Mend::new(whole, code, says));
    }
    if let Some(code) = assignments(text) {
        return Some(Mend::new(whole, code, "separate statements with ;"));
    }
    let rest = text.strip_prefix("for")?.trim_start();
    let header = match rest.strip_prefix('(') {
        // `for (i = 0; i < 10; i++) {`
        Some(inside) => {
            let (inside, body) = inside.rsplit_once(')')?;
            let parts: Vec<&str> = inside.split(';').map(str::trim).collect();
            let [start, end, _] = parts.as_slice() else { return None };
            let (name, from) = start.rsplit_once('=')?;
            let name = name.split_whitespace().last()?;
            let (_, to) = end.split_once('<')?;
            let to = match to.strip_prefix('=') {
                Some(last) => after(last)?,
                None => to.trim().to_owned(),
            };
            let body = body.trim().trim_start_matches('{').trim_end_matches('}').trim();
            let from = from.trim();
            let range = if from == "0" { to } else { format!("{from}, {to}") };
            (is_name(name)).then(|| format!("for {name} in range({range}): {body}"))?
        }
        // `for i = 1:10`
        None => {
            let (name, range) = rest.split_once('=')?;
            let (from, to) = range.split_once(':').or_else(|| range.split_once(" to "))?;
            let (to, body) = to.split_once([',', ':']).unwrap_or((to, ""));
            let (from, to) = (from.trim(), after(to)?);
            let name = name.trim();
            is_name(name).then(|| format!("for {name} in range({from}, {to}): {}", body.trim()))?
        }
    };
    Some(Mend::new(whole, header.trim_end(), "a loop over whole numbers"))
}

/// `if x > 1 then y = 2`, `y = if x > 1 then 2 else 3`.
fn conditional(line: &str) -> Option<(String, &'static str)> {
    const CHOICE: &str = "a choice is written  a if condition else b";
    let (head, then) = line.split_once(" then ")?;
    let (before, condition) = match head.strip_prefix("if ") {
        Some(condition) => ("", condition),
        None => head.split_once("= if ")?,
    };
    let (condition, then) = (condition.trim(), then.trim());
    let value = if before.is_empty() { String::new() } else { format!("{before}= ") };
    match then.split_once(" else ") {
        None => {
            let code = format!("if {condition}: {then}");
            before.is_empty().then_some((code, "a block begins with a colon"))
        }
        Some((then, other)) => match (then.split_once(" = "), other.trim().split_once(" = ")) {
            (None, None) => Some((format!("{value}{then} if {condition} else {other}"), CHOICE)),
            // `then y = 2 else y = 3`
            (Some((name, a)), Some((same, b))) if name == same && value.is_empty() => {
                Some((format!("{name} = {a} if {condition} else {b}"), CHOICE))
            }
            _ => None,
        },
    }
}

/// `x = 1, y = 2`: assignments with commas between them.
fn assignments(line: &str) -> Option<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for c in line.chars() {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        match c {
            ',' if depth == 0 => parts.push(String::new()),
            c => parts.last_mut()?.push(c),
        }
    }
    let assigns = |part: &String| {
        let sides = part.split_once('=');
        sides.is_some_and(|(name, value)| {
            is_name(name.trim()) && !value.trim().is_empty() && !value.starts_with('=')
        })
    };
    let all: Vec<&str> = parts.iter().map(|part| part.trim()).collect();
    (parts.len() > 1 && parts.iter().all(assigns)).then(|| all.join("; "))
}

/// From one whole number to another, the last one included: `1..5`.
pub(super) fn range(from: &str, to: &str) -> Option<String> {
    from.parse::<i64>().ok()?;
    Some(format!("range({from}, {})", after(to)?))
}

/// The whole number behind this one, where a range that ends with it stops.
fn after(last: &str) -> Option<String> {
    let last = last.trim();
    match last.parse::<i64>() {
        Ok(n) => Some(n.checked_add(1)?.to_string()),
        Err(_) => is_name(last).then(|| format!("{last} + 1")),
    }
}

/// `f = (x) => x^2`, `f = x -> x^2`, `f <- function(x) x^2`.
fn function(line: &str) -> Option<(String, String)> {
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
            Some(("a function of one line".into(), format!("{name}({inner}) = {body}")))
        }
        Some(_) => None,
        // `n => 2` is meant as a comparison.
        None if line.contains("=>") && inner == params && !body.contains(inner) => None,
        None => Some(("a function of one line".into(), format!("lambda {inner}: {body}"))),
    }
}

/// `y = x^2 where x = 3`.
fn given_after(line: &str) -> Option<(String, String)> {
    let (of, values) = line.split_once(" where ")?;
    let first = values.split(',').next()?;
    let (name, value) = first.split_once('=')?;
    // `x = 3`, or `f(x) = x^2`.
    let bare = name.trim().strip_suffix(')').and_then(|n| n.split_once('('));
    let name = bare.map_or(name.trim(), |(name, _)| name);
    let whole = is_name(name) && !value.trim().is_empty() && (values == first || bare.is_some());
    whole.then(|| {
        (format!("give {name} its value first"), format!("{}; {}", values.trim(), of.trim()))
    })
}

/// `[1, 2; 3, 4]`, `[1 2; 3 4]`, `[1 2 3]`.
pub(super) fn matrix(text: &str, fault: Span) -> Option<Mend> {
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
    let span = Span::new(open, close + 1);
    Some(match rows?.as_slice() {
        [one] => Mend::new(span, one, "separate elements with commas"),
        several => {
            let rows = format!("[{}]", several.join(", "));
            Mend::new(span, rows, "write a matrix as a list of its rows")
        }
    })
}

/// What is meant by a power between a function's name and its argument: `sin^2 x`, `sin^-1(x)`.
pub fn power_of(function: &str, power: &str, argument: &str) -> String {
    const INVERTED: [&str; 6] = ["sin", "cos", "tan", "sinh", "cosh", "tanh"];
    match (power, INVERTED.contains(&function)) {
        ("-1", true) => format!(
            "write a{function}({argument}) for the inverse function, 1/{function}({argument}) for the quotient"
        ),
        ("-1", false) => format!(
            "1/{function}({argument}) is the quotient; the inverse function of {function} is not known here"
        ),
        _ => format!("write the power after the call: {function}({argument})^{power}"),
    }
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
}
