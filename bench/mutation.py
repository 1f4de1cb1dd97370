"""Mutation testing of the worked lessons: every small change of a solved region has to cost points.

    python bench/mutation.py [NN_slug ...] [--jobs 2] [--list]

Changes one place of a solved region at a time, grades each mutant with the hidden suite, and writes
docs/tables/mutation.md. A mutant is killed when it does not get full points. bench/equivalent.toml says of which
survivors the change cannot be seen, and why; a survivor that it does not explain is a hole in the suite. Exits 1
where fewer than 98 % of the mutants that are not equivalent are killed, or where an explanation explains nothing.
"""

from __future__ import annotations

import argparse
import ast
import copy
import difflib
import multiprocessing
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from autograder import suite
from autograder.build import authored
from autograder.errors import StudentFault
from autograder.grading import policy
from autograder.lesson import BEGIN, END, Lesson, read_lesson
from autograder.notebook import Cell
from autograder.plugin import Grading
from autograder.sandbox import Zygote
from autograder.session import Session
from autograder.submission import Submission

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "docs" / "tables" / "mutation.md"
EQUIVALENT = Path(__file__).parent / "equivalent.toml"
WANTED = 0.98

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
# What this course's mistakes are made of: the other field of a node, the other operand.
TWINS = {"data": "grad", "grad": "data", "self": "other", "other": "self", "max": "min", "min": "max", "append": "add"}


@dataclass(frozen=True)
class Mutant:
    """One changed cell of one lesson; `change` shows the line before and after."""

    slug: str
    mark: str
    operator: str
    change: str
    source: str


def replaced(node: ast.AST, **fields: Any) -> ast.AST:
    twin = copy.copy(node)
    for name, value in fields.items():
        setattr(twin, name, value)
    return twin


def expressions(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What one expression can be changed to, with the name of the change."""
    if isinstance(node, ast.BinOp):
        yield "operator", replaced(node, op=SWAPS[type(node.op)]()) if type(node.op) in SWAPS else node
        yield "drop operand", node.left
        yield "drop operand", node.right
        if isinstance(node.op, (ast.Sub, ast.Div, ast.Pow, ast.Mod, ast.FloorDiv)):
            yield "swap operands", replaced(node, left=node.right, right=node.left)
    elif isinstance(node, ast.BoolOp):
        yield "operator", replaced(node, op=SWAPS[type(node.op)]())
        for at in range(len(node.values)):
            rest = node.values[:at] + node.values[at + 1 :]
            yield "drop operand", rest[0] if len(rest) == 1 else replaced(node, values=rest)
    elif isinstance(node, ast.Compare):
        yield "operator", replaced(node, ops=[SWAPS[type(node.ops[0])](), *node.ops[1:]])
        yield "negate", ast.UnaryOp(ast.Not(), node)
    elif isinstance(node, ast.UnaryOp):
        yield "drop operator", node.operand
    elif isinstance(node, ast.IfExp):
        yield "negate", replaced(node, body=node.orelse, orelse=node.body)
        yield "drop branch", node.body
        yield "drop branch", node.orelse
    elif isinstance(node, ast.Constant):
        for value in constants(node.value):
            yield "constant", ast.Constant(value)
    elif isinstance(node, ast.Attribute) and node.attr in TWINS:
        yield "twin", replaced(node, attr=TWINS[node.attr])
    elif isinstance(node, ast.Name) and node.id in TWINS:
        yield "twin", replaced(node, id=TWINS[node.id])
    elif isinstance(node, ast.Call):
        if len(node.args) == 1 and not node.keywords:
            yield "drop call", node.args[0]
        for at in range(len(node.args)):
            yield "drop argument", replaced(node, args=node.args[:at] + node.args[at + 1 :])
        for at in range(len(node.keywords)):
            yield "drop argument", replaced(node, keywords=node.keywords[:at] + node.keywords[at + 1 :])
        if len(node.args) == 2:
            yield "swap arguments", replaced(node, args=node.args[::-1])
    elif isinstance(node, (ast.Tuple, ast.List, ast.Set)) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        for at in range(len(node.elts)):
            yield "drop element", replaced(node, elts=node.elts[:at] + node.elts[at + 1 :])
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield "negate", replaced(node, ifs=[ast.UnaryOp(ast.Not(), node.ifs[0]), *node.ifs[1:]])
        yield "drop condition", replaced(node, ifs=node.ifs[1:])


def constants(value: object) -> list[object]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, (int, float)):
        return [value + 1, -value if value else value - 1]
    return [value + "?"] if isinstance(value, str) else []


def statements(node: ast.stmt) -> Iterator[tuple[str, ast.AST]]:
    """What one statement can be changed to, beside what its expressions can."""
    if isinstance(node, ast.AugAssign):
        yield "= for +=", ast.Assign([node.target], node.value)
        yield "operator", replaced(node, op=SWAPS[type(node.op)]())
    if isinstance(node, (ast.If, ast.While)):
        yield "negate", replaced(node, test=ast.UnaryOp(ast.Not(), node.test))
    if isinstance(node, (ast.Break, ast.Continue)):
        yield "loop exit", ast.Continue() if isinstance(node, ast.Break) else ast.Break()
    if not isinstance(node, ast.Pass):
        yield "drop statement", ast.Pass()


def worked_lines(source: str) -> set[int]:
    """The numbers of the lines inside of solved regions."""
    inside, lines = False, set()
    for number, line in enumerate(source.split("\n"), 1):
        inside = (inside or BEGIN in line) and END not in line
        if inside:
            lines.add(number)
    return lines


def spots(tree: ast.AST, lines: set[int]) -> Iterator[tuple[str, Callable[[], None], Callable[[], None]]]:
    """Each change of each place inside of `lines`: its name, and how to make and to undo it."""
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            places = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
            for at, node in places:
                begins = getattr(node, "lineno", getattr(getattr(node, "target", None), "lineno", 0))
                if not isinstance(node, ast.AST) or begins not in lines or documents(parent, node):
                    continue
                for operator, other in (*expressions(node), *(statements(node) if isinstance(node, ast.stmt) else ())):
                    yield operator, placing(parent, name, at, other), placing(parent, name, at, node)


def documents(parent: ast.AST, node: ast.AST) -> bool:
    """A docstring, or a format's text, which has no place of its own in the source."""
    text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return text or (isinstance(parent, ast.Expr) and isinstance(node, ast.Constant)) or isinstance(node, ast.JoinedStr)


def placing(parent: ast.AST, name: str, at: int | None, node: ast.AST) -> Callable[[], None]:
    def place() -> None:
        if at is None:
            setattr(parent, name, node)
        else:
            getattr(parent, name)[at] = node

    return place


def mutants(lesson: Lesson) -> list[Mutant]:
    """Every mutant of the lesson that is Python and differs from the others."""
    found: dict[tuple[str, str], Mutant] = {}
    for cell in lesson.cells:
        if cell.kind != "solution":
            continue
        tree = ast.parse(cell.source)
        original = ast.unparse(tree)
        for operator, change, undo in spots(tree, worked_lines(cell.source)):
            change()
            try:
                source = ast.unparse(ast.fix_missing_locations(tree))
                compile(source, "mutant", "exec")
            except (SyntaxError, ValueError, AttributeError, TypeError):
                continue
            finally:
                undo()
            if source != original:
                found.setdefault((cell.mark, source), Mutant(lesson.slug, cell.mark, operator, shown(original, source), source))
    return list(found.values())


def shown(before: str, after: str) -> str:
    rows = [row for row in difflib.ndiff(before.split("\n"), after.split("\n")) if row[:2] in ("- ", "+ ")]
    old = " / ".join(row[2:].strip() for row in rows if row[0] == "-")
    new = " / ".join(row[2:].strip() for row in rows if row[0] == "+")
    return f"{old} → {new}"


class Impatient(Grading):
    """Stops a suite at the first failure and names no mistake: here only whether there is one counts."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed or report.skipped:
            self.killed = True

    def pytest_runtest_logfinish(self) -> None:
        if getattr(self, "killed", False):
            raise pytest.exit.Exception("killed", pytest.ExitCode.TESTS_FAILED)

    def pytest_sessionfinish(self) -> None:
        pass


def survives(job: tuple[Mutant | None, str]) -> bool:
    """Whether every test of the hidden suite passes on this mutant, or on the lesson as it is."""
    mutant, slug = job
    lesson, zygote = ready(slug)
    sources = [
        mutant.source if mutant and cell.mark == mutant.mark else cell.source
        for cell in lesson.cells
        if cell.kind in ("module", "solution")
    ]
    work = Submission("micrograd.py", tuple(Cell(number, "micrograd.py", source) for number, source in enumerate(sources, 1)))
    session = Session(work, zygote, lesson.exercise.limits, lesson.exercise.seed)
    suite.Grading = Impatient  # type: ignore[misc]
    try:
        outcomes = suite.run_suite(suite.hidden_suite(slug), lesson.exercise, session, lesson.exercise.seed)
    except StudentFault:
        return False
    finally:
        session.close()
    return all(outcome.status == "passed" for outcome in outcomes)


READY: dict[str, tuple[Lesson, Zygote]] = {}


def ready(slug: str) -> tuple[Lesson, Zygote]:
    """This process's lesson and fork server, made once for each assignment."""
    if slug not in READY:
        for _, old in READY.values():
            old.close()
        READY.clear()
        lesson = read_lesson(ROOT / "solutions" / slug)
        READY[slug] = lesson, Zygote(policy(lesson.exercise))
    return READY[slug]


def explanations() -> list[dict[str, str]]:
    table = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))
    return list(table.get("equivalent", []))


def explains(entry: dict[str, str], mutant: Mutant) -> bool:
    """Whether an entry of equivalent.toml is about this mutant: assignment and cell as patterns, the change as one."""
    wanted = (entry["assignment"], mutant.slug), (entry.get("cell", ".*"), mutant.mark), (entry["change"], mutant.change)
    return all(re.fullmatch(pattern, text) for pattern, text in wanted)


def report(results: dict[str, list[tuple[Mutant, bool]]], entries: list[dict[str, str]]) -> tuple[str, bool]:
    """The table, and whether the suites are good enough."""
    rows, listed, holes, used = [], [], [], set()
    total = killed_total = 0
    for slug, judged in results.items():
        survivors = [mutant for mutant, alive in judged if alive]
        why = {mutant: next((at for at, entry in enumerate(entries) if explains(entry, mutant)), None) for mutant in survivors}
        used |= {at for at in why.values() if at is not None}
        equal = sum(at is not None for at in why.values())
        killed = len(judged) - len(survivors)
        counted = len(judged) - equal
        total, killed_total = total + counted, killed_total + killed
        rows.append(f"| {slug} | {len(judged)} | {killed} | {equal} | {counted - killed} | {killed / max(counted, 1):.1%} |")
        for mutant, at in why.items():
            text = f"| {slug} | {mutant.mark} | {mutant.operator} | `{mutant.change.replace('|', chr(92) + '|')}` |"
            (listed if at is not None else holes).append(text + (f" {entries[at]['why']} |" if at is not None else ""))
    idle = [
        entry
        for at, entry in enumerate(entries)
        if at not in used and any(re.fullmatch(entry["assignment"], slug) for slug in results)
    ]
    share = killed_total / max(total, 1)
    lines = [
        "# Mutation testing",
        "",
        "Made by `python bench/mutation.py`: one change at a time inside of a solved region, graded with the",
    ]
    lines += ["hidden suite. Killed: the score drops.", ""]
    lines += [
        "| assignment | mutants | killed | equivalent | other survivors | killed of those not equivalent |",
        "|---|---|---|---|---|---|",
    ]
    lines += [*rows, f"| all | | {killed_total} | | {total - killed_total} | {share:.1%} |", ""]
    lines += [
        "## Survivors that are no equivalents",
        "",
        "| assignment | cell | change | before → after |",
        "|---|---|---|---|",
        *holes,
        "",
    ]
    lines += [
        "## Survivors that cannot be told apart",
        "",
        "| assignment | cell | change | before → after | why |",
        "|---|---|---|---|---|",
    ]
    lines += [*listed, ""]
    for entry in idle:
        print("explains no survivor:", entry)
    return "\n".join(lines), share >= WANTED and not idle


def main(arguments: Iterable[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("slugs", nargs="*", help="these assignments only, on the screen; docs/tables stays as it is")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="list the mutants and grade none")
    options = parser.parse_args(list(arguments))
    jobs = [
        (mutant, slug)
        for slug in options.slugs or authored(ROOT)
        for mutant in (None, *mutants(read_lesson(ROOT / "solutions" / slug)))
    ]
    if options.list:
        for mutant, slug in jobs:
            print(slug, mutant and (mutant.mark, mutant.operator, mutant.change))
        return 0
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        alive = pool.map(survives, jobs, chunksize=8)
    results: dict[str, list[tuple[Mutant, bool]]] = {}
    for (mutant, slug), lives in zip(jobs, alive, strict=True):
        if mutant is None and not lives:
            print(f"{slug}: the worked lesson itself does not pass; mend that first")
            return 1
        results.setdefault(slug, []).extend([(mutant, lives)] if mutant else [])
    text, good = report(results, explanations())
    if not options.slugs:
        TABLE.parent.mkdir(parents=True, exist_ok=True)
        TABLE.write_text(text, encoding="utf-8")
    print(text)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
