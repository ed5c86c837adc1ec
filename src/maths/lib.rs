//! Symbols, the table of derivatives, graphs and sweeps.
//! Knows nothing of programs, Python or the screen. Depends on `tensor` and `text`.
//!
//! Begin with [`autodiff`]: [`autodiff::algebra`] and [`autodiff::linear_map`] are what a derivative is
//! written in, [`autodiff::rule`] is what an operation states, [`autodiff::node`] is the graph, and
//! [`autodiff::reverse`] sweeps it ([`second_order`] recording what it does, `runs` taking long arrays a tile at a time). [`table`] holds the elementwise functions,
//! [`primitives`] the operations on arrays that sweeps are recorded in (the crate `ops` has all others).
//! The crate `jacobian` composes the same derivatives to J, sharing no code with the sweep.

pub mod autodiff;
pub mod composite;
pub mod inplace;
pub mod matrix;
pub mod observe;
pub mod primitives;
pub mod runs;
pub mod saved;
pub mod second_order;
pub mod symbol;
pub mod table;

// Its main types, named without their place.
pub use crate::autodiff::algebra::{Algebra, Form, Formula, Fun};
pub use crate::autodiff::linear_map::{Array, LinearMap};
pub use crate::autodiff::node::{Edge, Node, Origin};
pub use crate::autodiff::rule::{Elementwise, Operation, Point, Rule};
pub use crate::autodiff::torch_node::{Saves, TorchNode};
pub use crate::autodiff::variable::{Variable, apply};
pub use crate::primitives::fixed::Fixed;
pub use crate::symbol::{Expr, Symbols};
