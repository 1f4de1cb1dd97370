"""03_mul: Multiplication.

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
def _sum_of_two(self, other):
    """Return self + other as a new Value; other may be a plain number."""
    term = other if isinstance(other, Value) else Value(other)
    total = Value(self.data + term.data, (self, term), "+")

    def share():
        for one in (self, term):
            one.grad += total.grad

    total._backward = share
    return total


Value.__add__ = _sum_of_two


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


# %% mul
def __mul__(self, other):
    """Return self * other as a new Value; other may be a plain number."""
    # Let it grow:  1. the number   2. the factors and the sign "*"   3. the local rule
    raise NotImplementedError


Value.__mul__ = __mul__
