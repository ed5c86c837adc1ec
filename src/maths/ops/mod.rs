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

pub mod adaptive;
pub mod arrange;
pub mod bound;
pub mod combine;
pub mod compose;
pub mod conv;
pub mod counting;
pub mod cross_entropy;
pub mod cumulative;
pub mod determinant;
pub mod distance;
pub mod dropout;
pub mod einsum;
pub mod extreme;
pub mod fits;
pub mod fixed;
pub mod index;
pub mod join;
pub mod lacking;
pub mod layout;
pub mod linalg;
pub mod linalg_cholesky;
pub mod linalg_factor;
pub mod linalg_lu;
pub mod linalg_maps;
pub mod linalg_norms;
pub mod linalg_pinv;
pub mod linalg_products;
pub mod linalg_svd;
pub mod linalg_triangular;
pub mod loss;
pub mod made;
pub mod margins;
pub mod matmul;
mod moments;
pub mod multilabel;
pub mod network;
pub mod nn;
pub mod normal;
pub mod order;
pub mod pool;
pub mod powers;
pub mod predicates;
pub mod product;
pub mod put;
pub mod quantile;
pub mod rearrange;
pub mod reduce;
mod reduction;
pub mod resample;
pub mod running;
pub mod scatter;
pub mod scatters;
pub mod select;
pub mod statistics;
pub mod transposed;
pub mod views;
pub mod window;

pub use bound::{Arg, Bound, Out, Scalar};

use super::complaint::Outcome;
use super::variable::Variable;
use std::cell::RefCell;
use std::collections::HashMap;

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
                super::looked::at(v);
            }
            from.get_or_insert_with(|| v.clone());
        }
        let call = |b: &mut Bound| lacking::check(self, b).and_then(|()| (self.call)(b));
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
            super::looked::at(&from);
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
        ("Shape", layout::ENTRIES),
        ("Joining, splitting, indexing", join::ENTRIES),
        ("Rearranging", arrange::ENTRIES),
        ("Matrix products", matmul::ENTRIES),
        ("Sums, means, products", reduce::ENTRIES),
        ("Selection and placement", select::ENTRIES),
        ("Extremes", extreme::ENTRIES),
        ("Order", order::ENTRIES),
        ("Variance and norms", statistics::ENTRIES),
        ("Cumulative functions", cumulative::ENTRIES),
        ("Comparisons and tests", predicates::ENTRIES),
        ("Softmax and normalisation", nn::ENTRIES),
        ("Layers and padding", normal::ENTRIES),
        ("Losses", loss::ENTRIES),
        ("Losses", cross_entropy::ENTRIES),
        ("Convolution", conv::ENTRIES),
        ("Pooling", pool::ENTRIES),
        ("Normalisation, embedding, attention", network::ENTRIES),
        ("Rearranging", rearrange::ENTRIES),
        ("Rearranging", views::ENTRIES),
        ("Cumulative functions", running::ENTRIES),
        ("Quantiles", quantile::ENTRIES),
        ("Joining, splitting, indexing", combine::ENTRIES),
        ("Losses", margins::ENTRIES),
        ("Distances and differences", distance::ENTRIES),
        ("Matrix products", einsum::ENTRIES),
        ("Linear algebra", linalg::ENTRIES),
        ("Scatters", scatter::ENTRIES),
        ("Matrix factors", linalg_factor::ENTRIES),
        ("Matrix factors", linalg_cholesky::ENTRIES),
        ("Matrix factors", linalg_svd::ENTRIES),
        ("Solving", linalg_triangular::ENTRIES),
        ("Norms", linalg_norms::ENTRIES),
        ("Pseudo-inverse, exponential", linalg_pinv::ENTRIES),
        ("Matrix factors", linalg_lu::ENTRIES),
        ("Matrix products", linalg_products::ENTRIES),
        ("Scatters", scatters::ENTRIES),
        ("Counting", counting::ENTRIES),
        ("Resampling", resample::ENTRIES),
        ("Other constructions", made::ENTRIES),
        ("Pooling", adaptive::ENTRIES),
        ("Convolution", transposed::ENTRIES),
        ("More layers and losses", multilabel::ENTRIES),
        ("Dropout and rrelu", dropout::ENTRIES),
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
const IN_SOME: [(&[&str], Forms); 6] = [
    (&["expit", "gammaln", "multigammaln", "psi"], Forms::SPECIAL.and(Forms::SHORT)),
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
