//! Elementary functions of float32 as PyTorch's vector loops compute them: bit for bit Sleef's `expf`, `expm1f`,
//! `logf`, `log1pf` and `tanhf` to one unit in the last place (its `sleefsimdsp.c`), without branches; of float64
//! its `exp` (`sleefsimddp.c`).

/// Added and taken away again it rounds to the nearest whole number: 1½·2²³.
const ROUND: f32 = 12_582_912.0;
const LOG2_E: f32 = std::f32::consts::LOG2_E;
const LN2_HIGH: f32 = 0.693_145_75;
const LN2_LOW: f32 = 1.428_606_8e-6;

/// A number in two parts, the second beyond the digits of the first.
#[derive(Clone, Copy)]
struct Pair(f32, f32);

/// `a + b`, of whatever sizes.
#[inline(always)]
fn sum(a: f32, b: f32) -> Pair {
    let s = a + b;
    let v = s - a;
    Pair(s, (a - (s - v)) + (b - v))
}

impl Pair {
    #[inline(always)]
    fn plus(self, b: f32) -> Pair {
        let Pair(s, low) = sum(self.0, b);
        Pair(s, low + self.1)
    }

    #[inline(always)]
    fn plus_pair(self, b: Pair) -> Pair {
        let Pair(s, low) = sum(self.0, b.0);
        Pair(s, low + (self.1 + b.1))
    }

    /// Where `self` is the larger.
    #[inline(always)]
    fn plus_smaller(self, b: Pair) -> Pair {
        let s = self.0 + b.0;
        Pair(s, self.0 - s + b.0 + self.1 + b.1)
    }

    #[inline(always)]
    fn times(self, b: f32) -> Pair {
        let s = self.0 * b;
        Pair(s, self.1.mul_add(b, self.0.mul_add(b, -s)))
    }

    #[inline(always)]
    fn times_pair(self, b: Pair) -> Pair {
        let s = self.0 * b.0;
        Pair(s, self.0.mul_add(b.1, self.1.mul_add(b.0, self.0.mul_add(b.0, -s))))
    }

    #[inline(always)]
    fn squared(self) -> Pair {
        let s = self.0 * self.0;
        Pair(s, (self.0 + self.0).mul_add(self.1, self.0.mul_add(self.0, -s)))
    }

    #[inline(always)]
    fn inverse(self) -> Pair {
        let s = 1.0 / self.0;
        Pair(s, s * (-self.1).mul_add(s, (-self.0).mul_add(s, 1.0)))
    }

    #[inline(always)]
    fn over(self, d: Pair) -> Pair {
        let t = 1.0 / d.0;
        let s = self.0 * t;
        let lost = t.mul_add(self.0, -s);
        let rest = (-d.1).mul_add(t, (-d.0).mul_add(t, 1.0));
        Pair(s, s.mul_add(rest, self.1.mul_add(t, lost)))
    }

    #[inline(always)]
    fn total(self) -> f32 {
        self.0 + self.1
    }
}

/// A polynomial by fused products, the highest degree first.
#[inline(always)]
pub(crate) fn polynomial<const N: usize>(x: f32, c: [f32; N]) -> f32 {
    let mut y = c[0];
    for c in &c[1..] {
        y = y.mul_add(x, *c);
    }
    y
}

#[inline(always)]
fn power_of_two(k: i32) -> f32 {
    f32::from_bits((k.wrapping_add(127) << 23) as u32)
}

/// The whole number nearest to x/log 2.
#[inline(always)]
fn halvings(x: f32) -> (f32, i32) {
    let shifted = x * LOG2_E + ROUND;
    (shifted - ROUND, (shifted.to_bits() as i32).wrapping_sub(ROUND.to_bits() as i32))
}

/// `u·2ᵏ`, by two factors that are numbers though 2ᵏ may be none.
#[inline(always)]
fn scaled(u: f32, k: i32) -> f32 {
    let half = k >> 1;
    u * power_of_two(half) * power_of_two(k.wrapping_sub(half))
}

#[inline(always)]
pub fn exp(x: f32) -> f32 {
    let (q, k) = halvings(x);
    let s = q.mul_add(-LN2_LOW, q.mul_add(-LN2_HIGH, x));
    let series =
        [0.000_198_527_62, 0.001_393_043_6, 0.008_333_361, 0.041_666_485, 0.166_666_67, 0.5];
    let u = 1.0 + (s * s).mul_add(polynomial(s, series), s);
    let u = if x < -104.0 { 0.0 } else { scaled(u, k) };
    if x > 100.0 { f32::INFINITY } else { u }
}

/// [`exp`] of float64: a polynomial in s, s², s⁴ and s⁸.
#[inline(always)]
pub fn exp_double(x: f64) -> f64 {
    const ROUND: f64 = 6_755_399_441_055_744.0;
    const LN2: [f64; 2] = [0.693_147_180_559_663, 2.823_529_056_303_157_7e-13];
    const MOST: f64 = 709.782_712_893_384;
    let shifted = x * std::f64::consts::LOG2_E + ROUND;
    let (q, k) = (shifted - ROUND, (shifted.to_bits() as i64).wrapping_sub(ROUND.to_bits() as i64));
    let s = q.mul_add(-LN2[1], q.mul_add(-LN2[0], x));
    let pair = |a: f64, b: f64| s.mul_add(a, b);
    let (a, b) = (2.081_276_378_237_164_5e-9, 2.511_210_703_042_288e-8);
    let high = pair(a, b);
    let (a, b) = (2.755_762_628_169_491e-7, 2.755_723_402_025_388_2e-6);
    let (c, d) = (2.480_158_687_479_686_3e-5, 1.984_126_989_855_865_9e-4);
    let s2 = s * s;
    let middle = s2.mul_add(pair(a, b), pair(c, d));
    let (a, b) = (1.388_888_888_914_497_8e-3, 8.333_333_333_314_938e-3);
    let (c, d) = (4.166_666_666_666_602_6e-2, 1.666_666_666_666_669e-1);
    let low = s2.mul_add(pair(a, b), pair(c, d));
    let s4 = s2 * s2;
    let u = (s4 * s4).mul_add(high, s4.mul_add(middle, low));
    let u = u.mul_add(s, 0.5).mul_add(s, 1.0).mul_add(s, 1.0);
    let two_to = |k: i64| f64::from_bits((k.wrapping_add(1023) << 52) as u64);
    let u = u * two_to(k >> 1) * two_to(k.wrapping_sub(k >> 1));
    let u = if x > MOST { f64::INFINITY } else { u };
    if x < -1000.0 { 0.0 } else { u }
}

#[inline(always)]
fn exp_pair(x: f32) -> Pair {
    let (q, k) = halvings(x);
    let s = Pair(x, 0.0).plus(q * -LN2_HIGH).plus(q * -LN2_LOW);
    let u = polynomial(s.0, [0.000_198_096_02, 0.001_394_256_5, 0.008_333_457, 0.041_666_374]);
    let t = s.times(u).plus(0.166_666_66);
    let t = s.times_pair(t).plus(0.5);
    let t = s.plus_pair(s.squared().times_pair(t));
    let t = Pair(1.0, 0.0).plus_smaller(t);
    match x < -104.0 {
        true => Pair(0.0, 0.0),
        false => Pair(scaled(t.0, k), scaled(t.1, k)),
    }
}

#[inline(always)]
pub fn expm1(x: f32) -> f32 {
    let y = exp_pair(x).plus(-1.0).total();
    let y = if x > 88.722_83 { f32::INFINITY } else { y };
    let y = if x < -16.635_532 { -1.0 } else { y };
    if x == 0.0 { x } else { y }
}

#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    let d = exp_pair(x.abs());
    let e = d.inverse();
    let y = d.plus_smaller(Pair(-e.0, -e.1)).over(d.plus_smaller(e)).total();
    let y = if x.abs() > 8.664_34 || y.is_nan() { 1.0 } else { y };
    if x.is_nan() { x } else { y.copysign(x) }
}

/// The binary exponent of a normal number.
#[inline(always)]
fn exponent(x: f32) -> i32 {
    (x.to_bits() >> 23) as i32 - 127
}

/// `k log 2 + 2 artanh x`.
#[inline(always)]
fn log_parts(k: i32, x: Pair) -> f32 {
    let square = x.0 * x.0;
    let t = polynomial(square, [0.302_729_5, 0.399_610_82, 0.666_669_5]);
    let s = Pair(std::f32::consts::LN_2, -1.904_654_4e-9).times(k as f32);
    let s = s.plus_smaller(Pair(x.0 * 2.0, x.1 * 2.0));
    s.plus_smaller(Pair(square * x.0 * t, 0.0)).total()
}

#[inline(always)]
pub fn log(x: f32) -> f32 {
    let small = x < f32::MIN_POSITIVE;
    let d = if small { x * (2.0_f32).powi(64) } else { x };
    let k = exponent(d * (1.0 / 0.75));
    let m = f32::from_bits(d.to_bits() & 0x7f_ffff | 0x3f80_0000);
    let m = if m >= 1.5 { m * 0.5 } else { m };
    let y = log_parts(if small { k - 64 } else { k }, sum(-1.0, m).over(sum(1.0, m)));
    let y = if x == f32::INFINITY { x } else { y };
    let y = if x >= 0.0 { y } else { f32::NAN };
    if x == 0.0 { f32::NEG_INFINITY } else { y }
}

#[inline(always)]
pub fn log1p(x: f32) -> f32 {
    let k = exponent((x + 1.0) * (1.0 / 0.75));
    let t = power_of_two(-k);
    let m = x.mul_add(t, t - 1.0);
    let y = log_parts(k, Pair(m, 0.0).over(Pair(2.0, 0.0).plus_smaller(Pair(m, 0.0))));
    let y = if x <= f32::from_bits(0x7e96_7699) { y } else { log(x) };
    let y = if x >= -1.0 { y } else { f32::NAN };
    let y = if x == -1.0 { f32::NEG_INFINITY } else { y };
    if x == 0.0 { x } else { y }
}
