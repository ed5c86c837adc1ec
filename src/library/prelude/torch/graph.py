# torch.autograd.graph: hooks for what operations keep for backward, and for gradients; edges of the graph.

from collections import namedtuple


class saved_tensors_hooks:
    """What operations save inside the block goes through two functions."""
    __module__ = "torch.autograd.graph"

    def __init__(self, pack_hook, unpack_hook):
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self):
        torch.autograd.graph._push_saved_tensors_default_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(self, *args):
        torch.autograd.graph._pop_saved_tensors_default_hooks()


class save_on_cpu(saved_tensors_hooks):
    """Keeps what is saved on the CPU, where everything is here."""
    __module__ = "torch.autograd.graph"

    def __init__(self, pin_memory=False, device_type="cuda"):
        def pack_to_cpu(tensor):
            return (tensor.device, tensor)

        def unpack_from_cpu(packed):
            return packed[1]
        super().__init__(pack_to_cpu, unpack_from_cpu)


class disable_saved_tensors_hooks:
    """Inside the block no hooks for saved tensors may be set."""
    __module__ = "torch.autograd.graph"

    def __init__(self, error_message):
        self.error_message = error_message

    def __enter__(self):
        self.before = torch.autograd.graph._disable_saved_tensors_hooks(self.error_message)

    def __exit__(self, *args):
        torch.autograd.graph._disable_saved_tensors_hooks(self.before)


class _AllowMutationOnSavedContext:
    __module__ = "torch.autograd.graph"

    def clear(self):
        pass


class allow_mutation_on_saved_tensors(saved_tensors_hooks):
    """What operations save inside the block is copied, so that it may be written afterwards."""
    __module__ = "torch.autograd.graph"
    _open = False

    def __init__(self):
        def copied(tensor):
            with torch.no_grad():
                return tensor.clone()

        def kept(tensor):
            if not allow_mutation_on_saved_tensors._open:
                raise AssertionError("Trying to backward outside of the 'allow_mutation_on_saved_tensors' contextin which the graph was originally recorded.")
            return tensor
        super().__init__(copied, kept)

    def __enter__(self):
        if allow_mutation_on_saved_tensors._open:
            raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
        super().__enter__()
        allow_mutation_on_saved_tensors._open = True
        return _AllowMutationOnSavedContext()

    def __exit__(self, *args):
        allow_mutation_on_saved_tensors._open = False
        super().__exit__(*args)


class GradientEdge(namedtuple("GradientEdge", ["node", "output_nr", "ownership_token"], defaults=[None])):
    """Where a gradient arrives: a node, and which of its outputs it belongs to."""
    __module__ = "torch.autograd.graph"
    _tensor = None


def get_gradient_edge(tensor):
    """The edge of the graph at which the gradient of a tensor arrives."""
    if not tensor.requires_grad:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    node = tensor.view_as(tensor).grad_fn.next_functions[0][0] if tensor.grad_fn is None else tensor.grad_fn
    edge = GradientEdge(node, tensor.output_nr)
    edge._tensor = tensor
    return edge


def _node_hook(node, fn):
    call = getattr(node, "apply", node)

    def hook(gradient):
        found = call(gradient)
        if fn(found if isinstance(found, tuple) else (found,), (gradient,)) is not None:
            raise NotImplementedError("a hook of a grad_fn that returns other gradients is not provided")
    return hook


def _node_prehook(node, fn):
    def hook(gradient):
        found = fn((gradient,))
        return found[0] if isinstance(found, tuple) else found
    return hook


class _MultiHandle:
    __module__ = "torch.autograd.graph"

    def __init__(self, handles):
        self._handles = handles

    def remove(self):
        for handle in self._handles:
            handle.remove()

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.remove()


def register_multi_grad_hook(tensors, fn, *, mode="all"):
    """Calls fn with the gradients of several tensors when a backward has computed all that it comes to, or the first."""
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    if not all(t.requires_grad for t in tensors):
        raise AssertionError("Expected gradient function to be set")
    state = {"number": 0}

    def inner(place):
        def hook(gradient):
            number, coming = torch.autograd.graph._coming(tensors)
            if number != state["number"]:
                state.update(number=number, left=sum(coming) if mode == "all" else 1, found=[None] * len(tensors))
            state["found"][place] = gradient
            state["left"] -= 1
            if state["left"] == 0:
                fn(state["found"] if mode == "all" else gradient)
        return hook
    return _MultiHandle([t.register_hook(inner(place)) for place, t in enumerate(tensors)])
