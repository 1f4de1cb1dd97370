"""Slopes stored beside each operand; slots; the data behind a property; the order counted, with no recursion."""

from __future__ import annotations

import math


class Variable:
    __slots__ = ("_number", "derivative", "edges", "name")

    def __init__(self, number, edges=(), name=""):
        if not isinstance(number, (int, float)):
            raise TypeError("a Variable holds a plain number")
        self._number, self.derivative, self.edges, self.name = number, 0.0, tuple(edges), name

    @property
    def value(self):
        return self._number

    @value.setter
    def value(self, number):
        self._number = number

    def __add__(self, other):
        other = as_variable(other)
        return Variable(self.value + other.value, [(self, 1.0), (other, 1.0)])

    def __mul__(self, other):
        other = as_variable(other)
        return Variable(self.value * other.value, [(self, other.value), (other, self.value)])

    def __pow__(self, k):
        return Variable(self.value**k, [(self, k * self.value ** (k - 1))])

    def __truediv__(self, other):
        other = as_variable(other)
        return Variable(self.value / other.value, [(self, 1 / other.value), (other, -self.value / other.value**2)])

    def __sub__(self, other):
        return self + as_variable(other) * -1.0

    def __neg__(self):
        return Variable(-self.value, [(self, -1.0)])

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return as_variable(other) - self

    def __rtruediv__(self, other):
        return as_variable(other) / self

    def tanh(self):
        t = math.tanh(self.value)
        return Variable(t, [(self, 1 - t * t)])

    def relu(self):
        return Variable(self.value if self.value > 0 else 0.0, [(self, float(self.value > 0))])

    def ln(self):
        return Variable(math.log(self.value), [(self, 1 / self.value)])

    def back_propagate(self):
        waits = {}
        found = [self]
        for one in found:
            for operand, _ in one.edges:
                if operand not in waits:
                    waits[operand] = 0
                    found.append(operand)
                waits[operand] += 1
        self.derivative, ready = 1.0, [self]
        for one in ready:
            for operand, slope in one.edges:
                operand.derivative += slope * one.derivative
                waits[operand] -= 1
                if waits[operand] == 0:
                    ready.append(operand)


def as_variable(x):
    return x if isinstance(x, Variable) else Variable(x)
