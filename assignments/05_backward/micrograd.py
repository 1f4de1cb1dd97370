"""05_backward: Local rules and gradients.

Write your code where NotImplementedError is raised, then run `autograder check` in this folder.
Each `# %%` begins a cell, which is run on its own: a mistake in one does not stop the others.
"""


# %%
import itertools


class Value:
    """A number that remembers which Values it was made from."""

    births = itertools.count()

    def __init__(self, data, _children=(), _op="", label=""):
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
        self._born = next(Value.births)
        self.label = label
        self.data = data
        self.grad = 0.0

    def __repr__(self):
        return f"Value(data={self.data!r})"


# %%
def _youngest_first(self):
    """Give every Value behind self its gradient: how fast self moves when that Value moves."""
    family = {self}
    unread = [self]
    while unread:
        for parent in unread.pop()._prev - family:
            family.add(parent)
            unread.append(parent)
    self.grad = 1.0
    for member in sorted(family, key=lambda value: value._born, reverse=True):
        member._backward()


Value.backward = _youngest_first


# %% pencil
def by_hand(a, b, c, f):
    """Return the gradients of L = (a*b + c) * f as {"a": ..., "b": ..., "c": ..., "d": ..., "e": ..., "f": ...}."""
    e = a * b
    d = e + c
    raise NotImplementedError


# %% add
def __add__(self, other):
    """Return self + other as a Value that can pass its gradient on to both terms."""
    term = other if isinstance(other, Value) else Value(other)
    out = Value(self.data + term.data, (self, term), "+")
    raise NotImplementedError
    return out


Value.__add__ = __add__


# %% mul
def __mul__(self, other):
    """Return self * other as a Value that can pass its gradient on to both factors."""
    factor = other if isinstance(other, Value) else Value(other)
    out = Value(self.data * factor.data, (self, factor), "*")
    raise NotImplementedError
    return out


Value.__mul__ = __mul__


# %% turn
def nudge(leaves, step):
    """Move each leaf's data along its gradient: by step times its grad."""
    raise NotImplementedError


def predicted_rise(leaves, step):
    """Return how much the result should rise, by the gradients alone, when all leaves are nudged."""
    raise NotImplementedError
