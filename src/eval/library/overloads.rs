//! PyTorch's sentence where none of several signatures fits. Which signatures it lists is recorded
//! from PyTorch itself (overloads.txt: name, kind of call, signatures).

use super::types::name_of;
use crate::eval::call::Args;
use crate::eval::value::Value;
use crate::maths::complaint::{Complaint, Kind};
use std::collections::HashMap;

/// The signatures of a function or method that has several.
pub type Overloads = &'static [&'static str];

/// What PyTorch lists for `name`; None where it has one signature only.
pub fn of(name: &str, method: bool) -> Option<Overloads> {
    thread_local! {
        static LISTED: HashMap<(&'static str, bool), Overloads> = read();
    }
    LISTED.with(|l| {
        let l: &HashMap<(&str, bool), Overloads> = l;
        l.get(&(name, method)).copied()
    })
}

fn read() -> HashMap<(&'static str, bool), Overloads> {
    include_str!("overloads.txt")
        .lines()
        .filter_map(|line| {
            let mut parts = line.split('|');
            let key = (parts.next()?, parts.next()? == "method");
            let lines: Vec<&'static str> = parts.collect();
            Some((key, &*Box::leak(lines.into_boxed_slice())))
        })
        .collect()
}

/// The complaint that lists the signatures; None where PyTorch speaks of the one argument that is
/// wrong, because only one signature takes so many.
pub fn none_fits(args: &Args, listed: Option<Overloads>, method: bool) -> Option<Box<Complaint>> {
    let lines = listed?;
    let positional = &args.positional[usize::from(method).min(args.positional.len())..];
    let count = positional.len() + args.named.len();
    let plausible = lines.iter().filter(|l| {
        let (least, most) = arity(l);
        (least..=most).contains(&count)
    });
    if plausible.count() == 1 {
        return None;
    }
    let named = |mark: &str| -> Vec<String> {
        args.named.iter().map(|(n, v)| format!("{n}={mark}{}{mark}", name_of(v))).collect()
    };
    let mut got: Vec<String> = positional.iter().map(name_of).collect();
    got.extend(named(""));
    let mut text = format!(
        "{}() received an invalid combination of arguments - got ({}), but expected one of:\n",
        args.name(),
        got.join(", ") + if positional.is_empty() && !got.is_empty() { ", " } else { "" }
    );
    for line in lines {
        text.push_str(&format!(" * {line}\n"));
        // PyTorch counts what stands between commas, a lone star too.
        let pieces: Vec<&str> = pieces(line).collect();
        if pieces.len() != count {
            continue;
        }
        let unknown: Vec<&str> = args
            .named
            .iter()
            .map(|(n, _)| n.as_str())
            .filter(|n| !pieces.iter().any(|p| name(p) == *n))
            .collect();
        if unknown.is_empty() {
            let marked = positional
                .iter()
                .zip(&pieces)
                .map(|(v, p)| if fits(p, v) { name_of(v) } else { format!("!{}!", name_of(v)) });
            let all: Vec<String> = marked.chain(named("")).collect();
            text.push_str(&format!(
                "      didn't match because some of the arguments have invalid types: ({})\n",
                all.join(", ")
            ));
        } else {
            text.push_str(&format!(
                "      didn't match because some of the keywords were incorrect: {}\n",
                unknown.join(", ")
            ));
        }
    }
    Some(Complaint::new(Kind::Type, text))
}

fn pieces(line: &str) -> impl Iterator<Item = &str> {
    let inner = line.trim_start_matches('(').trim_end_matches(')');
    // `()` counts as one piece.
    inner.split(", ").filter(|p| !p.ends_with("Tensor out = None"))
}

/// The name in `tuple of ints dim = None`.
fn name(piece: &str) -> &str {
    let head = piece.split(" = ").next().unwrap_or(piece);
    head.rsplit(' ').next().unwrap_or(head)
}

/// How many arguments a signature needs and how many it takes.
fn arity(line: &str) -> (usize, usize) {
    let inner = line.trim_start_matches('(').trim_end_matches(')');
    let real = || inner.split(", ").filter(|p| !p.is_empty() && *p != "*");
    (real().filter(|p| !p.contains(" = ")).count(), real().count())
}

/// PyTorch compares the names of types only: an int is no Number to it here.
fn fits(piece: &str, value: &Value) -> bool {
    let head = piece.split(" = ").next().unwrap_or(piece);
    let kind = head.rsplit_once(' ').map_or("", |(kind, _)| kind);
    kind == name_of(value)
}
