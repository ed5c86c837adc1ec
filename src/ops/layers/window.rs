//! A window that moves over an array: of convolutions and pools.

/// How a window moves over the spatial dimensions.
#[derive(Clone, Debug)]
pub struct Window {
    pub kernel: Vec<usize>,
    pub stride: Vec<usize>,
    /// Before the first element of each dimension.
    pub padding: Vec<usize>,
    pub dilation: Vec<usize>,
}

impl Window {
    /// How many places the window has along each dimension, `after` being the padding behind.
    /// None where it does not fit.
    pub fn places(&self, own: &[usize], after: &[usize]) -> Option<Vec<usize>> {
        (0..own.len())
            .map(|d| {
                let reach = self.dilation[d] * (self.kernel[d].max(1) - 1) + 1;
                let room = own[d] + self.padding[d] + after[d];
                Some(room.checked_sub(reach)? / self.stride[d].max(1) + 1)
            })
            .collect()
    }

    /// The elements of dimension `d`, of `n`, under the window at `place`: of a window that hangs over the ends
    /// only what is inside is gone through.
    pub fn along(&self, d: usize, n: usize, place: usize) -> Vec<usize> {
        let (start, dilation) = (place * self.stride[d], self.dilation[d]);
        let first = self.padding[d].saturating_sub(start).div_ceil(dilation);
        let taps = (first..self.kernel[d]).map(|t| start + t * dilation);
        taps.map(|at| at - self.padding[d]).take_while(|at| *at < n).collect()
    }

    /// The element of the input (row-major in its spatial dimensions) under tap `tap` of the window at
    /// `place`; None where that is padding.
    pub fn under(
        &self,
        own: &[usize],
        places: &[usize],
        place: usize,
        tap: usize,
    ) -> Option<usize> {
        let (mut place, mut tap, mut at, mut stride) = (place, tap, 0, 1);
        for d in (0..own.len()).rev() {
            let (p, t) = (place % places[d], tap % self.kernel[d]);
            place /= places[d];
            tap /= self.kernel[d];
            let c = (p * self.stride[d] + t * self.dilation[d]).checked_sub(self.padding[d])?;
            if c >= own[d] {
                return None;
            }
            at += c * stride;
            stride *= own[d];
        }
        Some(at)
    }
}
