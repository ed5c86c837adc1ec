//! Learning rates that change: a Python number beside the optimiser, `opt_lr`, and what schedulers
//! make of it.

use super::state::{Optimiser, Scheduler};
use crate::problem::{Perhaps, Problem};
use crate::steps::{Names, Step};
use crate::writer::Writer;
use vjp_syntax::ast::*;

/// A scheduler's options, those without a default with none, and what its step does to the rate.
type Rule = (&'static str, &'static [(&'static str, &'static str)], &'static str);

const RULES: &[Rule] = &[
    (
        "StepLR",
        &[("step_size", ""), ("gamma", "0.1")],
        "{rate} *= {gamma} if {epoch} % {step_size} == 0 else 1",
    ),
    (
        "MultiStepLR",
        &[("milestones", ""), ("gamma", "0.1")],
        "{rate} *= {gamma} ** {milestones}.count({epoch})",
    ),
    ("ExponentialLR", &[("gamma", "")], "{rate} *= {gamma}"),
];

fn refused(what: impl Into<String>) -> Problem {
    Problem::new(what, "write the rate as a number that changes, or export --to torch")
}

fn is_attribute(t: &Trailer, word: &str) -> bool {
    matches!(&t.kind, TrailerKind::Attr(n) if n.as_str() == word)
}

fn is_first(t: &Trailer) -> bool {
    matches!(&t.kind, TrailerKind::Index(i) if matches!(i.kind, ExprKind::Int(0)))
}

fn is_lr(t: &Trailer) -> bool {
    matches!(&t.kind, TrailerKind::Index(i) if matches!(&i.kind, ExprKind::Str(s) if &**s == "lr"))
}

impl<'a> Writer<'a> {
    /// Whether learning rates change anywhere in the program.
    pub(crate) fn rates_change(&self) -> bool {
        ["param_groups", "lr_scheduler"].iter().any(|word| self.source.text().contains(word))
    }

    fn optimiser(&self, name: &str) -> Option<&Optimiser> {
        self.optimisers.iter().find(|o| o.name == name)
    }

    /// The rate that `opt.param_groups[0]["lr"]`, `group["lr"]`, `scheduler.get_last_lr()[0]` names.
    pub(crate) fn rate_of(&self, e: &Expr) -> Option<String> {
        let ExprKind::Trailers { base, trailers } = &e.kind else { return None };
        let ExprKind::Name(name) = &base.kind else { return None };
        let name = name.as_str();
        match trailers.as_slice() {
            [key] if is_lr(key) => {
                let mut groups = self.rates.groups.iter().rev();
                groups.find(|(n, _)| n == name).map(|(_, rate)| rate.clone())
            }
            [groups, first, key]
                if is_attribute(groups, "param_groups") && is_first(first) && is_lr(key) =>
            {
                self.optimiser(name)?.rate.clone()
            }
            [last, Trailer { kind: TrailerKind::Call(_), .. }, first]
                if is_attribute(last, "get_last_lr") && is_first(first) =>
            {
                let mut all = self.rates.schedulers.iter();
                all.find(|s| s.name == name).map(|s| s.rate.clone())
            }
            _ => None,
        }
    }

    /// Lines about a rate, which no gradient flows through.
    fn about(&mut self, s: &'a Stmt, text: Vec<String>, names: &[String]) -> Step<'a> {
        self.reads.extend(names.iter().cloned());
        let mut line = self.line(s, text, names.iter().cloned().collect::<Names>(), false);
        if let Step::Line(line) = &mut line {
            (line.silent, line.tree) = (true, None);
        }
        line
    }

    /// `opt.param_groups[0]["lr"] = 0.01`, also with an operation; None of other targets.
    pub(crate) fn rate_assigned(
        &mut self,
        s: &'a Stmt,
        target: &'a Expr,
        op: &str,
        value: &'a Expr,
    ) -> Perhaps<'a> {
        let Some(rate) = self.rate_of(target) else { return Ok(None) };
        let value = self.expr(value)?.text;
        Ok(Some(vec![self.about(s, vec![format!("{rate} {op}= {value}")], &[rate])]))
    }

    /// `for group in opt.param_groups:`; there is one group. None of other loops.
    pub(crate) fn over_groups(
        &mut self,
        target: &Expr,
        iter: &Expr,
        body: &'a [Stmt],
    ) -> Perhaps<'a> {
        let ExprKind::Trailers { base, trailers } = &iter.kind else { return Ok(None) };
        let (ExprKind::Name(name), [groups]) = (&base.kind, trailers.as_slice()) else {
            return Ok(None);
        };
        let (ExprKind::Name(group), true) = (&target.kind, is_attribute(groups, "param_groups"))
        else {
            return Ok(None);
        };
        let rate = self.optimiser(name.as_str()).and_then(|o| o.rate.clone());
        let leaves = |s: &Stmt| matches!(s.kind, StmtKind::Break | StmtKind::Continue);
        let Some(rate) = rate.filter(|_| !body.iter().any(leaves)) else {
            return Err(refused(format!("a loop over {name}.param_groups")));
        };
        self.rates.groups.push((group.as_str().to_owned(), rate));
        self.gone.push(group.as_str().to_owned());
        let steps = self.body(body);
        self.rates.groups.pop();
        steps.map(Some)
    }

    /// `scheduler = StepLR(opt, 2)`; None of anything else.
    pub(crate) fn scheduler_bound(
        &mut self,
        s: &'a Stmt,
        name: &str,
        value: &'a Expr,
    ) -> Perhaps<'a> {
        let Some((instance, args)) = self.made_by("torch.optim.lr_scheduler", value) else {
            return Ok(None);
        };
        let class = instance.class().name.to_string();
        let Some((_, options, rule)) = RULES.iter().find(|(c, ..)| *c == class) else {
            let what = format!("the JAX export has no form for torch.optim.lr_scheduler.{class}");
            return Err(refused(what));
        };
        let twice = self.rates.schedulers.iter().any(|o| o.name == name);
        let rate = match args.first().map(|a| &a.value.kind) {
            Some(ExprKind::Name(opt)) => self.optimiser(opt.as_str()).and_then(|o| o.rate.clone()),
            _ => None,
        };
        let Some(rate) = rate.filter(|_| !twice && self.locals.is_empty()) else {
            return Err(refused(format!(
                "{name} schedules something other than one named optimiser"
            )));
        };
        let epoch = format!("{name}_epoch");
        let mut text = rule.replace("{rate}", &rate).replace("{epoch}", &epoch);
        let mut known = 0;
        for (n, (option, usual)) in options.iter().enumerate() {
            let given = args.iter().enumerate().find(|(at, a)| match a.kind {
                ArgKind::Named(word) => word.as_str() == *option,
                _ => *at == n + 1,
            });
            known += usize::from(given.is_some());
            let literal = match given {
                Some((_, a)) => self.literal_of(&a.value),
                None => Some((*usual).to_owned()),
            };
            let Some(literal) = literal else {
                return Err(refused(format!("an option of {class} is not one number")));
            };
            text = text.replace(&format!("{{{option}}}"), &literal);
        }
        if known + 1 != args.len() {
            return Err(refused(format!("the JAX export has no form for an option of {class}")));
        }
        let counts = rule.contains("{epoch}");
        let mut lines = vec![text];
        if counts {
            lines.insert(0, format!("{epoch} += 1"));
        }
        let epoch = counts.then_some(epoch);
        let begins = epoch.clone();
        self.gone.push(name.to_owned());
        self.rates.schedulers.push(Scheduler { name: name.to_owned(), rate, lines, epoch });
        Ok(Some(match begins {
            Some(epoch) => vec![self.about(s, vec![format!("{epoch} = 0")], &[epoch])],
            None => Vec::new(),
        }))
    }

    /// `scheduler.step()`; None of anything else.
    pub(crate) fn scheduler_called(
        &mut self,
        s: &'a Stmt,
        base: &Expr,
        trailers: &[Trailer],
    ) -> Perhaps<'a> {
        let ExprKind::Name(name) = &base.kind else { return Ok(None) };
        let mut all = self.rates.schedulers.iter();
        let Some(at) = all.position(|o| o.name == name.as_str()) else { return Ok(None) };
        match trailers {
            [word, Trailer { kind: TrailerKind::Call(args), .. }]
                if is_attribute(word, "step") && args.is_empty() =>
            {
                let scheduler = &self.rates.schedulers[at];
                let mut names = vec![scheduler.rate.clone()];
                names.extend(scheduler.epoch.clone());
                let lines = scheduler.lines.clone();
                Ok(Some(vec![self.about(s, lines, &names)]))
            }
            _ => Err(refused(format!(
                "the JAX export has no form for {}",
                self.source.slice(s.span)
            ))),
        }
    }
}
