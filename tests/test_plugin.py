"""What a suite's outcomes become: nothing vanishes, the author's fault is no score, the student's always is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autograder.errors import CourseError, GraderError
from autograder.exercise import Exercise, Limits, Part
from autograder.inprocess import InProcess
from autograder.plugin import Outcome
from autograder.score import score_tests
from autograder.suite import run_suite

HEAD = "import pytest\nfrom autograder.plugin import grade\nfrom autograder.errors import *\n"
EXERCISE = Exercise("00_x", "X", 1, 7, (Part("one", "One", 4, ("h",)), Part("two", "Two", 2, ("h",), needs=("one",))), Limits())


def run(folder: Path, *tests: str, namespace: dict[str, Any] | None = None) -> dict[str, Outcome]:
    (folder / "test_x.py").write_text(HEAD + "\n\n".join(tests) + "\n")
    outcomes = run_suite(folder, EXERCISE, InProcess(namespace or {"x": 1}), seed=7)
    return {outcome.name: outcome for outcome in outcomes}


def body(name: str, code: str, part: str = "one", points: float = 1, before: str = "") -> str:
    return f'{before}@grade("{part}", points={points})\ndef {name}(student):\n    """Sentence of {name}."""\n    {code}'


def test_each_status(tmp_path: Path) -> None:
    outcomes = run(
        tmp_path,
        body("test_good", "assert student.read(student.name('x')) == [1]"),
        body("test_wrong", "raise WrongAnswer('expected 2, got 1')"),
        body("test_silent", "raise AssertionError"),
        body("test_crash", "student.read(student.name('x')(1))"),
        body("test_skipped", "pytest.skip('not today')", part="two"),
        body("test_setup", "pass", part="two", before="@pytest.fixture\ndef broken():\n    raise ZeroDivisionError\n@pytest.mark.usefixtures('broken')\n"),
    )  # fmt: skip
    assert {name: outcome.status for name, outcome in outcomes.items()} == {
        "test_good": "passed",
        "test_wrong": "failed",
        "test_silent": "failed",
        "test_crash": "crashed",
        "test_skipped": "not-run",
        "test_setup": "not-run",
    }
    assert outcomes["test_wrong"].message == "expected 2, got 1"
    assert outcomes["test_silent"].message == outcomes["test_silent"].title == "Sentence of test_silent."
    assert "'int' object is not callable" in outcomes["test_crash"].message
    assert outcomes["test_skipped"].message == "not today" and "ZeroDivisionError" in outcomes["test_setup"].message


def test_parts_that_build_on_an_unattempted_one_do_not_run(tmp_path: Path) -> None:
    def missing() -> None:
        raise NotImplementedError

    outcomes = run(
        tmp_path, body("test_a", "student.read(student.name('f')())"), body("test_b", "pass", part="two"), namespace={"f": missing}
    )
    assert [outcome.status for outcome in outcomes.values()] == ["not-attempted", "not-run"]
    assert "'One'" in outcomes["test_b"].message


def test_points_are_shared_by_cases_and_missing_ones_are_listed(tmp_path: Path) -> None:
    outcomes = run(
        tmp_path,
        '@grade("one", points=3)\n@pytest.mark.parametrize("n", [1, 2, 3])\ndef test_n(student, n):\n    """N."""\n    assert n < 3',
    )
    tests, parts = score_tests(EXERCISE, list(outcomes.values()))
    assert [(part.score, part.max_score) for part in parts] == [(2, 4), (0, 2)]
    assert [test.max_score for test in tests] == [1, 1, 1, 1, 2]
    assert [test.status for test in tests] == ["passed", "passed", "failed", "not-run", "not-run"]


def test_a_test_that_vanishes_scores_nothing() -> None:
    tests, parts = score_tests(EXERCISE, [Outcome("test_a", "A", "one", 4)])
    assert (tests[0].status, tests[0].score, parts[0].score) == ("not-run", 0, 0)
    assert tests[0].message


@pytest.mark.parametrize(
    "test",
    [
        body("test_a", "{}['nothing']"),
        body("test_a", "student.name('x') == 1"),
        body("test_a", "pass", part="three"),
        body("test_a", "pass").replace('@grade("one", points=1)\n', ""),
        "import nothing_of_this_name",
        "def broken(:",
    ],
)
def test_the_authors_fault_is_no_score(tmp_path: Path, test: str) -> None:
    with pytest.raises((CourseError, GraderError)):
        run(tmp_path, test)


def test_more_points_than_the_part_has_is_the_authors_fault() -> None:
    with pytest.raises(CourseError, match="worth more"):
        score_tests(EXERCISE, [Outcome("test_a", "A", "one", 5)])


def test_the_suite_cannot_be_steered_from_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", "--collect-only")
    (tmp_path / "conftest.py").write_text("raise SystemExit('conftest ran')")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --collect-only\n")
    assert run(tmp_path, body("test_a", "assert False, 'really ran'"))["test_a"].message == "really ran"
