"""A zip run here as Gradescope would run it: its folders under a root of one's own, its two scripts, no container."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

from ..errors import GraderError, InputError


def lay_out(archive: bytes, root: Path) -> None:
    """Unpack a zip to ROOT/source and copy run_autograder to ROOT, as the image's build does."""
    source = root / "source"
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        for entry in opened.infolist():
            unpacked = Path(opened.extract(entry, source))
            unpacked.chmod(entry.external_attr >> 16 & 0o777)
    shutil.copy(source / "run_autograder", root)


def set_up(root: Path, python: Path = Path(sys.executable)) -> None:
    """Run setup.sh with `python` as the image's python3. Raises GraderError with its last line where it stops."""
    # Not a link: to a virtual environment's Python, that would lead out of the environment.
    start = root / "bin" / "python3"
    start.parent.mkdir()
    start.write_text(f'#!/bin/sh\nexec "{python}" "$@"\n', encoding="utf-8")
    start.chmod(0o755)
    path = f"{start.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    command = ["bash", str(root / "source" / "setup.sh")]
    done = subprocess.run(command, cwd=root, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines() or ["it says nothing"]
        raise GraderError(f"setup.sh stopped with {done.returncode}: {last[-1]}")


def hand_in(submission: Path, root: Path) -> None:
    """Put a student's file, folder or unpacked .zip into ROOT/submission, as the only attempt so far.

    Raises InputError where it cannot be read.
    """
    folder = root / "submission"
    shutil.rmtree(folder, ignore_errors=True)
    try:
        if submission.is_dir():
            shutil.copytree(submission, folder, symlinks=True)
        elif submission.suffix == ".zip":
            with zipfile.ZipFile(submission) as opened:
                opened.extractall(folder)
        else:
            folder.mkdir()
            shutil.copy(submission, folder)
    except (OSError, shutil.Error, zipfile.BadZipFile) as error:
        raise InputError(f"{submission} cannot be handed in: {error}; give a file, a folder or a .zip") from None
    (root / "submission_metadata.json").write_text('{"previous_submissions": []}\n', encoding="utf-8")


def run(root: Path) -> tuple[dict[str, Any], int, str]:
    """Run run_autograder: the results, its exit code, and what it printed."""
    results = root / "results"
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir()
    command = [str(root / "run_autograder")]
    done = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    table: dict[str, Any] = json.loads((results / "results.json").read_text(encoding="utf-8"))
    return table, done.returncode, done.stdout
