//! Keys of `--step`: single keys of a terminal, or one key a line.

use crate::session::step::{Key, Keys};
use rustix::termios::{self, LocalModes, OptionalActions, SpecialCodeIndex, Termios};
use std::io::{self, BufRead, IsTerminal, Read, Write};

/// The keyboard, whatever it is.
pub fn keyboard() -> Box<dyn Keys> {
    match io::stdin().is_terminal() {
        true => Box::new(Terminal),
        false => Box::new(Lines),
    }
}

/// One key a line: an empty line is Enter; `g 3`, `: y = 2` bring their text along.
struct Lines;

impl Keys for Lines {
    fn next(&mut self) -> io::Result<Option<Key>> {
        loop {
            let mut line = String::new();
            if io::stdin().lock().read_line(&mut line)? == 0 {
                return Ok(None);
            }
            if let Some(key) = read(line.trim()) {
                return Ok(Some(key));
            }
        }
    }
}

/// The key a line stands for.
fn read(line: &str) -> Option<Key> {
    let (first, rest) = match line.chars().next() {
        None => return Some(Key::Next),
        Some(first) => (first, line[first.len_utf8()..].trim()),
    };
    match first {
        ':' => Some(Key::Try(rest.to_owned())),
        'g' => rest.parse().ok().map(Key::Go),
        'b' if rest.is_empty() => Some(Key::Back),
        'r' if rest.is_empty() => Some(Key::Rest),
        'q' if rest.is_empty() => Some(Key::Quit),
        'n' if rest.is_empty() => Some(Key::Next),
        _ => None,
    }
}

/// Single keys; `g` and `:` ask for the rest on a line of their own.
struct Terminal;

impl Keys for Terminal {
    fn next(&mut self) -> io::Result<Option<Key>> {
        loop {
            let byte = raw_key()?;
            let key = match byte {
                None | Some(3 | 4 | b'q') => Some(Key::Quit), // Ctrl-C, Ctrl-D
                Some(b'\r' | b'\n' | b' ' | b'n') => Some(Key::Next),
                Some(b'b' | 0x7f) => Some(Key::Back),
                Some(b'r') => Some(Key::Rest),
                Some(b'g') => ask("go to input: ")?.and_then(|n| read(&format!("g {n}"))),
                Some(b':') => ask("vjp> ")?.map(Key::Try),
                Some(0x1b) => arrow()?,
                _ => None,
            };
            if key.is_some() {
                return Ok(key);
            }
        }
    }
}

/// Arrow keys and page keys come as an escape and a few bytes.
fn arrow() -> io::Result<Option<Key>> {
    if raw_key()? != Some(b'[') {
        return Ok(None);
    }
    Ok(match raw_key()? {
        Some(b'C' | b'B') => Some(Key::Next),
        Some(b'D' | b'A') => Some(Key::Back),
        Some(b'5') => raw_key()?.map(|_| Key::Back),
        Some(b'6') => raw_key()?.map(|_| Key::Next),
        _ => None,
    })
}

/// A line typed with the terminal's own editing; an empty one is no key.
fn ask(prompt: &str) -> io::Result<Option<String>> {
    let mut out = io::stdout();
    write!(out, "{prompt}")?;
    out.flush()?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let line = line.trim();
    Ok((!line.is_empty()).then(|| line.to_owned()))
}

/// Gives the terminal its modes back, whatever happens.
struct Raw(Termios);

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = termios::tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, &self.0);
    }
}

/// One byte as it is pressed.
fn raw_key() -> io::Result<Option<u8>> {
    let before = termios::tcgetattr(rustix::stdio::stdin())?;
    let mut raw = before.clone();
    raw.local_modes -= LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
    raw.special_codes[SpecialCodeIndex::VMIN] = 1;
    raw.special_codes[SpecialCodeIndex::VTIME] = 0;
    let _restore = Raw(before);
    termios::tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, &raw)?;
    let mut byte = [0];
    let count = io::stdin().lock().read(&mut byte)?;
    Ok((count == 1).then_some(byte[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_key() {
        assert_eq!(read(""), Some(Key::Next));
        assert_eq!(read("g 12"), Some(Key::Go(12)));
        assert_eq!(read("g12"), Some(Key::Go(12)));
        assert_eq!(read(": y = 2"), Some(Key::Try("y = 2".into())));
        assert_eq!(
            [read("b"), read("r"), read("q")],
            [Some(Key::Back), Some(Key::Rest), Some(Key::Quit)]
        );
        assert_eq!([read("g x"), read("bb"), read("z")], [None, None, None]);
    }
}
