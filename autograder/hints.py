"""A part's hints, one at a time: each leads further than the one before, and none gives the answer."""

from __future__ import annotations

from collections import Counter

from .exercise import Part
from .public import find_part

_asked: Counter[str] = Counter()


def hint(part: str, assignment: str = "") -> None:
    """Print the next hint for a part: hint("mul-gradient"). After the last one it begins again."""
    exercise, found = find_part(part, assignment)
    key = f"{exercise.slug}/{found.id}"
    print(nth_hint(found, _asked[key]))
    _asked[key] += 1


def nth_hint(part: Part, asked: int) -> str:
    """The hint for somebody who has asked `asked` times before."""
    if not part.hints:
        return f"{part.title} has no hints: read the lesson's part once more."
    number = asked % len(part.hints)
    last = "" if number + 1 < len(part.hints) else "  (That was the last one.)"
    return f"Hint {number + 1} of {len(part.hints)}: {part.hints[number]}{last}"
