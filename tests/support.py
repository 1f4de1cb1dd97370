"""What tests share: the repository's root and the real command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


def autograder(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """The real command in a process of its own, in the repository unless `cwd` says otherwise."""
    command = [sys.executable, "-m", "autograder", *map(str, arguments)]
    options = {"cwd": ROOT, "capture_output": True, "text": True, "timeout": 120, **options}
    return subprocess.run(command, check=False, **options)


def grade_json(submission: Path, assignment: str, *arguments: object) -> dict[str, Any]:
    """The JSON of a real grading; fails the test where there is no grade."""
    done = autograder("grade", submission, "--assignment", assignment, "--json", "-", *arguments)
    assert done.returncode == 0, done.stderr
    table: dict[str, Any] = json.loads(done.stdout)
    return table
