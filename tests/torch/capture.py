"""capture.py NAME...: of the cases in NAME.cases makes the program NAME.py, and of it with real PyTorch
NAME.float32.out and NAME.float64.out.

A case is a line, or where the file has lines `---` what stands between two of these. A last expression
is printed; an error is printed as its class and the first line of its text.
"""
import ast
import contextlib
import io
import re
import sys
import warnings
from pathlib import Path

import torch

HEAD = """import torch
import torch.nn as nn
import torch.nn.functional as F
import math
import numpy as np
from torch import optim

default = torch.get_default_dtype()
"""

CASE = """
torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
{}
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\\n")[0])
"""


def cases(text):
    if re.search(r"^---$", text, re.M):
        return [c.strip("\n") for c in re.split(r"^---\n", text, flags=re.M) if c.strip()]
    return [line for line in text.splitlines() if line.strip()]


def wrapped(case):
    last = ast.parse(case).body[-1]
    if isinstance(last, ast.Expr) and not case.splitlines()[-1].lstrip().startswith("print("):
        text = ast.get_source_segment(case, last)
        if not text.startswith("print("):
            at = case.rindex(text)
            case = case[:at] + "print(" + text + ")" + case[at + len(text) :]
    return CASE.format("\n".join("    " + line for line in case.split("\n")))


def printed(program, dtype):
    torch.set_default_dtype(dtype)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, "<cases>", "exec"), {"__name__": "__main__"})
    return out.getvalue()


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    here = Path(__file__).parent
    for name in sys.argv[1:]:
        program = HEAD + "".join(map(wrapped, cases((here / f"{name}.cases").read_text())))
        (here / f"{name}.py").write_text(program)
        for dtype in (torch.float32, torch.float64):
            kind = str(dtype).removeprefix("torch.")
            (here / f"{name}.{kind}.out").write_text(printed(program, dtype))
