# torch.linalg: functions that are made of others.


def _count(sizes):
    return math.prod(sizes)


def tensorinv(A, ind=2):
    """The inverse of A as a map between its first ind dimensions and the others."""
    if ind <= 0:
        raise RuntimeError(f"Expected a strictly positive integer for 'ind', but got {ind}")
    rows, columns = tuple(A.shape[:ind]), tuple(A.shape[ind:])
    if _count(rows) != _count(columns):
        raise RuntimeError(f'Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got {_count(columns)} != {_count(rows)}')
    return torch.linalg.inv(A.reshape(_count(columns), -1)).reshape(columns + rows)


def tensorsolve(A, B, dims=None):
    """X with tensordot(A, X, X.ndim) = B."""
    if dims is not None:
        A = A.movedim(tuple(dims), tuple(range(A.ndim - len(dims), A.ndim)))
    rows, columns = tuple(A.shape[:B.ndim]), tuple(A.shape[B.ndim:])
    if _count(rows) != _count(columns):
        raise RuntimeError(f'Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), but got {_count(columns)} != {_count(rows)}')
    return torch.linalg.solve(A.reshape(_count(columns), -1), B.reshape(-1)).reshape(columns)


def diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    """The diagonals of the last two dimensions."""
    return torch.diagonal(A, offset, dim1, dim2)
