"""`autograder grade`: one submission, the hidden suite, a table or JSON."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console

from ..errors import InputError
from ..exercise import load_exercise
from ..grading import grade_submission, policy
from ..report.json import score_table
from ..report.terminal import show_score
from ..sandbox import LAYERS, Zygote
from ..submission import read_submission


@click.command()
@click.argument("submission", type=click.Path(path_type=Path))
@click.option("--assignment", required=True, help="Which assignment it answers, as in 03_mul.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the grade to this file; - is standard output.")
@click.option("--seed", type=int, help="Another seed than the assignment's own.")
@click.option("--no-sandbox", is_flag=True, help="Run code that you trust where nothing can confine it.")
@click.option("--without", multiple=True, type=click.Choice(LAYERS), help="Leave one layer of confinement out.")
def command(
    submission: Path, assignment: str, json_file: Path | None, seed: int | None, no_sandbox: bool, without: tuple[str, ...]
) -> None:
    """Grade SUBMISSION (a .py, .ipynb, folder or .zip) with the hidden suite."""
    exercise = load_exercise(assignment)
    work = read_submission(submission, assignment)
    left_out = frozenset(LAYERS) if no_sandbox else frozenset(without)
    with Zygote(policy(exercise, left_out, required=not no_sandbox)) as zygote:
        score = grade_submission(work, exercise, zygote, seed)
    text = json.dumps(score_table(score), indent=2, allow_nan=False)
    if str(json_file) == "-":
        click.echo(text)
        return
    show_score(Console(), score)
    if json_file is not None:
        try:
            json_file.write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise InputError(f"{json_file} cannot be written: {error.strerror}; name another file") from None
