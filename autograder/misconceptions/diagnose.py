"""From answers to verdicts: the fewest known mistakes that explain everything that was seen, right answers too."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .battery import Seen, matches
from .candidates import Candidate
from .engine import Change, outcomes

MOST_MISTAKES = 2
LOWERINGS: tuple[tuple[tuple[str, str], str], ...] = (
    (("sub", "lower"), "neg"),
    (("neg", "lower"), "mul"),
    (("truediv", "lower"), "pow"),
    (("tanh", "lower"), "exp"),
)


MADE_OF = {
    ("sub", "neg"): {"add", "neg"},
    ("neg", "mul"): {"mul"},
    ("truediv", "pow"): {"mul", "pow"},
    ("tanh", "exp"): {"mul", "exp", "add", "sub", "truediv"},
}


def explains(change: Change, seen: Seen) -> bool:
    """Whether the changed engine can give this answer."""
    return any(matches(seen.got, one) for one in outcomes(seen.probe.traced, seen.probe.at, change, seen.probe.preset))


@dataclass(frozen=True)
class Explanation:
    """Mistakes that explain everything together, and how operations are made from others in the same engine."""

    mistakes: tuple[Candidate, ...]
    built: Change


class Explainer:
    """Remembers what explains what: most changes have nothing to do with most expressions."""

    def __init__(self) -> None:
        self.known: dict[tuple[int, frozenset[tuple[tuple[str, str], Any]]], bool] = {}

    def explains(self, change: Change, seen: Seen) -> bool:
        """As the function `explains`; `seen` must outlive this object."""
        own = relevant(change, seen.probe.kinds)
        if seen.right and not seen.probe.direct and all(aspect == "lower" for _, aspect in own):
            return True
        key = id(seen), frozenset(own.items())
        if key not in self.known:
            self.known[key] = explains(own, seen)
        return self.known[key]


def relevant(change: Change, kinds: frozenset[str]) -> Change:
    """What of a change has to do with an expression of these operations, or with what they are made of."""
    used, growing = {"", *kinds}, True
    while growing:
        more = {made for (kind, aspect), by in change.items() if aspect == "lower" and kind in used for made in MADE_OF[kind, by]}
        growing = not more <= used
        used |= more
    return {key: setting for key, setting in change.items() if key[0] in used}


def explanations(seen: Sequence[Seen], known: Sequence[Candidate], kinds: Sequence[str]) -> list[Explanation]:
    """Every smallest set of mistakes that explains all of `seen`; one set for each choice of identifiers."""
    # Single operations first: what their results remember tells at once how operations are made from others.
    ordered = sorted(seen, key=lambda one: (not one.probe.direct, one.right, len(one.probe.traced.order())))
    builds, explainer = list(_builds(kinds)), Explainer()
    for most in range(1, MOST_MISTAKES + 1):
        found: dict[frozenset[tuple[str, str]], Explanation] = {}
        # One that can explain anything where two numbers are equal would, with others, explain too much.
        fit = [one for one in known if most == 1 or one.id != "unhashable-values"]
        for built in builds:
            for chosen in _search(explainer, ordered, fit, built, (), most):
                found.setdefault(frozenset((one.id, one.op) for one in chosen), Explanation(chosen, built))
        if found:
            return list(found.values())
    return []


def _builds(kinds: Sequence[str]) -> Iterator[Change]:
    """How operations may be made from others: nothing at first, then every combination."""
    fitting = [(key, lower) for key, lower in LOWERINGS if key[0] in kinds and lower in kinds]
    for count in range(len(fitting) + 1):
        for chosen in itertools.combinations(fitting, count):
            yield dict(chosen)


def _search(
    explainer: Explainer,
    seen: Sequence[Seen],
    known: Sequence[Candidate],
    change: Change,
    chosen: tuple[Candidate, ...],
    most: int,
) -> Iterator[tuple[Candidate, ...]]:
    """Explain the first answer that is not explained yet, then the next, with at most `most` mistakes."""
    first = next((one for one in seen if not explainer.explains(change, one)), None)
    if first is None:
        if chosen:
            yield chosen
        return
    if len(chosen) == most:
        return
    before = relevant(change, first.probe.kinds)
    for one in known:
        grown = {**change, **one.change}
        if len(grown) < len(change) + len(one.change) or relevant(grown, first.probe.kinds) == before:
            continue
        if explainer.explains(grown, first):
            yield from _search(explainer, seen, known, grown, (*chosen, one), most)
