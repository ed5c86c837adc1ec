//! Assignments and writes in place: names are bound to new values.

use super::code::Code;
use super::expr::upto;
use super::names::bindings::targets;
use super::problem::{Done, Problem, Steps};
use super::steps::Step;
use super::write::Target;
use super::writer::Writer;
use std::collections::HashSet;
use vjp_eval::Value;
use vjp_eval::leaf::existing;
use vjp_export_torch::literal;
use vjp_syntax::ast::*;
use vjp_text::{Span, Symbol};

impl<'a> Writer<'a> {
    /// A statement that only writes in place: `y.add_(1)`; also what was written.
    pub(super) fn written_in_place(
        &mut self,
        s: &'a Stmt,
        e: &'a Expr,
    ) -> Done<Option<(Vec<Step<'a>>, String)>> {
        let ExprKind::Trailers { base, trailers } = &e.kind else {
            return Ok(None);
        };
        let Some((ahead, word, args)) = method_call(trailers) else { return Ok(None) };
        let k = ahead.len();
        let of = upto(e, base, trailers, k);
        let in_place = word.ends_with('_') && !word.ends_with("__");
        if !in_place || !(self.is_tensor(of) || self.sight(of).is_none()) {
            return Ok(None);
        }
        let Some(b) = vjp_library::methods::of_tensors(Symbol::new(word)) else {
            return Ok(None);
        };
        // What a function of the library made is nobody's.
        if let (ExprKind::Name(name), [_, ..]) = (&base.kind, ahead)
            && matches!(self.known_name(name.as_str(), base.span), Some(Value::Module(_)))
        {
            return Ok(None);
        }
        if word == "requires_grad_" {
            let named = ahead.is_empty() && matches!(base.kind, ExprKind::Name(_));
            return Ok(named.then(|| (Vec::new(), self.source.slice(of).to_owned())));
        }
        let target = match ahead {
            [] => self.target(base)?,
            _ => self.part_target(e, base, ahead)?,
        };
        let now = self.current(&target);
        let subject = super::code::Subject { code: now.clone(), span: of };
        let whole = upto(e, base, trailers, k + 2);
        let root = target.name.split(['[', '.']).next().unwrap_or("").to_owned();
        self.reads.insert(root.clone());
        let new = self.written_over(&subject, b, args, whole)?;
        let unseen = self.unseen(e, of, &root)?;
        let new = self.behind(&target, new, unseen);
        let text = self.put(&target, &new.text);
        let idle = word == "zero_" && target.name.ends_with("_grad");
        let mut line = self.line(s, vec![text], [root.clone()], true);
        if let Step::Line(line) = &mut line {
            line.idle = idle;
            line.graded |= unseen;
            line.silent = self.silent(e);
        }
        Ok(Some((vec![line], target.name)))
    }

    pub(super) fn assignment(
        &mut self,
        s: &'a Stmt,
        all: &'a [Expr],
        value: &'a Expr,
    ) -> Steps<'a> {
        if let [Expr { kind: ExprKind::Name(name), .. }] = all {
            if let Some(steps) = self.net_bound(s, name.as_str(), value)? {
                return Ok(steps);
            }
            if let Some(steps) = self.scheduler_bound(s, name.as_str(), value)? {
                return Ok(steps);
            }
            if let Some(steps) = self.optimiser_bound(s, name.as_str(), value)? {
                return Ok(steps);
            }
        }
        if let [Expr { kind: ExprKind::Name(name), .. }] = all {
            self.gone.retain(|n| n != name.as_str());
        }
        if let [target] = all
            && let Some(steps) = self.rate_assigned(s, target, "", value)?
        {
            return Ok(steps);
        }
        if let [Expr { kind: ExprKind::Name(name), .. }] = all
            && let Some(steps) = self.hook_bound(s, name.as_str(), value)?
        {
            return Ok(steps);
        }
        // `y = x.add_(1)` names what was written.
        if let ([Expr { kind: ExprKind::Name(name), .. }], ExprKind::Trailers { .. }) =
            (all, &value.kind)
            && let Some((mut steps, target)) = self.written_in_place(s, value)?
        {
            let name = name.as_str().to_owned();
            let root = target.split('[').next().unwrap_or("").to_owned();
            steps.push(self.added(
                s.span.start as usize,
                vec![format!("{name} = {target}")],
                &[&root],
                &[&name],
            ));
            return Ok(steps);
        }
        let plain = |e: &Expr| match &e.kind {
            ExprKind::Name(_) => true,
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().all(|t| matches!(t.kind, ExprKind::Name(_) | ExprKind::Starred(_)))
            }
            _ => false,
        };
        if all.iter().all(plain) {
            let mut own = HashSet::new();
            all.iter().for_each(|t| targets(t, &mut own));
            let code = self.expr(value)?;
            let heads: Vec<&str> = all.iter().map(|t| self.source.slice(t.span)).collect();
            let text = format!("{} = {}", heads.join(" = "), code.text);
            // A function that reads what gradients flow to is made anew with it.
            let function = matches!(self.value(value.span), Some(Value::Function(_)));
            let reads =
                !self.recorded.is_empty() || self.reads.iter().any(|n| self.leaves.contains(n));
            let graded = self.asks_gradient(value.span) || (function && reads);
            let mut step = self.line(s, vec![text], own, graded);
            // Also inside `no_grad`, where `z.contiguous()` is z; a view is another tensor there.
            if let Step::Line(line) = &mut step {
                line.graded = graded && (line.graded || is_itself(value));
            }
            if let [Expr { kind: ExprKind::Name(name), .. }] = all
                && !self.is_tensor(value.span)
            {
                self.named_effects(name.as_str(), &step);
            }
            return Ok(vec![step]);
        }
        match all {
            [target] => match &target.kind {
                ExprKind::Tuple(items) | ExprKind::List(items) => {
                    self.each_assigned(s, items, value)
                }
                _ => {
                    let code = self.expr(value)?;
                    self.assigned(s, target, &code, value.span)
                }
            },
            _ => self.all_assigned(s, all, value),
        }
    }

    /// `a.grad = b.grad = None`: the value once, then to each; a name among the targets keeps it.
    fn all_assigned(&mut self, s: &'a Stmt, all: &'a [Expr], value: &'a Expr) -> Steps<'a> {
        let mut code = self.expr(value)?;
        let named = all.iter().position(|t| matches!(t.kind, ExprKind::Name(_)));
        let fixed = matches!(value.kind, ExprKind::None | ExprKind::Name(_));
        let mut steps = Vec::new();
        if let Some(target) = named.map(|k| &all[k]) {
            steps.extend(self.assigned(s, target, &code, value.span)?);
            code = self.source.slice(target.span).into();
        } else if !fixed {
            return Err(Problem::new(
                "this assigns to several targets at once",
                "write one assignment for each",
            ));
        }
        for (k, target) in all.iter().enumerate() {
            if Some(k) != named {
                steps.extend(self.assigned(s, target, &code, value.span)?);
            }
        }
        Ok(steps)
    }

    /// `m[0], m[1] = …`: the values first, then each to its place.
    fn each_assigned(&mut self, s: &'a Stmt, items: &'a [Expr], value: &'a Expr) -> Steps<'a> {
        let starred = |t: &Expr| {
            matches!(t.kind, ExprKind::Starred(_) | ExprKind::Tuple(_) | ExprKind::List(_))
        };
        if items.iter().any(starred) {
            return Err(Problem::new(
                "this unpacks into places with a * or brackets among them",
                "assign to names, then to the places",
            ));
        }
        let code = self.expr(value)?;
        let names: Vec<String> = (0..items.len()).map(|k| format!("new_{k}")).collect();
        let graded = self.asks_gradient(value.span);
        let comma = if items.len() == 1 { "," } else { "" };
        let text = format!("{}{comma} = {}", names.join(", "), code.text);
        let mut steps = vec![self.line(s, vec![text], names.clone(), graded)];
        if let Some(Step::Line(line)) = steps.last_mut() {
            line.tree = None;
        }
        for (item, name) in items.iter().zip(&names) {
            self.reads.insert(name.clone());
            self.recorded.insert(name.clone());
            let code = Code::of(name.clone());
            for mut step in self.assigned(s, item, &code, item.span)? {
                if let Step::Line(line) = &mut step {
                    line.tree = None;
                    line.graded |= graded;
                }
                steps.push(step);
            }
        }
        Ok(steps)
    }

    /// `target = code` where the target is no plain name.
    fn assigned(&mut self, s: &'a Stmt, e: &'a Expr, code: &Code, value: Span) -> Steps<'a> {
        let ExprKind::Trailers { base, trailers } = &e.kind else {
            let own = self.source.slice(e.span).to_owned();
            return Ok(vec![self.line(s, vec![format!("{own} = {}", code.text)], [own], true)]);
        };
        let [ahead @ .., last] = trailers.as_slice() else {
            return Ok(Vec::new());
        };
        let of = upto(e, base, trailers, ahead.len());
        let tensor = self.is_tensor(of);
        let graded = self.asks_gradient(value) || self.asks_gradient(of);
        match &last.kind {
            TrailerKind::Attr(name) if name.as_str() == "requires_grad" => Ok(Vec::new()),
            TrailerKind::Attr(name) if name.as_str() == "grad" => {
                let target = self.part_target(e, base, trailers)?;
                let text = self.put(&target, &code.text);
                let root = target.name.split('[').next().unwrap_or("").to_owned();
                let idle = code.text == "None";
                // An element without a gradient is left out.
                let text = match target.name.split_once("_grads[").filter(|_| idle) {
                    Some((_, key)) if self.modules.nets.iter().any(|n| n.grads == root) => {
                        format!("{root}.pop({}, None)", key.trim_end_matches(']'))
                    }
                    _ => text,
                };
                let mut line = self.line(s, vec![text], [root], false);
                if let Step::Line(line) = &mut line {
                    line.idle = idle && !line.text[0].contains(".pop(");
                }
                Ok(vec![line])
            }
            TrailerKind::Attr(name) if tensor && name.as_str() == "data" => {
                let target = self.part_target(e, base, trailers)?;
                let text = self.put(&target, &code.text);
                let root = target.name.split('[').next().unwrap_or("").to_owned();
                let mut line = self.line(s, vec![text], [root], false);
                if let Step::Line(line) = &mut line {
                    line.silent = true;
                }
                Ok(vec![line])
            }
            TrailerKind::Index(_) if tensor => {
                let target = self.part_target(e, base, trailers)?;
                let root = target.name.split('[').next().unwrap_or("").to_owned();
                self.reads.insert(root.clone());
                let code = self.fit_part(code, value);
                let unseen = self.unseen(e, of, &root)?;
                let code = self.behind(&target, code, unseen);
                let text = self.put(&target, &code.text);
                let mut line = self.line(s, vec![text], [root], graded);
                if let Step::Line(line) = &mut line {
                    line.graded |= unseen;
                    line.silent = self.silent(e);
                }
                Ok(vec![line])
            }
            _ if self.module_at(base, ahead).is_some() => Err(Problem::new(
                format!("{} of a module is set from outside", self.source.slice(last.span)),
                "pass it to forward as an argument, or export --to torch",
            )),
            _ => {
                // An attribute of an object, an element of a list or a dict.
                let head = self.expr_of_target(e, base, trailers)?;
                let root = match &base.kind {
                    ExprKind::Name(name) => name.as_str().to_owned(),
                    _ => String::new(),
                };
                let local = self.is_local(&root);
                let writes: Vec<String> = if local { Vec::new() } else { vec![root] };
                Ok(vec![self.line(s, vec![format!("{head} = {}", code.text)], writes, graded)])
            }
        }
    }

    /// Whether a write in place is one that no gradient sees: inside `no_grad`, through `.data`.
    fn silent(&self, e: &Expr) -> bool {
        let aside = |t: &Trailer| {
            matches!(&t.kind, TrailerKind::Attr(n)
                if matches!(n.as_str(), "data" | "detach" | "numpy"))
        };
        self.quiet
            || matches!(&e.kind, ExprKind::Trailers { trailers, .. } if trailers.iter().any(aside))
    }

    /// Whether something is written behind the graph's back: through `.data`, or inside `no_grad`,
    /// to what gradients flow through.
    fn unseen(&self, e: &Expr, of: Span, root: &str) -> Done<bool> {
        let through = match &e.kind {
            ExprKind::Trailers { trailers, .. } => trailers
                .iter()
                .any(|t| matches!(&t.kind, TrailerKind::Attr(n) if n.as_str() == "data")),
            _ => false,
        };
        let whole = match &e.kind {
            ExprKind::Trailers { base, .. } if through => base.span,
            _ => of,
        };
        let leaf = self.leaves.contains(root) || self.containers.contains(root);
        let graph = !leaf && self.asks_gradient(whole);
        let now = self.machine.lookup(root).and_then(|v| existing(&v));
        if through && graph && now.is_some_and(|v| !v.is_leaf()) {
            return Err(Problem::new(
                format!("{root}.data is written to, whose numbers the graph may have kept"),
                "write to a copy, or export --to torch",
            ));
        }
        Ok((through || self.quiet) && graph)
    }

    /// The new value with the old one's slopes.
    fn behind(&self, target: &Target, new: Code, unseen: bool) -> Code {
        if !unseen {
            return new;
        }
        let now = self.current(target).tight();
        format!("{now} + jax.lax.stop_gradient({} - {now})", new.tight()).into()
    }

    /// PyTorch takes leading dimensions of 1 that the part does not have.
    fn fit_part(&mut self, code: &Code, value: Span) -> Code {
        match self.shape(value) {
            Some(shape) if shape.first() == Some(&1) => {
                let rest = shape.iter().skip_while(|n| **n == 1).copied().collect::<Vec<_>>();
                format!("{}.reshape({})", code.tight(), literal::shape(&rest)).into()
            }
            _ => code.clone(),
        }
    }

    /// A target as it is written: its parts in JAX's words.
    fn expr_of_target(
        &mut self,
        e: &'a Expr,
        base: &'a Expr,
        trailers: &'a [Trailer],
    ) -> Done<String> {
        let mut parts = vec![base];
        for t in trailers {
            match &t.kind {
                TrailerKind::Index(index) => parts.push(index),
                TrailerKind::Call(args) => parts.extend(args.iter().map(|a| &a.value)),
                TrailerKind::Attr(_) => {}
            }
        }
        self.spliced(e.span, &parts, false)
    }

    pub(super) fn augmented(
        &mut self,
        s: &'a Stmt,
        e: &'a Expr,
        op: BinaryOp,
        value: &'a Expr,
    ) -> Steps<'a> {
        let between = Span { start: e.span.end, end: value.span.start };
        let sign = self.source.slice(between).trim().trim_end_matches('=');
        if let Some(steps) = self.rate_assigned(s, e, sign, value)? {
            return Ok(steps);
        }
        let code = self.expr(value)?;
        let of = e.span;
        let tensor = self.is_tensor(of);
        let graded = self.asks_gradient(value.span) || self.asks_gradient(of);
        if !tensor || matches!(self.value(of), Some(Value::List(_))) {
            let (head, root) = match &e.kind {
                ExprKind::Trailers { base, trailers } => {
                    let root = match &base.kind {
                        ExprKind::Name(name) => name.as_str().to_owned(),
                        _ => String::new(),
                    };
                    (self.expr_of_target(e, base, trailers)?, root)
                }
                _ => {
                    let name = self.source.slice(e.span).to_owned();
                    (name.clone(), name)
                }
            };
            if !self.is_local(&root) {
                self.reads.insert(root.clone());
                if graded {
                    self.recorded.insert(root.clone());
                }
            }
            let writes: Vec<String> = if self.is_local(&root) { Vec::new() } else { vec![root] };
            let text = format!("{head} {}= {}", op.text(), code.text);
            return Ok(vec![self.line(s, vec![text], writes, graded)]);
        }
        let target = self.target(e)?;
        let root = target.name.split('[').next().unwrap_or("").to_owned();
        let local = self.is_local(&root);
        if !local {
            self.reads.insert(root.clone());
            if graded && !self.quiet {
                self.recorded.insert(root.clone());
            }
        }
        let to = self.dtype(of);
        let from: Vec<_> = self.dtype(value.span).into_iter().chain(to).collect();
        let now = self.current(&target);
        let plain = Code::of(format!("{} {} {}", now.tight(), op.text(), code.tight()));
        let fit = self.fitted(plain.clone(), &from, to);
        let unseen = self.unseen(e, of, &root)?;
        let fit_behind = self.behind(&target, fit.clone(), unseen);
        let text = match fit_behind == plain {
            true => self.combined(&target, op, &code),
            false => self.put(&target, &fit_behind.text),
        };
        let writes: Vec<String> = if local { Vec::new() } else { vec![root] };
        let mut line = self.line(s, vec![text], writes, graded);
        if let Step::Line(line) = &mut line {
            line.graded |= unseen;
            line.silent = self.silent(e);
        }
        Ok(vec![line])
    }
}

/// Whether an expression may give the tensor that it begins with: a name, `z.contiguous()`.
pub(super) fn is_itself(e: &Expr) -> bool {
    const SAME: [&str; 7] = ["contiguous", "to", "type", "type_as", "float", "double", "cpu"];
    match &e.kind {
        ExprKind::Name(_) => true,
        ExprKind::Trailers { trailers, .. } => {
            method_call(trailers).is_some_and(|(_, word, _)| SAME.contains(&word))
        }
        _ => false,
    }
}
