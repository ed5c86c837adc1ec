//! `vjp replay --cast`: a session as a recording of a terminal, an asciicast, as it would look if a person
//! typed it.

use crate::replay::cells;
use crate::session_options::Common;
use crate::view::Face;
use crate::{Ended, Shell};
use serde_json::json;
use std::io::{self, Write};
use vjp_report::{Painted, Style};
use vjp_session::replay::Role;
use vjp_session::transcript::prompted;
use vjp_session::{Player, Transcript};

/// Seconds: for a character that is typed where no speed is asked for, before Enter, to look at what came
/// out, and to read a line more.
const TYPED: f64 = 0.05;
const ENTER: f64 = 0.4;
const LOOK: f64 = 1.2;
const READ: f64 = 0.25;

/// Rows of the recorded terminal.
const ROWS: usize = 30;

/// Writes the recording. `speed`: characters a second.
pub fn write(
    session: &Transcript,
    title: &str,
    speed: Option<f64>,
    common: &Common,
    out: &mut dyn Write,
) -> io::Result<()> {
    let style = Style { color: true, ascii: common.ascii, ..Style::canonical() };
    let header = json!({
        "version": 2, "width": style.width, "height": ROWS, "title": title,
        "env": {"TERM": "xterm-256color"},
    });
    writeln!(out, "{header}")?;
    let mut shell = Shell::new(common.clone(), Face::Drawn, style);
    shell.keep_history();
    shell.restart();
    let mut tape = Tape { out, now: 0.0 };
    let typed = speed.map_or(TYPED, |speed| 1.0 / speed);
    for step in &session.steps {
        tape.lines(&step.narration, Role::Narration, &shell)?;
        for line in prompted(&step.input) {
            let painted = shell.painted(&line, Role::Input);
            for (k, sign) in signs(painted.as_str()).enumerate() {
                // The prompt is there at once.
                tape.now += if k < PROMPT { 0.0 } else { typed };
                tape.put(sign)?;
            }
            tape.now += ENTER;
            tape.put("\r\n")?;
        }
        let (ended, _, lines) = cells::played(&mut shell, &step.text(), false);
        if ended == Ended::Interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        tape.painted(&lines)?;
    }
    tape.lines(&session.tail, Role::Narration, &shell)
}

/// Characters of a prompt.
const PROMPT: usize = 5;

/// The characters of a painted text, each with the colours before it.
fn signs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut end = 0;
        while rest[end..].starts_with('\x1b') {
            end += rest[end..].find('m').map_or(rest.len() - end, |m| m + 1);
        }
        end += rest[end..].chars().next().map_or(0, char::len_utf8);
        let (sign, after) = rest.split_at(end);
        rest = after;
        (!sign.is_empty()).then_some(sign)
    })
}

struct Tape<'a> {
    out: &'a mut dyn Write,
    /// Seconds since the beginning.
    now: f64,
}

impl Tape<'_> {
    fn put(&mut self, text: &str) -> io::Result<()> {
        let time = (self.now * 1000.0).round() / 1000.0;
        writeln!(self.out, "{}", json!([time, "o", text]))
    }

    fn painted(&mut self, lines: &[Painted]) -> io::Result<()> {
        for line in lines {
            self.put(&format!("{}\r\n", line.as_str()))?;
        }
        self.now += LOOK + READ * lines.len() as f64;
        Ok(())
    }

    fn lines(&mut self, lines: &[String], role: Role, shell: &Shell) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let painted: Vec<Painted> = lines.iter().map(|line| shell.painted(line, role)).collect();
        self.painted(&painted)
    }
}
