//! The requests of Jupyter, answered one after the other by the shell that the prompt has.

use crate::message::{Message, VERSION};
use crate::shown::Shown;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::mpsc::Receiver;
use tokio::sync::mpsc::Sender;
use vjp_report::{Ink, Stream};
use vjp_session::Step;
use vjp_shell::replay::cells;
use vjp_shell::replay::notebook::{self, Whole};
use vjp_shell::session_options::Common;
use vjp_shell::{Ended, Shell};

/// A message on its way.
pub enum Outgoing {
    /// To whoever asked.
    Reply(Message),
    /// To everybody.
    Told(Message),
}

/// Evaluates what is asked for, with the state between.
pub struct Kernel {
    shell: Shell,
    shown: Rc<RefCell<Shown>>,
    out: Sender<Outgoing>,
}

impl Kernel {
    pub fn new(common: Common, out: Sender<Outgoing>) -> Kernel {
        let shown = Rc::new(RefCell::new(Shown::new(out.clone())));
        let taker = Rc::clone(&shown);
        let take = move |stream: Stream, ink: Ink<'_>| taker.borrow_mut().take(stream, ink);
        Kernel { shell: notebook::shell(common, Box::new(take)), shown, out }
    }

    /// Answers until nobody asks.
    pub fn serve(&mut self, requests: &Receiver<Message>) {
        while let Ok(request) = requests.recv() {
            let waiting = self.attend(&request, requests);
            for request in waiting {
                self.attend(&request, requests);
            }
        }
    }

    /// Answers a request; where a cell failed, also those cells that were to run after it, and gives what else
    /// waits.
    fn attend(&mut self, request: &Message, requests: &Receiver<Message>) -> Vec<Message> {
        self.send(Outgoing::Told(status(request, "busy")));
        let (content, failed) = self.answer(request);
        // What comes after the answer was asked for in view of it.
        let waiting = if failed { requests.try_iter().collect() } else { Vec::new() };
        if let Some(content) = content {
            self.send(Outgoing::Reply(request.reply(content)));
        }
        self.send(Outgoing::Told(status(request, "idle")));
        let (cells, others): (Vec<_>, Vec<_>) =
            waiting.into_iter().partition(|waiting: &Message| waiting.kind() == "execute_request");
        for cell in cells {
            self.send(Outgoing::Told(status(&cell, "busy")));
            self.send(Outgoing::Reply(cell.reply(json!({"status": "aborted"}))));
            self.send(Outgoing::Told(status(&cell, "idle")));
        }
        others
    }

    fn send(&self, message: Outgoing) {
        // Where nobody takes it, the process ends.
        let _ = self.out.blocking_send(message);
    }

    /// The answer, if there is one, and whether a cell failed so that those after it are not to run.
    fn answer(&mut self, request: &Message) -> (Option<Value>, bool) {
        let code = request.content["code"].as_str().unwrap_or_default();
        let at = place(code, &request.content["cursor_pos"]);
        let mut content = match request.kind() {
            "execute_request" => {
                let (content, failed) = self.execute(request, code);
                return (Some(content), failed);
            }
            "kernel_info_request" => about(),
            "is_complete_request" => return (Some(self.whole(code)), false),
            "complete_request" => self.completions(code, at),
            "inspect_request" => {
                let found = notebook::about(&self.shell, code, at);
                let data = found.as_ref().map_or(json!({}), |text| json!({"text/plain": text}));
                json!({"found": found.is_some(), "data": data, "metadata": {}})
            }
            "history_request" => json!({"history": self.history(&request.content)}),
            "comm_info_request" => json!({"comms": {}}),
            _ => return (None, false),
        };
        content["status"] = "ok".into();
        (Some(content), false)
    }

    fn whole(&self, code: &str) -> Value {
        match notebook::whole(&self.shell, code) {
            Whole::Yes => json!({"status": "complete"}),
            Whole::Open(blanks) => json!({"status": "incomplete", "indent": " ".repeat(blanks)}),
            Whole::Wrong => json!({"status": "invalid"}),
        }
    }

    fn execute(&mut self, request: &Message, code: &str) -> (Value, bool) {
        let flag = |name: &str, usual: bool| request.content[name].as_bool().unwrap_or(usual);
        let silent = flag("silent", false);
        let kept = !silent && flag("store_history", true);
        let count = {
            let mut shown = self.shown.borrow_mut();
            shown.count += u64::from(kept);
            shown.cell = (!silent).then(|| request.clone());
            shown.error = None;
            shown.count
        };
        if !silent {
            let input = json!({"code": code, "execution_count": count});
            self.send(Outgoing::Told(request.told("execute_input", input)));
        }
        let ended = self.shell.input(code).0;
        let mut content = match (ended, self.shown.borrow_mut().error.take()) {
            (Ended::Well, _) => json!({"status": "ok", "user_expressions": {}}),
            (_, Some(mut error)) => {
                error["status"] = "error".into();
                error
            }
            // The program ended itself.
            _ => json!({"status": "error", "ename": "SystemExit", "evalue": "", "traceback": []}),
        };
        content["execution_count"] = count.into();
        content["payload"] = match notebook::leaves(&mut self.shell) {
            true => json!([{"source": "ask_exit", "keepkernel": false}]),
            false => json!([]),
        };
        (content, ended != Ended::Well && flag("stop_on_error", true))
    }

    fn completions(&self, code: &str, at: usize) -> Value {
        let (start, choices) = cells::completions(&self.shell, code, at);
        let signs = |byte: usize| code[..byte].chars().count();
        let (start, end) = (signs(start), signs(at));
        let words: Vec<&String> = choices.iter().map(|(word, _)| word).collect();
        let kinds: Vec<Value> = choices
            .iter()
            .map(|(word, says)| json!({"start": start, "end": end, "text": word, "type": says}))
            .collect();
        json!({
            "matches": words,
            "cursor_start": start,
            "cursor_end": end,
            "metadata": {"_jupyter_types_experimental": kinds},
        })
    }

    /// Inputs of this session: the last, those of a range, those that a pattern fits.
    fn history(&self, asked: &Value) -> Vec<Value> {
        let steps = self.shell.view.transcript().map_or(&[][..], |all| &all.steps);
        let number = |name: &str| asked[name].as_i64();
        let pattern = asked["pattern"].as_str().unwrap_or("*");
        let mut found: Vec<(usize, &Step)> =
            steps.iter().enumerate().map(|(k, s)| (k + 1, s)).collect();
        let mut most = number("n").map_or(usize::MAX, |n| n.max(0) as usize);
        match asked["hist_access_type"].as_str() {
            Some("range") => {
                let here = matches!(number("session"), None | Some(0));
                let (from, to) = (number("start").unwrap_or(0), number("stop").unwrap_or(i64::MAX));
                found.retain(|(k, _)| here && (from..to).contains(&(*k as i64)));
                most = usize::MAX;
            }
            Some("search") => found.retain(|(_, step)| fits(&step.text(), pattern)),
            _ => {}
        }
        if asked["unique"] == true {
            let newest = |k: usize, step: &Step| !steps[k..].iter().any(|s| s.input == step.input);
            found.retain(|(k, step)| newest(*k, step));
        }
        let entry = |(k, step): &(usize, &Step)| match asked["output"] == true {
            true => json!([0, k, [step.text(), step.output.join("\n")]]),
            false => json!([0, k, step.text()]),
        };
        found[found.len().saturating_sub(most)..].iter().map(entry).collect()
    }
}

/// Whether a text fits a pattern of a shell: `*` and `?`.
fn fits(text: &str, pattern: &str) -> bool {
    let mut signs = pattern.chars();
    match signs.next() {
        None => text.is_empty(),
        Some('*') => {
            let ends = text.char_indices().map(|(k, _)| k).chain([text.len()]);
            ends.into_iter().any(|k| fits(&text[k..], signs.as_str()))
        }
        Some(sign) => {
            let mut own = text.chars();
            let first = own.next();
            first.is_some_and(|c| sign == '?' || sign == c) && fits(own.as_str(), signs.as_str())
        }
    }
}

/// The byte where the cursor is: Jupyter counts characters.
fn place(code: &str, cursor: &Value) -> usize {
    let signs = cursor.as_u64().map_or(usize::MAX, |n| n as usize);
    code.char_indices().nth(signs).map_or(code.len(), |(byte, _)| byte)
}

pub fn status(request: &Message, state: &str) -> Message {
    request.told("status", json!({"execution_state": state}))
}

/// What this kernel is.
pub fn about() -> Value {
    let version = env!("CARGO_PKG_VERSION");
    json!({
        "status": "ok",
        "protocol_version": VERSION,
        "implementation": "vjp",
        "implementation_version": version,
        "language_info": {
            "name": "vjp",
            "version": version,
            "mimetype": "text/x-python",
            "file_extension": ".vjp",
            "pygments_lexer": "python3",
            "codemirror_mode": {"name": "python", "version": 3},
        },
        "banner": format!("vjp {version}"),
        "help_links": [],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_those_of_a_shell() {
        let cases = [
            ("*", "x = 1", true),
            ("x*1", "x = 1", true),
            ("?", "x", true),
            ("", "x", false),
            ("*y*", "x = 1", false),
        ];
        for (pattern, text, wanted) in cases {
            assert_eq!(fits(text, pattern), wanted, "{pattern} {text}");
        }
        assert_eq!(place("∂y", &json!(1)), 3);
    }
}
