//! Symbolic expressions, kept in the form a person would write: like terms collected, constants
//! folded, powers gathered. Sizes are bounded, so that recursion over one is safe.
//!
//! Every expression is a sum of multiples of products of powers:
//! `3x² − 2xy + 1` is `Sum[(3, Product[(x, 2)]), (−2, Product[(x, 1), (y, 1)]), (1, 1)]`.

pub(crate) mod array;
pub(crate) mod constants;
pub(crate) mod factor;
pub mod formula;
pub mod latex;
pub mod names;
pub mod share;
pub(crate) mod simplify;

use crate::{Formula, Fun};
use std::cell::Cell;
use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;
use vjp_tensor::Dtype;
use vjp_tensor::kernels::power::power;

/// Most nodes an expression may have, counted as a tree; a longer one becomes [`Node::Unknown`].
pub const MAX_SIZE: u32 = 3_000;
/// Deepest nesting.
pub const MAX_DEPTH: u16 = 200;

thread_local! {
    /// Work left, in parts put together; expressions made when it is used up are unknown.
    static WORK: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Runs `f` with so much work allowed to expressions.
pub fn with_work<R>(allowed: usize, f: impl FnOnce() -> R) -> R {
    let before = WORK.with(|w| w.replace(allowed));
    let result = f();
    WORK.with(|w| w.set(before));
    result
}

/// Whether the work allowed is used up.
pub fn exhausted() -> bool {
    WORK.with(|w| w.get() == 0)
}

/// Takes work away; false when there is none left.
fn work(amount: usize) -> bool {
    WORK.with(|w| {
        let left = if w.get() == usize::MAX { usize::MAX } else { w.get().saturating_sub(amount) };
        w.set(left);
        left > 0
    })
}

/// A symbolic expression; shared parts are shared. Always in normal form.
#[derive(Clone, Debug)]
pub struct Expr(Rc<Body>);

#[derive(Debug)]
struct Body {
    node: Node,
    hash: u64,
    size: u32,
    depth: u16,
}

/// The leaf a variable is an element of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Leaf {
    /// A name for a part that formulas share; written after the leaves.
    pub shared: bool,
    pub name: String,
    pub shape: Vec<usize>,
}

/// What an expression is made of. Invariants are kept by the functions that build one.
#[derive(Clone, Debug)]
pub enum Node {
    Const(f64),
    /// An element of a leaf, counted row-major.
    Var(Rc<Leaf>, usize),
    /// Multiples of terms that are neither constants (but the last may be `1`) nor multiples.
    Sum(Vec<(f64, Expr)>),
    /// Powers of bases; never a single first power.
    Product(Vec<(Expr, f64)>),
    /// A function of the table.
    Call(&'static Fun, Vec<Expr>),
    /// Grown too long to be of use.
    Unknown,
}

impl Formula<Expr> {
    /// The expression that it is.
    pub fn expr(self) -> Expr {
        match self {
            Formula::In(e) => e,
            Formula::Const(c) => Expr::constant(c),
        }
    }
}

impl Expr {
    pub fn constant(c: f64) -> Expr {
        // -0 and 0 are one number in a formula.
        Expr::build(Node::Const(if c == 0.0 { 0.0 } else { c }))
    }

    pub fn var(leaf: &Rc<Leaf>, index: usize) -> Expr {
        Expr::build(Node::Var(leaf.clone(), index))
    }

    pub fn unknown() -> Expr {
        Expr::build(Node::Unknown)
    }

    pub fn node(&self) -> &Node {
        &self.0.node
    }

    /// Nodes, counted as a tree.
    pub fn size(&self) -> u32 {
        self.0.size
    }

    pub fn as_const(&self) -> Option<f64> {
        match self.node() {
            Node::Const(c) => Some(*c),
            _ => None,
        }
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self.node(), Node::Unknown)
    }

    /// From a normalised node; `Unknown` when it or a part is too long.
    pub(super) fn build(node: Node) -> Expr {
        let mut hasher = DefaultHasher::new();
        std::mem::discriminant(&node).hash(&mut hasher);
        let (mut size, mut depth, mut known) = (1u32, 0u16, true);
        let mut part = |e: &Expr, hasher: &mut DefaultHasher| {
            e.0.hash.hash(hasher);
            size = size.saturating_add(e.0.size);
            depth = depth.max(e.0.depth + 1);
            known &= !e.is_unknown();
        };
        match &node {
            Node::Const(c) => c.to_bits().hash(&mut hasher),
            Node::Var(leaf, index) => (leaf, index).hash(&mut hasher),
            Node::Sum(terms) => {
                for (c, t) in terms {
                    c.to_bits().hash(&mut hasher);
                    part(t, &mut hasher);
                }
            }
            Node::Product(factors) => {
                for (b, e) in factors {
                    part(b, &mut hasher);
                    e.to_bits().hash(&mut hasher);
                }
            }
            Node::Call(fun, args) => {
                fun.name.hash(&mut hasher);
                for a in args {
                    part(a, &mut hasher);
                }
            }
            Node::Unknown => {}
        }
        let parts = match &node {
            Node::Sum(terms) => terms.len(),
            Node::Product(factors) => factors.len(),
            Node::Call(_, args) => args.len(),
            _ => 0,
        };
        if !known || size > MAX_SIZE || depth > MAX_DEPTH || !work(1 + parts) {
            return Expr(Rc::new(Body { node: Node::Unknown, hash: 0, size: 1, depth: 0 }));
        }
        let hash = hasher.finish();
        Expr(Rc::new(Body { node, hash, size, depth }))
    }

    /// The value where every variable has one.
    pub fn evaluate(&self, value: &dyn Fn(&Leaf, usize) -> f64) -> f64 {
        match self.node() {
            Node::Const(c) => *c,
            Node::Var(leaf, index) => value(leaf, *index),
            Node::Sum(terms) => terms.iter().map(|(c, t)| c * t.evaluate(value)).sum(),
            Node::Product(factors) => {
                factors.iter().map(|(b, e)| power(b.evaluate(value), *e)).product()
            }
            Node::Call(fun, args) => {
                let args: Vec<f64> = args.iter().map(|a| a.evaluate(value)).collect();
                (fun.value)(&args)
            }
            Node::Unknown => f64::NAN,
        }
    }
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
            || (self.0.hash == other.0.hash && self.order(other) == Ordering::Equal)
    }
}

impl Eq for Expr {}

impl Hash for Expr {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.hash.hash(hasher);
    }
}

impl Expr {
    /// A total order, which is also the order of writing: letters before functions before sums,
    /// higher powers first, constants last.
    pub fn order(&self, other: &Expr) -> Ordering {
        if Rc::ptr_eq(&self.0, &other.0) {
            return Ordering::Equal;
        }
        // A lone base is the first power of itself, so that x² stands before xy before x.
        match (self.node(), other.node()) {
            (Node::Product(a), Node::Product(b)) => powers(a, b),
            (Node::Product(a), _) if rank(other) < 4 => powers(a, &[(other.clone(), 1.0)]),
            (_, Node::Product(b)) if rank(self) < 4 => powers(&[(self.clone(), 1.0)], b),
            (Node::Const(a), Node::Const(b)) => a.total_cmp(b),
            (Node::Var(a, i), Node::Var(b, j)) => a.cmp(b).then(i.cmp(j)),
            (Node::Call(f, a), Node::Call(g, b)) => {
                f.name.cmp(g.name).then_with(|| each(a, b, |x, y| x.order(y)))
            }
            (Node::Sum(a), Node::Sum(b)) => {
                each(a, b, |x, y| x.1.order(&y.1).then(y.0.total_cmp(&x.0)))
            }
            _ => rank(self).cmp(&rank(other)),
        }
    }
}

fn rank(e: &Expr) -> u8 {
    match e.node() {
        Node::Var(..) => 0,
        Node::Product(_) => 1,
        Node::Call(..) => 2,
        Node::Sum(_) => 3,
        Node::Const(_) => 4,
        Node::Unknown => 5,
    }
}

fn powers(a: &[(Expr, f64)], b: &[(Expr, f64)]) -> Ordering {
    each(a, b, |x, y| x.0.order(&y.0).then(y.1.total_cmp(&x.1)))
}

/// Elementwise, the longer one first.
fn each<T>(a: &[T], b: &[T], mut cmp: impl FnMut(&T, &T) -> Ordering) -> Ordering {
    a.iter()
        .zip(b)
        .map(|(x, y)| cmp(x, y))
        .find(|o| o.is_ne())
        .unwrap_or_else(|| b.len().cmp(&a.len()))
}

/// A number as it was written before its type rounded it: 0.1, where a float32 holds 0.10000000149.
fn written(c: f64, dtype: Dtype) -> f64 {
    match dtype {
        Dtype::Float32 => (c as f32).to_string().parse().unwrap_or(c),
        _ => c,
    }
}

/// An array of expressions, row-major.
#[derive(Clone, Debug)]
pub struct Symbols {
    pub shape: Vec<usize>,
    pub data: Rc<[Expr]>,
}

impl Symbols {
    /// The elements of a named leaf.
    pub fn leaf(name: &str, shape: &[usize]) -> Symbols {
        let leaf = Rc::new(Leaf { shared: false, name: name.to_owned(), shape: shape.to_vec() });
        let size = shape.iter().product();
        Symbols { shape: shape.to_vec(), data: (0..size).map(|k| Expr::var(&leaf, k)).collect() }
    }

    /// Numbers that do not belong to a leaf.
    pub fn constants(t: &vjp_tensor::Tensor) -> Symbols {
        Symbols {
            shape: t.shape().to_vec(),
            data: t.data().iter().map(|c| Expr::constant(written(*c, t.dtype()))).collect(),
        }
    }
}
