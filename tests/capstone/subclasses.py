"""A class for each operation under an abstract one; a leaf is made from a number, a result from its operands."""

import math
import random
from abc import ABC, abstractmethod


class Expression(ABC):
    """What all nodes share. `d` is the derivative of whatever backward() was called on."""

    def __init__(self, x, *operands):
        self.x, self.d, self.operands = x, 0.0, operands

    @abstractmethod
    def slopes(self):
        """The slope by each operand."""

    def topological(self, seen):
        seen[id(self)] = None
        for operand in self.operands:
            if id(operand) not in seen:
                operand.topological(seen)
        seen[id(self)] = seen.pop(id(self)) or self
        return seen

    def backward(self):
        nodes = list(self.topological({}).values())
        for node in nodes:
            node.d = node.d if isinstance(node, Parameter) else 0.0
        self.d = 1.0
        for node in reversed(nodes):
            for operand, slope in zip(node.operands, node.slopes()):
                operand.d += slope * node.d

    def __add__(self, other):
        return Sum(self, lift(other))

    def __mul__(self, other):
        return Product(self, lift(other))

    def __pow__(self, k):
        return Power(self, k)

    def __neg__(self):
        return Product(self, lift(-1))

    def __sub__(self, other):
        return self + -lift(other)

    def __truediv__(self, other):
        return self * lift(other) ** -1

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return lift(other) + -self

    def __rtruediv__(self, other):
        return lift(other) * self**-1

    def rectify(self):
        return Rectified(self)

    def exp(self):
        return Exponential(self)


class Parameter(Expression):
    def slopes(self):
        return ()


class Sum(Expression):
    def __init__(self, left, right):
        super().__init__(left.x + right.x, left, right)

    def slopes(self):
        return 1.0, 1.0


class Product(Expression):
    def __init__(self, left, right):
        super().__init__(left.x * right.x, left, right)

    def slopes(self):
        left, right = self.operands
        return right.x, left.x


class Power(Expression):
    def __init__(self, base, k):
        super().__init__(base.x**k, base)
        self.k = k

    def slopes(self):
        return (self.k * self.operands[0].x ** (self.k - 1),)


class Rectified(Expression):
    def __init__(self, inner):
        super().__init__(max(inner.x, 0.0), inner)

    def slopes(self):
        return (1.0 if self.operands[0].x > 0 else 0.0,)


class Exponential(Expression):
    def __init__(self, inner):
        super().__init__(math.exp(inner.x), inner)

    def slopes(self):
        return (self.x,)


def lift(x):
    return x if isinstance(x, Expression) else Parameter(x)


class Perceptron:
    def __init__(self, inputs, sizes):
        self.layers = []
        for at, size in enumerate(sizes):
            rows = [[Parameter(random.uniform(-1, 1)) for _ in range(inputs + 1)] for _ in range(size)]
            self.layers.append((rows, at + 1 < len(sizes)))
            inputs = size

    def __call__(self, xs):
        for rows, bends in self.layers:
            sums = [sum(w * x for w, x in zip(row, [*xs, 1])) for row in rows]
            xs = [total.rectify() if bends else total for total in sums]
        return xs

    def parameters(self):
        return [w for rows, _ in self.layers for row in rows for w in row]
