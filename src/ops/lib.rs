//! Operations on arrays: each with its forms, signature, formula and example. The evaluator binds arguments
//! from the signature; help, completion and tests read the rest. Each operation states its derivative by
//! `maths::autodiff::rule`, or is composed of others. Depends on `maths` and `tensor`; `linalg` and
//! `layers` go on from here, and `catalogue` has all.
//!
//! Begin with [`Entry`], one row; [`families`] lists the files of rows.

/// Rows of the catalogue: `name as alias forms, signature, formula, example & sample, see also jax words => call`.
#[macro_export]
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
            call: $crate::entry::Call::Own($call),
        }),*]
    };
}

pub mod arguments;
pub mod arrange;
pub mod autocast;
pub mod batched;
pub mod compose;
pub mod elementwise;
pub mod entry;
mod given_dims;
pub mod index;
mod long_integers;
pub mod missing_kernels;
pub mod product;
pub mod reduce;
pub mod refusals;

pub use crate::arguments::{Arg, Bound, Out};
pub use crate::entry::{Entry, Forms, USUAL};
pub use vjp_tensor::scalar::Scalar;

use std::collections::HashMap;

/// The families of operations, with their titles; those of one title are told together.
pub fn families() -> impl Iterator<Item = (&'static str, &'static [Entry])> {
    let elementwise: &[Entry] = &elementwise::ENTRIES;
    [
        ("Elementwise", elementwise),
        ("Arithmetic, bounds and activations", elementwise::SPECIAL_ENTRIES),
        ("Shape", arrange::layout::ENTRIES),
        ("Joining, splitting, indexing", arrange::join::ENTRIES),
        ("Rearranging", arrange::flip_and_repeat::ENTRIES),
        ("Matrix products", product::matmul::ENTRIES),
        ("Matrix products", product::addmm::ENTRIES),
        ("Sums, means, products", reduce::ENTRIES),
        ("Selection and placement", index::select::ENTRIES),
        ("Extremes", reduce::extreme::ENTRIES),
        ("Order", reduce::sort::ENTRIES),
        ("Variance and norms", reduce::statistics::ENTRIES),
        ("Cumulative functions", reduce::cumulative::ENTRIES),
        ("Comparisons and tests", reduce::predicates::ENTRIES),
        ("Rearranging", arrange::rotate_and_unfold::ENTRIES),
        ("Rearranging", arrange::views::ENTRIES),
        ("Cumulative functions", reduce::running::ENTRIES),
        ("Quantiles", reduce::quantile::ENTRIES),
        ("Joining, splitting, indexing", arrange::blocks::ENTRIES),
        ("Matrix products", product::einsum::ENTRIES),
        ("Scatters", index::scatter::ENTRIES),
        ("Matrix products", product::composed::ENTRIES),
        ("Scatters", index::scatter_views::ENTRIES),
        ("Counting", reduce::counting::ENTRIES),
        ("Other constructions", arrange::construct::ENTRIES),
    ]
    .into_iter()
}

/// The operation of this crate that has a name or an alias; where two forms share it, the first.
pub fn operation(name: &str) -> Option<&'static Entry> {
    thread_local! {
        static INDEX: HashMap<&'static str, &'static Entry> = index(families().flat_map(|(_, entries)| entries));
    }
    INDEX.with(|i| i.get(name).copied())
}

/// Entries by their names and aliases.
pub fn index(all: impl Iterator<Item = &'static Entry>) -> HashMap<&'static str, &'static Entry> {
    let mut index = HashMap::new();
    for e in all {
        for n in std::iter::once(e.name).chain(e.aliases.iter().copied()) {
            index.entry(n).or_insert(e);
        }
    }
    index
}
