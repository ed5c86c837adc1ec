//! Programs as they are copied from notebooks and pages: plots, prompts, lost indentation.

use crate::support::terminal;

use std::io::Write;
use std::process::{Command, Stdio};
use terminal::{ENTER, Terminal};

fn run(args: &[&str], program: &str) -> (String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_vjp"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(program.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

const LESSON: &str = "\
%matplotlib inline
import matplotlib.pyplot as plt
import torch
x = torch.tensor([0., 1., 2., 3.])
plt.plot(x, x**2, label='y')
plt.scatter([0, 3], [9, 0], label='corners')
plt.title('squares'); plt.xlabel('x'); plt.legend(); plt.grid(True)
plt.show()
print('done')
";

#[test]
fn plots_are_drawn_in_the_terminal() {
    let (shown, _) = run(&["run", "-"], LESSON);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "  squares   ⠒ y   • corners");
    assert!(lines[1].starts_with("      │•"), "{shown}");
    assert!(shown.lines().all(|l| l.chars().count() <= 80), "{shown}");
    assert!(shown.lines().count() <= 18 && shown.ends_with("done\n"), "{shown}");
    let axis = shown.lines().find(|l| l.contains('└')).unwrap();
    assert!(axis.ends_with(&"─".repeat(64)), "{shown}");
}

#[test]
fn plots_in_ascii_and_plain() {
    let (shown, _) = run(&["run", "--ascii", "-"], LESSON);
    assert!(shown.is_ascii(), "{shown}");
    assert!(shown.starts_with("  squares   o y   x corners\n"), "{shown}");
    let (plain, _) = run(&["run", "--plain", "-"], LESSON);
    assert_eq!(plain, "done\n");
}

#[test]
fn bars_carry_their_names_and_numbers() {
    let program = "import matplotlib.pyplot as plt\nplt.bar(['a', 'bb'], [3, 1.5])\nplt.show()\n\
                   plt.hist([1., 2., 2., 9.], bins=2)\nplt.show()\nplt.show()\nplt.quiver([1], [1])\n";
    let (shown, notes) = run(&["run", "-"], program);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 4, "{shown}");
    assert!(lines[0].starts_with("  a  █") && lines[0].ends_with(" 3"));
    assert!(lines[1].starts_with("  bb █") && lines[1].ends_with(" 1.5"));
    assert_eq!(lines[0].matches('█').count(), 2 * lines[1].matches('█').count());
    assert!(lines[2].starts_with("  1 to 5 █") && lines[2].ends_with(" 3"));
    assert!((shown + &notes).contains("quiver cannot be drawn in a terminal"));
}

#[test]
fn an_import_alone_stops_nothing() {
    let program = "import pandas as pd, seaborn as sns, foo\nfrom sklearn.datasets import make_moons\n\
                   from torch.utils.tensorboard import SummaryWriter\nfrom d2l import torch as d2l\n\
                   class Data(pd.DataFrame): pass\nprint(isinstance(1, pd.DataFrame))\n\
                   try:\n    import ujson\nexcept ImportError:\n    import json as ujson\n\
                   print(ujson.dumps([1]))\ntry:\n    -foo.x\nexcept ImportError as e:\n    print(e)\n";
    let (shown, said) = run(&["run", "--plain", "--strict", "-"], program);
    assert_eq!((shown.as_str(), said.as_str()), ("False\n[1]\nNo module named 'foo'\n", ""));
}

#[test]
fn what_is_drawn_together_is_drawn_whole() {
    let program = "import matplotlib.pyplot as plt\nplt.plot([0, 4], [0, 2], label='line')\n\
                   plt.hist([1., 2., 2., 3.], bins=3)\nplt.text(0, 1, 'here')\nplt.show()\n";
    let (shown, notes) = run(&["run", "--plain", "--strict", "-"], program);
    assert_eq!((shown.as_str(), notes.as_str()), ("", ""));
    let (shown, _) = run(&["run", "--strict", "-"], program);
    for part in ["█", "⣀", "here", "⠒ line"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[test]
fn other_plots_fail_as_theirs_do() {
    let program = "import matplotlib.pyplot as plt\nimport torch\n\
                   x = torch.tensor([1.], requires_grad=True)\nplt.plot(x, x)\n";
    let (_, error) = run(&["run", "--plain", "--strict", "-"], program);
    assert!(error.contains("Can't call numpy() on Tensor that requires grad."), "{error}");
    let program = "import matplotlib.pyplot as plt\nplt.plot([1, 2], [1, 2, 3])\n";
    let (_, error) = run(&["run", "--plain", "--strict", "-"], program);
    assert!(error.contains("x and y must have same first dimension"), "{error}");
}

#[test]
fn a_block_without_indentation_is_offered_back() {
    let mut terminal = Terminal::new();
    terminal.prompt();
    terminal.press("\x1b[200~for i in range(2):\nprint('i is', i)\n\x1b[201~");
    terminal.press(ENTER);
    terminal.until("error", |text| {
        text.contains("expected an indented block") && text.contains(":fix")
    });
    terminal.prompt();
    terminal.press(":fix\r");
    terminal.until("offer", |text| text.contains("...>     print('i is', i)\n...>"));
    terminal.press(ENTER);
    terminal.until("output", |text| text.contains("i is 0\ni is 1\n"));
}

#[test]
fn what_pages_do_to_programs_is_undone_with_one_note() {
    let cases = [
        (
            "print(“hi”, ‘a’)\nx = 3 − 1\nprint(\u{a0}x)\n",
            "hi a\n2\n",
            "note  6 typeset characters replaced",
        ),
        (
            "1  x = 1\n2  for i in range(2):\n3      print(i)\n4  print(x)\n",
            "0\n1\n1\n",
            "note  line numbers removed",
        ),
        ("```python\nprint(1)\n```\n", "1\n", "note  code fences removed"),
        ("print(\"“kept” – …\")\n", "“kept” – …\n", ""),
        ("print(1)\r\nif True:\r\n\tprint(2)\r\n", "1\n2\n", ""),
    ];
    for (program, wanted, note) in cases {
        let (shown, notes) = run(&["run", "--strict", "-"], program);
        assert_eq!((shown.as_str(), notes.trim_end()), (wanted, note), "{program}");
    }
}

#[test]
fn modules_from_elsewhere_say_what_is_here_instead() {
    let cases = [
        ("import torchvision.transforms as T; T.ToTensor()", "torch.randn"),
        ("from torchviz import make_dot; make_dot(1)", "next_functions"),
        ("from torch.utils.tensorboard import SummaryWriter; SummaryWriter()", "plt.plot"),
        ("import pandas as pd; pd.read_csv('x')", "np.array"),
        ("import foo; foo.bar + 1", "vjp cannot install modules"),
        ("import pandas as pd\nclass A(pd.DataFrame): pass\nA()", "np.array"),
        ("torch.ones(2).cuda()", "CPU"),
        ("open('x')", "put the data in the program"),
    ];
    for (program, hint) in cases {
        let (_, error) = run(&["run", "--plain", "-"], program);
        let text = error.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("help") && text.contains(hint), "{program}: {error}");
    }
    let bars = "from tqdm import tqdm, trange\nfor i in tqdm(range(2), desc='x'): print(i)\n\
                print(len(trange(3)))\n";
    assert_eq!(run(&["run", "--plain", "-"], bars).0, "0\n1\n3\n");
}
