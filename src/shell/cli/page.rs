//! `vjp page`: sessions as pages for a browser.

use super::{complain, title};
use crate::cli::status::{FAILED, Usage};
use crate::replay::cells;
use crate::session_options::Common;
use crate::{Ended, interrupt, screen};
use anyhow::{Context, Result};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use vjp_page::{Cell, Engine, Lesson, packed};
use vjp_report::terminal::html::{code, escaped};
use vjp_session::marking::answer;
use vjp_session::marking::waiting::{State, states};
use vjp_session::program;
use vjp_session::reading::{self, ReadError};
use vjp_session::save::{self, Former, Stamp};
use vjp_text::visible;

/// How the engine's file is called, and where cargo puts it, seen from the folder of this program.
const ENGINE: &str = "vjp_page_engine.wasm";
const PLACES: [&str; 3] = ["", "../wasm32-unknown-unknown/page", "../share/vjp"];

/// The engine that several pages share.
const SHARED: &str = "engine.js";

/// The command that builds the engine.
const BUILD: &str = "cargo build --profile page --target wasm32-unknown-unknown -p vjp-page-engine";

/// Writes a page for one file, or a folder of pages with an index.
///
/// # Errors
/// A file cannot be read or written, a session is not well formed, Ctrl-C.
pub fn run(
    files: &[PathBuf],
    out: Option<&Path>,
    engine: Option<&Path>,
    common: &Common,
) -> Result<u8> {
    interrupt::listen(false);
    match (files, out) {
        ([file], None) if !file.is_dir() => {
            let lesson = lesson(file, common)?;
            io::stdout().write_all(vjp_page::page(&lesson, &inside(engine)?, &[]).as_bytes())?;
            Ok(0)
        }
        ([file], Some(out)) if !file.is_dir() && !out.is_dir() => {
            let lesson = lesson(file, common)?;
            let Some(place) = Place::look(out)? else {
                return Ok(FAILED);
            };
            place.write(&vjp_page::page(&lesson, &inside(engine)?, &[]))
        }
        (_, None) => Err(Usage::new(
            "several files need a folder to write to",
            "vjp page sessions -o course",
        )
        .into()),
        (_, Some(out)) if out.is_file() => {
            let problem = format!("{} is a file: several pages need a folder", visible::name(out));
            Err(Usage::new(problem, "vjp page sessions -o course").into())
        }
        (_, Some(out)) => folder(files, out, engine, common),
    }
}

/// The engine for a page of its own.
fn inside(named: Option<&Path>) -> Result<Engine> {
    Ok(found(named)?.map_or(Engine::None, |bytes| Engine::Inside(packed(&bytes, 9))))
}

/// The bytes of the engine: from the file that was named, or from where it is usually found.
fn found(named: Option<&Path>) -> Result<Option<Vec<u8>>> {
    let read = |path: &Path| -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        fs::File::open(path)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    if let Some(path) = named {
        let name = visible::name(path);
        let bytes = read(path).with_context(|| name.clone())?;
        if !bytes.starts_with(b"\0asm") {
            return Err(Usage::new(format!("{name} is not an engine"), BUILD).into());
        }
        return Ok(Some(bytes));
    }
    let own = std::env::current_exe().ok();
    let folder = own.as_deref().and_then(Path::parent).unwrap_or(Path::new("."));
    let known = PLACES.iter().map(|place| folder.join(place).join(ENGINE));
    let bytes = known.into_iter().find_map(|path| read(&path).ok());
    if bytes.is_none() {
        let says = "no engine was found: the page shows the session but cannot run it";
        screen::tell(&format!("note  {says}\n  help  {BUILD}\n"));
    }
    Ok(bytes)
}

/// Runs a session and keeps what each input shows.
fn lesson(file: &Path, common: &Common) -> Result<Lesson> {
    let name = reading::called(file);
    let (text, _) = reading::argument(file)?;
    let (mut session, _) = program::read(&text).with_context(|| name.clone())?;
    let mut shell = cells::shell(common.clone());
    let states = states(&session.steps);
    let mut cells = Vec::new();
    for (step, state) in session.steps.iter_mut().zip(states) {
        let input = code(&cells::painted(&shell, &step.text()));
        let mut output = None;
        if state == State::Runs {
            let cell = cells::run(&mut shell, &step.text(), false);
            if cell.ended == Ended::Interrupted {
                return Err(io::Error::from(io::ErrorKind::Interrupted).into());
            }
            if let Some(kept) = answer::keep(&step.output, &cell.output) {
                step.output = kept;
            }
            // A blank is still open: the colours would fill it in.
            output = (step.output == cell.output).then_some(cell.html);
        }
        let output = output.unwrap_or_else(|| escaped(&step.output.join("\n")));
        cells.push(Cell { state, input, output });
    }
    let stem = Path::new(&title(file)).with_extension("vjp");
    let name = stem.display().to_string();
    let (strict, dtype) = (common.strict, common.dtype.name());
    Ok(Lesson { name, session, cells, strict, dtype })
}

/// Where a page is to be written.
struct Place<'a> {
    path: &'a Path,
    /// Of the page that is there now.
    stamp: Option<Stamp>,
}

impl Place<'_> {
    /// None, and said, where something else is there.
    fn look(path: &Path) -> Result<Option<Place<'_>>> {
        let ours = |text: &str| {
            text.is_empty()
                || text.lines().take(3).any(|l| l == vjp_page::FIRST)
                || text.starts_with(Engine::FIRST)
        };
        let stamp = match reading::text(path) {
            Ok((text, stamp)) if ours(&text) => Some(stamp),
            Err(ReadError::Missing(..)) => None,
            Err(error @ ReadError::NotAFile(..)) => return Err(error.into()),
            Ok(_) | Err(_) => {
                let name = visible::name(path);
                complain(&format!("{name} was not written by vjp page"), "choose another name");
                return Ok(None);
            }
        };
        Ok(Some(Place { path, stamp }))
    }

    fn write(&self, text: &str) -> Result<u8> {
        let former = self.stamp.as_ref().map_or(Former::Unknown, Former::Known);
        save::save(self.path, text.as_bytes(), former)?;
        Ok(0)
    }
}

/// Looks and writes.
fn write(path: &Path, text: &str) -> Result<u8> {
    Place::look(path)?.map_or(Ok(FAILED), |place| place.write(text))
}

/// The session files of folders and those named, by the folder they are in.
fn gathered(files: &[PathBuf]) -> Result<Vec<(String, Vec<PathBuf>)>> {
    let mut parts: Vec<(String, Vec<PathBuf>)> = vec![(String::new(), Vec::new())];
    for file in files {
        match file.is_dir() {
            true => below(file, "", &mut parts)?,
            false => parts[0].1.push(file.clone()),
        }
    }
    parts.retain(|(_, files)| !files.is_empty());
    Ok(parts)
}

fn below(folder: &Path, part: &str, parts: &mut Vec<(String, Vec<PathBuf>)>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| visible::name(folder))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let (folders, files): (Vec<_>, Vec<_>) = paths.into_iter().partition(|p| p.is_dir());
    let session = |path: &PathBuf| path.extension().is_some_and(|e| e == "vjp");
    let own = files.into_iter().filter(session);
    match parts.iter_mut().find(|(name, _)| name == part) {
        Some((_, files)) => files.extend(own),
        None => parts.push((part.to_owned(), own.collect())),
    }
    for folder in folders {
        let name = folder.file_name().map(|n| n.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        let inside = if part.is_empty() { name } else { format!("{part}/{name}") };
        below(&folder, &inside, parts)?;
    }
    Ok(())
}

/// An index, a page for each session, and one engine for all of them.
fn folder(files: &[PathBuf], out: &Path, engine: Option<&Path>, common: &Common) -> Result<u8> {
    let parts = gathered(files)?;
    if parts.is_empty() {
        let names: Vec<String> = files.iter().map(|f| visible::name(f)).collect();
        let problem = format!("there is no session file in {}", names.join(", "));
        return Err(Usage::new(problem, "session files end in .vjp").into());
    }
    let engine = found(engine)?;
    fs::create_dir_all(out).with_context(|| visible::name(out))?;
    if let Some(bytes) = &engine {
        let status = write(&out.join(SHARED), &Engine::script(&packed(bytes, 9)))?;
        if status != 0 {
            return Ok(status);
        }
    }
    let mut pages: Vec<(&String, &PathBuf, String)> = Vec::new();
    for (part, files) in &parts {
        for file in files {
            let prefix = if part.is_empty() { String::new() } else { part.replace('/', "-") + "-" };
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            let name = |k: usize| match k {
                1 => format!("{prefix}{stem}.html"),
                k => format!("{prefix}{stem}-{k}.html"),
            };
            // Files of several folders may be called alike.
            let taken = |name: &String| pages.iter().any(|(.., other)| other == name);
            let free = (1..).map(name).find(|name| !taken(name));
            pages.push((part, file, free.unwrap_or_default()));
        }
    }
    let mut listed: Vec<(String, Vec<(String, String)>)> = Vec::new();
    for (k, (part, file, name)) in pages.iter().enumerate() {
        let lesson = lesson(file, common)?;
        let mut others = vec![("index.html".to_owned(), "All lessons")];
        for (at, says) in [(k.checked_sub(1), "Previous"), (Some(k + 1), "Next")] {
            others.extend(at.and_then(|at| pages.get(at)).map(|(.., name)| (name.clone(), says)));
        }
        let runs = match engine {
            Some(_) => Engine::Beside(SHARED.to_owned()),
            None => Engine::None,
        };
        let status = write(&out.join(name), &vjp_page::page(&lesson, &runs, &others))?;
        if status != 0 {
            return Ok(status);
        }
        let entry = (name.clone(), lesson.title());
        match listed.last_mut().filter(|(last, _)| last == *part) {
            Some((_, entries)) => entries.push(entry),
            None => listed.push(((*part).clone(), vec![entry])),
        }
    }
    write(&out.join("index.html"), &vjp_page::index("Lessons", &listed))
}
