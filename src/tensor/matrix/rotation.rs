//! Plane rotations and the 2 × 2 problems, each as LAPACK's routine of the name given.

use super::Matrix;
use crate::budget;

/// c, s, r with `[c s; −s c] [f; g] = [r; 0]` and r of the sign of f: dlartg since LAPACK 3.10.
pub fn rotation(f: f64, g: f64) -> (f64, f64, f64) {
    if g == 0.0 {
        return (1.0, 0.0, f);
    }
    if f == 0.0 {
        return (0.0, 1f64.copysign(g), g.abs());
    }
    let d = f.hypot(g);
    let r = d.copysign(f);
    (f.abs() / d, g / r, r)
}

/// The same with r positive unless |f| > |g|: dlartg before LAPACK 3.10.
pub fn former_rotation(f: f64, g: f64) -> (f64, f64, f64) {
    if g == 0.0 {
        return (1.0, 0.0, f);
    }
    if f == 0.0 {
        return (0.0, 1.0, g);
    }
    let d = f.hypot(g);
    let (c, s) = (f / d, g / d);
    if f.abs() > g.abs() && c < 0.0 { (-c, -s, -d) } else { (c, s, d) }
}

/// The eigenvalues of `[a b; b c]`, the larger in size first, and cosine and sine of the first's
/// vector: dlaev2.
pub fn symmetric(a: f64, b: f64, c: f64) -> (f64, f64, f64, f64) {
    let (sum, difference, twice) = (a + c, a - c, b + b);
    let (adf, ab) = (difference.abs(), twice.abs());
    let (larger, smaller) = if a.abs() > c.abs() { (a, c) } else { (c, a) };
    let rt = if adf > ab {
        adf * (1.0 + (ab / adf) * (ab / adf)).sqrt()
    } else if adf < ab {
        ab * (1.0 + (adf / ab) * (adf / ab)).sqrt()
    } else {
        ab * std::f64::consts::SQRT_2
    };
    let (first, second, below) = if sum < 0.0 {
        let first = 0.5 * (sum - rt);
        (first, (larger / first) * smaller - (b / first) * b, true)
    } else if sum > 0.0 {
        let first = 0.5 * (sum + rt);
        (first, (larger / first) * smaller - (b / first) * b, false)
    } else {
        (0.5 * rt, -0.5 * rt, false)
    };
    let (cs, negative) =
        if difference >= 0.0 { (difference + rt, false) } else { (difference - rt, true) };
    let (cosine, sine) = if cs.abs() > ab {
        let ct = -twice / cs;
        let sine = 1.0 / (1.0 + ct * ct).sqrt();
        (ct * sine, sine)
    } else if ab == 0.0 {
        (1.0, 0.0)
    } else {
        let tn = -cs / twice;
        let cosine = 1.0 / (1.0 + tn * tn).sqrt();
        (cosine, tn * cosine)
    };
    if below == negative { (first, second, -sine, cosine) } else { (first, second, cosine, sine) }
}

/// The smaller singular value of `[f g; 0 h]`: dlas2.
pub fn smallest(f: f64, g: f64, h: f64) -> f64 {
    let (fa, ga, ha) = (f.abs(), g.abs(), h.abs());
    let (low, high) = (fa.min(ha), fa.max(ha));
    if low == 0.0 {
        return 0.0;
    }
    let (plus, minus) = (1.0 + low / high, (high - low) / high);
    if ga < high {
        let au = (ga / high) * (ga / high);
        let c = 2.0 / ((plus * plus + au).sqrt() + (minus * minus + au).sqrt());
        return low * c;
    }
    let au = high / ga;
    if au == 0.0 {
        return low * high / ga;
    }
    let c = 1.0
        / ((1.0 + (plus * au) * (plus * au)).sqrt() + (1.0 + (minus * au) * (minus * au)).sqrt());
    2.0 * (low * c * au)
}

/// The singular value decomposition of `[f g; 0 h]`: dlasv2.
#[derive(Clone, Copy, Debug)]
pub struct Two {
    pub least: f64,
    pub greatest: f64,
    pub right: (f64, f64),
    pub left: (f64, f64),
}

/// See [`Two`]; pairs are cosine and sine.
pub fn triangular(f: f64, g: f64, h: f64) -> Two {
    let one = |x: f64| 1f64.copysign(x);
    let (mut ft, mut ht) = (f, h);
    let (mut fa, mut ha) = (f.abs(), h.abs());
    let mut largest = 1;
    let swap = ha > fa;
    if swap {
        largest = 3;
        std::mem::swap(&mut ft, &mut ht);
        std::mem::swap(&mut fa, &mut ha);
    }
    let (gt, ga) = (g, g.abs());
    let (least, greatest, clt, crt, slt, srt);
    if ga == 0.0 {
        (least, greatest) = (ha, fa);
        (clt, crt, slt, srt) = (1.0, 1.0, 0.0, 0.0);
    } else {
        if ga > fa {
            largest = 2;
        }
        if ga > fa && fa / ga < f64::EPSILON / 2.0 {
            greatest = ga;
            least = if ha > 1.0 { fa / (ga / ha) } else { (fa / ga) * ha };
            (clt, slt, srt, crt) = (1.0, ht / gt, 1.0, ft / gt);
        } else {
            let d = fa - ha;
            let l = if d == fa { 1.0 } else { d / fa };
            let m = gt / ft;
            let t = 2.0 - l;
            let (mm, tt) = (m * m, t * t);
            let s = (tt + mm).sqrt();
            let r = if l == 0.0 { m.abs() } else { (l * l + mm).sqrt() };
            let a = 0.5 * (s + r);
            (least, greatest) = (ha / a, fa * a);
            let t = if mm == 0.0 {
                if l == 0.0 { 2f64.copysign(ft) * one(gt) } else { gt / d.copysign(ft) + m / t }
            } else {
                (m / (s + t) + m / (r + l)) * (1.0 + a)
            };
            let l = (t * t + 4.0).sqrt();
            (crt, srt) = (2.0 / l, t / l);
            clt = (crt + srt * m) / a;
            slt = (ht / ft) * srt / a;
        }
    }
    let (left, right) = if swap { ((srt, crt), (slt, clt)) } else { ((clt, slt), (crt, srt)) };
    let sign = match largest {
        1 => one(right.0) * one(left.0) * one(f),
        2 => one(right.1) * one(left.0) * one(g),
        _ => one(right.1) * one(left.1) * one(h),
    };
    Two {
        greatest: greatest.copysign(sign),
        least: least.copysign(sign * one(f) * one(h)),
        left,
        right,
    }
}

/// Rotations of neighbouring rows, `pairs[k]` of rows `first + k` and `first + k + 1`: dlasr.
pub fn rotate_rows(m: &mut Matrix, first: usize, pairs: &[(f64, f64)], backward: bool) {
    let mut turn = |k: usize| {
        let (c, s) = pairs[k];
        for j in 0..m.columns {
            let (p, q) = (m.at(first + k, j), m.at(first + k + 1, j));
            m.set(first + k + 1, j, c * q - s * p);
            m.set(first + k, j, s * q + c * p);
        }
    };
    if backward {
        budget::unless_stopped((0..pairs.len()).rev()).for_each(&mut turn);
    } else {
        budget::unless_stopped(0..pairs.len()).for_each(&mut turn);
    }
}

/// The same of columns.
pub fn rotate_columns(m: &mut Matrix, first: usize, pairs: &[(f64, f64)], backward: bool) {
    let mut turn = |k: usize| {
        let (c, s) = pairs[k];
        for i in 0..m.rows {
            let (p, q) = (m.at(i, first + k), m.at(i, first + k + 1));
            m.set(i, first + k + 1, c * q - s * p);
            m.set(i, first + k, s * q + c * p);
        }
    };
    if backward {
        budget::unless_stopped((0..pairs.len()).rev()).for_each(&mut turn);
    } else {
        budget::unless_stopped(0..pairs.len()).for_each(&mut turn);
    }
}
