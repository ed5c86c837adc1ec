//! Number and text formatting against recorded results of CPython 3.11
//! (tests/data/formats.jsonl: kind, value, spec, result; `!` marks the text of an error).

use num_bigint::BigInt;
use vjp::text::format_spec::Refusal;
use vjp::text::percent::{Conversion, Piece, pieces};
use vjp::text::{format_spec, number};

fn percent(format: &str, one: &dyn Fn(&Conversion) -> String) -> String {
    let part = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Conversion(conversion) => one(conversion),
    };
    pieces(format).map(|piece| part(&piece.unwrap())).collect()
}

#[test]
fn formats_as_cpython_does() {
    let said = |r: Result<String, String>| r.unwrap_or_else(|e| format!("!{e}"));
    let refused = |r: Result<String, Refusal>| {
        said(r.map_err(|(Refusal::Value(e) | Refusal::Overflow(e))| e))
    };
    for line in include_str!("data/formats.jsonl").lines() {
        let [kind, value, format, expected]: [String; 4] = serde_json::from_str(line).unwrap();
        // Floats are recorded as their bits.
        let float = || f64::from_bits(value.parse().unwrap());
        let int = || value.parse::<BigInt>().unwrap();
        let got = match kind.as_str() {
            "f" => said(format_spec::float(float(), &format)),
            "r" => number::repr(float()),
            "i" => refused(format_spec::int(&int(), &format, |n, radix| Ok(n.to_str_radix(radix)))),
            "s" => said(format_spec::text(&value, &format).map(|(cut, fill, (left, right))| {
                let run = |n: usize| String::from(fill).repeat(n);
                [run(left), cut, run(right)].concat()
            })),
            "b" => refused(format_spec::boolean(value == "1", &format)),
            "pf" => percent(&format, &|c| c.float(float())),
            "pi" => percent(&format, &|c| {
                c.int(&int(), |n, radix| Ok::<_, ()>(n.to_str_radix(radix))).unwrap()
            }),
            "ps" => percent(&format, &|c| c.text(&value)),
            "pe" => said(
                pieces(&value)
                    .try_for_each(|piece| match piece? {
                        Piece::Conversion(conversion) => conversion.supported(),
                        Piece::Text(_) => Ok(()),
                    })
                    .map(|()| String::new()),
            ),
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
