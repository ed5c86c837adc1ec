//! Errors of syntax: CPython's words, the place, a hint, and whether more lines may mend them.

use vjp::syntax::ast::Program;
use vjp::syntax::{Mode, SyntaxFault, parse};
use vjp::text::source::Source;

fn read(text: &str) -> Result<Program, SyntaxFault> {
    parse(&Source::new(text), Mode { strict: false })
}

/// Program, line:column, first line, part of the hint.
const ERRORS: &[(&str, &str, &str, &str)] = &[
    ("x = ", "1:5", "invalid syntax", "expected an expression"),
    ("y = 2x", "1:5", "invalid decimal literal", "2*x"),
    ("y = 2 x", "1:7", "invalid syntax", "2*x"),
    ("x = 'abc", "1:5", "unterminated string literal (detected at line 1)", "'"),
    ("x = (1 +\n  2", "1:5", "'(' was never closed", ""),
    ("x = 1)", "1:6", "unmatched ')'", ""),
    ("x = (1]", "1:7", "closing parenthesis ']' does not match opening parenthesis '('", ""),
    ("for i in x\n  y", "1:11", "expected ':'", "colon"),
    (
        "for i in x:\ny",
        "2:1",
        "expected an indented block after 'for' statement on line 1",
        "indent",
    ),
    (
        "if a:\n    b\n  c",
        "3:1",
        "unindent does not match any outer indentation level",
        "rest of its block",
    ),
    ("f(1 2)", "1:3", "invalid syntax. Perhaps you forgot a comma?", ""),
    ("1 = x", "1:1", "cannot assign to literal here. Maybe you meant '==' instead of '='?", ""),
    ("if x = 3:\n  y", "1:4", "invalid syntax. Maybe you meant '==' or ':=' instead of '='?", ""),
    ("x + 1 += 2", "1:1", "'expression' is an illegal expression for augmented assignment", ""),
    ("return 3", "1:1", "'return' outside function", ""),
    ("break", "1:1", "'break' outside loop", ""),
    ("for i in x:\n  def f():\n    continue", "3:5", "'continue' not properly in loop", ""),
    ("def f(a, a): pass", "1:10", "duplicate argument 'a' in function definition", ""),
    ("def f(x):\n  global x", "2:3", "name 'x' is parameter and global", ""),
    ("yield x", "1:1", "'yield' outside function", ""),
    ("def f():\n  yield x = 1", "2:3", "assignment to yield expression not possible", ""),
    ("async def f(): pass", "1:1", "'async' is not supported", ""),
    ("match x:\n  case 1: y", "1:7", "invalid syntax", "if and elif"),
    ("z = 1j", "1:5", "complex numbers are not supported", "real"),
    ("b'a' 'b'", "1:6", "cannot mix bytes and nonbytes literals", ""),
    ("b'ä'", "1:1", "bytes can only contain ASCII literal characters", ""),
    ("print x", "1:1", "Missing parentheses in call to 'print'. Did you mean print(...)?", ""),
    ("a − b", "1:3", "invalid character '−' (U+2212)", "-"),
    ("x²", "1:2", "invalid character '²' (U+00B2)", "^"),
    ("a && b", "1:4", "invalid syntax", "and"),
    ("x++", "1:4", "invalid syntax", "+= 1"),
    ("lambda = 3", "1:8", "invalid syntax", ""),
    ("f'{x'", "1:5", "f-string: expecting '}'", ""),
    ("f'{x!z}'", "1:6", "f-string: invalid conversion character: expected 's', 'r', or 'a'", ""),
    ("x = 1\n  y = 2", "2:1", "unexpected indent", ""),
    ("try:\n  a\nb", "3:1", "expected 'except' or 'finally' block", ""),
    ("a if b", "1:1", "expected 'else' after 'if' expression", ""),
    ("def f(a=1, b): pass", "1:12", "non-default argument follows default argument", ""),
    (
        "x = 0777",
        "1:5",
        "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers",
        "",
    ),
];

#[test]
fn errors_have_pythons_words_a_place_and_a_hint() {
    for (text, place, message, hint) in ERRORS {
        let fault = read(text).expect_err(text);
        let (line, column) = Source::new(*text).position(fault.span.start);
        assert_eq!(
            (fault.message.as_str(), format!("{line}:{column}").as_str()),
            (*message, *place),
            "{text:?}"
        );
        let given = fault.hint.unwrap_or_default();
        assert!(given.contains(hint), "{text:?}: hint {given:?} lacks {hint:?}");
    }
}

#[test]
fn an_error_that_more_lines_may_mend_says_so() {
    for text in ["f(1,", "x = '''a", "for i in x:", "if a:\n  f(1,\n", "x = 1 + \\"] {
        assert!(read(text).expect_err(text).incomplete, "{text:?}");
    }
    for text in ["f(1))", "x = 'a", "for i in x", "for i in x:\ny", "x = ", "f(1 2)"] {
        assert!(!read(text).expect_err(text).incomplete, "{text:?}");
    }
}
