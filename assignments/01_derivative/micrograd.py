"""01_derivative: The derivative, by nudging.

Write your code where NotImplementedError is raised, then run `autograder check` in this folder.
Each `# %%` begins a cell, which is run on its own: a mistake in one does not stop the others.
"""


# %%
import math


# %% one-nudge
def derivative(f, x, h):
    """Return the slope of f at x, measured with one nudge of size h upward."""
    raise NotImplementedError


# %% two-nudges
def central(f, x, h):
    """Return the slope of f at x, measured from x - h to x + h."""
    raise NotImplementedError


# %% distances
def errors(rule, f, x, exact, steps):
    """Return the distance between rule(f, x, h) and exact, for each h in steps, in order."""
    raise NotImplementedError


# %% slopes
def gradient(f, point, h):
    """Return the slopes of f at point, one for each input, each measured from h below to h above."""
    raise NotImplementedError


# %% formulas
def wild(a, b, c):
    """Return -a**3 + sin(3*b) - 1/c + b**2.5 - a**0.5."""
    raise NotImplementedError


def wild_gradient(a, b, c):
    """Return the slopes of wild by a, by b and by c, from formulas."""
    raise NotImplementedError
