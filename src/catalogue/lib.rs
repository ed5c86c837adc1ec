//! The catalogue: every operation, of `ops`, `linalg` and `layers`. Help, completion, the binder and the tests
//! read it.
//!
//! Begin with [`families`], the files of rows.

#[cfg(test)]
mod autograd_tests;
#[cfg(test)]
mod jacobian_tests;
#[cfg(test)]
mod slope_tests;

use std::cell::RefCell;
use std::collections::HashMap;
use vjp_ops::Entry;

/// The families of operations, with their titles; those of one title are told together.
pub fn families() -> impl Iterator<Item = (&'static str, &'static [Entry])> {
    vjp_ops::families().chain([
        ("Softmax and normalisation", vjp_layers::softmax::ENTRIES),
        ("Softmax and normalisation", vjp_layers::layer_norm::ENTRIES),
        ("Softmax and normalisation", vjp_layers::batch_norm::ENTRIES),
        ("Softmax and normalisation", vjp_layers::local_response_norm::ENTRIES),
        ("Dropout and rrelu", vjp_layers::dropout::ENTRIES),
        ("Embedding, attention, bilinear", vjp_layers::embedding::ENTRIES),
        ("Embedding, attention, bilinear", vjp_layers::attention::ENTRIES),
        ("Embedding, attention, bilinear", vjp_layers::bilinear::ENTRIES),
        ("Padding", vjp_layers::pad::ENTRIES),
        ("Convolution", vjp_layers::conv::ENTRIES),
        ("Convolution", vjp_layers::conv::transpose::ENTRIES),
        ("Pooling", vjp_layers::pool::ENTRIES),
        ("Pooling", vjp_layers::adaptive_pool::ENTRIES),
        ("Resampling", vjp_layers::resample::ENTRIES),
        ("Resampling", vjp_layers::sample::ENTRIES),
        ("Losses", vjp_layers::loss::ENTRIES),
        ("Losses", vjp_layers::loss::cross_entropy::ENTRIES),
        ("Losses", vjp_layers::loss::margins::ENTRIES),
        ("Losses", vjp_layers::loss::multilabel::ENTRIES),
        ("Distances and differences", vjp_layers::loss::distance::ENTRIES),
        ("Linear algebra", vjp_linalg::ENTRIES),
        ("Matrix factors", vjp_linalg::factor::ENTRIES),
        ("Matrix factors", vjp_linalg::cholesky::ENTRIES),
        ("Matrix factors", vjp_linalg::svd::ENTRIES),
        ("Matrix factors", vjp_linalg::lu::ENTRIES),
        ("Solving", vjp_linalg::triangular::ENTRIES),
        ("Solving", vjp_linalg::with_info::ENTRIES),
        ("Norms", vjp_linalg::norms::ENTRIES),
        ("Pseudo-inverse, exponential", vjp_linalg::pinv::ENTRIES),
    ])
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
        static INDEX: HashMap<&'static str, &'static Entry> = vjp_ops::index(catalogue());
    }
    INDEX.with(|i| i.get(name).copied())
}
