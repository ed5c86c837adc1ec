//! Distributions other than the uniform and the normal, as PyTorch draws them on a CPU
//! (aten/src/ATen/core/TransformationHelper.h, native/Distributions.cpp).

use crate::random::Generator;

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
