"""Grades published engines as capstone submissions and writes docs/tables/peers.md; nothing of theirs is kept.

Run as `python bench/peers.py`: pip downloads each wheel to a temporary folder, where it is read and never installed.
The remarks are from a reading of each engine at the place that fails, with the failing expression run in plain Python
beside central differences; a score that is not the one they were written for ends the run with exit code 1.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from autograder.exercise import Exercise, load_exercise
from autograder.grading import grade_submission, policy
from autograder.sandbox import Zygote
from autograder.score import Score
from autograder.submission import read_submission

TABLE = Path(__file__).parent.parent / "docs" / "tables" / "peers.md"
NEWER = sys.version_info >= (3, 12)


@dataclass(frozen=True)
class Peer:
    """A pinned package, the score that its remark explains, and the remark."""

    package: str
    version: str
    score: float
    remark: str


PEERS = (
    Peer("micrograd", "0.1.0", 20, "Right throughout. It has relu and neither tanh nor exp, which is enough."),
    Peer(
        "lilgrad",
        "0.6.0",
        20,
        "Right throughout, with tanh, relu, exp and log; its class compares by number and hashes by identity.",
    ),
    Peer("micrograd-viz", "0.2.0", 20, "micrograd's engine and network with labels and pictures added; right throughout."),
    Peer(
        "learngrad",
        "0.2.1",
        20 if NEWER else 15,
        "Engine right. Its nn.py nests the same quotes in an f-string, which Python reads from 3.12 on: before that the file is a "
        "SyntaxError (compiled by hand: 3.10 and 3.11 refuse it, 3.12 does not) and there is no network, with 3.12 it gets 20. It "
        "says it is for 3.10 and later. exp needs numpy, which is not here: told, not judged, and not asked for.",
    ),
    Peer(
        "omnigrad",
        "0.2.3",
        15,
        "Engine right; its relu is called reLU and is found. There is no network in it: Value is its only class. tanh(1000) raises "
        "OverflowError, told and free.",
    ),
    Peer(
        "bitgrad",
        "0.1.2",
        16.75,
        "No division at all (a/b and a/2: TypeError) and no __rmul__ (2*a: TypeError); micrograd's README expression needs "
        "both, so it fails too. What is there is right, and the network, whose one output comes in a list, trains.",
    ),
    Peer(
        "kaitorch",
        "0.1.0",
        7.75,
        "Adds 1e-8 inside powers, quotients and logarithms: 2**3 is 8.00000012, 1/3 is 0.33333333111. 2/a raises TypeError: "
        "__rtruediv__ calls the plain number's own __mul__. tanh and relu stand behind activation('tanh'), and Sequential, "
        "of Dense layers built later, is made otherwise than MLP(3, [4, 4, 1]): another interface than the one asked for. "
        "Looked at by hand, tanh's slope is taken at the output (0.6846 at 0.75, central difference 0.5966), so a network of "
        "tanh has wrong gradients; one of relu has right ones, and loses its points by the interface alone.",
    ),
)


def wheel(peer: Peer, folder: Path) -> Path:
    """The package's wheel as a .zip, which is what it is."""
    place = folder / peer.package
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(place), f"{peer.package}=={peer.version}"]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    (found,) = place.iterdir()
    return Path(shutil.copy(found, folder / f"{peer.package}.zip"))


def first_line(text: str) -> str:
    return text.replace("\n", "; ").replace("|", "\\|")[:150]


def row(peer: Peer, score: Score) -> str:
    parts = ", ".join(f"{part.part} {part.score:g}/{part.max_score:g}" for part in score.parts if part.score < part.max_score)
    told = [test for test in score.tests if test.part == "beyond"]
    cannot = ", ".join(test.name.removeprefix("test_").replace("_", " ") for test in told if test.status not in ("passed",))
    points = f"{score.score:g} / {score.max_score:g}"
    return f"| {peer.package} {peer.version} | {points} | {parts or 'nothing'} | {peer.remark} | {cannot or 'nothing'} |"


def failures(peer: Peer, score: Score) -> list[str]:
    lost = [test for test in score.tests if test.score < test.max_score]
    return [f"- {peer.package}, {test.name}: {first_line(test.message)}" for test in lost]


def page(exercise: Exercise, graded: list[tuple[Peer, Score]]) -> str:
    """The table, then every check that cost points, with the first words of its message."""
    lines = [
        "# Published engines, graded as capstone submissions",
        "",
        f"Written by `python bench/peers.py` with Python {platform.python_version()}, seed {exercise.seed}.",
        "Each wheel was handed in as it is.",
        "",
        "The worker has Python's standard library and nothing else. An import that is absent does not cost the lines after it;",
        "what then calls on the absent package cannot be run here, is told as that, and is judged only where the capstone asks",
        "for it: tanh or relu, the operators and the network are in the reach of plain Python, and the lesson says so.",
        "",
        "| package | score | points lost in | why, checked by hand | told, at no cost: not there or not up to it |",
        "|---|---|---|---|---|",
        *(row(peer, score) for peer, score in graded),
        "",
        "## Each check that cost points",
        "",
        *(line for peer, score in graded for line in failures(peer, score)),
        "",
    ]
    return "\n".join(lines)


def main() -> int:
    exercise = load_exercise("capstone")
    graded: list[tuple[Peer, Score]] = []
    with tempfile.TemporaryDirectory() as folder, Zygote(policy(exercise)) as zygote:
        for peer in PEERS:
            graded.append((peer, grade_submission(read_submission(wheel(peer, Path(folder)), "capstone"), exercise, zygote)))
    TABLE.parent.mkdir(parents=True, exist_ok=True)
    TABLE.write_text(page(exercise, graded), encoding="utf-8")
    changed = [f"{peer.package}: {score.score:g}, not {peer.score:g}" for peer, score in graded if score.score != peer.score]
    print(f"{TABLE.name} written; scores other than those explained: {', '.join(changed) or 'none'}")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
