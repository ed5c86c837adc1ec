//! What stands wrong in a line, put right, as a line to type: `y = 3*x^2` for `y = 3x^2`. A change that
//! needs names which do not exist is not offered.

use crate::errors::school;
use crate::errors::undefined_name::COMMENT;
use crate::path::fixes;
use vjp_eval::record::bindings;
use vjp_eval::{Help, Machine};
use vjp_syntax::ast::Program;
use vjp_syntax::{Mend, SyntaxFault, parse};
use vjp_text::{Source, Span, Symbol};

/// So many slips of one line are put right.
const SLIPS: usize = 8;

/// What a text that is not a program was perhaps meant to be.
pub(crate) fn unreadable(m: &mut Machine, source: &Source, fault: &SyntaxFault) -> Vec<Help> {
    let readings = school::readings(m, source.text());
    if !readings.is_empty() {
        return readings;
    }
    if let Some(help) = foreign_operators(m, source.text()) {
        return vec![help];
    }
    let words = || fault.hint.clone().map(Help::words).into_iter().collect();
    let mended = fault.mend.as_ref().and_then(|mend| offered(m, source.text(), mend));
    match mended {
        Some(line) if !line.code.is_empty() => vec![line],
        mended => match school::begun(m, source.text()) {
            Some(line) => vec![line],
            None if fault.mend.is_some() => mended.into_iter().collect(),
            None => words(),
        },
    }
}

/// `x .* y` for `x*y`, and `x = 3 // a remark`.
fn foreign_operators(m: &mut Machine, text: &str) -> Option<Help> {
    let bare = ["*", "/", "^"].iter().fold(text.to_owned(), |text, op| {
        text.replace(&format!(" .{op} "), op).replace(&format!(".{op}"), op)
    });
    if bare != text && parse(&Source::new(bare.as_str()), m.mode()).is_ok() {
        let says = "* / and ^ work element by element".to_owned();
        return Some(Help { code: bare.trim_end().to_owned(), says });
    }
    let (before, _) = text.split_once("// ")?;
    let reads = |text: &str| parse(&Source::new(text), m.mode()).is_ok_and(|p| !p.body.is_empty());
    reads(before).then(|| Help::words(COMMENT.to_owned()))
}

/// The statement that failed at `span` and what follows it, changed.
pub(crate) fn failed(m: &mut Machine, source: &Source, span: Span, mend: &Mend) -> Option<Help> {
    let Some((start, text)) = rest_of_line(m, source, span) else {
        return Some(Help::words(mend.hint()));
    };
    let moved = Span { start: mend.span.start - start, end: mend.span.end - start };
    offered(m, text, &Mend { span: moved, ..mend.clone() })
}

/// The statement at `span` with what follows it, and where it begins.
pub(crate) fn rest_of_line<'a>(
    m: &Machine,
    source: &'a Source,
    span: Span,
) -> Option<(u32, &'a str)> {
    let program = parse(source, m.mode()).ok()?;
    let around = |s: &&vjp_syntax::ast::Stmt| s.span.start <= span.start && span.end <= s.span.end;
    let start = program.body.iter().find(around).map_or(0, |s| s.span.start);
    Some((start, source.text().get(start as usize..)?))
}

/// The changed line where it can be read and every name in it is known; else the words, unless they
/// propose a name that is not known.
fn offered(m: &mut Machine, text: &str, mend: &Mend) -> Option<Help> {
    if text.trim().lines().count() <= 1
        && let Some((code, program)) = changed(m, text, mend)
    {
        return match unknown(m, &code, &program) {
            None => {
                let code = code.trim_end().to_owned();
                if code.ends_with(':') || fixes::tried(m, &code, None).is_some() {
                    return Some(Help { code, says: mend.says.clone() });
                }
                // What else is wrong in the line shows when this is mended.
                text.contains(';').then(|| Help::words(mend.hint()))
            }
            Some(name) if PROSE.contains(&name.as_str()) => None,
            // A letter may be given its value yet.
            Some(name) if mend.sure || name.as_str().len() == 1 => Some(Help::words(mend.hint())),
            Some(name) => undefined(name),
        };
    }
    let short = Source::new(mend.short.as_str());
    let unknown =
        parse(&short, m.mode()).ok().and_then(|program| unknown(m, &mend.short, &program));
    match unknown.filter(|name| !mend.sure && name.as_str().len() > 1 && !bound_in(text, name)) {
        None => Some(Help::words(mend.hint())),
        Some(name) => undefined(name),
    }
}

/// Words of a sentence: nobody means a variable.
const PROSE: &[&str] = &[
    "of", "the", "a", "an", "is", "are", "me", "my", "to", "at", "with", "by", "for", "this",
    "that",
];

fn undefined(name: Symbol) -> Option<Help> {
    let says = || Help::words(format!("{name} is not defined"));
    (!PROSE.contains(&name.as_str())).then(says)
}

/// The text with this and what else is wrong in it changed; a header alone has a block in the program.
fn changed(m: &Machine, text: &str, mend: &Mend) -> Option<(String, Program)> {
    let mut text = text.to_owned();
    let mut next = mend.clone();
    for _ in 0..SLIPS {
        let at = next.span.start as usize..next.span.end as usize;
        text.get(at.clone())?;
        text.replace_range(at, &next.text);
        let whole = match text.trim_end().ends_with(':') {
            true => format!("{} pass", text.trim_end()),
            false => text.clone(),
        };
        match parse(&Source::new(whole), m.mode()) {
            Ok(program) => return Some((text, program)),
            Err(fault) => next = *fault.mend?,
        }
    }
    None
}

/// The first name that a program reads, and that neither it nor the session knows.
fn unknown(m: &Machine, text: &str, program: &Program) -> Option<Symbol> {
    let (mut read, mut bound) = (Vec::new(), Vec::new());
    for statement in &program.body {
        bindings::read(statement, &mut |name| read.push(name));
        bindings::bound(statement, &mut |name| bound.push(name));
    }
    let known = |name: &Symbol| bound.contains(name) || m.lookup(name.as_str()).is_some();
    read.retain(|name| !known(name) && !introduced(text, name.as_str()));
    // The longest says most: a word that is no name.
    read.into_iter().max_by_key(|name| name.as_str().len())
}

/// Whether a parameter, a `lambda` or a `for` of the text gives the name.
fn introduced(text: &str, name: &str) -> bool {
    let holds = |part: &str| {
        part.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
    };
    let between = |from: &str, to: &str| {
        let ends = |rest: &str| rest.split(to).next().is_some_and(holds);
        text.split(from).skip(1).any(ends)
    };
    let parameter = text
        .split(';')
        .filter_map(|s| s.split_once(") ="))
        .any(|(head, _)| head.split_once('(').is_some_and(|(_, parameters)| holds(parameters)));
    parameter || between("for ", " in ") || between("lambda ", ":") || between("def ", ")")
}

/// Whether a longer text gives the name a value.
fn bound_in(text: &str, name: &Symbol) -> bool {
    let gives = |line: &str| {
        let (target, _) = line.split_once('=').unwrap_or((line, ""));
        target.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name.as_str())
    };
    text.lines().count() > 1 && text.lines().any(gives)
}
