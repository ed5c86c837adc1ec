//! `import` and `from … import`.

use super::SyntaxFault;
use super::ast::*;
use super::input::{Parsed, Tokens, fail, name, token};
use nom::Parser;
use nom::combinator::cut;
use vjp_text::tokens::TokenKind;

/// `import a.b as c, d`.
pub fn import(i: Tokens) -> Parsed<StmtKind> {
    let (mut i, mut list) = (i.next(), Vec::new());
    loop {
        let (j, path) = cut(dotted_name).parse(i)?;
        let (j, bound) = as_name(j)?;
        list.push((path, bound));
        match j.eat(",") {
            Some(k) => i = k,
            None => return Ok((j, StmtKind::Import(list))),
        }
    }
}

/// `from a.b import c as d, e`, `from a import *`.
pub fn from_import(i: Tokens) -> Parsed<StmtKind> {
    let j = i.next();
    if j.is(".") || j.is("...") {
        let fault = SyntaxFault::new(j.token().span, "relative imports are not supported");
        return fail(fault.hint("import only the modules that vjp provides"));
    }
    let (j, module) = cut(dotted_name).parse(j)?;
    let (j, _) = cut(token("import")).parse(j)?;
    if let Some(k) = j.eat("*") {
        if i.cx.in_function.get() {
            i.violates(j.token().span, "import * only allowed at module level");
        }
        return Ok((k, StmtKind::FromImport { module, names: Vec::new() }));
    }
    let open = j.eat("(");
    let (mut j, first) = cut(import_name).parse(open.unwrap_or(j))?;
    let mut names = vec![first];
    while let Some(k) = j.eat(",") {
        if open.is_some() && k.is(")") {
            j = k;
            break;
        }
        if k.kind() == TokenKind::Newline {
            let message = "trailing comma not allowed without surrounding parentheses";
            return fail(SyntaxFault::new(j.token().span, message));
        }
        let (k, next) = cut(import_name).parse(k)?;
        names.push(next);
        j = k;
    }
    if open.is_some() {
        (j, _) = cut(token(")")).parse(j)?;
    }
    Ok((j, StmtKind::FromImport { module, names }))
}

/// `a.b.c`.
fn dotted_name(i: Tokens) -> Parsed<Vec<Name>> {
    let (mut j, first) = name(i)?;
    let mut path = vec![first];
    while let Some(k) = j.eat(".") {
        let (k, next) = cut(name).parse(k)?;
        path.push(next);
        j = k;
    }
    Ok((j, path))
}

fn import_name(i: Tokens) -> Parsed<(Name, Option<Name>)> {
    let (j, name) = name(i)?;
    let (j, bound) = as_name(j)?;
    Ok((j, (name, bound)))
}

fn as_name(i: Tokens) -> Parsed<Option<Name>> {
    match i.eat("as") {
        Some(j) => cut(name).parse(j).map(|(j, name)| (j, Some(name))),
        None => Ok((i, None)),
    }
}
