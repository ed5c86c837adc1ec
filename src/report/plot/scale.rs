//! The numbers along an axis, and round ones among them.

use vjp_eval::record::event::{Mark, Plot, Series};

/// Which numbers an axis spans.
pub struct Scale {
    pub low: f64,
    pub high: f64,
    pub log: bool,
}

impl Scale {
    /// None where there is nothing finite to show.
    pub fn of(plot: &Plot, horizontal: bool) -> Option<Scale> {
        let (limits, log) = match horizontal {
            true => (plot.x_limits, plot.log_x),
            false => (plot.y_limits, plot.log_y),
        };
        let usable = |v: &f64| v.is_finite() && (!log || *v > 0.0);
        // Words and the line at a bar's foot stand where the others leave them room.
        let placed = plot.series.iter().filter(|s| s.mark != Mark::Words);
        let all = placed.flat_map(|s| if horizontal { &s.x } else { &s.y }).copied();
        let mut seen: Vec<f64> = all.filter(usable).collect();
        for series in plot.series.iter().filter(|s| s.mark == Mark::Bars) {
            let half = breadth(series) / 2.0;
            match horizontal {
                true => seen.extend(series.x.iter().flat_map(|x| [x - half, x + half])),
                false => seen.push(0.0),
            }
        }
        seen.retain(usable);
        let (low, high) = limits.filter(|(a, _)| usable(a)).or_else(|| {
            let low = seen.iter().copied().reduce(f64::min)?;
            Some((low, seen.iter().copied().fold(low, f64::max)))
        })?;
        let (low, high) = match log {
            true => (low.log10(), high.log10()),
            false => (low, high),
        };
        let wide = if low == high { low.abs().max(1.0) / 2.0 } else { 0.0 };
        Some(Scale { low: low - wide, high: high + wide, log })
    }

    /// How far along the axis, also beyond its ends.
    pub fn along(&self, v: f64) -> f64 {
        let v = if self.log { v.log10() } else { v };
        (v - self.low) / (self.high - self.low)
    }

    /// How far along the axis; None: not on it.
    pub fn fraction(&self, v: f64) -> Option<f64> {
        let at = self.along(v);
        (-1e-9..=1.0 + 1e-9).contains(&at).then_some(at)
    }

    /// Round numbers along the axis: where, and as text.
    pub fn labels(&self) -> Vec<(f64, String)> {
        let span = self.high - self.low;
        let rough = span / 4.0;
        let power = 10f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 2.5, 5.0, 10.0];
        let step = steps.iter().map(|s| s * power).find(|s| *s >= rough * 0.999);
        let step = step.unwrap_or(rough);
        let step = if self.log { step.max(1.0).round() } else { step };
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        let decimals = (0..12).find(|d| {
            let scaled = step * 10f64.powi(*d);
            (scaled - scaled.round()).abs() < 1e-6 * scaled
        });
        let text = |v: f64| match (self.log, decimals) {
            (true, _) => format!("1e{v:.0}"),
            (false, _) if v.abs() >= 1e6 || step < 1e-5 => format!("{v:.2e}"),
            (false, Some(d)) => format!("{:.1$}", v + 0.0, d as usize),
            (false, None) => format!("{v}"),
        };
        (first..=last).map(|k| k as f64 * step).map(|v| ((v - self.low) / span, text(v))).collect()
    }
}

/// How broad the bars of a series are: as far as the nearest two are apart.
pub fn breadth(series: &Series) -> f64 {
    let apart = series.x.windows(2).map(|pair| (pair[1] - pair[0]).abs());
    let least = apart.filter(|d| *d > 0.0).fold(f64::INFINITY, f64::min);
    if least.is_finite() { least } else { 1.0 }
}
