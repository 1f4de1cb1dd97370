"""A class through the real command: nothing is lost, whatever is killed, and every run gives the same."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from sample_class import UNREADABLE, make_class
from support import ROOT, autograder

from autograder.batch import grade_all, plan, suite_digest
from autograder.errors import GraderError, InputError
from autograder.executors import Job, processes
from autograder.exercise import load_exercise
from autograder.grading import policy
from autograder.roster import find_submissions
from autograder.score import Score
from autograder.store import DATABASE, Record, Store, digest_files
from autograder.submission import read_submission
from autograder.suite import hidden_suite

SLUG = "03_mul"
NUMBER, TROUBLED = 60, 7
PATIENCE = 120


@pytest.fixture(scope="module")
def submissions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_class(tmp_path_factory.mktemp("class") / "files", SLUG, NUMBER, TROUBLED)


@pytest.fixture(scope="module")
def whole(submissions: Path) -> Path:
    """The folder of results of an undisturbed run."""
    grades = submissions.parent / "whole"
    done = autograder("batch", submissions, "--assignment", SLUG, "--grades", grades, "--jobs", 2)
    assert done.returncode == 0, done.stderr
    return grades


@pytest.fixture(scope="module")
def few(submissions: Path, whole: Path) -> Path:
    """Every fourth of the class and all who cannot be read, without those who hang, for what need not wait for them."""
    folder = submissions.parent / "few"
    folder.mkdir()
    for at, (student, one) in enumerate(records(whole).items()):
        hung = one.grade and any("TimeoutError" in cell["error"] for cell in one.grade["cells"])
        if one.outcome == "unusable" or (at % 4 == 0 and not hung):
            (path,) = submissions.glob(f"{student}.*")
            shutil.copy(path, folder)
    return folder


def batch(folder: Path, grades: Path, *options: object) -> subprocess.CompletedProcess[str]:
    return autograder("batch", folder, "--assignment", SLUG, "--grades", grades, "--jobs", 2, *options)


def records(grades: Path) -> dict[str, Record]:
    with Store(grades / DATABASE) as store:
        return {record.student: record for record in store.records(SLUG)}


def timeless(grades: Path) -> dict[str, Any]:
    """Every result without the time that it took."""
    return {student: replace(one, grade=one.grade and {**one.grade, "seconds": 0}) for student, one in records(grades).items()}


@contextlib.contextmanager
def started(folder: Path, grades: Path, kept: int) -> Iterator[subprocess.Popen[str]]:
    """A batch under way that has kept so many results, in a session of its own."""
    command = [sys.executable, "-m", "autograder", "batch", folder, "--assignment", SLUG, "--grades", grades, "--jobs", "2"]
    process = subprocess.Popen(
        [*map(str, command)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        wait_for(lambda: (grades / DATABASE).exists() and len(records(grades)) >= kept)
        assert process.poll() is None
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def wait_for(true: Any) -> None:
    for _ in range(PATIENCE * 20):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come to pass")


def gone(descendants: list[psutil.Process]) -> bool:
    return not [one for one in descendants if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]


def test_nobody_is_lost_and_nobody_stops_another(submissions: Path, whole: Path) -> None:
    found = records(whole)
    assert len(found) == NUMBER
    unusable = {student for student, one in found.items() if one.outcome == "unusable"}
    assert len(unusable) == len(UNREADABLE) and all(found[student].message and found[student].grade is None for student in unusable)
    assert {one.outcome for student, one in found.items() if student not in unusable} == {"graded"}
    statuses = {test["status"] for one in found.values() if one.grade for test in one.grade["tests"]}
    assert {"passed", "failed", "crashed"} <= statuses
    stopped = {cell["error"].split(":")[0] for one in found.values() if one.grade for cell in one.grade["cells"] if cell["error"]}
    assert {"SystemExit", "TimeoutError", "MemoryError", "RecursionError", "ValueError"} <= stopped


def test_each_grade_is_the_one_that_grade_gives(submissions: Path, whole: Path) -> None:
    student = next(
        student for student, one in records(whole).items() if one.grade and 0 < one.grade["score"] < one.grade["max_score"]
    )
    (path,) = submissions.glob(f"{student}.*")
    done = autograder("grade", path, "--assignment", SLUG, "--json", "-")
    assert {**json.loads(done.stdout), "seconds": 0} == timeless(whole)[student].grade


def test_killed_half_way_it_goes_on_to_the_same_end(submissions: Path, whole: Path, tmp_path: Path) -> None:
    with started(submissions, tmp_path / "grades", NUMBER // 2) as running:
        descendants = psutil.Process(running.pid).children(recursive=True)
        running.kill()
        running.wait()
        # Nothing is left behind to grade for nobody.
        wait_for(lambda: gone(descendants))
    before = records(tmp_path / "grades")
    done = batch(submissions, tmp_path / "grades")
    assert done.returncode == 0, done.stderr
    assert f"{NUMBER - len(before)} looked at now, {len(before)} unchanged" in done.stdout
    assert timeless(tmp_path / "grades") == timeless(whole)
    same_reports(tmp_path / "grades", whole)


def same_reports(one: Path, other: Path) -> None:
    pages = []
    for grades in (one, other):
        done = autograder("report", "--assignment", SLUG, "--grades", grades)
        assert done.returncode == 0, done.stderr
        made = {path.relative_to(grades): path.read_bytes() for path in (grades / SLUG).rglob("*") if path.is_file()}
        made[Path(SLUG, "grades.json")] = re.sub(rb'"seconds": [\d.]+', b"", made[Path(SLUG, "grades.json")])
        pages.append(made)
    assert len(pages[0]) == NUMBER + 3
    assert pages[0] == pages[1]


def test_ctrl_c_stops_and_keeps_what_is_graded(few: Path, tmp_path: Path) -> None:
    with started(few, tmp_path, 6) as running:
        descendants = psutil.Process(running.pid).children(recursive=True)
        os.killpg(running.pid, signal.SIGINT)
        said, _ = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert "Traceback" not in said
    assert f"Stopped. {len(records(tmp_path))} of {len(list(few.iterdir()))} are kept" in said
    wait_for(lambda: gone(descendants))


def test_killed_graders_and_fork_servers_lose_nothing(few: Path, whole: Path, tmp_path: Path) -> None:
    with started(few, tmp_path, 5) as running:
        for kind in ("spawn_main", "zygote.py"):
            kept = len(records(tmp_path))
            found = [one for one in psutil.Process(running.pid).children(recursive=True) if kind in " ".join(one.cmdline())]
            assert found
            found[0].kill()
            wait_for(lambda kept=kept: len(records(tmp_path)) > kept + 1)
        said, _ = running.communicate(timeout=PATIENCE)
    assert running.returncode == 0, said
    as_in(whole, tmp_path, few)


def as_in(whole: Path, grades: Path, few: Path) -> None:
    expected, found = timeless(whole), timeless(grades)
    for one in (*expected.values(), *found.values()):
        # A fork server that is killed while it starts is started without bubblewrap, and the grade says so.
        (one.grade or {}).pop("sandbox", None)
    assert len(found) == len(list(few.iterdir())) > NUMBER // 5
    assert found == {student: expected[student] for student in found}


def test_dask_gives_the_same(few: Path, whole: Path, tmp_path: Path) -> None:
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:
        done = batch(few, tmp_path, "--scheduler", cluster.scheduler_address)
    assert done.returncode == 0, done.stderr
    as_in(whole, tmp_path, few)


def test_a_scheduler_that_is_not_there(few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.executors.CONNECT_SECONDS", 1)
    from autograder.executors import dask_workers

    with pytest.raises(InputError, match="no Dask scheduler answers"):
        dask_workers("tcp://127.0.0.1:9")


def test_what_is_graded_again(few: Path, whole: Path, tmp_path: Path) -> None:
    folder, grades = tmp_path / "files", tmp_path / "grades"
    shutil.copytree(few, folder)
    shutil.copytree(whole, grades)
    exercise = load_exercise(SLUG)

    def chosen(only: str = "", seed: int = exercise.seed, by: Any = exercise) -> set[str]:
        with Store(grades / DATABASE) as store:
            return {entry.student for entry, _ in plan(find_submissions(folder, SLUG), store, by, seed, only).entries}

    everybody = {entry.student for entry in find_submissions(folder, SLUG)}
    assert chosen() == set()
    assert chosen(seed=exercise.seed + 1) == everybody
    assert chosen(by=replace(exercise, limits=replace(exercise.limits, seconds=3.0))) == everybody
    unusable = {student for student, one in records(grades).items() if one.outcome == "unusable"} & everybody
    assert unusable and chosen("failed") == unusable
    changed, new = sorted(folder.glob("*.py"))[3], folder / "zoe.py"
    changed.write_text(changed.read_text() + "\n")
    new.write_text("x = 1\n")
    assert chosen() == {changed.stem, "zoe"}
    assert chosen("changed") == {changed.stem}
    assert chosen("zoe") == {"zoe"}
    with pytest.raises(InputError, match="nobody in the class"):
        chosen("nobody")
    done = batch(folder, grades, "--only", "changed")
    assert "1 looked at now" in done.stdout
    assert chosen("changed") == set()


def test_another_suite_is_another_grade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exercise = load_exercise(SLUG)
    before = suite_digest(exercise)
    copy = shutil.copytree(hidden_suite(SLUG), tmp_path / SLUG)
    monkeypatch.setattr("autograder.batch.hidden_suite", lambda slug: copy)
    assert suite_digest(exercise) == before
    (test,) = copy.glob("test_*.py")
    test.write_text(test.read_text() + "\n")
    assert suite_digest(exercise) != before


def jobs(few: Path, *students: str) -> list[Job]:
    exercise = load_exercise(SLUG)
    suite = digest_files([hidden_suite(SLUG)])
    work = read_submission(next(few.glob("*.py")), SLUG)
    return [Job(student, work, exercise, policy(exercise), exercise.seed, suite) for student in students]


class Deadly:
    """Ends the process that unpickles it."""

    def __reduce__(self) -> Any:
        return os._exit, (1,)


def test_who_ends_every_grader_is_listed_and_the_others_are_graded(few: Path) -> None:
    one, two, deadly, three = jobs(few, "one", "two", "deadly", "three")
    done = dict(
        (job.student, outcome)
        for job, outcome in grade_all(iter([one, two, replace(deadly, submission=Deadly()), three]), processes(2))
    )
    assert isinstance(done.pop("deadly"), GraderError)
    assert set(done) == {"one", "two", "three"} and all(isinstance(outcome, Score) for outcome in done.values())


def test_a_worker_with_another_suite_grades_nobody(few: Path) -> None:
    ((_, outcome),) = grade_all(iter([replace(jobs(few, "one")[0], suite="another")]), processes(1))
    assert isinstance(outcome, GraderError) and "another suite" in str(outcome)


def test_bad_input_is_one_line(few: Path, tmp_path: Path) -> None:
    (tmp_path / "grades.db").write_text("this is no database, but long enough to be taken for one by its size alone\n" * 20)
    for arguments in (
        ("batch", tmp_path / "missing", "--assignment", SLUG),
        ("batch", few, "--assignment", "99_none"),
        ("batch", few, "--assignment", SLUG, "--grades", tmp_path),
        ("batch", few, "--assignment", SLUG, "--grades", tmp_path / "new", "--only", "nobody"),
        ("report", "--assignment", SLUG, "--grades", tmp_path / "missing"),
        ("report", "--assignment", "02_value", "--grades", tmp_path / "new"),
    ):
        done = autograder(*arguments)
        assert done.returncode == 2 and len(done.stderr.splitlines()) == 1, done.stderr
