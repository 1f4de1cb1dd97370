"""A grade as a table for a terminal; everything from a student is shown as text, never as markup or escapes."""

from __future__ import annotations

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ..gradcheck import written
from ..score import Score
from .text import visible as visible

MARKS = {
    "passed": ("✓", "green"),
    "failed": ("✗", "red"),
    "crashed": ("!", "red"),
    "timed-out": ("⏱", "red"),
    "not-attempted": ("·", "yellow"),
    "not-run": ("–", "yellow"),
}


def points(score: float, most: float) -> str:
    return f"{score:g} / {most:g}"


def show_score(console: Console, score: Score) -> None:
    """Print the grade: a row for each test, the words for each that did not pass, the cells that failed."""
    title = Text(f"{score.assignment}  {visible(score.submission)}", style="bold")
    table = Table(title=title, title_justify="left", box=None, padding=(0, 1), show_header=False)
    table.add_column(width=1)
    table.add_column(width=13)
    table.add_column(ratio=1)
    table.add_column(justify="right", no_wrap=True)
    for part in score.parts:
        table.add_row("", "", Text(part.title, style="bold"), Text(points(part.score, part.max_score), style="bold"))
        for test in [test for test in score.tests if test.part == part.part]:
            mark, style = MARKS[test.status]
            case = f" [{test.name.partition('[')[2]}" if "[" in test.name else ""
            words: Text | Group = Text(test.title + case)
            if test.status != "passed" and test.words:
                words = Group(words, Padding(Text(visible(test.words), style="dim"), (0, 0, 0, 2)))
            table.add_row(Text(mark, style=style), Text(test.status, style=style), words, points(test.score, test.max_score))
        seen = [test.smallest for test in score.tests if test.part == part.part and test.smallest]
        if seen:
            least = min(seen, key=lambda one: len(one.traced.order()))
            table.add_row(
                "", "", Group(Text("The smallest expression that shows it:"), Padding(Text(written(least)), (0, 0, 0, 2))), ""
            )
    for cell in score.cells:
        if cell.error:
            console.print(Text(visible(f"{cell.place} stopped with {cell.error}"), style="red"))
        if cell.left_out:
            console.print(Text(visible(f"{cell.file}: left out, not Python: {'; '.join(cell.left_out)}"), style="yellow"))
    console.print(table)
    layers = ", ".join(score.sandbox.layers) or "none"
    console.print(Text(f"Score: {points(score.score, score.max_score)}", style="bold"))
    console.print(Text(f"seed {score.seed}; confined by {layers}; {score.seconds:.2f} s", style="dim"))
