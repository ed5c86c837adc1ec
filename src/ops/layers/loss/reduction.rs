//! What a loss does with its terms: their mean, their sum, or all of them.

use vjp_maths::Variable;
use vjp_ops::Bound;
use vjp_ops::reduce::{mean, sum};
use vjp_tensor::{Kind, Outcome, complain};

/// What happens to the terms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reduction {
    None,
    Mean,
    Sum,
}

impl Reduction {
    /// # Errors
    /// Another word.
    pub fn read(b: &Bound, k: usize) -> Outcome<Reduction> {
        Ok(match b.str_or(k, "mean") {
            "mean" => Reduction::Mean,
            "sum" => Reduction::Sum,
            "none" => Reduction::None,
            other => complain!(Kind::Value, "{other} is not a valid value for reduction"),
        })
    }

    /// # Errors
    /// The budget.
    pub fn of(self, y: &Variable) -> Outcome<Variable> {
        match self {
            Reduction::None => Ok(y.clone()),
            Reduction::Mean => mean(y, None, false),
            Reduction::Sum => sum(y, None, false),
        }
    }
}
