//! A line whose letters have no values yet, behind values to begin with: `x = 3; y = x^2` for `y = x^2`,
//! `x = 3; y = x^2; grad(y, x)` for `dy/dx`.

use super::signs::{Piece, pieces};
use super::written::Kind;
use super::{kind, rewritten};
use crate::path::fixes;
use std::collections::HashMap;
use vjp_eval::record::bindings;
use vjp_eval::{Help, Machine};
use vjp_syntax::parse;
use vjp_text::names::is_name_continue;
use vjp_text::words::list;
use vjp_text::{Source, Symbol, foreign_spellings};

/// Letters that stand for functions, and those that stand for values; others are parts of words.
const FUNCTIONS: &str = "fghFG";
const VALUES: &str = "xyztuvwabckmnpqrshABCKMNWXYZαβγδθλμρστφψω";

/// So many letters may lack a value.
const MOST: usize = 4;

/// What small and capital letters are at first: numbers, vectors beside matrices, vectors.
const ROUNDS: [[[&str; MOST]; 2]; 3] = [
    [NUMBERS, NUMBERS],
    [VECTORS, ["[[1, 2], [3, 4]]", "[[5, 6], [7, 8]]", "[[1, 0], [0, 1]]", "[[2, 1], [1, 3]]"]],
    [VECTORS, VECTORS],
];
const NUMBERS: [&str; MOST] = ["3", "2", "5", "4"];
const VECTORS: [&str; MOST] = ["[1, 2]", "[3, 4]", "[5, 6]", "[7, 8]"];

/// A letter, perhaps with digits behind it, which may lack a value.
fn is_letter(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| VALUES.contains(c) || FUNCTIONS.contains(c))
        && chars.all(|c| c.is_ascii_digit() || c == '_' || ('₀'..='₉').contains(&c))
        && foreign_spellings::name(name).is_none()
}

/// The line behind values for the letters that have none, where it runs so.
pub(crate) fn begun(m: &mut Machine, text: &str) -> Option<Help> {
    let text = text.trim();
    if m.strict() || m.trying || !fixes::fits(text) || text.contains(".grad") {
        return None;
    }
    let given = letters(m, text);
    let readable = parse(&Source::new(text), m.mode()).is_ok();
    let own = readable.then(|| behind_values(m, text, &given)).flatten();
    let own = own.map(|(code, missing)| {
        let are = if missing.len() == 1 { "is" } else { "are" };
        let says = format!("{} {are} defined first", list(&missing, "and"));
        Help { code, says }
    });
    own.or_else(|| {
        let (line, rule) = rewritten(m, text, false, given.clone())?;
        let (code, _) = behind_values(m, &line, &given)?;
        Some(Help { code, says: rule.to_owned() })
    })
}

/// Letters of a line that have no value, and what they seem to stand for.
pub(super) fn letters(m: &Machine, text: &str) -> HashMap<String, Kind> {
    let unknown = |name: &str| is_letter(name) && m.lookup(name).is_none();
    let all = pieces(text, &|name| m.lookup(name).is_some() || is_letter(name));
    let all = all.unwrap_or_default();
    let mut given = HashMap::new();
    for (k, piece) in all.iter().enumerate() {
        let Piece::Word(word) = piece else { continue };
        let sign = |c| all.get(k + 1) == Some(&Piece::Sign(c));
        // `df` of `df/dx`
        let of = word.strip_prefix('d').filter(|of| unknown(of) && m.lookup(word).is_none());
        let called = sign('(') || sign('\'') || of.is_some() && sign('/');
        let name = of.unwrap_or(word);
        if unknown(name) {
            let function = called && name.chars().all(|c| FUNCTIONS.contains(c));
            let kind = match all.get(k + 1) {
                _ if function => Kind::Function,
                Some(Piece::Lowered(index)) if index.chars().count() == 1 => Kind::Vector,
                Some(Piece::Lowered(_)) => Kind::Matrix,
                _ => Kind::Number,
            };
            given.insert(name.to_owned(), kind);
        } else if name.chars().count() == 2 && m.lookup(name).is_none() {
            // `xy`
            let both = name.chars().map(String::from).filter(|c| unknown(c));
            given.extend(both.map(|c| (c, Kind::Number)));
        } else if let Some(last) = name.chars().last().map(String::from).filter(|c| unknown(c)) {
            // `sinx`
            let before = name.strip_suffix(last.as_str()).and_then(|f| m.lookup(f));
            if before.is_some_and(|f| kind(&f) == Some(Kind::Function)) {
                given.insert(last, Kind::Number);
            }
        }
    }
    given
}

/// A line behind values for the letters in it that have none, and these letters.
fn behind_values(
    m: &mut Machine,
    line: &str,
    given: &HashMap<String, Kind>,
) -> Option<(String, Vec<String>)> {
    let missing = unknown(m, line)?;
    if missing.is_empty() || missing.len() > MOST || !missing.iter().all(|n| is_letter(n)) {
        return None;
    }
    ROUNDS.iter().find_map(|round| {
        let values = values(m, line, &missing, given, round)?;
        let code = match missing.as_slice() {
            [one] if one == line => values,
            _ => format!("{values}; {line}"),
        };
        let runs = fixes::fits(&code) && fixes::tried(m, &code, None).is_some();
        runs.then(|| (code, missing.clone()))
    })
}

/// Names that a line reads and nobody has given a value, in order; None where it cannot be read.
pub(super) fn unknown(m: &Machine, line: &str) -> Option<Vec<String>> {
    let program = parse(&Source::new(line), m.mode()).ok()?;
    let (mut bound, mut missing) = (Vec::new(), Vec::new());
    for statement in &program.body {
        bindings::read(statement, &mut |name| {
            if !bound.contains(&name) && m.lookup(name.as_str()).is_none() {
                missing.push(name.to_string());
            }
        });
        bindings::bound(statement, &mut |name| bound.push(name));
    }
    let mut seen = Vec::new();
    missing.retain(|name| {
        !seen.contains(name) && {
            seen.push(name.clone());
            true
        }
    });
    Some(missing)
}

/// `x = 3; y = x^2`: what is differentiated is computed from what it is differentiated by.
fn values(
    m: &Machine,
    line: &str,
    missing: &[String],
    given: &HashMap<String, Kind>,
    round: &[[&str; MOST]; 2],
) -> Option<String> {
    let mut before: Vec<(String, String)> = Vec::new();
    let next = |name: &str, before: &mut Vec<(String, String)>| {
        let of_kind = round[usize::from(name.starts_with(char::is_uppercase))];
        let taken = |value: &&str| before.iter().any(|(_, v)| v == value);
        let value = of_kind.into_iter().find(|value| !taken(value));
        before.extend(value.map(|value| (name.to_owned(), value.to_owned())));
        value
    };
    let by = |name: &str| -> Option<String> {
        if line.contains(&format!("{name}.backward(")) {
            return Some(m.past.last().1.to_owned()).filter(|x| x != name);
        }
        ["grad(", "hessian(", "jacobian("].into_iter().find_map(|call| {
            let rest = line.split_once(&format!("{call}{name},"))?.1.trim_start();
            let end = rest.find(|c| !is_name_continue(c)).unwrap_or(rest.len());
            Some(rest[..end].to_owned())
        })
    };
    let (computed, plain): (Vec<_>, Vec<_>) = missing.iter().partition(|n| by(n).is_some());
    for name in plain {
        match given.get(name) {
            Some(Kind::Function) => before.push((format!("{name}(x)"), "x^2".to_owned())),
            _ => _ = next(name, &mut before)?,
        }
    }
    for name in computed {
        let by = by(name).filter(|by| by != name)?;
        if !before.iter().any(|(n, _)| *n == by) && m.lookup(&by).is_none() {
            next(&by, &mut before)?;
        }
        let value = before.iter().find(|(n, _)| *n == by).map(|(_, v)| !v.starts_with('['));
        let number = value.unwrap_or_else(|| {
            m.global(Symbol::new(&by)).is_some_and(|v| kind(&v) == Some(Kind::Number))
        });
        let square = format!("{by}^2");
        before.push((name.clone(), if number { square } else { format!("sum({square})") }));
    }
    let all = before.iter().map(|(name, value)| format!("{name} = {value}"));
    Some(all.collect::<Vec<_>>().join("; "))
}
