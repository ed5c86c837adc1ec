//! The largest and the smallest, and their positions. What was not chosen has a path whose slope is
//! 0 here.

use crate::entry::USUAL;
use crate::reduce::Axes;
use crate::{Bound, Forms, Out};
use smallvec::{SmallVec, smallvec};
use std::fmt::Debug;
use std::rc::Rc;
use vjp_maths::autodiff::rule::{Bend, Corner};
use vjp_maths::primitives::fixed::element_map;
use vjp_maths::{Array, LinearMap, Point, Rule, Saves, Symbols, TorchNode, Variable, apply, table};
use vjp_tensor::element_map::Index;
use vjp_tensor::storage::written_silently;
use vjp_tensor::{Dtype, Element, ElementMap, Fact, Kind, Outcome, Tensor, complain, with_numbers};

/// Who of a group won: the element at `best`, then those that tie; the others go to `lost`.
pub(crate) fn won(
    group: &[usize],
    best: usize,
    ties: impl Fn(usize) -> bool,
    mut lost: impl FnMut(usize),
) -> Outcome<Winners> {
    const BLOCK: usize = 1 << 12;
    let first = group[best];
    let mut won: Winners = smallvec![first];
    for block in group.chunks(BLOCK) {
        vjp_tensor::budget::tick()?;
        for &p in block.iter().filter(|p| **p != first) {
            match ties(p) {
                true => won.push(p),
                false => lost(p),
            }
        }
    }
    Ok(won)
}

/// Which of its group an output is, counted from the smallest.
#[derive(Clone, Copy, Debug)]
pub enum Rank {
    Smallest,
    Largest,
    At(usize),
    /// In the middle of all that are not NaN.
    Middle,
    /// The one that is there most often.
    Frequent,
    /// Sorted along a dimension of `take` places, each of which stands `inner` apart.
    Along {
        inner: usize,
        take: usize,
        descending: bool,
    },
}

impl Rank {
    /// Of output `out`, of `n` inputs.
    fn place(self, out: usize, n: usize) -> usize {
        match self {
            Rank::Smallest => 0,
            Rank::Largest => n - 1,
            Rank::At(k) => k,
            Rank::Frequent => 0,
            Rank::Middle => n.saturating_sub(1) / 2,
            Rank::Along { inner, take, descending } => {
                let k = out / inner.max(1) % take.max(1);
                if descending { n - 1 - k.min(n - 1) } else { k }
            }
        }
    }
}

/// The input elements that share the slope of an output: mostly one.
pub type Winners = SmallVec<[usize; 1]>;

/// Those of each output.
#[derive(Debug)]
pub enum Winning {
    /// One each.
    Alone(Index),
    Several(Vec<Winners>),
}

impl Winning {
    fn count(&self) -> usize {
        match self {
            Winning::Alone(all) => all.count(),
            Winning::Several(all) => all.len(),
        }
    }

    fn of(&self, out: usize) -> &[usize] {
        match self {
            Winning::Alone(all) => &all[out..=out],
            Winning::Several(all) => &all[out],
        }
    }

    fn iter(&self) -> impl Iterator<Item = &[usize]> {
        (0..self.count()).map(|out| self.of(out))
    }
}

impl From<Vec<Winners>> for Winning {
    fn from(all: Vec<Winners>) -> Winning {
        Winning::Several(all)
    }
}

impl From<Vec<usize>> for Winning {
    fn from(all: Vec<usize>) -> Winning {
        Winning::Alone(all.into())
    }
}

/// Which elements an output is chosen from.
pub trait Groups: Debug {
    /// Tells `f` each output and its elements.
    fn each_group(&self, f: &mut dyn FnMut(usize, &[usize]));
}

/// For each output element, the others that might have won.
#[derive(Debug)]
pub enum Losers {
    Listed(Rc<[(usize, usize)]>),
    /// The rest of its group, looked for when it is asked.
    Rest(Rc<dyn Groups>),
}

impl Default for Losers {
    fn default() -> Losers {
        Losers::Listed([].into())
    }
}

impl From<Vec<(usize, usize)>> for Losers {
    fn from(all: Vec<(usize, usize)>) -> Losers {
        Losers::Listed(all.into())
    }
}

/// Elements chosen by value.
#[derive(Debug)]
pub struct Chosen {
    pub name: &'static str,
    pub grad_fn: &'static str,
    /// Keeps its positions, or its input and output.
    pub saves: Saves,
    pub winners: Winning,
    pub losers: Losers,
    pub rank: Rank,
    pub from: Vec<usize>,
    pub to: Vec<usize>,
    /// As PyTorch code, `{}` for the input.
    pub told: Option<String>,
}

impl Chosen {
    fn losers(&self) -> Rc<[(usize, usize)]> {
        match &self.losers {
            Losers::Listed(all) => all.clone(),
            Losers::Rest(groups) => {
                let mut all = Vec::new();
                groups.each_group(&mut |out, group| {
                    let others = group.iter().filter(|p| !self.winners.of(out).contains(p));
                    all.extend(others.map(|p| (out, *p)));
                });
                all.into()
            }
        }
    }

    /// Whether PyTorch divides a mask by how many won: where none does, all of the group get 0/0.
    fn divides(&self) -> bool {
        matches!(self.grad_fn, "AmaxBackward0" | "AminBackward0" | "AminmaxBackward0")
    }

    /// Whether PyTorch adds what comes to zeros: no -0 is left.
    fn adds(&self) -> bool {
        self.grad_fn.contains("Pool")
    }

    /// Who won, by the numbers that stand there at the time of backward, and whether their share is 0/0.
    fn standing(&self, x: &Tensor, y: &Tensor) -> Vec<(Winners, bool)> {
        let own = |out: usize, w: &[usize]| {
            (Winners::from_slice(w), self.divides() && y.data()[out].is_nan())
        };
        let all = self.winners.iter().enumerate();
        if !written_silently() || self.saves != Saves::InputsAndOutput(1) {
            return all.map(|(out, w)| own(out, w)).collect();
        }
        let mut groups: Vec<Winners> = self.winners.iter().map(Winners::from_slice).collect();
        for (out, place) in self.losers().iter() {
            groups[*out].push(*place);
        }
        let again = |(out, group): (usize, Winners)| {
            let top = y.data()[out];
            if top.is_nan() {
                return own(out, self.winners.of(out));
            }
            let won: Winners = group.iter().copied().filter(|p| x.data()[*p] == top).collect();
            if won.is_empty() && self.divides() { (group, true) } else { (won, false) }
        };
        groups.into_iter().enumerate().map(again).collect()
    }

    fn first(&self) -> ElementMap {
        let first = |w: &Winners| w.first().copied().unwrap_or(ElementMap::NONE);
        let index = match &self.winners {
            Winning::Alone(all) => all.clone(),
            Winning::Several(all) => all.iter().map(first).collect::<Vec<_>>().into(),
        };
        ElementMap { from: self.from.clone(), to: self.to.clone(), index }
    }
}

impl Rule for Chosen {
    /// As it was called, or the elements that were chosen.
    fn code(&self, inputs: &[String]) -> Option<String> {
        if let Some(told) = &self.told {
            return Some(told.replace("{}", &inputs[0]));
        }
        let list = |all: &[usize]| all.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let (places, size) = (list(&self.first().index), list(&self.to));
        let size = if size.is_empty() { "()" } else { &size };
        Some(format!("{}.reshape(-1)[torch.tensor([{places}])].reshape({size})", inputs[0]))
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        vjp_tensor::kernels::strided::gather(inputs[0], &self.first())
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        Some(inputs[0].gather(&self.first()))
    }

    /// Where others equal what was chosen.
    fn corners(&self, inputs: &[&Tensor], _: &Tensor) -> Vec<Corner> {
        let x = inputs[0].data();
        let top = |out: usize| self.winners.of(out).first().map_or(f64::NAN, |p| x[*p]);
        // Of each output: those that tie, how many are below, and how many there are.
        let mut met: Vec<(Winners, usize, usize)> =
            self.winners.iter().map(|w| (Winners::from_slice(w), 0, w.len())).collect();
        for &(out, p) in self.losers().iter() {
            let (ties, below, all) = &mut met[out];
            *all += usize::from(!x[p].is_nan() || !matches!(self.rank, Rank::Middle));
            if x[p] == top(out) {
                ties.push(p);
            } else if x[p] < top(out) {
                *below += 1;
            }
        }
        let mut found = Vec::new();
        for (out, (ties, below, all)) in met.iter().enumerate() {
            if ties.len() < 2 || top(out).is_nan() {
                continue;
            }
            let won = self.winners.of(out);
            let mut ties = ties.clone();
            ties.sort_unstable();
            let last = ties.len() - 1;
            let rank = self.rank.place(out, *all).saturating_sub(*below).min(last);
            let share = 1.0 / won.len() as f64;
            // Where equals part, the most frequent may be another.
            let slope = |moves: bool| match self.rank {
                Rank::Frequent => f64::NAN,
                _ => f64::from(u8::from(moves)),
            };
            found.extend(ties.into_iter().map(|element| Corner {
                input: 0,
                element,
                output: out,
                left: slope(rank == 0),
                right: slope(rank == last),
                taken: if won.contains(&element) { share } else { 0.0 },
                bend: Bend::Ranked(rank),
            }));
        }
        found
    }

    /// `amax` and `amin` multiply by a mask: what loses gets the cotangent times 0.
    fn pull(&self, at: &Point<Tensor>, wrt: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
        if !self.divides() {
            let alone = match &self.winners {
                Winning::Alone(_) => true,
                Winning::Several(all) => all.iter().all(|w| w.len() == 1),
            };
            return (alone && !written_silently()).then(|| {
                let mut passed = v.scatter(&self.first());
                if self.adds() {
                    passed.unsign();
                }
                Ok(passed)
            });
        }
        let mut passed = self.linear(at, wrt).pull(v);
        let slots = passed.data_mut();
        for (out, place) in self.losers().iter() {
            if let (Some(slot), Some(v)) = (slots.get_mut(*place), v.data().get(*out))
                && *slot == 0.0
            {
                *slot = v * 0.0;
            }
        }
        Some(Ok(passed))
    }

    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        let winners = self.standing(at.values[0], at.value);
        let kind = |(w, unknown): &(Winners, bool)| (w.len(), *unknown);
        let mut kinds: Vec<(usize, bool)> = winners.iter().map(kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let mut parts = Vec::new();
        // Winners that share: each of n gets 1/n.
        for (n, unknown) in kinds {
            for k in 0..n {
                let at = winners
                    .iter()
                    .map(|w| if kind(w) == (n, unknown) { w.0[k] } else { ElementMap::NONE });
                let pick = LinearMap::Gather(element_map(&self.from, &self.to, at.collect()));
                parts.push(if n == 1 && !unknown {
                    pick
                } else {
                    let by = if unknown { f64::NAN } else { 1.0 / n as f64 };
                    let share = LinearMap::Scale { by, shape: self.to.clone() };
                    LinearMap::Then(vec![pick, share])
                });
            }
        }
        let losers = self.losers();
        if !losers.is_empty() {
            parts.push(LinearMap::Unchosen {
                pairs: losers,
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

impl TorchNode for Chosen {
    fn grad_fn(&self) -> &'static str {
        self.grad_fn
    }

    fn saves(&self) -> Saves {
        self.saves
    }

    fn remembers(&self) -> bool {
        self.saves == Saves::Inputs(1)
    }
}

/// A call over some dimensions, which gives positions beside the values unless it is over all.
pub(crate) fn told(name: &str, axes: &Axes, options: &str) -> String {
    let beside = if axes.all || name.starts_with('a') { "" } else { ".values" };
    format!("torch.{name}({{}}{options}{}){beside}", axes.code())
}

/// Which way to look.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Largest,
    Smallest,
}

impl Way {
    /// Whether `a` beats `b`; a NaN beats everything.
    fn beats<T: Element>(self, a: T, b: T) -> bool {
        if is_nan(b) {
            return false;
        }
        is_nan(a)
            || match self {
                Way::Largest => a > b,
                Way::Smallest => a < b,
            }
    }
}

#[expect(clippy::eq_op, reason = "nothing else is unequal to itself")]
pub(super) fn is_nan<T: Element>(v: T) -> bool {
    v != v
}

/// Position of the first winner within a group, of the last where `last`.
fn winner<T: Element>(group: &[T], way: Way, last: bool) -> usize {
    const LANES: usize = 16;
    let (registers, rest) = group.as_chunks::<LANES>();
    // The best of each lane, in which no NaN beats anything.
    let (mut tops, mut unknown) = ([group[0]; LANES], is_nan(group[0]));
    for register in registers {
        for (top, now) in tops.iter_mut().zip(register) {
            let beats = if way == Way::Largest { *now > *top } else { *now < *top };
            *top = if beats { *now } else { *top };
            unknown |= is_nan(*now);
        }
    }
    let top = tops.iter().chain(rest).fold(group[0], |top, now| {
        unknown |= is_nan(*now);
        if way.beats(*now, top) { *now } else { top }
    });
    let best = match (unknown, last) {
        (true, _) => group.iter().position(|v| is_nan(*v)),
        (_, true) => group.iter().rposition(|v| *v == top),
        (_, false) => {
            let there = |all: &[T; LANES]| all.iter().fold(false, |any, v| any | (*v == top));
            let start = registers.iter().take_while(|all| !there(all)).count() * LANES;
            group[start..].iter().position(|v| *v == top).map(|k| start + k)
        }
    };
    best.unwrap_or(0)
}

impl Groups for Axes {
    fn each_group(&self, f: &mut dyn FnMut(usize, &[usize])) {
        let groups = self.groups();
        groups.chunks(self.count().max(1)).enumerate().for_each(|(out, group)| f(out, group));
    }
}

/// Of no elements there is no extreme. `dims` as they were given.
fn expect_some(axes: &Axes, dims: Option<&[i64]>, name: &str) -> Outcome<()> {
    if axes.from.iter().product::<usize>() != 0 || axes.count() != 0 {
        return Ok(());
    }
    if axes.all || dims.is_none_or(<[i64]>::is_empty) {
        let kind = match name {
            "argmax" | "argmin" => Kind::Index,
            _ => Kind::Runtime,
        };
        complain!(
            kind, Fact::NothingToReduce;
            "{name}(): Expected reduction dim to be specified for input.numel() == 0.{}",
            if kind == Kind::Index {
                ""
            } else {
                " Specify the reduction dim with the 'dim' argument."
            }
        );
    }
    let empty = axes.dims.iter().zip(dims.unwrap_or_default()).find(|(at, _)| axes.from[**at] == 0);
    let (at, given) = empty.map_or((0, 0), |(at, given)| (*at as i64, *given));
    complain!(
        Kind::Index, Fact::NothingToReduce;
        "{name}(): Expected reduction dim {} to have non-zero size.",
        if matches!(name, "amax" | "amin") { given } else { at }
    )
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
    // Of equals PyTorch's `max()` keeps the last, and with it the sign of a 0.
    let last = share && !matches!(name, "amax" | "amin");
    let value = x.value();
    let n = axes.count().max(1);
    let (mut alone, mut shared, mut positions) = (Vec::new(), Vec::new(), Vec::new());
    // Where elements lie is looked up only where they lie otherwise, or others may win too.
    let in_order = !share && axes.is_in_order();
    let groups = if in_order { Vec::new() } else { axes.groups() };
    with_numbers!(value, data => for (out, group) in axes.by_result(data)?.chunks(n).enumerate() {
        let best = winner(group, way, last);
        positions.push(best as f64);
        vjp_tensor::budget::tick()?;
        if !share {
            alone.push(if in_order { out * n + best } else { groups[out * n + best] });
            continue;
        }
        let (top, group) = (group[best], &groups[out * n..][..n]);
        let ties = |p: usize| data[p] == top || (is_nan(data[p]) && is_nan(top));
        let all = is_nan(top) && matches!(name, "amax" | "amin" | "aminmax");
        shared.push(won(group, best, |p| all || ties(p), |_| {})?);
    });
    let op = Chosen {
        name,
        grad_fn,
        saves: if share { Saves::InputsAndOutput(1) } else { Saves::Aside },
        winners: if share { shared.into() } else { alone.into() },
        losers: Losers::Rest(Rc::new(axes.clone())),
        rank: match way {
            Way::Largest => Rank::Largest,
            Way::Smallest => Rank::Smallest,
        },
        from: axes.from.clone(),
        to: axes.to(),
        told: Some(told(name, axes, "")),
    };
    let positions = Tensor::new(&axes.to(), positions).with_dtype(Dtype::Int64);
    let mut y = apply(Rc::new(op), std::slice::from_ref(x))?;
    if !share {
        y = y.keeping("indices", &positions);
    }
    Ok((y, Variable::constant(positions)))
}

/// `x.max()`, `x.max(dim)`, `torch.max(a, b)` and the same of min.
fn either(b: &mut Bound, way: Way) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let (name, all, by_dim) = match way {
        Way::Largest => ("max", "MaxBackward1", "MaxBackward0"),
        Way::Smallest => ("min", "MinBackward1", "MinBackward0"),
    };
    if let crate::Arg::Tensor(y) = b.arg(1)
        && (!y.is_number() || y.dtype().is_float())
    {
        let fun = if way == Way::Largest { &table::MAXIMUM } else { &table::MINIMUM };
        return Ok(Out::One(apply((fun.operation)(&[]), &[x, y.clone()])?));
    }
    let own = x.shape();
    let Some(dim) = b.int(1) else {
        let axes = Axes::new(&own, None, false)?;
        expect_some(&axes, None, name)?;
        return Ok(Out::One(extreme(&x, &axes, way, true, name, all)?.0));
    };
    let axes = Axes::new(&own, Some(&[dim]), b.bool_or(2, false))?;
    expect_some(&axes, Some(&[dim]), name)?;
    let (values, indices) = extreme(&x, &axes, way, false, name, by_dim)?;
    Ok(Out::Named(name, vec![("values", values), ("indices", indices)]))
}

fn shared(b: &mut Bound, way: Way) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let dims = b.ints(1);
    let axes = Axes::new(&x.shape(), dims.as_deref(), b.bool_or(2, false))?;
    let (name, grad_fn) = match way {
        Way::Largest => ("amax", "AmaxBackward0"),
        Way::Smallest => ("amin", "AminBackward0"),
    };
    expect_some(&axes, dims.as_deref(), name)?;
    Ok(Out::One(extreme(&x, &axes, way, true, name, grad_fn)?.0))
}

/// Both ends at once.
fn both(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let dims = b.int(1).map(|d| vec![d]);
    let axes = Axes::new(&x.shape(), dims.as_deref(), b.bool_or(2, false))?;
    if axes.count() == 0 {
        if let Some(d) = axes.dims.first().filter(|_| !axes.all) {
            complain!(Kind::Index, Fact::NothingToReduce; "aminmax: Expected reduction dim {d} to have non-zero size.");
        }
        complain!(
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
    expect_some(&axes, dims.as_deref(), name)?;
    Ok(Out::One(extreme(&x, &axes, way, false, name, "")?.1))
}

const BOTH: Forms = Forms::TORCH.and(Forms::METHOD);
const BY_DIM: &str =
    "(Tensor input, int dim=None, bool keepdim=False)\n(Tensor input, Tensor other)";
const OVER: &str = "(Tensor input, int[] dim=None, bool keepdim=False)";
const POSITION: &str = "(Tensor input, int dim=None, bool keepdim=False)";

pub static ENTRIES: &[crate::Entry] = entries! {
    "max" USUAL.and(Forms::NP), BY_DIM, "the largest; ∂y/∂xᵢ is 1 there, else 0; shared at a tie, with dim all to the one of the index", "max([1, 3, 2])", ["min", "amax", "argmax", "maximum"] jax "[other] jnp.maximum({input}, {other}) or [dim] max_along({input}, {dim}, {keepdim}) or jnp.max({input})"
        => |b| either(b, Way::Largest);
    "min" USUAL.and(Forms::NP), BY_DIM, "the smallest; ∂y/∂xᵢ is 1 there, else 0; shared at a tie, with dim all to the one of the index", "min([1, 3, 2])", ["max", "amin", "argmin", "minimum"] jax "[other] jnp.minimum({input}, {other}) or [dim] min_along({input}, {dim}, {keepdim}) or jnp.min({input})"
        => |b| either(b, Way::Smallest);
    "amax" BOTH.and(Forms::NP), OVER, "the largest; shared at a tie; ∂y/∂xᵢ = 1/k at each of the k largest, else 0", "torch.amax(tensor([1, 3, 2]))", ["max"] jax "jnp.max({input}, axis={dim}, keepdims={keepdim})"
        => |b| shared(b, Way::Largest);
    "amin" BOTH.and(Forms::NP), OVER, "the smallest; shared at a tie; ∂y/∂xᵢ = 1/k at each of the k smallest, else 0", "torch.amin(tensor([1, 3, 2]))", ["min"] jax "jnp.min({input}, axis={dim}, keepdims={keepdim})"
        => |b| shared(b, Way::Smallest);
    "aminmax" BOTH, "(Tensor input, *, int dim=None, bool keepdim=False)", "the smallest and the largest; shared at a tie; ∂y/∂xᵢ = 1/k at each of the k that tie, else 0", "torch.aminmax(tensor([1, 3, 2]))", ["amin", "amax"] jax "aminmax({*})"
        => both;
    "argmax" USUAL.and(Forms::NP), POSITION, "the index of the largest element", "argmax([1, 3, 2])", ["max"]
        => |b| position(b, Way::Largest);
    "argmin" USUAL.and(Forms::NP), POSITION, "the index of the smallest element", "argmin([1, 3, 2])", ["min"]
        => |b| position(b, Way::Smallest);
};
