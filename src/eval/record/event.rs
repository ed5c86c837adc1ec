//! What an evaluation tells: the one thing that reports, JSON and sessions are made from.
//! Events hold numbers, names and formulas; nothing rounded, padded or coloured.

use super::questions::Answer;
use super::symbolic::Symbolic;
use num_bigint::BigInt;
use std::rc::Rc;
use vjp_jacobian::Jacobian;
use vjp_jacobian::central_differences::Difference;
use vjp_maths::Expr;
use vjp_maths::symbol::names;
use vjp_tensor::{Fact, Kind, Tensor};
use vjp_text::{Source, Span};

#[derive(Clone, Debug)]
pub enum Event {
    /// An echo: what an input bound or evaluated.
    Value(ValueEvent),
    Backward(Rc<Backward>),
    /// A matrix asked for by name at the prompt: `jacobian(y, x)`, `hessian(y, x)`.
    Matrix(Box<MatrixEvent>),
    /// `:check`: the last backward's gradients by three routes.
    Routes(Box<Routes>),
    /// What a command was asked: `:why`, `:what-if`, `:explain`.
    Answer(Box<Answer>),
    Plot(Box<Plot>),
    /// What the program printed, its newline included.
    Print(String),
    /// What it wrote to `sys.stderr`.
    PrintError(String),
    Note(Note),
    Error(Box<Fault>),
    /// A top-level statement ended: nothing to show, but what comes next belongs after it.
    Ended,
}

#[derive(Clone, Debug)]
pub struct ValueEvent {
    /// None for a bare expression.
    pub name: Option<String>,
    pub shown: Shown,
    /// Shown after the value, from column 61.
    pub remark: Option<Remark>,
}

#[derive(Clone, Debug)]
pub enum Shown {
    /// A number, a numeric list or a tensor: drawn by the digits rule.
    Tensor(Tensor),
    /// A lone Python int, as Python prints it.
    Int(BigInt),
    /// Anything else, as Python's repr gives it.
    Text(String),
    /// Below the cell of a notebook: whole, as it stands there.
    Repr(String),
}

impl Shown {
    /// Whether both show the same, NaN included; the two zeros are one.
    pub fn same(&self, other: &Shown) -> bool {
        let alike = |(x, y): (&f64, &f64)| x == y || x.is_nan() && y.is_nan();
        match (self, other) {
            (Shown::Tensor(a), Shown::Tensor(b)) if a.dtype() != b.dtype() => false,
            (Shown::Tensor(a), Shown::Tensor(b)) if a.dtype().is_float() => {
                a.shape() == b.shape() && a.data().iter().zip(b.data()).all(alike)
            }
            (Shown::Tensor(a), Shown::Tensor(b)) => a.is_identical(b),
            (Shown::Int(a), Shown::Int(b)) => a == b,
            (Shown::Text(a), Shown::Text(b)) | (Shown::Repr(a), Shown::Repr(b)) => a == b,
            _ => false,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Remark {
    /// `leaf, shape [2]`
    Leaf { shape: Vec<usize> },
    /// Nothing is said: a number of Python's, whose digits may have been typed.
    Number,
    /// `shape [1000]`: said of large tensors.
    Shape { shape: Vec<usize> },
    /// `MulBackward0, shape [2]`: said by `:vars`.
    Computed { grad_fn: String, shape: Vec<usize> },
}

/// One backward call: y, v, and for each leaf J, vᵀJ and the gradient, computed independently.
#[derive(Clone, Debug)]
pub struct Backward {
    /// The output's name, else its text when short, else `output`.
    pub output: String,
    /// Whether `output` is a name, which may carry indices (`y₁`).
    pub named: bool,
    pub value: Tensor,
    /// An echo in the same input showed y already.
    pub echoed: bool,
    /// As it was used: ones(()) where it was implicit. Shape of y, or any shape where `repeated`.
    pub v: Tensor,
    pub implicit: bool,
    /// y is a scalar and v is not: J is repeated to the length of v.
    pub repeated: bool,
    pub leaves: Vec<LeafReport>,
    /// Leaves that exist in the program and that this backward did not reach though it might have.
    pub unreached: Vec<Unreached>,
    pub corners: Vec<CornerReport>,
    /// Where y itself has a kink or jumps, though no operation has a corner.
    pub edges: Vec<EdgeReport>,
    /// Operations whose slopes hold while they choose as here: max, where; or between jumps: floor.
    pub choices: Vec<Choice>,
    /// What was taken out of the graph and went into y, as it is written.
    pub held: Vec<String>,
    /// Why a gradient is not vᵀJ, where that could be found out.
    pub causes: Vec<Cause>,
    /// An index was typed in this session and no panel has said yet that y₁ is `y[0]`.
    pub explain_indices: bool,
    /// The statement that computed y, to be run again where a leaf is an earlier one.
    pub again: Option<String>,
    /// Where the call stands.
    pub source: Source,
    pub span: Span,
    /// Called from inside a loop, a function or a comprehension: more calls of this line may come.
    pub repeats: bool,
    /// Which call of its line it is, from 1.
    pub call: usize,
    /// Which backward of the session it is; no two have the same.
    pub serial: u64,
    /// Asked for by `:v`: nothing was added to any `.grad`; this is what they hold.
    pub trial: Option<Vec<Option<Tensor>>>,
}

/// An operation whose slope another value may change: one that chooses, or one whose slope is 0 except at jumps.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub op: String,
    pub jumps: bool,
}

#[derive(Clone, Debug)]
pub struct LeafReport {
    /// `x`, `params[0]`, `model.fc.weight`; `x (earlier)` has `earlier` set.
    pub name: String,
    pub earlier: bool,
    /// No value has its name now.
    pub deleted: bool,
    /// Which of several leaves of this name it is, from 1; 0: the only one.
    pub turn: usize,
    pub value: Tensor,
    /// size(y) × size(leaf); one row where `repeated` (drawn once for each weight).
    pub jacobian: Jacobian<f64>,
    /// The same shape, in symbols; None where a part has no formula or it grew too long.
    pub symbolic: Symbolic,
    /// v times `jacobian`, shape of the leaf.
    pub vjp: Tensor,
    /// What this sweep contributed, before it was added.
    pub contribution: Tensor,
    pub grad_before: Option<Tensor>,
    /// x.grad now.
    pub grad: Tensor,
    pub agrees: bool,
    pub max_difference: f64,
    /// Row-major positions in the leaf where they differ.
    pub differing: Vec<usize>,
    /// It agrees with vᵀJ, and the program's text with neither: at the positions of `differing`.
    pub unlike_text: bool,
    /// y is the leaf itself.
    pub identity: bool,
    /// The slopes on the way do not depend on a leaf's value, and none was chosen by value.
    pub linear: bool,
    /// Every path passes through an operation whose slope is 0 whatever its input is: a sign, a rounding.
    pub flat: bool,
    /// How J was got where not by the rules: "central differences", "the forward code".
    pub method: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub struct Unreached {
    pub name: String,
    /// The text that cut the path: `h.detach()`.
    pub cut: String,
}

/// A kink that was hit: J's entries at (rows, columns) of `leaf` took one of two slopes.
#[derive(Clone, Debug)]
pub struct CornerReport {
    /// `relu`
    pub op: String,
    /// Index into `leaves` and element, when the kinked input is a leaf's element itself.
    pub leaf: usize,
    pub element: Option<usize>,
    /// The kinked input's own value, e.g. 0.
    pub at: f64,
    pub left: f64,
    pub right: f64,
    pub taken: f64,
    /// Two inputs of the operation are equal here, and share the slope.
    pub tie: bool,
    /// The operation gives y itself.
    pub whole: bool,
    /// Entries of J to star: (leaf, row, column).
    pub entries: Vec<(usize, usize, usize)>,
}

/// An entry of J at an edge of the program: a comparison that just holds, a rounding that just turns.
#[derive(Clone, Debug)]
pub struct EdgeReport {
    pub leaf: usize,
    pub row: usize,
    pub column: usize,
    /// The leaf's element.
    pub at: f64,
    /// Of y, from the left and from the right.
    pub slopes: [f64; 2],
    pub taken: f64,
    /// Where y jumps: what it goes to from the left, is, and goes to from the right.
    pub values: Option<[f64; 3]>,
}

impl EdgeReport {
    /// The entry of J: leaf, row, column.
    pub fn place(&self) -> (usize, usize, usize) {
        (self.leaf, self.row, self.column)
    }
}

/// An explanation under a panel: of ✗, or of what a gradient leaves out.
#[derive(Clone, Debug)]
pub enum Cause {
    /// `where` walked the branch not taken: 0 times the slope of `op`, which is infinite or NaN.
    BranchNotTaken {
        /// Text of the operation's call: `sqrt`.
        op: String,
        /// The slope's formula for people: `1/(2√x)`.
        formula: String,
        received: Tensor,
        slope: Tensor,
        /// A line that runs: the double where.
        repair: Option<String>,
    },
    /// The program's text, run again with this element of a leaf moved a little, gives another slope
    /// of vᵀy than the graph.
    Text { leaf: String, shape: Vec<usize>, at: usize, rule: f64, text: f64 },
    /// As `Text`; but the graph's own values, computed again, give the slope that the text gives. `sure`: it is
    /// the rule that lost its digits.
    Rounding { leaf: String, shape: Vec<usize>, at: usize, rule: f64, text: f64, sure: bool },
    /// An operation reads one triangle of its matrix, and its gradient is that of the matrix as a whole.
    Triangle { leaf: String, shape: Vec<usize>, at: usize, rule: f64, text: f64, op: String },
    /// Numbers were taken out of the graph on purpose: the program, run again, gives this element another
    /// slope of vᵀy. What took them, as it is written.
    Fixed { leaf: String, shape: Vec<usize>, at: usize, rule: f64, text: f64, by: Vec<String> },
    /// A hook changed the gradient on its way.
    Hook { name: String },
    /// The rounding error of a sum, as it is written, may change y by `error`; where `weighted`, vᵀy.
    Magnified { code: String, output: String, weighted: bool, error: f64 },
    /// The leaf was given other values after the output was computed.
    Changed { leaf: String, output: String },
}

/// A matrix shown for its own sake.
#[derive(Clone, Debug)]
pub struct MatrixEvent {
    /// `∂y/∂x`, `∂²y/∂x²`: names of the output and of the leaf.
    pub output: String,
    pub leaf: String,
    pub order: u8,
    pub row_shape: Vec<usize>,
    pub column_shape: Vec<usize>,
    pub matrix: Jacobian<f64>,
    pub symbolic: Option<Jacobian<Expr>>,
    /// The formulas hold at every value of the leaf: none was chosen by it.
    pub everywhere: bool,
    /// See [`Backward::choices`].
    pub choices: Vec<Choice>,
}

/// The second derivatives of the scalar that a backward was the gradient of.
#[derive(Clone, Debug)]
pub struct Hessian {
    pub output: String,
    /// The scalar is vᵀy, not y itself.
    pub weighted: bool,
    /// Name and shape of each leaf.
    pub leaves: Vec<(String, Vec<usize>)>,
    /// One for each pair of leaves, first the earlier one.
    pub blocks: Vec<HessianBlock>,
}

/// ∂²y/∂a∂b, size(a) × size(b).
#[derive(Clone, Debug)]
pub struct HessianBlock {
    /// Places in [`Hessian::leaves`].
    pub row: usize,
    pub column: usize,
    pub matrix: Jacobian<f64>,
    pub symbolic: Option<Jacobian<Expr>>,
}

/// The gradients of one backward by three independent routes.
#[derive(Clone, Debug)]
pub struct Routes {
    pub output: String,
    pub shape: Vec<usize>,
    pub leaves: Vec<LeafRoutes>,
    /// Why differences of the program's text are not among them.
    pub untold: Option<Untold>,
    /// A value with a hook that changed the gradient.
    pub hooked: Option<String>,
}

#[derive(Clone, Debug)]
pub struct LeafRoutes {
    pub name: String,
    /// What the reverse sweep contributed, shape of the leaf.
    pub sweep: Tensor,
    /// v times the structured J.
    pub vjp: Tensor,
    /// Positions where the two differ.
    pub differing: Vec<usize>,
    /// What of the sweep differs from the differences; where nothing of it could be compared, nothing.
    pub sweep_off: Vec<usize>,
    /// The differences are those of the program's text, and not of the operations of its graph.
    pub of_text: bool,
    /// v times J by central differences: (position, number), of every position unless there are
    /// too many; NaN where no step told anything.
    pub differences: Vec<(usize, f64)>,
    /// Entries of J that were compared.
    pub entries: usize,
    /// Entries that could not be: (row, position). No number by the rules, or none by differences.
    pub unknown: Vec<(usize, usize)>,
    /// How far, relative to the larger, the entry that is furthest off is off.
    pub worst: Option<Difference>,
    /// Positions with an entry that is off.
    pub off: Vec<usize>,
    /// Entries at a kink, where differences give a mean of two slopes: (row, position).
    pub kinks: Vec<(usize, usize)>,
    /// Entries at which differences do not settle: a slope without bound, or far too coarse.
    pub breaks: Vec<(usize, usize)>,
    /// Entries at which y jumps, where it has no slope.
    pub jumps: Vec<(usize, usize)>,
}

impl LeafReport {
    /// What its name needs, where the name is no longer this leaf's.
    pub fn since(&self) -> String {
        match self.name.ends_with("(earlier)") {
            true => String::new(),
            false => names::since(self.earlier, self.deleted, self.turn),
        }
    }

    /// Its name in a formula.
    pub fn called(&self) -> String {
        names::in_formula(&self.name, self.since())
    }
}

impl LeafRoutes {
    /// Whether differences have nothing to say in a column.
    pub fn unsmooth(&self, column: usize) -> bool {
        self.kinks.iter().chain(&self.breaks).chain(&self.jumps).any(|(_, at)| *at == column)
    }

    pub fn agrees(&self) -> bool {
        self.differing.is_empty() && self.off.is_empty()
    }

    /// Whether there is a position at which differences were compared.
    pub fn compared(&self) -> bool {
        let unknown = |at: &usize| self.unknown.iter().any(|(_, j)| j == at);
        self.differences.iter().any(|(at, _)| !self.unsmooth(*at) && !unknown(at))
    }
}

/// Something a person should know once.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    pub text: String,
    /// The place it speaks of, shown with a caret.
    pub at: Option<(Span, String)>,
    pub help: Vec<Help>,
    pub source: Option<String>,
}

impl Note {
    pub fn plain(text: impl Into<String>) -> Note {
        Note { text: text.into(), at: None, help: Vec::new(), source: None }
    }
}

/// A line to type, and what it does: `y.backward([1, 1])` · `adds the rows: the gradient of y.sum()`.
#[derive(Clone, Debug, PartialEq)]
pub struct Help {
    pub code: String,
    pub says: String,
}

impl Help {
    /// A hint without a line to type.
    pub fn words(says: String) -> Help {
        Help { code: String::new(), says }
    }
}

/// An error with its place.
#[derive(Clone, Debug)]
pub struct Fault {
    pub kind: Kind,
    pub fact: Fact,
    /// The class's name as printed; a program's own exception class has its own.
    pub class: String,
    /// `str(e)`: PyTorch's or Python's own text.
    pub message: String,
    /// The program raised it by a `raise` of its own.
    pub by_raise: bool,
    pub source: Source,
    pub span: Span,
    /// What is wrong, in words of the subject, right of the carets.
    pub label: Option<String>,
    /// More places: an operand's shape, the statement that wrote in place.
    pub more: Vec<(Span, String)>,
    /// Places in other texts: the statement that cut, or that wrote in place.
    pub elsewhere: Vec<(Source, Span, String)>,
    /// Lines drawn under the caret: v beside the rows it has.
    pub drawing: Option<Drawing>,
    /// Ways out, each a line that runs.
    pub help: Vec<Help>,
    /// `x.grad is unchanged: [6, 120]`.
    pub unchanged: Option<(String, Tensor)>,
    /// Gradients that panels showed before the statement failed and was undone, and what they are again.
    pub undone: Vec<(String, Option<Tensor>)>,
}

/// A picture under an error.
#[derive(Clone, Debug)]
pub enum Drawing {
    /// Weights of v beside the rows of y, with `?` where one of them has no partner (screen 10).
    Weights { v: Tensor, output: String, output_shape: Vec<usize> },
}

/// A plot that was shown.
#[derive(Clone, Debug)]
pub struct Plot {
    pub title: String,
    pub x_label: String,
    pub y_label: String,
    /// None: what the numbers take.
    pub x_limits: Option<(f64, f64)>,
    pub y_limits: Option<(f64, f64)>,
    pub log_x: bool,
    pub log_y: bool,
    pub series: Vec<Series>,
}

/// What belongs together in a plot.
#[derive(Clone, Debug)]
pub struct Series {
    pub mark: Mark,
    pub label: String,
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    /// Of bars and words, one each.
    pub names: Vec<String>,
    /// Of shades: row after row, each as long as x.
    pub shades: Vec<f64>,
}

impl Series {
    pub fn new(mark: Mark, label: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Series {
        Series { mark, label: label.into(), x, y, names: Vec::new(), shades: Vec::new() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Line,
    Points,
    Bars,
    /// A line across, at the one y.
    Level,
    /// A line upwards, at the one x.
    Upright,
    /// A line of dots, under all others.
    Dotted,
    /// Many points that make lines: Braille dots, as [`Mark::Line`].
    Dots,
    /// A text at each point.
    Words,
    /// Numbers over a grid, as shades under all others.
    Shades,
    /// A matrix, its first row above.
    Image,
}

/// Why the text says nothing of a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untold {
    /// It is read as PyTorch alone has it.
    NotAsked,
    /// So many statements.
    Long,
    /// Another y comes of it.
    Other,
}
