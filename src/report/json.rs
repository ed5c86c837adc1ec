//! Events as JSON, one object per line.

use crate::eval::event::Event;
use serde_json::{Value, json};

/// The JSON object of an event.
pub fn object(event: &Event) -> Value {
    match event {
        Event::Print(text) => json!({"event": "print", "text": text}),
        _ => json!({}),
    }
}

/// The event as one line, its newline included.
pub fn line(event: &Event) -> String {
    format!("{}\n", object(event))
}
