//! `:descend loss x 0.1 20`: gradient descent from where x is now, and its path.

use super::point::{Asked, Failed, evaluated};
use super::{POINTS, spaced};
use crate::explain::entry::index;
use vjp_eval::Machine;
use vjp_eval::record::event::{Mark, Plot, Series};
use vjp_tensor::matrix::contours::contours;
use vjp_tensor::{Tensor, budget};
use vjp_text::number::repr;

/// What is drawn around the path, as a share of its extent.
const MARGIN: f64 = 0.25;
/// Levels of the loss that get a line.
const LEVELS: usize = 7;
/// The map under a path of two numbers: its most columns and rows, and what it may cost, in numbers computed.
const MAP: (usize, usize) = (64, 24);
const WORK: usize = 1 << 23;

/// A walk downhill.
#[derive(Clone, Debug)]
pub struct Walk {
    pub plot: Plot,
    /// The loss at the start and at the end.
    pub losses: (f64, f64),
    pub start: Tensor,
    pub end: Tensor,
}

/// So many steps of x ← x − rate·∂y/∂x: over the curve of one number, over the contours of two, and as
/// loss against step for more.
///
/// # Errors
/// What the session raises on the way; a walk that leaves the finite numbers.
pub fn descend(m: &mut Machine, asked: &Asked, rate: f64, steps: usize) -> Result<Walk, Failed> {
    let start = m.tried(|m, _| evaluated(m, &asked.leaf))?.value();
    let mut at = start.clone();
    let (mut path, mut losses) = (Vec::new(), Vec::new());
    for step in 0..=steps {
        budget::tick()?;
        let point = asked.at(m, &at)?;
        losses.push(point.y);
        path.push(at.data().to_vec());
        if step < steps {
            let next = at.data().iter().zip(&point.slopes).map(|(x, g)| x - rate * g);
            at = Tensor::new(start.shape(), next.collect());
        }
    }
    let plot = match start.numel() {
        1 => over_curve(m, asked, &start, &path, &losses)?,
        2 => over_map(m, asked, &start, &path)?,
        _ => against_steps(&asked.title(m), &losses),
    };
    let (first, last) = (losses[0], losses[losses.len() - 1]);
    Ok(Walk { plot, losses: (first, last), start, end: at })
}

fn plot(title: &str, x_label: &str, y_label: &str, series: Vec<Series>) -> Plot {
    Plot {
        title: title.to_owned(),
        x_label: x_label.to_owned(),
        y_label: y_label.to_owned(),
        x_limits: None,
        y_limits: None,
        log_x: false,
        log_y: false,
        series,
    }
}

/// The numbers of a path along one coordinate, with room around them.
fn around(path: &[Vec<f64>], coordinate: usize) -> (f64, f64) {
    let along = path.iter().map(|x| x[coordinate]);
    let low = along.clone().fold(f64::INFINITY, f64::min);
    let high = along.fold(f64::NEG_INFINITY, f64::max);
    let room = match high - low {
        0.0 => low.abs().max(1.0) * MARGIN,
        extent => MARGIN * extent,
    };
    (low - room, high + room)
}

fn over_curve(
    m: &mut Machine,
    asked: &Asked,
    start: &Tensor,
    path: &[Vec<f64>],
    losses: &[f64],
) -> Result<Plot, Failed> {
    let (low, high) = around(path, 0);
    let xs = spaced(low, high, POINTS);
    let mut ys = Vec::with_capacity(POINTS);
    for &x in &xs {
        budget::tick()?;
        ys.push(asked.at(m, &Tensor::new(start.shape(), vec![x]))?.y);
    }
    let walked = path.iter().map(|x| x[0]).collect();
    let all = vec![
        Series::new(Mark::Line, "", xs, ys),
        Series::new(Mark::Points, "each step", walked, losses.to_vec()),
    ];
    Ok(plot(&asked.title(m), &asked.leaf, "", all))
}

fn over_map(
    m: &mut Machine,
    asked: &Asked,
    start: &Tensor,
    path: &[Vec<f64>],
) -> Result<Plot, Failed> {
    let (across, up) = (around(path, 0), around(path, 1));
    let cost = asked.cost(m)?;
    let mut at =
        |x: f64, y: f64| Ok::<f64, Failed>(asked.at(m, &Tensor::new(start.shape(), vec![x, y]))?.y);
    let (mut columns, mut rows) = MAP;
    while columns * rows * cost > WORK && rows > 6 {
        (columns, rows) = (columns / 2, rows / 2);
    }
    let (xs, ys) = (spaced(across.0, across.1, columns), spaced(up.0, up.1, rows));
    let mut heights = Vec::with_capacity(columns * rows);
    for &y in &ys {
        for &x in &xs {
            budget::tick()?;
            heights.push(at(x, y)?);
        }
    }
    let (first, second) =
        (path.iter().map(|p| p[0]).collect(), path.iter().map(|p| p[1]).collect());
    let [x_name, y_name] = [0, 1].map(|k| format!("{}{}", asked.leaf, index(start.shape(), k)));
    let levels = levels(&heights);
    let named: Vec<String> = levels.iter().map(|level| short(*level)).collect();
    let lines = contours(&xs, &ys, &heights, &levels)?;
    let all = vec![
        Series::new(Mark::Dots, "", lines.0, lines.1),
        Series::new(Mark::Points, "each step", first, second),
    ];
    let title = match named.as_slice() {
        [] => asked.title(m),
        levels => format!("{} at {}", asked.title(m), levels.join(", ")),
    };
    let mut plot = plot(&title, &x_name, &format!("up: {y_name}"), all);
    (plot.x_limits, plot.y_limits) = (Some(across), Some(up));
    Ok(plot)
}

/// Heights that get a line: denser where the map is low, as the path ends there.
fn levels(heights: &[f64]) -> Vec<f64> {
    let finite = || heights.iter().copied().filter(|h| h.is_finite());
    let low = finite().fold(f64::INFINITY, f64::min);
    let high = finite().fold(f64::NEG_INFINITY, f64::max);
    if low >= high {
        return Vec::new();
    }
    let share = |k: usize| (k as f64 / (LEVELS + 1) as f64).powi(2);
    let mut levels: Vec<f64> =
        (1..=LEVELS).map(|k| two_digits(low + (high - low) * share(k))).collect();
    levels.dedup();
    levels
}

fn two_digits(x: f64) -> f64 {
    format!("{x:.1e}").parse().unwrap_or(x)
}

fn short(level: f64) -> String {
    if level.abs() >= 1e6 {
        return format!("{level:e}");
    }
    let text = repr(level);
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn against_steps(title: &str, losses: &[f64]) -> Plot {
    let steps = (0..losses.len()).map(|k| k as f64).collect();
    plot(title, "step", "", vec![Series::new(Mark::Line, "", steps, losses.to_vec())])
}
