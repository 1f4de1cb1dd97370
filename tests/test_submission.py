"""Notebooks, files, folders and archives become the cells that their authors meant."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.errors import InputError
from autograder.notebook import script_cells, without_magics
from autograder.submission import read_submission


@pytest.mark.parametrize(
    ("source", "kept", "left_out"),
    [
        ("x = 1 % 2", "x = 1 % 2", ()),
        ("x = (7\n     % 4)", "x = (7\n     % 4)", ()),
        ("%matplotlib inline\nx = (7\n     % 4)", "\nx = (7\n     % 4)", ("%matplotlib inline",)),
        ('%time\ns = """\n!not a shell line\n"""', '\ns = """\n!not a shell line\n"""', ("%time",)),
        ("!pip install graphviz\nx = 1", "\nx = 1", ("!pip install graphviz",)),
        ("if x:\n    !ls\ny = 2", "if x:\n    pass\ny = 2", ("!ls",)),
        ("files = !ls\nx = 1", "\nx = 1", ("files = !ls",)),
        ("Value?\nx = 1", "\nx = 1", ("Value?",)),
        ("%%time\nx = 1", "\nx = 1", ("%%time",)),
        ("%%bash\nls -la", "", ("%%bash",)),
        ("%%writefile engine.py\nx = 1", "", ("%%writefile engine.py",)),
        ("x = [1,\n", "x = [1,\n", ()),
    ],
)
def test_magics_are_left_out_and_named(source: str, kept: str, left_out: tuple[str, ...]) -> None:
    assert without_magics(source) == (kept, left_out)


@settings(max_examples=300)
@given(st.text(alphabet="%!?x=([{\"'#\\ \n1", max_size=60))
def test_any_text_at_all_is_read(source: str) -> None:
    kept, _ = without_magics(source)
    assert kept == "" or kept.count("\n") == source.count("\n")


@pytest.mark.parametrize(
    "source", ["x = (\n" + "1,\n" * 60_000 + "%", " " * 200_000 + "x %", "1" + "+1" * 150_000 + "\n%x"], ids=len
)
def test_reading_takes_no_longer_than_the_text_is_long(source: str) -> None:
    kept, _ = without_magics(source)
    assert kept.count("\n") == source.count("\n")


def test_too_much_code_is_refused_before_it_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text("x = 1\n" * 500_000)
    with pytest.raises(InputError, match="2 MB of code"):
        read_submission(tmp_path / "x.py")


def test_an_archive_of_nothing_but_names_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(b"PK\x01\x02" * 60_000)
    with pytest.raises(InputError, match="entries"):
        read_submission(tmp_path / "x.zip")


def test_percent_cells_keep_their_line_numbers() -> None:
    cells = script_cells("mul.py", "import math\n# %% [markdown]\n# words\n# %% one\nx = 1\n# %% two\ny = 2\n")
    assert [cell.source.rstrip().count("\n") for cell in cells] == [0, 4, 6]
    assert [cell.index for cell in cells] == [1, 2, 3]


def test_a_folder_with_one_file_and_its_tests(tmp_path: Path) -> None:
    (tmp_path / "micrograd.py").write_text("x = 1\n")
    (tmp_path / "test_02_value.py").write_text("raise SystemExit\n")
    (tmp_path / "conftest.py").write_text("raise SystemExit\n")
    assert [cell.source for cell in read_submission(tmp_path).cells] == ["x = 1\n"]


def test_a_package_loses_the_folder_that_all_files_share(tmp_path: Path) -> None:
    for name in ("engine", "nn"):
        (tmp_path / "work" / "mine").mkdir(parents=True, exist_ok=True)
        (tmp_path / "work" / "mine" / f"{name}.py").write_text("x = 1\n")
    assert set(read_submission(tmp_path).modules) == {"engine", "nn"}
    (tmp_path / "work" / "mine" / "__init__.py").write_text("")
    assert set(read_submission(tmp_path).modules) == {"mine.__init__", "mine.engine", "mine.nn"}


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "solution.py").write_text("x = 'theirs'\n")
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "work.py").symlink_to(other / "solution.py")
    (mine / "more").symlink_to(other)
    with pytest.raises(InputError):
        read_submission(mine)


def test_a_name_of_nothing_but_nul_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as archive:
        archive.writestr("a.py", "x = 1")
    data = (tmp_path / "mine.zip").read_bytes()
    head, _, tail = data.rpartition(b"a.py")
    (tmp_path / "mine.zip").write_bytes(head + b"\0\0\0\0" + tail)
    with pytest.raises(InputError, match="cannot be unpacked"):
        read_submission(tmp_path / "mine.zip")


def test_a_link_inside_an_archive_is_not_followed(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("work.py")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(InputError):
        read_submission(tmp_path / "mine.zip")


@settings(max_examples=200)
@given(st.binary(max_size=400))
def test_any_bytes_at_all_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.getbasetemp()
    for name in ("x.ipynb", "x.zip", "x.py"):
        prefix = b"PK\x03\x04" if name.endswith(".zip") else b""
        (folder / name).write_bytes(prefix + data)
        try:
            read_submission(folder / name)
        except InputError as error:
            assert "\n" not in str(error)
