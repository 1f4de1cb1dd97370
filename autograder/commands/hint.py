"""`autograder hint`: the next hint for a part; how many were given stands in a file in the current folder."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import click

from ..hints import nth_hint
from ..public import find_part

MEMORY = Path(".autograder-hints.json")


@click.command()
@click.argument("part")
@click.option("--assignment", default="", help="Which assignment it belongs to, where two have a part of that name.")
@click.option("--all", "everything", is_flag=True, help="Print every hint.")
def command(part: str, assignment: str, everything: bool) -> None:
    """Print the next hint for PART, such as mul-gradient."""
    exercise, found = find_part(part, assignment)
    if everything:
        for number in range(max(len(found.hints), 1)):
            click.echo(nth_hint(found, number))
        return
    key = f"{exercise.slug}/{found.id}"
    given = _given()
    click.echo(nth_hint(found, given.get(key, 0)))
    # In a folder that cannot be written, the first hint is better than none.
    with contextlib.suppress(OSError):
        MEMORY.write_text(json.dumps({**given, key: given.get(key, 0) + 1}) + "\n", encoding="utf-8")


def _given() -> dict[str, int]:
    try:
        table = json.loads(MEMORY.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    items = table.items() if isinstance(table, dict) else ()
    return {key: count for key, count in items if type(count) is int and count >= 0}
