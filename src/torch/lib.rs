//! PyTorch and NumPy over the language: modules, classes, attributes and methods of tensors; one table each,
//! iterated by help and completion. The language knows of it by the one table [`LIBRARY`].
//! Depends on `text`, `syntax`, `tensor`, `maths`, `jacobian`, `ops`, `eval`, `python`, `backward`.
//!
//! Begin with [`machine`]; [`catalogue`] makes functions of the operations of `ops`, [`binder`] reads their
//! arguments.

pub mod autograd;
pub mod binder;
pub mod catalogue;
pub mod describe;
pub mod func;
pub mod introspect;
pub mod jacobian;
pub mod methods;
pub mod nn;
pub mod numpy;
mod pages;
pub mod prompt;
pub mod pyplot;
pub mod torch;

use jacobian::structured;
use vjp_eval::language::machine::Hints;
use vjp_eval::language::machine::{Machine, Options};
use vjp_eval::library::table::{Library, Matrices, give};

/// What the language is given.
static LIBRARY: Library = Library {
    python: &vjp_python::PYTHON,
    modules: || {
        [&pyplot::MATPLOTLIB, &pyplot::PYPLOT].into_iter().chain(torch::modules()).collect()
    },
    pages: pages::PAGES,
    short_name: prompt::short_names::get,
    short_names: prompt::short_names::all,
    removed: numpy::removed::says,
    type_of: torch::type_of,
    attribute: methods::attribute,
    set_attribute: methods::set_attribute,
    attributes: methods::names,
    method: methods::of_tensors,
    number_method: methods::of_number,
    item: torch::index::get,
    set_item: torch::index::set,
    check: binder::overloads::check,
    quick_call: binder::quick_calls::call,
    call: binder::out::call,
    of_leaves: prompt::sums_of_leaves::meant,
    takes_more: prompt::sums_of_leaves::takes_more,
    branch: func::vmap::branch,
    members: nn::members,
    matrix: Matrices {
        knows: |value| structured::of(value).is_some(),
        rows: |value| structured::of(value)?.length(),
        binary: structured::binary,
        unary: structured::unary,
        opened: structured::opened,
        drawn: structured::drawn,
    },
};

/// Gives it before there is a machine: help knows the names too.
pub fn begin() {
    give(&LIBRARY);
}

/// A machine with this library.
pub fn machine(options: Options, hints: &'static Hints) -> Machine {
    Machine::new(options, &LIBRARY, hints)
}
