//! The language against CPython 3.11: every program under tests/language/ printed there what its
//! `.out` file holds. And what a session does around statements: rollback, undo, echo.

use std::fs;
use std::path::Path;
use vjp::eval::language::machine::{Machine, Manner, Options, Telling};
use vjp::eval::record::event::{Event, Remark, Shown};
use vjp::text::source::Source;

/// Runs on a thread with room for deep calls.
fn deep<R: Send + 'static>(body: impl FnOnce() -> R + Send + 'static) -> R {
    std::thread::Builder::new()
        .stack_size(1 << 30)
        .spawn(|| {
            vjp::tensor::budget::set_stack(1 << 30);
            body()
        })
        .unwrap()
        .join()
        .unwrap()
}

/// What a program printed, and its error.
fn printed(program: &str, strict: bool) -> (String, Option<String>) {
    let mut machine = vjp::tutor::machine(Options { strict, ..Options::default() });
    machine.telling = Telling::Nothing;
    let mut out = String::new();
    let result = machine.run(&Source::new(program), Manner::Program, &mut |e| {
        if let Event::Print(text) = e {
            out.push_str(&text);
        }
    });
    (out, result.err().map(|f| format!("{}: {}", f.class, f.message)))
}

#[test]
fn programs_print_what_python_printed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language");
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|x| x == "py"))
        .collect();
    names.sort();
    assert!(names.len() >= 7);
    for path in names {
        let program = fs::read_to_string(&path).unwrap();
        let wanted = fs::read_to_string(path.with_extension("out")).unwrap();
        let (got, error) = deep(move || printed(&program, true));
        assert_eq!(error, None, "{}", path.display());
        for (i, (g, w)) in got.lines().zip(wanted.lines()).enumerate() {
            assert_eq!(g, w, "{} line {}", path.display(), i + 1);
        }
        assert_eq!(got, wanted, "{}", path.display());
    }
}

/// A session as the prompt keeps it: inputs, and what they echo.
struct Session {
    machine: Machine,
}

impl Session {
    fn new() -> Session {
        let mut machine = vjp::tutor::machine(Options::default());
        machine.keep_history(true);
        machine.telling = Telling::Nothing;
        Session { machine }
    }

    /// Echoes as `name = value · remark`, prints, errors and notes, a line each.
    fn run(&mut self, input: &str) -> Vec<String> {
        let manner = if input.contains('\n') { Manner::Block } else { Manner::Line };
        let mut told = Vec::new();
        let _ = self.machine.run(&Source::new(input), manner, &mut |e| told.extend(line(e)));
        told
    }
}

fn line(event: Event) -> Option<String> {
    Some(match event {
        Event::Value(v) => {
            let shown = match v.shown {
                Shown::Tensor(t) => format!("{:?}{:?}", t.shape(), t.data()),
                Shown::Int(i) => i.to_string(),
                Shown::Text(t) | Shown::Repr(t) => t,
            };
            let remark = match v.remark {
                Some(Remark::Computed { .. }) => String::new(),
                None | Some(Remark::Number) => String::new(),
                Some(Remark::Leaf { shape }) => format!(" leaf{shape:?}"),
                Some(Remark::Shape { shape }) => format!(" shape{shape:?}"),
            };
            match v.name {
                Some(n) => format!("{n} = {shown}{remark}"),
                None => format!("{shown}{remark}"),
            }
        }
        Event::Print(text) => format!("> {}", text.trim_end()),
        Event::Note(n) => format!("note {}", n.text),
        Event::Error(f) => format!("{}: {}", f.class, f.message),
        _ => return None,
    })
}

#[test]
fn an_input_of_one_line_echoes_what_it_binds_once() {
    let mut s = Session::new();
    assert_eq!(s.run("x = [1, 2]"), ["x = [2][1.0, 2.0] leaf[2]"]);
    assert_eq!(s.run("n = 10"), ["n = 10 leaf[]"]);
    assert_eq!(s.run("n/4"), ["[][2.5]"]);
    assert_eq!(s.run("a = 2; b = 3; a*b"), ["6"]);
    assert_eq!(s.run("y = 3.0*x; y = y + 1"), ["y = [2][4.0, 7.0]"]);
    assert_eq!(s.run("z = empty(2); z[0] = 1; z[1] = 2"), ["z = [2][1.0, 2.0]"]);
    assert_eq!(s.run("f(t) = 3*t; g = lambda t: t"), Vec::<String>::new());
    assert_eq!(s.run("None"), Vec::<String>::new());
    assert_eq!(s.run("'text'"), ["'text'"]);
    assert_eq!(s.run("p, q = 1, (2, 3)"), ["p = 1 leaf[]", "q = (2, 3)"]);
    assert_eq!(s.run("y = 5\ny + 1\ny"), ["6", "5 leaf[]"]);
    assert_eq!(s.run("p, q = 1, [2]; p + q[0]"), ["3"]);
    s.run("i = 0; l = []");
    assert_eq!(s.run("while i < 3: l.append(i); i += 1"), ["i = 3"]);
    assert_eq!(
        s.run("w = 2.0*x; print(w); w"),
        ["w = [2][2.0, 4.0]", "> tensor([2., 4.], grad_fn=<MulBackward0>)", "[2][2.0, 4.0]"]
    );
}

#[test]
fn an_error_changes_nothing_and_what_stood_before_it_stays() {
    let mut s = Session::new();
    s.run("x = [1, 2]; l = [[1], {'a': [2]}]");
    s.run("y = 3*x^2; y.backward([1, 10])");
    let grad = s.run("x.grad");
    let told = s.run(
        "for i in range(3): l[0].append(i); l[1]['a'].append(i); x.grad.add_(1); u = 1/(2 - i)",
    );
    assert_eq!(told.last().unwrap(), "ZeroDivisionError: division by zero");
    assert_eq!(s.run("print(l)"), ["> [[1], {'a': [2]}]"]);
    assert_eq!(s.run("x.grad"), grad);
    assert_eq!(s.run("u"), ["NameError: name 'u' is not defined"]);
    assert_eq!(s.run("a = 'kept'; b = 1/0").last().unwrap(), "ZeroDivisionError: division by zero");
    assert_eq!(s.run("a"), ["'kept'"]);
    s.run("class P: pass\np = P(); p.v = 1");
    s.run("def f():\n    p.v = 2\n    raise ValueError('no')");
    s.run("f()");
    assert_eq!(s.run("p.v"), ["1"]);
    // Inside `try` Python's rule holds.
    s.run("try:\n    p.v = 3; 1/0\nexcept ZeroDivisionError:\n    pass");
    assert_eq!(s.run("p.v"), ["3"]);
}

#[test]
fn undo_and_redo_go_input_by_input() {
    let mut s = Session::new();
    s.run("x = [1, 2]");
    s.run("l = ['a']");
    s.run("l.append('b'); x = 5");
    assert_eq!(s.run("print(l, x)"), ["> ['a', 'b'] 5"]);
    assert!(s.machine.undo().is_some());
    assert_eq!(s.run("print(l, x)"), ["> ['a'] [1, 2]"]);
    assert!(s.machine.undo().is_some());
    assert!(s.machine.redo().is_some());
    assert!(s.machine.undo().is_some());
    assert!(s.machine.undo().is_some());
    assert_eq!(s.run("l"), ["NameError: name 'l' is not defined"]);
}

/// Moments share what lists, dicts and sets hold until it is written to, by whichever name.
#[test]
fn a_moment_stays_as_it_was_whatever_is_written_to() {
    let mut s = Session::new();
    s.run(
        "a = [1, 'b']; b = a; c = [a, a]; c.append(c); d = {'a': a}; d['d'] = d; t = (a, ([2],))",
    );
    s.run("class P: n = 0\nk = {P(): [1]}; e = {P(), 2}; x = [3., 4.]");
    let look = "print(a, b, b is a, c[:2], len(c), c[-1] is c, sorted(d), d['a'] is a, t, x, x.grad, \
                [(q.n, v) for q, v in k.items() if isinstance(q, P)], len(k), \
                sorted(q if q == 2 else q.n for q in e))";
    let begun = s.run(look);
    assert!(begun[0].starts_with("> [1, 'b'] [1, 'b'] True"), "{begun:?}");
    let writes = [
        "b.append(3)",
        "c[0][0] = 9",
        "c[2][2][1].pop()",
        "d['d']['d']['a'].reverse()",
        "a.clear()",
        "a[:] = []",
        "a[1:] = [5, 6]",
        "a += [4]",
        "b *= 2",
        "a.sort(key=str, reverse=True)",
        "del a[0]",
        "a[0], a[1] = a[1], a[0]",
        "del c[1]",
        "t[1][0].extend(a)",
        "x[0] = 7",
        "(3*x[1]).backward()",
        "d |= {'z': 1}",
        "d.update(z=1)",
        "d.setdefault('z', 1)",
        "d.pop('d')",
        "del d['d']",
        "d.popitem()",
        "k.clear(); e.clear()",
        "for q in k: k[q].append(2)",
        "for q in k: q.n = 1",
        "[q for q in e if q != 2][0].n = 1",
        "e.discard(2)",
        "e |= {2.5}; e.discard(2.5); e.add(5); e.remove(2)",
        "for i in range(3): a.append(i); c.append(i); d[i] = i",
    ];
    let mut moments = Vec::new();
    for write in writes {
        s.run(write);
        let after = s.run(look);
        assert_ne!(after, begun, "{write}");
        s.machine.undo().unwrap();
        assert_eq!(s.run(look), begun, "{write}");
        s.machine.redo().unwrap();
        assert_eq!(s.run(look), after, "{write}");
        s.machine.undo().unwrap();
        let failing = format!("if True:\n    {write}\n    1/0");
        s.run(&failing);
        assert_eq!(s.run(look), begun, "{write}");
    }
    for write in ["a.append(1)", "b.append(2)", "c[0].append(3); d['e'] = 4", "d['a'].pop()"] {
        moments.push(s.run(look));
        s.run(write);
    }
    for moment in moments.iter().rev() {
        s.machine.undo().unwrap();
        assert_eq!(&s.run(look), moment);
    }
}

#[test]
fn what_changes_nothing_is_no_step_back_and_leaves_open_what_was_undone() {
    let mut s = Session::new();
    s.run("x = [1, 2]; l = [1]; d = {'a': 2}; s = {3}; u = torch.ones(2)");
    s.run("class P: n = 0\np = P()\ndef f(t): return 3*t");
    s.run("y = x^2");
    let looks = [
        "x",
        "x.grad",
        "y.sum()",
        "print(y, p.n)",
        "_",
        "f(2)",
        "l[0]; d['a']; 3 in s",
        "None",
        "grad(y.sum(), x)",
        "jacobian(y, x)",
        "gradcheck(y, x)",
        "sorted(l)",
        "y.backward()",
        "x; y.sum(); y.backward()",
        "nothing",
        "(",
        "x.clone().add_(1)",
        "[*l, 2].append(3)",
        "torch.initial_seed()",
    ];
    let changes = [
        "z = 1",
        "l.append(2)",
        "l[0] = 2",
        "d['b'] = 3",
        "d['a'] = 3",
        "s.add(4)",
        "p.m = 1",
        "P.n = 1",
        "f.note = 1",
        "u.add_(1)",
        "u.zero_()",
        "u.requires_grad_()",
        "x = [1, 2]",
        "x.grad = torch.ones(2)",
        "y.backward([1, 1])",
        "rand(2)",
        "y.register_hook(print)",
        "torch.set_printoptions(precision=2)",
        "del y",
        "import random; random.random()",
        "x; l.append(2); y.backward()",
    ];
    s.run("torch.manual_seed(0)");
    let last = |s: &mut Session| s.machine.undo().map(|input| input.text().to_owned());
    for change in changes {
        s.run(change);
        for look in looks {
            s.run(look);
        }
        assert_eq!(last(&mut s).as_deref(), Some(change));
        for look in looks {
            s.run(look);
        }
        assert_eq!(s.machine.redo().map(|input| input.text().to_owned()).as_deref(), Some(change));
        assert_eq!(last(&mut s).as_deref(), Some(change));
    }
}

#[test]
fn undo_takes_a_hook_back() {
    let mut s = Session::new();
    s.run("x = [1, 2]; y = x^2; x.register_hook(lambda g: 2*g)");
    s.run("y.register_hook(lambda g: 3*g)");
    assert!(s.machine.undo().is_some());
    s.run("y.backward([1, 1])");
    assert_eq!(s.run("x.grad"), ["[2][4.0, 8.0]"]);
}

#[test]
fn numbers_stay_numbers_and_remember() {
    let mut s = Session::new();
    s.run("n = 3; x = [1, 2, 3]");
    assert_eq!(
        s.run("print(n, n/2, range(n), x[n-1], [0]*n)"),
        ["> 3 1.5 range(0, 3) 3 [0, 0, 0]"]
    );
    s.run("y = x[0]*x[1] + n; y.backward()");
    assert_eq!(s.run("x.grad"), ["[3][2.0, 1.0, 0.0]"]);
    assert_eq!(s.run("n.grad"), ["[][1.0]"]);
    s.run("t = 0\nfor a in x:\n    t += a*a");
    s.run("x.grad = None; t.backward()");
    assert_eq!(s.run("x.grad"), ["[3][2.0, 4.0, 6.0]"]);
    s.run("m = [x[0]*x[1], sin(x[2])]; x.grad = None; m.backward([1, 0])");
    assert_eq!(s.run("x.grad"), ["[3][2.0, 1.0, 0.0]"]);
    assert_eq!(
        s.run("def f(): c = 2; return c\nf().grad"),
        ["AttributeError: 'int' object has no attribute 'grad'"]
    );
}

#[test]
fn lists_are_vectors_under_arithmetic_and_lists_otherwise() {
    let mut s = Session::new();
    let note =
        "note a list of numbers times a number is a vector here; Python would repeat the list";
    assert_eq!(s.run("3*[1, 2]"), [note, "[2][3.0, 6.0]"]);
    assert_eq!(s.run("2*[1, 2]"), ["[2][2.0, 4.0]"]);
    assert_eq!(s.run("[1, 2] + [3, 4]").last().unwrap(), "[2][4.0, 6.0]");
    assert_eq!(s.run("[7]*3"), ["[7, 7, 7]"]);
    assert_eq!(s.run("['a'] + ['b']"), ["['a', 'b']"]);
    assert_eq!(s.run("-[1, 2]"), ["[2][-1.0, -2.0]"]);
    assert_eq!(s.run("[1, 2].sum()"), ["[][3.0]"]);
    assert_eq!(s.run("[[1, 2], [3, 4]].T[0]"), ["[2][1.0, 3.0]"]);
    assert_eq!(s.run("[1, 2] == [1, 2]"), ["True"]);
    s.run("x = [1, 2]; x[1] = 5; y = x^2; y.backward([1, 1])");
    assert_eq!(s.run("x.grad"), ["[2][2.0, 10.0]"]);
    assert_eq!(s.run("print(x, len(x), 5 in x)"), ["> [1, 5] 2 True"]);
    let note = "note sum adds the rows of a matrix, as in Python, and returns a vector";
    s.run("A = [[1, 2], [3, 4]]; B = 2*A; C = torch.ones(2, 2)");
    assert_eq!(s.run("sum(B)"), ["[][20.0]"]);
    assert_eq!(s.run("sum(C)"), [note, "[2][2.0, 2.0]"]);
    assert_eq!(s.run("sum(C)"), ["[2][2.0, 2.0]"]);
    s.run("acc = []; acc.append(1); acc = acc + [2]");
    assert_eq!(s.run("print(acc)"), ["> [1, 2]"]);
}

#[test]
fn inside_no_grad_a_leaf_keeps_its_name_and_grad() {
    let mut s = Session::new();
    s.run("w = [1, 2]; b = 3.0; y = (w*b).sum(); y.backward()");
    s.run("with no_grad():\n    w -= 0.5*w.grad\n    b -= 0.5*b.grad");
    assert_eq!(s.run("print(w, b)"), ["> [-0.5, 0.5] 1.5"]);
    assert_eq!(s.run("w.grad"), ["[2][3.0, 3.0]"]);
    s.run("w.grad = None; y = (w*b).sum(); y.backward()");
    assert_eq!(s.run("w.grad"), ["[2][1.5, 1.5]"]);
}

/// An int beyond 64 bits is a leaf as any number is, up to the largest float.
#[test]
fn long_ints_are_leaves_and_numbers() {
    let mut s = Session::new();
    assert_eq!(s.run("x = 10**30"), ["x = 1000000000000000000000000000000 leaf[]"]);
    s.run("y = x^2 + 2**70; y.backward()");
    assert_eq!(s.run("x.grad"), ["[][2e30]"]);
    assert_eq!(s.run("x // 10**29"), ["10"]);
    assert_eq!(s.run("z = [10**20, 1]; w = 3*z")[1..], ["w = [2][3e20, 3.0]"]);
    assert_eq!(s.run("h = 10**400"), [format!("h = 1{}", "0".repeat(400))]);
    assert_eq!(s.run("h + x - h"), ["1000000000000000000000000000000"]);
    assert_eq!(s.run("h = 2**20000"), ["h = <int of 20,001 bits>"]);
    assert_eq!(s.run("with no_grad(): x -= 1"), ["x = 999999999999999999999999999999 leaf[]"]);
    assert_eq!(s.run("x.grad"), ["[][2e30]"]);
}

#[test]
fn deep_and_endless_programs_end_in_plain_errors() {
    let cases = [
        ("def f(n): return f(n+1)\nf(0)", "RecursionError: maximum recursion depth exceeded"),
        (
            "class A:\n    def __repr__(self): return repr(self)\nrepr(A())",
            "RecursionError: maximum recursion depth exceeded",
        ),
        ("import foo\nfoo.bar(1)", "ModuleNotFoundError: No module named 'foo'"),
        ("from math import foo", "ImportError: cannot import name 'foo' from 'math'"),
    ];
    for (program, wanted) in cases {
        let (_, error) = deep(move || printed(program, true));
        assert_eq!(error.as_deref(), Some(wanted), "{program}");
    }
    let (_, error) = deep(|| printed("x = 'a' * 10**13", true));
    assert!(error.unwrap().starts_with("MemoryError: this needs"));
}
