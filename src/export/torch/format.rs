//! What a session is exported as, how its program begins, and why there is none.

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Torch,
    Jax,
}

impl Format {
    /// The program's first line.
    pub fn heading(self, title: &str) -> String {
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

/// Whether a text is an exported program, by its first line.
pub fn is_exported(text: &str) -> bool {
    let first = text.lines().next().unwrap_or("");
    let ends = |f: Format| first.ends_with(f.ending());
    first.starts_with("# ") && [Format::Torch, Format::Jax].into_iter().any(ends)
}

/// Why a session cannot be exported: the line of the file, what stands there, what would work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct Refusal {
    pub line: usize,
    pub problem: String,
    pub hint: String,
}
