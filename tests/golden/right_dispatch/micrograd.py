"""One backward() that knows every operation by its sign."""


class Value:
    def __init__(self, data, parents=(), op=None, label=""):
        self.data = float(data)
        self.grad = 0.0
        self._prev = tuple(parents)
        self._op = op
        self.label = label

    def __repr__(self):
        return f"Value({self.data})"

    def __add__(self, other):
        other = as_value(other)
        return Value(self.data + other.data, (self, other), "+")

    def __mul__(self, other):
        other = as_value(other)
        return Value(self.data * other.data, (self, other), "*")

    __radd__ = __add__
    __rmul__ = __mul__

    def backward(self):
        waiting = {}
        stack = [self]
        while stack:
            node = stack.pop()
            for parent in node._prev:
                first_visit = id(parent) not in waiting
                waiting[id(parent)] = waiting.get(id(parent), 0) + 1
                if first_visit:
                    stack.append(parent)
        self.grad = 1.0
        ready = [self]
        while ready:
            node = ready.pop()
            if node._op == "+":
                for parent in node._prev:
                    parent.grad += node.grad
            elif node._op == "*":
                left, right = node._prev
                left.grad += right.data * node.grad
                right.grad += left.data * node.grad
            for parent in node._prev:
                waiting[id(parent)] -= 1
                if waiting[id(parent)] == 0:
                    ready.append(parent)


def as_value(x):
    return x if isinstance(x, Value) else Value(x)
