//! What the catalogue says of its operations: `:help` of each, once; the page of them, as it is now.

use super::run;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use vjp::eval::language::machine::{Manner, Options};
use vjp::library::describe::describe;
use vjp::ops::Entry;
use vjp::shell::help;
use vjp::shell::help::{layout, operation};
use vjp::text::source::Source;

fn typed(code: &str) -> Result<(), String> {
    let mut machine = vjp::tutor::machine(Options::default());
    machine
        .run(&Source::new(code), Manner::Program, &mut |_| {})
        .map_err(|fault| format!("{}: {}", fault.class, fault.message))
}

/// A derivative in words or symbols: that J is "dense" or "sparse" says none.
fn states_derivative(entry: &Entry, text: &str) -> bool {
    let symbols = ["∂", "vᵀJ", "derivative", "J is ", "removed: "];
    let differential = entry.formula.split(['(', ' ', ';']).any(|word| {
        let mut letters = word.chars();
        letters.next() == Some('d') && letters.next().is_some_and(|c| c.is_uppercase() || c == 'σ')
    });
    symbols.iter().any(|s| entry.formula.contains(s))
        || differential
        || text.contains("each output is")
        || text.contains("    J  zero")
}

/// What is missing or wrong in an operation's help.
fn fault(entry: &'static Entry) -> Option<String> {
    let text = operation::about_operation(entry);
    let lines: Vec<&str> = text.lines().collect();
    let params = super::call::params(entry.signature);
    let signature = lines.first()?;
    if !signature.starts_with(&format!("{}(", entry.name))
        || !params.iter().all(|p| text.contains(&p.name))
    {
        return Some(format!("signature: {signature}"));
    }
    let slope = text.contains("∂/∂");
    if entry.formula.is_empty() && !slope {
        return Some("no formula".to_owned());
    }
    if !slope && !text.contains("no gradient flows") && !states_derivative(entry, &text) {
        return Some("no derivative".to_owned());
    }
    let known = |slope: &str| !slope.trim_start().to_lowercase().starts_with("= nan ");
    if !text.split("∂/∂").skip(1).all(|part| known(&part[1..])) {
        return Some("a slope that is no number".to_owned());
    }
    // Its lines, down to what it leaves in x.grad.
    let told = describe(entry);
    let code = told.as_ref().map_or(entry.example, |d| d.code.as_str());
    let bare = |text: &str| text.replace([' ', '\n', ';'], "");
    if !bare(&text).contains(&bare(code)) {
        return Some("no example".to_owned());
    }
    let folded = layout::example(code);
    typed(&folded).err().map(|e| format!("{folded}: {e}"))
}

#[test]
fn every_operation_has_help_with_an_example_that_runs() {
    let bad = run::deep(|| {
        let say = |e: &'static Entry| Some(format!("{}: {}", e.name, fault(e)?));
        vjp::catalogue::catalogue().filter_map(say).collect::<Vec<_>>()
    });
    assert!(bad.is_empty(), "{} bad:\n{}", bad.len(), bad.join("\n"));
}

/// A family whose title has the word of an operation does not stand in its place; where a word is also the
/// subject, the operation has its page with its module.
#[test]
fn the_name_of_an_operation_shows_the_operation() {
    let other: Vec<&str> = run::deep(|| {
        let has = |topic: &str, name: &str| {
            let page = help::about(topic).unwrap_or_default();
            page.starts_with(&format!("{name}(")) || page.starts_with(&format!("{name}  "))
        };
        let shown = |e: &&'static Entry| {
            has(e.name, e.name)
                || (e.name == "gradient" && has(&format!("torch.{}", e.name), e.name))
        };
        vjp::catalogue::catalogue().filter(|e| !shown(e)).map(|e| e.name).collect()
    });
    assert!(other.is_empty(), "{other:?}");
}

#[test]
fn what_has_a_derivative_shows_it() {
    // Of what computes floats from floats, help must find the argument that moves.
    let silent = run::deep(|| {
        let mut strict = run::machine();
        let mut loose = vjp::tutor::machine(Options::default());
        let moves = |e: &&'static Entry| {
            let cases = super::cases::of(e, &mut strict, &mut loose);
            cases.iter().take(1).any(|case| {
                run::run(&mut strict, &case.program, None)
                    .is_ok_and(|ran| ran.outputs.iter().any(run::derived))
            })
        };
        vjp::catalogue::catalogue()
            .filter(moves)
            .filter(|e| operation::about_operation(e).contains("no gradient flows"))
            .map(|e| e.name)
            .collect::<Vec<_>>()
    });
    assert!(silent.is_empty(), "{silent:?}");
}

#[test]
fn the_list_and_the_topics_hold_every_operation() {
    let (families, topics) = run::deep(|| {
        let titles = vjp::catalogue::titled().into_iter().map(|(title, _)| title.to_lowercase());
        let pages = titles.map(|t| help::about(&format!("ops {t}")).unwrap());
        (pages.collect::<String>(), help::topics())
    });
    for entry in vjp::catalogue::catalogue() {
        let plain = |w: &str| w.trim_end_matches("()").trim_end_matches('_').to_owned();
        let named = |w: &str| plain(w).rsplit('.').next() == Some(entry.name);
        assert!(families.split_whitespace().any(named), "{}", entry.name);
        assert!(topics.iter().any(|t| t == entry.name), "{}", entry.name);
    }
}

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

#[test]
fn no_entry_is_stated_twice() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let texts: Vec<String> = files.iter().map(|f| std::fs::read_to_string(f).unwrap()).collect();
    let mut twice = String::new();
    for entry in vjp::catalogue::catalogue() {
        // An example is as good as a signature, but only its own.
        let quoted = format!("\"{}\"", entry.example.replace('"', "\\\""));
        let count: usize = texts.iter().map(|t| t.matches(&quoted).count()).sum();
        if count > 1 {
            let _ = writeln!(twice, "{}: {quoted} {count} times", entry.name);
        }
    }
    let mut seen = std::collections::HashMap::new();
    for entry in vjp::catalogue::catalogue() {
        if let Some(other) = seen.insert(entry.example, entry.name) {
            let _ = writeln!(twice, "{} has the example of {other}", entry.name);
        }
    }
    assert!(twice.is_empty(), "{twice}");
}

/// NumPy's own manners have functions of their own; elsewhere an operation is stated by its entry.
#[test]
fn no_function_of_the_library_is_an_operation_too() {
    let clashes = run::deep(|| {
        vjp::library::begin();
        let mut clashes = Vec::new();
        for module in vjp::eval::library::modules() {
            let mut names: Vec<&str> = (module.contents)().iter().map(|(n, _)| *n).collect();
            names.sort_unstable();
            for pair in names.windows(2).filter(|pair| pair[0] == pair[1]) {
                if module.name != "numpy" && vjp::catalogue::lookup(pair[0]).is_some() {
                    clashes.push(format!("{}.{}", module.name, pair[0]));
                }
            }
        }
        clashes
    });
    assert!(clashes.is_empty(), "{clashes:?}");
}

#[test]
fn the_page_of_operations_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar/ops.md");
    let page = run::deep(operation::page);
    if std::env::var_os("VJP_BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "grammar/ops.md is not what the catalogue says: VJP_BLESS=1 cargo test --test tests the_page"
    );
}

#[test]
fn every_spelling_that_the_page_names_is_there() {
    let missing = run::deep(|| {
        let page = operation::page();
        let inside = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let words = page.split(|c: char| !inside(c));
        let homes = ["torch.", "F.", "np."];
        let mut named: Vec<&str> =
            words.filter(|word| homes.iter().any(|home| word.starts_with(home))).collect();
        named.sort_unstable();
        named.dedup();
        named.retain(|name| typed(name.trim_end_matches('.')).is_err());
        named.join(" ")
    });
    assert!(missing.is_empty(), "{missing}");
}

/// Every page of help with its topic.
fn pages() -> Vec<(String, String)> {
    let mut topics = help::topics();
    topics.extend(
        vjp::catalogue::titled().iter().map(|(title, _)| format!("ops {}", title.to_lowercase())),
    );
    topics.extend(vjp::library::methods::names().iter().map(|n| format!("x.{n}")));
    let page = |topic: String| help::about(&topic).map(|page| (topic, page));
    topics.into_iter().filter_map(page).collect()
}

#[test]
fn every_page_of_help_fits_a_screen_of_80_by_24() {
    // The prompt, the question and the next prompt stand there too.
    let wrong = run::deep(|| {
        vjp_library::begin();
        let mut wrong = Vec::new();
        let mut all = pages();
        all.push((":help".into(), help::overview(false)));
        for (topic, page) in all {
            let rows = page.lines().count();
            let widest = page.lines().map(|l| l.chars().count()).max().unwrap_or(0);
            if rows > 22 || widest > 80 || rows < 2 {
                wrong.push(format!("{topic}: {rows} rows, {widest} columns"));
            }
        }
        wrong
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_topic_has_a_page_and_what_people_look_up_too() {
    let asked = [
        "backward",
        "y.backward",
        "x.grad",
        "w.grad",
        "retain_grad",
        "requires_grad_",
        "is_leaf",
        "item",
        "detach",
        "chain rule",
        "Tensor",
        "·",
        "0",
        "✓",
        "✗",
        "v",
        "J",
        "vᵀJ",
        "signs",
        "plot",
        "list",
        "tolist",
        "append",
        "torch",
        "range",
        "ValueError",
        "ops losses",
        ":set",
    ];
    let missing = run::deep(move || {
        let topics = help::topics();
        let all = asked.iter().map(|t| (*t).to_owned()).chain(topics);
        all.filter(|topic| help::about(topic).is_none()).collect::<Vec<_>>()
    });
    assert!(missing.is_empty(), "{missing:?}");
    assert!(help::about("backward").unwrap().contains("y.backward(v)"));
}
