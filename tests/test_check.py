"""check() and hint() in a real kernel and in a plain script: the panel, the one line, and nothing left behind."""

from __future__ import annotations

import queue
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.manager import KernelManager
from nbgrader.utils import determine_grade
from support import ROOT

SETUP = """
import itertools, math
class Value:
    births = itertools.count()
    made = []
    total = 0
    def __init__(self, data, _children=(), _op="", label=""):
        self._prev, self._op, self.label = set(_children), _op, label
        self.data, self.grad, self._backward = data, 0.0, lambda: None
        self._born = next(Value.births)
        Value.made.append(self._born)
        Value.total += 1
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")
        def rule():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = rule
        return out
    def __rmul__(self, other):
        return self * other
    def backward(self):
        order, seen, stack = [], set(), [self]
        while stack:
            node = stack.pop()
            if node not in seen:
                seen.add(node)
                order.append(node)
                stack.extend(node._prev)
        self.grad = 1.0
        for node in sorted(order, key=lambda one: -one._born):
            node._backward()
"""
RIGHT = """
def __mul__(self, other):
    other = other if isinstance(other, Value) else Value(other)
    out = Value(self.data * other.data, (self, other), "*")
    def rule():
        self.grad += other.data * out.grad
        other.grad += self.data * out.grad
    out._backward = rule
    return out
Value.__mul__ = __mul__
"""
OWN_OPERAND = RIGHT.replace("self.grad += other.data", "self.grad += self.data").replace(
    "other.grad += self.data * out", "other.grad += other.data * out"
)
UNTOUCHED = "def __mul__(self, other):\n    raise NotImplementedError\nValue.__mul__ = __mul__\n"
MUL = "def __mul__(self, other):\n    {}\nValue.__mul__ = __mul__\n"


class Kernel:
    """A real kernel; `run` gives the outputs of one cell."""

    def __init__(self) -> None:
        self.manager = KernelManager(kernel_name="python3")
        self.manager.start_kernel(cwd=str(ROOT))
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)

    def run(self, code: str, timeout: float = 40, interrupt_after: float | None = None) -> list[dict[str, Any]]:
        request = self.client.execute(code, allow_stdin=False)
        outputs: list[dict[str, Any]] = []
        while True:
            try:
                message = self.client.get_iopub_msg(timeout=interrupt_after or timeout)
            except queue.Empty:
                if interrupt_after is None:
                    raise
                self.manager.interrupt_kernel()
                interrupt_after = None
                continue
            if message["parent_header"].get("msg_id") != request:
                continue
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                return outputs
            if message["msg_type"] in ("stream", "display_data", "execute_result", "error"):
                outputs.append({"type": message["msg_type"], **message["content"]})

    def value(self, expression: str) -> str:
        (result,) = self.run(expression)
        assert result["type"] == "execute_result", result
        return str(result["data"]["text/plain"])

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def started() -> Iterator[Kernel]:
    kernel = Kernel()
    kernel.run("from autograder import check, hint")
    yield kernel
    kernel.close()


@pytest.fixture
def kernel(started: Kernel) -> Kernel:
    started.run(SETUP)
    return started


def panel(outputs: list[dict[str, Any]]) -> tuple[str, str]:
    assert outputs and outputs[0]["type"] == "display_data", outputs
    return outputs[0]["data"]["text/html"], outputs[0]["data"]["text/plain"]


def test_a_right_part_shows_a_panel_and_nothing_else(kernel: Kernel) -> None:
    kernel.run(RIGHT)
    outputs = kernel.run('check("mul-gradient")')
    html, text = panel(outputs)
    assert len(outputs) == 1
    assert "✓ all checks passed" in html and "✓ all checks passed" in text
    assert "<script" not in html and "http" not in html.replace("http://www.w3.org/", "")


def test_a_wrong_part_shows_the_smallest_expression_and_raises_in_short(kernel: Kernel) -> None:
    kernel.run(OWN_OPERAND)
    shown, error = kernel.run('check("mul-gradient")')
    html, text = panel([shown])
    assert "<svg" in html and "FIRST WRONG" in html and "grad expected" in html and "grad got" in html
    assert ">> " in text and "expected" in text
    assert error["ename"] == "NotRight" and "expected" in error["evalue"] and error["traceback"] == [error["evalue"]]
    assert len(error["evalue"].splitlines()) <= 5 and "File" not in error["evalue"]
    assert kernel.value("issubclass(__import__('autograder.selfcheck').selfcheck.NotRight, AssertionError)") == "True"


def test_an_untouched_part_is_called_so(kernel: Kernel) -> None:
    kernel.run(UNTOUCHED)
    shown, error = kernel.run('check("mul-data")')
    html, _ = panel([shown])
    assert "not attempted yet" in html and "Traceback" not in html
    assert (error["ename"], error["traceback"]) == ("NotAttemptedYet", ["mul-data: · not attempted yet"])


@pytest.mark.parametrize(("code", "points"), [(UNTOUCHED, 0), (OWN_OPERAND, 0), (RIGHT, 2)], ids=["untouched", "wrong", "right"])
def test_nbgraders_own_execute_gives_the_points_of_what_is_right(kernel: Kernel, code: str, points: int) -> None:
    kernel.run(code)
    kept = ("data", "metadata", "ename", "evalue", "traceback", "name", "text")
    outputs = [
        nbformat.from_dict({"output_type": output["type"], **{key: output[key] for key in kept if key in output}})
        for output in kernel.run('check("mul-gradient")')
    ]
    marks = {"grade": True, "solution": False, "points": 2, "grade_id": "mul-gradient", "locked": True, "schema_version": 3}
    cell = nbformat.v4.new_code_cell('check("mul-gradient")', outputs=outputs, metadata={"nbgrader": marks})
    assert determine_grade(cell) == (points, 2)


def test_nothing_of_the_kernels_is_changed(kernel: Kernel) -> None:
    kernel.run(OWN_OPERAND)
    kernel.run(
        "import random, signal, sys, warnings, builtins, logging\n"
        "keep = [Value(1.0)]\n"
        "def state():\n"
        "    return {'names': sorted(n for n in globals() if not n.startswith('_')), 'value': dict(vars(Value)),\n"
        "            'births': repr(Value.births), 'made': list(Value.made), 'total': Value.total, 'keep': vars(keep[0]).copy(),\n"
        "            'random': random.getstate(), 'prof': signal.getsignal(signal.SIGPROF), 'int': signal.getsignal(signal.SIGINT),\n"
        "            'timer': signal.getitimer(signal.ITIMER_PROF), 'path': list(sys.path), 'meta': list(sys.meta_path),\n"
        "            'filters': list(warnings.filters), 'input': builtins.input, 'depth': sys.getrecursionlimit(),\n"
        "            'out': sys.stdout, 'err': sys.stderr, 'last': [getattr(sys, n, None) for n in ('last_type', 'last_value')],\n"
        "            'hook': sys.unraisablehook, 'excepthook': sys.excepthook, 'log': list(logging.root.handlers),\n"
        "            'level': logging.root.level, 'tests': [n for n in sys.modules if 'test_03' in n]}\n"
        "1 / 0"
    )
    kernel.run("before = after = None; before = state()")
    assert kernel.run('check("mul-gradient")')[-1]["ename"] == "NotRight"
    kernel.run("after = state()")
    changed = "[(n, before[n], after[n]) for n in before if before[n] != after[n] and n not in ('births', 'value')]"
    # sys.last_value is what IPython itself keeps of the line that the check raised.
    assert kernel.value(changed.replace("('births'", "('last', 'births'")) == "[]"
    assert kernel.value("before['births'] == after['births']") == "True"
    assert kernel.value("[n for n in before['value'] if n != 'births' and before['value'][n] is not after['value'][n]]") == "[]"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("while True: pass", "still running"),
        ("return self * other", "RecursionError"),
        ("import sys; sys.setrecursionlimit(10**6); return self * other", "RecursionError"),
        ("while True: print('flood ' * 1000)", "still running"),
        ("return Value(float(input('a number: ')))", "input() has nobody to answer it"),
        ("raise SystemExit", "SystemExit"),
    ],
    ids=["loop", "recursion", "deeper", "flood", "input", "exit"],
)
def test_the_kernel_outlives_the_code(kernel: Kernel, body: str, words: str) -> None:
    kernel.run(MUL.format(body))
    outputs = kernel.run('check("mul-data")')
    assert [output["type"] for output in outputs] == ["display_data", "error"]
    assert words in panel(outputs)[1]
    assert kernel.value("6 * 7") == "42" and kernel.value("__import__('sys').getrecursionlimit() >= 1000") == "True"


def test_an_interrupt_ends_the_check(kernel: Kernel) -> None:
    kernel.run(MUL.format("import time; time.sleep(60)"))
    assert kernel.run('check("mul-data")', interrupt_after=1.5)[-1]["ename"] == "KeyboardInterrupt"
    assert kernel.value("6 * 7") == "42"


def test_a_crash_names_the_cell_and_the_line(kernel: Kernel) -> None:
    kernel.run("def helper(x):\n    return x.nothing_like_this\n")
    cell = kernel.value("len(In) - 2")
    kernel.run(MUL.format("return helper(self)"))
    text = panel(kernel.run('check("mul-data")'))[1]
    assert f"In [{cell}], line 2, in helper: return x.nothing_like_this" in text
    assert "site-packages" not in text and "autograder/" not in text


def test_what_a_student_wrote_is_escaped(kernel: Kernel) -> None:
    hostile = "</pre><script>alert(1)</script>&lt;\\x1b[31m\\u202e"
    kernel.run(MUL.format(f"raise ValueError('{hostile}')"))
    html, text = panel(kernel.run('check("mul-data")'))
    assert "<script" not in html and "&lt;/pre&gt;&lt;script&gt;" in html and "&amp;lt;" in html
    assert "\x1b" not in text + html and "\u202e" not in text + html
    kernel.run("class Evil(float):\n    def __repr__(self): return '<script>'\n")
    kernel.run(MUL.format("return type('<img src=x onerror=alert(1)>', (), {'data': Evil(1)})()"))
    html, _ = panel(kernel.run('check("mul-data")'))
    assert "<img" not in html and "<script" not in html


def test_unknown_parts_and_notebook_names(kernel: Kernel) -> None:
    (error,) = kernel.run('check("mul-gradeint")')
    assert "mul-gradient" in error["evalue"]


def test_hints_come_one_at_a_time(kernel: Kernel) -> None:
    said = [kernel.run('hint("mul-graph")')[0]["text"] for _ in range(3)]
    assert re.match(r"Hint 1 of \d", said[0]) and re.match(r"Hint 2 of \d", said[1]) and said[0] != said[1]


def script(tmp_path: Path, *parts: str) -> subprocess.CompletedProcess[str]:
    path = tmp_path / "mine.py"
    path.write_text("\n".join(parts))
    return subprocess.run([sys.executable, str(path)], capture_output=True, text=True, cwd=tmp_path, timeout=60)


def test_a_script_prints_the_same_as_text(tmp_path: Path) -> None:
    done = script(tmp_path, "from autograder import check", SETUP, OWN_OPERAND, 'check("mul-gradient")')
    assert done.returncode == 1 and "FIRST WRONG" in done.stdout and "<" not in done.stdout
    done = script(tmp_path, "from autograder import check", SETUP, RIGHT, 'check("mul-gradient")')
    assert done.returncode == 0 and "✓ all checks passed" in done.stdout and not done.stderr


def test_a_crash_in_a_script_names_the_file_and_the_line(tmp_path: Path) -> None:
    done = script(tmp_path, "from autograder import check", SETUP, MUL.format("return self.nothing"), 'check("mul-data")')
    line = 1 + len(SETUP.split("\n")) + 2
    assert f"mine.py, line {line}, in __mul__: return self.nothing" in done.stdout


def test_importing_loads_neither_a_command_line_nor_pytest() -> None:
    code = "import sys; from autograder import check, hint; print(*{'pytest', '_pytest', 'rich', 'click', 'graphviz'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
