"""What a notebook calls: check("mul-gradient") runs a part's public tests on the caller's own names."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from .errors import OneLine
from .public import PartResult, find_part, run_public

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

# A kernel's user sits and waits.
MOST_SECONDS = 1.0


class NotRight(OneLine, AssertionError):
    """A part of which a test did not pass."""


class NotAttemptedYet(OneLine, NotImplementedError):
    """A part that is as the skeleton left it."""


def check(part: str, assignment: str = "") -> None:
    """Check one part of an assignment on your own code, as it stands in this notebook or script.

        check("mul-gradient")

    Shows each test's sentence and what came of it, and changes nothing of yours. After that, NotImplementedError is
    raised for a part that is not attempted and AssertionError for one that is not right, so that a run of the
    whole notebook stops there. `assignment` ("03_mul") is needed only where two have a part of that name.
    """
    exercise, found = find_part(part, assignment)
    # pytest and all that goes with it take longer to load than a notebook's first cell should.
    from . import panel
    from .inprocess import InProcess, undisturbed

    namespace = sys._getframe(1).f_globals
    own = InProcess(namespace, min(exercise.limits.seconds, MOST_SECONDS), exercise.seed)
    with undisturbed(namespace):
        (result,) = run_public(exercise, own, [found.id])
    shell = _shell()
    if shell:
        shell.display_pub.publish({"text/html": panel.as_html(result), "text/plain": panel.as_text(result)})
    else:
        print(panel.as_text(result))
    _judge(result, panel.in_short(result))


def _judge(result: PartResult, words: str) -> None:
    if result.status == "not-attempted":
        raise NotAttemptedYet(words)
    if result.status != "passed":
        raise NotRight(words)


def _shell() -> InteractiveShell | None:
    """The IPython that this runs in, which knows whether its user sees HTML or text; None in plain Python."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None
