//! Indices: lists in them become arrays, as JAX asks.

use crate::code::Code;
use crate::problem::Done;
use crate::writer::Writer;
use vjp_eval::Value;
use vjp_syntax::ast::*;
use vjp_text::Span;

impl<'a> Writer<'a> {
    /// `this[index]`.
    pub(crate) fn indexed(
        &mut self,
        this: Code,
        of: Span,
        index: &'a Expr,
        whole: Span,
    ) -> Done<Code> {
        let python = matches!(
            self.value(of),
            Some(
                Value::List(_) | Value::Tuple(_) | Value::Dict(_) | Value::Str(_) | Value::Range(_)
            )
        );
        let key = match python {
            true => self.expr(index)?.text,
            false => self.key(index)?,
        };
        let _ = whole;
        Ok(format!("{}[{key}]", this.tight()).into())
    }

    /// What stands between the brackets of an array.
    pub(crate) fn key(&mut self, index: &'a Expr) -> Done<String> {
        match &index.kind {
            ExprKind::Tuple(items) => {
                let mut out = String::new();
                let mut at = index.span.start;
                for item in items {
                    out += self.source.slice(Span { start: at, end: item.span.start });
                    out += &self.key_part(item)?;
                    at = item.span.end;
                }
                out += self.source.slice(Span { start: at, end: index.span.end });
                Ok(out)
            }
            _ => self.key_part(index),
        }
    }

    fn key_part(&mut self, e: &'a Expr) -> Done<String> {
        let code = self.expr(e)?;
        let list = matches!(e.kind, ExprKind::List(_) | ExprKind::ListComp { .. })
            || matches!(self.value(e.span), Some(Value::List(_)));
        Ok(match list {
            true => format!("jnp.array({})", code.text),
            false => code.text,
        })
    }
}
