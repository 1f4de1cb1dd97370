"""The orders in which a backward pass can visit a graph: right ones, and those of the known mistakes."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeAlias, TypeVar

MOST = 64


class Linked(Protocol):
    @property
    def parents(self) -> Any: ...

    @property
    def rule(self) -> Any: ...


Place = TypeVar("Place", bound=Linked)
# What is done ("rule", "push" for one operand, "seed"), at which node, and for a push to which operand.
Step: TypeAlias = "tuple[str, Place, int | None]"
Children: TypeAlias = "Callable[[Place], list[Place]]"


def programs(root: Place, order: str, free: bool) -> Iterator[list[Step[Place]]]:
    """The passes of one kind of order. A right order is given once, or in every form where it is `free` to matter."""
    if order == "topological":
        yield from itertools.islice(_topological(root), MOST if free else 1)
    elif order == "unreversed":
        yield from ([*reversed(program)] for program in itertools.islice(_topological(root), 1))
    else:
        for children in _readings(root):
            yield WALKS[order](root, children)


def reachable(root: Place) -> list[Place]:
    """Every node once, the root first."""
    found, stack = {id(root): root}, [root]
    while stack:
        for parent in stack.pop().parents:
            if id(parent) not in found:
                found[id(parent)] = parent
                stack.append(parent)
    return list(found.values())


def _topological(root: Place) -> Iterator[list[Step[Place]]]:
    """Every order in which each node comes after all that were made from it."""
    nodes = reachable(root)
    waiting = {id(node): 0 for node in nodes}
    for node in nodes:
        for parent in {id(parent) for parent in node.parents}:
            waiting[parent] += 1

    def extend(done: list[Place], ready: list[Place]) -> Iterator[list[Place]]:
        inner = [node for node in ready if node.parents or node.rule]
        if not inner:
            yield [*done, *ready]
            return
        for node in inner:
            rest = [one for one in ready if one is not node]
            freed = {id(parent): parent for parent in node.parents}
            for key in freed:
                waiting[key] -= 1
            yield from extend([*done, node], rest + [parent for key, parent in freed.items() if not waiting[key]])
            for key in freed:
                waiting[key] += 1

    for order in extend([], [root]):
        yield [("rule", node, None) for node in order]


def _readings(root: Place) -> Iterator[Children[Place]]:
    """Every way to read the parents: as a set or one for each use, and either way round at each node."""
    forks = [id(node) for node in reachable(root) if len({id(parent) for parent in node.parents}) > 1]
    for once in (True, False):
        for turned in itertools.islice(itertools.product((False, True), repeat=len(forks)), MOST):
            yield _reading(once, {fork for fork, turn in zip(forks, turned, strict=True) if turn})


def _reading(once: bool, turned: set[int]) -> Children[Any]:
    def children(node: Any) -> list[Any]:
        parents = list({id(parent): parent for parent in node.parents}.values()) if once else list(node.parents)
        return parents[::-1] if id(node) in turned else parents

    return children


def _depth_first(root: Place, children: Children[Place], guarded: bool) -> list[Step[Place]]:
    steps: list[Step[Place]] = []
    seen: set[int] = set()

    def visit(node: Place) -> None:
        if guarded and id(node) in seen:
            return
        seen.add(id(node))
        steps.append(("rule", node, None))
        for child in children(node):
            visit(child)

    visit(root)
    return steps


def _breadth_first(root: Place, children: Children[Place], guarded: bool) -> list[Step[Place]]:
    steps: list[Step[Place]] = []
    queue, seen = deque([root]), {id(root)}
    while queue:
        node = queue.popleft()
        steps.append(("rule", node, None))
        for child in children(node):
            if not guarded or id(child) not in seen:
                seen.add(id(child))
                queue.append(child)
    return steps


def _edge_by_edge(root: Place, children: Children[Place]) -> list[Step[Place]]:
    """One operand gets its share and goes on at once, before the next one gets its own."""
    steps: list[Step[Place]] = []

    def visit(node: Place) -> None:
        for slot, parent in enumerate(node.parents):
            steps.append(("push", node, slot))
            visit(parent)

    visit(root)
    return steps


def _rule_for_each(root: Place, children: Children[Place]) -> list[Step[Place]]:
    """The whole rule runs again for each parent that is gone into."""
    steps: list[Step[Place]] = []

    def visit(node: Place) -> None:
        for child in children(node):
            steps.append(("rule", node, None))
            visit(child)

    visit(root)
    return steps


def _seeded(root: Place, children: Children[Place]) -> list[Step[Place]]:
    """Each call of a recursive backward sets its own node's gradient to 1 first."""
    steps: list[Step[Place]] = []
    for action, node, slot in _depth_first(root, children, guarded=False):
        steps += [("seed", node, None), (action, node, slot)]
    return steps


WALKS: dict[str, Callable[..., list[Any]]] = {
    "depth-first": lambda root, children: _depth_first(root, children, guarded=False),
    "depth-first-guarded": lambda root, children: _depth_first(root, children, guarded=True),
    "breadth-first": lambda root, children: _breadth_first(root, children, guarded=True),
    "breadth-first-unguarded": lambda root, children: _breadth_first(root, children, guarded=False),
    "edge-by-edge": _edge_by_edge,
    "rule-for-each": _rule_for_each,
    "seeded": _seeded,
}
