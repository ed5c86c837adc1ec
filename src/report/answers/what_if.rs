//! `:what-if`: each name that would change, with its value now and then.

use crate::matrix::element_names::Names;
use crate::terminal::line::width;
use crate::{Line, Role, Style, echo};
use vjp_eval::record::event::Shown;
use vjp_eval::record::questions::{Change, WhatIf};
use vjp_tensor::Tensor;
use vjp_text::digits::grouped;

const INDENT: usize = 2;
const GAP: usize = 3;

/// Significant digits by which two numbers are told apart.
const FEWEST: u8 = 4;
const MOST: u8 = 17;

/// Names that get a line; the rest are counted.
const NAMED: usize = 14;

/// The table and a sentence.
pub fn lines(event: &WhatIf, style: &Style) -> Vec<Line> {
    // What was typed is shown as it was typed.
    let typed = |c: &Change| event.code.split(['=', '[']).next().map(str::trim) == Some(&c.name);
    let styled = |c: &Change| Style { typed: typed(c), ..style.clone() };
    let shown = &event.changes[..event.changes.len().min(NAMED)];
    let names = shown.iter().map(|c| width(&c.name)).max().unwrap_or(0);
    let start = INDENT + names + GAP;
    let room = (style.frame().saturating_sub(start + GAP) / 2).max(8);
    let rows: Vec<(&Change, [String; 2])> =
        shown.iter().map(|c| (c, texts(c, room, &styled(c)))).collect();
    let widest = rows.iter().map(|(_, [now, _])| width(now)).max().unwrap_or(0).max(3);
    let second = start + widest + GAP;
    let mut all = Vec::new();
    if rows.is_empty() {
        return vec![Line::of(Role::Plain, "  nothing would change")];
    }
    let mut head = Line::new();
    head.pad(start).plain("now").pad(second).plain("with ");
    head.push(Role::User, cut(&event.code, style.frame().saturating_sub(second + 5)));
    all.push(head);
    for (change, [now, then]) in rows {
        let role = match change.name.ends_with(".grad") {
            true => Role::Cotangent,
            false => Role::Value,
        };
        let mut line = Line::new();
        line.pad(INDENT).push(Role::User, change.name.as_str());
        line.pad(start).push(role, now);
        line.pad(second).push(role, then);
        all.push(line);
    }
    if event.changes.len() > NAMED {
        let more = event.changes.len() - NAMED;
        let text = if more == 1 { "name" } else { "names" };
        all.push(Line::of(Role::Plain, format!("  … {more} more {text}")));
    }
    let same = match event.same {
        0 => String::new(),
        1 => "one other name would stay the same; ".to_string(),
        n => format!("{n} other names would stay the same; "),
    };
    all.push(Line::of(Role::Plain, format!("  {same}nothing was changed")));
    all
}

/// Whether two texts show the same numbers.
fn alike(a: &str, b: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(['[', ']', ',', ' ']).filter(|w| !w.is_empty());
        words.map(|w| w.parse::<f64>().map_or(w.to_owned(), |x| x.to_string())).collect()
    };
    words(a) == words(b)
}

/// Places of elements that are not the same.
fn differing<'a>(a: &'a Tensor, b: &'a Tensor) -> impl Iterator<Item = usize> + 'a {
    let both = a.data().iter().zip(b.data());
    both.enumerate().filter(|(_, (a, b))| a.to_bits() != b.to_bits()).map(|(k, _)| k)
}

/// Where an element stands, in code: `[0,2]`.
fn element(shape: &[usize], mut k: usize) -> String {
    let mut at: Vec<String> = Vec::with_capacity(shape.len());
    for n in shape.iter().rev() {
        at.push((k % n).to_string());
        k /= n;
    }
    at.reverse();
    format!("[{}]", at.join(","))
}

/// Both sides of a line; where they are too long to differ visibly, the first element that differs.
fn texts(change: &Change, room: usize, style: &Style) -> [String; 2] {
    let sides = [&change.now, &change.then];
    let [now, then] = sides.map(|side| text(side.as_ref(), room, style));
    if let (Some(Shown::Tensor(a)), Some(Shown::Tensor(b))) = (&change.now, &change.then)
        && a.shape() == b.shape()
        && now.iter().zip(&then).all(|(now, then)| alike(now, then))
        && let Some(k) = differing(a, b).next()
    {
        let others = match differing(a, b).count() - 1 {
            0 => String::new(),
            n => format!("   and {} more", grouped(n)),
        };
        let place = element(a.shape(), k);
        let name = Names::new(&change.name, a.shape(), style.ascii).full(k);
        let (a, b) = (a.data()[k], b.data()[k]);
        // As many digits as it takes to tell them apart.
        let pair = |digits: u8| [a, b].map(|x| vjp_text::digits::lone(x, Some(digits)));
        let apart = |[now, then]: &[String; 2]| !alike(now, then);
        let texts = (FEWEST..MOST).map(pair).find(apart).unwrap_or_else(|| pair(MOST));
        return match name == change.name {
            true => texts,
            false => {
                let named = |of: &str| texts.clone().map(|text| format!("{of} = {text}"));
                let fits = |both: &[String; 2]| both.iter().all(|text| width(text) <= room);
                let [now, then] = Some(named(&name)).filter(fits).unwrap_or_else(|| named(&place));
                [now, then + &others]
            }
        };
    }
    let large = |side: &Option<Shown>| match side {
        Some(Shown::Tensor(t)) => format!("shape {:?}", t.shape()),
        _ => String::new(),
    };
    [now.unwrap_or_else(|| large(&change.now)), then.unwrap_or_else(|| large(&change.then))]
}

fn text(shown: Option<&Shown>, room: usize, style: &Style) -> Option<String> {
    match shown {
        None => Some("–".to_string()),
        Some(Shown::Tensor(t)) => echo::on_one_line(t, room, style),
        Some(Shown::Int(n)) => Some(n.to_string()),
        Some(Shown::Text(text) | Shown::Repr(text)) => Some(cut(text, room)),
    }
}

/// The first line of a text, as much as fits.
fn cut(text: &str, room: usize) -> String {
    let first = text.lines().next().unwrap_or("");
    if width(first) <= room && first.len() == text.trim_end().len() {
        return first.to_string();
    }
    let mut kept = String::new();
    for c in first.chars() {
        if width(&kept) + 3 > room {
            break;
        }
        kept.push(c);
    }
    kept + " …"
}
