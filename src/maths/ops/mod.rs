//! The catalogue: every operation with its forms, signature, formula and example. The evaluator
//! binds arguments from the signature; help, completion and tests read the rest.

/// Rows of the catalogue: `name as alias forms, signature, formula, example & sample, see also jax words => call`.
macro_rules! entries {
    ($($name:literal $(as $alias:literal)* $forms:expr, $signature:expr, $formula:literal, $example:literal $(& $sample:literal)*, [$($see:literal),*] $(jax $jax:literal)? => $call:expr;)*) => {
        &[$($crate::ops::Entry {
            name: $name,
            aliases: &[$($alias),*],
            forms: $forms,
            signature: $signature,
            formula: $formula,
            example: $example,
            samples: &[$($sample),*],
            see_also: &[$($see),*],
            jax: concat!($($jax)?),
            call: $call,
        }),*]
    };
}

pub mod arguments;
pub mod arrange;
pub mod compose;
pub mod constant_map;
pub mod index;
pub mod layers;
pub mod linalg;
pub mod loss;
pub mod missing_kernels;
pub mod product;
pub mod reduce;
pub mod refusals;

pub use crate::ops::arguments::{Arg, Bound, Out, Scalar};

use crate::autodiff::variable::Variable;
use std::cell::RefCell;
use std::collections::HashMap;
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

/// Operations whose values decide how many elements come out.
const UNSIZED: [&str; 4] = ["unique", "unique_consecutive", "masked_select", "nonzero"];

impl Entry {
    /// Carries the operation out. Constants that it computes from what depends on a leaf are known to.
    ///
    /// # Errors
    /// What the operation says.
    pub fn carry_out(&self, bound: &mut Bound) -> Outcome<Out> {
        let given = bound.args.iter().flat_map(|a| match a {
            Arg::Tensor(v) => std::slice::from_ref(v),
            Arg::Tensors(all) => all.as_slice(),
            _ => &[],
        });
        let mut from = None;
        for v in given.filter(|v| v.depends()) {
            // Positions and masks decide.
            if !v.dtype().is_float() {
                crate::observe::value_reads::at(v);
            }
            from.get_or_insert_with(|| v.clone());
        }
        let call = |b: &mut Bound| {
            crate::ops::missing_kernels::check(self, b).and_then(|()| (self.call)(b))
        };
        let out = match call(bound) {
            // A bare whole number is a number of mathematics, where PyTorch has no such operation.
            Err(c) if !c.kind.is_stop() && bound.floats_of_bare_numbers() => {
                call(bound).map_err(|_| c)?
            }
            out => out?,
        };
        let Some(from) = from else {
            return Ok(out);
        };
        // What is true, how many there are and where they stand is known by looking.
        let counted = match &out {
            Out::Bool(_) | Out::Int(_) => true,
            Out::One(v) => !v.dtype().is_float() || UNSIZED.contains(&self.name),
            Out::Many(all) => all.iter().any(|v| !v.dtype().is_float()),
            Out::Named(..) => false,
        };
        if counted {
            crate::observe::value_reads::at(&from);
        }
        let marked = |v: Variable| match v.depends() {
            true => v,
            false => v.stepped_from(&from),
        };
        Ok(match out {
            Out::One(v) => Out::One(marked(v)),
            Out::Many(all) => Out::Many(all.into_iter().map(marked).collect()),
            Out::Named(name, all) => {
                Out::Named(name, all.into_iter().map(|(n, v)| (n, marked(v))).collect())
            }
            other => other,
        })
    }
}

/// The families of operations, with their titles; those of one title are told together.
pub fn families() -> impl Iterator<Item = (&'static str, &'static [Entry])> {
    [
        ("Elementwise", super::table::ENTRIES),
        ("Arithmetic, bounds and activations", super::table::SPECIAL_ENTRIES),
        ("Shape", crate::ops::arrange::layout::ENTRIES),
        ("Joining, splitting, indexing", crate::ops::arrange::join::ENTRIES),
        ("Rearranging", crate::ops::arrange::flip_and_repeat::ENTRIES),
        ("Matrix products", crate::ops::product::matmul::ENTRIES),
        ("Matrix products", crate::ops::product::addmm::ENTRIES),
        ("Sums, means, products", reduce::ENTRIES),
        ("Selection and placement", crate::ops::index::select::ENTRIES),
        ("Extremes", crate::ops::reduce::extreme::ENTRIES),
        ("Order", crate::ops::reduce::sort::ENTRIES),
        ("Variance and norms", crate::ops::reduce::statistics::ENTRIES),
        ("Cumulative functions", crate::ops::reduce::cumulative::ENTRIES),
        ("Comparisons and tests", crate::ops::reduce::predicates::ENTRIES),
        ("Softmax and normalisation", crate::ops::layers::softmax::ENTRIES),
        ("Layers and padding", crate::ops::layers::layer_norm_and_pad::ENTRIES),
        ("Losses", loss::ENTRIES),
        ("Losses", crate::ops::loss::cross_entropy::ENTRIES),
        ("Convolution", crate::ops::layers::conv::ENTRIES),
        ("Pooling", crate::ops::layers::pool::ENTRIES),
        ("Normalisation, embedding, attention", crate::ops::layers::normalise_and_embed::ENTRIES),
        ("Rearranging", crate::ops::arrange::rotate_and_unfold::ENTRIES),
        ("Rearranging", crate::ops::arrange::views::ENTRIES),
        ("Cumulative functions", crate::ops::reduce::running::ENTRIES),
        ("Quantiles", crate::ops::reduce::quantile::ENTRIES),
        ("Joining, splitting, indexing", crate::ops::arrange::blocks::ENTRIES),
        ("Losses", crate::ops::loss::margins::ENTRIES),
        ("Distances and differences", crate::ops::loss::distance::ENTRIES),
        ("Matrix products", crate::ops::product::einsum::ENTRIES),
        ("Linear algebra", linalg::ENTRIES),
        ("Scatters", crate::ops::index::scatter::ENTRIES),
        ("Matrix factors", crate::ops::linalg::factor::ENTRIES),
        ("Matrix factors", crate::ops::linalg::cholesky::ENTRIES),
        ("Matrix factors", crate::ops::linalg::svd::ENTRIES),
        ("Solving", crate::ops::linalg::triangular::ENTRIES),
        ("Solving", crate::ops::linalg::with_info::ENTRIES),
        ("Norms", crate::ops::linalg::norms::ENTRIES),
        ("Pseudo-inverse, exponential", crate::ops::linalg::pinv::ENTRIES),
        ("Matrix factors", crate::ops::linalg::lu::ENTRIES),
        ("Matrix products", crate::ops::product::composed::ENTRIES),
        ("Scatters", crate::ops::index::scatter_views::ENTRIES),
        ("Counting", crate::ops::reduce::counting::ENTRIES),
        ("Resampling", crate::ops::layers::resample::ENTRIES),
        ("Resampling", crate::ops::layers::sample::ENTRIES),
        ("Other constructions", crate::ops::arrange::construct::ENTRIES),
        ("Pooling", crate::ops::layers::adaptive_pool::ENTRIES),
        ("Convolution", crate::ops::layers::conv_transpose::ENTRIES),
        ("More layers and losses", crate::ops::loss::multilabel::ENTRIES),
        ("Dropout and rrelu", crate::ops::layers::dropout::ENTRIES),
    ]
    .into_iter()
}

/// The families as they are told: one a title, in the order of their first parts.
pub fn titled() -> Vec<(&'static str, Vec<&'static Entry>)> {
    let mut all: Vec<(&'static str, Vec<&'static Entry>)> = Vec::new();
    for (title, entries) in families() {
        match all.iter_mut().find(|(t, _)| *t == title) {
            Some((_, before)) => before.extend(entries),
            None => all.push((title, entries.iter().collect())),
        }
    }
    all
}

thread_local! {
    static ADDED: RefCell<Vec<&'static Entry>> = const { RefCell::new(Vec::new()) };
}

/// Adds an operation to this thread's catalogue; before the first use of the library, whose tables are
/// made once.
pub fn add(entry: &'static Entry) {
    ADDED.with_borrow_mut(|added| added.push(entry));
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

/// All entries, family by family.
pub fn catalogue() -> impl Iterator<Item = &'static Entry> {
    let added = ADDED.with_borrow(Clone::clone);
    families().flat_map(|(_, entries)| entries).chain(added)
}

/// The entry of a name or an alias; where two forms share a name, the first in the catalogue.
pub fn lookup(name: &str) -> Option<&'static Entry> {
    thread_local! {
        static INDEX: HashMap<&'static str, &'static Entry> = {
            let mut index = HashMap::new();
            for e in catalogue() {
                for n in std::iter::once(e.name).chain(e.aliases.iter().copied()) {
                    index.entry(n).or_insert(e);
                }
            }
            index
        };
    }
    INDEX.with(|i| i.get(name).copied())
}
