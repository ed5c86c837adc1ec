//! Text that is not a token: why, and what was probably meant.

use super::source::Span;
use super::visible::is_printable;
use crate::foreign_spellings;

/// Why a piece of text is not a token.
#[derive(Clone, Debug, PartialEq)]
pub struct ScanFault {
    pub span: Span,
    pub message: String,
    pub hint: Option<String>,
    /// More text may mend it (an open bracket or triple quote).
    pub open: bool,
}

impl ScanFault {
    pub(super) fn plain(span: Span, message: impl Into<String>) -> Self {
        ScanFault { span, message: message.into(), hint: None, open: false }
    }

    pub(super) fn open(span: Span, message: impl Into<String>) -> Self {
        ScanFault { open: true, ..ScanFault::plain(span, message) }
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        ScanFault { hint: Some(hint.into()), ..self }
    }
}

/// What a character that begins no token is, and what was probably meant.
pub(super) fn strange(c: char, span: Span) -> ScanFault {
    let code = format!("U+{:04X}", c as u32);
    let fault = if c.is_ascii() && !c.is_control() {
        ScanFault::plain(span, "invalid syntax")
    } else if !is_printable(c) {
        ScanFault::plain(span, format!("invalid non-printable character {code}"))
            .hint("the text contains an invisible character: replace it with a space")
    } else {
        ScanFault::plain(span, format!("invalid character '{c}' ({code})"))
    };
    match foreign_spellings::sign(c) {
        Some(hint) => fault.hint(hint),
        None => fault,
    }
}
