//! The third route to a derivative: the program's own text, run again with a leaf moved a little. The sweep
//! and J go through one graph; a path that never came into it is seen here alone.

use super::done::Deed;
use super::event::Cause;
use super::machine::Machine;
use super::raise::Halt;
use super::value::Value;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::time::{Duration, Instant};
use vjp_maths::births;
use vjp_maths::complaint::{Complaint, Kind, Outcome};
use vjp_maths::corners::corners;
use vjp_maths::gradcheck::{self, Column, Difference};
use vjp_maths::jacobian::{Entry, Jacobian};
use vjp_maths::looked;
use vjp_maths::mixing;
use vjp_maths::place;
use vjp_maths::reverse::Reached;
use vjp_maths::tensor::{Dtype, Tensor};
use vjp_maths::variable::Variable;
use vjp_syntax::Mode;
use vjp_syntax::ast::Stmt;
use vjp_text::source::Source;

/// What a panel may cost beside itself: a session of so few statements (turns of loops and calls
/// counted), whose result has and comes from so few numbers, run so briefly. The card's line takes a tenth
/// of a millisecond.
const STATEMENTS: u64 = 500;
const NUMBERS: usize = 64;
const COMPUTED: usize = 4096;
const TIME: Duration = Duration::from_millis(if cfg!(debug_assertions) { 1000 } else { 2 });

/// Elements that are looked at one by one, where the sum over all of them is off.
const ELEMENTS: usize = 16;

/// A question that asks for a derivative and not for a picture may take longer.
const PATIENT: u64 = 100_000;

/// How far the leaves are moved, relative to them, and how far the sum may be off.
const STEP: f64 = 1e-5;
const ALIKE: f64 = 1e-6;

/// Where a run ends: at a backward or gradcheck, the n-th from the start.
pub(super) struct Goal {
    at: usize,
    found: Option<Variable>,
    until: Option<Instant>,
}

/// A session's statements up to a backward.
pub struct Rerun {
    deeds: Vec<Place>,
    at: usize,
    until: Option<Instant>,
    /// Place among the leaves made, of each leaf asked about; None where it was changed since.
    births: Vec<Option<usize>>,
    /// Other numbers and lists that were made, with their values.
    others: Vec<(usize, Tensor)>,
    /// Numbers were taken out of the graph on the way.
    pub taken: bool,
    value: Tensor,
}

/// What a run came to: y, and the leaves that were made.
struct Found {
    y: Variable,
    made: Vec<Variable>,
}

/// A statement: its input, the statements of that, and which of them it is.
type Place = (Source, Rc<Vec<Stmt>>, usize);

impl Machine {
    /// Counts the questions for a derivative; where a run was to end here, its end.
    ///
    /// # Errors
    /// That end.
    pub(super) fn asks(&mut self, y: &Value) -> Result<(), Halt> {
        self.past.asked += 1;
        let at = self.past.asked;
        let Some(goal) = self.goal.as_mut().filter(|goal| goal.at == at) else {
            return Ok(());
        };
        goal.found = super::leaf::stacked(y).ok();
        Err(Halt::new(Kind::Interrupted, ""))
    }

    /// A statement of a run; the end of its time.
    pub(super) fn counts(&mut self) -> Result<(), Halt> {
        self.carried_out += 1;
        match &self.goal {
            Some(Goal { until: Some(until), .. }) if Instant::now() > *until => {
                Err(Halt::new(Kind::OutOfTime, ""))
            }
            _ => Ok(()),
        }
    }

    /// The session up to its n-th question, where running it again gives the same y from leaves that can
    /// be told.
    pub(super) fn rerun(
        &mut self,
        at: usize,
        y: &Variable,
        leaves: &[Variable],
        time: Option<Duration>,
    ) -> Option<Rerun> {
        let most = if time.is_some() { STATEMENTS } else { PATIENT };
        if self.exact() || self.goal.is_some() || self.carried_out > most {
            return None;
        }
        let mut rerun = Rerun {
            deeds: self.deeds()?,
            at,
            until: time.map(|time| Instant::now() + time),
            births: Vec::new(),
            others: Vec::new(),
            taken: false,
            value: y.value(),
        };
        let before = looked::count();
        let base = rerun.found(self, Vec::new())?;
        rerun.taken = looked::count() != before;
        if !same(&base.y.value(), &rerun.value) {
            return None;
        }
        rerun.find(&base, y, leaves);
        Some(rerun)
    }

    /// The statements carried out so far, and the one that is being carried out.
    fn deeds(&self) -> Option<Vec<Place>> {
        let mode = Mode { strict: false };
        let mut all: Vec<&Deed> = self.done.iter().collect();
        all.reverse();
        all.extend(self.present.as_ref());
        let mut deeds: Vec<(Source, Rc<Vec<Stmt>>, usize)> = Vec::with_capacity(all.len());
        for deed in all {
            let body = match deeds.last().filter(|(s, ..)| s.id() == deed.source.id()) {
                Some((_, body, _)) => Rc::clone(body),
                None => Rc::new(vjp_syntax::parse(&deed.source, mode).ok()?.body),
            };
            let position = body.iter().position(|s| s.span == deed.span)?;
            deeds.push((deed.source.clone(), body, position));
        }
        Some(deeds)
    }
}

impl Rerun {
    /// Runs the statements on a new machine; this one and all that belongs to the thread stays.
    fn found(&self, m: &mut Machine, given: Vec<(usize, Tensor)>) -> Option<Found> {
        let outside = super::library::taken(m);
        let (mixed, happened) = (mixing::is_allowed(), mixing::take_happened());
        let at = place::now();
        let mut fresh = Machine::new(m.options);
        fresh.telling = super::machine::Telling::Nothing;
        fresh.base = m.base;
        fresh.goal = Some(Goal { at: self.at, found: None, until: self.until });
        let run = catch_unwind(AssertUnwindSafe(|| {
            births::watched(given, || {
                vjp_maths::grad_mode::set_grad_enabled(true);
                mixing::allow(true);
                self.deeds.iter().any(|(source, body, position)| {
                    fresh.source = source.clone();
                    if fresh.sources.last().is_none_or(|s| s.id() != source.id()) {
                        fresh.sources.push(source.clone());
                    }
                    fresh.exec(&body[*position]).is_err()
                })
            })
        }));
        place::set(at);
        mixing::allow(mixed);
        mixing::take_happened();
        if happened {
            mixing::permitted();
        }
        let own = std::mem::replace(&mut m.library, outside);
        super::library::restored(m);
        m.library = own;
        let y = fresh.goal.take().and_then(|goal| goal.found);
        match run {
            Ok((_, made)) => Some(Found { y: y?, made }),
            Err(defect) => resume_unwind(defect),
        }
    }

    /// Finds the leaves asked about among those that were made, and the others.
    fn find(&mut self, base: &Found, y: &Variable, leaves: &[Variable]) {
        let (then, now) = (super::reach::leaves_of(&base.y), super::reach::leaves_of(y));
        let alike = then.len() == now.len()
            && then.iter().zip(&now).all(|(a, b)| {
                a.name() == b.name()
                    && a.is_implicit() == b.is_implicit()
                    && same(&a.value(), &b.value())
            });
        let place = |leaf: &Variable| {
            let k = now.iter().position(|x| x.same(leaf)).filter(|_| alike)?;
            let twin = &then[k];
            base.made.iter().position(|x| x.same(twin)).filter(|_| twin.version() == 0)
        };
        self.births = leaves.iter().map(place).collect();
        if leaves.iter().all(Variable::is_implicit) {
            let made = base.made.iter().enumerate();
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
    pub(super) fn value(&self, m: &mut Machine, leaf: usize, value: &Tensor) -> Outcome<Tensor> {
        let none = || Complaint::new(Kind::Value, "the program has no such value there");
        let at = self.births[leaf].ok_or_else(none)?;
        self.moved(m, vec![(at, value.clone())]).ok_or_else(none)
    }

    pub(super) fn tells(&self, leaf: usize) -> bool {
        self.births[leaf].is_some()
    }

    fn moved(&self, m: &mut Machine, given: Vec<(usize, Tensor)>) -> Option<Tensor> {
        let y = self.found(m, given)?.y.value();
        (y.shape() == self.value.shape()).then_some(y)
    }

    /// A column of J by differences of the text; None where it has a corner, a jump or no value.
    fn column(&self, m: &mut Machine, leaf: usize, x: &Tensor, j: usize) -> Option<Column> {
        if !self.is_smooth(m, leaf, x, j) {
            return None;
        }
        let mut f = |value: &Tensor| self.value(m, leaf, value);
        gradcheck::column(&mut f, x, j, self.value.numel()).ok()
    }

    /// Whether y has the same slope to both sides of an element's value.
    pub(super) fn is_smooth(&self, m: &mut Machine, leaf: usize, x: &Tensor, j: usize) -> bool {
        let h = STEP * x.data()[j].abs().max(1.0);
        let mut at = |by: f64| {
            let mut moved = x.clone();
            moved.data_mut()[j] += by;
            self.value(m, leaf, &moved)
        };
        let mut slopes = |by: f64| {
            let moved = at(by).ok()?;
            let each = moved.data().iter().zip(self.value.data().iter());
            Some(each.map(|(a, y)| (a - y) / by).collect::<Vec<f64>>())
        };
        // A jump as high to both sides has the same slopes there, which grow as the step shrinks.
        let Some([forwards, backwards, nearer]) = [h, -h, h / 4.0]
            .into_iter()
            .map(&mut slopes)
            .collect::<Option<Vec<_>>>()
            .and_then(|all| <[Vec<f64>; 3]>::try_from(all).ok())
        else {
            return false;
        };
        self.value.data().iter().enumerate().all(|(i, y)| {
            let scale = forwards[i].abs().max(backwards[i].abs()).max(1.0).max(y.abs());
            let alike = |slope: f64| (forwards[i] - slope).abs() <= 1e-2 * scale;
            alike(backwards[i]) && alike(nearer[i])
        })
    }
}

/// J of y by a leaf, as the text gives it, where it does not agree with `rules`.
pub(super) fn gainsaid(
    m: &mut Machine,
    y: &Variable,
    x: &Variable,
    rules: &Jacobian<f64>,
    tolerance: f64,
) -> Option<Difference> {
    let rerun = m.rerun(m.past.asked, y, std::slice::from_ref(x), None)?;
    let n = x.numel();
    if rerun.taken || !rerun.tells(0) {
        return None;
    }
    let value = x.value();
    (0..n).find_map(|j| {
        let column = rerun.column(m, 0, &value, j)?;
        let slope = |i: usize| match rules.get(i, j) {
            Entry::Value(x) => x,
            Entry::Absent | Entry::Unchosen => 0.0,
        };
        let rule = (0..y.numel()).map(slope).collect();
        let rule = Jacobian::dense(y.numel(), 1, rule);
        let found = gradcheck::compare(&rule, &column.slopes, &column.errors, tolerance);
        found.worst.filter(|_| !found.agrees).map(|worst| Difference { column: j, ..worst })
    })
}

/// What the text says of a leaf: places in it, and what differences give there for vᵀJ.
pub(super) struct Apart {
    pub leaf: usize,
    pub places: Vec<usize>,
    pub cause: Cause,
}

/// Compares vᵀJ with differences of the text, where that costs little: one pair of runs with all
/// leaves moved at once, and element by element where the sum is off.
pub(super) fn apart(
    m: &mut Machine,
    (y, v): (&Variable, &Tensor),
    reached: &[Reached],
    vjps: &[&Tensor],
    name: &dyn Fn(usize) -> String,
) -> Vec<Apart> {
    let leaves: Vec<Variable> = reached.iter().map(|r| r.leaf.clone()).collect();
    let size: usize = leaves.iter().map(Variable::numel).sum();
    let double = |x: &Variable| x.dtype() == Dtype::Float64;
    if size.max(y.numel()) > NUMBERS
        || v.numel() != y.numel()
        || !double(y)
        || !leaves.iter().all(double)
        || leaves.iter().any(|x| gradcheck::size(y, x) > COMPUTED)
    {
        return Vec::new();
    }
    let Some(rerun) = m.rerun(m.past.asked, y, &leaves, Some(TIME)) else {
        return Vec::new();
    };
    let weigh = |y: &Tensor| -> f64 {
        let terms = v.data().iter().zip(y.data().iter());
        terms.filter(|(v, _)| **v != 0.0).map(|(v, y)| v * y).sum()
    };
    // Fixed directions in which no two paths are likely to cancel.
    let mut turn = 0.0f64;
    let mut direction = || {
        turn = (turn + 0.618_033_988_749_895).fract();
        0.5 + turn
    };
    let mut given = Vec::new();
    let (mut expected, mut scale) = (0.0, weigh(&rerun.value).abs().max(1.0));
    for (k, leaf) in leaves.iter().enumerate() {
        let Some(at) = rerun.births[k] else { continue };
        let value = leaf.value();
        let by: Vec<f64> = value.data().iter().map(|x| direction() * x.abs().max(1.0)).collect();
        for (slope, by) in vjps[k].data().iter().zip(&by) {
            expected += slope * by;
            scale += (slope * by).abs();
        }
        given.push((at, value, by));
    }
    let own = given.len();
    for (at, value) in &rerun.others {
        let by = value.data().iter().map(|x| direction() * x.abs().max(1.0)).collect();
        given.push((*at, value.clone(), by));
    }
    let slope = |m: &mut Machine, given: &[(usize, Tensor, Vec<f64>)]| {
        let mut at = |h: f64| {
            let moved = given.iter().map(|(at, value, by)| {
                let mut value = value.clone();
                value.data_mut().iter_mut().zip(by).for_each(|(x, by)| *x += h * by);
                (*at, value)
            });
            rerun.moved(m, moved.collect()).map(|y| weigh(&y))
        };
        Some((at(STEP)? - at(-STEP)?) / (2.0 * STEP))
    };
    let alike = |slope: f64| (slope - expected).abs() <= ALIKE * scale;
    if own == 0 || !expected.is_finite() || slope(m, &given).is_some_and(alike) {
        return Vec::new();
    }
    if own < given.len() && slope(m, &given[..own]).is_some_and(alike) {
        return Vec::new();
    }
    if rerun.taken {
        return Vec::new();
    }
    let mut all = Vec::new();
    for (k, leaf) in leaves.iter().enumerate().filter(|(k, _)| rerun.tells(*k)) {
        // At a kink the sweep takes one slope of several; no path is missing.
        if !corners(y, &leaves[k..=k]).unwrap_or_default().is_empty() {
            continue;
        }
        let value = leaf.value();
        let mut places = Vec::new();
        let mut first = None;
        for j in 0..value.numel().min(ELEMENTS) {
            let Some(column) = rerun.column(m, k, &value, j) else { continue };
            let text = weigh(&Tensor::new(y.shape().as_slice(), column.slopes.clone()));
            let unsure: f64 = v.data().iter().zip(&column.errors).map(|(v, e)| (v * e).abs()).sum();
            let rule = vjps[k].data()[j];
            if gradcheck::off(rule, text, unsure) > ALIKE {
                first = first.or(Some((rule, text)));
                places.push(j);
            }
        }
        if let (Some((rule, text)), Some(&at)) = (first, places.first()) {
            let cause =
                Cause::Text { leaf: name(k), shape: value.shape().to_vec(), at, rule, text };
            all.push(Apart { leaf: k, places, cause });
        }
    }
    all
}

fn same(a: &Tensor, b: &Tensor) -> bool {
    let mut pairs = a.data().iter().zip(b.data().iter());
    a.shape() == b.shape() && pairs.all(|(x, y)| x.to_bits() == y.to_bits())
}
