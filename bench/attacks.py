"""The long proof against attacks: all of them with layers off one at a time, and 1,000 in a row through one zygote.

`python bench/attacks.py layers` writes docs/tables/attacks.md, `python bench/attacks.py row` docs/tables/endurance.md.
Started by root, the first also runs as an ordinary user and as Docker's default profile would have it. Deadlines are
shortened there, so that each comes: what is shown is that they hold, not how long they are.
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
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent.parent), str(Path(__file__).parent.parent / "tests")]

from attacks import (  # noqa: E402
    ROOT,
    SECRET,
    Attack,
    Classroom,
    Result,
    as_ordinary,
    attacks,
    classroom,
    engine,
    honest_scores,
    ordinary_python,
    verdict,
)

from autograder.errors import InputError  # noqa: E402
from autograder.exercise import Exercise, load_exercise  # noqa: E402
from autograder.grading import grade_submission, policy  # noqa: E402
from autograder.report.json import score_table  # noqa: E402
from autograder.sandbox import Zygote  # noqa: E402
from autograder.submission import read_submission  # noqa: E402

# Each column: who runs it, under which profile, without which layers.
COLUMNS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "all": ("root", "", ()),
    "−uid": ("root", "", ("uid",)),
    "−rlimits": ("root", "", ("rlimits",)),
    "−seccomp": ("root", "", ("seccomp",)),
    "−landlock": ("root", "", ("landlock",)),
    "−bubblewrap": ("root", "", ("bubblewrap",)),
    "−both": ("root", "", ("bubblewrap", "landlock")),
    "user": ("user", "", ()),
    "user −bubblewrap": ("user", "", ("bubblewrap",)),
    "user −landlock": ("user", "", ("landlock",)),
    "Docker": ("root", "docker", ()),
    "Docker −landlock": ("root", "docker", ("landlock",)),
    "Docker user": ("user", "docker", ()),
}
# What a layer alone can hold is not tried without it: it would take the machine's memory.
NOT_WITHOUT = {"break_memory": "rlimits"}
PROFILE = [sys.executable, str(ROOT / "tests" / "docker_profile.py")]


def hasty() -> Exercise:
    """03_mul with deadlines that come soon."""
    exercise = load_exercise("03_mul")
    return replace(exercise, limits=replace(exercise.limits, seconds=0.5, cell_seconds=1.0, total_seconds=30.0))


def grade_with(zygote: Zygote, submission: Path) -> Result:
    try:
        score = grade_submission(read_submission(submission, "03_mul"), hasty(), zygote)
    except InputError as error:
        return Result(2, str(error))
    table = score_table(score)
    return Result(0, json.dumps(table), table)


def column(names: list[str], without: tuple[str, ...], place: Path) -> dict[str, Any]:
    """Every attack through one zygote without some layers: what is wrong with each outcome, "" where nothing is."""
    room = Classroom(place)
    outcomes: dict[str, str] = {}
    layers: tuple[str, ...] = ()
    zygote = Zygote(policy(hasty(), frozenset(without)))
    try:
        honest = honest_scores(lambda path: grade_with(zygote, path))
        before = room.contents()
        for attack in [attack for attack in attacks() if attack.name in names]:
            if NOT_WITHOUT.get(attack.name) in without:
                outcomes[attack.name] = "not tried"
                continue
            result = grade_with(zygote, room.submission(attack))
            outcomes[attack.name] = verdict(attack, result, honest)
            if room.contents() != before:
                outcomes[attack.name] += " something was changed"
            layers = tuple(result.table["sandbox"]["layers"]) if result.table else layers
    finally:
        zygote.close()
        room.close()
    return {"outcomes": outcomes, "layers": layers}


def run_column(name: str, names: list[str]) -> dict[str, Any] | str:
    """One column in a process of its own, as whoever it is for."""
    who, profile, without = COLUMNS[name]
    python, paths = sys.executable, os.environ.get("PYTHONPATH", "")
    if who == "user":
        found = ordinary_python()
        if isinstance(found, str):
            return found
        python, paths = found
    base = Path(tempfile.mkdtemp(prefix="class-"))
    base.chmod(0o777)
    paths = os.pathsep.join(filter(None, [str(base / "run" / "site"), paths]))
    environment = {**os.environ, "GRADER_SECRET": SECRET, "HOME": str(base), "PYTHONPATH": paths}
    inner = [python, str(Path(__file__)), "layers", "--column", ",".join(without), "--only", *names, "--place", str(base / "run")]
    command = (PROFILE if profile and who == "root" else []) + inner
    if profile and who == "user":
        command = [python, PROFILE[1], *inner]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, cwd="/", check=False, **(as_ordinary() if who == "user" else {})
    )
    shutil.rmtree(base, ignore_errors=True)
    if done.returncode != 0:
        return done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit {done.returncode}"
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def memory(pid: int) -> int:
    """Resident kilobytes."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in text.splitlines() if line.startswith("VmRSS")).split()[1])


def below(pid: int) -> list[int]:
    """All processes that descend from one."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents.setdefault(int(stat.read_text().rpartition(")")[2].split()[1]), []).append(int(stat.parent.name))
        except OSError:
            continue
    found = list(parents.get(pid, []))
    for child in found:
        found += parents.get(child, [])
    return found


def state(zygote: Zygote) -> dict[str, int]:
    """What this process holds and what its zygote does, the scratch folder that it sees included."""
    processes = below(os.getpid())
    # bwrap is its parent, and the first process of its namespace as well.
    server = next(pid for pid in reversed(processes) if "bwrap" not in Path(f"/proc/{pid}/comm").read_text())
    place = Path(f"/proc/{server}/root/tmp") if zygote.boxed else Path(zygote.scratch)
    return {
        "processes": len(processes),
        "files": sum(1 for _ in place.iterdir()),
        "descriptors": len(os.listdir("/proc/self/fd")),
        "threads": threading.active_count(),
        "grader": memory(os.getpid()),
        "zygote": memory(server),
        "zygote descriptors": len(os.listdir(f"/proc/{server}/fd")),
    }


def row(runs: int) -> Iterator[tuple[int, dict[str, int]]]:
    """`runs` hostile submissions, one after the other through one zygote; the state at eleven moments.

    Before the last of them the zygote has to give an honest submission its score.
    """
    room = classroom()
    left_out = {attack.name for attack in attacks() if attack.slow or attack.refused or attack.make} | COSTLY
    quick = [attack for attack in attacks() if attack.name not in left_out]
    works = [read_submission(room.submission(attack), "03_mul") for attack in quick]
    exercise = hasty()
    try:
        with Zygote(policy(exercise)) as zygote:
            for number in range(runs):
                if number % max(runs // 10, 1) == 0:
                    yield number, state(zygote)
                grade_submission(works[number % len(works)], exercise, zygote)
            (room.place / "right.py").write_text(engine("right"))
            honest = grade_with(zygote, room.place / "right.py")
            assert honest.table is not None and honest.table["score"] == honest.table["max_score"], honest.said
            yield runs, state(zygote)
    finally:
        room.close()


# Those that only wait for a deadline: a thousand of them would be a test of patience.
COSTLY = {
    "break_loop_at_import", "break_loop_in_operation", "break_ignored_signals", "break_in_c", "break_output", "break_memory",
    "break_dunder_del", "forge_own_interpreter", "forge_colliding_set", "forge_huge_reply",
}  # fmt: skip


def layers_table(results: dict[str, dict[str, Any] | str], chosen: list[Attack]) -> str:
    lines = [
        "# Attacks", "",
        f"`python bench/attacks.py layers` on Linux {platform.release()}, Python {platform.python_version()}, "
        f"{os.cpu_count()} cores. {len(chosen)} attacks, each graded as 03_mul.", "",
        "✓ the outcome is the right one: the score that the work deserves, nothing read, nothing changed, nothing left. "
        "– was not tried without the one layer that holds it. *user* is an ordinary user, *Docker* its default profile "
        "(tests/docker_profile.py); *−both* is without bubblewrap and Landlock.", "",
        "| column | layers obtained |", "|---|---|",
    ]  # fmt: skip
    for name, result in results.items():
        lines.append(f"| {name} | {result if isinstance(result, str) else ', '.join(result['layers'])} |")
    shown = {name: result for name, result in results.items() if not isinstance(result, str)}
    lines += ["", "| attack | it | held by | " + " | ".join(shown) + " |", "|---" * (len(shown) + 3) + "|"]
    for attack in chosen:
        marks = []
        for result in shown.values():
            outcome = result["outcomes"].get(attack.name, "not tried")
            marks.append("–" if outcome == "not tried" else "✗" if outcome else "✓")
        lines.append(f"| {attack.name} | {attack.tries} | {', '.join(attack.held)} | {' | '.join(marks)} |")
    wrong = [
        f"- {name}, {attack}: {' '.join(words.split())[:300]}"
        for name, result in shown.items()
        for attack, words in result["outcomes"].items()
        if words and words != "not tried"
    ]
    lines += ["", f"Outcomes that are not right: {len(wrong)}.", "", *wrong]
    if absent := [name for name in COLUMNS if name not in results]:
        lines += ["", f"Columns that are not in this run: {', '.join(absent)}."]
    return "\n".join(lines).rstrip() + "\n"


def row_table(states: list[tuple[int, dict[str, int]]]) -> str:
    lines = [f"# {states[-1][0]:,} hostile submissions in a row through one zygote", ""]
    lines += [f"`python bench/attacks.py row` on Linux {platform.release()}, Python {platform.python_version()}.", ""]
    lines += ["| after | " + " | ".join(states[0][1]) + " |", "|---" * (len(states[0][1]) + 1) + "|"]
    lines += [f"| {number:,} | " + " | ".join(f"{value:,}" for value in held.values()) + " |" for number, held in states]
    lines += ["", "Memory is resident, in kB. After the last one the same zygote graded an honest submission, 6 of 6."]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("proof", choices=("layers", "row"))
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--columns", nargs="*", default=list(COLUMNS))
    parser.add_argument("--column", help=argparse.SUPPRESS)
    parser.add_argument("--place", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, default=ROOT / "docs" / "tables")
    options = parser.parse_args()
    chosen = [attack for attack in attacks() if attack.name in options.only or (not options.only and not attack.slow)]
    names = [attack.name for attack in chosen]
    if options.column is not None:
        print(json.dumps(column(names, tuple(filter(None, options.column.split(","))), options.place)))
        return
    if options.proof == "row":
        states = []
        for moment in row(options.runs):
            states.append(moment)
            print(*moment, file=sys.stderr, flush=True)
        (options.folder / "endurance.md").write_text(row_table(states), encoding="utf-8")
        return
    ordinary_python()
    results = {}
    # Columns wait for deadlines most of the time.
    with ThreadPoolExecutor(2) as pool:
        for name, result in zip(options.columns, pool.map(lambda name: run_column(name, names), options.columns), strict=True):
            results[name] = result
            print(name, result if isinstance(result, str) else "done", file=sys.stderr, flush=True)
            (options.folder / "attacks.md").write_text(layers_table(results, chosen), encoding="utf-8")


if __name__ == "__main__":
    main()
