"""The network, out of the engine in the file beside it; its parameters come from a generator."""

import random

from engine import Node, tanh


class Neuron:
    def __init__(self, count):
        self.weights = [Node(random.gauss(0, 0.5)) for _ in range(count + 1)]

    def __call__(self, inputs):
        return tanh(sum(w * x for w, x in zip(self.weights, list(inputs) + [1.0])))

    def parameters(self):
        yield from self.weights


class Layer:
    def __init__(self, count, neurons):
        self.neurons = [Neuron(count) for _ in range(neurons)]

    def __call__(self, inputs):
        return [neuron(inputs) for neuron in self.neurons]

    def parameters(self):
        for neuron in self.neurons:
            yield from neuron.parameters()


class MLP:
    def __init__(self, count, *sizes):
        self.layers = []
        for size in sizes:
            self.layers.append(Layer(count, size))
            count = size

    def __call__(self, inputs):
        for layer in self.layers:
            inputs = layer(inputs)
        return inputs[0] if len(inputs) == 1 else inputs

    def parameters(self):
        for layer in self.layers:
            yield from layer.parameters()


if __name__ == "__main__":
    import matplotlib.pyplot as plt

    plt.plot([1, 2])
