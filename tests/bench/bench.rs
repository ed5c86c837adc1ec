//! `cargo bench`: times of vjp beside those of PyTorch and JAX, one JSON line a task.
//!
//! `VJP_REF_PYTHON` names a Python that has them; without it only our times and the goals are printed.
//! `cargo bench -- jac,tiny --seconds 0.2 --rounds 2 --peers torch` picks tasks by parts of their names.
//! Each task is timed in this process (reading the turn's text included): as `vjp -e` runs it where
//! it is a task for the prompt, else as `vjp run --plain --strict` does, where nothing is echoed and
//! no J computed that nobody sees. Those others are timed again as a loop in a program given to
//! `vjp run` (names begin with `run `), and some as a line at the prompt, J and panel's event
//! included (names begin with `line `).
//! `lessons …` are whole programs of `tests/bench/lessons`, as a process, in milliseconds.
//! `typing …` are the keys of a line being typed, each the slowest in milliseconds.
#![allow(clippy::unwrap_used, clippy::panic)]

mod lessons;
mod tasks;
mod typing;

use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tasks::Task;
use vjp::eval::language::machine::{Machine, Manner, Options, Telling};
use vjp::eval::values::value::Value;
use vjp::jacobian::walk::numeric;
use vjp::text::source::Source;

#[global_allocator]
static ALLOCATOR: vjp::tensor::budget::Counting = vjp::tensor::budget::Counting;

/// As the program runs: one thread with a large stack.
const STACK: usize = 256 << 20;

struct Wish {
    names: Vec<String>,
    seconds: f64,
    rounds: usize,
    peers: Vec<String>,
}

fn wish() -> Wish {
    let mut wish = Wish {
        names: Vec::new(),
        seconds: 0.3,
        rounds: 2,
        peers: vec!["torch".into(), "jax".into()],
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().expect("a value");
        match arg.as_str() {
            "--seconds" => wish.seconds = value().parse().expect("seconds"),
            "--rounds" => wish.rounds = value().parse().expect("rounds"),
            "--peers" => wish.peers = value().split(',').map(str::to_owned).collect(),
            // What cargo itself adds.
            "--bench" => {}
            names => wish.names = names.split(',').map(str::to_owned).collect(),
        }
    }
    wish
}

fn main() {
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(measure);
    worker.unwrap().join().unwrap();
}

fn measure() {
    vjp::tensor::budget::allocator::settle();
    let wish = wish();
    let wanted =
        |name: &str| wish.names.is_empty() || wish.names.iter().any(|n| name.contains(n.as_str()));
    if wanted("typing") {
        for line in typing::times() {
            println!("{line}");
        }
    }
    let all = tasks::all();
    let tasks: Vec<&Task> = all.iter().filter(|t| wanted(&t.name)).collect();
    let python = std::env::var("VJP_REF_PYTHON").ok().filter(|p| !p.is_empty());
    if python.is_none() {
        eprintln!("no peers were run: VJP_REF_PYTHON names no Python with torch and jax");
    }
    let torch = python.as_deref().filter(|_| wish.peers.iter().any(|p| p == "torch"));
    for line in lessons::times(wanted, wish.rounds, torch) {
        println!("{line}");
    }
    let mut ours: HashMap<String, f64> = HashMap::new();
    let mut theirs: HashMap<(String, String), f64> = HashMap::new();
    for _ in 0..wish.rounds {
        for peer in &wish.peers {
            if let Some(python) = &python {
                for (task, us) in run_peer(python, peer, &all, &tasks, wish.seconds) {
                    least(theirs.entry((peer.clone(), task)).or_insert(f64::INFINITY), us);
                }
            }
            for task in &tasks {
                for (name, us) in own_times(task, wish.seconds) {
                    least(ours.entry(name).or_insert(f64::INFINITY), us);
                }
            }
        }
    }
    for task in &tasks {
        let own = &task.name;
        for name in [own.clone(), format!("run {own}"), format!("line {own}")] {
            if let Some(us) = ours.get(&name) {
                println!("{}", line(task, &name, *us, &theirs));
            }
        }
    }
}

fn least(slot: &mut f64, us: f64) {
    *slot = slot.min(us);
}

/// Three digits are enough.
fn rounded(x: f64) -> f64 {
    if x == 0.0 {
        return 0.0;
    }
    let unit = 10f64.powi(x.abs().log10().floor() as i32 - 2);
    let digits = (x / unit).round();
    if unit < 1.0 { digits / (1.0 / unit).round() } else { digits * unit }
}

fn line(task: &Task, name: &str, us: f64, theirs: &HashMap<(String, String), f64>) -> Json {
    let of = |peer: &str| theirs.get(&(peer.to_owned(), task.peer().to_owned())).copied();
    let (torch, jax) = (of("torch"), of("jax"));
    json!({
        "task": name,
        "us": rounded(us),
        "torch": torch.map(rounded),
        "jax": jax.map(rounded),
        "ratio_torch": torch.map(|t| rounded(t / us)),
        "goal_torch": task.goals.0,
        "ratio_jax": jax.map(|t| rounded(t / us)),
        "goal_jax": task.goals.1,
    })
}

fn run_peer(
    python: &str,
    peer: &str,
    all: &[Task],
    tasks: &[&Task],
    seconds: f64,
) -> Vec<(String, f64)> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bench/peers.py");
    let mut child = Command::new(python)
        .args([script, peer, &seconds.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("VJP_REF_PYTHON runs");
    let mut lines = String::new();
    for t in all.iter().filter(|t| t.against.is_none() && tasks.iter().any(|w| w.peer() == t.name))
    {
        let turn = t.torch.as_ref().unwrap_or(&t.turn);
        let task = json!({"task": t.name, "setup": t.setup, "turn": turn});
        lines += &format!("{task}\n");
    }
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    if !output.status.success() {
        eprintln!("{peer} failed: its times are incomplete");
    }
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|l| serde_json::from_str::<Json>(l).ok())
        .filter_map(|j| Some((j["task"].as_str()?.to_owned(), j["us"].as_f64()?)))
        .collect()
}

fn own_times(task: &Task, seconds: f64) -> Vec<(String, f64)> {
    if task.name == "startup" {
        return vec![(task.name.clone(), startup(seconds))];
    }
    let mut times = vec![(task.name.clone(), in_process(task, task.prompt, seconds))];
    if !task.prompt {
        times.push((format!("run {}", task.name), as_program(task, seconds)));
    }
    if task.line {
        times.push((format!("line {}", task.name), in_process(task, true, seconds)));
    }
    times
}

/// The least time of one turn, in microseconds.
fn best(seconds: f64, mut turn: impl FnMut()) -> f64 {
    turn();
    let mut least = f64::INFINITY;
    let (start, budget) = (Instant::now(), Duration::from_secs_f64(seconds));
    let mut turns = 0;
    while turns < 3 || start.elapsed() < budget {
        let before = Instant::now();
        turn();
        least = least.min(before.elapsed().as_secs_f64());
        turns += 1;
    }
    least * 1e6
}

fn startup(seconds: f64) -> f64 {
    best(seconds, || {
        let status = Command::new(env!("CARGO_BIN_EXE_vjp"))
            .args(["-e", "x=[1,2]; y=3*x^2; y.backward([1,10])"])
            .stdout(Stdio::null())
            .status();
        assert!(status.unwrap().success());
    })
}

/// As a line typed into a running prompt, or as a strict program: read, run, and its graph dropped.
fn in_process(task: &Task, line: bool, seconds: f64) -> f64 {
    let mut machine = vjp::tutor::machine(Options { strict: !task.prompt, ..Options::default() });
    let manner = match line {
        true => Manner::Line,
        false => {
            machine.telling = Telling::Nothing;
            Manner::Program
        }
    };
    let run = |machine: &mut Machine, text: &str, manner| {
        let done = machine.run(&Source::new(text), manner, &mut |event| {
            std::hint::black_box(event);
        });
        assert!(done.is_ok(), "{}: {:?}", task.name, done.err().map(|f| f.message));
    };
    run(&mut machine, &format!("import torch\n{}", task.setup), Manner::Program);
    let kept = task.name.ends_with("_kept");
    best(seconds, || {
        run(&mut machine, &task.turn, manner);
        if kept {
            // The Jacobian that a panel draws, in its cheapest form.
            let variable = |name| match machine.lookup(name) {
                Some(Value::Tensor(v)) => v,
                _ => panic!("{name} is no tensor"),
            };
            std::hint::black_box(numeric(&variable("y"), &variable("x")).unwrap());
        }
    })
}

/// The turn as a loop's body, timed by the program itself.
fn as_program(task: &Task, seconds: f64) -> f64 {
    let turn: String = task.turn.lines().map(|l| format!("    {l}\n")).collect();
    let program = format!(
        "import torch\nimport time\ntorch.set_default_dtype(torch.float64)\n{}\
         best = 1e9\nend = time.perf_counter() + {seconds}\nwhile time.perf_counter() < end:\n    \
         start = time.perf_counter()\n{turn}    best = min(best, time.perf_counter() - start)\nprint(best)\n",
        task.setup
    );
    let mut file = tempfile::Builder::new().suffix(".py").tempfile().unwrap();
    file.write_all(program.as_bytes()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_vjp"))
        .args(["run", "--plain", "--strict"])
        .arg(file.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    match said.trim().parse::<f64>() {
        Ok(seconds) => seconds * 1e6,
        Err(_) => panic!("{}: {said}{}", task.name, String::from_utf8_lossy(&output.stderr)),
    }
}
