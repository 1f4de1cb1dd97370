"""`autograder gradescope`: an assignment's zip, and a run of it here."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import click

from ..errors import GraderError, InputError
from ..exercise import load_exercise
from ..gradescope import trial
from ..gradescope.bundle import bundle
from ..report.gradescope import VISIBILITIES, Display


@click.command()
@click.argument("assignment")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the zip to this file.")
@click.option(
    "--try", "submission", type=click.Path(path_type=Path), help="Run the zip here on this submission, and print results.json."
)
@click.option(
    "--visibility",
    type=click.Choice(VISIBILITIES),
    default=VISIBILITIES[0],
    show_default=True,
    help="When students see the checks.",
)
@click.option("--leaderboard", is_flag=True, help="Rank the submissions by points and by checks passed.")
@click.option(
    "--attempts", type=click.IntRange(min=1), help="Show the results of this many attempts; later ones when grades are published."
)
def command(
    assignment: str, output: Path | None, submission: Path | None, visibility: str, leaderboard: bool, attempts: int | None
) -> None:
    """Make the zip that Gradescope takes for ASSIGNMENT, as in 03_mul."""
    if output is None and submission is None:
        raise InputError(f"say where the zip goes with -o {assignment}.zip, or run it here with --try SUBMISSION")
    if leaderboard and visibility != VISIBILITIES[0]:
        raise InputError(f"--leaderboard would show the points that --visibility {visibility} hides; leave one of them out")
    exercise = load_exercise(assignment)
    archive = bundle(exercise, Display(visibility, leaderboard, attempts or 0))
    if output is not None:
        try:
            output.write_bytes(archive)
        except OSError as error:
            raise InputError(f"{output} cannot be written: {error.strerror}; name another file") from None
        points = f"worth {exercise.max_score:g} autograder points"
        click.echo(f"{output}: {exercise.title}, {points}; docs/gradescope.md says where to upload it", err=submission is not None)
    if submission is not None:
        _try(archive, submission)


def _try(archive: bytes, submission: Path) -> None:
    if not submission.exists():
        raise InputError(f"{submission} does not exist; give a .py, an .ipynb, a folder or a .zip")
    with tempfile.TemporaryDirectory(prefix="autograder-gradescope-") as folder:
        root = Path(folder)
        trial.lay_out(archive, root)
        trial.hand_in(submission, root)
        click.echo("setup.sh installs what the grader needs; that takes a moment", err=True)
        trial.set_up(root)
        results, code, printed = trial.run(root)
    click.echo(json.dumps(results, indent=2))
    if code:
        raise GraderError(f"run_autograder ended with {code}: {printed.strip()}")
