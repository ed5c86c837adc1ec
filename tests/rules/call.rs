//! An entry's example, read: which arguments are tensors, which are written out, how it is called.

use super::exceptions::is_constant;
use super::run::LEAVES;
use super::values::{Data, Kind};
use vjp::eval::language::machine::{Machine, Manner};
use vjp::eval::leaf;
use vjp::eval::record::source_lookup;
use vjp::eval::values::value::Value;
use vjp::ops::{Entry, Forms};
use vjp::text::source::Source;

/// An argument.
#[derive(Clone, Debug)]
pub enum Piece {
    /// One of [`Call::data`].
    Tensor(usize),
    /// A list of them.
    Tensors(Vec<usize>),
    Text(String),
}

/// A parameter, as a signature writes it.
#[derive(Clone, Debug)]
pub struct Param {
    pub kind: String,
    pub name: String,
    pub default: Option<String>,
    /// After a `*`.
    pub keyword_only: bool,
}

#[derive(Clone, Debug)]
pub struct Call {
    pub entry: &'static Entry,
    pub params: Vec<Param>,
    /// The parameter's place and the argument, in the order written.
    pub pieces: Vec<(usize, Piece)>,
    pub data: Vec<Data>,
}

pub fn params(signature: &str) -> Vec<Param> {
    let line = signature.lines().next().unwrap_or("").trim();
    let inner = line.trim_start_matches('(').trim_end_matches(')');
    let mut parts: Vec<String> = Vec::new();
    for part in inner.split(", ") {
        match parts.last_mut() {
            // A comma in a default: `int[] dims=[0, 1]`.
            Some(open) if open.matches('[').count() > open.matches(']').count() => {
                *open += &format!(", {part}");
            }
            _ => parts.push(part.to_owned()),
        }
    }
    let mut keyword_only = false;
    let read = |text: &String| {
        keyword_only |= text == "*";
        let (head, default) = match text.split_once('=') {
            Some((head, default)) => (head, Some(default.to_owned())),
            None => (text.as_str(), None),
        };
        let (kind, name) = match head.split_once(' ') {
            Some(both) => both,
            // Of a type that the signature leaves open.
            None if head.starts_with(char::is_alphabetic) => ("", head),
            None => return None,
        };
        Some(Param {
            kind: kind.to_owned(),
            name: name.trim_start_matches('*').to_owned(),
            default,
            keyword_only,
        })
    };
    parts.iter().filter_map(read).collect()
}

/// How PyTorch is asked for it; None where it has no such thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Home {
    Function(&'static str),
    Method,
    Attribute,
    InPlace,
}

pub fn home(entry: &Entry) -> Option<Home> {
    [
        (Forms::TORCH, Home::Function("torch.")),
        (Forms::F, Home::Function("F.")),
        (Forms::LINALG, Home::Function("torch.linalg.")),
        (Forms::SPECIAL, Home::Function("torch.special.")),
        (Forms::METHOD, Home::Method),
        (Forms::ATTRIBUTE, Home::Attribute),
        (Forms::INPLACE, Home::InPlace),
    ]
    .into_iter()
    .find(|(form, _)| entry.forms.has(*form))
    .map(|(_, home)| home)
}

/// The texts of the arguments with their keywords, the receiver first where there is one.
fn arguments(entry: &Entry) -> Option<Vec<(Option<String>, String)>> {
    let spoken = source_lookup::spoken(entry.example, entry.name)?;
    let receiver = spoken.receiver.map(|text| (None, text));
    Some(receiver.into_iter().chain(spoken.arguments).collect())
}

fn value(machine: &mut Machine, text: &str) -> Option<Value> {
    let source = Source::new(format!("probe = {text}"));
    machine.run(&source, Manner::Program, &mut |_| {}).ok()?;
    machine.lookup("probe")
}

impl Call {
    /// Reads the example; `machine` is one that is not strict.
    pub fn read(entry: &'static Entry, machine: &mut Machine) -> Option<Call> {
        let mut call =
            Call { entry, params: params(entry.signature), pieces: Vec::new(), data: Vec::new() };
        let last = call.params.len().checked_sub(1)?;
        for (k, (name, text)) in arguments(entry)?.into_iter().enumerate() {
            let place = match name {
                Some(name) => call.params.iter().position(|p| p.name == name)?,
                None => k.min(last),
            };
            let piece = call.piece(machine, place, &text)?;
            call.pieces.push((place, piece));
        }
        Some(call)
    }

    fn piece(&mut self, machine: &mut Machine, place: usize, text: &str) -> Option<Piece> {
        let kind = self.params[place].kind.clone();
        if kind.contains("Tensors")
            && let Some(items) = source_lookup::elements(text)
        {
            let mut places = Vec::new();
            for item in items {
                let item = value(machine, &item)?;
                places.push(self.add(&item)?);
            }
            return Some(Piece::Tensors(places));
        }
        let value = value(machine, text)?;
        let written = Some(Piece::Text(text.to_owned()));
        if !kind.contains("Tensor") {
            return written;
        }
        match &value {
            Value::None | Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Number(_) => {
                written
            }
            value => Some(Piece::Tensor(self.add(value)?)),
        }
    }

    fn add(&mut self, value: &Value) -> Option<usize> {
        let variable = leaf::stacked(value).ok()?;
        self.data.push(Data::of(&variable));
        Some(self.data.len() - 1)
    }

    /// Places of the floating-point arrays.
    pub fn floats(&self) -> Vec<usize> {
        (0..self.data.len()).filter(|k| self.data[*k].kind == Kind::Float).collect()
    }

    pub fn gives(&self, param: &str) -> bool {
        let named = |(place, _): &(usize, Piece)| self.params[*place].name == param;
        self.pieces.iter().any(named)
    }

    pub fn with(&self, param: &Param, text: &str) -> Call {
        let mut call = self.clone();
        let place = self.params.iter().position(|p| p.name == param.name);
        let piece = Piece::Text(text.to_owned());
        call.pieces.push((place.unwrap_or(0), piece));
        call
    }

    /// With an array for every number that may be one.
    pub fn numbers_as_tensors(&self) -> Option<Call> {
        let mut call = self.clone();
        for (place, piece) in &mut call.pieces {
            let Piece::Text(text) = piece else { continue };
            if self.params[*place].kind.contains("Tensor")
                && let Ok(x) = text.parse()
            {
                call.data.push(Data { shape: Vec::new(), data: vec![x], kind: Kind::Float });
                *piece = Piece::Tensor(call.data.len() - 1);
            }
        }
        (call.data.len() > self.data.len()).then_some(call)
    }

    pub fn with_data(&self, data: Vec<Data>) -> Call {
        let mut call = self.clone();
        call.data = data;
        call
    }

    /// Whether PyTorch has no derivative with respect to this array.
    fn constant(&self, at: usize) -> bool {
        let is = |piece: &Piece| matches!(piece, Piece::Tensor(k) if *k == at);
        let param = self.pieces.iter().find(|(_, piece)| is(piece));
        param.is_some_and(|(place, _)| {
            is_constant(self.entry.name, self.params[*place].name.as_str())
        })
    }

    fn names(&self) -> Vec<char> {
        let (mut floats, mut others) = (LEAVES, 'i'..='q');
        self.data
            .iter()
            .enumerate()
            .map(|(k, d)| match d.kind {
                Kind::Float if !self.constant(k) => floats.next().unwrap_or('x'),
                _ => others.next().unwrap_or('y'),
            })
            .collect()
    }

    fn expression(&self, home: Home, names: &[char]) -> String {
        let mut ordered = true;
        let mut texts = self.pieces.iter().enumerate().map(|(k, (place, piece))| {
            let text = match piece {
                Piece::Tensor(k) => names[*k].to_string(),
                Piece::Tensors(all) => {
                    let all: Vec<String> = all.iter().map(|k| names[*k].to_string()).collect();
                    format!("[{}]", all.join(", "))
                }
                Piece::Text(text) => text.clone(),
            };
            ordered &= *place == k.min(self.params.len() - 1) && !self.params[*place].keyword_only;
            match ordered {
                true => text,
                false => format!("{}={text}", self.params[*place].name),
            }
        });
        let name = self.entry.name;
        if let Home::Function(module) = home {
            return format!("{module}{name}({})", texts.collect::<Vec<_>>().join(", "));
        }
        let receiver = texts.next().unwrap_or_default();
        let rest = texts.collect::<Vec<_>>().join(", ");
        match home {
            Home::InPlace => format!("{receiver}.clone().{name}_({rest})"),
            Home::Attribute => format!("{receiver}.{name}"),
            _ => format!("{receiver}.{name}({rest})"),
        }
    }

    /// `a = [1.0, 2.0]; i = [0]; torch.gather(a, 0, i)`
    pub fn program(&self, home: Home) -> String {
        let names = self.names();
        let mut text = String::new();
        for (name, data) in names.iter().zip(&self.data) {
            text += &format!("{name} = {}; ", data.literal());
        }
        text + &self.expression(home, &names)
    }
}
