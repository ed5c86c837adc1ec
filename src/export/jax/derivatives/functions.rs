//! Functions of leaves, made of the steps that led from them to a value, and what is asked of them.

use super::slice::{between, changes, earlier, flows};
use crate::code::is_name;
use crate::derivatives::backward::{Around, numbers};
use crate::derivatives::calls::mark;
use crate::derivatives::pure::Read;
use crate::problem::{Done, Problem};
use crate::steps::{Ask, BlockKind, Held, How, Leaf, Line, Names, Out, Step, Written};
use crate::writer::Writer;
use std::collections::BTreeSet;
use vjp_syntax::ast::*;
use vjp_text::Span;

impl<'a> Writer<'a> {
    /// A line's text with its questions answered.
    pub(crate) fn answered<'s>(
        &mut self,
        line: &'s Line<'a>,
        here: &Around<'s, 'a>,
        hoisted: &mut Vec<Out>,
        outs: &mut Vec<Out>,
    ) -> Done<Vec<String>> {
        let mut text = line.text.clone();
        self.sweeping = line.at;
        for (n, ask) in line.asks.iter().enumerate() {
            self.without_hooks(&ask.leaves).map_err(|p| p.or_at(line.at))?;
            let answer = self
                .answer(ask, here, hoisted, outs)
                .map_err(|p| p.inside(here.def, "a gradient is requested").or_at(line.at))?;
            text.iter_mut().for_each(|t| *t = t.replace(&mark(n), &answer));
        }
        Ok(text)
    }

    fn answer<'s>(
        &mut self,
        ask: &Ask<'a>,
        here: &Around<'s, 'a>,
        hoisted: &mut Vec<Out>,
        outs: &mut Vec<Out>,
    ) -> Done<String> {
        let leaves: Vec<Leaf> = ask
            .leaves
            .iter()
            .map(|name| Leaf {
                name: name.clone(),
                grad: String::new(),
                tree: false,
                held: Held::Nothing,
                shift: None,
                keys: BTreeSet::new(),
            })
            .collect();
        let reached = matches!(ask.how, How::Gradient | How::Gradients);
        self.locals.push(ask.given.iter().cloned().collect());
        let was = std::mem::replace(&mut self.given, ask.given.clone());
        let made = self.function(ask.y, &leaves, here, hoisted, outs, (false, reached));
        let y = self.expr(ask.y);
        self.given = was;
        self.locals.pop();
        let ((name, more), y) = (made?, y?.text);
        let all: Vec<&str> = ask.leaves.iter().chain(&more).map(String::as_str).collect();
        let args = all.join(", ");
        let argnums = match ask.leaves.len() {
            1 => String::new(),
            n => format!(", argnums={}", numbers(n)),
        };
        let several = ask.leaves.len() > 1;
        let plain = more.is_empty();
        let pulled = |v: &str| match plain {
            true => format!("jax.vjp({name}, {args})[1]({v})"),
            false => {
                let lambda = format!("lambda {0}: {name}({args})", ask.leaves.join(", "));
                format!("jax.vjp({lambda}, {})[1]({v})", ask.leaves.join(", "))
            }
        };
        let weight =
            |w: &Option<String>| w.clone().unwrap_or_else(|| format!("jnp.ones_like({y})"));
        Ok(match (ask.how, &ask.weight, ask.scalar) {
            (How::Jacobian, ..) => format!("jax.jacobian({name}{argnums})({args})"),
            (How::Hessian, ..) => {
                let way = self.transformation("hessian")?;
                format!("{way}({name}{argnums})({args})")
            }
            (How::Push, w, _) => {
                let way = self.transformation("jvp")?;
                format!("{way}({name}, ({args},), ({},))[1]", weight(w))
            }
            (how, None, true) => {
                let grad = format!("jax.grad({name}{argnums})({args})");
                match (how, several) {
                    (How::Gradients, false) => format!("({grad},)"),
                    _ => grad,
                }
            }
            (How::Gradient, w, _) if !several => format!("{}[0]", pulled(&weight(w))),
            (_, w, _) => pulled(&weight(w)),
        })
    }

    /// A function of `leaves` that gives the value of `root`: its name, and what it takes besides.
    /// The function itself goes before the loops around, or here. Where the leaves are `reached`,
    /// it depends on each.
    pub(crate) fn function<'s>(
        &mut self,
        root: &'a Expr,
        leaves: &[Leaf],
        here: &Around<'s, 'a>,
        hoisted: &mut Vec<Out>,
        outs: &mut Vec<Out>,
        (strictly, reached): (bool, bool),
    ) -> Done<(String, Vec<String>)> {
        let aside = self.begin();
        let plain = self.expr(root);
        let (reads, recorded) = (self.reads.clone(), self.recorded.clone());
        self.end(aside);
        let plain = plain?;
        let (shifted, own): (Vec<&Leaf>, Vec<&Leaf>) =
            leaves.iter().partition(|l| l.shift.is_some());
        let names: Vec<String> = own.iter().map(|l| l.name.clone()).collect();
        let chosen = between(&here.past, &here.entered, &names, (&reads, &reads), strictly)?;
        self.unchanged(root, &chosen.steps, here, &names)?;
        let mut body = Vec::new();
        let was = std::mem::replace(&mut self.traced, true);
        let outer = std::mem::replace(&mut self.nested, was);
        let made = self.function_body(&chosen.steps, root, leaves, here, &mut body);
        (self.traced, self.nested) = (was, outer);
        let root_text = made?;
        // What the root itself reads from outside must not be what gradients flow to.
        let bound: Names =
            chosen.steps.iter().flat_map(|s| s.writes()).chain(names.iter().cloned()).collect();
        let at = here.past.len();
        let strictly = strictly.then_some(here.loops == 0);
        let from_outside = |name: &&String| {
            !bound.contains(*name) && flows(&here.past, (name, at), &names, strictly)
        };
        if let Some(name) = recorded.iter().find(from_outside) {
            return Err(earlier(name, Some(root.span.start as usize)));
        }
        let used = |name: &String| {
            reads.contains(name) || chosen.steps.iter().any(|s| s.reads().contains(name))
        };
        let computed = |l: &&Leaf| chosen.steps.iter().any(|s| s.writes().contains(&l.name));
        if reached && !(names.iter().all(used) && shifted.iter().all(computed)) {
            return Err(earlier(&plain.text, Some(root.span.start as usize)));
        }
        let mut more: Vec<String> = self.given.clone();
        if here.loops > 0 {
            more.extend(chosen.free.iter().filter(|n| here.varying.contains(*n)).cloned());
        }
        let mut params: Vec<String> = leaves.iter().map(|l| l.parameter().to_owned()).collect();
        params.extend(more.iter().cloned());
        let mut lines = Vec::new();
        body.iter().for_each(|o: &Out| o.lines(1, &mut lines));
        // `y = …` and `return y` are one.
        let last = format!("    {root_text} = ");
        match lines.last().and_then(|l| l.strip_prefix(&last)).map(str::to_owned) {
            Some(value) if is_name(&root_text) => {
                lines.pop();
                lines.push(format!("    return {value}"));
            }
            _ => lines.push(format!("    return {root_text}")),
        }
        let text = format!("({}):\n{}", params.join(", "), lines.join("\n"));
        let stem = match is_name(&plain.text) {
            true => format!("{}_of", plain.text),
            false => "value_of".to_owned(),
        };
        for step in &chosen.steps {
            mark_copied(step, &mut self.copied);
        }
        if let Some((name, _)) =
            self.made.iter().rev().find(|(n, t)| *t == text && n.starts_with(&stem))
        {
            let name = name.clone();
            // Still the function of that name?
            if self.made.iter().rev().find(|(n, _)| *n == name).is_some_and(|(_, t)| *t == text)
                && !self.traced
            {
                return Ok((name, more));
            }
        }
        let taken = |n: &str| self.bound.contains(n) || self.made.iter().any(|(m, _)| m == n);
        let name = match taken(&stem) {
            false => stem.clone(),
            true => (2..).map(|k| format!("{stem}{k}")).find(|n| !taken(n)).unwrap_or(stem),
        };
        let def = format!("def {name}{text}");
        if !self.traced {
            self.made.push((name.clone(), text));
        }
        let target = if here.loops > 0 && !self.traced { hoisted } else { outs };
        target.push(Out::Text(String::new()));
        let mut own = Names::new();
        own.extend(chosen.free.iter().cloned());
        target.push(Out::Line(Written {
            text: vec![def],
            reads: own,
            writes: Names::from([name.clone()]),
            effect: true,
            ..Written::default()
        }));
        target.push(Out::Text(String::new()));
        Ok((name, more))
    }

    /// Refuses steps that may not run again, and functions in them that read what has changed since.
    fn unchanged<'s>(
        &self,
        root: &'a Expr,
        steps: &[&'s Step<'a>],
        here: &Around<'s, 'a>,
        leaves: &[String],
    ) -> Done<()> {
        let spans = |step: &Step| match step {
            Step::Line(line) => line.tree.map(|s| s.span),
            Step::Block(block) => block.tree.map(|s| s.span),
            _ => None,
        };
        let inside = |r: &Read| {
            let holds = |s: Span| s.start <= r.written.start && r.written.end <= s.end;
            steps.iter().filter_map(|s| spans(s)).any(holds)
        };
        let bound: Names = steps.iter().flat_map(|s| s.writes()).collect();
        let fixed = |reads: &[Read], at: usize| {
            let takes = |r: &&Read| leaves.contains(&r.name) || bound.contains(&r.name);
            match reads.iter().find(|r| takes(r) && !inside(r)) {
                None => Ok(()),
                Some(r) => Err(Problem {
                    at: Some(at),
                    ..Problem::new(
                        format!(
                            "{0} reads {1} from outside, and {1} is computed again here",
                            r.function, r.name
                        ),
                        format!(
                            "pass {} to {} as an argument, or export --to torch",
                            r.name, r.function
                        ),
                    )
                }),
            }
        };
        fixed(&self.repeatable_value(root)?, root.span.start as usize)?;
        for step in steps {
            let (tree, at) = match step {
                Step::Line(line) => (line.tree, line.at),
                Step::Block(block) => (block.tree, block.at),
                _ => (None, 0),
            };
            let Some(tree) = tree else { continue };
            let reads = self.repeatable(tree)?;
            fixed(&reads, at)?;
            let from = here.past.iter().position(|p| std::ptr::eq(*p, *step)).unwrap_or(0);
            let later = here.past.iter().skip(from + 1);
            let later = later.filter(|p| !steps.iter().any(|s| std::ptr::eq(*s, **p)));
            for p in later.filter(|p| !matches!(p, Step::Sweep(_))) {
                let writes = p.writes();
                let name = reads.iter().map(|r| &r.name);
                let name = name.into_iter().find(|n| writes.contains(*n) && !leaves.contains(n));
                if let Some(name) = name {
                    return Err(changes(name, Some(at)));
                }
            }
        }
        Ok(())
    }

    /// The chosen steps again, where values are traced; the root's text.
    fn function_body<'s>(
        &mut self,
        steps: &[&'s Step<'a>],
        root: &'a Expr,
        leaves: &[Leaf],
        here: &Around<'s, 'a>,
        body: &mut Vec<Out>,
    ) -> Done<String> {
        for (k, step) in steps.iter().enumerate() {
            if step.sweeps() {
                return Err(Problem::new(
                    "the differentiated value was computed in a loop that also calls backward",
                    "compute it after the loop, or export --to torch",
                ));
            }
            self.traced_step(step, here, body, false)?;
            for name in step.writes() {
                if steps[k + 1..].iter().any(|later| later.writes().contains(&name)) {
                    continue;
                }
                let shift = leaves.iter().filter(|l| l.name == name).find_map(|l| l.shift.clone());
                body.extend(shift.map(|d| Out::Text(format!("{name} = {name} + {d}"))));
                self.with_hooks(&name, body)?;
            }
        }
        Ok(self.expr(root)?.text)
    }

    /// A step inside a function that is differentiated.
    fn traced_step<'s>(
        &mut self,
        step: &'s Step<'a>,
        here: &Around<'s, 'a>,
        body: &mut Vec<Out>,
        flows: bool,
    ) -> Done<()> {
        match step {
            Step::Comment(_) | Step::Sweep(_) => {}
            Step::Line(line) => {
                if line.writes.is_empty() && line.effect {
                    // In a loop or a function that is written again as a whole.
                    if let (true, Some(s)) = (flows, line.tree)
                        && !matches!(
                            s.kind,
                            StmtKind::Expr(_) | StmtKind::Assert { .. } | StmtKind::Del(_)
                        )
                    {
                        body.push(Out::Line(Written {
                            text: line.text.clone(),
                            ..Written::default()
                        }));
                    }
                    return Ok(());
                }
                let text = match line.tree {
                    None => line.text.clone(),
                    Some(tree) => {
                        let quiet = std::mem::replace(&mut self.quiet, line.quiet);
                        let again = self.statement(tree);
                        self.quiet = quiet;
                        let again = again?;
                        let same = again.into_iter().find_map(|s| match s {
                            Step::Line(l) if l.writes == line.writes => Some(l),
                            _ => None,
                        });
                        match same {
                            Some(new) => {
                                let mut inner = Around {
                                    past: here.past.clone(),
                                    varying: Names::new(),
                                    loops: 0,
                                    entered: here.entered.clone(),
                                    def: here.def,
                                };
                                // Only what stands before this line leads to what it asks.
                                let own = inner.past.iter().position(|s| std::ptr::eq(*s, step));
                                inner.past.truncate(own.unwrap_or(inner.past.len()));
                                let mut text = new.text.clone();
                                for (n, ask) in new.asks.iter().enumerate() {
                                    let mut unused = Vec::new();
                                    let answer = self.answer(ask, &inner, &mut unused, body)?;
                                    text.iter_mut().for_each(|t| *t = t.replace(&mark(n), &answer));
                                }
                                text
                            }
                            None => line.text.clone(),
                        }
                    }
                };
                body.push(Out::Line(Written { text, ..Written::default() }));
            }
            Step::Block(block) => {
                let mut parts = Vec::new();
                for part in &block.parts {
                    let mut inner = Vec::new();
                    for step in &part.body {
                        let flows = flows || block.kind != BlockKind::If;
                        self.traced_step(step, here, &mut inner, flows)?;
                    }
                    parts.push((part.head.clone(), Written::default(), inner));
                }
                body.push(Out::Block(parts, block.kind.clone()));
            }
        }
        Ok(())
    }
}

fn mark_copied(step: &Step, copied: &mut std::collections::HashSet<usize>) {
    match step {
        Step::Line(line) => {
            copied.insert(line.id);
        }
        Step::Block(block) => {
            block.parts.iter().for_each(|p| p.body.iter().for_each(|s| mark_copied(s, copied)));
        }
        _ => {}
    }
}
