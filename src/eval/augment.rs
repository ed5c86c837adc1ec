//! `target op= value`: in place where the value can be written, else a new value.

use super::machine::Machine;
use super::raise::{At, Halt};
use super::value::Value;
use vjp_maths::complaint::Kind;
use vjp_syntax::ast::{BinaryOp, Expr, ExprKind, TrailerKind};
use vjp_text::names::Symbol;
use vjp_text::source::Span;

impl Machine {
    /// `target op= value`.
    pub(super) fn augment(
        &mut self,
        target: &Expr,
        op: BinaryOp,
        value: &Expr,
        span: Span,
    ) -> Result<(), Halt> {
        match &target.kind {
            ExprKind::Name(name) => {
                let old = self.load(*name, target.span)?;
                self.saw(target.span, &old);
                let operand = self.eval(value)?;
                self.stand(span);
                let new = self.augmented(op, &old, &operand, Some(*name)).at(span)?;
                self.store(*name, new);
                self.echo_later(*name, false);
                Ok(())
            }
            ExprKind::Trailers { base, trailers } => {
                let Some((last, before)) = trailers.split_last() else {
                    return Err(self.not_a_target(target.span));
                };
                let owner = self.eval_trailers(base, before, target.span)?;
                match &last.kind {
                    TrailerKind::Attr(name) => {
                        let old = self.get_attr(&owner, name.symbol).at(target.span)?;
                        self.saw(target.span, &old);
                        let operand = self.eval(value)?;
                        self.stand(span);
                        let new = self.augmented(op, &old, &operand, None).at(span)?;
                        self.set_attr(&owner, name.symbol, new).at(target.span)
                    }
                    TrailerKind::Index(key) => {
                        let key = self.eval_key(key)?;
                        let old = self.get_item(&owner, &key).at(target.span)?;
                        self.saw(target.span, &old);
                        let operand = self.eval(value)?;
                        self.stand(span);
                        let new = self.augmented(op, &old, &operand, None).at(span)?;
                        self.set_item(&owner, &key, new).at(target.span)?;
                        self.echo_target(target, false);
                        Ok(())
                    }
                    TrailerKind::Call(_) => Err(self.not_a_target(target.span)),
                }
            }
            _ => Err(self.not_a_target(target.span)),
        }
    }

    /// The value that `old op= operand` binds: the same object where it changes in place.
    fn augmented(
        &mut self,
        op: BinaryOp,
        old: &Value,
        operand: &Value,
        name: Option<Symbol>,
    ) -> Result<Value, Halt> {
        if let Some(updated) = self.update_leaf(op, old, operand, name)? {
            return Ok(updated);
        }
        match old {
            Value::Tensor(_) | Value::Array(_) => {
                if let Some(v) = self.in_place(op, old, operand)? {
                    return Ok(v);
                }
            }
            Value::List(l) if op == BinaryOp::Add && !self.is_vector(old) => {
                let items = self.collect(operand)?;
                l.items.borrow_mut().extend(items);
                l.touch();
                return Ok(old.clone());
            }
            Value::List(l) if op == BinaryOp::Mul && !self.is_vector(old) => {
                if let Value::List(repeated) = self.binary(op, old, operand)? {
                    let items = repeated.items.take();
                    l.items.replace(items);
                    l.touch();
                }
                return Ok(old.clone());
            }
            Value::Set(s) if matches!(operand, Value::Set(_)) && !s.frozen => {
                if let Value::Set(result) = self.binary(op, old, operand)? {
                    let table = result.entries.borrow().clone();
                    s.entries.replace(table);
                    return Ok(old.clone());
                }
            }
            Value::Dict(d) if op == BinaryOp::BitOr => {
                if let Value::Dict(result) = self.binary(op, old, operand)? {
                    let table = result.entries.borrow().clone();
                    d.entries.replace(table);
                    return Ok(old.clone());
                }
            }
            Value::Instance(_) => {
                if let Some(method) = self.special(old, super::operators::in_place_name(op)) {
                    let site = self.here();
                    let result = self.call_with(&method, vec![operand.clone()], &site)?;
                    if !matches!(result, Value::NotImplemented) {
                        return Ok(result);
                    }
                }
            }
            _ => {}
        }
        self.binary(op, old, operand).map_err(|h| {
            // Python names the augmented operator.
            let text = h.message();
            let plain = format!("unsupported operand type(s) for {}: ", op.text());
            match text.strip_prefix(&plain) {
                Some(rest) if h.kind() == Kind::Type => Halt::new(
                    Kind::Type,
                    format!("unsupported operand type(s) for {}=: {rest}", op.text()),
                ),
                _ => h,
            }
        })
    }
}
