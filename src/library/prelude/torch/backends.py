# torch.backends: switches of libraries that are not here, which programs set all the same.


class _Switches:
    def __init__(self, **switches):
        for name, value in switches.items():
            setattr(self, name, value)

    def is_available(self):
        return False

    def is_built(self):
        return False


cudnn = _Switches(enabled=True, benchmark=False, deterministic=False, allow_tf32=True)
cuda = _Switches(matmul=_Switches(allow_tf32=False))
mps = _Switches()
cpu = _Switches(get_cpu_capability=lambda: "DEFAULT")
mkldnn = _Switches(enabled=True)
