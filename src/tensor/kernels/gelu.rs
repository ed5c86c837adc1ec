//! GELU of float32 arrays as oneDNN has it, to which PyTorch hands them: bit for bit
//! `gelu_erf_minimax_approx_compute_vector_fwd` and `gelu_erf_compute_vector_bwd` in its `jit_uni_eltwise_injector.cpp`.

use super::sleef::polynomial;
use super::{Cpu, LANES_FROM, TILE, blocks, single};
use crate::storage::element::is_single;
use crate::storage::numbers::shortened;
use crate::{Dtype, Outcome, Tensor, budget};
use std::f32::consts::{FRAC_1_SQRT_2, LN_2, LOG2_E};
use std::mem::MaybeUninit;

/// So many numbers are computed together: as many as the widest register holds.
const LANES: usize = 16;

/// Of erf(x/√2), the lowest degree first: 32 polynomials, of which 1 to 24 are taken (two digits of the mantissa
/// tell them apart).
#[rustfmt::skip]
const ERF: [[u32; 32]; 6] = [
    [
        0xa6f2_cb94, 0x3282_7792, 0x3381_cc0c, 0x3452_3d4a, 0x351a_c44d, 0x35f3_6d88, 0x36ee_8229, 0x37b8_a3bb,
        0x3867_a213, 0x3940_033b, 0x3a2a_5a1d, 0x3ae3_5863, 0x3b78_28f2, 0x3c08_b14b, 0x3c51_5ed3, 0xbb50_3236,
        0xbd8d_8e5e, 0xbe8a_bcd9, 0xbf0c_19a2, 0xbecc_b328, 0x3e17_6ced, 0x3f47_0d99, 0x3f7a_bb28, 0x3f80_0000,
        0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000,
    ],
    [
        0x3f4c_422a, 0x3f4c_421f, 0x3f4c_4207, 0x3f4c_41cb, 0x3f4c_413b, 0x3f4c_3fad, 0x3f4c_3a2f, 0x3f4c_2d40,
        0x3f4c_146a, 0x3f4b_c341, 0x3f4a_d08c, 0x3f48_f8cf, 0x3f45_fac7, 0x3f40_4e07, 0x3f3b_980f, 0x3f48_dff3,
        0x3f78_b21b, 0x3fbb_0704, 0x4001_9c32, 0x3fe5_36d6, 0x3f81_331e, 0x3e6c_8684, 0x3c98_f936, 0x0000_0000,
        0x3f80_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000,
    ],
    [
        0xb621_73f4, 0x3735_e4cf, 0x37f2_ff89, 0x388c_23be, 0x3917_535c, 0x39ab_2ab0, 0x3a60_fadb, 0x3af9_b960,
        0x3b6e_5491, 0x3c0a_4ec5, 0x3ca5_aa8c, 0x3d21_38d9, 0x3d87_37d4, 0x3ddf_b660, 0x3e0f_27ab, 0x3d94_004b,
        0xbe0e_fdeb, 0xbf1d_96c3, 0xbf89_db58, 0xbf6d_9897, 0xbef6_9fb8, 0xbdc4_f8a8, 0xbbde_6422, 0x0000_0000,
        0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000,
    ],
    [
        0xbe08_1a19, 0xbe08_4570, 0xbe08_639b, 0xbe08_9837, 0xbe08_f409, 0xbe09_ab95, 0xbe0b_66d0, 0xbe0e_400a,
        0xbe12_4df8, 0xbe1b_de02, 0xbe2f_19c9, 0xbe49_31bf, 0xbe68_5fbc, 0xbe89_c95f, 0xbe96_cbca, 0xbe80_44aa,
        0xbe05_50f2, 0x3dcf_d6a1, 0x3e94_c826, 0x3e79_345f, 0x3dec_ec91, 0x3ca4_6568, 0x3aa1_e00a, 0x0000_0000,
        0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000,
    ],
    [
        0xba3d_61db, 0x39f0_97a3, 0x3a58_45dc, 0x3ab1_fa35, 0x3b0c_efb8, 0x3b65_3ab6, 0x3bca_e527, 0x3c22_1712,
        0x3c6c_5840, 0x3cc0_a703, 0x3d1d_cc19, 0x3d63_656d, 0x3d95_5907, 0x3dbf_9910, 0x3dd5_3f69, 0x3db7_dcef,
        0x3d63_9ebe, 0xba6e_de48, 0xbd22_be69, 0xbd04_1cf1, 0xbc64_f5ab, 0xbb09_7a32, 0xb8eb_f380, 0x0000_0000,
        0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000,
    ],
    [
        0x3cb7_d80c, 0x3c9b_6050, 0x3c97_8d11, 0x3c92_e850, 0x3c8d_058b, 0x3c84_8454, 0x3c6c_d623, 0x3c4c_824b,
        0x3c2a_7935, 0x3be0_b390, 0x3b06_51ac, 0xbb23_2f53, 0xbbd4_2fa0, 0xbc2c_5366, 0xbc49_2c9e, 0xbc2a_7aa6,
        0xbbd5_5d04, 0xba82_3a76, 0x3b10_2aa8, 0x3ae2_5a7e, 0x3a31_f792, 0x38b8_4375, 0x3689_bb5a, 0x0000_0000,
        0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000,
    ],
];

/// From here on erf is 1.
const FAR: f32 = f32::from_bits(0x40b1_5cee);

/// A register of values.
trait Values {
    fn of(x: [f32; LANES]) -> [f32; LANES];
}

struct Plain;

impl Values for Plain {
    #[inline(always)]
    fn of(x: [f32; LANES]) -> [f32; LANES] {
        let mut at = [0; LANES];
        for (at, x) in at.iter_mut().zip(x) {
            let x = x.abs();
            let k = (x.to_bits().wrapping_add(0xc21f_ffff) as i32 >> 21).clamp(1, 24);
            *at = if FAR < x { 23 } else { k as usize };
        }
        let of = |degree: usize| at.map(|k| f32::from_bits(ERF[degree][k & 31]));
        let mut y = of(5);
        for degree in (0..5).rev() {
            let next = of(degree);
            for ((y, x), c) in y.iter_mut().zip(x).zip(next) {
                *y = y.mul_add(x.abs(), c);
            }
        }
        for (y, x) in y.iter_mut().zip(x) {
            let erf = f32::from_bits(y.to_bits() ^ (x.to_bits() & 1 << 31));
            *y = x * (erf + 1.0) * 0.5;
        }
        y
    }
}

/// The same in instructions that the compiler does not find by itself.
#[cfg(target_arch = "x86_64")]
struct Avx512;

#[cfg(target_arch = "x86_64")]
impl Values for Avx512 {
    #[inline(always)]
    fn of(x: [f32; LANES]) -> [f32; LANES] {
        use std::arch::x86_64::*;
        use std::mem::transmute;
        // SAFETY: arrays of as many bits; `avx512` alone comes here, where the processor has the instructions.
        unsafe {
            let x: __m512 = transmute(x);
            let (one, half) = (_mm512_set1_ps(1.0), _mm512_set1_ps(0.5));
            let size = _mm512_abs_ps(x);
            let bits = _mm512_add_epi32(
                _mm512_castps_si512(size),
                _mm512_set1_epi32(0xc21f_ffff_u32 as i32),
            );
            let k = _mm512_max_epi32(_mm512_srai_epi32::<21>(bits), _mm512_set1_epi32(1));
            let k = _mm512_min_epi32(k, _mm512_set1_epi32(24));
            let far = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(_mm512_set1_ps(FAR), size);
            let at = _mm512_mask_mov_epi32(k, far, _mm512_set1_epi32(23));
            let of = |degree: usize| {
                let [low, high]: [__m512; 2] = transmute::<[u32; 32], _>(ERF[degree]);
                _mm512_permutex2var_ps(low, at, high)
            };
            let mut y = of(5);
            for degree in (0..5).rev() {
                y = _mm512_fmadd_ps(y, size, of(degree));
            }
            let sign = _mm512_and_si512(_mm512_castps_si512(x), _mm512_set1_epi32(i32::MIN));
            let erf = _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(y), sign));
            transmute(_mm512_mul_ps(_mm512_mul_ps(x, _mm512_add_ps(erf, one)), half))
        }
    }
}

/// eˣ as oneDNN's kernels have it: 0 where it is no normal number.
#[inline(always)]
fn exp(x: f32) -> f32 {
    const LEAST: f32 = f32::from_bits(0xc2ae_ac50);
    const MOST: f32 = f32::from_bits(0x42b1_7218);
    const SERIES: [u32; 5] = [0x3c07_cfce, 0x3d2b_9d0d, 0x3e2a_ad40, 0x3eff_fee3, 0x3f7f_fffb];
    let within = if x < MOST { x } else { MOST };
    let within = if within > LEAST { within } else { LEAST };
    let k = (within * LOG2_E + 0.5).floor();
    let r = (-k).mul_add(LN_2, within);
    // 2ᵏ itself may be too large. SAFETY: k is a number from -126 to 128.
    let half = unsafe { (k - 1.0).to_int_unchecked::<i32>() } + 127;
    let half = f32::from_bits((half << 23) as u32);
    let y = polynomial(r, SERIES.map(f32::from_bits)).mul_add(r, 1.0);
    y * if x < LEAST { 0.0 } else { half } * 2.0
}

/// By Abramowitz and Stegun's erf.
#[inline(always)]
fn slope(x: f32) -> f32 {
    const P: f32 = f32::from_bits(0x3ea7_ba05);
    const FRAC_1_SQRT_PI: f32 = f32::from_bits(0x3f10_6eba);
    const SERIES: [u32; 5] = [0x3f87_dc22, 0xbfba_00e3, 0x3fb5_f0e3, 0xbe91_a98e, 0x3e82_7906];
    let x = x * FRAC_1_SQRT_2;
    let bell = exp(-(x * x));
    let t = 1.0 / P.mul_add(x.abs(), 1.0);
    let y = polynomial(t, SERIES.map(f32::from_bits));
    let erf = (-bell * t).mul_add(y, 1.0);
    let erf = f32::from_bits(erf.to_bits() ^ (x.to_bits() & 1 << 31));
    erf.mul_add(0.5, x * FRAC_1_SQRT_PI * bell + 0.5)
}

/// A piece of the input, of the cotangent (none: the value is asked), and where the result is written.
type Piece<'a> = (&'a [f32], Option<&'a [f32]>, &'a mut [MaybeUninit<f32>]);

#[inline(always)]
fn run<V: Values>((x, v, out): Piece) {
    if let Some(v) = v {
        for ((slot, x), v) in out.iter_mut().zip(x).zip(v) {
            slot.write(v * slope(*x));
        }
        return;
    }
    let (registers, rest) = x.as_chunks::<LANES>();
    let (slots, last) = out.as_chunks_mut::<LANES>();
    for (slots, x) in slots.iter_mut().zip(registers) {
        *slots = V::of(*x).map(MaybeUninit::new);
    }
    let mut all = [0.0; LANES];
    all[..rest.len()].copy_from_slice(rest);
    for (slot, y) in last.iter_mut().zip(V::of(all)) {
        slot.write(y);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2(piece: Piece) {
    run::<Plain>(piece);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512dq,avx512vl")]
fn avx512(piece: Piece) {
    run::<Avx512>(piece);
}

/// GELU of a float32 tensor; with a cotangent, vᵀJ.
pub fn gelu(x: &Tensor, v: Option<&Tensor>) -> Outcome<Tensor> {
    let (n, shape, cpu) = (x.numel(), x.shape(), Cpu::over(LANES_FROM));
    let (x, v) = (shortened(x)?, v.map(shortened).transpose()?);
    let mut out = budget::vec(n)?;
    let slots = &mut out.spare_capacity_mut()[..n];
    blocks::each(slots.chunks_mut(TILE).enumerate(), n >= blocks::PARALLEL_FROM, |(k, slots)| {
        let part = k * TILE..k * TILE + slots.len();
        let piece = (&x[part.clone()], v.as_ref().map(|v| &v[part]), slots);
        match cpu {
            // SAFETY: `Cpu::over` has found the processor to have these instructions.
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2 => unsafe { avx2(piece) },
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512 => unsafe { avx512(piece) },
            _ => run::<Plain>(piece),
        }
    })?;
    // SAFETY: `each` has gone through all pieces, and a piece is written whole.
    unsafe { out.set_len(n) };
    Ok(match is_single(Dtype::Float32, n) {
        true => Tensor::from_single(shape, out),
        false => Tensor::new(shape, single::lengthen(&out)?).with_dtype(Dtype::Float32),
    })
}
