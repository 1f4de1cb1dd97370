"""`autograder report`: what a class's results come to, as pages, CSV and JSON."""

from __future__ import annotations

from pathlib import Path

import click

from ..copies import ALIKE, alike, given_code
from ..errors import InputError
from ..exercise import load_exercise
from ..store import DATABASE, GRADES, Store


@click.command()
@click.option("--assignment", required=True, help="Which assignment, as in 03_mul.")
@click.option("--grades", type=click.Path(path_type=Path), default=GRADES, show_default=True, help="The folder of results.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to write; by default a folder beside the results.")
@click.option("--copies/--no-copies", default=True, help="Whether to list pairs that are much alike in structure.")
@click.option("--alike", "threshold", type=click.FloatRange(0, 1), default=ALIKE, show_default=True, help="How alike they must be.")
def command(assignment: str, grades: Path, output: Path | None, copies: bool, threshold: float) -> None:
    """Write the class's report, a page for each student, grades.csv and grades.json."""
    # Charts and templates take a second to import.
    try:
        from ..report.classroom import write_report
    except ImportError as error:
        raise InputError(f"reports need {error.name}: python -m pip install 'autograder[course]'") from None
    exercise = load_exercise(assignment)
    if not (grades / DATABASE).is_file():
        raise InputError(f"{grades / DATABASE} does not exist; run autograder batch first, or name its --grades folder")
    with Store(grades / DATABASE) as store:
        records = list(store.records(assignment))
    if not records:
        raise InputError(
            f"{grades / DATABASE} holds nothing of {assignment}; run autograder batch FOLDER --assignment {assignment}"
        )
    codes = ((record.student, record.code) for record in records if record.code)
    pairs = alike(codes, given_code(assignment), threshold) if copies else []
    click.echo(write_report(output or grades / assignment, exercise, records, pairs))
