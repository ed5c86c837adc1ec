"""torch: the memory of a tensor as numbers, x.storage()."""

import torch


class TypedStorage:
    __module__ = "torch.storage"

    def __init__(self, tensor):
        size = tensor.untyped_storage().nbytes() // tensor.element_size()
        whole = tensor if tensor._base is None else tensor._base
        self._all = torch.as_strided(whole.detach(), (size,), (1,), 0)
        self.dtype = tensor.dtype

    def __len__(self):
        return len(self._all)

    def size(self):
        return len(self._all)

    def tolist(self):
        return self._all.tolist()

    def data_ptr(self):
        return self._all.data_ptr()

    def nbytes(self):
        return len(self._all) * self._all.element_size()

    def element_size(self):
        return self._all.element_size()

    def __getitem__(self, k):
        return self._all[k].item() if isinstance(k, int) else TypedStorage(self._all[k].clone())

    def __setitem__(self, k, value):
        self._all[k] = value

    def __iter__(self):
        return iter(self.tolist())

    def __repr__(self):
        lines = [f" {v}" for v in self.tolist()]
        lines.append(f"[torch.storage.TypedStorage(dtype={self.dtype}, device=cpu) of size {len(self)}]")
        return "\n".join(lines)


def _typed_storage(tensor):
    return TypedStorage(tensor)
