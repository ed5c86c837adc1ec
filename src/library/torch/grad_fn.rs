//! The graph as programs see it: `y.grad_fn`, its `name()` and `next_functions`; also `x.device`.

use crate::{register_hook, saved_hooks};
use std::cell::RefCell;
use std::rc::Rc;
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::library::{builtins, prelude};
use vjp_eval::{Args, At, Builtin, Dict, Machine, Object, Tried, Value, raise};
use vjp_maths::autodiff::node::WeakNode;
use vjp_maths::autodiff::reverse::{SweepOptions, sweep};
use vjp_maths::autodiff::torch_node::{Behind, UNDERIVED};
use vjp_maths::autodiff::{by_hand, running};
use vjp_maths::composite::{Group, before, origin};
use vjp_maths::saved::attribute::Attribute;
use vjp_maths::saved::kept::{Kept, kept, names};
use vjp_maths::{Edge, Node, Origin, Variable};
use vjp_tensor::{Complaint, Kind};
use vjp_text::Symbol;

builtins! {
    /// What pages of the library are made of.
    pub static BUILTINS in "torch.autograd.graph";
    "increment_version" "(tensor)" increment_version, "Counts a write of a tensor that nothing else counted.";
    "_coming" "(tensors, /)" coming, "The number of the backward that runs, and which of the tensors it comes to.";
    "_is_asked" "()" |_, _| Ok(Value::Bool(running::is_asked())), "Whether the backward that runs is asked for the gradients of named tensors.";
    "_one_node" "(grad_fn, inputs, function, /)" one_node, "Calls the function of the tensors; the graph shows one node of this name.";
}

/// Whether a value is `y.grad_fn` or what stands before it.
pub fn is_node(value: &Value) -> bool {
    matches!(value, Value::Object(o) if o.as_any().is::<Function>())
}

/// The tensor that a `GradientEdge` belongs to.
pub fn at_edge(machine: &mut Machine, value: &Value) -> Tried<Option<Variable>> {
    if !matches!(value, Value::Instance(i) if i.class().name.as_str() == "GradientEdge") {
        return Ok(None);
    }
    Ok(match machine.find_attr(value, Symbol::new("_tensor"))? {
        Some(Value::Tensor(t)) => Some(t),
        _ => None,
    })
}

fn tensors(machine: &mut Machine, args: &Args) -> Tried<Vec<Variable>> {
    let one = |v: Value| match v {
        Value::Tensor(t) => Some(t),
        _ => None,
    };
    match args.positional.first() {
        Some(Value::Tensor(t)) => Ok(vec![t.clone()]),
        Some(several) => Ok(machine.collect(several)?.into_iter().filter_map(one).collect()),
        None => Ok(Vec::new()),
    }
}

fn increment_version(machine: &mut Machine, args: Args) -> Tried<Value> {
    tensors(machine, &args)?.iter().for_each(Variable::note_write);
    Ok(Value::None)
}

fn coming(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (number, reached) = running::coming(&tensors(machine, &args)?);
    let reached = reached.into_iter().map(Value::Bool).collect();
    Ok(Value::tuple(vec![Value::Int(i64::from(number)), Value::tuple(reached)]))
}

fn one_node(machine: &mut Machine, args: Args) -> Tried<Value> {
    args.count(3, 3)?;
    let [name, inputs, function] = args.positional.as_slice() else { return Ok(Value::None) };
    let name = Symbol::new(name.as_str().unwrap_or_default()).as_str();
    let inputs: Vec<Option<Variable>> = machine
        .collect(inputs)?
        .into_iter()
        .map(|v| match v {
            Value::Tensor(t) => Some(t),
            _ => None,
        })
        .collect();
    let group = Group::new("sparse", name, 0, &inputs).at(args.site.span)?;
    let inputs = group.inputs.iter().flatten().map(|x| Value::Tensor(x.clone())).collect();
    match machine.call_with(function, inputs, &args.site)? {
        Value::Tensor(y) => Ok(Value::Tensor(group.output(&y).at(args.site.span)?)),
        other => Ok(other),
    }
}

/// A node, or the place where a leaf's gradient is added up.
enum Function {
    Node(Node),
    Accumulate(Variable),
}

/// `y.grad_fn`: None of leaves, and of tensors that only numbers led to.
pub fn grad_fn(t: &Variable) -> Value {
    match t.node() {
        Some(node) if node.shows() || t.is_number() => Value::Object(Rc::new(Function::Node(node))),
        _ => Value::None,
    }
}

impl Function {
    /// What an edge comes from, and which of its outputs.
    fn of(edge: Option<&Edge>) -> Value {
        let (function, place) = match edge.map(|e| &e.origin) {
            Some(Origin::Node(n)) if n.shows() => {
                (Some(Function::Node(n.clone())), n.operation().place())
            }
            Some(Origin::Leaf(v)) if v.shows() || !v.requires_grad() => {
                (Some(Function::Accumulate(v.clone())), 0)
            }
            _ => (None, 0),
        };
        let function = function.map_or(Value::None, |f| Value::Object(Rc::new(f)));
        Value::tuple(vec![function, Value::Int(place as i64)])
    }
}

impl Function {
    /// `node(v)`: the gradients of its inputs, or what a leaf adds to its own.
    fn passes(&self, args: &Args, machine: &mut Machine) -> Tried<Value> {
        let v = match args.positional.as_slice() {
            [Value::Tensor(v)] => v,
            [_] => raise!(Kind::Type, "argument 0 is not a Variable"),
            given => raise!(Kind::Type, "expected 1 arguments, got {} instead", given.len()),
        };
        let span = args.site.span;
        let n = match self {
            Function::Node(n) => n,
            Function::Accumulate(leaf) => {
                let options = SweepOptions { accumulate: true, ..SweepOptions::default() };
                lend(machine, || sweep(&[(leaf.clone(), v.clone())], options)).at(span)?;
                return Ok(Value::tuple(Vec::new()));
            }
        };
        let mut all = lend(machine, || by_hand::passed(n, v)).at(span)?;
        let shown = |g: Option<Variable>| g.map_or(Value::None, Value::Tensor);
        Ok(match all.len() {
            1 => shown(all.pop().flatten()),
            _ => Value::tuple(all.into_iter().map(shown).collect()),
        })
    }
}

/// `ctx`, whose attributes the node of a Function has: to PyTorch they are one object.
fn context(node: &Node) -> Option<Value> {
    let own = match node.operation().behind() {
        Behind::Before => node.inputs().first()?.node()?,
        _ => node,
    };
    own.operation().context()?.downcast_ref::<Value>().cloned()
}

/// `y.grad_fn.metadata`: a dict for the program's use, as long as the node lives.
fn metadata(node: &Node) -> Value {
    thread_local! {
        static OF_NODES: RefCell<Vec<(WeakNode, Value)>> = RefCell::default();
    }
    OF_NODES.with_borrow_mut(|all| {
        all.retain(|(n, _)| n.upgrade().is_some());
        let own =
            |(n, _): &&(WeakNode, Value)| n.upgrade().is_some_and(|n| origin(&n) == origin(node));
        if let Some((_, dict)) = all.iter().find(own) {
            return dict.clone();
        }
        let dict = Value::dict(Dict::default());
        all.push((node.downgrade(), dict.clone()));
        dict
    })
}

/// `y.grad_fn._saved_self`: what backward keeps of the inputs, `_saved_result`: of the output.
fn saved(kept: Kept) -> Value {
    match kept {
        Kept::Variable(v) => Value::Tensor(v),
        Kept::Attribute(Attribute::Tensor(t)) => Value::Tensor(Variable::constant(t)),
        Kept::Attribute(Attribute::Tensors(all)) => {
            Value::tuple(all.into_iter().map(|t| Value::Tensor(Variable::constant(t))).collect())
        }
        Kept::Attribute(Attribute::Sizes(all)) => {
            Value::tuple(all.into_iter().map(unsigned).collect())
        }
        Kept::Attribute(Attribute::Whole(n)) => unsigned(n),
        Kept::Attribute(Attribute::Flag(flag)) => Value::Bool(flag),
        Kept::Attribute(Attribute::Int(n)) => Value::Int(n),
        Kept::Attribute(Attribute::Float(v)) => Value::Float(v),
        Kept::Attribute(Attribute::Nothing) => Value::None,
    }
}

fn unsigned(n: i64) -> Value {
    Value::from(i128::from(n as u64))
}

static NAME: Builtin = Builtin {
    name: "name",
    module: "Node",
    signature: "(self)",
    help: "Returns the name of the backward operation.",
    jax: "",
    run: |_, args| {
        Ok(match args.positional.first() {
            Some(Value::Object(o)) => match o.as_any().downcast_ref::<Function>() {
                Some(Function::Node(n)) => match n.grad_fn() {
                    // What PyTorch writes by hand, not made of a table, bears its whole name.
                    own @ ("CopySlices" | "CopyBackwards" | UNDERIVED) => {
                        Value::str(format!("torch::autograd::{own}"))
                    }
                    made => Value::str(made),
                },
                _ => Value::str("torch::autograd::AccumulateGrad"),
            },
            _ => Value::None,
        })
    },
};

/// `y.grad_fn.apply(v)` of a Function of the program.
static APPLY: Builtin = Builtin {
    name: "apply",
    module: "Node",
    signature: "(self, *args)",
    help: "Calls the backward of the Function.",
    jax: "",
    run: |machine, mut args| {
        let this = args.positional.remove(0);
        match &this {
            Value::Object(o) if let Some(node) = o.as_any().downcast_ref::<Function>() => {
                node.passes(&args, machine)
            }
            _ => Ok(Value::None),
        }
    },
};

static HOOK: Builtin = Builtin {
    name: "register_hook",
    module: "Node",
    signature: "(self, fn)",
    help: "Registers a function to call with the gradients of inputs and outputs.",
    jax: "",
    run: |machine, args| register(machine, args, "_node_hook"),
};

static PREHOOK: Builtin = Builtin {
    name: "register_prehook",
    module: "Node",
    signature: "(self, fn)",
    help: "Registers a function to call with the gradients of outputs.",
    jax: "",
    run: |machine, args| register(machine, args, "_node_prehook"),
};

/// A node sees the gradient of its output as that tensor's own hooks do.
fn register(machine: &mut Machine, args: Args, made_by: &str) -> Tried<Value> {
    args.count(2, 2)?;
    let maker = prelude::get("torch.autograd.graph", Symbol::new(made_by)).unwrap_or(Value::None);
    let Some(Value::Object(this)) = args.positional.first() else { return Ok(Value::None) };
    let Some(Function::Node(n)) = this.as_any().downcast_ref() else { return Ok(Value::None) };
    let y = Variable::saved(n.clone(), n.value().clone());
    let site = args.site.clone();
    let hook = machine.call_with(&maker, args.positional, &site)?;
    register_hook::register(&y, hook, &site).at(site.span)
}

impl Object for Function {
    fn type_name(&self) -> String {
        match self {
            Function::Node(n) => n.grad_fn().to_owned(),
            Function::Accumulate(_) => "AccumulateGrad".to_owned(),
        }
    }

    fn get(&self, this: &Value, name: Symbol, machine: &mut Machine) -> Tried<Option<Value>> {
        if let (Function::Node(n), Some(name)) = (self, name.as_str().strip_prefix("_saved_")) {
            return Ok(lend(machine, || kept(n, name))?.map(saved));
        }
        if let (Function::Node(n), Some(name)) = (self, name.as_str().strip_prefix("_raw_saved_")) {
            return Ok(saved_hooks::raw(n, name));
        }
        Ok(match (name.as_str(), self) {
            ("name", _) => Some(vjp_binder::results::bound(this, &NAME)),
            ("apply", Function::Node(n)) if n.grad_fn().ends_with("Backward") => {
                Some(vjp_binder::results::bound(this, &APPLY))
            }
            ("next_functions", Function::Node(n)) => {
                let edges = before(n);
                Some(Value::tuple(edges.iter().map(|e| Function::of(e.as_ref())).collect()))
            }
            ("next_functions", Function::Accumulate(_)) => Some(Value::tuple(Vec::new())),
            ("metadata", Function::Node(n)) => Some(metadata(n)),
            ("requires_grad", _) => Some(Value::Bool(true)),
            ("variable", Function::Accumulate(v)) => Some(Value::Tensor(v.clone())),
            ("register_hook", Function::Node(_)) => Some(vjp_binder::results::bound(this, &HOOK)),
            ("register_prehook", Function::Node(_)) => {
                Some(vjp_binder::results::bound(this, &PREHOOK))
            }
            ("register_hook" | "register_prehook", _) => {
                let way = "x.register_hook(f), of the leaf, sees its gradient";
                let absent = Complaint::absent(format!("{name} where a leaf's gradient adds up"));
                return Err(absent.hint(way).into());
            }
            (_, Function::Node(n)) => match context(n) {
                Some(Value::Object(ctx)) => ctx.get(this, name, machine)?,
                _ => None,
            },
            _ => None,
        })
    }

    fn set(&self, name: Symbol, value: Value, machine: &mut Machine) -> Tried<bool> {
        match self {
            Function::Node(n) if let Some(Value::Object(ctx)) = context(n) => {
                ctx.set(name, value, machine)
            }
            _ => Ok(false),
        }
    }

    fn delete(&self, name: Symbol) -> bool {
        match self {
            Function::Node(n) => {
                matches!(context(n), Some(Value::Object(ctx)) if ctx.delete(name))
            }
            Function::Accumulate(_) => false,
        }
    }

    fn names(&self) -> Vec<&'static str> {
        let mut all = vec!["metadata", "name", "next_functions", "requires_grad"];
        match self {
            Function::Node(n) => {
                for kept in names(n) {
                    all.extend(
                        ["_raw_saved_", "_saved_"]
                            .map(|b| Symbol::new(&format!("{b}{kept}")).as_str()),
                    );
                }
                if let Some(Value::Object(ctx)) = context(n) {
                    all.extend(ctx.names());
                }
            }
            Function::Accumulate(_) => all.push("variable"),
        }
        all
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        let whole = match self {
            // Of a Function of the program: PyTorch numbers its own.
            Function::Node(n) if n.grad_fn().ends_with("Backward") => "torch.autograd.function.",
            _ => "",
        };
        let at = self.identity().unwrap_or_default();
        Ok(format!("<{whole}{} object at {at:#014x}>", self.type_name()))
    }

    fn call(&self, _: &Value, args: Args, machine: &mut Machine) -> Option<Tried<Value>> {
        self.callable().then(|| self.passes(&args, machine))
    }

    fn callable(&self) -> bool {
        match self {
            Function::Node(n) => by_hand::is_callable(n),
            Function::Accumulate(_) => true,
        }
    }

    /// Outputs of one operation have one node.
    fn identity(&self) -> Option<usize> {
        Some(match self {
            Function::Node(n) => vjp_tensor::ids::ADDRESSES + 64 * origin(n) as usize,
            Function::Accumulate(v) => vjp_tensor::ids::ADDRESSES + 32 + 64 * v.id(),
        })
    }
}
