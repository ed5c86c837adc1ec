//! Random numbers as NumPy draws them: the legacy stream (mt19937, Gaussians by Marsaglia's polar method)
//! and `default_rng` (PCG64 seeded by a SeedSequence, normals by the ziggurat), so that a seed gives the
//! same numbers.

use super::mersenne_twister::MersenneTwister;
use crate::{Outcome, budget};
use std::sync::LazyLock;

/// Where a sequence is.
#[derive(Clone, Debug, PartialEq)]
pub enum Stream {
    /// `RandomState`: the words, and the second Gaussian of a pair.
    Legacy { twister: MersenneTwister, spare: Option<f64> },
    /// `Generator(PCG64)`: state, increment, and the upper half of a word that was used in part.
    Pcg { state: u128, step: u128, spare: Option<u32> },
}

/// How an integer below a bound is found: by throwing away what is too large under a mask, or by Lemire's
/// multiplication.
#[derive(Clone, Copy, PartialEq)]
pub enum Bounded {
    Masked,
    Lemire,
}

const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

impl Stream {
    /// `np.random.seed(seed)`.
    pub fn legacy(seed: u32) -> Stream {
        Stream::Legacy { twister: MersenneTwister::seeded(seed), spare: None }
    }

    /// `np.random.seed([…])`.
    pub fn legacy_by_key(key: &[u32]) -> Stream {
        Stream::Legacy { twister: MersenneTwister::by_key(key), spare: None }
    }

    /// `np.random.default_rng(seed)`; the seed in 32-bit words, the lowest first.
    pub fn pcg(entropy: &[u32]) -> Stream {
        let words = seed_sequence(entropy);
        let (start, sequence) = (
            u128::from(words[0]) << 64 | u128::from(words[1]),
            u128::from(words[2]) << 64 | u128::from(words[3]),
        );
        let step = sequence << 1 | 1;
        let next = |state: u128| state.wrapping_mul(MULTIPLIER).wrapping_add(step);
        Stream::Pcg { state: next(next(0).wrapping_add(start)), step, spare: None }
    }

    /// 32 random bits.
    pub fn word(&mut self) -> u32 {
        if let Stream::Legacy { twister, .. } = self {
            return twister.word();
        }
        if let Stream::Pcg { spare, .. } = self
            && let Some(upper) = spare.take()
        {
            return upper;
        }
        let long = self.long();
        if let Stream::Pcg { spare, .. } = self {
            *spare = Some((long >> 32) as u32);
        }
        long as u32
    }

    /// 64 random bits.
    pub fn long(&mut self) -> u64 {
        match self {
            Stream::Legacy { twister, .. } => {
                let high = u64::from(twister.word());
                high << 32 | u64::from(twister.word())
            }
            Stream::Pcg { state, step, .. } => {
                *state = state.wrapping_mul(MULTIPLIER).wrapping_add(*step);
                let folded = (*state >> 64) as u64 ^ *state as u64;
                folded.rotate_right((*state >> 122) as u32)
            }
        }
    }

    /// From [0, 1), with 53 bits.
    pub fn double(&mut self) -> f64 {
        match self {
            Stream::Legacy { twister, .. } => {
                let (a, b) = (twister.word() >> 5, twister.word() >> 6);
                (f64::from(a) * 67_108_864.0 + f64::from(b)) / 9_007_199_254_740_992.0
            }
            Stream::Pcg { .. } => (self.long() >> 11) as f64 / 9_007_199_254_740_992.0,
        }
    }

    /// From [0, 1), with 24 bits.
    pub fn single(&mut self) -> f64 {
        f64::from(self.word() >> 8) / 16_777_216.0
    }

    /// A standard normal.
    pub fn normal(&mut self) -> f64 {
        match self {
            Stream::Legacy { spare, .. } => match spare.take() {
                Some(z) => z,
                None => self.polar(),
            },
            Stream::Pcg { .. } => self.ziggurat(),
        }
    }

    fn polar(&mut self) -> f64 {
        loop {
            let (a, b) = (2.0 * self.double() - 1.0, 2.0 * self.double() - 1.0);
            let square = a * a + b * b;
            if square < 1.0 && square != 0.0 {
                let stretch = (-2.0 * square.ln() / square).sqrt();
                if let Stream::Legacy { spare, .. } = self {
                    *spare = Some(stretch * a);
                }
                return stretch * b;
            }
        }
    }

    /// Marsaglia and Tsang 2000, with 256 layers.
    fn ziggurat(&mut self) -> f64 {
        let z = &*ZIGGURAT;
        loop {
            let r = self.long();
            let (layer, r) = ((r & 0xff) as usize, r >> 8);
            let at = r >> 1 & 0x000f_ffff_ffff_ffff;
            let x = at as f64 * z.width[layer];
            let x = if r & 1 == 1 { -x } else { x };
            if at < z.inside[layer] {
                return x;
            }
            if layer == 0 {
                let end = z.width[LAYERS - 1] * SCALE;
                loop {
                    let beyond = -(1.0 / end) * (1.0 - self.double()).ln();
                    let y = -(1.0 - self.double()).ln();
                    if y + y > beyond * beyond {
                        return if at >> 8 & 1 == 1 { -(end + beyond) } else { end + beyond };
                    }
                }
            }
            let (low, high) = (z.height[layer], z.height[layer - 1]);
            if (high - low) * self.double() + low < (-0.5 * x * x).exp() {
                return x;
            }
        }
    }

    /// A whole number from 0 to `most`, which belongs to it; 64 bits.
    pub fn to(&mut self, most: u64, way: Bounded) -> u64 {
        match (most, way) {
            (0, _) => 0,
            (0xffff_ffff, _) => u64::from(self.word()),
            (u64::MAX, _) => self.long(),
            (0..=0xffff_ffff, Bounded::Masked) => {
                let mask = u32::MAX >> (most as u32).leading_zeros();
                loop {
                    let value = self.word() & mask;
                    if u64::from(value) <= most {
                        return u64::from(value);
                    }
                }
            }
            (_, Bounded::Masked) => {
                let mask = u64::MAX >> most.leading_zeros();
                loop {
                    let value = self.long() & mask;
                    if value <= most {
                        return value;
                    }
                }
            }
            (0..=0xffff_ffff, Bounded::Lemire) => {
                let count = most as u32 + 1;
                let threshold = (u32::MAX - most as u32) % count;
                loop {
                    let product = u64::from(self.word()) * u64::from(count);
                    if product as u32 >= threshold {
                        return product >> 32;
                    }
                }
            }
            (_, Bounded::Lemire) => {
                let count = most + 1;
                let threshold = (u64::MAX - most) % count;
                loop {
                    let product = u128::from(self.long()) * u128::from(count);
                    if product as u64 >= threshold {
                        return (product >> 64) as u64;
                    }
                }
            }
        }
    }

    /// The order in which `items` stand after NumPy has shuffled the last ones, down to place `first`.
    pub fn shuffle<T>(&mut self, items: &mut [T], first: usize, way: Bounded) -> Outcome<()> {
        for i in (first.max(1)..items.len()).rev() {
            budget::tick()?;
            let j = self.to(i as u64, way) as usize;
            items.swap(i, j);
        }
        Ok(())
    }
}

const LAYERS: usize = 256;
const SCALE: f64 = (1u64 << 52) as f64;

struct Ziggurat {
    /// The right end of each layer, by 2⁵².
    width: Vec<f64>,
    /// Below this a point lies inside the layer above too.
    inside: Vec<u64>,
    /// The density at the right end.
    height: Vec<f64>,
}

/// The widths as NumPy uses them; the rest follows from them.
static ZIGGURAT: LazyLock<Ziggurat> = LazyLock::new(|| {
    let bits = include_str!("ziggurat.txt").split_whitespace();
    let width: Vec<f64> =
        bits.map(|b| f64::from_bits(u64::from_str_radix(b, 16).unwrap_or(0))).collect();
    let share = |k: usize| match k {
        0 => width[LAYERS - 1] / width[0],
        1 => 0.0,
        _ => width[k - 1] / width[k],
    };
    let inside = (0..LAYERS).map(|k| (share(k) * SCALE) as u64).collect();
    let end = |k: usize| if k == 0 { 0.0 } else { width[k] * SCALE };
    let height = (0..LAYERS).map(|k| (-0.5 * end(k) * end(k)).exp()).collect();
    Ziggurat { width, inside, height }
});

/// O'Neill's seed sequence: four 64-bit words from any seed.
fn seed_sequence(entropy: &[u32]) -> [u64; 4] {
    const POOL: usize = 4;
    let mut by = 0x43b0_d7e5_u32;
    let mut hash = |value: u32| {
        let value = value ^ by;
        by = by.wrapping_mul(0x931e_8875);
        let value = value.wrapping_mul(by);
        value ^ value >> 16
    };
    let mix = |x: u32, y: u32| {
        let mixed = x.wrapping_mul(0xca01_f9dd).wrapping_sub(y.wrapping_mul(0x4973_f715));
        mixed ^ mixed >> 16
    };
    let mut pool = [0; POOL];
    for (k, slot) in pool.iter_mut().enumerate() {
        *slot = hash(entropy.get(k).copied().unwrap_or(0));
    }
    for from in 0..POOL {
        for to in (0..POOL).filter(|to| *to != from) {
            pool[to] = mix(pool[to], hash(pool[from]));
        }
    }
    for word in entropy.iter().skip(POOL) {
        for slot in &mut pool {
            *slot = mix(*slot, hash(*word));
        }
    }
    let mut by = 0x8b51_f9dd_u32;
    let mut word = |k: usize| {
        let value = pool[k % POOL] ^ by;
        by = by.wrapping_mul(0x58f3_8ded);
        let value = value.wrapping_mul(by);
        u64::from(value ^ value >> 16)
    };
    std::array::from_fn(|k| {
        let low = word(2 * k);
        low | word(2 * k + 1) << 32
    })
}
