//! Errors on their way: complaints get a place, exceptions get caught.

use crate::record::event::Drawing;
use crate::values::value::Exception;
use crate::{Help, Value};
use std::cell::RefCell;
use std::rc::Rc;
use vjp_maths::Variable;
use vjp_maths::autodiff::variable::Cut;
use vjp_syntax::Mend;
pub use vjp_tensor::Kind;
use vjp_tensor::{Complaint, Fact, Outcome, budget};
use vjp_text::{Source, Span, Symbol};

/// What evaluating gives, or why it does not go on.
pub type Tried<T> = Result<T, Halt>;

/// Why evaluation does not go on.
#[derive(Clone)]
pub enum Halt {
    Raised(Box<Raised>),
}

/// An exception in flight.
#[derive(Clone)]
pub struct Raised {
    pub exception: Rc<Exception>,
    pub fact: Fact,
    /// Where it was raised; filled in by the innermost evaluation that knows a place.
    pub span: Option<Span>,
    /// The text that `span` is a place of; filled in where a function is left.
    pub source: Option<Source>,
    /// The calls it came through, innermost first: name of the function, place and text of the call.
    pub calls: Vec<(Symbol, Span, Source)>,
    pub told: Option<Box<Told>>,
}

/// An output that no leaf leads to.
#[derive(Clone)]
pub struct NoPath {
    /// Where it is written.
    pub output: Span,
    pub shape: Vec<usize>,
    /// What cut it off while it was computed.
    pub cut: Option<Rc<Cut>>,
}

impl NoPath {
    pub fn of(output: Span, y: &Variable) -> NoPath {
        NoPath { output, shape: y.shape().to_vec(), cut: y.cut() }
    }
}

/// What an error should show besides its message: filled by `explain` and by those who raise.
#[derive(Clone, Default)]
pub struct Told {
    /// A `raise` of the program.
    pub by_raise: bool,
    pub label: Option<String>,
    pub more: Vec<(Span, String)>,
    pub elsewhere: Vec<(Source, Span, String)>,
    pub no_path: Option<NoPath>,
    pub drawing: Option<Drawing>,
    pub help: Vec<Help>,
    /// What should stand in the text that failed.
    pub mend: Option<Mend>,
    pub unchanged: Option<(String, vjp_tensor::Tensor)>,
}

/// An exception nobody caught, before it is told.
pub struct Uncaught<'a> {
    pub kind: Kind,
    pub message: &'a str,
    pub fact: &'a Fact,
    pub hint: Option<String>,
    /// The input's text.
    pub source: &'a Source,
    /// Where it was raised, and the text that this is a place of where that is another one.
    pub span: Option<Span>,
    pub inner: Option<&'a Source>,
    pub told: Told,
}

impl Halt {
    pub fn new(kind: Kind, message: impl Into<String>) -> Halt {
        Complaint::new(kind, message).into()
    }

    /// Of an exception a program made.
    pub fn of(exception: Rc<Exception>) -> Halt {
        Halt::Raised(Box::new(Raised {
            exception,
            fact: Fact::Other,
            span: None,
            source: None,
            calls: Vec::new(),
            told: None,
        }))
    }

    pub fn raised(&self) -> &Raised {
        let Halt::Raised(r) = self;
        r
    }

    pub fn raised_mut(&mut self) -> &mut Raised {
        let Halt::Raised(r) = self;
        r
    }

    pub fn kind(&self) -> Kind {
        self.raised().exception.kind
    }

    /// `str(e)` where the arguments are texts, as those of complaints are.
    pub fn message(&self) -> String {
        match self.raised().exception.args.borrow().first() {
            Some(Value::Str(s)) => s.to_string(),
            _ => String::new(),
        }
    }

    /// Gives the place, unless an inner evaluation gave one.
    pub fn place(mut self, span: Span) -> Halt {
        let raised = self.raised_mut();
        if raised.span.is_none() && raised.source.is_none() {
            raised.span = Some(span);
        }
        self
    }

    /// Shows a sentence of help.
    pub fn helped(mut self, says: impl Into<String>) -> Halt {
        self.told().help.push(Help { code: String::new(), says: says.into() });
        self
    }

    /// Adds what should stand in the text.
    pub fn meant(mut self, mend: Mend) -> Halt {
        self.told().mend = Some(mend);
        self
    }

    /// What to show besides the message.
    pub fn told(&mut self) -> &mut Told {
        self.raised_mut().told.get_or_insert_default()
    }
}

impl From<Box<Complaint>> for Halt {
    fn from(complaint: Box<Complaint>) -> Halt {
        // What fails while somebody wishes to stop may fail because of it.
        let complaint = match budget::tick() {
            Err(stop) if !complaint.kind.is_stop() => stop,
            _ => complaint,
        };
        let Complaint { kind, message, hint, fact } = *complaint;
        // KeyError shows the repr of its argument, so its complaints carry the text already shown.
        let mut halt = Halt::of(Rc::new(Exception {
            own: None,
            kind,
            args: RefCell::new(if message.is_empty() {
                Vec::new()
            } else {
                vec![Value::str(message)]
            }),
            hint,
            attributes: RefCell::default(),
        }));
        halt.raised_mut().fact = fact;
        halt
    }
}

/// Adds the place to an error that has none.
pub trait At<T> {
    /// # Errors
    /// The same error, with a place.
    fn at(self, span: Span) -> Tried<T>;
}

impl<T> At<T> for Outcome<T> {
    fn at(self, span: Span) -> Tried<T> {
        self.map_err(|c| Halt::from(c).place(span))
    }
}

impl<T> At<T> for Tried<T> {
    fn at(self, span: Span) -> Tried<T> {
        self.map_err(|h| h.place(span))
    }
}

/// `raise!(Kind::Type, "text {}", x)` returns a [`Halt`] whose place the caller adds; without a kind PyTorch's
/// usual RuntimeError.
#[macro_export]
macro_rules! raise {
    ($text:literal $($arg:tt)*) => {
        $crate::raise!($crate::language::exception::raise::Kind::Runtime, $text $($arg)*)
    };
    ($kind:expr, $($arg:tt)+) => {
        return Err($crate::language::exception::raise::Halt::new($kind, format!($($arg)+)))
    };
}
