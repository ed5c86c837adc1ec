# torch.utils._pytree: values nested in lists, tuples and dicts.


class TreeSpec:
    __module__ = "torch.utils._pytree"

    def __init__(self, build, inner):
        self._build = build
        self._inner = inner
        self.num_leaves = 1 if build is None else sum(s.num_leaves for s in inner)

    def is_leaf(self):
        return self._build is None


def tree_flatten(tree, is_leaf=None):
    if is_leaf is not None and is_leaf(tree):
        return [tree], TreeSpec(None, [])
    if isinstance(tree, dict):
        keys, parts = list(tree), list(tree.values())
        build = lambda values: type(tree)(zip(keys, values))
    elif hasattr(tree, '_fields'):
        parts, build = list(tree), lambda values: type(tree)(*values)
    elif isinstance(tree, (list, tuple)):
        parts, build = list(tree), lambda values: type(tree)(values)
    else:
        return [tree], TreeSpec(None, [])
    flat = [tree_flatten(part, is_leaf) for part in parts]
    return [leaf for leaves, _ in flat for leaf in leaves], TreeSpec(build, [spec for _, spec in flat])


def tree_unflatten(leaves, treespec):
    rest = list(leaves)
    if len(rest) != treespec.num_leaves:
        raise ValueError(f'treespec.unflatten(leaves): `leaves` has length {len(rest)} but the spec refers to a pytree that holds {treespec.num_leaves} items')

    def made(spec):
        return rest.pop(0) if spec.is_leaf() else spec._build([made(inner) for inner in spec._inner])
    return made(treespec)


def tree_leaves(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[0]


def tree_map(func, tree, *rests, is_leaf=None):
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [tree_flatten(rest, is_leaf)[0] for rest in rests]
    return tree_unflatten([func(*each) for each in zip(leaves, *others)], spec)
