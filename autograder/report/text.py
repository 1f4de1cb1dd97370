"""Text that came from a student, made safe to show."""

from __future__ import annotations

import unicodedata


def visible(text: str) -> str:
    """The text with control and direction-changing characters shown as their code points."""
    hidden = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    return "".join(f"\\u{ord(mark):04x}" if mark != "\n" and unicodedata.category(mark) in hidden else mark for mark in text)
