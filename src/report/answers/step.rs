//! `:step`: each turn of a pass in a few lines: what an operation receives, its own Jacobian, what each
//! input gets, and what waits.

use super::explain::{Columns, arrived, gets, local, receives, value};
use crate::graph::{Lit, lit};
use crate::terminal::line::{fold, width};
use crate::{Line, Role, Style, echo};
use vjp_eval::record::drawn_graph::{Arrived, Kind, Level, Node};
use vjp_eval::record::questions::{Place, Share, Step, Sum};
use vjp_eval::record::stepped::{Ahead, Back, Stepped, Turn, Waiting};

/// Values that wait are told by name, so many at most.
const NAMED: usize = 6;

/// Columns before what is said of a turn.
const MARGIN: usize = 3;

/// Lines begin at the margin.
const FLUSH: Columns = Columns { number: MARGIN - 1, said: MARGIN };

/// All turns below each other, or the one that is asked for.
pub fn lines(event: &Stepped, style: &Style) -> Vec<Line> {
    let mut all = Vec::new();
    for k in 0..event.count() {
        if event.only.is_some_and(|only| only != k) {
            continue;
        }
        if k == 0 {
            all.extend(opening(event, style));
        }
        if !all.is_empty() {
            all.push(Line::new());
        }
        all.push(heading(event, k));
        all.extend(turn(event, k, style));
    }
    all
}

/// What the pass is, before its first turn.
pub fn opening(event: &Stepped, style: &Style) -> Vec<Line> {
    let y = &event.output;
    let says = match event.is_forward() {
        true => format!("The forward pass computes {y} from its leaves, one operation at a time."),
        false => {
            let of = match event.v.data() == [1.0] {
                true => y.clone(),
                false => format!("vᵀ{y}"),
            };
            format!(
                "Backward goes from {y} to the leaves. Each value receives how {of} changes with it: \
                 one part for each use of the value. When all parts have come, their sum goes on to \
                 each input, times the slope (the Jacobian) of this one operation for that input, the \
                 others held fixed. An input that needs no gradient gets none."
            )
        }
    };
    let mut line = Line::new();
    line.plain(" ").plain(says);
    fold(&line, style.frame(), 1)
}

/// `step 3 of 6   back through e = a*b`
pub fn heading(event: &Stepped, k: usize) -> Line {
    let mut line = Line::of(Role::Hint, format!(" step {} of {}", k + 1, event.count()));
    match event.turns.get(k) {
        Some(turn) => {
            let says = if event.is_forward() { "computes" } else { "back through" };
            line.plain(format!("   {says} ")).push(Role::User, turn.place().name.as_str());
            if !turn.text().is_empty() {
                line.plain(" = ").push(Role::User, turn.text());
            }
        }
        None => drop(line.plain("   the leaves: what arrived is added to .grad")),
    }
    line
}

/// What happens at a turn.
pub fn turn(event: &Stepped, k: usize, style: &Style) -> Vec<Line> {
    match event.turns.get(k) {
        Some(Turn::Backward(back)) => backward(back, style),
        Some(Turn::Forward(ahead)) => forward(ahead, style),
        None => leaves(&event.sums, style),
    }
}

/// How much of a turn is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    All,
    /// What the operation receives: what it hands on is asked.
    Received,
    /// What it receives is asked.
    Nothing,
}

/// So much of a turn.
pub fn part(event: &Stepped, k: usize, shown: Shown, style: &Style) -> Vec<Line> {
    match (event.turns.get(k), shown) {
        (_, Shown::All) => turn(event, k, style),
        (Some(Turn::Backward(back)), Shown::Received) => backward_receives(back, style),
        _ => Vec::new(),
    }
}

/// The graph with the turn's operation and its edges lit, in so many rows; what is asked is left open.
pub fn picture(event: &Stepped, k: usize, shown: Shown, style: &Style, rows: usize) -> Vec<Line> {
    let mut best = Vec::new();
    for level in &event.drawn.levels {
        best = lit(level, &Style { height: rows, ..*style }, &light(event, level, k, shown));
        if best.len() <= rows {
            return best;
        }
    }
    // Too tall however it is folded: the part around the operation.
    let bracket = |(role, text): &(Role, String)| *role == Role::User && text.starts_with('[');
    let at = best.iter().position(|line| line.spans().iter().any(bracket)).unwrap_or(0);
    let start = at.saturating_sub(rows / 2).min(best.len() - rows);
    best.drain(start..start + rows).collect()
}

pub(crate) fn light(event: &Stepped, level: &Level, k: usize, shown: Shown) -> Lit {
    let turns = &event.turns;
    let of = |node: &Node, turns: &[Turn]| turns.iter().any(|t| node.steps.contains(&t.number()));
    let node = turns.get(k..=k).and_then(|now| level.nodes.iter().position(|n| of(n, now)));
    let edges = level.edges.iter().enumerate();
    let edges = edges.filter(|(_, e)| Some(e.to) == node).map(|(i, _)| i).collect();
    let passed = if shown == Shown::All { k + 1 } else { k };
    let ahead = turns.get(passed..).unwrap_or_default();
    let boxes = || 0..level.nodes.len();
    if event.is_forward() {
        let ahead = boxes().filter(|i| of(&level.nodes[*i], ahead)).collect();
        return Lit { node, edges, ahead, ..Lit::default() };
    }
    // A gradient is whole where all that uses the value was passed.
    let waits = |i: usize| {
        let own = &level.nodes[i];
        let none = matches!(own.arrived, Arrived::Nothing) || own.kind == Kind::Constant;
        // What is asked is not told here.
        let asked = match shown {
            Shown::All => false,
            Shown::Received => turns.len() == k && own.kind == Kind::Leaf,
            Shown::Nothing => node == Some(i) || turns.len() == k && own.kind == Kind::Leaf,
        };
        let mut uses = level.uses(i).filter(|(_, e)| e.cut.is_none());
        !own.result && !none && (asked || uses.any(|(_, e)| of(&level.nodes[e.to], ahead)))
    };
    let waiting = boxes().filter(|i| waits(*i)).collect();
    let inside = boxes().filter(|i| of(&level.nodes[*i], ahead)).collect();
    Lit { node, edges, waiting, inside, ahead: Vec::new() }
}

fn backward_receives(back: &Back, style: &Style) -> Vec<Line> {
    let mut all = receives(&FLUSH, None, &back.step, back.senders.is_empty(), style);
    if let Some(line) = all.first_mut()
        && !back.senders.is_empty()
    {
        let from = distinct(&back.senders);
        if line.width() + width(&from) + 8 <= style.frame() {
            line.plain("   from ").push(Role::User, from);
        }
    }
    all
}

fn backward(back: &Back, style: &Style) -> Vec<Line> {
    let mut all = backward_receives(back, style);
    all.extend(shares(&back.step, style));
    all.extend(waiting(&back.waiting, style));
    all
}

/// The local Jacobian for each input, and beside it what the input gets; below it where that has no room.
fn shares(step: &Step, style: &Style) -> Vec<Line> {
    let locals: Vec<Vec<Line>> =
        step.shares.iter().map(|share| local(&FLUSH, step, share, style)).collect();
    let given = |share: &Share, column: usize| gets(column, step, share, style);
    let column = locals.iter().flatten().map(Line::width).max().unwrap_or(0) + 3;
    let beside = locals.iter().all(|lines| lines.len() == 1)
        && step
            .shares
            .iter()
            .all(|share| given(share, MARGIN).width() - MARGIN + column <= style.frame());
    let mut all = Vec::new();
    for (share, mut lines) in step.shares.iter().zip(locals) {
        match (beside, lines.last_mut()) {
            (true, Some(last)) => drop(last.pad(column).append(&given(share, 0))),
            _ => lines.push(given(share, MARGIN)),
        }
        all.append(&mut lines);
    }
    all
}

fn distinct(names: &[String]) -> String {
    let mut seen: Vec<&str> = Vec::new();
    for name in names {
        if !seen.contains(&name.as_str()) {
            seen.push(name);
        }
    }
    seen.join(" and ")
}

/// Numbers of a value that waits have so many columns.
const SHORT: usize = 16;

fn waiting(waiting: &[Waiting], style: &Style) -> Vec<Line> {
    if waiting.is_empty() {
        return Vec::new();
    }
    let mut line = Line::new();
    line.pad(MARGIN).plain("so far: ");
    for (k, one) in waiting.iter().take(NAMED).enumerate() {
        line.plain(if k > 0 { ", " } else { "" }).push(Role::User, one.name.as_str());
        if one.has < one.of {
            line.plain(format!(" has {} of {} parts", one.has, one.of));
        } else if let Some(numbers) = echo::on_one_line(&one.sum, SHORT, style)
            .filter(|text| !text.is_empty() && !text.contains('…'))
        {
            line.plain(" has ").push(Role::Cotangent, numbers);
        } else {
            line.plain(" has all");
        }
    }
    if waiting.len() > NAMED {
        line.plain(format!(", and {} more", waiting.len() - NAMED));
    }
    fold(&line, style.frame(), 5)
}

fn forward(ahead: &Ahead, style: &Style) -> Vec<Line> {
    let inputs = ahead.inputs.iter();
    let widest = inputs.clone().map(|i| width(&i.name)).max().unwrap_or(0);
    let widest = widest.max(width(&ahead.place.name)).min(20);
    let columns = Columns { number: MARGIN - 1, said: MARGIN + widest + 1 };
    let place = |place: &Place| value(&columns, None, &place.name, &place.value, "", style);
    let mut all: Vec<Line> = inputs.map(place).collect();
    // A value that enters twice stands there once.
    all.dedup();
    all.push(place(&ahead.place));
    all
}

fn leaves(sums: &[Sum], style: &Style) -> Vec<Line> {
    let widest = sums.iter().map(|s| width(&s.leaf) + 5).max().unwrap_or(0).min(24);
    let columns = Columns { number: MARGIN - 1, said: MARGIN + widest + 1 };
    let mut all: Vec<Line> = sums.iter().flat_map(|sum| arrived(&columns, sum, style)).collect();
    if sums.iter().all(|sum| sum.agrees) {
        all.push(Line::of(Role::Hint, format!("{:MARGIN$}✓ as backward computed it", "")));
    }
    all
}
