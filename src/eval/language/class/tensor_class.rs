//! The program's class of a tensor, where it has one that derives from `torch.Tensor`.

use crate::language::class::mro::order;
use crate::library::forms::Type;
use crate::values::containers::find;
use crate::{Class, Value};
use std::cell::Cell;
use std::rc::Rc;
use vjp_maths::Variable;
use vjp_maths::inplace::view;
use vjp_tensor::Outcome;
use vjp_text::Symbol;

thread_local! {
    /// How often `torch._C.DisableTorchFunctionSubclass` holds now.
    static PLAIN: Cell<usize> = const { Cell::new(0) };
}

/// While it lives classes of tensors say nothing of operations.
pub struct Plainly(());

impl Plainly {
    pub fn begin() -> Plainly {
        PLAIN.set(PLAIN.get() + 1);
        Plainly(())
    }
}

impl Drop for Plainly {
    fn drop(&mut self) {
        PLAIN.set(PLAIN.get() - 1);
    }
}

/// The program's class that a tensor is of.
#[inline]
pub fn class_of(value: &Value) -> Option<Rc<Class>> {
    match value {
        Value::Tensor(t) if Variable::have_classes() => t.class()?.downcast().ok(),
        _ => None,
    }
}

/// Whether a class says something of operations on this.
#[inline]
pub fn speaks(value: &Value) -> bool {
    matches!(value, Value::Tensor(_)) && Variable::have_classes() && speaker(value).is_some()
}

pub fn speaker(value: &Value) -> Option<Rc<Class>> {
    if PLAIN.get() > 0 {
        return None;
    }
    class_of(value).filter(|c| own(c, "__torch_function__").is_some() || !is_parameter(c))
}

pub fn is_parameter(class: &Rc<Class>) -> bool {
    base(class).is_some_and(|t| t.name == "Parameter")
}

/// The class of tensors that a class of the program derives from.
pub fn base(class: &Rc<Class>) -> Option<&'static Type> {
    // The library's own, of sparse tensors, are no tensors in themselves.
    if class.module().as_str() == Some("torch") {
        return None;
    }
    class.order.borrow().iter().find_map(|c| match c {
        Value::Type(t) if t.module == "torch" && t.name == "Tensor" || t.name == "Parameter" => {
            Some(*t)
        }
        _ => None,
    })
}

/// What the program's classes say, past what all tensors have.
pub fn own(class: &Rc<Class>, name: &str) -> Option<Value> {
    let name = Symbol::new(name);
    order(class).iter().find_map(|c| match c {
        Value::Class(c) => find(&c.attributes, name),
        _ => None,
    })
}

/// `tensor.as_subclass(class)`.
///
/// # Errors
/// None that PyTorch has not.
pub fn alias(t: &Variable, class: &Rc<Class>) -> Outcome<Variable> {
    let alias = plain(t)?;
    set(&alias, class);
    Ok(alias)
}

/// `tensor.as_subclass(torch.Tensor)`.
///
/// # Errors
/// None that PyTorch has not.
pub fn plain(t: &Variable) -> Outcome<Variable> {
    let layout = t.layout();
    view::in_shape(t, layout.shape, layout.strides, "alias", "AliasBackward0")
}

pub fn set(t: &Variable, class: &Rc<Class>) {
    t.set_class(Rc::clone(class) as Rc<dyn std::any::Any>);
}

/// `torch._C.DisableTorchFunctionSubclass` begins or ends.
pub fn silence(begins: bool) {
    PLAIN.set(match begins {
        true => PLAIN.get() + 1,
        false => PLAIN.get().saturating_sub(1),
    });
}
