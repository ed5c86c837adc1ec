//! Calls of names: functions of the program, of Python, and of the library where it has them in Python.

use super::code::Code;
use super::problem::{Done, Problem};
use super::writer::Writer;
use vjp_eval::{Value, display};
use vjp_syntax::ast::*;
use vjp_text::Span;
use vjp_torch::nn;

impl<'a> Writer<'a> {
    /// A call of a name: a function of the program or of Python.
    pub(super) fn named_call(
        &mut self,
        e: &'a Expr,
        name: &str,
        span: Span,
        args: &'a [Arg],
    ) -> Done<Code> {
        let known = self.known_name(name, span);
        if let Some(Value::Instance(_)) = &known {
            return Err(Problem::new(
                format!("{name} is an object called like a function"),
                "write a function",
            ));
        }
        if self.brought.contains(name) && matches!(known, Some(Value::Function(_)) | None) {
            return self.prompt_form(e, name, args);
        }
        if self.functions.contains_key(name) {
            return Err(Problem::new(format!("{name} is a Function"), format!("{name}.apply(…)")));
        }
        if let Some(Value::Function(f)) = &known
            && f.source.is_own()
        {
            return self.of_library(name, args);
        }
        let python = matches!(&known, Some(Value::Builtin(_) | Value::Type(_)));
        if python && name == "print" {
            self.modules_shown(args);
        }
        if name == "len"
            && let Some(length) = self.length_of_modules(args)
        {
            return Ok(length.to_string().into());
        }
        self.leaves_alone(name, args)?;
        let texts = self.plain_args(args)?;
        if name == "print" && python {
            self.replaced.clear();
        }
        match name {
            "print" if python => self.effect = true,
            "float" | "int" | "bool" if python && self.stops(args) => {
                return Ok(format!("{name}(jax.lax.stop_gradient({texts}))").into());
            }
            // JAX makes a number only of what has no dimensions.
            "float" | "int" | "bool" if python => {
                if let [Arg { value, .. }] = args
                    && self.is_tensor(value.span)
                    && !self.is_scalar(value.span)
                {
                    return Ok(format!("{name}({texts}.item())").into());
                }
            }
            "sum" if python => {
                if let [Arg { value, .. }] = args
                    && self.is_tensor(value.span)
                {
                    return Ok(format!("sum({texts})").into());
                }
            }
            "isinstance" if python => {
                return Ok(format!("isinstance({texts})").into());
            }
            "id" if python => return Err(Problem::meta("id()")),
            _ => {}
        }
        if !python {
            self.read(name, span);
            if self.prints(name) {
                self.effect = true;
            }
        }
        Ok(format!("{name}({texts})").into())
    }

    /// A call of a function that the library has in Python.
    fn of_library(&mut self, name: &str, args: &'a [Arg]) -> Done<Code> {
        let named = |a: &&Arg| matches!(a.kind, ArgKind::Positional);
        match (name, args) {
            // What is kept is computed again: the values are the same.
            ("checkpoint", [f, inputs @ ..]) => {
                let f = self.expr(&f.value)?.text;
                let inputs: Done<Vec<String>> =
                    inputs.iter().filter(named).map(|a| Ok(self.expr(&a.value)?.text)).collect();
                Ok(format!("jax.checkpoint({f})({})", inputs?.join(", ")).into())
            }
            _ => Err(Problem::lacks(name)),
        }
    }

    /// `print(net)`: the text that it shows.
    fn modules_shown(&mut self, args: &'a [Arg]) {
        for a in args {
            let Some(net) = self.value(a.value.span).filter(|v| nn::is_module(v)).cloned() else {
                continue;
            };
            if let Ok(text) = display::python::repr(&mut self.machine, &net) {
                let text = format!("\"\"\"{text}\"\"\"");
                self.replaced.push((a.value.span, text));
            }
        }
    }

    /// Whether what is asked of the first argument needs a value, not what is traced.
    pub(super) fn stops(&self, args: &[Arg]) -> bool {
        let inside = self.traced || !self.locals.is_empty();
        inside && args.first().is_some_and(|a| self.asks_gradient(a.value.span))
    }
}
