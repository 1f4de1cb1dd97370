"""A class of any size, made from the suite's right and faulty submissions, with some that crash, hang, flood or cannot be read."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import nbformat

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

MUTANTS = Path(__file__).parent / "mutants"
# Fast ones first: a hanging cell costs five seconds of processor time each time.
TROUBLE = {
    "killed": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n",
    "left": "import os\nos._exit(0)\n",
    "flooded": "for _ in range(100_000):\n    print('spam' * 50)\n",
    "swallowed": "everything = [0]\nwhile True:\n    everything = everything * 8\n",
    "recursed": "def again(x):\n    return again(x) + 1\n\n\nagain(0)\n",
    "raised": "raise ValueError('<b>&amp;' * 3)\n",
    "hung": "while True:\n    pass\n",
}
UNREADABLE = {"empty.py": b"", "latin.py": "caf\u00e9 = 1".encode("latin-1"), "broken.ipynb": b"{", "word.zip": b"PK not a zip"}


def variants(assignment: str) -> list[str]:
    """Sources of the assignment's right and faulty submissions."""
    table = tomllib.loads((MUTANTS / "table.toml").read_text())
    return [(MUTANTS / row["file"]).read_text() for row in table["mutant"] if row["assignment"] == assignment]


def make_class(folder: Path, assignment: str, number: int, troubled: int, seed: int = 1) -> Path:
    """Write `number` submissions into `folder`, `troubled` of them with code that does not behave, four unreadable."""
    draw = random.Random(seed)
    sources = variants(assignment)
    folder.mkdir(parents=True, exist_ok=True)
    places = draw.sample(range(number), troubled + len(UNREADABLE))
    kinds = dict(
        zip(places, [*UNREADABLE.items()] + [[*TROUBLE.items()][at % len(TROUBLE)] for at in range(troubled)], strict=True)
    )
    for student in range(number):
        name, content = kinds.get(student, ("", ""))
        stem = f"s{student:04}"
        if isinstance(content, bytes):
            (folder / f"{stem}{Path(name).suffix}").write_bytes(content)
            continue
        # Most of the trouble stands below work that is right, and costs it only what comes after.
        source = f"# {stem}\n{draw.choice(sources)}" + (f"\n\n# %% {name}\n{content}" if content else "")
        if student % 5 == 0:
            cells = [
                nbformat.v4.new_code_cell(f"# {part}" if at else part, id=f"c{at}") for at, part in enumerate(source.split("# %% "))
            ]
            notebook = nbformat.v4.new_notebook(cells=cells)
            (folder / f"{stem}.ipynb").write_text(nbformat.writes(notebook))
        else:
            (folder / f"{stem}.py").write_text(source)
    return folder
