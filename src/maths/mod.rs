//! Tensors, symbols, the table of derivatives, graphs, sweeps and Jacobians.
//! Knows nothing of programs, Python or the screen. Depends on `text` only.

pub mod algebra;
pub mod allocator;
pub mod ancestors;
mod arrived;
pub mod budget;
pub mod complaint;
mod content;
pub mod corners;
mod dtype;
mod edge;
mod flow;
pub mod formula;
pub mod formula_names;
pub mod forward;
pub mod grad_mode;
pub mod gradcheck;
pub mod gradient;
pub mod ids;
pub mod inplace;
pub mod jacobian;
mod jacobian_algebra;
mod jacobian_band;
mod jacobian_factor;
mod jacobian_form;
mod jacobian_multiply;
mod jacobian_product;
mod jacobian_read;
mod jacobian_scale;
mod jacobian_structure;
mod jacobian_symbols;
mod jacobian_tiles;
pub mod jacobian_walk;
mod kept;
pub mod kernels;
pub mod latex;
pub mod linear;
pub mod matrix;
pub mod mixing;
pub mod node;
pub mod ops;
pub mod place;
mod promotion;
pub mod pull;
pub mod random;
mod random_draws;
pub mod random_state;
pub mod record;
pub mod recording;
mod release;
pub mod reverse;
mod room;
pub mod rule;
pub mod scalars;
pub mod scattered;
pub mod shape;
pub mod store;
pub mod sweeps;
pub mod symbol;
mod symbol_array;
pub mod symbol_share;
mod symbol_simplify;
pub mod table;
pub mod tensor;
mod tensor_array;
pub mod tensor_kernels;
pub mod torch_says;
pub mod variable;
mod waiting;
pub mod written;

#[cfg(test)]
mod autograd_tests;
#[cfg(test)]
mod jacobian_form_tests;
#[cfg(test)]
mod slope_tests;
