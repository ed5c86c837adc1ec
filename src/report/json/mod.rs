//! Events as JSON, one object per line, with all digits.

pub(crate) mod answers;

use crate::matrix::grid;
use crate::panel::formula::holds;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use serde_json::{Map, Value, json};
use vjp_eval::record::event::{
    Cause, EdgeReport, MatrixEvent, Plot, Remark, Routes, Shown, ValueEvent,
};
use vjp_eval::{Backward, Event, Fault, Help, LeafReport, Note};
use vjp_jacobian::{Entry, Jacobian};
use vjp_maths::Expr;
use vjp_maths::symbol::formula::{Style, write};
use vjp_tensor::{Dtype, Tensor};
use vjp_text::visible;

/// A matrix of more entries is null; its structure's own entries stand beside it.
const ENTRIES: usize = 1_000_000;

/// Formulas of a matrix take at most so many bytes together.
const FORMULAS: usize = 1_000_000;

/// Integers up to here are exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The event as one line, its newline included.
pub fn line(event: &Event) -> String {
    // A page writes none, and need not know how.
    if cfg!(target_arch = "wasm32") {
        return String::new();
    }
    written(&object(event))
}

/// A value as one line; what cannot be seen in its texts stands there by its number.
pub fn written(value: &Value) -> String {
    format!("{}\n", visible::in_json(&value.to_string()))
}

/// The JSON object of an event.
pub fn object(event: &Event) -> Value {
    match event {
        Event::Value(event) => value(event),
        Event::Backward(event) => backward(event),
        Event::Matrix(event) => matrix(event),
        Event::Routes(event) => routes(event),
        Event::Answer(answer) => crate::json::answers::answer(answer),
        Event::Plot(event) => plot(event),
        Event::Print(text) => json!({"event": "print", "text": text}),
        Event::PrintError(text) => json!({"event": "print", "text": text, "stream": "stderr"}),
        Event::Note(event) => note(event),
        Event::Error(event) => fault(event),
        Event::Ended => Value::Null,
    }
}

fn plot(event: &Plot) -> Value {
    let list = |all: &[f64]| all.iter().map(|v| number(*v)).collect::<Vec<_>>();
    let series = event.series.iter().map(|s| {
        let mut one = json!({"kind": format!("{:?}", s.mark).to_lowercase(), "label": s.label, "x": list(&s.x), "y": list(&s.y), "names": s.names});
        if !s.shades.is_empty() {
            one["shades"] = json!(list(&s.shades));
        }
        one
    });
    let series: Vec<Value> = series.collect();
    json!({"event": "plot", "title": event.title, "xlabel": event.x_label, "ylabel": event.y_label, "series": series})
}

/// A number: integral ones as integers, what JSON cannot say as a string.
pub fn number(x: f64) -> Value {
    if x.is_nan() {
        json!("nan")
    } else if x.is_infinite() {
        json!(if x > 0.0 { "inf" } else { "-inf" })
    } else if x.fract() == 0.0 && x.abs() <= EXACT {
        json!(x as i64)
    } else {
        json!(x)
    }
}

/// An int as the number of JSON next to it.
pub(super) fn whole(n: &BigInt) -> Value {
    n.to_i64().map_or_else(|| number(n.to_f64().unwrap_or(f64::NAN)), Value::from)
}

/// A nested list of the tensor's shape; a plain number for a 0-d one.
pub(super) fn tensor(tensor: &Tensor) -> Value {
    let bools = tensor.dtype() == Dtype::Bool;
    let element = |x: &f64| {
        if bools { json!(*x != 0.0) } else { number(*x) }
    };
    let all = match tensor.long() {
        Some(all) => all.iter().map(|v| json!(v)).collect(),
        None => tensor.data().iter().map(element).collect(),
    };
    nested(all, tensor.shape())
}

/// A flat row-major list in a shape, innermost dimension first.
fn nested(flat: Vec<Value>, shape: &[usize]) -> Value {
    // So many empty lists say no more than the shape beside them.
    let lists = shape.iter().take_while(|n| **n > 0).try_fold(1usize, |all, n| all.checked_mul(*n));
    if flat.is_empty() && lists.is_none_or(|n| n > ENTRIES) {
        return json!([]);
    }
    let mut level = flat;
    for (k, &n) in shape.iter().enumerate().rev() {
        let outer: usize = shape[..k].iter().product();
        let mut rest = level.into_iter();
        level = (0..outer).map(|_| Value::Array(rest.by_ref().take(n).collect())).collect();
    }
    level.into_iter().next().unwrap_or_else(|| json!([]))
}

fn value(event: &ValueEvent) -> Value {
    let mut object = Map::new();
    object.insert("event".to_string(), json!("value"));
    object.insert("name".to_string(), json!(event.name));
    match &event.shown {
        Shown::Tensor(t) => {
            object.insert("shape".to_string(), json!(t.shape()));
            object.insert("data".to_string(), tensor(t));
        }
        Shown::Int(n) => {
            object.insert("shape".to_string(), json!([]));
            object.insert("data".to_string(), whole(n));
            // A reader of JSON takes numbers for floats: all digits stand beside it.
            if n.bits() > 63 {
                object.insert("text".to_string(), json!(n.to_string()));
            }
        }
        Shown::Text(text) | Shown::Repr(text) => {
            object.insert("text".to_string(), json!(text));
        }
    }
    if matches!(event.remark, Some(Remark::Leaf { .. })) {
        object.insert("leaf".to_string(), json!(true));
    }
    Value::Object(object)
}

fn backward(event: &Backward) -> Value {
    let (line, column) = event.source.position(event.span.start);
    let leaves: Vec<Value> = event.leaves.iter().map(|l| leaf(event, l)).collect();
    let unreached: Vec<Value> =
        event.unreached.iter().map(|u| json!({"name": u.name, "cut": u.cut})).collect();
    let corners: Vec<Value> = event
        .corners
        .iter()
        .map(|c| {
            json!({"op": c.op, "leaf": event.leaves.get(c.leaf).map(|l| &l.name), "element": c.element,
                "at": number(c.at), "left": number(c.left), "right": number(c.right), "taken": number(c.taken)})
        })
        .collect();
    let edge = |e: &EdgeReport| {
        let values = e.values.map(|all| all.map(number));
        json!({"leaf": event.leaves.get(e.leaf).map(|l| &l.name), "row": e.row, "column": e.column,
            "at": number(e.at), "slopes": e.slopes.map(number), "taken": number(e.taken),
            "values": values})
    };
    let edges: Vec<Value> = event.edges.iter().map(edge).collect();
    let causes: Vec<Value> = event.causes.iter().map(cause).collect();
    json!({
        "event": "backward",
        "output": event.output,
        "shape": event.value.shape(),
        "value": tensor(&event.value),
        "v": tensor(&event.v),
        "implicit": event.implicit,
        "repeated": event.repeated,
        "leaves": leaves,
        "unreached": unreached,
        "corners": corners,
        "edges": edges,
        "trial": event.trial.is_some(),
        "causes": causes,
        "line": line,
        "column": column,
    })
}

fn cause(cause: &Cause) -> Value {
    match cause {
        Cause::BranchNotTaken { op, formula, received, slope, repair } => {
            json!({"cause": "branch not taken", "op": op, "slope_formula": formula,
            "received": tensor(received), "slope": tensor(slope), "repair": repair})
        }
        Cause::Text { leaf, at, rule, text, .. } => {
            json!({"cause": "text", "leaf": leaf, "element": at, "rule": number(*rule),
                "text": number(*text)})
        }
        Cause::Rounding { leaf, at, rule, text, .. } => {
            json!({"cause": "rounding", "leaf": leaf, "element": at, "rule": number(*rule),
                "text": number(*text)})
        }
        Cause::Triangle { leaf, at, rule, text, op, .. } => {
            json!({"cause": "triangle", "leaf": leaf, "element": at, "rule": number(*rule),
                "text": number(*text), "op": op})
        }
        Cause::Fixed { leaf, at, rule, text, by, .. } => {
            json!({"cause": "fixed", "leaf": leaf, "element": at, "rule": number(*rule),
                "text": number(*text), "by": by})
        }
        Cause::Hook { name } => json!({"cause": "hook", "name": name}),
        Cause::Magnified { code, output, weighted, error } => {
            json!({"cause": "magnified", "code": code, "output": output, "weighted": weighted,
                "error": number(*error)})
        }
        Cause::Changed { leaf, output } => {
            json!({"cause": "changed", "leaf": leaf, "output": output})
        }
    }
}

fn leaf(event: &Backward, leaf: &LeafReport) -> Value {
    let repeat = if event.repeated { event.v.numel() } else { 1 };
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| {
        object.insert(key.to_string(), value);
    };
    put("name", json!(leaf.name));
    put("earlier", json!(leaf.earlier));
    put("shape", json!(leaf.value.shape()));
    // At a point where the formula has no value, or another, J is not it.
    let symbolic = leaf.symbolic.get().filter(|s| holds(event, leaf, s));
    for (key, value) in entries(&leaf.jacobian, symbolic, repeat, "jacobian") {
        put(key, value);
    }
    put("vjp", tensor(&leaf.vjp));
    put("contribution", tensor(&leaf.contribution));
    put("grad", tensor(&leaf.grad));
    let before = leaf.grad_before.as_ref();
    put("grad_before", before.map_or(Value::Null, tensor));
    put("agrees", json!(leaf.agrees));
    put("max_difference", number(leaf.max_difference));
    if let Some(method) = leaf.method {
        put("method", json!(method));
    }
    Value::Object(object)
}

/// `:check`: each leaf by three routes; the entry of J that is furthest off, by rows and columns.
fn routes(event: &Routes) -> Value {
    let leaves: Vec<Value> = event
        .leaves
        .iter()
        .map(|l| {
            let differences: Vec<Value> =
                l.differences.iter().map(|(at, x)| json!([at, number(*x)])).collect();
            let worst = l.worst.map(|w| {
                json!({"row": w.row, "column": w.column, "rule": number(w.rule),
                    "difference": number(w.difference), "off": number(w.off)})
            });
            json!({"name": l.name, "sweep": tensor(&l.sweep), "vjp": tensor(&l.vjp),
                "differences": differences, "entries": l.entries, "worst": worst,
                "kinks": l.kinks, "breaks": l.breaks, "jumps": l.jumps, "agrees": l.agrees()})
        })
        .collect();
    json!({"event": "routes", "output": event.output, "leaves": leaves})
}

/// A matrix, its symbols and its structure as fields.
fn entries<'a>(
    j: &Jacobian<f64>,
    symbolic: Option<&Jacobian<Expr>>,
    repeat: usize,
    name: &'a str,
) -> Vec<(&'a str, Value)> {
    let rows = j.rows * repeat;
    let small = rows.saturating_mul(j.columns) <= ENTRIES;
    let row_of = |i: usize| if repeat > 1 { i % j.rows.max(1) } else { i };
    let mut fields = vec![];
    let numbers = small.then(|| {
        let row = |i: usize| -> Value {
            (0..j.columns).map(|k| number(grid::number(&grid::entry(j, row_of(i), k)))).collect()
        };
        (0..rows).map(row).collect::<Value>()
    });
    fields.push((name, numbers.unwrap_or(Value::Null)));
    let formulas = symbolic.filter(|_| small).and_then(|s| formulas(s, rows, row_of));
    fields.push(("symbolic", formulas.unwrap_or(Value::Null)));
    fields.push(("structure", json!(grid::structure(j))));
    if !small {
        match grid::diagonal(j) {
            Some(diagonal) => {
                fields.push(("diagonal", diagonal.into_iter().map(number).collect()));
            }
            None => {
                let (mut rows, mut columns, mut values) = (vec![], vec![], vec![]);
                for (i, k, x) in grid::triplets(j) {
                    rows.push(json!(i));
                    columns.push(json!(k));
                    values.push(number(x));
                }
                fields.push(("rows", Value::Array(rows)));
                fields.push(("columns", Value::Array(columns)));
                fields.push(("values", Value::Array(values)));
            }
        }
    }
    fields
}

/// Formulas in code notation; None where one is unknown or they are too long together.
fn formulas(s: &Jacobian<Expr>, rows: usize, row_of: impl Fn(usize) -> usize) -> Option<Value> {
    let mut size = 0;
    let mut matrix = Vec::with_capacity(rows);
    for i in 0..rows {
        let mut row = Vec::with_capacity(s.columns);
        for k in 0..s.columns {
            let text = match grid::entry(s, row_of(i), k) {
                Entry::Absent | Entry::Unchosen => "0".to_string(),
                Entry::Value(expr) => write(&expr, Style::Code)?,
            };
            size += text.len() + 3;
            if size > FORMULAS {
                return None;
            }
            row.push(Value::String(text));
        }
        matrix.push(Value::Array(row));
    }
    Some(Value::Array(matrix))
}

fn matrix(event: &MatrixEvent) -> Value {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| {
        object.insert(key.to_string(), value);
    };
    put("event", json!("matrix"));
    put("output", json!(event.output));
    put("leaf", json!(event.leaf));
    put("order", json!(event.order));
    put("row_shape", json!(event.row_shape));
    put("column_shape", json!(event.column_shape));
    for (key, value) in entries(&event.matrix, event.symbolic.as_ref(), 1, "matrix") {
        put(key, value);
    }
    Value::Object(object)
}

fn helps(help: &[Help]) -> Value {
    help.iter().map(|h| json!({"code": h.code, "says": h.says})).collect()
}

pub(super) fn note(event: &Note) -> Value {
    let mut object = json!({"event": "note", "text": event.text, "help": helps(&event.help)});
    // The code that it speaks of, and what stands under the caret.
    if let (Some((span, label)), Some(source)) = (&event.at, &event.source) {
        object["code"] = json!(source.get(span.start as usize..span.end as usize));
        object["label"] = json!(label);
    }
    object
}

fn fault(event: &Fault) -> Value {
    let (line, column) = event.source.position(event.span.start);
    // One text for those who read one: what is wrong here, then the first way out.
    let first = event.help.first().map(|h| match (h.code.as_str(), h.says.as_str()) {
        (code, "") => code.to_owned(),
        ("", says) => says.to_owned(),
        (code, says) => format!("{code}: {says}"),
    });
    let parts: Vec<String> = event.label.iter().cloned().chain(first).collect();
    let hint = (!parts.is_empty()).then(|| parts.join("; "));
    json!({
        "event": "error",
        "kind": event.class,
        "message": event.message,
        "line": line,
        "column": column,
        "hint": hint,
        "label": event.label,
        "help": helps(&event.help),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integral_numbers_are_integers() {
        assert_eq!(number(6.0).to_string(), "6");
        assert_eq!(number(-0.0).to_string(), "0");
        assert_eq!(number(0.1).to_string(), "0.1");
        assert_eq!(number(1e300).to_string(), "1e+300");
        assert_eq!(number(f64::NAN).to_string(), "\"nan\"");
        assert_eq!(number(f64::NEG_INFINITY).to_string(), "\"-inf\"");
    }

    #[test]
    fn lists_have_the_tensors_shape() {
        let t = |shape: &[usize], n: usize| Tensor::new(shape, (0..n).map(|i| i as f64).collect());
        assert_eq!(tensor(&t(&[], 1)).to_string(), "0");
        assert_eq!(tensor(&t(&[2, 2], 4)).to_string(), "[[0,1],[2,3]]");
        assert_eq!(tensor(&t(&[2, 1, 2], 4)).to_string(), "[[[0,1]],[[2,3]]]");
        assert_eq!(tensor(&t(&[0], 0)).to_string(), "[]");
        assert_eq!(tensor(&t(&[2, 0], 0)).to_string(), "[[],[]]");
        assert_eq!(tensor(&t(&[0, 2], 0)).to_string(), "[]");
    }

    #[test]
    fn values_texts_and_prints() {
        let event = ValueEvent {
            name: Some("y".to_string()),
            shown: Shown::Tensor(Tensor::new(&[2], vec![3.0, 12.0])),
            remark: None,
        };
        assert_eq!(
            line(&Event::Value(event)),
            "{\"event\":\"value\",\"name\":\"y\",\"shape\":[2],\"data\":[3,12]}\n"
        );
        let event = ValueEvent { name: None, shown: Shown::Text("'a'".to_string()), remark: None };
        assert_eq!(
            line(&Event::Value(event)),
            "{\"event\":\"value\",\"name\":null,\"text\":\"'a'\"}\n"
        );
        assert_eq!(
            line(&Event::Print("a\n".to_string())),
            "{\"event\":\"print\",\"text\":\"a\\n\"}\n"
        );
    }
}
