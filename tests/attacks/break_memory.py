hoard = []


class Value:
    def __init__(self, *_):
        while True:
            hoard.append(bytearray(64 << 20))
