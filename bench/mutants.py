"""Grades every submission of table.toml and looks at the mistakes that are named, in several fresh processes each.

    python bench/mutants.py --processes 100 --jobs 2 --table docs/tables/misconceptions.md

In the first `--whole` processes the hidden suite runs in full; in the others the submission is loaded and asked anew,
with the failures of the first. Each process is a fork server of its own with random addresses: a forked worker has
its parent's addresses, and with them the orders of its sets. Ends with 1 where a submission is named wrongly anywhere.
"""

from __future__ import annotations

import argparse
import multiprocessing
import platform
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.exercise import load_exercise
from autograder.grading import policy
from autograder.misconceptions import diagnose, name_mistakes
from autograder.plugin import Outcome
from autograder.sandbox import Zygote
from autograder.session import Session
from autograder.student import Student
from autograder.submission import read_submission
from autograder.suite import hidden_suite, run_suite

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

MUTANTS = Path(__file__).parent.parent / "tests" / "mutants"


@dataclass(frozen=True)
class Case:
    """One row of the table."""

    file: str
    assignment: str
    mistakes: tuple[str, ...]


@dataclass(frozen=True)
class Verdict:
    """What one process made of one submission."""

    case: Case
    named: frozenset[str]

    @property
    def right(self) -> bool:
        return self.named == frozenset(self.case.mistakes)


def cases(only: Sequence[str] = ()) -> list[Case]:
    """The rows of table.toml; `only` keeps those whose file begins with one of these."""
    rows = tomllib.loads((MUTANTS / "table.toml").read_text(encoding="utf-8"))["mutant"]
    made = [Case(row["file"], row["assignment"], tuple(row["mistakes"])) for row in rows]
    return [case for case in made if not only or case.file.startswith(tuple(only))]


def session(case: Case, zygote: Zygote) -> Session:
    exercise = load_exercise(case.assignment)
    return Session(read_submission(MUTANTS / case.file, case.assignment), zygote, exercise.limits, exercise.seed)


def graded(case: Case, zygote: Zygote) -> tuple[Verdict, list[Outcome]]:
    """The whole hidden suite: what its failed tests name, and these tests."""
    exercise = load_exercise(case.assignment)
    asked = session(case, zygote)
    try:
        outcomes = run_suite(hidden_suite(case.assignment), exercise, asked, exercise.seed)
        failed = [one for one in outcomes if one.status != "passed"]
        named = frozenset(f"{one.finding.id} {one.finding.op}".strip() if one.finding else one.status for one in failed)
        # A right submission is asked all the same, as if a test had failed.
        extra = [] if failed else diagnose(lambda: Student(asked), []).findings
    finally:
        asked.close()
    return Verdict(case, named | {f"{one.id} {one.op}".strip() for one in extra}), failed


def asked_again(case: Case, zygote: Zygote, failed: Sequence[Outcome]) -> Verdict:
    """Only the naming, by a fresh process that holds the same submission."""
    asked = session(case, zygote)
    try:
        if failed:
            findings = name_mistakes(lambda: Student(asked), failed)[1]
        else:
            findings = diagnose(lambda: Student(asked), []).findings
    finally:
        asked.close()
    return Verdict(case, frozenset(f"{one.id} {one.op}".strip() for one in findings))


def share(chosen: Sequence[Case], processes: int, whole: int) -> list[Verdict]:
    """Every verdict on some of the cases, process after process."""
    verdicts: list[Verdict] = []
    failures: dict[Case, list[Outcome]] = {}
    for number in range(processes):
        with Zygote(replace(policy(load_exercise("03_mul")), fixed_addresses=False)) as zygote:
            for case in chosen:
                if number < whole:
                    verdict, failures[case] = graded(case, zygote)
                else:
                    verdict = asked_again(case, zygote, failures[case])
                verdicts.append(verdict)
    return verdicts


def table(verdicts: Sequence[Verdict], processes: int, whole: int) -> Iterator[str]:
    """docs/tables/misconceptions.md, line by line."""
    by_name: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        folder = verdict.case.file.split("/")[0]
        label = {"right": "(right: nothing is named)", "two": "(two mistakes: both are named)"}.get(folder)
        by_name[label or verdict.case.mistakes[0].split()[0]].append(verdict)
    yield "# Mistakes named"
    yield ""
    yield f"Each submission of tests/mutants in {processes} fresh processes (fork servers of their own), by"
    yield f"`python bench/mutants.py --processes {processes} --whole {whole}`. The suite runs in full in the first {whole}; in"
    yield "the others the submission is loaded and asked anew, with the failures of the first. Right: what its failed tests name"
    yield f"is what the table says and nothing else. Python {platform.python_version()}."
    yield ""
    yield "| mistake | submissions | assignments | operations | named right | of |"
    yield "|---|---|---|---|---|---|"
    for name, some in by_name.items():
        files = {verdict.case.file for verdict in some}
        assignments = ", ".join(sorted({verdict.case.assignment for verdict in some}))
        ops = {mistake.partition(" ")[2] for verdict in some for mistake in verdict.case.mistakes} - {""}
        shown = ", ".join(f"`{op}`" for op in sorted(ops)) if len({*ops}) < 8 else f"{len(ops)}"
        right = sum(verdict.right for verdict in some)
        yield f"| {name} | {len(files)} | {assignments} | {shown} | {right} | {len(some)} |"
    right = sum(verdict.right for verdict in verdicts)
    yield f"| **all** | {len({verdict.case.file for verdict in verdicts})} | | | {right} | {len(verdicts)} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--whole", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--table", type=Path)
    parser.add_argument("only", nargs="*", help="beginnings of files")
    options = parser.parse_args()
    chosen = cases(options.only)
    # Dealt out in turn, so that the long suites of one assignment do not fall to one job.
    shares = [chosen[at :: options.jobs] for at in range(options.jobs)]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(options.jobs, mp_context=context) as pool:
        jobs = [pool.submit(share, some, options.processes, options.whole) for some in shares if some]
        verdicts = [verdict for job in jobs for verdict in job.result()]
    place = {case: at for at, case in enumerate(chosen)}
    verdicts.sort(key=lambda verdict: place[verdict.case])
    wrong = Counter(verdict for verdict in verdicts if not verdict.right)
    for verdict, times in wrong.items():
        print(f"{verdict.case.file}: expected {sorted(verdict.case.mistakes)}, named {sorted(verdict.named)}, {times} times")
    if options.table:
        options.table.write_text("\n".join(table(verdicts, options.processes, options.whole)) + "\n", encoding="utf-8")
    print(f"{len(chosen)} submissions, {options.processes} processes each: {sum(wrong.values())} of {len(verdicts)} named wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
