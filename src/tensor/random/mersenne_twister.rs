//! The Mersenne Twister MT19937, from which PyTorch, NumPy and CPython all draw (Matsumoto and Nishimura
//! 1998).

pub const N: usize = 624;
const M: usize = 397;

/// Its words, and which of them comes next.
#[derive(Clone, Debug, PartialEq)]
pub struct MersenneTwister {
    pub words: Box<[u32; N]>,
    pub next: usize,
}

impl MersenneTwister {
    /// `init_genrand`.
    pub fn seeded(seed: u32) -> MersenneTwister {
        let mut words = Box::new([seed; N]);
        for k in 1..N {
            let last = words[k - 1];
            words[k] = 1_812_433_253u32.wrapping_mul(last ^ (last >> 30)).wrapping_add(k as u32);
        }
        MersenneTwister { words, next: N }
    }

    /// `init_by_array`; the key has at least one word.
    pub fn by_key(key: &[u32]) -> MersenneTwister {
        let mut twister = MersenneTwister::seeded(19_650_218);
        let s = &mut twister.words;
        let mixed =
            |s: &[u32; N], i: usize, by: u32| s[i] ^ (s[i - 1] ^ (s[i - 1] >> 30)).wrapping_mul(by);
        let next = |s: &mut [u32; N], i: usize| {
            if i + 1 < N {
                return i + 1;
            }
            s[0] = s[N - 1];
            1
        };
        let mut i = 1;
        for k in 0..N.max(key.len()) {
            let j = k % key.len();
            s[i] = mixed(s, i, 1_664_525).wrapping_add(key[j]).wrapping_add(j as u32);
            i = next(s, i);
        }
        for _ in 0..N - 1 {
            s[i] = mixed(s, i, 1_566_083_941).wrapping_sub(i as u32);
            i = next(s, i);
        }
        s[0] = 0x8000_0000;
        twister
    }

    /// 32 random bits.
    pub fn word(&mut self) -> u32 {
        if self.next >= N {
            self.twist();
        }
        let mut y = self.words[self.next];
        self.next += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    fn twist(&mut self) {
        let s = &mut self.words;
        for k in 0..N {
            let y = (s[k] & 0x8000_0000) | (s[(k + 1) % N] & 0x7fff_ffff);
            let odd = if y & 1 == 1 { 0x9908_b0df } else { 0 };
            s[k] = s[(k + M) % N] ^ (y >> 1) ^ odd;
        }
        self.next = 0;
    }
}
