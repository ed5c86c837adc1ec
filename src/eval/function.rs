//! Functions of the program: making them, binding arguments, running bodies.

use super::call::{Args, Site};
use super::env::{Frame, FrameKind};
use super::machine::{CALLS, Machine};
use super::names::Names;
use super::raise::{At, Halt};
use super::statement::Flow;
use super::value::{Function, Value};
use crate::maths::budget;
use crate::maths::complaint::Kind;
use crate::syntax::ast::{self, Arg, ArgKind, ParamKind};
use crate::text::names::Symbol;
use crate::text::source::Span;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

impl Machine {
    /// A `def`, `lambda` or short definition, closing over the present scope.
    pub(super) fn make_function(&mut self, code: &Rc<ast::Function>) -> Result<Value, Halt> {
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
        Ok(Value::Function(Rc::new(Function {
            code: Rc::clone(code),
            names,
            defaults,
            scope: self.scope.clone(),
            qualified: self.qualified(code.name.symbol),
            attributes: RefCell::default(),
            class: RefCell::new(Weak::new()),
            source: self.source.clone(),
        })))
    }

    /// `f`, `outer.<locals>.f`, `Class.f`.
    pub(super) fn qualified(&self, name: Symbol) -> Rc<str> {
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
    pub(super) fn eval_args(&mut self, args: &[Arg], made: &mut Args) -> Result<(), Halt> {
        for a in args {
            let v = self.eval(&a.value)?;
            match a.kind {
                ArgKind::Positional => made.positional.push(v),
                ArgKind::Named(n) => {
                    if made.named.iter().any(|(m, _)| *m == n.symbol) {
                        return Err(Halt::new(
                            Kind::Syntax,
                            format!("keyword argument repeated: {}", n.symbol),
                        )
                        .place(a.span));
                    }
                    made.named.push((n.symbol, v));
                }
                ArgKind::Spread => {
                    let more = self.collect(&v).at(a.span)?;
                    made.positional.extend(more);
                }
                ArgKind::SpreadNamed => self.spread(made, &v).at(a.span)?,
            }
        }
        Ok(())
    }

    fn spread(&mut self, args: &mut Args, mapping: &Value) -> Result<(), Halt> {
        let Value::Dict(d) = mapping else {
            let name = super::library::types::name_of(mapping);
            crate::raise!(
                Kind::Type,
                "argument after ** must be a mapping, not {name}"
            );
        };
        for (_, name, v) in d.entries.borrow().iter() {
            let Value::Str(s) = name else {
                crate::raise!(Kind::Type, "keywords must be strings");
            };
            args.named.push((Symbol::new(s), v.clone()));
        }
        Ok(())
    }

    /// Counts a call.
    pub(super) fn enter_call(&mut self) -> Result<(), Halt> {
        let mark = 0u8;
        let used = self.base.abs_diff(std::ptr::from_ref(&mark) as usize);
        if self.calls >= CALLS || (self.base != 0 && used > budget::stack_limit()) {
            crate::raise!(Kind::Recursion, "maximum recursion depth exceeded");
        }
        self.calls += 1;
        Ok(())
    }

    pub(super) fn leave_call(&mut self) {
        self.calls = self.calls.saturating_sub(1);
    }

    /// Runs a function of the program.
    pub(super) fn call_function(&mut self, f: &Rc<Function>, args: Args) -> Result<Value, Halt> {
        let call = args.site.span;
        let frame = Rc::new(self.bind_parameters(f, args)?);
        self.enter_call()?;
        self.repeating += 1;
        let outer = std::mem::replace(&mut self.source, f.source.clone());
        let result = self.with_scope(Some(frame), |m| m.exec_block(&f.code.body));
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

    fn bind_parameters(&mut self, f: &Rc<Function>, args: Args) -> Result<Frame, Halt> {
        let mut frame = Frame::new(FrameKind::Function, Rc::clone(&f.names), f.scope.clone());
        frame.title = Some(Rc::clone(&f.qualified));
        frame.class = f.class.borrow().upgrade();
        let params = &f.code.params.list;
        let given = args.positional.len();
        let mut positional = args.positional.into_iter();
        let mut named = args.named;
        let mut missing: Vec<Symbol> = Vec::new();
        let mut missing_named: Vec<Symbol> = Vec::new();
        for (p, default) in params.iter().zip(&f.defaults) {
            let name = p.name.symbol;
            let take = |named: &mut Vec<(Symbol, Value)>| {
                let i = named.iter().position(|(n, _)| *n == name)?;
                Some(named.remove(i).1)
            };
            let value = match p.kind {
                ParamKind::Rest => Some(Value::tuple(positional.by_ref().collect())),
                ParamKind::RestKeywords => continue,
                ParamKind::KeywordOnly => match take(&mut named).or_else(|| default.clone()) {
                    Some(v) => Some(v),
                    None => {
                        missing_named.push(name);
                        None
                    }
                },
                ParamKind::Normal | ParamKind::PositionalOnly => match positional.next() {
                    Some(v) => {
                        if p.kind == ParamKind::Normal && take(&mut named).is_some() {
                            crate::raise!(
                                Kind::Type,
                                "{}() got multiple values for argument '{name}'",
                                title(f, &frame)
                            );
                        }
                        Some(v)
                    }
                    None => {
                        let by_name = match p.kind {
                            ParamKind::Normal => take(&mut named),
                            _ => None,
                        };
                        match by_name.or_else(|| default.clone()) {
                            Some(v) => Some(v),
                            None => {
                                missing.push(name);
                                None
                            }
                        }
                    }
                },
            };
            if let Some(v) = value {
                frame.values.get_mut().push((name, v));
            }
        }
        if positional.next().is_some() {
            return Err(too_many(f, given, &frame));
        }
        let rest = params.iter().find(|p| p.kind == ParamKind::RestKeywords);
        match rest {
            Some(p) => {
                let dict = super::value::Dict::default();
                for (n, v) in named {
                    let name = Value::str(n.as_str());
                    let key = super::dict::Key::of(&name)?;
                    dict.entries.borrow_mut().insert(key, name, v);
                }
                frame
                    .values
                    .get_mut()
                    .push((p.name.symbol, Value::Dict(Rc::new(dict))));
            }
            None => {
                if let Some((n, _)) = named.first() {
                    crate::raise!(
                        Kind::Type,
                        "{}() got an unexpected keyword argument '{n}'",
                        title(f, &frame)
                    );
                }
            }
        }
        lacks(f, &frame, &missing, "positional")?;
        lacks(f, &frame, &missing_named, "keyword-only")?;
        Ok(frame)
    }

    /// A site for calls that no call in the text stands for.
    pub(super) fn site(&self, span: Span) -> Site {
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

/// What a call's errors call the function. The library's own classes share their `__init__`: it is
/// named after the class that is made.
fn title(f: &Function, frame: &Frame) -> String {
    let this = frame.values.borrow().first().map(|(_, v)| v.clone());
    if let (true, Some(Value::Instance(i))) = (f.source.is_own(), this) {
        let known = super::class::order(&i.class);
        let own = known.iter().find_map(|c| match c {
            Value::Class(c) if c.module().as_str() != Some("__main__") => Some(c.name),
            _ => None,
        });
        if let Some(class) = own {
            return format!("{class}.{}", f.code.name.symbol);
        }
    }
    f.qualified.to_string()
}

fn lacks(f: &Function, frame: &Frame, missing: &[Symbol], kind: &str) -> Result<(), Halt> {
    if missing.is_empty() {
        return Ok(());
    }
    let n = missing.len();
    let names: Vec<String> = missing.iter().map(|s| format!("'{s}'")).collect();
    let list = match names.as_slice() {
        [one] => one.clone(),
        [a, b] => format!("{a} and {b}"),
        [most @ .., last] => format!("{}, and {last}", most.join(", ")),
        [] => String::new(),
    };
    let s = if n == 1 { "" } else { "s" };
    crate::raise!(
        Kind::Type,
        "{}() missing {n} required {kind} argument{s}: {list}",
        title(f, frame)
    )
}

fn too_many(f: &Function, given: usize, frame: &Frame) -> Halt {
    let params = &f.code.params.list;
    let is_positional =
        |p: &&ast::Param| matches!(p.kind, ParamKind::Normal | ParamKind::PositionalOnly);
    let most = params.iter().filter(is_positional).count();
    let least = params
        .iter()
        .zip(&f.defaults)
        .filter(|(p, d)| is_positional(p) && d.is_none())
        .count();
    let takes = if least < most {
        format!("from {least} to {most} positional arguments")
    } else {
        format!(
            "{most} positional argument{}",
            if most == 1 { "" } else { "s" }
        )
    };
    let named = params
        .iter()
        .filter(|p| p.kind == ParamKind::KeywordOnly && frame.get(p.name.symbol).is_some())
        .count();
    let were = if named > 0 {
        format!(
            "{given} positional argument{} (and {named} keyword-only argument{}) were",
            if given == 1 { "" } else { "s" },
            if named == 1 { "" } else { "s" }
        )
    } else {
        format!("{given} {}", if given == 1 { "was" } else { "were" })
    };
    Halt::new(
        Kind::Type,
        format!("{}() takes {takes} but {were} given", title(f, frame)),
    )
}
