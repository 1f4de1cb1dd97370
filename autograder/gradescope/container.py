"""What runs inside Gradescope's container: `python -m autograder.gradescope.container ROOT` replaces the results.

ROOT is /autograder there. It exits 0 for every submission that was graded, whatever its score; a fault of the grader
exits 3, and leaves the results that run_autograder wrote before it.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from ..errors import CourseError, GraderError, InputError
from ..exercise import Exercise, load_exercise
from ..grading import grade_submission, policy
from ..report.gradescope import Display, graded, refused
from ..sandbox import Zygote
from ..submission import Submission, read_submission

SETTINGS = "settings.json"
GRADER_EXIT = 3


def run(root: Path) -> None:
    """Grade what is in ROOT/submission into ROOT/results/results.json. Raises InputError, CourseError or GraderError."""
    settings: dict[str, Any] = json.loads((root / "source" / SETTINGS).read_text(encoding="utf-8"))
    exercise = load_exercise(settings.pop("assignment"))
    display, attempt = Display(**settings), graded_before(root / "submission_metadata.json") + 1
    try:
        work = handed_in(root / "submission", exercise.slug)
    except InputError as error:
        results = refused(exercise, str(error), display, attempt)
    else:
        results = _graded(work, exercise, display, attempt)
    replace(root / "results" / "results.json", results)


def _graded(work: Submission, exercise: Exercise, display: Display, attempt: int) -> dict[str, Any]:
    with Zygote(policy(exercise)) as zygote:
        return graded(grade_submission(work, exercise, zygote), display, attempt)


def handed_in(folder: Path, slug: str) -> Submission:
    """The student's work, under whatever name. Raises InputError where nothing there can be graded."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink() and not path.name.startswith(".")]
    # A folder's tests are left out of a submission; a single file is the work even where it is called test_mul.py.
    single = len(files) == 1 and files[0].suffix in (".py", ".ipynb")
    return read_submission(files[0] if single else folder, slug)


def graded_before(metadata: Path) -> int:
    """How many earlier submissions of this student were graded, by the marks that their results carry.

    What Gradescope does not say counts as not graded, so that nobody loses an attempt.
    """
    try:
        table = json.loads(metadata.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return 0
    earlier = table.get("previous_submissions") if isinstance(table, dict) else None
    return sum(_was_graded(one) for one in earlier) if isinstance(earlier, list) else 0


def _was_graded(submission: object) -> bool:
    results = submission.get("results") if isinstance(submission, dict) else None
    extra = results.get("extra_data") if isinstance(results, dict) else None
    return isinstance(extra, dict) and extra.get("graded") is True


def replace(target: Path, results: dict[str, Any]) -> None:
    """Write the results beside the target first: whoever reads it finds the old ones or the new, and no half."""
    beside = target.with_name(".graded")
    beside.write_text(json.dumps(results, indent=2, allow_nan=False) + "\n", encoding="utf-8")
    os.replace(beside, target)


def main() -> None:
    try:
        run(Path(sys.argv[1]))
    except (InputError, CourseError, GraderError) as error:
        print(f"autograder: not graded, the grader itself failed: {error}", file=sys.stderr)
        sys.exit(GRADER_EXIT)


if __name__ == "__main__":
    main()
