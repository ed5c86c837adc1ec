//! Expressions.

use super::env::FrameKind;
use super::machine::Machine;
use crate::values::value::Set;
use crate::{At, Dict, Halt, Tried, Value, tp_name};
use num_bigint::BigInt;
use std::rc::Rc;
use vjp_syntax::ast::{BinaryOp, Expr, ExprKind, Link, UnaryOp};
use vjp_tensor::{Complaint, Fact, Kind, Place, budget};
use vjp_text::{Span, Symbol};

impl Machine {
    /// The value of an expression.
    #[inline(always)]
    pub(crate) fn eval(&mut self, e: &Expr) -> Tried<Value> {
        match self.watch {
            None => self.eval_unwatched(e),
            Some(_) => self.eval_watched(e),
        }
    }

    pub(crate) fn eval_unwatched(&mut self, e: &Expr) -> Tried<Value> {
        match &e.kind {
            ExprKind::None => Ok(Value::None),
            ExprKind::True => Ok(Value::Bool(true)),
            ExprKind::False => Ok(Value::Bool(false)),
            ExprKind::Ellipsis => Ok(Value::Ellipsis),
            ExprKind::Int(i) => Ok(Value::Int(*i)),
            ExprKind::Long(n) => Ok(Value::Long(n.clone())),
            ExprKind::Float(f) => Ok(Value::Float(*f)),
            ExprKind::Str(s) => Ok(Value::Str(s.clone())),
            ExprKind::FString(parts) => self.eval_fstring(parts),
            ExprKind::Name(name) => self.load(*name, e.span),
            ExprKind::List(items) => {
                let items = self.eval_items(items, false)?;
                self.stand(e.span);
                Ok(crate::leaf::display(items))
            }
            ExprKind::Tuple(items) => Ok(Value::tuple(self.eval_items(items, false)?)),
            ExprKind::Set(items) => {
                let set = Set::default();
                for v in self.eval_items(items, true)? {
                    let key = self.key(&v).at(e.span)?;
                    set.written()?.insert(key, v, Value::None);
                }
                Ok(Value::Set(Rc::new(set)))
            }
            ExprKind::Dict(items) => self.eval_dict(items, e.span),
            ExprKind::ListComp { .. }
            | ExprKind::SetComp { .. }
            | ExprKind::DictComp { .. }
            | ExprKind::Generator { .. } => self.eval_comprehension(e),
            ExprKind::Starred(_) => {
                Err(Complaint::new(Kind::Syntax, "can't use starred expression here")).at(e.span)
            }
            ExprKind::Unary { signs, operand } => {
                let mut v = self.eval(operand)?;
                for (sign, span) in signs.iter().rev() {
                    self.tick(*span)?;
                    let whole = span.to(e.span);
                    self.stand(whole);
                    v = self.unary(*sign, &v).at(whole)?;
                }
                Ok(v)
            }
            ExprKind::Not { count, operand } => {
                let v = self.eval(operand)?;
                let truth = self.truth(&v).at(operand.span)?;
                Ok(Value::Bool(truth == count.is_multiple_of(2)))
            }
            ExprKind::Chain { first, rest } => self.eval_chain(first, rest),
            ExprKind::Power { base, exponents } => {
                let base_value = self.eval(base)?;
                let mut values = Vec::with_capacity(exponents.len());
                for x in exponents {
                    values.push(self.eval(&x.operand)?);
                }
                let mut result: Option<(Value, Span)> = None;
                for (x, v) in exponents.iter().zip(values).rev() {
                    self.tick(x.op_span)?;
                    let mut v = match result {
                        None => v,
                        Some((r, span)) => {
                            self.binary(BinaryOp::Pow, &v, &r).at(x.operand.span.to(span))?
                        }
                    };
                    for (sign, span) in x.signs.iter().rev() {
                        v = self.unary(*sign, &v).at(*span)?;
                    }
                    result = Some((v, x.operand.span));
                }
                self.stand(e.span);
                match result {
                    Some((r, _)) => self.binary(BinaryOp::Pow, &base_value, &r).at(e.span),
                    None => Ok(base_value),
                }
            }
            ExprKind::Compare { first, rest } => {
                let mut left = self.eval(first)?;
                let mut result = Value::Bool(true);
                for (i, (op, _, operand)) in rest.iter().enumerate() {
                    if i > 0 && !self.truth(&result).at(e.span)? {
                        return Ok(result);
                    }
                    let right = self.eval(operand)?;
                    result = self.compare(*op, &left, &right).at(e.span)?;
                    left = right;
                }
                Ok(result)
            }
            ExprKind::And(items) => self.eval_until(items, false),
            ExprKind::Or(items) => self.eval_until(items, true),
            ExprKind::IfElse { arms, otherwise } => {
                for (value, test) in arms {
                    let t = self.eval(test)?;
                    if self.truth(&t).at(test.span)? {
                        return self.eval(value);
                    }
                }
                self.eval(otherwise)
            }
            ExprKind::Lambda(f) => self.make_function(f),
            // The generator stopped there, and was told this.
            ExprKind::Yield { .. } => Ok(self.sent.pop_front().unwrap_or(Value::None)),
            ExprKind::Walrus { name, value } => {
                let v = self.eval(value)?;
                self.store_walrus(name.symbol, v.clone());
                Ok(v)
            }
            ExprKind::Trailers { base, trailers } => self.eval_trailers(base, trailers, e.span),
            ExprKind::Slice { start, stop, step } => {
                let mut part = |x: &Option<Box<Expr>>| match x {
                    Some(x) => self.eval(x),
                    None => Ok(Value::None),
                };
                Ok(Value::Slice(Rc::new([part(start)?, part(stop)?, part(step)?])))
            }
        }
    }

    fn eval_items(&mut self, items: &[Expr], in_set: bool) -> Tried<Vec<Value>> {
        let mut values = Vec::with_capacity(items.len());
        for e in items {
            if let ExprKind::Starred(inner) = &e.kind {
                let v = self.eval(inner)?;
                match self.collect(&v) {
                    Ok(more) => values.extend(more),
                    Err(h) if h.raised().fact == Fact::NotIterable && !in_set => {
                        let is = tp_name(&v);
                        let says = format!("Value after * must be an iterable, not {is}");
                        return Err(Halt::new(Kind::Type, says).place(inner.span));
                    }
                    Err(h) => return Err(h.place(inner.span)),
                }
            } else {
                values.push(self.eval(e)?);
            }
        }
        Ok(values)
    }

    fn eval_dict(&mut self, items: &[(Option<Expr>, Expr)], span: Span) -> Tried<Value> {
        let dict = Dict::default();
        for (key, value) in items {
            match key {
                Some(k) => {
                    let name = self.eval(k)?;
                    let v = self.eval(value)?;
                    let key = self.key(&name).at(k.span)?;
                    dict.written()?.insert(key, name, v);
                }
                None => {
                    let given = self.eval(value)?;
                    let Value::Dict(other) = given.base() else {
                        let says = format!("'{}' object is not a mapping", tp_name(&given));
                        return Err(Complaint::new(Kind::Type, says)).at(span);
                    };
                    for (k, n, v) in other.entries.borrow().iter() {
                        budget::tick()?;
                        dict.written()?.insert(k.clone(), n.clone(), v.clone());
                    }
                }
            }
        }
        Ok(Value::dict(dict))
    }

    fn eval_until(&mut self, items: &[Expr], stop: bool) -> Tried<Value> {
        let mut value = Value::None;
        for (i, e) in items.iter().enumerate() {
            value = self.eval(e)?;
            if i + 1 < items.len() && self.truth(&value).at(e.span)? == stop {
                break;
            }
        }
        Ok(value)
    }

    fn eval_chain(&mut self, first: &Expr, rest: &[Link]) -> Tried<Value> {
        if let [link] = rest {
            self.stand(first.span.to(link.operand.span));
            if let Some(y) = self.quick(first, link) {
                return Ok(y);
            }
        }
        let mut left = self.eval(first)?;
        for (i, link) in rest.iter().enumerate() {
            self.tick(link.op_span)?;
            self.stand(first.span.to(link.operand.span));
            if let Some(y) = self.quick_on(&left, link) {
                left = y;
                continue;
            }
            let right = self.eval(&link.operand)?;
            let written = matches!(&first.kind, ExprKind::List(l) if l.len() == 1);
            let result = if i == 0 && written && link.op == BinaryOp::Mul && !self.exact() {
                // `[c]*n` as written is Python's repetition.
                self.repetition(&left, &right)
            } else {
                None
            };
            let span = first.span.to(link.operand.span);
            self.stand(span);
            left = match result {
                Some(r) => r.at(span)?,
                None => match self.binary(link.op, &left, &right) {
                    Ok(v) => v,
                    Err(h) => {
                        let before = match i {
                            0 => first.span,
                            _ => first.span.to(rest[i - 1].operand.span),
                        };
                        let operands = [(&left, before), (&right, link.operand.span)];
                        return Err((self.hints.operands)(self, h, link, operands).place(span));
                    }
                },
            };
        }
        Ok(left)
    }

    /// What is evaluated now stands there; operations and cuts remember it.
    #[inline]
    pub(crate) fn stand(&mut self, span: Span) {
        // In the library's own code the place is the call that led there.
        if self.source.is_own() {
            return;
        }
        self.place = span;
        vjp_tensor::source_place::set(Place { source: self.source.id(), span });
    }

    /// A name's value: the scopes inside out, then globals, then what is built in.
    pub(crate) fn load(&mut self, name: Symbol, span: Span) -> Tried<Value> {
        if let Some(innermost) = &self.scope
            && !innermost.names.globals.contains(&name)
        {
            let mut frame = Some(innermost);
            let mut inner = true;
            while let Some(f) = frame {
                if (inner || f.kind != FrameKind::Class)
                    && let Some(v) = f.get(name)
                {
                    return Ok(v);
                }
                if f.kind != FrameKind::Class && f.names.locals.contains(&name) {
                    return Err(unbound(name, inner)).at(span);
                }
                if inner && f.kind == FrameKind::Comprehension {
                    // A comprehension in a class body sees that class.
                } else {
                    inner = false;
                }
                if f.names.globals.contains(&name) {
                    break;
                }
                frame = f.parent.as_ref();
            }
        }
        // The library's own code does not see what the program bound.
        if let Some(v) = self.globals.get(name)
            && !self.source.is_own()
        {
            return Ok(v.clone());
        }
        if let Some(v) = crate::library::builtin(name, self.options.strict) {
            return Ok(v);
        }
        let text = name.as_str();
        if !self.options.strict
            && let Some(stem) = text.strip_suffix('ᵀ').filter(|s| !s.is_empty())
        {
            let transposed = self.load(Symbol::new(stem), span)?;
            return self.get_attr(&transposed, Symbol::new("T")).at(span);
        }
        Err(self.undefined(text, span)).at(span)
    }

    fn undefined(&self, name: &str, span: Span) -> Box<Complaint> {
        let complaint = Complaint::new(Kind::Name, format!("name '{name}' is not defined"));
        if self.trying {
            return complaint;
        }
        match (self.hints.undefined)(self, name, span) {
            Some(hint) => complaint.hint(hint),
            None => complaint,
        }
    }

    /// Signs: `-x`, `+x`, `~x`.
    pub fn unary(&mut self, op: UnaryOp, v: &Value) -> Tried<Value> {
        match (op, v) {
            (UnaryOp::Minus, Value::Int(i)) => match i.checked_neg() {
                Some(n) => Ok(Value::Int(n)),
                None => Ok((-BigInt::from(*i)).into()),
            },
            (UnaryOp::Minus, Value::Long(n)) => Ok((-&**n).into()),
            (UnaryOp::Minus, Value::Float(f)) => Ok(Value::Float(-f)),
            (UnaryOp::Plus, Value::Int(_) | Value::Long(_) | Value::Float(_)) => Ok(v.clone()),
            _ => self.unary_slow(op, v),
        }
    }
}

/// A local that has no value yet.
pub(crate) fn unbound(name: Symbol, own: bool) -> Box<Complaint> {
    if own {
        Complaint::new(
            Kind::UnboundLocal,
            format!(
                "cannot access local variable '{name}' where it is not associated with a value"
            ),
        )
    } else {
        Complaint::new(
            Kind::Name,
            format!(
                "cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
            ),
        )
    }
}
