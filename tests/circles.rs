//! The house: files that need each other are few, so that what one file needs can be read before it.

use regex::Regex;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Files that may need each other in a circle.
const CIRCLE: usize = 12;

/// A module by its path in the crate: `["autodiff", "rule"]`.
type Module = Vec<String>;

/// The files of one crate, with what they use of each other.
struct Crate {
    files: HashMap<Module, PathBuf>,
    /// A name that a module gives on, and where it comes from.
    given_on: HashMap<(Module, String), Module>,
}

/// The crates below a folder: each folder with a Cargo.toml, without those inside it.
fn crates(folder: &Path, all: &mut Vec<PathBuf>) {
    if folder.join("Cargo.toml").exists() {
        all.push(folder.to_path_buf());
    }
    let entries = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    entries.filter(|p| p.is_dir()).for_each(|p| crates(&p, all));
}

fn modules(folder: &Path, at: &[String], all: &mut HashMap<Module, PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let inside: Module = at.iter().cloned().chain([name.clone()]).collect();
        if path.is_dir() && !path.join("Cargo.toml").exists() {
            modules(&path, &inside, all);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let own = matches!(name.as_str(), "lib" | "mod");
            all.insert(if own { at.to_vec() } else { inside }, path);
        }
    }
}

/// A file without comments and unit tests.
fn text(path: &Path) -> String {
    let comment = Regex::new(r"//[^\n]*").unwrap();
    let text = fs::read_to_string(path).unwrap();
    let text = comment.replace_all(&text, "").into_owned();
    let tests = Regex::new(r"#\[cfg\(test\)\]\s*(#\[[^\]]*\]\s*)*mod tests \{").unwrap();
    let end = tests.find(&text).map_or(text.len(), |found| found.start());
    text[..end].to_owned()
}

/// `a::{b, c::d}` as `a::b` and `a::c::d`.
fn opened(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((before, inner)) = tree.split_once('{') else {
        return vec![tree.split(" as ").next().unwrap_or("").trim().to_owned()];
    };
    let inner = inner.trim_end().trim_end_matches('}');
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in inner.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match c {
            ',' if depth == 0 => parts.push(String::new()),
            c => parts.last_mut().unwrap().push(c),
        }
    }
    // What the last bracket closed was cut off with it.
    let closed = parts.into_iter().map(|part| {
        let lacking = part.matches('{').count().saturating_sub(part.matches('}').count());
        part + &"}".repeat(lacking)
    });
    let parts = closed.filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| opened(&format!("{}{}", before, part.trim()))).collect()
}

impl Crate {
    fn read(folder: &Path) -> Crate {
        let mut files = HashMap::new();
        modules(folder, &[], &mut files);
        let mut all = Crate { files, given_on: HashMap::new() };
        let uses = Regex::new(r"pub(?:\([^)]*\))?\s+use\s+([^;]+);").unwrap();
        let mut given_on = HashMap::new();
        for (module, path) in &all.files {
            for tree in uses.captures_iter(&text(path)) {
                for used in opened(&tree[1]) {
                    if let Some((from, Some(name))) = all.found(module, &used) {
                        given_on.insert((module.clone(), name), from);
                    }
                }
            }
        }
        all.given_on = given_on;
        all
    }

    /// The module that a path leads to, and the name in it.
    fn found(&self, at: &Module, path: &str) -> Option<(Module, Option<String>)> {
        let mut parts = path.split("::").map(str::trim).peekable();
        let mut module = match *parts.peek()? {
            "crate" => Vec::new(),
            "self" | "super" => at.clone(),
            first => {
                let inner: Module = at.iter().cloned().chain([first.to_owned()]).collect();
                return self.files.contains_key(&inner).then(|| self.inside(at.clone(), parts));
            }
        };
        while let Some(step) = parts.next_if(|p| matches!(*p, "crate" | "self" | "super")) {
            if step == "super" {
                module.pop();
            }
        }
        Some(self.inside(module, parts))
    }

    fn inside<'a>(
        &self,
        mut module: Module,
        parts: impl Iterator<Item = &'a str>,
    ) -> (Module, Option<String>) {
        for part in parts {
            module.push(part.to_owned());
            if !self.files.contains_key(&module) {
                module.pop();
                return (module, Some(part.to_owned()));
            }
        }
        (module, None)
    }

    /// The modules whose files a module's file uses.
    fn used(&self, module: &Module) -> HashSet<Module> {
        let path = &self.files[module];
        let text = text(path);
        let given_on = Regex::new(r"pub(?:\([^)]*\))?\s+use\s+[^;]+;").unwrap();
        let uses = Regex::new(r"\buse\s+([^;]+);").unwrap();
        let inline = Regex::new(r"\b(?:crate|super|self)(?:::\w+)+").unwrap();
        let text = match path.file_stem().is_some_and(|s| s == "lib" || s == "mod") {
            true => given_on.replace_all(&text, "").into_owned(),
            false => text,
        };
        let trees = uses.captures_iter(&text).flat_map(|u| opened(&u[1])).collect::<Vec<_>>();
        let body = uses.replace_all(&text, "").into_owned();
        let paths = inline.find_iter(&body).map(|m| m.as_str().to_owned());
        // A name that a module gives on is taken from that module and from where it stands.
        let ends = trees.into_iter().chain(paths).flat_map(|path| {
            let mut ends = Vec::new();
            let Some((mut end, name)) = self.found(module, &path) else { return ends };
            while let Some(from) =
                name.as_ref().and_then(|n| self.given_on.get(&(end.clone(), n.clone())))
            {
                if ends.contains(from) {
                    break;
                }
                ends.push(std::mem::replace(&mut end, from.clone()));
            }
            ends.push(end);
            ends
        });
        ends.filter(|end| end != module && self.files.contains_key(end)).collect()
    }

    /// Files that lead to each other, the largest such circle.
    fn circle(&self) -> Vec<Module> {
        let edges: HashMap<&Module, HashSet<Module>> =
            self.files.keys().map(|m| (m, self.used(m))).collect();
        let reached = |from: &Module| {
            let (mut seen, mut waiting) = (HashSet::new(), vec![from.clone()]);
            while let Some(at) = waiting.pop() {
                for next in &edges[&at] {
                    if seen.insert(next.clone()) {
                        waiting.push(next.clone());
                    }
                }
            }
            seen
        };
        let all: HashMap<&Module, HashSet<Module>> =
            self.files.keys().map(|m| (m, reached(m))).collect();
        let around = |m: &&Module| -> Vec<Module> {
            let back = all[*m].iter().filter(|other| all[*other].contains(*m));
            back.cloned().collect()
        };
        self.files.keys().map(|m| around(&m)).max_by_key(Vec::len).unwrap_or_default()
    }
}

#[test]
fn files_that_need_each_other_are_few() {
    let mut all = Vec::new();
    crates(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    assert!(all.len() > 15, "{all:?}");
    for folder in all {
        let circle = Crate::read(&folder).circle();
        let names: Vec<String> = circle.iter().map(|m| m.join("::")).collect();
        assert!(
            circle.len() <= CIRCLE,
            "{}: a circle of {}: {names:?}",
            folder.display(),
            circle.len()
        );
        if folder.ends_with("eval") {
            assert!(circle.len() > 3, "the circle that is there is not found: {names:?}");
        }
    }
}
