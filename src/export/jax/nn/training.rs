//! Loops over modules and their parameters, and statements that train them.

use super::modules::changed_module;
use crate::expr::upto;
use crate::names::bindings::targets;
use crate::problem::{Done, Perhaps, Problem, Steps};
use crate::steps::{BlockKind, Step};
use crate::write::Target;
use crate::writer::Writer;
use std::collections::HashSet;
use std::rc::Rc;
use vjp_eval::{Instance, Value};
use vjp_export_torch::literal::quoted;
use vjp_syntax::ast::*;
use vjp_torch::nn::module::{Members, all_members, children};

impl<'a> Writer<'a> {
    /// `for layer in self.layers:` is one turn for each; `for p in net.parameters():` goes through the
    /// dict. None of other loops.
    pub(crate) fn through_modules(
        &mut self,
        s: &'a Stmt,
        target: &'a Expr,
        iter: &'a Expr,
        body: &'a [Stmt],
    ) -> Perhaps<'a> {
        if let ExprKind::Trailers { base, trailers } = &iter.kind {
            if let Some((module, k)) = self.module_at(base, trailers) {
                return self.through(s, &module, &trailers[k..], target, body);
            }
            if let Some(steps) = self.beside_gradients(s, iter, target, body)? {
                return Ok(Some(steps));
            }
            // `for k, layer in enumerate(self.layers):`
            if let Some(("enumerate", [Arg { value, .. }])) = name_call(iter)
                && let ExprKind::Trailers { base, trailers } = &value.kind
                && let Some((module, k)) = self.module_at(base, trailers)
                && k == trailers.len()
                && let ExprKind::Tuple(names) = &target.kind
                && let [
                    Expr { kind: ExprKind::Name(count), .. },
                    Expr { kind: ExprKind::Name(one), .. },
                ] = names.as_slice()
            {
                return self.unrolled(&module, one.as_str(), Some(count.as_str()), body).map(Some);
            }
        }
        Ok(None)
    }

    /// `for p, g in zip(net.parameters(), grads):` goes through the dict and the gradients.
    fn beside_gradients(
        &mut self,
        s: &'a Stmt,
        iter: &'a Expr,
        target: &'a Expr,
        body: &'a [Stmt],
    ) -> Perhaps<'a> {
        let (Some(("zip", [over, others @ ..])), ExprKind::Tuple(names)) =
            (name_call(iter), &target.kind)
        else {
            return Ok(None);
        };
        let [Expr { kind: ExprKind::Name(parameter), .. }, rest @ ..] = names.as_slice() else {
            return Ok(None);
        };
        if !matches!(over.value.kind, ExprKind::Trailers { .. }) || !self.locals.is_empty() {
            return Ok(None);
        }
        let Some(params) = self.parameters_of(&over.value)? else { return Ok(None) };
        let mut own = HashSet::new();
        rest.iter().for_each(|t| targets(t, &mut own));
        let key = self.free_key();
        let heads: Vec<&str> = rest.iter().map(|t| self.source.slice(t.span)).collect();
        let others: Done<Vec<String>> =
            others.iter().map(|a| Ok(self.expr(&a.value)?.text)).collect();
        let head =
            format!("for {key}, {} in zip({params}, {}):", heads.join(", "), others?.join(", "));
        own.insert(key.to_owned());
        self.reads.insert(params.clone());
        self.places.push((parameter.as_str().to_owned(), format!("{params}[{key}]")));
        let part = self.part(head, own, body);
        self.places.pop();
        self.gone.push(parameter.as_str().to_owned());
        Ok(Some(vec![self.block(s, BlockKind::Loop, vec![part?])]))
    }

    /// A name for the keys of parameters.
    fn free_key(&self) -> &'static str {
        let free = |n: &&str| !self.bound.contains(*n) && !self.is_local(n);
        ["name", "key", "key_"].into_iter().find(free).unwrap_or("key__")
    }

    fn through(
        &mut self,
        s: &'a Stmt,
        module: &Rc<Instance>,
        rest: &'a [Trailer],
        target: &'a Expr,
        body: &'a [Stmt],
    ) -> Perhaps<'a> {
        let word = match rest {
            [] => "children",
            _ if let Some(([], word, [])) = method_call(rest) => word,
            _ => return Ok(None),
        };
        let names: Vec<&str> = match &target.kind {
            ExprKind::Name(name) => vec![name.as_str()],
            ExprKind::Tuple(items) => items
                .iter()
                .filter_map(|i| match &i.kind {
                    ExprKind::Name(name) => Some(name.as_str()),
                    _ => None,
                })
                .collect(),
            _ => return Ok(None),
        };
        let (key, parameter) = match (word, names.as_slice()) {
            ("children", [one]) => return self.unrolled(module, one, None, body).map(Some),
            ("parameters", [one]) => (self.free_key(), *one),
            ("named_parameters", [name, one]) => (*name, *one),
            _ => return Ok(None),
        };
        let (net, params) = self.net_of(module)?;
        if !self.locals.is_empty() {
            return Err(changed_module("a loop over parameters inside a function"));
        }
        let over = match Rc::ptr_eq(&self.modules.nets[net].module, module) {
            true => params.clone(),
            false => {
                let ids: Vec<usize> = all_members(module, "", Members::Parameters, true)
                    .iter()
                    .map(|(_, t)| t.id())
                    .collect();
                let keys = self.modules.nets[net].keys.iter();
                let keys: Vec<String> =
                    keys.filter(|(id, _)| ids.contains(id)).map(|(_, k)| quoted(k)).collect();
                format!("[{}]", keys.join(", "))
            }
        };
        self.reads.insert(params.clone());
        self.places.push((parameter.to_owned(), format!("{params}[{key}]")));
        let part = self.part(format!("for {key} in {over}:"), [key.to_owned()], body);
        self.places.pop();
        self.gone.push(parameter.to_owned());
        let part = part?;
        let empty = part.body.iter().all(|s| matches!(s, Step::Comment(_)));
        Ok(Some(match empty {
            true => Vec::new(),
            false => vec![self.block(s, BlockKind::Loop, vec![part])],
        }))
    }

    /// `… for p in net.parameters()`: from here on p is an element of the dict.
    pub(crate) fn over_parameters(&mut self, clauses: &'a [Clause]) -> Option<()> {
        let [Clause { target, iter, .. }] = clauses else { return None };
        let ExprKind::Trailers { base, trailers } = &iter.kind else { return None };
        let (module, k) = self.module_at(base, trailers)?;
        let Some(([], word, [])) = method_call(&trailers[k..]) else { return None };
        let (net, params) = self.net_of(&module).ok()?;
        if k > 0 || !self.replaced.is_empty() {
            return None;
        }
        let (key, one) = match (word, &target.kind) {
            ("parameters", ExprKind::Name(one)) => (one.as_str().to_owned(), one.as_str()),
            ("named_parameters", ExprKind::Tuple(items)) => match items.as_slice() {
                [
                    Expr { kind: ExprKind::Name(key), .. },
                    Expr { kind: ExprKind::Name(one), .. },
                ] => (key.as_str().to_owned(), one.as_str()),
                _ => return None,
            },
            _ => return None,
        };
        self.reads_params(net, &params);
        let key = if key == one { "name".to_owned() } else { key };
        self.places.push((one.to_owned(), format!("{params}[{key}]")));
        self.replaced = vec![(target.span, key), (iter.span, params)];
        Some(())
    }

    /// The body once for each module.
    fn unrolled(
        &mut self,
        module: &Rc<Instance>,
        name: &str,
        count: Option<&str>,
        body: &'a [Stmt],
    ) -> Steps<'a> {
        let leaves = |s: &Stmt| matches!(s.kind, StmtKind::Break | StmtKind::Continue);
        if self.modules.inside.is_empty() || body.iter().any(leaves) {
            return Err(changed_module("a loop over modules outside a module"));
        }
        let mut steps = Vec::new();
        for (n, (_, part)) in children(module).into_iter().enumerate() {
            self.modules.selves.push((name.to_owned(), part));
            let counted = count.map(|c| self.places.push((c.to_owned(), n.to_string())));
            let made = self.body(body);
            if counted.is_some() {
                self.places.pop();
            }
            self.modules.selves.pop();
            steps.extend(made?);
        }
        Ok(steps)
    }

    /// `net.zero_grad()`, `net.train()`, `nn.init.zeros_(net.weight)`; None of anything else.
    pub(crate) fn of_training(
        &mut self,
        s: &'a Stmt,
        e: &'a Expr,
        base: &'a Expr,
        trailers: &'a [Trailer],
    ) -> Perhaps<'a> {
        if let Some(steps) = self.optimiser_called(s, base, trailers)? {
            return Ok(Some(steps));
        }
        if let Some(steps) = self.scheduler_called(s, base, trailers)? {
            return Ok(Some(steps));
        }
        if let Some((module, k)) = self.module_at(base, trailers)
            && let Some(([], word, args)) = method_call(&trailers[k..])
        {
            let (net, _) = self.net_of(&module)?;
            return Ok(match word {
                // Layers that behave otherwise are refused where they are called.
                "train" | "eval" => Some(Vec::new()),
                "requires_grad_" => Some(Vec::new()),
                "zero_grad" if k == 0 && args.is_empty() => {
                    let grads = self.modules.nets[net].grads.clone();
                    Some(vec![self.cleared(s, &grads, "{}")])
                }
                _ => None,
            });
        }
        self.initialised(s, e, base, trailers)
    }

    /// A gradient is none from here on.
    pub(crate) fn cleared(&mut self, s: &'a Stmt, grads: &str, none: &str) -> Step<'a> {
        let mut line =
            self.added(s.span.start as usize, vec![format!("{grads} = {none}")], &[], &[grads]);
        if let Step::Line(line) = &mut line {
            (line.idle, line.graded) = (true, false);
        }
        line
    }

    /// `nn.init.constant_(net.weight, 0.5)`: a parameter's new numbers.
    fn initialised(
        &mut self,
        s: &'a Stmt,
        e: &'a Expr,
        base: &'a Expr,
        trailers: &'a [Trailer],
    ) -> Perhaps<'a> {
        // `drawn(nn.init.normal_, net.weight)`, as the PyTorch program draws at float32.
        if let Some(("drawn", [_, target, ..])) = name_call(e)
            && self.is_tensor(target.value.span)
        {
            return self.drawn_into(s, e, &target.value).map(Some);
        }
        let Some((ahead, word, args)) = method_call(trailers) else { return Ok(None) };
        if let "clip_grad_norm_" | "clip_grad_value_" = word {
            return self.clipped(s, word.trim_end_matches('_'), args);
        }
        let text = self.source.slice(upto(e, base, trailers, ahead.len()));
        let Some(first) = args.first().filter(|_| text == "init" || text.ends_with(".init")) else {
            return Ok(None);
        };
        let target = self.target(&first.value)?;
        let now = self.current(&target).text;
        let rest = args.get(1).map(|a| self.expr(&a.value)).transpose()?;
        let new = match (word, rest) {
            ("zeros_", None) => format!("jnp.zeros_like({now})"),
            ("ones_", None) => format!("jnp.ones_like({now})"),
            ("constant_", Some(value)) => format!("jnp.full_like({now}, {})", value.text),
            _ => return self.drawn_into(s, e, &first.value).map(Some),
        };
        Ok(Some(vec![self.filled(s, &target, &new)]))
    }

    /// A tensor's new numbers are those that were drawn.
    fn drawn_into(&mut self, s: &'a Stmt, e: &'a Expr, target: &'a Expr) -> Steps<'a> {
        let target = self.target(target)?;
        let new = match self.sight(e.span).map(|s| s.drawn.as_slice()) {
            Some([Value::Tensor(t)]) if t.value().numel() <= crate::derivatives::calls::MANY => {
                self.array(&t.value()).text
            }
            _ => return Err(Problem::lacks(self.source.slice(e.span))),
        };
        Ok(vec![self.filled(s, &target, &new)])
    }

    fn filled(&mut self, s: &'a Stmt, target: &Target, new: &str) -> Step<'a> {
        let text = self.put(target, new);
        let root = target.name.split('[').next().unwrap_or("").to_owned();
        self.reads.insert(root.clone());
        let mut line = self.line(s, vec![text], [root], false);
        if let Step::Line(line) = &mut line {
            line.silent = true;
        }
        line
    }

    /// `clip_grad_norm_(net.parameters(), 1.0)`: smaller gradients.
    fn clipped(&mut self, s: &'a Stmt, helper: &str, args: &'a [Arg]) -> Perhaps<'a> {
        let ([Arg { value: over, .. }, Arg { value: by, .. }], true) =
            (args, args.iter().all(|a| a.kind != ArgKind::Spread))
        else {
            return Ok(None);
        };
        let ExprKind::Trailers { base, trailers } = &over.kind else { return Ok(None) };
        let (Some((module, 0)), 2) = (self.module_at(base, trailers), trailers.len()) else {
            return Ok(None);
        };
        let (net, _) = self.net_of(&module)?;
        let grads = self.modules.nets[net].grads.clone();
        let by = self.expr(by)?.text;
        let helper = self.helper(helper);
        self.reads.insert(grads.clone());
        let text = format!("{grads} = {helper}({grads}, {by})");
        let mut line = self.line(s, vec![text], [grads], false);
        if let Step::Line(line) = &mut line {
            line.tree = None;
        }
        Ok(Some(vec![line]))
    }
}
