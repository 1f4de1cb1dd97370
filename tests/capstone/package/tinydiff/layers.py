"""Layers over the engine in the same package."""

from random import random

from .core import Variable


class Dense:
    def __init__(self, inputs, outputs):
        self.table = [[Variable(2 * random() - 1) for _ in range(inputs)] for _ in range(outputs)]
        self.biases = [Variable(0.1 * random()) for _ in range(outputs)]

    def __call__(self, xs):
        sums = [sum((w * x for w, x in zip(row, xs)), bias) for row, bias in zip(self.table, self.biases)]
        return [total.tanh() for total in sums]

    def parameters(self):
        return {*self.biases, *(w for row in self.table for w in row)}


class Net:
    def __init__(self, inputs, sizes):
        self.stack = []
        for size in sizes:
            self.stack.append(Dense(inputs, size))
            inputs = size

    def predict(self, xs):
        for dense in self.stack:
            xs = dense(xs)
        return xs[0]

    def parameters(self):
        return set().union(*(dense.parameters() for dense in self.stack))
