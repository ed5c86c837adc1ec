//! Editing on a real screen: history, blocks as one piece, pastes, wide characters.

use crate::support::terminal;

use terminal::{BACKSPACE, CTRL_D, CTRL_R, DOWN, ENTER, HOME, LEFT, RIGHT, Terminal, UP};

#[test]
fn history_is_searched_and_walked_by_its_beginning() {
    let mut terminal = Terminal::new();
    terminal.enter("alpha = 1", "alpha = 1 ");
    terminal.enter("beta = 2", "beta = 2 ");
    terminal.enter("alpine = 3", "alpine = 3 ");
    terminal.press("alp");
    terminal.press(UP);
    terminal.until("the last that begins so", |text| text.ends_with("\nvjp> alpine = 3"));
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
    terminal.until("the search", |text| text.contains("(reverse-i-search)`pha': alpha = 1"));
    terminal.press(ENTER);
    terminal.until("the input again", |text| text.ends_with("\nvjp> alpha = 1\nalpha = 1                                                   leaf\nvjp>"));
}

#[test]
fn a_block_is_edited_as_one_piece() {
    let mut terminal = Terminal::new();
    terminal.prompt();
    terminal.press("for i in [1, 2]:\r    print('i', i)");
    terminal.until("both lines", |text| text.ends_with("\n...>     print('i', i)"));
    // Up to the first line, in the same column; one more element.
    terminal.press(UP);
    terminal.press(LEFT);
    terminal.press(LEFT);
    terminal.press(", 3");
    terminal
        .until("longer", |text| text.contains("vjp> for i in [1, 2, 3]:\n...>     print('i', i)"));
    terminal.press(DOWN);
    terminal.press(HOME);
    terminal.press(LEFT);
    terminal.press(RIGHT);
    terminal.press("    pass\r");
    terminal.until("a line between", |text| {
        text.contains("3]:\n...>     pass\n...>     print('i', i)")
    });
    terminal.press(BACKSPACE);
    terminal.until("joined", |text| text.contains("3]:\n...>     pass    print('i', i)"));
    terminal.press(ENTER);
    terminal.press("\x05\r\r");
    terminal.until("output", |text| text.ends_with("\ni 1\ni 2\ni 3\nvjp>"));
    terminal.press(UP);
    terminal.until("whole again", |text| {
        text.ends_with("3]:\n...>     pass\n...>     print('i', i)\n...>")
    });
    terminal.press(ENTER);
    terminal.until("output again", |text| text.matches("\ni 1\ni 2\ni 3\nvjp>").count() == 2);
    terminal.press(CTRL_D);
    let (status, home) = terminal.left();
    assert_eq!(status, 0);
    let file = std::fs::read_to_string(home.path().join("vjp").join("history")).unwrap();
    assert_eq!(file, "for i in [1, 2, 3]:\\n    pass\\n    print('i', i)\n");
}

#[test]
fn enter_indents_a_block_as_python_s_prompt_does() {
    let mut terminal = Terminal::new();
    terminal.prompt();
    terminal.press("def f(x):\rif x > 0:\rreturn 'up'\r");
    let block = "vjp> def f(x):\n...>     if x > 0:\n...>         return 'up'\n...>";
    terminal.until("three lines and a step back", |text| text.ends_with(block));
    terminal.until_column(9);
    // A clause goes below its header; Backspace goes back a step, what ends a block too.
    terminal.press("else:\rreturn 'down'\r");
    let clause = format!("{block}     else:\n...>         return 'down'\n...>");
    terminal.until("the clause", |text| text.ends_with(&clause));
    terminal.until_column(9);
    terminal.press(BACKSPACE);
    terminal.until_column(5);
    terminal.press(ENTER);
    terminal.enter("f(1) + f(-1)", "\n'updown'\n");
    terminal.press("for i in [1, 2]:\rif i > 1:\rprint('two')\relse:\rprint('one')\r\r");
    terminal.until("output", |text| text.ends_with("\none\ntwo\nvjp>"));
    // Who types the indentation too gets it once, and so does a step back.
    terminal.press("for i in [3]:\r    for j in [4]:\r        k = i*j\r    print(k)\r\r");
    terminal.until("output", |text| text.ends_with("\n...>     print(k)\n...>\n12\nvjp>"));
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
