//! Finished Jacobians as matrices to reckon with: products, parts, diagonals. The structure is kept.

use crate::band::bands_product;
use crate::compose::product;
use crate::form::Element;
use crate::{Entry, Form, Jacobian};
use vjp_maths::LinearMap;
use vjp_maths::autodiff::linear_map::Spread;
use vjp_tensor::{ElementMap, Outcome, Tensor, budget};

impl Jacobian<f64> {
    /// self · other, where self has as many columns as other has rows.
    pub fn times(self, other: Jacobian<f64>) -> Outcome<Jacobian<f64>> {
        let (rows, columns) = (self.rows, other.columns);
        match (&self.form, &other.form) {
            (Form::Zero, _) | (_, Form::Zero) => return Ok(Jacobian::zero(rows, columns)),
            (Form::Scaled(c), _) => return other.scaled(*c),
            (_, Form::Scaled(c)) => return self.clone().scaled(*c),
            (Form::Diagonal(d), _) => return other.rows_scaled(d.clone(), &Spread::Same),
            (_, Form::Diagonal(d)) => return self.clone().columns_scaled(d.clone(), &Spread::Same),
            _ => {}
        }
        if let Some(both) = bands_product(&self, &other) {
            return Ok(both);
        }
        let (a, b) = (self.settled()?, other.settled()?);
        if let (Form::Dense(left), Form::Dense(right)) = (&a.form, &b.form) {
            Jacobian::zero(rows, columns).affordable()?;
            let data = f64::matmul(rows, a.columns, columns, left.data(), right.data())?;
            return Ok(Jacobian::dense(rows, columns, data));
        }
        product(&a, &b)
    }

    /// The entries beside each other on a diagonal, `offset` to the right of the main one; 0 where no
    /// path leads.
    pub fn along(&self, offset: isize) -> Vec<f64> {
        let start = offset.min(0).unsigned_abs();
        let rows = (start..self.rows).map(|i| (i, i.wrapping_add_signed(offset)));
        rows.take_while(|(_, j)| *j < self.columns).map(|(i, j)| self.number(i, j)).collect()
    }

    /// The number in row i and column j; 0 where no path leads.
    pub fn number(&self, i: usize, j: usize) -> f64 {
        match self.get(i, j) {
            Entry::Value(x) => x,
            Entry::Absent | Entry::Unchosen => 0.0,
        }
    }

    /// These rows and columns only, in this order; None: all.
    pub fn part(
        &self,
        rows: Option<&[usize]>,
        columns: Option<&[usize]>,
    ) -> Outcome<Jacobian<f64>> {
        let element_map = |all: usize, some: &[usize]| -> Outcome<ElementMap> {
            let index = budget::copied(some)?.into();
            Ok(ElementMap { from: vec![all], to: vec![some.len()], index })
        };
        let mut own = self.clone();
        if let Some(some) = rows {
            own = own.after(&LinearMap::<Tensor>::Gather(element_map(self.rows, some)?))?;
        }
        if let Some(some) = columns {
            own = own.before(&LinearMap::<Tensor>::Scatter(element_map(self.columns, some)?))?;
        }
        Ok(own)
    }
}
