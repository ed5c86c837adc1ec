//! What `jacobian(y, x)` and `hessian(y, x)` show when echoed: the matrix with its names.

use crate::eval::call::Site;
use crate::eval::event::MatrixEvent;
use crate::eval::machine::Machine;
use crate::eval::raise::Halt;
use crate::maths::jacobian::Jacobian;
use crate::maths::jacobian_walk::{Limits, numeric, symbolic};
use crate::maths::variable::Variable;
use crate::text::source::Span;
use std::rc::Rc;

/// Longer texts are called `output`.
const LONGEST_NAME: usize = 20;

/// Keeps the matrix of `j` = ∂y/∂x for the echo of `j`; of order 2, `y` is itself a gradient.
///
/// # Errors
/// The budget.
pub fn remember(
    machine: &mut Machine,
    site: &Site,
    y: &Variable,
    x: &Variable,
    j: &Variable,
    order: u8,
) -> Result<(), Halt> {
    let named = |span: Span, otherwise: &str| {
        let text = site.text(span).trim();
        if text.is_empty() || text.chars().count() > LONGEST_NAME {
            otherwise.to_owned()
        } else {
            text.to_owned()
        }
    };
    let (output, leaf) = (named(site.arg(0), "output"), named(site.arg(1), "input"));
    let (rows, columns) = (y.shape(), x.shape());
    let (matrix, formulas) = if super::dense::written_by_hand(y) {
        // What the sweeps gave: the rules do not know the program's own backward.
        let data = j.value().data().to_vec();
        (Jacobian::dense(y.numel(), x.numel(), data), None)
    } else if y.requires_grad() {
        let own = leaf.clone();
        let names = move |v: &Variable| {
            if v.same(x) {
                Some(own.clone())
            } else {
                v.name().map(|n| n.to_string())
            }
        };
        (numeric(y, x)?, symbolic(y, x, &names, Limits::default())?)
    } else {
        (Jacobian::zero(y.numel(), x.numel()), None)
    };
    let event = MatrixEvent {
        output,
        leaf,
        order,
        row_shape: rows,
        column_shape: columns,
        matrix,
        symbolic: formulas,
    };
    machine.library.matrix = Some((j.clone(), Rc::new(event)));
    Ok(())
}
