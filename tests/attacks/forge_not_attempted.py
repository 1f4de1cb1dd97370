class Value:
    def __init__(self, *_):
        raise NotImplementedError
