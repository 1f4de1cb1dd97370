"""A checked part as a panel: HTML for a notebook, the same words as text; whatever a student wrote is escaped."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from . import draw
from .expression import point, text
from .gradcheck import Observation
from .plugin import Outcome
from .public import PartResult
from .report.terminal import MARKS, visible

WORDS = {
    "passed": "passed",
    "failed": "wrong",
    "crashed": "crashed",
    "timed-out": "ran too long",
    "not-attempted": "not attempted",
    "not-run": "not run",
}
SHORT_LINES = 4
# Jupyter's own colours follow its theme; the values after the commas are for pages that have none. Text keeps the
# page's colour, and each state has a mark and a word, so that no colour is the only sign.
STYLE = (
    draw.STYLE
    + """
.autograder-panel { border: 1px solid var(--jp-border-color1, #8886); border-left-width: 6px; border-radius: 4px;
  padding: 0.6em 0.9em; margin: 0.3em 0; max-width: 60em; overflow-wrap: anywhere; }
.autograder-panel.passed { border-left-color: var(--jp-success-color1, #388e3c); }
.autograder-panel.failed { border-left-color: var(--jp-error-color1, #d32f2f); border-left-style: double; }
.autograder-panel.not-attempted { border-left-color: var(--jp-warn-color1, #f57c00); border-left-style: dashed; }
.autograder-panel h3 { margin: 0; font-size: 1.1em; line-height: 1.4; }
.autograder-panel p { margin: 0.3em 0; }
.autograder-panel ul[class] { list-style: none; margin: 0.5em 0; padding: 0; }
.autograder-panel li { margin: 0.35em 0; padding-left: 1.5em; text-indent: -1.5em; }
.autograder-panel li > * { text-indent: 0; }
.autograder-panel .state { font-weight: bold; }
.autograder-panel pre { margin: 0.3em 0; padding: 0.5em 0.7em; background: var(--jp-layout-color2, #8881); color: inherit;
  overflow-x: auto; white-space: pre-wrap; word-break: normal; overflow-wrap: break-word; line-height: 1.4; }
.autograder-panel figure { margin: 0.5em 0; }
.autograder-panel figure pre { white-space: pre; }
.autograder-panel figcaption, .autograder-panel summary { font-size: 0.9em; }
.autograder-panel code { background: none; }
"""
)


def headline(result: PartResult) -> str:
    """What came of the part, in a few words."""
    passed = sum(outcome.status == "passed" for outcome in result.outcomes)
    if result.status == "passed":
        return "✓ all checks passed" if passed > 1 else "✓ passed"
    if result.status == "not-attempted":
        return "· not attempted yet"
    return f"✗ {passed} of {len(result.outcomes)} checks passed"


def sentence(outcome: Outcome) -> str:
    """The test's sentence; the cases of one test are told apart by their names."""
    case = outcome.name.partition("[")[2].removesuffix("]")
    return f"{outcome.title} ({case})" if case else outcome.title


def hinted(result: PartResult) -> Iterator[tuple[Outcome, str]]:
    """Each test with its mistake's hint, which one mistake in several tests is given once."""
    given = set[str]()
    for outcome in result.outcomes:
        tip = outcome.finding.hint if outcome.finding else ""
        yield outcome, "" if tip in given else tip
        given.add(tip)


def details(outcome: Outcome) -> str:
    """What a student needs of a test that did not pass; nothing where its state says it all."""
    if outcome.status in ("passed", "not-attempted"):
        return ""
    return visible(outcome.message)


def in_short(result: PartResult) -> str:
    """The part's state and the numbers of the first thing that is wrong, for places that show no panel."""
    wrong = next((details(outcome) for outcome in result.outcomes if details(outcome)), "")
    return "\n".join([f"{result.part.id}: {headline(result)}", *wrong.splitlines()[:SHORT_LINES]])


def as_lines(result: PartResult, ask: str = 'hint("{}")') -> Iterator[tuple[str, str]]:
    """The panel for a terminal: each line with its colour; `ask` is how a hint is asked for there."""
    colours = {"passed": "bold green", "failed": "bold red", "not-attempted": "bold yellow"}
    yield f"{result.part.title}: {headline(result)}", colours[result.status]
    for outcome, tip in hinted(result):
        mark, colour = MARKS[outcome.status]
        yield f"  {mark} {WORDS[outcome.status]}: {sentence(outcome)}", colour
        for line in details(outcome).splitlines():
            yield f"      {line}", ""
        if tip:
            yield f"      Hint: {tip}", ""
    if seen := result.smallest:
        yield f"  {about(seen)}", ""
        for line in draw.tree(draw.of_observation(seen)).splitlines():
            yield f"      {line}", ""
    if result.status != "passed":
        yield f"  For a hint: {ask.format(result.part.id)}", ""


def as_text(result: PartResult) -> str:
    return "\n".join(line for line, _ in as_lines(result))


def as_html(result: PartResult) -> str:
    """The panel for a notebook: it needs no script and no network."""
    rows = "".join(_row(outcome, tip) for outcome, tip in hinted(result))
    graph = ""
    if seen := result.smallest:
        graph = f"<p>{escape(about(seen))}</p>{draw.figure(draw.of_observation(seen))}"
    ask = f'<p>For a hint: <code>hint("{escape(result.part.id)}")</code></p>' if result.status != "passed" else ""
    title = f'<h3>{escape(result.part.title)}: <span class="state">{escape(headline(result))}</span></h3>'
    label = escape(f"Check of {result.part.title}")
    body = f'{title}<ul class="autograder-tests">{rows}</ul>{graph}{ask}'
    return f'<style>{STYLE}</style><section class="autograder-panel {result.status}" aria-label="{label}">{body}</section>'


def about(seen: Observation) -> str:
    """The sentence above a graph."""
    first = seen.first_wrong
    where = f" The backward pass first goes wrong at {first.name}." if first else ""
    return f"The smallest expression that shows it: {text(seen.traced)}   at {point(seen.traced, seen.at)}.{where}"


def _row(outcome: Outcome, tip: str) -> str:
    mark = f'<span aria-hidden="true">{MARKS[outcome.status][0]}</span> <span class="state">{WORDS[outcome.status]}</span>'
    words = details(outcome)
    more = f"<pre>{escape(words)}</pre>" if words else ""
    more += f"<p><strong>Hint:</strong> {escape(tip)}</p>" if tip else ""
    return f"<li>{mark}: {escape(sentence(outcome))}{more}</li>"
