//! PyTorch and NumPy as the language is given them: their modules and classes, attributes and methods of tensors,
//! and the short names of the prompt; one table each, iterated by help and completion.
//! Depends on `text`, `syntax`, `tensor`, `maths`, `jacobian`, `ops`, `eval`, `python`, `backward`, and on
//! `binder`, `torch`, `transforms` and `numpy`, which it puts together.
//!
//! Begin with [`machine`] and [`modules`].

pub mod describe;
pub mod introspect;
pub mod methods;
pub mod modules;
mod own_attributes;
mod pages;
pub mod pyplot;
pub mod short_forms;

use vjp_eval::language::machine::Hints;
use vjp_eval::library::table::{Library, Matrices, give};
use vjp_eval::{Machine, Options};
use vjp_transforms::jacobian::structured;

/// What the language is given.
static LIBRARY: Library = Library {
    python: &vjp_python::PYTHON,
    modules: || {
        [&pyplot::MATPLOTLIB, &pyplot::PYPLOT, &pyplot::PYLAB]
            .into_iter()
            .chain(modules::all())
            .collect()
    },
    pages: pages::PAGES,
    short_name: short_forms::short_names::get,
    short_names: short_forms::short_names::all,
    removed: vjp_numpy::removed::says,
    type_of: modules::type_of,
    attribute: methods::attribute,
    set_attribute: methods::set_attribute,
    delete_attribute: methods::delete_attribute,
    attributes: methods::names,
    method: methods::of_tensors,
    number_method: methods::of_number,
    item: vjp_torch::index::get,
    set_item: vjp_torch::index::set,
    check: vjp_binder::overloads::check,
    quick_call: vjp_binder::quick_calls::call,
    call: vjp_binder::out::call,
    of_leaves: short_forms::sums_of_leaves::meant,
    takes_more: short_forms::sums_of_leaves::takes_more,
    branch: vjp_ops::batched::branch,
    members: vjp_torch::nn::members,
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
