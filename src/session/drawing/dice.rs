//! Random numbers that a seed, a name and a place determine: the same on every machine and in every version.

/// What is drawn for one place of one sheet.
pub struct Dice(u64);

impl Dice {
    /// The dice of a seed and all that follows it.
    pub fn new(seed: u64, name: &str, places: &[u64]) -> Dice {
        let mut dice = Dice(seed);
        let mut mixed = |part: u64| {
            dice.0 ^= part;
            dice.0 = dice.next();
        };
        name.bytes().for_each(|byte| mixed(u64::from(byte) + 1));
        places.iter().for_each(|place| mixed(place.wrapping_add(1 << 9)));
        dice
    }

    /// Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014: SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of the numbers from `low` to `high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let size = high.abs_diff(low) + 1;
        low.wrapping_add_unsigned(self.next() % size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_of_a_range_comes_and_no_other() {
        let draw = |name: &str, k: u64| Dice::new(7, name, &[0, k]).between(-2, 2);
        let mut seen: Vec<i64> = (0..200).map(|k| draw("Anna", k)).collect();
        let again: Vec<i64> = (0..200).map(|k| draw("Anna", k)).collect();
        assert_eq!(seen, again);
        assert_ne!(seen, (0..200).map(|k| draw("Ben", k)).collect::<Vec<_>>());
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, [-2, -1, 0, 1, 2]);
    }
}
