def lift(x):
    """Plain numbers become Values."""
    if isinstance(x, Value):
        return x
    return Value(float(x))


class Value:
    """A number, the Values that it came from, and its slope against each of them."""

    def __init__(self, data, _prev=(), slopes=(), label=""):
        self.data = data
        self.grad = 0
        self._prev = list(_prev)
        self.slopes = list(slopes)
        self.label = label

    def __repr__(self):
        return f"<{self.label or 'value'} {self.data:.4f}, grad {self.grad:.4f}>"

    def __add__(self, other):
        other = lift(other)
        return Value(self.data + other.data, [self, other], [1.0, 1.0])

    def __mul__(self, other):
        other = lift(other)
        return Value(self.data * other.data, [self, other], [other.data, self.data])

    __radd__ = __add__

    __rmul__ = __mul__

    def __pow__(self, n):
        if isinstance(n, Value):
            raise TypeError("a Value as exponent is not supported")
        return Value(self.data**n, [self], [n * self.data ** (n - 1)])

    def __neg__(self):
        return Value(-self.data, [self], [-1.0])

    def __sub__(self, other):
        other = lift(other)
        return Value(self.data - other.data, [self, other], [1.0, -1.0])

    def __rsub__(self, other):
        return lift(other) - self

    def __truediv__(self, other):
        other = lift(other)
        slopes = [1 / other.data, -self.data / other.data**2]
        return Value(self.data / other.data, [self, other], slopes)

    def __rtruediv__(self, other):
        return lift(other) / self

    def relu(self):
        if self.data > 0:
            return Value(self.data, [self], [1.0])
        return Value(0.0, [self], [0.0])

    def backward(self):
        order = topological_order(self)
        for node in order:
            if not node.slopes:
                node.grad = 0
        self.grad = 1.0
        while order:
            node = order.pop()
            for p, slope in zip(node._prev, node.slopes):
                p.grad += slope * node.grad


def deep_order(root):
    order, done, todo = [], set(), [(root, False)]
    while todo:
        node, ready = todo.pop()
        if ready:
            order.append(node)
        elif node not in done:
            done.add(node)
            todo.append((node, True))
            todo.extend((p, False) for p in node._prev)
    return order


def topological_order(root):
    return deep_order(root)
