//! How a session runs and is drawn, as the command line asks for it.

use std::time::Duration;
use vjp_tensor::Dtype;

/// Options that every command takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Common {
    pub strict: bool,
    pub dtype: Dtype,
    /// Inputs are cells of a notebook.
    pub jupyter: bool,
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
            jupyter: false,
            json: false,
            color: Color::Auto,
            ascii: false,
            time_limit: None,
            memory: None,
            given: Vec::new(),
        }
    }
}

impl Common {
    /// The options that change how programs run, as the command line has them.
    pub fn spelled(&self) -> Vec<String> {
        let mut all = Vec::new();
        all.extend(self.strict.then(|| "--strict".to_owned()));
        if self.dtype != Common::default().dtype {
            all.extend(["--dtype".to_owned(), self.dtype.name().to_owned()]);
        }
        if let Some(limit) = self.time_limit {
            all.extend(["--time-limit".to_owned(), limit.as_secs_f64().to_string()]);
        }
        if let Some(memory) = self.memory {
            all.extend(["--memory".to_owned(), memory.to_string()]);
        }
        all
    }

    /// As the cells of a notebook are meant.
    pub fn of_cells(&self) -> Common {
        Common { strict: true, dtype: Dtype::Float32, jupyter: true, ..self.clone() }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// `auto`, `always`, `never`.
    pub fn named(word: &str) -> Option<Color> {
        match word {
            "auto" => Some(Color::Auto),
            "always" => Some(Color::Always),
            "never" => Some(Color::Never),
            _ => None,
        }
    }
}

/// A size in bytes: `512MiB`, `2GB`, `1.5 GiB`, `4G`, `100000`.
pub fn bytes(word: &str) -> Option<usize> {
    let digits = word.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(word.len());
    let (number, unit) = word.split_at(digits);
    let number: f64 = number.parse().ok()?;
    let unit = unit.trim().to_ascii_lowercase();
    let (base, letter) = match unit.strip_suffix("ib") {
        Some(letter) => (1024f64, letter),
        None => match unit.strip_suffix('b') {
            Some(letter) => (1000.0, letter),
            None => (1024.0, unit.as_str()), // a bare G is a GiB, as in ulimit and java -Xmx
        },
    };
    let power = match letter {
        "" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        _ => return None,
    };
    let bytes = number * base.powi(power);
    (bytes >= 1.0 && bytes < usize::MAX as f64).then_some(bytes as usize)
}
