//! Binding: targets, unpacking, `del`, and `target op= value`, in place where the value can be written.

use crate::language::env::FrameKind;
use crate::language::operators::{is_sequence, unsupported, unsupported_in_place};
use crate::library::builtin;
use crate::values::deep_drop::Gathered;
use crate::values::tensor_operators;
use crate::{At, Halt, Machine, Tried, Value, leaf};
use vjp_syntax::ast::{BinaryOp, Expr, ExprKind, TrailerKind};
use vjp_tensor::{Fact, Kind, budget};
use vjp_text::{Span, Symbol};

impl Machine {
    /// `targets = value`. At the top level a literal becomes a leaf named after the first target.
    pub(crate) fn exec_assign(&mut self, targets: &[Expr], value: &Expr) -> Tried<()> {
        let mut bound = self.eval(value)?;
        let Some((last, others)) = targets.split_last() else {
            return Ok(());
        };
        if self.scope.is_none() && !self.options.strict {
            // `a = b = [1, 2]` binds one leaf to both.
            bound = self.adopt(&targets[0], value, bound).at(value.span)?;
        }
        // What `a, b = x` takes out of x stands there.
        let unpacks = |t: &&Expr| matches!(t.kind, ExprKind::Tuple(_) | ExprKind::List(_));
        if let Some(first) = targets.iter().find(unpacks) {
            self.stand(Span { start: first.span.start, end: value.span.end });
        }
        for target in others {
            self.remember(target, &bound);
            self.assign(target, bound.clone())?;
            self.echo_bound(target, value);
        }
        self.remember(last, &bound);
        self.assign(last, bound)?;
        self.echo_bound(last, value);
        if !matches!(last.kind, ExprKind::Tuple(_)) {
            self.note_mathematical(value);
        }
        Ok(())
    }

    /// Remembers at the top level what a value is called.
    fn remember(&self, target: &Expr, bound: &Value) {
        if let (None, ExprKind::Name(name)) = (&self.scope, &target.kind) {
            crate::leaf::call(bound, *name);
        }
    }

    /// Echoes what a target was bound to.
    fn echo_bound(&mut self, target: &Expr, value: &Expr) {
        if self.echoes() {
            self.echo_target(target, crate::leaf::shows_itself(value));
        }
    }

    /// Makes leaves of literals: `x = 2`, `x, y = 2, [1, 3]`.
    fn adopt(&mut self, target: &Expr, value: &Expr, evaluated: Value) -> Tried<Value> {
        match (&target.kind, &value.kind) {
            (ExprKind::Name(name), _) if value.is_literal(&|name, _| self.is_constant(name)) => {
                crate::leaf::adopt(&evaluated, *name)
            }
            (ExprKind::Tuple(targets) | ExprKind::List(targets), ExprKind::Tuple(values))
                if targets.len() == values.len() =>
            {
                let Value::Tuple(t) = &evaluated else {
                    return Ok(evaluated);
                };
                let mut items = Vec::with_capacity(values.len());
                for ((target, value), item) in targets.iter().zip(values).zip(&t.items) {
                    items.push(self.adopt(target, value, item.clone())?);
                }
                Ok(Value::tuple(items))
            }
            // `a, b = [1., 2.]`
            (ExprKind::Tuple(targets) | ExprKind::List(targets), ExprKind::List(values))
                if targets.len() == values.len() && !self.options.strict =>
            {
                let Value::List(list) = &evaluated else {
                    return Ok(evaluated);
                };
                let own = list.items.borrow().clone();
                let mut items = Vec::with_capacity(values.len());
                for ((target, value), item) in targets.iter().zip(values).zip(own) {
                    items.push(self.adopt(target, value, item)?);
                }
                Ok(Value::tuple(items))
            }
            _ => Ok(evaluated),
        }
    }

    /// Whether a name is a number that the prompt provides: `pi`, until the program binds it.
    fn is_constant(&self, name: Symbol) -> bool {
        self.global(name).is_none()
            && matches!(builtin(name, self.options.strict), Some(Value::Float(_)))
    }

    /// Echoes what a target binds.
    pub(crate) fn echo_target(&mut self, target: &Expr, literal: bool) {
        if self.scope.is_some() {
            return;
        }
        match &target.kind {
            ExprKind::Name(name) => self.echo_later(*name, literal),
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().for_each(|t| self.echo_target(t, literal));
            }
            ExprKind::Starred(t) => self.echo_target(t, literal),
            ExprKind::Trailers { base, trailers }
                if trailers.iter().all(|t| matches!(t.kind, TrailerKind::Index(_))) =>
            {
                if let ExprKind::Name(name) = &base.kind {
                    self.echo_later(*name, false);
                }
            }
            _ => {}
        }
    }

    /// Binds a value to any target.
    pub(crate) fn assign(&mut self, target: &Expr, value: Value) -> Tried<()> {
        match &target.kind {
            ExprKind::Name(name) => {
                if self.watch.is_some() {
                    self.saw(target.span, &value);
                }
                self.store(*name, value);
                Ok(())
            }
            ExprKind::Tuple(targets) | ExprKind::List(targets) => {
                self.unpack(targets, value, target.span)
            }
            ExprKind::Trailers { base, trailers } => {
                let Some((last, before)) = trailers.split_last() else {
                    return Err(self.not_a_target(target.span));
                };
                let owner = self.eval_trailers(base, before, target.span)?;
                let span = target.span;
                match &last.kind {
                    TrailerKind::Attr(name) => self.set_attr(&owner, name.symbol, value).at(span),
                    TrailerKind::Index(key) => {
                        let key_value = self.eval_key(key)?;
                        self.stand(span);
                        self.set_item(&owner, &key_value, value).at(span)
                    }
                    TrailerKind::Call(_) => Err(self.not_a_target(target.span)),
                }
            }
            ExprKind::Starred(inner) => {
                let items = self.collect(&value).at(target.span)?;
                self.assign(inner, Value::list(items))
            }
            _ => Err(self.not_a_target(target.span)),
        }
    }

    pub(crate) fn not_a_target(&self, span: Span) -> Halt {
        Halt::new(Kind::Syntax, "cannot assign to expression here").place(span)
    }

    fn unpack(&mut self, targets: &[Expr], value: Value, span: Span) -> Tried<()> {
        let starred = targets.iter().position(|t| matches!(t.kind, ExprKind::Starred(_)));
        let items = self.unpacked(&value, starred.is_none().then_some(targets.len())).at(span)?;
        let (wanted, given) = (targets.len(), items.len());
        let Some(star) = starred else {
            if given > wanted {
                return Err(Halt::new(
                    Kind::Value,
                    format!("too many values to unpack (expected {wanted})"),
                )
                .place(span));
            }
            if given < wanted {
                return Err(Halt::new(
                    Kind::Value,
                    format!("not enough values to unpack (expected {wanted}, got {given})"),
                )
                .place(span));
            }
            for (t, v) in targets.iter().zip(items) {
                self.assign(t, v)?;
            }
            return Ok(());
        };
        let least = wanted - 1;
        if given < least {
            return Err(Halt::new(
                Kind::Value,
                format!("not enough values to unpack (expected at least {least}, got {given})"),
            )
            .place(span));
        }
        let tail = given - (wanted - star - 1);
        let mut items = items.into_iter();
        for t in &targets[..star] {
            self.assign(t, items.next().unwrap_or(Value::None))?;
        }
        let middle = budget::collected(items.by_ref().take(tail - star)).at(span)?;
        if let ExprKind::Starred(inner) = &targets[star].kind {
            self.assign(inner, Value::list(middle))?;
        }
        for t in &targets[star + 1..] {
            self.assign(t, items.next().unwrap_or(Value::None))?;
        }
        Ok(())
    }

    /// The elements to unpack; of an endless iterator only as many as show that it has too many.
    fn unpacked(&mut self, value: &Value, wanted: Option<usize>) -> Tried<Vec<Value>> {
        let mut elements = self.iterate(value).map_err(|h| {
            if h.raised().fact == Fact::NotIterable {
                let name = crate::tp_name(value);
                Halt::new(Kind::Type, format!("cannot unpack non-iterable {name} object"))
            } else {
                h
            }
        })?;
        let mut items = Gathered::default();
        while let Some(v) = elements.next(self)? {
            budget::tick()?;
            items.push(v);
            if wanted.is_some_and(|w| items.len() > w) {
                break;
            }
        }
        Ok(items.done())
    }

    /// Binds a name where the present scope says it belongs.
    pub(crate) fn store(&mut self, name: Symbol, value: Value) {
        let Some(frame) = &self.scope else {
            self.globals.set(name, value);
            return;
        };
        if frame.names.globals.contains(&name) {
            self.globals.set(name, value);
            return;
        }
        if frame.names.nonlocals.contains(&name) {
            let mut outer = frame.parent.clone();
            while let Some(f) = outer {
                if f.kind == FrameKind::Function && f.names.locals.contains(&name) {
                    f.set(name, value);
                    return;
                }
                outer = f.parent.clone();
            }
        }
        frame.set(name, value);
    }

    /// Binds what `:=` names: a comprehension's walrus belongs to the scope around it.
    pub(crate) fn store_walrus(&mut self, name: Symbol, value: Value) {
        let mut scope = self.scope.clone();
        while let Some(f) = &scope
            && f.kind == FrameKind::Comprehension
        {
            scope = f.parent.clone();
        }
        self.with_scope(scope, |m| m.store(name, value));
    }

    /// Unbinds a name; false where it was not bound.
    pub(crate) fn unbind(&mut self, name: Symbol) -> bool {
        match &self.scope {
            Some(frame) if !frame.names.globals.contains(&name) => frame.remove(name),
            _ => self.globals.remove(name),
        }
    }

    pub(crate) fn delete(&mut self, target: &Expr) -> Tried<()> {
        match &target.kind {
            ExprKind::Name(name) => {
                if self.unbind(*name) {
                    Ok(())
                } else if self.scope.as_ref().is_some_and(|f| f.names.locals.contains(name)) {
                    Err(super::expr::unbound(*name, true)).at(target.span)
                } else {
                    Err(Halt::new(Kind::Name, format!("name '{name}' is not defined"))
                        .place(target.span))
                }
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().try_for_each(|t| self.delete(t))
            }
            ExprKind::Trailers { base, trailers } => {
                let Some((last, before)) = trailers.split_last() else {
                    return Err(self.not_a_target(target.span));
                };
                let owner = self.eval_trailers(base, before, target.span)?;
                match &last.kind {
                    TrailerKind::Attr(name) => self.del_attr(&owner, name.symbol).at(target.span),
                    TrailerKind::Index(key) => {
                        let key = self.eval_key(key)?;
                        self.del_item(&owner, &key).at(target.span)
                    }
                    TrailerKind::Call(_) => Err(self.not_a_target(target.span)),
                }
            }
            _ => Err(self.not_a_target(target.span)),
        }
    }
}

impl Machine {
    /// `target op= value`.
    pub(crate) fn augment(
        &mut self,
        target: &Expr,
        op: BinaryOp,
        value: &Expr,
        span: Span,
    ) -> Tried<()> {
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
                        self.stand(target.span);
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
    ///
    /// # Errors
    /// Operands that do not go together.
    pub fn augmented(
        &mut self,
        op: BinaryOp,
        old: &Value,
        operand: &Value,
        name: Option<Symbol>,
    ) -> Tried<Value> {
        if let Some(updated) = self.update_leaf(op, old, operand, name)? {
            return Ok(updated);
        }
        // Python names the augmented operator.
        let in_place = |h: Halt| {
            let plain = unsupported(op, old, operand);
            match h.kind() == plain.kind && h.message() == plain.message {
                true => unsupported_in_place(op, old, operand).into(),
                false => h,
            }
        };
        match old {
            Value::Tensor(_) if is_sequence(operand) && !tensor_operators::takes(self, operand) => {
                return Err(unsupported_in_place(op, old, operand).into());
            }
            Value::Tensor(_) | Value::Array(_) => {
                if let Some(v) = self.in_place(op, old, operand).map_err(in_place)? {
                    return Ok(v);
                }
            }
            Value::List(l) if op == BinaryOp::Add && !self.is_vector(old) => {
                let mut items = self.collect(operand)?;
                leaf::join(l, &mut items)?;
                l.written()?.extend(items);
                l.touch();
                return Ok(old.clone());
            }
            Value::List(l) if op == BinaryOp::Mul && !self.is_vector(old) => {
                if let Value::List(repeated) = self.binary(op, old, operand)? {
                    let items = repeated.emptied()?;
                    l.put(items);
                    l.touch();
                }
                return Ok(old.clone());
            }
            Value::Set(s) if matches!(operand, Value::Set(_)) && !s.frozen => {
                if let Value::Set(result) = self.binary(op, old, operand)? {
                    let table = result.entries.borrow().copied()?;
                    s.entries.replace(table.into());
                    return Ok(old.clone());
                }
            }
            Value::Dict(d) if op == BinaryOp::BitOr => {
                if let Value::Dict(result) = self.binary(op, old, operand)? {
                    let table = result.entries.borrow().copied()?;
                    d.entries.replace(table.into());
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
        self.binary(op, old, operand).map_err(in_place)
    }
}
