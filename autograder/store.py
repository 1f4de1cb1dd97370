"""Results of a class in one SQLite file, each kept at once, with what it was made from."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from .errors import InputError

GRADES = Path("grades")
DATABASE = "grades.db"
Outcome = Literal["graded", "unusable", "failed"]
TABLE = """
create table if not exists result (
    assignment text, student text, name text, digest text, suite text, seed integer,
    outcome text, message text, grade text, code text, primary key (assignment, student)
)
"""
COLUMNS = "student, name, digest, suite, seed, outcome, message, grade, code"


@dataclass(frozen=True)
class Made:
    """What a result was made from: the submission's bytes, the suite's, and the seed."""

    digest: str
    suite: str
    seed: int


@dataclass(frozen=True)
class Record:
    """One student's result: the grade as JSON's types where there is one, else a message that says why not.

    `unusable`: the submission cannot be read. `failed`: the grader itself did. `code` is the submission's own code.
    """

    student: str
    name: str
    made: Made
    outcome: Outcome
    message: str = ""
    grade: dict[str, Any] | None = None
    code: str = ""


class Store:
    """The file of results. Raises InputError where it cannot be opened or is something else."""

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.connection = sqlite3.connect(path)
            # A result is kept the moment it is written, and a reader does not wait for a running batch.
            self.connection.execute("pragma journal_mode = wal")
            self.connection.execute(TABLE)
        except (sqlite3.Error, OSError) as error:
            raise InputError(f"{path} cannot be used for results: {error}; name another folder with --grades") from None

    def keep(self, assignment: str, record: Record) -> None:
        made = record.made
        grade = None if record.grade is None else json.dumps(record.grade, allow_nan=False)
        row = (assignment, record.student, record.name, made.digest, made.suite, made.seed)
        with self.connection:
            self.connection.execute(
                "insert or replace into result values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                tuple(map(text_only, (*row, record.outcome, record.message, grade, record.code))),
            )

    def made(self, assignment: str) -> dict[str, tuple[Outcome, Made]]:
        """By student, what the result is and what it was made from."""
        rows = self.connection.execute(
            "select student, outcome, digest, suite, seed from result where assignment = ?", (assignment,)
        )
        return {student: (outcome, Made(digest, suite, seed)) for student, outcome, digest, suite, seed in rows}

    def records(self, assignment: str) -> Iterator[Record]:
        """Every result of an assignment, by student."""
        rows = self.connection.execute(f"select {COLUMNS} from result where assignment = ? order by student", (assignment,))
        for student, name, digest, suite, seed, outcome, message, grade, code in rows:
            table = None if grade is None else json.loads(grade)
            yield Record(student, name, Made(digest, suite, seed), outcome, message, table, code)

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def text_only(value: Any) -> Any:
    """A file's name can hold bytes that are no text; SQLite takes text only."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def digest_files(paths: Iterable[Path], salt: str = "") -> str:
    """A fingerprint of files by name and content; folders are walked, links are not followed.

    Raises InputError where one cannot be read.
    """
    hashed = hashlib.sha256(salt.encode())
    for path in paths:
        inner = [path] if not path.is_dir() else [found for found in sorted(path.rglob("*")) if "__pycache__" not in found.parts]
        for file in inner:
            if (file.is_symlink() and file != path) or not file.is_file():
                continue
            try:
                content = hashlib.sha256(file.read_bytes()).digest()
            except OSError as error:
                raise InputError(f"{file.name} cannot be read: {error.strerror}; check its permissions") from None
            hashed.update(str(file.relative_to(path.parent)).encode("utf-8", "surrogateescape") + b"\0" + content)
    return hashed.hexdigest()
