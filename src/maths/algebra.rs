//! One algebra for numbers, symbols and recorded nodes, so that a derivative is written once.

/// What a rule's coefficients may be: `f64`, a symbolic expression, a whole array of either, or a
/// recorded variable. Everything else (operators, sin, pow …) is built from these two methods.
pub trait Algebra: Clone {
    /// A constant beside `self` (for arrays: a 0-d one, broadcast on use).
    fn lift(&self, c: f64) -> Self;

    /// A function of the table applied to arguments, elementwise with broadcasting.
    fn call(fun: &'static Fun, args: &[&Self]) -> Self;
}

/// A scalar function of the table: the part that the algebra needs to know.
pub struct Fun {
    /// As the language spells it: `tanh`.
    pub name: &'static str,
    pub arity: usize,
    pub value: fn(&[f64]) -> f64,
}

impl std::fmt::Debug for Fun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}
