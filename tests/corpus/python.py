"""Writes python.jsonl beside it: programs of the expressions in python.txt, twenty each, with what
real PyTorch (float64 by default) printed, and tensors of every shape and type as it prints them.

    python -P python.py
"""

import contextlib
import io
import json
import os
import random
import sys

import numpy as np
import torch

HERE = os.path.dirname(os.path.abspath(__file__))
EACH = 20
ALWAYS = dict(precision=4, threshold=1000, edgeitems=3, linewidth=80, sci_mode=None)


def run(program):
    torch.set_default_dtype(torch.float64)
    torch.set_printoptions(**ALWAYS)
    torch._tensor_str.PRINT_OPTS.sci_mode = None
    out = io.StringIO()
    module = type(sys)("__main__")
    with contextlib.redirect_stdout(out):
        exec(compile(program, "<program>", "exec"), module.__dict__)
    return out.getvalue()


def expressions():
    section, setup, batch = "", [], []
    with open(os.path.join(HERE, "python.txt"), encoding="utf-8") as f:
        lines = f.read().splitlines()[1:]
    for line in lines + ["# end"]:
        if line.startswith("# ") or len(batch) == EACH:
            if batch:
                yield section, "\n".join(setup + batch) + "\n"
            batch = []
        if line.startswith("# "):
            section, setup = line[2:], []
        elif line.startswith("= "):
            setup.append(line[2:])
        else:
            batch.append(
                f"try:\n    print({line!r}, '=>', repr({line}))\n"
                f"except Exception as e:\n    print({line!r}, '=>', type(e).__name__, e)"
            )


def number(r, kind):
    if kind == "int":
        return str(r.choice([0, 1, -1, 2, 3, 5, 10, -20, 100, 999, 12345, 10**6, 10**9]))
    if kind == "bool":
        return r.choice(["True", "False"])
    if kind == "special":
        return r.choice(["float('nan')", "float('inf')", "-float('inf')", "0.", "1.", "2.5", "1e9"])
    if kind == "small":
        return repr(round(r.uniform(-5, 5), r.choice([0, 1, 2, 4, 6])))
    wide = [0.0, -0.0, 1.0, 0.5, 1 / 3, 1000.0, 1001.0, 1e-4, 9e-5, 1e8, 1.5e8, 99999.5, 0.03125]
    return repr(r.choice(wide + [r.gauss(0, 1), r.gauss(0, 100), 10 ** r.uniform(-12, 12)]))


def nested(r, shape, kind):
    if not shape:
        return number(r, kind)
    return "[" + ", ".join(nested(r, shape[1:], kind) for _ in range(shape[0])) + "]"


def tensor(r):
    if r.random() < 0.25:
        shape = r.choice([[30], [1001], [10, 10], [40, 30], [7, 200], [10, 11, 12], [3, 7, 8, 9], [1500, 1]])
        size = torch.Size(shape).numel()
        make = r.choice(["torch.arange(%d.)", "torch.arange(%d)", "torch.arange(%d) %% 7 == 0", "torch.arange(%d.) / 7"])
        return f"({make % size}).reshape({shape})"
    if r.random() < 0.15:
        shape = [r.choice([0, 1, 2, 3]) for _ in range(r.choice([1, 2, 3]))]
        shape[r.randrange(len(shape))] = 0
        more = r.choice(["", ", dtype=torch.int64", ", dtype=torch.float32", ", requires_grad=True"])
        return f"torch.zeros({shape}{more})"
    kind = r.choice(["int", "wide", "wide", "small", "special", "bool"])
    shape = [r.choice([1, 2, 3, 4, 7]) for _ in range(r.choice([0, 1, 1, 2, 2, 3]))]
    more = ""
    if kind in ("small", "bool") and r.random() < 0.4:
        more = f", dtype=torch.{r.choice(['float32', 'int32', 'int64', 'bool'])}"
    elif kind in ("wide", "small", "special") and r.random() < 0.4:
        more = ", requires_grad=True"
    return f"torch.tensor({nested(r, shape, kind)}{more})"


def printing():
    r = random.Random(7)
    options = [("precision", [0, 2, 6]), ("sci_mode", [True, False]), ("linewidth", [40, 120])]
    options += [("threshold", [5, 50]), ("edgeitems", [1, 2])]
    for i in range(60):
        lines = ["import torch"]
        if i % 3 == 0:
            given = [f"{k}={r.choice(v)}" for k, v in options if r.random() < 0.4]
            lines.append(f"torch.set_printoptions({', '.join(given)})")
        for _ in range(8):
            t = tensor(r)
            lines.append(r.choice([f"print({t})", f"print({t})", f"print([{t}, {tensor(r)}])", f"print({t}.dtype, {t}.shape)"]))
        yield "printing", "\n".join(lines) + "\n"


with open(os.path.join(HERE, "python.jsonl"), "w", encoding="utf-8") as f:
    for i, (topic, program) in enumerate([*expressions(), *printing()]):
        case = {"id": f"{topic}-{i:03}", "topic": topic, "program": program, "stdout": run(program)}
        f.write(json.dumps(case, ensure_ascii=False) + "\n")
