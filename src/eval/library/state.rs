//! What the library remembers between calls; part of every snapshot.

/// State of the library: print options and the like.
#[derive(Clone, Default)]
pub struct State {}
