//! Operations on arrays: each with its forms, signature, formula and example. The evaluator binds arguments
//! from the signature; help, completion and tests read the rest. Each operation states its derivative by
//! `maths::autodiff::rule`, or is composed of others. Depends on `maths` and `tensor`; `linalg` and
//! `layers` go on from here, and `catalogue` has all.
//!
//! Begin with [`Entry`], one row; [`FAMILIES`] lists the files of rows.

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
            call: $call,
        }),*]
    };
}

pub mod arguments;
pub mod arrange;
mod carry_out;
pub mod compose;
pub mod elementwise;
pub mod entry;
pub mod index;
pub mod missing_kernels;
pub mod product;
pub mod recorded;
pub mod reduce;
pub mod refusals;

pub use crate::arguments::{Arg, Bound, Out};
pub use crate::entry::{Entry, Forms, USUAL};
pub use vjp_tensor::scalar::Scalar;

use std::collections::HashMap;

/// The files of rows.
pub const FAMILIES: &[&[Entry]] = &[
    elementwise::ENTRIES,
    elementwise::SPECIAL_ENTRIES,
    arrange::layout::ENTRIES,
    arrange::join::ENTRIES,
    arrange::flip_and_repeat::ENTRIES,
    product::matmul::ENTRIES,
    product::addmm::ENTRIES,
    reduce::ENTRIES,
    index::select::ENTRIES,
    reduce::extreme::ENTRIES,
    reduce::sort::ENTRIES,
    reduce::statistics::ENTRIES,
    reduce::cumulative::ENTRIES,
    reduce::predicates::ENTRIES,
    arrange::rotate_and_unfold::ENTRIES,
    arrange::views::ENTRIES,
    reduce::running::ENTRIES,
    reduce::quantile::ENTRIES,
    arrange::blocks::ENTRIES,
    product::einsum::ENTRIES,
    index::scatter::ENTRIES,
    product::composed::ENTRIES,
    index::scatter_views::ENTRIES,
    reduce::counting::ENTRIES,
    arrange::construct::ENTRIES,
];

/// The operation of this crate that has a name or an alias; where two forms share it, the first.
pub fn operation(name: &str) -> Option<&'static Entry> {
    thread_local! {
        static INDEX: HashMap<&'static str, &'static Entry> = index(FAMILIES.iter().copied().flatten());
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
