//! How programs call a row: the forms it has, its names, its arguments, and what else helps find it.

/// How an operation may be called: a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forms(pub u16);

impl Forms {
    pub const NONE: Forms = Forms(0);
    /// `torch.name`
    pub const TORCH: Forms = Forms(1);
    /// `F.name`
    pub const F: Forms = Forms(2);
    /// `x.name()`
    pub const METHOD: Forms = Forms(4);
    /// `x.name_()`
    pub const INPLACE: Forms = Forms(8);
    /// `name` at the prompt
    pub const SHORT: Forms = Forms(16);
    /// `np.name`
    pub const NP: Forms = Forms(32);
    /// `x.name` without a call
    pub const ATTRIBUTE: Forms = Forms(64);
    /// written as an operator
    pub const OPERATOR: Forms = Forms(128);
    /// `torch.linalg.name`
    pub const LINALG: Forms = Forms(256);
    /// `torch.special.name`
    pub const SPECIAL: Forms = Forms(512);

    pub const fn and(self, other: Forms) -> Forms {
        Forms(self.0 | other.0)
    }

    pub const fn without(self, other: Forms) -> Forms {
        Forms(self.0 & !other.0)
    }

    pub const fn has(self, other: Forms) -> bool {
        self.0 & other.0 == other.0
    }
}

/// torch function, method and short name: the usual ones.
pub const USUAL: Forms = Forms::TORCH.and(Forms::METHOD).and(Forms::SHORT);
/// Also an in-place method: what works element by element.
pub const POINTWISE: Forms = USUAL.and(Forms::INPLACE);
/// Also a NumPy function.
pub const NUMPY: Forms = POINTWISE.and(Forms::NP);
/// PyTorch has no in-place form of it.
pub const OUT_OF_PLACE: Forms = USUAL.and(Forms::NP);
/// Also `torch.special.name`.
pub const SPECIAL: Forms = POINTWISE.and(Forms::SPECIAL);
/// Only `torch.special.name`, and the short name.
pub const SPECIAL_ONLY: Forms = Forms::SPECIAL.and(Forms::SHORT);
/// Only `F.name`, and the short name.
pub const NN: Forms = Forms::F.and(Forms::SHORT);

/// One tensor.
pub const UNARY: &str = "(Tensor input)";
/// Two, of which one may be a number.
pub const BINARY: &str = "(Tensor|Scalar input, Tensor|Scalar other)";

/// What a row says of its calls; its operands are tensors and its parameters numbers, in this order.
#[derive(Debug)]
pub struct Called {
    pub forms: Forms,
    pub aliases: &'static [&'static str],
    /// As PyTorch writes it: `(Tensor input, float alpha=1.0, bool inplace=False)`.
    pub signature: &'static str,
    pub see_also: &'static [&'static str],
    /// The same in JAX, as an exported program says it; empty where JAX has it under the same name.
    pub jax: &'static str,
}

/// The arguments of a function of so many tensors.
pub(super) const fn tensors(operands: usize) -> &'static str {
    match operands {
        1 => UNARY,
        _ => "(Tensor input, Tensor other)",
    }
}
