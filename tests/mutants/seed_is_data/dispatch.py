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
        elif op == "relu":
            (x,) = self._prev
            if x.data > 0:
                x.grad += self.grad

    def backward(self):
        order = topological_order(self)
        for node in order:
            if node._op is not None:
                node.grad = 0.0
        self.grad = self.data
        for node in order[::-1]:
            node.pass_on()


def topological_order(root, order=None, seen=None):
    order = [] if order is None else order
    seen = set() if seen is None else seen
    if id(root) not in seen:
        seen.add(id(root))
        for parent in root._prev:
            topological_order(parent, order, seen)
        order.append(root)
    return order


def deep_order(root):
    # count how often each node is used, then give out those with no open uses
    uses = {id(root): 0}
    todo = [root]
    while todo:
        for parent in todo.pop()._prev:
            if id(parent) not in uses:
                uses[id(parent)] = 0
                todo.append(parent)
            uses[id(parent)] += 1
    order, ready = [], [root]
    while ready:
        node = ready.pop()
        order.append(node)
        for parent in node._prev:
            uses[id(parent)] -= 1
            if uses[id(parent)] == 0:
                ready.append(parent)
    order.reverse()
    return order
