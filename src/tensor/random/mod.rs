//! Random numbers as PyTorch draws them on a CPU: mt19937 with its ways of making uniforms and
//! normals, so that a seed gives the same numbers (aten/src/ATen/core/MT19937RNGEngine.h,
//! DistributionsHelper.h, native/cpu/DistributionTemplates.h).

pub(crate) mod distributions;
pub mod generator_bytes;
pub mod mersenne_twister;
pub mod numpy_draws;
pub mod numpy_stream;
mod single_normals;

use super::budget;
use super::complaint::Outcome;
use super::dtype::Dtype;
use super::exact_integers::Exact;
use super::kernels::Cpu;
use mersenne_twister::MersenneTwister;
use std::cell::RefCell;

/// Where the sequence is.
#[derive(Clone, Debug, PartialEq)]
pub struct Generator {
    /// Made at the first draw: few programs draw.
    twister: Option<MersenneTwister>,
    /// The second normal of a pair, for the next call.
    cached: Option<f64>,
    seed: u64,
    /// Words drawn.
    drawn: u64,
}

/// How far a generator is: it differs after every draw.
pub type Stand = (u64, bool);

/// Where the thread's generator stands.
pub fn stand() -> Stand {
    with(|g| (g.drawn, g.cached.is_some()))
}

thread_local! {
    static GENERATOR: RefCell<Generator> = RefCell::new(Generator::new(0));
}

/// Runs `f` with the thread's generator.
pub fn with<T>(f: impl FnOnce(&mut Generator) -> T) -> T {
    GENERATOR.with(|g| f(&mut g.borrow_mut()))
}

/// `torch.manual_seed(s)`.
pub fn manual_seed(seed: u64) {
    with(|g| *g = Generator::new(seed));
}

/// The generator as it is, for undo.
pub fn state() -> Generator {
    with(|g| g.clone())
}

pub fn restore(state: Generator) {
    with(|g| *g = state);
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        Generator { twister: None, cached: None, seed, drawn: 0 }
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// 32 random bits.
    pub fn word(&mut self) -> u32 {
        self.drawn += 1;
        self.twister.get_or_insert_with(|| MersenneTwister::seeded(self.seed as u32)).word()
    }

    /// 64 random bits, the first word high.
    pub fn long(&mut self) -> u64 {
        let high = u64::from(self.word());
        high << 32 | u64::from(self.word())
    }

    /// Uniform on [0, 1): 24 bits for float32, 53 for float64.
    pub fn uniform(&mut self, single: bool) -> f64 {
        if single {
            f64::from(self.word() & 0x00ff_ffff) / f64::from(1u32 << 24)
        } else {
            (self.long() & ((1 << 53) - 1)) as f64 / (1u64 << 53) as f64
        }
    }

    /// `torch.rand(count)`.
    pub fn rand(&mut self, count: usize, single: bool) -> Outcome<Vec<f64>> {
        budget::listed(count, |_| self.uniform(single))
    }

    /// One standard normal; the other of the pair waits for the next call.
    pub fn normal(&mut self) -> f64 {
        if let Some(z) = self.cached.take() {
            return z;
        }
        let (u1, u2) = (self.uniform(false), self.uniform(false));
        let r = (-2.0 * (-u2).ln_1p()).sqrt();
        let angle = 2.0 * std::f64::consts::PI * u1;
        self.cached = Some(r * angle.sin());
        r * angle.cos()
    }

    /// `torch.randn(count)`: one at a time below 16, in blocks of 16 from there.
    pub fn randn(&mut self, count: usize, single: bool, dtype: Dtype) -> Outcome<Vec<f64>> {
        if count < 16 {
            let draw = |g: &mut Self| {
                let z = g.normal();
                if single { f64::from(z as f32) } else { z }
            };
            return Ok((0..count).map(|_| draw(self)).collect());
        }
        // A half type draws the numbers of whole blocks alone before it draws the last block again.
        let half = matches!(dtype, Dtype::Float16 | Dtype::Bfloat16);
        let mut data = self.rand(if half { count / 16 * 16 } else { count }, single)?;
        data.resize(count, 0.0);
        for (k, block) in data.as_chunks_mut().0.iter_mut().enumerate() {
            if k.is_multiple_of(1 << 10) {
                budget::tick()?;
            }
            box_muller(block, single);
        }
        if !count.is_multiple_of(16)
            && let Some(tail) = data.last_chunk_mut()
        {
            for slot in tail.iter_mut() {
                *slot = self.uniform(single);
            }
            box_muller(tail, single);
        }
        Ok(data)
    }

    /// Whole numbers from `low` up to, not including, `high`.
    pub fn randint(
        &mut self,
        low: i64,
        high: i64,
        count: usize,
        dtype: Dtype,
    ) -> Outcome<Vec<f64>> {
        let range = high.wrapping_sub(low) as u64;
        let exact = Exact::new(dtype);
        let draw = |g: &mut Self| {
            // Wide ranges take two words, lest small numbers come up more often.
            let offset = if range >= 1 << 28 {
                g.long() % range
            } else {
                u64::from(g.word()) % range.max(1)
            };
            let v = low.wrapping_add(offset as i64);
            if dtype.is_float() { v as f64 } else { exact.take(v) }
        };
        exact.done(budget::listed(count, |_| draw(self)))
    }

    /// The numbers below `n` in a random order.
    pub fn randperm(&mut self, n: usize) -> Outcome<Vec<f64>> {
        let mut out = budget::listed(n, |k| k as f64)?;
        for k in 0..n.saturating_sub(1) {
            if k.is_multiple_of(1 << 14) {
                budget::tick()?;
            }
            let other = self.word() as usize % (n - k);
            out.swap(k, k + other);
        }
        Ok(out)
    }
}

/// Sixteen uniforms into sixteen normals: pair j with j + 8.
fn box_muller(block: &mut [f64; 16], single: bool) {
    if single {
        return single_normals::from_uniforms(Cpu::here(), block);
    }
    for j in 0..8 {
        let r = (-2.0 * (1.0 - block[j]).ln()).sqrt();
        let angle = 2.0 * std::f64::consts::PI * block[j + 8];
        block[j] = r * angle.cos();
        block[j + 8] = r * angle.sin();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    fn near(a: &[f64], b: &[f64], by: f64) {
        assert_eq!(a.len(), b.len());
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() <= by, "{a} {b}");
        }
    }

    /// Recorded from PyTorch 2.15 with `manual_seed(7)`.
    #[test]
    fn a_seed_gives_pytorch_s_numbers() {
        let fresh = || Generator::new(7);
        let single = [0.534_922_540_187_835_7, 0.198_803_186_416_625_98, 0.659_211_695_194_244_4];
        near(&fresh().rand(3, true).unwrap(), &single, 0.0);
        let double = [0.279_380_429_906_404, 0.273_693_713_651_765_65, 0.862_092_961_417_625_5];
        near(&fresh().rand(3, false).unwrap(), &double, 0.0);
        let mut g = fresh();
        let first = [-0.146_795_097_484_995_2, 0.786_141_298_723_535_8, 0.946_821_609_003_956_4];
        near(&g.randn(3, false, Dtype::Float64).unwrap(), &first, 1e-15);
        near(&g.randn(1, false, Dtype::Float64).unwrap(), &[-1.114_344_021_261_030_7], 1e-15);
        let tail = [
            -0.283_878_990_219_479_15,
            0.452_575_502_101_029_54,
            -1.667_729_134_232_876_6,
            -1.587_032_296_930_835_7,
        ];
        near(&fresh().randn(18, false, Dtype::Float64).unwrap()[14..], &tail, 1e-14);
        let tail = [
            -1.323_345_780_372_619_6,
            -1.359_768_986_701_965_3,
            -0.866_701_602_935_791,
            -0.564_006_686_210_632_3,
        ];
        near(&fresh().randn(18, true, Dtype::Float32).unwrap()[14..], &tail, 0.0);
        let mut g = fresh();
        assert_eq!(g.randint(0, 10, 6, Dtype::Int64).unwrap(), [5.0, 2.0, 1.0, 6.0, 3.0, 7.0]);
        assert_eq!(g.randperm(10).unwrap(), [7.0, 6.0, 1.0, 2.0, 8.0, 3.0, 5.0, 0.0, 4.0, 9.0]);
    }
}
