"""`autograder build`: the notebooks and handouts from the authored lessons, or where they differ."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import InputError
from ..exercise import PACKAGE


@click.command()
@click.argument("slugs", nargs=-1, metavar="[NN_SLUG]...")
@click.option("--check", is_flag=True, help="Write nothing; list what differs, is missing or stray, and exit with 1.")
@click.option(
    "--course", type=click.Path(path_type=Path, file_okay=False), default=PACKAGE.parent, help="The clone; this package's own."
)
@click.pass_context
def command(ctx: click.Context, slugs: tuple[str, ...], check: bool, course: Path) -> None:
    """Build source/, release/ and assignments/ from solutions/: all assignments, or those named."""
    try:
        from ..build import authored, build, differences, write
    except ModuleNotFoundError as error:
        raise InputError(f"{error.name} is missing, which building needs; run: pip install 'autograder[course]'") from None

    known = authored(course)
    chosen = sorted(set(slugs)) or known
    for slug in chosen:
        if slug not in known:
            raise InputError(f"{course / 'solutions'} has no {slug!r}; it has {', '.join(known) or 'no assignment'}")
    if not chosen:
        raise InputError(f"{course / 'solutions'} holds no assignment; run this in the course's clone, or give it with --course")
    files = build(course, chosen)
    if not check:
        changed = write(course, files)
        click.echo(f"{len(chosen)} assignments, {len(files)} files; written: {', '.join(changed) or 'none, all were up to date'}")
        return
    lines = differences(course, chosen, files)
    for line in lines:
        click.echo(line)
    if lines:
        click.echo("Run `autograder build` and commit what it writes; delete stray files.")
        ctx.exit(1)
    click.echo(f"{len(chosen)} assignments, {len(files)} files: as built")
