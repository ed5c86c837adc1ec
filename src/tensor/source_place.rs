//! Where in the program an operation was asked for: noted on nodes and on cuts, so that an
//! explanation can point there. The evaluator says where it is; mathematics only remembers.

use std::cell::Cell;
use vjp_text::Span;

/// A span of a source, which [`vjp_text::Source::id`] names; 0 where it is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub source: u32,
    pub span: Span,
}

thread_local! {
    static NOW: Cell<Place> = const { Cell::new(Place { source: 0, span: Span { start: 0, end: 0 } }) };
}

/// What is evaluated from now on stands there.
#[inline]
pub fn set(place: Place) {
    NOW.with(|n| n.set(place));
}

#[inline]
pub fn now() -> Place {
    NOW.with(Cell::get)
}
