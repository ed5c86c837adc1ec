//! How JAX says what an operation of PyTorch does: a text with places for the arguments.
//!
//! `jnp.clip({input}, {min}, {max})`: `{min}` is the argument of that name. An argument of a call is
//! left out with its keyword (`axis={dim}`) where nothing was given, elsewhere the default stands.
//! `{name!}` writes the default out. `{reduction: …}` reduces as a loss does. Alternatives stand
//! between ` or `; the first holds that takes all that was given. `[name=value]` and `[name]` in
//! front ask for an argument's value or for its presence, `[name: tensor]` for a tensor, `[name:
//! number]` for what is none, `[name: int]` for a Python int. `-`: JAX has none.

use crate::code::Code;
use vjp_binder::signature::{Param, Signature, Usual};

/// An argument at its place in the signature.
#[derive(Clone, Debug)]
pub struct Given {
    pub code: Code,
    /// A tensor, as it was seen.
    pub tensor: bool,
    /// What was seen, where that is one text, number or truth.
    pub literal: Option<String>,
}

/// A call's arguments, by parameter.
pub struct Bound<'a> {
    pub signature: &'a Signature,
    pub given: Vec<Option<Given>>,
}

/// Arguments that change nothing in JAX.
const SILENT: &[&str] = &[
    "requires_grad",
    "device",
    "layout",
    "pin_memory",
    "memory_format",
    "non_blocking",
    "copy",
    "inplace",
    "sorted",
    "stable",
    "generator",
    "driver",
    "compute_mode",
    "foreach",
    "fused",
    "capturable",
    "assume_unique",
    "check_errors",
    "dtype",
];

/// Whether an argument changes nothing in JAX.
pub fn is_silent(name: &str) -> bool {
    SILENT.contains(&name)
}

impl Bound<'_> {
    pub fn param(&self, name: &str) -> Option<(&Param, Option<&Given>)> {
        let at = self.signature.params.iter().position(|p| p.name == name)?;
        Some((&self.signature.params[at], self.given[at].as_ref()))
    }

    pub fn get(&self, name: &str) -> Option<&Given> {
        self.param(name)?.1
    }

    /// The text, number or truth that an argument is, or its default.
    fn literal(&self, name: &str) -> Option<String> {
        let (param, given) = self.param(name)?;
        match given {
            Some(given) => given.literal.clone(),
            None => default(&param.usual),
        }
    }

    /// Fills the first alternative that takes all arguments.
    pub fn fill(&self, template: &str) -> Option<Code> {
        template.split(" or ").find_map(|t| self.fill_one(t.trim()))
    }

    fn fill_one(&self, alternative: &str) -> Option<Code> {
        let mut text = alternative;
        let mut named: Vec<&str> = Vec::new();
        while let Some(rest) = text.strip_prefix('[') {
            let (guard, after) = rest.split_once("] ")?;
            for condition in guard.split(", ") {
                named.push(self.holds(condition)?);
            }
            text = after;
        }
        let all = self.signature.params.iter().zip(&self.given);
        for (param, given) in all {
            let hole = |end: &str| text.contains(&format!("{{{}{end}", param.name));
            let mentioned = hole("}") || hole("!}") || hole(":") || text.contains("{*}");
            let silent = SILENT.contains(&param.name) || named.contains(&param.name);
            let usual = given.as_ref().and_then(|g| g.literal.clone()) == default(&param.usual);
            let told = mentioned || silent || (usual && default(&param.usual).is_some());
            if given.is_some() && !told {
                return None;
            }
        }
        let filled = self.filled(text).ok()?;
        Some(Code::of(filled))
    }

    /// The parameter that a condition is about, where it holds.
    fn holds<'c>(&self, condition: &'c str) -> Option<&'c str> {
        if let Some((name, kind)) = condition.split_once(": ") {
            let given = self.get(name)?;
            let holds = match kind {
                "int" => given.literal.as_ref().is_some_and(|t| t.parse::<i64>().is_ok()),
                kind => given.tensor == (kind == "tensor"),
            };
            return holds.then_some(name);
        }
        match condition.split_once('=') {
            Some((name, value)) => (self.literal(name).as_deref() == Some(value)).then_some(name),
            // Asked for the presence only: the text still has to take it.
            None => self.get(condition).map(|_| ""),
        }
    }

    fn filled(&self, text: &str) -> Result<String, Missing> {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '(', '[']) {
            out += &rest[..at];
            let end = matching(rest, at);
            let inner = &rest[at + 1..end];
            let before = rest[..at].chars().next_back();
            if rest.as_bytes()[at] == b'{' {
                let alone = text.len() == end + 1 - at;
                out += &self.hole(inner, alone || bracketed(&out, &rest[end + 1..]))?;
            } else {
                let call = before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ']');
                let (open, close) = (&rest[at..=at], &rest[end..=end]);
                out += open;
                out += &self.arguments(inner, call)?;
                out += close;
            }
            rest = &rest[end + 1..];
        }
        Ok(out + rest)
    }

    /// What stands between brackets; in a call, arguments that were not given are left out.
    fn arguments(&self, inner: &str, call: bool) -> Result<String, Missing> {
        if inner == "{*}" {
            return Ok(self.all());
        }
        let parts = split(inner);
        let mut kept = Vec::new();
        for part in &parts {
            let value = part.split_once('=').map_or(*part, |(_, v)| v).trim();
            let lone = value.starts_with('{') && matching(value, 0) == value.len() - 1;
            match value[1..].split(['}', ':', '!']).next() {
                Some(name) if call && lone && !value.contains('!') && self.is_missing(name) => {}
                _ => kept.push(self.filled(part)?),
            }
        }
        let comma = if inner.trim_end().ends_with(',') { "," } else { "" };
        Ok(kept.join(", ") + comma)
    }

    fn is_missing(&self, name: &str) -> bool {
        self.param(name).is_some_and(|(_, given)| given.is_none())
    }

    /// All arguments as they were given, those behind a gap with their names.
    fn all(&self) -> String {
        let mut gap = false;
        let mut parts = Vec::new();
        for (param, given) in self.signature.params.iter().zip(&self.given) {
            match given {
                Some(_) if SILENT.contains(&param.name) => gap = true,
                Some(g) if gap || param.keyword_only => {
                    parts.push(format!("{}={}", param.name, g.code.text));
                }
                Some(g) => parts.push(g.code.text.clone()),
                None => gap = true,
            }
        }
        parts.join(", ")
    }

    fn hole(&self, inner: &str, alone: bool) -> Result<String, Missing> {
        if let Some((name, inner)) = inner.split_once(": ") {
            let inner = self.filled(inner)?;
            return Ok(match self.literal(name).as_deref() {
                Some("'sum'") => format!("jnp.sum({inner})"),
                Some("'mean'") => format!("jnp.mean({inner})"),
                Some("'none'") if alone => inner,
                Some("'none'") => Code::of(inner).tight(),
                _ => return Err(Missing),
            });
        }
        let forced = inner.ends_with('!');
        let name = inner.trim_end_matches('!');
        let (param, given) = self.param(name).ok_or(Missing)?;
        match given {
            Some(given) if alone => Ok(given.code.text.clone()),
            Some(given) => Ok(given.code.tight()),
            None if forced || !matches!(param.usual, Usual::Required | Usual::None) => {
                default(&param.usual).ok_or(Missing)
            }
            None => Err(Missing),
        }
    }
}

struct Missing;

/// Whether nothing but commas, brackets and a keyword stands around a place.
fn bracketed(before: &str, after: &str) -> bool {
    let begins = before.trim_end().ends_with(['(', ',', '[']) || before.ends_with('=');
    let ends = after.trim_start().is_empty() || after.trim_start().starts_with([')', ',', ']']);
    match before.is_empty() {
        true => after.is_empty(),
        false => begins && ends,
    }
}

/// A default as Python writes it.
pub fn default(usual: &Usual) -> Option<String> {
    Some(match usual {
        Usual::Required => return None,
        Usual::None => "None".into(),
        Usual::Bool(true) => "True".into(),
        Usual::Bool(false) => "False".into(),
        Usual::Int(i) => i.to_string(),
        Usual::Float(f) => format!("{f:?}"),
        Usual::Text(t) => format!("'{t}'"),
        Usual::Ints(all) => {
            let all: Vec<String> = all.iter().map(i64::to_string).collect();
            format!("({})", all.join(", "))
        }
    })
}

/// Where the bracket at `open` is closed.
fn matching(text: &str, open: usize) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices().skip_while(|(at, _)| *at < open) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    text.len() - 1
}

/// The parts between commas that stand in no brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    parts.retain(|p| !p.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use vjp_binder::signature;

    fn filled(text: &'static str, given: &[(&str, &str)], template: &str) -> Option<String> {
        let signature = signature(text);
        let one = |p: &Param| {
            let (_, text) = given.iter().find(|(name, _)| *name == p.name)?;
            let literal = text.parse::<f64>().is_ok() || text.starts_with('\'');
            Some(Given {
                code: Code::of((*text).to_owned()),
                tensor: text.starts_with(|c: char| c.is_alphabetic()),
                literal: literal.then(|| (*text).to_owned()),
            })
        };
        let bound = Bound { signature, given: signature.params.iter().map(one).collect() };
        Some(bound.fill(template)?.text)
    }

    const SUM: &str = "(Tensor input, int[] dim=None, bool keepdim=False)";
    const LOSS: &str = "(Tensor input, Tensor target, *, str reduction='mean')";

    #[test]
    fn what_was_not_given_is_left_out() {
        let sum = "jnp.sum({input}, axis={dim}, keepdims={keepdim})";
        assert_eq!(filled(SUM, &[("input", "x")], sum).unwrap(), "jnp.sum(x)");
        assert_eq!(
            filled(SUM, &[("input", "x"), ("dim", "0")], sum).unwrap(),
            "jnp.sum(x, axis=0)"
        );
        assert_eq!(filled(SUM, &[("input", "x"), ("dim", "0")], "jnp.sum({input})"), None);
    }

    #[test]
    fn operands_keep_together() {
        let loss = "{reduction: ({input} - {target}) ** 2}";
        let given = [("input", "a + b"), ("target", "t")];
        assert_eq!(filled(LOSS, &given, loss).unwrap(), "jnp.mean(((a + b) - t) ** 2)");
        let given = [("input", "a"), ("target", "t"), ("reduction", "'none'")];
        assert_eq!(filled(LOSS, &given, loss).unwrap(), "(a - t) ** 2");
    }

    #[test]
    fn the_first_alternative_that_fits_holds() {
        let max = "[dim: tensor] jnp.maximum({input}, {dim}) or [dim] max_along({input}, {dim}) or jnp.max({input})";
        assert_eq!(filled(SUM, &[("input", "x"), ("dim", "y")], max).unwrap(), "jnp.maximum(x, y)");
        assert_eq!(filled(SUM, &[("input", "x"), ("dim", "1")], max).unwrap(), "max_along(x, 1)");
        assert_eq!(filled(SUM, &[("input", "x")], max).unwrap(), "jnp.max(x)");
    }
}
