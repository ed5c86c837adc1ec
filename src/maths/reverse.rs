//! The reverse sweep: from the outputs down to the leaves, one node after the other, each handing
//! vᵀJ of its own local Jacobian to its inputs.

use super::ancestors::Needed;
use super::arrived::Arrived;
use super::budget;
use super::complaint::{Complaint, Outcome};
use super::flow::{Flow, float};
use super::grad_mode::{detects_anomalies, with_grad};
use super::ids::IdMap;
use super::linear::Array;
use super::node::{Hook, Node, Origin};
use super::scalars;
use super::shape;
use super::store::written_silently;
use super::sweeps;
use super::tensor::Tensor;
use super::torch_says;
use super::variable::Variable;
use super::waiting::Waiting;
use std::cell::RefCell;

pub use super::ancestors::ancestors;

/// What a sweep found. Nothing is added to any `.grad` yet: see [`accumulate`].
#[derive(Debug)]
pub struct Sweep {
    /// Each leaf with this sweep's contribution, in order of creation.
    pub leaves: Vec<(Variable, Variable)>,
    /// Gradients of [`SweepOptions::inputs`]; None for one that no output depends on.
    pub inputs: Vec<Option<Variable>>,
    /// Computed tensors that asked by `retain_grad()`.
    pub retained: Vec<(Variable, Variable)>,
    /// PyTorch would have refused: what an earlier sweep freed was needed again.
    pub would_raise: bool,
    create_graph: bool,
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
}

thread_local! {
    static REFUSED: RefCell<Option<Box<Complaint>>> = const { RefCell::new(None) };
}

/// A derivative could not be computed for want of memory or time; the sweep stops at its next step.
pub fn refuse(complaint: Box<Complaint>) {
    REFUSED.with(|r| {
        r.borrow_mut().get_or_insert(complaint);
    });
}

/// What was refused belongs to something earlier, and nobody will ask any more.
pub fn forget_refusal() {
    REFUSED.take();
}

/// The refusal that happened since last asked, as an error.
///
/// # Errors
/// What was given to [`refuse`].
pub fn refused() -> Outcome<()> {
    match REFUSED.take() {
        Some(c) => Err(c),
        None => budget::tick(),
    }
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
        if !y.requires_grad() {
            return Err(torch_says::no_grad_fn(k));
        }
        if !v.is_shaped_as(y) {
            return Err(torch_says::gradient_shape(k, &v.shape(), &y.shape()));
        }
    }
    forget_refusal();
    if options.create_graph {
        with_grad(true, || Pass::<Variable>::new(options).run(roots))
    } else {
        with_grad(false, || Pass::<Tensor>::new(options).run(roots))
    }
}

struct Pass<'a, C> {
    options: SweepOptions<'a>,
    waiting: Waiting<C>,
    leaves: Arrived<C>,
    /// Under `inputs`: what is on the way to one of them. None: all.
    needed: Option<Needed>,
    captured: IdMap<C>,
    retained: Vec<(Variable, Variable)>,
    /// Number of this sweep, by which nodes remember what freed them.
    number: u32,
    would_raise: bool,
}

impl<'a, C: Flow> Pass<'a, C> {
    fn new(options: SweepOptions<'a>) -> Self {
        Pass {
            options,
            waiting: Waiting::new(),
            leaves: Arrived::new(),
            needed: None,
            captured: IdMap::default(),
            retained: Vec::new(),
            number: sweeps::next(),
            would_raise: false,
        }
    }

    fn run(mut self, roots: &[(Variable, Variable)]) -> Outcome<Sweep> {
        let number = self.number;
        let kept = self.options.retain_graph;
        let swept = self.descend(roots).and_then(|()| self.finish());
        if swept.is_err() && !kept {
            for node in ancestors(roots.iter().filter_map(|(y, _)| y.node())) {
                if node.freed_by() == number {
                    node.set_freed(false);
                }
            }
        }
        swept
    }

    fn descend(&mut self, roots: &[(Variable, Variable)]) -> Outcome<()> {
        if let Some(inputs) = self.options.inputs {
            self.needed = Some(Needed::between(roots, inputs));
        }
        for (y, v) in roots {
            let origin = match y.node() {
                Some(n) => Origin::Node(n),
                None => Origin::Leaf(y.clone()),
            };
            self.arrive(&origin, C::of(v).cast(float(y.dtype())));
        }
        while let Some((node, cotangent)) = self.waiting.next() {
            match cotangent.number().filter(|_| self.is_plain()) {
                Some(v) => {
                    let (end, v) = scalars::along(&node, v, self.frees())?;
                    self.visit(end, C::of_number(v))?;
                }
                None => self.visit(&node, cotangent)?,
            }
            refused()?;
        }
        Ok(())
    }

    /// Whether a chain may be followed at once: nothing else waits, nobody looks on, and what was saved
    /// is what is there.
    fn is_plain(&self) -> bool {
        let watched = self.options.inputs.is_some() || detects_anomalies() || written_silently();
        self.waiting.is_empty() && !watched
    }

    /// The number of this sweep, where it frees what it passes.
    fn frees(&self) -> Option<u32> {
        (!self.options.retain_graph).then_some(self.number)
    }

    fn arrive(&mut self, origin: &Origin, c: C) {
        match origin {
            Origin::Constant(_) => {}
            Origin::Leaf(v) => self.leaves.arrive(v, c),
            Origin::Node(n) => self.waiting.arrive(n, c),
        }
    }

    fn visit(&mut self, node: &Node, mut cotangent: C) -> Outcome<()> {
        if node.is_watched() {
            for hook in node.hooks() {
                cotangent = call(&hook, cotangent)?;
            }
            if let Some(v) = node.retained() {
                self.retained.push((v, cotangent.clone().into_variable()));
            }
        }
        if self.needed.as_ref().is_some_and(|n| n.is_input(node)) {
            self.captured.insert(node.id(), cotangent.clone());
        }
        if !node.inputs().iter().any(|e| self.leads(&e.origin)) {
            return Ok(());
        }
        if node.freed() && node.keeps() {
            if self.options.strict_free {
                return Err(torch_says::freed());
            }
            self.would_raise = true;
        }
        node.check_saved()?;
        let operation = node.operation();
        match operation.backward(&|| cotangent.clone().into_variable()) {
            Some(written) => {
                for (k, (edge, g)) in node.inputs().iter().zip(written?).enumerate() {
                    if let Some(g) = g.filter(|_| self.leads(&edge.origin)) {
                        is_number(node, k, &g)?;
                        self.arrive(&edge.origin, C::of(&g).cast(float(edge.value.dtype())));
                    }
                }
            }
            None if written_silently() => self.pull(&node.clone().refreshed(), &cotangent)?,
            None => self.pull(node, &cotangent)?,
        }
        if !self.options.retain_graph && !node.freed() {
            node.set_freed_by(self.number);
        }
        Ok(())
    }

    fn pull(&mut self, node: &Node, cotangent: &C) -> Outcome<()> {
        for (k, edge) in node.inputs().iter().enumerate() {
            if !self.leads(&edge.origin) {
                continue;
            }
            node.check_derived(k)?;
            if edge.value.numel() > MANY {
                shape::count(edge.value.shape())?;
            }
            let passed = match node.operation().chooses() {
                true => cotangent.choose(node, k),
                false => cotangent.pull(node, k),
            };
            if detects_anomalies() {
                is_number(node, k, &passed.clone().into_variable())?;
            }
            self.arrive(&edge.origin, passed.cast(float(edge.value.dtype())));
        }
        Ok(())
    }

    fn leads(&self, origin: &Origin) -> bool {
        match &self.needed {
            Some(needed) => needed.leads(origin),
            None => !matches!(origin, Origin::Constant(_)),
        }
    }

    fn finish(mut self) -> Outcome<Sweep> {
        let mut arrived = self.leaves.take();
        let explicit = arrived.iter().any(|(v, _)| !v.is_implicit());
        if explicit && self.options.inputs.is_none() {
            // Beside an explicit leaf, bare numbers and lists are constants.
            arrived.retain(|(v, _)| !v.is_implicit());
        }
        let mut leaves = Vec::with_capacity(arrived.len());
        for (v, mut c) in arrived {
            for hook in v.hooks() {
                c = call(&hook, c)?;
            }
            leaves.push((v, c.into_variable()));
        }
        refused()?;
        let inputs = self.options.inputs.unwrap_or(&[]).iter();
        let inputs = inputs
            .map(|x| match x.node() {
                Some(n) => self.captured.get(&n.id()).cloned().map(C::into_variable),
                None => leaves.iter().find(|(v, _)| v.same(x)).map(|(_, g)| g.clone()),
            })
            .collect();
        Ok(Sweep {
            leaves,
            inputs,
            retained: self.retained,
            would_raise: self.would_raise,
            create_graph: self.options.create_graph,
        })
    }
}

/// Under `detect_anomaly`: a gradient that is not a number ends the sweep.
fn is_number(node: &Node, k: usize, g: &Variable) -> Outcome<()> {
    if detects_anomalies() && g.value().data().iter().any(|v| v.is_nan()) {
        return Err(torch_says::not_a_number(node.grad_fn(), k));
    }
    Ok(())
}

fn call<C: Flow>(hook: &Hook, c: C) -> Outcome<C> {
    let v = c.clone().into_variable();
    Ok(hook(&v)?.map_or(c, |g| C::of(&g)))
}

/// Adds what a sweep found to the `.grad` of its leaves.
///
/// # Errors
/// The budget.
pub fn accumulate(sweep: &Sweep) -> Outcome<()> {
    for (x, g) in sweep.leaves.iter().chain(&sweep.retained) {
        match x.grad() {
            None if sweep.create_graph => x.set_grad(Some(super::recording::clone(g)))?,
            None => x.set_grad(Some(g.detach_copy()))?,
            // The very tensor grows: who holds x.grad sees it.
            Some(before) if !sweep.create_graph => {
                let sum = before.value().add(&g.value());
                refused()?;
                with_grad(false, || before.update(&Variable::constant(sum)))?;
            }
            Some(before) => {
                let sum = with_grad(true, || Array::add(&before, g));
                refused()?;
                x.set_grad(Some(sum))?;
            }
        }
        x.accumulated()?;
    }
    Ok(())
}

/// The implicit gradient of an output: ones of its shape.
///
/// # Errors
/// The budget.
pub fn ones_like(y: &Variable) -> Outcome<Variable> {
    let t = Tensor::filled(&y.shape(), 1.0, float(y.dtype()))?;
    Ok(Variable::constant(t))
}
