class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad, self.label, self._op = data, 0.0, label, _op
        self._prev, self._backward = set(_children), lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def pass_on():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = pass_on
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def pass_on():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = pass_on
        return out

    def backward(self):
        order, seen = [], set()

        def visit(node):
            if node not in seen:
                seen.add(node)
                for parent in node._prev:
                    visit(parent)
                order.append(node)

        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            node._backward()


