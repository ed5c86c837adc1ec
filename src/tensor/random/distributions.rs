//! Distributions other than the uniform and the normal, as PyTorch draws them on a CPU
//! (aten/src/ATen/core/TransformationHelper.h, native/Distributions.cpp).

use crate::random::Generator;

/// What Stirling's formula leaves of log k!.
fn stirling(k: f64) -> f64 {
    const FIRST: [f64; 10] = [
        0.0810614667953272,
        0.0413406959554092,
        0.0276779256849983,
        0.02079067210376509,
        0.0166446911898211,
        0.0138761288230707,
        0.0118967099458917,
        0.0104112652619720,
        0.00925546218271273,
        0.00833056343336287,
    ];
    if k <= 9.0 {
        return FIRST[k.max(0.0) as usize];
    }
    let square = (k + 1.0) * (k + 1.0);
    (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / (k + 1.0)
}

/// Distributions that PyTorch draws from one double after the other, whatever the tensor's type.
impl Generator {
    /// 1 with probability `p`, else 0.
    pub fn bernoulli(&mut self, p: f64) -> f64 {
        f64::from(self.uniform(false) < p)
    }

    /// With density λ·exp(−λx).
    pub fn exponential(&mut self, rate: f64) -> f64 {
        -(-self.uniform(false)).ln_1p() / rate
    }

    /// How many trials of probability `p` until one succeeds.
    pub fn geometric(&mut self, p: f64) -> f64 {
        (self.uniform(false).ln() / (1.0 - p).ln()).ceil()
    }

    /// Cauchy's distribution around a median.
    pub fn cauchy(&mut self, median: f64, sigma: f64) -> f64 {
        median + sigma * (std::f64::consts::PI * (self.uniform(false) - 0.5)).tan()
    }

    /// exp of a normal number.
    pub fn log_normal(&mut self, mean: f64, std: f64) -> f64 {
        (self.normal() * std + mean).exp()
    }

    /// The gamma distribution of a shape α and rate 1, by Marsaglia and Tsang (2000), whose constants
    /// PyTorch writes as float32; `single`: α is of that type.
    pub fn gamma(&mut self, alpha: f64, single: bool) -> f64 {
        let round = |v: f64| if single { f64::from(v as f32) } else { v };
        let (mut alpha, mut scale) = (alpha, 1.0);
        if alpha < 1.0 {
            if alpha == 0.0 {
                return 0.0;
            }
            scale *= (1.0 - self.uniform(false)).powf(1.0 / alpha);
            alpha = round(alpha + 1.0);
        }
        let d = round(alpha - f64::from(1.0_f32 / 3.0));
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let (x, y) = loop {
                let x = self.normal();
                let y = 1.0 + c * x;
                if y > 0.0 || y.is_nan() {
                    break (x, y);
                }
            };
            let v = y * y * y;
            let (u, xx) = (1.0 - self.uniform(false), x * x);
            if u < 1.0 - f64::from(0.0331_f32) * xx * xx
                || u.ln() < 0.5 * xx + d * (1.0 - v + v.ln())
            {
                return scale * d * v;
            }
        }
    }

    /// How many of `count` trials of probability `p` succeed: gaps between successes where these are few, the
    /// transformed rejection of Hörmann (1993) else.
    pub fn binomial(&mut self, count: f64, p: f64) -> f64 {
        match p {
            _ if count <= 0.0 || p <= 0.0 => 0.0,
            _ if p >= 1.0 => count,
            _ if p.is_nan() || count.is_nan() => f64::NAN,
            _ if p <= 0.5 => self.successes(count, p),
            _ => count - self.successes(count, 1.0 - p),
        }
    }

    /// [`Generator::binomial`] of a probability of at most a half.
    fn successes(&mut self, count: f64, p: f64) -> f64 {
        if count * p < 10.0 {
            let (mut sum, mut found) = (0.0, 0.0);
            loop {
                sum += (self.uniform(false).ln() / (-p).ln_1p()).ceil();
                if sum > count {
                    return found;
                }
                found += 1.0;
            }
        }
        let deviation = (count * p * (1.0 - p)).sqrt();
        let b = 1.15 + 2.53 * deviation;
        let a = -0.0873 + 0.0248 * b + 0.01 * p;
        let (c, fast, ratio) = (count * p + 0.5, 0.92 - 4.2 / b, p / (1.0 - p));
        let alpha = (2.83 + 5.1 / b) * deviation;
        let m = ((count + 1.0) * p).floor();
        loop {
            let (u, v) = (self.uniform(false) - 0.5, self.uniform(false));
            let edge = 0.5 - u.abs();
            let k = ((2.0 * a / edge + b) * u + c).floor();
            if k < 0.0 || k > count {
                continue;
            }
            if edge >= 0.07 && v <= fast {
                return k;
            }
            let left = (v * alpha / (a / (edge * edge) + b)).ln();
            let right = (m + 0.5) * ((m + 1.0) / (ratio * (count - m + 1.0))).ln()
                + (count + 1.0) * ((count - m + 1.0) / (count - k + 1.0)).ln()
                + (k + 0.5) * (ratio * (count - k + 1.0) / (k + 1.0)).ln()
                + stirling(m)
                + stirling(count - m)
                - stirling(k)
                - stirling(count - k);
            if left <= right {
                return k;
            }
        }
    }

    /// Poisson's distribution: products of uniforms for small rates, the transformed rejection of
    /// Hörmann (1993) for others.
    pub fn poisson(&mut self, rate: f64) -> f64 {
        if rate < 10.0 {
            let limit = (-rate).exp();
            let (mut count, mut product) = (0.0, 1.0);
            if rate == 0.0 {
                return 0.0;
            }
            loop {
                product *= self.uniform(false);
                if product <= limit {
                    return count;
                }
                count += 1.0;
            }
        }
        let b = 0.931 + 2.53 * rate.sqrt();
        let a = -0.059 + 0.02483 * b;
        let (inverse, fast) = (1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2.0));
        loop {
            let (u, v) = (self.uniform(false) - 0.5, self.uniform(false));
            let edge = 0.5 - u.abs();
            let k = ((2.0 * a / edge + b) * u + rate + 0.43).floor();
            if edge >= 0.07 && v <= fast {
                return k;
            }
            if k < 0.0 || (edge < 0.013 && v > edge) {
                continue;
            }
            let left = v.ln() + inverse.ln() - (a / (edge * edge) + b).ln();
            if left <= -rate + k * rate.ln() - libm::lgamma(k + 1.0) {
                return k;
            }
        }
    }
}
