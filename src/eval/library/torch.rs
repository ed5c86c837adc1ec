//! The modules of PyTorch and NumPy.

use super::Module;

/// Every module that can be imported, besides `math`.
pub fn modules() -> Vec<&'static Module> {
    Vec::new()
}

/// The class of a tensor, an array or another value of the library: `torch.Tensor`.
pub fn type_of(_value: &crate::eval::value::Value) -> Option<&'static super::Type> {
    None
}
