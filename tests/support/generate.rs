//! Sentences of the grammar, made at random with a bound on their depth.

use super::ebnf::{Grammar, Symbol};
use super::random::Random;

pub struct Generator<'g> {
    g: &'g Grammar,
    /// The least depth of a derivation of each rule.
    least: Vec<usize>,
    pub random: Random,
}

impl<'g> Generator<'g> {
    pub fn new(g: &'g Grammar, seed: u64) -> Self {
        let mut least = vec![usize::MAX; g.rules.len()];
        let mut grew = true;
        while grew {
            grew = false;
            for (n, alternatives) in g.rules.iter().enumerate() {
                let best = alternatives.iter().map(|a| depth(a, &least)).min().unwrap();
                let best = best.saturating_add(1);
                if best < least[n] {
                    least[n] = best;
                    grew = true;
                }
            }
        }
        Generator { g, least, random: Random::new(seed) }
    }

    /// The tokens of a program, as names of terminals.
    pub fn sentence(&mut self, depth: usize) -> Vec<usize> {
        let mut out = Vec::new();
        self.derive(0, depth, &mut out);
        out
    }

    fn derive(&mut self, rule: usize, depth: usize, out: &mut Vec<usize>) {
        let alternatives = &self.g.rules[rule];
        let cost = |a: &Vec<Symbol>| self::depth(a, &self.least);
        let mut open: Vec<usize> =
            (0..alternatives.len()).filter(|&n| cost(&alternatives[n]) < depth).collect();
        if open.is_empty() || out.len() > 120 {
            let cheapest = alternatives.iter().map(cost).min().unwrap();
            open =
                (0..alternatives.len()).filter(|&n| cost(&alternatives[n]) == cheapest).collect();
        }
        let chosen = open[self.random.below(open.len())];
        for symbol in &alternatives[chosen] {
            match symbol {
                Symbol::Terminal(t) => out.push(*t),
                Symbol::Rule(n) => self.derive(*n, depth.saturating_sub(1), out),
            }
        }
    }

    /// The tokens as text, with the layout that NEWLINE, INDENT and DEDENT stand for.
    pub fn text(&mut self, tokens: &[usize]) -> String {
        let (mut out, mut indent, mut fresh) = (String::new(), 0, true);
        let mut quoted: Vec<usize> = Vec::new();
        let mut before = "";
        for &t in tokens {
            let name = self.g.terminals[t].as_str();
            match name {
                "NEWLINE" => {
                    out.push('\n');
                    fresh = true;
                    continue;
                }
                "INDENT" => indent += 1,
                "DEDENT" => indent -= 1,
                "END" => {}
                "FSTRING_START" => {
                    // Nested ones need other quotes.
                    quoted.push(quoted.len());
                    out.push_str(&if fresh { "  ".repeat(indent) } else { " ".into() });
                    fresh = false;
                    out.push_str(&format!("f{}", QUOTES[(quoted.len() - 1).min(3)]));
                }
                "FSTRING_END" => out.push_str(QUOTES[quoted.pop().unwrap().min(3)]),
                _ => {
                    if fresh {
                        out.push_str(&"  ".repeat(indent));
                    } else if name != "CONVERSION" && before != "CONVERSION" {
                        out.push(' ');
                    }
                    fresh = false;
                    out.push_str(&self.terminal(name, !quoted.is_empty()));
                }
            }
            before = name;
        }
        out
    }

    fn terminal(&mut self, name: &str, inside: bool) -> String {
        let choices: &[&str] = match name {
            "NAME" => &["x", "y", "f", "W", "θ", "backward", "_", "x1"],
            "NUMBER" => {
                &["0", "1", "2.5", ".5", "1e-3", "1_000", "0x1F", "99999999999999999999", "3."]
            }
            "STRING" if inside => &["'a'"],
            "STRING" => &["'a'", "\"b\"", "'''c\nd'''", "r'\\e'", "'\\n'", "\"・\""],
            "FSTRING_TEXT" => &["text ", "5.2f"],
            "CONVERSION" => &["r", "s", "a"],
            quoted => return quoted.trim_matches('"').to_string(),
        };
        choices[self.random.below(choices.len())].to_string()
    }
}

const QUOTES: [&str; 4] = ["\"", "'", "\"\"\"", "'''"];

fn depth(alternative: &[Symbol], least: &[usize]) -> usize {
    let one = |s: &Symbol| match s {
        Symbol::Terminal(_) => 0,
        Symbol::Rule(n) => least[*n],
    };
    alternative.iter().map(one).max().unwrap_or(0)
}
