//! `:show model` and `:cost` as tables.

use crate::terminal::line::width;
use crate::{Line, Role, Style};
use vjp_eval::record::network::{Cost, Layer, Network, Units};
use vjp_text::digits::{grouped, lone};
use vjp_text::words::count;

/// A row for each layer, and a sum.
pub fn lines(event: &Network, style: &Style) -> Vec<Line> {
    let heading = ["layer", "what", "output", "numbers", "gradient up to"].map(str::to_owned);
    let rows: Vec<[String; 5]> = event.layers.iter().map(|layer| row(layer, style)).collect();
    let widest =
        |k: usize| rows.iter().chain([&heading]).map(|row| width(&row[k])).max().unwrap_or(0);
    let columns = [0, 1, 2, 3].map(widest);
    let drawn = |row: &[String; 5], plain: bool| {
        let mut line = Line::new();
        let roles = [Role::User, Role::User, Role::Plain, Role::Plain, Role::Cotangent];
        let mut at = 2;
        for (k, text) in row.iter().enumerate() {
            line.pad(at).push(if plain { Role::Plain } else { roles[k] }, text.as_str());
            at += columns.get(k).copied().unwrap_or(0) + 2;
        }
        line
    };
    let mut all = vec![drawn(&heading, true)];
    all.extend(rows.iter().map(|row| drawn(row, false)));
    let numbers: usize = event.layers.iter().flat_map(|l| &l.parameters).map(|p| p.0).sum();
    let sum = format!("  {} to learn", counted(numbers, "number"));
    let text = match event.operations {
        Some(n) => format!("{sum}; the last backward went through {}", counted(n, "operation")),
        None => format!("{sum}; the last backward did not go through them"),
    };
    all.push(Line::of(Role::Plain, text));
    all
}

fn counted(n: usize, what: &str) -> String {
    if n < 1000 { count(n, what) } else { format!("{} {what}s", grouped(n)) }
}

fn row(layer: &Layer, style: &Style) -> [String; 5] {
    let none = || if style.ascii { "-" } else { "–" }.to_owned();
    let joined = |parts: Vec<String>, with: &str| match parts.is_empty() {
        true => none(),
        false => parts.join(with),
    };
    let numbers = layer.parameters.iter().map(|p| grouped(p.0)).collect();
    let largest =
        layer.parameters.iter().map(|(_, g)| g.map_or("None".into(), |g| lone(g, style.digits)));
    let units = layer.units.map(|units| match units {
        Units::Dead { units, of } => {
            format!("{units} of {of} units dead: slope 0 for every example")
        }
        Units::Flat { outputs, of } => format!("{outputs} of {of} outputs nearly flat"),
    });
    let gradients = match (layer.parameters.is_empty(), &units) {
        (true, Some(units)) => units.clone(),
        (true, None) => String::new(),
        (false, _) => largest.collect::<Vec<_>>().join("  "),
    };
    [
        layer.path.clone(),
        layer.what.clone(),
        layer.output.as_ref().map_or_else(none, |shape| format!("{shape:?}")),
        joined(numbers, " + "),
        gradients,
    ]
}

/// Rows against columns.
pub fn cost(event: &Cost) -> Vec<Line> {
    let (m, n) = (event.rows, event.columns);
    let plain = |text: String| Line::of(Role::Plain, text);
    let (backwards, forwards) = (counted(m, "backward"), counted(n, "forward sweep"));
    let wide = width(&backwards).max(width(&forwards));
    let [(by_rows, each_row), (by_columns, each_column)] = [m, n].map(|sweeps| {
        let all = sweeps * event.sweep;
        (grouped(all), if all == 1 { "multiplication" } else { "multiplications" })
    });
    let digits = width(&by_rows).max(width(&by_columns));
    let verdict = match m.cmp(&n) {
        std::cmp::Ordering::Less if m == 1 => {
            "one row: a single backward gives all of J; so training goes backward"
        }
        std::cmp::Ordering::Less => "fewer rows than columns: rows are cheaper",
        std::cmp::Ordering::Equal => "as many rows as columns: both cost the same",
        std::cmp::Ordering::Greater => "fewer columns than rows: columns are cheaper",
    };
    vec![
        plain(format!("  J has {} and {}", counted(m, "row"), counted(n, "column"))),
        plain(format!("  by rows     {backwards:wide$}   {by_rows:>digits$} {each_row}")),
        plain(format!("  by columns  {forwards:wide$}   {by_columns:>digits$} {each_column}")),
        plain(format!("  {verdict}")),
    ]
}
