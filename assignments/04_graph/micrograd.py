"""04_graph: Seeing the graph.

Write your code where NotImplementedError is raised, then run `autograder check` in this folder.
Each `# %%` begins a cell, which is run on its own: a mistake in one does not stop the others.
"""


# %%
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


# %%
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


# %% forgetful
def walk(root):
    """Return root and, after it, the walk of each Value it was made from; a list, with repetitions."""
    raise NotImplementedError


# %%
def tower(height):
    """Return the last of `height` Values, each of which is the sum of the two before it."""
    lower, upper = Value(1.0, label="x0"), Value(1.0, label="x1")
    for number in range(2, height):
        lower, upper = upper, lower + upper
        upper.label = f"x{number}"
    return upper


# %% remembering
def trace(root):
    """Return (nodes, edges): the Values behind root with root, and a pair (parent, value) for each use."""
    raise NotImplementedError


# %% text
def show(root):
    """Return the graph behind root as text, one line a use, each Value's parents listed once."""
    raise NotImplementedError


# %% boxes
def picture(root):
    """Return (boxes, circles, arrows) of the graph behind root, as lists of pairs of texts."""
    raise NotImplementedError


# %%
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
