//! A program as steps: lines and blocks with the names that they read and write.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use vjp_syntax::ast::*;

pub type Names = BTreeSet<String>;

/// Names that are written to, and whether they are bound anew.
pub type Called = BTreeMap<String, bool>;

/// A piece of the program in JAX's words, in order.
pub enum Step<'a> {
    /// With its `#`, or empty.
    Comment(String),
    Line(Line<'a>),
    Block(Block<'a>),
    Sweep(Box<Sweep<'a>>),
}

/// A simple statement.
#[derive(Default)]
pub struct Line<'a> {
    pub id: usize,
    /// Where it stands in the PyTorch program.
    pub at: usize,
    /// What is written again where values are traced.
    pub tree: Option<&'a Stmt>,
    pub text: Vec<String>,
    pub reads: Names,
    /// Of these, what gradients flow to.
    pub recorded: Names,
    pub writes: Names,
    /// Gradients flow to what it binds.
    pub graded: bool,
    /// Inside `no_grad`.
    pub quiet: bool,
    /// It prints or draws, so that it must run once.
    pub effect: bool,
    /// Calls that ask a graph; their places in the text are marked.
    pub asks: Vec<Ask<'a>>,
    /// It only sets what the next sweep sets anew.
    pub idle: bool,
    /// It writes in place where no gradient sees it: the names are bound to what they were.
    pub silent: bool,
    /// What functions write to that it calls: these names are among `writes`.
    pub called: Called,
    /// A function's own name whose tensor it writes to.
    pub over: Option<String>,
}

/// A statement with blocks.
pub struct Block<'a> {
    pub at: usize,
    pub tree: Option<&'a Stmt>,
    pub kind: BlockKind,
    pub parts: Vec<Part<'a>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockKind {
    Loop,
    If,
    /// A function, with its parameters.
    Def(String, Names),
}

/// `if …:`, `else:` and what is in it.
pub struct Part<'a> {
    pub head: String,
    pub reads: Names,
    pub writes: Names,
    pub body: Vec<Step<'a>>,
}

/// A call of backward.
pub struct Sweep<'a> {
    pub at: usize,
    pub root: &'a Expr,
    pub text: String,
    pub reads: Names,
    /// What the gradient is differentiated by.
    pub leaves: Vec<Leaf>,
    pub weight: Option<String>,
    /// y is a number.
    pub scalar: bool,
    /// It reached leaves that are not among these.
    pub partly: bool,
}

/// A variable with a gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// `x`, `net_params`.
    pub name: String,
    /// `x_grad`, `net_grads`.
    pub grad: String,
    /// It holds several: a list or a dict.
    pub tree: bool,
    /// How its gradient is set.
    pub held: Held,
    /// Its gradient is that of a value in the middle: what is added to it there.
    pub shift: Option<String>,
    /// Of a dict, the keys that have gradients, where these are not all.
    pub keys: BTreeSet<String>,
}

impl Leaf {
    /// What the function is called with.
    pub fn argument(&self) -> String {
        match &self.shift {
            Some(_) => format!("jnp.zeros_like({})", self.name),
            None => self.name.clone(),
        }
    }

    /// What it calls that.
    pub fn parameter(&self) -> &str {
        self.shift.as_deref().unwrap_or(&self.name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// There was none, or zeros.
    Nothing,
    Something,
    Perhaps,
}

/// A call that asks for derivatives of a value.
#[derive(Clone)]
pub struct Ask<'a> {
    pub y: &'a Expr,
    pub leaves: Vec<String>,
    pub weight: Option<String>,
    pub how: How,
    pub scalar: bool,
    /// Names of comprehensions around it that y reads.
    pub given: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// `torch.autograd.grad(y, x)[0]`.
    Gradient,
    /// The tuple of it.
    Gradients,
    Jacobian,
    Hessian,
    /// `jvp(y, x, u)`.
    Push,
}

impl Step<'_> {
    /// Names that are read before they are written here.
    pub fn reads(&self) -> Names {
        match self {
            Step::Comment(_) => Names::new(),
            Step::Line(line) => line.reads.clone(),
            Step::Sweep(s) => s.reads.clone(),
            Step::Block(block) => block.reads(),
        }
    }

    /// Names that may be bound or changed.
    pub fn writes(&self) -> Names {
        match self {
            Step::Comment(_) => Names::new(),
            Step::Line(line) => line.writes.clone(),
            Step::Sweep(s) => s.leaves.iter().map(|l| l.grad.clone()).collect(),
            Step::Block(block) => block.writes(),
        }
    }

    /// Names that its own text binds, not a function that it calls.
    pub fn binds(&self) -> Names {
        match self {
            Step::Line(line) => {
                line.writes.iter().filter(|n| !line.called.contains_key(*n)).cloned().collect()
            }
            Step::Block(block) if !matches!(block.kind, BlockKind::Def(..)) => {
                let parts = block.parts.iter();
                parts
                    .flat_map(|p| {
                        p.writes.iter().cloned().chain(p.body.iter().flat_map(Step::binds))
                    })
                    .collect()
            }
            step => step.writes(),
        }
    }

    /// Whether a name may be bound to another tensor here, rather than written to behind the graph.
    pub fn defines(&self, name: &String) -> bool {
        match self {
            Step::Line(line) => match line.called.get(name) {
                Some(anew) => *anew,
                None => line.writes.contains(name) && !line.silent,
            },
            Step::Block(block) if matches!(block.kind, BlockKind::Def(..)) => {
                block.writes().contains(name)
            }
            Step::Block(block) => block
                .parts
                .iter()
                .any(|p| p.writes.contains(name) || p.body.iter().any(|s| s.defines(name))),
            step => step.writes().contains(name),
        }
    }

    pub fn sweeps(&self) -> bool {
        match self {
            Step::Sweep(_) => true,
            Step::Block(b) => b.parts.iter().any(|p| p.body.iter().any(Step::sweeps)),
            _ => false,
        }
    }
}

impl Block<'_> {
    pub fn reads(&self) -> Names {
        let mut all = Names::new();
        let mut own = Names::new();
        for part in &self.parts {
            all.extend(part.reads.iter().cloned());
            let inner = part.body.iter().flat_map(Step::reads);
            all.extend(inner);
        }
        if let BlockKind::Def(_, params) = &self.kind {
            own.extend(params.iter().cloned());
            own.extend(self.parts.iter().flat_map(|p| p.body.iter().flat_map(Step::writes)));
        }
        all.retain(|n| !own.contains(n));
        all
    }

    pub fn writes(&self) -> Names {
        match &self.kind {
            BlockKind::Def(name, _) => Names::from([name.clone()]),
            _ => {
                let parts = self.parts.iter();
                parts
                    .flat_map(|p| {
                        p.writes.iter().cloned().chain(p.body.iter().flat_map(Step::writes))
                    })
                    .collect()
            }
        }
    }

    pub fn graded(&self) -> bool {
        matches!(self.kind, BlockKind::Def(..))
            || self.parts.iter().any(|p| {
                p.body.iter().any(|s| match s {
                    Step::Line(line) => line.graded,
                    Step::Block(block) => block.graded(),
                    _ => false,
                })
            })
    }
}

/// The program as it will stand: text with what is read and written.
pub enum Out {
    Text(String),
    Line(Written),
    Block(Vec<(String, Written, Vec<Out>)>, BlockKind),
}

#[derive(Clone, Default)]
pub struct Written {
    pub id: usize,
    pub text: Vec<String>,
    pub reads: Names,
    pub writes: Names,
    pub effect: bool,
    pub idle: bool,
}

impl Out {
    fn reads(&self) -> Names {
        match self {
            Out::Text(_) => Names::new(),
            Out::Line(line) => line.reads.clone(),
            Out::Block(parts, kind) => {
                let mut all = Names::new();
                for (_, head, body) in parts {
                    all.extend(head.reads.iter().cloned());
                    // What a line of the block binds first is not read from outside.
                    let mut own = Names::new();
                    for out in body {
                        all.extend(out.reads().into_iter().filter(|n| !own.contains(n)));
                        if let Out::Line(line) = out {
                            own.extend(line.writes.iter().cloned());
                        }
                    }
                }
                if let BlockKind::Def(_, params) = kind {
                    all.retain(|n| !params.contains(n));
                }
                all
            }
        }
    }
}

/// Takes out the lines that were copied into functions and that nothing needs any more.
pub fn prune(outs: Vec<Out>, copied: &HashSet<usize>) -> Vec<Out> {
    let mut outs = outs;
    loop {
        let (kept, changed) = pruned(outs, copied);
        outs = kept;
        if !changed {
            return outs;
        }
    }
}

fn pruned(outs: Vec<Out>, copied: &HashSet<usize>) -> (Vec<Out>, bool) {
    let dead: Vec<bool> = (0..outs.len())
        .map(|at| match &outs[at] {
            Out::Line(line) => {
                (copied.contains(&line.id) || line.idle)
                    && !line.effect
                    && !line.writes.is_empty()
                    && line.writes.iter().all(|n| is_dead(n, &outs, at))
            }
            _ => false,
        })
        .collect();
    // One at a time: the next may have needed it.
    let first = dead.iter().rposition(|d| *d);
    let mut changed = first.is_some();
    let mut kept = Vec::new();
    for (at, out) in outs.into_iter().enumerate() {
        if Some(at) == first {
            continue;
        }
        kept.push(match out {
            Out::Block(parts, kind) if !changed => {
                let mut new = Vec::new();
                for (head, written, body) in parts {
                    let (body, more) = pruned(body, copied);
                    changed |= more;
                    new.push((head, written, body));
                }
                Out::Block(new, kind)
            }
            other => other,
        });
    }
    (kept, changed)
}

/// Whether a name's value is never read before it is bound anew. In a loop the next turn begins
/// where this one ended, and what follows the loop is taken to read everything.
fn is_dead(name: &str, outs: &[Out], from: usize) -> bool {
    for out in &outs[from + 1..] {
        if out.reads().contains(name) {
            return false;
        }
        if let Out::Line(line) = out
            && line.writes.contains(name)
        {
            return true;
        }
    }
    false
}

impl Out {
    /// The lines.
    pub fn lines(&self, indent: usize, all: &mut Vec<String>) {
        let pad = "    ".repeat(indent);
        match self {
            Out::Text(line) if line.is_empty() => all.push(String::new()),
            Out::Text(line) => all.push(format!("{pad}{line}")),
            Out::Line(line) => {
                for text in line.text.iter().flat_map(|t| t.split('\n')) {
                    match text.is_empty() {
                        true => all.push(String::new()),
                        false => all.push(format!("{pad}{text}")),
                    }
                }
            }
            Out::Block(parts, _) => {
                for (head, _, body) in parts {
                    all.extend(head.split('\n').map(|line| format!("{pad}{line}")));
                    let before = all.len();
                    body.iter().for_each(|o| o.lines(indent + 1, all));
                    if all[before..]
                        .iter()
                        .all(|l| l.trim().is_empty() || l.trim().starts_with('#'))
                    {
                        all.push(format!("{pad}    pass"));
                    }
                }
            }
        }
    }
}
