//! The history of inputs: one entry per line, newlines as `\n`, readable by its owner
//! alone, appended to after every input.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use vjp_session::reading;

/// So much of the file's end is read, some thousand inputs: a history of years starts as fast as none.
const READ: u64 = 1 << 17;

/// The file of earlier inputs, if there is to be one.
pub struct History {
    path: Option<PathBuf>,
}

impl History {
    /// Where the platform keeps it. `VJP_HISTORY` names another file; set and empty: none.
    pub fn locate() -> History {
        let path = match std::env::var_os("VJP_HISTORY") {
            Some(path) => (!path.is_empty()).then(|| PathBuf::from(path)),
            None => platform("XDG_STATE_HOME", ".local/state")
                .map(|folder| folder.join("vjp").join("history")),
        };
        History { path }
    }

    /// Entries, oldest first. A file that cannot be read is an empty one.
    pub fn load(&self) -> Vec<String> {
        let text = self.path.as_deref().and_then(|p| tail(p).ok());
        text.unwrap_or_default().lines().filter(|line| !line.is_empty()).map(unescape).collect()
    }

    /// Adds an entry. That a history cannot be written must not disturb the session.
    pub fn append(&self, entry: &str) {
        if let Some(path) = &self.path {
            let _ = append(path, entry);
        }
    }
}

/// The folder that `variable` names, else the platform's own place: `own` below the home folder.
pub(crate) fn platform(variable: &str, own: &str) -> Option<PathBuf> {
    let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    absolute(variable).or_else(|| {
        let home = absolute("HOME")?;
        Some(match cfg!(target_os = "macos") {
            true => home.join("Library").join("Application Support"),
            false => home.join(own),
        })
    })
}

fn append(path: &Path, entry: &str) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    // A device or a pipe in its place takes nothing, and is not waited for.
    if fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
        return Ok(());
    }
    let mut file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
    // One write: sessions side by side do not tear each other's lines.
    file.write_all(format!("{}\n", escape(entry)).as_bytes())
}

/// Whole lines from the end of a file.
fn tail(path: &Path) -> io::Result<String> {
    let mut file = reading::open(path).map_err(io::Error::other)?;
    let length = file.metadata()?.len();
    let skipped = length.saturating_sub(READ);
    file.seek(SeekFrom::Start(skipped))?;
    let mut bytes = Vec::new();
    file.take(READ).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(match (skipped, text.find('\n')) {
        (0, _) | (_, None) => text,
        (_, Some(end)) => text[end + 1..].to_owned(),
    })
}

fn escape(entry: &str) -> String {
    entry.replace('\\', "\\\\").replace('\n', "\\n")
}

fn unescape(line: &str) -> String {
    if !line.contains('\\') {
        return line.to_owned();
    }
    let mut entry = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => entry.push(match chars.next() {
                Some('n') => '\n',
                Some(other) => other,
                None => '\\',
            }),
            _ => entry.push(c),
        }
    }
    entry
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn entries_come_back_as_they_were_typed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep").join("history");
        let history = History { path: Some(path.clone()) };
        let entries = ["x = 1", "for v in x:\n    print(v, '\\n')", "y\\"];
        entries.iter().for_each(|e| history.append(e));
        assert_eq!(history.load(), entries);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn only_the_end_of_a_long_file_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("history");
        let lines: String = (0..200_000).map(|n| format!("x = {n}\n")).collect();
        fs::write(&path, lines).unwrap();
        let entries = History { path: Some(path) }.load();
        assert_eq!(entries.last().unwrap(), "x = 199999");
        assert!(entries.len() > 10_000 && entries.iter().all(|e| e.starts_with("x = ")));
    }
}
