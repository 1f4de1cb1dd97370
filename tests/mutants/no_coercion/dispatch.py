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
        return Value(self.data * other.data, (self, other), "*")

    def __radd__(self, other):
        return Value.wrap(other) + self

    def __rmul__(self, other):
        return Value.wrap(other) * self

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
