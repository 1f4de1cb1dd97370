"""A student's progress through the course: which parts are right, and which one is next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from .errors import InputError
from .exercise import COURSE, Exercise, assignments, load_exercise
from .panel import as_lines
from .public import PartResult, run_public
from .report.terminal import visible
from .submission import read_submission
from .workspace import answering, assignment_of, slug_of

ASK = "autograder hint {}"


@dataclass
class Progress:
    """What the last check of each assignment came to, and why one could not be checked."""

    results: dict[str, list[PartResult]] = field(default_factory=dict)
    trouble: dict[str, str] = field(default_factory=dict)

    def check(self, path: Path, exercise: Exercise) -> None:
        """Check one assignment's folder or file again. Half a save is no reason to stop: it is said and waited out."""
        try:
            with answering(read_submission(path, exercise.slug), exercise) as transport:
                self.results[exercise.slug] = run_public(exercise, transport)
                self.trouble[exercise.slug] = transport.trouble
        except InputError as error:
            self.trouble[exercise.slug] = str(error)

    def next_part(self) -> tuple[str, PartResult] | None:
        """The first part in teaching order that is not right."""
        waiting = [(slug, one) for slug in sorted(self.results) for one in self.results[slug] if one.status != "passed"]
        return waiting[0] if waiting else None


def places(path: Path, assignment: str = "", course: Path = COURSE) -> dict[str, tuple[Path, Exercise]]:
    """The assignments at `path`: one folder's or file's, or those of the folders in it. Raises InputError for none."""
    inside = sorted(folder for folder in path.iterdir() if folder.is_dir()) if path.is_dir() else []
    found = {slug: folder for folder in inside if (slug := slug_of(folder, course))}
    if found and not assignment and not slug_of(path, course):
        return {slug: (folder, load_exercise(slug, course)) for slug, folder in sorted(found.items())}
    exercise = assignment_of(path, assignment, course)
    return {exercise.slug: (path, exercise)}


def changed(places: Mapping[str, tuple[Path, Exercise]], files: Sequence[Path]) -> list[str]:
    """Whose files these are, by slug."""
    folders = {slug: (place if place.is_dir() else place.parent).resolve() for slug, (place, _) in places.items()}
    return [slug for slug, folder in folders.items() if any(file.resolve().is_relative_to(folder) for file in files)]


def view(progress: Progress, course: Path = COURSE) -> RenderableType:
    """The course's parts as a bar, each assignment begun as a row, and the next part in full."""
    everything = sum(len(load_exercise(slug, course).parts) for slug in assignments(course))
    right = sum(one.status == "passed" for results in progress.results.values() for one in results)
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_row(
        Text("course", style="bold"), ProgressBar(everything, right, width=30), Text(f"{right} of {everything} parts right")
    )
    for slug, results in sorted(progress.results.items()):
        marks = Text(" ").join(_mark(one) for one in results)
        table.add_row(slug, marks, Text(f"{sum(one.status == 'passed' for one in results)} of {len(results)}"))
    shown: list[RenderableType] = [table]
    shown += [Text(visible(f"{slug}: {words}"), style="red") for slug, words in sorted(progress.trouble.items()) if words]
    following = progress.next_part()
    if following:
        slug, part = following
        shown += [Text(), Text(f"Now: {slug}, {part.part.id}", style="bold")]
        shown += [Text(line, style=style) for line, style in as_lines(part, ASK)]
    elif progress.results:
        shown += [Text(), Text("All of it is right. The next assignment: autograder new", style="bold green")]
    return Group(*shown)


def show(console: Console, progress: Progress, course: Path = COURSE) -> None:
    """A fresh screen in a terminal; one report after the other in a file."""
    if console.is_terminal:
        console.clear()
    console.print(view(progress, course), soft_wrap=not console.is_terminal)


def _mark(result: PartResult) -> Text:
    mark, style = {"passed": ("✓", "green"), "failed": ("✗", "red"), "not-attempted": ("·", "yellow")}[result.status]
    return Text(f"{mark} {result.part.id}", style=style)
