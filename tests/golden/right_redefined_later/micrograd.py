# %% first attempt: no gradient yet
class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad, self._prev, self._op, self.label = data, 0.0, set(_children), _op, label

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), "*")


# %% a try that I threw away
print(Value(2.0) * 3)

# %% second attempt, everything again
class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad, self._op, self.label = data, 0.0, _op, label
        self._prev = frozenset(_children)
        self.rule = None

    def __add__(self, other):
        other = Value.of(other)
        out = Value(self.data + other.data, (self, other), "+")
        out.rule = lambda g: ((self, g), (other, g))
        return out

    def __mul__(self, other):
        other = Value.of(other)
        out = Value(self.data * other.data, (self, other), "*")
        out.rule = lambda g: ((self, other.data * g), (other, self.data * g))
        return out

    @staticmethod
    def of(x):
        return x if isinstance(x, Value) else Value(x)

    def backward(self):
        seen, order = set(), []
        stack = [(self, iter(self._prev))]
        seen.add(self)
        while stack:
            node, parents = stack[-1]
            for parent in parents:
                if parent not in seen:
                    seen.add(parent)
                    stack.append((parent, iter(parent._prev)))
                    break
            else:
                order.append(node)
                stack.pop()
        self.grad = 1.0
        for node in reversed(order):
            if node.rule:
                for parent, amount in node.rule(node.grad):
                    parent.grad += amount
