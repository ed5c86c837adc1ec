//! What an input echoes: contract section 2.

use crate::library::table::given;
use crate::record::event::{Remark, Shown, ValueEvent};
use crate::values::integer;
use crate::{Event, Machine, Manner, Note, Tried, Value, name_of};
use vjp_maths::Variable;
use vjp_maths::observe::undefined;
use vjp_tensor::Tensor;
use vjp_text::number::decimal;
use vjp_text::{Symbol, format_spec};

/// Among so many numbers a nan is explained.
const ASKED: usize = 256;

impl Machine {
    /// A top-level name was bound; `literal`: the input itself shows the value.
    pub(crate) fn echo_later(&mut self, name: Symbol, literal: bool) {
        let e = &mut self.echoes;
        if e.manner != Manner::Line || self.scope.is_some() || e.told.contains(&name) {
            return;
        }
        e.pending.retain(|n| *n != name);
        e.missing.retain(|(n, _)| *n != name);
        e.missing.extend(undefined::first().map(|what| (name, what)));
        if !literal || e.alone {
            e.pending.push(name);
        }
    }

    /// Whether bare expressions are echoed.
    pub(crate) fn echoes(&self) -> bool {
        self.echoes.manner != Manner::Program
    }

    /// Shows the value of a bare expression at the top level; as in IPython, a value with
    /// `_ipython_display_` shows itself.
    pub(crate) fn show(&mut self, value: &Value, grad: bool) -> Tried<()> {
        let own = match self.echoes() {
            true => self.special(value, "_ipython_display_"),
            false => None,
        };
        match own {
            Some(display) => {
                self.flush_echoes();
                let site = self.here();
                self.call_with(&display, Vec::new(), &site)?;
            }
            None => self.echo_expression(value, grad),
        }
        Ok(())
    }

    /// The value of a bare expression at the top level. `grad`: it ends in `.grad`.
    fn echo_expression(&mut self, value: &Value, grad: bool) {
        if self.echoes.manner == Manner::Program || self.scope.is_some() {
            // Typed inputs that run again read it too.
            if self.goal.is_some() && self.scope.is_none() && !value.is_none() {
                self.globals.set(Symbol::new("_"), value.clone());
            }
            return;
        }
        // A call for its effect is no reason to tell what is bound so far: it may change yet.
        if value.is_none() {
            if grad && self.echoes.manner != Manner::Cell {
                self.flush_echoes();
                self.emit(Event::Value(ValueEvent {
                    name: None,
                    shown: Shown::Text("None".into()),
                    remark: None,
                }));
            }
            return;
        }
        self.flush_echoes();
        self.globals.set(Symbol::new("_"), value.clone());
        if self.echoes.manner == Manner::Cell {
            let text = crate::display::notebook::pretty(self, value);
            let text = text.unwrap_or_else(|_| format!("<{}>", name_of(value)));
            let shown = Shown::Repr(text);
            self.emit(Event::Value(ValueEvent { name: None, shown, remark: None }));
            return;
        }
        // `jacobian(y, x)` is drawn with its names.
        if !self.draw(value, true) {
            self.echo(None, value);
        }
    }

    /// Draws a Jacobian that knows of what it is one: always a large one, `all`: also one whose entries
    /// an echo would show. False where there is nothing to draw.
    fn draw(&mut self, value: &Value, all: bool) -> bool {
        match (given().matrix.drawn)(self, value, all) {
            Some(event) => {
                self.echoes.drawn = Some(value.clone());
                self.emit(Event::Matrix(Box::new(event)));
                true
            }
            None => false,
        }
    }

    /// The Jacobian that this input drew last.
    pub fn drawn(&self) -> Option<Value> {
        self.echoes.drawn.clone()
    }

    /// Tells what was bound so far: before a panel, a print, an error, and at the end.
    pub fn flush_echoes(&mut self) {
        for name in std::mem::take(&mut self.echoes.pending) {
            let Some(value) = self.globals.get(name).cloned() else {
                continue;
            };
            if !value.is_none() && is_shown(&value) {
                self.echoes.told.push(name);
                if !self.draw(&value, false) {
                    self.echo(Some(name), &value);
                }
            }
        }
    }

    /// Whether an echo of this input has shown this tensor.
    pub fn was_echoed(&self, y: &Variable) -> bool {
        self.echoes.shown.iter().any(|v| v.same(y))
    }

    fn echo(&mut self, name: Option<Symbol>, value: &Value) {
        let (shown, remark) = self.shown(value);
        if let Some(v) = crate::leaf::existing(value) {
            self.echoes.shown.push(v);
        }
        let nan = |t: &Tensor| t.dtype().is_float() && t.data().iter().any(|x| x.is_nan());
        let nan = matches!(&shown, Shown::Tensor(t) if t.numel() <= ASKED && nan(t));
        self.emit(Event::Value(ValueEvent { name: name.map(|n| n.to_string()), shown, remark }));
        let missing = |name| self.echoes.missing.iter().find(|(n, _)| *n == name);
        let missing = match name {
            Some(name) => missing(name).map(|(_, what)| *what),
            None => undefined::first(),
        };
        if let Some(what) = missing.filter(|_| nan && !self.strict()) {
            self.note(what, Note::plain(format!("{what} is nan")));
        }
        let method = match value {
            Value::Method(method) => Some(method.1.name.to_owned()),
            Value::BoundFunction(method) => match &method.0 {
                Value::Function(f) => f.title().rsplit('.').next().map(str::to_owned),
                _ => None,
            },
            _ => None,
        };
        if let (None, Some(method)) = (name, method) {
            let text = format!("{0} is a method: .{0}() calls it", method);
            self.emit(Event::Note(Note::plain(text)));
        }
    }

    /// A value as an echo shows it.
    pub fn shown(&mut self, value: &Value) -> (Shown, Option<Remark>) {
        let variable = match value {
            Value::Int(_) | Value::Long(_) => return (whole(value), None),
            Value::Float(f) => {
                return (Shown::Tensor(Tensor::scalar(*f)), Some(Remark::Number));
            }
            Value::NpScalar(x, dtype) => return (Shown::Tensor(Tensor::number(*x, *dtype)), None),
            Value::Number(n) => {
                let leaf = n.variable.is_leaf() && n.variable.is_implicit();
                let remark = leaf.then(|| Remark::Leaf { shape: Vec::new() });
                return match n.number() {
                    number @ (Value::Int(_) | Value::Long(_)) => (whole(&number), remark),
                    _ => (Shown::Tensor(n.variable.value()), remark),
                };
            }
            Value::Tensor(v) | Value::Array(v) => Some(v.clone()),
            Value::List(l) if l.numeric.get() && !self.options.strict => {
                crate::leaf::stacked(value).ok()
            }
            _ => None,
        };
        let Some(v) = variable else {
            let text = match crate::display::python::repr(self, value) {
                Ok(text) => text,
                Err(_) => format!("<{}>", name_of(value)),
            };
            return (Shown::Text(text), None);
        };
        let shape = v.shape();
        let remark = if v.is_leaf() && v.requires_grad() {
            Some(Remark::Leaf { shape })
        } else if v.numel() > 100 {
            Some(Remark::Shape { shape })
        } else {
            None
        };
        (Shown::Tensor(v.value()), remark)
    }
}

/// An int, of which no more digits are shown than Python writes.
pub fn whole(value: &Value) -> Shown {
    let n = value.whole().unwrap_or_default();
    match decimal(n.magnitude()) {
        Ok(_) => Shown::Int(n.into_owned()),
        Err(_) => {
            let bits = format_spec::int(&n.bits().into(), ",", integer::digits).unwrap_or_default();
            Shown::Text(format!("<int of {bits} bits>"))
        }
    }
}

/// Functions, methods, classes and modules are bound silently.
fn is_shown(value: &Value) -> bool {
    !matches!(
        value,
        Value::Function(_)
            | Value::Builtin(_)
            | Value::Module(_)
            | Value::Class(_)
            | Value::Type(_)
            | Value::Method(_)
    )
}
