"""Every attack of tests/attacks/table.toml through the real commands: the score that is deserved, and nothing left behind."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from attacks import Attack, Classroom, Result, as_ordinary, attacks, classroom, honest_scores, ordinary_python, verdict
from support import ROOT, autograder

from autograder.exercise import load_exercise
from autograder.gradescope import trial
from autograder.gradescope.bundle import bundle
from autograder.report.gradescope import Display
from autograder.sandbox import LAYERS
from autograder.store import DATABASE, Store

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


def test_nothing_was_changed(room: Classroom, graded: dict[str, Future[Result]]) -> None:
    for future in graded.values():
        future.result()
    assert set(room.contents()) == {
        "neighbour.py",
        "gradebook.db",
        "home/.netrc",
        "site/micrograd/__init__.py",
        "site/micrograd/engine.py",
    }
    assert not any(b"STOLEN" in text or b"UPDATE" in text for text in room.contents().values())


def by_batch(room: Classroom, sample: list[Attack]) -> dict[str, Result]:
    """The sample as one class, each attack among the others."""
    folder, grades = room.place.parent / "batch", room.place.parent / "grades"
    folder.mkdir()
    for attack in sample:
        made = room.submission(attack)
        shutil.copy(made, folder / f"{attack.name}{made.suffix}")
    done = autograder(
        "batch", folder, "--assignment", "03_mul", "--grades", grades, "--jobs", 2, env=room.environment(), timeout=300
    )
    with Store(grades / DATABASE) as store:
        records = {record.student: record for record in store.records("03_mul")}
    return {
        name: Result(2 if record.grade is None else done.returncode, record.message or json.dumps(record.grade), record.grade)
        for name, record in records.items()
    }


def by_gradescope(room: Classroom, sample: list[Attack]) -> dict[str, Result]:
    """The sample through run_autograder of the zip, one after the other as the platform does; it unpacks archives itself."""
    root = room.place.parent / "gradescope"
    trial.lay_out(bundle(load_exercise("03_mul"), Display()), root)
    # What setup.sh would install is here already.
    (root / "source" / "venv").symlink_to(sys.prefix)
    room.grader = root / "source"
    results = {}
    for attack in [attack for attack in sample if not attack.refused]:
        trial.hand_in(room.submission(attack), root)
        table, code, printed = trial.run(root)
        scores = {"score": sum(test["score"] for test in table["tests"]), "max_score": 6.0, "tests": []}
        results[attack.name] = Result(code, json.dumps(table) + printed, scores)
    return results


# A further way of grading is one more line here.
WAYS: dict[str, Callable[[Classroom, list[Attack]], dict[str, Result]]] = {"batch": by_batch, "gradescope": by_gradescope}


@pytest.mark.parametrize("way", WAYS)
def test_a_sample_by_the_other_ways(way: str, honest: dict[str, float]) -> None:
    room = classroom()
    try:
        results = WAYS[way](room, SAMPLE)
        assert len(results) >= len(SAMPLE) - 1
        verdicts = {attack.name: verdict(attack, results[attack.name], honest) for attack in SAMPLE if attack.name in results}
    finally:
        room.close()
    assert not {name: words for name, words in verdicts.items() if words}


DOCKER = (sys.executable, str(ROOT / "tests" / "docker_profile.py"), sys.executable)
FEW = [attack for attack in SAMPLE if attack.name in ("read_hidden_suite", "forge_wrong_shapes", "break_kill_parent")]


@pytest.mark.skipif(sys.platform != "linux", reason="the profile is a Linux filter")
@pytest.mark.parametrize("attack", FEW, ids=lambda attack: attack.name)
def test_under_dockers_default_profile(attack: Attack, room: Classroom, honest: dict[str, float]) -> None:
    result = by_grade(room, *DOCKER)(room.submission(attack))
    assert verdict(attack, result, honest) == ""
    assert result.table is not None and "bubblewrap" in result.table["sandbox"]["missing"]


@pytest.mark.parametrize("attack", FEW, ids=lambda attack: attack.name)
def test_as_an_ordinary_user(attack: Attack, room: Classroom, honest: dict[str, float]) -> None:
    found = ordinary_python()
    if isinstance(found, str):
        pytest.skip(found)
    python, paths = found
    env = {**room.environment(), "PYTHONPATH": f"{room.place / 'site'}:{paths}", "HOME": str(room.place / "home")}
    result = by_grade(room, python, env=env, **as_ordinary())(room.submission(attack))
    assert verdict(attack, result, honest) == ""
    assert result.table is not None and "uid" in result.table["sandbox"]["missing"]


def test_where_nothing_confines_it_refuses(room: Classroom) -> None:
    without = [word for layer in LAYERS for word in ("--without", layer)]
    done = autograder("grade", room.submission(FEW[0]), "--assignment", "03_mul", *without, env=room.environment())
    assert done.returncode == 2 and "nothing here confines" in done.stderr and done.stderr.count("\n") == 1


def test_a_row_through_one_zygote_leaves_nothing(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "bench" / "attacks.py"), "row", "--runs", "40", "--folder", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    rows = [line.strip("| ").split(" | ") for line in (tmp_path / "endurance.md").read_text().splitlines() if line.startswith("| ")]
    names, *moments = rows
    states = [dict(zip(names[1:], (int(value.replace(",", "")) for value in moment[1:]), strict=True)) for moment in moments]
    for kept in ("processes", "files", "descriptors", "threads", "zygote descriptors"):
        assert states[0][kept] == states[-1][kept], kept
    assert states[-1]["files"] == 0
    # The grader loads its suite with the first submission; from then on it stays as it is, to some hundred kB.
    assert states[-1]["grader"] - states[2]["grader"] < 8_000 and states[-1]["zygote"] - states[0]["zygote"] < 2_000
