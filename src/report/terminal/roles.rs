//! What a piece of text means. Colour follows from it, and never carries a meaning alone.

/// The meaning of a piece of text. Nothing is ever dim: that is invisible on a projector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Words, brackets and rules of our own.
    Plain,
    /// v, vᵀJ and gradients: what flows backwards.
    Cotangent,
    /// Values and derivatives: what was computed forwards.
    Value,
    /// A formula, already spelled in the wanted characters: never translated to ASCII.
    Formula,
    /// ✓
    Agrees,
    /// ✗ and the word `error`.
    Differs,
    /// `note`, `help`: a way on.
    Hint,
    /// Text as the user typed it: never translated to ASCII.
    User,
}
