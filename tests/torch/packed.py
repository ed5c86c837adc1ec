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
    from torch.nn.utils.rnn import pad_sequence
    a, b, c = torch.ones(3), torch.ones(1) * 2, torch.ones(2) * 3; print(pad_sequence([a, b, c]), pad_sequence([a, b, c], batch_first=True, padding_value=-1), pad_sequence([a, b], batch_first=True, padding_side='left'))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.nn.utils.rnn import pad_sequence
    a, b = torch.ones(3, 2), torch.ones(1, 2); print(pad_sequence([a, b]).shape, pad_sequence([a, b], True)); print(pad_sequence([]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
    s = torch.tensor([[1, 2, 0], [3, 0, 0], [4, 5, 6]]); p = pack_padded_sequence(s, [2, 1, 3], batch_first=True, enforce_sorted=False); print(p); print(pad_packed_sequence(p, batch_first=True)); print(p.data, p.batch_sizes)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    import torch.nn.utils.rnn as rnn
    p = rnn.pack_padded_sequence(torch.arange(12.).reshape(2, 3, 2), [3, 2], batch_first=True); print(p); d, n = rnn.pad_packed_sequence(p); print(d.shape, d, n); print(rnn.pad_packed_sequence(p, True, total_length=4, padding_value=-1.)); print(rnn.pad_packed_sequence(p, total_length=2))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.utils.rnn.pack_padded_sequence(torch.ones(2, 3, 1), [2, 3], batch_first=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.utils.rnn.pack_padded_sequence(torch.ones(2, 3, 1), [3, 0], batch_first=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.utils.rnn.pack_padded_sequence(torch.ones(2, 3, 1), [3, 2, 1], batch_first=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    p = nn.utils.rnn.pack_sequence([torch.tensor([1., 2.]), torch.tensor([3.])]); print(p, nn.utils.rnn.unpack_sequence(p)); print(nn.utils.rnn.pack_sequence([torch.ones(1), torch.ones(2)], enforce_sorted=False)); print(nn.utils.rnn.pack_sequence([torch.ones(1), torch.ones(2)]))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
    torch.manual_seed(0); l = nn.LSTM(2, 3, batch_first=True); s = torch.randn(3, 4, 2); p = pack_padded_sequence(s, torch.tensor([4, 2, 1]), batch_first=True); o, (h, c) = l(p); y, n = pad_packed_sequence(o, batch_first=True); print(y, n, h, c); y.sum().backward(); print(l.weight_hh_l0.grad)
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
    torch.manual_seed(1); l = nn.GRU(2, 3, num_layers=2, bidirectional=True); s = torch.randn(4, 3, 2); p = pack_padded_sequence(s, [2, 4, 3], enforce_sorted=False); o, h = l(p); print(o.data.detach(), o.batch_sizes, h.detach()); print(pad_packed_sequence(o)[0].detach())
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    from torch.nn.utils.rnn import pack_padded_sequence
    torch.manual_seed(2); l = nn.RNN(1, 2, batch_first=True, bidirectional=True); s = torch.randn(2, 3, 1); h0 = torch.randn(2, 2, 2); o, h = l(pack_padded_sequence(s, [1, 3], batch_first=True, enforce_sorted=False), h0); print(o.data.detach(), h.detach(), type(o))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])

torch.set_printoptions(profile="default")
torch.set_default_dtype(default)
x = torch.tensor([1., 2., 3.], requires_grad=True)
m = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
try:
    print(nn.utils.rnn.unpad_sequence(torch.tensor([[1, 2, 0], [3, 0, 0]]), torch.tensor([2, 1]), batch_first=True))
except Exception as e:
    print(type(e).__name__ + ":", str(e).split("\n")[0])
