//! The grammar file against the parser, both ways: what it generates parses, what is written is
//! derivable, and one token away from that both give the same verdict.

use crate::support;

use std::collections::HashSet;
use support::corpus::{self, Text};
use support::earley::Recogniser;
use support::ebnf::{self, Grammar};
use support::generate::Generator;
use support::lexer::{Lexer, Token};
use support::random::Random;
use vjp::syntax::{Mode, SyntaxFault, ast::Program, parse, print};
use vjp::text::source::Source;

/// Room for the recursion of unoptimised code.
fn with_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(test).unwrap();
    thread.join().unwrap();
}

fn read(text: &str, strict: bool) -> Result<Program, SyntaxFault> {
    parse(&Source::new(text), Mode { strict })
}

/// The tree without its spans.
fn shape(program: &Program) -> String {
    let spans = regex::Regex::new(r"Span \{ start: \d+, end: \d+ \}").unwrap();
    spans.replace_all(&format!("{:?}", program.body), "·").into_owned()
}

fn round_trip(text: &str, program: &Program, strict: bool) {
    let printed = print::print(program);
    let again =
        read(&printed, strict).unwrap_or_else(|f| panic!("{text}\nprinted as\n{printed}\n{f:?}"));
    assert_eq!(shape(program), shape(&again), "{text}\nprinted as\n{printed}");
}

/// What the parser says of a text: is it derivable? None where a condition on tokens, which the
/// recogniser does not know, spoke first.
fn verdict(g: &Grammar, text: &str) -> Option<bool> {
    match read(text, g.strict) {
        Ok(_) => Some(true),
        Err(f) if g.lexical.iter().any(|r| r.is_match(&f.message)) => None,
        Err(f) => Some(
            g.conditions.iter().any(|r| r.is_match(f.message.trim_start_matches("f-string: "))),
        ),
    }
}

#[test]
fn the_grammar_is_short_and_whole() {
    let g = ebnf::read(false);
    assert!(g.written <= 120, "{} rules", g.written);
    let used: HashSet<usize> = g
        .rules
        .iter()
        .flatten()
        .flatten()
        .filter_map(|s| match s {
            ebnf::Symbol::Rule(n) => Some(*n),
            ebnf::Symbol::Terminal(_) => None,
        })
        .collect();
    for n in 1..g.written {
        assert!(used.contains(&n), "no rule uses {}", g.names[n]);
    }
}

#[test]
fn generated_sentences_parse_and_print_back() {
    with_stack(|| {
        for strict in [false, true] {
            let g = ebnf::read(strict);
            let mut generator = Generator::new(&g, 11);
            let lexer = Lexer::new(&g);
            let (mut programs, mut other) = (0, 0);
            for n in 0..900 {
                let tokens = generator.sentence(18 + n % 30);
                let text = generator.text(&tokens);
                // A colon of a lambda ends an f-string's field: such text reads differently.
                let read_back = lexer.tokens(&text).map(|t| t.iter().map(|t| t.terminal).collect());
                if read_back.as_ref() != Some(&tokens) {
                    other += 1;
                    continue;
                }
                match read(&text, strict) {
                    Ok(program) => {
                        programs += 1;
                        round_trip(&text, &program, strict);
                    }
                    Err(fault) => {
                        assert_ne!(
                            verdict(&g, &text),
                            Some(false),
                            "strict {strict}\n{text}\n{fault:?}"
                        );
                    }
                }
            }
            assert!(programs > 200, "only {programs} of the sentences violate no condition");
            assert!(other < 300, "{other} sentences read differently");
        }
    });
}

fn texts() -> Vec<Text> {
    let mut out = corpus::recorded();
    out.extend(corpus::sessions());
    out.extend(corpus::files(
        std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/grammar")),
        "txt",
    ));
    out
}

#[test]
fn what_is_written_is_derivable_and_every_rule_is_used() {
    with_stack(|| {
        let g = ebnf::read(false);
        let (lexer, recogniser) = (Lexer::new(&g), Recogniser::new(&g));
        let mut used = HashSet::new();
        for Text { name, text } in texts() {
            let tokens = lexer.tokens(&text).unwrap_or_else(|| panic!("{name}: no tokens\n{text}"));
            assert!(recogniser.accepts(&tokens, &mut used), "{name} is not derivable\n{text}");
            let program = read(&text, false).unwrap_or_else(|f| panic!("{name}: {f:?}"));
            round_trip(&text, &program, false);
        }
        let unused: Vec<&String> =
            (0..g.written).filter(|n| !used.contains(n)).map(|n| &g.names[n]).collect();
        assert!(unused.is_empty(), "no program uses {unused:?}");
    });
}

/// The tokens as text again, each line with its indentation.
fn rewritten(g: &Grammar, tokens: &[Token]) -> String {
    let (mut out, mut indent, mut before) = (String::new(), 0usize, "NEWLINE");
    for token in tokens {
        let name = g.terminals[token.terminal].as_str();
        match name {
            "NEWLINE" => out.push('\n'),
            "INDENT" => indent += 1,
            "DEDENT" => indent = indent.saturating_sub(1),
            _ => {
                if matches!(before, "NEWLINE" | "INDENT" | "DEDENT") {
                    out.push_str(&"  ".repeat(indent));
                } else if name != "CONVERSION" && before != "CONVERSION" {
                    out.push(' ');
                }
                match name {
                    "FSTRING_TEXT" => {
                        out.push_str(&token.text.replace('{', "{{").replace('}', "}}"))
                    }
                    _ => out.push_str(&token.text),
                }
            }
        }
        before = name;
    }
    out
}

/// Deletes, doubles, swaps or replaces one token.
fn mutated(random: &mut Random, tokens: &[Token]) -> Vec<Token> {
    let mut out = tokens.to_vec();
    let last = out.len() - 1;
    let (n, other) = (random.below(last), random.below(last));
    match random.below(4) {
        0 => drop(out.remove(n)),
        1 => out.insert(n, out[n].clone()),
        2 => out.swap(n, (n + 1).min(last - 1)),
        _ => out[n] = out[other].clone(),
    }
    out
}

#[test]
fn one_token_away_parser_and_recogniser_agree() {
    with_stack(|| {
        for strict in [false, true] {
            let g = ebnf::read(strict);
            let (lexer, recogniser) = (Lexer::new(&g), Recogniser::new(&g));
            let mut random = Random::new(if strict { 5 } else { 3 });
            let (mut agreed, mut accepted) = (0, 0);
            let texts = texts();
            for turn in 0..900 {
                let Text { text, .. } = &texts[random.below(texts.len())];
                let Some(tokens) = lexer.tokens(text).filter(|t| t.len() > 2 && t.len() < 400)
                else {
                    continue;
                };
                let text = rewritten(&g, &mutated(&mut random, &tokens));
                let Some(ours) = verdict(&g, &text) else {
                    continue;
                };
                let theirs = lexer
                    .tokens(&text)
                    .is_some_and(|t| recogniser.accepts(&t, &mut HashSet::new()));
                assert_eq!(
                    ours,
                    theirs,
                    "turn {turn}, strict {strict}: the parser says {ours} ({:?})\n{text}",
                    read(&text, strict).err()
                );
                agreed += 1;
                accepted += usize::from(ours);
            }
            assert!(agreed > 600 && accepted > 30, "{agreed} agreed, {accepted} accepted");
        }
    });
}
