"""An auto-graded course in which students write micrograd themselves."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .draw import draw_dot, show
    from .hints import hint
    from .selfcheck import check

__version__ = "0.1.0"
__all__ = ["check", "draw_dot", "hint", "show"]

_HOMES = {"check": "selfcheck", "hint": "hints", "draw_dot": "draw", "show": "draw"}


def __getattr__(name: str) -> Any:
    # A notebook's first cell imports this; what a check needs is loaded at the first check.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
