//! Functions of the program: making them, binding arguments, running bodies.

use crate::language::env::{Frame, FrameKind, Scope};
use crate::language::flow::Flow;
use crate::language::machine::CALLS;
use crate::language::names::Names;
use crate::values::collector;
use crate::values::collector::Slot;
use crate::values::value::Function;
use crate::{Args, At, Halt, Machine, Site, Tried, Value};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use vjp_syntax::ast;
use vjp_syntax::ast::{Arg, ArgKind, ParamKind};
use vjp_tensor::{Fact, Kind, budget};
use vjp_text::{Span, Symbol};

impl Machine {
    /// A `def`, `lambda` or short definition, closing over the present scope.
    pub(crate) fn make_function(&mut self, code: &Rc<ast::Function>) -> Tried<Value> {
        let mut defaults = Vec::with_capacity(code.params.list.len());
        for p in &code.params.list {
            defaults.push(match &p.default {
                Some(e) => Some(self.eval(e)?),
                None => None,
            });
        }
        let key = Rc::as_ptr(code) as usize;
        let names = match self.names.get(&key) {
            Some((_, names)) => Rc::clone(names),
            None => {
                let names = Rc::new(Names::of_function(code));
                self.names.insert(key, (Rc::clone(code), Rc::clone(&names)));
                names
            }
        };
        self.scope.iter().for_each(collector::watch);
        Ok(Value::Function(Rc::new(Function {
            code: Rc::clone(code),
            names,
            defaults,
            scope: self.scope.clone(),
            qualified: self.qualified(code.name.symbol),
            attributes: RefCell::default(),
            class: RefCell::new(Weak::new()),
            source: self.source.clone(),
            slot: Slot::default(),
        })))
    }

    /// `f`, `outer.<locals>.f`, `Class.f`.
    pub(crate) fn qualified(&self, name: Symbol) -> Rc<str> {
        match &self.scope {
            Some(f) => match &f.title {
                Some(outer) if f.kind == FrameKind::Class => format!("{outer}.{name}").into(),
                Some(outer) => format!("{outer}.<locals>.{name}").into(),
                None => name.as_str().into(),
            },
            None => name.as_str().into(),
        }
    }

    /// Evaluates the arguments of a call, and adds them to those it has.
    pub(crate) fn eval_args(&mut self, callee: &Value, args: &[Arg], made: &mut Args) -> Tried<()> {
        for a in args {
            let v = self.eval(&a.value)?;
            match a.kind {
                ArgKind::Positional => made.positional.push(v),
                ArgKind::Named(n) => {
                    if made.named.iter().any(|(m, _)| *m == n.symbol) {
                        return Err(Halt::new(
                            Kind::Type,
                            format!(
                                "{} got multiple values for keyword argument '{}'",
                                callee_name(callee),
                                n.symbol
                            ),
                        )
                        .place(a.span));
                    }
                    made.named.push((n.symbol, v));
                }
                ArgKind::Spread => match self.collect(&v) {
                    Ok(more) => made.positional.extend(more),
                    Err(h) if h.raised().fact == Fact::NotIterable => {
                        let (to, is) = (callee_name(callee), crate::tp_name(&v));
                        return Err(Halt::new(
                            Kind::Type,
                            format!("{to} argument after * must be an iterable, not {is}"),
                        )
                        .place(a.span));
                    }
                    Err(h) => return Err(h.place(a.span)),
                },
                ArgKind::SpreadNamed => self.spread(callee, made, &v).at(a.span)?,
            }
        }
        Ok(())
    }

    fn spread(&mut self, callee: &Value, args: &mut Args, mapping: &Value) -> Tried<()> {
        let Value::Dict(d) = &mapping.base() else {
            let name = crate::tp_name(mapping);
            crate::raise!(
                Kind::Type,
                "{} argument after ** must be a mapping, not {name}",
                callee_name(callee)
            );
        };
        for (_, name, v) in d.entries.borrow().iter() {
            let Value::Str(s) = name else {
                crate::raise!(Kind::Type, "keywords must be strings");
            };
            let name = Symbol::new(s);
            if args.named.iter().any(|(n, _)| *n == name) {
                crate::raise!(
                    Kind::Type,
                    "{} got multiple values for keyword argument '{name}'",
                    callee_name(callee)
                );
            }
            args.named.push((name, v.clone()));
        }
        Ok(())
    }

    /// The innermost scope; None at the top level.
    pub fn innermost(&self) -> Scope {
        self.scope.clone()
    }

    /// The scopes of the calls around the present one, outermost first.
    pub fn callers(&self) -> &[Scope] {
        &self.callers
    }

    /// The function whose call a frame is.
    pub fn code_of(&self, frame: &Frame) -> Option<Rc<ast::Function>> {
        let known = self.names.values();
        known.filter(|(_, n)| Rc::ptr_eq(n, &frame.names)).map(|(f, _)| Rc::clone(f)).next()
    }

    /// Counts a call.
    pub fn enter_call(&mut self) -> Tried<()> {
        let mark = 0u8;
        let used = self.base.abs_diff(std::ptr::from_ref(&mark) as usize);
        if self.calls >= CALLS || (self.base != 0 && used > budget::stack_limit()) {
            crate::raise!(Kind::Recursion, "maximum recursion depth exceeded");
        }
        self.calls += 1;
        Ok(())
    }

    pub fn leave_call(&mut self) {
        self.calls = self.calls.saturating_sub(1);
    }

    /// Runs a function of the program.
    pub(crate) fn call_function(&mut self, f: &Rc<Function>, args: Args) -> Tried<Value> {
        // What the library's own text calls later, as backward does a Function of it, is called from here.
        let call = match args.site.source.is_own() && !self.source.is_own() {
            true => self.place,
            false => args.site.span,
        };
        let frame = Rc::new(self.bind_parameters(f, args)?);
        if f.code.generator {
            return self.make_generator(f, Some(frame));
        }
        self.enter_call()?;
        self.repeating += 1;
        let outer = std::mem::replace(&mut self.source, f.source.clone());
        let result = self.with_scope(Some(frame.clone()), |m| m.exec_block(&f.code.body));
        frame.ended();
        self.repeating -= 1;
        let inner = std::mem::replace(&mut self.source, outer);
        if !self.source.is_own() {
            self.place = call;
        }
        self.leave_call();
        match result {
            Ok(Flow::Return(v)) => Ok(v),
            Ok(_) => Ok(Value::None),
            Err(mut h) => {
                let place = self.source.clone();
                let raised = h.raised_mut();
                // What goes wrong in the library's own code went wrong in the call of it.
                if inner.is_own() {
                    if raised.source.is_none() {
                        raised.span = Some(call);
                        raised.told = None;
                    }
                    return Err(h);
                }
                if raised.span.is_some() && raised.source.is_none() {
                    raised.source = Some(inner);
                }
                // A thousand frames say no more than ten.
                if raised.calls.len() < 10 {
                    raised.calls.push((f.code.name.symbol, call, place));
                }
                Err(h)
            }
        }
    }

    /// A site for calls that are not in the text.
    pub(crate) fn site(&self, span: Span) -> Site {
        Site {
            span,
            callee: span,
            receiver: None,
            args: SmallVec::new(),
            source: self.source.clone(),
        }
    }

    /// The site of the call under evaluation, for calls made on its behalf.
    pub fn here(&self) -> Site {
        self.site(self.place)
    }
}

/// What is called, as errors about `*` and `**` name it: `__main__.f()`.
fn callee_name(callee: &Value) -> String {
    match callee {
        Value::Function(f) => format!("__main__.{}()", f.qualified),
        Value::BoundFunction(b) => callee_name(&b.0),
        Value::Class(c) => format!("__main__.{}()", c.qualified),
        Value::Builtin(b) => match b.module {
            "builtins" => format!("{}()", b.name),
            module => format!("{module}.{}()", b.name),
        },
        Value::Method(b) => format!("{}.{}()", b.1.module, b.1.name),
        Value::Type(t) => format!("{}()", t.name),
        other => format!("{} object", crate::name_of(other)),
    }
}

/// What every function has: `f.__name__`, `f.__defaults__` …
///
/// # Errors
/// None in practice: names are hashable.
pub(crate) fn attribute(m: &mut Machine, f: &Function, name: &str) -> Tried<Option<Value>> {
    let params = f.code.params.list.iter().zip(&f.defaults);
    Ok(match name {
        "__name__" => Some(Value::from(f.code.name.as_str())),
        "__qualname__" => Some(Value::from(&*f.qualified)),
        "__doc__" => Some(super::class::docstring(&f.code.body)),
        "__module__" => Some(Value::from("__main__")),
        "__dict__" => Some(m.as_dict(&f.attributes)?),
        "__annotations__" => {
            let code = &f.code;
            let of = |p: &ast::Param| Some((p.name.symbol, p.annotation.clone()?));
            let mut noted: Vec<_> = code.params.list.iter().filter_map(of).collect();
            let result = code.returns.clone();
            noted.extend(result.map(|a| (Symbol::new("return"), a)));
            let made = crate::Dict::default();
            for (name, annotation) in noted {
                let asking = std::mem::replace(&mut m.source, f.source.clone());
                let value = m.with_scope(f.scope.clone(), |m| m.eval(&annotation));
                m.source = asking;
                let value = match value {
                    Ok(v) => v,
                    Err(h) if h.kind().is_stop() => return Err(h),
                    Err(_) => Value::from(f.source.slice(annotation.span)),
                };
                let name = Value::from(name.as_str());
                made.written()?.insert(m.key(&name)?, name, value);
            }
            Some(Value::dict(made))
        }
        "__defaults__" => {
            let values: Vec<Value> = params
                .filter(|(p, _)| p.kind != ParamKind::KeywordOnly)
                .filter_map(|(_, d)| d.clone())
                .collect();
            Some(match values.is_empty() {
                true => Value::None,
                false => Value::tuple(values),
            })
        }
        "__kwdefaults__" => {
            let made = crate::Dict::default();
            for (p, default) in params.filter(|(p, _)| p.kind == ParamKind::KeywordOnly) {
                if let Some(v) = default {
                    let name = Value::from(p.name.as_str());
                    let key = crate::values::dict::Key::of(&name)?;
                    made.written()?.insert(key, name, v.clone());
                }
            }
            let empty = made.entries.borrow().is_empty();
            Some(match empty {
                true => Value::None,
                false => Value::dict(made),
            })
        }
        _ => None,
    })
}
