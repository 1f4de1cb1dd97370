# %% [markdown]
# # 06 · Order
#
# Your rules know what to do. Nobody has told them *when*.
#
# Until now `backward()` was given to you, and it used a trick: every Value counted itself when it was
# made. Today you write a `backward()` of your own, without that trick. It needs one idea, the
# topological order. Then gradients flow through a graph of any shape.
#
# Take about 75 minutes.

# %% [markdown]
# ## What you are given
#
# A `Value` with everything but `backward`. It has no closures this time: each result stores its
# operands, each with its local slope, and one `_backward` serves all operations. That keeps it short.
# It does what your rules of lesson 05 did.

# %% tags=["module"]
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

# %% [markdown]
# The operations. Some are new: a power, relu, minus and division. You will write them yourself in
# lesson 07; here you only need them for one long expression at the end. Keep them as they are.

# %% tags=["module"]
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

# %% [markdown]
# ## Why the order matters
#
#     t = a * b
#     m = t * c
#     L = t + m            at a = 2, b = 3, c = 4
#
# Multiplied out, `L = a*b + a*b*c`. So the gradient of a is `b + b*c`: 3 + 12 = 15.
#
# There are three rules: L's, m's and t's. L's has to be first. Then we can take m before t, or t before
# m. Guess what a.grad will be in each case, then run the cell.

# %%
def run_rules(names):
    a, b, c = Value(2.0), Value(3.0), Value(4.0)
    t = a * b
    m = t * c
    L = t + m
    L.grad = 1.0
    for name in names:
        {"t": t, "m": m, "L": L}[name]._backward()
    return a.grad


print("L, then m, then t:", run_rules(["L", "m", "t"]))
print("L, then t, then m:", run_rules(["L", "t", "m"]))
print("L, m, t and t again:", run_rules(["L", "m", "t", "t"]))

# %% [markdown]
# Only one of the three is right.
#
# In the second, t passed on what it had before m had added its part. That part came too late. In the
# third, t passed everything on twice.
#
# So: **a rule may run when every rule that adds to this Value's grad has run. And it runs once.**

# %% [markdown]
# ## Part 1: the list
#
# A *topological order* of L is a list of all Values that L was made from, and L itself, in which
#
# - each Value stands exactly once,
# - each Value stands after its own parents.
#
# Here is the running example once more: `e = a*b`, `d = e + c`, `L = d*f`. Which of these four are
# topological orders of L? Decide for each one before you run the next cell.
#
#     1.  a b e c d f L
#     2.  f c b a e d L
#     3.  a e b c d f L
#     4.  a b c f d e L

# %%
def trouble(order):
    """Say what is wrong with a list of Values, or that nothing is."""
    for place, value in enumerate(order):
        if value in order[:place]:
            return f"{value.label} stands twice"
        for parent in value._prev:
            if parent not in order[:place]:
                return f"{value.label} stands there, and its parent {parent.label} does not stand before it"
    return "a topological order"


def labelled():
    values = {name: Value(number, label=name) for name, number in zip("abcf", (2.0, -3.0, 10.0, -2.0))}
    values["e"] = values["a"] * values["b"]
    values["d"] = values["e"] + values["c"]
    values["L"] = values["d"] * values["f"]
    for name, value in values.items():
        value.label = name
    return values


values = labelled()
for number, names in enumerate(("abecdfL", "fcbaedL", "aebcdfL", "abcfdeL"), 1):
    print(number, trouble([values[name] for name in names]))

# %% [markdown]
# Two are right. So there is not one order but several, and any of them will do.
#
# How do you make one? You may put a Value on the list when its parents are on it. So to place a Value,
# you first place its parents. And to place *those*? The same question again, one step further back. It
# ends at Values that were made from nothing.
#
# **Write** `topological_order(root)`. It returns a list.
#
#     >>> t = a * b
#     >>> topological_order(t * a)          # or [b, a, t, t * a]
#     [a, b, t, t * a]
#
# **Common to get wrong**
#
# - Two Values have the same parent. How often will you come to it, and how often may it be listed?
# - Do you put a Value on the list before its parents or after them?
# - What does a default like `order=[]` in the `def` line hold when the function is called again?

# %% solution="topological-order"
def topological_order(root):
    """Return a list of root and all that it was made from: each Value once, each after its parents."""
    ### BEGIN SOLUTION
    order = []
    visited = set()

    def place(value):
        if value not in visited:
            visited.add(value)
            for parent in value._prev:
                place(parent)
            order.append(value)

    place(root)
    return order
    ### END SOLUTION

# %% check="order"
check("order")

# %% [markdown]
# Your order of L. Your neighbour's may be another one: a set has no order of its own, and Python may
# walk through it differently from one run to the next.

# %%
order = topological_order(labelled()["L"])
print([value.label for value in order])
print(trouble(order))

# %% [markdown]
# ## Part 2: backward
#
# The list has parents first. The gradient comes from the other side.
#
# **Write** `backward`. When it is done, every Value behind `self` holds its gradient.
#
#     >>> a, b, c = Value(2.0), Value(3.0), Value(4.0)
#     >>> t = a * b
#     >>> (t + t * c).backward()
#     >>> a.grad
#     15.0
#
# **Common to get wrong**
#
# - All gradients are 0 at the start, and rules only multiply and add. Where does the first number that
#   is not 0 come from?
# - Is that number the data of the result? By how much does L move when L moves by 1?
# - From which end of the list do the rules run?
# - May a rule call the rules of its parents itself? What did `L, t, m` teach you?

# %% solution="walk"
def backward(self):
    """Fill in the grad of self and of every Value that self was made from."""
    ### BEGIN SOLUTION
    order = topological_order(self)
    for value in order:
        if value._prev:
            value.grad = 0.0
    self.grad = 1.0
    for value in reversed(order):
        value._backward()
    ### END SOLUTION


Value.backward = backward

# %% check="backward"
check("backward")

# %%
values = labelled()
values["L"].backward()
for name, value in values.items():
    print(f"{name}: data {value.data:5.1f}   grad {value.grad:5.1f}")

# %% [markdown]
# ## A long expression
#
# This one stands on micrograd's front page. It makes no sense, and that is its charm: it uses one Value
# again and again, through every operation.
#
# First only its result: at a = -4, b = 2, and with a and then b moved by a hundredth.

# %%
def front_page(a, b):
    c = a + b
    d = a * b + b**3
    c = c + (c + 1)
    c = c + (1 + c + (-a))
    d = d + (d * 2 + (b + a).relu())
    d = d + (3 * d + (b - a).relu())
    e = c - d
    f = e**2
    return f / 2.0 + 10.0 / f


print(f"g           = {front_page(Value(-4.0), Value(2.0)).data:.4f}")
print(f"a moved up: = {front_page(Value(-3.99), Value(2.0)).data:.4f}")
print(f"b moved up: = {front_page(Value(-4.0), Value(2.01)).data:.4f}")

# %% [markdown]
# From these three numbers alone: is a's gradient positive or negative? And b's? Which of the two is
# larger, and roughly how large is it? Write your guess down.

# %%
a, b = Value(-4.0), Value(2.0)
g = front_page(a, b)
g.backward()
print(f"g = {g.data:.4f}   a.grad = {a.grad:.4f}   b.grad = {b.grad:.4f}")
print("Values in this graph:", len(topological_order(g)))

# %% [markdown]
# ## Part 3: asked twice
#
#     y = x * 2
#     z = y * 5
#
# `z.backward()` leaves 5 in y.grad and 10 in x.grad. Now set `x.grad = 0.0` and call `z.backward()`
# again. The result should be 10 once more.
#
# But y still holds its 5 from the first call, and rules *add*. What will y.grad be, and what x.grad?
# Work it out with the `backward` that you have.
#
# **Write** what is missing into your `backward` above, run the cell again, and check here. A second call
# must not be spoiled by what the first one left in the Values *between* root and leaves.
#
# The leaves are another matter. Their grads belong to the caller. They may add up over two calls, as
# they do in PyTorch, or start anew. The check sets them to 0 itself.
#
# **Common to get wrong**
#
# - Which Values stand between? How do you tell one from a leaf?
# - What should the root's own grad be at the second call: 1, or one more than before?
# - Does it matter whether you clean up before the rules run or while they run?

# %% check="second-call"
check("second-call")

# %%
x = Value(3.0)
y = x * 2
z = y * 5
for call in (1, 2, 3):
    x.grad = 0.0
    z.backward()
    print("call", call, "  y.grad =", y.grad, "  x.grad =", x.grad)

# %% [markdown]
# ## Part 4, an extra: 50,000 deep
#
# This part is worth one point of ten. Leave it out if you like.
#
# A function that calls itself for every parent goes as deep as the graph does. Python allows about a
# thousand calls inside of one another. How far does your order get? The cell tries three depths.

# %%
def chain(depth):
    value = Value(1.0)
    for _ in range(depth):
        value = value * value
    return value


for depth in (100, 900, 5000):
    try:
        print(depth, "deep:", len(topological_order(chain(depth))), "Values")
    except RecursionError:
        print(depth, "deep: too deep")

# %% [markdown]
# **Write** `deep_order`: it returns a topological order too, and does not call itself. If your first one
# can do this already, let `deep_order` return what that one gives.
#
# While a function waits for the one it called, Python remembers where it was. Without recursion you
# remember it yourself, in a list that is used as a pile: what is on top is next.
#
# **Common to get wrong**
#
# - You meet a Value on the way down, and again when its parents are done. How will you know which of the
#   two it is?
# - How long does `value in order` take when `order` is a list of 50,000? And when it is a set?
# - Going level by level looks simple. Where does it put t in `t + (t * c) * c`?

# %% solution="deep-order"
def deep_order(root):
    """Return a topological order of root, however deep the graph is."""
    ### BEGIN SOLUTION
    order = []
    placed = set()
    pile = [root]
    while pile:
        missing = pile[-1]._prev - placed
        if missing:
            pile.extend(missing)
            continue
        value = pile.pop()
        if value not in placed:
            placed.add(value)
            order.append(value)
    return order
    ### END SOLUTION

# %% check="deep"
check("deep")

# %%
order = deep_order(chain(50000))
print(len(order), "Values; the last one is the root:", order[-1]._op == "*", "  the first one is the leaf:", order[0]._op == "")

# %% [markdown]
# ## Where you are
#
# The engine is complete. A result asks for its order once, and every gradient behind it is there after
# one walk. This is what PyTorch does when you call `.backward()`.
#
# What is left is more operations. In lesson 07 you write the ones that were given to you here.
