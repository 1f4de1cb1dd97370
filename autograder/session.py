"""One submission's life in workers: its cells, its messages, and a fresh worker where one dies."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from .errors import Crashed, TimedOut
from .exercise import Limits
from .notebook import Cell
from .protocol import Failure, ProtocolError, cell_result, failure
from .sandbox import Obtained, Worker, WorkerDied, WorkerLate, Zygote
from .submission import Submission

RESTARTS = 40
SHORTEST = 0.25
ENDED = "the process that ran the code ended: os._exit, a crash of Python itself, or more memory than there is"
NONSENSE = "something other than the grader's worker answered: do not write to descriptors that your code did not open"


@dataclass(frozen=True)
class CellReport:
    """What a cell left behind: printed text, lines left out as IPython's, and its error with the line."""

    index: int
    file: str
    printed: str = ""
    error: str = ""
    line: int | None = None
    left_out: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        return f"{self.file}, line {self.line}" if self.line else self.file


class Session:
    """A transport that keeps one submission answering: cells run once in each worker, deadly ones once in all.

    Raises StudentFault from `ask`; GraderError and InputError pass through.
    """

    def __init__(self, submission: Submission, zygote: Zygote, limits: Limits, seed: int) -> None:
        self.submission, self.zygote, self.limits, self.seed = submission, zygote, limits, seed
        self.reports: dict[int, CellReport] = {}
        self.deadly: set[int] = set()
        self.worker: Worker | None = None
        self.obtained = Obtained(())
        self.starts = 0
        self.patience = limits.seconds
        self.spent = 0.0

    @property
    def trouble(self) -> str:
        """The first cell that failed, and how."""
        failed = [report for _, report in sorted(self.reports.items()) if report.error]
        return f"{failed[0].place} stopped with {failed[0].error}" if failed else ""

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """The reply to one message about the loaded submission."""
        self.start()
        try:
            reply = self._timed({"seconds": self.patience, **request}, self.patience)
        except WorkerLate:
            self._impatient()
            raise TimedOut("the code was still running at the deadline: does a loop or a recursion end?") from None
        except WorkerDied:
            raise Crashed("SystemExit", ENDED) from None
        except ProtocolError as error:
            raise Crashed("nonsense", f"{NONSENSE} ({error})") from None
        try:
            late = "error" in reply and failure(reply["error"]).late
        except ProtocolError as error:
            raise Crashed("nonsense", f"{NONSENSE} ({error})") from None
        if late:
            self._impatient()
        return reply

    def _impatient(self) -> None:
        # A loop that never ends would cost its deadline at every test; each time it is given half.
        self.patience = max(self.patience / 2, SHORTEST)

    def start(self) -> None:
        """Have a worker in which every cell has run that can."""
        while self.worker is None:
            if self.starts >= RESTARTS:
                raise Crashed("SystemExit", f"{ENDED} ({RESTARTS} times; the rest was not run)")
            self.starts += 1
            self.worker = self.zygote.spawn(self.submission.modules, self.submission.module, self.seed)
            self.obtained = self.worker.obtained
            for cell in self.submission.cells:
                if cell.index not in self.deadly and not self._run(cell):
                    break

    def _run(self, cell: Cell) -> bool:
        """Run one cell; False where it ended the worker, and it is left out from then on."""
        request = {"index": cell.index, "file": cell.file, "source": cell.source}
        seconds = self.limits.cell_seconds
        try:
            result = cell_result(self._timed({"seconds": seconds, "cell": request}, seconds))
            report = self._report(cell, result.printed, result.failed)
        except WorkerLate:
            report = self._report(cell, "", None, f"TimeoutError: still running after {seconds:g} s")
        except WorkerDied:
            report = self._report(cell, "", None, f"SystemExit: {ENDED}")
        except ProtocolError:
            report = self._report(cell, "", None, f"SystemExit: {NONSENSE}")
        self.reports.setdefault(cell.index, report)
        if self.worker is None:
            self.deadly.add(cell.index)
        return self.worker is not None

    def _report(self, cell: Cell, printed: str, failed: Failure | None, error: str = "") -> CellReport:
        line = None
        if failed is not None:
            kind = "TimeoutError" if failed.late else failed.kind
            error = f"{kind}: {failed.text}" if failed.text else kind
            line = next((frame.line for frame in failed.frames if frame.file == cell.file), None)
        return CellReport(cell.index, cell.file, printed, error, line, cell.left_out)

    def _timed(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Ask under the wall-clock deadline that goes with `seconds` of processor time, and count it."""
        assert self.worker is not None
        left = self.limits.total_seconds - self.spent
        if left <= 0:
            raise TimedOut(f"the whole submission had {self.limits.total_seconds:g} s, and they are used up")
        began = time.monotonic()
        try:
            return self.worker.ask(request, min(seconds * 4 + 2, left))
        except (WorkerLate, WorkerDied, ProtocolError):
            self.close()
            raise
        finally:
            self.spent += time.monotonic() - began

    def close(self) -> None:
        """End the worker, if there is one; the next message starts another."""
        worker, self.worker = self.worker, None
        if worker is not None:
            worker.close()
