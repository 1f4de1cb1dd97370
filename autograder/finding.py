"""What was found out about a failure: which mistake it is, and the smallest expression that shows it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """A mistake of the catalogue; `op` is the operation that it belongs to, "" where it belongs to none.

    `id` is "unknown" where nothing in the catalogue explains all that was seen. `hint` leads and never tells.
    """

    id: str
    op: str
    hint: str
