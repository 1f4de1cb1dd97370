"""Names found by what they do, over the in-process transport: the same messages as a worker's."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.discover import find_names, find_network
from autograder.errors import NotAttempted, WrongAnswer
from autograder.inprocess import InProcess

ENGINES = Path(__file__).parent / "capstone"
ODD = (ENGINES / "other_names.py").read_text(encoding="utf-8")


def loaded(source: str) -> InProcess:
    namespace: dict[str, object] = {"__name__": "handed_in"}
    exec(source, namespace)
    return InProcess(namespace)


def test_other_names_are_found_by_what_they_do() -> None:
    names = find_names(loaded(ODD))
    assert (names.cls, names.data, names.grad, names.backward) == ("Scalar", "val", "gradient", "backprop")
    assert names.methods == {"relu": "ReLU"}
    assert names.functions == {}


def test_names_that_say_nothing_are_found_too() -> None:
    odd = ODD.replace("gradient", "zeta").replace("backprop", "do_it").replace("Scalar", "Q").replace(".val", ".n")
    names = find_names(loaded(odd))
    assert (names.cls, names.data, names.grad, names.backward) == ("Q", "n", "zeta", "do_it")


def test_names_that_mislead_do_not() -> None:
    """A decoy named as the real thing is, which does nothing, loses to what does it."""
    decoys = ODD.replace("self.gradient = 0\n", "self.gradient = 0\n        self.grad = 0\n        self.data = 'text'\n")
    decoys += "\n\nclass Value:\n    def __init__(self, x):\n        self.data = x\n\n    def backward(self):\n        pass\n"
    names = find_names(loaded(decoys))
    assert (names.cls, names.data, names.grad, names.backward) == ("Scalar", "val", "gradient", "backprop")


@pytest.mark.parametrize(
    "fault",
    [("parent.gradient += part", "parent.gradient = -7"), ("self.gradient = 1\n", "pass\n"), ("reversed(order)", "[]")],
    ids=["wrong numbers", "no seed", "nothing runs"],
)
def test_a_faulty_engine_is_found_by_its_names(fault: tuple[str, str]) -> None:
    assert fault[0] in ODD
    names = find_names(loaded(ODD.replace(*fault)))
    assert (names.cls, names.data, names.grad, names.backward) == ("Scalar", "val", "gradient", "backprop")


def test_an_attribute_that_raises_is_passed_over() -> None:
    raising = ODD.replace("    def backprop", "    @property\n    def angry(self):\n        raise OSError\n\n    def backprop")
    assert find_names(loaded(raising)).data == "val"


def test_functions_beside_the_class() -> None:
    source = (ENGINES / "two_files" / "engine.py").read_text(encoding="utf-8")
    assert find_names(loaded(source)).functions == {"tanh": "tanh", "exp": "exp"}


def test_math_s_own_functions_are_not_the_engine_s() -> None:
    assert find_names(loaded("from math import *\n" + ODD)).functions == {}


def test_the_network_is_found_by_its_parameters() -> None:
    transport = loaded(ODD)
    network = find_network(transport, find_names(transport))
    assert (network.cls, network.form, network.forward) == ("FeedForward", "flat", "forward")
    assert (network.parameters, network.called, network.listed) == ("params", False, True)


def test_a_network_that_forgets_its_biases_is_found() -> None:
    short = ODD.replace("[*unit.ws, unit.shift]", "unit.ws").replace("FeedForward", "MLP")
    transport = loaded(short)
    assert find_network(transport, find_names(transport)).cls == "MLP"


def test_nothing_written_is_not_attempted() -> None:
    with pytest.raises(NotAttempted):
        find_names(loaded("x = 1"))


def test_classes_that_hold_no_number_are_named() -> None:
    with pytest.raises(WrongAnswer, match="looked at Ship"):
        find_names(loaded("class Ship:\n    pass"))
    transport = loaded(
        ODD.replace("FeedForward", "Ship").replace("def forward(self, xs):\n        for", "def go(self, xs):\n        for")
    )
    with pytest.raises(WrongAnswer, match="Unit, Ship"):
        find_network(transport, find_names(transport))
