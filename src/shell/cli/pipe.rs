//! Standard input that is not a terminal: inputs are read without a prompt.

use crate::{Ended, Shell, keys};
use std::io;
use std::time::Duration;
use vjp_session::reading::{self, MOST, ReadError, STDIN};
use vjp_text::lines;
use vjp_text::paste::Prompts;

/// Evaluates each input as soon as it is complete; after an error it goes on. Returns how it
/// ended: well, failed if anything did, or interrupted.
///
/// # Errors
/// Standard input cannot be read, or an input in it is too large.
pub fn run(shell: &mut Shell) -> Result<Ended, ReadError> {
    let mut input = io::stdin().lock();
    let mut whole = Ended::Well;
    let mut bytes = Vec::new();
    let (mut prompts, mut pending) = (Prompts::default(), String::new());
    // How long the text was that held no whole input.
    let mut open = 0;
    loop {
        let count = reading::append(&mut input, &mut bytes, STDIN)?;
        let ready = match count {
            0 => bytes.len(),
            // Nothing before the new piece ends a line.
            _ => {
                let new = bytes.len() - count;
                bytes[new..].iter().rposition(|b| *b == b'\n').map_or(0, |n| new + n + 1)
            }
        };
        if ready == 0 && count > 0 && bytes.len() <= MOST {
            continue;
        }
        // Lossy: text that is not UTF-8 is not a program either, and its error shows the place.
        let text = String::from_utf8_lossy(&bytes[..ready]).replace("\r\n", "\n");
        bytes.drain(..ready);
        pending.push_str(&prompts.feed(&text));
        if pending.len() + bytes.len() > MOST {
            return Err(ReadError::TooLarge(format!("an input from {STDIN}")));
        }
        reading::room(pending.len(), STDIN)?;
        // While more is on its way, a long open block is not read again for each piece.
        let more = || keys::pending(Some(Duration::ZERO)).unwrap_or(false);
        if count > 0 && pending.len() < 2 * open && more() {
            continue;
        }
        let rest = evaluate(shell, &pending, count == 0, &mut whole).len();
        pending.drain(..pending.len() - rest);
        open = rest;
        if count == 0 || shell.leaving || whole == Ended::Interrupted {
            if let Some(note) = prompts.note() {
                shell.paste_note(&note);
            }
            return Ok(whole);
        }
    }
}

/// Evaluates the whole inputs of a text and returns what may still grow.
fn evaluate<'a>(shell: &mut Shell, text: &'a str, end: bool, whole: &mut Ended) -> &'a str {
    let mut rest = text;
    while let Some(input) = lines::first_input(rest, end) {
        // Comments are kept for `:save`, as they are at the prompt.
        let comments = input.lead.lines().map(str::trim).filter(|line| line.starts_with('#'));
        shell.view.narrate(&comments.map(str::to_owned).collect::<Vec<_>>());
        match shell.input(input.text.trim_end()).0 {
            Ended::Well => {}
            ended => *whole = ended,
        }
        if shell.leaving || *whole == Ended::Interrupted {
            break;
        }
        rest = &rest[input.end..];
    }
    rest
}
