//! Arguments of a call, put in the places of a signature, with PyTorch's TypeErrors.

use crate::overloads::listed_values;
use crate::readers::{as_bool, as_dtype, as_int, as_ints, as_number, tensor_like};
use crate::signature;
use crate::signature::{Accepts, Param, Signature, Usual, out_of_place};
use vjp_eval::{Args, At, Halt, Machine, Site, Tried, Value, name_of, raise, tp_name};
use vjp_maths::Variable;
use vjp_tensor::{Complaint, Dtype, Fact, Kind, Outcome, torch_messages};
use vjp_text::foreign_spellings;
use vjp_text::foreign_spellings::Means;

/// The arguments of one call, by parameter.
pub struct Given {
    pub name: &'static str,
    pub site: Site,
    signature: &'static Signature,
    values: Vec<Option<Value>>,
    /// Which were given by keyword.
    by_keyword: Vec<bool>,
    /// A keyword that fits no parameter, or one that has its argument.
    unexpected: Option<Box<Complaint>>,
    /// The first argument is the object of a method: positions are counted behind it.
    pub receiver: bool,
    /// Of PyTorch, in a program that keeps to it.
    pub strict: bool,
    /// PyTorch's, not NumPy's.
    torch: bool,
    /// Whether the function is one of `torch.nn.functional`.
    functional: bool,
}

impl Given {
    /// The arguments of a call of a function, by its signature.
    pub fn of(args: Args) -> Tried<Given> {
        Given::by_own_signature(args, false)
    }

    /// The same of a method whose object is the first argument.
    pub fn of_method(args: Args) -> Tried<Given> {
        Given::by_own_signature(args, true)
    }

    fn by_own_signature(args: Args, receiver: bool) -> Tried<Given> {
        let span = args.site.span;
        let signature = args.callee.map_or("()", |b| b.signature);
        Given::read(args, signature, receiver).at(span)
    }

    /// Reads a call of a function, or of a method whose object is the first argument.
    ///
    /// # Errors
    /// Too many, missing or unknown arguments.
    pub fn read(args: Args, text: &'static str, receiver: bool) -> Outcome<Given> {
        let mut given = Given::open(args, text, receiver)?;
        if let Some(complaint) = given.unexpected.take() {
            return Err(complaint);
        }
        match (0..given.values.len()).find(|place| given.lacks(*place)) {
            Some(place) => Err(given.no_size().unwrap_or_else(|| given.missing(place))),
            None => given.unpacked().map(|()| given),
        }
    }

    /// [`Given::read`] where the arguments are taken one by one, and errors told in that order: see
    /// [`Given::missing`] and [`Given::done`].
    ///
    /// # Errors
    /// Too many arguments.
    pub fn open(args: Args, text: &'static str, receiver: bool) -> Outcome<Given> {
        let module = args.callee.map_or("", |callee| callee.module);
        let signature = match module {
            "torch" => out_of_place(text),
            _ if receiver => out_of_place(text),
            _ => signature(text),
        };
        let args = crate::overloads::as_python(args, signature)?;
        let name = crate::overloads::said(&args);
        let offset = usize::from(receiver);
        if receiver && signature.params.len() == 1 && !args.named.is_empty() {
            let text = format!("TensorBase.{name}() takes no keyword arguments");
            return Err(Complaint::new(Kind::Type, text));
        }
        let places = signature.positional();
        let mut values: Vec<Option<Value>> = vec![None; signature.params.len()];
        let mut by_keyword = vec![false; values.len()];
        let mut positional = args.positional;
        gather(&signature.params[..places], &mut positional, offset);
        if positional.len() > places {
            // Python looks at the keywords first.
            let known = |word: &str| signature.place(word).is_some() || word == "device";
            let mut words = args.named.iter().map(|(n, _)| n.as_str());
            let python = name.ends_with("__init__");
            if let Some(word) = words.find(|w| python && !known(w) && !IGNORED.contains(w)) {
                let says = format!("{name}() got an unexpected keyword argument '{word}'");
                return Err(Complaint::new(Kind::Type, says));
            }
            return Err(too_many(name, signature, positional.len(), receiver));
        }
        for (slot, value) in values.iter_mut().zip(positional) {
            *slot = Some(value);
        }
        let mut unexpected = None;
        for (keyword, value) in args.named {
            let word = keyword.as_str();
            match signature.place(word) {
                Some(_) if word == "memory_format" => {}
                Some(i) if values[i].is_none() => {
                    values[i] = Some(value);
                    by_keyword[i] = true;
                }
                Some(_) => {
                    let says = format!("{name}() got multiple values for argument '{word}'");
                    unexpected.get_or_insert_with(|| Complaint::new(Kind::Type, says));
                }
                None if word == "device" => crate::device::reached(&value)?,
                None if word == "order" && value.as_str() == Some("F") => {
                    return Err(Complaint::absent("order='F'"));
                }
                None if IGNORED.contains(&word) => {}
                None => {
                    let says = format!("{name}() got an unexpected keyword argument '{word}'");
                    let known = signature.params.iter().map(|p| p.name);
                    let complaint = Complaint::new(Kind::Type, says);
                    let complaint =
                        vjp_eval::language::call::misspelled::keyword(complaint, word, known);
                    unexpected.get_or_insert(complaint);
                }
            }
        }
        let strict = module == "torch" || module.starts_with("torch.") || receiver;
        let torch = !module.starts_with('n');
        let site = args.site;
        let functional = module == crate::overloads::FUNCTIONAL;
        Ok(Given {
            name,
            site,
            signature,
            values,
            by_keyword,
            unexpected,
            receiver,
            strict,
            torch,
            functional,
        })
    }

    /// PyTorch's complaint of what stands for a size and is none, which comes before that of what is missing.
    fn no_size(&self) -> Option<Box<Complaint>> {
        let sizes = |p: &Param| matches!(p.accepts, Accepts::Ints | Accepts::Size);
        let mut given = self.signature.params.iter().zip(&self.values).enumerate();
        let (place, param, value) = given.find_map(|(place, (param, value))| {
            let value = value.as_ref().filter(|v| listed_values(v).is_none())?;
            (self.strict && sizes(param) && !self.by_keyword[place])
                .then_some((place, param, value))
        })?;
        let at = place + 1 - usize::from(self.receiver);
        let (name, found) = (param.name, tp_name(value));
        let text = format!(
            "{}(): argument '{name}' (position {at}) must be tuple of ints, not {found}",
            self.name
        );
        Some(Complaint::new(Kind::Type, text))
    }

    /// Whether an argument that has no default was not given.
    pub fn lacks(&self, place: usize) -> bool {
        self.values[place].is_none() && self.signature.params[place].usual == Usual::Required
    }

    /// That this argument, and those after it that have no default, were not given.
    pub fn missing(&self, place: usize) -> Box<Complaint> {
        let name = self.name;
        let required = self.signature.params.iter().zip(&self.values).skip(place);
        let by_python = name.ends_with("__init__") || name.ends_with(".forward");
        let missing: Vec<&str> = required
            .filter(|(p, v)| p.usual == Usual::Required && (!by_python || v.is_none()))
            .map(|(p, _)| p.name)
            .collect();
        if by_python {
            return vjp_eval::language::call::parameters::lacks(name, &missing, "positional");
        }
        let quoted: Vec<String> = missing.iter().map(|name| format!("\"{name}\"")).collect();
        // The plural is PyTorch's.
        let s = if missing.len() == 1 { "s" } else { "" };
        let text = format!(
            "{name}() missing {} required positional argument{s}: {}",
            quoted.len(),
            quoted.join(", ")
        );
        Complaint::new(Kind::Type, text)
    }

    /// After all arguments were taken.
    ///
    /// # Errors
    /// A keyword that fits none.
    pub fn done(&mut self) -> Outcome<()> {
        self.unexpected.take().map_or(Ok(()), Err)
    }

    /// PyTorch unpacks ints into 64 bits.
    ///
    /// # Errors
    /// What it says where they do not fit.
    pub fn unpacked(&self) -> Outcome<()> {
        if !self.torch {
            return Ok(());
        }
        let is_long = |v: &Value| v.as_int().is_none() && v.whole().is_some();
        for (param, value) in self.signature.params.iter().zip(&self.values) {
            let (long, at) = match value {
                Some(Value::Tuple(t)) if param.accepts == Accepts::Ints => {
                    let at = t.items.iter().position(is_long);
                    (at.is_some(), at.unwrap_or(0))
                }
                Some(Value::List(l)) if param.accepts == Accepts::Ints => {
                    let at = l.items.borrow().iter().position(is_long);
                    (at.is_some(), at.unwrap_or(0))
                }
                Some(v) => (is_long(v), 0),
                None => continue,
            };
            if !long {
                continue;
            }
            let many = !matches!(param.name, "dim" | "shifts" | "axis") || at > 0;
            return Err(match param.accepts {
                Accepts::Ints if many => Complaint::new(
                    Kind::Type,
                    format!(
                        "{}(): argument '{}' failed to unpack the object at pos {} with error \"{}\"",
                        self.name,
                        param.name,
                        at + 1,
                        torch_messages::long_unpacked().message
                    ),
                ),
                Accepts::Int | Accepts::Ints => torch_messages::long_unpacked(),
                Accepts::Number | Accepts::Float | Accepts::TensorOrNumber => {
                    torch_messages::long_converted()
                }
                _ => continue,
            });
        }
        Ok(())
    }

    pub fn params(&self) -> &[Param] {
        &self.signature.params
    }

    fn place(&self, name: &str) -> usize {
        self.signature.params.iter().position(|p| p.name == name).unwrap_or(usize::MAX)
    }

    /// What was given; None where nothing, or `None`, was.
    pub fn value(&self, name: &str) -> Option<Value> {
        self.at(self.place(name))
    }

    /// [`Given::value`] by position.
    pub fn at(&self, place: usize) -> Option<Value> {
        self.raw(place).filter(|v| !v.is_none())
    }

    /// What was given, `None` included.
    pub fn raw(&self, place: usize) -> Option<Value> {
        self.values.get(place)?.clone()
    }

    /// The default of a parameter.
    pub fn usual(&self, place: usize) -> &Usual {
        self.signature.params.get(place).map_or(&Usual::None, |p| &p.usual)
    }

    /// PyTorch's sentence on an argument of the wrong type.
    pub fn mismatch(&self, place: usize, value: &Value) -> Halt {
        let asked = crate::overloads::asked(self.name).filter(|_| self.functional);
        if let Some(attribute) = asked
            && (place == 0 || attribute == "size")
        {
            // A loss asks its target first, and softmax without a dimension for the number of them.
            let other = self.values.get(1).and_then(Option::as_ref);
            let is_softmax = attribute.ends_with("softmax");
            let (attribute, of) = match other {
                None if is_softmax => ("dim", value),
                Some(v) if attribute == "size" && !matches!(v, Value::Tensor(_)) => (attribute, v),
                _ => (attribute, value),
            };
            let text = format!("'{}' object has no attribute '{attribute}'", name_of(of));
            return Halt::new(Kind::Attribute, text).place(self.span(place));
        }
        let Some(param) = self.signature.params.get(place) else {
            return Halt::new(Kind::Type, format!("{}(): wrong argument", self.name));
        };
        let by_keyword = param.keyword_only || self.by_keyword[place];
        let position = match by_keyword {
            true => String::new(),
            false => {
                let method = self.receiver || asked.is_some_and(|a| a.ends_with("softmax"));
                format!(" (position {})", place + 1 - usize::from(method))
            }
        };
        let found = match param.accepts {
            Accepts::Ints | Accepts::Size if !by_keyword => no_int(value),
            _ => None,
        };
        let not = match found {
            // PyTorch's check of types saw the first alone.
            Some((at, element)) if at > 0 => {
                let text = format!(
                    "{}(): argument '{}' failed to unpack the object at pos {} with error \"type must be tuple of ints,but got {}\"",
                    self.name,
                    param.name,
                    at + 1,
                    tp_name(&element)
                );
                let complaint = Complaint::new(Kind::Type, text).about(Fact::NotUnpacked);
                return Halt::from(complaint).place(self.span(place));
            }
            Some((at, element)) => {
                format!("but found element of type {} at pos {at}", tp_name(&element))
            }
            None => format!("not {}", tp_name(value)),
        };
        let text = no_tensor(param.accepts, value, place).unwrap_or_else(|| {
            let (name, accepts) = (param.name, param.accepts.name());
            format!("{}(): argument '{name}'{position} must be {accepts}, {not}", self.name)
        });
        let halt = Halt::new(Kind::Type, text).place(self.span(place));
        // Of two tensors the word was meant as elsewhere: `diff(y, x)`.
        match (foreign_spellings::name(self.name), vjp_eval::leaf::existing(value)) {
            (Some(Means::Says(says)), Some(_)) if place == 1 => {
                let [y, x] = [0, 1].map(|k| self.site.text(self.span(k)).trim());
                halt.helped(foreign_spellings::with_names(says, y, x))
            }
            _ => halt,
        }
    }

    /// Where argument `place` stands, if it was given by position.
    pub fn span(&self, place: usize) -> vjp_text::Span {
        match place.checked_sub(usize::from(self.receiver)) {
            Some(i) => self.site.arg(i),
            None => self.site.receiver.unwrap_or(self.site.span),
        }
    }

    fn typed<T>(&self, name: &str, read: impl FnOnce(&Value) -> Option<T>) -> Tried<Option<T>> {
        let place = self.place(name);
        match self.at(place) {
            None if self.raw(place).is_some() && *self.usual(place) == Usual::Required => {
                Err(self.mismatch(place, &Value::None))
            }
            None => Ok(None),
            Some(value) => match read(&value) {
                Some(read) => Ok(Some(read)),
                None => Err(self.mismatch(place, &value)),
            },
        }
    }

    /// A bool, or the parameter's default.
    ///
    /// # Errors
    /// Not a bool.
    pub fn bool(&self, name: &str) -> Tried<bool> {
        let usual = matches!(self.usual(self.place(name)), Usual::Bool(true));
        Ok(self.typed(name, as_bool)?.unwrap_or(usual))
    }

    /// An integer, or the parameter's default, if it has one.
    ///
    /// # Errors
    /// Not an integer.
    pub fn int(&self, name: &str) -> Tried<Option<i64>> {
        let usual = match self.usual(self.place(name)) {
            Usual::Int(i) => Some(*i),
            _ => None,
        };
        Ok(self.typed(name, as_int)?.or(usual))
    }

    /// A number, or the parameter's default, if it has one.
    ///
    /// # Errors
    /// Not a number.
    pub fn float(&self, name: &str) -> Tried<Option<f64>> {
        let usual = match self.usual(self.place(name)) {
            Usual::Int(i) => Some(*i as f64),
            Usual::Float(f) => Some(*f),
            _ => None,
        };
        Ok(self.typed(name, as_number)?.or(usual))
    }

    /// # Errors
    /// Not a dtype.
    pub fn dtype(&self, name: &str) -> Tried<Option<Dtype>> {
        // NumPy has names of types too.
        let named = |v: &Value| self.strict && matches!(v, Value::Str(_));
        self.typed(name, |v| if named(v) { None } else { as_dtype(v) })
    }

    /// # Errors
    /// Not a string.
    pub fn text(&self, name: &str) -> Tried<Option<String>> {
        let usual = match self.usual(self.place(name)) {
            Usual::Text(t) => Some(t.clone()),
            _ => None,
        };
        Ok(self.typed(name, |v| v.as_str().map(str::to_owned))?.or(usual))
    }

    /// # Errors
    /// Not an int or a sequence of ints.
    pub fn ints(&self, name: &str) -> Tried<Option<Vec<i64>>> {
        let usual = match self.usual(self.place(name)) {
            Usual::Ints(i) => Some(i.clone()),
            Usual::Int(i) => Some(vec![*i]),
            _ => None,
        };
        Ok(self.typed(name, as_ints)?.or(usual))
    }

    /// A size: non-negative ints.
    ///
    /// # Errors
    /// No sequence of ints; a negative one.
    pub fn size(&self, name: &str) -> Tried<Vec<usize>> {
        let place = self.place(name);
        if let Some(none @ Value::None) = self.raw(place) {
            return Err(self.mismatch(place, &none));
        }
        let ints = self.ints(name)?.unwrap_or_default();
        if self.name == "zeros" && ints.iter().any(|n| *n < 0) {
            raise!("zeros: Dimension size must be non-negative.");
        }
        Ok(vjp_tensor::shape::of_lengths(&ints)?)
    }

    /// A tensor; outside strict also what represents one.
    pub fn tensor(&self, machine: &mut Machine, name: &str) -> Tried<Option<Variable>> {
        let place = self.place(name);
        match self.at(place) {
            None if self.raw(place).is_some() && *self.usual(place) == Usual::Required => {
                Err(self.mismatch(place, &Value::None))
            }
            None => Ok(None),
            Some(value) => match tensor_like(machine, &value).at(self.span(place))? {
                Some(variable) => Ok(Some(variable)),
                None => Err(self.mismatch(place, &value)),
            },
        }
    }

    /// [`Given::tensor`] of a parameter without a default.
    pub fn the_tensor(&self, machine: &mut Machine, name: &str) -> Tried<Variable> {
        match self.tensor(machine, name)? {
            Some(variable) => Ok(variable),
            None => Err(self.mismatch(self.place(name), &Value::None)),
        }
    }
}

/// Keywords that PyTorch takes and that make no difference here.
const IGNORED: &[&str] =
    &["out", "layout", "pin_memory", "memory_format", "non_blocking", "copy", "generator", "order"];

/// `x.reshape(2, 3)`, `torch.zeros(2, 3)`, `torch.einsum(e, a, b)`: several arguments for a last
/// parameter that takes a list become that list.
fn gather(params: &[Param], positional: &mut Vec<Value>, offset: usize) {
    if gathers(params, positional, offset) {
        let rest = positional.split_off(params.len() - 1);
        positional.push(Value::tuple(rest));
    }
}

/// Whether the arguments from the last parameter's place on are a list of their own.
pub fn gathers(params: &[Param], positional: &[Value], offset: usize) -> bool {
    let Some((last, before)) = params.split_last() else {
        return false;
    };
    let start = before.len();
    match last.accepts {
        // PyTorch: only where the ints are all there is; it looks at the first.
        Accepts::Ints | Accepts::Size => {
            let int = |v: &Value| as_int(v).is_some();
            start == offset && positional.len() > start + 1 && int(&positional[start])
        }
        Accepts::Tensors => {
            positional.len() > start
                && (positional.len() > params.len()
                    || (positional.len() == params.len()
                        && matches!(positional.last(), Some(Value::Tensor(_)))
                        && (last.starred || last.name.ends_with("operands"))))
        }
        // One argument alone may be a list already.
        Accepts::Anything => last.starred && positional.len() > params.len(),
        _ => false,
    }
}

/// The complaint about the first element of a list of tensors that is none.
fn no_tensor(accepts: Accepts, value: &Value, place: usize) -> Option<String> {
    let items = listed_values(value).filter(|_| accepts == Accepts::Tensors)?;
    let none = |v: &Value| matches!(v, Value::Array(_)) || vjp_eval::leaf::existing(v).is_none();
    let (at, element) = items.iter().enumerate().find(|(_, v)| none(v))?;
    let given = tp_name(element);
    Some(format!("expected Tensor as element {at} in argument {place}, but got {given}"))
}

/// The first element of a list that is not an int, and where it stands.
fn no_int(value: &Value) -> Option<(usize, Value)> {
    listed_values(value)?.into_iter().enumerate().find(|(_, v)| as_int(v).is_none())
}

fn too_many(name: &str, signature: &Signature, given: usize, receiver: bool) -> Box<Complaint> {
    let offset = usize::from(receiver);
    let most = signature.positional() - offset;
    let given = given - offset;
    let message = if signature.params.len() == offset && receiver {
        format!("TensorBase.{name}() takes no arguments ({given} given)")
    } else {
        let least = signature.params.iter().filter(|p| p.usual == Usual::Required).count();
        let least = least.saturating_sub(offset);
        if least == most {
            let s = if most == 1 { "" } else { "s" };
            let were = if given == 1 { "was" } else { "were" };
            format!("{name}() takes {most} positional argument{s} but {given} {were} given")
        } else {
            format!(
                "{name}() takes from {least} to {most} positional arguments but {given} were given"
            )
        }
    };
    Complaint::new(Kind::Type, message)
}
