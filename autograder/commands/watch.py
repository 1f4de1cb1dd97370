"""`autograder watch`: the public tests again at each save."""

from __future__ import annotations

from pathlib import Path

import click
import watchfiles
from rich.console import Console

from ..watch import Progress, changed, places, show

WORK = (".py", ".ipynb")


@click.command()
@click.argument("path", type=click.Path(path_type=Path), default=".")
@click.option("--assignment", default="", help="Which assignment it answers, where its name does not say so.")
def command(path: Path, assignment: str) -> None:
    """Check your work again at each save.

    PATH holds one assignment, or several in folders of their own; Ctrl-C ends it. It
    shows how far you are in the course, and the part to work on next.
    """
    work = places(path, assignment)
    console, progress = Console(), Progress()
    for folder, exercise in work.values():
        progress.check(folder, exercise)
    show(console, progress)
    # An editor may replace the file, so it is its folder that is watched.
    folder = path if path.is_dir() else path.parent
    for changes in watchfiles.watch(folder, watch_filter=lambda _, file: file.endswith(WORK), raise_interrupt=False):
        for slug in changed(work, [Path(file) for _, file in changes]):
            progress.check(*work[slug])
        show(console, progress)
