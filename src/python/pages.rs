//! Modules of Python's library that are written in the language itself (`prelude/`).

use std::cell::RefCell;
use std::rc::Rc;
use vjp_eval::library::builtins;
use vjp_eval::values::value::Exception;
use vjp_eval::{Args, Halt, Machine, Module, Tried, Value};
use vjp_tensor::Kind;

vjp_eval::pages! {
    /// By module.
    pub static PAGES;
    "abc" "language/abc";
    "argparse" "files/argparse";
    "bisect" "data/bisect";
    "builtins" "data/bytes";
    "collections" "data/collections";
    "collections" "data/user_containers";
    "collections.abc" "language/collections_abc";
    "contextlib" "language/contextlib";
    "csv" "data/csv";
    "dataclasses" "language/dataclasses";
    "datetime" "data/datetime";
    "enum" "language/enum";
    "fnmatch" "files/fnmatch";
    "fractions" "data/fractions";
    "functools" "language/functools";
    "gc" "files/gc";
    "glob" "files/glob";
    "heapq" "data/heapq";
    "inspect" "language/inspect";
    "io" "data/io";
    "itertools" "data/itertools";
    "json" "data/json";
    "logging" "files/logging";
    "numbers" "data/numbers";
    "operator" "language/operator";
    "os" "files/os";
    "os.path" "files/os_path";
    "pathlib" "files/pathlib";
    "pprint" "language/pprint";
    "random" "data/random";
    "re" "data/re";
    "shutil" "files/shutil";
    "statistics" "data/statistics";
    "string" "data/string";
    "sys" "language/sys";
    "tempfile" "files/tempfile";
    "textwrap" "data/textwrap";
    "time" "data/time";
    "timeit" "data/timeit";
    "tqdm" "language/tqdm";
    "tqdm.auto" "language/tqdm";
    "tqdm.notebook" "language/tqdm";
    "traceback" "language/traceback";
    "types" "language/types";
    "typing" "language/typing";
    "warnings" "language/warnings";
}

builtins! {
    /// What `warnings` is made of.
    static WARNINGS in "warnings";
    "_show" "(text, key, /)" show, "Shows a warning, once for each key.";
    "_place" "()" place, "Returns the file and the line that are being evaluated.";
}

builtins! {
    /// What `traceback` is made of.
    static TRACEBACK in "traceback";
    "_handled" "()" |m, _| Ok(m.handled_now().map_or(Value::None, Value::Exception)), "Returns the exception that is being handled.";
}

builtins! {
    /// What `io` is made of.
    static IO in "io";
    "_absent" "(name, /)" absent, "Raises FileNotFoundError.";
}

/// There is no file but those that the program wrote.
fn absent(_: &mut Machine, args: Args) -> Tried<Value> {
    let name = args.positional.into_iter().next().unwrap_or(Value::None);
    let says = Value::from("No such file or directory");
    let hint = "vjp has only the files that the program itself wrote: put the data in the program";
    Err(Halt::of(Rc::new(Exception {
        own: None,
        kind: Kind::FileNotFound,
        args: RefCell::new(vec![Value::Int(2), says, name]),
        hint: Some(hint.to_owned()),
        attributes: RefCell::default(),
    })))
}

fn show(machine: &mut Machine, args: Args) -> Tried<Value> {
    let text = |k: usize| match args.positional.get(k) {
        Some(Value::Str(s)) => s.to_string(),
        _ => String::new(),
    };
    machine.show_warning(text(0), &text(1));
    Ok(Value::None)
}

fn place(machine: &mut Machine, _: Args) -> Tried<Value> {
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
    "argparse" "Options of a program: their defaults";
    "bisect" "Binary search in sorted lists";
    "collections" "Containers besides list, dict and set";
    "collections.abc" "What containers can do";
    "contextlib" "Context managers from functions";
    "csv" "Rows of text with separators";
    "dataclasses" "Classes that hold data";
    "datetime" "Dates and times";
    "enum" "Classes of named constants";
    "fnmatch" "Names that fit a pattern";
    "fractions" "Numbers as a quotient of integers";
    "functools" "Functions that work on functions";
    "gc" "Freeing memory: done at once";
    "glob" "The program's own files whose names fit a pattern";
    "heapq" "Heaps: lists with the smallest element first";
    "inspect" "What functions take; frames of calls", crate::inspect::frames::INSPECT;
    "io" "Streams in memory", IO;
    "itertools" "Building blocks for iterators";
    "json" "JSON reading and writing";
    "logging" "Messages on standard error";
    "numbers" "Classes of numbers";
    "operator" "The operators as functions";
    "os" "Paths, and the files that the program wrote in memory";
    "os.path" "Paths as text";
    "pathlib" "Paths as objects";
    "pprint" "Pretty printing";
    "re" "Regular expressions", crate::strings::patterns::RE;
    "shutil" "Copies of the program's own files";
    "statistics" "Statistics of numbers";
    "string" "String constants";
    "sys" "Information about the interpreter", super::SYS;
    "tempfile" "Folders for a while, in memory";
    "textwrap" "Text in lines of a width";
    "timeit" "How long a function takes";
    "tqdm" "Progress bars (not drawn)";
    "tqdm.auto" "The same as tqdm";
    "tqdm.notebook" "The same as tqdm";
    "traceback" "Where an exception came from", TRACEBACK;
    "types" "Simple objects with attributes";
    "typing" "Names for annotations";
    "unicodedata" "Normal forms of text, and kinds of characters", crate::strings::unicode::UNICODEDATA;
    "warnings" "Warnings: shown as notes, filtered as in Python", WARNINGS;
}
