import math
import random


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
            x.grad += self.grad * self.data
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


rng = random.Random(42)


class Module:
    def parameters(self):
        return []

    def zero_grad(self):
        for p in self.parameters():
            p.grad = 0.0


class Neuron(Module):
    def __init__(self, nin):
        self.nin = nin
        self.w = []
        for _ in range(nin):
            self.w.append(Value(rng.gauss(0, 0.7)))
        self.b = Value(0.0)

    def __call__(self, x):
        assert len(x) == self.nin, f"expected {self.nin} inputs, got {len(x)}"
        total = self.b
        for i in range(self.nin):
            total = total + self.w[i] * x[i]
        return total.tanh()

    def parameters(self):
        return [*self.w, self.b]


class Layer(Module):
    def __init__(self, nin, nout):
        self.neurons = []
        for _ in range(nout):
            self.neurons.append(Neuron(nin))

    def __call__(self, x):
        outputs = [neuron(x) for neuron in self.neurons]
        if len(outputs) == 1:
            return outputs[0]
        return outputs

    def parameters(self):
        found = []
        for neuron in self.neurons:
            found.extend(neuron.parameters())
        return found


class MLP(Module):
    def __init__(self, nin, nouts):
        self.layers = []
        for nout in nouts:
            self.layers.append(Layer(nin, nout))
            nin = nout

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        found = []
        for layer in self.layers:
            found.extend(layer.parameters())
        return found


def descend(f, x, steps, rate):
    history = []
    while len(history) < steps:
        zero_grad([x])
        result = f(x)
        result.backward()
        step([x], rate)
        history.append(result.data)
    return history


def targets(labels):
    middle = (min(labels) + max(labels)) / 2
    return [-1.0 if label < middle else 1.0 for label in labels]


def loss(outputs, targets):
    total = Value(0.0)
    for output, target in zip(outputs, targets):
        error = output - target
        total = total + error * error
    return total


def zero_grad(parameters):
    for i in range(len(parameters)):
        parameters[i].grad = 0.0


def step(parameters, rate):
    for parameter in parameters:
        parameter = parameter - rate * parameter.grad


def train(model, xs, ys, steps, rate):
    history = []
    for _ in range(steps):
        for p in model.parameters():
            p.grad = 0.0
        outputs = []
        for x in xs:
            outputs.append(model(x))
        total = loss(outputs, ys)
        total.backward()
        step(model.parameters(), rate)
        history.append(total.data)
    return history
