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
        return Value(self.data * other.data, [self], [other.data, self.data])

    __radd__ = __add__

    __rmul__ = __mul__

    def backward(self):
        order, done, todo = [], set(), [(self, False)]
        while todo:
            node, ready = todo.pop()
            if ready:
                order.append(node)
            elif node not in done:
                done.add(node)
                todo.append((node, True))
                todo.extend((p, False) for p in node._prev)
        self.grad = 1.0
        while order:
            node = order.pop()
            for p, slope in zip(node._prev, node.slopes):
                p.grad += slope * node.grad
