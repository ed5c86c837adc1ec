//! Values in nested tuples, lists and dicts (PyTorch's pytrees), as `torch.func` takes and gives them.

use std::rc::Rc;
use vjp_binder::readers::tensor_like;
use vjp_eval::display::python::repr;
use vjp_eval::values::containers::Dict;
use vjp_eval::values::dict::{Key, Table};
use vjp_eval::values::value::{Tuple, TupleKind};
use vjp_eval::{Halt, Machine, Tried, Value, name_of, raise};
use vjp_maths::Variable;
use vjp_tensor::{Complaint, Kind, Outcome, budget};

/// Containers in containers are at most so deep: a list may hold itself.
const DEEPEST: usize = 100;

/// The containers of a value, without what they hold.
#[derive(Clone)]
pub enum Tree {
    Leaf,
    Tuple(TupleKind, Vec<Tree>),
    List(Vec<Tree>),
    Dict(Vec<(Key, Value, Tree)>),
}

/// What a value's containers hold, in order, and the containers.
pub fn flatten(machine: &Machine, value: &Value) -> Outcome<(Vec<Value>, Tree)> {
    let mut leaves = Vec::new();
    let tree = read(machine, value, &mut leaves, DEEPEST)?;
    Ok((leaves, tree))
}

fn read(machine: &Machine, value: &Value, leaves: &mut Vec<Value>, deep: usize) -> Outcome<Tree> {
    budget::tick()?;
    let mut part = |v: &Value| match deep {
        0 => Err(Complaint::new(Kind::Recursion, "maximum recursion depth exceeded")),
        _ => read(machine, v, leaves, deep - 1),
    };
    Ok(match value {
        Value::Tuple(t) => {
            Tree::Tuple(t.kind.clone(), t.items.iter().map(part).collect::<Outcome<_>>()?)
        }
        // Outside strict a list of numbers is one tensor.
        Value::List(l) if machine.strict() || !l.numeric.get() => {
            let items = l.items.borrow().to_vec();
            Tree::List(items.iter().map(part).collect::<Outcome<_>>()?)
        }
        Value::Dict(d) => {
            let entries = d.entries.borrow();
            let each =
                entries.iter().map(|(key, name, v)| Ok((key.clone(), name.clone(), part(v)?)));
            Tree::Dict(each.collect::<Outcome<_>>()?)
        }
        other => {
            leaves.push(other.clone());
            Tree::Leaf
        }
    })
}

impl Tree {
    /// The same containers with other contents; None stands where there are too few.
    pub fn build(&self, leaves: &mut dyn Iterator<Item = Value>) -> Value {
        let mut all = |parts: &[Tree]| parts.iter().map(|p| p.build(leaves)).collect::<Vec<_>>();
        match self {
            Tree::Leaf => leaves.next().unwrap_or(Value::None),
            Tree::Tuple(kind, parts) => {
                Value::Tuple(Rc::new(Tuple { items: all(parts), kind: kind.clone() }))
            }
            Tree::List(parts) => Value::list(all(parts)),
            Tree::Dict(parts) => {
                let mut table = Table::default();
                for (key, name, part) in parts {
                    table.insert(key.clone(), name.clone(), part.build(leaves));
                }
                let made = Dict::default();
                made.entries.replace(table.into());
                Value::dict(made)
            }
        }
    }

    /// How many values it holds.
    pub fn leaves(&self) -> usize {
        match self {
            Tree::Leaf => 1,
            Tree::Tuple(_, parts) | Tree::List(parts) => parts.iter().map(Tree::leaves).sum(),
            Tree::Dict(parts) => parts.iter().map(|(_, _, p)| p.leaves()).sum(),
        }
    }

    /// Whether two values have the same containers.
    pub fn same(&self, other: &Tree) -> bool {
        let each =
            |a: &[Tree], b: &[Tree]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b));
        match (self, other) {
            (Tree::Leaf, Tree::Leaf) => true,
            (Tree::Tuple(_, a), Tree::Tuple(_, b)) | (Tree::List(a), Tree::List(b)) => each(a, b),
            (Tree::Dict(a), Tree::Dict(b)) => {
                a.len() == b.len()
                    && a.iter().all(|(key, _, part)| {
                        b.iter().any(|(other, _, o)| key == other && part.same(o))
                    })
            }
            _ => false,
        }
    }

    /// One value for each leaf, from containers of which this is a refinement: `0` for all, `(0, None)`
    /// for two parts … None where they do not fit.
    pub fn spread(&self, given: &Value) -> Option<Vec<Value>> {
        let mut out = Vec::with_capacity(self.leaves());
        self.spread_into(given, &mut out).then_some(out)
    }

    fn spread_into(&self, given: &Value, out: &mut Vec<Value>) -> bool {
        let each = |parts: &[Tree], items: &[Value], out: &mut Vec<Value>| {
            parts.len() == items.len()
                && parts.iter().zip(items).all(|(p, i)| p.spread_into(i, out))
        };
        match (self, given) {
            (Tree::Tuple(_, parts), Value::Tuple(t)) => each(parts, &t.items, out),
            (Tree::List(parts), Value::List(l)) => each(parts, &l.items.borrow(), out),
            (Tree::Dict(parts), Value::Dict(d)) => {
                let entries = d.entries.borrow();
                entries.len() == parts.len()
                    && parts.iter().all(|(key, _, part)| {
                        entries.get(key).is_some_and(|v| part.spread_into(v, out))
                    })
            }
            (_, Value::Tuple(_) | Value::List(_) | Value::Dict(_)) => false,
            (tree, one) => {
                out.extend(std::iter::repeat_n(one.clone(), tree.leaves()));
                true
            }
        }
    }

    /// As `torch.utils._pytree` writes it: `TreeSpec(tuple, None, [*, *])`, a part a line.
    pub fn spec(&self, machine: &mut Machine) -> Tried<String> {
        self.indented(machine, 0)
    }

    fn indented(&self, machine: &mut Machine, indent: usize) -> Tried<String> {
        let (head, parts): (String, Vec<&Tree>) = match self {
            Tree::Leaf => return Ok("*".to_owned()),
            Tree::Tuple(_, parts) => ("tuple, None".to_owned(), parts.iter().collect()),
            Tree::List(parts) => ("list, None".to_owned(), parts.iter().collect()),
            Tree::Dict(parts) => {
                let keys = parts.iter().map(|(_, name, _)| name.clone()).collect();
                let keys = repr(machine, &Value::list(keys))?;
                let parts = parts.iter().map(|(_, _, p)| p).collect();
                (format!("dict, {keys}"), parts)
            }
        };
        let mut out = format!("TreeSpec({head}, [");
        for (k, part) in parts.iter().enumerate() {
            if k > 0 {
                out += &format!(",\n{}", " ".repeat(indent + 2));
            }
            out += &part.indented(machine, indent + 2)?;
        }
        Ok(out + "])")
    }

    /// The containers with `*` for each value: `(*, [*])`.
    pub fn sketch(&self, machine: &mut Machine) -> Tried<String> {
        let stars = std::iter::repeat_with(|| Value::Builtin(&STAR));
        let value = self.build(&mut stars.take(self.leaves()));
        Ok(repr(machine, &value)?.replace(STAR_TEXT, "*"))
    }
}

/// Stands for any value in a sketch.
static STAR: vjp_eval::Builtin = vjp_eval::Builtin {
    name: "*",
    module: "builtins",
    signature: "()",
    help: "Any value.",
    jax: "",
    run: |_, _| Ok(Value::None),
};
const STAR_TEXT: &str = "<built-in function *>";

/// The tensor that a leaf of a tree is.
pub fn tensor(machine: &mut Machine, leaf: &Value) -> Tried<Variable> {
    if machine.strict() && !matches!(leaf, Value::Tensor(_)) {
        return Err(no_tensor(leaf));
    }
    match tensor_like(machine, leaf)? {
        Some(t) => Ok(t),
        None => Err(no_tensor(leaf)),
    }
}

fn no_tensor(leaf: &Value) -> Halt {
    Halt::new(
        Kind::Value,
        format!("Thing passed to transform API must be Tensor, got <class '{}'>", name_of(leaf)),
    )
}

/// The tensors that a function returned.
pub fn results(machine: &mut Machine, api: &str, value: &Value) -> Tried<(Vec<Variable>, Tree)> {
    let (leaves, tree) = flatten(machine, value)?;
    if leaves.iter().all(Value::is_none) && leaves.len() < 2 {
        let none = if leaves.is_empty() { "" } else { "None" };
        raise!(
            "{api}: Expected f to be a function that has non-empty output (got output = [{none}])"
        );
    }
    let pulled = machine.strict() && api.starts_with("vjp");
    let mut all = Vec::with_capacity(leaves.len());
    for leaf in &leaves {
        let found = match leaf {
            Value::Tensor(t) => Some(t.clone()),
            other if !machine.strict() => tensor_like(machine, other)?,
            _ => None,
        };
        match found {
            Some(t) if pulled && !t.dtype().is_float() => raise!(
                "vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor with dtype torch.{}",
                t.dtype().name()
            ),
            Some(t) => all.push(t),
            None => raise!(
                "{api}: expected f(*primals) to return only tensors, got unsupported type <class '{}'>",
                name_of(leaf)
            ),
        }
    }
    Ok((all, tree))
}
