//! The prompt: a person, a terminal, rustyline.

use super::complete::{self, Known};
use super::highlight;
use super::history::History;
use super::shell::{Ended, Shell};
use crate::session::transcript::{CONTINUATION, PROMPT};
use crate::text::lines::{self, Completeness, Setting};
use crate::text::paste;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter, MatchingBracketHighlighter};
use rustyline::history::MemHistory;
use rustyline::{ColorMode, CompletionType, Config, Context, Editor, Helper, Hinter, Validator};
use std::borrow::Cow;
use std::cell::RefCell;
use std::io;
use std::rc::Rc;

/// The line a newcomer sees first.
const WELCOME: &str = "vjp: try  x = [1, 2]; y = 3*x^2; y.backward([1, 10])  or :help";

/// Longer inputs are not coloured: each key repaints the whole.
const COLORED: usize = 4096;

/// What the editor asks while a line is typed.
#[derive(Helper, Hinter, Validator)]
struct Assistant {
    known: Rc<RefCell<Known>>,
    brackets: MatchingBracketHighlighter,
    color: bool,
}

impl Completer for Assistant {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let found = complete::complete(line, pos, &self.known.borrow());
        Ok((found.start, found.words))
    }
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, pos: usize) -> Cow<'l, str> {
        if !self.color || line.len() > COLORED {
            return Cow::Borrowed(line);
        }
        match self.brackets.highlight(line, pos) {
            Cow::Owned(marked) => Cow::Owned(marked),
            Cow::Borrowed(plain) => Cow::Owned(highlight::code(plain)),
        }
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(
        &'s self,
        prompt: &'p str,
        _default: bool,
    ) -> Cow<'b, str> {
        match self.color {
            true => Cow::Owned(highlight::prompt(prompt)),
            false => Cow::Borrowed(prompt),
        }
    }

    fn highlight_char(&self, line: &str, pos: usize, kind: CmdKind) -> bool {
        let _ = self.brackets.highlight_char(line, pos, kind);
        self.color && line.len() <= COLORED
    }
}

/// What came out of asking for an input.
enum Asked {
    Input(String),
    /// Ctrl-C: the line is dropped.
    Dropped,
    /// Ctrl-D.
    Gone,
}

type Line = Editor<Assistant, MemHistory>;

/// Runs the prompt until the person leaves.
///
/// # Errors
/// The terminal cannot be used.
pub fn run(shell: &mut Shell) -> io::Result<()> {
    let known = Rc::new(RefCell::new(Known::default()));
    let history = History::locate();
    let mut editor = editor(shell, &known).map_err(told)?;
    for entry in history.load() {
        let _ = editor.add_history_entry(entry);
    }
    shell.interactive = true;
    shell.view.aside(&format!("{WELCOME}\n"));
    shell.view.screen.flush();
    while !shell.leaving {
        *known.borrow_mut() = Known::of(&shell.machine, &shell.view.offers);
        if let Some(columns) = super::screen::columns() {
            shell.view.restyle(|style| style.width = columns);
        }
        shell.view.screen.fresh_line();
        shell.view.screen.flush();
        match ask(&mut editor)? {
            Asked::Gone => break,
            Asked::Dropped => {}
            Asked::Input(text) if text.trim().is_empty() => {}
            Asked::Input(text) => {
                let entry = text.trim_end();
                if editor.add_history_entry(entry).unwrap_or(false) {
                    history.append(entry);
                }
                let (ended, _) = shell.input(&text);
                if ended == Ended::Interrupted {
                    shell.view.screen.fresh_line();
                }
            }
        }
    }
    shell.view.screen.flush();
    Ok(())
}

fn editor(shell: &Shell, known: &Rc<RefCell<Known>>) -> rustyline::Result<Line> {
    let color = shell.view.style().color;
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .color_mode(if color {
            ColorMode::Enabled
        } else {
            ColorMode::Disabled
        })
        .history_ignore_dups(true)?
        .max_history_size(100_000)?
        .tab_stop(4)
        .bracketed_paste(true)
        .build();
    let history = MemHistory::with_config(&config);
    let mut editor = Editor::with_history(config, history)?;
    editor.set_helper(Some(Assistant {
        known: Rc::clone(known),
        brackets: MatchingBracketHighlighter::new(),
        color,
    }));
    Ok(editor)
}

/// Reads physical lines until they make an input. The editor has no continuation prompt inside
/// its buffer, so each line is asked for on its own.
fn ask(editor: &mut Line) -> io::Result<Asked> {
    let mut text = String::new();
    let mut prompt = PROMPT;
    loop {
        match editor.readline(prompt) {
            Ok(line) => {
                if prompt == CONTINUATION {
                    text.push('\n');
                }
                text.push_str(&line.replace("\r\n", "\n").replace('\r', "\n"));
            }
            Err(ReadlineError::Interrupted) => return Ok(Asked::Dropped),
            Err(ReadlineError::Eof) if text.is_empty() => return Ok(Asked::Gone),
            // Ctrl-D in the middle of a block ends the block.
            Err(ReadlineError::Eof) => return Ok(Asked::Input(text)),
            Err(other) => return Err(told(other)),
        }
        let repaired = paste::repair(&text);
        let meant = repaired.as_ref().map_or(&text, |r| &r.text);
        if lines::complete(meant, Setting::Prompt) == Completeness::Complete {
            return Ok(Asked::Input(text));
        }
        prompt = CONTINUATION;
    }
}

fn told(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(e) => e,
        other => io::Error::other(other.to_string()),
    }
}
