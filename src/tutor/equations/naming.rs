//! What values and cotangents are called: the program's own names first, then names that are not taken.

use super::Asked;
use crate::graph::{From, Given, Graph};
use std::collections::{HashMap, HashSet};
use vjp_eval::Machine;
use vjp_eval::leaf::naming::LETTERS;
use vjp_maths::symbol::names::which;
use vjp_text::Symbol;

/// What a value is called.
#[derive(Clone, Debug)]
pub(super) struct Called {
    /// On the board.
    pub text: String,
    /// In code; empty where code cannot refer to it.
    pub code: String,
    /// Code has to compute it first.
    pub new: bool,
}

/// Names of steps and leaves.
pub(super) struct Names {
    pub steps: Vec<Option<Called>>,
    pub leaves: Vec<Called>,
    /// Symbols of values whose names have others by now, and these names.
    pub earlier: Vec<(String, String)>,
    taken: HashSet<String>,
}

impl Names {
    pub fn of(m: &Machine, graph: &Graph, asked: &Asked) -> Names {
        let mut taken: HashSet<String> = m.names().into_iter().map(|(name, _)| name).collect();
        taken.extend(["grad", "torch", "F"].map(str::to_owned));
        let root = root(m, graph);
        let short = |text: &str| match &root {
            Some(root) => text.strip_prefix(root.as_str()).unwrap_or(text).to_owned(),
            None => text.to_owned(),
        };
        let mut steps = vec![None; graph.steps.len()];
        let local = locals(m, graph);
        let mut often: HashMap<&str, usize> = HashMap::new();
        for name in local.values() {
            *often.entry(name).or_default() += 1;
        }
        let last = graph.steps.len().saturating_sub(1);
        let mut earlier = Vec::new();
        for (k, slot) in steps.iter_mut().enumerate() {
            let given = graph.given(k);
            let word = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
            let own = given.filter(|(text, given)| *given == Given::Name && word(text));
            let inner = local.get(&k).filter(|name| often[name.as_str()] == 1);
            *slot = match (own, inner, given) {
                (Some((text, _)), ..) if m.binds(text) => {
                    let now =
                        m.global(Symbol::new(text)).and_then(|v| vjp_eval::leaf::existing(&v));
                    let node = now.and_then(|v| v.node());
                    let new = node.is_none_or(|node| node.id() != graph.steps[k].id());
                    let code = if new { other(&taken, text) } else { text.to_owned() };
                    // The value of an expression is called y here, whatever y is in the program.
                    let stands = graph.leaves.iter().any(|leaf| which(leaf).0 == text);
                    let own = asked.alone && k == last && !stands;
                    let symbol = if own { text.to_owned() } else { code.clone() };
                    if symbol != text {
                        earlier.push((symbol.clone(), text.to_owned()));
                    }
                    Some(Called { text: symbol, code, new })
                }
                (Some((text, _)), ..) => {
                    Some(Called { text: text.to_owned(), code: text.to_owned(), new: true })
                }
                (None, Some(name), _) if !taken.contains(name) => {
                    Some(Called { text: name.clone(), code: name.clone(), new: true })
                }
                (_, _, Some((path, Given::Module))) => {
                    let code: String = short(path)
                        .chars()
                        .map(|c| if c.is_alphanumeric() { c } else { '_' })
                        .collect();
                    let code = free(&taken, &format!("out_{}", code.trim_matches('_')));
                    Some(Called { text: path.to_owned(), code, new: true })
                }
                _ if k == last => {
                    let wish = match word(&asked.output) && !asked.output.is_empty() {
                        true => vec![asked.output.as_str()],
                        false => vec!["y", "out", "result"],
                    };
                    let found = wish.iter().find(|name| !taken.contains(**name));
                    let code =
                        found.map_or_else(|| free(&taken, wish[0]), |name| (*name).to_owned());
                    Some(Called { text: code.clone(), code, new: true })
                }
                _ => None,
            };
            if let Some(called) = slot {
                taken.insert(called.code.clone());
                taken.insert(called.text.clone());
            }
        }
        for called in steps.iter_mut().flatten() {
            called.text = short(&called.text);
        }
        let mut leaves: Vec<Called> = Vec::new();
        for k in 0..graph.leaves.len() {
            let (name, since) = which(graph.name(From::Leaf(k)));
            let begins = name.split(['.', '[']).next().unwrap_or(name);
            let deleted = since == " (deleted)" && !taken.contains(name);
            let text = if since.is_empty() || deleted { short(name) } else { other(&taken, name) };
            // Code takes the numbers that it was computed from.
            let new = !since.is_empty() || !m.binds(begins) || asked.leaves[k].changed(graph);
            let code = match (text == short(name), new) {
                (true, false) => name.to_owned(),
                (true, true) if !m.binds(begins) => free(&taken, &word_of(name)),
                (true, true) => other(&taken, name),
                (false, _) => text.clone(),
            };
            // Of several without a name, each has a number.
            let unnamed = name == "leaf" && !m.binds(name);
            if text != short(name) && !unnamed {
                earlier.push((text.clone(), short(name)));
            }
            taken.extend([text.clone(), code.clone()]);
            leaves.push(Called { text, code, new });
        }
        Names { steps, leaves, earlier, taken }
    }

    /// A name for a value that has none: a₁, a₂ …; an element of an a is called so, where there is one.
    pub fn invented(&mut self, stem: &str) -> Called {
        let free = |letter: &&str| !self.taken.contains(*letter);
        let constant = (stem == "c").then_some("k");
        let mut letters = [stem].into_iter().chain(constant).chain(LETTERS);
        let stem = letters.find(free).unwrap_or(stem);
        for k in 1.. {
            let text = format!("{stem}{k}");
            if self.taken.insert(text.clone()) {
                return Called { text: text.clone(), code: text, new: true };
            }
        }
        Called { text: stem.to_owned(), code: stem.to_owned(), new: true }
    }

    /// The cotangent of what is called so.
    pub fn cotangent(&mut self, of: &Called) -> Called {
        let code = free(&self.taken, &format!("d_{}", of.code.trim_start_matches("out_")));
        self.taken.insert(code.clone());
        Called { text: format!("∂{}", of.text), code, new: true }
    }

    /// This name, or one like it that is not taken.
    pub fn fresh(&mut self, wish: &str) -> String {
        let name = free(&self.taken, wish);
        self.taken.insert(name.clone());
        name
    }
}

fn free(taken: &HashSet<String>, wish: &str) -> String {
    let mut name = wish.to_owned();
    while taken.contains(&name) {
        name.push('_');
    }
    name
}

/// The last word of a path.
fn word_of(path: &str) -> String {
    let mut words = path.split(|c: char| !c.is_alphanumeric() && c != '_');
    let named = |w: &&str| w.chars().next().is_some_and(|c| !c.is_numeric());
    words.rfind(named).unwrap_or("leaf").to_owned()
}

/// A symbol for what a name was before: h0, written h₀, or weight_0.
fn other(taken: &HashSet<String>, name: &str) -> String {
    let word = word_of(name);
    let gap = if word.chars().count() == 1 { "" } else { "_" };
    let mut symbols = (0..).map(|k| format!("{word}{gap}{k}"));
    symbols.find(|symbol| !taken.contains(symbol)).unwrap_or(word)
}

/// The one module that holds all leaves that are in one: `model.`
fn root(m: &Machine, graph: &Graph) -> Option<String> {
    let bare = |k: usize| graph.bare(From::Leaf(k)).to_owned();
    let all: Vec<String> = (0..graph.leaves.len()).map(bare).collect();
    let dotted = all.iter().filter_map(|name| name.split_once('.'));
    let mut roots: Vec<(&str, &str)> = dotted.collect();
    let inside = |rest: &str| m.binds(rest.split(['.', '[']).next().unwrap_or(rest));
    if roots.is_empty() || roots.iter().any(|(_, rest)| inside(rest)) {
        return None;
    }
    roots.dedup_by_key(|(root, _)| *root);
    match roots.as_slice() {
        [(root, _)] if !root.contains('[') => Some(format!("{root}.")),
        _ => None,
    }
}

/// Names that functions gave to what steps computed: `h` of `h = tanh(z)`.
fn locals(m: &Machine, graph: &Graph) -> HashMap<usize, String> {
    let mut found = HashMap::new();
    for (k, node) in graph.steps.iter().enumerate() {
        let place = node.place();
        let Some(source) = m.source_of(place.source) else { continue };
        let text = source.text();
        let (start, end) = (place.span.start as usize, place.span.end as usize);
        let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else { continue };
        let line = before.rsplit(['\n', ';']).next().unwrap_or_default();
        let rest = after.split(['\n', ';']).next().unwrap_or_default().trim();
        let Some(name) = line.trim_end().strip_suffix('=') else { continue };
        let name = name.trim();
        let word = name.chars().all(|c| c.is_alphanumeric() || c == '_')
            && name.chars().next().is_some_and(|c| !c.is_numeric());
        if word && (rest.is_empty() || rest.starts_with('#')) {
            // The last of the steps of one text is what it gave.
            found.retain(|_, known: &mut (String, (usize, usize))| known.1 != (start, end));
            found.insert(k, (name.to_owned(), (start, end)));
        }
    }
    found.into_iter().map(|(k, (name, _))| (k, name)).collect()
}
