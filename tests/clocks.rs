//! No clock decides what is printed: what may look at one is listed here.

use std::fs;
use std::path::{Path, PathBuf};

/// Code between an input and what is printed for it. The clock belongs to previews, to a `--time-limit`, to
/// what an echo may take after a wish to stop, to `:cost`, which measures, and to files.
const CRATES: [&str; 11] = [
    "backward",
    "catalogue",
    "eval",
    "jacobian",
    "library",
    "maths",
    "ops",
    "report",
    "session",
    "syntax",
    "tutor",
];
const ALLOWED: [&str; 7] = [
    "eval/record/aside.rs",
    "eval/language/exception/finally_allowance.rs",
    "eval/language/machine/run.rs",
    "session/save.rs",
    "tutor/cost.rs",
    "tutor/preview.rs",
    "catalogue/jacobian_tests.rs",
];

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => sources(&path, out),
            false if path.extension().is_some_and(|e| e == "rs") => out.push(path),
            false => {}
        }
    }
}

#[test]
fn no_clock_decides_what_is_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    CRATES.iter().for_each(|name| sources(&root.join(name), &mut files));
    assert!(files.len() > 100, "{}", files.len());
    let looks = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        ["Instant", "SystemTime", "Limits::time("].iter().any(|word| text.contains(word))
    };
    let found = files
        .iter()
        .filter(|path| looks(path))
        .map(|path| path.strip_prefix(&root).unwrap().display().to_string());
    let mut found: Vec<String> = found.collect();
    found.sort();
    let mut allowed = ALLOWED.map(str::to_owned);
    allowed.sort();
    assert_eq!(found, allowed);
}

/// What a panel says that is found by running the text again, also where the machine is busy.
#[test]
fn a_busy_machine_prints_the_same() {
    const SESSION: &str = "x = 2.; c = x.detach(); y = c*x; y.backward()";
    let run = || {
        let out =
            std::process::Command::new(env!("CARGO_BIN_EXE_vjp")).args(["-e", SESSION]).output();
        String::from_utf8(out.unwrap().stdout).unwrap()
    };
    let alone = run();
    assert!(alone.contains("x.detach() is held fixed"), "{alone}");
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let busy: Vec<String> = (0..6).map(|_| run()).collect();
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        busy.iter().for_each(|one| assert_eq!(*one, alone));
    });
}
