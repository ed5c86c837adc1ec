//! One operation as programs see it, a row of the catalogue, and what holds for every one that is carried out.

use crate::batched::Apart;
use crate::{Bound, Out, batched, given_dims, missing_kernels};
use vjp_maths::Variable;
use vjp_maths::observe::value_reads;
use vjp_maths::table::Row;
use vjp_tensor::Outcome;
use vjp_tensor::exact_integers::all_read;

pub use vjp_maths::table::called::{Forms, USUAL};

/// One operation as programs see it.
#[derive(Debug)]
pub struct Entry {
    /// `sum`
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub forms: Forms,
    /// PyTorch's way of writing it, the overloads one per line:
    /// `(Tensor input, int[] dim=None, bool keepdim=False, *, Dtype dtype=None)`. Types: `Tensor`,
    /// `Tensors` (a list or tuple of them), `Scalar` (a number), `float`, `int`, `bool`, `int[]` (an int
    /// or several; as the last positional of a method also spread over the arguments: `x.view(2, 3)`),
    /// `str`, `Dtype`. `Tensor|Scalar` takes either, a number becoming a weak 0-d tensor.
    pub signature: &'static str,
    /// The derivative or definition in symbols, for help.
    pub formula: &'static str,
    /// Runs at the prompt.
    pub example: &'static str,
    /// Further calls to test, where the example cannot tell enough: `a = [1., 2.]; torch.name(a @ a)`.
    /// The names given lists are the inputs.
    pub samples: &'static [&'static str],
    pub see_also: &'static [&'static str],
    /// The same in JAX, as an exported program says it: `jnp.clip({input}, {min}, {max})`. Empty: the
    /// exporter's own function of this name, or JAX's; `-`: there is none.
    pub jax: &'static str,
    pub call: Call,
}

/// What carries an operation out.
#[derive(Clone, Copy, Debug)]
pub enum Call {
    /// A function of its own.
    Own(fn(&mut Bound) -> Outcome<Out>),
    /// A row of the table, and what calls rows.
    Row(&'static Row, fn(&'static Row, &mut Bound) -> Outcome<Out>),
}

impl Call {
    pub fn run(self, bound: &mut Bound) -> Outcome<Out> {
        match self {
            Call::Own(call) => call(bound),
            Call::Row(row, call) => call(row, bound),
        }
    }
}

/// Names that an operation does not have in all of its forms, and the forms in which it has them.
const IN_SOME: [(&[&str], Forms); 8] = [
    (&["expit", "gammaln", "multigammaln", "psi"], Forms::SPECIAL.and(Forms::SHORT)),
    (&["gammainc", "gammaincc"], Forms::SPECIAL),
    (&["igamma", "igammac"], Forms(u16::MAX).without(Forms::SPECIAL)),
    (&["inv"], Forms::LINALG.and(Forms::SHORT)),
    (&["invert", "mod", "power"], Forms::NP.and(Forms::SHORT)),
    (&["inverse"], Forms(u16::MAX).without(Forms::LINALG)),
    (&["lgamma", "mvlgamma", "sigmoid"], Forms(u16::MAX).without(Forms::SPECIAL)),
    (
        &["cat", "clamp", "div", "eq", "ge", "ger", "gt", "le", "lt", "mul", "ne", "neg", "sub"],
        Forms(u16::MAX).without(Forms::NP),
    ),
];

impl Entry {
    /// Its name and aliases, as one form has them.
    pub fn names(&'static self, form: Forms) -> impl Iterator<Item = &'static str> {
        let all = std::iter::once(self.name).chain(self.aliases.iter().copied());
        let lacks = move |n: &&'static str| {
            IN_SOME.iter().any(|(names, f)| names.contains(n) && !f.has(form))
        };
        all.filter(move |n| self.forms.has(form) && !lacks(n))
    }
}

/// Operations whose values decide how many elements come out.
const UNSIZED: [&str; 4] = ["unique", "unique_consecutive", "masked_select", "nonzero"];

impl Entry {
    /// Carries the operation out. Constants that it computes from what depends on a leaf are known to.
    pub fn carry_out(&self, bound: &mut Bound) -> Outcome<Out> {
        batched::allowed(self.name, bound)?;
        let apart = Apart::of(batched::given(bound));
        crate::refusals::parameters(self.name, bound)?;
        crate::autocast::prepare(self.name, bound);
        let mut from = None;
        for v in batched::given(bound).filter(|v| v.depends()) {
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
        given_dims::tell(self.name, bound, &out);
        if let Some(apart) = apart {
            match &out {
                Out::One(v) => apart.made(v),
                Out::Many(all) => all.iter().for_each(|v| apart.made(v)),
                Out::Named(_, all) => all.iter().for_each(|(_, v)| apart.made(v)),
                _ => {}
            }
        }
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
