"""Damaged archives, notebooks and replies: read, or refused in one line; nothing but the project's own exceptions."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.errors import InputError, StudentFault
from autograder.protocol import ProtocolError, parse, plain
from autograder.student import Student
from autograder.submission import read_submission

FUZZ = settings(max_examples=250, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
NAMES = st.sampled_from(
    ["a.py", "b/c.py", "b/__init__.py", "n.ipynb", "../x.py", "/x.py", "C:\\x.py", "a.zip", "\u202ea.py", "x/", ".py", "a\0.py"]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
ANY = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3), max_leaves=6
)
EDITS = st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 255), st.integers(0, 3)), max_size=8)


def damaged(data: bytes, edits: list[tuple[int, int, int]]) -> bytes:
    """`data` with bytes changed, put in, left out, or cut off at some places."""
    held = bytearray(data)
    for place, byte, how in edits:
        at = place % max(len(held), 1)
        if how == 0:
            held[at : at + 1] = bytes([byte])
        elif how == 1:
            held[at:at] = bytes([byte])
        elif how == 2:
            del held[at : at + byte // 16 + 1]
        elif byte < 32:
            del held[at:]
    return bytes(held)


def read_or_refuse(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    try:
        work = read_submission(path, "03_mul")
    except InputError as error:
        assert len(str(error).splitlines()) == 1
        return
    assert all(isinstance(cell.source, str) for cell in work.cells)
    assert all(isinstance(source, str) for source in work.modules.values())


@st.composite
def archives(draw: st.DrawFn) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", draw(st.sampled_from(METHODS))) as archive:
        for name in draw(st.lists(NAMES, max_size=4, unique=True)):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = archive.compression
            entry.external_attr = draw(st.sampled_from([0, 0o100644, 0o120777, 0o010644])) << 16
            archive.writestr(entry, draw(st.binary(max_size=60)) if draw(st.booleans()) else b"x = 1\n" * draw(st.integers(0, 50)))
    return damaged(data.getvalue(), draw(EDITS))


@FUZZ
@given(data=archives())
def test_damaged_archives(tmp_path: Path, data: bytes) -> None:
    read_or_refuse(tmp_path / "x.zip", data)


CELLS = st.fixed_dictionaries(
    {
        "cell_type": st.sampled_from(["code", "markdown", "raw", "", None]),
        "source": st.text(max_size=30) | st.lists(st.text(max_size=9), max_size=3) | ANY,
    },
    optional={
        "outputs": st.lists(ANY, max_size=2),
        "metadata": ANY,
        "id": ANY,
        "execution_count": SCALARS,
        "input": ANY,
        "language": ANY,
        "level": ANY,
    },
)


@st.composite
def notebooks(draw: st.DrawFn) -> bytes:
    form = draw(st.sampled_from([1, 2, 3, 4, 4, 4, 5, "4", None, 4.5]))
    cells = draw(st.lists(CELLS | ANY, max_size=4) | ANY)
    notebook: dict[str, Any] = {
        "nbformat": form,
        "nbformat_minor": draw(st.integers(-1, 9) | ANY),
        "metadata": draw(st.just({}) | ANY),
        "cells": cells,
    }
    if form in (1, 2, 3):
        notebook["worksheets"] = draw(st.just([{"cells": cells}]) | ANY)
    return damaged(json.dumps(notebook).encode(), draw(EDITS))


@FUZZ
@given(data=notebooks())
def test_damaged_notebooks(tmp_path: Path, data: bytes) -> None:
    read_or_refuse(tmp_path / "x.ipynb", data)


@FUZZ
@given(data=st.text(alphabet="def x(:\n %!?\"'\\#[{=\u202e\ud7ff\x0c\x85", max_size=200).map(str.encode) | st.binary(max_size=100))
def test_scripts(tmp_path: Path, data: bytes) -> None:
    read_or_refuse(tmp_path / "x.py", data)


FORMS = st.recursive(
    st.none()
    | st.booleans()
    | st.sampled_from(
        [
            {"f": "0x1p0"},
            {"f": "nan"},
            {"f": "0x1p99999"},
            {"f": ""},
            {"i": "-ff"},
            {"i": "_"},
            {"s": "\ud800"},
            {"o": 1, "c": "V"},
            {"o": -1},
            7,
            "x",
        ]
    ),
    lambda inner: st.sampled_from("ltSd").flatmap(
        lambda tag: (
            st.lists(st.lists(inner, min_size=1, max_size=3), max_size=3) if tag == "d" else st.lists(inner, max_size=4)
        ).map(lambda held: {tag: held})
    ),
    max_leaves=25,
)


def nested(tags: list[str]) -> Any:
    """One container in the other, each with the next one alone."""
    form: Any = None
    for tag in tags:
        form = {tag: [[form, form]] if tag == "d" else [form]}
    return form


CHAINS = st.lists(st.sampled_from("ltSd"), min_size=1, max_size=20).map(nested)
FRAMES = st.lists(
    st.fixed_dictionaries({}, optional={name: SCALARS for name in ("file", "cell", "line", "function", "text")}), max_size=2
)
ERRORS = st.fixed_dictionaries(
    {}, optional={"type": SCALARS, "text": SCALARS, "missing": SCALARS, "late": SCALARS, "op": SCALARS, "frames": FRAMES | ANY}
)
GOOD_ERRORS = st.fixed_dictionaries(
    {
        "type": st.text(max_size=9),
        "text": st.text(max_size=9),
        "missing": st.booleans(),
        "late": st.booleans(),
        "frames": st.just([]),
    },
    optional={"op": st.integers(-9, 9)},
)


@FUZZ
@given(form=FORMS | CHAINS)
def test_forms(form: Any) -> None:
    try:
        hash(repr(plain(form)))
    except ProtocolError:
        return


@FUZZ
@given(form=st.lists(FORMS, max_size=3), edits=EDITS)
def test_damaged_replies(form: Any, edits: list[tuple[int, int, int]]) -> None:
    try:
        parse(damaged(json.dumps({"id": 1, "reads": form}).encode(), edits))
    except ProtocolError:
        return


class Canned:
    """A transport whose worker says whatever it likes."""

    trouble = ""

    def __init__(self, reply: dict[str, Any]) -> None:
        self.reply = reply

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        return self.reply


@FUZZ
@given(reply=st.fixed_dictionaries({}, optional={"reads": st.lists(FORMS | CHAINS, max_size=2) | ANY, "error": GOOD_ERRORS}))
def test_whatever_a_worker_says_is_the_submissions_own_fault(reply: dict[str, Any]) -> None:
    student = Student(Canned(reply))
    try:
        student.number(student.name("x"))
    except StudentFault as fault:
        str(fault).encode()


@pytest.mark.parametrize("edits", [[(0, 65, 0)], [(40, 0, 3)]])
def test_the_damage_is_damage(edits: list[tuple[int, int, int]]) -> None:
    assert damaged(b"x" * 100, edits) != b"x" * 100
