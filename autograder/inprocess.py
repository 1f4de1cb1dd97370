"""The second transport: the same messages, answered inside this process on a namespace that is already there.

For a notebook's kernel and the browser, where the code is the user's own and there is nothing to hide.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import json
import linecache
import os
import random
import sys
import sysconfig
import warnings
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .errors import Crashed
from .notebook import Cell
from .protocol import CellResult, ProtocolError, cell_result, failure, parse
from .worker import Interpreter, Source, refuse_input

SHORTEST = 0.25
# Deeper recursion than this can end the process itself, whatever limit the user has set.
DEEPEST = 4_000
ITEM_LIMIT = 100_000
LAST_ERROR = ("last_type", "last_value", "last_traceback", "last_exc")
INSTALLED = [str(Path(__file__).parent), *(sysconfig.get_path(kind) for kind in ("stdlib", "platstdlib", "purelib", "platlib"))]
FOREIGN = ("<frozen", *(os.path.join(folder, "") for folder in INSTALLED))


class Here(Interpreter):
    """Knows the user's files by what is not installed: a kernel's cells by their numbers, others by their paths."""

    shared = True

    def __init__(self, namespace: dict[str, Any], modules: dict[str, str] | None, seconds: float | None, seed: int | None) -> None:
        super().__init__(namespace, modules, seconds, seed)
        self.known: dict[str, Source | None] = {}

    def source(self, file: str) -> Source | None:
        # A runaway recursion has thousands of frames, all in one file.
        if file not in self.known:
            self.known[file] = super().source(file) or self._find(file)
        return self.known[file]

    def _find(self, file: str) -> Source | None:
        lines = linecache.getlines(file)
        if cell := _cell_name(file):
            return (cell, 0, lines)
        own = lines and not file.startswith(FOREIGN)
        return (os.path.relpath(file) if os.path.exists(file) else file, 0, lines) if own else None


def _cell_name(file: str) -> str:
    """In [3] for the file that IPython made of a cell, else nothing."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    named = shell.compile.format_code_name(file) if shell else None
    return named[1].replace("[", " [") if named else ""


class InProcess:
    """Answers on `namespace`, whose names are left as they are.

    `seconds` is the processor time of one message; after each that was late, the next has half. With a `seed`,
    every test meets the same random numbers. `modules` are what the code can import, name to source, once
    `interpreter.imports` stands in `sys.meta_path`.
    """

    def __init__(
        self,
        namespace: dict[str, Any],
        seconds: float | None = 2.0,
        seed: int | None = None,
        modules: dict[str, str] | None = None,
    ) -> None:
        self.interpreter = Here(namespace, modules, seconds, seed)

        self.trouble = ""

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """The reply, read as strictly as a worker's."""
        line = self.interpreter.answer(json.dumps({"id": 0, **request}))
        try:
            reply = parse(line.encode())
            late = "error" in reply and failure(reply["error"]).late
        except ProtocolError as error:
            raise Crashed("nonsense", f"the result cannot be read: {error}") from None
        if late and self.interpreter.seconds:
            self.interpreter.seconds = max(self.interpreter.seconds / 2, SHORTEST)
        return reply

    def run(self, cell: Cell) -> CellResult:
        """Run one cell in the namespace, as a kernel would."""
        result = cell_result(self.ask({"cell": {"index": cell.index, "file": cell.file, "source": cell.source}}))
        if result.failed:
            self.trouble = self.trouble or f"{cell.file} stopped with {result.failed.kind}: {result.failed.text}"
        return result


@contextmanager
def undisturbed(namespace: dict[str, Any]) -> Iterator[None]:
    """Undo, at the end, what the user's code changes around itself while it is checked.

    That is: names of the namespace and of its own classes, what its lists, dicts, sets and counters hold, the state of
    `random` and of NumPy's, Python's last error, its path and warning filters. Inside, input() raises.
    """
    classes = [value for value in namespace.values() if isinstance(value, type) and value.__module__ == namespace.get("__name__")]
    tables: list[MutableMapping[str, Any]] = [namespace, *map(_Attributes, classes)]
    before = [{name: (value, _content(name, value)) for name, value in table.items()} for table in tables]
    last = {name: getattr(sys, name) for name in LAST_ERROR if hasattr(sys, name)}
    path, asked, deepest, dice = sys.path[:], builtins.input, sys.getrecursionlimit(), random.getstate()
    numpy = sys.modules.get("numpy.random")
    numpy_dice = numpy.get_state() if numpy else None
    builtins.input = refuse_input
    set_depth = sys.setrecursionlimit
    set_depth(min(deepest, DEEPEST))
    sys.setrecursionlimit = lambda limit: set_depth(min(limit, DEEPEST))
    try:
        with warnings.catch_warnings():
            yield
    finally:
        sys.setrecursionlimit = set_depth
        set_depth(deepest)
        builtins.input = asked
        random.setstate(dice)
        if numpy:
            numpy.set_state(numpy_dice)
        sys.path[:] = path
        for name in LAST_ERROR:
            if name in last:
                setattr(sys, name, last[name])
            elif hasattr(sys, name):
                delattr(sys, name)
        for table, held in zip(tables, before, strict=True):
            _restore(table, held)


class _Attributes(MutableMapping[str, Any]):
    """A class's own attributes, set and deleted past any metaclass of the user's."""

    def __init__(self, cls: type) -> None:
        self.cls = cls

    def __getitem__(self, name: str) -> Any:
        return self.cls.__dict__[name]

    def __setitem__(self, name: str, value: Any) -> None:
        type.__setattr__(self.cls, name, value)

    def __delitem__(self, name: str) -> None:
        type.__delattr__(self.cls, name)

    def __iter__(self) -> Iterator[str]:
        return iter(list(self.cls.__dict__))

    def __len__(self) -> int:
        return len(self.cls.__dict__)


def _content(name: str, value: Any) -> Any:
    """A copy of what a container of Python's own holds, or how far a counter has come; else None."""
    if type(value) in (list, dict, set) and len(value) <= ITEM_LIMIT and not name.startswith("__"):
        return value.copy()
    return repr(value) if type(value) is itertools.count else None


def _restore(table: MutableMapping[str, Any], before: dict[str, tuple[Any, Any]]) -> None:
    for name in [name for name in table if name not in before]:
        del table[name]
    for name, (value, content) in before.items():
        if type(value) is itertools.count and repr(value) != content:
            value = itertools.count(*ast.literal_eval(f"({content[6:-1]},)"))
        elif content is not None and type(value) is list:
            value[:] = content
        elif content is not None and type(value) in (dict, set):
            value.clear()
            value.update(content)
        if name not in table or table[name] is not value:
            table[name] = value
