//! What is known of modules, optimisers and learning rates while the program is written.

use crate::steps::Step;
use std::collections::HashMap;
use std::rc::Rc;
use vjp_eval::Instance;
use vjp_syntax::ast::Stmt;
use vjp_tensor::Tensor;

/// A module that has a name, and what its parameters are called.
pub(crate) struct Net {
    pub name: String,
    pub module: Rc<Instance>,
    /// `net_params`, `net_grads`.
    pub params: String,
    pub grads: String,
    /// Names of the parameters by their identities, in order.
    pub keys: Vec<(usize, String)>,
    /// Its buffers as they were.
    pub buffers: Vec<(usize, Tensor)>,
}

/// What is known of modules.
#[derive(Default)]
pub(crate) struct Modules<'a> {
    pub nets: Vec<Net>,
    /// Bodies of the program's classes.
    pub classes: HashMap<String, &'a [Stmt]>,
    /// `self` of the method that is being written, or what goes through modules, and the module.
    pub selves: Vec<(String, Rc<Instance>)>,
    /// The nets whose layers are being written, and what their parameters are called there.
    pub inside: Vec<(usize, String)>,
    /// Functions that are written, by module and method.
    pub functions: HashMap<(usize, String), String>,
    pub pending: Vec<Step<'a>>,
}

impl Net {
    pub fn key(&self, id: usize) -> Option<&str> {
        self.keys.iter().find(|(own, _)| *own == id).map(|(_, key)| key.as_str())
    }
}

/// An optimiser that has a name.
pub(crate) struct Optimiser {
    pub name: String,
    pub function: &'static str,
    /// `, lr=0.1, momentum=0.9`.
    pub options: String,
    pub state: String,
    /// The name of its learning rate, where that changes.
    pub rate: Option<String>,
    /// What it updates: parameters, their gradients.
    pub groups: Vec<Group>,
}

pub(crate) struct Group {
    pub params: String,
    pub grads: String,
    /// Of a dict, the keys that it updates where they are not all.
    pub keys: Option<Vec<String>>,
}

/// A scheduler that has a name.
pub(crate) struct Scheduler {
    pub name: String,
    pub rate: String,
    /// The lines of a step.
    pub lines: Vec<String>,
    pub epoch: Option<String>,
}

/// Optimisers' groups and schedulers by their names.
#[derive(Default)]
pub(crate) struct Rates {
    pub schedulers: Vec<Scheduler>,
    /// Names that loops give to the one group of an optimiser, and its rate.
    pub groups: Vec<(String, String)>,
}
