//! Which inputs wait for a blank in an input above: those that use what it would have made. Everything
//! else runs. Read from the text alone, and careful: what may depend on a blank waits.

use crate::Step;
use crate::drawing::ranges;
use std::collections::{HashMap, HashSet};
use vjp_text::TokenKind;
use vjp_text::tokens::{Scanner, Token};

/// What becomes of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Runs,
    /// It has a blank, or a range, of its own.
    Open,
    /// It uses what an input with a blank would have made.
    Waits,
}

/// The state of each input of a session.
pub fn states(steps: &[Step]) -> Vec<State> {
    let mut names = Names::default();
    steps.iter().map(|step| names.take(&step.input)).collect()
}

/// Attributes and functions that give a gradient, or a part of one.
pub(crate) const GRADIENTS: [&str; 7] =
    [".grad", ".backward", ".jacobian", ".hessian", ".vjp", ".jvp", ".gradcheck"];

/// Commands that only say how things are shown.
const SETTINGS: [&str; 4] = [":set", ":panel", ":help", ":time"];

/// The last backward, and the stream of random numbers, among the names.
const BACKWARD: &str = "~backward";
const RANDOM: &str = "~random";

/// What draws random numbers.
const DRAWS: [&str; 12] = [
    "rand",
    "randn",
    "randint",
    "randperm",
    "rand_like",
    "randn_like",
    "normal",
    "bernoulli",
    "multinomial",
    "dropout",
    "nn",
    "shuffle",
];

/// Statements with a body.
const COMPOUND: [&str; 8] = ["def", "for", "while", "if", "with", "class", "try", "async"];

/// The names of a session, so far.
#[derive(Default)]
pub struct Names {
    /// What each name was computed from, through all steps.
    from: HashMap<String, HashSet<String>>,
    /// What the last backward that may have reached a name was computed from.
    swept: HashMap<String, HashSet<String>>,
    /// Names, and gradients such as `x.grad`, that an input which did not run would have changed.
    lost: HashSet<String>,
}

/// One statement of an input.
#[derive(Default)]
struct Statement {
    /// Names bound anew.
    binds: Vec<String>,
    /// Names changed in place.
    changes: Vec<String>,
    /// Of those, whose gradient alone is set: `x.grad = None`.
    cleared: Vec<String>,
    /// Names read.
    uses: HashSet<String>,
    /// Attributes and methods read: `grad`, `backward`.
    attributes: HashSet<String>,
    open: bool,
}

impl Statement {
    fn sweeps(&self) -> bool {
        self.attributes.contains("backward")
    }

    /// Whether it may change what its names hold, beyond their gradients.
    fn mutates(&self, known: &HashMap<String, HashSet<String>>, calls: &HashSet<String>) -> bool {
        let acts = |name: &String| name == "step" || name == "data" || name.ends_with('_');
        !self.changes.is_empty()
            || self.attributes.iter().any(acts)
            || calls.iter().any(|name| known.contains_key(name))
    }
}

impl Names {
    /// Takes the next input.
    pub fn take(&mut self, input: &[String]) -> State {
        let text = ranges::opened(input).unwrap_or_else(|_| input.to_vec()).join("\n");
        if text.trim_start().starts_with(':') {
            return self.command(&text);
        }
        let mut statements = statements(&text);
        statements.iter_mut().for_each(|(statement, calls)| self.called(statement, calls));
        let before = self.lost.clone();
        let (mut open, mut waits) = (false, false);
        for (statement, _) in &statements {
            open |= statement.open;
            waits |= statement.open || self.needs_lost(statement);
            if !waits {
                self.found(statement);
            }
            self.note_origin(statement);
        }
        if !open && !waits {
            return State::Runs;
        }
        self.lost = before;
        for (statement, calls) in &statements {
            self.lose(statement, calls);
        }
        if open { State::Open } else { State::Waits }
    }

    /// The names that were bound so far.
    pub fn known(&self) -> Vec<String> {
        self.from.keys().cloned().collect()
    }

    /// The names that the value of an input depends on, and the attributes read on the way as `.grad`.
    pub fn behind(&self, input: &[String]) -> HashSet<String> {
        let mut all = HashSet::new();
        let mut asked = statements(&input.join("\n"));
        // What is only assigned is not what is shown at the end.
        let shows =
            |s: &Statement| s.binds.is_empty() && s.changes.is_empty() && s.cleared.is_empty();
        if asked.iter().any(|(s, _)| shows(s) && !s.sweeps()) {
            asked.retain(|(s, _)| shows(s));
        }
        for (statement, _) in asked {
            let names = statement.uses.iter().chain(&statement.binds).chain(&statement.changes);
            for name in names {
                all.extend(self.closure(name));
            }
            all.extend(statement.attributes.iter().map(|name| format!(".{name}")));
        }
        if all.contains(".grad") {
            let swept = all.iter().filter_map(|name| self.swept.get(name));
            let swept: Vec<&HashSet<String>> = swept.collect();
            all.extend(swept.into_iter().flatten().cloned().collect::<Vec<_>>());
        }
        all
    }

    /// What a function of the session uses is used where it is called.
    fn called(&self, statement: &mut Statement, calls: &HashSet<String>) {
        for name in calls.iter().filter(|name| self.from.contains_key(*name)) {
            for part in self.closure(name) {
                match part.strip_prefix('.') {
                    Some(attribute) => statement.attributes.insert(attribute.to_owned()),
                    None => statement.uses.insert(part),
                };
            }
        }
    }

    fn command(&mut self, text: &str) -> State {
        let word = text.split_whitespace().next().unwrap_or("");
        if SETTINGS.contains(&word) {
            return State::Runs;
        }
        if word == ":reset" {
            self.lost.clear();
            return State::Runs;
        }
        let (tokens, _) = Scanner::new(text).tokens();
        let name = |t: &Token| (t.kind == TokenKind::Name).then(|| slice(text, t));
        let named = tokens.iter().filter_map(name).any(|n| self.lost.contains(n));
        let any = word == ":undo" && !self.lost.is_empty();
        match any || named || self.lost.contains(BACKWARD) {
            true => State::Waits,
            false => State::Runs,
        }
    }

    fn closure(&self, name: &str) -> HashSet<String> {
        let mut all = self.from.get(name).cloned().unwrap_or_default();
        all.insert(name.to_owned());
        all
    }

    fn needs_lost(&self, statement: &Statement) -> bool {
        let gradients = statement.sweeps()
            || ["grad", "step", "zero_grad"].iter().any(|a| statement.attributes.contains(*a));
        let cleared: HashSet<String> =
            statement.cleared.iter().flat_map(|name| self.closure(name)).collect();
        statement.uses.iter().any(|name| {
            self.lost.contains(name)
                || gradients
                    && self
                        .closure(name)
                        .iter()
                        .any(|n| !cleared.contains(n) && self.lost.contains(&format!("{n}.grad")))
        })
    }

    /// What a statement that runs makes is known.
    fn found(&mut self, statement: &Statement) {
        for name in &statement.binds {
            self.lost.remove(name);
        }
        for name in statement.binds.iter().chain(&statement.cleared) {
            for origin in self.closure(name) {
                self.lost.remove(&format!("{origin}.grad"));
            }
        }
        if statement.sweeps() {
            self.lost.remove(BACKWARD);
        }
        if statement.attributes.contains("manual_seed") {
            self.lost.remove(RANDOM);
        }
    }

    /// What the names of a statement are computed from.
    fn note_origin(&mut self, statement: &Statement) {
        let mut origin = HashSet::new();
        for name in &statement.uses {
            origin.extend(self.closure(name));
        }
        origin.extend(statement.attributes.iter().map(|name| format!(".{name}")));
        if statement.sweeps() {
            for name in &origin {
                self.swept.insert(name.clone(), origin.clone());
            }
        }
        for name in &statement.binds {
            self.from.insert(name.clone(), origin.clone());
        }
        for name in &statement.changes {
            self.from.entry(name.clone()).or_default().extend(origin.iter().cloned());
        }
    }

    /// What a statement that did not run would have changed.
    fn lose(&mut self, statement: &Statement, calls: &HashSet<String>) {
        self.lost.extend(statement.binds.iter().chain(&statement.changes).cloned());
        if statement.uses.contains(RANDOM) {
            self.lost.insert(RANDOM.to_owned());
        }
        let touched: HashSet<String> = statement
            .uses
            .iter()
            .flat_map(|name| self.closure(name))
            .filter(|name| self.from.contains_key(name))
            .collect();
        if statement.mutates(&self.from, calls) {
            self.lost.extend(touched.iter().cloned());
        }
        if statement.sweeps() {
            self.lost.insert(BACKWARD.to_owned());
            // What nothing else leads to is a leaf.
            let leaf = |name: &&String| {
                let from = self.from.get(*name).into_iter().flatten();
                !from.into_iter().any(|other| other != *name && self.from.contains_key(other))
            };
            self.lost.extend(touched.iter().filter(leaf).map(|name| format!("{name}.grad")));
        }
    }
}

fn slice<'a>(text: &'a str, token: &Token) -> &'a str {
    &text[token.span.start as usize..token.span.end as usize]
}

/// The statements of an input, each with the names that it calls; one with a body takes all the rest.
fn statements(text: &str) -> Vec<(Statement, HashSet<String>)> {
    let (tokens, _) = Scanner::new(text).tokens();
    let mut all = Vec::new();
    let (mut start, mut depth) = (0, 0i32);
    for (at, token) in tokens.iter().enumerate() {
        let word = slice(text, token);
        match word {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        let compound = token.kind == TokenKind::Keyword && COMPOUND.contains(&word);
        if at == start && compound {
            all.push(body(text, &tokens[start..]));
            return all;
        }
        let ends = matches!(token.kind, TokenKind::Newline | TokenKind::End)
            || depth <= 0 && word == ";" && token.kind == TokenKind::Op;
        if ends {
            if at > start {
                all.push(simple(text, &tokens[start..at]));
            }
            start = at + 1;
        }
    }
    all
}

/// Reads the names of some tokens.
fn read(text: &str, tokens: &[Token], found: &mut Statement, calls: &mut HashSet<String>) {
    let mut depth = 0i32;
    for (k, token) in tokens.iter().enumerate() {
        let word = slice(text, token);
        let beside =
            |k: Option<usize>| k.and_then(|k| tokens.get(k)).map_or("", |t| slice(text, t));
        match word {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if token.kind != TokenKind::Name {
            continue;
        }
        let (before, after) = (beside(k.checked_sub(1)), beside(Some(k + 1)));
        if word.len() >= 4 && word.bytes().all(|b| b == b'_') {
            found.open = true;
            continue;
        }
        if DRAWS.contains(&word) || before == "." && word == "manual_seed" {
            found.uses.insert(RANDOM.to_owned());
        }
        if before == "." {
            found.attributes.insert(word.to_owned());
        } else if !(depth > 0 && after == "=") {
            found.uses.insert(word.to_owned());
            // `grad(y, x)` asks for a gradient as `x.grad` does.
            if after == "(" {
                calls.insert(word.to_owned());
                found.attributes.insert(word.to_owned());
            }
        }
    }
    if found.attributes.contains("manual_seed") {
        found.uses.remove(RANDOM);
    }
}

/// A statement with a body: every name in it is used, those bound in it are bound.
fn body(text: &str, tokens: &[Token]) -> (Statement, HashSet<String>) {
    let (mut found, mut calls) = (Statement::default(), HashSet::new());
    read(text, tokens, &mut found, &mut calls);
    let mut bound = HashSet::new();
    for (k, token) in tokens.iter().enumerate().filter(|(_, t)| t.kind == TokenKind::Name) {
        let beside =
            |k: Option<usize>| k.and_then(|k| tokens.get(k)).map_or("", |t| slice(text, t));
        let (before, after) = (beside(k.checked_sub(1)), beside(Some(k + 1)));
        if before != "." && (matches!(before, "def" | "class" | "for" | "as") || after == "=") {
            bound.insert(slice(text, token).to_owned());
        }
        let in_place = after.len() > 1 && after.ends_with('=') && !"=!<>".contains(&after[..1]);
        if before != "." && (in_place || after == "[") && found.uses.contains(slice(text, token)) {
            let name = slice(text, token).to_owned();
            if in_place && !found.changes.contains(&name) {
                found.changes.push(name);
            }
        }
    }
    let defines = tokens.first().is_some_and(|t| matches!(slice(text, t), "def" | "class"));
    match defines {
        true => {
            // Defined, not run: its own name is what it makes.
            let name = tokens.get(1).map(|t| slice(text, t).to_owned());
            found.binds.extend(name);
            found.changes.clear();
            found.uses.retain(|name| !bound.contains(name));
        }
        false => found.binds.extend(bound),
    }
    (found, calls)
}

fn simple(text: &str, tokens: &[Token]) -> (Statement, HashSet<String>) {
    let (mut found, mut calls) = (Statement::default(), HashSet::new());
    let word = |t: &Token| slice(text, t);
    if let Some(first) = tokens.first()
        && matches!(word(first), "import" | "from")
    {
        return (found, calls);
    }
    // Each target before its `=`, then the value.
    let (mut depth, mut start) = (0i32, 0);
    for (at, token) in tokens.iter().enumerate() {
        match word(token) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        let sign = word(token);
        let in_place = token.kind == TokenKind::Op
            && sign.len() > 1
            && sign.ends_with('=')
            && !matches!(sign, "==" | "!=" | "<=" | ">=" | ":=");
        if depth > 0 || (sign != "=" && !in_place) {
            continue;
        }
        target(text, &tokens[start..at], in_place, &mut found, &mut calls);
        start = at + 1;
    }
    read(text, &tokens[start..], &mut found, &mut calls);
    // The parameters of `f(x) = …` are its own.
    if let Some(place) = tokens.iter().position(|t| word(t) == "=")
        && tokens.get(1).is_some_and(|t| word(t) == "(")
    {
        let own = tokens[2..place.max(2)].iter().filter(|t| t.kind == TokenKind::Name);
        let own: HashSet<&str> = own.map(word).collect();
        found.uses.retain(|name| !own.contains(name.as_str()));
    }
    (found, calls)
}

/// `x`, `a, b`, `f(x)`, `x[0]`, `x.grad`
fn target(
    text: &str,
    tokens: &[Token],
    in_place: bool,
    found: &mut Statement,
    calls: &mut HashSet<String>,
) {
    let word = |t: &Token| slice(text, t);
    let names: Vec<&Token> = tokens.iter().filter(|t| t.kind == TokenKind::Name).collect();
    let Some(first) = names.first().map(|t| word(t).to_owned()) else { return };
    let plain = |t: &Token| {
        t.kind == TokenKind::Name || matches!(word(t), "," | "(" | ")" | "[" | "]" | "*")
    };
    let function = tokens.get(1).is_some_and(|t| word(t) == "(");
    let listed = tokens.iter().all(plain) && tokens.get(1).is_none_or(|t| word(t) != "[");
    if function && !in_place {
        found.binds.push(first);
    } else if listed && !in_place {
        found.binds.extend(names.iter().map(|t| word(t).to_owned()));
    } else if tokens.len() == 3 && word(&tokens[2]) == "grad" && !in_place {
        found.cleared.push(first);
    } else {
        read(text, tokens, found, calls);
        found.changes.push(first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(inputs: &[&str]) -> String {
        let mut names = Names::default();
        let state = |text: &&str| {
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            match names.take(&lines) {
                State::Runs => 'r',
                State::Open => 'o',
                State::Waits => 'w',
            }
        };
        inputs.iter().map(state).collect()
    }

    #[test]
    fn what_uses_a_blank_waits_and_the_rest_runs() {
        for (inputs, states) in [
            (&["x = ____; y = x^2; x.grad", "2*x", "w = 2; z = w^3; z.grad"][..], "owr"),
            (&["x = ____", "x = 3", "x"], "orr"),
            (&["x = [1, 2]; y = x^2", "y.backward([____, 1])", "x.sum()", "x.grad"], "rorw"),
            (&["x = 1; y = x^2", "y.backward(____)", "x.grad = None; y.backward(); x.grad"], "ror"),
            (&["x = 1; y = x^2", "y.backward(____)", "y.backward()", ":check"], "roww"),
            (&["def f(u):\n    return ____*u", "f(3)", "f(u) = 2*u", "f(3)"], "owrr"),
            (&["w = 1", "for i in range(____):\n    w = 2*w\n", "w", "print('w')"], "rowr"),
            (&["v = ____", "x = 2", "(x*v).backward()", "x.grad", "x"], "orwwr"),
            (&["x = 1", "y = 2*x", "def go():\n    y.backward()\n", "y = ____*x", "go()"], "rrrow"),
            (&["torch.randn(____)", "torch.randn(2)", "torch.manual_seed(0)", "rand(2)"], "owrr"),
            (&["print('____')", "x = 1  # ____"], "rr"),
            (&["a = [1, 2]", "a[0] = ____", "a", "b = 3; b"], "rowr"),
            (&["x = ____", ":panel off", ":undo"], "orw"),
        ] {
            assert_eq!(all(inputs), states, "{inputs:?}");
        }
    }

    #[test]
    fn what_a_value_depends_on_is_known() {
        let mut names = Names::default();
        for input in ["a = 4", "x = 2", "y = 5*x^2", "g = grad(y, x)"] {
            names.take(&[input.to_owned()]);
        }
        let behind = names.behind(&["g".to_owned()]);
        assert!(["g", "x", "y", ".grad"].iter().all(|n| behind.contains(*n)), "{behind:?}");
        assert!(!behind.contains("a"));
    }
}
