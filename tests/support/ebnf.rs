//! Reads grammar/vjp.ebnf: rules, tokens, conditions. Optional and repeated parts become rules
//! of their own, so that what is left is plain alternatives.

use std::collections::HashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    Terminal(usize),
    Rule(usize),
}

pub struct Grammar {
    pub strict: bool,
    /// Alternatives of every rule; made-up rules come after the written ones.
    pub rules: Vec<Vec<Vec<Symbol>>>,
    pub names: Vec<String>,
    pub written: usize,
    /// `"x"` quoted as in the file, or a token's name.
    pub terminals: Vec<String>,
    /// Token name and its regular expression.
    pub patterns: Vec<(String, String)>,
    pub conditions: Vec<regex::Regex>,
    pub lexical: Vec<regex::Regex>,
}

/// What one character or word of the file is.
#[derive(Clone, Debug, PartialEq)]
enum Item {
    Word(String),
    Quoted(String),
    Regex(String),
    Mode(bool),
    Sign(char),
}

pub fn text() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/grammar/vjp.ebnf");
    std::fs::read_to_string(path).unwrap()
}

pub fn read(strict: bool) -> Grammar {
    let text = text();
    let listed = |mark: &str| {
        let lines = text.lines().filter_map(|l| l.strip_prefix(mark));
        lines.map(|l| regex::Regex::new(&format!("^({})$", l.trim())).unwrap()).collect()
    };
    let mut grammar = Grammar {
        strict,
        rules: Vec::new(),
        names: Vec::new(),
        written: 0,
        terminals: Vec::new(),
        patterns: Vec::new(),
        conditions: listed("# condition:"),
        lexical: listed("# lexical:"),
    };
    let items = items(&text);
    let mut sources: Vec<(String, Vec<Item>)> = Vec::new();
    for rule in items.split(|i| *i == Item::Sign(';')).filter(|r| !r.is_empty()) {
        let [Item::Word(name), Item::Sign('='), body @ ..] = rule else {
            panic!("no rule: {rule:?}");
        };
        if name.chars().all(|c| c.is_uppercase() || c == '_') {
            let pattern = pattern(body, strict);
            grammar.patterns.push((name.clone(), pattern));
        } else {
            sources.push((name.clone(), body.to_vec()));
        }
    }
    let index: HashMap<String, usize> =
        sources.iter().enumerate().map(|(n, (name, _))| (name.clone(), n)).collect();
    assert_eq!(index.len(), sources.len(), "a rule stands twice");
    grammar.names = sources.iter().map(|(name, _)| name.clone()).collect();
    grammar.rules = vec![Vec::new(); sources.len()];
    grammar.written = sources.len();
    for (n, (_, body)) in sources.iter().enumerate() {
        let mut at = 0;
        let alternatives = alternatives(&mut grammar, &index, body, &mut at);
        assert_eq!(at, body.len(), "rule {}", grammar.names[n]);
        grammar.rules[n] = alternatives;
    }
    grammar
}

fn pattern(body: &[Item], strict: bool) -> String {
    let mut wanted = true;
    for item in body {
        match item {
            Item::Mode(mode) => wanted = *mode == strict,
            Item::Regex(regex) if wanted => return regex.clone(),
            _ => {}
        }
    }
    panic!("a token without a pattern: {body:?}")
}

fn items(text: &str) -> Vec<Item> {
    let mut out = Vec::new();
    for line in text.lines() {
        let mut rest = line.trim_start();
        while let Some(c) = rest.chars().next() {
            let used = match c {
                '#' => break,
                '"' => {
                    let end = rest[1..].find('"').unwrap() + 1;
                    out.push(Item::Quoted(rest[1..end].into()));
                    end + 1
                }
                // A pattern ends at the last slash of its line.
                '/' => {
                    let end = rest.rfind("/ ").or(rest.rfind('/')).unwrap();
                    out.push(Item::Regex(rest[1..end].into()));
                    end + 1
                }
                '%' => {
                    let strict = rest.starts_with("%strict");
                    out.push(Item::Mode(strict));
                    if strict { 7 } else { 6 }
                }
                c if c.is_alphanumeric() || c == '_' => {
                    let end =
                        rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                    out.push(Item::Word(rest[..end].into()));
                    end
                }
                c => {
                    out.push(Item::Sign(c));
                    c.len_utf8()
                }
            };
            rest = rest[used..].trim_start();
        }
    }
    out
}

fn alternatives(
    g: &mut Grammar,
    index: &HashMap<String, usize>,
    body: &[Item],
    at: &mut usize,
) -> Vec<Vec<Symbol>> {
    let mut out = Vec::new();
    loop {
        let mut wanted = true;
        if let Some(Item::Mode(strict)) = body.get(*at) {
            wanted = *strict == g.strict;
            *at += 1;
        }
        let sequence = sequence(g, index, body, at);
        if wanted {
            out.push(sequence);
        }
        match body.get(*at) {
            Some(Item::Sign('|')) => *at += 1,
            _ => return out,
        }
    }
}

fn sequence(
    g: &mut Grammar,
    index: &HashMap<String, usize>,
    body: &[Item],
    at: &mut usize,
) -> Vec<Symbol> {
    let mut out = Vec::new();
    while let Some(item) = body.get(*at) {
        *at += 1;
        match item {
            Item::Word(name) => out.push(match index.get(name) {
                Some(n) => Symbol::Rule(*n),
                None => {
                    let token = name.chars().all(|c| c.is_uppercase() || c == '_');
                    assert!(token, "unknown rule {name}");
                    terminal(g, name.clone())
                }
            }),
            Item::Quoted(text) => out.push(terminal(g, format!("\"{text}\""))),
            Item::Sign(open @ ('[' | '{' | '(')) => {
                let inner = alternatives(g, index, body, at);
                *at += 1;
                out.push(Symbol::Rule(made(g, *open, inner)));
            }
            _ => {
                *at -= 1;
                break;
            }
        }
    }
    out
}

/// A rule for a bracketed part: optional, repeated or plain.
fn made(g: &mut Grammar, open: char, mut inner: Vec<Vec<Symbol>>) -> usize {
    let rule = g.rules.len();
    g.names.push(format!("{open}{rule}"));
    match open {
        '[' => inner.push(Vec::new()),
        '{' => {
            inner.iter_mut().for_each(|a| a.insert(0, Symbol::Rule(rule)));
            inner.push(Vec::new());
        }
        _ => {}
    }
    g.rules.push(inner);
    rule
}

fn terminal(g: &mut Grammar, name: String) -> Symbol {
    let found = g.terminals.iter().position(|t| *t == name);
    Symbol::Terminal(found.unwrap_or_else(|| {
        g.terminals.push(name);
        g.terminals.len() - 1
    }))
}
