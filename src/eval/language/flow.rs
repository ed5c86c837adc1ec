//! Where a statement leads.

use crate::Value;

/// How a statement ended.
pub(crate) enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}
