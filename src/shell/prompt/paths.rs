//! Completion of the path of a session file or a program.

use std::io::Read;
use std::path::{Path, PathBuf};
use vjp_session::reading;

/// Session files and programs whose path begins so, folders with a slash; each with its first
/// line of narration.
pub fn beginning(typed: &str) -> Vec<(String, String)> {
    let (folder, begun) = match typed.rfind('/') {
        Some(slash) => typed.split_at(slash + 1),
        None => ("", typed),
    };
    let place = match (folder, folder.strip_prefix("~/"), std::env::var_os("HOME")) {
        ("", ..) => PathBuf::from("."),
        (_, Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(folder),
    };
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let wanted =
                name.starts_with(begun) && (begun.starts_with('.') || !name.starts_with('.'));
            let path = entry.path();
            wanted.then(|| match path.is_dir() {
                true => (format!("{folder}{name}/"), "folder".to_owned()),
                false => (format!("{folder}{name}"), title(&path)),
            })
        })
        .collect()
}

/// The first line of a session's narration or a program's comment.
fn title(path: &Path) -> String {
    let known = path.extension().is_some_and(|e| e == "vjp" || e == "py");
    let mut start = [0; 256];
    let read = reading::open(path).ok().and_then(|mut f| f.read(&mut start).ok());
    let text = String::from_utf8_lossy(&start[..read.unwrap_or(0)]).into_owned();
    let first = text.lines().next().and_then(|l| l.strip_prefix('#'));
    first.filter(|_| known).map_or(String::new(), |l| l.trim().to_owned())
}
