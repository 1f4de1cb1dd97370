"""Pictures by pip alone: the system's dot, graphviz-pure, or the tree of text; hostile labels; large graphs."""

from __future__ import annotations

import re
import shutil
import sysconfig
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from autograder import draw, draw_dot, show
from autograder.draw import dot_source, figure, of_observation, of_values, tree
from autograder.expression import trace
from autograder.gradcheck import NodeGradient, Observation
from autograder.numeric import differentiate

HOSTILE = '</svg><script>alert("x")</script> {a|b} \\N \\G <b>&lt; \x1b[31m \u202e'


def leaf(data: float = 1.0, label: str = "", op: str = "", parents: Any = ()) -> SimpleNamespace:
    return SimpleNamespace(data=data, grad=0.5, label=label, _op=op, _prev=parents)


def example(label: str = "a") -> SimpleNamespace:
    a, b = leaf(2.0, label), leaf(-3.0, "b")
    t = leaf(-6.0, "t", "*", (a, b))
    return leaf(-18.0, "L", "+", [t, leaf(-12.0, "", "*", (t, a))])


class Elements(HTMLParser):
    """The names of a page's elements and the event handlers among their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.handlers: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.handlers += [name for name, value in attrs if name.startswith("on") or "javascript:" in (value or "")]


@pytest.fixture
def no_dot(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.fixture
def no_pure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))


@pytest.mark.skipif(not shutil.which("dot"), reason="Graphviz is not installed: apt-get install graphviz")
def test_the_systems_dot_draws() -> None:
    page = figure(of_values(example()))
    assert "Drawn by dot." in page and page.count("<svg") == 1 and ">L (+)<" in page


def test_without_dot_on_the_path_graphviz_pure_draws(no_dot: None) -> None:
    page = figure(of_values(example()))
    assert "Drawn by graphviz-pure." in page and page.count("<svg") == 1 and ">L (+)<" in page


def test_without_either_the_tree_stands_there(no_dot: None, no_pure: None) -> None:
    page = figure(of_values(example()))
    assert "<svg" not in page and "pip install graphviz-pure" in page and "└── " in page and "L (+)" in page


def test_a_dot_that_fails_is_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "dot"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "Drawn by graphviz-pure." in figure(of_values(example()))


@pytest.mark.parametrize("without", [[], ["no_dot"], ["no_dot", "no_pure"]], ids=["any", "pure", "text"])
def test_hostile_labels_stay_text(request: pytest.FixtureRequest, without: list[str]) -> None:
    for fixture in without:
        request.getfixturevalue(fixture)
    for root in (example(HOSTILE), leaf(HOSTILE), leaf(op=HOSTILE), leaf(label="<<b>x</b>>")):  # type: ignore[arg-type]
        page = figure(of_values(root))
        elements = Elements(page)
        assert not {"script", "b"} & elements.names and not elements.handlers
        assert "\x1b" not in page and "\u202e" not in page


@pytest.mark.parametrize("without", [[], ["no_dot"]], ids=["any", "pure"])
def test_what_dot_would_read_as_its_own_stays_text(request: pytest.FixtureRequest, without: list[str]) -> None:
    for fixture in without:
        request.getfixturevalue(fixture)
    drawn = figure(of_values(leaf(label="\\N {a|b} \\l"))).partition("<figcaption>")[0]
    assert ">\\N {a|b} \\l<" in drawn
    drawn = figure(of_values(SimpleNamespace(label="<b>x</b>", _prev=()))).partition("<figcaption>")[0]
    assert "<svg" in drawn and ">&lt;b&gt;x&lt;/b&gt;<" in drawn


def test_objects_of_any_shape_are_drawn() -> None:
    class Odd:
        def __str__(self) -> str:
            return "odd"

    for root in (3.0, None, Odd(), leaf(parents={Odd(), Odd()}), leaf(parents=None), leaf(label=7)):  # type: ignore[arg-type]
        assert tree(of_values(root)) and dot_source(of_values(root))


def test_a_large_graph_is_cut_and_counted() -> None:
    root = leaf(label="first")
    for _ in range(5_000):
        root = leaf(op="+", parents=(root, leaf()))
    graph = of_values(root, limit=20)
    assert len(graph.boxes) == 20 and graph.left_out == 10_001 - 20
    page = figure(graph)
    assert "9,981 nodes further from the root left out." in page and "left out)" in page
    assert tree(graph).endswith("9,981 nodes further from the root left out.")


def test_a_graph_without_end_is_drawn_too() -> None:
    class Endless:
        data = grad = 1.0

        @property
        def _prev(self) -> tuple[Endless, Endless]:
            return Endless(), Endless()

    assert "more than" in of_values(Endless(), limit=5).cut


def test_a_circle_is_drawn() -> None:
    a = leaf(label="a")
    a._prev = (a,)
    assert "a" in tree(of_values(a)) and "svg" in figure(of_values(a))


def test_show_prints_each_node_once(capsys: pytest.CaptureFixture[str]) -> None:
    show(example())
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "L (+)  data -18  grad 0.5"
    assert sum("operands above" in line for line in lines) == 1 and len(lines) == 7


def test_draw_dot_is_a_picture_with_text_beside_it() -> None:
    picture = draw_dot(example())
    bundle = picture._repr_mimebundle_()
    assert "<svg" in bundle["text/html"] and bundle["text/plain"] == repr(picture) == tree(picture.graph)
    assert not re.search(r"(src|href)=", bundle["text/html"])


def test_the_first_wrong_gradient_is_marked_by_words_and_shape() -> None:
    traced = trace(lambda a, b: a * b + 2.0, 2)
    nodes = [
        NodeGradient(node, node.name or node.kind, 1.0, 1.0, got)
        for node, got in zip([one for one in reversed(traced.order()) if one.kind != "number"], (1.0, 1.0, None, 7.0), strict=True)
    ]
    seen = Observation(traced, (2.0, 3.0), differentiate(traced, (2.0, 3.0)), 8.0, (7.0, 0.0), tuple(nodes))
    graph = of_observation(seen)
    assert [box.marked for box in graph.boxes].count(True) == 1
    text = tree(graph)
    assert text.count("FIRST WRONG") == 1 and text.count(">> ") == 1 and "grad got nothing" in text and "wrong too" in text
    assert "peripheries=2" in dot_source(graph)
    assert draw.STYLE.count("marked")
