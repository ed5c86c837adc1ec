//! Hooks: functions that see a gradient on its way, and may change it.

use crate::derivatives::backward::Around;
use crate::expr::upto;
use crate::problem::{Done, Perhaps, Problem, Steps};
use crate::steps::*;
use crate::writer::{Hook, Writer};
use vjp_syntax::ast::*;

impl<'a> Writer<'a> {
    /// `x.register_hook(f)`, `handle.remove()`; None of anything else.
    pub(crate) fn hooked(
        &mut self,
        s: &'a Stmt,
        e: &'a Expr,
        base: &'a Expr,
        trailers: &'a [Trailer],
    ) -> Perhaps<'a> {
        let Some((ahead, word, args)) = method_call(trailers) else { return Ok(None) };
        let at = s.span.start as usize;
        if word == "remove"
            && let (ExprKind::Name(handle), []) = (&base.kind, ahead)
            && let Some(hook) =
                self.hooks.iter_mut().find(|h| h.handle.as_deref() == Some(handle.as_str()))
        {
            hook.until = at;
            return Ok(Some(Vec::new()));
        }
        let after = match word {
            "register_hook" => false,
            "register_post_accumulate_grad_hook" => true,
            _ => return Ok(None),
        };
        let [Arg { value, .. }] = args else {
            return Ok(None);
        };
        if !self.is_tensor(upto(e, base, trailers, ahead.len())) {
            return Ok(None);
        }
        let (ExprKind::Name(name), []) = (&base.kind, ahead) else {
            return Err(Problem::new(
                "this hook belongs to a value without a name",
                "give the value a name",
            ));
        };
        if !self.locals.is_empty() {
            return Err(Problem::new(
                "a hook is registered inside a function",
                "register it outside the function",
            ));
        }
        let function = match (&value.kind, after) {
            (ExprKind::Lambda(f), true) => Some(&**f),
            (_, true) => {
                return Err(Problem::new(
                    "this hook cannot be translated to JAX",
                    "write it as a lambda",
                ));
            }
            _ => None,
        };
        let code = match after {
            true => String::new(),
            false => self.expr(value)?.text,
        };
        let name = name.as_str().to_owned();
        self.hooks.push(Hook {
            name,
            code,
            from: at,
            until: usize::MAX,
            after: function,
            handle: None,
        });
        Ok(Some(Vec::new()))
    }

    /// `handle = x.register_hook(f)`.
    pub(crate) fn hook_bound(&mut self, s: &'a Stmt, handle: &str, value: &'a Expr) -> Perhaps<'a> {
        let ExprKind::Trailers { base, trailers } = &value.kind else {
            return Ok(None);
        };
        let count = self.hooks.len();
        let steps = self.hooked(s, value, base, trailers)?;
        if self.hooks.len() > count
            && let Some(hook) = self.hooks.last_mut()
        {
            hook.handle = Some(handle.to_owned());
            self.gone.push(handle.to_owned());
        }
        Ok(steps)
    }

    fn hooks_at<'h>(&'h self, name: &'h str) -> impl Iterator<Item = &'h Hook<'a>> {
        let at = self.sweeping;
        self.hooks.iter().filter(move |h| h.name == name && h.from < at && at < h.until)
    }

    /// Inside a function: the hooks of a value that was just computed.
    pub(crate) fn with_hooks(&mut self, name: &str, body: &mut Vec<Out>) -> Done<()> {
        let own: Vec<String> =
            self.hooks_at(name).filter(|h| h.after.is_none()).map(|h| h.code.clone()).collect();
        // PyTorch's graph of the gradient leads to the value before its hook, JAX's does not.
        if self.nested && !own.is_empty() {
            return Err(Problem::new(
                format!("{name} has a hook, and a second derivative is taken through it"),
                "remove the hook, or export --to torch",
            ));
        }
        for code in own {
            let hooked = self.helper("hooked");
            body.push(Out::Text(format!("{name} = {hooked}({name}, {code})")));
        }
        Ok(())
    }

    /// Hooks of leaves, which see the whole of this sweep's gradient.
    pub(crate) fn leaf_hooks(&self, leaves: &[Leaf], _: &Around<'_, 'a>) -> Vec<(String, String)> {
        let of = |l: &Leaf| {
            let own = self.hooks_at(&l.name).filter(|h| h.after.is_none());
            own.map(|h| (h.name.clone(), h.code.clone())).collect::<Vec<_>>()
        };
        leaves.iter().filter(|l| l.shift.is_none()).flat_map(of).collect()
    }

    /// A call that gives gradients back shows none to hooks.
    pub(crate) fn without_hooks(&self, leaves: &[String]) -> Done<()> {
        match leaves.iter().find(|l| self.hooks_at(l).next().is_some()) {
            None => Ok(()),
            Some(leaf) => Err(Problem::new(
                format!("{leaf} has a hook, and its gradient is requested"),
                "remove the hook, or export --to torch",
            )),
        }
    }

    /// Several hooks that print do so in PyTorch's order only where there is one.
    pub(crate) fn hooks_in_order(&self) -> Done<()> {
        let at = self.sweeping;
        let printing =
            self.hooks.iter().filter(|h| h.from < at && at < h.until && h.code.contains("print"));
        let mut names: Vec<&str> = printing.map(|h| h.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        match names.len() {
            0 | 1 => Ok(()),
            _ => Err(Problem::new(
                "several hooks print, and JAX may call them in another order",
                "print in one hook",
            )),
        }
    }

    /// What is called when a gradient has been added to.
    pub(crate) fn after_sweep(&mut self, s: &'a Stmt, leaves: &[String]) -> Steps<'a> {
        let at = s.span.start as usize;
        let hooks: Vec<(String, &'a Function)> = self
            .hooks
            .iter()
            .filter(|h| h.from < at && at < h.until && leaves.contains(&h.name))
            .filter_map(|h| Some((h.name.clone(), h.after?)))
            .collect();
        let mut steps = Vec::new();
        for (name, function) in hooks {
            let (Some(param), [Stmt { kind: StmtKind::Return(Some(body)), .. }]) =
                (function.params.list.first(), function.body.as_slice())
            else {
                return Err(Problem::new(
                    "this hook cannot be translated to JAX",
                    "write it as a lambda",
                ));
            };
            self.places.push((param.name.as_str().to_owned(), name));
            let code = self.expr(body);
            self.places.pop();
            self.effect = true;
            let code = code?;
            let mut step = self.line(s, vec![code.text], [], false);
            if let Step::Line(line) = &mut step {
                line.tree = None;
            }
            steps.push(step);
        }
        Ok(steps)
    }
}
