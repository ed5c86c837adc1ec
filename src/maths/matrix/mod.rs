//! Formulas of whole arrays, as they stand on a board: `∂h ⊙ (1 − h²)`, `Xᵀ ∂z`.
//!
//! A formula keeps sums of multiples, products of powers element by element, and chains of matrix
//! products apart, so that what a linear map does to a symbol comes out as a person writes it.
//! [`Matrix`] is one more kind of coefficient for the derivatives that operations state.

mod array;
pub mod board;
pub mod code;
mod fold;
pub mod selection;

use super::autodiff::algebra::Fun;
use super::autodiff::linear_map::Array;
use super::autodiff::rule::Operation;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;
use vjp_tensor::shape::Shape;
use vjp_tensor::{ElementMap, Tensor, budget};

/// A formula of whole arrays; shared parts are shared.
#[derive(Clone, Debug)]
pub struct Matrix(Rc<Body>);

#[derive(Debug)]
struct Body {
    node: Node,
    shape: Shape,
    hash: u64,
    size: usize,
    named: bool,
}

/// A value that a formula refers to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Named {
    /// Tells it from all others.
    pub key: usize,
    /// As the board has it: `∂h`, `W1`.
    pub text: String,
    /// As code has it: `d_h`.
    pub code: String,
}

/// What a formula is made of. The functions that build one keep it in order.
#[derive(Clone, Debug)]
pub enum Node {
    Name(Rc<Named>),
    /// All elements this number.
    Number(f64),
    /// Multiples of terms, element by element, the smaller ones broadcast.
    Sum(Vec<(f64, Matrix)>),
    /// Powers of factors, likewise.
    Times(Vec<(Matrix, f64)>),
    /// A function of the table, likewise.
    Call(&'static Fun, Vec<Matrix>),
    /// A chain of matrix products, batched.
    Product(Vec<Matrix>),
    /// The last two dimensions exchanged.
    Swap(Matrix),
    /// The same elements in another shape.
    Reshape(Matrix),
    /// Broadcast.
    Expand(Matrix),
    /// Summed down to a shape that broadcasts to the former one.
    Collapse(Matrix),
    Gather(Matrix, ElementMap),
    Scatter(Matrix, ElementMap),
    /// An operation carried out.
    Run(Rc<dyn Operation>, Vec<Matrix>),
    /// What an operation's derivative with respect to an input makes of a cotangent: the inputs, the
    /// cotangent, and the formula, which selects elements in a way that has no short name.
    Pull(Rc<dyn Operation>, usize, Vec<Matrix>),
}

impl Matrix {
    /// From a node in order.
    pub(crate) fn build(node: Node, shape: &[usize]) -> Matrix {
        let mut hasher = DefaultHasher::new();
        std::mem::discriminant(&node).hash(&mut hasher);
        shape.hash(&mut hasher);
        match &node {
            Node::Name(name) => name.key.hash(&mut hasher),
            Node::Number(c) => c.to_bits().hash(&mut hasher),
            Node::Sum(terms) => terms.iter().for_each(|(c, _)| c.to_bits().hash(&mut hasher)),
            Node::Times(factors) => factors.iter().for_each(|(_, e)| e.to_bits().hash(&mut hasher)),
            Node::Call(fun, _) => fun.name.hash(&mut hasher),
            Node::Gather(_, w) | Node::Scatter(_, w) => {
                (&w.from, &w.to, &w.index).hash(&mut hasher)
            }
            Node::Run(op, _) => format!("{op:?}").hash(&mut hasher),
            Node::Pull(op, wrt, _) => (format!("{op:?}"), wrt).hash(&mut hasher),
            _ => {}
        }
        let (mut size, mut named) = (1usize, matches!(node, Node::Name(_)));
        for part in node.parts() {
            part.0.hash.hash(&mut hasher);
            size = size.saturating_add(part.0.size);
            named |= part.0.named;
        }
        let hash = hasher.finish();
        Matrix(Rc::new(Body { node, shape: shape.to_vec(), hash, size, named }))
    }

    pub fn name(key: usize, text: &str, code: &str, shape: &[usize]) -> Matrix {
        let named = Named { key, text: text.to_owned(), code: code.to_owned() };
        Matrix::build(Node::Name(Rc::new(named)), shape)
    }

    pub fn number(c: f64, shape: &[usize]) -> Matrix {
        Matrix::build(Node::Number(if c == 0.0 { 0.0 } else { c }), shape)
    }

    /// See [`Node::Pull`].
    pub fn pulled_by(
        op: Rc<dyn Operation>,
        wrt: usize,
        parts: Vec<Matrix>,
        shape: &[usize],
    ) -> Matrix {
        Matrix::build(Node::Pull(op, wrt, parts), shape)
    }

    pub fn node(&self) -> &Node {
        &self.0.node
    }

    pub fn dims(&self) -> &[usize] {
        &self.0.shape
    }

    pub fn numel(&self) -> usize {
        self.0.shape.iter().product()
    }

    /// Nodes, counted as a tree.
    pub fn size(&self) -> usize {
        self.0.size
    }

    /// Whether a name stands in it.
    pub fn has_names(&self) -> bool {
        self.0.named
    }

    /// The number that all its elements are.
    pub fn as_number(&self) -> Option<f64> {
        match self.node() {
            Node::Number(c) => Some(*c),
            _ => None,
        }
    }

    /// The address, for what is remembered of a formula while it lives.
    pub fn address(&self) -> usize {
        Rc::as_ptr(&self.0) as usize
    }

    /// Each name that stands in it, once for each place.
    pub fn each_name(&self, see: &mut dyn FnMut(&Rc<Named>, &[usize])) {
        if let Node::Name(name) = self.node() {
            see(name, self.dims());
        }
        if self.has_names() {
            self.node().parts().into_iter().for_each(|part| part.each_name(see));
        }
    }

    /// With other formulas in the place of names.
    #[must_use]
    pub fn replaced(&self, with: &HashMap<usize, Matrix>) -> Matrix {
        self.rebuilt(with, &mut HashMap::new())
    }

    fn rebuilt(&self, with: &HashMap<usize, Matrix>, known: &mut HashMap<usize, Matrix>) -> Matrix {
        if !self.has_names() {
            return self.clone();
        }
        if let Some(done) = known.get(&self.address()) {
            return done.clone();
        }
        let parts = self.node().parts().into_iter();
        let parts: Vec<Matrix> = parts.map(|p| p.rebuilt(with, known)).collect();
        let made = match self.node() {
            Node::Name(name) => with.get(&name.key).cloned().unwrap_or_else(|| self.clone()),
            Node::Number(_) => self.clone(),
            Node::Sum(terms) => {
                Matrix::sum(terms.iter().map(|(c, _)| *c).zip(parts).collect()).fit(self.dims())
            }
            Node::Times(factors) => {
                let powers = factors.iter().map(|(_, e)| *e);
                Matrix::times(parts.into_iter().zip(powers).collect()).fit(self.dims())
            }
            Node::Call(fun, _) => <Matrix as super::autodiff::algebra::Algebra>::call(
                fun,
                &parts.iter().collect::<Vec<_>>(),
            ),
            Node::Product(_) => Matrix::product(parts),
            Node::Swap(_) => parts[0].transposed(),
            Node::Reshape(_) => parts[0].reshaped(self.dims()),
            Node::Expand(_) => parts[0].fit(self.dims()),
            Node::Collapse(_) => parts[0].summed(self.dims()),
            Node::Gather(_, w) => parts[0].picked(w),
            Node::Scatter(_, w) => parts[0].placed(w),
            Node::Run(op, _) => Matrix::build(Node::Run(op.clone(), parts), self.dims()),
            Node::Pull(op, wrt, _) => {
                Matrix::build(Node::Pull(op.clone(), *wrt, parts), self.dims())
            }
        };
        known.insert(self.address(), made.clone());
        made
    }

    /// The value where every name has one.
    pub fn evaluate(&self, values: &HashMap<usize, Tensor>) -> Option<Tensor> {
        let mut known = HashMap::new();
        self.value(values, &mut known)
    }

    fn value(
        &self,
        values: &HashMap<usize, Tensor>,
        known: &mut HashMap<usize, Tensor>,
    ) -> Option<Tensor> {
        if let Some(done) = known.get(&self.address()) {
            return Some(done.clone());
        }
        budget::tick().ok()?;
        let parts = self.node().parts().into_iter();
        let parts: Vec<Tensor> = parts.map(|p| p.value(values, known)).collect::<Option<_>>()?;
        let value = match self.node() {
            Node::Name(name) => values.get(&name.key)?.clone(),
            Node::Number(c) => Tensor::filled(self.dims(), *c, vjp_tensor::Dtype::Float64).ok()?,
            Node::Sum(terms) => {
                let each = terms.iter().zip(&parts).map(|((c, _), t)| match *c == 1.0 {
                    true => t.clone(),
                    false => Array::scale(t, *c),
                });
                each.reduce(|a, b| Array::add(&a, &b))?
            }
            Node::Times(factors) => {
                let each = factors.iter().zip(&parts).map(|((_, e), t)| fold::raised(t, *e));
                each.reduce(|a, b| Array::mul(&a, &b))?
            }
            Node::Call(fun, _) => (fun.tensor)(&parts.iter().collect::<Vec<_>>()).ok()?,
            Node::Product(_) => parts.into_iter().reduce(|a, b| Array::matmul(&a, &b))?,
            Node::Swap(_) => Array::swap(&parts[0]),
            Node::Reshape(_) => parts[0].reshaped(self.dims()),
            Node::Expand(_) => Array::expand(&parts[0], self.dims()),
            Node::Collapse(_) => Array::collapse(&parts[0], self.dims()),
            Node::Gather(_, w) => Array::gather(&parts[0], w),
            Node::Scatter(_, w) => Array::scatter(&parts[0], w),
            Node::Run(op, _) => op.value(&parts.iter().collect::<Vec<_>>()).ok()?,
            Node::Pull(..) => parts.last()?.clone(),
        };
        budget::refused().ok()?;
        known.insert(self.address(), value.clone());
        Some(value)
    }
}

impl Node {
    /// What it is made of.
    pub fn parts(&self) -> Vec<&Matrix> {
        match self {
            Node::Name(_) | Node::Number(_) => Vec::new(),
            Node::Sum(terms) => terms.iter().map(|(_, t)| t).collect(),
            Node::Times(factors) => factors.iter().map(|(t, _)| t).collect(),
            Node::Call(_, all) | Node::Product(all) | Node::Run(_, all) | Node::Pull(_, _, all) => {
                all.iter().collect()
            }
            Node::Swap(x)
            | Node::Reshape(x)
            | Node::Expand(x)
            | Node::Collapse(x)
            | Node::Gather(x, _)
            | Node::Scatter(x, _) => vec![x],
        }
    }
}

impl PartialEq for Matrix {
    /// By the hash of all that it is made of.
    fn eq(&self, other: &Matrix) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || self.0.hash == other.0.hash
    }
}

impl Eq for Matrix {}

impl Hash for Matrix {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.hash.hash(hasher);
    }
}
