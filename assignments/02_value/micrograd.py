"""02_value: A number that remembers.

Write your code where NotImplementedError is raised, then run `autograder check` in this folder.
Each `# %%` begins a cell, which is run on its own: a mistake in one does not stop the others.
"""


# %% class
class Value:
    """A number that remembers which Values it was made from."""

    def __init__(self, data, _children=(), _op="", label=""):
        """Hold the number data; _children are the Values it was made from, by the operation _op."""
        raise NotImplementedError

    def __repr__(self):
        """Return a text such as Value(data=2.0)."""
        raise NotImplementedError


# %% add
def __add__(self, other):
    """Return self + other as a new Value; other may be a plain number."""
    # Let it grow:  part 3, the number   part 4, what it was made from   part 5, plain numbers
    raise NotImplementedError


Value.__add__ = __add__


# %% from-memory
class Scalar:
    """Value once more, from memory."""

    def __init__(self, data, _children=(), _op="", label=""):
        raise NotImplementedError

    def __repr__(self):
        raise NotImplementedError

    def __add__(self, other):
        raise NotImplementedError
