"""07_tanh: Tanh and its neighbours.

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
def _product_of_two(self, other):
    """Return self * other as a new Value; other may be a plain number."""
    right = other if isinstance(other, Value) else Value(other)
    result = Value(self.data * right.data, (self, right), "*")

    def share():
        for one, slope in ((self, right.data), (right, self.data)):
            one.grad += slope * result.grad

    result._backward = share
    return result


Value.__mul__ = _product_of_two


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


# %% tanh-method
def tanh(self):
    """Return tanh of self as a new Value."""
    raise NotImplementedError


Value.tanh = tanh


# %% neuron-function
def neuron(x1, x2, w1, w2, b):
    """Return the output of a neuron with two inputs, as a Value."""
    raise NotImplementedError


# %% exp-method
def exp(self):
    """Return e to the power of self as a new Value."""
    raise NotImplementedError


Value.exp = exp


# %% pow-method
def __pow__(self, exponent):
    """Return self to the power of a plain number, an int or a float, as a new Value."""
    raise NotImplementedError


Value.__pow__ = __pow__


# %% neg-sub
def __neg__(self):
    """Return -self as a Value."""
    raise NotImplementedError


def __sub__(self, other):
    """Return self - other as a Value; other may be a plain number."""
    raise NotImplementedError


Value.__neg__ = __neg__
Value.__sub__ = __sub__


# %% truediv
def __truediv__(self, other):
    """Return self / other as a Value; other may be a plain number."""
    raise NotImplementedError


Value.__truediv__ = __truediv__


# %% radd-rmul
def __radd__(self, left):
    """Return left + self, where left is a plain number."""
    raise NotImplementedError


def __rmul__(self, left):
    """Return left * self, where left is a plain number."""
    raise NotImplementedError


Value.__radd__ = __radd__
Value.__rmul__ = __rmul__


# %% rsub-rtruediv
def __rsub__(self, left):
    """Return left - self, where left is a plain number."""
    raise NotImplementedError


def __rtruediv__(self, left):
    """Return left / self, where left is a plain number."""
    raise NotImplementedError


Value.__rsub__ = __rsub__
Value.__rtruediv__ = __rtruediv__


# %% pieces
def tanh_in_pieces(x):
    """Return tanh of a Value, made of exp, minus, plus and a division."""
    raise NotImplementedError


# %% relu-method
def relu(self):
    """Return self where it is positive, and 0 where it is not, as a new Value."""
    raise NotImplementedError


Value.relu = relu
