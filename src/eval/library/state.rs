//! What the library remembers between calls; part of every snapshot.

use super::Module;
use super::python_random::Twister;
use crate::display::{numpy, torch};
use crate::values::value::Value;
use std::any::Any;
use std::rc::Rc;
use vjp_tensor::random::Generator;
use vjp_tensor::random::numpy_stream::Stream;
use vjp_tensor::tensor::{Dtype, default_dtype};
use vjp_text::names::Symbol;

/// State of the library: print options and the like.
#[derive(Clone)]
pub struct State {
    pub torch_print: torch::PrintOptions,
    pub numpy_print: numpy::PrintOptions,
    /// What `np.set_printoptions(formatter=…)` was given.
    pub numpy_formatter: Option<Rc<dyn Any>>,
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
    pub put: Rc<Vec<(&'static str, Symbol, Value)>>,
    /// In a snapshot: whether operations were recorded.
    pub recording: Option<bool>,
    /// In a snapshot: the random numbers to come at that moment.
    pub random: Option<Rc<Generator>>,
    /// What `jacobian(y, x)` gave: it knows its structure, and is drawn with its names when echoed.
    pub known: Option<Rc<dyn Any>>,
}

impl State {
    /// What the program put into a module under a name.
    pub fn put_into(&self, module: &Module, name: Symbol) -> Option<Value> {
        let is = |(at, other, _): &&(&str, Symbol, Value)| *at == module.name && *other == name;
        self.put.iter().find(is).map(|(.., value)| value.clone())
    }

    /// Puts a value into a module.
    pub fn put(&mut self, module: &'static Module, name: Symbol, value: Value) {
        let mut all = self.put.to_vec();
        all.retain(|(at, other, _)| (*at, *other) != (module.name, name));
        all.push((module.name, name, value));
        self.put = Rc::new(all);
    }

    /// Whether two moments are the same to a program.
    pub fn same(&self, other: &State) -> bool {
        let settings = |s: &State| (s.default_dtype, s.chosen_dtype, s.recording);
        settings(self) == settings(other)
            && self.torch_print == other.torch_print
            && self.numpy_print == other.numpy_print
            && self.twister == other.twister
            && self.numpy_stream == other.numpy_stream
            && self.random == other.random
            && is_one(&self.numpy_formatter, &other.numpy_formatter)
            && (Rc::ptr_eq(&self.put, &other.put) || self.put.len() + other.put.len() == 0)
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
            default_dtype: default_dtype(),
            chosen_dtype: false,
            recording: None,
            random: None,
            twister: Twister::default(),
            numpy_stream: None,
            own_attributes: None,
            put: Rc::default(),
            known: None,
        }
    }
}
