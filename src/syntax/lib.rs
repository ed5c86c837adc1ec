//! Text to syntax tree: a nom parser with a span on every node, and the printer back.
//! The normative grammar is grammar/vjp.ebnf. Depends on `text` only.

pub mod ast;
mod atom;
mod block;
mod combinators;
mod definition;
mod expr;
mod fault;
pub mod habits;
mod input;
mod literal;
mod postfix;
pub mod print;
pub mod reindent;
mod statement;
mod target;
pub mod visit;

use input::{Context, Reject, Tokens};
use vjp_text::tokens::Scanner;
use vjp_text::{Source, Span};

/// How the language is read: `strict` is Python's grammar exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    pub strict: bool,
}

/// A text that is not a program: where, what was found, what would have been accepted.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntaxFault {
    pub span: Span,
    /// In Python's words where Python has some, e.g. `invalid syntax`.
    pub message: String,
    pub hint: Option<String>,
    /// The same as a change of the text, where it is one.
    pub mend: Option<Box<Mend>>,
    /// The text ends inside a bracket, a string or a block: more lines may complete it.
    pub incomplete: bool,
    /// A header is not followed by the block that it opens.
    pub lacks_block: bool,
}

/// What was probably meant: the text that should stand at a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Mend {
    pub span: Span,
    pub text: String,
    /// What the change is, in words.
    pub says: String,
    /// The part that changes, as it is shown where the whole line is not.
    pub short: String,
    /// It holds whether or not the names in it are known: `3x`.
    pub sure: bool,
}

impl Mend {
    pub fn new(span: Span, text: impl Into<String>, says: impl Into<String>) -> Mend {
        let text = text.into();
        Mend { span, short: text.clone(), text, says: says.into(), sure: true }
    }

    /// The words and the part, where the whole line is not shown.
    pub fn hint(&self) -> String {
        match self.short.is_empty() {
            true => self.says.clone(),
            false => format!("{}: {}", self.says, self.short),
        }
    }
}

/// Reads a whole program.
pub fn parse(source: &Source, mode: Mode) -> Result<ast::Program, SyntaxFault> {
    let text = source.text();
    let (tokens, scan) = Scanner::new(text).tokens();
    // Read once more where the text is no program: then it is noted what it could have been.
    let plain = Context::new(text, &tokens, mode, false);
    if let Ok((_, program)) = block::program(Tokens { cx: &plain, at: 0 }) {
        return plain.condition().map_or(Ok(program), |violated| Err(*violated));
    }
    let cx = Context::new(text, &tokens, mode, true);
    let certain = match block::program(Tokens { cx: &cx, at: 0 }) {
        Err(nom::Err::Failure(Reject(fault)) | nom::Err::Error(Reject(fault))) => fault,
        _ => None,
    };
    let mut fault = fault::meant(&cx, fault::unexpected(&cx, certain.map(|f| *f), scan));
    // At the end of the text more lines may still make a program of it.
    let at_end = text[fault.span.start as usize..].trim().is_empty();
    fault.incomplete |= at_end && fault.lacks_block;
    Err(fault)
}
