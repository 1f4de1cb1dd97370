"""What cannot be graded ends with one line that names the next step, and exit 2."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from support import ROOT, autograder


def missing(folder: Path) -> Path:
    return folder / "mul.py"


def empty(folder: Path) -> Path:
    (folder / "mul.py").write_text("")
    return folder / "mul.py"


def empty_folder(folder: Path) -> Path:
    return folder


def not_json(folder: Path) -> Path:
    (folder / "mul.ipynb").write_text("class Value: pass")
    return folder / "mul.ipynb"


def not_a_notebook(folder: Path) -> Path:
    (folder / "mul.ipynb").write_text('{"cells": 3, "nbformat": 4}')
    return folder / "mul.ipynb"


def deep_json(folder: Path) -> Path:
    (folder / "mul.ipynb").write_text("[" * 100_000)
    return folder / "mul.ipynb"


def not_text(folder: Path) -> Path:
    (folder / "mul.py").write_bytes(b"x = '\xff\xfe'")
    return folder / "mul.py"


def another_type(folder: Path) -> Path:
    (folder / "mul.docx").write_text("x = 1")
    return folder / "mul.docx"


def zip_that_climbs(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "mul.zip", "w") as archive:
        archive.writestr("../../mul.py", "x = 1")
    return folder / "mul.zip"


def zip_of_ten_gigabytes(folder: Path) -> Path:
    with (
        zipfile.ZipFile(folder / "mul.zip", "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("mul.py", "w", force_zip64=True) as out,
    ):
        for _ in range(160):
            out.write(b" " * (64 << 20))
    return folder / "mul.zip"


def zip_that_lies_about_its_size(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "mul.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mul.py", b" " * (200 << 20))
    data = (folder / "mul.zip").read_bytes()
    (folder / "mul.zip").write_bytes(data.replace(struct.pack("<I", 200 << 20), struct.pack("<I", 10)))
    return folder / "mul.zip"


def damaged_zip(folder: Path) -> Path:
    (folder / "mul.zip").write_bytes(b"PK\x03\x04 and then nothing")
    return folder / "mul.zip"


def two_notebooks(folder: Path) -> Path:
    for name in ("first", "second"):
        (folder / f"{name}.ipynb").write_text("{}")
    return folder


CASES: list[Callable[[Path], Path]] = [
    missing, empty, empty_folder, not_json, not_a_notebook, deep_json, not_text, another_type, zip_that_climbs,
    zip_that_lies_about_its_size, damaged_zip, two_notebooks, zip_of_ten_gigabytes,
]  # fmt: skip


@pytest.mark.parametrize("make", CASES, ids=lambda make: make.__name__)
def test_one_line_and_exit_2(make: Callable[[Path], Path], tmp_path: Path) -> None:
    done = autograder("grade", make(tmp_path), "--assignment", "03_mul", "--json", tmp_path / "grade.json")
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1 and ";" in done.stderr
    assert not (tmp_path / "grade.json").exists()


def test_an_unknown_assignment_names_the_known_ones() -> None:
    done = autograder("grade", ROOT / "tests" / "golden" / "right_dispatch", "--assignment", "99_nothing")
    assert done.returncode == 2
    assert "03_mul" in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_json_file_that_cannot_be_written() -> None:
    done = autograder("grade", ROOT / "tests" / "golden" / "right_dispatch", "--assignment", "03_mul", "--json", "/nowhere/at/all")
    assert done.returncode == 2
    assert "cannot be written" in done.stderr


def test_where_nothing_confines_it_refuses() -> None:
    work = ROOT / "tests" / "golden" / "right_dispatch"
    without = [word for layer in ("uid", "rlimits", "seccomp", "landlock", "bubblewrap") for word in ("--without", layer)]
    done = autograder("grade", work, "--assignment", "03_mul", *without)
    assert done.returncode == 2
    assert "--no-sandbox" in done.stderr
    done = autograder("grade", work, "--assignment", "03_mul", "--no-sandbox")
    assert done.returncode == 0 and "confined by none" in done.stdout
