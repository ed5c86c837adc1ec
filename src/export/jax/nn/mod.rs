//! Modules, optimisers and training loops in functional form.

pub(crate) mod layers;
pub(crate) mod modules;
pub(crate) mod optim;
pub(crate) mod schedulers;
pub(crate) mod state;
pub(crate) mod training;
