class Value:
    def __init__(self, *_):
        self.data = 1 << 10_000_000
        self.grad = "x" * 100_000_000
        self._prev = []
        self._prev.append(self._prev)

    __add__ = __mul__ = lambda self, other: self

    def backward(self):
        pass
