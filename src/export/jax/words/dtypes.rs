//! Types of numbers: which one JAX gives, and what it takes to give PyTorch's.

use super::template::Bound;
use crate::code::Code;
use crate::words::Word;
use crate::writer::Writer;
use vjp_binder::signature::Accepts;
use vjp_tensor::Dtype;
use vjp_text::Span;

/// PyTorch's type as JAX names it.
pub(crate) fn name(dtype: Dtype, double: bool) -> &'static str {
    match dtype {
        Dtype::Float64 => "jnp.float64",
        Dtype::Float32 => "jnp.float32",
        Dtype::Float16 => "jnp.float16",
        Dtype::Bfloat16 => "jnp.bfloat16",
        // Without 64 bits JAX has no wider integers.
        Dtype::Int64 if !double => "jnp.int32",
        Dtype::Int64 => "jnp.int64",
        Dtype::Int32 => "jnp.int32",
        Dtype::Int16 => "jnp.int16",
        Dtype::Int8 => "jnp.int8",
        Dtype::Uint8 => "jnp.uint8",
        Dtype::Bool => "jnp.bool_",
    }
}

fn width(dtype: Dtype) -> u8 {
    match dtype {
        Dtype::Bool => 0,
        Dtype::Uint8 | Dtype::Int8 => 1,
        Dtype::Int16 | Dtype::Float16 | Dtype::Bfloat16 => 2,
        Dtype::Int32 | Dtype::Float32 => 4,
        Dtype::Int64 | Dtype::Float64 => 8,
    }
}

/// The type of an operation on arrays of these types, as JAX promotes them.
fn promoted(a: Dtype, b: Dtype) -> Dtype {
    match (a.is_float(), b.is_float()) {
        (true, false) => a,
        (false, true) => b,
        (true, true) if a != b && width(a) == width(b) => Dtype::Float32,
        (false, false) if a != b && width(a) == 1 && width(b) == 1 => Dtype::Int16,
        _ if width(a) >= width(b) => a,
        _ => b,
    }
}

/// Whether PyTorch keeps the type of integers beside a number that JAX would promote them for.
pub(crate) fn keeps_type(bound: &Bound, from: &[Dtype], to: Dtype) -> bool {
    let number = |t: &String| t.parse::<f64>().is_ok() && t.parse::<i64>().is_err();
    let numbers = bound.signature.params.iter().zip(&bound.given).filter_map(|(p, given)| {
        let takes = matches!(p.accepts, Accepts::Number | Accepts::TensorOrNumber);
        given.as_ref()?.literal.as_ref().filter(|_| takes)
    });
    !to.is_float() && from.first() == Some(&to) && numbers.into_iter().any(number)
}

impl Writer<'_> {
    /// Makes floats of the arguments where PyTorch does and JAX's function takes nothing else.
    pub(crate) fn widened(&self, word: &Word, bound: &mut Bound, from: &[Dtype], whole: Span) {
        let Some(to) = self.dtype(whole).filter(|d| d.is_float()) else {
            return;
        };
        let numpy = !word.template.contains("jax.") && word.template.contains("jnp.");
        let special = word.template.contains("jax.scipy.special.");
        // jax.numpy promotes integers itself, but divides truths as they are.
        let all = !from.is_empty()
            && from.iter().all(|d| if numpy { *d == Dtype::Bool } else { !d.is_float() });
        let mut types = from.iter();
        for (param, given) in bound.signature.params.iter().zip(&mut bound.given) {
            let takes = matches!(param.accepts, Accepts::Tensor | Accepts::TensorOrNumber);
            let Some(given) = given.as_mut().filter(|_| takes) else {
                continue;
            };
            let int = given.literal.as_ref().is_some_and(|t| t.parse::<i64>().is_ok());
            let own = given.tensor.then(|| types.next()).flatten();
            let whole_number = special && own.is_some_and(|d| !d.is_float());
            // What a function computes of one of them alone has PyTorch's width.
            let narrow = word.template.contains('(')
                && from.len() > 1
                && own.is_some_and(|d| d.is_float() && width(*d) < width(to));
            if given.tensor && (all || whole_number || narrow) {
                let to = name(to, self.double);
                given.code = format!("{}.astype({to})", given.code.tight()).into();
            } else if special && int {
                given.code = format!("{}.", given.code.text).into();
            }
        }
    }

    /// What JAX makes of floats that nobody gave a type.
    pub(crate) fn default_float(&self) -> Dtype {
        if self.double { Dtype::Float64 } else { Dtype::Float32 }
    }

    /// `code`, of an operation on arrays of types `from`, in PyTorch's type `to`.
    pub(crate) fn fitted(&self, code: Code, from: &[Dtype], to: Option<Dtype>) -> Code {
        let (true, Some(to)) = (self.mixed, to) else {
            return code;
        };
        let Some((first, rest)) = from.split_first() else {
            return code;
        };
        let mut given = rest.iter().fold(*first, |a, b| promoted(a, *b));
        match (given.is_float(), to.is_float()) {
            (false, true) => given = self.default_float(),
            // Comparisons, places, counts.
            (_, false) if given.is_float() || matches!(to, Dtype::Bool | Dtype::Int64) => {
                return code;
            }
            _ => {}
        }
        match given == to {
            true => code,
            false => format!("{}.astype({})", code.tight(), name(to, self.double)).into(),
        }
    }
}
