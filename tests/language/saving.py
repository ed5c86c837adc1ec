import torch, io, pickle, copy, torch.nn as nn, os
torch.manual_seed(0)
m = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
opt = torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9)
m(torch.ones(4, 2)).sum().backward(); opt.step()
path = 'vjp_saving_model.pt'
torch.save(m.state_dict(), path)
n = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
print(n.load_state_dict(torch.load(path)))
print(torch.equal(m(torch.ones(1, 2)), n(torch.ones(1, 2))), os.path.exists(path))
with torch.no_grad():
    m[0].weight += 1
print((torch.load(path)['0.weight'] == m[0].weight).any())
torch.save({'epoch': 5, 'model': m.state_dict(), 'opt': opt.state_dict(), 'loss': 0.25}, path)
c = torch.load(path, weights_only=True)
print(c['epoch'], c['loss'], list(c), c['opt']['param_groups'])
opt.load_state_dict(c['opt'])
buffer = io.BytesIO()
torch.save(m, buffer)
buffer.seek(0)
try:
    torch.load(buffer)
except pickle.UnpicklingError as e:
    print(str(e).split('.')[0])
buffer.seek(0)
w = torch.load(buffer, weights_only=False)
print(w, w[0].weight.grad is None, type(w[0].weight))
x = torch.tensor([1., 2.], requires_grad=True); y = x * 2; y.sum().backward()
torch.save([x, y, torch.arange(3)], path)
a, b, k = torch.load(path)
print(a, b, k, a.grad, b.is_leaf)
for f in ['vjp_nope.pt']:
    try:
        torch.load(f)
    except FileNotFoundError as e:
        print(e)
d = pickle.loads(pickle.dumps({'a': [1, 2], 'b': (3, None)}))
print(d)
with open(path, 'wb') as f:
    pickle.dump(d, f)
    pickle.dump([7], f)
with open(path, 'rb') as f:
    print(pickle.load(f), pickle.load(f))
    try:
        pickle.load(f)
    except EOFError as e:
        print(e)
os.remove(path)
try:
    pickle.dumps(lambda x: x)
except Exception as e:
    print(type(e).__name__)
