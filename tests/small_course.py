"""A course of one small assignment, written out for tests that break it."""

from __future__ import annotations

from pathlib import Path

SLUG = "01_double"
LESSON = '''\
# %% [markdown]
# # Doubling

# %% tags=["module"]
class Value:
    def __init__(self, data):
        self.data = data


# %% solution="double"
def double(self):
    """Return a Value with twice the data."""
    ### BEGIN SOLUTION
    number = self.data
    return Value(number + number)
    ### END SOLUTION


def half(self):
    if self.data:
        ### BEGIN SOLUTION
        return Value(self.data / 2)
        ### END SOLUTION
    return Value(0.0)


Value.double = double

# %% check="twice"
check("twice")

# %%
print(Value(3.0).double().data)

# %% [markdown] written="why"
# Why is twice a number even?
'''
EXERCISE = """\
title = "Doubling"
minutes = 5
seed = 1

[[part]]
id = "twice"
title = "Twice the data"
points = 2
hints = ["How often is it added?", "Add it to itself."]

[[written]]
id = "why"
title = "Why it is even"
points = 1
"""
SUITE = '''\
from autograder.checks import assert_number
from autograder.plugin import grade


@grade("twice", points=2)
def test_twice(student):
    """Twice the data."""
    (a,) = student.values(3.0)
    assert_number(student, a.double().data, 6.0, "a=3")
'''
COURSE = 'title = "T"\nrepository = "https://example.org/t"\ninstall = "autograder @ git+https://example.org/t"\n'


def small_course(root: Path) -> Path:
    """Write the course below `root`; the folder of its lesson."""
    folder, hidden = root / "solutions" / SLUG, root / "autograder" / "hidden" / SLUG
    folder.mkdir(parents=True)
    hidden.mkdir(parents=True)
    (root / "solutions" / "course.toml").write_text(COURSE)
    (folder / f"{SLUG}.py").write_text(LESSON)
    (folder / "exercise.toml").write_text(EXERCISE)
    (folder / f"test_{SLUG}.py").write_text(SUITE)
    (hidden / f"test_{SLUG}.py").write_text(SUITE)
    return folder


def replace(path: Path, old: str, new: str) -> None:
    """Change one place of a file, which has to be there."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
