//! Numbers as text: Python's float repr and C's %e, %f, %g.

/// Decimal digits of a number too large for 64 bits, given in another base.
pub fn decimal_digits(digits: &str, radix: u32) -> String {
    // Base 10⁹ limbs, least significant first.
    const LIMB: u64 = 1_000_000_000;
    let mut limbs: Vec<u64> = vec![0];
    for digit in digits.chars().filter_map(|c| c.to_digit(radix)) {
        let mut carry = u64::from(digit);
        for limb in &mut limbs {
            let next = *limb * u64::from(radix) + carry;
            (*limb, carry) = (next % LIMB, next / LIMB);
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let mut out = limbs.pop().unwrap_or(0).to_string();
    for limb in limbs.iter().rev() {
        out.push_str(&format!("{limb:09}"));
    }
    out
}
