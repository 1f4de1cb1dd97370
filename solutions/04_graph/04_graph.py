# %% [markdown]
# # 04 · Seeing the graph
#
# Every Value remembers what it was made from. Those remember what *they* were made from, and so on, back
# to the numbers that somebody typed in. Together they make a graph. Today you look at it.
#
# Drawings are not the point, though they are pretty. To draw a graph you have to walk through it, and
# walking through it without getting lost is what `backward()` will need two lessons from now.
#
# 1. A walk that forgets where it has been.
# 2. `trace`, a walk that remembers.
# 3. `show`, the graph as text.
# 4. The graph as boxes, circles and arrows.
#
# Take about 60 minutes.

# %% [markdown]
# ## What you are given
#
# `Value` with `+` and `*`, without the local rules. Today nothing flows back.

# %% tags=["module"]
class Value:
    """A number that remembers which Values it was made from."""

    def __init__(self, data, _children=(), _op="", label=""):
        self.label, self._op = label, _op
        self._prev = set(_children)
        self.data, self.grad = data, 0.0

    def __repr__(self):
        return f"Value({self.label + ': ' if self.label else ''}{self.data!r})"

    def __add__(self, term):
        term = Value._wrapped(term)
        return Value(self.data + term.data, (self, term), "+")

    def __mul__(self, factor):
        factor = Value._wrapped(factor)
        return Value(self.data * factor.data, (self, factor), "*")

    @staticmethod
    def _wrapped(thing):
        return thing if isinstance(thing, Value) else Value(thing)

# %% [markdown]
# ## Today's example
#
#     a = 2    b = -3    c = 10
#
#     e = a * b
#     d = e + c
#     g = a + c
#     L2 = d * g
#
# Two of the letters are used twice. Which ones? And what is L2?

# %% tags=["module"]
def example():
    """Return L2 = (a*b + c) * (a + c) at a=2, b=-3, c=10, with a label on every Value behind it."""
    a, b, c = Value(2.0, label="a"), Value(-3.0, label="b"), Value(10.0, label="c")
    e = a * b
    d = e + c
    g = a + c
    L2 = d * g
    for node, label in ((e, "e"), (d, "d"), (g, "g"), (L2, "L2")):
        node.label = label
    return L2

# %%
L2 = example()
print(L2)
print("made from", sorted(parent.label for parent in L2._prev))

# %% [markdown]
# ## Part 1: a walk that forgets
#
# Start at L2. Note it down. Then do the same at each Value in its `_prev`: note it down, go on to *its*
# `_prev`, and so on. At a typed-in number there is nothing to go on to.
#
# A function that calls itself does this in few lines. It trusts itself to do the smaller walks.
#
# **Write** `walk(root)`. Return a list: root, followed by the walk of each Value in `root._prev`. Keep no
# record of where you have been; that is part 2.
#
#     >>> a, b = Value(2.0, label="a"), Value(-3.0, label="b")
#     >>> walk(a)
#     [Value(a: 2.0)]
#     >>> len(walk(a * b))
#     3
#
# **Common to get wrong**
#
# - `walk(parent)` returns a list. Does your list get longer by its *elements*, or by one list inside?
# - What does your function do with a Value whose `_prev` is empty? Does it need an `if` for that?
#
# Before you run the check: the example has 7 Values. How many entries will `walk(L2)` have?

# %% solution="forgetful"
def walk(root):
    """Return root and, after it, the walk of each Value it was made from; a list, with repetitions."""
    ### BEGIN SOLUTION
    steps = [root]
    for parent in root._prev:
        steps += walk(parent)
    return steps
    ### END SOLUTION

# %% check="walk"
check("walk")

# %%
steps = walk(example())
print(len(steps), "steps:", " ".join(node.label for node in steps))

# %% [markdown]
# Nine, for seven Values. a and c came up twice: you reach each of them on two ways.
#
# Two steps too many, who cares? Look at a tower. Each Value in it is the sum of the two before:
#
#     x2 = x0 + x1    x3 = x1 + x2    x4 = x2 + x3    ...
#
# Guess how many steps the walk takes for a tower of 10 Values, and for one of 25.

# %% tags=["module"]
def tower(height):
    """Return the last of `height` Values, each of which is the sum of the two before it."""
    lower, upper = Value(1.0, label="x0"), Value(1.0, label="x1")
    for number in range(2, height):
        lower, upper = upper, lower + upper
        upper.label = f"x{number}"
    return upper

# %%
for height in (5, 10, 15, 20, 25):
    print(f"{height:2d} Values: {len(walk(tower(height))):7d} steps")

# %% [markdown]
# 25 Values, and 150,049 steps. Five more Values make it eleven times as many. For a tower of 100, at ten
# million steps a second, you would wait for two million years.
#
# In a network, nearly every Value is used more than once. A walk that forgets is of no use there.

# %% [markdown]
# ## Part 2: a walk that remembers
#
# The cure is a set of the Values that were seen. Arrive somewhere, look into the set: been here? Then
# turn around.
#
# **Write** `trace(root)`. Return two sets:
#
# - `nodes`: every Value behind root, and root itself, each once;
# - `edges`: a pair `(parent, value)` wherever value was made from parent. Mind the direction: the older one
#   stands first.
#
#     >>> a, b = Value(2.0, label="a"), Value(-3.0, label="b")
#     >>> e = a * b
#     >>> nodes, edges = trace(e)
#     >>> nodes == {a, b, e}
#     True
#     >>> edges == {(a, e), (b, e)}
#     True
#
# **Common to get wrong**
#
# - You come to a Value that you know. Is its part of the graph walked again? Try it on a tower of 30.
# - c is reached twice. Then it has two edges leading away from it. Do you keep both, although you visit c
#   only once?
# - `def trace(root, seen=set())` looks handy. Python makes that set once, when it reads the `def`. What is
#   in it at the second call?
# - Two Values may hold the same number and the same label. Are they the same Value?

# %% solution="remembering"
def trace(root):
    """Return (nodes, edges): the Values behind root with root, and a pair (parent, value) for each use."""
    ### BEGIN SOLUTION
    nodes, edges = set(), set()

    def visit(value):
        if value in nodes:
            return
        nodes.add(value)
        for parent in value._prev:
            edges.add((parent, value))
            visit(parent)

    visit(root)
    return nodes, edges
    ### END SOLUTION

# %% check="trace"
check("trace")

# %% [markdown]
# Four guesses, then run the cell. How many nodes and edges have
#
# 1. a Value that was typed in,
# 2. `y = x + x`,
# 3. `L2`,
# 4. the tower of 25?

# %%
x = Value(3.0, label="x")
for name, root in (("typed in", x), ("x + x", x + x), ("L2", example()), ("tower", tower(25))):
    nodes, edges = trace(root)
    print(f"{name:9} {len(nodes):3} nodes {len(edges):3} edges")

# %% [markdown]
# `y = x + x` has *one* parent, and so one edge, although x was used twice: `_prev` is a set. Bear it in
# mind. Whoever walks along the edges sees x once, and its gradient has to come out as 2 all the same.

# %% [markdown]
# ## Part 3: the graph as text
#
# Now print what you walk through. One line for each step, two blanks further in for each step back:
#
#     L2 = 48.0  (*)
#       d = 4.0  (+)
#         c = 10.0
#         e = -6.0  (*)
#           b = -3.0
#           a = 2.0
#       g = 12.0  (+)
#         c = 10.0  (again)
#         a = 2.0  (again)
#
# The order of the parents is free: a set has none, and yours may come out differently.
#
# Look at c. It is used twice, so it has two lines. The second one says `(again)`. If c had parents, they
# would not be listed below it a second time: that is how the tower stays small.

# %% [markdown]
# **Write** `show(root)`. Return the text, with the lines joined by `"\n"`; do not print it. A line has
#
# - two blanks for each step from the root,
# - the label, ` = `, the data,
# - where an operation made the Value: two blanks and its sign in brackets,
# - where the Value has been shown before: two blanks and `(again)`, and nothing more below it.
#
# **Common to get wrong**
#
# - `seen` must be the same set in all of the calls. Who makes it, and how does it get down there?
# - Depth 0, 1, 2: who tells a line how far in it stands?
# - A Value comes up for the second time. Does its line still appear? And do its parents' lines?

# %% solution="text"
def show(root):
    """Return the graph behind root as text, one line a use, each Value's parents listed once."""
    ### BEGIN SOLUTION
    lines, seen = [], set()

    def visit(value, depth):
        line = "  " * depth + f"{value.label} = {value.data}"
        if value._op:
            line += f"  ({value._op})"
        if value in seen:
            lines.append(line + "  (again)")
            return
        seen.add(value)
        lines.append(line)
        for parent in value._prev:
            visit(parent, depth + 1)

    visit(root, 0)
    return "\n".join(lines)
    ### END SOLUTION

# %% check="show"
check("show")

# %%
print(show(example()))
print()
print(show(tower(6)))
print()
print("lines for the tower of 25:", len(show(tower(25)).splitlines()))

# %% [markdown]
# 47 lines. That is one for each of the 46 edges, and one for the root. The walk of part 1 took 150,049
# steps on the same tower.

# %% [markdown]
# ## Part 4: boxes, circles and arrows
#
# In the usual picture, each Value is a **box**, and each operation is a small **circle** between the boxes:
#
#     [a] --+
#           +--> (*) --> [e]
#     [b] --+
#
# The circle is no Value. It only says how the box behind it was made. So
#
# - each Value gets a box,
# - each Value that an operation made also gets a circle, and one arrow from that circle to its own box,
# - each use of a Value is an arrow from its box to the *circle* of the Value that it went into.
#
# Count for L2, on paper: how many boxes, how many circles, how many arrows?

# %% [markdown]
# **Write** `picture(root)`. Return three lists:
#
# - `boxes`: pairs `(name, text)`. Label and data stand in the text.
# - `circles`: pairs `(name, text)`. The text is the sign of the operation.
# - `arrows`: pairs `(from, to)` of names.
#
# A name is a text of your choice. It only has to be different for each box and each circle. `str(id(value))`
# is a good one for a box, since no two objects have the same id. What could a circle's be?
#
# **Common to get wrong**
#
# - Two Values with the same label: do they get two boxes?
# - `trace` has done the walking. Can you live from its nodes and edges alone?
# - Where does the arrow of an edge `(parent, value)` end: at the box of value, or at its circle?

# %% solution="boxes"
def picture(root):
    """Return (boxes, circles, arrows) of the graph behind root, as lists of pairs of texts."""
    ### BEGIN SOLUTION
    nodes, edges = trace(root)
    boxes, circles, arrows = [], [], []
    for value in nodes:
        name = str(id(value))
        boxes.append((name, f"{value.label} | data {value.data:.4f}"))
        if value._op:
            circles.append((name + value._op, value._op))
            arrows.append((name + value._op, name))
    for parent, value in edges:
        arrows.append((str(id(parent)), str(id(value)) + value._op))
    return boxes, circles, arrows
    ### END SOLUTION

# %% check="picture"
check("picture")

# %%
boxes, circles, arrows = picture(example())
print("L2:   ", len(boxes), "boxes,", len(circles), "circles,", len(arrows), "arrows")
boxes, circles, arrows = picture(x + x)
print("x + x:", len(boxes), "boxes,", len(circles), "circle, ", len(arrows), "arrows")

# %% [markdown]
# 7 boxes, 4 circles, 12 arrows: four arrows from a circle to its box, and eight uses. a and c have two
# arrows each, leading to two different circles. b has one.
#
# What is left is paint. `draw_dot` hands your lists to the graphviz package, which finds a place for each
# box. It is given, and it imports graphviz only when it is called.

# %% tags=["module"]
def draw_dot(root):
    """Return the graph behind root as a graphviz.Digraph, drawn from left to right."""
    import graphviz

    boxes, circles, arrows = picture(root)
    dot = graphviz.Digraph(graph_attr={"rankdir": "LR"})
    for name, text in boxes:
        dot.node(name, text, shape="box")
    for name, text in circles:
        dot.node(name, text, shape="circle")
    for source, target in arrows:
        dot.edge(source, target)
    return dot

# %%
import shutil

try:
    drawing = draw_dot(example())
except ImportError:
    print("Without the graphviz package there is no drawing:")
    print(show(example()))
else:
    if shutil.which("dot") and "get_ipython" in globals():
        display(drawing)
    else:
        print("Paste this into any viewer for the DOT language:")
        print(drawing.source)

# %% [markdown]
# ## Where you are
#
# You can walk through everything that a result was made from, visit each Value once, and see it. The
# arrows point forward, from the inputs to the result. Gradients will travel along the same arrows,
# backward. That is the next lesson.
#
# To think about: `trace` gives you the Values in a set, in no order. Suppose that news has to travel from
# L2 back to a, and a Value may pass it on only when all of its own news has come in. Would any order do?
