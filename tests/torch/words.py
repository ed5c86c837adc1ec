import torch
import torch.nn as nn
import torch.nn.functional as F
import math
import numpy as np
from torch import optim

default = torch.get_default_dtype()

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = np.array(["b", "a", "ccc", "a"])
    print(a, repr(a), a.dtype, repr(a.dtype), a.shape, a.ndim, a.size, a.itemsize, a.nbytes, len(a), type(a))
    print(a[0], type(a[0]), repr(a[0]), a[1:], a[[0, 2]], a[-1])
    print(a == "a", (a == "a").dtype, a != "a", a < "b", a == np.array(["b", "b", "a", "a"]))
    print(a[a == "a"], a[np.array([True, False, True, False])])
    print(np.unique(a), np.unique(a, return_counts=True), np.unique(a, return_inverse=True), np.unique(a, return_index=True))
    print(np.sort(a), a.argsort(), sorted(a), a.tolist(), list(a), "a" in a, set(a) == {"a","b","ccc"})
    for w in a: print(w, w.upper(), isinstance(w, str), type(w))
    a[0] = "zz"; print(a)
    a[1] = "longer"; print(a)
    m = np.array([["a", "b"], ["c", "d"]]); print(m, m.shape, m[0], m[:, 1], m.T, m.reshape(4), m.flatten(), repr(m), m[1, 0])
    print(np.array([1, "a", 2.5]), np.array([True, "x"]), np.array(["1", "2"]).astype(float), np.array(["1", "2"]).astype(int), np.array([1, 2]).astype(str), np.array([1.5, 2]).astype(str), np.array("abc"), np.array([]).astype(str))
    print(np.concatenate([a, m[0]]), np.where(np.array([True, False]), "x", "yy"), np.where(a == "a", "A", a), np.array(["a"] * 3), np.append(a, "q"), np.stack([m[0], m[1]]), np.vstack([m, m]), np.tile(m[0], 2), np.repeat(m[0], 2))
    print(np.isin(a, ["a"]), np.isin("a", a), np.array_equal(a, a), np.char.upper(a), np.char.add(a, "x"), np.char.str_len(a), (a == "q").any(), np.count_nonzero(a == "a"), (a == "a").sum(), np.argmax(a == "a"), np.where(a == "a"))
    classes = np.array(["cat", "dog"]); y = np.array([0, 1, 1]); print(classes[y], classes[y[0]], classes.take([1, 0]), dict(zip(classes, [1, 2])))
    print(np.array(["a", "b"], dtype=object), repr(np.array(["a", None], dtype=object)), np.array(["a", "b"], dtype=str), np.empty(2, dtype=str), np.zeros(2, dtype="U5"), np.full(2, "ab"), np.array(["a", "bc"], dtype="<U1"), np.arange(3).astype("U"), np.array(list("hello")))
    print(a.copy(), np.asarray(["q"]), np.asarray(a) is a, a.dtype == np.array(["x"]).dtype, a.dtype.kind, a.dtype.name, a.dtype.type, np.issubdtype(a.dtype, np.str_), np.str_("ab"), repr(np.str_("ab")), isinstance(a, np.ndarray))
    print(np.array(["very long string number %d" % i for i in range(12)]))
    print(np.random.default_rng(0).choice(["a", "b", "c"], 4), np.random.RandomState(0).choice(["a", "b"], 3), np.random.RandomState(0).permutation(["a", "b", "c"]), f"{a[0]:>5}|", "%s" % a[1], a[0] + "x", " ".join(a), len(a[0]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    def t(f):
        try: print(f())
        except Exception as e: print(type(e).__name__, e)
    a = np.array(["b", "a", "ccc"])
    for f in (lambda: a + 1, lambda: a.sum(), lambda: a.mean(), lambda: np.array(["a"]).astype(float), lambda: a + "x", lambda: a[10], lambda: a > 1, lambda: np.exp(a), lambda: float(a), lambda: bool(a), lambda: a.max(), lambda: a == 1, lambda: a[9.5], lambda: a.foo, lambda: a + a, lambda: np.array([["a"], ["b", "c"]]), lambda: -a): t(f)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    h = np.array([1, 2.5, 1/3], dtype=np.float16); print(h, repr(h), h.dtype, h.itemsize, h.sum(), h * 2, h + np.float32(1), h + 1, h.astype(np.float32), h.max())
    print(np.float16(0.1), repr(np.float16(0.1)), np.half(1) / 3, np.finfo(np.float16).eps, np.arange(3).astype("float16"), np.zeros(2, dtype="f2"), np.float16(65504) * 2, np.float16(1e-8), np.array([1e4, 1e-4], np.float16))
    print(torch.tensor(h), torch.tensor([0.1]).half().numpy(), torch.from_numpy(h).dtype, np.issubdtype(h.dtype, np.floating), h.dtype == np.float16, np.dtype("e"), np.float16)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    o = np.array([1, "a", None], dtype=object); print(o, repr(o), o.dtype, o[1], o == "a", o.shape, [type(v).__name__ for v in o])
    o = np.array([[1, 2], [3, 4]], dtype=object); print(o, o + 1, o * 2, o.T, o.astype(float), o.tolist(), o.sum())
    e = np.empty(3, dtype=object); print(e); e[0] = [1, 2]; e[1] = "x"; print(e, e[0]); print(np.array([{"a": 1}, {"b": 2}]), np.array([[1], [1, 2]], dtype=object))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    names = np.array(["Bob", "Joe", "Will", "Bob", "Will", "Joe", "Joe"]); data = np.arange(14.).reshape(7, 2)
    print(names == "Bob", data[names == "Bob"], data[names == "Bob", 1:], data[~(names == "Bob")], data[(names == "Bob") | (names == "Will")], names[names != "Joe"], np.unique(names), sorted(set(names.tolist())), np.isin(names, ["Joe", "Will"]))
    data[names != "Joe"] = 7; print(data); print(np.where(names == "Bob", 1, 0), (names == "Bob").mean(), {n: int((names == n).sum()) for n in np.unique(names)}, np.unique(names, return_counts=True))
    labels = ["cat", "dog", "cat"]; classes, y = np.unique(labels, return_inverse=True); print(classes, y, classes[y], torch.tensor(y), classes.tolist().index("dog"), np.array(labels) == "cat", np.array(labels)[[0, 2]], np.char.upper(labels), np.arange(3).astype(str))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
