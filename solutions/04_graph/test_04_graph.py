"""The public suite of 04_graph: read it, run it, add to it."""

from autograder.errors import WrongAnswer
from autograder.plugin import grade


def expect(what, expected, got):
    """Say what was expected and what came, unless they are the same."""
    if expected != got:
        raise WrongAnswer(f"{what}: expected {expected}, got {got}")


def listed(value, what):
    """The items of a list, tuple or set."""
    if not isinstance(value, (list, tuple, frozenset)):
        raise WrongAnswer(f"{what}: expected a list or a set, got {type(value).__name__}")
    return list(value)


def pairs(value, what):
    """A list of pairs, each as a tuple."""
    for pair in listed(value, what):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise WrongAnswer(f"{what}: expected pairs, and found something else: {pair!r}"[:200])
    return [(pair[0], pair[1]) for pair in value]


def small_graph(student):
    """a = 2, b = -3 and e = a * b, with their labels."""
    value = student.name("Value")
    a, b = value(2.0, label="a"), value(-3.0, label="b")
    e = a * b
    e.set("label", "e")
    return a, b, e


@grade("walk", points=1)
def test_the_walk_of_a_product(student):
    """The walk of e = a*b has three steps: e first, then a and b in some order."""
    a, b, e = small_graph(student)
    got, *known = student.read(student.name("walk")(e), a, b, e)
    steps = listed(got, "walk(e)")
    expect("the number of steps of walk(e)", 3, len(steps))
    expect("walk(e) begins with e", True, steps[0] == known[2])
    expect("walk(e) goes to a and b", True, all(one in steps for one in known))


@grade("walk", points=1)
def test_the_walk_of_the_example(student):
    """The walk of L2 has nine steps: it comes to a and to c twice."""
    (labels,) = student.read(student.name("walk")(student.name("example")()).each("label"))
    expect("the labels in walk(L2), sorted", sorted(["L2", "d", "e", "a", "b", "c", "g", "a", "c"]), sorted(map(str, labels)))


@grade("trace", points=2)
def test_nodes_and_edges_of_a_product(student):
    """e = a*b has three nodes and the edges (a, e) and (b, e)."""
    a, b, e = small_graph(student)
    traced = student.name("trace")(e)
    nodes, edges, a, b, e = student.read(traced[0], traced[1], a, b, e)
    nodes, edges = listed(nodes, "nodes"), pairs(edges, "edges")
    expect("the number of nodes and of edges of e = a*b", (3, 2), (len(nodes), len(edges)))
    expect("the nodes of e = a*b are e, a and b", True, all(one in nodes for one in (a, b, e)))
    expect("the edges of e = a*b are (a, e) and (b, e)", True, (a, e) in edges and (b, e) in edges)


@grade("trace", points=1)
def test_the_example_is_traced(student):
    """L2 has 7 nodes and 8 edges, at the second call too; a tower of 45 is done at once."""
    root = student.name("example")()
    for call in ("first", "second"):
        traced = student.name("trace")(root)
        nodes, edges = student.read(traced[0], traced[1])
        counts = len(listed(nodes, "nodes")), len(listed(edges, "edges"))
        expect(f"nodes and edges of L2, {call} call", (7, 8), counts)
    nodes, _ = student.read(*(student.name("trace")(student.name("tower")(45))[at] for at in (0, 1)))
    expect("nodes of a tower of 45", 45, len(listed(nodes, "nodes")))


@grade("show", points=3)
def test_the_example_as_text(student):
    """L2 has nine lines: the root, and one for each edge. The second lines of a and c say (again)."""
    (text,) = student.read(student.name("show")(student.name("example")()))
    if not isinstance(text, str):
        raise WrongAnswer(f"show(L2): expected a text, got {type(text).__name__}; does it print, and return nothing?")
    lines = [line for line in text.splitlines() if line.strip()]
    expect("the number of lines of show(L2)", 9, len(lines))
    for label, number, times in (("L2", "48", 1), ("d", "4", 1), ("e", "-6", 1), ("a", "2", 2), ("c", "10", 2), ("g", "12", 1)):
        own = [line for line in lines if line.strip().startswith(f"{label} ") and number in line]
        expect(f"the lines of show(L2) with {label} and {number}", times, len(own))
    depth = {line.split()[0]: len(line) - len(line.lstrip()) for line in lines}
    expect("L2 stands further left than d, d than e, e than b", True, depth["L2"] < depth["d"] < depth["e"] < depth["b"])
    expect("the lines of show(L2) with (*) and with (+)", (2, 2), (text.count("(*)"), text.count("(+)")))
    expect("the lines of show(L2) that say (again)", 2, sum("again" in line for line in lines))


@grade("picture", points=3)
def test_the_example_as_a_picture(student):
    """L2 has 7 boxes, 4 circles and 12 arrows; each arrow joins a box and a circle."""
    drawn = student.name("picture")(student.name("example")())
    boxes, circles, arrows = (pairs(part, "picture(L2)") for part in student.read(drawn[0], drawn[1], drawn[2]))
    expect("boxes, circles and arrows of L2", (7, 4, 12), (len(boxes), len(circles), len(arrows)))
    names = [name for name, _ in [*boxes, *circles]]
    expect("two boxes or circles with the same name", False, any(name in names[:at] for at, name in enumerate(names)))
    expect("every arrow leads from one name to another", True, all(start in names and end in names for start, end in arrows))
    rings = [name for name, _ in circles]
    expect("every arrow joins a box and a circle", True, all((start in rings) != (end in rings) for start, end in arrows))
    expect("arrows from each circle", [1, 1, 1, 1], [sum(start == ring for start, _ in arrows) for ring in rings])
    expect("every text is a text", True, all(isinstance(text, str) for pair in [*boxes, *circles] for text in pair))
    expect("the boxes that say 48", 1, sum("48" in text for _, text in boxes))
    expect("the signs in the circles", ["*", "*", "+", "+"], sorted(text for _, text in circles))
