//! What may stand after an option.

use super::status::Usage;
use crate::session_options::{Color, bytes};
use std::ffi::OsString;
use std::time::Duration;
use vjp_export::Format;
use vjp_tensor::Dtype;

pub fn text(value: OsString) -> Result<String, Usage> {
    value.into_string().map_err(|bad| {
        Usage::new(
            format!("{:?} is not valid UTF-8", bad.to_string_lossy()),
            "code and options must be UTF-8 text",
        )
    })
}

pub fn dtype(word: &str) -> Result<Dtype, Usage> {
    match word {
        "float32" => Ok(Dtype::Float32),
        "float64" => Ok(Dtype::Float64),
        _ => Err(Usage::new(
            format!("--dtype cannot be {word}"),
            "--dtype float32 or --dtype float64",
        )),
    }
}

/// What a session is written as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum To {
    Program(Format),
    Notebook,
}

impl To {
    pub fn words() -> impl Iterator<Item = &'static str> {
        Format::words().iter().copied().chain(["ipynb"])
    }
}

pub fn format(word: &str) -> Result<To, Usage> {
    let notebook = (word == "ipynb").then_some(To::Notebook);
    Format::named(word).map(To::Program).or(notebook).ok_or_else(|| {
        let words: Vec<String> = To::words().map(|w| format!("--to {w}")).collect();
        Usage::new(format!("cannot export to {word}"), words.join(" or "))
    })
}

/// `auto`, `always`, `never`.
pub fn color(word: &str) -> Result<Color, Usage> {
    Color::named(word).ok_or_else(|| {
        Usage::new(
            format!("--color cannot be {word}"),
            "--color auto, --color always or --color never",
        )
    })
}

pub fn seconds(word: &str) -> Result<Duration, Usage> {
    word.parse()
        .ok()
        .and_then(|s: f64| Duration::try_from_secs_f64(s).ok())
        .filter(|d| !d.is_zero())
        .ok_or_else(|| {
            Usage::new(
                format!("--time-limit takes a number of seconds, not {word}"),
                "--time-limit 10 or --time-limit 0.5",
            )
        })
}

/// What random numbers begin with.
///
/// # Errors
/// Not a whole number, or a negative one.
pub fn seed(word: &str) -> Result<u64, Usage> {
    word.parse().map_err(|_| {
        Usage::new(
            format!("--seed takes a whole number from 0 on, not {word}"),
            "--seed 7 makes the same sheets each time",
        )
    })
}

/// Characters a second.
///
/// # Errors
/// Not a positive number.
pub fn speed(word: &str) -> Result<f64, Usage> {
    let speed = word.parse().ok();
    speed.filter(|n: &f64| n.is_finite() && *n > 0.0).ok_or_else(|| {
        Usage::new(
            format!("--speed takes a number above 0, not {word}"),
            "--speed 20 types 20 characters a second",
        )
    })
}

/// A size in bytes: `512MiB`, `2GB`, `1.5 GiB`, `4G`, `100000`.
///
/// # Errors
/// Not such a size, or zero.
pub fn memory(word: &str) -> Result<usize, Usage> {
    bytes(word).ok_or_else(|| {
        Usage::new(format!("{word} is not a size"), "write 512MiB, 2GB or a number of bytes")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let sizes = ["512MiB", "2GB", "1.5GiB", "4g", "100", "1kB"].map(memory);
        assert_eq!(sizes, [512 << 20, 2_000_000_000, 3 << 29, 4 << 30, 100, 1000].map(Ok));
        assert!(
            ["", "GB", "1XB", "-1GB", "0", "1e99GB", "1..2"].iter().all(|s| memory(s).is_err())
        );
    }
}
