"""Every attack of tests/attacks/table.toml through the real commands: the score that is deserved, and nothing left behind."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from attacks import Attack, Classroom, Result, attacks, classroom, honest_scores, verdict
from support import ROOT

ALL = attacks()
QUICK = [attack for attack in ALL if not attack.slow]
# One of each kind, for the ways of grading that cost more than a second each.
SAMPLE = [
    attack
    for attack in ALL
    if attack.name
    in (
        "read_hidden_suite",
        "read_other_submissions",
        "forge_results_then_exit",
        "forge_reply_on_every_descriptor",
        "forge_wrong_shapes",
        "forge_lying_eq",
        "break_kill_parent",
        "break_zip_link",
        "people_html",
    )
]
Runner = Callable[[Path], Result]


def by_grade(room: Classroom, *before: str, env: dict[str, str] | None = None, **options: Any) -> Runner:
    """`autograder grade`, `before` being a command that starts it."""

    def run(submission: Path) -> Result:
        command = [
            *(before or (sys.executable,)),
            "-m",
            "autograder",
            "grade",
            str(submission),
            "--assignment",
            "03_mul",
            "--json",
            "-",
        ]
        given = {"cwd": ROOT, "env": env or room.environment(), "capture_output": True, "text": True, "timeout": 240, **options}
        done = subprocess.run(command, check=False, **given)
        return Result(done.returncode, done.stdout + done.stderr, json.loads(done.stdout) if done.returncode == 0 else None)

    return run


@pytest.fixture(scope="module")
def room() -> Iterator[Classroom]:
    room = classroom()
    yield room
    room.close()


@pytest.fixture(scope="module")
def honest(room: Classroom) -> dict[str, float]:
    return honest_scores(by_grade(room))


@pytest.fixture(scope="module")
def graded(request: pytest.FixtureRequest, room: Classroom) -> Iterator[dict[str, Future[Result]]]:
    """The grades of all attacks that this run has chosen, two at a time."""
    chosen = [item.callspec.params["attack"] for item in request.session.items if item.originalname == "test_it_ends_rightly"]  # type: ignore[attr-defined]
    run = by_grade(room)
    with ThreadPoolExecutor(2) as pool:
        yield {attack.name: pool.submit(lambda attack: run(room.submission(attack)), attack) for attack in chosen}


@pytest.mark.parametrize("attack", QUICK, ids=lambda attack: attack.name)
def test_it_ends_rightly(attack: Attack, graded: dict[str, Future[Result]], honest: dict[str, float]) -> None:
    assert verdict(attack, graded[attack.name].result(), honest) == ""
