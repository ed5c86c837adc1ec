//! The graph as programs see it: `y.grad_fn`, its `name()` and `next_functions`; also `x.device`.

use super::Builtin;
use crate::eval::machine::Machine;
use crate::eval::raise::Halt;
use crate::eval::value::{Object, Value};
use crate::maths::node::{Edge, Node, Origin};
use crate::maths::variable::Variable;
use crate::text::names::Symbol;
use std::any::Any;
use std::rc::Rc;

/// A node, or the place where a leaf's gradient is added up.
enum Function {
    Node(Node),
    Accumulate(Variable),
}

/// `y.grad_fn`: None of leaves, and of what only numbers led to.
pub fn grad_fn(t: &Variable) -> Value {
    match t.node() {
        Some(node) if node.shows() => Value::Object(Rc::new(Function::Node(node))),
        _ => Value::None,
    }
}

impl Function {
    fn of(edge: &Edge) -> Value {
        match &edge.origin {
            Origin::Node(n) if n.shows() => Value::Object(Rc::new(Function::Node(n.clone()))),
            Origin::Leaf(v) if v.shows() => Value::Object(Rc::new(Function::Accumulate(v.clone()))),
            _ => Value::None,
        }
    }

    fn id(&self) -> u64 {
        match self {
            Function::Node(n) => n.id(),
            Function::Accumulate(v) => v.id() as u64,
        }
    }
}

static NAME: Builtin = Builtin {
    name: "name",
    module: "Node",
    signature: "(self)",
    help: "The name of the operation's backward.",
    run: |_, args| {
        Ok(match args.positional.first() {
            Some(Value::Object(o)) => match o.as_any().downcast_ref::<Function>() {
                Some(Function::Node(n)) => Value::str(n.grad_fn()),
                _ => Value::str("torch::autograd::AccumulateGrad"),
            },
            _ => Value::None,
        })
    },
};

impl Object for Function {
    fn type_name(&self) -> String {
        match self {
            Function::Node(n) => n.grad_fn().to_owned(),
            Function::Accumulate(_) => "AccumulateGrad".to_owned(),
        }
    }

    fn get(&self, this: &Value, name: Symbol, _: &mut Machine) -> Result<Option<Value>, Halt> {
        Ok(match (name.as_str(), self) {
            ("name", _) => Some(super::methods::bound(this, &NAME)),
            ("next_functions", Function::Node(n)) => {
                let pairs =
                    n.inputs().iter().map(|e| Value::tuple(vec![Function::of(e), Value::Int(0)]));
                Some(Value::tuple(pairs.collect()))
            }
            ("next_functions", Function::Accumulate(_)) => Some(Value::tuple(Vec::new())),
            ("variable", Function::Accumulate(v)) => Some(Value::Tensor(v.clone())),
            _ => None,
        })
    }

    fn repr(&self, _: &mut Machine) -> Result<String, Halt> {
        Ok(format!("<{} object at {:#014x}>", self.type_name(), 0x7f00_0000_0000 + 64 * self.id()))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
