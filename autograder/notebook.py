"""Source cells out of notebooks and scripts, with IPython's own syntax taken out and named."""

from __future__ import annotations

import itertools
import json
import re
import warnings
from dataclasses import dataclass
from typing import Any, cast

from .errors import InputError

# Cell magics that only watch the code below them; after any other, the cell is in another language.
WATCHING = {"time", "timeit", "capture", "prun", "python3", "python"}
LINE_MAGIC = re.compile(r"^\s*(%|!|\?)|^\s*[\w.]+\s*\?{1,2}\s*$|^[\w.,\s]+=\s*[%!]")
PERCENT_CELL = re.compile(r"^# ?%%(.*)$")
CODE_LIMIT = 2 << 20


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
    limit_code(name, sum(map(len, sources)))
    if not any(source.strip() for source in sources):
        raise InputError(f"{name} holds no code; save the notebook and hand it in again")
    return tuple(_cell(number, f"cell {number}", source) for number, source in enumerate(sources, 1))


def script_cells(name: str, text: str) -> tuple[Cell, ...]:
    """A .py as one cell, or as one for each `# %%` mark; lines keep their numbers in the file."""
    limit_code(name, len(text))
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


def limit_code(name: str, size: int) -> None:
    """Refuse code of a size that only reading it would make the grader slow. Raises InputError."""
    if size > CODE_LIMIT:
        raise InputError(f"{name} holds more than {CODE_LIMIT >> 20} MB of code; hand in the work alone")


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
    depth, quote, goes_on = 0, "", False
    for at, line in enumerate(lines):
        if LINE_MAGIC.match(line) and not goes_on:
            left_out.append(line.strip()[:80])
            lines[at] = line[: len(line) - len(line.lstrip())] + "pass" if line[:1].isspace() else ""
            continue
        depth, quote = _opened(line, *((depth, quote) if goes_on else (0, "")))
        goes_on = depth > 0 or len(quote) == 3 or line.rstrip().endswith("\\")
    return "\n".join(lines), tuple(left_out)


def _parses(source: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # Not ast.parse: before Python 3.11 a sum of 100,000 terms crashes it, and with it the grader.
            compile(source, "cell", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _opened(line: str, depth: int, quote: str) -> tuple[int, str]:
    """How many brackets and which quote are open after a line that began with `depth` and `quote` open."""
    at = 0
    while at < len(line):
        if quote:
            if line[at] == "\\":
                at += 1
            elif line.startswith(quote, at):
                at += len(quote) - 1
                quote = ""
        elif line[at] in "\"'":
            quote = line[at] * 3 if line.startswith(line[at] * 3, at) else line[at]
            at += len(quote) - 1
        elif line[at] == "#":
            break
        else:
            depth += (line[at] in "([{") - (line[at] in ")]}")
        at += 1
    return depth, quote
