//! Functions of the program: what they change outside, and `torch.autograd.Function` as
//! `jax.custom_vjp`.

use super::code::Code;
use super::names::bindings::bound_in;
use super::problem::{Done, Perhaps, Problem};
use super::steps::{Block, BlockKind, Called, Names, Part, Step};
use super::writer::{Context, Effects, Writer};
use std::collections::HashSet;
use vjp_syntax::ast::*;

impl<'a> Writer<'a> {
    /// Names outside that a function's body binds in JAX's words, and that it has to declare.
    pub(super) fn globals(
        &self,
        part: &Part<'a>,
        own: &HashSet<String>,
        outer: &HashSet<String>,
    ) -> Vec<String> {
        let all: Names = part.body.iter().flat_map(Step::binds).collect();
        all.into_iter()
            .filter(|n| !own.contains(n) && !n.is_empty() && !outer.contains(n))
            .collect()
    }

    pub(super) fn effects(
        &mut self,
        name: &str,
        part: &Part<'a>,
        own: &HashSet<String>,
        params: &[String],
    ) {
        fn prints(steps: &[Step]) -> bool {
            steps.iter().any(|s| match s {
                Step::Line(line) => line.effect,
                Step::Block(b) => b.parts.iter().any(|p| prints(&p.body)),
                Step::Sweep(_) => true,
                Step::Comment(_) => false,
            })
        }
        let (mut reads, mut writes) = (Names::new(), Called::new());
        for step in &part.body {
            let inner = match step {
                Step::Block(Block { kind: BlockKind::Def(name, _), .. }) => self.all_effects(name),
                _ => Effects::default(),
            };
            reads.extend(step.reads().into_iter().chain(inner.reads));
            let outside = step.writes().into_iter().map(|n| (n.clone(), step.defines(&n)));
            for (name, anew) in outside.chain(inner.writes) {
                *writes.entry(name).or_default() |= anew;
            }
        }
        let params = params.iter().enumerate().filter(|(_, p)| over(&part.body, p));
        let params = params.map(|(n, _)| n).collect();
        reads.retain(|n| !own.contains(n));
        writes.retain(|n, _| !own.contains(n));
        let effects = Effects { prints: prints(&part.body), reads, writes, params };
        self.effects_of.insert(name.to_owned(), effects);
    }

    /// What a function does, with those that it calls.
    fn all_effects(&self, name: &str) -> Effects {
        let mut all = Effects::default();
        let (mut open, mut seen) = (vec![name.to_owned()], HashSet::new());
        while let Some(name) = open.pop() {
            let Some(own) = self.effects_of.get(&name).filter(|_| seen.insert(name.clone())) else {
                continue;
            };
            all.prints |= own.prints;
            open.extend(own.reads.iter().cloned());
            all.reads.extend(own.reads.iter().cloned());
            for (name, anew) in &own.writes {
                *all.writes.entry(name.clone()).or_default() |= anew;
            }
        }
        all
    }

    /// Notes that a function of the program is called here, or handed on to be called.
    pub(super) fn calls(&mut self, name: &str) {
        let all = self.all_effects(name);
        let here = |n: &String| !self.is_local(n);
        let reads: Vec<String> = all.reads.into_iter().filter(here).collect();
        let writes: Vec<_> = all.writes.into_iter().filter(|(n, _)| here(n)).collect();
        self.reads.extend(reads);
        self.called.extend(writes);
    }

    /// What a name is bound to does what was called to make it.
    pub(super) fn named_effects(&mut self, name: &str, step: &Step) {
        if let Step::Line(line) = step
            && !line.called.is_empty()
        {
            let (reads, writes) = (line.reads.clone(), line.called.clone());
            let effects = Effects { reads, writes, ..Effects::default() };
            self.effects_of.insert(name.to_owned(), effects);
        }
    }

    /// Whether a call of a function of the program prints or draws.
    pub(super) fn prints(&self, name: &str) -> bool {
        self.all_effects(name).prints
    }

    /// A function that writes to its parameters in place may not be called with what has a name.
    pub(super) fn leaves_alone(&self, name: &str, args: &[Arg]) -> Done<()> {
        let Some(effects) = self.effects_of.get(name) else { return Ok(()) };
        for k in &effects.params {
            let Some(arg) = args.get(*k).filter(|a| a.kind == ArgKind::Positional) else {
                continue;
            };
            if super::alias::is_view(&arg.value) && self.is_tensor(arg.value.span) {
                let text = self.source.slice(arg.value.span);
                return Err(Problem::new(
                    format!("{name} writes to {text} in place; JAX arrays are immutable"),
                    format!("return the new value, and assign it: {text} = {name}(…)"),
                ));
            }
        }
        Ok(())
    }

    /// `class Square(torch.autograd.Function)`; None of another class.
    pub(super) fn custom_function(
        &mut self,
        s: &'a Stmt,
        name: Name,
        bases: &'a [Arg],
        body: &'a [Stmt],
    ) -> Perhaps<'a> {
        let is_function = bases.iter().any(|b| {
            let text = self.source.slice(b.value.span);
            text == "Function" || text.ends_with(".Function")
        });
        if !is_function {
            return Ok(None);
        }
        let method = |word: &str| {
            body.iter().find_map(|s| match &s.kind {
                StmtKind::Def { function, .. } if function.name.as_str() == word => {
                    Some(&**function)
                }
                _ => None,
            })
        };
        let (Some(forward), Some(backward)) = (method("forward"), method("backward")) else {
            return Err(Problem::new(
                "a Function needs both forward and backward",
                "define both with def",
            ));
        };
        if method("setup_context").is_some() || method("jvp").is_some() || method("vmap").is_some()
        {
            return Err(Problem::lacks("a Function with setup_context, jvp or vmap"));
        }
        let own = snake(name.as_str());
        let own = if self.bound.contains(&own) { format!("{own}_function") } else { own };
        self.functions.insert(name.as_str().to_owned(), own.clone());
        let mut steps = vec![Step::Comment(String::new())];
        let (params, kept, saves) = self.half(s, forward, &own, &mut steps, None)?;
        self.half(s, backward, &own, &mut steps, Some((kept, saves, params.len())))?;
        let call =
            format!("{own} = jax.custom_vjp(lambda {0}: {own}_forward({0})[0])", params.join(", "));
        let mut forward = format!("{own}_forward");
        if TWICE.iter().any(|word| self.source.text().contains(word)) {
            forward = format!("{}({forward}, {own})", self.helper("led_back"));
        }
        let define = format!("{own}.defvjp({forward}, {own}_backward)");
        let (f, b) = (format!("{own}_forward"), format!("{own}_backward"));
        steps.push(self.added(s.span.start as usize, vec![call, define], &[&f, &b], &[&own]));
        steps.push(Step::Comment(String::new()));
        Ok(Some(steps))
    }

    /// `Square.apply(x)`, or `Square.apply`; and how many steps that is.
    pub(super) fn applied(
        &mut self,
        base: &Expr,
        trailers: &'a [Trailer],
    ) -> Done<Option<(Code, usize)>> {
        let ExprKind::Name(name) = &base.kind else {
            return Ok(None);
        };
        let (Some(own), Some(TrailerKind::Attr(word))) =
            (self.functions.get(name.as_str()).cloned(), trailers.first().map(|t| &t.kind))
        else {
            return Ok(None);
        };
        if word.as_str() != "apply" {
            return Err(Problem::lacks(&format!("{}.{}", name.as_str(), word.symbol)));
        }
        self.reads.insert(own.clone());
        Ok(Some(match trailers.get(1).map(|t| &t.kind) {
            Some(TrailerKind::Call(args)) => {
                let args = self.plain_args(args)?;
                (format!("{own}({args})").into(), 2)
            }
            _ => (own.into(), 1),
        }))
    }

    /// One of the two functions; what the first one kept.
    #[allow(clippy::type_complexity)]
    fn half(
        &mut self,
        s: &'a Stmt,
        function: &'a Function,
        own: &str,
        steps: &mut Vec<Step<'a>>,
        kept: Option<(Vec<String>, bool, usize)>,
    ) -> Done<(Vec<String>, Vec<String>, bool)> {
        let all: Vec<String> =
            function.params.list.iter().map(|p| p.name.as_str().to_owned()).collect();
        let plain =
            function.params.list.first().is_some_and(|p| !matches!(p.kind, ParamKind::Rest));
        let Some((ctx, params)) = all.split_first().filter(|_| plain) else {
            return Err(Problem::new(
                "a Function's method needs ctx as its first parameter",
                "def forward(ctx, x)",
            ));
        };
        let backward = kept.is_some();
        let (kept, saves, inputs) = kept.unwrap_or_default();
        let mut names: HashSet<String> = all.iter().cloned().collect();
        bound_in(&function.body, &mut names, &mut HashSet::new());
        names.insert("saved".into());
        self.locals.push(names);
        let context = Context { name: ctx.clone(), kept, saves, backward, inputs };
        let was = self.context.replace(context);
        let made = self.body(&function.body);
        let context = std::mem::replace(&mut self.context, was);
        self.locals.pop();
        let mut body = made?;
        let Some(context) = context else {
            return Err(Problem::lacks("this Function"));
        };
        let word = if backward { "backward" } else { "forward" };
        let taken: Vec<String> = match backward {
            true => std::iter::once("residuals".to_owned()).chain(params.iter().cloned()).collect(),
            false => params.to_vec(),
        };
        let at = s.span.start as usize;
        if backward {
            let parts = residuals(&context);
            let text = match parts.as_slice() {
                [] => None,
                [one] => Some(format!("{one}, = residuals")),
                several => Some(format!("{} = residuals", several.join(", "))),
            };
            if let Some(text) = text {
                body.insert(0, self.added(at, vec![text], &[], &[]));
            }
        }
        let name = format!("{own}_{word}");
        let head = format!("def {name}({}):", taken.join(", "));
        let part = Part { head, reads: Names::new(), writes: Names::new(), body };
        let params_set: Names = taken.iter().cloned().collect();
        steps.push(self.block(s, BlockKind::Def(name, params_set), vec![part]));
        steps.push(Step::Comment(String::new()));
        Ok((params.to_vec(), context.kept, context.saves))
    }

    /// Statements about `ctx` in a Function's method; None of others.
    pub(super) fn of_context(&mut self, s: &'a Stmt) -> Perhaps<'a> {
        let Some(context) = &self.context else {
            return Ok(None);
        };
        let ctx = context.name.clone();
        let (backward, inputs) = (context.backward, context.inputs);
        match &s.kind {
            StmtKind::Expr(Expr { kind: ExprKind::Trailers { base, trailers }, .. })
                if is_name(base, &ctx) =>
            {
                let (Some(TrailerKind::Attr(word)), Some(TrailerKind::Call(args))) =
                    (trailers.first().map(|t| &t.kind), trailers.get(1).map(|t| &t.kind))
                else {
                    return Ok(None);
                };
                match word.as_str() {
                    "save_for_backward" => {
                        let texts = self.plain_args(args)?;
                        let comma = if args.len() == 1 { "," } else { "" };
                        if let Some(context) = &mut self.context {
                            context.saves = true;
                        }
                        Ok(Some(vec![self.line(
                            s,
                            vec![format!("saved = ({texts}{comma})")],
                            [],
                            true,
                        )]))
                    }
                    "set_materialize_grads" | "mark_non_differentiable" => Ok(Some(Vec::new())),
                    word => Err(Problem::lacks(&format!("ctx.{word}"))),
                }
            }
            StmtKind::Assign { targets, value } => {
                let [Expr { kind: ExprKind::Trailers { base, trailers }, .. }] = targets.as_slice()
                else {
                    return Ok(None);
                };
                let (true, [Trailer { kind: TrailerKind::Attr(name), .. }]) =
                    (is_name(base, &ctx), trailers.as_slice())
                else {
                    return Ok(None);
                };
                let name = name.as_str().to_owned();
                let code = self.expr(value)?;
                if let Some(context) = &mut self.context
                    && !context.kept.contains(&name)
                {
                    context.kept.push(name.clone());
                }
                Ok(Some(vec![self.line(s, vec![format!("{name} = {}", code.text)], [], true)]))
            }
            StmtKind::Return(Some(value)) => {
                let code = self.expr(value)?;
                let text = match backward {
                    true => match &value.kind {
                        // PyTorch lets backward return more, of None.
                        ExprKind::Tuple(items) if items.len() > inputs => {
                            let texts = items[..inputs].iter().map(|x| Ok(self.expr(x)?.text));
                            let comma = if inputs == 1 { "," } else { "" };
                            let texts = texts.collect::<Done<Vec<String>>>()?.join(", ");
                            format!("return ({texts}{comma})")
                        }
                        ExprKind::Tuple(_) => format!("return {}", code.text),
                        _ => format!("return ({},)", code.text),
                    },
                    false if matches!(value.kind, ExprKind::Tuple(_)) => {
                        return Err(Problem::lacks("a Function with several outputs"));
                    }
                    false => {
                        let Some(context) = &self.context else { return Ok(None) };
                        let parts = residuals(context);
                        let comma = if parts.len() == 1 { "," } else { "" };
                        format!("return {}, ({}{comma})", code.text, parts.join(", "))
                    }
                };
                Ok(Some(vec![self.line(s, vec![text], [], true)]))
            }
            _ => Ok(None),
        }
    }

    /// `ctx.saved_tensors`, `ctx.k`.
    pub(super) fn context_value(&self, base: &Expr, trailers: &[Trailer]) -> Done<Option<Code>> {
        let Some(context) = &self.context else {
            return Ok(None);
        };
        let (true, Some(TrailerKind::Attr(word))) =
            (is_name(base, &context.name), trailers.first().map(|t| &t.kind))
        else {
            return Ok(None);
        };
        match word.as_str() {
            "saved_tensors" => Ok(Some("saved".into())),
            "needs_input_grad" => Err(Problem::meta("ctx.needs_input_grad")),
            name if context.kept.iter().any(|k| k == name) => Ok(Some(name.into())),
            name => Err(Problem::lacks(&format!("ctx.{name}"))),
        }
    }
}

/// Words of a program that differentiates a gradient.
const TWICE: [&str; 4] = ["create_graph", "hessian", "hvp", "vhp"];

/// What forward hands to backward.
fn residuals(context: &Context) -> Vec<String> {
    let saved = context.saves.then(|| "saved".to_owned());
    saved.into_iter().chain(context.kept.iter().cloned()).collect()
}

fn is_name(e: &Expr, name: &str) -> bool {
    matches!(&e.kind, ExprKind::Name(n) if n.as_str() == name)
}

/// `MySquare` as `my_square`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for (n, c) in name.chars().enumerate() {
        if c.is_uppercase() && n > 0 && !out.ends_with('_') {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// Refuses a loop over tensors that writes to them under the name that it gives them.
pub(super) fn leaves_elements(names: &HashSet<String>, body: &[Step]) -> Done<()> {
    match names.iter().find(|n| over(body, n)) {
        Some(name) => Err(Problem::new(
            format!("the loop modifies its element {name} in place; JAX arrays are immutable"),
            "write to each tensor by its own name, or export --to torch",
        )),
        None => Ok(()),
    }
}

/// Whether steps write to what a parameter was called with, before they bind it to something else.
fn over(steps: &[Step], name: &str) -> bool {
    for step in steps {
        match step {
            Step::Line(line) if line.over.as_deref() == Some(name) => return true,
            Step::Line(line) if line.writes.contains(name) => return false,
            Step::Block(block)
                if !matches!(block.kind, BlockKind::Def(..))
                    && block.parts.iter().any(|p| over(&p.body, name)) =>
            {
                return true;
            }
            _ => {}
        }
    }
    false
}
