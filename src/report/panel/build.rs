//! Events of one input to blocks, and the rule for several backwards in one input.

use super::calls::same_jacobian;
use crate::document::{Block, Calls};
use crate::page::Figure;
use crate::{Line, Medium, Painted, Role, Style, draw, page, terminal};
use std::collections::VecDeque;
use std::io;
use std::rc::Rc;
use vjp_eval::{Backward, Event, Fault};

/// Where a text belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Results: standard output.
    Out,
    /// Errors and notes: standard error.
    Err,
}

/// Finished text.
#[derive(Clone, Copy, Debug)]
pub enum Ink<'a> {
    /// As the program wrote it.
    Printed(&'a str),
    Drawn(&'a Painted),
    /// Drawn, of an expression that stands alone.
    Value(&'a Painted),
    /// Drawn, of what ended a statement.
    Error(&'a Fault, &'a Painted),
}

impl Ink<'_> {
    pub fn text(&self) -> &str {
        match self {
            Ink::Printed(text) => text,
            Ink::Drawn(painted) | Ink::Value(painted) | Ink::Error(_, painted) => painted.as_str(),
        }
    }
}

/// Takes finished text; a session file and a terminal put both streams into one.
pub type Sink<'a> = &'a mut dyn FnMut(Stream, Ink<'_>) -> io::Result<()>;

/// Panels kept for `:panel`, and how many numbers they may hold together.
const KEPT: usize = 1000;
const NUMBERS: usize = 4_000_000;

/// Calls shown as lines before the last.
const SHOWN: usize = 3;

/// Draws the events of a session. Prints and single panels are written at once; backwards that
/// may repeat (in loops and functions) wait until a later statement shows something.
#[derive(Debug)]
pub struct Reporter {
    style: Style,
    panels: VecDeque<Rc<Backward>>,
    numbers: usize,
    waiting: Vec<Group>,
    /// The statement that made them wait has ended.
    ended: bool,
    /// The last thing written was a drawing: what follows in this input stands apart.
    after_drawing: bool,
}

/// Which backward is meant.
#[derive(Clone, Copy, Debug)]
pub enum Which {
    /// The n-th last.
    Last(usize),
    /// The n-th call of the line whose backward was the last.
    Call(usize),
}

/// The calls of one source line.
#[derive(Debug)]
struct Group {
    text: String,
    line: usize,
    /// The first calls, as many as may be shown.
    head: Vec<Rc<Backward>>,
    last: Option<Rc<Backward>>,
    total: usize,
    constant: bool,
}

impl Group {
    fn new(text: &str, line: usize, first: Rc<Backward>) -> Group {
        Group {
            text: text.to_string(),
            line,
            head: vec![first],
            last: None,
            total: 1,
            constant: true,
        }
    }

    fn add(&mut self, backward: Rc<Backward>) {
        self.total += 1;
        self.constant &= same_jacobian(&self.head[0], &backward);
        if self.head.len() <= SHOWN {
            self.head.push(backward);
        } else {
            self.last = Some(backward);
        }
    }

    /// One full panel, then a line per call; only lines under one J where it never changed.
    fn blocks(self) -> Vec<Block> {
        if self.total == 1 {
            return self.head.into_iter().map(Block::Backward).collect();
        }
        let first = self.head[0].clone();
        let from = usize::from(!self.constant);
        let calls = self.head.into_iter().enumerate().skip(from);
        let mut shown: Vec<(usize, Rc<Backward>)> =
            calls.take(SHOWN + 1).map(|(k, b)| (k + 1, b)).collect();
        if let Some(last) = self.last {
            shown.truncate(SHOWN);
            shown.push((self.total, last));
        }
        let calls = Block::Calls(Calls { shown, total: self.total, constant: self.constant });
        if self.constant { vec![calls] } else { vec![Block::Backward(first), calls] }
    }
}

impl Reporter {
    pub fn new(style: Style) -> Reporter {
        Reporter {
            style,
            panels: VecDeque::new(),
            numbers: 0,
            waiting: Vec::new(),
            ended: false,
            after_drawing: false,
        }
    }

    pub fn style(&self) -> &Style {
        &self.style
    }

    pub fn set_style(&mut self, style: Style) {
        self.style = style;
    }

    /// Shows an event, or keeps it where more of its kind may come.
    pub fn event(&mut self, event: Event, sink: Sink) -> io::Result<()> {
        let block = match event {
            Event::Value(value) => Block::Value(value),
            Event::Matrix(matrix) => Block::Matrix(matrix),
            Event::Routes(routes) => Block::Routes(routes),
            Event::Plot(plot) => Block::Plot(plot),
            Event::Answer(answer) => Block::Answer(answer),
            Event::Print(text) => Block::Print(Stream::Out, text),
            Event::PrintError(text) => Block::Print(Stream::Err, text),
            Event::Note(note) => Block::Note(note),
            Event::Error(fault) => Block::Error(fault),
            Event::Ended => {
                self.ended = true;
                return Ok(());
            }
            Event::Backward(backward) => {
                if backward.trial.is_none() {
                    self.keep(backward.clone());
                }
                if backward.repeats {
                    return self.wait(backward, sink);
                }
                Block::Backward(backward)
            }
        };
        // A value asked for, an error and what a later statement shows come after what led to them.
        let follows = match &block {
            Block::Value(value) => value.name.is_none(),
            Block::Error(_) => true,
            _ => self.ended,
        };
        if follows {
            self.draw_waiting(sink)?;
        }
        self.write(&block, sink)
    }

    /// Keeps a panel for later without drawing it.
    pub fn keep(&mut self, backward: Rc<Backward>) {
        self.numbers += weight(&backward);
        self.panels.push_back(backward);
        while self.panels.len() > KEPT || (self.numbers > NUMBERS && self.panels.len() > 1) {
            if let Some(oldest) = self.panels.pop_front() {
                self.numbers -= weight(&oldest);
            }
        }
    }

    /// Keeps a backward with those of its source line; a later statement's line comes after theirs.
    fn wait(&mut self, backward: Rc<Backward>, sink: Sink) -> io::Result<()> {
        let line = backward.source.line_of(backward.span.start);
        let text = backward.source.text();
        let group = self.waiting.iter_mut().find(|g| g.line == line && g.text == text);
        match group {
            Some(group) => group.add(backward),
            None => {
                let group = Group::new(text, line, backward.clone());
                if std::mem::take(&mut self.ended) {
                    self.draw_waiting(sink)?;
                }
                self.waiting.push(group);
            }
        }
        self.ended = false;
        Ok(())
    }

    /// Draws what waited for the end of the input.
    pub fn end_of_input(&mut self, sink: Sink) -> io::Result<()> {
        self.draw_waiting(sink)?;
        self.after_drawing = false;
        Ok(())
    }

    fn draw_waiting(&mut self, sink: Sink) -> io::Result<()> {
        self.ended = false;
        for group in std::mem::take(&mut self.waiting) {
            for block in group.blocks() {
                self.write(&block, sink)?;
            }
        }
        Ok(())
    }

    /// A backward that stands, while it is kept; `standing` has their serials.
    pub fn backward(&self, which: Which, standing: &[u64]) -> Option<Rc<Backward>> {
        let find = |serial: &u64| self.panels.iter().rev().find(|b| b.serial == *serial);
        match which {
            Which::Last(n) => find(standing.get(standing.len().checked_sub(n)?)?).cloned(),
            Which::Call(n) => {
                let last = find(standing.last()?)?;
                let line = |b: &Backward| (b.source.id(), b.source.line_of(b.span.start));
                let here = standing.iter().rev().filter_map(find);
                let mut here = here.take_while(|b| line(b) == line(last));
                here.find(|b| b.call == n).cloned()
            }
        }
    }

    /// Draws such a panel again, of several calls with its number; false if there is none.
    pub fn panel(&self, which: Which, standing: &[u64], sink: Sink) -> io::Result<bool> {
        let Some(backward) = self.backward(which, standing) else {
            return Ok(false);
        };
        let mut lines = crate::panel::lines(&backward, &self.style);
        if backward.repeats && (backward.call > 1 || matches!(which, Which::Call(_))) {
            let call = format!("call {}", backward.call);
            lines.insert(0, Line::of(Role::Plain, call));
        }
        sink(Stream::Out, Ink::Drawn(&self.panelled(&backward, &lines)))?;
        Ok(true)
    }

    /// The lines of a panel; in a page they are an element of their own.
    fn panelled(&self, backward: &Backward, lines: &[Line]) -> Painted {
        let text = terminal::text(lines, &self.style);
        if self.style.medium != Medium::Page {
            return text;
        }
        // The blank line above it and the end of its last line stand outside.
        let whole = text.as_str();
        let (inside, end) = text.split_at(whole.trim_end_matches('\n').len());
        let (above, inside) = inside.split_at(whole.len() - whole.trim_start_matches('\n').len());
        let names: Vec<&str> = backward.leaves.iter().map(|leaf| leaf.name.as_str()).collect();
        let leaves = terminal::html::escaped(&serde_json::json!(names).to_string());
        let mut panel = above;
        panel
            .markup(&format!("<span class=\"panel\" data-leaves=\"{leaves}\">"))
            .append(&inside)
            .markup("</span>")
            .append(&end);
        panel
    }

    /// How many panels are kept.
    pub fn panels(&self) -> usize {
        self.panels.len()
    }

    fn write(&mut self, block: &Block, sink: Sink) -> io::Result<()> {
        let stream = match block {
            Block::Note(_) | Block::Error(_) => Stream::Err,
            _ => Stream::Out,
        };
        if let Block::Print(stream, text) = block {
            return sink(*stream, Ink::Printed(text));
        }
        let figure = page::figure(block, &self.style);
        let lines = match figure.as_ref().is_none_or(Figure::needs_text) {
            true => draw::block(block, &self.style),
            false => Vec::new(),
        };
        let mut text = Painted::new();
        // A value after a drawing would read as its last line.
        let apart = match block {
            Block::Value(_) | Block::Matrix(_) => true,
            Block::Backward(b) => !b.echoed,
            _ => false,
        };
        if self.after_drawing && apart {
            text.push("\n");
        }
        text.append(&match (block, figure) {
            (Block::Backward(backward), _) => self.panelled(backward, &lines),
            (_, None) => terminal::text(&lines, &self.style),
            (_, Some(figure)) => figure.with(&terminal::text(&lines, &self.style)),
        });
        self.after_drawing =
            matches!(block, Block::Backward(_) | Block::Calls(_) | Block::Matrix(_));
        let ink = match block {
            Block::Value(value) if value.name.is_none() => Ink::Value(&text),
            Block::Error(fault) => Ink::Error(fault, &text),
            _ => Ink::Drawn(&text),
        };
        sink(stream, ink)
    }
}

/// How many numbers a panel holds at least.
fn weight(backward: &Backward) -> usize {
    let leaves = backward.leaves.iter();
    backward.value.numel()
        + leaves
            .map(|l| 4 * l.value.numel() + crate::matrix::grid::stored(&l.jacobian))
            .sum::<usize>()
}
