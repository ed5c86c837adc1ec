//! `repr` and `str` of every value.

use crate::display::quote::quote;
use crate::display::{numpy, torch};
use crate::language::class::tensor_class;
use crate::library::prelude;
use crate::values::dict::Key;
use crate::values::value::{Exception, TupleKind};
use crate::values::{class_names, integer, long_text};
use crate::{Halt, Machine, Tried, Value, tp_name};
use num_traits::Signed;
use std::fmt::Write;
use std::rc::Rc;
use vjp_maths::Variable;
use vjp_tensor::{Dtype, Kind, budget};
use vjp_text::Symbol;

/// Containers show no deeper, as Python's recursion limit.
const DEPTH: usize = 300;

/// `repr(value)`.
pub fn repr(machine: &mut Machine, value: &Value) -> Tried<String> {
    let mut out = String::new();
    Shower { machine, open: Vec::new() }.show(value, &mut out)?;
    Ok(out)
}

/// `str(value)`, as `print` shows it.
pub fn str(machine: &mut Machine, value: &Value) -> Tried<String> {
    match value {
        Value::Str(s) => Ok(long_text::joined(&[s])?),
        Value::Exception(e) => Ok(crate::language::exception::text(machine, e)),
        Value::Instance(_) => {
            match machine.special(value, "__str__") {
                // What Python's own classes do shows the repr, but for a text.
                Some(Value::Method(_)) => {
                    if let Value::Str(s) = value.base() {
                        return Ok(s.to_string());
                    }
                }
                Some(method) => return text_of(machine, &method, "__str__"),
                None => {}
            }
            repr(machine, value)
        }
        Value::Array(v) => {
            let written = written(machine, v)?;
            Ok(numpy::str(&v.value(), written, &machine.library.numpy_print))
        }
        Value::NpScalar(v, d) => Ok(numpy::scalar(*v, *d)),
        Value::Object(o) => o.str(machine),
        Value::Tensor(_) if let Some(method) = machine.special(value, "__str__") => {
            text_of(machine, &method, "__str__")
        }
        other => repr(machine, other),
    }
}

/// The elements of an array as the program's own `np.set_printoptions(formatter=…)` writes them; None: it has none.
fn written(machine: &mut Machine, array: &Variable) -> Tried<Option<Vec<String>>> {
    let Some(formatter) = machine.library.numpy_formatter.clone() else { return Ok(None) };
    let Some(Value::Dict(of)) = formatter.downcast_ref() else { return Ok(None) };
    let kinds: &[&str] = match array.dtype() {
        Dtype::Bool => &["bool", "all"],
        d if d.is_float() => &["float", "float_kind", "all"],
        _ => &["int", "int_kind", "all"],
    };
    let mut chosen = None;
    for kind in kinds {
        let known = of.entries.borrow().get(&Key::of(&Value::str(*kind))?).cloned();
        chosen = chosen.or(known);
    }
    let Some(chosen) = chosen.filter(|_| array.rank() > 0) else { return Ok(None) };
    let (value, site) = (array.value(), machine.here());
    let mut texts = Vec::new();
    for v in value.data() {
        budget::tick()?;
        let text = machine.call_with(&chosen, vec![Value::NpScalar(*v, array.dtype())], &site)?;
        texts.push(str(machine, &text)?);
    }
    Ok(Some(texts))
}

fn text_of(machine: &mut Machine, method: &Value, name: &str) -> Tried<String> {
    let site = machine.here();
    match machine.call_with(method, Vec::new(), &site)? {
        Value::Str(s) => Ok(long_text::joined(&[&s])?),
        other => Err(Halt::new(
            Kind::Type,
            format!("{name} returned non-string (type {})", class_names::name_of(&other)),
        )),
    }
}

struct Shower<'m> {
    machine: &'m mut Machine,
    /// Containers being shown: one inside itself is `[...]`.
    open: Vec<usize>,
}

impl Shower<'_> {
    /// `tangent=…` of a dual tensor.
    fn tangent(&mut self, v: &Variable) -> Tried<Option<String>> {
        let page = "torch.autograd.forward_ad";
        let Some(of) = prelude::loaded(page, Symbol::new("_shown")) else { return Ok(None) };
        let site = self.machine.here();
        let shown = self.machine.call_with(&of, vec![Value::Tensor(v.clone())], &site)?;
        Ok(shown.as_str().map(str::to_owned))
    }

    fn show(&mut self, value: &Value, out: &mut String) -> Tried<()> {
        budget::tick()?;
        match value {
            Value::None => out.push_str("None"),
            Value::Ellipsis => out.push_str("Ellipsis"),
            Value::NotImplemented => out.push_str("NotImplemented"),
            Value::Bool(b) => out.push_str(if *b { "True" } else { "False" }),
            Value::Int(i) => {
                let _ = write!(out, "{i}");
            }
            Value::Long(n) => {
                out.push_str(if n.is_negative() { "-" } else { "" });
                out.push_str(&integer::digits(n.magnitude(), 10)?);
            }
            Value::Float(f) => out.push_str(&numpy::python_float(*f, Dtype::Float64)),
            Value::Number(n) => return self.show(&n.number(), out),
            Value::Str(s) => quote(s, out),
            Value::List(l) => {
                let item = |k: usize| l.items.borrow().get(k).cloned();
                self.sequence(value, ("[", "]"), item, out)?;
            }
            Value::Tuple(t) => match &t.kind {
                TupleKind::Plain => self.tuple(value, &t.items, out)?,
                TupleKind::Size => {
                    out.push_str("torch.Size(");
                    self.sequence(value, ("[", "]"), |k| t.items.get(k).cloned(), out)?;
                    out.push(')');
                }
                TupleKind::Named(name, fields) => {
                    // `torch.return_types.max(\nvalues=…,\nindices=…)` as PyTorch breaks it;
                    // NumPy's stay in the line.
                    let (first, next) = match name.contains('.') {
                        true => ("\n", ",\n"),
                        false => ("", ", "),
                    };
                    out.push_str(name);
                    out.push('(');
                    for (i, (field, v)) in fields.iter().zip(&t.items).enumerate() {
                        out.push_str(if i > 0 { next } else { first });
                        let _ = write!(out, "{field}=");
                        self.show(v, out)?;
                    }
                    out.push(')');
                }
            },
            Value::Dict(d) => {
                let slots = || 0..d.entries.borrow().slots();
                let mut first = true;
                self.within(value, "{...}", out, |this, out| {
                    out.push('{');
                    for slot in slots() {
                        let entry =
                            d.entries.borrow().slot(slot).map(|(n, v)| (n.clone(), v.clone()));
                        let Some((name, v)) = entry else { continue };
                        out.push_str(if first { "" } else { ", " });
                        first = false;
                        this.show(&name, out)?;
                        out.push_str(": ");
                        this.show(&v, out)?;
                    }
                    out.push('}');
                    Ok(())
                })?;
            }
            Value::Set(s) => {
                let items: Vec<Value> = crate::values::set_order::elements(&s.entries.borrow());
                let item = |k: usize| items.get(k).cloned();
                match (s.frozen, items.is_empty()) {
                    (false, true) => out.push_str("set()"),
                    (true, true) => out.push_str("frozenset()"),
                    (false, false) => self.sequence(value, ("{", "}"), item, out)?,
                    (true, false) => self.sequence(value, ("frozenset({", "})"), item, out)?,
                }
            }
            Value::Range(r) => {
                let _ = write!(out, "range({}, {}", r.start, r.stop);
                if r.step != 1 {
                    let _ = write!(out, ", {}", r.step);
                }
                out.push(')');
            }
            Value::Slice(s) => {
                out.push_str("slice(");
                for (i, v) in s.iter().enumerate() {
                    if i > 0 {
                        out.push_str(", ");
                    }
                    self.show(v, out)?;
                }
                out.push(')');
            }
            Value::Tensor(v) if v.is_uninitialized() => out.push_str("<UninitializedParameter>"),
            Value::Tensor(v) => {
                if let Some(text) = self.machine.tensor_class_repr(value)? {
                    out.push_str(text.as_str().unwrap_or(""));
                    return Ok(());
                }
                let class = tensor_class::class_of(value);
                if v.is_parameter() && class.as_ref().is_none_or(tensor_class::is_parameter) {
                    out.push_str("Parameter containing:\n");
                }
                // A parameter of a class is shown with the class inside.
                let (prefix, closing) = match &class {
                    Some(c) if v.is_parameter() => (format!("Parameter({}(", c.name), ")"),
                    Some(c) => (format!("{}(", c.name), ""),
                    None => ("tensor(".to_owned(), ""),
                };
                let tangent = self.tangent(v)?;
                let options = &self.machine.library.torch_print;
                let node = v.node().filter(|_| v.shows());
                let suffix = match &node {
                    _ if v.check_history().is_err() => torch::Suffix::GradFn("Invalid"),
                    Some(n) => torch::Suffix::GradFn(n.grad_fn()),
                    None if v.shows() => torch::Suffix::RequiresGrad,
                    None => torch::Suffix::None,
                };
                out.push_str(&torch::repr(
                    &prefix,
                    &v.value(),
                    suffix,
                    tangent.as_deref(),
                    options,
                ));
                out.push_str(closing);
            }
            Value::Array(v) => {
                let written = written(self.machine, v)?;
                let options = &self.machine.library.numpy_print;
                out.push_str(&numpy::repr(&v.value(), written, options));
            }
            Value::NpScalar(v, d) => out.push_str(&numpy::scalar_repr(*v, *d)),
            Value::Dtype(d) => {
                let _ = write!(out, "torch.{}", torch::dtype_name(*d));
            }
            Value::Function(f) => {
                let _ = write!(out, "<function {} at {}>", f.title(), address(value));
            }
            Value::Builtin(b) => {
                let _ = write!(out, "<built-in function {}>", b.name);
            }
            // Modules and optimisers are written in Python.
            Value::Method(b) if matches!(b.0, Value::Instance(_)) => {
                let class = b.1.module.rsplit('.').next().filter(|_| !b.1.name.contains('.'));
                let of = class.map(|class| format!("{class}.")).unwrap_or_default();
                let _ = write!(out, "<bound method {of}{} of ", b.1.name);
                self.show(&b.0, out)?;
                out.push('>');
            }
            Value::Method(b) => {
                let _ = write!(
                    out,
                    "<built-in method {} of {} object at {}>",
                    b.1.name,
                    tp_name(&b.0),
                    address(&b.0)
                );
            }
            Value::BoundFunction(b) => {
                let name = match &b.0 {
                    Value::Function(f) => f.title(),
                    other => tp_name(other),
                };
                let _ = write!(out, "<bound method {name} of ");
                self.show(&b.1, out)?;
                out.push('>');
            }
            Value::Module(m) => {
                let _ = write!(out, "<module '{}'>", m.name);
            }
            Value::Type(t) => {
                if t.module == "builtins" || t.module.is_empty() {
                    let _ = write!(out, "<class '{}'>", t.name);
                } else {
                    let _ = write!(out, "<class '{}.{}'>", t.module, t.name);
                }
            }
            Value::Class(c) => {
                if let Some(method) = self.machine.special(value, "__repr__") {
                    out.push_str(&text_of(self.machine, &method, "__repr__")?);
                    return Ok(());
                }
                let module = c.module();
                let _ = match module.as_str().unwrap_or_default() {
                    "builtins" => write!(out, "<class '{}'>", c.qualified),
                    module => write!(out, "<class '{module}.{}'>", c.qualified),
                };
            }
            Value::Instance(i) => {
                if let Some(method) = self.machine.special(value, "__repr__") {
                    out.push_str(&text_of(self.machine, &method, "__repr__")?);
                } else {
                    let home = i.class().module();
                    let _ = write!(
                        out,
                        "<{}.{} object at {}>",
                        home.as_str().unwrap_or("__main__"),
                        i.class().qualified,
                        address(value)
                    );
                }
            }
            Value::Exception(e) => self.exception(value, e, out)?,
            Value::Iterator(_) => {
                let title = match value {
                    Value::Iterator(i) => i.try_borrow().ok().and_then(|i| i.title()),
                    _ => None,
                };
                let title = title.as_deref().unwrap_or("<genexpr>");
                let _ = match class_names::name_of(value).as_str() {
                    "generator" => {
                        write!(out, "<generator object {title} at {}>", address(value))
                    }
                    name => write!(out, "<{name} object at {}>", address(value)),
                };
            }
            Value::Object(o) => out.push_str(&o.repr(self.machine)?),
        }
        Ok(())
    }

    fn exception(&mut self, value: &Value, e: &Rc<Exception>, out: &mut String) -> Tried<()> {
        if let Some(method) = self.machine.special(value, "__repr__") {
            out.push_str(&text_of(self.machine, &method, "__repr__")?);
            return Ok(());
        }
        out.push_str(&class_names::name_of(value));
        let args = e.args.borrow().clone();
        self.sequence(value, ("(", ")"), |k| args.get(k).cloned(), out)
    }

    fn tuple(&mut self, value: &Value, items: &[Value], out: &mut String) -> Tried<()> {
        let close = if items.len() == 1 { ",)" } else { ")" };
        self.sequence(value, ("(", close), |k| items.get(k).cloned(), out)
    }

    fn sequence(
        &mut self,
        value: &Value,
        (open, close): (&str, &str),
        item: impl Fn(usize) -> Option<Value>,
        out: &mut String,
    ) -> Tried<()> {
        let cycle = match value {
            Value::Tuple(_) => "(...)",
            _ => "[...]",
        };
        self.within(value, cycle, out, |this, out| {
            out.push_str(open);
            for (i, v) in (0..).map_while(item).enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                this.show(&v, out)?;
            }
            out.push_str(close);
            Ok(())
        })
    }

    /// Shows a container, unless it is being shown already.
    fn within(
        &mut self,
        value: &Value,
        cycle: &str,
        out: &mut String,
        body: impl FnOnce(&mut Self, &mut String) -> Tried<()>,
    ) -> Tried<()> {
        let address = value.address();
        if self.open.contains(&address) {
            out.push_str(cycle);
            return Ok(());
        }
        if self.open.len() >= DEPTH {
            crate::raise!(
                Kind::Recursion,
                "maximum recursion depth exceeded while getting the repr of an object"
            );
        }
        budget::tick()?;
        self.open.push(address);
        let result = body(self, out);
        self.open.pop();
        result
    }
}

fn address(value: &Value) -> String {
    format!("0x{:012x}", value.address())
}
