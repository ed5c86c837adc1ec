//! Programs with the output that real PyTorch gave, run in-process, byte for byte.

use serde_json::Value;
use vjp::eval::language::machine::{Manner, Options};
use vjp::eval::record::event::Event;
use vjp::tensor::tensor::Dtype;
use vjp::text::source::Source;

struct Run {
    printed: String,
    error: Option<(String, String)>,
}

/// As `vjp run --plain --strict` does it, each program in a fresh machine.
fn run(program: &str) -> Run {
    let program = program.to_owned();
    std::thread::Builder::new()
        .stack_size(256 << 20)
        .spawn(move || {
            let mut machine = vjp::tutor::machine(Options { strict: true, dtype: Dtype::Float64 });
            let (mut printed, mut error) = (String::new(), None);
            let _ = machine.run(&Source::new(program.as_str()), Manner::Program, &mut |event| {
                match event {
                    Event::Print(text) => printed.push_str(&text),
                    Event::Error(fault) => {
                        error = Some((fault.class.clone(), fault.message.clone()))
                    }
                    _ => {}
                }
            });
            Run { printed, error }
        })
        .unwrap()
        .join()
        .unwrap_or_else(|_| Run {
            printed: String::new(),
            error: Some(("panic".into(), String::new())),
        })
}

/// None where it passes, else what differs.
fn difference(case: &Value) -> Option<String> {
    let got = run(case["program"].as_str().unwrap());
    let want = case["stdout"].as_str().unwrap();
    let wanted_error = case["error"]["message"].as_str();
    let got_error = got.error.as_ref().map(|e| e.1.as_str());
    if got.printed == want && got_error == wanted_error {
        return None;
    }
    Some(format!(
        "{}\n--- program\n{}--- wanted {wanted_error:?}\n{want}--- got {:?}\n{}",
        case["id"].as_str().unwrap(),
        case["program"].as_str().unwrap(),
        got.error,
        got.printed
    ))
}

fn cases(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// 600 small programs on 67 topics, and 20 lessons.
#[test]
fn recorded() {
    all_pass(include_str!("corpus/recorded.jsonl"));
}

/// Python's values and errors, formats, and tensors as they print; see corpus/python.py.
#[test]
fn python() {
    all_pass(include_str!("corpus/python.jsonl"));
}

/// Python's ints of every size; see corpus/ints.py.
#[test]
fn ints() {
    let cases: Vec<(String, String)> = include_str!("corpus/ints.jsonl")
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let tried = cases.iter().map(|(expression, _)| {
        format!(
            "try:\n    r = repr({expression})\nexcept Exception as e:\n    r = type(e).__name__ + ': ' + str(e)\nprint(r)\n"
        )
    });
    let program = tried.fold("import math\n".to_owned(), |all, one| all + &one);
    let got = run(&program);
    let lines: Vec<&str> = got.printed.lines().collect();
    assert_eq!(lines.len(), cases.len(), "{:?}", got.error);
    let differ = cases.iter().zip(lines).filter(|((_, want), got)| want != got);
    let differ: Vec<String> =
        differ.map(|((e, want), got)| format!("{e}\n  wanted {want}\n  got    {got}")).collect();
    assert!(differ.is_empty(), "{} differ:\n{}", differ.len(), differ.join("\n"));
}

fn all_pass(text: &str) {
    let failing: Vec<String> = cases(text).iter().filter_map(difference).collect();
    assert!(failing.is_empty(), "{} fail:\n{}", failing.len(), failing.join("\n======\n"));
}

/// Single expressions of PyTorch and NumPy, values and errors, printed alone and inside a list.
#[test]
fn expressions() {
    const SETUP: &str = "import torch\nimport math\nimport numpy as np\nimport torch.nn.functional as F\n\
        x=torch.tensor([1.,2.,3.],requires_grad=True)\n\
        M=torch.tensor([[2.,1.,0.5],[1.,3.,1.],[0.5,1.,4.]])\n\
        a=np.array([1.,2.,3.])\nk=np.array([3,1,2])\nA=np.array([[1.,2.],[3.,4.]])\n";
    let mut bad = Vec::new();
    for case in cases(include_str!("corpus/expressions.jsonl")) {
        let (expression, want) =
            (case["expression"].as_str().unwrap(), case["stdout"].as_str().unwrap());
        let mut lines: Vec<&str> = expression.split(" ;; ").collect();
        let last = lines.pop().unwrap();
        let body: String = lines.iter().map(|l| format!("    {l}\n")).collect();
        let program = format!(
            "{SETUP}try:\n{body}    r = {last}\n    print(r)\n    print([r])\nexcept Exception as e:\n    print(type(e).__name__+': '+str(e))\n"
        );
        let got = run(&program);
        if got.printed != want {
            bad.push(format!(
                "{expression}\n--- wanted\n{want}--- got {:?}\n{}",
                got.error, got.printed
            ));
        }
    }
    assert!(bad.is_empty(), "{} differ:\n{}", bad.len(), bad.join("\n======\n"));
}
