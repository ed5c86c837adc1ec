//! What PyTorch prints and says, byte for byte, at float32 as it starts and with float64 as the default
//! (tests/torch/*.out, captured by tests/torch/capture.py).

use vjp::eval::language::machine::{Manner, Options};
use vjp::eval::record::event::Event;
use vjp::tensor::tensor::Dtype;
use vjp::text::source::Source;

fn run(program: &'static str, dtype: Dtype) -> String {
    let work = move || {
        let strict = true;
        let mut machine = vjp::tutor::machine(Options { strict, dtype });
        let mut printed = String::new();
        let mut take = |event| match event {
            Event::Print(text) => printed.push_str(&text),
            Event::Error(fault) => printed += &format!("{}: {}\n", fault.class, fault.message),
            _ => {}
        };
        let _ = machine.run(&Source::new(program), Manner::Program, &mut take);
        printed
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20);
    thread.spawn(work).unwrap().join().unwrap()
}

macro_rules! same_text {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            let program = include_str!(concat!("torch/", stringify!($name), ".py"));
            let single = include_str!(concat!("torch/", stringify!($name), ".float32.out"));
            let double = include_str!(concat!("torch/", stringify!($name), ".float64.out"));
            for (dtype, want) in [(Dtype::Float32, single), (Dtype::Float64, double)] {
                let got = run(program, dtype);
                for (g, w) in got.lines().zip(want.lines()) {
                    assert_eq!(g, w, "{dtype:?}");
                }
                assert_eq!(got, want, "{dtype:?}");
            }
        }
    )*};
}

same_text! { arrays careless functions printing mistakes kinds objects networks digits engine views ends longs overlap saved frozen memory distributions lazy packed unpool pieces kept chances words mixed containers bags outside training forward int64 wrong dual lessons floats courses sparse graph strides docstrings pasted subclasses overridden registered }

#[test]
fn integers_beyond_doubles_are_exact_or_refused() {
    const CHANGED: [&str; 5] = [
        "torch.randint(2**53, 2**62, (30,))",
        "torch.tensor([2**53+1]).nansum()",
        "torch.tensor([2**53+1]).nan_to_num()",
        "torch.tensor([2**53+1]).scatter_reduce(0, torch.tensor([0]), torch.tensor([3]), 'amax')",
        "np.repeat(np.array([2**53+1]), 2)",
    ];
    for dtype in [Dtype::Float32, Dtype::Float64] {
        for code in CHANGED {
            let program = format!("import torch\nimport numpy as np\nprint({code})");
            let said = run(program.leak(), dtype);
            assert!(said.contains("an integer beyond 2**53"), "{code}: {said}");
        }
    }
}
