"""Dispatch on the operation's name, a tuple of inputs, an order that recurses; tanh is a function beside the class."""

import math


class Node:
    def __init__(self, value, op="", inputs=(), extra=None):
        self.value, self.grad, self.op, self.inputs, self.extra = value, 0.0, op, inputs, extra

    def __repr__(self):
        return f"<{self.op or 'leaf'} {self.value}>"

    def __add__(self, other):
        return make("add", self, other)

    def __radd__(self, other):
        return make("add", other, self)

    def __sub__(self, other):
        return make("sub", self, other)

    def __rsub__(self, other):
        return make("sub", other, self)

    def __mul__(self, other):
        return make("mul", self, other)

    def __rmul__(self, other):
        return make("mul", other, self)

    def __truediv__(self, other):
        return make("div", self, other)

    def __rtruediv__(self, other):
        return make("div", other, self)

    def __pow__(self, k):
        return Node(self.value**k, "pow", (self,), k)

    def __neg__(self):
        return make("sub", 0, self)

    def run_backwards(self):
        order = []
        visit(self, order, set())
        self.grad = 1.0
        for node in reversed(order):
            push(node)


def node(x):
    return x if isinstance(x, Node) else Node(x)


def make(op, left, right):
    left, right = node(left), node(right)
    x, y = left.value, right.value
    if op == "add":
        value = x + y
    elif op == "sub":
        value = x - y
    elif op == "mul":
        value = x * y
    else:
        value = x / y
    return Node(value, op, (left, right))


def tanh(x):
    return Node(math.tanh(x.value), "tanh", (x,))


def exp(x):
    return Node(math.exp(x.value), "exp", (x,))


def visit(one, order, seen):
    if one not in seen:
        seen.add(one)
        for before in one.inputs:
            visit(before, order, seen)
        order.append(one)


def push(one):
    up = one.grad
    if one.op in ("add", "sub"):
        one.inputs[0].grad += up
        one.inputs[1].grad += up if one.op == "add" else -up
    elif one.op == "mul":
        left, right = one.inputs
        left.grad += up * right.value
        right.grad += up * left.value
    elif one.op == "div":
        left, right = one.inputs
        left.grad += up / right.value
        right.grad -= up * left.value / right.value**2
    elif one.op == "pow":
        (base,) = one.inputs
        base.grad += up * one.extra * base.value ** (one.extra - 1)
    elif one.op == "tanh":
        one.inputs[0].grad += up * (1 - one.value**2)
    elif one.op == "exp":
        one.inputs[0].grad += up * one.value
