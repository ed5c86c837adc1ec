//! The parser: trees, places, limits, properties.

use proptest::prelude::*;
use std::time::{Duration, Instant};
use vjp::syntax::ast::{BinaryOp, ExprKind, Program, StmtKind, TrailerKind};
use vjp::syntax::{Mode, SyntaxFault, parse, print};
use vjp::text::source::Source;

fn read(text: &str) -> Result<Program, SyntaxFault> {
    parse(&Source::new(text), Mode { strict: false })
}

fn strictly(text: &str) -> Result<Program, SyntaxFault> {
    parse(&Source::new(text), Mode { strict: true })
}

/// The text again in the printer's words.
fn printed(text: &str) -> String {
    print::print(&read(text).unwrap_or_else(|f| panic!("{text}: {f:?}")))
}

/// The tree without its spans.
fn shape(program: &Program) -> String {
    let span = regex::Regex::new(r"Span \{[^}]*\}").unwrap();
    span.replace_all(&format!("{program:?}"), "").into_owned()
}

fn only_expression(text: &str) -> ExprKind {
    match read(text).unwrap().body.remove(0).kind {
        StmtKind::Expr(value) => value.kind,
        other => panic!("{other:?}"),
    }
}

/// A thread with the stack that the program itself gives to the parser.
fn with_stack(test: impl FnOnce() + Send + 'static) {
    let builder = std::thread::Builder::new().stack_size(1 << 30);
    builder.spawn(test).unwrap().join().unwrap();
}

#[test]
fn precedence_is_pythons_and_the_hat_is_power() {
    // Parentheses leave no trace in the tree but the order they make.
    let same = [
        ("-a^2", "-(a**2)"),
        ("a+b*c@d", "a + (b*c@d)"),
        ("not a == b", "not (a == b)"),
        ("a or b and not c", "a or (b and (not c))"),
        ("a | b & c << d", "a | (b & (c << d))"),
        ("lambda: a if b else c", "lambda: (a if b else c)"),
        ("a.b[c](d)^2", "(a.b[c](d))**2"),
        ("a < b + c <= d", "a < (b + c) <= d"),
    ];
    for (short, long) in same {
        assert_eq!(shape(&read(short).unwrap()), shape(&read(long).unwrap()), "{short}");
        assert_eq!(shape(&read(&printed(short)).unwrap()), shape(&read(short).unwrap()), "{short}");
    }
    let ExprKind::Power { exponents, .. } = only_expression("2^-1^3") else {
        panic!("a power");
    };
    assert_eq!((exponents.len(), exponents[0].signs.len(), exponents[1].signs.len()), (2, 1, 0));
}

#[test]
fn under_strict_the_hat_is_xor_and_names_are_pythons() {
    let StmtKind::Expr(value) = strictly("a ^ b + 1").unwrap().body.remove(0).kind else {
        panic!("an expression");
    };
    assert!(matches!(&value.kind, ExprKind::Chain { rest, .. } if rest[0].op == BinaryOp::BitXor));
    let name = |p: Program| match &p.body[0].kind {
        StmtKind::Expr(e) => match &e.kind {
            ExprKind::Name(symbol) => symbol.as_str(),
            _ => panic!("a name"),
        },
        _ => panic!("an expression"),
    };
    assert_eq!(name(strictly("vᵀ").unwrap()), "vT");
    assert_eq!(name(read("vᵀ").unwrap()), "vᵀ");
    assert_eq!(name(read("W₁₂").unwrap()), "W₁₂");
    assert_eq!(strictly("W₁ = 2").unwrap_err().message, "invalid character '₁' (U+2081)");
    assert!(
        strictly("f(x) = 3").unwrap_err().message.starts_with("cannot assign to function call")
    );
}

#[test]
fn a_short_function_is_told_from_a_call_by_what_follows() {
    let kind = |text: &str| read(text).unwrap().body.remove(0).kind;
    assert!(matches!(kind("f(x, k=2) = k*x"), StmtKind::ShortDef(f) if f.params.list.len() == 2));
    assert!(matches!(kind("f(x, k=2)"), StmtKind::Expr(_)));
    assert!(matches!(kind("f(x) == 3"), StmtKind::Expr(_)));
    assert!(
        read("f(2) = 3").is_err() && read("f(x).y() = 3").is_err() && read("f((x)) = 3").is_err()
    );
}

#[test]
fn spans_cover_what_they_name() {
    let text = "y = (θ + 1) * f(θ)[0].sum()";
    let source = Source::new(text);
    let program = parse(&source, Mode::default()).unwrap();
    let StmtKind::Assign { value, .. } = &program.body[0].kind else {
        panic!("an assignment");
    };
    assert_eq!(source.slice(value.span), "(θ + 1) * f(θ)[0].sum()");
    let ExprKind::Chain { first, rest } = &value.kind else {
        panic!("a product");
    };
    assert_eq!(source.slice(first.span), "θ + 1");
    assert_eq!(source.slice(rest[0].op_span), "*");
    let ExprKind::Trailers { trailers, .. } = &rest[0].operand.kind else {
        panic!("trailers");
    };
    let parts: Vec<&str> = trailers.iter().map(|t| source.slice(t.span)).collect();
    assert_eq!(parts, ["(θ)", "[0]", ".sum", "()"]);
    assert!(matches!(trailers[2].kind, TrailerKind::Attr(n) if n.symbol.as_str() == "sum"));
}

#[test]
fn nesting_is_bounded_by_an_error() {
    with_stack(|| {
        let nested = |n: usize, open: &str, close: &str| {
            format!("x = {}1{}", open.repeat(n), close.repeat(n))
        };
        for (open, close) in [
            ("(", ")"),
            ("[", "]"),
            ("f(", ")"),
            ("x[", "]"),
            ("{1: ", "}"),
            ("{", "}"),
            ("-(", ")"),
            ("(a, ", ")"),
        ] {
            assert!(read(&nested(200, open, close)).is_ok(), "200 of {open}");
            for n in [201, 50_000] {
                let fault = read(&nested(n, open, close)).unwrap_err();
                assert_eq!(fault.message, "too many nested parentheses", "{n} of {open}");
            }
        }
        let lambdas = |n: usize| format!("f = {}1", "lambda: ".repeat(n));
        assert!(read(&lambdas(200)).is_ok());
        assert_eq!(read(&lambdas(100_000)).unwrap_err().message, "too many nested lambdas");
        let blocks = |n: usize| {
            let headers = (0..n).map(|k| format!("{}if x:\n", " ".repeat(k)));
            headers.collect::<String>() + &" ".repeat(n) + "y\n"
        };
        assert!(read(&blocks(200)).is_ok());
        assert_eq!(read(&blocks(201)).unwrap_err().message, "too many levels of indentation");
        // Nothing is read twice on the way in.
        let open = "{(".repeat(90);
        let start = Instant::now();
        let _ = read(&open);
        assert!(start.elapsed() < Duration::from_secs(2));
    });
}

/// A text of a given length.
type Family = fn(usize) -> String;

#[test]
fn long_texts_take_linear_time() {
    with_stack(|| {
        let families: &[(&str, Family)] = &[
            ("sum", |n| "1+".repeat(n) + "1"),
            ("list", |n| format!("x = [{}]", "1.5, ".repeat(n))),
            ("call", |n| format!("f({})", "a, ".repeat(n))),
            ("named", |n| (0..n).fold("f(".to_string(), |t, k| t + &format!("a{k}=1,")) + ")"),
            ("signs", |n| "-".repeat(n) + "1"),
            ("not", |n| "not ".repeat(n) + "a"),
            ("powers", |n| "a^".repeat(n) + "a"),
            ("trailers", |n| "a".to_string() + &".b[0]".repeat(n)),
            ("if else", |n| "a if b else ".repeat(n) + "c"),
            ("elif", |n| "if a: b\n".to_string() + &"elif a: b\n".repeat(n)),
            ("statements", |n| "x = 1; y = 2\n".repeat(n)),
            ("strings", |n| "x = ".to_string() + &"'a' ".repeat(n)),
            ("fields", |n| format!("f'{}'", "{x} ".repeat(n))),
            ("targets", |n| "a = ".repeat(n) + "1"),
            ("bad strings", |n| "'\n".repeat(n)),
            ("unmatched", |n| ")\n".repeat(n)),
            ("comments", |n| "# a\n\n".repeat(n)),
        ];
        // Time of this thread alone, whatever else the machine does.
        let clock = || {
            let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
            Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
        };
        let time = |text: &str| {
            let start = clock();
            let _ = read(text);
            (clock() - start).max(Duration::from_millis(1))
        };
        for (name, text) in families {
            let (small, large) = (text(4_000), text(16_000));
            time(&small);
            // Four times the text: quadratic work takes sixteen times as long, always; linear
            // work only when the machine is busy with something else.
            let attempts: Vec<_> = (0..5).map(|_| (time(&small), time(&large))).collect();
            let linear = attempts.iter().any(|(a, b)| *b < *a * 8);
            assert!(linear, "{name}: {attempts:?}");
        }
        let start = Instant::now();
        assert!(read(&("1+".repeat(100_000) + "1")).is_ok());
        assert!(read(&format!("x = [{}]", "1, ".repeat(200_000))).is_ok());
        assert!(start.elapsed() < Duration::from_secs(20));
    });
}

/// Random expressions as text, with parentheses at random.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("x".to_string()),
        Just("θ₁".to_string()),
        Just("'a\\n'".to_string()),
        (0..1000u32).prop_map(|n| n.to_string()),
        (0.0..1e6f64).prop_map(|x| format!("{x:?}")),
    ];
    leaf.prop_recursive(6, 48, 4, |inner| {
        let two = (inner.clone(), inner.clone());
        let operators = proptest::sample::select(vec![
            "+",
            "-",
            "*",
            "/",
            "@",
            "^",
            "**",
            "<",
            "==",
            " and ",
            " or ",
            " if x else ",
            "%",
            "//",
            "|",
            "<<",
            " in ",
            " is not ",
        ]);
        prop_oneof![
            (two, operators).prop_map(|((a, b), op)| format!("{a}{op}{b}")),
            inner.clone().prop_map(|a| format!("({a})")),
            inner.clone().prop_map(|a| format!("-{a}")),
            inner.clone().prop_map(|a| format!("(not {a})")),
            proptest::collection::vec(inner.clone(), 0..4)
                .prop_map(|v| format!("[{}]", v.join(", "))),
            proptest::collection::vec(inner.clone(), 1..4)
                .prop_map(|v| format!("f({}).g[::2]", v.join(", "))),
            inner.clone().prop_map(|a| format!("(lambda u, *v: {a})")),
            inner.clone().prop_map(|a| format!("[i for i in ({a}) if i]")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printing_and_parsing_is_the_identity(text in expression()) {
        let program = read(&text).unwrap();
        let again = read(&print::print(&program)).unwrap();
        prop_assert_eq!(shape(&program), shape(&again), "{}", text);
    }

    #[test]
    fn no_text_panics(text in "[ -~\n\tθ₁ᵀ・\u{a0}]{0,60}") {
        for strict in [false, true] {
            if let Err(fault) = parse(&Source::new(text.as_str()), Mode { strict }) {
                prop_assert!(fault.span.end as usize <= text.len() && fault.span.start <= fault.span.end);
                prop_assert!(text.is_char_boundary(fault.span.start as usize));
            }
        }
    }

    #[test]
    fn no_run_of_tokens_panics(words in proptest::collection::vec(proptest::sample::select(vec!["x", "1", "'a'", "f'{x", "}'", "(", ")", "[", "]", "{", "}", ":", "=", ",", "*", "**", "for", "in", "if", "else", "lambda", "def", "\n", "\n  ", "\\", "with", "as", ":=", "not", "\"\"\"", ";", "."]), 0..25)) {
        let text = words.join(" ");
        let _ = read(&text);
        let _ = vjp::text::lines::complete(&text, vjp::text::lines::Setting::Prompt);
        let inputs = vjp::text::lines::inputs(&text);
        prop_assert!(inputs.iter().all(|i| !i.text.trim().is_empty()));
    }
}
