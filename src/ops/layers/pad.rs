//! Padding: what stands around an array.

use std::rc::Rc;
use vjp_maths::primitives::fixed::element_map;
use vjp_maths::{Fixed, Saves, Variable, apply, table};
use vjp_ops::compose::named;
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::torch_messages::sizes;
use vjp_tensor::{ElementMap, Kind, Outcome, Tensor, budget, complain, shape};

/// What PyTorch refuses of a padding that is not with a constant, `by` pairs (before, after), the last
/// dimension first.
fn check_padding(own: &[usize], by: &[i64], mode: &str, value: f64) -> Outcome<()> {
    if value != 0.0 {
        complain!("Padding mode \"{mode}\" doesn't take in value argument");
    }
    let (n, rank) = (by.len() / 2, own.len());
    if !(1..=3).contains(&n) || (rank != n + 1 && rank != n + 2) {
        complain!(
            Kind::NotImplemented,
            "Padding size {} is not supported for {rank}D input tensor.\nSupported combinations for non-constant padding:\n  - 2D or 3D input: padding size = 2 (pads last dimension)\n  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)",
            by.len()
        );
    }
    let pairs: Vec<(usize, i64, i64)> =
        by.chunks_exact(2).enumerate().map(|(k, p)| (rank - 1 - k, p[0], p[1])).collect();
    let size = |d: usize| own[d] as i64;
    if mode == "circular" {
        for (d, before, after) in pairs.iter().rev() {
            if *before > size(*d) || *after > size(*d) {
                complain!("Padding value causes wrapping around more than once.");
            }
            if size(*d) + before + after < 0 {
                complain!("Negative padding value is resulting in an empty dimension");
            }
        }
        return Ok(());
    }
    if own[rank - n - 1..].contains(&0) {
        complain!(
            "Expected {}D or {}D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: {}",
            n + 1,
            n + 2,
            sizes(own)
        );
    }
    if mode == "reflect" {
        for (k, (d, before, after)) in pairs.iter().enumerate() {
            if *before >= size(*d) || *after >= size(*d) {
                complain!(
                    "Argument #{}: Padding size should be less than the corresponding input dimension, but got: padding ({before}, {after}) at dimension {d} of input {}",
                    4 + 2 * k,
                    sizes(own)
                );
            }
        }
    }
    let to = |(d, before, after): &(usize, i64, i64)| size(*d) + before + after;
    if pairs.iter().all(|p| to(p) < 1) {
        let named = |f: &dyn Fn(&(usize, i64, i64)) -> i64, between: &str| {
            let sides = ["W", "H", "D"].into_iter().zip(&pairs).rev();
            sides.map(|(s, p)| format!("{s}: {}", f(p))).collect::<Vec<_>>().join(between)
        };
        complain!(
            "input ({}) is too small. Calculated output {}",
            named(&|p| size(p.0), ", "),
            named(&to, " ")
        );
    }
    Ok(())
}

fn pad(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let (own, by) = (x.shape(), b.ints(1).unwrap_or_default());
    let mode = b.str_or(2, "constant");
    let fill = b.float_or(3, 0.0);
    if !matches!(mode, "constant" | "reflect" | "replicate" | "circular") {
        complain!(Kind::NotImplemented, "Unrecognised padding mode {mode}");
    }
    if by.len() % 2 != 0 {
        complain!("Padding length must be divisible by 2");
    }
    if by.len() > 2 * own.len() {
        complain!(
            "Padding length should be less than or equal to two times the input dimension but got padding length {} and input of dimension {}",
            by.len(),
            own.len()
        );
    }
    if mode != "constant" {
        check_padding(&own, &by, mode, fill)?;
    }
    // Pairs (before, after), the last dimension first.
    let (mut before, mut to) = (vec![0i64; own.len()], own.clone());
    for (k, pair) in by.chunks_exact(2).enumerate() {
        let d = own.len() - 1 - k;
        let left = own[d] as i64 + pair[0].min(0);
        if left < 0 || left + pair[1].min(0) < 0 {
            complain!("narrow(): length must be non-negative.");
        }
        before[d] = pair[0];
        to[d] = (own[d] as i64).saturating_add(pair[0]).saturating_add(pair[1]).max(0) as usize;
    }
    let (strides, steps) = (shape::strides(&own), shape::strides(&to));
    let index = budget::listed(shape::count(&to)?, |k| {
        let mut at = 0;
        for d in 0..to.len() {
            let (n, c) = (own[d] as i64, (k / steps[d] % to[d]) as i64 - before[d]);
            let c = match mode {
                _ if (0..n).contains(&c) => c,
                "reflect" if n > 1 => (n - 1) - (c.rem_euclid(2 * n - 2) - (n - 1)).abs(),
                "replicate" if n > 0 => c.clamp(0, n - 1),
                "circular" if n > 0 => c.rem_euclid(n),
                _ => return ElementMap::NONE,
            };
            at += c as usize * strides[d];
        }
        at
    })?;
    let w = element_map(&own, &to, index);
    if fill == 0.0 || mode != "constant" {
        let name = match (mode, by.len()) {
            ("reflect", 2) => "ReflectionPad1DBackward0",
            ("reflect", 4) => "ReflectionPad2DBackward0",
            ("reflect", _) => "ReflectionPad3DBackward0",
            ("replicate", 2) => "ReplicationPad1DBackward0",
            ("replicate", 4) => "ReplicationPad2DBackward0",
            ("replicate", _) => "ReplicationPad3DBackward0",
            ("circular", _) => "CopySlices",
            _ => "ConstantPadNdBackward0",
        };
        let mut op = Fixed::gather("pad", name, w);
        op.adds = matches!(mode, "reflect" | "replicate");
        if op.adds {
            op.saves = Saves::Inputs(1);
        }
        return Ok(Out::One(apply(Rc::new(op), &[x])?));
    }
    // What is no input's is the constant.
    let around = w.index.iter().map(|i| if *i == ElementMap::NONE { fill } else { -0.0 });
    let around = Tensor::typed(&to, around.collect(), x.dtype());
    let inside = apply(Rc::new(Fixed::gather("pad", "ConstantPadNdBackward0", w)), &[x])?;
    let y = table::add(&inside, &Variable::constant(around))?;
    Ok(Out::One(named(&y, "pad", "ConstantPadNdBackward0")?))
}

const F: Forms = Forms::F;

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "pad" F, "(Tensor input, ints pad, str mode='constant', float value=None)", "padded with zeros", "F.pad(tensor([1., 2.]), (1, 1))", ["cat"] jax "pad({*})"
        => pad;
};
