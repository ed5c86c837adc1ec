"""Writes overloads.txt, beside it: python src/library/binder/overloads.py   (a Python that has torch 2.15).

Of each function and method of PyTorch, the signatures that its errors list: `name|function|…` and `name|method|…`. Of each function that is written in Python, its parameters, a `*` before those that are named only
and a `?` behind those that have a default: `torch.func.grad|python|func argnums? has_aux?`.
"""

import inspect
import re
import warnings
from pathlib import Path

import torch
import torch.nn.functional as F


def listed(call):
    """The signatures; where only one takes so many arguments, an error speaks of that one alone."""
    for count in [9, *range(9)]:
        try:
            call(*[object()] * count)
        except TypeError as error:
            _, _, lines = str(error).partition("expected one of:\n")
            if lines:
                return [line.removeprefix(" * ") for line in lines.splitlines() if line.startswith(" * ")]
            _, _, line = str(error).partition(", but expected ")
            if line:
                return [line.strip()]
        except Exception:
            pass
    return []


def python(function):
    words, star = [], False
    for p in inspect.signature(function).parameters.values():
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            return None
        if p.kind == p.KEYWORD_ONLY and not star:
            words, star = [*words, "*"], True
        words.append(p.name + "?" * (p.default is not p.empty))
    return " ".join(words)


warnings.simplefilter("ignore")
# What is of no use without other hardware, compilers or types.
ELSEWHERE = re.compile(
    "autocast|backward|compile|convert|cudnn|debug|deterministic|dlpack|fake|fbgemm|functionalize|fuse|grouped|lobpcg|lowrank|miopen|mkldnn|module|"
    "multi_head|multiprocess|profiler|quantize|remove_|replace_|scaled|sparse|storage|sym_|while_|boolean_dispatch|assert_|_copy$|_with_indices|_warn"
)
MODULES = [torch, F, torch.linalg, torch.special, torch.func, torch.autograd, torch.autograd.functional, torch.nn.init, torch.nn.utils]
lines = {}
for owner in [*MODULES, torch.ones(1)]:
    method = isinstance(owner, torch.Tensor)
    for name in dir(type(owner) if method else owner):
        if name.startswith("_") or ELSEWHERE.search(name) or method and not callable(getattr(torch.Tensor, name)):
            continue
        item = getattr(owner, name)
        if inspect.isfunction(item):
            words = python(item)
            home = item.__module__ or ""
            if words is not None and home.startswith("torch") and item.__name__ == name:
                lines[f"{owner.__name__}.{name}", "python"] = [words]
        elif callable(item) and not inspect.isclass(item) and not inspect.ismethod(item):
            said = listed(item)
            if said:
                # As errors call it.
                name = f"linalg_{name}" if owner is torch.linalg else f"special_{name}" if owner is torch.special else name
                lines.setdefault((name, "method" if method else "function"), said)
text = "".join(f"{name}|{kind}|{'|'.join(said)}\n" for (name, kind), said in sorted(lines.items()))
Path(__file__).with_suffix(".txt").write_text(text)
