//! `ctx`: what forward of a Function leaves for its backward.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use vjp_eval::language::call::Args;
use vjp_eval::language::exception::raise::Halt;
use vjp_eval::language::machine::Machine;
use vjp_eval::library::Builtin;
use vjp_eval::values::containers::{find, put};
use vjp_eval::values::value::{Object, Value};
use vjp_maths::autodiff::node::WeakNode;
use vjp_maths::autodiff::variable::{Variable, WeakVariable};
use vjp_tensor::tensor::Tensor;
use vjp_text::names::Symbol;

/// What `save_for_backward` keeps.
pub enum Saved {
    Value(Value),
    /// An output, which must not keep itself alive: with its node and its numbers.
    Output(WeakVariable, Option<WeakNode>, Tensor),
}

/// `ctx`.
pub struct Context {
    name: String,
    pub saved: RefCell<Vec<Saved>>,
    needs: Vec<bool>,
    /// What `mark_non_differentiable` and `mark_dirty` were given.
    pub constant: RefCell<Vec<Value>>,
    pub dirty: RefCell<Vec<Value>>,
    /// Whether outputs that nothing flows to get zeros.
    pub materialize: Cell<bool>,
    attributes: RefCell<Vec<(Symbol, Value)>>,
}

impl Context {
    pub fn new(name: &str, needs: Vec<bool>) -> Rc<Context> {
        Rc::new(Context {
            name: name.to_owned(),
            saved: RefCell::default(),
            needs,
            constant: RefCell::default(),
            dirty: RefCell::default(),
            materialize: Cell::new(true),
            attributes: RefCell::default(),
        })
    }

    /// Saved outputs become the recorded ones.
    pub fn outputs_made(&self, raw: &[Variable], made: &[Variable]) {
        for saved in self.saved.borrow_mut().iter_mut() {
            if let Saved::Value(Value::Tensor(t)) = saved
                && let Some(k) = raw.iter().position(|r| r.same(t))
            {
                let node = made[k].node().map(|n| n.downgrade());
                *saved = Saved::Output(made[k].downgrade(), node, t.value());
            }
        }
    }

    fn saved(&self) -> Value {
        let saved = self.saved.borrow();
        let values = saved.iter().map(|s| match s {
            Saved::Value(v) => v.clone(),
            Saved::Output(weak, node, value) => {
                let again = || {
                    let node = node.as_ref()?.upgrade()?;
                    Some(Variable::saved(node, value.clone()))
                };
                let kept = weak.upgrade().or_else(again);
                Value::Tensor(kept.unwrap_or_else(|| Variable::constant(value.clone())))
            }
        });
        Value::tuple(values.collect())
    }
}

fn marked(args: &Args, mark: impl FnOnce(&Context, Vec<Value>)) -> Result<Value, Halt> {
    if let Some((Value::Object(o), rest)) = args.positional.split_first()
        && let Some(ctx) = o.as_any().downcast_ref::<Context>()
    {
        mark(ctx, rest.to_vec());
    }
    Ok(Value::None)
}

static OF_CONTEXT: &[Builtin] = &[
    Builtin {
        name: "save_for_backward",
        module: "FunctionCtx",
        signature: "(self, *tensors)",
        help: "Saves tensors for backward.",
        jax: "",
        run: |_, args| {
            if let Some((Value::Object(o), rest)) = args.positional.split_first()
                && let Some(ctx) = o.as_any().downcast_ref::<Context>()
            {
                let kept = rest.iter().cloned().map(Saved::Value).collect();
                ctx.saved.replace(kept);
            }
            Ok(Value::None)
        },
    },
    Builtin {
        name: "mark_non_differentiable",
        module: "FunctionCtx",
        signature: "(self, *args)",
        help: "Marks outputs as having no gradient.",
        jax: "",
        run: |_, args| marked(&args, |ctx, rest| drop(ctx.constant.replace(rest))),
    },
    Builtin {
        name: "mark_dirty",
        module: "FunctionCtx",
        signature: "(self, *args)",
        help: "Marks inputs as modified in place.",
        jax: "",
        run: |_, args| marked(&args, |ctx, rest| drop(ctx.dirty.replace(rest))),
    },
    Builtin {
        name: "set_materialize_grads",
        module: "FunctionCtx",
        signature: "(self, value)",
        help: "Returns whether backward receives zeros, rather than None, for an unused output.",
        jax: "",
        run: |machine, args| {
            let on = match args.positional.get(1) {
                Some(value) => machine.truth(value)?,
                None => true,
            };
            marked(&args, |ctx, _| ctx.materialize.set(on))
        },
    },
];

impl Object for Context {
    fn type_name(&self) -> String {
        self.name.clone()
    }

    fn get(&self, this: &Value, name: Symbol, _: &mut Machine) -> Result<Option<Value>, Halt> {
        if let Some(method) = OF_CONTEXT.iter().find(|b| b.name == name.as_str()) {
            return Ok(Some(vjp_binder::results::bound(this, method)));
        }
        Ok(match name.as_str() {
            "saved_tensors" | "saved_variables" => Some(self.saved()),
            "needs_input_grad" => {
                let flags = self.needs.iter().map(|n| Value::Bool(*n));
                Some(Value::tuple(flags.collect()))
            }
            _ => find(&self.attributes, name),
        })
    }

    fn set(&self, name: Symbol, value: Value, _: &mut Machine) -> Result<bool, Halt> {
        put(&self.attributes, name, value);
        Ok(true)
    }

    fn repr(&self, _: &mut Machine) -> Result<String, Halt> {
        let address = std::ptr::from_ref(self) as usize;
        Ok(format!("<torch.autograd.function.{} object at 0x{address:x}>", self.name))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
