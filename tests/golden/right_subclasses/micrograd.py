from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(eq=False)
class Value:
    data: float
    _prev: tuple[Value, ...] = ()
    _op: str = ""
    label: str = ""
    grad: float = field(default=0.0)

    def push(self):
        """A leaf has nobody to pass anything on to."""

    def __add__(self, other):
        return Sum.of(self, other)

    def __mul__(self, other):
        return Product.of(self, other)

    def __rmul__(self, other):
        return Product.of(Value(other), self)

    def backward(self):
        order = []

        def visit(node):
            if node in order:
                return
            for parent in node._prev:
                visit(parent)
            order.append(node)

        visit(self)
        self.grad = 1.0
        while order:
            order.pop().push()


class Binary(Value):
    sign = "?"

    @classmethod
    def of(cls, left, right):
        if not isinstance(right, Value):
            right = Value(right)
        return cls(cls.compute(left.data, right.data), (left, right), cls.sign)


class Sum(Binary):
    sign = "+"

    @staticmethod
    def compute(x, y):
        return x + y

    def push(self):
        for parent in self._prev:
            parent.grad += self.grad


class Product(Binary):
    sign = "*"

    @staticmethod
    def compute(x, y):
        return x * y

    def push(self):
        x, y = self._prev
        x.grad += self.grad * y.data
        y.grad += self.grad * x.data
