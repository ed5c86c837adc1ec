//! Deep, long, huge and endless inputs end in plain errors.

use crate::support::run;
use run::Test;

/// Runs a program that must fail with an error that says all of this; never with a signal.
fn fails(args: &[&str], program: &str, says: &[&str]) {
    let ran = Test::new()
        .args(args)
        .args(&["run", "--plain", "-"])
        .stdin(program)
        .any_stdout()
        .any_stderr()
        .status(1)
        .run();
    for text in says {
        let shown: String = ran.stderr.chars().take(600).collect();
        assert!(ran.stderr.contains(text), "{text:?} is not in {shown}");
    }
    assert!(
        !ran.stderr.contains("panicked") && !ran.stderr.contains("internal error"),
        "{}",
        ran.stderr
    );
}

fn prints(program: &str, text: &str) {
    Test::new().args(&["run", "--plain", "-"]).stdin(program).stdout(text).run();
}

/// What fills the memory is refused while what it leaves could not be remembered, and whatever comes
/// after it works: nothing of it is held by what is kept for `:undo`.
#[test]
fn after_what_fills_the_memory_everything_works() {
    let bodies =
        ["[L]", "{0: L}", "(L,)", "lambda x=L: x", "N(L)", "iter([L])", "torch.stack([L])"];
    for (body, turns) in
        bodies.iter().flat_map(|b| [50_000, 65_000, 80_000, 1_000_000].map(|n| (b, n)))
    {
        let start = if body.contains("torch") { "torch.ones(1, requires_grad=True)" } else { "[]" };
        let program = format!(
            "class N:\n    def __init__(self, n): self.n = n\n\nL = {start}\n\
             for i in range({turns}): L = {body}\n\nprint(type(L).__name__)\n\
             L = 0\nx = 1\nprint('works', x + L)\n"
        );
        let ran = Test::new().args(&["--memory", "20MiB"]).stdin(&program).any_stdout();
        let ran = ran.any_stderr().any_status().run();
        let refusals =
            ran.stderr.matches("error  ").count() + ran.stdout.matches("error  ").count();
        assert!(ran.stdout.ends_with("works 1\n"), "{body} {turns}\n{}", ran.stdout);
        assert!(refusals <= 1, "{body} {turns}\n{}\n{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn brackets_and_blocks_nest_to_200() {
    let nested = |n: usize| format!("x = {}1{}\nprint(x)\n", "(".repeat(n), ")".repeat(n));
    prints(&nested(199), "1\n");
    fails(&[], &nested(100_000), &["too many nested"]);
    let blocks: String = (0..300).map(|n| format!("{}if True:\n", " ".repeat(n))).collect();
    fails(&[], &format!("{blocks}{}pass\n", " ".repeat(300)), &["too many"]);
}

#[test]
fn calls_nest_to_1000() {
    fails(&[], "def f(n):\n    return f(n+1)\nf(0)\n", &["maximum recursion depth exceeded"]);
    prints("def f(n):\n    return 0 if n == 0 else 1 + f(n-1)\nprint(f(900))\n", "900\n");
}

#[test]
fn chains_of_any_length_work() {
    prints(&format!("print({}1)\n", "1+".repeat(100_000)), "100001\n");
    prints(&format!("print({}1)\n", "-".repeat(50_000)), "1\n");
    prints(
        "x = torch.tensor(1., requires_grad=True)\ny = x\nfor i in range(100000): y = y + 1\ny.backward()\nprint(x.grad)\n",
        "tensor(1.)\n",
    );
}

#[test]
fn memory_is_asked_for_before_it_is_taken() {
    fails(&["--memory", "100MiB"], "x = torch.zeros(100000, 100000)\n", &["74.5 GiB", "100 MiB"]);
    fails(&["--memory", "100MiB"], "x = 'a' * 10**9\n", &["100 MiB"]);
    fails(&["--memory", "100MiB"], "x = []\nwhile True: x.append('abc' * 10)\n", &["100 MiB"]);
    fails(&[], "x = [0] * 10**12\n", &["4 GiB"]);
}

#[test]
fn huge_ints_ask_for_memory_first_and_answer_the_time_limit() {
    let asked = [
        "2**(10**10)",
        "1 << 10**11",
        "2**(2**70)",
        "1 << 2**70",
        "10**(4*10**8)",
        "math.factorial(10**9)",
        "random.getrandbits(10**11)",
        "bin(1 << 10**9)",
    ];
    for expression in asked {
        let program = format!("import math, random\nx = {expression}\n");
        fails(&["--memory", "100MiB"], &program, &["this needs", "of 100 MiB already used"]);
    }
    let long = [
        "x = 10**(10**8)",
        "x = (2**(10**7) - 1)**9",
        "x = (1 << 10**9) // 3**(10**6)",
        "x = 5**(10**8) % (2**(10**7) + 1)",
        "x = pow(3, 10**9000, 10**9000)",
        "x = math.gcd(3**(10**6), 5**(10**6))",
        "x = math.isqrt(7**(10**7))",
        "x = math.factorial(10**7)",
        "x = math.comb(10**7, 5*10**6)",
        "x = 3**(10**6) / 3**(10**6 - 5) / 10**(10**8)",
        "x = round(10**(10**6), -10**6 // 2) % 10**(10**8)",
        "x = sum(10**(10**6) for _ in range(10**9))",
        "for i in range(10**9): x = f'{(1 << 10**7) - 1:o}'",
    ];
    for program in long {
        let started = std::time::Instant::now();
        let program = format!("import math\n{program}\n");
        fails(&["--time-limit", "0.2"], &program, &["time limit reached"]);
        assert!(started.elapsed().as_secs() < 5, "{program}");
    }
}

#[test]
fn an_endless_program_ends_at_its_time_limit() {
    fails(&["--time-limit", "0.2"], "while True: pass\n", &["time limit reached"]);
    fails(
        &["--time-limit", "0.2"],
        "try:\n    while True: pass\nexcept:\n    print('caught')\n",
        &["time limit"],
    );
}

#[test]
fn an_export_ends_at_its_limits() {
    let endless = "import torch\nn = 1\nwhile True: n -= 1\n";
    for to in ["torch", "jax"] {
        let args = ["export", "--strict", "--time-limit", "0.2", "--to", to, "endless.py"];
        let test = Test::new().args(&args).file("endless.py", endless);
        let ran = test.status(1).any_stderr().run();
        assert!(ran.stderr.contains("line 3: TimeoutError: time limit"), "{}", ran.stderr);
    }
}

#[test]
fn lists_that_hold_themselves_or_share_their_rows_have_an_end() {
    // Outside strict a list is a tensor as soon as something asks for one.
    let program = "x = [[1., 2], [3, 4]]\nz = [x, x]\nz.append(z)\nx.append(z)\nx[0][0] = 7\n\
                   print(x[0][0]^2)\nr = x[0]\nr.append(r)\nr[0] = 3\nprint(r[0]*2)\n";
    prints(program, "49\n6\n");
    prints("a = torch.tensor([1., 2.])\nprint(sum([a, a]))\n", "tensor([2., 4.])\n");
    fails(&["--time-limit", "1"], "torch.poisson(torch.tensor(float('nan')))\n", &["Poisson rate"]);
    fails(&[], "l = [1]\nl.append(l)\nnp.asinh(torch.zeros(2), l)\n", &["ArrayType"]);
    let program = "x = torch.ones(3, requires_grad=True); y = x**2\nx.data = torch.ones(5)\ngradcheck(y, x)\n";
    fails(&[], program, &["attempting to assign a gradient of size"]);
    for row in ["[]", "[1.]"] {
        let program = format!("l = {row}\nfor i in range(40): l = [l, l]\nstack(l)\n");
        fails(&["--time-limit", "1", "--memory", "100MiB"], &program, &["limit"]);
    }
    // The list may stand before the number, and more than once.
    for more in ["l.reverse()", "l.append(l); l.append(l)"] {
        let asked =
            [("np.sort(l)", "array element"), ("float(l)", "'list'"), ("sorted(l)", "sorted(l)")];
        for (asked, says) in asked {
            let program = format!("l = [1]\nl.append(l); {more}\n{asked}\n");
            fails(&["--time-limit", "20"], &program, &[says]);
        }
    }
}

#[test]
fn what_holds_itself_is_exported() {
    let lists = ["l = [1]; l.append(l)", "d = {}; d['a'] = d", "l = [1]; t = (l,); l.append(t)"];
    let shared = "l = [1]\nfor i in range(60): l = [l, l]\n";
    for held in lists.into_iter().chain([shared, "l = [1]; l.extend([l]*60); d = {'a': l}"]) {
        let rest = "x = torch.ones(2, requires_grad=True); (x*2).sum().backward(); print(x.grad)";
        let program = format!("import torch\n{held}\n{rest}\n");
        for to in ["torch", "jax"] {
            let args = ["export", "--strict", "--to", to, "held.py"];
            Test::new().args(&args).file("held.py", &program).any_stdout().run();
        }
    }
}

#[test]
fn what_holds_itself_is_refused_at_once() {
    let before = "x = [1, 2]; x[0] = [x, x]; A = [[1, 2], [3, 4]]; L = [1, 2]; L.append(L)\n";
    for line in ["A[:, 0] = L", "x*2", "sum(x)", "torch.func.jvp(lambda u: u, (x,), (x,))"] {
        let program = format!("import torch\n{before}print(x)\n{line}\nprint('on')\n");
        let args = ["--time-limit", "5", "--memory", "100MiB"];
        let ran =
            Test::new().args(&args).stdin(&program).any_status().any_stdout().any_stderr().run();
        let refused = !ran.stderr.contains("limit") && ran.stderr.matches("error").count() == 1;
        assert!(refused, "{line}: {}", ran.stderr);
        assert!(ran.stdout.contains("[[[...], [...]], 2]"), "{line}: {}", ran.stdout);
    }
}

/// Inputs that ended in an internal error or took gigabytes once.
#[test]
fn a_leaf_that_was_given_another_shape_is_told() {
    let resized = "import torch\nx = torch.ones(3, requires_grad=True); z = (x*x).sum()\n";
    let other = "attempting to assign a gradient of size '[3]' to a tensor of size '[2]'";
    for line in [":equations z", "torch.autograd.gradcheck(lambda u: z, x)", "z.backward()"] {
        let program = format!("{resized}x.data = torch.ones(2)\n{line}\n");
        let ran = Test::new().stdin(&program).any_stdout().any_stderr().status(1).run();
        assert!(ran.stderr.contains(other), "{line}: {}", ran.stderr);
    }
    let program = format!("{resized}z.backward(); x.data = torch.ones(2)\n:equations\n");
    let ran = Test::new().stdin(&program).any_stdout().any_stderr().status(1).run();
    assert!(ran.stderr.contains(other), "{}", ran.stderr);
    let changing = "import torch\nn = [1]\ndef f(u):\n    n.append(1)\n    return (u*u).expand(len(n), 1)\n\n\
        torch.autograd.gradcheck(f, torch.ones(1, requires_grad=True).double())\n";
    fails(&["--strict"], changing, &["output 0 has another shape each time"]);
    fails(&[], "torch.set_printoptions(10**12)\n", &["precision too big"]);
}

#[test]
fn a_long_text_in_an_error_is_folded_at_once() {
    let program = "import torch\ntorch.zeros(3, device=' '*800_000)\n";
    let ran = Test::new().args(&["--json", "--time-limit", "20"]).stdin(program).status(1);
    let ran = ran.any_stdout().any_stderr().run();
    assert!(ran.stdout.contains("device type at start"), "{}", ran.stdout);
}

#[test]
fn a_fix_that_fails_is_not_given_a_fix() {
    let asked = "import numpy as np\na = np.array([1.])\na.nextafter()\nprint('on')\n";
    let ran =
        Test::new().args(&["--strict"]).stdin(asked).any_stdout().any_stderr().status(1).run();
    assert!(ran.stderr.contains("has no attribute 'nextafter'"), "{}", ran.stderr);
    assert!(ran.stdout.ends_with("on\n"), "{}", ran.stdout);
}

#[test]
fn no_bytes_are_too_strange() {
    for bytes in
        [&b"\xff\xfe x = 1\n"[..], b"\0", b"x = '\xc3", b"\"\"\"", b"((((", b"\\", b"x = 1 \\"]
    {
        let ran = Test::new().stdin(bytes).any_stdout().any_stderr().status(1).run();
        assert!(!ran.stderr.is_empty() && !ran.stderr.contains("internal error"), "{}", ran.stderr);
    }
}

#[test]
fn a_failed_input_leaves_the_session_as_it_was() {
    Test::new()
        .args(&["--memory", "100MiB"])
        .stdin("a = [1]\na.append(torch.zeros(100000000).sum())\nprint(a)\n")
        .stdout(
            "a = [1]                                                     leaf, shape [1]\n[1]\n",
        )
        .any_stderr()
        .status(1)
        .run();
}

#[test]
fn a_failed_statement_moves_no_iterator() {
    const MADE: &[&str] = &[
        "iter([1, 2, 3])",
        "iter({1: 2, 3: 4, 5: 6}.items())",
        "iter({1, 2, 3})",
        "iter(torch.arange(3.))",
        "iter('abc')",
        "enumerate(steps())",
        "zip('abc', steps())",
        "map(abs, steps())",
        "filter(None, steps())",
        "reversed([1, 2, 3])",
        "iter(box.pop, 0)",
        "(i * j for i in range(4) for j in steps())",
        "steps()",
        "delegated()",
        "guarded()",
        "handled()",
        "inside()",
        "itertools.count()",
        "itertools.cycle([1, 2, 3])",
        "itertools.tee([1, 2, 3])[0]",
        "itertools.accumulate([1, 2, 3])",
        "itertools.permutations([1, 2, 3])",
        "iter(data.DataLoader(data.TensorDataset(torch.arange(6.)), 2, shuffle=True))",
        "Counts()",
        "nn.Sequential(nn.ReLU(), nn.ReLU(), nn.Tanh()).modules()",
    ];
    let mut program = "import itertools, torch.utils.data as data\nbox = [5, 6, 7, 8]
def steps():
    for i in range(1, 3):
        got = yield i
        yield got or -i
def delegated():
    yield (yield from steps())
def guarded():
    try:
        yield 1
        return 2
    finally:
        yield 3
        yield 4
def handled():
    try:
        raise ValueError('x')
    except ValueError as e:
        yield 1
        yield e.args
        yield 3
def inside():
    n = 0
    while True:
        with torch.no_grad():
            n += 1
            yield n, torch.is_grad_enabled()
class Counts:
    n = 0
    def __iter__(self): return self
    def __next__(self): self.n += 1; return self.n
"
    .to_owned();
    for made in MADE {
        let failing = "if True: seen = [next(it) for _ in range(2)]; print(seen); 1/0\n";
        program += &format!("it = {made}\nprint(next(it) is None)\n{failing}{failing}");
        program += "print([next(it) for _ in range(2)])\n";
    }
    let ran =
        Test::new().args(&["--strict"]).stdin(&program).any_stdout().any_stderr().status(1).run();
    let printed = |line: &&str| line.starts_with('[') || *line == "False";
    let lines: Vec<&str> = ran.stdout.lines().filter(printed).collect();
    let each: Vec<&[&str]> = lines.split(|line| *line == "False").skip(1).collect();
    assert_eq!(each.len(), MADE.len(), "{}\n{}", ran.stdout, ran.stderr);
    for (made, seen) in MADE.iter().zip(each) {
        let (all, third) = (seen.len() % 3 == 0, seen.len() / 3);
        assert!(all && third > 0, "{made}: {seen:?}");
        assert!(seen.chunks(third).all(|again| again == &seen[..third]), "{made}: {seen:?}");
    }
}

/// Statements that make what only holds itself; each turn some hundred bytes or more.
const CIRCLES: &[&str] = &[
    "d = {}; d['d'] = d",
    "l = []; l.append((1, l))",
    "a = A(); a.me = a; a.all = {a}",
    "a = A(); b = A(); a.b = b; b.a = a",
    "e = ValueError(); e.all = [e]",
    "closure()",
    "named()",
    "started()",
    "sent = generator(); next(sent); sent.send(sent)",
    "hooked()",
    "hooked_inside()",
    "nn.Sequential().note = [A()]; m = nn.Sequential(); m.me = [m]",
    "t = torch.zeros(10**4); d = [t]; d.append(d)",
];

const MADE: &str = "class A: pass
def closure():
    large = [0]*50
    f = lambda: large
def named():
    def f(): pass
    f.me = f
def generator():
    me = yield 1
    yield me
def started():
    large = [0]*50
    g = (i for i in large)
    next(g)
def hooked():
    x = torch.ones(50, requires_grad=True)
    h = x.register_hook(lambda g: x)
    y = (x*2).sum()
    y.backward()
def hooked_inside():
    x = torch.ones(50, requires_grad=True)
    y = x*2
    y.register_hook(lambda g: g*y)
    y.sum().backward()
";

#[test]
fn what_only_holds_itself_is_given_back() {
    for turn in CIRCLES {
        let turns = if turn.contains("hook") || turn.contains("nn.") { 8_000 } else { 60_000 };
        let program = format!("{MADE}for i in range({turns}): {turn}\nprint('whole')\n");
        Test::new()
            .args(&["--memory", "24MiB", "run", "--plain", "--strict", "-"])
            .stdin(program)
            .stdout("whole\n")
            .run();
    }
}

#[test]
fn what_is_still_held_stays() {
    let program = "class Link: pass
first = last = Link()
for i in range(300):
    link = Link(); link.i = i; link.before = last; last.after = link; last = link
def counter():
    n = 0
    def up():
        nonlocal n
        n += 1
        return n, up
    return up
up = counter()
def steps():
    me = yield
    for i in range(9): yield i, me
it = steps(); next(it); it.send(it)
x = torch.ones(2, requires_grad=True)
def hooked():
    y = x*2
    y.register_hook(lambda g: g*y)
    return y.sum()
y = hooked()
self = [1]; self.append(self)
keys = {(1, up): [it]}
def waste(n):
    for i in range(n): d = {}; d['d'] = [d, lambda: d]
waste(40000)
print(sum(1 for _ in range(300) if (first := first.after)), last.before.before.i)
print(up()[0], up()[1]()[0], next(it)[0], next(it)[1] is it, keys[1, up][0] is it)
waste(20000)
y.backward()
print(x.grad, self[1][1][0], len(self))
";
    prints(program, "300 297\n1 3 1 True True\ntensor([4., 4.]) 1 2\n");
}

#[test]
fn reset_gives_gradients_with_a_history_back() {
    let tied = "for i in range(200): w = torch.ones(3, requires_grad=True); (w**3).sum().backward(create_graph=True)\n\n:reset\n";
    let program = format!("{}print('still here')\n", tied.repeat(100));
    let ran =
        Test::new().args(&["--memory", "60MiB"]).stdin(program).any_stdout().any_stderr().run();
    assert!(ran.stdout.ends_with("still here\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("out of memory"), "{}", ran.stdout);
}

#[test]
fn reset_gives_everything_back() {
    let program = format!(
        "{}print('still here')\n",
        "L = []\nfor i in range(40000): d = {}; d['d'] = d; L.append(d)\n\n:reset\n".repeat(8)
    );
    let ran = Test::new().args(&["--memory", "100MiB"]).stdin(program).any_stdout().run();
    assert!(ran.stdout.ends_with("still here\n"), "{}", ran.stdout);
}

/// MiB that a release keeps of its own code.
const CODE: u64 = 16;

/// Runs lines at the prompt, and gives the most memory that the process held, in KiB, without its own code: that
/// of a debug build is three times the code of a release.
fn most_held(args: &[&str], lines: &str) -> u64 {
    let test = Test::new().args(args);
    let mut process = test.command();
    let mut child = process.stderr(std::process::Stdio::null()).spawn().unwrap();
    let mut keys = child.stdin.take().unwrap();
    let mut shown = child.stdout.take().unwrap();
    let text = lines.to_owned();
    let writer = std::thread::spawn(move || std::io::Write::write_all(&mut keys, text.as_bytes()));
    let reader = std::thread::spawn(move || std::io::copy(&mut shown, &mut std::io::sink()));
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let now = std::fs::read_to_string(&status).unwrap_or_default();
        let of = |name: &str| -> Option<u64> {
            let line = now.lines().find_map(|l| l.strip_prefix(name))?;
            line.trim().strip_suffix(" kB")?.parse().ok()
        };
        if let (Some(all), Some(code)) = (of("VmHWM:"), of("RssFile:")) {
            most = all - code;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    writer.join().unwrap().unwrap();
    reader.join().unwrap().unwrap();
    most
}

#[test]
fn no_operation_holds_much_more_than_the_limit() {
    let names = Test::new().stdin("print('\\n'.join(dir(torch)))\n").any_stdout().run().stdout;
    let mut lines = "x = torch.rand(10**6)\n".to_owned();
    let calls = names.lines().filter(|n| !n.starts_with('_') && !n.starts_with("set_"));
    calls.for_each(|name| lines += &format!("_ = torch.{name}(x)\n"));
    let made = [
        "torch.ones(3*10**6).sort()",
        "torch.ones(10**7).tolist()",
        "torch.ones(3000, 3000).nonzero()",
        "('a,' * 10**7).split(',')",
        "list(range(10**7))",
        "hash(tuple(range(10**7)))",
        "F.pdist(torch.ones(3000, 30))",
        "torch.multinomial(torch.ones(10), 10**7, replacement=True)",
        "torch.repeat_interleave(torch.ones(2), 10**9)",
        "F.max_pool1d(torch.ones(1, 1, 10**6), 10**4, 1)",
        "torch.as_strided(torch.zeros(3), (2**30,), (0,)).sum()",
        "torch.tril_indices(3000, 3000)",
        "F.embedding(torch.zeros(10**5, dtype=torch.long), torch.rand(10, 1000))",
        "F.embedding_bag(torch.zeros(10**3, 10**3, dtype=torch.long), torch.rand(10, 100))",
        "F.multilabel_margin_loss(torch.rand(999, 999), torch.zeros(999, 999, dtype=torch.long))",
        "F.adaptive_avg_pool2d(torch.rand(1, 1, 2000, 2000), 1500)",
        "str.maketrans('a' * 10**7, 'b' * 10**7)",
        "dict.fromkeys(range(10**7))",
    ];
    made.iter().for_each(|made| lines += &format!("_ = {made}\n"));
    lines += "L = []\nfor i in range(10**7): L = [L]\n\nL = [0]\nfor i in range(99): L = L + L\n\n";
    let held = most_held(&["--strict", "--memory", "32MiB", "--time-limit", "0.3"], &lines);
    let allowed = (32 + 8 + 64 - CODE) << 10;
    assert!((1 << 10..allowed).contains(&held), "{} MiB", held >> 10);
}

#[test]
fn linear_algebra_asks_before_it_copies_a_matrix() {
    let names =
        Test::new().stdin("print('\\n'.join(dir(torch.linalg)))\n").any_stdout().run().stdout;
    let mut lines = "A = torch.ones(4850, 4850)\n".to_owned();
    for name in names.lines().filter(|n| !n.starts_with('_')) {
        lines += &format!("_ = torch.linalg.{name}(A)\n_ = torch.linalg.{name}(A, A)\n");
    }
    let more = [
        "torch.linalg.norm(A, 2)",
        "torch.linalg.norm(A, 'nuc')",
        "torch.linalg.solve(A, A[0])",
        "torch.linalg.solve_triangular(A, A, upper=True)",
        "torch.det(A)",
        "torch.logdet(A)",
        "torch.svd(A)",
        "torch.qr(A)",
        "torch.pinverse(A)",
        "torch.cholesky(A)",
        "torch.matrix_exp(A)",
    ];
    more.iter().for_each(|line| lines += &format!("_ = {line}\n"));
    let held = most_held(&["--strict", "--memory", "200MiB", "--time-limit", "5"], &lines);
    let allowed = (200 + 50 + 64 - CODE) << 10;
    assert!((150 << 10..allowed).contains(&held), "{} MiB", held >> 10);
}

#[test]
fn long_rows_stop_at_the_time_limit() {
    let long = [
        "torch.ones(10**6).median()",
        "torch.ones(10**6).nanmedian()",
        "torch.ones(10**6, requires_grad=True).max()",
        "torch.isin(torch.rand(10**6), torch.rand(10**6))",
        "F.pdist(torch.ones(3000, 100))",
        "torch.tril_indices(5000, 5000)",
        "torch.cummax(torch.ones(10**7), 0)",
        "np.sort(np.ones(3*10**7))",
        "('ab' * 10**8).splitlines()",
        "f\"{'x' * 10**8:>200000000}\"",
        "('x' * 10**8).center(10**9).ljust(10**9 + 1).zfill(10**9 + 2)",
        "[[0]*1000]*10**5; L = [*y, *y]; 3",
        "set([0] * 3*10**7)",
        "F.avg_pool2d(torch.ones(1, 4, 4), 10**9, ceil_mode=True)",
        "F.max_pool3d(torch.ones(1, 4, 4, 4), 10**9, padding=10**8, ceil_mode=True)",
        "dict.fromkeys(range(10**8))",
        "('Σ' * 10**8).lower()",
        "int('1_' * 10**8 + '1')",
        "('%d' * 10**6) % tuple(range(10**6))",
        "F.embedding_bag(torch.zeros(10**4, 10**3, dtype=torch.long), torch.rand(10, 100))",
        "0; import random; random.sample(range(10**7), 10**7)",
        "0; import copy; copy.deepcopy([{k: [k]} for k in range(10**6)])",
        "[[k] for k in range(10**8)]",
        "[{k: k} for k in range(10**8)]",
        "0⏎for i in range(10**8): y = [y]",
        "torch.ones((), requires_grad=True)⏎for i in range(10**8): y = y + 1",
    ];
    for made in long {
        let started = std::time::Instant::now();
        let program = format!("y = {made}\n\n").replace('⏎', "\n");
        most_held(&["--time-limit", "0.3"], &program);
        assert!(started.elapsed().as_secs() < 6, "{made}: {:?}", started.elapsed());
    }
}

#[test]
fn the_library_is_whole_after_a_stop() {
    let names = ["nn.LSTM", "torch.optim.Adam", "nn.Unflatten", "nn.init.eye_"];
    let uses: String = names.iter().map(|name| format!("print({name} is None)\n")).collect();
    let program = format!("{}1/0\n", uses.repeat(20));
    let ran = Test::new().args(&["--time-limit", "0.001"]).stdin(program);
    let ran = ran.any_stdout().any_stderr().status(1).run();
    for line in ran.stderr.lines().filter(|line| line.starts_with("error")) {
        assert!(line.contains("time limit reached") || line.contains("by zero"), "{line}");
    }
}

#[test]
fn steps_may_be_huge() {
    prints("print(torch.ones(5, 3)[::2**62][::4].sum())\n", "tensor(3.)\n");
}

#[test]
fn what_if_reaches_back_as_far_as_the_history() {
    let much: String = (0..2100).map(|k| format!("a = {k}\n")).collect();
    let program = format!("x = 2; y = 3*x\n{much}:what-if x = 3\n:what-if a = 3\n");
    let ran = Test::new().stdin(program).any_stdout().any_stderr().status(1).run();
    assert_eq!(ran.stderr.matches("error").count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("x was assigned too far back"), "{}", ran.stderr);
}
