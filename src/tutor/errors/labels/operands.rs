//! An operator whose operands do not fit: each shape under its expression.

use vjp_backward::weight_labels::{help, shape};
use vjp_eval::{Halt, Help, Machine, Value};
use vjp_syntax::ast::{BinaryOp, Link};
use vjp_text::Span;
use vjp_text::words::count;

/// An operator whose operands do not fit: each shape under its expression.
pub fn operands(
    m: &mut Machine,
    mut halt: Halt,
    link: &Link,
    operands: [(&Value, Span); 2],
) -> Halt {
    if halt.raised().span.is_some() || halt.kind().is_stop() {
        return halt;
    }
    let shapes: Vec<Vec<usize>> =
        operands.iter().filter_map(|(v, _)| Some(vjp_eval::leaf::existing(v)?.shape())).collect();
    let [left, right] = shapes.as_slice() else {
        return halt;
    };
    let texts: Vec<String> =
        operands.iter().map(|(_, span)| m.source().slice(*span).to_string()).collect();
    let named = |k: usize, s: &[usize]| {
        let what = match s {
            [] => "a number".to_string(),
            _ => shape(s),
        };
        match texts[k].chars().count() <= 12 {
            true if s.is_empty() => format!("{} is {what}", texts[k]),
            true => format!("{} has shape {what}", texts[k]),
            false => what,
        }
    };
    let (mut first, mut second) = (named(0, left), named(1, right));
    let rows = right[right.len().saturating_sub(2)..].first().copied();
    if link.op == BinaryOp::MatMul
        && let ([.., inner], Some(rows)) = (left.as_slice(), rows)
        && *inner != rows
    {
        first = format!(
            "{first}: {}; they must be equal",
            count(*inner, if left.len() == 1 { "element" } else { "column" })
        );
        second =
            format!("{second}: {}", count(rows, if right.len() == 1 { "element" } else { "row" }));
        halt.told().help.extend(transposed(left, right, &texts));
    }
    halt = halt.place(link.op_span);
    let told = halt.told();
    told.more.push((operands[0].1, first));
    told.more.push((operands[1].1, second));
    halt
}

/// A product that is possible with one of two matrices turned over.
fn transposed(left: &[usize], right: &[usize], texts: &[String]) -> Option<Help> {
    let (&[m, k], &[p, q]) = (left, right) else {
        return None;
    };
    let simple =
        |t: &str| t.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']'));
    if !texts.iter().all(|t| simple(t)) {
        return None;
    }
    // Turned over twice is as it was.
    let turned = |text: &str| text.strip_suffix(".T").map_or(format!("{text}.T"), str::to_owned);
    if m == p {
        let code = format!("{} @ {}", turned(&texts[0]), texts[1]);
        return Some(help(code, format!("multiplies {} by {}", shape(&[k, m]), shape(&[p, q]))));
    }
    (k == q).then(|| {
        let code = format!("{} @ {}", texts[0], turned(&texts[1]));
        help(code, format!("multiplies {} by {}", shape(&[m, k]), shape(&[q, p])))
    })
}
