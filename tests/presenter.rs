//! `replay --step` before a class: the screens of a real terminal of 80 columns and 24 lines.

use crate::support::terminal;
use terminal::{CTRL_C, ENTER, Terminal};

const LESSON: &str = "\
# Three rows
#
# Put a number in place of every ____.
vjp> :panel off
# Two numbers.
vjp> x = [1, 2]
x = [1, 2]                                                  leaf, shape [2]
# Before you press Enter: what is x.grad?
vjp> y = 3*x^2; y.backward([1, 10]); x.grad
y = [3, 12]
[____, ____]
vjp> for i in range(40):
...>     print(i, 'of', x)
...>
# That was all.
";

fn replay(args: &[&str], session: &str) -> Terminal {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("a.vjp"), session).unwrap();
    let args = [&["replay", "--step"], args, &["a.vjp"]].concat();
    Terminal::sized(&args, home, 24, 80)
}

fn step(session: &str) -> Terminal {
    replay(&[], session)
}

fn lesson() -> Terminal {
    let terminal = step(LESSON);
    terminal.sees(" 1 of 3   Three rows");
    terminal
}

#[test]
fn one_input_at_a_time_with_narration_and_keys() {
    let mut terminal = lesson();
    terminal.press("\r\r");
    terminal.sees("Enter reveal");
    let lines = terminal.lines();
    assert_eq!(
        lines[0],
        " 2 of 3   Three rows                                                      a.vjp"
    );
    assert!(lines[3].starts_with("   x = [1, 2]"), "{lines:?}");
    terminal.press("bb");
    terminal.sees("x = [1, 2]▌");
    let lines = terminal.lines();
    // `:panel off` is obeyed, and no business of the class; its narration stands above the first input.
    assert_eq!(
        lines[2..7],
        [
            "   # Put a number in place of every ____.",
            "   #",
            "   # Two numbers.",
            "",
            "   vjp> x = [1, 2]▌"
        ]
    );
    assert_eq!(lines[23], "   Enter run · b back · g go to · r rest · : try something · q leave");
    terminal.press("q");
    assert_eq!(terminal.left().0, 0);
}

#[test]
fn a_blank_waits_for_the_room_and_enter_draws_the_panel() {
    let mut terminal = lesson();
    terminal.press("g2\r");
    terminal.sees("   [____, ____]");
    terminal.sees("   Enter reveal · b back");
    assert!(!terminal.text().contains("120"));
    terminal.press(ENTER);
    terminal.sees("   [6, 120]");
    terminal.sees("vᵀJ      [   6  120 ]");
    terminal.sees("   Enter next");
    // Back: the question again, and nothing is counted twice.
    terminal.press("b");
    terminal.sees("   Enter reveal");
    terminal.press(ENTER);
    terminal.sees("   [6, 120]");
}

#[test]
fn long_outputs_are_read_page_by_page() {
    let mut terminal = lesson();
    terminal.press("g3\r\r");
    terminal.sees("Enter more (1 of 3)");
    terminal.sees("0 of [1, 2]");
    terminal.press(ENTER);
    terminal.until("second page", |text| {
        text.contains("Enter more (2 of 3)") && !text.contains("\n   0 of")
    });
    terminal.press(" ");
    terminal.sees("39 of [1, 2]");
    terminal.press("b");
    terminal.sees("Enter more (2 of 3)");
    terminal.press("\r\r");
    terminal.sees(" end   Three rows");
    terminal.sees("   # That was all.");
    terminal.press(ENTER);
    assert_eq!(terminal.left().0, 0);
}

#[test]
fn what_is_tried_is_forgotten() {
    let mut terminal = lesson();
    terminal.press("g2\r");
    terminal.sees("Enter reveal");
    terminal.press(":");
    terminal.until("prompt", |text| text.ends_with("\nvjp>"));
    terminal.press("x = [5, 5]\r");
    terminal.sees("Enter return · : try more");
    terminal.press(":");
    terminal.until("prompt", |text| text.ends_with("\nvjp>"));
    terminal.press("x[1]\r");
    terminal.until("both", |text| text.contains("x = [5, 5]") && text.contains("\n   5\n"));
    terminal.press(ENTER);
    terminal.sees("Enter reveal");
    terminal.press(ENTER);
    terminal.sees("   [6, 120]");
}

#[test]
fn another_size_is_drawn_anew() {
    let mut terminal = lesson();
    terminal.press("g2\r\r");
    terminal.sees("   Enter next");
    terminal.resize(12, 60);
    terminal.until("small screen", |text| {
        let mut lines = text.lines();
        lines.next().is_some_and(|l| l.ends_with("a.vjp"))
            && lines.count() == 11
            && text.contains("Enter more (1 of 2) · s steps · b back · g go · q")
    });
    assert_eq!(
        terminal.lines()[11],
        "   Enter more (1 of 2) · s steps · b back · g go · q",
        "the keys that fit, in fewer letters"
    );
    terminal.resize(30, 100);
    terminal.until("large screen", |text| {
        text.lines().count() == 30 && text.contains("the gradient of y₁ + 10y₂")
    });
}

#[test]
fn ctrl_c_stops_an_input_and_the_lesson_goes_on() {
    let mut terminal = step("vjp> n = 1\nvjp> while True: n = n + 1\nvjp> print('n is', n)\n");
    terminal.sees(" 1 of 3");
    terminal.press("\r\r");
    terminal.sees(" 2 of 3");
    terminal.press(ENTER);
    terminal.sees("running; Ctrl-C stops it");
    terminal.press(CTRL_C);
    terminal.sees("Enter run again");
    terminal.press(":");
    terminal.until("prompt", |text| text.ends_with("\nvjp>"));
    terminal.press("n\r");
    terminal.until("state before", |text| text.contains("vjp> n\n   1 "));
    terminal.press("q");
    assert_eq!(terminal.left().0, 0);
}

#[test]
fn inputs_are_typed_out_and_a_key_ends_the_line() {
    let session = "vjp> x = 'abcdefghijklmnopqrstuvwxyz'\nvjp> 1+2\n3\n";
    let mut terminal = replay(&["--speed", "20"], session);
    terminal.sees("vjp> x = 'ab▌");
    terminal.press(CTRL_C);
    terminal.sees("vwxyz'▌");
    terminal.press("\r\r");
    terminal.sees("vjp> 1+2▌");
    terminal.press("q");
    assert_eq!(terminal.left().0, 0);
}

#[test]
fn a_number_beyond_the_inputs_is_answered() {
    let mut terminal = lesson();
    terminal.press("g99\r");
    terminal.sees("   the inputs are 1 to 3");
    terminal.press("g2\r");
    terminal.sees(" 2 of 3   Three rows");
    terminal.sees("   Enter reveal");
}

#[test]
fn the_rest_runs_and_there_is_a_way_back() {
    let mut terminal = lesson();
    terminal.press("r");
    terminal.sees(" 3 of 3   Three rows");
    terminal.sees("Enter more (1 of");
    terminal.press("bb");
    terminal.sees(" 2 of 3   Three rows");
    terminal.sees("   [6, 120]");
    terminal.press("q");
    assert_eq!(terminal.left().0, 0);
}

#[test]
fn every_line_keeps_its_margin() {
    let long = "x".repeat(200);
    let mut terminal = step(&format!(
        "# {}\nvjp> x = [1, 2]; y = x^2; y.backward([1, 1])\nvjp> print('{long}')\n",
        "words and ".repeat(20)
    ));
    terminal.sees(" 1 of 2");
    terminal.press("r");
    terminal.sees(" 2 of 2");
    terminal.until("the output", |text| text.contains("xxx\n"));
    let margin = |line: &&str| !line.is_empty() && !line.starts_with("   ");
    let lines = terminal.lines();
    let off: Vec<&str> = lines.iter().skip(1).map(|l| &**l).filter(margin).collect();
    assert!(off.is_empty(), "{off:?}");
}

#[test]
fn an_input_with_blanks_is_filled_in_before_the_class() {
    let mut terminal = step(
        "vjp> :panel off\nvjp> x = [1, 2]; y = x^2\nvjp> y.backward([____, ____]); x.grad\n[2, 40]\nvjp> x.grad[1]\n40\n",
    );
    terminal.sees(" 1 of 3");
    terminal.press("g2\r");
    terminal.sees("   Enter skip");
    terminal.sees("   [2, 40]");
    terminal.press(":");
    terminal.until("prompt", |text| text.ends_with("\nvjp>"));
    terminal.press("y.backward([1, 5]); x.grad\r");
    terminal.sees("   [2, 20]");
    terminal.press("\r\r");
    terminal.sees(" 3 of 3");
    terminal.sees("   vjp> x.grad[1]\n   20\n");
    terminal.press("bbb");
    terminal.sees("   Enter skip");
}
