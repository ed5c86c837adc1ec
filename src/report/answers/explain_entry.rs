//! `:explain x[1]`: one entry of a gradient as a sum over paths, the slopes on each multiplied.

use crate::matrix::element_names::{Names, operand};
use crate::panel::weighted_rows::mark;
use crate::terminal::line::{fold, width};
use crate::{Line, Role, Style};
use vjp_eval::record::questions::{Followed, Path};
use vjp_text::digits::{factor, grouped, lone, sum};

/// Between a path and its product.
const GAP: usize = 4;

/// The paths and their sum.
pub fn lines(event: &Followed, style: &Style) -> Vec<Line> {
    let name = match event.within {
        true => operand(&event.name),
        false => event.name.as_str().into(),
    };
    let name = Names::new(&name, &event.shape, style.ascii).full(event.element);
    let number = |x: f64| lone(x, style.digits);
    let verdict = format!(
        " {} with {}",
        if event.agrees { "agrees" } else { "disagrees" },
        if event.within { "the sweep" } else { "backward" },
    );
    if event.paths.is_empty() && !event.endless {
        let mut line = Line::of(Role::User, event.code.as_str());
        let [before, after] = match (event.swept.is_nan(), event.leads) {
            (true, _) => [
                " gets nan: every path from ",
                " has a factor of 0, and the sweep multiplies it by inf or nan",
            ],
            (false, Some(true)) => [" gets 0: every path from ", " has a factor of 0"],
            (false, Some(false)) => [" gets 0: no path leads from ", ""],
            (false, None) => [" gets 0: no path from ", ", or every path has a factor of 0"],
        };
        line.plain(before).push(Role::User, name).plain(after);
        return fold(&line, style.frame(), 2);
    }
    let mut all = Vec::new();
    let mut line = Line::of(Role::User, event.code.as_str());
    line.plain(format!(" gets {}: ", number(event.swept)));
    line.plain("multiply the slopes along each path and v; add the paths");
    all.extend(fold(&line, style.frame(), 2));
    let ways: Vec<(String, String)> = event.paths.iter().map(|p| texts(p, style)).collect();
    let column = 2 + ways.iter().map(|(way, _)| width(way)).max().unwrap_or(0) + GAP;
    let beside = ways.iter().all(|(_, product)| column + width(product) <= style.frame());
    for (way, product) in &ways {
        let mut line = Line::new();
        line.pad(2).push(Role::User, way.as_str());
        if beside {
            line.pad(column).push(Role::Value, product.as_str());
            all.push(line);
        } else {
            all.extend(fold(&line, style.frame(), 4));
            let mut line = Line::new();
            line.pad(6).push(Role::Value, product.as_str());
            all.extend(fold(&line, style.frame(), 8));
        }
    }
    if event.more > 0 {
        let than = if event.endless { "and more than " } else { "… " };
        let noun = if event.more == 1 { "path" } else { "paths" };
        all.push(Line::of(Role::Plain, format!("  {than}{} more {noun}", grouped(event.more))));
    }
    let mut line = Line::of(Role::Plain, "  ");
    match event.sum {
        Some(total) if event.paths.len() + event.more > 1 => {
            let terms: Vec<String> = event.paths.iter().map(|p| number(p.product)).collect();
            let written = sum(&terms);
            line.plain("sum");
            line.pad(if beside { column } else { 6 });
            let told = width(&number(total)) + width(&verdict) + 6;
            if event.more == 0 && line.width() + width(&written) + told <= style.frame() {
                let shown = terms.iter().map(|t| t.parse::<f64>()).sum::<Result<f64, _>>();
                line.plain(format!("{written} {} ", equals(shown.ok(), &number(total), style)));
            }
            line.push(Role::Cotangent, number(total)).plain(" ");
            line.append(&mark(event.agrees, style));
            line.plain(verdict.as_str());
            all.push(line);
        }
        Some(_) => {
            line.plain("one path  ").append(&mark(event.agrees, style));
            line.plain(verdict.as_str());
            all.push(line);
        }
        None => {
            line.plain("too many to add one by one; backward adds once at each step");
            all.push(line);
        }
    }
    let mut lead = "where";
    for same in event.computed.chunk_by(|a, b| a.1 == b.1) {
        let names: Vec<&str> = same.iter().map(|(name, _)| name.as_str()).collect();
        let mut line = Line::new();
        line.pad(2).plain(format!("{lead:5} ")).push(Role::User, names.join(", "));
        line.plain(" = ").push(Role::User, same[0].1.as_str());
        all.extend(fold(&line, style.frame(), 10));
        lead = "";
    }
    if let Some(name) = event.hooked.as_ref().filter(|_| event.within || !event.agrees) {
        let mut line = Line::of(Role::Plain, "  the hook on ");
        line.push(Role::User, name.as_str());
        line.plain(" changed the gradient; the steps are without hooks");
        all.extend(fold(&line, style.frame(), 2));
    }
    all
}

/// `=`, or `≈` where the numbers as they are shown come to another.
fn equals(shown: Option<f64>, end: &str, style: &Style) -> &'static str {
    match shown.is_none_or(|x| !x.is_finite() || lone(x, style.digits) == end) {
        true => "=",
        false if style.ascii => "~",
        false => "≈",
    }
}

/// `x₂ → (x^2)₂ → y₂` and `4 × 3 × 10 = 120`.
fn texts(path: &Path, style: &Style) -> (String, String) {
    let station = |(name, shape, element): &(String, Vec<usize>, usize)| {
        Names::new(&operand(name), shape, style.ascii).full(*element)
    };
    let way: Vec<String> = path.stations.iter().map(station).collect();
    let number = |x: &f64| factor(lone(*x, style.digits));
    let all = || path.factors.iter().chain(std::iter::once(&path.weight));
    let shown = all().map(|x| lone(*x, style.digits).parse::<f64>()).product::<Result<f64, _>>();
    let end = lone(path.product, style.digits);
    let product = format!(
        "{} {} {end}",
        all().map(number).collect::<Vec<_>>().join(" × "),
        equals(shown.ok(), &end, style),
    );
    (way.join(if style.ascii { " -> " } else { " → " }), product)
}
