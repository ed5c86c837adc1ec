//! What a dotted path represents, found without running anything: completion and the signature of
//! the call at the cursor ask at every key.

use crate::methods;
use std::rc::Rc;
use vjp_eval::language::class;
use vjp_eval::record::event::{Remark, Shown};
use vjp_eval::values::containers::find;
use vjp_eval::values::value::Function;
use vjp_eval::{Builtin, Class, Machine, Value, leaf, library};
use vjp_syntax::ast::ParamKind;
use vjp_tensor::Tensor;
use vjp_text::Symbol;

/// How something is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// `input`, `min=None`, `*args`, `*`; the receiver of a method is none.
    pub params: Vec<String>,
    /// What it does, in one line; may be empty.
    pub says: String,
}

impl Call {
    /// `f(x, y=1)`, and what it does.
    pub fn written(&self, name: &str) -> String {
        let call = format!("{name}({})", self.params.join(", "));
        match self.says.as_str() {
            "" => format!("{call}\n"),
            says => format!("{call}\n    {says}\n"),
        }
    }

    /// The names that may be given by keyword.
    pub fn keywords(&self) -> impl Iterator<Item = &str> {
        let behind_slash = self.params.iter().rposition(|p| p == "/").map_or(0, |i| i + 1);
        self.params[behind_slash..]
            .iter()
            .map(|p| p.split('=').next().unwrap_or(p))
            .filter(|n| !n.starts_with('*'))
    }
}

/// The value of `names[0].names[1]…`, as far as nothing has to be computed for it: the result
/// of a tensor's attribute is taken to be a tensor like it.
pub fn known(m: &Machine, names: &[&str]) -> Option<Value> {
    let (first, rest) = names.split_first()?;
    rest.iter().try_fold(m.lookup(first)?, |value, name| member(&value, name))
}

/// Names that a value has, for completion.
pub fn members(m: &Machine, value: &Value) -> Vec<String> {
    let mut names = library::attributes_of(value);
    if let Value::List(_) = value
        && !m.strict()
    {
        names.extend(methods::names());
    }
    names.into_iter().map(str::to_owned).collect()
}

/// What stands behind a value's dot.
pub fn member(value: &Value, name: &str) -> Option<Value> {
    match value {
        Value::Module(m) => m.get(Symbol::new(name)),
        Value::Tensor(_) | Value::Array(_) | Value::Number(_) | Value::NpScalar(..) => {
            of_tensor(value, name)
        }
        Value::List(_) => vjp_python::method(name, value).or_else(|| of_tensor(value, name)),
        Value::Instance(i) => find(&i.attributes, Symbol::new(name))
            .or_else(|| of_class(&i.class(), name).map(|v| bound(value, v))),
        Value::Class(c) => of_class(c, name),
        Value::Type(t) => {
            std::iter::successors(Some(*t), |t| t.base).find_map(|t| (t.attribute)(name))
        }
        other => vjp_python::method(name, other),
    }
}

fn of_tensor(value: &Value, name: &str) -> Option<Value> {
    match methods::method(name) {
        Some(method) => Some(vjp_binder::results::bound(value, method)),
        None if methods::names().contains(&name) => Some(value.clone()),
        None => None,
    }
}

fn of_class(class: &Rc<Class>, name: &str) -> Option<Value> {
    let name = Symbol::new(name);
    class::order(class).into_iter().find_map(|c| match c {
        Value::Class(c) => find(&c.attributes, name),
        Value::Type(t) => (t.attribute)(name.as_str()),
        _ => None,
    })
}

fn bound(this: &Value, value: Value) -> Value {
    match value {
        Value::Builtin(b) => vjp_binder::results::bound(this, b),
        Value::Function(_) => Value::BoundFunction(Rc::new((value, this.clone()))),
        other => other,
    }
}

/// How a value is called; None where it cannot be, or nothing is known.
pub fn call(value: &Value) -> Option<Call> {
    match value {
        Value::Builtin(b) => Some(of_builtin(b, false)),
        Value::Method(m) => Some(of_builtin(m.1, true)),
        Value::Function(f) => Some(of_function(f, false)),
        Value::BoundFunction(b) => match &b.0 {
            Value::Function(f) => Some(of_function(f, true)),
            _ => None,
        },
        Value::Class(c) => {
            let mut call = match of_class(c, "__init__")? {
                Value::Function(f) => of_function(&f, true),
                Value::Builtin(b) => of_builtin(b, true),
                _ => return None,
            };
            // What a class is says more than how it starts.
            if let Some(Value::Str(doc)) = of_class(c, "__doc__") {
                call.says = doc.trim().lines().next().unwrap_or_default().to_owned();
            }
            Some(call)
        }
        Value::Instance(i) => {
            let method =
                of_class(&i.class(), "forward").or_else(|| of_class(&i.class(), "__call__"))?;
            call(&bound(value, method))
        }
        _ => None,
    }
}

fn of_builtin(builtin: &'static Builtin, bound: bool) -> Call {
    // Overloads stand one a line; the first is the usual one.
    let signature = builtin.signature.lines().next().unwrap_or_default();
    let mut params = params(signature);
    if bound && !params.is_empty() {
        params.remove(0);
    }
    let says = builtin.help.lines().next().unwrap_or_default();
    Call { params, says: says.to_owned() }
}

/// `(Tensor input, int dim=None)` as a person calls it: `input`, `dim=None`.
pub fn params(signature: &str) -> Vec<String> {
    let inner = signature.split_once("->").map_or(signature, |(before, _)| before).trim();
    let inner = inner.strip_prefix('(').unwrap_or(inner);
    let inner = inner.strip_suffix(')').unwrap_or(inner);
    let parts = vjp_python::keywords::split(inner).into_iter().map(str::trim);
    parts
        .filter(|p| !p.is_empty())
        .map(|p| {
            let (head, usual) = p.split_once('=').map_or((p, None), |(h, u)| (h, Some(u)));
            let name = head.trim().rsplit(' ').next().unwrap_or(head);
            usual.map_or(name.to_owned(), |u| format!("{name}={}", u.trim()))
        })
        .collect()
}

fn of_function(function: &Function, bound: bool) -> Call {
    let text = function.source.text();
    let list = &function.code.params.list;
    let mut params = Vec::new();
    for (at, p) in list.iter().enumerate().skip(usize::from(bound)) {
        let name = p.name.as_str();
        let usual =
            p.default.as_ref().and_then(|d| text.get(d.span.start as usize..d.span.end as usize));
        let before = at.checked_sub(1).map(|k| list[k].kind);
        if p.kind == ParamKind::KeywordOnly
            && !matches!(before, Some(ParamKind::KeywordOnly | ParamKind::Rest))
        {
            params.push("*".to_owned());
        }
        let stars = match p.kind {
            ParamKind::Rest => "*",
            ParamKind::RestKeywords => "**",
            _ => "",
        };
        params.push(match usual {
            Some(usual) => format!("{name}={usual}"),
            None => format!("{stars}{name}"),
        });
        if p.kind == ParamKind::PositionalOnly
            && list.get(at + 1).is_none_or(|n| n.kind != ParamKind::PositionalOnly)
        {
            params.push("/".to_owned());
        }
    }
    let says = match class::docstring(&function.code.body) {
        Value::Str(doc) => doc.trim().lines().next().unwrap_or_default().to_owned(),
        _ => String::new(),
    };
    Call { params, says }
}

/// The tensor that a value is or represents already.
pub fn tensor_of(value: &Value) -> Option<vjp_maths::Variable> {
    leaf::existing(value)
}

/// How the method of tensors of that name is called.
pub fn tensor_method(name: &str) -> Option<Call> {
    methods::method(name).map(|b| of_builtin(b, true))
}

/// A value as an echo shows it, as far as nothing has to be computed for it; None where it is no
/// number, text, tensor or collection.
pub fn shown(value: &Value) -> Option<(Shown, Option<Remark>)> {
    let text = |t: String| Some((Shown::Text(t), None));
    let many = |n: usize| text(format!("{} of {n}", vjp_eval::name_of(value)));
    if let Value::Number(n) = value
        && n.number().is_int()
    {
        return Some((vjp_eval::record::echo::whole(&n.number()), None));
    }
    if let Some(v) = leaf::existing(value) {
        let shape = v.shape();
        let remark = (v.is_leaf() && v.requires_grad()).then_some(Remark::Leaf { shape });
        return Some((Shown::Tensor(v.value()), remark));
    }
    match value {
        Value::Int(_) | Value::Long(_) => Some((vjp_eval::record::echo::whole(value), None)),
        Value::Float(x) | Value::NpScalar(x, _) => Some((Shown::Tensor(Tensor::scalar(*x)), None)),
        Value::Bool(_) | Value::Str(_) | Value::None => {
            let repr = match value {
                Value::Str(s) => format!("'{s}'"),
                Value::Bool(true) => "True".into(),
                Value::Bool(false) => "False".into(),
                _ => "None".into(),
            };
            text(repr)
        }
        Value::List(l) => many(l.items.borrow().len()),
        Value::Tuple(t) => many(t.items.len()),
        other => text(vjp_eval::name_of(other)),
    }
}
