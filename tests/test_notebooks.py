"""Each notebook in a real kernel: worked it runs to its end, unworked it stops at NotImplementedError alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from support import ROOT

from autograder.build import authored
from autograder.exercise import load_exercise
from autograder.selfcheck import NotAttemptedYet

# The kernel's own libraries warn about each other.
pytestmark = pytest.mark.filterwarnings("default")
SECONDS = 120
# What the skeleton raises, and what a check raises of the same kind so that "Run all" stops there.
assert issubclass(NotAttemptedYet, NotImplementedError)
UNWRITTEN = ("NotImplementedError", NotAttemptedYet.__name__)


def run(kind: str, slug: str, folder: Path) -> list[Any]:
    """The notebook's cells after a run of all of them in a kernel that works in `folder`; errors stop nothing."""
    notebook = nbformat.read(ROOT / kind / slug / f"{slug}.ipynb", as_version=4)
    client = NotebookClient(notebook, timeout=SECONDS, allow_errors=True, resources={"metadata": {"path": str(folder)}})
    client.execute()
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def errors(cells: list[Any]) -> list[tuple[str, str]]:
    found = [(output.ename, output.evalue) for cell in cells for output in cell.outputs if output.output_type == "error"]
    return found


def text(cell: Any) -> str:
    """What a cell printed or showed, as text."""
    shown = [output.get("text", "") or output.get("data", {}).get("text/plain", "") for output in cell.outputs]
    return "".join(shown)


def checks(cells: list[Any]) -> list[Any]:
    return [cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade")]


@pytest.mark.parametrize("slug", authored(ROOT))
def test_the_worked_notebook_runs_to_its_end(slug: str, tmp_path: Path) -> None:
    cells = run("source", slug, tmp_path)
    assert errors(cells) == []
    assert len(checks(cells)) == len(load_exercise(slug).parts)
    for cell in checks(cells):
        assert "✓" in text(cell) and "✗" not in text(cell), f"{cell.source}: {text(cell)}"


@pytest.mark.parametrize("slug", authored(ROOT))
def test_the_unworked_notebook_stops_only_at_what_is_to_be_written(slug: str, tmp_path: Path) -> None:
    cells = run("release", slug, tmp_path)
    found = [name for name, _ in errors(cells)]
    assert found[:1] in ([], *([name] for name in UNWRITTEN)), errors(cells)[0]
    # Only a run that goes on past the first stop comes to names that a stopped cell would have made.
    assert set(found) <= {*UNWRITTEN, "NameError"}, errors(cells)
    for cell in checks(cells):
        assert text(cell).strip() and "✓" not in text(cell), f"{cell.source}: {text(cell)}"
