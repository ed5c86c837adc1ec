# A network of single numbers, each with its own graph, as in micrograd, and its gradients by backward.
import random
import torch

random.seed(1337)


class Neuron:
    def __init__(self, inputs):
        self.w = [torch.tensor(random.uniform(-1, 1), requires_grad=True) for _ in range(inputs)]
        self.b = torch.tensor(0.0, requires_grad=True)

    def __call__(self, x):
        return sum((wi * xi for wi, xi in zip(self.w, x)), self.b).tanh()

    def parameters(self):
        return self.w + [self.b]


class Layer:
    def __init__(self, inputs, outputs):
        self.neurons = [Neuron(inputs) for _ in range(outputs)]

    def __call__(self, x):
        out = [n(x) for n in self.neurons]
        return out[0] if len(out) == 1 else out

    def parameters(self):
        return [p for n in self.neurons for p in n.parameters()]


class MLP:
    def __init__(self, sizes):
        self.layers = [Layer(a, b) for a, b in zip(sizes, sizes[1:])]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]


model = MLP([3, 4, 4, 1])
xs = [[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0]]
ys = [1.0, -1.0, -1.0, 1.0]
for k in range(100):
    loss = sum((model(x) - y) ** 2 for x, y in zip(xs, ys))
    for p in model.parameters():
        p.grad = None
    loss.backward()
    for p in model.parameters():
        p.data -= 0.05 * p.grad
    if k % 10 == 0:
        print(f'{k:2d} {loss.item():.5f}')
