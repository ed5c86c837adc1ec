//! The singular values of a bidiagonal matrix by implicit QR steps, with or without shift: dbdsqr.

use super::Matrix;
use super::rotation::{rotate_columns, rotate_rows, rotation, smallest, triangular};
use crate::{Outcome, budget};

const EPS: f64 = f64::EPSILON / 2.0;
const STEPS: usize = 6;

/// An upper bidiagonal matrix with the rotations it has taken.
pub struct Bidiagonal {
    /// The diagonal; at the end the singular values, descending.
    pub d: Vec<f64>,
    /// Above it.
    pub e: Vec<f64>,
    /// Rows turned with the columns of the matrix.
    pub vt: Matrix,
    /// Columns turned with its rows.
    pub u: Matrix,
}

impl Bidiagonal {
    /// `B = U diag(d) Vᵀ`, U and Vᵀ starting from what they are. False where the steps did not
    /// come to an end.
    pub fn diagonalise(&mut self) -> Outcome<bool> {
        let n = self.d.len();
        if n > 1 && !self.steps()? {
            return Ok(false);
        }
        for i in 0..n {
            // The sign of −0 as well.
            if self.d[i] < 0.0 || (self.d[i] == 0.0 && self.d[i].is_sign_negative()) {
                self.d[i] = -self.d[i];
                for j in 0..self.vt.columns {
                    self.vt.set(i, j, -self.vt.at(i, j));
                }
            }
        }
        for last in (1..n).rev() {
            let least = (1..=last).fold(0, |k, j| if self.d[j] <= self.d[k] { j } else { k });
            if least != last {
                self.d.swap(least, last);
                self.vt.swap_rows(least, last);
                self.u.swap_columns(least, last);
            }
        }
        Ok(true)
    }

    fn steps(&mut self) -> Outcome<bool> {
        let n = self.d.len();
        let tol = EPS.powf(-0.125).clamp(10.0, 100.0) * EPS;
        let mut mu = self.d[0].abs();
        let mut least = mu;
        for i in 1..n {
            if least == 0.0 {
                break;
            }
            mu = self.d[i].abs() * (mu / (mu + self.e[i - 1].abs()));
            least = least.min(mu);
        }
        let floor = (STEPS * n * n) as f64 * f64::MIN_POSITIVE;
        let thresh = (tol * (least / (n as f64).sqrt())).max(floor);
        let mut left = STEPS * n * n;
        let (mut former, mut down) = (None::<(usize, usize)>, true);
        let mut m = n - 1;
        while m > 0 {
            let mut greatest = self.d[m].abs();
            let mut cut = None;
            for k in (0..m).rev() {
                let (s, f) = (self.d[k].abs(), self.e[k].abs());
                if f <= thresh {
                    self.e[k] = 0.0;
                    cut = Some(k);
                    break;
                }
                greatest = greatest.max(s).max(f);
            }
            if cut == Some(m - 1) {
                m -= 1;
                continue;
            }
            let ll = cut.map_or(0, |k| k + 1);
            if ll + 1 == m {
                self.two(ll);
                m = m.saturating_sub(2);
                continue;
            }
            if former.is_none_or(|(oldll, oldm)| ll > oldm || m < oldll) {
                down = self.d[ll].abs() >= self.d[m].abs();
            }
            let Some(least) = self.least(ll, m, down, tol) else {
                continue;
            };
            former = Some((ll, m));
            if left < m - ll {
                return Ok(false);
            }
            left -= m - ll;
            let shift = self.shift(ll, m, down, tol, least / greatest);
            match (shift == 0.0, down) {
                (true, true) => self.zero_down(ll, m),
                (true, false) => self.zero_up(ll, m),
                (false, true) => self.shifted_down(ll, m, shift),
                (false, false) => self.shifted_up(ll, m, shift),
            }
            let end = if down { m - 1 } else { ll };
            if self.e[end].abs() <= thresh {
                self.e[end] = 0.0;
            }
            budget::tick()?;
        }
        Ok(true)
    }

    /// The 2 × 2 block at `k`.
    fn two(&mut self, k: usize) {
        let t = triangular(self.d[k], self.e[k], self.d[k + 1]);
        (self.d[k], self.e[k], self.d[k + 1]) = (t.greatest, 0.0, t.least);
        rotate_rows(&mut self.vt, k, &[t.right], false);
        rotate_columns(&mut self.u, k, &[t.left], false);
    }

    /// A lower bound of the singular values of a block; None where it fell apart.
    fn least(&mut self, ll: usize, m: usize, down: bool, tol: f64) -> Option<f64> {
        let (end, beside) = if down { (m - 1, m) } else { (ll, ll) };
        if self.e[end].abs() <= tol * self.d[beside].abs() {
            self.e[end] = 0.0;
            return None;
        }
        let mut mu = self.d[if down { ll } else { m }].abs();
        let mut least = mu;
        let order: Vec<usize> = if down { (ll..m).collect() } else { (ll..m).rev().collect() };
        for k in order {
            if self.e[k].abs() <= tol * mu {
                self.e[k] = 0.0;
                return None;
            }
            let next = if down { k + 1 } else { k };
            mu = self.d[next].abs() * (mu / (mu + self.e[k].abs()));
            least = least.min(mu);
        }
        Some(least)
    }

    fn shift(&self, ll: usize, m: usize, down: bool, tol: f64, ratio: f64) -> f64 {
        if self.d.len() as f64 * tol * ratio <= EPS.max(0.01 * tol) {
            return 0.0;
        }
        let (s, shift) = if down {
            (self.d[ll].abs(), smallest(self.d[m - 1], self.e[m - 1], self.d[m]))
        } else {
            (self.d[m].abs(), smallest(self.d[ll], self.e[ll], self.d[ll + 1]))
        };
        if s > 0.0 && (shift / s) * (shift / s) < EPS { 0.0 } else { shift }
    }

    fn zero_down(&mut self, ll: usize, m: usize) {
        let (mut cs, mut oldcs, mut oldsn) = (1.0, 1.0, 0.0);
        let (mut rights, mut lefts) = (Vec::new(), Vec::new());
        for i in ll..m {
            let (c, sn, r) = rotation(self.d[i] * cs, self.e[i]);
            cs = c;
            if i > ll {
                self.e[i - 1] = oldsn * r;
            }
            (oldcs, oldsn, self.d[i]) = rotation(oldcs * r, self.d[i + 1] * sn);
            rights.push((cs, sn));
            lefts.push((oldcs, oldsn));
        }
        let h = self.d[m] * cs;
        self.d[m] = h * oldcs;
        self.e[m - 1] = h * oldsn;
        rotate_rows(&mut self.vt, ll, &rights, false);
        rotate_columns(&mut self.u, ll, &lefts, false);
    }

    fn zero_up(&mut self, ll: usize, m: usize) {
        let (mut cs, mut oldcs, mut oldsn) = (1.0, 1.0, 0.0);
        let mut rights = vec![(1.0, 0.0); m - ll];
        let mut lefts = rights.clone();
        for i in (ll + 1..=m).rev() {
            let (c, sn, r) = rotation(self.d[i] * cs, self.e[i - 1]);
            cs = c;
            if i < m {
                self.e[i] = oldsn * r;
            }
            (oldcs, oldsn, self.d[i]) = rotation(oldcs * r, self.d[i - 1] * sn);
            lefts[i - ll - 1] = (cs, -sn);
            rights[i - ll - 1] = (oldcs, -oldsn);
        }
        let h = self.d[ll] * cs;
        self.d[ll] = h * oldcs;
        self.e[ll] = h * oldsn;
        rotate_rows(&mut self.vt, ll, &rights, true);
        rotate_columns(&mut self.u, ll, &lefts, true);
    }

    fn shifted_down(&mut self, ll: usize, m: usize, shift: f64) {
        let (d, e) = (&mut self.d, &mut self.e);
        let mut f = (d[ll].abs() - shift) * (1f64.copysign(d[ll]) + shift / d[ll]);
        let mut g = e[ll];
        let (mut rights, mut lefts) = (Vec::new(), Vec::new());
        for i in ll..m {
            let (cosr, sinr, r) = rotation(f, g);
            if i > ll {
                e[i - 1] = r;
            }
            f = cosr * d[i] + sinr * e[i];
            e[i] = cosr * e[i] - sinr * d[i];
            g = sinr * d[i + 1];
            d[i + 1] *= cosr;
            let (cosl, sinl, r) = rotation(f, g);
            d[i] = r;
            f = cosl * e[i] + sinl * d[i + 1];
            d[i + 1] = cosl * d[i + 1] - sinl * e[i];
            if i + 1 < m {
                g = sinl * e[i + 1];
                e[i + 1] *= cosl;
            }
            rights.push((cosr, sinr));
            lefts.push((cosl, sinl));
        }
        e[m - 1] = f;
        rotate_rows(&mut self.vt, ll, &rights, false);
        rotate_columns(&mut self.u, ll, &lefts, false);
    }

    fn shifted_up(&mut self, ll: usize, m: usize, shift: f64) {
        let (d, e) = (&mut self.d, &mut self.e);
        let mut f = (d[m].abs() - shift) * (1f64.copysign(d[m]) + shift / d[m]);
        let mut g = e[m - 1];
        let mut rights = vec![(1.0, 0.0); m - ll];
        let mut lefts = rights.clone();
        for i in (ll + 1..=m).rev() {
            let (cosr, sinr, r) = rotation(f, g);
            if i < m {
                e[i] = r;
            }
            f = cosr * d[i] + sinr * e[i - 1];
            e[i - 1] = cosr * e[i - 1] - sinr * d[i];
            g = sinr * d[i - 1];
            d[i - 1] *= cosr;
            let (cosl, sinl, r) = rotation(f, g);
            d[i] = r;
            f = cosl * e[i - 1] + sinl * d[i - 1];
            d[i - 1] = cosl * d[i - 1] - sinl * e[i - 1];
            if i > ll + 1 {
                g = sinl * e[i - 2];
                e[i - 2] *= cosl;
            }
            lefts[i - ll - 1] = (cosr, -sinr);
            rights[i - ll - 1] = (cosl, -sinl);
        }
        e[ll] = f;
        rotate_rows(&mut self.vt, ll, &rights, true);
        rotate_columns(&mut self.u, ll, &lefts, true);
    }
}
