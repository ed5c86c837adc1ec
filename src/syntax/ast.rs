//! The syntax tree. Chains (`a+b+c…`, `f(x).g[i]…`, `--x`, `a^b^c`) are flat lists, so that
//! neither parsing, evaluating nor dropping a long one needs a deep stack.

use num_bigint::BigInt;
use std::rc::Rc;
use vjp_text::{Span, Symbol};

#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    pub body: Vec<Stmt>,
}

pub type Block = Vec<Stmt>;

#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub span: Span,
    pub kind: StmtKind,
}

/// A name where it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Name {
    pub span: Span,
    pub symbol: Symbol,
}

impl Name {
    pub fn as_str(&self) -> &'static str {
        self.symbol.as_str()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    Expr(Expr),
    /// `a = b, c = value`: every target, leftmost first.
    Assign {
        targets: Vec<Expr>,
        value: Expr,
    },
    /// `target op= value`.
    Augment {
        target: Expr,
        op: BinaryOp,
        value: Expr,
    },
    /// `target: annotation [= value]`; the annotation is not evaluated.
    Annotate {
        target: Expr,
        annotation: Expr,
        value: Option<Expr>,
    },
    /// `f(x, y) = expression` (not strict). `function.body` is one `return`.
    ShortDef(Rc<Function>),
    Def {
        function: Rc<Function>,
        decorators: Vec<Expr>,
    },
    Class {
        name: Name,
        bases: Vec<Arg>,
        body: Rc<Block>,
        decorators: Vec<Expr>,
    },
    For {
        target: Expr,
        iter: Expr,
        body: Block,
        orelse: Block,
    },
    While {
        test: Expr,
        body: Block,
        orelse: Block,
    },
    /// `if`/`elif` arms in order, then `else` (maybe empty).
    If {
        arms: Vec<(Expr, Block)>,
        orelse: Block,
    },
    With {
        items: Vec<(Expr, Option<Expr>)>,
        body: Block,
    },
    Try {
        body: Block,
        handlers: Vec<Handler>,
        orelse: Block,
        finally: Block,
    },
    Raise {
        exception: Option<Expr>,
        cause: Option<Expr>,
    },
    Assert {
        test: Expr,
        message: Option<Expr>,
    },
    Del(Vec<Expr>),
    Return(Option<Expr>),
    Global(Vec<Name>),
    Nonlocal(Vec<Name>),
    /// `import a.b as c, d`: dotted path and the name bound, if given.
    Import(Vec<(Vec<Name>, Option<Name>)>),
    /// `from a.b import c as d`; an empty list is `*`.
    FromImport {
        module: Vec<Name>,
        names: Vec<(Name, Option<Name>)>,
    },
    Pass,
    Break,
    Continue,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Handler {
    pub span: Span,
    /// None: a bare `except:`.
    pub class: Option<Expr>,
    pub name: Option<Name>,
    pub body: Block,
}

/// What `def`, `lambda` and `f(x) = …` have in common. A lambda's name is `<lambda>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: Name,
    pub params: Params,
    /// What stands after `->`.
    pub returns: Option<Expr>,
    pub body: Block,
    pub span: Span,
    /// Its body yields: a call makes a generator.
    pub generator: bool,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub struct Params {
    pub list: Vec<Param>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub name: Name,
    pub kind: ParamKind,
    pub default: Option<Expr>,
    pub annotation: Option<Expr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// Before a `/`.
    PositionalOnly,
    Normal,
    /// `*args`.
    Rest,
    /// After `*` or `*args`.
    KeywordOnly,
    /// `**kwargs`.
    RestKeywords,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub span: Span,
    pub kind: ExprKind,
}

impl Expr {
    /// Arithmetic of numbers alone, or a display of such, nested to any depth. `named` says which names
    /// are numbers: `pi`.
    pub fn is_literal(&self, named: &dyn Fn(Symbol, Span) -> bool) -> bool {
        match &self.kind {
            ExprKind::List(items) => !items.is_empty() && items.iter().all(|i| i.is_literal(named)),
            _ => self.is_arithmetic(named),
        }
    }

    fn is_arithmetic(&self, named: &dyn Fn(Symbol, Span) -> bool) -> bool {
        match &self.kind {
            ExprKind::Int(_) | ExprKind::Long(_) | ExprKind::Float(_) => true,
            ExprKind::Name(name) => named(*name, self.span),
            ExprKind::Unary { signs, operand } => {
                signs.iter().all(|(s, _)| *s != UnaryOp::Invert) && operand.is_arithmetic(named)
            }
            ExprKind::Chain { first, rest } => {
                first.is_arithmetic(named) && rest.iter().all(|l| l.operand.is_arithmetic(named))
            }
            ExprKind::Power { base, exponents } => {
                base.is_arithmetic(named)
                    && exponents.iter().all(|x| x.operand.is_arithmetic(named))
            }
            _ => false,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    None,
    True,
    False,
    Ellipsis,
    Int(i64),
    /// An integer beyond 64 bits.
    Long(Rc<BigInt>),
    Float(f64),
    Str(Rc<str>),
    /// f-string parts; adjacent literals are joined already.
    FString(Vec<FPart>),
    Name(Symbol),
    List(Vec<Expr>),
    Tuple(Vec<Expr>),
    Set(Vec<Expr>),
    /// `key: value`, or `**mapping` where the key is None.
    Dict(Vec<(Option<Expr>, Expr)>),
    ListComp {
        element: Box<Expr>,
        clauses: Vec<Clause>,
    },
    SetComp {
        element: Box<Expr>,
        clauses: Vec<Clause>,
    },
    DictComp {
        key: Box<Expr>,
        value: Box<Expr>,
        clauses: Vec<Clause>,
    },
    Generator {
        element: Box<Expr>,
        clauses: Vec<Clause>,
    },
    /// `*x` in a list, tuple, call or target.
    Starred(Box<Expr>),
    /// `- + - x`: signs as written, outermost first.
    Unary {
        signs: Vec<(UnaryOp, Span)>,
        operand: Box<Expr>,
    },
    /// `not not x`: how many.
    Not {
        count: u32,
        operand: Box<Expr>,
    },
    /// `a + b - c`: one precedence level, left associative.
    Chain {
        first: Box<Expr>,
        rest: Vec<Link>,
    },
    /// `a ^ -b ^ c`, right associative. Each exponent carries the signs in front of it.
    Power {
        base: Box<Expr>,
        exponents: Vec<Exponent>,
    },
    /// `a < b <= c`.
    Compare {
        first: Box<Expr>,
        rest: Vec<(CompareOp, Span, Expr)>,
    },
    And(Vec<Expr>),
    Or(Vec<Expr>),
    /// `value if test else value if test else otherwise`: (value, test) pairs.
    IfElse {
        arms: Vec<(Expr, Expr)>,
        otherwise: Box<Expr>,
    },
    Lambda(Rc<Function>),
    /// `name := value`.
    Walrus {
        name: Name,
        value: Box<Expr>,
    },
    /// `yield value`, `yield from value`: only in functions.
    Yield {
        value: Option<Box<Expr>>,
        from: bool,
    },
    /// `base.attr(args)[index]…`.
    Trailers {
        base: Box<Expr>,
        trailers: Vec<Trailer>,
    },
    /// `a:b:c` inside an index.
    Slice {
        start: Option<Box<Expr>>,
        stop: Option<Box<Expr>>,
        step: Option<Box<Expr>>,
    },
}

/// `op operand` in a chain; the span is the operator's.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    pub op: BinaryOp,
    pub op_span: Span,
    pub operand: Expr,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Exponent {
    pub op_span: Span,
    pub signs: Vec<(UnaryOp, Span)>,
    pub operand: Expr,
}

/// One step after a primary. The span is the step's own: `.sum`, `(…)`, `[…]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Trailer {
    pub span: Span,
    pub kind: TrailerKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TrailerKind {
    Attr(Name),
    Call(Vec<Arg>),
    /// What stands between the brackets; a tuple where there are commas.
    Index(Box<Expr>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    pub span: Span,
    pub kind: ArgKind,
    pub value: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ArgKind {
    Positional,
    Named(Name),
    /// `*args`.
    Spread,
    /// `**kwargs`.
    SpreadNamed,
}

/// `….method(args)`: what stands ahead of the last call of a method, its name and its arguments.
pub fn method_call(trailers: &[Trailer]) -> Option<(&[Trailer], &str, &[Arg])> {
    let [ahead @ .., attr, call] = trailers else { return None };
    match (&attr.kind, &call.kind) {
        (TrailerKind::Attr(name), TrailerKind::Call(args)) => {
            Some((ahead, name.symbol.as_str(), args))
        }
        _ => None,
    }
}

/// `name(args)`, a call of a plain name.
pub fn name_call(e: &Expr) -> Option<(&str, &[Arg])> {
    let ExprKind::Trailers { base, trailers } = &e.kind else { return None };
    match (&base.kind, trailers.as_slice()) {
        (ExprKind::Name(name), [Trailer { kind: TrailerKind::Call(args), .. }]) => {
            Some((name.as_str(), args))
        }
        _ => None,
    }
}

/// `for target in iter if test if test`.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    pub target: Expr,
    pub iter: Expr,
    pub tests: Vec<Expr>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FPart {
    Text(Rc<str>),
    Field(FField),
}

/// `{value=!r:spec}`.
#[derive(Clone, Debug, PartialEq)]
pub struct FField {
    pub value: Box<Expr>,
    /// `{x=}`: the text up to and including `=`, printed before the value.
    pub label: Option<Rc<str>>,
    /// `r`, `s` or `a`.
    pub conversion: Option<char>,
    pub spec: Vec<FPart>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Minus,
    Plus,
    Invert,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Mod,
    MatMul,
    /// Only in augmented assignment; elsewhere powers are [`ExprKind::Power`].
    Pow,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Is,
    IsNot,
    In,
    NotIn,
}
