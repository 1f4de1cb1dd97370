"""The untrusted side: runs a student's cells and answers messages about what they defined.

Each message is a list of operations on numbered handles and a list of reads. One `Interpreter` serves
both transports: a confined worker process and a notebook's own kernel. Nothing here knows an expected
answer. This file uses the standard library alone and imports nothing of the package, so that it can be
loaded into an isolated interpreter that sees no other file of ours.
"""

from __future__ import annotations

import ast
import builtins
import importlib.abc
import importlib.machinery
import io
import json
import math
import operator
import os
import random
import signal
import sys
import threading
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any

OUTPUT_LIMIT = 20_000
TEXT_LIMIT = 4_000
ITEM_LIMIT = 200_000
DEPTH_LIMIT = 12
FRAME_LIMIT = 8
Source = tuple[str, int, list[str]]
ABSENT = "is not installed where this is graded"
OPERATORS: dict[str, Callable[..., Any]] = {
    name: getattr(operator, name)
    for name in ("add", "sub", "mul", "truediv", "pow", "neg", "pos", "abs", "iadd", "isub", "imul", "getitem")
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    **OPERATORS,
    **{name: getattr(math, name) for name in ("sin", "tanh", "exp", "log")},
    "relu": lambda x: x if x > 0 else 0.0 * x,
}


class Deadline(BaseException):
    """The code ran longer than its limit; not an `Exception`, so that a student's `except` lets it through."""


class Placeholder(types.ModuleType):
    """Stands for a package that is absent, so that an import line does not cost the lines after it.

    Attributes and calls give placeholders again (`plt.plot(...)` draws nothing); counting on one raises.
    """

    def __getattr__(self, name: str) -> Placeholder:
        if name.startswith("__"):
            raise AttributeError(name)
        return Placeholder(f"{self.__name__}.{name}")

    def __call__(self, *args: object, **kwargs: object) -> Placeholder:
        return Placeholder(f"{self.__name__}()")

    def __enter__(self) -> Placeholder:
        return self

    def __exit__(self, *exc: object) -> None:
        return None

    def __iter__(self) -> Iterator[Placeholder]:
        # `figure, axes = plt.subplots()` is the one unpacking that notebooks are full of.
        return iter((self, self))

    def _refuse(self, *args: object) -> Any:
        raise ModuleNotFoundError(f"{self.__name__.split('.')[0]} {ABSENT}")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refuse
    __pow__ = __rpow__ = __neg__ = __float__ = __int__ = __bool__ = __len__ = __getitem__ = _refuse


class Imports(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the student's other files, and placeholders for packages that a cell or a file imports at its top level.

    It stands last in `sys.meta_path`: a submitted math.py never shadows the standard library's. An import
    that the student guards with `try` still raises ImportError, as its author planned.
    """

    def __init__(self, modules: dict[str, str]) -> None:
        self.modules = modules
        self.absent = {"autograder"}

    def find_spec(self, name: str, path: object = None, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if name in self.modules or f"{name}.__init__" in self.modules:
            package = f"{name}.__init__" in self.modules
        elif any(known.startswith(f"{name}.") for known in self.modules) or name.split(".")[0] in self.absent:
            package = True
        else:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=package)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType | None:
        return Placeholder(spec.name) if spec.name.split(".")[0] in self.absent else None

    def exec_module(self, module: types.ModuleType) -> None:
        for name in (module.__name__, f"{module.__name__}.__init__"):
            if name in self.modules:
                tree = ast.parse(self.modules[name], file_name(name))
                self.expect(tree)
                exec(compile(tree, file_name(name), "exec", dont_inherit=True), module.__dict__)

    def expect(self, tree: ast.Module) -> None:
        """Note which packages the code imports without a guard and without having them."""
        for node in tree.body:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            for root in {name.split(".")[0] for name in names}:
                ours = any(known.split(".")[0] == root for known in self.modules)
                if not ours and root not in sys.modules and not importable(root):
                    self.absent.add(root)


def importable(root: str) -> bool:
    if root in sys.stdlib_module_names:
        return True
    try:
        return any(finder.find_spec(root, None) for finder in sys.meta_path if not isinstance(finder, Imports))
    except (ImportError, ValueError):
        return False


def file_name(module: str) -> str:
    return module.removesuffix(".__init__").replace(".", "/") + ("/__init__.py" if module.endswith("__init__") else ".py")


class CappedText(io.TextIOBase):
    """Keeps the first part of what is printed, however much it is."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.room = OUTPUT_LIMIT

    def write(self, text: str) -> int:
        if self.room > 0:
            self.parts.append(str(text)[: self.room])
            self.room -= len(text)
        return len(text)

    def text(self) -> str:
        return "".join(self.parts) + ("\n[the output went on]" if self.room < 0 else "")


class Interpreter:
    """Carries out messages on one namespace.

    `namespace` is the student's: a fresh dict in a worker, the user's own in a notebook. `seconds` is the
    processor time that one message may take before `Deadline` is raised inside it. With a `seed`, `random` is
    seeded at each reset, so that every test meets the same random weights.
    """

    # Whether this is somebody's own process, where Ctrl-C is theirs.
    shared = False

    def __init__(
        self,
        namespace: dict[str, Any],
        modules: dict[str, str] | None = None,
        seconds: float | None = None,
        seed: int | None = None,
    ) -> None:
        self.namespace = namespace
        self.seed = seed
        self.imports = Imports(modules or {})
        self.seconds = seconds
        self.sources = {file_name(name): (0, source.splitlines()) for name, source in self.imports.modules.items()}
        self.handles: list[Any] = []
        self.numbers: dict[int, int] = {}
        self.kept: list[Any] = []

    def answer(self, line: str) -> str:
        """The reply to one message; both are JSON texts without a line end."""
        request = json.loads(line)
        body: dict[str, Any]
        try:
            with self._deadline(request.get("seconds", self.seconds)):
                body = self._cell(request["cell"]) if "cell" in request else self._message(request)
        except KeyboardInterrupt as error:
            if self.shared:
                raise
            body = {"error": self._error(error)}
        except BaseException as error:
            body = {"error": self._error(error)}
        return json.dumps({"id": request["id"], **body}, allow_nan=False)

    @contextmanager
    def _deadline(self, seconds: float | None) -> Iterator[None]:
        # Python hands signals to its main thread alone.
        if not seconds or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
            yield
            return

        def stop(*_: object) -> None:
            raise Deadline(f"still running after {seconds:g} s")

        before = signal.signal(signal.SIGPROF, stop)
        # The timer repeats: one exception that a bare `except` swallows is not the last one.
        timer = signal.setitimer(signal.ITIMER_PROF, seconds, 0.2)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before or signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_PROF, *timer)

    def _cell(self, cell: dict[str, Any]) -> dict[str, Any]:
        name, source = str(cell["file"]), str(cell["source"])
        self.sources[name] = (int(cell["index"]), source.splitlines())
        printed, error = CappedText(), None
        with redirect_stdout(printed), redirect_stderr(printed):
            try:
                tree = ast.parse(source, name)
                self.imports.expect(tree)
                exec(compile(tree, name, "exec", dont_inherit=True), self.namespace)
            except BaseException as caught:
                error = self._error(caught)
        return {"printed": printed.text(), "failed": error}

    def _message(self, request: dict[str, Any]) -> dict[str, Any]:
        if request.get("reset"):
            self.handles, self.numbers, self.kept = [], {}, []
            if self.seed is not None:
                random.seed(self.seed)
        with redirect_stdout(CappedText()), redirect_stderr(CappedText()):
            for number, (code, *args) in enumerate(request["ops"]):
                try:
                    self.handles.append(getattr(self, f"_op_{code}")(*args))
                except BaseException as error:
                    if isinstance(error, KeyboardInterrupt) and self.shared:
                        raise
                    self.handles.extend([None] * (len(request["ops"]) - number))
                    return {"error": {**self._error(error), "op": number}}
        budget = [ITEM_LIMIT]
        return {"reads": [self._encode(self.handles[int(handle)], 0, budget) for handle in request["reads"]]}

    def _op_name(self, name: str) -> Any:
        return self.namespace[name]

    def _op_classes(self) -> list[str]:
        """Names of the classes that the submission defines, in order of definition."""
        own = {self.namespace.get("__name__"), *(name.removesuffix(".__init__") for name in self.imports.modules)}
        found = self.namespace.items()
        return [name for name, value in found if isinstance(value, type) and value.__module__ in own]

    def _op_lit(self, value: Any) -> Any:
        return self._decode(value)

    def _op_call(self, function: int, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        named = {name: self._decode(value) for name, value in kwargs.items()}
        return self.handles[function](*[self._decode(value) for value in args], **named)

    def _op_attr(self, target: int, name: str) -> Any:
        return getattr(self.handles[target], name)

    def _op_set(self, target: int, name: str, value: Any) -> None:
        setattr(self.handles[target], name, self._decode(value))

    def _op_op(self, name: str, *args: Any) -> Any:
        return OPERATORS[name](*[self._decode(value) for value in args])

    def _op_function(self, count: int, steps: Sequence[Any]) -> Callable[..., Any]:
        """A plain function of `count` numbers; each step names an operation and earlier results by place."""

        def function(*numbers: Any) -> Any:
            if len(numbers) != count:
                raise TypeError(f"this function takes {count} numbers and got {len(numbers)}")
            values = list(numbers)
            for name, args in steps:
                values.append(FUNCTIONS[name](*[values[arg] if isinstance(arg, int) else self._decode(arg) for arg in args]))
            return values[-1]

        return function

    def _op_each(self, target: int, name: str) -> list[Any]:
        return [getattr(item, name) for item in self.handles[target]]

    def _op_list(self, target: int) -> list[Any]:
        return list(self.handles[target])

    def _op_str(self, target: int, form: str) -> str:
        return repr(self.handles[target]) if form == "repr" else str(self.handles[target])

    def _decode(self, value: Any) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            return self.handles[value]
        ((tag, held),) = value.items()
        if tag == "f":
            return float.fromhex(held)
        if tag == "i":
            return int(held, 16)
        if tag == "s":
            return held
        items = [self._decode(item) for item in held]
        return tuple(items) if tag == "t" else items

    def _encode(self, value: Any, depth: int, budget: list[int]) -> Any:
        budget[0] -= 1
        if budget[0] < 0 or depth > DEPTH_LIMIT:
            raise ValueError("the result is too large or too deeply nested to look at")
        kind = type(value)
        if value is None or kind is bool:
            return value
        if kind is float:
            return {"f": value.hex()}
        if kind is int and value.bit_length() < 4_000:
            return {"i": format(value, "x")}
        if kind is str:
            return {"s": value[:TEXT_LIMIT]}
        if kind in (list, tuple, set, frozenset):
            tag = "l" if kind is list else "t" if kind is tuple else "S"
            return {tag: [self._encode(item, depth + 1, budget) for item in value]}
        if kind is dict:
            pairs = value.items()
            return {"d": [[self._encode(a, depth + 1, budget), self._encode(b, depth + 1, budget)] for a, b in pairs]}
        absent = f"{value.__name__} ({ABSENT})" if kind is Placeholder else ""
        return {"o": self._number(value), "c": absent or str(kind.__name__)[:80]}

    def _number(self, value: Any) -> int:
        """A number for an object's identity, the same at each read until the next reset."""
        if id(value) not in self.numbers:
            self.numbers[id(value)] = len(self.kept)
            self.kept.append(value)
        return self.numbers[id(value)]

    def _error(self, error: BaseException) -> dict[str, Any]:
        try:
            text = str(error)[:TEXT_LIMIT].encode("utf-8", "replace").decode()
        except BaseException:
            text = ""
        frames = []
        step = error.__traceback__
        while step is not None:
            code = step.tb_frame.f_code
            if source := self.source(code.co_filename):
                frames.append(frame(source, step.tb_lineno, code.co_name))
            step = step.tb_next
        if isinstance(error, SyntaxError) and (source := self.source(str(error.filename))):
            text = str(error.msg)
            frames = [frame(source, error.lineno or 1, "<module>")]
        return {
            "type": str(type(error).__name__)[:80],
            "text": text,
            "missing": isinstance(error, NotImplementedError),
            "late": isinstance(error, Deadline),
            "frames": frames[-FRAME_LIMIT:],
        }

    def source(self, file: str) -> Source | None:
        """What messages call a file of the student's, with its cell and its lines; None for anybody else's file."""
        return (file, *self.sources[file]) if file in self.sources else None


def frame(source: Source, line: int, function: str) -> dict[str, Any]:
    name, index, lines = source
    text = lines[line - 1].strip()[:200] if 0 < line <= len(lines) else ""
    return {"file": name, "cell": index, "line": line, "function": function, "text": text}


def refuse_input(prompt: object = "") -> str:
    raise EOFError("input() has nobody to answer it where this is graded")


def serve(channel: int, job: dict[str, Any]) -> None:
    """Answer messages on a descriptor until it closes; the worker process's whole life."""
    module = types.ModuleType(job["name"])
    sys.modules[job["name"]] = module
    builtins.input = refuse_input
    random.seed(job["seed"])
    interpreter = Interpreter(module.__dict__, job["modules"], seed=job["seed"])
    sys.meta_path.append(interpreter.imports)
    with os.fdopen(channel, "rb", closefd=False) as requests:
        for line in requests:
            reply = interpreter.answer(line.decode()).encode() + b"\n"
            while reply:
                reply = reply[os.write(channel, reply) :]
