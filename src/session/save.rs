//! Saving without ever losing an older file: write beside it, sync, rename.

use super::reading::reason;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use vjp_text::visible::name;

/// What a file held when this process last read or wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    length: u64,
    hash: u64,
}

impl Stamp {
    pub fn of(contents: &[u8]) -> Stamp {
        let mut hasher = DefaultHasher::new();
        hasher.write(contents);
        Stamp { length: contents.len() as u64, hash: hasher.finish() }
    }

    /// Whether the file holds this now; a file of another length is not read.
    fn holds(&self, path: &Path) -> io::Result<bool> {
        let mut file = File::open(path)?;
        if file.metadata()?.len() != self.length {
            return Ok(false);
        }
        let (mut hasher, mut piece) = (DefaultHasher::new(), vec![0; 1 << 16]);
        loop {
            match file.read(&mut piece)? {
                0 => return Ok(hasher.finish() == self.hash),
                count => hasher.write(&piece[..count]),
            }
        }
    }
}

/// What the saver knows of the file that may already be there.
#[derive(Clone, Copy, Debug)]
pub enum Former<'a> {
    /// This process read or wrote it: it must still hold this, and nothing in it is lost.
    Known(&'a Stamp),
    /// As `Known`, but the new text lacks something of the old: that is kept under another name.
    Kept(&'a Stamp),
    /// Never seen: what is there is kept under another name.
    Unknown,
}

#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    #[error("{} changed since it was read; nothing was written", name(.0))]
    Changed(PathBuf),
    #[error("{} is not a regular file", name(.0))]
    NotAFile(PathBuf),
    #[error("{}: there is no folder {}", name(.0), name(.1))]
    NoFolder(PathBuf, PathBuf),
    #[error("{}: {reason}; nothing was written", name(path))]
    Io { path: PathBuf, reason: String },
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
    let fail = |error: io::Error| SaveError::Io { path: path.to_owned(), reason: reason(&error) };
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
    sweep(folder);
    let temporary = write_beside(&target, contents, existing.as_ref()).map_err(fail)?;
    let stamp = Stamp::of(contents);
    let mut kept = None;
    if existing.as_ref().is_some_and(|meta| meta.len() > 0) {
        if let Former::Known(then) | Former::Kept(then) = former
            && !then.holds(&target).map_err(fail)?
        {
            return Err(SaveError::Changed(path.to_owned()));
        }
        let lost = !matches!(former, Former::Known(_)) && !stamp.holds(&target).map_err(fail)?;
        kept = lost.then(|| keep(&target)).transpose().map_err(fail)?;
    }
    temporary.persist(&target).map_err(|e| fail(e.error))?;
    // The rename itself lasts only when the folder is on the disk; not every file system can.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(Saved { stamp, kept })
}

/// Names of the files that are written beside others begin so.
const PREFIX: &str = ".vjp-";

/// What was being written this long ago is written no more: its writer was killed.
const STALE: Duration = Duration::from_secs(60 * 60);

/// Removes what killed processes of this user left in a folder. That it cannot be removed disturbs
/// nobody.
fn sweep(folder: &Path) {
    use std::os::unix::fs::MetadataExt;
    let own = rustix::process::getuid().as_raw();
    let ours = |name: &str| {
        name.strip_prefix(PREFIX)
            .is_some_and(|rest| rest.len() == 6 && rest.chars().all(|c| c.is_ascii_alphanumeric()))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|e| e.file_name().to_str().is_some_and(ours)) {
        let old = entry.metadata().is_ok_and(|meta| {
            let age = meta.modified().map(|then| SystemTime::now().duration_since(then));
            meta.is_file() && meta.uid() == own && matches!(age, Ok(Ok(age)) if age > STALE)
        });
        if old {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A synced temporary file in the same folder; dropped, it vanishes.
fn write_beside(
    target: &Path,
    contents: &[u8],
    existing: Option<&fs::Metadata>,
) -> io::Result<tempfile::NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    let mut file = tempfile::Builder::new()
        .prefix(PREFIX)
        .permissions(fs::Permissions::from_mode(0o666)) // less the umask
        .tempfile_in(folder_of(target))?;
    file.write_all(contents)?;
    if let Some(meta) = existing {
        file.as_file().set_permissions(meta.permissions())?;
    }
    file.as_file().sync_all()?;
    Ok(file)
}

/// Keeps the present file as `name~`, or `name~2`, `name~3` … where those hold something else; without
/// copying where links exist.
fn keep(target: &Path) -> io::Result<PathBuf> {
    let copied = |backup: &Path| -> io::Result<()> {
        let mut to = File::create_new(backup)?;
        io::copy(&mut File::open(target)?, &mut to)?;
        to.set_permissions(fs::metadata(target)?.permissions())
    };
    let mut number = 1;
    loop {
        let mut name = target.as_os_str().to_owned();
        name.push(if number == 1 { "~".to_owned() } else { format!("~{number}") });
        let backup = PathBuf::from(name);
        match fs::hard_link(target, &backup).or_else(|_| copied(&backup)) {
            Ok(()) => return Ok(backup),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(e) => return Err(e),
        }
    }
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
        for (contents, name, older) in
            [("three", "a.vjp~", "two"), ("four", "a.vjp~2", "three"), ("five", "a.vjp~3", "four")]
        {
            let saved = save(&path, contents.as_bytes(), Former::Unknown).unwrap();
            assert_eq!(saved.kept.unwrap().file_name().unwrap(), name);
            assert_eq!(fs::read_to_string(dir.path().join(name)).unwrap(), older);
            assert_eq!(fs::read_to_string(&path).unwrap(), contents);
        }
        assert_eq!(fs::read_to_string(dir.path().join("a.vjp~")).unwrap(), "two");
        // What is there already is not kept twice.
        assert!(save(&path, b"five", Former::Unknown).unwrap().kept.is_none());
    }

    #[test]
    fn only_old_temporary_files_are_swept() {
        let dir = tempfile::tempdir().unwrap();
        let aged = |name: &str, hours: u64| {
            let file = File::create(dir.path().join(name)).unwrap();
            let then = SystemTime::now() - Duration::from_secs(hours * 60 * 60);
            file.set_modified(then).unwrap();
        };
        for (name, hours) in
            [(".vjp-Ab3dEf", 2), (".vjp-new123", 0), (".vjp-notours", 9), ("vjp-Ab3dEf", 9)]
        {
            aged(name, hours);
        }
        save(&dir.path().join("a.vjp"), b"one", Former::Unknown).unwrap();
        assert_eq!(names(dir.path()), [".vjp-new123", ".vjp-notours", "a.vjp", "vjp-Ab3dEf"]);
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
