# %% [markdown]
# # 08 · Neurons, layers, a network
#
# So far you typed in every number yourself. A network has too many numbers for that: the one you build
# today has 41, and nobody chooses them by hand.
#
# You write three small classes, each out of the one before it:
#
# 1. a `Neuron` turns several numbers into one,
# 2. a `Layer` is a row of neurons that all see the same inputs,
# 3. an `MLP` is several layers, one behind the other. The letters stand for *multi-layer perceptron*.
#
# There is no new calculus today. Your `Value` already knows all of it. Take about 75 minutes.

# %% [markdown]
# ## What you are given
#
# A whole `Value`. Outside it works like yours. Inside it is built another way:
#
# - There are no closures. A result keeps *links*: pairs of a parent and the slope along it.
# - `backward()` counts first how often each Value is used. A Value passes its gradient on when all of
#   its uses have reported, and not before.
#
# You do not need to change it. Read it once, and look for what you know.

# %% tags=["module"]
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

# %% tags=["module"]
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

# %% tags=["module"]
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

# %% [markdown]
# Does it work? Here is the neuron from lesson 07, typed out by hand. Which four gradients do you expect
# to see again?

# %%
x1, x2 = Value(2.0), Value(0.0)
w1, w2, b = Value(-3.0), Value(1.0), Value(6.8813735870195432)
o = (x1 * w1 + x2 * w2 + b).tanh()
o.backward()
print(f"o = {o.data:.4f}")
for name, knob in {"x1": x1, "w1": w1, "x2": x2, "w2": w2, "b": b}.items():
    print(f"{name}.grad = {knob.grad:.4f}")

# %% [markdown]
# ## Part 1: the knobs of a neuron
#
# Picture a mixing desk. Each input has a slider of its own, its *weight*. One more slider belongs to no
# input at all: the *bias*. It says how willing the neuron is to answer, whatever comes in.
#
# Learning means to move sliders. So there must be a way to ask a neuron for all of them.
#
# Guess: how many sliders does a neuron with 3 inputs have?
#
# **Write** the first half of `Neuron`:
#
# - `Neuron(nin)` makes `nin` weights and keeps them in `self.w`, a list. It keeps a bias in `self.b`.
#   Every one of them is a `Value`. The weights hold random numbers, as from `random.uniform(-1, 1)`. The
#   bias may be random too, or 0.
# - `parameters()` gives a list of all its Values, weights and bias. In which order is up to you.
#
# An example:
#
#     >>> neuron = Neuron(3)
#     >>> len(neuron.w), len(neuron.parameters())
#     (3, 4)

# %% [markdown]
# **Common to get wrong**
#
# - Is the bias something that can be learned? Then where does it have to turn up?
# - Suppose all weights of all neurons start at 0.5. Two neurons see the same inputs. What differs between
#   their outputs, what between their gradients, and what after a step of learning?
# - `parameters()` will be asked many times. Does it hand out the neuron's own Values each time, or new ones?

# %% solution="neuron"
class Neuron:
    """A weight for each input in the list w, and a bias b."""

    def __init__(self, nin):
        """Make nin random weights and a bias, each a Value."""
        ### BEGIN SOLUTION
        self.w = [Value(random.uniform(-1, 1)) for _ in range(nin)]
        self.b = Value(0.0)
        ### END SOLUTION

    def parameters(self):
        """Return a list of every Value that can be learned."""
        ### BEGIN SOLUTION
        return [*self.w, self.b]
        ### END SOLUTION

# %% check="neuron-knobs"
check("neuron-knobs")

# %% [markdown]
# Run this cell twice. What stays, and what changes?

# %%
for knob in Neuron(3).parameters():
    print(knob)

# %% [markdown]
# ## Part 2: what a neuron answers
#
# The neuron multiplies each input by its weight, adds all of that up, adds the bias, and squashes the sum
# with `tanh`:
#
#     o = tanh(w1*x1 + w2*x2 + ... + b)
#
# Do one with a pencil: w = (0.5, -1), b = 0.25, x = (2, 1). What goes into the tanh? Is the answer above 0
# or below it?
#
# Later layers will hand in Values in place of plain numbers. Python's `*` does not mind, and neither should you.
#
# One more thing can happen: somebody hands 2 numbers to a neuron that was made for 3. Most loops over two lists
# use `zip`. What will the next cell print? Count the pairs before you run it.

# %%
weights = [10, 20, 30]
print(list(zip(weights, [1, 2])))
print(list(zip(weights, [1, 2, 3, 4, 5])))

# %% [markdown]
# No error, and no warning. A neuron like that would give a wrong answer, quietly. Yours shall speak up.
#
# **Write** `__call__`. It is what Python runs for `neuron(x)`.
#
# - `x` is a list or a tuple, of numbers or of Values. The result is one `Value`.
# - If `x` has more or fewer entries than there are weights, raise a `ValueError` that says so.
#
# The pencil example:
#
#     >>> neuron = Neuron(2)
#     >>> neuron.w[0].data, neuron.w[1].data, neuron.b.data = 0.5, -1.0, 0.25
#     >>> neuron([2.0, 1.0])
#     Value(data=0.24491866240370913)
#
# **Common to get wrong**
#
# - Set every input to 0. Which number should still come through?
# - If you build the sum from `.data`, what can `backward()` find behind the output?
# - The bias is added once. Is it, if the `+` stands inside of the loop?

# %% solution="neuron-call"
def __call__(self, x):
    """Return tanh(w1*x1 + w2*x2 + ... + b) as a Value; x holds one entry for each weight."""
    ### BEGIN SOLUTION
    if len(x) != len(self.w):
        raise ValueError(f"this neuron takes {len(self.w)} inputs, and {len(x)} came")
    total = self.b
    for weight, entry in zip(self.w, x):
        total = total + weight * entry
    return total.tanh()
    ### END SOLUTION


Neuron.__call__ = __call__

# %% check="neuron-output"
check("neuron-output")

# %% [markdown]
# Now your neuron, with the numbers of lesson 07. Nothing here was typed out by hand, and yet you know each
# gradient already. Say them before you run it.

# %%
neuron = Neuron(2)
neuron.w[0].data, neuron.w[1].data, neuron.b.data = -3.0, 1.0, 6.8813735870195432
x = [Value(2.0), Value(0.0)]
o = neuron(x)
o.backward()
print(f"o = {o.data:.4f}")
print("inputs: ", [round(one.grad, 4) for one in x])
print("weights:", [round(one.grad, 4) for one in neuron.w])
print("bias:   ", round(neuron.b.grad, 4))

# %% [markdown]
# ## Part 3: a layer
#
# A layer is a row of neurons. All of them get the same inputs, and each gives one answer. So a layer with 4
# neurons turns its inputs into 4 numbers.
#
# Before you write it, a riddle that has nothing to do with neurons. Three boxes are made, and a nut goes into
# the first one. What is printed?

# %%
boxes = [[]] * 3
boxes[0].append("nut")
print(boxes)

# %% [markdown]
# How many boxes were there? Keep that in mind when you make several neurons.
#
# **Write** `Layer`:
#
# - `Layer(nin, nout)` makes `nout` neurons with `nin` inputs each, in the list `self.neurons`.
# - `layer(x)` gives a list with every neuron's answer, in order. If there is only one neuron, it gives that one
#   `Value` itself, and no list.
# - `parameters()` gives one flat list of all the neurons' Values.
#
# An example:
#
#     >>> layer = Layer(3, 4)
#     >>> len(layer([1.0, 2.0, 3.0])), len(layer.parameters())
#     (4, 16)
#     >>> type(Layer(3, 1)([1.0, 2.0, 3.0])).__name__
#     'Value'
#
# **Common to get wrong**
#
# - You will soon compute `output - target`. What does Python say to `[o] - 1.0`?
# - A list of lists is not a flat list. What does `len()` count in each?
# - If one neuron's weight is changed, which neurons should notice?

# %% solution="layer-class"
class Layer:
    """A row of neurons that see the same inputs, in the list neurons."""

    def __init__(self, nin, nout):
        """Make nout neurons with nin inputs each."""
        ### BEGIN SOLUTION
        self.neurons = [Neuron(nin) for _ in range(nout)]
        ### END SOLUTION

    def __call__(self, x):
        """Return a list of the neurons' outputs; where there is one neuron only, its output itself."""
        ### BEGIN SOLUTION
        outputs = [neuron(x) for neuron in self.neurons]
        return outputs[0] if len(outputs) == 1 else outputs
        ### END SOLUTION

    def parameters(self):
        """Return one flat list of every Value that can be learned."""
        ### BEGIN SOLUTION
        return [parameter for neuron in self.neurons for parameter in neuron.parameters()]
        ### END SOLUTION

# %% check="layer"
check("layer")

# %% [markdown]
# ## Part 4: the network
#
# In an MLP the answers of one layer are the inputs of the next one.
#
#     3 inputs -> 4 neurons -> 4 neurons -> 1 neuron
#
# This one is written `MLP(3, [4, 4, 1])`. Count its knobs on paper: so many in the first layer, so many in the
# second, so many in the last. How many inputs does a neuron of the second layer have?
#
# **Write** `MLP`:
#
# - `MLP(nin, nouts)` makes a layer for each number in `nouts`, in the list `self.layers`.
# - `mlp(x)` sends `x` through all of them, and gives what the last one gives.
# - `parameters()` gives one flat list again.
#
# An example:
#
#     >>> model = MLP(3, [4, 4, 1])
#     >>> [len(layer.parameters()) for layer in model.layers], len(model.parameters())
#     ([16, 20, 5], 41)
#
# **Common to get wrong**
#
# - Does the second layer see the first one's answers, or the original x again?
# - 32 knobs in place of 41: which ones were left out?
# - Networks here have more than one neuron in every layer but the last. Why would one neuron in the middle
#   make your classes stumble? (Nobody checks this. Do think about it.)

# %% solution="mlp-class"
class MLP:
    """Layers, one behind the other, in the list layers."""

    def __init__(self, nin, nouts):
        """Make a layer for each number of neurons in nouts; the first one has nin inputs."""
        ### BEGIN SOLUTION
        sizes = [nin, *nouts]
        self.layers = [Layer(sizes[at], sizes[at + 1]) for at in range(len(nouts))]
        ### END SOLUTION

    def __call__(self, x):
        """Return what the last layer makes of x, once all the layers before it had their turn."""
        ### BEGIN SOLUTION
        for layer in self.layers:
            x = layer(x)
        return x
        ### END SOLUTION

    def parameters(self):
        """Return one flat list of every Value that can be learned."""
        ### BEGIN SOLUTION
        return [parameter for layer in self.layers for parameter in layer.parameters()]
        ### END SOLUTION

# %% check="mlp"
check("mlp")

# %% [markdown]
# ## One of the 41
#
# Here is a whole network, and one call of `backward()`. Does the gradient of some weight deep inside mean
# anything? Trust nothing that you have not nudged.
#
# The weight is moved up by a thousandth, and then down. Which two numbers should agree?

# %%
random.seed(8)
model = MLP(3, [4, 4, 1])
x = [2.0, 3.0, -1.0]
out = model(x)
out.backward()

weight = model.layers[0].neurons[2].w[1]
start, h = weight.data, 0.001
weight.data = start + h
up = model(x).data
weight.data = start - h
down = model(x).data
weight.data = start

print(f"output {out.data:.6f}, {len(model.parameters())} parameters")
print(f"gradient by backward(): {weight.grad:.6f}")
print(f"gradient by nudging:    {(up - down) / (2 * h):.6f}")

# %% [markdown] written="why-random"
# Suppose every weight of a network starts at 0.5 and every bias at 0. Answer in three to five sentences: what do two
# neurons of the first layer have in common, before and after a step of learning? How many different neurons does the
# layer really have?

# %% [markdown]
# ## Why squash at all?
#
# The tanh makes the slopes more complicated. What if we leave it out? Take one input, three neurons, then one
# neuron, and no tanh anywhere:
#
#     h1 = 2*x + 1      h2 = -x + 3      h3 = 0.5*x - 2
#     y  = h1 + 2*h2 - 4*h3 + 5
#
# That is ten numbers to learn. What does y look like as a curve over x? Guess, then look at how much y changes
# from one x to the next.

# %%
def stacked(x):
    hidden = [2.0 * x + 1.0, -1.0 * x + 3.0, 0.5 * x - 2.0]
    return 1.0 * hidden[0] + 2.0 * hidden[1] - 4.0 * hidden[2] + 5.0


for x in range(5):
    print(f"x = {x}   y = {stacked(float(x)):5.1f}   -2*x + 20 = {-2.0 * x + 20.0:5.1f}")

# %% [markdown]
# Put h1, h2 and h3 into the formula for y and collect the x: 2 - 2 - 2 = -2. Collect the rest: 1 + 6 + 8 + 5 = 20.
# The ten numbers do the work of two. However many such layers you stack, a line of a line is a line.
#
# Now with the tanh around h1, h2 and h3, and nothing else changed. Do you expect equal steps again?

# %%
def squashed(x):
    hidden = [math.tanh(2.0 * x + 1.0), math.tanh(-1.0 * x + 3.0), math.tanh(0.5 * x - 2.0)]
    return 1.0 * hidden[0] + 2.0 * hidden[1] - 4.0 * hidden[2] + 5.0


before = squashed(-2.0)
for x in range(-1, 7):
    now = squashed(float(x))
    print(f"x = {x:2}   y = {now:6.3f}   step = {now - before:6.3f}")
    before = now

# %% [markdown]
# The steps have different sizes and even different signs: the curve bends. That is what the squashing is for.
# Here are both as pictures, where matplotlib is installed.

# %%
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("matplotlib is not installed: the numbers above say the same")
else:
    places = [place / 10 for place in range(-40, 101)]
    figure, axes = plt.subplots(figsize=(6, 3.5))
    axes.plot(places, [stacked(place) for place in places], label="without tanh")
    axes.plot(places, [squashed(place) for place in places], label="with tanh")
    axes.set_xlabel("x")
    axes.set_ylabel("y")
    axes.legend()
    figure.tight_layout()
    plt.show()

# %% [markdown]
# ## Where you are
#
# You have a network, and for each of its 41 knobs you can ask: if I turn this one, which way does the output
# go, and how fast?
#
# The knobs still hold random numbers, so the answers are nonsense. In the next lesson you turn them, all at
# once, a little at a time, until the answers are right.
