import matplotlib.pyplot as plt
import numpy as np
from graphviz import Digraph

np.random.seed(1337)


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op
        self.label = label

    def __repr__(self):
        return f"Value(data={self.data})"

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += 1.0 * out.grad
            other.grad += 1.0 * out.grad

        out._backward = _backward
        return out

    def backward(self):
        topo, visited = [], set()

        def build(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build(child)
                topo.append(v)

        build(self)
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()


def times(self, other):
    other = other if isinstance(other, Value) else Value(other)
    out = Value(self.data * other.data, (self, other), "*")

    def pull():
        self.grad += other.data * out.grad
        other.grad += self.data * out.grad

    out._backward = pull
    return out


Value.__mul__ = times


def draw(root):
    dot = Digraph(format="svg", graph_attr={"rankdir": "LR"})
    dot.node(name=str(id(root)), label="%.4f" % root.data)
    return dot


draw(Value(2.0) * Value(-3.0))
plt.plot(np.arange(-5, 5, 0.2))
plt.show()
name = input("Who are you? ")
