//! A session as a program for PyTorch or JAX that gives the same values and gradients, or the line
//! and the reason why not. The session is run once, its text is changed where the languages differ,
//! and the changed program is run beside it. May use everything below the shell; knows no command line.

mod edits;
mod jax;
mod names;
mod page;
pub mod session_run;
mod torch;
mod verify;

use vjp_eval::language::machine::Options;
use vjp_tensor::tensor::{Dtype, Tensor};
use vjp_text::visible::visible;

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Torch,
    Jax,
}

impl Format {
    /// The program's first line.
    fn heading(self, title: &str) -> String {
        format!("# {title} {}\n", self.ending())
    }

    fn ending(self) -> &'static str {
        match self {
            Format::Torch => "as a PyTorch program.",
            Format::Jax => "as a JAX program.",
        }
    }

    /// The words after `--to`.
    pub fn words() -> &'static [&'static str] {
        &["torch", "jax"]
    }

    /// By the word after `--to`.
    pub fn named(word: &str) -> Option<Format> {
        match word {
            "torch" => Some(Format::Torch),
            "jax" => Some(Format::Jax),
            _ => None,
        }
    }
}

/// Why a session cannot be exported: the line of the file, what stands there, what would work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct Refusal {
    pub line: usize,
    pub problem: String,
    pub hint: String,
}

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
    let mut session = crate::session_run::run(text, options)?;
    torch::reach(&mut session);
    let program = match format {
        Format::Torch => {
            let program = torch::write(&session, title, true);
            crate::verify::check(&session, &program)?;
            program.text
        }
        Format::Jax => crate::jax::write(&session, title)?,
    };
    // In a string it means the same; in a comment it must not end the line, nor hide anything.
    Ok(visible(&program).into_owned())
}

/// Whether a text is an exported program, by its first line.
pub fn is_exported(text: &str) -> bool {
    let first = text.lines().next().unwrap_or("");
    let ends = |f: Format| first.ends_with(f.ending());
    first.starts_with("# ") && [Format::Torch, Format::Jax].into_iter().any(ends)
}

/// Numbers as a program writes them.
fn literal(t: &Tensor) -> String {
    let number = |v: f64| match t.dtype() {
        Dtype::Bool => {
            if v == 0.0 {
                "False".into()
            } else {
                "True".into()
            }
        }
        d if !d.is_float() => format!("{v}"),
        _ if v.is_nan() => "float('nan')".into(),
        _ if v.is_infinite() => format!("{}float('inf')", if v < 0.0 { "-" } else { "" }),
        _ => format!("{v:?}"),
    };
    fn nested(shape: &[usize], data: &[f64], number: &dyn Fn(f64) -> String) -> String {
        let Some((n, rest)) = shape.split_first() else {
            return number(data[0]);
        };
        let size = data.len() / (*n).max(1);
        let parts: Vec<String> =
            (0..*n).map(|k| nested(rest, &data[k * size..(k + 1) * size], number)).collect();
        format!("[{}]", parts.join(", "))
    }
    nested(t.shape(), t.data(), &number)
}
