//! The random numbers of Python's `random`.

use num_bigint::BigUint;
use vjp_tensor::random::mersenne_twister::{MersenneTwister, N};
use vjp_tensor::{Outcome, budget};

/// The Mersenne Twister with CPython's ways of seeding and drawing. None: as seeded with 0, which happens
/// at the first draw, since few programs draw.
#[derive(Clone, Default, PartialEq)]
pub struct Twister {
    state: Option<MersenneTwister>,
    pub spare: Option<f64>,
}

impl Twister {
    /// As `random.seed(n)`.
    pub fn seeded(n: &BigUint) -> Twister {
        let mut key = n.to_u32_digits();
        key.resize(key.len().max(1), 0);
        Twister { state: Some(MersenneTwister::by_key(&key)), spare: None }
    }

    /// Its 624 words and which of them comes next.
    pub fn words(&mut self) -> Vec<u32> {
        let state = self.state.get_or_insert_with(|| MersenneTwister::by_key(&[0]));
        let next = state.next as u32;
        state.words.iter().copied().chain([next]).collect()
    }

    /// As [`Twister::words`] gave it; None where that is not what these are.
    pub fn of_words(all: &[u32], spare: Option<f64>) -> Option<Twister> {
        let (next, words) = all.split_last()?;
        let words = Box::new(<[u32; N]>::try_from(words).ok()?);
        let next = usize::try_from(*next).ok().filter(|n| *n <= N)?;
        Some(Twister { state: Some(MersenneTwister { words, next }), spare })
    }

    fn word(&mut self) -> u32 {
        self.state.get_or_insert_with(|| MersenneTwister::by_key(&[0])).word()
    }

    /// From [0, 1), with 53 bits.
    pub fn float(&mut self) -> f64 {
        let (a, b) = (self.word() >> 5, self.word() >> 6);
        (f64::from(a) * 67_108_864.0 + f64::from(b)) / 9_007_199_254_740_992.0
    }

    fn bits(&mut self, k: u32) -> u64 {
        match k {
            0 => 0,
            1..=32 => u64::from(self.word() >> (32 - k)),
            _ => {
                let low = u64::from(self.word());
                let high = u64::from(self.word() >> (64 - k));
                low | (high << 32)
            }
        }
    }

    /// The lowest 32 bits are drawn first.
    pub fn long_bits(&mut self, k: u64) -> Outcome<BigUint> {
        budget::reserve(k as usize / 8)?;
        let mut words = Vec::with_capacity(k as usize / 32 + 1);
        for _ in 0..k / 32 {
            words.push(self.word());
            budget::tick()?;
        }
        if !k.is_multiple_of(32) {
            words.push(self.word() >> (32 - k % 32));
        }
        Ok(BigUint::new(words))
    }

    /// [`Twister::below`] of any size.
    pub fn long_below(&mut self, n: &BigUint) -> Outcome<BigUint> {
        loop {
            let r = self.long_bits(n.bits())?;
            if r < *n {
                return Ok(r);
            }
        }
    }

    /// From 0 up to `n`, which is above 0.
    pub fn below(&mut self, n: u64) -> u64 {
        let k = 64 - n.leading_zeros();
        loop {
            let r = self.bits(k);
            if r < n {
                return r;
            }
        }
    }
}
