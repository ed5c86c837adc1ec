//! What `enumerate`, `zip`, `map` and `filter` give.

use num_bigint::BigInt;
use vjp_eval::values::value::Iteration;
use vjp_eval::{Machine, Site, Tried, Value};
use vjp_tensor::Kind;

type Next = Tried<Option<Value>>;

/// [`Iteration::copied`] of each.
fn all_copied(of: &[Box<dyn Iteration>], reached: &mut Vec<Value>) -> Vec<Box<dyn Iteration>> {
    of.iter().map(|i| i.copied(reached)).collect()
}

pub struct Enumerate {
    pub of: Box<dyn Iteration>,
    pub next: BigInt,
}

impl Iteration for Enumerate {
    fn next(&mut self, m: &mut Machine) -> Next {
        let Some(v) = self.of.next(m)? else {
            return Ok(None);
        };
        let place = self.next.clone();
        self.next += 1;
        Ok(Some(Value::tuple(vec![place.into(), v])))
    }
    fn copied(&self, reached: &mut Vec<Value>) -> Box<dyn Iteration> {
        let (of, next) = (self.of.copied(reached), self.next.clone());
        Box::new(Enumerate { of, next })
    }
    fn type_name(&self) -> &'static str {
        "enumerate"
    }
}

pub struct Zip {
    pub of: Vec<Box<dyn Iteration>>,
    pub strict: bool,
}

impl Iteration for Zip {
    fn next(&mut self, m: &mut Machine) -> Next {
        let mut row = Vec::with_capacity(self.of.len());
        for i in 0..self.of.len() {
            match self.of[i].next(m)? {
                Some(v) => row.push(v),
                None if self.strict => return self.ended(m, i),
                None => return Ok(None),
            }
        }
        Ok((!row.is_empty()).then(|| Value::tuple(row)))
    }
    fn copied(&self, reached: &mut Vec<Value>) -> Box<dyn Iteration> {
        let (of, strict) = (all_copied(&self.of, reached), self.strict);
        Box::new(Zip { of, strict })
    }
    fn type_name(&self) -> &'static str {
        "zip"
    }
}

impl Zip {
    /// Sequence `i` ended: under `strict` all must end together.
    fn ended(&mut self, m: &mut Machine, i: usize) -> Next {
        let before = |n: usize| match n {
            1 => "argument 1".to_owned(),
            n => format!("arguments 1-{n}"),
        };
        if i > 0 {
            vjp_eval::raise!(Kind::Value, "zip() argument {} is shorter than {}", i + 1, before(i));
        }
        for k in 1..self.of.len() {
            if self.of[k].next(m)?.is_some() {
                vjp_eval::raise!(
                    Kind::Value,
                    "zip() argument {} is longer than {}",
                    k + 1,
                    before(k)
                );
            }
        }
        Ok(None)
    }
}

pub struct Map {
    pub function: Value,
    pub of: Vec<Box<dyn Iteration>>,
    pub site: Site,
}

impl Iteration for Map {
    fn next(&mut self, m: &mut Machine) -> Next {
        let mut row = Vec::with_capacity(self.of.len());
        for i in &mut self.of {
            match i.next(m)? {
                Some(v) => row.push(v),
                None => return Ok(None),
            }
        }
        m.call_with(&self.function, row, &self.site).map(Some)
    }
    fn copied(&self, reached: &mut Vec<Value>) -> Box<dyn Iteration> {
        reached.push(self.function.clone());
        Box::new(Map {
            function: self.function.clone(),
            of: all_copied(&self.of, reached),
            site: self.site.clone(),
        })
    }
    fn type_name(&self) -> &'static str {
        "map"
    }
}

pub struct Filter {
    pub function: Value,
    pub of: Box<dyn Iteration>,
    pub site: Site,
}

impl Iteration for Filter {
    fn next(&mut self, m: &mut Machine) -> Next {
        while let Some(v) = self.of.next(m)? {
            let keep = match &self.function {
                Value::None => v.clone(),
                f => m.call_with(f, vec![v.clone()], &self.site)?,
            };
            if m.truth(&keep)? {
                return Ok(Some(v));
            }
        }
        Ok(None)
    }
    fn copied(&self, reached: &mut Vec<Value>) -> Box<dyn Iteration> {
        reached.push(self.function.clone());
        Box::new(Filter {
            function: self.function.clone(),
            of: self.of.copied(reached),
            site: self.site.clone(),
        })
    }
    fn type_name(&self) -> &'static str {
        "filter"
    }
}

/// `iter(function, end)`: what the function gives until it gives `end`.
pub struct Until {
    pub function: Value,
    pub end: Value,
    pub site: Site,
}

impl Iteration for Until {
    fn next(&mut self, m: &mut Machine) -> Next {
        let v = m.call_with(&self.function, Vec::new(), &self.site)?;
        let ended = m.equal(&v, &self.end, 0)?;
        Ok((!ended).then_some(v))
    }
    fn copied(&self, reached: &mut Vec<Value>) -> Box<dyn Iteration> {
        reached.extend([self.function.clone(), self.end.clone()]);
        Box::new(Until {
            function: self.function.clone(),
            end: self.end.clone(),
            site: self.site.clone(),
        })
    }
    fn type_name(&self) -> &'static str {
        "callable_iterator"
    }
}
