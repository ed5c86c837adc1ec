import torch, torch.nn as nn
torch.manual_seed(0)
m = nn.Conv2d(2, 3, 3, stride=2, padding=1)
x = torch.randn(1, 2, 5, 5)
y = m(x); print(m, y)
y.sum().backward(); print(m.weight.grad, m.bias.grad)
print(type(m))
import torch, torch.nn as nn
torch.manual_seed(0)
print(nn.Conv1d(2, 4, 3, padding='same', groups=2, bias=False, dilation=2))
m = nn.Conv1d(2, 3, 3, padding=1, padding_mode='circular'); print(m)
print(m(torch.arange(10.).reshape(1,2,5)))
m = nn.Conv1d(2, 3, 4, padding='same', padding_mode='reflect'); print(m)
print(m(torch.arange(10.).reshape(1,2,5)))
import torch, torch.nn as nn
for m in [nn.MaxPool2d(2), nn.MaxPool1d(3, 2, 1), nn.AvgPool2d(2), nn.AvgPool1d(2), nn.AdaptiveAvgPool2d((1,1)), nn.AdaptiveAvgPool1d(2), nn.AdaptiveMaxPool2d(2), nn.LPPool2d(2, 2)]:
    print(m)
x = torch.arange(16.).reshape(1,1,4,4)
print(nn.MaxPool2d(2)(x), nn.AvgPool2d(2)(x), nn.AdaptiveAvgPool2d(1)(x))
print(nn.MaxPool2d(2, return_indices=True)(x))
import torch, torch.nn as nn
torch.manual_seed(0)
m = nn.LSTM(3, 4); print(m)
x = torch.randn(5, 2, 3)
y, (h, c) = m(x)
print(y.data, h.data, c.data)
y.sum().backward()
for n, p in m.named_parameters(): print(n, p.shape, p.grad.sum())
import torch, torch.nn as nn
torch.manual_seed(0)
m = nn.GRU(3, 4, num_layers=2, bidirectional=True, batch_first=True); print(m)
x = torch.randn(2, 5, 3)
y, h = m(x)
print(y.data, h)
print([n for n, _ in m.named_parameters()])
import torch, torch.nn as nn
torch.manual_seed(0)
m = nn.RNN(3, 4, nonlinearity='relu', bias=False); print(m)
y, h = m(torch.randn(5, 3)); print(y, h)
m = nn.LSTM(3, 4, proj_size=2, num_layers=2); print(m)
y, (h, c) = m(torch.randn(5, 3)); print(y.data, h.shape, c.shape)
import torch, torch.nn as nn
torch.manual_seed(0)
for c in (nn.LSTMCell, nn.GRUCell, nn.RNNCell):
    m = c(3, 4); print(m); print(m(torch.randn(2, 3))); print(m(torch.randn(3)))
    m(torch.randn(2,3))
