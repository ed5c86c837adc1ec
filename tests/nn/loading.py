import torch
from torch.utils.data import Dataset, DataLoader, TensorDataset, random_split, Subset, ConcatDataset, WeightedRandomSampler
torch.manual_seed(0)
X, Y = torch.arange(20.).reshape(10, 2), torch.arange(10)
ds = TensorDataset(X, Y); print(len(ds), ds[3], ds[:2])
for epoch in range(2):
    for xb, yb in DataLoader(ds, batch_size=4, shuffle=True): print(xb, yb)
a, b = random_split(ds, [7, 3]); print(len(a), len(b), a.indices, b[0])
print([len(s) for s in random_split(ds, [0.5, 0.5], generator=torch.Generator().manual_seed(42))])
class D(Dataset):
    def __init__(self, n): self.n = n
    def __len__(self): return self.n
    def __getitem__(self, i): return {'x': torch.tensor([float(i)]), 'y': i, 'z': i * 0.5, 's': str(i)}
dl = DataLoader(D(5), batch_size=2, drop_last=True); print(len(dl), len(dl.dataset), dl.batch_size)
for batch in dl: print(batch)
for i, (x, y) in enumerate(DataLoader(ds, 3)): print(i, x.shape, y.tolist())
g = torch.Generator(); g.manual_seed(1)
print([y.tolist() for _, y in DataLoader(ds, batch_size=5, shuffle=True, generator=g)])
it = iter(DataLoader(ds, batch_size=6)); print(next(it)[1]); print(next(it)[1])
print(torch.rand(2)); print(len(ConcatDataset([ds, ds])), (ds + ds)[12], Subset(ds, [1, 2])[0])
print([y.tolist() for _, y in DataLoader(ds, batch_size=5, sampler=WeightedRandomSampler([1.]*10, 10))])
for xb, yb in DataLoader(ds, batch_size=None): print(xb, yb); break
print([list(b) for b in DataLoader(list(range(5)), batch_size=2, collate_fn=lambda b: b)], next(iter(DataLoader([(1., 2), (3., 4)], batch_size=2))))
