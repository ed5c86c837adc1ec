//! Expressions: the text as it is, with the words that JAX spells otherwise.

use super::sweep::OF_GRAPH;
use super::words::{self, Given, Problem};
use super::{Writer, python};
use crate::syntax::ast::*;
use crate::syntax::visit;
use crate::text::source::{Source, Span};

/// What `torch` is called by in snippets.
const MODULES: [&str; 4] = ["torch", "F", "nn", "np"];
/// What a tensor says about its graph.
const GRAPH: [&str; 6] =
    ["grad_fn", "is_leaf", "requires_grad", "retains_grad", "_version", "next_functions"];

impl Writer<'_> {
    /// An expression for JAX.
    ///
    /// # Errors
    /// A word without counterpart.
    pub(super) fn text(&mut self, source: &Source, e: &Expr) -> Result<String, Problem> {
        match &e.kind {
            ExprKind::Trailers { base, trailers } => self.trailers(source, e, base, trailers),
            ExprKind::Name(name) => Ok(python(name.as_str())),
            _ => {
                let mut parts = Vec::new();
                visit::parts(e, &mut |part| parts.push(part));
                self.spliced(source, e.span, &parts)
            }
        }
    }

    /// The text of `span` with the expressions in it written for JAX.
    pub(super) fn spliced(
        &mut self,
        source: &Source,
        span: Span,
        parts: &[&Expr],
    ) -> Result<String, Problem> {
        let mut out = String::new();
        let mut at = span.start;
        let mut parts = parts.to_vec();
        parts.sort_by_key(|p| p.span.start);
        for part in parts {
            if part.span.start < at {
                continue;
            }
            out += source.slice(Span { start: at, end: part.span.start });
            out += &self.text(source, part)?;
            at = part.span.end;
        }
        out += source.slice(Span { start: at, end: span.end });
        Ok(out)
    }

    fn args(&mut self, source: &Source, args: &[Arg]) -> Result<Vec<Given>, Problem> {
        let one = |a: &Arg| {
            let text = self.text(source, &a.value)?;
            // `f(x for x in xs)` keeps its own brackets.
            Ok(match a.kind {
                ArgKind::Positional => (None, text),
                ArgKind::Named(name) => (Some(name.symbol.as_str().to_owned()), text),
                ArgKind::Spread => (None, format!("*{text}")),
                ArgKind::SpreadNamed => (None, format!("**{text}")),
            })
        };
        args.iter().map(one).collect()
    }

    fn trailers(
        &mut self,
        source: &Source,
        e: &Expr,
        base: &Expr,
        trailers: &[Trailer],
    ) -> Result<String, Problem> {
        let first = trailers.first().map_or(e.span.end, |t| t.span.start);
        let mut k = 0;
        let mut this = match &base.kind {
            ExprKind::Name(name) if MODULES.contains(&name.as_str()) => {
                let (text, used) = self.library(source, &[name.as_str().to_owned()], trailers)?;
                k = used;
                text
            }
            ExprKind::Name(name) if self.imported.contains_key(name.as_str()) => {
                let home = self.imported[name.as_str()].clone();
                let (text, used) = self.library(source, &home, trailers)?;
                k = used;
                text
            }
            ExprKind::Name(name) => match (name.as_str(), trailers.first().map(|t| &t.kind)) {
                (word, Some(TrailerKind::Call(args))) => {
                    k = 1;
                    let args = self.args(source, args)?;
                    self.called(word, args)?
                }
                (word, _) => python(word),
            },
            _ => self.spliced(source, Span { start: e.span.start, end: first }, &[base])?,
        };
        while let Some(trailer) = trailers.get(k) {
            k += 1;
            match &trailer.kind {
                TrailerKind::Attr(name) => {
                    let word = name.symbol.as_str();
                    if let Some(TrailerKind::Call(args)) = trailers.get(k).map(|t| &t.kind) {
                        k += 1;
                        let args = self.args(source, args)?;
                        this = self.method(&this, word, &args)?;
                    } else {
                        this = self.attribute(&this, word)?;
                    }
                }
                TrailerKind::Call(args) => {
                    let args = self.args(source, args)?;
                    let args: Vec<String> = args
                        .into_iter()
                        .map(|(k, t)| k.map_or(t.clone(), |k| format!("{k}={t}")))
                        .collect();
                    this = format!("{this}({})", args.join(", "));
                }
                TrailerKind::Index(index) => {
                    let mut text = self.text(source, index)?;
                    if matches!(index.kind, ExprKind::List(_)) {
                        text = format!("jnp.array({text})");
                    }
                    this = format!("{this}[{text}]");
                }
            }
        }
        Ok(this)
    }

    /// `torch.a.b(args)`, or an attribute of a module; also how many trailers that took.
    fn library(
        &mut self,
        source: &Source,
        home: &[String],
        trailers: &[Trailer],
    ) -> Result<(String, usize), Problem> {
        let attrs = trailers.iter().map_while(|t| match &t.kind {
            TrailerKind::Attr(name) => Some(name.symbol.as_str()),
            _ => None,
        });
        let attrs: Vec<&str> = attrs.collect();
        let call = match trailers.get(attrs.len()).map(|t| &t.kind) {
            Some(TrailerKind::Call(args)) => Some(args),
            _ => None,
        };
        if home[0] == "np" {
            return Ok((format!("np.{}", attrs.join(".")), attrs.len()));
        }
        let used = attrs.len() + usize::from(call.is_some());
        let mut path: Vec<&str> = home.iter().map(String::as_str).chain(attrs).collect();
        if path[0] == "torch" {
            path.remove(0);
        }
        if path.starts_with(&["nn", "functional"]) {
            path.remove(0);
        }
        if path.first().is_some_and(|word| matches!(*word, "functional" | "F")) {
            path.remove(0);
        }
        let name = path.join(".");
        let Some(args) = call else {
            return Ok((words::constant(&name)?, used));
        };
        let args = self.args(source, args)?;
        if name == "autograd.grad" {
            return Ok((self.asked("autograd.grad", &args)?, used));
        }
        Ok((words::function(&name, &args)?, used))
    }

    /// What a call asks of a value, asked of the function that was made for it or of the program's own.
    fn asked(&mut self, word: &str, args: &[Given]) -> Result<String, Problem> {
        let by = |name: &str, place: usize| {
            let named = args.iter().find(|(k, _)| k.as_deref() == Some(name));
            named.or(args.get(place).filter(|(k, _)| k.is_none())).map(|(_, t)| t.clone())
        };
        let (Some(y), Some(x)) = (by("outputs", 0), by("inputs", 1)) else {
            return Err(Problem::new(
                format!("{word} without its two arguments"),
                format!("{word}(y, x)"),
            ));
        };
        let own = self.functions.contains(&y);
        let (f, leaves) = match self.made.get(&y) {
            Some((f, leaves)) if !own => (f.clone(), leaves.join(", ")),
            _ => (y.clone(), x.clone()),
        };
        let weight = match by("grad_outputs", 2).or(by("v", 2)) {
            Some(v) if word != "autograd.grad" => format!("jnp.asarray({v}, dtype=float)"),
            Some(v) => v,
            None => format!("jnp.ones_like({y})"),
        };
        Ok(match word {
            "jacobian" | "hessian" => format!("jax.{word}({f})({leaves})"),
            "jvp" if own => format!("jax.jvp({f}, ({leaves},), ({weight},))"),
            "jvp" => format!("jax.jvp({f}, ({leaves},), ({weight},))[1]"),
            "vjp" if own => format!("({f}({leaves}), jax.vjp({f}, {leaves})[1]({weight})[0])"),
            "autograd.grad" => format!("jax.vjp({f}, {leaves})[1]({weight})"),
            _ => format!("jax.vjp({f}, {leaves})[1]({weight})[0]"),
        })
    }

    /// A call of a name: a function of the program, of Python, or of the torch program's prelude.
    fn called(&mut self, word: &str, args: Vec<Given>) -> Result<String, Problem> {
        let texts: Vec<String> = args
            .iter()
            .map(|(k, t)| k.as_ref().map_or(t.clone(), |k| format!("{k}={t}")))
            .collect();
        let all = texts.join(", ");
        let own = self.functions.contains(word);
        if !own && OF_GRAPH.contains(&word) {
            return self.asked(word, &args);
        }
        Ok(match word {
            _ if own => format!("{}({all})", python(word)),
            "gradcheck" => {
                return Err(Problem::graph(
                    "gradcheck: jax.test_util.check_grads takes a function",
                ));
            }
            "stacked" => format!("jnp.array({all}, dtype=float)"),
            "float" | "int" if self.traced => format!("jax.lax.stop_gradient({all})"),
            _ => format!("{}({all})", python(word)),
        })
    }

    fn method(&mut self, this: &str, word: &str, args: &[Given]) -> Result<String, Problem> {
        match word {
            "item" | "numpy" | "tolist" if self.traced => {
                Ok(format!("jax.lax.stop_gradient({this})"))
            }
            "detach" if !self.traced => Ok(this.to_owned()),
            _ => words::method(this, word, args),
        }
    }

    fn attribute(&mut self, this: &str, word: &str) -> Result<String, Problem> {
        let name = this.chars().all(|c| c.is_alphanumeric() || c == '_');
        Ok(match word {
            "grad" if name && self.leaves.contains(this) => format!("{this}_grad"),
            "grad" if name => "None".to_owned(),
            "grad" => {
                return Err(Problem::new(
                    format!("{this}.grad: the gradient has no name of its own"),
                    "give the leaf a name",
                ));
            }
            "data" if self.traced => format!("jax.lax.stop_gradient({this})"),
            "data" => this.to_owned(),
            word if GRAPH.contains(&word) => return Err(Problem::graph(word)),
            _ => format!("{this}.{word}"),
        })
    }
}
