"""The second transport: the same messages, answered inside this process on a namespace that is already there.

For a notebook's kernel and the browser, where the code is the user's own and there is nothing to hide.
"""

from __future__ import annotations

import json
from typing import Any

from .errors import Crashed
from .notebook import Cell
from .protocol import CellResult, ProtocolError, cell_result, parse
from .worker import Interpreter


class InProcess:
    """Answers on `namespace`, whose names are left as they are; `seconds` is the deadline of one message."""

    def __init__(self, namespace: dict[str, Any], seconds: float | None = 2.0) -> None:
        self.interpreter = Interpreter(namespace, seconds=seconds)

    @property
    def trouble(self) -> str:
        """Always "": the user has seen their own cells fail."""
        return ""

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """The reply, read as strictly as a worker's."""
        line = self.interpreter.answer(json.dumps({"id": 0, **request}))
        try:
            return parse(line.encode())
        except ProtocolError as error:
            raise Crashed("nonsense", f"the result cannot be read: {error}") from None

    def run(self, cell: Cell) -> CellResult:
        """Run one cell in the namespace, as a kernel would."""
        return cell_result(self.ask({"cell": {"index": cell.index, "file": cell.file, "source": cell.source}}))
