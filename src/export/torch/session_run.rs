//! A session as it ran: which statements succeeded, and what only running them shows.

use crate::format::Refusal;
use std::collections::{HashMap, HashSet};
use vjp_eval::language::machine::Telling;
use vjp_eval::leaf::existing;
use vjp_eval::record::watched_values::Watch;
use vjp_eval::{Event, Fault, Machine, Manner, Options, Value};
use vjp_session::marking::fill;
use vjp_session::{Transcript, notebook, program};
use vjp_syntax::Mode;
use vjp_syntax::ast::{Stmt, StmtKind};
use vjp_tensor::{Dtype, Fact, Kind};
use vjp_text::Source;

/// A piece of a session, in order.
pub enum Item {
    /// Narration, with its `#`; an empty line is layout.
    Prose(String),
    /// What has no counterpart in a program: a command, an input that did not parse.
    Remark(String),
    /// The default dtype from here on.
    Dtype(Dtype),
    Statement(Box<Ran>),
}

/// One statement at the top level.
pub struct Ran {
    pub source: Source,
    pub tree: Stmt,
    /// Line of the file on which it begins, from 1.
    pub line: usize,
    pub strict: bool,
    /// The first line of the error that ended it.
    pub failed: Option<String>,
    /// Names that were bound before, with what they were.
    pub before: HashMap<String, Bound>,
    pub after: HashMap<String, Bound>,
}

/// What a name was bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A leaf from a bare number or list, by its identity.
    Leaf(usize),
    Tensor,
    /// A number that remembers how it was computed, or one that does not.
    Number,
    /// A list of numbers that was used as a vector.
    Stacked,
    Other,
}

/// A session that ran to its end.
pub struct Session {
    pub items: Vec<Item>,
    pub machine: Machine,
    pub watch: Watch,
    /// Identities of leaves that something was differentiated by.
    pub reached: HashSet<usize>,
    /// PyTorch would have freed a graph that was used again.
    pub kept: bool,
    /// Lists that statements bound: statement (index into items), name, the list.
    lists: Vec<(usize, String, Value)>,
    /// Names of lists that grow or shrink: they stay lists.
    pub growing: HashSet<String>,
    /// Identities of leaves that are constants beside leaves with requires_grad=True.
    pub constants: HashSet<usize>,
    pub dtype: Dtype,
    /// No prompts in it.
    pub plain: bool,
    pub printed: String,
}

/// An input and where it stands.
#[derive(Clone)]
struct Input {
    prose: Vec<String>,
    line: usize,
    text: String,
}

/// Runs a session file or a plain program.
///
/// # Errors
/// A malformed session file; a plain program that fails; what PyTorch has and vjp does not.
pub fn run(text: &str, options: Options) -> Result<Session, Refusal> {
    let (transcript, session) = program::read(text).map_err(|e| Refusal {
        line: e.line,
        problem: e.problem.into_owned(),
        hint: "a session file has its inputs after `vjp> `".into(),
    })?;
    let plain = !session;
    if let Some(open) = transcript.steps.iter().position(|s| !plain && fill::is_open(&s.input)) {
        let (problem, hint) = match fill::is_ranged(&transcript.steps[open].input) {
            true => ("this input has a range", "vjp sheet FILE -o OUT  draws its numbers"),
            false => ("this input has a ____ that is not filled in", "put a number in its place"),
        };
        let line = transcript.prompt_line(open);
        return Err(Refusal { line, problem: problem.into(), hint: hint.into() });
    }
    let cells = notebook::is_notebook(text);
    let mut inputs: Vec<Input> = Vec::new();
    for (n, step) in transcript.steps.iter().enumerate() {
        inputs.push(Input {
            prose: step.narration.clone(),
            line: transcript.prompt_line(n) - if plain { inputs_before(&transcript, n) } else { 0 },
            text: if cells { notebook::cell_code(&step.text()) } else { step.text() },
        });
    }
    let mut undone: Vec<usize> = Vec::new();
    let mut session = attempt(&inputs, &undone, options, plain)?;
    // Each :undo takes an input away, and what follows is as if it had never been.
    while let Some(next) = session.1 {
        undone.push(next);
        session = attempt(&inputs, &undone, options, plain)?;
    }
    let mut session = session.0;
    session.items.extend(transcript.tail.into_iter().map(Item::Prose));
    Ok(session)
}

/// Lines that a plain program gained before input `n` when it became a session.
fn inputs_before(transcript: &Transcript, n: usize) -> usize {
    let gained = |s: &&vjp_session::Step| s.input.last().is_some_and(String::is_empty);
    transcript.steps[..n].iter().filter(gained).count()
}

/// Runs all inputs but those undone; also says which one the next `:undo` takes back.
fn attempt(
    inputs: &[Input],
    undone: &[usize],
    options: Options,
    plain: bool,
) -> Result<(Session, Option<usize>), Refusal> {
    let mut session = Session {
        items: Vec::new(),
        machine: vjp_tutor::machine(options),
        watch: Watch::default(),
        reached: HashSet::new(),
        kept: false,
        lists: Vec::new(),
        growing: HashSet::new(),
        constants: HashSet::new(),
        dtype: options.dtype,
        plain,
        printed: String::new(),
    };
    session.machine.keep_history(true);
    session.machine.telling = Telling::Nothing;
    session.machine.watch();
    let mut standing: Vec<usize> = Vec::new();
    let mut undoing = 0;
    let mut next = None;
    for (n, input) in inputs.iter().enumerate() {
        let prose = input.prose.iter().cloned().map(Item::Prose);
        session.items.extend(prose);
        let text = input.text.trim();
        if text.starts_with(':') && !plain {
            match text.split_whitespace().collect::<Vec<_>>()[..] {
                [":set", "strict", word] => session.machine.set_strict(word == "on"),
                [":set", "dtype", word] => {
                    session.set_dtype(word);
                    continue;
                }
                [":set", "jupyter", _] => {
                    session.machine.set_strict(true);
                    session.set_dtype("float32");
                    continue;
                }
                [":reset"] => session.machine.reset(),
                [":undo"] => {
                    undoing += 1;
                    if undoing > undone.len()
                        && let Some(last) = standing.pop()
                    {
                        next = Some(last);
                        break;
                    }
                }
                _ => {}
            }
            session.items.push(Item::Remark(text.to_owned()));
            continue;
        }
        if undone.contains(&n) {
            let first = input.text.lines().next().unwrap_or("");
            session.items.push(Item::Remark(format!("{first}   (undone)")));
            continue;
        }
        if session.input(input)? {
            standing.push(n);
        }
    }
    session.watch = session.machine.watched();
    let swept = session.watch.sweeps.iter().flat_map(|s| &s.leaves);
    session.reached.extend(swept.map(|x| x.id));
    Ok((session, next))
}

impl Session {
    fn set_dtype(&mut self, word: &str) {
        let dtype = match word {
            "float32" => Dtype::Float32,
            _ => Dtype::Float64,
        };
        self.machine.set_dtype(dtype);
        vjp_tensor::tensor::set_default_dtype(dtype);
        self.items.push(Item::Dtype(dtype));
    }

    /// Runs an input, statement by statement; says whether any of it stands.
    fn input(&mut self, input: &Input) -> Result<bool, Refusal> {
        let whole = Source::new(input.text.as_str());
        let mode = Mode { strict: self.machine.strict() };
        let program = match vjp_syntax::parse(&whole, mode) {
            Ok(program) => program,
            Err(fault) if self.plain => {
                return Err(Refusal {
                    line: input.line + whole.line_of(fault.span.start),
                    problem: fault.message,
                    hint: "vjp run shows where".into(),
                });
            }
            Err(fault) => {
                for line in input.text.lines() {
                    self.items.push(Item::Remark(line.to_owned()));
                }
                self.items.push(Item::Remark(format!("error  {}", fault.message)));
                return Ok(false);
            }
        };
        let mut stands = false;
        for statement in &program.body {
            let source = Source::new(whole.slice(statement.span));
            // Parsed once more so that its places are those of its own text.
            let Ok(mut own) = vjp_syntax::parse(&source, mode) else {
                continue;
            };
            let Some(tree) = own.body.pop() else {
                continue;
            };
            let line = input.line + whole.line_of(statement.span.start);
            let (ran, fault) = self.statement(source, tree, line);
            if let Some(fault) = fault
                && (self.plain || is_missing(&fault) || fault.kind.is_stop())
            {
                return Err(failure(line, &ran.source, &fault));
            }
            let failed = ran.failed.is_some();
            stands |= !failed;
            self.items.push(Item::Statement(Box::new(ran)));
            if failed {
                break;
            }
        }
        Ok(stands)
    }

    fn statement(&mut self, source: Source, tree: Stmt, line: usize) -> (Ran, Option<Box<Fault>>) {
        let strict = self.machine.strict();
        let before = self.bindings();
        // A bare expression binds `_` where lines are echoed.
        let manner = match tree.kind {
            StmtKind::Expr(_) => Manner::Line,
            _ => Manner::Program,
        };
        let mut printed = String::new();
        let outcome = self.machine.run(&source, manner, &mut |event| {
            if let Event::Print(text) = event {
                printed += &text;
            }
        });
        self.printed += &printed;
        self.kept = self.machine.noted("retain_graph");
        let here = self.items.len();
        for (name, value) in self.machine.names() {
            if matches!(value, Value::List(_)) {
                self.lists.push((here, name, value));
            }
        }
        let fault = outcome.err();
        let failed = fault.as_ref().map(|f| f.message.lines().next().unwrap_or("").to_owned());
        let after = self.bindings();
        (Ran { source, tree, line, strict, failed, before, after }, fault)
    }

    fn bindings(&self) -> HashMap<String, Bound> {
        let names = self.machine.names().into_iter();
        names.map(|(name, value)| (name, bound(&value))).collect()
    }

    /// Whether the list that statement `item` bound to `name` was used as a vector, then or later.
    pub fn stacked(&self, item: usize, name: &str) -> bool {
        let mut bound = self.lists.iter();
        bound.any(|(at, n, list)| *at == item && n == name && existing(list).is_some())
    }

    /// Whether random numbers are drawn before the program gives a seed: it needs that of the session.
    pub fn begins_unseeded(&self) -> bool {
        let mut statements = self.items.iter().filter_map(|i| match i {
            Item::Statement(ran) => Some(ran),
            _ => None,
        });
        let seeds = |ran: &Ran| ran.source.text().contains("manual_seed(");
        let draws = |ran: &Ran| self.watch.drew(ran.source.id());
        statements.find(|ran| seeds(ran) || draws(ran)).is_some_and(|ran| !seeds(ran))
    }

    /// Whether a name is that of a list that grows or shrinks.
    pub fn grows(&self, name: &str) -> bool {
        self.growing.contains(name)
    }

    /// Notes that the leaf which `name` is bound to now was differentiated by.
    pub fn reach(&mut self, bound: Option<&Bound>) {
        if let Some(Bound::Leaf(id)) = bound {
            self.reached.insert(*id);
        }
    }
}

/// Whether an error says that vjp lacks what PyTorch has.
fn is_missing(fault: &Fault) -> bool {
    fault.fact == Fact::Absent || matches!(fault.kind, Kind::ModuleNotFound | Kind::Import)
}

fn failure(line: usize, source: &Source, fault: &Fault) -> Refusal {
    let inside = fault.source.id() == source.id();
    let line = line + if inside { fault.source.line_of(fault.span.start) } else { 0 };
    let first = fault.message.lines().next().unwrap_or("");
    let problem = match fault.class.as_str() {
        "" => first.to_owned(),
        class => format!("{class}: {first}"),
    };
    let stopped = fault.help.first().filter(|_| fault.kind.is_stop());
    let hint = match (is_missing(fault), stopped) {
        (true, _) => "vjp does not have this, so it cannot export it".to_owned(),
        (false, Some(help)) => help.says.clone(),
        (false, None) => "remove or fix the line: vjp run shows where".to_owned(),
    };
    Refusal { line, problem, hint }
}

fn bound(value: &Value) -> Bound {
    match (value, existing(value)) {
        (Value::Tensor(_) | Value::Array(_), _) => Bound::Tensor,
        (_, Some(v)) if v.is_implicit() && v.is_leaf() => Bound::Leaf(v.id()),
        (Value::Number(_) | Value::Int(_) | Value::Long(_) | Value::Float(_), _) => Bound::Number,
        (Value::List(_), Some(_)) => Bound::Stacked,
        _ => Bound::Other,
    }
}
