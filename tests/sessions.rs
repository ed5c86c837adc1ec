//! Every session file replays as it stands, twice in one process.

use std::fs;
use std::path::{Path, PathBuf};
use vjp::report::Style;
use vjp::session::{compare, replay, transcript};
use vjp::shell::session_options::Common;
use vjp::shell::shell::Shell;
use vjp::shell::view::Face;

fn sessions(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).map(|e| e.flatten().collect()).unwrap_or_else(|_| Vec::new());
    let mut all = Vec::new();
    for entry in entries {
        let path = entry.path();
        match path.is_dir() {
            true => all.extend(sessions(&path)),
            false if path.extension().is_some_and(|e| e == "vjp") => all.push(path),
            false => {}
        }
    }
    all.sort();
    all
}

fn check(files: &[&PathBuf]) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut complaints = String::new();
    for path in files {
        let text = fs::read_to_string(path).unwrap();
        let name = path.strip_prefix(folder).unwrap().display().to_string();
        let file = transcript::Transcript::parse(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(file.to_string(), text, "{name} is not written as it would be saved");
        let mut shell = Shell::new(Common::default(), Face::Drawn, Style::canonical());
        shell.keep_history();
        let blessed = replay::bless(&file, &mut shell).unwrap();
        if blessed.transcript != file || !blessed.unfit.is_empty() {
            complaints += &compare::check(&file, &mut shell).unwrap().describe(&name);
            complaints += &format!("{name} is not as --bless leaves it\n");
        }
    }
    complaints
}

#[test]
fn every_session_replays_as_it_stands_twice() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = sessions(&folder.join("sessions"));
    assert!(!files.is_empty(), "no session file under {}", folder.display());
    files.extend(sessions(&folder.join("tests/data/sentences")));
    let hands = std::thread::available_parallelism().map_or(1, |n| n.get().min(4));
    std::thread::scope(|scope| {
        let spawn = |hand| {
            let own: Vec<&PathBuf> = files.iter().skip(hand).step_by(hands).collect();
            let worker = std::thread::Builder::new().stack_size(1 << 30);
            worker.spawn_scoped(scope, move || [check(&own), check(&own)]).unwrap()
        };
        let workers: Vec<_> = (0..hands).map(spawn).collect();
        for worker in workers {
            let [first, second] = worker.join().unwrap();
            assert!(first.is_empty(), "{first}");
            assert!(second.is_empty(), "the second time only:\n{second}");
        }
    });
}
