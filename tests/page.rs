//! The page's engine gives the text that the terminal gives: every session runs through it in Node.

use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

/// Where `cargo build --profile page --target wasm32-unknown-unknown -p vjp-page-engine` puts it.
const ENGINE: &str = "target/wasm32-unknown-unknown/page/vjp_page_engine.wasm";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Files below a folder whose names end so.
fn below(folder: &Path, ending: &str, all: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        match path.is_dir() {
            true => below(&path, ending, all),
            false if path.to_string_lossy().ends_with(ending) => all.push(path),
            false => {}
        }
    }
    all.sort();
}

fn changed(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

/// The engine, where it is built from the sources as they are, and Node can run it.
fn engine() -> Option<PathBuf> {
    let engine = root().join(ENGINE);
    let Some(built) = changed(&engine) else {
        eprintln!("SKIPPED: there is no {ENGINE}; README's \"As a page\" names the command");
        return None;
    };
    let mut sources = Vec::new();
    below(&root().join("src"), ".rs", &mut sources);
    if sources.iter().any(|s| changed(s) > Some(built)) {
        eprintln!("SKIPPED: {ENGINE} is older than the sources");
        return None;
    }
    let node = Command::new("node").arg("--version").stdout(Stdio::null()).status();
    if !node.is_ok_and(|s| s.success()) {
        eprintln!("SKIPPED: no node here");
        return None;
    }
    Some(engine)
}

/// Answers of one engine to questions, in order.
fn asked(engine: &Path, questions: &[Value]) -> Vec<Value> {
    let mut node = Command::new("node")
        .arg(root().join("tests/page/engine.mjs"))
        .arg(engine)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines: String = questions.iter().map(|q| format!("{q}\n")).collect();
    let mut stdin = node.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = node.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_session_gives_the_same_text() {
    let Some(engine) = engine() else { return };
    let mut files = Vec::new();
    below(&root().join("sessions"), ".vjp", &mut files);
    assert!(files.len() > 50);
    below(&root().join("tests/data/sentences"), ".vjp", &mut files);
    let texts: Vec<String> = files.iter().map(|f| fs::read_to_string(f).unwrap()).collect();
    let questions: Vec<Value> =
        texts.iter().map(|text| json!({"ask": "bless", "text": text})).collect();
    let answers = asked(&engine, &questions);
    assert_eq!(answers.len(), files.len(), "the engine ended early");
    let other = files
        .iter()
        .zip(&texts)
        .zip(&answers)
        .filter(|((_, text), answer)| answer["session"].as_str() != Some(text.as_str()));
    let other: Vec<_> = other.map(|((file, _), answer)| format!("{file:?}: {answer}")).collect();
    assert!(other.is_empty(), "{} differ:\n{}", other.len(), other.join("\n"));
}

#[test]
fn deep_calls_and_brackets_are_answered() {
    let Some(engine) = engine() else { return };
    let input = |text: &str| json!({"ask": "input", "text": text});
    let deep = format!("{}1{}", "(".repeat(150), ")".repeat(150));
    let answers = asked(
        &engine,
        &[
            input("def f(n): return 0 if n == 0 else 1 + f(n - 1)\n"),
            input("f(200)"),
            input("f(5000)"),
            input(&deep),
            input(&"[".repeat(5000)),
            input("torch.ones(100000, 100000)"),
            input("2 + 2"),
        ],
    );
    let first = |k: usize| answers[k]["output"][0].as_str().unwrap_or_default().to_owned();
    assert_eq!(answers.len(), 7);
    assert_eq!([first(1), first(3), first(6)], ["200", "1", "4"]);
    assert!(first(2).contains("RecursionError"), "{}", first(2));
    assert!(first(4).starts_with("error") && first(5).starts_with("error"));
}

#[test]
fn names_that_python_reads_alike_are_one() {
    let Some(engine) = engine() else { return };
    let input = |text: &str| json!({"ask": "input", "text": text});
    let strict = json!({"ask": "restart", "strict": true});
    let answers = asked(&engine, &[strict, input("ﬁ = 2; ﷲ = 3; 𝑥 = 4"), input("print(fi, ﷲ, x)")]);
    assert_eq!(answers[2]["output"], json!(["2 3 4"]), "{}", answers[2]);
}

#[test]
fn the_options_of_a_page_reach_its_engine() {
    let folder = tempfile::tempdir().unwrap();
    let (session, out) = (folder.path().join("strict.vjp"), folder.path().join("strict.html"));
    fs::write(&session, "vjp> x = torch.tensor([1., 2.]) / 3\nvjp> print(x.dtype, 2 ^ 3)\n")
        .unwrap();
    let vjp = Command::new(env!("CARGO_BIN_EXE_vjp"))
        .args(["page", "--strict", "--dtype", "float32"])
        .arg(&session)
        .arg("-o")
        .arg(&out)
        .output()
        .unwrap();
    assert!(vjp.status.success(), "{}", String::from_utf8_lossy(&vjp.stderr));
    let html = fs::read_to_string(&out).unwrap();
    assert!(html.contains("torch.float32 1"), "{html}");
    assert!(html.contains(r#""options":{"strict":true,"dtype":"float32"}"#));
    let Some(engine) = engine() else { return };
    let print = json!({"ask": "input", "text": "print(torch.ones(1).dtype, 2 ^ 3)"});
    let strict = json!({"ask": "restart", "strict": true, "dtype": "float32"});
    let answers = asked(&engine, &[strict, print.clone(), json!({"ask": "restart"}), print]);
    assert_eq!(answers[1]["output"], json!(["torch.float32 1"]));
    assert_eq!(answers[3]["output"], json!(["torch.float64 8"]));
}

#[test]
fn an_edit_runs_from_its_own_input() {
    let Some(engine) = engine() else { return };
    let at = |at: u64, text: &str| json!({"ask": "input", "at": at, "text": text});
    let answers = asked(
        &engine,
        &[
            at(0, "x = [1, 2]"),
            at(1, "y = 3*x^2; y.backward([1, 10])"),
            at(2, "x.grad"),
            at(0, "x = [2, 2]"),
            at(1, "y = 3*x^2; y.backward([1, 10])"),
            at(2, "x.grad"),
            at(2, "x.grad"),
            at(7, "x"),
        ],
    );
    let last = |k: usize| answers[k]["output"].as_array().unwrap().last().cloned().unwrap();
    assert_eq!([last(2), last(5), last(6)], ["[6, 120]", "[12, 120]", "[12, 120]"]);
    assert_eq!(answers[7], json!({"lost": true}));
    let html = answers[4]["html"].as_str().unwrap();
    assert!(html.contains("<span class=\"panel\"") && html.contains("data-spot=\"entry 0 1 1\""));
    assert_eq!(unbalanced(html), Vec::<String>::new());
}

/// The page of a session, written by `vjp page`.
fn page(session: &str, out: &Path, engine: Option<&Path>) {
    let mut vjp = Command::new(env!("CARGO_BIN_EXE_vjp"));
    vjp.arg("page").arg(root().join(session)).arg("-o").arg(out);
    vjp.args(engine.map(|e| [Path::new("--engine"), e]).into_iter().flatten());
    let output = vjp.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The text of the elements of one class, as a reader sees it.
fn texts(page: &str, class: &str) -> Vec<String> {
    let element = regex::Regex::new(&format!(r#"(?s)<pre class="{class}">(.*?)</pre>"#)).unwrap();
    let tag = regex::Regex::new("<[^>]*>").unwrap();
    let text = |html: &str| {
        let signs =
            [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
        let plain = tag.replace_all(html, "").into_owned();
        signs.iter().fold(plain, |text, (code, sign)| text.replace(code, sign))
    };
    element.captures_iter(page).map(|found| text(&found[1])).collect()
}

/// Elements that are opened and not closed, or the other way round.
fn unbalanced(page: &str) -> Vec<String> {
    let script = regex::Regex::new(r"(?s)(<(script|style)[^>]*>).*?</(script|style)>").unwrap();
    let page = script.replace_all(page, "$1</$2>");
    let tag = regex::Regex::new(r"<(/?)([a-z0-9]+)[^>]*>").unwrap();
    let mut open: Vec<String> = Vec::new();
    let mut wrong = Vec::new();
    for found in tag.captures_iter(&page) {
        let name = found[2].to_owned();
        if matches!(name.as_str(), "meta" | "input" | "br") || found[0].ends_with("/>") {
            continue;
        }
        match found[1].is_empty() {
            true => open.push(name),
            false if open.last() == Some(&name) => drop(open.pop()),
            false => wrong.push(name),
        }
    }
    wrong.extend(open);
    wrong
}

#[test]
fn without_scripts_a_page_reads_as_the_session() {
    let folder = tempfile::tempdir().unwrap();
    for session in ["sessions/10-three-rows.vjp", "sessions/exercises/05-a-vector-with-v.vjp"] {
        let out = folder.path().join("lesson.html");
        page(session, &out, None);
        let html = fs::read_to_string(&out).unwrap();
        assert_eq!(unbalanced(&html), Vec::<String>::new(), "{session}");
        let text = fs::read_to_string(root().join(session)).unwrap();
        let steps = vjp::session::transcript::Transcript::parse(&text).unwrap().steps;
        let outputs: Vec<String> =
            steps.iter().map(|s| s.output.join("\n")).filter(|o| !o.is_empty()).collect();
        assert_eq!(texts(&html, "output"), outputs, "{session}");
        let inputs: Vec<String> = steps.iter().map(|s| s.text()).collect();
        assert_eq!(texts(&html, "code"), inputs, "{session}");
        assert!(html.contains("<span class=\"cotangent\">v</span>") || session.contains("05"));
        assert!(html.contains("<h1>Three rows</h1>") || session.contains("05"));
    }
}

#[test]
fn a_folder_of_sessions_becomes_a_course() {
    let folder = tempfile::tempdir().unwrap();
    let course = folder.path().join("course");
    page("sessions/exercises", &course, None);
    let index = fs::read_to_string(course.join("index.html")).unwrap();
    let link = regex::Regex::new(r#"href="([^"]*)""#).unwrap();
    let pages: Vec<_> = link.captures_iter(&index).map(|l| course.join(&l[1])).collect();
    assert!(pages.len() > 10 && pages.iter().all(|page| page.is_file()), "{pages:?}");
    // Written again, each page replaces itself only.
    let before = fs::read_dir(&course).unwrap().count();
    page("sessions/exercises", &course, None);
    assert_eq!(fs::read_dir(&course).unwrap().count(), before);
}

/// A quarter of the edits, and what follows them, take no longer than two frames: a machine that runs all the
/// tests at once has little time for a browser.
const FRAME: f64 = 32.0;

/// axe-core, where npm can be asked for it.
fn axe(folder: &Path) -> Option<PathBuf> {
    let mut npm = Command::new("npm");
    npm.args(["install", "--silent", "--no-fund", "--no-audit", "--prefix"])
        .arg(folder)
        .arg("axe-core");
    let came = npm.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success());
    let axe = folder.join("node_modules/axe-core/axe.min.js");
    if !came || !axe.is_file() {
        eprintln!("SKIPPED: axe-core cannot be had here; nothing was asked about accessibility");
        return None;
    }
    Some(axe)
}

#[test]
fn returning_to_an_input_shows_what_was_shown() {
    use vjp::shell::replay::cells;
    let mut files = Vec::new();
    below(&root().join("sessions"), ".vjp", &mut files);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let steps = vjp::session::transcript::Transcript::parse(&text).unwrap().steps;
        let mut shell = cells::shell(Default::default());
        let mut shown = Vec::new();
        let mut marks = Vec::new();
        for step in &steps {
            marks.push(cells::mark(&shell));
            shown.push(cells::run(&mut shell, &step.text(), false).output);
        }
        // From the middle, after another input there.
        let from = steps.len() / 2;
        let Some(Some(mark)) = marks.get(from) else { continue };
        cells::return_to(&mut shell, mark);
        cells::run(&mut shell, "zz = 3; zz.backward(); zz[0]", true);
        cells::return_to(&mut shell, mark);
        for (k, step) in steps.iter().enumerate().skip(from) {
            let again = cells::run(&mut shell, &step.text(), false).output;
            assert_eq!(again, shown[k], "{}: input {}", file.display(), k + 1);
        }
    }
}

#[test]
fn what_latex_says_is_typeset() {
    use vjp::shell::replay::cells;
    let mut files = Vec::new();
    below(&root().join("sessions"), ".vjp", &mut files);
    let mut count = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let steps = vjp::session::transcript::Transcript::parse(&text).unwrap().steps;
        let mut shell = cells::shell(Default::default());
        for step in &steps {
            cells::run(&mut shell, &step.text(), false);
            for ask in [":latex", ":equations latex"] {
                let cell = cells::run(&mut shell, ask, true);
                let formula = cell.output.first().is_some_and(|line| line.starts_with('\\'));
                let long = cell.output.iter().map(String::len).sum::<usize>() > 15_000;
                if !formula || long || cell.output.len() > 80 {
                    continue;
                }
                count += 1;
                assert!(cell.html.contains("<math"), "{}: {:?}", file.display(), cell.output);
                assert_eq!(unbalanced(&cell.html), Vec::<String>::new(), "{:?}", cell.output);
            }
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn a_person_can_use_a_page_in_a_browser() {
    let Some(engine) = engine() else { return };
    let known = ["chromium", "chromium-browser", "google-chrome"];
    let runs = |name: &&&str| {
        let status = Command::new(name).arg("--version").stdout(Stdio::null()).status();
        status.is_ok_and(|s| s.success())
    };
    let Some(browser) = known.iter().find(runs) else {
        eprintln!("SKIPPED: no browser here ({})", known.join(", "));
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let [lesson, sheet, drawn] =
        ["lesson.html", "sheet.html", "drawn.html"].map(|name| folder.path().join(name));
    page("sessions/10-three-rows.vjp", &lesson, Some(&engine));
    page("sessions/exercises/05-a-vector-with-v.vjp", &sheet, Some(&engine));
    page("tests/page/drawn.vjp", &drawn, Some(&engine));
    let axe = axe(folder.path());
    let output = Command::new("node")
        .arg(root().join("tests/page/browser.mjs"))
        .args([Path::new(browser), &folder.path().join("profile"), &lesson, &sheet, &drawn])
        .args(&axe)
        .output()
        .unwrap();
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    let seen: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(seen["problems"], json!([]), "{seen}");
    assert_eq!(seen["requests"], json!([]), "a page asks nobody");
    assert_eq!(seen["written"], seen["again"]);
    let edited = seen["edited"].as_str().unwrap();
    assert!(edited.contains("[   52  1540 ] ✓"), "{edited}");
    assert_eq!(seen["shared"], seen["edited"]);
    assert_eq!(seen["preview"], "→ [6, 9]");
    assert_eq!(seen["unnamed"], 0);
    eprintln!(
        "ready after {} ms, an edit takes {} ms (a quarter, half, 95 of 100 within)",
        seen["ready"], seen["frames"]
    );
    assert_eq!(seen["nudged"], "x = [1.1, 2]");
    assert_eq!(seen["large"], "x = [1999000000, 2]");
    assert!(seen["frames"][0].as_f64().unwrap() < FRAME, "{}", seen["frames"]);
    assert_eq!(seen["sum"], "x₁  1×6 + 10×0 = 6");
    assert_eq!(
        seen["lit"],
        "column 0 0, column 0 0, weight 0, row 0, entry 0 0 0, entry 0 0 1, formula 0 0 0, \
         formula 0 0 1, entry 0 1 0, formula 0 1 0, product 0 0, sum 0 0, gradient 0 0"
    );
    assert!(seen["path"].as_u64() > Some(5), "the way from the leaf to y is lit in the graph");
    assert_eq!(seen["told"], "y₂, x₂: 12; 1×0 + 10×12 = 120");
    assert_eq!(seen["turn"], "2 of 3 step 2 of 3   back through x^2");
    assert!(seen["litInGraph"].as_u64() > Some(1));
    assert_eq!(seen["pictures"], json!([3, 2, 2]), "math, graphs, plots");
    assert!(seen["gap"].as_f64().unwrap() < 12.0, "a step stands below its buttons");
    assert!(seen["wide"].as_f64().unwrap() <= 0.0, "a phone shows the page's whole width");
    assert_eq!(seen["cut"], 0, "a phone shows inputs whole, paper also pictures");
    let looks: Vec<&str> =
        seen["looks"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(looks, ["rgb(255, 255, 255)", "rgb(22, 22, 26)", "rgb(255, 255, 255)"]);
    assert_eq!(seen["presented"], json!(["y = 3*x^2; y.backward([1, 10]) / false", true]));
    assert!(seen["printed"].as_u64() > Some(10_000));
    assert_eq!(seen["choices"], true, "completions can be seen");
    assert!(seen["columns"].as_f64().unwrap() < 1.0, "a panel's brackets stand in one column");
    assert!(seen["gaps"].as_f64().unwrap() < 0.1, "brackets touch");
    assert_eq!(seen["begins"], 1, "equations begin below each other");
    assert_eq!(seen["kept"][0], seen["kept"][1]);
    assert_eq!(seen["kept"][0], seen["kept"][2]);
    let notebook = seen["notebook"].as_str().unwrap();
    crate::notebooks::valid(notebook);
    let notebook = vjp::session::notebook::read(notebook).unwrap();
    let outputs: Vec<String> = notebook.steps.iter().map(|s| s.output.join("\n")).collect();
    let shown = seen["kept"][0].as_array().unwrap().iter().filter_map(Value::as_str);
    assert!(shown.filter(|o| !o.is_empty()).eq(outputs.iter().filter(|o| !o.is_empty())));
    if axe.is_some() {
        assert_eq!(seen["wrong"], json!({"light": [], "dark": [], "sheet": []}));
    }
    assert!(seen["solved"].as_str().unwrap().contains("[6, 120]"), "{}", seen["solved"]);
    assert!(seen["marks"].to_string().contains("✓ right"), "{}", seen["marks"]);
    let answers = seen["answers"].as_array().unwrap();
    assert_eq!(answers.len(), 4);
    assert!(answers.iter().all(|given| *given == answers[0]), "{answers:?}");
    let report = seen["report"].as_str().unwrap();
    assert!(report.contains("1 of 4 right, 2 open"), "{report}");
}
