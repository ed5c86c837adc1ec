//! Syntax errors in Python's words with a hint, from the furthest place that the parser reached.

use super::Mend;
use super::SyntaxFault;
use super::combinators::starts_expression;
use super::expr::{bitwise_or, targets_or_values};
use super::habits;
use super::input::{Context, Reject, Tokens};
use vjp_text::scan_fault::ScanFault;
use vjp_text::tokens::{KEYWORDS, Token};
use vjp_text::{Span, TokenKind, did_you_mean, foreign_spellings};

impl SyntaxFault {
    pub(super) fn new(span: Span, message: impl Into<String>) -> Self {
        SyntaxFault {
            span,
            message: message.into(),
            hint: None,
            mend: None,
            incomplete: false,
            lacks_block: false,
        }
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        SyntaxFault { hint: Some(hint.into()), ..self }
    }

    pub(super) fn meant(self, meant: Meant) -> Self {
        match meant {
            Meant::Words(says) => self.hint(says),
            Meant::Change(mend) => {
                SyntaxFault { hint: Some(mend.hint()), mend: Some(Box::new(mend)), ..self }
            }
        }
    }
}

impl From<ScanFault> for SyntaxFault {
    fn from(fault: ScanFault) -> Self {
        SyntaxFault {
            span: fault.span,
            message: fault.message,
            hint: fault.hint,
            mend: None,
            incomplete: fault.open,
            lacks_block: false,
        }
    }
}

/// What was probably meant instead of what stands there.
pub(super) enum Meant {
    /// Only words.
    Words(String),
    Change(Mend),
}

impl<T: Into<String>> From<T> for Meant {
    fn from(says: T) -> Meant {
        Meant::Words(says.into())
    }
}

/// Adds what the sign at the fault, or a line of another language around it, was meant to be.
pub fn meant(cx: &Context, fault: SyntaxFault) -> SyntaxFault {
    if fault.mend.is_some() || cx.mode.strict && fault.hint.is_some() {
        return fault;
    }
    let at = fault.span.start as usize;
    let first = cx.text[at..].chars().next();
    if let Some((c, text)) = first.and_then(|c| Some((c, foreign_spellings::replacement(c)?)))
        && fault.message.starts_with("invalid character")
    {
        let says = fault.hint.clone().unwrap_or_default();
        let end = at + c.len_utf8();
        let mend = Mend { short: String::new(), ..Mend::new(Span::new(at, end), text, says) };
        return SyntaxFault { mend: Some(Box::new(mend)), ..fault };
    }
    if fault.hint.is_some() {
        return fault;
    }
    let start = cx.text[..at].rfind('\n').map_or(0, |k| k + 1);
    let line = cx.text[start..].lines().next().unwrap_or("");
    match habits::of_line(line, start) {
        Some(mend) => fault.meant(Meant::Change(mend)),
        None => fault,
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
        // The text breaks off right behind the fault, or was read on to lines after the bracket.
        let breaks_off = certain.is_some_and(|f| cx.text[f.span.end as usize..].trim().is_empty());
        let lines_on = line(cx, scan.span.start) < line(cx, met.span.start);
        return scan.span.start <= met.span.start.max(at) && (breaks_off || lines_on);
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
    match special_hint(here).or_else(|| expectation(here, expected).map(Meant::Words)) {
        Some(meant) => fault.meant(meant),
        None => fault,
    }
}

/// Habits from other languages and from blackboards.
fn special_hint(here: Tokens) -> Option<Meant> {
    let before = here.behind();
    let adjacent = before.is_some_and(|b| b.token().span.end == here.token().span.start);
    let last = before.map_or("", |b| b.text());
    let first = statement(here).token().span.start as usize;
    let rest = here.cx.text[first..].split(['\n', ';']).next().unwrap_or("");
    let matrix = || habits::matrix(here.cx.text, here.token().span).filter(|_| here.is(";"));
    let line = || habits::of_statement(rest, first).or_else(|| habits::of_line(rest, first));
    let change = || line().or_else(|| of_sign(here)).map(Meant::Change);
    let words = || matrix().map(Meant::Change).or_else(change).or_else(|| habit(here));
    if let Some(meant) = words() {
        return Some(meant);
    }
    Some(match (last, here.text()) {
        ("&", "&") => "write `and`".into(),
        ("|", "|") => "write `or`".into(),
        ("+", "=") | ("-", "=") | ("*", "=") if !adjacent => {
            format!("write {last}= without a space").into()
        }
        ("==", "=") | ("=", "=") => "compare with ==".into(),
        ("<", ">") if adjacent => "write !=".into(),
        ("=", sign @ ("<" | ">")) if adjacent => format!("write {sign}=").into(),
        ("+", _) | ("-", _) if ends_line(here) && doubled(before) => {
            format!("there is no {last}{last}: write x {last}= 1").into()
        }
        (_, ":=") => {
            "write = in a statement; inside an expression write (name := value) in parentheses"
                .into()
        }
        (word, "=") if KEYWORDS.contains(&word) => {
            format!("{word} is a word of the language: choose another name").into()
        }
        (_, "=") => "compare with ==; an assignment is a statement: name = value".into(),
        (_, word @ ("else" | "elif" | "except" | "finally")) => {
            format!("`{word}` must be indented like the statement it belongs to").into()
        }
        (_, "case") => return None,
        ("match", _) => "`match` statements are not supported: write if and elif".into(),
        (_, word) if before.is_some_and(is_operand) && BEGINS_LINE.contains(&word) => {
            must_start(word).into()
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
            format!("`{}` is a keyword and cannot be a name", here.text()).into()
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
fn side_by_side(before: Tokens, here: Tokens) -> Meant {
    let (a, b) = (before.text(), here.text());
    let text = here.cx.text;
    let between = Span { start: before.token().span.end, end: here.token().span.start };
    if let Some(hint) = without_colon(before, here) {
        return hint.into();
    }
    let of_statement = statement(here).at == before.at;
    if of_statement && here.kind() == TokenKind::Name && here.next().is("=") {
        let (span, call) = (between.to(here.token().span), format!("({b})"));
        let mend = Mend::new(span, call, "put the parameter in parentheses");
        return Meant::Change(Mend { short: format!("{a}({b}) = …"), ..mend });
    }
    if begins_statement(here) && !of_statement {
        let (one, other) = parted(here);
        return format!("separate statements with ;  as in  {one}; {other}").into();
    }
    if let Some(sign) = foreign_spellings::operator(b).filter(|_| is_operand(before)) {
        let mend = Mend::new(here.token().span, sign, format!("write {b} as {sign}"));
        return Meant::Change(Mend { short: String::new(), ..mend });
    }
    let rest = |i: Tokens| {
        let rest = &text[i.token().span.start as usize..];
        rest.split(['\n', ';']).next().unwrap_or("").trim_end().to_owned()
    };
    let divided = before.behind().filter(|slash| slash.is("/")).and_then(Tokens::behind);
    if let Some(x) = a.strip_prefix('d').filter(|x| !x.is_empty())
        && divided.is_some_and(|d| d.text() == "d")
    {
        return format!("write a derivative as  y = {}; grad(y, {x})", rest(here)).into();
    }
    let of = b == "of" && ["derivative", "gradient", "diff"].contains(&a);
    if of || ["differentiate", "derive"].contains(&a) {
        let of = rest(if of { here.next() } else { here });
        let start = before.token().span.start;
        let whole = Span { start, end: start + line_end(&text[start as usize..]) as u32 };
        // `derivative of x^2 at x = 3`
        let (of, at) = of.split_once(" at ").unwrap_or((&of, "2"));
        let at = at.trim_start_matches("x").trim_start_matches([' ', '=']);
        let code = format!("f(x) = {of}; grad(f)({at})");
        return Meant::Change(Mend::new(whole, code, format!("the derivative at x = {at}")));
    }
    if let Some(dot) = before.behind().filter(|dot| dot.is(".")) {
        let whole = path(dot, format!(".{a}"));
        return match a {
            "T" | "mT" | "H" | "mH" => {
                let mend = Mend::new(between, " @ ", "write a matrix product with @");
                Meant::Change(Mend { short: format!("{whole} @ {b}"), ..mend })
            }
            "grad" | "data" => product_of(&whole, between, b),
            _ if is_function(before) => call_of(&whole, between, here),
            _ => product_of(&whole, between, b),
        };
    }
    // `u.T @ W u` goes on as it began.
    if before.behind().is_some_and(|sign| sign.is("@")) {
        let mend = Mend::new(between, " @ ", "write a matrix product with @");
        return Meant::Change(Mend { short: format!("{a} @ {b}"), ..mend });
    }
    if let Some((function, power)) = powered(before) {
        return habits::power_of(function.text(), &power, b).into();
    }
    // `y.sum() backward()`
    if here.next().is("(")
        && ["backward", "detach", "item", "tolist", "requires_grad_"].contains(&b)
    {
        let mend = Mend::new(between, ".", "a method stands behind a dot");
        return Meant::Change(Mend { short: format!("{}.{b}()", factor(before)), ..mend });
    }
    match is_function(before) {
        true => call_of(a, between, here),
        false => product_of(&factor(before), between, b),
    }
}

fn line_end(text: &str) -> usize {
    text.find(['\n', ';']).unwrap_or(text.len())
}

/// `a b` as `a*b`.
fn product_of(a: &str, between: Span, b: &str) -> Meant {
    let mend = Mend::new(between, "*", "write a product with *");
    Meant::Change(Mend { short: format!("{a}*{b}"), sure: false, ..mend })
}

/// `sin x^2` as `sin(x^2)`, `y.backward 1 1` as `y.backward([1, 1])`.
fn call_of(function: &str, between: Span, here: Tokens) -> Meant {
    let argument = |i: Tokens| matches!(i.kind(), TokenKind::Name | TokenKind::Number);
    let mut last = here;
    while (last.next().is("^") || last.next().is("**")) && argument(last.next().next()) {
        last = last.next().next();
    }
    let first = here.token().span.to(last.token().span);
    let mut all = vec![here.cx.text[first.start as usize..first.end as usize].to_owned()];
    while argument(last.next()) {
        last = last.next();
        all.push(last.text().to_owned());
    }
    let inside = match all.as_slice() {
        [one] => one.clone(),
        all => format!("[{}]", all.join(", ")),
    };
    let span = between.to(last.token().span);
    let mend = Mend::new(span, format!("({inside})"), "write a call with parentheses");
    Meant::Change(Mend { short: format!("{function}({inside})"), sure: false, ..mend })
}

/// A sign or a pair of numbers that elsewhere means a comment, a vector, a block, a range.
fn of_sign(here: Tokens) -> Option<Mend> {
    let (text, at) = (here.cx.text, here.token().span);
    let before = here.behind();
    let rest = &text[at.start as usize..];
    let rest = &rest[..rest.find('\n').unwrap_or(rest.len())];
    let whole = Span { start: at.start, end: at.start + rest.trim_end().len() as u32 };
    let short = |mend: Mend| Mend { short: String::new(), ..mend };
    if here.is("//") && !before.is_some_and(is_operand) {
        return Some(short(Mend::new(at, "#", "a comment begins with #")));
    }
    if here.is("<") && !before.is_some_and(is_operand) {
        let inside = rest.strip_prefix('<')?.split_once('>')?.0;
        let span = Span { start: at.start, end: at.start + inside.len() as u32 + 2 };
        return Some(Mend::new(span, format!("[{inside}]"), "write a vector in brackets"));
    }
    let header = ["for", "while", "if", "def"].contains(&statement(here).text());
    if here.is("{") && header {
        let body = rest.strip_prefix('{')?.trim_end().trim_end_matches('}').trim();
        let start = before?.token().span.end;
        let colon = if body.is_empty() { ":".to_owned() } else { format!(": {body}") };
        return Some(short(Mend::new(
            Span { start, ..whole },
            colon,
            "a block begins with : and is indented",
        )));
    }
    let first = before.filter(|b| b.kind() == TokenKind::Number && b.text().ends_with('.'))?;
    let end = here.text().strip_prefix('.').filter(|_| here.kind() == TokenKind::Number)?;
    let range = habits::range(first.text().trim_end_matches('.'), end)?;
    Some(Mend::new(
        first.token().span.to(at),
        range,
        "range counts up to the number before its end",
    ))
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

/// The fault of a header that only a colon may end, and that goes on with `here`.
pub fn only_colon(here: Tokens) -> Option<SyntaxFault> {
    let header = ["def", "try", "else", "finally"].contains(&statement(here).text());
    let (head, body) = parted(here);
    let fault = SyntaxFault::new(here.token().span, "expected ':'");
    if !header || here.is(":") {
        return None;
    }
    let start = statement(here).token().span.start as usize;
    if let Some(name) = head.strip_prefix("def ").filter(|_| here.is("=") && !here.strict()) {
        let span = Span::new(start, start + "def ".len());
        let mend = Mend::new(span, "", "a function of one line needs no `def`");
        let short = format!("{} {body}", name.trim());
        return Some(fault.meant(Meant::Change(Mend { short, ..mend })));
    }
    Some(match body.contains(':') {
        true => fault.hint("a block begins with a colon"),
        false => {
            let at = start + head.len();
            let mend = Mend::new(Span::new(at, at), ":", "write a colon before the body");
            fault.meant(Meant::Change(Mend { short: format!("{head}: {body}"), ..mend }))
        }
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
fn habit(here: Tokens) -> Option<Meant> {
    let first = statement(here);
    let (word, second) = (first.text(), first.next());
    if here.is("|") || here.behind().is_some_and(|b| b.is("|")) {
        return absolute(first).map(Meant::Change);
    }
    let operand = matches!(second.kind(), TokenKind::Name | TokenKind::Keyword);
    let without_first = || {
        let span = Span { start: first.token().span.start, end: second.token().span.start };
        let rest = &here.cx.text[second.token().span.start as usize..];
        let rest = rest.split(['\n', ';']).next().unwrap_or("").trim_end();
        let mend = Mend::new(span, "", format!("leave out `{word}`"));
        Some(Meant::Change(Mend { short: rest.to_owned(), ..mend }))
    };
    let typed = first.kind() == TokenKind::Name && second.at <= here.at;
    if foreign_spellings::ASKS_FOR.contains(&word) && typed && second.kind() != TokenKind::Op {
        return without_first();
    }
    if operand && typed {
        let declared = second.next().is("=") || second.next().is("(");
        if foreign_spellings::DECLARES.contains(&word) && declared {
            return without_first();
        }
        if let Some(near) = did_you_mean::closest(word, KEYWORDS.iter().copied()) {
            let mend = Mend::new(first.token().span, near, did_you_mean::asks(near));
            return Some(Meant::Change(Mend { short: String::new(), ..mend }));
        }
    }
    if first.is("else") && second.is("if") {
        return Some("write `elif`".into());
    }
    let alone = first.at == here.at;
    let said = [Some(first), here.behind(), Some(here)].into_iter().flatten();
    let mut said = said.filter(|t| t.kind() == TokenKind::Name && !alone);
    said.find_map(|t| foreign_spellings::word(t.text())).map(Meant::from)
}

/// `|x|` in the statement that begins at `first`.
fn absolute(first: Tokens) -> Option<Mend> {
    let start = first.token().span.start as usize;
    let line = first.cx.text[start..].lines().next().unwrap_or("");
    let (before, rest) = line.split_once('|')?;
    let (inside, _) = rest.split_once('|')?;
    let at = start + before.len();
    let span = Span::new(at, at + inside.len() + 2);
    let abs = format!("abs({})", inside.trim());
    (!inside.trim().is_empty()).then(|| Mend::new(span, abs, "write an absolute value as abs(…)"))
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

/// A number that goes on with letters: `3x` is a product, `x^2.backward` a method of the whole.
pub fn number(i: Tokens, fault: SyntaxFault) -> SyntaxFault {
    let text = i.text();
    let method = text.split_once('.').filter(|(_, name)| name.len() > 1 && i.next().is("("));
    if let Some((power, name)) = method.filter(|(_, name)| name.starts_with(char::is_alphabetic)) {
        let first = statement(i).token().span.start as usize;
        let before = &i.cx.text[first..i.token().span.start as usize];
        // Behind `y =` or an opening bracket begins what the method is called on.
        let from = before.rfind(['=', '(', '[', ',']).map_or(0, |k| k + 1);
        let blank = before[from..].len() - before[from..].trim_start().len();
        let whole = format!("({}{power}).{name}", &before[from + blank..]);
        let span = Span { start: (first + from + blank) as u32, end: i.token().span.end };
        let says = "put parentheses around what a method is called on";
        return fault.meant(Meant::Change(Mend::new(span, whole, says)));
    }
    let hint = fault.hint.clone().unwrap_or_default();
    match hint.strip_prefix("write a product with *: ") {
        Some(product) => {
            let mend = Mend::new(i.token().span, product, "write a product with *");
            fault.meant(Meant::Change(Mend { sure: true, ..mend }))
        }
        None => fault,
    }
}

/// A generator that is followed by the rest of `1..10`.
pub fn range_in(j: Tokens, fault: SyntaxFault) -> SyntaxFault {
    match of_sign(j).filter(|_| j.kind() == TokenKind::Number) {
        Some(mend) => fault.meant(Meant::Change(mend)),
        None => fault,
    }
}

/// A product written without its sign, where that is likelier than a forgotten comma.
pub fn product(i: Tokens, j: Tokens, fault: SyntaxFault) -> SyntaxFault {
    let between = &i.cx.text[i.token().span.end as usize..j.token().span.start as usize];
    let short = j.at == i.at + 1 && i.kind() == TokenKind::Number && j.kind() == TokenKind::Name;
    match short && !between.contains('\n') {
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
