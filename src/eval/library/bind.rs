//! Arguments of a call, put in the places of a signature, with PyTorch's TypeErrors.

use super::signature::{Accepts, Param, Signature, Usual, signature};
use super::types::name_of;
use super::values::{as_bool, as_dtype, as_int, as_ints, as_number, tensor_like};
use crate::eval::call::{Args, Site};
use crate::eval::machine::Machine;
use crate::eval::raise::{At, Halt};
use crate::eval::value::Value;
use crate::maths::complaint::{Complaint, Kind, Outcome};
use crate::maths::tensor::Dtype;
use crate::maths::variable::Variable;
use crate::raise;

/// The arguments of one call, by parameter.
pub struct Given {
    pub name: &'static str,
    pub site: Site,
    signature: &'static Signature,
    values: Vec<Option<Value>>,
    /// The first argument is the object of a method: positions are counted behind it.
    receiver: bool,
}

impl Given {
    /// Reads a call of a function, or of a method whose object is the first argument.
    ///
    /// # Errors
    /// Too many, missing or unknown arguments.
    pub fn read(args: Args, text: &'static str, receiver: bool) -> Outcome<Given> {
        let signature = signature(text);
        let name = args.name();
        let offset = usize::from(receiver);
        let places = signature.positional();
        let mut values: Vec<Option<Value>> = vec![None; signature.params.len()];
        let mut positional = args.positional;
        gather(&signature.params[..places], &mut positional, offset);
        if positional.len() > places {
            return Err(too_many(name, signature, positional.len(), receiver));
        }
        for (slot, value) in values.iter_mut().zip(positional) {
            *slot = Some(value);
        }
        for (keyword, value) in args.named {
            let word = keyword.as_str();
            match signature.place(word) {
                Some(i) if values[i].is_none() => values[i] = Some(value),
                Some(_) => {
                    return Err(Complaint::new(
                        Kind::Type,
                        format!("{name}() got multiple values for argument '{word}'"),
                    ));
                }
                None if word == "device" => super::device::reached(&value)?,
                None if IGNORED.contains(&word) => {}
                None => {
                    let says = format!("{name}() got an unexpected keyword argument '{word}'");
                    let known = signature.params.iter().map(|p| p.name);
                    return Err(crate::eval::misspelled::keyword(
                        Complaint::new(Kind::Type, says),
                        word,
                        known,
                    ));
                }
            }
        }
        let missing: Vec<String> = signature
            .params
            .iter()
            .zip(&values)
            .filter(|(p, v)| v.is_none() && p.usual == Usual::Required)
            .map(|(p, _)| format!("\"{}\"", p.name))
            .collect();
        if !missing.is_empty() && name.ends_with("__init__") {
            let quoted = signature.params.iter().zip(&values);
            let quoted: Vec<String> = quoted
                .filter(|(p, v)| v.is_none() && p.usual == Usual::Required)
                .map(|(p, _)| format!("'{}'", p.name))
                .collect();
            return Err(Complaint::new(
                Kind::Type,
                format!(
                    "{name}() missing {} required positional argument{}: {}",
                    quoted.len(),
                    if quoted.len() == 1 { "" } else { "s" },
                    crate::text::words::list(&quoted, "and")
                ),
            ));
        }
        if !missing.is_empty() {
            return Err(Complaint::new(
                Kind::Type,
                format!(
                    "{name}() missing {} required positional arguments: {}",
                    missing.len(),
                    missing.join(", ")
                ),
            ));
        }
        Ok(Given { name, site: args.site, signature, values, receiver })
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
        let Some(param) = self.signature.params.get(place) else {
            return Halt::new(Kind::Type, format!("{}(): wrong argument", self.name));
        };
        let position = if param.keyword_only {
            String::new()
        } else {
            format!(" (position {})", place + 1 - usize::from(self.receiver))
        };
        Halt::new(
            Kind::Type,
            format!(
                "{}(): argument '{}'{position} must be {}, not {}",
                self.name,
                param.name,
                param.accepts.name(),
                name_of(value)
            ),
        )
        .place(self.span(place))
    }

    /// Where argument `place` stands, if it was given by position.
    pub fn span(&self, place: usize) -> crate::text::source::Span {
        match place.checked_sub(usize::from(self.receiver)) {
            Some(i) => self.site.arg(i),
            None => self.site.receiver.unwrap_or(self.site.span),
        }
    }

    fn typed<T>(
        &self,
        name: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<Option<T>, Halt> {
        let place = self.place(name);
        match self.at(place) {
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
    pub fn bool(&self, name: &str) -> Result<bool, Halt> {
        let usual = matches!(self.usual(self.place(name)), Usual::Bool(true));
        Ok(self.typed(name, as_bool)?.unwrap_or(usual))
    }

    /// An integer, or the parameter's default, if it has one.
    ///
    /// # Errors
    /// Not an integer.
    pub fn int(&self, name: &str) -> Result<Option<i64>, Halt> {
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
    pub fn float(&self, name: &str) -> Result<Option<f64>, Halt> {
        let usual = match self.usual(self.place(name)) {
            Usual::Int(i) => Some(*i as f64),
            Usual::Float(f) => Some(*f),
            _ => None,
        };
        Ok(self.typed(name, as_number)?.or(usual))
    }

    /// # Errors
    /// Not a dtype.
    pub fn dtype(&self, name: &str) -> Result<Option<Dtype>, Halt> {
        self.typed(name, as_dtype)
    }

    /// # Errors
    /// Not a string.
    pub fn text(&self, name: &str) -> Result<Option<String>, Halt> {
        let usual = match self.usual(self.place(name)) {
            Usual::Text(t) => Some(t.clone()),
            _ => None,
        };
        Ok(self.typed(name, |v| v.as_str().map(str::to_owned))?.or(usual))
    }

    /// # Errors
    /// Not an int or a sequence of ints.
    pub fn ints(&self, name: &str) -> Result<Option<Vec<i64>>, Halt> {
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
    pub fn size(&self, name: &str) -> Result<Vec<usize>, Halt> {
        let ints = self.ints(name)?.unwrap_or_default();
        let mut size = Vec::with_capacity(ints.len());
        for i in ints {
            match usize::try_from(i) {
                Ok(n) => size.push(n),
                Err(_) => {
                    raise!(Kind::Runtime, "{}: Dimension size must be non-negative.", self.name)
                }
            }
        }
        Ok(size)
    }

    /// A tensor; outside strict also what stands for one.
    ///
    /// # Errors
    /// PyTorch's TypeError.
    pub fn tensor(&self, machine: &mut Machine, name: &str) -> Result<Option<Variable>, Halt> {
        let place = self.place(name);
        match self.at(place) {
            None => Ok(None),
            Some(value) => match tensor_like(machine, &value).at(self.span(place))? {
                Some(variable) => Ok(Some(variable)),
                None => Err(self.mismatch(place, &value)),
            },
        }
    }

    /// [`Given::tensor`] of a parameter without a default.
    ///
    /// # Errors
    /// PyTorch's TypeError.
    pub fn the_tensor(&self, machine: &mut Machine, name: &str) -> Result<Variable, Halt> {
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
        // PyTorch: only where the ints are all there is.
        Accepts::Ints => start == offset && positional.len() > start + 1,
        Accepts::Tensors => {
            positional.len() > start
                && (positional.len() > params.len()
                    || (positional.len() == params.len()
                        && matches!(positional.last(), Some(Value::Tensor(_)))
                        && last.name.ends_with("operands")))
        }
        _ => false,
    }
}

fn too_many(name: &str, signature: &Signature, given: usize, receiver: bool) -> Box<Complaint> {
    let offset = usize::from(receiver);
    let most = signature.positional() - offset;
    let given = given - offset;
    let message = if most == 0 && receiver {
        format!("TensorBase.{name}() takes no arguments ({given} given)")
    } else {
        let least = signature
            .params
            .iter()
            .filter(|p| !p.keyword_only && p.usual == Usual::Required)
            .count();
        let least = least.saturating_sub(offset);
        let range = if least < most { format!("from {least} to {most}") } else { most.to_string() };
        let s = if most == 1 { "" } else { "s" };
        let were = if given == 1 { "was" } else { "were" };
        format!("{name}() takes {range} positional argument{s} but {given} {were} given")
    };
    Complaint::new(Kind::Type, message)
}
