//! Where a statement leads.

use crate::values::value::Value;

/// How a statement ended.
pub(crate) enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}
