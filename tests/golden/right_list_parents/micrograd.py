# My own Value. Every node stores (parent, slope) pairs, so there is no closure at all.
import itertools

counter = itertools.count()


class Value:
    __slots__ = ("data", "grad", "_prev", "_op", "label", "slopes", "born")

    def __init__(self, data, children=[], op="", label="", slopes=[]):
        self.data = data
        self.grad = 0
        self._prev = list(children)
        self._op = op
        self.label = label
        self.slopes = list(slopes)
        self.born = next(counter)

    def __add__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        return Value(self.data + other.data, [self, other], "+", slopes=[1, 1])

    def __mul__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        return Value(self.data * other.data, [self, other], "*", slopes=[other.data, self.data])

    def backward(self):
        nodes, todo = {id(self): self}, [self]
        while todo:
            for p in todo.pop()._prev:
                if id(p) not in nodes:
                    nodes[id(p)] = p
                    todo.append(p)
        self.grad = 1
        for node in sorted(nodes.values(), key=lambda n: -n.born):
            for p, slope in zip(node._prev, node.slopes):
                p.grad += slope * node.grad
