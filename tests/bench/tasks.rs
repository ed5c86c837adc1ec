//! What is timed, and how much faster than its peers it shall be.

/// A program in two parts, the second of which is timed. PyTorch runs the same text.
pub struct Task {
    pub name: String,
    pub setup: String,
    pub turn: String,
    /// PyTorch's own text where it has a faster way of writing the turn.
    pub torch: Option<String>,
    /// Turn and peers where the peers cannot do the task itself.
    pub against: Option<&'static str>,
    /// The prompt's language, with panels wanted.
    pub prompt: bool,
    /// Timed as a line at the prompt besides.
    pub line: bool,
    /// torch's time and JAX's over ours.
    pub goals: (Option<f64>, Option<f64>),
}

impl Task {
    fn new(name: impl Into<String>, setup: impl Into<String>, turn: &str) -> Task {
        Task {
            name: name.into(),
            setup: setup.into(),
            turn: turn.to_owned(),
            torch: None,
            against: None,
            prompt: false,
            line: false,
            goals: (None, None),
        }
    }

    fn torch(mut self, text: impl Into<String>) -> Task {
        self.torch = Some(text.into());
        self
    }

    fn against(mut self, task: &'static str) -> Task {
        self.against = Some(task);
        self
    }

    fn at_the_prompt(mut self) -> Task {
        self.prompt = true;
        self
    }

    fn with_a_line(mut self) -> Task {
        self.line = true;
        self
    }

    fn goals(mut self, torch: impl Into<Option<f64>>, jax: impl Into<Option<f64>>) -> Task {
        self.goals = (torch.into(), jax.into());
        self
    }

    /// The task whose peers' times count.
    pub fn peer(&self) -> &str {
        self.against.unwrap_or(&self.name)
    }
}

const CHAIN: &str =
    "def chain(x): return torch.tanh(torch.sin(x)*x + torch.exp(-(x*x))) / (1.0 + x*x)\n";
const STENCIL: &str = "def stencil(x): return x[:-2]*x[1:-1]*x[2:]\n";
const ROSENBROCK: &str =
    "def rosenbrock(x): return ((1 - x[:-1])**2 + 100*(x[1:] - x[:-1]**2)**2).sum()\n";

fn line(n: usize) -> String {
    format!("x = torch.linspace(-1, 1, {n})\n")
}

fn square(name: &str, n: usize) -> String {
    format!("{name} = torch.linspace(-1, 1, {}).reshape({n}, {n})\n", n * n)
}

/// All tasks, in the order of the goals.
pub fn all() -> Vec<Task> {
    let mut tasks = vec![
        Task::new("startup", "", "").goals(1000.0, 400.0),
        Task::new("tiny_grad", "", "x=[1,2]; y=3*x^2; y.backward([1,10])")
            .torch(
                "x = torch.tensor([1., 2.], requires_grad=True); y = 3*x**2\n\
                 y.backward(torch.tensor([1., 10.]))",
            )
            .at_the_prompt()
            .goals(12.0, 2.0),
        Task::new("tiny_jac", "", "x=[1,2]; y=3*x^2; J=jacobian(y, x)")
            .torch(
                "J = torch.autograd.functional.jacobian(lambda x: 3*x**2, torch.tensor([1., 2.]))",
            )
            .at_the_prompt()
            .goals(30.0, 900.0),
        Task::new(
            "scalar_chain_100k",
            "",
            "x = torch.tensor(0.5, requires_grad=True); y = x\n\
             for i in range(50000):\n    y = y*0.999\n    y = y + 0.001\ny.backward()",
        )
        .goals(100.0, 1400.0),
    ];
    for (n, torch, jax) in [(10, 25.0, Some(2.0)), (1000, 10.0, Some(3.0)), (1_000_000, 1.5, None)]
    {
        let setup = format!("{CHAIN}{}x.requires_grad_(True)\n", line(n));
        let task =
            Task::new(format!("elem_grad_{n}"), setup, "x.grad = None\nchain(x).sum().backward()");
        let task = task.goals(torch, jax);
        tasks.push(if n > 1000 { task } else { task.with_a_line() });
    }
    for (f, torch, jax) in
        [("exp", 2.5, 1.0), ("tanh", 4.0, 0.45), ("sin", 2.5, 15.0), ("log", 2.5, 4.0)]
    {
        let x = match f {
            "log" => "x = torch.linspace(-1, 1, 1000000).abs() + 0.01\n",
            _ => "x = torch.linspace(-5, 5, 1000000)\n",
        };
        let task = Task::new(
            format!("map_{f}_1e6"),
            format!("{x}y = torch.empty_like(x)\n"),
            // Asked for, so that it is computed.
            &format!("y = torch.{f}(x); y[0].item()"),
        );
        let task = task.torch(format!("torch.{f}(x, out=y)"));
        tasks.push(task.goals(torch, jax));
    }
    for (n, torch, jax) in [(64, 2.0, 2.5), (512, 2.0, 0.95), (1000, 1.7, 0.9)] {
        let setup = format!("{}{}C = torch.zeros({n}, {n})\n", square("A", n), square("B", n));
        let task = Task::new(format!("matmul_{n}"), setup, "C = A @ B");
        tasks.push(task.torch("torch.mm(A, B, out=C)").goals(torch, jax));
    }
    for (n, torch, jax) in [(8, 15.0, Some(4.0)), (64, 3.0, Some(1.5)), (512, 1.0, None)] {
        let setup = format!(
            "{}{}{}W1.requires_grad_(True); W2.requires_grad_(True)\n",
            square("X", n),
            square("W1", n),
            square("W2", n)
        );
        let task = Task::new(
            format!("mlp_grad_{n}"),
            setup,
            "W1.grad = W2.grad = None\n((torch.tanh(X @ W1) @ W2)**2).sum().backward()",
        );
        let task = task.goals(torch, jax);
        tasks.push(if n > 8 { task } else { task.with_a_line() });
    }
    tasks.extend(jacobians());
    tasks.extend(convolutions());
    tasks
}

/// Forwards and backwards, in both types.
fn convolutions() -> Vec<Task> {
    let mut tasks = Vec::new();
    for (bits, dtype) in [(32, "torch.float32"), (64, "torch.float64")] {
        let random = |name: &str, sizes: &str, by: &str| {
            format!("{name} = (torch.randn({sizes}, dtype={dtype})*{by}).requires_grad_(True)\n")
        };
        let start = "F = torch.nn.functional\n";
        let setup = format!(
            "{start}{}{}",
            random("x", "8, 3, 64, 64", "1"),
            random("w", "16, 3, 3, 3", "1")
        );
        let turn = "x.grad = w.grad = None\nF.conv2d(x, w, padding=1).sum().backward()";
        tasks.push(Task::new(format!("conv2d_16_f{bits}"), setup, turn).goals(1.0, None));
        let setup = format!(
            "{start}{}{}{}{}",
            random("x", "8, 64, 32, 32", "1"),
            random("v", "64, 64, 3, 3", "0.05"),
            random("w", "64, 64, 3, 3", "0.05"),
            "def normed(x): return F.batch_norm(x, None, None, training=True)\n",
        );
        let turn = "x.grad = v.grad = w.grad = None\n\
                    y = F.relu(normed(F.conv2d(x, v, padding=1)))\n\
                    F.relu(normed(F.conv2d(y, w, padding=1)) + x).sum().backward()";
        tasks.push(Task::new(format!("resnet_block_f{bits}"), setup, turn).goals(1.0, None));
    }
    let mut setup =
        "F = torch.nn.functional\nx = torch.randn(1, 3, 300, 300, dtype=torch.float32)\n"
            .to_owned();
    for (k, (outputs, inputs)) in [(64, 3), (64, 64), (128, 64), (128, 128)].iter().enumerate() {
        setup += &format!(
            "w{k} = (torch.randn({outputs}, {inputs}, 3, 3, dtype=torch.float32)*0.05).requires_grad_(True)\n"
        );
    }
    setup += "def layer(x, w): return F.relu(F.conv2d(x, w, padding=1))\n\
              def pooled(x, v, w): return F.max_pool2d(layer(layer(x, v), w), 2)\n";
    let turn = "w0.grad = w1.grad = w2.grad = w3.grad = None\n\
                pooled(pooled(x, w0, w1), w2, w3).sum().backward()";
    tasks.push(Task::new("vgg_300_f32", setup, turn).goals(0.5, None));
    tasks
}

fn jacobians() -> Vec<Task> {
    let kept = |name: &str, function: &str, n: usize, text: &str| {
        Task::new(name, format!("{function}{}x.requires_grad_(True)\n", line(n)), text)
            .at_the_prompt()
    };
    let mut tasks = Vec::new();
    for (n, torch, jax) in [(10, 60.0, 1.5), (100, 60.0, 15.0), (1000, 60.0, 40.0)] {
        let setup = format!("{CHAIN}{}", line(n));
        let task = Task::new(format!("jac_elem_{n}"), setup, "J = torch.func.jacrev(chain)(x)");
        tasks.push(task.goals(torch, jax));
    }
    tasks.extend([
        kept("jac_elem_1000_kept", CHAIN, 1000, "y = chain(x)")
            .against("jac_elem_1000")
            .goals(500.0, 350.0),
        kept("jac_elem_1000000_kept", CHAIN, 1_000_000, "y = chain(x)")
            .against("elem_grad_1000000")
            .goals(3.0, None),
        Task::new(
            "jac_tanhAx_1000",
            format!("{}A = A/30\n{}", square("A", 1000), line(1000)),
            "J = torch.func.jacrev(lambda x: torch.tanh(A @ x))(x)",
        )
        .goals(35.0, 15.0),
        Task::new(
            "jac_stencil_1000",
            format!("{STENCIL}{}", line(1000)),
            "J = torch.func.jacrev(stencil)(x)",
        )
        .goals(35.0, 2.0),
        Task::new(
            "vjp_stencil_100000",
            format!("{STENCIL}{}v = torch.ones(99998)\n", line(100_000)),
            "g = torch.func.vjp(stencil, x)[1](v)",
        ),
        kept("jac_stencil_100000_kept", STENCIL, 100_000, "y = stencil(x)")
            .against("vjp_stencil_100000")
            .goals(0.1, None),
        Task::new(
            "hessian_rosenbrock_100",
            format!("{ROSENBROCK}{}", line(100)),
            "H = torch.func.hessian(rosenbrock)(x)",
        )
        .goals(20.0, None),
    ]);
    tasks
}
