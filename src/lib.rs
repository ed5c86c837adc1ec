//! `vjp`: a prompt for exploring gradients.
//!
//! Reading order for a student, which is also the path of `y = 3*x^2; y.backward([1, 10])` from the
//! keyboard to the screen. Each layer is a crate in its folder, whose Cargo.toml names what it uses: a
//! layer may use those to its right, never one to its left:
//!
//! ```text
//! shell → (export (jax → torch) ∥ page) → session → (report ∥ tutor → library → (transforms ∥ numpy) → torch → binder
//!       → (catalogue → (layers ∥ linalg) ∥ python ∥ backward)) → eval
//!       → (syntax ∥ (ops ∥ jacobian) → maths → tensor) → text
//! ```
//!
//! - [`text`]: sources, spans, names, numbers as text
//! - [`syntax`]: text to tree (nom), after grammar/vjp.ebnf
//! - [`tensor`]: numbers in arrays: types, shapes, loops, decompositions, random streams; the budget
//! - [`maths`]: symbols, the table of derivatives, the graph, the sweeps
//! - [`jacobian`]: J from the same derivatives, and from differences
//! - [`ops`]: operations on arrays, by family; [`linalg`], [`layers`]: those of matrices, and of networks
//! - [`catalogue`]: all operations, by name
//! - [`eval`]: Python's language: runs programs and reports events
//! - [`python`]: what Python provides ready-made
//! - [`backward`]: `y.backward(v)`, the event that shows both routes
//! - [`binder`]: arguments by signature; the operations as functions and methods
//! - [`torch`]: what PyTorch has beside its operations, and `nn`
//! - [`transforms`]: `torch.autograd`, `torch.func`, Jacobians as values
//! - [`numpy`]: NumPy's arrays and functions
//! - [`library`]: these put together: modules, classes, methods, short names
//! - [`tutor`]: why, explain, what if, check: what a person asks about what happened
//! - [`report`]: events to screens, plain text or JSON
//! - [`session`]: session files: transcript, replay, check, bless, save
//! - [`export`]: a session as a program for PyTorch or JAX
//! - [`page`]: a session as a page for a browser; page/engine is the shell compiled for it
//! - [`shell`]: command line, prompt, commands; page/kernel/ is the shell for Jupyter, a program of its own

pub use vjp_backward as backward;
pub use vjp_binder as binder;
pub use vjp_catalogue as catalogue;
pub use vjp_eval as eval;
pub use vjp_export as export;
pub use vjp_jacobian as jacobian;
pub use vjp_layers as layers;
pub use vjp_library as library;
pub use vjp_linalg as linalg;
pub use vjp_maths as maths;
pub use vjp_numpy as numpy;
pub use vjp_ops as ops;
pub use vjp_page as page;
pub use vjp_python as python;
pub use vjp_report as report;
pub use vjp_session as session;
pub use vjp_shell as shell;
pub use vjp_syntax as syntax;
pub use vjp_tensor as tensor;
pub use vjp_text as text;
pub use vjp_torch as torch;
pub use vjp_transforms as transforms;
pub use vjp_tutor as tutor;
