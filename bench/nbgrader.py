"""What a submission costs: a class of one notebook by stock nbgrader, by nbgrader with this course's settings, and by batch.

Each is the whole command, from its start to its end, on the same 02_value submissions and its own copy of the course; the
commands run one after the other. Writes docs/tables/nbgrader.md.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from nbgrader_course import ASSIGNMENT, environment, hand_in, make_course, points, query, run, solved  # noqa: E402

CLASS = 8
PAGE = """\
# The time that one submission takes

{students} submissions of {assignment}, each a whole command from its start to its end, in one run of
`python bench/nbgrader.py`: Python {python}, {cores} processors, load {load:.1f} when it began.

| command | whole | a submission | times faster than stock |
|---|---|---|---|
{rows}

Stock is nbgrader with its own Execute: a kernel for each submission, and the public checks in it. The other two judge by
the hidden suite, in a confined worker, and leave the same gradebook.
"""


def main() -> None:
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        own = environment(place)
        course = make_course(place / "course")
        run(f"nbgrader generate_assignment {ASSIGNMENT} --force", course, own)
        for number in range(CLASS):
            hand_in(course, f"student{number}", solved())
        stock, ours, batch = (shutil.copytree(course, place / name) for name in ("stock", "ours", "batch"))
        (stock / "nbgrader_config.py").unlink()
        taken = {}
        for name, line, folder in (
            ("stock `nbgrader autograde`", f"nbgrader autograde {ASSIGNMENT}", stock),
            ("`nbgrader autograde` here", f"nbgrader autograde {ASSIGNMENT}", ours),
            ("`autograder batch`", f"autograder batch submitted --assignment {ASSIGNMENT}", batch),
        ):
            began = time.perf_counter()
            run(line, folder, own)
            taken[name] = time.perf_counter() - began
            for number in range(CLASS):
                assert sum(filter(None, points(folder, f"student{number}").values())) == 10, query(folder, "SELECT * FROM grade")
    slowest = next(iter(taken.values()))
    rows = "\n".join(
        f"| {name} | {seconds:.2f} s | {seconds / CLASS:.3f} s | {slowest / seconds:.1f} |" for name, seconds in taken.items()
    )
    page = PAGE.format(
        students=CLASS, assignment=ASSIGNMENT, python=platform.python_version(), cores=os.cpu_count(), load=load, rows=rows
    )
    (ROOT / "docs" / "tables" / "nbgrader.md").write_text(page, encoding="utf-8")
    print(page)


if __name__ == "__main__":
    main()
