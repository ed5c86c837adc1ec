//! J in symbols, worked out when somebody looks: numbers alone answer most questions.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;
use vjp_maths::complaint::Complaint;
use vjp_maths::jacobian::Jacobian;
use vjp_maths::symbol::Expr;

/// The Jacobians of one backward, a leaf each; None where there are no formulas.
pub type Found = Option<Vec<Jacobian<Expr>>>;

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
        let leaves = found.as_ref().map_or(0, Vec::len);
        Symbolic::later(leaves, || Ok(found))
    }

    /// The formulas, if there are any.
    pub fn get(&self) -> Option<&Jacobian<Expr>> {
        let all = self.all.as_ref()?;
        // A wish to stop stays, for the program.
        let found = all.found.get_or_init(|| all.search.take()?().unwrap_or_default());
        found.as_ref()?.get(self.leaf)
    }
}

impl From<Jacobian<Expr>> for Symbolic {
    fn from(found: Jacobian<Expr>) -> Symbolic {
        Symbolic::known(Some(vec![found])).swap_remove(0)
    }
}

impl std::fmt::Debug for Symbolic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Symbolic").field(&self.get()).finish()
    }
}
