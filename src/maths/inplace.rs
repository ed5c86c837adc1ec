//! Writing: in-place operations, assignment through an index, and what views see of it.

use super::complaint::Outcome;
use super::grad_mode::is_grad_enabled;
use super::linear::{Array, LinearMap, Wires};
use super::node::Node;
use super::rule::{Point, Rule, Saves};
use super::store::Layout;
use super::symbol::Symbols;
use super::tensor::Tensor;
use super::torch_says;
use super::variable::{Before, Variable, record};
use std::rc::Rc;

/// Part of the first input replaced by the second, which is broadcast to it.
#[derive(Debug)]
pub struct SetView {
    /// Which elements of the base are replaced, one per element of the part.
    pub part: Wires,
    /// All of it: `y[:] = x`.
    pub whole: bool,
}

impl SetView {
    fn inverse(&self) -> Vec<usize> {
        let mut out = vec![Wires::NONE; self.part.from.iter().product()];
        for (k, at) in self.part.index.iter().enumerate() {
            if let Some(slot) = out.get_mut(*at) {
                *slot = k;
            }
        }
        out
    }

    fn kept(&self) -> Wires {
        let index = self.inverse().into_iter().enumerate();
        Wires {
            from: self.part.from.clone(),
            to: self.part.from.clone(),
            index: index
                .map(|(k, v)| if v == Wires::NONE { k } else { Wires::NONE })
                .collect(),
        }
    }

    fn placed(&self) -> Wires {
        Wires {
            from: self.part.to.clone(),
            to: self.part.from.clone(),
            index: self.inverse().into(),
        }
    }
}

impl Rule for SetView {
    fn name(&self) -> &'static str {
        "copy_"
    }

    fn grad_fn(&self) -> &'static str {
        if self.whole {
            "CopyBackwards"
        } else {
            "CopySlices"
        }
    }

    fn saves(&self) -> Saves {
        Saves::Nothing
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let part = super::tensor_kernels::expand(inputs[1], &self.part.to)?;
        let mut out = inputs[0].clone().with_weak(false);
        let dtype = out.dtype();
        let slots = out.data_mut();
        for (at, v) in self.part.index.iter().zip(part.data()) {
            slots[*at] = dtype.cast(*v);
        }
        Ok(out)
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        let part = inputs[1].expand(&self.part.to);
        let mut data = inputs[0].data.to_vec();
        for (at, v) in self.part.index.iter().zip(part.data.iter()) {
            data[*at] = v.clone();
        }
        Some(Symbols {
            shape: inputs[0].shape.clone(),
            data: data.into(),
        })
    }

    fn linear<A: Array>(&self, at: &Point<A>, wrt: usize) -> LinearMap<A> {
        let shape = at.values[wrt].shape();
        if wrt == 0 {
            return if self.whole {
                LinearMap::Zero {
                    from: shape.to_vec(),
                    to: self.part.from.clone(),
                }
            } else {
                LinearMap::Gather(self.kept())
            };
        }
        let place = LinearMap::Gather(self.placed());
        if shape == self.part.to {
            place
        } else {
            let spread = LinearMap::Expand {
                from: shape.to_vec(),
                to: self.part.to.clone(),
            };
            LinearMap::Then(vec![spread, place])
        }
    }
}

/// A view of memory whose base was rewritten: its elements of the base, as they are now.
#[derive(Debug)]
pub struct AsStrided {
    pub wires: Wires,
}

impl Rule for AsStrided {
    fn name(&self) -> &'static str {
        "as_strided"
    }

    fn grad_fn(&self) -> &'static str {
        "AsStridedBackward0"
    }

    fn saves(&self) -> Saves {
        Saves::Nothing
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        super::tensor_kernels::gather(inputs[0], &self.wires)
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        Some(inputs[0].gather(&self.wires))
    }

    fn linear<A: Array>(&self, _: &Point<A>, _: usize) -> LinearMap<A> {
        LinearMap::Gather(self.wires.clone())
    }
}

/// The node of a view after its base was written.
pub(super) fn rebased(view: &Variable, base: &Variable) -> Option<Node> {
    if !base.requires_grad() {
        return None;
    }
    let wires = view.layout().wires(&base.layout());
    // Asked for its history, a view answers also while nothing is recorded.
    super::grad_mode::with_grad(true, || {
        record(
            Rc::new(AsStrided { wires }),
            std::slice::from_ref(base),
            &view.value(),
        )
    })
}

impl Variable {
    /// Whether it may be written in place now.
    ///
    /// # Errors
    /// PyTorch's sentences on leaves, their views, and views made under `no_grad`.
    pub fn check_writable(&self) -> Outcome<()> {
        if !is_grad_enabled() {
            return Ok(());
        }
        let base = self.base();
        if let Some(b) = &base {
            if b.is_leaf() && b.requires_grad() && b.shows() {
                return Err(torch_says::leaf_view_written());
            }
            if self.0.cell.borrow().unrecorded && b.requires_grad() && b.shows() {
                return Err(torch_says::no_grad_view_written());
            }
        } else if self.is_leaf() && self.requires_grad() && self.shows() {
            return Err(torch_says::leaf_written());
        }
        Ok(())
    }

    /// An in-place operation: `result` was computed from this variable and takes its place.
    ///
    /// # Errors
    /// Not writable, or a result of another shape or of a type that does not fit.
    pub fn update(&self, result: &Variable) -> Outcome<()> {
        self.check_writable()?;
        let (own, new) = (self.shape(), result.shape());
        if own != new {
            return Err(torch_says::output_shape(&own, &new));
        }
        let (to, from) = (self.dtype(), result.dtype());
        if !from.can_cast(to) {
            return Err(torch_says::cannot_cast(
                from.scalar_type(),
                to.scalar_type(),
            ));
        }
        self.overwrite(result)
    }

    /// `y[…] = v` where the index names a view `part` of this variable's memory, or the whole:
    /// `part` is written with `v`, broadcast to it.
    ///
    /// # Errors
    /// Not writable, or `v` does not broadcast to the part.
    pub fn copy(&self, v: &Variable) -> Outcome<()> {
        self.check_writable()?;
        let (to, from) = (self.shape(), v.shape());
        check_expand(&from, &to, v.dtype().type_name())?;
        let whole = self.layout();
        let base = self.base();
        let target = base.as_ref().unwrap_or(self);
        let part = whole.wires(&target.layout());
        let full = base.is_none();
        let before = Before::of(&[target.clone(), v.clone()]);
        let value = super::tensor_kernels::expand(&v.value(), &to)?.to_dtype(self.dtype());
        self.put(&value);
        let op = Rc::new(SetView { part, whole: full });
        target.rewrite(before.and_then(|b| b.node(op, &target.value())));
        Ok(())
    }

    /// `y[i] = v`, the elements given by wires from this variable's shape.
    ///
    /// # Errors
    /// As [`Variable::copy`].
    pub fn write(&self, part: &Wires, v: &Variable) -> Outcome<()> {
        self.check_writable()?;
        check_expand(&v.shape(), &part.to, v.dtype().type_name())?;
        let op = Rc::new(SetView {
            part: part.clone(),
            whole: false,
        });
        let result = super::variable::apply(op, &[self.clone(), v.clone()])?;
        self.overwrite(&result)
    }

    /// Memory and history of this variable become those of `result`, of the same shape.
    fn overwrite(&self, result: &Variable) -> Outcome<()> {
        let value = result.value().to_dtype(self.dtype());
        let (version, _) = self.memory();
        let node = if is_grad_enabled() {
            result.node()
        } else {
            None
        };
        if let Some(n) = &node {
            n.copy_first(&version);
        }
        let Some(base) = self.base() else {
            self.put(&value);
            self.rewrite(node);
            return Ok(());
        };
        let part = self.layout().wires(&base.layout());
        let before = Before::of(&[base.clone(), result.clone()]);
        self.put(&value);
        let op = Rc::new(SetView { part, whole: false });
        base.rewrite(before.and_then(|b| b.node(op, &base.value())));
        Ok(())
    }

    /// Writes numbers only.
    fn put(&self, value: &Tensor) {
        let c = self.0.cell.borrow();
        match &c.layout {
            None => c.store.replace(value.clone()),
            Some(l) => c.store.put(l.positions().into_iter(), value.data()),
        }
    }

    /// A new history after a write; None: nothing was recorded, the old one stays.
    fn rewrite(&self, node: Option<Node>) {
        let mut c = self.0.cell.borrow_mut();
        c.version.bump(node.as_ref().map(Node::grad_fn));
        if let Some(n) = node {
            if n.saved().1 {
                n.bind_output(&c.version);
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
    ///
    /// # Errors
    /// A view.
    pub fn detach_in_place(&self) -> Outcome<()> {
        if self.base().is_some() {
            return Err(torch_says::cannot_detach_view());
        }
        let mut c = self.0.cell.borrow_mut();
        c.node = None;
        c.requires_grad = false;
        Ok(())
    }

    /// `x.data = t`: other memory under the same identity.
    pub fn set_data(&self, value: &Variable) {
        let content = value.0.cell.borrow().clone();
        let mut c = self.0.cell.borrow_mut();
        c.store = content.store;
        c.layout = content.layout;
        c.gathered = None;
    }

    /// A view without history of the whole: used where a layout is wanted.
    pub fn is_contiguous(&self) -> bool {
        self.0
            .cell
            .borrow()
            .layout
            .as_deref()
            .is_none_or(Layout::is_contiguous)
    }
}

fn check_expand(from: &[usize], to: &[usize], kind: String) -> Outcome<()> {
    // Leading ones may be dropped in an assignment.
    let extra = from.len().saturating_sub(to.len());
    let from = if from[..extra].iter().all(|d| *d == 1) {
        &from[extra..]
    } else {
        from
    };
    let wanted: Vec<i64> = to.iter().map(|d| *d as i64).collect();
    if from.len() > to.len() {
        return Err(torch_says::expand_too_few(&kind, from, &wanted));
    }
    let lead = to.len() - from.len();
    for (k, d) in from.iter().enumerate() {
        if *d != 1 && *d != to[lead + k] {
            return Err(torch_says::cannot_expand(
                to[lead + k],
                *d,
                lead + k,
                &wanted,
                from,
            ));
        }
    }
    Ok(())
}
