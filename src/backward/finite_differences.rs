//! The third route to a derivative: the program's own text, run again with a leaf moved a little. The sweep
//! and J go through one graph; a path that never came into it is seen here alone.

use crate::agreement;
use crate::behind::Behind;
use std::cell::Cell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use vjp_eval::Machine;
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::record::event::{Cause, Untold};
use vjp_eval::record::goal::Placed;
use vjp_eval::record::held::Goal;
use vjp_jacobian::central_differences::{Column, Difference};
use vjp_jacobian::kinks::corners;
use vjp_jacobian::{Jacobian, central_differences, walk};
use vjp_maths::autodiff::ancestors::{ancestors, leaves_of};
use vjp_maths::autodiff::reverse::Reached;
use vjp_maths::composite::is_entry;
use vjp_maths::observe::leaf_births::{Given, Made};
use vjp_maths::observe::{leaf_births, value_reads};
use vjp_maths::{Edge, Node, Variable};
use vjp_tensor::budget::{self, work};
use vjp_tensor::source_place::Place as Written;
use vjp_tensor::{Complaint, Dtype, Kind, Outcome, Tensor, mixed_dtypes, source_place};
use vjp_text::{Source, Span};

/// What a panel may cost beside itself, in steps of work, so that the same input gives the same panel on every
/// machine: runs so brief, and where they find something, a closer look. The card's line takes a hundred. What is
/// sure to take longer is not begun.
pub(crate) const STEPS: u64 = 20_000;
const CLOSER: u64 = 10 * STEPS;
const STATEMENTS: u64 = 10_000;
const NUMBERS: usize = 10_000;
const COMPUTED: usize = 100_000;

/// What all panels of an input may cost so: each turn of a loop is looked at while it lasts.
const INPUT: u64 = 10 * STEPS;

/// Elements that are looked at one by one, where the sum over all of them is off.
const ELEMENTS: usize = 16;

/// Where edges are looked for, J and its like beside it are compared entry by entry.
const ENTRIES: usize = 64;

/// What took numbers out of the graph is quoted if it is so short, and so few.
pub(crate) const LONGEST: usize = 30;
pub(crate) const NAMED: usize = 3;

/// A question that asks for a derivative and not for a picture may take more.
const PATIENT: u64 = 100_000;
const PATIENCE: u64 = 500 * STEPS;

/// Farther out a number leaves too few digits behind the point for the text to gainsay a rule.
const FARTHEST: f64 = 1e7;
const FARTHEST_SINGLE: f64 = 100.0;

/// How far the leaves are moved, relative to them, and how far the sum may be off; of 32-bit floats a small
/// step leaves nothing but rounding.
const STEP: f64 = 1e-5;
const ALIKE: f64 = 1e-6;
const SINGLE: f64 = 1e-3;
const SHORTEST: f64 = 16.0;
const SINGLE_STEP: f64 = 4e-3;
const SINGLE_ALIKE: f64 = 1e-2;

/// A session's statements up to a backward.
pub struct Rerun {
    deeds: Vec<Placed>,
    at: usize,
    /// Work that is left for the runs.
    left: Cell<Option<u64>>,
    /// Place among the leaves made, of each leaf asked about, and how often it was written before y.
    births: Vec<Option<(usize, u32)>>,
    /// Other numbers and lists that were made, with their values.
    others: Vec<(usize, Tensor)>,
    /// Numbers were taken out of the graph on the way.
    pub taken: bool,
    value: Tensor,
}

/// What a run came to: y, and the leaves that were made.
struct Found {
    y: Variable,
    made: Made,
}

/// The work that a call of backward may cost so: each line's first is given its share, the others what
/// its input has left. None: nothing is left.
pub(crate) fn steps_for(m: &Machine, source: &Source, first: bool) -> Option<u64> {
    let left = INPUT.saturating_sub(spent(m, source));
    let steps = if first { STEPS } else { STEPS.min(left) };
    (steps > 0).then_some(steps)
}

/// The work that was spent so on an input.
fn spent(m: &Machine, source: &Source) -> u64 {
    let (input, spent) = m.spent;
    if input == source.id() { spent } else { 0 }
}

pub(crate) fn spend(m: &mut Machine, source: &Source, steps: u64) {
    m.spent = (source.id(), spent(m, source) + steps);
}

/// The session up to its n-th question, where running it again gives the same y from leaves that can
/// be told.
pub fn rerun(
    m: &mut Machine,
    at: usize,
    y: &Variable,
    leaves: &[Variable],
    steps: Option<u64>,
) -> Result<Rerun, Untold> {
    let most = if steps.is_some() { STATEMENTS } else { PATIENT };
    if m.exact() || m.goal.is_some() {
        return Err(Untold::NotAsked);
    }
    if m.carried_out > most {
        return Err(Untold::Long);
    }
    let mut rerun = Rerun {
        deeds: m.deeds().ok_or(Untold::NotAsked)?,
        at,
        left: Cell::new(steps),
        births: Vec::new(),
        others: Vec::new(),
        taken: false,
        value: y.value(),
    };
    let before = value_reads::count();
    let base = rerun.found(m, Vec::new()).ok_or(Untold::Other)?;
    rerun.taken = value_reads::count() != before;
    if !base.y.value().is_identical(&rerun.value) {
        return Err(Untold::Other);
    }
    rerun.find(&base, y, leaves);
    Ok(rerun)
}

impl Rerun {
    /// Runs the statements on a new machine; this one and all that belongs to the thread stays.
    fn found(&self, m: &mut Machine, given: Vec<Given>) -> Option<Found> {
        let outside = vjp_eval::library::taken(m);
        let (mixed, happened) = (mixed_dtypes::is_allowed(), mixed_dtypes::take_happened());
        let at = source_place::now();
        let mut fresh = m.again(Goal { at: self.at, found: None });
        let begun = work::done();
        let limits = budget::Limits::work(self.left.get().unwrap_or(u64::MAX));
        let run = catch_unwind(AssertUnwindSafe(|| {
            leaf_births::watched(given, || {
                vjp_maths::autodiff::grad_mode::set_grad_enabled(true);
                mixed_dtypes::allow(true);
                self.deeds.iter().any(|(source, body, position)| {
                    fresh.carry_out(source, &body[*position]).is_err()
                })
            })
        }));
        drop(limits);
        self.left.set(self.left.get().map(|left| left.saturating_sub(work::done() - begun)));
        source_place::set(at);
        mixed_dtypes::allow(mixed);
        mixed_dtypes::take_happened();
        if happened {
            mixed_dtypes::permitted();
        }
        let own = std::mem::replace(&mut m.library, outside);
        vjp_eval::library::restored(m);
        m.library = own;
        let y = fresh.goal.take().and_then(|goal| goal.found);
        match run {
            Ok((_, made)) => {
                let (y, made) = (y?, made?);
                // Computed before a leaf had its other value, it says nothing.
                let older = y.node().is_some_and(|n| n.id() < made.mark);
                (!older).then_some(Found { y, made })
            }
            Err(defect) => resume_unwind(defect),
        }
    }

    /// Finds the leaves asked about among those that were made, and the others.
    fn find(&mut self, base: &Found, y: &Variable, leaves: &[Variable]) {
        let (then, now) = (leaves_of(&base.y), leaves_of(y));
        let alike = then.len() == now.len()
            && then.iter().zip(&now).all(|(a, b)| {
                a.name() == b.name()
                    && a.is_implicit() == b.is_implicit()
                    && (a.value().is_identical(&b.value()) || b.writes() > a.writes())
            });
        let place = |leaf: &Variable| {
            let k = now.iter().position(|x| x.same(leaf)).filter(|_| alike)?;
            let twin = &then[k];
            let place = base.made.leaves.iter().position(|x| x.same(twin))?;
            let writes = twin.writes();
            Some((place, writes))
        };
        self.births = leaves.iter().map(place).collect();
        if leaves.iter().all(Variable::is_implicit) {
            let made = base.made.leaves.iter().enumerate();
            self.others = made
                .filter(|(_, x)| {
                    let told = then.iter().any(|t| t.same(x));
                    x.is_implicit() && x.version() == 0 && !told && x.is_leaf()
                })
                .map(|(at, x)| (at, x.value()))
                .collect();
        }
    }

    /// y, were the k-th leaf to hold `value`.
    ///
    /// # Errors
    /// The program fails there, or gives another shape.
    pub fn value(&self, m: &mut Machine, leaf: usize, value: &Tensor) -> Outcome<Tensor> {
        let none = || Complaint::new(Kind::Value, "no value");
        let (place, writes) = self.births[leaf].ok_or_else(none)?;
        let given = Given { place, writes, value: value.clone() };
        self.moved(m, vec![given]).ok_or_else(none)
    }

    /// The same, and J by the leaves that hold other values.
    pub(crate) fn beside(
        &self,
        m: &mut Machine,
        moved: &[(usize, Tensor)],
    ) -> Option<(Tensor, Vec<Jacobian<f64>>)> {
        let given = moved.iter().map(|(k, value)| {
            let (place, writes) = self.births[*k]?;
            Some(Given { place, writes, value: value.clone() })
        });
        let given = given.collect::<Option<Vec<Given>>>()?;
        let places: Vec<usize> = given.iter().map(|g| g.place).collect();
        let Found { y, made } = self.found(m, given)?;
        let leaves = places.iter().map(|at| made.leaves.get(*at).cloned());
        let leaves = leaves.collect::<Option<Vec<Variable>>>()?;
        let js = lend(m, || walk::numeric_many(&y, &leaves)).ok()?;
        (y.shape() == self.value.shape()).then(|| (y.value(), js))
    }

    /// From now on the runs may take so much work.
    pub(crate) fn allow(&mut self, steps: u64) {
        self.left.set(Some(steps));
    }

    pub fn tells(&self, leaf: usize) -> bool {
        self.births[leaf].is_some()
    }

    fn moved(&self, m: &mut Machine, given: Vec<Given>) -> Option<Tensor> {
        let y = self.found(m, given)?.y.value();
        (y.shape() == self.value.shape()).then_some(y)
    }

    /// A column of J by differences of the text; None where it has a corner, a jump or no value.
    fn column(&self, m: &mut Machine, leaf: usize, x: &Tensor, j: usize) -> Option<Column> {
        let farthest = if is_single(x, &self.value) { FARTHEST_SINGLE } else { FARTHEST };
        if x.data()[j].abs() > farthest || !self.is_smooth(m, leaf, x, j) {
            return None;
        }
        let mut f = |value: &Tensor| self.value(m, leaf, value);
        central_differences::column(&mut f, x, j, self.value.numel()).ok()
    }

    /// Whether y has the same slope to both sides of an element's value.
    pub fn is_smooth(&self, m: &mut Machine, leaf: usize, x: &Tensor, j: usize) -> bool {
        let mut again = |value: &Tensor| self.value(m, leaf, value);
        smooth(&mut again, x, j, &self.value).is_some_and(|all| all.iter().all(|one| *one))
    }
}

/// y, were the j-th element of x greater by so much; None where it has no value or another size.
fn moved(
    again: &mut dyn FnMut(&Tensor) -> Outcome<Tensor>,
    x: &Tensor,
    (j, by): (usize, f64),
    y: &Tensor,
) -> Option<Tensor> {
    let mut moved = x.clone();
    moved.data_mut()[j] += by;
    again(&moved).ok().filter(|other| other.numel() == y.numel())
}

/// Of 32-bit floats a small step leaves nothing but rounding.
fn is_single(x: &Tensor, y: &Tensor) -> bool {
    y.dtype() != Dtype::Float64 || x.dtype() != Dtype::Float64
}

/// Which elements of y have the same slope to both sides of an element's value. None: some have no value
/// there.
pub fn smooth(
    again: &mut dyn FnMut(&Tensor) -> Outcome<Tensor>,
    x: &Tensor,
    j: usize,
    y: &Tensor,
) -> Option<Vec<bool>> {
    let (step, rounding) = if is_single(x, y) { (SINGLE, 1e-6) } else { (STEP, 1e-15) };
    let h = step * x.data()[j].abs().max(1.0);
    // The slopes to both sides, and what of a difference between them is rounding.
    let mut sides = |h: f64| -> Option<Vec<[f64; 3]>> {
        let (above, below) = (moved(again, x, (j, h), y)?, moved(again, x, (j, -h), y)?);
        let pairs = above.data().iter().zip(below.data().iter());
        let one = |((a, b), y): ((&f64, &f64), &f64)| {
            [(a - y) / h, (y - b) / h, 4.0 * rounding * y.abs().max(a.abs()) / h]
        };
        Some(pairs.zip(y.data().iter()).map(one).collect())
    };
    let (wide, near) = (sides(h)?, sides(h / 4.0)?);
    let one =
        |(&[forwards, backwards, rounding], &[nearer, behind, finer]): (&[f64; 3], &[f64; 3])| {
            let gap = (forwards - backwards).abs();
            let slope = forwards.abs().max(backwards.abs());
            // With the step the gap shrinks to a quarter where y is smooth; at a corner it stays, at a jump the
            // slopes grow, and as x^1.5 at 0 it shrinks too slowly for differences to settle.
            let alike =
                gap <= 1e-2 * slope + rounding || (nearer - behind).abs() <= gap / 3.0 + finer;
            alike && nearer.abs().max(behind.abs()) <= 2.0 * slope + finer
        };
    Some(wide.iter().zip(&near).map(one).collect())
}

/// Which elements of y jump at an element's value: nearer steps move them as far, also the shortest.
pub fn jumps(
    again: &mut dyn FnMut(&Tensor) -> Outcome<Tensor>,
    x: &Tensor,
    j: usize,
    y: &Tensor,
) -> Vec<bool> {
    let step = if is_single(x, y) { SINGLE / 10.0 } else { STEP / 1000.0 };
    let h = step * x.data()[j].abs().max(1.0);
    let mut jumps = vec![false; y.numel()];
    for h in [h, -h] {
        let mut gaps = |by: f64| -> Option<Vec<f64>> {
            let other = moved(again, x, (j, by), y)?;
            Some(other.data().iter().zip(y.data()).map(|(a, b)| (a - b).abs()).collect())
        };
        let unit = if is_single(x, y) { f64::from(f32::EPSILON) } else { f64::EPSILON };
        let shortest = SHORTEST * unit * x.data()[j].abs().max(f64::MIN_POSITIVE / f64::EPSILON);
        let (Some(far), Some(near), Some(nearest)) =
            (gaps(h), gaps(h / 10.0), gaps(shortest.copysign(h)))
        else {
            continue;
        };
        for (k, jumps) in jumps.iter_mut().enumerate() {
            let nearer = near[k].min(nearest[k]);
            *jumps |= nearer > step * y.data()[k].abs() && nearer >= 0.99 * far[k];
        }
    }
    jumps
}

/// J of y by a leaf, as the text gives it, where it does not agree with `rules`. The text is run again only
/// while its input has work left for that: each turn of a loop would run all turns before it.
pub fn gainsaid(
    m: &mut Machine,
    source: &Source,
    (y, x): (&Variable, &Variable),
    rules: &Jacobian<f64>,
    tolerance: f64,
) -> Option<Difference> {
    if spent(m, source) > PATIENCE {
        return None;
    }
    let begun = work::done();
    let found = contradiction(m, y, x, rules, tolerance);
    spend(m, source, work::done() - begun);
    found
}

fn contradiction(
    m: &mut Machine,
    y: &Variable,
    x: &Variable,
    rules: &Jacobian<f64>,
    tolerance: f64,
) -> Option<Difference> {
    let rerun = rerun(m, m.past.asked, y, std::slice::from_ref(x), None).ok()?;
    let n = x.numel();
    if !rerun.tells(0) {
        return None;
    }
    let value = x.value();
    (0..n).find_map(|j| {
        let column = rerun.column(m, 0, &value, j)?;
        let slope = |i: usize| rules.number(i, j);
        let rule = (0..y.numel()).map(slope).collect();
        let rule = Jacobian::dense(y.numel(), 1, rule);
        let found = central_differences::compare(&rule, &column.slopes, &column.errors, tolerance);
        found.worst.filter(|_| !found.agrees).map(|worst| Difference { column: j, ..worst })
    })
}

/// What the text says of a leaf: places in it, and what differences give there for vᵀJ.
pub(crate) struct Apart {
    pub leaf: usize,
    pub places: Vec<usize>,
    pub cause: Cause,
}

/// Whether a result has and comes from so few numbers.
fn is_within(y: &Variable, leaves: &[Variable], most: usize) -> bool {
    let size: usize = leaves.iter().map(Variable::numel).sum();
    size.max(y.numel()) <= most
        && leaves.iter().all(|x| central_differences::size(y, x) <= COMPUTED)
}

/// Whether J is small enough to be compared with others.
pub(crate) fn is_small(y: &Variable, leaves: &[Variable]) -> bool {
    is_within(y, leaves, ENTRIES)
}

/// Elements that may have a slope of their own where the sum over all is off: all of few, else those that
/// halving finds. `off`: whether the sum over some is.
fn suspects(n: usize, off: &mut dyn FnMut(Range<usize>) -> bool) -> Vec<usize> {
    if n <= ELEMENTS {
        return (0..n).collect();
    }
    let (mut found, mut waiting) = (Vec::new(), Vec::from([(0, n)]));
    while let Some((start, end)) = waiting.pop().filter(|_| found.len() < ELEMENTS) {
        if end - start == 1 {
            found.push(start);
            continue;
        }
        let middle = start + (end - start) / 2;
        waiting.extend([(middle, end), (start, middle)].into_iter().filter(|&(a, b)| off(a..b)));
    }
    found
}

/// A leaf on its way.
struct Moving {
    at: (usize, u32),
    value: Tensor,
    by: Vec<f64>,
    /// vᵀJ times the way, element by element.
    slopes: Vec<f64>,
}

impl Moving {
    fn given(&self, h: f64) -> Given {
        let ((place, writes), mut value) = (self.at, self.value.clone());
        value.data_mut().iter_mut().zip(&self.by).for_each(|(x, by)| *x += h * by);
        Given { place, writes, value }
    }

    /// With the other elements at rest.
    fn part(&self, range: Range<usize>) -> Moving {
        let within = |all: &[f64]| {
            let one = |(k, x): (usize, &f64)| if range.contains(&k) { *x } else { 0.0 };
            all.iter().enumerate().map(one).collect()
        };
        let (by, slopes) = (within(&self.by), within(&self.slopes));
        Moving { at: self.at, value: self.value.clone(), by, slopes }
    }
}

/// Compares vᵀJ with differences of the text, where that costs little: one pair of runs with all
/// leaves moved at once, and element by element where the sum is off.
pub(crate) fn apart(
    m: &mut Machine,
    steps: u64,
    (y, v): (&Variable, &Tensor),
    reached: &[Reached],
    vjps: &[&Tensor],
    name: &dyn Fn(usize) -> String,
    (source, output): (&Source, Span),
) -> Vec<Apart> {
    let leaves: Vec<Variable> = reached.iter().map(|r| r.leaf.clone()).collect();
    let all = || std::iter::once(y).chain(&leaves).map(Variable::dtype);
    if v.numel() != y.numel() || !all().all(Dtype::is_tiled) || !is_within(y, &leaves, NUMBERS) {
        return Vec::new();
    }
    // Rounded on the way to fewer digits than it begins and ends with, y says too little.
    if all().all(|d| d == Dtype::Float64) && agreement::is_coarser(&ancestors(y.node())) {
        return Vec::new();
    }
    let (step, tolerance) = match all().any(|d| d == Dtype::Float32) {
        true => (SINGLE_STEP, SINGLE_ALIKE),
        false => (STEP, ALIKE),
    };
    let Ok(mut rerun) = rerun(m, m.past.asked, y, &leaves, Some(steps)) else {
        return Vec::new();
    };
    let weigh = |y: &Tensor| -> f64 {
        let terms = v.data().iter().zip(y.data().iter());
        terms.filter(|(v, _)| **v != 0.0).map(|(v, y)| v * y).sum()
    };
    // Fixed directions in which no two paths are likely to cancel.
    let mut turn = 0.0f64;
    let mut along = |at: (usize, u32), value: Tensor, vjp: Option<&Tensor>| {
        let by = value.data().iter().map(|x| {
            turn = (turn + 0.618_033_988_749_895).fract();
            (0.5 + turn) * x.abs().max(1.0)
        });
        let by: Vec<f64> = by.collect();
        let slopes = vjp.map(|vjp| vjp.data().iter().zip(&by).map(|(s, by)| s * by).collect());
        Moving { at, value, by, slopes: slopes.unwrap_or_default() }
    };
    let told = leaves.iter().zip(vjps).zip(&rerun.births);
    let mut own: Vec<Option<Moving>> =
        told.map(|((x, vjp), at)| Some(along((*at)?, x.value(), Some(vjp)))).collect();
    let others = rerun.others.iter();
    let others: Vec<Moving> =
        others.map(|(at, value)| along((*at, 0), value.clone(), None)).collect();
    let slopes = || own.iter().flatten().flat_map(|moving| &moving.slopes);
    let scale = weigh(&rerun.value).abs().max(1.0) + slopes().map(|slope| slope.abs()).sum::<f64>();
    let expected: f64 = slopes().sum();
    let slope = |m: &mut Machine, rerun: &Rerun, moving: &[&Moving]| {
        let mut at = |h: f64| {
            let given = moving.iter().map(|moving| moving.given(h)).collect();
            rerun.moved(m, given).map(|y| weigh(&y))
        };
        Some((at(step)? - at(-step)?) / (2.0 * step))
    };
    let alike = |slope: f64, expected: f64| (slope - expected).abs() <= tolerance * scale;
    let leaves_alone: Vec<&Moving> = own.iter().flatten().collect();
    let with_others: Vec<&Moving> = leaves_alone.iter().copied().chain(&others).collect();
    let agrees = |m: &mut Machine, moving: &[&Moving]| {
        slope(m, &rerun, moving).is_some_and(|slope| alike(slope, expected))
    };
    if leaves_alone.is_empty() || !expected.is_finite() || agrees(m, &with_others) {
        return Vec::new();
    }
    if !others.is_empty() && agrees(m, &leaves_alone) {
        return Vec::new();
    }
    rerun.allow(CLOSER);
    let behind = Behind::of(m, source, output).filter(|_| rerun.taken);
    let mut all = Vec::new();
    for (k, leaf) in leaves.iter().enumerate() {
        let Some(moving) = own[k].take() else { continue };
        // At a kink the sweep takes one slope of several; no path is missing.
        if !corners(y, &leaves[k..=k]).unwrap_or_default().is_empty() {
            continue;
        }
        let value = leaf.value();
        let suspects = suspects(value.numel(), &mut |range| {
            let part = moving.part(range);
            let expected = part.slopes.iter().sum();
            slope(m, &rerun, &[&part]).is_some_and(|slope| !alike(slope, expected))
        });
        let mut places = Vec::new();
        let mut first = None;
        for j in suspects {
            let Some(column) = rerun.column(m, k, &value, j) else { continue };
            let text = weigh(&Tensor::new(y.shape().as_slice(), column.slopes.clone()));
            let unsure: f64 = v.data().iter().zip(&column.errors).map(|(v, e)| (v * e).abs()).sum();
            let rule = vjps[k].data()[j];
            if central_differences::off(rule, text, unsure) > tolerance {
                first = first.or(Some((rule, text, unsure)));
                places.push(j);
            }
        }
        if let (Some((rule, text, unsure)), Some(&at)) = (first, places.first()) {
            let (name, shape) = (name(k), value.shape().to_vec());
            let mut taken = value_reads::places(leaf);
            if let Some(behind) = &behind {
                taken.retain(|place| behind.has(place));
            }
            if rerun.taken && taken.is_empty() {
                continue;
            }
            taken.extend(behind.iter().flat_map(|behind| &behind.gradients));
            if !rerun.taken
                && let Some(op) = reads_one_triangle(y, leaf)
                && places.iter().all(|at| off_diagonal(&shape, *at))
            {
                let cause = Cause::Triangle { leaf: name, shape, at, rule, text, op };
                all.push(Apart { leaf: k, places, cause });
                continue;
            }
            all.push(match rerun.taken {
                // Held fixed on purpose, it is no lack of a path.
                true => {
                    let by = texts(m, &taken);
                    let cause = Cause::Fixed { leaf: name, shape, at, rule, text, by };
                    Apart { leaf: k, places: Vec::new(), cause }
                }
                false => {
                    // The path is there if the graph, computed again, moves as the text does.
                    let mut again = |x: &Tensor| central_differences::replay(y, leaf, x);
                    let column = central_differences::column(&mut again, &value, at, y.numel());
                    let graph = column.map_or(f64::NAN, |column| {
                        weigh(&Tensor::new(y.shape().as_slice(), column.slopes))
                    });
                    let near = central_differences::off(graph, text, 0.0) <= tolerance.max(1e-4);
                    // Where the text does not move, or not clearly, nobody here can tell which of the two lost
                    // its digits.
                    let scale = rule.abs().max(text.abs()).max(1.0);
                    let sure = text != 0.0 && unsure <= 1e-3 * scale;
                    match graph.is_finite() && near {
                        true if central_differences::off(rule, text, 0.0) <= 1e-3 => continue,
                        true => {
                            let cause = Cause::Rounding { leaf: name, shape, at, rule, text, sure };
                            Apart { leaf: k, places: if sure { places } else { Vec::new() }, cause }
                        }
                        false => {
                            let cause = Cause::Text { leaf: name, shape, at, rule, text };
                            Apart { leaf: k, places, cause }
                        }
                    }
                }
            });
        }
    }
    all
}

/// The operation behind `y` that reads one triangle of `leaf`, by name.
fn reads_one_triangle(y: &Variable, leaf: &Variable) -> Option<String> {
    let one = |name: &str| ["Cholesky", "Eigh"].iter().any(|part| name.contains(part));
    let mut all = ancestors(y.node());
    all.retain(|node| one(node.grad_fn()));
    let reads = |node: &Node| node.inputs().iter().filter_map(Edge::leaf).any(|x| x.same(leaf));
    let found = all.iter().find(|node| !is_entry(node)).filter(|_| all.iter().any(reads))?;
    Some(found.operation().name().to_owned())
}

/// Whether element `at` of a stack of square matrices lies off their diagonals.
fn off_diagonal(shape: &[usize], at: usize) -> bool {
    matches!(shape, [.., m, n] if m == n && at / n % n != at % n)
}

/// What is written at some places; nothing where it is too much to quote.
fn texts(m: &Machine, places: &[Written]) -> Vec<String> {
    let text = |place: &Written| {
        let text = m.source_of(place.source)?.slice(place.span).trim().to_string();
        (!text.is_empty() && !text.contains('\n') && text.chars().count() <= LONGEST)
            .then_some(text)
    };
    let mut all: Vec<String> = Vec::new();
    for place in places {
        match text(place) {
            Some(text) if all.contains(&text) => {}
            Some(text) if all.len() < NAMED => all.push(text),
            _ => return Vec::new(),
        }
    }
    all
}
