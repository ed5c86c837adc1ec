//! Notebooks: read, checked against what Jupyter stored, stepped through, written and read again. Those in
//! tests/data/notebooks were run by Jupyter with PyTorch 2.15.

use crate::support::run::Test;
use crate::support::terminal::{ENTER, Terminal};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/notebooks");

fn stored(name: &str) -> String {
    fs::read_to_string(format!("{FOLDER}/{name}.ipynb")).unwrap()
}

fn sessions() -> Vec<PathBuf> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/sessions");
    let folders = ["", "/course", "/exercises", "/pytorch"];
    let files = folders.iter().flat_map(|f| fs::read_dir(format!("{root}{f}")).unwrap());
    let mut all: Vec<PathBuf> = files.map(|f| f.unwrap().path()).collect();
    all.retain(|f| f.extension().is_some_and(|e| e == "vjp"));
    all.sort();
    assert!(all.len() > 60);
    all
}

#[test]
fn cells_print_what_jupyter_printed() {
    for (name, cells) in
        [("gradients", 7), ("values", 18), ("training", 6), ("errors", 9), ("plots", 4)]
    {
        Test::new()
            .args(&["replay", "--check", "a.ipynb"])
            .file("a.ipynb", &stored(name))
            .stdout(&format!("✓ a.ipynb  {cells} of {cells} unchanged\n"))
            .run();
    }
}

#[test]
fn a_cell_that_prints_something_else_is_shown() {
    let file = stored("gradients").replace("tensor([ 3., 17., 20.]", "tensor([ 4., 17., 20.]");
    let ran = Test::new()
        .args(&["replay", "--check", "a.ipynb"])
        .file("a.ipynb", &file)
        .any_stdout()
        .status(1)
        .run();
    assert!(ran.stdout.starts_with("a.ipynb: cell 3\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("  + tensor([ 3., 17., 20.], grad_fn=<StackBackward0>)"));
    assert!(ran.stdout.ends_with("✗ a.ipynb  6 of 7 unchanged\n"));
}

#[test]
fn bless_rewrites_outputs_and_nothing_else() {
    let file = stored("plots");
    let spoiled = file.replace("largest slope 0.99", "largest slope 0.98");
    assert_ne!(file, spoiled);
    let ran = Test::new()
        .args(&["replay", "--bless", "a.ipynb"])
        .file("a.ipynb", &spoiled)
        .stdout("a.ipynb  4 inputs, 1 output rewritten\n")
        .run();
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let (blessed, before) = (read(&ran.read("a.ipynb")), read(&file));
    let cells = |all: &Value| all["cells"].as_array().unwrap().clone();
    for (now, then) in cells(&blessed).iter().zip(cells(&before)) {
        assert_eq!((&now["source"], &now["id"]), (&then["source"], &then["id"]));
        let pictures = |cell: &Value| -> Vec<Value> {
            let all = cell["outputs"].as_array().into_iter().flatten();
            all.map(|output| output["data"]["image/png"].clone()).filter(|p| !p.is_null()).collect()
        };
        assert_eq!(pictures(now), pictures(&then));
    }
    let text =
        Test::new().args(&["replay", "--check", "a.ipynb"]).file("a.ipynb", &ran.read("a.ipynb"));
    text.stdout("✓ a.ipynb  4 of 4 unchanged\n").run();
}

#[test]
fn a_replay_has_panels_and_figures() {
    let ran = Test::new()
        .args(&["replay", "a.ipynb"])
        .file("a.ipynb", &stored("gradients"))
        .any_stdout()
        .run();
    for line in [
        "## Gradients of a vector",
        "vjp> %matplotlib inline",
        "  vᵀJ      [   26  1240 ]",
        "torch.Size([2])",
    ] {
        assert!(ran.stdout.lines().any(|l| l.starts_with(line)), "{line}\n{}", ran.stdout);
    }
    assert!(!ran.stdout.contains("tensor([12"), "a semicolon keeps the value back");
    let plots =
        Test::new().args(&["replay", "a.ipynb"]).file("a.ipynb", &stored("plots")).any_stdout();
    let shown = plots.run().stdout;
    assert!(shown.contains("  tanh   ⠒ tanh   • its slope"), "{shown}");
}

#[test]
fn a_notebook_is_stepped_through() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.ipynb"), stored("gradients")).unwrap();
    let mut terminal = Terminal::with(&["replay", "--step", "a.ipynb"], folder);
    terminal.sees("Gradients of a vector");
    for shown in ["import torch", "requires_grad=True)", "StackBackward0"] {
        // One runs it, one goes to the next.
        terminal.press(ENTER);
        terminal.press(ENTER);
        terminal.sees(shown);
    }
    terminal.press("q");
    assert_eq!(terminal.left().0, 0);
}

#[test]
fn a_session_comes_back_from_its_notebook() {
    let folder = tempfile::tempdir().unwrap();
    let vjp = |args: &[&str]| {
        let ran = Command::new(env!("CARGO_BIN_EXE_vjp")).args(args).current_dir(&folder).output();
        let ran = ran.unwrap();
        let said = String::from_utf8(ran.stderr).unwrap();
        assert!(ran.status.success(), "{args:?}: {said}");
        String::from_utf8(ran.stdout).unwrap()
    };
    // Blank lines between inputs are layout.
    let told =
        |text: &str| text.lines().filter(|l| !l.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    for path in sessions() {
        let file = path.to_str().unwrap();
        vjp(&["export", "--to", "ipynb", file, "-o", "a.ipynb", "--force"]);
        let notebook = fs::read_to_string(folder.path().join("a.ipynb")).unwrap();
        let back = vjp::session::program::read(&notebook).unwrap().0.to_string();
        assert_eq!(told(&back), told(&fs::read_to_string(&path).unwrap()), "{file}");
        valid(&notebook);
    }
}

/// Asks nbformat where there is a Python that has it; else looks at what Jupyter insists on.
pub fn valid(notebook: &str) {
    let all: Value = serde_json::from_str(notebook).unwrap();
    assert_eq!((&all["nbformat"], &all["nbformat_minor"]), (&4.into(), &5.into()));
    let cells = all["cells"].as_array().unwrap();
    let mut ids: Vec<&str> = cells.iter().map(|cell| cell["id"].as_str().unwrap()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
    if let Ok(python) = std::env::var("VJP_JUPYTER_PYTHON") {
        let code = "import sys, nbformat; nbformat.validate(nbformat.reads(sys.argv[1], 4))";
        assert!(Command::new(python).args(["-c", code, notebook]).status().unwrap().success());
    }
}

#[test]
fn what_a_notebook_became_is_a_notebook_again() {
    let ran = Test::new()
        .stdin(":load a.ipynb\nx.grad is None\n:equations y.sum()\n:save b.ipynb\n:save b.vjp\n")
        .file("a.ipynb", &stored("gradients"))
        .any_stdout()
        .any_stderr()
        .run();
    let notebook = ran.read("b.ipynb");
    valid(&notebook);
    assert!(notebook.contains("\"#:equations y.sum()\""), "{notebook}");
    assert!(notebook.contains("∂out/∂x"), "{notebook}");
    for name in ["b.ipynb", "b.vjp"] {
        Test::new()
            .args(&["replay", "--check", name])
            .file(name, &ran.read(name))
            .stdout(&format!("✓ {name}  9 of 9 unchanged\n"))
            .run();
    }
}

#[test]
fn a_program_becomes_cells() {
    let program = "# A tensor.\nimport torch\nx = torch.ones(2, requires_grad=True)\n\n# Its sum.\ny = x.sum()\n\
                   y.backward()\nfor k in range(2):\n    print(k)\nx.grad\n";
    let ran = Test::new()
        .args(&["export", "--strict", "--to", "ipynb", "a.py", "-o", "a.ipynb"])
        .file("a.py", program)
        .run();
    let notebook = ran.read("a.ipynb");
    valid(&notebook);
    let all: Value = serde_json::from_str(&notebook).unwrap();
    let kinds = all["cells"].as_array().unwrap().iter().map(|cell| cell["cell_type"].clone());
    assert_eq!(kinds.collect::<Vec<_>>(), ["markdown", "code", "markdown", "code"]);
    let outputs = &all["cells"][3]["outputs"];
    assert_eq!(outputs[0]["text"], serde_json::json!(["0\n", "1\n"]));
    assert_eq!(outputs[1]["data"]["text/plain"], serde_json::json!(["tensor([1., 1.])"]));
}

#[test]
fn a_notebook_runs_as_a_program() {
    let cells = stored("training");
    let ran =
        Test::new().args(&["run", "--plain", "a.ipynb"]).file("a.ipynb", &cells).any_stdout().run();
    assert!(ran.stdout.starts_with("step 0: loss 1.4143\nstep 1"), "{}", ran.stdout);
}

#[test]
fn what_is_no_notebook_is_said_to_be_none() {
    for (text, says) in [
        (
            "{\"nbformat\": 4, \"cells\": [",
            "line 1: the notebook is not valid JSON; was it cut off?",
        ),
        (
            "{\"nbformat\": 3, \"worksheets\": []}",
            "a notebook of version 3: open it in Jupyter and save it again",
        ),
        ("{\"nbformat\": 4}", "a notebook whose cells are not in \"cells\""),
    ] {
        for command in [&["replay"][..], &["replay", "--check"], &["run"]] {
            let ran = Test::new().args(command).args(&["a.ipynb"]).file("a.ipynb", text);
            let ran = ran.any_stderr().status(1).run();
            assert!(ran.stderr.contains(says), "{}", ran.stderr);
        }
    }
}
