//! Sums of products by index letters: einsum, kron.

use crate::arrange::{flip_and_repeat, layout};
use crate::product::matmul::bmm;
use crate::reduce::sum;
use crate::{Bound, Forms, Out};
use vjp_maths::{Variable, table};
use vjp_tensor::{Outcome, complain};

fn sizes(v: &[usize]) -> Vec<i64> {
    v.iter().map(|d| *d as i64).collect()
}

/// An operand brought to the dimensions `all`, in their order: a letter that it has twice becomes the
/// diagonal, one that it lacks a size of 1.
fn aligned(x: &Variable, letters: &[char], all: &[char]) -> Outcome<Variable> {
    let mut x = x.clone();
    let mut own: Vec<char> = Vec::new();
    for letter in letters {
        let Some(first) = own.iter().position(|l| l == letter) else {
            own.push(*letter);
            continue;
        };
        x = flip_and_repeat::diagonal(&x, 0, first as i64, own.len() as i64)?;
        // The diagonal's dimension, the last, goes to the first's place.
        let mut order: Vec<i64> = (0..x.rank() as i64 - 1).collect();
        order.insert(first, x.rank() as i64 - 1);
        x = layout::permute(&x, &order)?;
    }
    for letter in all {
        if !own.contains(letter) {
            x = layout::unsqueeze(&x, -1)?;
            own.push(*letter);
        }
    }
    let place = |l: &char| own.iter().position(|m| m == l).unwrap_or(0) as i64;
    layout::permute(&x, &all.iter().map(place).collect::<Vec<_>>())
}

/// The product of two operands summed over dimensions, which stay with size 1: as PyTorch does it, one
/// product of batches.
fn summed_product(a: &Variable, b: &Variable, sum_dims: &[usize]) -> Outcome<Variable> {
    let (p, q) = (a.shape(), b.shape());
    // In both and in the result; in one of them; of size 1 everywhere is in the right one.
    let (mut both, mut left, mut right) = (Vec::new(), Vec::new(), Vec::new());
    for d in (0..p.len()).filter(|d| !sum_dims.contains(d)) {
        match (p[d] != 1, q[d] != 1) {
            (true, true) => both.push(d),
            (true, false) => left.push(d),
            _ => right.push(d),
        }
    }
    let count = |dims: &[usize], of: &[usize]| dims.iter().map(|d| of[*d] as i64).product::<i64>();
    let (n, m, k, r) = (count(&both, &p), count(&left, &p), count(sum_dims, &p), count(&right, &q));
    let tall = [&both, &left, sum_dims, &right].concat();
    let wide = [&both, sum_dims, &right, &left].concat();
    let tall = layout::reshape(&layout::permute(a, &sizes(&tall))?, &[n, m, k])?;
    let wide = layout::reshape(&layout::permute(b, &sizes(&wide))?, &[n, k, r])?;
    let order = [&both, &left, sum_dims, &right].concat();
    let extent = |d: &usize| match d {
        d if sum_dims.contains(d) => 1,
        d if right.contains(d) => q[*d],
        d => p[*d],
    };
    let full: Vec<usize> = order.iter().map(extent).collect();
    let product = layout::reshape(&bmm(&tall, &wide)?, &sizes(&full))?;
    let back = (0..order.len()).map(|d| order.iter().position(|o| *o == d).unwrap_or(0) as i64);
    layout::permute(&product, &back.collect::<Vec<_>>())
}

/// The product of two operands, summed over those dimensions from `from` on that no other has: `counts`
/// says how many still have each.
fn pair(a: Variable, b: Variable, from: usize, counts: &mut [usize]) -> Outcome<Variable> {
    let (mut only_a, mut only_b, mut shared) = (Vec::new(), Vec::new(), Vec::new());
    for (d, count) in counts.iter_mut().enumerate().skip(from) {
        let done = match (a.shape()[d] != 1, b.shape()[d] != 1) {
            (true, true) => {
                *count -= 1;
                &mut shared
            }
            (true, false) => &mut only_a,
            (false, true) => &mut only_b,
            _ => continue,
        };
        if *count == 1 {
            done.push(d);
            *count = 0;
        }
    }
    let summed = |x: Variable, dims: &[usize]| match dims.is_empty() {
        true => Ok(x),
        false => sum(&x, Some(&sizes(dims)), true),
    };
    let (a, b) = (summed(a, &only_a)?, summed(b, &only_b)?);
    if shared.is_empty() { table::mul(&a, &b) } else { summed_product(&a, &b, &shared) }
}

/// The letters of a part of the equation, of an operand or (None) of the output. An ellipsis becomes
/// letters that programs cannot type.
fn letters(
    equation: &str,
    part: &str,
    operand: Option<(usize, &Variable)>,
    widest: usize,
) -> Outcome<Vec<char>> {
    let named = part.chars().filter(char::is_ascii_alphabetic).count();
    let dots = operand.map_or(widest, |(_, x)| x.rank().saturating_sub(named));
    let mut out: Vec<char> = Vec::new();
    let (mut rest, mut ellipsis) = (part, false);
    while let Some(c) = rest.chars().next() {
        let mut read = c.len_utf8();
        match c {
            _ if rest.starts_with("...") && !ellipsis => {
                let start = widest - dots.min(widest);
                out.extend((start..widest).filter_map(|k| char::from_u32(0xE000 + k as u32)));
                (ellipsis, read) = (true, 3);
            }
            '.' => {
                let problem = match (operand, ellipsis) {
                    (Some((k, _)), true) => {
                        format!("operand {k} for which an ellipsis was already found")
                    }
                    (Some((k, _)), false) => {
                        format!("operand {k} that is not part of any ellipsis")
                    }
                    (None, true) => "output but an ellipsis (...) was already found".to_owned(),
                    (None, false) => "output that is not part of any ellipsis (...)".to_owned(),
                };
                complain!("einsum(): found '.' for {problem}");
            }
            ' ' => {}
            _ if !c.is_ascii_alphabetic() => {
                // Both are parts of one text.
                let at = rest.as_ptr() as usize - equation.as_ptr() as usize;
                complain!(
                    "einsum(): invalid subscript given at index {at} in the equation string, subscripts must be in [a-zA-Z]"
                );
            }
            _ if operand.is_none() && out.contains(&c) => {
                complain!("einsum(): output subscript {c} appears more than once in the output")
            }
            _ => out.push(c),
        }
        rest = &rest[read..];
    }
    Ok(out)
}

/// `torch.einsum(equation, operands)`.
///
/// # Errors
/// An equation that does not fit the operands.
pub fn einsum(equation: &str, operands: &[Variable]) -> Outcome<Variable> {
    let (inputs, output) = match equation.split_once("->") {
        Some((i, o)) => (i, Some(o)),
        None => (equation, None),
    };
    let texts: Vec<&str> = inputs.split(',').collect();
    if texts.len() != operands.len() {
        complain!(
            "einsum(): {} operands were provided than specified in the equation",
            if texts.len() < operands.len() { "more" } else { "fewer" }
        );
    }
    let widest = texts
        .iter()
        .zip(operands)
        .filter(|(t, _)| t.contains("..."))
        .map(|(t, x)| x.rank().saturating_sub(t.chars().filter(|c| c.is_alphabetic()).count()))
        .max()
        .unwrap_or(0);
    let mut parts = Vec::new();
    for (k, (text, x)) in texts.iter().zip(operands).enumerate() {
        let letters = letters(equation, text, Some((k, x)), widest)?;
        if letters.len() != x.rank() {
            complain!(
                "einsum(): the number of subscripts in the equation ({}) does not match the number of dimensions ({}) for operand {k} and no ellipsis was given",
                letters.len(),
                x.rank()
            );
        }
        let mut seen: Vec<(char, usize)> = Vec::new();
        for (other, letters) in &parts {
            let other: &Variable = other;
            let letters: &Vec<char> = letters;
            seen.extend(letters.iter().zip(other.shape()).map(|(l, n)| (*l, n)));
        }
        for (i, (l, n)) in letters.iter().zip(x.shape()).enumerate() {
            let before = letters[..i].iter().position(|m| m == l);
            if let Some(m) = before.map(|j| x.shape()[j]).filter(|m| *m != n) {
                complain!(
                    "einsum(): subscript {l} is repeated for operand {k} but the sizes don't match, {n} != {m}"
                );
            }
            if let Some((_, m)) =
                seen.iter().find(|(m, size)| m == l && *size != n && n != 1 && *size != 1)
            {
                complain!(
                    "einsum(): subscript {l} has size {n} for operand {k} which does not broadcast with previously seen size {m}"
                );
            }
            seen.push((*l, n));
        }
        parts.push((x.clone(), letters));
    }
    let out = match output {
        Some(o) => letters(equation, o, None, widest)?,
        None => {
            let mut all: Vec<char> = parts.iter().flat_map(|p| p.1.clone()).collect();
            all.sort_unstable();
            let once = |l: &char| inputs.matches(*l).count() == 1 || *l >= '\u{E000}';
            let mut kept: Vec<char> = all.into_iter().filter(once).collect();
            kept.dedup();
            let (dots, named): (Vec<char>, Vec<char>) =
                kept.into_iter().partition(|l| *l >= '\u{E000}');
            [dots, named].concat()
        }
    };
    if let Some(l) = out.iter().find(|l| !parts.iter().any(|p| p.1.contains(l))) {
        complain!(
            "einsum(): output subscript {l} does not appear in the equation for any input operand"
        );
    }
    let mut rest: Vec<char> = parts.iter().flat_map(|p| p.1.clone()).collect();
    rest.sort_unstable();
    rest.dedup();
    rest.retain(|l| !out.contains(l));
    let all = [out.clone(), rest].concat();
    let operands = parts.iter().map(|(x, letters)| aligned(x, letters, &all));
    let operands: Vec<Variable> = operands.collect::<Outcome<_>>()?;
    let wide = |d: usize| operands.iter().filter(|x| x.shape()[d] != 1).count();
    let mut counts: Vec<usize> = (0..all.len()).map(wide).collect();
    let single = operands.len() == 1;
    let mut operands = operands.into_iter();
    let Some(first) = operands.next() else {
        complain!("einsum(): must provide at least one operand");
    };
    let y = operands.try_fold(first, |y, next| pair(y, next, out.len(), &mut counts))?;
    if all.len() == out.len() {
        return Ok(y);
    }
    match single {
        true => sum(&y, Some(&sizes(&(out.len()..all.len()).collect::<Vec<_>>())), false),
        false => layout::view_as(&y, &sizes(&y.shape()[..out.len()])),
    }
}

fn kron(b: &mut Bound) -> Outcome<Out> {
    let (x, y) = (b.tensor(0)?, b.tensor(1)?);
    let rank = x.rank().max(y.rank());
    let padded = |v: &Variable| {
        let mut s = vec![1; rank - v.rank()];
        s.extend(v.shape());
        s
    };
    let (p, q) = (padded(&x), padded(&y));
    let (mut left, mut right, mut to) = (Vec::new(), Vec::new(), Vec::new());
    for (m, n) in p.iter().zip(&q) {
        left.extend([*m, 1]);
        right.extend([1, *n]);
        to.push(m * n);
    }
    let product =
        table::mul(&layout::reshape(&x, &sizes(&left))?, &layout::reshape(&y, &sizes(&right))?)?;
    Ok(Out::One(super::matmul::unsafe_view(&product, &to)?))
}

const BOTH: Forms = Forms::TORCH.and(Forms::METHOD);

pub static ENTRIES: &[crate::Entry] = entries! {
    "einsum" Forms::TORCH.and(Forms::SHORT).and(Forms::NP), "(str equation, Tensors operands)", "sums of products by index letters; vᵀJ with respect to an operand is the einsum of v with the others", "einsum('ij,j->i', tensor([[1, 2], [3, 4]]), tensor([1, 1]))", ["matmul"] jax "[equation: number] jnp.einsum({equation}, *{operands})"
        => |b| Ok(Out::One(einsum(b.str_or(0, ""), &b.tensors(1))?));
    "kron" BOTH.and(Forms::NP), "(Tensor input, Tensor other)", "all products of elements, block by block; dY = dA ⊗ B + A ⊗ dB", "torch.kron(tensor([1, 2]), tensor([1, 1]))", ["outer"]
        => kron;
};
