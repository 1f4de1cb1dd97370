"""Mistakes are named by the hidden suites' own failures, on the submissions of tests/mutants."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support import ROOT, grade_json

from autograder.expression import trace
from autograder.finding import Finding
from autograder.gradcheck import Observation, WrongGradient, mistakes, observe, observe_nodes
from autograder.inprocess import InProcess
from autograder.misconceptions import diagnose, name_mistakes, smallest
from autograder.misconceptions.battery import battery
from autograder.misconceptions.catalogue import HINTS, UNKNOWN
from autograder.misconceptions.engine import Result, outcomes
from autograder.misconceptions.shrink import shrunk
from autograder.student import Student

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

MUTANTS = ROOT / "tests" / "mutants"
ROWS: list[dict[str, Any]] = tomllib.loads((MUTANTS / "table.toml").read_text(encoding="utf-8"))["mutant"]


class Test:
    """A failed test as the plugin hands it over."""

    __test__ = False

    def __init__(self, fault: BaseException) -> None:
        self.fault, self.message = fault, str(fault)


def asker(source: str) -> Any:
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    transport = InProcess(namespace)
    return lambda: Student(transport)


def source(file: str, *edits: tuple[str, str]) -> str:
    text = (MUTANTS / file).read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return text


def wrong(ask: Any, form: Any, *at: float) -> Observation:
    seen = observe(ask(), trace(form, len(at)), at)
    assert mistakes(seen)
    return seen


def test_named_in_three_fresh_processes() -> None:
    """Every submission of the table, the suite in full in one process and asked anew in two more."""
    command = [sys.executable, "bench/mutants.py", "--processes", "3", "--jobs", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(ROWS)} submissions, 3 processes each: 0 of {3 * len(ROWS)} named wrongly" in done.stdout


def test_a_wrong_row_is_found_out(tmp_path: Path) -> None:
    """The proof can fail: a right submission that is said to be wrong is reported."""
    code = "import sys; sys.path.insert(0, 'bench'); import mutants; from pathlib import Path\n"
    code += (
        f"mutants.MUTANTS = Path({str(tmp_path)!r}); sys.exit(bool([v for v in mutants.share(mutants.cases(), 1, 1) if v.right]))"
    )
    row = '[[mutant]]\nfile = "a.py"\nassignment = "03_mul"\nmistakes = ["overwrite-gradient *"]\n'
    (tmp_path / "table.toml").write_text(row, encoding="utf-8")
    (tmp_path / "a.py").write_text(source("right/int_zeros.py"), encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_mistake_has_three_submissions_and_every_file_a_row() -> None:
    alone = Counter(row["mistakes"][0].split()[0] for row in ROWS if len(row["mistakes"]) == 1)
    assert len(HINTS) == 49
    assert all(alone[name] >= 3 for name in HINTS)
    files = {path.relative_to(MUTANTS).as_posix() for path in MUTANTS.rglob("*.py")}
    assert files == {row["file"] for row in ROWS}


def test_the_json_and_the_words_carry_the_mistake() -> None:
    grade = grade_json(MUTANTS / "overwrite_gradient" / "tanh_closures.py", "07_tanh")
    failed = [test for test in grade["tests"] if test["status"] != "passed"]
    expected = {"id": "overwrite-gradient", "op": "tanh", "hint": HINTS["overwrite-gradient"]}
    assert failed and all(test["misconception"] == expected for test in failed)
    assert all(re.search(r"expected .*, got .*\nHint: How many paths", test["message"], re.DOTALL) for test in failed)
    assert all(test["misconception"] is None for test in grade["tests"] if test["status"] == "passed")
    json.dumps(grade, allow_nan=False)


def test_two_mistakes_go_to_their_own_tests() -> None:
    grade = grade_json(MUTANTS / "two" / "pow_factor_and_relu_gate.py", "07_tanh")
    named = {(test["part"], test["misconception"]["id"]) for test in grade["tests"] if test["misconception"]}
    assert {one for one in named if one[0] in ("pow", "relu")} == {("pow", "pow-factor-missing"), ("relu", "relu-gate-on-output")}


def test_the_reference_interpreter_is_right_without_a_change() -> None:
    every = battery(frozenset(["add", "mul", "sub", "truediv", "neg", "pow", "tanh", "exp", "log", "relu"]))
    assert len(every) > 100
    for probe in every:
        (got, *others) = outcomes(probe.traced, probe.at, {})
        assert not others and isinstance(got, Result)
        assert got.data == pytest.approx(probe.truth.data, rel=1e-9)
        assert got.gradient == pytest.approx(probe.truth.gradient, rel=1e-9, abs=1e-11)


def test_an_order_mistake_allows_every_order_and_no_other_number() -> None:
    probe = trace(lambda a, b, c: (lambda t: t + t * c)(a * b), 3)
    got = {one.gradient[0] for one in outcomes(probe, (2.0, 3.0, 4.0), {("", "order"): "depth-first"}) if isinstance(one, Result)}
    assert got == {18.0, 30.0}


def test_the_smallest_expression_is_shown_with_its_first_wrong_gradient() -> None:
    ask = asker(source("upstream_ignored/exp_dispatch.py"))
    seen = wrong(ask, lambda a, b, c: ((a * b).exp() * c + a) * 3.0, 0.5, 0.25, 2.0)
    tests = [Test(WrongGradient("a.grad: expected 1, got 2", seen))]
    diagnosis, findings = name_mistakes(ask, tests)
    assert findings == [Finding("upstream-ignored", "exp", HINTS["upstream-ignored"])]
    (shown,) = smallest(ask, diagnosis, findings, tests, seconds=20)
    assert shown is not None
    # f(a) alone hides it: what arrives there is 1.
    assert [node.kind for node in shown.traced.order()].count("exp") == 1
    assert sum(bool(node.args) for node in shown.traced.order()) == 2
    first = shown.first_wrong
    assert first is not None and first.node.kind == "input" and first.got != pytest.approx(first.truth)
    assert [one.wrong for one in shown.nodes][:2] == [False, False]


def test_what_no_small_expression_shows_is_shrunk_until_nothing_can_be_left_out() -> None:
    # Wrong only for large products: no question of the battery meets it.
    ask = asker(source("right/int_zeros.py", ("other.grad += self.data * out.grad", "other.grad += min(self.data, 40) * out.grad")))
    seen = wrong(ask, lambda a, b, c: ((a + b) * (a * b) + c) * (c + 2.0) + (a * a) * (b * c), 7.0, 9.0, 3.0)
    tests = [Test(WrongGradient("b.grad: expected 1, got 2", seen))]
    diagnosis, findings = name_mistakes(ask, tests)
    assert [one.id for one in findings] == [UNKNOWN]
    (shown,) = smallest(ask, diagnosis, findings, tests, seconds=20)
    assert shown is not None and mistakes(shown)
    assert [node.kind for node in shown.traced.order() if node.args] == ["mul"]


def test_shrinking_keeps_a_shared_node_where_only_that_is_wrong() -> None:
    ask = asker(source("no_visited_guard/closures.py"))
    seen = wrong(ask, lambda a, b, c: ((a * b) + (a * b) * c) * 2.0 + (lambda t: t + t * c)(a * b), 2.0, 3.0, 4.0)
    small = shrunk(ask, seen, seconds=20)
    kinds = [node.kind for node in small.traced.order() if node.args]
    assert sorted(kinds) == ["add", "mul", "mul"] and mistakes(small)
    assert observe_nodes(ask(), small).first_wrong is not None


@pytest.mark.parametrize("row", [row for row in ROWS if not row["mistakes"]], ids=lambda row: row["file"])
def test_nothing_is_named_for_what_is_right(row: dict[str, Any]) -> None:
    diagnosis = diagnose(asker(source(row["file"])), [])
    assert diagnosis.findings == []
    assert all(one.right for one in diagnosis.seen)


def test_hints_lead_and_do_not_tell() -> None:
    for name, hint in HINTS.items():
        assert hint.rstrip(".").endswith("?") or name in ("bias-missing", "pow-exponent-not-reduced", UNKNOWN)
        assert not re.search(r"\+=|out\.grad \*|\* out\.grad", hint)
