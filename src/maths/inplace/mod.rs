//! Writing: in-place operations, assignment through an index, and what views see of it.

pub mod memory_format;
pub mod node_names;
pub mod overlap;
pub mod view;

use crate::autodiff::grad_mode::is_grad_enabled;
use crate::autodiff::record::Before;
use crate::primitives::put::Put;
use crate::{Node, Variable};
use std::rc::Rc;
use vjp_tensor::{Outcome, Tensor, torch_messages};

impl Variable {
    /// An in-place operation: `result` was computed from this variable and takes its place.
    ///
    /// # Errors
    /// Not writable, or a result of another shape or of a type that does not fit.
    pub fn update(&self, result: &Variable) -> Outcome<()> {
        self.update_since(result, u64::MAX)
    }

    /// [`Variable::update`] by an operation made of the nodes that there are since a
    /// [`mark`](crate::autodiff::node::mark).
    pub fn update_since(&self, result: &Variable, since: u64) -> Outcome<()> {
        self.check_writable(result.requires_grad())?;
        if self.shares_memory(result) {
            self.check_counted()?;
            self.restride(result);
            return Ok(());
        }
        let (own, new) = (self.shape(), result.shape());
        if own != new {
            return Err(torch_messages::output_shape(&own, &new));
        }
        let (to, from) = (self.dtype(), result.dtype());
        if !from.can_cast(to) {
            return Err(torch_messages::cannot_cast(from.scalar_type(), to.scalar_type()));
        }
        self.overwrite(result, since)?;
        self.check_counted()
    }

    pub fn shares_memory(&self, other: &Variable) -> bool {
        let memory = |v: &Variable| v.0.cell.borrow_mut().store().clone();
        Rc::ptr_eq(&memory(self), &memory(other))
    }

    /// `x.t_()`, `x.squeeze_()`: the same memory, read as the view `result` of this variable reads it.
    fn restride(&self, result: &Variable) {
        let layout = result.layout();
        let node = result.node().filter(|_| is_grad_enabled()).map(Node::written_in_place);
        {
            let mut c = self.0.cell.borrow_mut();
            let extra = c.extra_mut();
            extra.layout = Some(Rc::new(layout));
            extra.gathered = None;
        }
        self.rewrite(node);
        // A view keeps this history as long as nothing else is written.
        let mut c = self.0.cell.borrow_mut();
        let count = c.count();
        c.extra_mut().seen = count;
    }

    /// `y[…] = v` where the index names a view `part` of this variable's memory, or the whole:
    /// `part` is written with `v`, broadcast to it.
    ///
    /// # Errors
    /// Not writable, or `v` does not broadcast to the part.
    pub fn copy(&self, v: &Variable) -> Outcome<()> {
        self.copy_as(v, "CopyBackwards")
    }

    /// [`Variable::copy`] under another name of its node, where the whole is written.
    pub fn copy_as(&self, v: &Variable, grad_fn: &'static str) -> Outcome<()> {
        self.check_writable(v.requires_grad())?;
        if is_grad_enabled() {
            v.check_history()?;
        }
        let to = self.shape();
        if !grad_fn.starts_with("Fill") {
            crate::inplace::overlap::check_copy(self, v)?;
        }
        let v = &fitted(v, &to)?;
        let whole = self.layout();
        let base = self.base();
        let target = base.as_ref().unwrap_or(self);
        let part = whole.element_map(&target.layout());
        let full = base.is_none();
        let before = Before::of(&[target.clone(), v.clone()]);
        let value = vjp_tensor::kernels::strided::expand(&v.value(), &to)?.to_dtype(self.dtype());
        self.put(&value);
        let name = if full { grad_fn } else { "CopySlices" };
        let op = Rc::new(Put::new("copy_", name, part));
        target.rewrite(before.and_then(|b| b.node(op, &target.value())));
        self.check_counted()
    }

    /// Memory and history of this variable become those of `result`, of the same shape.
    fn overwrite(&self, result: &Variable, since: u64) -> Outcome<()> {
        let value = result.value().to_dtype(self.dtype());
        let (version, _) = self.memory();
        let node = result.node().filter(|_| is_grad_enabled()).map(Node::written_in_place);
        if let Some(n) = &node {
            n.copy_first_since(&version, since);
        }
        let Some(base) = self.base() else {
            self.put(&value);
            self.rewrite(node);
            return Ok(());
        };
        let part = self.layout().element_map(&base.layout());
        let before = Before::of(&[base.clone(), result.clone()]);
        self.put(&value);
        let op = Rc::new(Put { in_place: true, ..Put::new("copy_", "CopySlices", part) });
        base.rewrite(before.and_then(|b| b.node(op, &base.value())));
        if let Some(n) = result.node().filter(|n| n.saved().1) {
            n.bind_output(base.0.cell.borrow_mut().writes());
        }
        Ok(())
    }

    /// Writes numbers only.
    fn put(&self, value: &Tensor) {
        let mut c = self.0.cell.borrow_mut();
        match c.layout().cloned() {
            // Where several elements share a place, the ones that changed are written.
            Some(l) if l.repeats() => {
                let old = l.gather(&c.whole());
                let pairs = l.positions().into_iter().zip(old.data().iter().zip(value.data()));
                let changed = pairs.filter(|(_, (old, new))| old.to_bits() != new.to_bits());
                let (places, data): (Vec<_>, Vec<_>) = changed.map(|(at, (_, v))| (at, *v)).unzip();
                let data = Tensor::new(&[data.len()], data).with_dtype(value.dtype());
                c.store().put(places.into_iter(), &data);
            }
            _ => c.write(value.clone()),
        }
        if c.extra().is_some_and(|e| e.writes.is_some()) {
            c.store().note_silent();
        }
    }

    /// A new history after a write; None: nothing was recorded, the old one stays.
    fn rewrite(&self, node: Option<Node>) {
        let mut c = self.0.cell.borrow_mut();
        c.writes().bump(node.as_ref().map(Node::grad_fn));
        if let Some(n) = node {
            if n.saved().1 {
                n.bind_output(c.writes());
            }
            if let Some(old) = &c.node
                && let Some(who) = old.take_retained()
            {
                n.retain(Some(who));
            }
            c.requires_grad = false;
            c.node = Some(n);
        }
    }

    /// `x.detach_()`.
    pub fn detach_in_place(&self) -> Outcome<()> {
        if self.base().is_some() {
            return Err(torch_messages::cannot_detach_view());
        }
        let cut = self.requires_grad().then(|| self.cut_here());
        let mut c = self.0.cell.borrow_mut();
        if c.node.take().is_some() {
            c.writes().detach(self.id());
        }
        c.requires_grad = false;
        if let Some(mut cut) = cut {
            // What it was computed from is no variable: it had this one's memory.
            std::rc::Rc::make_mut(&mut cut).from =
                Variable::constant(Tensor::scalar(0.0)).downgrade();
            c.extra_mut().cut = Some(cut);
        }
        Ok(())
    }

    /// `x.data = t`: other memory under the same identity.
    pub fn set_data(&self, value: &Variable) {
        let other = value.0.cell.borrow_mut().same_memory();
        let layout = other.layout().cloned();
        let store = { other }.store().clone();
        let mut c = self.0.cell.borrow_mut();
        let writes = c.writes().clone();
        writes.moves(self.id(), &store, layout.clone());
        c.set_store(store);
        c.uninitialized = false;
        let extra = c.extra_mut();
        extra.writes = Some(writes);
        extra.layout = layout;
        extra.gathered = None;
    }

    /// `x.set_(t)`: as [`Variable::set_data`], but counted as a write.
    pub fn set_memory(&self, value: &Variable) -> Outcome<()> {
        self.check_writable(value.requires_grad())?;
        self.set_data(value);
        self.rewrite(None);
        Ok(())
    }

    /// Whether its elements lie row after row without gaps.
    pub fn is_contiguous(&self) -> bool {
        let c = self.0.cell.borrow();
        c.layout().is_none_or(|l| l.is_contiguous())
    }
}

/// `v` as it broadcasts to the part it is written to: leading ones may go.
fn fitted(v: &Variable, to: &[usize]) -> Outcome<Variable> {
    let from = v.shape();
    let ones = from.iter().take_while(|d| **d == 1).count();
    let extra = from.len().saturating_sub(to.len()).min(ones);
    let (dropped, from) = (extra > 0, &from[extra..]);
    let wanted: Vec<i64> = to.iter().map(|d| *d as i64).collect();
    if from.len() > to.len() {
        return Err(torch_messages::expand_too_few(&v.dtype().type_name(), from, &wanted));
    }
    let lead = to.len() - from.len();
    for (k, d) in from.iter().enumerate().rev() {
        if *d != 1 && *d != to[lead + k] {
            return Err(torch_messages::cannot_expand(
                to[lead + k] as i64,
                *d,
                lead + k,
                &wanted,
                from,
            ));
        }
    }
    if dropped {
        let sizes: Vec<i64> = from.iter().map(|d| *d as i64).collect();
        return view::reshape(v, &sizes);
    }
    Ok(v.clone())
}
