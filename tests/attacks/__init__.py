"""The attacks of table.toml as submissions on disk, in a class folder with things worth stealing, and who may run them."""

from __future__ import annotations

import atexit
import functools
import io
import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
ORDINARY = 60123
SECRET = "not-for-students"


@dataclass(frozen=True)
class Attack:
    """One row of the table; see its head for what the fields mean."""

    name: str
    tries: str
    engine: str
    held: tuple[str, ...]
    score: float | str | None = None
    statuses: tuple[str, ...] = ()
    refused: str = ""
    make: str = ""
    folder: bool = False
    slow: bool = False

    @property
    def area(self) -> str:
        return self.name.partition("_")[0]


def attacks() -> list[Attack]:
    rows = tomllib.loads((HERE / "table.toml").read_text(encoding="utf-8"))["attack"]
    return [Attack(**{key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}) for row in rows]


def engine(name: str) -> str:
    return (HERE / "engines" / f"{name}.py").read_text(encoding="utf-8")


@dataclass
class Classroom:
    """A folder that holds one attack beside things that it must neither read nor change, all of them open to everybody.

    The permissions are the worst that an instructor could leave, so that nothing but the layers can hold.
    """

    place: Path
    grader: Path = ROOT
    door: socket.socket = field(init=False)
    gate: socket.socket = field(init=False)

    def __post_init__(self) -> None:
        (self.place / "home").mkdir(parents=True)
        (self.place / "site" / "micrograd").mkdir(parents=True)
        texts = {
            "neighbour.py": "# another student's work\n",
            "gradebook.db": "SQLite format 3\0 pretends\n",
            "home/.netrc": f"password {SECRET}\n",
            "site/micrograd/__init__.py": "",
            "site/micrograd/engine.py": engine("right"),
        }
        for name, text in texts.items():
            (self.place / name).write_text(text, encoding="utf-8")
        self.gate = socket.create_server(("127.0.0.1", 0))
        self.door = socket.socket(socket.AF_UNIX)
        self.door.bind(str(self.place / "door"))
        self.door.listen()
        for path in [self.place, *self.place.rglob("*")]:
            path.chmod(0o777 if path.is_dir() or path.is_socket() else 0o666)

    def contents(self) -> dict[str, bytes]:
        """Every file and what it holds."""
        found = sorted(path for path in self.place.rglob("*") if path.is_file() and "/work" not in str(path.relative_to(self.place.parent)))
        return {str(path.relative_to(self.place)): path.read_bytes() for path in found}

    def submission(self, attack: Attack) -> Path:
        """The attack written out, with the places that it is after filled in."""
        folder = Path(tempfile.mkdtemp(prefix="work-", dir=self.place))
        folder.chmod(0o755)
        if attack.make:
            made = MAKERS[attack.make](folder)
        elif attack.folder:
            made = folder / attack.name
            shutil.copytree(HERE / attack.name, made)
            (made / "micrograd.py").write_text(engine(attack.engine) + (made / "micrograd.py").read_text(encoding="utf-8"))
        else:
            made = folder / f"{attack.name}.py"
            made.write_text(engine(attack.engine) + self.filled((HERE / made.name).read_text(encoding="utf-8")), encoding="utf-8")
        return made

    def filled(self, text: str) -> str:
        port = str(self.gate.getsockname()[1])
        return text.replace("@ROOT@", str(self.grader)).replace("@CLASS@", str(self.place)).replace("@PORT@", port)

    def environment(self) -> dict[str, str]:
        """The grader's own, with a secret and with the official micrograd installed."""
        paths = [str(self.place / "site"), os.environ.get("PYTHONPATH", "")]
        return {**os.environ, "GRADER_SECRET": SECRET, "PYTHONPATH": os.pathsep.join(filter(None, paths))}

    def close(self) -> None:
        self.gate.close()
        self.door.close()
        shutil.rmtree(self.place.parent, ignore_errors=True)


def classroom() -> Classroom:
    base = Path(tempfile.mkdtemp(prefix="class-"))
    base.chmod(0o755)
    return Classroom(base / "class")


def _text(name: str, content: str | bytes) -> Any:
    def make(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def _notebook(source: str, size: int) -> str:
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "execution_count": 1, "source": source}
    printed = {"output_type": "stream", "name": "stdout", "text": "y" * size}
    return json.dumps({"cells": [{**cell, "outputs": [printed]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def _archive(*entries: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return data.getvalue()


def _bomb(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "bomb.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for number in range(5):
            archive.writestr(f"part{number}.py", b"\n" * (60 << 20))
    return folder / "bomb.zip"


def _nested(folder: Path) -> Path:
    data = _archive(("x.py", b"x = 1\n"))
    for _ in range(10):
        data = _archive(*((f"{number}.zip", data) for number in range(3)))
    (folder / "nested.zip").write_bytes(data)
    return folder / "nested.zip"


def _link_entry() -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo("work.py")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


def _lying(folder: Path) -> Path:
    data = _archive(("work.py", b"x = 1\n" * 1000))
    # The uncompressed size stands at byte 22 of the local header and at byte 24 of the central one.
    central = data.index(b"PK\x01\x02")
    small = (5).to_bytes(4, "little")
    (folder / "lying.zip").write_bytes(data[:22] + small + data[26 : central + 24] + small + data[central + 28 :])
    return folder / "lying.zip"


def _linked(folder: Path) -> Path:
    (folder / "mine").mkdir()
    (folder / "mine" / "work.py").symlink_to(ROOT / "solutions" / "03_mul" / "03_mul.py")
    (folder / "mine" / "more").symlink_to(ROOT / "solutions")
    return folder / "mine"


def _pipe(folder: Path) -> Path:
    (folder / "mine").mkdir()
    os.mkfifo(folder / "mine" / "work.py")
    return folder / "mine"


UTF7 = "# -*- coding: utf-7 -*-\n" + engine("wrong") + "#+AAo-raise RuntimeError('STOLEN')\n"
MAKERS = {
    "nul_bytes": _text("work.py", engine("right").replace("class", "cl\0ass").replace("\n\n", "\n\0\n")),
    "cookie_utf7": _text("work.py", UTF7),
    "utf16": _text("work.py", engine("right").encode("utf-16")),
    "binary": _text("work.py", b"\x89PNG\r\n\x1a\n" + bytes(range(256))),
    "big_notebook": _text("work.ipynb", _notebook(engine("right"), 0)),
    "deep_notebook": _text("work.ipynb", "[" * 100_000 + "]" * 100_000),
    "deep_code": _text("work.py", "x = 1" + " + 1" * 150_000 + "\n%time\n"),
    "open_bracket": _text("work.py", "x = (\n" + "1,\n" * 700_000),
    "zip_bomb": _bomb,
    "nested_zips": _nested,
    "many_entries": _text("many.zip", b"PK\x01\x02" * 60_000),
    "zip_dotdot": _text("work.zip", _archive(("../../work.py", b"x = 1\n"))),
    "zip_absolute": _text("work.zip", _archive(("/tmp/work.py", b"x = 1\n"))),
    "zip_link": _text("work.zip", _archive((_link_entry(), str(ROOT / "autograder" / "hidden" / "03_mul" / "test_03_mul.py").encode()))),
    "zip_lying_size": _lying,
    "folder_link": _linked,
    "fifo": _pipe,
}
# Written when they are asked for: 120 MB of text are not to be held by whoever imports this.
MAKERS["big_notebook"] = lambda folder: _text("work.ipynb", _notebook(engine("right"), 50_000_000))(folder)
MAKERS["bigger_notebook"] = lambda folder: _text("work.ipynb", _notebook("x = 1", 70_000_000))(folder)


@dataclass(frozen=True)
class Result:
    """What one way of grading made of a submission: its exit code, all that it said, and the grade's JSON."""

    code: int
    said: str
    table: dict[str, Any] | None = None


def honest_scores(run: Callable[[Path], Result]) -> dict[str, float]:
    """What each engine earns without an attack on top of it."""
    scores = {"none": 0.0}
    for name in ("wrong", "right"):
        result = run(HERE / "engines" / f"{name}.py")
        if result.table is None:
            raise RuntimeError(f"the honest engine {name!r} has no grade: {result.said}")
        scores[name] = result.table["score"]
    return scores


def verdict(attack: Attack, result: Result, honest: dict[str, float]) -> str:
    """What is not right about the outcome; "" where it is as it must be."""
    if "STOLEN" in result.said or SECRET in result.said:
        return f"something was stolen: {result.said[-600:]}"
    if attack.refused:
        clear = result.code == 2 and attack.refused in result.said and result.said.strip().count("\n") == 0
        return "" if clear else f"expected a refusal with {attack.refused!r}, got exit {result.code}: {result.said[-600:]}"
    if result.code != 0 or result.table is None:
        return f"exit {result.code}: {result.said[-600:]}"
    score, deserved = result.table["score"], honest[attack.engine]
    if attack.score is None and score != deserved:
        return f"the work deserves {deserved:g} and got {score:g}"
    if attack.score == "at most" and score > deserved:
        return f"the work deserves at most {deserved:g} and got {score:g}"
    if attack.score == "part" and not score < result.table["max_score"] / 2:
        return f"expected less than half, got {score:g}"
    if isinstance(attack.score, (int, float)) and score != attack.score:
        return f"expected {attack.score:g}, got {score:g}"
    lost = {test["status"] for test in result.table["tests"] if test["status"] != "passed"}
    return f"statuses {sorted(lost)}" if attack.statuses and not lost <= set(attack.statuses) else ""


@functools.cache
def ordinary_python() -> tuple[str, str] | str:
    """An interpreter, and a PYTHONPATH for it, that an ordinary user can run; or why there is none.

    Where this one lies in a folder that only root can enter, its standard library and the installed packages are
    linked, file by file, into one that everybody can.
    """
    if os.getuid() != 0:
        return sys.executable, str(ROOT)
    probe = ["-c", "import pytest, rich"]
    if _runs_as_ordinary([sys.executable, *probe]):
        return sys.executable, str(ROOT)
    place = Path(tempfile.mkdtemp(prefix="python-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    place.chmod(0o755)
    base, version = Path(os.path.realpath(sys.base_prefix)), f"python{sys.version_info[0]}.{sys.version_info[1]}"
    leave = shutil.ignore_patterns("site-packages", "test", "idlelib", "tkinter", "ensurepip", "__pycache__", "config-*")
    try:
        shutil.copytree(base / "lib" / version, place / "py" / "lib" / version, copy_function=_link, ignore=leave, symlinks=True)
        (place / "py" / "bin").mkdir()
        _link(os.path.realpath(sys.executable), str(place / "py" / "bin" / version))
        skip = shutil.ignore_patterns("__pycache__", "*.dist-info/licenses", "tests")
        shutil.copytree(sysconfig.get_path("purelib"), place / "site", copy_function=_link, ignore=skip, symlinks=True)
        for folder in (place / "py", place / "site"):
            folder.chmod(0o755)
    except OSError as error:
        return f"this Python cannot be linked for an ordinary user: {error}"
    python, paths = str(place / "py" / "bin" / version), f"{ROOT}:{place / 'site'}"
    if _runs_as_ordinary([python, *probe], PYTHONPATH=paths):
        return python, paths
    return "an ordinary user can run no Python that has pytest"


def _link(source: str, target: str) -> str:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
    return target


def _runs_as_ordinary(command: list[str], **environment: str) -> bool:
    try:
        done = subprocess.run(
            command, **as_ordinary(), env={"PATH": "/usr/bin:/bin", **environment}, cwd="/", capture_output=True, check=False
        )
    except OSError:
        return False
    return done.returncode == 0


def as_ordinary() -> dict[str, Any]:
    """What `subprocess` needs to start something as an ordinary user."""
    return {"user": ORDINARY, "group": ORDINARY, "extra_groups": []} if os.getuid() == 0 else {}
