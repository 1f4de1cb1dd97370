"""Each folder of tests/golden is one submission of 03_mul, run through the real command and compared with a file.

`pytest tests/test_golden.py --write-golden` writes the files anew; read the difference before committing it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support import ROOT, grade_json

GOLDEN = ROOT / "tests" / "golden"
CASES = sorted(path.name for path in GOLDEN.iterdir() if path.is_dir())


def stable(grade: dict[str, Any]) -> dict[str, Any]:
    """The grade without what depends on the machine or the clock."""
    kept = {key: value for key, value in grade.items() if key not in ("seconds", "sandbox")}
    for test in kept["tests"]:
        # Deadlines halve with each test that runs into one, and the machine decides where a loop is at the time.
        if test["status"] == "timed-out":
            test["message"] = test["message"].split(" was still")[-1].split("after")[0]
    return kept


@pytest.mark.parametrize("case", CASES)
def test_golden(case: str, request: pytest.FixtureRequest) -> None:
    expected = GOLDEN / case / "expected.json"
    got = stable(grade_json(GOLDEN / case, "03_mul"))
    if request.config.getoption("--write-golden"):
        expected.write_text(json.dumps(got, indent=2) + "\n", encoding="utf-8")
    assert got == json.loads(expected.read_text(encoding="utf-8"))
    if case.startswith("right_"):
        assert got["score"] == got["max_score"]


def test_right_submissions_are_of_different_designs() -> None:
    assert len([case for case in CASES if case.startswith("right_")]) >= 6
    assert len([case for case in CASES if case.startswith("wrong_")]) >= 10


@pytest.mark.parametrize("path", [ROOT / "solutions" / "03_mul" / "03_mul.py"], ids=["solution"])
def test_the_worked_solution_scores_full(path: Path) -> None:
    grade = grade_json(path, "03_mul")
    assert grade["score"] == grade["max_score"] == 6.0


def test_the_skeleton_is_not_attempted() -> None:
    grade = grade_json(ROOT / "assignments" / "03_mul", "03_mul")
    assert grade["score"] == 0
    assert {test["status"] for test in grade["tests"]} == {"not-attempted"}
