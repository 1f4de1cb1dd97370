"""What an author promises of an assignment, tried: unworked it earns nothing, worked everything, and always the same."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .exercise import read_exercise
from .grading import grade_submission, policy
from .sandbox import Zygote
from .score import Score
from .submission import read_submission

FEWEST_HINTS = 2
UNTOUCHED = ("not-attempted", "not-run")
SUITES = ("hidden", "public")
LESSON, NOTEBOOK = "the worked lesson", "the source notebook"


@dataclass(frozen=True)
class Job:
    """One assignment for a fresh process: where its exercise.toml is, its two suites, its four submissions."""

    exercise: Path
    suites: dict[str, Path]
    worked: dict[str, Path]
    unworked: dict[str, Path]


def prove(root: Path, built: Path, slugs: Sequence[str], runs: int) -> list[str]:
    """A line for each promise that an assignment does not keep; `built` holds what `build` gave, `runs` is at least 1.

    Each run is a process with a hash seed and addresses of its own, and both suites; the notebooks take part in the first.
    Raises CourseError where a suite itself is at fault.
    """
    jobs = [_job(root, built, slug) for slug in slugs]
    # A process that has judged once is not fresh; two at a time keep a small machine usable.
    with multiprocessing.get_context("spawn").Pool(min(2, os.cpu_count() or 1), maxtasksperchild=1) as pool:
        scores = pool.map(judge, [again for job in jobs for again in (job, *[_scripts(job)] * (runs - 1))], chunksize=1)
    lines: list[str] = []
    for number, job in enumerate(jobs):
        own = scores[number * runs : (number + 1) * runs]
        lines += [f"{job.exercise.parent.name}: {line}" for line in _kept(job, own)]
    return lines


def _job(root: Path, built: Path, slug: str) -> Job:
    authored, handout = root / "solutions" / slug, built / "assignments" / slug
    return Job(
        exercise=authored / "exercise.toml",
        suites={"hidden": root / "autograder" / "hidden" / slug, "public": handout},
        worked={LESSON: authored / f"{slug}.py", NOTEBOOK: built / "source" / slug / f"{slug}.ipynb"},
        unworked={"the skeleton": handout / "micrograd.py", "the release notebook": built / "release" / slug / f"{slug}.ipynb"},
    )


def _scripts(job: Job) -> Job:
    """The same without the notebooks: they hold the same code, and once is enough for what differs in reading them."""
    worked = {name: path for name, path in job.worked.items() if path.suffix == ".py"}
    return replace(job, worked=worked, unworked={name: path for name, path in job.unworked.items() if path.suffix == ".py"})


def judge(job: Job) -> dict[tuple[str, str], Score]:
    """Grade every submission with both suites: (submission, suite) to its score."""
    exercise = read_exercise(job.exercise)
    scores: dict[tuple[str, str], Score] = {}
    with Zygote(policy(exercise)) as zygote:
        for name, path in {**job.worked, **job.unworked}.items():
            work = read_submission(path, exercise.slug)
            for suite in (suite for suite in SUITES if any(job.suites[suite].glob("test_*.py"))):
                scores[name, suite] = grade_submission(work, exercise, zygote, suite=job.suites[suite])
    return scores


def _kept(job: Job, runs: Sequence[dict[tuple[str, str], Score]]) -> Iterator[str]:
    exercise = read_exercise(job.exercise)
    for part in exercise.parts:
        if len(part.hints) < FEWEST_HINTS:
            yield f"{part.id} has {len(part.hints)} hints; give at least {FEWEST_HINTS} in exercise.toml"
    for suite in SUITES:
        if not any(suite == judged for _, judged in runs[0]):
            yield f"there is no {suite} suite; write {job.suites[suite].name}/test_{exercise.slug}.py"
    for (name, suite), score in runs[0].items():
        yield from _worked(name, suite, score) if name in job.worked else _unworked(name, suite, score)
        for number, other in enumerate(runs[1:], 2):
            if (name, suite) in other and outcome(other[name, suite]) != outcome(score):
                yield f"{name}: the {suite} suite says something else in process {number} than in the first; what differs by luck?"
                break


def outcome(score: Score) -> list[tuple[str, str, str]]:
    """What has to be the same each time: every test's name, status and words."""
    return [(test.name, test.status, test.message) for test in score.tests]


def _worked(name: str, suite: str, score: Score) -> Iterator[str]:
    for test in score.tests:
        if test.status != "passed":
            yield f"{name}: {test.name} of the {suite} suite {test.status}: {' '.join(test.message.split())}"
    for cell in score.cells:
        # The lesson's script lacks the first cell, and with it `check`.
        if cell.error and (name, suite) == (NOTEBOOK, SUITES[0]):
            yield f"{name}: {cell.place} stops with {cell.error}"


def _unworked(name: str, suite: str, score: Score) -> Iterator[str]:
    for test in score.tests:
        if test.status not in UNTOUCHED:
            yield f"{name}: {test.name} of the {suite} suite {test.status} where nothing is written yet; it has to be not-attempted"
