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
    z = x.sin() * x; print(z.grad_fn(torch.ones(3)), z.grad_fn.next_functions[0][0](torch.ones(3)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = torch.cat([x, x * 2]); print(z.grad_fn(torch.ones(6)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = F.layer_norm(x, (3,)); print(z.grad_fn(torch.ones(3)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = F.mse_loss(x, x * 2); print(z.grad_fn(torch.tensor(1.)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = x ** 2; z.sum().backward(); print(z.grad_fn(torch.ones(3)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = (x @ x); print(z.grad_fn(torch.tensor(2.)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = torch.where(x > 1, x, 2 * x); print(z.grad_fn(torch.ones(3)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = x[1]; print(z.grad_fn(torch.tensor(1.)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = (x * 2).mean(); print(y.grad_fn(torch.tensor(1.)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = x * 2; print(y.grad_fn(torch.ones(3)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = x * 2; print(callable(y.grad_fn))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = x * 2; print(y.grad_fn.next_functions[0][0](torch.ones(3)), x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = x * 2; print(y.grad_fn())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = x * 2; print(y.grad_fn(3))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = x * 2; print(y.grad_fn.metadata, y.grad_fn.requires_grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    y = x * 2; print(isinstance(y.grad_fn, torch.autograd.graph.Node), issubclass(type(y.grad_fn), torch.autograd.graph.Node), type(y.grad_fn).__module__, type(y.grad_fn), type(y.grad_fn).__name__)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.autograd.graph import register_multi_grad_hook; a = torch.ones(2, requires_grad=True); b = torch.ones(2, requires_grad=True); h = register_multi_grad_hook((a, b), lambda gs: print(gs)); (a * b * 2).sum().backward(); h.remove(); print((a + b).sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.autograd.graph import register_multi_grad_hook; a = torch.ones(2, requires_grad=True); b = torch.ones(2, requires_grad=True); c = a * b; d = a + b; register_multi_grad_hook((c, d), lambda g: print(g), mode="any"); print((c + d * 3).sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.autograd.graph import register_multi_grad_hook; a = torch.ones(2, requires_grad=True); b = torch.ones(2, requires_grad=True); register_multi_grad_hook((a, b), lambda gs: print(gs)); (a * 2).sum().backward(); (b * 2).sum().backward(); print((b * a).sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.autograd.graph import register_multi_grad_hook; print(register_multi_grad_hook((x,), lambda g: None, mode="some"))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.autograd.graph import register_multi_grad_hook; print(register_multi_grad_hook((m,), lambda g: None))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.autograd.graph import get_gradient_edge; y = x * 2; z = y.sum() * 3; e = get_gradient_edge(y); print(type(e), e.output_nr, e.node.name()); print(torch.autograd.grad(z, e))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.autograd.graph import get_gradient_edge; y = x * 2; z = y.sum() * 3; e = get_gradient_edge(x); print(torch.autograd.grad(z, [e, y]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.autograd.graph import get_gradient_edge; print(get_gradient_edge(m))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.autograd.graph import get_gradient_edge, GradientEdge; y = x * 2; e = get_gradient_edge(y); print(torch.autograd.grad(e, x, torch.ones(3)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.autograd.graph import get_gradient_edge, GradientEdge; y = (x * 2).sum(); torch.autograd.backward(get_gradient_edge(y)); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.autograd.graph.allow_mutation_on_saved_tensors() as ctx: a = torch.ones(2, requires_grad=True); b = a.clone(); c = b ** 2; b.sin_(); (c.sum() + b.sum()).backward(); print(a.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.autograd.graph.increment_version(x), x._version)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = torch.ones(2); torch.autograd.graph.increment_version(z); print(z._version)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = torch.ones(2); y = x[:2] * z; torch.autograd.graph.increment_version(z); print(y.sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.autograd.grad_mode.no_grad(): print((x * 2).requires_grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.autograd.grad_mode.enable_grad(): print((x * 2).requires_grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.autograd.grad_mode.set_grad_enabled(False): print((x * 2).requires_grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.autograd.grad_mode.inference_mode(): print((x * 2).requires_grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.autograd.set_multithreading_enabled(False): print((x * 2).requires_grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.func.functionalize(lambda a: a.add_(1))(torch.ones(2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.func.functionalize(lambda a: a.view(-1).add_(1) * 2)(torch.ones(2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    f = lambda a: a.clone().add_(1).sin().sum(); print(torch.func.grad(torch.func.functionalize(f))(torch.ones(2)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.backends.cpu.get_cpu_capability() in ("AVX2", "AVX512", "DEFAULT"))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.autograd.variable.Variable(torch.ones(2)), torch.autograd.Variable(torch.ones(2), requires_grad=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.autograd import grad_mode, anomaly_mode, gradcheck, forward_ad, profiler, functional, graph, Function; print(1)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.autograd.anomaly_mode.detect_anomaly(): print(1)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    d = x.detach().numpy(); y = (x ** 2).sum(); d[0] = 5; print(x, x._version); y.backward(); print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = np.array([1., 2., 3.]); t = torch.from_numpy(a); z = torch.ones(3, dtype=t.dtype, requires_grad=True); y = (z * t).sum(); a[0] = 7; y.backward(); print(z.grad, t._version)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = np.array([1., 2., 3.]); t = torch.from_numpy(a); a += 1; print(t, t._version); t += 1; print(a, t._version)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    a = np.array([1., 2., 3.]); t = torch.as_tensor(a); a *= 2; print(t, t._version)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.ones(3); a = t.numpy(); a[:] = 2; print(t._version); a += 1; print(t, t._version); t.add_(1); print(a, t._version)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.ones(3); a = t.numpy(); np.add(a, 1, out=a); print(t, t._version)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.ones(2, 2); a = t.numpy(); a[0][1] = 5; b = a.T; b[0, 0] = 7; a.fill(3); print(t, t._version); a.sort(); print(t._version); np.random.shuffle(a); print(t._version)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.ones(3); a = np.asarray(t); a[0] = 2; print(t, t._version)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.ones(3); v = t[:2]; a = v.numpy(); a[0] = 2; print(t, t._version, v._version); v[0] = 5; print(a, t._version)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.ones(3); a = t.numpy(); b = torch.from_numpy(a); b[0] = 9; print(t, t._version, b._version)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    t = torch.ones(3); t.data[0] = 5; print(t._version); t.data.add_(1); print(t._version); t.detach().add_(1); print(t._version)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    u = torch.arange(4., requires_grad=True); m2 = u.view(2,2).clone(); m2[:, 1] *= m2[:, 0].detach(); m2[1, 1] = u[0]*u[3]; print(m2.sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    u = torch.arange(4., requires_grad=True); m2 = u.view(2,2).clone(); m2[:, 1] *= m2[:, 0]; m2[1, 1] = u[0]*u[3]; print(m2.sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    u = torch.arange(4., requires_grad=True); m2 = u.clone(); d = m2[:2].detach(); y = u[:2] * d; d.add_(1); print(y.sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    u = torch.arange(4., requires_grad=True); m2 = u.clone(); d = m2[:2]; y = u[:2] * d; m2.add_(1); print(y.sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    u = torch.arange(4., requires_grad=True); m2 = torch.ones(4); y = u[:2] * m2[:2]; m2.add_(1); print(y.sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    u = torch.arange(4., requires_grad=True); m2 = torch.ones(4); v = m2[:2]; y = u[:2] * v; v.add_(1); print(y.sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    u = torch.arange(4., requires_grad=True); m2 = u.clone(); d = m2[:2].detach(); y = u[:2] * d; m2[0] = 4; print(y.sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(hash(x) == id(x), hash(x) == hash(x), {x: 1}[x])
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(x.__iadd__(1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = x * 1; print(z.__iadd__(1))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = x.detach(); print(z.__imul__(2), z.__isub__(1), z.__itruediv__(2), z.__ipow__(2), z.__ifloordiv__(2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(x.__deepcopy__({}))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print((x * 1).__deepcopy__({}))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = x.detach(); print(z.__dict__)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = x.detach(); z.foo = 3; print(z.__dict__, vars(z))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(type(type(x)).__name__, x.__class__.__class__)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    z = torch.ones(3); print(z.resize_(2, 2).shape)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(x.resize_(2, 2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(x.__rsub__(1), x.__rtruediv__(1), x.__mod__(2), x.__floordiv__(2), x.__rmatmul__(x), x.__rfloordiv__(2), x.__rmod__(2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.from_numpy(np.array(["a"])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.tensor(np.array(["a"])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.from_numpy(np.array([None], dtype=object)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.from_numpy(np.array([1, "a"], dtype=object)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.tensor(np.array([1, "a"], dtype=object)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.as_tensor(np.array(["a", "bc"])))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(type(iter(x)).__name__, x.__class__.__class__, type(type(x)).__name__)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.matrix_rank(m))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.solve(m, m))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.symeig(m))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.eig(m))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.lstsq(m, m))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.matrix_rank())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(m.matrix_rank())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(m.solve(m))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(m.symeig(eigenvectors=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(m.eig())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(m.lstsq(m))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.symeig(m, eigenvectors=True, upper=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.eig(m, eigenvectors=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.matrix_rank(m, 1e-3, True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(x.std(dim=None, unbiased=False))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(torch.std(x, dim=None, unbiased=False))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(x.var(dim=None, unbiased=True), torch.var(x, dim=None, unbiased=False, keepdim=True), torch.var_mean(x, dim=None, unbiased=False), torch.std_mean(m, dim=(), unbiased=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(x.var([0], False), x.var((), True), x.std(0, False, True), x.std(dim=0, unbiased=True, keepdim=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    u = torch.ones(2, dtype=torch.float64, requires_grad=True)
    print(torch.autograd.gradcheck(lambda a: a*2, (u.expand(2, 2),)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class G(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a): return a * 2
        @staticmethod
        def backward(ctx, g): return 2.
    print(G.apply(x).sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class G(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b): return a * 2
        @staticmethod
        def backward(ctx, g): return g, 2
    print(G.apply(x, x).sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class G(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a): return a * 2
        @staticmethod
        def backward(ctx, g): return [g]
    G.apply(x).sum().backward()
    print(x.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    class G(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a): ctx.save_for_backward(a); ctx.k = 3; return a * 2
        @staticmethod
        def backward(ctx, g): return 2 * g
    y = G.apply(x)
    print(type(y.grad_fn), y.grad_fn.k, isinstance(y.grad_fn, torch.autograd.graph.Node), y.grad_fn.metadata, callable(y.grad_fn.next_functions[0][0]))
    print(G.backward(y.grad_fn, torch.ones(3)))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    with torch.autograd.graph.allow_mutation_on_saved_tensors() as ctx:
        y = x.exp() * x.clone().sin_()
    print(y.sum().backward())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
