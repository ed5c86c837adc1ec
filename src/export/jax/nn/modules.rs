//! Modules: a dict of parameters, and functions of it. What a module keeps besides is written out.

use super::state::Net;
use crate::code::Code;
use crate::expr::upto;
use crate::names::bindings::bound_in;
use crate::problem::{Done, Perhaps, Problem};
use crate::steps::{Block, BlockKind, Names, Part, Step};
use crate::words;
use crate::writer::Writer;
use std::collections::HashSet;
use std::rc::Rc;
use vjp_eval::record::watched_values::Seen;
use vjp_eval::{Class, Instance, Value};
use vjp_export_torch::literal::{self, quoted};
use vjp_syntax::ast::*;
use vjp_text::Span;
use vjp_torch::nn::module::{Members, Tree, all_members, children, own_members};
use vjp_torch::nn::{as_module, own};

fn address(module: &Rc<Instance>) -> usize {
    Rc::as_ptr(module) as usize
}

impl<'a> Writer<'a> {
    /// The call of a module that has no name: `nn.ReLU()(x)`.
    pub(crate) fn of_module(
        &mut self,
        e: &'a Expr,
        base: &'a Expr,
        trailers: &'a [Trailer],
    ) -> Done<Option<Code>> {
        if let Some((module, k)) = self.module_at(base, trailers) {
            return self.of_net(&module, e, base, trailers, k).map(Some);
        }
        for (k, trailer) in trailers.iter().enumerate() {
            let TrailerKind::Call(args) = &trailer.kind else { continue };
            let Some(module) = self.module_made(upto(e, base, trailers, k)) else {
                continue;
            };
            let args = self.layer_args(args)?;
            let code = self.layer(&module, &args)?;
            return self.stepped_on(code, e, base, trailers, k + 1).map(Some);
        }
        Ok(None)
    }

    /// The module that was seen there; of several that are alike and have no tensors the first.
    fn module_made(&self, span: Span) -> Option<Rc<Instance>> {
        let sight = self.sight(span).filter(|s| !s.many)?;
        let modules = sight.kinds.iter().map(|seen| match seen {
            Seen::Value(value) => as_module(value),
            _ => None,
        });
        let modules: Option<Vec<Rc<Instance>>> = modules.collect();
        let modules = modules?;
        let (first, rest) = modules.split_first()?;
        let kept = |m: &Rc<Instance>| -> Option<Vec<String>> {
            m.attributes.borrow().iter().map(|(_, v)| literal::value(v)).collect()
        };
        let alike = |m: &Rc<Instance>| {
            Rc::ptr_eq(&m.class(), &first.class())
                && kept(m).is_some_and(|k| Some(k) == kept(first))
        };
        rest.iter().all(alike).then(|| Rc::clone(first))
    }

    /// Arguments of a module, by their places.
    fn layer_args(&mut self, args: &'a [Arg]) -> Done<Vec<Code>> {
        let one = |w: &mut Self, a: &'a Arg| match a.kind {
            ArgKind::Positional => w.expr(&a.value),
            _ => Err(Problem::new("a module with named arguments", "pass them by position")),
        };
        args.iter().map(|a| one(self, a)).collect()
    }

    /// A module or an optimiser in the middle of an expression.
    pub(crate) fn constructed(&mut self, c: &Rc<Class>) -> Done<Code> {
        let module = c.module();
        let file = module.as_str().unwrap_or_default();
        let homes = ["torch.optim", "torch.distributions"];
        let home = homes.into_iter().find(|home| file.starts_with(home)).unwrap_or("nn");
        Err(Problem::new(
            format!("{home}.{} has state, and JAX works with pure functions", c.name),
            "assign it to a name at the top level, or export --to torch",
        ))
    }

    pub(crate) fn is_module_class(&self, name: &str) -> bool {
        match self.machine.lookup(name) {
            Some(Value::Class(c)) => c.order.borrow().iter().any(|b| {
                matches!(b, Value::Class(b) if b.name.as_str() == "Module" && words::is_pytorch(b))
            }),
            _ => false,
        }
    }

    /// Remembers a class of modules, whose methods are written where it has an instance.
    pub(crate) fn module_class(&mut self, name: &str, body: &'a [Stmt]) -> Done<()> {
        match self.modules.classes.insert(name.to_owned(), body) {
            None => Ok(()),
            Some(_) => Err(Problem::new(
                format!("{name} is defined twice"),
                "give each class its own name",
            )),
        }
    }

    /// `net = Net()`: its functions and its parameters; None of anything else.
    pub(crate) fn net_bound(&mut self, s: &'a Stmt, name: &str, value: &'a Expr) -> Perhaps<'a> {
        let Some(module) = self.value(value.span).and_then(as_module) else {
            return Ok(None);
        };
        let own_class = !words::is_pytorch(&module.class());
        if !own_class && all_members(&module, "", Members::Both, true).is_empty() {
            // A layer without parameters is a call of a function wherever it is called.
            return Ok(Some(Vec::new()));
        }
        let again = || {
            Problem::new(
                format!("{name} is assigned a module twice, or inside a function"),
                "assign each module once, at the top level, or export --to torch",
            )
        };
        let place = (self.source.id(), s.span);
        let moment = self.watch.moments.iter().find(|m| m.place == place);
        let members = moment
            .and_then(|m| m.modules.iter().find(|(n, _)| n.as_str() == name))
            .map(|(_, members)| members);
        let known = |n: &Net| n.name == name || Rc::ptr_eq(&n.module, &module);
        let (Some(members), true) = (members, self.locals.is_empty()) else {
            return Err(again());
        };
        if self.modules.nets.iter().any(known) {
            return Err(again());
        }
        let parameters = all_members(&module, "", Members::Parameters, true);
        let net = Net {
            name: name.to_owned(),
            module: Rc::clone(&module),
            params: format!("{name}_params"),
            grads: format!("{name}_grads"),
            keys: parameters.iter().map(|(key, t)| (t.id(), key.clone())).collect(),
            buffers: members.iter().map(|(_, id, numbers)| (*id, numbers.clone())).collect(),
        };
        let mut lines = Vec::new();
        for (key, id, numbers) in members {
            if net.key(*id).is_some() {
                let now = parameters.iter().find(|(_, t)| t.id() == *id).map(|(_, t)| t.shape());
                if now.is_some_and(|now| *now != *numbers.shape()) {
                    return Err(Problem::new(
                        format!("{key} of {name} gets its shape at the first call"),
                        "write the layer's sizes instead of a Lazy layer, or export --to torch",
                    ));
                }
                if numbers.numel() > crate::derivatives::calls::MANY {
                    return Err(Problem::new(
                        format!(
                            "{key} of {name} has {} numbers, too many to write out",
                            numbers.numel()
                        ),
                        "export --to torch, which draws the same numbers",
                    ));
                }
                lines.push(format!("    {}: {},", quoted(key), self.array(numbers).text));
            }
        }
        let text = format!("{} = {{\n{}\n}}", net.params, lines.join("\n"));
        let (params, grads) = (net.params.clone(), net.grads.clone());
        self.containers.insert(params.clone());
        self.modules.nets.push(net);
        self.modules.inside.push((self.modules.nets.len() - 1, "params".into()));
        let made = self.module_function(&module, "forward", name);
        self.modules.inside.pop();
        made.map_err(|p| p.or_at(s.span.start as usize))?;
        let mut steps = vec![Step::Comment(String::new())];
        steps.append(&mut self.modules.pending);
        let at = s.span.start as usize;
        let text = if lines.is_empty() { format!("{params} = {{}}") } else { text };
        steps.push(self.added(at, vec![text], &[], &[&params]));
        let mut none = self.added(at, vec![format!("{grads} = {{}}")], &[], &[&grads]);
        if let Step::Line(line) = &mut none {
            (line.idle, line.graded) = (true, false);
        }
        steps.push(none);
        Ok(Some(steps))
    }

    /// The module that a chain of steps leads to, and how many steps that takes.
    pub(crate) fn module_at(
        &self,
        base: &Expr,
        trailers: &[Trailer],
    ) -> Option<(Rc<Instance>, usize)> {
        let ExprKind::Name(name) = &base.kind else { return None };
        let own = self.modules.selves.iter().rev().find(|(n, _)| n == name.as_str());
        let mut module = match own {
            Some((_, module)) => Rc::clone(module),
            None if self.is_local(name.as_str()) => return None,
            None => {
                let net = self.modules.nets.iter().find(|n| n.name == name.as_str())?;
                Rc::clone(&net.module)
            }
        };
        let mut k = 0;
        while let Some(trailer) = trailers.get(k) {
            let inner = children(&module);
            let key = match &trailer.kind {
                TrailerKind::Attr(name) => Some(name.as_str().to_owned()),
                TrailerKind::Index(index) => match self.literal_of(index) {
                    Some(text) => match text.parse::<i64>() {
                        Ok(n) if n < 0 => Some((n + inner.len() as i64).to_string()),
                        _ => Some(text.trim_matches(['\'', '"']).to_owned()),
                    },
                    None => None,
                },
                TrailerKind::Call(_) => None,
            };
            match inner.into_iter().find(|(n, _)| Some(n) == key.as_ref()) {
                Some((_, next)) => module = next,
                None => break,
            }
            k += 1;
        }
        Some((module, k))
    }

    /// The net whose parameters a module has, and what they are called here.
    pub(crate) fn net_of(&self, module: &Rc<Instance>) -> Done<(usize, String)> {
        if let Some(inside) = self.modules.inside.last() {
            return Ok(inside.clone());
        }
        let holds = |n: &Net| {
            let tree = Tree::of(&n.module, "", false);
            tree.modules().any(|m| Rc::ptr_eq(m, module))
        };
        match self.modules.nets.iter().position(holds) {
            Some(at) => Ok((at, self.modules.nets[at].params.clone())),
            None => Err(changed_module(&module.class().name.to_string())),
        }
    }

    /// What is done with a module after `k` steps.
    fn of_net(
        &mut self,
        module: &Rc<Instance>,
        e: &'a Expr,
        base: &'a Expr,
        trailers: &'a [Trailer],
        k: usize,
    ) -> Done<Code> {
        let (net, params) = self.net_of(module)?;
        let whole = self.source.slice(upto(e, base, trailers, k)).to_owned();
        match trailers.get(k).map(|t| &t.kind) {
            None => Err(Problem::new(
                format!("{whole} is a module, and JAX works with pure functions"),
                "call it, or export --to torch",
            )),
            Some(TrailerKind::Call(args)) => {
                let code = self.module_call(module, "forward", net, &params, args)?;
                self.stepped_on(code, e, base, trailers, k + 1)
            }
            Some(TrailerKind::Attr(name)) => {
                let word = name.as_str();
                let called = match trailers.get(k + 1).map(|t| &t.kind) {
                    Some(TrailerKind::Call(args)) => Some(args),
                    _ => None,
                };
                if let Some(args) = called {
                    let listed = match word {
                        "parameters" => Some("values()"),
                        "named_parameters" => Some("items()"),
                        _ => None,
                    };
                    if let Some(listed) = listed {
                        if !Rc::ptr_eq(&self.modules.nets[net].module, module) || !args.is_empty() {
                            return Err(Problem::new(
                                format!(
                                    "the parameters of {whole}, a part of a module, are used alone"
                                ),
                                "use the parameters of the whole module, or export --to torch",
                            ));
                        }
                        self.reads_params(net, &params);
                        let code = Code::from(format!("{params}.{listed}"));
                        return self.stepped_on(code, e, base, trailers, k + 2);
                    }
                    if word == "forward" || self.method_of(module, word).is_some() {
                        let code = self.module_call(module, word, net, &params, args)?;
                        return self.stepped_on(code, e, base, trailers, k + 2);
                    }
                }
                match own(module, word) {
                    Some(Value::Tensor(t)) => {
                        let of_net = &self.modules.nets[net];
                        let was = of_net.buffers.iter().find(|(id, _)| *id == t.id());
                        let still = was.is_some_and(|(_, was)| was.data() == t.value().data());
                        let key = of_net.key(t.id()).map(quoted);
                        if key.is_none() && still {
                            let code = self.array(&t.value());
                            return self.stepped_on(code, e, base, trailers, k + 1);
                        }
                        let Some(key) = key else {
                            return Err(Problem::new(
                                format!("{whole}.{word} is a tensor that is not a parameter"),
                                "make it an argument of forward, or export --to torch",
                            ));
                        };
                        self.reads_params(net, &params);
                        let code = Code::from(format!("{params}[{key}]"));
                        self.stepped_on(code, e, base, trailers, k + 1)
                    }
                    Some(value) if word != "training" => match (&value, called) {
                        (Value::Builtin(_), Some(args)) => {
                            let span = upto(e, base, trailers, k + 2);
                            let code = self.library_call(&value, args, span)?;
                            self.stepped_on(code, e, base, trailers, k + 2)
                        }
                        _ => match literal::value(&value) {
                            Some(text) => self.stepped_on(text.into(), e, base, trailers, k + 1),
                            None => Err(changed_module(&format!("{whole}.{word}"))),
                        },
                    },
                    _ => Err(changed_module(&format!("{whole}.{word}"))),
                }
            }
            Some(TrailerKind::Index(_)) => Err(changed_module(&format!("{whole}[…]"))),
        }
    }

    /// The place of a parameter of a module that is written to.
    pub(crate) fn parameter_of(&mut self, module: &Rc<Instance>, step: &Trailer) -> Done<String> {
        let (net, params) = self.net_of(module)?;
        let key = match &step.kind {
            TrailerKind::Attr(word) => match own(module, word.as_str()) {
                Some(Value::Tensor(t)) => self.modules.nets[net].key(t.id()).map(quoted),
                _ => None,
            },
            _ => None,
        };
        match key.filter(|_| self.modules.inside.is_empty()) {
            Some(key) => Ok(format!("{params}[{key}]")),
            None => Err(changed_module("this assignment to a part of a module")),
        }
    }

    /// `len(self.layers)`.
    pub(crate) fn length_of_modules(&self, args: &[Arg]) -> Option<usize> {
        let [Arg { value, .. }] = args else { return None };
        let (module, _) = match &value.kind {
            ExprKind::Trailers { base, trailers } => {
                self.module_at(base, trailers).filter(|(_, k)| *k == trailers.len())?
            }
            _ => self.module_at(value, &[])?,
        };
        let several = matches!(module.class().name.as_str(), "Sequential" | "ModuleList");
        several.then(|| children(&module).len())
    }

    /// Notes that a step reads a net's parameters.
    pub(crate) fn reads_params(&mut self, net: usize, params: &str) {
        if self.modules.nets[net].params == params {
            self.reads.insert(params.to_owned());
            self.recorded.insert(params.to_owned());
        }
    }

    /// A call of a module, or of a method of it, as a call of a function.
    fn module_call(
        &mut self,
        module: &Rc<Instance>,
        method: &str,
        net: usize,
        params: &str,
        args: &'a [Arg],
    ) -> Done<Code> {
        let outside = self.modules.inside.is_empty();
        let simple = words::is_pytorch(&module.class()) && children(module).is_empty();
        let root = Rc::ptr_eq(&self.modules.nets[net].module, module);
        if simple && !(outside && root) {
            let args = self.layer_args(args)?;
            self.modules.inside.push((net, params.to_owned()));
            let code = self.layer(module, &args);
            self.modules.inside.pop();
            if !own_members(module, Members::Parameters).is_empty() {
                self.reads_params(net, params);
            }
            return code;
        }
        let known = self.modules.functions.get(&(address(module), method.to_owned())).cloned();
        let function = match known {
            Some(function) => function,
            None if outside => {
                return Err(Problem::new(
                    "a part or a method of a module is called from outside the module",
                    "call the module itself, or export --to torch",
                ));
            }
            None => {
                let root = &self.modules.nets[net];
                let tree = Tree::of(&root.module, "", false);
                let at = tree.modules().position(|m| Rc::ptr_eq(m, module)).unwrap_or(0);
                let mut name = root.name.clone();
                for part in tree.path(at).split('.').filter(|p| !p.is_empty()) {
                    name = format!("{name}_{part}");
                }
                if method != "forward" {
                    name = format!("{name}_{method}");
                }
                while self.bound.contains(&name) {
                    name.push('_');
                }
                self.module_function(module, method, &name)?;
                name
            }
        };
        let texts = self.plain_args(args)?;
        self.reads.insert(function.clone());
        self.reads_params(net, params);
        let comma = if texts.is_empty() { "" } else { ", " };
        Ok(format!("{function}({params}{comma}{texts})").into())
    }

    /// A method of a class of the program, by the class of a module and those that it derives from.
    fn method_of(&self, module: &Rc<Instance>, word: &str) -> Option<&'a Function> {
        let mut classes = vec![module.class().name.as_str().to_owned()];
        classes.extend(module.class().order.borrow().iter().filter_map(|c| match c {
            Value::Class(c) => Some(c.name.as_str().to_owned()),
            _ => None,
        }));
        let bodies = classes.iter().filter_map(|c| self.modules.classes.get(c));
        bodies.flat_map(|b| b.iter()).find_map(|s| match &s.kind {
            StmtKind::Def { function, decorators }
                if function.name.as_str() == word && decorators.is_empty() =>
            {
                Some(&**function)
            }
            _ => None,
        })
    }

    /// Writes a method of a module as a function of its parameters.
    fn module_function(&mut self, module: &Rc<Instance>, method: &str, name: &str) -> Done<()> {
        let key = (address(module), method.to_owned());
        self.modules.functions.insert(key, name.to_owned());
        // What the function reads is not what the step reads that calls it.
        let aside = self.begin();
        let places = std::mem::take(&mut self.places);
        let made = match self.method_of(module, method) {
            Some(function) => self.method_function(module, function, name),
            None if words::is_pytorch(&module.class()) => self.layer_function(module, name),
            None => Err(changed_module(&format!("{}.{method}", module.class().name))),
        };
        self.places = places;
        self.end(aside);
        let mut step = made?;
        unrepeated(&mut step);
        self.modules.pending.push(step);
        self.modules.pending.push(Step::Comment(String::new()));
        Ok(())
    }

    fn layer_function(&mut self, module: &Rc<Instance>, name: &str) -> Done<Step<'a>> {
        let mut body = Vec::new();
        self.locals.push(HashSet::from(["params".to_owned(), "x".to_owned()]));
        let made = self.layer_lines(module, &mut body);
        self.locals.pop();
        made?;
        let part = Part {
            head: format!("def {name}(params, x):"),
            reads: Names::new(),
            writes: Names::new(),
            body,
        };
        let params = Names::from(["params".to_owned(), "x".to_owned()]);
        let kind = BlockKind::Def(name.to_owned(), params);
        Ok(Step::Block(Block { at: 0, tree: None, kind, parts: vec![part] }))
    }

    fn layer_lines(&mut self, module: &Rc<Instance>, body: &mut Vec<Step<'a>>) -> Done<()> {
        let parts = match module.class().name.as_str() {
            "Sequential" => children(module).into_iter().map(|(_, m)| m).collect(),
            _ => vec![Rc::clone(module)],
        };
        for (n, part) in parts.iter().enumerate() {
            let last = n + 1 == parts.len();
            let x = Code::from("x");
            let simple = words::is_pytorch(&part.class())
                && (children(part).is_empty() || Rc::ptr_eq(part, module));
            let code = match simple {
                true => self.layer(part, &[x])?,
                false => {
                    let Some((net, _)) = self.modules.inside.last().cloned() else {
                        return Err(changed_module(&part.class().name.to_string()));
                    };
                    let code = self.module_call(part, "forward", net, "params", &[])?;
                    format!("{}, x)", code.text.trim_end_matches(')')).into()
                }
            };
            let text = match last {
                true => format!("return {}", code.text),
                false => format!("x = {}", code.text),
            };
            if text != "x = x" {
                body.push(self.added(0, vec![text], &[], &[]));
            }
        }
        Ok(())
    }

    fn method_function(
        &mut self,
        module: &Rc<Instance>,
        function: &'a Function,
        name: &str,
    ) -> Done<Step<'a>> {
        let Some((this, rest)) = function.params.list.split_first() else {
            return Err(changed_module(name));
        };
        let mut heads = vec!["params".to_owned()];
        for p in rest {
            let own = p.name.as_str();
            if !matches!(p.kind, ParamKind::Normal) || own == "params" {
                return Err(changed_module(&format!("the parameter {own}")));
            }
            heads.push(match &p.default {
                Some(default) => format!("{own}={}", self.expr(default)?.text),
                None => own.to_owned(),
            });
        }
        let mut own: HashSet<String> = rest.iter().map(|p| p.name.as_str().to_owned()).collect();
        let mut outer = HashSet::new();
        bound_in(&function.body, &mut own, &mut outer);
        if own.contains("params") || !outer.is_empty() {
            return Err(Problem::new(
                format!("{name} assigns to params, or to a global name"),
                "use another name",
            ));
        }
        own.insert("params".into());
        let bound = own.clone();
        let params: Names =
            heads.iter().map(|h| h.split('=').next().unwrap_or(h).to_owned()).collect();
        self.locals.push(own);
        self.modules.selves.push((this.name.as_str().to_owned(), Rc::clone(module)));
        let part = self.part(format!("def {name}({}):", heads.join(", ")), [], &function.body);
        self.modules.selves.pop();
        self.locals.pop();
        let mut part = part?;
        if part.body.iter().any(Step::sweeps) {
            return Err(changed_module(name));
        }
        let docs =
            |s: &Stmt| matches!(&s.kind, StmtKind::Expr(e) if matches!(e.kind, ExprKind::Str(_)));
        if function.body.first().is_some_and(docs) {
            part.body.remove(0);
        }
        self.effects(name, &part, &bound, &[]);
        let kind = BlockKind::Def(name.to_owned(), params);
        Ok(Step::Block(Block {
            at: function.span.start as usize,
            tree: None,
            kind,
            parts: vec![part],
        }))
    }

    /// `net_grads` of `net_params`, `ws_grads` of a list `ws`.
    pub(crate) fn grads_of(&self, root: &str) -> String {
        let net = self.modules.nets.iter().find(|n| n.params == root);
        net.map_or_else(|| format!("{root}_grads"), |n| n.grads.clone())
    }

    /// The text of a parameter that a layer keeps; None of another tensor.
    pub(crate) fn parameter_text(&self, id: usize) -> Option<String> {
        let (net, params) = self.modules.inside.last()?;
        self.modules.nets[*net].key(id).map(|key| format!("{params}[{}]", quoted(key)))
    }
}

/// Steps of a module's method mean what they mean where it was called: they are not written again.
fn unrepeated(step: &mut Step) {
    match step {
        Step::Line(line) => line.tree = None,
        Step::Block(block) => {
            block.parts.iter_mut().flat_map(|p| &mut p.body).for_each(unrepeated);
        }
        _ => {}
    }
}

pub(crate) fn changed_module(what: &str) -> Problem {
    Problem::new(
        format!("{what} cannot be translated to JAX"),
        "write it as a function of its parameters, or export --to torch",
    )
}
