//! The loops over numbers: elementwise with broadcasting, sums along axes, products, gathers.
//! Long ones ask the budget every few thousand elements.

use crate::exact_integers::{Exact, by_doubles_or_longs, longs};
use crate::kernels::Cpu;
use crate::kernels::blocks::{self, PARALLEL_FROM, Slots, each};
use crate::kernels::operand::{Input, operands};
use crate::kernels::product::{
    self, Term, WORK, block, is_long_column, is_shared, matrix, product,
};
use crate::kernels::single::lengthen;
pub use crate::kernels::sum::{beside, in_turn, sum};
use crate::kernels::sum::{inner, over_one, sum_as, sums};
use crate::storage::element::is_single;
use crate::storage::late;
use crate::storage::numbers::{Stored, shortened};
use crate::{
    Dtype, Element, ElementMap, Layout, Outcome, Tensor, budget, shape, with_floats, with_numbers,
};
use ndarray::ArrayViewMut2;
use num_traits::Float;
use std::mem::MaybeUninit;
use std::ops::AddAssign;

/// Elements between two questions to the budget.
pub const CHUNK: usize = 8192;

/// `f` of each pair, broadcasting; results made legal for `dtype`.
///
/// # Errors
/// Shapes that do not match, or the budget.
pub fn zip(
    a: &Tensor,
    b: &Tensor,
    dtype: Dtype,
    f: impl Fn(f64, f64) -> f64 + Sync,
) -> Outcome<Tensor> {
    if let (Some(p), Some(q)) = (a.as_scalar(), b.as_scalar()) {
        return Ok(Tensor::scalar(dtype.cast(f(p, q))).with_dtype(dtype));
    }
    let to = shape::broadcast(a.shape(), b.shape())?;
    if let Some(x) = operands(&[a, b], &to) {
        let n = shape::count(&to)?;
        let cpu = Cpu::over(n);
        return blocks::tensor(&to, n, dtype, &|at, out| {
            let (p, q) = (x[0].lying(at, out.len()), x[1].lying(at, out.len()));
            match out {
                Slots::Double(out) => zip_tile(cpu, p, q, out, &f),
                Slots::Single(out) => zip_tile(cpu, p, q, out, &f),
            }
        });
    }
    let out = with_floats!(a, p => with_floats!(b, q => {
        pairs([a.shape(), b.shape()], &to, p, q, |p, q| f(p.wide(), q.wide()))
    }))?;
    Ok(Tensor::typed(&to, out, dtype))
}

per_cpu! {
    /// [`zip`] over a tile.
    fn zip_tile<T: blocks::Stored, F: Fn(f64, f64) -> f64>(
        p: Input<'_>,
        q: Input<'_>,
        out: &mut [MaybeUninit<T>],
        f: &F,
    ) -> () {
        match (p, q) {
            (Input::Many(p), Input::Many(q)) => {
                out.iter_mut().zip(p).zip(q).for_each(|((slot, p), q)| {
                    slot.write(T::of(f(*p, *q)));
                });
            }
            (Input::Short(p), Input::Short(q)) => {
                out.iter_mut().zip(p).zip(q).for_each(|((slot, p), q)| {
                    slot.write(T::of(f(p.wide(), q.wide())));
                });
            }
            (Input::Short(p), Input::One(q)) => out.iter_mut().zip(p).for_each(|(slot, p)| {
                slot.write(T::of(f(p.wide(), q)));
            }),
            (p, q) => out.iter_mut().enumerate().for_each(|(k, slot)| {
                slot.write(T::of(f(p.at(k), q.at(k))));
            }),
        }
    }
}

/// [`zip`] of whole numbers, in int64.
pub fn zip_whole(
    a: &Tensor,
    b: &Tensor,
    dtype: Dtype,
    f: impl Fn(i64, i64) -> i64 + Sync,
) -> Outcome<Tensor> {
    let doubles = |exact: &Exact| zip(a, b, dtype, |p, q| exact.take(f(p as i64, q as i64)));
    by_doubles_or_longs(&[a, b], dtype, doubles, || {
        let to = shape::broadcast(a.shape(), b.shape())?;
        let (p, q) = (longs(a), longs(b));
        Ok(Tensor::from_whole(&to, pairs([a.shape(), b.shape()], &to, &p, &q, &f)?, dtype))
    })
}

/// `f` of each pair, broadcast to the shape `to`.
fn pairs<A: Element, B: Element, R>(
    shapes: [&[usize]; 2],
    to: &[usize],
    p: &[A],
    q: &[B],
    f: impl Fn(A, B) -> R,
) -> Outcome<Vec<R>> {
    let mut out = budget::vec(shape::count(to)?)?;
    let [s, t] = shapes.map(|shape| shape::broadcast_strides(shape, to));
    let Some(last) = to.len().checked_sub(1) else {
        out.push(f(p[0], q[0]));
        return Ok(out);
    };
    let (n, ds, dt) = (to[last], s[last], t[last]);
    shape::rows(to, [&s, &t], |[i, j]| {
        out.extend((0..n).map(|k| f(p[i + k * ds], q[j + k * dt])));
        budget::tick()
    })?;
    Ok(out)
}

/// Repeated to a larger shape.
pub fn expand(t: &Tensor, to: &[usize]) -> Outcome<Tensor> {
    if t.shape() == to {
        return Ok(t.clone());
    }
    with_numbers!(t, data => repeated(t, data, to))
}

fn repeated<T: Stored>(t: &Tensor, data: &[T], to: &[usize]) -> Outcome<Tensor> {
    let count = shape::count(to)?;
    if let [one] = data {
        if let Some(late) = late::same(to, count, one.wide(), t.dtype()) {
            return Ok(late);
        }
        return match is_single(t.dtype(), count) {
            true => Ok(Tensor::from_single(to, budget::filled(count, one.wide() as f32)?)),
            false => Ok(T::tensor(to, budget::filled(count, *one)?, t.dtype())),
        };
    }
    let mut out = budget::vec(count)?;
    let strides = shape::broadcast_strides(t.shape(), to);
    let last = to.len() - 1;
    let (n, d) = (to[last], strides[last]);
    shape::rows(to, [&strides], |[i]| {
        match d {
            0 => out.resize(out.len() + n, data[i]),
            1 => out.extend_from_slice(&data[i..i + n]),
            _ => out.extend((0..n).map(|k| data[i + k * d])),
        }
        budget::tick()
    })?;
    Ok(T::tensor(to, out, t.dtype()))
}

/// Summed down to a shape that broadcasts to this one.
pub fn collapse(t: &Tensor, to: &[usize]) -> Outcome<Tensor> {
    if t.shape() == to {
        return Ok(t.clone());
    }
    with_floats!(t, data => collapsed(t, data, to))
}

fn collapsed<T: Element>(t: &Tensor, data: &[T], to: &[usize]) -> Outcome<Tensor> {
    let mut out = budget::filled(shape::numel(to)?, 0.0)?;
    if let [one] = out.as_mut_slice() {
        *one = sum_as(data, t.dtype());
        return Ok(Tensor::typed(to, out, t.dtype()));
    }
    if t.rank() == 0 {
        return Ok(Tensor::typed(to, out, t.dtype()));
    }
    let lead = t.rank() - to.len();
    let aligned: Vec<usize> = vec![1; lead].into_iter().chain(to.iter().copied()).collect();
    if sums((data, t.shape(), t.dtype()), &aligned, &mut out) {
        budget::tick()?;
        return Ok(Tensor::typed(to, out, t.dtype()));
    }
    let last = t.rank() - 1;
    if data.len() >= PARALLEL_FROM
        && let Some(inner) = inner(t.shape(), &aligned)
    {
        over_one(data, (inner, t.shape()[last]), &mut out)?;
        return Ok(Tensor::typed(to, out, t.dtype()));
    }
    let strides = shape::broadcast_strides(to, t.shape());
    let (n, d) = (t.shape()[last], strides[last]);
    let mut at = 0;
    shape::rows(t.shape(), [&strides], |[o]| {
        let row = &data[at..at + n];
        if d == 0 {
            out[o] += sum(row);
        } else if d == 1 {
            out[o..].iter_mut().zip(row).for_each(|(slot, v)| *slot += v.wide());
        } else {
            for (slot, v) in out[o..].iter_mut().step_by(d).zip(row) {
                *slot += v.wide();
            }
        }
        at += n;
        budget::tick()
    })?;
    Ok(Tensor::typed(to, out, t.dtype()))
}

/// `out[k] = t[index[k]]`, zero where there is none.
pub fn gather(t: &Tensor, elements: &ElementMap) -> Outcome<Tensor> {
    if let Some(layout) = elements.index.layout() {
        let shown = layout.gather(t);
        budget::refused()?;
        return Ok(shown.reshaped(&elements.to));
    }
    // Refused; whoever made the map is told.
    if elements.index.count() == 0 {
        return Tensor::filled(&elements.to, 0.0, t.dtype());
    }
    with_numbers!(t, data => gathered(t, data, elements))
}

fn gathered<T: Stored>(t: &Tensor, data: &[T], elements: &ElementMap) -> Outcome<Tensor> {
    let mut out = budget::vec(elements.index.count())?;
    if let Some((starts, width)) = elements.index.starts() {
        for start in starts {
            match data.get(*start..).and_then(|from| from.get(..width)) {
                Some(row) => out.extend_from_slice(row),
                None => out.resize(out.len() + width, T::default()),
            }
            budget::tick()?;
        }
        return Ok(T::tensor(&elements.to, out, t.dtype()));
    }
    for chunk in elements.index.chunks(CHUNK) {
        out.extend(chunk.iter().map(|i| data.get(*i).copied().unwrap_or_default()));
        budget::tick()?;
    }
    Ok(T::tensor(&elements.to, out, t.dtype()))
}

/// `out[index[k]] += t[k]`; what comes to a place alone is put there: -0 stays -0.
pub fn scatter(t: &Tensor, elements: &ElementMap) -> Outcome<Tensor> {
    if let Some(layout) = elements.index.layout().filter(|l| l.is_apart()) {
        if let Some(back) = layout.inverse().filter(|_| t.numel() == elements.from.iter().product())
        {
            let whole = back.gather(t);
            budget::refused()?;
            return Ok(whole.reshaped(&elements.from));
        }
        return with_numbers!(t, data => put_apart(t, data, layout, &elements.from));
    }
    if t.numel() == 0 {
        return Tensor::filled(&elements.from, 0.0, t.dtype());
    }
    if elements.index.is_ascending() && elements.index.count() == t.numel() {
        return with_numbers!(t, data => put_each(t, data, elements));
    }
    Ok(match t.single() {
        Some(data) => Tensor::from_single(&elements.from, scattered(data, elements)?),
        None => Tensor::typed(&elements.from, scattered(t.data(), elements)?, t.dtype()),
    })
}

fn put_apart<T: Stored>(t: &Tensor, data: &[T], at: &Layout, to: &[usize]) -> Outcome<Tensor> {
    let mut out = budget::filled(shape::numel(to)?, T::default())?;
    at.put(data, &mut out)?;
    Ok(T::tensor(to, out, t.dtype()))
}

/// [`scatter`] where no two come to a place.
fn put_each<T: Stored>(t: &Tensor, data: &[T], elements: &ElementMap) -> Outcome<Tensor> {
    let count = shape::numel(&elements.from)?;
    // Zeros are the system's: nobody writes them.
    budget::reserve(count.saturating_mul(size_of::<T>()))?;
    let mut out = vec![T::default(); count];
    if let Some((starts, width)) = elements.index.starts() {
        for (start, row) in starts.iter().zip(data.chunks(width.max(1))) {
            out[*start..*start + width].copy_from_slice(row);
            budget::tick()?;
        }
        return Ok(T::tensor(&elements.from, out, t.dtype()));
    }
    for (index, data) in elements.index.chunks(CHUNK).zip(data.chunks(CHUNK)) {
        index.iter().zip(data).for_each(|(i, v)| out[*i] = *v);
        budget::tick()?;
    }
    Ok(T::tensor(&elements.from, out, t.dtype()))
}

/// Rounded as it is added up, as PyTorch rounds.
fn scattered<T: Element + AddAssign>(data: &[T], elements: &ElementMap) -> Outcome<Vec<T>> {
    let mut out = budget::filled(shape::numel(&elements.from)?, T::default())?;
    let mut signed = false;
    if let Some((starts, width)) = elements.index.starts() {
        for (start, row) in starts.iter().zip(data.chunks(width.max(1))) {
            let Some(slots) = out.get_mut(*start..).and_then(|to| to.get_mut(..width)) else {
                continue;
            };
            for (slot, v) in slots.iter_mut().zip(row) {
                *slot += *v;
                signed |= is_negative_zero(*v);
            }
            budget::tick()?;
        }
    } else {
        for (index, data) in elements.index.chunks(CHUNK).zip(data.chunks(CHUNK)) {
            for (i, v) in index.iter().zip(data) {
                if let Some(slot) = out.get_mut(*i) {
                    *slot += *v;
                    signed |= is_negative_zero(*v);
                }
            }
            budget::tick()?;
        }
    }
    if signed {
        sign_zeros(data, elements, &mut out)?;
    }
    Ok(out)
}

fn is_negative_zero(v: impl Element) -> bool {
    let v = v.wide();
    v == 0.0 && v.is_sign_negative()
}

/// Writes the -0 that came to a place alone.
fn sign_zeros<T: Element>(all: &[T], elements: &ElementMap, out: &mut [T]) -> Outcome<()> {
    let mut came = budget::filled(out.len(), 0u8)?;
    for index in elements.index.chunks(CHUNK) {
        for i in index {
            if let Some(count) = came.get_mut(*i) {
                *count = count.saturating_add(1);
            }
        }
        budget::tick()?;
    }
    for (index, data) in elements.index.chunks(CHUNK).zip(all.chunks(CHUNK)) {
        for (i, v) in index.iter().zip(data) {
            if is_negative_zero(*v) && came.get(*i) == Some(&1) {
                out[*i] = *v;
            }
        }
        budget::tick()?;
    }
    Ok(())
}

/// The last two dimensions exchanged.
pub fn swap(t: &Tensor) -> Outcome<Tensor> {
    let rank = t.rank();
    if rank < 2 {
        return Ok(t.clone());
    }
    let mut turned = Layout::whole(t.shape());
    turned.shape.swap(rank - 2, rank - 1);
    turned.strides.swap(rank - 2, rank - 1);
    let out = turned.gather(t);
    budget::refused()?;
    Ok(out)
}

/// Batched matrix product of equal ranks ≥ 2 and equal batch dimensions.
pub fn matmul(a: &Tensor, b: &Tensor) -> Outcome<Tensor> {
    matmul_swapped(a, b, [false; 2])
}

/// [`matmul`] of the operands, or where `swapped` of their transposes, which are not made.
pub fn matmul_swapped(a: &Tensor, b: &Tensor, swapped: [bool; 2]) -> Outcome<Tensor> {
    let rank = a.rank();
    let sides = |t: &Tensor| (t.shape()[rank - 2], t.shape()[rank - 1]);
    let ((p, q), (r, s)) = (sides(a), sides(b));
    let m = if swapped[0] { q } else { p };
    let n = if swapped[1] { r } else { s };
    let mut to = a.shape().to_vec();
    to[rank - 2..].copy_from_slice(&[m, n]);
    let dtype = a.dtype().join(b.dtype());
    let size = shape::numel(&to)?;
    let sides = Sides { rows: [p, r], columns: [q, s], swapped, batched: rank > 2, dtype };
    // A column is summed in an order of the library's own; rounding once comes nearest.
    let terms = if swapped[0] { p } else { q };
    let column = n == 1 && rank == 2 && is_long_column(m, terms);
    if dtype == Dtype::Float32 && (n > 1 || column) {
        let mut out = budget::filled(size, 0f32)?;
        let (a, b) = (&shortened(a)?, &shortened(b)?);
        match column {
            true => product::column(matrix(a, p, q, swapped[0]), b, &mut out)?,
            false => products(a, b, &mut out, &sides)?,
        }
        return Ok(match is_single(dtype, size) {
            true => Tensor::from_single(&to, out),
            false => Tensor::new(&to, lengthen(&out)?).with_dtype(dtype),
        });
    }
    if !dtype.is_float() && !crate::exact_integers::has_exact_sums(a, b, terms) {
        return Ok(Tensor::from_whole(&to, whole_products(a, b, size, &sides)?, dtype));
    }
    let mut out = budget::filled(size, 0.0)?;
    products(a.data(), b.data(), &mut out, &sides)?;
    Ok(Tensor::typed(&to, out, dtype))
}

/// The products of two batches of int64, which wrap around.
fn whole_products(a: &Tensor, b: &Tensor, size: usize, sides: &Sides) -> Outcome<Vec<i64>> {
    let ([p, r], [q, s], swapped) = (sides.rows, sides.columns, sides.swapped);
    let (m, k) = if swapped[0] { (q, p) } else { (p, q) };
    let n = if swapped[1] { r } else { s };
    let mut out = budget::vec(size)?;
    if m * k * n == 0 {
        out.resize(size, 0);
        return Ok(out);
    }
    let (a, b) = (longs(a), longs(b));
    for (a, b) in a.chunks_exact(p * q).zip(b.chunks_exact(r * s)) {
        for i in 0..m {
            budget::tick()?;
            out.extend((0..n).map(|j| {
                (0..k).fold(0i64, |sum, l| {
                    let x = if swapped[0] { a[l * q + i] } else { a[i * q + l] };
                    let y = if swapped[1] { b[j * s + l] } else { b[l * s + j] };
                    sum.wrapping_add(x.wrapping_mul(y))
                })
            }));
        }
    }
    Ok(out)
}

/// Two operands of a product.
struct Sides {
    rows: [usize; 2],
    columns: [usize; 2],
    swapped: [bool; 2],
    batched: bool,
    dtype: Dtype,
}

impl Sides {
    /// Of so few multiplications PyTorch makes a batch in a loop of its own.
    const OWN: usize = 400;
    /// Of fewer rows or columns its library takes products with a transpose row by row.
    const FEW: usize = 4;

    /// How PyTorch adds up a product of m × k and k × n.
    fn term(&self, m: usize, k: usize, n: usize) -> Term {
        let few = if self.dtype == Dtype::Float32 { m.min(n) } else { m };
        match self.swapped {
            _ if self.batched && m * k * n < Sides::OWN => Term::Rounded,
            _ if n == 1 => Term::Rounded,
            [false, true] if few < Sides::FEW => Term::Rounded,
            _ => Term::Fused,
        }
    }
}

/// The products of two batches.
fn products<T: Float + Send + Sync + 'static>(
    a: &[T],
    b: &[T],
    out: &mut [T],
    sides: &Sides,
) -> Outcome<()> {
    let ([p, r], [q, s], swapped) = (sides.rows, sides.columns, sides.swapped);
    let (m, k) = if swapped[0] { (q, p) } else { (p, q) };
    let n = if swapped[1] { r } else { s };
    if m * k * n == 0 {
        return Ok(());
    }
    let term = sides.term(m, k, n);
    let operands = a.chunks_exact(p * q).zip(b.chunks_exact(r * s));
    let operands =
        operands.map(|(a, b)| (matrix(a, p, q, swapped[0]), matrix(b, r, s, swapped[1])));
    let blocks = operands.zip(out.chunks_exact_mut(m * n));
    if is_shared::<T>(blocks.len(), (m, k, n)) {
        budget::work::steps((blocks.len() * (m * k * n / WORK)) as u64);
        return each(blocks, true, |((a, b), c)| {
            block(ArrayViewMut2::from_shape((m, n), c).expect("m × n"), a, b, false);
        });
    }
    for ((a, b), c) in blocks {
        product(a, b, c, term)?;
        // Of a batch also products of one term are added to 0.
        if sides.batched && k == 1 {
            c.iter_mut().for_each(|v| *v = *v + T::zero());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    fn t(shape: &[usize], data: &[f64]) -> Tensor {
        Tensor::new(shape, data.to_vec())
    }

    #[test]
    fn pairs_are_broadcast() {
        let a = t(&[2, 1], &[10.0, 20.0]);
        let b = t(&[3], &[1.0, 2.0, 3.0]);
        let c = zip(&a, &b, Dtype::Float64, |a, b| a + b).unwrap();
        assert_eq!(c.shape(), [2, 3]);
        assert_eq!(c.data(), [11.0, 12.0, 13.0, 21.0, 22.0, 23.0]);
        let e = zip(&t(&[0], &[]), &t(&[1], &[1.0]), Dtype::Float64, |a, _| a).unwrap();
        assert_eq!(e.shape(), [0]);
    }

    #[test]
    fn collapse_undoes_expand() {
        let a = t(&[2, 1], &[1.0, 2.0]);
        let e = expand(&a, &[2, 2, 3]).unwrap();
        assert_eq!(collapse(&e, &[2, 1]).unwrap().data(), [6.0, 12.0]);
        assert_eq!(collapse(&e, &[]).unwrap().data(), [18.0]);
        assert_eq!(collapse(&e, &[3]).unwrap().data(), [6.0, 6.0, 6.0]);
        assert_eq!(collapse(&e, &[2, 1, 1]).unwrap().data(), [9.0, 9.0]);
    }

    #[test]
    fn products_are_batched() {
        let a = t(&[2, 1, 2], &[1.0, 2.0, 3.0, 4.0]);
        let b = t(&[2, 2, 1], &[1.0, 1.0, 2.0, 0.5]);
        assert_eq!(matmul(&a, &b).unwrap().data(), [3.0, 8.0]);
        let m = t(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(swap(&m).unwrap().data(), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    }
}
