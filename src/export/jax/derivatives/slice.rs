//! Which steps a value came from: those between its leaves and the place where it is
//! differentiated.

use crate::problem::{Done, Problem};
use crate::steps::*;
use std::collections::HashSet;
use vjp_syntax::ast::{Expr, ExprKind, StmtKind};

/// What a function of `leaves` is made of.
pub struct Chosen<'s, 'a> {
    pub steps: Vec<&'s Step<'a>>,
    /// Names that it reads and does not bind.
    pub free: Names,
}

fn graded(step: &Step) -> bool {
    match step {
        Step::Line(line) => line.graded,
        // What it goes through may be rows of a tensor.
        Step::Block(block) if block.kind == BlockKind::Loop => true,
        Step::Block(block) => block.graded(),
        _ => false,
    }
}

fn recorded(step: &Step, all: &mut Names) {
    match step {
        Step::Line(line) => all.extend(line.recorded.iter().cloned()),
        Step::Block(block) => {
            block.parts.iter().for_each(|p| p.body.iter().for_each(|s| recorded(s, all)));
        }
        _ => {}
    }
}

/// Binds its names whatever they were.
fn binds_whole(step: &Step) -> bool {
    matches!(step, Step::Line(line) if line.writes.is_disjoint(&line.reads))
        || matches!(step, Step::Block(Block { kind: BlockKind::Def(..), .. }))
}

/// Names that a step always binds.
fn bound_by(step: &Step) -> Names {
    match step {
        Step::Block(block) if block.kind == BlockKind::If => {
            let parts = block.parts.iter().map(|p| p.body.iter().flat_map(bound_by).collect());
            let otherwise = block.parts.last().is_some_and(|p| p.head == "else:");
            let all = parts.reduce(|a: Names, b: Names| a.intersection(&b).cloned().collect());
            all.filter(|_| otherwise).unwrap_or_default()
        }
        Step::Block(block) if block.kind == BlockKind::Loop => Names::new(),
        step => step.writes(),
    }
}

/// Names whose values a step takes from before it.
fn taken_by(step: &Step) -> Names {
    let Step::Block(block) = step else {
        return step.reads();
    };
    let mut taken = Names::new();
    for part in &block.parts {
        let mut bound = part.writes.clone();
        taken.extend(part.reads.iter().cloned());
        for step in &part.body {
            taken.extend(taken_by(step).difference(&bound).cloned());
            bound.extend(bound_by(step));
        }
    }
    taken
}

/// Whether gradients flow to what a name holds at the end of these steps.
fn carries(body: &[Step], name: &str) -> bool {
    let last = body.iter().rev().find(|step| step.writes().contains(name));
    last.is_some_and(graded)
}

/// Of `past`, the steps through which what `needed` names depends on `leaves`; `entered` says where the
/// loops around begin.
///
/// # Errors
/// A name that was bound anew after it was used; a value that a loop carries on to its next round.
pub fn between<'s, 'a>(
    past: &[&'s Step<'a>],
    entered: &[(usize, &'s Block<'a>)],
    leaves: &[String],
    (needed, root): (&Names, &Names),
    strictly: bool,
) -> Done<Chosen<'s, 'a>> {
    // A leaf counts from its last definition on.
    let born = |leaf: &String| past.iter().rposition(|p| p.defines(leaf));
    let births: Vec<(usize, &String)> =
        leaves.iter().map(|leaf| (born(leaf).map_or(0, |at| at + 1), leaf)).collect();
    let mut moved: HashSet<String> = HashSet::new();
    let mut candidates: Vec<(usize, &'s Step<'a>, Names, bool)> = Vec::new();
    for (n, p) in past.iter().enumerate() {
        moved.extend(births.iter().filter(|(at, _)| *at == n).map(|(_, leaf)| (*leaf).clone()));
        let writes = p.writes();
        if matches!(p, Step::Comment(_) | Step::Sweep(_)) || writes.is_empty() {
            continue;
        }
        if births.iter().any(|(at, leaf)| *at == n + 1 && writes.contains(*leaf)) {
            continue;
        }
        // A leaf that is written to behind the graph stays the same leaf.
        if writes.iter().all(|name| leaves.contains(name) && !p.defines(name)) {
            continue;
        }
        let depends = graded(p) && p.reads().iter().any(|name| moved.contains(name));
        if depends {
            moved.extend(writes.iter().cloned());
        } else if !p.sweeps() {
            moved.retain(|name| !writes.contains(name) || leaves.contains(name));
        }
        candidates.push((n, p, writes, depends));
    }
    // A name that the function itself binds must begin inside it, whatever it depends on.
    let (mut wanted, mut own) = (needed.clone(), HashSet::new());
    let mut chosen: Vec<(usize, &'s Step<'a>)> = Vec::new();
    let began = |name: &String, at: usize| {
        let mut before =
            candidates.iter().filter(|(n, _, writes, _)| *n < at && writes.contains(name));
        before.next_back().is_some_and(|(.., depends)| *depends)
    };
    // What enters a round of a loop was bound in the round before.
    let entering = |at: usize, block: &Block, taken: &mut Names, own: &HashSet<String>| {
        // Its header binds them anew in each round.
        for part in &block.parts {
            if let Some(name) = part.writes.iter().find(|n| taken.contains(*n) && own.contains(*n))
            {
                return Err(changes(name, Some(block.at)));
            }
            taken.retain(|name| !part.writes.contains(name));
        }
        let mut carried = block.writes();
        carried.retain(|name| taken.contains(name) && !leaves.contains(name));
        let flows = |name: &&String| {
            let body = block.parts.iter().any(|part| carries(&part.body, name));
            own.contains(*name) || body || began(name, at)
        };
        match carried.iter().find(flows) {
            Some(name) => Err(Problem {
                at: Some(block.at),
                ..Problem::new(
                    format!(
                        "each round of this loop continues the graph of {name} from the round before"
                    ),
                    "differentiate once after the loop, or export --to torch",
                )
            }),
            None => {
                block.parts.iter().for_each(|part| taken.extend(part.reads.iter().cloned()));
                Ok(())
            }
        }
    };
    let mut taken = needed.clone();
    let mut around = entered.to_vec();
    for (n, p, writes, depends) in candidates.iter().rev() {
        let (n, depends) = (*n, *depends);
        while let Some((at, block)) = around.pop_if(|(at, _)| n < *at) {
            entering(at, block, &mut taken, &own)?;
            wanted.retain(|name| !block.parts.iter().any(|part| part.writes.contains(name)));
        }
        // The leaves are what the function takes.
        let here = writes.iter().any(|name| wanted.contains(name) && !leaves.contains(name));
        if !here {
            continue;
        }
        if !depends && writes.iter().all(|name| !own.contains(name)) {
            // Constant from here on: the function reads it from outside.
            wanted.retain(|name| !writes.contains(name));
            taken.retain(|name| !writes.contains(name));
            continue;
        }
        own.extend(writes.iter().cloned());
        if binds_whole(p) {
            wanted.retain(|name| !writes.contains(name));
        }
        wanted.extend(p.reads());
        let bound = bound_by(p);
        taken.retain(|name| !bound.contains(name));
        taken.extend(taken_by(p));
        chosen.push((n, p));
    }
    while let Some((at, block)) = around.pop() {
        entering(at, block, &mut taken, &own)?;
    }
    chosen.reverse();
    let strictly = strictly.then_some(entered.is_empty());
    let free = fresh(past, &chosen, leaves, root, strictly)?;
    Ok(Chosen { steps: chosen.into_iter().map(|(_, p)| p).collect(), free })
}

/// A name that the function reads was bound anew since.
pub fn changes(name: &str, at: Option<usize>) -> Problem {
    Problem {
        at,
        ..Problem::new(
            format!("{name} changes between here and the backward"),
            "give the changed value another name, or export --to torch",
        )
    }
}

/// What a name's value was recorded from, of the steps before `at`.
fn origins(past: &[&Step], name: &str, at: usize, all: &mut HashSet<(String, usize)>) {
    if !all.insert((name.to_owned(), at)) {
        return;
    }
    for (n, step) in past[..at].iter().enumerate().rev() {
        if step.writes().contains(name) {
            let mut from = Names::new();
            recorded(step, &mut from);
            from.iter().for_each(|name| origins(past, name, n, all));
            if binds_whole(step) {
                return;
            }
        }
    }
}

/// Whether what a name holds before `at` was recorded from what one of these names was.
fn comes_from(past: &[&Step], name: &str, at: usize, of: &[String]) -> bool {
    let names = |name: &str, at: usize| -> HashSet<String> {
        let mut all = HashSet::new();
        origins(past, name, at, &mut all);
        all.into_iter().map(|(name, _)| name).collect()
    };
    let own = names(name, at);
    of.iter().any(|leaf| !names(leaf, past.len()).is_disjoint(&own))
}

/// `w` of a leaf that was bound by `v = w`.
fn alias(past: &[&Step], leaf: &String) -> Option<String> {
    let Step::Line(line) = past.iter().rev().find(|p| p.defines(leaf))? else { return None };
    match &line.tree?.kind {
        StmtKind::Assign { value: Expr { kind: ExprKind::Name(other), .. }, .. } => {
            Some(other.to_string())
        }
        _ => None,
    }
}

/// Whether a gradient must flow on from a recorded name, read from outside, to the leaves. `strictly`: it came to a
/// leaf without a name too; then the names say which only outside of loops.
pub fn flows(
    past: &[&Step],
    (name, at): (&str, usize),
    leaves: &[String],
    strictly: Option<bool>,
) -> bool {
    match strictly {
        Some(straight) => !straight || comes_from(past, name, at, leaves),
        None => {
            let others: Vec<String> = leaves.iter().filter_map(|leaf| alias(past, leaf)).collect();
            comes_from(past, name, at, &others)
        }
    }
}

/// Names from outside that the chosen steps and the root read; they must be then what they were. No
/// gradient may flow to them.
fn fresh<'a>(
    past: &[&Step<'a>],
    chosen: &[(usize, &Step<'a>)],
    leaves: &[String],
    root: &Names,
    strictly: Option<bool>,
) -> Done<Names> {
    let mut bound: HashSet<String> = leaves.iter().cloned().collect();
    let mut free = Names::new();
    let at = |p: &Step| match p {
        Step::Line(line) => Some(line.at),
        Step::Block(block) => Some(block.at),
        _ => None,
    };
    for (n, p) in chosen {
        let mut open = p.reads();
        open.retain(|name| !bound.contains(name) || leaves.contains(name));
        for name in &open {
            let later =
                past[n + 1..].iter().filter(|q| !chosen.iter().any(|(_, c)| std::ptr::eq(*c, **q)));
            let mut changed =
                later.filter(|q| !matches!(q, Step::Sweep(_)) && q.writes().contains(name));
            if let Some(by) = changed.next()
                && !bound_again(name, chosen, *n)
            {
                if !by.defines(name) {
                    return Err(Problem {
                        at: at(by),
                        ..Problem::new(
                            format!("{name} is modified between its use and backward"),
                            "modify it after backward, or export --to torch",
                        )
                    });
                }
                return Err(changes(name, at(p)));
            }
        }
        open.retain(|name| !bound.contains(name));
        let mut traced = Names::new();
        recorded(p, &mut traced);
        let flows =
            |name: &&String| open.contains(*name) && flows(past, (name, *n), leaves, strictly);
        if let Some(name) = traced.iter().find(flows) {
            return Err(earlier(name, at(p)));
        }
        free.extend(open);
        bound.extend(p.writes());
    }
    free.extend(root.iter().filter(|name| !bound.contains(*name)).cloned());
    Ok(free)
}

/// What a value was computed from lies outside the function.
pub fn earlier(name: &str, at: Option<usize>) -> Problem {
    Problem {
        at,
        outside: true,
        ..Problem::new(
            format!(
                "{name} cannot be recomputed here: its leaf has changed, has another name now, or belongs to an earlier iteration of the loop"
            ),
            "write its line again just before backward, or export --to torch",
        )
    }
}

/// Whether a chosen step before `n` binds the name, so that outside changes do not matter.
fn bound_again(name: &str, chosen: &[(usize, &Step)], n: usize) -> bool {
    chosen.iter().any(|(k, p)| *k < n && p.writes().contains(name))
}
