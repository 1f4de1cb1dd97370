"""`autograder new`: a copy of an assignment to work in."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from ..errors import InputError
from ..exercise import COURSE, load_exercise


@click.command()
@click.argument("assignment")
@click.argument("folder", type=click.Path(path_type=Path), required=False)
def command(assignment: str, folder: Path | None) -> None:
    """Copy an assignment to work in.

    ASSIGNMENT is its name, as in 03_mul; FOLDER is a new or empty one, else one of the assignment's name is made.
    """
    exercise = load_exercise(assignment)
    target = folder or Path(exercise.slug)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InputError(f"{target} is not empty, and your work in it stays as it is; name another folder")
    try:
        shutil.copytree(
            COURSE / exercise.slug,
            target,
            ignore=shutil.ignore_patterns("__pycache__", ".*"),
            copy_function=_copy,
            dirs_exist_ok=True,
        )
    except OSError as error:
        raise InputError(f"{target} cannot be written: {error}; name another folder") from None
    click.echo(f"{exercise.title}, about {exercise.minutes} minutes: write in {target / 'micrograd.py'}")
    click.echo(f"Check it with: autograder check {target}   or at each save with: autograder watch {target}")


def _copy(source: str, target: str) -> str:
    # Without the mode of the installed files, which may be read-only.
    return shutil.copyfile(source, target)
