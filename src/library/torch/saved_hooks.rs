//! `torch.autograd.graph`: functions of the program through which goes what nodes keep for backward.

use std::rc::Rc;
use vjp_eval::language::machine::call_back::{borrowed, lend};
use vjp_eval::{Args, At, Builtin, Machine, Object, Tried, Value, builtins, name_of, raise};
use vjp_maths::autodiff::node::Unpack;
use vjp_maths::saved::kept::{self, Kept};
use vjp_maths::saved::packing::{self, Pack};
use vjp_maths::{Node, Variable};
use vjp_tensor::{Complaint, Kind};
use vjp_text::Symbol;

builtins! {
    /// What the page `torch/graph` is made of.
    pub static BUILTINS in "torch.autograd.graph";
    "_push_saved_tensors_default_hooks" "(pack_hook, unpack_hook)" push, "Sets hooks for what is saved from here on.";
    "_pop_saved_tensors_default_hooks" "()" |_, _| { pop(); Ok(Value::None) }, "Takes the hooks back that were set last.";
    "_stacked_as" "(tensors, name)" stacked_as, "Stacks tensors, by a node of that name.";
    "_disable_saved_tensors_hooks" "(message=None)" disable, "Forbids hooks; returns why they were forbidden before.";
}

fn stacked_as(machine: &mut Machine, args: Args) -> Tried<Value> {
    let [tensors, name] = args.positional.as_slice() else { return Ok(Value::None) };
    let parts: Vec<Variable> = machine
        .collect(tensors)?
        .into_iter()
        .filter_map(|v| if let Value::Tensor(t) = v { Some(t) } else { None })
        .collect();
    let name = Symbol::new(name.as_str().unwrap_or("StackBackward0")).as_str();
    let stacked = vjp_ops::arrange::join::stack_as(&parts, 0, name).at(args.site.span)?;
    Ok(Value::Tensor(stacked))
}

/// A pair of hooks.
fn pair(args: &mut Args) -> Pack {
    let site = args.site.clone();
    let [pack, unpack] = [(0, "pack_hook"), (1, "unpack_hook")]
        .map(|(k, name)| Rc::new(args.take_at(k, name).unwrap_or(Value::None)));
    Rc::new(move |v: &Variable| {
        let packed =
            borrowed(|machine| machine.call_with(&pack, vec![Value::Tensor(v.clone())], &site))?;
        let (unpack, site) = (Rc::clone(&unpack), site.clone());
        let back: Unpack = Rc::new(move || {
            let back = borrowed(|machine| machine.call_with(&unpack, vec![packed.clone()], &site))?;
            match back {
                Value::Tensor(v) => Ok(v),
                other => Err(Complaint::new(
                    Kind::Type,
                    format!(
                        "Output of saved tensor unpack_hook expected to be a Tensor but got result of type {}",
                        name_of(&other)
                    ),
                )),
            }
        });
        Ok(back)
    })
}

fn push(machine: &mut Machine, mut args: Args) -> Tried<Value> {
    if let Some(why) = packing::disabled() {
        raise!("{why}");
    }
    if !args.positional.iter().all(|hook| machine.callable(hook)) {
        raise!(
            Kind::Type,
            "_push_saved_tensors_default_hooks(): incompatible function arguments. The following argument types are supported:"
        );
    }
    vjp_maths::observe::order::watch();
    let mut hooks = packing::hooks();
    hooks.push(pair(&mut args));
    packing::set(hooks);
    Ok(Value::None)
}

fn pop() {
    let mut hooks = packing::hooks();
    hooks.pop();
    packing::set(hooks);
}

fn disable(_: &mut Machine, args: Args) -> Tried<Value> {
    let why = match args.positional.first() {
        Some(Value::Str(text)) => Some(Rc::from(&**text)),
        _ => None,
    };
    if why.is_some() && packing::is_active() {
        raise!("{}", why.unwrap_or_default());
    }
    Ok(packing::disable(why).map_or(Value::None, |before| Value::from(&*before)))
}

/// `y.grad_fn._raw_saved_self`: what is kept before it is brought back.
struct SavedTensor {
    node: Node,
    name: &'static str,
}

/// What a node keeps under this name, to be given hooks of its own.
pub fn raw(node: &Node, name: &str) -> Option<Value> {
    let name = kept::names(node).into_iter().find(|own| *own == name)?;
    Some(Value::Object(Rc::new(SavedTensor { node: node.clone(), name })))
}

static REGISTER: Builtin = Builtin {
    name: "register_hooks",
    module: "SavedTensor",
    signature: "(self, pack_hook, unpack_hook)",
    help: "Sets the hooks of one saved tensor.",
    jax: "",
    run: |machine, mut args| {
        let span = args.site.span;
        let this = args.positional.remove(0);
        if let Value::Object(o) = &this
            && let Some(saved) = o.as_any().downcast_ref::<SavedTensor>()
        {
            let pack = pair(&mut args);
            lend(machine, || saved.register(&pack)).at(span)?;
        }
        Ok(Value::None)
    },
};

impl SavedTensor {
    fn register(&self, pack: &Pack) -> Result<(), Box<Complaint>> {
        let refuse = |text: &str| Err(Complaint::new(Kind::Runtime, text));
        if self.node.freed() {
            return refuse(
                "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved variables after calling backward.",
            );
        }
        if self.node.packed().iter().any(|(own, ..)| *own == self.name) {
            return refuse(
                "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one pair of hooks is allowed at a time.",
            );
        }
        match kept::kept(&self.node, self.name)? {
            Some(Kept::Variable(v)) => {
                vjp_maths::observe::order::watch();
                self.node.pack(
                    self.name,
                    kept::place(&self.node, self.name),
                    kept::packed(pack, &v)?,
                );
                Ok(())
            }
            _ => refuse("Calling register_hooks on a saved tensor with value None is forbidden"),
        }
    }
}

impl Object for SavedTensor {
    fn type_name(&self) -> String {
        "SavedTensor".to_owned()
    }

    fn get(&self, this: &Value, name: Symbol, _: &mut Machine) -> Tried<Option<Value>> {
        let known = name.as_str() == "register_hooks";
        Ok(known.then(|| vjp_binder::results::bound(this, &REGISTER)))
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        Ok("<torch._C._autograd.SavedTensor object>".to_owned())
    }
}
