import sys

sys.setrecursionlimit(10**8)


class Value:
    def __init__(self, *_):
        self.deeper()

    def deeper(self):
        return [self.deeper()]
