"""08_mlp: Neurons, layers, a network.

Write your code where NotImplementedError is raised, then run `autograder check` in this folder.
Each `# %%` begins a cell, which is run on its own: a mistake in one does not stop the others.
"""


# %%
import math
import random


class Value:
    """A number with its gradient, and a link to each Value that it was made from."""

    def __init__(self, data, links=(), op="", label=""):
        self.grad = 0.0
        self.data = data
        self.links = tuple(links)
        self.label, self._op = label, op
        self._prev = {parent for parent, _ in self.links}

    def __repr__(self):
        return f"Value(data={self.data!r})"

    def __add__(self, other):
        other = lifted(other)
        return Value(self.data + other.data, [(self, 1.0), (other, 1.0)], "+")

    def __mul__(self, other):
        other = lifted(other)
        return Value(self.data * other.data, [(self, other.data), (other, self.data)], "*")


def lifted(number):
    """A Value as it is; a plain number as a Value."""
    return number if isinstance(number, Value) else Value(number)


# %%
def _pass_back(self):
    """Give every Value behind self its gradient: each passes on once all of its uses have reported."""
    self.grad = 1.0
    uses, family, unread = {}, {self}, [self]
    while unread:
        for parent, _ in unread.pop().links:
            uses[parent] = uses.get(parent, 0) + 1
            if parent not in family:
                family.add(parent)
                unread.append(parent)
    complete = [self]
    while complete:
        node = complete.pop()
        for parent, slope in node.links:
            parent.grad += slope * node.grad
            uses[parent] -= 1
            if uses[parent] == 0:
                complete.append(parent)


Value.backward = _pass_back


# %%
def _one_link(op, function, slope):
    """An operation on a single Value; slope(x, y) is its slope where function(x) is y."""

    def apply(self, *extra):
        y = function(self.data, *extra)
        return Value(y, [(self, slope(self.data, y, *extra))], op)

    return apply


Value.tanh = _one_link("tanh", math.tanh, lambda x, y: 1.0 - y * y)
Value.exp = _one_link("exp", math.exp, lambda x, y: y)
Value.relu = _one_link("relu", lambda x: max(0.0, x), lambda x, y: 1.0 if x > 0 else 0.0)
Value.__pow__ = _one_link("**", lambda x, k: x**k, lambda x, y, k: k * x ** (k - 1))
Value.__neg__ = _one_link("-", lambda x: -x, lambda x, y: -1.0)
Value.__radd__ = Value.__add__
Value.__rmul__ = Value.__mul__
Value.__sub__ = lambda self, other: self + -lifted(other)
Value.__rsub__ = lambda self, other: -self + other
Value.__truediv__ = lambda self, other: self * lifted(other) ** -1
Value.__rtruediv__ = lambda self, other: self**-1 * other


# %% neuron
class Neuron:
    """A weight for each input in the list w, and a bias b."""

    def __init__(self, nin):
        """Make nin random weights and a bias, each a Value."""
        raise NotImplementedError

    def parameters(self):
        """Return a list of every Value that can be learned."""
        raise NotImplementedError


# %% neuron-call
def __call__(self, x):
    """Return tanh(w1*x1 + w2*x2 + ... + b) as a Value; x holds one entry for each weight."""
    raise NotImplementedError


Neuron.__call__ = __call__


# %% layer-class
class Layer:
    """A row of neurons that see the same inputs, in the list neurons."""

    def __init__(self, nin, nout):
        """Make nout neurons with nin inputs each."""
        raise NotImplementedError

    def __call__(self, x):
        """Return a list of the neurons' outputs; where there is one neuron only, its output itself."""
        raise NotImplementedError

    def parameters(self):
        """Return one flat list of every Value that can be learned."""
        raise NotImplementedError


# %% mlp-class
class MLP:
    """Layers, one behind the other, in the list layers."""

    def __init__(self, nin, nouts):
        """Make a layer for each number of neurons in nouts; the first one has nin inputs."""
        raise NotImplementedError

    def __call__(self, x):
        """Return what the last layer makes of x, once all the layers before it had their turn."""
        raise NotImplementedError

    def parameters(self):
        """Return one flat list of every Value that can be learned."""
        raise NotImplementedError
