//! In a page the steps have buttons: they are drawn once, and the page goes through them.

use crate::Shell;
use std::io;
use vjp_eval::record::stepped::Stepped;

/// # Errors
/// Always: there is no terminal.
pub fn show(_shell: &mut Shell, _event: &Stepped, _begin: usize) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
