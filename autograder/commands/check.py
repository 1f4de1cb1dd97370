"""`autograder check`: the public tests on a student's own folder, file or notebook."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from ..panel import as_lines
from ..public import run_public
from ..report.terminal import visible
from ..submission import read_submission
from ..workspace import answering, assignment_of

ASK = "autograder hint {}"


@click.command()
@click.argument("path", type=click.Path(path_type=Path), default=".")
@click.option("--assignment", default="", help="Which assignment it answers, as in 03_mul, where its name does not say so.")
@click.pass_context
def command(ctx: click.Context, path: Path, assignment: str) -> None:
    """Check your work with the tests you can read.

    PATH is a folder, a .py or an .ipynb; without it, the current folder. Ends with 0 where all is right, with 1
    where something is not.
    """
    exercise = assignment_of(path, assignment)
    work = read_submission(path, exercise.slug)
    with answering(work, exercise) as transport:
        results = run_public(exercise, transport)
        trouble = transport.trouble
    console = Console(soft_wrap=True)
    console.print(Text(f"{exercise.slug} {exercise.title}: {work.name}", style="bold"))
    if trouble:
        console.print(Text(visible(trouble), style="red"))
    for result in results:
        for line, style in as_lines(result, ASK):
            console.print(Text(line, style=style))
    right = sum(result.status == "passed" for result in results)
    console.print(Text(f"{right} of {len(results)} parts are right.", style="bold"))
    if right < len(results):
        ctx.exit(1)
