"""types: simple objects with attributes."""


class SimpleNamespace:
    __module__ = "types"

    def __init__(self, /, **keywords):
        for name, value in keywords.items():
            setattr(self, name, value)

    def __repr__(self):
        parts = [f"{name}={value!r}" for name, value in self.__dict__.items()]
        return f"namespace({', '.join(parts)})"

    def __eq__(self, other):
        return isinstance(other, SimpleNamespace) and self.__dict__ == other.__dict__
