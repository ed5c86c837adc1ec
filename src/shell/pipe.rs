//! Standard input that is not a terminal: inputs are read without a prompt.

use super::shell::{Ended, Shell};
use crate::text::lines;
use crate::text::paste::Prompts;
use std::io::{self, Read};

/// Evaluates each input as soon as it is complete; after an error it goes on. Returns how it
/// ended: well, failed if anything did, or interrupted.
///
/// # Errors
/// Standard input cannot be read.
pub fn run(shell: &mut Shell) -> io::Result<Ended> {
    let mut input = io::stdin().lock();
    let mut whole = Ended::Well;
    let mut bytes = Vec::new();
    let mut chunk = vec![0; 1 << 16];
    let (mut prompts, mut pending) = (Prompts::default(), String::new());
    loop {
        let count = input.read(&mut chunk)?;
        bytes.extend_from_slice(&chunk[..count]);
        let ready = match count {
            0 => bytes.len(),
            _ => bytes.iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1),
        };
        // Lossy: what is no UTF-8 is no program either, and its error shows the place.
        let text = String::from_utf8_lossy(&bytes[..ready]).replace("\r\n", "\n");
        bytes.drain(..ready);
        pending.push_str(&prompts.feed(&text));
        let rest = evaluate(shell, &pending, count == 0, &mut whole).len();
        pending.drain(..pending.len() - rest);
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
        match shell.input(input.text.trim_end()).0 {
            Ended::Well => {}
            Ended::Failed => *whole = Ended::Failed,
            Ended::Interrupted => *whole = Ended::Interrupted,
        }
        if shell.leaving || *whole == Ended::Interrupted {
            break;
        }
        rest = &rest[input.end..];
    }
    rest
}
