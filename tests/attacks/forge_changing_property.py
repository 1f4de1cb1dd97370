import itertools

count = itertools.count()


def look(self):
    return float(next(count) % 7)


Value.grad = property(look, lambda self, value: None)
