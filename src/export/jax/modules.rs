//! Modules: those that are called where they are made are calls of functions.

use super::Writer;
use super::code::Code;
use super::expr::upto;
use super::problem::{Done, Problem};
use std::rc::Rc;
use vjp_eval::library::nn::as_module;
use vjp_eval::value::{Class, Value};
use vjp_syntax::ast::*;

impl<'a> Writer<'a> {
    /// The call of a module that has no name: `nn.ReLU()(x)`.
    pub(super) fn of_module(
        &mut self,
        e: &'a Expr,
        base: &'a Expr,
        trailers: &'a [Trailer],
    ) -> Done<Option<Code>> {
        for (k, trailer) in trailers.iter().enumerate() {
            let TrailerKind::Call(args) = &trailer.kind else { continue };
            let Some(module) = self.value(upto(e, base, trailers, k)).and_then(as_module) else {
                continue;
            };
            let args = self.layer_args(args)?;
            let code = self.layer(&module, &args)?;
            return self.stepped_on(code, e, base, trailers, k + 1).map(Some);
        }
        Ok(None)
    }

    /// Arguments of a module, by their places.
    fn layer_args(&mut self, args: &'a [Arg]) -> Done<Vec<Code>> {
        let one = |w: &mut Self, a: &'a Arg| match a.kind {
            ArgKind::Positional => w.expr(&a.value),
            _ => Err(Problem::new("a module with named arguments", "pass them by position")),
        };
        args.iter().map(|a| one(self, a)).collect()
    }

    /// A module or an optimiser that is kept: JAX has functions instead.
    pub(super) fn constructed(&mut self, c: &Rc<Class>) -> Done<Code> {
        let optimiser = c.module().as_str().is_some_and(|m| m.starts_with("torch.optim"));
        let home = if optimiser { "torch.optim" } else { "nn" };
        Err(Problem::new(
            format!("{home}.{} keeps a state; JAX has functions", c.name),
            "write it as a function of its parameters, or export --to torch",
        ))
    }

    pub(super) fn is_module_class(&self, name: &str) -> bool {
        match self.machine.lookup(name) {
            Some(Value::Class(c)) => c.order.borrow().iter().any(|b| matches!(b, Value::Class(b) if b.name.as_str() == "Module" && super::words::is_pytorch(b))),
            _ => false,
        }
    }
}
