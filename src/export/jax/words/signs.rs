//! Decompositions into vectors, whose signs are free: those that the session saw are written down.

use super::super::problem::{Done, Problem};
use crate::code::Code;
use crate::words::template::Bound;
use crate::writer::Writer;
use vjp_eval::leaf::existing;
use vjp_eval::record::watched_values::Seen;
use vjp_eval::{Builtin, Value};
use vjp_export_torch::literal;
use vjp_tensor::Tensor;
use vjp_text::Span;

/// The name of a decomposition, how its values alone are asked for, and at which places of the
/// result its values and its columns stand.
const DECOMPOSITIONS: &[(&str, [&str; 2], usize, usize)] =
    &[("eigh", [".eigenvalues", "[0]"], 0, 1), ("svd", [".S", "[1]"], 1, 0)];

/// Values that are closer than this to each other have no vectors of their own.
const CLOSE: f64 = 1e-4;

impl Writer<'_> {
    /// The call with the signs that were seen; None where the call as it is does.
    pub(crate) fn with_signs(
        &mut self,
        b: &Builtin,
        bound: &Bound,
        whole: Span,
    ) -> Done<Option<Code>> {
        let found = DECOMPOSITIONS.iter().find(|d| d.0 == b.name);
        let (Some((name, alone, values, columns)), Some(given)) = (found, bound.get("A")) else {
            return Ok(None);
        };
        let rest = &self.source.text()[whole.end as usize..];
        if alone.iter().any(|word| rest.starts_with(word)) {
            return Ok(None);
        }
        // A whole expression is seen as the last of its steps too.
        let once = if rest.starts_with(['.', '[', '(']) { 1 } else { 2 };
        let lacks = |why: &str| Problem::lacks(&format!("{} {why}", super::spoken(b)));
        let parts: Vec<Tensor> = match self.sight(whole) {
            Some(sight) if sight.times <= once => match sight.kinds.as_slice() {
                [Seen::Value(Value::Tuple(t))] => {
                    t.items.iter().filter_map(|v| Some(existing(v)?.value())).collect()
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        let (Some(values), Some(vectors)) = (parts.get(*values), parts.get(*columns)) else {
            return Err(lacks("that runs several times, with vectors of other signs"));
        };
        let count = values.shape().last().copied().unwrap_or(0);
        let sizes = parts.iter().filter(|p| p.shape().len() == vectors.shape().len());
        if sizes.flat_map(|p| p.shape()).any(|n| *n == 0)
            || (parts.len() == 3 && parts[0].shape().last() != parts[2].shape().iter().rev().nth(1))
        {
            return Err(lacks("with vectors beyond those of its values"));
        }
        for row in values.data().chunks(count.max(1)) {
            let size = row.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
            let near = |a: &f64, b: &f64| (a - b).abs() <= CLOSE * size;
            if row.windows(2).any(|w| near(&w[0], &w[1])) {
                return Err(lacks("of a matrix with repeated values, whose vectors are free"));
            }
        }
        let mut text = given.code.text.clone();
        if bound.get("UPLO").and_then(|g| g.literal.clone()).is_some_and(|t| t != "'L'") {
            text = format!("{}.mT", given.code.tight());
        }
        let signs = signs(vectors);
        let helper = self.helper(name);
        Ok(Some(format!("{helper}({text}, {signs})").into()))
    }
}

/// The sign of each column's first large component, as nested lists.
fn signs(vectors: &Tensor) -> String {
    let (n, k) = match vectors.shape() {
        [.., n, k] => (*n, *k),
        _ => (1, 1),
    };
    let one = |matrix: &[f64]| {
        let sign = |j: usize| {
            let column = || (0..n).map(|i| matrix[i * k + j]);
            let most = column().fold(0.0, |m: f64, v| m.max(v.abs()));
            let first = column().find(|v| v.abs() > 0.618 * most).unwrap_or(1.0);
            if first < 0.0 { "-1" } else { "1" }
        };
        format!("[[{}]]", (0..k).map(sign).collect::<Vec<_>>().join(", "))
    };
    let all: Vec<String> = vectors.data().chunks((n * k).max(1)).map(one).collect();
    match vectors.shape().len() {
        2 => all.join(""),
        _ => format!(
            "jnp.reshape(jnp.array([{}]), {})",
            all.join(", "),
            literal::shape(&[&vectors.shape()[..vectors.shape().len() - 2], &[1, k]].concat())
        ),
    }
}
