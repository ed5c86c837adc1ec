//! Second derivatives of the last backward: the Hessian of the scalar that it was the gradient of.

use vjp_eval::Latest;
use vjp_eval::record::event::{Hessian, HessianBlock};
use vjp_jacobian::Jacobian;
use vjp_jacobian::walk::{Limits, numeric_many, symbolic_many};
use vjp_maths::Variable;
use vjp_maths::autodiff::reverse::{SweepOptions, sweep};
use vjp_tensor::Outcome;

/// ∂²(vᵀy) for each pair of leaves, the later one of a pair as columns.
pub fn hessian(latest: &Latest) -> Outcome<Hessian> {
    let options = SweepOptions {
        create_graph: true,
        retain_graph: true,
        inputs: Some(&latest.leaves),
        unasked: true,
        ..SweepOptions::default()
    };
    let root = (latest.y.clone(), Variable::constant(latest.v.clone()));
    let slopes = sweep(&[root], options)?.inputs;
    let names = |v: &Variable| latest.name(v);
    let mut blocks = Vec::new();
    for (row, (x, slope)) in latest.leaves.iter().zip(&slopes).enumerate() {
        let others = &latest.leaves[row..];
        let (numbers, symbols) = match slope {
            Some(slope) if slope.requires_grad() => (
                numeric_many(slope, others)?,
                symbolic_many(slope, others, &names, Limits::default())?,
            ),
            _ => {
                let zeros = others.iter().map(|o| (x.numel(), o.numel()));
                let symbols = zeros.clone().map(|(m, n)| Jacobian::zero(m, n)).collect();
                (zeros.map(|(m, n)| Jacobian::zero(m, n)).collect(), Some(symbols))
            }
        };
        let mut symbols = symbols.map(Vec::into_iter);
        for (k, matrix) in numbers.into_iter().enumerate() {
            blocks.push(HessianBlock {
                row,
                column: row + k,
                matrix,
                symbolic: symbols.as_mut().and_then(Iterator::next),
            });
        }
    }
    Ok(Hessian {
        output: latest.event.output.clone(),
        weighted: latest.y.numel() != 1 || latest.v.data() != [1.0],
        leaves: latest
            .event
            .leaves
            .iter()
            .map(|l| (l.name.clone(), l.value.shape().to_vec()))
            .collect(),
        blocks,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use vjp_eval::{Manner, Options};
    use vjp_jacobian::Entry;
    use vjp_text::Source;

    /// Every entry of every block, in symbols at the leaves' values and in numbers.
    fn pairs(program: &str) -> Vec<(f64, f64)> {
        let mut machine = crate::machine(Options::default());
        machine.run(&Source::new(program), Manner::Program, &mut |_| {}).unwrap();
        let latest = machine.latest.take().unwrap();
        let hessian = super::hessian(&latest).unwrap();
        let value = |leaf: &vjp_maths::symbol::Leaf, at: usize| {
            let all = &latest.event.leaves;
            all.iter().find(|l| l.name == leaf.name).unwrap().value.data()[at]
        };
        let mut all = Vec::new();
        for block in &hessian.blocks {
            let symbolic = block.symbolic.as_ref().unwrap();
            for i in 0..block.matrix.rows {
                for j in 0..block.matrix.columns {
                    let number = block.matrix.number(i, j);
                    let symbol = match symbolic.get(i, j) {
                        Entry::Value(e) => e.evaluate(&value),
                        Entry::Absent | Entry::Unchosen => 0.0,
                    };
                    all.push((symbol, number));
                }
            }
        }
        all
    }

    #[test]
    fn symbols_are_the_numbers() {
        let programs = [
            "w = [1, 2]; x = [0.5, -1]; b = 0.5; y = (sigmoid(w[0]*x[0] + w[1]*x[1] + b) - 1)^2; y.backward()",
            "a = [1.5, 2]; y = 100*(a[1]-a[0]^2)^2 + (1-a[0])^2; y.backward()",
            "A = [[.5, -.5], [1, .5]]; a = [1.5, 2]; y = tanh(A @ a)*exp(a); y.backward([1, 10])",
        ];
        for program in programs {
            let all = pairs(program);
            assert!(all.iter().any(|(_, n)| *n != 0.0), "{program}");
            for (s, n) in all {
                assert!((s - n).abs() <= 1e-9 * n.abs().max(1.0), "{program}: {s} {n}");
            }
        }
    }
}
