//! Python's `time`.

use std::time::Duration;
use vjp_eval::library::builtins;
use vjp_eval::{Args, Machine, Module, Tried, Value};
use vjp_tensor::clock::{self, Instant, since_1970};
use vjp_tensor::{Kind, budget};

type Made = Tried<Value>;

pub static TIME: Module = Module {
    name: "time",
    help: "Clocks",
    contents: || FUNCTIONS.iter().map(|b| (b.name, Value::Builtin(b))).collect(),
};

builtins! {
    static FUNCTIONS in "time";
    "time" "()" |_, a| { a.count(0, 0)?; Ok(Value::Float(since_1970().as_secs_f64())) }, "Returns the seconds since 1970.";
    "time_ns" "()" |_, a| { a.count(0, 0)?; Ok(Value::Int(since_1970().as_nanos() as i64)) }, "Returns the nanoseconds since 1970.";
    "perf_counter" "()" elapsed, "Returns the time of a monotonic clock, in seconds.";
    "monotonic" "()" elapsed, "Returns the time of a monotonic clock, in seconds.";
    "process_time" "()" elapsed, "Returns the time of a monotonic clock, in seconds.";
    "sleep" "(secs, /)" sleep, "Waits.";
}

thread_local! {
    static START: Instant = Instant::now();
}

fn elapsed(_: &mut Machine, args: Args) -> Made {
    args.count(0, 0)?;
    Ok(Value::Float(START.with(Instant::elapsed).as_secs_f64()))
}

/// Waits in short steps, so that Ctrl-C and the time limit are answered.
fn sleep(m: &mut Machine, args: Args) -> Made {
    args.count(1, 1)?;
    let seconds = super::math::real(m, &args.positional[0])?;
    if seconds.is_nan() || seconds < 0.0 {
        vjp_eval::raise!(Kind::Value, "sleep length must be non-negative");
    }
    // A run that only looks for a value need not wait.
    let seconds = if m.goal.is_some() { 0.0 } else { seconds };
    let start = Instant::now();
    loop {
        budget::tick()?;
        let left = seconds - start.elapsed().as_secs_f64();
        if left <= 0.0 {
            return Ok(Value::None);
        }
        clock::wait(Duration::from_secs_f64(left.min(0.02)));
    }
}
