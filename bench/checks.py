"""How long a student waits for one part, and a grader for a whole suite: `python bench/checks.py [NN_slug ...]`.

For each assignment that has a lesson to work in (02 to 10), on its worked module:
- the check of each of its parts as a notebook's kernel runs it, in one process; the slowest part counts;
- its hidden suite in a worker, as `autograder grade` runs it, with the fork server already there.
Each is the median of five after a first call that is left out. Wall time is what the limits are for; processor time
tells how much of it another program took. Writes docs/tables/checks.md, and exits with 1 where a limit is passed.
"""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.lesson import read_lesson
from autograder.selfcheck import check

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "docs" / "tables" / "checks.md"
TIMES = 5
PART_LIMIT, SUITE_LIMIT = 0.3, 2.0


@dataclass(frozen=True)
class Cost:
    """Seconds: of the first call, and the medians of the others by the wall clock and by this process's processor time."""

    first: float
    wall: float
    processor: float


def measured(act: Callable[[], object]) -> Cost:
    walls, processors = [], []
    for _ in range(1 + TIMES):
        wall, processor = time.perf_counter(), time.process_time()
        act()
        walls.append(time.perf_counter() - wall)
        processors.append(time.process_time() - processor)
    return Cost(walls[0], statistics.median(walls[1:]), statistics.median(processors[1:]))


def worked_cells(slug: str) -> list[str]:
    return [cell.source for cell in read_lesson(ROOT / "solutions" / slug).cells if cell.kind in ("module", "solution")]


def part_costs(slug: str) -> dict[str, Cost]:
    """Each part's check; the first of them is the first of its process, which loads pytest."""
    namespace: dict[str, Any] = {"__name__": "__main__", "check": check}
    for number, source in enumerate(worked_cells(slug), 1):
        exec(compile(source, f"cell {number}", "exec"), namespace)
    costs = {}
    for part in read_lesson(ROOT / "solutions" / slug).exercise.parts:
        asked = compile(f"check({part.id!r}, {slug!r})", "check", "exec")
        with contextlib.redirect_stdout(io.StringIO()):
            costs[part.id] = measured(lambda asked=asked: exec(asked, namespace))  # type: ignore[misc]
    return costs


def suite_cost(slug: str) -> tuple[Cost, float, int]:
    """The hidden suite's cost here, the processor seconds of its worker, and the number of its tests."""
    # Here and not above: a kernel's first check, which is told too, has none of this loaded.
    from autograder.grading import grade_submission, policy
    from autograder.notebook import Cell
    from autograder.sandbox import Zygote
    from autograder.submission import Submission

    exercise = read_lesson(ROOT / "solutions" / slug).exercise
    cells = tuple(Cell(number, "micrograd.py", source) for number, source in enumerate(worked_cells(slug), 1))
    work = Submission("micrograd.py", cells)
    scores = []
    with Zygote(policy(exercise)) as zygote:
        idle = spent(zygote.process.pid)
        cost = measured(lambda: scores.append(grade_submission(work, exercise, zygote)))
        busy = spent(zygote.process.pid) - idle
    lost = [test.name for score in scores for test in score.tests if test.status != "passed"]
    if lost:
        raise SystemExit(f"{slug}: the worked lesson does not pass {lost[0]}; mend that first")
    return cost, busy / len(scores), len(scores[0].tests)


def spent(pid: int) -> float:
    """Processor seconds of a process, of those that it started, and of theirs that have ended; from Linux's /proc."""
    # The program's name, in brackets, may hold spaces; user and system time are the 14th to the 17th field of all.
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    started = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    return own + sum(spent(int(child)) for child in started)


def verdict(seconds: float, limit: float) -> str:
    return "within" if seconds < limit else "**over**"


def row(slug: str, parts: dict[str, Cost], suite: tuple[Cost, float, int]) -> str:
    first = next(iter(parts.values())).first
    slowest = max(parts, key=lambda name: parts[name].wall)
    one, (whole, worker, tests) = parts[slowest], suite
    return (
        f"| {slug} | {len(parts)} | {first:.2f} | {slowest} | {one.wall:.3f} | {one.processor:.3f} | {PART_LIMIT:g} "
        f"| {verdict(one.wall, PART_LIMIT)} | {tests} | {whole.first:.2f} | {whole.wall:.2f} | {whole.processor:.2f} "
        f"| {worker:.3f} | {SUITE_LIMIT:g} | {verdict(whole.wall, SUITE_LIMIT)} |"
    )


def load() -> str:
    return ", ".join(f"{number:.1f}" for number in os.getloadavg())


def processor_name() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines() if sys.platform == "linux" else []
    return next((line.split(": ")[1] for line in lines if line.startswith("model name")), platform.processor())


def main(slugs: list[str]) -> int:
    chosen = slugs or sorted(path.name for path in (ROOT / "solutions").glob("[01][0-9]_*") if not path.name.startswith("01"))
    began = load()
    rows = []
    for slug in chosen:
        # A process of its own for each, as each notebook has, so that every first check is a first one.
        with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
            rows.append(row(slug, pool.apply(part_costs, (slug,)), pool.apply(suite_cost, (slug,))))
        print(rows[-1], flush=True)
    lines = [
        "# What one check costs, and one suite",
        "",
        f"Written by `python bench/checks.py`: worked lessons, seconds, medians of {TIMES} after a first call.",
        f"Python {platform.python_version()}, {processor_name()}, {os.cpu_count()} processors; load average (1, 5, 15 minutes)",
        f"{began} at the start, {load()} at the end.",
        "More load than there are processors means that the wall times hold the waiting for other programs.",
        "",
        "*Check*: the slowest part's, in the process that holds the code, as in a notebook; *first* is the process's very first",
        "check, which loads pytest. *Suite*: the hidden one in a worker, from the cells to the score, the fork server running.",
        "*CPU*: of the process that checks; *worker*: of the confined one, a mean.",
        "",
        "| assignment | parts | first | slowest part | check | CPU | limit | | tests | first | suite | CPU | worker | limit | |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
        *rows,
        "",
    ]
    if not slugs:
        TABLE.write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))
    return 1 if any("**over**" in line for line in rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
