//! Ranks side by side: leaves left, the result right, edges between them with the slope on each.

use super::Lit;
use super::canvas::{Canvas, Stroke};
use super::labels::{NAME, at, gradient, is_dead, marks, sign, slope, title, unknown, value};
use super::layout::{Layout, Piece, Sizes};
use crate::terminal::line::width;
use crate::{Line, Role, Style};
use std::collections::HashMap;
use vjp_eval::record::drawn_graph::Level;

/// More boxes are never drawn side by side.
const MOST: usize = 40;

/// What stands in a box: names left, numbers right.
struct Label {
    sign: char,
    /// Name and number, with their meanings.
    rows: Vec<(Role, String, Role, String)>,
}

/// The drawing; None where it is wider than the frame.
pub fn lines(level: &Level, style: &Style, lit: &Lit, gap: f64) -> Option<Vec<Line>> {
    if level.nodes.len() > MOST {
        return None;
    }
    let labels: Vec<Label> = (0..level.nodes.len()).map(|k| label(level, k, style, lit)).collect();
    let layout = Layout::of(
        level,
        &Sizes { node: &|k| labels[k].rows.len() as f64, way: 1.0, gap, apart: true },
    );
    let drawing = Drawing { level, style, lit, labels: &labels, layout: &layout };
    let rows = drawing.rows(gap as usize);
    let canvas = drawing.canvas(&rows)?;
    // The last bracket may stand outside: with it and without it the drawing is the same.
    let frame = style.frame() + usize::from(lit.node.is_some());
    (canvas.width() <= frame).then(|| canvas.lines())
}

fn label(level: &Level, k: usize, style: &Style, lit: &Lit) -> Label {
    let node = &level.nodes[k];
    let name = title(node, NAME, style);
    let number = match lit.ahead.contains(&k) {
        true => unknown(&value(&node.value, style)),
        false => value(&node.value, style),
    };
    let first = (Role::User, name, Role::Value, number);
    let mut rows = vec![first];
    let arrived = match lit.waiting.contains(&k) {
        true => unknown(&at(node, style)),
        false => at(node, style),
    };
    if !arrived.is_empty() {
        rows.push((Role::Plain, "∂".to_string(), Role::Cotangent, arrived));
    }
    for (name, arrived) in &node.parameters {
        let text = match lit.inside.contains(&k) {
            true => unknown(&gradient(arrived, style)),
            false => gradient(arrived, style),
        };
        let shown = if text.is_empty() { String::new() } else { format!("∂ {text}") };
        rows.push((Role::User, name.clone(), Role::Cotangent, shown));
    }
    let marks = marks(node);
    if !marks.is_empty() {
        rows.push((Role::Hint, marks, Role::Plain, String::new()));
    }
    Label { sign: sign(node), rows }
}

struct Drawing<'a> {
    level: &'a Level,
    style: &'a Style,
    lit: &'a Lit,
    labels: &'a [Label],
    layout: &'a Layout,
}

/// Edges between two ranks that share a line down: they part from one place or meet in one.
struct Star {
    pieces: Vec<Piece>,
    /// Rows on the left and on the right.
    left: Vec<usize>,
    right: Vec<usize>,
    track: usize,
}

impl Star {
    fn reaches(&self) -> (usize, usize) {
        let all = self.left.iter().chain(&self.right);
        let low = all.clone().min().copied().unwrap_or(0);
        (low, all.max().copied().unwrap_or(0))
    }

    fn is_straight(&self) -> bool {
        let (low, high) = self.reaches();
        low == high
    }
}

impl Drawing<'_> {
    fn height(&self, place: usize) -> usize {
        self.labels.get(place).map_or(1, |label| label.rows.len())
    }

    /// The first row of each place.
    fn rows(&self, gap: usize) -> Vec<usize> {
        let mut rows = vec![0; self.layout.places.len()];
        for rank in 0..self.layout.ranks {
            let mut next = 0usize;
            for place in self.layout.rank(rank) {
                let height = self.height(place);
                let middle = self.layout.places[place].at;
                let wanted = (middle - height as f64 / 2.0).round().max(0.0) as usize;
                rows[place] = wanted.max(next);
                next = rows[place] + height + gap;
            }
        }
        rows
    }

    fn canvas(&self, rows: &[usize]) -> Option<Canvas> {
        let mut canvas = Canvas::default();
        let mut column = 2;
        let mut owner = 0;
        for rank in 0..self.layout.ranks {
            let places = self.layout.rank(rank);
            let end = self.rank(&mut canvas, &places, column, rows, owner);
            owner += places.len();
            let mut stars = self.stars(rank, rows);
            tracks(&mut stars)?;
            column = self.channel(&mut canvas, &stars, end, owner);
            owner += stars.len();
        }
        Some(canvas)
    }

    fn stroke(&self, edge: usize) -> Stroke {
        match (self.lit.edges.contains(&edge), is_dead(self.level, edge)) {
            (true, _) => Stroke::Heavy,
            (false, true) => Stroke::Dotted,
            (false, false) => Stroke::Plain,
        }
    }

    /// Draws the boxes of a rank and the ways through it; gives the column behind them.
    fn rank(
        &self,
        canvas: &mut Canvas,
        places: &[usize],
        column: usize,
        rows: &[usize],
        owner: usize,
    ) -> usize {
        let boxes = || places.iter().filter_map(|p| self.labels.get(*p)).flat_map(|l| &l.rows);
        let names = boxes().map(|(_, name, _, _)| width(name)).max();
        let numbers = boxes().map(|(.., number)| width(number)).max().unwrap_or(0);
        let ways = places.iter().filter(|p| self.labels.get(**p).is_none());
        let label = |p: &usize| self.way(*p).map_or(0, |text| width(&text) + 4);
        let through = ways.map(label).max().unwrap_or(0);
        let whole = names.map_or(0, |names| 2 + names + 2 + numbers);
        let end = column + whole.max(through);
        for (k, &place) in places.iter().enumerate() {
            let row = rows[place];
            let Some(label) = self.labels.get(place) else {
                if let Some(edge) = self.layout.places[place].edge.filter(|_| end > column) {
                    canvas.across(row, column, end - 1, owner + k, self.stroke(edge));
                    canvas.reach(row, column, true);
                    canvas.reach(row, end - 1, false);
                    if let Some(text) = self.way(place) {
                        canvas.text(row, column + 1, Role::Value, &format!(" {text} "));
                    }
                }
                continue;
            };
            canvas.text(row, column, Role::Plain, &label.sign.to_string());
            if self.lit.node == Some(place) {
                canvas.text(row, column + 1, Role::User, "[");
                canvas.text(row, end, Role::User, "]");
            }
            for (at, (role, name, other, number)) in label.rows.iter().enumerate() {
                canvas.text(row + at, column + 2, *role, name);
                canvas.text(row + at, end - width(number), *other, number);
            }
        }
        end
    }

    /// Where the slope of an edge is written: at its beginning where nothing else begins there, at its end
    /// where nothing else ends there, else on its way.
    fn written(&self, edge: usize) -> Written {
        let (from, to) = (self.level.edges[edge].from, self.level.edges[edge].to);
        if self.level.uses(from).count() == 1 {
            Written::First
        } else if self.level.inputs(to).count() == 1 {
            Written::Last
        } else {
            Written::Way
        }
    }

    /// The slope that is written on a way.
    fn way(&self, place: usize) -> Option<String> {
        let edge = self.layout.places[place].edge?;
        let first = self.layout.places.iter().position(|p| p.edge == Some(edge));
        let here = self.written(edge) == Written::Way && first == Some(place);
        let text = slope(self.level, edge, self.style);
        (here && !text.is_empty()).then_some(text)
    }

    /// The slope that is written on a piece, left and right of the line down.
    fn beside(&self, piece: &Piece) -> [Option<String>; 2] {
        let edge = &self.level.edges[piece.edge];
        let text = Some(slope(self.level, piece.edge, self.style)).filter(|text| !text.is_empty());
        match self.written(piece.edge) {
            Written::First if piece.from == edge.from => [text, None],
            Written::Last if piece.to == edge.to => [None, text],
            _ => [None, None],
        }
    }

    fn stars(&self, rank: usize, rows: &[usize]) -> Vec<Star> {
        let here = |piece: &&Piece| self.layout.places[piece.from].rank == rank;
        let pieces: Vec<&Piece> = self.layout.pieces.iter().filter(here).collect();
        let mut begins: HashMap<usize, usize> = HashMap::new();
        for piece in &pieces {
            *begins.entry(piece.from).or_default() += 1;
        }
        // By where they part, where several do; else by where they meet.
        let mut stars: Vec<((bool, usize), Star)> = Vec::new();
        for piece in pieces {
            let parts = begins[&piece.from] > 1;
            let key = (parts, if parts { piece.from } else { piece.to });
            let at = stars.iter().position(|(k, _)| *k == key).unwrap_or_else(|| {
                let star =
                    Star { pieces: Vec::new(), left: Vec::new(), right: Vec::new(), track: 0 };
                stars.push((key, star));
                stars.len() - 1
            });
            let star = &mut stars[at].1;
            star.pieces.push(*piece);
            star.left.push(rows[piece.from]);
            star.right.push(rows[piece.to]);
        }
        stars.into_iter().map(|(_, star)| star).collect()
    }

    /// Draws the edges between two ranks; gives the column where the next rank begins.
    fn channel(&self, canvas: &mut Canvas, stars: &[Star], start: usize, owner: usize) -> usize {
        if stars.is_empty() {
            return start;
        }
        let widest = |side: usize| {
            let texts = stars.iter().flat_map(|s| &s.pieces).map(|p| self.beside(p));
            texts.filter_map(|t| t[side].as_ref().map(|t| width(t) + 4)).max().unwrap_or(1)
        };
        let (left, right) = (widest(0), widest(1));
        let tracks = stars.iter().filter(|s| !s.is_straight()).map(|s| s.track + 1).max();
        let first = start + 1 + left;
        let after = first + tracks.map_or(1, |n| 2 * n - 1);
        let arrow = after + right;
        for (k, star) in stars.iter().enumerate() {
            let owner = owner + k;
            let strokes = star.pieces.iter().map(|p| self.stroke(p.edge));
            let trunk = strokes.max().unwrap_or(Stroke::Plain);
            let column = first + 2 * star.track;
            for piece in &star.pieces {
                let at = star.pieces.iter().position(|p| p == piece).unwrap_or(0);
                let (from, to) = (star.left[at], star.right[at]);
                let stroke = self.stroke(piece.edge);
                let parts = star.left.iter().all(|row| *row == star.left[0]);
                let meets = star.right.iter().all(|row| *row == star.right[0]);
                let begin = match self.layout.places[piece.from].edge {
                    Some(_) => start,
                    None => start + 1,
                };
                canvas.across(from, begin, column, owner, if parts { trunk } else { stroke });
                canvas.across(to, column, arrow, owner, if meets { trunk } else { stroke });
                canvas.reach(from, begin, true);
                let heavy = stroke == Stroke::Heavy && star.pieces.len() > 1;
                let (low, high) = (from.min(to), from.max(to));
                canvas.down(column, low, high, owner, if heavy { stroke } else { trunk });
            }
        }
        for piece in stars.iter().flat_map(|star| &star.pieces) {
            let star = stars.iter().find(|star| star.pieces.contains(piece));
            let Some(star) = star else { continue };
            let at = star.pieces.iter().position(|p| p == piece).unwrap_or(0);
            let [before, behind] = self.beside(piece);
            if let Some(text) = before {
                canvas.text(star.left[at], start + 2, Role::Value, &format!(" {text} "));
            }
            if let Some(text) = behind {
                canvas.text(star.right[at], after + 1, Role::Value, &format!(" {text} "));
            }
            if self.layout.places[piece.to].edge.is_none() {
                canvas.text(star.right[at], arrow, Role::Plain, "▶");
            } else {
                canvas.reach(star.right[at], arrow, false);
                canvas.across(
                    star.right[at],
                    arrow,
                    arrow + 1,
                    owner + stars.len(),
                    self.stroke(piece.edge),
                );
                canvas.reach(star.right[at], arrow, true);
                canvas.reach(star.right[at], arrow + 1, false);
            }
        }
        arrow + 2
    }
}

#[derive(PartialEq, Eq)]
enum Written {
    First,
    Last,
    Way,
}

/// Gives each star that runs down a column of its own, so that no two lie on each other; None where they
/// would have to pass through each other.
fn tracks(stars: &mut [Star]) -> Option<()> {
    let n = stars.len();
    // The line into a row from the left ends before the line out of it to the right begins.
    let before = |a: &Star, b: &Star| a.left.iter().any(|row| b.right.contains(row));
    let mut rest: Vec<usize> = (0..n).filter(|k| !stars[*k].is_straight()).collect();
    let mut placed: Vec<usize> = Vec::new();
    while !rest.is_empty() {
        let free = |k: &usize| !rest.iter().any(|o| o != k && before(&stars[*o], &stars[*k]));
        let at = rest.iter().position(free)?;
        let k = rest.remove(at);
        let (low, high) = stars[k].reaches();
        let conflicts = |other: &usize| {
            let (a, b) = stars[*other].reaches();
            (a <= high && low <= b).then_some(stars[*other].track + 1)
        };
        stars[k].track = placed.iter().filter_map(conflicts).max().unwrap_or(0);
        placed.push(k);
    }
    Some(())
}
