//! The short way of what loops do most, `y = y*0.999`: arithmetic on names and numbers written out.
//! The operands are looked at where they lie and the result is written where it stays; a statement
//! that hands values from function to function takes four times as long. Whatever is not that
//! simple, errors included, goes the usual way from the start: nothing has happened by then.

use super::machine::Machine;
use crate::{Tried, Value};
use vjp_maths::{Fun, Variable, table};
use vjp_ops::Scalar;
use vjp_syntax::ast::{BinaryOp, Expr, ExprKind, Link, StmtKind};
use vjp_tensor::Outcome;
use vjp_text::Symbol;

/// An operand that is there already. It borrows what it can, so that it need not be dropped.
#[derive(Clone, Copy)]
pub(crate) enum Ready<'a> {
    Int(i64),
    Float(f64),
    Tensor(&'a Variable),
}

impl<'a> Ready<'a> {
    #[inline(always)]
    pub(crate) fn of(value: &'a Value) -> Option<Ready<'a>> {
        match value {
            Value::Int(i) => Some(Ready::Int(*i)),
            Value::Float(f) => Some(Ready::Float(*f)),
            Value::Tensor(v) => Some(Ready::Tensor(v)),
            _ => None,
        }
    }

    /// What a name or a number represents, where that is simple; `look` finds a name's value.
    #[inline(always)]
    fn operand(e: &Expr, look: impl FnOnce(Symbol) -> Option<&'a Value>) -> Option<Ready<'a>> {
        match &e.kind {
            ExprKind::Int(i) => Some(Ready::Int(*i)),
            ExprKind::Float(f) => Some(Ready::Float(*f)),
            ExprKind::Name(name) => Ready::of(look(*name)?),
            _ => None,
        }
    }
}

impl Machine {
    /// `first op operand` where both are there already; None where the usual way knows. The machine stands
    /// there by then.
    #[inline(always)]
    pub(crate) fn quick(&self, first: &Expr, link: &Link) -> Option<Value> {
        if self.watch.is_some() {
            return None;
        }
        match &self.scope {
            None if self.source.is_own() => None,
            None => {
                let a = Ready::operand(first, |name| self.globals.get(name))?;
                let b = Ready::operand(&link.operand, |name| self.globals.get(name))?;
                combine(link.op, a, b)
            }
            Some(frame) => {
                let values = frame.values.borrow();
                let look = |name| values.iter().find(|(n, _)| *n == name).map(|(_, v)| v);
                let a = Ready::operand(first, look)?;
                let b = Ready::operand(&link.operand, look)?;
                combine(link.op, a, b)
            }
        }
    }

    /// [`Machine::quick`] after a part of a chain that gave `left`.
    #[inline(always)]
    pub(crate) fn quick_on(&self, left: &Value, link: &Link) -> Option<Value> {
        if self.watch.is_some() {
            return None;
        }
        let a = Ready::of(left)?;
        match &self.scope {
            None if self.source.is_own() => None,
            None => {
                let b = Ready::operand(&link.operand, |name| self.globals.get(name))?;
                combine(link.op, a, b)
            }
            Some(frame) => {
                let values = frame.values.borrow();
                let look = |name| values.iter().find(|(n, _)| *n == name).map(|(_, v)| v);
                let b = Ready::operand(&link.operand, look)?;
                combine(link.op, a, b)
            }
        }
    }

    /// Carries out `name = operand op operand`; false where that is to be done the usual way.
    #[inline(always)]
    pub(crate) fn assigned(&mut self, statement: &StmtKind) -> bool {
        let StmtKind::Assign { targets, value } = statement else {
            return false;
        };
        let ([target], ExprKind::Chain { first, rest }) = (targets.as_slice(), &value.kind) else {
            return false;
        };
        let (ExprKind::Name(name), [link]) = (&target.kind, rest.as_slice()) else {
            return false;
        };
        // A literal becomes a leaf where it is bound.
        let named = |e: &Expr| matches!(e.kind, ExprKind::Name(_));
        if (self.echoes() && self.scope.is_none()) || !(named(first) || named(&link.operand)) {
            return false;
        }
        self.stand(first.span.to(link.operand.span));
        // Each kind apart: a value copied whole waits for its parts to be written.
        match self.quick(first, link) {
            Some(Value::Float(f)) => self.bind_here(*name, Value::Float(f)),
            Some(Value::Tensor(t)) => self.bind_here(*name, Value::Tensor(t)),
            Some(other) => self.bind_here(*name, other),
            None => return false,
        }
        true
    }

    /// [`Machine::store`], written out for the top level.
    #[inline(always)]
    pub(crate) fn bind_here(&mut self, name: Symbol, value: Value) {
        match self.scope {
            None => self.globals.set(name, value),
            Some(_) => self.store(name, value),
        }
    }

    /// Binds what a loop counts.
    #[inline]
    pub(crate) fn count(&mut self, target: &Expr, i: i64) -> Tried<()> {
        match &target.kind {
            ExprKind::Name(name) => {
                self.bind_here(*name, Value::Int(i));
                Ok(())
            }
            _ => self.assign(target, Value::Int(i)),
        }
    }
}

/// `a op b`; None where the usual way knows.
#[inline(always)]
fn combine(op: BinaryOp, a: Ready, b: Ready) -> Option<Value> {
    let y = match (a, b) {
        (Ready::Float(a), Ready::Float(b)) => return floats(op, a, b),
        (Ready::Float(a), Ready::Int(b)) => return floats(op, a, b as f64),
        (Ready::Int(a), Ready::Float(b)) => return floats(op, a as f64, b),
        (Ready::Int(a), Ready::Int(b)) => {
            return match op {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Sub => a.checked_sub(b),
                BinaryOp::Mul => a.checked_mul(b),
                _ => None,
            }
            .map(Value::Int);
        }
        (Ready::Tensor(x), Ready::Tensor(y)) => both(op, x, y),
        (Ready::Tensor(x), Ready::Int(n)) => beside(op, x, Scalar::Int(n), false),
        (Ready::Tensor(x), Ready::Float(n)) => beside(op, x, Scalar::Float(n), false),
        (Ready::Int(n), Ready::Tensor(x)) => beside(op, x, Scalar::Int(n), true),
        (Ready::Float(n), Ready::Tensor(x)) => beside(op, x, Scalar::Float(n), true),
    };
    y?.ok().map(Value::Tensor)
}

#[inline(always)]
fn floats(op: BinaryOp, a: f64, b: f64) -> Option<Value> {
    Some(Value::Float(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div if b != 0.0 => a / b,
        _ => return None,
    }))
}

type Function = fn(&Variable, &Variable) -> Outcome<Variable>;

/// The functions of those signs that numbers and tensors share.
fn function(op: BinaryOp) -> Option<(&'static Fun, Function)> {
    Some(match op {
        BinaryOp::Add => (&table::ADD, table::add),
        BinaryOp::Sub => (&table::SUB, table::sub),
        BinaryOp::Mul => (&table::MUL, table::mul),
        BinaryOp::Div => (&table::DIV, table::div),
        BinaryOp::Pow => (&table::POW, table::pow),
        _ => return None,
    })
}

/// Whether this is a tensor as most are, and now is no time to look which of a batch it belongs to.
#[inline(always)]
fn usual(x: &Variable) -> bool {
    let classed = Variable::have_classes() && x.class().is_some();
    !(classed || x.is_uninitialized() || vjp_ops::batched::runs())
}

/// `x op y`; None where another way must be taken.
fn both(op: BinaryOp, x: &Variable, y: &Variable) -> Option<Outcome<Variable>> {
    if !usual(x) || !usual(y) {
        return None;
    }
    let (_, function) = function(op)?;
    Some(function(x, y))
}

/// `x op number`, or `number op x` where `swapped`, of a Python number without a memory.
fn beside(op: BinaryOp, x: &Variable, number: Scalar, swapped: bool) -> Option<Outcome<Variable>> {
    if !usual(x) {
        return None;
    }
    let (fun, function) = function(op)?;
    if let Some(done) = table::beside_number(fun, x, number, swapped) {
        return Some(done);
    }
    let number = Variable::constant(number.tensor());
    Some(match swapped {
        true => function(&number, x),
        false => function(x, &number),
    })
}

/// `a op b` of tensors, or of a tensor and a Python number without a memory: most of what programs
/// compute. None where another way must be taken.
pub(crate) fn tensors(op: BinaryOp, a: &Value, b: &Value) -> Option<Outcome<Variable>> {
    let (x, number, swapped) = match (a, b) {
        (Value::Tensor(x), Value::Tensor(y)) => return both(op, x, y),
        (Value::Tensor(x), number) => (x, number, false),
        (number, Value::Tensor(x)) => (x, number, true),
        _ => return None,
    };
    let number = match number {
        Value::Bool(b) => Scalar::Bool(*b),
        Value::Int(i) => Scalar::Int(*i),
        Value::Float(f) => Scalar::Float(*f),
        _ => return None,
    };
    beside(op, x, number, swapped)
}
