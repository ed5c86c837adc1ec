//! Modules of Python's library that are written in the language itself (`prelude/`).

use vjp_eval::language::call::Args;
use vjp_eval::language::exception::raise::Halt;
use vjp_eval::language::machine::Machine;
use vjp_eval::library::{Module, builtins};
use vjp_eval::values::value::Value;

vjp_eval::pages! {
    /// By module.
    pub static PAGES;
    "abc" "python/abc";
    "bisect" "python/bisect";
    "collections" "python/collections";
    "contextlib" "python/contextlib";
    "dataclasses" "python/dataclasses";
    "enum" "python/enum";
    "functools" "python/functools";
    "heapq" "python/heapq";
    "io" "python/io";
    "itertools" "python/itertools";
    "json" "python/json";
    "operator" "python/operator";
    "pprint" "python/pprint";
    "statistics" "python/statistics";
    "string" "python/string";
    "sys" "python/sys";
    "tqdm" "python/tqdm";
    "tqdm.auto" "python/tqdm";
    "tqdm.notebook" "python/tqdm";
    "types" "python/types";
    "typing" "python/typing";
    "warnings" "python/warnings";
    "collections.abc" "python/typing";
}

builtins! {
    /// What `warnings` is made of.
    static WARNINGS in "warnings";
    "_show" "(text, key, /)" show, "Shows a warning, once for each key.";
    "_place" "()" place, "Returns the file and the line that are being evaluated.";
}

fn show(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    let text = |k: usize| match args.positional.get(k) {
        Some(Value::Str(s)) => s.to_string(),
        _ => String::new(),
    };
    machine.show_warning(text(0), &text(1));
    Ok(Value::None)
}

fn place(machine: &mut Machine, _: Args) -> Result<Value, Halt> {
    let (file, line, _) = machine.line_now();
    Ok(Value::tuple(vec![Value::from(file), Value::Int(line as i64)]))
}

macro_rules! modules {
    ($($name:literal $help:literal $(, $own:expr)?;)*) => {
        /// Modules of Python's library that are pages and nothing else.
        pub static MODULES: &[Module] = &[$(Module {
            name: $name,
            help: $help,
            contents: modules!(@ $($own)?),
        }),*];
    };
    (@) => { Vec::new };
    (@ $own:expr) => { || $own.iter().map(|b| (b.name, Value::Builtin(b))).collect() };
}

modules! {
    "abc" "Abstract base classes";
    "bisect" "Binary search in sorted lists";
    "collections" "Containers besides list, dict and set";
    "collections.abc" "Container types, for annotations";
    "contextlib" "Context managers from functions";
    "dataclasses" "Classes that hold data";
    "enum" "Classes of named constants";
    "functools" "Functions that work on functions";
    "heapq" "Heaps: lists with the smallest element first";
    "io" "Text streams in memory";
    "itertools" "Building blocks for iterators";
    "json" "JSON reading and writing";
    "operator" "The operators as functions";
    "pprint" "Pretty printing";
    "statistics" "Statistics of numbers";
    "string" "String constants";
    "sys" "Information about the interpreter", super::SYS;
    "tqdm" "Progress bars (not drawn)";
    "tqdm.auto" "The same as tqdm";
    "tqdm.notebook" "The same as tqdm";
    "types" "Simple objects with attributes";
    "typing" "Names for annotations";
    "warnings" "Warnings: shown as notes, filtered as in Python", WARNINGS;
}
