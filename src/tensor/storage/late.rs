//! Numbers that are computed when somebody asks for them: those of a long array that only the next step
//! may need, so that a chain of steps is one loop, in which nothing in between is stored.

use crate::{Dtype, Outcome, Tensor, budget};
use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// Shorter arrays stay in the processor's memory from step to step.
pub const LATE_FROM: usize = 1 << 15;

/// How numbers are computed.
pub trait Recipe: Any {
    /// All of them, and where `whole` what they are computed from by the way.
    fn make(&self, whole: bool) -> Outcome<Tensor>;
    /// How many numbers, and of which type.
    fn size(&self) -> (usize, Dtype);
}

/// What is computed once, and how.
pub struct Late {
    made: OnceCell<Tensor>,
    recipe: RefCell<Option<Rc<dyn Recipe>>>,
    /// A loop has passed it without storing it.
    passed: Cell<bool>,
}

impl std::fmt::Debug for Late {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_tuple("Late").field(&self.made).finish()
    }
}

impl Late {
    pub fn new(recipe: impl Recipe) -> Late {
        let recipe = RefCell::new(Some(Rc::new(recipe) as Rc<dyn Recipe>));
        Late { made: OnceCell::new(), recipe, passed: Cell::new(false) }
    }

    /// Whether it is still to be computed.
    pub fn is_open(&self) -> bool {
        self.made.get().is_none()
    }

    /// How it is computed, where it is not yet.
    pub fn recipe(&self) -> Option<Rc<dyn Recipe>> {
        self.recipe.borrow().clone()
    }

    /// A loop that somebody else asked for passes it without storing it.
    pub fn pass(&self) {
        self.passed.set(true);
    }

    /// Computed together with others.
    pub fn fill(&self, made: Tensor) {
        self.recipe.take();
        // Who asked first has the same numbers.
        drop(self.made.set(made));
    }

    /// The numbers. Who asks for what a loop has passed will ask for more: then nothing is passed again.
    pub fn made(&self) -> &Tensor {
        self.made.get_or_init(|| {
            let Some(recipe) = self.recipe.take() else { return Tensor::scalar(f64::NAN) };
            recipe.make(self.passed.get()).unwrap_or_else(|complaint| {
                // Whoever wishes to stop does not look at the numbers.
                budget::refuse(complaint);
                match recipe.size() {
                    (count, Dtype::Float32) => Tensor::from_single(&[count], vec![0.0; count]),
                    (count, _) => Tensor::new(&[count], vec![0.0; count]),
                }
            })
        })
    }
}

/// One number everywhere.
pub struct Same {
    pub value: f64,
    count: usize,
    dtype: Dtype,
}

impl Recipe for Same {
    fn make(&self, _: bool) -> Outcome<Tensor> {
        Tensor::filled(&[self.count], self.value, self.dtype)
    }
    fn size(&self) -> (usize, Dtype) {
        (self.count, self.dtype)
    }
}

/// `value` everywhere in an array of `count` elements, where that may be late.
pub fn same(shape: &[usize], count: usize, value: f64, dtype: Dtype) -> Option<Tensor> {
    let late = count >= LATE_FROM && dtype.is_tiled();
    late.then(|| Tensor::late(shape, dtype, Same { value, count, dtype }))
}
