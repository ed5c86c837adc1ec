//! What a panel calls things: a leaf by its name or its path, an output by its name or its text.

use crate::{Instance, Machine, Site, Value};
use std::collections::{HashSet, VecDeque};
use vjp_maths::symbol::names::{in_formula, since};
use vjp_maths::{Node, Variable};
use vjp_text::{QuickMap, Span, Symbol};

/// Containers are searched this far; a leaf beyond is unnamed.
const MOST: usize = 20_000;

/// The longest text an unnamed output is called by.
const TEXT: usize = 20;

/// Every tensor that a name leads to, by its identity.
pub struct Places {
    paths: QuickMap<usize, Path>,
    /// What a name that can be seen represents now.
    bound: QuickMap<Symbol, usize>,
    /// The path to an object, by its address.
    objects: QuickMap<usize, String>,
}

/// The text that leads to a value.
enum Path {
    Name(Symbol),
    Text(String),
}

impl Path {
    fn text(&self) -> &str {
        match self {
            Path::Name(name) => name.as_str(),
            Path::Text(text) => text,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeafName {
    pub name: String,
    /// The name represents something newer by now, or nothing if it was deleted.
    pub earlier: bool,
    pub deleted: bool,
    /// Which of several leaves of this name it is, from 1 in the order of creation; 0: the only one.
    pub turn: usize,
}

impl LeafName {
    /// As in a formula, where two leaves never have the same name.
    pub fn in_formula(&self) -> String {
        in_formula(&self.name, since(self.earlier, self.deleted, self.turn))
    }
}

/// Letters for values without a name, of which the first that the program leaves free is taken.
pub const LETTERS: [&str; 6] = ["h", "s", "u", "q", "r", "z"];

/// `h₁₂`: a value without a name, by its number.
pub fn numbered(letter: &str, number: usize) -> String {
    let low = number.to_string();
    let low = low.bytes().filter_map(|d| char::from_u32('₀' as u32 + u32::from(d - b'0')));
    letter.chars().chain(low).collect()
}

/// Whether a name is such a one.
pub fn is_numbered(name: &str) -> bool {
    let bare = name.trim_end_matches(|c| ('₀'..='₉').contains(&c));
    bare.len() < name.len() && LETTERS.contains(&bare)
}

impl Places {
    /// Walks names, then containers, shortest paths first.
    pub fn of(m: &Machine) -> Places {
        let mut places = Places {
            paths: QuickMap::default(),
            bound: QuickMap::default(),
            objects: QuickMap::default(),
        };
        walk(m, |path, value| {
            let found = crate::leaf::existing(value);
            if let Path::Name(name) = path {
                let id = found.as_ref().map_or(usize::MAX, Variable::id);
                places.bound.entry(name).or_insert(id);
            }
            match found {
                Some(v) => drop(places.paths.entry(v.id()).or_insert(path)),
                None => places.object(path.text(), value),
            }
        });
        places
    }

    fn object(&mut self, path: &str, value: &Value) {
        if let Value::Instance(_) = value {
            self.objects.insert(value.address(), path.to_string());
        }
    }

    /// Whether a path leads to an object.
    pub fn is_object(&self, path: &str) -> bool {
        self.objects.values().any(|p| p == path)
    }

    /// The module whose output the node is: its path, and its class.
    pub fn module(&self, node: &Node) -> Option<(&str, &'static str)> {
        let module = node.module()?.downcast::<Instance>().ok()?;
        let class = module.class().name.as_str();
        let path = self.objects.get(&Value::Instance(module).address())?;
        Some((path, class))
    }

    /// A leaf's name: the one it was first bound to if that still represents it, else any path to it.
    pub fn leaf(&self, x: &Variable) -> Option<LeafName> {
        let own = x.name();
        if let Some(name) = &own
            && self.bound.get(&Symbol::new(name)) == Some(&x.id())
        {
            return Some(LeafName { name: name.to_string(), ..LeafName::default() });
        }
        if let Some(path) = self.paths.get(&x.id()) {
            return Some(LeafName { name: path.text().to_string(), ..LeafName::default() });
        }
        let Some(name) = own else {
            return Some(LeafName { name: "leaf".into(), ..LeafName::default() });
        };
        let deleted = !self.bound.contains_key(&Symbol::new(&name));
        Some(LeafName { name: name.to_string(), earlier: true, deleted, turn: 0 })
    }

    /// The names of leaves by their identity, no two alike.
    pub fn leaves<'a>(&self, all: impl Iterator<Item = &'a Variable>) -> QuickMap<usize, LeafName> {
        let named = all.filter_map(|x| Some((x.id(), self.leaf(x)?)));
        let mut names: QuickMap<usize, LeafName> = named.collect();
        let mut alike: QuickMap<(String, bool), Vec<usize>> = QuickMap::default();
        for (id, name) in &names {
            alike.entry((name.name.clone(), name.earlier)).or_default().push(*id);
        }
        for mut ids in alike.into_values().filter(|ids| ids.len() > 1) {
            ids.sort_unstable();
            for (k, id) in ids.iter().enumerate() {
                names.entry(*id).or_default().turn = k + 1;
            }
        }
        names
    }

    /// The output's name and whether it is one: as written when that is a name or short, else
    /// `output`.
    pub fn output(&self, y: &Variable, site: &Site, written: Span) -> (String, bool) {
        let text = site.text(written).trim();
        if is_name(text) {
            return (text.to_string(), true);
        }
        if let Some(path) = self.path(y).filter(|p| is_name(p)) {
            return (path.to_string(), true);
        }
        if !text.is_empty() && !text.contains('\n') && text.chars().count() <= TEXT {
            return (unwrapped(text).to_string(), false);
        }
        ("output".into(), false)
    }

    /// A path to a variable.
    pub fn path(&self, v: &Variable) -> Option<&str> {
        self.paths.get(&v.id()).map(Path::text)
    }
}

/// Tensors that names stand for, and those in containers with their paths.
pub fn named(m: &Machine) -> Vec<(String, Variable)> {
    tensors(m, |_| true)
}

/// The tensors in containers, with their paths: `model.weight`, `params[0]`.
pub fn held(m: &Machine) -> Vec<(String, Variable)> {
    tensors(m, |path| matches!(path, Path::Text(_)))
}

fn tensors(m: &Machine, wanted: fn(&Path) -> bool) -> Vec<(String, Variable)> {
    let mut all = Vec::new();
    walk(m, |path, value| {
        if let (true, Some(v)) = (wanted(&path), crate::leaf::existing(value)) {
            all.push((path.text().to_owned(), v));
        }
    });
    all
}

/// Names, then what containers hold, shortest paths first: tensors, and containers once.
fn walk(m: &Machine, mut see: impl FnMut(Path, &Value)) {
    let mut seen = HashSet::new();
    let mut queue = VecDeque::new();
    let mut left = MOST;
    for (name, value) in visible(m).into_iter().take(MOST) {
        left -= 1;
        let container = crate::leaf::existing(&value).is_none() && is_container(&value);
        if container && seen.insert(value.address()) {
            children(name.as_str(), &value, &mut queue);
        }
        see(Path::Name(name), &value);
    }
    while let Some((path, value)) = queue.pop_front()
        && left > 0
    {
        left -= 1;
        let tensor = crate::leaf::existing(&value).is_some();
        if tensor || (is_container(&value) && seen.insert(value.address())) {
            if !tensor {
                children(&path, &value, &mut queue);
            }
            see(Path::Text(path), &value);
        }
    }
}

/// The names that code at this moment can see: those of the calls around it first.
fn visible(m: &Machine) -> Vec<(Symbol, Value)> {
    let mut names = Vec::new();
    let mut frame = m.scope.as_ref();
    while let Some(f) = frame {
        names.extend(f.values.borrow().iter().cloned());
        frame = f.parent.as_ref();
    }
    names.extend(m.bindings());
    names
}

/// Whether [`children`] finds something in it.
fn is_container(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Tuple(_) | Value::Dict(_) | Value::Instance(_))
}

/// What a container holds, by the text that reaches it.
fn children(path: &str, value: &Value, out: &mut VecDeque<(String, Value)>) {
    match value {
        Value::List(l) => {
            let items = l.items.borrow();
            out.extend(items.iter().enumerate().map(|(i, v)| (format!("{path}[{i}]"), v.clone())));
        }
        Value::Tuple(t) => {
            out.extend(
                t.items.iter().enumerate().map(|(i, v)| (format!("{path}[{i}]"), v.clone())),
            );
        }
        Value::Dict(d) => {
            for (_, key, v) in d.entries.borrow().iter() {
                let key = match key {
                    Value::Str(s) => format!("'{s}'"),
                    Value::Int(i) => i.to_string(),
                    Value::Long(n) => n.to_string(),
                    _ => continue,
                };
                out.push_back((format!("{path}[{key}]"), v.clone()));
            }
        }
        Value::Instance(i) => {
            out.extend(
                i.attributes.borrow().iter().map(|(n, v)| (part(path, n.as_str()), v.clone())),
            );
        }
        _ => {}
    }
}

/// `model.fc`; `net[0]` for what a container names by its place.
fn part(path: &str, name: &str) -> String {
    match name.parse::<u32>() {
        Ok(_) => format!("{path}[{name}]"),
        Err(_) => format!("{path}.{name}"),
    }
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_' || !c.is_ascii())
}

/// `(x*2)` as `x*2`, where the brackets belong together.
pub fn unwrapped(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0i32;
    for c in inner.chars() {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth < 0 {
            return text;
        }
    }
    inner
}
