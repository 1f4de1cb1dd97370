"""The capstone's hidden suite on whole engines: every right one gets all points, whatever its design; none that is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.exercise import load_exercise
from autograder.grading import grade_submission, policy
from autograder.notebook import script_cells
from autograder.sandbox import Zygote
from autograder.score import Score
from autograder.submission import Submission, read_submission

ENGINES = Path(__file__).parent / "capstone"
EXERCISE = load_exercise("capstone")
RIGHT = ["other_names.py", "two_files", "package", "subclasses.py", "notebook.ipynb"]
WORKED = Path(__file__).parent.parent / "solutions" / "capstone" / "capstone.py"


@pytest.fixture(scope="module", params=range(2), ids=["one process", "another"])
def zygote(request: pytest.FixtureRequest) -> Iterator[Zygote]:
    """A fork server of its own for each round, so that addresses, and with them the order of sets, differ."""
    with Zygote(policy(EXERCISE, frozenset({"bubblewrap"}))) as started:
        yield started


@pytest.fixture(scope="module")
def one_zygote() -> Iterator[Zygote]:
    with Zygote(policy(EXERCISE, frozenset({"bubblewrap"}))) as started:
        yield started


def graded(work: Submission, zygote: Zygote) -> Score:
    return grade_submission(work, EXERCISE, zygote)


def lost(score: Score) -> set[str]:
    return {part.part for part in score.parts if part.score < part.max_score}


@pytest.mark.parametrize("engine", RIGHT)
def test_every_design_gets_all_points(zygote: Zygote, engine: str) -> None:
    score = graded(read_submission(ENGINES / engine, "capstone"), zygote)
    told = [(test.name, test.message) for test in score.tests if test.status != "passed" and test.max_score]
    assert (told, score.score) == ([], 20.0)


def test_the_worked_solution_gets_all_points_and_goes_beyond(one_zygote: Zygote) -> None:
    score = graded(read_submission(WORKED, "capstone"), one_zygote)
    assert score.score == score.max_score == 20.0
    assert {test.status for test in score.tests} == {"passed"}


FAULTS = {
    "overwrites": ("parent.gradient += part", "parent.gradient = part", {"operators", "functions", "graphs", "readme"}),
    "no order": ("for node in reversed(order)", "for node in order", {"operators", "functions", "graphs", "readme", "network"}),
    "lists a shared node twice": ("elif id(node) not in seen", "else", {"graphs"}),
    "upstream ignored": ("(up if self.val > 0 else 0,)", "(float(self.val > 0),)", {"functions", "readme", "network"}),
    "wrong slope": ("up * k * self.val ** (k - 1)", "up * k * self.val ** k", {"operators", "readme"}),
    "swapped": ("return -self + other", "return self - other", {"operators"}),
    "nearly right": ("up * other.val, up", "up * other.val * (1 + 1e-8), up", {"operators", "graphs", "readme"}),
    "bias left out": ("[*unit.ws, unit.shift]", "unit.ws", {"network"}),
    "weights alike": ("random.uniform(-1, 1)", "0.5", {"network"}),
    "one neuron many times": (
        "[[Unit(n, at == len(pairs) - 1) for _ in range(m)]",
        "[[Unit(n, at == len(pairs) - 1)] * m",
        {"network"},
    ),
    "copies as parameters": ("tuple(p for row", "tuple(Scalar(p.val) for row", {"network"}),
    "a bias listed and never used": ("total = self.shift", "total = Scalar(0)", {"network"}),
    "one output of two": ("        return xs\n", "        return xs[:1]\n", {"network"}),
    "one neuron for both outputs": ("        return xs\n", "        return [xs[0] for _ in xs]\n", {"network"}),
    "slope of a**0": ("up * k * self.val", "up * (k or 1) * self.val", {"operators"}),
    "no power of 0": ("up * k * self.val ** (k - 1)", "up * k * self.val**k / self.val", {"operators"}),
    "power of 0 is flat": ("up * k * self.val ** (k - 1)", "up * k * self.val ** (k - 1) if self.val else 0", {"operators"}),
    "an input dropped": ("zip(self.ws, xs)", "zip(self.ws[:-1], xs)", {"network"}),
    "no network": ("class FeedForward", "class Nothing:\n    pass\n\n\ndef feed_forward", {"network"}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_costs_the_parts_that_it_is_in(one_zygote: Zygote, fault: str) -> None:
    good, bad, parts = FAULTS[fault]
    source = (ENGINES / "other_names.py").read_text(encoding="utf-8")
    assert good in source
    if fault == "no network":
        good, bad = source[source.index("class Unit") :], ""
    score = graded(read_source(source.replace(good, bad)), one_zygote)
    assert parts <= lost(score)


def read_source(source: str) -> Submission:
    return Submission("engine.py", script_cells("engine.py", source))


def test_what_is_beyond_is_told_and_costs_nothing(one_zygote: Zygote) -> None:
    score = graded(read_submission(ENGINES / "notebook.ipynb", "capstone"), one_zygote)
    beyond = {test.name: test for test in score.tests if test.part == "beyond"}
    assert beyond["test_a_deep_chain[2500]"].status == "crashed"
    assert "OverflowError" in beyond["test_tanh_of_a_large_number"].message
    assert beyond["test_function[log]"].status == "not-attempted"
    assert {test.max_score for test in beyond.values()} == {0.0}
    assert score.score == 20.0


def test_one_output_for_several_is_told_and_costs_nothing(one_zygote: Zygote) -> None:
    score = graded(read_submission(ENGINES / "package", "capstone"), one_zygote)
    (row,) = [test for test in score.tests if test.name == "test_a_network_of_several_outputs"]
    assert (row.status, row.max_score, score.score) == ("failed", 0.0, 20.0)


def test_a_function_that_is_there_has_to_be_right(one_zygote: Zygote) -> None:
    """exp is not asked for; one that is there and wrong costs points, and its row says so."""
    source = (ENGINES / "subclasses.py").read_text(encoding="utf-8")
    score = graded(read_source(source.replace("        return (self.x,)", "        return (self.operands[0].x,)")), one_zygote)
    assert lost(score) == {"functions"}


def test_what_stands_on_an_absent_package_is_not_judged(one_zygote: Zygote) -> None:
    source = "import numpy as np\n" + (ENGINES / "subclasses.py").read_text(encoding="utf-8").replace("math.exp(", "np.exp(")
    score = graded(read_source(source), one_zygote)
    assert score.score == 20.0
    (row,) = [test for test in score.tests if test.name == "test_function[exp]"]
    assert "numpy is not installed where this is graded" in row.message


def test_nothing_handed_in_is_not_attempted(one_zygote: Zygote) -> None:
    score = graded(read_submission(WORKED.parents[2] / "assignments" / "capstone" / "micrograd.py", "capstone"), one_zygote)
    assert score.score == 0.0
    assert {test.status for test in score.tests} == {"not-attempted"}
