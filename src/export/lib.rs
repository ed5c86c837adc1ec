//! A session as a program for PyTorch or JAX that gives the same values and gradients, or the line
//! and the reason why not. The session is run once, its text is changed where the languages differ,
//! and the changed program is run beside it: `torch` does that, and `jax` goes on from it. May use
//! everything below the shell; knows no command line.

pub use vjp_export_torch::{Format, Refusal, is_exported, session_run};

use session_run::Session;
use vjp_eval::Options;
use vjp_export_torch::{verify, writer};
use vjp_text::visible::visible;

/// The program. `text` is a session file or a plain program, `title` names it.
///
/// # Errors
/// A file that is not a session or fails, or what has no counterpart.
pub fn export(
    text: &str,
    title: &str,
    format: Format,
    options: Options,
) -> Result<String, Refusal> {
    let mut session = session_run::run(text, options)?;
    writer::reach(&mut session);
    let written = |session: &Session| match format {
        Format::Torch => {
            let program = writer::write(session, title, true);
            verify::check(session, &program).map(|()| program.text)
        }
        Format::Jax => vjp_export_jax::write(session, title),
    };
    let mut program = written(&session);
    // A gradient of a graph that an earlier backward has freed says no word of it here.
    if program.is_err() && !session.kept && verify::frees(&session) {
        session.kept = true;
        program = written(&session);
    }
    let program = program?;
    // In a string it means the same; in a comment it must not end the line, nor hide anything.
    Ok(visible(&program).into_owned())
}
