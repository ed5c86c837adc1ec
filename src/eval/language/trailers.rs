//! What follows a primary, `base.attr(args)[key]`: steps taken one after the other.

use super::call::{Args, Site};
use super::machine::Machine;
use crate::language::call::misspelled;
use crate::language::class::tensor_class;
use crate::library::forms::Builtin;
use crate::library::table::given;
use crate::{At, Tried, Value};
use smallvec::SmallVec;
use vjp_maths::saved::packing;
use vjp_syntax::ast::{self, ArgKind, Expr, Trailer, TrailerKind};
use vjp_tensor::random;
use vjp_text::Span;

impl Machine {
    /// A base and the steps after it, in an expression at `span`.
    pub(crate) fn eval_trailers(
        &mut self,
        base: &Expr,
        trailers: &[Trailer],
        span: Span,
    ) -> Tried<Value> {
        let mut value = self.eval(base)?;
        // From the start of the whole, so that a bracket around the base is in it.
        let upto = |end: u32| Span { start: span.start.min(base.span.start), end };
        let mut end = upto(trailers.first().map_or(base.span.end, |t| t.span.start));
        let mut receiver = None;
        // A method that `value` is about to be the object of.
        let mut method = None;
        for (i, t) in trailers.iter().enumerate() {
            self.tick(t.span)?;
            let whole = upto(t.span.end);
            match &t.kind {
                TrailerKind::Attr(name) => {
                    let called = matches!(
                        trailers.get(i + 1),
                        Some(Trailer { kind: TrailerKind::Call(_), .. })
                    );
                    // A list's own `sort` leaves nothing to go on with: `x.sort().values`.
                    if called
                        && i + 2 < trailers.len()
                        && name.as_str() == "sort"
                        && self.is_vector(&value)
                    {
                        value = Value::Tensor(crate::leaf::stacked(&value).at(whole)?);
                    }
                    method = match value {
                        Value::Tensor(_) if called && tensor_class::class_of(&value).is_none() => {
                            (given().method)(name.symbol)
                        }
                        _ => None,
                    };
                    if method.is_none() {
                        self.stand(whole);
                        let read = self.get_attr(&value, name.symbol).at(whole);
                        self.hear_warnings(whole)?;
                        value = read?;
                    }
                    receiver = Some(end);
                }
                TrailerKind::Index(key) => {
                    let key = self.eval_key(key)?;
                    self.stand(whole);
                    self.indexed |= !self.options.strict;
                    value = match self.get_item(&value, &key) {
                        Ok(part) => part,
                        Err(halt) => {
                            let texts = [upto(end.end), t.span].map(|s| self.source.slice(s));
                            let halt = misspelled::no_index(halt, &value, texts, t.span);
                            return Err(halt.place(whole));
                        }
                    };
                    self.hear_warnings(whole)?;
                    receiver = None;
                }
                TrailerKind::Call(args) => {
                    let place = (whole, end, receiver.take());
                    let before = self.watch.is_some().then(random::stand);
                    let called = self.eval_call(value, method.take(), args, place);
                    self.hear_warnings(whole)?;
                    value = called?;
                    if packing::waits() {
                        self.pack().at(whole)?;
                    }
                    if let Some(before) = before {
                        self.saw_drawn(whole, &value, before);
                    }
                }
            }
            end = whole;
            if self.watch.is_some() && method.is_none() {
                self.saw(whole, &value);
            }
        }
        Ok(value)
    }

    /// Passes on what was warned of meanwhile.
    #[inline]
    fn hear_warnings(&mut self, span: Span) -> Tried<()> {
        if vjp_tensor::warnings::any() { self.pass_warnings(span) } else { Ok(()) }
    }

    fn call_site(
        &self,
        (span, callee, receiver): (Span, Span, Option<Span>),
        args: &[ast::Arg],
    ) -> Site {
        let args = args.iter().map(|a| a.span).collect();
        Site { span, callee, receiver, args, source: self.source.clone() }
    }

    /// Calls `callee`, or `method` of the tensor that it is; `place`: the call, what is called, and
    /// the object of a method.
    fn eval_call(
        &mut self,
        callee: Value,
        method: Option<&'static Builtin>,
        args: &[ast::Arg],
        (whole, called, receiver): (Span, Span, Option<Span>),
    ) -> Tried<Value> {
        let builtin = match &callee {
            Value::Builtin(b) => Some(*b),
            _ => method,
        };
        let plain = args.iter().all(|a| a.kind == ArgKind::Positional);
        let mut positional: SmallVec<[Value; 4]> = SmallVec::new();
        if method.is_some() {
            positional.push(callee.clone());
        }
        if plain {
            for a in args {
                positional.push(self.eval(&a.value)?);
            }
            self.stand(whole);
            if let Some(b) = builtin
                && !positional.iter().any(tensor_class::speaks)
                && let Some(done) = (given().quick_call)(self, b, method.is_some(), &positional)
            {
                return done.at(whole);
            }
        }
        let site = self.call_site((whole, called, receiver), args);
        let mut made = Args::new(positional.into_vec(), site);
        if !plain {
            self.eval_args(&callee, args, &mut made)?;
            self.stand(whole);
        }
        match builtin {
            Some(b) => {
                made.callee = Some(b);
                b.of_base(self, &mut made).at(whole)?;
                (given().call)(self, b, made)
            }
            None => self.call_written(&callee, made),
        }
        .at(whole)
    }

    /// What stands between brackets.
    pub(crate) fn eval_key(&mut self, key: &Expr) -> Tried<Value> {
        self.eval(key)
    }
}
