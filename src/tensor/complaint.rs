//! What went wrong, without a place: the evaluator adds the place once.

use std::fmt;

/// Python's class of an error, or a stop that no `except` catches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `BaseException`.
    Base,
    Exception,
    Runtime,
    Type,
    Value,
    Index,
    Key,
    Lookup,
    Name,
    UnboundLocal,
    Attribute,
    ZeroDivision,
    Overflow,
    Arithmetic,
    FloatingPoint,
    Assertion,
    NotImplemented,
    Import,
    ModuleNotFound,
    Recursion,
    StopIteration,
    GeneratorExit,
    Eof,
    FileExists,
    FileNotFound,
    Warning,
    UserWarning,
    DeprecationWarning,
    FutureWarning,
    RuntimeWarning,
    Unicode,
    UnicodeDecode,
    UnicodeEncode,
    LinAlg,
    /// NumPy's own, of linear algebra.
    ArrayLinAlg,
    /// NumPy's, of operands whose types do not go together.
    Ufunc,
    /// NumPy's, of an axis that is not there: both a ValueError and an IndexError.
    Axis,
    Gradcheck,
    Syntax,
    Indentation,
    Os,
    KeyboardInterrupt,
    SystemExit,
    /// A command of the prompt that could not be done.
    Command,
    /// A defect of ours.
    Internal,
    /// Ctrl-C while evaluating.
    Interrupted,
    /// `--memory` would be exceeded.
    OutOfMemory,
    /// `--time-limit` is over.
    OutOfTime,
}

impl Kind {
    /// As Python prints it: `RuntimeError`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Base => "BaseException",
            Kind::Exception => "Exception",
            Kind::Runtime => "RuntimeError",
            Kind::Type => "TypeError",
            Kind::Value => "ValueError",
            Kind::Index => "IndexError",
            Kind::Key => "KeyError",
            Kind::Lookup => "LookupError",
            Kind::Name => "NameError",
            Kind::UnboundLocal => "UnboundLocalError",
            Kind::Attribute => "AttributeError",
            Kind::ZeroDivision => "ZeroDivisionError",
            Kind::Overflow => "OverflowError",
            Kind::Arithmetic => "ArithmeticError",
            Kind::FloatingPoint => "FloatingPointError",
            Kind::Assertion => "AssertionError",
            Kind::NotImplemented => "NotImplementedError",
            Kind::Import => "ImportError",
            Kind::ModuleNotFound => "ModuleNotFoundError",
            Kind::Recursion => "RecursionError",
            Kind::StopIteration => "StopIteration",
            Kind::GeneratorExit => "GeneratorExit",
            Kind::Eof => "EOFError",
            Kind::FileExists => "FileExistsError",
            Kind::FileNotFound => "FileNotFoundError",
            Kind::Warning => "Warning",
            Kind::UserWarning => "UserWarning",
            Kind::DeprecationWarning => "DeprecationWarning",
            Kind::FutureWarning => "FutureWarning",
            Kind::RuntimeWarning => "RuntimeWarning",
            Kind::Unicode => "UnicodeError",
            Kind::UnicodeDecode => "UnicodeDecodeError",
            Kind::UnicodeEncode => "UnicodeEncodeError",
            Kind::LinAlg => "_LinAlgError",
            Kind::ArrayLinAlg => "LinAlgError",
            Kind::Axis => "AxisError",
            Kind::Ufunc => "UFuncTypeError",
            Kind::Gradcheck => "GradcheckError",
            Kind::Syntax => "SyntaxError",
            Kind::Indentation => "IndentationError",
            Kind::Os => "OSError",
            Kind::KeyboardInterrupt => "KeyboardInterrupt",
            Kind::SystemExit => "SystemExit",
            Kind::Command => "CommandError",
            Kind::Internal => "InternalError",
            Kind::Interrupted => "Interrupted",
            Kind::OutOfMemory => "MemoryError",
            Kind::OutOfTime => "TimeoutError",
        }
    }

    /// The class this one derives from, None at the root.
    pub fn parent(self) -> Option<Kind> {
        match self {
            Kind::Base => None,
            Kind::Exception | Kind::KeyboardInterrupt | Kind::SystemExit | Kind::GeneratorExit => {
                Some(Kind::Base)
            }
            Kind::FileExists | Kind::FileNotFound => Some(Kind::Os),
            Kind::UserWarning
            | Kind::DeprecationWarning
            | Kind::FutureWarning
            | Kind::RuntimeWarning => Some(Kind::Warning),
            Kind::UnicodeDecode | Kind::UnicodeEncode => Some(Kind::Unicode),
            Kind::Ufunc => Some(Kind::Type),
            Kind::Unicode | Kind::ArrayLinAlg | Kind::Axis => Some(Kind::Value),
            Kind::Interrupted | Kind::OutOfMemory | Kind::OutOfTime => None,
            Kind::Command | Kind::Internal => None,
            Kind::Index | Kind::Key => Some(Kind::Lookup),
            Kind::UnboundLocal => Some(Kind::Name),
            Kind::ZeroDivision | Kind::Overflow | Kind::FloatingPoint => Some(Kind::Arithmetic),
            Kind::NotImplemented | Kind::Recursion | Kind::LinAlg | Kind::Gradcheck => {
                Some(Kind::Runtime)
            }
            Kind::ModuleNotFound => Some(Kind::Import),
            Kind::Indentation => Some(Kind::Syntax),
            _ => Some(Kind::Exception),
        }
    }

    /// Whether `except other` catches this.
    pub fn is_a(self, other: Kind) -> bool {
        std::iter::successors(Some(self), |k| k.parent()).any(|k| k == other)
            || self == Kind::Axis && Kind::Index.is_a(other)
    }

    /// A stop: only `finally` runs, no `except` catches it.
    pub fn is_stop(self) -> bool {
        matches!(self, Kind::Interrupted | Kind::OutOfMemory | Kind::OutOfTime)
    }
}

/// What a complaint is about, for those who say it in other words or help further.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Fact {
    #[default]
    Other,
    /// PyTorch, NumPy or Python have it, this program does not.
    Absent,
    /// An integer that no double is equal to.
    BeyondDoubles,
    DimensionOutOfRange(i64),
    /// A reduction of no elements that has no value.
    NothingToReduce,
    /// The sizes asked of a reshape.
    Reshape(Vec<i64>),
    /// Two sizes of a reshape are left open.
    TwoOpenSizes,
    /// The sizes that a value cannot be expanded to.
    Expand(Vec<i64>),
    /// Sizes of a mask and of what it selects from, which differ at an axis.
    Mask {
        mask: usize,
        own: usize,
        axis: usize,
    },
    /// Sizes of indices that do not go together.
    Indices(Vec<Vec<usize>>),
    /// The sizes that an index names, which a value does not fit.
    Named(Vec<usize>),
    NegativePower,
    NoMatrix,
    NotSquare,
    NotPositiveDefinite,
    /// Of a singular matrix: which diagonal element is zero, from 1.
    Singular(usize),
    NoSingularValues,
    NoEigenvalues,
    SystemSizes,
    /// A value that a sweep needs was written over.
    Overwritten,
    /// A sweep freed what another one needs.
    Freed,
    /// A header is not followed by the block that it opens.
    NoBlock,
    /// A value has no elements to go through.
    NotIterable,
    /// A list of which an element is of the wrong type.
    NotUnpacked,
    /// A value of this class has no attribute of this name.
    NoAttribute {
        class: String,
        name: String,
    },
    /// A leaf was to be written to, with a record of the step.
    LeafWritten,
    OutOfBounds {
        index: i64,
        axis: usize,
        size: usize,
    },
    TooManyIndices,
}

/// An error without a place. `message` is byte for byte what PyTorch or Python says.
#[derive(Clone, Debug, PartialEq)]
pub struct Complaint {
    pub kind: Kind,
    pub message: String,
    /// How to go on, in words of the subject; the evaluator may fill in names.
    pub hint: Option<String>,
    pub fact: Fact,
}

pub type Outcome<T> = Result<T, Box<Complaint>>;

impl Complaint {
    pub fn new(kind: Kind, message: impl Into<String>) -> Box<Complaint> {
        Box::new(Complaint { kind, message: message.into(), hint: None, fact: Fact::Other })
    }

    /// Of what PyTorch, NumPy or Python have and this program does not.
    pub fn absent(name: impl fmt::Display) -> Box<Complaint> {
        Complaint::new(Kind::NotImplemented, format!("{name} is not provided")).about(Fact::Absent)
    }

    pub fn about(mut self: Box<Self>, fact: Fact) -> Box<Self> {
        self.fact = fact;
        self
    }

    pub fn hint(mut self: Box<Self>, hint: impl Into<String>) -> Box<Self> {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Complaint {}

/// `complain!(Kind::Value, "text {}", x)` returns a complaint, without a kind PyTorch's usual RuntimeError;
/// with `Fact::Freed;` before the text, one that says what it is about.
#[macro_export]
macro_rules! complain {
    ($text:literal $($arg:tt)*) => {
        $crate::complain!($crate::Kind::Runtime, $text $($arg)*)
    };
    ($kind:expr, $fact:expr; $($arg:tt)+) => {
        return Err($crate::complaint::Complaint::new($kind, format!($($arg)+)).about($fact))
    };
    ($kind:expr, $($arg:tt)+) => {
        return Err($crate::complaint::Complaint::new($kind, format!($($arg)+)))
    };
}
