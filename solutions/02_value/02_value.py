# %% [markdown]
# # 02 · A number that remembers
#
# In lesson 01 you nudged a machine from outside: two runs for every dial. There is a better way, but it
# needs to look *inside* of the machine. Which number was made from which others, and how?
#
# Ask Python, and you get no answer:

# %%
a = 2.0
b = -3.0
c = a + b
print(c)

# %% [markdown]
# c is -1.0, and that is all it is. It has forgotten that it was once a sum. -4 and 3 would have given
# the same -1.0.
#
# Today you write a class, `Value`. A Value holds a number, and it remembers where that number came from.
# It is the only kind of object in the whole course: lessons 03 to 10 teach it more and more.
#
# 1. What a Value holds.
# 2. How it prints itself.
# 3. How two of them are added: the number.
# 4. How the sum remembers.
# 5. What happens with `a + 1`.
# 6. A question to answer in words.
# 7. The whole class once more, from memory.
#
# Take about 50 minutes.

# %% [markdown]
# ## Part 1: what it holds
#
# Five things:
#
# | attribute | what it is | at the start |
# |---|---|---|
# | `data` | the number itself | what the caller gives |
# | `grad` | the gradient: how fast some result moves when this Value moves | 0.0 |
# | `_prev` | a set of the Values that this one was made from | what the caller gives |
# | `_op` | the sign of the operation that made it, such as `"+"` | what the caller gives |
# | `label` | a name for people to read | what the caller gives |
#
# A name that begins with `_` is a sign between programmers: this one is for the class's own use.
#
# **Write** `__init__`. Python calls it when somebody writes `Value(2.0)`, and it puts the five things on
# `self`.
#
#     >>> a = Value(2.0, label="a")
#     >>> a.data, a.grad, a.label
#     (2.0, 0.0, 'a')
#     >>> a._prev
#     set()
#
# **Write** `__repr__` too, or leave it for part 2: the check below does not look at it.
#
# **Common to get wrong**
#
# - `data = data` inside of a method: whose `data` is that? Is it still there after the method ends?
# - `_children` arrives as a tuple. Which built-in makes a set of it?
# - A Value that somebody typed in was made from nothing. Does your code need a special case for it?

# %% solution="class"
class Value:
    """A number that remembers which Values it was made from."""

    def __init__(self, data, _children=(), _op="", label=""):
        """Hold the number data; _children are the Values it was made from, by the operation _op."""
        ### BEGIN SOLUTION
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self.label = label
        ### END SOLUTION

    def __repr__(self):
        """Return a text such as Value(data=2.0)."""
        ### BEGIN SOLUTION
        return f"Value(data={self.data})"
        ### END SOLUTION

# %% check="holds"
check("holds")

# %% [markdown]
# ## Part 2: how it prints itself
#
# Without a `__repr__`, Python prints something like `<__main__.Value object at 0x7f51c8b2e6d0>`. That is
# the object's address in memory. It is true, and of no use.
#
# **Write** `__repr__`. It returns a text that shows the class and the number:
#
#     >>> Value(2.0)
#     Value(data=2.0)
#
# **Common to get wrong**
#
# - Return the text, or print it? Python asks for the text and does the printing. What does a method
#   return that only prints?
# - The number in the text is this Value's own. Try it with two different ones.

# %% check="prints"
check("prints")

# %%
a = Value(2.0, label="a")
b = Value(-3.0, label="b")
print(a, b)
print([a, b])

# %% [markdown]
# ## Part 3: adding, the number
#
# Guess what this does, now that a and b are Values: `a + b`. Then run it.

# %%
try:
    print(a + b)
except (TypeError, NotImplementedError) as error:
    print(type(error).__name__, error)

# %% [markdown]
# Python does not know how to add what it has never seen. For `a + b` it looks for a method called
# `__add__` in a's class and calls `a.__add__(b)`. So in that method, `self` is the left side and `other`
# is the right side.
#
# **Write** the number first: return a *new* Value whose data is the sum.
#
#     >>> Value(2.0) + Value(-3.0)
#     Value(data=-1.0)
#     >>> Value(2.0) + Value(-3.0) + Value(10.0)
#     Value(data=9.0)
#
# **Common to get wrong**
#
# - The second example adds three. What type must `a + b` have, so that `+ c` can go on from there?
# - After `a + b`, what should `a.data` be?
#
# The method is written as a function and hung onto the class in the last line. Once it is there, Python
# cannot tell the difference.

# %% solution="add"
def __add__(self, other):
    """Return self + other as a new Value; other may be a plain number."""
    # Let it grow:  part 3, the number   part 4, what it was made from   part 5, plain numbers
    ### BEGIN SOLUTION
    other = other if isinstance(other, Value) else Value(other)
    return Value(self.data + other.data, (self, other), "+")
    ### END SOLUTION


Value.__add__ = __add__

# %% check="sum"
check("sum")

# %% [markdown]
# ## Part 4: adding, the memory
#
# The number is right, but the sum has forgotten again. Go back to your `__add__`, and hand the new Value
# two more things: the Values it was made from, and the sign `"+"`. Your `__init__` already has places
# for both. Run the cell again, then this check.
#
#     >>> s = a + b
#     >>> s._prev == {a, b}
#     True
#     >>> s._op
#     '+'
#
# Two guesses before you run the check:
#
# - `Value(1.5) + Value(1.5)`: the same number twice. How many Values are in the sum's `_prev`?
# - `a + a`: how many here?
#
# **Common to get wrong**
#
# - The sum must remember a and b *themselves*. Are two Values with equal data the same Value?
# - Does your sum keep Values, or their numbers? A number cannot tell where it came from.

# %% check="memory"
check("memory")

# %%
twins = Value(1.5) + Value(1.5)
double = a + a
print("twins: ", len(twins._prev), "parents")
print("a + a: ", len(double._prev), "parent, and the data is", double.data)

# %% [markdown]
# A set holds each object once, so `a + a` has one parent. The twins are two objects which happen to
# hold the same number. Think of two people of the same age.
#
# Does `a + a` lose anything by this? Only one parent, yet a went in twice. Keep the question: in lesson
# 05 it decides whether a gradient is right or half of what it should be.

# %% [markdown]
# ## Part 5: plain numbers
#
# `a + 1` should be 3, of course. What does your `__add__` do with it so far?

# %%
try:
    print(a + 1)
except (AttributeError, NotImplementedError) as error:
    print(type(error).__name__, error)

# %% [markdown]
# If you see `'int' object has no attribute 'data'`: read it slowly. Which object is the int? It came in
# as `other`.
#
# **Write** the last piece of `__add__`: where other is not a Value yet, make it one, before anything else
# happens. The sum then has two Values to remember, and the 1 is one of them.
#
#     >>> a + 1
#     Value(data=3.0)
#     >>> a + 0.5
#     Value(data=2.5)
#
# **Common to get wrong**
#
# - What if you wrapped *always*, Value or not? Take `a + b`: would the sum still remember b itself?
# - What is `Value(Value(2.0)).data`? Is it a number?
#
# Python has `isinstance(thing, Class)`, which says whether a thing is of a class.

# %% check="plain"
check("plain")

# %% [markdown]
# One example, followed all the way back. Before you run it: what stands in `d._prev`? Is a in it?

# %%
a, b, c = Value(2.0, label="a"), Value(-3.0, label="b"), Value(10.0, label="c")
s = a + b
s.label = "s"
d = s + c
d.label = "d"
for node in (d, s, a):
    print(node.label, "=", node.data, "  made from", sorted(parent.label for parent in node._prev), "  by", repr(node._op))

# %% [markdown]
# d remembers s and c. It does not remember a; but s does. From d you can walk back to everything that
# d was made from, one step at a time. That walk is what this course is about.

# %% [markdown]
# ## Part 6: a question
#
# You wrote `self.grad = 0.0`, because the table said so. Why 0, and not 1, or `None`?
#
# Two things may help you to find words.
#
# - `grad` says how fast a result moves when this Value moves. When a Value is made, which result is that?
# - Suppose a Value is used in three places, and each place reports its share of the slope, one after the
#   other. What must a counter show before the first report comes in?

# %% [markdown] written="why-zero"
# **Why does `grad` start at 0?** Two or three sentences, in your own words. Say what would go wrong if it
# started at 1.
#
# <!-- BEGIN SOLUTION -->
# A new Value has had no effect on any result yet: nudge it, and nothing moves, so the slope is 0. Later,
# every use of the Value adds its share to `grad`, and a sum has to begin at 0 to come out right. If it
# began at 1, each gradient would be too large by 1, even that of a Value which is not used at all.
# <!-- END SOLUTION -->

# %% [markdown]
# ## Part 7: from memory
#
# Reading a class is easy, and it feels like knowing it. Writing it from nothing shows what you know.
#
# Scroll until nothing of the above is on your screen. Then write the whole class again, under another
# name, so that your `Value` stays as it is: `Scalar`. It holds the same five things, prints itself, adds,
# and takes plain numbers.
#
# If you get stuck, think first and look second. Then close it and start over: the second time takes three
# minutes.
#
# Four checks wait below:
#
# 1. a Scalar holds its number and starts with grad 0,
# 2. it prints itself,
# 3. it adds another Scalar, and a plain number,
# 4. a sum remembers what it was made from.

# %% solution="from-memory"
class Scalar:
    """Value once more, from memory."""

    def __init__(self, data, _children=(), _op="", label=""):
        ### BEGIN SOLUTION
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self.label = label
        ### END SOLUTION

    def __repr__(self):
        ### BEGIN SOLUTION
        return f"Scalar(data={self.data})"
        ### END SOLUTION

    def __add__(self, other):
        ### BEGIN SOLUTION
        if not isinstance(other, Scalar):
            other = Scalar(other)
        return Scalar(self.data + other.data, (self, other), "+")
        ### END SOLUTION

# %% check="again"
check("again")

# %% [markdown]
# ## Where you are
#
# You have a number with a memory. With `+` alone it cannot compute much yet; multiplication comes next,
# and with it the first local rule: what a result tells the Values it was made from.
#
# One thing to try and to think about: `1 + a`. Python asks the *left* side first, and the left side is an
# int that has never heard of your class. Lesson 07 mends it.
