//! Functions whose argument or result is a derivative: `torch.autograd`, `torch.func`, and the Jacobian as a value.
//! Depends on `text`, `syntax`, `tensor`, `maths`, `jacobian`, `ops`, `eval`, `backward`, `binder`, `torch`.

pub mod autograd;
pub mod func;
pub mod jacobian;
