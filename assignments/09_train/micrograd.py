"""09_train: Training.

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


# %%
class Neuron:
    """tanh(w1*x1 + w2*x2 + ... + b)."""

    def __init__(self, nin):
        *self.w, self.b = (Value(random.gauss(0.0, 0.6)) for _ in range(nin + 1))

    def parameters(self):
        return self.w + [self.b]

    def __call__(self, x):
        products = (entry * weight for entry, weight in zip(x, self.w, strict=True))
        return sum(products, self.b).tanh()


class Layer:
    """Neurons that see the same inputs."""

    def __init__(self, nin, nout):
        self.neurons = tuple(Neuron(nin) for _ in range(nout))

    def parameters(self):
        return sum((neuron.parameters() for neuron in self.neurons), [])

    def __call__(self, x):
        answers = tuple(neuron(x) for neuron in self.neurons)
        return answers if len(answers) > 1 else answers[0]


# %%
class MLP:
    """Layers, each fed by the one before it."""

    def __init__(self, nin, nouts):
        self.layers = []
        for nout in nouts:
            self.layers.append(Layer(nin, nout))
            nin = nout

    def parameters(self):
        return sum((layer.parameters() for layer in self.layers), [])

    def __call__(self, x):
        first, *others = self.layers
        answer = first(x)
        for layer in others:
            answer = layer(answer)
        return answer


# %%
try:
    from tqdm import tqdm
except ImportError:
    tqdm = None


def progress(steps):
    """Count from 0 to steps - 1, with a bar."""
    if tqdm is not None:
        yield from tqdm(range(steps), leave=False)
        return
    drawn = 0
    for done in range(1, steps + 1):
        yield done - 1
        full = 20 * done // steps
        if full > drawn:
            print(f"\r[{'#' * full}{'.' * (20 - full)}] {done}/{steps}", end="" if done < steps else "\n")
            drawn = full


# %% descend-code
def descend(f, x, steps, rate):
    """Move x downhill on f, steps times; return f's data as it was at the beginning of each step."""
    raise NotImplementedError


# %% targets-code
def targets(labels):
    """Return -1.0 for each smaller label and 1.0 for each larger one; labels holds two kinds."""
    raise NotImplementedError


# %% loss-code
def loss(outputs, targets):
    """Return the sum of (output - target)**2 as a Value."""
    raise NotImplementedError


# %% zero-grad-code
def zero_grad(parameters):
    """Set every parameter's gradient to 0."""
    raise NotImplementedError


# %% step-code
def step(parameters, rate):
    """Move every parameter's data downhill by rate times its gradient."""
    raise NotImplementedError


# %%
XS = [[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0]]
YS = [1.0, -1.0, -1.0, 1.0]


# %% train-code
def train(model, xs, ys, steps, rate):
    """Turn the model's parameters for the given number of steps; return the losses, one before each step."""
    raise NotImplementedError


# %%
def two_moons(count, noise=0.1, seed=0):
    """Points on two half moons, and 0 or 1 for the moon; the same ones for the same seed."""
    dice = random.Random(seed)
    points, labels = [], []
    for number in range(count):
        angle = math.pi * number / (count - 1)
        across, up = math.cos(angle), math.sin(angle)
        if number % 2:
            across, up = 1.0 - across, 0.5 - up
        points.append([across + dice.gauss(0.0, noise), up + dice.gauss(0.0, noise)])
        labels.append(number % 2)
    return points, labels
