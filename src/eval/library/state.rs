//! What the library remembers between calls; part of every snapshot.

use super::python_random::Twister;
use crate::display::{numpy, torch};
use std::any::Any;
use std::rc::Rc;
use vjp_tensor::Dtype;
use vjp_tensor::random::Generator;
use vjp_tensor::random::numpy_stream::Stream;
use vjp_tensor::tensor::default_dtype;

/// State of the library: print options and the like.
#[derive(Clone)]
pub struct State {
    pub torch_print: torch::PrintOptions,
    pub numpy_print: numpy::PrintOptions,
    /// What `np.set_printoptions(formatter=…)` was given.
    pub numpy_formatter: Option<Rc<dyn Any>>,
    /// What `np.seterr` set to 'raise', by the bits of `numpy_errors`.
    pub numpy_raises: u8,
    /// `torch.get_default_dtype()` at this moment.
    pub default_dtype: Dtype,
    /// The program set it itself.
    pub chosen_dtype: bool,
    /// Where Python's `random` stands.
    pub twister: Twister,
    /// Where `np.random` stands; None: as seeded with 0.
    pub numpy_stream: Option<Stream>,
    /// What a program keeps on tensors: `t.label = 'mine'`.
    pub own_attributes: Option<Rc<dyn Any>>,
    /// What the program put into modules: `F.softargmax = F.softmax`.
    pub put_into_modules: Option<Rc<dyn Any>>,
    /// In a snapshot: whether operations were recorded.
    pub recording: Option<bool>,
    /// In a snapshot: the random numbers to come at that moment.
    pub random: Option<Rc<Generator>>,
    /// What `jacobian(y, x)` gave: it knows its structure, and is drawn with its names when echoed.
    pub known: Option<Rc<dyn Any>>,
}

impl State {
    /// Whether two moments are the same to a program.
    pub fn same(&self, other: &State) -> bool {
        let settings = |s: &State| (s.default_dtype, s.chosen_dtype, s.recording);
        settings(self) == settings(other)
            && self.torch_print == other.torch_print
            && self.numpy_print == other.numpy_print
            && self.numpy_raises == other.numpy_raises
            && self.twister == other.twister
            && self.numpy_stream == other.numpy_stream
            && self.random == other.random
            && is_one(&self.numpy_formatter, &other.numpy_formatter)
            && is_one(&self.put_into_modules, &other.put_into_modules)
            && is_one(&self.own_attributes, &other.own_attributes)
    }
}

/// Whether both have the same value, or none.
fn is_one(a: &Option<Rc<dyn Any>>, b: &Option<Rc<dyn Any>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

impl Default for State {
    fn default() -> State {
        State {
            torch_print: torch::PrintOptions::default(),
            numpy_print: numpy::PrintOptions::default(),
            numpy_formatter: None,
            numpy_raises: 0,
            default_dtype: default_dtype(),
            chosen_dtype: false,
            recording: None,
            random: None,
            twister: Twister::default(),
            numpy_stream: None,
            own_attributes: None,
            put_into_modules: None,
            known: None,
        }
    }
}
