//! Keys of `--step`: single keys of a terminal, or one key a line.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{self, LocalModes, OptionalActions, SpecialCodeIndex, Termios};
use std::io::{self, IsTerminal, Write};
use std::time::Duration;
use vjp_session::presenting::step::{Key, Keys};
use vjp_session::reading;

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
            let Some(line) = reading::line()? else {
                return Ok(None);
            };
            if let Some(key) = read(line.trim()) {
                return Ok(Some(key));
            }
        }
    }
}

/// The key a line stands for.
pub(super) fn read(line: &str) -> Option<Key> {
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

/// A key as it is pressed; some ask for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pressed {
    Next,
    Back,
    Go,
    Rest,
    /// The steps of a backward.
    Steps,
    Try,
    Quit,
    Other,
}

/// Single keys; `g` and `:` ask for the rest on a line of their own.
struct Terminal;

impl Keys for Terminal {
    fn next(&mut self) -> io::Result<Option<Key>> {
        loop {
            let raw = Raw::begin()?;
            let pressed = press()?;
            let gone = (pressed == Pressed::Go).then(number).transpose()?.flatten();
            drop(raw);
            let key = match pressed {
                Pressed::Next => Some(Key::Next),
                Pressed::Back => Some(Key::Back),
                Pressed::Rest => Some(Key::Rest),
                Pressed::Quit => Some(Key::Quit),
                Pressed::Go => gone,
                Pressed::Try => ask("vjp> ")?.map(Key::Try),
                Pressed::Steps | Pressed::Other => None,
            };
            if key.is_some() {
                return Ok(key);
            }
        }
    }
}

/// Where to go, asked for on the line of the cursor, in raw mode; Esc and Ctrl-C leave it.
pub(super) fn number() -> io::Result<Option<Key>> {
    let mut digits = String::new();
    loop {
        show(&format!("\r\x1b[Kgo to input: {digits}"))?;
        match stroke()? {
            Stroke::Stop | Stroke::Escape => return Ok(None),
            Stroke::Enter => return Ok(digits.parse().ok().map(Key::Go)),
            Stroke::Erase => drop(digits.pop()),
            Stroke::Sign(digit @ '0'..='9') if digits.len() < 6 => digits.push(digit),
            _ => {}
        }
    }
}

fn show(text: &str) -> io::Result<()> {
    let mut out = io::stdout();
    write!(out, "{text}")?;
    out.flush()
}

/// A key of a terminal in raw mode, whatever it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stroke {
    Sign(char),
    Enter,
    Erase,
    /// Right, down, page down.
    On,
    /// Left, up, page up.
    Back,
    Home,
    End,
    Escape,
    /// Ctrl-C, Ctrl-D, the end of the input.
    Stop,
    Other,
}

/// Waits for a key of a terminal in raw mode.
pub(super) fn stroke() -> io::Result<Stroke> {
    Ok(match byte()? {
        None | Some(3 | 4) => Stroke::Stop,
        Some(b'\r' | b'\n') => Stroke::Enter,
        Some(0x7f | 8) => Stroke::Erase,
        Some(0x1b) => named()?,
        Some(sign @ b' '..=b'~') => Stroke::Sign(char::from(sign)),
        _ => Stroke::Other,
    })
}

/// Waits for a key of `--step`.
pub(super) fn press() -> io::Result<Pressed> {
    Ok(match stroke()? {
        Stroke::Stop | Stroke::Sign('q') => Pressed::Quit,
        Stroke::Enter | Stroke::On | Stroke::Sign(' ' | 'n') => Pressed::Next,
        Stroke::Back | Stroke::Erase | Stroke::Sign('b') => Pressed::Back,
        Stroke::Sign('r') => Pressed::Rest,
        Stroke::Sign('g') => Pressed::Go,
        Stroke::Sign('s') => Pressed::Steps,
        Stroke::Sign(':') => Pressed::Try,
        _ => Pressed::Other,
    })
}

/// How long the rest of an arrow key may take; a lone Esc has none.
const ESCAPE: Duration = Duration::from_millis(50);

/// Keys with a name come as an escape and a few bytes.
fn named() -> io::Result<Stroke> {
    let mut rest = Vec::new();
    while pending(Some(ESCAPE))? {
        let Some(next) = byte()? else { break };
        rest.push(next);
        if rest.len() > 1 && (b'@'..=b'~').contains(&next) {
            break;
        }
    }
    Ok(match rest.as_slice() {
        [] => Stroke::Escape,
        [b'[' | b'O', b'C' | b'B'] | b"[6~" => Stroke::On,
        [b'[' | b'O', b'D' | b'A'] | b"[5~" => Stroke::Back,
        [b'[' | b'O', b'H'] | b"[1~" | b"[7~" => Stroke::Home,
        [b'[' | b'O', b'F'] | b"[4~" | b"[8~" => Stroke::End,
        _ => Stroke::Other,
    })
}

/// A line typed with the terminal's own editing; an empty one is not a key.
fn ask(prompt: &str) -> io::Result<Option<String>> {
    show(prompt)?;
    let line = reading::line()?.unwrap_or_default();
    let line = line.trim();
    Ok((!line.is_empty()).then(|| line.to_owned()))
}

/// Keys come one by one, unseen; gives the terminal its modes back, whatever happens.
pub(super) struct Raw(Termios);

impl Raw {
    /// Ctrl-C is a key, too.
    pub(super) fn begin() -> io::Result<Raw> {
        Raw::without(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
    }

    /// While something runs: Ctrl-C is a signal, and what is typed waits unseen.
    pub(super) fn running() -> io::Result<Raw> {
        Raw::without(LocalModes::ICANON | LocalModes::ECHO)
    }

    fn without(modes: LocalModes) -> io::Result<Raw> {
        let before = termios::tcgetattr(rustix::stdio::stdin())?;
        let mut raw = before.clone();
        raw.local_modes -= modes;
        raw.special_codes[SpecialCodeIndex::VMIN] = 1;
        raw.special_codes[SpecialCodeIndex::VTIME] = 0;
        termios::tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, &raw)?;
        Ok(Raw(before))
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = termios::tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, &self.0);
    }
}

/// One byte, read past every buffer, so that [`pending`] tells the truth.
fn byte() -> io::Result<Option<u8>> {
    let mut byte = [0];
    loop {
        match rustix::io::read(rustix::stdio::stdin(), &mut byte) {
            Ok(count) => return Ok((count == 1).then_some(byte[0])),
            Err(rustix::io::Errno::INTR) => {}
            Err(e) => return Err(e.into()),
        }
    }
}

/// Whether a key waits, after at most so long; a signal ends the waiting.
pub(super) fn pending(patience: Option<Duration>) -> io::Result<bool> {
    let stdin = rustix::stdio::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    let limit = patience.and_then(|p| Timespec::try_from(p).ok());
    match poll(&mut fds, limit.as_ref()) {
        Ok(count) => Ok(count > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(e) => Err(e.into()),
    }
}

/// Lets a time pass, in raw mode; false where a key was pressed, which is taken.
pub(super) fn pause(time: Duration) -> io::Result<bool> {
    if !pending(Some(time))? {
        return Ok(true);
    }
    press()?;
    Ok(false)
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
