"""What the tests on nbgrader share: a course folder, its commands, submissions made from the solved notebook."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

from support import ROOT

ASSIGNMENT = "02_value"
MARKERS = ("### BEGIN SOLUTION", "### END SOLUTION", "<!-- BEGIN SOLUTION -->", "<!-- END SOLUTION -->")
# Who runs a command is asked of the operating system's accounts, of which a test has one.
ACCOUNT = """
import os, pwd
own = pwd.getpwuid(os.getuid())
pwd.getpwuid = lambda uid: pwd.struct_passwd((os.environ["USER"], *own[1:]))
"""


def environment(home: Path, user: str = "teacher", exchange: Path | None = None) -> dict[str, str]:
    """A user's own surroundings: folders of Jupyter's, nothing of the machine's; with an exchange, an account too."""
    jupyter = {
        name: str(home / name.lower()) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    }
    for folder in jupyter.values():
        Path(folder).mkdir(parents=True, exist_ok=True)
    # The commands, and the kernels that they start, are those of the Python that runs the tests.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    own = {**os.environ, **jupyter, "PATH": path, "HOME": str(home), "USER": user}
    if exchange is not None:
        (home / "sitecustomize.py").write_text(ACCOUNT)
        own["PYTHONPATH"] = str(home)
        (home / "jupyter_config_dir" / "nbgrader_config.py").write_text(f'c = get_config()\nc.Exchange.root = "{exchange}"\n')
    return own


def make_course(folder: Path) -> Path:
    """What a clone has for one assignment."""
    for kind in ("source", "release"):
        shutil.copytree(ROOT / kind / ASSIGNMENT, folder / kind / ASSIGNMENT)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    return folder


def run(line: str, cwd: Path, env: dict[str, str], code: int = 0) -> str:
    """One command line as it is written; what it said. Fails the test at another exit code."""
    done = subprocess.run(["bash", "-c", line], cwd=cwd, env=env, capture_output=True, text=True, timeout=300, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == code, f"{line}\n{said}"
    return said


def solved() -> dict[str, Any]:
    """The source notebook as a good student would hand it in, with what generate_assignment leaves in it."""
    source = read(ROOT / "source" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb")
    for cell in source["cells"]:
        lines = cell["source"].splitlines()
        cell["source"] = "\n".join(line for line in lines if line.strip() not in MARKERS)
    return source


def read(path: Path) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    return notebook


def named(notebook: dict[str, Any], name: str) -> dict[str, Any]:
    """The cell of this grade_id."""
    found: dict[str, Any] = next(c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == name)
    return found


def code_cell(source: str, **more: Any) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "metadata": {},
        "source": source,
        "outputs": [],
        "execution_count": None,
        "id": f"x{abs(hash(source))}",
        **more,
    }


def hand_in(
    course: Path, student: str, notebook: dict[str, Any] | str, name: str = ASSIGNMENT, at: str = "2026-11-20 10:00:00.000000 UTC"
) -> None:
    folder = course / "submitted" / student / ASSIGNMENT
    folder.mkdir(parents=True)
    text = notebook if isinstance(notebook, str) else json.dumps(notebook)
    (folder / f"{name}.ipynb").write_text(text, encoding="utf-8")
    (folder / "timestamp.txt").write_text(at)


def query(course: Path, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    database = sqlite3.connect(course / "gradebook.db")
    try:
        with database:
            return database.execute(sql, values).fetchall()
    finally:
        database.close()


GRADES = """
SELECT s.student_id, b.name, g.auto_score, g.manual_score, g.extra_credit, g.needs_manual_grade FROM grade g
JOIN submitted_notebook n ON n.id = g.notebook_id JOIN submitted_assignment s ON s.id = n.assignment_id
JOIN base_cell b ON b.id = g.cell_id ORDER BY 1, 2
"""
COMMENTS = """
SELECT s.student_id, b.name, c.auto_comment, c.manual_comment FROM comment c
JOIN submitted_notebook n ON n.id = c.notebook_id JOIN submitted_assignment s ON s.id = n.assignment_id
JOIN base_cell b ON b.id = c.cell_id ORDER BY 1, 2
"""
SUBMISSIONS = """
SELECT s.student_id, s.timestamp, s.extension, n.flagged, n.late_submission_penalty FROM submitted_assignment s
JOIN submitted_notebook n ON n.assignment_id = s.id ORDER BY 1
"""


def points(course: Path, student: str) -> dict[str, float | None]:
    """The automatic score of each cell."""
    return {name: auto for who, name, auto, *_ in query(course, GRADES) if who == student}
