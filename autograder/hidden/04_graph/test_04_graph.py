"""The hidden suite of 04_graph.

A `Graph` is built twice, as labels here and as Values in the worker; nothing is known of the order of parents.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest

from autograder.errors import Crashed, TimedOut, WrongAnswer
from autograder.plugin import grade
from autograder.student import Remote, Student, describe

NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")
# What trees are drawn with, besides blanks.
TREE = re.compile(r"[\s│├└─┬╰|`+\\-]*(?=[^\d.])")
LISTED = 6
SHAPES: dict[str, str] = {
    "product": "e = a * b",
    "example": "e = a * b; d = e + c; g = a + c; L = d * g",
    "chain": "d = a + b; e = d * c; f = e + g; h = f * k",
    "diamond": "t = a * b; u = t + c; v = t * d; w = u * v",
    "shared": "t = a * b; u = t * c; v = t + u",
    "reversed": "t = a * b; u = t * c; v = u + t",
    "skip": "d = a + b; e = d * a; f = e + b; g = f * a",
    "ladder": "c = a + b; d = b + c; e = c * d; f = d + e; g = e * f; h = f + g",
}


class Graph:
    """Values made from lines such as `e = a * b`; names that no line makes are typed in. The last one is the root."""

    def __init__(self, student: Student, lines: str, rng: random.Random) -> None:
        self.remotes: dict[str, Remote] = {}
        self.data: dict[str, float] = {}
        self.parents: dict[str, tuple[str, ...]] = {}
        for line in lines.split("; "):
            name, _, left, sign, right = line.split()
            for leaf in (left, right):
                if leaf not in self.data:
                    number = rng.choice((-1, 1)) * rng.randint(5, 15) / 4
                    self._add(leaf, student.name("Value")(number, label=leaf), number, ())
            made = self.remotes[left] * self.remotes[right] if sign == "*" else self.remotes[left] + self.remotes[right]
            made.set("label", name)
            x, y = self.data[left], self.data[right]
            self._add(name, made, x * y if sign == "*" else x + y, (left, right))
        self.root = name

    def _add(self, name: str, remote: Remote, number: float, parents: tuple[str, ...]) -> None:
        remote._text = name
        self.remotes[name], self.data[name], self.parents[name] = remote, number, parents

    def behind(self, root: str) -> list[str]:
        """The names behind `root`, with it, each once."""
        found, waiting = [root], [root]
        while waiting:
            new = [parent for parent in self.parents[waiting.pop()] if parent not in found]
            found += dict.fromkeys(new)
            waiting += dict.fromkeys(new)
        return found

    def edges(self, root: str) -> set[tuple[str, str]]:
        return {(parent, name) for name in self.behind(root) for parent in self.parents[name]}

    def visits(self, root: str) -> Counter[str]:
        """How often a walk that forgets comes to each name."""
        return sum((self.visits(parent) for parent in self.parents[root]), Counter({root: 1}))

    def call(self, student: Student, name: str, root: str) -> Remote:
        return student.name(name)(self.remotes[root])

    def read(self, student: Student, *wanted: Remote) -> tuple[dict[Any, str], list[Any]]:
        """The Values' objects with their names, and what was asked for."""
        every = list(self.remotes)
        try:
            got = student.read(*[self.remotes[name] for name in every], *wanted)
        except Crashed as error:
            if error.kind != "nonsense":
                raise
            words = f"{wanted[0]._text} gave more than can be looked at: does it start afresh at each call?"
            raise WrongAnswer(words) from None
        return {one: name for one, name in zip(got[: len(every)], every, strict=True)}, got[len(every) :]


def kind(value: Any) -> str:
    """What was found, in a few words; of a collection only that it is one."""
    words: dict[type, str] = {list: "a list", tuple: "a tuple", frozenset: "a set", dict: "a dict"}
    return words.get(type(value)) or describe(value)


def items(value: Any, what: str) -> list[Any]:
    if not isinstance(value, (list, tuple, frozenset)):
        raise WrongAnswer(f"{what}: expected a list or a set, got {kind(value)}")
    return list(value)


def pairs(value: Any, what: str) -> list[tuple[Any, Any]]:
    found = items(value, what)
    for pair in found:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise WrongAnswer(f"{what}: expected pairs only, found {kind(pair)}")
    return [(pair[0], pair[1]) for pair in found]


def called(names: dict[Any, str], one: Any) -> str:
    """A node's label; anything else in a few words."""
    try:
        return names.get(one) or kind(one)
    except TypeError:
        return kind(one)


def listing(counted: Counter[Any]) -> str:
    names = [f"{name} {times} times" if times > 1 else str(name) for name, times in sorted(counted.items())]
    return ", ".join(names[:LISTED]) + (f" and {len(names) - LISTED} more" if len(names) > LISTED else "")


def same(what: str, expected: Counter[Any], got: Counter[Any]) -> None:
    """Compare two bags, and name only what is missing or too much."""
    missing, extra = expected - got, got - expected
    if missing or extra:
        lines = [f"missing: {listing(missing)}"] if missing else []
        lines += [f"too many: {listing(extra)}"] if extra else []
        raise WrongAnswer("\n".join([what, *lines]))


def arrow(start: str, end: str) -> str:
    return f"({start}, {end})"


@grade("walk", points=1)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_way_is_walked(student: Student, rng: random.Random, shape: str) -> None:
    """A walk begins with its root, and comes to each Value once for every way that leads there."""
    graph = Graph(student, SHAPES[shape], rng)
    result = graph.call(student, "walk", graph.root)
    names, (got,) = graph.read(student, result)
    steps = [called(names, one) for one in items(got, result._text)]
    same(f"{SHAPES[shape]}\n{result._text}: the steps are not all there", graph.visits(graph.root), Counter(steps))
    if steps[0] != graph.root:
        raise WrongAnswer(f"{SHAPES[shape]}\n{result._text}: expected it to begin with {graph.root}, got {steps[0]}")


@grade("walk", points=0.5)
def test_the_walk_of_a_typed_in_value(student: Student, rng: random.Random) -> None:
    """A Value that was typed in is a walk of one step, also when it has been used elsewhere."""
    graph = Graph(student, SHAPES["example"], rng)
    result = graph.call(student, "walk", "a")
    names, (got,) = graph.read(student, result)
    same(f"{result._text}: the steps", Counter(["a"]), Counter(called(names, one) for one in items(got, result._text)))


@grade("walk", points=0.5)
def test_the_walk_leaves_the_graph_alone(student: Student, rng: random.Random) -> None:
    """A second walk gives the same as the first, and a walk from the middle only what lies behind it."""
    graph = Graph(student, SHAPES["example"], rng)
    results = [graph.call(student, "walk", root) for root in ("L", "L", "d", "L")]
    names, lists = graph.read(student, *results)
    for root, result, got in zip(("L", "L", "d", "L"), results, lists, strict=True):
        steps = Counter(called(names, one) for one in items(got, result._text))
        same(f"{SHAPES['example']}\n{result._text}: the steps", graph.visits(root), steps)


def assert_trace(student: Student, graph: Graph, root: str, lines: str) -> None:
    result = graph.call(student, "trace", root)
    names, (both,) = graph.read(student, result)
    if not isinstance(both, (tuple, list)) or len(both) != 2:
        raise WrongAnswer(f"{result._text}: expected two things, nodes and edges; got {kind(both)}")
    nodes = Counter(called(names, one) for one in items(both[0], f"{result._text}, nodes"))
    same(f"{lines}\n{result._text}: the nodes", Counter(graph.behind(root)), nodes)
    found = [(called(names, start), called(names, end)) for start, end in pairs(both[1], f"{result._text}, edges")]
    expected = graph.edges(root)
    if {(end, start) for start, end in found} == expected != set(found):
        raise WrongAnswer(f"{lines}\n{result._text}: the edges stand the wrong way round; (parent, value) is asked for")
    got = Counter(arrow(*edge) for edge in found)
    # A list of edges may name both uses in x + x.
    doubled = {arrow(parent, name) for name, both in graph.parents.items() for parent in both if both.count(parent) > 1}
    got = Counter({edge: 1 if edge in doubled else times for edge, times in got.items()})
    same(f"{lines}\n{result._text}: the edges, each a (parent, value)", Counter(arrow(*edge) for edge in expected), got)


@grade("trace", points=1)
@pytest.mark.parametrize("shape", SHAPES)
def test_nodes_and_edges(student: Student, rng: random.Random, shape: str) -> None:
    """trace finds each Value behind the root once, and a pair (parent, value) for each use."""
    graph = Graph(student, SHAPES[shape], rng)
    assert_trace(student, graph, graph.root, SHAPES[shape])


@grade("trace", points=0.5)
def test_only_what_lies_behind_the_root(student: Student, rng: random.Random) -> None:
    """A trace from the middle leaves out what was made later; a typed-in Value has one node and no edge."""
    graph = Graph(student, SHAPES["example"], rng)
    for root in ("d", "g", "a"):
        assert_trace(student, graph, root, SHAPES["example"])


@grade("trace", points=0.5)
def test_a_second_trace(student: Student, rng: random.Random) -> None:
    """A second trace starts afresh: it finds all that the first one found, and nothing of other graphs."""
    graph = Graph(student, SHAPES["diamond"], rng)
    other = Graph(student, SHAPES["product"], rng)
    for _ in range(2):
        assert_trace(student, graph, "w", SHAPES["diamond"])
        assert_trace(student, other, "e", SHAPES["product"])


@grade("trace", points=0.25)
@pytest.mark.parametrize("lines", ["y = x + x", "y = x * x", "y = x + x; z = y * y"], ids=["sum", "square", "both"])
def test_a_value_with_itself(student: Student, rng: random.Random, lines: str) -> None:
    """y = x + x has one parent, so one edge."""
    graph = Graph(student, lines, rng)
    assert_trace(student, graph, graph.root, lines)


def twins(student: Student) -> Remote:
    """The sum of two Values with equal numbers and equal labels."""
    value = student.name("Value")
    total = value(1.5, label="k") + value(1.5, label="k")
    total.set("label", "s")
    return total


@grade("trace", points=0.25)
def test_twins_are_two_nodes(student: Student) -> None:
    """Two Values with equal numbers and equal labels are two nodes."""
    nodes, edges = student.name("trace")(twins(student))[0], student.name("trace")(twins(student))[1]
    got = [len(items(part, "trace(k + k)")) for part in student.read(nodes, edges)]
    if got != [3, 2]:
        raise WrongAnswer(f"s = Value(1.5, label='k') + Value(1.5, label='k'): expected 3 nodes, 2 edges; got {got[0]}, {got[1]}")


TALL = 45


def tall(student: Student) -> Remote:
    """A tower in which each Value is the sum of the two before: a walk that forgets never ends on it."""
    lower, upper = student.name("Value")(1.0, label="low"), student.name("Value")(0.5, label="high")
    for _ in range(TALL - 2):
        lower, upper = upper, lower + upper
    upper._text = f"a tower of {TALL} Values"
    return upper


def in_time(student: Student, *wanted: Remote) -> list[Any]:
    try:
        return list(student.read(*wanted))
    except TimedOut:
        words = f"{wanted[0]._text} does not come to an end: does it go on from a Value that it has seen before?"
        raise TimedOut(words) from None


@grade("trace", points=0.5)
def test_a_tower_is_traced_at_once(student: Student) -> None:
    """A tower in which every Value is used twice is traced at once."""
    result = student.name("trace")(tall(student))
    nodes, edges = in_time(student, result[0], result[1])
    got = len(items(nodes, "nodes")), len(items(edges, "edges"))
    if got != (TALL, 2 * (TALL - 2)):
        raise WrongAnswer(f"{result._text}: expected {TALL} nodes and {2 * (TALL - 2)} edges, got {got[0]} and {got[1]}")


def rows(text: Any, what: str) -> list[tuple[int, str]]:
    """Each line's indentation and the rest of it."""
    if not isinstance(text, str):
        raise WrongAnswer(f"{what}: expected a text, got {describe(text)}; does it print, and return nothing?")
    found = []
    for line in text.expandtabs(4).splitlines():
        match = TREE.match(line)
        column = match.end() if match else 0
        if line[column:].strip():
            found.append((column, line[column:].rstrip()))
    return found


def holds(line: str, number: float) -> bool:
    return any(abs(float(one) - number) <= 1e-3 * max(1.0, abs(number)) for one in NUMBER.findall(line))


def shown(student: Student, graph: Graph, lines: str) -> tuple[str, list[tuple[int, str, str]]]:
    """The head of a message, and for each line its indentation, its label and its text."""
    result = graph.call(student, "show", graph.root)
    _, (text,) = graph.read(student, result)
    head = f"{lines}\n{result._text} gave\n{text}\n"
    found = []
    for column, line in rows(text, result._text):
        label = next((word for word in re.findall(r"\w+", line) if word in graph.data), None)
        if label is None:
            raise WrongAnswer(f"{head}no label in the line {line!r}")
        found.append((column, label, line))
    return head, found


@grade("show", points=1.5)
@pytest.mark.parametrize("shape", SHAPES)
def test_parents_stand_below_their_value(student: Student, rng: random.Random, shape: str) -> None:
    """The root comes first; each use has one line, further in and below the Value that it went into."""
    graph = Graph(student, SHAPES[shape], rng)
    head, found = shown(student, graph, SHAPES[shape])
    above: list[tuple[int, str]] = []
    got: Counter[str] = Counter()
    for column, label, _ in found:
        while above and above[-1][0] >= column:
            above.pop()
        got[f"{label} below {above[-1][1]}" if above else f"{label} as a root"] += 1
        above.append((column, label))
    expected = Counter({f"{graph.root} as a root": 1} | {f"{parent} below {name}": 1 for parent, name in graph.edges(graph.root)})
    same(f"{head}the lines", expected, got)


@grade("show", points=0.5)
def test_label_number_and_sign(student: Student, rng: random.Random) -> None:
    """A line holds the label and the data, and the sign where an operation made the Value."""
    graph = Graph(student, SHAPES["example"], rng)
    head, found = shown(student, graph, SHAPES["example"])
    signs = student.read(*[graph.remotes[label]._op for _, label, _ in found])
    for (_, label, line), sign in zip(found, signs, strict=True):
        if not holds(line, graph.data[label]):
            raise WrongAnswer(f"{head}{label} has the data {graph.data[label]:g}; its line is {line!r}")
        if isinstance(sign, str) and sign not in line:
            raise WrongAnswer(f"{head}{label} was made by {sign}; its line is {line!r}")
        if not sign and re.search(r"[+*(]\s*[+*)]", line):
            raise WrongAnswer(f"{head}{label} was typed in, by no operation; its line is {line!r}")


@grade("show", points=0.5)
@pytest.mark.parametrize("shape", ["example", "diamond", "skip"])
def test_a_second_line_is_marked(student: Student, rng: random.Random, shape: str) -> None:
    """A Value that was shown before is marked, and only then."""
    graph = Graph(student, SHAPES[shape], rng)
    head, found = shown(student, graph, SHAPES[shape])
    first: dict[str, str] = {}
    uses = Counter(parent for parent, _ in graph.edges(graph.root)) + Counter([graph.root])
    same(f"{head}how often each has a line", uses, Counter(label for _, label, _ in found))
    for _, label, line in found:
        before = first.setdefault(label, line)
        if line is before and "again" in line:
            raise WrongAnswer(f"{head}{label} was not shown before its line {line!r}")
        if line is not before and len(line) <= len(before):
            raise WrongAnswer(f"{head}{label} was shown before, and its line {line!r} does not say so")


@grade("show", points=0.25)
def test_twins_and_nameless_values(student: Student) -> None:
    """Twins are two Values, neither of them shown before; Values without a label have lines too."""
    text, plain, one = student.read(
        student.name("show")(twins(student)),
        student.name("show")(student.name("Value")(2.5) * 4 + 1),
        student.name("show")(student.name("Value")(2.5, label="k")),
    )
    lines = [line for _, line in rows(text, "show(k + k)")]
    if len(lines) != 3 or lines[1] != lines[2]:
        raise WrongAnswer(
            f"s = Value(1.5, label='k') + Value(1.5, label='k')\nexpected three lines, two of them alike, got\n{text}"
        )
    if isinstance(plain, str) and not all(holds(plain, number) for number in (11, 10, 2.5, 4, 1)):
        raise WrongAnswer(f"show(Value(2.5) * 4 + 1): expected lines with 11, 10, 2.5, 4 and 1, got\n{plain}")
    if len(rows(plain, "show(Value(2.5) * 4 + 1)")) != 5 or len(rows(one, "show(k)")) != 1:
        raise WrongAnswer(f"Value(2.5) * 4 + 1 has five lines, a typed-in k has one; got\n{plain}\nand\n{one}")


@grade("show", points=0.25)
def test_a_tower_is_shown_at_once(student: Student) -> None:
    """A tower in which every Value is used twice is shown at once, and again in the same way."""
    result = student.name("show")(tall(student))
    again = student.name("show")(tall(student))
    for text in in_time(student, result, again):
        got = text.count("\n") + 1 if isinstance(text, str) and len(text) < 4_000 else None
        lines = len(rows(text, result._text))
        if got is not None and lines != 2 * (TALL - 2) + 1:
            raise WrongAnswer(f"{result._text}: expected {2 * (TALL - 2) + 1} lines, got {lines}")


Drawing = tuple[dict[Any, str], dict[Any, str], list[tuple[Any, Any]]]


def drawing(student: Student, root: Remote, head: str) -> Drawing:
    """Boxes and circles by name, and the arrows; each name is a text that nothing else has."""
    result = student.name("picture")(root)
    (got,) = student.read(result)
    if not isinstance(got, (tuple, list)) or len(got) != 3:
        raise WrongAnswer(f"{head}\n{result._text}: expected three lists, got {kind(got)}")
    boxes, circles, arrows = (pairs(part, f"{result._text}[{index}]") for index, part in enumerate(got))
    names = [name for name, _ in (*boxes, *circles)]
    for name in (*names, *(text for _, text in (*boxes, *circles)), *(name for pair in arrows for name in pair)):
        if not isinstance(name, str):
            raise WrongAnswer(f"{head}\n{result._text}: expected texts only, found {kind(name)}")
    if len(set(names)) != len(names):
        raise WrongAnswer(f"{head}\n{result._text}: two of its boxes and circles have the same name")
    for pair in arrows:
        lost = next((name for name in pair if name not in names), None)
        if lost is not None:
            raise WrongAnswer(f"{head}\n{result._text}: an arrow names {lost!r}, which is no box and no circle")
    return dict(boxes), dict(circles), arrows


def made_by(circles: dict[Any, str], boxes: dict[Any, str], arrows: list[tuple[Any, Any]], head: str) -> dict[Any, Any]:
    """The box that each circle leads to. Boxes lead to circles, and each circle to one box."""
    if any((start in boxes) == (end in boxes) for start, end in arrows):
        raise WrongAnswer(f"{head}\nan arrow leads from a box to a box, or from a circle to a circle: a use ends at the circle")
    out = Counter(start for start, _ in arrows if start in circles)
    if any(out[circle] != 1 for circle in circles):
        raise WrongAnswer(f"{head}\nexpected one arrow from each circle, to its own box; got {sorted(out[one] for one in circles)}")
    return {start: end for start, end in arrows if start in circles}


def assert_picture(student: Student, graph: Graph, lines: str) -> None:
    boxes, circles, arrows = drawing(student, graph.remotes[graph.root], lines)
    head = f"{lines}\npicture({graph.root})"
    label_of = {name: next((w for w in re.findall(r"\w+", text) if w in graph.data), text) for name, text in boxes.items()}
    same(f"{head}: the boxes", Counter(graph.behind(graph.root)), Counter(label_of.values()))
    for name, text in boxes.items():
        if not holds(text, graph.data[label_of[name]]):
            raise WrongAnswer(f"{head}: {label_of[name]} has the data {graph.data[label_of[name]]:g}; its box says {text!r}")
    made = [name for name in graph.behind(graph.root) if graph.parents[name]]
    if len(circles) != len(made):
        raise WrongAnswer(f"{head}: expected a circle for each of {', '.join(sorted(made))}; got {len(circles)} circles")
    result = {circle: label_of[box] for circle, box in made_by(circles, boxes, arrows, head).items()}
    same(f"{head}: what the circles lead to", Counter(made), Counter(result.values()))
    signs = dict(zip(made, student.read(*[graph.remotes[name]._op for name in made]), strict=True))
    for circle, text in circles.items():
        if text.strip() != signs[result[circle]]:
            raise WrongAnswer(f"{head}: {result[circle]} was made by {signs[result[circle]]}; its circle says {text!r}")
    got = Counter(f"{label_of[start]} into {result[end]}" for start, end in arrows if start in boxes)
    expected = Counter(f"{parent} into {name}" for parent, name in graph.edges(graph.root))
    doubled = {f"{parent} into {name}" for name, both in graph.parents.items() for parent in both if both.count(parent) > 1}
    got = Counter({use: 1 if use in doubled else times for use, times in got.items()})
    same(f"{head}: the arrows from a box to a circle", expected, got)


@grade("picture", points=1.5)
@pytest.mark.parametrize("shape", SHAPES)
def test_boxes_circles_and_arrows(student: Student, rng: random.Random, shape: str) -> None:
    """A box for each Value, a circle for each operation, an arrow for each use and one for each result."""
    assert_picture(student, Graph(student, SHAPES[shape], rng), SHAPES[shape])


@grade("picture", points=0.5)
def test_the_example_is_counted(student: Student) -> None:
    """L2 = (a*b + c) * (a + c) has 7 boxes, 4 circles and 12 arrows."""
    a, b, c = student.values(2.0, -3.0, 10.0)
    boxes, circles, arrows = drawing(student, (a * b + c) * (a + c), "L2 at a=2, b=-3, c=10, without labels")
    got = len(boxes), len(circles), len(arrows)
    if got != (7, 4, 12):
        raise WrongAnswer(f"L2: expected 7 boxes, 4 circles, 12 arrows; got {got[0]}, {got[1]}, {got[2]}")
    if not any(holds(text, 48) for text in boxes.values()):
        raise WrongAnswer("L2 = (a*b + c) * (a + c) at a=2, b=-3, c=10: no box says 48")


@grade("picture", points=0.5)
@pytest.mark.parametrize("lines", ["y = x + x", "y = x * x", "y = x + x; z = y * y"], ids=["sum", "square", "both"])
def test_a_value_with_itself_is_drawn(student: Student, rng: random.Random, lines: str) -> None:
    """y = x + x has two boxes, one circle, and two arrows."""
    assert_picture(student, Graph(student, lines, rng), lines)


@grade("picture", points=0.5)
def test_twins_have_two_boxes(student: Student) -> None:
    """Two Values with equal numbers and labels have a box each; one that was typed in is a box alone."""
    boxes, circles, arrows = drawing(student, twins(student), "s = Value(1.5, label='k') + Value(1.5, label='k')")
    alone = drawing(student, student.name("Value")(2.5, label="k"), "k = Value(2.5, label='k')")
    got = [(len(boxes), len(circles), len(arrows)), tuple(len(part) for part in alone)]
    if got != [(3, 1, 3), (1, 0, 0)]:
        raise WrongAnswer(f"expected (3, 1, 3) boxes, circles and arrows for twins, (1, 0, 0) for one typed in; got {got}")
