# %% [markdown]
# # 10 · Softmax
#
# So far a network answered with one number: yes is 1, no is -1. But many questions have more than two
# answers. Is this animal a cat, a dog, an owl or a fox?
#
# Then the network gives one number for each answer. They are called *logits*. Ours are
#
#     cat 0      dog 3      owl -2      fox 1
#
# The largest one says dog. But the picture shows a fox. How wrong is this network, as a single number?
# And which way should each of the four logits move?
#
# Today you build the answer out of small pieces: exp, log, softmax and a loss. Then you make it safe for
# large numbers. Take about 75 minutes.

# %% [markdown]
# ## What you are given
#
# `Value` with the arithmetic of lesson 07: `+ - * / **`, also with plain numbers on either side, `sum`,
# and `backward()`.
#
# It is written in a third way this time. Every operation hands over its parents, each with its local
# slope *as a number*. One rule serves them all. Find it: it is four lines long.

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
def _made(number, sign, *edges):
    """Return a new Value made from parents; each edge is a parent and the local slope by it."""
    made = Value(number, [parent for parent, _ in edges], sign)

    def share():
        for parent, slope in edges:
            parent.grad += slope * made.grad

    made._backward = share
    return made


def _as_value(other):
    """Return other itself where it is a Value, a new Value where it is a plain number."""
    return other if isinstance(other, Value) else Value(other)


def _add(left, right):
    left, right = _as_value(left), _as_value(right)
    return _made(left.data + right.data, "+", (left, 1.0), (right, 1.0))


def _subtract(left, right):
    left, right = _as_value(left), _as_value(right)
    return _made(left.data - right.data, "-", (left, 1.0), (right, -1.0))

# %% tags=["module"]
def _multiply(left, right):
    left, right = _as_value(left), _as_value(right)
    return _made(left.data * right.data, "*", (left, right.data), (right, left.data))


def _divide(left, right):
    left, right = _as_value(left), _as_value(right)
    ratio = left.data / right.data
    return _made(ratio, "/", (left, 1 / right.data), (right, -ratio / right.data))


def _power(base, exponent):
    return _made(base.data**exponent, "**", (base, exponent * base.data ** (exponent - 1)))

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
Value.__add__, Value.__radd__ = _add, lambda self, left: _add(left, self)
Value.__sub__, Value.__rsub__ = _subtract, lambda self, left: _subtract(left, self)
Value.__mul__, Value.__rmul__ = _multiply, lambda self, left: _multiply(left, self)
Value.__truediv__, Value.__rtruediv__ = _divide, lambda self, left: _divide(left, self)
Value.__neg__ = lambda self: _subtract(0.0, self)
Value.__pow__ = _power

# %%
a = Value(3.0)
y = 2 * a**2 - a / 2
y.backward()
print("y =", y.data, "  a.grad =", a.grad)

# %% [markdown]
# ## Part 1: exp, once more
#
# Logits may be negative. Probabilities may not. So the first step turns every number into a positive one,
# and keeps their order: the larger the logit, the larger the result. `exp` does that.
#
# You wrote it in lesson 07. **Write** `exp` again, without looking. A closure is fine; so is one line with
# `_made`.
#
#     >>> x = Value(1.0)
#     >>> y = x.exp() * 2
#     >>> y.backward()
#     >>> round(y.data, 4), round(x.grad, 4)
#     (5.4366, 5.4366)
#
# **Common to get wrong**
#
# - Which number is the slope of e^x: x, or the result?
# - In the example, who tells x about the factor 2?

# %% solution="exp-method"
def exp(self):
    """Return e to the power of self as a new Value."""
    ### BEGIN SOLUTION
    power = math.exp(self.data)
    return _made(power, "exp", (self, power))
    ### END SOLUTION


Value.exp = exp

# %% check="exp-again"
check("exp-again")

# %% [markdown]
# ## Part 2: log
#
# `log` undoes `exp`: it answers "e to which power is x?". So log(e) is 1 and log(1) is 0. It exists for
# positive numbers only.
#
# Here are some slopes by nudging. Look at each x and its slope. What is the rule?

# %%
h = 1e-6
print("    x      log    slope")
for x in (0.1, 0.5, 1.0, 2.0, 4.0, 10.0):
    slope = (math.log(x + h) - math.log(x - h)) / (2 * h)
    print(f"{x:5.1f} {math.log(x):8.4f} {slope:8.4f}")

# %% [markdown]
# **Write** `log`, the natural logarithm.
#
#     >>> x = Value(4.0)
#     >>> y = x.log()
#     >>> y.backward()
#     >>> round(y.data, 4), x.grad
#     (1.3863, 0.25)
#
# **Common to get wrong**
#
# - The math module has `log`, `log2`, `log10`. Which of them undoes exp?
# - exp used its *output* in the slope. Does log?

# %% solution="log-method"
def log(self):
    """Return the natural logarithm of self as a new Value."""
    ### BEGIN SOLUTION
    return _made(math.log(self.data), "log", (self, 1 / self.data))
    ### END SOLUTION


Value.log = log

# %% check="log"
check("log")

# %% [markdown]
# What do you expect from the logarithm of an exp: which data, and which gradient?

# %%
x = Value(1.7)
y = x.exp().log()
y.backward()
print("data", y.data, "  grad", x.grad)

# %% [markdown]
# ## Part 3: softmax
#
# Two steps turn logits into probabilities.
#
# 1. Take exp of each. Now all are positive.
# 2. Divide each by the sum of all. Now they add up to 1.
#
# That is softmax. On plain numbers, for our four:

# %%
names = ["cat", "dog", "owl", "fox"]
numbers = [0.0, 3.0, -2.0, 1.0]
powers = [math.exp(number) for number in numbers]
for name, number, power in zip(names, numbers, powers):
    print(f"{name}: logit {number:4.1f}   exp {power:8.4f}   share of the total {power / sum(powers):.4f}")

# %% [markdown]
# dog is 2 ahead of fox. How many times as likely is it: twice, or e^2 times? Divide the two shares.
#
# One more question. If you turn up the logit of dog, what happens to the share of cat? So on how many
# logits does each probability depend?

# %% [markdown]
# **Write** `softmax`. It takes a list of Values and returns a list of Values, in the same order. The
# logits themselves stay as they are.
#
#     >>> p = softmax([Value(0.0), Value(3.0), Value(-2.0), Value(1.0)])
#     >>> [round(one.data, 4) for one in p]
#     [0.0418, 0.839, 0.0057, 0.1135]
#
# **Common to get wrong**
#
# - Do you divide by the sum of the logits, or by the sum of something else?
# - `sum` of Values, or `sum` of their data? With the second, would the share of cat feel it when dog moves?

# %% solution="softmax-function"
def softmax(logits):
    """Return a list of Values that are positive and add up to 1, one for each logit."""
    ### BEGIN SOLUTION
    largest = max(logit.data for logit in logits)
    weights = [(logit - largest).exp() for logit in logits]
    total = sum(weights)
    return [weight / total for weight in weights]
    ### END SOLUTION

# %% check="softmax"
check("softmax")

# %% [markdown]
# Now push on one probability and look at all four gradients: how does P(dog) move with each logit? Three
# of the four have the same sign. Which, do you think? And what do the four add up to?

# %%
logits = [Value(number) for number in numbers]
softmax(logits)[1].backward()
for name, logit in zip(names, logits):
    print(f"P(dog) by the logit of {name}: {logit.grad:8.4f}")
print(f"together: {abs(sum(logit.grad for logit in logits)):.4f}")

# %% [markdown]
# ## Part 4: one number for how wrong
#
# The picture shows a fox, and the network gave the fox 0.1135. A good loss is 0 where the right answer got
# probability 1, and grows when it got less.
#
# People use minus the logarithm. Guess the three results first: more than 1, or less?

# %%
for p in (1.0, 0.9, 0.5, 0.11355, 0.01):
    print(f"the right answer got {p:7}: loss {0.0 - math.log(p):.4f}")

# %% [markdown]
# Read it as surprise. A network that gave the truth 0.9 is hardly surprised by it. One that gave it 0.01
# is punished hard.
#
# The name is *negative log likelihood*. On top of softmax it is also called *cross-entropy*. Labels are
# positions in the list, counted from 0: fox is 3.
#
# **Write** `cross_entropy`: minus the log of the probability that softmax gives to the label.
#
#     >>> loss = cross_entropy([Value(0.0), Value(3.0), Value(-2.0), Value(1.0)], 3)
#     >>> round(loss.data, 4)
#     2.1755
#
# **Common to get wrong**
#
# - Can your loss be negative? Should it?
# - The loss looks at one probability only. Do the other three logits get a gradient all the same?

# %% solution="cross-entropy-function"
def cross_entropy(logits, label):
    """Return minus the log of the probability of logits[label], as a Value."""
    ### BEGIN SOLUTION
    largest = max(logit.data for logit in logits)
    total = sum((logit - largest).exp() for logit in logits)
    return total.log() - (logits[label] - largest)
    ### END SOLUTION

# %% check="cross-entropy"
check("cross-entropy")

# %% [markdown]
# Here are the probabilities and the gradients of the loss, side by side. Before you run it: which of the
# four gradients is negative? Remember that a step goes *against* the gradient.
#
# When you have run it, compare the two columns line by line. Three lines agree, one does not. What is the
# difference there?

# %%
logits = [Value(number) for number in numbers]
loss = cross_entropy(logits, 3)
loss.backward()
print(f"loss {loss.data:.10f}")
for name, logit, p in zip(names, logits, softmax(logits)):
    print(f"{name}: probability {p.data:9.6f}   gradient {logit.grad:9.6f}")

# %% [markdown]
# So the gradient of each logit is *what the network said, minus what was true*: 0.84 - 0 for the dog,
# 0.11 - 1 for the fox. Nobody programmed this. It fell out of exp, a sum, a division and a log.
#
# Now let the logits learn. Each step goes against the gradient. What will the probability of fox be after
# many steps?

# %%
logits = [Value(number) for number in numbers]
for step in range(31):
    loss = cross_entropy(logits, 3)
    for logit in logits:
        logit.grad = 0.0
    loss.backward()
    if step % 5 == 0:
        print(f"step {step:2}   loss {loss.data:.4f}   P(fox) {softmax(logits)[3].data:.4f}")
    for logit in logits:
        logit.data -= 0.5 * logit.grad

# %% [markdown]
# ## Part 5: large logits
#
# Nothing stops a network from saying 1000. Let the logits be 1000, 1001 and 999. They are close together,
# so the probabilities should be quite ordinary. On plain numbers, in the way of part 3:

# %%
def plain_softmax(numbers):
    powers = [math.exp(number) for number in numbers]
    return [power / sum(powers) for power in powers]


for case in ([0.0, 1.0, -1.0], [1000.0, 1001.0, 999.0], [-1000.0, -1001.0, -999.0]):
    try:
        print(case, "->", [round(p, 4) for p in plain_softmax(case)])
    except ArithmeticError as error:
        print(case, "->", type(error).__name__, "-", error)

# %% [markdown]
# Too large one way, and all zeros the other way. Yet the right answer is the same in all three lines, but
# for the order. What do the three lists have in common?
#
# Only the *differences* between logits count. If you take the same number from every logit, each exp gets
# the same factor, and the factor cancels in the division. So you may choose which number you take. Which
# choice makes sure that no exp is ever too large, and that they are not all 0?

# %% [markdown]
# **Write** it into `softmax` and `cross_entropy`: go back to your two cells, mend them, run them again, and
# then this check.
#
#     >>> [round(p.data, 4) for p in softmax([Value(1000.0), Value(1001.0), Value(999.0)])]
#     [0.2447, 0.6652, 0.09]
#
# **Common to get wrong**
#
# - `max` compares, and your Values have no `<`. What can you compare instead?
# - Do you make new Values, or do you write into the caller's logits?
# - Does the number that you take away need a gradient? Think of its effect on the result.

# %% check="large-logits"
check("large-logits")

# %% [markdown] written="same-shift"
# **In your own words.** Taking the same number from every logit changes no probability. What does this say
# about the sum of the gradients of all logits, and why?
#
# <!-- BEGIN SOLUTION -->
# The sum is 0. If all logits move together by a little, no probability moves, so the loss does not move
# either. That common move changes the loss by its size times the sum of all gradients, so the sum is 0.
# <!-- END SOLUTION -->

# %% [markdown]
# ## Part 6: a hopeless case
#
# Let the logits be 0 and 1000, and let the right answer be the first. The network is very sure, and wrong.
# The loss should be 1000. What happens if you first compute the probability, and then its log?

# %%
numbers_far = [0.0, 1000.0]
p = [math.exp(number - 1000.0) for number in numbers_far]
print("probability of the right answer:", p[0] / sum(p))
try:
    print(math.log(p[0] / sum(p)))
except ValueError as error:
    print("its log: ValueError -", error)

# %% [markdown]
# The probability is too small for a float, so it became 0, and 0 has no logarithm. But the *logarithm* of
# the probability is a harmless number: -1000.
#
# The way out is to never compute the probability. It is a fraction, exp(z) / total. What is the log of a
# fraction? And the log of exp(z)?
#
# **Write** it into `cross_entropy`, and check once more.
#
#     >>> cross_entropy([Value(0.0), Value(1000.0)], 0).data
#     1000.0
#
# **Common to get wrong**
#
# - The total is made of shifted logits. Is your z shifted by the same amount?
# - Is 1e-9 added before the log a mend? Which loss would it give here, and which gradient?

# %% check="far-off"
check("far-off")

# %%
try:
    import matplotlib.pyplot as plt
except ImportError:
    for gap in (0, 10, 100, 1000, 10000):
        print(f"wrong answer ahead by {gap:5}: loss {cross_entropy([Value(0.0), Value(float(gap))], 0).data:.4f}")
else:
    gaps = [gap / 10 for gap in range(-60, 61)]
    losses = [cross_entropy([Value(0.0), Value(gap)], 0).data for gap in gaps]
    plt.plot(gaps, losses)
    plt.xlabel("wrong answer ahead by")
    plt.ylabel("loss")
    plt.show()
    print("far ahead, by 10000:", cross_entropy([Value(0.0), Value(10000.0)], 0).data)

# %% [markdown]
# Far on the right, the loss is a straight line. However wrong the network is, the slope stays near 1, and
# there is always a way back.
#
# ## Where you are
#
# You began with a slope by nudging. Now your own code holds the loss that nearly every classifier is
# trained with, language models included: there the answers are not four animals but all the words.
#
# You have written everything in between yourself. What is left is the capstone: all of it, in one piece.
