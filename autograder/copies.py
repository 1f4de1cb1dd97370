"""Pairs of submissions whose structure is much alike: a list for a person to look at, never a verdict."""

from __future__ import annotations

import io
import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .errors import InputError
from .exercise import COURSE
from .submission import read_submission

# Below these, short answers to a short question are alike by themselves.
ALIKE = 0.9
LEAST = 150
# copydetect's default: so many characters in a row, once names are one letter each. Every run of them counts (a
# window of 1), as which ones a wider window takes depends on Python's hash seed.
NOISE = 25


@dataclass(frozen=True)
class Pair:
    """Two students, the share of the shorter's own code that the other's has too, and its length in characters."""

    first: str
    second: str
    share: float
    length: int


def given_code(slug: str) -> list[str]:
    """What every student was given: the skeleton and, in a clone, the released notebook."""
    paths = [COURSE / slug / "micrograd.py", COURSE.parent / "release" / slug / f"{slug}.ipynb"]
    return ["\n".join(cell.source for cell in read_submission(path).cells) for path in paths if path.is_file()]


def alike(codes: Iterable[tuple[str, str]], given: Sequence[str], threshold: float = ALIKE) -> list[Pair]:
    """Pairs of (student, code) alike in `threshold` of the shorter one, most alike and longest first.

    Names, spaces and comments do not count; what stands in `given` neither. Winnowing, Schleimer, Wilkerson and
    Aiken 2003, by copydetect. Raises InputError where that is not installed.
    """
    try:
        import copydetect.utils  # type: ignore[import-untyped]
    except ImportError:
        raise InputError(
            "looking for copies needs copydetect: python -m pip install 'autograder[course]', or --no-copies"
        ) from None

    def printed(code: str) -> Any:
        return copydetect.CodeFingerprint("code.py", NOISE, 1, language="python", fp=io.StringIO(code))

    left_out = {mark for code in given for mark in printed(code).hashes}
    # Those with the same prints are compared once, however many they are.
    owners: dict[frozenset[int], list[str]] = defaultdict(list)
    prints: dict[frozenset[int], Any] = {}
    for student, code in codes:
        made = printed(code)
        # copydetect 0.5 would leave given code out itself, and fails where a mark occurs twice.
        made.hash_idx = {mark: places for mark, places in made.hash_idx.items() if mark not in left_out}
        made.hashes = set(made.hash_idx)
        made.token_coverage = copydetect.utils.get_token_coverage(made.hash_idx, NOISE, len(made.filtered_code))
        marks = frozenset(map(int, made.hashes))
        if made.token_coverage >= LEAST:
            owners[marks].append(student)
            prints.setdefault(marks, made)
    pairs = [
        _pair(two, 1.0, int(prints[marks].token_coverage))
        for marks, students in owners.items()
        for two in itertools.combinations(students, 2)
    ]
    for left, right in itertools.combinations(prints, 2):
        # The exact comparison is slow; two that share fewer marks than this cannot reach the threshold.
        if len(left & right) < threshold / 2 * min(len(left), len(right)):
            continue
        _, shares, _ = copydetect.compare_files(prints[left], prints[right])
        length = min(int(prints[left].token_coverage), int(prints[right].token_coverage))
        if max(shares) >= threshold:
            found = itertools.product(owners[left], owners[right])
            pairs += [_pair(two, min(float(max(shares)), 1.0), length) for two in found]
    return sorted(pairs, key=lambda pair: (-pair.share, -pair.length, pair.first, pair.second))


def _pair(students: tuple[str, str], share: float, length: int) -> Pair:
    first, second = sorted(students)
    return Pair(first, second, share, length)
