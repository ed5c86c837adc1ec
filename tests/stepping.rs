//! `:step` in a terminal: what stands on its screen, and its keys.

use crate::support::terminal;
use terminal::{ENTER, LEFT, RIGHT, Terminal};

const END: &str = "\x1b[F";
const FIRST: &str = "\x1b[H";

/// A session that has run a backward and typed a command.
fn after(args: &[&str], [rows, columns]: [u16; 2], program: &str, command: &str) -> Terminal {
    let mut terminal = Terminal::sized(args, tempfile::tempdir().unwrap(), rows, columns);
    terminal.until("prompt", |text| text.ends_with("vjp>"));
    for line in [":panel off", program, command] {
        terminal.press(line);
        terminal.press(ENTER);
        terminal.until("next", |text| text.ends_with("vjp>") || text.contains("step"));
    }
    terminal
}

const SCALARS: &str =
    "a = 2.; b = -3.; c = 10.; f = -2.; e = a*b; d = e + c; L = d*f; L.backward()";

#[test]
fn keys_go_on_and_back_and_q_gives_the_screen_back() {
    let mut terminal = after(&[], [24, 80], SCALARS, ":step");
    terminal.sees(" step 1 of 4   back through L = d*f");
    terminal.sees(" Backward goes from L to the leaves.");
    terminal.sees("◎[L = d*f  -8]");
    assert_eq!(terminal.lines()[23].split(" · ").next(), Some("   ← → step"));
    terminal.press(RIGHT);
    terminal.sees(" step 2 of 4   back through d = e + c");
    terminal.press(" ");
    terminal.sees("   e receives -2   from d");
    terminal.sees("○[e = a*b  -6]");
    terminal.press(LEFT);
    terminal.sees(" step 2 of 4");
    terminal.press(END);
    terminal.sees("   a.grad = 6 ✓");
    terminal.press("n");
    terminal.sees("   that was the last step; q leaves");
    terminal.press(FIRST);
    terminal.sees(" step 1 of 4");
    terminal.press("3");
    terminal.sees("   go to step 3");
    terminal.press(ENTER);
    terminal.sees(" step 3 of 4");
    terminal.press("9\r");
    terminal.sees("   the steps are 1 to 4");
    terminal.press("q");
    terminal.until("the session", |text| text.ends_with("vjp>") && text.contains("L = -8"));
    // The session keeps what a file shows.
    terminal.press(":save a.vjp\r");
    terminal.sees("a.vjp");
    terminal.until("prompt", |text| text.ends_with("vjp>"));
    let saved = std::fs::read_to_string(terminal.home.path().join("a.vjp")).unwrap();
    assert!(saved.contains("vjp> :step\n Backward goes"), "{saved}");
    assert!(saved.contains(" step 4 of 4   the leaves"), "{saved}");
}

#[test]
fn the_picture_stands_still_while_the_operation_moves() {
    let mut terminal = after(&[], [40, 120], SCALARS, ":step");
    let mut places = Vec::new();
    for k in 1..=4 {
        terminal.sees(&format!(" step {k} of 4"));
        let lines = terminal.lines();
        let row = lines.iter().skip(1).position(|line| line.contains("e = a*b")).unwrap() + 1;
        places.push((row, lines[row].split("e = a*b").next().unwrap().chars().count()));
        terminal.press(RIGHT);
    }
    assert!(places.iter().all(|place| *place == places[0]), "{places:?}");
}

#[test]
fn p_asks_before_each_step_and_says_what_was_mistaken() {
    let program = "x = 3.; y = x*x + sin(x); z = y*y; z.backward()";
    let mut terminal = after(&[], [24, 80], program, ":step 2");
    terminal.sees("   y receives 9.141 + 9.141 = 18.28   from z");
    terminal.press("p");
    terminal.sees("   what does y receive?  ▌");
    assert!(!terminal.text().contains("18.28"), "{}", terminal.text());
    terminal.press("9.141\r");
    terminal.sees("   ✗ 9.141   9.141 is one of 2 parts of what y receives; the parts add");
    terminal.press("18.28\r");
    terminal.sees("   ✓ y receives 18.28");
    terminal.sees("   what does x*x get?  ▌");
    terminal.press("\r\r");
    terminal.sees("   ∂y/∂sin(x) = 1   sin(x) gets 18.28×1 = 18.28");
    terminal.press(RIGHT);
    terminal.sees("   what does x get?  ▌");
    terminal.press("-0.99\r");
    terminal.sees("   ✗ -0.99   -0.99 is the slope of sin(x) for x; multiply it by what sin(x)");
    terminal.press("p");
    terminal.sees("   so far: x*x has 18.28, x has 1 of 3 parts");
}

#[test]
fn another_size_is_drawn_anew_and_nothing_is_wider_than_the_screen() {
    let mut terminal = after(&["--ascii"], [24, 80], SCALARS, ":step 3");
    terminal.sees(" step 3 of 4");
    assert!(terminal.text().is_ascii(), "{}", terminal.text());
    for (rows, columns) in [(12, 40), (40, 120), (24, 80)] {
        terminal.resize(rows, columns);
        terminal.until("new size", |text| {
            let lines: Vec<&str> = text.lines().collect();
            lines.len() == usize::from(rows) && lines[0].starts_with(" step 3 of 4")
        });
        let last = terminal.lines()[usize::from(rows) - 1].clone();
        assert!(last.ends_with(" . q") || last.ends_with(" . q leave"), "{last}");
    }
}

#[test]
fn a_lesson_shows_the_steps_of_the_backward_on_its_screen() {
    let home = tempfile::tempdir().unwrap();
    let session = "vjp> x = [1, 2]\nvjp> y = 3*x^2; y.backward([1, 10])\n";
    std::fs::write(home.path().join("a.vjp"), session).unwrap();
    let mut terminal = Terminal::sized(&["replay", "--step", "a.vjp"], home, 24, 80);
    terminal.sees(" 1 of 2");
    terminal.press(ENTER);
    terminal.sees("   Enter next · b back");
    terminal.press("\r\r");
    terminal.sees(" · s steps · ");
    terminal.press("s");
    terminal.sees(" step 1 of 3   back through y = 3*x^2");
    terminal.press(RIGHT);
    terminal.sees("   x^2 receives [3, 30]   from y");
    terminal.press("q");
    terminal.sees(" 2 of 2");
    terminal.sees("vᵀJ      [   6  120 ]");
    terminal.press("b");
    terminal.sees("   Enter run · b back");
    terminal.press("q");
    assert_eq!(terminal.left().0, 0);
}
