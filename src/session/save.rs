//! Saving without ever losing an older file: write beside it, sync, rename.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What a file held when this process last read or wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp(Vec<u8>);

impl Stamp {
    pub fn of(contents: &[u8]) -> Stamp {
        Stamp(contents.to_vec())
    }
}

/// What the saver knows of the file that may already be there.
#[derive(Clone, Copy, Debug)]
pub enum Former<'a> {
    /// This process read or wrote it: it must still hold this.
    Known(&'a Stamp),
    /// As `Known`, but the new text does not grow out of the old: that is kept with a `~`.
    Kept(&'a Stamp),
    /// Never seen: what is there is kept under the name with `~`.
    Unknown,
}

#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    #[error("{0} changed since it was read; it is left as it is")]
    Changed(PathBuf),
    #[error("{0} is not a regular file")]
    NotAFile(PathBuf),
    #[error("{}: there is no folder {}", .0.display(), .1.display())]
    NoFolder(PathBuf, PathBuf),
    #[error("{path}: {source}; nothing there was changed")]
    Io {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

/// What saving did: the new stamp, and where the older file went if it was kept.
#[derive(Debug)]
pub struct Saved {
    pub stamp: Stamp,
    pub kept: Option<PathBuf>,
}

/// Writes `contents` to `path` all at once: whoever looks sees the old file or the new one.
/// A symbolic link stays a link and its target is replaced; permissions are kept.
///
/// # Errors
/// The file changed since it was read, is not a regular file, may not be written, or the disk fails;
/// in each case it holds what it held before.
pub fn save(path: &Path, contents: &[u8], former: Former<'_>) -> Result<Saved, SaveError> {
    let fail = |source| SaveError::Io { path: path.to_owned(), source };
    let target = follow(path).map_err(fail)?;
    let existing = match fs::symlink_metadata(&target) {
        Ok(meta) if !meta.is_file() => return Err(SaveError::NotAFile(path.to_owned())),
        Ok(meta) => Some(meta),
        Err(e) if e.kind() == io::ErrorKind::NotFound => None,
        Err(e) => return Err(fail(e)),
    };
    if existing.is_some() {
        // A rename needs no permission on the file itself; a person who made it read-only does.
        fs::OpenOptions::new().write(true).open(&target).map_err(fail)?;
    }
    let folder = folder_of(&target);
    if !folder.exists() {
        return Err(SaveError::NoFolder(path.to_owned(), folder.to_owned()));
    }
    let temporary = write_beside(&target, contents, existing.as_ref()).map_err(fail)?;
    let now = fs::read(&target).ok();
    if let (Some(now), Former::Known(Stamp(then)) | Former::Kept(Stamp(then))) = (&now, former)
        && now != then
    {
        return Err(SaveError::Changed(path.to_owned()));
    }
    let replaced = now.filter(|old| !old.is_empty() && old != contents);
    let kept = match (replaced, former) {
        (Some(_), Former::Kept(_) | Former::Unknown) => Some(keep(&target).map_err(fail)?),
        _ => None,
    };
    temporary.persist(&target).map_err(|e| fail(e.error))?;
    // The rename itself lasts only when the folder is on the disk; not every file system can.
    if let Ok(folder) = File::open(folder_of(&target)) {
        let _ = folder.sync_all();
    }
    Ok(Saved { stamp: Stamp::of(contents), kept })
}

/// A synced temporary file in the same folder; dropped, it vanishes.
fn write_beside(
    target: &Path,
    contents: &[u8],
    existing: Option<&fs::Metadata>,
) -> io::Result<tempfile::NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    let mut file = tempfile::Builder::new()
        .prefix(".vjp-")
        .permissions(fs::Permissions::from_mode(0o666)) // less the umask
        .tempfile_in(folder_of(target))?;
    file.write_all(contents)?;
    if let Some(meta) = existing {
        file.as_file().set_permissions(meta.permissions())?;
    }
    file.as_file().sync_all()?;
    Ok(file)
}

/// Keeps the present file as `name~`, without copying where links exist.
fn keep(target: &Path) -> io::Result<PathBuf> {
    let mut name = target.as_os_str().to_owned();
    name.push("~");
    let backup = PathBuf::from(name);
    match fs::remove_file(&backup) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    if fs::hard_link(target, &backup).is_err() {
        fs::copy(target, &backup)?;
    }
    Ok(backup)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The file behind a chain of symbolic links, existing or not.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut at = path.to_owned();
    for _ in 0..40 {
        match fs::read_link(&at) {
            Ok(next) => at = folder_of(&at).join(next),
            Err(_) => return Ok(at),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn names(folder: &Path) -> Vec<String> {
        let mut all: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        all.sort();
        all
    }

    #[test]
    fn replaces_what_it_knows_and_keeps_what_it_does_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.vjp");
        let first = save(&path, b"one", Former::Unknown).unwrap();
        save(&path, b"two", Former::Known(&first.stamp)).unwrap();
        assert_eq!(names(dir.path()), ["a.vjp"]);
        let third = save(&path, b"three", Former::Unknown).unwrap();
        assert_eq!(third.kept.unwrap().file_name().unwrap(), "a.vjp~");
        assert_eq!(fs::read(dir.path().join("a.vjp~")).unwrap(), b"two");
        assert_eq!(fs::read(&path).unwrap(), b"three");
    }

    #[test]
    fn refuses_a_file_that_someone_else_changed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.vjp");
        fs::write(&path, "theirs").unwrap();
        let error = save(&path, b"ours", Former::Known(&Stamp::of(b"old"))).unwrap_err();
        assert!(matches!(error, SaveError::Changed(_)));
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
        assert_eq!(names(dir.path()), ["a.vjp"]);
    }

    #[test]
    fn goes_through_links_and_keeps_permissions() {
        let dir = tempfile::tempdir().unwrap();
        let (real, link) = (dir.path().join("real.vjp"), dir.path().join("link.vjp"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real.vjp", &link).unwrap();
        save(&link, b"new", Former::Known(&Stamp::of(b"old"))).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn a_folder_and_a_missing_folder_are_plain_errors() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(save(dir.path(), b"x", Former::Unknown), Err(SaveError::NotAFile(_))));
        let error = save(&dir.path().join("no/a.vjp"), b"x", Former::Unknown).unwrap_err();
        assert!(error.to_string().contains("there is no folder"));
    }
}
