"""06_topo: Topological order and backward.

Write your code where NotImplementedError is raised, then run `autograder check` in this folder.
Each `# %%` begins a cell, which is run on its own: a mistake in one does not stop the others.
"""


# %%
class Value:
    """A number that remembers what it was made from, and how fast it moves with each of these."""

    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad = data, 0.0
        self.label, self._op = label, _op
        self._prev = set(_children)
        self._slopes = ()

    def __repr__(self):
        return f"Value(data={self.data!r})"

    def _backward(self):
        """Pass this Value's gradient on to its operands, once."""
        for operand, slope in self._slopes:
            operand.grad += slope * self.grad


def _made(data, op, *slopes):
    """A Value made by op; each of slopes is an operand and the local slope by it."""
    result = Value(data, [operand for operand, _ in slopes], op)
    result._slopes = slopes
    return result


# %%
def _lifted(x):
    return x if isinstance(x, Value) else Value(x)


def _added(x, y):
    y = _lifted(y)
    return _made(x.data + y.data, "+", (x, 1.0), (y, 1.0))


def _times(x, y):
    y = _lifted(y)
    return _made(x.data * y.data, "*", (x, y.data), (y, x.data))


Value.__add__ = Value.__radd__ = _added
Value.__mul__ = Value.__rmul__ = _times
Value.__pow__ = lambda x, k: _made(x.data**k, f"**{k}", (x, k * x.data ** (k - 1)))
Value.relu = lambda x: _made(max(x.data, 0.0), "relu", (x, float(x.data > 0)))
Value.__neg__ = lambda x: x * -1.0
Value.__sub__ = lambda x, y: x + _lifted(y) * -1.0
Value.__rsub__ = lambda x, y: _lifted(y) + x * -1.0
Value.__truediv__ = lambda x, y: x * _lifted(y) ** -1.0
Value.__rtruediv__ = lambda x, y: _lifted(y) * x**-1.0


# %% topological-order
def topological_order(root):
    """Return a list of root and all that it was made from: each Value once, each after its parents."""
    raise NotImplementedError


# %% walk
def backward(self):
    """Fill in the grad of self and of every Value that self was made from."""
    raise NotImplementedError


Value.backward = backward


# %% deep-order
def deep_order(root):
    """Return a topological order of root, however deep the graph is."""
    raise NotImplementedError
