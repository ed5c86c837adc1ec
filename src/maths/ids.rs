//! Maps keyed by ids of nodes and variables. Ids are small and distinct, so one multiplication hashes
//! them as well as a keyed hash would, in a tenth of the time.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map from ids.
pub type IdMap<V> = HashMap<u64, V, BuildHasherDefault<IdHasher>>;
/// A set of ids.
pub type IdSet = HashSet<u64, BuildHasherDefault<IdHasher>>;

/// Hashes one integer.
#[derive(Default)]
pub struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.write_u64(u64::from(*b));
        }
    }

    fn write_u64(&mut self, id: u64) {
        // Fibonacci hashing: the odd number nearest 2⁶⁴ divided by the golden ratio. Tables take
        // their place from the low bits and a tag from the high ones, so the halves are mixed.
        let spread = (self.0 ^ id).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = spread ^ (spread >> 32);
    }
}
