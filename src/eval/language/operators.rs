//! Operators: which operands they take and who computes them.

use crate::language::class::tensor_class;
use crate::language::import::stand_in;
use crate::library::table::{given, is_matrix};
use crate::values::sequence_repeat::{repeat, repeated};
use crate::values::value::{Tracked, TupleKind};
use crate::values::{long_text, number, tensor_operators};
use crate::{Halt, Machine, Note, Tried, Value, leaf};
use std::rc::Rc;
use vjp_maths::Variable;
use vjp_maths::autodiff::grad_mode;
use vjp_syntax::ast::{BinaryOp, UnaryOp};
use vjp_tensor::dtype::Dtype;
use vjp_tensor::{Complaint, Kind, budget};

/// `__add__` and its like, as a program's classes name them.
const NAMES: &[(BinaryOp, &str, &str, &str)] = &[
    (BinaryOp::Add, "__add__", "__radd__", "__iadd__"),
    (BinaryOp::Sub, "__sub__", "__rsub__", "__isub__"),
    (BinaryOp::Mul, "__mul__", "__rmul__", "__imul__"),
    (BinaryOp::Div, "__truediv__", "__rtruediv__", "__itruediv__"),
    (BinaryOp::FloorDiv, "__floordiv__", "__rfloordiv__", "__ifloordiv__"),
    (BinaryOp::Mod, "__mod__", "__rmod__", "__imod__"),
    (BinaryOp::MatMul, "__matmul__", "__rmatmul__", "__imatmul__"),
    (BinaryOp::Pow, "__pow__", "__rpow__", "__ipow__"),
    (BinaryOp::BitAnd, "__and__", "__rand__", "__iand__"),
    (BinaryOp::BitOr, "__or__", "__ror__", "__ior__"),
    (BinaryOp::BitXor, "__xor__", "__rxor__", "__ixor__"),
    (BinaryOp::ShiftLeft, "__lshift__", "__rlshift__", "__ilshift__"),
    (BinaryOp::ShiftRight, "__rshift__", "__rrshift__", "__irshift__"),
];

fn names(op: BinaryOp) -> (&'static str, &'static str, &'static str) {
    NAMES.iter().find(|n| n.0 == op).map_or(("", "", ""), |n| (n.1, n.2, n.3))
}

pub(crate) fn in_place_name(op: BinaryOp) -> &'static str {
    names(op).2
}

/// Python's TypeError for operands that do not go together.
pub(crate) fn unsupported(op: BinaryOp, a: &Value, b: &Value) -> Box<Complaint> {
    match op {
        BinaryOp::Pow => unsupported_by("** or pow()", a, b),
        _ => unsupported_by(op.text(), a, b),
    }
}

/// The same for `a op= b`.
pub(crate) fn unsupported_in_place(op: BinaryOp, a: &Value, b: &Value) -> Box<Complaint> {
    unsupported_by(&format!("{}=", op.text()), a, b)
}

fn unsupported_by(sign: &str, a: &Value, b: &Value) -> Box<Complaint> {
    use crate::tp_name;
    if let Some(blamed) = stand_in::blamed(&[a, b]) {
        return blamed;
    }
    let complaint = Complaint::new(
        Kind::Type,
        format!("unsupported operand type(s) for {sign}: '{}' and '{}'", tp_name(a), tp_name(b)),
    );
    with_tuple(complaint, a, b)
}

/// The complaint about an operand that is a tuple says what a tuple is.
fn with_tuple(complaint: Box<Complaint>, a: &Value, b: &Value) -> Box<Complaint> {
    let tuple = [a, b].into_iter().find_map(|v| match v {
        Value::Tuple(t) => Some(&t.items),
        _ => None,
    });
    let Some(items) = tuple else {
        return complaint;
    };
    match items.as_slice() {
        [Value::Tensor(_)] => complaint
            .hint("this is a tuple of one tensor; a comma unpacks it: x, = ctx.saved_tensors"),
        all if all.iter().any(|v| matches!(v, Value::Tensor(_))) => complaint.hint(format!(
            "this is a tuple of {}; use one of them, or unpack it: a, b = …",
            all.len()
        )),
        _ => complaint.hint("parentheses make a tuple; write a vector in brackets: [1, 2]"),
    }
}

/// `[1, 2] * t` of a tensor, which Python takes for an index.
fn repetitions(t: &Variable, a: &Value, b: &Value) -> Result<i64, Box<Complaint>> {
    match t.value().item().filter(|_| t.numel() == 1 && !t.dtype().is_float()) {
        Some(n) => Ok(n as i64),
        None => Err(with_tuple(
            Complaint::new(
                Kind::Type,
                "only integer tensors of a single element can be converted to an index",
            ),
            a,
            b,
        )),
    }
}

/// Whether a value is a list of numbers, of which a vector could be made.
fn are_numbers(value: &Value) -> bool {
    let number = |v: &Value| v.is_number() || matches!(v, Value::Tensor(t) if t.rank() == 0);
    match value {
        Value::List(list) => {
            leaf::elements(list).is_ok_and(|items| !items.is_empty() && items.iter().all(number))
        }
        _ => false,
    }
}

impl Machine {
    /// `a op b`.
    pub fn binary(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Tried<Value> {
        let torch_powers = !self.exact();
        match (a, b) {
            (
                Value::Int(_) | Value::Long(_) | Value::Float(_) | Value::Bool(_),
                Value::Int(_) | Value::Long(_) | Value::Float(_) | Value::Bool(_),
            ) => {
                return match number::binary(op, a, b, torch_powers) {
                    Some(r) => Ok(r?),
                    None => Err(unsupported(op, a, b).into()),
                };
            }
            _ if a.is_number() && b.is_number() => return self.tracked(op, a, b),
            (Value::Instance(_), _) | (_, Value::Instance(_)) => {
                if let Some(v) = self.instance_operator(op, a, b)? {
                    return Ok(v);
                }
            }
            (Value::Object(_), _) | (_, Value::Object(_)) if is_matrix(a) || is_matrix(b) => {
                return (given().matrix.binary)(self, op, a, b);
            }
            (Value::Tensor(_), _) | (_, Value::Tensor(_)) => {
                if vjp_maths::Variable::have_classes()
                    && let Some(v) = self.tensor_class_operator(op, a, b)?
                {
                    return Ok(v);
                }
                if let Some(v) = crate::language::fast_arithmetic::tensors(op, a, b) {
                    return Ok(Value::Tensor(v?));
                }
            }
            _ => {}
        }
        let elementwise = tensor_operators::is_array(a)
            || tensor_operators::is_array(b)
            || self.is_vector(a)
            || self.is_vector(b);
        if elementwise && let Some(v) = self.arrays(op, a, b)? {
            return Ok(v);
        }
        self.sequences(op, a, b)
    }

    /// Whether a value is a list that arithmetic sees as a vector.
    pub fn is_vector(&self, v: &Value) -> bool {
        matches!(v, Value::List(l) if l.numeric.get()) && !self.exact()
    }

    /// Numbers of which at least one remembers how it was computed.
    fn tracked(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Tried<Value> {
        let (x, y) = (a.plain(), b.plain());
        let Some(result) = number::binary(op, &x, &y, !self.exact()) else {
            return Err(unsupported(op, &x, &y).into());
        };
        let number = result?;
        let differentiable = !matches!(
            op,
            BinaryOp::BitAnd
                | BinaryOp::BitOr
                | BinaryOp::BitXor
                | BinaryOp::ShiftLeft
                | BinaryOp::ShiftRight
                | BinaryOp::FloorDiv
        );
        let inexact = |v: &Value| v.as_float().is_none();
        if !differentiable || !grad_mode::is_grad_enabled() || inexact(&x) || inexact(&y) {
            [a, b].into_iter().for_each(|v| drop(leaf::taken(v)));
            return Ok(number);
        }
        let variable = tensor_operators::compute(
            op,
            &leaf::variable_of_number(a),
            &leaf::variable_of_number(b),
        )?;
        // What is shown is what the graph holds.
        let number = match (&number, variable.value().item()) {
            (Value::Float(_), Some(held)) if variable.dtype() == Dtype::Float32 => {
                Value::Float(held)
            }
            _ => number,
        };
        Ok(Value::Number(Rc::new(Tracked::new(number, variable))))
    }

    fn arrays(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Tried<Option<Value>> {
        let vectors = self.is_vector(a) || self.is_vector(b);
        if vectors && !(tensor_operators::takes(self, a) && tensor_operators::takes(self, b)) {
            return Ok(None);
        }
        if vectors {
            self.note_vectors(op, a, b);
        }
        tensor_operators::binary(self, op, a, b)
    }

    /// Where Python would repeat or join a list, and here its numbers are meant.
    fn note_vectors(&mut self, op: BinaryOp, a: &Value, b: &Value) {
        if op == BinaryOp::Pow {
            self.note_matrix_power(a, b);
        }
        let lists = matches!((a, b), (Value::List(_), Value::List(_)));
        let (key, text) = match op {
            BinaryOp::Add if lists => (
                "lists-add",
                "lists of numbers add like vectors; to join them as Python does, write [*a, *b]",
            ),
            BinaryOp::Mul
                if is_int(a) && matches!(b, Value::List(_))
                    || is_int(b) && matches!(a, Value::List(_)) =>
            {
                (
                    "lists-repeat",
                    "a list of numbers times a number is a vector here; Python would repeat the list",
                )
            }
            _ => return,
        };
        self.note(key, Note::plain(text));
    }

    /// Where Python repeats or joins a list of numbers that a vector was perhaps meant by.
    fn note_python_list(&mut self, op: BinaryOp, list: &Value) {
        let several = matches!(list, Value::List(l) if l.items.borrow().len() > 1);
        if self.exact() || !several || !are_numbers(list) {
            return;
        }
        let (key, does) = match op {
            BinaryOp::Mul => ("python-list-repeats", "repeats it"),
            _ => ("python-lists-join", "joins two lists"),
        };
        let text = format!(
            "this list is Python's, as it was repeated or computed, so {} {does}; stack(…) makes a vector of it",
            op.text()
        );
        self.note(key, Note::plain(text));
    }

    /// `[c]*n` as written: Python's repetition; None where it is not that.
    pub(crate) fn repetition(&mut self, a: &Value, b: &Value) -> Option<Tried<Value>> {
        match (a, b) {
            (Value::List(l), Value::Int(_) | Value::Bool(_) | Value::Number(_)) => {
                let n = b.as_int()?;
                Some(repeat(&l.items.borrow(), n).map(Value::list).map_err(Halt::from))
            }
            _ => None,
        }
    }

    /// Strings, lists, tuples, sets, dicts.
    fn sequences(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Tried<Value> {
        use crate::name_of;
        match (op, a, b) {
            (BinaryOp::Mod, Value::Str(s), _) => {
                return Ok(Value::from(crate::values::percent::percent(self, s, b)?));
            }
            (BinaryOp::Add, Value::Str(x), Value::Str(y)) => {
                return Ok(Value::from(long_text::joined(&[x, y])?));
            }
            (BinaryOp::Add, Value::Str(_), _) => crate::raise!(
                Kind::Type,
                "can only concatenate str (not \"{}\") to str",
                name_of(b)
            ),
            (BinaryOp::Add, Value::List(x), Value::List(y)) => {
                if are_numbers(b) {
                    self.note_python_list(op, a);
                }
                let (x, y) = (leaf::elements(x)?, leaf::elements(y)?);
                return Ok(Value::list(budget::collected(x.into_iter().chain(y))?));
            }
            (BinaryOp::Add, Value::List(_), _) if !is_of_numpy(b) => {
                let other = if is_size(b) { "torch.Size".into() } else { name_of(b) };
                let says = format!("can only concatenate list (not \"{other}\") to list");
                return Err(self.not_a_vector(Complaint::new(Kind::Type, says), a).into());
            }
            (BinaryOp::Add, Value::Tuple(x), Value::Tuple(y)) => {
                let items = budget::collected(x.items.iter().chain(&y.items).cloned())?;
                return match is_size(a) || is_size(b) {
                    true => size_of(items),
                    false => Ok(Value::tuple(items)),
                };
            }
            (BinaryOp::Add, Value::Tuple(_), _) if is_size(a) && !is_of_numpy(b) => crate::raise!(
                Kind::Type,
                "can only concatenate tuple (not {}) to torch.Size",
                name_of(b)
            ),
            (BinaryOp::Add, Value::Tuple(_), _) if !is_of_numpy(b) => crate::raise!(
                Kind::Type,
                "can only concatenate tuple (not \"{}\") to tuple",
                name_of(b)
            ),
            (BinaryOp::Mul, sequence, n) | (BinaryOp::Mul, n, sequence)
                if is_sequence(sequence)
                    && (n.whole().is_some() || matches!(n, Value::Tensor(_))) =>
            {
                let n = match n {
                    Value::Tensor(t) => repetitions(t, a, b)?,
                    n => n.as_int().ok_or_else(|| super::item::too_long(Kind::Overflow))?,
                };
                self.note_python_list(op, sequence);
                return match repeated(sequence, n)? {
                    Value::Tuple(t) if is_size(sequence) => size_of(t.items.clone()),
                    other => Ok(other),
                };
            }
            (BinaryOp::Mul, sequence, other) | (BinaryOp::Mul, other, sequence)
                if is_sequence(sequence) && !tensor_operators::is_array(other) =>
            {
                let says =
                    format!("can't multiply sequence by non-int of type '{}'", name_of(other));
                return Err(self.not_a_vector(Complaint::new(Kind::Type, says), sequence).into());
            }
            (_, Value::Set(x), Value::Set(y)) => {
                if let Some(set) = (given().python.combine)(op, x, y) {
                    return Ok(set);
                }
            }
            (BinaryOp::BitOr, Value::Dict(x), Value::Dict(y)) => {
                let mut table = x.entries.borrow().copied()?;
                for (k, n, v) in y.entries.borrow().iter() {
                    budget::tick()?;
                    table.insert(k.clone(), n.clone(), v.clone());
                }
                let dict = crate::Dict::default();
                dict.entries.replace(table.into());
                return Ok(Value::dict(dict));
            }
            _ => {
                if op == BinaryOp::BitOr
                    && let Some(union) = (given().python.either)(a, b)
                {
                    return Ok(union);
                }
                if let Some(set) = (given().python.combine_views)(self, op, a, b)? {
                    return Ok(set);
                }
            }
        }
        let complaint = unsupported(op, a, b);
        match [a, b].into_iter().find(|v| matches!(v, Value::List(_))) {
            Some(list) if !self.exact() => Err(self.not_a_vector(complaint, list).into()),
            _ => Err(complaint.into()),
        }
    }

    /// The complaint about an operand that is a list of numbers says how it becomes a vector.
    fn not_a_vector(&self, complaint: Box<Complaint>, operand: &Value) -> Box<Complaint> {
        let vector = matches!(operand, Value::List(list) if list.numeric.get() && !self.exact());
        match are_numbers(operand) && !vector {
            true if self.exact() => {
                complaint.hint("this list is Python's; tensor(…) makes a vector of it")
            }
            true => complaint.hint(
                "this list is Python's, as it was repeated or computed; stack(…) makes a vector of it",
            ),
            false => complaint,
        }
    }

    /// `__add__` and `__radd__` of a program's classes; None where neither answers.
    pub(crate) fn instance_operator(
        &mut self,
        op: BinaryOp,
        a: &Value,
        b: &Value,
    ) -> Tried<Option<Value>> {
        let (forward, backward, _) = names(op);
        for (this, name, other) in [(a, forward, b), (b, backward, a)] {
            if !matches!(this, Value::Instance(_) | Value::Tensor(_)) {
                continue;
            }
            if let Some(method) = self.special(this, name) {
                let site = self.here();
                let result = self.call_with(&method, vec![other.clone()], &site)?;
                if !matches!(result, Value::NotImplemented) {
                    return Ok(Some(result));
                }
            }
        }
        Ok(None)
    }

    /// Signs of what is not a plain int or float.
    pub(crate) fn unary_slow(&mut self, op: UnaryOp, v: &Value) -> Tried<Value> {
        let (name, sign) = match op {
            UnaryOp::Minus => ("__neg__", "-"),
            UnaryOp::Plus => ("__pos__", "+"),
            UnaryOp::Invert => ("__invert__", "~"),
        };
        match v {
            _ if is_matrix(v) => (given().matrix.unary)(self, op, v),
            Value::Tensor(_) if tensor_class::class_of(v).is_some() => {
                if let Some(method) = self.special(v, name) {
                    let site = self.here();
                    return self.call_with(&method, Vec::new(), &site);
                }
                match tensor_class::speaks(v) {
                    true => Ok(self.tensor_class_sign(op, v)?.unwrap_or(Value::None)),
                    false => tensor_operators::unary(op, v),
                }
            }
            Value::Bool(b) => Ok(Value::Int(match op {
                UnaryOp::Minus => -i64::from(*b),
                UnaryOp::Plus => i64::from(*b),
                UnaryOp::Invert => !i64::from(*b),
            })),
            Value::Int(i) if op == UnaryOp::Invert => Ok(Value::Int(!i)),
            Value::Long(n) if op == UnaryOp::Invert => Ok((!&**n).into()),
            Value::Number(n) => {
                let number = self.unary(op, &n.number())?;
                if op == UnaryOp::Minus && grad_mode::is_grad_enabled() {
                    let variable = tensor_operators::negate(&n.variable)?;
                    return Ok(Value::Number(Rc::new(Tracked::new(number, variable))));
                }
                Ok(if op == UnaryOp::Plus { v.clone() } else { number })
            }
            Value::Instance(_) => match self.special(v, name) {
                Some(method) => {
                    let site = self.here();
                    self.call_with(&method, Vec::new(), &site)
                }
                None => Err(bad_unary(sign, v).into()),
            },
            _ if tensor_operators::is_array(v) || self.is_vector(v) => {
                tensor_operators::unary(op, v)
            }
            _ => Err(bad_unary(sign, v).into()),
        }
    }
}

fn bad_unary(sign: &str, v: &Value) -> Box<Complaint> {
    let name = crate::tp_name(v);
    let bad = || Complaint::new(Kind::Type, format!("bad operand type for unary {sign}: '{name}'"));
    stand_in::blamed(&[v]).unwrap_or_else(bad)
}

/// An int, whether it remembers or not.
fn is_int(v: &Value) -> bool {
    v.plain().is_int()
}

fn is_size(v: &Value) -> bool {
    matches!(v, Value::Tuple(t) if t.kind == TupleKind::Size)
}

/// `torch.Size` of what holds ints.
pub fn size_of(items: Vec<Value>) -> Tried<Value> {
    let mut ints = Vec::with_capacity(items.len());
    for (k, item) in items.into_iter().enumerate() {
        let int = match &item {
            Value::Tensor(t) if t.numel() == 1 && !t.dtype().is_float() => {
                t.value().item().map(|v| v as i64)
            }
            Value::Long(_) => return Err(vjp_tensor::torch_messages::long_unpacked().into()),
            other => other.as_int(),
        };
        match int {
            Some(n) => ints.push(Value::Int(n)),
            None => crate::raise!(
                Kind::Type,
                "torch.Size() takes an iterable of 'int' (item {k} is '{}')",
                crate::name_of(&item)
            ),
        }
    }
    Ok(Value::Tuple(Rc::new(crate::values::value::Tuple { items: ints, kind: TupleKind::Size })))
}

pub(crate) fn is_sequence(v: &Value) -> bool {
    matches!(v, Value::Str(_) | Value::List(_) | Value::Tuple(_))
}

/// Whether lists are added to it as arrays are; to a tensor they are not.
fn is_of_numpy(v: &Value) -> bool {
    matches!(v, Value::Array(_) | Value::NpScalar(..))
}
