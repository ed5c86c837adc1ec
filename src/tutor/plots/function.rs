//! `:plot f -2 2`: a function of one variable, with its tangent.

use super::point::{Failed, Point, evaluated, point};
use super::{POINTS, bulk, spaced};
use crate::errors::school::expression;
use std::collections::BTreeSet;
use vjp_eval::record::event::{Mark, Plot, Series};
use vjp_eval::{Machine, Manner, Value, leaf};
use vjp_maths::Variable;
use vjp_syntax::ast::{ExprKind, Stmt, StmtKind};
use vjp_syntax::visit;
use vjp_tensor::{Complaint, Kind, Tensor, budget};
use vjp_text::digits::lone;
use vjp_text::{Source, Symbol};

/// What is to be drawn: code of a function, or of an expression in one variable.
#[derive(Clone, Debug)]
pub struct Wanted<'a> {
    pub code: &'a str,
    /// Where the tangent touches.
    pub at: Option<f64>,
    pub range: Option<(f64, f64)>,
}

/// Half the width of what is drawn where no range was given.
const AROUND: f64 = 3.0;

/// Places, and the value with its slope at each.
type Sampled = (Vec<f64>, Vec<(f64, f64)>);

/// An expression with the name that varies in it.
struct Function {
    code: String,
    variable: String,
    /// What the variable is in the session, if it is one number.
    now: Option<f64>,
    /// The session has several numbers by the name of the variable.
    vector: bool,
}

/// The function over its range, and the tangent at one place; several functions, `sin(x), cos(x)`, without
/// tangents.
///
/// # Errors
/// Code that does not parse or fails everywhere; no variable, or more than one.
pub fn plot(m: &mut Machine, wanted: &Wanted, digits: Option<u8>) -> Result<Plot, Failed> {
    let functions = functions(m, wanted.code)?;
    let f = &functions[0];
    let centre = wanted.at.or(f.now).unwrap_or(0.0);
    let (low, high) = wanted.range.unwrap_or((centre - AROUND, centre + AROUND));
    let inside = |x: &f64| (low..=high).contains(x);
    let touch = wanted.at.or(f.now.filter(inside)).unwrap_or(low + 0.75 * (high - low));
    m.tried(|m, _| match functions.as_slice() {
        [f] => with_tangent(m, f, (low, high), touch, wanted.range.is_none(), digits),
        several => together(m, several, (low, high)),
    })
}

fn with_tangent(
    m: &mut Machine,
    f: &Function,
    (low, high): (f64, f64),
    touch: f64,
    free: bool,
    digits: Option<u8>,
) -> Result<Plot, Failed> {
    let tangent = Tangent::of(&mut |x| f.at(m, x), touch)?;
    let (mut xs, mut points) = f.over(m, low, high)?;
    // Where nobody asked for a range, it is that where the function has values.
    let defined = |p: &(f64, f64)| p.0.is_finite();
    let ends = (points.iter().position(defined), points.iter().rposition(defined));
    if let (true, (Some(first), Some(last))) = (free, ends)
        && (first, last) != (0, POINTS - 1)
        && first < last
    {
        (xs, points) = f.over(m, xs[first], xs[last])?;
    }
    let ys: Vec<f64> = points.iter().map(|p| p.0).collect();
    let limits = bulk(&ys).or_else(|| extent(&ys));
    let mut series = vec![curve("", &xs, &points, limits)];
    let slope = tangent.slope();
    let along = |slope: f64| xs.iter().map(|x| tangent.point.y + slope * (x - touch)).collect();
    let says = tangent.says(&f.variable, digits);
    series.push(Series::new(Mark::Dotted, says, xs.clone(), slope.map_or(Vec::new(), along)));
    series.push(Series::new(Mark::Points, "", vec![touch], vec![tangent.point.y]));
    Ok(drawn(&f.code, &f.variable, &xs, limits, series))
}

/// Several curves over one axis, each with its name.
fn together(
    m: &mut Machine,
    functions: &[Function],
    (low, high): (f64, f64),
) -> Result<Plot, Failed> {
    let all = functions.iter().map(|f| f.over(m, low, high)).collect::<Result<Vec<_>, _>>()?;
    let ys: Vec<f64> = all.iter().flat_map(|(_, points)| points.iter().map(|p| p.0)).collect();
    let limits = bulk(&ys).or_else(|| extent(&ys));
    let named = functions.iter().zip(&all);
    let series = named.map(|(f, (xs, points))| curve(&f.code, xs, points, limits)).collect();
    Ok(drawn("", &functions[0].variable, &all[0].0, limits, series))
}

fn drawn(
    title: &str,
    variable: &str,
    xs: &[f64],
    limits: Option<(f64, f64)>,
    series: Vec<Series>,
) -> Plot {
    Plot {
        title: title.to_owned(),
        x_label: variable.to_owned(),
        y_label: String::new(),
        x_limits: Some((xs[0], xs[POINTS - 1])),
        y_limits: limits,
        log_x: false,
        log_y: false,
        series,
    }
}

/// The curve in one line, with a gap where it jumps.
fn curve(name: &str, xs: &[f64], points: &[(f64, f64)], limits: Option<(f64, f64)>) -> Series {
    let height = limits.map_or(0.0, |(low, high)| high - low);
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for (k, point) in points.iter().enumerate() {
        if let Some(before) = k.checked_sub(1).map(|k| points[k]) {
            let step = xs[k] - xs[k - 1];
            let (rise, expected) = (point.0 - before.0, step * (point.1 + before.1) / 2.0);
            if rise.abs() > JUMP * height && (rise - expected).abs() > 0.5 * rise.abs() {
                x.push(f64::NAN);
                y.push(f64::NAN);
            }
        }
        x.push(xs[k]);
        y.push(point.0);
    }
    Series::new(Mark::Line, name, x, y)
}

/// A step of such a share of the height that its slopes do not explain is a jump.
const JUMP: f64 = 0.04;

/// The least and the largest finite number, where they differ.
fn extent(numbers: &[f64]) -> Option<(f64, f64)> {
    let finite = || numbers.iter().copied().filter(|y| y.is_finite());
    let (low, high) = (finite().reduce(f64::min)?, finite().reduce(f64::max)?);
    (low < high).then_some((low, high))
}

impl Function {
    /// Values with slopes along a range; NaN where the code fails.
    fn over(&self, m: &mut Machine, low: f64, high: f64) -> Result<Sampled, Failed> {
        let xs = spaced(low, high, POINTS);
        let mut points = Vec::with_capacity(POINTS);
        for &x in &xs {
            budget::tick()?;
            points.push(match self.at(m, x) {
                Ok(point) => (point.y, point.slopes[0]),
                Err(Failed::Fault(fault)) if fault.kind.is_stop() => {
                    return Err(Failed::Fault(fault));
                }
                Err(Failed::Halt(halt)) => return Err(halt.into()),
                Err(_) => (f64::NAN, f64::NAN),
            });
        }
        Ok((xs, points))
    }

    fn at(&self, m: &mut Machine, x: f64) -> Result<Point, Failed> {
        let x = Variable::leaf(Tensor::scalar(x).to_dtype(m.dtype()));
        m.bind(&self.variable, Value::Tensor(x.clone()));
        let y = evaluated(m, &self.code).map_err(|failed| self.of_a_vector(failed, m.strict()))?;
        if y.numel() != 1 {
            let message =
                format!("{} has {} elements: :plot draws one number", self.code, y.numel());
            return Err(Complaint::new(Kind::Value, message).into());
        }
        point(m, &y, &Tensor::new(&y.shape(), vec![1.0]), &x)
    }

    /// Code that computes with a vector of the session, which is a single number while it varies.
    fn of_a_vector(&self, failed: Failed, strict: bool) -> Failed {
        let power = if strict { "**" } else { "^" };
        match failed {
            // `x^2` of Python is an error of its own.
            Failed::Fault(fault) if fault.message.contains("bitwise_xor") => Failed::Fault(fault),
            Failed::Fault(fault) if self.vector && !fault.kind.is_stop() => refused(format!(
                "in :plot, {0} is a single number that varies, not the vector of the session: write a function of one number, as in  :plot {0}{power}2",
                self.variable
            )),
            failed => failed,
        }
    }
}

/// What a function does at a place.
struct Tangent {
    x: f64,
    point: Point,
    /// Slopes just left and right of it, where they stay apart however close one looks.
    sides: Option<(f64, f64)>,
    /// Values on both sides stay apart too.
    jumps: bool,
    /// The slope of the curve, where backward gives another.
    other: Option<f64>,
}

impl Tangent {
    fn of(value: &mut dyn FnMut(f64) -> Result<Point, Failed>, x: f64) -> Result<Tangent, Failed> {
        let here = value(x)?;
        let mut beside =
            |h: f64| -> Result<(f64, f64), Failed> { Ok((value(x - h)?.y, value(x + h)?.y)) };
        let h = 1e-5 * x.abs().max(1.0);
        let (far, near) = (beside(h)?, beside(h / 10.0)?);
        let slopes =
            |(left, right): (f64, f64), h: f64| ((here.y - left) / h, (right - here.y) / h);
        let (wide, close) = (slopes(far, h), slopes(near, h / 10.0));
        let apart = |(left, right): (f64, f64)| (right - left).abs();
        let stays =
            apart(close) > 0.5 * apart(wide) && apart(close) > 1e-3 * (1.0 + here.slopes[0].abs());
        let jump = |(left, right): (f64, f64)| (right - here.y).abs().max((here.y - left).abs());
        let jumps = jump(near) > 0.5 * jump(far) && jump(near) > 1e-9 * (1.0 + here.y.abs());
        let (slope, seen) = (here.slopes[0], (close.0 + close.1) / 2.0);
        let unlike = !stays && !jumps && (slope - seen).abs() > 1e-3 * (1.0 + seen.abs());
        let (sides, other) = ((stays || jumps).then_some(close), unlike.then_some(seen));
        Ok(Tangent { x, point: here, sides, jumps, other })
    }

    /// The slope of the tangent, where there is one.
    fn slope(&self) -> Option<f64> {
        let slope = self.point.slopes[0];
        let smooth = self.sides.is_none() && self.other.is_none();
        (smooth && slope.is_finite() && self.point.y.is_finite()).then_some(slope)
    }

    fn says(&self, variable: &str, digits: Option<u8>) -> String {
        let number = |x: f64| lone(x, digits);
        let at = format!("{variable} = {}", number(self.x));
        let slope = number(self.point.slopes[0]);
        if let Some(seen) = self.other.map(|seen| rounded(seen, digits)) {
            return format!("at {at} the slope is {seen}, backward gives {slope}: a path is cut");
        }
        match (self.slope(), self.sides) {
            (Some(_), _) => format!("tangent at {at}: slope {slope}"),
            (None, _) if self.jumps => format!("jumps at {at}; backward takes slope {slope}"),
            (None, Some((left, right))) => format!(
                "kink at {at}: slope {} from the left, {} from the right; backward takes {slope}",
                rounded(left, digits),
                rounded(right, digits)
            ),
            (None, None) if self.point.y.is_finite() => format!("slope {slope} at {at}"),
            (None, None) => format!("no finite value at {at}"),
        }
    }
}

/// A difference's slope to the digits that it has.
fn rounded(slope: f64, digits: Option<u8>) -> String {
    lone((slope * 1e4).round() / 1e4, digits)
}

/// What varies in the code: one expression, or several with commas between them.
fn functions(m: &mut Machine, code: &str) -> Result<Vec<Function>, Failed> {
    let unknown = |m: &Machine, name: &str| m.lookup(name).is_none();
    let code = expression(m, code, true).unwrap_or_else(|| code.to_owned());
    let source = Source::new(code.as_str());
    let program = vjp_syntax::parse(&source, m.mode())
        .map_err(|f| Box::new(vjp_eval::language::exception::uncaught::of_syntax(&source, f)))?;
    let [Stmt { kind: StmtKind::Expr(all), .. }] = program.body.as_slice() else {
        return Err(refused(":plot takes a function or one expression".into()));
    };
    let expressions = match &all.kind {
        ExprKind::Tuple(items) if !items.is_empty() => items.iter().collect(),
        _ => vec![all],
    };
    // `grad(f)` is a function: it is drawn at x.
    let mut parts: Vec<(String, BTreeSet<String>)> = Vec::new();
    for e in expressions {
        let text = source.slice(e.span).trim();
        let mut names = BTreeSet::new();
        read(e, &mut names);
        parts.push(match gives_function(m, text) {
            true if matches!(e.kind, ExprKind::Lambda { .. }) => {
                (format!("({text})(x)"), BTreeSet::from(["x".to_owned()]))
            }
            true => (format!("{text}(x)"), BTreeSet::from(["x".to_owned()])),
            false => (text.to_owned(), names),
        });
    }
    let open = |m: &Machine, name: &str| match m.global(Symbol::new(name)) {
        None => name == "x" || unknown(m, name),
        // Also one of many numbers: here it runs through single ones.
        Some(value) => leaf::existing(&value).is_some_and(|v| v.is_leaf() && v.requires_grad()),
    };
    let names = parts.iter().flat_map(|(_, names)| names).filter(|name| open(m, name));
    let mut names: BTreeSet<String> = names.cloned().collect();
    // Whatever x stands for in the session, in a plot it is a number that varies.
    if names.is_empty() && parts.iter().any(|(_, names)| names.contains("x")) {
        names.insert("x".to_owned());
    }
    let variable = match names.iter().collect::<Vec<_>>().as_slice() {
        [one] => (*one).clone(),
        several if several.iter().any(|n| *n == "x") => "x".to_owned(),
        [] => {
            let says = format!("no name in {} can vary: write it with x", code.trim());
            let complaint = Complaint::new(Kind::Value, says);
            let named = m.global(Symbol::new(code.trim()));
            let numbers = matches!(named, Some(Value::List(_) | Value::Array(_)));
            return Err(match &m.past.last {
                Some((y, leaf)) if y == code.trim() => {
                    complaint.hint(format!(":sweep {leaf} -2 2    draws it as {leaf} moves")).into()
                }
                _ if numbers => {
                    let says =
                        format!("plt.plot({}); plt.show()    draws its numbers", code.trim());
                    complaint.hint(says).into()
                }
                _ => complaint.into(),
            });
        }
        [a, b, ..] => {
            return Err(refused(format!(
                "both {a} and {b} could vary: call the one that varies x"
            )));
        }
    };
    let now = number(m, &variable);
    let bound = m.global(Symbol::new(&variable));
    let vector = bound.and_then(|v| leaf::existing(&v)).is_some_and(|v| v.numel() != 1);
    let function = |(code, _)| Function { code, variable: variable.clone(), now, vector };
    Ok(parts.into_iter().map(function).collect())
}

fn refused(message: String) -> Failed {
    Complaint::new(Kind::Value, message).into()
}

/// Whether code gives what can be called.
fn gives_function(m: &mut Machine, code: &str) -> bool {
    let value = m.tried(|m, _| {
        m.run(&Source::new(code), Manner::Line, &mut |_| {}).ok()?;
        m.global(Symbol::new("_"))
    });
    value.is_some_and(|f| m.callable(&f))
}

/// The number that a name is bound to.
fn number(m: &Machine, name: &str) -> Option<f64> {
    let value = leaf::stacked(&m.global(Symbol::new(name))?).ok()?;
    (value.numel() == 1).then(|| value.value().data()[0])
}

/// Names that stand in an expression.
fn read(e: &vjp_syntax::ast::Expr, names: &mut BTreeSet<String>) {
    if let ExprKind::Name(name) = &e.kind {
        names.insert(name.to_string());
    }
    visit::parts(e, &mut |part| read(part, names));
}
