//! An Earley recogniser: is a sequence of tokens derivable from the grammar? It knows nothing of
//! the parser it checks.

use super::ebnf::{Grammar, Symbol};
use super::lexer::Token;
use std::collections::HashSet;

/// A dotted alternative and where it began.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Item {
    rule: u32,
    alternative: u32,
    dot: u32,
    from: u32,
}

pub struct Recogniser<'g> {
    g: &'g Grammar,
    nullable: Vec<bool>,
    /// Terminals that can begin each rule, as bits.
    first: Vec<u128>,
    /// The same for each alternative, and whether it can be empty.
    starts: Vec<Vec<(u128, bool)>>,
}

impl<'g> Recogniser<'g> {
    pub fn new(g: &'g Grammar) -> Self {
        assert!(g.terminals.len() <= 128);
        let mut r = Recogniser {
            g,
            nullable: vec![false; g.rules.len()],
            first: vec![0; g.rules.len()],
            starts: Vec::new(),
        };
        let mut grew = true;
        while grew {
            grew = false;
            for (n, alternatives) in g.rules.iter().enumerate() {
                for alternative in alternatives {
                    let (first, nullable) = r.begins(alternative);
                    grew |= (nullable && !r.nullable[n]) || first & !r.first[n] != 0;
                    r.nullable[n] |= nullable;
                    r.first[n] |= first;
                }
            }
        }
        r.starts = g.rules.iter().map(|rule| rule.iter().map(|a| r.begins(a)).collect()).collect();
        r
    }

    fn begins(&self, symbols: &[Symbol]) -> (u128, bool) {
        let mut first = 0;
        for symbol in symbols {
            match symbol {
                Symbol::Terminal(t) => return (first | 1 << t, false),
                Symbol::Rule(n) => {
                    first |= self.first[*n];
                    if !self.nullable[*n] {
                        return (first, false);
                    }
                }
            }
        }
        (first, true)
    }

    fn symbols(&self, item: Item) -> &'g [Symbol] {
        &self.g.rules[item.rule as usize][item.alternative as usize]
    }

    /// Is the whole sequence a `program`? `used` collects the rules that completed.
    pub fn accepts(&self, tokens: &[Token], used: &mut HashSet<usize>) -> bool {
        let mut columns: Vec<Vec<Item>> = vec![Vec::new(); tokens.len() + 1];
        let mut seen: HashSet<Item> = HashSet::new();
        let mut next = Vec::new();
        self.predict(0, 0, tokens, &mut seen, &mut columns[0]);
        for at in 0..=tokens.len() {
            let mut n = 0;
            while n < columns[at].len() {
                let item = columns[at][n];
                n += 1;
                match self.symbols(item).get(item.dot as usize) {
                    None => {
                        used.insert(item.rule as usize);
                        self.complete(item, at, &mut columns, &mut seen);
                    }
                    Some(Symbol::Rule(rule)) => {
                        let column = &mut columns[at];
                        self.predict(*rule, at, tokens, &mut seen, column);
                        if self.nullable[*rule] {
                            push(&mut seen, column, Item { dot: item.dot + 1, ..item });
                        }
                    }
                    Some(Symbol::Terminal(t)) => {
                        if tokens.get(at).is_some_and(|token| token.terminal == *t) {
                            next.push(Item { dot: item.dot + 1, ..item });
                        }
                    }
                }
            }
            if at < tokens.len() {
                if next.is_empty() {
                    return false;
                }
                seen.clear();
                seen.extend(&next);
                columns[at + 1] = std::mem::take(&mut next);
            }
        }
        let done =
            |i: &Item| i.rule == 0 && i.from == 0 && i.dot as usize == self.symbols(*i).len();
        columns[tokens.len()].iter().any(done)
    }

    fn predict(
        &self,
        rule: usize,
        at: usize,
        tokens: &[Token],
        seen: &mut HashSet<Item>,
        column: &mut Vec<Item>,
    ) {
        for (n, &(first, nullable)) in self.starts[rule].iter().enumerate() {
            let possible = tokens.get(at).is_some_and(|t| first & (1 << t.terminal) != 0);
            if possible || nullable {
                push(
                    seen,
                    column,
                    Item { rule: rule as u32, alternative: n as u32, dot: 0, from: at as u32 },
                );
            }
        }
    }

    fn complete(&self, item: Item, at: usize, columns: &mut [Vec<Item>], seen: &mut HashSet<Item>) {
        let from = item.from as usize;
        let mut n = 0;
        while n < columns[from].len() {
            let waiting = columns[from][n];
            n += 1;
            let wanted = self.symbols(waiting).get(waiting.dot as usize);
            if wanted == Some(&Symbol::Rule(item.rule as usize)) {
                let moved = Item { dot: waiting.dot + 1, ..waiting };
                push(seen, &mut columns[at], moved);
            }
        }
    }
}

fn push(seen: &mut HashSet<Item>, column: &mut Vec<Item>, item: Item) {
    if seen.insert(item) {
        column.push(item);
    }
}
