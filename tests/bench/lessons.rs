//! Whole lessons: training loops as courses have them, in float32, as a process beside PyTorch's.

use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/lessons");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

/// What a process prints, and the least milliseconds of so many runs.
fn run(rounds: usize, command: &mut Command) -> (String, f64) {
    let mut least = f64::INFINITY;
    let mut printed = String::new();
    for _ in 0..rounds {
        let start = Instant::now();
        let output = command.output().unwrap();
        least = least.min(start.elapsed().as_secs_f64() * 1e3);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        printed = String::from_utf8_lossy(&output.stdout).into_owned();
    }
    (printed, least)
}

/// One line for each lesson: both times, PyTorch's also from when all is imported, and whether every
/// line printed, losses above all, is PyTorch's.
pub fn times(wanted: impl Fn(&str) -> bool, rounds: usize, python: Option<&str>) -> Vec<Json> {
    let mut lines = Vec::new();
    for path in programs() {
        let name = format!("lessons {}", path.file_stem().unwrap().display());
        if !wanted(&name) {
            continue;
        }
        let mut own = Command::new(env!("CARGO_BIN_EXE_vjp"));
        own.args(["run", "--plain", "--strict", "--dtype", "float32"]).arg(&path);
        let (ours, ms) = run(rounds, &mut own);
        let mut line = json!({ "task": name, "ms": ms.round() });
        if let Some(python) = python {
            let quiet = || {
                let mut command = Command::new(python);
                command.args(["-W", "ignore"]);
                command
            };
            let (theirs, torch) = run(rounds, quiet().arg(&path));
            let (said, _) = run(1, quiet().args(["-c", IMPORTED]).arg(&path));
            let imported: f64 = said.lines().last().unwrap().parse().unwrap();
            line["torch"] = json!(torch.round());
            line["torch_imported"] = json!(imported.round());
            line["ratio"] = json!(super::rounded(torch / ms));
            line["ratio_imported"] = json!(super::rounded(imported / ms));
            line["same"] = json!(ours == theirs);
            for (a, b) in ours.lines().zip(theirs.lines()).filter(|(a, b)| a != b).take(3) {
                eprintln!("{name}: {a}\n{}  {b}", " ".repeat(name.len()));
            }
        }
        lines.push(line);
    }
    lines
}

/// Runs a program after its imports and what an optimizer loads with its first step, and prints the
/// milliseconds.
const IMPORTED: &str = "\
import runpy, sys, time
import torch, torch.utils.data
torch.optim.Adam([torch.zeros(1, requires_grad=True)]).step()
torch.zeros(1, requires_grad=True).sum().backward()
start = time.perf_counter()
runpy.run_path(sys.argv[1])
print((time.perf_counter() - start) * 1e3)
";
