//! The parser: corpus, errors, limits.
#![allow(clippy::unwrap_used, clippy::panic)]

use vjp::syntax::{Mode, parse};
use vjp::text::source::Source;

#[test]
fn the_first_line_of_the_card_parses() {
    let source = Source::new("x = [1, 2]; y = 3*x^2; y.backward([1, 10])");
    let program = parse(&source, Mode::default()).unwrap();
    assert_eq!(program.body.len(), 3);
}

#[test]
fn dump() {
    let Ok(path) = std::env::var("VJP_DUMP") else {
        return;
    };
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let text: String = serde_json::from_str(line).unwrap();
        let strict = std::env::var("VJP_STRICT").is_ok();
        let source = Source::new(text.as_str());
        match parse(&source, Mode { strict }) {
            Ok(_) => println!("{text:?} OK"),
            Err(f) => {
                let (l, c) = source.position(f.span.start);
                let (m, d) = source.position(f.span.end);
                println!(
                    "{text:?} :: {} @{l}:{c}-{m}:{d} {} {}",
                    f.message,
                    if f.incomplete { "(open)" } else { "" },
                    f.hint.unwrap_or_default()
                );
            }
        }
    }
}
