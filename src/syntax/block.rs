//! Compound statements and the blocks that belong to them.

use super::SyntaxFault;
use super::ast::*;
use super::atom::{absent, condition};
use super::definition::{class_statement, decorated, def_statement};
use super::expr::{expression, star_expressions};
use super::input::{Parsed, Tokens, fail, kind, name, token};
use super::statement::{lone_star, simple_statements};
use super::target::{check_target, for_targets, star_target};
use nom::Parser;
use nom::combinator::cut;
use vjp_text::tokens::TokenKind;

/// The whole text.
pub fn program(i: Tokens) -> Parsed<Program> {
    let (mut i, mut body) = (i, Vec::new());
    while i.kind() != TokenKind::End {
        if i.kind() == TokenKind::Newline {
            i = i.next();
            continue;
        }
        i = statement(i, &mut body)?.0;
    }
    Ok((i, Program { body }))
}

/// One compound statement, or a line of simple ones, appended to `body`.
fn statement<'a>(i: Tokens<'a>, body: &mut Block) -> Parsed<'a, ()> {
    if i.is("@") || (i.kind() == TokenKind::Keyword && is_compound(i.text())) {
        let (j, kind) = compound_statement(i)?;
        // The block's NEWLINE and DEDENT are no part of what the statement says.
        let span = vjp_text::source::Span { end: end_of_text(i, j), start: i.token().span.start };
        body.push(Stmt { span, kind });
        return Ok((j, ()));
    }
    let (j, list) = simple_statements(i)?;
    body.extend(list);
    Ok((j, ()))
}

pub fn end_of_text(i: Tokens, j: Tokens) -> u32 {
    let mut at = j.at;
    while at > i.at + 1 && !is_text(i.cx.tokens[at - 1].kind) {
        at -= 1;
    }
    i.cx.tokens[at - 1].span.end
}

fn is_text(kind: TokenKind) -> bool {
    !matches!(kind, TokenKind::Newline | TokenKind::Dedent | TokenKind::Indent | TokenKind::End)
}

fn is_compound(word: &str) -> bool {
    matches!(word, "if" | "for" | "while" | "def" | "class" | "with" | "try" | "async")
}

/// A statement with blocks.
pub fn compound_statement(i: Tokens) -> Parsed<StmtKind> {
    match i.text() {
        "if" => if_statement(i),
        "for" => for_statement(i),
        "while" => while_statement(i),
        "def" => def_statement(i, Vec::new()),
        "class" => class_statement(i, Vec::new()),
        "with" => with_statement(i),
        "try" => try_statement(i),
        "@" => decorated(i),
        _ => fail(absent(i)),
    }
}

/// `:` and what it opens: an indented block, or statements on the same line. `header` is the
/// first token of the clause, `what` its name in the error.
fn block<'a>(header: Tokens<'a>, i: Tokens<'a>, what: &str) -> Parsed<'a, Block> {
    let (i, ()) = colon(i)?;
    if i.kind() != TokenKind::Newline {
        return cut(simple_statements).parse(i);
    }
    let i = i.next();
    if i.kind() != TokenKind::Indent {
        if i.kind() == TokenKind::Bad {
            return i.reject("an indented block");
        }
        let start = header.token().span.start as usize;
        let line = 1 + header.cx.text[..start].matches('\n').count();
        let span = i.token().span;
        let message = format!("expected an indented block after {what} on line {line}");
        let fault = SyntaxFault::new(span, message).hint("indent the line by four spaces");
        return fail(SyntaxFault { lacks_block: true, ..fault });
    }
    let (mut i, mut body) = (i.next(), Vec::new());
    while !matches!(i.kind(), TokenKind::Dedent | TokenKind::End) {
        i = statement(i, &mut body)?.0;
    }
    let (i, ()) = kind(TokenKind::Dedent, "the end of the block")(i)?;
    Ok((i, body))
}

/// The `:` of a header; only where the line ends is its absence certain.
fn colon(i: Tokens) -> Parsed<()> {
    if let Some(j) = i.eat(":") {
        return Ok((j, ()));
    }
    if i.kind() == TokenKind::Newline {
        return fail(
            SyntaxFault::new(i.token().span, "expected ':'").hint("a block begins with a colon"),
        );
    }
    Err(nom::Err::Failure(super::input::Reject(None)))
}

/// A block whose statements may say `break` and `continue`.
fn loop_block<'a>(header: Tokens<'a>, i: Tokens<'a>, what: &str) -> Parsed<'a, Block> {
    let outer = header.cx.in_loop.replace(true);
    let result = block(header, i, what);
    header.cx.in_loop.set(outer);
    result
}

/// The body of a function or class: loops around it do not count.
pub fn own_block<'a>(
    header: Tokens<'a>,
    i: Tokens<'a>,
    what: &str,
    function: bool,
) -> Parsed<'a, Block> {
    let cx = header.cx;
    let (in_loop, in_function) = (cx.in_loop.replace(false), cx.in_function.replace(function));
    let result = block(header, i, what);
    cx.in_loop.set(in_loop);
    cx.in_function.set(in_function);
    result
}

fn else_block(i: Tokens) -> Parsed<Block> {
    match i.eat("else") {
        Some(j) => block(i, j, "'else' statement"),
        None => Ok((i, Vec::new())),
    }
}

/// `if test: … elif test: … else: …`.
fn if_statement(i: Tokens) -> Parsed<StmtKind> {
    let (j, test) = condition(i.next())?;
    let (mut j, body) = block(i, j, "'if' statement")?;
    let mut arms = vec![(test, body)];
    while j.is("elif") {
        let (k, test) = condition(j.next())?;
        let (k, body) = block(j, k, "'elif' statement")?;
        arms.push((test, body));
        j = k;
    }
    j.expect("elif");
    let (j, orelse) = else_block(j)?;
    Ok((j, StmtKind::If { arms, orelse }))
}

/// `for target in iter: … else: …`.
fn for_statement(i: Tokens) -> Parsed<StmtKind> {
    let (j, target) = cut(for_targets).parse(i.next())?;
    let (j, _) = cut(token("in")).parse(j)?;
    let (j, iter) = cut(star_expressions).parse(j)?;
    lone_star(j, &iter);
    let (j, body) = loop_block(i, j, "'for' statement")?;
    let (j, orelse) = else_block(j)?;
    Ok((j, StmtKind::For { target, iter, body, orelse }))
}

/// `while test: … else: …`.
fn while_statement(i: Tokens) -> Parsed<StmtKind> {
    let (j, test) = condition(i.next())?;
    let (j, body) = loop_block(i, j, "'while' statement")?;
    let (j, orelse) = else_block(j)?;
    Ok((j, StmtKind::While { test, body, orelse }))
}

type Items = Vec<(Expr, Option<Expr>)>;

/// `with a as b, c: …`; the items may stand in parentheses.
fn with_statement(i: Tokens) -> Parsed<StmtKind> {
    let (j, items) = match parenthesized_items(i.next()) {
        Err(nom::Err::Error(_)) => cut(with_items).parse(i.next())?,
        result => result?,
    };
    let (j, body) = block(i, j, "'with' statement")?;
    Ok((j, StmtKind::With { items, body }))
}

fn parenthesized_items(i: Tokens) -> Parsed<Items> {
    let (j, _) = token("(")(i)?;
    let (j, items) = with_items(j)?;
    let j = j.eat(",").unwrap_or(j);
    let (j, _) = token(")")(j)?;
    match j.is(":") {
        true => Ok((j, items)),
        false => j.reject(":"),
    }
}

fn with_items(i: Tokens) -> Parsed<Items> {
    let (mut j, first) = with_item(i)?;
    let mut items = vec![first];
    while j.is(",") && !j.next().is(")") {
        let (k, next) = with_item(j.next())?;
        items.push(next);
        j = k;
    }
    j.expect(",");
    Ok((j, items))
}

fn with_item(i: Tokens) -> Parsed<(Expr, Option<Expr>)> {
    let (j, value) = expression(i)?;
    let Some(k) = j.eat("as") else {
        return Ok((j, (value, None)));
    };
    let (l, target) = cut(star_target).parse(k)?;
    if let Err(fault) = check_target(k, &target) {
        return fail(fault);
    }
    Ok((l, (value, Some(target))))
}

/// `try: … except Class as name: … else: … finally: …`.
fn try_statement(i: Tokens) -> Parsed<StmtKind> {
    let (mut j, body) = block(i, i.next(), "'try' statement")?;
    let mut handlers: Vec<Handler> = Vec::new();
    while j.is("except") {
        if let Some(last) = handlers.last()
            && last.class.is_none()
        {
            j.violates(last.span, "default 'except:' must be last");
        }
        let (k, handler) = except_clause(j)?;
        handlers.push(handler);
        j = k;
    }
    let orelse = match handlers.is_empty() {
        true => Vec::new(),
        false => {
            let (k, orelse) = else_block(j)?;
            j = k;
            orelse
        }
    };
    let mut finally = Vec::new();
    if let Some(k) = j.eat("finally") {
        (j, finally) = block(j, k, "'finally' statement")?;
    } else if handlers.is_empty() {
        let fault = SyntaxFault::new(j.token().span, "expected 'except' or 'finally' block");
        return fail(fault.hint("add one, indented like the try"));
    }
    Ok((j, StmtKind::Try { body, handlers, orelse, finally }))
}

fn except_clause(i: Tokens) -> Parsed<Handler> {
    let (mut j, mut class, mut bound) = (i.next(), None, None);
    if j.is("*") {
        let fault = SyntaxFault::new(j.token().span, "'except*' is not supported");
        return fail(fault.hint("write except without the star"));
    }
    if !j.is(":") && j.kind() != TokenKind::Newline {
        let (k, value) = cut(expression).parse(j)?;
        if k.is(",") {
            let (end, _) = super::expr::comma_list(k, value, expression)?;
            let message = "multiple exception types must be parenthesized";
            return fail(SyntaxFault::new(j.span_to(end), message));
        }
        (j, class) = (k, Some(value));
        if let Some(k) = j.eat("as") {
            let (k, name) = cut(name).parse(k)?;
            (j, bound) = (k, Some(name));
        }
    }
    let (k, body) = block(i, j, "'except' statement")?;
    let span = i.span_to(j);
    Ok((k, Handler { span, class, name: bound, body }))
}
