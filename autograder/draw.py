"""Pictures of a graph by pip alone: an SVG where a dot command is found, else a tree of text.

Works on any object with the attributes that the course's Value has, and on the expressions that checks play.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .expression import SYMBOLS, number_text
from .gradcheck import Observation
from .report.terminal import visible

NODE_LIMIT = 60
COUNT_LIMIT = 100_000
TEXT_LIMIT = 40
DOT_SECONDS = 10.0
STYLE = """
.autograder-graph { overflow-x: auto; margin: 0.5em 0; }
.autograder-graph svg { max-width: none; height: auto; }
.autograder-graph svg text { fill: currentColor; }
.autograder-graph svg g.node polygon, .autograder-graph svg g.edge path { stroke: currentColor; }
.autograder-graph svg g.edge polygon { stroke: currentColor; fill: currentColor; }
.autograder-graph svg g.marked polygon { stroke: var(--jp-error-color1, #d32f2f); stroke-width: 2; }
.autograder-graph svg g.marked text { font-weight: bold; }
"""


@dataclass(frozen=True)
class Box:
    """One node as it is drawn: its lines of text, where its operands stand, whether it is the one to look at."""

    lines: tuple[str, ...]
    operands: tuple[int, ...] = ()
    marked: bool = False


@dataclass(frozen=True)
class Graph:
    """Boxes, the root first, and how many more nodes there are that have none; `more` where they were not all counted."""

    boxes: tuple[Box, ...]
    left_out: int = 0
    more: bool = False

    @property
    def cut(self) -> str:
        count = f"{'more than ' if self.more else ''}{self.left_out:,}"
        return f"{count} {'node' if self.left_out == 1 else 'nodes'} further from the root left out." if self.left_out else ""


def draw_dot(root: Any, limit: int = NODE_LIMIT) -> Picture:
    """The graph behind `root` as a picture, at most `limit` nodes of it; show it by making it a cell's last line."""
    return Picture(of_values(root, limit))


def show(root: Any, limit: int = NODE_LIMIT) -> None:
    """Print the graph behind `root` as a tree, at most `limit` nodes of it."""
    print(tree(of_values(root, limit)))


class Picture:
    """A graph that a notebook shows as SVG with a caption, and anything else as text."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def __repr__(self) -> str:
        return tree(self.graph)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": f"<style>{STYLE}</style>{figure(self.graph)}", "text/plain": tree(self.graph)}


def of_values(root: Any, limit: int = NODE_LIMIT) -> Graph:
    """The graph of a Value-like object, breadth first from `root`, by `data`, `grad`, `label`, `_op` and `_prev`."""
    places, order, drawn = {id(root): 0}, [root], list[list[int]]()
    for node in order:
        operands = _operands(node)
        for operand in operands:
            if id(operand) not in places:
                places[id(operand)] = len(order)
                order.append(operand)
        if len(drawn) < limit:
            drawn.append([places[id(operand)] for operand in operands])
        if len(order) > COUNT_LIMIT:
            break
    boxes = []
    for node, operands in zip(order, drawn, strict=False):
        hidden = sum(place >= limit for place in operands)
        name = " ".join(filter(None, (_short(getattr(node, "label", "")), _operation(node))))
        numbers = [f"{what} {_number(getattr(node, what))}" for what in ("data", "grad") if hasattr(node, what)]
        more = f"(+ {hidden} left out)" if hidden else ""
        lines = tuple(filter(None, (name, *numbers, more))) or (_short(type(node).__name__),)
        boxes.append(Box(lines, tuple(place for place in operands if place < limit)))
    return Graph(tuple(boxes), max(len(order) - limit, 0), len(order) > COUNT_LIMIT)


def of_observation(seen: Observation) -> Graph:
    """A checked expression: each node's true gradient beside the one that was read, the first wrong one marked."""
    order = list(reversed(seen.traced.order()))
    places = {id(node): place for place, node in enumerate(order)}
    known = {id(one.node): one for one in seen.nodes}
    ends = {id(node): (want, got) for node, want, got in zip(seen.traced.inputs, seen.truth.gradient, seen.gradient, strict=True)}
    first = seen.first_wrong
    boxes = []
    for node in order:
        if node.kind == "number":
            boxes.append(Box((number_text(node.value),)))
            continue
        name = node.name if node.kind == "input" else SYMBOLS.get(node.kind, node.kind)
        lines = [f"L  {name}" if node is seen.traced.output else name]
        marked = first is not None and first.node is node
        if one := known.get(id(node)):
            lines += [f"data {number_text(one.data)}", f"grad expected {number_text(one.truth)}"]
            lines += [f"grad got {'nothing' if one.got is None else number_text(one.got)}"]
            lines += ["FIRST WRONG" if marked else "wrong too"] if one.wrong else []
        elif id(node) in ends:
            lines += [f"grad expected {number_text(ends[id(node)][0])}", f"grad got {number_text(ends[id(node)][1])}"]
        boxes.append(Box(tuple(lines), tuple(places[id(arg)] for arg in node.args), marked))
    return Graph(tuple(boxes))


def _operands(node: Any) -> list[Any]:
    held = getattr(node, "_prev", ())
    return list(held) if isinstance(held, (set, frozenset, tuple, list)) else []


def _operation(node: Any) -> str:
    operation = getattr(node, "_op", "")
    return f"({_short(operation)})" if operation else ""


def _number(value: Any) -> str:
    return number_text(value) if type(value) in (int, float) else _short(repr(value))


def _short(value: Any) -> str:
    text = visible(" ".join(str(value).split()))
    return text if len(text) <= TEXT_LIMIT else text[: TEXT_LIMIT - 1] + "…"


def tree(graph: Graph) -> str:
    """The graph as text, a line for each box; what is used more than once has its operands at its first place."""
    lines, seen = [], set[int]()
    stack = [(0, "", "")]
    while stack:
        place, lead, below = stack.pop()
        box = graph.boxes[place]
        again = place in seen and box.operands
        words = "  ".join(box.lines)
        lines.append(f"{lead}{'>> ' if box.marked else ''}{words}{'  (operands above)' if again else ''}")
        if place in seen:
            continue
        seen.add(place)
        for number, operand in reversed(list(enumerate(box.operands))):
            last = number == len(box.operands) - 1
            stack.append((operand, below + ("└── " if last else "├── "), below + ("    " if last else "│   ")))
    return "\n".join(filter(None, (*lines, graph.cut)))


def figure(graph: Graph) -> str:
    """The graph as an HTML figure; its caption says what drew it and how much of it is left out."""
    for name, command in dot_commands():
        drawn = _svg(graph, command)
        if drawn:
            told = f"Drawn by {name}. {graph.cut}".strip()
            text = f"<details><summary>The same as text</summary><pre>{html.escape(tree(graph))}</pre></details>"
            return f'<figure class="autograder-graph">{drawn}<figcaption>{html.escape(told)}</figcaption>{text}</figure>'
    told = "Drawn as text: no dot command was found. For a picture: pip install graphviz-pure"
    return f'<figure class="autograder-graph"><pre>{html.escape(tree(graph))}</pre><figcaption>{told}</figcaption></figure>'


def dot_commands() -> Iterable[tuple[str, str]]:
    """The names and paths of the dot commands here: the system's, then the one that pip installs."""
    if found := shutil.which("dot"):
        yield "dot", found
    # A kernel's PATH need not hold the folder of the commands that came with its Python.
    search = os.pathsep.join([os.environ.get("PATH", os.defpath), sysconfig.get_path("scripts")])
    if found := shutil.which("graphviz-pure", path=search):
        yield "graphviz-pure", found


def _svg(graph: Graph, command: str) -> str:
    """The SVG element, ready to stand in a page, or nothing where the command fails."""
    try:
        done = subprocess.run(
            [command, "-Tsvg"], input=dot_source(graph), capture_output=True, encoding="utf-8", timeout=DOT_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError, UnicodeError):
        return ""
    start = done.stdout.find("<svg")
    # Ids and titles would be the same in every picture of a page; the text stands in the details below.
    element = re.sub(r' id="[^"]*"|<title>[^<]*</title>\n?', "", done.stdout[start:])
    return element.replace("<svg", '<svg role="img" aria-label="Graph; the same as text follows"', 1) if start >= 0 else ""


def dot_source(graph: Graph) -> str:
    """The graph in dot's language; every text is quoted, none is read as markup or as an escape."""
    import graphviz  # type: ignore[import-untyped]

    picture = graphviz.Digraph(
        graph_attr={"rankdir": "LR", "bgcolor": "transparent", "nodesep": "0.15", "ranksep": "0.35"},
        node_attr={"shape": "box", "fontname": "Helvetica,Arial,sans-serif", "fontsize": "11", "margin": "0.1,0.05"},
        edge_attr={"arrowsize": "0.6"},
    )
    for place, box in enumerate(graph.boxes):
        words = "\\n".join(graphviz.escape(line) for line in box.lines)
        marks = {"class": "marked", "peripheries": "2"} if box.marked else {}
        picture.node(f"n{place}", graphviz.nohtml(words), **marks)
        picture.edges([(f"n{operand}", f"n{place}") for operand in box.operands])
    source: str = picture.source
    return source
