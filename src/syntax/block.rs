//! Compound statements and the blocks that belong to them.

use super::SyntaxFault;
use super::ast::*;
use super::combinators::*;
use super::definition::{class_statement, decorated, def_statement};
use super::expr::{expression, named_expression, star_expressions};
use super::input::{Parsed, Reject, Tokens};
use super::statement::simple_statements;
use super::target::{check_target, for_targets, no_equals, star_target};
use nom::branch::alt;
use nom::combinator::{cut, not, opt, peek};
use nom::multi::{fold_many0, many1, separated_list1};
use nom::sequence::{delimited, preceded, terminated};
use nom::{Err, Parser};
use vjp_text::{Span, TokenKind};

/// The whole text.
pub fn program(i: Tokens) -> Parsed<Program> {
    let blank = kind(TokenKind::Newline).map(|()| Vec::new());
    statements(TokenKind::End, alt((blank, statement))).map(|body| Program { body }).parse(i)
}

/// `{ statement }` up to a token of this kind, as one list.
fn statements<'a>(end: TokenKind, statement: impl Rule<'a, Block>) -> impl Rule<'a, Block> {
    let next = preceded(not(kind(end)), cut(statement));
    fold_many0(next, Vec::new, |mut body, mut more| {
        if body.is_empty() {
            return more;
        }
        body.append(&mut more);
        body
    })
}

/// One compound statement, or a line of simple ones.
fn statement(i: Tokens) -> Parsed<Block> {
    alt((compound_statement.map(|statement| vec![statement]), simple_statements)).parse(i)
}

/// A statement with blocks.
fn compound_statement(i: Tokens) -> Parsed<Stmt> {
    let worded = worded(alt((
        if_statement,
        for_statement,
        while_statement,
        with_statement,
        try_statement,
        def_statement,
        class_statement,
        absent("async"),
    )));
    let (j, kind) = alt((worded, decorated)).parse(i)?;
    Ok((j, Stmt { span: span_of_text(i, j), kind }))
}

/// Without the NEWLINE and DEDENT of the block: they are no part of what the statement says.
pub fn span_of_text(i: Tokens, j: Tokens) -> Span {
    use TokenKind::*;
    let read = &i.cx.tokens[i.at..j.at];
    let last = read.iter().rfind(|t| !matches!(t.kind, Newline | Dedent | Indent | End));
    Span { end: last.unwrap_or(&i.token()).span.end, ..i.token().span }
}

/// `:` and what it opens: an indented block, or statements on the same line. `header` is the
/// first token of the clause, `what` its name in the error.
pub fn block<'a>(header: Tokens<'a>, what: &'static str) -> impl Rule<'a, Block> {
    let start = (kind(TokenKind::Newline), move |i| indent(header, what, i));
    let end = expected("the end of the block", kind(TokenKind::Dedent));
    let indented = delimited(start, statements(TokenKind::Dedent, statement), end);
    cut(preceded(colon, alt((indented, simple_statements))))
}

fn indent<'a>(header: Tokens, what: &str, i: Tokens<'a>) -> Parsed<'a, ()> {
    match i.kind() {
        TokenKind::Indent => return Ok((i.next(), ())),
        TokenKind::Bad => return i.reject("an indented block"),
        _ => {}
    }
    let before = &header.cx.text[..header.token().span.start as usize];
    let line = 1 + before.matches('\n').count();
    let message = format!("expected an indented block after {what} on line {line}");
    let fault = SyntaxFault::new(i.token().span, message).hint("indent the line by four spaces");
    fail(SyntaxFault { lacks_block: true, ..fault })
}

/// The `:` of a header; its absence is certain only where the line ends, or where nothing else may follow.
fn colon(i: Tokens) -> Parsed<Span> {
    let missing = refuse(|i| match i.kind() {
        TokenKind::Newline => Some(
            SyntaxFault::new(i.token().span, "expected ':'").hint("a block begins with a colon"),
        ),
        _ => super::fault::only_colon(i),
    });
    preceded(missing, token(":")).parse(i)
}

/// How a clause begins, and its block.
fn clause<'a, T>(mut head: impl Rule<'a, T>, what: &'static str) -> impl Rule<'a, (T, Block)> {
    move |i: Tokens<'a>| {
        let (j, head) = head.parse(i)?;
        let (j, body) = block(i, what).parse(j)?;
        Ok((j, (head, body)))
    }
}

fn else_block(i: Tokens) -> Parsed<Block> {
    let block = clause(token("else"), "'else' statement").map(|(_, body)| body);
    opt(block).map(Option::unwrap_or_default).parse(i)
}

/// `if test: … elif test: … else: …`.
fn if_statement(i: Tokens) -> Parsed<StmtKind> {
    let first = clause(after(sign("if"), condition), "'if' statement");
    let others = many(clause(after(token("elif"), condition), "'elif' statement"));
    (first, others, else_block)
        .map(|(first, others, orelse)| StmtKind::If { arms: with_first(first, others), orelse })
        .parse(i)
}

/// `for target in iter: … else: …`.
fn for_statement(i: Tokens) -> Parsed<StmtKind> {
    let head = (after(sign("for"), for_targets), after(cut(token("in")), star_expressions));
    (within(|cx| &cx.in_loop, true, clause(head, "'for' statement")), else_block)
        .map(|(((target, iter), body), orelse)| StmtKind::For { target, iter, body, orelse })
        .parse(i)
}

/// `while test: … else: …`.
fn while_statement(i: Tokens) -> Parsed<StmtKind> {
    let head = after(sign("while"), condition);
    (within(|cx| &cx.in_loop, true, clause(head, "'while' statement")), else_block)
        .map(|((test, body), orelse)| StmtKind::While { test, body, orelse })
        .parse(i)
}

/// An expression in a condition: `name := value` is welcome, `name = value` was not meant.
fn condition(i: Tokens) -> Parsed<Expr> {
    checked(named_expression, no_equals).parse(i)
}

type Item = (Expr, Option<Expr>);

/// `with a as b, c: …`; the items may stand in parentheses.
fn with_statement(i: Tokens) -> Parsed<StmtKind> {
    let head = after(sign("with"), alt((parenthesized_items, with_items)));
    clause(head, "'with' statement").map(|(items, body)| StmtKind::With { items, body }).parse(i)
}

fn parenthesized_items(i: Tokens) -> Parsed<Vec<Item>> {
    let items = delimited(token("("), with_items, (opt(token(",")), token(")")));
    terminated(items, peek(token(":"))).parse(i)
}

fn with_items(i: Tokens) -> Parsed<Vec<Item>> {
    separated_list1(token(","), with_item).parse(i)
}

fn with_item(i: Tokens) -> Parsed<Item> {
    (expression, opt(after(token("as"), checked(star_target, check_target)))).parse(i)
}

/// `try: … except Class as name: … else: … finally: …`.
fn try_statement(i: Tokens) -> Parsed<StmtKind> {
    let finally = || clause(token("finally"), "'finally' statement").map(|(_, body)| body);
    let handled = (many1(checked(except_clause, bare_is_last)), else_block, opt(finally()));
    let only_finally = finally().map(|body| (Vec::new(), Vec::new(), Some(body)));
    (clause(sign("try"), "'try' statement"), alt((handled, only_finally, unhandled)))
        .map(|((_, body), (handlers, orelse, finally))| {
            let finally = finally.unwrap_or_default();
            StmtKind::Try { body, handlers, orelse, finally }
        })
        .parse(i)
}

fn unhandled<T>(i: Tokens) -> Parsed<T> {
    let fault = SyntaxFault::new(i.token().span, "expected 'except' or 'finally' block");
    fail(fault.hint("add one, indented like the try"))
}

fn bare_is_last(_: Tokens, j: Tokens, handler: &Handler) -> Result<(), SyntaxFault> {
    if handler.class.is_none() && j.is("except") {
        j.violates(handler.span, "default 'except:' must be last");
    }
    Ok(())
}

fn except_clause(i: Tokens) -> Parsed<Handler> {
    let class = (checked(expression, one_class), opt(after(token("as"), name)));
    let head = preceded((sign("except"), refuse(group)), opt(class));
    clause(spanned(head), "'except' statement")
        .map(|((class, span), body)| {
            let (class, name) = class.unzip();
            Handler { span, class, name: name.flatten(), body }
        })
        .parse(i)
}

fn group(i: Tokens) -> Option<SyntaxFault> {
    let fault = SyntaxFault::new(i.token().span, "'except*' is not supported");
    i.is("*").then(|| fault.hint("write except without the star"))
}

fn one_class<'a>(i: Tokens<'a>, j: Tokens<'a>, _: &Expr) -> Result<(), Err<Reject>> {
    if !j.is(",") {
        return Ok(());
    }
    let (end, _) = more_items((), expression.map(|_| ()), comma()).parse(j)?;
    let message = "multiple exception types must be parenthesized";
    Err(SyntaxFault::new(i.span_to(end), message).into())
}
