//! The heart: one statement of each derivative, the graph it is recorded in, and the sweeps.

pub mod algebra;
pub mod ancestors;
pub mod by_hand;
pub mod cotangent;
pub mod edge;
pub mod forward;
pub mod grad_mode;
pub mod linear_map;
pub mod node;
pub mod order;
pub(crate) mod pending;
pub mod record;
pub mod reverse;
pub mod rule;
pub mod running;
pub mod saved_tensor;
pub mod tensor_array;
pub mod torch_node;
pub mod variable;
