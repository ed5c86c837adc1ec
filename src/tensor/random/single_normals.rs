//! Normals in float32, sixteen at a time, with PyTorch's own logarithm, sine and cosine: Cephes'
//! polynomials with fused products (aten/src/ATen/native/cpu/avx_mathfun.h, after Julien Pommier's
//! sse_mathfun), which are up to an ulp away from the C library's.

use crate::kernels::per_cpu;
use crate::kernels::sleef::polynomial;

const LOG: [f32; 9] = [
    7.037_683_6e-2,
    -1.151_461e-1,
    1.167_699_84e-1,
    -1.242_014_1e-1,
    1.424_932_3e-1,
    -1.666_805_8e-1,
    2.000_071_4e-1,
    -2.499_999_4e-1,
    0.333_333_3,
];
/// ln 2 in two parts.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];

/// ln x of a positive number.
#[inline(always)]
fn ln(x: f32) -> f32 {
    let bits = x.to_bits();
    let m = f32::from_bits(bits & 0x007f_ffff | 0x3f00_0000);
    let e = ((bits >> 23) as i32 - 0x7f) as f32 + 1.0;
    let small = m < std::f32::consts::FRAC_1_SQRT_2;
    let (x, e) = if small { (m - 1.0 + m, e - 1.0) } else { (m - 1.0, e) };
    let z = x * x;
    let y = (polynomial(x, LOG) * x).mul_add(z, e * LN_2[1]);
    e.mul_add(LN_2[0], x + z.mul_add(-0.5, y))
}

const SIN: [f32; 3] = [-1.951_529_6e-4, 8.332_161e-3, -1.666_665_5e-1];
const COS: [f32; 3] = [2.443_315_7e-5, -1.388_731_6e-3, 4.166_664_6e-2];
/// π/4 in three parts.
const QUARTER: [f32; 3] = [0.785_156_25, 2.418_756_5e-4, 3.774_895e-8];

/// sin and cos from 0 to 2π.
#[inline(always)]
fn sin_cos(x: f32) -> (f32, f32) {
    let octant = (((x * (4.0 / std::f32::consts::PI)) as i32) + 1) & !1;
    let r = QUARTER.iter().fold(x, |r, part| (octant as f32).mul_add(-part, r));
    let z = r * r;
    let cos = (polynomial(z, COS) * z).mul_add(z, -(z * 0.5)) + 1.0;
    let sin = (polynomial(z, SIN) * z).mul_add(r, r);
    let (sin, cos) = if octant & 2 == 0 { (sin, cos) } else { (cos, sin) };
    let signed = |v: f32, minus: bool| if minus { -v } else { v };
    (signed(sin, octant & 4 != 0), signed(cos, !(octant - 2) & 4 != 0))
}

per_cpu! {
    /// Uniform numbers into normal ones (Box and Muller): j with j + 8.
    pub fn from_uniforms<>(block: &mut [f64; 16]) -> () {
        let (radii, angles) = block.split_at_mut(8);
        for (u, v) in radii.iter_mut().zip(angles) {
            let radius = (-2.0 * ln(1.0 - *u as f32)).sqrt();
            let (sin, cos) = sin_cos(std::f32::consts::TAU * *v as f32);
            (*u, *v) = (f64::from(radius * cos), f64::from(radius * sin));
        }
    }
}
