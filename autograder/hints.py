"""Hints, one at a time."""

from __future__ import annotations

from .public import find_part

_given: dict[str, int] = {}


def hint(part: str, assignment: str = "") -> None:
    """Print the next hint for a part; the first again after the last."""
    exercise, found = find_part(part, assignment)
    key = f"{exercise.slug}:{found.id}"
    number = _given.get(key, 0) % max(len(found.hints), 1)
    _given[key] = number + 1
    print(f"Hint {number + 1} of {len(found.hints)}: {found.hints[number]}" if found.hints else "This part has no hints.")
