import math


class Value:
    def __init__(self, data, parents=(), op=None, label=""):
        self.data = data
        self.grad = 0.0
        self.label = label
        self._prev = tuple(parents)
        self._op = op

    def __repr__(self):
        return "Value(" + str(self.data) + ")"

    @staticmethod
    def wrap(x):
        return x if isinstance(x, Value) else Value(x)

    def __add__(self, other):
        other = Value.wrap(other)
        return Value(self.data + other.data, (self, other), "+")

    def __mul__(self, other):
        other = Value.wrap(other)
        return Value(self.data * other.data, (self, other), "*")

    def __radd__(self, other):
        return Value.wrap(other) + self

    def __rmul__(self, other):
        return Value.wrap(other) * self

    def __pow__(self, k):
        if not isinstance(k, (int, float)):
            raise TypeError("the exponent must be a plain number")
        out = Value(self.data**k, (self,), "**")
        out.k = k
        return out

    def __neg__(self):
        return Value(-self.data, (self,), "neg")

    def __sub__(self, other):
        other = Value.wrap(other)
        return Value(self.data - other.data, (self, other), "-")

    def __rsub__(self, other):
        return Value.wrap(other) - self

    def __truediv__(self, other):
        other = Value.wrap(other)
        return Value(self.data / other.data, (self, other), "/")

    def __rtruediv__(self, other):
        return Value.wrap(other) / self

    def tanh(self):
        return Value(math.tanh(self.data), (self,), "tanh")

    def exp(self):
        return Value(math.exp(self.data), (self,), "exp")

    def log(self):
        return Value(math.log(self.data), (self,), "log")

    def relu(self):
        return Value(max(0.0, self.data), (self,), "relu")

    def pass_on(self):
        op = self._op
        if op == "+":
            x, y = self._prev
            x.grad += self.grad
            y.grad += self.grad
        elif op == "*":
            x, y = self._prev
            x.grad += self.grad * y.data
            y.grad += self.grad * x.data
        elif op == "-":
            x, y = self._prev
            x.grad += self.grad
            y.grad -= self.grad
        elif op == "/":
            x, y = self._prev
            x.grad += self.grad / y.data
            y.grad -= self.grad * x.data / y.data**2
        elif op == "neg":
            (x,) = self._prev
            x.grad -= self.grad
        elif op == "**":
            (x,) = self._prev
            x.grad += self.grad * self.k * x.data ** (self.k - 1)
        elif op == "tanh":
            (x,) = self._prev
            x.grad += self.grad * (1 - self.data**2)
        elif op == "exp":
            (x,) = self._prev
            x.grad = self.grad * self.data
        elif op == "log":
            (x,) = self._prev
            x.grad += self.grad / x.data
        elif op == "relu":
            (x,) = self._prev
            if x.data > 0:
                x.grad += self.grad

    def backward(self):
        order = []
        seen = set()

        def visit(node):
            if id(node) in seen:
                return
            seen.add(id(node))
            for parent in node._prev:
                visit(parent)
            order.append(node)

        visit(self)
        self.grad = 1.0
        for node in order[::-1]:
            node.pass_on()


def neuron(x1, x2, w1, w2, b):
    n = w1 * x1 + w2 * x2
    return (n + b).tanh()


def tanh_in_pieces(x):
    up = x.exp()
    down = (-x).exp()
    return (up - down) / (up + down)
