//! What may run again inside a function that is differentiated: statements, calls and objects that
//! are known to do the same each time and to change nothing outside. All else is refused.

use crate::expr::upto;
use crate::problem::{Done, Problem};
use crate::writer::Writer;
use std::collections::HashSet;
use vjp_eval::language::class::descriptor::{Descriptor, Role};
use vjp_eval::record::watched_values::Seen;
use vjp_eval::values::containers::find;
use vjp_eval::values::value::{Class, Function as Callee, Instance, Value};
use vjp_syntax::ast::*;
use vjp_syntax::visit;
use vjp_text::{Span, Symbol};
use vjp_torch::nn::is_module;

/// Functions of Python's that give the same each time and change nothing.
const FUNCTIONS: &[&str] = &[
    "abs",
    "all",
    "any",
    "bin",
    "bool",
    "callable",
    "chr",
    "complex",
    "dict",
    "divmod",
    "enumerate",
    "filter",
    "float",
    "format",
    "frozenset",
    "getattr",
    "hasattr",
    "hex",
    "int",
    "isinstance",
    "issubclass",
    "len",
    "list",
    "map",
    "max",
    "min",
    "oct",
    "ord",
    "pow",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "slice",
    "sorted",
    "str",
    "sum",
    "super",
    "tuple",
    "type",
    "zip",
    "object",
];

/// Modules whose functions do.
const MODULES: &[&str] = &["math", "operator", "copy", "statistics", "Tensor"];

/// Functions of the library that are written in Python, and do.
const LIBRARY: &[&str] = &[
    "checkpoint",
    "chain",
    "product",
    "reduce",
    "partial",
    "combinations",
    "permutations",
    "zip_longest",
    "accumulate",
    "stacked",
    "weighted",
    "jacobian",
    "hessian",
    "grad",
    "vjp",
    "jvp",
    "drawn",
    "step",
    "vander",
    "namedtuple",
    "pairwise",
    "repeat",
    "islice",
    "starmap",
];

/// Methods that change what they belong to.
pub(crate) const CHANGES: [&str; 16] = [
    "append",
    "extend",
    "insert",
    "update",
    "add",
    "pop",
    "remove",
    "clear",
    "sort",
    "reverse",
    "setdefault",
    "discard",
    "popitem",
    "appendleft",
    "popleft",
    "move_to_end",
];

/// A name outside that a function reads.
pub(super) struct Read {
    pub name: String,
    pub function: String,
    /// Where the function is written.
    pub written: Span,
}

/// Where a statement stands.
#[derive(Clone, Default)]
struct Place {
    /// The function of the program that is called; None of the statement that is written again.
    function: Option<String>,
    written: Option<Span>,
    /// Its own names, and those of them that are bound to what it made.
    own: HashSet<String>,
    made: HashSet<String>,
}

/// The check of one statement, with the functions that it calls.
struct Check<'w, 'a> {
    writer: &'w Writer<'a>,
    seen: HashSet<*const Callee>,
    /// Names outside that the functions read, and which function.
    reads: Vec<Read>,
}

impl<'a> Writer<'a> {
    /// Refuses a statement that may not run again; names outside that the functions which it calls
    /// read.
    pub(super) fn repeatable(&self, s: &'a Stmt) -> Done<Vec<Read>> {
        let mut check = Check { writer: self, seen: HashSet::new(), reads: Vec::new() };
        check.statement(s, &mut Place::default()).map_err(|p| p.or_at(s.span.start as usize))?;
        Ok(check.reads)
    }

    /// Refuses an expression that may not.
    pub(super) fn repeatable_value(&self, e: &'a Expr) -> Done<Vec<Read>> {
        let mut check = Check { writer: self, seen: HashSet::new(), reads: Vec::new() };
        check.expression(e, &Place::default()).map_err(|p| p.or_at(e.span.start as usize))?;
        Ok(check.reads)
    }

    /// Refuses a function that JAX may not trace: what is handed on to be differentiated.
    pub(super) fn traceable(&self, f: &'a Expr) -> Done<()> {
        let mut check = Check { writer: self, seen: HashSet::new(), reads: Vec::new() };
        for value in check.values(f.span) {
            check
                .called(&value, self.source.slice(f.span))
                .map_err(|p| p.or_at(f.span.start as usize))?;
        }
        Ok(())
    }
}

fn again(what: String) -> Problem {
    Problem::new(
        format!("{what}, and JAX runs the differentiated statements again"),
        "export --to torch",
    )
}

impl<'a> Check<'_, 'a> {
    fn values(&self, span: Span) -> Vec<Value> {
        let kinds = self.writer.sight(span).map(|s| s.kinds.as_slice()).unwrap_or_default();
        let value = |k: &Seen| match k {
            Seen::Value(v) => Some(v.clone()),
            Seen::Tensor(_) | Seen::Array(_) => None,
        };
        kinds.iter().filter_map(value).collect()
    }

    fn text(&self, span: Span) -> String {
        self.writer.source.slice(span).lines().next().unwrap_or_default().to_owned()
    }

    fn block(&mut self, body: &[Stmt], place: &mut Place) -> Done<()> {
        body.iter().try_for_each(|s| self.statement(s, place))
    }

    fn statement(&mut self, s: &Stmt, place: &mut Place) -> Done<()> {
        match &s.kind {
            StmtKind::Expr(e) => match &e.kind {
                ExprKind::Str(_) => Ok(()),
                _ => self.alone(e, place),
            },
            StmtKind::Assign { targets, value } => {
                self.expression(value, place)?;
                let made = is_made(value);
                for t in targets {
                    self.target(t, place)?;
                    if let ExprKind::Name(name) = &t.kind {
                        match made {
                            true => place.made.insert(name.as_str().to_owned()),
                            false => place.made.remove(name.as_str()),
                        };
                    }
                }
                Ok(())
            }
            StmtKind::Augment { target, value, .. } => {
                self.expression(value, place)?;
                self.target(target, place)
            }
            StmtKind::Annotate { target, value, .. } => {
                value.iter().try_for_each(|v| self.expression(v, place))?;
                self.target(target, place)
            }
            StmtKind::For { target, iter, body, orelse } => {
                self.expression(iter, place)?;
                self.target(target, place)?;
                self.block(body, place)?;
                self.block(orelse, place)
            }
            StmtKind::While { test, body, orelse } => {
                self.expression(test, place)?;
                self.block(body, place)?;
                self.block(orelse, place)
            }
            StmtKind::If { arms, orelse } => {
                for (test, body) in arms {
                    self.expression(test, place)?;
                    self.block(body, place)?;
                }
                self.block(orelse, place)
            }
            StmtKind::With { items, body } => {
                items.iter().try_for_each(|(e, _)| self.expression(e, place))?;
                self.block(body, place)
            }
            StmtKind::Return(value) => value.iter().try_for_each(|v| self.expression(v, place)),
            StmtKind::Assert { test, .. } => self.expression(test, place),
            StmtKind::Try { body, handlers, orelse, finally } => {
                let caught = |h: &&Handler| h.body.first().is_some_and(|b| self.writer.was_run(b));
                if place.function.is_some() && handlers.iter().any(|h| caught(&h)) {
                    return Err(again(format!("{} catches an error", self.whose(place))));
                }
                self.block(body, place)?;
                handlers.iter().try_for_each(|h| self.block(&h.body, place))?;
                self.block(orelse, place)?;
                self.block(finally, place)
            }
            StmtKind::Global(all) | StmtKind::Nonlocal(all) => {
                let name = all.first().map_or("", |n| n.as_str());
                Err(again(format!("{} modifies {name}", self.whose(place))))
            }
            // What they hold runs where it is called.
            StmtKind::Def { .. }
            | StmtKind::ShortDef(_)
            | StmtKind::Class { .. }
            | StmtKind::Import(_)
            | StmtKind::FromImport { .. }
            | StmtKind::Pass
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Raise { .. } => Ok(()),
            StmtKind::Del(_) => match &place.function {
                Some(_) => Ok(()),
                None => Err(again("a name is deleted".into())),
            },
        }
    }

    fn whose(&self, place: &Place) -> String {
        place.function.clone().unwrap_or_else(|| "this statement".into())
    }

    /// An expression as a statement: what it changes must be its own.
    fn alone(&mut self, e: &Expr, place: &mut Place) -> Done<()> {
        let ExprKind::Trailers { base, trailers } = &e.kind else {
            return self.expression(e, place);
        };
        let Some((ahead, word, args)) = method_call(trailers) else {
            return self.print(e, base, trailers, place);
        };
        let of = upto(e, base, trailers, ahead.len());
        if !CHANGES.contains(&word) || self.writer.is_tensor(of) {
            return self.expression(e, place);
        }
        args.iter().try_for_each(|a| self.expression(&a.value, place))?;
        self.changed(base, ahead, place, self.text(e.span))
    }

    /// `print(…)` is left out where the statement itself is written again.
    fn print(&mut self, e: &Expr, base: &Expr, trailers: &[Trailer], place: &Place) -> Done<()> {
        let prints =
            matches!((&base.kind, trailers), (ExprKind::Name(n), [_]) if n.as_str() == "print");
        match (prints, &place.function) {
            (true, None) => Ok(()),
            _ => self.expression(e, place),
        }
    }

    /// A list or an object that is changed in place.
    fn changed(&self, base: &Expr, ahead: &[Trailer], place: &Place, text: String) -> Done<()> {
        let own = match (&base.kind, &place.function) {
            // A name at the top level is bound to it again.
            (ExprKind::Name(_), None) => ahead.is_empty(),
            (ExprKind::Name(name), Some(_)) => place.made.contains(name.as_str()),
            _ => false,
        };
        match own {
            true => Ok(()),
            false => Err(again(format!("{text} modifies what was made elsewhere"))),
        }
    }

    fn target(&mut self, e: &Expr, place: &Place) -> Done<()> {
        match &e.kind {
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().try_for_each(|t| self.target(t, place))
            }
            ExprKind::Starred(inner) => self.target(inner, place),
            ExprKind::Trailers { base, trailers } => {
                self.expression(base, place)?;
                for t in trailers {
                    if let TrailerKind::Index(index) = &t.kind {
                        self.expression(index, place)?;
                    }
                }
                let [ahead @ .., _] = trailers.as_slice() else { return Ok(()) };
                // Tensors are bound anew; see `leaves_alone`.
                if self.writer.is_tensor(upto(e, base, trailers, ahead.len()))
                    || self.writer.is_tensor(base.span)
                    || (place.function.is_none() && matches!(base.kind, ExprKind::Name(_)))
                {
                    return Ok(());
                }
                self.changed(base, ahead, place, self.text(e.span))
            }
            _ => Ok(()),
        }
    }

    fn expression(&mut self, e: &Expr, place: &Place) -> Done<()> {
        self.form(e, place).map_err(|p| match place.function {
            // A function stands elsewhere, perhaps in another text.
            Some(_) => p,
            None => p.or_at(e.span.start as usize),
        })
    }

    fn form(&mut self, e: &Expr, place: &Place) -> Done<()> {
        match &e.kind {
            ExprKind::Walrus { name, .. } if place.function.is_none() => {
                return Err(again(format!("{} is bound with :=", name.symbol)));
            }
            ExprKind::Yield { .. } => {
                return Err(again(format!("{} is a generator", self.whose(place))));
            }
            ExprKind::Lambda(_) => return Ok(()),
            ExprKind::Name(name) => {
                if !place.own.contains(name.as_str()) && place.function.is_some() {
                    self.outside(name.as_str(), place)?;
                }
                let values = self.values(e.span);
                // What functions around it share may change between two calls.
                let shared =
                    |v: &Value| is_container(v) || matches!(v, Value::Instance(_)) && !is_module(v);
                if place.function.is_some()
                    && !place.own.contains(name.as_str())
                    && !self.writer.bound.contains(name.as_str())
                    && values.iter().any(shared)
                {
                    let what = format!(
                        "{} reads {} of a function around it",
                        self.whose(place),
                        name.as_str()
                    );
                    return Err(again(what));
                }
                if values.iter().any(|v| matches!(v, Value::Iterator(_))) {
                    return Err(again(format!("{} is an iterator", name.as_str())));
                }
                return Ok(());
            }
            ExprKind::Trailers { base, trailers } => {
                return self.trailers(e, base, trailers, place);
            }
            ExprKind::Chain { .. }
            | ExprKind::Power { .. }
            | ExprKind::Compare { .. }
            | ExprKind::Unary { .. } => {
                let mut objects = false;
                visit::parts(e, &mut |part| {
                    let of = |v: &Value| matches!(v, Value::Instance(_)) && !is_module(v);
                    objects |= self.values(part.span).iter().any(of);
                });
                if objects {
                    return Err(again(format!(
                        "an operator of an object runs in {}",
                        self.text(e.span)
                    )));
                }
            }
            _ => {}
        }
        let mut inner = place.clone();
        if let ExprKind::ListComp { clauses, .. }
        | ExprKind::SetComp { clauses, .. }
        | ExprKind::DictComp { clauses, .. }
        | ExprKind::Generator { clauses, .. } = &e.kind
        {
            for c in clauses {
                crate::names::bindings::targets(&c.target, &mut inner.own);
            }
        }
        let mut parts = Vec::new();
        visit::parts(e, &mut |part| parts.push(part));
        parts.into_iter().try_for_each(|part| self.expression(part, &inner))
    }

    /// A name outside a function: it may not be one that another function changes.
    fn outside(&mut self, name: &str, place: &Place) -> Done<()> {
        if self.writer.nonlocals.contains(name) && !self.writer.bound.contains(name) {
            return Err(again(format!(
                "{} reads {name}, which another function modifies",
                self.whose(place)
            )));
        }
        if let (Some(function), Some(written)) = (place.function.clone(), place.written) {
            self.reads.push(Read { name: name.to_owned(), function, written });
        }
        Ok(())
    }

    fn trailers(&mut self, e: &Expr, base: &Expr, trailers: &[Trailer], place: &Place) -> Done<()> {
        self.expression(base, place)?;
        for (k, t) in trailers.iter().enumerate() {
            let before = upto(e, base, trailers, k);
            let whole = upto(e, base, trailers, k + 1);
            match &t.kind {
                TrailerKind::Index(index) => {
                    self.expression(index, place)?;
                    let of = |v: &Value| matches!(v, Value::Instance(_)) && !is_module(v);
                    if self.values(before).iter().any(of) {
                        return Err(again(format!(
                            "an object's own index runs in {}",
                            self.text(whole)
                        )));
                    }
                }
                TrailerKind::Attr(name) => {
                    for value in self.values(before) {
                        if let Value::Instance(i) = &value {
                            self.attribute(i, name.symbol, place)?;
                        }
                    }
                }
                TrailerKind::Call(args) => {
                    for a in args {
                        self.expression(&a.value, place)?;
                        for value in self.values(a.value.span) {
                            if matches!(value, Value::Function(_) | Value::BoundFunction(_)) {
                                self.called(&value, &self.text(a.value.span))?;
                            }
                        }
                    }
                    if let Some(TrailerKind::Attr(word)) =
                        k.checked_sub(1).map(|j| &trailers[j].kind)
                        && CHANGES.contains(&word.as_str())
                        && self.values(upto(e, base, trailers, k - 1)).iter().any(is_container)
                    {
                        return Err(again(format!(
                            "{} modifies what was made elsewhere",
                            self.text(whole)
                        )));
                    }
                    let callee = self.text(before);
                    for value in self.values(before) {
                        self.called(&value, &callee)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// An attribute of an object of the program: a property runs a function.
    fn attribute(&mut self, i: &Instance, name: Symbol, place: &Place) -> Done<()> {
        if find(&i.attributes, name).is_some() {
            return Ok(());
        }
        let Some(Value::Object(o)) = in_class(&i.class(), name) else { return Ok(()) };
        match o.as_any().downcast_ref::<Descriptor>() {
            Some(d) if d.role == Role::Property => {
                let _ = place;
                self.called(&d.function, name.as_str())
            }
            _ => Ok(()),
        }
    }

    /// What is called.
    fn called(&mut self, value: &Value, text: &str) -> Done<()> {
        match value {
            Value::Function(f) => self.function(f, false),
            Value::BoundFunction(pair) => match (&pair.0, &pair.1) {
                (Value::Function(f), _) | (_, Value::Function(f)) => self.function(f, false),
                _ => Err(again(format!("{text}() may differ each time"))),
            },
            Value::Method(m) => match m.1.name {
                name if is_container(&m.0) && CHANGES.contains(&name) => {
                    Err(again(format!("{text}() modifies what was made elsewhere")))
                }
                _ if matches!(m.0, Value::Iterator(_)) => {
                    Err(again(format!("{text}() takes from an iterator")))
                }
                _ => Ok(()),
            },
            Value::Builtin(b) => {
                let known = b.module.starts_with("torch")
                    || b.module.starts_with("numpy") && b.module != "numpy.random"
                    || MODULES.contains(&b.module)
                    || (b.module == "builtins" && FUNCTIONS.contains(&b.name));
                match (known, b.name) {
                    (true, _) => Ok(()),
                    (false, "print") => Err(Problem::new(
                        "a function that is differentiated prints, and JAX runs it again",
                        "print outside the function, or export --to torch",
                    )),
                    (false, _) => Err(again(format!("{text}() may differ each time"))),
                }
            }
            Value::Type(t) => {
                let known = t.module.starts_with("torch")
                    || t.module.starts_with("numpy")
                    || (t.module == "builtins" && FUNCTIONS.contains(&t.name))
                    || t.name.ends_with("Error")
                    || matches!(
                        t.name,
                        "OrderedDict" | "defaultdict" | "Counter" | "deque" | "namedtuple"
                    );
                match known {
                    true => Ok(()),
                    false => Err(again(format!("{text}() may differ each time"))),
                }
            }
            Value::Class(c) => match in_class(c, Symbol::new("__init__")) {
                Some(Value::Function(f)) if !f.source.is_own() => self.function(&f, true),
                _ => Ok(()),
            },
            Value::Instance(i) if is_module(value) => {
                match in_class(&i.class(), Symbol::new("forward")) {
                    Some(Value::Function(f)) if !f.source.is_own() => self.function(&f, false),
                    _ => Ok(()),
                }
            }
            Value::Object(o) => match o.as_any().downcast_ref::<Descriptor>() {
                Some(d) => self.called(&d.function, text),
                None => Ok(()),
            },
            Value::Instance(_) => Err(again(format!("{text} is an object called like a function"))),
            _ => Ok(()),
        }
    }

    /// A function of the program, or of the library's Python.
    fn function(&mut self, f: &Callee, init: bool) -> Done<()> {
        let name = f.code.name.as_str();
        if f.source.is_own() {
            let known = LIBRARY.contains(&name.trim_end_matches('_')) || name.starts_with('<');
            return match known || f.qualified.contains('.') {
                true => Ok(()),
                false => Err(again(format!("{name}() may differ each time"))),
            };
        }
        if !self.seen.insert(std::ptr::from_ref(f)) {
            return Ok(());
        }
        if f.code.generator {
            return Err(again(format!("{name} is a generator")));
        }
        let called = if name.starts_with('<') { "a lambda" } else { name };
        let own = f.names.locals.iter().map(|s| s.as_str().to_owned()).collect();
        let mut place = Place {
            function: Some(called.to_owned()),
            written: Some(f.code.span),
            own,
            made: HashSet::new(),
        };
        if init && let Some(this) = f.code.params.list.first() {
            place.made.insert(this.name.as_str().to_owned());
        }
        self.block(&f.code.body, &mut place)
    }
}

fn is_container(v: &Value) -> bool {
    matches!(v, Value::List(_) | Value::Dict(_) | Value::Set(_))
}

/// What the program's class or one that it derives from has.
fn in_class(class: &Class, name: Symbol) -> Option<Value> {
    find(&class.attributes, name).or_else(|| {
        class.order.borrow().iter().find_map(|c| match c {
            Value::Class(c) => find(&c.attributes, name),
            _ => None,
        })
    })
}

/// Whether an expression makes a container of its own.
fn is_made(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::List(_)
        | ExprKind::Dict(_)
        | ExprKind::Set(_)
        | ExprKind::ListComp { .. }
        | ExprKind::DictComp { .. }
        | ExprKind::SetComp { .. } => true,
        _ => matches!(name_call(e), Some(("list" | "dict" | "set" | "sorted", _))),
    }
}

/// Names that functions of a program take from functions around them to change them.
pub(crate) fn nonlocals(body: &[Stmt], all: &mut HashSet<String>) {
    for s in body {
        if let StmtKind::Nonlocal(names) = &s.kind {
            all.extend(names.iter().map(|n| n.as_str().to_owned()));
        }
        visit::blocks(s).into_iter().for_each(|b| nonlocals(b, all));
    }
}
