//! `:heat W`: a matrix as shades, from its least number to its largest.

use crate::matrix::element_names::{Names, is_word};
use crate::{Line, Role, Style};
use vjp_eval::record::network::Heat;
use vjp_text::digits::{Digits, lone};

/// Shades from the least number to the largest.
pub const ASCII: &str = " .:-=+*#%@";
pub const SHADES: &str = " ░▒▓█";

/// Rows and columns that are drawn at most; of larger matrices each cell is the mean of several.
const ROWS: usize = 16;
const COLUMNS: usize = 36;
/// So few columns have their numbers beside the shades.
const NUMBERED: usize = 6;

/// The picture and its scale.
pub fn lines(event: &Heat, style: &Style) -> Vec<Line> {
    let value = &event.value;
    let (rows, columns) = match value.shape() {
        [] => (1, 1),
        [n] => (1, *n),
        [first @ .., last] => (first.iter().product(), *last),
    };
    if value.numel() == 0 {
        return vec![Line::of(Role::Plain, "  nothing to draw: no elements")];
    }
    let data = value.data();
    let room = (style.frame().saturating_sub(6) / 2).clamp(1, COLUMNS);
    let (down, across) = (rows.div_ceil(ROWS), columns.div_ceil(room));
    let mean = |row: usize, column: usize| {
        let (mut sum, mut count) = (0.0, 0.0);
        for i in row..(row + down).min(rows) {
            for j in column..(column + across).min(columns) {
                (sum, count) = (sum + data[i * columns + j], count + 1.0);
            }
        }
        sum / count
    };
    let drawn: Vec<Vec<f64>> = (0..rows)
        .step_by(down)
        .map(|row| (0..columns).step_by(across).map(|column| mean(row, column)).collect())
        .collect();
    let finite = || drawn.iter().flatten().copied().filter(|x| x.is_finite());
    let (low, high) =
        (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    if low > high {
        return vec![Line::of(Role::Plain, "  nothing to draw: no finite numbers")];
    }
    let shades: Vec<char> = if style.ascii { ASCII } else { SHADES }.chars().collect();
    let shade = |x: f64| {
        let share = if high > low { (x - low) / (high - low) } else { 1.0 };
        let at = ((share * shades.len() as f64) as usize).min(shades.len() - 1);
        if x.is_finite() { shades[at] } else { '?' }
    };
    let (left, right) = if style.ascii { ("|", "|") } else { ("▏", "▕") };
    let digits = Digits::of(data.iter().copied(), style.digits);
    let numbered = down == 1 && columns <= NUMBERED;
    let widest = data.iter().take(if numbered { data.len() } else { 0 });
    let widest = widest.map(|x| digits.text(*x).len()).max().unwrap_or(0);
    let mut all = Vec::new();
    for row in &drawn {
        let mut line = Line::new();
        line.plain("  ").push(Role::Value, left);
        for x in row {
            line.push(Role::Value, shade(*x).to_string().repeat(2));
        }
        line.push(Role::Value, right);
        for x in row.iter().filter(|_| numbered) {
            let end = line.width() + 2 + widest;
            line.right(Role::Value, &digits.text(*x), end);
        }
        all.push(line);
    }
    let mut scale = Line::new();
    if low == high {
        scale.plain("  every number is ").push(Role::Value, lone(low, style.digits));
        all.push(scale);
        return all;
    }
    scale.plain("  from ").push(Role::Value, lone(low, style.digits)).plain(" ");
    scale.push(Role::Value, format!("[{}]", shades.iter().collect::<String>()));
    scale.plain(" to ").push(Role::Value, lone(high, style.digits));
    match (down, across) {
        (1, 1) if !event.name.is_empty() && is_word(&event.name) => {
            let names = Names::new(&event.name, value.shape(), style.ascii);
            let place = |x: f64| data.iter().position(|y| *y == x).unwrap_or(0);
            scale.plain(": ").push(Role::User, names.full(place(low))).plain(" and ");
            scale.push(Role::User, names.full(place(high)));
        }
        (1, 1) => {}
        _ => drop(scale.plain(format!("; a cell is the mean of {down} × {across}"))),
    }
    all.push(scale);
    all
}
