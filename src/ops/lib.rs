//! The catalogue: every operation with its forms, signature, formula and example. The evaluator
//! binds arguments from the signature; help, completion and tests read the rest. Each operation states its
//! derivative by `maths::autodiff::rule`, or is composed of others. Depends on `maths` and `tensor`.
//!
//! Begin with [`Entry`], one row; [`families`] lists the files of rows.

/// Rows of the catalogue: `name as alias forms, signature, formula, example & sample, see also jax words => call`.
macro_rules! entries {
    ($($name:literal $(as $alias:literal)* $forms:expr, $signature:expr, $formula:literal, $example:literal $(& $sample:literal)*, [$($see:literal),*] $(jax $jax:literal)? => $call:expr;)*) => {
        &[$($crate::entry::Entry {
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
#[cfg(test)]
mod autograd_tests;
mod carry_out;
pub mod compose;
pub mod elementwise;
pub mod entry;
pub mod index;
#[cfg(test)]
mod jacobian_tests;
pub mod layers;
pub mod linalg;
pub mod loss;
pub mod missing_kernels;
pub mod product;
mod recorded;
pub mod reduce;
pub mod refusals;
#[cfg(test)]
mod slope_tests;

pub use crate::arguments::{Arg, Bound, Out};
pub use crate::entry::{Entry, Forms, USUAL};
pub use vjp_tensor::scalar::Scalar;

use std::cell::RefCell;
use std::collections::HashMap;

/// The families of operations, with their titles; those of one title are told together.
pub fn families() -> impl Iterator<Item = (&'static str, &'static [Entry])> {
    compose::give(lookup);
    [
        ("Elementwise", elementwise::ENTRIES),
        ("Arithmetic, bounds and activations", elementwise::SPECIAL_ENTRIES),
        ("Shape", crate::arrange::layout::ENTRIES),
        ("Joining, splitting, indexing", crate::arrange::join::ENTRIES),
        ("Rearranging", crate::arrange::flip_and_repeat::ENTRIES),
        ("Matrix products", crate::product::matmul::ENTRIES),
        ("Matrix products", crate::product::addmm::ENTRIES),
        ("Sums, means, products", reduce::ENTRIES),
        ("Selection and placement", crate::index::select::ENTRIES),
        ("Extremes", crate::reduce::extreme::ENTRIES),
        ("Order", crate::reduce::sort::ENTRIES),
        ("Variance and norms", crate::reduce::statistics::ENTRIES),
        ("Cumulative functions", crate::reduce::cumulative::ENTRIES),
        ("Comparisons and tests", crate::reduce::predicates::ENTRIES),
        ("Softmax and normalisation", crate::layers::softmax::ENTRIES),
        ("Layers and padding", crate::layers::layer_norm_and_pad::ENTRIES),
        ("Losses", loss::ENTRIES),
        ("Losses", crate::loss::cross_entropy::ENTRIES),
        ("Convolution", crate::layers::conv::ENTRIES),
        ("Pooling", crate::layers::pool::ENTRIES),
        ("Normalisation, embedding, attention", crate::layers::normalise_and_embed::ENTRIES),
        ("Rearranging", crate::arrange::rotate_and_unfold::ENTRIES),
        ("Rearranging", crate::arrange::views::ENTRIES),
        ("Cumulative functions", crate::reduce::running::ENTRIES),
        ("Quantiles", crate::reduce::quantile::ENTRIES),
        ("Joining, splitting, indexing", crate::arrange::blocks::ENTRIES),
        ("Losses", crate::loss::margins::ENTRIES),
        ("Distances and differences", crate::loss::distance::ENTRIES),
        ("Matrix products", crate::product::einsum::ENTRIES),
        ("Linear algebra", linalg::ENTRIES),
        ("Scatters", crate::index::scatter::ENTRIES),
        ("Matrix factors", crate::linalg::factor::ENTRIES),
        ("Matrix factors", crate::linalg::cholesky::ENTRIES),
        ("Matrix factors", crate::linalg::svd::ENTRIES),
        ("Solving", crate::linalg::triangular::ENTRIES),
        ("Solving", crate::linalg::with_info::ENTRIES),
        ("Norms", crate::linalg::norms::ENTRIES),
        ("Pseudo-inverse, exponential", crate::linalg::pinv::ENTRIES),
        ("Matrix factors", crate::linalg::lu::ENTRIES),
        ("Matrix products", crate::product::composed::ENTRIES),
        ("Scatters", crate::index::scatter_views::ENTRIES),
        ("Counting", crate::reduce::counting::ENTRIES),
        ("Resampling", crate::layers::resample::ENTRIES),
        ("Resampling", crate::layers::sample::ENTRIES),
        ("Other constructions", crate::arrange::construct::ENTRIES),
        ("Pooling", crate::layers::adaptive_pool::ENTRIES),
        ("Convolution", crate::layers::conv_transpose::ENTRIES),
        ("More layers and losses", crate::loss::multilabel::ENTRIES),
        ("Dropout and rrelu", crate::layers::dropout::ENTRIES),
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
