//! The prompt: a person, a terminal, rustyline.

use super::assistant::Assistant;
use super::editing::{self, Keys, Wishes};
use super::history::History;
use super::margin;
use crate::{Ended, Shell};
use rustyline::config::BellStyle;
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{ColorMode, CompletionType, Config, Editor, Event, EventHandler};
use std::cell::RefCell;
use std::io;
use vjp_session::transcript::{CONTINUATION, PROMPT};

/// The line a newcomer sees first.
const WELCOME: [&str; 2] = ["vjp: try  x = [1, 2]; y = 3*x^2; y.backward([1, 10])", "or :help"];

/// What came out of asking for an input.
enum Asked {
    Input(String),
    /// Ctrl-C: the line is dropped.
    Dropped,
    /// Ctrl-D.
    Gone,
}

type Line<'a, 's> = Editor<Assistant<'a, 's>, MemHistory>;

/// Runs the prompt until the person leaves.
///
/// # Errors
/// The terminal cannot be used.
pub fn run(shell: &mut Shell) -> io::Result<()> {
    let shared = RefCell::new(shell);
    let mut editor = editor(&shared).map_err(told)?;
    let history = History::locate();
    let earlier = history.load();
    // Who has typed something before knows what to type.
    let fresh = earlier.is_empty();
    for entry in earlier {
        let _ = editor.add_history_entry(as_recalled(&entry));
    }
    {
        let mut shell = shared.borrow_mut();
        shell.interactive = true;
        if fresh {
            let one = WELCOME.join("  ");
            let fits = one.len() <= shell.view.style().frame();
            let text = if fits { one } else { WELCOME.join("\n     ") };
            shell.view.aside(&format!("{text}\n"));
        }
        shell.view.screen.flush();
    }
    while !shared.borrow().leaving {
        {
            let mut shell = shared.borrow_mut();
            shell.view.refit();
            shell.view.screen.fresh_line();
            shell.view.screen.flush();
        }
        if let Some(assistant) = editor.helper() {
            assistant.forget();
        }
        let offered = shared.borrow_mut().offered.take();
        match ask(&mut editor, offered)? {
            Asked::Gone => break,
            Asked::Dropped => {}
            Asked::Input(text) if text.trim().is_empty() => {}
            Asked::Input(text) => {
                let entry = text.trim_end();
                if editor.add_history_entry(as_recalled(entry)).unwrap_or(false) {
                    history.append(entry);
                }
                let mut shell = shared.borrow_mut();
                // The terminal may have been made wider or narrower while the line was typed.
                shell.view.refit();
                let (ended, _) = shell.input(&text);
                if ended == Ended::Interrupted {
                    shell.view.screen.fresh_line();
                }
            }
        }
    }
    shared.borrow_mut().view.screen.flush();
    Ok(())
}

/// Asks for a single input, as the prompt does; None where nothing was typed.
///
/// # Errors
/// The terminal cannot be used.
pub(crate) fn once(shell: &mut Shell) -> io::Result<Option<String>> {
    let shared = RefCell::new(shell);
    let mut editor = editor(&shared).map_err(told)?;
    Ok(match ask(&mut editor, None)? {
        Asked::Input(text) if !text.trim().is_empty() => Some(text),
        _ => None,
    })
}

/// An entry of history as the editor holds it: a block with the empty line that ends it, so that
/// Enter runs it.
fn as_recalled(entry: &str) -> String {
    match entry.contains('\n') && !editing::whole(entry) {
        true => margin::with(&format!("{entry}\n")),
        false => margin::with(entry),
    }
}

fn editor<'a, 's>(shell: &'a RefCell<&'s mut Shell>) -> rustyline::Result<Line<'a, 's>> {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .completion_show_all_if_ambiguous(true)
        .completion_prompt_limit(1000)
        .bell_style(BellStyle::None)
        // Without colours too: margins are drawn there. What is drawn asks for colour itself.
        .color_mode(ColorMode::Forced)
        .history_ignore_dups(true)?
        .max_history_size(100_000)?
        .tab_stop(8)
        .bracketed_paste(true)
        .build();
    let history = MemHistory::with_config(&config);
    let mut editor = Editor::with_history(config, history)?;
    let wishes = Wishes::default();
    let keys = EventHandler::Conditional(Box::new(Keys::new(wishes.clone())));
    editor.bind_sequence(Event::Any, keys);
    editor.set_helper(Some(Assistant::new(shell, wishes)));
    Ok(editor)
}

/// Reads an input. The editor holds all of its lines; only a terminal that cannot edit gives them
/// one by one.
fn ask(editor: &mut Line, offered: Option<String>) -> io::Result<Asked> {
    let mut text = String::new();
    let mut prompt = PROMPT;
    let mut offered = offered;
    loop {
        let read = match offered.take() {
            Some(text) => editor.readline_with_initial(prompt, (&as_recalled(text.trim_end()), "")),
            None => editor.readline(prompt),
        };
        let dropped = editor.helper().is_some_and(|assistant| assistant.wishes.dropped());
        match read {
            Ok(_) if dropped => return Ok(Asked::Dropped),
            Ok(buffer) => {
                if prompt == CONTINUATION {
                    text.push('\n');
                }
                text.push_str(&margin::without(&buffer).replace("\r\n", "\n").replace('\r', "\n"));
            }
            Err(ReadlineError::Interrupted) => return Ok(Asked::Dropped),
            Err(ReadlineError::Eof) if text.is_empty() => return Ok(Asked::Gone),
            // Ctrl-D in the middle of a block ends the block.
            Err(ReadlineError::Eof) => return Ok(Asked::Input(text)),
            Err(other) => return Err(told(other)),
        }
        if editing::whole(&text) || text.contains('\n') && prompt == PROMPT {
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
