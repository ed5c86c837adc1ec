//! "Did you mean …?" as a line to type: the statement with the name put right.

use vjp_eval::{Help, Machine, Value, library};
use vjp_library::methods;
use vjp_syntax::Mode;
use vjp_text::did_you_mean::{ASKS, asks, closest};
use vjp_text::foreign_spellings::{self, Means};
use vjp_text::names::is_name_continue;
use vjp_text::tokens::KEYWORDS;
use vjp_text::{Source, Span, Symbol};

/// Where names are looked for that were written without their module, and how it is written.
const HOMES: &[(&str, &str)] = &[
    ("torch", "torch"),
    ("torch.nn.functional", "F"),
    ("torch.nn", "nn"),
    ("matplotlib.pyplot", "plt"),
    ("numpy", "np"),
    ("math", "math"),
    ("torch.linalg", "torch.linalg"),
    ("torch.func", "torch.func"),
    ("torch.optim", "torch.optim"),
    ("torch.special", "torch.special"),
];

/// `x = 3 // a remark`
pub(crate) const COMMENT: &str = "a comment begins with #; // divides and rounds down";

/// So many `_` are a blank.
const BLANK: usize = 4;

/// What the name at `span`, which is not defined, perhaps means: what is written so elsewhere, the
/// same name in its module or as a method, a name that is near and of the same kind.
pub(crate) fn unknown(m: &Machine, name: &str, span: Span) -> Option<String> {
    let rest = m.source().text().get(span.end as usize..).unwrap_or("");
    let called = rest.starts_with('(');
    let (y, x) = m.past.last();
    if name.len() >= BLANK && name.bytes().all(|c| c == b'_') {
        return Some(
            "a ____ is a blank in a session file, where a student writes an answer".into(),
        );
    }
    if m.source().text().get(..span.start as usize).is_some_and(|before| before.ends_with("// ")) {
        return Some(COMMENT.to_owned());
    }
    match foreign_spellings::name(name) {
        Some(Means::Name(meant)) => return Some(asks(meant)),
        Some(Means::Says(says)) => return Some(foreign_spellings::with_names(says, y, x)),
        None => {}
    }
    if let Some(says) = foreign_spellings::word(name).filter(|_| called) {
        return Some(says.to_owned());
    }
    if let Some((a, b)) = name.split_once('·') {
        return Some(asks(&format!("{a}*{}", b.replace('·', "*"))));
    }
    let own: Vec<(Symbol, &Value)> = m.globals().iter().collect();
    // `sinx`
    let given = library::all(m.strict());
    let known = |f: &str| f.len() > 1 && given.iter().any(|(n, v)| *n == f && v.may_be_called());
    let ends = |n: &str| !called && name.strip_suffix(n).is_some_and(known);
    if let Some((argument, _)) = own.iter().find(|(n, v)| !v.may_be_called() && ends(n.as_str())) {
        let function = name.strip_suffix(argument.as_str()).unwrap_or(name);
        return Some(asks(&format!("{function}({argument})")));
    }
    let same_kind = |v: &Value| !called || v.may_be_called();
    let near_own = closest(name, own.iter().filter(|(_, v)| same_kind(v)).map(|(n, _)| n.as_str()));
    if let Some(near) = near_own {
        return Some(asks(near));
    }
    // `dy/dx`
    if let Some(of) = name.strip_prefix(['d', '∂'])
        && m.globals().get(Symbol::new(of)).is_some()
    {
        let by = rest.trim_start().strip_prefix(['/']).map(str::trim_start);
        let by = by.and_then(|by| by.strip_prefix(['d', '∂']));
        let by = by.map(|by| by.split(|c| !is_name_continue(c)).next().unwrap_or(""));
        return Some(foreign_spellings::derivative(
            of,
            by.filter(|by| !by.is_empty()).unwrap_or(x),
        ));
    }
    let symbol = Symbol::new(name);
    if library::module(name).is_some() {
        return Some(format!("write  import {name}  first"));
    }
    if let Some((module, short)) = HOMES.iter().find(|(_, short)| *short == name) {
        return Some(format!("write  import {module} as {short}  first"));
    }
    let method = called && methods::method(name).is_some();
    // A letter is a variable that has no value yet, not `torch.t`.
    let letter = !called && name.chars().count() == 1;
    let home = HOMES
        .iter()
        .filter(|_| !letter)
        .find(|(home, _)| library::module(home).is_some_and(|module| module.get(symbol).is_some()));
    // What writes in place is better known as a method.
    if let Some((module, short)) = home.filter(|_| !method || !name.ends_with('_')) {
        let bound = m.lookup(short.split('.').next().unwrap_or(short)).is_some();
        return Some(match bound {
            true => asks(&format!("{short}.{name}")),
            false => format!("write  import {module} as {short}  and then {short}.{name}"),
        });
    }
    // `Counter`, `deepcopy(x)`: a word that may as well be a variable's is left alone.
    let class = name.starts_with(|c: char| c.is_uppercase()) && !letter;
    if class || called && !method {
        let homes = library::modules().into_iter();
        let home = homes.filter(|module| !module.name.starts_with('_'));
        let may = |value: Value| !called || value.may_be_called();
        let mut home = home
            .filter(|module| module.names().contains(&name) && module.get(symbol).is_some_and(may));
        if let Some(module) = home.next() {
            return Some(format!("write  from {} import {name}  first", module.name));
        }
    }
    if method {
        return Some(method_of(rest, name).unwrap_or_else(|| asks(&format!(".{name}"))));
    }
    let given = given.iter().filter(|(_, v)| same_kind(v)).map(|(n, _)| *n);
    let words = KEYWORDS.iter().copied().filter(|_| !called);
    let near_method = || closest(name, methods::names()).and_then(|near| method_of(rest, near));
    closest(name, given.chain(words)).map(asks).or_else(near_method)
}

/// `(y, v)` behind the name of a method, as its call: `y.backward(v)`.
fn method_of(rest: &str, method: &str) -> Option<String> {
    let (mut depth, mut comma, mut end) = (0, None, None);
    for (at, c) in rest.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 1 && comma.is_none() => comma = Some(at),
            '"' | '\'' | '\n' => return None,
            _ => {}
        }
        if depth == 0 {
            end = Some(at);
            break;
        }
    }
    let end = end?;
    let object = rest.get(1..comma.unwrap_or(end))?.trim();
    if object.contains('=') {
        return None;
    }
    let others = comma.map_or("", |at| rest[at + 1..end].trim());
    let simple = |c: char| is_name_continue(c) || matches!(c, '.' | '(' | ')' | '[' | ']');
    let object = match object.chars().all(simple) {
        true => object.to_owned(),
        false => format!("({object})"),
    };
    (!object.is_empty() && object != "()").then(|| format!("write  {object}.{method}({others})"))
}

/// The statement at `span` with the name that `message` quotes last replaced by what `hint` asks for;
/// None where it asks for none, or where the statement takes several lines.
pub(crate) fn put_right(
    source: &Source,
    span: Span,
    message: &str,
    hint: &str,
    mode: Mode,
) -> Option<Help> {
    let near = hint.strip_prefix(ASKS)?.strip_suffix('?')?;
    let bare = near.trim_start_matches('.').trim_end_matches('=');
    let wrong = message.rsplit('\'').nth(1)?;
    let program = vjp_syntax::parse(source, mode).ok()?;
    let statement =
        program.body.iter().find(|s| s.span.start <= span.start && span.end <= s.span.end)?;
    let text = source.slice(statement.span);
    if text.contains('\n') {
        return None;
    }
    let from = (span.start - statement.span.start) as usize;
    let at = places(text, wrong).find(|at| *at >= from)?;
    let (mut before, after) = (&text[..at], &text[at + wrong.len()..]);
    if bare.contains('.') {
        // `nn.relu`: the other module takes the place of this one.
        before = before.trim_end_matches(|c| is_name_continue(c) || c == '.');
    }
    let code = match bare == wrong {
        // A method that was written as a function.
        true => format!("{before}{}", as_method(bare, after)?),
        false => format!("{before}{bare}{after}"),
    };
    Some(Help { code, says: hint.to_owned() })
}

/// `(y, v) + 1` behind `backward` as `y.backward(v) + 1`; None where the first argument is not a name.
fn as_method(name: &str, call: &str) -> Option<String> {
    let inside = call.strip_prefix('(')?;
    let end = inside.find(|c: char| !is_name_continue(c) && c != '.')?;
    let (object, rest) = inside.split_at(end);
    let rest = rest.strip_prefix(',').map_or(rest, str::trim_start);
    (!object.is_empty() && (rest.len() < inside.len() - end || rest.starts_with(')')))
        .then(|| format!("{object}.{name}({rest}"))
}

/// Where `word` stands in `text` as a name of its own.
fn places<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(word).map(|(at, _)| at).filter(|at| {
        let before = text[..*at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(is_name_continue) && !after.is_some_and(is_name_continue)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn line(text: &str, at: (u32, u32), message: &str, hint: &str) -> Option<String> {
        let span = Span { start: at.0, end: at.1 };
        let mode = Mode { strict: false };
        put_right(&Source::new(text), span, message, hint, mode).map(|h| h.code)
    }

    #[test]
    fn the_failing_statement_is_put_right() {
        let says = "'list' object has no attribute 'appnd'";
        let hint = asks(".append");
        let got = line("appnd = 1; xs.appnd(3)", (11, 19), says, &hint);
        assert_eq!(got.as_deref(), Some("xs.append(3)"));
        let says = "f() got an unexpected keyword argument 'gard'";
        let got = line("f(gards, gard=2)", (0, 16), says, &asks("grad="));
        assert_eq!(got.as_deref(), Some("f(gards, grad=2)"));
        let says = "name 'backward' is not defined";
        let got = line("z = 1; backward(y, [1, 10])", (7, 15), says, &asks(".backward"));
        assert_eq!(got.as_deref(), Some("y.backward([1, 10])"));
        assert_eq!(line("backward([1, 2])", (0, 8), says, &asks(".backward")), None);
        assert_eq!(line("for i in s:\n    appnd", (16, 21), says, &hint), None);
        assert_eq!(line("xs", (0, 2), says, "a hint of another kind"), None);
    }
}
