//! Symbolic expressions and arrays of them. (Owner: derivatives.)

use std::rc::Rc;

/// A symbolic expression; shared parts are shared.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr(pub Rc<Node>);

#[derive(Debug, PartialEq)]
pub enum Node {
    Const(f64),
}

/// An array of expressions, row-major.
#[derive(Clone, Debug)]
pub struct Symbols {
    pub shape: Vec<usize>,
    pub data: Rc<[Expr]>,
}
