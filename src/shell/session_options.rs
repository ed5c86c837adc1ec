//! How a session runs and is drawn, as the command line asks for it.

use std::time::Duration;
use vjp_tensor::tensor::Dtype;

/// Options that every command takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Common {
    pub strict: bool,
    pub dtype: Dtype,
    pub json: bool,
    pub color: Color,
    pub ascii: bool,
    pub time_limit: Option<Duration>,
    pub memory: Option<usize>,
    /// Settings that the command line gave: a config file does not change them.
    pub given: Vec<&'static str>,
}

impl Default for Common {
    fn default() -> Self {
        Common {
            strict: false,
            dtype: Dtype::Float64,
            json: false,
            color: Color::Auto,
            ascii: false,
            time_limit: None,
            memory: None,
            given: Vec::new(),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    #[default]
    Auto,
    Always,
    Never,
}
