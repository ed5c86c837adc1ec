//! Sums of products by index letters: einsum, kron.

use crate::arguments::{Bound, Out};
use crate::arrange::{flip_and_repeat, layout};
use crate::entry::Forms;
use crate::product::matmul::bmm;
use crate::reduce::sum;
use vjp_maths::autodiff::variable::Variable;
use vjp_maths::table;
use vjp_tensor::complain;
use vjp_tensor::complaint::{Kind, Outcome};

/// An operand with a letter for each of its dimensions.
#[derive(Clone)]
struct Operand {
    x: Variable,
    letters: Vec<char>,
}

impl Operand {
    fn size(&self, letter: char) -> Option<usize> {
        let at = self.letters.iter().position(|l| *l == letter)?;
        self.x.shape().get(at).copied()
    }

    /// Dimensions of one letter become one: their diagonal.
    fn without_repeats(mut self) -> Outcome<Operand> {
        while let Some((a, b)) = repeated(&self.letters) {
            self.x = flip_and_repeat::diagonal(&self.x, 0, a as i64, b as i64)?;
            let letter = self.letters.remove(b);
            self.letters.remove(a);
            self.letters.push(letter);
        }
        Ok(self)
    }

    /// Dimensions in another order.
    fn permuted(&self, order: &[char]) -> Outcome<Variable> {
        if self.letters == order {
            return Ok(self.x.clone());
        }
        let place = |l: &char| self.letters.iter().position(|m| m == l).unwrap_or(0) as i64;
        let dims: Vec<i64> = order.iter().map(place).collect();
        layout::permute(&self.x, &dims)
    }

    /// Sums over the letters that nobody else needs.
    fn summed(self, keep: &[char]) -> Outcome<Operand> {
        let gone: Vec<i64> = (0..self.letters.len())
            .filter(|k| !keep.contains(&self.letters[*k]))
            .map(|k| k as i64)
            .collect();
        if gone.is_empty() {
            return Ok(self);
        }
        Ok(Operand {
            x: sum(&self.x, Some(&gone), false)?,
            letters: self.letters.into_iter().filter(|l| keep.contains(l)).collect(),
        })
    }
}

fn repeated(letters: &[char]) -> Option<(usize, usize)> {
    (0..letters.len())
        .find_map(|a| (a + 1..letters.len()).find(|b| letters[*b] == letters[a]).map(|b| (a, b)))
}

fn sizes(v: &[usize]) -> Vec<i64> {
    v.iter().map(|d| *d as i64).collect()
}

/// As PyTorch begins: dimensions of size 1 for what an operand lacks of all, or else a permutation; the
/// gradient leaves through that.
fn aligned(x: &Variable, all: usize) -> Outcome<Variable> {
    let rank = x.rank();
    if rank >= all {
        return layout::permute(x, &sizes(&(0..rank).collect::<Vec<_>>()));
    }
    let own = sizes(&x.shape());
    let wide = (rank..all).try_fold(x.clone(), |x, _| layout::unsqueeze(&x, -1))?;
    layout::reshape(&wide, &own)
}

/// The product of two operands, summed over the letters that are not in `keep`.
fn pair(a: Operand, b: Operand, keep: &[char]) -> Outcome<Operand> {
    let others = |mine: &Operand, other: &Operand| -> Vec<char> {
        mine.letters
            .iter()
            .filter(|l| keep.contains(l) || other.letters.contains(l))
            .copied()
            .collect()
    };
    let (p, q) = (others(&a, &b), others(&b, &a));
    let (a, b) = (a.summed(&p)?, b.summed(&q)?);
    let shared: Vec<char> = a.letters.iter().filter(|l| b.letters.contains(l)).copied().collect();
    let (batch, inner): (Vec<char>, Vec<char>) = shared.iter().partition(|l| keep.contains(l));
    let left: Vec<char> = a.letters.iter().filter(|l| !shared.contains(l)).copied().collect();
    let right: Vec<char> = b.letters.iter().filter(|l| !shared.contains(l)).copied().collect();
    // In the order of the result.
    let all = [batch.clone(), left.clone(), right.clone()].concat();
    let order: Vec<char> = keep.iter().filter(|l| all.contains(l)).copied().collect();
    if inner.is_empty() {
        let spread = |o: &Operand| -> Outcome<Variable> {
            let own: Vec<char> = order.iter().filter(|l| o.letters.contains(l)).copied().collect();
            let x = o.permuted(&own)?;
            if own.len() == order.len() {
                return Ok(x);
            }
            let shape: Vec<usize> = order.iter().map(|l| o.size(*l).unwrap_or(1)).collect();
            layout::reshape(&x, &sizes(&shape))
        };
        return Ok(Operand { x: table::mul(&spread(&a)?, &spread(&b)?)?, letters: order });
    }
    let extent = |letters: &[char]| -> Vec<usize> {
        letters.iter().map(|l| a.size(*l).or_else(|| b.size(*l)).unwrap_or(1)).collect()
    };
    let count = |letters: &[char]| extent(letters).iter().product::<usize>() as i64;
    let (n, m, k, r) = (count(&batch), count(&left), count(&inner), count(&right));
    let tall = a.permuted(&[batch.clone(), left.clone(), inner.clone()].concat())?;
    let wide = b.permuted(&[batch, inner, right].concat())?;
    let product = bmm(&layout::reshape(&tall, &[n, m, k])?, &layout::reshape(&wide, &[n, k, r])?)?;
    let full = layout::reshape(&product, &sizes(&extent(&all)))?;
    let result = Operand { x: full, letters: all };
    Ok(Operand { x: result.permuted(&order)?, letters: order })
}

/// Splits the equation; an ellipsis becomes capital letters that programs cannot type.
fn letters(text: &str, rank: Option<usize>, widest: usize) -> Outcome<Vec<char>> {
    let named = text.chars().filter(|c| c.is_alphabetic()).count();
    let dots = rank.map_or(widest, |r| r.saturating_sub(named));
    let mut out = Vec::new();
    let mut rest = text.trim();
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("...") {
            let start = widest - dots.min(widest);
            out.extend((start..widest).filter_map(|k| char::from_u32(0xE000 + k as u32)));
            rest = after;
        } else {
            if c.is_alphabetic() {
                out.push(c);
            } else if !c.is_whitespace() {
                complain!(
                    Kind::Runtime,
                    "einsum(): invalid subscript given at index 0 in the equation string, subscripts must be in [a-zA-Z]"
                );
            }
            rest = &rest[c.len_utf8()..];
        }
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
            Kind::Runtime,
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
        let letters = letters(text, Some(x.rank()), widest)?;
        if letters.len() != x.rank() {
            complain!(
                Kind::Runtime,
                "einsum(): the number of subscripts in the equation ({}) does not match the number of dimensions ({}) for operand {k} and no ellipsis was given",
                letters.len(),
                x.rank()
            );
        }
        let mut seen: Vec<(char, usize)> = Vec::new();
        for other in &parts {
            let other: &Operand = other;
            seen.extend(other.letters.iter().zip(other.x.shape()).map(|(l, n)| (*l, n)));
        }
        for (i, (l, n)) in letters.iter().zip(x.shape()).enumerate() {
            let before = letters[..i].iter().position(|m| m == l);
            if let Some(m) = before.map(|j| x.shape()[j]).filter(|m| *m != n) {
                complain!(
                    Kind::Runtime,
                    "einsum(): subscript {l} is repeated for operand {k} but the sizes don't match, {n} != {m}"
                );
            }
            if let Some((_, m)) =
                seen.iter().find(|(m, size)| m == l && *size != n && n != 1 && *size != 1)
            {
                complain!(
                    Kind::Runtime,
                    "einsum(): subscript {l} has size {n} for operand {k} which does not broadcast with previously seen size {m}"
                );
            }
            seen.push((*l, n));
        }
        let part = Operand { x: x.clone(), letters };
        parts.push(part.without_repeats()?);
    }
    let out = match output {
        Some(o) => letters(o, None, widest)?,
        None => {
            let mut all: Vec<char> = parts.iter().flat_map(|p| p.letters.clone()).collect();
            all.sort_unstable();
            let once = |l: &char| inputs.matches(*l).count() == 1 || *l >= '\u{E000}';
            let mut kept: Vec<char> = all.into_iter().filter(once).collect();
            kept.dedup();
            let (dots, named): (Vec<char>, Vec<char>) =
                kept.into_iter().partition(|l| *l >= '\u{E000}');
            [dots, named].concat()
        }
    };
    if let Some(l) = out.iter().find(|l| !parts.iter().any(|p| p.letters.contains(l))) {
        complain!(
            Kind::Runtime,
            "einsum(): output subscript {l} does not appear in the equation for any input operand"
        );
    }
    let mut all: Vec<char> = parts.iter().flat_map(|p| p.letters.clone()).collect();
    all.sort_unstable();
    all.dedup();
    for part in &mut parts {
        part.x = aligned(&part.x, all.len())?;
    }
    spread_ones(&mut parts)?;
    let mut rest = parts.into_iter();
    let Some(mut result) = rest.next() else {
        complain!(Kind::Runtime, "einsum(): must provide at least one operand");
    };
    let mut rest: Vec<Operand> = rest.collect();
    let single = rest.is_empty();
    while !rest.is_empty() {
        let next = rest.remove(0);
        let mut keep = out.clone();
        for later in &rest {
            keep.extend(later.letters.iter().filter(|l| !out.contains(l)));
        }
        result = pair(result, next, &keep)?;
    }
    let summed = result.letters.iter().any(|l| !out.contains(l));
    let result = result.summed(&out)?;
    let product = result.x.node().is_some_and(|n| n.grad_fn() != "MulBackward0");
    let y = result.permuted(&out)?;
    if single || summed || !product {
        return Ok(y);
    }
    layout::reshape(&y, &sizes(&y.shape()))
}

/// Sizes of 1 beside larger ones of the same letter are repeated.
fn spread_ones(parts: &mut [Operand]) -> Outcome<()> {
    let all: Vec<(char, usize)> = parts
        .iter()
        .flat_map(|p| p.letters.iter().copied().zip(p.x.shape()).collect::<Vec<_>>())
        .collect();
    for p in parts {
        let own = p.x.shape();
        let largest =
            |l: &char| all.iter().filter(|(m, _)| m == l).map(|(_, n)| *n).max().unwrap_or(1);
        let wanted: Vec<usize> = p
            .letters
            .iter()
            .zip(&own)
            .map(|(l, n)| if *n == 1 { largest(l) } else { *n })
            .collect();
        if wanted != own {
            p.x = layout::expand(&p.x, &sizes(&wanted))?;
        }
    }
    Ok(())
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

pub static ENTRIES: &[crate::entry::Entry] = entries! {
    "einsum" Forms::TORCH.and(Forms::SHORT).and(Forms::NP), "(str equation, Tensors operands)", "sums of products by index letters; vᵀJ with respect to an operand is the einsum of v with the others", "einsum('ij,j->i', tensor([[1, 2], [3, 4]]), tensor([1, 1]))", ["matmul"] jax "[equation: number] jnp.einsum({equation}, *{operands})"
        => |b| Ok(Out::One(einsum(b.str_or(0, ""), &b.tensors(1))?));
    "kron" BOTH.and(Forms::NP), "(Tensor input, Tensor other)", "all products of elements, block by block; dY = dA ⊗ B + A ⊗ dB", "torch.kron(tensor([1, 2]), tensor([1, 1]))", ["outer"]
        => kron;
};
