//! What has no counterpart in JAX.

/// What stands there, and what would work.
#[derive(Clone, Debug)]
pub struct Problem {
    pub what: String,
    pub hint: String,
    /// It asks about PyTorch's graph or memory: its value can be written down.
    pub meta: bool,
    /// Where in the PyTorch program.
    pub at: Option<usize>,
}

impl Problem {
    pub fn new(what: impl Into<String>, hint: impl Into<String>) -> Problem {
        Problem { what: what.into(), hint: hint.into(), meta: false, at: None }
    }

    /// An operation that JAX lacks.
    pub fn lacks(name: &str) -> Problem {
        Problem::new(
            format!("JAX has no counterpart to {name}"),
            "write it with sums, products and elementary functions, or export --to torch",
        )
    }

    /// `x.grad_fn` and its like.
    pub fn meta(word: &str) -> Problem {
        let what = format!("JAX records no graph and shares no memory: it has no {word}");
        Problem { what, hint: "leave the line out".into(), meta: true, at: None }
    }

    /// Stands there, unless it is known to stand elsewhere.
    pub fn or_at(mut self, at: usize) -> Problem {
        self.at.get_or_insert(at);
        self
    }
}

pub type Done<T> = Result<T, Problem>;
