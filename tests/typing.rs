//! While typing, on a real screen: colours, previews, signatures, completion, help.

use crate::support::terminal;

use terminal::{BACKSPACE, CTRL_L, ENTER, TAB, Terminal};

/// A session in which x = [1, 2] is bound.
fn with_x() -> Terminal {
    let mut terminal = Terminal::new();
    terminal.enter("x = [1, 2]", "leaf, shape [2]");
    terminal
}

#[test]
fn a_preview_shows_the_value_of_what_is_typed() {
    let mut terminal = with_x();
    terminal.shows("3*x^2", "vjp> 3*x^2  → [3, 12]");
    terminal.shows(" +", "vjp> 3*x^2 +");
    terminal.shows(" 1", "vjp> 3*x^2 + 1  → [4, 13]");
    terminal.drop_line();
    terminal.shows("[[1, 2], [3, 4]] @ x", "vjp> [[1, 2], [3, 4]] @ x  → [5, 11]");
    terminal.drop_line();
    terminal.shows(
        "torch.zeros(3, 4)",
        "vjp> torch.zeros(3, 4)  → [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]",
    );
    terminal
        .shows("@torch.ones(4, 50)", "vjp> torch.zeros(3, 4)@torch.ones(4, 50)  → shape [3, 50]");
    terminal.drop_line();
    // What the line says itself is not said again; what Enter leaves behind is what was typed.
    terminal.enter("z = [3, 4]", "\nvjp> z = [3, 4]\nz = [3, 4] ");
    terminal.enter("z + x", "\n[4, 6]\n");
}

#[test]
fn a_preview_of_a_backward_shows_the_gradient_and_changes_nothing() {
    let mut terminal = with_x();
    terminal.shows(
        "y = 3*x^2; y.backward([1, 10])",
        "vjp> y = 3*x^2; y.backward([1, 10])  → x.grad [6, 120]  shape [2]",
    );
    terminal.drop_line();
    terminal.shows("y", "vjp> y");
    terminal.drop_line();
    terminal.enter("x.grad", "\nNone\n");
    terminal.enter("w = 5", "leaf");
    terminal.shows(
        "(w*x).sum().backward()",
        "vjp> (w*x).sum().backward()  → x.grad [5, 5]  shape [2]  w.grad 3",
    );
    terminal.drop_line();
    terminal.enter("x.grad", "vjp> x.grad\nNone\n");
}

#[test]
fn no_preview_prints_or_goes_on_for_ever() {
    let mut terminal = with_x();
    terminal.shows("print('once')", "vjp> print('once')");
    terminal.press(ENTER);
    terminal.until("one print", |text| text.ends_with("\nvjp> print('once')\nonce\nvjp>"));
    terminal.press("def f():\r    while True: pass\r\r");
    terminal.prompt();
    terminal.shows("f()", "vjp> f()");
    terminal.drop_line();
    terminal.shows("x[5]", "vjp> x[5]");
    terminal.drop_line();
    terminal.shows("import time; time.sleep(9); 1", "vjp> import time; time.sleep(9); 1");
    terminal.drop_line();
    assert!(!terminal.text().contains("error"));
}

#[test]
fn inside_parentheses_the_signature_marks_the_present_parameter() {
    let mut terminal = with_x();
    terminal.shows("torch.clamp(", "vjp> torch.clamp(  torch.clamp(«input», min=None, max=None)");
    terminal.shows("x, ", "vjp> torch.clamp(x,   torch.clamp(input, «min=None», max=None)");
    terminal.shows("max=", "vjp> torch.clamp(x, max=  torch.clamp(input, min=None, «max=None»)");
    terminal.drop_line();
    terminal.shows("x.clamp(", "vjp> x.clamp(  x.clamp(«min=None», max=None)");
    terminal.drop_line();
    terminal.enter("f(a, b) = a*b", "vjp> f(a, b) = a*b");
    terminal.shows("f([1, 2], ", "vjp> f([1, 2],   f(a, «b»)");
    terminal.shows("3)", "vjp> f([1, 2], 3)  → [3, 6]");
}

#[test]
fn completions_come_with_a_description() {
    let mut terminal = with_x();
    terminal.press("x.gra");
    terminal.press(TAB);
    terminal.until("both", |text| {
        text.contains("\ngrad     the gradient accumulated so far, or None")
            && text.contains("\ngrad_fn  the operation that computed it")
            && text.lines().last().is_some_and(|l| l.starts_with("vjp> x.grad"))
    });
    terminal.drop_line();
    terminal.press("torch.clamp(x, m");
    terminal.press(TAB);
    terminal.until("keyword arguments", |text| {
        text.contains("max=")
            && text.contains("min=")
            && text.contains("argument of clamp, default None")
    });
    terminal.drop_line();
    terminal.press(":un");
    terminal.press(TAB);
    terminal.until("the command", |text| {
        text.ends_with("vjp> :undo  take back the last input, gradients included")
    });
    terminal.drop_line();
    std::fs::write(terminal.home.path().join("lesson.vjp"), "# Which row do we want?\nvjp> 1\n1\n")
        .unwrap();
    std::fs::write(terminal.home.path().join("less.py"), "# A program.\n").unwrap();
    terminal.press(":load le");
    terminal.press(TAB);
    terminal.until("files", |text| {
        text.contains("lesson.vjp  Which row do we want?")
            && text.contains("less.py     A program.")
            && text.ends_with("vjp> :load less")
    });
}

#[test]
fn a_list_of_completions_fits_the_screen_and_begins_with_what_is_wanted() {
    for (rows, columns) in [(24, 80), (40, 120), (10, 60)] {
        let home = tempfile::tempdir().unwrap();
        let mut terminal = Terminal::sized(&[], home, rows, columns);
        terminal.enter("x = [1, 2]", "x = [1, 2] ");
        for (typed, first) in [
            ("x.", "grad "),
            ("torch.", "tensor "),
            ("nn.", "Linear "),
            (":help ", "leaf "),
            ("x.s", "sum "),
        ] {
            terminal.press(CTRL_L);
            terminal.until("a clear screen", |text| text == "vjp>");
            terminal.press(typed);
            terminal.press(TAB);
            let last = format!("\nvjp> {typed}");
            terminal.until("a list", |text| text.contains(" more") && text.contains(&last));
            let one = terminal.lines();
            assert!(one.len() <= usize::from(rows) && !one.concat().contains("--More--"));
            assert!(one[0].starts_with("vjp> ") && one[1].starts_with(first), "{one:?}");
            // Nothing is swallowed, and nothing is left to be answered.
            terminal.press("q");
            terminal.until("the letter", |text| text.ends_with(&format!("vjp> {typed}q")));
            terminal.drop_line();
        }
        terminal.press(CTRL_L);
        terminal.until("a clear screen", |text| text == "vjp>");
        terminal.press("x.\t");
        terminal
            .until("the list", |text| text.contains("Tab again") && text.ends_with("\nvjp> x."));
        let wanted = ["grad", "backward", "sum", "mean", "T", "shape", "detach"];
        let starts = |line: &String, word: &str| line.split(' ').next() == Some(word);
        let lines = terminal.lines();
        let at = lines.iter().rposition(|l| starts(l, "grad")).unwrap();
        let shown = lines[at..].iter().zip(wanted).filter(|(l, w)| starts(l, w)).count();
        assert_eq!(shown, wanted.len().min(usize::from(rows) - 3), "{lines:?}");
        // All that fit, in columns.
        terminal.press(CTRL_L);
        terminal.until("a clear screen", |text| text == "vjp> x.");
        terminal.press(TAB);
        terminal.until("columns", |text| text.contains("absolute") && text.ends_with("\nvjp> x."));
        terminal.drop_line();
    }
}

#[test]
fn completions_of_help_are_what_one_asks_about() {
    let mut terminal = Terminal::new();
    terminal.press(":help Future\t");
    terminal.until("nothing", |text| text.ends_with("vjp> :help Future"));
    terminal.drop_line();
    terminal.press(":help retain_gra\t");
    terminal.sees("retain_graph");
}

#[test]
fn previews_can_be_switched_off() {
    let mut terminal = with_x();
    terminal.enter("y = 3*x^2", "y = [3, 12]");
    terminal.shows("y.backward([1, 10])", "vjp> y.backward([1, 10])  → x.grad [6, 120]  shape [2]");
    terminal.drop_line();
    terminal.enter(":set preview off", "vjp> :set preview off");
    terminal.press("y.backward([1, 10])");
    terminal.until("the line", |text| text.ends_with("vjp> y.backward([1, 10])"));
    terminal.press(BACKSPACE);
    // How the call is made is no answer.
    terminal
        .until("its signature", |text| text.ends_with("(«gradient=None», retain_graph=None, …)"));
    terminal.drop_line();
    terminal.enter(":set preview", ":set preview  on|off                 off");
    terminal.enter(":set preview on", "vjp> :set preview on");
    terminal.shows("3*x", "vjp> 3*x  → [3, 6]");
}

#[test]
fn tab_after_an_error_offers_the_fixes_in_turn() {
    let mut terminal = with_x();
    terminal.enter("y = 3*x^2", "y = [3, 12]");
    terminal.enter("y.backward()", "grad can be implicitly created only for scalar outputs");
    let fixes = ["y.backward([1, 1])", "y.backward([1, 0])", "y.mean().backward()"];
    for fix in fixes.iter().chain(&fixes[..2]) {
        terminal.press(TAB);
        terminal.until(fix, |text| {
            text.lines().last().is_some_and(|l| l.starts_with(&format!("vjp> {fix}")))
        });
    }
    terminal.press("\r");
    terminal.until("the first row", |text| text.contains("x.grad   [  6   0 ] ✓"));
}

#[test]
fn colours_mark_what_is_what_and_never_alone() {
    let mut terminal = with_x();
    terminal.shows("for x in [12]: sin(q)", "vjp> for x in [12]: sin(q)");
    let row = terminal.row();
    let cell = |column: u16| terminal.cell(row, column);
    let color = |column: u16| cell(column).fgcolor();
    assert_eq!(color(5), color(11), "keywords");
    assert_ne!(color(5), color(15), "a number is no keyword");
    assert!(cell(9).bold(), "x is bound");
    assert_ne!(color(20), color(24), "sin is known, q is not");
    assert!(cell(23).underline() && cell(25).underline(), "the pair at the cursor");
    terminal.drop_line();
    terminal.shows("y = 3 4 5", "vjp> y = 3 4 5");
    let row = terminal.row();
    assert!((9..14).any(|c| terminal.cell(row, c).underline()), "what cannot be read");
    terminal.drop_line();
    terminal.shows("3*x", "vjp> 3*x  → [3, 6]");
    let row = terminal.row();
    assert_ne!(terminal.cell(row, 10).fgcolor(), terminal.cell(row, 7).fgcolor(), "a hint is grey");
}

#[test]
fn without_colours_all_of_it_works() {
    let mut terminal = Terminal::with(&["--color", "never"], tempfile::tempdir().unwrap());
    terminal.enter("x = [1, 2]", "leaf, shape [2]");
    terminal.shows("3*x", "vjp> 3*x  → [3, 6]");
    let row = terminal.row();
    assert!((0..20).all(|c| terminal.cell(row, c).fgcolor() == vt100::Color::Default));
    terminal.drop_line();
    terminal.press("for i in [7]:\r    print(i)");
    terminal.until("margins", |text| text.ends_with("vjp> for i in [7]:\n...>     print(i)"));
}

#[test]
fn three_ways_to_ask_for_help_and_the_last_value() {
    let mut terminal = Terminal::new();
    let mut answers = Vec::new();
    for question in ["?sin", "sin?", ":help sin"] {
        terminal.prompt();
        terminal.press("\x0c");
        terminal.until("a clear screen", |text| text == "vjp>");
        terminal.press(question);
        terminal.press(ENTER);
        terminal.until("help", |text| text.contains("SinBackward0") && text.ends_with("\nvjp>"));
        let text = terminal.text();
        let (_, answer) = text.split_once('\n').unwrap();
        answers.push(answer.to_owned());
    }
    assert!(answers.iter().all(|a| *a == answers[0]));
    terminal.enter("6*7", "vjp> 6*7\n42\n");
    terminal.enter("_ + 1", "vjp> _ + 1\n43\n");
    terminal.shows("_ * 2", "vjp> _ * 2  → 86");
}

/// A key on a long line writes itself and not the whole line again; what is typed is all there.
#[test]
fn a_long_line_costs_what_is_typed() {
    let mut terminal = Terminal::new();
    let line = format!("x = {}", vec!["1"; 700].join(" + "));
    let mut before = terminal.bytes().len();
    let mut typed = 0;
    for part in line.as_bytes().chunks(40) {
        let part = std::str::from_utf8(part).unwrap();
        typed += part.len();
        terminal.press(part);
        let column = (typed + "vjp> ".len()) % 80;
        terminal.until_column(u16::try_from(column).unwrap());
        let now = terminal.bytes().len();
        // Where a row ends the line is drawn anew: two times a part at most.
        let most = if typed > 600 { 3 * typed + 500 } else { usize::MAX };
        assert!(now - before < most, "{} bytes for {part:?} after {typed}", now - before);
        before = now;
    }
    terminal.press(ENTER);
    terminal.until("the sum", |text| text.contains("x = 700 "));
}
