//! Signatures of what comes next.
use super::call::{Args, Site};
use super::machine::Machine;
use super::raise::Halt;
use super::value::{Iteration, Value};
use crate::syntax::ast::Stmt;
use crate::text::names::Symbol;

pub(super) enum Flow {
    Next,
}
impl Machine {
    pub(super) fn exec(&mut self, _s: &Stmt) -> Result<Flow, Halt> {
        Ok(Flow::Next)
    }
    /// Calls a value.
    ///
    /// # Errors
    /// What it raises.
    pub fn call(&mut self, _f: &Value, _args: Args) -> Result<Value, Halt> {
        Ok(Value::None)
    }
    /// `owner.name`.
    ///
    /// # Errors
    /// AttributeError.
    pub fn get_attr(&mut self, _owner: &Value, _name: Symbol) -> Result<Value, Halt> {
        Ok(Value::None)
    }
    /// `owner[key]`.
    ///
    /// # Errors
    /// As Python.
    pub fn get_item(&mut self, _owner: &Value, _key: &Value) -> Result<Value, Halt> {
        Ok(Value::None)
    }
    /// `iter(value)`.
    ///
    /// # Errors
    /// TypeError.
    pub fn iterate(&mut self, _value: &Value) -> Result<Box<dyn Iteration>, Halt> {
        Err(Halt::new(crate::maths::complaint::Kind::Type, ""))
    }
    /// `list(value)`.
    ///
    /// # Errors
    /// TypeError.
    pub fn collect(&mut self, _value: &Value) -> Result<Vec<Value>, Halt> {
        Ok(Vec::new())
    }
    /// `bool(value)`.
    ///
    /// # Errors
    /// Of a tensor with several elements.
    pub fn truth(&mut self, _value: &Value) -> Result<bool, Halt> {
        Ok(true)
    }
    /// A site at the place under evaluation.
    pub fn here(&self) -> Site {
        Site {
            span: crate::text::source::Span::default(),
            callee: crate::text::source::Span::default(),
            receiver: None,
            args: Vec::new(),
            source: self.source.clone(),
        }
    }
}
