//! `vjp-kernel`: the prompt as a kernel of Jupyter. One thread evaluates, in the same shell as the prompt;
//! another attends to the sockets. `vjp kernel install` makes Jupyter start it.

mod answers;
mod channels;
mod message;
mod shown;

use answers::Kernel;
use channels::Connection;
use std::fs;
use std::sync::mpsc;
use vjp_shell::cli::options::{self, Task};
use vjp_shell::cli::{complain, on_a_large_stack};
use vjp_shell::interrupt;

#[global_allocator]
static ALLOCATOR: vjp_tensor::budget::Counting = vjp_tensor::budget::Counting;

/// Messages that wait to be sent: a program that prints more waits, too.
const WAITING: usize = 256;

fn main() -> std::process::ExitCode {
    on_a_large_stack(work)
}

fn work() -> u8 {
    match run() {
        Ok(()) => 0,
        Err(problem) => {
            complain(&problem, "Jupyter starts this program after vjp kernel install");
            1
        }
    }
}

fn run() -> Result<(), String> {
    let parsed = options::parse(std::env::args_os().skip(1)).map_err(|usage| usage.problem)?;
    let (Task::Files(files), common) = parsed else {
        return Err("vjp-kernel needs a connection file".to_owned());
    };
    let [file] = &files[..] else {
        return Err("vjp-kernel takes one connection file".to_owned());
    };
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let connection = Connection::read(&text)?;
    interrupt::listen(true);
    let (requests, asked) = mpsc::channel();
    let (out, outgoing) = tokio::sync::mpsc::channel(WAITING);
    let sockets = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        let served = runtime.block_on(channels::serve(connection, requests, outgoing));
        served.map_err(|error| error.to_string())
    });
    Kernel::new(common, out).serve(&asked);
    sockets.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
