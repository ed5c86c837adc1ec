//! A backward: a function of its leaves, made of the steps that led to it, and `jax.grad` of it.

use crate::alias::is_view;
use crate::code::{Code, is_name};
use crate::expr::upto;
use crate::problem::{Done, Perhaps, Problem, Steps};
use crate::steps::{Block, BlockKind, Held, Leaf, Line, Names, Out, Step, Sweep, Written};
use crate::words::dtypes;
use crate::writer::Writer;
use std::collections::HashMap;
use vjp_eval::Value;
use vjp_eval::record::watched_values::{Before, Reached, Sweep as Reach};
use vjp_export_torch::literal::quoted;
use vjp_export_torch::page::names;
use vjp_syntax::ast::*;
use vjp_syntax::visit;
use vjp_text::Span;

/// Where a step stands: the steps before it in each of the blocks around it.
pub(crate) struct Around<'s, 'a> {
    pub past: Vec<&'s Step<'a>>,
    /// Names that the loops around bind.
    pub varying: Names,
    pub loops: usize,
    /// The loops around, with so many steps before each.
    pub entered: Vec<(usize, &'s Block<'a>)>,
    /// Inside a function of the program.
    pub def: bool,
}

impl<'a> Writer<'a> {
    /// `y.backward(v)`; None of another statement.
    pub(crate) fn backward(&mut self, s: &'a Stmt, e: &'a Expr) -> Perhaps<'a> {
        let ExprKind::Trailers { base, trailers } = &e.kind else {
            return Ok(None);
        };
        let Some((ahead, word, args)) = method_call(trailers) else { return Ok(None) };
        if word != "backward" {
            return Ok(None);
        }
        let named = |word: &str| {
            args.iter().find(|a| matches!(a.kind, ArgKind::Named(n) if n.as_str() == word))
        };
        let positional = |k: usize| args.get(k).filter(|a| a.kind == ArgKind::Positional);
        let of_module =
            matches!(self.value(upto(e, base, trailers, ahead.len())), Some(Value::Module(_)));
        let (root, weight) = match of_module {
            true => {
                let Some(tensors) = positional(0).or(named("tensors")) else {
                    return Ok(None);
                };
                let root = match &tensors.value.kind {
                    ExprKind::List(items) | ExprKind::Tuple(items) => match items.as_slice() {
                        [one] => one,
                        _ => {
                            return Err(Problem::new(
                                "JAX has no backward of several tensors",
                                "call backward for each",
                            ));
                        }
                    },
                    _ => &tensors.value,
                };
                (root, positional(1).or(named("grad_tensors")))
            }
            false => (self.root(e, base, ahead), positional(0).or(named("gradient"))),
        };
        let made = self.swept(s, e, root, weight.map(|a| &a.value));
        made.map(Some)
    }

    /// The value whose method is called.
    fn root(&mut self, e: &'a Expr, base: &'a Expr, ahead: &'a [Trailer]) -> &'a Expr {
        match ahead.last() {
            None => base,
            Some(last) => {
                let _ = last;
                self.roots.get(&e.span).unwrap_or(base)
            }
        }
    }

    fn swept(
        &mut self,
        s: &'a Stmt,
        e: &'a Expr,
        root: &'a Expr,
        weight: Option<&'a Expr>,
    ) -> Steps<'a> {
        let place = (self.source.id(), e.span);
        let sweeps: Vec<_> = self.watch.sweeps.iter().filter(|w| w.place == place).collect();
        let text = self.source.slice(e.span).to_owned();
        if sweeps.is_empty() {
            return Err(Problem::new(
                "this backward never ran, so its leaves are unknown",
                "leave it out",
            ));
        }
        let mut leaves: Vec<Leaf> = Vec::new();
        let all = sweeps.iter().flat_map(|s| &s.leaves);
        let partly = all.filter(|l| !l.computed).any(|l| l.path.is_empty() || l.earlier);
        for (turn, sweep) in sweeps.iter().enumerate() {
            for reached in &sweep.leaves {
                self.reached(reached, turn, &mut leaves)?;
            }
        }
        self.the_same_keys(&sweeps, &mut leaves)?;
        // A leaf that only some turns reach had its gradient from before in the others.
        let scalar = self.is_scalar(root.span);
        let weight = match weight.filter(|w| w.kind != ExprKind::None) {
            Some(w) => {
                let code = self.expr(w)?;
                Some(match (self.dtype(w.span), self.dtype(root.span)) {
                    (Some(own), Some(to)) if own != to => {
                        format!("{}.astype({})", code.tight(), dtypes::name(to, self.double))
                    }
                    _ => code.text,
                })
            }
            None => None,
        };
        let code = self.expr(root)?;
        self.recorded.clear();
        if !std::mem::take(&mut self.asks).is_empty() {
            return Err(Problem::new(
                "a gradient is computed inside the differentiated function",
                "assign it to a name first",
            ));
        }
        if leaves.is_empty() {
            return Ok(vec![Step::Comment(format!("# {text}   reaches no leaf that has a name"))]);
        }
        let single = self.shape(root.span).is_some_and(|s| s.iter().product::<usize>() == 1);
        let weight = match (&weight, scalar, single) {
            // A number that is not 0-d.
            (None, false, true) | (None, false, false) => {
                Some(format!("jnp.ones_like({})", code.text))
            }
            _ => weight,
        };
        let sweep = Sweep {
            at: s.span.start as usize,
            root,
            text: code.text,
            reads: std::mem::take(&mut self.reads),
            leaves,
            weight,
            scalar,
            partly,
        };
        let names: Vec<String> = sweep.leaves.iter().map(|l| l.name.clone()).collect();
        let mut steps = vec![Step::Sweep(Box::new(sweep))];
        steps.extend(self.after_sweep(s, &names)?);
        Ok(steps)
    }

    fn reached(&mut self, reached: &Reached, turn: usize, leaves: &mut Vec<Leaf>) -> Done<()> {
        let held = match reached.before {
            Before::None | Before::Zeros => Held::Nothing,
            Before::Some => Held::Something,
        };
        if reached.computed && !self.computed.contains(&reached.path) {
            return Ok(());
        }
        let Some((name, grad, tree)) = self.leaf_name(reached)? else {
            return Ok(());
        };
        let mut nets = self.modules.nets.iter();
        let key = nets.find_map(|n| n.key(reached.id)).map(str::to_owned);
        match leaves.iter_mut().find(|l| l.name == name) {
            Some(leaf) => {
                if leaf.held != held {
                    leaf.held = Held::Perhaps;
                    self.unset.insert(leaf.name.clone());
                }
                leaf.keys.extend(key);
            }
            None => {
                let _ = turn;
                let shift = reached.computed.then(|| format!("{name}_shift"));
                leaves.push(Leaf {
                    name,
                    grad,
                    tree,
                    held,
                    shift,
                    keys: key.into_iter().collect(),
                });
            }
        }
        Ok(())
    }

    /// Of a module's parameters, each turn must reach the same; all of them need no words.
    fn the_same_keys(&self, sweeps: &[&Reach], leaves: &mut [Leaf]) -> Done<()> {
        for leaf in leaves {
            let Some(net) = self.modules.nets.iter().find(|n| n.params == leaf.name) else {
                continue;
            };
            for sweep in sweeps {
                let reached = sweep.leaves.iter().filter(|l| net.key(l.id).is_some()).count();
                if reached != leaf.keys.len() {
                    return Err(Problem::new(
                        "this backward reaches different parameters in different iterations",
                        "write the iterations out, or export --to torch",
                    ));
                }
            }
            if leaf.keys.len() == net.keys.len() {
                leaf.keys.clear();
            }
        }
        Ok(())
    }

    /// A leaf's variable, its gradient's, and whether the variable holds several; None of one that
    /// nobody can ask.
    fn leaf_name(&self, reached: &Reached) -> Done<Option<(String, String, bool)>> {
        let path = &reached.path;
        if let Some(net) = self.modules.nets.iter().find(|n| n.key(reached.id).is_some()) {
            return Ok(Some((net.params.clone(), net.grads.clone(), true)));
        }
        if path.is_empty() || reached.earlier {
            return Ok(None);
        }
        if is_name(path) {
            return Ok(Some((path.clone(), format!("{path}_grad"), false)));
        }
        let root = path.split(['.', '[']).next().unwrap_or("");
        let in_list = path[root.len()..].starts_with('[')
            && path.ends_with(']')
            && path.matches('[').count() == 1;
        match in_list && !self.is_local(root) {
            true => Ok(Some((root.to_owned(), format!("{root}_grads"), true))),
            false => Err(Problem::new(
                format!("the leaf {path} has no variable name"),
                "assign each parameter to a name, or export --to torch",
            )),
        }
    }

    /// The steps with their functions, as they will stand.
    pub(crate) fn resolved(&mut self, steps: &[Step<'a>]) -> Done<Vec<Out>> {
        let around = Around {
            past: Vec::new(),
            varying: Names::new(),
            loops: 0,
            entered: Vec::new(),
            def: false,
        };
        let mut hoisted = Vec::new();
        self.resolve(steps, &around, &mut hoisted)
    }

    fn resolve<'s>(
        &mut self,
        steps: &'s [Step<'a>],
        around: &Around<'s, 'a>,
        hoisted: &mut Vec<Out>,
    ) -> Done<Vec<Out>> {
        let mut outs = Vec::new();
        for (n, step) in steps.iter().enumerate() {
            let mut past = around.past.clone();
            past.extend(&steps[..n]);
            let (varying, entered) = (around.varying.clone(), around.entered.clone());
            let here = Around { past, varying, entered, ..*around };
            match step {
                Step::Comment(line) => outs.push(Out::Text(line.clone())),
                Step::Line(line) => {
                    let text = self.answered(line, &here, hoisted, &mut outs)?;
                    let mut reads = line.reads.clone();
                    // What was a function's leaf is read by the call.
                    reads.extend(line.asks.iter().flat_map(|a| a.leaves.iter().cloned()));
                    outs.push(Out::Line(Written {
                        id: line.id,
                        text,
                        reads,
                        writes: line.writes.clone(),
                        effect: line.effect,
                        idle: line.idle,
                    }));
                    self.initial(line, &mut outs);
                }
                Step::Block(block) => self.resolve_block(block, &here, hoisted, &mut outs)?,
                Step::Sweep(sweep) => self.resolve_sweep(sweep, &here, hoisted, &mut outs)?,
            }
        }
        Ok(outs)
    }

    /// A leaf's gradient is None at first, and where its name is bound to another tensor, where that is
    /// asked.
    fn initial(&mut self, line: &Line, outs: &mut Vec<Out>) {
        for name in &line.writes {
            let has = self.leaves.contains(name) || self.computed.contains(name);
            let anew = !self.begun.contains(name) || line.tree.is_some_and(|s| binds_anew(s, name));
            if has && self.unset.contains(name) && anew {
                self.begun.insert(name.clone());
                outs.push(Out::Line(Written {
                    text: vec![format!("{name}_grad = None")],
                    writes: Names::from([format!("{name}_grad")]),
                    idle: true,
                    ..Written::default()
                }));
            }
        }
    }

    fn resolve_block<'s>(
        &mut self,
        block: &'s Block<'a>,
        here: &Around<'s, 'a>,
        hoisted: &mut Vec<Out>,
        outs: &mut Vec<Out>,
    ) -> Done<()> {
        let is_loop = block.kind == BlockKind::Loop;
        let (mut varying, mut entered) = (here.varying.clone(), here.entered.clone());
        if is_loop {
            varying.extend(block.writes());
            entered.push((here.past.len(), block));
        }
        let def = matches!(block.kind, BlockKind::Def(..));
        let mut own = Vec::new();
        let mut parts = Vec::new();
        for part in &block.parts {
            let inner = Around {
                past: here.past.clone(),
                varying: if def { Names::new() } else { varying.clone() },
                loops: if def { 0 } else { here.loops + usize::from(is_loop) },
                entered: if def { Vec::new() } else { entered.clone() },
                def: def || here.def,
            };
            let mut inside = Vec::new();
            let target = if def { &mut inside } else { &mut own };
            let before = self.made.len();
            let mut body = self.resolve(&part.body, &inner, target)?;
            if def {
                // What was made inside is not there outside.
                self.made[before..].iter_mut().for_each(|(_, text)| text.clear());
            }
            if def {
                inside.append(&mut body);
                body = inside;
            }
            let head = Written {
                reads: part.reads.clone(),
                writes: part.writes.clone(),
                ..Written::default()
            };
            parts.push((part.head.clone(), head, body));
        }
        match here.loops {
            0 => outs.append(&mut own),
            _ => hoisted.append(&mut own),
        }
        outs.push(Out::Block(parts, block.kind.clone()));
        Ok(())
    }

    fn resolve_sweep<'s>(
        &mut self,
        sweep: &'s Sweep<'a>,
        here: &Around<'s, 'a>,
        hoisted: &mut Vec<Out>,
        outs: &mut Vec<Out>,
    ) -> Done<()> {
        self.sweeping = sweep.at;
        self.hooks_in_order().map_err(|p| p.or_at(sweep.at))?;
        let strictly = sweep.partly || here.loops > 0;
        let (name, more) = self
            .function(sweep.root, &sweep.leaves, here, hoisted, outs, (strictly, true))
            .map_err(|p| p.inside(here.def, "backward is called").or_at(sweep.at))?;
        let mut args: Vec<String> = sweep.leaves.iter().map(Leaf::argument).collect();
        let count = args.len();
        args.extend(more.iter().cloned());
        let args = args.join(", ");
        let argnums = match count {
            1 => String::new(),
            n => format!(", argnums={}", numbers(n)),
        };
        let root = Code::of(sweep.text.clone());
        let rebinds = root.is_name() && self.is_last(&root.text, here);
        let (mut lines, mut writes) = (Vec::new(), Names::new());
        let hooks = self.leaf_hooks(&sweep.leaves, here);
        let target = |leaf: &Leaf| match leaf.held {
            Held::Nothing
                if leaf.keys.is_empty() && !hooks.iter().any(|(n, _)| *n == leaf.name) =>
            {
                leaf.grad.clone()
            }
            _ => format!("new_{}", leaf.name),
        };
        let targets: Vec<String> = sweep.leaves.iter().map(target).collect();
        let tuple = match targets.as_slice() {
            [one] => one.clone(),
            several => several.join(", "),
        };
        match (&sweep.weight, sweep.scalar) {
            (None, true) => {
                let all = if count == 1 { tuple } else { format!("({tuple})") };
                match rebinds {
                    true => {
                        writes.insert(root.text.clone());
                        let call = format!("jax.value_and_grad({name}{argnums})({args})");
                        lines.push(format!("{}, {all} = {call}", root.text));
                    }
                    false => {
                        let all = all.trim_start_matches('(').trim_end_matches(')');
                        lines.push(format!("{all} = jax.grad({name}{argnums})({args})"));
                    }
                }
            }
            (weight, _) => {
                let value = match rebinds {
                    true => {
                        writes.insert(root.text.clone());
                        root.text.clone()
                    }
                    false => "_".to_owned(),
                };
                let function = match more.is_empty() {
                    true => format!("{name}, {args}"),
                    false => {
                        let own: Vec<&str> = sweep.leaves.iter().map(Leaf::parameter).collect();
                        let own = own.join(", ");
                        let values: Vec<String> = sweep.leaves.iter().map(Leaf::argument).collect();
                        let called: Vec<&str> = sweep.leaves.iter().map(Leaf::parameter).collect();
                        let called = [called, more.iter().map(String::as_str).collect()].concat();
                        format!(
                            "lambda {own}: {name}({}), {}",
                            called.join(", "),
                            values.join(", ")
                        )
                    }
                };
                lines.push(format!("{value}, pullback = jax.vjp({function})"));
                let weight = weight.clone().unwrap_or_else(|| "1.".into());
                let all = if count == 1 { format!("{tuple},") } else { tuple };
                lines.push(format!("{all} = pullback({weight})"));
                writes.insert("pullback".into());
            }
        }
        for (leaf, new) in sweep.leaves.iter().zip(&targets) {
            let mut value = new.clone();
            if !leaf.keys.is_empty() {
                let keys: Vec<String> = leaf.keys.iter().map(|k| quoted(k)).collect();
                value = format!("{{k: {value}[k] for k in ({},)}}", keys.join(", "));
            }
            for (_, hook) in hooks.iter().filter(|(n, _)| *n == leaf.name) {
                let changed = self.helper("changed");
                value = format!("{changed}({hook}, {value})");
            }
            match leaf.held {
                Held::Nothing if value == leaf.grad => {}
                Held::Nothing => lines.push(format!("{} = {value}", leaf.grad)),
                Held::Something if leaf.tree => {
                    lines.push(format!("{0} = jax.tree.map(jnp.add, {0}, {value})", leaf.grad));
                }
                Held::Something => lines.push(format!("{0} = {0} + {value}", leaf.grad)),
                Held::Perhaps => {
                    let added = self.helper(if leaf.tree { "added_each" } else { "added" });
                    lines.push(format!("{0} = {added}({0}, {value})", leaf.grad));
                }
            }
            writes.insert(leaf.grad.clone());
        }
        let mut reads: Names = sweep.leaves.iter().map(|l| l.name.clone()).collect();
        reads.extend(more);
        reads.insert(name);
        if let Some(weight) = &sweep.weight {
            // The weight is read, and what it is made like.
            reads.extend(sweep.reads.iter().filter(|n| names(weight, n)).cloned());
        }
        reads.extend(
            sweep.leaves.iter().filter(|l| l.held != Held::Nothing).map(|l| l.grad.clone()),
        );
        outs.push(Out::Line(Written {
            text: lines,
            reads,
            writes,
            effect: true,
            ..Written::default()
        }));
        Ok(())
    }

    /// Whether the value of a name is still the one that the last step before bound, and nothing has
    /// read it since: then a sweep may bind it.
    fn is_last(&self, name: &str, here: &Around<'_, 'a>) -> bool {
        for step in here.past.iter().rev() {
            match step {
                Step::Comment(_) => continue,
                Step::Line(line) if line.writes.contains(name) => {
                    return line.writes.len() == 1 && !line.effect;
                }
                step if step.reads().contains(name) || step.writes().contains(name) => {
                    return false;
                }
                _ => {}
            }
        }
        false
    }
}

/// Whether an assignment gives a name another tensor: not `x = x.requires_grad_()`.
fn binds_anew(s: &Stmt, name: &str) -> bool {
    let StmtKind::Assign { targets: all, value } = &s.kind else { return false };
    let mut own = std::collections::HashSet::new();
    all.iter().for_each(|t| crate::names::bindings::targets(t, &mut own));
    let same = is_view(value) || crate::assign::is_itself(value) || {
        matches!(&value.kind, ExprKind::Trailers { base, trailers }
            if matches!(&base.kind, ExprKind::Name(n) if n.as_str() == name)
                && matches!(trailers.as_slice(), [Trailer { kind: TrailerKind::Attr(w), .. }, _]
                    if w.as_str() == "requires_grad_"))
    };
    own.contains(name) && !same
}

pub(crate) fn numbers(n: usize) -> String {
    let all: Vec<String> = (0..n).map(|k| k.to_string()).collect();
    format!("({})", all.join(", "))
}

/// The object of every `….backward(…)` in a program that has more than a name before it.
pub(crate) fn roots(body: &[Stmt]) -> HashMap<Span, Expr> {
    let mut all = HashMap::new();
    fn of(body: &[Stmt], all: &mut HashMap<Span, Expr>) {
        for s in body {
            if let StmtKind::Expr(e) = &s.kind
                && let ExprKind::Trailers { base, trailers } = &e.kind
                && let [ahead @ .., _, _] = trailers.as_slice()
                && let Some(last) = ahead.last()
            {
                let span = Span { start: e.span.start.min(base.span.start), end: last.span.end };
                let kind = ExprKind::Trailers { base: base.clone(), trailers: ahead.to_vec() };
                all.insert(e.span, Expr { span, kind });
            }
            visit::blocks(s).into_iter().for_each(|b| of(b, all));
        }
    }
    of(body, &mut all);
    all
}
