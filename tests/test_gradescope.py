"""The zips that Gradescope takes: what is in them, and what comes of them in its folders, with its scripts.

setup.sh runs for real, in a clean virtual environment: once with this Python, and once with 3.10 where that is
installed. It is the same script for every assignment, so their other runs share what it made. There is no
container here; what Docker's default profile takes away is taken away by `docker_profile`.
"""

from __future__ import annotations

import ast
import io
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from support import ROOT, autograder
from test_leaks import hidden_tests, leaks, solved

from autograder.build import authored
from autograder.errors import GraderError
from autograder.exercise import load_exercise
from autograder.gradescope import trial
from autograder.gradescope.bundle import bundle
from autograder.gradescope.container import graded_before
from autograder.report.gradescope import Display

SLUGS = authored(ROOT)
GOLDEN = ROOT / "tests" / "golden"
SCHEMA = json.loads((ROOT / "tests" / "gradescope.schema.json").read_text())
OLDEST = "3.10"
DOCKER = [sys.executable, str(ROOT / "tests" / "docker_profile.py")]
FILTERED = sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64")
root_only = pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="Gradescope runs a grader as root")


def find_oldest() -> str | None:
    """Python 3.10, as Ubuntu 22.04 has it: where pyenv keeps its versions, or on the path, where a shim may lead nowhere."""
    found = [str(path) for path in (Path.home() / ".pyenv" / "versions").glob(f"{OLDEST}.*/bin/python{OLDEST}")]
    found += [path for path in [shutil.which(f"python{OLDEST}")] if path]
    return next(
        (path for path in found if subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0), None
    )


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What setup.sh makes of the unpacked zip, as at Gradescope."""
    root = tmp_path_factory.mktemp("this")
    trial.lay_out(archive("03_mul"), root)
    trial.set_up(root)
    return root / "source" / "venv"


@pytest.fixture(scope="module")
def oldest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with Python 3.10, from setup.sh alone: gslocal runs it before it unpacks the rest."""
    python = find_oldest()
    if python is None:
        pytest.skip(f"no Python {OLDEST} here, which Ubuntu 22.04 has")
    root = tmp_path_factory.mktemp("oldest")
    trial.lay_out(archive("03_mul"), root)
    for entry in (root / "source").iterdir():
        if entry.name != "setup.sh":
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    trial.set_up(root, Path(python))
    return root / "source" / "venv"


def archive(slug: str, display: Display = Display()) -> bytes:  # noqa: B008
    return bundle(load_exercise(slug), display)


def container(root: Path, venv: Path, slug: str, display: Display = Display()) -> Path:  # noqa: B008
    """An assignment's zip under a root of its own, with what setup.sh made."""
    trial.lay_out(archive(slug, display), root)
    (root / "source" / "venv").symlink_to(venv)
    return root


def submitted(root: Path, code: str | Path, name: str = "my work.py") -> Path:
    """Hand in a file, or code under a name."""
    if isinstance(code, str):
        folder = root / "upload"
        folder.mkdir(exist_ok=True)
        work = folder / name
        work.write_text(code)
    else:
        work = code
    trial.hand_in(work, root)
    return root


def results(root: Path, before: Sequence[str] = ()) -> dict[str, Any]:
    """The valid results of a run that has to count as graded."""
    (root / "results").mkdir(exist_ok=True)
    command = [*before, str(root / "run_autograder")]
    done = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout
    return valid(root)


def valid(root: Path) -> dict[str, Any]:
    table = json.loads(
        (root / "results" / "results.json").read_text(), parse_constant=lambda name: pytest.fail(f"{name} is no JSON")
    )
    jsonschema.Draft202012Validator(SCHEMA).validate(table)
    assert [path.name for path in (root / "results").iterdir()] == ["results.json"]
    return dict(table)


def lesson(slug: str) -> str:
    return (ROOT / "solutions" / slug / f"{slug}.py").read_text()


def most(slug: str) -> float:
    return load_exercise(slug).max_score


# What is in the zip.


@pytest.mark.parametrize("slug", SLUGS)
def test_a_zip_holds_the_grader_and_its_own_suite_alone(slug: str) -> None:
    opened = zipfile.ZipFile(io.BytesIO(archive(slug)))
    names = opened.namelist()
    for script in ("setup.sh", "run_autograder"):
        assert opened.getinfo(script).external_attr >> 16 == 0o100755
        assert opened.read(script).startswith(b"#!/usr/bin/env bash\n")
    assert {name for name in names if "/" not in name} == {"setup.sh", "run_autograder", "settings.json"}
    assert [name for name in names if "/hidden/" in name] == [f"autograder/hidden/{slug}/test_{slug}.py"]
    assert [name for name in names if "/assignments/" in name] == [f"autograder/assignments/{slug}/exercise.toml"]
    for name in names:
        if name.endswith(".py"):
            ast.parse(opened.read(name), feature_version=(3, 10))


def test_no_zip_holds_a_solution_or_another_hidden_test() -> None:
    every: dict[tuple[str, bytes], None] = {}
    for slug in SLUGS:
        opened = zipfile.ZipFile(io.BytesIO(archive(slug)))
        every |= {(name, opened.read(name)): None for name in opened.namelist()}
    assert leaks(solved(ROOT), iter(every)) == []
    # Two suites may ask the same thing in the same words: their own files are told apart by name, in the test above.
    others = ((name, data) for name, data in every if "/hidden/" not in name)
    assert leaks(hidden_tests(ROOT), others) == []


def test_no_interface_and_no_author_s_tool_is_in_the_zip() -> None:
    names = " ".join(zipfile.ZipFile(io.BytesIO(archive("03_mul"))).namelist())
    assert not re.search(r"cli\.py|commands|build|batch|nbgrade|watch|panel|draw|selfcheck|terminal|public", names)


def test_the_same_zip_is_made_again_to_the_byte(tmp_path: Path) -> None:
    done = autograder("gradescope", "03_mul", "-o", tmp_path / "mul.zip", env={**os.environ, "PYTHONHASHSEED": "1"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "worth 6 autograder points" in done.stdout
    assert (tmp_path / "mul.zip").read_bytes() == archive("03_mul")


def test_setup_is_the_same_for_every_assignment_and_pins_every_version() -> None:
    scripts = {zipfile.ZipFile(io.BytesIO(archive(slug))).read("setup.sh") for slug in SLUGS}
    assert len(scripts) == 1
    pins = scripts.pop().decode().partition("<<'REQUIREMENTS'\n")[2].partition("\nREQUIREMENTS\n")[0].splitlines()
    assert len(pins) > 10
    assert all(re.fullmatch(r"[\w.-]+==[\d.]+(; python_version < \"3\.11\")?", pin) for pin in pins)


# What comes of a submission.


@pytest.mark.parametrize("slug", SLUGS)
def test_the_right_submission_gets_every_point(tmp_path: Path, environment: Path, slug: str) -> None:
    table = results(submitted(container(tmp_path, environment, slug), lesson(slug)))
    assert table["score"] == most(slug)
    assert {test["status"] for test in table["tests"]} == {"passed"}
    assert sum(test["max_score"] for test in table["tests"]) == pytest.approx(most(slug), abs=1e-4)


@pytest.mark.parametrize("slug", ["03_mul", "capstone"])
def test_python_3_10_grades_a_notebook_under_any_name(tmp_path: Path, oldest: Path, slug: str) -> None:
    work = tmp_path / "Untitled 7 (Kopie).ipynb"
    shutil.copy(ROOT / "source" / slug / f"{slug}.ipynb", work)
    table = results(submitted(container(tmp_path, oldest, slug), work))
    assert table["score"] == most(slug)


def test_python_3_10_names_a_mistake(tmp_path: Path, oldest: Path) -> None:
    table = results(submitted(container(tmp_path, oldest, "03_mul"), GOLDEN / "wrong_own_operand" / "micrograd.py"))
    named = [test["extra_data"]["misconception"]["id"] for test in table["tests"] if test["status"] == "failed"]
    assert set(named) == {"mul-own-operand"}


FORGED = (GOLDEN / "wrong_forged_results" / "micrograd.py").read_text()
ENDLESS = """

# %%
def endless(self, other):
    while True:
        pass


Value.__mul__ = Value.__rmul__ = endless
"""
OVERWRITING = {slug: lesson(slug).replace(".grad +=", ".grad =") for slug in ("03_mul", "capstone")}
WRONG = {
    "faulty": ("03_mul", OVERWRITING["03_mul"], "expected"),
    "faulty capstone": ("capstone", OVERWRITING["capstone"], "expected"),
    "empty": ("03_mul", "", "my work.py is empty; save the work and hand it in again"),
    "empty capstone": ("capstone", "\n", "my work.py is empty; save the work and hand it in again"),
    "loop": ("03_mul", lesson("03_mul") + ENDLESS, "does a loop or a recursion end?"),
    "loop capstone": ("capstone", lesson("capstone") + ENDLESS, "does a loop or a recursion end?"),
    "hostile": ("03_mul", FORGED, "os._exit"),
    "hostile capstone": ("capstone", FORGED, "os._exit"),
}
WITHOUT_POINTS = {"empty", "empty capstone", "loop", "hostile", "hostile capstone"}


@pytest.mark.parametrize("kind", list(WRONG))
def test_a_wrong_submission_is_graded_too(tmp_path: Path, environment: Path, kind: str) -> None:
    slug, code, words = WRONG[kind]
    table = results(submitted(container(tmp_path, environment, slug), code))
    assert (table["score"] == 0) == (kind in WITHOUT_POINTS)
    assert table["score"] < most(slug)
    assert table["score"] == pytest.approx(sum(test["score"] for test in table["tests"]), abs=1e-4)
    assert any(words in text for text in [table["output"], *(test["output"] for test in table["tests"])])


@pytest.mark.skipif(not FILTERED, reason="Docker's filter is written for Linux on x86-64 and aarch64")
@pytest.mark.parametrize("work", ["right_list_parents", "wrong_own_operand", "wrong_forged_results", "wrong_loop_at_import"])
def test_the_score_is_the_same_under_docker_s_default_profile(tmp_path: Path, environment: Path, work: str) -> None:
    root = submitted(container(tmp_path, environment, "03_mul"), GOLDEN / work / "micrograd.py")
    table = results(root, DOCKER)
    assert table["score"] == json.loads((GOLDEN / work / "expected.json").read_text())["score"]
    sandbox = table["extra_data"]["sandbox"]
    assert "bubblewrap" in sandbox["missing"]
    assert {"rlimits", "seccomp", *(["uid"] if os.geteuid() == 0 else [])} <= set(sandbox["layers"])


@pytest.mark.skipif(not FILTERED, reason="Docker's filter is written for Linux on x86-64 and aarch64")
def test_the_capstone_is_graded_under_docker_s_default_profile(tmp_path: Path, oldest: Path) -> None:
    table = results(submitted(container(tmp_path, oldest, "capstone"), lesson("capstone")), DOCKER)
    assert table["score"] == most("capstone")


# What a submission can reach.

SPY = """
import os

ROOT = {root!r}
places = [ROOT + "/source/autograder/hidden/03_mul/test_03_mul.py", ROOT + "/source/settings.json", ROOT + "/results/results.json"]
places += [ROOT + "/submission_metadata.json", "/proc/%d/environ" % os.getppid(), "/proc/%d/mem" % os.getppid()]
places += ["/proc/%d/cwd/settings.json" % os.getppid()]
reached = []
for place in places:
    for mode in ("r", "r+"):
        try:
            open(place, mode).close()
            reached.append(place)
        except OSError:
            pass
for folder in ("", "/source", "/results", "/source/autograder/hidden/03_mul"):
    try:
        reached += os.listdir(ROOT + folder)
    except OSError:
        pass
for name in ("autograder", "autograder.hidden", "pytest", "test_03_mul"):
    try:
        # What stands in for the package in a worker has no file.
        if type(getattr(__import__(name), "__file__", None)) is str:
            reached.append(name)
    except ImportError:
        pass
for key in ("HOME", "PATH", "SECRET"):
    if key in os.environ:
        reached.append(key)
raise RuntimeError("reached: %s" % reached)
"""


@root_only
@pytest.mark.parametrize("before", [(), DOCKER], ids=["plain", "docker"])
def test_a_submission_reaches_neither_suite_nor_results(
    tmp_path: Path, environment: Path, before: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # pytest's folders are closed to other users already; here only what the zip itself does counts.
    for folder in (tmp_path, *list(tmp_path.parents)[:2]):
        folder.chmod(0o755)
    monkeypatch.setenv("SECRET", "yes")
    root = container(tmp_path, environment, "03_mul")
    table = results(submitted(root, SPY.format(root=str(root))), before)
    assert "reached: []" in table["output"], table["output"]
    assert table["score"] == 0
    for folder in ("source", "results"):
        assert (root / folder).stat().st_mode & 0o777 == 0o700


@root_only
def test_the_spy_reaches_what_nothing_guards(tmp_path: Path) -> None:
    """The same code, run by nobody's leave but one's own, finds all of it: the test above can fail."""
    root = tmp_path
    trial.lay_out(archive("03_mul"), root)
    done = subprocess.run([sys.executable, "-c", SPY.format(root=str(root))], capture_output=True, text=True, check=False)
    assert "test_03_mul.py" in done.stderr


# Whatever happens, valid results.


def not_graded(root: Path) -> None:
    table = valid(root)
    assert (table["score"], table["extra_data"]["graded"]) == (0, False)
    assert "has not been graded, and this 0 is not a grade" in table["output"]


def test_a_grader_that_cannot_start_leaves_a_zero_that_says_so(tmp_path: Path) -> None:
    trial.lay_out(archive("03_mul"), tmp_path)
    trial.hand_in(GOLDEN / "right_list_parents" / "micrograd.py", tmp_path)
    _, code, printed = trial.run(tmp_path)
    assert code != 0
    assert "venv/bin/python" in printed
    not_graded(tmp_path)


def test_a_broken_suite_leaves_a_zero_that_says_so(tmp_path: Path, environment: Path) -> None:
    root = submitted(container(tmp_path, environment, "03_mul"), GOLDEN / "right_list_parents" / "micrograd.py")
    (root / "source" / "autograder" / "hidden" / "03_mul" / "test_03_mul.py").write_text("def broken(:\n")
    _, code, printed = trial.run(root)
    assert code == 3
    assert "the grader itself failed" in printed
    not_graded(root)


def test_a_killed_grader_leaves_a_zero_that_says_so(tmp_path: Path, environment: Path) -> None:
    root = submitted(container(tmp_path, environment, "03_mul"), "while True:\n    pass\n")
    (root / "results").mkdir()
    with subprocess.Popen([str(root / "run_autograder")], cwd=root, stderr=subprocess.DEVNULL) as process:
        while not (root / "results" / "results.json").exists():
            time.sleep(0.01)
        time.sleep(1)
        process.send_signal(signal.SIGKILL)
    not_graded(root)


def test_setup_stops_at_the_first_error(tmp_path: Path) -> None:
    trial.lay_out(archive("03_mul"), tmp_path)
    python = tmp_path / "without-venv"
    python.write_text('#!/bin/sh\n[ "$1" != -m ] || { echo "no venv here" >&2; exit 7; }\n')
    python.chmod(0o755)
    with pytest.raises(GraderError, match=r"setup\.sh stopped with 7: no venv here"):
        trial.set_up(tmp_path, python)


# What students see.


def test_what_a_student_writes_stays_text(tmp_path: Path, environment: Path) -> None:
    code = 'class Value:\n    def __init__(self, *_):\n        raise ValueError("<script>alert(1)</script> **a** \\x1b[31m \\u202e \\x00")\n'
    name = "<b>&amp; _x_\x1b[31m.py"
    table = results(submitted(container(tmp_path, environment, "03_mul"), code, name))
    texts = [table["output"], *(test[key] for test in table["tests"] for key in ("name", "output"))]
    assert any("<script>alert(1)</script> **a** \\u001b[31m \\u202e \\u0000" in text for text in texts)
    assert "<b>&amp; _x_\\u001b[31m.py" in table["output"]
    assert not any(re.search("[\x00-\x09\x0b-\x1f\u202e]", text) for text in texts)
    formats = {table[key] for key in ("output_format", "test_output_format", "test_name_format")}
    assert formats | {test[key] for test in table["tests"] for key in ("name_format", "output_format")} == {"text"}


def test_one_file_is_the_work_whatever_it_is_called(tmp_path: Path, environment: Path) -> None:
    work = (GOLDEN / "right_list_parents" / "micrograd.py").read_text()
    table = results(submitted(container(tmp_path, environment, "03_mul"), work, "test_mul.py"))
    assert table["score"] == most("03_mul")


EARLIER = {"graded": True}, {"graded": True}, {"graded": False}


def previous(*extras: dict[str, bool]) -> str:
    return json.dumps({"previous_submissions": [{"score": 0.0, "results": {"extra_data": extra}} for extra in extras]})


def test_attempts_beyond_the_limit_count_and_wait_to_be_shown(tmp_path: Path, environment: Path) -> None:
    display = Display(leaderboard=True, attempts=2)
    root = submitted(container(tmp_path, environment, "03_mul", display), GOLDEN / "wrong_own_operand" / "micrograd.py")
    (root / "submission_metadata.json").write_text(previous({"graded": True}, {"graded": False}))
    second = results(root)
    assert second["output"].startswith("Attempt 2; the results of the first 2 are shown at once.")
    assert {test["visibility"] for test in second["tests"]} == {"visible"}
    assert [column["value"] for column in second["leaderboard"]] == [second["score"], 8]
    (root / "submission_metadata.json").write_text(previous({"graded": True}, {"graded": True}))
    third = results(root)
    assert third["score"] == second["score"]
    assert {third["visibility"], *(test["visibility"] for test in third["tests"])} == {"after_published"}
    assert "leaderboard" not in third
    assert "counts; its results are shown when the grades are published" in third["output"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (previous(*EARLIER), 2),
        (previous(), 0),
        ("{}", 0),
        ("[]", 0),
        ("not JSON", 0),
        ('{"previous_submissions": null}', 0),
        ('{"previous_submissions": [null, {"results": null}, {"results": {"extra_data": null}}]}', 0),
    ],
)
def test_earlier_attempts_are_those_that_were_graded(tmp_path: Path, text: str, count: int) -> None:
    (tmp_path / "metadata.json").write_text(text)
    assert graded_before(tmp_path / "metadata.json") == count


def test_without_metadata_it_is_the_first_attempt(tmp_path: Path) -> None:
    assert graded_before(tmp_path / "none.json") == 0


# The command, and others' tools.


def test_the_command_runs_a_zip_here(tmp_path: Path) -> None:
    options = ("--visibility", "after_due_date", "--try", GOLDEN / "right_notebook" / "03_mul.ipynb")
    done = autograder("gradescope", "03_mul", *options, timeout=300)
    assert done.returncode == 0, done.stderr
    table = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(table)
    assert table["score"] == most("03_mul")
    assert table["visibility"] == "after_due_date"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["03_mul"], "say where the zip goes with -o 03_mul.zip, or run it here with --try SUBMISSION"),
        (["03_nul", "-o", "a.zip"], "there is no assignment '03_nul'"),
        (["03_mul", "-o", "no/such/folder/a.zip"], "name another file"),
        (["03_mul", "--try", "nothing.py"], "nothing.py does not exist"),
        (["03_mul", "-o", "a.zip", "--leaderboard", "--visibility", "hidden"], "leave one of them out"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line(tmp_path: Path, arguments: list[str], words: str) -> None:
    done = autograder("gradescope", *arguments, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def gslocal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """gslocal reads results as its users see them; it comes from PyPI, into a folder of its own."""
    folder = tmp_path_factory.mktemp("gslocal")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--target",
        str(folder),
        "gslocal==0.1.1",
    ]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def read_by_gslocal(folder: Path, file: Path) -> subprocess.CompletedProcess[str]:
    code = "import sys, pathlib; from gslocal.results import format_results; format_results(pathlib.Path(sys.argv[1]))"
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run([sys.executable, "-c", code, str(file)], env=environment, capture_output=True, text=True, check=False)


def test_gslocal_accepts_the_results(tmp_path: Path, environment: Path, gslocal: Path) -> None:
    root = submitted(container(tmp_path, environment, "03_mul"), GOLDEN / "wrong_own_operand" / "micrograd.py")
    table = results(root)
    read = read_by_gslocal(gslocal, root / "results" / "results.json")
    assert read.returncode == 0, read.stderr
    assert re.search(r"\(.*8 passed.*12 failed.*\)", read.stdout)
    assert f"{table['score']:.2f} / 6.00" in read.stdout
    (tmp_path / "half.json").write_text((root / "results" / "results.json").read_text()[:200])
    assert read_by_gslocal(gslocal, tmp_path / "half.json").returncode == 1
