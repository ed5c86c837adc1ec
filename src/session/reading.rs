//! Every file and stream comes in here: regular files of at most 64 MiB, read piece by piece, so that
//! the wish to stop and the limits are heeded.

use super::save::Stamp;
use rustix::fs::OFlags;
use std::fs::{self, File, FileType};
use std::io::{self, BufRead, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use vjp_tensor::{Complaint, budget};
use vjp_text::{did_you_mean, visible};

/// Longer files are refused, and longer inputs of a stream.
pub const MOST: usize = 64 << 20;

/// What is read between two looks at the limits.
const PIECE: usize = 1 << 16;

/// This much can always be read: a session at its memory limit still takes commands.
const SMALL: usize = 1 << 20;

/// What it takes to read a text and to find its inputs, for each of its bytes.
const TAKES: usize = 6;

/// How standard input is called in sentences.
pub const STDIN: &str = "standard input";

/// Why something could not be read, by its name.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Its name, and that of one beside it which may be meant.
    #[error("there is no file {0}")]
    Missing(String, Option<String>),
    #[error("{0} is a {1}, not a regular file")]
    NotAFile(String, &'static str),
    #[error("{0} is larger than {most}", most = budget::size(MOST))]
    TooLarge(String),
    #[error("{0} is not UTF-8 text")]
    NotText(String),
    #[error("{0}: {1}")]
    Stopped(String, Box<Complaint>),
    #[error("{0}: {1}")]
    Io(String, String),
}

impl ReadError {
    /// Whether there is something that cannot be looked at.
    pub fn hides(&self) -> bool {
        !matches!(self, ReadError::Missing(..) | ReadError::NotAFile(..))
    }

    /// How to go on, where there is a way.
    pub fn hint(&self) -> String {
        match self {
            ReadError::Missing(_, Some(near)) => format!("did you mean {near}?"),
            ReadError::NotAFile(_, "folder") => String::new(),
            ReadError::NotAFile(..) => "vjp run -  reads a program from standard input".into(),
            ReadError::Stopped(_, complaint) => complaint.hint.clone().unwrap_or_default(),
            _ => String::new(),
        }
    }
}

/// What the system says, without its number.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

fn kind(found: FileType) -> &'static str {
    if found.is_dir() {
        "folder"
    } else if found.is_fifo() {
        "named pipe"
    } else if found.is_socket() {
        "socket"
    } else {
        "device"
    }
}

/// Opens a regular file. Asked before it is opened, since opening alone may wait or do something;
/// asked again after, since the name may mean something else by then.
pub fn open(path: &Path) -> Result<File, ReadError> {
    let name = || visible::name(path);
    let regular = |meta: fs::Metadata| match meta.is_file() {
        true => Ok(()),
        false => Err(ReadError::NotAFile(name(), kind(meta.file_type()))),
    };
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => ReadError::Missing(name(), near(path)),
        _ => ReadError::Io(name(), reason(&error)),
    };
    regular(fs::metadata(path).map_err(failed)?)?;
    let waitless = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
    let file = fs::OpenOptions::new().read(true).custom_flags(waitless).open(path);
    let file = file.map_err(failed)?;
    regular(file.metadata().map_err(failed)?)?;
    Ok(file)
}

/// A file of the same folder whose name differs by a slip.
fn near(path: &Path) -> Option<String> {
    let folder = match path.parent()? {
        none if none.as_os_str().is_empty() => Path::new("."),
        folder => folder,
    };
    let files = fs::read_dir(folder).ok()?.flatten().filter(|e| e.path().is_file());
    let mut names: Vec<String> = files.filter_map(|e| e.file_name().into_string().ok()).collect();
    names.sort();
    let meant =
        did_you_mean::closest(path.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(visible::name(&path.with_file_name(meant)))
}

/// The text of a file, and what was there.
pub fn text(path: &Path) -> Result<(String, Stamp), ReadError> {
    let name = visible::name(path);
    let bytes = whole(&mut open(path)?, &name)?;
    let stamp = Stamp::of(&bytes);
    Ok((as_text(bytes, &name)?, stamp))
}

/// The text of a file named on the command line, where `-` is standard input.
pub fn argument(path: &Path) -> Result<(String, Stamp), ReadError> {
    match is_stdin(path) {
        true => stdin().map(|text| {
            let stamp = Stamp::of(text.as_bytes());
            (text, stamp)
        }),
        false => text(path),
    }
}

pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// How sentences call a file named on the command line.
pub fn called(path: &Path) -> String {
    match is_stdin(path) {
        true => STDIN.to_owned(),
        false => visible::name(path),
    }
}

/// The text of standard input, to its end.
fn stdin() -> Result<String, ReadError> {
    as_text(whole(&mut io::stdin().lock(), STDIN)?, STDIN)
}

/// Without the mark that some editors put before a text.
fn as_text(bytes: Vec<u8>, name: &str) -> Result<String, ReadError> {
    let mut text = String::from_utf8(bytes).map_err(|_| ReadError::NotText(name.to_owned()))?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

/// All that comes, called `name`.
fn whole(from: &mut dyn Read, name: &str) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    while append(from, &mut bytes, name)? > 0 {
        if bytes.len() > MOST {
            return Err(ReadError::TooLarge(name.to_owned()));
        }
    }
    Ok(bytes)
}

/// Reads what there is, as much as a piece; how much it was. Memory is asked for before it is taken.
pub fn append(from: &mut dyn Read, bytes: &mut Vec<u8>, name: &str) -> Result<usize, ReadError> {
    let stopped = |complaint| ReadError::Stopped(name.to_owned(), complaint);
    if bytes.len() > SMALL {
        budget::tick().map_err(stopped)?;
    }
    if bytes.capacity() - bytes.len() < PIECE {
        let more = bytes.len().max(PIECE);
        room(bytes.len() + more, name)?;
        bytes.reserve_exact(more);
    }
    let before = bytes.len();
    bytes.resize(before + PIECE, 0);
    let count = loop {
        match from.read(&mut bytes[before..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                budget::tick().map_err(stopped)?;
            }
            other => break other,
        }
    };
    bytes.truncate(before + count.as_ref().copied().unwrap_or(0));
    count.map_err(|error| ReadError::Io(name.to_owned(), reason(&error)))
}

/// Asks for what a text of so many bytes will take.
///
/// # Errors
/// There is no such room.
pub fn room(bytes: usize, name: &str) -> Result<(), ReadError> {
    match bytes > SMALL {
        true => budget::reserve(bytes.saturating_mul(TAKES))
            .map_err(|complaint| ReadError::Stopped(name.to_owned(), complaint)),
        false => Ok(()),
    }
}

/// The next line of standard input; None at its end.
pub fn line() -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let most = u64::try_from(MOST).unwrap_or(u64::MAX);
    let count = io::stdin().lock().take(most).read_until(b'\n', &mut bytes)?;
    if count == MOST {
        let long = ReadError::TooLarge(format!("a line of {STDIN}"));
        return Err(io::Error::other(long));
    }
    Ok((count > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let says = |path: &Path| text(path).unwrap_err().to_string();
        assert!(says(dir.path()).ends_with(" is a folder, not a regular file"));
        assert_eq!(says(Path::new("/dev/zero")), "/dev/zero is a device, not a regular file");
        let fifo = dir.path().join("fifo");
        let made = std::process::Command::new("mkfifo").arg(&fifo).status();
        assert!(made.unwrap().success());
        assert!(says(&fifo).ends_with("fifo is a named pipe, not a regular file"));
        let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("s")).unwrap();
        assert!(says(&dir.path().join("s")).ends_with(" is a socket, not a regular file"));
        let none = dir.path().join("none");
        assert_eq!(says(&none), format!("there is no file {}", none.display()));
    }

    #[test]
    fn a_text_is_utf_8_and_no_larger_than_the_most() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        fs::write(&path, "\u{feff}x = 1\n").unwrap();
        assert_eq!(text(&path).unwrap().0, "x = 1\n");
        fs::write(&path, b"x = '\xff'").unwrap();
        assert!(text(&path).unwrap_err().to_string().ends_with("a is not UTF-8 text"));
        File::create(&path).unwrap().set_len(MOST as u64 + 1).unwrap();
        assert!(text(&path).unwrap_err().to_string().ends_with("a is larger than 64 MiB"));
        assert_eq!(whole(&mut io::repeat(b'a').take(MOST as u64), "a").unwrap().len(), MOST);
        let endless = whole(&mut io::repeat(b'a'), "it").unwrap_err();
        assert_eq!(endless.to_string(), "it is larger than 64 MiB");
    }
}
