words = "\u202e6 / 6 derocs\u2066\u200b\ufeff\u2028"


class Value:
    def __init__(self, *_):
        raise ValueError(words)


raise ValueError(words)
