//! Inputs typed out as by a person: `replay --speed N`.

use crate::keys::{self, Raw};
use crate::screen::Screen;
use std::io::{self, IsTerminal};
use std::time::Duration;
use vjp_report::{Painted, Stream};
use vjp_session::transcript::{CONTINUATION, PROMPT};
use vjp_tensor::clock;

/// Writes a line with its newline: first the prompt, then one character after another; any key, Ctrl-C
/// too, finishes the line.
pub fn write(screen: &mut Screen, line: &Painted, pace: Duration) -> io::Result<()> {
    // Without a terminal nobody presses a key: standard input belongs to others.
    let raw = io::stdin().is_terminal().then(Raw::begin).transpose()?;
    let text = line.as_str();
    let prompt =
        [PROMPT, CONTINUATION].iter().find_map(|p| Some(text.find(p)? + p.len())).unwrap_or(0);
    let (start, mut rest) = line.split_at(prompt);
    screen.paint(Stream::Out, &start);
    while let Some(length) = first(rest.as_str()) {
        let (sign, after) = rest.split_at(length);
        screen.paint(Stream::Out, &sign);
        screen.flush();
        rest = after;
        let go_on = match raw {
            Some(_) => keys::pause(pace)?,
            None => {
                clock::wait(pace);
                true
            }
        };
        if !go_on {
            break;
        }
    }
    screen.paint(Stream::Out, rest.push("\n"));
    Ok(())
}

/// Bytes of the first character, with the colours before it.
fn first(text: &str) -> Option<usize> {
    let mut at = 0;
    while text[at..].starts_with('\x1b') {
        at += text[at..].find('m').map_or(text.len() - at, |m| m + 1);
    }
    let sign = text[at..].chars().next()?;
    Some(at + sign.len_utf8())
}
