//! What has no counterpart in JAX.

use crate::steps::Step;

/// What stands there, and what would work.
#[derive(Clone, Debug)]
pub struct Problem {
    pub what: String,
    pub hint: String,
    /// It asks about PyTorch's graph or memory: its value can be written down.
    pub meta: bool,
    /// What leads to a value does not stand where it is differentiated.
    pub outside: bool,
    /// Where in the PyTorch program.
    pub at: Option<usize>,
}

impl Problem {
    pub fn new(what: impl Into<String>, hint: impl Into<String>) -> Problem {
        Problem { what: what.into(), hint: hint.into(), meta: false, outside: false, at: None }
    }

    /// An operation that JAX lacks.
    pub fn lacks(name: &str) -> Problem {
        Problem::new(
            format!("the JAX export has no form for {name}"),
            "write it with sums, products and elementary functions, or export --to torch",
        )
    }

    /// `x.grad_fn` and its like.
    pub fn meta(word: &str) -> Problem {
        let what = format!("JAX records no graph and shares no memory: it has no {word}");
        Problem { what, hint: "leave the line out".into(), meta: true, outside: false, at: None }
    }

    /// Of a function of the program: its arguments come from outside.
    pub fn inside(self, def: bool, what: &str) -> Problem {
        match def && self.outside {
            false => self,
            true => Problem::new(
                format!("{what} inside a function, and the leaves come from outside it"),
                "move it out of the function, or export --to torch",
            ),
        }
    }

    /// Stands there, unless it is known to stand elsewhere.
    pub fn or_at(mut self, at: usize) -> Problem {
        self.at.get_or_insert(at);
        self
    }
}

pub type Done<T> = Result<T, Problem>;

/// What a statement becomes.
pub(crate) type Steps<'a> = Done<Vec<Step<'a>>>;

/// None where it is of another kind.
pub(crate) type Perhaps<'a> = Done<Option<Vec<Step<'a>>>>;
