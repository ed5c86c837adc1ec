//! While typing, on a real screen: colours, previews, signatures, completion, history, blocks.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "support/terminal.rs"]
mod terminal;

use std::time::{Duration, Instant};
use terminal::{CTRL_C, CTRL_D, ENTER, Terminal, UP};

const TAB: &str = "\t";
const LEFT: &str = "\x1b[D";
const RIGHT: &str = "\x1b[C";
const DOWN: &str = "\x1b[B";
const HOME: &str = "\x01";
const BACKSPACE: &str = "\x7f";
const CTRL_R: &str = "\x12";
const PATIENCE: Duration = Duration::from_secs(30);

/// A session in which x = [1, 2] is bound.
fn with_x() -> Terminal {
    let mut terminal = Terminal::new();
    terminal.enter("x = [1, 2]", "leaf, shape [2]");
    terminal
}

/// What only these tests do with a terminal.
trait Typing {
    fn shows(&mut self, keys: &str, last: &str);
    fn drop_line(&mut self);
}

impl Typing for Terminal {
    /// Types on and waits for a last line. A busy machine may have no time for a preview: it is
    /// asked for again by another key.
    #[track_caller]
    fn shows(&mut self, keys: &str, last: &str) {
        self.press(keys);
        let (begun, wanted) = (Instant::now(), format!("\n{last}"));
        while !self.text().ends_with(&wanted) {
            assert!(begun.elapsed() < PATIENCE, "no {last} on\n{}", self.text());
            let asked = Instant::now();
            while asked.elapsed() < Duration::from_secs(1) && !self.text().ends_with(&wanted) {
                std::thread::sleep(Duration::from_millis(5));
            }
            if !self.text().ends_with(&wanted) {
                self.press(" ");
                self.press(BACKSPACE);
            }
        }
    }

    /// Drops what is typed.
    #[track_caller]
    fn drop_line(&mut self) {
        self.press(CTRL_C);
        self.prompt();
    }
}

#[test]
fn a_preview_shows_the_value_of_what_is_typed() {
    let mut terminal = with_x();
    terminal.shows("3*x^2", "vjp> 3*x^2  → [3, 12]");
    terminal.shows(" +", "vjp> 3*x^2 +");
    terminal.shows(" 1", "vjp> 3*x^2 + 1  → [4, 13]");
    terminal.drop_line();
    terminal.shows(
        "[[1, 2], [3, 4]] @ x",
        "vjp> [[1, 2], [3, 4]] @ x  → [5, 11]",
    );
    terminal.drop_line();
    terminal.shows(
        "torch.zeros(3, 4)",
        "vjp> torch.zeros(3, 4)  → [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]",
    );
    terminal.shows(
        "@torch.ones(4, 50)",
        "vjp> torch.zeros(3, 4)@torch.ones(4, 50)  → shape [3, 50]",
    );
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
    terminal.until("one print", |text| {
        text.ends_with("\nvjp> print('once')\nonce\nvjp>")
    });
    terminal.press("def f():\r    while True: pass\r\r");
    terminal.prompt();
    terminal.shows("f()", "vjp> f()");
    terminal.drop_line();
    terminal.shows("x[5]", "vjp> x[5]");
    terminal.drop_line();
    terminal.shows(
        "import time; time.sleep(9); 1",
        "vjp> import time; time.sleep(9); 1",
    );
    terminal.drop_line();
    assert!(!terminal.text().contains("error"));
}

#[test]
fn inside_parentheses_the_signature_marks_the_present_parameter() {
    let mut terminal = with_x();
    terminal.shows(
        "torch.clamp(",
        "vjp> torch.clamp(  torch.clamp(«input», min=None, max=None)",
    );
    terminal.shows(
        "x, ",
        "vjp> torch.clamp(x,   torch.clamp(input, «min=None», max=None)",
    );
    terminal.shows(
        "max=",
        "vjp> torch.clamp(x, max=  torch.clamp(input, min=None, «max=None»)",
    );
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
        text.contains("\ngrad     what backwards have added up so far, or None")
            && text.contains("\ngrad_fn  the operation that made it")
            && text
                .lines()
                .last()
                .is_some_and(|l| l.starts_with("vjp> x.grad"))
    });
    terminal.drop_line();
    terminal.press("torch.clamp(x, m");
    terminal.press(TAB);
    terminal.until("keyword arguments", |text| {
        text.contains("max=")
            && text.contains("min=")
            && text.contains("argument of clamp, None unless given")
    });
    terminal.drop_line();
    terminal.press(":un");
    terminal.press(TAB);
    terminal.until("the command", |text| {
        text.ends_with("vjp> :undo  take the last input back, gradients included")
    });
    terminal.drop_line();
    std::fs::write(
        terminal.home.path().join("lesson.vjp"),
        "# Which row do we want?\nvjp> 1\n1\n",
    )
    .unwrap();
    std::fs::write(terminal.home.path().join("less.py"), "# A program.\n").unwrap();
    terminal.press(":load le");
    terminal.press(TAB);
    terminal.until("files", |text| {
        text.contains("lesson.vjp  Which row do we want?")
            && text.contains("less.py     A program.")
    });
    assert!(terminal.text().ends_with("vjp> :load less"));
}

#[test]
fn tab_after_an_error_offers_the_ways_out() {
    let mut terminal = with_x();
    terminal.enter("y = 3*x^2", "y = [3, 12]");
    terminal.enter(
        "y.backward()",
        "grad can be implicitly created only for scalar outputs",
    );
    terminal.press(TAB);
    terminal.until("three ways", |text| {
        [
            "y.backward([1, 1])",
            "y.backward([1, 0])",
            "y.mean().backward()",
        ]
        .iter()
        .all(|way| {
            text.lines()
                .any(|l| l.starts_with(way) && l.len() > way.len() + 2)
        })
    });
    terminal.press("b");
    terminal.press(TAB);
    terminal.press("0])\r");
    terminal.until("the first row", |text| {
        text.contains("x.grad   [  6   0 ] ✓")
    });
}

#[test]
fn history_is_searched_and_walked_by_its_beginning() {
    let mut terminal = Terminal::new();
    terminal.enter("alpha = 1", "alpha = 1 ");
    terminal.enter("beta = 2", "beta = 2 ");
    terminal.enter("alpine = 3", "alpine = 3 ");
    terminal.press("alp");
    terminal.press(UP);
    terminal.until("the last that begins so", |text| {
        text.ends_with("\nvjp> alpine = 3")
    });
    terminal.press(UP);
    terminal.until("the one before", |text| text.ends_with("\nvjp> alpha = 1"));
    terminal.press(DOWN);
    terminal.until("back", |text| text.ends_with("\nvjp> alpine = 3"));
    terminal.drop_line();
    terminal.press(UP);
    terminal.press(UP);
    terminal.until("all of them", |text| text.ends_with("\nvjp> beta = 2"));
    terminal.drop_line();
    terminal.press(CTRL_R);
    terminal.press("pha");
    terminal.until("the search", |text| {
        text.contains("(reverse-i-search)`pha': alpha = 1")
    });
    terminal.press(ENTER);
    terminal.until("the input again", |text| text.ends_with("\nvjp> alpha = 1\nalpha = 1                                                   leaf\nvjp>"));
}

#[test]
fn a_block_is_edited_as_one_piece() {
    let mut terminal = Terminal::new();
    terminal.prompt();
    terminal.press("for i in [1, 2]:\r    print('i', i)");
    terminal.until("both lines", |text| {
        text.ends_with("\n...>     print('i', i)")
    });
    // Up to the first line, in the same column; one more element.
    terminal.press(UP);
    terminal.press(LEFT);
    terminal.press(LEFT);
    terminal.press(", 3");
    terminal.until("longer", |text| {
        text.contains("vjp> for i in [1, 2, 3]:\n...>     print('i', i)")
    });
    terminal.press(DOWN);
    terminal.press(HOME);
    terminal.press(LEFT);
    terminal.press(RIGHT);
    terminal.press("    pass\r");
    terminal.until("a line between", |text| {
        text.contains("3]:\n...>     pass\n...>     print('i', i)")
    });
    terminal.press(BACKSPACE);
    terminal.until("joined", |text| {
        text.contains("3]:\n...>     pass    print('i', i)")
    });
    terminal.press(ENTER);
    terminal.press("\x05\r\r");
    terminal.until("output", |text| text.ends_with("\ni 1\ni 2\ni 3\nvjp>"));
    terminal.press(UP);
    terminal.until("whole again", |text| {
        text.ends_with("3]:\n...>     pass\n...>     print('i', i)\n...>")
    });
    terminal.press(ENTER);
    terminal.until("output again", |text| {
        text.matches("\ni 1\ni 2\ni 3\nvjp>").count() == 2
    });
    terminal.press(CTRL_D);
    let (status, home) = terminal.left();
    assert_eq!(status, 0);
    let file = std::fs::read_to_string(home.path().join("vjp").join("history")).unwrap();
    assert_eq!(file, "for i in [1, 2, 3]:\\n    pass\\n    print('i', i)\n");
}

#[test]
fn a_pasted_program_keeps_its_tabs() {
    let mut terminal = Terminal::new();
    terminal.prompt();
    let program =
        "def f(x):\n\tif x > 0:\n\t\treturn 'up'\n\treturn 'down'\n\nprint(f(1), f(-1))\n";
    terminal.press(&format!("\x1b[200~{program}\x1b[201~"));
    terminal.until("the text", |text| text.contains("print(f(1), f(-1))"));
    terminal.press(ENTER);
    terminal.until("output", |text| text.ends_with("\nup down\nvjp>"));
    // Typing on after a paste: the lines get their margins.
    terminal.press("\x1b[200~for i in [7]:\n\tprint('seven',\x1b[201~");
    terminal.until("the text", |text| text.contains("print('seven',"));
    terminal.press(" i)");
    terminal.until("margins", |text| text.contains("vjp> for i in [7]:\n...>"));
    terminal.press("\r\r");
    terminal.until("output", |text| text.ends_with("\nseven 7\nvjp>"));
}

#[test]
fn wide_and_combining_characters_keep_the_cursor_right() {
    let mut terminal = Terminal::new();
    terminal.prompt();
    terminal.press("'宽宽e\u{301}θ₁'");
    terminal.until("the text", |text| text.contains("'宽宽e\u{301}θ₁'"));
    terminal.until_column(5 + 9);
    for column in [13, 12, 11, 10, 8, 6] {
        terminal.press(LEFT);
        terminal.until_column(column);
    }
    terminal.press("a");
    terminal.until("inserted", |text| text.contains("'a宽宽e\u{301}θ₁'"));
    terminal.press("\r");
    terminal.until("the value", |text| text.contains("\n'a宽宽e\u{301}θ₁'\n"));
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
    assert!(
        cell(23).underline() && cell(25).underline(),
        "the pair at the cursor"
    );
    terminal.drop_line();
    terminal.shows("y = 3 4 5", "vjp> y = 3 4 5");
    let row = terminal.row();
    assert!(
        (9..14).any(|c| terminal.cell(row, c).underline()),
        "what cannot be read"
    );
    terminal.drop_line();
    terminal.shows("3*x", "vjp> 3*x  → [3, 6]");
    let row = terminal.row();
    assert_ne!(
        terminal.cell(row, 10).fgcolor(),
        terminal.cell(row, 7).fgcolor(),
        "a hint is grey"
    );
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
    terminal.until("margins", |text| {
        text.ends_with("vjp> for i in [7]:\n...>     print(i)")
    });
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
        terminal.until("help", |text| {
            text.contains("SinBackward0") && text.ends_with("\nvjp>")
        });
        let text = terminal.text();
        let (_, answer) = text.split_once('\n').unwrap();
        answers.push(answer.to_owned());
    }
    assert!(answers.iter().all(|a| *a == answers[0]));
    terminal.enter("6*7", "vjp> 6*7\n42\n");
    terminal.enter("_ + 1", "vjp> _ + 1\n43\n");
    terminal.shows("_ * 2", "vjp> _ * 2  → 86");
}

#[test]
fn a_long_history_is_there_from_the_start() {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join("vjp")).unwrap();
    let lines: String = (0..100_000).map(|n| format!("n = {n}\n")).collect();
    std::fs::write(home.path().join("vjp").join("history"), lines).unwrap();
    let mut terminal = Terminal::with(&[], home);
    terminal.prompt();
    terminal.press(UP);
    terminal.until("the last entry", |text| text.ends_with("vjp> n = 99999"));
}
