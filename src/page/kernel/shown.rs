//! What a cell shows: prints as streams, drawings as HTML or pictures with their text beside.

use crate::answers::Outgoing;
use crate::message::Message;
use serde_json::{Value, json};
use tokio::sync::mpsc::Sender;
use vjp_page::{COLOURS, WORDS};
use vjp_report::terminal::html::{html, pictured};
use vjp_report::terminal::theme;
use vjp_report::{Ink, Painted, Stream};
use vjp_tensor::Kind;

/// Sends what a cell shows while it runs.
pub struct Shown {
    out: Sender<Outgoing>,
    /// The request of the cell; none: nobody is told anything.
    pub cell: Option<Message>,
    pub count: u64,
    /// The error that ended it.
    pub error: Option<Value>,
}

impl Shown {
    pub fn new(out: Sender<Outgoing>) -> Shown {
        Shown { out, cell: None, count: 0, error: None }
    }

    pub fn take(&mut self, stream: Stream, ink: Ink<'_>) {
        match ink {
            Ink::Printed(text) => {
                let name = match stream {
                    Stream::Out => "stdout",
                    Stream::Err => "stderr",
                };
                self.tell("stream", json!({"name": name, "text": text}));
            }
            Ink::Drawn(drawing) => self.display(drawing, "display_data"),
            Ink::Value(drawing) => self.display(drawing, "execute_result"),
            Ink::Error(fault, drawing) => {
                let lines = theme::for_a_terminal(drawing);
                let lines: Vec<&str> = lines.as_str().lines().collect();
                let name = match fault.kind {
                    Kind::Interrupted => "KeyboardInterrupt",
                    _ => &fault.class,
                };
                let error = json!({"ename": name, "evalue": fault.message, "traceback": lines});
                self.tell("error", error.clone());
                self.error = Some(error);
            }
        }
    }

    fn tell(&self, kind: &str, content: Value) {
        if let Some(cell) = &self.cell {
            let _ = self.out.blocking_send(Outgoing::Told(cell.told(kind, content)));
        }
    }

    fn display(&self, drawing: &Painted, kind: &str) {
        let send = |data: Value| {
            let mut content = json!({"data": data, "metadata": {}, "transient": {}});
            if kind == "execute_result" {
                content["execution_count"] = self.count.into();
            }
            self.tell(kind, content);
        };
        let Some(picture) = pictured(drawing) else {
            return send(data(drawing));
        };
        let mut shown = json!({picture.format.name(): picture.picture});
        if picture.more {
            send(shown);
            return send(data(&picture.text));
        }
        shown["text/plain"] = plain(&picture.text).into();
        send(shown);
    }
}

fn plain(drawing: &Painted) -> String {
    let text = drawing.in_signs();
    text.strip_suffix('\n').unwrap_or(&text).to_owned()
}

/// A drawing as text, and in its colours where it has any.
fn data(drawing: &Painted) -> Value {
    let mut data = json!({"text/plain": plain(drawing)});
    let inside = html(drawing);
    if inside.contains("</span>") {
        // Classes of ours mean nothing outside: a notebook has others.
        let colours = COLOURS.replace(":root", ".vjp");
        let dark =
            "[data-jp-theme-light=\"false\"] pre.vjp, .vscode-dark pre.vjp { color-scheme: dark; }";
        data["text/html"] = format!(
            "<style>\npre.vjp {{\n  color-scheme: light; font-family: var(--signs); line-height: 1.3;\n  \
             padding: 0 var(--jp-code-padding, 5px);\n}}\n{dark}\n{colours}.vjp {{\n{WORDS}}}\n</style>\
             <pre class=\"vjp\">{}</pre>",
            inside.trim_matches('\n')
        )
        .into();
    }
    data
}
