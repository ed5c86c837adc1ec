//! Numbers in arrays: types, shapes, storage, loops, decompositions, random streams; and what a program
//! may use of the machine. Knows nothing of derivatives. Depends on `text` for places in a program.
//!
//! Begin with [`tensor`], the value; [`shape`] says how values of two shapes meet, [`kernels`] are the
//! loops, [`budget`] is asked before memory is taken.

pub mod budget;
pub use budget::clock;
pub mod complaint;
pub mod dtype;
pub mod element_map;
pub mod exact_integers;
pub mod ids;
pub mod kernels;
pub mod matrix;
pub mod mixed_dtypes;
pub mod random;
pub mod scalar;
pub mod shape;
pub mod source_place;
pub mod sparse;
pub mod storage;
pub mod tensor;
pub mod torch_messages;
pub mod warnings;

// Its main types, named without their place.
pub use crate::complaint::{Complaint, Fact, Kind, Outcome};
pub use crate::element_map::ElementMap;
pub use crate::scalar::Scalar;
pub use crate::source_place::Place;
pub use crate::storage::element::Element;
pub use crate::storage::layout::Layout;
pub use crate::tensor::{Dtype, Tensor};
