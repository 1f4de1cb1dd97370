"""Charts for a page: SVG to stand inside HTML, with text as text, the same to the byte for the same numbers."""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import AbstractContextManager
from math import ceil

import matplotlib
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

WIDTH = 5.2
BINS = 20
FULL, SOME, NONE = "#1f5fa8", "#9cc3ea", "#e3e3e3"


def scores_chart(scores: Sequence[float], most: float) -> Markup:
    """How many students have which score: one bar for each point, or 20 where there are more points than that."""
    step = max(ceil(most / BINS), 1)
    edges = [step * at - step / 2 for at in range(ceil(most / step) + 2)]
    with _style("scores"):
        figure, axes = _figure(2.6)
        counts, _, bars = axes.hist(scores, edges, color=FULL, rwidth=0.85)
        axes.bar_label(bars, [f"{count:g}" if count else "" for count in counts], padding=2, fontsize=8)  # type: ignore[arg-type]
        axes.set_xlabel(f"score, of {most:g}")
        axes.set_ylabel("students")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(integer=True))
        return _svg(figure)


def parts_chart(parts: Sequence[tuple[str, int, int, int]]) -> Markup:
    """For each part (title, students with all, some and none of its points): one bar, first part on top."""
    with _style("parts"):
        figure, axes = _figure(0.9 + 0.62 * len(parts))
        rows = range(len(parts))
        left = [0] * len(parts)
        kinds = (("all points", FULL, "white"), ("some", SOME, "black"), ("none", NONE, "black"))
        for at, (label, colour, ink) in enumerate(kinds):
            widths = [(all_, some, none)[at] for _, all_, some, none in parts]
            bars = axes.barh(rows, widths, 0.5, left, color=colour, label=label)
            axes.bar_label(bars, [str(width) if width else "" for width in widths], label_type="center", color=ink, fontsize=8)
            left = [before + width for before, width in zip(left, widths, strict=True)]
        # The title stands over its bar: beside it, it would leave no room for the bar on a narrow page.
        for row, (title, *_) in enumerate(parts):
            axes.text(0, row - 0.32, title, va="bottom", fontsize=9)
        axes.set_ylim(len(parts) - 0.6, -0.75)
        axes.set_yticks([])
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("students")
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3, frameon=False, fontsize=9)
        return _svg(figure)


def _style(salt: str) -> AbstractContextManager[None]:
    """Settings for one drawing; `salt` makes its identifiers its own, as all drawings stand in one page."""
    return matplotlib.rc_context(
        {
            "svg.fonttype": "none",
            "svg.hashsalt": salt,
            "font.size": 10,
            "text.parse_math": False,
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    )


def _figure(height: float) -> tuple[Figure, Axes]:
    figure = Figure((WIDTH, height), layout="constrained")
    return figure, figure.add_subplot()


def _svg(figure: Figure) -> Markup:
    """The drawing without the XML header that has no place inside HTML."""
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = drawn.getvalue()
    return Markup(text[text.index("<svg") :])
