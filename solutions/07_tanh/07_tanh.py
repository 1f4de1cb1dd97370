# %% [markdown]
# # 07 · Tanh and its neighbours
#
# With `+` and `*` you can build any polynomial. You cannot build a neuron yet. A neuron adds and
# multiplies, and then it *bends* the result. The bend is a function called tanh.
#
# Today your `Value` learns tanh, and then everything that is missing for ordinary arithmetic:
# `exp`, powers, minus, division, a plain number on the left, and one more bend, `relu`.
#
# On the way you run a whole neuron forwards and backwards. At the end you compare it with PyTorch.
# Take about 100 minutes. The parts are short, and most of them stand alone.

# %% [markdown]
# ## What you are given
#
# `Value` with `+`, `*` and `backward()`, all worked. Nothing else: `-a`, `a / b` and even `2 * a` end
# in an error for now.

# %% tags=["module"]
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

# %% tags=["module"]
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
# ## One recipe for all of them
#
# Look at the product once more. Whatever the operation, a method of this kind does four things:
#
# 1. compute the number,
# 2. make a new Value with that number, its parents and a sign,
# 3. store on it a rule: each parent's grad grows by *local slope* times what arrives from above,
# 4. return the new Value.
#
# Only two things change from one operation to the next: how the number is computed, and the local
# slope. So for each operation today there is really one question. **What is its slope?**

# %% [markdown]
# ## Part 1: tanh
#
# tanh takes any number and gives one between -1 and 1. Small numbers pass almost unchanged. Large ones
# are squeezed flat against 1, or against -1.
#
# Before you run the next cell, guess: where is tanh steepest? How steep is it there? And at x = 5?

# %%
def measured(function, x, h=1e-5):
    """The slope of a function of plain numbers, by nudging x both ways."""
    return (function(x + h) - function(x - h)) / (2 * h)


print("    x     tanh  tanh*tanh   slope")
for x in (-2.0, -0.5, 0.0, 0.5, 1.0, 2.0, 5.0):
    t = math.tanh(x)
    print(f"{x:5.1f} {t:8.4f}   {t * t:8.4f} {measured(math.tanh, x):7.4f}")

# %% [markdown]
# Now look at the last two columns, line by line. How are they related? Try to put it as a formula that
# uses t, the *output*, and does not use x at all.

# %%
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("no matplotlib here: the table above has the same numbers")
else:
    xs = [number / 20 for number in range(-80, 81)]
    plt.plot(xs, [math.tanh(x) for x in xs], label="tanh")
    plt.plot(xs, [measured(math.tanh, x) for x in xs], "--", label="its slope")
    plt.xlabel("x")
    plt.legend()
    plt.show()

# %% [markdown]
# ### How to compute it
#
# In books you find tanh written with powers of e:
#
#     tanh(x) = (e^(2x) - 1) / (e^(2x) + 1)
#
# For x = 1000 the true answer is 1, to more digits than a float holds. What will the formula say?

# %%
def from_the_book(x):
    return (math.exp(2 * x) - 1) / (math.exp(2 * x) + 1)


for x in (1.0, 10.0, 1000.0):
    try:
        print(x, "->", from_the_book(x))
    except OverflowError as error:
        print(x, "->", "OverflowError:", error)

# %% [markdown]
# The largest float is about 1.8 times 10^308, and e^2000 is far beyond it. The *answer* is harmless,
# but a step on the way is not. A network in training meets such numbers sooner or later.
#
# So compute tanh in a way that survives. You have used one already, two cells above.
#
# **Write** `tanh`.
#
#     >>> x = Value(0.5)
#     >>> t = x.tanh()
#     >>> t.backward()
#     >>> round(t.data, 4), round(x.grad, 4)
#     (0.4621, 0.7864)
#
# **Common to get wrong**
#
# - Do you square the input or the output? At x = 2, one of them gives a slope of -3. Can tanh fall?
# - `x.tanh() * 10`: your rule is called while `out.grad` is 10. Where does the 10 go?
# - Does your method survive x = 1000? And x = -1000?

# %% solution="tanh-method"
def tanh(self):
    """Return tanh of self as a new Value."""
    ### BEGIN SOLUTION
    t = math.tanh(self.data)
    out = Value(t, (self,), "tanh")

    def _backward():
        self.grad += (1 - t * t) * out.grad

    out._backward = _backward
    return out
    ### END SOLUTION


Value.tanh = tanh

# %% check="tanh"
check("tanh")

# %% [markdown]
# ## Part 2: a neuron
#
# A neuron has inputs x1, x2, a weight for each of them, and a bias b. It does this:
#
#     x1 --*w1--+
#               +---- n = x1*w1 + x2*w2 + b ---- o = tanh(n)
#     x2 --*w2--+
#               b
#
# Our neuron has x = (2, 0), w = (-3, 1) and b = 6.8813735870195432. The odd bias is there to make the
# gradients come out round.
#
# Take a pencil. What is n, to three digits? The output is o = 0.7071, and o times o is 0.5. From this
# alone you can find all five gradients. Write down four of them before you go on: x1, w1, x2, w2.
#
# One of the four is 0. Which one, and why does it not matter how steep tanh is?

# %% [markdown]
# **Write** `neuron`, for any five Values. It is one line.
#
#     >>> o = neuron(Value(2.0), Value(0.0), Value(-3.0), Value(1.0), Value(6.8813735870195432))
#     >>> round(o.data, 4)
#     0.7071
#
# **Common to get wrong**
#
# - Does the function return a Value, or the number inside of it? Which of the two has a `backward`?
# - What is bent: each product, or the whole sum with its bias?

# %% solution="neuron-function"
def neuron(x1, x2, w1, w2, b):
    """Return the output of a neuron with two inputs, as a Value."""
    ### BEGIN SOLUTION
    return (x1 * w1 + x2 * w2 + b).tanh()
    ### END SOLUTION

# %% check="neuron"
check("neuron")

# %%
x1, x2 = Value(2.0, label="x1"), Value(0.0, label="x2")
w1, w2 = Value(-3.0, label="w1"), Value(1.0, label="w2")
b = Value(6.8813735870195432, label="b")
o = neuron(x1, x2, w1, w2, b)
o.backward()
print(f"o  = {o.data:.4f}")
for leaf in (x1, w1, x2, w2, b):
    print(f"{leaf.label:2} = {leaf.data:7.4f}   grad {leaf.grad:7.4f}")

# %% [markdown]
# Compare with your pencil. w2 has gradient 0 because its input is 0: turn w2 as far as you like, it is
# multiplied by nothing.
#
# And x1? Its gradient is -1.5. If you could make x1 a little larger, would the neuron's output go up?

# %% [markdown]
# ## Part 3: exp
#
# `e` is 2.71828..., and `exp` is short for e to the power of x. It is famous for its slope. See why:

# %%
print("    x   e^x      slope")
for x in (-1.0, 0.0, 1.0, 2.0):
    print(f"{x:5.1f} {math.exp(x):8.4f} {measured(math.exp, x):8.4f}")

# %% [markdown]
# **Write** `exp`.
#
#     >>> x = Value(2.0)
#     >>> y = x.exp()
#     >>> y.backward()
#     >>> round(y.data, 3), round(x.grad, 3)
#     (7.389, 7.389)
#
# **Common to get wrong**
#
# - The slope at x = 2: is it 2, or something larger? Read the last line of the table again.
# - In `x.exp() + x` the grad of x gets two amounts. Which of them is lost if a rule says `=`?

# %% solution="exp-method"
def exp(self):
    """Return e to the power of self as a new Value."""
    ### BEGIN SOLUTION
    out = Value(math.exp(self.data), (self,), "exp")

    def _backward():
        self.grad += out.data * out.grad

    out._backward = _backward
    return out
    ### END SOLUTION


Value.exp = exp

# %% check="exp"
check("exp")

# %% [markdown]
# ## Part 4: powers
#
# Now `x**k`. The base x is a Value. The exponent k is a plain number: 2, or 0.5, or -1. It is fixed,
# nobody turns it, so it gets no gradient.
#
# You may remember the slope from school. Memory is often off by one, so here are five slopes by
# nudging. What must your rule say in each line?

# %%
for x, k in ((2.0, 3), (3.0, 2), (4.0, -1), (4.0, 0.5), (-3.0, 2)):
    slope = measured(lambda base, k=k: base**k, x)
    base = f"({x:g})"
    print(f"{base:>4} ** {k:<4} = {x**k:8.4f}   slope {slope:8.4f}")

# %% [markdown]
# The last line has a negative base. `(-3)**2` is 9, and nothing is wrong with it. A rule that takes the
# logarithm of the base is in trouble there.
#
# **Write** `__pow__`. Where the exponent is a Value, refuse with a `TypeError`. A clear error is better
# than a gradient that is quietly missing.
#
#     >>> x = Value(4.0)
#     >>> y = x**-1
#     >>> y.backward()
#     >>> y.data, x.grad
#     (0.25, -0.0625)
#
# **Common to get wrong**
#
# - Try your rule on x = 2, k = 3. Did you get 12, or 24?
# - 1 / x falls when x grows. Which sign must the slope for k = -1 have? Where does it come from?
# - Why is x = 1 a bad number to test with?

# %% solution="pow-method"
def __pow__(self, exponent):
    """Return self to the power of a plain number, an int or a float, as a new Value."""
    ### BEGIN SOLUTION
    if not isinstance(exponent, (int, float)):
        raise TypeError("the exponent must be a plain number")
    out = Value(self.data**exponent, (self,), f"**{exponent}")

    def _backward():
        self.grad += exponent * self.data ** (exponent - 1) * out.grad

    out._backward = _backward
    return out
    ### END SOLUTION


Value.__pow__ = __pow__

# %% check="pow"
check("pow")

# %% [markdown]
# ## Part 5: minus
#
# `-a` calls `a.__neg__()`, and `a - b` calls `a.__sub__(b)`.
#
# Here you have a choice. You can write a new rule for each. Or you can say what they *mean* with
# operations that you already have, and get the gradients for nothing: the old rules do the work.
#
# Guess first: in `d = a - b`, what are the slopes of d by a and by b? And what is the slope of `a - a`?

# %% [markdown]
# **Write** both. `a - 1` must work too.
#
#     >>> a, b = Value(5.0), Value(2.0)
#     >>> d = a - b
#     >>> d.backward()
#     >>> d.data, a.grad, b.grad
#     (3.0, 1.0, -1.0)
#
# **Common to get wrong**
#
# - Make b a little larger. Which way does `a - b` go, and does your gradient say so?
# - In `a - a` both operands are one object. Two amounts arrive in one grad. What should they add up to?

# %% solution="neg-sub"
def __neg__(self):
    """Return -self as a Value."""
    ### BEGIN SOLUTION
    return self * -1
    ### END SOLUTION


def __sub__(self, other):
    """Return self - other as a Value; other may be a plain number."""
    ### BEGIN SOLUTION
    return self + (-other)
    ### END SOLUTION


Value.__neg__ = __neg__
Value.__sub__ = __sub__

# %% check="sub"
check("sub")

# %%
a, b = Value(5.0), Value(2.0)
(a - b).backward()
print("a - b:", a.grad, b.grad)

a = Value(5.0)
(a - a).backward()
print("a - a:", a.grad)

# %% [markdown]
# ## Part 6: division
#
# `a / b` calls `a.__truediv__(b)`.
#
# Suppose 6 litres are shared by 4 people: 1.5 litres each. One drop more in the can: each gets a quarter
# of it. But what does a fifth person do to the share of each? Up or down?
#
# Guess the two slopes of `a / b` at a = 6, b = 4. The first is easy. For the second, only the sign.

# %%
by_a = measured(lambda a: a / 4.0, 6.0)
by_b = measured(lambda b: 6.0 / b, 4.0)
print(f"by a: {by_a:.4f}   by b: {by_b:.4f}")

# %% [markdown]
# **Write** `__truediv__`. Again you may write a rule, or say what a division means. Is there an operation
# in part 4 that turns b into 1/b?
#
#     >>> a, b = Value(6.0), Value(4.0)
#     >>> q = a / b
#     >>> q.backward()
#     >>> q.data, a.grad, b.grad
#     (1.5, 0.25, -0.375)
#
# **Common to get wrong**
#
# - Does b get any gradient at all? It has to be reachable from the result.
# - `a / 4`: is `4**-1` a problem? And if you wrote a rule with `other.data` in it?

# %% solution="truediv"
def __truediv__(self, other):
    """Return self / other as a Value; other may be a plain number."""
    ### BEGIN SOLUTION
    return self * other**-1
    ### END SOLUTION


Value.__truediv__ = __truediv__

# %% check="div"
check("div")

# %% [markdown]
# ## Part 7: the number on the left
#
# `a * 2` works. `2 * a` does not. Python asks the left side first, and an int has never heard of your
# class. But then Python gives the *right* side a chance, under another name. Watch:

# %%
class Nosy:
    def __rsub__(self, left):
        return f"__rsub__ was asked; on the left was {left}"


print(10 - Nosy())

# %% [markdown]
# So `10 - a` calls `a.__rsub__(10)`. Inside of the method, `self` is the operand on the *right*.
#
# One more place where this matters: `sum([a, b])`. It adds from the left. What does it start with?

# %%
class Listener:
    def __radd__(self, left):
        print("somebody adds me to", repr(left))
        return self


everything = sum([Listener()])

# %% [markdown]
# **Write** the four reflected methods: two where the order of the operands does not matter, two where it
# does. Each can be one line that uses what you have.
#
#     >>> a, b = Value(2.0), Value(3.0)
#     >>> (2 * a).data, (1 - a).data, (1 / a).data, sum([a, b]).data
#     (4.0, -1.0, 0.5, 5.0)
#
# **Common to get wrong**
#
# - If `__radd__` says `left + self`, which method does *that* call?
# - `1 - a` at a = 2 is -1. What does `a - 1` give there? Which of them did you write?

# %% solution="radd-rmul"
def __radd__(self, left):
    """Return left + self, where left is a plain number."""
    ### BEGIN SOLUTION
    return self + left
    ### END SOLUTION


def __rmul__(self, left):
    """Return left * self, where left is a plain number."""
    ### BEGIN SOLUTION
    return self * left
    ### END SOLUTION


Value.__radd__ = __radd__
Value.__rmul__ = __rmul__

# %% solution="rsub-rtruediv"
def __rsub__(self, left):
    """Return left - self, where left is a plain number."""
    ### BEGIN SOLUTION
    return -self + left
    ### END SOLUTION


def __rtruediv__(self, left):
    """Return left / self, where left is a plain number."""
    ### BEGIN SOLUTION
    return self**-1 * left
    ### END SOLUTION


Value.__rsub__ = __rsub__
Value.__rtruediv__ = __rtruediv__

# %% check="reflected"
check("reflected")

# %% [markdown]
# ## Part 8: tanh, taken apart
#
# You wrote tanh as *one* operation with one rule. The formula from the book builds it from small ones:
# a product, an exp, a minus, a plus and a division. You own all of these now.
#
# Will the taken-apart tanh have the same gradient? Think before you answer: no rule in it knows about
# `1 - t*t`. Five little rules, and nothing but the chain rule between them.

# %% [markdown]
# **Write** `tanh_in_pieces`: the formula, on a Value, without `tanh`. Here large x may overflow.
#
#     >>> x = Value(0.5)
#     >>> t = tanh_in_pieces(x)
#     >>> t.backward()
#     >>> round(t.data, 4), round(x.grad, 4)
#     (0.4621, 0.7864)
#
# **Common to get wrong**
#
# - `x.exp()` or `math.exp(x.data)`: after which of the two does the result still know x?
# - The exp stands in the formula twice. Must you compute it twice?

# %% solution="pieces"
def tanh_in_pieces(x):
    """Return tanh of a Value, made of exp, minus, plus and a division."""
    ### BEGIN SOLUTION
    e = (x * 2).exp()
    return (e - 1) / (e + 1)
    ### END SOLUTION

# %% check="tanh-pieces"
check("tanh-pieces")

# %%
for name, bend in (("one operation", Value.tanh), ("in pieces", tanh_in_pieces)):
    n = Value(0.8813735870195432)
    o = bend(n)
    o.backward()
    print(f"{name:14} o {o.data:.12f}   n.grad {n.grad:.12f}")

# %% [markdown]
# The same, to twelve digits. So *you* decide how large an operation is: whatever you know the local slope
# of can be one.

# %% [markdown] written="one-or-many"
# **In your own words.** Give one reason to write tanh as one operation, and one reason to be content with
# the pieces. Three sentences are enough.
#
# <!-- BEGIN SOLUTION -->
# One operation makes one node where the pieces make five or more, so it is faster; and its inner steps can
# be chosen so that nothing overflows. The pieces need no new slope: nothing can be wrong in a rule that
# nobody had to write.
# <!-- END SOLUTION -->

# %% [markdown]
# ## Part 9: relu
#
# The simplest bend there is: a positive number passes, a negative one becomes 0.
#
# What is its slope at x = 3? At x = -2? Draw it if you are not sure.
#
# Exactly at 0 there is a corner, and a corner has no single slope. Any number from 0 to 1 is accepted
# there. Nothing here depends on it.

# %% [markdown]
# **Write** `relu`.
#
#     >>> a, b = Value(3.0), Value(-2.0)
#     >>> y = a.relu() * 5 + b.relu() * 7
#     >>> y.backward()
#     >>> y.data, a.grad, b.grad
#     (15.0, 5.0, 0.0)
#
# **Common to get wrong**
#
# - What decides whether the gradient passes: a data or a grad? What if what arrives from above is negative?
# - Suppose your rule asks whether `out.data >= 0`. For which inputs is the answer no?

# %% solution="relu-method"
def relu(self):
    """Return self where it is positive, and 0 where it is not, as a new Value."""
    ### BEGIN SOLUTION
    out = Value(self.data if self.data > 0 else 0.0, (self,), "relu")

    def _backward():
        if self.data > 0:
            self.grad += out.grad

    out._backward = _backward
    return out
    ### END SOLUTION


Value.relu = relu

# %% check="relu"
check("relu")

# %%
print("    x   relu   grad of x, with -4 from above")
for number in (-3.0, -1.0, 1.0, 3.0):
    x = Value(number)
    y = x.relu()
    (y * -4).backward()
    print(f"{number:5.1f}  {y.data:5.1f}   {x.grad:5.1f}")

# %% [markdown]
# ## The same in PyTorch
#
# PyTorch is what people train large networks with. Its numbers are called tensors, and they remember
# what they were made from, too. `requires_grad=True` says: this one wants a gradient.
#
# Here is our neuron in it. Which of the names in this cell do you know from your own class?

# %%
try:
    import torch
except ImportError:
    print("PyTorch is not installed here. It says 0.7071, and -1.5, 1, 0.5, 0 for the gradients.")
else:
    numbers = {"x1": 2.0, "w1": -3.0, "x2": 0.0, "w2": 1.0, "b": 6.8813735870195432}
    t = {name: torch.tensor(number, dtype=torch.float64, requires_grad=True) for name, number in numbers.items()}
    o = torch.tanh(t["x1"] * t["w1"] + t["x2"] * t["w2"] + t["b"])
    o.backward()
    print(f"o  = {o.item():.4f}")
    for name, leaf in t.items():
        print(f"{name:2} = {leaf.item():7.4f}   grad {leaf.grad.item():7.4f}")

# %% [markdown]
# ## Where you are
#
# Your `Value` has the arithmetic of a plain number, and it knows the slope of everything it does. A
# neuron, run forwards and backwards by your own code, gives what a large library gives.
#
# To think about until next time: our neuron takes five loose Values. What would you want to write, if
# it had 300 inputs, and if there were 40 such neurons? That is lesson 08.
