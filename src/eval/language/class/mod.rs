//! Classes of the program.

pub(crate) mod attributes;
pub mod descriptor;
pub(crate) mod instantiate;
pub mod meta;
pub(crate) mod mro;
pub mod of_tensors;
pub mod tensor_class;

use crate::Args;
use crate::language::class::descriptor::{Descriptor, Super};
use crate::language::class::mro::merge;
pub use crate::language::class::mro::{lookup, order};
use crate::language::env::{Frame, FrameKind};
use crate::language::import::stand_in;
use crate::language::names::Names;
use crate::values::class_names;
use crate::values::containers::{find, put};
use crate::{At, Class, Halt, Machine, Tried, Value};
use std::cell::RefCell;
use std::rc::Rc;
use vjp_syntax::ast::{Arg, ArgKind, Block, Expr, ExprKind, Name, StmtKind};
use vjp_tensor::Kind;
use vjp_text::{Span, Symbol};

/// `isinstance(value, class)`.
pub fn is_instance(value: &Value, class: &Value) -> bool {
    match value {
        Value::Instance(i) => {
            let stands_for = matches!(class, Value::Type(t) if (t.includes)(value));
            stands_for || inherits(&i.class(), class)
        }
        Value::Exception(e) => match (&e.own, class) {
            (Some(c), _) => inherits(c, class),
            (None, Value::Type(t)) => (t.includes)(value),
            _ => false,
        },
        Value::Tensor(_) if matches!(class, Value::Class(_)) => {
            tensor_class::class_of(value).is_some_and(|own| inherits(&own, class))
        }
        Value::Class(c) if matches!(class, Value::Class(_)) => {
            c.meta.as_ref().is_some_and(|meta| inherits(meta, class))
        }
        other => matches!(class, Value::Type(t) if (t.includes)(other)),
    }
}

/// `issubclass(sub, class)`.
pub fn is_subclass(sub: &Value, class: &Value) -> bool {
    match (sub, class) {
        (Value::Class(c), _) => inherits(c, class),
        (Value::Type(a), Value::Type(b)) => a.is_a(b),
        _ => false,
    }
}

fn inherits(class: &Rc<Class>, from: &Value) -> bool {
    order(class).iter().any(|c| match (c, from) {
        (Value::Class(a), Value::Class(b)) => Rc::ptr_eq(a, b),
        (Value::Type(a), Value::Type(b)) => a.is_a(b),
        _ => false,
    }) || matches!(from, Value::Type(t) if t.name == "object")
}

fn class_name(class: &Value) -> String {
    match class {
        Value::Class(c) => c.name.to_string(),
        Value::Type(t) => t.name.to_owned(),
        other => class_names::name_of(other),
    }
}

fn find_in<'a>(attributes: &'a [(Symbol, Value)], name: &str) -> Option<&'a Value> {
    let found = attributes.iter().find(|(n, _)| n.as_str() == name);
    found.map(|(_, v)| v)
}

/// Whether a class or one it derives from defines a name.
pub(crate) fn has(class: &Rc<Class>, name: &str) -> bool {
    lookup(&order(class), Symbol::new(name)).is_some()
}

/// The text that a body begins with.
pub fn docstring(body: &Block) -> Value {
    match body.first().map(|s| &s.kind) {
        Some(StmtKind::Expr(e)) => match &e.kind {
            ExprKind::Str(s) => Value::Str(Rc::clone(s)),
            _ => Value::None,
        },
        _ => Value::None,
    }
}

/// Tells a function which class it belongs to, for `super()`.
pub(crate) fn own_function(value: &Value, class: &Rc<Class>) {
    match value {
        Value::Function(f) if f.class.borrow().upgrade().is_none() => {
            f.class.replace(Rc::downgrade(class));
        }
        Value::Object(o) => {
            if let Some(d) = o.as_any().downcast_ref::<Descriptor>() {
                own_function(&d.function, class);
                let setter = d.setter.borrow();
                for f in setter.iter().chain(&d.deleter) {
                    own_function(f, class);
                }
            }
        }
        _ => {}
    }
}

/// The function in a `@staticmethod` or `@classmethod`.
fn unwrapped(value: &Value) -> Value {
    match value {
        Value::Object(o) => match o.as_any().downcast_ref::<Descriptor>() {
            Some(d) => d.function.clone(),
            None => value.clone(),
        },
        other => other.clone(),
    }
}

impl Machine {
    pub(crate) fn make_class(
        &mut self,
        name: Name,
        bases: &[Arg],
        body: &Rc<Block>,
        span: Span,
    ) -> Tried<Value> {
        let (mut parents, mut named, mut meta) = (Vec::new(), Vec::new(), None);
        for b in bases {
            let v = self.eval(&b.value)?;
            if b.kind == ArgKind::Positional {
                let v = stand_in::as_base(&v).unwrap_or(v);
                if !matches!(v, Value::Class(_) | Value::Type(_)) {
                    return Err(Halt::new(Kind::Type, "bases must be classes").place(b.span));
                }
                parents.push(v);
                continue;
            }
            let ArgKind::Named(option) = b.kind else { continue };
            if option.as_str() != "metaclass" {
                named.push((option.symbol, v));
            } else if let Value::Class(own) = v
                && meta::is_meta(&own)
            {
                meta = Some(own);
            }
        }
        let meta = meta.or_else(|| meta::inherited(&parents));
        let qualified = self.qualified(name.symbol);
        let mut frame =
            Frame::new(FrameKind::Class, Rc::new(Names::of_class(body)), self.scope.clone());
        frame.title = Some(Rc::clone(&qualified));
        let frame = Rc::new(frame);
        self.with_scope(Some(Rc::clone(&frame)), |m| m.exec_block(body))?;
        let mut attributes: Vec<(Symbol, Value)> = frame.values.borrow().iter().cloned().collect();
        if find_in(&attributes, "__doc__").is_none() {
            attributes.push((Symbol::new("__doc__"), docstring(body)));
        }
        let qualified = match find_in(&attributes, "__qualname__") {
            Some(Value::Str(own)) => own.clone(),
            _ => qualified,
        };
        let Some(meta) = meta else {
            return self
                .finish_class(name.symbol, qualified, parents, attributes, None, named)
                .at(span);
        };
        let contents = self.contents(&qualified, attributes)?;
        let parts = vec![Value::from(name.as_str()), Value::tuple(parents), contents];
        let mut args = Args::new(parts, self.site(span));
        args.named = named;
        self.class_by(&meta, args).at(span)
    }

    /// `type(name, bases, contents)`.
    ///
    /// # Errors
    /// Bases that are not classes, or contradict each other.
    pub fn class_of_parts(
        &mut self,
        name: Symbol,
        bases: Vec<Value>,
        mut attributes: Vec<(Symbol, Value)>,
        meta: Option<Rc<Class>>,
        named: Vec<(Symbol, Value)>,
    ) -> Tried<Value> {
        let meta = meta.or_else(|| meta::inherited(&bases));
        if !bases.iter().all(|b| matches!(b, Value::Class(_) | Value::Type(_))) {
            crate::raise!(Kind::Type, "bases must be types");
        }
        if find_in(&attributes, "__doc__").is_none() {
            attributes.push((Symbol::new("__doc__"), Value::None));
        }
        if self.source.is_own() && find_in(&attributes, "__module__").is_none() {
            attributes.push((Symbol::new("__module__"), Value::from("__main__")));
        }
        let qualified = match find_in(&attributes, "__qualname__") {
            Some(Value::Str(own)) => own.clone(),
            _ => name.as_str().into(),
        };
        attributes.retain(|(n, _)| n.as_str() != "__qualname__");
        self.finish_class(name, qualified, bases, attributes, meta, named)
    }

    fn finish_class(
        &mut self,
        name: Symbol,
        qualified: Rc<str>,
        parents: Vec<Value>,
        attributes: Vec<(Symbol, Value)>,
        meta: Option<Rc<Class>>,
        named: Vec<(Symbol, Value)>,
    ) -> Tried<Value> {
        let merged = merge(&parents).ok_or_else(|| {
            Halt::new(
                Kind::Type,
                format!(
                    "Cannot create a consistent method resolution\norder (MRO) for bases {}",
                    parents.iter().map(class_name).collect::<Vec<_>>().join(", ")
                ),
            )
        })?;
        let class = Rc::new(Class {
            name,
            qualified,
            bases: parents,
            order: RefCell::new(merged),
            attributes: RefCell::new(attributes),
            meta,
        });
        // The library's own classes say where PyTorch has them.
        let home = Symbol::new("__module__");
        if self.source.is_own()
            && find(&class.attributes, home).is_none()
            && let Some(module) = lookup(&class.order.borrow(), home)
        {
            put(&class.attributes, home, module);
        }
        for (_, v) in class.attributes.borrow().iter() {
            own_function(v, &class);
        }
        let instances = |(_, v): &&(Symbol, Value)| matches!(v, Value::Instance(_));
        let held: Vec<_> = class.attributes.borrow().iter().filter(instances).cloned().collect();
        for (name, v) in held {
            if let Some(method) = self.special(&v, "__set_name__") {
                let given = vec![Value::Class(Rc::clone(&class)), Value::from(name.as_str())];
                self.call_with(&method, given, &self.here())?;
            }
        }
        let mut args = Args::new(vec![Value::Class(Rc::clone(&class))], self.here());
        args.named = named;
        let hook = lookup(&class.order.borrow(), Symbol::new("__init_subclass__"));
        match hook {
            Some(hook) => self.call(&unwrapped(&hook), args)?,
            None => meta::no_options(&args)?,
        };
        Ok(Value::Class(class))
    }

    /// `name: annotation` in a class: kept in `__annotations__`; one that has no value (a class
    /// still to come) as its text.
    pub(crate) fn note_annotation(&mut self, target: &Expr, annotation: &Expr) -> Tried<()> {
        let (Some(frame), ExprKind::Name(name)) = (self.scope.clone(), &target.kind) else {
            return Ok(());
        };
        if frame.kind != FrameKind::Class {
            return Ok(());
        }
        let value = match self.eval(annotation) {
            Ok(v) => v,
            Err(h) if h.kind().is_stop() => return Err(h),
            Err(_) => Value::from(self.source.slice(annotation.span)),
        };
        let all = Symbol::new("__annotations__");
        let known = match frame.get(all) {
            Some(Value::Dict(d)) => d,
            _ => {
                let made = crate::values::collector::shared(crate::Dict::default());
                frame.set(all, Value::Dict(Rc::clone(&made)));
                made
            }
        };
        let name = Value::from(name.as_str());
        let key = self.key(&name)?;
        known.written()?.insert(key, name, value);
        Ok(())
    }

    /// A method such as `__add__`, looked up in the class, bound.
    pub fn special(&mut self, owner: &Value, name: &str) -> Option<Value> {
        let class = match owner {
            Value::Instance(i) => i.class(),
            Value::Exception(e) => Rc::clone(e.own.as_ref()?),
            Value::Class(c) => Rc::clone(c.meta.as_ref()?),
            Value::Tensor(_) => {
                let class = tensor_class::class_of(owner)?;
                let found = tensor_class::own(&class, name)?;
                return self.bound(found, owner, &class).ok();
            }
            _ => return None,
        };
        let found = lookup(&order(&class), Symbol::new(name))?;
        // `object`'s own are what happens where the class says nothing.
        if let Value::Builtin(b) = &found
            && b.module == "object"
            && !matches!(owner, Value::Instance(i) if i.base().is_some())
        {
            return None;
        }
        self.bound(found, owner, &class).ok()
    }

    /// `super()` in a method: what the classes after its own have.
    pub fn make_super(&mut self) -> Tried<Value> {
        let mut frame = self.scope.clone();
        while let Some(f) = frame {
            if let Some(class) = &f.class {
                let this = f.values.borrow().first().map(|(_, v)| v.clone());
                if let Some(this) = this {
                    return Ok(Value::Object(Rc::new(Super { class: Rc::clone(class), this })));
                }
            }
            frame = f.parent.clone();
        }
        crate::raise!("super(): no arguments")
    }
}
