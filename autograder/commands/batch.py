"""`autograder batch`: a class of submissions, with a progress bar; what is graded is kept."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from ..batch import Batch, plan
from ..cli import GRADER_EXIT
from ..executors import dask_workers, processes
from ..exercise import load_exercise
from ..grading import policy
from ..report.terminal import visible
from ..roster import find_submissions, is_nbgrader
from ..sandbox import LAYERS
from ..store import DATABASE, GRADES, Record, Store

INTERRUPTED = 130


class Rate(ProgressColumn):
    """Submissions a second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(f"{speed:.1f}/s" if speed else "", style="progress.data.speed")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--assignment", required=True, help="Which assignment it answers, as in 03_mul.")
@click.option("--grades", type=click.Path(path_type=Path), default=GRADES, show_default=True, help="The folder of results.")
@click.option("--jobs", type=click.IntRange(1), help="Processes to grade in; by default one for each processor.")
@click.option("--scheduler", default="", help="A Dask scheduler's address, as in tcp://10.0.0.1:8786, instead of processes.")
@click.option("--seed", type=int, help="Another seed than the assignment's own.")
@click.option("--only", default="", metavar="failed|changed|STUDENT", help="Grade only these, and again.")
@click.option("--gradebook/--no-gradebook", default=None, help="Write to nbgrader's gradebook; by default where FOLDER is its own.")
@click.option("--no-sandbox", is_flag=True, help="Run code that you trust where nothing can confine it.")
@click.pass_context
def command(
    context: click.Context,
    folder: Path,
    assignment: str,
    grades: Path,
    jobs: int | None,
    scheduler: str,
    seed: int | None,
    only: str,
    gradebook: bool | None,
    no_sandbox: bool,
) -> None:
    """Grade a class: FOLDER is nbgrader's submitted/, an export of Gradescope, Canvas or Moodle, or a folder of files."""
    exercise = load_exercise(assignment)
    entries = find_submissions(folder, assignment)
    workers = dask_workers(scheduler) if scheduler else processes(jobs or os.cpu_count() or 1)
    course = folder.resolve().parent if (is_nbgrader(folder, assignment) if gradebook is None else gradebook) else None
    confined = policy(exercise, frozenset(LAYERS) if no_sandbox else frozenset(), required=not no_sandbox)
    console = Console()
    outcomes: Counter[str] = Counter()
    with Store(grades / DATABASE) as store:
        todo = plan(entries, store, exercise, exercise.seed if seed is None else seed, only)
        columns = (
            BarColumn(),
            MofNCompleteColumn(),
            Rate(),
            TextColumn("{task.fields[trouble]}", style="yellow"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            bar = progress.add_task(assignment, total=len(todo.entries), trouble="")

            def told(record: Record) -> None:
                outcomes[record.outcome] += 1
                trouble = sum(outcomes.values()) - outcomes["graded"]
                progress.update(bar, advance=1, trouble=f"{trouble} without a grade" if trouble else "")

            try:
                Batch(exercise, store, confined, told, course).run(todo, workers)
            except KeyboardInterrupt:
                progress.stop()
                kept = sum(outcomes.values())
                console.print(f"Stopped. {kept} of {len(todo.entries)} are kept; the same command goes on from there.")
                context.exit(INTERRUPTED)
        show(console, list(store.records(assignment)), len(todo.entries), todo.unchanged)
    console.print(Text(f"Report: autograder report --assignment {assignment} --grades {grades}", style="dim"))
    if outcomes["failed"]:
        context.exit(GRADER_EXIT)


def show(console: Console, records: list[Record], graded_now: int, unchanged: int) -> None:
    """How the class did in two lines, and who has no grade and why."""
    scores = [float(record.grade["score"]) for record in records if record.grade is not None]
    most = max((float(record.grade["max_score"]) for record in records if record.grade is not None), default=0.0)
    console.print(f"{graded_now} looked at now, {unchanged} unchanged; {len(scores)} of {len(records)} have a grade.")
    if scores:
        middle = sorted(scores)[len(scores) // 2]
        console.print(f"Mean {sum(scores) / len(scores):.2f} of {most:g}, median {middle:g}, lowest {min(scores):g}.")
    ungraded = [record for record in records if record.grade is None]
    if ungraded:
        table = Table(title="Without a grade", title_justify="left", box=None, padding=(0, 1), show_header=False)
        for record in ungraded:
            table.add_row(Text(visible(record.student)), Text(visible(" ".join(record.message.split()))))
        console.print(table)
