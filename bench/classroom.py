"""A class's cost: submissions a second beside otter-grader and stock nbgrader, and whether everything holds with many.

    python bench/classroom.py speed [--number 40] [--otter VENV/bin/otter]   one notebook, several graders, in one run
    python bench/classroom.py grow --numbers 100 1000 5000                     cost and memory by the class's size
    python bench/classroom.py hold --number 1000                               killed, resumed, over Dask: all the same

VENV has otter-grader and this package, so that its kernel finds `check`. Each prints a table for docs/tables/classroom.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import nbformat
import psutil

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from sample_class import make_class  # noqa: E402

from autograder.store import DATABASE, Store  # noqa: E402

SPEED, HOLD = "03_mul", "06_topo"
MARKS = ("### BEGIN SOLUTION", "### END SOLUTION")
NBGRADER = "c = get_config()\nc.CourseDirectory.course_id = 'bench'\nc.ClearSolutions.enforce_metadata = False\n"
LEAST_NUMBER = 4


def command(folder: Path, slug: str, grades: Path, *options: object) -> list[str]:
    return [*map(str, (sys.executable, "-m", "autograder", "batch", folder, "--assignment", slug, "--grades", grades, *options))]


def timed(arguments: list[str], **options: Any) -> float:
    """Wall seconds of a command that has to succeed."""
    began = time.perf_counter()
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    return time.perf_counter() - began


def notebook() -> nbformat.NotebookNode:
    """The instructor's notebook as a student who solved it hands it in."""
    solved = nbformat.read(ROOT / "source" / SPEED / f"{SPEED}.ipynb", 4)
    for cell in solved.cells:
        cell.source = "\n".join(line for line in cell.source.splitlines() if line.strip() not in MARKS)
    return solved


def ours(folder: Path, number: int, jobs: int) -> float:
    files = folder / "files"
    files.mkdir(exist_ok=True)
    for student in range(number):
        nbformat.write(notebook(), files / f"s{student:04}.ipynb")
    return timed(command(files, SPEED, folder / f"grades{jobs}", "--jobs", jobs))


def nbgrader(folder: Path, number: int) -> float:
    """`nbgrader autograde` as it comes: the notebook's own check cells, run in its kernel."""
    course = folder / "course"
    (course / "source").mkdir(parents=True)
    shutil.copytree(ROOT / "source" / SPEED, course / "source" / SPEED)
    (course / "nbgrader_config.py").write_text(NBGRADER)
    run = [str(Path(sys.executable).parent / "nbgrader")]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    options = {"cwd": course, "env": {**os.environ, "PATH": path}}
    timed([*run, "generate_assignment", SPEED], **options)
    for student in range(number):
        place = course / "submitted" / f"s{student:04}" / SPEED
        place.mkdir(parents=True)
        nbformat.write(notebook(), place / f"{SPEED}.ipynb")
    return timed([*run, "autograde", SPEED], **options)


def otter(folder: Path, number: int, run: Path) -> float:
    """`otter run`, once for each notebook, with the same check cells as its tests."""
    master = notebook()
    cells = [
        nbformat.v4.new_raw_cell(
            "# ASSIGNMENT CONFIG\ninit_cell: false\nexport_cell: false\ngenerate:\n    pdf: false\n    zips: false"
        )
    ]
    for cell in master.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if cell.source.startswith("check("):
            cells += [nbformat.v4.new_raw_cell(f"# BEGIN QUESTION\nname: {name.replace('-', '_')}\npoints: 2")]
            cells += [nbformat.v4.new_raw_cell("# BEGIN TESTS"), nbformat.v4.new_code_cell(cell.source)]
            cells += [nbformat.v4.new_raw_cell("# END TESTS"), nbformat.v4.new_raw_cell("# END QUESTION")]
        else:
            cells.append(cell)
    place = folder / "otter"
    place.mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=master.metadata), place / "mul.ipynb")
    environment = {**os.environ, "PATH": os.pathsep.join([str(run.parent), os.environ["PATH"]])}
    subprocess.run(
        [run, "assign", "--no-run-tests", "mul.ipynb", "dist"], cwd=place, env=environment, check=True, stdout=subprocess.DEVNULL
    )
    (archive,) = (place / "dist" / "autograder").glob("*.zip")
    work = place / "dist" / "student" / "mul.ipynb"
    began = time.perf_counter()
    for student in range(number):
        (place / f"s{student}").mkdir()
        subprocess.run(
            [run, "run", "-a", archive, "-o", place / f"s{student}", "--no-logo", work],
            cwd=place,
            env=environment,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    spent = time.perf_counter() - began
    results = json.loads((place / "s0" / "results.json").read_text())
    got = sum(test.get("score") or 0 for test in results["tests"])
    print(f"(otter gave {got:g} points)", file=sys.stderr)
    return spent


def speed(number: int, otter_command: Path | None) -> None:
    # The others are slow, and one after the other: a few are enough to know what one costs.
    few = max(number // 5, LEAST_NUMBER)
    print("| grader | notebooks | seconds | a second | beside one job of ours |\n|---|---:|---:|---:|---:|")
    base = 0.0

    def row(label: str, count: int, seconds: float) -> None:
        nonlocal base
        base = base or count / seconds
        print(f"| {label} | {count} | {seconds:.1f} | {count / seconds:.2f} | {count / seconds / base:.2f} |", flush=True)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for jobs in (1, 2, 4):
            row(f"autograder batch --jobs {jobs}", number, ours(folder, number, jobs))
        row("nbgrader autograde", few, nbgrader(folder, few))
        if otter_command is not None:
            row("otter run, one after the other", few, otter(folder, few, otter_command))


def grow(numbers: list[int]) -> None:
    print(
        "| submissions | seconds | ms each | most memory of all processes, first half | second half |\n|---:|---:|---:|---:|---:|"
    )
    for number in numbers:
        with tempfile.TemporaryDirectory() as name:
            files = make_class(Path(name) / "files", SPEED, number, 0)
            seconds, memory = watched(command(files, SPEED, Path(name) / "grades"))
        half = len(memory) // 2
        early, late = max(memory[:half], default=0) >> 20, max(memory[half:], default=0) >> 20
        print(f"| {number} | {seconds:.1f} | {1000 * seconds / number:.0f} | {early} MB | {late} MB |", flush=True)


def watched(arguments: list[str]) -> tuple[float, list[int]]:
    """Seconds of a command, and once a second the memory of the graders and their parent, without the students' processes."""
    began = time.perf_counter()
    process = psutil.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    memory: list[int] = []
    while process.poll() is None:
        try:
            memory.append(sum(one.memory_info().rss for one in (process, *process.children())))
        except psutil.NoSuchProcess:
            continue
        time.sleep(1)
    assert process.returncode == 0, arguments
    return time.perf_counter() - began, memory


def results(grades: Path) -> dict[str, Any]:
    """Every result but for its time."""
    with Store(grades / DATABASE) as store:
        return {
            one.student: (one.made, one.outcome, one.message, {**(one.grade or {}), "seconds": 0}) for one in store.records(HOLD)
        }


def hold(number: int) -> None:
    from distributed import LocalCluster

    print("| run | seconds | results | same as the first |\n|---|---:|---:|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = make_class(folder / "files", HOLD, number, number // 50)

        def row(label: str, grades: Path, seconds: float) -> None:
            same = "" if label == "first" else "yes" if results(grades) == results(folder / "first") else "NO"
            print(f"| {label} | {seconds:.0f} | {len(results(grades))} | {same} |", flush=True)

        row("first", folder / "first", timed(command(files, HOLD, folder / "first")))
        row("second", folder / "second", timed(command(files, HOLD, folder / "second")))
        began = time.perf_counter()
        process = subprocess.Popen(command(files, HOLD, folder / "killed"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not (folder / "killed" / DATABASE).exists() or len(results(folder / "killed")) < number // 2:
            time.sleep(1)
        process.kill()
        process.wait()
        timed(command(files, HOLD, folder / "killed"))
        row("killed at half, resumed", folder / "killed", time.perf_counter() - began)
        with LocalCluster(n_workers=os.cpu_count(), threads_per_worker=1, dashboard_address=None) as cluster:
            seconds = timed(command(files, HOLD, folder / "dask", "--scheduler", cluster.scheduler_address))
        row("Dask's LocalCluster", folder / "dask", seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speed", "grow", "hold"))
    parser.add_argument("--number", type=int)
    parser.add_argument("--numbers", type=int, nargs="+", default=[100, 1000, 5000])
    parser.add_argument("--otter", type=Path)
    chosen = parser.parse_args()
    print(
        f"{platform.platform()}, Python {platform.python_version()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}\n"
    )
    if chosen.what == "speed":
        speed(chosen.number or 40, chosen.otter and chosen.otter.absolute())
    elif chosen.what == "grow":
        grow(chosen.numbers)
    else:
        hold(chosen.number or 1000)


if __name__ == "__main__":
    main()
