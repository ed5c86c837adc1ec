//! Every sentence that a person may see can be read with an example: on the pages of
//! tests/data/sentences, in a session, or beside its name in a table. New sentences need an example.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Turns of phrase that a textbook does not have.
const BANNED: &[&str] = &[
    " is no ",
    " any more",
    "shall ",
    "stands for",
    "is near",
    "told",
    "way out",
    "ways out",
    "what cuts",
    "if not said",
    "that which",
    "once more",
    "for its own",
    "as many as wanted",
    "which remembers",
    "asks for a gradient",
    "asks for no gradient",
    "otherwise?",
];

/// Where sentences are looked for.
const FOLDERS: &[&str] = &["src"];

/// A string of the sources.
struct Literal {
    file: String,
    text: String,
    /// Beside its name in a table, which help prints: the name.
    entry: Option<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            all.extend(files(&path, extensions));
        } else if path.extension().is_some_and(|e| extensions.iter().any(|x| e == *x)) {
            all.push(path);
        }
    }
    all.sort();
    all
}

/// The strings of a file in Rust or in our own language, with where they begin.
fn strings(text: &str, rust: bool) -> Vec<(usize, String)> {
    let (b, mut at, mut all) = (text.as_bytes(), 0, Vec::new());
    let comment = if rust { "//" } else { "#" };
    while at < b.len() {
        let rest = &text[at..];
        if rest.starts_with(comment) {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rust && rest.starts_with("'") {
            // A character, not a lifetime.
            let mut chars = rest[1..].char_indices();
            let (escaped, end) = (rest[1..].starts_with('\\'), chars.nth(1).map_or(0, |c| c.0));
            at += match rest[1..].get(end..).is_some_and(|r| r.starts_with('\'')) {
                true if !escaped => end + 2,
                _ if escaped => rest[2..].find('\'').map_or(1, |k| k + 3),
                _ => 1,
            };
        } else if rust && rest.starts_with("r\"") && !head_is_word(text, at) {
            let end = rest[2..].find('"').map_or(rest.len(), |k| k + 2);
            all.push((at, rest[2..end].to_owned()));
            at += end + 1;
        } else if rust && rest.starts_with("r#\"") {
            let end = rest.find("\"#").unwrap_or(rest.len() - 2);
            all.push((at, rest[3..end].to_owned()));
            at += end + 2;
        } else if !rust && rest.starts_with("\"\"\"") {
            let end = rest[3..].find("\"\"\"").unwrap_or(0);
            all.push((at, rest[3..3 + end].to_owned()));
            at += end + 6;
        } else if rest.starts_with('"') || !rust && rest.starts_with('\'') {
            let quote = b[at];
            let (mut end, mut out) = (1, String::new());
            let mut chars = rest.char_indices().skip(1).peekable();
            while let Some((k, c)) = chars.next() {
                end = k + c.len_utf8();
                match c {
                    c if c as u32 == u32::from(quote) => break,
                    '\\' => match chars.next().map(|c| c.1) {
                        Some('\n') => while chars.next_if(|c| c.1.is_whitespace()).is_some() {},
                        Some('n') => out.push('\n'),
                        Some(c) => out.push(c),
                        None => {}
                    },
                    c => out.push(c),
                }
            }
            all.push((at, out));
            at += end;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    all
}

/// Whether a name ends before `at`.
fn head_is_word(text: &str, at: usize) -> bool {
    text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// What an item of code begins with.
const CODE: &[&str] = &["fn ", "impl", "mod ", "struct ", "enum "];

/// An item without `pub` or `pub(super)`.
fn bare(item: &str) -> &str {
    match item.strip_prefix("pub") {
        Some(rest) => rest.split_once(' ').map_or(item, |(_, rest)| rest),
        None => item,
    }
}

/// Where a raised message is PyTorch's, which tests/torch compares with PyTorch.
const PYTORCH: &[&str] = &["src/ops/", "src/maths/table/", "src/tensor/torch_messages.rs"];

/// Whether the string at `at` is raised there, and not what vjp says of what it does not have.
fn is_pytorch(file: &str, text: &str, at: usize) -> bool {
    let before: Vec<&str> = text[..at].lines().rev().take(4).collect();
    let kernel = text[at..].lines().next().is_some_and(|l| l.contains("not implemented for"));
    let own = before.iter().any(|l| l.contains("NotImplemented") || l.contains("hint("));
    PYTORCH.iter().any(|f| file.starts_with(f)) && (kernel || !own)
}

/// What the head of a row of the table of operations calls it.
fn row_name(line: &str) -> Option<String> {
    let call = line.strip_suffix(" = y {")?.split_whitespace().nth(2)?;
    call.split('(').next().map(str::to_owned)
}

/// The name of the row of a table that the string at `at` is the description in, where it is.
fn entry(text: &str, at: usize, before: &[(usize, String)], rust: bool) -> Option<String> {
    let head = &text[..at];
    if !rust {
        let line = head.lines().rev().find(|l| l.contains("def ") || l.contains("class "));
        let name = line.unwrap_or("").trim().split(['(', ':', ' ']).nth(1).unwrap_or("");
        return text[at..].starts_with("\"\"\"").then(|| name.to_owned());
    }
    let starts = |l: &&str| {
        let word = bare(l);
        word.starts_with("const ")
            || word.starts_with("static ")
            || word.split_once("! ").is_some_and(|(m, _)| m.chars().all(char::is_alphanumeric))
            || CODE.iter().any(|k| word.starts_with(k))
            || word.starts_with("macro_rules!")
    };
    let item = head.lines().rev().find(starts)?;
    let item = bare(item);
    let raised: String = head.lines().rev().take(3).collect();
    let tail = head.rsplit([';', '{']).next().unwrap_or("");
    let code = CODE.iter().any(|k| item.starts_with(k))
        || (raised.contains("raise!(") || raised.contains("complain!(")) && tail.contains("!(")
        || tail.contains("hint(");
    let word =
        |s: &str| !s.is_empty() && s.chars().all(|c| c.is_alphanumeric() || "_.".contains(c));
    let name = match item.split_once("! ") {
        // `Sqrt SQRT sqrt(x) = y {`
        Some(("rows", _)) => head.lines().rev().find_map(row_name),
        Some(("classics", _)) => None,
        _ => before.iter().rev().take(8).find(|(_, s)| word(s)).map(|(_, s)| s.clone()),
    };
    (!code).then(|| name.unwrap_or_default())
}

/// Words of a sentence, placeholders and code aside.
fn words(text: &str) -> usize {
    let mut plain = String::new();
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            c if depth <= 0 => plain.push(c),
            _ => {}
        }
    }
    let word = |w: &&str| {
        let w = w.trim_matches(|c: char| ",.:;?!()\"'`".contains(c));
        w.chars().count() >= 2 && w.chars().all(|c| c.is_alphabetic() || c == '\'')
    };
    plain.split_whitespace().filter(word).count()
}

/// Whether a string is a sentence, and neither a signature nor a program.
fn is_sentence(text: &str) -> bool {
    let keyword = |w: &&str| w.split_once('=').is_some_and(|(a, b)| !a.is_empty() && !b.is_empty());
    let signature = text.starts_with('(') && text.trim_end().ends_with(')');
    words(text) >= 3 && !signature && text.split(' ').filter(keyword).count() < 2
}

fn all_literals() -> Vec<Literal> {
    let mut all = Vec::new();
    for path in FOLDERS.iter().flat_map(|f| files(&root().join(f), &["rs", "py"])) {
        let file = path.strip_prefix(root()).unwrap().display().to_string();
        if file.ends_with("_tests.rs") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]\n").next().unwrap_or("").to_owned();
        let rust = file.ends_with(".rs");
        let found = strings(&text, rust);
        for (k, (at, literal)) in found.iter().enumerate().filter(|(_, l)| is_sentence(&l.1)) {
            let entry = entry(&text, *at, &found[..k], rust);
            if entry.is_none() && is_pytorch(&file, &text, *at) {
                continue;
            }
            all.push(Literal { file: file.clone(), text: literal.clone(), entry });
        }
    }
    all
}

fn one_line(text: &str) -> String {
    // Long lines of a page go on behind a bar.
    text.split_whitespace().filter(|w| *w != "│").collect::<Vec<_>>().join(" ")
}

/// The fixed parts of a string between its placeholders.
fn pieces(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '{' if chars.next_if_eq(&'{').is_none() => {
                while chars.next().is_some_and(|c| c != '}') {}
                all.push(String::new());
            }
            '}' => {
                chars.next_if_eq(&'}');
                all.extend([String::from("}")]);
            }
            c => {
                if let Some(last) = all.last_mut() {
                    last.push(c);
                }
            }
        }
    }
    let all = all.iter().map(|p| one_line(p));
    all.filter(|p| p.chars().any(char::is_alphanumeric)).collect()
}

/// Whether the page has the sentence, with anything in its placeholders.
fn shown(page: &str, literal: &str) -> bool {
    /// Between two fixed parts.
    const FAR: usize = 300;
    let pieces = pieces(literal);
    let Some((first, rest)) = pieces.split_first() else {
        return false;
    };
    page.match_indices(first.as_str()).any(|(at, _)| {
        let mut from = at + first.len();
        rest.iter().all(|piece| {
            let far = (from + FAR).min(page.len());
            let to = (far..=page.len()).find(|k| page.is_char_boundary(*k)).unwrap_or(far);
            let found = page[from..to].find(piece.as_str());
            from += found.map_or(0, |k| k + piece.len());
            found.is_some()
        })
    })
}

fn folder() -> PathBuf {
    root().join("tests/data/sentences")
}

/// One sentence a line, but for the reasons why they have no example.
fn list(name: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(folder().join(name)).unwrap_or_default();
    let sentence = |l: &&str| !l.is_empty() && !is_reason(l);
    text.lines().filter(sentence).map(str::to_owned).collect()
}

/// `## Only if a file changes while it is read.`
fn is_reason(line: &str) -> bool {
    line.starts_with("## ")
}

fn line_of(literal: &str) -> String {
    one_line(literal)
}

/// Tests whose sentences need a terminal, a file or a clipboard, or come after long programs.
const TESTS: &[&str] = &[
    "asking",
    "blanks",
    "classroom",
    "exercises",
    "home",
    "jupyter",
    "language",
    "limits",
    "notebooks",
    "paste",
    "presenter",
    "replay",
    "typing",
    "written_answers",
];

/// What can be read of examples.
fn pages() -> String {
    let mut all = String::new();
    for name in TESTS {
        let text = fs::read_to_string(root().join(format!("tests/{name}.rs"))).unwrap();
        for (_, said) in strings(&text, true) {
            all += &one_line(&said);
            all.push(' ');
        }
    }
    let mut paths = files(&folder(), &["vjp"]);
    paths.push(folder().join("command-line.txt"));
    paths.extend(files(&root().join("sessions"), &["vjp"]));
    paths.push(root().join("grammar/ops.md"));
    paths.push(root().join("tests/data/export/programs.jax.py"));
    for path in paths {
        all += &one_line(&fs::read_to_string(path).unwrap());
        all.push(' ');
    }
    all
}

#[test]
fn every_sentence_has_an_example() {
    let (pages, quoted, excused) = (pages(), list("quoted.txt"), list("excused.txt"));
    let literals = all_literals();
    let mut missing = BTreeSet::new();
    let mut current = BTreeSet::new();
    for literal in literals.iter().filter(|l| l.entry.is_none()) {
        let line = line_of(&literal.text);
        current.insert(line.clone());
        if !quoted.contains(&line) && !shown(&pages, &literal.text) {
            missing.insert((literal.file.clone(), line));
        }
    }
    let unread: BTreeSet<String> = missing.iter().map(|(_, line)| line.clone()).collect();
    if std::env::var_os("VJP_BLESS").is_some() {
        // These lists only shrink.
        for (name, of) in [("excused.txt", &unread), ("quoted.txt", &current)] {
            let kept = fs::read_to_string(folder().join(name)).unwrap();
            let stays = |l: &&str| is_reason(l) || l.is_empty() || of.contains(*l);
            let fewer: Vec<&str> = kept.lines().filter(stays).collect();
            fs::write(folder().join(name), fewer.join("\n") + "\n").unwrap();
        }
    }
    let mut wrong = String::new();
    for (file, line) in missing.iter().filter(|(_, line)| !excused.contains(line)) {
        wrong += &format!("{file}: {line}\n");
    }
    assert!(
        wrong.is_empty(),
        "sentences without an example in tests/data/sentences/*.vjp (PyTorch's own go into quoted.txt):\n{wrong}"
    );
    let idle: Vec<_> = excused.difference(&unread).collect();
    let gone: Vec<_> = quoted.difference(&current).collect();
    assert!(
        idle.is_empty() && gone.is_empty(),
        "these lines of excused.txt and quoted.txt can go: {idle:#?} {gone:#?}"
    );
}

#[test]
fn no_sentence_has_a_turn_of_phrase_that_a_textbook_has_not() {
    let (quoted, excused) = (list("quoted.txt"), list("excused.txt"));
    let mut wrong = String::new();
    for literal in all_literals() {
        let line = line_of(&literal.text);
        let text = literal.text.replace("there is no ", "").replace(" is no longer ", "");
        let turn = BANNED.iter().find(|turn| text.contains(**turn));
        if let Some(turn) = turn
            && !quoted.contains(&line)
            && !excused.contains(&line)
        {
            wrong += &format!("{}: {turn:?} in {line}\n", literal.file);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_descriptions_are_as_on_their_page() {
    let mut page =
        String::from("# Descriptions, as help and completion show them: made by VJP_BLESS=1.\n");
    let mut file = String::new();
    for literal in all_literals() {
        let Some(name) = literal.entry else { continue };
        if literal.file != file {
            file = literal.file;
            page += &format!("\n## {file}\n");
        }
        page += &format!("{name:<28}  {}\n", one_line(&literal.text));
    }
    let path = folder().join("descriptions.txt");
    if std::env::var_os("VJP_BLESS").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == page, "descriptions.txt is not what the tables say: run with VJP_BLESS=1");
}

/// The files beside the command line's examples.
const FILES: &[(&str, &str)] = &[
    ("a.vjp", "vjp> x = 2\nx = 2                                                       leaf\n"),
    ("sheet.vjp", "vjp> 2 + 3\n____\n"),
    ("saving.vjp", "vjp> x = 2\nvjp> :save here.vjp\n"),
    ("last.vjp", "vjp> x = 3\nvjp> x^2\nvjp> y = _ + 1\n"),
    ("program.py", "x = [1, 2]\ny = 3*x^2\ny.backward([1, 10])\n"),
    ("module.py", "import torch\nm = torch.nn.Linear(2, 1)\nm(torch.ones(2)).sum().backward()\n"),
    ("wrong.py", "x = 1/0\n"),
    ("bytes.py", "\u{0}"),
];

/// What `vjp` says to the words of a line, to a person at a terminal of 80 columns without colours.
fn answer(line: &str, folder: &Path) -> String {
    let mut words = Vec::new();
    for (k, part) in line.split('"').enumerate() {
        match k % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_vjp"))
        .args(words)
        .current_dir(folder)
        .env("VJP_HISTORY", "")
        .env("VJP_CONFIG", "")
        .env("COLUMNS", "80")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let said = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    said.concat()
}

#[test]
fn the_command_line_answers_as_on_its_page() {
    let path = folder().join("command-line.txt");
    let page = fs::read_to_string(&path).unwrap();
    let files = tempfile::tempdir().unwrap();
    let mut now = String::new();
    for line in page.lines() {
        if let Some(words) = line.strip_prefix("$ vjp") {
            // Each begins with the same files.
            for (name, text) in FILES {
                fs::write(files.path().join(name), text).unwrap();
            }
            now += &format!("{line}\n");
            for said in answer(words, files.path()).lines() {
                now += format!("    {said}").trim_end();
                now.push('\n');
            }
        } else if let Some((name, text)) = line.strip_prefix("> ").and_then(|l| l.split_once("  "))
        {
            // A file for what follows, its lines apart by `\\n`.
            fs::write(files.path().join(name), text.replace("\\n", "\n") + "\n").unwrap();
            now += &format!("{line}\n");
        } else if line.starts_with('#') {
            now += &format!("{line}\n\n");
        }
    }
    if std::env::var_os("VJP_BLESS").is_some() {
        fs::write(&path, &now).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert!(kept == now, "command-line.txt is not what vjp says now:\n{now}");
}
