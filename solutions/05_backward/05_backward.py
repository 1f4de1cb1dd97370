# %% [markdown]
# # 05 · Backward
#
# The running example ends at `L = -8`. Suppose you want L to be larger, and you may turn four knobs
# a little: a, b, c and f. Which way do you turn each one, and which one matters most?
#
# The gradient answers both questions at once. In this lesson you find it three times:
#
# 1. by hand, with a pencil,
# 2. by small rules that each sum and each product keeps for itself,
# 3. by turning the knobs and looking.
#
# Take about 75 minutes.

# %% [markdown]
# ## What you are given
#
# `Value` as you know it. `+` and `*` are missing: you write them again, this time with their rules.
# `backward()` is given once more. It calls every rule, from the youngest Value to the oldest.

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
# ## Part 1: with a pencil
#
#     a =  2 --+
#              * -- e = -6 --+
#     b = -3 --+             |
#                            + -- d = 4 --+
#     c = 10 ----------------+            |
#                                         * -- L = -8
#     f = -2 -----------------------------+
#
# "The gradient of c" is short for: how fast does L move when c alone moves?
#
# Walk from the right to the left.
#
# - **L** itself. If L moves by 1, L moves by 1. Its gradient is 1, always.
# - **d**. `L = d * f`, so a move of d arrives in L times f. The gradient of d is -2.
# - **c**. `d = e + c`. If c moves by 1, d moves by 1. And when d moves by 1, you know already what L
#   does. So what is the gradient of c?
#
# Before you go on: write down for f, c, e, a and b only a sign, plus or minus. Then the numbers.

# %% [markdown]
# **Write** `by_hand`: the same walk, but for any four numbers. It works on plain numbers, with no
# `Value` in it, and returns a dict with one gradient for each name.
#
#     >>> by_hand(2.0, -3.0, 10.0, -2.0)["d"]
#     -2.0
#
# Every gradient you need is a product of one you already have and one local slope.
#
# **Common to get wrong**
#
# - Is the gradient of a the slope of *e* by a, or the slope of *L* by a?
# - Where a sum is: does the gradient change on its way through it?
# - Which of its two numbers does a product hand to its left factor?

# %% solution="pencil"
def by_hand(a, b, c, f):
    """Return the gradients of L = (a*b + c) * f as {"a": ..., "b": ..., "c": ..., "d": ..., "e": ..., "f": ...}."""
    e = a * b
    d = e + c
    ### BEGIN SOLUTION
    of_d = f
    of_e = of_d * 1.0
    return {"a": of_e * b, "b": of_e * a, "c": of_d * 1.0, "d": of_d, "e": of_e, "f": d}
    ### END SOLUTION

# %% check="by-hand"
check("by-hand")

# %% [markdown]
# Here are your numbers beside a measurement: each input is moved by a ten-thousandth, both ways.
# Which of your signs was a surprise?

# %%
def example(a, b, c, f):
    return (a * b + c) * f


at = {"a": 2.0, "b": -3.0, "c": 10.0, "f": -2.0}
h = 0.0001
for name, gradient in by_hand(**at).items():
    if name in at:
        up = example(**{**at, name: at[name] + h})
        down = example(**{**at, name: at[name] - h})
        print(f"{name}: by hand {gradient:5.1f}   measured {(up - down) / (2 * h):8.4f}")
    else:
        print(f"{name}: by hand {gradient:5.1f}   (not an input)")

# %% [markdown]
# ## A function that remembers
#
# You never needed to look at the whole picture. At each operation you needed its own numbers and one
# number from the right. So each result can carry a small rule of its own.
#
# In Python, a function made inside of another one keeps what was around it. That is a *closure*.
# What does this cell print? Three times the same number, or three different ones?

# %%
def remember(number):
    def tell():
        return number

    return tell


tellers = [remember(number) for number in (6, -4, -2)]
print([tell() for tell in tellers])

# %% [markdown]
# Every call of `remember` has a `number` of its own, so every `tell` has one too.
#
# The rule of a sum works the same way. It is made when the sum is made. It keeps `self`, `term` and
# `out`. It is called much later, when `out.grad` is known.

# %% [markdown]
# ## Part 2: the rule of +
#
# **Write** the rule inside of `__add__`. The result `out` is there already; what is missing is a
# function without parameters, stored as `out._backward`. When it is called, it gives each term its
# share of `out.grad`.
#
#     >>> x, y = Value(2.0), Value(5.0)
#     >>> (x + y).backward()
#     >>> x.grad, y.grad
#     (1.0, 1.0)
#
# **Common to get wrong**
#
# - After `out._backward = rule()`, what is stored: the rule, or what it returned?
# - If the rule is stored on `self`, who calls it, and when?

# %% solution="add"
def __add__(self, other):
    """Return self + other as a Value that can pass its gradient on to both terms."""
    term = other if isinstance(other, Value) else Value(other)
    out = Value(self.data + term.data, (self, term), "+")
    ### BEGIN SOLUTION
    def _backward():
        self.grad += out.grad
        term.grad += out.grad

    out._backward = _backward
    ### END SOLUTION
    return out


Value.__add__ = __add__

# %% check="add-rule"
check("add-rule")

# %% [markdown]
# ## Part 3: the rule of *
#
# In lesson 03 you found the slopes of a product. **Write** its rule, from memory if you can.
#
#     >>> x, y = Value(2.0), Value(5.0)
#     >>> (x * y).backward()
#     >>> x.grad, y.grad
#     (5.0, 2.0)
#
# **Common to get wrong**
#
# - At x = y = 3 the two slopes of `x * y` are equal. Which mistake could you not see there?

# %% solution="mul"
def __mul__(self, other):
    """Return self * other as a Value that can pass its gradient on to both factors."""
    factor = other if isinstance(other, Value) else Value(other)
    out = Value(self.data * factor.data, (self, factor), "*")
    ### BEGIN SOLUTION
    def _backward():
        self.grad += out.grad * factor.data
        factor.grad += out.grad * self.data

    out._backward = _backward
    ### END SOLUTION
    return out


Value.__mul__ = __mul__

# %% check="mul-rule"
check("mul-rule")

# %% [markdown]
# ## Part 4: what arrives from above
#
# So far each check had one operation, and `out.grad` was 1. With a 1 you cannot see whether a rule
# looks at `out.grad` at all.
#
# Guess x.grad in `(x + 3) * 7`. And in `(x * 3) * 7`.
#
# **Check** your two rules in longer expressions. If this fails and the parts before it passed, go back
# to your two cells, mend them, and run them again.
#
# **Common to get wrong**
#
# - Your pencil multiplied two numbers at every step. Does the rule of + do so too? And the rule of *?

# %% check="chain"
check("chain")

# %%
x = Value(2.0)
((x + 3) * 7).backward()
print("(x + 3) * 7:", x.grad)

x = Value(2.0)
((x * 3) * 7).backward()
print("(x * 3) * 7:", x.grad)

# %% [markdown]
# Now the running example, without a pencil. These six numbers should look familiar.

# %%
a, b = Value(2.0, label="a"), Value(-3.0, label="b")
c, f = Value(10.0, label="c"), Value(-2.0, label="f")
e = a * b
e.label = "e"
d = e + c
d.label = "d"
L = d * f
L.backward()
for node in (a, b, c, d, e, f):
    print(f"{node.label}: data {node.data:5.1f}   grad {node.grad:5.1f}")

# %% [markdown]
# ## Part 5: used more than once
#
# Let `y = a + a`. Move a by 1: by how much does y move? And what does the rule of + do when `self` and
# `term` are the same object?
#
# The same happens further apart. In `t + t * c` there are two ways from t to the end. Turn t a little,
# and the end moves for two reasons. Both count, so both are added up.
#
# **Check** your rules where a Value is used more than once, and mend them where they need it.
#
#     >>> a = Value(3.0)
#     >>> (a + a).backward()
#     >>> a.grad
#     2.0
#
# **Common to get wrong**
#
# - What is in `self.grad` when your rule begins? May it be thrown away?
# - Two rules write into one grad. Would your answer change if they ran in the other order? Should it?

# %% check="collect"
check("collect")

# %% [markdown]
# Predict each of the three before you run the cell. The last one is `a*b + a*b*c`; which number does
# the bracket in `b * (1 + c)` give at b = 3, c = 4?

# %%
a = Value(3.0)
(a + a).backward()
print("a + a:    ", a.grad)

a = Value(3.0)
(a * a).backward()
print("a * a:    ", a.grad)

a, b, c = Value(2.0), Value(3.0), Value(4.0)
t = a * b
(t + t * c).backward()
print("t + t * c:", a.grad)

# %% [markdown]
# ## Another design
#
# Closures are one way. Here is another, for an operation that you have not written: the minus.
#
# Nothing is stored but the operands, in their order, and the sign. One method looks at the sign and
# knows what to do. If you like this better, write your `Value` that way: rewrite the class, `backward`
# too if you have to. The checks look at numbers and never at how you got them.
#
# A question about it: why a tuple and not a set? Think of `a - a`.

# %%
class Plain:
    def __init__(self, data, operands=(), sign=""):
        self.data, self.grad = data, 0.0
        self.operands, self.sign = operands, sign

    def __sub__(self, other):
        return Plain(self.data - other.data, (self, other), "-")

    def pass_on(self):
        if self.sign == "-":
            left, right = self.operands
            left.grad += self.grad
            right.grad -= self.grad


p, q = Plain(5.0), Plain(2.0)
r = p - q
r.grad = 1.0
r.pass_on()
print("p - q:", p.grad, q.grad)

# %% [markdown]
# ## Part 6: turn the knobs
#
# L is -8, and you want more. A positive gradient says: up with this one. A negative one says: down.
# So move each input *by its gradient*, times a small step. That pushes the right way every time.
#
# How much will L gain? An input with gradient g moves by `step * g`, and L moves g times as far as
# that. Add this up over all inputs.
#
# **Write** two functions. `leaves` is a list of Values whose grads are filled in.
#
# - `nudge(leaves, step)` moves the data of each leaf by step times its gradient.
# - `predicted_rise(leaves, step)` returns by how much the result should rise. It moves nothing.
#
#     >>> x = Value(3.0)
#     >>> (x * x).backward()
#     >>> nudge([x], 0.5)
#     >>> x.data
#     6.0
#
# **Common to get wrong**
#
# - Does the Value in the list change, or only a new name inside of your loop?
# - In the prediction the gradient comes in twice: once for the move, and once for what?

# %% solution="turn"
def nudge(leaves, step):
    """Move each leaf's data along its gradient: by step times its grad."""
    ### BEGIN SOLUTION
    for leaf in leaves:
        leaf.data += step * leaf.grad
    ### END SOLUTION


def predicted_rise(leaves, step):
    """Return how much the result should rise, by the gradients alone, when all leaves are nudged."""
    ### BEGIN SOLUTION
    return sum(leaf.grad * (step * leaf.grad) for leaf in leaves)
    ### END SOLUTION

# %% check="nudge"
check("nudge")

# %% [markdown]
# The gradients are 6, -4, -2 and 4. With a step of 0.01, what should L rise by? Square, add, and take
# a hundredth.

# %%
def turned(step):
    """The rise of L that the gradients promise, and the one that comes."""
    leaves = [Value(2.0), Value(-3.0), Value(10.0), Value(-2.0)]
    before = example(*leaves)
    before.backward()
    promised = predicted_rise(leaves, step)
    nudge(leaves, step)
    after = example(*leaves)
    return promised, after.data - before.data


for step in (0.0001, 0.001, 0.01, 0.1):
    promised, came = turned(step)
    print(f"step {step:<6}  promised {promised:8.5f}   came {came:8.5f}")

# %% [markdown]
# With a small step, the promise is kept almost to the digit. With 0.1 it is not: on such a long way the
# slopes themselves change. Remember this when you choose a step in lesson 09.

# %%
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("no matplotlib here: the table above has the same numbers")
else:
    steps = [number / 500 for number in range(60)]
    pairs = [turned(step) for step in steps]
    plt.plot(steps, [promised for promised, _ in pairs], "--", label="promised by the gradient")
    plt.plot(steps, [came for _, came in pairs], label="what came")
    plt.xlabel("step")
    plt.ylabel("rise of L")
    plt.legend()
    plt.show()

# %% [markdown]
# ## Where you are
#
# Each operation knows one small thing: its local slopes. Multiplied along every way and added up where
# ways meet, these give every gradient there is.
#
# One thing was still given to you: the order in which the rules run. What would go wrong in `t + t * c`
# if the rule of t ran before the rule of `t * c`? That is lesson 06.
