//! Every form of a Jacobian against plain matrices: chains of random maps, both directions of composing.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::{Entry, Form, Jacobian};
use proptest::prelude::*;
use vjp_maths::LinearMap;
use vjp_tensor::{ElementMap, Tensor};

/// A generator that depends on nothing but its seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }

    fn number(&mut self) -> f64 {
        (self.below(17) as f64 - 8.0) / 4.0 + 0.125
    }

    fn array(&mut self, shape: &[usize]) -> Tensor {
        let n = shape.iter().product();
        Tensor::new(shape, (0..n).map(|_| self.number()).collect())
    }

    fn element_map(&mut self, from: usize, to: usize) -> vjp_tensor::element_map::Index {
        self.places(from, to).into()
    }

    fn places(&mut self, from: usize, to: usize) -> Vec<usize> {
        match self.below(4) {
            // A slice, a shift with a gap, anything, every second.
            0 => (0..to).map(|k| if k < from { k } else { ElementMap::NONE }).collect(),
            1 => (0..to)
                .map(|k| if k > 0 && k - 1 < from { k - 1 } else { ElementMap::NONE })
                .collect(),
            2 => (0..to)
                .map(|_| self.below(from + 1))
                .map(|k| if k < from { k } else { ElementMap::NONE })
                .collect(),
            _ => (0..to).map(|k| if 2 * k < from { 2 * k } else { ElementMap::NONE }).collect(),
        }
    }

    /// A map from arrays of this shape.
    fn map(&mut self, from: &[usize], deep: bool) -> LinearMap<Tensor> {
        let from = from.to_vec();
        if from.is_empty() {
            return LinearMap::Scale { by: 3.0, shape: from };
        }
        let (n, m) = (from.iter().product::<usize>(), 1 + self.below(5));
        let rows = from.first().copied().unwrap_or(1);
        match self.below(if deep { 13 } else { 11 }) {
            0 => LinearMap::Scale { by: [1.0, -2.0, 0.5][self.below(3)], shape: from },
            1 => LinearMap::Diagonal { by: self.array(&from), shape: from },
            2 => LinearMap::Diagonal { by: self.array(&from[1..]), shape: from },
            3 => {
                let mut to = vec![m];
                to.extend(&from);
                LinearMap::Expand { from, to }
            }
            4 => LinearMap::Collapse { to: from[1..].to_vec(), from },
            5 => {
                let index = self.element_map(n, m);
                LinearMap::Gather(ElementMap { from, to: vec![m], index })
            }
            6 => {
                let index = self.element_map(m, n);
                LinearMap::Scatter(ElementMap { from: vec![m], to: from, index })
            }
            7 => LinearMap::Dense { by: self.array(&[m, n]), from, to: vec![m] },
            8 if from.len() >= 2 => {
                let mut to = from.clone();
                let at = to.len() - 2;
                to[at] = m;
                let mut by: Vec<usize> = from[..at].to_vec();
                by.extend([m, from[at]]);
                LinearMap::Left { by: self.array(&by), from, to }
            }
            9 if from.len() >= 2 => {
                let mut to = from.clone();
                let at = to.len() - 1;
                to[at] = m;
                let mut by: Vec<usize> = from[..at - 1].to_vec();
                by.extend([from[at], m]);
                LinearMap::Right { by: self.array(&by), from, to }
            }
            8..=10 => {
                let to = vec![rows, n / rows.max(1)];
                LinearMap::Gather(ElementMap::reshape(&from, &to))
            }
            11 => {
                let first = self.map(&from, false);
                let second = self.map(first.to(), false);
                LinearMap::Then(vec![first, second])
            }
            _ => {
                let first = self.map(&from, false);
                let shape = first.to().to_vec();
                let second = match shape == from {
                    true => LinearMap::Diagonal { by: self.array(&shape), shape },
                    false => first.clone(),
                };
                LinearMap::Plus(vec![first, second])
            }
        }
    }
}

fn size(shape: &[usize]) -> usize {
    shape.iter().product()
}

/// Row-major, by applying the map to unit vectors.
fn matrix(map: &LinearMap<Tensor>) -> Vec<f64> {
    let (rows, columns) = (size(map.to()), size(map.from()));
    let mut all = vec![0.0; rows * columns];
    for j in 0..columns {
        let mut unit = vec![0.0; columns];
        unit[j] = 1.0;
        let image = map.apply(&Tensor::new(map.from(), unit));
        (0..rows).for_each(|i| all[i * columns + j] = image.data()[i]);
    }
    all
}

fn times(a: &[f64], b: &[f64], m: usize, k: usize, n: usize) -> Vec<f64> {
    let at = |i: usize, j: usize| (0..k).map(|l| a[i * k + l] * b[l * n + j]).sum();
    (0..m * n).map(|c| at(c / n, c % n)).collect()
}

fn close(a: &[f64], b: &[f64], what: &str, j: &Jacobian<f64>) {
    assert_eq!(a.len(), b.len(), "{what}");
    for (x, y) in a.iter().zip(b) {
        let scale = x.abs().max(y.abs()).max(1.0);
        assert!((x - y).abs() <= 1e-9 * scale, "{what}: {x} is not {y} in {j:?}");
    }
}

/// All that can be asked of a Jacobian, against its matrix.
fn check(j: &Jacobian<f64>, dense: &[f64]) {
    let (m, n) = (j.rows, j.columns);
    let read: Vec<f64> = j
        .entries()
        .map(|e| match e {
            Entry::Value(x) => x,
            _ => 0.0,
        })
        .collect();
    close(&read, dense, "entries", j);
    close(j.all().unwrap().data(), dense, "all", j);
    let mut present = vec![0.0; m * n];
    for (i, k, e) in j.present() {
        if let Entry::Value(x) = e {
            present[i * n + k] = x;
        }
    }
    close(&present, dense, "present", j);
    assert_eq!(j.present().count(), j.stored());
    let v: Vec<f64> = (0..m).map(|i| i as f64 - 0.5).collect();
    let u: Vec<f64> = (0..n).map(|i| 1.5 - i as f64).collect();
    close(&j.left_multiply(&v), &times(&v, dense, 1, m, n), "vᵀJ", j);
    close(&j.right_multiply(&u), &times(dense, &u, m, n, 1), "J·u", j);
    let flipped: Vec<f64> = (0..m * n).map(|c| dense[c % m * n + c / m]).collect();
    let t = j.transposed().unwrap();
    assert_eq!((t.rows, t.columns), (n, m));
    close(t.all().unwrap().data(), &flipped, "transpose", j);
    assert!(!j.structure().is_empty());
    if matches!(j.form, Form::Zero) {
        assert!(dense.iter().all(|x| *x == 0.0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn chains_of_maps_are_products_of_matrices(seed in any::<u64>(), length in 1usize..5) {
        let mut dice = Dice(seed);
        let start: Vec<usize> = (0..1 + dice.below(3)).map(|_| 1 + dice.below(4)).collect();
        let (columns, mut shape) = (size(&start), start.clone());
        let mut dense: Vec<f64> = (0..columns * columns)
            .map(|c| f64::from(u8::from(c / columns == c % columns)))
            .collect();
        let mut forwards = Jacobian::<f64>::identity(columns);
        let mut maps = Vec::new();
        for _ in 0..length {
            if shape.is_empty() || size(&shape) > 60 {
                break;
            }
            let map = dice.map(&shape, true);
            let (rows, inner) = (size(map.to()), size(map.from()));
            dense = times(&matrix(&map), &dense, rows, inner, columns);
            forwards = forwards.after(&map).unwrap();
            shape = map.to().to_vec();
            maps.push(map);
            check(&forwards, &dense);
        }
        let mut backwards = Jacobian::<f64>::identity(size(&shape));
        for map in maps.iter().rev() {
            backwards = backwards.before(map).unwrap();
        }
        check(&backwards, &dense);
        let twice: Vec<f64> = dense.iter().map(|x| 2.0 * x).collect();
        check(&forwards.plus(backwards).unwrap(), &twice);
    }

    #[test]
    fn sums_of_different_forms_are_sums_of_matrices(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let n = 1 + dice.below(7);
        let square = |dice: &mut Dice| loop {
            let map = dice.map(&[n], true);
            if size(map.to()) == n {
                let weight = LinearMap::Diagonal { by: dice.array(&[n]), shape: vec![n] };
                let flat = LinearMap::<Tensor>::Gather(ElementMap::reshape(map.to(), &[n]));
                let j = Jacobian::<f64>::identity(n).after(&map).unwrap();
                let j = j.after(&flat).unwrap().after(&weight).unwrap();
                let m = times(&matrix(&weight), &matrix(&map), n, n, n);
                return (j, m);
            }
        };
        let ((a, p), (b, q)) = (square(&mut dice), square(&mut dice));
        let sum: Vec<f64> = p.iter().zip(&q).map(|(a, b)| a + b).collect();
        check(&a.clone().plus(b.clone()).unwrap(), &sum);
        check(&a, &p);
        check(&b, &q);
    }
}
