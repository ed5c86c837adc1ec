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
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: t - a)
    show(lambda: t + a)
    show(lambda: t * a)
    show(lambda: t / a)
    show(lambda: t @ a)
    show(lambda: t ** a)
    show(lambda: t // a)
    show(lambda: t % a)
    show(lambda: t < a)
    show(lambda: t <= a)
    show(lambda: t > a)
    show(lambda: t >= a)
    show(lambda: t == a)
    show(lambda: t != a)
    show(lambda: a - t)
    show(lambda: a + t)
    show(lambda: a * t)
    show(lambda: a / t)
    show(lambda: a @ t)
    show(lambda: a ** t)
    show(lambda: a // t)
    show(lambda: a % t)
    show(lambda: a < t)
    show(lambda: a <= t)
    show(lambda: a > t)
    show(lambda: a >= t)
    show(lambda: a == t)
    print(show(lambda: a != t))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: t - z)
    show(lambda: t + z)
    show(lambda: t * z)
    show(lambda: t / z)
    show(lambda: t @ z)
    show(lambda: t ** z)
    show(lambda: t // z)
    show(lambda: t % z)
    show(lambda: t < z)
    show(lambda: t <= z)
    show(lambda: t > z)
    show(lambda: t >= z)
    show(lambda: t == z)
    show(lambda: t != z)
    show(lambda: z - t)
    show(lambda: z + t)
    show(lambda: z * t)
    show(lambda: z / t)
    show(lambda: z @ t)
    show(lambda: z ** t)
    show(lambda: z // t)
    show(lambda: z % t)
    show(lambda: z < t)
    show(lambda: z <= t)
    show(lambda: z > t)
    show(lambda: z >= t)
    show(lambda: z == t)
    print(show(lambda: z != t))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: t0 - a)
    show(lambda: t0 + a)
    show(lambda: t0 * a)
    show(lambda: t0 / a)
    show(lambda: t0 @ a)
    show(lambda: t0 ** a)
    show(lambda: t0 // a)
    show(lambda: t0 % a)
    show(lambda: t0 < a)
    show(lambda: t0 <= a)
    show(lambda: t0 > a)
    show(lambda: t0 >= a)
    show(lambda: t0 == a)
    show(lambda: t0 != a)
    show(lambda: a - t0)
    show(lambda: a + t0)
    show(lambda: a * t0)
    show(lambda: a / t0)
    show(lambda: a @ t0)
    show(lambda: a ** t0)
    show(lambda: a // t0)
    show(lambda: a % t0)
    show(lambda: a < t0)
    show(lambda: a <= t0)
    show(lambda: a > t0)
    show(lambda: a >= t0)
    show(lambda: a == t0)
    print(show(lambda: a != t0))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: t0 - z)
    show(lambda: t0 + z)
    show(lambda: t0 * z)
    show(lambda: t0 / z)
    show(lambda: t0 @ z)
    show(lambda: t0 ** z)
    show(lambda: t0 // z)
    show(lambda: t0 % z)
    show(lambda: t0 < z)
    show(lambda: t0 <= z)
    show(lambda: t0 > z)
    show(lambda: t0 >= z)
    show(lambda: t0 == z)
    show(lambda: t0 != z)
    show(lambda: z - t0)
    show(lambda: z + t0)
    show(lambda: z * t0)
    show(lambda: z / t0)
    show(lambda: z @ t0)
    show(lambda: z ** t0)
    show(lambda: z // t0)
    show(lambda: z % t0)
    show(lambda: z < t0)
    show(lambda: z <= t0)
    show(lambda: z > t0)
    show(lambda: z >= t0)
    show(lambda: z == t0)
    print(show(lambda: z != t0))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: g - a)
    show(lambda: g + a)
    show(lambda: g * a)
    show(lambda: g / a)
    show(lambda: g @ a)
    show(lambda: g ** a)
    show(lambda: g // a)
    show(lambda: g % a)
    show(lambda: g < a)
    show(lambda: g <= a)
    show(lambda: g > a)
    show(lambda: g >= a)
    show(lambda: g == a)
    show(lambda: g != a)
    show(lambda: a - g)
    show(lambda: a + g)
    show(lambda: a * g)
    show(lambda: a / g)
    show(lambda: a @ g)
    show(lambda: a ** g)
    show(lambda: a // g)
    show(lambda: a % g)
    show(lambda: a < g)
    show(lambda: a <= g)
    show(lambda: a > g)
    show(lambda: a >= g)
    show(lambda: a == g)
    print(show(lambda: a != g))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: g - z)
    show(lambda: g + z)
    show(lambda: g * z)
    show(lambda: g / z)
    show(lambda: g @ z)
    show(lambda: g ** z)
    show(lambda: g // z)
    show(lambda: g % z)
    show(lambda: g < z)
    show(lambda: g <= z)
    show(lambda: g > z)
    show(lambda: g >= z)
    show(lambda: g == z)
    show(lambda: g != z)
    show(lambda: z - g)
    show(lambda: z + g)
    show(lambda: z * g)
    show(lambda: z / g)
    show(lambda: z @ g)
    show(lambda: z ** g)
    show(lambda: z // g)
    show(lambda: z % g)
    show(lambda: z < g)
    show(lambda: z <= g)
    show(lambda: z > g)
    show(lambda: z >= g)
    show(lambda: z == g)
    print(show(lambda: z != g))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: t - s)
    show(lambda: t + s)
    show(lambda: t * s)
    show(lambda: t / s)
    show(lambda: t ** s)
    show(lambda: t // s)
    show(lambda: t % s)
    show(lambda: t < s)
    show(lambda: t <= s)
    show(lambda: t > s)
    show(lambda: t >= s)
    show(lambda: t == s)
    show(lambda: t != s)
    show(lambda: s - t)
    show(lambda: s + t)
    show(lambda: s * t)
    show(lambda: s / t)
    show(lambda: s ** t)
    show(lambda: s // t)
    show(lambda: s % t)
    show(lambda: s < t)
    show(lambda: s <= t)
    show(lambda: s > t)
    show(lambda: s >= t)
    show(lambda: s == t)
    print(show(lambda: s != t))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: g - s)
    show(lambda: g + s)
    show(lambda: g * s)
    show(lambda: g / s)
    show(lambda: g ** s)
    show(lambda: g // s)
    show(lambda: g % s)
    show(lambda: g < s)
    show(lambda: g <= s)
    show(lambda: g > s)
    show(lambda: g >= s)
    show(lambda: g == s)
    show(lambda: g != s)
    show(lambda: s - g)
    show(lambda: s + g)
    show(lambda: s * g)
    show(lambda: s / g)
    show(lambda: s ** g)
    show(lambda: s // g)
    show(lambda: s % g)
    show(lambda: s < g)
    show(lambda: s <= g)
    show(lambda: s > g)
    show(lambda: s >= g)
    show(lambda: s == g)
    print(show(lambda: s != g))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: ti - si)
    show(lambda: ti + si)
    show(lambda: ti * si)
    show(lambda: ti / si)
    show(lambda: ti ** si)
    show(lambda: ti // si)
    show(lambda: ti % si)
    show(lambda: ti < si)
    show(lambda: ti <= si)
    show(lambda: ti > si)
    show(lambda: ti >= si)
    show(lambda: ti == si)
    show(lambda: ti != si)
    show(lambda: si - ti)
    show(lambda: si + ti)
    show(lambda: si * ti)
    show(lambda: si / ti)
    show(lambda: si ** ti)
    show(lambda: si // ti)
    show(lambda: si % ti)
    show(lambda: si < ti)
    show(lambda: si <= ti)
    show(lambda: si > ti)
    show(lambda: si >= ti)
    show(lambda: si == ti)
    print(show(lambda: si != ti))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: ti - a)
    show(lambda: ti + a)
    show(lambda: ti * a)
    show(lambda: ti / a)
    show(lambda: ti @ a)
    show(lambda: ti ** a)
    show(lambda: ti // a)
    show(lambda: ti % a)
    show(lambda: ti < a)
    show(lambda: ti <= a)
    show(lambda: ti > a)
    show(lambda: ti >= a)
    show(lambda: ti == a)
    show(lambda: ti != a)
    show(lambda: a - ti)
    show(lambda: a + ti)
    show(lambda: a * ti)
    show(lambda: a / ti)
    show(lambda: a @ ti)
    show(lambda: a ** ti)
    show(lambda: a // ti)
    show(lambda: a % ti)
    show(lambda: a < ti)
    show(lambda: a <= ti)
    show(lambda: a > ti)
    show(lambda: a >= ti)
    show(lambda: a == ti)
    print(show(lambda: a != ti))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: ti & ai)
    show(lambda: ai & ti)
    show(lambda: ti | ai)
    show(lambda: ai | ti)
    show(lambda: ti ^ ai)
    show(lambda: ai ^ ti)
    show(lambda: ti << ai)
    show(lambda: ai << ti)
    show(lambda: ti >> ai)
    show(lambda: ai >> ti)
    show(lambda: ti // ai)
    show(lambda: ai // ti)
    show(lambda: ti % ai)
    show(lambda: ai % ti)
    show(lambda: ti * ai)
    show(lambda: ai * ti)
    show(lambda: (t > 0) & mask)
    show(lambda: mask & (t > 0))
    show(lambda: (t > 0) ^ mask)
    show(lambda: t & a)
    print(show(lambda: t | a))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: t + np.array([1., 2., 3.]))
    show(lambda: t @ np.ones((2, 2)))
    show(lambda: torch.ones(2, 3) @ a)
    show(lambda: np.ones((2, 2)) / t)
    show(lambda: divmod(t, a))
    show(lambda: divmod(a, t))
    print(show(lambda: divmod(a, 2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: torch.add(t, a))
    show(lambda: torch.mul(t, s))
    show(lambda: torch.lt(t, a))
    show(lambda: torch.where(t > 0, t, a))
    show(lambda: torch.matmul(t, a))
    show(lambda: t.add(a))
    show(lambda: t.mul(s))
    show(lambda: t.copy_(a))
    show(lambda: torch.sin(a))
    show(lambda: torch.from_numpy(a))
    show(lambda: torch.from_numpy(s))
    show(lambda: nn.Linear(2, 1)(a))
    print(show(lambda: torch.tensor(a) - t))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: np.add(t, a))
    show(lambda: np.add(a, t))
    print(show(lambda: np.add(g, a)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: np.subtract(t, a))
    show(lambda: np.subtract(a, t))
    print(show(lambda: np.subtract(g, a)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: np.multiply(t, a))
    show(lambda: np.multiply(a, t))
    print(show(lambda: np.multiply(g, a)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: np.divide(t, a))
    show(lambda: np.divide(a, t))
    print(show(lambda: np.divide(g, a)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: np.power(t, a))
    show(lambda: np.power(a, t))
    print(show(lambda: np.power(g, a)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: np.maximum(t, a))
    show(lambda: np.maximum(a, t))
    print(show(lambda: np.maximum(g, a)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: np.greater(t, a))
    show(lambda: np.greater(a, t))
    print(show(lambda: np.greater(g, a)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: np.equal(t, a))
    show(lambda: np.equal(a, t))
    print(show(lambda: np.equal(g, a)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    def show(f):
        try: print(repr(f()))
        except Exception as e: print(type(e).__name__ + ':', str(e).split('\n')[0])
    show(lambda: np.sin(t))
    show(lambda: np.exp(t))
    show(lambda: np.sqrt(t))
    show(lambda: np.abs(t))
    show(lambda: np.log(t))
    show(lambda: np.isnan(t))
    show(lambda: np.square(t))
    show(lambda: np.sum(t))
    show(lambda: np.mean(t))
    show(lambda: np.max(t))
    show(lambda: np.min(t))
    show(lambda: np.prod(t))
    show(lambda: np.argmax(t))
    show(lambda: np.sum(t, axis=0))
    show(lambda: np.max(t, axis=0))
    show(lambda: np.sin(g))
    show(lambda: np.dot(t, t))
    show(lambda: np.stack([t, t]))
    show(lambda: np.array(t))
    print(show(lambda: np.array(g)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    t += a
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    t -= a
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    t *= a
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    t /= a
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    t **= a
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    a += t
    print(a)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    a -= t
    print(a)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    a *= t
    print(a)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    a /= t
    print(a)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    ti += ai
    print(ti)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    ti += a
    print(ti)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    g += a
    print(g)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    g2 = g * 1; g2 += a
    print(g2)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    t += s
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    t *= s
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    t += z
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    z += t
    print(z)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    a += g
    print(a)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    t @= np.ones((2, 2))
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    s *= t
    print(s)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    t[0] = a
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    t[:] = a
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    t[0] = z
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    t[ai] = a
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    t[mask] = s
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    t[0] = s
    print(t)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    a[0] = t[0]
    print(a)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    a[:] = t
    print(a)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    a[0] = g[0]
    print(a)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.tensor([1., 2.]); g = torch.tensor([1., 2.], requires_grad=True); ti = torch.tensor([1, 2]); t0 = torch.tensor(3.); a = np.array([3., 4.]); ai = np.array([0, 1]); z = np.array(2.); s = np.float64(2.); si = np.int64(2); mask = np.array([True, False])
    a[:] = g
    print(a)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
