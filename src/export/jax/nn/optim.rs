//! Optimisers: a function of parameters, gradients and a state that the program brings along.

use super::state::{Group, Net, Optimiser};
use crate::code::is_name;
use crate::problem::{Done, Perhaps, Problem};
use crate::steps::*;
use crate::writer::Writer;
use std::rc::Rc;
use vjp_eval::{Instance, Value};
use vjp_export_torch::literal::{self, quoted};
use vjp_syntax::ast::*;
use vjp_torch::nn::own;

/// Classes, the functions for their steps, and the options of these by place.
const FUNCTIONS: &[(&str, &str, &[&str])] = &[
    ("SGD", "sgd", &["lr", "momentum", "dampening", "weight_decay", "nesterov"]),
    ("Adam", "adam", &["lr", "betas", "eps", "weight_decay", "amsgrad"]),
    ("AdamW", "adamw", &["lr", "betas", "eps", "weight_decay", "amsgrad"]),
    ("RMSprop", "rmsprop", &["lr", "alpha", "eps", "weight_decay", "momentum", "centered"]),
    ("Adagrad", "adagrad", &["lr", "lr_decay", "weight_decay", "initial_accumulator_value", "eps"]),
];

/// Options that change nothing in what is computed.
const SILENT: [&str; 4] = ["foreach", "fused", "capturable", "differentiable"];

impl<'a> Writer<'a> {
    /// An object of a class of PyTorch's module, where a call makes it, and the call's arguments.
    pub(super) fn made_by(&self, home: &str, call: &'a Expr) -> Option<(Rc<Instance>, &'a [Arg])> {
        let Value::Instance(instance) = self.value(call.span)? else { return None };
        let ExprKind::Trailers { trailers, .. } = &call.kind else { return None };
        let TrailerKind::Call(args) = &trailers.last()?.kind else { return None };
        let module = instance.class().module();
        module.as_str()?.starts_with(home).then(|| (Rc::clone(instance), args.as_slice()))
    }

    /// `opt = torch.optim.SGD(net.parameters(), lr=0.1)`; None of anything else.
    pub(crate) fn optimiser_bound(
        &mut self,
        s: &'a Stmt,
        name: &str,
        value: &'a Expr,
    ) -> Perhaps<'a> {
        let Some((instance, args)) = self.made_by("torch.optim", value) else { return Ok(None) };
        let class = instance.class().name.to_string();
        let refused = |what: &str| {
            Problem::new(what, "write the step by hand in torch.no_grad(), or export --to torch")
        };
        let Some((_, function, options)) = FUNCTIONS.iter().find(|(c, ..)| *c == class) else {
            return Err(refused(&format!("the JAX export has no form for torch.optim.{class}")));
        };
        let twice = self.optimisers.iter().any(|o| o.name == name);
        if twice || !self.locals.is_empty() {
            return Err(refused(&format!(
                "{name} is assigned an optimiser twice, or inside a function"
            )));
        }
        let mut texts = String::new();
        let changes = self.rates_change();
        let mut rate =
            if matches!(*function, "rmsprop" | "adagrad") { "0.01" } else { "0.001" }.to_owned();
        let of_groups = self.options_of_groups(args);
        let given = args.iter().enumerate().map(|(n, a)| {
            let word = match a.kind {
                ArgKind::Named(word) => word.as_str(),
                ArgKind::Positional if n == 0 => "params",
                ArgKind::Positional => options.get(n - 1).copied().unwrap_or(""),
                _ => "",
            };
            (word, &a.value)
        });
        // What a group says itself counts before what all are given.
        let said: Vec<&str> = of_groups.iter().map(|(word, _)| *word).collect();
        let given: Vec<_> = given.filter(|(word, _)| !said.contains(word)).collect();
        for (word, value) in of_groups.into_iter().chain(given) {
            if word == "params" || SILENT.contains(&word) {
                continue;
            }
            let known = options.contains(&word) || word == "maximize";
            let Some(text) = self.literal_of(value).filter(|_| known) else {
                return Err(refused(&format!(
                    "an option of torch.optim.{class} is not one number"
                )));
            };
            match word == "lr" && changes {
                true => rate = text,
                false => texts += &format!(", {word}={text}"),
            }
        }
        let groups = self.groups(&instance).ok_or_else(|| {
            refused("the optimiser's groups have different options, or parameters without a name")
        })?;
        let state = format!("{name}_state");
        let mut begins = vec![format!("{state} = None")];
        let one = matches!(own(&instance, "param_groups"), Some(Value::List(l)) if l.items.borrow().len() == 1);
        let named = changes.then(|| format!("{name}_lr"));
        if let Some(named) = &named {
            if !one {
                return Err(refused(
                    "several groups of parameters, and learning rates that change",
                ));
            }
            begins.push(format!("{named} = {rate}"));
            texts.insert_str(0, &format!(", lr={named}"));
        }
        let mut writes = vec![state.as_str()];
        writes.extend(named.as_deref());
        self.helper(function);
        self.optimisers.push(Optimiser {
            name: name.to_owned(),
            function,
            options: texts,
            state: state.clone(),
            rate: named.clone(),
            groups,
        });
        let mut line = self.added(s.span.start as usize, begins, &[], &writes);
        if let Step::Line(line) = &mut line {
            line.graded = false;
        }
        Ok(Some(vec![line]))
    }

    /// The options in `[{'params': …, 'lr': 0.1}]`; [`Writer::groups`] sees that all groups have the same.
    fn options_of_groups<'e>(&self, args: &'e [Arg]) -> Vec<(&'e str, &'e Expr)> {
        let Some(ExprKind::List(groups)) = args.first().map(|a| &a.value.kind) else {
            return Vec::new();
        };
        let Some(ExprKind::Dict(pairs)) = groups.first().map(|g| &g.kind) else {
            return Vec::new();
        };
        let pair = |(key, value): &'e (Option<Expr>, Expr)| match &key.as_ref()?.kind {
            ExprKind::Str(word) => Some((&**word, value)),
            _ => None,
        };
        pairs.iter().filter_map(pair).collect()
    }

    /// What an optimiser updates, by the names of this program.
    fn groups(&mut self, instance: &Instance) -> Option<Vec<Group>> {
        let Some(Value::List(groups)) = own(instance, "param_groups") else { return None };
        let groups = groups.items.borrow();
        let (mut tensors, mut options) = (Vec::new(), Vec::new());
        for group in groups.iter() {
            let Value::Dict(group) = group else { return None };
            let mut own = Vec::new();
            for (_, key, value) in group.entries.borrow().iter() {
                match (key.as_str(), value) {
                    (Some("params"), Value::List(l)) => tensors.extend(l.items.borrow().to_vec()),
                    (Some(key), value) => own.push((key.to_owned(), literal::value(value))),
                    _ => return None,
                }
            }
            own.sort();
            options.push(own);
        }
        if options.windows(2).any(|w| w[0] != w[1]) {
            return None;
        }
        let mut all: Vec<Group> = Vec::new();
        for tensor in &tensors {
            let Value::Tensor(t) = tensor else { return None };
            let net = self.modules.nets.iter().find_map(|n| Some((n, n.key(t.id())?.to_owned())));
            match net {
                Some((net, key)) => match all.iter_mut().find(|g| g.params == net.params) {
                    Some(group) => group.keys.get_or_insert_default().push(key),
                    None => all.push(Group {
                        params: net.params.clone(),
                        grads: net.grads.clone(),
                        keys: Some(vec![key]),
                    }),
                },
                None => {
                    let mut seen = self.watch.sweeps.iter().flat_map(|s| &s.leaves);
                    let leaf = seen.find(|l| l.id == t.id() && is_name(&l.path) && !l.earlier)?;
                    let params = leaf.path.clone();
                    self.unset.insert(params.clone());
                    let grads = format!("{params}_grad");
                    all.push(Group { params, grads, keys: None });
                }
            }
        }
        for group in &mut all {
            let net = self.modules.nets.iter().find(|n| n.params == group.params);
            if net.is_some_and(|n| group.keys.as_ref().is_some_and(|k| k.len() == n.keys.len())) {
                group.keys = None;
            }
        }
        Some(all)
    }

    /// `opt.step()`, `opt.zero_grad()`; None of anything else.
    pub(crate) fn optimiser_called(
        &mut self,
        s: &'a Stmt,
        base: &'a Expr,
        trailers: &'a [Trailer],
    ) -> Perhaps<'a> {
        let ExprKind::Name(name) = &base.kind else { return Ok(None) };
        let Some(at) = self.optimisers.iter().position(|o| o.name == name.as_str()) else {
            return Ok(None);
        };
        let word = match method_call(trailers) {
            Some(([], word, [])) => word,
            Some(([], "zero_grad", args)) if self.to_none(args) => "zero_grad",
            _ => "",
        };
        match word {
            "step" => self.stepped_once(s, at).map(|step| Some(vec![step])),
            "zero_grad" => {
                let groups = self.optimisers[at].groups.iter();
                let whole: Vec<(String, &str)> = groups
                    .map(|g| {
                        (
                            g.grads.clone(),
                            if is_dict(g, &self.modules.nets) { "{}" } else { "None" },
                        )
                    })
                    .collect();
                if self.optimisers[at].groups.iter().any(|g| g.keys.is_some()) {
                    return Err(Problem::new(
                        "zero_grad() clears only some parameters of a module",
                        "call the module's zero_grad, or export --to torch",
                    ));
                }
                Ok(Some(whole.iter().map(|(grads, none)| self.cleared(s, grads, none)).collect()))
            }
            _ => Err(Problem::new(
                format!("{} cannot be translated to JAX", self.source.slice(s.span)),
                "use only zero_grad() and step(), or export --to torch",
            )),
        }
    }

    /// `set_to_none=True`, as it is anyway.
    fn to_none(&self, args: &[Arg]) -> bool {
        matches!(args, [only] if only.value.kind == ExprKind::True)
    }

    fn stepped_once(&mut self, s: &'a Stmt, at: usize) -> Done<Step<'a>> {
        let helper = self.helper(self.optimisers[at].function);
        let opt = &self.optimisers[at];
        let grads = |g: &Group| match &g.keys {
            None => g.grads.clone(),
            Some(keys) => {
                let keys: Vec<String> = keys.iter().map(|k| quoted(k)).collect();
                format!("{{k: g for k, g in {}.items() if k in [{}]}}", g.grads, keys.join(", "))
            }
        };
        let both = |all: Vec<String>| match all.as_slice() {
            [one] => one.clone(),
            several => format!("({})", several.join(", ")),
        };
        let params = both(opt.groups.iter().map(|g| g.params.clone()).collect());
        let grads = both(opt.groups.iter().map(grads).collect());
        let (state, options) = (opt.state.clone(), opt.options.clone());
        let text = format!("{params}, {state} = {helper}({params}, {grads}, {state}{options})");
        let mut reads = Names::from([state.clone()]);
        let mut writes = reads.clone();
        reads.extend(opt.rate.clone());
        for g in &opt.groups {
            reads.extend([g.params.clone(), g.grads.clone()]);
            writes.insert(g.params.clone());
        }
        self.reads.extend(reads);
        let mut line = self.line(s, vec![text], writes, false);
        if let Step::Line(line) = &mut line {
            (line.silent, line.tree) = (true, None);
        }
        Ok(line)
    }
}

fn is_dict(group: &Group, nets: &[Net]) -> bool {
    nets.iter().any(|n| n.params == group.params)
}
