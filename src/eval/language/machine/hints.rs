//! What a reader is told beside Python's and PyTorch's own sentences: a room above fills it in.

use crate::language::call::Site;
use crate::language::exception::raise::Halt;
use crate::language::exception::uncaught::Uncaught;
use crate::language::machine::Machine;
use crate::record::event::Note;
use crate::record::past::{Latest, Wonder};
use crate::values::value::Value;
use vjp_maths::autodiff::node::Node;
use vjp_maths::autodiff::variable::Variable;
use vjp_syntax::ast::Link;
use vjp_text::source::Span;

/// What stands on both sides of an operator, and where.
pub type Operands<'a> = [(&'a Value, Span); 2];

/// The occasions on which something more is said.
pub struct Hints {
    /// Nobody caught an exception: adds labels and fixes, and gives what may be asked about it.
    pub uncaught: fn(&mut Machine, &mut Uncaught) -> Option<Wonder>,
    /// A statement failed, perhaps because it read a `.grad` that is None.
    pub failed: fn(&mut Machine, &mut Halt),
    /// A statement gave the `.grad` of what is written so, and it is None: why.
    pub no_gradient: fn(&mut Machine, &str, &Value) -> Vec<Note>,
    /// Operands did not fit.
    pub operands: fn(&mut Machine, Halt, &Link, Operands<'_>) -> Halt,
    /// A name is not defined: what it perhaps means.
    pub undefined: fn(&Machine, &str, Span) -> Option<String>,
    /// A sweep from here was refused.
    pub refused: fn(&mut Machine, &mut Halt, &Variable, &Site),
    /// A backward was told, with the nodes it went through.
    pub swept: fn(&mut Machine, &Latest, &[Node]),
}

impl Hints {
    /// Nothing more.
    pub const NONE: Hints = Hints {
        uncaught: |_, _| None,
        failed: |_, _| {},
        no_gradient: |_, _, _| Vec::new(),
        operands: |_, halt, _, _| halt,
        undefined: |_, _, _| None,
        refused: |_, _, _, _| {},
        swept: |_, _, _| {},
    };
}
