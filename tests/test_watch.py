"""A folder of one's own: new, check, hint, watch, and plain pytest, through the real commands."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import ROOT, autograder

from autograder import inprocess, workspace
from autograder.exercise import load_exercise
from autograder.public import run_public
from autograder.submission import read_submission

SKELETON = ROOT / "assignments" / "03_mul" / "micrograd.py"
STUB = re.compile(r"^    raise NotImplementedError$", re.M)
RIGHT = """    other = other if isinstance(other, Value) else Value(other)
    out = Value(self.data * other.data, (self, other), "*")
    def rule():
        self.grad += other.data * out.grad
        other.grad += self.data * out.grad
    out._backward = rule
    return out
"""
NO_RULE = RIGHT.replace("    out._backward = rule\n", "")


def write(folder: Path, body: str) -> None:
    (folder / "micrograd.py").write_text(STUB.sub(lambda _: body.rstrip("\n"), SKELETON.read_text()))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    done = autograder("new", "03_mul", cwd=tmp_path)
    assert done.returncode == 0 and "autograder check 03_mul" in done.stdout, done.stderr
    return tmp_path / "03_mul"


def test_new_copies_and_never_writes_over_work(folder: Path) -> None:
    assert (folder / "micrograd.py").read_text() == SKELETON.read_text()
    (folder / "micrograd.py").write_text("my work")
    done = autograder("new", "03_mul", cwd=folder.parent)
    assert done.returncode == 2 and "not empty" in done.stderr and "Traceback" not in done.stderr
    assert (folder / "micrograd.py").read_text() == "my work"
    assert autograder("new", "03_mull", cwd=folder.parent).returncode == 2
    file = folder.parent / "file"
    file.write_text("x")
    assert autograder("new", "03_mul", file).returncode == 2 and file.read_text() == "x"


def test_check_from_not_attempted_over_wrong_to_right(folder: Path) -> None:
    done = autograder("check", cwd=folder)
    assert done.returncode == 1 and "not attempted yet" in done.stdout and "0 of 3 parts are right" in done.stdout
    write(folder, NO_RULE)
    done = autograder("check", folder)
    assert done.returncode == 1 and "2 of 3 parts are right" in done.stdout
    assert "expected 5, got 0" in done.stdout and "FIRST WRONG" in done.stdout and "Hint:" in done.stdout
    write(folder, RIGHT)
    done = autograder("check", folder)
    assert done.returncode == 0 and "3 of 3 parts are right" in done.stdout, done.stdout
    assert autograder("check", folder / "micrograd.py").returncode == 0


def test_check_names_the_file_and_the_line(folder: Path) -> None:
    write(folder, "    return self.nothing_like_this")
    lines = (folder / "micrograd.py").read_text().splitlines()
    done = autograder("check", folder)
    line = next(number for number, text in enumerate(lines, 1) if "nothing_like_this" in text)
    assert re.search(rf"micrograd\.py.*, line {line}, in __mul__: return self.nothing_like_this", done.stdout)
    assert "Traceback" not in done.stdout + done.stderr and "worker.py" not in done.stdout
    (folder / "micrograd.py").write_text("def broken(:\n")
    done = autograder("check", folder)
    assert done.returncode == 1 and "micrograd.py, line 1 stopped with SyntaxError" in done.stdout


def test_check_ends_whatever_the_code_does(folder: Path) -> None:
    write(folder, "    while True:\n        print('flood' * 1000)")
    done = autograder("check", folder)
    assert done.returncode == 1 and "still running" in done.stdout and "flood" not in done.stdout.replace("flood' *", "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], "does not exist"),
        (["."], "Add --assignment"),
        ([".", "--assignment", "03_nul"], "no assignment"),
        ([".", "--assignment", "03_mul"], "holds no .py"),
    ],
)
def test_what_cannot_be_checked_is_one_line(tmp_path: Path, arguments: list[str], words: str) -> None:
    done = autograder("check", *arguments, cwd=tmp_path)
    assert done.returncode == 2 and words in done.stderr and len(done.stderr.splitlines()) == 1 and not done.stdout


def test_hints_come_one_at_a_time(tmp_path: Path) -> None:
    said = [autograder("hint", "mul-graph", cwd=tmp_path).stdout for _ in range(2)]
    assert said[0].startswith("Hint 1 of 3") and said[1].startswith("Hint 2 of 3")
    assert autograder("hint", "mul-graph", "--all", cwd=tmp_path).stdout.count("Hint ") == 3
    (tmp_path / ".autograder-hints.json").write_text("[broken")
    assert autograder("hint", "mul-graph", cwd=tmp_path).stdout.startswith("Hint 1 of 3")
    done = autograder("hint", "mul-graf", cwd=tmp_path)
    assert done.returncode == 2 and "mul-graph" in done.stderr


def own_pytest(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(folder)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    return subprocess.run(command, capture_output=True, text=True, cwd=folder.parent, env=environment, timeout=120)


def test_plain_pytest_speaks_the_courses_words(folder: Path) -> None:
    write(folder, NO_RULE)
    done = own_pytest(folder)
    assert done.returncode == 1 and "width.grad: expected 5, got 0" in done.stdout and "Each factor's gradient" in done.stdout
    assert "def test_" not in done.stdout and "gradcheck.py" not in done.stdout
    write(folder, RIGHT)
    done = own_pytest(folder)
    assert done.returncode == 0 and re.search(r"\d+ passed", done.stdout) and "warning" not in done.stdout


def test_without_fork_the_check_runs_in_this_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork")
    write(folder, "    import helper\n    return helper.times(self, other)")
    (folder / "helper.py").write_text("def times(self, other):\n    from micrograd import Value\n    return Value(6.0)\n")
    before = list(sys.meta_path)
    exercise = load_exercise("03_mul")
    with workspace.answering(read_submission(folder, "03_mul"), exercise) as transport:
        assert isinstance(transport, inprocess.InProcess)
        results = run_public(exercise, transport)
    assert [result.status for result in results] == ["failed"] * 3
    assert sys.meta_path == before and "helper" not in sys.modules
    (folder / "helper.py").unlink()
    write(folder, RIGHT)
    with workspace.answering(read_submission(folder, "03_mul"), exercise) as transport:
        assert [result.status for result in run_public(exercise, transport)] == ["passed"] * 3


class Watch:
    """The real command on a folder; `until` gives what it has printed once the words have come."""

    def __init__(self, folder: Path, printed: Path) -> None:
        self.printed, self.read = printed, 0
        with printed.open("wb") as out:
            self.process = subprocess.Popen([sys.executable, "-m", "autograder", "watch", str(folder)], stdout=out, stderr=out)

    def until(self, words: str) -> str:
        for _ in range(600):
            new = self.printed.read_text()[self.read :]
            if words in new:
                self.read += len(new)
                return new
            assert self.process.poll() is None, self.printed.read_text()
            time.sleep(0.1)
        raise AssertionError(f"{words!r} did not come: {self.printed.read_text()}")


@pytest.fixture
def watch(folder: Path, tmp_path: Path) -> Iterator[Watch]:
    watching = Watch(folder.parent, tmp_path.parent / f"{tmp_path.name}.txt")
    yield watching
    watching.process.kill()
    watching.process.wait()


def test_watch_checks_at_each_save_and_goes_on(folder: Path, watch: Watch) -> None:
    assert "Now: 03_mul, mul-data" in watch.until("For a hint")
    # The first report is printed before the watching begins.
    time.sleep(1.5)
    write(folder, NO_RULE)
    shown = watch.until("For a hint: autograder hint mul-gradient")
    assert "✓ mul-data" in shown and "✓ mul-graph" in shown and "✗ mul-gradient" in shown and "expected 5, got 0" in shown
    (folder / "micrograd.py").write_text("")
    watch.until("is empty")
    write(folder, RIGHT)
    assert re.search(r"3 of \d+ parts right", watch.until("All of it is right"))
    watch.process.send_signal(signal.SIGINT)
    assert watch.process.wait(20) == 0 and "Traceback" not in watch.printed.read_text()
