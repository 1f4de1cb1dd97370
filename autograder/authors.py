"""What an author promises of an assignment, tried: unworked it earns nothing, worked everything, and always the same."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .build import skeleton
from .exercise import read_exercise
from .grading import grade_submission, policy
from .notebook import script_cells
from .sandbox import Zygote
from .score import Score
from .submission import Submission, read_submission

FEWEST_HINTS = 2
UNTOUCHED = ("not-attempted", "not-run")
SUITES = ("hidden", "public")
LESSON, NOTEBOOK, SKELETON = "the worked lesson", "the source notebook", "the skeleton"
MODULE = "micrograd.py"


@dataclass(frozen=True)
class Job:
    """One assignment: where its exercise.toml is, its two suites, its four submissions, its worked cells as one text."""

    exercise: Path
    suites: dict[str, Path]
    worked: dict[str, Path]
    unworked: dict[str, Path]
    module: str


def prove(root: Path, built: Path, slugs: Sequence[str], runs: int) -> list[str]:
    """A line for each promise that an assignment does not keep; `built` holds what `build` gave, `runs` is at least 1.

    The first run grades everything with both suites; each further one grades the worked and the unworked code with
    the hidden suite, in a fork server of its own whose addresses are random. Raises CourseError where a suite itself
    is at fault.
    """
    jobs = [_job(root, built, slug) for slug in slugs]
    # Two at a time keep a small machine usable.
    with multiprocessing.get_context("spawn").Pool(min(2, os.cpu_count() or 1), maxtasksperchild=1) as pool:
        scores = pool.starmap(judge, [(job, runs) for job in jobs], chunksize=1)
    kept = zip(jobs, scores, strict=True)
    return [f"{job.exercise.parent.name}: {line}" for job, own in kept for line in _kept(job, own)]


def _job(root: Path, built: Path, slug: str) -> Job:
    authored, handout = root / "solutions" / slug, built / "assignments" / slug
    return Job(
        exercise=authored / "exercise.toml",
        suites={"hidden": root / "autograder" / "hidden" / slug, "public": handout},
        worked={LESSON: authored / f"{slug}.py", NOTEBOOK: built / "source" / slug / f"{slug}.ipynb"},
        unworked={SKELETON: handout / "micrograd.py", "the release notebook": built / "release" / slug / f"{slug}.ipynb"},
        module=skeleton(read_exercise(authored / "exercise.toml"), built / "source" / slug / f"{slug}.ipynb"),
    )


def judge(job: Job, runs: int) -> list[dict[tuple[str, str], Score]]:
    """Grade the submissions `runs` times: for each run, (submission, suite) to its score."""
    exercise = read_exercise(job.exercise)
    # The worked cells alone are what the lesson hands in; its demonstrations need not run a hundred times.
    bare = {LESSON: Submission(MODULE, script_cells(MODULE, job.module)), SKELETON: read_submission(job.unworked[SKELETON])}
    every = {name: read_submission(path, exercise.slug) for name, path in {**job.worked, **job.unworked}.items()}
    runs_of = [(every, SUITES), *[(bare, SUITES[:1])] * (runs - 1)]
    scores: list[dict[tuple[str, str], Score]] = []
    for works, suites in runs_of:
        with Zygote(replace(policy(exercise), fixed_addresses=False)) as zygote:
            present = [suite for suite in suites if any(job.suites[suite].glob("test_*.py"))]
            scores.append(
                {
                    (name, suite): grade_submission(work, exercise, zygote, suite=job.suites[suite])
                    for name, work in works.items()
                    for suite in present
                }
            )
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
