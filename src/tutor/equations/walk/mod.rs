//! Forwards through the graph in formulas, and back.

mod inputs;

use super::Asked;
use super::constants::{Constants, uniform};
use super::kinds::{chain, elementwise, parted};
use super::naming::{Called, Names};
use super::typed::Typed;
use crate::graph::{From, Graph};
use std::collections::{BTreeMap, HashMap, HashSet};
use vjp_backward::agreement;
use vjp_eval::record::questions::{Equation, Left};
use vjp_maths::matrix::board::selections::{FEW, mask_of};
use vjp_maths::matrix::selection::{Picks, picks};
use vjp_maths::matrix::{Matrix, Node as Part};
use vjp_maths::{Array, Node, Point, Variable};
use vjp_tensor::{ElementMap, Outcome, Tensor, budget};

/// A formula element by element of so many parts needs no name, though it stands in several places.
const SHORT: usize = 8;

/// Nor does a call of so few.
const LEAST: usize = 3;

/// What sums or selects, of more parts than this, has a name where it arrives first.
const CROWDED: usize = 6;

/// A longer one gets a name in any case.
const LONG: usize = 24;

/// What one operation makes of a cotangent, of more parts than this, is no formula to read: a quadrature.
const MOST: usize = 60;

pub(super) struct Walk<'a> {
    graph: &'a Graph,
    asked: &'a Asked,
    names: Names,
    constants: Constants,
    lists: Vec<(String, Vec<usize>)>,
    /// What stands for the value of each step, and what it is made of.
    values: Vec<Matrix>,
    forward: Vec<Matrix>,
    leaves: Vec<Matrix>,
    /// What the program typed for constants, by step and input.
    typed: HashMap<(usize, usize), Typed>,
    /// Constants: name, whether it is the program's, value.
    unnamed: Vec<(String, bool, Tensor, Matrix)>,
    /// Formulas whose elements are 0 or 1.
    masks: Vec<(Matrix, Tensor)>,
    /// How those without a name were written.
    texts: HashMap<String, String>,
    /// Numbers taken out of the graph, and how they were written.
    held: BTreeMap<String, String>,
    /// What the program bound each name to, as it is written.
    bindings: HashMap<String, String>,
    /// Numbers by the keys of names.
    known: HashMap<usize, Tensor>,
    /// Steps whose value has to have a name.
    wanted: Vec<bool>,
    /// The keys of cotangents that have a line.
    cotangents: Vec<Option<usize>>,
    /// What these are called in code.
    codes: Vec<String>,
    v: Option<Matrix>,
    /// What came from a backward that the program wrote, in words.
    written: HashMap<From, String>,
    lines: Vec<Line>,
    next: usize,
}

/// What a walk found.
pub(super) struct Found {
    pub forward: Vec<Equation>,
    pub backward: Vec<Equation>,
    /// Constants without a name of the program, and how they were written.
    pub constants: Vec<(String, String, Tensor)>,
    /// Numbers that were taken out of the graph, and how they were written.
    pub held: Vec<(String, String)>,
    /// Symbols of values whose names have others by now, and these names.
    pub earlier: Vec<(String, String)>,
    /// Leaves that no name of the program leads to.
    pub numbers: Vec<(String, Tensor)>,
    pub v: Option<(String, Tensor)>,
    /// What the names are.
    pub known: HashMap<usize, Tensor>,
}

/// An equation whose values may still get names.
struct Line {
    left: Target,
    right: Option<Matrix>,
    words: String,
    value: Tensor,
    tolerance: f64,
    adds: bool,
}

enum Target {
    Cotangent(usize),
    Leaf(usize),
}

impl<'a> Walk<'a> {
    pub fn new(
        graph: &'a Graph,
        asked: &'a Asked,
        names: Names,
        constants: Constants,
        typed: HashMap<(usize, usize), Typed>,
        bindings: HashMap<String, String>,
    ) -> Walk<'a> {
        let n = graph.steps.len();
        let values = graph.steps.iter().enumerate().map(|(k, node)| {
            let (text, code) = match &names.steps[k] {
                Some(called) => (called.text.clone(), called.code.clone()),
                None => (format!("({})", k + 1), String::new()),
            };
            Matrix::name(k, &text, &code, node.value().shape())
        });
        let values = values.collect();
        let leaves = asked.leaves.iter().enumerate().map(|(k, leaf)| {
            let called = &names.leaves[k];
            Matrix::name(n + k, &called.text, &called.code, &leaf.variable.shape())
        });
        let leaves = leaves.collect();
        let known = graph.steps.iter().enumerate().map(|(k, node)| (k, node.value().clone()));
        let lists = constants.lists();
        Walk {
            graph,
            asked,
            names,
            constants,
            lists,
            values,
            forward: Vec::new(),
            leaves,
            typed,
            unnamed: Vec::new(),
            masks: Vec::new(),
            texts: HashMap::new(),
            held: BTreeMap::new(),
            bindings,
            known: known.collect(),
            wanted: vec![false; n],
            cotangents: vec![None; n],
            codes: vec![String::new(); n],
            v: None,
            written: HashMap::new(),
            lines: Vec::new(),
            next: n + asked.leaves.len(),
        }
    }

    /// A key for one more name.
    fn key(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    /// What each value is made of.
    pub fn forwards(&mut self) -> Outcome<()> {
        for k in 0..self.graph.steps.len() {
            budget::tick()?;
            let node = self.graph.steps[k].clone();
            let inputs = self.inputs(k);
            let made =
                Array::run(shared(&node), &inputs.iter().collect::<Vec<_>>(), node.value().shape());
            self.forward.push(made);
        }
        Ok(())
    }

    fn seed(&mut self) -> Matrix {
        let v = &self.asked.v;
        if let Some(c) = uniform(v).filter(|_| !self.asked.any) {
            return Matrix::number(c, v.shape());
        }
        let key = self.key();
        let name = self.names.fresh("v");
        self.known.insert(key, v.clone());
        let m = Matrix::name(key, &name, &name, v.shape());
        self.v = Some(m.clone());
        m
    }

    /// What each value and leaf receives.
    pub fn backwards(&mut self) -> Outcome<()> {
        let n = self.graph.steps.len();
        let mut arrived: HashMap<From, Vec<(Option<Matrix>, Tensor)>> = HashMap::new();
        let start = match self.asked.y.node() {
            Some(_) => From::Step(n.saturating_sub(1)),
            None => From::Leaf(0),
        };
        let seed = self.seed();
        arrived.insert(start, vec![(Some(seed), self.asked.v.clone())]);
        let last = self.last_uses();
        for k in (0..n).rev() {
            budget::tick()?;
            if let Some(parts) = arrived.remove(&From::Step(k)) {
                let is_output = k + 1 == n;
                self.pass(k, parts, is_output, &mut arrived)?;
            }
            for (leaf, at) in last.iter().enumerate() {
                if *at == Some(k) {
                    self.leaf(leaf, arrived.remove(&From::Leaf(leaf)).unwrap_or_default());
                }
            }
        }
        for (leaf, at) in last.iter().enumerate() {
            if at.is_none() {
                self.leaf(leaf, arrived.remove(&From::Leaf(leaf)).unwrap_or_default());
            }
        }
        Ok(())
    }

    /// The earliest step that each leaf enters: nothing comes to it after that.
    fn last_uses(&self) -> Vec<Option<usize>> {
        let mut first = vec![None; self.leaves.len()];
        for (k, node) in self.graph.steps.iter().enumerate().rev() {
            for edge in node.inputs() {
                if let Some(From::Leaf(leaf)) = self.graph.source(edge) {
                    first[leaf] = Some(k);
                }
            }
        }
        first
    }

    fn leaf(&mut self, k: usize, parts: Vec<(Option<Matrix>, Tensor)>) {
        let leaf = &self.asked.leaves[k];
        let right = total(&parts, leaf.variable.shape().as_slice());
        let words = self.written.get(&From::Leaf(k)).filter(|_| right.is_none()).cloned();
        self.lines.push(Line {
            left: Target::Leaf(k),
            right: right.filter(|_| !parts.is_empty()),
            words: words.unwrap_or_default(),
            value: leaf.swept.clone(),
            tolerance: self.asked.tolerance,
            adds: leaf.adds,
        });
    }

    /// One step: what it received goes on to its inputs.
    fn pass(
        &mut self,
        k: usize,
        parts: Vec<(Option<Matrix>, Tensor)>,
        is_output: bool,
        arrived: &mut HashMap<From, Vec<(Option<Matrix>, Tensor)>>,
    ) -> Outcome<()> {
        let node = self.graph.steps[k].clone();
        let cotangent = added(parts.iter().map(|(_, t)| t));
        let received = total(&parts, node.value().shape());
        let operation = node.operation();
        let own =
            operation.backward(&|| Some(Variable::constant(cotangent.clone()))).transpose()?;
        let tracked: Vec<usize> = (0..node.inputs().len())
            .filter(|i| self.graph.source(&node.inputs()[*i]).is_some())
            .collect();
        // A stand-in, so that it is seen how often the rules use what was received.
        let key = self.key();
        self.known.insert(key, cotangent.clone());
        let stand_in = Matrix::name(key, "", "", node.value().shape());
        let inputs = self.inputs(k);
        let pulled: Vec<Option<Matrix>> = tracked
            .iter()
            .map(|i| own.is_none().then(|| self.pulled(&node, k, *i, &inputs, &stand_in)))
            .collect();
        let mut used = 0;
        for p in pulled.iter().flatten() {
            p.each_name(&mut |name, _| used += usize::from(name.key == key));
        }
        let given = self.names.steps[k].is_some() && !is_output;
        let plain = |c: &Matrix| matches!(parted(c).node(), Part::Name(_) | Part::Number(_));
        let needs = match &received {
            None => true,
            Some(c) => {
                let heavy = !elementwise(c) || c.size() > SHORT;
                let many = !elementwise(c) && !chain(c) && c.size() > CROWDED;
                let said = many || used > 1 && heavy && !plain(c);
                c.size() > LONG || said && !self.asked.alone || own.is_some() && !plain(c)
            }
        };
        let c = match received {
            Some(c) if !(given || needs && !is_output) => c,
            received => {
                self.wanted[k] = true;
                self.cotangents[k] = Some(key);
                let words = self.written.get(&From::Step(k)).filter(|_| received.is_none());
                let words = words.cloned();
                self.lines.push(Line {
                    left: Target::Cotangent(k),
                    right: received,
                    words: words.unwrap_or_default(),
                    value: cotangent.clone(),
                    tolerance: self.asked.tolerance,
                    adds: false,
                });
                stand_in.clone()
            }
        };
        let with = HashMap::from([(key, c)]);
        for (i, p) in tracked.into_iter().zip(pulled) {
            let edge = &node.inputs()[i];
            let Some(to) = self.graph.source(edge) else { continue };
            let given = match &own {
                None => self.graph.local(k, i).pull(&cotangent),
                Some(written) => match written.get(i).and_then(Option::as_ref) {
                    Some(g) => g.value(),
                    None => continue,
                },
            };
            if own.is_some() {
                let says = format!("comes from the backward that {} wrote", operation.name());
                self.written.insert(to, says);
            }
            arrived.entry(to).or_default().push((p.map(|p| p.replaced(&with)), given));
        }
        Ok(())
    }

    /// What input `wrt` gets of a cotangent.
    fn pulled(&self, node: &Node, k: usize, wrt: usize, inputs: &[Matrix], c: &Matrix) -> Matrix {
        let values: Vec<&Tensor> = node.inputs().iter().map(|e| &e.value).collect();
        let at = Point {
            inputs: &inputs.iter().collect::<Vec<_>>(),
            output: &self.values[k],
            values: &values,
            value: node.value(),
        };
        let made = node.operation().linear_matrix(&at, wrt).pull(c);
        if let (0, Some(part), false) = (wrt, node.operation().written(), made == *c)
            && made.as_number().is_none()
        {
            let none = Matrix::number(0.0, &part.to);
            return Array::run(shared(node), &[c, &none], node.value().shape());
        }
        if let Some(masked) = self.masked(&made) {
            return masked;
        }
        let parts = inputs.iter().cloned().chain([c.clone(), made.clone()]).collect();
        if made.size() > MOST {
            return Matrix::pulled_by(shared(node), wrt, parts, made.dims());
        }
        // Of a pool, a sort or a convolution the operation says more.
        let op = node.operation();
        let chosen = op.written().is_some() || ["index", "masked_select"].contains(&op.name());
        if self.readable(&made, chosen) {
            return made;
        }
        Matrix::pulled_by(shared(node), wrt, parts, made.dims())
    }

    /// What is kept where a formula holds, as a product with it.
    fn masked(&self, made: &Matrix) -> Option<Matrix> {
        let (c, inner) = made.parted();
        let (Part::Gather(x, w) | Part::Scatter(x, w)) = inner.node() else { return None };
        let Picks::Mask(kept) = picks(w) else { return None };
        // ∞ times 0 is no 0.
        let finite = |t: Tensor| t.data().iter().all(|x| x.is_finite());
        x.evaluate(&self.known).is_some_and(finite).then_some(())?;
        self.masks.iter().find_map(|(mask, t)| {
            let holds = |turn: bool| {
                t.numel() == kept.len()
                    && t.data().iter().zip(&kept).all(|(m, k)| (*m == 1.0) == (*k != turn))
            };
            let factor = match (holds(false), holds(true)) {
                (true, _) => mask.clone(),
                (_, true) => Array::add(&Matrix::number(1.0, mask.dims()), &mask.multiple(-1.0)),
                _ => return None,
            };
            Some(Array::mul(&factor, x).scale(c))
        })
    }

    /// Whether all selections in it can be named; `chosen`: by their places, where these are few.
    fn readable(&self, m: &Matrix, chosen: bool) -> bool {
        let own = match m.node() {
            Part::Gather(_, w) | Part::Scatter(_, w) if picks(w) == Picks::Elements => {
                let few = w.index.len() <= FEW && !w.index.contains(&ElementMap::NONE);
                chosen && (few || mask_of(w, &self.lists).is_some())
            }
            _ => true,
        };
        own && m.node().parts().into_iter().all(|part| self.readable(part, chosen))
    }

    /// What y is called.
    pub fn output(&self) -> Option<String> {
        self.names.steps.last()?.as_ref().map(|called| called.text.clone())
    }

    /// Conditions that no name leads to, as lists of 0 and 1.
    pub fn conditions(&self) -> Vec<(String, Vec<usize>)> {
        let truth = |t: &Tensor| -> Option<Vec<usize>> {
            t.data().iter().map(|x| matches!(*x, 0.0 | 1.0).then_some(*x as usize)).collect()
        };
        let own = self.unnamed.iter().filter(|(_, given, ..)| !given);
        own.filter_map(|(name, _, t, _)| Some((name.clone(), truth(t)?))).collect()
    }

    /// All equations, with names for what needs one.
    pub fn finished(mut self) -> Found {
        let with = &mut HashMap::new();
        let n = self.graph.steps.len();
        let mut used: HashMap<usize, usize> = HashMap::new();
        let mut count = |m: &Matrix, weight: usize| {
            m.each_name(&mut |name, _| *used.entry(name.key).or_default() += weight);
        };
        self.lines.iter().filter_map(|l| l.right.as_ref()).for_each(|m| count(m, 2));
        self.forward.iter().for_each(|m| count(m, 1));
        let mut forward = Vec::new();
        let alias = self.renamed();
        let mut known = HashMap::new();
        for k in 0..n {
            let made = known.remove(&k).unwrap_or_else(|| self.forward[k].replaced(with));
            if let Some((j, called)) = alias.get(&k) {
                let (own, to) = (made.dims().to_vec(), self.graph.steps[*j].value().shape());
                let name = Matrix::name(*j, &called.text, &called.code, to);
                with.insert(k, name.reshaped(&own));
                known.insert(*j, made.reshaped(to));
                continue;
            }
            let often = used.get(&k).copied().unwrap_or(0);
            let named = self.names.steps[k].is_some();
            let short = made.size() <= LEAST || elementwise(&made) && made.size() <= SHORT;
            let said = often > 1 && !short && !self.asked.alone;
            if !named && (said || self.wanted[k] || made.size() > LONG) {
                self.names.steps[k] = Some(self.names.invented("a"));
            }
            match self.names.steps[k].clone() {
                None => drop(with.insert(k, made)),
                Some(called) => {
                    let shape = self.graph.steps[k].value().shape();
                    // A short y says more as what it is.
                    let own = self.asked.alone && k + 1 == n && made.size() <= LEAST + 1;
                    let name = Matrix::name(k, &called.text, &called.code, shape);
                    with.insert(k, if own { made.clone() } else { name });
                    forward.push(self.value(k, &called, made));
                }
            }
        }
        for k in 0..n {
            let (Some(key), Some(called)) = (self.cotangents[k], self.names.steps[k].clone())
            else {
                continue;
            };
            let cot = self.names.cotangent(&called);
            let shape = self.graph.steps[k].value().shape();
            with.insert(key, Matrix::name(key, &cot.text, &cot.code, shape));
            self.codes[k] = cot.code;
        }
        let mut lines = std::mem::take(&mut self.lines);
        // Leaves that are reached together, in their order.
        let leaf = |l: &Line| match l.left {
            Target::Leaf(k) => Some(k),
            Target::Cotangent(_) => None,
        };
        for run in lines.chunk_by_mut(|a, b| leaf(a).is_some() && leaf(b).is_some()) {
            run.sort_by_key(leaf);
        }
        let backward: Vec<Equation> = lines.into_iter().map(|line| self.line(line, with)).collect();
        let mut stands: HashSet<usize> = HashSet::new();
        for e in forward.iter().chain(&backward) {
            let all = e.right.iter();
            all.for_each(|m| m.each_name(&mut |name, _| stands.extend([name.key])));
        }
        let stands_in =
            |m: &Matrix| matches!(m.node(), Part::Name(name) if stands.contains(&name.key));
        let constants = self.unnamed.iter().filter(|(_, given, _, m)| !given && stands_in(m));
        let constants = constants
            .map(|(name, _, t, _)| {
                let text = self.texts.get(name).cloned().unwrap_or_default();
                (name.clone(), text, t.clone())
            })
            .collect();
        let named = |symbol: &str| {
            self.unnamed.iter().any(|(name, _, _, m)| name == symbol && stands_in(m))
        };
        let held = self.held.clone().into_iter().filter(|(name, _)| named(name)).collect();
        let new = |(k, m): (usize, &Matrix)| {
            let called = Some(&self.names.leaves[k]).filter(|called| called.new && stands_in(m))?;
            Some((called.code.clone(), self.known.get(&(n + k))?.clone()))
        };
        let numbers = self.leaves.iter().enumerate().filter_map(new).collect();
        let earlier = std::mem::take(&mut self.names.earlier);
        let v = self.weights().map(|name| (name.to_owned(), self.asked.v.clone()));
        let mut known = std::mem::take(&mut self.known);
        known.retain(|key, _| stands.contains(key));
        Found { forward, backward, constants, held, earlier, numbers, v, known }
    }

    /// What the first cotangent is called.
    fn weights(&self) -> Option<&str> {
        match self.v.as_ref()?.node() {
            Part::Name(name) => Some(&name.text),
            _ => None,
        }
    }

    /// Steps without a name that a step with a name only reshapes: they are called as that.
    fn renamed(&self) -> HashMap<usize, (usize, Called)> {
        let mut all = HashMap::new();
        for (j, called) in self.names.steps.iter().enumerate() {
            if let (Some(called), Part::Reshape(x)) = (called, self.forward[j].node())
                && let Part::Name(name) = x.node()
                && self.names.steps.get(name.key).is_some_and(Option::is_none)
                && !self.wanted[name.key]
                && x.dims()
                    .iter()
                    .filter(|d| **d != 1)
                    .eq(self.forward[j].dims().iter().filter(|d| **d != 1))
            {
                all.entry(name.key).or_insert_with(|| (j, called.clone()));
            }
        }
        all
    }

    fn value(&self, k: usize, called: &Called, made: Matrix) -> Equation {
        let value = self.graph.steps[k].value();
        Equation {
            left: Left::Value(called.text.clone()),
            code: if called.new { called.code.clone() } else { String::new() },
            agrees: self.agrees(&made, value, self.asked.tolerance),
            right: Some(made),
            words: String::new(),
            value: value.clone(),
            adds: false,
        }
    }

    fn line(&self, line: Line, with: &HashMap<usize, Matrix>) -> Equation {
        let mut right = line.right.map(|m| m.replaced(with));
        let mut words = line.words;
        // y x⁻ᵀ of a singular x.
        let finite = |t: &Tensor| t.data().iter().all(|x| x.is_finite());
        let valued = |m: &Matrix| m.evaluate(&self.known).is_some_and(|t| finite(&t));
        if finite(&line.value) && right.as_ref().is_some_and(|m| !valued(m)) {
            right = None;
            words = "its formula has no value here; the sweep has one".to_owned();
        }
        let left = match line.left {
            Target::Leaf(k) => match self.asked.leaves[k].left.clone() {
                Left::Gradient(_) => Left::Gradient(self.names.leaves[k].text.clone()),
                Left::Derivative { output, .. } => Left::Derivative {
                    output: self.output().unwrap_or(output),
                    leaf: self.names.leaves[k].text.clone(),
                    weights: self.weights().map(str::to_owned),
                },
                left => left,
            },
            Target::Cotangent(k) => Left::Cotangent(
                self.names.steps[k].as_ref().map_or(String::new(), |c| c.text.clone()),
            ),
        };
        let agrees = right.as_ref().is_some_and(|m| self.agrees(m, &line.value, line.tolerance));
        let code = match line.left {
            Target::Leaf(_) => String::new(),
            Target::Cotangent(k) => self.codes[k].clone(),
        };
        Equation { left, code, right, words, value: line.value, agrees, adds: line.adds }
    }

    /// Whether a formula, evaluated, is what the sweep gave.
    fn agrees(&self, m: &Matrix, swept: &Tensor, tolerance: f64) -> bool {
        let Some(found) = m.evaluate(&self.known).filter(|t| t.shape() == swept.shape()) else {
            return false;
        };
        let largest = swept.data().iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let scale: Vec<f64> = found.data().iter().map(|x| x.abs().max(largest)).collect();
        agreement::compare(swept.data(), found.data(), &scale, tolerance).agrees()
    }
}

fn shared(node: &Node) -> std::rc::Rc<dyn vjp_maths::Operation> {
    node.shared_operation()
}

fn added<'t>(mut parts: impl Iterator<Item = &'t Tensor>) -> Tensor {
    let first = parts.next().cloned().unwrap_or_else(|| Tensor::scalar(0.0));
    parts.fold(first, |sum, part| sum.add(part))
}

/// The sum of what arrived; None where a part has no formula.
fn total(parts: &[(Option<Matrix>, Tensor)], shape: &[usize]) -> Option<Matrix> {
    let all = parts.iter().map(|(m, _)| m.clone().map(|m| (1.0, m)));
    let all: Vec<(f64, Matrix)> = all.collect::<Option<_>>()?;
    Some(match all.is_empty() {
        true => Matrix::number(0.0, shape),
        false => Matrix::sum(all).fit(shape),
    })
}
