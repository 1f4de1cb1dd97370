"""The trusted side's reading of what a worker writes: exact forms, nothing evaluated, nothing believed.

A reply is one JSON line. Floats travel as the text of `float.hex`, integers as hexadecimal digits, so that no
number passes through a decimal parser and every bit arrives. Anything else is a `ProtocolError`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias

from .errors import Frame

REPLY_LIMIT = 4_000_000
TEXT_LIMIT = 4_000
PRINTED_LIMIT = 40_000
# Numbers can be chosen so that all their hashes collide; a set of n of them then takes n * n steps to build.
HASHED_LIMIT = 500


class ProtocolError(Exception):
    """The reply does not have the form that was agreed."""


@dataclass(frozen=True)
class Object:
    """An object in the worker: equal to another exactly when it is the same one."""

    number: int
    kind: str


Plain: TypeAlias = "bool | int | float | str | list[Any] | tuple[Any, ...] | frozenset[Any] | dict[Any, Any] | Object | None"


@dataclass(frozen=True)
class Failure:
    """What the worker says of an exception; `op` is the operation's place in the message."""

    kind: str
    text: str
    missing: bool
    late: bool
    frames: tuple[Frame, ...]
    op: int | None = None


@dataclass(frozen=True)
class CellResult:
    printed: str
    failed: Failure | None


def encode(value: Any) -> Any:
    """The tagged form of a plain value; an int that is to be a handle is passed as it is by the caller."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, float):
        return {"f": value.hex()}
    if isinstance(value, int):
        return {"i": format(value, "x")}
    if isinstance(value, str):
        return {"s": value}
    if isinstance(value, (list, tuple)):
        return {"l" if isinstance(value, list) else "t": [encode(item) for item in value]}
    raise TypeError(f"a {type(value).__name__} cannot be sent to a worker")


def parse(line: bytes) -> dict[str, Any]:
    """One reply as a JSON object, refusing duplicate keys, bare floats, constants, and depth beyond reason."""
    try:
        reply = json.loads(
            line.decode("utf-8"), object_pairs_hook=_unique, parse_float=_refuse, parse_constant=_refuse, parse_int=_small
        )
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"not a reply: {error}") from None
    if type(reply) is not dict:
        raise ProtocolError("not a reply: no object")
    return reply


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("a key stands twice")
    return table


def _refuse(text: str) -> NoReturn:
    raise ValueError(f"{text[:20]} is not allowed")


def _small(text: str) -> int:
    if len(text) > 9:
        raise ValueError("an integer is too long")
    return int(text)


def field(table: Any, name: str, kind: type) -> Any:
    """`table[name]`, which must be exactly of `kind`."""
    value = table.get(name) if type(table) is dict else None
    if type(value) is not kind:
        raise ProtocolError(f"{name} is not a {kind.__name__}")
    # JSON can spell half of a surrogate pair, which no file and no page can hold.
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def plain(form: Any, depth: int = 0) -> Plain:
    """The value of one tagged form; sets become frozensets so that they can hold one another."""
    if form is None or type(form) is bool:
        return form
    if type(form) is not dict or depth > 16:
        raise ProtocolError("not a tagged value")
    if form.keys() == {"o", "c"}:
        return Object(field(form, "o", int), field(form, "c", str)[:200])
    if len(form) != 1:
        raise ProtocolError("not a tagged value")
    ((tag, held),) = form.items()
    if tag in ("f", "i", "s"):
        return _scalar(tag, field(form, tag, str))
    if tag not in ("l", "t", "S", "d") or type(held) is not list:
        raise ProtocolError("not a tagged value")
    if tag in "Sd" and len(held) > HASHED_LIMIT:
        raise ProtocolError("a set or a dict is too large")
    if tag == "d":
        return dict(_pair(item, depth) for item in held)
    items = [plain(item, depth + 1) for item in held]
    return items if tag == "l" else tuple(items) if tag == "t" else frozenset(hashable(item) for item in items)


def _scalar(tag: str, text: str) -> Plain:
    if tag == "s":
        return text[:TEXT_LIMIT]
    try:
        return float.fromhex(text) if tag == "f" else int(text[:1_100], 16)
    except (ValueError, OverflowError) as error:
        raise ProtocolError(f"not a number: {error}") from None


def _pair(item: Any, depth: int) -> tuple[Any, Plain]:
    if type(item) is not list or len(item) != 2:
        raise ProtocolError("not a pair")
    return hashable(plain(item[0], depth + 1)), plain(item[1], depth + 1)


def hashable(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return tuple(hashable(item) for item in value)
    if isinstance(value, dict):
        raise ProtocolError("a dict inside a set")
    return value


def failure(form: Any) -> Failure:
    frames = field(form, "frames", list)[:16]
    op = form.get("op")
    return Failure(
        kind=field(form, "type", str)[:80],
        text=field(form, "text", str)[:TEXT_LIMIT],
        missing=field(form, "missing", bool),
        late=field(form, "late", bool),
        frames=tuple(_frame(frame) for frame in frames),
        op=op if type(op) is int else None,
    )


def _frame(form: Any) -> Frame:
    return Frame(
        file=field(form, "file", str)[:200],
        cell=field(form, "cell", int),
        line=field(form, "line", int),
        function=field(form, "function", str)[:100],
        text=field(form, "text", str)[:200],
    )


def cell_result(reply: dict[str, Any]) -> CellResult:
    failed = reply.get("failed")
    return CellResult(field(reply, "printed", str)[:PRINTED_LIMIT], None if failed is None else failure(failed))
