//! Pooling: the largest or the mean under a sliding window.

mod average;

use super::conv::Window;
use super::parts::Parts;
pub(crate) use average::averages;
use std::rc::Rc;
use vjp_maths::{Saves, Variable, apply};
use vjp_ops::arrange::layout;
use vjp_ops::reduce::extreme::{Chosen, Losers, Rank};
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::torch_messages::sizes;
use vjp_tensor::{
    Complaint, Dtype, Element, Kind, Outcome, Tensor, budget, complain, shape, torch_messages,
    with_floats,
};

/// Which of PyTorch's pools is called: its name, and which sentences it has for what does not fit.
#[derive(Clone, Copy)]
struct Called {
    name: &'static str,
    /// The space's dimensions.
    d: usize,
    mean: bool,
}

impl Called {
    const fn new(name: &'static str, d: usize, mean: bool) -> Called {
        Called { name, d, mean }
    }
}

/// Whether C's int does not hold it.
fn too_long(v: &i64) -> bool {
    i32::try_from(*v).is_err()
}

/// A window as it is called, not yet known to be one.
struct Asked {
    kernel: Vec<i64>,
    stride: Vec<i64>,
    padding: Vec<i64>,
    dilation: Vec<i64>,
}

impl Asked {
    /// One dimension is two, the first of size 1.
    fn read(b: &Bound, by: Called, dilation: Option<Vec<i64>>) -> Outcome<Asked> {
        let kernel = b.ints(1).unwrap_or_default();
        let stride = b.ints(2).filter(|s| !s.is_empty());
        let padding = b.ints(3).unwrap_or(vec![0]);
        let dilation = dilation.unwrap_or(vec![1]);
        by.lengths([
            ("kernel_size", Some(&kernel)),
            ("stride", stride.as_ref()),
            ("padding", Some(&padding)),
            ("dilation", Some(&dilation)),
        ])?;
        let all = |given: Vec<i64>, usual: i64| match (by.d, given.len()) {
            (1, _) => vec![usual, given[0]],
            (d, 1) => vec![given[0]; d],
            _ => given,
        };
        let kernel = all(kernel, 1);
        let stride = stride.map_or_else(|| kernel.clone(), |s| all(s, 1));
        let (padding, dilation) = (all(padding, 0), all(dilation, 1));
        if [&kernel, &stride, &padding, &dilation].iter().any(|all| all.iter().any(too_long)) {
            complain!("value cannot be converted to type int without overflow");
        }
        Ok(Asked { kernel, stride, padding, dilation })
    }

    fn window(&self) -> Window {
        let sizes = |v: &[i64]| v.iter().map(|n| *n as usize).collect();
        Window {
            kernel: sizes(&self.kernel),
            stride: sizes(&self.stride),
            padding: sizes(&self.padding),
            dilation: sizes(&self.dilation),
        }
    }

    /// How many places the window has over `n` elements. Rounded up, a last window may hang over the
    /// end, but starts inside.
    fn places(&self, d: usize, n: usize, ceil: bool) -> i64 {
        let (stride, padding) = (self.stride[d], self.padding[d]);
        let reach = self.dilation[d].saturating_mul(self.kernel[d] - 1).saturating_add(1);
        let room = (n as i64).saturating_add(padding.saturating_mul(2)).saturating_sub(reach);
        let count = room.saturating_add(if ceil { stride - 1 } else { 0 }).div_euclid(stride) + 1;
        let last = (count - 1).saturating_mul(stride);
        if ceil && last >= (n as i64).saturating_add(padding) { count - 1 } else { count }
    }

    /// # Errors
    /// What no window has, in the order in which PyTorch finds it.
    fn check(&self) -> Outcome<()> {
        for d in 0..self.kernel.len() {
            let (kernel, padding, dilation) = (self.kernel[d], self.padding[d], self.dilation[d]);
            if self.stride[d] == 0 {
                complain!("stride should not be zero");
            }
            if padding < 0 {
                complain!("pad must be non-negative, but got pad: {padding}");
            }
            if padding > ((kernel - 1).saturating_mul(dilation) + 1) / 2 {
                complain!(
                    "pad should be at most half of effective kernel size, but got pad={padding}, kernel_size={kernel} and dilation={dilation}"
                );
            }
        }
        let parts = [
            ("kernel size", "k", &self.kernel),
            ("stride", "d", &self.stride),
            ("dilation", "dilation", &self.dilation),
        ];
        for (what, letter, given) in parts {
            if given.iter().any(|v| *v <= 0) {
                let sides = ["T", "H", "W"].into_iter().skip(3 - given.len());
                let said: Vec<String> =
                    sides.zip(given).map(|(side, v)| format!("{letter}{side}: {v}")).collect();
                complain!("{what} should be greater than zero, but got {}", said.join(" "));
            }
        }
        Ok(())
    }
}

impl Called {
    /// # Errors
    /// Neither one number nor one for each dimension.
    fn lengths(self, parts: [(&str, Option<&Vec<i64>>); 4]) -> Outcome<()> {
        let (name, tuple) = (self.name, if self.d == 3 { "three" } else { "two" });
        for (part, given) in parts {
            let Some(n) = given.map(Vec::len).filter(|n| *n != 1 && *n != self.d) else {
                continue;
            };
            match (part, self.d, self.mean) {
                (_, 1, _) => {
                    complain!("{name}() argument '{part}' should contain one int (got {n})")
                }
                ("stride", 3, true) => complain!(
                    "{name}: stride must be omitted, a single int, or a tuple of {tuple} ints"
                ),
                ("stride", ..) => complain!(
                    "{name}: stride must either be omitted, a single int, or a tuple of {tuple} ints"
                ),
                (part, 3, true) => {
                    complain!("{name}: {part} must be a single int, or a tuple of {tuple} ints")
                }
                ("dilation", ..) => complain!(
                    "{name}: dilation must be either a single int, or a tuple of {tuple} ints"
                ),
                (part, ..) => complain!(
                    "{name}: {part} must either be a single int, or a tuple of {tuple} ints"
                ),
            }
        }
        Ok(())
    }

    /// # Errors
    /// Too few dimensions, or too many.
    fn rank(self, own: &[usize]) -> Outcome<()> {
        let n = self.d.max(2);
        if own.len() == n + 1 || own.len() == n + 2 {
            return Ok(());
        }
        if self.mean && n == 2 {
            for dim in [-3, -2, -1] {
                shape::size(own, dim)?;
            }
            return Err(self.empty(own));
        }
        complain!("non-empty {}D or {}D (batch mode) tensor expected for input", n + 1, n + 2)
    }

    fn empty(self, own: &[usize]) -> Box<Complaint> {
        let n = self.d.max(2);
        Complaint::new(
            Kind::Runtime,
            format!(
                "Expected {}D or {}D (batch mode) tensor with optional 0 dim batch size for input, but got:{}",
                n + 1,
                n + 2,
                sizes(own)
            ),
        )
    }
}

/// A window over the last two or three dimensions of an input.
struct Pool {
    window: Window,
    places: Vec<usize>,
    own: Vec<usize>,
    to: Vec<usize>,
}

impl Pool {
    fn new(own: &[usize], asked: &Asked, ceil: bool, by: Called) -> Outcome<Pool> {
        let n = asked.kernel.len();
        by.rank(own)?;
        asked.check()?;
        let lead = own.len() - n;
        let empty = (lead - 1..own.len()).find(|d| own[*d] == 0);
        match empty {
            Some(d) if n == 3 => complain!(
                "{}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes {} with dimension {d} being empty",
                if by.mean { by.name } else { "max_pool3d_with_indices_out_cpu_template" },
                sizes(own)
            ),
            Some(_) => return Err(by.empty(own)),
            None => {}
        }
        let space = &own[lead..];
        if by.mean && n == 3 && space.iter().zip(&asked.kernel).any(|(s, k)| (*s as i64) < *k) {
            let k = &asked.kernel;
            complain!(
                "input image (T: {} H: {} W: {}) smaller than kernel size (kT: {} kH: {} kW: {})",
                space[0],
                space[1],
                space[2],
                k[0],
                k[1],
                k[2]
            );
        }
        let places: Vec<i64> = (0..n).map(|d| asked.places(d, space[d], ceil)).collect();
        if places.iter().any(|p| *p < 1) {
            let by = |v: &[String]| v.join("x");
            complain!(
                "Given input size: ({}x{}). Calculated output size: ({}x{}). Output size is too small",
                own[lead - 1],
                by(&space.iter().map(usize::to_string).collect::<Vec<_>>()),
                own[lead - 1],
                by(&places.iter().map(i64::to_string).collect::<Vec<_>>())
            );
        }
        let places: Vec<usize> = places.into_iter().map(|p| p as usize).collect();
        let mut to = own[..lead].to_vec();
        to.extend(&places);
        shape::count(&to)?;
        Ok(Pool { window: asked.window(), places, own: own.to_vec(), to })
    }

    /// The input elements under the window of each output.
    fn parts(&self) -> Outcome<Parts> {
        let space = self.space().to_vec();
        let along = |d: usize| {
            budget::listed(self.places[d], |place| self.window.along(d, space[d], place))
        };
        let along: Vec<Vec<Vec<usize>>> =
            (0..self.places.len()).map(along).collect::<Outcome<_>>()?;
        let planes = self.own[..self.own.len() - space.len()].iter().product();
        Ok(Parts { along, space, planes })
    }

    /// By how much PyTorch divides the sum of output `k`, padding included.
    fn divisor(&self, k: usize) -> usize {
        let w = &self.window;
        let space = self.space();
        let (mut left, mut product) = (k, 1);
        for (d, places) in self.places.iter().enumerate().rev() {
            let start = left % places * w.stride[d];
            let end = (start + w.kernel[d]).min(space[d] + 2 * w.padding[d]);
            left /= places;
            product *= end.saturating_sub(start);
        }
        product
    }

    /// The pool as PyTorch code; None where windows are rounded up.
    fn told(&self, which: &str, more: &str) -> Option<String> {
        let (w, space) = (&self.window, self.space());
        let down = |d: usize| {
            let reach = w.dilation[d] * (w.kernel[d] - 1) + 1;
            (space[d] + 2 * w.padding[d]).saturating_sub(reach) / w.stride[d] + 1
        };
        (0..space.len()).all(|d| self.places[d] == down(d)).then_some(())?;
        let mut said = String::new();
        let tuple = |all: &[usize]| {
            let each: Vec<String> = all.iter().map(usize::to_string).collect();
            if all.windows(2).all(|w| w[0] == w[1]) {
                each[0].clone()
            } else {
                format!("({})", each.join(", "))
            }
        };
        let kernel = tuple(&w.kernel);
        let usual = |all: &[usize], one: usize| all.iter().all(|n| *n == one);
        for (name, all, silent) in [
            ("stride", &w.stride, w.stride == w.kernel),
            ("padding", &w.padding, usual(&w.padding, 0)),
            ("dilation", &w.dilation, usual(&w.dilation, 1)),
        ] {
            if !silent {
                said += &format!(", {name}={}", tuple(all));
            }
        }
        let d = space.len();
        Some(format!("torch.nn.functional.{which}_pool{d}d({{}}, {kernel}{said}{more})"))
    }

    /// The dimensions over which the window moves.
    fn space(&self) -> &[usize] {
        &self.own[self.own.len() - self.places.len()..]
    }

    fn largest(&self, x: &Variable) -> Outcome<(Variable, Variable)> {
        let grad_fn = match self.places.len() {
            3 => "MaxPool3DWithIndicesBackward0",
            _ => "MaxPool2DWithIndicesBackward0",
        };
        let told = self.told("max", "");
        largest(x, self.parts()?, &self.to, grad_fn, told)
    }

    fn mean(&self, x: &Variable, with_padding: bool, by: Option<i64>) -> Outcome<Variable> {
        let parts = self.parts()?;
        let divisors = match (by, with_padding) {
            (Some(by), _) => vec![[by, 1, 1]; parts.each()],
            (None, true) => budget::listed(parts.each(), |k| [self.divisor(k) as i64, 1, 1])?,
            (None, false) => {
                let whole = |sides: [i64; 3]| [sides.iter().product(), 1, 1];
                parts.sides().into_iter().map(whole).collect()
            }
        };
        let grad_fn = match self.places.len() {
            3 => "AvgPool3DBackward0",
            _ => "AvgPool2DBackward0",
        };
        let told = match (by, with_padding || self.window.padding.iter().all(|p| *p == 0)) {
            (Some(by), _) => self.told("avg", &format!(", divisor_override={by}")),
            (None, true) => self.told("avg", ""),
            (None, false) => self.told("avg", ", count_include_pad=False"),
        };
        averages(x, parts, divisors, &self.to, grad_fn, told)
    }
}

/// Each output the largest of its part of the input, and where that is in its plane.
pub(crate) fn largest(
    x: &Variable,
    parts: Parts,
    to: &[usize],
    grad_fn: &'static str,
    told: Option<String>,
) -> Outcome<(Variable, Variable)> {
    let value = x.value();
    let area = parts.area();
    let (each, widest, boxes) = (parts.each().max(1), parts.widest().max(1), parts.boxes()?);
    let boxes: Vec<&[usize]> = boxes.iter().collect();
    // Of boxes beside each other all first elements, all second ones and so on; where there are fewer, the last.
    let tap = |boxes: &[&[usize]], t: usize| {
        std::array::from_fn(|k| {
            let all = boxes.get(k).copied().unwrap_or_default();
            all.get(t).or(all.last()).copied().unwrap_or(0)
        })
    };
    let some = boxes.chunks(LANES).flat_map(|some| (0..widest).map(move |t| tap(some, t)));
    let taps: Vec<[usize; LANES]> = budget::collected(some)?;
    let mut best = budget::filled(parts.outputs(), 0)?;
    with_floats!(value, data => parts.by_plane(&mut best, |plane, best| {
        largest_of(&data[plane * area..(plane + 1) * area], (&taps, widest), best);
    }))?;
    let mut positions = budget::vec(best.len())?;
    for (plane, best) in best.chunks_mut(each).enumerate() {
        positions.extend(best.iter().map(|at| *at as f64));
        best.iter_mut().for_each(|at| *at += plane * area);
    }
    let op = Chosen {
        name: "max_pool2d",
        grad_fn,
        saves: Saves::Inputs(1),
        winners: best.into(),
        losers: match x.requires_grad() {
            true => Losers::Rest(Rc::new(parts)),
            false => Losers::default(),
        },
        rank: Rank::Largest,
        from: x.shape(),
        to: to.to_vec(),
        told,
    };
    let positions = Tensor::new(to, positions).with_dtype(Dtype::Int64);
    let y = apply(Rc::new(op), std::slice::from_ref(x))?.keeping("result1", &positions);
    Ok((y, Variable::constant(positions)))
}

/// Boxes that are looked through beside each other.
const LANES: usize = 8;

/// Where the largest of each box of a plane is; `taps` has `widest` elements of each.
fn largest_of<T: Element>(
    plane: &[T],
    (taps, widest): (&[[usize; LANES]], usize),
    best: &mut [usize],
) {
    for (best, taps) in best.chunks_mut(LANES).zip(taps.chunks(widest)) {
        let Some((first, rest)) = taps.split_first() else { return };
        let (mut at, mut tops) = (*first, first.map(|p| plane[p]));
        for tap in rest {
            let now = tap.map(|p| plane[p]);
            // Without a branch: nobody can guess which is the largest.
            for k in 0..LANES {
                let more = (now[k] > tops[k]) | now[k].wide().is_nan();
                tops[k] = if more { now[k] } else { tops[k] };
                at[k] = if more { tap[k] } else { at[k] };
            }
        }
        best.copy_from_slice(&at[..best.len()]);
    }
}

/// One dimension is two, the first of size 1.
pub(crate) fn lifted(x: &Variable, d: usize, name: &str) -> Outcome<Variable> {
    let rank = x.rank();
    if d >= 2 {
        return Ok(x.clone());
    }
    if rank != 2 && rank != 3 {
        complain!(
            "Expected 2 to 3 dimensions, but got {rank}-dimensional tensor for argument #1 'self' (while checking arguments for {name})"
        );
    }
    layout::unsqueeze(x, -2)
}

pub(crate) fn lowered(y: &Variable, d: usize) -> Outcome<Variable> {
    if d >= 2 { Ok(y.clone()) } else { layout::squeeze(y, Some(&[-2])) }
}

/// What `max_pool1d` says when it is not asked for positions too.
fn check_line(b: &Bound, x: &Variable) -> Outcome<()> {
    let own = x.shape();
    let filled = match own[..] {
        [c, n] => c != 0 && n != 0,
        [_, c, n] => c != 0 && n != 0,
        _ => false,
    };
    if !filled {
        complain!(
            "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:{}",
            sizes(&own)
        );
    }
    let kernel = b.ints(1).unwrap_or_default();
    let parts = [
        ("kernel_size", "be an int, list of ints or tuple of ints", Some(kernel.clone())),
        ("stride", "be None, an int, list of ints, or tuple of ints", b.ints(2)),
        ("padding", "be an int, list of ints, or tuple of ints", b.ints(3)),
        ("dilation", "be an int, list of ints or tuple of ints", b.ints(4)),
    ];
    for (part, wanted, given) in &parts {
        if let Some(n) = given.as_ref().map(Vec::len).filter(|n| *n > 1) {
            complain!("max_pool1d() {part} must {wanted} of size 1 but got size {n}");
        }
    }
    let first = |given: &Option<Vec<i64>>, usual: i64| {
        given.as_ref().and_then(|g| g.first().copied()).unwrap_or(usual)
    };
    let kernel = kernel.first().copied().unwrap_or(1);
    let (stride, padding, dilation) =
        (first(&parts[1].2, kernel), first(&parts[2].2, 0), first(&parts[3].2, 1));
    for (part, v) in [("kernel_size", kernel), ("stride", stride)] {
        if v <= 0 {
            complain!("max_pool1d() {part} must be greater than zero, but got {v}");
        }
    }
    if padding < 0 {
        complain!("max_pool1d() padding must be non-negative, but got {padding}");
    }
    if padding > kernel / 2 {
        complain!(
            "max_pool1d() padding should be at most half of kernel size, but got padding={padding} and kernel_size={kernel}"
        );
    }
    if dilation <= 0 {
        complain!("max_pool1d() dilation must be greater than zero, but got {dilation}");
    }
    let asked = Asked {
        kernel: vec![kernel],
        stride: vec![stride],
        padding: vec![padding],
        dilation: vec![dilation],
    };
    let places = asked.places(0, own[own.len() - 1], b.bool_or(5, false));
    if places <= 0 {
        complain!("max_pool1d() Invalid computed output size: {places}");
    }
    torch_messages::floats_only("max_pool1d_impl", x.dtype())?;
    Ok(())
}

fn max_pool(b: &mut Bound, by: Called) -> Outcome<Out> {
    let (x, d) = (b.tensor(0)?, by.d);
    let with_positions = b.bool_or(6, false);
    if d == 1 && !with_positions {
        check_line(b, &x)?;
    }
    let x = lifted(&x, d, by.name)?;
    let asked = Asked::read(b, by, b.ints(4))?;
    let pool = Pool::new(&x.shape(), &asked, b.bool_or(5, false), by)?;
    let (y, positions) = pool.largest(&x)?;
    let y = lowered(&y, d)?;
    if with_positions {
        return Ok(Out::Many(vec![y, lowered(&positions, d)?]));
    }
    Ok(Out::One(y))
}

fn avg_pool(b: &mut Bound, by: Called) -> Outcome<Out> {
    let (d, x) = (by.d, lifted(&b.tensor(0)?, by.d, by.name)?);
    let asked = Asked::read(b, by, None)?;
    let divisor = b.int(6).filter(|_| d >= 2);
    if divisor == Some(0) {
        complain!("divisor must be not zero");
    }
    let pool = Pool::new(&x.shape(), &asked, b.bool_or(4, false), by)?;
    let y = pool.mean(&x, b.bool_or(5, true), divisor)?;
    Ok(Out::One(lowered(&y, d)?))
}

const BOTH: Forms = Forms::F.and(Forms::TORCH);
const MAX: &str = "(Tensor input, int[] kernel_size, int[] stride=None, int[] padding=0, int[] dilation=1, bool ceil_mode=False, bool return_indices=False)";
const AVG: &str = "(Tensor input, int[] kernel_size, int[] stride=None, int[] padding=0, bool ceil_mode=False, bool count_include_pad=True)";
const AVG2: &str = "(Tensor input, int[] kernel_size, int[] stride=None, int[] padding=0, bool ceil_mode=False, bool count_include_pad=True, int divisor_override=None)";

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "max_pool1d" BOTH, MAX, "the maximum under a sliding window; ∂yₚ/∂xᵢ = 1 at the maximum (the first at a tie), else 0", "F.max_pool1d(tensor([[1., 3., 2., 4.]]), 2)", ["max", "avg_pool1d"] jax "max_pool({*})"
        => |b| max_pool(b, Called::new("max_pool1d", 1, false));
    "max_pool2d" BOTH, MAX, "the maximum under a sliding window; ∂yₚ/∂xᵢ = 1 at the maximum (the first at a tie), else 0", "F.max_pool2d(torch.eye(4).reshape(1, 4, 4), 2)", ["max", "avg_pool2d"] jax "max_pool({*})"
        => |b| max_pool(b, Called::new("max_pool2d", 2, false));
    "max_pool3d" BOTH, MAX, "the maximum under a sliding window; ∂yₚ/∂xᵢ = 1 at the maximum (the first at a tie), else 0", "F.max_pool3d(torch.ones(1, 2, 2, 2), 2)", ["max_pool2d", "avg_pool3d"] jax "max_pool({*})"
        => |b| max_pool(b, Called::new("max_pool3d", 3, false));
    "avg_pool1d" BOTH, AVG, "the mean under a sliding window; ∂yₚ/∂xᵢ = 1/k under a window of k, else 0", "F.avg_pool1d(tensor([[1., 3., 2., 4.]]), 2)", ["mean", "max_pool1d"] jax "avg_pool({*})"
        => |b| avg_pool(b, Called::new("avg_pool1d", 1, true));
    "avg_pool2d" Forms::F, AVG2, "the mean under a sliding window; ∂yₚ/∂xᵢ = 1/k under a window of k, else 0", "F.avg_pool2d(torch.eye(4).reshape(1, 4, 4), 2)", ["mean", "max_pool2d"] jax "avg_pool({*})"
        => |b| avg_pool(b, Called::new("avg_pool2d", 2, true));
    "avg_pool3d" Forms::F, AVG2, "the mean under a sliding window; ∂yₚ/∂xᵢ = 1/k under a window of k, else 0", "F.avg_pool3d(torch.ones(1, 2, 2, 2), 2)", ["avg_pool2d", "max_pool3d"] jax "avg_pool({*})"
        => |b| avg_pool(b, Called::new("avg_pool3d", 3, true));
};
