//! The classes of exceptions, from the tree in [`Kind`].

use crate::library::forms::Type;
use crate::values::value::Exception;
use crate::{Args, Machine, Tried, Value};
use std::cell::RefCell;
use std::rc::Rc;
use vjp_tensor::Kind;

macro_rules! classes {
    ($($id:ident $kind:ident $base:expr;)*) => {
        $(static $id: Type = Type {
            name: stringify!($id),
            module: home(Kind::$kind),
            help: "An exception.",
            includes: |v| matches!(v, Value::Exception(e) if e.kind.is_a(Kind::$kind)),
            construct,
            attribute: |_| None,
            exception: Some(Kind::$kind),
            base: $base,
        };)*
        /// Every class of exceptions that has a name.
        pub static ALL: &[&Type] = &[$(&$id),*];
    };
}

/// Where a class is found.
const fn home(kind: Kind) -> &'static str {
    match kind {
        Kind::LinAlg => "torch._C",
        Kind::Gradcheck => "torch.autograd.gradcheck",
        Kind::ArrayLinAlg => "numpy.linalg",
        Kind::Axis => "numpy.exceptions",
        Kind::Ufunc => "numpy._core._exceptions",
        _ => "builtins",
    }
}

#[allow(non_upper_case_globals)]
mod tree {
    use super::*;
    classes! {
        BaseException Base None;
        Exception Exception Some(&BaseException);
        RuntimeError Runtime Some(&Exception);
        TypeError Type Some(&Exception);
        ValueError Value Some(&Exception);
        LookupError Lookup Some(&Exception);
        IndexError Index Some(&LookupError);
        KeyError Key Some(&LookupError);
        NameError Name Some(&Exception);
        UnboundLocalError UnboundLocal Some(&NameError);
        AttributeError Attribute Some(&Exception);
        ArithmeticError Arithmetic Some(&Exception);
        ZeroDivisionError ZeroDivision Some(&ArithmeticError);
        OverflowError Overflow Some(&ArithmeticError);
        FloatingPointError FloatingPoint Some(&ArithmeticError);
        AssertionError Assertion Some(&Exception);
        NotImplementedError NotImplemented Some(&RuntimeError);
        ImportError Import Some(&Exception);
        ModuleNotFoundError ModuleNotFound Some(&ImportError);
        RecursionError Recursion Some(&RuntimeError);
        StopIteration StopIteration Some(&Exception);
        GeneratorExit GeneratorExit Some(&BaseException);
        EOFError Eof Some(&Exception);
        Warning Warning Some(&Exception);
        UserWarning UserWarning Some(&Warning);
        DeprecationWarning DeprecationWarning Some(&Warning);
        FutureWarning FutureWarning Some(&Warning);
        RuntimeWarning RuntimeWarning Some(&Warning);
        UnicodeError Unicode Some(&ValueError);
        UnicodeDecodeError UnicodeDecode Some(&UnicodeError);
        UnicodeEncodeError UnicodeEncode Some(&UnicodeError);
        _LinAlgError LinAlg Some(&RuntimeError);
        LinAlgError ArrayLinAlg Some(&ValueError);
        AxisError Axis Some(&ValueError);
        UFuncTypeError Ufunc Some(&TypeError);
        GradcheckError Gradcheck Some(&RuntimeError);
        SyntaxError Syntax Some(&Exception);
        IndentationError Indentation Some(&SyntaxError);
        OSError Os Some(&Exception);
        FileExistsError FileExists Some(&OSError);
        FileNotFoundError FileNotFound Some(&OSError);
        KeyboardInterrupt KeyboardInterrupt Some(&BaseException);
        SystemExit SystemExit Some(&BaseException);
        Interrupted Interrupted None;
        MemoryError OutOfMemory None;
        TimeoutError OutOfTime None;
    }
}
pub use tree::ALL;

/// The class of a kind of error.
pub fn exception_class(kind: Kind) -> Value {
    let class = ALL.iter().find(|t| t.exception == Some(kind)).expect("every kind has its class");
    Value::Type(class)
}

/// `type(e)`.
pub fn of(exception: &Exception) -> Value {
    exception.own.clone().map_or_else(|| exception_class(exception.kind), Value::Class)
}

fn construct(_: &mut Machine, class: &'static Type, args: Args) -> Tried<Value> {
    args.no_names()?;
    Ok(Value::Exception(Rc::new(Exception {
        own: None,
        kind: class.exception.unwrap_or(Kind::Exception),
        args: RefCell::new(args.positional),
        hint: None,
        attributes: RefCell::default(),
    })))
}
