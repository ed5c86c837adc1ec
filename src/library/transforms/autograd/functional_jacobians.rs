//! `torch.autograd.functional.jacobian` and `hessian`.

use crate::autograd::functional::{Traced, packed, single, trace, watching};
use crate::func::transforms::{
    Watching, finished, forward_jacobians, forward_recorded, jacobians, ones, pullback,
};
use vjp_binder::Given;
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::{Args, At, Machine, Site, Tried, Value, raise};
use vjp_maths::Variable;
use vjp_maths::autodiff::reverse::{SweepOptions, ones_like, sweep};
use vjp_tensor::Kind;

/// How a Jacobian was asked for.
struct Asked {
    func: Value,
    inputs: Value,
    keep: bool,
    strict: bool,
    forward: bool,
}

impl Asked {
    /// The options of a call; what PyTorch does not combine is refused in its words.
    fn read(g: &Given, option: &str) -> Tried<Asked> {
        let strategy = g.text(option)?.unwrap_or_default();
        let hint = match option {
            "strategy" => {
                " Hint: If your function has more outputs than inputs, \"forward-mode\" tends to be more performant. Otherwise, prefer to use \"reverse-mode\"."
            }
            _ => "",
        };
        if strategy != "forward-mode" && strategy != "reverse-mode" {
            raise!(
                Kind::Assertion,
                "Expected strategy to be either \"forward-mode\" or \"reverse-mode\".{hint}"
            );
        }
        let asked = Asked {
            func: g.raw(0).unwrap_or(Value::None),
            inputs: g.raw(1).unwrap_or(Value::None),
            keep: g.bool("create_graph")?,
            strict: g.bool("strict")?,
            forward: strategy == "forward-mode",
        };
        let vectorize = g.bool("vectorize")?;
        const NAME: &str = "torch.autograd.functional.jacobian";
        match (asked.forward, asked.keep, asked.strict, vectorize) {
            (true, true, ..) => raise!(
                Kind::NotImplemented,
                "{NAME}: `create_graph=True` and `strategy=\"forward-mode\"` are not supported together (yet). Please either set `create_graph=False` or `strategy=\"reverse-mode\"`."
            ),
            (true, _, true, _) => raise!(
                "{NAME}: `strict=True` and `strategy=\"forward-mode\"` are not supported together (yet). Please either set `strict=False` or `strategy=\"reverse-mode\"`."
            ),
            (true, _, _, false) => raise!(
                Kind::NotImplemented,
                "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly implemented for `vectorize=True`."
            ),
            (false, _, true, true) => raise!(
                "{NAME}: `strict=True` and `vectorized=True` are not supported together. Please either set `strict=False` or `vectorize=False`."
            ),
            _ => {}
        }
        Ok(asked)
    }

    fn watching(&self) -> Watching {
        if self.forward { Watching::View } else { watching(self.keep) }
    }

    /// The matrices of each output with respect to each input. `open`: in forward mode they keep their
    /// history.
    fn matrices(
        &self,
        machine: &mut Machine,
        outputs: &[Variable],
        inputs: &[Variable],
        open: impl Fn(&Variable) -> bool,
    ) -> Tried<Vec<Vec<Value>>> {
        let mut rows = Vec::with_capacity(outputs.len());
        for (k, y) in outputs.iter().enumerate() {
            if self.strict {
                independent(machine, k, y, inputs)?;
            }
            if self.forward {
                let all = match open(y) {
                    true => forward_recorded(machine, y, inputs)?,
                    false => forward_jacobians(machine, y, inputs)?,
                };
                rows.push(all.into_iter().map(Value::Tensor).collect());
                continue;
            }
            let all = jacobians(machine, y, inputs, self.keep)?;
            if self.strict
                && self.keep
                && let Some(j) = all.iter().find(|j| !j.requires_grad())
            {
                let _ = j;
                raise!(
                    "The jacobian of the user-provided function is independent of input {k}. This is not allowed in strict mode when create_graph=True."
                );
            }
            rows.push(all.into_iter().map(|j| finished(j, self.keep)).collect());
        }
        Ok(rows)
    }

    /// Tuples as PyTorch packs them; lists where forward mode does.
    fn packed(&self, rows: Vec<Vec<Value>>, of_outputs: bool, of_inputs: bool) -> Value {
        let pack = |row: Vec<Value>| match (self.forward, of_inputs) {
            (true, true) => Value::list(row),
            _ => packed(row, of_inputs),
        };
        let rows: Vec<Value> = rows.into_iter().map(pack).collect();
        match self.forward && of_outputs && of_inputs {
            true => Value::list(rows),
            false => packed(rows, of_outputs),
        }
    }
}

/// `strict=True`: every input leads to the output.
fn independent(machine: &mut Machine, k: usize, y: &Variable, inputs: &[Variable]) -> Tried<()> {
    let options = SweepOptions {
        create_graph: false,
        retain_graph: true,
        inputs: Some(inputs),
        ..SweepOptions::default()
    };
    let v = ones_like(y)?;
    let found = lend(machine, || sweep(&[(y.clone(), v)], options))?.inputs;
    match found.iter().position(Option::is_none) {
        Some(input) => raise!(
            "Output {k} of the user-provided function is independent of input {input}. This is not allowed in strict mode."
        ),
        None => Ok(()),
    }
}

/// `jacobian(func, inputs)`.
///
/// # Errors
/// What the function raises; PyTorch's sentences on the options and on strict mode.
pub fn jacobian(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let asked = Asked::read(&g, "strategy").at(g.site.span)?;
    let t = trace(machine, "jacobian", &asked.func, &asked.inputs, asked.watching(), &g.site)?;
    asked.first(machine, &t)
}

/// `hessian(func, inputs)`.
pub fn hessian(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let asked = Asked::read(&g, "outer_jacobian_strategy").at(g.site.span)?;
    let t = trace(machine, "hessian", &asked.func, &asked.inputs, asked.watching(), &g.site)?;
    asked.second(machine, &t, &g.site)
}

/// Either of them, without options, of a function that was called already.
pub fn of_traced(machine: &mut Machine, name: &str, t: &Traced, site: &Site) -> Tried<Value> {
    let asked = Asked {
        func: Value::None,
        inputs: Value::None,
        keep: false,
        strict: false,
        forward: false,
    };
    match name {
        "hessian" => asked.second(machine, t, site),
        _ => asked.first(machine, t),
    }
}

impl Asked {
    fn first(&self, machine: &mut Machine, t: &Traced) -> Tried<Value> {
        if self.strict {
            t.must_depend()?;
        }
        let rows = self.matrices(machine, &t.outputs, &t.inputs, |y| t.level.open(y))?;
        Ok(self.packed(rows, t.several_outputs, t.several_inputs))
    }

    fn second(&self, machine: &mut Machine, t: &Traced, site: &Site) -> Tried<Value> {
        if self.strict {
            t.must_depend()?;
        }
        let y = single("hessian", t)?;
        let v = ones(&y, site)?;
        let slopes = pullback(machine, &y, &v, &t.inputs, true)?;
        if self.strict {
            Traced::must_bend(&slopes)?;
        }
        let rows = self.matrices(machine, &slopes, &t.inputs, Variable::requires_grad)?;
        Ok(self.packed(rows, t.several_inputs, t.several_inputs))
    }
}
