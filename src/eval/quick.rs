//! The short way of what loops do most, `y = y*0.999`: arithmetic on names and numbers written out.
//! The operands are looked at where they lie and the result is written where it stays; a statement
//! that hands values from function to function takes four times as long. Whatever is not that
//! simple, errors included, goes the usual way from the start: nothing has happened by then.

use super::machine::Machine;
use super::raise::Halt;
use super::value::Value;
use crate::maths::algebra::Fun;
use crate::maths::complaint::Outcome;
use crate::maths::ops::Scalar;
use crate::maths::table;
use crate::maths::variable::Variable;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Link, StmtKind};
use crate::text::names::Symbol;

/// An operand that is there already.
pub(super) enum Ready {
    Int(i64),
    Float(f64),
    Tensor(Variable),
}

impl Ready {
    #[inline(always)]
    pub(super) fn of(value: &Value) -> Option<Ready> {
        match value {
            Value::Int(i) => Some(Ready::Int(*i)),
            Value::Float(f) => Some(Ready::Float(*f)),
            Value::Tensor(v) => Some(Ready::Tensor(v.clone())),
            _ => None,
        }
    }
}

impl Machine {
    /// What a name or a number stands for, where that is simple.
    #[inline(always)]
    pub(super) fn ready(&self, e: &Expr) -> Option<Ready> {
        match &e.kind {
            ExprKind::Int(i) => Some(Ready::Int(*i)),
            ExprKind::Float(f) => Some(Ready::Float(*f)),
            ExprKind::Name(name) => self.ready_name(*name),
            _ => None,
        }
    }

    /// The value of a global at the top level, or of a function's own name.
    #[inline(always)]
    fn ready_name(&self, name: Symbol) -> Option<Ready> {
        match &self.scope {
            None if self.source.is_own() => None,
            None => Ready::of(self.globals.get(name)?),
            Some(frame) => {
                let values = frame.values.borrow();
                let (_, value) = values.iter().find(|(n, _)| *n == name)?;
                Ready::of(value)
            }
        }
    }

    /// `a op b`; None where the usual way knows.
    #[inline(always)]
    pub(super) fn combine(
        &mut self,
        link: &Link,
        first: &Expr,
        a: Ready,
        b: Ready,
    ) -> Option<Value> {
        match (a, b) {
            (Ready::Float(a), Ready::Float(b)) => floats(link.op, a, b),
            (Ready::Float(a), Ready::Int(b)) => floats(link.op, a, b as f64),
            (Ready::Int(a), Ready::Float(b)) => floats(link.op, a as f64, b),
            (Ready::Int(a), Ready::Int(b)) => match link.op {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Sub => a.checked_sub(b),
                BinaryOp::Mul => a.checked_mul(b),
                _ => None,
            }
            .map(Value::Int),
            (a, b) => {
                self.stand(first.span.to(link.operand.span));
                let y = match (a, b) {
                    (Ready::Tensor(x), Ready::Tensor(y)) => both(link.op, &x, &y),
                    (Ready::Tensor(x), n) => beside(link.op, &x, scalar(n)?, false),
                    (n, Ready::Tensor(x)) => beside(link.op, &x, scalar(n)?, true),
                    _ => None,
                };
                y?.ok().map(Value::Tensor)
            }
        }
    }

    /// Carries out `name = operand op operand`; false where that is to be done the usual way.
    #[inline(always)]
    pub(super) fn assigned(&mut self, statement: &StmtKind) -> bool {
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
        let (Some(a), Some(b)) = (self.ready(first), self.ready(&link.operand)) else {
            return false;
        };
        match self.combine(link, first, a, b) {
            Some(y) => {
                self.bind_here(*name, y);
                true
            }
            None => false,
        }
    }

    /// [`Machine::store`], written out for the top level.
    #[inline(always)]
    pub(super) fn bind_here(&mut self, name: Symbol, value: Value) {
        match self.scope {
            None => self.globals.set(name, value),
            Some(_) => self.store(name, value),
        }
    }

    /// Binds what a loop counts.
    #[inline]
    pub(super) fn count(&mut self, target: &Expr, i: i64) -> Result<(), Halt> {
        match &target.kind {
            ExprKind::Name(name) => {
                self.bind_here(*name, Value::Int(i));
                Ok(())
            }
            _ => self.assign(target, Value::Int(i)),
        }
    }
}

#[inline(always)]
fn scalar(n: Ready) -> Option<Scalar> {
    match n {
        Ready::Int(i) => Some(Scalar::Int(i)),
        Ready::Float(f) => Some(Scalar::Float(f)),
        Ready::Tensor(_) => None,
    }
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

/// `x op y`; None where another way must be taken.
fn both(op: BinaryOp, x: &Variable, y: &Variable) -> Option<Outcome<Variable>> {
    let (_, function) = function(op)?;
    Some(function(x, y))
}

/// `x op number`, or `number op x` where `swapped`, of a Python number without a memory.
fn beside(op: BinaryOp, x: &Variable, number: Scalar, swapped: bool) -> Option<Outcome<Variable>> {
    let (fun, function) = function(op)?;
    let number = number.tensor();
    if let Some(done) = table::beside_number(fun, x, &number, swapped) {
        return Some(done);
    }
    let number = Variable::constant(number);
    Some(match swapped {
        true => function(&number, x),
        false => function(x, &number),
    })
}

/// `a op b` of tensors, or of a tensor and a Python number without a memory: most of what programs
/// compute. None where another way must be taken.
pub(super) fn tensors(op: BinaryOp, a: &Value, b: &Value) -> Option<Outcome<Variable>> {
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
