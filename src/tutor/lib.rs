//! What a person is told and asks about what happened: why, explain, what if, check. Reads what the
//! evaluator recorded; nothing below knows of it but by the table [`HINTS`].
//! Depends on `text`, `syntax`, `tensor`, `maths`, `jacobian`, `eval`, `backward`, `torch`.
//!
//! Begin with [`machine`], which makes an evaluator that says what is said here, and [`why`].

pub mod check;
pub mod cost;
pub mod equations;
mod errors;
pub mod explain;
pub mod forgotten_steps;
pub mod graph;
pub mod hessian;
mod nan_birth;
pub mod network;
mod notes;
pub mod other_v;
mod path;
pub mod plots;
pub mod preview;
mod unreached;
pub mod what_if;
pub mod why;

pub use path::first_backward;
use vjp_eval::language::machine::Hints;
use vjp_eval::{Machine, Options};

/// What is said while a program runs.
const HINTS: Hints = Hints {
    uncaught: errors::uncaught::explain,
    failed: notes::explain_failure,
    no_gradient: why::why_no_gradient,
    operands: errors::labels::operands::operands,
    undefined: errors::undefined_name::unknown,
    unreadable: errors::mended_line::unreadable,
    refused: errors::refused_sweep::explain,
    swept: |machine, latest, nodes| {
        nan_birth::remember_not_finite(machine, latest);
        notes::note_constant(machine, nodes, &latest.leaves);
        notes::note_start(machine, latest);
    },
    rebound: notes::note_lost_leaf,
};

/// A machine that says all of it.
pub fn machine(options: Options) -> Machine {
    vjp_library::machine(options, &HINTS)
}
