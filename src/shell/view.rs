//! What becomes of events: drawn on the screen or written as JSON, and kept for the session file.

use super::screen::Screen;
use serde_json::json;
use std::rc::Rc;
use vjp_eval::record::event::{Shown, ValueEvent};
use vjp_eval::record::questions::{Answer, Equations};
use vjp_eval::{Backward, Event, Help};
use vjp_report::page::Figure;
use vjp_report::panel::build::Which;
use vjp_report::{Ink, Medium, Painted, Reporter, Stream, Style, json as events, terminal};
use vjp_session::transcript::{Ending, output_lines};
use vjp_session::{Step, Transcript, notebook};
use vjp_tensor::Kind;

/// How events reach standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Echoes and panels.
    Drawn,
    /// Only what the program prints, and its errors.
    Plain,
    Json,
}

/// The session as its file will hold it.
struct Record {
    reporter: Reporter,
    /// Output of the input that runs now.
    output: Output,
    /// What its last lines are.
    ending: Ending,
    /// Stands before the next input.
    narration: Vec<String>,
    transcript: Transcript,
}

/// Receives everything that a session shows.
pub struct View {
    pub screen: Screen,
    pub face: Face,
    /// Nothing is drawn, as while state is rebuilt.
    pub muted: bool,
    /// `:set panel off`.
    pub panels: bool,
    /// `:set notes off`.
    pub notes: bool,
    /// `:set jupyter on`: what is kept of an input is what its cell shows in a notebook.
    pub jupyter: bool,
    /// A cell runs: a command beside the cells is kept as it is drawn.
    pub in_cell: bool,
    /// Backwards whose panels were held back and not drawn since.
    held: Vec<Rc<Backward>>,
    /// Fixes of the last error and what they do: Tab on an empty line offers them in turn.
    pub offers: Vec<(String, String)>,
    live: Reporter,
    record: Option<Record>,
    exact: Option<Exact>,
    /// What the last lines of the output of the last input are.
    pub ending: Ending,
    /// The command that evaluates code now, and the code.
    pub command: Option<(&'static str, String)>,
    /// What `:equations` of the last input found.
    pub equations: Option<Rc<Equations>>,
    /// Whether the last input could not be read as a program.
    pub unread: bool,
}

/// The output of each input with all digits of its numbers, whatever `:set digits` says.
struct Exact {
    reporter: Reporter,
    output: Output,
    /// Of the input that ran last.
    lines: Vec<String>,
}

/// No f64 has more significant digits.
const ALL_DIGITS: u8 = 17;

impl Exact {
    fn new() -> Exact {
        let style = Style { digits: Some(ALL_DIGITS), ..Style::canonical() };
        Exact { reporter: Reporter::new(style), output: Output::default(), lines: Vec::new() }
    }
}

impl View {
    pub fn new(face: Face, style: Style) -> View {
        View {
            screen: Screen::standard(),
            face,
            muted: false,
            panels: true,
            notes: true,
            jupyter: false,
            in_cell: false,
            held: Vec::new(),
            offers: Vec::new(),
            live: Reporter::new(style),
            record: None,
            exact: None,
            ending: Ending::Printed,
            command: None,
            equations: None,
            unread: false,
        }
    }

    /// Keeps inputs and outputs from now on, after what was kept before.
    pub fn start_record(&mut self, transcript: Transcript) {
        self.live = Reporter::new(self.live.style().clone());
        self.held.clear();
        self.exact = self.exact.as_ref().map(|_| Exact::new());
        self.record = Some(Record {
            reporter: Reporter::new(Style::canonical()),
            output: Output::default(),
            ending: Ending::Printed,
            narration: Vec::new(),
            transcript,
        });
    }

    /// From now on the output of each input is also kept with all digits.
    pub fn keep_exact(&mut self) {
        self.exact = Some(Exact::new());
    }

    /// The output of the last input with all digits, where that is kept.
    pub fn exact(&self) -> Option<&[String]> {
        self.exact.as_ref().map(|exact| exact.lines.as_slice())
    }

    /// What settings and inputs have made of it so far.
    pub fn mark(&self) -> Mark {
        let digits = self.style().digits;
        Mark { panels: self.panels, notes: self.notes, digits, steps: self.steps() }
    }

    /// As it was there; what came later is forgotten.
    pub fn return_to(&mut self, mark: &Mark) {
        (self.panels, self.notes) = (mark.panels, mark.notes);
        self.set_digits(mark.digits);
        self.held.clear();
        self.offers.clear();
        if let Some(record) = &mut self.record {
            record.transcript.steps.truncate(mark.steps);
            record.narration.clear();
        }
    }

    fn steps(&self) -> usize {
        self.transcript().map_or(0, |transcript| transcript.steps.len())
    }

    pub fn transcript(&self) -> Option<&Transcript> {
        self.record.as_ref().map(|r| &r.transcript)
    }

    /// The session so far as its file holds it.
    pub fn session(&self) -> Transcript {
        let Some(record) = &self.record else {
            return Transcript::default();
        };
        Transcript { tail: record.narration.clone(), ..record.transcript.clone() }
    }

    pub fn style(&self) -> &Style {
        self.live.style()
    }

    /// Fits what comes next to the terminal as wide as it is now.
    pub fn refit(&mut self) {
        if let Some([columns, rows]) = super::screen::window()
            && [columns, rows] != [self.style().width, self.style().height]
        {
            self.restyle(|style| (style.width, style.height) = (columns, rows));
        }
    }

    /// Changes how the screen is drawn, never the session file.
    pub fn restyle(&mut self, change: impl Fn(&mut Style)) {
        let mut style = self.live.style().clone();
        change(&mut style);
        self.live.set_style(style);
    }

    /// `:set digits`: a choice of content, in the session file too.
    pub fn set_digits(&mut self, digits: Option<u8>) {
        self.restyle(|style| style.digits = digits);
        if let Some(record) = &mut self.record {
            let mut style = record.reporter.style().clone();
            style.digits = digits;
            record.reporter.set_style(style);
        }
    }

    /// Shows and keeps an event.
    pub fn event(&mut self, event: Event) {
        if !self.notes && matches!(event, Event::Note(_)) {
            return;
        }
        let event = match event {
            Event::Backward(backward) if !self.panels => {
                self.held.push(Rc::clone(&backward));
                let old = self.held.len().saturating_sub(HELD);
                self.held.drain(..old);
                if self.face == Face::Json && !self.muted {
                    let line = events::line(&Event::Backward(backward.clone()));
                    self.screen.write(Stream::Out, &line);
                }
                // Not drawn, yet `:panel` may ask for it.
                self.kept().for_each(|(reporter, _)| reporter.keep(Rc::clone(&backward)));
                self.live.keep(backward);
                return;
            }
            other => other,
        };
        if let Event::Answer(answer) = &event
            && let Answer::Equations(equations) = &**answer
        {
            self.equations = Some(Rc::new(equations.clone()));
        }
        let event = match (event, &self.command) {
            (Event::Error(mut fault), Some((name, code))) => {
                fault.help.iter_mut().for_each(|help| in_command(help, name, code));
                Event::Error(fault)
            }
            (event, _) => event,
        };
        if let Event::Error(fault) = &event {
            let ways = fault.help.iter().filter(|h| !h.code.is_empty());
            self.offers = ways.map(|h| (h.code.clone(), h.says.clone())).collect();
            self.unread |= fault.kind.is_a(Kind::Syntax);
        }
        if self.in_cell {
            self.keep_cell(&event);
        }
        let kept = (!self.in_cell).then(|| self.kept()).into_iter().flatten();
        for (reporter, output) in kept {
            let printed = matches!(event, Event::Print(_) | Event::PrintError(_));
            let event = match &event {
                Event::Print(text) | Event::PrintError(text) => {
                    Event::Print(output.room_for(text).to_owned())
                }
                other => other.clone(),
            };
            let _ = reporter.event(event, &mut |_, ink| {
                output.append(ink.text(), printed);
                Ok(())
            });
        }
        if self.muted {
            return;
        }
        match self.face {
            Face::Json if matches!(event, Event::Ended) => {}
            Face::Json => self.screen.write(Stream::Out, &events::line(&event)),
            Face::Plain => match event {
                Event::Print(text) => self.screen.print(Stream::Out, &text),
                Event::PrintError(text) => self.screen.print(Stream::Err, &text),
                Event::Error(_) => self.draw(event),
                _ => {}
            },
            Face::Drawn => self.draw(event),
        }
    }

    /// Keeps what Jupyter shows of an event: what is printed, the value of the cell, the error that ends it.
    fn keep_cell(&mut self, event: &Event) {
        let (text, ending): (String, fn(usize) -> Ending) = match event {
            Event::Print(text) => (text.clone(), |_| Ending::Printed),
            Event::Value(ValueEvent { shown: Shown::Repr(text), .. }) => {
                (format!("{text}\n"), Ending::Value)
            }
            Event::Error(fault) => {
                (notebook::error(&fault.class, &fault.message) + "\n", Ending::Error)
            }
            _ => return,
        };
        let printed = matches!(event, Event::Print(_));
        for (_, output) in self.kept() {
            let part = output.room_for(&text).to_owned();
            output.append(&part, printed);
        }
        if let Some(record) = &mut self.record {
            record.ending = ending(text.trim_end_matches('\n').split('\n').count());
        }
    }

    /// What writes down the output: for the session file, and with all digits.
    fn kept(&mut self) -> impl Iterator<Item = (&mut Reporter, &mut Output)> {
        let record = self.record.as_mut().map(|r| (&mut r.reporter, &mut r.output));
        let exact = self.exact.as_mut().map(|e| (&mut e.reporter, &mut e.output));
        record.into_iter().chain(exact)
    }

    fn draw(&mut self, event: Event) {
        let (screen, live) = (&mut self.screen, &mut self.live);
        let _ = live.event(event, &mut |stream, ink| {
            screen.ink(stream, ink);
            Ok(())
        });
    }

    /// A text that is not an event: what a command prints.
    pub fn say(&mut self, text: &str) {
        self.kept().for_each(|(_, output)| output.append(text, false));
        self.aside(text);
    }

    /// Says what `text` is at a width: the terminal's, and in the session file that of its pages. A page
    /// and a notebook show the figure.
    pub fn say_fitted(
        &mut self,
        text: impl Fn(&Style) -> String,
        figure: impl Fn(Medium) -> Option<Figure>,
    ) {
        for (reporter, output) in self.kept() {
            output.append(&text(reporter.style()), false);
        }
        let text = text(self.live.style());
        match figure(self.live.style().medium) {
            Some(figure) if !self.muted => {
                let text = if figure.needs_text() { text } else { String::new() };
                self.screen.ink(Stream::Out, Ink::Drawn(&figure.with(&Painted::plain(&text))));
            }
            _ => self.put(&text),
        }
    }

    /// [`View::say`] for what a session file does not record: times, where something was saved.
    pub fn aside(&mut self, text: &str) {
        self.put(&terminal::line::narrowed(text, self.live.style().frame()));
    }

    fn put(&mut self, text: &str) {
        if self.muted {
            return;
        }
        match self.face {
            Face::Json => {
                let line = events::written(&json!({"event": "text", "text": text}));
                self.screen.write(Stream::Out, &line);
            }
            _ => {
                self.screen.fresh_line();
                match self.live.style().ascii {
                    true => self.screen.write(Stream::Out, &ascii(text)),
                    false => self.screen.write(Stream::Out, text),
                }
            }
        }
    }

    /// Whether the panel of a backward was held back, and not drawn since.
    pub fn holds(&self, backward: &Rc<Backward>) -> bool {
        self.held.iter().any(|held| Rc::ptr_eq(held, backward))
    }

    /// Draws a panel that was held back, on the screen only: no output of an input.
    pub fn reveal(&mut self, backward: &Rc<Backward>) {
        let Some(at) = self.held.iter().position(|held| Rc::ptr_eq(held, backward)) else {
            return;
        };
        self.held.remove(at);
        if self.face != Face::Drawn {
            return;
        }
        let screen = &mut self.screen;
        screen.fresh_line();
        let own = [backward.serial];
        let _ = self.live.panel(Which::Last(1), &own, &mut |stream, ink| {
            screen.ink(stream, ink);
            Ok(())
        });
    }

    /// Draws a panel again; false if there is no such panel. `standing`: the serials of the backwards that
    /// were not undone.
    pub fn panel(&mut self, which: Which, standing: &[u64]) -> bool {
        let mut recorded = false;
        for (reporter, output) in self.kept() {
            let drawn = reporter.panel(which, standing, &mut |_, ink| {
                output.append(ink.text(), false);
                Ok(())
            });
            recorded |= drawn.unwrap_or(false);
        }
        let (screen, live, quiet) =
            (&mut self.screen, &self.live, self.muted || self.face == Face::Json);
        let drawn = live.panel(which, standing, &mut |stream, ink| {
            if !quiet {
                screen.ink(stream, ink);
            }
            Ok(())
        });
        drawn.unwrap_or(false) || recorded
    }

    /// A backward, if it is kept; under `--json` only a session file's view has one.
    pub fn backward(&self, which: Which, standing: &[u64]) -> Option<Rc<Backward>> {
        let kept = self.record.as_ref().and_then(|r| r.reporter.backward(which, standing));
        kept.or_else(|| self.live.backward(which, standing))
    }

    /// What waited for the end of an input is drawn, and the screen is brought up to date.
    pub fn end_of_input(&mut self) {
        for (reporter, output) in self.kept() {
            let _ = reporter.end_of_input(&mut |_, ink| {
                output.append(ink.text(), false);
                Ok(())
            });
        }
        if self.face == Face::Drawn {
            let (screen, live, muted) = (&mut self.screen, &mut self.live, self.muted);
            let _ = live.end_of_input(&mut |stream, ink| {
                if !muted {
                    screen.ink(stream, ink);
                }
                Ok(())
            });
        }
        self.screen.flush();
    }

    /// Keeps narration for the next input.
    pub fn narrate(&mut self, lines: &[String]) {
        if let Some(record) = &mut self.record {
            record.narration.extend_from_slice(lines);
        }
    }

    /// Output of the input that ran, as a file holds it; kept together with it if `recorded`.
    pub fn finish(&mut self, input: &str, recorded: bool) -> Vec<String> {
        if let Some(exact) = &mut self.exact {
            exact.lines = output_lines(&std::mem::take(&mut exact.output).whole());
        }
        let Some(record) = &mut self.record else {
            return Vec::new();
        };
        let output = output_lines(&std::mem::take(&mut record.output).whole());
        self.ending = std::mem::take(&mut record.ending);
        if recorded {
            record.transcript.steps.push(Step {
                narration: std::mem::take(&mut record.narration),
                input: input.split('\n').map(str::to_owned).collect(),
                output: output.clone(),
                ending: self.ending,
                ..Step::default()
            });
        }
        output
    }
}

/// A moment between two inputs.
#[derive(Clone, Copy)]
pub struct Mark {
    panels: bool,
    notes: bool,
    digits: Option<u8>,
    steps: usize,
}

/// So many panels wait for their questions.
const HELD: usize = 16;

/// Our own signs in ASCII; what is not ours, a name, stays as it was typed.
pub fn ascii(text: &str) -> String {
    let sign = |c: char| match terminal::ascii(c.encode_utf8(&mut [0; 4])) {
        unknown if unknown == "?" => c.to_string(),
        known => known,
    };
    text.chars().map(sign).collect()
}

/// The output of an input, as much of it as a session file holds.
#[derive(Default)]
struct Output {
    text: String,
    /// Bytes that were left out.
    more: usize,
}

impl Output {
    /// A file with more of the output of one input is not for reading.
    const MOST: usize = 8 << 20;

    /// As much of a printed text as there is room for.
    fn room_for<'a>(&mut self, text: &'a str) -> &'a str {
        let room = Output::MOST.saturating_sub(self.text.len()).min(text.len());
        let end = (0..=room).rfind(|at| text.is_char_boundary(*at)).unwrap_or(0);
        self.more += text.len() - end;
        &text[..end]
    }

    /// Adds a text; what was not printed by the program starts on a new line.
    fn append(&mut self, text: &str, printed: bool) {
        if !printed && !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.push_str(text);
    }

    fn whole(mut self) -> String {
        if self.more > 0 {
            self.append(&format!("… {} more bytes", self.more), false);
        }
        self.text
    }
}

/// A line that helps the code of a command helps as the command again, behind what it needs first.
fn in_command(help: &mut Help, name: &str, code: &str) {
    if help.code.starts_with(':') || help.code.is_empty() {
        return;
    }
    match help.code.rsplit_once("; ").filter(|(_, last)| !last.contains(" = ")) {
        Some((first, last)) => {
            help.says = format!("{}, then  :{name} {last}", help.says);
            help.code = first.to_owned();
        }
        None if !help.code.contains(';') && code.contains('=') == help.code.contains('=') => {
            help.code = format!(":{name} {}", help.code);
        }
        None => {}
    }
}
