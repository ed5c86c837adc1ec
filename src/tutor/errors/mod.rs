//! What an error says beside its message: labels under the code, a name that was meant, fixes.

pub(crate) mod classics;
pub(crate) mod labels;
pub(crate) mod mended_line;
pub(crate) mod refused_sweep;
pub(crate) mod school;
pub(crate) mod uncaught;
pub(crate) mod undefined_name;
