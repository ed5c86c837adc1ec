//! What the inputs of a step are: leaves, values, and constants by the names that they have or get.

use super::super::constants::{Way, equal, uniform};
use super::super::typed::{self, Typed};
use super::Walk;
use crate::graph::{From, row};
use vjp_maths::composite::entering;
use vjp_maths::matrix::{Matrix, Node as Part};
use vjp_maths::{Array, Edge};
use vjp_tensor::{ElementMap, Tensor};

impl Walk<'_> {
    pub(super) fn inputs(&mut self, k: usize) -> Vec<Matrix> {
        let node = self.graph.steps[k].clone();
        (0..node.inputs().len()).map(|i| self.input(k, i, &node.inputs()[i])).collect()
    }

    fn input(&mut self, step: usize, i: usize, edge: &Edge) -> Matrix {
        match self.graph.source(edge) {
            Some(From::Leaf(k)) => {
                self.known.insert(self.graph.steps.len() + k, edge.value.clone());
                self.leaves[k].clone()
            }
            Some(From::Step(k)) => self.values[k].clone(),
            None => self.constant(step, i, edge),
        }
    }

    fn constant(&mut self, step: usize, i: usize, edge: &Edge) -> Matrix {
        let (edge, value) = (entering(edge), &edge.value);
        let own = self.constants.own(edge).map(|(name, t)| (name.to_owned(), t.clone()));
        if let Some((name, t)) = own {
            return self.constant_named(Some(&name), &t);
        }
        let typed = self.typed.get(&(step, i)).cloned();
        let taken = edge.cut().is_some_and(|cut| !cut.stepped);
        let own = typed.as_ref().is_some_and(|typed| typed.name().is_some());
        if edge.is_number() && (taken || typed.is_some()) || edge.cut().is_some() && own {
            return self.held(edge, typed);
        }
        if let Some(typed) = &typed {
            let made = typed::formula(typed, &mut |name| self.bound(name));
            let same = |t: Tensor| t.shape() == value.shape() && t.data() == value.data();
            let made = made.filter(|m| m.has_names());
            if let Some(m) = made.filter(|m| m.evaluate(&self.known).is_some_and(same)) {
                self.mask(&m, value);
                return m;
            }
        }
        if taken {
            return self.held(edge, typed);
        }
        // What was cut off is no number, though all its elements are one.
        let cut = edge.cut().is_some() && value.numel() > 1;
        let found = self.constants.alike(value).filter(|_| !cut);
        let found = found.map(|(name, t, way)| (name.to_owned(), t.clone(), way));
        if let Some((name, t, way)) = found {
            let own = self.constant_named(Some(&name), &t);
            return match way {
                Way::Same => own,
                Way::Reshaped => own.gather(&ElementMap::reshape(t.shape(), value.shape())),
                Way::Transposed => own.swap(),
                Way::Repeated => own.fit(value.shape()),
                Way::Scaled(c) => own.scale(c),
            };
        }
        match uniform(value).filter(|_| !cut) {
            Some(c) => Matrix::number(c, value.shape()),
            None => {
                let m = self.constant_named(None, value);
                if let (Part::Name(name), Some(typed)) = (m.node(), typed) {
                    let place = self.element(&typed, value);
                    self.texts.entry(name.text.clone()).or_insert(place.unwrap_or(typed.text));
                }
                m
            }
        }
    }

    /// `xs[2]` of what was written `xs[t]`.
    fn element(&self, typed: &Typed, value: &Tensor) -> Option<String> {
        let name = typed.indexed()?;
        let (_, whole) = self.constants.named(name)?;
        let at = row(whole, value)?;
        Some(format!("{name}[{at}]"))
    }

    /// Remembers what is 0 or 1 everywhere.
    fn mask(&mut self, m: &Matrix, value: &Tensor) {
        if value.data().iter().all(|x| matches!(*x, 0.0 | 1.0)) {
            self.masks.push((m.clone(), value.clone()));
        }
    }

    /// What was taken out of the graph: by its name, or as it was written.
    fn held(&mut self, edge: &Edge, typed: Option<Typed>) -> Matrix {
        let known =
            |name: &&str| self.constants.named(name).is_none_or(|(_, t)| equal(t, &edge.value));
        let typed_name = typed.as_ref().and_then(Typed::name).filter(known);
        let own = typed_name.or_else(|| self.constants.cut(edge));
        let own = own.map(str::to_owned);
        let m = self.constant_named(own.as_deref(), &edge.value);
        self.mask(&m, &edge.value);
        if let Part::Name(name) = m.node() {
            let text = match &own {
                Some(own) => self.bindings.get(own).cloned().unwrap_or_default(),
                None => typed.map(|typed| typed.text).unwrap_or_default(),
            };
            self.held.entry(name.text.clone()).or_insert(text);
        }
        m
    }

    /// What a name of the program stands for.
    fn bound(&mut self, name: &str) -> Option<Matrix> {
        let (v, value) = self.constants.named(name)?;
        let (edge, value) = (Edge::of(v), value.clone());
        Some(match self.graph.source(&edge) {
            Some(From::Leaf(k)) => {
                self.known.entry(self.graph.steps.len() + k).or_insert(value);
                self.leaves[k].clone()
            }
            Some(From::Step(k)) => self.values[k].clone(),
            None => self.constant_named(Some(name), &value),
        })
    }

    /// A constant under the name that it has or gets.
    fn constant_named(&mut self, named: Option<&str>, value: &Tensor) -> Matrix {
        let known = self.unnamed.iter().find(|(name, given, t, _)| match named {
            Some(own) => *given && name == own,
            None => !given && t.shape() == value.shape() && t.data() == value.data(),
        });
        if let Some((.., m)) = known {
            return m.clone();
        }
        let key = self.key();
        self.known.insert(key, value.clone());
        let name = match named {
            Some(name) => name.to_owned(),
            None => self.names.invented("c").text,
        };
        let m = Matrix::name(key, &name, &name, value.shape());
        self.unnamed.push((name, named.is_some(), value.clone(), m.clone()));
        m
    }
}
