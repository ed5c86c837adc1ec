//! Carrying out an operation of the catalogue, with what holds for every one of them.

use crate::{Arg, Bound, Entry, Out, missing_kernels};
use vjp_maths::Variable;
use vjp_maths::observe::value_reads;
use vjp_tensor::Outcome;
use vjp_tensor::exact_integers::all_read;

/// Operations whose values decide how many elements come out.
const UNSIZED: [&str; 4] = ["unique", "unique_consecutive", "masked_select", "nonzero"];

impl Entry {
    /// Carries the operation out. Constants that it computes from what depends on a leaf are known to.
    pub fn carry_out(&self, bound: &mut Bound) -> Outcome<Out> {
        crate::batched::allowed(self.name, bound)?;
        crate::refusals::parameters(self.name, bound)?;
        crate::autocast::prepare(self.name, bound);
        let given = bound.args.iter().flat_map(|a| match a {
            Arg::Tensor(v) => std::slice::from_ref(v),
            Arg::Tensors(all) => all.as_slice(),
            _ => &[],
        });
        let mut from = None;
        for v in given.filter(|v| v.depends()) {
            // Positions and masks decide.
            if !v.dtype().is_float() {
                value_reads::at(v);
            }
            from.get_or_insert_with(|| v.clone());
        }
        let call = |b: &mut Bound| missing_kernels::check(self, b).and_then(|()| self.run(b));
        let out = match call(bound) {
            // A bare whole number is a number of mathematics, where PyTorch has no such operation.
            Err(c) if !c.kind.is_stop() && bound.floats_of_bare_numbers() => {
                call(bound).map_err(|_| c)?
            }
            out => out?,
        };
        all_read()?;
        let Some(from) = from else {
            return Ok(out);
        };
        // What is true, how many there are and where they stand is known by looking.
        let counted = match &out {
            Out::Bool(_) | Out::Int(_) => true,
            Out::One(v) => !v.dtype().is_float() || UNSIZED.contains(&self.name),
            Out::Many(all) => all.iter().any(|v| !v.dtype().is_float()),
            Out::Named(..) => false,
        };
        if counted {
            value_reads::at(&from);
        }
        let marked = |v: Variable| match v.depends() {
            true => v,
            false => v.stepped_from(&from),
        };
        Ok(match out {
            Out::One(v) => Out::One(marked(v)),
            Out::Many(all) => Out::Many(all.into_iter().map(marked).collect()),
            Out::Named(name, all) => {
                Out::Named(name, all.into_iter().map(|(n, v)| (n, marked(v))).collect())
            }
            other => other,
        })
    }
}
