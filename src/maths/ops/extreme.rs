//! The largest and the smallest, and their positions. What was not chosen has a path whose slope is
//! 0 here.

use super::fixed::wires;
use super::reduce::Axes;
use super::{Bound, Forms, Out, USUAL};
use crate::complain;
use crate::maths::complaint::{Kind, Outcome};
use crate::maths::linear::{Array, LinearMap, Wires};
use crate::maths::rule::{Point, Rule, Saves};
use crate::maths::symbol::Symbols;
use crate::maths::table;
use crate::maths::tensor::{Dtype, Tensor};
use crate::maths::variable::{Variable, apply};
use std::rc::Rc;

/// Elements chosen by value.
#[derive(Debug)]
pub struct Chosen {
    pub name: &'static str,
    pub grad_fn: &'static str,
    /// Keeps its positions, or its input and output.
    pub saves: Saves,
    /// For each output element, the input elements that share its slope.
    pub winners: Vec<Vec<usize>>,
    /// For each output element, the others that might have won.
    pub losers: Rc<[(usize, usize)]>,
    pub from: Vec<usize>,
    pub to: Vec<usize>,
}

impl Chosen {
    fn first(&self) -> Wires {
        let at = self.winners.iter().map(|w| w.first().copied().unwrap_or(Wires::NONE));
        wires(&self.from, &self.to, at.collect())
    }
}

impl Rule for Chosen {
    fn name(&self) -> &'static str {
        self.name
    }

    fn grad_fn(&self) -> &'static str {
        self.grad_fn
    }

    fn saves(&self) -> Saves {
        self.saves
    }

    fn remembers(&self) -> bool {
        self.saves == Saves::Inputs(1)
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        crate::maths::tensor_kernels::gather(inputs[0], &self.first())
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        Some(inputs[0].gather(&self.first()))
    }

    /// `amax` and `amin` multiply by a mask: what loses gets the cotangent times 0.
    fn pull(&self, at: &Point<Tensor>, wrt: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
        if !matches!(self.grad_fn, "AmaxBackward0" | "AminBackward0") {
            let alone = self.winners.iter().all(|w| w.len() == 1);
            return alone.then(|| Ok(v.scatter(&self.first())));
        }
        let mut passed = self.linear(at, wrt).pull(v);
        let slots = passed.data_mut();
        for (out, place) in self.losers.iter() {
            if let (Some(slot), Some(v)) = (slots.get_mut(*place), v.data().get(*out)) {
                *slot = v * 0.0;
            }
        }
        Some(Ok(passed))
    }

    fn linear<A: Array>(&self, _: &Point<A>, _: usize) -> LinearMap<A> {
        let mut counts: Vec<usize> = self.winners.iter().map(Vec::len).collect();
        counts.sort_unstable();
        counts.dedup();
        let mut parts = Vec::new();
        // Winners that share: each of n gets 1/n.
        for n in counts {
            for k in 0..n {
                let at = self.winners.iter().map(|w| if w.len() == n { w[k] } else { Wires::NONE });
                let pick = LinearMap::Gather(wires(&self.from, &self.to, at.collect()));
                parts.push(if n == 1 {
                    pick
                } else {
                    let share = LinearMap::Scale { by: 1.0 / n as f64, shape: self.to.clone() };
                    LinearMap::Then(vec![pick, share])
                });
            }
        }
        if !self.losers.is_empty() {
            parts.push(LinearMap::Unchosen {
                pairs: self.losers.clone(),
                from: self.from.clone(),
                to: self.to.clone(),
            });
        }
        if parts.is_empty() {
            let (from, to) = (self.from.clone(), self.to.clone());
            return LinearMap::Zero { from, to };
        }
        LinearMap::Plus(parts)
    }
}

/// Which way to look.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Largest,
    Smallest,
}

impl Way {
    /// Whether `a` beats `b`; a NaN beats everything.
    fn beats(self, a: f64, b: f64) -> bool {
        if b.is_nan() {
            return false;
        }
        a.is_nan()
            || match self {
                Way::Largest => a > b,
                Way::Smallest => a < b,
            }
    }
}

/// Position of the first winner within a group.
fn winner(data: &[f64], group: &[usize], way: Way) -> usize {
    let mut best = 0;
    for (k, p) in group.iter().enumerate() {
        if way.beats(data[*p], data[group[best]]) {
            best = k;
        }
    }
    best
}

fn expect_some(axes: &Axes, name: &str) -> Outcome<()> {
    if axes.from.iter().product::<usize>() == 0 && axes.count() == 0 {
        if axes.all {
            let kind = match name {
                "argmax" | "argmin" => Kind::Index,
                _ => Kind::Runtime,
            };
            complain!(
                kind,
                "{name}(): Expected reduction dim to be specified for input.numel() == 0.{}",
                if kind == Kind::Index {
                    ""
                } else {
                    " Specify the reduction dim with the 'dim' argument."
                }
            );
        }
        complain!(
            Kind::Index,
            "{name}(): Expected reduction dim {} to have non-zero size.",
            axes.dims.first().copied().unwrap_or(0)
        );
    }
    Ok(())
}

/// Values over dimensions; with `share` all that tie win together, else the first.
fn extreme(
    x: &Variable,
    axes: &Axes,
    way: Way,
    share: bool,
    name: &'static str,
    grad_fn: &'static str,
) -> Outcome<(Variable, Variable)> {
    expect_some(axes, name)?;
    let value = x.value();
    let data = value.data();
    let (groups, n) = (axes.groups(), axes.count().max(1));
    let tracked = x.requires_grad();
    let (mut winners, mut losers, mut positions) = (Vec::new(), Vec::new(), Vec::new());
    for (out, group) in groups.chunks(n).enumerate() {
        let best = winner(data, group, way);
        positions.push(best as f64);
        let top = data[group[best]];
        let ties = |p: usize| data[p] == top || (data[p].is_nan() && top.is_nan());
        let won: Vec<usize> = if share {
            group.iter().copied().filter(|p| ties(*p)).collect()
        } else {
            vec![group[best]]
        };
        if tracked {
            losers.extend(group.iter().filter(|p| !won.contains(p)).map(|p| (out, *p)));
        }
        winners.push(won);
        crate::maths::budget::tick()?;
    }
    let op = Chosen {
        name,
        grad_fn,
        saves: if share { Saves::InputsAndOutput(1) } else { Saves::Aside },
        winners,
        losers: losers.into(),
        from: axes.from.clone(),
        to: axes.to(),
    };
    let positions = Tensor::new(&axes.to(), positions).with_dtype(Dtype::Int64);
    let y = apply(Rc::new(op), std::slice::from_ref(x))?;
    Ok((y, Variable::constant(positions)))
}

/// `x.max()`, `x.max(dim)`, `torch.max(a, b)` and the same of min.
fn either(b: &mut Bound, way: Way) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let (name, all, by_dim) = match way {
        Way::Largest => ("max", "MaxBackward1", "MaxBackward0"),
        Way::Smallest => ("min", "MinBackward1", "MinBackward0"),
    };
    if let super::Arg::Tensor(y) = b.arg(1)
        && !y.is_number()
    {
        let fun = if way == Way::Largest { &table::MAXIMUM } else { &table::MINIMUM };
        return Ok(Out::One(apply((fun.operation)(&[]), &[x, y.clone()])?));
    }
    let own = x.shape();
    let Some(dim) = b.int(1) else {
        let axes = Axes::new(&own, None, false)?;
        return Ok(Out::One(extreme(&x, &axes, way, true, name, all)?.0));
    };
    let axes = Axes::new(&own, Some(&[dim]), b.bool_or(2, false))?;
    let (values, indices) = extreme(&x, &axes, way, false, name, by_dim)?;
    Ok(Out::Named(name, vec![("values", values), ("indices", indices)]))
}

fn shared(b: &mut Bound, way: Way) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let axes = Axes::new(&x.shape(), b.ints(1).as_deref(), b.bool_or(2, false))?;
    let (name, grad_fn) = match way {
        Way::Largest => ("amax", "AmaxBackward0"),
        Way::Smallest => ("amin", "AminBackward0"),
    };
    Ok(Out::One(extreme(&x, &axes, way, true, name, grad_fn)?.0))
}

/// Both ends at once.
fn both(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let dims = b.int(1).map(|d| vec![d]);
    let axes = Axes::new(&x.shape(), dims.as_deref(), b.bool_or(2, false))?;
    if axes.count() == 0 {
        complain!(
            Kind::Runtime,
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity."
        );
    }
    let ends = [("min", Way::Smallest), ("max", Way::Largest)].map(|(name, way)| {
        extreme(&x, &axes, way, true, "aminmax", "AminmaxBackward0").map(|y| (name, y.0))
    });
    Ok(Out::Named("aminmax", ends.into_iter().collect::<Outcome<_>>()?))
}

fn position(b: &mut Bound, way: Way) -> Outcome<Out> {
    let x = b.tensor(0)?.detach();
    let dims = b.int(1).map(|d| vec![d]);
    let axes = Axes::new(&x.shape(), dims.as_deref(), b.bool_or(2, false))?;
    let name = if way == Way::Largest { "argmax" } else { "argmin" };
    if x.dtype() == Dtype::Bool {
        complain!(Kind::NotImplemented, "{name}(): does not support bool input");
    }
    Ok(Out::One(extreme(&x, &axes, way, false, name, "")?.1))
}

const BOTH: Forms = Forms::TORCH.and(Forms::METHOD);
const BY_DIM: &str = "(Tensor input, Tensor|Scalar dim=None, bool keepdim=False)";
const OVER: &str = "(Tensor input, int[] dim=None, bool keepdim=False)";
const POSITION: &str = "(Tensor input, int dim=None, bool keepdim=False)";

pub static ENTRIES: &[super::Entry] = entries! {
    "max" USUAL.and(Forms::NP), BY_DIM, "the largest; ∂y/∂xᵢ is 1 there, else 0; shared at a tie", "max([1, 3, 2])", ["min", "amax", "argmax", "maximum"]
        => |b| either(b, Way::Largest);
    "min" USUAL.and(Forms::NP), BY_DIM, "the smallest; ∂y/∂xᵢ is 1 there, else 0; shared at a tie", "min([1, 3, 2])", ["max", "amin", "argmin", "minimum"]
        => |b| either(b, Way::Smallest);
    "amax" BOTH.and(Forms::NP), OVER, "the largest; shared at a tie; ∂y/∂xᵢ = 1/k at each of the k largest, else 0", "torch.amax(tensor([1, 3, 2]))", ["max"]
        => |b| shared(b, Way::Largest);
    "amin" BOTH.and(Forms::NP), OVER, "the smallest; shared at a tie; ∂y/∂xᵢ = 1/k at each of the k smallest, else 0", "torch.amin(tensor([1, 3, 2]))", ["min"]
        => |b| shared(b, Way::Smallest);
    "aminmax" BOTH, "(Tensor input, *, int dim=None, bool keepdim=False)", "the smallest and the largest; shared at a tie; ∂y/∂xᵢ = 1/k at each of the k that tie, else 0", "torch.aminmax(tensor([1, 3, 2]))", ["amin", "amax"]
        => both;
    "argmax" USUAL.and(Forms::NP), POSITION, "where the largest is", "argmax([1, 3, 2])", ["max"]
        => |b| position(b, Way::Largest);
    "argmin" USUAL.and(Forms::NP), POSITION, "where the smallest is", "argmin([1, 3, 2])", ["min"]
        => |b| position(b, Way::Smallest);
};
