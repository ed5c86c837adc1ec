//! What PyTorch has beside its operations: constructors, random numbers, indexes, contexts, hooks, and `nn`.
//! Depends on `text`, `tensor`, `maths`, `ops`, `eval`, `backward`, `python`, `binder`.

pub mod absent;
pub mod constructors;
pub mod contexts;
pub mod functions;
pub mod generator;
pub mod grad_fn;
pub mod index;
pub mod legacy_constructors;
pub mod nn;
pub mod optim_leaves;
pub mod random;
pub mod random_fill;
pub mod register_hook;
pub mod saved_hooks;
pub mod subclasses;
pub mod tensor_methods;
pub mod untyped_storage;
