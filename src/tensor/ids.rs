//! Maps keyed by ids of nodes and variables. Ids are small and distinct, so one multiplication hashes
//! them as well as a keyed hash would, in a tenth of the time.

use smallvec::SmallVec;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map from ids.
pub type IdMap<V> = HashMap<u64, V, BuildHasherDefault<IdHasher>>;
/// A set of ids.
pub type IdSet = HashSet<u64, BuildHasherDefault<IdHasher>>;

/// A set of ids that is made once, in order where it is large.
#[derive(Default)]
pub struct IdList(SmallVec<[u64; 16]>);

impl IdList {
    /// Adds an id greater than those that are there.
    pub fn push(&mut self, id: u64) {
        debug_assert!(self.0.last().is_none_or(|last| *last < id));
        self.0.push(id);
    }

    pub fn contains(&self, id: u64) -> bool {
        match self.0.len() {
            0..=8 => self.0.contains(&id),
            _ => self.0.binary_search(&id).is_ok(),
        }
    }
}

impl FromIterator<u64> for IdList {
    fn from_iter<I: IntoIterator<Item = u64>>(ids: I) -> IdList {
        let mut ids: SmallVec<[u64; 16]> = ids.into_iter().collect();
        ids.sort_unstable();
        IdList(ids)
    }
}

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

/// Where the addresses begin that `id` and `repr` show for what has none; as wide as addresses are.
pub const ADDRESSES: usize = (0x7f00_0000_0000_u64 >> ((64 - usize::BITS) / 2)) as usize;
