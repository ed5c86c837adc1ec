//! Syntax errors in Python's words with a hint, from the furthest place that the parser reached.

use super::SyntaxFault;
use super::combinators::starts_expression;
use super::expr::{bitwise_or, targets_or_values};
use super::habits;
use super::input::{Context, Reject, Tokens};
use vjp_text::scan_fault::ScanFault;
use vjp_text::source::Span;
use vjp_text::tokens::{KEYWORDS, Token, TokenKind};
use vjp_text::{did_you_mean, foreign_spellings};

impl SyntaxFault {
    pub(super) fn new(span: Span, message: impl Into<String>) -> Self {
        SyntaxFault {
            span,
            message: message.into(),
            hint: None,
            incomplete: false,
            lacks_block: false,
        }
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        SyntaxFault { hint: Some(hint.into()), ..self }
    }
}

impl From<ScanFault> for SyntaxFault {
    fn from(fault: ScanFault) -> Self {
        SyntaxFault {
            span: fault.span,
            message: fault.message,
            hint: fault.hint,
            incomplete: fault.open,
            lacks_block: false,
        }
    }
}

/// What to say: the parser's certain fault, the scanner's, or that a token was not expected.
pub fn unexpected(
    cx: &Context,
    certain: Option<SyntaxFault>,
    scan: Option<ScanFault>,
) -> SyntaxFault {
    let (token, expected) = cx.furthest();
    let at_end = token.kind == TokenKind::Bad;
    match (certain, scan) {
        (certain, Some(scan)) if overrides(cx, token, certain.as_ref(), &scan) => scan.into(),
        (Some(certain), _) => certain,
        (None, Some(scan)) if at_end => scan.into(),
        (None, _) => generic(cx, token, &expected),
    }
}

/// As in CPython a fault of the scanner explains one of the parser: a bracket left open before
/// it, or anything unreadable in its line.
fn overrides(cx: &Context, met: Token, certain: Option<&SyntaxFault>, scan: &ScanFault) -> bool {
    if met.kind == TokenKind::Bad && certain.is_none() {
        return true;
    }
    if met.kind == TokenKind::Indent && certain.is_none() {
        return false;
    }
    let at = certain.map_or(met.span.start, |f| f.span.start);
    if scan.open {
        let token_line = line(cx, at);
        return match certain {
            None => scan.span.start <= at && line(cx, scan.span.start) < token_line,
            // The text breaks off right behind the fault, or lines after the bracket.
            Some(f) => {
                let rest = cx.text[f.span.end as usize..].trim();
                scan.span.start <= at && (rest.is_empty() || line(cx, scan.span.start) < token_line)
            }
        };
    }
    line(cx, at) == line(cx, scan.span.start) || met.kind == TokenKind::Bad
}

fn line(cx: &Context, at: u32) -> usize {
    cx.text.as_bytes()[..at as usize].iter().filter(|b| **b == b'\n').count()
}

fn generic(cx: &Context, token: Token, expected: &[&'static str]) -> SyntaxFault {
    match token.kind {
        TokenKind::Indent => {
            return SyntaxFault::new(token.span, "unexpected indent")
                .hint("indent only the block below a line that ends with :");
        }
        TokenKind::Dedent => return SyntaxFault::new(token.span, "unexpected unindent"),
        _ => {}
    }
    let here = Tokens { cx, at: cx.furthest_at() };
    let fault = SyntaxFault::new(token.span, "invalid syntax");
    match special_hint(here).or_else(|| expectation(here, expected)) {
        Some(hint) => fault.hint(hint),
        None => fault,
    }
}

/// Habits from other languages and from blackboards.
fn special_hint(here: Tokens) -> Option<String> {
    let before = here.behind();
    let adjacent = before.is_some_and(|b| b.token().span.end == here.token().span.start);
    let last = before.map_or("", |b| b.text());
    let first = statement(here).token().span.start as usize;
    let rest = here.cx.text[first..].split(['\n', ';']).next().unwrap_or("");
    let matrix = || habits::matrix(here.cx.text, here.token().span).filter(|_| here.is(";"));
    if let Some(hint) = matrix().or_else(|| habits::of_statement(rest)).or_else(|| habit(here)) {
        return Some(hint);
    }
    Some(match (last, here.text()) {
        ("&", "&") => "write `and`".into(),
        ("|", "|") => "write `or`".into(),
        ("+", "=") | ("-", "=") | ("*", "=") if !adjacent => {
            format!("write {last}= without a space")
        }
        ("==", "=") | ("=", "=") => "compare with ==".into(),
        ("<", ">") if adjacent => "write !=".into(),
        ("=", sign @ ("<" | ">")) if adjacent => format!("write {sign}="),
        ("+", _) | ("-", _) if ends_line(here) && doubled(before) => {
            format!("there is no {last}{last}: write x {last}= 1")
        }
        (_, ":=") => {
            "write = in a statement; inside an expression write (name := value) in parentheses"
                .into()
        }
        (word, "=") if KEYWORDS.contains(&word) => {
            format!("{word} is a word of the language: choose another name")
        }
        (_, "=") => "compare with ==; an assignment is a statement: name = value".into(),
        (_, word @ ("else" | "elif" | "except" | "finally")) => {
            format!("`{word}` must be indented like the statement it belongs to")
        }
        (_, "case") => return None,
        ("match", _) => "`match` statements are not supported: write if and elif".into(),
        (_, word) if before.is_some_and(is_operand) && BEGINS_LINE.contains(&word) => {
            must_start(word)
        }
        _ if before.is_some_and(is_operand) && here.kind() == TokenKind::Name => {
            side_by_side(before?, here)
        }
        _ if here.kind() == TokenKind::Number && before.and_then(powered).is_some() => {
            side_by_side(before?, here)
        }
        _ if before.is_some_and(|b| b.kind() == TokenKind::Name)
            && here.kind() == TokenKind::Number =>
        {
            side_by_side(before?, here)
        }
        _ if here.kind() == TokenKind::Keyword && before.is_some_and(|b| wants_name(b)) => {
            format!("`{}` is a keyword and cannot be a name", here.text())
        }
        _ => return None,
    })
}

fn ends_line(i: Tokens) -> bool {
    matches!(i.kind(), TokenKind::Newline | TokenKind::End) || i.is(";")
}

fn doubled(before: Option<Tokens>) -> bool {
    before.is_some_and(|b| b.behind().is_some_and(|c| c.text() == b.text()))
}

fn is_operand(i: Tokens) -> bool {
    matches!(i.kind(), TokenKind::Name | TokenKind::Number) || i.is(")") || i.is("]")
}

fn wants_name(i: Tokens) -> bool {
    ["def", "class", "import", "as", "global", "nonlocal", "."].iter().any(|w| i.is(w))
}

/// Two operands side by side: statements without `;`, a call of a function without parentheses, a
/// product without its sign.
fn side_by_side(before: Tokens, here: Tokens) -> String {
    let (a, b) = (before.text(), here.text());
    if let Some(hint) = without_colon(before, here) {
        return hint;
    }
    if begins_statement(here) && statement(here).at != before.at {
        let (one, other) = parted(here);
        return format!("separate statements with ;  as in  {one}; {other}");
    }
    let divided = before.behind().filter(|slash| slash.is("/")).and_then(Tokens::behind);
    if let Some(x) = a.strip_prefix('d').filter(|x| !x.is_empty())
        && divided.is_some_and(|d| d.text() == "d")
    {
        let rest = &here.cx.text[here.token().span.start as usize..];
        let of = rest.split(['\n', ';']).next().unwrap_or("").trim_end();
        return format!("write a derivative as  y = {of}; grad(y, {x})");
    }
    if matches!((a, b), ("derivative" | "gradient" | "diff", "of")) {
        let rest = &here.cx.text[here.token().span.end as usize..];
        let of = rest.split(['\n', ';']).next().unwrap_or("").trim();
        return format!("write a derivative as  y = {of}; grad(y, x)");
    }
    let power = before.behind().filter(|p| a == "T" && (p.is("^") || p.is("**")));
    if let Some(of) = power.and_then(Tokens::behind).filter(|of| is_operand(*of)) {
        return format!("write a transpose and a matrix product as {}.T @ {b}", closed(of));
    }
    if let Some(dot) = before.behind().filter(|dot| dot.is(".")) {
        let whole = path(dot, format!(".{a}"));
        return match a {
            "T" | "mT" | "H" | "mH" => format!("write a matrix product with @: {whole} @ {b}"),
            "grad" | "data" => format!("write a product with *: {whole}*{b}"),
            _ if is_function(before) => format!("write a call with parentheses: {whole}({b})"),
            _ => format!("write a product with *: {whole}*{b}"),
        };
    }
    if let Some(of) = a.strip_suffix('ᵀ') {
        return format!("write a matrix product with @: {of}ᵀ @ {b}");
    }
    if let Some((function, power)) = powered(before) {
        return habits::power_of(function.text(), &power, b);
    }
    match is_function(before) {
        true => format!("write a call with parentheses: {a}({b})"),
        false => format!("write a product with *: {}*{b}", factor(before)),
    }
}

/// An operand that ends here with the power it is the exponent of: `x^2`.
fn factor(last: Tokens) -> String {
    let sign = last.behind().filter(|p| p.is("^") || p.is("**"));
    match sign.and_then(|sign| Some((sign, sign.behind().filter(|of| is_operand(*of))?))) {
        Some((sign, of)) => format!("{}{}{}", factor(of), sign.text(), closed(last)),
        None => closed(last).to_owned(),
    }
}

/// `for i in range(3) y = i`, `lambda x x^2`: a body without the colon before it.
fn without_colon(before: Tokens, here: Tokens) -> Option<String> {
    let (head, body) = parted(here);
    let block = BEGINS_LINE.contains(&statement(here).text()) && !head.contains(':');
    let lambda = before.behind().is_some_and(|word| word.is("lambda"));
    (block || lambda).then(|| format!("write a colon before the body: {head}: {body}"))
}

/// What to write where a header that a colon alone may end goes on with `here`.
pub fn only_colon(here: Tokens) -> Option<String> {
    let header = ["def", "try", "else", "finally"].contains(&statement(here).text());
    let (head, body) = parted(here);
    (header && !here.is(":")).then(|| match body.contains(':') {
        true => "a block begins with a colon".to_owned(),
        false => format!("write a colon before the body: {head}: {body}"),
    })
}

/// The statement around `here`, before it and from it on.
fn parted(here: Tokens<'_>) -> (&str, &str) {
    let (start, at) = (statement(here).token().span.start, here.token().span.start);
    let (before, rest) = here.cx.text[start as usize..].split_at((at - start) as usize);
    (before.trim_end(), rest.split(['\n', ';']).next().unwrap_or("").trim_end())
}

/// A function's name and the power behind it: `sin^2`, `sin^-1`.
fn powered(last: Tokens) -> Option<(Tokens, String)> {
    let before = last.behind()?;
    let (sign, power) = match before.is("-") {
        true => (before.behind()?, format!("-{}", last.text())),
        false => (before, last.text().to_owned()),
    };
    let function = sign.behind().filter(|_| sign.is("^") || sign.is("**"))?;
    is_function(function).then_some((function, power))
}

/// Whether a name is spelled as functions are: `sin`, `log10`.
fn is_function(name: Tokens) -> bool {
    const NUMBERED: [&str; 5] = ["log", "exp", "expm", "atan", "arctan"];
    let (kind, text) = (name.kind(), name.text());
    let word = kind == TokenKind::Name && text.len() > 1;
    let letters = text.trim_end_matches(|c: char| c == 'p' || c.is_ascii_digit());
    let plain = text.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    word && (plain || NUMBERED.contains(&letters))
}

/// An attribute with what stands before its dot: `A.T`, `model.fc.weight`, `[…].T`.
fn path(dot: Tokens<'_>, attribute: String) -> String {
    let Some(of) = dot.behind() else { return attribute };
    let whole = format!("{}{attribute}", closed(of));
    match of.behind().filter(|dot| dot.is(".") && of.kind() == TokenKind::Name) {
        Some(dot) => path(dot, format!(".{}{attribute}", of.text())),
        None => whole,
    }
}

/// An operand that ends here: of one in brackets only their kind.
fn closed(last: Tokens<'_>) -> &str {
    match last.text() {
        ")" => "(…)",
        "]" => "[…]",
        text => text,
    }
}

/// Whether what begins here can only be a statement: an assignment, a call that is made for its effect.
fn begins_statement(here: Tokens) -> bool {
    let next = here.next();
    next.is("=")
        || ["+=", "-=", "*=", "/="].iter().any(|sign| next.is(sign))
        || here.text() == "print" && next.is("(")
        || next.is(".") && next.next().text() == "backward"
}

/// Where the statement around `here` begins.
fn statement(here: Tokens) -> Tokens {
    let mut first = here;
    while let Some(token) = first.behind() {
        let new_line =
            matches!(token.kind(), TokenKind::Newline | TokenKind::Indent | TokenKind::Dedent);
        if new_line || token.is(";") {
            break;
        }
        first = token;
    }
    first
}

/// The statement around `here` begins, or `here` stands, with a word of another language, with a slip
/// of a word of this one, or with bars around an absolute value.
fn habit(here: Tokens) -> Option<String> {
    let first = statement(here);
    let (word, second) = (first.text(), first.next());
    if here.is("|") || here.behind().is_some_and(|b| b.is("|")) {
        return absolute(first);
    }
    let operand = matches!(second.kind(), TokenKind::Name | TokenKind::Keyword);
    if operand && first.kind() == TokenKind::Name && second.at <= here.at {
        if foreign_spellings::DECLARES.contains(&word) && second.next().is("=") {
            let rest = &here.cx.text[second.token().span.start as usize..];
            let rest = rest.split(['\n', ';']).next().unwrap_or("").trim_end();
            return Some(format!("leave out `{word}`: {rest}"));
        }
        if let Some(near) = did_you_mean::closest(word, KEYWORDS.iter().copied()) {
            return Some(format!("did you mean {near}?"));
        }
    }
    if first.is("else") && second.is("if") {
        return Some("write `elif`".to_owned());
    }
    let alone = first.at == here.at;
    let said = [Some(first), here.behind(), Some(here)].into_iter().flatten();
    let mut said = said.filter(|t| t.kind() == TokenKind::Name && !alone);
    said.find_map(|t| foreign_spellings::word(t.text())).map(str::to_owned)
}

/// `|x|` in the statement that begins at `first`.
fn absolute(first: Tokens) -> Option<String> {
    let line = first.cx.text[first.token().span.start as usize..].lines().next().unwrap_or("");
    let (_, rest) = line.split_once('|')?;
    let (inside, _) = rest.split_once('|')?;
    (!inside.trim().is_empty())
        .then(|| format!("write an absolute value as abs({})", inside.trim()))
}

/// Keywords of statements that cannot follow another one on its line.
const BEGINS_LINE: [&str; 7] = ["for", "while", "if", "def", "class", "with", "try"];

fn must_start(word: &str) -> String {
    format!("`{word}` must start a line")
}

/// `expected a, b or c here`, where that is short enough to help.
fn expectation(here: Tokens, expected: &[&'static str]) -> Option<String> {
    let operand_missing = expected.contains(&"an expression");
    if operand_missing {
        return Some(match here.kind() {
            TokenKind::Newline | TokenKind::End => {
                "expected an expression at the end of the line".into()
            }
            _ if BEGINS_LINE.contains(&here.text()) => must_start(here.text()),
            _ => format!("expected an expression instead of `{}`", here.text()),
        });
    }
    let mut words: Vec<String> = Vec::new();
    for label in expected {
        let quoted = match label.starts_with(|c: char| c.is_alphabetic()) && label.contains(' ') {
            true => label.to_string(),
            false => format!("`{}`", label.trim_matches('`')),
        };
        if !words.contains(&quoted) {
            words.push(quoted);
        }
    }
    (!words.is_empty() && words.len() <= 6)
        .then(|| format!("expected {} here", vjp_text::words::list(&words, "or")))
}

/// A product written without its sign, where that is likelier than a forgotten comma.
pub fn product(i: Tokens, j: Tokens, fault: SyntaxFault) -> SyntaxFault {
    let short = j.at == i.at + 1 && i.kind() == TokenKind::Number && j.kind() == TokenKind::Name;
    match short {
        true => fault.hint(format!("or a product: {}*{}", i.text(), j.text())),
        false => fault,
    }
}

/// `print x`, from `i` at the word; `j` begins what it should print.
pub fn legacy(i: Tokens, j: Tokens) -> SyntaxFault {
    let end = match targets_or_values(j) {
        Ok((k, _)) => k,
        Err(_) => j.next(),
    };
    let word = i.text();
    let message = format!("Missing parentheses in call to '{word}'. Did you mean {word}(...)?");
    SyntaxFault::new(i.span_to(end), message)
}

/// Python 2's `print x`: the statement began at `i` and stopped at `j`.
pub fn check_legacy<'a>(i: Tokens<'a>, j: Tokens<'a>) -> Result<(), nom::Err<Reject>> {
    let Some(at) = j.at.checked_sub(1).filter(|at| *at >= i.at) else {
        return Ok(());
    };
    let word = Tokens { at, ..j };
    let legacy_word = word.kind() == TokenKind::Name && matches!(word.text(), "print" | "exec");
    if !legacy_word || !starts_expression(j) || j.is("(") || bitwise_or(j).is_err() {
        return Ok(());
    }
    Err(legacy(word, j).into())
}
