words = "=cmd|'/c calc'!A1"


class Value:
    def __init__(self, *_):
        raise ValueError(words)


raise ValueError("\t+1+1" + words)
