//! A plot as SVG: the axes of the plot made of signs, and smooth lines between them.

use crate::plot::scale::{Scale, breadth};
use crate::terminal::html::escaped;
use crate::terminal::line::width;
use std::fmt::Write;
use vjp_eval::record::event::{Mark, Plot, Series};

/// The area between the axes.
const WIDE: f64 = 520.0;
const HIGH: f64 = 260.0;

/// What stays free at each end of an axis.
const MARGIN: f64 = 0.03;

/// A character of 12 pixels takes so many.
const CHARACTER: f64 = 7.3;

/// More points are better drawn with signs.
const MOST: usize = 6000;

/// Series beyond these share a colour.
const COLOURS: usize = 6;

/// What the page's style sheet says of a plot, for one that stands alone.
const LOOK: &str = "
  .plot { background: #ffffff; font: 12px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
  .plot text { fill: #1b1b1f; white-space: pre; } .plot .title { font-weight: 600; }
  .plot .grid { stroke: #d9d9e0; fill: none; } .plot .axis { stroke: #5b5b66; fill: none; }
  .plot g { color: #005a9c; } .plot .s1 { color: #87138a; } .plot .s2 { color: #0b6b2e; }
  .plot .s3 { color: #7a5200; } .plot .s4 { color: #b3261e; } .plot .s5 { color: #3a2fb0; }
  .plot g circle, .plot g rect, .plot g text { fill: currentColor; }
  .plot .line { fill: none; stroke: currentColor; stroke-width: 2; stroke-linejoin: round; }
  .plot .s1 .line { stroke-dasharray: 7 3; } .plot .s2 .line { stroke-dasharray: 2 3; }
  .plot .s3 .line { stroke-dasharray: 9 3 2 3; }
  .plot .rule { stroke-width: 1.2; stroke-dasharray: 4 4; }
";

/// The plot as a picture of its own.
pub fn file(plot: &Plot) -> Option<String> {
    draw(plot, &format!("<style>{LOOK}</style>"))
}

/// The plot as an element of a page, whose style sheet gives it its colours; None where nothing is finite,
/// or there is too much of it.
pub fn element(plot: &Plot) -> Option<String> {
    draw(plot, "")
}

/// `look`: what comes behind the title.
fn draw(plot: &Plot, look: &str) -> Option<String> {
    let count = |s: &Series| s.x.len().max(s.y.len()).max(s.shades.len());
    if plot.series.iter().map(count).sum::<usize>() > MOST
        || plot.series.iter().any(|s| s.mark == Mark::Image)
    {
        return None;
    }
    let (xs, ys) = (Scale::of(plot, true)?, Scale::of(plot, false)?);
    let named = plot.series.iter().find(|s| s.mark == Mark::Bars && !s.names.is_empty());
    let labels = ys.labels();
    let gutter = labels.iter().map(|(_, text)| width(text)).max().unwrap_or(1) as f64 * CHARACTER;
    let left = gutter + 16.0 + if plot.y_label.is_empty() { 0.0 } else { 18.0 };
    let legend: Vec<(usize, &Series)> =
        plot.series.iter().enumerate().filter(|(_, s)| !s.label.is_empty()).collect();
    let top = 10.0
        + if plot.title.is_empty() { 0.0 } else { 20.0 }
        + if legend.is_empty() { 0.0 } else { 18.0 };
    let stands = plot.series.iter().any(|s| s.mark == Mark::Bars && s.y.iter().all(|y| *y >= 0.0));
    let area = Area { left, top, xs, ys, stands };
    let bottom = top + HIGH + 24.0 + if plot.x_label.is_empty() { 0.0 } else { 18.0 };
    let said = |s: &Series| 37.0 + width(&s.label) as f64 * CHARACTER;
    let labelled: f64 = legend.iter().map(|(_, s)| said(s)).sum();
    let (wide, high) = (left + WIDE.max(labelled) + 16.0, bottom + 4.0);
    let title = match plot.title.as_str() {
        "" => "A plot",
        title => title,
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {wide:.0} {high:.0}\" width=\"{wide:.0}\" height=\"{high:.0}\" role=\"img\"><title>{}</title>{look}",
        escaped(title)
    );
    let mut text = |x: f64, y: f64, anchor: &str, more: &str, said: &str| {
        let _ = write!(
            out,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{more}>{}</text>",
            escaped(said)
        );
    };
    let middle = left + WIDE / 2.0;
    if !plot.title.is_empty() {
        text(middle, 20.0, "middle", " class=\"title\"", &plot.title);
    }
    text(middle, bottom - 2.0, "middle", "", &plot.x_label);
    if !plot.y_label.is_empty() {
        let y = top + HIGH / 2.0;
        let turned = format!(" transform=\"rotate(-90 12 {y:.1})\"");
        text(12.0, y, "middle", &turned, &plot.y_label);
    }
    for (at, said) in &labels {
        text(left - 8.0, area.up(*at) + 4.0, "end", "", said);
    }
    match named {
        Some(bars) => {
            for (x, name) in bars.x.iter().zip(&bars.names) {
                text(area.x(*x), top + HIGH + 18.0, "middle", "", name);
            }
        }
        None => {
            for (at, said) in area.xs.labels() {
                text(area.across(at), top + HIGH + 18.0, "middle", "", &said);
            }
        }
    }
    for (at, _) in &labels {
        let y = area.up(*at);
        let _ = write!(out, "<path class=\"grid\" d=\"M{left:.1} {y:.1}h{WIDE}\"/>");
    }
    let _ = write!(out, "<path class=\"axis\" d=\"M{left:.1} {top:.1}v{HIGH}h{WIDE}\"/>");
    // What lies under all others comes first.
    let under = |s: &Series| matches!(s.mark, Mark::Shades | Mark::Bars | Mark::Dotted);
    for below in [true, false] {
        for (k, series) in plot.series.iter().enumerate().filter(|(_, s)| under(s) == below) {
            let _ = write!(out, "<g class=\"s{}\">", k % COLOURS);
            area.series(series, &mut out);
            out += "</g>";
        }
    }
    let mut x = left;
    for (k, series) in legend {
        let y = top - 8.0;
        let _ = write!(
            out,
            "<g class=\"s{}\"><path class=\"line\" d=\"M{x:.1} {:.1}h16\"/></g><text x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
            k % COLOURS,
            y - 4.0,
            x + 21.0,
            escaped(&series.label)
        );
        x += said(series);
    }
    Some(out + "</svg>")
}

struct Area {
    left: f64,
    top: f64,
    xs: Scale,
    ys: Scale,
    stands: bool,
}

impl Area {
    /// A place along an axis, on the axis's edge where it lies beyond.
    fn x(&self, x: f64) -> f64 {
        self.across(self.xs.along(x))
    }

    fn y(&self, y: f64) -> f64 {
        self.up(self.ys.along(y))
    }

    /// Where a part of an axis lies: nothing touches the ends.
    fn across(&self, part: f64) -> f64 {
        self.left + WIDE * (MARGIN + (1.0 - 2.0 * MARGIN) * part.clamp(0.0, 1.0))
    }

    /// Bars stand on the axis.
    fn up(&self, part: f64) -> f64 {
        let foot = if self.stands { 0.0 } else { MARGIN };
        self.top + HIGH * (1.0 - foot - (1.0 - foot - MARGIN) * part.clamp(0.0, 1.0))
    }

    fn point(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        (self.xs.fraction(x).is_some() && self.ys.fraction(y).is_some())
            .then(|| (self.x(x), self.y(y)))
    }

    fn series(&self, series: &Series, out: &mut String) {
        let points = series.x.iter().zip(&series.y).map(|(x, y)| self.point(*x, *y));
        match series.mark {
            Mark::Line => {
                let mut path = String::new();
                let mut drawing = false;
                for point in points {
                    if let Some((x, y)) = point {
                        let _ = write!(path, "{}{x:.1} {y:.1}", if drawing { 'L' } else { 'M' });
                    }
                    drawing = point.is_some();
                }
                let _ = write!(out, "<path class=\"line\" d=\"{path}\"/>");
            }
            Mark::Points | Mark::Dots | Mark::Dotted => {
                let size = if series.mark == Mark::Points { 3.5 } else { 1.2 };
                for (x, y) in points.flatten() {
                    let _ = write!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{size}\"/>");
                }
            }
            Mark::Level | Mark::Upright => {
                let path = match series.mark {
                    Mark::Level => series.y.first().and_then(|y| {
                        let at = self.ys.fraction(*y).map(|_| self.y(*y))?;
                        Some(format!("M{:.1} {at:.1}h{WIDE}", self.left))
                    }),
                    _ => series.x.first().and_then(|x| {
                        let at = self.xs.fraction(*x).map(|_| self.x(*x))?;
                        Some(format!("M{at:.1} {:.1}v{HIGH}", self.top))
                    }),
                };
                let _ =
                    write!(out, "<path class=\"line rule\" d=\"{}\"/>", path.unwrap_or_default());
            }
            Mark::Bars => {
                let half = breadth(series) * 0.4;
                let foot = self.y(if self.ys.log { 10f64.powf(self.ys.low) } else { 0.0 });
                for (x, y) in series.x.iter().zip(&series.y).filter(|(_, y)| y.is_finite()) {
                    let (from, to) = (self.x(x - half), self.x(x + half));
                    let at = self.y(*y);
                    let _ = write!(
                        out,
                        "<rect x=\"{from:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
                        at.min(foot),
                        to - from,
                        (at - foot).abs()
                    );
                }
            }
            Mark::Words => {
                for (k, point) in points.enumerate() {
                    if let (Some((x, y)), Some(name)) = (point, series.names.get(k)) {
                        let _ = write!(
                            out,
                            "<text class=\"word\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
                            escaped(name)
                        );
                    }
                }
            }
            Mark::Shades => self.shades(series, out),
            Mark::Image => {}
        }
    }

    /// Each number of a grid as a rectangle around its place.
    fn shades(&self, series: &Series, out: &mut String) {
        let finite = || series.shades.iter().copied().filter(|v| v.is_finite());
        let low = finite().fold(f64::INFINITY, f64::min);
        let high = finite().fold(f64::NEG_INFINITY, f64::max);
        let edges = |all: &[f64], at: &dyn Fn(f64) -> f64, k: usize| {
            let side = |a: Option<&f64>, b: f64| a.map_or(at(b), |a| at((a + b) / 2.0));
            let own = all[k];
            let (a, b) =
                (side(k.checked_sub(1).and_then(|k| all.get(k)), own), side(all.get(k + 1), own));
            (a.min(b), (a - b).abs())
        };
        for i in 0..series.y.len() {
            for j in 0..series.x.len() {
                let value = series.shades.get(i * series.x.len() + j).copied().unwrap_or(f64::NAN);
                if !value.is_finite() || high <= low {
                    continue;
                }
                let (x, wide) = edges(&series.x, &|v| self.x(v), j);
                let (y, tall) = edges(&series.y, &|v| self.y(v), i);
                let _ = write!(
                    out,
                    "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" opacity=\"{:.2}\"/>",
                    wide + 0.3,
                    tall + 0.3,
                    (value - low) / (high - low) * 0.85
                );
            }
        }
    }
}
