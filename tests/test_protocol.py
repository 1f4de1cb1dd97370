"""A worker's reply is read strictly: whatever is not the agreed form is a ProtocolError and nothing else."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.protocol import Object, ProtocolError, cell_result, encode, failure, parse, plain

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*"filtSdoc", "type", "frames", "op"]), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(st.binary() | JSON.map(lambda value: json.dumps(value).encode()))
def test_anything_at_all_is_read_or_refused(line: bytes) -> None:
    try:
        reply = parse(line)
        plain(reply)
    except ProtocolError:
        return


@given(JSON)
def test_forms_are_read_or_refused(form: object) -> None:
    for read in (plain, failure, cell_result):
        try:
            read(form)  # type: ignore[operator]
        except ProtocolError:
            continue
        except AttributeError:
            assert not isinstance(form, dict)


@given(st.floats(allow_nan=False) | st.integers() | st.text() | st.booleans() | st.none())
def test_plain_values_arrive_as_they_were(value: object) -> None:
    assert plain(encode(value)) == value


@pytest.mark.parametrize(
    "line",
    [
        b'{"id": 1, "id": 2}',
        b'{"reads": [1.5]}',
        b'{"reads": [NaN]}',
        b'{"reads": [12345678901]}',
        b"[" * 1_000_000,
        b"{} {}",
        b"[]",
        b"\xff",
        b"",
    ],
)
def test_what_parse_refuses(line: bytes) -> None:
    with pytest.raises(ProtocolError):
        parse(line)


@pytest.mark.parametrize(
    "form",
    [1, "1", [1], {"f": 1}, {"f": "0x1p99999"}, {"i": "zz"}, {"f": "0x1p0", "i": "1"}, {"o": 1}, {"o": "1", "c": "A"}, {"S": 3}, {"S": [{"d": []}]},
     {"S": [{"t": [{"d": []}]}]}, {"S": [None] * 501}],
)  # fmt: skip
def test_what_plain_refuses(form: object) -> None:
    with pytest.raises(ProtocolError):
        plain(form)


def test_what_cannot_be_written_to_a_file_is_replaced() -> None:
    form = json.loads('{"s": "\\ud800"}')
    assert plain(form) == "?" and plain({"S": [{"t": [{"l": []}]}]}) == frozenset({((),)})


def test_identity_crosses_and_values_do_not_lie() -> None:
    assert plain({"o": 3, "c": "Value"}) == Object(3, "Value") != plain({"o": 4, "c": "Value"})
    assert math.isnan(plain({"f": "nan"}))  # type: ignore[arg-type]
