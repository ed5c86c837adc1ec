"""Times one peer, torch or jax, on tasks given as JSON lines on standard input.

    python peers.py torch|jax SECONDS_PER_TASK < tasks

A task has `task`, and for torch the program that vjp runs, as `setup` and `turn`. JAX has its own form
of each program below, jitted and warm unless the name says otherwise. Answers are JSON lines
{"task", "us"}: the least time of a turn.
"""

import json
import subprocess
import sys
import time

PEER, SECONDS = sys.argv[1], float(sys.argv[2])
TASKS = [json.loads(line) for line in sys.stdin]

STARTUP = {
    "torch": "import torch;x=torch.tensor([1.,2.],requires_grad=True);y=3*x**2;"
    "y.backward(torch.tensor([1.,10.]));print(x.grad)",
    "jax": "import jax;jax.config.update('jax_enable_x64',True);import jax.numpy as n;"
    "y,f=jax.vjp(lambda x:3*x**2,n.array([1.,2.]));print(f(n.array([1.,10.])))",
}


def best(turn, seconds=SECONDS):
    turn()
    least, end = float("inf"), time.perf_counter() + seconds
    turns = 0
    while turns < 3 or time.perf_counter() < end:
        start = time.perf_counter_ns()
        turn()
        least = min(least, time.perf_counter_ns() - start)
        turns += 1
    return least / 1e3


def answer(task, us):
    print(json.dumps({"task": task, "us": us}), flush=True)


def startup():
    command = [sys.executable, "-c", STARTUP[PEER]]
    answer("startup", best(lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True), 0))


def torch_tasks():
    import torch

    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(2)
    for t in TASKS:
        if t["task"] == "startup":
            startup()
            continue
        names = {"torch": torch}
        exec(t["setup"], names)
        body = "def turn():\n    global y, g, J, H\n" + "".join(
            f"    {line}\n" for line in t["turn"].splitlines()
        )
        exec(body, names)
        answer(t["task"], best(names["turn"]))


def jax_programs():
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)

    def line(*shape):
        return jnp.linspace(-1.0, 1.0, max(1, int(jnp.prod(jnp.array(shape))))).reshape(shape)

    def chain(x):
        return jnp.tanh(jnp.sin(x) * x + jnp.exp(-(x * x))) / (1.0 + x * x)

    def stencil(x):
        return x[:-2] * x[1:-1] * x[2:]

    def rosenbrock(x):
        return ((1 - x[:-1]) ** 2 + 100 * (x[1:] - x[:-1] ** 2) ** 2).sum()

    def loss(w1, w2, x):
        return ((jnp.tanh(x @ w1) @ w2) ** 2).sum()

    def deep(x):
        for _ in range(1000):
            x = x * 0.999
            x = x + 0.001
        return x

    programs = {}

    def warm(name, f, *args, jit=True, times=1):
        def program():
            run = jax.jit(f) if jit else f
            return (lambda: jax.block_until_ready(run(*args))), times

        programs[name] = program

    pair = jnp.array([1.0, 2.0])
    warm("tiny_grad", jax.grad(lambda x: (3 * x**2).sum()), pair)
    warm("tiny_jac", jax.jacrev(lambda x: 3 * x**2), pair, jit=False)
    # 2,000 operations, unjitted as a loop typed anew is, times 50.
    warm("scalar_chain_100k", jax.grad(deep), 0.5, jit=False, times=50)
    for n in (10, 1000, 1_000_000):
        warm(f"elem_grad_{n}", jax.grad(lambda x: chain(x).sum()), line(n))
    for name in ("exp", "tanh", "sin", "log"):
        x = jnp.abs(line(1_000_000)) + 0.01 if name == "log" else line(1_000_000) * 5
        warm(f"map_{name}_1e6", getattr(jnp, name), x)
    for n in (64, 512, 1000):
        warm(f"matmul_{n}", jnp.matmul, line(n, n), line(n, n))
    for n in (8, 64, 512):
        warm(f"mlp_grad_{n}", jax.grad(loss, (0, 1)), line(n, n), line(n, n), line(n, n))
    for n in (10, 100, 1000):
        warm(f"jac_elem_{n}", jax.jacrev(chain), line(n))
    warm("jac_tanhAx_1000", jax.jacrev(lambda a, x: jnp.tanh(a @ x), 1), line(1000, 1000) / 30, line(1000))
    warm("jac_stencil_1000", jax.jacrev(stencil), line(1000))
    warm("vjp_stencil_100000", lambda x: jax.vjp(stencil, x)[1](jnp.ones(99_998))[0], line(100_000))
    warm("hessian_rosenbrock_100", jax.hessian(rosenbrock), line(100))
    return programs


def jax_tasks():
    programs = jax_programs()
    for t in TASKS:
        if t["task"] == "startup":
            startup()
        elif t["task"] in programs:
            turn, times = programs[t["task"]]()
            answer(t["task"], best(turn) * times)


torch_tasks() if PEER == "torch" else jax_tasks()
