"""`autograder demo`: a small class of sample submissions, graded and shown side by side."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ..errors import InputError
from ..exercise import PACKAGE, load_exercise
from ..grading import grade_submission, policy
from ..report.terminal import points, visible
from ..sandbox import Zygote
from ..score import Score
from ..submission import read_submission

SAMPLES = PACKAGE.parent / "tests" / "golden"
ASSIGNMENT = "03_mul"


@click.command()
@click.option(
    "--samples", type=click.Path(path_type=Path), default=SAMPLES, show_default=False, help="Another folder of submissions."
)
def command(samples: Path) -> None:
    """Grade a small class of sample submissions of 03_mul."""
    folders = sorted(path for path in samples.glob("*") if path.is_dir())
    if not folders:
        raise InputError(f"{samples} holds no sample submissions; run this in the course's clone")
    exercise = load_exercise(ASSIGNMENT)
    table = Table(title=f"{ASSIGNMENT}: {exercise.title}", title_justify="left", box=None, padding=(0, 1))
    table.add_column("submission", no_wrap=True)
    for part in exercise.parts:
        table.add_column(part.id, justify="right", no_wrap=True)
    table.add_column("score", justify="right", no_wrap=True)
    words: list[tuple[str, str]] = []
    with Zygote(policy(exercise)) as zygote:
        for folder in folders:
            score = grade_submission(read_submission(folder, ASSIGNMENT), exercise, zygote)
            cells = [points(part.score, part.max_score) for part in score.parts]
            table.add_row(folder.name, *cells, Text(points(score.score, score.max_score), style="bold"))
            if found := first_words(score):
                words.append((folder.name, found))
    console = Console()
    console.print(table)
    console.print(Text("\nWhat these students would read first:", style="bold"))
    for name, found in words:
        console.print(Text(name))
        console.print(Padding(Text(visible(found), style="dim"), (0, 0, 0, 4)))


def first_words(score: Score) -> str:
    """What stopped a cell, else the first failure's words, else nothing."""
    wrong = [test for test in score.tests if test.score < test.max_score]
    if not wrong:
        return ""
    for cell in score.cells:
        if cell.error:
            return f"{cell.place} stopped with {cell.error}"
    return wrong[0].message
