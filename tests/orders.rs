//! Derivatives of any order and every way to ask for them, byte for byte as real PyTorch prints them
//! (tests/orders/*.out, captured by tests/orders/capture.py).
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::Path;
use vjp::eval::event::Event;
use vjp::eval::machine::{Machine, Manner, Options};
use vjp::maths::tensor::Dtype;
use vjp::text::source::Source;

fn run(program: String) -> String {
    let work = move || {
        let mut machine = Machine::new(Options {
            strict: true,
            dtype: Dtype::Float64,
        });
        let mut printed = String::new();
        let _ = machine.run(
            &Source::new(program),
            Manner::Program,
            &mut |event| match event {
                Event::Print(text) => printed.push_str(&text),
                Event::Error(fault) => {
                    printed += &format!("{}: {}\n", fault.class, fault.message);
                }
                _ => {}
            },
        );
        printed
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20);
    thread.spawn(work).unwrap().join().unwrap()
}

fn same(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/orders");
    let program = fs::read_to_string(folder.join(format!("{name}.py"))).unwrap();
    let wanted = fs::read_to_string(folder.join(format!("{name}.out"))).unwrap();
    assert_eq!(run(program), wanted, "{name}.py");
}

#[test]
fn create_graph() {
    same("create");
}

#[test]
fn autograd_grad() {
    same("grad");
}

#[test]
fn autograd_functional() {
    same("functional");
}

#[test]
fn func_transforms() {
    same("func");
}

#[test]
fn hooks() {
    same("hooks");
}

#[test]
fn second_and_third_order_of_operations() {
    same("ops");
}

#[test]
fn refusals() {
    same("refusals");
}

#[test]
fn trees_of_tensors() {
    same("trees");
}

#[test]
fn gradcheck() {
    same("gradcheck");
}
