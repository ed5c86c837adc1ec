//! Reads signatures written as PyTorch's documentation writes them:
//! `(Tensor input, int[] dim=None, bool keepdim=False, *, dtype dtype=None)`.

use std::cell::RefCell;
use vjp_python::keywords::split;
use vjp_text::QuickMap;

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepts {
    Tensor,
    /// A tensor, or a number that broadcasts: `Tensor|Scalar`.
    TensorOrNumber,
    Tensors,
    Number,
    Int,
    Float,
    Bool,
    Text,
    /// One int or several: `(2, 3)`, `[2, 3]`, and `x.reshape(2, 3)` where it comes first.
    Ints,
    /// Several ints, where PyTorch takes no single one for them but `x.reshape(6)`.
    Size,
    Dtype,
    Anything,
}

impl Accepts {
    /// As PyTorch's type errors call it.
    pub fn name(self) -> &'static str {
        match self {
            Accepts::Tensor | Accepts::TensorOrNumber => "Tensor",
            Accepts::Tensors => "tuple of Tensors",
            Accepts::Number => "Number",
            Accepts::Int => "int",
            Accepts::Float => "float",
            Accepts::Bool => "bool",
            Accepts::Text => "str",
            Accepts::Ints | Accepts::Size => "tuple of ints",
            Accepts::Dtype => "torch.dtype",
            Accepts::Anything => "object",
        }
    }

    fn read(text: &str) -> Accepts {
        let text = text.trim_end_matches('?');
        let has = |part: &str| text.contains(part);
        if has("Tensor[]") || has("Tensors") {
            Accepts::Tensors
        } else if has("Tensor") && (has("|") || has("/")) {
            Accepts::TensorOrNumber
        } else if has("Tensor") {
            Accepts::Tensor
        } else if text.ends_with("|bool") {
            Accepts::Anything
        } else if text == "ints" {
            Accepts::Size
        } else if has("ints") || has("int[") || has("size") || has("Size") {
            Accepts::Ints
        } else if has("Number") || has("Scalar") {
            Accepts::Number
        } else if has("dtype") || has("Dtype") {
            Accepts::Dtype
        } else {
            match text {
                "int" => Accepts::Int,
                "float" | "double" => Accepts::Float,
                "bool" => Accepts::Bool,
                "str" | "string" => Accepts::Text,
                _ => Accepts::Anything,
            }
        }
    }
}

/// The value of a parameter that is not given.
#[derive(Clone, Debug, PartialEq)]
pub enum Usual {
    Required,
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    Ints(Vec<i64>),
}

impl Usual {
    fn read(text: &str) -> Usual {
        let text = text.trim();
        let quoted = text.trim_matches(['"', '\'']);
        match text {
            "None" => Usual::None,
            "True" => Usual::Bool(true),
            "False" => Usual::Bool(false),
            _ if quoted != text => Usual::Text(quoted.to_owned()),
            _ => {
                if let Ok(int) = text.parse() {
                    Usual::Int(int)
                } else if let Ok(float) = text.parse() {
                    Usual::Float(float)
                } else {
                    let inner = text.trim_matches(['(', ')', '[', ']']);
                    let ints = inner.split(',').filter(|t| !t.trim().is_empty());
                    Usual::Ints(ints.filter_map(|t| t.trim().parse().ok()).collect())
                }
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub name: &'static str,
    pub accepts: Accepts,
    pub usual: Usual,
    pub keyword_only: bool,
    /// It takes all arguments from its place on, as `*tensors` does.
    pub starred: bool,
}

#[derive(Debug, PartialEq)]
pub struct Signature {
    pub params: Vec<Param>,
}

impl Signature {
    /// Parameters that can be given by position.
    pub fn positional(&self) -> usize {
        self.params.iter().filter(|p| !p.keyword_only).count()
    }

    /// The place of a keyword; NumPy's `axis` and `keepdims` stand for `dim` and `keepdim`, `self` for `input`.
    pub fn place(&self, keyword: &str) -> Option<usize> {
        let at = |name: &str| self.params.iter().position(|p| p.name == name);
        // A method of a class has Python's names alone.
        let python = self.params.first().is_some_and(|p| p.name == "self");
        at(keyword).or_else(|| match keyword {
            _ if python => None,
            "axis" => at("dim"),
            "keepdims" => at("keepdim"),
            "a" | "x" | "x1" => at("input"),
            "x2" => at("other"),
            _ => None,
        })
    }
}

/// The parsed form of a signature, kept from the first time on.
pub fn signature(text: &'static str) -> &'static Signature {
    thread_local! {
        /// By address: a text that stands twice is read twice.
        static KNOWN: RefCell<QuickMap<(usize, usize), &'static Signature>> = RefCell::default();
    }
    let key = (text.as_ptr() as usize, text.len());
    KNOWN.with_borrow_mut(|known| {
        *known.entry(key).or_insert_with(|| Box::leak(Box::new(parse(text))))
    })
}

/// The signature without `inplace`, which only `torch.nn.functional` has.
pub fn out_of_place(text: &'static str) -> &'static Signature {
    let Some((before, after)) = text.split_once(", bool inplace=False") else {
        return signature(text);
    };
    thread_local! {
        static SHORT: RefCell<QuickMap<&'static str, &'static Signature>> = RefCell::default();
    }
    SHORT.with_borrow_mut(|known| {
        let parsed = || &*Box::leak(Box::new(parse(String::leak([before, after].concat()))));
        *known.entry(text).or_insert_with(parsed)
    })
}

fn parse(text: &'static str) -> Signature {
    let inner = text.split_once("->").map_or(text, |(before, _)| before).trim();
    let inner = inner.strip_prefix('(').unwrap_or(inner);
    let inner = inner.strip_suffix(')').unwrap_or(inner);
    let mut keyword_only = false;
    let mut params = Vec::new();
    for part in split(inner) {
        let part = part.trim();
        if part == "*" {
            keyword_only = true;
            continue;
        }
        if part.is_empty() {
            continue;
        }
        let (head, usual) = match part.split_once('=') {
            Some((head, usual)) => (head.trim(), Usual::read(usual)),
            None => (part, Usual::Required),
        };
        let (kind, name) = head.rsplit_once(' ').unwrap_or(("", head));
        params.push(Param {
            name: name.trim_start_matches('*'),
            accepts: if name.starts_with('*') && kind.is_empty() {
                Accepts::Ints
            } else {
                Accepts::read(kind)
            },
            usual,
            keyword_only,
            starred: name.starts_with('*'),
        });
    }
    Signature { params }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_pytorch_style() {
        let s = signature(
            "(Tensor input, int[] dim=None, bool keepdim=False, *, torch.dtype dtype=None)",
        );
        let names: Vec<_> = s.params.iter().map(|p| (p.name, p.accepts, p.keyword_only)).collect();
        assert_eq!(
            names,
            [
                ("input", Accepts::Tensor, false),
                ("dim", Accepts::Ints, false),
                ("keepdim", Accepts::Bool, false),
                ("dtype", Accepts::Dtype, true)
            ]
        );
        assert_eq!(s.place("axis"), Some(1));
        assert_eq!(s.params[2].usual, Usual::Bool(false));
    }

    #[test]
    fn parses_defaults() {
        let s = signature(
            "(Tensor input, float eps=1e-05, str reduction='mean', tuple of ints dims=(0, 1))",
        );
        let usual: Vec<_> = s.params.iter().map(|p| p.usual.clone()).collect();
        assert_eq!(
            usual,
            [
                Usual::Required,
                Usual::Float(1e-5),
                Usual::Text("mean".into()),
                Usual::Ints(vec![0, 1])
            ]
        );
        assert_eq!(s.params[3].accepts, Accepts::Ints);
    }
}
