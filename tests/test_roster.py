"""Who handed in what, in the folders that nbgrader, Gradescope, Canvas and Moodle leave, and in plain ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.errors import InputError
from autograder.roster import Entry, find_submissions, is_nbgrader


def files(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x = 1\n")
    return folder


def found(folder: Path) -> dict[str, Entry]:
    entries = find_submissions(folder, "06_topo")
    assert len({entry.student for entry in entries}) == len(entries)
    assert [entry.student for entry in entries] == sorted(entry.student for entry in entries)
    return {entry.student: entry for entry in entries}


def test_nbgrader(tmp_path: Path) -> None:
    submitted = tmp_path / "submitted"
    files(submitted, "jane/06_topo/06_topo.ipynb", "jane/06_topo/timestamp.txt", "jane/05_backward/05_backward.ipynb")
    files(submitted, "joe/05_backward/05_backward.ipynb")
    entries = found(submitted)
    assert set(entries) == {"jane", "joe"}
    assert entries["jane"].path == submitted / "jane" / "06_topo" and not entries["jane"].problem
    assert entries["joe"].problem == "nothing was handed in for 06_topo"
    assert not is_nbgrader(submitted, "06_topo")
    files(tmp_path, "nbgrader_config.py")
    assert is_nbgrader(submitted, "06_topo")


def test_gradescope(tmp_path: Path) -> None:
    files(tmp_path, "submission_11/micrograd.py", "submission_12/micrograd.py", "submission_12/other.py")
    (tmp_path / "submission_metadata.yml").write_text(
        """---
submission_11:
  :submitters:
  - :name: Jane Doe
    :sid: '0042'
    :email: jane@example.org
  :created_at: 2026-11-30 10:11:12.131415000 Z
  :score: 0.0
submission_12:
  :submitters:
  - :name: Joe Roe
    :sid:
    :email: joe@example.org
  - :name: "<b>Ann</b>"
    :sid: '0043'
    :email: ann@example.org
submission_13:
  :submitters:
  - :name: Gone
    :sid: '0044'
"""
    )
    entries = found(tmp_path)
    assert {student: entry.name for student, entry in entries.items()} == {
        "0042": "Jane Doe",
        "joe@example.org": "Joe Roe",
        "0043": "<b>Ann</b>",
        "0044": "Gone",
    }
    assert entries["joe@example.org"].path == entries["0043"].path == tmp_path / "submission_12"
    assert "submission_13" in entries["0044"].problem


@pytest.mark.parametrize("text", ["[", "a: !!python/object/apply:os.system ['true']", "- 1", "submission_1: 3"])
def test_gradescope_metadata_that_cannot_be_used(tmp_path: Path, text: str) -> None:
    (tmp_path / "submission_metadata.yml").write_text(text)
    with pytest.raises(InputError) as told:
        find_submissions(tmp_path, "06_topo")
    assert "\n" not in str(told.value)


def test_canvas(tmp_path: Path) -> None:
    files(tmp_path, "doejane_101_2001_micrograd.py", "roejoe_LATE_102_2002_06_topo-1.ipynb", "nodigits_work.py")
    files(tmp_path, "twoann_103_2003_notes.py", "twoann_103_2004_06_topo.py", "bothbob_104_2005_a.py", "bothbob_104_2006_b.py")
    files(tmp_path, "doejane_101_2009_screenshot.png")
    entries = found(tmp_path)
    assert set(entries) == {"doejane_101", "roejoe_102", "twoann_103", "bothbob_104", "nodigits_work"}
    assert entries["doejane_101"].name == "doejane" and not entries["doejane_101"].problem
    assert entries["roejoe_102"].path.name == "roejoe_LATE_102_2002_06_topo-1.ipynb"
    assert entries["twoann_103"].path.name == "twoann_103_2004_06_topo.py"
    assert entries["bothbob_104"].problem == "handed in a.py, b.py; keep the one to be graded"


def test_moodle(tmp_path: Path) -> None:
    files(tmp_path, "Jane Doe_101_assignsubmission_file_/micrograd.py", "Zoë van_der Berg_102_assignsubmission_file_06_topo.ipynb")
    entries = found(tmp_path)
    assert {student: entry.name for student, entry in entries.items()} == {
        "Jane Doe_101": "Jane Doe",
        "Zoë van_der Berg_102": "Zoë van_der Berg",
    }
    assert entries["Jane Doe_101"].path.is_dir()


def test_a_folder_of_files(tmp_path: Path) -> None:
    files(tmp_path, "jane.py", "joe.zip", "ann/micrograd.py", "notes.txt", ".hidden.py", "__MACOSX/jane.py", "two.py", "two.ipynb")
    entries = found(tmp_path)
    assert set(entries) == {"jane", "joe", "ann", "two"}
    assert "two.ipynb, two.py" in entries["two"].problem


def test_nothing_to_grade(tmp_path: Path) -> None:
    files(tmp_path, "notes.txt")
    for place in (tmp_path, tmp_path / "notes.txt", tmp_path / "missing"):
        with pytest.raises(InputError):
            find_submissions(place, "06_topo")
