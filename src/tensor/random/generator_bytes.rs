//! Where a generator stands, as bytes.

use super::Generator;
use super::mersenne_twister::{MersenneTwister, N};

/// The generator's state as bytes, laid out as PyTorch's: seed, words left, seeded, next, the 624
/// words, three numbers of old versions, and the second float normal (aten/src/ATen/CPUGeneratorImpl.cpp).
pub const STATE_BYTES: usize = 5056;

impl Generator {
    pub fn to_bytes(&self) -> Vec<u8> {
        let start = || MersenneTwister::seeded(self.seed as u32);
        let words = self.twister.clone().unwrap_or_else(start).words;
        let (left, next) = match &self.twister {
            None => (1, 0),
            Some(t) => ((N + 1).saturating_sub(t.next).max(1) as u32, t.next as u64),
        };
        let mut bytes = Vec::with_capacity(STATE_BYTES);
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(left.to_le_bytes());
        bytes.extend(1u32.to_le_bytes());
        bytes.extend(next.to_le_bytes());
        for w in words.iter() {
            bytes.extend(u64::from(*w).to_le_bytes());
        }
        bytes.extend(0f64.to_le_bytes());
        bytes.extend(self.cached.unwrap_or(0.0).to_le_bytes());
        bytes.extend(0f64.to_le_bytes());
        bytes.extend(u64::from(self.cached.is_some()).to_le_bytes());
        bytes.resize(STATE_BYTES, 0);
        bytes
    }

    /// The generator of such bytes; None where they are none.
    pub fn from_bytes(bytes: &[u8]) -> Option<Generator> {
        if bytes.len() != STATE_BYTES {
            return None;
        }
        let long = |at: usize| -> Option<u64> {
            Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
        };
        let left = long(8)? as u32;
        let mut words = Box::new([0u32; N]);
        for (k, w) in words.iter_mut().enumerate() {
            *w = long(24 + 8 * k)? as u32;
        }
        let numbers = 24 + 8 * N;
        let cached =
            (long(numbers + 24)? & 0xff != 0).then_some(f64::from_bits(long(numbers + 8)?));
        let next = if left <= 1 { N } else { long(16)? as usize };
        let seed = long(0)?;
        let fresh = long(16)? == 0 && words == MersenneTwister::seeded(seed as u32).words;
        let twister = (!fresh).then_some(MersenneTwister { words, next });
        Some(Generator { twister, cached, seed, drawn: 0 })
    }
}
