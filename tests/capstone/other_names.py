"""Other names throughout; closures that return each operand's share; a list of parents; an order made with a stack."""

import math
import random


class Scalar:
    def __init__(self, val, parents=(), share=None):
        self.val = float(val)
        self.gradient = 0
        self.parents = list(parents)
        self._share = share

    @staticmethod
    def wrap(x):
        return x if isinstance(x, Scalar) else Scalar(x)

    def __add__(self, other):
        other = Scalar.wrap(other)
        return Scalar(self.val + other.val, [self, other], lambda up: (up, up))

    def __mul__(self, other):
        other = Scalar.wrap(other)
        return Scalar(self.val * other.val, [self, other], lambda up: (up * other.val, up * self.val))

    def __pow__(self, k):
        if not isinstance(k, (int, float)):
            raise TypeError("only plain exponents")
        return Scalar(self.val**k, [self], lambda up: (up * k * self.val ** (k - 1),))

    def ReLU(self):
        return Scalar(max(self.val, 0), [self], lambda up: (up if self.val > 0 else 0,))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -Scalar.wrap(other)

    def __rsub__(self, other):
        return -self + other

    def __truediv__(self, other):
        return self * Scalar.wrap(other) ** -1

    def __rtruediv__(self, other):
        return self**-1 * other

    __radd__, __rmul__ = __add__, __mul__

    def backprop(self):
        order, seen, stack = [], set(), [(self, False)]
        while stack:
            node, done = stack.pop()
            if done:
                order.append(node)
            elif id(node) not in seen:
                seen.add(id(node))
                stack.append((node, True))
                stack += [(parent, False) for parent in node.parents]
        self.gradient = 1
        for node in reversed(order):
            if node._share:
                for parent, part in zip(node.parents, node._share(node.gradient)):
                    parent.gradient += part


class Unit:
    def __init__(self, count, last):
        self.ws = [Scalar(random.uniform(-1, 1)) for _ in range(count)]
        self.shift = Scalar(0)
        self.last = last

    def forward(self, xs):
        total = self.shift
        for w, x in zip(self.ws, xs):
            total = total + w * x
        return total if self.last else total.ReLU()


class FeedForward:
    def __init__(self, widths):
        pairs = list(zip(widths, widths[1:]))
        self.rows = [[Unit(n, at == len(pairs) - 1) for _ in range(m)] for at, (n, m) in enumerate(pairs)]

    def forward(self, xs):
        for row in self.rows:
            xs = [unit.forward(xs) for unit in row]
        return xs

    @property
    def params(self):
        return tuple(p for row in self.rows for unit in row for p in [*unit.ws, unit.shift])
