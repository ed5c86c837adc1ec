//! An operation is added in one place: one rule and one entry, written here, and every road, every
//! spelling and every help text follows.

use super::cases;
use super::run;
use std::rc::Rc;
use vjp::eval::language::machine::{Manner, Options};
use vjp::eval::record::event::Event;
use vjp::jacobian::Entry as Element;
use vjp::jacobian::central_differences::gradcheck;
use vjp::jacobian::walk::{Limits, symbolic};
use vjp::maths::autodiff::linear_map::{Array, LinearMap};
use vjp::maths::autodiff::rule::{Point, Rule};
use vjp::maths::autodiff::torch_node::{Saves, TorchNode};
use vjp::maths::autodiff::variable::{Variable, apply};
use vjp::maths::symbol::Symbols;
use vjp::maths::symbol::formula::{Style, write};
use vjp::ops::entry::Call;
use vjp::ops::{Entry, Forms, Out, USUAL};
use vjp::shell::help;
use vjp::shell::prompt::completion::{Known, complete};
use vjp::tensor::complaint::Outcome;
use vjp::tensor::tensor::{Dtype, Tensor};
use vjp::text::source::Source;

#[derive(Debug)]
struct Cube;

impl Rule for Cube {
    fn name(&self) -> &'static str {
        "cube"
    }
    fn value(&self, x: &[&Tensor]) -> Outcome<Tensor> {
        x[0].map(x[0].dtype(), |x| x * x * x)
    }
    fn symbols(&self, x: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        Some(x[0].mul(x[0]).mul(x[0]))
    }
    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        let x = at.inputs[0];
        LinearMap::Diagonal { by: x.mul(x).scale(3.0), shape: at.value.shape().to_vec() }
    }
}

impl TorchNode for Cube {
    fn grad_fn(&self) -> &'static str {
        "CubeBackward0"
    }
    fn saves(&self) -> Saves {
        Saves::Inputs(1)
    }
}

static CUBE: Entry = Entry {
    name: "cube",
    aliases: &["cubed"],
    forms: USUAL.and(Forms::INPLACE),
    signature: "(Tensor input)",
    formula: "x³",
    example: "cube([1, 2])",
    samples: &[],
    see_also: &["square"],
    jax: "{input} ** 3",
    call: Call::Own(|b| Ok(Out::One(apply(Rc::new(Cube), &[b.tensor(0)?])?))),
};

/// A program in PyTorch's words, and what it prints.
const PROGRAM: &str = "
import torch
torch.set_default_dtype(torch.float64)
x = torch.tensor([1., 2.], requires_grad=True)
y = torch.cube(x)
print(y)
print(x.cubed().tolist(), x.detach().clone().cube_().tolist())
y.backward(torch.tensor([1., 10.]))
print(x.grad.tolist())
g, = torch.autograd.grad(torch.cube(x).sum(), x, create_graph=True)
h, = torch.autograd.grad(g.sum(), x, create_graph=True)
t, = torch.autograd.grad(h.sum(), x)
print(g.tolist(), h.tolist(), t.tolist())
print(torch.func.jvp(torch.cube, (x.detach(),), (torch.tensor([1., 10.]),))[1].tolist())
print(torch.autograd.functional.jacobian(torch.cube, x).tolist())
print(torch.autograd.functional.hessian(lambda x: torch.cube(x).sum(), x).tolist())
";

const PRINTED: &str = "\
tensor([1., 8.], grad_fn=<CubeBackward0>)
[1.0, 8.0] [1.0, 8.0]
[3.0, 120.0]
[3.0, 12.0] [6.0, 12.0] [6.0, 6.0]
[3.0, 120.0]
[[3.0, 0.0], [0.0, 12.0]]
[[6.0, 0.0], [0.0, 12.0]]
";

fn printed(program: &str) -> String {
    let mut machine = vjp::tutor::machine(Options { strict: true, dtype: Dtype::Float64 });
    let mut printed = String::new();
    let ran = machine.run(&Source::new(program), Manner::Program, &mut |event| {
        if let Event::Print(text) = event {
            printed += &text;
        }
    });
    match ran {
        Ok(()) => printed,
        Err(fault) => printed + &fault.message,
    }
}

#[test]
fn an_operation_is_added_in_one_place() {
    run::deep(|| {
        vjp::catalogue::add(&CUBE);
        assert_eq!(printed(PROGRAM), PRINTED);

        let x = Variable::leaf(Tensor::new(&[2], vec![1.0, 2.0]));
        x.set_name(Some("x".into()));
        let y = apply(Rc::new(Cube), std::slice::from_ref(&x)).unwrap();
        let names = |v: &Variable| v.name().map(|n| n.to_string());
        let j = symbolic(&y, &x, &names, Limits::default()).unwrap().unwrap();
        let Element::Value(e) = j.get(1, 1) else { panic!("{j:?}") };
        assert!(gradcheck(&y, &x, 1e-8).unwrap().agrees);
        assert_eq!(write(&e, Style::Pretty).as_deref(), Some("3x₂²"));

        let text = help::about("cube").unwrap();
        for part in [
            "cube(input)",
            "torch.cube",
            "x.cube_()",
            "cubed",
            "x³",
            "CubeBackward0",
            "diagonal",
            "x.grad [3",
            "see also  square",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(help::topics().contains(&"cube".to_owned()));

        let machine = vjp::tutor::machine(Options::default());
        let known =
            Known { machine: &machine, offers: &[], style: &vjp::report::Style::canonical() };
        for (line, word) in [
            ("torch.cub", "cube"),
            ("cub", "cube"),
            ("y = torch.cub", "cubed"),
            (":help cub", "cube"),
        ] {
            let choices = complete(&known, line, line.len()).choices;
            let found = choices.iter().any(|c| c.word.contains(word) && !c.says.is_empty());
            assert!(found, "{line}: {choices:?}");
        }

        // And the tests themselves, all of them, have cases for it.
        let (mut strict, mut loose) = (run::machine(), vjp::tutor::machine(Options::default()));
        let made = cases::of(&CUBE, &mut strict, &mut loose);
        assert!(made.len() > 8, "{made:?}");
        for case in made {
            run::run(&mut strict, &case.program, None).unwrap();
        }
    });
}
