//! One operation as programs see it: a row of the catalogue.

use crate::arguments::{Bound, Out};
use vjp_tensor::complaint::Outcome;

/// How an operation may be called: a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forms(pub u16);

impl Forms {
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
pub const USUAL: Forms = Forms(1 | 4 | 16);

/// One operation as programs see it.
#[derive(Debug)]
pub struct Entry {
    /// `sum`
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub forms: Forms,
    /// PyTorch's way of writing it, the overloads one per line:
    /// `(Tensor input, int[] dim=None, bool keepdim=False, *, Dtype dtype=None)`. Types: `Tensor`,
    /// `Tensors` (a list or tuple of them), `Scalar` (a number), `float`, `int`, `bool`, `int[]` (an int
    /// or several; as the last positional of a method also spread over the arguments: `x.view(2, 3)`),
    /// `str`, `Dtype`. `Tensor|Scalar` takes either, a number becoming a weak 0-d tensor.
    pub signature: &'static str,
    /// The derivative or definition in symbols, for help.
    pub formula: &'static str,
    /// Runs at the prompt.
    pub example: &'static str,
    /// Further calls to test, where the example cannot tell enough: `a = [1., 2.]; torch.name(a @ a)`.
    /// The names given lists are the inputs.
    pub samples: &'static [&'static str],
    pub see_also: &'static [&'static str],
    /// The same in JAX, as an exported program says it: `jnp.clip({input}, {min}, {max})`. Empty: the
    /// exporter's own function of this name, or JAX's; `-`: there is none.
    pub jax: &'static str,
    pub call: fn(&mut Bound) -> Outcome<Out>,
}

/// Names that an operation does not have in all of its forms, and the forms in which it has them.
const IN_SOME: [(&[&str], Forms); 8] = [
    (&["expit", "gammaln", "multigammaln", "psi"], Forms::SPECIAL.and(Forms::SHORT)),
    (&["gammainc", "gammaincc"], Forms::SPECIAL),
    (&["igamma", "igammac"], Forms(u16::MAX).without(Forms::SPECIAL)),
    (&["inv"], Forms::LINALG.and(Forms::SHORT)),
    (&["invert", "mod", "power"], Forms::NP.and(Forms::SHORT)),
    (&["inverse"], Forms(u16::MAX).without(Forms::LINALG)),
    (&["lgamma", "mvlgamma", "sigmoid"], Forms(u16::MAX).without(Forms::SPECIAL)),
    (
        &["cat", "clamp", "div", "eq", "ge", "ger", "gt", "le", "lt", "mul", "ne", "neg", "sub"],
        Forms(u16::MAX).without(Forms::NP),
    ),
];

impl Entry {
    /// Its name and aliases, as one form has them.
    pub fn names(&'static self, form: Forms) -> impl Iterator<Item = &'static str> {
        let all = std::iter::once(self.name).chain(self.aliases.iter().copied());
        let lacks = move |n: &&'static str| {
            IN_SOME.iter().any(|(names, f)| names.contains(n) && !f.has(form))
        };
        all.filter(move |n| self.forms.has(form) && !lacks(n))
    }
}
