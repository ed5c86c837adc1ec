//! Kinks: a sentence under the panel for each kind, with the slopes on both sides and the one taken.

use crate::matrix::element_names::{Names, operand};
use crate::terminal::line::fold;
use crate::{Line, Role, Style};
use std::collections::HashSet;
use vjp_eval::Backward;
use vjp_eval::record::event::CornerReport;
use vjp_text::digits::lone;

/// Kinks of different kinds that are shown, and places named in each.
const KINKS: usize = 2;
const PLACES: usize = 4;

/// Kinks and jumps of y itself that are shown.
const EDGES: usize = 3;

/// `* kink   at x₂ = 0: slope 0 from the left, 1 from the right; relu takes 0`
pub fn lines(b: &Backward, indent: usize, style: &Style) -> Vec<Line> {
    let mut lines = sentences(b, |_| true, indent, style);
    lines.extend(edges(b, indent, style));
    lines
}

/// Where equal elements share a slope, which formulas show as a number alone.
pub fn ties(b: &Backward, columns: usize) -> Vec<Line> {
    sentences(b, |corner| corner.tie, 0, &Style { width: columns, ..Style::canonical() })
}

fn sentences(
    b: &Backward,
    told: fn(&CornerReport) -> bool,
    indent: usize,
    style: &Style,
) -> Vec<Line> {
    let same = |a: &CornerReport, c: &CornerReport| {
        let slopes = |k: &CornerReport| [k.left, k.right, k.taken].map(f64::to_bits);
        a.op == c.op
            && a.tie == c.tie
            && a.whole == c.whole
            && a.at.to_bits() == c.at.to_bits()
            && (a.tie || slopes(a) == slopes(c))
    };
    let mut groups: Vec<Vec<&CornerReport>> = Vec::new();
    for corner in b.corners.iter().filter(|c| told(c)) {
        // Few kinds are shown; the rest need not be sorted.
        match groups.iter().position(|g| same(g[0], corner)) {
            Some(at) => groups[at].push(corner),
            None if groups.len() <= KINKS => groups.push(vec![corner]),
            None => {}
        }
    }
    let mut lines = Vec::new();
    for group in groups.iter().take(KINKS) {
        let corner = group[0];
        let word = if corner.tie { "  * tie" } else { "  * kink" };
        let mut line = Line::of(Role::Plain, word);
        line.pad(indent.max(line.width() + 1));
        let column = line.width();
        line.plain("at ");
        let mut places: Vec<String> = group
            .iter()
            .filter_map(|c| {
                let leaf = b.leaves.get(c.leaf)?;
                let names = Names::new(&leaf.called(), leaf.value.shape(), style.ascii);
                c.element.map(|e| names.full(e))
            })
            .collect();
        // An input that is broadcast ties at each of its copies, one that is sorted at several outputs.
        let mut seen = HashSet::new();
        places.retain(|place| seen.insert(place.clone()));
        if places.is_empty() {
            let what = if corner.tie { "equal inputs of " } else { "an input of " };
            line.plain(what).push(Role::User, corner.op.as_str());
        } else {
            line.push(Role::User, places[..places.len().min(PLACES)].join(", "));
            if places.len() > PLACES {
                line.plain(format!(" and {} more", places.len() - PLACES));
            }
        }
        let [at, left, right, taken] =
            [corner.at, corner.left, corner.right, corner.taken].map(|x| lone(x, style.digits));
        if corner.tie {
            line.plain(format!(" = {at}: "));
            line.push(Role::User, corner.op.as_str());
            let shared = group.iter().all(|c| c.taken.to_bits() == corner.taken.to_bits());
            line.plain(match corner.taken {
                _ if !shared => " gives the slope to one of them".to_owned(),
                0.5 => " gives half to each".to_owned(),
                share if share > 0.0 && share < 1.0 => {
                    format!(" gives 1/{:.0} to each", 1.0 / share)
                }
                _ => format!(" gives {taken} to each"),
            });
        } else if corner.whole {
            line.plain(format!(" = {at}: slope {left} from the left, {right} from the right; "));
            line.push(Role::User, corner.op.as_str());
            line.plain(format!(" takes {taken}"));
        } else {
            // The slopes are the operation's own, not those of y.
            line.plain(format!(" = {at}: "));
            line.push(Role::User, corner.op.as_str()).plain(format!(
                " has slope {left} from the left, {right} from the right, and takes {taken}"
            ));
        }
        lines.extend(fold(&line, style.frame(), column));
    }
    if groups.len() > KINKS {
        lines.push(Line::of(Role::Plain, "  … and kinks of other operations"));
    }
    lines
}

/// `* kink   at x₁ = 0: y₁ has slope -1 from the left, 1 from the right; backward takes 0`, or where y jumps
/// `* jump   at x₁ = 2: y₁ goes to 1 from the left, to 2 from the right, and is 2 here`
fn edges(b: &Backward, indent: usize, style: &Style) -> Vec<Line> {
    let mut lines = Vec::new();
    let digits = |x: f64| lone(x, style.digits);
    for edge in b.edges.iter().take(EDGES) {
        let Some(leaf) = b.leaves.get(edge.leaf) else { continue };
        let column = Names::new(&leaf.called(), leaf.value.shape(), style.ascii).full(edge.column);
        let row = Names::new(&operand(&b.output), b.value.shape(), style.ascii).full(edge.row);
        let [left, right] = edge.slopes.map(digits);
        let word = match edge.values {
            Some(_) => "  * jump",
            None if left == right => "  * slope",
            None => "  * kink",
        };
        let mut line = Line::of(Role::Plain, word);
        line.pad(indent.max(line.width() + 1));
        let start = line.width();
        line.plain("at ").push(Role::User, column).plain(format!(" = {}: ", digits(edge.at)));
        line.push(Role::User, row);
        line.plain(match edge.values {
            Some(values) => match values.map(digits) {
                [left, here, right] if left == right => {
                    format!(" goes to {left} from both sides, and is {here} here")
                }
                [left, here, right] => {
                    format!(" goes to {left} from the left, to {right} from the right, and is {here} here")
                }
            },
            None if left == right => {
                format!(" has slope {left} on both sides; backward takes {}", digits(edge.taken))
            }
            None if leaf.method.is_some() => format!(
                " has slope {left} from the left, {right} from the right; J takes {}, the Function's backward another between the two",
                digits(edge.taken)
            ),
            None => format!(
                " has slope {left} from the left, {right} from the right; backward takes {}",
                digits(edge.taken)
            ),
        });
        lines.extend(fold(&line, style.frame(), start));
    }
    if b.edges.len() > EDGES {
        let more = b.edges.len() - EDGES;
        lines.push(Line::of(Role::Plain, format!("  … and {more} more such entries of J")));
    }
    lines
}
