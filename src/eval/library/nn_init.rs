//! Functions of `torch.nn` on parameters.

use super::Builtin;

pub static BUILTINS: &[Builtin] = &[];
