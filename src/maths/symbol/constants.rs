//! The numbers that have a name: e and π, with their small multiples, fractions and squares.

use super::formula::{Hold, Style};
use std::f64::consts::{E, PI};

/// A number as `times` · `name`^`power` / `over`: 2π, π/2, 2π².
pub struct Constant {
    pub times: f64,
    pub over: f64,
    name: (&'static str, &'static str, &'static str),
    power: i32,
}

/// What a number is called where its last digits are those of a named number's. In code it stays a number.
pub fn named(c: f64, style: Style) -> Option<Constant> {
    const NAMES: [(f64, (&str, &str, &str)); 2] = [(PI, ("π", "pi", r"\pi")), (E, ("e", "e", "e"))];
    if style == Style::Code {
        return None;
    }
    let near =
        |value: f64| (value - c).abs() <= 4.0 * f64::EPSILON * c || f64::from(value as f32) == c;
    NAMES.iter().find_map(|&(value, name)| {
        let found = |power: i32, over: f64| {
            let times = (c * over / value.powi(power)).round();
            let small = (1.0..=12.0).contains(&times) && (over == 1.0 || times % over != 0.0);
            (small && near(times * value.powi(power) / over)).then_some(Constant {
                times,
                over,
                name,
                power,
            })
        };
        let overs = [1.0, 2.0, 3.0, 4.0, 6.0, 8.0];
        [1, 2].iter().find_map(|power| overs.iter().find_map(|over| found(*power, *over)))
    })
}

/// `p` and `√q` of a number that is p/√q with a `q` that has a name or is whole: 1/√(2π), 2/√π, 1/√2.
pub fn under_root(c: f64, style: Style) -> Option<(f64, String)> {
    if let Some(square) = named(1.0 / (c * c), style) {
        let p = square.over.sqrt();
        return (p == p.trunc())
            .then(|| (p.copysign(c), Constant { over: 1.0, ..square }.root(style)));
    }
    let square = 1.0 / (c * c);
    let whole = square.round();
    let own = (1.0 / c - (1.0 / c).round()).abs() > 1e-9;
    let near = own && whole > 1.0 && whole < 10_000.0 && (square - whole).abs() < 1e-14 * whole;
    let text = match style {
        Style::Code => return None,
        Style::Latex => format!(r"\sqrt{{{whole}}}"),
        Style::Pretty => format!("√{whole}"),
        _ => format!("sqrt({whole})"),
    };
    near.then_some((1f64.copysign(c), text))
}

impl Constant {
    /// Without what is below the line: `2π`, `2*pi`.
    pub fn text(&self, style: Style) -> String {
        let between = match style {
            Style::Pretty => "",
            Style::Latex => " ",
            _ => "*",
        };
        let times =
            if self.times == 1.0 { String::new() } else { format!("{}{between}", self.times) };
        times + &self.word(style)
    }

    /// The square root of [`Constant::text`].
    pub fn root(&self, style: Style) -> String {
        match (style, self.text(style)) {
            (Style::Latex, text) => format!(r"\sqrt{{{text}}}"),
            (Style::Pretty, text) if text.chars().count() == 1 => format!("√{text}"),
            (Style::Pretty, text) => format!("√({text})"),
            (_, text) => format!("sqrt({text})"),
        }
    }

    /// How tightly the name holds together.
    pub fn hold(&self) -> Hold {
        if self.power == 1 { Hold::Atom } else { Hold::Power }
    }

    /// The name with its power: `π`, `π²`, `pi^2`, `\pi^{2}`.
    pub fn word(&self, style: Style) -> String {
        let (pretty, ascii, latex) = self.name;
        match (style, self.power) {
            (Style::Pretty, 1) => pretty.to_owned(),
            (Style::Pretty, _) => format!("{pretty}²"),
            (Style::Latex, 1) => latex.to_owned(),
            (Style::Latex, power) => format!("{latex}^{{{power}}}"),
            (_, 1) => ascii.to_owned(),
            (_, power) => format!("{ascii}^{power}"),
        }
    }
}
