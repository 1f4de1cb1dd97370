class Value:
    def __init__(self, data, *_):
        self.data = data

    def __add__(self, other):
        raise ValueError(f"the numbers were {self.data!r} and {other!r}")

    __mul__ = __add__
