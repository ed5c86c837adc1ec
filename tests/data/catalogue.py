"""Stored PyTorch numbers for every operation of the catalogue.

Run with a Python that has torch 2.15, at the project's root:  python tests/data/catalogue.py
It asks the program for the cases (`cargo test --test tests cases::list -- --ignored --nocapture`, or the
file given), runs each in PyTorch and writes tests/data/catalogue.txt, one line a case, in tabs:
operation, program, values, gradients for a fixed cotangent, gradients of a fixed combination of
those. An array is `f 2 3: numbers` (b bool, i integer, f float, then its size); no gradient is `-`;
what PyTorch refuses is `!` and the first line of the error, `!Crash` where the process itself dies
of it. Where the gradients together are refused, each input has its own gradient or error.
"""

import os
import subprocess
import sys
import warnings
from math import inf, nan
from pathlib import Path

import torch
import torch.nn.functional as F

warnings.simplefilter("ignore")
torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)
KINDS = {torch.bool: "b", torch.float64: "f", torch.float32: "s"}


def cases():
    if len(sys.argv) > 1:
        text = Path(sys.argv[1]).read_text()
    else:
        command = ["cargo", "test", "-q", "--test", "tests", "cases::list", "--", "--ignored", "--nocapture"]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    for line in text.split("\n"):
        if "\x1e" in line:
            yield line.split("\x1e")[1].split("\t")


def collect(value):
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (tuple, list)):
        return [t for v in value for t in collect(v)]
    return [torch.tensor(value)]


def show(t):
    if t is None:
        return "-"
    if isinstance(t, str):
        return t
    t = t.detach().to_dense()
    if t._is_zerotensor():
        t = torch.zeros(t.shape)
    numbers = " ".join(repr(float(x)) if t.is_floating_point() else str(int(x)) for x in t.flatten().tolist())
    return " ".join([KINDS.get(t.dtype, "i"), *map(str, t.shape)]) + ": " + numbers


def row(tensors):
    return ";".join(show(t) for t in tensors)


def gradients(outputs, inputs):
    roots = [(k, y) for k, y in enumerate(outputs) if y.requires_grad]
    if not roots:
        return [None for _ in inputs]
    weights = [torch.cos(torch.arange(y.numel()) + 0.5 + k).reshape(y.shape).to(y.dtype) for k, y in roots]

    def found(inputs):
        return torch.autograd.grad([y for _, y in roots], inputs, weights, create_graph=True, allow_unused=True)

    together, error = attempt(lambda: found(inputs))
    alone = [attempt(lambda x=x: found([x])) for x in inputs] if error else []
    return together if error is None else [error or gradient[0] for gradient, error in alone]


def attempt(work):
    try:
        return work(), None
    except Exception as error:
        text = (getattr(error, "msg", str(error)).splitlines() or [""])[0].replace("\t", " ").replace(";", ",")
        return None, f"!{type(error).__name__}: {text}"


def answer(program):
    *names, expression = program.split("; ")
    scope, inputs = {"torch": torch, "F": F, "inf": inf, "nan": nan}, []
    for line in names:
        name, text = line.split(" = ", 1)
        value = eval(text, scope)
        value = value if isinstance(value, torch.Tensor) else torch.tensor(value)
        if value.is_floating_point() and "a" <= name <= "h":
            inputs.append(value.requires_grad_())
        scope[name] = value
    outputs, error = attempt(lambda: collect(eval(expression, scope)))
    if error:
        return [error]
    first = gradients(outputs, inputs)
    again = [g for g in first if isinstance(g, torch.Tensor)]
    return [row(outputs), row(first), row(gradients(again, inputs))]


def lines(cases):
    """The line of each case, computed in a child, which is begun again after a case that kills it."""
    done = 0
    while done < len(cases):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            with os.fdopen(writer, "w", buffering=1) as out:
                for op, program in cases[done:]:
                    out.write("\t".join([op, program, *answer(program)]) + "\n")
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as said:
            for line in said:
                done += 1
                yield line
        os.waitpid(child, 0)
        if done < len(cases):
            yield "\t".join([*cases[done], "!Crash"]) + "\n"
            done += 1


Path(__file__).with_suffix(".txt").write_text("".join(lines(list(cases()))))
