//! Cases, made from the catalogue: each entry's example at points without ties, with its options, in
//! other shapes, under every pattern of broadcasting, and at points where something special happens.

use super::call::{Call, Home, Param, home};
use super::run;
use super::values::{Data, Kind};
use std::sync::OnceLock;
use vjp::eval::language::machine::{Machine, Options};
use vjp::ops::{Entry, Forms};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Point {
    /// Differentiable there, as far as it is at all.
    Smooth,
    /// At or beside kinks, infinities, NaN; nothing at all.
    Special,
}

#[derive(Clone, Debug)]
pub struct Case {
    pub entry: &'static Entry,
    pub point: Point,
    pub program: String,
}

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// Shapes of two or three operands, which may or may not fit.
const PATTERNS: [&[&[usize]]; 8] = [
    &[&[3], &[3], &[3]],
    &[&[2, 1], &[3], &[1]],
    &[&[3], &[2, 1], &[2, 3]],
    &[&[], &[2], &[]],
    &[&[2], &[], &[2]],
    &[&[2, 3], &[1], &[3]],
    &[&[], &[], &[]],
    &[&[2, 2], &[2], &[2, 1]],
];

/// Numbers of whom every pair is tried.
const PAIRED: [f64; 6] = [0.0, -0.0, 1.5, INF, -INF, NAN];

/// Numbers for one operand.
const SINGLE: [f64; 12] = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 3.0, -3.0, INF, -INF, NAN];

fn probe() -> Machine {
    vjp::tutor::machine(Options::default())
}

/// Which integers of an example stand for numbers, and which for positions: an operation takes the
/// first as floats.
fn floated(mut call: Call, home: Home, machine: &mut Machine) -> Call {
    for k in 0..call.data.len() {
        if call.data[k].kind == Kind::Int {
            let mut tried = call.clone();
            tried.data[k].kind = Kind::Float;
            if run::run(machine, &tried.program(home), None).is_ok() {
                call = tried;
            }
        }
    }
    call
}

struct Maker<'a> {
    home: Home,
    strict: &'a mut Machine,
    cases: Vec<Case>,
}

impl Maker<'_> {
    fn add(&mut self, call: &Call, point: Point) {
        self.say(call.entry, call.program(self.home), point);
    }

    fn say(&mut self, entry: &'static Entry, program: String, point: Point) {
        if self.cases.iter().all(|c| c.program != program) {
            self.cases.push(Case { entry, point, program });
        }
    }

    fn runs(&mut self, call: &Call) -> bool {
        run::run(self.strict, &call.program(self.home), None).is_ok()
    }

    fn all(&mut self, exact: &Call) {
        let base = generic(exact);
        self.add(&base, Point::Smooth);
        self.add(exact, Point::Special);
        self.options(&base);
        let floats = base.floats();
        if let [one] = floats.as_slice()
            && base.data[*one].shape.len() == 1
        {
            let mut data = exact.data.clone();
            data[*one] = data[*one].shaped(&[2, 3]);
            let wide = generic(&exact.with_data(data));
            if self.runs(&wide) {
                self.add(&wide, Point::Smooth);
                self.options(&wide);
                self.dims(&wide);
            }
        }
        if floats.len() > 1 {
            self.patterns(exact, &floats);
        }
        self.special(&base, &floats);
        if let Some(other) = exact.numbers_as_tensors() {
            self.all(&other);
        }
        if exact.entry.forms.has(Forms::INPLACE) && self.home != Home::InPlace {
            let program = base.program(Home::InPlace);
            self.say(base.entry, program, Point::Smooth);
        }
    }

    /// The same dimension said otherwise.
    fn dims(&mut self, call: &Call) {
        for k in 0..call.pieces.len() {
            let (place, piece) = &call.pieces[k];
            if call.params[*place].name != "dim" || !matches!(piece, super::call::Piece::Text(_)) {
                continue;
            }
            for dim in ["1", "-2"] {
                let mut other = call.clone();
                other.pieces[k].1 = super::call::Piece::Text(dim.to_owned());
                self.add(&other, Point::Smooth);
            }
        }
    }

    /// Each parameter that the example leaves out.
    fn options(&mut self, call: &Call) {
        let open: Vec<Param> =
            call.params.iter().filter(|p| !call.gives(&p.name)).cloned().collect();
        let keep = open.iter().find(|p| p.name == "keepdim");
        for param in &open {
            for value in other_values(call.entry, param) {
                let with = call.with(param, &value);
                self.add(&with, Point::Smooth);
                if let (Some(keep), "dim") = (keep, param.name.as_str()) {
                    self.add(&with.with(keep, "True"), Point::Smooth);
                }
            }
        }
    }

    fn patterns(&mut self, exact: &Call, floats: &[usize]) {
        for shapes in PATTERNS {
            let mut data = exact.data.clone();
            for (k, at) in floats.iter().enumerate() {
                data[*at] = data[*at].shaped(shapes[k % 3]);
            }
            self.add(&generic(&exact.with_data(data)), Point::Smooth);
        }
    }

    fn special(&mut self, base: &Call, floats: &[usize]) {
        if let [one] = floats {
            let mut data = base.data.clone();
            data[*one] = data[*one].shaped(&[SINGLE.len()]).filled(&SINGLE);
            let wide = base.with_data(data);
            if self.runs(&wide) {
                self.add(&wide, Point::Special);
            }
        }
        if let [one, two] = floats {
            let n = PAIRED.len();
            let grid = |f: &dyn Fn(usize) -> usize| -> Vec<f64> {
                (0..n * n).map(|k| PAIRED[f(k)]).collect()
            };
            let mut data = base.data.clone();
            data[*one] = data[*one].shaped(&[n * n]).filled(&grid(&|k| k / n));
            data[*two] = data[*two].shaped(&[n * n]).filled(&grid(&|k| k % n));
            let pairs = base.with_data(data);
            let elementwise = |r: run::Ran| r.outputs.iter().all(|y| y.shape() == [n * n]);
            if run::run(self.strict, &pairs.program(self.home), None).is_ok_and(elementwise) {
                self.add(&pairs, Point::Special);
            }
        }
        for at in floats {
            for pattern in [&[0.0][..], &[-0.0, 0.0], &[INF], &[-INF], &[NAN]] {
                let mut data = base.data.clone();
                if let Some(changed) = data[*at].beginning(pattern) {
                    data[*at] = changed;
                    self.add(&base.with_data(data), Point::Special);
                }
            }
        }
        let everywhere = |f: &dyn Fn(&Data) -> Data| {
            let change = |d: &Data| {
                if d.kind == Kind::Float { f(d) } else { d.clone() }
            };
            base.with_data(base.data.iter().map(change).collect())
        };
        if floats.is_empty() {
            return;
        }
        // Ties, nothing at all, 0-d.
        self.add(&everywhere(&|d| d.filled(&[1.0])), Point::Special);
        self.add(&everywhere(&|d| d.filled(&[0.0])), Point::Special);
        self.add(&everywhere(&|d| d.shaped(&[])), Point::Special);
        let empty = |d: &Data| match d.shape.split_first() {
            Some((_, rest)) => d.shaped(&[&[0], rest].concat()),
            None => d.shaped(&[0]),
        };
        self.add(&everywhere(&empty), Point::Special);
    }
}

/// The arrays moved to where nothing special happens.
fn generic(call: &Call) -> Call {
    let moved = call.data.iter().enumerate().map(|(k, d)| d.generic(k));
    call.with_data(moved.collect())
}

/// What else a parameter may be, in Python.
fn other_values(entry: &Entry, param: &Param) -> Vec<String> {
    let default = param.default.as_deref().unwrap_or("");
    let texts = |all: &[&str]| all.iter().map(|t| (*t).to_owned()).collect();
    match (param.kind.as_str(), param.name.as_str()) {
        // Chance has no number to compare with.
        _ if entry.name.contains("dropout") => Vec::new(),
        ("bool", "training") if entry.name == "rrelu" => Vec::new(),
        (_, "inplace" | "return_indices" | "dropout_p" | "enable_gqa" | "momentum") => Vec::new(),
        (_, "dim") => texts(&["0", "-1"]),
        (_, "reduction") => texts(&["'none'", "'sum'", "'mean'"]),
        (_, "correction") => texts(&["0", "2"]),
        (_, "diagonal" | "offset") => texts(&["1", "-1"]),
        ("bool", _) if default == "True" => texts(&["False"]),
        ("bool", _) => texts(&["True"]),
        ("float" | "Scalar", _) => match default.parse::<f64>() {
            Ok(x) => vec![format!("{:?}", x * 0.5 + 0.3)],
            Err(_) => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The cases of one entry.
pub fn of(entry: &'static Entry, strict: &mut Machine, loose: &mut Machine) -> Vec<Case> {
    let Some(home) = home(entry) else {
        return Vec::new();
    };
    let mut maker = Maker { home, strict, cases: Vec::new() };
    for sample in entry.samples {
        maker.say(entry, (*sample).to_owned(), Point::Smooth);
    }
    if let Some(call) = Call::read(entry, loose) {
        let call = floated(call, home, maker.strict);
        maker.all(&call);
        if !entry.samples.is_empty() {
            // The example's own surroundings are not where its derivative holds.
            for case in maker.cases.iter_mut().skip(entry.samples.len()) {
                case.point = Point::Special;
            }
        }
    }
    maker.cases
}

/// All cases of all operations, made once.
pub fn all() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(|| {
        let (mut strict, mut loose) = (run::machine(), probe());
        vjp::catalogue::catalogue().flat_map(|entry| of(entry, &mut strict, &mut loose)).collect()
    })
}

#[test]
fn every_example_can_be_read() {
    super::run::deep(|| {
        let mut loose = probe();
        let bad: Vec<&str> = vjp::catalogue::catalogue()
            .filter(|e| Call::read(e, &mut loose).is_none())
            .map(|e| e.name)
            .collect();
        assert!(bad.is_empty(), "{bad:?}");
    });
}

/// For tests/data/catalogue.py, which asks PyTorch for their numbers.
#[test]
#[ignore = "prints the cases"]
fn list() {
    super::run::deep(|| {
        for case in all() {
            println!("\x1e{}\t{}", case.entry.name, case.program);
        }
    });
}
