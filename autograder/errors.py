"""Whose fault it is: the student's code, the input given, the course author's files, or the grader itself.

The types decide the tone and the exit code: only a `StudentFault` may become a score.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Frame:
    """One line of the student's own code on the way to an exception."""

    file: str
    cell: int
    line: int
    function: str
    text: str

    def __str__(self) -> str:
        place = f"{self.file}, line {self.line}"
        place += f", in {self.function}" if self.function != "<module>" else ""
        return f"{place}: {self.text}" if self.text else place


class StudentFault(Exception):
    """Something in the submission is wrong; it costs points and is told to the student."""


class WrongAnswer(StudentFault, AssertionError):
    """The code ran and gave something other than what was asked for."""


class Crashed(StudentFault):
    """The student's code raised, or ended its own process."""

    def __init__(self, kind: str, text: str, frames: tuple[Frame, ...] = (), during: str = "") -> None:
        self.kind, self.text, self.frames, self.during = kind, text, frames, during
        super().__init__(kind, text)

    def __str__(self) -> str:
        what = f"{self.kind}: {self.text}" if self.text else self.kind
        lines = [f"{self.during} raised {what}" if self.during else what]
        return "\n".join(lines + [f"  {frame}" for frame in self.frames[-3:]])


class NotAttempted(Crashed):
    """The skeleton's NotImplementedError is still there."""


class TimedOut(StudentFault):
    """The student's code was still running at its deadline."""


class OneLine(Exception):
    """An error whose message says all: a notebook shows it without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


class InputError(OneLine):
    """What was given cannot be used; the message is one line that says why and what to do next."""


class CourseError(Exception):
    """A file of the course's author is wrong; the message names the file and the mend."""


class GraderError(Exception):
    """The grader itself failed. It is never turned into a score."""
