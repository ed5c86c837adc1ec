//! Number and text formatting against recorded results of CPython 3.11
//! (tests/data/formats.jsonl: kind, value, spec, result; `!` marks the text of an error).
#![allow(clippy::unwrap_used, clippy::panic)]

use vjp::text::percent::{Conversion, Piece, pieces};
use vjp::text::{number, spec};

fn percent(format: &str, one: &dyn Fn(&Conversion) -> String) -> String {
    let part = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Conversion(conversion) => one(conversion),
    };
    pieces(format).unwrap().iter().map(part).collect()
}

#[test]
fn formats_as_cpython_does() {
    let said = |r: Result<String, String>| r.unwrap_or_else(|e| format!("!{e}"));
    for line in include_str!("data/formats.jsonl").lines() {
        let [kind, value, format, expected]: [String; 4] = serde_json::from_str(line).unwrap();
        // Floats are recorded as their bits.
        let float = || f64::from_bits(value.parse().unwrap());
        let int = || value.parse::<i64>().unwrap();
        let got = match kind.as_str() {
            "f" => said(spec::float(float(), &format)),
            "r" => number::repr(float()),
            "i" => said(spec::int(int(), &format)),
            "s" => said(spec::text(&value, &format)),
            "b" => said(spec::boolean(value == "1", &format)),
            "pf" => percent(&format, &|c| c.float(float())),
            "pi" => percent(&format, &|c| c.int(int())),
            "ps" => percent(&format, &|c| c.text(&value)),
            "pe" => said(pieces(&value).map(|p| format!("{p:?}"))),
            other => panic!("unknown kind {other}"),
        };
        assert_eq!(got, expected, "{kind} {value} {format:?}");
    }
}

#[test]
fn huge_precisions_are_zeros_and_no_panic() {
    assert_eq!(number::fixed(0.5, 100_000, false).len(), 100_002);
    assert!(number::scientific(1.5, 100_000, false).ends_with("0e+00"));
}
