//! `ctx`: what forward of a Function leaves for its backward.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::values::containers::{find, put};
use vjp_eval::{Args, Builtin, Machine, Object, Tried, Value, raise, tp_name};
use vjp_maths::autodiff::node::WeakNode;
use vjp_maths::autodiff::saved_tensor::SavedTensor;
use vjp_maths::{Node, Variable};
use vjp_tensor::{Complaint, Kind, Outcome, torch_messages};
use vjp_text::Symbol;

/// `ctx`.
pub struct Context {
    name: String,
    /// What `save_for_backward` was given last.
    to_save: RefCell<Option<Vec<Value>>>,
    saved: RefCell<Vec<Option<SavedTensor>>>,
    /// What `save_for_forward` was given, which `saved_tensors` is while jvp runs.
    saved_for_jvp: RefCell<Vec<Value>>,
    in_jvp: Cell<bool>,
    /// The Function's node, once it is recorded.
    node: RefCell<Option<WeakNode>>,
    needs: Vec<bool>,
    /// What `mark_non_differentiable` and `mark_dirty` were given.
    constant: RefCell<Vec<Value>>,
    dirty: RefCell<Vec<Value>>,
    /// Whether outputs that nothing flows to get zeros.
    pub materialize: Cell<bool>,
    attributes: RefCell<Vec<(Symbol, Value)>>,
}

impl Context {
    pub fn new(name: &str, needs: Vec<bool>) -> Rc<Context> {
        Rc::new(Context {
            name: name.to_owned(),
            to_save: RefCell::default(),
            saved: RefCell::default(),
            saved_for_jvp: RefCell::default(),
            in_jvp: Cell::new(false),
            node: RefCell::default(),
            needs,
            constant: RefCell::default(),
            dirty: RefCell::default(),
            materialize: Cell::new(true),
            attributes: RefCell::default(),
        })
    }

    /// The tensors to be saved, None for each None.
    pub fn to_save(&self) -> Outcome<Vec<Option<Variable>>> {
        let given = self.to_save.borrow();
        let given = given.iter().flatten().enumerate();
        given
            .map(|(k, v)| match v {
                Value::Tensor(t) => Ok(Some(t.clone())),
                Value::None => Ok(None),
                other => {
                    let kind = tp_name(other);
                    let text = format!("save_for_backward can only save variables, but argument {k} is of type {kind}");
                    let keeps = "an attribute keeps what is not a tensor: ctx.k = k";
                    Err(Complaint::new(Kind::Type, text).hint(keeps))
                }
            })
            .collect()
    }

    /// Saves what was given, now that the Function has its node.
    pub fn save(
        &self,
        tensors: &[Option<Variable>],
        outputs: &[Variable],
        node: Option<Node>,
    ) -> Outcome<()> {
        let save = |t: &Option<Variable>| t.as_ref().map(|t| SavedTensor::of(t, outputs));
        let saved = tensors.iter().map(|t| save(t).transpose());
        self.saved.replace(saved.collect::<Outcome<_>>()?);
        self.node.replace(node.map(|n| n.downgrade()));
        self.to_save.take();
        Ok(())
    }

    /// Runs jvp, which finds in `saved_tensors` what was saved for it.
    pub fn during_jvp<T>(&self, run: impl FnOnce() -> T) -> T {
        self.in_jvp.set(true);
        let result = run();
        self.in_jvp.set(false);
        result
    }

    /// The tensors that `mark_dirty` was given.
    pub fn dirty(&self) -> Outcome<Vec<Variable>> {
        let says = |k: usize, kind: String| {
            format!("mark_dirty can only accept variables, but argument {k} is of type {kind}")
        };
        tensors(&self.dirty.borrow(), says)
    }

    /// The tensors that `mark_non_differentiable` was given.
    pub fn constant(&self) -> Outcome<Vec<Variable>> {
        let says = |_, kind: String| {
            format!("mark_non_differentiable only accepts variable arguments, but got {kind}")
        };
        tensors(&self.constant.borrow(), says)
    }

    /// What backward finds; `strict`: freed, it is not given again.
    fn saved_tensors(&self, strict: bool) -> Outcome<Value> {
        if self.in_jvp.get() {
            return Ok(Value::tuple(self.saved_for_jvp.borrow().clone()));
        }
        let freed = self.node.borrow().as_ref().and_then(WeakNode::upgrade);
        if strict && freed.is_some_and(|n| n.freed()) {
            return Err(torch_messages::freed());
        }
        let saved = self.saved.borrow();
        let values = saved.iter().map(|s| match s {
            Some(s) => s.unpacked().map(Value::Tensor),
            None => Ok(Value::None),
        });
        Ok(Value::tuple(values.collect::<Outcome<Vec<Value>>>()?))
    }
}

fn tensors(given: &[Value], says: impl Fn(usize, String) -> String) -> Outcome<Vec<Variable>> {
    let given = given.iter().enumerate();
    given
        .map(|(k, v)| match v {
            Value::Tensor(t) => Ok(t.clone()),
            other => Err(Complaint::new(Kind::Runtime, says(k, tp_name(other)))),
        })
        .collect()
}

fn marked(args: &Args, mark: impl FnOnce(&Context, Vec<Value>)) -> Tried<Value> {
    if let Some((word, _)) = args.named.first() {
        let (name, word) = (args.name(), word.as_str());
        raise!(Kind::Type, "FunctionCtx.{name}() got an unexpected keyword argument '{word}'");
    }
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
        run: |_, args| marked(&args, |ctx, rest| drop(ctx.to_save.replace(Some(rest)))),
    },
    Builtin {
        name: "save_for_forward",
        module: "FunctionCtx",
        signature: "(self, *tensors)",
        help: "Saves tensors for jvp.",
        jax: "",
        run: |_, args| {
            let rest = args.positional.iter().skip(1);
            if rest.clone().any(|v| !matches!(v, Value::Tensor(_) | Value::None)) {
                raise!(
                    Kind::Assertion,
                    "save_for_forward expects all arguments to be tensors; you should save non-tensors as attributes on ctx."
                );
            }
            marked(&args, |ctx, rest| drop(ctx.saved_for_jvp.replace(rest)))
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
        run: |_, args| match args.positional.get(1) {
            Some(Value::Bool(on)) => marked(&args, |ctx, _| ctx.materialize.set(*on)),
            _ => raise!(
                Kind::Type,
                "set_materialize_grads received an invalid combination of arguments - got (), but expected (bool)"
            ),
        },
    },
];

impl Object for Context {
    fn type_name(&self) -> String {
        self.name.clone()
    }

    fn get(&self, this: &Value, name: Symbol, m: &mut Machine) -> Tried<Option<Value>> {
        if let Some(method) = OF_CONTEXT.iter().find(|b| b.name == name.as_str()) {
            return Ok(Some(vjp_binder::results::bound(this, method)));
        }
        Ok(match name.as_str() {
            "saved_tensors" | "saved_variables" => {
                let strict = m.strict();
                Some(lend(m, || self.saved_tensors(strict))?)
            }
            "to_save" => {
                let given = self.to_save.borrow();
                Some(given.as_ref().map_or(Value::None, |all| Value::tuple(all.clone())))
            }
            "needs_input_grad" => {
                let flags = self.needs.iter().map(|n| Value::Bool(*n));
                Some(Value::tuple(flags.collect()))
            }
            _ => find(&self.attributes, name),
        })
    }

    fn set(&self, name: Symbol, value: Value, _: &mut Machine) -> Tried<bool> {
        if name.as_str() == "saved_tensors" {
            raise!(
                Kind::Attribute,
                "attribute 'saved_tensors' of 'torch._C._FunctionBase' objects is not writable"
            );
        }
        put(&self.attributes, name, value);
        Ok(true)
    }

    fn delete(&self, name: Symbol) -> bool {
        let mut own = self.attributes.borrow_mut();
        let count = own.len();
        own.retain(|(n, _)| *n != name);
        own.len() < count
    }

    fn names(&self) -> Vec<&'static str> {
        let methods = OF_CONTEXT.iter().map(|b| b.name);
        let states = ["needs_input_grad", "saved_tensors", "saved_variables", "to_save"];
        let own = self.attributes.borrow();
        methods.chain(states).chain(own.iter().map(|(n, _)| n.as_str())).collect()
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        let address = std::ptr::from_ref(self) as usize;
        Ok(format!("<torch.autograd.function.{} object at 0x{address:x}>", self.name))
    }
}
