"""10_softmax: Softmax.

Write your code where NotImplementedError is raised, then run `autograder check` in this folder.
Each `# %%` begins a cell, which is run on its own: a mistake in one does not stop the others.
"""


# %%
import itertools
import math


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
def _made(number, sign, *edges):
    """Return a new Value made from parents; each edge is a parent and the local slope by it."""
    made = Value(number, [parent for parent, _ in edges], sign)

    def share():
        for parent, slope in edges:
            parent.grad += slope * made.grad

    made._backward = share
    return made


def _as_value(other):
    """Return other itself where it is a Value, a new Value where it is a plain number."""
    return other if isinstance(other, Value) else Value(other)


def _add(left, right):
    left, right = _as_value(left), _as_value(right)
    return _made(left.data + right.data, "+", (left, 1.0), (right, 1.0))


def _subtract(left, right):
    left, right = _as_value(left), _as_value(right)
    return _made(left.data - right.data, "-", (left, 1.0), (right, -1.0))


# %%
def _multiply(left, right):
    left, right = _as_value(left), _as_value(right)
    return _made(left.data * right.data, "*", (left, right.data), (right, left.data))


def _divide(left, right):
    left, right = _as_value(left), _as_value(right)
    ratio = left.data / right.data
    return _made(ratio, "/", (left, 1 / right.data), (right, -ratio / right.data))


def _power(base, exponent):
    return _made(base.data**exponent, "**", (base, exponent * base.data ** (exponent - 1)))


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
Value.__add__, Value.__radd__ = _add, lambda self, left: _add(left, self)
Value.__sub__, Value.__rsub__ = _subtract, lambda self, left: _subtract(left, self)
Value.__mul__, Value.__rmul__ = _multiply, lambda self, left: _multiply(left, self)
Value.__truediv__, Value.__rtruediv__ = _divide, lambda self, left: _divide(left, self)
Value.__neg__ = lambda self: _subtract(0.0, self)
Value.__pow__ = _power


# %% exp-method
def exp(self):
    """Return e to the power of self as a new Value."""
    raise NotImplementedError


Value.exp = exp


# %% log-method
def log(self):
    """Return the natural logarithm of self as a new Value."""
    raise NotImplementedError


Value.log = log


# %% softmax-function
def softmax(logits):
    """Return a list of Values that are positive and add up to 1, one for each logit."""
    raise NotImplementedError


# %% cross-entropy-function
def cross_entropy(logits, label):
    """Return minus the log of the probability of logits[label], as a Value."""
    raise NotImplementedError
