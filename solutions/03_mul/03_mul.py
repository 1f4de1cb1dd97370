# %% [markdown]
# # 03 · Multiplication
#
# Your `Value` can be added. Today it learns to multiply, and with that it can already compute
# things worth asking about.
#
# A product has three jobs:
#
# 1. it holds a number,
# 2. it remembers the two factors it was made from,
# 3. it knows how to pass a gradient on to them.
#
# You write one method, `__mul__`, and let it grow: each part of this lesson adds one job.
# Take about 45 minutes.

# %% [markdown]
# ## What you are given
#
# The `Value` from last time, written out. Two attributes are new:
#
# - `_backward` will hold a function. A Value that was typed in, like `Value(2.0)`, has nothing to
#   pass on, so it starts with a function that does nothing.
# - `_born` counts: the first Value made gets 0, the next 1, and so on. We use it further down.

# %% tags=["module"]
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

# %% [markdown]
# ## The sum, with its rule
#
# Here is `__add__` again. One thing is new: the small function inside of it.
#
# Read it slowly. It says: *whatever gradient the total has, both terms get it too*. That is right,
# because a sum moves exactly as far as either term moves.
#
# The function is stored on the total, and nobody calls it yet. Why not? When the sum is made,
# `total.grad` is still 0. There is nothing to pass on.

# %% tags=["module"]
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

# %% [markdown]
# ## Who calls the rules
#
# `backward()` does. It collects every Value that the result was made from, sets the result's own
# gradient to 1, and then calls the rules from the youngest Value to the oldest.
#
# Why does age work? You cannot add two Values before they exist. So a result is always younger than
# what it was made from, and by the time a Value's rule runs, everything that used it has run.
#
# In lesson 06 you will write a `backward()` that needs no birth numbers.

# %% tags=["module"]
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

# %% [markdown]
# Guess before you run the next cell: which two numbers will it print on its last line?

# %%
a = Value(2.0, label="a")
b = Value(-3.0, label="b")
s = a + b
s.backward()
print("s =", s)
print("a.grad =", a.grad, "  b.grad =", b.grad)

# %% [markdown]
# ## Part 1: the number
#
# We will use one example through several lessons:
#
#     a = 2    b = -3    c = 10    f = -2
#
#     e = a * b
#     d = e + c
#     L = d * f
#
# Work out e, d and L on paper now. You will compare in a minute.
#
# In Python, `a * b` calls `a.__mul__(b)`. So `self` is the left factor and `other` is the right one.
#
# **Write** the first job of `__mul__`: return a *new* Value whose data is the product.
#
#     >>> Value(2.0) * Value(-3.0)
#     Value(data=-6.0)
#     >>> Value(2.0) * 4
#     Value(data=8.0)
#
# **Common to get wrong**
#
# - What type does `other` have in `Value(2.0) * 4`? Does it have a `.data`?
# - What comes back from a method that computes a result and forgets to say `return`?

# %% solution="mul"
def __mul__(self, other):
    """Return self * other as a new Value; other may be a plain number."""
    # Let it grow:  1. the number   2. the factors and the sign "*"   3. the local rule
    ### BEGIN SOLUTION
    factor = other if isinstance(other, Value) else Value(other)
    product = Value(self.data * factor.data, (self, factor), "*")

    def pass_back():
        self.grad += factor.data * product.grad
        factor.grad += self.data * product.grad

    product._backward = pass_back
    return product
    ### END SOLUTION


Value.__mul__ = __mul__

# %% check="mul-data"
check("mul-data")

# %% [markdown]
# Now compare with your paper.

# %%
a, b, c, f = Value(2.0), Value(-3.0), Value(10.0), Value(-2.0)
e = a * b
d = e + c
L = d * f
print("e =", e.data, "  d =", d.data, "  L =", L.data)

# %% [markdown]
# ## Part 2: the factors
#
# A product that forgets its factors is a dead end: no gradient could find its way back to them.
#
# **Write** the second job. Go back to your `__mul__` above and hand the new Value its two factors as
# `_children`, and `"*"` as its `_op`. The sum does the same with its two terms. Then run your cell
# again, and this check.
#
#     >>> p = a * b
#     >>> p._prev == {a, b}
#     True
#
# **Common to get wrong**
#
# - Suppose you always write `Value(other)`, even when `other` is a Value already. Whose gradient would
#   you fill in later: the caller's, or a copy's?
# - `Value(1.5) * Value(1.5)`: the numbers are equal. How many parents should the product have?
# - And `a * a`, how many?

# %% check="mul-graph"
check("mul-graph")

# %% [markdown]
# Which labels stand in `L._prev`? Careful: not all the letters of the example are *direct* parents.

# %%
a, b = Value(2.0, label="a"), Value(-3.0, label="b")
c, f = Value(10.0, label="c"), Value(-2.0, label="f")
e = a * b
e.label = "e"
d = e + c
d.label = "d"
L = d * f
L.label = "L"
for node in (L, d, e, a):
    print(node.label, "was made from", sorted(parent.label for parent in node._prev), "with", repr(node._op))

# %% [markdown]
# ## Part 3: the local rule
#
# Think of a field, 3 m wide and 5 m long. Its area is 15 square metres.
#
# Make it 1 mm wider. The strip that you gain is 1 mm wide and 5 m long. Make it 1 mm longer instead,
# and the strip is only 3 m long.
#
# Guess both slopes: area gained per metre of width, and per metre of length.

# %%
width, length, h = 3.0, 5.0, 0.001
area = width * length
print("per metre of width: ", ((width + h) * length - area) / h)
print("per metre of length:", (width * (length + h) - area) / h)

# %% [markdown]
# The last digits are rounding, as in lesson 01. Look at which number belongs to which side. Is it the
# one you guessed? It is easy to get this the wrong way round.
#
# ### What arrives from above
#
# A product is seldom the end. Say the field is sold at 20 a square metre: `price = area * 20`.
#
# Each metre of width gives so many square metres, and each square metre gives 20. What is the slope
# of the price, per metre of width? Do you add the two slopes, or multiply them?

# %%
price = area * 20
print("price per metre of width:", ((width + h) * length * 20 - price) / h)

# %% [markdown]
# The 20 is what the product finds in its own `grad` when its rule is called: how fast the end result
# moves when the product moves. The rule multiplies it by the local slope. This is the chain rule, and
# it is all of it.
#
# **Write** the third job: inside of `__mul__`, a function without parameters that adds to both factors'
# `grad`, and store it on the new Value as `_backward`. Look once more at how the sum does it.
#
#     >>> x, y = Value(3.0), Value(5.0)
#     >>> (x * y * 20).backward()
#     >>> x.grad, y.grad
#     (100.0, 60.0)
#
# **Common to get wrong**
#
# - Do you store the function, or do you call it and store what it returned?
# - Whose `_backward` is it: the factor's, or the product's?
# - In `a * a`, both factors are the same object. Two amounts arrive in one `grad`. What has to happen
#   with the first when the second comes?

# %% check="mul-gradient"
check("mul-gradient")

# %% [markdown]
# ## See it work
#
# Three questions. Write your answers down, then run the cell.
#
# 1. The field again: what are the two gradients of the area?
# 2. `x * x` at x = 3: what is the slope of a square there?
# 3. `t = x * y`, then `t * x + t` at x = 2, y = 3. What is x.grad? (Multiply out first.)

# %%
width, length = Value(3.0), Value(5.0)
(width * length).backward()
print("1.", width.grad, length.grad)

x = Value(3.0)
(x * x).backward()
print("2.", x.grad)

x, y = Value(2.0), Value(3.0)
t = x * y
(t * x + t).backward()
print("3.", x.grad)

# %% [markdown]
# The third is `x*x*y + x*y`, so the slope by x is `2*x*y + y`: 12 + 3 = 15.
#
# Never trust a gradient that you have not nudged. The next cell moves x by a little and measures.

# %%
def result(x, y):
    t = x * y
    return t * x + t


h = 0.0001
print("nudged:", (result(2.0 + h, 3.0) - result(2.0 - h, 3.0)) / (2 * h))

# %% [markdown]
# ## Where you are
#
# A product now holds its number, remembers its factors and passes gradients on. With `+` and `*`, you
# can already write any polynomial and ask for its slope.
#
# To think about until next time: what would `4 * Value(2.0)` do? Python first asks the left side, and
# the left side is an `int`. Try it. In lesson 07 you will mend it.
