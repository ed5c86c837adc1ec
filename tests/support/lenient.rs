//! Short programs in the lenient habit, at random: lists and their parts, comprehensions, functions, loops,
//! names bound again, leaves of both kinds. Each number of a leaf can be moved in the text.

use super::random::Random;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Number,
    Vector(usize),
    Matrix(usize, usize),
}

use Kind::{Matrix, Number, Vector};

/// A leaf by its name, and its numbers as they stand in the text.
pub struct Leaf {
    pub name: String,
    pub explicit: bool,
    pub numbers: Vec<String>,
    shape: Kind,
}

pub struct Program {
    pub leaves: Vec<Leaf>,
    body: String,
}

impl Program {
    /// The text with a leaf's number moved by `by(leaf, element)`.
    pub fn text(&self, by: &dyn Fn(usize, usize) -> f64) -> String {
        let mut text = String::new();
        for (k, leaf) in self.leaves.iter().enumerate() {
            let number = |j: usize| match by(k, j) {
                0.0 => leaf.numbers[j].clone(),
                h => format!("{:?}", leaf.numbers[j].parse::<f64>().unwrap_or(0.0) + h),
            };
            let value = match leaf.shape {
                Number => number(0),
                Vector(n) => row(&number, 0, n),
                Matrix(n, m) => {
                    let rows: Vec<String> = (0..n).map(|i| row(&number, i * m, m)).collect();
                    format!("[{}]", rows.join(", "))
                }
            };
            text += &match leaf.explicit {
                true => {
                    format!(
                        "{} = torch.tensor({value}, dtype=torch.float64, requires_grad=True)\n",
                        leaf.name
                    )
                }
                false => format!("{} = {value}\n", leaf.name),
            };
        }
        text + &self.body
    }
}

fn row(number: &dyn Fn(usize) -> String, from: usize, n: usize) -> String {
    let all: Vec<String> = (from..from + n).map(number).collect();
    format!("[{}]", all.join(", "))
}

struct Maker<'a> {
    random: &'a mut Random,
    names: Vec<(String, Kind)>,
    /// Those that are lists, which have negative steps.
    lists: Vec<String>,
    functions: Vec<String>,
    body: String,
    made: usize,
}

/// A program that ends with a backward of `y`.
pub fn program(random: &mut Random) -> Program {
    let mut leaves = Vec::new();
    let explicit = random.below(5) == 0;
    for k in 0..1 + random.below(3) {
        let shape = match random.below(5) {
            0 => Number,
            1 | 2 => Vector(2 + random.below(2)),
            _ => Matrix(2, 2 + random.below(2)),
        };
        let size = match shape {
            Number => 1,
            Vector(n) => n,
            Matrix(n, m) => n * m,
        };
        let numbers = (0..size).map(|_| literal(random)).collect();
        let name = ["x", "w", "b"][k].to_string();
        leaves.push(Leaf { name, explicit: explicit && random.below(2) == 0, numbers, shape });
    }
    let mut maker = Maker {
        names: leaves.iter().map(|l| (l.name.clone(), l.shape)).collect(),
        lists: leaves.iter().filter(|l| !l.explicit).map(|l| l.name.clone()).collect(),
        random,
        functions: Vec::new(),
        body: String::new(),
        made: 0,
    };
    for _ in 0..maker.random.below(5) {
        maker.statement();
    }
    let kind = match maker.random.below(4) {
        0 => Number,
        1 => Matrix(2, 2),
        _ => Vector(2 + maker.random.below(2)),
    };
    let y = maker.of(kind, 3);
    let weights = ["1", "10", "0.5", "-2"];
    let v = match kind {
        Number => String::new(),
        Vector(n) => format!("[{}]", weights[..n].join(", ")),
        Matrix(..) => "[[1, 10], [0.5, -2]]".to_string(),
    };
    // Some part of each leaf takes part.
    maker.body += &format!("y = {y}\ny.backward({v})\ny\n");
    Program { body: maker.body, leaves }
}

fn literal(random: &mut Random) -> String {
    match random.below(3) {
        0 => format!("{}", 1 + random.below(7)),
        1 => format!("-{}.{}", random.below(2), 1 + random.below(99)),
        _ => format!("{}.{}", random.below(3), 1 + random.below(99)),
    }
}

impl Maker<'_> {
    fn pick(&mut self, texts: &[String]) -> String {
        texts[self.random.below(texts.len())].clone()
    }

    fn named(&mut self, fits: impl Fn(Kind) -> bool) -> Option<(String, Kind)> {
        let fit: Vec<&(String, Kind)> = self.names.iter().filter(|(_, k)| fits(*k)).collect();
        match fit.len() {
            0 => None,
            n => Some(fit[self.random.below(n)].clone()),
        }
    }

    fn of(&mut self, kind: Kind, depth: usize) -> String {
        match kind {
            Number => self.number(depth),
            Vector(n) => self.vector(n, depth),
            Matrix(n, m) => self.matrix(n, m, depth),
        }
    }

    fn number(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(6) == 0 {
            return self.simple_number();
        }
        let d = depth - 1;
        match self.random.below(16) {
            0 => format!("({} + {})", self.number(d), self.number(d)),
            1 => format!("({} - {})", self.number(d), self.number(d)),
            2 | 3 => format!("({}*{})", self.factor(d), self.factor(d)),
            4 => format!("({}/(2 + {}^2))", self.factor(d), self.factor(d)),
            5 => {
                let f = self.function();
                format!("{f}({})", self.number(d))
            }
            6 if !self.functions.is_empty() => {
                let f = self.pick(&self.functions.clone());
                format!("{f}({}, {})", self.number(d), self.number(d))
            }
            7 => {
                let n = 2 + self.random.below(2);
                let v = self.vector(n, d);
                let f = self.pick(&["sum", "mean", "prod", "max", "min", "norm"].map(String::from));
                format!("{f}({v})")
            }
            8 => {
                let n = 2 + self.random.below(2);
                let v = self.list(n, d);
                let a = self.number(0);
                format!("sum([a*{a} + a^2 for a in {v}])")
            }
            9 => {
                let (v, w) = (self.vector(2, d), self.vector(2, d));
                format!("({v} @ {w})")
            }
            10 => {
                let (a, b) = (self.number(d), self.number(d));
                let (c, e) = (self.number(0), self.number(0));
                format!("({a} if {c} > {e} else {b})")
            }
            11 => {
                let v = self.list(3, d);
                format!("{v}[{}]", self.random.below(3))
            }
            12 => {
                let m = self.matrix(2, 2, d);
                let f = self.pick(&["sum", "mean", "trace", "torch.sum", "max"].map(String::from));
                format!("{f}({m})")
            }
            13 => {
                let (v, w) = (self.list(2, d), self.list(2, d));
                format!("sum(a*b for a, b in zip({v}, {w}))")
            }
            14 => {
                let v = self.list(2, d);
                format!("sum(list(map(lambda a: a*a - 1, {v})))")
            }
            _ => {
                let (v, w) = (self.list(2, d), self.list(2, d));
                format!("sum([(i + 1)*a*{w}[i] for i, a in enumerate({v})])")
            }
        }
    }

    fn factor(&mut self, depth: usize) -> String {
        format!("({})", self.number(depth))
    }

    fn function(&mut self) -> String {
        self.pick(&["sin", "tanh", "sigmoid", "cos", "atan", "softplus", "abs"].map(String::from))
    }

    fn simple_number(&mut self) -> String {
        let Some((name, kind)) = self.named(|_| true) else {
            return "2".into();
        };
        let at = |random: &mut Random, n: usize| match random.below(4) {
            0 => format!("-{}", 1 + random.below(n)),
            _ => random.below(n).to_string(),
        };
        match kind {
            Number => name,
            Vector(n) => format!("{name}[{}]", at(self.random, n)),
            Matrix(n, m) => {
                let (i, j) = (at(self.random, n), at(self.random, m));
                match self.random.below(2) {
                    0 => format!("{name}[{i}][{j}]"),
                    _ => format!("{name}[{i}, {j}]"),
                }
            }
        }
    }

    /// What Python goes through: a display, a name, a part.
    fn list(&mut self, n: usize, depth: usize) -> String {
        match self.random.below(4) {
            0 => self.display(n, depth.min(1)),
            _ => self.part(n).unwrap_or_else(|| self.display(n, depth.min(1))),
        }
    }

    fn display(&mut self, n: usize, depth: usize) -> String {
        let all: Vec<String> = (0..n).map(|_| self.number(depth)).collect();
        format!("[{}]", all.join(", "))
    }

    /// A vector that is a name or a part of one.
    fn part(&mut self, n: usize) -> Option<String> {
        let fits = |k| match k {
            Number => false,
            Vector(m) => m >= n,
            Matrix(_, m) => m >= n,
        };
        let (name, kind) = self.named(fits)?;
        let (base, length) = match kind {
            Matrix(r, m) => (format!("{name}[{}]", self.random.below(r)), m),
            Vector(m) => (name, m),
            Number => return None,
        };
        let reverse = self.random.below(4) == 0;
        let is_list = self.lists.iter().any(|l| base.split('[').next() == Some(l));
        Some(match (length == n, reverse) {
            (true, false) => base,
            (true, true) if is_list => format!("{base}[::-1]"),
            (true, true) => format!("flip({base}, [0])"),
            (false, true) => format!("{base}[-{n}:]"),
            (false, false) => format!("{base}[:{n}]"),
        })
    }

    fn vector(&mut self, n: usize, depth: usize) -> String {
        if depth == 0 {
            return self.part(n).unwrap_or_else(|| self.display(n, 0));
        }
        let d = depth - 1;
        match self.random.below(14) {
            0 | 1 => self.part(n).unwrap_or_else(|| self.display(n, d)),
            2 => self.display(n, d),
            3 => format!("({} + {})", self.vector(n, d), self.vector(n, d)),
            4 => format!("({} - {})", self.vector(n, d), self.vector(n, d)),
            5 => format!("({}*{})", self.factor(d), self.vector(n, d)),
            6 => format!("(({})*({}))", self.vector(n, d), self.vector(n, d)),
            7 => format!("(({})^2)", self.vector(n, d)),
            8 => {
                let f = self.function();
                format!("{f}({})", self.vector(n, d))
            }
            9 => format!("({} @ {})", self.matrix(n, 2, d), self.vector(2, d)),
            10 => {
                let v = self.list(n, d);
                let e = self.number(0);
                format!("stack([a*{e} for a in {v}])")
            }
            11 => {
                let (v, w) = (self.list(n, d), self.list(n, d));
                format!("stack([a*b + 1 for a, b in zip({v}, {w})])")
            }
            12 => format!("sorted({})", self.vector(n, d)),
            _ => {
                let m = self.matrix(2, n, d);
                let i = self.random.below(2);
                match self.random.below(3) {
                    0 => format!("({m})[{i}]"),
                    1 => format!("sum({m}, dim=0)"),
                    _ => format!("({m}).sum(0)"),
                }
            }
        }
    }

    fn matrix(&mut self, n: usize, m: usize, depth: usize) -> String {
        let known = self.named(|k| k == Matrix(n, m));
        if let Some((name, _)) = known
            && (depth == 0 || self.random.below(3) == 0)
        {
            return match self.random.below(4) {
                0 if self.lists.contains(&name) => format!("{name}[::-1]"),
                1 => format!("{name}[:]"),
                _ => name,
            };
        }
        let rows = |maker: &mut Self, d: usize| {
            let rows: Vec<String> = (0..n).map(|_| maker.vector(m, d)).collect();
            format!("[{}]", rows.join(", "))
        };
        if depth == 0 {
            return format!("stack({})", rows(self, 0));
        }
        let d = depth - 1;
        match self.random.below(7) {
            0 => format!("stack({})", rows(self, d)),
            1 => {
                let rows: Vec<String> = (0..n).map(|_| self.display(m, d.min(1))).collect();
                format!("[{}]", rows.join(", "))
            }
            2 => format!("({} + {})", self.matrix(n, m, d), self.matrix(n, m, d)),
            3 => format!("({})*({})", self.matrix(n, m, d), self.matrix(n, m, d)),
            4 => format!("({}*({}))", self.factor(d), self.matrix(n, m, d)),
            5 => format!("outer({}, {})", self.vector(n, d), self.vector(m, d)),
            _ => format!("({}).T", self.matrix(m, n, d)),
        }
    }

    fn fresh(&mut self) -> String {
        self.made += 1;
        format!("t{}", self.made)
    }

    fn statement(&mut self) {
        let d = 2;
        match self.random.below(12) {
            0 | 1 => {
                let kind = self.kind();
                let name = self.fresh();
                let value = self.of(kind, d);
                self.body += &format!("{name} = {value}\n");
                self.names.push((name, kind));
            }
            // A name bound again.
            2 => {
                if let Some((name, kind)) = self.named(|_| true) {
                    let value = self.of(kind, d);
                    let base = value.strip_suffix("[::-1]").or(value.strip_suffix("[:]"));
                    if base != Some(&name) {
                        self.lists.retain(|l| *l != name);
                    }
                    self.body += &format!("{name} = {value}\n");
                }
            }
            3 => {
                if let Some((name, kind)) = self.named(|k| k != Matrix(2, 3)) {
                    let value = self.of(kind, 1);
                    self.lists.retain(|l| *l != name);
                    self.body += &format!("{name} = {name} + {value}\n");
                }
            }
            4 => {
                let f = format!("f{}", self.functions.len());
                let e = self.number(0);
                let text = match self.random.below(3) {
                    0 => format!("{f}(a, b) = a*b + {e}*a\n"),
                    1 => format!(
                        "def {f}(a, b):\n    c = [a, b, a*b]\n    return c[0]*c[2] + c[1]\n"
                    ),
                    _ => format!("{f} = lambda a, b: a^2 - {e}*b\n"),
                };
                self.body += &text;
                self.functions.push(f);
            }
            5 => {
                let (name, v, e) = (self.fresh(), self.list(2, 1), self.number(0));
                self.body += &format!("{name} = 0\nfor a in {v}:\n    {name} = {name} + a*{e}\n");
                self.names.push((name, Number));
            }
            6 => {
                let (name, v) = (self.fresh(), self.list(3, 1));
                self.body +=
                    &format!("{name} = 1\nfor i in range(3):\n    {name} *= 1 + {v}[i]^2/4\n");
                self.names.push((name, Number));
            }
            7 => {
                let (name, v, l) = (self.fresh(), self.list(2, 1), self.fresh());
                self.body +=
                    &format!("{l} = []\nfor a in {v}:\n    {l}.append(a*a)\n{name} = stack({l})\n");
                self.names.push((name, Vector(2)));
            }
            8 => {
                let (a, b) = (self.fresh(), self.fresh());
                let v = self.list(2, 1);
                self.body += &format!("{a}, {b} = {v}\n");
                self.names.extend([(a, Number), (b, Number)]);
            }
            9 => {
                let name = self.fresh();
                let (v, e) = (self.display(3, 1), self.number(1));
                let i = self.random.below(3);
                self.body += &format!("{name} = {v}\n{name}[{i}] = {e}\n");
                self.names.push((name, Vector(3)));
            }
            10 => {
                let (name, e, c) = (self.fresh(), self.number(1), self.number(0));
                let other = self.number(1);
                self.body += &format!(
                    "if {c} > 0.505:\n    {name} = {e}\nelse:\n    {name} = {other} + 1\n"
                );
                self.names.push((name, Number));
            }
            _ => {
                let (name, v, e) = (self.fresh(), self.part(2), self.number(0));
                let v = v.unwrap_or_else(|| self.display(2, 1));
                self.body += &format!(
                    "def g():\n    u = {v}\n    total = u[0]\n    for p in u:\n        total = total + p*{e}\n    return total\n{name} = g()\n"
                );
                self.names.push((name, Number));
            }
        }
    }

    fn kind(&mut self) -> Kind {
        match self.random.below(4) {
            0 => Number,
            1 => Matrix(2, 2),
            _ => Vector(2 + self.random.below(2)),
        }
    }
}
