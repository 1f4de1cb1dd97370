# %% [markdown]
# # Capstone: your own micrograd
#
# Everything in one piece, from an empty file, without looking back: a class that holds a number and remembers how it
# was made, a backward pass, and a network that learns. Nobody prescribes how. This notebook has a cell for each piece;
# you may as well hand in files of your own.
#
# **What to hand in**: this notebook, one file, or a folder (or a .zip of it) with as many files as you like. Two
# files are a good size:
#
# - `engine.py` holds the class and nothing that knows of networks;
# - `nn.py` starts with `from engine import ...` and holds the network. In a package, with an `__init__.py` beside
#   them, it is `from .engine import ...`.
#
# Python's standard library is enough: what needs NumPy or another package does not run where this is graded. Keep
# examples, plots and training runs under `if __name__ == "__main__":`, since each file is imported.

# %% [markdown]
# **What is checked.** The names are yours; the class is found by what it does.
#
# - A class made from one number, as in `Value(2.0)`. An attribute holds the number, another one its gradient, a
#   plain number too; both can be assigned to. A method without arguments runs the backward pass.
# - `+ - * /`, the minus sign, and `**` with a plain exponent, each with a plain number on either side where that
#   makes sense.
# - `tanh` or `relu`, as a method or as a function of one value. If you have both, or `exp` and `log`, they have to be
#   right as well; if you have not, that costs nothing.
# - Any graph, whichever way its nodes are shared, and at least 200 operations deep.
# - A network made as `MLP(3, [4, 4, 1])`, called with a list of numbers, with `parameters()`; these 41 objects change
#   the output when their number is assigned to, and each is used. Its one output may come alone or in a list. If
#   yours also gives several, as `MLP(2, [3, 2])` would, in a list or a tuple, each of them has to be right.
#
# Not checked: how a node remembers its parents, what is printed, any name. Only told, never counted: a graph of
# thousands of operations in a row, `tanh(1000)`, a Value as an exponent, softmax, a second backward on one graph,
# whether a network can give several outputs.
#
# **How to check yourself**: the check cells here, or `autograder check` in the folder of your files. Better still,
# nudge an input by a millionth and see whether your gradient foretold the change.

# %% [markdown]
# ## The class and the backward pass
#
# Before you write: when the pass comes to a node, which gradients must have arrived there already? And which design
# do you choose: a function stored on each result, one method that looks at the operation's name, or the local slopes
# kept as numbers?

# %% solution="write-engine"
### BEGIN SOLUTION
import math
import random


class Value:
    """A number, its gradient, and its edges: pairs of an operand and the slope by that operand."""

    __slots__ = ("data", "edges", "grad")

    def __init__(self, data, edges=()):
        self.data, self.edges, self.grad = data, edges, 0.0

    def backward(self):
        """Fill grad in everything that led here; leaves add to theirs, nodes in between start from 0."""
        uses, found = {self: 0}, [self]
        for node in found:
            node.grad = 0.0 if node.edges else node.grad
            for operand, _ in node.edges:
                if operand not in uses:
                    uses[operand] = 0
                    found.append(operand)
                uses[operand] += 1
        self.grad, ready = 1.0, [self]
        while ready:
            node = ready.pop()
            for operand, slope in node.edges:
                operand.grad += slope * node.grad
                uses[operand] -= 1
                if not uses[operand]:
                    ready.append(operand)
### END SOLUTION


# %% [markdown]
# ## The operators
#
# Which of them can be made from others, and what does `2 - a` ask of whom?

# %% solution="write-operators"
### BEGIN SOLUTION
def lifted(operation):
    """The operation on two numbers as one on two Values or numbers; it gives its result and its two slopes."""

    def on_values(left, right):
        left, right = (x if isinstance(x, Value) else Value(x) for x in (left, right))
        result, by_left, by_right = operation(left.data, right.data)
        return Value(result, ((left, by_left), (right, by_right)))

    return on_values


def power(x, k):
    # The slope by the exponent has a meaning above 0 alone, and an exponent that is a plain number needs none.
    return x**k, k * x ** (k - 1) if k else 0.0, x**k * math.log(x) if x > 0 else 0.0


TABLE = {
    "add": lambda x, y: (x + y, 1.0, 1.0),
    "sub": lambda x, y: (x - y, 1.0, -1.0),
    "mul": lambda x, y: (x * y, y, x),
    "truediv": lambda x, y: (x / y, 1 / y, -x / y**2),
    "pow": power,
}
for name, operation in TABLE.items():
    setattr(Value, f"__{name}__", lifted(operation))
    setattr(Value, f"__r{name}__", lambda self, other, act=lifted(operation): act(other, self))
Value.__neg__ = lambda self: self * -1
### END SOLUTION


# %% check="operators"
check("operators")

# %% [markdown]
# ## The functions
#
# One of `tanh` and `relu` at the least. How large may its input be?

# %% solution="write-functions"
### BEGIN SOLUTION
def bent(curve):
    """A method from a function of a number that gives its result and its slope."""

    def method(self):
        result, slope = curve(self.data)
        return Value(result, ((self, slope),))

    return method


Value.tanh = bent(lambda x: (math.tanh(x), 1 - math.tanh(x) ** 2))
Value.relu = bent(lambda x: (x, 1.0) if x > 0 else (0.0, 0.0))
Value.exp = bent(lambda x: (math.exp(x), math.exp(x)))
Value.log = bent(lambda x: (math.log(x), 1 / x))
### END SOLUTION


# %% check="functions"
check("functions")

# %% [markdown]
# ## Graphs, and the long expression
#
# Nothing to write, if the backward pass is right. If it is not: which is the smallest graph that fails?

# %% check="graphs"
check("graphs")

# %% check="readme"
check("readme")

# %% [markdown]
# ## The network
#
# Neurons, layers, a stack of them. Count the knobs of one neuron before you count those of the whole. Which numbers
# must differ at the start, and which object is it that a training step changes?

# %% solution="write-network"
### BEGIN SOLUTION
class Layer:
    """Rows of weights, one for each output; the last weight of a row is its bias."""

    def __init__(self, width, outputs):
        self.rows = [[Value(random.gauss(0, width**-0.5)) for _ in range(width)] + [Value(0.0)] for _ in range(outputs)]

    def __call__(self, inputs):
        if len(inputs) != len(self.rows[0]) - 1:
            raise ValueError(f"this layer takes {len(self.rows[0]) - 1} inputs and got {len(inputs)}")
        return [sum(weight * x for weight, x in zip(row, [*inputs, 1.0])).tanh() for row in self.rows]


class MLP:
    """Layers of the given widths, one on the other."""

    def __init__(self, width, sizes):
        self.layers = [Layer(below, above) for below, above in zip([width, *sizes], sizes)]

    def __call__(self, inputs):
        for layer in self.layers:
            inputs = layer(inputs)
        return inputs[0] if len(inputs) == 1 else inputs

    def parameters(self):
        return [weight for layer in self.layers for row in layer.rows for weight in row]
### END SOLUTION


# %% check="network"
check("network")

# %% [markdown]
# ## Beyond
#
# What your engine can do that nobody asked for. Nothing here costs a point.

# %% check="beyond"
check("beyond")
