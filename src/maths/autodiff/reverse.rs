//! The reverse sweep: from the outputs down to the leaves, one node after the other, each handing
//! vᵀJ of its own local Jacobian to its inputs. What arrives at a leaf is added to its `.grad`.

use super::ancestors::Needed;
pub use super::ancestors::ancestors;
use super::grad_mode::{is_grad_enabled, stops_at_nan, with_grad};
use super::node::{Hook, Node, Origin};
use super::running::Running;
use super::variable::Variable;
use crate::Array;
use crate::autodiff::cotangent::{Coming, Flow, at_values, float};
use crate::autodiff::order::{Turn, Turns};
use crate::autodiff::pending::{Arrived, Waiting};
use crate::observe::{self, sweeps};
use crate::primitives::moves;
use crate::runs::pull::Run;
use crate::table::fast_scalars;
use vjp_tensor::budget::{forget_refusal, refused};
use vjp_tensor::ids::IdMap;
use vjp_tensor::storage::late::LATE_FROM;
use vjp_tensor::storage::written_silently;
use vjp_tensor::{Outcome, Tensor, shape, torch_messages};

/// A leaf that a sweep reached.
#[derive(Debug)]
pub struct Reached {
    pub leaf: Variable,
    /// This sweep's contribution.
    pub gradient: Variable,
    /// What was in `.grad`.
    pub before: Option<Tensor>,
}

/// What a sweep found.
#[derive(Debug)]
pub struct Sweep {
    /// In order of creation.
    pub leaves: Vec<Reached>,
    /// Computed tensors that retain their gradient.
    pub retained: Vec<Reached>,
    /// Leaves that it came to and that no longer require a gradient.
    pub frozen: Vec<Variable>,
    /// Gradients of [`SweepOptions::inputs`]; None for one that no output depends on.
    pub inputs: Vec<Option<Variable>>,
    /// PyTorch would have refused: what an earlier sweep freed was needed again.
    pub would_raise: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct SweepOptions<'a> {
    /// Record the sweep itself, so that gradients can be differentiated again.
    pub create_graph: bool,
    pub retain_graph: bool,
    /// Only the gradients of these, which need not be leaves.
    pub inputs: Option<&'a [Variable]>,
    /// Raise PyTorch's error where it freed what is needed; else only report it.
    pub strict_free: bool,
    /// Add to the `.grad` of leaves what arrives there.
    pub accumulate: bool,
    /// Nobody asked: tensors that retain their gradient keep what they have, and each operation has the values that it
    /// was recorded with, whatever was written or frozen since.
    pub unasked: bool,
}

/// Cotangents of more elements are asked of the budget before they are made.
const MANY: usize = 1 << 12;

/// Sends each root's cotangent down to the leaves.
///
/// # Errors
/// PyTorch's sentences: no gradient flows to a root, a cotangent of another shape, saved values
/// freed or written since; what a hook raises; the budget.
pub fn sweep(roots: &[(Variable, Variable)], options: SweepOptions) -> Outcome<Sweep> {
    for (k, (y, v)) in roots.iter().enumerate() {
        if !v.is_shaped_as(y) {
            return Err(torch_messages::gradient_shape(k, &v.shape(), &y.shape()));
        }
    }
    if let Some(k) = roots.iter().position(|(y, _)| !y.is_reached()) {
        return Err(torch_messages::no_grad_fn(k));
    }
    for (k, (y, _)) in roots.iter().enumerate() {
        y.fits_its_node(k)?;
    }
    forget_refusal();
    let asked = options.inputs.is_some();
    let _running =
        (asked || observe::order::is_watched()).then(|| Running::from(roots, options.inputs));
    if !options.create_graph && !options.accumulate {
        crate::observe::value_reads::lost();
    }
    if options.create_graph {
        with_grad(true, || Pass::<Variable>::new(options).run(roots))
    } else {
        with_grad(false, || Pass::<Tensor>::new(options).run(roots))
    }
}

/// What a sweep still has to visit.
enum Queue<C> {
    /// Nobody sees the order: the leaves come last.
    Unseen(Waiting<C>, Arrived<C>),
    Ordered(Turns<C>),
}

struct Pass<'a, C> {
    options: SweepOptions<'a>,
    queue: Queue<C>,
    /// Under `inputs`: what is on the way to one of them. None: all.
    needed: Option<Needed>,
    captured: IdMap<C>,
    reached: Vec<Reached>,
    retained: Vec<Reached>,
    frozen: Vec<Variable>,
    /// Number of this sweep, by which nodes remember what freed them.
    number: u32,
    /// The node that is visited.
    at: u64,
    /// An explicit leaf is reached: beside it, bare numbers and lists are constants.
    explicit: bool,
    would_raise: bool,
}

impl<'a, C: Flow> Pass<'a, C> {
    fn new(options: SweepOptions<'a>) -> Self {
        Pass {
            options,
            queue: Queue::Unseen(Waiting::new(), Arrived::new()),
            needed: None,
            captured: IdMap::default(),
            reached: Vec::new(),
            retained: Vec::new(),
            frozen: Vec::new(),
            number: sweeps::next(),
            at: u64::MAX,
            explicit: false,
            would_raise: false,
        }
    }

    fn run(mut self, roots: &[(Variable, Variable)]) -> Outcome<Sweep> {
        if let Err(stopped) = self.descend(roots) {
            self.stop(roots)?;
            return Err(stopped);
        }
        self.finish()
    }

    fn descend(&mut self, roots: &[(Variable, Variable)]) -> Outcome<()> {
        if let Some(inputs) = self.options.inputs {
            self.needed = Some(Needed::between(roots, inputs));
        }
        if observe::order::is_watched() {
            let starts: Vec<Variable> = roots.iter().map(|(y, _)| y.clone()).collect();
            let turns = Turns::from(&starts, |origin| self.leads(origin));
            self.explicit = turns.explicit;
            self.queue = Queue::Ordered(turns);
        }
        for (y, v) in roots {
            let v = C::of(v).cast(float(y.dtype()));
            self.arrive(&y.origin(), Some(Coming::All(v)));
        }
        loop {
            match &mut self.queue {
                Queue::Ordered(turns) => match turns.next() {
                    Some((Turn::Node(node), c)) => self.visit(&node, c)?,
                    Some((Turn::Leaf(leaf), c)) => self.reach(leaf, c)?,
                    None => return Ok(()),
                },
                Queue::Unseen(waiting, _) => {
                    let Some((node, c)) = waiting.next() else { return Ok(()) };
                    match (c.number().filter(|_| self.is_plain()), self.run_below(&node, &c)) {
                        (Some(v), _) => {
                            let (end, v) = fast_scalars::along(&node, v, self.frees())?;
                            self.visit(end, Some(C::of_number(v)))?;
                        }
                        (None, Some(run)) => self.pass(&run, &c)?,
                        (None, None) => self.visit(&node, Some(c))?,
                    }
                }
            }
            refused()?;
        }
    }

    /// Whether a chain may be followed at once: nothing else waits, nobody looks on, and what was saved
    /// is what is there.
    fn is_plain(&self) -> bool {
        self.options.inputs.is_none() && self.is_alone()
    }

    fn is_alone(&self) -> bool {
        let alone = matches!(&self.queue, Queue::Unseen(waiting, _) if waiting.is_empty());
        alone && !stops_at_nan() && !written_silently()
    }

    /// The run that this cotangent passes in one loop: nothing else comes to its nodes, and nobody looks on.
    fn run_below(&self, node: &Node, c: &C) -> Option<Run> {
        let v = c.tensor()?;
        if v.numel() < LATE_FROM {
            return None;
        }
        let Queue::Unseen(_, leaves) = &self.queue else { return None };
        if !self.is_alone() {
            return None;
        }
        let is_plain = |n: &Node| {
            let asked = self.needed.as_ref().is_some_and(|needed| needed.is_input(n));
            let freed = n.freed() && n.keeps();
            !asked && !freed && !n.is_watched() && n.check_saved().is_ok()
        };
        let run = Run::below(node, v, |origin| self.leads(origin), is_plain)?;
        // What is added to what arrived earlier is added step by step.
        let new = |exit: &Origin| !matches!(exit, Origin::Leaf(x) if leaves.has(x));
        run.exits().iter().all(new).then_some(run)
    }

    fn pass(&mut self, run: &Run, c: &C) -> Outcome<()> {
        let Some(v) = c.tensor() else { return Ok(()) };
        self.at = run.nodes().first().map_or(self.at, Node::id);
        let passed = run.pull(v, |origin| self.leads(origin))?;
        for (exit, passed) in run.exits().iter().zip(passed) {
            self.arrive(exit, Some(Coming::All(C::of(&Variable::constant(passed)))));
        }
        if !self.options.retain_graph {
            run.nodes().iter().filter(|n| !n.freed()).for_each(|n| n.set_freed_by(self.number));
        }
        Ok(())
    }

    /// The number of this sweep, where it frees what it passes.
    fn frees(&self) -> Option<u32> {
        (!self.options.retain_graph).then_some(self.number)
    }

    /// What comes along an edge, which may be nothing.
    fn arrive(&mut self, origin: &Origin, c: Option<Coming<C>>) {
        match (&mut self.queue, origin, c) {
            (Queue::Ordered(turns), _, c) => turns.arrive(origin, c),
            (Queue::Unseen(_, leaves), Origin::Leaf(v), Some(c)) => leaves.arrive(v, c),
            (Queue::Unseen(waiting, _), Origin::Node(n), Some(c)) => waiting.arrive(n, c),
            _ => {}
        }
    }

    fn visit(&mut self, node: &Node, mut cotangent: Option<C>) -> Outcome<()> {
        self.at = node.id();
        let passes = node.inputs().iter().any(|e| self.leads(&e.origin));
        let is_input = self.needed.as_ref().is_some_and(|n| n.is_input(node));
        // As in PyTorch, hooks have their say before what is asked for only where the sweep ends.
        if is_input && passes {
            self.captured.extend(cotangent.clone().map(|c| (node.id(), c)));
        }
        if node.is_watched() {
            for hook in node.hooks() {
                cotangent = call(&hook, cotangent)?;
            }
            if let (Some(v), Some(c), false) = (node.retained(), &cotangent, self.options.unasked) {
                let before = v.grad().map(|g| g.value());
                let gradient = c.clone().into_variable();
                retain(&v, gradient.clone())?;
                self.retained.push(Reached { leaf: v, gradient, before });
            }
        }
        if !passes && is_input {
            self.captured.extend(cotangent.clone().map(|c| (node.id(), c)));
        }
        // What is asked to be added to `.grad` is reached through its node.
        if !(passes || is_input && self.options.accumulate) {
            return Ok(());
        }
        // A backward of the program finds out when it asks for what it saved.
        let own = node.operation().has_own_backward();
        if node.freed() && node.keeps() {
            if self.options.strict_free && !own {
                return Err(torch_messages::freed());
            }
            self.would_raise = true;
        }
        let unpacked = match self.options.unasked {
            true => None,
            false => node.unpacked()?,
        };
        if !own && !self.options.unasked && unpacked.is_none() {
            node.check_saved()?;
        }
        let whole = unpacked.as_ref().unwrap_or(node);
        let operation = whole.operation();
        match operation.backward(&|| cotangent.clone().map(C::into_variable)) {
            Some(written) => {
                for (k, (edge, g)) in whole.inputs().iter().zip(written?).enumerate() {
                    if !self.leads(&edge.origin) {
                        continue;
                    }
                    if let Some(g) = &g {
                        is_number(node, k, g)?;
                    }
                    let passed =
                        g.map(|g| C::of(&g).cast(float(edge.value.dtype()))).map(Coming::All);
                    self.arrive(&edge.origin, passed);
                }
            }
            None if written_silently() => self.pull(&whole.clone().refreshed(), cotangent)?,
            None => self.pull(whole, cotangent)?,
        }
        if !self.options.retain_graph && !node.freed() {
            node.set_freed_by(self.number);
        }
        Ok(())
    }

    fn pull(&mut self, node: &Node, cotangent: Option<C>) -> Outcome<()> {
        for (k, edge) in node.inputs().iter().enumerate() {
            if !self.leads(&edge.origin) {
                continue;
            }
            let passing = cotangent.as_ref().filter(|_| !node.operation().passes_nothing());
            let Some(cotangent) = passing else {
                self.arrive(&edge.origin, None);
                continue;
            };
            node.check_derived(k)?;
            if edge.value.numel() > MANY {
                shape::count(edge.value.shape())?;
            }
            if !stops_at_nan()
                && let Some(places) = cotangent.places(node, k)
            {
                let (some, places) = (cotangent.clone(), places.clone());
                let coming = match node.operation().is_piece() {
                    true => Coming::Piece(some, places),
                    false => Coming::Some(some, places),
                };
                self.arrive(&edge.origin, Some(coming));
                continue;
            }
            let passed = match node.operation().chooses() {
                true => cotangent.choose(node, k),
                false => cotangent.pull(node, k),
            };
            if stops_at_nan() {
                is_number(node, k, &passed.clone().into_variable())?;
            }
            let mut passed = passed.cast(float(edge.value.dtype()));
            // After `v.data = …` of another shape it fits the tensor and not what computed that.
            if written_silently()
                && let Origin::Node(from) = &edge.origin
                && !passed.is_shaped(from.value().shape())
            {
                let (g, to) = (passed.into_variable(), from.value().shape());
                passed = C::of(&fitted(node.grad_fn(), k, &g, to)?);
            }
            self.arrive(&edge.origin, Some(Coming::All(passed)));
        }
        Ok(())
    }

    /// All that comes to a leaf has arrived.
    fn reach(&mut self, leaf: Variable, mut cotangent: Option<C>) -> Outcome<()> {
        if self.explicit && leaf.is_implicit() && self.options.inputs.is_none() {
            return Ok(());
        }
        for hook in leaf.hooks() {
            cotangent = call(&hook, cotangent)?;
        }
        let Some(gradient) = cotangent.map(C::into_variable) else { return Ok(()) };
        // Frozen since, a leaf keeps what it has; its hooks are called all the same.
        if !leaf.requires_grad() && !self.options.unasked {
            self.frozen.push(leaf.clone());
            return if self.options.accumulate { leaf.accumulated() } else { Ok(()) };
        }
        let before = leaf.grad().map(|g| g.value());
        if self.options.accumulate {
            add_to(&leaf, &gradient)?;
            leaf.accumulated()?;
        }
        self.reached.push(Reached { leaf, gradient, before });
        Ok(())
    }

    fn leads(&self, origin: &Origin) -> bool {
        match &self.needed {
            Some(needed) => needed.leads(origin),
            None => origin.arrives(),
        }
    }

    /// The leaves that come last, and what arrived there.
    fn arrived(&mut self) -> Vec<(Variable, C)> {
        let Queue::Unseen(_, leaves) = &mut self.queue else { return Vec::new() };
        let arrived = leaves.take();
        self.explicit = arrived.iter().any(|(v, _)| !v.is_implicit());
        arrived
    }

    /// The sweep stopped with an error: those leaves keep their gradient to which nothing more could come.
    fn stop(&mut self, roots: &[(Variable, Variable)]) -> Outcome<()> {
        let mut arrived = self.arrived();
        if !self.options.accumulate || arrived.is_empty() {
            return Ok(());
        }
        for node in ancestors(roots.iter().filter_map(|(y, _)| y.node())) {
            if node.id() <= self.at {
                let fed = |v: &Variable| {
                    node.inputs().iter().any(|e| e.leaf().is_some_and(|x| x.same(v)))
                };
                arrived.retain(|(v, _)| !fed(v));
            }
        }
        arrived.into_iter().try_for_each(|(v, c)| self.reach(v, Some(c)))
    }

    fn finish(mut self) -> Outcome<Sweep> {
        for (v, c) in self.arrived() {
            self.reach(v, Some(c))?;
        }
        refused()?;
        self.reached.sort_by_key(|r| r.leaf.id());
        self.frozen.sort_by_key(Variable::id);
        let inputs = self.options.inputs.unwrap_or(&[]).iter();
        let gradient = |r: &Reached| r.gradient.clone();
        let inputs = inputs
            .map(|x| match x.node() {
                Some(n) => self.captured.get(&n.id()).cloned().map(C::into_variable),
                None => self.reached.iter().find(|r| r.leaf.same(x)).map(gradient),
            })
            .collect();
        let (leaves, retained, frozen) = (self.reached, self.retained, self.frozen);
        Ok(Sweep { leaves, retained, frozen, inputs, would_raise: self.would_raise })
    }
}

/// Under `detect_anomaly`: a gradient that is not a number ends the sweep.
fn is_number(node: &Node, k: usize, g: &Variable) -> Outcome<()> {
    if stops_at_nan() && g.value().data().iter().any(|v| v.is_nan()) {
        return Err(torch_messages::not_a_number(node.grad_fn(), k));
    }
    Ok(())
}

fn call<C: Flow>(hook: &Hook, c: Option<C>) -> Outcome<Option<C>> {
    let v = c.clone().map(C::into_variable);
    Ok(hook(v.as_ref())?.map_or(c, |g| Some(C::of(&g))))
}

/// A gradient that the operation `name` gave its input number `k`, in the shape of that: added up where it
/// is larger.
pub fn fitted(name: &str, k: usize, g: &Variable, to: &[usize]) -> Outcome<Variable> {
    let own = g.shape();
    if own == to {
        return Ok(g.clone());
    }
    if shape::broadcast(to, &own).ok().as_ref() != Some(&own) {
        return Err(torch_messages::function_gradient(name, k, &own, to));
    }
    Ok(g.collapse(to))
}

/// Adds what arrived at a leaf to its `.grad`.
fn add_to(x: &Variable, g: &Variable) -> Outcome<()> {
    match x.grad() {
        None if is_grad_enabled() => {
            let copy = crate::second_order::create_graph::clone(g);
            copy.note_write();
            x.set_grad(Some(copy.lying_as([x])))?
        }
        None => x.set_grad(Some(g.detach_copy().lying_as([x])))?,
        // The very tensor grows: who holds x.grad sees it.
        Some(before) if !is_grad_enabled() => {
            let sum = before.value().add(&g.value());
            refused()?;
            before.update(&Variable::constant(sum))?;
        }
        Some(before) => {
            let sum = Array::add(&before, g);
            refused()?;
            x.set_grad(Some(sum))?;
        }
    }
    Ok(())
}

/// Adds what arrived at a computed tensor to its `.grad`, which is another tensor then.
fn retain(h: &Variable, g: Variable) -> Outcome<()> {
    let sum = match h.grad() {
        None => moves::clone(&g)?,
        Some(before) => Array::add(&before, &g),
    };
    refused()?;
    h.set_grad(Some(sum))
}

/// The implicit gradient of an output: ones of its shape.
pub fn ones_like(y: &Variable) -> Outcome<Variable> {
    let t = Tensor::filled(&y.shape(), 1.0, float(y.dtype()))?;
    Ok(Variable::constant(t))
}

/// The cotangent of input `wrt` that a cotangent of the node's output gives, shape of the input.
pub fn pull(node: &Node, wrt: usize, cotangent: &Tensor) -> Outcome<Tensor> {
    let map = at_values(node, |at| node.operation().linear_tensor(at, wrt));
    let pulled = map.transpose().apply(cotangent);
    refused()?;
    Ok(pulled)
}
