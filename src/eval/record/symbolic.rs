//! J in symbols, worked out when somebody looks: numbers alone answer most questions.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;
use vjp_jacobian::Jacobian;
use vjp_jacobian::walk::{Limits, obstacle, symbolic_many};
use vjp_maths::{Expr, Variable};
use vjp_tensor::{Complaint, Outcome};

/// The Jacobians of one backward, a leaf each, or why there are no formulas.
pub type Found = Result<Vec<Jacobian<Expr>>, Missing>;

/// Why there is no formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// An operation on the way has none.
    Operation(&'static str),
    /// It is too long.
    Long,
    /// Nobody looked for one.
    Unasked,
}

/// What finds them.
type Search = Box<dyn FnOnce() -> Result<Found, Box<Complaint>>>;

struct Later {
    found: OnceCell<Found>,
    search: Cell<Option<Search>>,
}

/// The symbols of one leaf's J.
#[derive(Clone, Default)]
pub struct Symbolic {
    all: Option<Rc<Later>>,
    leaf: usize,
}

impl Symbolic {
    /// For each of so many leaves, found by `search` the first time one is looked at.
    pub fn later(
        leaves: usize,
        search: impl FnOnce() -> Result<Found, Box<Complaint>> + 'static,
    ) -> Vec<Symbolic> {
        let all =
            Rc::new(Later { found: OnceCell::new(), search: Cell::new(Some(Box::new(search))) });
        let one = |leaf| Symbolic { all: Some(Rc::clone(&all)), leaf };
        (0..leaves).map(one).collect()
    }

    /// What was found already, a leaf each.
    pub fn known(found: Found) -> Vec<Symbolic> {
        let leaves = found.as_ref().map_or(1, Vec::len);
        Symbolic::later(leaves, || Ok(found))
    }

    /// The formulas, if there are any.
    pub fn get(&self) -> Option<&Jacobian<Expr>> {
        self.found().ok()
    }

    /// The formulas, or why there are none.
    pub fn found(&self) -> Result<&Jacobian<Expr>, Missing> {
        let all = self.all.as_ref().ok_or(Missing::Unasked)?;
        // A wish to stop stays, for the program.
        let search = || all.search.take().and_then(|search| search().ok());
        let found = all.found.get_or_init(|| search().unwrap_or(Err(Missing::Unasked)));
        found.as_ref().map_err(|why| *why)?.get(self.leaf).ok_or(Missing::Unasked)
    }
}

impl From<Jacobian<Expr>> for Symbolic {
    fn from(found: Jacobian<Expr>) -> Symbolic {
        Symbolic::known(Ok(vec![found])).swap_remove(0)
    }
}

/// ∂y/∂leaf in symbols for each leaf.
pub fn search(
    y: &Variable,
    leaves: &[Variable],
    names: &dyn Fn(&Variable) -> Option<String>,
) -> Outcome<Found> {
    let found = symbolic_many(y, leaves, names, Limits::default())?;
    Ok(found.ok_or_else(|| obstacle(y).map_or(Missing::Long, Missing::Operation)))
}

impl std::fmt::Debug for Symbolic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Symbolic").field(&self.get()).finish()
    }
}
