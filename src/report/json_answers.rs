//! Answers of commands as JSON.

use super::json::tensor;
use crate::eval::asked::{Answer, WhatIf};
use crate::eval::event::Shown;
use serde_json::{Value, json};

/// The JSON object of an answer.
pub fn answer(answer: &Answer) -> Value {
    match answer {
        Answer::WhatIf(event) => what_if(event),
    }
}

fn what_if(event: &WhatIf) -> Value {
    let side = |shown: &Option<Shown>| match shown {
        None => Value::Null,
        Some(Shown::Tensor(t)) => tensor(t),
        Some(Shown::Int(n)) => json!(n),
        Some(Shown::Text(text)) => json!(text),
    };
    let changes = event.changes.iter();
    let changes: Vec<Value> = changes
        .map(|c| json!({"name": c.name, "now": side(&c.now), "then": side(&c.then)}))
        .collect();
    json!({"event": "what_if", "code": event.code, "changes": changes})
}
