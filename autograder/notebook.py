"""Source cells out of notebooks and scripts, with IPython's own syntax taken out and named."""

from __future__ import annotations

import ast
import itertools
import json
import re
import warnings
from dataclasses import dataclass
from typing import Any, cast

from .errors import InputError

# Cell magics that only watch the code below them; after any other, the cell is in another language.
WATCHING = {"time", "timeit", "capture", "prun", "python3", "python"}
LINE_MAGIC = re.compile(r"^\s*(%|!|\?)|^\s*[\w.]+\s*\?{1,2}\s*$|^\s*[\w.,\s]+=\s*[%!]")
PERCENT_CELL = re.compile(r"^# ?%%(.*)$")


@dataclass(frozen=True)
class Cell:
    """One piece of code that runs on its own: `index` counts from 1, `file` is what messages call it.

    `left_out` names the lines that are IPython's and not Python's. A `whole` cell stands for a module.
    """

    index: int
    file: str
    source: str
    left_out: tuple[str, ...] = ()
    whole: bool = False


def read_notebook(name: str, text: str) -> dict[str, Any]:
    """An .ipynb as the JSON of nbformat 4, older formats brought up to it. Raises InputError where it is none."""
    try:
        notebook = json.loads(text)
        if not isinstance(notebook, dict) or notebook.get("nbformat") != 4:
            notebook = _upgraded(text)
        for cell in notebook["cells"]:
            _checked(cell)
    except (json.JSONDecodeError, RecursionError):
        raise InputError(f"{name} is not JSON, so it is not a notebook; download it again from Jupyter as .ipynb") from None
    except Exception as error:
        reason = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
        raise InputError(f"{name} is not a Jupyter notebook ({reason}); download it again from Jupyter as .ipynb") from None
    return cast("dict[str, Any]", notebook)


def _upgraded(text: str) -> dict[str, Any]:
    # nbformat takes seconds to import, for the schemas that it brings; today's format needs none of it.
    import nbformat

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cast("dict[str, Any]", nbformat.reads(text, as_version=4))  # type: ignore[no-untyped-call]


def _checked(cell: dict[str, Any]) -> None:
    """What the rest relies on; metadata and outputs are left for those who read them."""
    if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
        raise ValueError("a cell of no type")
    source = cell.setdefault("source", "")
    if not isinstance(source, str) and not (isinstance(source, list) and all(isinstance(line, str) for line in source)):
        raise ValueError("a cell whose source is no text")
    cell["source"] = source if isinstance(source, str) else "".join(source)


def notebook_cells(name: str, text: str) -> tuple[Cell, ...]:
    """The code cells of an .ipynb, numbered over all cells as Jupyter's own count of code cells runs.

    Raises InputError where the text is not a notebook.
    """
    sources = [cell["source"] for cell in read_notebook(name, text)["cells"] if cell["cell_type"] == "code"]
    if not any(source.strip() for source in sources):
        raise InputError(f"{name} holds no code; save the notebook and hand it in again")
    return tuple(_cell(number, f"cell {number}", source) for number, source in enumerate(sources, 1))


def script_cells(name: str, text: str) -> tuple[Cell, ...]:
    """A .py as one cell, or as one for each `# %%` mark; lines keep their numbers in the file."""
    lines = text.splitlines()
    starts = [at for at, line in enumerate(lines) if PERCENT_CELL.match(line)]
    if not starts:
        return (_cell(1, name, text),)
    bounds = [0, *starts, len(lines)] if starts[0] else [*starts, len(lines)]
    cells: list[Cell] = []
    for begin, end in itertools.pairwise(bounds):
        mark = PERCENT_CELL.match(lines[begin])
        if mark and ("[markdown]" in mark[1] or "[raw]" in mark[1]):
            continue
        source = "\n" * begin + "\n".join(lines[begin:end])
        if source.strip():
            cells.append(_cell(len(cells) + 1, f"{name} (part {len(cells) + 1})", source))
    return tuple(cells)


def _cell(index: int, file: str, source: str) -> Cell:
    source = source.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    kept, left_out = without_magics(source)
    return Cell(index, file, kept, left_out)


def without_magics(source: str) -> tuple[str, tuple[str, ...]]:
    """The source with IPython's lines replaced by blank ones or `pass`, and those lines.

    What already is Python is left alone, so that a `%` that begins a continued line stays an operator.
    """
    if _parses(source):
        return source, ()
    lines = source.split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    left_out: list[str] = []
    if lines[first].startswith("%%"):
        left_out.append(lines[first].strip())
        if lines[first][2:].split()[:1] and lines[first][2:].split()[0] not in WATCHING:
            return "", tuple(left_out)
        lines[first] = ""
    logical = ""
    for at, line in enumerate(lines):
        if LINE_MAGIC.match(line) and not _unfinished(logical):
            left_out.append(line.strip()[:80])
            lines[at] = line[: len(line) - len(line.lstrip())] + "pass" if line[:1].isspace() else ""
            logical = ""
        else:
            logical = f"{logical}\n{line}" if _unfinished(logical) else line
    return "\n".join(lines), tuple(left_out)


def _parses(source: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _unfinished(logical: str) -> bool:
    """Whether a logical line goes on: an open bracket, an open triple quote, a backslash at the end."""
    if not logical.strip():
        return False
    if logical.rstrip().endswith("\\"):
        return True
    depth, quote, at = 0, "", 0
    while at < len(logical):
        if quote:
            if logical[at] == "\\":
                at += 1
            elif logical.startswith(quote, at):
                at += len(quote) - 1
                quote = ""
        elif logical[at] in "\"'":
            quote = logical[at] * 3 if logical.startswith(logical[at] * 3, at) else logical[at]
            at += len(quote) - 1
        elif logical[at] == "#":
            at = logical.find("\n", at)
            if at < 0:
                break
        else:
            depth += (logical[at] in "([{") - (logical[at] in ")]}")
        at += 1
    return depth > 0 or len(quote) == 3
