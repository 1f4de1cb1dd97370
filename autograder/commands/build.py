"""`autograder build`: the notebooks and handouts from the authored lessons, or where they differ."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from ..errors import InputError
from ..exercise import PACKAGE


@click.command()
@click.argument("slugs", nargs=-1, metavar="[NN_SLUG]...")
@click.option("--check", is_flag=True, help="Write nothing; list what differs, is missing or stray, and exit with 1.")
@click.option("--prove", is_flag=True, help="Write nothing; grade each lesson, worked and unworked, with both of its suites.")
@click.option("--runs", type=click.IntRange(1), default=3, show_default=True, help="In how many fresh processes --prove grades.")
@click.option(
    "--course", type=click.Path(path_type=Path, file_okay=False), default=PACKAGE.parent, help="The clone; this package's own."
)
@click.pass_context
def command(ctx: click.Context, slugs: tuple[str, ...], check: bool, prove: bool, runs: int, course: Path) -> None:
    """Build source/, release/ and assignments/ from solutions/: all assignments, or those named."""
    try:
        from ..authors import prove as broken_promises
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
    if not check and not prove:
        changed = write(course, files)
        click.echo(f"{len(chosen)} assignments, {len(files)} files; written: {', '.join(changed) or 'none, all were up to date'}")
        return
    lines = differences(course, chosen, files) if check else []
    if lines:
        lines.append("Run `autograder build` and commit what it writes; delete stray files.")
    if prove:
        with tempfile.TemporaryDirectory() as place:
            write(Path(place), files)
            lines += broken_promises(course, Path(place), chosen, runs)
    for line in lines:
        click.echo(line)
    if lines:
        ctx.exit(1)
    proven = f"; worked and unworked grade as they should, in {runs} fresh processes" if prove else ""
    click.echo(f"{len(chosen)} assignments, {len(files)} files{': as built' if check else ''}{proven}")
